"""Faults of connections, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import json
import signal
import sqlite3
import subprocess
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ananas import protocol
from ananas.server import app, presence, viewers
from ananas.server.limits import Places
from ananas.server.room import Room, Rooms
from ananas.server.time import RoomClock
from ananas.server.viewers import HEARTBEAT_MISSED, OUTBOX, SILENT_MS, TOO_SLOW, Asked, Socket, Viewer
from ananas.server.windows import Windows
from tests.browser.network import Network
from tests.bugs.places import ROOM, TWO, acts, begin_again, gives, lay_on, play_hand, settle
from tests.chance import Chance
from tests.server.house import House, Player, View
from tests.server.live import Ear, Hands, Live, deal, in_a_room
from tests.server.test_viewers import Wire, with_socket
from tests.server.test_viewers import settle as breathe


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- B008, B019, B022: the first frame of a connection is the whole table as it is now


def again(ear: Ear) -> Ear:
    """The same window calls anew; its last socket is gone."""
    ear.room.leave(ear)
    back = Ear(ear.player, ear.room, window=ear.window)
    ear.room.join(back)
    return back


def whole(ear: Ear) -> None:
    """What he saw first is all there is to be seen now."""
    first = ear.heard[0]
    assert first["type"] == "view"
    assert first["version"] == ear.room.version, "the first frame is not of now"
    ear.room.show()
    last = ear.heard[-1]
    assert first["view"] == last["view"]


def drops_between_streets(path: Path) -> None:
    """A socket is lost in each street; the other plays on; the window calls again without being loaded again."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room = ears[0].room
        while room.table.laying:
            thinks = acts(ears)
            lost = ears.index(thinks) ^ 1
            room.leave(ears[lost])
            await thinks.lay()
            await settle(room)
            live.pass_time(3)
            await settle(room)
            ears[lost] = back = Ear(ears[lost].player, room, window=ears[lost].window)
            room.join(back)
            assert not back.elsewhere
            whole(back)
            await settle(room)
            if room.table.laying:
                running = [seat["seat"] for seat in back.view["seats"] if seat["clock"]["running"]]
                assert running == [room.table.seat_of(str(acts(ears).player))]

    in_a_room(path, body)


def test_bug_B008_who_comes_back_sees_all_of_now_and_whose_clock_runs(path: Path) -> None:
    drops_between_streets(path)


def comes_back_as_a_hand_begins(path: Path, seeds: int) -> None:
    """Who calls again at any moment of a hand's beginning sees a table that fits together, and plays on."""
    chance = Chance("B019")

    async def body(live: Live) -> None:
        for number in range(seeds):
            ears = await live.sit(await live.open(TWO, f"table-{number}"), "ann", "bob")
            room = ears[0].room
            hurry = asyncio.create_task(hurries(ears, chance))
            for which in range(2):
                room.ask(ears[which], protocol.Ready(id=f"ready-{number:04}-{which}", hand=1))
                for _ in range(chance.below(4)):
                    await asyncio.sleep(0)
            await hurry
            for which, ear in enumerate(ears):  # what was asked by a socket that is gone is asked again, as clients do
                answer = await ear.ask(protocol.Ready, f"ready-{number:04}-{which}", hand=1)
                assert answer["type"] == "kept", answer
            await settle(room)
            ears = [again(ear) for ear in ears]
            for ear in ears:
                whole(ear)
            assert room.table.laying, number
            await lay_on(ears)

    in_a_room(path, body)


async def hurries(ears: list[Ear], chance: Chance) -> None:
    """One of them calls again and again."""
    for _ in range(6):
        for _ in range(chance.below(3)):
            await asyncio.sleep(0)
        which = chance.below(len(ears))
        ears[which] = back = again(ears[which])
        first = back.heard[0]
        assert first["view"]["you"] == back.room.table.seat_of(str(back.player))
        if first["view"]["phase"] == "laying":
            hand = first["view"]["hand"]
            assert hand["you"] == first["view"]["you"]
            assert sum(side["acting"] for side in hand["players"]) == 1


