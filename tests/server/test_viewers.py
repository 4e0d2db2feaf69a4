"""Sockets that are slow, silent or loud, and bots that hang, die or cheat: none of them holds a table up."""

from __future__ import annotations

import asyncio
import importlib
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket

from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.game.view import PlayerView
from ananas.server import viewers
from ananas.server.time import RoomClock
from ananas.server.viewers import (
    FLOOD,
    HEARTBEAT_MISSED,
    OUTBOX,
    PATIENCE,
    RATE,
    THINK_SECONDS,
    TOO_SLOW,
    Asked,
    Socket,
    Thinker,
)
from tests.server.live import Hands, Live, in_a_room

# -- sockets


class Wire:
    """The other end of a socket: what it sends, and what it takes, one message at a time."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.taken: list[dict[str, Any]] = []
        self.takes = asyncio.Event()
        self.takes.set()
        self.closed: int | None = None

    async def receive(self) -> dict[str, Any]:
        return await self.incoming.get()

    async def send(self, message: Any) -> None:  # noqa: ANN401
        if message["type"] == "websocket.close":
            self.closed = message["code"]
            self.incoming.put_nowait({"type": "websocket.disconnect", "code": self.closed})
        elif message["type"] == "websocket.send":
            await self.takes.wait()
            self.taken.append(json.loads(message["text"]))

    def say(self, text: str) -> None:
        self.incoming.put_nowait({"type": "websocket.receive", "text": text})


class Direct:
    """What the server's own protocol can do beside, for the same other end."""

    gone = False

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    async def ready(self) -> None:
        await self.wire.takes.wait()

    def say(self, messages: Iterable[bytes]) -> None:
        self.wire.taken += map(json.loads, messages)

    def cut(self) -> None:
        pass


def with_socket(body: Callable[[Wire, Socket, Hands, list[Asked]], Any], *, direct: bool = False) -> None:
    """Run a test with a socket that is open and listened to."""

    async def run() -> None:
        wire, hands, asked = Wire(), Hands(), list[Asked]()
        wire.incoming.put_nowait({"type": "websocket.connect"})
        extensions = {"ananas.wire": Direct(wire)} if direct else {}
        websocket = WebSocket(
            {"type": "websocket", "extensions": extensions, "headers": [], "query_string": b""}, wire.receive, wire.send
        )
        await websocket.accept()
        socket = Socket(websocket, "ann", RoomClock(wall=lambda: 0.0, monotonic=hands))
        listening = asyncio.create_task(socket.listen(asked.append))
        await asyncio.sleep(0)
        await body(wire, socket, hands, asked)
        socket.drop(1000)
        await asyncio.wait_for(listening, 5)

    asyncio.run(run())


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_of_waiting_views_only_the_newest_is_sent_and_no_answer_is_lost() -> None:
    """By the server's own protocol, and by any other."""
    for direct in (False, True):
        _sends_the_newest_view(direct=direct)


def _sends_the_newest_view(*, direct: bool) -> None:
    async def body(wire: Wire, socket: Socket, _: Hands, __: list[Asked]) -> None:
        wire.takes.clear()
        for version in range(1, 11):
            socket.answer(b'{"kept":%d}' % version)
            socket.offer(b'{"view":%d}' % version)
            await settle()
        wire.takes.set()
        await settle()
        assert [message["kept"] for message in wire.taken if "kept" in message] == list(range(1, 11))
        views = [message["view"] for message in wire.taken if "view" in message]
        assert views[-1] == 10
        assert len(views) <= 2
        assert "view" in wire.taken[0], "nothing that is said before can be understood"

    with_socket(body, direct=direct)


def test_who_leaves_answers_unread_is_dropped() -> None:
    async def body(wire: Wire, socket: Socket, _: Hands, __: list[Asked]) -> None:
        wire.takes.clear()
        for _number in range(OUTBOX):
            socket.answer(b"{}")
        await settle()  # one of them is being sent
        socket.answer(b"{}")
        await settle()
        assert wire.closed is None
        socket.answer(b"{}")
        await settle()
        assert wire.closed == TOO_SLOW

    with_socket(body)


