"""What follows from a command: events, or a refusal that changes nothing. All rules of the table are here.

Time is an argument, the deck comes with the command; whatever is decided is told as events and applied by `evolve`.
"""

from __future__ import annotations

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.refused import Refused
from ananas.table.clock import held_until, turn_ends
from ananas.table.commands import Command, Confirm, Deal, Leave, Open, Ready, Resume, Return, Sit, TimeOut
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    BecameReady,
    Confirmed,
    HandCalled,
    HandDealt,
    HandScored,
    HiddenDeck,
    HiddenPlacement,
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
from ananas.table.evolve import evolve
from ananas.table.names import look
from ananas.table.state import HandClock, Purse, Seat, Table


def decide(table: Table | None, command: Command, now: int) -> tuple[AnyEvent, ...]:
    """What happens when the command reaches the table at `now`, in milliseconds; null is a table not yet opened.

    >>> from ananas.game.rules import ROOM
    >>> opened = decide(None, Open(table="t1", name="Friday", host="g1", rules=ROOM), now=0)
    >>> table = evolve(None, opened[0])
    >>> decide(table, Sit(player="g1", name="Ann"), now=5)
    (Sat(at=5, seat=0, player='g1', name='Ann', bot=False, stack=50, brought=50),)
    >>> decide(table, Leave(player="g1"), now=6)
    Traceback (most recent call last):
    ananas.refused.Refused: only who sits at the table may do this

    No events where a `TimeOut` comes too early. Raises `Refused`; `ValueError` for what only the room can get wrong:
    opening a table twice, a deck that is none.
    """
    return advance(table, command, now)[0]


def advance(table: Table | None, command: Command, now: int) -> tuple[tuple[AnyEvent, ...], Table]:
    """What `decide` says, and the table that `evolve` makes of it."""
    if table is None:
        if not isinstance(command, Open):
            raise Refused("no-table")
        name, host, rules = command.name, command.host, command.rules
        opened = Opened(at=now, table=command.table, name=name, host=host, rules=rules)
        return (opened,), evolve(None, opened)
    story = _Story(table, now)
    match command:
        case Sit():
            _sit(story, command)
        case Leave():
            _leave(story, command)
        case Ready():
            _ready(story, command)
        case Return():
            _return(story, command)
        case Deal():
            _deal(story, command)
        case Confirm():
            _confirm(story, command)
        case TimeOut():
            _time_out(story, command)
        case Resume():
            # A clock set back while the room was away must not take time from anybody.
            story.tell(Resumed(at=now, lost_ms=max(0, command.lost_ms)))
        case _:
            raise ValueError(f"{type(command).__name__} cannot be asked of an open table")
    return tuple(story.events), story.table


class _Story:
    """The events told so far, and the table as they have made it."""

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.now = now
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.table = evolve(self.table, event)

    def seat_of(self, player: str) -> tuple[int, Seat]:
        for number, seat in self.table.seated:
            if seat.player == player:
                return number, seat
        raise Refused("not-seated")


# -- seats


def _sit(story: _Story, command: Sit) -> None:
    table = story.table
    place = table.seat_of(command.player)
    if place is not None:
        raise Refused("already-seated", seat=place)
    number = _free_seat(table, command.seat)
    for _, seat in table.seated:
        if look(seat.name) == look(command.name):
            raise Refused("name-taken", name=seat.name)
    buy_in = table.rules.buy_in
    purse = table.gone.get(command.player, Purse(stack=buy_in, brought=buy_in))
    story.tell(
        Sat(
            at=story.now,
            seat=number,
            player=command.player,
            name=command.name,
            bot=command.bot,
            stack=purse.stack,
            brought=purse.brought,
        )
    )


def _free_seat(table: Table, wanted: int | None) -> int:
    free = [number for number, seat in enumerate(table.seats) if seat is None]
    if wanted is None:
        if not free:
            raise Refused("table-full", seats=len(table.seats))
        return free[0]
    if not 0 <= wanted < len(table.seats):
        raise Refused("no-seat", seat=wanted, last=len(table.seats) - 1)
    if wanted not in free:
        raise Refused("seat-taken", seat=wanted)
    return wanted


def _leave(story: _Story, command: Leave) -> None:
    number, seat = story.seat_of(command.player)
    if seat.leaving:
        raise Refused("hand-running")
    if number in story.table.dealt_in:
        story.tell(Leaving(at=story.now, seat=number))
    else:
        story.tell(Left(at=story.now, seat=number))
        _call_if_all_ready(story)


def _return(story: _Story, command: Return) -> None:
    number, seat = story.seat_of(command.player)
    if not seat.sitting_out and not seat.leaving:
        raise Refused("nothing-to-undo")
    story.tell(Returned(at=story.now, seat=number))


# -- from hand to hand


def _ready(story: _Story, command: Ready) -> None:
    number, seat = story.seat_of(command.player)
    if command.hand != story.table.hands + 1:
        raise Refused("turn-over", hand=command.hand, street=0)
    if story.table.busy:
        raise Refused("hand-running")
    if seat.ready:
        raise Refused("already-ready")
    if seat.sitting_out:
        story.tell(Returned(at=story.now, seat=number))
    story.tell(BecameReady(at=story.now, seat=number, always=command.always))
    _call_if_all_ready(story)


