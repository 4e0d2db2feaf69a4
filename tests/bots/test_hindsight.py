"""The hindsight bot: legal everywhere, exact where it says so, and sensible over many hands."""

from __future__ import annotations

import hashlib
import math
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ananas.bots import hindsight
from ananas.bots.hindsight import HindsightBot
from ananas.game.board import ROWS, Board, Placement, Row, placements
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import PlayerResult, fouled
from ananas.game.strength import STRENGTHS, strength
from ananas.game.view import HandView, PlayerView, view_hand
from tests.table.play import deck, legal

QUICK = (2, 3, 5)


def see(hand: Hand) -> HandView:
    """What the first of those who act sees."""
    return view_hand(hand, 1, hand.seats[hand.acting[0]], {})


def alone(board: str, dealt: str, discards: str = "") -> HandView:
    """The view of a seat that sees nobody else's cards."""
    laid = Board.parse(board)
    street = 1 if not laid.cards else (len(laid.cards) - 5) // 2 + 2
    me = PlayerView(
        seat=0,
        fantasyland=0,
        acting=True,
        done=False,
        hidden=False,
        board=laid,
        street=street,
        laid=(),
        dealt=parse_cards(dealt),
        dealt_count=3,
        to_lay=2,
        draft=None,
        discards=parse_cards(discards),
        discard_count=street - 1,
    )
    return HandView(you=0, number=1, closed=False, street=street, button=0, players=(me,), reckoning=None)


# -- always legal


HOUSE_RULES = (
    *RULE_SETS,
    "room seats=2-2",
    "room scoring=2-4 royalties=line-winner equality=strict",
    "room royalties=none fantasyland=off",
    "room royalty_table=9,8,7,6,5,4,3,2,1,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,99/2,4,8,0,20,30,50/0,2,9,6,10,15,25",
    "club deal=7,6 place=7,6",
    "club deal=1,2,3,4,5 place=1,2,3,4,3 seats=2-3",
    "room deal=17 place=13",
    "room deal=10,4 place=9,4",
    "room deal=5,4,4,4 place=5,3,3,2",
)