def test_a_socket_that_hoards_answers_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "OUTBOX", 1_000_000)
    with pytest.raises(AssertionError):
        test_who_leaves_answers_unread_is_dropped()


def test_who_takes_nothing_for_long_is_dropped_but_not_for_a_stall_of_the_room() -> None:
    async def body(wire: Wire, socket: Socket, hands: Hands, _: list[Asked]) -> None:
        wire.takes.clear()
        socket.offer(b"{}")
        await settle()
        hands.seconds += 3600  # the room was stopped
        socket.check()
        for _second in range(9):
            hands.seconds += 1
            socket.check()
        await settle()
        assert wire.closed is None
        for _second in range(2):
            hands.seconds += 1
            socket.check()
        await settle()
        assert wire.closed == TOO_SLOW

    with_socket(body)


def test_who_says_nothing_is_dropped_and_who_pings_is_not() -> None:
    async def body(wire: Wire, socket: Socket, hands: Hands, _: list[Asked]) -> None:
        for second in range(60):
            hands.seconds += 1
            if second % 5 == 0:
                wire.say('{"type":"ping"}')
                await settle()
            socket.check()
        assert wire.closed is None
        assert wire.taken == [{"type": "pong", "probe": number} for number in range(1, 13)]
        for _second in range(7):  # it was five since the last ping: two heartbeats, and a bit
            hands.seconds += 1
            socket.check()
        await settle()
        assert wire.closed is None
        for _second in range(2):
            hands.seconds += 1
            socket.check()
        await settle()
        assert wire.closed == HEARTBEAT_MISSED

    with_socket(body)


def test_a_flood_is_refused_and_then_closed() -> None:
    async def body(wire: Wire, socket: Socket, _: Hands, asked: list[Asked]) -> None:
        number = 0
        while wire.closed is None and number < 1000:
            wire.say(f'{{"type":"leave","id":"command-{number:04}"}}')
            number += 1
            await settle() if number % 2 else await asyncio.sleep(0.005)  # a bit of it is allowed all along
        assert wire.closed == FLOOD
        assert 2 * RATE < len(asked) < 5 * RATE
        assert len(asked) + PATIENCE < number < len(asked) + PATIENCE + 10
        refused = [message for message in wire.taken if message["type"] == "refused"]
        assert {message["code"] for message in refused} == {"too-fast"}
        assert {message.id for message in asked if isinstance(message, protocol.Leave)}.isdisjoint(
            message["id"] for message in refused
        )

    with_socket(body)


@pytest.mark.parametrize(
    ("text", "code", "command_id"),
    [
        ('{"type":"leave","id":"command-1","extra":1}', "bad-field", "command-1"),
        ('{"type":"deal","id":"command-1"}', "unknown-type", "command-1"),
        ('{"type":"leave","id":"no"}', "bad-field", None),
        ('{"type":"leave"', "bad-json", None),
        ("[" * 2000, "bad-field", None),
        ("x" * 5000, "too-large", None),
        (None, "bad-json", None),  # a binary frame
    ],
)
def test_a_wrong_message_is_refused_under_its_id_where_it_has_one(
    text: str | None, code: str, command_id: str | None
) -> None:
    async def body(wire: Wire, _: Socket, __: Hands, asked: list[Asked]) -> None:
        wire.incoming.put_nowait({"type": "websocket.receive", "text": text, "bytes": b"\x00"})
        await settle()
        (answer,) = wire.taken
        assert (answer["type"], answer["code"], answer["id"]) == ("refused", code, command_id)
        assert asked == []
        assert wire.closed is None

    with_socket(body)


# -- bots


@pytest.fixture
def bad_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The module of bad bots under a name that another process can import."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parent), *sys.path])
    monkeypatch.setenv("ANANAS_TEST_MARK", str(tmp_path / "mark"))
    yield importlib.import_module("bad_bots")
    no_process_is_left()


def no_process_is_left() -> None:
    """Every thinker is dead, or dying; the pool's own thread may be the one that buries it."""
    until = time.monotonic() + 5
    while multiprocessing.active_children():
        assert time.monotonic() < until
        time.sleep(0.01)


