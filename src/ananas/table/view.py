"""What one viewer may know of a table: the hand as he sees it, seats, stacks, clocks, and what he may do now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, view_hand
from ananas.table.state import Seat, Table

Action = Literal["sit", "leave", "ready", "return", "confirm", "draft"]
"""A message this viewer may send now with a chance of being accepted."""


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's time for the hand being played: what was left, in milliseconds, when the view was made."""

    left_ms: int
    total_ms: int
    running: bool


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """An occupied seat. `stack` and `total` in points; `total` is what he has won or lost at this table so far.

    `clock` is null outside a hand. `connected`: whether he has the table open now; a bot always has.
    """

    seat: int
    name: str
    bot: bool
    host: bool
    stack: int
    total: int
    ready: bool
    always_ready: bool
    sitting_out: bool
    leaving: bool
    connected: bool
    clock: ClockView | None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it.

    `you`: the viewer's seat, null for a spectator. `phase`: `waiting` for ready (the last hand, if any, stays to be
    looked at) or `laying`. `hands`: the number of the last hand called, 0 before the first; the hand to come has
    the next number. `seats`: one entry for each place, null where it is free. `names`: of those dealt
    into `hand`, in order of play; somebody may have left since. `ready_ms`: how long the others are still waited for,
    null while nobody is. `showdown_ms`: how long the showdown still stands at the most, null when it is over. `may`:
    what this viewer may do now.
    """

    table: str
    name: str
    rules: RuleSet
    you: int | None
    phase: Literal["waiting", "laying"]
    hands: int
    seats: tuple[SeatView | None, ...]
    hand: HandView | None
    names: tuple[str, ...]
    ready_ms: int | None
    showdown_ms: int | None
    spectators: int
    may: tuple[Action, ...]


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """What the room knows of a table beside its state.

    `drafts`: by seat, how cards are arranged before they are confirmed. `connected`: the players who have the table
    open now. `spectators`: how many watch it without a seat.
    """

    drafts: Mapping[int, Placement] = msgspec.field(default_factory=dict[int, Placement])
    connected: frozenset[str] = frozenset()
    spectators: int = 0


def view_table(
    table: Table, viewer: str | None, now: int, live: Live, seats: tuple[SeatView | None, ...] | None = None
) -> TableView:
    """Show the table to a player or guest, or to nobody in particular, as it is at `now`, in milliseconds.

    `seats`: what `view_seats` says of that moment, where several viewers are shown it.
    """
    seat = None if viewer is None else table.seat_of(viewer)
    return TableView(
        table=table.id,
        name=table.name,
        rules=table.rules,
        you=seat,
        phase="laying" if table.clock else "waiting",
        hands=table.hands,
        seats=view_seats(table, now, live) if seats is None else seats,
        hand=_view_hand(table, viewer, live),
        names=table.names,
        ready_ms=_until(table.ready_by, now),
        showdown_ms=_until(table.showdown_until, now),
        spectators=live.spectators,
        may=_may(table, viewer, now),
    )


def view_seats(table: Table, now: int, live: Live) -> tuple[SeatView | None, ...]:
    """Everybody's part of the view: seats, stacks and clocks are the same to all."""
    return tuple(_view_seat(table, number, now, live) for number in range(len(table.seats)))


def _view_hand(table: Table, viewer: str | None, live: Live) -> HandView | None:
    """The hand as its players see it; he who has taken the seat of one of them since sees what a spectator sees."""
    if table.hand is None:
        return None
    seat = None if viewer is None else table.seat_of(viewer)
    dealt_to = dict(zip(table.hand.seats, table.players, strict=True))
    if seat is not None and dealt_to.get(seat) != viewer:
        seat = None
    return view_hand(table.hand, table.last_dealt, seat, live.drafts)


def _view_seat(table: Table, number: int, now: int, live: Live) -> SeatView | None:
    seat = table.seats[number]
    if seat is None:
        return None
    return SeatView(
        seat=number,
        name=seat.name,
        bot=seat.bot,
        host=seat.player == table.host,
        stack=seat.stack,
        total=seat.stack - seat.brought,
        ready=seat.ready,
        always_ready=seat.always_ready,
        sitting_out=seat.sitting_out,
        leaving=seat.leaving,
        connected=seat.bot or seat.player in live.connected,
        clock=_view_clock(table, number, now),
    )


def _view_clock(table: Table, number: int, now: int) -> ClockView | None:
    if table.hand is None or table.clock is None or number not in table.hand.seats:
        return None
    player = table.hand.seats.index(number)
    running = player == table.turn
    left = table.clock.left(player, now) if running else table.clock.left_ms[player]
    return ClockView(left_ms=left, total_ms=1000 * table.rules.hand_seconds, running=running)


def _until(time: int | None, now: int) -> int | None:
    return None if time is None else max(0, time - now)


def _may(table: Table, viewer: str | None, now: int) -> tuple[Action, ...]:
    if viewer is None:
        return ()
    for number, seat in table.seated:
        if seat.player == viewer:
            return _may_seated(table, number, seat, now)
    return ("sit",) if None in table.seats else ()


def _may_seated(table: Table, number: int, seat: Seat, now: int) -> tuple[Action, ...]:
    clock = _view_clock(table, number, now)
    acts = clock is not None and clock.running and clock.left_ms > 0
    allowed: dict[Action, bool] = {
        "leave": not seat.leaving,
        "ready": not seat.ready and not table.busy,
        "return": seat.sitting_out or seat.leaving,
        "confirm": acts,
        "draft": acts,
    }
    return tuple(action for action, may in allowed.items() if may)
