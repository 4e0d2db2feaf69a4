"""Faults of hands, points and money, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import treys  # type: ignore[import-untyped]
from msgspec.structs import replace

import ananas.game.scoring
import ananas.table.evolve
from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import Reckoning, fouled, reckon
from ananas.game.settlement import Claim, Payment, settle
from ananas.game.strength import Category, category_of, strength
from ananas.server.histories import finished_hands
from ananas.server.store import Fenced, Store
from ananas.table.account import account
from ananas.table.commands import ChangeRules
from ananas.table.events import AnyEvent, HandScored, Sat, ToppedUp
from ananas.table.evolve import evolve
from ananas.table.state import Table
from tests.bugs.places import ROOM, THREE, evening, gives
from tests.chance import Chance
from tests.game import second_scorer
from tests.game.anything import as_printed
from tests.game.test_examples import EXAMPLES, RIGHT, ours, told
from tests.game.test_strength import oracle
from tests.table.play import Play
from tests.test_replay import LOGS, recovered, rows_of, test_a_log_of_earlier_days_is_still_read

# -- B066, B068, B069, B070: which hand is stronger


def kind(cards: Sequence[Card]) -> tuple[str, bool]:
    """A hand as the oracle of strengths knows it."""
    return "".join(str(card)[0] for card in sorted(cards, key=lambda card: card.rank)), len(
        {card[1] for card in cards}
    ) == 1


def test_bug_B066_the_wheel_is_a_straight_and_the_lowest_of_all() -> None:
    """All 2,598,960 hands are held against two other evaluators in `tests/game/test_strength.py`."""
    wheel, six, steel = (strength(parse_cards(text)) for text in ("Ac2d3h4s5c", "2d3h4s5c6c", "Ac2c3c4c5c"))
    assert category_of(wheel) is Category.STRAIGHT
    assert category_of(steel) is Category.STRAIGHT_FLUSH
    assert strength(parse_cards("AcAdAhKsQc")) < wheel < six < strength(parse_cards("2c3c4c5c7c"))
    assert strength(parse_cards("AcAdAhAsKc")) < steel < strength(parse_cards("2c3c4c5c6c"))
    around = strength(parse_cards("QcKdAh2s3c"))
    assert category_of(around) is Category.HIGH_CARD


def against_two_others(number: int, worth: Callable[[Sequence[Card]], int]) -> None:
    """Pairs of hands of five stand to each other as a public evaluator and the oracle say."""
    public, chance = treys.Evaluator(), Chance("B066")
    for _ in range(number):
        cards = chance.shuffled(DECK)[:10]
        one, two = cards[:5], cards[5:]
        ours = sign(worth(one), worth(two))
        ranks = [public.evaluate([], [treys.Card.new(str(card)) for card in hand]) for hand in (one, two)]
        assert ours == sign(ranks[1], ranks[0]) == sign(oracle(kind(one)), oracle(kind(two))), print_cards(cards)


def sign(one: Any, two: Any) -> int:  # noqa: ANN401
    return int(one > two) - int(one < two)


def test_bug_B066_hands_of_five_stand_where_two_other_evaluators_put_them() -> None:
    against_two_others(300, strength)


def three_cards(worth: Callable[[Sequence[Card]], int]) -> None:
    """All 22,100 hands of three: one order, in which only equal ranks are equal, as the oracle tells it."""
    by_worth: dict[int, str] = {}
    for hand in combinations(DECK, 3):
        letters = kind(hand)[0]
        assert by_worth.setdefault(worth(hand), letters) == letters, "kickers are ignored"
    found = [by_worth[place] for place in sorted(by_worth)]
    assert len(found) == 455
    assert found == sorted(found, key=lambda letters: oracle((letters, False))), "three cards stand in another order"


def test_bug_B068_B069_three_cards_have_one_order_with_all_their_kickers() -> None:
    three_cards(strength)


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("KsKh3d/KcKd4h5c6s/2s2h3s3h4c", False),  # the same pair, and more behind it
        ("KsKhQd/KcKd4h5c6s/2s2h3s3h4c", True),  # the same pair, and less behind it
        ("KsKhQd/KcKdQh5c6s/2s2h3s3h4c", False),  # the same pair and the same kicker: five cards go on
        ("3s3h3d/4s4h4dKcQd/2s3c4c5s6h", False),
        ("5s5h5d/4s4h4dKcQd/2s3c4c5c6h", True),
        ("AsKhQd/AcKdQhJs9c/2s2h3s3h4c", False),
        ("AsKhQd/AcKdJh9s8c/2s2h3s3h4c", True),
        ("2s2h2d/AsAhKdKcQs/3s3h3d4s4h", True),  # trips of three cards are more than two pair of five
        ("2s2h2d/3s4d5h6c7s/8s9sTsJsQs", False),
    ],
)
def test_bug_B069_top_and_middle_are_compared_with_their_kickers(board: str, dead: bool) -> None:
    assert fouled(as_printed(board), RuleSet()) is dead


def without_kickers(cards: Sequence[Card]) -> int:
    """Equal pairs are equal, whatever lies beside them."""
    ranks = Counter(card.rank for card in cards)
    return max(int(rank) + 100 * count for rank, count in ranks.items())


def ace_is_low(cards: Sequence[Card]) -> int:
    return strength(
        parse_cards("".join(str(card).translate(str.maketrans("A23456789TJQK", "23456789TJQKA")) for card in cards))
    )


@pytest.mark.parametrize("worth", [without_kickers, ace_is_low])
def test_bug_B066_B068_B069_planted(worth: Callable[[Sequence[Card]], int]) -> None:
    with pytest.raises(AssertionError):
        against_two_others(300, worth)
    with pytest.raises(AssertionError):
        three_cards(worth)


def points(boards: Sequence[Board], rules: RuleSet = RULE_SETS["room"]) -> list[int]:
    return [player.points for player in reckon(boards, range(len(boards)), rules).players]


def some_boards(chance: Chance, players: int) -> list[Board]:
    """Boards of one deck; sorted now and then, so that not all of them are dead."""
    deck = chance.shuffled(DECK)
    found: list[Board] = []
    for player in range(players):
        cards = deck[13 * player : 13 * player + 13]
        if chance.below(4):
            alike = Counter(card.rank for card in cards)
            cards.sort(key=lambda card: (alike[card.rank], card.rank))
        found.append(Board(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])))
    return found


def order_and_suits(count: Callable[[Sequence[Board]], list[int]]) -> None:
    """Another order within rows, and suits that have changed places, change nobody's points."""
    chance = Chance("B070")
    for _ in range(120):
        boards = some_boards(chance, 3)
        suits = dict(zip("cdhs", chance.shuffled("cdhs"), strict=True))

        def other(board: Board, suits: Mapping[str, str] = suits) -> Board:
            rows = [
                parse_cards("".join(f"{str(c)[0]}{suits[str(c)[1]]}" for c in chance.shuffled(board.row(r))))
                for r in ROWS
            ]
            return Board(*rows)

        assert count([other(board) for board in boards]) == count(boards)


