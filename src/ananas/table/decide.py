"""What follows from a command: events, or a refusal that changes nothing. All rules of the table are here.

Time is an argument, the deck comes with the command; whatever is decided is told as events and applied by `evolve`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ananas.fair import commitment
from ananas.game.board import ROWS, Placement
from ananas.game.hand import Hand
from ananas.game.rules import ENGINE
from ananas.refused import Refused
from ananas.table.chips import may_bring, may_top_up
from ananas.table.clock import LOST_MS, held_until, hold_until, lost_in_hold, lost_since, turn_ends, waited_for
from ananas.table.commands import (
    Always,
    Break,
    ChangeRules,
    Command,
    CommitSeed,
    Confirm,
    Connect,
    Deal,
    Disconnect,
    GoOn,
    Lag,
    Leave,
    Open,
    OpenSeed,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    Return,
    Seal,
    SeatBot,
    Sit,
    SitOut,
    Stall,
    TimeOut,
    TopUp,
    Void,
    Waive,
)
from ananas.table.events import (
    AlwaysSaid,
    AnyEvent,
    Aside,
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
    HiddenDeck,
    HiddenMaster,
    HiddenPlacement,
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
    VoidReason,
    WentOn,
)
from ananas.table.evolve import evolve
from ananas.table.host import break_until, may_be_host, may_be_removed, may_stop, next_host
from ananas.table.names import look
from ananas.table.seeds import may_commit, may_open, name_of
from ananas.table.state import Right, Seat, Table, to_be_sealed

OUTAGE_MS: Final = 10 * 60 * 1000
"""A room that was away for so long in mid-hand waits for the people who played it."""
VOIDS: Final = 2
"""So often Fantasyland is begun and does not count; then it lapses: a fault that stays would void it for ever."""
IDLE_HANDS: Final = 2
"""How many hands in a row, laid by the table for somebody who is there, make him sit out after the match."""


Layouts = Mapping[tuple[int, int], Placement]
"""What the table lays where it is careful, by seat and street; the room works it out, from what each seat knows."""
_NO_LAYOUTS: Final[Layouts] = {}


def decide(table: Table | None, command: Command, now: int, layouts: Layouts = _NO_LAYOUTS) -> tuple[AnyEvent, ...]:
    """What happens when the command reaches the table at `now`, in milliseconds; null is a table not yet opened.

    >>> from ananas.game.rules import ROOM
    >>> opened = decide(None, Open(table="t1", name="Friday", host="g1", rules=ROOM), now=0)
    >>> table = evolve(None, opened[0])
    >>> decide(table, Sit(player="g1", name="Ann"), now=5)
    (Sat(at=5, seat=0, player='g1', name='Ann', bot=False, stack=50, brought=50, by_host=False),)
    >>> decide(table, Leave(player="g1"), now=6)
    Traceback (most recent call last):
    ananas.refused.Refused: only who sits at the table may do this

    `layouts`: where the table lays for somebody, it lays these if they can be laid, and otherwise in order of receipt. No
    events where a `TimeOut` comes too early. Raises `Refused`; `ValueError` for what only the room can get wrong:
    opening a table twice, a deck that is none.
    """
    return advance(table, command, now, layouts)[0]


def advance(
    table: Table | None, command: Command, now: int, layouts: Layouts = _NO_LAYOUTS
) -> tuple[tuple[AnyEvent, ...], Table]:
    """What `decide` says, and the table that `evolve` makes of it."""
    if table is None:
        if not isinstance(command, Open):
            raise Refused("no-table")
        opened = Opened(
            at=now,
            table=command.table,
            name=command.name,
            host=command.host,
            rules=command.rules,
            public=command.public,
        )
        return (opened,), evolve(None, opened)
    story = _Story(table, now, layouts)
    match command:
        case Sit():
            _sit(story, command)
        case Leave():
            _leave(story, command)
        case SitOut():
            _sit_out(story, command)
        case Ready():
            _ready(story, command)
        case Always():
            _always(story, command)
        case Return():
            _return(story, command)
        case TopUp():
            _top_up(story, command)
        case GoOn():
            _go_on_playing(story, command)
        case Waive():
            _waive(story, command)
        case Break():
            _break(story, command)
        case Remove():
            _remove(story, command)
        case SeatBot():
            _seat_bot(story, command)
        case PassHost():
            _pass_host(story, command)
        case ChangeRules():
            _change_rules(story, command)
        case Publish():
            _publish(story, command)
        case Deal():
            _deal(story, command)
        case Confirm():
            _confirm(story, command)
        case TimeOut():
            _time_out(story, command)
        case Connect() | Disconnect():
            _presence(story, command)
        case Resume():
            _resume(story, command)
        case Seal():
            _seal(story, command)
        case CommitSeed():
            _commit_seed(story, command)
        case OpenSeed():
            _open_seed(story, command)
        case Void():
            _void(story, command.reason)
        case Stall():
            if turn_ends(story.table) and not story.table.stands:
                story.tell(Stalled(at=now, lost_ms=max(0, command.lost_ms)))
        case Lag():
            _lag(story, command)
        case _:
            raise ValueError(f"{type(command).__name__} cannot be asked of an open table")
    return tuple(story.events), story.table


class _Story:
    """The events told so far, and the table as they have made it."""

    def __init__(self, table: Table, now: int, layouts: Layouts) -> None:
        self.table = table
        self.now = now
        self.layouts: Final = layouts
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.table = evolve(self.table, event)

    def seat_of(self, player: str) -> tuple[int, Seat]:
        for number, seat in self.table.seated:
            if seat.player == player:
                return number, seat
        raise Refused("not-seated")


# -- seats and chips


def _sit(story: _Story, command: Sit, *, by_host: bool = False) -> None:
    table = story.table
    place = table.seat_of(command.player)
    if place is not None:
        raise Refused("already-seated", seat=place)
    number = _free_seat(table, command.seat)
    for _, seat in table.seated:
        if look(seat.name) == look(command.name):
            raise Refused("name-taken", name=seat.name)
    least, most = may_bring(table, command.player, story.now)
    buy_in = least if command.buy_in is None else command.buy_in
    if not least <= buy_in <= most:
        raise Refused("bad-buy-in", chips=buy_in, least=least, most=most)
    purse = table.gone.get(command.player)
    story.tell(
        Sat(
            at=story.now,
            seat=number,
            player=command.player,
            name=command.name,
            bot=command.bot,
            stack=buy_in,
            brought=buy_in if purse is None else purse.brought + buy_in - purse.stack,
            by_host=by_host,
        )
    )


def _free_seat(table: Table, wanted: int | None) -> int:
    free = [number for number, seat in enumerate(table.seats) if seat is None]
    if wanted is None:
        if not free:
            raise Refused("table-full", seats=len(table.seats))
        return free[0]
    if _place(table, wanted) not in free:
        raise Refused("seat-taken", seat=wanted)
    return wanted


def _place(table: Table, wanted: int) -> int:
    """The number of a place that the table has."""
    if not 0 <= wanted < len(table.seats):
        raise Refused("no-seat", seat=wanted, last=len(table.seats) - 1)
    return wanted


def _top_up(story: _Story, command: TopUp) -> None:
    number, seat = story.seat_of(command.player)
    allowed = may_top_up(story.table, number)
    if allowed is None:
        raise Refused("match-running" if number in story.table.dealt_in else "enough-chips", chips=seat.stack)
    least, most = allowed
    if not least <= command.to <= most:
        raise Refused("bad-buy-in", chips=command.to, least=least, most=most)
    _bring(story, number, command.to)
    _next_if_nobody_waits(story)


def _bring(story: _Story, number: int, to: int) -> None:
    seat = story.table.seats[number]
    assert seat is not None
    story.tell(ToppedUp(at=story.now, seat=number, stack=to, brought=seat.brought + to - seat.stack))


def _leave(story: _Story, command: Leave) -> None:
    number, seat = story.seat_of(command.player)
    if seat.leaving:
        raise Refused("match-running")
    _let_go(story, number, removed=False)


def _let_go(story: _Story, number: int, *, removed: bool) -> None:
    """Free a seat: when the match is over, if it plays one, else at once."""
    if number in story.table.dealt_in:
        story.tell(Leaving(at=story.now, seat=number, removed=removed))
        _next_if_nobody_waits(story)
    else:
        _see_off(story, [number], removed=removed)
        _call_if_all_ready(story)


def _see_off(story: _Story, numbers: Iterable[int], *, removed: bool = False) -> None:
    """Free these seats now; if the host was on one of them, somebody else becomes the host."""
    was = story.table.seat_of(story.table.host)
    for number in numbers:
        seat = story.table.seats[number]
        assert seat is not None
        story.tell(Left(at=story.now, seat=number, removed=removed or seat.removed))
    if was is None or story.table.seat_of(story.table.host) is not None:
        return
    heir = next_host(story.table, was)
    if heir is not None:
        story.tell(HostPassed(at=story.now, seat=heir))


def _sit_out(story: _Story, command: SitOut) -> None:
    number, seat = story.seat_of(command.player)
    if number in story.table.dealt_in:
        raise Refused("match-running")
    if seat.sitting_out:
        raise Refused("sitting-out")
    story.tell(SatOut(at=story.now, seat=number, reason="asked"))
    _call_if_all_ready(story)


def _return(story: _Story, command: Return) -> None:
    number, seat = story.seat_of(command.player)
    if not seat.sitting_out and not seat.leaving:
        raise Refused("nothing-to-undo")
    story.tell(Returned(at=story.now, seat=number))
    _bots_bring(story)


def _presence(story: _Story, command: Connect | Disconnect) -> None:
    number, seat = story.seat_of(command.player)
    here = isinstance(command, Connect)
    if seat.bot or seat.connected == here:
        return
    story.tell(Connected(at=story.now, seat=number) if here else Disconnected(at=story.now, seat=number))
    if here and story.table.hold is not None and not lost_in_hold(story.table):
        story.tell(HoldEnded(at=story.now))
    elif not here:
        _hold_if_several_are_lost(story)
    _next_if_nobody_waits(story)


def _hold_if_several_are_lost(story: _Story) -> None:
    """Let all times stand where it seems that not a player is gone but the network between them and the room."""
    table, since = story.table, story.now - LOST_MS
    if not table.laying or table.stands or table.held:
        return
    if len(lost_since(table, since)) >= 2 and waited_for(table, since):
        story.tell(HoldBegan(at=story.now, reason="lost"))


def _resume(story: _Story, command: Resume) -> None:
    """Go on after the room was away; after long the people of the hand get time to come back, or it does not count."""
    # A clock set back while the room was away must not take time from anybody.
    lost = max(0, command.lost_ms)
    story.tell(Resumed(at=story.now, lost_ms=lost))
    table = story.table
    if lost < OUTAGE_MS or not table.busy or table.on_break:
        return
    for number in table.dealt_in:
        seat = table.seats[number]
        if seat is not None and not seat.bot and seat.connected:
            story.tell(Disconnected(at=story.now, seat=number))
    if table.hold == "lost":  # they get the whole time to come back, and the reason is another
        story.tell(HoldEnded(at=story.now))
    if story.table.hold is None and waited_for(story.table, story.now - LOST_MS):
        story.tell(HoldBegan(at=story.now, reason="outage"))


def _lag(story: _Story, command: Lag) -> None:
    number, seat = story.seat_of(command.player)
    ms = max(0, command.ms)
    if seat.lag_ms != ms and not seat.bot:
        story.tell(Lagged(at=story.now, seat=number, ms=ms))


# -- the shuffle


def _seal(story: _Story, command: Seal) -> None:
    hand = to_be_sealed(story.table)
    if hand is not None:
        hidden = HiddenMaster(master=command.master)
        story.tell(DeckSealed(at=story.now, hand=hand, root=command.root, hidden=hidden, alias=command.alias))


def _commit_seed(story: _Story, command: CommitSeed) -> None:
    table = story.table
    number, _ = story.seat_of(command.player)
    if table.sealed is None or not may_commit(table, number) or command.hand != table.sealed.hand:
        raise Refused("no-seed", hand=command.hand)
    story.tell(SeedCommitted(at=story.now, seat=number, hand=command.hand, commitment=command.commitment))


def _open_seed(story: _Story, command: OpenSeed) -> None:
    table = story.table
    number, _ = story.seat_of(command.player)
    if table.sealed is None or not may_open(table, number, table.time(story.now)) or command.hand != table.sealed.hand:
        raise Refused("no-seed", hand=command.hand)
    if commitment(name_of(table.id, table.sealed), number, command.seed) != table.sealed.seeds[number][0]:
        raise Refused("other-seed")
    story.tell(SeedOpened(at=story.now, seat=number, hand=command.hand, seed=command.seed))


def _void(story: _Story, reason: VoidReason) -> None:
    if not story.table.busy:
        raise Refused("no-hand")
    story.tell(HandVoided(at=story.now, hand=story.table.hands, reason=reason))
    if not story.table.rights:
        _after_match(story)
    elif story.table.voided_running >= VOIDS:
        _lapse(story, "voided")


# -- from match to match


def _ready(story: _Story, command: Ready) -> None:
    number, seat = story.seat_of(command.player)
    table = story.table
    if command.hand != table.hands + 1:
        raise Refused("turn-over", hand=command.hand, street=0)
    if table.in_match:
        raise Refused("match-running")
    if seat.ready:
        raise Refused("already-ready")
    if table.is_broke(seat):
        raise Refused("broke", least=table.rules.buy_in[0])
    if seat.sitting_out:
        story.tell(Returned(at=story.now, seat=number))
    story.tell(BecameReady(at=story.now, seat=number, always=command.always))
    _call_if_all_ready(story)


def _always(story: _Story, command: Always) -> None:
    number, seat = story.seat_of(command.player)
    if seat.sitting_out:
        raise Refused("sitting-out")
    if seat.always_ready != command.on:
        story.tell(AlwaysSaid(at=story.now, seat=number, on=command.on))


def _call_if_all_ready(story: _Story) -> None:
    table = story.table
    if table.on_break:
        return
    if not table.in_match and table.enough_ready and all(seat.ready for _, seat in table.awaited):
        seats = tuple(number for number, _ in table.awaited)
        story.tell(HandCalled(at=story.now, hand=table.hands + 1, seats=seats))


# -- from hand to hand


def _deal(story: _Story, command: Deal) -> None:
    table = story.table
    if not table.called:
        raise Refused("hand-running" if table.busy else "no-hand")
    if table.on_break:
        raise Refused("on-break")
    if table.stands:
        raise Refused("held")
    seats, rights = _who_is_dealt_what(table, command.lot)
    story.tell(
        HandDealt(
            at=story.now,
            hand=table.hands,
            seats=seats,
            fantasyland=tuple(right.cards if right else 0 for right in rights),
            repeats=tuple(right.repeats if right else 0 for right in rights),
            rules=str(table.rules),
            engine=ENGINE,
            hidden=HiddenDeck(deck=command.deck),
        )
    )
    _lay_for_absent(story)
    _hold_if_several_are_lost(story)


def _who_is_dealt_what(table: Table, lot: int) -> tuple[tuple[int, ...], list[Right | None]]:
    """The seats that were called in order of play, and the right of each to Fantasyland; none where nobody has any."""
    moves = not table.rights or table.rules.button_in_fantasyland == "moves"
    seats = order_of_play(table.called, table.button, lot, moves=moves)
    return seats, [table.rights.get(number) for number in seats] if table.rights else []


def to_be_dealt(table: Table, lot: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of a hand that was called: the seats in order of play, and how many cards each gets at once, 0 for none."""
    seats, rights = _who_is_dealt_what(table, lot)
    return seats, tuple(right.cards if right else 0 for right in rights) or (0,) * len(seats)


