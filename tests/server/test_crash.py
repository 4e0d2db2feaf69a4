"""A room that is killed in the middle of everything: what was acknowledged is there, once, and nobody has paid for it."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from ananas.server.room import fold
from ananas.server.store import load, open_to_check, table_ids
from tests.server.house import House, Message, Player, View, play_hand

pytestmark = pytest.mark.server

Row = tuple[str, str | None, int]
"""A row of the log: table, command id, version."""


class Busy:
    """Somebody who plays as fast as he can, and remembers what he asked and what he was told."""

    def __init__(self, name: str, player: Player) -> None:
        self.name = name
        self.player = player
        self.sent = Counter[str]()
        self.acked: dict[str, int] = {}
        self.pending: Message | None = None
        self.seen_at = 0.0

    async def play(self) -> None:
        """Play until the room is gone."""
        with suppress(ConnectionClosed):
            while True:
                may, view = self.player.view["may"], self.player.view
                if "confirm" in may:
                    turn = {"placement": self.player.placement(), **self.player.turn()}
                    await self.ask({"type": "confirm", **turn})
                elif "ready" in may:
                    await self.ask({"type": "ready", "hand": view["hands"] + 1, "always": False})
                else:
                    await self.player.next()
                self.seen_at = time.monotonic()

    async def ask(self, message: Message) -> None:
        await self.send({**message, "id": f"{self.name}-command-{len(self.sent)}"})

    async def send(self, message: Message) -> None:
        """Send a command, perhaps again, and wait for its answer."""
        self.pending = message
        self.sent[message["id"]] += 1
        await self.player.send(message)
        answer = await self.player.answer(message["id"])
        self.pending = None
        if answer["type"] == "kept":
            assert self.acked.get(message["id"], answer["version"]) == answer["version"]
            self.acked[message["id"]] = answer["version"]
            await self.player.catch_up(answer["version"])

    async def come_back(self) -> None:
        """Reconnect, and send again what was never answered."""
        await self.player.connect()
        self.seen_at = time.monotonic()
        if self.pending is not None:
            await self.send(self.pending)

    @property
    def left(self) -> int | None:
        """What is left on the clock that runs, as last seen."""
        clocks = [seat["clock"] for seat in self.player.view["seats"] if seat and seat["clock"]]
        return next((clock["hand_ms"] for clock in clocks if clock["running"]), None)


def acting(view: View) -> list[int]:
    """The seats that have cards to lay."""
    return [side["seat"] for side in view["hand"]["players"] if side["acting"]]


def assert_exactly_once(sent: set[str], acked: Mapping[str, int], rows: list[Row]) -> None:
    """What was acknowledged is in the log once, as the version that was told; what was sent, at most once."""
    kept = Counter(command.partition(":")[2].partition(":")[2] for _, command, _ in rows if command)
    versions = {command.partition(":")[2].partition(":")[2]: version for _, command, version in rows if command}
    assert {command for command in acked if kept[command] != 1} == set()
    assert {command for command, version in acked.items() if versions[command] != version} == set()
    assert {command for command in sent if kept[command] > 1} == set()
    for table in {table for table, _, _ in rows}:
        numbers = sorted(version for each, _, version in rows if each == table)
        assert numbers == list(range(1, len(numbers) + 1))


def rows_of(path: Path) -> list[Row]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT table_id, command_id, version FROM events").fetchall()


def test_killed_again_and_again_under_load_it_loses_and_doubles_nothing(house: House) -> None:
    people: list[Busy] = []
    outage = 1.0

    async def body() -> None:
        for number in range(4):
            players = await house.playing(names=(f"Ann {number}", f"Bob {number}"))
            people.extend(Busy(f"table-{number}-seat-{player.seat}", player) for player in players)
        for cycle in range(3):
            playing = [asyncio.create_task(each.play()) for each in people]
            await asyncio.sleep(0.4 + 0.13 * cycle)
            await asyncio.to_thread(house.end, signal.SIGKILL)
            killed = time.monotonic()
            await asyncio.gather(*playing)
            before = [(each.left, each.seen_at, acting(each.player.view)) for each in people]
            await asyncio.sleep(outage)
            await asyncio.to_thread(house.start)
            back = time.monotonic()
            for each, (left, seen_at, turn) in zip(people, before, strict=True):
                await each.player.connect()
                now_left = each.left
                if left is not None and now_left is not None and acting(each.player.view) == turn:
                    worked = (killed - seen_at) + (time.monotonic() - back)
                    assert left - now_left <= 1000 * (worked + 0.5 * outage), "the outage was charged"
            await asyncio.gather(*(each.come_back() for each in people))
        for ann, bob in zip(people[::2], people[1::2], strict=True):
            for each in (ann, bob):
                await each.player.connect()
            await play_hand([ann.player, bob.player])
        for each in people:
            await each.player.close()

    asyncio.run(body())
    house.end(signal.SIGTERM)
    sent = {command for each in people for command in each.sent}
    acked = {command: version for each in people for command, version in each.acked.items()}
    assert len(acked) > 200
    assert max(count for each in people for count in each.sent.values()) > 1, "nothing was sent again"
    rows = rows_of(house.database)
    assert_exactly_once(sent, acked, rows)
    with closing(open_to_check(house.database)) as db:
        for table in table_ids(db):
            log = load(db, table)
            assert log is not None
            assert fold(log.events).hands >= 1


def test_a_lost_or_doubled_command_would_be_noticed() -> None:
    rows: list[Row] = [("t", None, 1), ("t", "guest:0:one", 2), ("t", "guest:0:two", 3)]
    good = {"one": 2, "two": 3}
    assert_exactly_once({"one", "two", "three"}, good, rows)
    for sent, acked, log in (
        (set[str](), good, rows[:2]),  # lost
        (set[str](), {"one": 3}, rows),  # another version than was told
        (set[str](), good, [*rows, ("t", "guest:0:two", 4)]),  # twice
        ({"three"}, good, [*rows, ("t", "guest:1:three", 4), ("t", "guest:1:three", 5)]),
        (set[str](), {}, [rows[0], rows[2]]),  # a hole
    ):
        with pytest.raises(AssertionError):
            assert_exactly_once(sent, acked, log)


def test_a_clock_goes_on_by_itself_after_a_kill_and_rings_once(house: House) -> None:
    """The room is killed and comes back to nobody; the time runs out on schedule, and once."""

    async def begin() -> str:
        ann, bob = await house.playing()
        for each in (ann, bob):
            await each.close()
        return ann.table

    table = asyncio.run(begin())
    house.end(signal.SIGKILL)
    # Two seconds are left: the hand's clock as it would stand 118 seconds later.
    _let_time_pass(house.database, table, 118_000)
    house.start()
    began = time.monotonic()
    while "TimedOut" not in _events(house.database, table):
        assert time.monotonic() - began < 15
        time.sleep(0.05)
    assert time.monotonic() - began > 1.2
    time.sleep(0.5)
    assert _events(house.database, table).count("TimedOut") == 1


def test_who_thinks_for_a_while_before_a_kill_has_thought_on_his_own_time(house: House) -> None:
    """Nothing happens at the table for some seconds; the room's sign of life is all that tells play from outage."""
    thought, away = 4.0, 2.0

    async def body() -> None:
        players = await house.playing()
        began = time.monotonic()
        await asyncio.sleep(thought)
        worked = time.monotonic() - began
        await asyncio.to_thread(house.end, signal.SIGKILL)
        await asyncio.sleep(away)
        await asyncio.to_thread(house.start)
        back = time.monotonic()
        await players[0].connect()
        clocks = [seat["clock"] for seat in players[0].view["seats"]]
        spent = 120 - next(clock["hand_ms"] for clock in clocks if clock["running"]) / 1000
        assert spent > worked - 1.9, "the time of thought was given to him"  # a sign of life comes every second
        assert spent < worked + (time.monotonic() - back) + 0.5 * away, "the outage was charged"
        for each in players:
            await each.close()

    asyncio.run(body())


