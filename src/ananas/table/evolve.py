"""What an event makes of a table. No rules: facts are applied as they are told; recovery is a fold of this."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import ENGINE, RuleSet
from ananas.refused import Refused
from ananas.table.chips import DAY_MS
from ananas.table.events import (
    AlwaysSaid,
    AnyEvent,
    AutoPlaced,
    BecameReady,
    BreakBegan,
    BreakEnded,
    Confirmed,
    Connected,
    DeckSealed,
    Disconnected,
    HandCalled,
    HandDealt,
    HandScored,
    HandVoided,
    HoldBegan,
    HoldEnded,
    HostPassed,
    Lagged,
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
    SeedCommitted,
    SeedOpened,
    SeedsClosed,
    ShowdownEnded,
    Stalled,
    TimedOut,
    ToppedUp,
    WentOn,
)
from ananas.table.state import (
    Announced,
    Before,
    Clock,
    Match,
    Notice,
    Purse,
    Right,
    RuleChange,
    Sealing,
    Seat,
    Table,
    rule_changes,
    to_be_sealed,
)

NOTICES: Final = 5
"""How many notices a table remembers."""
OPEN_MS: Final = 1500
"""How long a hand that was called waits for those who are bound to a seed."""
OPEN_AFTER_OUTAGE_MS: Final = 8000
"""So long it waits for them where the room was away meanwhile: first they have to come back."""
MOVE_CREDIT_MS: Final = 1000
"""So much longer at the most may one move take on account of a slow connection."""
CREDIT_MS: Final = 7000
"""So much at the most all moves of a hand together."""
TOLD_MS: Final = 1000
"""Of a time in which the room was away everybody is told when it was at least so long."""


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
            return _called(table, event, at)
        case DeckSealed():
            return _sealed(table, event)
        case SeedCommitted() | SeedOpened():
            return _seed(table, event)
        case SeedsClosed():
            return replace(table, open_by=None)
        case HandVoided():
            return _voided(table, event)
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
            shifted = _shifted(table, lost)
            if shifted.open_by is None or lost < TOLD_MS:
                return shifted
            return replace(shifted, open_by=max(shifted.open_by, shifted.time(event.at) + OPEN_AFTER_OUTAGE_MS))
        case Stalled():
            return table
        case HoldBegan(reason=reason):
            if table.stands:
                raise ValueError("the times stand already")
            return replace(table, hold_since=at, hold=reason, held=True)
        case HoldEnded():
            if table.hold_since is None:
                raise ValueError("the times do not stand")
            return _held_no_longer(table, event.at)
        case BreakBegan():
            if table.stands:
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


_OfASeat = (
    ToppedUp | AlwaysSaid | Leaving | BecameReady | SatOut | Returned | Connected | Disconnected | TimedOut | Lagged
)


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
            return replace(seat, connected=True, absent=False, clock=clock, held_since=held_since, lost_at=None)
        case Disconnected():
            clock = seat.clock.at(at, connected=seat.connected)
            held_since = at if seat.ready else seat.held_since
            return replace(seat, connected=False, clock=clock, held_since=held_since, lost_at=at)
        case Lagged(ms=ms):
            return replace(seat, lag_ms=ms)
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
    whole = purse is None or event.at - purse.left_at >= DAY_MS
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
        clock=Clock(hand_ms=0, bank_ms=1000 * table.rules.bank_seconds if purse is None or whole else purse.bank_ms),
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
    table = replace(
        _asking_again(table),
        gone={**table.gone, seat.player: purse},
        circle=_without(table.circle, seat.player),
        before=_before_without(table.before, event.seat, seat.player),
    )
    # Once the hand is called, what its seats are bound to stands, whoever leaves.
    if (sealed := table.sealed) is not None and sealed.hand > table.hands and event.seat in sealed.seeds:
        rest = {seat: seed for seat, seed in sealed.seeds.items() if seat != event.seat}
        table = replace(table, sealed=replace(sealed, seeds=rest))
    return table.with_seat(event.seat, None)


def _without(circle: tuple[str, ...], player: str) -> tuple[str, ...]:
    """The circle after somebody has left: over, if he belonged to it."""
    return () if player in circle else circle


def _before_without(before: Before | None, number: int, player: str) -> Before | None:
    """What is given back where a hand does not count, after somebody has left who was not dealt into it."""
    if before is None:
        return None
    rights = {seat: right for seat, right in before.rights.items() if seat != number}
    return replace(before, circle=_without(before.circle, player), rights=rights)


def _asking_again(table: Table) -> Table:
    """The table with nobody always ready: that answer holds only while the same people sit here."""
    return replace(table, seats=tuple(seat and replace(seat, always_ready=False) for seat in table.seats))


# -- from hand to hand


def _sealed(table: Table, event: DeckSealed) -> Table:
    if event.hidden is None or event.hand != to_be_sealed(table):
        raise ValueError("decks are sealed once, of the hand to come")
    master = event.hidden.master
    return replace(table, sealed=Sealing(hand=event.hand, root=event.root, master=master, alias=event.alias))


def _seed(table: Table, event: SeedCommitted | SeedOpened) -> Table:
    """The table with a seed that somebody is bound to, or has opened; once all are open nothing waits for them."""
    sealed = table.sealed
    if sealed is None or sealed.hand != event.hand:
        raise ValueError("a seed is for the decks that are sealed")
    if isinstance(event, SeedCommitted):
        return replace(table, sealed=replace(sealed, seeds={**sealed.seeds, event.seat: (event.commitment, None)}))
    if event.seat not in sealed.seeds:
        raise ValueError("a seed is opened that nobody was bound to")
    commitment = sealed.seeds[event.seat][0]
    sealed = replace(sealed, seeds={**sealed.seeds, event.seat: (commitment, event.seed)})
    waits = any(sealed.seeds[seat][1] is None for seat in table.called if seat in sealed.seeds)
    return replace(table, sealed=sealed, open_by=table.open_by if waits else None)


def _called(table: Table, event: HandCalled, at: int) -> Table:
    before = Before(
        hand=table.hand,
        players=table.players,
        names=table.names,
        last_dealt=table.last_dealt,
        dealt_from=table.dealt_from,
        match=table.match,
        circle=table.circle,
        rights=table.rights,
        button=table.button,
        banks={number: _seat(table, number).clock.bank_ms for number in event.seats},
    )
    sealed = table.sealed
    if sealed is not None and sealed.hand == event.hand:  # whoever is not called has no part in this shuffle
        seeds = {seat: seed for seat, seed in sealed.seeds.items() if seat in event.seats}
        sealed = replace(sealed, seeds=seeds)
    bound = sealed is not None and sealed.hand == event.hand and bool(sealed.seeds)
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
        sealed=sealed,
        open_by=at + OPEN_MS if bound else None,
        held=False,
        before=before,
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
    if event.engine > ENGINE:
        raise ValueError(f"the hand is played by rules of a newer version ({event.engine}) than this program knows")
    if event.rules and event.rules != str(table.rules):
        raise ValueError("the hand is played by other rules than the table has")
    for number in event.seats:
        seat = _seat(table, number)
        clock = replace(seat.clock, hand_ms=1000 * table.rules.hand_seconds)
        seat = replace(seat, clock=clock, spent=False, confirmed=False, missed=False, credit_ms=CREDIT_MS)
        table = table.with_seat(number, seat)
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
        last_dealt=event.hand,
        laying=True,
        button=event.seats[-1],
        began=event.at if table.began is None else table.began,
        dealt_from=table.sealed if table.sealed is not None and table.sealed.hand == event.hand else None,
        open_by=None,
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
        seat = _standing(seat, at) if event.anew else seat
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
            credit = min(seat.lag_ms, seat.credit_ms, MOVE_CREDIT_MS) if seat.connected else 0
            clock = replace(seat.clock, since=at + credit)
            table = table.with_seat(number, replace(seat, clock=clock, credit_ms=seat.credit_ms - credit))
        elif not runs and seat.clock.since is not None:
            table = table.with_seat(number, _standing(seat, at))
    return table


def _standing(seat: Seat, at: int) -> Seat:
    """The seat with its clock stopped, and what this move has not used of its credit."""
    if seat.clock.since is None:
        return seat
    unused = max(0, seat.clock.since - at)
    clock = replace(seat.clock.at(at, connected=seat.connected), since=None)
    return replace(seat, clock=clock, credit_ms=seat.credit_ms + unused)


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
    table = replace(
        table,
        match=replace(match, won=tuple(won.values())),
        laying=False,
        rights=rights,
        showdown_until=at + 1000 * table.rules.showdown_seconds,
        until=event.at,
        rules_before=None,
        before=None,
        voided_running=0,
    )
    if not rights:
        return _match_over(table, at)
    return _with_pause(table, at)


def _with_pause(table: Table, at: int) -> Table:
    """The table in a match that goes on: the showdown stands, and who has no chips may bring some."""
    showdown_until = at + 1000 * table.rules.showdown_seconds
    broke = any(table.is_broke(_seat(table, number)) for number in table.dealt_in)
    top_up_by = max(at + 1000 * table.rules.ready_seconds, showdown_until) if broke else None
    return replace(table, showdown_until=showdown_until, top_up_by=top_up_by)


def _voided(table: Table, event: HandVoided) -> Table:
    """The table as it was when the hand was called, but that nobody is ready: it waits for those who sit there."""
    before = table.before
    if before is None or event.hand != table.hands:
        raise ValueError("no such hand has been called")
    if table.hold_since is not None:  # the times run on, and nobody has paid for that they stood
        table = _held_no_longer(table, event.at)
    at = table.time(event.at)
    for number, bank_ms in before.banks.items():
        seat = table.seats[number]
        if seat is not None:
            seat = replace(seat, clock=Clock(hand_ms=0, bank_ms=bank_ms), ready=False, always_ready=False)
            table = table.with_seat(number, replace(seat, spent=False, confirmed=False, missed=False))
    table = replace(
        table,
        match=before.match,
        circle=before.circle,
        rights=before.rights,
        button=before.button,
        called=(),
        hand=before.hand,
        dealt_from=before.dealt_from,
        players=before.players,
        names=before.names,
        last_dealt=before.last_dealt,
        laying=False,
        open_by=None,
        before=None,
        began=None if table.until is None else table.began,
        voided=table.voided + 1,
        voided_running=table.voided_running + 1,
    )
    if before.rights:
        return _with_pause(table, at)
    seats = tuple(seat if seat is None or seat.sitting_out else replace(seat, held_since=at) for seat in table.seats)
    return replace(table, seats=seats)


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
        dealt_from=None,
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
        case HoldBegan():
            return "held", None
        case HoldEnded():
            return "hold-over", None
        case HandVoided(reason=reason):
            return "voided-fault" if reason == "fault" else "voided-outage", None
        case Stalled():
            return "stalled", None
        case Resumed(lost_ms=lost) if lost >= TOLD_MS:
            return "resumed", None
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


def _held_no_longer(table: Table, now: int) -> Table:
    return _shifted(replace(table, hold_since=None, hold=None), max(0, now - table.time(now)))


def _shifted(table: Table, lost: int) -> Table:
    """The table with all its times so much later."""
    seats = tuple(
        seat
        and replace(
            seat,
            held_since=_later(seat.held_since, lost),
            lost_at=_later(seat.lost_at, lost),
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
        hold_since=_later(table.hold_since, lost),
        open_by=_later(table.open_by, lost),
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