def test_bug_B019_who_comes_back_as_a_hand_begins_is_no_stranger(path: Path) -> None:
    comes_back_as_a_hand_begins(path, 25)


async def calls_again(live: Live) -> None:
    ears = await live.playing(TWO, "ann", "bob")
    whole(again(ears[0]))


@pytest.mark.parametrize("fault", ["shows nothing", "shows what was"])
def test_bug_B008_B019_B022_planted(path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """A room that shows a socket nothing until something happens, or the table as its window saw it last."""
    sound, seen = Room.join, dict[str, bytes]()

    def late(room: Room, viewer: Viewer) -> None:
        assert isinstance(viewer, Ear)
        if viewer.window not in seen:
            sound(room, viewer)
            seen[viewer.window] = viewer.raw[0]
            return
        hears, viewer.offer = viewer.offer, gives(None)  # type: ignore[method-assign]
        sound(room, viewer)
        viewer.offer = hears  # type: ignore[method-assign]
        if fault == "shows what was":
            viewer.offer(seen[viewer.window])

    monkeypatch.setattr(Room, "join", late)
    with pytest.raises((AssertionError, IndexError)):
        in_a_room(path, calls_again)
    with pytest.raises((AssertionError, IndexError)):
        comes_back_as_a_hand_begins(path.with_name("other.sqlite"), 1)


@pytest.mark.server
def test_bug_B022_what_happens_between_the_page_and_its_socket_is_seen(shared: House) -> None:
    """The table's card is fetched; two turns are laid; then the socket is opened."""

    async def body() -> None:
        players = await shared.playing()
        card = shared.call("GET", f"/api/tables/{players[0].table}").json
        assert card["hands"] in {0, 1} or "name" in card
        version = 0
        for _ in range(2):
            version = await next(player for player in players if player.acts).lay()
            for player in players:
                await player.catch_up(version)
        late = await shared.come(None, players[0].table)
        assert late.version == version
        assert late.view["hand"]["number"] == 1
        laid = [sum(len(row) for row in side["board"].values()) for side in late.view["hand"]["players"]]
        assert laid == [5, 5]
        seen = [late.version]
        for _ in range(2):
            version = await next(player for player in players if player.acts).lay()
            for player in (*players, late):
                await player.catch_up(version)
            seen.append(late.version)
        assert seen == sorted(set(seen))
        for player in (*players, late):
            await player.close()

    asyncio.run(body())


# -- B009, B010, B030: the room is begun anew


GONE = (ConnectionClosed, OSError, InvalidHandshake)


async def back(player: Player) -> None:
    """Call until the room is there again."""
    while True:
        with contextlib.suppress(*GONE):
            await player.connect()
            return
        await asyncio.sleep(0.05)


class Asks:
    """People who ask for something until they are answered, whatever becomes of the room meanwhile."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.kept: dict[str, int] = {}

    async def ask(self, player: Player, message: dict[str, object]) -> int:
        name = f"deployed-{len(self.sent):06}"
        self.sent.append(name)
        while True:
            with contextlib.suppress(*GONE):
                await player.send({**message, "id": name})
                answer = await player.answer(name)
                if answer["type"] == "kept":
                    self.kept[name] = answer["version"]
                    return int(answer["version"])
                if answer["code"] in {"match-running", "already-ready", "turn-over"}:
                    return 0  # what was seen when it was asked is not so any more
                assert answer["code"] in {"closing", "not-kept"}, answer
                await asyncio.sleep(0.05)
                continue
            await back(player)

    async def see(self, player: Player, condition: Callable[[View], object]) -> None:
        while True:
            with contextlib.suppress(*GONE):
                await player.see(condition)
                return
            await back(player)

    async def play(self, pair: Sequence[Player], stop: asyncio.Event) -> None:
        """Play until it is enough."""
        while not stop.is_set():
            player = next((each for each in pair if each.acts), None)
            if player is not None:
                version = await self.ask(player, {"type": "confirm", "placement": player.placement(), **player.turn()})
                for each in pair:
                    await self.see(each, lambda _, each=each, version=version: each.version >= version)  # type: ignore[misc]
                continue
            for each in pair:
                if "ready" in each.view.get("may", ()):
                    await self.ask(each, {"type": "ready", "hand": each.view["hands"] + 1})
                try:
                    await each.quiet(0.02)
                except GONE:
                    await back(each)

    def assert_once(self, rows: Counter[str]) -> None:
        """What was acknowledged is in the log once, and what was asked, at most once."""
        assert [name for name in self.kept if rows[name] != 1] == []
        assert [name for name in self.sent if rows[name] > 1] == []


def commands_in(database: Path) -> Counter[str]:
    """How often each command stands in the log, by the name that its sender gave it."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        rows = db.execute("SELECT command_id FROM events WHERE command_id IS NOT NULL").fetchall()
    return Counter(row[0].rpartition(":")[2] for row in rows)


@pytest.mark.server
def test_bug_B009_nothing_is_lost_or_done_twice_over_a_deployment(house: House) -> None:
    """Two tables are played while the room is told to stop, and begun anew a second later."""

    async def body() -> None:
        pairs = [await house.playing(names=(f"Ann {n}", f"Bob {n}")) for n in range(2)]
        asks, stop = Asks(), asyncio.Event()
        playing = [asyncio.create_task(asks.play(pair, stop)) for pair in pairs]
        while len(asks.kept) < 8:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(house.end, signal.SIGTERM)
        await asyncio.sleep(1)
        await asyncio.to_thread(house.start)
        enough = len(asks.kept) + 12
        try:
            async with asyncio.timeout(60):
                while len(asks.kept) < enough:
                    await asyncio.sleep(0.02)
                    for task in playing:
                        assert not task.done() or task.result()
        finally:
            stop.set()
            await asyncio.gather(*playing, return_exceptions=True)
        rows = commands_in(house.database)
        asks.assert_once(rows)
        for fault in (0, 2):  # one is lost, or done twice
            with pytest.raises(AssertionError):
                asks.assert_once(Counter({**rows, next(iter(asks.kept)): fault}))
        for pair in pairs:
            for number, each in enumerate(pair):
                await back(each)
                assert each.view["you"] == number
                await each.close()

    asyncio.run(body())


def many_tables(path: Path, count: int) -> None:
    """All are in mid-hand when the room dies; everybody finds his table, by its link and among the open ones."""

    async def first(live: Live) -> None:
        async def one(number: int) -> None:
            room = await live.open(TWO, f"table-{number}", public=True)
            ears = await live.sit(room, f"ann-{number}", f"bob-{number}")
            await deal(ears)
            await lay_on(ears)

        for start in range(0, count, 50):
            await asyncio.gather(*(one(number) for number in range(start, min(count, start + 50))))
        await live.store.alive(live.clock.now())

    async def second(live: Live) -> None:
        begin_again(live, RoomClock(wall=lambda: 1_000_100.0, monotonic=live.hands, not_before=live.store.alive_at))
        await live.rooms.start()
        listed = {table.id for table in live.rooms.public_tables()}
        assert listed == {f"table-{number}" for number in range(count)}
        for number in range(count):
            room = await live.rooms.get(f"table-{number}")
            for name in (f"ann-{number}", f"bob-{number}"):
                ear = Ear(name, room)
                room.join(ear)
                whole(ear)
                assert ear.view["you"] is not None
                assert ear.view["phase"] == "laying"
                clock = next(seat["clock"] for seat in ear.view["seats"] if seat["clock"]["running"])
                assert clock["hand_ms"] == 120_000, "the outage was charged"

    in_a_room(path, first)
    in_a_room(path, second)


def test_bug_B010_every_table_can_be_opened_after_a_restart(path: Path) -> None:
    many_tables(path, 40)


def test_bug_B010_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that wakes nothing, and loads what somebody asks for as if no time had passed."""

    async def nothing(_: Rooms) -> None:
        pass

    monkeypatch.setattr(Rooms, "start", nothing)
    with pytest.raises(AssertionError):
        many_tables(path, 2)


@pytest.mark.server
def test_bug_B030_after_a_restart_every_tab_is_bound_to_its_own_seat(house: House) -> None:
    """Two accounts at one table, one of them at a second one as well; all of them are cut off and call again."""

    async def body() -> None:
        cookies = [house.guest(name) for name in ("Ann", "Bob", "Cyd")]
        tables = [house.table(cookies[0]), house.table(cookies[0])]
        tabs: list[tuple[Player, int]] = []
        for table, sitting in ((tables[0], (0, 1)), (tables[1], (2, 0))):
            for seat, who in enumerate(sitting):
                player = await house.come(cookies[who], table)
                await player.kept("sit", seat=seat)
                tabs.append((player, seat))
        names = {
            id(player): player.view["seats"][seat]["name"] for player, seat in tabs for _ in [await player.quiet(0.05)]
        }
        await asyncio.to_thread(house.end, signal.SIGKILL)
        await asyncio.to_thread(house.start)
        await asyncio.gather(*(back(player) for player, _ in tabs))
        for player, seat in tabs:
            assert player.view["you"] == seat
            assert player.view["seats"][seat]["name"] == names[id(player)]
            assert not player.elsewhere
        for player, _ in tabs:
            await player.kept("ready", hand=1)
        for player, seat in tabs:
            await player.see(lambda view: view["phase"] == "laying")
            assert player.view["hand"]["you"] == seat
            await player.close()

    asyncio.run(body())


# -- B020: a seat is its owner's, whatever has become of his last connection


def cut_off(path: Path) -> None:
    """The network of the window that plays is gone without a word; the same one calls by another way, and plays."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        hung = acts(ears)
        room = hung.room
        new = Ear(hung.player, room, window=hung.window)
        room.join(new)
        assert not new.elsewhere
        late = await hung.ask(protocol.Leave)
        assert (late["type"], late.get("code")) == ("refused", "elsewhere"), "the socket of before still plays"
        assert (await new.lay())["type"] == "kept"
        assert not any(seat.leaving for _, seat in room.table.seated)

    in_a_room(path, body)


def test_bug_B020_a_seat_is_taken_again_at_once_and_the_old_socket_may_do_nothing(path: Path) -> None:
    cut_off(path)


def test_bug_B020_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Windows, "elsewhere", gives(False))
    with pytest.raises(AssertionError):
        cut_off(path)


