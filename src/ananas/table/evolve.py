"""What an event makes of a table. No rules: facts are applied as they are told; recovery is a fold of this."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.table.events import (
    AlwaysSaid,
    AnyEvent,
    AutoPlaced,
    BecameReady,
    BreakBegan,
    BreakEnded,
    Confirmed,
    Connected,
    Disconnected,
    HandCalled,
    HandDealt,
    HandScored,
    HostPassed,
    Lapse,
    Leaving,
    Left,
    Opened,
    Published,
    Resumed,
    Returned,
    RightsLapsed,
    RulesChanged,
    Sat,
    SatOut,
    ShowdownEnded,
    TimedOut,
    ToppedUp,
    WentOn,
)
from ananas.table.state import Announced, Clock, Match, Notice, Purse, Right, RuleChange, Seat, Table, rule_changes

NOTICES: Final = 5
"""How many notices a table remembers."""


def evolve(table: Table | None, event: AnyEvent) -> Table:
    """The table after the event; the first event of a table is `Opened`, before which it is null.

    Wants events with their hidden part. Raises `ValueError` for a log that cannot be one, such as a placement
    before any hand.
    """
    if isinstance(event, Opened):
        if table is not None:
            raise ValueError("a table is opened once")
        seats = (None,) * event.rules.seats[1]
        return Table(
            id=event.table, name=event.name, host=event.host, rules=event.rules, seats=seats, public=event.public
        )
    if table is None:
        raise ValueError("the first event of a table is Opened")
    after = _applied(table, event, table.time(event.at))
    changes = rule_changes(table.rules, event.rules) if isinstance(event, RulesChanged) else ()
    return _noticed(_waiting(after, after.time(event.at)), *_announced(table, event), changes)


def _applied(table: Table, event: AnyEvent, at: int) -> Table:
    """The table after the event, which by the table's own time happened at `at`."""
    match event:
        case Opened():
            raise AssertionError("handled before")
        case Sat():
            return _sat(table, event, at)
        case Left():
            return _left(table, event)
        case HandCalled():
            return _called(table, event)
        case HandDealt():
            return _dealt(table, event, at)
        case Confirmed() | AutoPlaced():
            return _placed(table, event, at)
        case HandScored():
            return _scored(table, event, at)
        case RightsLapsed(reason=reason):
            return _lapsed(table, reason, at)
        case ShowdownEnded():
            return _showdown_ended(table)
        case Resumed(lost_ms=lost):
            return _shifted(table, lost)
        case BreakBegan():
            if table.on_break:
                raise ValueError("the game is stopped already")
            return replace(table, break_since=at)
        case BreakEnded():
            if not table.on_break:
                raise ValueError("the game is not stopped")
            return _shifted(replace(table, break_since=None), max(0, event.at - at))
        case HostPassed(seat=number):
            return replace(table, host=_seat(table, number).player)
        case RulesChanged(rules=rules):
            return _rules_changed(table, rules, at)
        case Published(on=on):
            return replace(table, public=on)
        case WentOn(seat=number):
            return replace(table, gone_on=table.gone_on | {number})
        case _:
            return _clocks(table.with_seat(event.seat, _seated(table, event, at)), at)


_OfASeat = ToppedUp | AlwaysSaid | Leaving | BecameReady | SatOut | Returned | Connected | Disconnected | TimedOut


def _seated(table: Table, event: _OfASeat, at: int) -> Seat:
    """The seat that an event about nothing but a seat makes."""
    seat = _seat(table, event.seat)
    match event:
        case ToppedUp():
            return replace(seat, stack=event.stack, brought=event.brought)
        case Leaving(removed=removed):
            return replace(seat, leaving=True, removed=removed)
        case BecameReady():
            held_since = None if seat.connected else at
            return replace(seat, ready=True, always_ready=event.always, held_since=held_since)
        case AlwaysSaid(on=on):
            return replace(seat, always_ready=on)
        case SatOut(reason=reason):
            seat = replace(seat, sitting_out=True, aside=reason, ready=False, always_ready=False)
            return replace(seat, idle=0, held_since=at)
        case Returned():
            return replace(seat, sitting_out=False, aside=None, leaving=False, removed=False, absent=False)
        case Connected():
            clock = seat.clock.at(at, connected=seat.connected)
            held_since = None if seat.ready else seat.held_since
            return replace(seat, connected=True, absent=False, clock=clock, held_since=held_since)
        case Disconnected():
            clock = seat.clock.at(at, connected=seat.connected)
            held_since = at if seat.ready else seat.held_since
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


def _sat(table: Table, event: Sat, at: int) -> Table:
    purse = table.gone.get(event.player)
    seat = Seat(
        player=event.player,
        name=event.name,
        bot=event.bot,
        stack=event.stack,
        brought=event.brought,
        money=purse.money if purse else 0,
        bot_points=purse.bot_points if purse else 0,
        bot_money=purse.bot_money if purse else 0,
        played=purse is not None and purse.played,
        clock=Clock(hand_ms=0, bank_ms=purse.bank_ms if purse else 1000 * table.rules.bank_seconds),
        held_since=at,
    )
    gone = {player: purse for player, purse in table.gone.items() if player != event.player}
    return replace(_asking_again(table).with_seat(event.seat, seat), gone=gone)


