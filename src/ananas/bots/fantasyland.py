"""Fantasyland at its best: thirteen to seventeen cards known at once, and the board that is worth most of them.

What each row is worth is given; here it is only searched: what every three and every five of the cards make is looked
up once, the bottoms with the most to hope for come first, and a bottom or middle that cannot lead to more than what
has been found is passed over. What belongs here: the search. What does not: what a row is worth.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, islice
from typing import Final

from ananas.game.board import Placement, Row
from ananas.game.cards import Card, parse_cards
from ananas.game.rules import RuleSet
from ananas.game.strength import strength

Worths = list[float]
"""What a row is worth by its strength."""

STAYS: Final = {
    "top-trips": (Row.TOP, strength(parse_cards("2s2h2d"))),
    "middle-full-house": (Row.MIDDLE, strength(parse_cards("2s2h2d3s3h"))),
    "middle-quads": (Row.MIDDLE, strength(parse_cards("2s2h2d2c3s"))),
    "bottom-quads": (Row.BOTTOM, strength(parse_cards("2s2h2d2c3s"))),
}
"""The weakest row that meets each condition of staying."""

_Made = tuple[int, int]
"""What some of the cards make: the strength of a row, and which cards it takes, as bits."""


def lay(cards: Sequence[Card], worths: Sequence[Worths], rules: RuleSet, stay: float, deadline: float) -> Placement:
    """Lay thirteen of the cards as a board in order, the most valuable one, and throw the others away.

    >>> flat = [0.0] * 8000
    >>> cards = parse_cards("2s2h2d2c3s 3h3d4c5h 7s8s9sTs")
    >>> str(lay(cards, (flat, flat, flat), RuleSet(), stay=10.0, deadline=float("inf")))
    '2h2d2c/3s3h3d4c5h/2s7s8s9sTs'

    `worths`: of the top, the middle and the bottom. `stay`: what it is worth besides to stay in Fantasyland. At the
    deadline, a moment of `time.monotonic`, the best so far is laid.
    """
    threes, fives = _made(cards, 3), _made(cards, 5)
    search = _Search(worths, strict=rules.equality == "strict", deadline=deadline)
    for condition in rules.fantasyland_stay if stay > 0 else ():
        row, least = STAYS[condition]
        every = {Row.TOP: threes, Row.MIDDLE: fives, Row.BOTTOM: fives}
        every[row] = [made for made in every[row] if made[0] >= least]
        search.go(every[Row.TOP], every[Row.MIDDLE], every[Row.BOTTOM], stay)
    search.go(threes, fives, fives, 0.0)
    if search.found is None:
        raise ValueError("no board of these cards is in order")
    top, middle, bottom = (_taken(cards, taken) for taken in search.found)
    return Placement(top, middle, bottom, _taken(cards, ~sum(search.found)))


def _made(cards: Sequence[Card], size: int) -> list[_Made]:
    """What every so many of the cards make, the strongest first."""
    made = [
        (strength([cards[place] for place in places]), sum(1 << place for place in places))
        for places in combinations(range(len(cards)), size)
    ]
    made.sort(key=lambda one: (-one[0], one[1]))
    return made


def _taken(cards: Sequence[Card], taken: int) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(cards) if taken >> place & 1)


class _Search:
    """The best board found so far, and the way to a better one."""

    def __init__(self, worths: Sequence[Worths], *, strict: bool, deadline: float) -> None:
        self.found: tuple[int, int, int] | None = None
        self._best = float("-inf")
        self._worths: Final = worths
        # What a row of this strength or a weaker one is worth at most: a table of one's own may pay weaker rows more.
        self._most: Final = [list(accumulate(worth, max)) for worth in worths]
        self._strict: Final = strict
        self._deadline: Final = deadline

    def go(self, tops: list[_Made], middles: list[_Made], bottoms: list[_Made], bonus: float) -> None:
        """Look for a better board among these rows, where each board is worth so much more than its rows."""
        worth_bottom = self._worths[2]
        hopes = [
            (worth_bottom[made] + above + bonus, made, taken, middle, most_top)
            for made, taken, middle, above, most_top in self._hopes(tops, middles, bottoms)
        ]
        hopes.sort(reverse=True)
        for hope, low, taken_low, first, most_top in hopes:
            if hope <= self._best or (self.found is not None and time.monotonic() > self._deadline):
                return
            free = [top for top in tops if not top[1] & taken_low]
            rest = (middle for middle in islice(middles, first, None) if not middle[1] & taken_low)
            self._above(taken_low, rest, free, worth=worth_bottom[low] + bonus, most_top=most_top)

    def _hopes(
        self, tops: list[_Made], middles: list[_Made], bottoms: list[_Made]
    ) -> Iterator[tuple[int, int, int, float, float]]:
        """Each bottom, the first middle that may lie on it, and what middle and top are worth together at the most."""
        _, most_middle, _ = self._most
        most_top = self._most[0]
        start = 0
        for made, taken in bottoms:
            limit = made - 1 if self._strict else made
            while start < len(middles) and middles[start][0] > limit:
                start += 1
            first = next((place for place in range(start, len(middles)) if not middles[place][1] & taken), None)
            if first is None:
                continue
            middle = middles[first][0]
            top = next((top for top, other in tops if top <= middle and not other & taken), None)
            if top is not None:
                yield made, taken, first, most_middle[middle] + most_top[top], most_top[top]

    def _above(
        self, taken_low: int, middles: Iterable[_Made], tops: list[_Made], *, worth: float, most_top: float
    ) -> None:
        """Look for the best middle and top on one bottom, of those that share no card with it."""
        worth_top, worth_middle, _ = self._worths
        tops_most, middles_most, _ = self._most
        for mid, taken_mid in middles:
            if worth + middles_most[mid] + most_top <= self._best:
                return
            so_far = worth + worth_middle[mid]
            if so_far + most_top <= self._best:
                continue
            limit = mid - 1 if self._strict else mid
            for high, taken_high in tops:
                if so_far + tops_most[high] <= self._best:
                    break
                if high <= limit and not taken_high & taken_mid and so_far + worth_top[high] > self._best:
                    self._best = so_far + worth_top[high]
                    self.found = taken_high, taken_mid, taken_low