def order_of_play(seats: tuple[int, ...], button: int | None, lot: int, *, moves: bool = True) -> tuple[int, ...]:
    """The seats dealt in, in order of play: the button, which acts last, goes to the next of them clockwise.

    Without a button so far, the lot draws one; the lots 0 to 11 fall evenly on two, three and four seats. Where the
    button does not move it stays with its holder, if he is dealt in.

    >>> order_of_play((0, 1, 2), button=2, lot=0), order_of_play((0, 2), button=1, lot=0)
    ((1, 2, 0), (0, 2))
    >>> order_of_play((0, 1, 2), button=2, lot=0, moves=False), order_of_play((0, 2), button=None, lot=6)
    ((0, 1, 2), (2, 0))
    """
    if button is None:
        button, moves = seats[lot % len(seats)], False
    least = button + 1 if moves else button
    last = next((place for place, seat in enumerate(seats) if seat >= least), 0)
    return seats[last + 1 :] + seats[: last + 1]


def _go_on_playing(story: _Story, command: GoOn) -> None:
    table = story.table
    number, _ = story.seat_of(command.player)
    if not table.pausing or command.hand != table.hands or number not in table.dealt_in:
        raise Refused("turn-over", hand=command.hand, street=0)
    if number in table.gone_on:
        raise Refused("already-ready")
    story.tell(WentOn(at=story.now, seat=number))
    _next_if_nobody_waits(story)


