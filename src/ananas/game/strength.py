"""What three or five cards are worth against each other, on one scale.

A row's key is its category and then its ranks, those held more often first. Every possible key of three and of five
cards is listed once, in order; a row's strength is its key's place in that list. What belongs here: categories,
strengths, and the way back from a strength. What does not: rows, fouls, royalties.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations_with_replacement, groupby
from typing import Final

from ananas.game.cards import DECK, Card, Rank, Suit


class Category(StrEnum):
    """The kind of combination a row is, from the weakest up; a royal is an ace-high straight flush."""

    HIGH_CARD = "high-card"
    PAIR = "pair"
    TWO_PAIR = "two-pair"
    TRIPS = "trips"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full-house"
    QUADS = "quads"
    STRAIGHT_FLUSH = "straight-flush"


_CATEGORIES: Final = tuple(Category)

_BY_COUNTS: Final[dict[tuple[int, ...], Category]] = {
    (1, 1, 1): Category.HIGH_CARD,
    (2, 1): Category.PAIR,
    (3,): Category.TRIPS,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.TRIPS,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.QUADS,
}

Key = tuple[int, tuple[int, ...]]
"""A category's place in the order, and the ranks; tuples compare as rows do: a key that another goes on from is less."""

# Ranks add up to a number in base five whose digits count them, so equal sums mean equal ranks. Suits add up, far above,
# to a number in base six; only five cards of one suit give five times that suit's weight.
_SUITS_ABOVE: Final = 32
_RANKS_BELOW: Final = (1 << _SUITS_ABOVE) - 1
_RANK_WEIGHT: Final = {rank: 5**place for place, rank in enumerate(Rank)}
_SUIT_WEIGHT: Final = {suit: 6**place for place, suit in enumerate(Suit)}
_CARD_WEIGHT: Final = {card: _RANK_WEIGHT[card.rank] + (_SUIT_WEIGHT[card.suit] << _SUITS_ABOVE) for card in DECK}
_FIVE_OF_A_SUIT: Final = frozenset(5 * weight for weight in _SUIT_WEIGHT.values())


def _keys(ranks: tuple[int, ...]) -> tuple[Key, Key | None] | None:
    """The key of ranks in falling order, and the key they have when suited; None for five cards of one rank."""
    groups = sorted(((len(list(group)), rank) for rank, group in groupby(ranks)), reverse=True)
    counts = tuple(count for count, _ in groups)
    if counts not in _BY_COUNTS:
        return None
    weighed = tuple(rank for _, rank in groups)
    if len(groups) < 5:
        return (_CATEGORIES.index(_BY_COUNTS[counts]), weighed), None
    wheel = weighed == (Rank.ACE, 5, 4, 3, 2)
    if wheel or weighed[0] - weighed[-1] == 4:
        highest = (5,) if wheel else weighed[:1]
        straight, straight_flush = map(_CATEGORIES.index, (Category.STRAIGHT, Category.STRAIGHT_FLUSH))
        return (straight, highest), (straight_flush, highest)
    return (_CATEGORIES.index(Category.HIGH_CARD), weighed), (_CATEGORIES.index(Category.FLUSH), weighed)


def _tables() -> tuple[tuple[Key, ...], dict[int, int], dict[int, int]]:
    """Every key in order, and the strength by the sum of rank weights: of cards of mixed suits, and of one suit."""
    mixed: dict[int, Key] = {}
    suited: dict[int, Key] = {}
    falling = [int(rank) for rank in reversed(Rank)]
    weight = {int(rank): value for rank, value in _RANK_WEIGHT.items()}
    for size in (3, 5):
        for ranks in combinations_with_replacement(falling, size):
            found = _keys(ranks)
            if found is not None:
                total = sum([weight[rank] for rank in ranks])
                mixed[total], in_suit = found
                if in_suit is not None:
                    suited[total] = in_suit
    keys = tuple(sorted({*mixed.values(), *suited.values()}))
    place = {key: strength for strength, key in enumerate(keys)}
    return (
        keys,
        {total: place[key] for total, key in mixed.items()},
        {total: place[key] for total, key in suited.items()},
    )


_KEYS, _MIXED, _SUITED = _tables()

STRENGTHS: Final = len(_KEYS)
"""How many strengths there are: 455 of three cards and 7,462 of five, none of them shared."""


def strength(cards: Sequence[Card]) -> int:
    """Tell what three or five cards are worth: a place on one scale, from 0 to 7916, where more is stronger.

    >>> from ananas.game.cards import parse_cards
    >>> strength(parse_cards("QsQhKd")) < strength(parse_cards("QcQdKh3c2d"))
    True

    Three cards make only a high card, a pair or trips. Where five cards go on from the same ranks, as above, the five
    are stronger; so three cards never equal five. Raises `ValueError` for another number of cards.
    """
    total = sum([_CARD_WEIGHT[card] for card in cards])
    table = _SUITED if total >> _SUITS_ABOVE in _FIVE_OF_A_SUIT else _MIXED
    found = table.get(total & _RANKS_BELOW)
    if found is None:
        raise ValueError(f"not three or five cards of a deck: {' '.join(cards)}")
    return found


def category_of(strength: int) -> Category:
    """Tell the category of a strength.

    >>> from ananas.game.cards import parse_cards
    >>> category_of(strength(parse_cards("5h4h3h2hAh")))
    <Category.STRAIGHT_FLUSH: 'straight-flush'>
    """
    return _CATEGORIES[_KEYS[strength][0]]


def ranks_of(strength: int) -> tuple[int, ...]:
    """Tell the ranks of a strength by weight, from 2 to 14: those held more often first, then the higher first.

    >>> from ananas.game.cards import parse_cards
    >>> ranks_of(strength(parse_cards("2c7cKd7h7s"))), ranks_of(strength(parse_cards("5c4d3s2hAh")))
    ((7, 13, 2), (5,))

    A straight, suited or not, is told by its highest card alone; in A-2-3-4-5 that is the five.
    """
    return _KEYS[strength][1]
