"""Chance: the deck of a hand and the lot that draws the first button, from any source of bytes.

The source is the operating system's generator unless a test brings its own. Bytes that would make one outcome likelier
than another are thrown away and drawn again. What does not belong here: who is dealt what.
"""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable
from typing import Final

from ananas.game.cards import DECK, Card

Source = Callable[[int], bytes]
"""Gives as many unpredictable bytes as it is asked for."""

LOTS: Final = 12
"""How many lots there are: a number that two, three and four seats divide."""
AHEAD: Final = 1024
"""How many bytes are drawn ahead for a deck; seldom a tenth of them is used."""


def shuffle(source: Source = secrets.token_bytes) -> tuple[Card, ...]:
    """Shuffle a deck, every order as likely as any other.

    >>> sorted(shuffle()) == sorted(DECK)
    True
    """
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _below(last + 1, source)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def lot(source: Source = secrets.token_bytes) -> int:
    """Draw a lot from 0 to 11, each as likely as any other.

    >>> lot(lambda size: bytes([13]) * size)
    1
    """
    return _below(LOTS, source)


def ahead(source: Source = secrets.token_bytes) -> Source:
    """The same chance, drawn ahead for one deck: each question to the operating system lets other threads in between.

    Every byte is given once, and what is left over is thrown away with it: make a new one for each deck.

    >>> given = ahead(lambda size: (b"ananas" * size)[:size])
    >>> given(3), given(3)
    (b'ana', b'nas')
    """
    drawn = io.BytesIO(source(AHEAD))

    def draw(size: int) -> bytes:
        part = drawn.read(size)
        return part if len(part) == size else source(size)

    return draw


def _below(limit: int, source: Source) -> int:
    """Draw a number from 0 up to the limit, which is at most 256, never the limit itself."""
    even = 256 - 256 % limit
    while True:
        number = source(1)[0]
        if number < even:
            return number % limit
