"""A store in memory with the contract of the real one, and every way in which a disk can fail; `test_double.py` holds
one against the other.

What has reached the `Disk` outlives the room. A `Double` is the store of one life of the room on that disk: what it has
not written when it dies is lost, and nobody is answered any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from ananas.server.store import START, Fenced, Guest, IdReused, Kept, Log, Mark, NotKept, Row, _split
from ananas.table.events import AnyEvent, read_events

Fate = Literal["kept", "refused", "unsure", "dies-before", "dies-after"]
"""What becomes of a write: it is kept; it is refused; it is kept and reported as failed; the room dies before it is
kept, or when it is kept and nobody has been told."""


class Written(NamedTuple):
    """A row as it lies on the disk."""

    command_id: str | None
    body: bytes | None
    public: bytes
    hidden: bytes | None

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        return read_events(self.public, self.hidden)


class Disk:
    """What outlives the room."""

    def __init__(self) -> None:
        self.logs: Final[dict[str, list[Written]]] = {}
        self.versions: Final[dict[tuple[str, str], int]] = {}
        self.due: Final[dict[str, int | None]] = {}
        self.guests: Final[dict[str, Guest]] = {}
        self.alive_at = 0

    def write(self, table_id: str, row: Written, due_at: int | None) -> int:
        log = self.logs.setdefault(table_id, [])
        log.append(row)
        self.due[table_id] = due_at
        if row.command_id is not None:
            self.versions[table_id, row.command_id] = len(log)
        return len(log)

    def forget_last(self, table_id: str) -> None:
        """What no disk may do: a row that was kept is gone."""
        row = self.logs[table_id].pop()
        if row.command_id is not None:
            self.versions.pop((table_id, row.command_id), None)


class Double:
    """The store of one life of the room.

    `fate` tells what becomes of each write, and `seconds` how long it takes; `kept` is told of every row that reaches
    the disk, `died` that the room has to be ended now. `writes`: how many are under way.
    """

    def __init__(
        self,
        disk: Disk,
        *,
        fate: Callable[[], Fate] = lambda: "kept",
        seconds: Callable[[], float] = lambda: 0.0,
        kept: Callable[[str, int, Written], None] | None = None,
        died: Callable[[], None] = lambda: None,
    ) -> None:
        self.disk: Final = disk
        self.alive_at: Final = disk.alive_at
        self.dead = False
        self.writes = 0
        self._fate: Final = fate
        self._seconds: Final = seconds
        self._kept: Final = kept
        self._died: Final = died

    async def append(
        self,
        table_id: str,
        version: int,
        command_id: str | None,
        events: Sequence[AnyEvent],
        *,
        due_at: int | None,
        body: bytes | None = None,
    ) -> Kept:
        row = Written(command_id, body, *_split(events))
        fate = self._fate()
        self.writes += 1
        await self._takes_time()
        self.writes -= 1
        if fate == "refused":
            raise NotKept("disk full")
        if fate == "dies-before":
            self._died()
            await self._for_ever()
        log = self.disk.logs.get(table_id, [])
        before = None if command_id is None else self.before(table_id, command_id, body)
        if version != len(log) + 1 or before is not None:
            if before is None:
                raise Fenced(f"{version} is not the next version of table {table_id}")
            return Kept(before, again=True)
        written = self.disk.write(table_id, row, due_at)
        if self._kept is not None:
            self._kept(table_id, written, row)
        if fate == "unsure":
            raise NotKept("nobody knows")
        if fate == "dies-after":
            self._died()
            await self._for_ever()
        return Kept(version, again=False)

    async def find(self, table_id: str, command_id: str, body: bytes | None = None) -> int | None:
        await self._takes_time()
        return self.before(table_id, command_id, body)

    def before(self, table_id: str, command_id: str, body: bytes | None) -> int | None:
        """As which version a command was kept before, if it was. Raises `IdReused`."""
        version = self.disk.versions.get((table_id, command_id))
        if version is not None and self.disk.logs[table_id][version - 1].body != body:
            raise IdReused
        return version

    async def load(self, table_id: str) -> Log | None:
        await self._takes_time()
        log = self.disk.logs.get(table_id)
        return None if log is None else Log(len(log), tuple(event for row in log for event in row.events))

    async def read_on(self, table_id: str, after: Mark = START, until: int | None = None) -> list[Row] | None:
        log = self.disk.logs.get(table_id)
        if log is None:
            return None
        return [
            Row(Mark(version, b""), row.events)
            for version, row in enumerate(log, 1)
            if version > after.version and (until is None or version <= until)
        ]

    async def waiting(self) -> list[str]:
        await self._takes_time()
        due = [(at, table_id) for table_id, at in self.disk.due.items() if at is not None]
        return [table_id for _, table_id in sorted(due)]

    async def alive(self, at: int) -> None:
        if self._fate() == "refused":
            raise NotKept("disk full")
        await self._takes_time()
        self.disk.alive_at = at

    async def add_guest(self, guest: Guest, token_hash: bytes, at: int) -> None:
        self.disk.guests[guest.id] = guest

    async def guest_by_id(self, guest_id: str) -> Guest | None:
        await self._takes_time()
        return self.disk.guests.get(guest_id)

    async def _takes_time(self) -> None:
        if seconds := self._seconds():
            await asyncio.sleep(seconds)
        if self.dead:
            await self._for_ever()

    async def _for_ever(self) -> None:
        await asyncio.get_running_loop().create_future()
