"""What an event makes of a table. No rules: facts are applied as they are told; recovery is a fold of this."""

from __future__ import annotations

from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.refused import Refused
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    BecameReady,
    Confirmed,
    HandCalled,
    HandDealt,
    HandScored,
    Leaving,
    Left,
    Opened,
    Resumed,
    Returned,
    Sat,
    SatOut,
    ShowdownEnded,
    TimedOut,
)
from ananas.table.state import HandClock, Purse, Seat, Table


def evolve(table: Table | None, event: AnyEvent) -> Table:
    """The table after the event; the first event of a table is `Opened`, before which it is null.

    Wants events with their hidden part. Raises `ValueError` for a log that cannot be one, such as a placement
    before any hand.
    """
    if isinstance(event, Opened):
        if table is not None:
            raise ValueError("a table is opened once")
        seats = (None,) * event.rules.seats
        return Table(id=event.table, name=event.name, host=event.host, rules=event.rules, seats=seats)
    if table is None:
        raise ValueError("the first event of a table is Opened")
    return _waiting(_applied(table, event), event.at)


def _applied(table: Table, event: AnyEvent) -> Table:
    match event:
        case Opened():
            raise AssertionError("handled before")
        case Sat():
            return _sat(table, event)
        case Left():
            return _left(table, event.seat)
        case Leaving():
            return _with_seat(table, event.seat, replace(_seat(table, event.seat), leaving=True))
        case BecameReady(always=always):
            seat = _seat(table, event.seat)
            return _with_seat(table, event.seat, replace(seat, ready=True, always_ready=always, held_since=None))
        case SatOut():
            seat = _seat(table, event.seat)
            return _with_seat(table, event.seat, replace(seat, sitting_out=True, always_ready=False))
        case Returned():
            seat = _seat(table, event.seat)
            return _with_seat(table, event.seat, replace(seat, sitting_out=False, leaving=False))
        case HandCalled():
            for number in event.seats:
                table = _with_seat(table, number, replace(_seat(table, number), ready=False))
            return replace(table, hands=event.hand, called=event.seats, showdown_until=None)
        case HandDealt():
            return _dealt(table, event)
        case Confirmed() | AutoPlaced():
            return _placed(table, event)
        case TimedOut():
            hand, clock = _running(table)
            return replace(table, clock=clock.spend(hand.seats.index(event.seat), event.at))
        case HandScored():
            return _scored(table, event)
        case ShowdownEnded():
            seats = tuple(
                replace(seat, ready=True, held_since=None) if seat and seat.always_ready else seat
                for seat in table.seats
            )
            return replace(table, seats=seats, showdown_until=None)
        case Resumed(lost_ms=lost):
            return _resumed(table, lost)


def _waiting(table: Table, at: int) -> Table:
    """The table with the time by which the others have to be ready.

    It starts when enough are ready, is not moved by what comes later, and is dropped when they are no longer enough.
    Nobody is hurried away from a showdown.
    """
    if table.busy or not table.enough_ready:
        return replace(table, ready_by=None)
    if table.ready_by is not None:
        return table
    return replace(table, ready_by=max(at + 1000 * table.rules.ready_seconds, table.showdown_until or 0))


def _sat(table: Table, event: Sat) -> Table:
    seat = Seat(
        player=event.player,
        name=event.name,
        bot=event.bot,
        stack=event.stack,
        brought=event.brought,
        held_since=event.at,
    )
    gone = {player: purse for player, purse in table.gone.items() if player != event.player}
    return replace(_with_seat(_asking_again(table), event.seat, seat), gone=gone)


def _left(table: Table, number: int) -> Table:
    seat = _seat(table, number)
    gone = {**table.gone, seat.player: Purse(stack=seat.stack, brought=seat.brought)}
    return replace(_with_seat(_asking_again(table), number, None), gone=gone)


def _asking_again(table: Table) -> Table:
    """The table with nobody always ready: that answer holds only while the same people sit here."""
    return replace(table, seats=tuple(seat and replace(seat, always_ready=False) for seat in table.seats))


def _dealt(table: Table, event: HandDealt) -> Table:
    if event.hidden is None:
        raise ValueError("a hand is dealt without its deck")
    time = 1000 * table.rules.hand_seconds
    return replace(
        table,
        called=(),
        hand=Hand.deal(table.rules, event.hidden.deck, event.seats),
        players=tuple(_seat(table, number).player for number in event.seats),
        names=tuple(_seat(table, number).name for number in event.seats),
        clock=HandClock(left_ms=(time,) * len(event.seats), since=event.at),
        button=event.seats[-1],
    )


def _placed(table: Table, event: Confirmed | AutoPlaced) -> Table:
    if event.hidden is None:
        raise ValueError("a placement is told without its hidden part")
    hand, clock = _running(table)
    player = hand.seats.index(event.seat)
    try:
        hand = hand.place(player, Placement.parse(event.hidden.placement))
    except Refused:
        # What kept it from being laid would name cards, and an impossible log is nobody's refused command.
        raise ValueError(f"the log lays what cannot be laid: seat {event.seat}, street {event.street}") from None
    return replace(table, hand=hand, clock=clock.charge(player, event.at))


def _scored(table: Table, event: HandScored) -> Table:
    hand, clock = _running(table)
    for player, number in enumerate(event.seats):
        seat = _seat(table, number)
        present = not clock.is_spent(hand.seats.index(number))
        seat = replace(seat, stack=event.stacks[player], always_ready=seat.always_ready and present)
        table = _with_seat(table, number, seat)
    seats = tuple(
        seat if seat is None or seat.sitting_out else replace(seat, held_since=event.at) for seat in table.seats
    )
    showdown_until = event.at + 1000 * table.rules.showdown_seconds
    return replace(table, seats=seats, clock=None, showdown_until=showdown_until)


def _resumed(table: Table, lost: int) -> Table:
    seats = tuple(replace(seat, held_since=_later(seat.held_since, lost)) if seat else None for seat in table.seats)
    return replace(
        table,
        seats=seats,
        clock=table.clock and replace(table.clock, since=table.clock.since + lost),
        ready_by=_later(table.ready_by, lost),
        showdown_until=_later(table.showdown_until, lost),
    )


def _later(time: int | None, lost: int) -> int | None:
    return None if time is None else time + lost


def _running(table: Table) -> tuple[Hand, HandClock]:
    if table.hand is None or table.clock is None:
        raise ValueError("no hand is being played")
    return table.hand, table.clock


def _seat(table: Table, number: int) -> Seat:
    seat = table.seats[number]
    if seat is None:
        raise ValueError(f"nobody sits on seat {number}")
    return seat


def _with_seat(table: Table, number: int, seat: Seat | None) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
