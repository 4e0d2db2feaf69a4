"""A room that is killed in the middle of everything: what was acknowledged is there, once, and nobody has paid for it."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from ananas.server.room import fold
from ananas.server.store import load, open_to_check, table_ids
from tests.server.house import House, Player, View, play_hand
from tests.trust.kills import rows_of

pytestmark = pytest.mark.server


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