@pytest.mark.server
def test_bug_B020_over_a_wire_that_swallows_everything(shared: House) -> None:
    network = Network(shared.port)

    async def body() -> None:
        players = await shared.playing()
        acting = next(player for player in players if player.acts)
        await acting.close()
        relayed = Player(shared, acting.cookie, acting.table)
        relayed.window = acting.window
        relayed.house = cast("House", SimpleNamespace(port=network.port, url=f"http://127.0.0.1:{network.port}"))
        await relayed.connect()
        assert relayed.acts
        network.set("hung")
        new = Player(shared, acting.cookie, acting.table)
        new.window = acting.window
        await new.connect()
        assert not new.elsewhere
        await new.lay()
        network.set("whole")
        assert await relayed.refused("leave") == "elsewhere"
        other = await shared.come(acting.cookie, acting.table)
        assert other.elsewhere
        await other.send({"type": "take-over"})
        await other.see(lambda _: not other.elsewhere)
        for player in (*players, relayed, new, other):
            await player.close()

    try:
        asyncio.run(body())
    finally:
        network.close()


# -- B026: who sleeps pays from his bank, and the others see it


def sleeps(path: Path) -> None:
    """Ann's screen goes dark in her turn: Bob sees that she is away and what runs; back, she has her time for the hand."""

    async def body(live: Live) -> None:
        ears = await live.playing(replace(ROOM, seats=(2, 2), fantasyland="off"), "ann", "bob")
        ann = acts(ears)
        (bob,) = (ear for ear in ears if ear is not ann)
        room, seat = ann.room, ann.view["you"]
        room.leave(ann)
        live.pass_time(presence.GRACE_MS / 1000)
        await settle(room)
        live.pass_time(8)
        room.show()
        hers = bob.view["seats"][seat]
        assert (hers["connected"], hers["clock"]["running"]) == (False, True)
        assert hers["clock"]["bank_ms"] == 12_000
        back = Ear(ann.player, room, window=ann.window)
        room.join(back)
        await settle(room)
        assert bob.view["seats"][seat]["connected"]
        assert back.view["seats"][seat]["clock"]["hand_ms"] == 60_000 - presence.GRACE_MS
        assert (await back.lay())["type"] == "kept"

    in_a_room(path, body)


