"""A network that is cut at every bad moment, while people play over it: no command is lost, none is done twice.

The people's line behaves as that of the web client does (`web/src/socket.ts`): it sends again, under the same id, what
was not answered. Between each of them and a real room lies a wire that is cut before a command passes, after it, before
its answer, within a frame, within a handshake; or that hangs, open and dead, and may deliver what it holds when nobody
waits for it any more. In the end the log of the database is held against what everybody was told.

    python -m tests.server.test_cuts --cuts 1000             # the client's own times; tells how long coming back takes
    python -m tests.server.test_cuts --cuts 100 --fault new-id --pace 0.1
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import secrets
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Origin

from ananas.server.limits import GUEST_SOCKETS
from ananas.server.room import fold
from ananas.server.store import load, open_to_check, table_ids
from ananas.server.viewers import HEARTBEAT_MISSED, SILENT_MS
from tests.chance import Chance
from tests.server.house import House, Message, Player, View
from tests.trust.kills import assert_exactly_once, rows_of

pytestmark = pytest.mark.server


Fault = Literal["none", "new-id", "no-resend"]
"""What is wrong with the people's line: it sends again under a new id, or does not send again at all."""
Kind = Literal["before", "after", "answer", "torn", "torn answer", "handshake", "idle", "hung", "hung after", "late"]
"""Where the wire is cut. Before a command, or after it; before its answer; within the frame of either; the next handshake
as well; at any moment. Or it is dead, but open: before a command, or after it; or it delivers the command much later."""
HUNG: Final = {"hung", "hung after", "late"}
FAREWELL: Final = bytes([0x88, 2, *HEARTBEAT_MISSED.to_bytes(2)])
"""The frame by which the room closes a socket that it takes for dead."""
COMMAND_BYTES: Final = 40
"""What is longer than this is no ping."""
PATIENCE: Final = 60.0
"""Seconds after which what has not come will not come: a bound for a broken room, not a promise of a working one."""


@dataclass(frozen=True)
class Times:
    """The client's times in seconds, as `web/src/socket.ts` has them, and how long a network is away; at some pace."""

    pace: float

    def __getattr__(self, name: str) -> float:
        return self.pace * _SECONDS[name]


_SECONDS: Final = {
    "ping_every": 5.0,
    "silence": 8.0,
    "look_every": 0.5,
    "first_wait": 0.25,
    "longest_wait": 1.0,
    "away": 2.0,
    "until_dropped": SILENT_MS / 1000,
}


# -- the line, as the web client has it


@dataclass
class Intention:
    """Something that somebody wanted once: under which ids it was sent, how often, and what he was told of it."""

    message: Message
    ids: list[str] = field(default_factory=list[str])
    sent: int = 0
    kept: int | None = None
    refused: str | None = None

    @property
    def answered(self) -> bool:
        return self.kept is not None or self.refused is not None


