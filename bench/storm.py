"""How soon everybody is whole again where all are dropped at once and come back at once, again and again.

    .venv/bin/python -m bench.storm            # writes its section of bench/results.md
    .venv/bin/python -m bench.storm --clients 400 --times 5 --dry

What whole means, and that nobody pays: `tests/trust/storm.py`. Those who come are on the same machine as the room, in one
process; a good part of the time is theirs. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from bench.results import write_section
from bench.room import ROOT
from tests.trust.storm import LIMIT, Storm, allow_as_many, blow


def report(storm: Storm, options: argparse.Namespace) -> str:
    """The section of the results page."""
    longest = max(storm.took)
    count = (
        f"{storm.clients:,} clients, three at a table and one who looks on, dropped and back {len(storm.took)} times."
    )
    return (
        f"## Dropped and back\n\n`.venv/bin/python -m bench.storm --clients {options.clients} --times {options.times}` on "
        f"{os.cpu_count()} cores, those who come on the same machine, {time.strftime('%Y-%m-%d')}.\n\n"
        f"{count} All were whole, and nobody paid. Seconds until everybody was whole:\n\n"
        "| on average | the middle | at worst | limit | kept | the room's CPU, s a time | theirs |\n"
        "|---|---|---|---|---|---|---|\n"
        f"| {statistics.mean(storm.took):.2f} | {statistics.median(storm.took):.2f} | {longest:.2f} | {LIMIT:.0f} "
        f"| {'yes' if longest <= LIMIT else '**no**'} | {storm.room_cpu / len(storm.took):.2f} "
        f"| {storm.own_cpu / len(storm.took):.2f} |\n"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="who is dropped in which way")
    parser.add_argument("--directory", type=Path, default=ROOT, help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    options = parser.parse_args()
    allow_as_many()
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        storm = blow(Path(directory) / "room.sqlite", options.clients, options.times, seed=options.seed)
    section = report(storm, options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
