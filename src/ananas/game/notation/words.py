"""The words that actions and positions are made of: cards of which some may be unknown, rows, players.

What is wrong is told as `toml.Wrong`, with its offset.
"""

from __future__ import annotations

import re
from typing import Final

from ananas.game.board import ROWS
from ananas.game.cards import DECK, Card
from ananas.game.notation.toml import Wrong

Cards = tuple[Card | None, ...]
"""Cards of which some may be unknown: None, written `??`."""

_TEXTS: Final = frozenset(map(str, DECK))


def print_known(cards: Cards) -> str:
    """Write cards one after the other.

    >>> print_known((Card("Qs"), None))
    'Qs??'
    """
    return "".join(card or "??" for card in cards)


def read_player(word: str, at: int) -> int:
    """The player that `p1`, `p2` and so on means, counted from 0."""
    if not re.fullmatch("p[1-9]", word):
        raise Wrong(f"{word:.40} is no player; write p1, p2 and so on", at)
    return int(word[1]) - 1


def read_rows(word: str, at: int) -> tuple[tuple[Card, ...], ...]:
    """The three rows of `top/middle/bottom`, with nothing unknown in them."""
    parts = word.split("/")
    if len(parts) != len(ROWS):
        raise Wrong(f"{word:.60}: write three rows, top/middle/bottom, - for one that gets nothing", at)
    rows: list[tuple[Card, ...]] = []
    for part in parts:
        cards = () if part == "-" else read_known(part, at)
        if None in cards:
            raise Wrong("cards in rows lie open", at + 2 * cards.index(None))
        rows.append(tuple(card for card in cards if card))
        at += len(part) + 1
    return tuple(rows)


def read_known(word: str, at: int) -> Cards:
    """Cards one after the other, `??` where one is unknown."""
    if not word:
        raise Wrong("here should be cards", at)
    cards: list[Card | None] = []
    for start in range(0, len(word), 2):
        card = word[start : start + 2]
        if card != "??" and card not in _TEXTS:
            raise Wrong(f"{card!r} is no card; write rank and suit: As, Td, 2c", at + start)
        cards.append(None if card == "??" else Card(card))
    return tuple(cards)
