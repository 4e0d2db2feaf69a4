"""Two worlds that differ only in what a viewer cannot know, played through the whole room: he is sent the same bytes.

A session is played once, by chance of the test's own, and what everybody asked is written down. Then it is played again,
each hand with two cards exchanged that nobody but their owner came to know: what he threw away, and what was dealt to
nobody; in the last hand, which is broken off, whatever the others do not know yet. Everybody asks the same again, the owner
with his cards' counterparts. Whatever anybody else was sent has to be the same, byte for byte: messages in their order,
answers over HTTP with their headers, what bots did, lines of the log, and what is stored for everybody to know. Only the
hashes that stand for hidden cards differ: they are the four named in `HASHES`, and whatever is beside them has to be equal.

Chance, clock and threads are the test's, so that nothing else differs. How long things take is not looked at here.

    python -m tests.trust.twins --deals 50000 --seed 7
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import functools
import hashlib
import io
import json
import re
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast
from unittest.mock import patch

import msgspec
import structlog

from ananas import fair
from ananas.coach import review
from ananas.fair.deck import SecretDeck, choose, climb, deck_roots, deck_seeds, leaf, make_deck, path, tree
from ananas.game.board import ROWS, Placement, Row
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.view import HandView, PlayerView
from ananas.protocol import View
from ananas.server import api, app, reviews, room, viewers
from ananas.server.reviews import lay_carefully
from ananas.server.room import BOT, BOTS, Room
from ananas.server.settings import Settings
from ananas.server.store import Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Asked, BotSeat, Thinker, Viewer
from ananas.server.workers import Workers
from ananas.table.seeds import name_of
from ananas.table.state import Seat, Table
from tests.chance import Chance
from tests.server import coaches
from tests.table.play import legal, lucky, unfinished

T = TypeVar("T")
Message = dict[str, Any]

HASHES: Final = re.compile(rb'"(root|deck_root|choice)":"[0-9a-f]{64}"|"path":\["[0-9a-f]{64}"(?:,"[0-9a-f]{64}")*\]')
"""What stands for hidden cards in what is sent: the roots, what is chosen by them, and the ways to the roots."""
LOG: Final = "(the log)"
ROWS_KEPT: Final = "(what is stored for everybody)"
NOBODY: Final = "(nobody)"
"""Whoever has no cookie; who has a link to a hand is one of them."""


class Leak(AssertionError):
    """Somebody was told something that depends on what he cannot know."""


# -- a session, as it is written down


class Join(NamedTuple):
    """Somebody opens the table in a window, by a socket that is called `line`; `proof`: he wants to check his cards."""

    who: str
    line: str
    window: str
    proof: bool = False


class Drop(NamedTuple):
    """A socket is closed."""

    line: str


class Say(NamedTuple):
    """Something is sent over a socket."""

    line: str
    message: Message


class Call(NamedTuple):
    """A request over HTTP; `zipped`: its sender reads what is compressed."""

    who: str
    method: str
    path: str
    body: Any = None
    zipped: bool = False


class Wait(NamedTuple):
    """So many seconds pass."""

    seconds: float


Deed = Join | Drop | Say | Call | Wait
Swap = tuple[Card, Card]


class Plan(NamedTuple):
    """What a session is like.

    `people`: the guests who sit down, `bots`: who plays beside them. `sealed`: whether hands are dealt from sealed decks,
    which takes longer. `looks`: of one in how many hands somebody asks for all there is over HTTP. `slow`: at one in how
    many turns of people the table lays for them.
    """

    seed: str
    hands: int
    rules: RuleSet
    people: tuple[str, ...] = ("ann", "bob")
    bots: tuple[str, ...] = ("kiwi",)
    sealed: bool = False
    looks: int = 25
    slow: int = 25


class Record(NamedTuple):
    """What became of a session: deeds in their order, the hands by number, and what each viewer was told.

    `decks`: which of its sealed decks each hand was dealt from, and their root. `last`: a hand that was broken off.
    """

    deeds: tuple[Deed, ...]
    hands: Mapping[int, Hand]
    players: Mapping[int, tuple[str, ...]]
    told: Mapping[str, Sequence[bytes]]
    decks: Mapping[int, tuple[int, str]]
    thoughts: Mapping[tuple[str, int, int], str]
    last: int | None


def plain(told: bytes) -> bytes:
    """What was told, without the hashes that stand for hidden cards."""
    return HASHES.sub(b"#", told)


# -- a world in which chance, time and threads are the test's


class Dice:
    """In place of `secrets`: what looks like chance, the same for each module every time, whatever other modules draw."""

    def __init__(self, seed: str) -> None:
        self._seed: Final = seed
        self._drawn: Final = Counter[str]()

    def _bytes(self, size: int) -> bytes:
        module = sys._getframe(2).f_globals["__name__"]
        self._drawn[module] += 1
        return hashlib.shake_256(f"{self._seed} {module} {self._drawn[module]}".encode()).digest(size)

    def token_bytes(self, size: int = 32) -> bytes:
        return self._bytes(size)

    def token_hex(self, size: int = 32) -> str:
        return self._bytes(size).hex()

    def token_urlsafe(self, size: int = 32) -> str:
        return base64.urlsafe_b64encode(self._bytes(size)).rstrip(b"=").decode()

    def choice(self, things: Sequence[T]) -> T:
        return things[int.from_bytes(self._bytes(8)) % len(things)]

    def randbelow(self, limit: int) -> int:
        return int.from_bytes(self._bytes(8)) % limit


class Calm(Store):
    """A store that writes and reads at once, in the order in which it is asked, and lets everybody else go on meanwhile."""

    def _connect(self) -> Any:  # noqa: ANN401
        db = super()._connect()
        db.execute("PRAGMA synchronous = OFF")
        return db

    async def _write(self, run: Callable[[Any], T]) -> T:
        for _ in range(4):
            await asyncio.sleep(0)
        assert self._db is not None
        self._db.execute("BEGIN IMMEDIATE")
        try:
            return run(self._db)
        finally:
            self._db.execute("COMMIT")

    async def _read(self, read: Callable[[Any], T]) -> T:
        await asyncio.sleep(0)
        assert self._db is not None
        return read(self._db)


async def at_once(work: Callable[..., T], *args: Any, **named: Any) -> T:  # noqa: ANN401
    """In place of `asyncio.to_thread`."""
    await asyncio.sleep(0)
    return work(*args, **named)


def _nothing(*_: object) -> None:
    """In place of what is not wanted."""


def _lot() -> int:
    return 0


async def never(*_: object) -> None:
    """In place of what runs beside from time to time."""
    await asyncio.Event().wait()


class Hands:
    """The hands of a clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def by_every_byte(view: bytes, me: PlayerView) -> str:
    """A placement of the cards dealt that depends on every byte of what was told."""
    digest = hashlib.sha256(view).digest()
    cards = sorted(me.dealt, key=lambda card: hashlib.sha256(digest + card.encode()).digest())
    rows: dict[Row, list[Card]] = {row: [] for row in ROWS}
    for place, card in enumerate(cards[: me.to_lay]):
        free = [row for row in ROWS if len(rows[row]) < me.board.room(row)]
        rows[free[digest[place] % len(free)]].append(card)
    return str(Placement(*(tuple(cards) for cards in (*rows.values(), cards[me.to_lay :]))))


