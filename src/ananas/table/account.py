"""The table's account: what everybody has won or lost, and who pays whom so that nobody owes anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final, Literal

import msgspec

from ananas.table.names import look
from ananas.table.state import Purse, Seat, Table

EXACT: Final = 12
"""Among so many who have won or lost, the fewest payments are found; among more, few."""


class AccountPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has played at the table; `points` in chips, `money` in the smallest unit of the currency.

    `due`: what he is to get from the other people, or is to pay them, in the account's unit; bots have no purse, so what
    was won from them or lost to them is in the points and the money alone. `seat`: where he sits; null once he has left. `you`: whether he is the one who asks. Two who have the same name are told apart
    by a number behind it.
    """

    name: str
    bot: bool
    seat: int | None
    you: bool
    points: int
    money: int
    due: int


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """One pays the other; both as places among the players, `amount` in the account's unit."""

    payer: int
    payee: int
    amount: int


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody has won or lost at a table, the winners first; all points, and all money, add up to 0.

    So does what is due. Payments are among people alone: they settle what people have won from one another.

    `hands`: how many have been counted. `began`: when the first was dealt, `until`: when the last was counted, in
    milliseconds since 1970, UTC; null before that. `price`: of a point now. `unit`: what `payments` are in: money where
    points have had a price, else points.
    """

    table: str
    name: str
    hands: int
    began: int | None
    until: int | None
    price: int
    players: tuple[AccountPlayer, ...]
    unit: Literal["money", "points"]
    payments: tuple[Payment, ...]


def account(table: Table, viewer: str | None) -> Account:
    """The account of a table as it stands now; a hand that is being played is not counted.

    Everybody is in it who has played here, bots like others; payments are among people. They are in money where a point
    has or had a price, else in points.
    """
    played = _played(table)
    in_money = table.rules.point_price > 0 or any(side.money for _, side, _ in played)
    players = _players(played, viewer, in_money=in_money)
    players.sort(key=lambda player: (-player.money, -player.points) if in_money else (-player.points, 0))
    return Account(
        table=table.id,
        name=table.name,
        hands=table.counted,
        began=table.began,
        until=table.until,
        price=table.rules.point_price,
        players=tuple(players),
        unit="money" if in_money else "points",
        payments=settle_up([player.due for player in players]),
    )


_Played = tuple[str, Seat | Purse, int | None]
"""Somebody who has played, what he has here, and where he still sits."""


def _played(table: Table) -> list[_Played]:
    """Who sits here, in order of place, then who has left, the last one first; in so far as he has played."""
    left = sorted(table.gone.items(), key=lambda item: item[1].left_at, reverse=True)
    here: list[_Played] = [(seat.player, seat, number) for number, seat in table.seated if seat.played]
    return [*here, *((player, purse, None) for player, purse in left if purse.played)]


def _due(side: Seat | Purse, *, in_money: bool) -> int:
    """What somebody has won from people, or lost to them."""
    if side.bot:
        return 0
    return side.money - side.bot_money if in_money else side.stack - side.brought - side.bot_points


def _players(played: Iterable[_Played], viewer: str | None, *, in_money: bool) -> list[AccountPlayer]:
    names = numbered(side.name for _, side, _ in played)
    return [
        AccountPlayer(
            name=name,
            bot=side.bot,
            seat=seat,
            you=player == viewer,
            points=side.stack - side.brought,
            money=side.money,
            due=_due(side, in_money=in_money),
        )
        for name, (player, side, seat) in zip(names, played, strict=True)
    ]


def numbered(names: Iterable[str]) -> list[str]:
    """The names, each once: where one looks like an earlier one, the next free number stands behind it.

    >>> numbered(["Anna", "Boris", "Anna", "anna.", "Anna 3"])
    ['Anna', 'Boris', 'Anna 2', 'anna. 4', 'Anna 3']
    """
    names = list(names)
    first = {look(name): name for name in reversed(names)}
    taken = set(first)
    found: list[str] = []
    for name in names:
        own = name
        if first.pop(look(name), None) is None:
            number = next(number for number in count(2) if look(f"{name} {number}") not in taken)
            own = f"{name} {number}"
            taken.add(look(own))
        found.append(own)
    return found


def settle_up(amounts: Sequence[int]) -> tuple[Payment, ...]:
    """The fewest payments after which nobody has won or lost; in order of who pays, then of who is paid.

    >>> [(payment.payer, payment.payee, payment.amount) for payment in settle_up([50, 30, -30, -50])]
    [(2, 1, 30), (3, 0, 50)]

    Where more than `EXACT` have won or lost they are few, but perhaps not the fewest. Raises `ValueError` for amounts
    that do not add up to 0.
    """
    if sum(amounts):
        raise ValueError("what is lost is won by somebody")
    owing = [player for player, amount in enumerate(amounts) if amount]
    groups = _groups(owing, amounts) if len(owing) <= EXACT else [owing]
    payments = [payment for group in groups for payment in _among(group, amounts)]
    return tuple(sorted(payments, key=lambda payment: (payment.payer, payment.payee)))


def _groups(players: Sequence[int], amounts: Sequence[int]) -> list[list[int]]:
    """The players in as many groups as there can be that have no debts outside: each saves one payment."""
    everybody = (1 << len(players)) - 1
    owed = [0] * (everybody + 1)
    most = [0] * (everybody + 1)
    for some in range(1, everybody + 1):
        last = some.bit_length() - 1
        owed[some] = owed[some ^ (1 << last)] + amounts[players[last]]
        most[some] = max(most[some ^ (1 << place)] for place in _places(some)) + (owed[some] == 0)
    groups: list[list[int]] = []
    some = everybody
    while some:
        if owed[some] == 0:
            groups.append([])
        fewer = most[some] - (owed[some] == 0)
        place = next(place for place in _places(some) if most[some ^ (1 << place)] == fewer)
        groups[-1].append(players[place])
        some ^= 1 << place
    return groups


def _places(some: int) -> list[int]:
    return [place for place in range(some.bit_length()) if some >> place & 1]


def _among(group: Iterable[int], amounts: Sequence[int]) -> list[Payment]:
    """Payments that settle a group, one fewer than it has players at the most: whoever owes most pays who gets most."""
    left = {player: amounts[player] for player in group}
    payments: list[Payment] = []
    while any(left.values()):
        payer = min(left, key=lambda player: (left[player], player))
        payee = max(left, key=lambda player: (left[player], -player))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments.append(Payment(payer=payer, payee=payee, amount=amount))
    return payments
