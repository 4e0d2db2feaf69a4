"""The showdown: every combination of lines, a worked hand, a second scorer, and what holds for any boards."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import DECK, Card, Suit
from ananas.game.rules import CLUB, ROOM, RuleSet
from ananas.game.scoring import PairResult, Reckoning, fouled, reckon
from tests.chance import Chance
from tests.game import second_scorer
from tests.game.anything import any_rules, as_printed, boards_of, chance_rules, table_rows

P1 = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
P2 = "AsAd4c/3s4d5h6d7c/JhJdJc9s9c"
P3 = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"

STRICT = RuleSet.parse("room equality=strict")


def points(reckoning: Reckoning) -> list[int]:
    return [player.points for player in reckoning.players]


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
    assert reckoning.pairs == tuple(
        PairResult(
            seats=seats,
            rows=rows,
            scoop=scoop,
            foul=foul,
            royalties=royalties,
            claim=claim,
            transfer=claim,
            skipped=False,
        )
        for seats, rows, scoop, foul, royalties, claim in (
            ((2, 0), (-1, -1, -1), -3, 0, (11, 19), -14),
            ((2, 1), (0, 0, 0), 0, 6, (11, 0), 17),
            ((0, 1), (0, 0, 0), 0, 6, (19, 0), 25),
        )
    )


# -- lines

STRONG = ("AcQd4s", "8s8h9d5c2d", "KsKhJd6c3d")
WEAK = ("KcQh4h", "7s7h9c5d2s", "QsQcJh6h3s")
"""Rows without royalties: either of the two fits above or below any other."""

LINES = [
    # won, tied, lost: by 1-6, by 2-4
    (3, 0, 0, 6, 4),
    (2, 1, 0, 2, 3),
    (2, 0, 1, 1, 2),
    (1, 2, 0, 1, 1),
    (1, 1, 1, 0, 0),
    (1, 0, 2, -1, -2),
    (0, 3, 0, 0, 0),
    (0, 2, 1, -1, -1),
    (0, 1, 2, -2, -3),
    (0, 0, 3, -6, -4),
]


@pytest.mark.parametrize("lines", list(product((1, 0, -1), repeat=3)))
def test_every_combination_of_lines(lines: tuple[int, int, int]) -> None:
    ours = as_printed("/".join((WEAK if line < 0 else STRONG)[row] for row, line in enumerate(lines)))
    theirs = as_printed("/".join((WEAK if line > 0 else STRONG)[row] for row, line in enumerate(lines)))
    ((by_1_6, by_2_4),) = [tuple(line[3:]) for line in LINES if line[:3] == tuple(map(lines.count, (1, 0, -1)))]
    for rules, total in ((ROOM, by_1_6), (CLUB, by_1_6), (RuleSet.parse("club scoring=2-4"), by_2_4)):
        reckoning = reckon([ours, theirs], (0, 1), rules)
        (pair,) = reckoning.pairs
        assert (pair.rows, pair.royalties, pair.foul) == (lines, (0, 0), 0)
        assert points(reckoning) == [total, -total]
        assert pair.scoop == total - sum(lines)


def test_the_table_of_lines_has_every_total() -> None:
    assert {total for *_, total, _ in LINES} == {6, 2, 1, 0, -1, -2, -6}
    assert {total for *_, total in LINES} == {4, 3, 2, 1, 0, -1, -2, -3, -4}


# -- dead or not


@pytest.mark.parametrize(
    ("board", "dead", "strictly"),
    [
        ("QsQhKd/QcQdKh3c2d/2s2h3s3h4c", False, False),
        ("QsQhKd/QcQdJhTc9d/2s2h3s3h4c", True, True),
        ("QsQh7d/QcQd9h8s2c/2s2h3s3h4c", False, False),
        ("AsKh7d/AcKd7h6c5d/2c2d3h4s5c", False, False),
        ("AsKh7d/AcKd6h5c4d/2c2d3h4s5c", True, True),
        ("3s3h3d/4s4h4dKcQd/2s3c4c5s6h", False, False),
        ("3s3h3d/2s2h2dKcQd/2c3c4c5s6h", True, True),
        ("AsAhAd/2s3d4h5c6s/7s8d9hTcJs", False, False),
        ("2s2h2d/AsAhKdKc3s/3c4c5s6h7d", True, True),
        ("AsAh4d/2s2h3d3c5s/4h5c6s7d8c", False, False),
        ("7s5h3d/2c2d2h4s4c/2s3s4d5c6d", True, True),
        ("7s5h3d/AsKsQsJsTs/AhKhQhJhTh", False, True),
        ("7s5h3d/9c8d7h6s5c/9d8h7s6c5d", False, True),
        ("7s5h3d/AcJc9c5c2c/AdJd9d5d2d", False, True),
        ("7s5h3d/AcAd9c9d2c/AhAs9h9s2d", False, True),
        ("7s5h3d/AcAd9c5d2c/AhAs9h5s2d", False, True),
        ("7s5h3d/Ac2c3c4c5c/Ah2h3h4h5h", False, True),
        ("KhKd3h/AcQh9h6c2d/TdTc5s5d2c", True, True),
    ],
)
def test_rows_in_order_or_dead(board: str, dead: bool, strictly: bool) -> None:
    assert fouled(as_printed(board), ROOM) is dead
    assert fouled(as_printed(board), STRICT) is strictly


def test_where_equality_is_strict_equal_rows_pay_as_dead() -> None:
    equal = Board.parse("QcQdKc/9c8d7h6s5c/9d8h7s6c5d")
    other = Board.parse("Jh4h2c/8h8s3d3cKd/TsTh6d6hAd")
    assert [player.royalties for player in reckon([equal, other], (0, 1), ROOM).players] == [13, 0]
    reckoning = reckon([equal, other], (0, 1), STRICT)
    assert [player.royalties for player in reckoning.players] == [0, 0]
    assert points(reckoning) == [-6, 6]
    assert reckoning.players[0].fantasyland == 0


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("room", [17, -17]),
        ("room foul_points=0", [11, -11]),
        ("room foul_points=10", [21, -21]),
        ("room scoring=2-4", [17, -17]),
        ("club scoring=2-4", [17, -17]),
        ("room scoring=2-4 foul_points=4", [15, -15]),
        ("room royalties=line-winner", [17, -17]),
        ("room royalties=none", [6, -6]),
        ("room royalty_table=early-2013", [15, -15]),
    ],
)
def test_a_dead_hand_pays_its_price_and_all_royalties(rules: str, expected: list[int]) -> None:
    live, dead = Board.parse(P1), Board.parse(P3)
    assert points(reckon([live, dead], (0, 1), RuleSet.parse(rules))) == expected
    assert points(reckon([dead, live], (0, 1), RuleSet.parse(rules))) == expected[::-1]


def test_dead_hands_owe_each_other_nothing_and_each_living_one_all() -> None:
    dead = as_printed(P3)
    for count in (2, 3, 4):
        assert points(reckon([dead] * count, range(count), CLUB)) == [0] * count
    assert points(reckon([as_printed(P1), dead, dead, dead], range(4), CLUB)) == [51, -17, -17, -17]
    assert points(reckon([as_printed(P1), as_printed(P1), dead, dead], range(4), CLUB)) == [34, 34, -34, -34]


# -- royalties

QUADS = ["Kh9d5d/TsTcQd7h2s/3s3h3d3cJh", "Ac8d6s/9s9cQh7d2d/4s4h4d4cJd"]


@pytest.mark.parametrize(
    ("boards", "rules", "royalties", "claim"),
    [
        (QUADS, "net", (10, 10), -1),
        (QUADS, "line-winner", (0, 10), -11),
        (QUADS, "none", (0, 0), -1),
        ([P1, P2], "net", (11, 19), -14),
        ([P1, P2], "line-winner", (0, 19), -25),
        ([P1, P2], "none", (0, 0), -6),
        # the top row wins with its royalty, the others lose without theirs
        (["AsAd4c/8s8h8dKc2h/6s7s8c9dTs", "QsQd5c/9s9h9dKh2c/JhJdJcTcTh"], "net", (13, 15), -3),
        (["AsAd4c/8s8h8dKc2h/6s7s8c9dTs", "QsQd5c/9s9h9dKh2c/JhJdJcTcTh"], "line-winner", (9, 8), 0),
        # a row that is tied pays neither, where only its winner is paid
        (["As9d4c/KsKh8c5d2s/9cTcJcQcKc", "Ah9h4d/QsQh8d5h2h/9dTdJdQdKd"], "net", (15, 15), 1),
        (["As9d4c/KsKh8c5d2s/9cTcJcQcKc", "Ah9h4d/QsQh8d5h2h/9dTdJdQdKd"], "line-winner", (0, 0), 1),
    ],
)
def test_royalties_are_paid_as_agreed(boards: list[str], rules: str, royalties: tuple[int, int], claim: int) -> None:
    for one, two, first in ((0, 1, 1), (1, 0, -1)):
        both = [as_printed(boards[one]), as_printed(boards[two])]
        (pair,) = reckon(both, (0, 1), ROOM.but({"royalties": rules})).pairs
        assert pair.royalties == (royalties if first == 1 else royalties[::-1])
        assert pair.claim == first * claim


def test_what_a_row_earns_is_told_by_the_table_of_the_rules() -> None:
    for table, expected in (("american", [7, 2, 2]), ("early-2013", [7, 0, 2])):
        (player,) = reckon([Board.parse(P1)], (0,), ROOM.but({"royalty_table": table})).players
        assert [row.royalty for row in player.rows] == expected
        assert player.royalties == sum(expected)
    (player,) = reckon([Board.parse(P1)], (0,), ROOM.but({"royalties": "none"})).players
    assert player.royalties == 0


def test_a_single_board_is_told_what_it_is_worth() -> None:
    reckoning = reckon([Board.parse(P2)], (3,), ROOM, stacks=(50,))
    (player,) = reckoning.players
    assert (player.seat, player.points, player.royalties, player.fantasyland, player.stack) == (3, 0, 19, 14, 50)
    assert reckoning.pairs == ()


# -- the second scorer

ROWS_SEEN = [cells.split()[:2] for (cells,) in table_rows("royalties.txt")]


def chance_board(chance: Chance) -> str:
    """A board of rows drawn from the royalties' table or from the deck, in order more often than not; cards repeat."""
    rows: list[str] = []
    for size in (3, 5, 5):
        seen = [cards for _, cards in ROWS_SEEN if len(cards) == 2 * size]
        rows.append("".join(chance.shuffled(DECK)[:size]) if chance.below(2) else chance.pick(seen))
    if chance.below(4):
        rows[1:] = sorted(rows[1:], key=second_scorer.said)
    if chance.below(3) == 0:
        rows[0] = chance.pick(["AsKhQd", "2s3h4d", "2s2h3d", "QsQh2d", "AsAhKd", "2s2h2d"])
    if chance.below(8) == 0:
        rows[2] = rows[1]
    return "/".join(rows)