def _in_order(show: Callable[[Room, Iterable[Viewer]], None]) -> Callable[[Room, Iterable[Viewer]], None]:
    """The room shows its viewers a table in whatever order they lie in memory; here it is the same every time."""

    def show_to(here: Room, viewers: Iterable[Viewer]) -> None:
        show(here, sorted(viewers, key=lambda viewer: (viewer.came, viewer.player or "")))

    return show_to


async def _work_in(workers: Workers, world: World, *args: Any, **named: Any) -> Any:  # noqa: ANN401
    return await world._work(workers, *args, **named)


def called(bot: str) -> str:
    """What a bot is called that tables know by this."""
    return BOTS[int(bot.removeprefix(BOT))].lower()


_views: Final = msgspec.json.Decoder(View)


class World:
    """A whole room, table and all, to which deeds are done; everything that anybody is told is written down.

    A twin has a `base`, what happened in the first world; `swaps`: by hand, the two cards that are exchanged in it, which
    only the `owners` may know.
    """

    def __init__(
        self,
        plan: Plan,
        base: Record | None = None,
        swaps: Mapping[int, Swap] | None = None,
        owners: Collection[str] = (),
    ) -> None:
        self.plan: Final = plan
        self.base: Final = base
        self.swaps: Final = swaps or {}
        self.owners: Final = owners
        self.told: Final[dict[str, list[bytes]]] = {}
        self.cookies: Final[dict[str, str]] = {}
        self.decks: Final[dict[int, tuple[int, str]]] = {}
        self.thoughts: Final[dict[tuple[str, int, int], str]] = {}
        self.hands: Final[dict[int, Hand]] = {}
        self.players: Final[dict[int, tuple[str, ...]]] = {}
        self.table_id = ""
        self._app: Any = None
        self._lines: Final[dict[str, _Line]] = {}
        self._time: Final = Hands()
        self._clock: RoomClock | None = None
        self._log: Final = io.StringIO()
        self._real: Final = (fair.seal, fair.unseal, fair.draw)

    @asynccontextmanager
    async def open(self, folder: Path) -> AsyncGenerator[World]:
        """Open the room, everything in it that is not the same every time put away."""
        store = Calm(folder / "room.sqlite")
        dice = Dice(self.plan.seed)
        with ExitStack() as stack:
            for name in ("token_bytes", "token_hex", "token_urlsafe", "choice", "randbelow"):
                stack.enter_context(patch.object(secrets, name, getattr(dice, name)))
            stack.enter_context(patch.object(asyncio, "to_thread", at_once))
            stack.enter_context(patch.object(app, "_forever", never))
            stack.enter_context(patch.object(app, "RoomClock", self._make_clock))
            stack.enter_context(patch.object(viewers, "RATE", 10**9))
            for name in ("DOWNLOADS", "LISTS", "REPLAYS", "REVIEWS", "HINTS"):
                stack.enter_context(patch.object(api, name, 10**9))
            stack.enter_context(patch.object(app, "REQUESTS", 10**9))
            stack.enter_context(patch.object(room, "SPECTATORS_SECONDS", 0.0))
            stack.enter_context(patch.object(room, "BotSeat", self._bot_seat()))
            stack.enter_context(patch.object(Room, "_show_to", _in_order(Room._show_to)))
            stack.enter_context(patch.object(Thinker, "think", self._think()))
            stack.enter_context(patch.object(Workers, "do", functools.partialmethod(_work_in, self)))
            stack.enter_context(patch.object(Workers, "warm", _nothing))
            stack.enter_context(patch.object(reviews, "ASKED_SECONDS", 10**9))
            stack.enter_context(self._dealing())
            stack.enter_context(logged_to(self._log))
            settings = Settings(
                database=folder / "room.sqlite", creations=10**6, bot_pause=0, reviews="asked", sockets=10**6
            )
            self._app = app.build_app(settings, store, "http://room")
            async with self._app.router.lifespan_context(self._app):
                yield self
                await self.settle()
                self.told[LOG] = self._log.getvalue().encode().splitlines()
                rows = store._db.execute("SELECT version, command_id, events FROM events") if store._db else ()
                self.told[ROWS_KEPT] = [b"%d %b %b" % (row[0], row[1] or b"-", row[2]) for row in rows]
                for line in self._lines.values():
                    line.close()
                await self.settle()

    @property
    def rooms(self) -> Mapping[str, Room]:
        return cast("Mapping[str, Room]", self._app.state.rooms._rooms)

    @property
    def table(self) -> Table:
        return self.rooms[self.table_id].table

    def record(self, deeds: Sequence[Deed], *, broken_off: bool) -> Record:
        """What became of it all."""
        last = self.table.last_dealt if broken_off else None
        return Record(tuple(deeds), self.hands, self.players, self.told, self.decks, self.thoughts, last)

    def tell(self, who: str, what: bytes) -> None:
        self.told.setdefault(who, []).append(what)

    # -- deeds

    async def do(self, deed: Deed) -> bytes:
        """Do it, and wait until nothing more comes of it; gives what was answered over HTTP."""
        answer = b""
        match deed:
            case Join():
                line = self._lines[deed.line] = _Line(self, deed)
                line.open(self._app)
            case Drop():
                self._lines.pop(deed.line).close()
            case Say():
                self._lines[deed.line].say(json.dumps(deed.message))
            case Call():
                answer = await self._call(deed)
            case Wait():
                for _ in range(int(deed.seconds * 2)):
                    self._time.seconds += 0.5
                    assert self._clock is not None
                    self._clock.now()
                for each in self.rooms.values():
                    each._wake()
        await self.settle()
        if self.table_id in self.rooms and (hand := self.table.hand) is not None:
            self.hands[self.table.last_dealt] = hand
            self.players[self.table.last_dealt] = tuple(name.lower() for name in self.table.names)
        return answer

    async def settle(self) -> None:
        """Wait until there is nothing left to be done before somebody asks for something, or time passes."""
        loop: Any = asyncio.get_running_loop()
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0)
            soon = loop.time()
            due = any(not timer.cancelled() and timer.when() <= soon for timer in loop._scheduled)
            quiet = 0 if loop._ready or due else quiet + 1

    async def _call(self, deed: Call) -> bytes:
        body = b"" if deed.body is None else json.dumps(deed.body).encode()
        headers = [(b"host", b"room"), (b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]
        if deed.zipped:
            headers.append((b"accept-encoding", b"gzip"))
        scope = self._scope("http", deed.path, deed.who, headers, method=deed.method)
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        start, *parts = sent
        head = b"".join(b"%b: %b\n" % (name, value) for name, value in start["headers"])
        answer = b"".join(part.get("body", b"") for part in parts)
        self.tell(
            deed.who, b"%b %b\n%d\n%b\n%b" % (deed.method.encode(), deed.path.encode(), start["status"], head, answer)
        )
        if found := re.search(rb"ananas_guest=([^;]*)", head):
            self.cookies[deed.who] = found[1].decode()
        return answer

    def _scope(
        self, kind: str, address: str, who: str, headers: list[tuple[bytes, bytes]], **more: object
    ) -> dict[str, Any]:
        where, _, query = address.partition("?")
        if who in self.cookies:
            headers.append((b"cookie", f"{api.COOKIE}={self.cookies[who]}".encode()))
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": where,
            "raw_path": where.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("room", 80),
            "extensions": {},
            "subprotocols": [],
            **more,
        }

    # -- what stands in the place of chance

    def _make_clock(self, *, not_before: int) -> RoomClock:
        self._clock = RoomClock(not_before=not_before, wall=lambda: 1_800_000_000.0, monotonic=self._time)
        return self._clock

    def _bot_seat(self) -> type[BotSeat]:
        world = self

        class Overheard(BotSeat):
            """A bot of which is written down what it is told, and what it asks for."""

            def offer(self, view: bytes) -> None:
                world.tell(called(self.player), view)
                super().offer(view)

            def answer(self, message: bytes) -> None:
                world.tell(called(self.player), message)
                super().answer(message)

            def _say(self, message: Asked) -> None:
                world.tell(called(self.player), b"asks " + msgspec.json.encode(message))
                super()._say(message)

        return Overheard

    def _think(self) -> Callable[[Thinker, bytes], Awaitable[str | None]]:
        async def think(_: Thinker, view: bytes) -> str | None:
            table = _views.decode(view).view
            assert table.hand is not None
            assert table.hand.you is not None
            seat = table.seats[table.hand.you]
            assert seat is not None
            return self._thought(seat.name.lower(), table.hand, plain(view))

        return think

    def _thought(self, name: str, hand: HandView, told: bytes) -> str:
        """What a bot lays, or a careful table: by every byte of what is told, or what it did with these cards' counterparts."""
        me = next(player for player in hand.players if player.seat == hand.you)
        turn = (name, hand.number, me.street or 0)
        if self.base is not None and name in self.owners:
            placement = exchanged(self.base.thoughts[turn], self.swaps.get(hand.number))
        else:
            placement = by_every_byte(told, me)
        self.thoughts[turn] = placement
        return placement

    async def _work(self, _: Workers, work: Callable[..., Any], *args: Any, **__: Any) -> Any:  # noqa: ANN401
        """In place of `Workers.do`: at once, by every byte of what it was told."""
        await asyncio.sleep(0)
        if work is lay_carefully:
            view: HandView = args[0]
            seat = self.table.seats[view.you or 0]
            assert seat is not None
            return Placement.parse(self._thought(seat.name.lower(), view, msgspec.json.encode(args)))
        quick: dict[object, Callable[..., object]] = {review.judge: coaches.judge, review.hint: coaches.hint}
        return quick[work](*args)

    @contextmanager
    def _dealing(self) -> Generator[None]:
        if self.plan.sealed:
            with patch.multiple(fair, seal=self._seal, unseal=self._unseal, draw=self._draw):
                yield
            return

        def shuffle(_: object) -> tuple[Card, ...]:
            chance = Chance(f"{self.plan.seed} deck {self.table.hands}")
            return with_swap(chance.shuffled(DECK), self.swaps.get(self.table.hands))

        with patch.multiple(room, shuffle=shuffle, lot=_lot, to_be_sealed=_nothing):
            yield

    def _seal(self, hand_id: str, master: bytes, _: object = None) -> str:
        number = int(hand_id.partition("/")[2])
        if number not in self.swaps or self.base is None:
            return self._real[0](hand_id, master)
        return _sealed_deck(hand_id, master, self.base.decks[number][0], self.swaps[number])[2]

    def _unseal(self, hand_id: str, master: bytes, *rest: Any) -> fair.Sealed:  # noqa: ANN401
        number = int(hand_id.partition("/")[2])
        sealed = self._real[1](hand_id, master, *rest)
        self.decks[number] = sealed.index, sealed.root
        if swap := self.swaps.get(number):
            secret, levels, root = _sealed_deck(hand_id, master, sealed.index, swap)
            value = choose(self._real[2](hand_id, root, sealed._seeds), sealed._deal, sealed._seats, ()).value
            changes = {
                "_secret": secret,
                "_levels": levels,
                "root": root,
                "deck": with_swap(sealed.deck, swap),
                "_where": {DECK[card]: place for place, card in enumerate(secret.order)},
                "_choice": sealed._choice._replace(value=value),
            }
            for name, changed in changes.items():
                setattr(sealed, name, changed)
        return sealed

    def _draw(self, hand_id: str, root: str, seeds: Sequence[fair.Seed]) -> bytes:
        # Another root would deal another hand; the worlds are to differ in two cards alone.
        number = int(hand_id.partition("/")[2])
        if self.base is not None and number in self.base.decks:
            root = self.base.decks[number][1]
        return self._real[2](hand_id, root, seeds)


