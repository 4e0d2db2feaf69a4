"""The store: kept means kept, once, in order, with secrets apart, and found out when it is changed."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from ananas.game.cards import DECK, Card
from ananas.game.rules import ROOM
from ananas.server import store as module
from ananas.server.store import (
    START,
    BrokenChain,
    CannotOpen,
    Fenced,
    Guest,
    IdReused,
    Kept,
    Log,
    Mark,
    NotKept,
    Share,
    Store,
)
from ananas.table.events import (
    AnyEvent,
    Confirmed,
    HandDealt,
    HiddenDeck,
    HiddenPlacement,
    Opened,
    ShowdownEnded,
)
from tests.server.tampering import tampering

CANARY = (Card("Qd"), Card("7h"))
"""Cards that stand only in hidden parts of the log below."""


def history(table: str) -> list[list[AnyEvent]]:
    """Four commands' worth of events, two of them with something hidden."""
    return [
        [Opened(at=1, table=table, name="A table", host="ann", rules=ROOM)],
        [HandDealt(at=2, hand=1, seats=(0, 1), hidden=HiddenDeck(deck=DECK))],
        [
            Confirmed(
                at=3, seat=0, street=2, rows="2c/3c/-", hidden=HiddenPlacement(placement="2c/3c/- x" + "".join(CANARY))
            ),
            ShowdownEnded(at=3),
        ],
        [ShowdownEnded(at=4)],
    ]


async def fill(store: Store, table: str) -> None:
    for version, events in enumerate(history(table), 1):
        body = sha256(b"%d" % version).digest() if version % 2 else None
        await store.append(table, version, f"ann:command-{version}", events, due_at=None, body=body)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def with_store(path: Path, body: Callable[[Store], Awaitable[object]], kind: type[Store] = Store) -> None:
    """Open a store, run a coroutine on it, close it."""

    async def run() -> None:
        store = kind(path)
        try:
            await body(store)
        finally:
            store.close()

    asyncio.run(run())


