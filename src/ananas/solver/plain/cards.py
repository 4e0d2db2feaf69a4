"""Cards as numbers, rows, positions and chance: what the plain core is built on.

What belongs here: what is known of cards on a table, and how it is read from what a caller gives. What does not: what a
board is worth (worth.py), and how it is played (play.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.solver.tables import KEY_BITS, tables

Readable = bytes | bytearray | memoryview | NDArray[Any]
"""What can be read: a buffer in one piece."""

Fillable = bytearray | memoryview | NDArray[Any]
"""What can be filled."""

OTHERS: Final = 3
"""The most opponents."""

ROW_SIZES: Final = (3, 5, 5)
KEY_MASK: Final = (1 << KEY_BITS) - 1
_64_BITS: Final = (1 << 64) - 1
_FIVE_OF_A_SUIT: Final = 0x249 << KEY_BITS
_CODE: Final[list[int]] = tables().code.tolist()
_THREE: Final = tables().three.data
_FIVE: Final = tables().five.data
_FLUSH: Final = tables().flush.data


class Chance:
    """Numbers by lot that repeat: the same seed gives the same ones, in both cores.

    >>> chance = Chance(1)
    >>> chance.below(52), chance.below(52)
    (29, 38)
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _64_BITS

    def number(self) -> int:
        """One of 64 bits (splitmix64)."""
        self._state = self._state + 0x9E3779B97F4A7C15 & _64_BITS
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _64_BITS
        return mixed ^ mixed >> 31

    def below(self, limit: int) -> int:
        """One from 0 up to the limit."""
        return (self.number() >> 32) * limit >> 32

    def draw(self, cards: list[int], wanted: int) -> None:
        """Bring so many cards drawn by lot to the front."""
        for place in range(wanted):
            other = place + self.below(len(cards) - place)
            cards[place], cards[other] = cards[other], cards[place]


def strength_of(cards: Sequence[int]) -> int:
    """The strength of three or five cards."""
    code = sum([_CODE[card] for card in cards])
    key = code & KEY_MASK
    if len(cards) == 3:
        return _THREE[key]
    return _FLUSH[key] if code & code >> 2 & _FIVE_OF_A_SUIT else _FIVE[key]


def strengths_of(cards: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The strengths of many rows at once: cards in the last dimension, three or five."""
    three, five, flush = tables().three, tables().five, tables().flush
    code = tables().code[cards].sum(axis=-1, dtype=np.uint32)
    key = code & np.uint32(KEY_MASK)
    if cards.shape[-1] == 3:
        short: NDArray[np.int16] = three[key]
        return short
    suited = (code & code >> np.uint32(2) & np.uint32(_FIVE_OF_A_SUIT)) != 0
    return np.where(suited, flush[np.where(suited, key, 0)], five[key])


class Rows(NamedTuple):
    """The cards of the three rows of a board, full or not."""

    top: tuple[int, ...] = ()
    middle: tuple[int, ...] = ()
    bottom: tuple[int, ...] = ()

    @property
    def cards(self) -> int:
        """How many there are."""
        return len(self.top) + len(self.middle) + len(self.bottom)

    @property
    def free(self) -> tuple[int, int, int]:
        """The places free in each row."""
        return 3 - len(self.top), 5 - len(self.middle), 5 - len(self.bottom)

    @property
    def made(self) -> tuple[int, int, int]:
        """The strengths of full rows."""
        return strength_of(self.top), strength_of(self.middle), strength_of(self.bottom)

    def with_choice(self, dealt: Sequence[int], choice: Sequence[int]) -> Rows:
        """The rows with cards added: for each row the places in the hand as bits."""
        return Rows(*(row + taken(dealt, bits) for row, bits in zip(self, choice, strict=True)))


def taken(cards: Sequence[int], bits: int) -> tuple[int, ...]:
    """The cards whose places are set.

    >>> taken((10, 20, 30), 0b101)
    (10, 30)
    """
    return tuple([card for place, card in enumerate(cards) if bits >> place & 1])


class Position(NamedTuple):
    """Where each card is. `unseen`: in rising order; `dealt`: the hand, in rising order."""

    rows: Rows
    others: tuple[Rows, ...]
    unseen: list[int]
    dealt: list[int]


def read_position(where: Readable) -> Position:
    """Read where each card is.

    0 not seen, 1 to 3 in an own row, 4 seen and gone, 5 in the hand, 8 + 4 x opponent + row in an opponent's row.
    """
    places: list[int] = read(where, np.uint8, 52, "position").tolist()[:52]
    at: dict[int, list[int]] = {place: [] for place in (0, 1, 2, 3, 4, 5, 8, 9, 10, 12, 13, 14, 16, 17, 18)}
    for card, place in enumerate(places):
        if place not in at:
            raise ValueError("a position has each card in a place that takes it")
        at[place].append(card)
    rows = Rows(tuple(at[1]), tuple(at[2]), tuple(at[3]))
    others = tuple([Rows(tuple(at[place]), tuple(at[place + 1]), tuple(at[place + 2])) for place in (8, 12, 16)])
    if min(min(board.free) for board in (rows, *others)) < 0 or len(at[5]) > 17:
        raise ValueError("a position has each card in a place that takes it")
    return Position(rows, others, at[0], at[5])


def read(given: Readable, kind: type[np.generic], least: int, what: str) -> NDArray[Any]:
    """Read numbers of a kind, at least so many; raises `ValueError` for what has others, or fewer."""
    return _numbers(given, kind, least, what)


def fill(given: Fillable, kind: type[np.generic], least: int, what: str) -> NDArray[Any]:
    """Take a buffer that can be filled with numbers of a kind, at least so many."""
    numbers = _numbers(given, kind, least, what)
    if not numbers.flags.writeable:
        raise ValueError(f"{what}: not a buffer in one piece that can be filled")
    return numbers


def _numbers(given: Readable, kind: type[np.generic], least: int, what: str) -> NDArray[Any]:
    view = given.data if isinstance(given, np.ndarray) else memoryview(given)
    size = np.dtype(kind).itemsize
    if not view.c_contiguous:
        raise ValueError(f"{what}: not a buffer in one piece that can be read")
    if view.nbytes % size or view.nbytes // size < least:
        raise ValueError(f"{what}: {view.nbytes} bytes where {least} times {size} are needed")
    if view.itemsize not in {1, size}:
        raise ValueError(f"{what}: items of {size} bytes are needed")
    return np.frombuffer(view, kind) if view.nbytes else np.zeros(0, kind)