def test_bug_B070_neither_order_nor_suits_change_a_point() -> None:
    order_and_suits(points)


def test_bug_B070_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first card of a row is more than its last one, the row is less."""

    def first_card(cards: Sequence[Card]) -> int:
        return max(0, strength(cards) - 400 * (cards[0].rank > cards[-1].rank))

    monkeypatch.setattr(ananas.game.scoring, "strength", first_card)
    with pytest.raises(AssertionError):
        order_and_suits(points)


# -- B067: equal rows


EQUAL: Final = [
    ("AsKh2d/9c9dQh5s3c/TsTh4c4d8h", "AdKc2s/9h9sQc5d3h/TcTd4h4s8c"),
    ("3c4d7h/AcKdJh9s8c/2c3d4h5s6c", "3d4h7s/AdKhJs9c8d/2d3h4s5c6d"),
    ("QcQd5h/8c8d9h9sAc/6c7d8h9cTd", "QhQs5c/8h8s9c9dAd/6d7h8s9hTs"),
]
"""Boards of the same ranks in other suits."""


def ties(count: Callable[[Sequence[Board]], list[int]]) -> None:
    for one, two in EQUAL:
        assert count([as_printed(one), as_printed(two)]) == [0, 0]
        assert count([as_printed(two), as_printed(one)]) == [0, 0]


def test_bug_B067_rows_of_the_same_ranks_are_equal_and_worth_nothing() -> None:
    ties(points)
    for one, two in EQUAL:
        (pair,) = reckon([as_printed(one), as_printed(two)], (0, 1), RuleSet()).pairs
        assert (pair.rows, pair.scoop, pair.claim) == ((0, 0, 0), 0, 0)


def test_bug_B067_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_suit(cards: Sequence[Card]) -> int:
        return max(0, strength(cards) - "cdhs".index(str(cards[0])[1]))

    monkeypatch.setattr(ananas.game.scoring, "strength", by_suit)
    with pytest.raises(AssertionError):
        ties(points)


# -- B071, B072, B076: what moves from one to another


Settle = Callable[[Sequence[Claim], Sequence[int], Any], tuple[tuple[Payment, ...], tuple[int, ...]]]


def paid(settling: Settle, number: int) -> None:
    """Any claims, any stacks: whole chips move, from pair to pair, in order; none is made, lost, or owed by who has none."""
    chance = Chance("B072")
    for _ in range(number):
        players = 2 + chance.below(3)
        couples = list(combinations(range(players), 2))
        claims = [
            Claim(first=one, second=two, points=chance.below(81) - 40 if chance.below(5) else 0) for one, two in couples
        ]
        stacks = [chance.pick((0, 1, 2, 3, 7, 20, 100)) for _ in range(players)]
        cap = chance.pick(("both", "loser", "none"))
        payments, after = settling(claims, stacks, cap)
        running = list(stacks)
        for claim, payment in zip(claims, payments, strict=True):
            assert type(payment.moved) is int
            payer = claim.second if claim.points > 0 else claim.first
            before = running[payer]
            running[claim.first] += payment.moved
            running[claim.second] -= payment.moved
            assert sum(running) == sum(stacks), "a chip was made or lost on the way"
            if cap != "none":
                assert abs(payment.moved) <= min(before, abs(claim.points)), "more than he has, or owes"
                assert running[payer] >= 0
        assert list(after) == running
        assert all(type(stack) is int for stack in after)


def test_bug_B071_B072_B076_whole_chips_move_and_none_is_made_lost_or_owed() -> None:
    paid(settle, 1500)


def test_bug_B071_an_equal_split_is_equal() -> None:
    """One pays three who are owed the same: the first gets what there is, and what is over is void; nothing is divided."""
    claims = [Claim(first=0, second=other, points=-10) for other in (1, 2, 3)]
    claims += [Claim(first=one, second=two, points=0) for one, two in ((1, 2), (1, 3), (2, 3))]
    for stack, expected in (
        (30, (0, 60, 60, 60)),
        (100, (70, 60, 60, 60)),
        (25, (0, 60, 60, 55)),
        (10, (0, 60, 50, 50)),
    ):
        assert settle(claims, (stack, 50, 50, 50), "both")[1] == expected


def uncapped(claims: Sequence[Claim], stacks: Sequence[int], _cap: Any) -> Any:  # noqa: ANN401
    return settle(claims, stacks, "none")


def loses_ties(claims: Sequence[Claim], stacks: Sequence[int], cap: Any) -> Any:  # noqa: ANN401
    payments, after = settle(claims, stacks, cap)
    return payments, tuple(stack - (claims[0].points == 0) for stack in after)


def divides(claims: Sequence[Claim], stacks: Sequence[int], cap: Any) -> Any:  # noqa: ANN401
    payments, after = settle(claims, stacks, cap)
    return payments, tuple(stack / 3 * 3 for stack in after)


@pytest.mark.parametrize("fault", [uncapped, loses_ties, divides])
def test_bug_B071_B072_B076_planted(fault: Settle) -> None:
    with pytest.raises(AssertionError):
        paid(fault, 300)


# -- B079, B081: counted a second time, and as the books say


def counted_twice(number: int) -> None:
    """Hands of three by the room's rules, held against a scorer that shares nothing with this one."""
    chance = Chance("B079")
    seen = Counter[str]()
    for _ in range(number):
        boards, stacks = some_boards(chance, 3), [chance.pick((1, 5, 20, 50, 100)) for _ in range(3)]
        rules = RULE_SETS[chance.pick(list(RULE_SETS))]
        first = reckon(boards, (2, 0, 1), rules, stacks=stacks)
        second = second_scorer.reckoned([str(board) for board in boards], (2, 0, 1), rules.values, stacks, [(0, 0)] * 3)
        assert first == msgspec.convert(second, Reckoning), [str(board) for board in boards]
        assert sum(player.points for player in first.players) == 0
        seen.update("dead" if player.foul else "live" for player in first.players)
    assert min(seen["dead"], seen["live"]) > number // 4


