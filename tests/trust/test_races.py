"""A move against its time-out, within five milliseconds: exactly one of both wins, and who loses is told so.

A thousand races are run in simulated time, in whatever order the two come, through mailboxes that are empty or not and
a store that is quick or not; some in real time, with the real store. A move that reaches the room in time wins however
long it has to wait there, and what a slow disk takes is nobody's time. `python -m tests.trust.test_races --count 10000
--seed S` runs more; a failure tells the number of its race.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

import msgspec
import pytest

import ananas.table.clock
import ananas.table.decide
from ananas import protocol
from ananas.game.hand import in_order
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server import room as module
from ananas.server.room import ALONE, LAG_EVERY_MS, Room, Rooms
from ananas.server.store import Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Commanded, Thinker, Viewer
from ananas.table.clock import turn_ends
from ananas.table.commands import Command, Deal, Open, Ready, Sit, TimeOut
from ananas.table.decide import advance
from ananas.table.events import AnyEvent, AutoPlaced, Confirmed, HiddenPlacement, Lagged, Opened, Resumed, TimedOut
from ananas.table.evolve import evolve
from ananas.table.state import Table
from tests.chance import Chance
from tests.table.play import deck
from tests.trust.double import Disk, Double, Written
from tests.trust.simulator import quiet
from tests.trust.virtual import Loop

RACES: Final = 1000
IN_REAL_TIME: Final = 16
SEED: Final = "races"
BEGIN: Final = 1_700_000_000.0
RULES: Final = RuleSet(seats=(2, 2), fantasyland="off", hand_seconds=1, bank_seconds=0)
"""One second for a hand, and then nothing."""
BESIDE: Final = 0.005
"""A race is no further from its end than so many seconds."""


class Lost(AssertionError):
    """A race that nobody has won, or both."""


def expect(what: object, *about: object) -> None:
    if not what:
        raise Lost(*about)


class Ear:
    """A viewer that writes down what it is told."""

    def __init__(self, player: str, number: int) -> None:
        self.player: Final[str | None] = player
        self.window: Final = f"window-{player}-{number}"
        self.came: Final = number
        self.proves: Final = False
        self.lag_ms = 0
        self.views: Final[list[bytes]] = []
        self.answers: Final[list[protocol.AnyServerMessage]] = []
        self.heard: Final = asyncio.Event()

    def offer(self, view: bytes) -> None:
        self.views.append(view)

    def answer(self, message: bytes) -> None:
        self.answers.append(_answers.decode(message))
        self.heard.set()

    def drop(self, code: int) -> None:
        """The room stops."""

    def told(self, command_id: str) -> list[protocol.AnyServerMessage]:
        """The answers to a command."""
        return [answer for answer in self.answers if getattr(answer, "id", None) == command_id]


_answers: Final = msgspec.json.Decoder(protocol.AnyServerMessage)


def commands(number: int) -> Sequence[Command]:
    """What brings a table to the point where somebody has a second to lay his first street."""
    return (
        Open(table=f"race-{number}", name="Friday", host="ann", rules=RULES),
        Sit(player="ann", name="Ann"),
        Sit(player="bob", name="Bob"),
        Ready(player="ann", hand=1, always=False),
        Ready(player="bob", hand=1, always=False),
        Deal(deck=deck(number), lot=number % 12),
    )


class Start(NamedTuple):
    """A table where somebody is to move: what has happened, who it is, when his time is up, and his move."""

    rows: tuple[tuple[AnyEvent, ...], ...]
    table: Table
    player: str
    seat: int
    ends: int
    move: protocol.Confirm


def start(number: int, now: Callable[[], int]) -> Start:
    table: Table | None = None
    rows: list[tuple[AnyEvent, ...]] = []
    for command in commands(number):
        events, table = advance(table, command, now())
        rows.append(events)
    assert table is not None
    assert table.hand is not None
    ((seat, ends),) = turn_ends(table).items()
    (place,) = table.hand.acting
    placement = str(in_order(table.hand.boards[place], table.hand.dealt(place), table.hand.to_lay(place)))
    move = protocol.Confirm(id="the-move-in-time", hand=1, street=1, placement=placement)
    return Start(tuple(rows), table, table.players[place], seat, ends, move)


def judge(race: Start, events: Sequence[AnyEvent], versions: Mapping[int, Sequence[AnyEvent]], ear: Ear) -> bool:
    """Whether the move has won; raises `Lost` unless exactly one has, and everybody knows it."""
    moves = [event for event in events if isinstance(event, Confirmed) and (event.seat, event.street) == (race.seat, 1)]
    outs = [event for event in events if isinstance(event, TimedOut) and event.seat == race.seat]
    laid = [event for event in events if isinstance(event, AutoPlaced) and (event.seat, event.street) == (race.seat, 1)]
    won = bool(moves)
    expect(len(moves) + len(laid) == 1, "the street is laid once", moves, laid)
    expect(bool(laid) <= bool(outs), "the table lays for him whose time is over", laid, outs)
    table, last_at = race.table, 0
    for event in events:
        ends = turn_ends(table).get(race.seat)
        if event in outs:
            expect(ends is not None and event.at >= ends, "nobody's time is over too early", event, ends)
        if event in moves:
            expect(ends is not None and event.at < ends, "nobody moves too late", event, ends)
        expect(event.at >= last_at, "the log's time does not run backwards", event, last_at)
        table, last_at = evolve(table, event), event.at
    answers = ear.told(race.move.id)
    expect(len(answers) == 2, "the move is answered each time it is sent", answers)
    for answer in answers:
        match answer:
            case protocol.Kept():
                expect(won, "who is told that his move is kept has moved", answers)
                expect(moves[0] in versions[answer.version], "it is kept as the version it is", answer)
            case protocol.RefusedMessage():
                expect(not won and answer.code == "turn-over", "who comes too late is told so", answer)
            case _:
                raise Lost("another answer", answer)
    return won


# -- in simulated time


class Course:
    """A room in simulated time with the two who play, in front of a disk that takes so many seconds each time."""

    def __init__(self, number: int, seconds: Callable[[], float]) -> None:
        self.loop: Final = Loop(0.0)
        self.clock: Final = RoomClock(wall=lambda: BEGIN, monotonic=self.loop.time)
        self.begun: Final = start(number, self.clock.now)
        self.ends: Final = self.begun.ends / 1000 - BEGIN
        self._disk: Final = Disk()
        self._id: Final = f"race-{number}"
        for events in self.begun.rows:
            self._disk.write(self._id, Written(None, None, msgspec.json.encode(events), None), None)
        opened = self.begun.rows[0][0]
        assert isinstance(opened, Opened)
        self.room: Final = Room(
            self.begun.table,
            len(self.begun.rows),
            opened=opened,
            store=cast("Store", Double(self._disk, seconds=seconds)),
            clock=self.clock,
            thinker=cast("Thinker", None),
            bot_pause=0.0,
            helpers=ALONE,
            sealing=asyncio.Lock(),
        )
        self.me: Final = Ear(self.begun.player, 1)
        self.other: Final = Ear("bob" if self.begun.player == "ann" else "ann", 2)

    def begin(self) -> None:
        self.room.join(self.me)
        self.room.join(self.other)
        self.room.start()
        self._beat()

    def _beat(self) -> None:
        self.clock.now()
        self.loop.call_later(0.25, self._beat)

    def say(self, letter: int) -> None:
        """Something that has to be written down."""
        self.room.ask(self.other, protocol.Always(id=f"another-{letter:04}", on=letter % 2 == 0))

    def end(self, at: float) -> dict[int, tuple[AnyEvent, ...]]:
        """Let it run until then; gives the rows that have come to the log, by their versions."""
        self.loop.run_until(at)
        task = self.loop.create_task(self.room.stop())
        self.loop.run_until(at + 5.0)
        assert task.done()
        self.loop.kill()
        begun = len(self.begun.rows)
        return {version: row.events for version, row in enumerate(self._disk.logs[self._id][begun:], begun + 1)}


def race(number: int, seed: str, seen: Counter[str]) -> None:
    """One race; raises `Lost`."""
    chance = Chance(f"{seed} {number}")
    pace = chance.pick(((0.0,), (0.001, 0.003), (0.0, 0.008), (0.004,), (0.015,)))
    course = Course(number, lambda: chance.pick(pace))
    begun, loop, clock, room, me, ends = course.begun, course.loop, course.clock, course.room, course.me, course.ends
    asked_at: list[int] = []

    def move() -> None:
        if not asked_at:
            asked_at.append(clock.now())
        room.ask(me, begun.move)

    letters = chance.below(4)
    with loop.running():
        course.begin()
        delta = (chance.below(2 * int(1e6 * BESIDE) + 1) - 1e6 * BESIDE) / 1e6
        for letter in range(letters):
            loop.call_at(ends + delta - chance.pick((0.0, 0.002, 0.006)), course.say, letter)
        loop.call_at(ends + delta, move)
        loop.call_at(ends + 0.5, move)  # once more, as one does who has heard no answer
    versions = course.end(ends + 0.9)
    events = [event for row in versions.values() for event in row]
    won = judge(begun, events, versions, me)
    expect(not any(isinstance(event, Resumed) for event in events), "a disk that is quick enough owes nobody anything")
    # Whatever stood between him and the table, it is his time alone that counts.
    expect(won == (asked_at[0] < begun.ends), "a move in time counts, and one that is late does not", asked_at)
    seen["won" if won else "lost"] += 1
    seen["through a mailbox that was not empty"] += letters > 0
    seen["came in time"] += asked_at[0] < begun.ends


def run(count: int, seed: str = SEED) -> Counter[str]:
    """So many races; raises `Lost` with the number of the one that failed."""
    seen: Counter[str] = Counter()
    reported: list[str] = []
    with quiet(reported):
        for number in range(count):
            try:
                race(number, seed, seen)
                expect(not reported, *reported)
            except Lost as lost:
                raise Lost(f"race {number} of seed {seed!r}: {lost}") from lost
    return seen


def test_exactly_one_wins_and_who_loses_is_told_so() -> None:
    seen = run(RACES)
    for what in ("won", "lost", "came in time", "through a mailbox that was not empty"):
        assert RACES // 5 < seen[what] < RACES, (what, seen)


# -- a disk that is slow


def behind_a_slow_write(number: int, seed: str) -> None:
    """A move comes in time while somebody else's is being written; then the next one has his whole second, and lets it
    pass. Raises `Lost`."""
    chance = Chance(f"{seed} slow {number}")
    slow = chance.pick((0.15, 0.6, 2.0))
    course = Course(number, lambda: slow)
    begun, loop = course.begun, course.loop
    before = course.ends - chance.pick((0.001, 0.02, 0.07))
    letter = before - slow * chance.pick((0.1, 0.4))
    with loop.running():
        course.begin()
        loop.call_at(letter, course.say, 0)
        loop.call_at(before, course.room.ask, course.me, begun.move)
        loop.call_at(before + 6.0, course.room.ask, course.me, begun.move)
    kept = letter + 2 * slow
    loop.run_until(kept + 0.001)
    view = msgspec.json.decode(course.other.views[-1])["view"]
    seat = 1 - begun.seat
    shown = view["seats"][seat]["clock"]
    ran_until = course.room.ran_until - 1000 * (BEGIN + kept - slow)
    versions = course.end(before + 7.0)
    expect(shown["running"] and shown["hand_ms"] >= 1000 - 2, "he sees his whole time", shown)
    expect(ran_until <= 2, "nor is it charged if the room dies now", ran_until)
    events = [event for row in versions.values() for event in row]
    expect(judge(begun, events, versions, course.me), "a move in time counts", before, letter, slow)
    out = next(event for event in events if isinstance(event, TimedOut) and event.seat == seat)
    whole = 1000 * (BEGIN + kept + 1.0)
    expect(abs(out.at - whole) <= 3, "who is next has his whole time", out.at - whole, slow)


def run_slowly(count: int, seed: str = SEED) -> None:
    with quiet([]):
        for number in range(count):
            behind_a_slow_write(number, seed)


SLOWLY: Final = 40


def test_a_move_in_time_counts_behind_a_slow_write_and_who_is_next_has_his_whole_time() -> None:
    run_slowly(SLOWLY)


# -- a connection that is never the same


def rows_for_echoes(seconds: int) -> None:
    """Somebody's echoes come so that his lag is another one five times a second. Raises `Lost`."""
    course, lag = Course(0, lambda: 0.002), 0

    def echo() -> None:
        nonlocal lag
        lag += 1
        course.me.lag_ms = 150 * (lag % 5) + lag
        course.room.ask(course.me, protocol.Echo(probe=lag))
        if lag < 5 * seconds:
            course.loop.call_later(0.2, echo)
        else:  # from here on it stays as it is
            course.loop.call_later(6.0, course.room.ask, course.me, protocol.Echo(probe=lag))

    with quiet([]):
        with course.loop.running():
            course.begin()
            course.loop.call_at(0.1, echo)
        versions = course.end(seconds + 20.0)
    told = [event for row in versions.values() for event in row if isinstance(event, Lagged)]
    expect(2 <= len(told) <= 2 + 1000 * seconds // LAG_EVERY_MS, "a row in five seconds at the most", len(told))
    expect(told[-1].ms == course.me.lag_ms, "in the end all know how it is", told[-1])


def test_a_lag_that_changes_all_the_time_makes_a_row_in_five_seconds() -> None:
    rows_for_echoes(40)


# -- in real time


async def races(path: Path, count: int) -> Counter[str]:
    store, seen = Store(path), Counter[str]()
    clock = RoomClock()
    rooms = Rooms(store=store, clock=clock, thinker=cast("Thinker", None), bot_pause=0.0)
    chance = Chance("in real time")

    async def keep_time() -> None:
        while True:
            await asyncio.sleep(0.1)
            clock.now()

    async def one(number: int) -> None:
        begun = start(number, clock.now)
        for version, events in enumerate(begun.rows, 1):
            await store.append(f"race-{number}", version, None, events, due_at=None)
        room = await rooms.get(f"race-{number}")
        me = Ear(begun.player, number)
        room.join(me)
        delta = (chance.below(2 * int(1e6 * BESIDE) + 1) - 1e6 * BESIDE) / 1e6
        await asyncio.sleep((begun.ends - clock.now()) / 1000 + delta)
        room.ask(me, begun.move)
        async with asyncio.timeout(20):
            await me.heard.wait()
            me.heard.clear()
            room.ask(me, begun.move)
            await me.heard.wait()
        rows = await store.read_on(f"race-{number}")
        assert rows is not None
        versions = {row.mark.version: row.events for row in rows if row.mark.version > len(begun.rows)}
        seen[
            "won" if judge(begun, [event for row in versions.values() for event in row], versions, me) else "lost"
        ] += 1

    beat = asyncio.create_task(keep_time())
    try:
        await asyncio.gather(*(one(number) for number in range(count)))
    finally:
        beat.cancel()
        await rooms.stop()
        store.close()
    return seen


def test_exactly_one_wins_in_real_time(tmp_path: Path) -> None:
    with quiet([]):
        seen = asyncio.run(races(tmp_path / "room.sqlite", IN_REAL_TIME))
    assert seen.total() == IN_REAL_TIME


# -- planted faults

_HEAR: Final = Room._carry_out_asked
ENOUGH: Final = 300


async def takes_it_all_the_same(
    room: Room, viewer: Viewer, message: Commanded | protocol.Draft, *, elsewhere: bool
) -> None:
    """Writes a move down that comes too late, beside what the table has laid."""
    try:
        await _HEAR(room, viewer, message, elsewhere=elsewhere)
    except Refused as reason:
        if reason.code != "turn-over" or not isinstance(message, protocol.Confirm) or viewer.player is None:
            raise
        hidden = HiddenPlacement(placement=message.placement)
        seat = room.table.seat_of(viewer.player) or 0
        late = Confirmed(at=room._clock.now(), seat=seat, street=message.street, rows=None, hidden=hidden)
        kept = await room._store.append(room.table.id, room.version + 1, None, (late,), due_at=None)
        room.version = kept.version
        viewer.answer(protocol.encode(protocol.Kept(id=message.id, version=kept.version)))


async def says_yes_to_everybody(
    room: Room, viewer: Viewer, message: Commanded | protocol.Draft, *, elsewhere: bool
) -> None:
    """Tells who was too late that his move is kept."""
    try:
        await _HEAR(room, viewer, message, elsewhere=elsewhere)
    except Refused:
        if not isinstance(message, Commanded):
            raise
        viewer.answer(protocol.encode(protocol.Kept(id=message.id, version=room.version)))


async def hears_the_alarm_as_well(
    room: Room, viewer: Viewer, message: Commanded | protocol.Draft, *, elsewhere: bool
) -> None:
    """Decides on a time-out by the table as it was before the last move."""
    before = room.table
    await _HEAR(room, viewer, message, elsewhere=elsewhere)
    if isinstance(message, protocol.Confirm) and room.table is not before and turn_ends(before):
        events, _ = advance(before, TimeOut(), max(turn_ends(before).values()))
        kept = await room._store.append(room.table.id, room.version + 1, None, events, due_at=None)
        room.version = kept.version


def three_ms_early(table: Table) -> dict[int, int]:
    return {number: ends - 3 for number, ends in turn_ends(table).items()}


def when_it_comes_to_it(room: Room) -> int:
    """Takes the time of a move for that at which the room comes to it."""
    return room._clock.now()


@pytest.mark.parametrize("name", ["_time", "_until"])
def test_a_move_that_loses_its_time_in_the_mailbox_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, name, property(when_it_comes_to_it))
    with pytest.raises(Lost, match="a move in time counts"):
        run(ENOUGH)


