"""What one viewer may know of a table: the hand as he sees it, seats, stacks, clocks, and what he may do now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet
from ananas.game.view import HandView, view_hand
from ananas.table.chips import may_bring, may_top_up
from ananas.table.clock import hold_until
from ananas.table.events import AnyEvent, Aside, AutoPlaced, Confirmed, Hold, Lagged, Lapse, SeedCommitted, SeedOpened
from ananas.table.host import break_until, may_be_host, may_be_removed, may_stop
from ananas.table.seeds import may_commit, may_open, name_of
from ananas.table.state import Notice, RuleChange, Seat, Table, rule_changes

Action = Literal[
    "sit",
    "leave",
    "sit-out",
    "ready",
    "always",
    "return",
    "top-up",
    "go-on",
    "waive",
    "confirm",
    "draft",
    "hint",
    "say",
    "commit-seed",
    "open-seed",
    "break",
    "remove",
    "seat-bot",
    "pass-host",
    "change-rules",
    "publish",
]
"""A message this viewer may send now with a chance of being accepted; `hint` is asked for over HTTP."""

Phrase = Literal[
    "hello",
    "good-luck",
    "nice-hand",
    "well-played",
    "thanks",
    "sorry",
    "unlucky",
    "hurry",
    "one-moment",
    "back",
    "one-more",
    "bye",
    "clap",
    "laugh",
    "wow",
    "heart",
    "fire",
    "tears",
]
"""What can be said at the table, in the reader's language; from `clap` on it is a picture."""


class SaidView(msgspec.Struct, frozen=True, kw_only=True):
    """A phrase that somebody has just said; `number` grows with each that is said at this table."""

    number: int
    seat: int
    phrase: Phrase


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's time in the hand being played, in milliseconds, as it was when the view was made.

    `hand_ms`: what is left for this hand, of `hand_total_ms`. `bank_ms`: what is left in his bank, of `bank_total_ms`.
    Of a seat that is connected the first runs first, else the second.
    """

    hand_ms: int
    bank_ms: int
    hand_total_ms: int
    bank_total_ms: int
    running: bool


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """An occupied seat. `stack` and `total` in chips; `total` is what he has won or lost at this table so far.

    `money`: that in the smallest unit of the currency, at the prices a point had when it was won. `aside`: why he sits
    out, where that is known. `removable`: the host may take him off his seat: a bot, or somebody who is away.
    `fantasyland`: with how many cards he lays the next hand at once, 0 for none. `broke`: he has nothing left to play
    for. `gone_on`: he waits for the next hand of the match. `connected`: whether he has the table open now; a bot always
    has. `absent`: his time ran out while he had not, and the table lays for him. `lag_ms`: how
    long a message takes to him and back, roughly, as the room measured it. `clock` is null outside a hand.
    """

    seat: int
    name: str
    bot: bool
    host: bool
    stack: int
    total: int
    money: int
    fantasyland: int
    ready: bool
    always_ready: bool
    sitting_out: bool
    aside: Aside | None
    removable: bool
    leaving: bool
    broke: bool
    gone_on: bool
    connected: bool
    absent: bool
    lag_ms: int
    clock: ClockView | None


class SeedView(msgspec.Struct, frozen=True, kw_only=True):
    """Of the shuffle of a hand: what a seat is bound to, and the seed it has opened; null until then, or for good."""

    seat: int
    commitment: str
    seed: str | None


class FairView(msgspec.Struct, frozen=True, kw_only=True):
    """To what the deal of a hand can be held: the root of its sealed decks, and the players' seeds so far.

    `hand`: the hand to come, or the one called last; `name`: what it is called in everything that seals it. `open_ms`: how long seeds may still be opened; null while none is
    waited for.
    """

    hand: int
    name: str
    root: str
    seeds: tuple[SeedView, ...]
    open_ms: int | None


class GoneView(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has left with a part of the table's account: what he has won or lost here, in chips and in money."""

    name: str
    total: int
    money: int


class MatchPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays the match, and what he has won or lost in it, in chips, by the hands that are over."""

    seat: int
    name: str
    won: int


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """The match being played, or the last one.

    `number`: from 1. `hand`: which of its hands, from 1; one that does not count leaves both as they were, so that the
    first hand of match 1, and no other, is the one whose button a lot has drawn. `over`: whether it has ended. `circle_match`: which match of the circle
    it is, from 1, of `circle_size`. `lapsed`: why it ended though somebody had the right to Fantasyland, else null.
    """

    number: int
    hand: int
    over: bool
    circle_match: int
    circle_size: int
    players: tuple[MatchPlayer, ...]
    lapsed: Lapse | None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it.

    `you`: the viewer's seat, null for a spectator. `phase`: `waiting` for ready (the last hand, if any, stays to be
    looked at), `laying`, or `pause` between two hands of a match. `hands`: the number of the last hand called, 0 before
    the first; the hand to come has the next number. `seats`: one entry for each place, null where it is free. `names`:
    of those dealt into `hand`, in order of play; somebody may have left since. `ready_ms`: how long the others are still
    waited for, null while nobody is. `showdown_ms`: how long the showdown still stands at the most, null when it is
    over. `top_up_ms`: how long who has no chips may still bring some in mid-match, null while nobody may. `may`: what
    this viewer may do now. `changes`: which rules are others since the last hand that was
    counted. `chips`: the least and the most he may bring by it, sitting down or topping up (as the stack
    it makes); null where he may not. `gone`: who has left, so that all totals add up to 0. `public`: whether it is shown
    among the open tables. `break_ms`: how long the host's break may still last, null while there is none. `held`: why all
    times stand though nobody has stopped the game, and `held_ms`, how long they may still; both null while they run.
    `notices`: what everybody was told last, the oldest first; `said`: the phrases of the last seconds. `fair`: to what
    the deal can be held; null where nothing is sealed.
    """

    table: str
    name: str
    rules: RuleSet
    changes: tuple[RuleChange, ...]
    you: int | None
    phase: Literal["waiting", "laying", "pause"]
    hands: int
    match: MatchView | None
    seats: tuple[SeatView | None, ...]
    hand: HandView | None
    names: tuple[str, ...]
    ready_ms: int | None
    showdown_ms: int | None
    top_up_ms: int | None
    spectators: int
    gone: tuple[GoneView, ...]
    may: tuple[Action, ...]
    chips: tuple[int, int] | None
    public: bool
    break_ms: int | None
    held: Hold | None
    held_ms: int | None
    notices: tuple[Notice, ...]
    said: tuple[SaidView, ...]
    fair: FairView | None


class Live(Discreet, msgspec.Struct, frozen=True, kw_only=True):
    """What the room knows of a table beside its state.

    `drafts`: by seat, how cards are arranged before they are confirmed. `spectators`: how many watch it without a seat.
    `said`: the phrases of the last seconds.
    """

    told = ("spectators", "said")

    drafts: Mapping[int, Placement] = msgspec.field(default_factory=dict[int, Placement])
    spectators: int = 0
    said: tuple[SaidView, ...] = ()


def view_table(
    table: Table, viewer: str | None, now: int, live: Live, seats: tuple[SeatView | None, ...] | None = None
) -> TableView:
    """Show the table to a player or guest, or to nobody in particular, as it is at `now`, in milliseconds.

    `seats`: what `view_seats` says of that moment, where several viewers are shown it.
    """
    seat = None if viewer is None else table.seat_of(viewer)
    time = table.time(now)
    may = _may(table, viewer, time)
    return TableView(
        table=table.id,
        name=table.name,
        rules=table.rules,
        changes=() if table.rules_before is None else rule_changes(table.rules_before, table.rules),
        you=seat,
        phase=_phase(table),
        hands=table.hands,
        match=_view_match(table),
        seats=view_seats(table, now) if seats is None else seats,
        hand=_view_hand(table, viewer, live),
        names=table.names,
        ready_ms=_until(table.ready_by, time),
        showdown_ms=_until(table.showdown_until, time),
        top_up_ms=_until(table.top_up_by, time) if any(map(table.owes_chips, table.dealt_in)) else None,
        spectators=live.spectators,
        gone=_view_gone(table),
        may=may,
        chips=_chips(table, viewer, may, now),
        public=table.public,
        break_ms=_until(break_until(table), now),
        held=table.hold,
        held_ms=_until(hold_until(table), now),
        notices=table.notices,
        said=live.said,
        fair=_view_fair(table, time),
    )