class Line:
    """The line to one table; what was not answered is sent again on the next connection."""

    def __init__(self, port: int, player: Player, times: Times, chance: Chance, fault: Fault = "none") -> None:
        self.view: View = {}
        self.elsewhere = False
        self.changed = asyncio.Event()
        self.intentions: list[Intention] = []
        self.first_views: list[float] = []
        self.called_at: list[float] = []
        """When the call was made that each first view came by."""
        self.problems: list[str] = []
        self._url: Final = (
            f"ws://127.0.0.1:{port}/api/tables/{player.table}/socket?window=window-{secrets.token_hex(8)}"
        )
        self._headers: Final = {"Cookie": f"ananas_guest={player.cookie}"}
        self._origin: Final = Origin(player.house.url)
        self._times: Final = times
        self._chance: Final = chance
        self._fault: Final = fault
        self._socket: ClientConnection | None = None
        self._version = -1
        self._told = 0
        self._heard = 0.0
        self._failures = 0
        self._woken: Final = asyncio.Event()
        self._task: Final = asyncio.create_task(self._run())

    @property
    def unanswered(self) -> list[Intention]:
        return [each for each in self.intentions if not each.answered]

    async def ask(self, message: Message) -> Intention:
        """Send a command until it is answered."""
        intention = Intention(message, [_new_id()])
        self.intentions.append(intention)
        await self._send_command(intention)
        return intention

    async def draft(self, message: Message) -> None:
        """Send a draft; one that cannot go now is not worth keeping."""
        await self._send(message)

    async def wake(self) -> None:
        """The network is there again, says the browser; it cannot know what has become of a socket that is open."""
        if self._socket is None:
            self._failures = 0
            self._woken.set()
        else:
            await self._send({"type": "ping"})

    async def close(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            await self._call()
            longest = min(self._times.longest_wait, self._times.first_wait * 2**self._failures)
            self._failures += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), longest * (0.5 + self._chance.unit() / 2))

    async def _call(self) -> None:
        """One connection, from the call until it is lost."""
        called_at = time.monotonic()
        try:
            # Not at another pace: a call that is not cut is answered as soon as the room can.
            async with asyncio.timeout(_SECONDS["silence"]):
                socket = await connect(
                    self._url,
                    origin=self._origin,
                    additional_headers=self._headers,
                    compression=None,
                    ping_interval=None,
                    open_timeout=None,
                )
        except (OSError, TimeoutError, EOFError, WebSocketException):
            return
        self._socket, self._version, self._heard = socket, -1, time.monotonic()
        beat = asyncio.create_task(self._beat(socket))
        try:
            for intention in self.unanswered:
                if self._fault == "new-id":
                    intention.ids.append(_new_id())
                if self._fault != "no-resend" or not intention.sent:
                    await self._send_command(intention)
            while True:
                self._receive(json.loads(await socket.recv()))
                self.called_at += [called_at] * (len(self.first_views) - len(self.called_at))
        except ConnectionClosed as end:
            if end.rcvd is not None and end.rcvd.code not in {1000, 1001}:
                self.problems.append(f"the room has closed the socket: {end.rcvd}")
        finally:
            beat.cancel()
            self._socket = None
            socket.transport.abort()

    async def _beat(self, socket: ClientConnection) -> None:
        pinged = time.monotonic()
        while True:
            await asyncio.sleep(self._times.look_every)
            now = time.monotonic()
            if now - self._heard >= self._times.silence:
                socket.transport.abort()
            elif now - pinged >= self._times.ping_every:
                await self._send({"type": "ping"})
                pinged = now

    async def _send_command(self, intention: Intention) -> None:
        if await self._send({**intention.message, "id": intention.ids[-1]}):
            intention.sent += 1

    async def _send(self, message: Message) -> bool:
        if self._socket is None:
            return False
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(json.dumps(message))
            return True
        return False

    def _receive(self, message: Message) -> None:
        self._heard = time.monotonic()
        match message["type"]:
            case "view":
                self._see(message)
            case "kept":
                self._told = max(self._told, message["version"])
                self._answer(message["id"]).kept = message["version"]
            case "refused" if message["id"] is not None:
                self._answer(message["id"]).refused = message["code"]
            case "refused" if message["code"] == "too-fast":
                pass  # one draft of many: whoever arranges cards so quickly has sent a newer one
            case "refused":
                self.problems.append(f"a draft was refused: {message['code']}")
            case _:
                pass
        self.changed.set()

    def _see(self, message: Message) -> None:
        if self._version < 0:  # the first of this connection: the whole table, and nothing older than what was told
            self._failures = 0
            self.first_views.append(time.monotonic())
            if message["version"] < self._told:
                self.problems.append(f"version {self._told} was told, {message['version']} is shown")
        if message["version"] >= self._version:
            self._version, self.view, self.elsewhere = message["version"], message["view"], message["elsewhere"]

    def _answer(self, command_id: str) -> Intention:
        return next(each for each in reversed(self.intentions) if command_id in each.ids)


def _new_id() -> str:
    return secrets.token_hex(8)


