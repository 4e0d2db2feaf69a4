"""Faults of the machine, one by one: the room refuses before it has said yes, charges nobody, and recovers by itself.

Each test is passed a second time with something wrong in the room, and has to notice it.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server import store as module
from ananas.server import viewers
from ananas.server.store import BrokenChain, Fenced, Kept, Store
from ananas.server.viewers import OUTBOX, TOO_SLOW, Socket
from ananas.table.events import AnyEvent, ShowdownEnded, read_events
from tests.server.house import ONE_HAND, House, Player, play_hand
from tests.server.live import Hands, Live, in_a_room
from tests.server.tampering import tampering
from tests.server.test_app import _deaf_socket, _draft, _ping
from tests.server.test_store import COLUMNS, fill, flips
from tests.server.test_viewers import Wire, settle, with_socket
from tests.trust import wrong
from tests.trust.disk import under
from tests.trust.kills import assert_whole

pytestmark = pytest.mark.server

RAW = re.compile("sqlite|locked|disk|I/O|errno|Error|Traceback", re.IGNORECASE)
"""What players are never told, however true it is."""


@contextmanager
def a_house(folder: Path, fault: str | None = None, fails: Path | None = None) -> Generator[House]:
    house = House(folder / "room.sqlite")
    house.wrong = fault
    if fails is not None:
        house.environment = under(folder, fails=fails)
    house.start()
    try:
        yield house
    finally:
        house.close()


@asynccontextmanager
async def playing(house: House, changes: Mapping[str, str] = ONE_HAND) -> AsyncGenerator[list[Player]]:
    """Two people in mid-hand, who hang up whatever happens."""
    players = await house.playing(changes=changes)
    try:
        yield players
    finally:
        for each in players:
            await each.close()


def left(player: Player) -> int:
    """What is left on the clocks of all whose cards are awaited."""
    return sum(seat["clock"]["hand_ms"] for seat in player.view["seats"] if seat["clock"])


# -- F4: a full disk, a broken one


def breaks(folder: Path, how: Sequence[str], fault: str | None = None) -> None:
    """The disk breaks in the middle of a hand, and is mended, as often as there are ways to break."""
    fails = folder / "fails"

    async def body(players: list[Player]) -> None:
        for number, way in enumerate(how):
            acts = next(each for each in players if each.acts)
            turn = {"placement": acts.placement(), **acts.turn()}
            await acts.connect()
            version, before = acts.version, left(acts)
            fails.write_text(way)
            broken_at = time.monotonic()
            answer = await acts.ask("confirm", id=f"refused-{number}", **turn)
            assert (answer["type"], answer.get("code")) == ("refused", "not-kept"), answer
            assert not RAW.search(str(answer))
            stood = time.monotonic()
            await asyncio.sleep(2.5)
            await acts.connect()
            assert acts.version == version
            worked = (stood - broken_at) + 1.2
            assert before - left(acts) <= 1000 * worked, "the time in which nothing could be kept was charged"
            fails.write_text("")
            async with asyncio.timeout(20):
                while (answer := await acts.ask("confirm", id=f"refused-{number}", **turn))["type"] == "refused":
                    await acts.quiet(0.1)
            for each in players:
                await each.catch_up(answer["version"])
        await play_hand(players)

    fails.write_text("")
    with a_house(folder, fault, fails) as house:

        async def run() -> None:
            async with playing(house) as players:
                await body(players)

        asyncio.run(run())
        house.end(signal.SIGTERM)
    assert_whole(folder / "room.sqlite")


def test_a_disk_that_is_full_or_broken_is_no_yes_and_costs_no_time(tmp_path: Path) -> None:
    breaks(tmp_path, ("write 28", "write 5", "sync 5"))


@pytest.mark.parametrize("fault", ["believes_the_disk", "charges", "tells_why"])
def test_a_room_that_takes_a_broken_disk_otherwise_is_caught(tmp_path: Path, fault: str) -> None:
    assert hasattr(wrong, fault)
    with pytest.raises(AssertionError):
        breaks(tmp_path, ("sync 5",), fault)


# -- F5: somebody else holds the database

HELD = 5.0
"""Longer than the room waits, even for something else before it."""


def is_held(folder: Path, holds: Sequence[float], fault: str | None = None) -> None:
    """Another program holds the database for so many seconds, one time after the other."""

    async def body(house: House, players: list[Player]) -> None:
        for number, seconds in enumerate(holds):
            acts = next(each for each in players if each.acts)
            turn = {"placement": acts.placement(), **acts.turn()}
            with closing(sqlite3.connect(house.database, isolation_level=None, timeout=10)) as other:
                other.execute("BEGIN IMMEDIATE")
                asking = asyncio.create_task(acts.ask("confirm", id=f"held-up-{number}", **turn))
                await asyncio.sleep(seconds)
                other.execute("ROLLBACK")
            answer = await asking
            assert answer["type"] == ("kept" if seconds < 1 else "refused"), (
                "it was not waited for as long as it should be"
            )
            if answer["type"] == "refused":
                assert answer["code"] == "not-kept"
                assert not RAW.search(str(answer))
                answer = await acts.ask("confirm", id=f"held-up-{number}", **turn)
            assert answer["type"] == "kept", answer
            for each in players:
                await each.catch_up(answer["version"])
        for each in players:
            assert not any(RAW.search(frame) for frame in each.frames)

    with a_house(folder, fault) as house:

        async def run() -> None:
            async with playing(house) as players:
                await body(house, players)

        asyncio.run(run())
        house.end(signal.SIGTERM)
    assert_whole(folder / "room.sqlite")


def test_a_held_database_is_waited_for_or_refused_in_the_rooms_own_words(tmp_path: Path) -> None:
    is_held(tmp_path, (0.1, 0.5, HELD))


@pytest.mark.parametrize(("fault", "seconds"), [("is_impatient", 0.5), ("tells_why", HELD)])
def test_a_room_that_is_impatient_or_talks_too_much_is_caught(tmp_path: Path, fault: str, seconds: float) -> None:
    with pytest.raises(AssertionError):
        is_held(tmp_path, (seconds,), fault)


# -- F9: a reader that does not read


def test_who_does_not_read_costs_little_memory_and_is_dropped() -> None:
    async def body(wire: Wire, socket: Socket, hands: Hands, _: object) -> None:
        wire.takes.clear()
        for number in range(10_000):
            socket.offer(b'{"view":%d}' % number)
            if number % 200 == 0:
                await settle()
        for _number in range(OUTBOX):
            socket.answer(b"{}")
        held = [value for value in vars(socket).values() if isinstance(value, bytes) or hasattr(value, "__len__")]
        assert sum(len(value) for value in held if not isinstance(value, str)) < 200
        for _second in range(15):
            hands.seconds += 1
            socket.check()
        await settle()
        assert wire.closed == TOO_SLOW

    with_socket(body)


def _hoards_views(self: Socket, view: bytes) -> None:
    self._answers.append(view)
    self._something.set()


@pytest.mark.parametrize(
    ("where", "what", "planted"),
    [(viewers, "SLOW_MS", 10**9), (Socket, "offer", _hoards_views)],
    ids=["is never dropped", "is kept all views"],
)
def test_a_room_that_waits_for_who_does_not_read_is_caught(
    monkeypatch: pytest.MonkeyPatch, where: object, what: str, planted: object
) -> None:
    monkeypatch.setattr(where, what, planted)
    monkeypatch.setattr(viewers, "SILENT_MS", 10**9)
    with pytest.raises(AssertionError):
        test_who_does_not_read_costs_little_memory_and_is_dropped()


def meets_a_deaf_one(folder: Path, fault: str) -> None:
    """Somebody opens a table and reads nothing, while the others go on; he is gone before long, by the room's own time."""

    async def body(house: House, players: list[Player]) -> None:
        acts, other = sorted(players, key=lambda each: not each.acts)
        with closing(_deaf_socket(house, acts.table)) as deaf:
            await other.see(lambda view: view.get("spectators"))
            card, turn, at_first = acts.placement().rpartition("/")[2][:2], acts.turn(), left(other)
            for row in cycle((f"{card}/-/-", f"-/{card}/-")):
                await acts.send({"type": "draft", **turn, "placement": row})
                await other.see(lambda view, row=row: _draft(view) == row)  # type: ignore[misc]
                if not other.view.get("spectators"):
                    break
                assert at_first - left(other) < DEAF_MS, "the deaf one is still there"
                _ping(deaf)
                await asyncio.sleep(0.05)
        await play_hand(players)

    with a_house(folder, fault) as house:

        async def run() -> None:
            async with playing(house) as players:
                await body(house, players)

        asyncio.run(run())


