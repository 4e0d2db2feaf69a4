"""Everybody is dropped at once and comes back at once, again and again: in the end all of them are whole, and nobody paid.

Whole is who sees the newest version of his table, from his own seat, and may play it from exactly one of his sockets,
although some of those he had before still hang, open and forgotten.

    python -m tests.trust.storm --clients 2000 --times 20     # tells whether all were whole within ten seconds

`bench/storm.py` writes what comes of it to the page of results.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from ananas.server.store import load, open_to_check, table_ids
from tests.chance import Chance
from tests.server.house import House

Message = dict[str, Any]

LIMIT: Final = 10.0
"""Within so many seconds everybody is to be whole again, says the command."""
PATIENCE: Final = 60.0
"""Seconds after which what has not come will not come: a bound for a broken room, not a promise of a working one."""
RULES: Final = {"fantasyland": "off", "hand_seconds": "600", "bank_seconds": "600", "settlement_cap": "none"}
TABLES_OF_ONE: Final = 4
"""At so many tables each guest sits: fewer than half of the sockets he may have, since some of them hang."""


_opened: Final[list[ClientConnection]] = []
"""Every socket of this storm, so that in the end none is left."""
_hung: Final[set[ClientConnection]] = set()
"""Those that hang."""
PING_SECONDS: Final = 4.0
"""As often as browsers say that they are there."""


class NotWhole(AssertionError):
    """Somebody was not whole again."""


class Client:
    """Somebody with a table open, in a window that stays the same; `seat`: where he sits, null for who looks on."""

    def __init__(self, house: House, table: str, cookie: str | None, seat: int | None, number: int) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.version = -1
        self.view: Message = {}
        self.elsewhere = False
        self.hung: list[ClientConnection] = []
        self._number: Final = number
        self._commands = 0
        self._url: Final = f"ws://127.0.0.1:{house.port}/api/tables/{table}/socket?window=window-{number:06}"
        self._origin: Final = Origin(house.url)
        self._headers: Final = {} if cookie is None else {"Cookie": f"ananas_guest={cookie}"}
        self._socket: ClientConnection | None = None

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None
        return self._socket

    async def come(self) -> None:
        """Open the table, and see it."""
        self._socket = await connect(
            self._url,
            origin=self._origin,
            additional_headers=self._headers,
            compression=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            close_timeout=1,
            max_queue=None,
        )
        _opened.append(self._socket)
        self.version, self.view = -1, {}
        message = await self.next()
        if message["type"] != "view":
            raise NotWhole(f"the first thing that is said is {message['type']}")

    async def next(self) -> Message:
        try:
            async with asyncio.timeout(PATIENCE):
                message: Message = json.loads(await self.socket.recv())
        except TimeoutError:
            raise NotWhole("nothing is said any more") from None
        except ConnectionClosed as end:
            raise NotWhole(f"the room has closed the socket: {end}") from None
        if message["type"] == "view":
            self.version, self.view, self.elsewhere = message["version"], message["view"], message["elsewhere"]
        return message

    async def ask(self, kind: str, **fields: object) -> Message:
        self._commands += 1
        command = f"{kind}-{self._number:06}-{self._commands:06}"
        await self.socket.send(json.dumps({"type": kind, "id": command, **fields}))
        while (message := await self.next()).get("id") != command:
            pass
        return message

    async def drop(self, chance: Chance) -> None:
        """The connection is cut, or closed, or hangs, which the room does not notice."""
        match chance.below(3):
            case 0:
                self.socket.transport.abort()
                _opened.remove(self.socket)
            case 1:
                self.socket.transport.close()
                _opened.remove(self.socket)
            case _:
                self.hung.append(self.socket)
                _hung.add(self.socket)

    async def let_go(self) -> None:
        """What hung is gone at last; before that it was told that it does not play any more."""
        for socket in self.hung:
            with contextlib.suppress(ConnectionClosed):
                await self._does_not_play(socket)
            socket.transport.abort()
            _hung.discard(socket)
            _opened.remove(socket)
        self.hung.clear()

    async def _does_not_play(self, socket: ClientConnection) -> None:
        if self.seat is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                while not json.loads(await socket.recv()).get("elsewhere"):
                    pass
        except TimeoutError:
            raise NotWhole(f"seat {self.seat} is played from two sockets") from None


@dataclass
class Storm:
    """What came of it: how long it took each time until everybody was whole, in seconds.

    `room_cpu` and `own_cpu`: how much of a processor that took in all, the room and those who came.
    """

    seed: int
    clients: int
    took: list[float] = field(default_factory=list[float])
    room_cpu: float = 0.0
    own_cpu: float = 0.0

    def __str__(self) -> str:
        longest = max(self.took)
        kept = "within" if longest <= LIMIT else "NOT within"
        return (
            f"seed {self.seed}: {self.clients} clients dropped and back {len(self.took)} times, all whole {kept} "
            f"{LIMIT:.0f} s: {longest:.2f} s at the longest, {sum(self.took) / len(self.took):.2f} s on average"
        )


class Seated(NamedTuple):
    """A table with three players in mid-hand, and somebody who looks on; `dealt_at`: no clock has run before that."""

    clients: Sequence[Client]
    dealt_at: float


async def _table(house: House, cookies: Sequence[str], first: int) -> Seated:
    """A new table."""
    table = house.table(cookies[0], seats=len(cookies), changes=RULES)
    clients = [Client(house, table, cookie, seat, first + seat) for seat, cookie in enumerate(cookies)]
    for client in clients:
        await client.come()
        assert (await client.ask("sit", seat=client.seat))["type"] == "kept"
    dealt_at = time.monotonic()
    for client in clients:
        assert (await client.ask("ready", hand=1))["type"] == "kept"
    while clients[0].view["phase"] != "laying":
        await clients[0].next()
    watcher = Client(house, table, None, None, first + len(cookies))
    await watcher.come()
    return Seated([*clients, watcher], dealt_at)


async def _is_whole(clients: Sequence[Client], *, on: bool) -> None:
    """Raise `NotWhole` unless everybody at a table sees its newest version from his own seat, and may play."""
    newest = 0
    for client in clients:
        if client.seat is not None:
            answer = await client.ask("always", on=on)
            if answer["type"] != "kept":
                raise NotWhole(f"seat {client.seat} may not play: {answer['code']}")
            newest = max(newest, answer["version"])
    for client in clients:
        while client.version < newest:
            await client.next()
        if client.view["you"] != client.seat or client.elsewhere:
            raise NotWhole(
                f"who sits at {client.seat} is shown seat {client.view['you']}, elsewhere: {client.elsewhere}"
            )
        seen = [(seat["name"], seat["connected"]) for seat in client.view["seats"] if seat is not None]
        if not all(connected for _, connected in seen):
            raise NotWhole(f"who is there is told to be away: {seen}")


def _has_paid(clients: Sequence[Client], dealt_at: float) -> None:
    """Raise `NotWhole` where anybody has paid time that was not his."""
    passed = 1000 * (time.monotonic() - dealt_at)
    for client in clients:
        acting = {side["seat"] for side in client.view["hand"]["players"] if side["acting"]}
        for seat in client.view["seats"]:
            if seat is None or seat["clock"] is None:
                raise NotWhole("the hand is over, and nobody has laid anything")
            clock = seat["clock"]
            spent = clock["hand_total_ms"] + clock["bank_total_ms"] - clock["hand_ms"] - clock["bank_ms"]
            if spent > (passed if seat["seat"] in acting else 0):
                raise NotWhole(f"seat {seat['seat']} has paid {spent} ms, in {passed:.0f}")


async def _blow(storm: Storm, house: House, times: int) -> None:
    beating = asyncio.create_task(_beat())
    try:
        await _come_and_go(storm, house, times)
    finally:
        beating.cancel()
        for socket in _opened:
            socket.transport.abort()
        _opened.clear()
        _hung.clear()
        await asyncio.sleep(0.1)


async def _beat() -> None:
    """Whoever is there says so from time to time, as browsers do; else he would be taken for gone."""
    while True:
        await asyncio.sleep(PING_SECONDS)
        for socket in _opened[:]:
            if socket not in _hung:
                with contextlib.suppress(ConnectionClosed):
                    await socket.send('{"type":"ping"}')


async def _come_and_go(storm: Storm, house: House, times: int) -> None:
    chance = Chance(f"storm {storm.seed}")
    count = storm.clients // 4
    guests = [house.guest(f"Guest {number}") for number in range(3 * -(-count // TABLES_OF_ONE))]
    tables = [
        await _table(house, [guests[(3 * number + seat) % len(guests)] for seat in range(3)], 4 * number)
        for number in range(count)
    ]
    everybody = [client for table in tables for client in table.clients]
    for number in range(times):
        await asyncio.gather(*(client.drop(chance) for client in everybody))
        back, room_cpu, own_cpu = time.monotonic(), _cpu_of(house), time.process_time()
        places = asyncio.Semaphore(500)  # as many calls at once as the room's backlog may hold

        async def come(client: Client, places: asyncio.Semaphore = places) -> None:
            async with places:
                await client.come()

        async with asyncio.timeout(10 * PATIENCE):
            await asyncio.gather(*map(come, everybody))
            await asyncio.gather(*(_is_whole(table.clients, on=number % 2 == 0) for table in tables))
        storm.took.append(time.monotonic() - back)
        storm.room_cpu += _cpu_of(house) - room_cpu
        storm.own_cpu += time.process_time() - own_cpu
        await asyncio.gather(*(client.let_go() for client in everybody))
    for table in tables:
        _has_paid(table.clients, table.dealt_at)


def _cpu_of(house: House) -> float:
    """How many seconds of a processor the room has used so far, where the system tells."""
    told = Path(f"/proc/{house.process.pid}/stat")
    if not told.exists():
        return 0.0
    fields = told.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def allow_as_many() -> None:
    """Let this process have as many connections as it may."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def blow(path: Path, clients: int, times: int, *, seed: int, fault: str | None = None) -> Storm:
    """Drop so many clients so often at once. Raises `NotWhole` where any of them was not whole again."""
    storm = Storm(seed, clients)
    house = House(path)
    if fault is not None:
        house.main = ("tests.trust.faulty", fault)
    house.start()
    try:
        asyncio.run(_blow(storm, house, times))
        house.end(signal.SIGTERM)
        _nobody_was_laid_for(path)
    except NotWhole as error:
        raise NotWhole(f"--seed {seed}: {error}") from error
    finally:
        house.close()
    return storm


def _nobody_was_laid_for(path: Path) -> None:
    with closing(open_to_check(path)) as db:
        for table in table_ids(db):
            log = load(db, table)
            assert log is not None
            kinds = {type(event).__name__ for event in log.events}
            if kinds & {"TimedOut", "AutoPlaced", "HandVoided"}:
                raise NotWhole(f"the table had to lay for somebody: {kinds}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", "--count", type=int, default=2000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--fault", help="what is wrong with the room, of those in tests/trust/faulty.py")
    options = parser.parse_args()
    allow_as_many()
    with tempfile.TemporaryDirectory() as directory:
        try:
            storm = blow(
                Path(directory) / "room.sqlite",
                options.clients,
                options.times,
                seed=options.seed,
                fault=options.fault,
            )
        except NotWhole as error:
            sys.exit(f"a fault: {error}")
    print(storm)
    sys.exit(max(storm.took) > LIMIT)


if __name__ == "__main__":
    main()