def _sealed_deck(hand_id: str, master: bytes, index: int, swap: Swap) -> tuple[SecretDeck, list[list[bytes]], str]:
    """The deck of a hand with two cards exchanged: the same salts and leaves, hashed anew up to the root."""
    hand = hand_id.encode()
    made = make_deck(hand, index, deck_seeds(hand, master)[index])
    order, leaves = list(made.order), list(made.leaves)
    places = [order.index(DECK.index(card)) for card in swap]
    order[places[0]], order[places[1]] = order[places[1]], order[places[0]]
    for place in places:
        leaves[place] = leaf(hand, index, place, DECK[order[place]], made.salts[place])
    levels = tree(leaves)
    beside = path(tree(deck_roots(hand, master)), index)
    return SecretDeck(order, made.salts, leaves), levels, climb(levels[-1][0], index, beside).hex()


class _Line:
    """A browser's socket, which goes through the whole of the application."""

    def __init__(self, world: World, deed: Join) -> None:
        self._world: Final = world
        self._deed: Final = deed
        self._incoming: Final[asyncio.Queue[Message]] = asyncio.Queue()
        self._last = b""
        self._task: asyncio.Task[None] | None = None

    def open(self, application: Any) -> None:  # noqa: ANN401
        world, deed = self._world, self._deed
        address = f"/api/tables/{world.table_id}/socket?window={deed.window}" + ("&proof=1" if deed.proof else "")
        scope = world._scope("websocket", address, deed.who, [(b"host", b"room"), (b"origin", b"http://room")])
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(application(scope, self._incoming.get, self._send))

    def say(self, text: str) -> None:
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def _send(self, message: Message) -> None:
        text = message.pop("text", "").encode()
        kind = " ".join(f"{name}={value}" for name, value in sorted(message.items()))
        self._world.tell(f"{self._deed.who} by {self._deed.line}", f"{kind} ".encode() + text)
        if text.startswith(b'{"type":"view"'):
            self._last = text

    @property
    def view(self) -> Message:
        view: Message = json.loads(self._last)["view"]
        return view