DEAF_MS = 6000
"""Longer than a room that hurries needs to drop somebody."""


def test_who_reads_nothing_is_dropped_and_the_table_goes_on(tmp_path: Path) -> None:
    """With the numbers that rooms have: `tests/server/test_app.py`."""
    meets_a_deaf_one(tmp_path, "hurries")


def test_a_room_that_keeps_who_reads_nothing_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="still there"):
        meets_a_deaf_one(tmp_path, "hoards")


# -- F12: a process that is stopped


def is_stopped(folder: Path, fault: str | None = None) -> None:
    """The whole process stands for longer than anybody's time."""
    rules = {**ONE_HAND, "hand_seconds": "4"}

    async def body(house: House, players: list[Player]) -> None:
        house.send_signal(signal.SIGSTOP)
        await asyncio.sleep(6)
        house.send_signal(signal.SIGCONT)
        acts = next(each for each in players if each.acts)
        await acts.kept("confirm", placement=acts.placement(), **acts.turn())

    with a_house(folder, fault) as house:

        async def run() -> None:
            async with playing(house, rules) as players:
                await body(house, players)

        asyncio.run(run())
        house.end(signal.SIGTERM)
    with closing(module.open_to_check(folder / "room.sqlite")) as db:
        for table in module.table_ids(db):
            log = module.load(db, table)
            assert log is not None
            assert "TimedOut" not in {type(event).__name__ for event in log.events}


