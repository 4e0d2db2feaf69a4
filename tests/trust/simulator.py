"""Clients, room and disk in simulated time, with everything going wrong that can; what the room promises is held against it.

The room is the real one, from its mailbox to the log; the network, the disk and the people are simulated, and time
passes only from one thing that happens to the next. What is promised is checked after every step, by a `Truth` that sees
the disk and the wires and nothing of the room's own state.

`python -m tests.trust.simulator --steps 5000000 --seed S` runs long. A failure tells the seed, the number of its world
and the step; `--only NUMBER` runs that world alone, the same way each time.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import heapq
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, NoReturn, cast

import msgspec
import structlog

import ananas.fair
from ananas import protocol
from ananas.fair import commitment
from ananas.game.board import Placement
from ananas.game.hand import in_order
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.view import PlayerView
from ananas.refused import Refused
from ananas.server.app import _beat, _forever, _look_around
from ananas.server.room import BOTS, SLOW_MS, Room, Rooms, _digest
from ananas.server.store import Guest, NotKept, Store
from ananas.server.time import STALL_SECONDS, RoomClock
from ananas.server.viewers import Asked, BotSeat, Commanded, Thinker
from ananas.table.commands import Command, Open, Sit
from ananas.table.decide import decide
from ananas.table.events import (
    AlwaysSaid,
    AnyEvent,
    AutoPlaced,
    BecameReady,
    BreakBegan,
    BreakEnded,
    Confirmed,
    HandCalled,
    HandScored,
    HandVoided,
    HostPassed,
    Leaving,
    Left,
    Published,
    Returned,
    RightsLapsed,
    RulesChanged,
    Sat,
    SatOut,
    SeedCommitted,
    SeedOpened,
    ToppedUp,
    WentOn,
)
from ananas.table.evolve import evolve
from ananas.table.state import Purse, Seat, Table
from ananas.table.view import TableView, view_seats
from tests.chance import Chance
from tests.trust.double import Disk, Double, Fate, Written
from tests.trust.hands import arranged
from tests.trust.virtual import Loop, seeded

TABLE: Final = "table"
WALL: Final = 1_700_000_000.0
"""What the clock on the wall says when a world begins."""
BEAT: Final = 0.5
"""How often the room reads its clock here; half as often as it does, which is still often enough."""
STEPS: Final = 900
"""So many steps a world lasts; then nothing goes wrong any more, and its last match is played to its end."""
LAST: Final = 2 * 3600.0
"""By so many seconds after that every match has to be over."""
MOST: Final = 12_000
"""And after so many steps more."""
SEED: Final = "simulator"
EASY: Final = {
    "fantasyland_entry": "22",
    "fantasyland_stay": "top-trips,middle-full-house,middle-quads,bottom-quads",
}
SHORT: Final = {"hand_seconds": "12", "bank_seconds": "9", "ready_seconds": "5", "showdown_seconds": "2"}
RULES: Final = (
    *RULE_SETS.values(),
    *(rules.but(SHORT) for rules in RULE_SETS.values()),
    *(rules.but(EASY | SHORT) for rules in RULE_SETS.values()),
    RULE_SETS["room"].but(EASY | SHORT | {"buy_in": "3-8", "settlement_cap": "loser"}),
    RULE_SETS["club"].but(EASY | {"buy_in": "1-5"}),
)
SLACK_MS: Final = 20
"""Whole milliseconds are reckoned with, so that a clock may be off by one for each life of the room and each reading."""

SLOWEST: Final = 1.5
"""The longest that a write takes, in seconds."""

Message = Asked


class Violation(AssertionError):
    """The room has not kept a promise."""


def expect(what: object, promise: str, *about: object) -> None:
    if not what:
        raise Violation(": ".join([promise, *map(str, about)]))


# -- what is true


class Sent(NamedTuple):
    """Something that has reached the room: over which wire, and whether the seat was played from another window."""

    message: Message
    wire: int
    elsewhere: bool


class Truth:
    """What is on the disk, and what everybody has been told; and what follows from that."""

    def __init__(self) -> None:
        self.rows: Final[list[Written]] = []
        self.tables: Final[list[Table | None]] = [None]
        """The table as every version has made it."""
        self.versions: Final[dict[str, int]] = {}
        self.sent: Final[dict[str, list[Sent]]] = {}
        self.acknowledged: Final[dict[str, int]] = {}
        self.laid: Final[set[tuple[int, int, int]]] = set()
        self.seen: Final[Counter[str]] = Counter()
        self.shown = 0
        self.running: int | None = None
        self.last_at = 0
        self.set_back = False
        """Whether the clock on the wall was set back while the room was away, which remembers only roughly how late it was."""

    @property
    def version(self) -> int:
        return len(self.rows)

    @property
    def table(self) -> Table:
        table = self.tables[-1]
        assert table is not None
        return table

    # -- the disk

    def kept(self, table_id: str, version: int, row: Written) -> None:
        """A row has reached the disk."""
        expect(version == self.version + 1, "versions follow one another", version, self.version)
        self.rows.append(row)
        before, table = self.tables[-1], self.tables[-1]
        events = row.events
        if row.command_id is not None:
            expect(row.command_id not in self.versions, "a command is in the log once", row.command_id)
            self.versions[row.command_id] = version
            assert before is not None
            self._check_asked(row, before, events)
        for event in events:
            self._check_event(event, table, row)
            table = evolve(table, event)
        self.tables.append(table)
        assert table is not None
        sides: list[Seat | Purse] = [*(seat for _, seat in table.seated), *table.gone.values()]
        expect(sum(side.stack - side.brought for side in sides) == 0, "no chip is made or lost", version)
        capped = table.rules.settlement_cap != "none"
        expect(not capped or all(side.stack >= 0 for side in sides), "no stack is below zero", version)

    def _check_event(self, event: AnyEvent, table: Table | None, row: Written) -> None:
        on = event.at >= self.last_at or self.set_back
        expect(on, "the log's time does not run backwards", event.at, self.last_at)
        self.last_at = event.at
        self.seen[type(event).__name__] += 1
        match event:
            case HandCalled(hand=hand):
                expect(self.running is None, "a hand ends before the next one begins", hand)
                self.running = hand
            case HandScored(hand=hand) | HandVoided(hand=hand):
                expect(self.running == hand, "a hand ends that has begun", hand)
                self.running = None
            case Confirmed() | AutoPlaced():
                assert table is not None
                turn = table.hands, event.seat, event.street
                expect(turn not in self.laid, "a seat acts once in a turn", turn)
                self.laid.add(turn)
                by_himself = isinstance(event, Confirmed)
                expect(by_himself == (row.command_id is not None) or not by_himself, "nobody's move is made up", turn)
            case _:
                pass

    def _check_asked(self, row: Written, before: Table, events: Sequence[AnyEvent]) -> None:
        """The log holds what its sender has asked, under this id and from the window that plays his seat."""
        player, _, _ = cast("str", row.command_id).rpartition(":")
        if player.startswith("bot:"):
            return
        sent = [each for each in self.sent.get(cast("str", row.command_id), ()) if not each.elsewhere]
        bodies = [each.message for each in sent if _body(each.message) == row.body]
        expect(bodies, "nobody's move is made up", row.command_id, sent)
        expect(_is_what_was_asked(bodies[0], player, before, events), "the log holds what was asked", bodies[0], events)

    # -- what is told

    def told(self, player: str, wire: int, answer: protocol.Kept) -> None:
        """Somebody is told that a command of his is kept."""
        key = f"{player}:{answer.id}"
        expect(answer.version <= self.version, "nothing is acknowledged before it is kept", key, answer.version)
        sent = [each.message for each in self.sent.get(key, ()) if each.wire == wire]
        expect(sent, "who is answered has asked", key)
        version = self.versions.get(key)
        if version is None:
            expect(self._was_so(sent, player, answer.version), "what is acknowledged is in the log", key, sent)
            return
        expect(version == answer.version, "a command is acknowledged as the version it is", key, version, answer)
        body = self.rows[version - 1].body
        expect(any(_body(each) == body for each in sent), "what is acknowledged is what was asked", key)
        self.acknowledged[key] = version
        self.seen["acknowledged"] += 1

    def _was_so(self, sent: Iterable[Message], player: str, version: int) -> bool:
        """Whether nothing had to be changed for one of these, by the table as this version has made it."""
        table = self.tables[version]
        assert table is not None
        number = table.seat_of(player)
        seat = None if number is None else table.seats[number]
        for message in sent:
            match message:
                case protocol.Always(on=on):
                    so = seat is not None and seat.always_ready == on
                case protocol.Break(on=on):
                    so = table.on_break == on
                case protocol.Publish(on=on):
                    so = table.public == on
                case protocol.Remove(seat=place):
                    other = table.seats[place] if place < len(table.seats) else None
                    so = other is None or other.leaving
                case protocol.PassHost(seat=place):
                    so = table.seat_of(table.host) == place
                case protocol.ChangeRules():
                    so = RuleSet.named(message.rules).but(message.set) == table.rules
                case _:
                    so = False
            if so:
                return True
        return False

    def offered(self, player: str | None, version: int, view: bytes) -> None:
        """Somebody is shown a version."""
        expect(version <= self.version, "nothing is shown before it is kept", version, self.version)
        expect(version >= self.shown, "views do not go back", version, self.shown)
        self.shown = version
        self.seen["views"] += 1
        if self.seen["views"] % 16 == 0:
            self._check_view(version, protocol_views.decode(view).view)

    def _check_view(self, version: int, view: TableView) -> None:
        table = self.tables[version]
        assert table is not None
        told = [None if seat is None else (seat.name, seat.stack, seat.total, seat.ready) for seat in view.seats]
        own = [
            None if seat is None else (seat.name, seat.stack, seat.total, seat.ready) for seat in view_seats(table, 0)
        ]
        expect(told == own and view.hands == table.hands, "a view shows the version it names", version, told, own)
        if view.hand is not None and table.hand is not None:
            expect(view.hand.number == table.last_dealt, "a view shows the version it names", version)

    # -- after a restart

    def same_as(self, disk: Disk) -> None:
        """What was acknowledged is still there, and nothing else has come or gone."""
        log = disk.logs.get(TABLE, [])
        expect(log == self.rows, "what is kept stays kept", len(log), len(self.rows))
        for key, version in self.acknowledged.items():
            expect(disk.versions.get((TABLE, key)) == version, "what is acknowledged is in the log", key, version)


protocol_views: Final = msgspec.json.Decoder(protocol.View)
_answers: Final = msgspec.json.Decoder(protocol.AnyServerMessage)


def _body(message: Message) -> bytes | None:
    return _digest(message) if isinstance(message, Commanded) else None


def _is_what_was_asked(message: Message, player: str, before: Table, events: Sequence[AnyEvent]) -> bool:
    """Whether these events are what a message asks of this table."""
    seat = before.seat_of(player)

    def happened(kind: type[Any], **fields: object) -> bool:
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            for event in events
        )

    match message:
        case protocol.Confirm():
            placement = str(Placement.parse(message.placement))
            laid = [event for event in events if isinstance(event, Confirmed)]
            return len(laid) == 1 and (
                (before.hands, laid[0].seat, laid[0].street, laid[0].hidden and laid[0].hidden.placement)
                == (message.hand, seat, message.street, placement)
            )
        case protocol.Ready():
            return message.hand == before.hands + 1 and happened(BecameReady, seat=seat, always=message.always)
        case protocol.GoOn():
            return message.hand == before.hands and happened(WentOn, seat=seat)
        case protocol.Sit():
            return happened(Sat, player=player) and (message.seat is None or happened(Sat, seat=message.seat))
        case protocol.Leave():
            return happened(Left, seat=seat) or happened(Leaving, seat=seat, removed=False)
        case protocol.SitOut():
            return happened(SatOut, seat=seat)
        case protocol.Return():
            return happened(Returned, seat=seat)
        case protocol.TopUp():
            return happened(ToppedUp, seat=seat, stack=message.to)
        case protocol.Waive():
            return happened(RightsLapsed, reason="waived")
        case protocol.Always():
            return happened(AlwaysSaid, seat=seat, on=message.on)
        case protocol.Break():
            return happened(BreakBegan if message.on else BreakEnded)
        case protocol.Publish():
            return happened(Published, on=message.on)
        case protocol.PassHost():
            return happened(HostPassed, seat=message.seat)
        case protocol.Remove():
            return happened(Left, seat=message.seat, removed=True) or happened(Leaving, seat=message.seat, removed=True)
        case protocol.SeatBot():
            return happened(Sat, bot=True, by_host=True)
        case protocol.ChangeRules():
            return happened(RulesChanged)
        case protocol.CommitSeed():
            return happened(SeedCommitted, seat=seat, hand=message.hand, commitment=message.commitment)
        case protocol.OpenSeed():
            return happened(SeedOpened, seat=seat, hand=message.hand, seed=message.seed)
        case _:
            return False


# -- clocks


class Charges:
    """What everybody may have been charged: no more than the time in which the room worked and he had cards to lay.

    A turn begins when the move before it is kept, but for what no reasonable disk is slower than.
    """

    def __init__(self) -> None:
        self._at = 0.0
        self._running: set[tuple[int, str]] = set()
        self._start: dict[tuple[int, str], int] = {}
        self._worked: dict[tuple[int, str], float] = {}

    def skip(self, now: float) -> None:
        """The time since was no time in which the room worked."""
        self._at = now

    def look(self, room: Room | None, now: float, room_now: int) -> None:
        """Look at the clocks; the room has worked since the last look."""
        passed, self._at = 1000 * (now - self._at), now
        running: set[tuple[int, str]] = set()
        left: dict[tuple[int, str], int] = {}
        table = None if room is None else room.running
        if table is not None and table.laying and table.hand is not None:
            time = table.time(room_now if room is None or room.stands_since is None else room.stands_since)
            for number in table.hand.seats:
                seat = table.seats[number]
                if seat is None:
                    continue
                key = table.hands, seat.player
                if not seat.spent:
                    left[key] = seat.clock.at(time, connected=seat.connected).left_ms
                if seat.clock.since is not None:
                    running.add(key)
        for key in self._running:
            self._worked[key] = self._worked.get(key, 0.0) + passed
        for key in running - self._running:
            self._worked[key] = self._worked.get(key, 0.0) + SLOW_MS
        self._running = running
        for key, left_ms in left.items():
            start = self._start.setdefault(key, left_ms)
            may = self._worked.get(key, 0.0) + SLACK_MS
            expect(start - left_ms <= may, "nobody is charged for an outage", key, start - left_ms, may)


# -- the network, and who is at its other end


class Wire:
    """A socket as the room has it; what is sent comes late, twice, out of order, or never."""

    def __init__(self, world: World, window: Window, number: int) -> None:
        self.player: Final[str | None] = window.person.player
        self.window: Final = window.name
        self.came: Final = number
        self.proves: Final = window.proves
        self.lag_ms = 0
        self.room: Room | None = None
        self.life: Final = world.life
        self.gone = False
        self._world: Final = world
        self._window: Final = window

    def __hash__(self) -> int:
        return self.came  # so that a set of wires is in the same order each time

    def __eq__(self, other: object) -> bool:
        return self is other

    # -- as the room uses it

    def offer(self, view: bytes) -> None:
        if self.gone:
            return
        version = int(view[len(b'{"type":"view","version":') :].split(b",", 1)[0])
        self._world.guard(lambda: self._world.truth.offered(self.player, version, view))
        self._send(view)

    def answer(self, message: bytes) -> None:
        if self.gone:
            return
        answer = _answers.decode(message)
        if isinstance(answer, protocol.Kept) and self.player is not None:
            player = self.player
            self._world.guard(lambda: self._world.truth.told(player, self.came, answer))
        self._send(message)

    def drop(self, code: int) -> None:
        self._world.post(0.001, self._window.lost, self)

    def _send(self, message: bytes) -> None:
        """To the window."""
        self._world.carry(self._window.receive, self, message, lose=self._window.lose)

    # -- as the window uses it

    def ask(self, message: Message) -> None:
        """To the room."""
        self._world.carry(self._deliver, message, lose=self._window.lose)

    def _deliver(self, message: Message) -> None:
        if self.gone or self.life is not self._world.life or self.life is None:
            return
        if self.room is None:
            self._world.post(0.03, self._deliver, message)
            return
        if isinstance(message, Commanded):
            sent = Sent(message, self.came, self.room._elsewhere(self))
            self._world.truth.sent.setdefault(f"{self.player}:{message.id}", []).append(sent)
        self.room.ask(self, message)

    def leave(self) -> None:
        """The room notices that the other end is gone."""
        if self.gone:
            return
        self.gone = True
        if self.room is not None and self.life is self._world.life:
            self.room.leave(self)


class Window:
    """A page of somebody: like the real one it calls until it is heard, and sends again what was not answered."""

    def __init__(self, world: World, person: Person, name: str, *, proves: bool) -> None:
        self.person: Final = person
        self.name: Final = name
        self.proves: Final = proves
        self.wire: Wire | None = None
        self.unanswered: Final[dict[str, Message]] = {}
        self.version = -1
        self.view = b""
        self.elsewhere = False
        self._world: Final = world
        self._calls = 0
        self._thinks = False
        self._closed = False
        self._calls_soon = False

    def call(self) -> None:
        """Call the room; what is left of an earlier call is found gone some time later."""
        if self._closed:
            return
        self.hang_up()
        self._calls += 1
        if self._world.life is None:
            return  # it is called when there is a room again
        self.wire = wire = Wire(self._world, self, self._world.next_number())
        self.version = -1
        self._world.life.come(wire)
        for message in list(self.unanswered.values()):
            wire.ask(message)
        # A connection that is never heard of again is given up.
        self._world.post(8.0, self._listen, wire, self._calls)

    def _listen(self, wire: Wire, call: int) -> None:
        if self.wire is wire and self._calls == call and self.version < 0:
            self.lost(wire)

    def hang_up(self) -> None:
        """The line is cut; the room hears of it soon or late."""
        if self.wire is not None:
            wire, self.wire = self.wire, None
            self._world.post(self._world.chance.pick((0.001, 0.05, 0.3, 12.0)), wire.leave)

    def lost(self, wire: Wire, after: float | None = None) -> None:
        if self.wire is wire:
            self.hang_up()
            self._later(after)

    def lose(self) -> None:
        """Something was lost on the way: a line that loses things is dead, which is found out by and by."""
        if (wire := self.wire) is not None:
            self._world.post(self._world.chance.pick((0.05, 1.0, 8.0)), self.lost, wire)

    def close(self) -> None:
        self._closed = True
        self.hang_up()

    def _later(self, after: float | None = None) -> None:
        if not self._calls_soon:
            self._calls_soon = True
            self._world.post(0.1 + self._world.chance.unit() if after is None else after, self.call_if_lost)

    def call_if_lost(self) -> None:
        self._calls_soon = False
        if self.wire is None:
            self.call()

    def receive(self, wire: Wire, message: bytes) -> None:
        if wire is not self.wire:
            return
        if message.startswith(b'{"type":"view"'):
            version = int(message[len(b'{"type":"view","version":') :].split(b",", 1)[0])
            if version >= self.version:
                self.version, self.view = version, message
                self.elsewhere = message.endswith(b'"elsewhere":true}')
                self.think()
            return
        match _answers.decode(message):
            case protocol.Kept(id=command) | protocol.RefusedMessage(id=str() as command):
                self.unanswered.pop(command, None)
                self.think()
            case _:
                pass

    def think(self) -> None:
        if not self._thinks:
            self._thinks = True
            pause = self._world.chance.pick(self.person.pauses)
            self._world.post(pause * (0.5 + self._world.chance.unit()), self._act)

    def _act(self) -> None:
        self._thinks = False
        if self.wire is None or not self.view or len(self.unanswered) > 3:
            return
        view = protocol_views.decode(self.view).view
        if (message := self.person.wants(view, self.elsewhere)) is not None:
            self.ask(message)

    def ask(self, message: Message) -> None:
        if isinstance(message, Commanded):
            self.unanswered[message.id] = message
            self.person.said.append(message)
            del self.person.said[:-12]
        if self.wire is not None:
            self.wire.ask(message)


class Person:
    """Somebody with one window or two, who plays, and now and then does something else."""

    def __init__(self, world: World, player: str) -> None:
        self.player: Final = player
        self.said: Final[list[Commanded]] = []
        self.pauses: Sequence[float] = world.chance.pick(
            ((0.02, 0.1, 0.3), (0.1, 0.5, 2.0), (0.1, 0.5, 5.0, 30.0), (0.02,))
        )
        self.plays_on = True
        self._world: Final = world
        self._seeds: Final[dict[int, str]] = {}
        self.windows: Final = [
            Window(world, self, f"{player}-window-{number}", proves=world.chance.below(4) == 0) for number in range(2)
        ]

    def command_id(self) -> str:
        return f"{self.player}-{self._world.next_number():08}"

    def wants(self, view: TableView, elsewhere: bool) -> Message | None:
        """What he does next, by what he sees."""
        chance, may = self._world.chance, set(view.may)
        if elsewhere:
            return protocol.TakeOver() if chance.below(6) == 0 else None
        new = self.command_id()
        if chance.below(14) == 0 and self.plays_on and (odd := self._something_else(view, new)) is not None:
            return odd
        if "open-seed" in may and view.fair is not None and view.fair.hand in self._seeds:
            return protocol.OpenSeed(id=new, hand=view.fair.hand, seed=self._seeds[view.fair.hand])
        if "commit-seed" in may and view.fair is not None and view.you is not None and chance.below(3):
            # Whoever asks again, since he was not answered, binds himself to the same seed.
            seed = self._seeds.setdefault(view.fair.hand, f"{chance.below(2**32):032x}")
            bound = commitment(view.fair.name, view.you, seed)
            return protocol.CommitSeed(id=new, hand=view.fair.hand, commitment=bound)
        if "confirm" in may and (me := _mine(view)) is not None and me.street is not None:
            if chance.below(4) == 0 and "draft" in may:
                return protocol.Draft(hand=view.hands, street=me.street, placement=_placement(me, chance, draft=True))
            placement = _placement(me, chance, draft=False)
            return protocol.Confirm(id=new, hand=view.hands, street=me.street, placement=placement)
        if "top-up" in may and view.chips is not None and view.you is not None:
            seat = view.seats[view.you]
            if (seat is not None and seat.broke) or chance.below(20) == 0:
                return protocol.TopUp(id=new, to=chance.pick(view.chips))
        if "go-on" in may:
            return protocol.GoOn(id=new, hand=view.hands)
        if not self.plays_on:
            return protocol.Break(id=new, on=False) if view.break_ms is not None and "break" in may else None
        if "sit" in may and view.you is None:
            return protocol.Sit(id=new)
        if view.break_ms is not None and "break" in may and chance.below(2):
            return protocol.Break(id=new, on=False)
        if "return" in may and chance.below(3):
            return protocol.Return(id=new)
        if "ready" in may:
            return protocol.Ready(id=new, hand=view.hands + 1, always=chance.below(3) == 0)
        return None

    def _something_else(self, view: TableView, new: str) -> Message | None:
        chance = self._world.chance
        seat = chance.below(len(view.seats))
        others: Mapping[str, Callable[[], Message]] = {
            "leave": lambda: protocol.Leave(id=new),
            "sit-out": lambda: protocol.SitOut(id=new),
            "always": lambda: protocol.Always(id=new, on=not any(seat and seat.always_ready for seat in view.seats)),
            "return": lambda: protocol.Return(id=new),
            "waive": lambda: protocol.Waive(id=new),
            "say": lambda: protocol.Say(phrase="hello"),
            "break": lambda: protocol.Break(id=new, on=chance.below(2) == 0),
            "publish": lambda: protocol.Publish(id=new, on=chance.below(2) == 0),
            "remove": lambda: protocol.Remove(id=new, seat=seat),
            "pass-host": lambda: protocol.PassHost(id=new, seat=seat),
            "seat-bot": lambda: protocol.SeatBot(id=new),
            "change-rules": lambda: protocol.ChangeRules(
                id=new, rules=view.rules.base, set=view.rules.changes | {"point_price": chance.pick(("0", "250"))}
            ),
        }
        what = chance.pick(list(others))
        bots = sum(each is not None and each.bot for each in view.seats)
        return None if what == "seat-bot" and bots else others[what]()

    def nonsense(self) -> Message | None:
        """What no window sends: an old command with something else in it, or a move in a turn that is over."""
        if not self.said:
            return None
        old, other = self._world.chance.pick(self.said), self._world.chance.pick(self.said)
        match self._world.chance.below(5):
            case 0 | 1:
                return old
            case 2:
                return msgspec.structs.replace(other, id=old.id)
            case 3 if isinstance(old, protocol.Confirm):
                return msgspec.structs.replace(old, id=self.command_id())
            case _ if isinstance(old, protocol.Confirm):
                street = 1 + old.street % 9
                return msgspec.structs.replace(old, id=self.command_id(), hand=old.hand, street=street)
            case _:
                return msgspec.structs.replace(old, id=self.command_id())


def _mine(view: TableView) -> PlayerView | None:
    hand = view.hand
    return None if hand is None else next((player for player in hand.players if player.seat == hand.you), None)


def _placement(me: PlayerView, chance: Chance, *, draft: bool) -> str:
    """All that he has to lay, or some of it while he thinks; once in a while nothing, which nobody can lay."""
    whole = arranged(me.board, me.dealt, me.to_lay, chance)
    if draft:
        some = chance.below(me.to_lay + 1)
        top, middle, bottom = (row[:some] for row in (whole.top, whole.middle, whole.bottom))
        return str(Placement(top, middle, bottom))
    return str(Placement() if chance.below(60) == 0 else whole)


# -- the room


class Life:
    """One life of the room, from its start to its end, however it ends."""

    def __init__(self, world: World, disk: Disk) -> None:
        self._world: Final = world
        self.loop: Final = Loop(world.now)
        self.store: Final = world.make_store(disk)
        self.clock: Final = RoomClock(
            not_before=disk.alive_at, wall=lambda: world.wall + world.now, monotonic=self.loop.time
        )
        thinker = cast("Thinker", _Thinker(world.chance))
        self.rooms: Final = Rooms(store=cast("Store", self.store), clock=self.clock, thinker=thinker, bot_pause=0.2)
        self.stopping: asyncio.Task[None] | None = None
        self._started: Final = self._run(self._start())

    async def _start(self) -> None:
        await self.rooms.start()
        beat, look = _beat(self.clock, self.rooms), _look_around(self.rooms, cast("Store", self.store), set())
        self._chores = [self._run(_forever(BEAT, beat)), self._run(_forever(1.0, look))]

    def _run(self, what: Awaitable[None]) -> asyncio.Task[None]:
        async def run() -> None:
            await what

        return self.loop.create_task(run())

    @property
    def room(self) -> Room | None:
        return self.rooms._rooms.get(TABLE)

    def come(self, wire: Wire) -> None:
        async def come() -> None:
            await asyncio.shield(self._started)  # nobody is let in before
            try:
                room = await self.rooms.get(TABLE)
            except (Refused, NotKept):
                wire.drop(1012)
            else:
                wire.room = room
                room.join(wire)

        self._run(come())

    def stop(self) -> None:
        """End as one who is asked to."""

        async def stop() -> None:
            await self._started
            await self.rooms.stop()
            try:
                await self.store.alive(self.rooms.alive_at)
            except NotKept:
                return

        self.stopping = self._run(stop())

    def end(self) -> None:
        """Nothing of it goes on, whatever it was at."""
        self.store.dead = True
        self.loop.kill()


class _Thinker:
    """Bots' thoughts, which take a moment, and sometimes come to nothing."""

    def __init__(self, chance: Chance) -> None:
        self._chance: Final = chance

    async def think(self, view: bytes) -> str | None:
        await asyncio.sleep(self._chance.unit() / 2)
        me = _mine(protocol_views.decode(view).view)
        if me is None or self._chance.below(10) == 0:
            return None
        return str(in_order(me.board, me.dealt, me.to_lay))