def test_bug_B026_who_sleeps_pays_from_his_bank_and_the_others_see_it(path: Path) -> None:
    sleeps(path)


def test_bug_B026_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "GRACE_MS", 10**9)
    with pytest.raises(AssertionError):
        sleeps(path)


# -- B086, B087, B088: what is gone is gone


class Caller:
    """A browser as the room's own door meets it, without a network."""

    def __init__(self, live: Live, player: str | None, sockets: set[Socket], came: int, window: str = "") -> None:
        self.wire = Wire()
        self.wire.incoming.put_nowait({"type": "websocket.connect"})
        cookie = [(b"cookie", f"ananas_guest={player}".encode())] if player else []
        scope = {
            "type": "websocket",
            "extensions": {},
            "headers": cookie,
            "query_string": f"window={window}".encode(),
            "path_params": {"table_id": "table"},
            "client": ("127.0.0.1", 1),
        }
        self._websocket = WebSocket(scope, self.wire.receive, self.wire.send)
        self._watch = functools.partial(
            app._watch,
            self._websocket,
            came,
            store=live.store,
            clock=live.clock,
            rooms=live.rooms,
            sockets=sockets,
            places=Places(1_000_000),
        )

    async def call(self) -> Caller:
        await self._websocket.accept()
        self.task = asyncio.create_task(self._watch())
        while not self.wire.taken:
            await asyncio.sleep(0)
        return self

    async def hang_up(self) -> None:
        self.wire.incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await self.task