def _events(path: Path, table: str) -> list[str]:
    with closing(open_to_check(path)) as db:
        log = load(db, table)
    assert log is not None
    return [type(event).__name__ for event in log.events]


def _let_time_pass(path: Path, table: str, ms: int) -> None:
    """Move the room's last sign of life: what lies between it and the last event was play."""
    with closing(open_to_check(path)) as db:
        log = load(db, table)
    assert log is not None
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT OR REPLACE INTO room VALUES (1, ?)", (log.events[-1].at + ms,))
        db.commit()


AT_ONCE = {
    "deal": "17",
    "place": "13",
    "fantasyland": "on",
    "fantasyland_entry": "22",
    "bank_seconds": "180",
}
"""House rules by which a hand is one street of seventeen cards, and nearly any board of them leads to Fantasyland."""


async def into_fantasyland(house: House, changes: Mapping[str, str] = AT_ONCE) -> list[Player]:
    """Two people whose base hand has just been counted, and has brought Fantasyland to one of them at least."""
    for attempt in range(20):
        players = await house.playing(names=(f"Ann {attempt}", f"Bob {attempt}"), changes=changes)
        for acts in sorted(players, key=lambda player: not player.acts):
            await acts.see(lambda view: "confirm" in view["may"])
            await acts.kept("confirm", placement=acts.whole_board(), **acts.turn())
        for each in players:
            await each.see(lambda view: view["hand"]["reckoning"])
        if players[0].view["phase"] == "pause":
            return players
        for each in players:
            await each.close()
    raise AssertionError("no Fantasyland in twenty hands")