# -- a world


class World:
    """A table, the people at it, what is between them, and everything that goes wrong there."""

    def __init__(self, name: str, store: type[Double] = Double) -> None:
        self.chance: Final = Chance(name)
        self.truth: Final = Truth()
        self.charges: Final = Charges()
        self.disk: Final = Disk()
        self.life: Life | None = None
        self.now = 0.0
        self.wall = WALL
        self.steps = 0
        self.reported: Final[list[str]] = []
        self.faults: Final[Counter[str]] = Counter()
        self._store: Final = store
        self._queue: Final[list[tuple[float, int, Callable[..., None], tuple[Any, ...]]]] = []
        self._number = 0
        self._violation: Violation | None = None
        self._fates: Final[list[Fate]] = []
        self._full_until = self._slow_until = 0.0
        self._kill = False
        self._checked: tuple[Table, int] | None = None
        self._troubles = True
        self._open()
        self.people: Final = [
            Person(self, player) for player in ("ann", "bob", "cyd", "dee")[: 2 + self.chance.below(3)]
        ]

    def _open(self) -> None:
        """A new table, with a bot now and then, as the page for new tables makes it."""
        rules = self.chance.pick(RULES)
        commands: list[Command] = [Open(table=TABLE, name="Friday", host="ann", rules=rules)]
        if self.chance.below(3) == 0:
            commands.append(Sit(player="bot:0", name=BOTS[0], bot=True))
        table: Table | None = None
        for command in commands:
            events = decide(table, command, int(1000 * self.wall))
            row = Written(None, None, msgspec.json.encode(events), None)
            self.truth.kept(TABLE, self.disk.write(TABLE, row, None), row)
            table = self.truth.table
        for player in ("ann", "bob", "cyd", "dee"):
            self.disk.guests[player] = Guest(player, player.title())
        self.disk.alive_at = int(1000 * self.wall)

    def next_number(self) -> int:
        self._number += 1
        return self._number

    def make_store(self, disk: Disk) -> Double:
        return self._store(
            disk, fate=self._fate, seconds=self._seconds, kept=self._kept, died=lambda: setattr(self, "_kill", True)
        )

    def _fate(self) -> Fate:
        if self.now < self._full_until:
            return "refused"
        return self._fates.pop() if self._fates else "kept"

    def _seconds(self) -> float:
        if self.now < self._slow_until:
            return self.chance.unit() * SLOWEST
        return self.chance.pick((0.0, 0.001, 0.004, 0.02))

    def _kept(self, table_id: str, version: int, row: Written) -> None:
        self.guard(lambda: self.truth.kept(table_id, version, row))

    def guard(self, check: Callable[[], None]) -> None:
        """Check a promise inside the room, which must not be given the failure to make something of."""
        try:
            check()
        except Violation as violation:
            self._violation = self._violation or violation
        except ValueError as error:  # the log cannot be one
            self._violation = self._violation or Violation(f"the log can be read: {error}")

    # -- what happens when

    def post(self, after: float, what: Callable[..., None], *about: object) -> None:
        heapq.heappush(self._queue, (self.now + after, self.next_number(), what, about))

    def carry(self, to: Callable[..., None], *about: object, lose: Callable[[], None]) -> None:
        """Over the network, in its own time: once, twice or not at all."""
        luck = self.chance.below(100) if self._troubles else 99
        if luck < 2:
            lose()
            return
        for _ in range(2 if luck < 10 else 1):
            self.post(self.chance.pick((0.001, 0.01, 0.03, 0.1, 0.4)) * (0.5 + self.chance.unit()), to, *about)

    def step(self) -> None:
        """The next thing that happens."""
        when, _, what, about = heapq.heappop(self._queue)
        self._run_until(when)
        self.steps += 1
        if self.life is None:
            what(*about)
        else:
            self.life.loop.now = self.now
            with self.life.loop.running():
                what(*about)
        if self.life is not None:
            self.life.loop.now = self.now
            self.life.loop.settle()
        self.check()

    def _run_until(self, when: float) -> None:
        while self.life is not None:
            at = self.life.loop.next_at
            if at is None or at > when:
                break
            self.now = max(self.now, at)
            self.life.loop.now = self.now
            self.life.loop.settle()
            self.charges.look(self.life.room, self.now, self.life.clock.now())
            self._die_if_told()
        self.now = max(self.now, when)

    def _die_if_told(self) -> None:
        if self._kill:
            self._kill = False
            self.crash()

    def check(self) -> None:
        """Every promise that can be looked at now."""
        if self.life is not None:
            self.charges.look(self.life.room, self.now, self.life.clock.now())
        self._die_if_told()
        if self._violation is not None:
            raise self._violation
        if self.reported:
            raise Violation(f"nothing fails in a way nobody foresaw: {self.reported[0]}")
        life = self.life
        if life is None:
            self.charges.skip(self.now)
            return
        expect(not life.loop.unhandled, "nothing fails in a way nobody foresaw", *life.loop.unhandled)
        room = life.room
        if room is None:
            return
        if self._checked is None or self._checked[0] is not room.table or self._checked[1] != room.version:
            expect(room.version <= self.truth.version, "the room knows only what is kept", room.version)
            expect(room.table == self.truth.tables[room.version], "the log makes the table there is", room.version)
            self._checked = room.table, room.version
        if not room._busy and room.stands_since is None:
            expect(room.version == self.truth.version, "the room knows all that is kept", room.version)
        for person in self.people:
            wires = [wire for wire in room._viewers if wire.player == person.player]
            if wires and room.table.seat_of(person.player) is not None:
                controls = sum(not room._elsewhere(wire) for wire in wires)
                expect(controls <= 1, "a seat is played from one window", person.player, controls)

    # -- what goes wrong

    def crash(self) -> None:
        """The room's process is killed."""
        if self.life is None:
            return
        self.faults["crash"] += 1
        self.life.end()
        self._after_life(self.chance.pick((0.2, 1.0, 3.0, 30.0, 240.0, 900.0)))

    def restart(self) -> None:
        """The room is asked to stop."""
        if self.life is not None and self.life.stopping is None:
            self.faults["restart"] += 1
            self.life.stop()
            self._wait_for_its_end(self.life)

    def _wait_for_its_end(self, life: Life) -> None:
        if self.life is not life or life.stopping is None:
            return
        if not life.stopping.done():
            self.post(0.01, self._wait_for_its_end, life)
            return
        life.end()
        self._after_life(self.chance.pick((0.2, 1.0, 3.0)))

    def _after_life(self, seconds: float) -> None:
        self.life = None
        self._fates.clear()
        for person in self.people:
            for window in person.windows:
                if window.wire is not None:
                    self.post(0.001, window.lost, window.wire)
        if self.chance.below(4) == 0:  # somebody sets the clock on the wall
            by = self.chance.pick((-3600.0, -30.0, 30.0, 3600.0))
            self.wall += by
            self.truth.set_back |= by < 0
        self.post(seconds, self.start)

    def start(self) -> None:
        if self.life is None:
            self.truth.same_as(self.disk)
            self.charges.skip(self.now)
            self._checked = None
            self.life = Life(self, self.disk)
            for person in self.people:
                self.post(0.1 + self.chance.unit(), person.windows[0].call_if_lost)

    def stall(self) -> None:
        """The room's process is stopped for a while, or its loop is stuck."""
        if self.life is None:
            return
        self.faults["stall"] += 1
        self.check()
        seconds = self.chance.pick((0.3, 0.9, 1.2, 5.0, 40.0, 700.0))
        self.now += seconds
        if seconds > STALL_SECONDS:
            self.charges.skip(self.now)

    def full(self) -> None:
        """The disk takes nothing for a while."""
        self.faults["full"] += 1
        self._full_until = self.now + self.chance.pick((0.5, 3.0, 20.0))

    def slow(self) -> None:
        self.faults["slow"] += 1
        self._slow_until = self.now + self.chance.pick((1.0, 5.0))

    def fails_at_the_next_write(self) -> None:
        fate: Fate = self.chance.pick(("refused", "unsure", "dies-before", "dies-after"))
        self.faults[fate] += 1
        self._fates[:] = [fate]

    def _somebody(self) -> Person:
        return self.chance.pick(self.people)

    def cut(self) -> None:
        """Somebody's lines are cut, or everybody's."""
        self.faults["cut"] += 1
        people = self.people if self.chance.below(4) == 0 else [self._somebody()]
        after = self.chance.pick((0.2, 1.0, 4.0, 30.0, 150.0))
        for person in people:
            for window in person.windows:
                if window.wire is not None:
                    window.lost(window.wire, after * (0.5 + self.chance.unit()))

    def other_window(self) -> None:
        """Somebody opens his other window, or closes one."""
        self.faults["window"] += 1
        person = self._somebody()
        window = person.windows[1]
        if window.wire is None:
            window._closed = False
            window.call()
        elif self.chance.below(2):
            window.ask(protocol.TakeOver())
        else:
            window.close()

    def hung_window(self) -> None:
        """A window calls anew before the room knows that its line is gone."""
        self.faults["hung"] += 1
        self._somebody().windows[0].call()

    def nonsense(self) -> None:
        """Somebody sends what no window would send, over whatever line he has."""
        person = self._somebody()
        window = self.chance.pick(person.windows)
        message = person.nonsense()
        if message is not None and window.wire is not None:
            self.faults["nonsense"] += 1
            window.wire.ask(message)

    def lag(self) -> None:
        """Somebody's line becomes slower, or quicker."""
        wire = self._somebody().windows[0].wire
        if wire is not None:
            self.faults["lag"] += 1
            wire.lag_ms = self.chance.pick((0, 100, 400, 1700))
            wire.ask(protocol.Echo(probe=1))

    def trouble(self) -> None:
        """One of all these, and then another one."""
        if self._troubles:
            self.chance.pick(TROUBLES)(self)
            self.post(self.chance.pick((0.05, 0.5, 2.0, 5.0, 15.0)), self.trouble)

    # -- from the beginning to the end

    def run(self, steps: int) -> None:
        """Let so much happen; then nothing goes wrong any more, and what has begun is brought to its end."""
        self.start()
        for person in self.people:
            self.post(self.chance.unit(), person.windows[0].call)
        self.post(2.0, self.trouble)
        while self.steps < steps:
            self.step()
        self._troubles = False
        self._fates.clear()
        self._full_until = self._slow_until = 0.0
        for person in self.people:
            person.plays_on = False
            if self.chance.below(4) == 0:  # who has gone for good holds nobody up either
                for window in person.windows:
                    window.close()
            else:
                person.windows[0]._later(0.5)
        self._until_all_is_over()
        self.truth.same_as(self.disk)
        expect(self.truth.running is None, "every hand ends", self.truth.running)

    def _until_all_is_over(self) -> None:
        last, most = self.now + LAST, self.steps + MOST
        self._look_again()
        while self.life is None or not self._at_rest():
            expect(self.now < last and self.steps < most, "every match ends", self.truth.table.hands)
            self.step()

    def _look_again(self) -> None:
        """Nothing is forgotten for good because something was lost on the way."""
        for person in self.people:
            if person.windows[0].wire is not None:
                person.windows[0].think()
        self.post(5.0, self._look_again)

    def _at_rest(self) -> bool:
        room = None if self.life is None else self.life.room
        table = self.truth.table
        return room is not None and not room._busy and room.version == self.truth.version and not table.in_match


