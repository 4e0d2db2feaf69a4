"""The rule book, chapters 1 to 3: the game, a hand, what a row is worth."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest

from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import DECK, Suit, parse_cards
from ananas.game.hand import Hand
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, ROOM, RuleSet
from ananas.game.scoring import reckon
from ananas.game.strength import Category, category_of, strength
from ananas.refused import Refused
from ananas.table.commands import ChangeRules, Confirm, Open
from ananas.table.decide import advance
from ananas.table.events import HandDealt, Opened, RulesChanged
from tests.rules.book import laid_to_the_end, paragraphs, refusal, refused, shown_hand
from tests.table.play import Play, legal, unfinished


def worth(cards: str) -> int:
    return strength(parse_cards(cards))


# -- 1. The game


def test_1_1_two_to_four_and_one_deck() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert (ROOM.seats, CLUB.seats) == ((2, 3), (2, 4))
    for rules in (ROOM, CLUB):
        for players in range(2, rules.seats[1] + 1):
            hand = laid_to_the_end(Hand.deal(rules, DECK, range(players)))
            assert len({card for board in hand.boards for card in board.cards}) == 13 * players
        for wrong in (1, rules.seats[1] + 1):
            with pytest.raises(ValueError, match="cannot play"):
                Hand.deal(rules, DECK, range(wrong))
    for one, other in combinations(Suit, 2):
        assert worth(f"A{one}K{one}9{one}5{one}2{one}") == worth(f"A{other}K{other}9{other}5{other}2{other}")


def test_1_2_three_rows() -> None:
    assert [(row.value, row.size) for row in ROWS] == [("top", 3), ("middle", 5), ("bottom", 5)]
    assert Board.parse("AsAdAh/2s3s4s5s6s/7s8s9sTsJs").full


def test_1_3_points_when_all_boards_are_full() -> None:
    hand = Hand.deal(ROOM, DECK, (0, 1))
    while hand.acting:
        assert hand.reckoning is None
        player = hand.acting[0]
        hand = hand.place(player, hand.automatic(player, None))
    assert all(board.full for board in hand.boards)
    assert not set(hand.boards[0].cards) & set(hand.boards[1].cards)
    assert hand.reckoning == reckon(hand.boards, (0, 1), ROOM)


def test_1_4_rules_are_chosen_when_the_table_is_opened() -> None:
    own = RuleSet.parse("club-pineapple foul_points=3")
    assert (own.foul_points, own.street_one, own.changes) == (3, "closed", {"foul_points": "3"})
    for impossible in ("room seats=4-4", "room place=5,3,3,3,3", "room lock=on-place", "house"):
        with pytest.raises(Refused) as caught:
            RuleSet.parse(impossible)
        assert caught.value.code == "bad-rule"
        assert caught.value.args_by_name["detail"]
    play = Play(own, "ann bob")
    with pytest.raises(ValueError, match="open table"):
        advance(play.table, Open(table="t1", name="Friday", host="ann", rules=ROOM), play.now)
    play.ready("ann", "bob")
    play.finish()
    assert [type(event) for event in play.log if isinstance(event, Opened | RulesChanged)] == [Opened]
    assert [event.rules for event in play.log if isinstance(event, HandDealt)] == [str(own)]
    assert play.table.rules == play.hand.rules == own
    play.ask(ChangeRules(player="ann", rules=ROOM))
    play.ready("ann", "bob")
    assert play.table.rules == play.hand.rules == ROOM
    with pytest.raises(Refused) as caught:
        play.ask(ChangeRules(player="ann", rules=own))
    assert caught.value.code == "match-running"


# -- 2. A hand


def test_2_1_the_button_acts_last() -> None:
    for players, order in (("ann bob cyd", [1, 2, 0]), ("ann bob", [1, 0])):
        play = Play(ROOM, players, lot=0)
        play.ready(*players.split())
        hand = shown_hand(play, None)
        assert [player.seat for player in hand.players] == order
        assert hand.button == 0
        for seat in order:
            assert [player.seat for player in shown_hand(play, None).players if player.acting] == [seat]
            play.confirm()


def test_2_2_streets() -> None:
    in_threes = [(5, 5, 0), (3, 2, 1), (3, 2, 1), (3, 2, 1), (3, 2, 1)]
    for rules, streets in ((ROOM, in_threes), (CLUB_PINEAPPLE, in_threes), (CLUB, [(5, 5, 0), *[(1, 1, 0)] * 8])):
        hand = Hand.deal(rules, DECK, (0, 1))
        seen: list[tuple[int, int, int]] = []
        while hand.acting:
            player = hand.acting[0]
            placement = hand.automatic(player, None)
            if player == 0:
                seen.append((len(hand.dealt(player)), len(placement.laid), len(placement.discards)))
            hand = hand.place(player, placement)
        assert seen == streets


def test_2_3_street_by_street_and_cards_when_the_turn_comes() -> None:
    for rules in (ROOM, CLUB):
        hand = Hand.deal(rules, DECK, (0, 1, 2))
        turns: list[tuple[int, int]] = []
        while hand.acting:
            (player,) = hand.acting
            turns.append((hand.street_of(player), player))
            assert [bool(hand.dealt(other)) for other in range(3)] == [other == player for other in range(3)]
            hand = hand.place(player, hand.automatic(player, None))
        assert turns == list(product(range(1, rules.streets + 1), range(3)))


def test_2_4_any_row_that_has_room() -> None:
    hand = Hand.deal(ROOM, DECK, (0, 1))
    for text in ("2c3c4c/5c6c/-", "-/2c3c4c5c6c/-", "-/-/2c3c4c5c6c", "2c/3c/4c5c6c", "6c/-/5c4c3c2c"):
        assert str(hand.place(0, Placement.parse(text)).boards[0]) == text
    assert refusal(hand, 0, "2c3c4c5c/6c/-") == "row-full"


def test_2_5_arranged_until_confirmed_and_then_never() -> None:
    play = Play(ROOM, "ann bob")
    play.ready("ann", "bob")
    for choice in range(20):
        play.hand.check_draft(0, unfinished(play.hand, choice))
    play.confirm(7)
    board = play.hand.boards[0]
    again = Confirm(player="bob", hand=1, street=1, placement=play.hand.placements[0][0])
    assert refused(play, again) == "turn-over"
    play.confirm()
    text = f"{board.cards[0]}/-/- x{board.cards[1]}{board.cards[2]}"
    assert refusal(play.hand, 0, text) == "cards-not-yours"
    play.finish()
    after = play.hand.boards[0]
    assert all(after.row(row)[: len(board.row(row))] == board.row(row) for row in ROWS)


def test_2_6_only_whole_streets() -> None:
    first = Hand.deal(ROOM, DECK, (0, 1))
    second = first.place(0, Placement.parse("-/-/2c3c4c5c6c")).place(1, Placement.parse("-/-/2h3h4h5h6h"))
    before = repr(second)
    assert refusal(first, 0, "-/-/2c3c4c5c") == "wrong-count"
    assert refusal(second, 0, "-/7c/- x8c9c") == "wrong-count"
    assert refusal(second, 0, "-/7c8c9c/-") == "wrong-count"
    assert refusal(second, 0, "-/7c8c/-") == "not-discarded"
    assert refusal(second, 0, "-/7cAs/- x8c") == "cards-not-yours"
    assert repr(second) == before
    assert second.place(0, Placement.parse("-/7c8c/- x9c")).street_of(0) == 3


def test_2_7_ones_cards_are_ones_own_from_the_start() -> None:
    for seats, share in ((2, 26), (3, 17)):
        for choice in (0, 3, 5):
            hand = Hand.deal(ROOM, DECK, range(seats))
            received: dict[int, str] = dict.fromkeys(range(seats), "")
            while hand.acting:
                player = hand.acting[0]
                received[player] += "".join(hand.dealt(player))
                hand = hand.place(player, legal(hand, choice))
            for player in range(seats):
                assert received[player] == "".join(DECK[player * share : player * share + 17])


# -- 3. What a row is worth


LADDER = {
    Category.HIGH_CARD: "AsKhQdJc9s",
    Category.PAIR: "2c2d5h4s3c",
    Category.TWO_PAIR: "3c3d2h2s4c",
    Category.TRIPS: "2c2d2h4s3c",
    Category.STRAIGHT: "Ac2d3h4s5c",
    Category.FLUSH: "7s5s4s3s2s",
    Category.FULL_HOUSE: "2c2d2h3s3c",
    Category.QUADS: "2c2d2h2s3c",
    Category.STRAIGHT_FLUSH: "Ah2h3h4h5h",
}


def test_3_1_the_ladder() -> None:
    assert [category_of(worth(cards)) for cards in LADDER.values()] == list(LADDER)
    strengths = [worth(cards) for cards in (*LADDER.values(), "ThJhQhKhAh")]
    assert strengths == sorted(strengths)
    assert category_of(worth("ThJhQhKhAh")) is Category.STRAIGHT_FLUSH
    named = re.findall(r"[a-z][a-z ]*", paragraphs("en")["3.1"].split(":")[1].split(".")[0])
    assert [name.strip().replace(" ", "-") for name in named] == [category.value for category in LADDER]


def test_3_2_three_kinds_on_top() -> None:
    found = {category_of(strength(cards)) for cards in combinations(DECK, 3)}
    assert found == {Category.HIGH_CARD, Category.PAIR, Category.TRIPS}
    assert category_of(worth("QsJsTs")) is Category.HIGH_CARD


def test_3_3_no_straight_goes_on_beyond_the_ace() -> None:
    ranks = "A23456789TJQKA"
    runs = [ranks[start : start + 5] for start in range(10)]
    straights = [worth("".join(map("".join, zip(run, "cdhsc", strict=True)))) for run in runs]
    assert straights == sorted(straights)
    assert all(category_of(one) is Category.STRAIGHT for one in straights)
    for cards in ("KcAd2h3s4c", "QcKdAh2s3c", "JcQdKhAs2c"):
        assert category_of(worth(cards)) is Category.HIGH_CARD


def test_3_4_ranks_by_weight_then_kickers_never_suits() -> None:
    assert worth("3c3d3h2s2c") > worth("2h2d2cAsAc")
    assert worth("AcAd2h2sKc") > worth("KhKsQhQd9c")
    assert worth("8c8dAh7s3c") > worth("8h8sAc7d2h")
    assert worth("AsKhQdJc8s") < worth("AcKdQsJh9c")
    assert worth("AsQs9s4s2s") == worth("AhQh9h4h2h")


def test_3_5_the_middle_is_stronger_where_the_top_has_no_more_cards() -> None:
    assert worth("QsQhKd") < worth("QcQdKh3c2d")
    assert worth("QsQhKd") > worth("QcQdJhTc9d")
    assert worth("AsKh7d") < worth("AcKd7h3c2d")
    three = {strength(cards) for cards in combinations(DECK, 3)}
    assert not three & {worth(cards) for cards in LADDER.values()}