def test_killed_in_fantasyland_it_goes_on_with_what_each_had_laid_face_down(house: House) -> None:
    async def body() -> None:
        players = await into_fantasyland(house)
        for each in players:
            await each.kept("go-on", hand=1)
        for each in players:
            await each.see(lambda view: view["phase"] == "laying" and view["hand"]["number"] == 2)
        ann, bob = players
        assert ann.view["hand"]["closed"]
        assert ann.acts
        assert bob.acts
        placement = ann.whole_board()
        turn = ann.turn()
        version = await ann.kept("confirm", id="laid-before", placement=placement, **turn)
        dealt = next(side["dealt"] for side in bob.view["hand"]["players"] if side["seat"] == bob.seat)
        await asyncio.to_thread(house.end, signal.SIGKILL)
        await asyncio.sleep(1)
        await asyncio.to_thread(house.start)
        for each in players:
            await each.connect()
        assert await ann.kept("confirm", id="laid-before", placement=placement, **turn) == version
        mine, his = (each.view["hand"]["players"] for each in players)
        assert next(side["dealt"] for side in his if side["seat"] == bob.seat) == dealt
        assert next(side for side in his if side["seat"] == ann.seat)["board"] == {
            "top": [],
            "middle": [],
            "bottom": [],
        }
        assert next(side for side in mine if side["seat"] == ann.seat)["done"]
        clock = bob.view["seats"][bob.seat]["clock"]
        assert clock["hand_ms"] + clock["bank_ms"] > 298_000
        await bob.kept("confirm", placement=bob.whole_board(), **bob.turn())
        for each in players:
            await each.see(lambda view: view["hand"]["reckoning"] and view["hand"]["number"] == 2)
            await each.close()

    asyncio.run(body())
    with closing(open_to_check(house.database)) as db:
        for table in table_ids(db):
            log = load(db, table)
            assert log is not None
            fold(log.events)


def test_killed_while_somebody_may_bring_chips_it_still_waits_for_him(house: House) -> None:
    async def body() -> None:
        changes = {**AT_ONCE, "buy_in": "1-100", "settlement_cap": "loser", "showdown_seconds": "1"}
        ann, bob = await into_fantasyland(house, changes)
        while not any(each.view["seats"][each.seat]["broke"] for each in (ann, bob)):
            for each in (ann, bob):
                await each.close()
            ann, bob = await into_fantasyland(house, changes)
        broke = next(each for each in (ann, bob) if each.view["seats"][each.seat]["broke"])
        before = ann.view["top_up_ms"]
        assert before is not None
        await asyncio.to_thread(house.end, signal.SIGKILL)
        await asyncio.sleep(2)
        await asyncio.to_thread(house.start)
        for each in (ann, bob):
            await each.connect()
        assert ann.view["phase"] == "pause"
        assert before - 2500 < ann.view["top_up_ms"] <= 30_000, "the outage was charged"
        assert broke.view["chips"] == [1, 1]
        await broke.kept("top-up", to=1)
        for each in (ann, bob):
            await each.see(lambda view: view["phase"] == "laying" and view["hand"]["number"] == 2)
            await each.close()

    asyncio.run(body())


