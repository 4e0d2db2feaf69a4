"""Who watches a table: a browser's socket, or a bot's seat that is given the same bytes.

A viewer is offered views, of which only the newest matters, and answers to what it asked, of which none may be lost.
Offering never waits: a reader that cannot keep up is dropped.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from ananas import protocol
from ananas.game.hand import in_order
from ananas.game.rules import RuleSet
from ananas.game.view import PlayerView
from ananas.protocol import CommandId
from ananas.refused import Refused
from ananas.server.time import RoomClock
from ananas.server.workers import Broken, Workers, spare_cores
from ananas.table.view import TableView

Commanded = (
    protocol.Sit
    | protocol.Leave
    | protocol.SitOut
    | protocol.Always
    | protocol.Ready
    | protocol.Return
    | protocol.TopUp
    | protocol.GoOn
    | protocol.Waive
    | protocol.Confirm
    | protocol.Break
    | protocol.Remove
    | protocol.SeatBot
    | protocol.PassHost
    | protocol.ChangeRules
    | protocol.Publish
    | protocol.CommitSeed
    | protocol.OpenSeed
)
"""What changes a table, and bears an id by which it is done once."""
Asked = Commanded | protocol.Draft | protocol.Say | protocol.TakeOver | protocol.Echo
"""What a viewer may ask of a table."""

SILENT_MS: Final = 12_000
"""A socket that has said nothing for so long is gone, whatever its connection believes: two heartbeats, and a bit."""
SLOW_MS: Final = 10_000
"""A socket that has not taken one message in so long is too slow."""
OUTBOX: Final = 64
"""The most answers that wait for one socket."""
AT_ONCE: Final = 8 * 1024
"""When so many bytes are together, they are sent before there are more."""
RATE: Final = 30
"""Messages a second that a socket may send for long; for a short while twice as many."""
PATIENCE: Final = 60
"""How many messages beyond the rate are refused before the socket is closed; one is forgiven a second."""
NONSENSE: Final = 5
"""Frames a second that are no messages which a socket may send for long.

What comes faster lies unread: it is refused later, costs the others nothing meanwhile, and stops its sender in the end.
"""
NONSENSE_AT_ONCE: Final = 2 * RATE
"""So many of them it may send at once."""
THINK_SECONDS: Final = 1.0
"""So long a bot may think about a move; less where more bots think than there are processes for."""
HANG_SECONDS: Final = 5.0
"""A bot that has not answered by then is taken for hung."""
PATIENCE_SECONDS: Final = 10.0
"""A bot whose thought is not there by then, for whatever reason, lays its cards without one: people are waiting."""
RESERVE_SECONDS: Final = 1.0
"""So much of its time a bot does not think away, that it may still lay its cards."""

LAG_MEASURES: Final = 5
"""Of how many measures the one in the middle counts as somebody's lag."""

HEARTBEAT_MISSED: Final = 4408
TOO_SLOW: Final = 4413
FLOOD: Final = 4429

_log: Final = structlog.get_logger()


class Viewer(Protocol):
    """Somebody who is shown a table.

    `player` is who he is to the table, None for somebody without a name; `window`, which of his windows this is; `came`
    counts in which order they called. `proves`: whether he wants the means to check the cards he is shown. `lag_ms`: how
    long a message takes to him and back.
    """

    @property
    def player(self) -> str | None: ...  # noqa: D102

    @property
    def window(self) -> str: ...  # noqa: D102

    @property
    def came(self) -> int: ...  # noqa: D102

    @property
    def proves(self) -> bool: ...  # noqa: D102

    @property
    def lag_ms(self) -> int: ...  # noqa: D102

    def offer(self, view: bytes) -> None:
        """Show the table as it is now; what was offered before and not yet seen is worth nothing any more."""

    def answer(self, message: bytes) -> None:
        """Tell what became of something he asked."""

    def drop(self, code: int) -> None:
        """Close, with this code."""