TROUBLES: Final[Sequence[Callable[[World], None]]] = (
    World.crash,
    World.restart,
    World.stall,
    World.full,
    World.slow,
    World.fails_at_the_next_write,
    World.fails_at_the_next_write,
    World.cut,
    World.other_window,
    World.other_window,
    World.hung_window,
    World.nonsense,
    World.nonsense,
    World.nonsense,
    World.nonsense,
    World.lag,
)


# -- many worlds


UNFORESEEN: Final = {
    "a step failed",
    "a command failed",
    "what is due failed",
    "a view could not be shown",
    "a helper failed",
    "a chore failed",
    "a hand could not be voided",
    "nothing follows from what is due",
    "table put out of play: its log is damaged; see `ananas check`",
}
"""What the room logs when something happens that should not, whatever the network and the disk do."""


@contextmanager
def quiet(reported: list[str]) -> Generator[None]:
    """Nothing is printed; what should not have happened is written down."""

    def write_down(_: object, __: str, event: MutableMapping[str, Any]) -> NoReturn:
        if event.get("event") in UNFORESEEN and event.get("error") != "NotKept":
            reported.append(str(event))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[write_down])
    try:
        yield
    finally:
        structlog.configure(**before)


def _sealed_cheaply(hand_id: str, master: bytes, rest: object = None) -> str:
    """A root that nothing follows from: sealing is tested elsewhere and costs more than all the rest of a hand."""
    return hashlib.sha256(hand_id.encode() + master).hexdigest()