def _waive(story: _Story, command: Waive) -> None:
    number, _ = story.seat_of(command.player)
    if not story.table.pausing or set(story.table.rights) != {number}:
        raise Refused("nothing-to-waive")
    _lapse(story, "waived")


def _next_if_nobody_waits(story: _Story) -> None:
    """Call the next hand of the match, or end it, once nobody looks at the showdown or may still bring chips."""
    table, now = story.table, story.now
    if not table.pausing or table.on_break:
        return
    # Where nobody is there to go on, the showdown stands its time: somebody may be back in a moment.
    there = {number for number in table.dealt_in if _is_there(table, number)}
    if table.showdown_until is not None and (not there or there - table.gone_on):
        return
    if any(table.owes_chips(number) for number in table.dealt_in) and not _due(table.top_up_by, now):
        return
    seats = tuple(number for number in sorted(table.dealt_in) if _has_chips(table, number))
    holders = [number for number in table.rights if number in seats]
    if len(seats) < 2:
        _lapse(story, "one-left")
    elif not holders:
        _lapse(story, "broke")
    elif all(_is_absent(table, number) for number in holders):
        _lapse(story, "absent")
    else:
        out = (number for number in table.dealt_in if number not in seats)
        _see_off(story, [number for number in out if (seat := table.seats[number]) and seat.leaving])
        story.tell(HandCalled(at=now, hand=table.hands + 1, seats=seats, first=False))


