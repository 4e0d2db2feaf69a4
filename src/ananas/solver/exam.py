"""How good nets are: how far off their word is, and what they win when they play by one look ahead.

Both are told in the card of the shipped nets (`nets.json`), which `ananas train` writes round by round.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.game.rules import ROOM
from ananas.solver import core
from ananas.solver.worth import usual_lines, worth

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


class Spread(NamedTuple):
    """How far off nets are between placements of one decision, in points, as `Card` has it."""

    spread: tuple[float, ...]
    ahead: tuple[float, ...]


def spread_of(weights: NDArray[np.float32], *, decisions: int, samples: int = 4000, seed: int = 5) -> Spread:
    """How far off the word of each street's net is between placements of one decision, as one standard deviation.

    The nets play on; at each decision their best four are played on over the same cards so many times (on street 4 they
    are counted), and what the nets said of them, and of the boards that then came, is held against that. What all four
    have in common is left out, since only the distance between placements decides; so is what is left of the chance in
    the cards.
    """
    usual, drawn = worth(ROOM, [usual_lines()]), np.random.Generator(np.random.PCG64(seed))
    off = np.zeros((4, decisions))
    ahead = np.zeros((3, decisions))
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
            word = told[best, :1].astype(np.float64)
            if street < 3:
                played, none = np.zeros((len(best), samples, 2), np.float32), np.zeros(0, np.float32)
                core.rollouts(where.tobytes(), usual, weights, b"\0", tried, number, 0, samples, 1, played, none)
                off[street, number] = _apart(word - played[:, :, 1])
                ahead[street, number] = _apart(played[:, :, 0].astype(np.float64) - played[:, :, 1])
            else:
                counted = np.zeros((len(best), 1 + core.PARTS), np.float32)
                core.exact(where.tobytes(), usual, tried, counted)
                off[street, number] = _apart(word - counted[:, :1])
            _lay(where, dealt, tried)
    return Spread(_root(off), _root(ahead))


def _apart(off: NDArray[np.float64]) -> float:
    """The variance between placements of their means, without what chance in so many samples adds: placements x samples."""
    off = off - off.mean(axis=0)
    placements, samples = off.shape
    if placements < 2:
        return 0.0
    chance = off.var(axis=1, ddof=1) / samples if samples > 1 else np.zeros(placements)
    return float(((off.mean(axis=1) ** 2) - chance).sum() / (placements - 1))


def _root(variances: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(round(float(np.sqrt(max(0.0, each))), 2) for each in variances.mean(axis=1))


def alone(weights: NDArray[np.float32], *, hands: int = 20_000, seed: int = 1) -> Alone:
    """Let nets play so many hands by their word alone where nobody else plays; only the last street is counted."""
    priced, drawn = worth(ROOM, fantasyland=(ENTRY,) * 4), np.random.Generator(np.random.PCG64(seed))
    ends = np.zeros((hands, 1 + core.PARTS), np.float32)
    for hand in range(hands):
        deck, where, at = drawn.permutation(52), np.zeros(52, np.uint8), 0
        for dealt_now, lays in zip(ROOM.deal, ROOM.place, strict=True):
            dealt = np.sort(deck[at : at + dealt_now])
            at += dealt_now
            where[dealt] = 5
            choices = core.choices(where.tobytes(), lays)
            told = np.zeros((len(choices) // 3, 1 + core.PARTS), np.float32)
            if at == sum(ROOM.deal):
                core.exact(where.tobytes(), priced, choices, told)
            else:
                core.judge(where.tobytes(), priced, weights, b"", choices, told)
            best = int(told[:, 0].argmax())
            _lay(where, dealt, choices[3 * best : 3 * best + 3])
            ends[hand] = told[best]
    values, royalties, foul = ends[:, 0].astype(np.float64), ends[:, 1], ends[:, 2]
    return Alone(
        value=float(values.mean()),
        error=float(values.std(ddof=1) / hands**0.5),
        royalties=float(royalties.mean(dtype=np.float64)),
        foul=float(foul.mean(dtype=np.float64)),
        entry=float(ends[:, 3:7].sum(axis=1).mean(dtype=np.float64)),
    )


def _lay(where: NDArray[np.uint8], dealt: NDArray[np.intp], choice: bytes) -> None:
    """Lay what was dealt as a choice says; what it does not lay is thrown away."""
    where[dealt] = 4
    for row in range(3):
        for bit, card in enumerate(dealt):
            if choice[row] >> bit & 1:
                where[card] = row + 1
