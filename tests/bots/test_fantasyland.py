"""Fantasyland laid at its best: against plain counting, in time, and never dead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import pytest

from ananas.bots import fantasyland
from ananas.bots.fantasyland import STAYS, Worths, lay
from ananas.bots.hindsight import HindsightBot, _Judge
from ananas.game.board import Board, Row
from ananas.game.cards import Card, parse_cards
from ananas.game.fantasyland import stays
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import fouled
from ananas.game.strength import strength
from ananas.game.view import view_hand
from tests.table.play import deck, rich_deck

STAY = 12.0
ODD = (
    "room royalty_table=9,8,7,6,5,4,3,2,1,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,99/2,4,8,0,20,30,50/0,2,9,6,10,15,25"
    " equality=strict scoring=2-4 fantasyland_stay=middle-quads"
)
"""House rules that pay some rows less than weaker ones."""


def worths_of(rules: RuleSet, *others: str) -> tuple[Worths, Worths, Worths]:
    judge = _Judge([Board.parse(other) for other in others], rules, inside=True)
    return judge.top, judge.middle, judge.bottom


def worth(board: Board, worths: Sequence[Worths], rules: RuleSet) -> float:
    """What a board is worth, told once more from scratch."""
    if fouled(board, rules):
        return -math.inf
    rows = sum(
        of_row[strength(cards)] for of_row, cards in zip(worths, (board.top, board.middle, board.bottom), strict=True)
    )
    return rows + (STAY if stays(board, rules) else 0.0)


def best_of_all(cards: Sequence[Card], worths: Sequence[Worths], rules: RuleSet) -> float:
    """What the best board is worth, by laying every one there is."""
    every = (1 << len(cards)) - 1

    def taken(places: Sequence[int]) -> int:
        return sum(1 << place for place in places)

    def made(size: int, row: Row) -> dict[int, tuple[int, float, bool]]:
        least = [STAYS[condition][1] for condition in rules.fantasyland_stay if STAYS[condition][0] is row]
        of_row = worths[list(Row).index(row)]
        rows: dict[int, tuple[int, float, bool]] = {}
        for places in combinations(range(len(cards)), size):
            strong = strength([cards[place] for place in places])
            rows[taken(places)] = strong, of_row[strong], any(strong >= each for each in least)
        return rows

    tops, middles, bottoms = made(3, Row.TOP), made(5, Row.MIDDLE), made(5, Row.BOTTOM)
    strict = rules.equality == "strict"
    best = -math.inf
    for low, (bottom, worth_bottom, stays_bottom) in bottoms.items():
        left = [place for place in range(len(cards)) if (every ^ low) >> place & 1]
        for mid in map(taken, combinations(left, 5)):
            middle, worth_middle, stays_middle = middles[mid]
            if middle > bottom or (strict and middle == bottom):
                continue
            for high in map(taken, combinations([place for place in left if not mid >> place & 1], 3)):
                top, worth_top, stays_top = tops[high]
                if top <= middle:
                    stay = STAY if stays_bottom or stays_middle or stays_top else 0.0
                    best = max(best, worth_bottom + worth_middle + worth_top + stay)
    return best


@pytest.mark.parametrize("text", [*RULE_SETS, ODD])
@pytest.mark.parametrize("number", range(5))
def test_of_thirteen_cards_no_better_board_is_missed(text: str, number: int) -> None:
    rules = RuleSet.parse(text)
    cards = (rich_deck if number % 4 == 3 else deck)(number)[:13]
    worths = worths_of(rules)
    board = Board().place(lay(cards, worths, rules, STAY, math.inf))
    assert worth(board, worths, rules) == pytest.approx(best_of_all(cards, worths, rules))


@pytest.mark.parametrize(("text", "number"), [("room", 21), ("progressive", 22), (ODD, 23)])
def test_of_fourteen_cards_no_better_board_is_missed(text: str, number: int) -> None:
    rules = RuleSet.parse(text)
    cards = deck(number)[:14]
    worths = worths_of(rules, "2s3h4d/9d9c5d2h6s/AcAdJhTs8h")
    placement = lay(cards, worths, rules, STAY, math.inf)
    assert sorted(placement.cards) == sorted(cards)
    assert len(placement.discards) == 1
    assert worth(Board().place(placement), worths, rules) == pytest.approx(best_of_all(cards, worths, rules))


@pytest.mark.parametrize("size", [13, 14, 15, 16, 17])
@pytest.mark.parametrize("text", [*RULE_SETS, ODD])
def test_a_board_is_in_order_also_where_there_is_no_time_to_think(text: str, size: int) -> None:
    rules = RuleSet.parse(text)
    worths = worths_of(rules)
    for number in range(3):
        cards = deck(100 * size + number)[:size]
        for deadline in (math.inf, -math.inf):
            placement = lay(cards, worths, rules, STAY, deadline)
            assert sorted(placement.cards) == sorted(cards)
            assert not fouled(Board().place(placement), rules)


def test_the_weakest_rows_that_stay_are_those_of_the_rules() -> None:
    filler = {Row.TOP: "4h5d7c", Row.MIDDLE: "4h5d7c9hJd", Row.BOTTOM: "4c6d8hTcQd"}
    weakest = {
        "top-trips": "2s2h2d",
        "middle-full-house": "2s2h2d3s3h",
        "middle-quads": "2s2h2d2c3s",
        "bottom-quads": "2s2h2d2c3s",
    }
    below = {
        "top-trips": "AsAhKd",
        "middle-full-house": "AsKsQsJs9s",
        "middle-quads": "AsAhAdKsKh",
        "bottom-quads": "AsAhAdKsKh",
    }
    for condition, (row, least) in STAYS.items():
        rules = RuleSet.parse(f"room fantasyland_stay={condition}")
        for text, enough in ((weakest[condition], True), (below[condition], False)):
            rows = {**filler, row: text}
            board = Board(*(parse_cards(rows[each]) for each in Row))
            assert stays(board, rules) == enough
            assert (strength(parse_cards(text)) >= least) == enough


def test_staying_is_preferred_to_royalties_as_far_as_it_is_worth_more() -> None:
    rules = RuleSet()
    cards = parse_cards("AsAhAdAcKsKhKdQsQhJsJhTs9s")
    placement = lay(cards, worths_of(rules), rules, 30.0, math.inf)
    assert stays(Board().place(placement), rules)


def test_where_the_bottom_could_take_all_the_middle_is_not_made_too_strong() -> None:
    rules = RuleSet()
    cards = parse_cards("2s2h2d2c3s3h3d3c4s5h7d8c9s")
    board = Board().place(lay(cards, worths_of(rules), rules, STAY, math.inf))
    assert strength(board.middle) < strength(board.bottom)
    assert stays(board, rules)


def test_the_bot_lays_fantasyland_when_all_the_others_lie_open_and_when_nothing_does() -> None:
    rules = RuleSet.named("room")
    bot = HindsightBot(rules, samples=(2, 3, 5))
    for others in ((0, 0), (14, 0), (14, 14)):
        hand = Hand.deal(rules, deck(3), (0, 1, 2), fantasyland=(14, *others))
        while not hand.over:
            player = hand.acting[0]
            hand = hand.place(player, bot.place(view_hand(hand, 1, hand.seats[player], {}), math.inf))
        assert hand.reckoning is not None
        assert not hand.reckoning.players[0].foul


def test_a_search_that_forgets_the_order_of_rows_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RuleSet()
    monkeypatch.setattr(fantasyland, "strength", len)
    worths = worths_of(rules)
    boards = [Board().place(lay(deck(number)[:13], worths, rules, STAY, math.inf)) for number in range(5)]
    assert any(fouled(board, rules) for board in boards)
