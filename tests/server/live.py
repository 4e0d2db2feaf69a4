"""A room within the test's own process: its store, its clock that the test turns, and ears instead of sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ananas import protocol
from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import Card, parse_cards
from ananas.game.rules import RuleSet
from ananas.server import room as module
from ananas.server.guests import hash_token
from ananas.server.room import BOTS, Room, Rooms, fold
from ananas.server.store import Guest, Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Asked, Thinker
from ananas.table.commands import Command, Deal, Open, Sit
from ananas.table.decide import decide, order_of_play
from ananas.table.state import Table
from tests.table.play import BOARDS, stacked

Message = dict[str, Any]

_numbers = itertools.count()


class Hands:
    """A clock's hands, turned by the test."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Ear:
    """A viewer that writes down what it is told, and notes when; each a window of its own unless one is named."""

    def __init__(
        self, player: str | None, room: Room, notes: list[str] | None = None, window: str | None = None
    ) -> None:
        self.player = player
        self.came = next(_numbers)
        self.proves = False
        self.lag_ms = 0
        self.window = window or f"window-{next(_numbers):06}"
        self.room = room
        self.raw: list[bytes] = []
        self.heard: list[Message] = []
        self.dropped: int | None = None
        self.sent: Asked = protocol.TakeOver()
        self._notes = notes if notes is not None else []
        self._something = asyncio.Event()

    def offer(self, view: bytes) -> None:
        self._hear(view)

    def answer(self, message: bytes) -> None:
        self._hear(message)

    def drop(self, code: int) -> None:
        self.dropped = code

    def _hear(self, message: bytes) -> None:
        self.raw.append(message)
        self.heard.append(json.loads(message))
        self._notes.append(f"{self.heard[-1]['type']} {self.heard[-1].get('version')}")
        self._something.set()

    @property
    def view(self) -> dict[str, Any]:
        """What is seen now."""
        views = [message for message in self.heard if message["type"] == "view"]
        view: dict[str, Any] = views[-1]["view"]
        return view

    @property
    def elsewhere(self) -> bool:
        """Whether the last view says that the seat is played from another window."""
        elsewhere: bool = next(m["elsewhere"] for m in reversed(self.heard) if m["type"] == "view")
        return elsewhere

    @property
    def version(self) -> int:
        """Of the last view."""
        version: int = next(m["version"] for m in reversed(self.heard) if m["type"] == "view")
        return version

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is true, looking whenever something is heard."""
        async with asyncio.timeout(10):
            while not condition():
                self._something.clear()
                await self._something.wait()

    async def ask(self, kind: Callable[..., Asked], command: str = "", **fields: object) -> Message:
        """Ask for something, and wait for the answer to it."""
        command = command or f"command-{next(_numbers):06}"
        return await self.send(kind(id=command, **fields), command)

    async def send(self, message: Asked, command: str) -> Message:
        """Send a message, perhaps again, and wait for the answer to it."""
        before = len(self.heard)
        self.sent = message
        self.room.ask(self, message)

        def answers() -> list[Message]:
            return [message for message in self.heard[before:] if message.get("id") == command]

        await self.until(answers)
        return answers()[-1]

    def mine(self) -> dict[str, Any]:
        """This player's side of the hand."""
        hand = self.view["hand"]
        side: dict[str, Any] = next(side for side in hand["players"] if side["seat"] == hand["you"])
        return side

    async def lay_board(self, board: str) -> Message:
        """Lay of this turn's cards those of a whole board where it has them, and throw the others away."""
        side, rows = self.mine(), Board.parse(board)
        dealt = parse_cards("".join(side["dealt"]))
        top, middle, bottom = (tuple(card for card in dealt if card in rows.row(row)) for row in ROWS)
        placement = Placement(top, middle, bottom, tuple(card for card in dealt if card not in rows.cards))
        number, street = self.view["hand"]["number"], side["street"]
        return await self.ask(protocol.Confirm, hand=number, street=street, placement=str(placement))

    async def lay(self, command: str = "") -> Message:
        """Lay this turn's cards: bottom, middle, top in order of receipt."""
        side, number = self.mine(), self.view["hand"]["number"]
        hand = self.room.table.hand
        assert hand is not None
        placement = str(hand.automatic(hand.seats.index(side["seat"]), None))
        return await self.ask(protocol.Confirm, command, hand=number, street=side["street"], placement=placement)