class Person:
    """Somebody who plays over a line: lays, is ready, sits out and comes back, leaves and sits down again."""

    def __init__(self, line: Line, wire: Wire, player: Player, chance: Chance) -> None:
        self.line: Final = line
        self.wire: Final = wire
        self.player: Final = player
        self.playing = True
        self._chance: Final = chance
        self._turns: Final = set[tuple[int, int]]()
        self._task: Final = asyncio.create_task(self._play())

    async def close(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self.line.close()
        await self.wire.close()

    async def _play(self) -> None:
        while True:
            await self.line.changed.wait()
            self.line.changed.clear()
            await asyncio.sleep(0.03 * self._chance.unit())
            if self.playing and not self.line.unanswered and self.line.view and not self.line.elsewhere:
                await self._act()

    async def _act(self) -> None:
        view = self.player.view = self.line.view
        may: list[str] = view["may"]
        if "confirm" in may:
            turn = self.player.turn()
            if (turn["hand"], turn["street"]) not in self._turns:
                self._turns.add((turn["hand"], turn["street"]))
                placement = self.player.placement()
                if self._chance.unit() < 0.3:
                    await self.line.draft({"type": "draft", **turn, "placement": "-/-/-"})
                await self.line.ask({"type": "confirm", **turn, "placement": placement})
        elif "return" in may:
            await self.line.ask({"type": "return"})
        elif "ready" in may:
            luck = self._chance.unit()
            if luck < 0.1 and "sit-out" in may:
                await self.line.ask({"type": "sit-out"})
            elif luck < 0.2 and "leave" in may:
                await self.line.ask({"type": "leave"})
            else:
                await self.line.ask({"type": "ready", "hand": view["hands"] + 1, "always": False})
        elif "sit" in may:
            await self.line.ask({"type": "sit"})


# -- the wire


@dataclass(eq=False)
class Leg:
    """One connection over the wire. `near` is the person's end, `far` the room's."""

    near: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    far: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    opened: bool = False
    state: Literal["whole", "answer", "torn answer", "dead"] = "whole"
    hung_at: float | None = None
    held: bytes = b""

    def abort(self) -> None:
        for _, writer in (self.near, self.far):
            writer.transport.abort()


class Wire:
    """A relay to the room for one person, which is cut as it is told, and away for a while then."""

    def __init__(self, room_port: int, times: Times, chance: Chance) -> None:
        self.port = 0
        self.cut = asyncio.Event()
        self.up = True
        self.returned_at = 0.0
        self.found_after: list[float] = []
        """How long the room took to find out that a socket was dead."""
        self._room_port: Final = room_port
        self._times: Final = times
        self._chance: Final = chance
        self._legs: Final = set[Leg]()
        self._serving: Final = set[asyncio.Task[None]]()
        self._armed: Kind | None = None
        self._swallow = False
        self._server: asyncio.Server | None = None

    async def open(self) -> Wire:
        def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._serve(reader, writer))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

        self._server = await asyncio.start_server(serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for leg in self._legs:
            leg.abort()
        await asyncio.gather(*self._serving)

    async def cut_at(self, kind: Kind) -> Kind:
        """Be cut at the next moment of this kind, or after a while without one at any moment; tells which it was."""
        self.cut.clear()
        if kind in {"idle", "handshake"}:
            await asyncio.sleep(self._chance.unit() * self._times.first_wait)
        else:
            self._armed = kind
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.cut.wait(), max(1.0, self._times.silence))
                return kind
            self._armed, kind = None, "idle"
        self._swallow = kind == "handshake"
        self._go_away()
        return kind

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.up:
            writer.transport.abort()
            return
        try:
            far = await asyncio.open_connection("127.0.0.1", self._room_port)
        except OSError:
            writer.transport.abort()
            return
        leg = Leg((reader, writer), far)
        if not self.up:  # cut while it was being laid
            leg.abort()
            return
        self._legs.add(leg)
        await asyncio.gather(self._upward(leg), self._downward(leg))
        leg.abort()
        self._legs.discard(leg)

    async def _upward(self, leg: Leg) -> None:
        with contextlib.suppress(OSError):
            while data := await leg.near[0].read(65_536):
                if leg.state == "dead":
                    leg.held += data if leg.held else b""
                elif self._armed is not None and leg.opened and len(data) > COMMAND_BYTES:
                    await self._cut_in(leg, self._armed, data)
                else:
                    await _pass(leg.far[1], data)
        if leg.state != "dead":
            leg.far[1].close()

    async def _downward(self, leg: Leg) -> None:
        with contextlib.suppress(OSError):
            while data := await leg.far[0].read(65_536):
                if leg.state == "dead":
                    if leg.hung_at is not None and FAREWELL in data:
                        self.found_after.append(time.monotonic() - leg.hung_at)
                    continue
                if self._swallow or leg.state in {"answer", "torn answer"}:
                    if leg.state == "torn answer":
                        await _pass(leg.near[1], data[: self._within(data)])
                    self._swallow = False
                    self._drop(leg)
                    self._go_away()
                    continue
                leg.opened = True
                await _pass(leg.near[1], data)
        if leg.state != "dead":
            leg.near[1].close()

    async def _cut_in(self, leg: Leg, kind: Kind, data: bytes) -> None:
        """Cut the wire while a command is on its way."""
        self._armed = None
        if kind in {"after", "answer", "torn answer", "hung after"}:
            await _pass(leg.far[1], data)
        elif kind == "torn":
            await _pass(leg.far[1], data[: self._within(data)])
        if kind == "answer" or kind == "torn answer":  # noqa: PLR1714
            leg.state = kind
            return  # the cut comes with what the room says next
        if kind in HUNG:
            leg.held = data if kind == "late" else b""
            self._hang(leg)
        else:
            self._drop(leg)
        self._go_away()

    def _within(self, data: bytes) -> int:
        return 1 + int(self._chance.unit() * (len(data) - 1))

    def _drop(self, leg: Leg) -> None:
        """Close the person's end, one way or the other; the room may hear of it, or not."""
        leg.state = "dead"
        _end(leg.near[1], self._chance)
        hanging = sum(each.hung_at is not None for each in self._legs)
        if self._chance.unit() < 0.3 and hanging < GUEST_SOCKETS // 2:
            self._hang(leg)
        else:
            _end(leg.far[1], self._chance)

    def _hang(self, leg: Leg) -> None:
        """Let nothing pass any more, and say nothing about it."""
        leg.state, leg.hung_at = "dead", time.monotonic()
        loop = asyncio.get_running_loop()
        if self._times.pace < 1:  # the room's own patience has no other pace
            loop.call_later(self._times.until_dropped, leg.far[1].transport.abort)

    def deliver(self) -> None:
        """Pass on what was held back; it comes from a socket that its sender has given up long since."""
        for leg in self._legs:
            if leg.held:
                leg.far[1].write(leg.held)
                leg.held, leg.hung_at = b"", time.monotonic()

    def _go_away(self) -> None:
        """Be away for a while, with all that there is of connections."""
        self.up = False
        for leg in [leg for leg in self._legs if leg.state != "dead"]:
            self._drop(leg)
        self.cut.set()
        asyncio.get_running_loop().call_later(self._times.away * self._chance.unit() ** 2, self._return)

    def _return(self) -> None:
        self.up, self.returned_at = True, time.monotonic()


