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
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from hashlib import sha256, shake_256
from importlib.resources import files
from importlib.resources.abc import Traversable
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


UNREADABLE: Final = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file leads to: its error may quote what is damaged, and then cannot be read itself."""


class CannotOpen(Exception):
    """The database cannot be used at all; the message is meant for the one who starts the room."""


class NotKept(Exception):
    """The database did not take it: disk full, locked, broken. Nothing was changed."""


class Fenced(Exception):
    """The log has gone on without the asker: his version is not the next one."""


class IdReused(Exception):
    """The id of a command that was kept has come again with something else in it. Nothing was written for it."""


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


class Device(NamedTuple):
    """One browser of a guest: since when it has its token, in room time, and when that was last renewed, if ever.

    `replaces`: the hash of the token before, until the browser has shown that it has this one. `over`: another one has
    taken the place of this one, and the browser has it.
    """

    guest_id: str
    since: int
    replaces: bytes | None
    renewed_at: int | None
    over: bool


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
        self._keeper: sqlite3.Connection | None = None
        try:
            self._db = self._begin()
            _migrate(self._db)
            row = self._db.execute("SELECT alive_at FROM room").fetchone()
            self.alive_at: Final[int] = 0 if row is None else row[0]
        except (*UNREADABLE, CannotOpen) as error:
            self._drop_connection()
            if self._keeper is not None:
                self._keeper.close()
            os.close(self._lock)
            if isinstance(error, CannotOpen):
                raise
            raise CannotOpen(f"{path} cannot be used as a database: {error}") from None
        self._jobs: Final[queue.SimpleQueue[_Job | None]] = queue.SimpleQueue()
        self._readers: Final = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._idle: Final[list[sqlite3.Connection]] = []
        """Connections by which nobody reads just now."""
        self._writer: Final = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is still queued, then let the file go. May block for as long as a commit takes."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        for db in self._idle:
            db.close()
        if self._keeper is not None:
            self._keeper.close()
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
        body: bytes | None = None,
    ) -> Kept:
        """Keep a command's events as `version` of a table; returns after the commit.

        `command_id` names its sender and his command, None for the room's own. `due_at`: when the table must be woken.
        `body`: a hash of what the command says. A command id known already adds nothing: the answer says as which
        version it was kept. Raises `IdReused` when it was kept with another body, `Fenced` when `version` is not the
        next one, `NotKept` when the database did not take it.
        """
        public, hidden = _split(events)
        return await self._write(
            functools.partial(
                _append,
                heads=self._heads,
                table_id=table_id,
                version=version,
                command_id=command_id,
                body=body,
                public=public,
                hidden=hidden,
                due_at=due_at,
            )
        )

    async def find(self, table_id: str, command_id: str, body: bytes | None = None) -> int | None:
        """The version a command was kept as, None when it was not. Raises `IdReused` when it had another body."""

        def read(db: sqlite3.Connection) -> int | None:
            return _find(db, table_id, command_id, body)

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
            db.execute("INSERT INTO devices VALUES (?, ?, ?, NULL, NULL)", (token_hash, guest.id, at))

        await self._write(write)

    async def add_device(self, guest_id: str, token_hash: bytes, at: int) -> None:
        """Remember the hash of the token that another browser of a guest has."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO devices VALUES (?, ?, ?, NULL, NULL)", (token_hash, guest_id, at))

        await self._write(write)

    async def device(self, token_hash: bytes) -> Device | None:
        """The browser with this token, None when there is none."""

        def read(db: sqlite3.Connection) -> Device | None:
            row = db.execute(
                "SELECT guest_id, created_at, replaces, until IS NOT NULL,"
                " (SELECT max(created_at) FROM devices AS newer WHERE newer.replaces = devices.token_hash)"
                " FROM devices WHERE token_hash = ?",
                (token_hash,),
            ).fetchone()
            return None if row is None else Device(_text(row[0]), row[1], row[2], row[4], bool(row[3]))

        return await self._read(read)

    async def renew_device(self, token_hash: bytes, new_hash: bytes, at: int) -> None:
        """Give a browser another token beside the one it has, which is good until the other one has been seen."""

        def write(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO devices SELECT ?, guest_id, ?, token_hash, NULL FROM devices WHERE token_hash = ?",
                (new_hash, at, token_hash),
            )

        await self._write(write)

    async def replace_device(self, token_hash: bytes, until: int) -> None:
        """A browser has shown that it has its new token: the one before is good until this moment."""

        def write(db: sqlite3.Connection) -> None:
            db.execute(
                "UPDATE devices SET until = ? WHERE until IS NULL"
                " AND token_hash = (SELECT replaces FROM devices WHERE token_hash = ?)",
                (until, token_hash),
            )
            db.execute("UPDATE devices SET replaces = NULL WHERE token_hash = ?", (token_hash,))

        await self._write(write)

    async def forget_devices(self, now: int) -> None:
        """Forget the tokens that others have taken the place of, once their time is over."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM devices WHERE until <= ?", (now,))

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
            nonce = secrets.token_bytes(16)
            covered = nonce + _covered(body, _key(db, table_id), nonce)
            db.execute(
                "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)", (table_id, hand, player, coach, covered)
            )

        await self._write(write)

    async def review(self, table_id: str, hand: int, player: str, coach: int) -> bytes | None:
        """What this coach has said of a hand to a player, None where it has said nothing."""

        def read(db: sqlite3.Connection) -> bytes | None:
            query = "SELECT body FROM reviews WHERE table_id = ? AND hand = ? AND player = ? AND coach = ?"
            row = db.execute(query, (table_id, hand, player, coach)).fetchone()
            return None if row is None else _covered(row[0][16:], _key(db, table_id), row[0][:16])

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
                reached("before-answer")
                with suppress(RuntimeError):  # the loop is gone: nobody waits for the answers
                    batch[0].future.get_loop().call_soon_threadsafe(_give, answers)

    def _commit(self, batch: list[_Job]) -> list[_Answer]:
        try:
            db = self._db = self._db or self._connect()
            reached("before-begin")
            db.execute("BEGIN IMMEDIATE")
            reached("after-begin")
            answers = [_attempt(job, db) for job in batch]
            reached("before-commit")
            db.execute("COMMIT")
            reached("after-commit")
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

    def _begin(self) -> sqlite3.Connection:
        """The first connection, and the keeper.

        After a failed flush the system may hold for written what is not on the disk, and a later flush does not write it
        again: rows kept behind it in the write-ahead file would be lost with it in a power cut. While the keeper is open,
        what a failed commit has left in that file is known to nobody and overwritten by the next one, and no connection
        that is thrown away copies it into the database. A room that died of it has left no such memory; so what is in
        the file at the start is written anew, while nobody else can write to it.
        """
        with suppress(sqlite3.OperationalError):  # there is none yet, or its making was cut off
            self._keeper = self._keep()
        db = self._connect()
        self._keeper = self._keeper or self._keep()
        self._keeper.execute(
            "SELECT count(*) FROM sqlite_schema"
        ).fetchone()  # in case it was no write-ahead database yet
        db.execute("BEGIN IMMEDIATE")
        try:
            _write_anew(Path(f"{self._path}-wal"))
        except OSError as error:
            db.close()
            raise sqlite3.OperationalError(f"its last rows cannot be made sure of: {error.strerror}") from None
        db.execute("ROLLBACK")
        return db

    def _keep(self) -> sqlite3.Connection:
        """A connection that only reads, and that is open for as long as the store is."""
        db = _open(self._path, "ro")
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except UNREADABLE:
            db.close()
            raise
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
            try:
                db = self._idle.pop()  # most of what a short question costs is to open the file for it
            except IndexError:
                db = _open(self._path, "ro")
            try:
                found = read(db)
            except BaseException:
                db.close()  # whatever is wrong with it, the next question is asked anew
                raise
            self._idle.append(db)
            return found

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except UNREADABLE as error:
            raise NotKept(str(error)) from None


def reached(_point: str) -> None:
    """A moment of writing, by name. Nothing happens at it; tests put in place of this what lets the process die there.

    In their order: before-begin, after-begin, for each row after-event, after-secret, after-table, then before-commit,
    after-commit, before-answer.
    """


def load(db: sqlite3.Connection, table_id: str) -> Log | None:
    """Read and verify one table's log from an open database; see `Store.load`."""
    try:
        return _load(db, table_id)
    except (sqlite3.Error, msgspec.MsgspecError, UnicodeError) as error:
        raise BrokenChain(table_id, 0, f"cannot be read ({type(error).__name__})") from None


