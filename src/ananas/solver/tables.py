"""The look-up tables that both cores share, built from the readable rules of `ananas.game.strength`.

A card is a number here: its place in `DECK`. Each rank has a key, and keys add up to another sum for every three and
every five cards a deck allows; a table by that sum holds the strength. What belongs here: tables that depend on no
rules of a table. What does not: royalties, which do (worth.py).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.game.cards import DECK, Card, Rank, Suit
from ananas.game.strength import STRENGTHS, Category, category_of, ranks_of, strength

KEYS: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""The rank keys, from twos to aces, found by trying: the least next key that keeps sums of five apart."""
KEY_BITS: Final = 19
FIVES: Final = 393_216
THREES: Final = 262_144
FLUSHES: Final = 196_608
MADE: Final = 58
"""Classes of what a row makes: high card, pair, two pair and trips by rank, then six more."""
COARSE: Final = 20
"""A few coarser ones, for two rows together."""

NUMBER: Final = {card: number for number, card in enumerate(DECK)}
"""A card's number."""


class Tables(NamedTuple):
    """Strengths by the sum of keys, and the classes of what they make.

    `code`: by card, its rank's key, and above it one in the three bits of its suit. `five`, `three`: int16 strengths of
    cards of mixed suits. `flush`: of five cards of one suit. `made`: by strength, a class below `MADE`. `coarse`: by
    class, a coarser one below `COARSE`.
    """

    code: NDArray[np.uint32]
    five: NDArray[np.int16]
    three: NDArray[np.int16]
    flush: NDArray[np.int16]
    made: NDArray[np.uint8]
    coarse: NDArray[np.uint8]


@cache
def tables() -> Tables:
    """Build the tables, once.

    >>> from ananas.game.cards import parse_cards
    >>> code = sum(int(tables().code[NUMBER[card]]) for card in parse_cards("AsKsQd"))
    >>> int(tables().three[code % 2**KEY_BITS]) == strength(parse_cards("AsKsQd"))
    True
    """
    built = Tables(
        code=np.array(
            [KEYS[card.rank - Rank.TWO] + (1 << (KEY_BITS + 3 * list(Suit).index(card.suit))) for card in DECK],
            np.uint32,
        ),
        five=np.zeros(FIVES, np.int16),
        three=np.zeros(THREES, np.int16),
        flush=np.zeros(FLUSHES, np.int16),
        made=np.array([_made(one) for one in range(STRENGTHS)], np.uint8),
        coarse=np.array([_coarse(one) for one in range(MADE)], np.uint8),
    )
    of_rank = {rank: [card for card in DECK if card.rank is rank] for rank in Rank}
    for size, table in ((3, built.three), (5, built.five)):
        for ranks in combinations_with_replacement(Rank, size):
            if ranks.count(ranks[0]) > 4:
                continue
            cards = [of_rank[rank][ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
            key = sum(KEYS[rank - Rank.TWO] for rank in ranks)
            if len(set(ranks)) == 5:
                built.flush[key] = strength(cards)
                cards[0] = of_rank[ranks[0]][1]
            table[key] = strength(cards)
    for each in built:
        each.flags.writeable = False
    return built


def numbers(cards: tuple[Card, ...] | list[Card]) -> bytes:
    """The numbers of cards, a byte each.

    >>> from ananas.game.cards import parse_cards
    >>> list(numbers(parse_cards("2c3c2d")))
    [0, 1, 13]
    """
    return bytes([NUMBER[card] for card in cards])


def _made(strength: int) -> int:
    category, (first, *_) = category_of(strength), ranks_of(strength)
    place = first - Rank.TWO
    match category:
        case Category.HIGH_CARD:
            return place
        case Category.PAIR:
            return 13 + place
        case Category.TWO_PAIR:
            return 26 + place - 1
        case Category.TRIPS:
            return 38 + place
        case Category.STRAIGHT:
            return 51
        case Category.FLUSH:
            return 52 if first < Rank.QUEEN else 53
        case Category.FULL_HOUSE:
            return 54 if first < Rank.TEN else 55
        case Category.QUADS:
            return 56
        case Category.STRAIGHT_FLUSH:
            return 57


def _coarse(made: int) -> int:
    if made < 13:
        return (made > 8) + (made > 10)
    if made < 26:
        return 3 + [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6][made - 13]
    if made < 38:
        return 10 + (made - 26 > 5) + (made - 26 > 9)
    if made < 51:
        return 13 + (made - 38 > 6)
    return 15 + [0, 1, 1, 2, 2, 3, 4][made - 51]
