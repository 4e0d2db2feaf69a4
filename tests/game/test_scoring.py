"""The showdown: published examples, a worked hand, and what holds for any boards."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card, Suit, parse_cards
from ananas.game.royalties import royalty
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import PairResult, Reckoning, fouled, reckon
from ananas.game.strength import category_of, strength

P1 = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
P2 = "AsAd4c/3s4d5h6d7c/JhJdJc9s9c"
P3 = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of examples.jsonl: boards, a row, or two rows compared, and what somebody published about them."""

    id: str
    boards: list[str] = []
    row: Row | None = None
    cards: str = ""
    against: str = ""
    points: list[int] | None = None
    foul: list[bool] | None = None
    royalties: list[list[int]] | None = None
    rows: list[int] | None = None
    royalty: int | None = None
    category: str | None = None
    sign: int | None = None
    seen_in: str = ""


def examples() -> list[Example]:
    lines = (Path(__file__).parents[1] / "data" / "examples.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Example) for line in lines]


def as_printed(text: str) -> Board:
    """A board from another's book, where the same card may lie twice."""
    top, middle, bottom = (parse_cards(row) for row in text.split("/"))
    return Board(top, middle, bottom)


@pytest.mark.parametrize("example", [one for one in examples() if one.boards], ids=lambda example: example.id)
def test_boards_score_as_published(example: Example) -> None:
    boards = [as_printed(text) for text in example.boards]
    reckoning = reckon(boards, range(len(boards)), ROOM)
    assert example.points in (None, [player.points for player in reckoning.players])
    assert example.foul in (None, [player.foul for player in reckoning.players])
    assert example.royalties in (None, [[row.royalty for row in player.rows] for player in reckoning.players])
    assert example.rows is None or tuple(example.rows) == reckoning.pairs[0].rows


@pytest.mark.parametrize("example", [one for one in examples() if one.cards], ids=lambda example: example.id)
def test_rows_are_worth_what_was_published(example: Example) -> None:
    worth = strength(parse_cards(example.cards))
    if example.against:
        other = strength(parse_cards(example.against))
        assert (worth > other) - (worth < other) == example.sign
    else:
        assert example.row is not None
        assert example.royalty in (None, royalty(example.row, worth))
        assert example.category in (None, category_of(worth))


def test_every_example_expects_something() -> None:
    assert len(examples()) == 98
    for example in examples():
        said = (example.points, example.foul, example.royalties, example.rows, example.royalty, example.category)
        assert any(one is not None for one in (*said, example.sign)), example.id


def test_the_worked_hand_of_three() -> None:
    reckoning = reckon([Board.parse(text) for text in (P1, P2, P3)], (2, 0, 1), ROOM)
    assert [(player.seat, player.foul, player.royalties, player.points) for player in reckoning.players] == [
        (2, False, 11, 3),
        (0, False, 19, 39),
        (1, True, 0, -42),
    ]
    assert [[row.royalty for row in player.rows] for player in reckoning.players] == [[7, 2, 2], [9, 4, 6], [0, 0, 0]]
    assert [(row.category.value, row.ranks) for row in reckoning.players[0].rows] == [
        ("pair", (12, 5)),
        ("trips", (8, 13, 2)),
        ("straight", (10,)),
    ]
    assert reckoning.pairs == (
        PairResult(
            first=2,
            second=0,
            rows=(-1, -1, -1),
            scoop=-3,
            foul=0,
            first_royalties=11,
            second_royalties=19,
            points=-14,
        ),
        PairResult(
            first=2, second=1, rows=(0, 0, 0), scoop=0, foul=6, first_royalties=11, second_royalties=0, points=17
        ),
        PairResult(
            first=0, second=1, rows=(0, 0, 0), scoop=0, foul=6, first_royalties=19, second_royalties=0, points=25
        ),
    )


def test_the_price_of_a_dead_hand_is_a_rule() -> None:
    reckoning = reckon([Board.parse(P3), Board.parse(P1)], (0, 1), RuleSet(seats=2, foul_points=10))
    assert [player.points for player in reckoning.players] == [-21, 21]


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("QsQhKd/QcQdKh3c2d/2s2h3s3h4c", False),
        ("QsQhKd/QcQdJhTc9d/2s2h3s3h4c", True),
        ("AsKh7d/AcKd7h6c5d/2c2d3h4s5c", False),
        ("7s5h3d/2c2d2h4s4c/2s3s4d5c6d", True),
        ("7s5h3d/AsKsQsJsTs/AhKhQhJhTh", False),
        ("7s5h3d/9c8d7h6s5c/9d8h7s6c5d", False),
        ("KhKd3h/AcQh9h6c2d/TdTc5s5d2c", True),
    ],
)
def test_rows_in_order_or_dead(board: str, dead: bool) -> None:
    assert fouled(as_printed(board)) is dead


