"""What it costs to seal a hand's decks, to deal out of them, and to open cards, beside the limit.

    .venv/bin/python -m bench.fair            # writes its section of bench/results.md
    .venv/bin/python -m bench.fair --dry      # prints it

Processor time of one core, each figure the middle of many and the ninety-fifth of a hundred. A hand is sealed once, dealt
once, and proved to each viewer whenever he may see more cards; the room does the first and the last beside its loop.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from datetime import date
from itertools import count
from typing import Final

from ananas.fair import Seed, commitment, encode, seal, unseal, verify
from bench.results import write_section
from tests.trust.proofs import Case, theirs

LIMIT: Final = 25.0
"""Milliseconds that the sealing of a hand may take."""
DEAL, SEATS, FANTASYLAND = (5, 3, 3, 3, 3), (1, 2, 0), (0, 0, 14)


def timed(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """The middle and the ninety-fifth of a hundred, in milliseconds."""
    took: list[float] = []
    for number in range(times + 5):
        started = time.process_time()
        work(number)
        took.append((time.process_time() - started) * 1000)
    cuts = statistics.quantiles(took[5:], n=20)
    return statistics.median(took[5:]), cuts[-1]


def in_node(times: int) -> float:
    """Milliseconds of processor time for a proof of a hand that is over, in the browser's verifier, once it is warm."""
    sealed = unseal("t/1", bytes(32), (), DEAL, SEATS, FANTASYLAND)
    case = Case(encode(sealed.proof(sealed.deck[:48], over=True)))
    spent: list[float] = []
    for number in (1, times + 1):
        before = os.times().children_user
        theirs([case] * number)
        spent.append(os.times().children_user - before)
    return 1000 * (spent[1] - spent[0]) / times


def main() -> None:
    """Measure all and write the section."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=200)
    options.add_argument("--dry", action="store_true")
    asked = options.parse_args()
    seed = "0f" * 16
    numbers = count()

    def fresh() -> str:
        return f"t/{next(numbers)}"

    seeds = [Seed(seat, commitment("t/1", seat, seed), seed) for seat in sorted(SEATS)]
    sealed = unseal("t/1", bytes(32), seeds, DEAL, SEATS, FANTASYLAND)
    running, over = (encode(sealed.proof(sealed.deck[:10], over=over)) for over in (False, True))
    rows = {
        "sealing a hand: 64 decks": timed(lambda _: seal(fresh(), bytes(32)), asked.times),
        "dealing it, sealed just before": timed(
            lambda _: unseal("t/1", bytes(32), seeds, DEAL, SEATS, FANTASYLAND), asked.times
        ),
        "dealing it, sealed before a restart": timed(
            lambda _: unseal(fresh(), bytes(32), seeds, DEAL, SEATS, FANTASYLAND), asked.times
        ),
        "opening 10 cards": timed(lambda _: encode(sealed.proof(sealed.deck[:10], over=False)), asked.times),
        "opening 48 cards and all other decks": timed(
            lambda _: encode(sealed.proof(sealed.deck[:48], over=True)), asked.times
        ),
        "checking 10 cards while the hand runs": timed(lambda _: verify(running), asked.times),
        "checking a hand that is over": timed(lambda _: verify(over), asked.times),
    }
    lines = [
        "## The sealed deal",
        "",
        f"`.venv/bin/python -m bench.fair --times {asked.times}`, processor time on one core, {date.today().isoformat()}.",  # noqa: DTZ011 - the day of whoever measures
        "",
        "| | ms | 95 of 100 within | limit | kept |",
        "|---|---|---|---|---|",
    ]
    for name, (middle, high) in rows.items():
        limited = name.startswith("sealing")
        kept = f"{LIMIT:.0f} ms | {'yes' if high <= LIMIT else '**no**'}" if limited else "|"
        lines.append(f"| {name} | {middle:.2f} | {high:.2f} | {kept} |")
    lines += [
        f"| checking a hand that is over, in the browser's verifier | {in_node(asked.times):.0f} | | | |",
        "",
        f"A proof of 10 cards has {len(running):,} bytes while the hand runs, and {len(over):,} when it is over.",
        "",
    ]
    section = "\n".join(lines)
    if asked.dry:
        print(section)
    else:
        write_section(section)


if __name__ == "__main__":
    main()
