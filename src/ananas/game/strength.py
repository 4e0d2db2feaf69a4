"""What three or five cards are worth against each other, on one scale."""

from __future__ import annotations

from enum import StrEnum


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