class Bucket:
    """Allows `rate` a second for long, and `burst` at once.

    >>> bucket = Bucket(rate=1, burst=2, monotonic=iter([0.0, 0.0, 0.0, 0.0, 1.0]).__next__)
    >>> [bucket.take() for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, *, rate: float, burst: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._rate: Final = rate
        self._burst: Final = burst
        self._monotonic: Final = monotonic
        self._left = float(burst)
        self._at = monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def full(self) -> bool:
        """Whether nothing has been taken for long enough to forget this bucket."""
        self._fill()
        return self._left >= self._burst

    def _fill(self) -> None:
        now = self._monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now


class Lag:
    """How long a message takes to somebody and back: the median of the last measures, which only the room makes.

    >>> lag = Lag(iter([0.0, 0.25]).__next__)
    >>> lag.hear(lag.probe()), lag.ms
    (True, 200)
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic: Final = monotonic
        self._number = 0
        self._sent: tuple[int, float] | None = None
        self._measures: Final[deque[float]] = deque(maxlen=LAG_MEASURES)

    @property
    def ms(self) -> int:
        """In milliseconds, rounded down to hundreds; 0 as long as nothing is known."""
        return int(statistics.median_low(self._measures) * 10) * 100 if self._measures else 0

    def probe(self) -> int:
        """Begin a measure; gives the number that has to come back."""
        self._number += 1
        self._sent = self._number, self._monotonic()
        return self._number

    def hear(self, probe: int) -> bool:
        """A number has come back; tells whether it was the one that was waited for, once."""
        if self._sent is None or self._sent[0] != probe:
            return False
        self._measures.append(self._monotonic() - self._sent[1])
        self._sent = None
        return True


class Wire(Protocol):
    """What the server's protocol of a WebSocket can do beyond what every server can."""

    @property
    def gone(self) -> bool:
        """Whether the other end is known to be gone, whatever of its words has not been heard yet."""
        ...

    async def ready(self) -> None:
        """Wait until what was sent before has been taken, but for a little."""

    def say(self, messages: Iterable[bytes]) -> None:
        """Send text messages at once. Raises `WebSocketDisconnect`."""

    def cut(self) -> None:
        """Let the close frame pass, and end the connection soon whether it is taken or not."""


def _wire_of(websocket: WebSocket) -> Wire | None:
    wire: Wire | None = websocket.scope.get("extensions", {}).get("ananas.wire")
    return wire


