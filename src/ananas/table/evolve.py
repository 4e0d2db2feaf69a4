"""What an event makes of a table. No rules: facts are applied as they are told; recovery is a fold of this."""

from __future__ import annotations

from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.refused import Refused
from ananas.table.events import (
    AlwaysSaid,
    AnyEvent,
    AutoPlaced,
    BecameReady,
    Confirmed,
    Connected,
    Disconnected,
    HandCalled,
    HandDealt,
    HandScored,
    Lapse,
    Leaving,
    Left,
    Opened,
    Resumed,
    Returned,
    RightsLapsed,
    Sat,
    SatOut,
    ShowdownEnded,
    TimedOut,
    ToppedUp,
    WentOn,
)
from ananas.table.state import Clock, Match, Purse, Right, Seat, Table


def evolve(table: Table | None, event: AnyEvent) -> Table:
    """The table after the event; the first event of a table is `Opened`, before which it is null.

    Wants events with their hidden part. Raises `ValueError` for a log that cannot be one, such as a placement
    before any hand.
    """
    if isinstance(event, Opened):
        if table is not None:
            raise ValueError("a table is opened once")
        seats = (None,) * event.rules.seats[1]
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
            return _left(table, event)
        case HandCalled():
            return _called(table, event)
        case HandDealt():
            return _dealt(table, event)
        case Confirmed() | AutoPlaced():
            return _placed(table, event)
        case HandScored():
            return _scored(table, event)
        case RightsLapsed(reason=reason):
            return _lapsed(table, reason, event.at)
        case ShowdownEnded():
            return _showdown_ended(table)
        case Resumed(lost_ms=lost):
            return _resumed(table, lost)
        case WentOn(seat=number):
            return replace(table, gone_on=table.gone_on | {number})
        case _:
            return _clocks(table.with_seat(event.seat, _seated(table, event)), event.at)


_OfASeat = ToppedUp | AlwaysSaid | Leaving | BecameReady | SatOut | Returned | Connected | Disconnected | TimedOut


def _seated(table: Table, event: _OfASeat) -> Seat:
    """The seat that an event about nothing but a seat makes."""
    seat = _seat(table, event.seat)
    match event:
        case ToppedUp():
            return replace(seat, stack=event.stack, brought=event.brought)
        case Leaving():
            return replace(seat, leaving=True)
        case BecameReady():
            held_since = None if seat.connected else event.at
            return replace(seat, ready=True, always_ready=event.always, held_since=held_since)
        case AlwaysSaid(on=on):
            return replace(seat, always_ready=on)
        case SatOut():
            return replace(seat, sitting_out=True, ready=False, always_ready=False, idle=0, held_since=event.at)
        case Returned():
            return replace(seat, sitting_out=False, leaving=False, absent=False)
        case Connected():
            clock = seat.clock.at(event.at, connected=seat.connected)
            held_since = None if seat.ready else seat.held_since
            return replace(seat, connected=True, absent=False, clock=clock, held_since=held_since)
        case Disconnected():
            clock = seat.clock.at(event.at, connected=seat.connected)
            held_since = event.at if seat.ready else seat.held_since
            return replace(seat, connected=False, clock=clock, held_since=held_since)
        case TimedOut():
            _hand(table)
            return replace(seat, spent=True, absent=not seat.connected, clock=Clock(hand_ms=0, bank_ms=0))


def _waiting(table: Table, at: int) -> Table:
    """The table with the time by which the others have to be ready.

    It starts when enough are ready, is not moved by what comes later, and is dropped when they are no longer enough.
    Nobody is hurried away from a showdown.
    """
    if table.in_match or not table.enough_ready:
        return table if table.ready_by is None else replace(table, ready_by=None)
    if table.ready_by is not None:
        return table
    return replace(table, ready_by=max(at + 1000 * table.rules.ready_seconds, table.showdown_until or 0))


# -- seats


