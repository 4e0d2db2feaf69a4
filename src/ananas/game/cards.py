"""Ranks, suits and the fifty-two cards; text both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Final

from ananas.refused import Refused


class Rank(IntEnum):
    """A card's rank; the ace is high, and low only in the straight A-2-3-4-5.

    >>> Rank.TEN < Rank.ACE, str(Rank.TEN)
    (True, 'T')
    """

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        return "23456789TJQKA"[self - 2]


class Suit(StrEnum):
    """A card's suit; suits are equal and never break a tie."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class Card(StrEnum):
    """One of the fifty-two cards, written rank first: `As`, `Td`, `2c`.

    >>> Card("As").rank, Card("As").suit, str(Card("Td"))
    (<Rank.ACE: 14>, <Suit.SPADES: 's'>, 'Td')
    """

    c2 = "2c"
    c3 = "3c"
    c4 = "4c"
    c5 = "5c"
    c6 = "6c"
    c7 = "7c"
    c8 = "8c"
    c9 = "9c"
    cT = "Tc"
    cJ = "Jc"
    cQ = "Qc"
    cK = "Kc"
    cA = "Ac"
    d2 = "2d"
    d3 = "3d"
    d4 = "4d"
    d5 = "5d"
    d6 = "6d"
    d7 = "7d"
    d8 = "8d"
    d9 = "9d"
    dT = "Td"
    dJ = "Jd"
    dQ = "Qd"
    dK = "Kd"
    dA = "Ad"
    h2 = "2h"
    h3 = "3h"
    h4 = "4h"
    h5 = "5h"
    h6 = "6h"
    h7 = "7h"
    h8 = "8h"
    h9 = "9h"
    hT = "Th"
    hJ = "Jh"
    hQ = "Qh"
    hK = "Kh"
    hA = "Ah"
    s2 = "2s"
    s3 = "3s"
    s4 = "4s"
    s5 = "5s"
    s6 = "6s"
    s7 = "7s"
    s8 = "8s"
    s9 = "9s"
    sT = "Ts"
    sJ = "Js"
    sQ = "Qs"
    sK = "Ks"
    sA = "As"

    rank: Rank
    suit: Suit

    def __init__(self, text: str) -> None:
        self.rank = Rank("23456789TJQKA".index(text[0]) + 2)
        self.suit = Suit(text[1])


DECK: Final[tuple[Card, ...]] = tuple(Card)
"""The fifty-two cards in one fixed order, by suit and then by rank."""

_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])*")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written one after the other, with or without spaces.

    >>> parse_cards("QsQh 2c")
    (<Card.sQ: 'Qs'>, <Card.hQ: 'Qh'>, <Card.c2: '2c'>)

    Raises `Refused("bad-placement")` where the text has anything else.
    """
    packed = text.replace(" ", "")
    if not _CARDS.fullmatch(packed):
        raise Refused("bad-placement", text=text)
    return tuple(Card(packed[i : i + 2]) for i in range(0, len(packed), 2))


def print_cards(cards: Iterable[Card]) -> str:
    """Write cards one after the other, as `parse_cards` reads them.

    >>> print_cards((Card("Qs"), Card("2c")))
    'Qs2c'
    """
    return "".join(cards)
