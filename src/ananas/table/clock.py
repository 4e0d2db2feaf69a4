"""When the room has to send `TimeOut`: everything a table waits for, as points in time."""

from __future__ import annotations

from typing import Final

from ananas.table.host import break_until
from ananas.table.state import Seat, Table

HELD_MS: Final = 10 * 60 * 1000
"""How long a place is kept for a human who is not dealt in, nor ready and there."""


def turn_ends(table: Table) -> dict[int, int]:
    """When the time of each seat whose clock runs is spent, by seat."""
    return {number: ends for number, seat in table.seated if (ends := seat.clock.ends) is not None}


def held_until(table: Table, seat: Seat) -> int | None:
    """When the place is given up for him; null where it is not.

    During a match nobody can become ready, so whoever waits for its end keeps his place; only sitting out goes on.
    """
    if seat.bot or seat.held_since is None or (table.in_match and not seat.sitting_out):
        return None
    return seat.held_since + HELD_MS


def deadline(table: Table) -> int | None:
    """The earliest moment at which `TimeOut` has something to do; null when nothing is waited for.

    While the game is stopped that is the end of the break alone: all other times stand.
    """
    if table.on_break:
        return break_until(table)
    times = [*turn_ends(table).values(), table.showdown_until, table.ready_by, table.top_up_by]
    times += [held_until(table, seat) for _, seat in table.seated]
    return min((time for time in times if time is not None), default=None)