def test_bug_B079_a_second_scorer_comes_to_the_same_for_three() -> None:
    counted_twice(250)


def test_bug_B079_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is owed, a third is paid."""

    def a_third(claims: Sequence[Claim], stacks: Sequence[int], cap: Any) -> Any:  # noqa: ANN401
        return settle([replace(claim, points=claim.points // 3) for claim in claims], stacks, cap)

    monkeypatch.setattr(ananas.game.scoring, "settle", a_third)
    with pytest.raises(AssertionError):
        counted_twice(50)


def as_published() -> None:
    """Each example of a book that says something comes out as it says, but for those whose book is wrong."""
    assert len(EXAMPLES) == 125
    for example in RIGHT:
        said = told(ours(example))
        for expected in (told(example.expected), told(example.derived)):
            assert {name: said[name] for name in expected if name in said} == {
                n: v for n, v in expected.items() if n in said
            }


def test_bug_B081_every_published_example_still_comes_out_as_published() -> None:
    as_published()


def weaker(cards: Sequence[Card]) -> int:
    return strength(cards) - 1


def test_bug_B081_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.game.test_examples.strength", weaker)
    monkeypatch.setattr(ananas.game.scoring, "fouled", gives(False))
    with pytest.raises(AssertionError):
        as_published()


# -- B082, B095: each hand by the rules it began with


def side_by_side() -> None:
    """A table of the room and one of the club are played turn about; then the room's rules change between two hands."""
    plays = [Play(ROOM, "ann bob"), Play(RULE_SETS["club"].but({"fantasyland": "off"}), "ann bob")]
    for play in plays:
        play.ready("ann", "bob")
    while any(play.table.laying for play in plays):
        for play in plays:
            if play.table.laying:
                play.confirm(3)
    for play in plays:
        as_its_rules_say(play, play.table.rules)
    (room, _), before = plays, plays[0].table.rules
    while room.table.in_match:
        room.now += 60_000
        room.time_out() if not room.table.laying else room.finish()
    other = RULE_SETS["club"].but({"seats": "2-3", "fantasyland": "off"})
    hands = room.table.hands
    room.now += 60_000
    room.ask(ChangeRules(player="ann", rules=other))
    room.ready("ann", "bob")
    room.finish(3)
    as_its_rules_say(room, other)
    found = {hand.number: hand.hand.rules for hand in finished_hands(room.log)}
    assert found == {**dict.fromkeys(range(1, hands + 1), before), hands + 1: other}