def _is_there(table: Table, number: int) -> bool:
    seat = table.seats[number]
    return seat is not None and not seat.bot and seat.connected


def _has_chips(table: Table, number: int) -> bool:
    seat = table.seats[number]
    return seat is not None and not table.is_broke(seat)


def _lapse(story: _Story, reason: Lapse) -> None:
    story.tell(RightsLapsed(at=story.now, reason=reason))
    _after_match(story)


def _after_match(story: _Story) -> None:
    """Let go who wanted to leave, seat those aside who are away or asleep; bots that have lost everything buy in."""
    _see_off(story, [number for number, seat in story.table.seated if seat.leaving])
    for number, seat in story.table.seated:
        if (seat.absent or seat.idle >= IDLE_HANDS) and not seat.sitting_out:
            reason: Aside = "absent" if seat.absent else "idle"
            story.tell(SatOut(at=story.now, seat=number, reason=reason))
    _bots_bring(story)


def _bots_bring(story: _Story) -> None:
    for number, seat in story.table.seated:
        allowed = may_top_up(story.table, number)
        if seat.bot and story.table.is_broke(seat) and allowed is not None:
            _bring(story, number, allowed[0])


# -- what the host does


def _only_host(story: _Story, player: str) -> None:
    if player != story.table.host:
        raise Refused("not-host")


