"""Writes `web/src/lesson/*.json`: the hand of the lesson, played by real commands through the table's own rules.

Run it as `PYTHONPATH=src python tests/web/make_lesson.py` after a change of the views. What it writes never changes
otherwise.

- `hand.json`: what the learner is `dealt` street by street, how he is shown to lay it (`shown`), and the `views` of the
  table as he then sees them: his turn and the bot's, street by street, and the showdown. The bot's play does not depend
  on his.
- `lines.json`: other ways to lay the same cards, and the showdown each comes to, for the tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import combinations, count, product
from pathlib import Path
from typing import Final

import msgspec

from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import parse_cards
from ananas.game.rules import ROOM
from ananas.game.scoring import fouled
from ananas.table.view import Live, TableView, view_table
from tests.web.make_fixtures import Story, Streets

TARGET: Final = Path(__file__).parents[2] / "web" / "src" / "lesson"

# The bot is weaker in every row than whoever has queens on top and is not dead.
KIWI: Final = (
    ("JsTsJdAs6d", "As/Ts6d/JsJd"),
    ("Td8s2c", "-/Td/8s x2c"),
    ("5h3dKc", "Kc/-/5h x3d"),
    ("3c7d2h", "-/3c/7d x2h"),
    ("8d6s5s", "6s/8d/- x5s"),
)
SHOWN: Final = (
    ("9h9dQsKh4c", "Qs/Kh4c/9h9d"),
    ("9c7s2d", "-/7s/9c x2d"),
    ("3hQd7c", "Qd/7c/- x3h"),
    ("Kd5cJh", "5c/Kd/- xJh"),
    ("2s4s4h", "-/-/4s4h x2s"),
)


class _Hand(msgspec.Struct):
    """What `hand.json` holds."""

    dealt: list[list[str]]
    shown: list[str]
    views: list[TableView]


class _Line(msgspec.Struct):
    """One of `lines.json`."""

    placements: list[str]
    view: TableView


def _views(learner: Streets) -> list[TableView]:
    """What the learner sees: before each turn of his and of the bot's, and at the showdown."""
    story = Story("Lesson", "room seats=2-2 point_price=0 seen_cards=hidden")
    story.sit(("bot:kiwi", "Kiwi"), ("anna", "You"))
    story.ready("bot:kiwi", "anna")
    story.deal(kiwi=KIWI, anna=learner)
    views = list[TableView]()
    while story.open.laying:
        views.append(_seen(story))
        story.play(1)
    return [*views, _seen(story)]


def _seen(story: Story) -> TableView:
    """The view as the lesson shows it: nothing is to be done but laying, and no clock runs."""
    view = view_table(story.open, "anna", story.now, Live())
    seats = tuple(seat and msgspec.structs.replace(seat, clock=None, removable=False) for seat in view.seats)
    may = tuple(action for action in view.may if action in {"confirm", "draft"})
    return msgspec.structs.replace(view, table="lesson", seats=seats, may=may, showdown_ms=None)


def _hand() -> _Hand:
    return _Hand(
        dealt=[[str(card) for card in parse_cards(cards)] for cards, _ in SHOWN],
        shown=[placement for _, placement in SHOWN],
        views=_views(SHOWN),
    )


def _numbers() -> Iterator[int]:
    """A fixed stream of numbers below 2**32."""
    for block in count():
        digest = hashlib.sha256(f"lesson {block}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def _legal(board: Board, cards: str) -> list[Placement]:
    """Every placement of a street that puts queens on top and nowhere else."""
    found = list[Placement]()
    dealt = parse_cards(cards)
    lay = 5 if len(dealt) == 5 else 2
    for laid in combinations(dealt, lay):
        thrown = tuple(card for card in dealt if card not in laid)
        for rows in product(ROWS, repeat=lay):
            top, middle, bottom = (
                tuple(card for card, row in zip(laid, rows, strict=True) if row is wanted) for wanted in ROWS
            )
            placement = Placement(top, middle, bottom, thrown)
            queens = {card for card in dealt if str(card).startswith("Q")}
            if queens <= set(top) and all(len(placement.row(row)) <= board.room(row) for row in ROWS):
                found.append(placement)
    return found


def _lines(wanted: int) -> Iterator[_Line]:
    """Lines that end with queens on top of a board that is not dead."""
    numbers = _numbers()
    seen = set[str]()
    while len(seen) < wanted:
        board, line = Board(), list[Placement]()
        for cards, _ in SHOWN:
            choices = _legal(board, cards)
            if not choices:
                break
            line.append(choices[next(numbers) % len(choices)])
            board = board.place(line[-1])
        if not board.full or fouled(board, ROOM) or str(board) in seen:
            continue
        seen.add(str(board))
        learner = tuple((cards, str(placement)) for (cards, _), placement in zip(SHOWN, line, strict=True))
        yield _Line(placements=[str(placement) for placement in line], view=_views(learner)[-1])


def make() -> dict[str, bytes]:
    """Each file's name, and what stands in it."""
    return {
        "hand.json": msgspec.json.encode(_hand()) + b"\n",
        "lines.json": msgspec.json.encode(list(_lines(8))) + b"\n",
    }


if __name__ == "__main__":
    for name, text in make().items():
        (TARGET / name).write_bytes(text)
