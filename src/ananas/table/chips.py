"""What may be brought to a table: sitting down, topping up between matches, and after going broke in one.

What belongs here: how much, and when. What does not: what moves between players, which is the hand's settlement.
"""

from __future__ import annotations

from typing import Final

from ananas.table.state import Table

DAY_MS: Final = 24 * 3600 * 1000
"""How long it is remembered what a player who left has to bring again, and what is left of his bank of time."""


def may_bring(table: Table, player: str, now: int) -> tuple[int, int]:
    """The least and the most chips with which a player may sit down: within a day, at least what he left with."""
    least, most = table.rules.buy_in
    purse = table.gone.get(player)
    if purse is not None and now - purse.left_at < DAY_MS:
        least = max(least, min(purse.stack, most))
    return least, most


def may_top_up(table: Table, number: int) -> tuple[int, int] | None:
    """The least and the most to which a seat may bring its stack now; null where it may not.

    Who plays a match may not, unless he has nothing left and the match goes on with Fantasyland: then to the lowest
    buy-in, no more.
    """
    seat = table.seats[number]
    least, most = table.rules.buy_in
    if seat is None:
        return None
    if number in table.dealt_in:
        return (least, least) if table.top_up_by is not None and table.owes_chips(number) else None
    least = least if table.is_broke(seat) else max(1, seat.stack + 1)
    return (least, most) if least <= most else None