def open_to_check(path: Path) -> sqlite3.Connection:
    """A connection that only reads, for looking at a database beside a running room. Raises `CannotOpen`.

    A part of the file may be missing: that can be told of it with `faults`.
    """
    if not path.exists():
        raise CannotOpen(f"there is no file {path}")
    try:
        db = _open(path, "ro")
        made = db.execute("PRAGMA user_version").fetchone()[0]
        if made != len(_steps()) or not _parts(db, _PARTS):
            db.execute("SELECT count(*) FROM tables")
    except UNREADABLE as error:
        raise CannotOpen(f"{path} is no database of this program: {error}") from None
    if made != len(_steps()):
        db.close()
        if made > len(_steps()):
            raise CannotOpen(f"{path} was made by a newer version of this program (schema {made})")
        raise CannotOpen(
            f"{path} was last written by an earlier version of this program; start this one's room on it once"
        )
    return db


class Fault(NamedTuple):
    """A part of the file that is not as a room makes it; `readable`: what the program asks of it can be asked all the same."""

    part: str
    what: str
    readable: bool


_PARTS: Final = ("tables", "events", "secrets", "audit")
"""What logs and notes are kept in."""


def faults(db: sqlite3.Connection, *, public: bool = False) -> list[Fault]:
    """The parts of an open database that are missing or were made by somebody else; `public`: but for hidden ones."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        empty.text_factory = bytes
        _migrate(empty)
        every = {_text(row[0]) for row in empty.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        parts = [part for part in (*_PARTS, *sorted(every - {*_PARTS})) if not (public and part == "secrets")]
        made = _parts(empty, parts)
    found, here = list[Fault](), _parts(db, parts)
    for part in parts:
        if part not in here:
            found.append(Fault(part, "is missing", readable=False))
        elif lost := [column for column in made[part][1] if column not in here[part][1]]:
            found.append(Fault(part, f"has no {' and no '.join(map(_text, lost))}", readable=False))
        elif here[part] != made[part]:
            found.append(Fault(part, "was not made by a room", readable=True))
    return found


def _parts(db: sqlite3.Connection, parts: Sequence[str]) -> dict[str, tuple[object, dict[bytes, object]]]:
    """What those parts of a database are that are there: of which kind, and by their names what their columns are."""
    found = dict[str, tuple[object, dict[bytes, object]]]()
    for part in parts:
        kinds = db.execute("SELECT type, wr, strict FROM pragma_table_list WHERE name = ?", (part,)).fetchall()
        columns = db.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (part,)).fetchall()
        if kinds:
            found[part] = kinds, {row[0]: row[1:] for row in columns}
    return found


def table_ids(db: sqlite3.Connection, *, public: bool = False, without: Collection[str] = ()) -> list[str]:
    """Every table that has a row anywhere, in no special order; `public`: without looking for hidden ones.

    `without`: parts of the file that cannot be read.
    """
    places = {
        "tables": "SELECT DISTINCT id FROM tables",
        "events": "SELECT DISTINCT table_id FROM events",
        "secrets": "SELECT DISTINCT table_id FROM secrets",
    }
    parts = [part for part in places if part not in without and not (public and part == "secrets")]
    return [_text(row[0]) for row in db.execute(" UNION ".join(map(places.__getitem__, parts)))] if parts else []


def stray_secrets(db: sqlite3.Connection) -> dict[str, list[object]]:
    """What is hidden and belongs to no row of a log: by table, the versions it is kept for."""
    found = dict[str, list[object]]()
    for table_id, version in db.execute(
        "SELECT table_id, version FROM secrets EXCEPT SELECT table_id, version FROM events"
    ):
        found.setdefault(_text(table_id), []).append(version)
    return found


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


def _write_anew(path: Path) -> None:
    """Write a file once more as it is read, so that it really is on the disk; where there is none, nothing is done.

    It is not one of the files on which the database holds locks, which closing it here would take away.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        at = 0
        while part := os.pread(descriptor, 1 << 20, at):
            at += os.pwrite(descriptor, part, at)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db.execute("PRAGMA recursive_triggers = ON")  # else a row that takes the place of another one removes it unseen
    # Bytes, since a damaged text may be no UTF-8 and has to be found by the chain, not by the driver.
    db.text_factory = bytes
    return db