def test_a_slow_write_that_is_charged_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLOW_MS", 10**9)
    with pytest.raises(Lost, match="he sees his whole time"):
        run_slowly(SLOWLY)


def owes_nothing(room: Room, decided_at: int) -> None:
    """Forgets how long it took."""


def test_a_slow_write_whose_time_is_not_told_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "_now_kept", owes_nothing)
    with pytest.raises(Lost, match="whole time"):
        run_slowly(SLOWLY)


def test_a_slow_write_that_is_charged_if_the_room_dies_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "ran_until", property(when_it_comes_to_it))
    with pytest.raises(Lost, match="if the room dies"):
        run_slowly(SLOWLY)


def test_a_row_for_each_echo_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LAG_EVERY_MS", 0)
    with pytest.raises(Lost, match="a row in five seconds"):
        rows_for_echoes(40)


@pytest.mark.parametrize("fault", [takes_it_all_the_same, hears_the_alarm_as_well, says_yes_to_everybody])
def test_a_room_that_takes_both_is_noticed(fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "_carry_out_asked", fault)
    with pytest.raises(Lost, match=r"race [0-9]+ of seed"):
        run(ENOUGH)


def test_a_clock_that_is_wrong_by_three_ms_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.clock, "turn_ends", three_ms_early)
    monkeypatch.setattr(ananas.table.decide, "turn_ends", three_ms_early)
    with pytest.raises(Lost, match=r"race [0-9]+ of seed"):
        run(ENOUGH)


def main() -> None:
    parser = argparse.ArgumentParser(description="Let moves run against their time-outs.")
    parser.add_argument("--count", type=int, default=RACES)
    parser.add_argument("--seed", default=SEED)
    arguments = parser.parse_args()
    began = time.process_time()
    try:
        seen = run(arguments.count, arguments.seed)
    except Lost as lost:
        print(lost)
        sys.exit(1)
    print(dict(seen), f"{time.process_time() - began:.1f} seconds of CPU")


if __name__ == "__main__":
    main()
