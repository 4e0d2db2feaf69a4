"""From claims to payments: the order, the caps, who is not compared, and that no chip is made or lost."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import Board
from ananas.game.rules import CLUB, RuleSet
from ananas.game.scoring import reckon
from ananas.game.settlement import Claim, settle
from tests.game.anything import as_printed, table_rows

Cap = Literal["both", "loser", "none"]

P1 = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
P2 = "AsAd4c/3s4d5h6d7c/JhJdJc9s9c"
P3 = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def claims_of(points: list[int], players: int) -> list[Claim]:
    couples = combinations(range(players), 2)
    return [Claim(first=one, second=two, points=claim) for (one, two), claim in zip(couples, points, strict=True)]


@pytest.mark.parametrize(("cap", "stacks", "claims", "moved", "after"), table_rows("settlement.txt"))
def test_payments_are_what_the_table_says(cap: str, stacks: str, claims: str, moved: str, after: str) -> None:
    before = numbers(stacks)
    payments, left = settle(claims_of(numbers(claims), len(before)), before, cast("Cap", cap))
    assert " ".join("-" if payment.skipped else str(payment.moved) for payment in payments) == moved
    assert list(left) == numbers(after)
    assert all(payment.moved == 0 for payment in payments if payment.skipped)


@pytest.mark.parametrize(
    ("boards", "cap", "stacks", "after"),
    [
        ((P1, P2, P3), "none", (10, 40, 50), (13, 79, 8)),
        ((P1, P2, P3), "both", (10, 40, 50), (0, 75, 25)),
        ((P1, P2, P3), "loser", (10, 40, 50), (0, 75, 25)),
        ((P2, P1, P3), "loser", (5, 45, 50), (44, 48, 8)),
        ((P2, P1, P3), "both", (5, 45, 50), (20, 57, 23)),
    ],
)
def test_the_worked_hand_of_three_from_boards_to_stacks(
    boards: tuple[str, ...], cap: str, stacks: tuple[int, ...], after: tuple[int, ...]
) -> None:
    rules = RuleSet().but({"settlement_cap": cap})
    reckoning = reckon([Board.parse(board) for board in boards], (2, 0, 1), rules, stacks=stacks)
    assert tuple(player.stack for player in reckoning.players) == after
    won = [player.won for player in reckoning.players]
    assert won == [left - had for left, had in zip(after, stacks, strict=True)]
    assert sorted(player.points for player in reckoning.players) == [-42, 3, 39]


def test_what_was_skipped_is_told_with_the_whole_claim() -> None:
    reckoning = reckon([Board.parse(board) for board in (P1, P2, P3)], (2, 0, 1), RuleSet(), stacks=(10, 40, 50))
    told = [(pair.seats, pair.claim, pair.transfer, pair.skipped) for pair in reckoning.pairs]
    assert told == [((2, 0), -14, -10, False), ((2, 1), 17, 0, True), ((0, 1), 25, 25, False)]
    assert [player.fantasyland for player in reckoning.players] == [14, 14, 0]


def test_without_stacks_claims_move_whole() -> None:
    reckoning = reckon([Board.parse(board) for board in (P1, P2, P3)], (2, 0, 1), RuleSet())
    assert [pair.transfer for pair in reckoning.pairs] == [pair.claim for pair in reckoning.pairs] == [-14, 17, 25]
    assert all((player.won, player.stack) == (None, None) for player in reckoning.players)
    assert not any(pair.skipped for pair in reckoning.pairs)


def test_four_settle_from_the_left_of_the_button() -> None:
    live = as_printed("9s8h7d/2c2d5h6s9c/3c3d3h4s8c")
    reckoning = reckon([live] * 4, (2, 3, 0, 1), CLUB, stacks=(50,) * 4)
    assert [pair.seats for pair in reckoning.pairs] == [(2, 3), (2, 0), (2, 1), (3, 0), (3, 1), (0, 1)]


# -- for any claims

CAPS: st.SearchStrategy[Cap] = st.sampled_from(("both", "loser", "none"))


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[Claim], list[int]]:
    players = draw(st.integers(2, 4))
    couples = players * (players - 1) // 2
    points = draw(st.lists(st.integers(-60, 60), min_size=couples, max_size=couples))
    return claims_of(points, players), draw(st.lists(st.integers(0, 80), min_size=players, max_size=players))


@given(situations(), CAPS)
def test_no_chip_is_made_or_lost(situation: tuple[list[Claim], list[int]], cap: Cap) -> None:
    claims, stacks = situation
    payments, after = settle(claims, stacks, cap)
    assert sum(after) == sum(stacks)
    changed = list(stacks)
    for claim, payment in zip(claims, payments, strict=True):
        assert 0 <= payment.moved <= claim.points or claim.points <= payment.moved <= 0
        changed[claim.first] += payment.moved
        changed[claim.second] -= payment.moved
    assert tuple(changed) == after


@given(situations(), CAPS)
def test_a_stack_falls_below_nothing_only_where_nothing_caps(
    situation: tuple[list[Claim], list[int]], cap: Cap
) -> None:
    claims, stacks = situation
    payments, after = settle(claims, stacks, cap)
    if cap == "none":
        assert [payment.moved for payment in payments] == [claim.points for claim in claims]
        assert not any(payment.skipped for payment in payments)
    else:
        assert min(after) >= 0


@given(situations())
def test_each_payment_is_the_least_of_claim_and_running_stacks(situation: tuple[list[Claim], list[int]]) -> None:
    claims, stacks = situation
    for cap in ("both", "loser"):
        running = dict(enumerate(stacks))
        for claim, payment in zip(claims, settle(claims, stacks, cap)[0], strict=True):
            chips = running[claim.first], running[claim.second]
            assert payment.skipped == (0 in chips)
            loser = chips[1] if claim.points > 0 else chips[0]
            limit = min(chips) if cap == "both" else loser if min(chips) else 0
            assert abs(payment.moved) == min(abs(claim.points), limit)
            running[claim.first] += payment.moved
            running[claim.second] -= payment.moved


@given(situations())
def test_nobody_wins_more_than_he_may_where_both_stacks_cap(situation: tuple[list[Claim], list[int]]) -> None:
    """Against each other player at most his own running stack: he can double it each time, and no more."""
    claims, stacks = situation
    _, after = settle(claims, stacks, "both")
    for had, has in zip(stacks, after, strict=True):
        assert has <= had * 2 ** (len(stacks) - 1)