async def _pass(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    with contextlib.suppress(OSError):
        await writer.drain()


def _end(writer: asyncio.StreamWriter, chance: Chance) -> None:
    """End a connection with a farewell, or without one."""
    if chance.unit() < 0.5:
        writer.transport.abort()
    else:
        writer.close()


# -- an evening


@dataclass
class Evening:
    """What came of it."""

    seed: int
    cuts: Counter[Kind] = field(default_factory=Counter[Kind])
    back_after: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    """From the network's return to the first view, in seconds; apart for sockets that hung."""
    called_after: list[float] = field(default_factory=list[float])
    """To the call by which it came: what the client waits for, whatever else the machine does; but for those that hung."""
    found_after: list[float] = field(default_factory=list[float])
    intentions: list[Intention] = field(default_factory=list[Intention])
    problems: list[str] = field(default_factory=list[str])
    hands: int = 0

    def __str__(self) -> str:
        again = sum(each.sent > 1 for each in self.intentions)
        commands = f"{len(self.intentions)} commands, {again} of them sent again"
        lines = [
            f"seed {self.seed}: {self.cuts.total()} cuts, {self.hands} hands, {commands}",
            "cut " + ", ".join(f"{kind} {count}" for kind, count in sorted(self.cuts.items())),
        ]
        for hung, what in ((False, "after a cut"), (True, "where the socket hung")):
            if took := self.back_after[hung]:
                lines.append(f"from the network's return to the first view, {what}: {_spread(took)}")
        if self.called_after:
            lines.append(f"from the network's return to the call, after a cut: {_spread(self.called_after)}")
        if self.found_after:
            lines.append(
                f"the room found {len(self.found_after)} dead sockets, each within {max(self.found_after):.1f} s"
            )
        return "\n".join(lines)


def _spread(took: list[float]) -> str:
    most = sorted(took)[math.ceil(len(took) * 0.99) - 1]
    return f"median {statistics.median(took):.2f} s, 99 of 100 within {most:.2f} s, at the most {max(took):.2f} s"


async def _cut_again_and_again(person: Person, times: Times, cuts: int, evening: Evening, chance: Chance) -> None:
    """Cut one person's wire so often, each time when he is back from the last one."""
    wire, line = person.wire, person.line
    for _ in range(cuts):
        kind: Kind = chance.pick(get_args(Kind))
        await asyncio.sleep(0.2 * chance.unit())
        seen = len(line.first_views)
        kind = await wire.cut_at(kind)
        try:
            await _until(lambda: wire.up)
            if chance.unit() < 0.5:
                await line.wake()
            await _until(lambda: len(line.first_views) > seen and line.first_views[-1] > wire.returned_at)  # noqa: B023
        except TimeoutError:
            raise AssertionError(f"nothing is seen {PATIENCE} seconds after the wire was cut: {kind}") from None
        evening.cuts[kind] += 1
        evening.back_after[kind in HUNG].append(line.first_views[-1] - wire.returned_at)
        if kind not in HUNG:
            evening.called_after.append(max(0.0, line.called_at[-1] - wire.returned_at))
        if line.elsewhere:  # also where another window lies on the same device, and was back first
            evening.problems.append("a window that came back was told that the seat is played elsewhere")
        if kind == "late":
            await asyncio.sleep(0.1 * chance.unit())
            wire.deliver()


async def _play(house: House, evening: Evening, cuts: int, times: Times, fault: Fault) -> None:
    people: list[Person] = []
    others: list[Line] = []
    cutting: list[asyncio.Task[None]] = []
    try:
        for table in range(max(4, min(30, cuts // 12))):
            for player in await house.playing(names=(f"Ann {table}", f"Bob {table}")):
                await player.close()
                chance = Chance(f"{evening.seed} {table} {player.seat}")
                wire = await Wire(house.port, times, Chance(f"{evening.seed} {table} {player.seat} wire")).open()
                people.append(Person(Line(wire.port, player, times, chance, fault), wire, player, chance))
        await _until(lambda: all(person.line.first_views for person in people))
        # Some have another window, which looks on: it is never cut, or lies on the same device, and comes back as well.
        for number, person in enumerate(people[::3]):
            port = person.wire.port if number % 2 else house.port
            others.append(Line(port, person.player, times, Chance(f"{evening.seed} {number} other")))
        await _until(lambda: all(other.first_views for other in others))
        for number, person in enumerate(people):
            count = cuts // len(people) + (number < cuts % len(people))
            cutter = _cut_again_and_again(person, times, count, evening, Chance(f"{evening.seed} {number}"))
            cutting.append(asyncio.create_task(cutter))
        await asyncio.gather(*cutting)
        for person in people:
            person.playing = False
        with contextlib.suppress(TimeoutError):
            within = PATIENCE if fault == "none" else 2
            await _until(lambda: not any(person.line.unanswered for person in people), within)
    finally:
        for task in cutting:
            task.cancel()
        for person in people:
            await person.close()
        for other in others:
            await other.close()
        for person in people:
            evening.intentions += person.line.intentions
            evening.problems += person.line.problems
            evening.found_after += person.wire.found_after


async def _until(condition: Callable[[], bool], within: float = PATIENCE) -> None:
    """Wait until something is true. Raises `TimeoutError`."""
    until = time.monotonic() + within
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError
        await asyncio.sleep(0.005)


def play(path: Path, cuts: int, *, seed: int, pace: float, fault: Fault = "none") -> Evening:
    """Play an evening over wires that are cut so often, and hold its log against what everybody was told.

    Raises `AssertionError` where anything was lost, or done twice.
    """
    evening = Evening(seed)
    house = House(path).start()
    try:
        asyncio.run(_play(house, evening, cuts, Times(pace), fault))
        house.end(signal.SIGTERM)
        _hold_against_the_log(evening, path)
    except AssertionError as error:
        raise AssertionError(f"--seed {seed}: {error}") from error
    finally:
        house.close()
    return evening


def _hold_against_the_log(evening: Evening, path: Path) -> None:
    rows = rows_of(path)
    kept = Counter(command.rpartition(":")[2] for _, command, _ in rows if command)
    for each in evening.intentions:
        times = sum(kept[command] for command in each.ids)
        assert times <= 1, f"done {times} times: {each}"
        assert each.answered, f"lost: {each}"
        assert (times == 1) == (each.kept is not None), f"done, and told otherwise: {each}"
    acked = {each.ids[-1]: each.kept for each in evening.intentions if each.kept is not None}
    assert_exactly_once({command for each in evening.intentions for command in each.ids}, acked, rows)
    assert not evening.problems, f"{len(evening.problems)} problems: {evening.problems[:5]}"
    with closing(open_to_check(path)) as db:
        for table in table_ids(db):
            log = load(db, table)
            assert log is not None
            evening.hands += fold(log.events).hands
            assert "TimedOut" not in {type(event).__name__ for event in log.events}, "the table had to lay for somebody"


# -- in the test suite the client's times are a tenth of what they are in truth


def _seed() -> int:
    return secrets.randbelow(1_000_000)


def test_nothing_is_lost_or_doubled_over_two_hundred_cuts(tmp_path: Path) -> None:
    evening = play(tmp_path / "room.sqlite", 200, seed=_seed(), pace=0.1)
    assert evening.cuts.total() == 200
    assert len(evening.cuts) > 6, "hardly any kind of cut came about"
    assert sum(each.sent > 1 for each in evening.intentions) > 20, "hardly anything was sent again"
    # Generous: it says that people come back by themselves, and how fast is measured by the command.
    assert max(max(took) for took in evening.back_after.values()) < PATIENCE / 2


@pytest.mark.parametrize("fault", ["new-id", "no-resend"])
def test_a_line_that_loses_or_doubles_is_caught(tmp_path: Path, fault: Fault) -> None:
    what = {"new-id": "done", "no-resend": "lost|nothing is seen"}[fault]
    with pytest.raises(AssertionError, match=f"--seed \\d+: ({what})"):
        play(tmp_path / "room.sqlite", 40, seed=_seed(), pace=0.1, fault=fault)


def main() -> None:
    """Play an evening with so many cuts, and tell what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=_seed())
    parser.add_argument("--pace", type=float, default=1.0, help="of the client's times; 1 is as they are in truth")
    parser.add_argument("--fault", choices=get_args(Fault), default="none", help="what is wrong with the clients")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        try:
            evening = play(
                Path(directory) / "room.sqlite",
                options.cuts,
                seed=options.seed,
                pace=options.pace,
                fault=options.fault,
            )
        except AssertionError as error:
            sys.exit(f"a fault: {error}")
    print(f"{evening}\nnothing was lost, nothing was done twice, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