def _break(story: _Story, command: Break) -> None:
    if not may_stop(story.table, command.player):
        raise Refused("not-host")
    if command.on == story.table.on_break:
        return
    if command.on:
        if story.table.hold is not None:
            story.tell(HoldEnded(at=story.now))
        story.tell(BreakBegan(at=story.now))
    else:
        _go_on_after_break(story)


def _go_on_after_break(story: _Story) -> None:
    """Let the game go on, with what the break alone held back."""
    story.tell(BreakEnded(at=story.now))
    _next_if_nobody_waits(story)
    _call_if_all_ready(story)


def _remove(story: _Story, command: Remove) -> None:
    table, number = story.table, command.seat
    _only_host(story, command.player)
    seat = table.seats[_place(table, number)]
    if seat is None or seat.leaving:
        return  # he goes, or has gone, by himself
    if not may_be_removed(table, number):
        raise Refused("not-away", name=seat.name)
    _let_go(story, number, removed=True)


def _seat_bot(story: _Story, command: SeatBot) -> None:
    _only_host(story, command.player)
    _sit(story, Sit(player=command.bot, name=command.name, bot=True, seat=command.seat), by_host=True)


def _pass_host(story: _Story, command: PassHost) -> None:
    table, number = story.table, command.seat
    _only_host(story, command.player)
    if table.seat_of(table.host) == _place(table, number):
        return
    if not may_be_host(table, number):
        raise Refused("nobody-there", seat=number)
    story.tell(HostPassed(at=story.now, seat=number))


