"""Rooms that live to be killed: the real store and the real tables in a process of their own, asked through a pipe.

A nursery has imported everything once and forks a room for each life, which costs some hundredths of a second; so many
thousands of lives can be ended. What such a room lacks is only what stands before it: sockets and HTTP.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.server import store as module
from ananas.server.guests import hash_token
from ananas.server.room import Rooms
from ananas.server.store import Guest, Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Asked, Thinker
from ananas.table.clock import deadline
from ananas.table.commands import Command, Open, Sit
from ananas.table.decide import advance
from ananas.table.events import AnyEvent
from tests.server.house import House, Message, Player

POINTS: Final = (
    "before-begin",
    "after-begin",
    "after-event",
    "after-secret",
    "after-table",
    "before-commit",
    "after-commit",
    "before-answer",
)
"""Where a life may end by itself, in the order in which a command passes them."""


class Life(msgspec.Struct, frozen=True):
    """How one life is led: on which database, with which store, until where, and how far its wall clock is ahead.

    `dies_at`: one of `POINTS`, the how manieth time it comes by; 0 times: it lives until it is killed.
    """

    socket: str
    database: str
    kind: str = "real"
    dies_at: str = ""
    times: int = 0
    ahead: float = 0.0


# -- stores that break their word


class AnswersEarly(Store):
    """A store that says a command is kept before it is: a planted fault."""

    def _commit(self, batch: list[Any]) -> list[Any]:
        db = self._db = self._db or self._connect()
        db.execute("BEGIN IMMEDIATE")
        answers = [module._attempt(job, db) for job in batch]
        batch[0].future.get_loop().call_soon_threadsafe(module._give, answers)
        time.sleep(0.01)
        module.reached("before-commit")
        db.execute("COMMIT")
        return answers


class ForgetsIds(Store):
    """A store that does a command again that comes again: a planted fault."""

    def _connect(self) -> sqlite3.Connection:
        db = super()._connect()
        found = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'events'").fetchone()
        if found is not None and b"UNIQUE" in found[0]:
            columns = ", ".join(row[1].decode() for row in db.execute("PRAGMA table_info(events)"))
            # At once, or it may be killed in between, and be another fault than it means to be.
            db.executescript(
                f"BEGIN IMMEDIATE; CREATE TABLE others AS SELECT {columns} FROM events; DROP TABLE events;"
                " ALTER TABLE others RENAME TO events; COMMIT;"
            )
        return db

    async def find(self, table_id: str, command_id: str, body: bytes | None = None) -> int | None:
        return None


class Charges(Store):
    """A store that believes that the room was alive until now: a planted fault, by which outages are charged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        vars(self)["alive_at"] = self.alive_at + 3_600_000


KINDS: Final[dict[str, type[Store]]] = {
    "real": Store,
    "answers early": AnswersEarly,
    "forgets ids": ForgetsIds,
    "charges": Charges,
}


# -- in the room's process


class _Ear:
    """A viewer whose ears are at the other end of the pipe."""

    proves = False
    lag_ms = 0

    def __init__(self, head: bytes, player: str, came: int, tell: Callable[[bytes], None]) -> None:
        self.player = player
        self.window = f"window-of-{player}"
        self.came = came
        self._head, self._tell = head, tell

    def offer(self, view: bytes) -> None:
        self._tell(self._head + view + b"\n")

    def answer(self, message: bytes) -> None:
        self.offer(message)

    def drop(self, code: int) -> None:
        pass


def _nobody_thinks(view: bytes, seconds: float) -> str | None:
    return None


async def _live(life: Life) -> None:
    """Serve until the other end hangs up, or death comes."""
    passed = 0

    def reached(_point: str) -> None:
        nonlocal passed
        passed += _point == life.dies_at
        if _point == life.dies_at and passed == life.times:
            os.kill(os.getpid(), signal.SIGKILL)

    module.reached = reached
    reader, writer = await asyncio.open_unix_connection(life.socket, limit=2**22)
    store = KINDS[life.kind](Path(life.database))
    clock = RoomClock(not_before=store.alive_at, wall=lambda: time.time() + life.ahead)
    rooms = Rooms(store=store, clock=clock, thinker=Thinker(_nobody_thinks), bot_pause=0)
    await rooms.start()
    writer.write(b'["", "", {"type": "alive"}]\n')

    async def beat() -> None:
        while True:
            await asyncio.sleep(0.1)
            clock.now()
            with contextlib.suppress(module.NotKept):
                await store.alive(rooms.alive_at)

    beating = asyncio.create_task(beat())
    ears: dict[tuple[str, str], _Ear] = {}
    numbers = itertools.count()
    while line := await _line(reader):
        table, player, said = json.loads(line)
        room = await rooms.get(table)
        if (ear := ears.get((table, player))) is None:
            head = json.dumps([table, player])[:-1].encode() + b", "
            ear = ears[table, player] = _Ear(head, player, next(numbers), lambda line: writer.write(line[:-1] + b"]\n"))
            room.join(ear)
        if said is not None:
            asked = protocol.decode(json.dumps(said))
            assert isinstance(asked, Asked)
            room.ask(ear, asked)
    beating.cancel()
    await rooms.stop()
    store.close()


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ConnectionError:  # the other end has hung up while it was told something
        return b""


