"""How good nets are: how far off their word is, and what they win when they play by one look ahead.

Both are told in the card of the shipped nets (`nets.json`), which `ananas train` writes round by round.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.game.rules import ROOM
from ananas.game.strength import STRENGTHS
from ananas.solver import core
from ananas.solver.fantasyland import wishes
from ananas.solver.worth import HEAD, Lines, row_worths, usual_lines, worth

_COMPARED: Final = 4
ENTRY: Final = 10.0
"""What a right to Fantasyland counts where nets play alone, as in `ananas arena --alone`."""


class Alone(NamedTuple):
    """What a hand comes to where nobody else plays: royalties - 6 x dead + 10 x entry, and its standard error."""

    value: float
    error: float
    royalties: float
    foul: float
    entry: float


def spread_of(
    weights: NDArray[np.float32], *, decisions: int = 60, samples: int = 400, seed: int = 5
) -> tuple[float, float, float, float]:
    """How far off the word of each street's net is between placements of one decision, in points, as one standard deviation.

    The nets play on; at each decision their best four are played on over the same cards so many times (on street 4 they
    are counted), and what the nets said of them is held against that. What all four have in common is left out, since
    only the distance between placements decides.
    """
    usual, drawn = worth(ROOM, [usual_lines()]), np.random.Generator(np.random.PCG64(seed))
    apart: list[list[float]] = [[], [], [], []]
    for number in range(decisions):
        deck, where, at = drawn.permutation(52), np.zeros(52, np.uint8), 0
        for street in range(4):
            dealt = np.sort(deck[at : at + ROOM.deal[street]])
            at += ROOM.deal[street]
            where[dealt] = 5
            choices = core.choices(where.tobytes(), ROOM.place[street])
            told = np.zeros((len(choices) // 3, 1 + core.PARTS), np.float32)
            core.judge(where.tobytes(), usual, weights, b"\0", choices, told)
            best = np.argsort(-told[:, 0], kind="stable")[:_COMPARED]
            tried = b"".join(choices[3 * one : 3 * one + 3] for one in best)
            if street < 3:
                played = np.zeros((len(best), samples), np.float32)
                parts = np.zeros((len(best), core.PARTS), np.float32)
                core.rollouts(where.tobytes(), usual, weights, b"\0", tried, number, 0, samples, 1, played, parts)
                found = played.mean(axis=1)
            else:
                counted = np.zeros((len(best), 1 + core.PARTS), np.float32)
                core.exact(where.tobytes(), usual, tried, counted)
                found = counted[:, 0]
            off = told[best, 0] - found
            apart[street] += (off - off.mean()).tolist()
            where[dealt] = 4
            for row in range(3):
                for bit, card in enumerate(dealt):
                    if tried[row] >> bit & 1:
                        where[card] = row + 1
    # Four deviations from their own mean are a little too small.
    first, second, third, fourth = (
        round(float(np.std(each)) * (_COMPARED / (_COMPARED - 1)) ** 0.5, 2) for each in apart
    )
    return first, second, third, fourth


def alone(weights: NDArray[np.float32], *, hands: int = 20_000, seed: int = 1) -> Alone:
    """Let nets play so many hands by one look ahead where nobody else plays."""
    nothing = Lines(np.zeros((3, STRENGTHS), np.float32), np.zeros((3, STRENGTHS), np.float32), 0.0)
    priced = worth(ROOM, [nothing], fantasyland=(ENTRY,) * 4)
    made = np.zeros((hands, 1, 3), np.int16)
    core.complete(bytes(52), priced, weights, b"\0", seed, hands, made, wishes(ROOM, row_worths(ROOM), ENTRY).told)
    rows = made[:, 0].astype(int)
    tables = worth(ROOM)[HEAD:].reshape(4, STRENGTHS)
    alive = (rows[:, 0] <= rows[:, 1]) & (rows[:, 1] <= rows[:, 2])
    royalties = sum(tables[row][rows[:, row]] for row in range(3)) * alive
    enters = (tables[3][rows[:, 0]] > 0) & alive
    values = royalties - ROOM.foul_points * ~alive + ENTRY * enters
    return Alone(
        value=float(values.mean()),
        error=float(values.std(ddof=1) / hands**0.5),
        royalties=float(royalties.mean()),
        foul=float(1 - alive.mean()),
        entry=float(enters.mean()),
    )