@contextmanager
def logged_to(where: io.StringIO) -> Generator[None]:
    """What the room logs, in the form in which it does, without the time of day."""
    before = structlog.get_config()
    try:
        with (
            patch.object(sys, "stderr", where),
            patch("logging.basicConfig"),
            patch.object(app, "report_crashes"),
        ):
            app.log_plainly()
        processors = [
            step
            for step in structlog.get_config()["processors"]
            if not isinstance(step, structlog.processors.TimeStamper)
        ]
        structlog.configure(processors=processors, logger_factory=lambda *_: structlog.WriteLogger(where))
        yield
    finally:
        structlog.configure(**before)


# -- the twin


def with_swap(deck: Sequence[Card], swap: Swap | None) -> tuple[Card, ...]:
    """A deck with two cards exchanged."""
    if swap is None:
        return tuple(deck)
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    return tuple(other.get(card, card) for card in deck)


def exchanged(placement: str, swap: Swap | None) -> str:
    """The counterpart of a placement."""
    if swap is None:
        return placement
    parsed = Placement.parse(placement)
    return str(Placement(*(with_swap(cards, swap) for cards in (*map(parsed.row, ROWS), parsed.discards))))


def undealt(hand: Hand) -> list[Card]:
    """The cards that are dealt to nobody."""
    owned = fair.blocks(hand.rules.deal, len(hand.seats), hand.fantasyland)
    dealt = {slot for block in chain(*owned) for slot in range(*block)}
    return [card for slot, card in enumerate(hand.deck) if slot not in dealt]


