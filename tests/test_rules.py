"""The rule book, paragraph by paragraph: each has a test of its number here, and both languages say the same."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import msgspec
import pytest

from ananas.deal import LOTS
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Suit, parse_cards
from ananas.game.hand import Hand
from ananas.game.royalties import royalty
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import Reckoning, fouled, reckon
from ananas.game.strength import Category, category_of, strength
from ananas.game.view import HandView, view_hand
from ananas.refused import Code, Refused
from ananas.table.clock import deadline
from ananas.table.commands import Confirm, Deal, Ready, Resume, Sit, TimeOut
from ananas.table.events import AutoPlaced, HandScored, Left, SatOut, TimedOut
from ananas.table.state import needs_deck
from ananas.table.view import Live, view_table
from tests.table.play import Play, deck, legal, unfinished

DOCS = Path(__file__).parents[1] / "docs"
BOOKS = {language: (DOCS / name).read_text() for language, name in (("en", "rules.md"), ("ru", "rules.ru.md"))}

TWO = RuleSet(seats=2)
THREE = RuleSet(seats=3)


def paragraphs(language: str) -> dict[str, str]:
    """The numbered paragraphs of a book, as printed: number and text up to the next number or heading."""
    parts = re.split(r"^(?:\*\*(\d+\.\d+)\.\*\* |## .*$)", BOOKS[language], flags=re.MULTILINE)
    return {number: text.strip() for number, text in zip(parts[1::2], parts[2::2], strict=True) if number}


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def table_rows(number: str, language: str) -> list[list[str]]:
    """The cells of the tables that stand in a paragraph."""
    lines = [line for line in paragraphs(language)[number].splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_every_paragraph_has_a_test_and_every_test_a_paragraph() -> None:
    tested = [match.groups() for name in globals() if (match := re.match(r"test_(\d+)_(\d+)_\w+", name))]
    assert [f"{chapter}.{paragraph}" for chapter, paragraph in tested] == list(paragraphs("en"))


def test_paragraphs_are_counted_without_gaps() -> None:
    printed = re.findall(r"^\*\*(\d+)\.(\d+)\.\*\* ", BOOKS["en"], re.MULTILINE)
    chapters = re.findall(r"^## (\d+)\. ", BOOKS["en"], re.MULTILINE)
    assert chapters == [str(place + 1) for place in range(len(chapters))]
    for chapter in chapters:
        own = [int(paragraph) for number, paragraph in printed if number == chapter]
        assert own == list(range(1, len(own) + 1))


def test_both_languages_have_the_same_paragraphs_with_the_same_figures() -> None:
    assert list(paragraphs("en")) == list(paragraphs("ru"))
    for number, text in paragraphs("en").items():
        assert numbers(text) == numbers(paragraphs("ru")[number]), number
    for language, book in BOOKS.items():
        assert len(re.findall(r"^\*\*\d", book, re.MULTILINE)) == len(paragraphs(language))


# -- small things that many paragraphs need


def refusal(hand: Hand, player: int, text: str) -> Code:
    with pytest.raises(Refused) as caught:
        hand.place(player, Placement.parse(text))
    return caught.value.code


def laid_to_the_end(hand: Hand) -> Hand:
    while (player := hand.turn) is not None:
        hand = hand.place(player, hand.automatic(player, None))
    return hand


def points(*boards: str, rules: RuleSet = ROOM) -> list[int]:
    return [player.points for player in reckoned(*boards, rules=rules).players]


def reckoned(*boards: str, rules: RuleSet = ROOM) -> Reckoning:
    return reckon([Board.parse(board) for board in boards], range(len(boards)), rules)


def worth(cards: str) -> int:
    return strength(parse_cards(cards))


def views(hand: Hand, drafts: dict[int, Placement]) -> dict[int | None, HandView]:
    """What each seat and a spectator see."""
    return {viewer: view_hand(hand, 1, viewer, drafts) for viewer in (*hand.seats, None)}


# -- 1. The game


def test_1_1_two_or_three_and_one_deck() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    for seats in (2, 3):
        assert laid_to_the_end(Hand.deal(THREE, DECK, range(seats))).over
    for wrong in (1, 4):
        with pytest.raises(ValueError, match="cannot play"):
            Hand.deal(THREE, DECK, range(wrong))
    for one, other in combinations(Suit, 2):
        assert worth(f"A{one}K{one}9{one}5{one}2{one}") == worth(f"A{other}K{other}9{other}5{other}2{other}")


def test_1_2_three_rows() -> None:
    assert [(row.value, row.size) for row in ROWS] == [("top", 3), ("middle", 5), ("bottom", 5)]
    assert Board.parse("AsAdAh/2s3s4s5s6s/7s8s9sTsJs").full


def test_1_3_points_when_all_boards_are_full() -> None:
    hand = Hand.deal(TWO, DECK, (0, 1))
    while (player := hand.turn) is not None:
        assert hand.reckoning is None
        hand = hand.place(player, hand.automatic(player, None))
    assert all(board.full for board in hand.boards)
    assert hand.reckoning == reckon(hand.boards, (0, 1), TWO)


# -- 2. A hand


def test_2_1_the_button_acts_last() -> None:
    play = Play(THREE, "ann bob cyd", lot=0)
    play.ready("ann", "bob", "cyd")
    view = view_table(play.table, None, play.now, Live()).hand
    assert view is not None
    assert [player.seat for player in view.players] == [1, 2, 0]
    assert (view.turn, view.button) == (1, 0)


def test_2_2_five_streets() -> None:
    hand = Hand.deal(TWO, DECK, (0, 1))
    seen: list[tuple[int, int, int]] = []
    while (player := hand.turn) is not None:
        dealt = hand.dealt(player)
        placement = hand.automatic(player, None)
        if player == 0:
            seen.append((len(dealt), len(placement.laid), len(placement.discards)))
        hand = hand.place(player, placement)
    assert seen == [(5, 5, 0), (3, 2, 1), (3, 2, 1), (3, 2, 1), (3, 2, 1)]


def test_2_3_street_by_street_and_cards_when_the_turn_comes() -> None:
    hand = Hand.deal(THREE, DECK, (0, 1, 2))
    turns: list[tuple[int, int]] = []
    while (player := hand.turn) is not None:
        turns.append((hand.street_of(player), player))
        assert [bool(hand.dealt(other)) for other in range(3)] == [other == player for other in range(3)]
        hand = hand.place(player, hand.automatic(player, None))
    assert turns == list(product(range(1, 6), range(3)))


def test_2_4_any_row_that_has_room() -> None:
    hand = Hand.deal(TWO, DECK, (0, 1))
    for text in ("2c3c4c/5c6c/-", "-/2c3c4c5c6c/-", "-/-/2c3c4c5c6c", "2c/3c/4c5c6c", "6c/-/5c4c3c2c"):
        assert str(hand.place(0, Placement.parse(text)).boards[0]) == text
    assert refusal(hand, 0, "2c3c4c5c/6c/-") == "row-full"


def test_2_5_arranged_until_confirmed_and_then_never() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    for choice in range(20):
        play.hand.check_draft(0, unfinished(play.hand, choice))
    play.confirm(7)
    board = play.hand.boards[0]
    with pytest.raises(Refused) as caught:
        play.ask(Confirm(player="bob", hand=1, street=1, placement=play.hand.placements[0][0]))
    assert caught.value.code == "turn-over"
    play.confirm()
    text = f"{board.cards[0]}/-/- x{board.cards[1]}{board.cards[2]}"
    assert refusal(play.hand, 0, text) == "cards-not-yours"
    play.finish()
    after = play.hand.boards[0]
    assert all(after.row(row)[: len(board.row(row))] == board.row(row) for row in ROWS)


def test_2_6_only_whole_streets() -> None:
    first = Hand.deal(TWO, DECK, (0, 1))
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
            hand = Hand.deal(THREE, DECK, range(seats))
            received: dict[int, str] = dict.fromkeys(range(seats), "")
            while (player := hand.turn) is not None:
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


# -- 4. The dead hand

LEGAL = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
DEAD = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"
ALSO_DEAD = "4c4d7c/Ad3d9s6d2s/JdJcQc7d3c"


def test_4_1_rows_out_of_order() -> None:
    assert fouled(Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c"))
    assert fouled(Board.parse("7s5h3d/2c2d2h4s4c/As3s4dTc6d"))
    assert not fouled(Board.parse(LEGAL))
    assert not fouled(Board.parse("7s5h3d/9c8d7h6s5c/9d8h7c6c5d"))


def test_4_2_six_and_the_others_royalties() -> None:
    reckoning = reckoned(LEGAL, DEAD)
    assert [player.foul for player in reckoning.players] == [False, True]
    assert [player.points for player in reckoning.players] == [6 + 11, -6 - 11]
    assert [player.royalties for player in reckoning.players] == [11, 0]
    assert reckoning.pairs[0].rows == (0, 0, 0)
    assert ROOM.foul_points == 6


def test_4_3_two_dead_hands() -> None:
    assert points(DEAD, ALSO_DEAD) == [0, 0]
    assert points(LEGAL, DEAD, ALSO_DEAD) == [34, -17, -17]


# -- 5. Points


def test_5_1_a_row_is_a_point() -> None:
    (pair,) = reckoned("Ac9d4s/KhKd8s6c2d/2h2s5h5s3c", "Ks8c6h/AsAd9h5d2c/3h3d4h4dTc").pairs
    assert (pair.rows, pair.points) == ((1, -1, 1), 1)
    (pair,) = reckoned("AcKd7s/JhJd9s5c2d/QhQd8s6c4d", "AsKh7c/JsJc9h5d2c/QsQc8h6d3s").pairs
    assert (pair.rows, pair.points) == ((0, 0, 1), 1)


def test_5_2_three_more_for_all_rows() -> None:
    assert points("Ac9d4s/KhKd8s6c2d/AhAdQsTc3h", "Ks8c3s/JhJd9h5d2c/QhQcAs7c4d") == [3 + 3, -3 - 3]
    (pair,) = reckoned("Ac9d4s/KhKd8s6c2d/AhAdQsTc3h", "As9c4d/JhJd9h5d2c/QhQc8c7c3d").pairs
    assert (pair.rows, pair.scoop, pair.points) == ((0, 1, 1), 0, 2)


def test_5_3_the_difference_of_royalties() -> None:
    (pair,) = reckoned("Kc9d4s/QhQd8s6c2d/AsJs9s5s2s", "Ac9c4d/KhKd8h6d2c/AdAh7h4h3h").pairs
    assert (pair.rows, pair.first_royalties, pair.second_royalties) == ((-1, -1, 1), 4, 0)
    assert pair.points == -1 + 4
    (pair,) = reckoned("Kc9d4s/QhQd8s6c2d/KsJs9s5s3s", "Ac8c4d/KhKd7h6d2c/ThJh9h4h2h").pairs
    assert (pair.rows, pair.first_royalties, pair.second_royalties) == ((-1, -1, 1), 4, 4)
    assert pair.points == -1


def test_5_4_sums_and_the_order_of_pairs() -> None:
    reckoning = reckon([Board.parse(board) for board in (LEGAL, DEAD, ALSO_DEAD)], (2, 0, 1), ROOM)
    assert [(pair.first, pair.second) for pair in reckoning.pairs] == [(2, 0), (2, 1), (0, 1)]
    assert sum(player.points for player in reckoning.players) == 0
    for player in reckoning.players:
        gained = sum(pair.points for pair in reckoning.pairs if pair.first == player.seat)
        assert player.points == gained - sum(pair.points for pair in reckoning.pairs if pair.second == player.seat)


def test_5_5_the_example() -> None:
    for language in BOOKS:
        _, *rows = table_rows("5.5", language)
        reckoning = reckoned(*("/".join(cell.strip("` ") for cell in row[1:4]) for row in rows))
        assert [player.points for player in reckoning.players] == [3, 39, -42]
        assert [pair.points for pair in reckoning.pairs] == [-14, 17, 25]
        assert "+3, +39, -42" in paragraphs(language)["5.5"]
        for player, row in zip(reckoning.players, rows, strict=True):
            sum_of_rows = " + ".join(str(result.royalty) for result in player.rows)
            assert player.foul or row[4] == f"{sum_of_rows} = {player.royalties}"


# -- 6. Royalties


def test_6_1_royalties_on_top() -> None:
    for language in BOOKS:
        pairs, pair_points, trips, trips_points = (row[1:] for row in table_rows("6.1", language))
        for held, earned in zip((*pairs, *trips), (*pair_points, *trips_points), strict=True):
            kicker = "" if len(held) == 3 else "2c"
            cards = "".join(map("".join, zip(held, "shd", strict=False))) + kicker
            assert royalty(Row.TOP, worth(cards)) == int(earned), held


def test_6_2_royalties_below() -> None:
    kinds = ["2c2d2h4s3c", "TcJdQhKsAc", "AsKsQsJs9s", "AcAdAhKsKc", "AcAdAhAsKc", "9hThJhQhKh", "ThJhQhKhAh"]
    for language in BOOKS:
        _, middle, bottom = (row[1:] for row in table_rows("6.2", language))
        assert [royalty(Row.MIDDLE, worth(cards)) for cards in kinds] == [int(cell) for cell in middle]
        assert [royalty(Row.BOTTOM, worth(cards)) for cards in kinds] == [int(cell) for cell in bottom]


def test_6_3_nothing_for_the_rest() -> None:
    for cards in ("2s2hAd", "5s5hAd", "AsKhQd"):
        assert royalty(Row.TOP, worth(cards)) == 0
    for category in (Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR):
        assert royalty(Row.MIDDLE, worth(LADDER[category])) == royalty(Row.BOTTOM, worth(LADDER[category])) == 0


# -- 7. What is seen


def test_7_1_street_one_is_open() -> None:
    hand = Hand.deal(THREE, deck(1), (2, 0, 1))
    draft = unfinished(hand, 2)
    for view in views(hand, {2: draft}).values():
        assert view.players[0].dealt == hand.dealt(0)
        assert view.players[0].draft == str(draft)


def second_street() -> Hand:
    hand = Hand.deal(THREE, deck(1), (2, 0, 1))
    for _ in range(4):
        player = hand.turn
        assert player is not None
        hand = hand.place(player, legal(hand, 1))
    return hand


def test_7_2_later_streets_are_closed() -> None:
    hand = second_street()
    for viewer, view in views(hand, {0: unfinished(hand, 2)}).items():
        acting = view.players[1]
        assert (bool(acting.dealt), acting.draft is not None) == ((viewer == 0),) * 2
        assert acting.dealt_count == 3
        assert view.players[0].laid == hand.placements[0][-1].laid


def test_7_3_discards_stay_hidden() -> None:
    hand = laid_to_the_end(Hand.deal(THREE, deck(1), (2, 0, 1)))
    for viewer, view in views(hand, {}).items():
        for player, placed in zip(view.players, hand.placements, strict=True):
            thrown = tuple(card for placement in placed for card in placement.discards)
            assert player.discards == (thrown if player.seat == viewer else ())
        known = {card for player in view.players for card in (*player.board.cards, *player.discards)}
        assert len(known) == 39 + (0 if viewer is None else 4)


def test_7_4_no_running_score() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    while play.table.turn is not None:
        view = view_table(play.table, "ann", play.now, Live())
        assert view.hand is not None
        assert view.hand.reckoning is None
        assert [seat and seat.total for seat in view.seats] == [0, 0]
        play.confirm()
    view = view_table(play.table, "ann", play.now, Live())
    assert view.hand is not None
    assert view.hand.reckoning == play.hand.reckoning is not None


def test_7_5_a_spectator_sees_what_is_open() -> None:
    hand = second_street()
    drafts = {0: unfinished(hand, 2)}
    seen = [views(hand, drafts)[viewer].players for viewer in (2, 0, 1, None)]
    for place, player in enumerate(seen[3]):
        for viewer in range(3):
            assert viewer == place or seen[viewer][place] == player


# -- 8. At the table


def sit_the_others_out(play: Play) -> None:
    """Wait for those who are not ready until they are waited for no longer."""
    assert play.table.ready_by is not None
    play.now = play.table.ready_by
    play.ask(TimeOut())
    play.deal_if_owed()


def test_8_1_sitting_down() -> None:
    play = Play(TWO, "ann bob")
    assert ROOM.buy_in == 50
    assert [seat.stack for _, seat in play.table.seated] == [50, 50]
    with pytest.raises(Refused) as caught:
        play.sit("cyd")
    assert caught.value.code == "table-full"
    with pytest.raises(Refused) as caught:
        Play(THREE, "bob").ask(Sit(player="dee", name="Воb"))
    assert caught.value.code == "name-taken"
    assert Play(RuleSet(seats=3, buy_in=80), "ann").seat("ann").stack == 80
    for seats in (1, 4):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"seats": seats}, RuleSet)


def test_8_2_ready_before_each_hand() -> None:
    play = Play(THREE, "ann bob cyd")
    for hand in (1, 2):
        play.ready("ann", "bob")
        assert not play.table.busy
        play.ready("cyd")
        assert play.table.hands == hand
        play.finish()
    bots = Play(THREE, "bot:0 bot:1")
    bots.ready("bot:0", "bot:1")
    assert bots.table.hands == 0
    alone = Play(THREE, "ann")
    alone.ready("ann")
    assert alone.table.hands == 0


def test_8_3_the_others_have_thirty_seconds() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    assert deadline(play.table) == play.now + 30_000
    kinds = [type(event) for event in play.time_out()]
    assert kinds[0] is SatOut
    assert play.seat("cyd").sitting_out
    assert play.hand.seats == (1, 0)
    hurried = Play(RuleSet(seats=3, ready_seconds=3), "ann bob cyd")
    hurried.ready("ann", "bob", "cyd")
    hurried.finish()
    hurried.ready("ann", "bob")
    assert hurried.table.ready_by == hurried.now + 8_000
    with_bots = Play(THREE, "ann bot:0 bot:1")
    with_bots.ready("bot:0", "bot:1")
    assert with_bots.table.ready_by is None


def test_8_4_fewer_than_two() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    assert play.table.ready_by is not None
    play.leave("bob")
    assert play.table.ready_by is None
    play.now += 40_000
    assert play.ask(TimeOut()) == ()
    assert (play.table.hands, play.seat("cyd").sitting_out) == (0, False)


def test_8_5_sitting_out_and_back() -> None:
    for back_by_ready in (True, False):
        play = Play(THREE, "ann bob cyd")
        play.ready("ann", "bob")
        play.time_out()
        play.finish()
        play.ready("ann", "bob")
        assert (play.table.hands, len(play.hand.seats)) == (2, 2)
        play.finish()
        if back_by_ready:
            play.ready("cyd")
        else:
            play.come_back("cyd")
        assert not play.seat("cyd").sitting_out
        play.ready("ann", "bob")
        assert play.table.busy == back_by_ready


def test_8_6_the_button() -> None:
    drawn = Counter[int]()
    for lot in range(LOTS):
        play = Play(THREE, "ann bob cyd", lot=lot)
        play.ready("ann", "bob", "cyd")
        drawn[play.hand.seats[-1]] += 1
    assert drawn == {0: 4, 1: 4, 2: 4}
    play = Play(THREE, "ann bob cyd", lot=0)
    buttons: list[int] = []
    for _ in range(4):
        play.ready("ann", "bob", "cyd")
        buttons.append(play.hand.seats[-1])
        play.finish()
    assert buttons == [0, 1, 2, 0]
    play.ready("ann", "cyd")
    sit_the_others_out(play)
    assert play.hand.seats == (0, 2)


def test_8_7_the_next_hand_when_all_are_ready() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    play.finish()
    assert play.table.showdown_until == play.now + 8_000
    play.ready("ann", "bob")
    assert (play.table.hands, play.table.busy) == (2, True)


def test_8_8_always_ready() -> None:
    play = Play(THREE, "ann bob")
    play.ready("ann", "bob", always=True)
    play.finish()
    assert play.table.hands == 1
    assert deadline(play.table) == play.now + 8_000
    play.time_out()
    assert (play.table.hands, play.table.busy) == (2, True)

    late = play.hand.seats[0]
    play.time_out()
    play.finish()
    assert {number: seat.always_ready for number, seat in play.table.seated} == {late: False, 1 - late: True}

    for somebody in ("sits", "leaves"):
        play = Play(THREE, "ann bob")
        play.ready("ann", "bob", always=True)
        play.finish()
        assert play.seat("ann").always_ready
        if somebody == "sits":
            play.sit("cyd")
        else:
            play.leave("bob")
        assert not play.seat("ann").always_ready


def test_8_9_leaving() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    play.leave("cyd")
    assert play.table.seat_of("cyd") is None
    play.leave("ann")
    assert play.table.seat_of("ann") is not None
    play.come_back("ann")
    play.leave("bob")
    play.finish()
    assert play.table.seat_of("ann") is not None
    assert play.table.seat_of("bob") is None


def test_8_10_a_seat_is_held_ten_minutes() -> None:
    play = Play(THREE, "ann")
    assert deadline(play.table) == play.now + 600_000
    assert [type(event) for event in play.time_out()] == [Left]

    play = Play(RuleSet(seats=3, hand_seconds=3600), "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    assert play.seat("cyd").sitting_out
    play.now += 600_000
    assert [type(event) for event in play.ask(TimeOut())] == [Left]
    play.sit("dee")
    play.now += 600_001
    assert play.ask(TimeOut()) == ()
    assert play.table.seat_of("dee") is not None


def test_8_11_stacks_move_in_full() -> None:
    play = Play(RuleSet(seats=2, buy_in=1), "ann bob")
    play.ready("ann", "bob")
    play.finish()
    scored = next(event for event in play.log if isinstance(event, HandScored))
    assert sum(scored.stacks) == 2
    won = dict(zip(scored.seats, scored.points, strict=True))
    assert {number: seat.stack for number, seat in play.table.seated} == {n: 1 + won[n] for n in won}
    assert min(scored.stacks) < 0
    before = play.seat("ann").stack
    play.leave("ann")
    play.sit("ann")
    assert play.seat("ann").stack == before != 1


# -- 9. Time


def test_9_1_time_runs_in_ones_own_turn() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    assert ROOM.hand_seconds == 120
    assert deadline(play.table) == play.now + 120_000
    play.now += 50_000
    play.confirm()
    assert deadline(play.table) == play.now + 120_000
    play.now += 20_000
    play.confirm()
    assert deadline(play.table) == play.now + 70_000
    play.now += 1_000
    play.confirm()
    assert deadline(play.table) == play.now + 100_000


def test_9_2_the_table_lays_the_instant_the_turn_comes() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    events = play.time_out()
    assert [type(event) for event in events] == [TimedOut, AutoPlaced]
    late = play.hand.seats[0]
    for street in range(1, 6):
        assert play.hand.turn == 1
        assert play.hand.street_of(0) == street + 1
        play.now += 1_000
        laid = [event for event in play.confirm() if isinstance(event, AutoPlaced)]
        assert [(event.seat, event.street, event.at) for event in laid] == [(late, street + 1, play.now)][: 5 - street]


def test_9_3_what_the_table_lays() -> None:
    play = Play(TWO, "ann bob")
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    assert needs_deck(play.table)
    play.ask(Deal(deck=DECK, lot=0))
    play.time_out(Placement.parse("6c/2c/-"))
    assert str(play.hand.boards[0]) == "6c/2c/3c4c5c"
    play.confirm()
    assert str(play.hand.placements[0][1]) == "-/-/7c8c x9c"
    play.confirm()
    assert str(play.hand.placements[0][2]) == "-/TcJc/- xQc"
    kept = play.hand.automatic(1, Placement.parse(f"-/-/- x{play.hand.dealt(1)[0]}"))
    assert kept.discards == play.hand.dealt(1)[2:]


def test_9_4_the_rooms_clock_decides() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    play.now += 119_999
    early = play.now
    play.now += 1
    with pytest.raises(Refused) as caught:
        play.confirm()
    assert caught.value.code == "turn-over"
    play.now = early
    play.confirm()
    assert len(play.hand.placements[0]) == 1


def test_9_5_a_restart_takes_no_time_from_anybody() -> None:
    play = Play(TWO, "ann bob")
    play.ready("ann", "bob")
    play.now += 100_000
    left = (deadline(play.table) or 0) - play.now
    play.now += 500_000
    play.ask(Resume(lost_ms=500_000))
    assert deadline(play.table) == play.now + left
    dealt = play.hand.dealt(0)
    play.time_out()
    assert play.hand.placements[0][0].bottom == dealt
