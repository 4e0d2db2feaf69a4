"""A table with everybody who may come to it: each over a real `Socket`, whose other end is the test."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast

from starlette.datastructures import QueryParams
from starlette.websockets import WebSocket

from ananas.fair import commitment
from ananas.game.rules import RuleSet
from ananas.server.guests import hash_token
from ananas.server.room import Room
from ananas.server.store import Guest, Store
from ananas.server.viewers import Asked, Bucket, Socket, Thinker
from ananas.table.state import Table
from tests.server.live import Live, Message

SEEDS: Final = {"ann": "a" * 32, "bob": "b" * 32}
RULES: Final = RuleSet.named("club").but({"seats": "2-4", "bank_seconds": "0", "hand_seconds": "600"})
"""Four seats, of which one stays free."""
_ids: Final = itertools.count()


class Stuck(Thinker):
    """Lets bots think for ever, so that they do not move."""

    def __init__(self) -> None:
        self._for_ever: Final = asyncio.Event()

    async def think(self, view: bytes) -> str | None:
        await self._for_ever.wait()
        return None

    def close(self) -> None:
        pass


class _Line:
    """As much of a WebSocket as a socket touches before it sends."""

    def __init__(self, window: str) -> None:
        self.query_params = QueryParams(window=window)
        self.scope: dict[str, Any] = {}
        self.closed: int | None = None

    async def close(self, code: int) -> None:
        self.closed = code


class Window(Socket):
    """A socket that keeps what it would send, and does not count how fast it is spoken to."""

    def __init__(self, live: Live, room: Room, player: str | None) -> None:
        self.line: Final = _Line(f"window-{next(_ids):06}")
        super().__init__(cast("WebSocket", self.line), player, live.clock)
        self._bucket = Bucket(rate=1e9, burst=10**9)  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
        self.room: Final = room
        self.answers: list[bytes] = []
        self.views: list[bytes] = []
        room.join(self)

    def offer(self, view: bytes) -> None:
        self.views.append(view)

    def answer(self, message: bytes) -> None:
        self.answers.append(message)

    def hear(self, text: str | None) -> None:
        """A frame comes: text, or None for a binary one."""
        self._hear(text, self.put)

    def put(self, message: Asked) -> None:
        self.room.ask(self, message)

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.views[-1])["view"]
        return found

    async def ask(self, **message: Any) -> str:  # noqa: ANN401
        """Say something, and hear what comes of it: `kept`, `pong`, a refusal's code; else `view` or `nothing`."""
        if message.pop("with_id", True):
            message["id"] = f"command-{next(_ids):06}"
        self.answers.clear()
        views = len(self.views)
        self.hear(json.dumps(message))
        await settled(self.room)
        if self.answers:
            answer: Message = json.loads(self.answers[-1])
            return str(answer.get("code") or answer["type"])
        return "view" if len(self.views) > views else "nothing"


async def settled(room: Room) -> None:
    """Wait until the table has done all that it was asked."""
    async with asyncio.timeout(10):
        while room._busy or not room._mailbox.empty():  # noqa: ASYNC110
            await asyncio.sleep(0.0005)


async def known(live: Live, name: str) -> str:
    """A guest of the room."""
    if await live.store.guest_by_id(name) is None:
        await live.store.add_guest(Guest(name, name.title()), hash_token(name), 0)
    return name


class Cast:
    """Who there is at a table: two who sit there, a bot, the host who does not, one who has left, and strangers."""

    def __init__(self, live: Live, room: Room, number: int) -> None:
        self.live: Final = live
        self.room: Final = room
        self.number: Final = number
        self.people: Final[dict[str, Window]] = {}
        self.owner = self.other = ""

    @classmethod
    async def come(cls, live: Live, number: int, phase: str) -> Cast:
        """At a table of their own.

        `between` hands nobody is ready but the bot; `opening`: the two have to open their seeds; `playing`: it is the
        turn of one of them.
        """
        for again in range(20):
            room = await live.open(RULES, f"table-{number}-{again}", bots=1, host=await known(live, "hal"))
            cast = cls(live, room, number)
            for name in ("hal", "dan", "ann", "bob", "cyd", "eve"):
                cast.people[name] = Window(live, room, await known(live, name))
            cast.people["nobody"] = Window(live, room, None)
            elsewhere = await live.open(RULES, f"other-{number}-{again}")
            assert await Window(live, elsewhere, "eve").ask(type="sit") == "kept"
            if await cast._begin(phase):
                return cast
        raise AssertionError("the bot always begins")

    async def _begin(self, phase: str) -> bool:
        """Bring the table so far; tells whether that could be."""
        for name, kind in (("dan", "sit"), ("dan", "leave"), ("ann", "sit"), ("bob", "sit")):
            assert await self.people[name].ask(type=kind) == "kept"
        await self._until(lambda: self.room.table.sealed is not None)
        self.owner, self.other = "ann", "bob"
        if phase == "between":
            return True
        for name in ("ann", "bob"):
            if phase == "opening":
                bound = commitment(self.people[name].view["fair"]["name"], self.seat(name), SEEDS[name])
                assert await self.people[name].ask(type="commit-seed", hand=1, commitment=bound) == "kept"
            assert await self.people[name].ask(type="ready", hand=1) == "kept"
        if phase == "opening":
            return True
        await self._until(lambda: self.room.table.laying)
        acting = [name for name in ("ann", "bob") if "confirm" in self.people[name].view["may"]]
        if "bob" in acting:
            self.owner, self.other = "bob", "ann"
        return acting != []

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        await settled(self.room)

    def seat(self, name: str) -> int:
        found = self.room.table.seat_of(name)
        assert found is not None
        return found

    def placement(self) -> str:
        """What the one whose turn it is may lay."""
        hand = self.room.table.hand
        assert hand is not None
        return str(hand.automatic(hand.seats.index(self.seat(self.owner)), None))


def state(room: Room) -> tuple[object, ...]:
    """Everything that a message could change of a table."""
    return room.table, room.version, room._drafts.by_seat(room.table), room._phrases.said(room.table), room.stands_since


def in_a_cast(path: Path, body: Callable[[Live], Awaitable[None]]) -> None:
    """Run a test in a room whose bots do not move."""

    async def run() -> None:
        live = Live(Store(path), Stuck())
        try:
            await body(live)
        finally:
            await live.rooms.stop()
            live.store.close()

    asyncio.run(run())


def others_seats(table: Table, player: str | None) -> list[object]:
    """What nobody may change of a seat but who sits there, or the host."""
    return [
        (number, seat.player, seat.name, seat.stack, seat.ready, seat.sitting_out, seat.leaving)
        for number, seat in table.seated
        if seat.player != player
    ]
