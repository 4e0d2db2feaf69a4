"""Where cards go: the three rows, a board, and a placement on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final

import msgspec

from ananas.game.cards import Card, parse_cards, print_cards
from ananas.refused import Refused


class Row(StrEnum):
    """One of the three rows of a board."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"

    @property
    def size(self) -> int:
        """How many cards the row takes: three on top, five below."""
        return 3 if self is Row.TOP else 5


ROWS: Final[tuple[Row, ...]] = tuple(Row)


class Placement(msgspec.Struct, frozen=True):
    """A player's decision on one street: which cards go to which row, and which are thrown away.

    >>> move = Placement.parse("Qh/9h/- x3h")
    >>> move.top, move.discards, str(move)
    ((<Card.hQ: 'Qh'>,), (<Card.h3: '3h'>,), 'Qh/9h/- x3h')

    The same type, with cards still missing, is a draft.
    """

    top: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    bottom: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Placement:
        """Read `top/middle/bottom xdiscards`; `-` is an empty row, the discards may be missing.

        Raises `Refused("bad-placement")` for any other text, and for a card named twice.
        """
        found = re.fullmatch(r"([^/ ]+)/([^/ ]+)/([^/ ]+)(?: x([^/ ]+))?", text)
        if not found:
            raise Refused("bad-placement", text=text[:80])
        top, middle, bottom = (() if part == "-" else parse_cards(part) for part in found.group(1, 2, 3))
        discards = parse_cards(found.group(4) or "")
        placement = cls(top, middle, bottom, discards)
        if len(set(placement.cards)) < len(placement.cards):
            raise Refused("bad-placement", text=text[:80])
        return placement

    def __str__(self) -> str:
        thrown = f" x{print_cards(self.discards)}" if self.discards else ""
        return f"{self.rows}{thrown}"

    @property
    def rows(self) -> str:
        """The laid cards alone, as text, without what is thrown away."""
        return "/".join(print_cards(row) or "-" for row in (self.top, self.middle, self.bottom))

    @property
    def laid(self) -> tuple[Card, ...]:
        """The cards put into rows."""
        return self.top + self.middle + self.bottom

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card named, laid or thrown away."""
        return self.laid + self.discards

    def row(self, row: Row) -> tuple[Card, ...]:
        """The cards put into one row."""
        return self.top if row is Row.TOP else self.middle if row is Row.MIDDLE else self.bottom


class Board(msgspec.Struct, frozen=True):
    """One seat's three rows, as far as they are laid.

    >>> board = Board().place(Placement.parse("Qs/Kd/7c7dAh"))
    >>> str(board), board.room(Row.TOP), board.full
    ('Qs/Kd/7c7dAh', 2, False)
    """

    top: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    bottom: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board written as rows: `QsQh/Kd9h/7c7dAh`."""
        rows = Placement.parse(text)
        if rows.discards:
            raise Refused("bad-placement", text=text[:80])
        return cls().place(rows)

    def __str__(self) -> str:
        return "/".join(print_cards(self.row(row)) or "-" for row in ROWS)

    def row(self, row: Row) -> tuple[Card, ...]:
        """The cards of one row."""
        return self.top if row is Row.TOP else self.middle if row is Row.MIDDLE else self.bottom

    def room(self, row: Row) -> int:
        """How many cards the row still takes."""
        return row.size - len(self.row(row))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card on the board, from the top row down."""
        return self.top + self.middle + self.bottom

    @property
    def full(self) -> bool:
        """Whether all thirteen places are taken."""
        return len(self.top) + len(self.middle) + len(self.bottom) == 13

    def place(self, placement: Placement) -> Board:
        """Lay the cards of a placement; raises `Refused("row-full")` where a row overflows."""
        for row in ROWS:
            if len(placement.row(row)) > self.room(row):
                cards = print_cards(placement.row(row))
                raise Refused("row-full", row=row.value, room=self.room(row), cards=cards)
        return Board(self.top + placement.top, self.middle + placement.middle, self.bottom + placement.bottom)


def placements(board: Board, dealt: Sequence[Card], place: int) -> Iterator[Placement]:
    """Go through every placement of `place` of the dealt cards on a board, the others thrown away.

    >>> board = Board.parse("QsQh2c/3c4c5c6c7c/8c9cTcJc")
    >>> [str(move) for move in placements(board, parse_cards("KcKd"), 1)]
    ['-/-/Kc xKd', '-/-/Kd xKc']

    The order of cards within a row makes no difference, so each comes once, in the order they were dealt.
    """
    room = {row: board.room(row) for row in ROWS}
    fitting: list[tuple[Row, ...]] = [()]
    for _ in range(place):
        fitting = [(*rows, row) for rows in fitting for row in ROWS if rows.count(row) < room[row]]
    for laid in combinations(dealt, place):
        discards = tuple([card for card in dealt if card not in laid])
        for rows in fitting:
            top, middle, bottom = (
                tuple([card for card, target in zip(laid, rows, strict=True) if target is row]) for row in ROWS
            )
            yield Placement(top, middle, bottom, discards)
