"""The rule book, chapters 4 to 7: the dead hand, points, royalties, payment."""

from __future__ import annotations

from itertools import product

import pytest

from ananas.game.board import Board, Row
from ananas.game.cards import parse_cards
from ananas.game.royalties import EARLY_2013, ROYALTY_TABLES, VEGAS_2013, RoyaltyTable, royalty
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, PROGRESSIVE, ROOM, RuleSet
from ananas.game.scoring import fouled, reckon
from ananas.game.settlement import Claim, settle
from ananas.game.strength import Category, strength
from ananas.refused import Refused
from tests.rules.book import (
    ALSO_DEAD,
    BOOKS,
    DEAD,
    LEGAL,
    PLAIN,
    Evening,
    paragraphs,
    points,
    reckoned,
    table_rows,
)
from tests.rules.test_hand import LADDER

TWO_FOUR = RuleSet.parse("room scoring=2-4")


def worth(cards: str) -> int:
    return strength(parse_cards(cards))


# -- 4. The dead hand


def test_4_1_rows_out_of_order() -> None:
    assert fouled(Board.parse(DEAD), ROOM)
    assert fouled(Board.parse("7s5h3d/2c2d2h4s4c/As3s4dTc6d"), ROOM)
    assert not fouled(Board.parse(LEGAL), ROOM)
    equal = Board.parse("7s5h3d/9c8d7h6s5c/9d8h7c6c5d")
    assert not fouled(equal, ROOM)
    assert fouled(equal, RuleSet.parse("room equality=strict"))
    assert {rules.equality for rules in (ROOM, CLUB, CLUB_PINEAPPLE, PROGRESSIVE)} == {"allowed"}


def test_4_2_top_and_middle() -> None:
    for language, dead in (("en", "dead"), ("ru", "мёртвая")):
        _, *rows = table_rows("4.2", language)
        assert len(rows) == 10
        for top, middle, verdict in rows:
            # The bottom beats every middle; that it may repeat a card makes no difference here.
            board = Board(parse_cards(top), parse_cards(middle), parse_cards("ThJhQhKhAh"))
            assert fouled(board, ROOM) == verdict.startswith(dead), f"{top} {middle}"


def test_4_3_six_and_the_others_royalties() -> None:
    reckoning = reckoned(LEGAL, DEAD)
    assert [player.foul for player in reckoning.players] == [False, True]
    assert [player.points for player in reckoning.players] == [6 + 11, -6 - 11]
    assert [player.royalties for player in reckoning.players] == [11, 0]
    assert reckoning.pairs[0].rows == (0, 0, 0)
    assert ROOM.foul_points == 6
    assert points(LEGAL, DEAD, rules=RuleSet.parse("room foul_points=3")) == [14, -14]


def test_4_4_two_dead_hands() -> None:
    assert points(DEAD, ALSO_DEAD) == [0, 0]
    assert points(LEGAL, DEAD, ALSO_DEAD) == [34, -17, -17]
    play = Evening(ROOM, "ann bob", {0: DEAD, 1: ALSO_DEAD})
    play.play()
    assert [seat.stack for _, seat in play.table.seated] == [50, 50]


# -- 5. Points


def test_5_1_a_row_is_a_point() -> None:
    (pair,) = reckoned("Ac9d4s/KhKd8s6c2d/2h2s5h5s3c", "Ks8c6h/AsAd9h5d2c/3h3d4h4dTc").pairs
    assert (pair.rows, pair.claim) == ((1, -1, 1), 1)
    (pair,) = reckoned("AcKd7s/JhJd9s5c2d/QhQd8s6c4d", "AsKh7c/JsJc9h5d2c/QsQc8h6d3s").pairs
    assert (pair.rows, pair.claim) == ((0, 0, 1), 1)
    assert len(reckoned(LEGAL, DEAD, PLAIN).pairs) == 3


def test_5_2_three_more_for_all_rows() -> None:
    assert ROOM.scoring == "1-6"
    assert points("Ac9d4s/KhKd8s6c2d/AhAdQsTc3h", "Ks8c3s/JhJd9h5d2c/QhQcAs7c4d") == [3 + 3, -3 - 3]
    (pair,) = reckoned("Ac9d4s/KhKd8s6c2d/AhAdQsTc3h", "As9c4d/JhJd9h5d2c/QhQc8c7c3d").pairs
    assert (pair.rows, pair.scoop, pair.claim) == ((0, 1, 1), 0, 2)


def test_5_3_one_more_for_two_rows_or_three() -> None:
    all_rows = "Ac9d4s/KhKd8s6c2d/AhAdQsTc3h"
    assert points(all_rows, "Ks8c3s/JhJd9h5d2c/QhQcAs7c4d", rules=TWO_FOUR) == [3 + 1, -3 - 1]
    (pair,) = reckoned("Ac9d4s/KhKd8s6c2d/2h2s5h5s3c", "Ks8c6h/AsAd9h5d2c/3h3d4h4dTc", rules=TWO_FOUR).pairs
    assert (pair.rows, pair.scoop, pair.claim) == ((1, -1, 1), 1, 2)
    assert points(LEGAL, DEAD, rules=TWO_FOUR) == [17, -17]