@pytest.mark.parametrize("text", HOUSE_RULES)
def test_every_answer_is_legal_wherever_others_and_it_have_laid_their_cards(text: str) -> None:
    rules = RuleSet.parse(text)
    bot = HindsightBot(rules, QUICK)
    for number in range(6):
        seats = tuple(range(rules.seats[number % 2]))
        fantasyland = [14 * (rules.fantasyland == "on" and (number >> seat) % 3 == 2) for seat in seats]
        hand = Hand.deal(rules, deck(number), seats, fantasyland=[min(52 // len(seats), each) for each in fantasyland])
        choice = 0
        while not hand.over:
            player = hand.acting[-1]
            answered = hand.place(player, bot.place(view_hand(hand, 1, hand.seats[player], {}), 1.0))
            other = hand.place(player, legal(hand, number * 1009 + choice, player))
            hand = answered if (number + choice) % 3 == 0 or hand.fantasyland[player] else other
            choice += 1
        assert hand.reckoning is not None
        for cards, result in zip(hand.fantasyland, hand.reckoning.players, strict=True):
            assert not (cards and result.foul)


def test_of_too_many_ways_to_lay_a_street_some_are_thought_about_and_always_the_same() -> None:
    board, dealt = Board(), deck(6)[:11]
    chance = hashlib.shake_256(b"a view").digest
    found = hindsight._candidates(board, dealt, 9, chance)
    assert found == hindsight._candidates(board, dealt, 9, chance)
    assert len(found) == hindsight.MOST
    assert len(set(found)) > hindsight.MOST - 20
    for placement in found:
        assert (len(placement.laid), len(placement.discards)) == (9, 2)
        assert sorted(placement.cards) == sorted(dealt)
        board.place(placement)


@pytest.mark.parametrize(("laid", "dealt", "to_lay"), [("-/-/-", 5, 5), ("QsQh/7c/8c9cTcJc", 3, 2), ("-/-/8c", 4, 4)])
def test_every_way_to_lay_a_street_is_thought_about(laid: str, dealt: int, to_lay: int) -> None:
    board = Board.parse(laid)
    cards = [card for card in deck(7) if card not in board.cards][:dealt]
    found = list(hindsight._placements(board, cards, to_lay))
    assert len(found) == len(set(found))
    assert set(found) == set(placements(board, cards, to_lay))


def test_it_has_nothing_to_lay_when_another_is_to_act() -> None:
    hand = Hand.deal(RuleSet(seats=(2, 2)), deck(1), (0, 1))
    for seat in (1, None):
        with pytest.raises(ValueError, match="nothing to lay"):
            HindsightBot(hand.rules, QUICK).place(view_hand(hand, 1, seat, {}), math.inf)


def test_it_depends_on_the_view_alone_and_stops_when_its_time_is_up() -> None:
    hand = Hand.deal(RuleSet(seats=(2, 2)), deck(2), (0, 1))
    twice = [HindsightBot(hand.rules, (10, 10, 10)).place(see(hand), math.inf) for _ in range(2)]
    assert twice[0] == twice[1]
    began = time.thread_time()
    hand.place(0, HindsightBot(hand.rules, (10**5, 1, 1)).place(see(hand), 0.0))
    assert time.thread_time() - began < 5


# -- what it chooses where the choice is plain


@pytest.mark.parametrize(
    ("board", "dealt", "chosen"),
    [
        # The higher cards above, and nothing that makes the top stronger than a pair of kings.
        ("QsQh/KdKcJd2s/7c7dAhAs9c", "3c4d8h", "8h/4d/- x3c"),
        # A queen or a king on top would make a pair there, above eights.
        ("KsQh/8d8c5d2s/AcAdJh9s4c", "QdKh3h", "3h/Kh/- xQd"),
        ("2s3h4d/9d9c5d2h6s/AcAdJh", "AhJs7c", "-/-/AhJs x7c"),
        ("2s3h/9d9c5d2h6s/Ac8c7c3c", "KcKdTh", "Kd/-/Kc xTh"),
    ],
)  # fmt: skip
def test_the_last_street_is_laid_as_well_as_can_be(board: str, dealt: str, chosen: str) -> None:
    placement = HindsightBot(RuleSet()).place(alone(board, dealt), math.inf)
    assert str(placement) == chosen


def test_before_the_last_draw_it_keeps_the_flush_that_nine_cards_complete() -> None:
    placement = HindsightBot(RuleSet()).place(alone("2s3h/9d9c5d2h/7c8cKc", "AcQs4h", "2d3d"), math.inf)
    assert Card.cA in placement.bottom


# -- exact: against plain counting


def worth(judge: hindsight._Judge, board: Board) -> float:
    """What a full board is worth, told once more from scratch."""
    if fouled(board, RuleSet()):
        return judge.foul
    of_row = {Row.TOP: judge.top, Row.MIDDLE: judge.middle, Row.BOTTOM: judge.bottom}
    return sum(of_row[row][strength(board.row(row))] for row in ROWS)


def fill(board: Board, cards: Sequence[Card]) -> Board:
    """The board with its free places filled from the top down."""
    rest = list(cards)
    taken = {row: tuple(rest.pop(0) for _ in range(board.room(row))) for row in ROWS}
    return board.place(Placement(taken[Row.TOP], taken[Row.MIDDLE], taken[Row.BOTTOM]))


def judge(*others: Board) -> hindsight._Judge:
    return hindsight._Judge(others, RuleSet())


@pytest.mark.parametrize(
    "board",
    ["2s3h/9d9c5d2h/AcJcTc8c7c", "QsQh/9d9c5d2h6s/AcJcTc8c", "2s3h4d/9d9c5d2h/AcJcTc8c", "Ks/9d9c5d2h6s/AcJcTc8c7c", "2s3h4d/AhKhQhJhTh/KcQcJc", "2s3h4d/8h7h6h/KcQcJcTc9c"],
)  # fmt: skip
def test_every_draw_counts_once(board: str) -> None:
    laid = Board.parse(board)
    unseen = [card for card in deck(4) if card not in laid.cards][:9]
    draws = [
        max(worth(judge(), fill(laid, pair)) for pair in permutations(draw, 2)) for draw in combinations(unseen, 3)
    ]
    assert hindsight._over_every_draw([laid], unseen, judge())[0] == pytest.approx(sum(draws) / len(draws))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_in_hindsight_no_better_board_is_missed(number: int) -> None:
    cards = deck(number)
    suited = sorted(cards[:20], key=lambda card: card.suit) if number % 2 else list(cards)  # flushes are in reach
    laid, future = suited[:8], suited[8:13]
    sizes = ((1, 4, 3), (3, 2, 3), (0, 4, 4), (2, 1, 5), (2, 5, 1))[number % 5]
    board = Board(tuple(laid[: sizes[0]]), tuple(laid[sizes[0] : -sizes[2]]), tuple(laid[-sizes[2] :]))
    best = max(worth(judge(), fill(board, order)) for order in permutations(future))
    found = hindsight._in_hindsight([board], iter([future]), 1, judge(), math.inf)
    assert found == [pytest.approx(best)]


def test_futures_are_cards_not_seen_each_about_as_often() -> None:
    unseen = deck(5)[:26]
    chance = hashlib.shake_256(b"a view").digest
    futures = list(hindsight._futures(unseen, 6, 400, chance))
    assert len(futures) == 400
    assert all(len(set(future) & set(unseen)) == 6 for future in futures)
    assert all(not set(one) & set(two) for one, two in pairwise(futures[:4])), "one shuffle, dealt out"
    counts = Counter(card for future in futures for card in future)
    assert min(counts[card] for card in unseen) > 70  # 92 on average


# -- what rows are worth


def test_no_row_is_worth_less_than_a_weaker_one() -> None:
    of_three = sorted({strength(cards) for cards in combinations(DECK, 3)})
    for row in ROWS:
        for against in ((), (2000, None), (3000, 5000)):
            worths, most = hindsight._worths(row, against, RuleSet(), inside=False)
            if row is not Row.TOP:
                assert worths == most
            possible = [worths[made] for made in (of_three if row is Row.TOP else range(STRENGTHS))]
            assert possible == sorted(possible)


def test_it_beats_the_rows_that_lie_open_and_ignores_a_dead_board() -> None:
    dead = Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")
    alive = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs")
    assert judge(dead).bottom == judge().bottom
    bottom = strength(alive.bottom)
    beside = judge(alive).bottom
    assert beside[bottom + 1] > beside[bottom] > beside[bottom - 1]


# -- over many hands


def test_fifty_hands_of_two_are_laid_sensibly() -> None:
    bot = HindsightBot(RuleSet(seats=(2, 2)), samples=(6, 24, 32))
    dead = entries = royalties = 0
    for number in range(50):
        hand = Hand.deal(bot._rules, deck(number), (0, 1))
        while not hand.over:
            hand = hand.place(hand.acting[0], bot.place(see(hand), math.inf))
        assert hand.reckoning is not None
        for player in hand.reckoning.players:
            dead += player.foul
            royalties += player.royalties
            entries += not player.foul and player.rows[0].category != "high-card" and player.rows[0].ranks[0] >= 12
    assert dead <= 25
    assert royalties >= 250
    assert entries >= 5


@pytest.mark.parametrize(
    ("name", "hands", "dead", "royalties"), [("club", 12, 0.65, 1.0), ("club-pineapple", 12, 0.5, 4.0)]
)
def test_the_clubs_hands_are_laid_sensibly(name: str, hands: int, dead: float, royalties: float) -> None:
    rules = RuleSet.named(name)
    bot = HindsightBot(rules, samples=(6, 24, 32))
    found: list[PlayerResult] = []
    for number in range(hands):
        hand = Hand.deal(rules, deck(number), (0, 1))
        while not hand.over:
            hand = hand.place(hand.acting[0], bot.place(see(hand), math.inf))
        assert hand.reckoning is not None
        found += hand.reckoning.players
    assert sum(player.foul for player in found) <= dead * len(found)
    assert sum(player.royalties for player in found) >= royalties * len(found)


@pytest.mark.parametrize(
    ("text", "bonus"),
    [
        ("room", 12),
        ("club", 7),
        ("room royalties=none", 6),
        ("room fantasyland=off", 0),
        ("room fantasyland_entry=KK", 0),
    ],
)
def test_queens_on_top_are_worth_more_where_they_lead_to_fantasyland(text: str, bonus: float) -> None:
    rules = RuleSet.parse(text)
    worths, _ = hindsight._worths(Row.TOP, (), rules, inside=False)
    inside, _ = hindsight._worths(Row.TOP, (), rules, inside=True)
    queens = strength(parse_cards("QsQh3c"))
    assert worths[queens] - inside[queens] == pytest.approx(bonus)


def test_more_cards_in_fantasyland_are_worth_more() -> None:
    rules = RuleSet.named("progressive")
    worths, _ = hindsight._worths(Row.TOP, (), rules, inside=False)
    inside, _ = hindsight._worths(Row.TOP, (), rules, inside=True)
    tops = [strength(parse_cards(text)) for text in ("QsQh3c", "KsKh3c", "AsAh3c", "3s3h3c")]
    assert [worths[top] - inside[top] for top in tops] == pytest.approx([12, 17, 22, 27])


def test_where_only_the_winner_of_a_row_is_paid_a_royalty_counts_as_far_as_the_row_is_won() -> None:
    rules = RuleSet.parse("room royalties=line-winner fantasyland=off")
    beaten, better = strength(parse_cards("2s2h2d2c3s")), strength(parse_cards("9s9h9d9c3s"))
    worths, _ = hindsight._worths(Row.BOTTOM, (better,), rules, inside=False)
    assert worths[beaten] == -hindsight.LINE["1-6"]
    assert worths[better + 1] == 10 + hindsight.LINE["1-6"]