def _left(table: Table, event: Left) -> Table:
    seat = _seat(table, event.seat)
    purse = Purse(
        name=seat.name,
        bot=seat.bot,
        stack=seat.stack,
        brought=seat.brought,
        money=seat.money,
        bot_points=seat.bot_points,
        bot_money=seat.bot_money,
        played=seat.played,
        bank_ms=seat.clock.bank_ms,
        left_at=event.at,
    )
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


def _dealt(table: Table, event: HandDealt, at: int) -> Table:
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
        began=event.at if table.began is None else table.began,
    )
    return _clocks(table, at)


def _placed(table: Table, event: Confirmed | AutoPlaced, at: int) -> Table:
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
    return _clocks(replace(table, hand=hand).with_seat(event.seat, seat), at)


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


def _scored(table: Table, event: HandScored, at: int) -> Table:
    hand, match = _hand(table), _match(table)
    won = dict(zip(match.seats, match.won, strict=True))
    from_bots = _from_bots(table, hand)
    for number, stack in zip(event.seats, event.stacks, strict=True):
        seat = _seat(table, number)
        won[number] += stack - seat.stack
        price, of_bots = table.rules.point_price, from_bots.get(number, 0)
        money, bot_money = seat.money + (stack - seat.stack) * price, seat.bot_money + of_bots * price
        idle = 0 if seat.confirmed or seat.missed else seat.idle + 1
        always = seat.always_ready and not seat.spent
        seat = replace(seat, stack=stack, money=money, played=True, always_ready=always, idle=idle)
        seat = replace(seat, bot_points=seat.bot_points + of_bots, bot_money=bot_money)
        table = table.with_seat(number, seat)
    rights = {
        hand.seats[player]: Right(cards=cards, repeats=hand.repeats[player] + 1 if hand.fantasyland[player] else 0)
        for player, cards in enumerate(event.fantasyland)
        if cards
    }
    showdown_until = at + 1000 * table.rules.showdown_seconds
    table = replace(
        table,
        match=replace(match, won=tuple(won.values())),
        laying=False,
        rights=rights,
        showdown_until=showdown_until,
        until=event.at,
        rules_before=None,
    )
    if not rights:
        return _match_over(table, at)
    broke = any(table.is_broke(_seat(table, number)) for number in hand.seats)
    top_up_by = max(at + 1000 * table.rules.ready_seconds, showdown_until) if broke else None
    return replace(table, top_up_by=top_up_by)


def _from_bots(table: Table, hand: Hand) -> dict[int, int]:
    """By seat, what has moved to it in this hand from bots."""
    moved: dict[int, int] = {}
    for pair in hand.reckoning.pairs if hand.reckoning else ():
        first, second = pair.seats
        for own, other, amount in ((first, second, pair.transfer), (second, first, -pair.transfer)):
            if _seat(table, other).bot:
                moved[own] = moved.get(own, 0) + amount
    return moved


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


# -- what the host does


def _rules_changed(table: Table, rules: RuleSet, at: int) -> Table:
    """The table between two matches, as it begins anew by other rules; the bank is given again where it is another."""
    places = rules.seats[1]
    if table.in_match or any(table.seats[places:]):
        raise ValueError("rules change between matches, and everybody keeps his seat")
    seats = (*table.seats[:places], *(None,) * (places - len(table.seats)))
    gone = table.gone
    if rules.bank_seconds != table.rules.bank_seconds:
        bank_ms = 1000 * rules.bank_seconds
        seats = tuple(seat and replace(seat, clock=replace(seat.clock, bank_ms=bank_ms)) for seat in seats)
        gone = {player: replace(purse, bank_ms=bank_ms) for player, purse in gone.items()}
    seats = tuple(
        seat
        and replace(
            seat, ready=False, always_ready=False, held_since=at if seat.held_since is None else seat.held_since
        )
        for seat in seats
    )
    before = table.rules_before or table.rules
    return replace(
        table,
        rules=rules,
        rules_before=before if rule_changes(before, rules) else None,
        seats=seats,
        gone=gone,
        circle=(),
        hand=None,
        players=(),
        names=(),
        showdown_until=None,
    )


def _announced(table: Table, event: AnyEvent) -> tuple[Announced | None, str | None]:
    """What everybody is told of the event that came to this table, if anything, and about whom."""
    match event:
        case BreakBegan():
            return "break", None
        case BreakEnded():
            return "break-over", None
        case Left(seat=number, removed=True):
            seat = _seat(table, number)
            return "bot-removed" if seat.bot else "removed", seat.name
        case Sat(by_host=True, name=name):
            return "bot-seated", name
        case HostPassed(seat=number):
            return "host", _seat(table, number).name
        case RulesChanged():
            return "rules-changed", None
        case Published(on=on):
            return "public" if on else "private", None
        case _:
            return None, None


def _noticed(table: Table, what: Announced | None, name: str | None, changes: tuple[RuleChange, ...]) -> Table:
    """The table with one notice more; the oldest is forgotten."""
    if what is None:
        return table
    number = table.notices[-1].number + 1 if table.notices else 1
    notice = Notice(number=number, what=what, name=name, changes=changes)
    return replace(table, notices=(*table.notices, notice)[-NOTICES:])


# -- time


def _shifted(table: Table, lost: int) -> Table:
    """The table with all its times so much later."""
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
        break_since=_later(table.break_since, lost),
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