def _steps() -> list[Traversable]:
    folder = files("ananas.server").joinpath("migrations")
    return sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)


def _migrate(db: sqlite3.Connection) -> None:
    steps = _steps()
    done = db.execute("PRAGMA user_version").fetchone()[0]
    if done > len(steps):
        raise CannotOpen(f"the database was made by a newer version of this program (schema {done})")
    for number, step in enumerate(steps[done:], done + 1):
        db.executescript(f"BEGIN IMMEDIATE; {step.read_text('utf-8')}; PRAGMA user_version = {number}; COMMIT;")


def _attempt(job: _Job, db: sqlite3.Connection) -> _Answer:
    try:
        return _Answer(job.future, job.run(db), None)
    except (Fenced, IdReused) as error:  # nothing was written for it, so the others in the transaction are not touched
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
    previous: bytes,
    table_id: str,
    version: int,
    *,
    command_id: bytes | None,
    body: bytes | None,
    public: bytes,
    secrets_hash: bytes | None,
) -> bytes:
    digest = sha256(previous)
    parts = [table_id.encode(), str(version).encode(), command_id, public, secrets_hash]
    if body is not None:  # rows of earlier versions have none, and are chained without it
        parts.append(body)
    for part in parts:
        digest.update(b"-" if part is None else b"+%d:%b" % (len(part), part))
    return digest.digest()