def _like_all_others(_: object) -> int:
    """So that bots lie in a set of viewers in the same order each time."""
    return 0


def run_world(seed: str, number: int, steps: int, store: type[Double] = Double) -> World:
    """One world; raises `Violation` with all that is needed to run it again."""
    reported: list[str] = []
    seal, hashed = ananas.fair.seal, BotSeat.__hash__
    with quiet(reported), seeded(Chance(f"{seed} {number} dice")):
        ananas.fair.seal = _sealed_cheaply
        BotSeat.__hash__ = _like_all_others  # type: ignore[method-assign, assignment]
        world = World(f"{seed} {number}", store)
        world.reported = reported  # type: ignore[misc]
        try:
            world.run(steps)
        except Violation as violation:
            raise Violation(f"world {number} of seed {seed!r}, step {world.steps}: {violation}") from violation
        finally:
            ananas.fair.seal, BotSeat.__hash__ = seal, hashed  # type: ignore[method-assign]
            if world.life is not None:
                world.life.end()
    return world


def simulate(
    steps: int, seed: str = SEED, *, only: int | None = None, world_steps: int = STEPS, store: type[Double] = Double
) -> Counter[str]:
    """Run worlds until so much has happened; gives what there was to be seen. Raises `Violation`."""
    seen: Counter[str] = Counter()
    number = 0 if only is None else only
    while seen["steps"] < steps:
        world = run_world(seed, number, min(world_steps, steps), store)
        seen += world.truth.seen + world.faults
        seen["steps"] += min(world.steps, world_steps)
        seen["worlds"] += 1
        seen["versions"] += world.truth.version
        number += 1
        if only is not None:
            break
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the room in simulated time, with everything going wrong.")
    parser.add_argument("--steps", "--count", type=int, default=50_000)
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--only", type=int, help="the number of the one world to run")
    arguments = parser.parse_args()
    began = time.process_time()
    try:
        seen = simulate(arguments.steps, arguments.seed, only=arguments.only)
    except Violation as violation:
        print(violation)
        sys.exit(1)
    for what, times in sorted(seen.items()):
        print(f"{times:9} {what}")
    print(f"{time.process_time() - began:9.1f} seconds of CPU")


if __name__ == "__main__":
    main()