def test_the_bots_process_does_not_outlive_a_killed_room(house: House) -> None:
    async def body() -> None:
        cookie = house.guest("Ann")
        player = await house.come(cookie, house.table(cookie, seats=2, bots=1))
        await player.kept("sit")
        await player.kept("ready", hand=1)
        await player.see(lambda view: player.acts or _bot_laid(view))
        if player.acts:
            await player.lay()
            await player.see(_bot_laid)
        await player.close()

    asyncio.run(body())
    children = _children(house.process.pid)
    assert children, "the bot thinks in a process of its own"
    house.end(signal.SIGKILL)
    deadline = time.monotonic() + 5
    while any(_alive(child) for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _bot_laid(view: View) -> bool:
    hand = view["hand"]
    return hand is not None and any(side["street"] > 1 for side in hand["players"] if side["seat"] != view["you"])


def _children(pid: int) -> list[int]:
    """Its processes, whichever of its threads has started them."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for children in lists for child in children.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_second_room_on_the_same_database_is_refused_and_the_first_lives(house: House) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "ananas.cli.main", "serve", "--port=0", f"--database={house.database}"],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == f"ananas: another room runs on {house.database}; stop it, or choose another database\n"
    assert house.call("GET", "/api/room").status == 200


def test_a_database_that_another_program_holds_refuses_and_recovers(house: House) -> None:
    async def body() -> None:
        ann, bob = await house.playing()
        acts = ann if ann.acts else bob
        turn = {"placement": acts.placement(), **acts.turn()}
        with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = await acts.ask("confirm", id="held-up-1", **turn)
            assert (answer["type"], answer["code"]) == ("refused", "not-kept")
            assert "locked" not in answer["text"]
            other.execute("ROLLBACK")
        assert await acts.kept("confirm", id="held-up-1", **turn) == acts.version + 1
        await acts.catch_up(acts.version + 1)
        await bob.catch_up(acts.version)
        await ann.catch_up(acts.version)
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    asyncio.run(body())


def test_a_log_that_cannot_be_written_takes_nothing_with_it(house: House) -> None:
    """Standard error on a full disk: a start with a table to wake, a refused write, a stall; the room goes on."""

    async def body() -> None:
        players = await house.playing()
        await asyncio.to_thread(house.end, signal.SIGKILL)
        house.log = Path("/dev/full")
        await asyncio.to_thread(house.start)
        for each in players:
            await each.connect()
        acts = next(each for each in players if each.acts)
        turn = {"placement": acts.placement(), **acts.turn()}
        with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await acts.refused("confirm", **turn) == "not-kept"
            other.execute("ROLLBACK")
        house.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1.5)
        house.send_signal(signal.SIGCONT)
        before = _alive_at(house.database)
        await asyncio.sleep(2.5)
        assert _alive_at(house.database) > before, "the chores are done no more"
        await acts.kept("confirm", **turn)
        for each in players:
            await each.connect()
        await play_hand(players)
        for each in players:
            await each.close()

    asyncio.run(body())


def _alive_at(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        row = db.execute("SELECT alive_at FROM room").fetchone()
    return 0 if row is None else int(row[0])


def test_commands_sent_five_times_at_once_are_carried_out_once(house: House) -> None:
    async def body() -> None:
        players = await house.playing()
        commands: list[str] = []
        while players[0].view["phase"] == "laying":
            acts = next(player for player in players if player.acts)
            command = f"five-times-{len(commands)}"
            commands.append(command)
            message = {"type": "confirm", "id": command, "placement": acts.placement(), **acts.turn()}
            await asyncio.gather(*(acts.send(message) for _ in range(5)))
            answers = [await acts.answer(command) for _ in range(5)]
            assert len({(answer["type"], answer["version"]) for answer in answers}) == 1
            for player in players:
                await player.catch_up(answers[0]["version"])
        assert len(commands) == 10
        for player in players:
            await player.close()
        kept = Counter(command for _, command, _ in rows_of(house.database) if command and "five-times" in command)
        assert set(kept.values()) == {1}
        assert len(kept) == 10

    asyncio.run(body())