def test_what_was_kept_is_read_back_joined_with_its_secrets(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        await fill(store, "two")
        for table in ("one", "two"):
            wanted = tuple(event for events in history(table) for event in events)
            assert await store.load(table) == Log(4, wanted)
        assert await store.load("three") is None

    with_store(path, body)


def test_a_command_known_already_adds_nothing_and_tells_its_version(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        event = [ShowdownEnded(at=9)]
        first = await store.append("one", 5, "ann:again", event, due_at=None)
        assert first == Kept(5, again=False)
        # Sent five times at once, at whatever version the sender believes in.
        answers = await asyncio.gather(*(store.append("one", 6, "ann:again", event, due_at=None) for _ in range(5)))
        assert set(answers) == {Kept(5, again=True)}
        assert await store.find("one", "ann:again") == 5
        assert await store.find("one", "bob:again") is None
        # Another sender, or another table, may use the same words.
        assert await store.append("one", 6, "bob:again", event, due_at=None) == Kept(6, again=False)
        log = await store.load("one")
        assert log is not None
        assert log.version == 6

    with_store(path, body)


ONE, OTHER = sha256(b"on").digest(), sha256(b"off").digest()


def test_a_known_id_with_other_words_is_refused_and_adds_nothing(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        event = [ShowdownEnded(at=9)]
        assert await store.append("one", 5, "ann:bound", event, due_at=None, body=ONE) == Kept(5, again=False)
        wrong, again, right = await asyncio.gather(
            store.append("one", 6, "ann:bound", event, due_at=None, body=OTHER),
            store.append("one", 6, "ann:bound", event, due_at=None, body=ONE),
            store.append("two", 1, "ann:bound", event, due_at=None, body=OTHER),
            return_exceptions=True,
        )
        assert isinstance(wrong, IdReused)
        assert again == Kept(5, again=True)
        assert right == Kept(1, again=False), "another table's ids are its own"
        for version in (1, 5, 6, 7):  # whatever the sender believes
            with pytest.raises(IdReused):
                await store.append("one", version, "ann:bound", event, due_at=None, body=OTHER)
        with pytest.raises(IdReused):
            await store.find("one", "ann:bound", OTHER)
        assert await store.find("one", "ann:bound", ONE) == await store.find("one", "ann:bound") == 5
        log = await store.load("one")
        assert log is not None
        assert log.version == 5

    with_store(path, body)


def test_a_command_kept_without_its_words_is_answered_as_before(path: Path) -> None:
    async def body(store: Store) -> None:
        event = [ShowdownEnded(at=9)]
        assert await store.append("one", 1, "ann:old", event, due_at=None) == Kept(1, again=False)
        assert await store.append("one", 2, "ann:old", event, due_at=None, body=ONE) == Kept(1, again=True)
        assert await store.find("one", "ann:old", ONE) == 1

    with_store(path, body)


def test_a_store_that_forgets_the_words_would_be_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = module._find

    def forgetful(db: sqlite3.Connection, table: str, command: str, _: bytes | None) -> int | None:
        return find(db, table, command, None)

    monkeypatch.setattr(module, "_find", forgetful)
    with pytest.raises(AssertionError):
        test_a_known_id_with_other_words_is_refused_and_adds_nothing(path)


CHANGES = [
    "UPDATE events SET events = '[]' WHERE version = 2",
    "UPDATE events SET version = 9 WHERE version = 4",
    "DELETE FROM events WHERE version = 4",
    "UPDATE secrets SET hidden = '[]' WHERE version = 2",
    "DELETE FROM secrets WHERE version = 2",
    "INSERT OR REPLACE INTO events SELECT * FROM events WHERE version = 3",
    "INSERT OR REPLACE INTO secrets SELECT * FROM secrets WHERE version = 2",
    "UPDATE audit SET actor = 'nobody'",
    "DELETE FROM audit",
]


def test_the_log_is_only_added_to(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        db = module._open(path, "rw")
        with closing(db):
            db.execute("INSERT INTO audit VALUES (1, 1, 'ann', 'looked', x'00')")
            for change in CHANGES:
                with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                    db.execute(change)
        assert await store.load("one") == Log(4, tuple(event for events in history("one") for event in events))

    with_store(path, body)


def test_a_log_without_its_triggers_would_be_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate = module._migrate

    def without(db: sqlite3.Connection) -> None:
        migrate(db)
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name.decode()}")

    monkeypatch.setattr(module, "_migrate", without)
    with pytest.raises(pytest.fail.Exception):
        test_the_log_is_only_added_to(path)


@pytest.mark.parametrize("version", [1, 4, 6, 0])
def test_a_version_that_is_not_the_next_is_fenced_and_hurts_nobody_in_its_batch(path: Path, version: int) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        event = [ShowdownEnded(at=9)]
        wrong, right = await asyncio.gather(
            store.append("one", version, "ann:stale", event, due_at=None),
            store.append("two", 1, "ann:right", event, due_at=None),
            return_exceptions=True,
        )
        assert isinstance(wrong, Fenced)
        assert right == Kept(1, again=False)
        log = await store.load("one")
        assert log is not None
        assert log.version == 4

    with_store(path, body)


def test_commands_that_come_together_share_one_commit(path: Path) -> None:
    commits: list[str] = []

    class Watched(Store):
        def _connect(self) -> sqlite3.Connection:
            db = super()._connect()
            db.set_trace_callback(lambda statement: commits.append(statement) if statement == "COMMIT" else None)
            return db

    async def body(store: Store) -> None:
        event = [ShowdownEnded(at=1)]
        await asyncio.gather(
            *(store.append(f"table-{number}", 1, "ann:command", event, due_at=None) for number in range(2000))
        )
        assert len(commits) < 50

    with_store(path, body, Watched)


def test_no_hidden_card_is_among_the_events(path: Path) -> None:
    with_store(path, lambda store: fill(store, "one"))
    with closing(sqlite3.connect(path)) as db:
        public = "".join(row[0] for row in db.execute("SELECT events FROM events"))
        hidden = "".join(row[0] for row in db.execute("SELECT hidden FROM secrets"))
        rows = db.execute("SELECT count(*), count(DISTINCT salt), min(length(salt)) FROM secrets").fetchone()
    assert rows == (2, 2, 16)
    assert [card for card in CANARY if card in public] == []
    assert [card for card in CANARY if card not in hidden] == []


def test_the_search_for_hidden_cards_finds_a_planted_leak(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def split_nothing(events: Sequence[AnyEvent]) -> tuple[bytes, None]:
        return msgspec.json.encode(events), None

    monkeypatch.setattr(module, "_split", split_nothing)
    with pytest.raises(AssertionError):
        test_no_hidden_card_is_among_the_events(path)


def test_a_log_is_read_on_from_any_row_to_any_other(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        await fill(store, "two")
        rows = await store.read_on("one")
        assert rows is not None
        assert [row.events for row in rows] == [tuple(events) for events in history("one")]
        marks = [START, *(row.mark for row in rows)]
        assert [mark.version for mark in marks] == [0, 1, 2, 3, 4]
        for start, mark in enumerate(marks):
            assert await store.read_on("one", mark) == rows[start:]
            for end in range(start, 5):
                assert await store.read_on("one", mark, end) == rows[start:end]
            with pytest.raises(BrokenChain):
                await store.read_on("one", mark, 5)
            for wrong in (Mark(mark.version, bytes(31) + b"x"), Mark(mark.version + 5, mark.hash)):
                with pytest.raises(BrokenChain):
                    await store.read_on("one", wrong)
        assert await store.read_on("three") is None
        with pytest.raises(BrokenChain):
            await store.read_on("three", marks[2])

    with_store(path, body)


def test_a_log_that_grows_while_it_is_read_is_whole_all_the_same(path: Path) -> None:
    """Where the log ends and what its rows are is read in two steps, between which a table goes on."""

    async def body(store: Store) -> None:
        await fill(store, "one")
        with closing(module.open_to_check(path)) as db:
            grown = asyncio.Event()
            loop = asyncio.get_running_loop()

            def grow(statement: str) -> None:
                if statement.startswith("SELECT version, command_id") and not grown.is_set():
                    loop.call_soon_threadsafe(grown.set)
                    asyncio.run_coroutine_threadsafe(
                        store.append("one", 5, "ann:meanwhile", [ShowdownEnded(at=9)], due_at=None), loop
                    ).result(5)

            db.set_trace_callback(grow)
            log = await asyncio.to_thread(module.load, db, "one")
            assert grown.is_set()
            assert log is not None
            assert log.version == 4
            again = module.load(db, "one")
            assert again is not None
            assert again.version == 5

    with_store(path, body)


def test_a_table_that_cannot_be_read_does_not_hinder_the_next(path: Path) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")

    with_store(path, body)
    with closing(module.open_to_check(path)) as db:
        whole = module.load(db, "one")
        assert whole is not None

        def no_secrets(_action: int, table: str | None, *_: object) -> int:
            return sqlite3.SQLITE_DENY if table == "secrets" else sqlite3.SQLITE_OK

        db.set_authorizer(no_secrets)
        with pytest.raises(BrokenChain, match="cannot be read"):
            module.load(db, "one")
        db.set_authorizer(None)
        assert module.load(db, "one") == whole


COLUMNS = {
    "events": ["table_id", "version", "command_id", "events", "secrets_hash", "hash", "body_hash"],
    "secrets": ["table_id", "version", "salt", "hidden"],
    "tables": ["id", "version", "hash"],
}


def verdict(path: Path, table: str) -> object:
    with closing(module.open_to_check(path)) as db:
        try:
            return module.load(db, table)
        except BrokenChain as broken:
            return type(broken)


@pytest.mark.parametrize(("name", "column"), [(name, column) for name in COLUMNS for column in COLUMNS[name]])
def test_every_changed_byte_is_found_and_the_other_table_lives(path: Path, name: str, column: str) -> None:
    async def body(store: Store) -> None:
        await fill(store, "one")
        await fill(store, "two")

    with_store(path, body)
    key = "id" if name == "tables" else "table_id"
    whole = verdict(path, "two")
    changed = 0
    with tampering(path) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA journal_mode = MEMORY")
        rows = db.execute(f"SELECT version, {column} FROM {name} WHERE {key} = 'one' ORDER BY version").fetchall()
        for version, value in rows:
            if value is None:
                continue
            for broken in flips(value):
                change = f"UPDATE {name} SET {column} = ? WHERE {key} = ? AND version = ?"
                db.execute(change, (broken, "one", version))
                assert verdict(path, "one") in {BrokenChain, None}, (version, value, broken)
                where = (broken if column == key else "one", broken if column == "version" else version)
                db.execute(change, (value, *where))
                changed += 1
    assert changed > 0
    assert isinstance(verdict(path, "one"), Log)
    assert verdict(path, "two") == whole


def flips(value: str | bytes | int) -> list[str | bytes | int]:
    """The value with each byte changed in turn."""
    if isinstance(value, int):
        return [value + 100]
    if isinstance(value, bytes):
        return [value[:i] + bytes([value[i] ^ 32]) + value[i + 1 :] for i in range(len(value))]
    return [value[:i] + chr(ord(value[i]) ^ 32) + value[i + 1 :] for i in range(len(value))]


@pytest.mark.parametrize("what", ["DELETE FROM events WHERE version = 4", "DELETE FROM secrets WHERE version = 2"])
def test_a_row_taken_away_is_found(path: Path, what: str) -> None:
    with_store(path, lambda store: fill(store, "one"))
    with tampering(path) as db:
        db.execute(what)
    assert verdict(path, "one") is BrokenChain


def test_bytes_changed_in_the_file_itself_are_never_believed(path: Path) -> None:
    with_store(path, lambda store: fill(store, "one"))
    good, whole = path.read_bytes(), verdict(path, "one")
    start = good.index(b'[{"type":"HandDealt"')
    copy = path.with_name("copy.sqlite")
    for offset in range(start - 40, start + 200, 3):
        copy.write_bytes(good[:offset] + bytes([good[offset] ^ 4]) + good[offset + 1 :])
        assert verdict(copy, "one") in {BrokenChain, whole}, offset
    assert verdict(path, "one") == whole


def test_a_log_without_its_chain_would_be_caught_lying(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: a hash that covers nothing lets a changed byte through, and the test above says so."""

    def no_hash(*_: object, **__: object) -> bytes:
        return bytes(32)

    monkeypatch.setattr(module, "_chain", no_hash)
    with pytest.raises(AssertionError):
        test_every_changed_byte_is_found_and_the_other_table_lives(path, "events", "events")


def test_a_second_process_on_the_same_database_is_refused(path: Path) -> None:
    async def body(store: Store) -> None:
        with pytest.raises(CannotOpen, match="another room runs on"):
            Store(path)
        await fill(store, "one")

    with_store(path, body)
    with_store(path, lambda store: store.load("one"))  # free again


def test_what_is_no_database_or_comes_from_the_future_is_refused(path: Path) -> None:
    path.write_bytes(b"This is a shopping list, not a database. " * 100)
    with pytest.raises(CannotOpen, match="cannot be used as a database"):
        Store(path)
    path.unlink()
    with_store(path, lambda store: fill(store, "one"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(CannotOpen, match="newer version"):
        Store(path)
    with pytest.raises(CannotOpen, match="cannot be opened"):
        Store(path.parent / "missing" / "room.sqlite")


def test_a_full_disk_refuses_and_recovers_by_itself(path: Path) -> None:
    full = True

    class Small(Store):
        def _connect(self) -> sqlite3.Connection:
            db = super()._connect()
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            if full and pages > 1:
                db.execute(f"PRAGMA max_page_count = {pages + 3}")
            return db

    async def body(store: Store) -> None:
        nonlocal full
        await fill(store, "one")
        store._drop_connection()
        big = [Opened(at=1, table="two", name="x" * 50_000, host="ann", rules=ROOM)]
        with pytest.raises(NotKept, match="full"):
            await store.append("two", 1, "ann:big", big, due_at=None)
        assert await store.load("two") is None
        assert await store.find("two", "ann:big") is None
        full = False
        store._drop_connection()
        assert await store.append("two", 1, "ann:big", big, due_at=None) == Kept(1, again=False)
        log = await store.load("one")
        assert log is not None
        assert log.version == 4

    with_store(path, body, Small)


def test_a_locked_database_refuses_within_its_patience_and_recovers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.2)

    async def body(store: Store) -> None:
        await fill(store, "one")
        event = [ShowdownEnded(at=9)]
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            with pytest.raises(NotKept, match="locked"):
                await store.append("one", 5, "ann:late", event, due_at=None)
            assert time.monotonic() - began < 2
            other.execute("ROLLBACK")
        assert await store.append("one", 5, "ann:late", event, due_at=None) == Kept(5, again=False)

    with_store(path, body)


def test_one_impossible_write_does_not_take_its_neighbours_with_it(path: Path) -> None:
    async def body(store: Store) -> None:
        event = [ShowdownEnded(at=9)]
        bad, good = await asyncio.gather(
            store.append("one", 1, "ann:\ud800", event, due_at=None),
            store.append("two", 1, "ann:fine", event, due_at=None),
            return_exceptions=True,
        )
        assert isinstance(bad, NotKept)
        assert good == Kept(1, again=False)
        assert await store.load("one") is None

    with_store(path, body)


def test_tables_that_wait_are_found_without_reading_their_logs(path: Path) -> None:
    async def body(store: Store) -> None:
        event = [ShowdownEnded(at=9)]
        await store.append("late", 1, None, event, due_at=2000)
        await store.append("soon", 1, None, event, due_at=1000)
        await store.append("sleeps", 1, None, event, due_at=None)
        await store.append("slept", 1, None, event, due_at=500)
        await store.append("slept", 2, None, event, due_at=None)
        assert await store.waiting() == ["soon", "late"]

    with_store(path, body)


def test_alive_and_guests(path: Path) -> None:
    async def body(store: Store) -> None:
        assert store.alive_at == 0
        await store.alive(1000)
        await store.alive(2000)
        await store.add_guest(Guest("g1", "Аня"), b"hash", 1)
        assert await store.guest(b"hash") == Guest("g1", "Аня")
        await store.rename_guest(Guest("g1", "Анна"))
        assert await store.guest(b"hash") == Guest("g1", "Анна")
        assert await store.guest_by_id("g1") == Guest("g1", "Анна")
        assert await store.guest(b"other") is None
        assert await store.guest_by_id("g2") is None
        await store.add_device("g1", b"phone", 3)
        assert await store.guest(b"phone") == await store.guest(b"hash") == Guest("g1", "Анна")
        with pytest.raises(NotKept):
            await store.add_guest(Guest("g2", "Bob"), b"phone", 4)
        assert await store.guest_by_id("g2") is None, "neither of the two rows"

    with_store(path, body)

    async def later(store: Store) -> None:
        assert store.alive_at == 2000

    with_store(path, later)


def test_what_was_shared_is_found_by_its_hash_alone(path: Path) -> None:
    shares = [Share("one", 3, "ann", names=True), Share("one", 3, None, names=False)]

    async def body(store: Store) -> None:
        for number, share in enumerate(shares):
            await store.add_share(share, b"link-%d" % number, 1)
            await store.add_share(share, b"link-%d" % number, 2)
            assert await store.share(b"link-%d" % number) == share
        assert await store.share(b"link-2") is None

    with_store(path, body)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT created_at FROM shares").fetchall() == [(1,), (1,)]


FIRST = Path(module.__file__).parent / "migrations" / "0001_first.sql"


def test_guests_of_the_first_version_stay_who_they_are(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(FIRST.read_text())
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO guests VALUES ('g1', ?, 'Аня', 7), ('g2', ?, 'Bob', 8)", (b"hers", b"his"))

    async def body(store: Store) -> None:
        assert await store.guest(b"hers") == Guest("g1", "Аня")
        assert await store.guest(b"his") == Guest("g2", "Bob")
        assert await store.guest(b"else") is None
        await store.rename_guest(Guest("g1", "Анна"))
        await store.add_device("g1", b"phone", 9)
        assert await store.guest(b"phone") == Guest("g1", "Анна")

    with_store(path, body)
    with_store(path, lambda store: store.guest(b"hers"))  # and again, with nothing left to be done
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT token_hash, guest_id, created_at FROM devices ORDER BY created_at").fetchall() == [
            (b"hers", "g1", 7),
            (b"his", "g2", 8),
            (b"phone", "g1", 9),
        ]
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert tables == {
        "guests",
        "devices",
        "shares",
        "tables",
        "events",
        "secrets",
        "room",
        "reviews",
        "puzzles",
        "audit",
    }


def test_rows_kept_before_their_words_were_noted_are_chained_as_they_were() -> None:
    before = module._chain(bytes(32), "t", 1, command_id=b"c", body=None, public=b"[]", secrets_hash=None)
    assert before.hex() == "90376fceaff1da86aba4ea7ea8e2db08afd69c82b21ec03aa67f7006da5985d7"


def test_a_change_of_the_schema_that_fails_changes_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(FIRST.read_text())
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO guests VALUES ('g1', ?, 'Аня', 7)", (b"hers",))
        db.execute("CREATE TABLE shares (what TEXT)")
    with pytest.raises(CannotOpen):
        Store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT id, token_hash FROM guests").fetchall() == [("g1", b"hers")]
        db.execute("DROP TABLE shares")
    with_store(path, lambda store: store.guest(b"hers"))


def test_what_was_acknowledged_survives_without_a_close(path: Path) -> None:
    """A copy of the files, taken while the store is open, holds everything that was answered."""

    async def body(store: Store) -> None:
        await fill(store, "one")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{path}.copy{suffix}")

    with_store(path, body)
    log = verdict(Path(f"{path}.copy"), "one")
    assert isinstance(log, Log)
    assert log.version == 4


def test_the_database_is_synced_in_full(path: Path) -> None:
    """`synchronous=NORMAL` loses acknowledged rows in a power cut, and no kill can show it."""

    async def body(store: Store) -> None:
        assert store._db is not None
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._db.execute("PRAGMA journal_mode").fetchone() == (b"wal",)

    with_store(path, body)


def test_one_damaged_byte_of_the_schema_is_told_and_leads_to_no_traceback(path: Path) -> None:
    Store(path).close()
    whole = path.read_bytes()
    at = whole.index(b"TEXT PRIMARY KEY")
    path.write_bytes(whole[: at + 1] + b"\xff" + whole[at + 2 :])
    with pytest.raises(CannotOpen, match="is no database of this program"):
        module.open_to_check(path)
    with pytest.raises(CannotOpen, match="cannot be used as a database"):
        Store(path)