@pytest.mark.parametrize("part", range(4))
def test_a_second_scorer_comes_to_the_same(part: int) -> None:
    seen = {"dead": 0, "live": 0, "skipped": 0, "stays": 0, "fantasyland": 0, "tied": 0, "scoop": 0}
    for number in range(2500):
        chance = Chance(f"score {part} {number}")
        rules = chance_rules(chance)
        players = 2 + chance.below(3)
        boards = [chance_board(chance) for _ in range(players)]
        stacks = [chance.pick((0, 3, 20, 50, 100, 1000)) for _ in range(players)] if chance.below(3) else None
        fantasyland = [chance.pick((0, 0, 14)) for _ in range(players)]
        repeats = [chance.below(3) for _ in range(players)]
        seats = chance.shuffled(range(4))[:players]
        ours = reckon(
            [as_printed(board) for board in boards],
            seats,
            rules,
            stacks=stacks,
            fantasyland=fantasyland,
            repeats=repeats,
        )
        lays = list(zip(fantasyland, repeats, strict=True))
        theirs = second_scorer.reckoned(boards, seats, rules.values, stacks, lays)
        assert ours == msgspec.convert(theirs, Reckoning), (boards, str(rules), stacks)
        for player in ours.players:
            seen["dead" if player.foul else "live"] += 1
            seen["stays"] += player.stays
            seen["fantasyland"] += player.fantasyland > 0
        for pair in ours.pairs:
            seen["skipped"] += pair.skipped
            seen["tied"] += 0 in pair.rows and any(pair.rows)
            seen["scoop"] += pair.scoop != 0
    assert min(seen.values()) > 100, seen


