"""How long people wait for an answer while twenty tables of bots think, beside how long they wait without them.

    .venv/bin/python -m bench.bots            # writes its section of bench/results.md
    .venv/bin/python -m bench.bots --pause 0 --dry            # bots that take no pause

The room is the real one, with people at tables of their own (`bench/beside.py`). First nobody thinks: there are no bots, and
no hand is reviewed. Then, in another room, somebody sits down with two bots at each of twenty further tables, one table after
the other, plays as fast as he is asked, and the coach reviews whatever it has time for. Nothing else should run on the
machine meanwhile.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Final

import uvloop

from bench.beside import HEAD, Waits, playing, shared_options
from bench.results import write_section
from bench.room import Load

LIMIT: Final = 2.0
"""Beside bots people wait at the most so many times as long, at the p99."""


async def measure(options: argparse.Namespace, *, bots: bool) -> tuple[Waits, float]:
    """One room, with tables of bots or without; and how often a second those who play with bots lay."""
    beside = Load()
    async with playing(options, bot_pause=options.pause, reviews="ahead" if bots else "asked") as room:
        for _ in range(options.tables if bots else 0):
            await room.sit_down(1, beside, options.bots.split(","))
            await room.pace(options.warm / options.tables)  # not all in step
        await room.pace(options.warm)
        beside.took.clear()
        found = await room.measure()
        return found, len(beside.took) / options.seconds


async def both(options: argparse.Namespace) -> tuple[Waits, Waits, float]:
    """First without bots, then with them."""
    alone, _ = await measure(options, bots=False)
    return alone, *await measure(options, bots=True)


def report(alone: Waits, with_bots: Waits, beside: float, options: argparse.Namespace) -> str:
    """The section of the results page."""
    command = f".venv/bin/python -m bench.bots --tables {options.tables} --seconds {options.seconds:g}"
    command += f" --pause {options.pause}"
    times = with_bots.p99 / alone.p99
    return (
        f"## People beside bots\n\n`{command}` on {os.cpu_count()} cores, the driver on the same machine, "
        f"{time.strftime('%Y-%m-%d')}.\n\n"
        f"{options.people} tables of three people, {options.rate} commands a second; at each of the other tables one "
        f"person, who lays at once, and {options.bots.replace(',', ', ')}, who take {options.pause} s. From sending a "
        "command to its `kept`:\n\n"
        f"{HEAD}{alone.row('without bots')}{with_bots.row(f'{options.tables} tables of bots at play')}\n"
        f"With bots the p99 is {times:.2f} of what it is without (limit: {LIMIT:g}, "
        f"{'kept' if times <= LIMIT else '**not kept**'}); those who play with bots lay {beside:.1f} times a second "
        "meanwhile.\n"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20, help="tables with bots")
    parser.add_argument("--bots", default="ananas,papaya", help="who sits there")
    parser.add_argument("--pause", default="1.2", help="seconds that a bot takes before it lays, on average")
    shared_options(parser, people=30, warm=10)
    options = parser.parse_args()
    section = report(*uvloop.run(both(options)), options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