def seen(hand: Hand, players: Sequence[str], owners: Collection[str]) -> set[Card]:
    """What anybody but the owners has seen of a hand."""
    found: set[Card] = set()
    for player, name in enumerate(players):
        open_street = (hand.laid_openly(player) or bool(hand.placements[player])) and hand.rules.street_one == "open"
        if name not in owners:
            found |= {*hand.dealt(player), *chain(*(placement.cards for placement in hand.placements[player]))}
        elif not hand.face_down(player) or hand.over:
            found |= {*hand.boards[player].cards}
            found |= {*hand.dealt(player)} if hand.laid_openly(player) else set()
            found |= {*hand.placements[player][0].cards} if open_street and hand.placements[player] else set()
    return found


def swaps_of(record: Record, owners: Collection[str], seed: str) -> dict[int, Swap]:
    """For each hand two cards that nobody but the owners came to know, one of which the owners had if there is one."""
    found: dict[int, Swap] = {}
    for number, hand in record.hands.items():
        players, chance = record.players[number], Chance(f"{seed} swap {number}")
        known = seen(hand, players, owners)
        mine = [
            card
            for player, name in enumerate(players)
            if name in owners
            for placement in hand.placements[player]
            for card in placement.cards
            if card not in known
        ]
        rest = [card for card in undealt(hand) if card not in known]
        if number == record.last and not hand.over:  # nobody will ever know what comes next in it
            rest = [card for card in hand.deck if card not in known]
        mine = mine or rest
        if mine and len({*mine, *rest}) > 1:
            one = chance.pick(mine)
            found[number] = one, chance.pick([card for card in dict.fromkeys((*mine, *rest)) if card != one])
    return found


