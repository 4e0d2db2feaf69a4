"""Who has the table open: told at once when somebody comes, and only after a while when he is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.server import presence
from ananas.server import room as module
from ananas.server.presence import Presence
from ananas.server.room import IDLE_MS, Room
from ananas.server.store import Kept, NotKept, Store
from ananas.table.commands import Connect, Disconnect, Open, Sit
from ananas.table.decide import advance
from ananas.table.events import AnyEvent, Connected, Disconnected
from ananas.table.state import Table
from tests.server.live import Ear, Live, in_a_room

TWO = RuleSet(seats=(2, 2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


async def told(live: Live) -> list[str]:
    """What the log tells, by kind."""
    log = await live.store.load("table")
    assert log is not None
    return [type(event).__name__ for event in log.events]


async def settle() -> None:
    """Long enough for a room on a busy machine, which seals decks in a thread meanwhile."""
    await asyncio.sleep(0.25)


def who_acts(ears: Sequence[Ear]) -> tuple[Ear, Ear]:
    """The one whose turn it is, then the other."""
    acts, other = sorted(ears, key=lambda ear: "confirm" not in ear.view["may"])
    return acts, other


def seen(ear: Ear, player: Ear) -> bool:
    """Whether somebody sees that another is there."""
    seat = ear.room.table.seat_of(str(player.player))
    connected: bool = ear.view["seats"][seat]["connected"]
    return connected


# -- by itself


def seated(*players: str) -> Table:
    _, table = advance(None, Open(table="t1", name="Friday", host="ann", rules=TWO), 0)
    for player in players:
        _, table = advance(table, Sit(player=player, name=player.title(), bot=player.startswith("bot")), 0)
    return table


def test_who_has_it_open_twice_is_there_until_both_are_closed() -> None:
    table, there = seated("ann"), Presence(0)
    for _ in range(2):
        there.come("ann")
    there.go("ann", table, 1000)
    assert there.due_at(table) is None
    there.go("ann", table, 2000)
    assert there.due_at(table) == 2000 + presence.GRACE_MS
    assert there.due(table, 2999) is None
    assert there.due(table, 3000) == Disconnect(player="ann")


def test_who_comes_back_is_there_at_once_and_before_he_asks_for_anything() -> None:
    table, there = seated("ann", "bob"), Presence(0)
    _, table = advance(table, Disconnect(player="ann"), 10)
    there.come("bob")
    assert there.due_at(table) is None
    assert there.back(table, "ann") is None
    there.come("ann")
    assert there.due_at(table) == 0
    assert there.due(table, 0) == there.back(table, "ann") == Connect(player="ann")
    assert there.back(table, "bob") is None
    assert there.back(table, "eve") is None


def test_a_bot_is_always_there_and_who_has_no_seat_is_nobodys_business() -> None:
    table, there = seated("bot:0"), Presence(0)
    there.come("eve")
    there.come(None)
    there.go("eve", table, 0)
    there.go("eve", table, 0)
    there.go(None, table, 0)
    assert there.due_at(table) is None
    assert there._went_at == {}


def test_after_loading_everybody_has_a_longer_while() -> None:
    table, there = seated("ann", "bob"), Presence(100_000)
    there.come("ann")
    assert there.due_at(table) == 100_000 + presence.GRACE_AFTER_LOADING_MS
    assert there.due(table, 105_000) == Disconnect(player="bob")


# -- in a room


def reloads(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        acts, other = who_acts(ears)
        room = acts.room
        for _ in range(3):
            room.leave(acts)
            live.pass_time(0.5)
            await settle()
            assert seen(other, acts)
            room.join(acts)
            live.pass_time(2)
            await settle()
        seats = [seat for message in other.heard if "view" in message for seat in message["view"]["seats"] if seat]
        assert all(seat["connected"] for seat in seats)
        assert {"Connected", "Disconnected"}.isdisjoint(await told(live))

    in_a_room(path, body)


def test_a_page_that_is_loaded_again_makes_no_difference(path: Path) -> None:
    reloads(path)


def test_a_room_that_misses_people_at_once_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "GRACE_MS", 0)
    with pytest.raises(AssertionError):
        reloads(path)


def test_who_is_gone_pays_from_his_bank_and_comes_back_to_his_time(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        acts, other = who_acts(ears)
        room, place = acts.room, acts.view["you"]
        room.leave(acts)
        live.pass_time(1)
        await other.until(lambda: not seen(other, acts))
        live.pass_time(60)
        room.show()
        clock = other.view["seats"][place]["clock"]
        assert (clock["hand_ms"], clock["bank_ms"], clock["running"]) == (119_000, 120_000, True)
        tab = Ear(acts.player, room)
        room.join(tab)
        await tab.until(lambda: tab.view["seats"][place]["connected"])
        live.pass_time(10)
        room.show()
        clock = tab.view["seats"][place]["clock"]
        assert (clock["hand_ms"], clock["bank_ms"]) == (109_000, 120_000)
        assert (await tab.lay())["type"] == "kept"

    in_a_room(path, body)


def test_what_somebody_asks_at_once_when_he_is_back_is_asked_by_one_who_is_there(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        acts, _ = who_acts(ears)
        acts.room.leave(acts)
        live.pass_time(2)
        await settle()
        acts.room.join(acts)
        assert (await acts.lay())["type"] == "kept"
        assert (await told(live))[-3:] == ["Disconnected", "Connected", "Confirmed"]

    in_a_room(path, body)


def test_who_is_away_when_his_time_is_spent_is_absent_and_plays_on_when_he_is_back(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(RuleSet(seats=(2, 2), bank_seconds=10), "ann", "bob")
        acts, other = who_acts(ears)
        acts.room.leave(acts)
        live.pass_time(2)
        await settle()
        live.pass_time(130)
        await other.until(lambda: "confirm" in other.view["may"])
        assert other.view["seats"][acts.view["you"]]["absent"]
        acts.room.join(acts)
        await acts.until(lambda: not acts.view["seats"][acts.view["you"]]["absent"])
        assert (await told(live))[-3:] == ["TimedOut", "AutoPlaced", "Connected"]

    in_a_room(path, body)


def test_after_a_restart_everybody_counts_as_there_until_he_had_time_to_come_back(path: Path) -> None:
    async def begin(live: Live) -> None:
        await live.playing(TWO, "ann", "bob")
        await live.store.alive(live.clock.now())

    async def go_on(live: Live) -> None:
        await live.rooms.start()
        room = await live.rooms.get("table")
        ann, nobody = Ear("ann", room), Ear(None, room)
        room.join(nobody)
        live.pass_time(2)
        room.join(ann)
        live.pass_time(2)
        await settle()
        assert [seat["connected"] for seat in nobody.view["seats"]] == [True, True]
        live.pass_time(1.5)
        await nobody.until(lambda: [seat["connected"] for seat in nobody.view["seats"]] == [True, False])
        assert (await told(live)).count("Disconnected") == 1
        hand = room.table.hand
        assert hand is not None
        (acting,) = hand.acting
        room.show()
        clock = nobody.view["seats"][hand.seats[acting]]["clock"]
        assert (clock["hand_ms"], clock["bank_ms"]) == (114_500, 180_000)  # he had been there, as far as anybody knew

    in_a_room(path, begin)
    in_a_room(path, go_on)


class Refuses(Store):
    """A store that takes nothing while the test says so."""

    writes = True

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
        if not self.writes:
            raise NotKept("the disk is full")
        return await super().append(table_id, version, command_id, events, due_at=due_at, body=body)


def test_what_could_not_be_kept_of_it_is_told_later(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        acts, other = who_acts(ears)
        room, store = acts.room, live.store
        assert isinstance(store, Refuses)
        store.writes = False
        room.leave(acts)
        live.pass_time(10)
        await settle()
        assert "Disconnected" not in await told(live)
        store.writes = True
        live.pass_time(2)
        await other.until(lambda: not seen(other, acts))
        store.writes = False
        room.join(acts)
        await settle()
        assert (await acts.lay("the-same"))["code"] == "not-kept"
        store.writes = True
        assert (await acts.lay("the-same"))["type"] == "kept"
        told_now = await told(live)
        assert (told_now.count("Disconnected"), told_now.count("Connected")) == (1, 1)
        assert told_now.index("Connected") < told_now.index("Confirmed")

    in_a_room(path, body, store=Refuses)


def test_a_table_that_waits_for_nobody_is_put_away_and_sleeps(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(TWO), "ann")
        await ann.ask(protocol.Ready, hand=1)  # there is nobody to play with
        room.leave(ann)
        assert not room.idle
        live.pass_time(2)
        while (seat := room.table.seats[0]) is not None and seat.connected:
            await settle()
        live.pass_time(600)  # as long as her place is kept for her
        while room.table.seated:
            await settle()
        assert room.due_at is None
        live.pass_time(IDLE_MS / 1000)
        await settle()
        await live.rooms.put_idle_away()
        assert live.rooms._rooms == {}
        version = room.version
        back = await live.rooms.get("table")
        assert back is not room
        live.pass_time(60)
        await settle()
        assert back.version == version
        assert back.due_at is None
        assert (await told(live)).count("Disconnected") == 1

    in_a_room(path, body)


def test_who_sits_down_and_is_gone_before_he_is_answered_is_missed(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        (ann,) = await live.sit(room, "ann")
        await ann.ask(protocol.Leave)
        room.ask(ann, protocol.Sit(id="command-1"))
        room.leave(ann)
        await settle()
        live.pass_time(6)
        await settle()
        seat = room.table.seats[0]
        assert seat is not None
        assert not seat.connected

    in_a_room(path, body)


def test_the_log_tells_of_each_change_once(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room: Room = ears[0].room
        for _ in range(3):
            room.leave(ears[1])
            live.pass_time(1.5)
            await settle()
            tabs = [Ear("bob", room) for _ in range(2)]
            for tab in tabs:
                room.join(tab)
            room.leave(tabs[0])
            await settle()
            room.join(ears[1])
            live.pass_time(2)
            await settle()
            room.leave(tabs[1])
        log = await live.store.load("table")
        assert log is not None
        changes = [type(event) for event in log.events if isinstance(event, Connected | Disconnected)]
        assert changes == [Disconnected, Connected] * 3

    in_a_room(path, body)


def test_a_room_that_never_tells_of_the_gone_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Blind(Presence):
        def go(self, player: str | None, table: Table, now: int) -> None:
            pass

    monkeypatch.setattr(module, "Presence", Blind)
    with pytest.raises(AssertionError):
        test_the_log_tells_of_each_change_once(path)
