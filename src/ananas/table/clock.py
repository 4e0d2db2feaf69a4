"""When the room has to send `TimeOut`: everything a table waits for, as points in time."""

from __future__ import annotations

from typing import Final

from ananas.table.host import break_until
from ananas.table.state import Seat, Table

HELD_MS: Final = 10 * 60 * 1000
"""How long a place is kept for a human who is not dealt in, nor ready and there."""


def hold_until(table: Table) -> int | None:
    """When all times run on at the latest that stand since several were lost; null while they do not."""
    return None if table.hold_since is None else table.hold_since + HOLD_MS


def lost_since(table: Table, time: int) -> tuple[int, ...]:
    """The people of the hand who have been lost at this moment or later, by the table's own time, and are not back."""
    found = ((number, table.seats[number]) for number in table.dealt_in)
    return tuple(
        number
        for number, seat in found
        if seat and not seat.bot and not seat.connected and seat.lost_at is not None and seat.lost_at >= time
    )


def waited_for(table: Table, time: int) -> tuple[int, ...]:
    """Those of them for whom the table does not lay in this hand: it makes a difference whether their time runs."""
    lost = ((number, table.seats[number]) for number in lost_since(table, time))
    return tuple(number for number, seat in lost if seat and not seat.absent and not (table.laying and seat.spent))


def lost_in_hold(table: Table) -> tuple[int, ...]:
    """The people for whom the times stand: lost shortly before, or since; none while the times run."""
    return () if table.hold_since is None else waited_for(table, table.hold_since - LOST_MS)


def turn_ends(table: Table) -> dict[int, int]:
    """When the time of each seat whose clock runs is spent, by seat."""
    return {number: ends for number, seat in table.seated if (ends := seat.clock.ends) is not None}


HOLD_MS: Final = 60 * 1000
"""How long all times stand at the most when several have lost their connection at once."""
LOST_MS: Final = 5000
"""Who is lost within this time of another is taken to be lost with him."""


def held_until(table: Table, seat: Seat) -> int | None:
    """When the place is given up for him; null where it is not.

    During a match nobody can become ready, so whoever waits for its end keeps his place; only sitting out goes on.
    """
    if seat.bot or seat.held_since is None or (table.in_match and not seat.sitting_out):
        return None
    return seat.held_since + HELD_MS


def deadline(table: Table) -> int | None:
    """The earliest moment at which `TimeOut` has something to do; null when nothing is waited for.

    While the times stand that is the end of the break, or of the hold, alone.
    """
    if table.on_break:
        return break_until(table)
    if table.hold_since is not None:
        return hold_until(table)
    times = [*turn_ends(table).values(), table.showdown_until, table.ready_by, table.top_up_by, table.open_by]
    times += [held_until(table, seat) for _, seat in table.seated]
    return min((time for time in times if time is not None), default=None)