def test_a_room_that_was_stopped_for_longer_than_the_clock_charges_nobody(tmp_path: Path) -> None:
    is_stopped(tmp_path)


def test_a_room_that_charges_for_its_stop_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        is_stopped(tmp_path, "counts_stalls")


# -- F15: a byte of the log is another one


RULES = RuleSet.named("room").but({"seats": "2-2", **ONE_HAND})


def is_damaged(path: Path, table: str, column: str) -> None:
    """Each byte in turn of what is kept of a table is changed: the room puts that table out of play, and no other."""
    tried = 0

    async def write(store: Store) -> None:
        for name in ("one", "two"):
            await fill(store, name)

    def with_store(body: Callable[[Store], Any]) -> None:
        async def run() -> None:
            store = Store(path)
            try:
                await body(store)
            finally:
                store.close()

        asyncio.run(run())

    with_store(write)
    key = "id" if table == "tables" else "table_id"

    async def body(store: Store) -> None:
        nonlocal tried
        whole = await store.load("two")
        with tampering(path) as db:
            rows = db.execute(f"SELECT version, {column} FROM {table} WHERE {key} = 'one' ORDER BY version").fetchall()
            found = [(version, value, other) for version, value in rows if value is not None for other in flips(value)]
            for version, value, other in found[:: max(1, len(found) // 25)]:
                change = f"UPDATE {table} SET {column} = ? WHERE {key} = ? AND version = ?"
                db.execute(change, (other, "one", version))
                try:
                    log = await store.load("one")
                except BrokenChain:
                    log = None
                assert log is None, (version, value, other)
                assert await store.load("two") == whole
                name = other if column == key else "one"
                db.execute(change, (value, name, other if column == "version" else version))
                tried += 1
        assert tried > 0
        assert await store.load("one") is not None

    with_store(body)


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table, columns in COLUMNS.items() for column in columns]
)
def test_a_changed_byte_puts_its_table_out_of_play_and_no_other(tmp_path: Path, table: str, column: str) -> None:
    is_damaged(tmp_path / "room.sqlite", table, column)


def test_a_log_without_its_chain_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_hash(*_: object, **__: object) -> bytes:
        return bytes(32)

    monkeypatch.setattr(module, "_chain", no_hash)
    with pytest.raises(AssertionError):
        is_damaged(tmp_path / "room.sqlite", "events", "body_hash")