def as_its_rules_say(play: Play, rules: RuleSet) -> None:
    hand = play.hand
    assert [len(placement.cards) for placement in hand.placements[0]] == list(rules.deal)
    assert [len(placement.laid) for placement in hand.placements[0]] == list(rules.place)
    scored = [event for event in play.log if isinstance(event, HandScored)][-1]
    second = second_scorer.reckoned(
        [str(board) for board in hand.boards], hand.seats, rules.values, hand.stacks, [(0, 0)] * len(hand.seats)
    )
    assert list(scored.points) == [player["points"] for player in second["players"]]
    assert list(scored.stacks) == [player["stack"] for player in second["players"]]


def test_bug_B082_every_hand_is_played_by_the_rules_of_its_own_table_as_they_were_when_it_began() -> None:
    side_by_side()


def test_bug_B082_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of the table that was opened first are everybody's."""
    sound = Hand.deal

    def by_the_rooms(_: RuleSet, *args: Any, **named: Any) -> Hand:  # noqa: ANN401
        return sound(ROOM, *args, **named)

    monkeypatch.setattr(Hand, "deal", by_the_rooms)
    with pytest.raises(AssertionError):
        side_by_side()


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_bug_B095_a_log_of_an_earlier_release_is_counted_as_it_was(log: Path) -> None:
    test_a_log_of_earlier_days_is_still_read(log)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_bug_B095_a_hand_begun_in_an_earlier_release_is_finished_by_its_rules(log: Path) -> None:
    """The log is cut in the middle of each of its hands, and the hand played on with today's program."""
    rows, finished = rows_of(log), 0
    table: Table | None = None
    for number in range(1, len(rows)):
        table = recovered(rows[:number])
        assert table is not None
        if not table.laying or table.on_break or table.hand is None or table.hand.over:
            continue
        if finished and number % 7:
            continue
        rules = table.hand.rules
        play = object.__new__(Play)
        play.now, play.lot, play.plan, play.decks = 10**12, 0, {}, gives(DECK)
        play.log, play._table = [], table
        hands = table.hands
        while play.table.laying:
            if play.table.hand is not None and all(
                (seat := play.table.seats[play.table.hand.seats[turn]]) and (seat.spent or seat.absent)
                for turn in play.table.hand.acting
            ):
                break
            assert play.hand.rules == rules
            place = play.hand.acting[0]
            laid = play.hand.place(place, play.hand.automatic(place, None))
            play._table = replace(play.table, hand=laid)
            if laid.over:
                break
        assert play.table.hands == hands
        assert play.table.hand is not None
        if play.table.hand.over:
            reckoning = play.table.hand.reckoning
            assert reckoning is not None
            assert sum(player.points for player in reckoning.players) == 0
            finished += 1
    assert finished