# -- for any boards


@given(st.integers(2, 4).flatmap(boards_of), any_rules())
def test_points_sum_to_zero_and_to_the_pairs(boards: list[Board], rules: RuleSet) -> None:
    reckoning = reckon(boards, range(len(boards)), rules)
    assert sum(points(reckoning)) == 0
    for player in reckoning.players:
        won = sum(pair.claim for pair in reckoning.pairs if pair.seats[0] == player.seat)
        lost = sum(pair.claim for pair in reckoning.pairs if pair.seats[1] == player.seat)
        assert player.points == won - lost
    for pair in reckoning.pairs:
        difference = pair.royalties[0] - pair.royalties[1]
        assert pair.claim == sum(pair.rows) + pair.scoop + pair.foul + difference


@given(boards_of(2), any_rules())
def test_a_pair_seen_from_the_other_side_is_its_opposite(boards: list[Board], rules: RuleSet) -> None:
    (there,), (back,) = (reckon(order, (0, 1), rules).pairs for order in (boards, boards[::-1]))
    assert back.rows == tuple(-row for row in there.rows)
    assert (back.scoop, back.foul, back.claim) == (-there.scoop, -there.foul, -there.claim)
    assert back.royalties == there.royalties[::-1]


@given(boards_of(4), st.permutations(range(4)), any_rules())
def test_who_sits_where_changes_nobodys_points(boards: list[Board], order: list[int], rules: RuleSet) -> None:
    seated = points(reckon(boards, range(4), rules))
    assert points(reckon([boards[player] for player in order], range(4), rules)) == [seated[one] for one in order]