def _call_if_all_ready(story: _Story) -> None:
    table = story.table
    if not table.busy and table.enough_ready and all(seat.ready for _, seat in table.awaited):
        seats = tuple(number for number, _ in table.awaited)
        story.tell(HandCalled(at=story.now, hand=table.hands + 1, seats=seats))


def _deal(story: _Story, command: Deal) -> None:
    table = story.table
    if not table.called:
        raise Refused("hand-running" if table.busy else "no-hand")
    seats = order_of_play(table.called, table.button, command.lot)
    deck = HiddenDeck(deck=command.deck)
    story.tell(HandDealt(at=story.now, hand=table.hands, seats=seats, hidden=deck))


def order_of_play(seats: tuple[int, ...], button: int | None, lot: int) -> tuple[int, ...]:
    """The seats dealt in, in order of play: the button, which acts last, goes to the next of them clockwise.

    Without a button so far, the lot draws one; the lots 0 to 11 fall evenly on two seats and on three.

    >>> order_of_play((0, 1, 2), button=2, lot=0), order_of_play((0, 2), button=1, lot=0)
    ((1, 2, 0), (0, 2))
    >>> order_of_play((0, 2), button=None, lot=6)
    (2, 0)
    """
    if button is None:
        button = seats[lot % len(seats)] - 1
    last = next((place for place, seat in enumerate(seats) if seat > button), 0)
    return seats[last + 1 :] + seats[: last + 1]


# -- inside a hand


def acting(table: Table, player: str, hand_number: int, street: int, now: int) -> tuple[Hand, int]:
    """The hand, and the player's place in its order of play, if this turn is his now; raises `Refused` if it is not."""
    seat = table.seat_of(player)
    if seat is None:
        raise Refused("not-seated")
    over = Refused("turn-over", hand=hand_number, street=street)
    if table.hand is None or table.clock is None:
        raise over if hand_number <= table.last_dealt else Refused("no-hand")
    if hand_number != table.hands:
        raise over
    hand, turn = table.hand, table.turn
    place = hand.seats.index(seat) if seat in hand.seats else None
    if place is not None and street != hand.street_of(place):
        raise over
    if turn is not None and place != turn:
        raise Refused("not-your-turn", turn=hand.seats[turn])
    if place is None or table.clock.left(place, now) == 0:
        raise over
    return hand, place


def _confirm(story: _Story, command: Confirm) -> None:
    hand, player = acting(story.table, command.player, command.hand, command.street, story.now)
    hand.place(player, command.placement)
    story.tell(
        Confirmed(
            at=story.now,
            seat=hand.seats[player],
            street=command.street,
            rows=command.placement.rows,
            hidden=HiddenPlacement(placement=str(command.placement)),
        )
    )
    _go_on(story)


def _lay(story: _Story, hand: Hand, player: int, draft: Placement | None) -> None:
    placement = hand.automatic(player, draft)
    story.tell(
        AutoPlaced(
            at=story.now,
            seat=hand.seats[player],
            street=hand.street_of(player),
            rows=placement.rows,
            hidden=HiddenPlacement(placement=str(placement)),
        )
    )


def _go_on(story: _Story) -> None:
    """Lay for whoever comes next and has no time left; count the hand when all is laid."""
    while (running := _running(story.table)) is not None:
        hand, clock, player = running
        if not clock.is_spent(player):
            return
        _lay(story, hand, player, None)
    _score(story)


def _running(table: Table) -> tuple[Hand, HandClock, int] | None:
    """The hand, its clock and the player to act; null when nobody is."""
    if table.hand is None or table.clock is None or table.hand.turn is None:
        return None
    return table.hand, table.clock, table.hand.turn


def _score(story: _Story) -> None:
    table = story.table
    if table.hand is None or table.hand.reckoning is None:
        raise AssertionError("a hand is counted when all is laid")
    seats = table.hand.seats
    points = tuple(result.points for result in table.hand.reckoning.players)
    stacks = {number: seat.stack for number, seat in table.seated}
    after = tuple(stacks[number] + won for number, won in zip(seats, points, strict=True))
    story.tell(HandScored(at=story.now, hand=table.hands, seats=seats, points=points, stacks=after))
    for number, seat in story.table.seated:
        if seat.leaving:
            story.tell(Left(at=story.now, seat=number))


# -- time


def _time_out(story: _Story, command: TimeOut) -> None:
    """Do whatever is due at `now`, all of it; what that makes wait for, waits from `now`."""
    now = story.now
    running = _running(story.table)
    if running is not None and _due(turn_ends(story.table), now):
        hand, _, player = running
        story.tell(TimedOut(at=now, seat=hand.seats[player]))
        _lay(story, hand, player, command.draft)
        _go_on(story)
    if _due(story.table.showdown_until, now):
        story.tell(ShowdownEnded(at=now))
    for number, seat in story.table.seated:
        if _due(held_until(story.table, seat), now):
            story.tell(Left(at=now, seat=number))
    if _due(story.table.ready_by, now):
        for number, seat in story.table.awaited:
            if not seat.ready:
                story.tell(SatOut(at=now, seat=number))
    _call_if_all_ready(story)


def _due(time: int | None, now: int) -> bool:
    return time is not None and time <= now
