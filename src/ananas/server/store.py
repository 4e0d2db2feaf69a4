"""What the room keeps: one row for each kept command, secrets apart, guests, shares, reviews, when it was last alive.

SQLite, one file, one process. All writing is done by one thread, which drains its queue into one transaction and
answers everybody in it after the commit: nothing is acknowledged that a power cut could take back. Rows of a table
are chained by hashes; a row that was changed afterwards is found when the table is loaded. What belongs here: SQL.
What does not: rules, clocks, sockets.
"""

from __future__ import annotations

import asyncio
import fcntl
import functools
import os
import queue
import secrets
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

import msgspec

from ananas.table.events import AnyEvent, Hidden, read_events

T = TypeVar("T")

BUSY_SECONDS: Final = 2.0
"""How long a write waits for another program that holds the database before it is given up."""
BATCH: Final = 1000
"""The most jobs in one transaction."""
READERS: Final = 4
"""How many threads read at once."""
_encoder: Final = msgspec.json.Encoder()


class CannotOpen(Exception):
    """The database cannot be used at all; the message is meant for the one who starts the room."""


class NotKept(Exception):
    """The database did not take it: disk full, locked, broken. Nothing was changed."""


class Fenced(Exception):
    """The log has gone on without the asker: his version is not the next one."""


class BrokenChain(Exception):
    """A table's log is not what was written; the table must not be played on."""

    def __init__(self, table_id: str, version: int, reason: str) -> None:
        self.table_id: Final = table_id
        self.version: Final = version
        super().__init__(f"table {table_id}, version {version}: {reason}")


class Kept(NamedTuple):
    """A command is durable as this version; `again`: it had been kept before, and nothing was added now."""

    version: int
    again: bool


class Mark(NamedTuple):
    """A place in a table's log: how many rows lie before it, and the hash of the last of them."""

    version: int
    hash: bytes


START: Final = Mark(0, bytes(32))
"""Where every log begins."""


class Row(NamedTuple):
    """One kept command of a table: where the log is after it, and its events, hidden parts joined in."""

    mark: Mark
    events: tuple[AnyEvent, ...]


class Log(NamedTuple):
    """A table's whole history, hidden parts joined in; `version` counts its rows."""

    version: int
    events: tuple[AnyEvent, ...]


class Guest(NamedTuple):
    """Somebody who has said a name; `id` is what tables know him by and is shown to nobody."""

    id: str
    name: str


class Share(NamedTuple):
    """A finished hand that somebody shared, as `player` may know it; None: as a spectator may.

    `names`: whether the names of the players and of the table are told.
    """

    table_id: str
    hand: int
    player: str | None
    names: bool


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class _Answer(NamedTuple):
    future: asyncio.Future[Any]
    value: Any
    error: Exception | None


