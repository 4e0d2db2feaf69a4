"""The account of an evening: totals that add up, and the fewest payments that settle them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ananas.game.rules import RuleSet
from ananas.table.account import EXACT, Account, account, numbered, settle_up
from ananas.table.commands import ChangeRules, Leave, Sit
from tests.table.play import BOARDS, Play
from tests.table.positions import ROOM, sat
from tests.table.session import CHOICES, RULES, session

CALM = ROOM.but({"fantasyland": "off", "point_price": "100"})

BALANCED = st.lists(st.integers(-9, 9), max_size=7).map(lambda amounts: [*amounts, -sum(amounts)])
MANY = st.lists(st.integers(-10_000, 10_000), max_size=30).map(lambda amounts: [*amounts, -sum(amounts)])


def told(amounts: Sequence[int]) -> list[tuple[int, int, int]]:
    return [(payment.payer, payment.payee, payment.amount) for payment in settle_up(amounts)]


# -- payments

PAYMENTS: list[tuple[list[int], list[tuple[int, int, int]]]] = [
    ([], []),
    ([0, 0], []),
    ([7, -7], [(1, 0, 7)]),
    ([-7, 7], [(0, 1, 7)]),
    ([7, 0, -7], [(2, 0, 7)]),
    ([10, -4, -6], [(1, 0, 4), (2, 0, 6)]),
    ([4, 6, -10], [(2, 0, 4), (2, 1, 6)]),
    # Whoever pays most first does not find these two pairs: 5 to 5 and 3 to 3.
    ([5, 3, -3, -5], [(2, 1, 3), (3, 0, 5)]),
    # Nor that 6 and 2 are owed by 8 alone, and 7 by 4 and 3.
    ([7, 6, 2, -8, -4, -3], [(3, 1, 6), (3, 2, 2), (4, 0, 4), (5, 0, 3)]),
    ([2300, -100, -2200], [(1, 0, 100), (2, 0, 2200)]),
]


@pytest.mark.parametrize(("amounts", "payments"), PAYMENTS)
def test_payments(amounts: list[int], payments: list[tuple[int, int, int]]) -> None:
    assert told(amounts) == payments


@given(BALANCED | MANY)
def test_payments_settle_everybody_and_are_fewer_than_players(amounts: list[int]) -> None:
    left = list(amounts)
    payments = settle_up(amounts)
    for payment in payments:
        assert payment.amount > 0
        assert amounts[payment.payer] < 0 < amounts[payment.payee], "who has lost pays, who has won is paid"
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left)
    assert len(payments) <= max(0, sum(map(bool, amounts)) - 1)
    pairs = [(payment.payer, payment.payee) for payment in payments]
    assert pairs == sorted(set(pairs))
    assert payments == settle_up(amounts)


def fewest(amounts: tuple[int, ...]) -> int:
    """The fewest payments, by trying: the first who has won or lost anything is evened out against each of the others."""
    open_amounts = tuple(amount for amount in amounts if amount)
    if not open_amounts:
        return 0
    first, *others = open_amounts
    return 1 + min(
        fewest((*others[:place], other + first, *others[place + 1 :]))
        for place, other in enumerate(others)
        if (other > 0) != (first > 0)
    )


@settings(max_examples=200, deadline=None)
@given(BALANCED)
def test_there_are_no_fewer_payments(amounts: list[int]) -> None:
    assert len(settle_up(amounts)) == fewest(tuple(amounts))


def test_so_many_can_be_settled_exactly_and_more_in_some_way() -> None:
    pairs = [sign * amount for amount in range(1, EXACT // 2 + 1) for sign in (1, -1)]
    assert len(settle_up(pairs)) == EXACT // 2
    more = [*pairs, 100, -100]
    assert len(settle_up(more)) <= len(more) - 1


def test_what_nobody_has_lost_cannot_be_paid() -> None:
    with pytest.raises(ValueError, match="lost"):
        settle_up([5, -4])


# -- names


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Anna", "Boris"], ["Anna", "Boris"]),
        (["Anna", "Anna"], ["Anna", "Anna 2"]),
        (["Anna", "Anna", "Anna"], ["Anna", "Anna 2", "Anna 3"]),
        (["Anna", "Anna", "Anna 2"], ["Anna", "Anna 3", "Anna 2"]),
        (["Anna", "Аnnа"], ["Anna", "Аnnа 2"]),
        ([], []),
    ],
)
def test_two_of_one_name_are_told_apart(names: list[str], shown: list[str]) -> None:
    assert numbered(names) == shown


# -- the account


def pairs(found: Account) -> list[tuple[str, int, int]]:
    return [(player.name, player.points, player.money) for player in found.players]


def test_a_table_before_its_first_hand_owes_nobody_anything() -> None:
    found = account(Play(CALM, "ann bob").table, "ann")
    assert (found.table, found.name, found.hands, found.began, found.price) == ("t1", "Friday", 0, None, 100)
    assert (found.players, found.payments, found.unit) == ((), (), "money")


def test_the_winners_come_first_and_the_losers_pay_them() -> None:
    play = sat(CALM, ann=50, bob=50, cyd=50)
    play.now += 60_000
    began = play.now
    play.scored(ann="plain", bob="plain", cyd="plain")
    until = play.now
    play.now += 60_000
    found = account(play.table, "bob")
    assert (found.hands, found.began, found.until) == (1, began, until)
    totals = sorted((seat.stack - seat.brought for _, seat in play.table.seated), reverse=True)
    assert [player.points for player in found.players] == totals
    assert [player.money for player in found.players] == [100 * total for total in totals]
    assert [player.name for player in found.players if player.you] == ["Bob"]
    assert all(player.seat is not None and not player.bot for player in found.players)
    amounts = [player.money for player in found.players]
    assert found.payments == settle_up(amounts)
    assert found.payments


def test_a_hand_that_is_being_played_is_not_counted() -> None:
    play = sat(CALM, ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    before = account(play.table, None)
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob")
    assert account(play.table, None) == before
    assert not any(player.you for player in before.players)


def test_who_has_left_is_in_it_and_who_has_never_played_is_not() -> None:
    play = sat(CALM, ann=50, bob=50)
    play.sit("cyd")
    play.ask(Leave(player="cyd"))
    play.scored(ann="plain", bob="plain")
    play.leave("bob")
    play.sit("dee")
    found = account(play.table, "bob")
    assert [(player.name, player.seat is not None, player.you) for player in found.players] in (
        [("Ann", True, False), ("Bob", False, True)],
        [("Bob", False, True), ("Ann", True, False)],
    )
    assert sum(player.money for player in found.players) == 0


def test_who_has_played_and_is_even_is_in_it() -> None:
    play = sat(CALM, ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    play.scored(ann=BOARDS["bob"]["plain"], bob=BOARDS["ann"]["plain"])
    play.leave("bob")
    found = account(play.table, None)
    assert pairs(found) == [("Ann", 0, 0), ("Bob", 0, 0)]
    assert found.payments == ()


def test_bots_are_in_it_but_have_no_purse() -> None:
    play = sat(CALM)
    play.sit("ann", "bot:0", buy_in=50)
    play.scored(**{"ann": "plain", "bot:0": BOARDS["bob"]["plain"]})
    play.leave("ann")
    found = account(play.table, None)
    assert {player.name: player.bot for player in found.players} == {"Ann": False, "Kiwi": True}
    assert all(player.money for player in found.players)
    assert [player.due for player in found.players] == [0, 0]
    assert found.payments == ()
    play.leave("bot:0")
    assert {player.name: player.bot for player in account(play.table, None).players} == {"Ann": False, "Kiwi": True}


@pytest.mark.parametrize("price", ["0", "100"])
def test_people_pay_what_they_have_won_from_one_another(price: str) -> None:
    play = sat(CALM.but({"point_price": price}))
    play.sit("ann", "bob", "bot:0", buy_in=50)
    play.scored(**{"ann": "plain", "bob": "plain", "bot:0": BOARDS["cyd"]["plain"]})
    assert play.hand.reckoning is not None
    names = dict(zip(play.hand.seats, play.table.names, strict=True))
    between = {
        (names[first], names[second]): pair.transfer
        for pair in play.hand.reckoning.pairs
        for first, second in (pair.seats,)
    }
    won = between.get(("Ann", "Bob"), 0) - between.get(("Bob", "Ann"), 0)
    assert won, "else it shows nothing"
    worth = won * (int(price) or 1)
    play.leave("bob")
    for comes_back in (True, False):
        found = account(play.table, None)
        due = {player.name: player.due for player in found.players}
        assert due == {"Ann": worth, "Bob": -worth, "Kiwi": 0}
        names_of = [player.name for player in found.players]
        assert [(names_of[each.payer], names_of[each.payee], each.amount) for each in found.payments] == [
            ("Bob", "Ann", worth) if worth > 0 else ("Ann", "Bob", -worth)
        ]
        assert any(abs(player.money if price != "0" else player.points) != abs(player.due) for player in found.players)
        if comes_back:
            play.sit("bob")


def test_two_who_were_called_the_same_are_told_apart() -> None:
    play = sat(CALM, ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    play.leave("ann")
    play.ask(Sit(player="cyd", name="Ann", buy_in=50))
    play.scored(cyd="plain", bob="plain")
    names = {player.name: player.seat is not None for player in account(play.table, None).players}
    assert names == {"Ann": True, "Bob": True, "Ann 2": False}


@pytest.mark.parametrize(
    ("first", "then", "unit"),
    [("0", "0", "points"), ("0", "100", "money"), ("100", "0", "money"), ("100", "200", "money")],
)
def test_debts_are_in_money_where_a_point_has_or_had_a_price(first: str, then: str, unit: str) -> None:
    play = sat(CALM.but({"point_price": first}), ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    play.ask(ChangeRules(player="ann", rules=CALM.but({"point_price": then})))
    play.scored(ann="plain", bob="plain")
    found = account(play.table, None)
    assert (found.unit, found.price) == (unit, int(then))
    amounts = [player.money if unit == "money" else player.points for player in found.players]
    assert amounts == sorted(amounts, reverse=True)
    assert found.payments == settle_up(amounts)
    assert found.payments


@settings(max_examples=60, deadline=None)
@given(rules=RULES, choices=CHOICES)
def test_after_any_session_the_account_adds_up(rules: RuleSet, choices: list[int]) -> None:
    table = session(rules, choices)[-1].table
    found = account(table, "ann")
    assert sum(player.points for player in found.players) == 0
    assert sum(player.money for player in found.players) == 0
    assert len({player.name for player in found.players}) == len(found.players)
    amounts = [player.money if found.unit == "money" else player.points for player in found.players]
    assert amounts == sorted(amounts, reverse=True)
    left = [player.due for player in found.players]
    assert sum(left) == 0
    bots = {place for place, player in enumerate(found.players) if player.bot}
    assert not any(left[place] for place in bots)
    assert bots or left == amounts, "among people alone, all that was won is paid"
    for payment in found.payments:
        assert not {payment.payer, payment.payee} & bots
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left)
    assert (found.began is None) == (table.counted == 0 and not table.laying)
    assert (found.hands, found.until is None) == (table.counted, table.counted == 0)