def _change_rules(story: _Story, command: ChangeRules) -> None:
    table, rules = story.table, command.rules
    _only_host(story, command.player)
    if table.in_match:
        raise Refused("match-running")
    places = rules.seats[1]
    if len(table.seated) > places:
        detail = f"{len(table.seated)} sit at this table"
        raise Refused("bad-rule", name="seats", value=rules.values["seats"], detail=detail)
    if any(number >= places for number, _ in table.seated):
        last = max(number for number, _ in table.seated)
        detail = f"somebody sits on seat {last}, these rules have seats 0 to {places - 1}"
        raise Refused("bad-rule", name="seats", value=rules.values["seats"], detail=detail)
    if rules == table.rules:
        return
    story.tell(RulesChanged(at=story.now, rules=rules))
    _bots_bring(story)


def _publish(story: _Story, command: Publish) -> None:
    _only_host(story, command.player)
    if command.on != story.table.public:
        story.tell(Published(at=story.now, on=command.on))


# -- inside a hand


def acting(table: Table, player: str, hand_number: int, street: int, now: int) -> tuple[Hand, int]:
    """The hand, and the player's place in its order of play, if this turn is his now; raises `Refused` if it is not."""
    number = table.seat_of(player)
    if number is None:
        raise Refused("not-seated")
    over = Refused("turn-over", hand=hand_number, street=street)
    if table.hand is None or not table.laying:
        raise over if hand_number <= table.hands - bool(table.called) else Refused("no-hand")
    if hand_number != table.hands:
        raise over
    hand, seat = table.hand, table.seats[number]
    place = hand.seats.index(number) if number in hand.seats else None
    if place is not None and street != hand.street_of(place):
        raise over
    if place is None or place not in hand.acting:
        raise Refused("not-your-turn", turn=", ".join(str(hand.seats[turn]) for turn in hand.acting))
    if table.on_break:
        raise Refused("on-break")
    if table.stands:
        raise Refused("held")
    if seat is None or seat.spent or seat.clock.at(now, connected=seat.connected).left_ms == 0:
        raise over
    return hand, place


def _confirm(story: _Story, command: Confirm) -> None:
    hand, player = acting(story.table, command.player, command.hand, command.street, story.now)
    hand.place(player, command.placement)
    seat, rows = hand.seats[player], _rows(hand, player, command.placement)
    lags = any(number == seat and each.lag_ms > 0 for number, each in story.table.seated)
    story.tell(
        Confirmed(
            at=story.now,
            seat=seat,
            street=command.street,
            rows=rows,
            hidden=HiddenPlacement(placement=str(command.placement)),
            # Of what is laid face down his clock would tell the others how many streets it were.
            anew=lags and rows is not None,
        )
    )
    _lay_for_absent(story)


def _rows(hand: Hand, player: int, placement: Placement) -> str | None:
    """What everybody may know of a placement."""
    return None if hand.face_down(player) else placement.rows


def _lay(story: _Story, hand: Hand, player: int, draft: Placement | None) -> None:
    seat, street = hand.seats[player], hand.street_of(player)
    fits = draft is not None and _fits(hand, player, draft)
    placement = story.layouts.get((seat, street))
    if placement is None or not _may_be_laid(hand, player, placement, draft if fits else None):
        placement = hand.automatic(player, draft)
    kept = str(draft) if draft is not None and draft.cards and fits else None
    story.tell(
        AutoPlaced(
            at=story.now,
            seat=seat,
            street=street,
            rows=_rows(hand, player, placement),
            hidden=HiddenPlacement(placement=str(placement), kept=kept),
        )
    )