class Store:
    """The room's database. One process at a time; every method with `await` may be called from the event loop.

    `alive_at`: when an earlier room on this file was last alive, in milliseconds of room time; 0: never. Raises `CannotOpen` when another room runs on the file, or the file is no database of this program.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._lock: Final = _lock(path)
        self._heads: Final[dict[str, Mark]] = {}
        self._db: sqlite3.Connection | None = None
        try:
            self._db = self._connect()
            _migrate(self._db)
            row = self._db.execute("SELECT alive_at FROM room").fetchone()
            self.alive_at: Final[int] = 0 if row is None else row[0]
        except (sqlite3.Error, CannotOpen) as error:
            self._drop_connection()
            os.close(self._lock)
            if isinstance(error, CannotOpen):
                raise
            raise CannotOpen(f"{path} cannot be used as a database: {error}") from None
        self._jobs: Final[queue.SimpleQueue[_Job | None]] = queue.SimpleQueue()
        self._readers: Final = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._writer: Final = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is still queued, then let the file go. May block for as long as a commit takes."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._drop_connection()
        os.close(self._lock)

    # -- the log

    async def append(
        self,
        table_id: str,
        version: int,
        command_id: str | None,
        events: Sequence[AnyEvent],
        *,
        due_at: int | None,
    ) -> Kept:
        """Keep a command's events as `version` of a table; returns after the commit.

        `command_id` names its sender and his command, None for the room's own. `due_at`: when the table must be woken.
        A command id known already adds nothing: the answer says as which version it was kept. Raises `Fenced` when
        `version` is not the next one, `NotKept` when the database did not take it.
        """
        public, hidden = _split(events)
        return await self._write(
            functools.partial(
                _append,
                heads=self._heads,
                table_id=table_id,
                version=version,
                command_id=command_id,
                public=public,
                hidden=hidden,
                due_at=due_at,
            )
        )

    async def find(self, table_id: str, command_id: str) -> int | None:
        """The version a command was kept as, None when it was not."""

        def read(db: sqlite3.Connection) -> int | None:
            return _find(db, table_id, command_id)

        return await self._read(read)

    async def load(self, table_id: str) -> Log | None:
        """Everything that happened at a table, verified; None when there is no such table.

        Raises `BrokenChain` when the log is not what was written.
        """
        return await self._read(functools.partial(load, table_id=table_id))

    async def read_on(self, table_id: str, after: Mark = START, until: int | None = None) -> list[Row] | None:
        """The rows of a table after a mark, to its end or to a version, verified; None when there is no such table.

        Raises `BrokenChain` when they are not what was written, or do not follow the mark.
        """
        return await self._read(functools.partial(_read_on, table_id=table_id, after=after, until=until))

    async def waiting(self) -> list[str]:
        """The tables that wait for a moment in time, the earliest first."""

        def read(db: sqlite3.Connection) -> list[str]:
            rows = db.execute("SELECT id FROM tables WHERE due_at IS NOT NULL ORDER BY due_at")
            return [_text(row[0]) for row in rows]

        return await self._read(read)

    # -- when the room was alive

    async def alive(self, at: int) -> None:
        """Note that the room is alive at this moment of room time."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO room VALUES (1, ?) ON CONFLICT DO UPDATE SET alive_at = excluded.alive_at", (at,))

        await self._write(write)

    # -- guests

    async def add_guest(self, guest: Guest, token_hash: bytes, at: int) -> None:
        """Remember a new guest, and the hash of the token that his browser has."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO guests VALUES (?, ?, ?)", (guest.id, guest.name, at))
            db.execute("INSERT INTO devices VALUES (?, ?, ?)", (token_hash, guest.id, at))

        await self._write(write)

    async def add_device(self, guest_id: str, token_hash: bytes, at: int) -> None:
        """Remember the hash of the token that another browser of a guest has."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO devices VALUES (?, ?, ?)", (token_hash, guest_id, at))

        await self._write(write)

    async def rename_guest(self, guest: Guest) -> None:
        """Give a known guest his new name."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("UPDATE guests SET name = ? WHERE id = ?", (guest.name, guest.id))

        await self._write(write)

    async def guest(self, token_hash: bytes) -> Guest | None:
        """The guest one of whose browsers has this token, None when there is none."""
        query = "SELECT id, name FROM devices JOIN guests ON id = guest_id WHERE token_hash = ?"
        return await self._guest(query, token_hash)

    async def guest_by_id(self, guest_id: str) -> Guest | None:
        """The guest as he is called now, None when there is none."""
        return await self._guest("SELECT id, name FROM guests WHERE id = ?", guest_id)

    async def _guest(self, query: str, key: bytes | str) -> Guest | None:
        def read(db: sqlite3.Connection) -> Guest | None:
            row = db.execute(query, (key,)).fetchone()
            return None if row is None else Guest(_text(row[0]), _text(row[1]))

        return await self._read(read)

    # -- hands that were shared

    async def add_share(self, share: Share, token_hash: bytes, at: int) -> None:
        """Remember what a link shows, and the hash of its token; again, it changes nothing."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR IGNORE INTO shares VALUES (?, ?, ?, ?, ?, ?)", (token_hash, *share, at))

        await self._write(write)

    async def share(self, token_hash: bytes) -> Share | None:
        """What the link with this token shows, None when there is none."""

        def read(db: sqlite3.Connection) -> Share | None:
            query = "SELECT table_id, hand, player, names FROM shares WHERE token_hash = ?"
            row = db.execute(query, (token_hash,)).fetchone()
            if row is None:
                return None
            table_id, hand, player, names = row
            return Share(_text(table_id), hand, None if player is None else _text(player), bool(names))

        return await self._read(read)

    # -- what the coach has said

    async def keep_review(self, table_id: str, hand: int, player: str, coach: int, body: bytes) -> None:
        """Remember what a coach has said of a hand to one who played it, in place of what was said before."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)", (table_id, hand, player, coach, body))

        await self._write(write)

    async def review(self, table_id: str, hand: int, player: str, coach: int) -> bytes | None:
        """What this coach has said of a hand to a player, None where it has said nothing."""

        def read(db: sqlite3.Connection) -> bytes | None:
            query = "SELECT body FROM reviews WHERE table_id = ? AND hand = ? AND player = ? AND coach = ?"
            row = db.execute(query, (table_id, hand, player, coach)).fetchone()
            return None if row is None else cast("bytes", row[0])

        return await self._read(read)

    async def keep_puzzle(self, day: str, body: bytes) -> None:
        """Remember the puzzle of a day; the first one stays."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR IGNORE INTO puzzles VALUES (?, ?)", (day, body.decode()))

        await self._write(write)

    async def puzzle(self, day: str) -> bytes | None:
        """The puzzle of a day, None where it has not been made."""

        def read(db: sqlite3.Connection) -> bytes | None:
            row = db.execute("SELECT body FROM puzzles WHERE day = ?", (day,)).fetchone()
            return None if row is None else cast("bytes", row[0])

        return await self._read(read)

    # -- the writer's thread

    async def _write(self, run: Callable[[sqlite3.Connection], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(run, future))
        return await future

    def _write_forever(self) -> None:
        stop = False
        while not stop:
            found: list[_Job | None] = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(found) < BATCH:
                    found.append(self._jobs.get_nowait())
            stop = None in found
            batch = [job for job in found if job is not None]
            if batch:
                answers = self._commit(batch)
                with suppress(RuntimeError):  # the loop is gone: nobody waits for the answers
                    batch[0].future.get_loop().call_soon_threadsafe(_give, answers)

    def _commit(self, batch: list[_Job]) -> list[_Answer]:
        try:
            db = self._db = self._db or self._connect()
            db.execute("BEGIN IMMEDIATE")
            answers = [_attempt(job, db) for job in batch]
            db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001
            # Whatever it was, these jobs are refused and the writer lives. A failed commit may or may not be in the
            # file: a new connection reads what is there in truth, and whoever believed otherwise is fenced.
            self._drop_connection()
            if len(batch) > 1 and not isinstance(error, sqlite3.OperationalError):
                return [answer for job in batch for answer in self._commit([job])]
            reason = NotKept(f"{type(error).__name__}: {error}")
            return [_Answer(job.future, None, reason) for job in batch]
        return answers

    def _connect(self) -> sqlite3.Connection:
        db = _open(self._path, "rwc")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        return db

    def _drop_connection(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.rollback()
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        self._heads.clear()

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            with closing(_open(self._path, "rw")) as db:
                return read(db)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except sqlite3.Error as error:
            raise NotKept(str(error)) from None


def load(db: sqlite3.Connection, table_id: str) -> Log | None:
    """Read and verify one table's log from an open database; see `Store.load`."""
    try:
        return _load(db, table_id)
    except (sqlite3.Error, msgspec.MsgspecError, UnicodeError) as error:
        raise BrokenChain(table_id, 0, f"cannot be read ({type(error).__name__})") from None


def open_to_check(path: Path) -> sqlite3.Connection:
    """A connection that only reads, for looking at a database beside a running room. Raises `CannotOpen`."""
    try:
        db = _open(path, "ro")
        db.execute("SELECT count(*) FROM tables")
    except sqlite3.Error as error:
        raise CannotOpen(f"{path} is no database of this program: {error}") from None
    return db


def table_ids(db: sqlite3.Connection) -> list[str]:
    """Every table that has a row anywhere, in no special order."""
    rows = db.execute("SELECT id FROM tables UNION SELECT table_id FROM events UNION SELECT table_id FROM secrets")
    return [_text(row[0]) for row in rows]


def _lock(path: Path) -> int:
    """Hold the lock file beside the database until the process ends, however it ends."""
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise CannotOpen(f"{path} cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise CannotOpen(f"another room runs on {path}; stop it, or choose another database") from None
    return descriptor


def _open(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    # Bytes, since a damaged text may be no UTF-8 and has to be found by the chain, not by the driver.
    db.text_factory = bytes
    return db


def _migrate(db: sqlite3.Connection) -> None:
    steps = sorted(
        (entry for entry in files("ananas.server").joinpath("migrations").iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    done = db.execute("PRAGMA user_version").fetchone()[0]
    if done > len(steps):
        raise CannotOpen(f"the database was made by a newer version of this program (schema {done})")
    for number, step in enumerate(steps[done:], done + 1):
        db.executescript(f"BEGIN IMMEDIATE; {step.read_text('utf-8')}; PRAGMA user_version = {number}; COMMIT;")


def _attempt(job: _Job, db: sqlite3.Connection) -> _Answer:
    try:
        return _Answer(job.future, job.run(db), None)
    except Fenced as error:  # nothing was written for it, so the others in the transaction are not touched
        return _Answer(job.future, None, error)


def _give(answers: list[_Answer]) -> None:
    for future, value, error in answers:
        if future.done():
            continue
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)


def _split(events: Sequence[AnyEvent]) -> tuple[bytes, bytes | None]:
    """The public bytes of a row, and its hidden bytes where it has any."""
    hidden = [cast("Hidden | None", getattr(event, "hidden", None)) for event in events]
    if not any(hidden):
        return _encoder.encode(events), None
    public = [
        event if secret is None else msgspec.structs.replace(event, hidden=None)
        for event, secret in zip(events, hidden, strict=True)
    ]
    return _encoder.encode(public), _encoder.encode(hidden)


def _chain(
    previous: bytes, table_id: str, version: int, *, command_id: str | None, public: bytes, secrets_hash: bytes | None
) -> bytes:
    digest = sha256(previous)
    sender = None if command_id is None else command_id.encode()
    for part in (table_id.encode(), str(version).encode(), sender, public, secrets_hash):
        digest.update(b"-" if part is None else b"+%d:%b" % (len(part), part))
    return digest.digest()


def _find(db: sqlite3.Connection, table_id: str, command_id: str) -> int | None:
    row = db.execute(
        "SELECT version FROM events WHERE table_id = ? AND command_id = ?", (table_id, command_id)
    ).fetchone()
    return None if row is None else cast("int", row[0])


def _append(
    db: sqlite3.Connection,
    heads: dict[str, Mark],
    *,
    table_id: str,
    version: int,
    command_id: str | None,
    public: bytes,
    hidden: bytes | None,
    due_at: int | None,
) -> Kept:
    head = heads.get(table_id) or _head(db, table_id)
    if version != head.version + 1:
        return _kept_before(db, table_id, command_id, version)
    salt = secrets.token_bytes(16)
    secrets_hash = None if hidden is None else sha256(salt + hidden).digest()
    digest = _chain(head.hash, table_id, version, command_id=command_id, public=public, secrets_hash=secrets_hash)
    try:
        db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
            (table_id, version, command_id, public.decode(), secrets_hash, digest),
        )
    except sqlite3.IntegrityError:
        return _kept_before(db, table_id, command_id, version)
    if hidden is not None:
        db.execute("INSERT INTO secrets VALUES (?, ?, ?, ?)", (table_id, version, salt, hidden.decode()))
    db.execute(
        "INSERT INTO tables VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " version = excluded.version, hash = excluded.hash, due_at = excluded.due_at",
        (table_id, version, digest, due_at),
    )
    heads[table_id] = Mark(version, digest)
    return Kept(version, again=False)


def _head(db: sqlite3.Connection, table_id: str) -> Mark:
    row = db.execute("SELECT version, hash FROM tables WHERE id = ?", (table_id,)).fetchone()
    return START if row is None else Mark(*row)


def _kept_before(db: sqlite3.Connection, table_id: str, command_id: str | None, version: int) -> Kept:
    """The command is known, or its sender is fenced; in either case nothing was written for it."""
    before = None if command_id is None else _find(db, table_id, command_id)
    if before is None:
        raise Fenced(f"{version} is not the next version of table {table_id}")
    return Kept(before, again=True)


def _load(db: sqlite3.Connection, table_id: str) -> Log | None:
    rows = _rows(db, table_id, START, None)
    return None if rows is None else Log(len(rows), tuple(event for row in rows for event in row.events))


def _read_on(db: sqlite3.Connection, table_id: str, after: Mark, until: int | None) -> list[Row] | None:
    try:
        return _rows(db, table_id, after, until)
    except (sqlite3.Error, msgspec.MsgspecError, UnicodeError) as error:
        raise BrokenChain(table_id, after.version, f"cannot be read on ({type(error).__name__})") from None


def _rows(db: sqlite3.Connection, table_id: str, after: Mark, until: int | None) -> list[Row] | None:
    db.execute("BEGIN")  # both reads of one moment: a live table goes on meanwhile
    try:
        head = db.execute("SELECT version, hash FROM tables WHERE id = ?", (table_id,)).fetchone()
        kept = db.execute(
            "SELECT version, command_id, events, secrets_hash, hash, salt, hidden"
            " FROM events LEFT JOIN secrets USING (table_id, version)"
            " WHERE table_id = ? AND version > ? AND version <= ? ORDER BY version",
            (table_id, after.version, sys.maxsize if until is None else until),
        ).fetchall()
    finally:
        db.rollback()
    if head is None and not kept and after == START:
        return None
    last, rows = after, list[Row]()
    for expected, (version, command, public, secrets_hash, digest, salt, hidden) in enumerate(kept, after.version + 1):
        if version != expected:
            raise BrokenChain(table_id, expected, "is missing")
        if secrets_hash != (None if hidden is None else sha256(salt + hidden).digest()):
            raise BrokenChain(table_id, version, "its hidden part was changed")
        sender = None if command is None else _text(command)
        chained = _chain(last.hash, table_id, version, command_id=sender, public=public, secrets_hash=secrets_hash)
        if digest != chained:
            raise BrokenChain(table_id, version, "was changed")
        last = Mark(version, chained)
        rows.append(Row(last, read_events(public, hidden)))
    if last != head if until is None else last.version != until:
        raise BrokenChain(table_id, last.version, "the log does not end where it should")
    return rows


def _text(value: bytes) -> str:
    return value.decode()
