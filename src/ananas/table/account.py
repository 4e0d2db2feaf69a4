"""The table's account: what everybody has won or lost, and who pays whom so that nobody owes anything."""

from __future__ import annotations

from typing import Literal

import msgspec


class AccountPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has played at the table; `points` in chips, `money` in the smallest unit of the currency.

    `here`: whether he still sits here. `you`: whether he is the one who asks. Two who have the same name are told apart
    by a number behind it.
    """

    name: str
    bot: bool
    here: bool
    you: bool
    points: int
    money: int


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """One pays the other; both as places among the players, `amount` in the account's unit."""

    payer: int
    payee: int
    amount: int


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody has won or lost at a table, the winners first; all points, and all money, add up to 0.

    `hands`: how many have been counted. `began`: when the first was dealt, in milliseconds since 1970, UTC; null before
    it. `price`: of a point now. `unit`: what `payments` are in: money where points have had a price, else points.
    """

    table: str
    name: str
    hands: int
    began: int | None
    price: int
    players: tuple[AccountPlayer, ...]
    unit: Literal["money", "points"]
    payments: tuple[Payment, ...]