def twin_deed(deed: Deed, owners: Collection[str], swaps: Mapping[int, Swap], lines: Mapping[str, str]) -> Deed:
    """The same deed in the twin world: the owners name their cards' counterparts."""
    if isinstance(deed, Say) and lines[deed.line] in owners and "placement" in deed.message:
        placement = exchanged(deed.message["placement"], swaps.get(deed.message["hand"]))
        return deed._replace(message={**deed.message, "placement": placement})
    return deed


def hold(record: Record, twin: Record, owners: Collection[str], plan: Plan) -> None:
    """Raise `Leak` where anybody but the owners was told something else in the twin world."""
    for who in record.told.keys() | twin.told.keys():
        if who.partition(" by ")[0] in owners:
            continue
        ours, theirs = ([plain(each) for each in told.get(who, ())] for told in (record.told, twin.told))
        if ours != theirs:
            place, one, other = _difference(ours, theirs)
            raise Leak(f"--seed {plan.seed}: {who} can tell, by no. {place} of what he is told:\n{one}\n{other}")


def _difference(ours: Sequence[bytes], theirs: Sequence[bytes]) -> tuple[int, str, str]:
    """Where two lists differ first, and what stands there, as far as it matters."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
    one, other = (told[same] if same < len(told) else b"(nothing)" for told in (ours, theirs))
    start = max(0, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))) - 80)
    return same, *(each[start : start + 240].decode(errors="replace") for each in (one, other))  # type: ignore[return-value]


# -- a session that is played by chance


class Session:
    """Plays a plan in a world, and writes down what everybody does. It knows all cards; what is done depends on no frame."""

    def __init__(self, world: World) -> None:
        self.world: Final = world
        self.deeds: Final[list[Deed]] = []
        self.plan: Final = world.plan
        self._chance: Final = Chance(f"{world.plan.seed} session")
        self._ids = 0
        self._links: Final[list[str]] = []

    async def do(self, deed: Deed) -> bytes:
        self.deeds.append(deed)
        return await self.world.do(deed)

    async def say(self, who: str, kind: str, **fields: object) -> None:
        message = {"type": kind, **fields}
        if kind not in {"say", "draft", "ping", "take-over"}:
            self._ids += 1
            message["id"] = f"command-{self._ids:06}"
        await self.do(Say(who, message))

    async def play(self) -> Record:
        world, plan = self.world, self.plan
        for name in (*plan.people, "eve"):
            await self.do(Call(name, "POST", "/api/guests", {"name": name.title()}))
        changes = {name: value for name, value in plan.rules.changes.items() if name != "base"}
        body = {"name": "Friday", "rules": plan.rules.base, "set": changes, "bots": list(plan.bots)}
        world.table_id = json.loads(await self.do(Call(plan.people[0], "POST", "/api/tables", body)))["table"]
        for name in (*plan.people, "eve", NOBODY):
            await self.do(Join(name, name, f"window-of-{name}".strip("()"), proof=name in {plan.people[0], "eve"}))
        for name in plan.people:
            await self.say(name, "sit")
        for number in range(1, plan.hands + 1):
            await self._hand(number, broken_off=number == plan.hands)
        for name in (*plan.people, "eve", NOBODY):
            for where in ("hands.ofcs", "hands", "account"):
                await self.do(Call(name, "GET", f"/api/tables/{world.table_id}/{where}", zipped=where == "hands"))
        return world.record(self.deeds, broken_off=True)

    async def _hand(self, number: int, *, broken_off: bool) -> None:
        await self._begin(number)
        turns = 0
        while self.world.table.laying and not (broken_off and turns > self._chance.below(14)):
            turns += 1
            await self._turn(number)
        if not broken_off and self._chance.below(self.plan.looks) == 0:
            await self._look_back(number)

    async def _begin(self, number: int) -> None:
        """Get a hand dealt, however the table stands."""
        world, table = self.world, self.world.table
        for _ in range(20):
            table = world.table
            if table.hands == number and table.laying:
                return
            for name in self.plan.people:
                _, seat = self._seat(name)
                if seat.sitting_out or seat.leaving:
                    await self.say(name, "return")
                if table.is_broke(seat):
                    await self.say(name, "top-up", to=table.rules.buy_in[1])
                if table.pausing:
                    await self.say(name, "go-on", hand=number - 1)
                elif not table.busy:
                    if table.sealed is not None and self._chance.below(2):
                        await self._commit(name, number)
                    await self.say(name, "ready", hand=number)
            for name in self.plan.people:
                if (sealed := world.table.sealed) is not None and sealed.hand == number and world.table.open_by:
                    await self.say(name, "open-seed", hand=number, seed=self._seed(name, number))
            if not (world.table.hands == number and world.table.laying):
                await self.do(Wait(5))
        raise AssertionError(f"no hand comes about: {world.table}")

    def _seat(self, name: str) -> tuple[int, Seat]:
        return next((number, seat) for number, seat in self.world.table.seated if seat.name.lower() == name)

    def _seed(self, name: str, number: int) -> str:
        return hashlib.sha256(f"{self.plan.seed} {name} {number}".encode()).hexdigest()[:32]

    async def _commit(self, name: str, number: int) -> None:
        seat, _ = self._seat(name)
        sealed = self.world.table.sealed
        assert sealed is not None
        bound = fair.commitment(name_of(self.world.table_id, sealed), seat, self._seed(name, number))
        await self.say(name, "commit-seed", hand=number, commitment=bound)

    async def _turn(self, number: int) -> None:
        """One of those who act lays his street; before that, all kinds of things may happen."""
        world, chance = self.world, self._chance
        hand = world.table.hand
        assert hand is not None
        acting = [(player, world.table.names[player].lower()) for player in hand.acting]
        mine = [(player, name) for player, name in acting if name in self.plan.people]
        await self._incident(number)
        if world.table.hand is not hand or not mine:
            if not mine:
                await self.do(Wait(0.5))
            return
        player, name = chance.pick(mine)
        turn = {"hand": number, "street": hand.street_of(player)}
        for _ in range(chance.below(3)):
            arrange = unfinished if chance.below(2) else legal
            await self.say(name, "draft", **turn, placement=str(arrange(hand, chance.below(10**6), player)))
            if chance.below(3) == 0:  # which shows everybody the table as it is now
                await self.say(name, "say", phrase="one-moment")
            await self._incident(number)
        if len(self.plan.people) == 1 and chance.below(3) == 0:
            await self.do(Call(name, "POST", f"/api/tables/{world.table_id}/hint", {}))
        if chance.below(self.plan.slow) == 0:
            await self.do(Wait(world.table.rules.hand_seconds + world.table.rules.bank_seconds + 1))
            return
        choose_by = lucky if chance.below(3) else legal
        await self.say(name, "confirm", **turn, placement=str(choose_by(hand, chance.below(10**6), player)))

    async def _incident(self, number: int) -> None:
        """Something that has nothing to do with the cards, or is refused."""
        world, chance = self.world, self._chance
        who = chance.pick((*self.plan.people, "eve", NOBODY))
        hand = world.table.hand
        assert hand is not None
        match chance.below(12):
            case 0:  # a page is loaded again in mid-hand
                await self.do(Drop(who))
                await self.do(Join(who, who, f"window-of-{who}".strip("()"), proof=bool(chance.below(2))))
            case 1:  # a second window for a moment
                await self.do(Join(who, f"{who} too", "window-another", proof=True))
                await self.do(Drop(f"{who} too"))
            case 2:  # cards that he does not have
                for player in hand.acting:
                    name, card = world.table.names[player].lower(), chance.pick(DECK)
                    if name in self.plan.people and card not in hand.dealt(player):
                        street = hand.street_of(player)
                        await self.say(name, "confirm", hand=number, street=street, placement=f"{card}/-/-")
            case 3:
                guess = str(Placement(bottom=(chance.pick(DECK),)))
                await self.say(who, "draft", hand=number, street=chance.below(5) + 1, placement=guess)
            case 4:
                await self.say(who, "say", phrase="hurry")
            case 5:
                await self.do(Call(who, "POST", f"/api/tables/{world.table_id}/hint", {}))
            case 6:
                await self.do(Call(who, "GET", f"/api/tables/{world.table_id}/hands/{number}"))
            case _:
                pass

    async def _look_back(self, number: int) -> None:
        """Ask for all there is of a finished hand, as everybody; share it, and look at that."""
        here = f"/api/tables/{self.world.table_id}/hands/{number}"
        for name in (*self.plan.people, "eve", NOBODY):
            for what in ("", ".ofc", "/proof", "/review"):
                await self.do(Call(name, "GET", here + what, zipped=not what))
            shared = await self.do(Call(name, "POST", f"{here}/share", {"names": bool(self._chance.below(2))}))
            if "link" in json.loads(shared):
                link = json.loads(shared)["link"]
                asker = name if self._chance.below(2) else NOBODY
                for what in ("", ".ofc", "/review", "/proof"):
                    await self.do(
                        Call(asker if name not in self.plan.people else name, "GET", f"/api/shared/{link}{what}")
                    )


async def _again(
    world: World, record: Record, owners: Collection[str], swaps: Mapping[int, Swap], table: str
) -> Record:
    """Do in the twin world what was done in the first one."""
    world.table_id = table
    lines: dict[str, str] = {}
    for deed in record.deeds:
        if isinstance(deed, Join):
            lines[deed.line] = deed.who
        await world.do(twin_deed(deed, owners, swaps, lines))
    return world.record(record.deeds, broken_off=True)


def compare(plan: Plan, owned: Sequence[Collection[str]]) -> int:
    """Play a session, and its twins, each with cards exchanged that only these owners know; gives how many hands differed.

    Raises `Leak` where anybody else can tell a twin from the first one.
    """

    async def first(folder: Path) -> tuple[Record, str]:
        async with World(plan).open(folder) as world:
            record = await Session(world).play()
        return record, world.table_id

    async def second(folder: Path, record: Record, owners: Collection[str], table: str) -> int:
        swaps = swaps_of(record, owners, f"{plan.seed} {folder.name}")
        async with World(plan, record, swaps, owners).open(folder) as world:
            twin = await _again(world, record, owners, swaps, table)
        hold(record, twin, owners, plan)
        for number in swaps:
            assert twin.hands[number].deck != record.hands[number].deck, "the twin is the same"
        return len(swaps)

    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "first").mkdir()
        record, table = asyncio.run(first(here / "first"))
        deals = 0
        for number, owners in enumerate(owned):
            (here / str(number)).mkdir()
            deals += asyncio.run(second(here / str(number), record, owners, table))
    return deals


EASY: Final = {
    "fantasyland_entry": "22",
    "fantasyland_stay": "top-trips,middle-full-house,middle-quads,bottom-quads",
    "hand_seconds": "20",
    "bank_seconds": "5",
}
"""Where pairs on top are enough, there is Fantasyland in nearly every match."""


class Kind(NamedTuple):
    """A kind of session, and whose cards are exchanged in its twins."""

    plan: Plan
    owned: tuple[frozenset[str], ...]


def _kind(rules: RuleSet, people: str, bots: str, *owned: str, sealed: bool = False) -> Kind:
    plan = Plan("", 50, rules, tuple(people.split()), tuple(bots.split()), sealed=sealed)
    return Kind(plan, tuple(frozenset(names.split()) for names in owned))


ROOM_RULES: Final = RULE_SETS["room"].but(EASY)
KINDS: Final = {
    "people and a bot": _kind(ROOM_RULES, "ann bob", "kiwi", "ann", "bob", "kiwi", "ann bob", sealed=True),
    "one beside bots": _kind(
        ROOM_RULES.but({"auto_layout": "careful"}),
        "ann",
        "kiwi mango",
        "kiwi",
        "mango",
        "kiwi mango",
        "ann",
        sealed=True,
    ),
    "people alone": _kind(RULE_SETS["progressive"].but(EASY), "ann bob cyd", "", "ann", "bob", "cyd", "bob cyd"),
    "two of them": _kind(ROOM_RULES.but({"seats": "2-2"}), "ann bob", "", "ann", "bob", "ann", "bob", sealed=True),
    "nothing in the open": _kind(
        ROOM_RULES.but({"street_one": "closed", "fantasyland_timing": "from-start"}),
        "ann bob",
        "papaya",
        "ann",
        "bob",
        "papaya",
        "bob papaya",
    ),
}
"""What is compared: of each kind a session of fifty hands with four twins, two hundred deals."""


def main() -> None:
    """Compare so many deals, and tell how many."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", "--count", type=int, default=50_000)
    parser.add_argument("--seed", default=secrets.token_hex(4), help="as it was printed with a failure, or any other")
    options = parser.parse_args()
    began, deals, number = time.monotonic(), 0, 0
    given = str(options.seed).split("/")
    while deals < options.deals:
        name = given[2] if len(given) > 2 else list(KINDS)[number % len(KINDS)]
        seed = str(options.seed) if len(given) > 2 else f"{options.seed}/{number}/{name}"
        try:
            deals += compare(KINDS[name].plan._replace(seed=seed), KINDS[name].owned)
        except Leak as leak:
            sys.exit(f"a leak: {leak}")
        number += 1
        if len(given) > 2:
            break
    print(
        f"seed {options.seed}: {deals} deals in two worlds, the same to everybody, in {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
