"""From claims to payments: pair by pair in order, each limited by what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What one pair counted: players as places in the order of play, points from the side of the first."""

    first: int
    second: int
    points: int


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What moved between a pair, from the side of the first; `skipped`: one of them had nothing left on the table."""

    moved: int
    skipped: bool


def settle(
    claims: Sequence[Claim], stacks: Sequence[int], cap: Literal["both", "loser", "none"]
) -> tuple[tuple[Payment, ...], tuple[int, ...]]:
    """Pay the claims in their order; tell what each moved, and the stacks afterwards.

    >>> claims = [Claim(first=0, second=1, points=-14), Claim(first=0, second=2, points=17)]
    >>> payments, stacks = settle(claims, (10, 40, 50), "both")
    >>> [payment.moved for payment in payments], payments[1].skipped, stacks
    ([-10, 0], True, (0, 50, 50))

    What a cap leaves unpaid is void: nobody owes it. Where nothing caps, whole claims move and stacks may fall below 0.
    """
    after = list(stacks)
    payments: list[Payment] = []
    for claim in claims:
        winner, loser = (claim.first, claim.second) if claim.points > 0 else (claim.second, claim.first)
        skipped = cap != "none" and (after[winner] <= 0 or after[loser] <= 0)
        limits = {"none": (), "loser": (after[loser],), "both": (after[loser], after[winner])}[cap]
        amount = 0 if skipped else min((abs(claim.points), *limits))
        after[winner] += amount
        after[loser] -= amount
        payments.append(Payment(moved=amount if winner == claim.first else -amount, skipped=skipped))
    return tuple(payments), tuple(after)
