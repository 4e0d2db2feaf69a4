"""Fantasyland, exactly, in plain Python: the same search in the same order as native/fantasyland.h.

Bottoms are tried from the strongest down, under each the middles that share no card with it, and over these the strongest
top. As no row's worth falls with its strength, the search ends where nothing below can be worth more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.game.strength import STRENGTHS
from ananas.solver.plain.cards import Readable, read, strength_of, strengths_of
from ananas.solver.plain.worth import Floats

_TAKEN_BITS: Final = 17
_TAKEN: Final = (1 << _TAKEN_BITS) - 1


class Wishes(NamedTuple):
    """What a layout is to have.

    `worth`: of each row by strength, none falls. `stays`: conditions of staying as bits: trips on top, a full house or
    quads in the middle, quads at the bottom; `stay` is what that is worth, counted where it is above 0. `least_trips`,
    `least_full_house`, `least_quads`: the weakest strengths that meet the conditions.
    """

    worth: Floats
    strict: bool
    stays: int
    stay: np.float32
    least_trips: int
    least_full_house: int
    least_quads: int


class Layout(NamedTuple):
    """The best layout: its value, and the places of the cards of each row as bits."""

    value: np.float32
    taken: tuple[int, int, int]


def read_wishes(
    worths: Readable, strict: int, stays: int, stay: float, least_trips: int, least_full_house: int, least_quads: int
) -> Wishes:
    """Read what a layout is to have."""
    rows: Floats = read(worths, np.float32, 3 * STRENGTHS, "worths")[: 3 * STRENGTHS].reshape(3, STRENGTHS)
    return Wishes(rows, bool(strict), stays, np.float32(stay), least_trips, least_full_house, least_quads)


class Search:
    """All threes and fives of some cards by falling strength, and the best layout found by now."""

    def __init__(self, wishes: Wishes, cards: Sequence[int]) -> None:
        self._wishes: Final = wishes
        self._cards: Final = cards
        self._threes: Final = _falling(cards, 3)
        self._fives: Final = _falling(cards, 5)
        self.best: Layout | None = None

    def look(self, least: tuple[int, int, int], bonus: np.float32) -> None:
        """Look for a better board whose rows are at least so strong, where each is worth `bonus` more than its rows."""
        tops: list[int] = (self._threes >> _TAKEN_BITS).tolist()
        first = 0  # the strongest top that may lie above this bottom: it only falls with the bottom
        for place, bottom in enumerate(self._fives.tolist()):
            made = bottom >> _TAKEN_BITS
            while first < len(tops) and tops[first] > made:
                first += 1
            if made < max(least) or first == len(tops) or tops[first] < least[0]:
                return
            below = self._wishes.worth[2][made] + bonus
            most_top = self._wishes.worth[0][tops[first]]
            if self._no_better(below + self._wishes.worth[1][made] + most_top):
                return
            self._look_above(place, first, least, below)

    def _look_above(self, place: int, first: int, least: tuple[int, int, int], below: np.float32) -> None:
        """Look for middles and tops above one bottom, which is worth `below`."""
        bottom, strict = int(self._fives[place]), self._wishes.strict
        made_bottom = bottom >> _TAKEN_BITS
        while place and int(self._fives[place - 1]) >> _TAKEN_BITS == made_bottom:
            place -= 1
        over = _apart(self._threes[first:], bottom)
        if not len(over):
            return
        middles = _apart(self._fives[place:], bottom)
        if self.best is not None:
            most = below + self._wishes.worth[1][middles >> _TAKEN_BITS] + self._wishes.worth[0][over[0] >> _TAKEN_BITS]
            middles = middles[most > self.best.value]
        threes: list[int] = over.tolist() if len(middles) else []
        tops = [three >> _TAKEN_BITS for three in threes]
        high = 0  # the strongest top that shares no card with the bottom and may lie on this middle
        for middle in middles.tolist():
            made = middle >> _TAKEN_BITS
            if strict and made == made_bottom:
                continue
            while high < len(tops) and tops[high] > made - strict:
                high += 1
            if made < max(least[:2]) or high == len(tops) or tops[high] < least[0]:
                return
            so_far = below + self._wishes.worth[1][made]
            if self._no_better(so_far + self._wishes.worth[0][tops[high]]):
                return
            apart = next((three for three in threes[high:] if not three & middle & _TAKEN), None)
            if apart is None or self._no_better(so_far + self._wishes.worth[0][apart >> _TAKEN_BITS]):
                continue
            top = self._top((bottom | middle) & _TAKEN, made - strict)
            if top < 0 or top >> _TAKEN_BITS < least[0]:
                continue
            value = so_far + self._wishes.worth[0][top >> _TAKEN_BITS]
            if not self._no_better(value):
                self.best = Layout(value, (top & _TAKEN, middle & _TAKEN, bottom & _TAKEN))

    @property
    def strongest(self) -> int:
        """The strength of the strongest five."""
        return int(self._fives[0]) >> _TAKEN_BITS

    def _no_better(self, value: np.float32) -> bool:
        return self.best is not None and bool(value <= self.best.value)

    def _top(self, used: int, most: int) -> int:
        """The strongest three of the cards not used that is at most so strong, or -1."""
        left = [(place, card) for place, card in enumerate(self._cards) if not used >> place & 1]
        best, found = -1, -1
        for three in combinations(left, 3):
            strength = strength_of([card for _, card in three])
            if best < strength <= most:
                best = strength
                found = strength << _TAKEN_BITS | sum([1 << place for place, _ in three])
        return found


def lay_fantasyland(wishes: Wishes, cards: Sequence[int]) -> Layout | None:
    """Lay thirteen of the cards as the most valuable board in order; None where there is no such board."""
    search = Search(wishes, cards)
    search.look((0, 0, 0), np.float32(0))
    needs = (
        (wishes.least_trips, 0, 0),
        (0, wishes.least_full_house, 0),
        (0, wishes.least_quads, 0),
        (0, 0, wishes.least_quads),
    )
    for condition, least in enumerate(needs):
        if wishes.stay > 0 and wishes.stays >> condition & 1 and max(least[1:]) <= search.strongest:
            search.look(least, wishes.stay)
    return search.best


def _apart(made: NDArray[np.int64], other: int) -> NDArray[np.int64]:
    """Those that share no card with another."""
    apart: NDArray[np.int64] = made[made & (other & _TAKEN) == 0]
    return apart


def _falling(cards: Sequence[int], size: int) -> NDArray[np.int64]:
    """Every so many of the cards, strength above and places taken below, by falling strength."""
    places, taken = _subsets(len(cards), size)
    strengths = strengths_of(np.array(cards, np.uint8)[places]).astype(np.int64)
    return np.sort(strengths << _TAKEN_BITS | taken)[::-1]


@lru_cache(maxsize=16)
def _subsets(count: int, size: int) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """The places of every so many of the cards, and the same as bits."""
    places = np.array(list(combinations(range(count), size)), np.intp)
    return places, (1 << places.astype(np.int64)).sum(axis=1)