def test_5_4_what_rows_bring() -> None:
    tops = {1: "Ah9s2d", 0: "Kh9s2d", -1: "Qh9s2d"}
    middles = {1: "AcAd5s4s3s", 0: "KcKd5s4s3s", -1: "QcQd5s4s3s"}
    bottoms = {1: "8c8d8hJsTs", 0: "7c7d7hJsTs", -1: "6c6d6hJsTs"}
    found: dict[str, dict[tuple[int, int, int], set[int]]] = {"1-6": {}, "2-4": {}}
    for scoring, rules in (("1-6", ROOM), ("2-4", TWO_FOUR)):
        for rows in product((1, 0, -1), repeat=3):
            board = f"{tops[rows[0]]}/{middles[rows[1]]}/{bottoms[rows[2]]}"
            (pair,) = reckoned(board, f"{tops[0]}/{middles[0]}/{bottoms[0]}", rules=rules).pairs
            assert pair.rows == rows
            found[scoring].setdefault((rows.count(1), rows.count(0), rows.count(-1)), set()).add(pair.claim)
    for language in BOOKS:
        kinds, *systems = table_rows("5.4", language)
        won = [tuple(map(int, kind.split(", "))) for kind in kinds[1:]]
        assert set(won) | {kind[::-1] for kind in won} == set(found["1-6"])
        for scoring, *brought in systems:
            for kind, claim in zip(won, map(int, brought), strict=True):
                assert found[scoring][kind[0], kind[1], kind[2]] == {claim}
                assert found[scoring][kind[2], kind[1], kind[0]] == {-claim}


def test_5_5_sums() -> None:
    reckoning = reckon([Board.parse(board) for board in (LEGAL, DEAD, PLAIN)], (2, 0, 1), ROOM)
    assert [player.points for player in reckoning.players] == [27, -25, -2]
    assert sum(player.points for player in reckoning.players) == 0
    for player in reckoning.players:
        gained = sum(pair.claim for pair in reckoning.pairs if pair.seats[0] == player.seat)
        assert player.points == gained - sum(pair.claim for pair in reckoning.pairs if pair.seats[1] == player.seat)
    best = reckoned(LEGAL, DEAD, PLAIN, stacks=(1, 50, 50)).players
    assert max(best, key=lambda player: player.points).seat == 0
    assert max(best, key=lambda player: player.won or 0).seat == 2


# -- 6. Royalties


def test_6_1_the_difference_of_royalties() -> None:
    assert ROOM.royalties == "net"
    (pair,) = reckoned("Kc9d4s/QhQd8s6c2d/AsJs9s5s2s", "Ac9c4d/KhKd8h6d2c/AdAh7h4h3h").pairs
    assert (pair.rows, pair.royalties, pair.claim) == ((-1, -1, 1), (4, 0), -1 + 4)
    (pair,) = reckoned("Kc9d4s/QhQd8s6c2d/KsJs9s5s3s", "Ac8c4d/KhKd7h6d2c/ThJh9h4h2h").pairs
    assert (pair.rows, pair.royalties, pair.claim) == ((-1, -1, 1), (4, 4), -1)
    # The higher quads win the row; what both earn for them cancels out.
    (pair,) = reckoned("Kc9d4s/QhQd8s6c2d/3s3d3h3cTs", "Ac8c5h/KhKd7h6d2c/4s4d4h4cTd").pairs
    assert (pair.rows[2], pair.royalties) == (-1, (10, 10))
    assert sum(pair.rows) + pair.scoop == pair.claim


def test_6_2_royalties_for_rows_won_or_none_at_all() -> None:
    winner = RuleSet.parse("room royalties=line-winner")
    threes, fours = "Kc9d4s/QhQd8s6c2d/3s3d3h3cTs", "6c6d5h/9c9d7h6h2c/4s4d4h4cTd"
    (pair,) = reckoned(threes, fours, rules=winner).pairs
    assert (pair.rows, pair.royalties, pair.claim) == ((-1, 1, -1), (0, 1 + 10), -1 - 11)
    (tied,) = reckoned("Ac9d4s/QhQd8s6c2d/AsJs9s5s2s", "Kc9c4d/KhKd8h6d2c/AhJh9h5h2h", rules=winner).pairs
    assert (tied.rows, tied.royalties, tied.claim) == ((1, -1, 0), (0, 0), 0)
    assert points(LEGAL, DEAD, rules=winner) == [17, -17]
    none = RuleSet.parse("room royalties=none")
    assert points(threes, fours, rules=none) == [-1, 1]
    assert points(LEGAL, DEAD, rules=none) == [6, -6]


