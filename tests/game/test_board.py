"""Boards and placements: as text both ways, what fits, and every way to lay a street."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import ROWS, Board, Placement, placements
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.rules import ROOM
from ananas.refused import Refused


@st.composite
def some_placements(draw: st.DrawFn) -> Placement:
    """A placement of any cards anywhere, none of them twice."""
    cards = draw(st.lists(st.sampled_from(DECK), unique=True, max_size=20))
    cuts = sorted(draw(st.lists(st.integers(0, len(cards)), min_size=3, max_size=3)))
    one, two, three = cuts
    return Placement(tuple(cards[:one]), tuple(cards[one:two]), tuple(cards[two:three]), tuple(cards[three:]))


@given(some_placements())
def test_a_printed_placement_is_read_back(placement: Placement) -> None:
    assert Placement.parse(str(placement)) == placement


@given(some_placements())
def test_a_printed_board_is_read_back(placement: Placement) -> None:
    board = Board(placement.top[:3], placement.middle[:5], placement.bottom[:5])
    assert Board.parse(str(board)) == board


@pytest.mark.parametrize(
    "text",
    [
        "",
        "As",
        "-/-",
        "-/-/-/-",
        "As//-",
        "-/-/- x",
        "-/-/-  xAs",
        "-/-/-x",
        "-/-/- As",
        " -/-/-",
        "-/-/- ",
        "-/-/-\n",
        "As/As/-",
        "AsAs/-/-",
        "As/-/- xAs",
        "1s/-/-",
        "-/-/- x??",
        "-/-/- x-",
    ],
)
def test_other_text_is_no_placement(text: str) -> None:
    with pytest.raises(Refused) as caught:
        Placement.parse(text)
    assert caught.value.code == "bad-placement"


def test_a_board_throws_nothing_away() -> None:
    with pytest.raises(Refused) as caught:
        Board.parse("As/-/- xKs")
    assert caught.value.code == "bad-placement"


@pytest.mark.parametrize(
    ("board", "placement", "row", "room", "cards"),
    [
        ("QsQhQd/-/-", "2c/-/-", "top", 0, "2c"),
        ("Qs/-/-", "2c3c4c/-/-", "top", 2, "2c3c4c"),
        ("-/2c3c4c5c/-", "-/6c7c/-", "middle", 1, "6c7c"),
        ("-/-/2c3c4c5c6c", "-/-/7c", "bottom", 0, "7c"),
    ],
)
def test_a_row_does_not_overflow(board: str, placement: str, row: str, room: int, cards: str) -> None:
    with pytest.raises(Refused) as caught:
        Board.parse(board).place(Placement.parse(placement))
    assert (caught.value.code, caught.value.args_by_name) == ("row-full", {"row": row, "room": room, "cards": cards})


def test_rows_are_three_five_and_five() -> None:
    assert [row.size for row in ROWS] == [3, 5, 5]
    board = Board.parse("QsQh2c/3c4c5c6c7c/8c9cTcJc")
    assert [board.room(row) for row in ROWS] == [0, 0, 1]
    assert not board.full
    assert board.place(Placement.parse("-/-/Kd")).full


def moves(board: Board, street: int) -> list[Placement]:
    """Every placement on a board of the street's cards off one fixed deck."""
    start = sum(ROOM.deal[: street - 1])
    dealt = DECK[start : start + ROOM.deal[street - 1]]
    return list(placements(board, dealt, ROOM.place[street - 1]))


def test_as_many_ways_to_lay_a_hand_as_counting_says() -> None:
    """Boards are walked one by one for three streets."""
    boards = [Board()]
    counts: list[int] = []
    for street in (1, 2, 3):
        boards = [board.place(move) for board in boards for move in moves(board, street)]
        counts.append(len(boards))
        assert street > 1 or len(set(boards)) == len(boards)
    assert counts == [232, 5_334, 100_170]


def test_as_many_ways_to_the_last_street() -> None:
    """Only how full the rows are matters for what comes next, so equally full boards are counted together."""
    ways = Counter({Board(): 1})
    counts: list[int] = []
    for street in range(1, 6):
        following: Counter[Board] = Counter()
        for board, times in ways.items():
            for move in moves(board, street):
                after = board.place(move)
                following[stand_in(after)] += times
        ways = following
        counts.append(ways.total())
    assert counts == [232, 5_334, 100_170, 1_259_874, 5_837_832]


def stand_in(board: Board) -> Board:
    """One board for all whose rows are as full, of cards that are not dealt here."""
    spare = iter(DECK[20:])
    rows = ([next(spare) for _ in board.row(row)] for row in ROWS)
    top, middle, bottom = (tuple(row) for row in rows)
    return Board(top, middle, bottom)


FANTASYLAND = {13: 72_072, 14: 1_009_008, 15: 7_567_560, 16: 40_360_320, 17: 171_531_360}
"""How many ways there are to lay Fantasyland of so many cards."""


def test_fantasyland_of_thirteen_cards_is_walked_one_by_one() -> None:
    assert sum(1 for _ in placements(Board(), DECK[:13], 13)) == FANTASYLAND[13]


@pytest.mark.parametrize(("cards", "expected"), FANTASYLAND.items())
def test_as_many_ways_to_lay_fantasyland_as_counting_says(cards: int, expected: int) -> None:
    """Each card in its turn goes to a row or is thrown away, until thirteen lie; equally full boards count together."""
    ways = Counter({(Board(), 0): 1})
    for card in DECK[:cards]:
        following: Counter[tuple[Board, int]] = Counter()
        for (board, thrown), times in ways.items():
            if thrown < cards - 13:
                following[board, thrown + 1] += times
            if not board.full:
                for move in placements(board, (card,), 1):
                    following[stand_in(board.place(move)), thrown] += times
        ways = following
    assert ways.total() == expected
    assert all(board.full for board, _ in ways)


@given(st.lists(st.sampled_from(DECK), unique=True, min_size=3, max_size=14), st.integers(0, 8))
def test_each_placement_comes_once_and_fits(cards: list[Card], on_board: int) -> None:
    dealt = tuple(cards[:3])
    board = Board()
    for card in cards[3 : 3 + on_board]:
        row = next(row for row in ROWS if board.room(row))
        board = board.place(Placement(**{row.value: (card,)}))
    found = list(placements(board, dealt, 2))
    as_sets = {tuple(frozenset(move.row(row)) for row in ROWS) for move in found}
    assert len(as_sets) == len(found) > 0
    for move in found:
        assert sorted(move.cards) == sorted(dealt)
        assert len(move.laid) == 2
        assert all(list(move.row(row)) == [card for card in dealt if card in move.row(row)] for row in ROWS)
        board.place(move)


def test_placements_keep_the_order_of_receipt() -> None:
    found = [str(move) for move in placements(Board.parse("2c3c/-/-"), parse_cards("KdAs5h"), 2)]
    assert "-/-/KdAs x5h" in found
    assert "-/-/AsKd x5h" not in found
    assert not [text for text in found if text.startswith("KdAs/")]