Answer = Callable[[bytes, float], str | None]


def think(answer: Answer, times: int = 1, limit: float = 10.0) -> list[str | None]:
    async def run() -> list[str | None]:
        thinker = Thinker(answer, limit, processes=2)
        try:
            return list(await asyncio.gather(*(thinker.think(b"view") for _ in range(times))))
        finally:
            thinker.close()
            await asyncio.sleep(0.1)

    return asyncio.run(run())


def test_a_bot_thinks_in_a_process_of_its_own(bad_bots: Any) -> None:  # noqa: ANN401
    assert think(bad_bots.legal, times=3) == ["4", "4", "4"]
    assert think(bad_bots.silent) == [None]


def longest_wait(thinker: Thinker) -> float:
    """The longest that the event loop does not come round while a bot thinks for a second."""

    async def run() -> float:
        await thinker.think(b"the process has to start first")
        thought = asyncio.create_task(thinker.think(b"view"))
        longest, before = 0.0, time.monotonic()
        while not thought.done():
            await asyncio.sleep(0.01)
            longest, before = max(longest, time.monotonic() - before), time.monotonic()
        thinker.close()
        return longest

    return asyncio.run(run())


def test_thinking_does_not_hold_the_event_loop(bad_bots: Any) -> None:  # noqa: ANN401
    assert longest_wait(Thinker(bad_bots.slow)) < 0.9


def test_a_bot_that_thinks_in_the_room_itself_would_be_caught(bad_bots: Any) -> None:  # noqa: ANN401
    class Inside(Thinker):
        async def think(self, view: bytes) -> str | None:
            return str(self._answer(view, 1.0))

    assert longest_wait(Inside(bad_bots.slow)) > 0.9


def test_a_bot_that_dies_is_asked_once_more_and_then_has_no_answer(bad_bots: Any) -> None:  # noqa: ANN401
    assert think(bad_bots.dies_once) == ["4"]
    assert think(bad_bots.dies) == [None]


def test_a_bot_that_hangs_is_killed(bad_bots: Any) -> None:  # noqa: ANN401
    began = time.monotonic()
    assert think(bad_bots.hangs, limit=1.0) == [None]
    assert time.monotonic() - began < 5


def test_closing_in_mid_thought_leaves_no_process_behind(bad_bots: Any) -> None:  # noqa: ANN401
    async def run() -> None:
        thinker = Thinker(bad_bots.slow)
        thought = asyncio.create_task(thinker.think(b"view"))
        await asyncio.sleep(0.3)
        thinker.close()
        assert await thought is None
        assert await thinker.think(b"view") is None

    asyncio.run(run())
    no_process_is_left()


def test_bots_of_many_tables_think_at_once_and_none_is_forgotten(bad_bots: Any) -> None:  # noqa: ANN401
    assert think(bad_bots.legal, times=40) == ["4"] * 40


def test_the_more_bots_think_the_less_time_each_has(bad_bots: Any) -> None:  # noqa: ANN401
    told = [float(seconds or 0) for seconds in think(bad_bots.tells_its_time, times=10)]
    assert told[0] == THINK_SECONDS
    assert told == sorted(told, reverse=True)
    assert told[-1] < THINK_SECONDS / 4


def test_one_bot_that_hangs_does_not_hold_the_others_up(bad_bots: Any) -> None:  # noqa: ANN401
    async def run() -> None:
        thinker = Thinker(bad_bots.hangs_on_request, 60, processes=2)
        hung = asyncio.create_task(thinker.think(b"hang"))
        assert await asyncio.wait_for(thinker.think(b"view"), 30) == "4"
        assert not hung.done()
        thinker.close()
        assert await hung is None
        await asyncio.sleep(0.1)

    asyncio.run(run())
    no_process_is_left()