def test_bug_B095_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade that counts dead hands as if they lived."""
    monkeypatch.setattr(ananas.game.scoring, "fouled", gives(False))
    with pytest.raises(AssertionError):
        test_a_log_of_earlier_days_is_still_read(LOGS[-1])


# -- B083, B084: what is told of many hands is what the log holds


def projected(log: Sequence[AnyEvent], shown: Table) -> None:
    """The account that is shown is that of the log, and of a ledger kept beside it, to the chip."""
    again = reduce(evolve, log, None)
    assert again is not None
    assert account(again, None) == account(shown, None)
    ledger, players, stacks = Counter[str](), dict[int, str](), dict[int, int]()
    for event in log:
        match event:
            case Sat():
                players[event.seat], stacks[event.seat] = event.player, event.stack
            case ToppedUp():
                stacks[event.seat] = event.stack
            case HandScored():
                for seat, stack in zip(event.seats, event.stacks, strict=True):
                    ledger[players[seat]] += stack - stacks[seat]
                    stacks[seat] = stack
            case _:
                pass
    told = account(shown, None)
    assert told.hands == len({event.hand for event in log if isinstance(event, HandScored)})
    assert sorted(each.points for each in told.players) == sorted(ledger.values())
    assert sum(each.points for each in told.players) == sum(each.money for each in told.players) == 0
    assert sum(each.due for each in told.players) == 0


def long_evening() -> Play:
    play = Play(THREE.but({"fantasyland": "off", "buy_in": "20-100", "point_price": "250"}), "ann bob")
    for number in range(6):
        play.now += 60_000
        play.ready(*(seat.player for _, seat in play.table.seated if not seat.ready))
        play.finish(number * 31)
        play.now += 10_000
        for _, seat in play.table.seated:
            if play.table.is_broke(seat):
                play.top_up(seat.player, 20)
        if number == 2:
            play.leave("bob")
            play.sit("cyd")
        if number == 4:
            play.sit("bob")
    return play


def test_bug_B083_B084_the_account_is_the_log_and_adds_up_to_the_chip() -> None:
    for play in (long_evening(), evening()):
        projected(play.log, play.table)


def test_bug_B083_planted() -> None:
    """A game is counted that the log does not hold."""
    play = long_evening()
    scored = max(at for at, event in enumerate(play.log) if isinstance(event, HandScored))
    with pytest.raises((AssertionError, ValueError)):
        projected(play.log[:scored], play.table)


def test_bug_B084_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """One payout is read wrongly."""
    sound = ananas.table.evolve._scored

    def reads_wrongly(table: Table, event: HandScored, at: int) -> Table:
        stacks = (event.stacks[0] + 1, *event.stacks[1:]) if event.hand == 3 else event.stacks
        return sound(table, replace(event, stacks=stacks), at)

    monkeypatch.setattr(ananas.table.evolve, "_scored", reads_wrongly)
    play = long_evening()
    with pytest.raises((AssertionError, ValueError)):
        projected(play.log, play.table)


def test_bug_B083_what_is_kept_twice_is_there_once(tmp_path: Path) -> None:
    """Every row of an evening is written a second time: it is known, or refused, and nothing that is told changes."""
    log = long_evening().log

    async def run() -> None:
        store = Store(tmp_path / "room.sqlite")
        try:
            for number, event in enumerate(log, 1):
                for _ in range(2):
                    kept = await store.append("table", number, f"ann:{number}", [event], due_at=None)
                    assert kept.version == number
                with pytest.raises(Fenced):
                    await store.append("table", number, None, [event], due_at=None)
            read = await store.load("table")
            assert read is not None
            assert read.events == tuple(log)
        finally:
            store.close()

    asyncio.run(run())
