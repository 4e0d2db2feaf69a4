"""What each part of the strongest bot's thinking brings.

    .venv/bin/python -m bench.parts --hands 20000 --decisions 150     # writes its sections of bench/results.md

First whole hands: one more part in each row, over the same decks. A bot plays alone: royalties - 6 x dead + 10 x entry.
`gain`: over the row before, hand by hand. Then single decisions, since a hand's luck hides what is small: what is chosen,
beside the nets' first choice, by what both come to when they are played on thousands of times over other cards.
"""

from __future__ import annotations

import argparse
import importlib
import math
import multiprocessing
import time
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ananas.bots.arena import CHUNK, Arena, Tally, play
from ananas.bots.levels import LEVELS, Level, LevelBot
from ananas.bots.named import BOTS
from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK
from ananas.game.rules import ROOM
from ananas.solver import core
from ananas.solver.exam import alone
from ananas.solver.nets import ahead, nets
from ananas.solver.placements import GLANCE, Effort, Knowledge, think
from ananas.solver.worth import worth
from bench.results import write_section

FULL: Final = LEVELS["ananas"].effort
PARTS: Final = {
    "one look ahead, streets 4 and 5 counted": GLANCE,
    "streets 1 to 3 played on": FULL,
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


# -- single decisions

CANDIDATES: Final = 14
"""The nets' best so many are played on; what is chosen beyond them counts as the last of them."""
TIMES: Final = 8_000
CHANCE: Final = np.random.Generator(np.random.PCG64(7))
WAYS: Final = {
    "by the next net's word": (0.0, FULL),
    "by the ends": (1e6, FULL),
    "by both, the worse half dropping out": (None, FULL),
    "by both, twelve times as long": (
        None,
        Effort(
            rolled=(CANDIDATES, CANDIDATES, CANDIDATES),
            samples=(12 * FULL.samples[0], 12 * FULL.samples[1], 12 * FULL.samples[2]),
            others=0,
            first=12 * FULL.first,
            chances=False,
        ),
    ),
}
"""How far the next net's word is taken to be off (None: as far as it is), and what is spent."""


class Decision(NamedTuple):
    """What a seat knows, the nets' best placements as `str`, and what each comes to when it is played on."""

    knowledge: Knowledge
    placements: list[str]
    points: list[float]


def decision(street: int, number: int) -> Decision:
    """A decision of a street, counted from 0, of a hand that a bot plays alone by a glance."""
    order: list[int] = CHANCE.permutation(52).tolist()
    deck = [DECK[card] for card in order]
    knowledge = Knowledge(board=Board(), dealt=tuple(deck[:5]), lays=ROOM.place[0])
    for now in range(1, street + 1):
        laid = think(knowledge, ROOM, GLANCE, math.inf)[0].placement
        dealt = tuple(deck[2 + 3 * now : 5 + 3 * now])
        discards = knowledge.discards + laid.discards
        knowledge = Knowledge(board=knowledge.board.place(laid), dealt=dealt, lays=ROOM.place[now], discards=discards)
    best = [one.placement for one in think(knowledge, ROOM, GLANCE, math.inf)[:CANDIDATES]]
    chosen = b"".join(
        bytes(sum(1 << bit for bit, card in enumerate(knowledge.hand) if card in one.row(row)) for row in ROWS)
        for one in best
    )
    values, none = np.zeros((len(best), TIMES, 2), np.float32), np.zeros(0, np.float32)
    core.rollouts(knowledge.where, worth(ROOM), nets(), b"", chosen, number, 1 << 24, TIMES, 1, values, none)
    return Decision(knowledge, [str(one) for one in best], values[:, :, 1].mean(axis=1).tolist())


def _always(points: float, _street: int) -> float:
    return points


@contextmanager
def off_by(points: float | None) -> Generator[None]:
    """Take the next net's word to be so far off."""
    thinking: Any = importlib.import_module("ananas.solver.placements")
    if points is not None:
        thinking.ahead = partial(_always, points)
    try:
        yield
    finally:
        thinking.ahead = ahead


def decided(street: int, count: int) -> list[str]:
    """The rows of a street: what each way of choosing gains over the nets' first choice, and its milliseconds."""
    asked = [decision(street, number) for number in range(count)]
    rows = list[str]()
    for way, (off, effort) in WAYS.items():
        gains, begun = list[float](), time.process_time()
        with off_by(off):
            chosen = [str(think(each.knowledge, ROOM, effort, math.inf)[0].placement) for each in asked]
        spent = 1000 * (time.process_time() - begun) / count
        for each, one in zip(asked, chosen, strict=True):
            place = each.placements.index(one) if one in each.placements else len(each.placements) - 1
            gains.append(each.points[place] - each.points[0])
        error = np.std(gains, ddof=1) / count**0.5
        rows.append(f"| {street + 1} | {way} | {np.mean(gains):+.3f} +- {error:.3f} | {spent:.0f} |")
        print(rows[-1], flush=True)
    return rows


def decisions(count: int) -> str:
    """The section of single decisions."""
    rows = [row for street in range(3) for row in decided(street, count)]
    return "\n".join(
        [
            "## What the search brings, decision by decision",
            "",
            (
                f"`.venv/bin/python -m bench.parts --hands 0 --decisions {count}`: {count} decisions of each street, a bot "
                f"alone by the room's rules; points gained over the nets' first choice, when both are played on {TIMES:,} "
                "times over other cards; +- is one standard error. Milliseconds are processor time."
            ),
            "",
            "| street | placements are compared | gain | ms |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Measure every part and write the sections."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hands", type=int, default=20_000)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--decisions", type=int, default=150, help="of each street; 0 for none")
    asked = options.parse_args()
    if asked.decisions:
        write_section(decisions(asked.decisions))
    if not asked.hands:
        return
    glance = alone(nets(), hands=200_000)
    rows = [
        (
            "| the nets' word alone, the last street counted (200,000 hands of their own) | "
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
                    f"`.venv/bin/python -m bench.parts --hands {asked.hands} --decisions 0`: a bot alone, {asked.hands:,} hands of the same "
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
