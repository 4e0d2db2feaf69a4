"""A move against its time-out, within five milliseconds: exactly one of both wins, and who loses is told so.

A thousand races are run in simulated time, in whatever order the two come, through mailboxes that are empty or not and
a store that is quick or not; some in real time, with the real store. `python -m tests.trust.test_races --count 10000
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
from ananas.server.room import ALONE, Room, Rooms
from ananas.server.store import Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Commanded, Thinker, Viewer
from ananas.table.clock import turn_ends
from ananas.table.commands import Command, Deal, Open, Ready, Sit, TimeOut
from ananas.table.decide import advance
from ananas.table.events import AnyEvent, AutoPlaced, Confirmed, HiddenPlacement, Opened, TimedOut
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
        self.lag_ms: Final = 0
        self.answers: Final[list[protocol.AnyServerMessage]] = []
        self.heard: Final = asyncio.Event()

    def offer(self, view: bytes) -> None:
        """What is shown decides no race."""

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
    expect(all(event.at >= race.ends for event in outs), "nobody's time is over too early", outs, race.ends)
    expect(all(event.at < race.ends for event in moves), "nobody moves too late", moves, race.ends)
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


def race(number: int, seed: str, seen: Counter[str]) -> None:
    """One race; raises `Lost`."""
    chance = Chance(f"{seed} {number}")
    loop, disk = Loop(0.0), Disk()
    clock = RoomClock(wall=lambda: BEGIN, monotonic=loop.time)
    begun = start(number, clock.now)
    for events in begun.rows:
        disk.write(f"race-{number}", Written(None, None, msgspec.json.encode(events), None), None)
    pace = chance.pick(((0.0,), (0.001, 0.003), (0.0, 0.008), (0.004,)))
    store = Double(disk, seconds=lambda: chance.pick(pace))
    opened = begun.rows[0][0]
    assert isinstance(opened, Opened)
    room = Room(
        begun.table,
        len(begun.rows),
        opened=opened,
        store=cast("Store", store),
        clock=clock,
        thinker=cast("Thinker", None),
        bot_pause=0.0,
        helpers=ALONE,
    )
    me, other = Ear(begun.player, 1), Ear("bob" if begun.player == "ann" else "ann", 2)
    asked_at: list[int] = []

    def beat() -> None:
        clock.now()
        loop.call_later(0.25, beat)

    def move() -> None:
        if not asked_at:
            asked_at.append(clock.now())
        room.ask(me, begun.move)

    def say(letter: int) -> None:
        room.ask(other, protocol.Always(id=f"another-{letter:04}", on=letter % 2 == 0))

    ends = begun.ends / 1000 - BEGIN
    letters = chance.below(4)
    with loop.running():
        room.join(me)
        room.join(other)
        room.start()
        beat()
        delta = (chance.below(2 * int(1e6 * BESIDE) + 1) - 1e6 * BESIDE) / 1e6
        for letter in range(letters):
            loop.call_at(ends + delta - chance.pick((0.0, 0.002, 0.006)), say, letter)
        loop.call_at(ends + delta, move)
        loop.call_at(ends + 0.5, move)  # once more, as one does who has heard no answer
    loop.run_until(ends + 0.9)
    task = loop.create_task(room.stop())
    loop.run_until(ends + 1.0)
    assert task.done()
    loop.kill()
    rows = disk.logs[f"race-{number}"][len(begun.rows) :]
    versions = {version: row.events for version, row in enumerate(rows, len(begun.rows) + 1)}
    won = judge(begun, [event for row in rows for event in row.events], versions, me)
    if letters == 0:  # nothing stood between him and the table, so it is his time alone that counts
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
        versions = {row.mark.version: row.events for row in rows}
        seen["won" if judge(begun, [event for row in rows for event in row.events], versions, me) else "lost"] += 1

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