def test_6_3_royalties_on_top() -> None:
    for language in BOOKS:
        pairs, pair_points, trips, trips_points = (row[1:] for row in table_rows("6.3", language))
        for held, earned in zip((*pairs, *trips), (*pair_points, *trips_points), strict=True):
            kicker = "" if len(held) == 3 else "2c"
            cards = "".join(map("".join, zip(held, "shd", strict=False))) + kicker
            assert royalty(Row.TOP, worth(cards), ROOM.royalty_table) == int(earned), held


KINDS = ["2c2d2h4s3c", "TcJdQhKsAc", "AsKsQsJs9s", "AcAdAhKsKc", "AcAdAhAsKc", "9hThJhQhKh", "ThJhQhKhAh"]


def below(table: RoyaltyTable, number: str, language: str) -> None:
    """The middle and the bottom of a table are those printed in a paragraph."""
    _, middle, bottom = (row[1:] for row in table_rows(number, language))
    assert [royalty(Row.MIDDLE, worth(cards), table) for cards in KINDS] == [int(cell) for cell in middle]
    assert [royalty(Row.BOTTOM, worth(cards), table) for cards in KINDS] == [int(cell) for cell in bottom]


def test_6_4_royalties_below() -> None:
    for language in BOOKS:
        below(ROOM.royalty_table, "6.4", language)


def test_6_5_nothing_for_the_rest() -> None:
    for cards in ("2s2hAd", "5s5hAd", "AsKhQd"):
        assert royalty(Row.TOP, worth(cards)) == 0
    for category in (Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR):
        assert royalty(Row.MIDDLE, worth(LADDER[category])) == royalty(Row.BOTTOM, worth(LADDER[category])) == 0


def test_6_6_other_tables() -> None:
    assert set(ROYALTY_TABLES) == {"american", "vegas-2013", "early-2013"}
    for rank in "23456789TJQKA":
        assert royalty(Row.TOP, worth(f"{rank}s{rank}h{rank}d"), VEGAS_2013) == 20
        for table in (VEGAS_2013, EARLY_2013):
            kicker = "3c" if rank == "2" else "2c"
            pair = worth(f"{rank}s{rank}h{kicker}")
            assert royalty(Row.TOP, pair, table) == royalty(Row.TOP, pair)
        trips = worth(f"{rank}s{rank}h{rank}d")
        assert royalty(Row.TOP, trips, EARLY_2013) == royalty(Row.TOP, trips)
    for language in BOOKS:
        below(VEGAS_2013, "6.4", language)
        below(EARLY_2013, "6.6", language)
    assert points(LEGAL, DEAD, rules=RuleSet.parse("room royalty_table=early-2013")) == [6 + 7 + 0 + 2, -15]


def test_6_7_a_table_of_ones_own() -> None:
    lists = ",".join(map(str, range(13))) + "/" + ",".join(["20"] * 13) + "/1,2,3,4,5,6,7/0,0,0,0,0,0,1000"
    table = RuleSet.parse(f"room royalty_table={lists}").royalty_table
    assert [royalty(Row.MIDDLE, worth(cards), table) for cards in KINDS] == [1, 2, 3, 4, 5, 6, 7]
    assert royalty(Row.BOTTOM, worth(KINDS[-1]), table) == 1000
    assert royalty(Row.TOP, worth("2s2hAd"), table) == 0
    assert royalty(Row.TOP, worth("AsAd2c"), table) == 12
    for wrong in ("1,2/3/4/5", lists.replace("1000", "1001"), lists.replace("/1,2", "/-1,2"), "swedish"):
        with pytest.raises(Refused):
            RuleSet.parse(f"room royalty_table={wrong}")


# -- 7. Payment


def test_7_1_the_order_of_pairs() -> None:
    four = (LEGAL, PLAIN, DEAD, ALSO_DEAD)
    for players in (2, 3, 4):
        reckoning = reckoned(*four[:players])
        order = [f"{pair.seats[0] + 1}-{pair.seats[1] + 1}" for pair in reckoning.pairs]
        for language in BOOKS:
            told = paragraphs(language)["7.1"].split(":")[1].split(";")[players - 2]
            assert [word.strip(" ,.") for word in told.split() if "-" in word] == order
    play = Evening(ROOM, "ann bob cyd", {0: DEAD, 1: LEGAL, 2: PLAIN})
    play.ready("ann", "bob", "cyd")
    play.lay_all()
    assert play.hand.seats == (1, 2, 0)
    scored = play.hand.reckoning
    assert scored is not None
    assert [pair.seats for pair in scored.pairs] == [(1, 2), (1, 0), (2, 0)]
    assert [(pair.claim, pair.transfer) for pair in scored.pairs] == [(10, 10), (17, 17), (8, 8)]
    assert [player.stack for player in scored.players] == [50 + 27, 50 - 2, 50 - 25]


