"""How much of the room one address, one guest and one socket may have; and that nobody is shut out by somebody else."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from ananas.refused import Refused
from ananas.server import api as api_module
from ananas.server import app as app_module
from ananas.server import limits as limits_module
from ananas.server import viewers as viewers_module
from ananas.server.limits import Limits, Places
from ananas.server.viewers import FLOOD, HEARTBEAT_MISSED, Bucket
from tests.trust.serving import TABLE, Serving, ended, frame, in_a_served_room

pytestmark = pytest.mark.server

FLOODS, QUIET = "127.0.0.2", "127.0.0.3"
"""Addresses of this machine. That of 127.0.0.1 is a proxy's, whose connections are many people's."""


async def closed(reader: asyncio.StreamReader, seconds: float = 5) -> bool:
    """Whether the other side closes before long."""
    try:
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), seconds)
    except TimeoutError:
        return False
    return True


async def get(room: Serving, source: str, path: str = "/api/room", **headers: str) -> int:
    """The status of an answer; 0 where there is none."""
    reader, writer = await room.raw(source)
    try:
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{lines}\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 5)
        return int(answer.split()[1]) if answer else 0
    except ConnectionError:
        return 0
    finally:
        writer.close()


# -- connections


def shut_out_by_connections(path: Path) -> bool:
    """Whether an address that opens all the connections it can keeps another one out."""
    found = list[int]()

    async def body(room: Serving) -> None:
        held = [await room.raw(FLOODS) for _ in range(60)]
        await asyncio.sleep(0.1)
        found.append(await get(room, QUIET))
        for _, writer in held:
            writer.close()
        await asyncio.sleep(0.1)
        found.append(await get(room, FLOODS))

    in_a_served_room(path, body, connections=40)
    assert found[1] == 200, "whoever stops is served again"
    return found[0] != 200


def test_an_address_with_connections_without_end_shuts_out_nobody_else(tmp_path: Path) -> None:
    assert not shut_out_by_connections(tmp_path / "room.sqlite")


def test_a_planted_room_without_shares_is_shut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "SHARE", 1)
    assert shut_out_by_connections(tmp_path / "room.sqlite")


def test_sockets_are_connections_and_are_given_back(tmp_path: Path) -> None:
    async def body(room: Serving) -> None:
        held = [await room.upgraded(FLOODS) for _ in range(10)]
        with pytest.raises((AssertionError, asyncio.IncompleteReadError, ConnectionError)):
            await room.upgraded(FLOODS)
        for _, writer in held:
            writer.close()
        await asyncio.sleep(0.2)
        again = [await room.upgraded(FLOODS) for _ in range(10)]
        for _, writer in again:
            writer.close()

    in_a_served_room(tmp_path / "room.sqlite", body, connections=40)


# -- time


SLOW: Final[dict[str, list[bytes]]] = {
    "nothing": [b""],
    "half a header": [b"GET / HTTP/1.1\r\nHost: he"],
    "header by header": [b"GET / HTTP/1.1\r\n", *[b"X: y\r\n"] * 30],
    "letter by letter": [bytes([letter]) for letter in b"GET / HTTP/1.1\r\nHost: a-rather-long-name"],
    "half a handshake": [b"GET /api/tables/table/socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n"],
    "half a body": [b"POST /api/guests HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n", b"{"],
}


async def outlasts(room: Serving, parts: list[bytes]) -> bool:
    """Whether somebody who says so little, a little at a time, keeps his connection."""
    reader, writer = await room.raw()
    with contextlib.suppress(ConnectionError):
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.01)
    held = not await closed(reader, 1)
    writer.close()
    return held


@pytest.mark.parametrize("seconds", [0.2, 60.0], ids=["in time", "planted: in no time"])
def test_who_does_not_say_what_he_wants_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(app_module, "REQUEST_SECONDS", seconds)
    found = list[bool]()

    async def body(room: Serving) -> None:
        found.extend(await asyncio.gather(*(outlasts(room, parts) for parts in SLOW.values())))

    in_a_served_room(tmp_path / "room.sqlite", body)
    assert any(found) == (seconds > 1)


@pytest.mark.parametrize("silence", [300, 60_000], ids=["in time", "planted: in no time"])
def test_who_sends_a_frame_for_ever_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silence: int) -> None:
    monkeypatch.setattr(viewers_module, "SILENT_MS", silence)
    found = list[int | None]()

    async def body(room: Serving) -> None:
        reader, writer = await room.upgraded()

        async def drip() -> None:
            writer.write(b"\x81\xfe\x10\x00")
            for _ in range(100):
                writer.write(b"x")
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        with contextlib.suppress(TimeoutError):
            found.append((await asyncio.wait_for(ended(reader), 3))[0])
        dripping.cancel()
        writer.close()

    in_a_served_room(tmp_path / "room.sqlite", body)
    assert (found == [HEARTBEAT_MISSED]) == (silence < 1000)


# -- sockets


def test_a_flood_of_sockets_from_an_address_gives_way_to_the_guest_who_has_few(tmp_path: Path) -> None:
    async def body(room: Serving) -> None:
        flood: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        for number in range(6):  # one after the other: who comes while the table is being read may overtake the first
            await watched_by(room, number)
            flood.append(await room.upgraded(FLOODS))
        await watched_by(room, 6)
        reader, writer = await room.upgraded(FLOODS, await room.guest("Ann"))
        writer.write(frame(1, b'{"type":"ping"}'))
        await asyncio.wait_for(reader.readuntil(b'"pong"'), 30)
        assert (await ended(flood[0][0]))[0] == FLOOD, "the oldest of them goes"
        more = await room.upgraded(FLOODS)
        assert (await ended(more[0]))[0] == FLOOD, "and no newer one comes"
        for _, each in (*flood, more, (reader, writer)):
            each.close()

    in_a_served_room(tmp_path / "room.sqlite", body, sockets=6)


NONSENSE: Final = frame(1, b'{"type":"nothing"}')


async def refusals(reader: asyncio.StreamReader, at_least: int) -> int:
    """How many refusals come, as many as these at the least, until nothing has come for a moment."""
    text = b""
    with contextlib.suppress(TimeoutError):
        while True:
            text += await asyncio.wait_for(reader.read(2**16), 0.3 if text.count(b'"refused"') >= at_least else 10)
    return text.count(b'"refused"')


@pytest.mark.parametrize("at_once", [5, 10**6], ids=["in moderation", "planted: all that comes"])
def test_of_what_is_no_message_a_socket_is_heard_in_moderation_and_the_others_are_heard_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(viewers_module, "NONSENSE", 0.001)
    monkeypatch.setattr(viewers_module, "NONSENSE_AT_ONCE", at_once)
    found = list[int]()

    async def body(room: Serving) -> None:
        reader, writer = await room.upgraded()
        writer.write(NONSENSE * 20)
        found.append(await refusals(reader, at_once + 1 if at_once < 20 else 20))
        other, hers = await room.upgraded()
        hers.write(frame(1, b'{"type":"ping"}'))
        await asyncio.wait_for(other.readuntil(b'"pong"'), 30)
        for each in (writer, hers):
            each.close()

    in_a_served_room(tmp_path / "room.sqlite", body)
    assert found == [6 if at_once == 5 else 20]


@pytest.mark.parametrize("blind", [False, True], ids=["seen", "planted: not seen"])
def test_who_is_gone_is_not_waited_for_with_what_he_has_left_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, blind: bool
) -> None:
    monkeypatch.setattr(viewers_module, "NONSENSE", 20)
    monkeypatch.setattr(viewers_module, "NONSENSE_AT_ONCE", 5)
    monkeypatch.setattr(viewers_module, "RATE", 10**6)
    if blind:
        monkeypatch.setattr(app_module.SocketProtocol, "gone", False)
    left = list[bool]()

    async def body(room: Serving) -> None:
        reader, writer = await room.upgraded()
        writer.write(NONSENSE * 500)
        for _ in range(6):  # from here on each is waited for
            await asyncio.wait_for(reader.readuntil(b'"refused"'), 10)
        writer.transport.abort()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(watched_by(room, 0), 2 if blind else 20)
            left.append(True)

    in_a_served_room(tmp_path / "room.sqlite", body)
    assert left == ([] if blind else [True])


def shares(places: Places) -> list[str]:
    """Who of three at one address keeps places where one of them takes all he can, in which order the first leave."""
    left = list[str]()
    with contextlib.ExitStack() as stack:

        def come(who: str | None) -> bool:
            return stack.enter_context(places.take("192.0.2.1", who, lambda: left.append(str(who))))

        for _ in range(10):
            come("greedy")
        for who in ("ann", "bob", "ann", "bob", "greedy"):
            if not come(who):
                left.append(f"not {who}")
    with places.take("192.0.2.1", "ann") as taken:
        assert taken, "nothing is left behind"
    assert not places._taken
    return left


FAIR: Final = ["greedy", "greedy", "greedy", "greedy", "not greedy"]


def test_places_of_an_address_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shares(Places(6)) == FAIR
    monkeypatch.setattr(Places, "_room_for", _first_come)
    assert shares(Places(6)) != FAIR, "planted: first come"


def _first_come(self: Places, household: str, wanted: limits_module._Place) -> bool:
    return sum(map(len, self._taken.get(household, {}).values())) < self._sockets


def crowd(places: Places, *, sit: set[str]) -> list[str]:
    """Who is put out or kept out where six names have taken all six places of an address, and these of them all sit."""
    left = list[str]()
    with contextlib.ExitStack() as stack:

        def come(who: str) -> None:
            if not stack.enter_context(
                places.take("192.0.2.1", who, lambda: left.append(who), seated=lambda: who in sit)
            ):
                left.append(f"not {who}")

        for who in ("ann", "name 1", "name 2", "name 3", "name 4", "ann"):
            come(who)
        for who in ("name 5", "bob", "bob", "cyd"):
            come(who)
        sit.add("name 4")
        for who in ("dan", "eve", "fay"):
            come(who)
    assert not places._taken
    return left


SEATED: Final = {"ann", "bob", "cyd", "dan", "fay"}
PLAYERS_FIRST: Final = ["not name 5", "name 1", "name 2", "name 3", "ann", "not eve", "bob"]
"""Ann is asked for nothing as long as somebody is there who does not sit; name 4 sits down in the end."""


def test_who_sits_counts_before_names_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert crowd(Places(6), sit=set(SEATED)) == PLAYERS_FIRST
    monkeypatch.setattr(limits_module, "_given_up", _all_alike)
    assert crowd(Places(6), sit=set(SEATED)) != PLAYERS_FIRST, "planted: seats are no matter"


def _all_alike(taken: Any, wanted: limits_module._Place) -> limits_module._Place | None:  # noqa: ANN401
    places = [place for those in taken.values() for place in those]
    return limits_module._of_the_greediest(places, taken, wanted)


async def watched_by(room: Serving, count: int) -> None:
    """Wait until as many sockets watch its table."""
    table = await room.app.state.rooms.get(TABLE)
    while len(table._viewers) != count:  # noqa: ASYNC110
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("fault", [False, True], ids=["whole", "planted: seats are no matter"])
def test_a_crowd_of_names_keeps_no_player_of_its_address_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fault: bool
) -> None:
    """Over real sockets: Ann sits, her line breaks, and the names of a crowd have all places of her address."""
    found = list[int | None]()
    if fault:
        monkeypatch.setattr(limits_module, "_given_up", _all_alike)

    async def body(room: Serving) -> None:
        ann = await room.guest("Ann")
        reader, writer = await room.upgraded(FLOODS, ann)
        writer.write(frame(1, b'{"type":"sit","id":"sitting-down"}'))
        await asyncio.wait_for(reader.readuntil(b'"kept"'), 30)
        crowd = [await room.upgraded(FLOODS, await room.guest(f"Name {number}")) for number in range(5)]
        await watched_by(room, 6)
        writer.close()
        await watched_by(room, 5)
        crowd.append(await room.upgraded(FLOODS, await room.guest("Name 6")))
        await watched_by(room, 6)
        reader, writer = await room.upgraded(FLOODS, ann)
        end = asyncio.ensure_future(ended(reader))
        # Whoever is turned away is told so at once; a farewell of his own would be answered in place of that.
        await asyncio.wait({end}, timeout=2)
        if not end.done():
            writer.write(frame(1, b'{"type":"ping"}') + frame(8, b"\x03\xe8"))
        found.append((await end)[0])
        for _, each in (*crowd, (reader, writer)):
            each.close()

    in_a_served_room(tmp_path / "room.sqlite", body, sockets=6)
    assert found == [FLOOD if fault else 1000]


# -- what is made


class Time:
    """Seconds that pass when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(limits_module, "Bucket", _with(found))
    return found


