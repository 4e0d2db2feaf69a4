"""Positions as text: a moment of a hand in one line."""

from __future__ import annotations

import re

import msgspec

from ananas.game.board import ROWS, Board
from ananas.game.cards import Card
from ananas.game.notation import toml
from ananas.game.notation.words import Cards, print_known, read_known, read_player, read_rows
from ananas.refused import Refused


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a hand: each player's board and what he threw away, and who has which cards to lay.

    `boards`, `thrown`: in order of play. `player`: who acts, counted from 0, null where nobody does; `dealt`: his cards.

    >>> position = Position.parse("QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d")
    >>> position.boards[1].bottom, position.thrown[1], position.player
    ((<Card.sT: 'Ts'>, <Card.s9: '9s'>, <Card.s6: '6s'>, <Card.s5: '5s'>), (None,), 0)
    >>> str(position)
    'QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d'
    """

    boards: tuple[Board, ...]
    thrown: tuple[Cards, ...]
    player: int | None = None
    dealt: Cards = ()

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read a position. Raises `Refused("bad-history")` with the column of what is wrong."""
        try:
            return _read_position(text)
        except toml.Wrong as wrong:
            line, column = toml.line_and_column(text, wrong.at)
            raise Refused("bad-history", line=line, column=column, detail=wrong.detail) from None

    def __str__(self) -> str:
        sides = [
            f"{board} x{print_known(cards)}" if cards else str(board)
            for board, cards in zip(self.boards, self.thrown, strict=True)
        ]
        acts = [] if self.player is None else [f"p{self.player + 1} {print_known(self.dealt)}"]
        return " | ".join(sides + acts)


def _read_position(text: str) -> Position:
    boards: list[Board] = []
    thrown: list[Cards] = []
    player: int | None = None
    dealt: Cards = ()
    named = set[Card]()
    for side in re.finditer(r"[^|]+", text):
        words = [(word[0], side.start() + word.start()) for word in re.finditer(r"\S+", side[0])]
        match words:
            case [(mover, at), cards] if mover.startswith("p"):
                if player is not None:
                    raise toml.Wrong("one player acts, and he stands last", at)
                player, dealt = read_player(mover, at), read_known(*cards)
                if player >= len(boards):
                    raise toml.Wrong(f"there is no {mover}; there are {len(boards)} boards", at)
            case [(_, at), *_] if player is not None:
                raise toml.Wrong("who acts stands last", at)
            case [rows]:
                boards.append(Board(*read_rows(*rows)))
                thrown.append(())
            case [rows, (discards, at)] if discards.startswith("x"):
                boards.append(Board(*read_rows(*rows)))
                thrown.append(read_known(discards[1:], at + 1))
            case _:
                at = words[0][1] if words else side.start()
                raise toml.Wrong("write boards and who acts, with | between: Qs/Kd/7c7dAh x3h | -/-/- | p1 KcAs6d", at)
        _check(boards, words, named)
    if not boards:
        raise toml.Wrong("here is no board", 0)
    return Position(boards=tuple(boards), thrown=tuple(thrown), player=player, dealt=dealt)


def _check(boards: list[Board], words: list[tuple[str, int]], named: set[Card]) -> None:
    """Refuse rows that are too long, and cards that have been named."""
    for row in ROWS:
        if boards and boards[-1].room(row) < 0:
            raise toml.Wrong(f"the {row.value} row takes {row.size} cards, not {len(boards[-1].row(row))}", words[0][1])
    for word, at in words:
        for found in re.finditer("[2-9TJQKA][cdhs]", word):
            card = Card(found[0])
            if card in named:
                raise toml.Wrong(f"{card} is named twice", at + found.start())
            named.add(card)