def _key(db: sqlite3.Connection, table_id: str) -> bytes:
    """What covers cards of a table outside its secrets: only who may look at those can look under it."""
    row = db.execute("SELECT salt FROM secrets WHERE table_id = ? ORDER BY version LIMIT 1", (table_id,)).fetchone()
    return b"" if row is None else cast("bytes", row[0])


def _covered(body: bytes, key: bytes, nonce: bytes) -> bytes:
    """Bytes that nobody can read without the key; covered again, they are what they were."""
    over = shake_256(b"ananas/1 cover\n" + key + nonce).digest(len(body))
    return (int.from_bytes(body) ^ int.from_bytes(over)).to_bytes(len(body))


def _said(body: bytes, salt: bytes | None) -> bytes:
    """What is kept of a command's hash: one that has something hidden in it could be found by trying all it may be."""
    return body if salt is None else sha256(b"said" + salt + body).digest()


def _find(db: sqlite3.Connection, table_id: str, command_id: str, body: bytes | None) -> int | None:
    row = db.execute(
        "SELECT version, body_hash, salt FROM events LEFT JOIN secrets USING (table_id, version)"
        " WHERE table_id = ? AND command_id = ?",
        (table_id, command_id),
    ).fetchone()
    if row is None:
        return None
    version, kept, salt = row
    if body is not None and kept is not None and kept != _said(body, salt):
        raise IdReused(
            f"command {command_id} of table {table_id} was kept as version {version}, and said something else"
        )
    return cast("int", version)


def _append(
    db: sqlite3.Connection,
    heads: dict[str, Mark],
    *,
    table_id: str,
    version: int,
    command_id: str | None,
    body: bytes | None,
    public: bytes,
    hidden: bytes | None,
    due_at: int | None,
) -> Kept:
    head = heads.get(table_id)
    if head is None or version != head.version + 1:
        head = _head(db, table_id)  # what is remembered may be wrong where another process has written
    if version != head.version + 1:
        return _kept_before(db, table_id, command_id, body, version)
    salt = secrets.token_bytes(16)
    secrets_hash = None if hidden is None else sha256(salt + hidden).digest()
    said = None if body is None else _said(body, None if hidden is None else salt)
    sender = None if command_id is None else command_id.encode()
    digest = _chain(
        head.hash, table_id, version, command_id=sender, body=said, public=public, secrets_hash=secrets_hash
    )
    try:
        db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            (table_id, version, command_id, public.decode(), secrets_hash, digest, said),
        )
    except sqlite3.IntegrityError:
        return _kept_before(db, table_id, command_id, body, version)
    reached("after-event")
    if hidden is not None:
        db.execute("INSERT INTO secrets VALUES (?, ?, ?, ?)", (table_id, version, salt, hidden.decode()))
        reached("after-secret")
    db.execute(
        "INSERT INTO tables VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " version = excluded.version, hash = excluded.hash, due_at = excluded.due_at",
        (table_id, version, digest, due_at),
    )
    reached("after-table")
    heads[table_id] = Mark(version, digest)
    return Kept(version, again=False)