def _sat(table: Table, event: Sat) -> Table:
    purse = table.gone.get(event.player)
    seat = Seat(
        player=event.player,
        name=event.name,
        bot=event.bot,
        stack=event.stack,
        brought=event.brought,
        clock=Clock(hand_ms=0, bank_ms=purse.bank_ms if purse else 1000 * table.rules.bank_seconds),
        held_since=event.at,
    )
    gone = {player: purse for player, purse in table.gone.items() if player != event.player}
    return replace(_asking_again(table).with_seat(event.seat, seat), gone=gone)


def _left(table: Table, event: Left) -> Table:
    seat = _seat(table, event.seat)
    purse = Purse(name=seat.name, stack=seat.stack, brought=seat.brought, bank_ms=seat.clock.bank_ms, left_at=event.at)
    circle = () if seat.player in table.circle else table.circle
    table = replace(_asking_again(table), gone={**table.gone, seat.player: purse}, circle=circle)
    return table.with_seat(event.seat, None)


def _asking_again(table: Table) -> Table:
    """The table with nobody always ready: that answer holds only while the same people sit here."""
    return replace(table, seats=tuple(seat and replace(seat, always_ready=False) for seat in table.seats))


# -- from hand to hand


def _called(table: Table, event: HandCalled) -> Table:
    for number in event.seats:
        table = table.with_seat(number, replace(_seat(table, number), ready=False))
    table = _next_match(table, event.seats) if event.first else table
    match = _match(table)
    circle = table.circle if event.seats == match.seats else ()  # somebody has no chips and is left behind
    return replace(
        table,
        hands=event.hand,
        match=replace(match, hands=match.hands + 1),
        circle=circle,
        called=event.seats,
        rights={number: right for number, right in table.rights.items() if number in event.seats},
        showdown_until=None,
        top_up_by=None,
        gone_on=frozenset(),
    )


def _next_match(table: Table, seats: tuple[int, ...]) -> Table:
    last = table.match
    players = tuple(_seat(table, number).player for number in seats)
    goes_on = last is not None and players == table.circle and last.circle_match < len(players)
    match = Match(
        number=1 if last is None else last.number + 1,
        hands=0,
        seats=seats,
        names=tuple(_seat(table, number).name for number in seats),
        won=(0,) * len(seats),
        circle_match=last.circle_match + 1 if last is not None and goes_on else 1,
    )
    return replace(table, match=match, circle=players)


def _dealt(table: Table, event: HandDealt) -> Table:
    if event.hidden is None:
        raise ValueError("a hand is dealt without its deck")
    for number in event.seats:
        seat = _seat(table, number)
        clock = replace(seat.clock, hand_ms=1000 * table.rules.hand_seconds)
        table = table.with_seat(number, replace(seat, clock=clock, spent=False, confirmed=False, missed=False))
    hand = Hand.deal(
        table.rules,
        event.hidden.deck,
        event.seats,
        stacks=tuple(_seat(table, number).stack for number in event.seats),
        fantasyland=event.fantasyland,
        repeats=event.repeats,
    )
    table = replace(
        table,
        called=(),
        rights={},
        hand=hand,
        players=tuple(_seat(table, number).player for number in event.seats),
        names=tuple(_seat(table, number).name for number in event.seats),
        laying=True,
        button=event.seats[-1],
    )
    return _clocks(table, event.at)


def _placed(table: Table, event: Confirmed | AutoPlaced) -> Table:
    if event.hidden is None:
        raise ValueError("a placement is told without its hidden part")
    hand = _hand(table)
    try:
        hand = hand.place(hand.seats.index(event.seat), Placement.parse(event.hidden.placement))
    except Refused:
        # What kept it from being laid would name cards, and an impossible log is nobody's refused command.
        raise ValueError(f"the log lays what cannot be laid: seat {event.seat}, street {event.street}") from None
    seat = _seat(table, event.seat)
    if isinstance(event, AutoPlaced):
        seat = replace(seat, spent=True, missed=seat.missed or seat.absent)
    else:
        seat = replace(seat, confirmed=True)
    return _clocks(replace(table, hand=hand).with_seat(event.seat, seat), event.at)