def test_who_does_not_wait_for_his_thought_takes_it_out_of_the_queue(bad_bots: Any) -> None:  # noqa: ANN401
    async def run() -> None:
        thinker = Thinker(bad_bots.slow, processes=1)
        waiting = [asyncio.create_task(thinker.think(b"view")) for _ in range(50)]
        await asyncio.sleep(0)
        for task in waiting[1:]:
            task.cancel()
        assert await asyncio.wait_for(waiting[0], 30) == "4"
        assert await asyncio.wait_for(thinker.think(b"views"), 30) == "5"
        assert thinker._workers.load == 0
        thinker.close()
        await asyncio.sleep(0.1)

    asyncio.run(run())


KINDS = ("illegal", "rubbish", "silent", "breaks", "dies", "hangs")


def bots_that_do_not_play(tmp_path: Path, answer: Answer) -> None:
    """A hand against a bot that gives no placement, at a table whose clock stands still: it has to end all the same."""

    async def body(live: Live) -> None:
        room = await live.open(RuleSet(seats=(2, 2), fantasyland="off", bank_seconds=0), bots=1)
        (ann,) = await live.sit(room, "ann")
        await ann.until(lambda: ann.view["seats"][0]["ready"])  # the bot says so by itself
        await ann.ask(protocol.Ready, hand=1)
        async with asyncio.timeout(60):
            await ann.until(lambda: ann.view["phase"] == "laying")
            while room.table.laying:
                if "confirm" in ann.view["may"]:
                    version = (await ann.lay())["version"]
                    await ann.until(lambda version=version: ann.version >= version)  # type: ignore[misc]
                await asyncio.sleep(0.01)
        log = await live.store.load("table")
        assert log is not None
        told = [type(event).__name__ for event in log.events]
        assert told.count("Confirmed") == 10
        assert "AutoPlaced" not in told

    in_a_room(tmp_path / "room.sqlite", body, thinker=Thinker(answer, limit=0.5))


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_does_not_play_lays_in_order_of_receipt_and_nobody_waits_for_the_clock(
    bad_bots: Any,  # noqa: ANN401
    tmp_path: Path,
    kind: str,
) -> None:
    bots_that_do_not_play(tmp_path, getattr(bad_bots, kind))


@pytest.mark.parametrize("kind", ["illegal", "silent"])
def test_a_bot_that_is_left_to_the_clock_is_caught(
    bad_bots: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    def nowhere(_: PlayerView) -> str:
        return "-/-/-"

    def soon(_: float) -> asyncio.Timeout:
        return asyncio.Timeout(asyncio.get_running_loop().time() + 3)

    monkeypatch.setattr(viewers, "without_thinking", nowhere)
    monkeypatch.setattr(asyncio, "timeout", soon)
    with pytest.raises(TimeoutError):
        bots_that_do_not_play(tmp_path, getattr(bad_bots, kind))


def test_a_thought_about_a_turn_that_is_over_is_dropped(tmp_path: Path) -> None:
    class Waits(Thinker):
        """Thinks for ever, and notes when a thought is dropped."""

        def __init__(self) -> None:
            super().__init__(nothing)
            self.begun, self.dropped = asyncio.Event(), asyncio.Event()

        async def think(self, view: bytes) -> str | None:
            self.begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.dropped.set()
            return None

    async def body(live: Live) -> None:
        room = await live.open(RuleSet(seats=(2, 2), fantasyland="off", bank_seconds=0), bots=1)
        (ann,) = await live.sit(room, "ann")
        await ann.until(lambda: ann.view["seats"][0]["ready"])
        await ann.ask(protocol.Ready, hand=1)
        await ann.until(lambda: ann.view["phase"] == "laying")
        if "confirm" in ann.view["may"]:
            await ann.lay()
        thinker = live.thinker
        assert isinstance(thinker, Waits)
        await asyncio.wait_for(thinker.begun.wait(), 10)
        assert not thinker.dropped.is_set()
        live.pass_time(121)  # its time is spent; the table lays for it
        await asyncio.wait_for(thinker.dropped.wait(), 10)

    in_a_room(tmp_path / "room.sqlite", body, thinker=Waits())


def nothing(view: bytes, seconds: float) -> str | None:
    """Thinks of nothing."""
    raise AssertionError(view, seconds)