def come_and_gone(path: Path, count: int) -> None:
    """Strangers and players come and go; then nothing is left of any of them."""
    gone: list[weakref.ref[Caller]] = []

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room, sockets = ears[0].room, set[Socket]()

        def held() -> list[int]:
            windows, there = room._windows, room._presence
            return [
                len(things)
                for things in (room._viewers, sockets, windows._open, windows._controls, there._eyes, there._went_at)
            ]

        before = held()
        for number in range(count):
            player = (None, "ann", "bob")[number % 3]
            caller = await Caller(live, player, sockets, 10**6 + number, f"window-{number:09}").call()
            gone.append(weakref.ref(caller))
            await caller.hang_up()
            if number % 50 == 0:
                live.pass_time(11)
        await settle(room)
        assert held() == before
        live.pass_time(11)
        room.leave(ears[0])
        assert len(room._windows._claims) <= 2
        claims = [claim for each in room._windows._claims.values() for claim in each]
        assert len(claims) <= 100, "a window that is gone is remembered for ten seconds, not for ever"

    in_a_room(path, body)
    gc.collect()
    assert [caller for caller in gone if caller() is not None] == []


def test_bug_B086_of_whoever_came_and_went_nothing_is_kept(path: Path) -> None:
    come_and_gone(path, 300)


def test_bug_B086_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "leave", gives(None))
    with pytest.raises(AssertionError):
        come_and_gone(path, 10)