def _head(db: sqlite3.Connection, table_id: str) -> Mark:
    row = db.execute("SELECT version, hash FROM tables WHERE id = ?", (table_id,)).fetchone()
    return START if row is None else Mark(*row)


def _kept_before(
    db: sqlite3.Connection, table_id: str, command_id: str | None, body: bytes | None, version: int
) -> Kept:
    """The command is known, or its sender is fenced; in either case nothing was written for it."""
    before = None if command_id is None else _find(db, table_id, command_id, body)
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


def read_rows(
    db: sqlite3.Connection, table_id: str, *, public: bool = False, endless: bool = False
) -> list[Row] | None:
    """All rows of a table from an open database, verified; None when there is no such table.

    `public`: without their hidden parts, which are not even looked at; whether those are what was written stays open.
    `endless`: where the log has to end is not known, and not asked. Raises `BrokenChain`.
    """
    try:
        return _rows(db, table_id, START, None, public=public, endless=endless)
    except UNREADABLE as error:
        raise BrokenChain(table_id, 0, f"cannot be read ({type(error).__name__})") from None


def _rows(
    db: sqlite3.Connection,
    table_id: str,
    after: Mark,
    until: int | None,
    *,
    public: bool = False,
    endless: bool = False,
) -> list[Row] | None:
    secret = (
        "NULL, NULL FROM events" if public else "salt, hidden FROM events LEFT JOIN secrets USING (table_id, version)"
    )
    db.execute("BEGIN")  # both reads of one moment: a live table goes on meanwhile
    try:
        head = None
        if not endless:
            head = db.execute("SELECT version, hash FROM tables WHERE id = ?", (table_id,)).fetchone()
        kept = db.execute(
            f"SELECT version, command_id, body_hash, events, secrets_hash, hash, {secret}"
            " WHERE table_id = ? AND version > ? AND version <= ? ORDER BY version",
            (table_id, after.version, sys.maxsize if until is None else until),
        ).fetchall()
    finally:
        db.rollback()
    if head is None and not kept and after == START:
        return None
    last, rows = after, list[Row]()
    for expected, (version, sender, body, told, secrets_hash, digest, salt, hidden) in enumerate(
        kept, after.version + 1
    ):
        if version != expected:
            raise BrokenChain(table_id, expected, "is missing")
        what = "its hidden part was changed"
        try:
            if not public and secrets_hash != (None if hidden is None else sha256(salt + hidden).digest()):
                raise BrokenChain(table_id, version, what)
            what = "was changed"
            chained = _chain(
                last.hash, table_id, version, command_id=sender, body=body, public=told, secrets_hash=secrets_hash
            )
        except TypeError:  # somebody has made the file anew, so that it takes numbers where texts belong
            raise BrokenChain(table_id, version, what) from None
        if digest != chained:
            raise BrokenChain(table_id, version, what)
        last = Mark(version, chained)
        try:
            rows.append(Row(last, read_events(told, hidden)))
        except (msgspec.MsgspecError, ValueError) as error:
            raise BrokenChain(table_id, version, f"cannot be read ({type(error).__name__})") from None
    if not endless and (last != head if until is None else last.version != until):
        raise BrokenChain(table_id, last.version, "the log does not end where it should")
    return rows


def _text(value: bytes | str | float) -> str:
    """A text as it was kept. A damaged one has to be told all the same, and must not hurt anybody else's table."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