def _fits(hand: Hand, player: int, draft: Placement) -> bool:
    try:
        hand.check_draft(player, draft)
    except Refused:
        return False
    return True


def _may_be_laid(hand: Hand, player: int, layout: Placement, kept: Placement | None) -> bool:
    """Whether a careful layout can be laid, with all that somebody had put into rows where he had put it."""
    if hand.rules.auto_layout != "careful":
        return False
    try:
        hand.place(player, layout)
    except Refused:
        return False
    return kept is None or all(set(kept.row(row)) <= set(layout.row(row)) for row in ROWS)


def _lay_for_absent(story: _Story) -> None:
    """Lay for whoever is to act and is away or has no time left; count the hand when all is laid."""
    while (hand := story.table.hand) is not None and story.table.laying:
        if hand.over:
            _score(story)
            return
        seats = [story.table.seats[number] for number in hand.seats]
        player = next((turn for turn in hand.acting if (seat := seats[turn]) and (seat.spent or seat.absent)), None)
        if player is None:
            return
        _lay(story, hand, player, None)


def _score(story: _Story) -> None:
    table = story.table
    if table.hand is None or table.hand.reckoning is None:
        raise AssertionError("a hand is counted when all is laid")
    results = table.hand.reckoning.players
    story.tell(
        HandScored(
            at=story.now,
            hand=table.hands,
            seats=table.hand.seats,
            points=tuple(result.points for result in results),
            stacks=tuple(result.stack or 0 for result in results),
            fantasyland=tuple(result.fantasyland for result in results),
        )
    )
    _bots_bring(story)
    if not story.table.rights:
        _after_match(story)
    elif all(_is_absent(story.table, number) for number in story.table.rights):
        _lapse(story, "absent")


def _is_absent(table: Table, number: int) -> bool:
    seat = table.seats[number]
    return seat is None or seat.absent


# -- time


def _time_out(story: _Story, command: TimeOut) -> None:
    """Do whatever is due at `now`, all of it; what that makes wait for, waits from `now`.

    While the game is stopped nothing is due but the end of the break.
    """
    now = story.now
    if story.table.on_break:
        if _due(break_until(story.table), now):
            _go_on_after_break(story)
        return
    if story.table.hold is not None:
        if _due(hold_until(story.table), now):
            _after_hold(story)
        return
    if _due(story.table.open_by, now):
        story.tell(SeedsClosed(at=now, hand=story.table.hands))
    _spend(story, command.drafts)
    if _due(story.table.showdown_until, now):
        story.tell(ShowdownEnded(at=now))
    _next_if_nobody_waits(story)
    _see_off(story, [number for number, seat in story.table.seated if _due(held_until(story.table, seat), now)])
    if _due(story.table.ready_by, now):
        for number, seat in story.table.awaited:
            if not seat.ready:
                story.tell(SatOut(at=now, seat=number, reason="not-ready"))
    _call_if_all_ready(story)


def _after_hold(story: _Story) -> None:
    """Let the times run on; after a long outage the hand does not count if too many have not come back.

    Too many are two, or half of all: of several people one alone does not take a hand back by staying away.
    """
    away = len(lost_in_hold(story.table))
    there = sum(_is_there(story.table, number) for number in story.table.dealt_in)
    if story.table.hold == "outage" and away >= min(2, max(1, there)):
        _void(story, "outage")
    else:
        story.tell(HoldEnded(at=story.now))


def _spend(story: _Story, drafts: Mapping[int, Placement]) -> None:
    """Lay for everybody whose time is spent, beginning with what he had arranged."""
    spent = [number for number, ends in turn_ends(story.table).items() if ends <= story.now]
    for number in spent:
        hand = story.table.hand
        assert hand is not None
        story.tell(TimedOut(at=story.now, seat=number))
        _lay(story, hand, hand.seats.index(number), drafts.get(number))
    if spent:
        _lay_for_absent(story)


def _due(time: int | None, now: int) -> bool:
    return time is not None and time <= now