def _view_fair(table: Table, now: int) -> FairView | None:
    sealed = table.sealed
    if sealed is None:
        return None
    seeds = tuple(
        SeedView(seat=seat, commitment=commitment, seed=seed)
        for seat, (commitment, seed) in sorted(sealed.seeds.items())
    )
    name = name_of(table.id, sealed)
    return FairView(hand=sealed.hand, name=name, root=sealed.root, seeds=seeds, open_ms=_until(table.open_by, now))


def _phase(table: Table) -> Literal["waiting", "laying", "pause"]:
    if table.laying:
        return "laying"
    # A match whose first hand still waits for its deck has not begun for those who look at it.
    begun = table.match is not None and table.match.hands > bool(table.called)
    return "pause" if table.in_match and begun else "waiting"


def who_notices(table: Table, events: Sequence[AnyEvent]) -> frozenset[str] | None:
    """The players who may notice that these events have made this table; null for everybody.

    A street that is laid face down, and is not the last of its board, changes nothing that others are shown. If they
    were shown it all the same, they could count.
    """
    players = set[str]()
    for event in events:
        hand = table.hand
        if isinstance(event, SeedCommitted | SeedOpened | Lagged):
            # Whom it is about; the others learn of it with what comes next.
            seat = table.seats[event.seat]
            players |= set() if seat is None else {seat.player}
            continue
        if hand is None or not isinstance(event, Confirmed | AutoPlaced) or event.rows is not None:
            return None
        player = hand.seats.index(event.seat)
        if hand.done(player):
            return None
        players.add(table.players[player])
    return frozenset(players)


def view_seats(table: Table, now: int) -> tuple[SeatView | None, ...]:
    """Everybody's part of the view: seats, stacks and clocks are the same to all."""
    return tuple(_view_seat(table, number, now) for number in range(len(table.seats)))


def _view_gone(table: Table) -> tuple[GoneView, ...]:
    """Who has left, the last one first; who has neither won nor lost is missed by nobody's account."""
    left = sorted(table.gone.values(), key=lambda purse: purse.left_at, reverse=True)
    return tuple(
        GoneView(name=purse.name, total=purse.stack - purse.brought, money=purse.money)
        for purse in left
        if purse.stack != purse.brought or purse.money
    )


def _view_match(table: Table) -> MatchView | None:
    match = table.match
    if match is None or (table.hand is None and not table.in_match):  # the rules have changed since
        return None
    return MatchView(
        number=match.number,
        hand=match.hands,
        over=not table.in_match,
        circle_match=match.circle_match,
        circle_size=len(match.seats),
        players=tuple(
            MatchPlayer(seat=seat, name=name, won=won)
            for seat, name, won in zip(match.seats, match.names, match.won, strict=True)
        ),
        lapsed=match.lapsed,
    )


def _view_hand(table: Table, viewer: str | None, live: Live) -> HandView | None:
    """The hand as its players see it; he who has taken the seat of one of them since sees what a spectator sees."""
    if table.hand is None:
        return None
    seat = None if viewer is None else table.seat_of(viewer)
    dealt_to = dict(zip(table.hand.seats, table.players, strict=True))
    if seat is not None and dealt_to.get(seat) != viewer:
        seat = None
    return view_hand(table.hand, table.last_dealt, seat, live.drafts)


