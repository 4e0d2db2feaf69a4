"""What each part of the strongest bot's thinking brings: one more part in each row, over the same decks.

    .venv/bin/python -m bench.parts --hands 20000        # writes its section of bench/results.md

A bot plays alone: royalties - 6 x dead + 10 x entry. `gain`: over the row before, hand by hand.
"""

from __future__ import annotations

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from ananas.bots.arena import CHUNK, Arena, Tally, play
from ananas.bots.levels import LEVELS, Level, LevelBot
from ananas.bots.named import BOTS
from ananas.game.rules import ROOM
from ananas.solver.exam import alone
from ananas.solver.nets import nets
from ananas.solver.placements import GLANCE, Effort
from bench.results import write_section

FULL: Final = LEVELS["ananas"].effort
PARTS: Final = {
    "one look ahead, street 4 and 5 counted": GLANCE,
    "street 3 played on": Effort(rolled=(0, 0, FULL.rolled[2]), samples=(0, 0, FULL.samples[2]), others=0),
    "street 2 played on": Effort(rolled=(0, *FULL.rolled[1:]), samples=(0, *FULL.samples[1:]), others=0),
    "street 1 played on": FULL,
}
"""One after the other; each has all that those before it have."""


class Part(NamedTuple):
    """What a way of thinking comes to, hand by hand, and its processor time."""

    what: str
    values: list[int]
    tally: Tally


def chunk(what: str, first: int, deals: int) -> Tally:
    """Play some deals by one way of thinking."""
    LEVELS[what] = Level(effort=PARTS[what])
    if what not in BOTS:
        assert isinstance(BOTS, dict)
        BOTS[what] = lambda rules: LevelBot(what, rules)
    (tally,) = play(Arena(bots=(what,), rules=ROOM, seed=1), first, deals)
    return tally


def measured(what: str, hands: int, processes: int) -> Part:
    """Play all deals by one way of thinking, in the order of the deals."""
    whole = Tally()
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(chunk, what, first, min(CHUNK, hands - first)) for first in range(0, hands, CHUNK)]
        for job in jobs:
            whole.add(job.result())
    return Part(what, whole.points, whole)


def main() -> None:
    """Measure every part and write the section."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hands", type=int, default=20_000)
    options.add_argument("--processes", type=int, default=2)
    asked = options.parse_args()
    glance = alone(nets(), hands=200_000)
    rows = [
        (
            "| the nets' word alone, on every street (200,000 hands) | "
            f"{glance.value:.2f} +- {glance.error:.2f} | | {glance.foul:.1%} | {glance.entry:.1%} | {glance.royalties:.2f} | |"
        )
    ]
    before: list[int] | None = None
    for what in PARTS:
        part = measured(what, asked.hands, asked.processes)
        found = part.tally.result(what)
        gain = ""
        if before is not None:
            apart = np.array(part.values) - np.array(before)
            gain = f"{apart.mean():+.2f} +- {apart.std(ddof=1) / len(apart) ** 0.5:.2f}"
        rows.append(
            f"| {what} | {found.points:.2f} +- {found.error or 0:.2f} | {gain} | {found.fouls:.1%} | {found.entries:.1%} "
            f"| {found.royalties:.2f} | {1000 * part.tally.seconds / part.tally.hands:.1f} |"
        )
        before = part.values
        print(rows[-1], flush=True)
    write_section(
        "\n".join(
            [
                "## What each part of the thinking brings",
                "",
                (
                    f"`.venv/bin/python -m bench.parts --hands {asked.hands}`: a bot alone, {asked.hands:,} hands of the same "
                    "decks in each row; value = royalties - 6 x dead + 10 x entry; +- is one standard error, of the gain that of "
                    "the difference hand by hand."
                ),
                "",
                "| | value a hand | gain | dead | entries | royalties | ms a hand |",
                "|---|---|---|---|---|---|---|",
                *rows,
                "",
            ]
        )
    )


if __name__ == "__main__":
    main()