class Socket:
    """A browser, or whatever speaks the protocol, at the other end of a WebSocket."""

    def __init__(self, websocket: WebSocket, player: str | None, clock: RoomClock, came: int = 0) -> None:
        self.player: Final = player
        self.came: Final = came
        self.window: Final = _window(websocket.query_params.get("window", ""))
        self.proves: Final = websocket.query_params.get("proof") == "1"
        self._websocket: Final = websocket
        self._wire: Final = _wire_of(websocket)
        self._clock: Final = clock
        self._bucket: Final = Bucket(rate=RATE, burst=2 * RATE)
        self._answers: Final[deque[bytes]] = deque()
        self._view: bytes | None = None
        self._has_seen = False
        self._something: Final = asyncio.Event()
        self._lag: Final = Lag()
        self._heard_at = clock.now()
        self._sending_since: int | None = None
        self._patience: Final = Bucket(rate=1, burst=PATIENCE)
        self._nonsense: Final = Bucket(rate=NONSENSE, burst=NONSENSE_AT_ONCE)
        self._talks_nonsense = False
        self._closing: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None

    def offer(self, view: bytes) -> None:
        """Queue a view in place of the one that still waits."""
        self._view = view
        self._something.set()

    def answer(self, message: bytes) -> None:
        """Queue an answer; who leaves too many of them unread is dropped."""
        if len(self._answers) >= OUTBOX:
            self.drop(TOO_SLOW)
        else:
            self._answers.append(message)
            self._something.set()

    def drop(self, code: int) -> None:
        """Close the socket, without waiting for it."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(code))

    def check(self) -> None:
        """Drop the socket if it is silent or slow; to be called every second or so."""
        now = self._clock.now()
        if self._sending_since is not None and now - self._sending_since > SLOW_MS:
            self.drop(TOO_SLOW)
        elif now - self._heard_at > SILENT_MS:
            self.drop(HEARTBEAT_MISSED)

    async def listen(self, ask: Callable[[Asked], None]) -> None:
        """Pass on what it asks, until it is closed by either side."""
        self._writer = asyncio.create_task(self._write())
        try:
            while True:
                received = await self._websocket.receive()
                if received["type"] == "websocket.disconnect":
                    return
                self._heard_at = self._clock.now()
                if self._closing is None:
                    self._hear(received.get("text"), ask)
                while self._talks_nonsense:
                    self._talks_nonsense = not self._nonsense.take()
                    if self._talks_nonsense:
                        await asyncio.sleep(1 / NONSENSE)
                        if self._wire is not None and self._wire.gone:  # what still lies there is not waited for
                            return
        finally:
            self._writer.cancel()

    def _hear(self, text: str | None, ask: Callable[[Asked], None]) -> None:
        if not self._bucket.take():
            if self._patience.take():
                self._refuse(Refused("too-fast", rate=RATE), text)
            else:
                self.drop(FLOOD)
            return
        if text is None:  # a binary frame
            self._talks_nonsense = True
            self._refuse(Refused("bad-json"), None)
            return
        try:
            message = protocol.decode(text)
        except Refused as reason:
            self._talks_nonsense = True
            self._refuse(reason, text)
            return
        match message:
            case protocol.Ping():
                self.answer(protocol.encode(protocol.Pong(probe=self._lag.probe())))
            case protocol.Echo():
                if self._lag.hear(message.probe):
                    ask(message)
            case _:
                ask(message)

    @property
    def lag_ms(self) -> int:
        """How long a message takes to it and back, as measured."""
        return self._lag.ms

    def _refuse(self, reason: Refused, text: str | None) -> None:
        self.answer(protocol.encode(protocol.refusal(reason, _id_in(text))))

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # closed meanwhile; the listener sees it too
            while True:
                await self._something.wait()
                self._something.clear()
                while self._answers or self._view is not None:
                    self._sending_since = self._clock.now()
                    await self._send()
                    self._sending_since = None

    async def _send(self) -> None:
        """Send what there is, as late as may be: something newer may take its place while it waits."""
        if self._wire is None:
            message = self._next()
            if message is not None:
                await self._websocket.send_text(message.decode())
            return
        await self._wire.ready()
        messages, length = list[bytes](), 0
        while length < AT_ONCE and (message := self._next()) is not None:
            messages.append(message)
            length += len(message)
        self._wire.say(messages)

    def _next(self) -> bytes | None:
        if self._answers and (self._has_seen or self._view is None):
            return self._answers.popleft()
        view, self._view = self._view, None
        self._has_seen |= view is not None  # nothing that is said before can be understood
        return view

    async def _close(self, code: int) -> None:
        if self._writer is not None:
            self._writer.cancel()
        await turn_away(self._websocket, code)


def _window(named: str) -> str:
    """Which window a socket says it comes from; one that says nothing, or nonsense, is a window of its own."""
    return named if re.fullmatch("[A-Za-z0-9_-]{8,64}", named) else secrets.token_hex(16)


async def turn_away(websocket: WebSocket, code: int) -> None:
    """Close a socket, however its other end behaves.

    Where the server's protocol lends a hand, the close frame does not wait behind a reader that never reads, and a
    connection that does not even take that is cut.
    """
    wire = _wire_of(websocket)
    if wire is not None:
        wire.cut()
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        await websocket.close(code)


class _Named(msgspec.Struct):
    id: CommandId | None = None


_named: Final = msgspec.json.Decoder(_Named)


def _id_in(text: str | None) -> str | None:
    """The command id of a message that is otherwise wrong, so that its sender learns which one was refused."""
    if text is None or len(text) > protocol.MAX_MESSAGE_BYTES:
        return None
    try:
        return _named.decode(text.encode()).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


# -- bots


class Thinker:
    """Where bots think: in processes of their own, so that a thought never holds the room up.

    `answer` is asked there, with the bytes of a View message and how many seconds it may think, for a placement as text.
    Thoughts are begun in the order they were asked for. As a bot has one at a time, no table gets more than its share.
    """

    def __init__(
        self,
        answer: Callable[[bytes, float], str | None],
        limit: float = HANG_SECONDS,
        processes: int | None = None,
    ) -> None:
        self._answer: Final = answer
        self._limit: Final = limit
        self._workers: Final = Workers("bots", processes or spare_cores(), [answer])

    async def think(self, view: bytes) -> str | None:
        """What the bot answers; None where it has no answer, hangs, or breaks its process.

        Whoever does not wait any more takes his thought out of the queue.
        """
        for last in (False, True):  # a second time in case the process had died in its sleep
            seconds = THINK_SECONDS / max(1.0, self._workers.load)
            try:
                return await self._workers.do(self._answer, view, seconds, limit=self._limit)
            except Broken as why:
                if last or str(why) != "died":
                    _log.warning("a bot has no answer", why=str(why))
                    return None
        return None

    def close(self) -> None:
        """Stop thinking at once, for good."""
        self._workers.close()


class _Turn(NamedTuple):
    """A hand and a street; street 0 is being ready."""

    hand: int
    street: int


class BotSeat:
    """A bot at its seat: it reads the bytes that a socket would get, and asks through the same mailbox.

    Where no thought comes, or one that is no placement, it lays its cards as the table would.
    """

    def __init__(self, player: str, ask: Callable[[BotSeat, Asked], None], thinker: Thinker, pause: float) -> None:
        self.player: Final = player
        self.window: Final = player
        self.came: Final = 0
        self.proves: Final = False
        self.lag_ms: Final = 0
        self._ask: Final = ask
        self._thinker: Final = thinker
        self._pause: Final = pause
        self._view = b""
        self._read: tuple[bytes, TableView] | None = None
        self._something: Final = asyncio.Event()
        self._done: set[_Turn] = set()
        self._rules: RuleSet | None = None
        self._thought: tuple[_Turn, asyncio.Task[str | None]] | None = None
        self._laying: tuple[str, _Turn] | None = None
        self._refused: _Turn | None = None
        self._task: Final = asyncio.create_task(self._play())

    def offer(self, view: bytes) -> None:
        """Look at the table; a thought about a turn that is over is thought no further."""
        self._view = view
        self._something.set()
        if self._thought is not None and self._over(self._thought[0]):
            self._thought[1].cancel()

    def answer(self, message: bytes) -> None:
        """Hear what became of a command; what the room could not keep, or what waits for a break, is tried again."""
        reply = _answers.decode(message)
        if not isinstance(reply, protocol.RefusedMessage):
            return
        _log.warning("a bot was refused", player=self.player, code=reply.code)
        if reply.code in {"not-kept", "too-fast", "on-break"}:
            self._done.clear()
            asyncio.get_running_loop().call_later(1, self._something.set)
        elif self._laying is not None and self._laying[0] == reply.id:
            # What it thought of is no placement. If its turn is still on, it lays its cards without thinking.
            self._refused = self._laying[1]
            self._done.discard(self._refused)
            self._something.set()

    def drop(self, code: int) -> None:  # noqa: ARG002
        """Stop playing."""
        self._task.cancel()
        if self._thought is not None:
            self._thought[1].cancel()

    async def _play(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            try:
                await self._act(self._view, self._table)
            except Exception as error:  # noqa: BLE001
                # A bot that breaks loses this turn to the clock and goes on at the next one.
                _log.warning("a bot broke", player=self.player, error=type(error).__name__)

    @property
    def _table(self) -> TableView:
        """The table as it is now; each view is read once."""
        if self._read is None or self._read[0] is not self._view:
            self._read = self._view, _views.decode(self._view).view
        return self._read[1]

    async def _act(self, view: bytes, table: TableView) -> None:
        if table.rules != self._rules:  # whoever was ready was so for other rules
            self._rules = table.rules
            self._done.clear()
        turn = _turn_in(table)
        if turn is not None and "confirm" in table.may:
            if self._once(turn):
                await self._lay(view, table, turn)
        elif "ready" in table.may and self._once(_Turn(table.hands + 1, 0)):
            await self._wait(self._pause)
            self._say(protocol.Ready(id=_command_id(), hand=table.hands + 1))

    async def _lay(self, view: bytes, table: TableView, turn: _Turn) -> None:
        me, clock = (
            _mine(table),
            next(seat.clock for seat in table.seats if seat is not None and seat.seat == table.you),
        )
        assert me is not None
        left = PATIENCE_SECONDS if clock is None else (clock.hand_ms + clock.bank_ms) / 1000 - RESERVE_SECONDS
        if turn != self._refused:
            await self._wait(min(self._pause, left / 4))
            placement = await self._think(view, turn, min(PATIENCE_SECONDS, left))
            if self._over(turn):
                return
            if placement is not None:
                try:
                    self._confirm(turn, placement)
                except (Refused, UnicodeError):
                    _log.warning("a bot says what is no message", player=self.player)
                else:
                    return
        self._confirm(turn, without_thinking(me))
        self._laying = None  # if this is refused too, only the clock can help

    async def _think(self, view: bytes, turn: _Turn, seconds: float) -> str | None:
        """What the thinker says of a turn; None where it says nothing in time, or the turn is over before."""
        if self._over(turn):
            return None
        thought = asyncio.create_task(self._thinker.think(view))
        self._thought = turn, thought
        try:
            await asyncio.wait({thought}, timeout=max(0.0, seconds))
            return thought.result() if thought.done() and not thought.cancelled() else None
        finally:
            self._thought = None
            thought.cancel()

    def _over(self, turn: _Turn) -> bool:
        return _turn_in(self._table) != turn

    def _confirm(self, turn: _Turn, placement: str) -> None:
        command_id = _command_id()
        self._laying = command_id, turn
        self._say(protocol.Confirm(id=command_id, hand=turn.hand, street=turn.street, placement=placement))

    def _say(self, message: Asked) -> None:
        """Ask as a socket does: what could not be sent and read is not asked."""
        if not isinstance(read := protocol.decode(msgspec.json.encode(message)), protocol.Ping):
            self._ask(self, read)

    def _once(self, turn: _Turn) -> bool:
        """Whether this turn is new."""
        self._done = {done for done in self._done if done.hand >= turn.hand - 1}
        new = turn not in self._done
        self._done.add(turn)
        return new

    async def _wait(self, pause: float) -> None:
        """Take a moment, half to one and a half of the pause, as somebody at the table would."""
        await asyncio.sleep(max(0.0, pause) * (500 + secrets.randbelow(1000)) / 1000)


def _mine(table: TableView) -> PlayerView | None:
    """The viewer's own side of the hand."""
    hand = table.hand
    return None if hand is None else next((player for player in hand.players if player.seat == hand.you), None)


def _turn_in(table: TableView) -> _Turn | None:
    """The turn that the viewer has now; a break leaves it to him."""
    me = _mine(table)
    if table.hand is None or me is None or not me.acting or me.street is None:
        return None
    return _Turn(table.hand.number, me.street)


def without_thinking(me: PlayerView) -> str:
    """A legal placement: the cards in order of receipt, from the bottom up, as the table lays them when time is spent."""
    return str(in_order(me.board, me.dealt, me.to_lay))


_views: Final = msgspec.json.Decoder(protocol.View)
_answers: Final = msgspec.json.Decoder(protocol.AnyServerMessage)


def _command_id() -> str:
    return secrets.token_hex(8)