def example(language: str) -> list[str]:
    """The boards of the example, as printed."""
    _, *rows = table_rows("7.2", language)
    return ["/".join(cell.strip("` ") for cell in row[1:4]) for row in rows]


def test_7_2_the_example() -> None:
    for language in BOOKS:
        reckoning = reckoned(*example(language))
        assert [player.points for player in reckoning.players] == [3, 39, -42]
        assert [pair.claim for pair in reckoning.pairs] == [-14, 17, 25]
        assert "+3, +39, -42" in paragraphs(language)["7.2"]
        for player, row in zip(reckoning.players, table_rows("7.2", language)[1:], strict=True):
            sum_of_rows = " + ".join(str(result.royalty) for result in player.rows)
            assert player.foul or row[4] == f"{sum_of_rows} = {player.royalties}"
        cards = [card for board in example(language) for card in Board.parse(board).cards]
        assert len(set(cards)) == len(cards)


def test_7_3_no_more_than_either_has() -> None:
    assert ROOM.settlement_cap == "both"
    assert settle([Claim(first=0, second=1, points=14)], (50, 10), "both")[1] == (60, 0)
    assert settle([Claim(first=0, second=1, points=14)], (5, 45), "both")[1] == (10, 40)
    # What he has gained a moment ago counts.
    claims = [Claim(first=0, second=1, points=14), Claim(first=0, second=2, points=25)]
    assert settle(claims, (5, 45, 50), "both")[1] == (20, 40, 40)


def test_7_4_other_caps() -> None:
    claims = [Claim(first=0, second=1, points=14), Claim(first=0, second=2, points=25)]
    assert settle(claims, (5, 45, 50), "loser")[1] == (5 + 39, 31, 25)
    assert settle([Claim(first=0, second=1, points=14)], (50, 10), "loser")[1] == (60, 0)
    assert settle([Claim(first=0, second=1, points=14)], (50, 10), "none")[1] == (64, -4)


def test_7_5_who_has_nothing_left_is_skipped() -> None:
    for later in (17, -17):
        claims = [Claim(first=0, second=1, points=-14), Claim(first=0, second=2, points=later)]
        for cap in ("both", "loser"):
            payments, stacks = settle(claims, (10, 40, 50), cap)
            assert (payments[1].moved, payments[1].skipped, stacks) == (0, True, (0, 50, 50))
        payments, _ = settle(claims, (10, 40, 50), "none")
        assert (payments[1].moved, payments[1].skipped) == (later, False)


def test_7_6_the_rest_is_void() -> None:
    play = Evening(RuleSet.parse("room seats=2-2 buy_in=10-100"), "ann bob", {0: DEAD, 1: LEGAL}, {0: PLAIN, 1: DEAD})
    play.ready("ann", "bob")
    play.lay_all()
    assert [seat.stack for _, seat in play.table.seated] == [0, 20]
    # Seven of the seventeen points were not paid, and nobody owes them: Ann has what she brings.
    play.top_up("ann", 10)
    assert [seat.stack for _, seat in play.table.seated] == [10, 20]


def check_examples(number: str, language: str) -> None:
    """Every line of a table of payments is what the reckoning says."""
    boards = [*example(language), PLAIN]
    (_, _, _, *pairs, _), *lines = table_rows(number, language)
    for which, stacks, cap, *moved, after in lines:
        reckoning = reckoned(
            *(boards[int(board) - 1] for board in which.split(", ")),
            rules=ROOM.but({"settlement_cap": cap}),
            stacks=[int(stack) for stack in stacks.split(", ")],
        )
        assert [f"{pair.seats[0] + 1}-{pair.seats[1] + 1}" for pair in reckoning.pairs] == pairs
        told = ["skipped" if cell in {"no chips", "нет кушей"} else cell for cell in moved]
        assert told == ["skipped" if pair.skipped else str(pair.transfer) for pair in reckoning.pairs], which
        assert after == ", ".join(str(player.stack) for player in reckoning.players)


def test_7_7_three_players() -> None:
    for language in BOOKS:
        check_examples("7.7", language)


def test_7_8_two_players() -> None:
    for language in BOOKS:
        check_examples("7.8", language)
        assert points(example(language)[0], example(language)[2]) == [17, -17]


def test_7_9_four_players() -> None:
    for language in BOOKS:
        assert f"`{PLAIN}`".replace("/", "` / `") in paragraphs(language)["7.9"]
        check_examples("7.9", language)
    assert reckoned(PLAIN).players[0].royalties == 2
    cards = [card for board in (*example("en"), PLAIN) for card in Board.parse(board).cards]
    assert len(set(cards)) == len(cards) == 52
