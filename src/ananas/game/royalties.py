"""Royalties: the points a strong row is worth by itself, in plain sight."""

from __future__ import annotations

from typing import Final

from ananas.game.board import Row
from ananas.game.cards import Rank
from ananas.game.strength import Category, category_of, ranks_of

TOP_PAIRS: Final = {6: 1, 7: 2, 8: 3, 9: 4, 10: 5, 11: 6, 12: 7, 13: 8, 14: 9}
"""A pair on top, by its rank; fives and lower earn nothing."""

TOP_TRIPS: Final = {2: 10, 3: 11, 4: 12, 5: 13, 6: 14, 7: 15, 8: 16, 9: 17, 10: 18, 11: 19, 12: 20, 13: 21, 14: 22}
"""Three of a kind on top, by their rank."""

MIDDLE: Final = {
    Category.TRIPS: 2,
    Category.STRAIGHT: 4,
    Category.FLUSH: 8,
    Category.FULL_HOUSE: 12,
    Category.QUADS: 20,
    Category.STRAIGHT_FLUSH: 30,
}
"""The middle row, by its category."""

MIDDLE_ROYAL: Final = 50
"""An ace-high straight flush in the middle."""

BOTTOM: Final = {
    Category.STRAIGHT: 2,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: 6,
    Category.QUADS: 10,
    Category.STRAIGHT_FLUSH: 15,
}
"""The bottom row, by its category."""

BOTTOM_ROYAL: Final = 25
"""An ace-high straight flush at the bottom."""


def royalty(row: Row, strength: int) -> int:
    """Tell what a row of this strength earns, in points, on a board that is not fouled.

    >>> from ananas.game.cards import parse_cards
    >>> from ananas.game.strength import strength
    >>> royalty(Row.TOP, strength(parse_cards("QsQh2c"))), royalty(Row.BOTTOM, strength(parse_cards("AhKhQhJhTh")))
    (7, 25)
    """
    category = category_of(strength)
    highest = ranks_of(strength)[0]
    if row is Row.TOP:
        by_rank = {Category.PAIR: TOP_PAIRS, Category.TRIPS: TOP_TRIPS}.get(category, {})
        return by_rank.get(highest, 0)
    by_category, royal = (MIDDLE, MIDDLE_ROYAL) if row is Row.MIDDLE else (BOTTOM, BOTTOM_ROYAL)
    if category is Category.STRAIGHT_FLUSH and highest == Rank.ACE:
        return royal
    return by_category.get(category, 0)