def _view_seat(table: Table, number: int, now: int) -> SeatView | None:
    seat = table.seats[number]
    if seat is None:
        return None
    right = table.rights.get(number)
    return SeatView(
        seat=number,
        name=seat.name,
        bot=seat.bot,
        host=seat.player == table.host,
        stack=seat.stack,
        total=seat.stack - seat.brought,
        money=seat.money,
        fantasyland=0 if right is None else right.cards,
        ready=seat.ready,
        always_ready=seat.always_ready,
        sitting_out=seat.sitting_out,
        aside=seat.aside,
        removable=may_be_removed(table, number),
        leaving=seat.leaving,
        broke=table.is_broke(seat),
        gone_on=number in table.gone_on,
        connected=seat.connected,
        absent=seat.absent,
        lag_ms=seat.lag_ms,
        clock=_view_clock(table, number, seat, now),
    )


def _view_clock(table: Table, number: int, seat: Seat, now: int) -> ClockView | None:
    if table.hand is None or not table.laying or number not in table.hand.seats:
        return None
    clock = seat.clock.at(table.time(now), connected=seat.connected)
    return ClockView(
        hand_ms=clock.hand_ms,
        bank_ms=clock.bank_ms,
        hand_total_ms=1000 * table.rules.hand_seconds,
        bank_total_ms=1000 * table.rules.bank_seconds,
        running=clock.since is not None and not table.stands,
    )


def _until(time: int | None, now: int) -> int | None:
    return None if time is None else max(0, time - now)


def _may(table: Table, viewer: str | None, now: int) -> tuple[Action, ...]:
    if viewer is None:
        return ()
    number = table.seat_of(viewer)
    seat = None if number is None else table.seats[number]
    hosts = _may_as_host(table, viewer)
    if number is None or seat is None:
        return ("sit", *hosts) if None in table.seats else hosts
    plays = number in table.dealt_in
    runs = seat.clock.since is not None and not table.stands
    lays = runs and seat.clock.at(now, connected=seat.connected).left_ms > 0
    allowed: dict[Action, bool] = {
        "leave": not seat.leaving,
        "sit-out": not plays and not seat.sitting_out,
        "ready": not seat.ready and not table.in_match and not table.is_broke(seat),
        "always": not seat.sitting_out,
        "return": seat.sitting_out or seat.leaving,
        "top-up": may_top_up(table, number) is not None,
        "go-on": table.pausing and plays and number not in table.gone_on,
        "waive": table.pausing and set(table.rights) == {number},
        "confirm": lays,
        "draft": lays,
        "hint": lays and _among_bots(table, number),
        "say": not seat.bot,
        "commit-seed": may_commit(table, number),
        "open-seed": may_open(table, number, now),
    }
    return (*(action for action, may in allowed.items() if may), *hosts)


def _among_bots(table: Table, number: int) -> bool:
    """Whether all who sit there beside this one are bots, at least one: with people nobody is helped."""
    others = [seat for place, seat in table.seated if place != number]
    return bool(others) and all(seat.bot for seat in others)


def _may_as_host(table: Table, viewer: str) -> tuple[Action, ...]:
    """What the host may do, who need not have a seat; and who may let the game go on in his place."""
    is_host, places = viewer == table.host, range(len(table.seats))
    allowed: dict[Action, bool] = {
        "break": may_stop(table, viewer),
        "remove": is_host and any(may_be_removed(table, number) for number in places),
        "seat-bot": is_host and None in table.seats,
        "pass-host": is_host and any(may_be_host(table, number) for number in places),
        "change-rules": is_host and not table.in_match,
        "publish": is_host,
    }
    return tuple(action for action, may in allowed.items() if may)


def _chips(table: Table, viewer: str | None, may: tuple[Action, ...], now: int) -> tuple[int, int] | None:
    if viewer is None:
        return None
    number = table.seat_of(viewer)
    if number is not None:
        return may_top_up(table, number)
    return may_bring(table, viewer, now) if "sit" in may else None