def nursery() -> None:
    """Fork one room for each line that comes, tell its process id, and, once it has ended, how."""
    import gc

    gc.freeze()
    for line in sys.stdin.buffer:
        life = msgspec.json.decode(line, type=Life)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                asyncio.run(_live(life))
                status = 0
            except Exception:  # noqa: BLE001 - it is a forked process that ends here
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        print(child, flush=True)
        _, how = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(how), flush=True)


# -- on the test's side


class Gone(Exception):
    """The room is no more."""


class Piped(Player):
    """Somebody at a table of such a room."""

    def __init__(self, mortal: Mortal, name: str, table: str) -> None:
        super().__init__(House(Path(os.devnull)), None, table)
        self.mortal = mortal
        self.name = name

    async def connect(self) -> None:
        self.view = {}
        await self.mortal.say(self.table, self.name, None)
        while not self.view:
            await self.next()

    async def close(self) -> None:
        """There is nothing to close."""

    async def next(self) -> Message:
        async with asyncio.timeout(30):
            message = await self.mortal.heard(self.table, self.name)
        if message["type"] == "view":
            assert not self.view or message["version"] >= self.version
            self.version, self.view, self.elsewhere = message["version"], message["view"], message["elsewhere"]
        return message

    async def send(self, message: object) -> None:
        await self.mortal.say(self.table, self.name, message)


class Seated(NamedTuple):
    """A table, and who sits there."""

    table: str
    players: Sequence[str]


class Mortal:
    """The room of the moment, and the nursery from which the next one comes."""

    def __init__(self, folder: Path, kind: str = "real") -> None:
        self.database = folder / "room.sqlite"
        self.kind = kind
        self._socket = folder / "pipe"
        self._nursery: asyncio.subprocess.Process | None = None
        self._server: asyncio.Server | None = None
        self._pid = 0
        self._writer: asyncio.StreamWriter | None = None
        self._queues: dict[tuple[str, str], asyncio.Queue[Message | None]] = {}
        self._calls: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None
        self.alive = asyncio.Event()

    async def open(self, rules: RuleSet, tables: Sequence[Seated]) -> None:
        """Make the database: tables at which people sit; then open the nursery."""
        store = Store(self.database)
        for table, players in tables:
            commands: list[Command] = [Open(table=table, name=table, host=players[0], rules=rules, public=False)]
            for player in players:
                await store.add_guest(Guest(player, player), hash_token(player), 0)
                commands.append(Sit(player=player, name=player))
            kept: list[tuple[tuple[AnyEvent, ...], int | None]] = []
            state = None
            for command in commands:
                events, state = advance(state, command, int(time.time() * 1000))
                kept.append((events, deadline(state)))  # as a room would: places are not kept for ever
            await asyncio.gather(
                *(store.append(table, version, None, row, due_at=due) for version, (row, due) in enumerate(kept, 1))
            )
        store.close()
        self._server = await asyncio.start_unix_server(self._called, self._socket, limit=2**22)
        self._nursery = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from tests.trust.mortal import nursery; nursery()"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._calls.put((reader, writer))

    async def begin(self, dies_at: str = "", times: int = 0, ahead: float = 0.0) -> None:
        """A new life; returns as soon as it has begun, which is before it can be spoken to."""
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        life = Life(str(self._socket), str(self.database), self.kind, dies_at, times, ahead)
        self._nursery.stdin.write(msgspec.json.encode(life) + b"\n")
        self._pid = int(await self._nursery.stdout.readline())
        self._queues = {}
        self.alive = asyncio.Event()
        reader, self._writer = await self._calls.get()
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                if not line.endswith(b"\n"):
                    break  # its last words
                table, player, message = json.loads(line)
                if table:
                    self._queue(table, player).put_nowait(message)
                else:
                    self.alive.set()
        self.alive.set()
        for queue in self._queues.values():
            queue.put_nowait(None)
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    def _queue(self, table: str, player: str) -> asyncio.Queue[Message | None]:
        return self._queues.setdefault((table, player), asyncio.Queue())

    async def say(self, table: str, player: str, message: object) -> None:
        if self._writer is None:
            raise Gone
        self._queue(table, player)
        self._writer.write(json.dumps([table, player, message]).encode() + b"\n")

    async def heard(self, table: str, player: str) -> Message:
        queue = self._queue(table, player)
        if self._writer is None and queue.empty():
            raise Gone
        message = await queue.get()
        if message is None:
            raise Gone
        return message

    def kill(self) -> None:
        """Kill it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    async def ended(self) -> int:
        """Wait until it has ended, and tell how."""
        assert self._nursery is not None
        assert self._nursery.stdout is not None
        assert self._reading is not None
        status = int(await self._nursery.stdout.readline())
        await self._reading
        return status

    async def hang_up(self) -> int:
        """Let it finish what it does; gives how it ended."""
        if self._writer is not None:
            self._writer.close()
        return await self.ended()

    async def close(self) -> None:
        """Close the nursery."""
        if self._nursery is not None:
            assert self._nursery.stdin is not None
            self._nursery.stdin.close()
            if self._writer is not None:
                self._writer.close()
            if self._reading is not None:
                await self._reading
            await self._nursery.wait()
        if self._server is not None:
            self._server.close()