def is_quarantined(path: Path) -> None:
    """A damaged table is not played on, nor does it wake; its neighbour is."""

    async def write(live: Live) -> None:
        for name in ("good", "bad"):
            await live.sit(await live.open(RULES, name), "ann", "bob")

    in_a_room(path, write)
    with tampering(path) as db:
        db.execute("UPDATE events SET events = replace(events, 'ann', 'eve') WHERE table_id = 'bad' AND version = 2")

    async def body(live: Live) -> None:
        for _ in range(2):
            found = await asyncio.gather(live.rooms.get("bad"), return_exceptions=True)
            assert isinstance(found[0], Refused), "the damaged table is played on"
            assert found[0].code == "no-table"
        (cyd,) = [await live.come(await live.rooms.get("good"), "cyd")]
        assert cyd.view["seats"][0]["name"] == "Ann"

    in_a_room(path, body)


def test_a_damaged_table_is_put_out_of_play(tmp_path: Path) -> None:
    is_quarantined(tmp_path / "room.sqlite")


def test_a_room_that_plays_on_with_a_damaged_log_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def believes(db: sqlite3.Connection, table_id: str, *_: object, **__: object) -> list[module.Row]:
        rows = db.execute(
            "SELECT version, events, hidden FROM events LEFT JOIN secrets USING (table_id, version)"
            " WHERE table_id = ? ORDER BY version",
            (table_id,),
        )
        return [module.Row(module.Mark(version, b""), read_events(told, hidden)) for version, told, hidden in rows]

    monkeypatch.setattr(module, "_rows", believes)
    with pytest.raises(AssertionError, match="played on"):
        is_quarantined(tmp_path / "room.sqlite")


# -- F20: two rooms on one file


def meets_another(folder: Path, fault: str | None = None) -> None:
    """A second room is started on the file of one that runs."""
    with a_house(folder) as house:
        main = ["ananas.cli.main"] if fault is None else ["tests.trust.wrong", fault]
        command = [sys.executable, "-m", *main, "serve", "--host=127.0.0.1", "--port=0"]
        second = subprocess.Popen(
            [*command, f"--database={house.database}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            said, error = second.communicate(timeout=30 if fault is None else 8)
        except subprocess.TimeoutExpired:
            second.kill()
            second.communicate()
            raise AssertionError("two rooms run on one file") from None
        assert (second.returncode, said) == (1, "")
        assert error == f"ananas: another room runs on {house.database}; stop it, or choose another database\n"
        assert house.call("GET", "/api/room").status == 200


def test_a_second_room_on_the_same_file_is_refused_and_the_first_lives(tmp_path: Path) -> None:
    meets_another(tmp_path)


def test_a_room_that_shares_its_file_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="two rooms"):
        meets_another(tmp_path, "shares_the_file")


def is_behind(path: Path) -> None:
    """Two rooms on one file all the same, and one of them does not know what the other has kept."""

    async def run() -> None:
        one, two = Store(path), Store(path)
        try:
            event: list[AnyEvent] = [ShowdownEnded(at=1)]
            await fill(one, "table")
            assert await two.append("table", 5, "ann:a", event, due_at=None) == Kept(5, again=False)
            try:
                found = await one.append("table", 5, "bob:b", event, due_at=None)
            except Fenced:
                found = None
            assert found is None, "a stale command was kept"
            log = await two.load("table")
            assert log is not None
            assert log.version == 5
            assert await one.append("table", 5, "ann:a", event, due_at=None) == Kept(5, again=True)
            assert await one.append("table", 6, "bob:b", event, due_at=None) == Kept(6, again=False)
        finally:
            one.close()
            two.close()

    asyncio.run(run())


def test_who_is_behind_is_fenced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _share(monkeypatch)
    is_behind(tmp_path / "room.sqlite")


def test_a_store_that_keeps_what_is_stale_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _share(monkeypatch)
    append = module._append

    def wherever(db: sqlite3.Connection, heads: dict[str, module.Mark], **what: Any) -> Kept:  # noqa: ANN401
        what["version"] = module._head(db, what["table_id"]).version + 1
        return append(db, heads, **what)

    monkeypatch.setattr(module, "_append", wherever)
    with pytest.raises(AssertionError, match="stale"):
        is_behind(tmp_path / "room.sqlite")


def _share(monkeypatch: pytest.MonkeyPatch) -> None:
    def lock(path: Path) -> int:
        return os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    monkeypatch.setattr(module, "_lock", lock)
