"""What the host of a table may do, and who is the host after him."""

from __future__ import annotations

from typing import Final

from ananas.table.state import Table

BREAK_MS: Final = 30 * 60 * 1000
"""How long a break lasts at the most."""


def break_until(table: Table) -> int | None:
    """When the break is over at the latest; null while there is none."""
    return None if table.break_since is None else table.break_since + BREAK_MS


def may_stop(table: Table, player: str) -> bool:
    """Whether somebody may stop the game, or let it go on: the host, and anybody seated once the host is not there."""
    if player == table.host:
        return True
    return table.on_break and table.seat_of(player) is not None and not _is_there(table, table.host)


def may_be_removed(table: Table, number: int) -> bool:
    """Whether the host may take who sits there off his seat: a bot, or somebody who is away or sits out."""
    seat = table.seats[number]
    if seat is None or seat.leaving or seat.player == table.host:
        return False
    return seat.bot or seat.sitting_out or not seat.connected


def may_be_host(table: Table, number: int) -> bool:
    """Whether the host may pass his role to who sits there: a human, not himself."""
    seat = table.seats[number]
    return seat is not None and not seat.bot and seat.player != table.host


def next_host(table: Table, number: int) -> int | None:
    """The seat of the next host, once the host has left this one: the next human clockwise who stays, or else any.

    Null where no human is left.
    """
    humans = [place for place, seat in table.seated if not seat.bot]
    clockwise = sorted(humans, key=lambda place: (place - number) % len(table.seats))
    staying = [place for place in clockwise if (seat := table.seats[place]) and not seat.leaving]
    return next(iter(staying or clockwise), None)


def _is_there(table: Table, player: str) -> bool:
    number = table.seat_of(player)
    seat = None if number is None else table.seats[number]
    return seat is not None and seat.connected
