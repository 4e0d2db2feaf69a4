"""What full boards are worth to the plain core, many of them at once, and the exact mean of a board with two places free.

The order in which numbers are added is the native core's, so that the two agree to the last bit wherever they can. What
belongs here: the worth of strengths. What does not: the rules it comes from (worth.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ananas.game.strength import STRENGTHS
from ananas.solver.plain.cards import OTHERS, Readable, Rows, read, strengths_of

Floats = NDArray[np.float32]

PARTS: Final = 7
"""Royalties, foul, entry by queens, kings, aces and trips, lines."""

ENTRIES: Final = 4
HEAD: Final = 16
MOST_UNSEEN: Final = 48


class Other(NamedTuple):
    """An opponent: how often his board is dead, and how often his rows lose and win against each strength."""

    foul: np.float32
    win: Floats
    lose: Floats


class Worth(NamedTuple):
    """What a full board is worth; see worth.py for how it is put together.

    `fantasyland`: nothing, then the worth of each of the four entries. `royalty`: by row and strength. `entry`: by the
    strength on top, 0 or which of the four.
    """

    foul_points: np.float32
    strict: bool
    line_winner: bool
    two_four: bool
    fantasyland: Floats
    royalty: Floats
    entry: Floats
    others: tuple[Other, ...]


class Values(NamedTuple):
    """Points of some boards, and the parts they are made of: `PARTS` for each."""

    points: Floats
    parts: Floats


def read_worth(given: Readable) -> Worth:
    """Read a worth: a head, royalties, the entry that each top is, and each opponent's chances."""
    numbers: Floats = read(given, np.float32, HEAD, "worth")
    others = float(numbers[4])
    tables = numbers[HEAD : HEAD + (4 + 6 * OTHERS) * STRENGTHS]
    tables = tables[: len(tables) // STRENGTHS * STRENGTHS].reshape(-1, STRENGTHS)
    if not 0 <= others <= OTHERS or len(tables) < 4 + 6 * int(others):
        raise ValueError("a worth has a head and tables for each row and opponent")
    return Worth(
        foul_points=numbers[0],
        strict=bool(numbers[1] != 0),
        line_winner=bool(numbers[2] != 0),
        two_four=bool(numbers[3] != 0),
        fantasyland=np.concatenate([np.zeros(1, np.float32), numbers[8 : 8 + ENTRIES]]),
        royalty=tables[:3],
        entry=tables[3],
        others=tuple(
            Other(numbers[5 + one], tables[4 + 6 * one : 7 + 6 * one], tables[7 + 6 * one : 10 + 6 * one])
            for one in range(int(others))
        ),
    )


def known(made: Sequence[int], *, dead: bool) -> Other:
    """An opponent whose full board is known."""
    win, lose = np.zeros((2, 3, STRENGTHS), np.float32)
    for row, strength in enumerate(made):
        win[row, strength + 1 :] = 1
        lose[row, :strength] = 1
    return Other(np.float32(dead), win, lose)


def in_order(worth: Worth, top: Any, middle: Any, bottom: Any) -> Any:  # noqa: ANN401
    """Whether a board is not dead; for numbers or for arrays of them."""
    if worth.strict:
        return (top < middle) & (middle < bottom)
    return (top <= middle) & (middle <= bottom)


def values_of(worth: Worth, top: NDArray[Any], middle: NDArray[Any], bottom: NDArray[Any]) -> Values:
    """What full boards are worth by the strengths of their rows."""
    made = (top, middle, bottom)
    dead = ~in_order(worth, top, middle, bottom)
    earned = [np.where(dead, np.float32(0), worth.royalty[row][made[row]]) for row in range(3)]
    royalties = earned[0] + earned[1] + earned[2]
    lines = kept = np.zeros(len(top), np.float32)
    share = np.float32(1) / np.float32(max(1, len(worth.others)))
    for other in worth.others:
        alive = 1 - other.foul
        won = [other.win[row][made[row]] for row in range(3)]
        lost = [other.lose[row][made[row]] for row in range(3)]
        if_dead = share * worth.foul_points * other.foul  # both dead: nothing is paid
        points = share * (worth.foul_points * other.foul + alive * _lines(worth, won, lost))
        lines = lines + np.where(dead, if_dead, points)
        for row in range(3):
            kept = kept + share * earned[row] * (other.foul + alive * won[row])
    if worth.others and worth.line_winner:
        royalties = kept
    told = worth.entry[top]  # whatever it says, no other than the four can be reached
    entry = np.where(dead | ~((told >= 1) & (told <= ENTRIES)), 0, told).astype(np.int64)
    parts = np.zeros((len(top), PARTS), np.float32)
    parts[:, 0] = royalties
    parts[:, 1] = dead
    for one in range(1, ENTRIES + 1):
        parts[:, 1 + one] = entry == one
    parts[:, 6] = lines
    price = np.where(dead, worth.foul_points, np.float32(0))
    return Values(royalties + lines + worth.fantasyland[entry] - price, parts)


def _lines(worth: Worth, won: list[Floats], lost: list[Floats]) -> Floats:
    """Lines and scoop against an opponent whose board is not dead: rows are taken to be independent."""
    total = (won[0] - lost[0]) + (won[1] - lost[1]) + (won[2] - lost[2])
    every, none = won[0] * won[1] * won[2], lost[0] * lost[1] * lost[2]
    if not worth.two_four:
        return cast("Floats", total + 3 * (every - none))
    two = won[0] * won[1] + won[0] * won[2] + won[1] * won[2] - 2 * every
    lost_two = lost[0] * lost[1] + lost[0] * lost[2] + lost[1] * lost[2] - 2 * none
    return cast("Floats", total + two - lost_two)


def mean_of_draws(worth: Worth, rows: Rows, cards: Sequence[int]) -> Values:
    """The exact worth of eleven cards laid: the mean over every three to come of the best that two of them make.

    Two of the cards are a pair here, whatever their ranks. Every pair is laid in its best way first; then each three of
    the cards is worth the best of its three pairs. Gives one value.
    """
    first, second = (row for row, free in enumerate(rows.free) for _ in range(free))
    one, two = _pairs(len(cards))
    to_come = np.array(cards, np.uint8)
    made = [np.zeros(len(one), np.int16) if free else np.full(len(one), strengths_of(np.array(row, np.uint8)))
            for row, free in zip(rows, rows.free, strict=True)]  # fmt: skip
    if first == second:
        made[first] = strengths_of(_with(rows[first], to_come[one], to_come[two]))
        best = values_of(worth, *made)
    else:
        in_first = strengths_of(_with(rows[first], to_come))
        in_second = strengths_of(_with(rows[second], to_come))
        made[first], made[second] = in_first[one], in_second[two]
        so = values_of(worth, *made)
        made[first], made[second] = in_first[two], in_second[one]
        turned = values_of(worth, *made)
        better = turned.points > so.points
        best = Values(np.where(better, turned.points, so.points), np.where(better[:, None], turned.parts, so.parts))
    chosen, *rest = _threes(len(cards))
    most = best.points[chosen]
    for pair in rest:
        points = best.points[pair]
        better = points > most
        chosen = np.where(better, pair, chosen)
        most = np.where(better, points, most)
    often = np.bincount(chosen, minlength=len(one))
    parts = often @ best.parts.astype(np.float64) / len(chosen)
    return Values(np.array([most.mean(dtype=np.float64)], np.float32), parts.astype(np.float32)[None])


def _with(row: Sequence[int], *added: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A row with cards added in many ways: a row of cards for each."""
    count = len(added[0])
    return np.stack([*(np.full(count, card, np.uint8) for card in row), *added], axis=1)


@lru_cache(maxsize=64)
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the first and of the second card of every pair."""
    return np.triu_indices(count, 1)


@lru_cache(maxsize=64)
def _threes(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """For every three cards the numbers of its three pairs."""
    number = np.zeros((count, count), np.intp)
    one, two = _pairs(count)
    number[one, two] = np.arange(len(one))
    i, j, k = np.nonzero(np.tri(count, k=-1).T[:, :, None] * np.tri(count, k=-1).T[None])
    return number[i, j], number[i, k], number[j, k]