@given(boards_of(3), st.data(), any_rules())
def test_the_order_within_a_row_changes_nothing(boards: list[Board], data: st.DataObject, rules: RuleSet) -> None:
    turned = [Board(*(tuple(data.draw(st.permutations(board.row(row)))) for row in ROWS)) for board in boards]
    assert reckon(turned, range(3), rules) == reckon(boards, range(3), rules)


@given(boards_of(3), st.permutations(list(Suit)), any_rules())
def test_suits_are_equal(boards: list[Board], suits: list[Suit], rules: RuleSet) -> None:
    other = dict(zip(Suit, suits, strict=True))

    def resuited(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(f"{card.rank}{other[card.suit]}") for card in cards)

    changed = [Board(*(resuited(board.row(row)) for row in ROWS)) for board in boards]
    assert reckon(changed, range(3), rules) == reckon(boards, range(3), rules)


@given(boards_of(2), any_rules())
def test_dead_boards_bring_no_royalties_and_two_owe_each_other_nothing(boards: list[Board], rules: RuleSet) -> None:
    reckoning = reckon(boards, (0, 1), rules)
    (pair,) = reckoning.pairs
    dead = [player.foul for player in reckoning.players]
    assert all(player.royalties == 0 for player in reckoning.players if player.foul)
    if all(dead):
        assert pair.claim == 0
    elif any(dead):
        legal = reckoning.players[dead.index(False)]
        assert legal.points == rules.foul_points + legal.royalties
        assert pair.rows == (0, 0, 0)


def test_a_board_is_laid_before_it_is_reckoned() -> None:
    with pytest.raises(ValueError, match="not three or five cards"):
        reckon([Board().place(Placement.parse("As/-/-")), Board.parse(P1)], (0, 1), ROOM)