class Live:
    """Rooms on a database, with a clock that stands still unless the test turns it."""

    def __init__(self, store: Store, thinker: Thinker) -> None:
        self.store = store
        self.thinker = thinker
        self.hands = Hands()
        self.clock = RoomClock(wall=lambda: 1_000_000.0, monotonic=self.hands, not_before=store.alive_at)
        self.rooms = Rooms(store=store, clock=self.clock, thinker=thinker, bot_pause=0)

    async def open(
        self, rules: RuleSet, table_id: str = "table", *, bots: int = 0, host: str = "ann", public: bool = False
    ) -> Room:
        """A new table under these rules."""
        commands: list[Command] = [Open(table=table_id, name="Friday", host=host, rules=rules, public=public)]
        commands += [Sit(player=f"bot:{number}", name=BOTS[number], bot=True) for number in range(bots)]
        table: Table | None = None
        for version, command in enumerate(commands, 1):
            events = decide(table, command, self.clock.now())
            await self.store.append(table_id, version, None, events, due_at=None)
            table = fold(events, table)
        return await self.rooms.get(table_id)

    async def come(self, room: Room, name: str, notes: list[str] | None = None) -> Ear:
        """A known guest, watching."""
        if await self.store.guest_by_id(name) is None:
            await self.store.add_guest(Guest(name, name.title()), hash_token(name), 0)
        ear = Ear(name, room, notes)
        room.join(ear)
        return ear

    async def sit(self, room: Room, *names: str, notes: list[str] | None = None) -> list[Ear]:
        """Known guests, watching and seated in this order."""
        ears: list[Ear] = []
        for name in names:
            ear = await self.come(room, name, notes)
            answer = await ear.ask(protocol.Sit)
            assert answer["type"] == "kept", answer
            ears.append(ear)
        return ears

    async def playing(self, rules: RuleSet, *names: str, notes: list[str] | None = None) -> list[Ear]:
        """People at a new table, a hand dealt, all of them seeing it."""
        ears = await self.sit(await self.open(rules), *names, notes=notes)
        await deal(ears)
        return ears

    def pass_time(self, seconds: float) -> None:
        """Let room time pass, as it does for a room that works."""
        for _ in range(int(seconds * 2)):
            self.hands.seconds += 0.5
            self.clock.now()
        for room in self.rooms._rooms.values():
            room._wake()


def in_a_room(
    path: Path,
    body: Callable[[Live], Awaitable[None]],
    *,
    store: type[Store] = Store,
    thinker: Thinker | None = None,
) -> None:
    """Run a test in a room, and close everything after it.

    The disk is a real one and the clock is not: what passes by it while something is written is not the disk's time.
    """

    async def run() -> None:
        thinks = thinker or Thinker(_no_answer)
        live = Live(store(path), thinks)
        slow_ms, module.SLOW_MS = module.SLOW_MS, 10**9  # type: ignore[misc]
        try:
            await body(live)
        finally:
            await live.rooms.stop()
            thinks.close()
            live.store.close()
            module.SLOW_MS = slow_ms  # type: ignore[misc]

    asyncio.run(run())


def plan(monkeypatch: pytest.MonkeyPatch, room: Room, **boards: str) -> None:
    """Deal the hands to come so that these players can lay these boards; the button begins at the lowest seat."""

    def planned(_: object) -> tuple[Card, ...]:
        table = room.table
        moves = not table.rights or table.rules.button_in_fantasyland == "moves"
        order = order_of_play(table.called, table.button, 0, moves=moves)
        return stacked(table, order, {player: Board.parse(board) for player, board in boards.items()})

    deal_planned(monkeypatch, planned)


def deal_planned(monkeypatch: pytest.MonkeyPatch, planned: Callable[[object], tuple[Card, ...]]) -> None:
    """Deal these decks from now on, none of them sealed, since nobody can choose a sealed one; the lot is 0."""

    async def dealt(_: Room) -> Deal:
        return Deal(deck=planned(None), lot=0)

    def nothing(_: Table) -> None: ...

    monkeypatch.setattr(module, "to_be_sealed", nothing)
    monkeypatch.setattr(Room, "_deal", dealt)


async def into_fantasyland(live: Live, monkeypatch: pytest.MonkeyPatch, rules: RuleSet) -> tuple[Ear, Ear]:
    """Ann and Bob at a new table, in a hand after one that has brought Ann into Fantasyland."""
    ann, bob = await live.sit(room := await live.open(rules), "ann", "bob")
    plan(monkeypatch, room, ann=BOARDS["ann"]["in"], bob=BOARDS["bob"]["plain"])
    await deal([ann, bob])
    while room.table.laying:
        acts = ann if "confirm" in ann.view["may"] else bob
        await acts.lay_board(BOARDS[str(acts.player)]["in" if acts is ann else "plain"])
        for ear in (ann, bob):
            await ear.until(lambda ear=ear: ear.version >= room.version)  # type: ignore[misc]
    for ear in (ann, bob):
        await ear.ask(protocol.GoOn, hand=1)
    for ear in (ann, bob):
        await ear.until(lambda ear=ear: ear.view["phase"] == "laying" and ear.view["hand"]["number"] == 2)  # type: ignore[misc]
    return ann, bob


def _no_answer(view: bytes, seconds: float) -> str | None:
    raise AssertionError("nobody should think here")


async def deal(ears: list[Ear]) -> None:
    """Everybody is ready, and sees his cards."""
    for ear in ears:
        await ear.ask(protocol.Ready, hand=ear.view["hands"] + 1)
    for ear in ears:
        await ear.until(lambda ear=ear: ear.view["phase"] == "laying")  # type: ignore[misc]