def _with(clock: Time) -> Callable[..., Bucket]:
    def make(*, rate: float, burst: int) -> Bucket:
        return Bucket(rate=rate, burst=burst, monotonic=clock)

    return make


def taken(limits: Limits, address: str, guest: str | None, times: int) -> int:
    """How many of so many tries are allowed."""
    allowed = 0
    for _ in range(times):
        with contextlib.suppress(Refused):
            limits.take(address, guest)
            allowed += 1
    return allowed


def test_a_flood_from_an_address_uses_up_its_own_share_and_not_for_ever(clock: Time) -> None:
    limits = Limits(60)
    assert taken(limits, "192.0.2.1", None, 1000) == 60
    assert taken(limits, "192.0.2.2", None, 1) == 1, "another address"
    assert taken(limits, "192.0.2.1", "ann", 1) == 1, "somebody known, at that very address"
    assert taken(limits, "192.0.2.1", "bob", 1000) == 60, "a guest who floods"
    assert taken(limits, "192.0.2.1", "ann", 10) == 10, "another guest, at his address"
    assert taken(limits, "192.0.2.9", "bob", 10) == 0, "a guest, whatever address he takes"
    for number in range(100):
        taken(limits, "192.0.2.1", f"guest-{number}", 60)
    assert taken(limits, "192.0.2.1", "dan", 1) == 0, "an address, however many names it takes"
    assert taken(limits, "2001:db8::1", None, 60) == 60
    assert taken(limits, "2001:db8::ffff", None, 1) == 0, "the network of one customer"
    for _ in range(120):  # while the flood goes on
        clock.now += 1
        taken(limits, "192.0.2.1", "bob", 100)
    assert taken(limits, "192.0.2.1", "ann", 10) == 10
    clock.now += 60
    assert taken(limits, "192.0.2.1", "bob", 100) == 60, "and whoever stops has his share again"
    assert taken(limits, "192.0.2.1", None, 100) == 60


