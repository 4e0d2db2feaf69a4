"""Writes `tests/data/row_vectors.json`, on which the client's own reckoning of rows is checked.

Run it as `PYTHONPATH=src python tests/web/make_row_vectors.py` after a change of categories or royalties. What it
writes never changes otherwise: the cards come from a fixed stream of bytes.

- `rows`: a row, its cards, its category, ranks and strength, and its royalty by the table `american`.
- `boards`: a full board, and whether it is dead where equal rows are allowed.
- `tables`: by name, each royalty table as a message carries it; `own` is one of a table's own in which no two places
  are worth the same.
- `royalties`: the royalty of a `row` of these `cards` by the `table` of that name.
- `equality`: a full `board`, and whether it is dead (`foul`) where `equality` is as told.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from ananas.deal import shuffle
from ananas.game.board import ROWS, Board, Row
from ananas.game.cards import Card, parse_cards, print_cards
from ananas.game.royalties import AMERICAN, ROYALTY_TABLES, RoyaltyTable, royalty
from ananas.game.rules import CHOICES, ROOM
from ananas.game.scoring import fouled
from ananas.game.strength import category_of, ranks_of, strength

TARGET: Final = Path(__file__).parents[1] / "data" / "row_vectors.json"

CHOSEN: Final = """
    AhKhQhJhTh 5s4s3s2sAs 9c8c7c6c5c 9c9d9h9sKd 2c2d2h2sAd AcAdAhKcKd 2c2d2h3c3d AhJh9h5h3h 7c6c4c3c2c
    AcKdQhJsTc 5c4d3h2sAc 6c5d4h3s2c AcAdAhKcQd 2c2d2h4c3d AcAdKcKdQh 3c3d2c2d4h AcAdKcQhJs 2c2d5h4s3c
    AcKdQhJs9c 7c5d4h3s2c KcQdJhTs2c Ac2dKh3sQc 4c3d2hAsKc
    AcAdAh 2c2d2h AcAdKh 6c6d2h 5c5dAh 2c2d3h QsQhKd QsQh2c AcKdQh 4c3d2h 5h4h3h Ac3d2h
"""

EVERY_TOP: Final = """
    2c2d2h 3c3d3h 4c4d4h 5c5d5h 6c6d6h 7c7d7h 8c8d8h 9c9d9h TcTdTh JcJdJh QcQdQh KcKdKh AcAdAh
    2c2dAh 3c3dAh 4c4dAh 5c5dAh 6c6dAh 7c7dAh 8c8dAh 9c9dAh TcTdAh JcJdAh QcQdAh KcKdAh AcAdKh
"""

BOARDS: Final = """
    QsQhKd/QcQdKh3c2d/AcAdAh4c4d  QsQhKd/QcQdJhTs9c/AcAdAh4c4d  QsQh7d/QcQd9h8s2c/AcAdAh4c4d
    AsKh7d/AcKd7h6s5c/2c2d3h4s6c  AsKh7d/AcKd6h5s4c/2c2d3h8s9c  3c3d3h/4c4d4hTs9d/AcKcQcJc9c
    2c2d2h/AcAdKcKd9h/3c4c5c6c7c  AcAd5h/2d2h3c3dKs/4c5c6c7c8d  4c2d3h/9c8d7h6s5c/9d8h7s6c5d
    4c2d3h/AcKcQcJcTc/AdKdQdJdTd  4c2d3h/AcKcQc9c8c/AdKdQd9d8d  KhKd3h/AcQh9h6c2d/TdTc5s5d2c
"""


SEPARATOR: Final = ",\n    "

TABLES: Final = {
    **ROYALTY_TABLES,
    "own": RoyaltyTable(
        pairs=tuple(range(1, 14)),
        trips=tuple(range(101, 114)),
        middle=tuple(range(201, 208)),
        bottom=tuple(range(301, 308)),
    ),
}


def _stream(name: str) -> Callable[[int], bytes]:
    """An endless fixed run of bytes, handed out piece by piece."""
    used = 0

    def take(count: int) -> bytes:
        nonlocal used
        blocks = range(used // 32, (used + count) // 32 + 1)
        run = b"".join(hashlib.sha256(f"{name} {block}".encode()).digest() for block in blocks)
        start = used % 32
        used += count
        return run[start : start + count]

    return take


def _row(row: Row, cards: tuple[Card, ...]) -> dict[str, Any]:
    worth = strength(cards)
    return {
        "row": row.value,
        "cards": print_cards(cards),
        "category": category_of(worth).value,
        "ranks": ranks_of(worth),
        "royalty": royalty(row, worth, AMERICAN),
        "strength": worth,
    }


def _royalties(row: Row, cards: tuple[Card, ...]) -> list[dict[str, Any]]:
    worth = strength(cards)
    return [
        {"table": name, "row": row.value, "cards": print_cards(cards), "royalty": royalty(row, worth, table)}
        for name, table in TABLES.items()
    ]


def _board(board: Board) -> dict[str, Any]:
    return {"board": str(board), "foul": fouled(board, ROOM)}


def _equality(board: Board) -> list[dict[str, Any]]:
    return [
        {"equality": equality, "board": str(board), "foul": fouled(board, ROOM.but({"equality": equality}))}
        for equality in CHOICES["equality"]
    ]


def make() -> str:
    """The vectors as text: lists of the entries that are told above."""
    take = _stream("rows")
    rows: list[dict[str, Any]] = []
    royalties: list[dict[str, Any]] = []
    for text in CHOSEN.split():
        cards = parse_cards(text)
        for row in ROWS:
            if row.size == len(cards):
                rows.append(_row(row, cards))
                royalties += _royalties(row, cards)
    royalties += [entry for text in EVERY_TOP.split() for entry in _royalties(Row.TOP, parse_cards(text))]
    boards = [Board.parse(text) for text in BOARDS.split()]
    equality = [entry for board in boards for entry in _equality(board)]
    for _ in range(100):
        deck = shuffle(take)
        rows += [_row(Row.TOP, deck[:3]), _row(Row.MIDDLE, deck[3:8]), _row(Row.BOTTOM, deck[8:13])]
        by_strength = sorted((deck[13:18], deck[18:23]), key=strength)
        boards += [Board(deck[:3], deck[3:8], deck[8:13]), Board(deck[23:26], by_strength[0], by_strength[1])]
    tables = {name: msgspec.to_builtins(table) for name, table in TABLES.items()}
    parts = {"rows": rows, "boards": [_board(board) for board in boards], "royalties": royalties, "equality": equality}
    lists = [f'"{name}": [\n    {_lines(entries)}\n  ]' for name, entries in parts.items()]
    by_name = [f'"{name}": {json.dumps(table)}' for name, table in tables.items()]
    lists.insert(2, f'"tables": {{\n    {SEPARATOR.join(by_name)}\n  }}')
    separator = ",\n  "
    return f"{{\n  {separator.join(lists)}\n}}\n"


def _lines(entries: list[dict[str, Any]]) -> str:
    return SEPARATOR.join(json.dumps(entry) for entry in entries)


if __name__ == "__main__":
    TARGET.write_text(make())
