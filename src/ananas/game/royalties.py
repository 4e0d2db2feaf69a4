"""Royalties: the points a strong row is worth by itself, as tables in plain sight."""

from __future__ import annotations

from typing import Final

import msgspec

from ananas.game.board import Row
from ananas.game.cards import Rank
from ananas.game.strength import Category, category_of, ranks_of
from ananas.refused import Refused

_MIDDLE_AND_BOTTOM: Final = (
    Category.TRIPS,
    Category.STRAIGHT,
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.QUADS,
    Category.STRAIGHT_FLUSH,
)
_LENGTHS: Final = (13, 13, 7, 7)
MOST_POINTS: Final = 1000
"""The most that a row can earn by a table of one's own."""


class RoyaltyTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What rows earn. `pairs` and `trips`: on top, by rank from twos to aces.

    `middle` and `bottom`: trips, straight, flush, full house, quads, straight flush, royal.

    >>> str(VEGAS_2013), RoyaltyTable.parse("american").bottom
    ('vegas-2013', (0, 2, 4, 6, 10, 15, 25))

    As text a table is its name or, where it has none, its four lists:

    >>> own = msgspec.structs.replace(AMERICAN, bottom=(0, 0, 0, 6, 10, 15, 25))
    >>> str(own)
    '0,0,0,0,1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,17,18,19,20,21,22/2,4,8,12,20,30,50/0,0,0,6,10,15,25'
    >>> RoyaltyTable.parse(str(own)) == own
    True
    """

    pairs: tuple[int, ...]
    trips: tuple[int, ...]
    middle: tuple[int, ...]
    bottom: tuple[int, ...]

    def __post_init__(self) -> None:
        lists = (self.pairs, self.trips, self.middle, self.bottom)
        right_lengths = tuple(map(len, lists)) == _LENGTHS
        if not right_lengths or not all(0 <= points <= MOST_POINTS for points in sum(lists, ())):
            raise Refused("bad-rule", name="royalty_table", value=_print(lists)[:120], detail=_WANTED)

    @classmethod
    def parse(cls, text: str) -> RoyaltyTable:
        """Read a name or four lists of points. Raises `Refused("bad-rule")`."""
        if text in ROYALTY_TABLES:
            return ROYALTY_TABLES[text]
        try:
            pairs, trips, middle, bottom = (tuple(map(_number, part.split(","))) for part in text.split("/"))
        except ValueError:
            raise Refused("bad-rule", name="royalty_table", value=text[:120], detail=_WANTED) from None
        return cls(pairs=pairs, trips=trips, middle=middle, bottom=bottom)

    def __str__(self) -> str:
        named = (name for name, table in ROYALTY_TABLES.items() if table == self)
        return next(named, _print((self.pairs, self.trips, self.middle, self.bottom)))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 4:
        raise ValueError("not a small whole number")
    return int(text)


def _print(lists: tuple[tuple[int, ...], ...]) -> str:
    return "/".join(",".join(map(str, points)) for points in lists)


AMERICAN: Final = RoyaltyTable(
    pairs=(0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    trips=(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22),
    middle=(2, 4, 8, 12, 20, 30, 50),
    bottom=(0, 2, 4, 6, 10, 15, 25),
)
"""What nearly everybody plays."""

VEGAS_2013: Final = msgspec.structs.replace(AMERICAN, trips=(20,) * 13)
"""As american, but any trips on top earn twenty."""

EARLY_2013: Final = RoyaltyTable(
    pairs=AMERICAN.pairs,
    trips=AMERICAN.trips,
    middle=(0, 4, 8, 12, 16, 20, 20),
    bottom=(0, 2, 4, 6, 8, 10, 20),
)
"""The table of the first rooms."""

ROYALTY_TABLES: Final = {"american": AMERICAN, "vegas-2013": VEGAS_2013, "early-2013": EARLY_2013}
"""The tables that have names."""

_WANTED: Final = (
    "a name (" + ", ".join(ROYALTY_TABLES) + ") or pairs/trips/middle/bottom as lists of whole numbers from 0 to 1000:"
    " 13 pairs and 13 trips from twos to aces, then 7 each for trips, straight, flush, full house, quads,"
    " straight flush, royal"
)


def royalty(row: Row, strength: int, table: RoyaltyTable = AMERICAN) -> int:
    """Tell what a row of this strength earns, in points, on a board that is not fouled.

    >>> from ananas.game.cards import parse_cards
    >>> from ananas.game.strength import strength
    >>> royalty(Row.TOP, strength(parse_cards("QsQh2c"))), royalty(Row.BOTTOM, strength(parse_cards("AhKhQhJhTh")))
    (7, 25)
    """
    category = category_of(strength)
    highest = ranks_of(strength)[0]
    if row is Row.TOP:
        by_rank = {Category.PAIR: table.pairs, Category.TRIPS: table.trips}.get(category)
        return by_rank[highest - 2] if by_rank else 0
    if category not in _MIDDLE_AND_BOTTOM:
        return 0
    by_category = table.middle if row is Row.MIDDLE else table.bottom
    royal = category is Category.STRAIGHT_FLUSH and highest == Rank.ACE
    return by_category[-1 if royal else _MIDDLE_AND_BOTTOM.index(category)]