def _clocks(table: Table, at: int) -> Table:
    """The table with the clocks of exactly those running who have cards to lay and for whom the table does not lay."""
    hand = table.hand
    if hand is None:
        return table
    for player, number in enumerate(hand.seats):
        seat = table.seats[number]
        if seat is None:
            continue
        runs = table.laying and player in hand.acting and not seat.spent and not seat.absent
        if runs and seat.clock.since is None:
            table = table.with_seat(number, replace(seat, clock=replace(seat.clock, since=at)))
        elif not runs and seat.clock.since is not None:
            clock = replace(seat.clock.at(at, connected=seat.connected), since=None)
            table = table.with_seat(number, replace(seat, clock=clock))
    return table


def _scored(table: Table, event: HandScored) -> Table:
    hand, match = _hand(table), _match(table)
    won = dict(zip(match.seats, match.won, strict=True))
    for number, stack in zip(event.seats, event.stacks, strict=True):
        seat = _seat(table, number)
        won[number] += stack - seat.stack
        idle = 0 if seat.confirmed or seat.missed else seat.idle + 1
        seat = replace(seat, stack=stack, always_ready=seat.always_ready and not seat.spent, idle=idle)
        table = table.with_seat(number, seat)
    rights = {
        hand.seats[player]: Right(cards=cards, repeats=hand.repeats[player] + 1 if hand.fantasyland[player] else 0)
        for player, cards in enumerate(event.fantasyland)
        if cards
    }
    showdown_until = event.at + 1000 * table.rules.showdown_seconds
    table = replace(
        table,
        match=replace(match, won=tuple(won.values())),
        laying=False,
        rights=rights,
        showdown_until=showdown_until,
    )
    if not rights:
        return _match_over(table, event.at)
    broke = any(table.is_broke(_seat(table, number)) for number in hand.seats)
    top_up_by = max(event.at + 1000 * table.rules.ready_seconds, showdown_until) if broke else None
    return replace(table, top_up_by=top_up_by)


def _lapsed(table: Table, reason: Lapse, at: int) -> Table:
    """The table after a match that ends before its Fantasyland; what that leaves to be read stands as a showdown does."""
    showdown_until = table.showdown_until or at + 1000 * table.rules.showdown_seconds
    match = replace(_match(table), lapsed=reason)
    return _match_over(replace(table, rights={}, match=match, showdown_until=showdown_until), at)


def _match_over(table: Table, at: int) -> Table:
    broke = any(table.is_broke(seat) for number, seat in table.seated if number in _match(table).seats)
    seats = tuple(seat if seat is None or seat.sitting_out else replace(seat, held_since=at) for seat in table.seats)
    circle = () if broke else table.circle
    return replace(table, seats=seats, circle=circle, top_up_by=None, gone_on=frozenset())


def _showdown_ended(table: Table) -> Table:
    table = replace(table, showdown_until=None)
    if table.in_match:
        return table
    for number, seat in table.seated:
        if seat.always_ready and seat.connected and not table.is_broke(seat):
            table = table.with_seat(number, replace(seat, ready=True, held_since=None))
    return table


# -- time


def _resumed(table: Table, lost: int) -> Table:
    seats = tuple(
        seat
        and replace(
            seat,
            held_since=_later(seat.held_since, lost),
            clock=replace(seat.clock, since=_later(seat.clock.since, lost)),
        )
        for seat in table.seats
    )
    return replace(
        table,
        seats=seats,
        ready_by=_later(table.ready_by, lost),
        showdown_until=_later(table.showdown_until, lost),
        top_up_by=_later(table.top_up_by, lost),
    )


def _later(time: int | None, lost: int) -> int | None:
    return None if time is None else time + lost


# -- what a log that is one has at this point


def _hand(table: Table) -> Hand:
    if table.hand is None or not table.laying:
        raise ValueError("no hand is being played")
    return table.hand


def _match(table: Table) -> Match:
    if table.match is None:
        raise ValueError("no match has begun")
    return table.match


def _seat(table: Table, number: int) -> Seat:
    seat = table.seats[number]
    if seat is None:
        raise ValueError(f"nobody sits on seat {number}")
    return seat