@st.composite
def boards_of(draw: st.DrawFn, players: int) -> list[Board]:
    """Full boards of one deck; sorted cards now and then, so that not all of them are dead."""
    deck = draw(st.permutations(DECK))
    boards: list[Board] = []
    for player in range(players):
        cards = deck[13 * player : 13 * player + 13]
        if draw(st.booleans()):
            cards = sorted(cards, key=lambda card: card.rank)
        boards.append(Board(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])))
    return boards


def points(reckoning: Reckoning) -> list[int]:
    return [player.points for player in reckoning.players]


@given(st.integers(2, 3).flatmap(boards_of))
def test_points_sum_to_zero_and_to_the_pairs(boards: list[Board]) -> None:
    reckoning = reckon(boards, range(len(boards)), ROOM)
    assert sum(points(reckoning)) == 0
    for player in reckoning.players:
        won = sum(pair.points for pair in reckoning.pairs if pair.first == player.seat)
        lost = sum(pair.points for pair in reckoning.pairs if pair.second == player.seat)
        assert player.points == won - lost
    for pair in reckoning.pairs:
        difference = pair.first_royalties - pair.second_royalties
        assert pair.points == sum(pair.rows) + pair.scoop + pair.foul + difference


@given(boards_of(2))
def test_a_pair_seen_from_the_other_side_is_its_opposite(boards: list[Board]) -> None:
    (there,), (back,) = (reckon(order, (0, 1), ROOM).pairs for order in (boards, boards[::-1]))
    assert back.rows == tuple(-row for row in there.rows)
    assert (back.scoop, back.foul, back.points) == (-there.scoop, -there.foul, -there.points)
    assert (back.first_royalties, back.second_royalties) == (there.second_royalties, there.first_royalties)


@given(boards_of(3), st.permutations(range(3)))
def test_who_sits_where_changes_nobodys_points(boards: list[Board], order: list[int]) -> None:
    seated = points(reckon(boards, range(3), ROOM))
    assert points(reckon([boards[player] for player in order], range(3), ROOM)) == [seated[one] for one in order]


@given(boards_of(3), st.data())
def test_the_order_within_a_row_changes_nothing(boards: list[Board], data: st.DataObject) -> None:
    turned = [Board(*(tuple(data.draw(st.permutations(board.row(row)))) for row in ROWS)) for board in boards]
    assert reckon(turned, range(3), ROOM) == reckon(boards, range(3), ROOM)


@given(boards_of(3), st.permutations(list(Suit)))
def test_suits_are_equal(boards: list[Board], suits: list[Suit]) -> None:
    other = dict(zip(Suit, suits, strict=True))

    def resuited(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(f"{card.rank}{other[card.suit]}") for card in cards)

    changed = [Board(*(resuited(board.row(row)) for row in ROWS)) for board in boards]
    assert reckon(changed, range(3), ROOM) == reckon(boards, range(3), ROOM)


@given(boards_of(2))
def test_dead_boards_bring_no_royalties_and_two_owe_each_other_nothing(boards: list[Board]) -> None:
    reckoning = reckon(boards, (0, 1), ROOM)
    (pair,) = reckoning.pairs
    dead = [player.foul for player in reckoning.players]
    assert all(player.royalties == 0 for player in reckoning.players if player.foul)
    if all(dead):
        assert pair.points == 0
    elif any(dead):
        legal = reckoning.players[dead.index(False)]
        assert legal.points == 6 + legal.royalties
        assert pair.rows == (0, 0, 0)


def test_a_board_is_laid_before_it_is_reckoned() -> None:
    with pytest.raises(ValueError, match="not three or five cards"):
        reckon([Board().place(Placement.parse("As/-/-")), Board.parse(P1)], (0, 1), ROOM)