def one_seat_again_and_again(path: Path, count: int) -> None:
    """One window calls again and again, every second time while its last socket hangs; one socket is left."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room, sockets, callers = ears[0].room, set[Socket](), list[Caller]()
        room.leave(ears[0])
        for number in range(count):
            callers.append(await Caller(live, "ann", sockets, 10**6 + number, "window-of-ann").call())
            if number % 2:
                await callers.pop(-2).hang_up()
            if number % 20 == 19:
                for _ in range(SILENT_MS // 500 + 2):
                    live.hands.seconds += 0.5
                    callers[-1].wire.say('{"type":"ping"}')
                    await breathe()
                    for socket in list(sockets):
                        socket.check()
                await breathe()
                assert len(sockets) == 1, "a socket that nobody speaks by is still held"
                assert len(room._windows.of("ann")) == 1
                callers = callers[-1:]
        await asyncio.gather(*(caller.hang_up() for caller in callers))
        assert not sockets

    in_a_room(path, body)


def test_bug_B087_of_one_seat_one_socket_is_left_however_often_it_calls(path: Path) -> None:
    one_seat_again_and_again(path, 100)


def vanished(path: Path) -> None:
    """Phones are gone without a word; within two heartbeats and a bit nothing of them is left."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room, sockets = ears[0].room, set[Socket]()
        callers = [await Caller(live, None, sockets, 10**6 + number).call() for number in range(20)]
        assert len(sockets) == 20
        for _ in range(25):
            live.hands.seconds += 0.5
            for socket in list(sockets):
                socket.check()
        await asyncio.wait_for(asyncio.gather(*(caller.task for caller in callers)), 5)
        assert not sockets
        assert {caller.wire.closed for caller in callers} == {HEARTBEAT_MISSED}
        assert room._viewers == set(ears)

    in_a_room(path, body)


def test_bug_B088_who_has_vanished_is_let_go_within_two_heartbeats(path: Path) -> None:
    vanished(path)


def twenty_times(path: Path) -> None:
    one_seat_again_and_again(path, 20)


@pytest.mark.parametrize("check", [twenty_times, vanished])
def test_bug_B087_B088_planted(path: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Path], None]) -> None:
    """Sockets are never looked after."""
    monkeypatch.setattr(viewers, "SILENT_MS", 10**9)
    with pytest.raises((AssertionError, TimeoutError)):
        check(path)


# -- B089, B090: who reads slowly, and who does not read at all


