"""Twenty thousand random hands: no chip is made or lost, and a second scorer comes to the same; see `hands.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, Literal

import pytest
from msgspec.structs import replace

import ananas.game.scoring
import ananas.table.account
import ananas.table.decide
import ananas.table.evolve
import tests.trust.hands
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.settlement import Claim, Payment, settle
from ananas.table.events import HandScored, Left, ToppedUp
from ananas.table.state import Purse, Seat, Table
from tests.trust.hands import Wrong, check, chip_by_chip

Cap = Literal["both", "loser", "none"]
HANDS: Final = 20_000
PARTS: Final = 4
NO_CHIP_MORE: Final = 600
"""So many hands are enough to notice any of the faults below."""


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_made_or_lost_and_a_second_scorer_comes_to_the_same(part: int) -> None:
    seen = check(HANDS // PARTS, f"hands {part}")
    for rules in RULE_SETS.values():
        for players in range(rules.seats[0], rules.seats[1] + 1):
            assert seen[f"{rules.base} for {players}"] > 50, seen
    for what in ("fantasyland", "again in fantasyland", "dead", "live", "skipped", "cut short", "broke", "below zero"):
        assert seen[what] > 50, (what, seen)
    for what in ("cap both", "cap loser", "cap none", "at a table"):
        assert seen[what] > 50, (what, seen)


def test_a_failure_can_be_played_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.game.scoring, "settle", pays_twice)
    with pytest.raises(Wrong) as first:
        check(NO_CHIP_MORE, "some")
    number = int(str(first.value).split()[1])
    with pytest.raises(Wrong) as again:
        check(NO_CHIP_MORE, "some", only=number)
    assert str(again.value) == str(first.value)


# -- planted faults: each is a payment, a stack or an account that is wrong, seldom by much

_Settled = tuple[tuple[Payment, ...], tuple[int, ...]]


def rounds_down(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> _Settled:
    """Moves even amounts only, and puts the odd chip nowhere."""
    payments, _ = settle(claims, stacks, cap)
    payments = tuple(replace(each, moved=2 * int(each.moved / 2)) for each in payments)
    return payments, _after(claims, stacks, payments)


def loses_a_chip(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> _Settled:
    """Takes a chip for the house out of the third pot."""
    payments, after = settle(claims, stacks, cap)
    if len(payments) > 2 and payments[2].moved:
        after = (after[0], after[1] - 1, *after[2:])
    return payments, after


def pays_twice(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> _Settled:
    """The last pair pays a second time; no chip is lost by it."""
    payments, _ = settle(claims, stacks, cap)
    return payments, _after(claims, stacks, (*payments[:-1], replace(payments[-1], moved=2 * payments[-1].moved)))


def lets_stacks_fall_below_zero(claims: Sequence[Claim], stacks: Sequence[int], _cap: Cap) -> _Settled:
    return settle(claims, stacks, "none")


def swaps_two_pairs(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> _Settled:
    """Lets the second pair settle before the first."""
    if len(claims) < 2:
        return settle(claims, stacks, cap)
    (first, second, *rest), after = settle([claims[1], claims[0], *claims[2:]], stacks, cap)
    return (second, first, *rest), after


def forgets_what_the_winner_may_win(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> _Settled:
    return settle(claims, stacks, "loser" if cap == "both" else cap)


def _after(claims: Sequence[Claim], stacks: Sequence[int], payments: Sequence[Payment]) -> tuple[int, ...]:
    after = list(stacks)
    for claim, payment in zip(claims, payments, strict=True):
        after[claim.first] += payment.moved
        after[claim.second] -= payment.moved
    return tuple(after)


def another_stay(rules: RuleSet, _repeats: int) -> int:
    """Lets everybody stay in Fantasyland as often as he can."""
    return rules.fantasyland_stay_cards


_SCORED: Final = ananas.table.evolve._scored
_LEFT: Final = ananas.table.evolve._left
_DUE: Final = ananas.table.account._due


def gives_the_stacks_to_the_wrong_seats(table: Table, event: HandScored, at: int) -> Table:
    return _SCORED(table, replace(event, stacks=event.stacks[::-1]), at)


def forgets_the_money(table: Table, event: HandScored, at: int) -> Table:
    after = _SCORED(table, event, at)
    number, seat = after.seated[0]
    return after.with_seat(number, replace(seat, money=seat.money - seat.money % 1000))


def forgets_what_a_bot_has_lost(_table: Table, _hand: object) -> dict[int, int]:
    return {}


def keeps_no_purse(table: Table, event: Left) -> Table:
    """Lets who leaves take his part of the account with him."""
    after = _LEFT(table, event)
    return replace(after, gone={player: replace(purse, money=0) for player, purse in after.gone.items()})


def does_not_say_what_was_brought(*, at: int, seat: int, stack: int, brought: int) -> ToppedUp:
    return ToppedUp(at=at, seat=seat, stack=stack, brought=stack)


def lets_bots_pay(side: Seat | Purse, *, in_money: bool) -> int:
    return _DUE(replace(side, bot=False, bot_points=0, bot_money=0), in_money=in_money)


IN_A_HAND: Final[Sequence[tuple[object, str, Callable[..., object]]]] = [
    (ananas.game.scoring, "settle", rounds_down),
    (ananas.game.scoring, "settle", loses_a_chip),
    (ananas.game.scoring, "settle", pays_twice),
    (ananas.game.scoring, "settle", lets_stacks_fall_below_zero),
    (ananas.game.scoring, "settle", swaps_two_pairs),
    (ananas.game.scoring, "settle", forgets_what_the_winner_may_win),
    (ananas.game.scoring, "stay_cards", another_stay),
]
AT_A_TABLE: Final[Sequence[tuple[object, str, Callable[..., object]]]] = [
    (ananas.table.evolve, "_scored", gives_the_stacks_to_the_wrong_seats),
    (ananas.table.evolve, "_scored", forgets_the_money),
    (ananas.table.evolve, "_from_bots", forgets_what_a_bot_has_lost),
    (ananas.table.evolve, "_left", keeps_no_purse),
    (ananas.table.decide, "ToppedUp", does_not_say_what_was_brought),
    (ananas.table.account, "_due", lets_bots_pay),
]


@pytest.mark.parametrize(("module", "name", "fault"), IN_A_HAND)
def test_a_planted_fault_in_the_count_is_noticed(
    module: object, name: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(Wrong, match=r"match [0-9]+ of seed") as caught:
        check(NO_CHIP_MORE)
    assert isinstance(caught.value.__cause__, Wrong), "it was noticed by counting, not by falling over"


@pytest.mark.parametrize(("module", "name", "fault"), AT_A_TABLE)
def test_a_planted_fault_in_the_books_is_noticed(
    module: object, name: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(Wrong, match=r"match [0-9]+ of seed") as caught:
        check(NO_CHIP_MORE, at_a_table=1)
    assert isinstance(caught.value.__cause__, Wrong), "it was noticed by counting, not by falling over"


def test_a_second_settlement_that_is_wrong_is_noticed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two second opinions are held against one another, so neither can be bent to what the game says."""

    def out_of_turn(
        claims: Sequence[tuple[int, int, int]], stacks: Sequence[int], cap: str
    ) -> tuple[list[int], list[int]]:
        moved, after = chip_by_chip(claims[::-1], stacks, cap)
        return moved[::-1], after

    monkeypatch.setattr(tests.trust.hands, "chip_by_chip", out_of_turn)
    with pytest.raises(Wrong, match="second opinions"):
        check(NO_CHIP_MORE)


@pytest.mark.parametrize("cap", ["both", "loser", "none"])
def test_chip_by_chip_comes_to_what_is_settled_at_once(cap: Cap) -> None:
    couples = list(combinations(range(3), 2))
    for stacks in ((0, 5, 9), (3, 3, 3), (1, 40, 7)):
        for points in ((4, -9, 2), (-1, 1, 0), (30, 30, -30)):
            claims = [(one, two, claim) for (one, two), claim in zip(couples, points, strict=True)]
            payments, after = settle([Claim(first=a, second=b, points=c) for a, b, c in claims], stacks, cap)
            assert chip_by_chip(claims, stacks, cap) == ([each.moved for each in payments], list(after))
