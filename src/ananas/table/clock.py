"""When the room has to send `TimeOut`: everything a table waits for, as points in time."""

from __future__ import annotations

from typing import Final

from ananas.table.state import Seat, Table

HELD_MS: Final = 10 * 60 * 1000
"""How long a place is kept for a human who is neither ready nor dealt in."""


def turn_ends(table: Table) -> int | None:
    """When the time of the player to act runs out; null when no cards are being laid."""
    if table.clock is None or table.turn is None:
        return None
    return table.clock.since + table.clock.left_ms[table.turn]


def held_until(table: Table, seat: Seat) -> int | None:
    """When the place is given up for him; null where it is not.

    During a hand nobody can become ready, so whoever waits for its end keeps his place; only sitting out goes on.
    """
    if seat.bot or seat.held_since is None or (table.busy and not seat.sitting_out):
        return None
    return seat.held_since + HELD_MS


def deadline(table: Table) -> int | None:
    """The earliest moment at which `TimeOut` has something to do; null when nothing is waited for."""
    times = [turn_ends(table), table.showdown_until, table.ready_by]
    times += [held_until(table, seat) for _, seat in table.seated]
    return min((time for time in times if time is not None), default=None)