def never_reads(path: Path) -> None:
    """One of those who look on takes nothing; the hand is played, and he costs no more than one view and a few answers."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        sockets = set[Socket]()
        caller = await Caller(live, None, sockets, 10**6).call()
        (stuck,) = sockets
        caller.wire.takes.clear()
        taken = len(caller.wire.taken)
        held = 0
        while ears[0].view["phase"] == "laying":
            await lay_on(ears)
            held = max(held, len(stuck._answers) + (stuck._view is not None))
        assert held <= 1, "views are hoarded for one who does not read"
        for _ in range(OUTBOX + 2):
            caller.wire.say('{"type":"leave","id":"no-seat-of-mine"}')
        await breathe()
        assert len(stuck._answers) <= OUTBOX
        for _ in range(24):
            live.hands.seconds += 0.5
            stuck.check()
        await asyncio.wait_for(caller.task, 5)
        assert (caller.wire.closed, len(caller.wire.taken)) == (TOO_SLOW, taken)

    in_a_room(path, body)


def test_bug_B089_who_never_reads_costs_little_and_is_let_go(path: Path) -> None:
    never_reads(path)


def test_bug_B089_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Socket, "offer", Socket.answer)
    with pytest.raises(AssertionError):
        never_reads(path)


def over_a_thin_wire(path: Path) -> None:
    """32 kbit a second, and a table where something happens twice a second: he sees less of it, and is not thrown out."""
    biggest: list[bytes] = []

    async def play(live: Live) -> None:
        ears = await live.playing(replace(ROOM, seats=(3, 3)), "ann", "bob", "cyd")
        await play_hand(ears)
        biggest.append(max((raw for ear in ears for raw in ear.raw), key=len))

    in_a_room(path, play)

    async def body(wire: Wire, socket: Socket, hands: Hands, _: list[Asked]) -> None:
        sound, took = wire.send, list[float]()

        async def thin(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "websocket.send":
                until = hands.seconds + len(message["text"]) / 4000
                while hands.seconds < until:
                    await asyncio.sleep(0)
                took.append(hands.seconds)
            await sound(message)

        wire.send = thin  # type: ignore[method-assign]
        socket._websocket._send = thin
        for half in range(240):
            hands.seconds += 0.5
            socket.offer(biggest[0].replace(b'"version":', b'"version":%d' % (half + 1), 1))
            if half % 10 == 0:
                wire.say('{"type":"ping"}')
            await breathe()
            if half % 2:
                socket.check()
        await breathe()
        assert wire.closed is None, "thrown out for being slow"
        assert len(took) > 20

    with_socket(body)


def test_bug_B090_a_slow_line_is_no_reason_to_be_thrown_out(path: Path) -> None:
    over_a_thin_wire(path)


def test_bug_B090_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "SLOW_MS", 500)
    with pytest.raises(AssertionError):
        over_a_thin_wire(path)


# -- B027, B103: how the client comes back


def lines(**asked: object) -> dict[str, float]:
    """What many of the client's own lines do while the room is away, in simulated time; in milliseconds."""
    root = Path(__file__).parents[2]
    command = ["node", str(Path(__file__).with_name("many_lines.mjs")), str(root / "web" / "src" / "socket.ts")]
    asked = {"code": 1006, "away": 0, "plant": "", "halfOpen": False, **asked}
    done = subprocess.run([*command, json.dumps(asked)], capture_output=True, text=True, check=True, cwd=root)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def never_gives_up(plant: str = "") -> None:
    """The room is away for ten minutes: every line is whole again within ten seconds of its return."""
    for code in (1006, 1012):
        found = lines(count=20, code=code, away=600_000, plant=plant)
        assert found["back"] == 20, "somebody has given up"
        assert found["last_back"] <= 610_000


def notices_silence(plant: str = "") -> None:
    """Sockets stay open and nothing comes any more: all are given up for new ones within two heartbeats of five seconds."""
    found = lines(count=20, halfOpen=True, plant=plant)
    assert found["back"] == 20, "a socket that says nothing is taken for whole"
    assert found["first"] >= 1000
    assert found["last_call"] <= 10_000


@pytest.mark.parametrize("check", [never_gives_up, notices_silence])
def test_bug_B027_a_line_comes_back_by_itself_however_long_it_takes(check: Callable[[], None]) -> None:
    check()


@pytest.mark.parametrize(("check", "plant"), [(never_gives_up, "gives up"), (notices_silence, "hears no silence")])
def test_bug_B027_planted(check: Callable[[str], None], plant: str) -> None:
    with pytest.raises(AssertionError):
        check(plant)


def spread(count: int, plant: str = "") -> None:
    """All are told at once that the room restarts; it is back in two seconds, and is not called by all in one instant."""
    found = lines(count=count, code=1012, away=2000, plant=plant)
    assert found["busiest"] <= count / 10, "they come back in one instant"
    assert found["last_call"] - found["first"] >= 5_000
    assert found["back"] == count
    assert found["last_back"] <= 30_000


def test_bug_B103_after_a_restart_not_all_call_in_one_instant() -> None:
    spread(300)
    killed = lines(count=300, code=1006, away=2000)  # nobody could tell them: they look for the network as well
    assert killed["back"] == 300
    assert killed["last_back"] <= 30_000


def test_bug_B103_planted() -> None:
    with pytest.raises(AssertionError):
        spread(100, "no chance")