def test_a_planted_limit_that_knows_no_guests_is_caught(clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Limits.take

    def by_address_alone(self: Limits, address: str, guest: str | None = None) -> None:
        whole(self, address)

    monkeypatch.setattr(Limits, "take", by_address_alone)
    limits = Limits(60)
    taken(limits, "192.0.2.1", "bob", 1000)
    assert taken(limits, "192.0.2.1", "ann", 10) == 0


def test_addresses_without_end_are_forgotten_and_cost_little(clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "TIDY", 100)
    limits = Limits(60)
    for number in range(3000):
        clock.now += 1
        limits.take(f"192.0.{number // 250}.{number % 250}")
    assert len(limits._buckets) <= 200
    monkeypatch.setattr(Bucket, "full", False)  # planted: nothing is forgotten
    for number in range(3000):
        limits.take(f"198.51.{number // 250}.{number % 250}")
    assert len(limits._buckets) > 3000


def test_requests_without_end_are_refused_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "REQUESTS", 20)
    found = dict[str, list[int]]()

    async def body(room: Serving) -> None:
        found["flood"] = [await get(room, FLOODS) for _ in range(25)]
        found["quiet"] = [await get(room, QUIET), await get(room, FLOODS, "/t/table")]
        # A proxy says for whom it asks; nobody else is believed.
        found["proxied"] = [await get(room, "127.0.0.1", X_Forwarded_For=FLOODS), await get(room, "127.0.0.1")]
        found["liar"] = [await get(room, FLOODS, X_Forwarded_For=QUIET)]

    in_a_served_room(tmp_path / "room.sqlite", body, creations=1)
    assert found["flood"][:20] == [200] * 20
    assert 429 in found["flood"][20:]
    assert 429 not in found["quiet"]
    assert found["proxied"] == [429, 200]
    assert found["liar"] == [429]


TABLES: Final = 100


def test_tables_without_end_are_put_away_and_the_room_stays_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand: `python -m tests.trust.tables`."""
    from tests.trust.tables import open_many

    monkeypatch.setattr(api_module, "TABLES", 10)
    open_many(tmp_path / "room.sqlite", TABLES)


def test_a_planted_room_that_puts_nothing_away_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ananas.server.room import Room
    from tests.trust.tables import Wrong, open_many

    def never(_: Any) -> bool:  # noqa: ANN401
        return False

    monkeypatch.setattr(Room, "idle", property(never))
    with pytest.raises(Wrong):
        open_many(tmp_path / "room.sqlite", 20)
