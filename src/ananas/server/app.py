"""Start and stop: the one place where the parts are wired, and where the outside comes in.

Over HTTP: the built client with strict headers, the REST routes. Over WebSocket: one socket for each table that a
browser has open. Everything else runs here: the clock's beat, the log, the garbage collector's settings, the signals.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import itertools
import logging
import math
import signal
import socket
import sys
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Final, cast

import structlog
import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, Router, WebSocketRoute, compile_path
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import HANDLED_SIGNALS
from websockets.exceptions import InvalidState
from websockets.frames import Frame
from websockets.http11 import Request as Handshake

from ananas.bots.play import answer
from ananas.coach import puzzle, review
from ananas.protocol import MAX_MESSAGE_BYTES
from ananas.refused import Refused
from ananas.server import api
from ananas.server.archive import Archive
from ananas.server.filter import discreet, report_crashes
from ananas.server.guests import known_guest
from ananas.server.limits import Callers, Limits, Places, raise_descriptors
from ananas.server.puzzles import Puzzles
from ananas.server.reviews import Reviews, lay_carefully
from ananas.server.room import RESTARTS, Helpers, Rooms, report
from ananas.server.settings import Settings
from ananas.server.store import CannotOpen, NotKept, Store
from ananas.server.time import BEAT_SECONDS, RoomClock
from ananas.server.viewers import FLOOD, RATE, Bucket, Socket, Thinker, turn_away
from ananas.server.workers import Workers, spare_cores, take_short_turns
from ananas.version import __version__

STATIC: Final = Path(__file__).parent / "static"
"""Where the built client lies."""
NO_CLIENT: Final = (
    "The web client is not built yet. In the project's folder run\n\n    python build_client.py\n\n"
    "(it wants Node 20 or newer and npm), then load this page again.\n"
)
WS_BYTES: Final = 16 * 1024
"""Longer WebSocket messages are not even read; from `protocol.MAX_MESSAGE_BYTES` on they are refused."""
BODY_BYTES: Final = MAX_MESSAGE_BYTES
"""The longest body of a REST request."""
REQUEST_BYTES: Final = 64 * 1024
"""The longest request, its headers included."""
REQUEST_SECONDS: Final = 10.0
"""How long a connection may take to say what it wants."""
ANSWER_SECONDS: Final = 10.0
"""How long an answer over HTTP may lie without a byte of it being read."""
BUFFER_BYTES: Final = 16 * 1024
"""How much may lie unsent for one socket before its writer waits, here and in the kernel each."""
UNHEARD: Final = 1000
"""The most messages of one socket that wait to be heard: far more than it may send."""
CUT_SECONDS: Final = 5.0
"""How long a dropped socket has to take the close frame."""
SWITCH_SECONDS: Final = 0.0005
"""How long a thread that works, as on the seal of a hand, keeps the room waiting: Python's own 5 ms are long for many."""
TIDY_SECONDS: Final = 60.0
"""How often tokens are forgotten that others have taken the place of."""
NO_TABLE: Final = 4404
NO_CODE: Final = 1006
BROKEN: Final = 1011

REQUESTS: Final = 100
"""How many requests one network address may send for each thing it may make; a minute, and at once."""
SHARE: Final = 4
"""No address has more than the one-in-so-many part of all connections, unless it is a proxy's."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What every answer bears."""
HTTPS_ONLY: Final = "max-age=31536000"
"""So many seconds a browser that has come over https comes over nothing else."""
PAGES: Final = (
    "/",
    "/rules",
    "/lesson",
    "/t/{table}",
    "/t/{table}/hands",
    "/t/{table}/hands/{hand:int}",
    "/t/{table}/hands/{hand:int}/review",
    "/t/{table}/account",
    "/h/{token}",
    "/h/{token}/review",
    "/puzzle",
    "/d/{token}",
)
"""The addresses of the client's page; it finds out by itself what to show there."""
SOCKET: Final = "/api/tables/{table_id}/socket"
"""Where the socket of a table is opened."""
_SOCKET: Final = compile_path(SOCKET)[0]
_TYPES: Final = {"sw.js": "text/javascript", "manifest.webmanifest": "application/manifest+json"}
"""What browsers insist on, and machines' tables of types may not know, of files at the root."""
_log: Final = structlog.get_logger()


class CannotStart(Exception):
    """The room cannot start; the message is one line for the one who starts it."""


def run(settings: Settings, ready: Callable[[str, str], None]) -> None:
    """Run a room until it is told to stop. Raises `CannotStart`.

    `ready` is called once it listens, with the address for players and the one on this machine.
    """
    log_plainly()
    sys.setswitchinterval(SWITCH_SECONDS)
    take_short_turns()
    connections = raise_descriptors()
    listener = _listen(settings)
    port = cast("int", listener.getsockname()[1])
    try:
        store = Store(settings.database)
    except CannotOpen as error:
        listener.close()
        raise CannotStart(str(error)) from None
    public, local = settings.address(port), settings.local_address(port)
    app = build_app(settings, store, public)
    _Server(configure(app, connections), app.state.rooms, lambda: ready(public, local)).run(sockets=[listener])


def configure(app: ASGIApp, connections: int) -> uvicorn.Config:
    """How the server serves an application: with limits on everything that comes."""
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=WS_BYTES,
        ws_ping_interval=None,
        ws_per_message_deflate=False,  # a compressed message may be a thousand times as long as its frame
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=connections,
        timeout_graceful_shutdown=2,
    )


def build_app(settings: Settings, store: Store, public_url: str) -> FastAPI:
    """The whole room as an ASGI application; it closes the store when it stops."""
    clock = RoomClock(not_before=store.alive_at)
    thinker, workers = Thinker(answer), Workers("coach", spare_cores(), [review.judge, lay_carefully], nice=15)
    archive = Archive(store)
    reviews = Reviews(store=store, archive=archive, workers=workers, coach=review)
    puzzles = Puzzles(store=store, workers=workers, make=puzzle.puzzle, answer=puzzle.answer)
    ahead = settings.reviews == "ahead"
    helpers = Helpers(
        careful=reviews.careful,
        dealt=reviews.dealt if ahead else None,
        counted=reviews.counted if ahead else None,
    )
    rooms = Rooms(store=store, clock=clock, thinker=thinker, bot_pause=settings.bot_pause, helpers=helpers)
    sockets, places, callers = set[Socket](), Places(settings.sockets), itertools.count()

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        await rooms.start()
        if ahead:
            puzzles.prepare()
        running = [
            asyncio.create_task(_forever(BEAT_SECONDS, _beat(clock, rooms))),
            asyncio.create_task(_forever(1.0, _look_around(rooms, store, sockets))),
            asyncio.create_task(_forever(TIDY_SECONDS, lambda: store.forget_devices(clock.now()))),
        ]
        yield
        for task in running:
            task.cancel()
        await rooms.stop()
        thinker.close()
        await reviews.close()
        await puzzles.close()
        workers.close()
        with contextlib.suppress(NotKept):
            await store.alive(rooms.alive_at)
        await asyncio.to_thread(store.close)

    async def watch(websocket: WebSocket) -> None:
        if not _may_be_heard(websocket, public_url):
            await websocket.close()
            return
        came = next(callers)
        await websocket.accept()
        await _watch(websocket, came, store=store, clock=clock, rooms=rooms, sockets=sockets, places=places)

    openapi = "/api/openapi.json"
    app = _App(
        title="Ananas", version=__version__, lifespan=lifespan, openapi_url=openapi, docs_url=None, redoc_url=None
    )
    app.state.rooms, app.state.watch = rooms, watch
    api.refuse_in_json(app)
    api.describe(app)
    app.include_router(
        api.routes(
            store=store,
            clock=clock,
            rooms=rooms,
            archive=archive,
            reviews=reviews,
            puzzles=puzzles,
            settings=settings,
            public_url=public_url,
        )
    )
    app.router.routes += [
        WebSocketRoute(SOCKET, watch),
        Mount("/", GZipMiddleware(client(STATIC), minimum_size=1000)),
    ]
    app.add_middleware(Door, public_url=public_url, requests=REQUESTS * settings.creations)
    return app


# -- sockets


class _App(FastAPI):
    """The application; who opens a table goes there at once, past all that is for requests alone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""
        if scope["type"] == "websocket" and (found := _SOCKET.fullmatch(scope["path"])) is not None:
            scope["path_params"] = found.groupdict()
            await self.state.watch(WebSocket(scope, receive, send))
        else:
            await super().__call__(scope, receive, send)


class SocketProtocol(WebSocketsSansIOProtocol):
    """The server's WebSocket, with little unsent, and a way to be rid of a reader that does not read."""

    _asides: Bucket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the writer wait early: what waits can still be replaced by something newer."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)
        self._asides = Bucket(rate=RATE, burst=2 * RATE)
        _callers_of(self.config).come(_address_of(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another connection."""
        _callers_of(self.config).go(_address_of(self.client))
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer, in moderation."""
        if self._in_moderation():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Hear what nobody has asked for, in moderation."""
        if self._in_moderation():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Join the parts of a message, of which there may be few."""
        if self._in_moderation():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; cut off who sends them in such heaps that they would fill the memory."""
        if self.queue.qsize() < UNHEARD:
            super().send_receive_event_to_app()
        else:
            self.transport.abort()

    def _in_moderation(self) -> bool:
        """Frames that are no message are not counted by the room, and yet cost it time and memory."""
        if self._asides.take():
            return True
        self.transport.abort()
        return False

    def handle_connect(self, event: Handshake) -> None:
        """Begin, and give the application the wire itself."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast("dict[str, object]", self.scope.setdefault("extensions", {}))
            extensions["ananas.wire"] = self

    async def ready(self) -> None:
        """Wait until what was sent before has been taken, but for a little."""
        await self.writable.wait()

    def say(self, messages: Iterable[bytes]) -> None:
        """Send text messages, all that there are at once: each time costs more than each message."""
        if self.gone or self.close_sent:
            raise WebSocketDisconnect(NO_CODE)
        try:
            for message in messages:
                self.conn.send_text(message)
        except InvalidState:
            raise WebSocketDisconnect(NO_CODE) from None
        self.transport.write(b"".join(self.conn.data_to_send()))

    @property
    def gone(self) -> bool:
        """Whether the other end is gone."""
        return self.disconnected

    def cut(self) -> None:
        """Let a close frame pass at once, and end the connection soon whether it is taken or not."""
        self.writable.set()
        self.loop.call_later(CUT_SECONDS, self.transport.abort)


def _may_be_heard(websocket: WebSocket, public_url: str) -> bool:
    """Whether a socket comes from a page of this room, or from a program that does not claim to be anybody.

    Browsers always say where a page comes from. So with a cookie the origin has to be ours, exactly; a program that
    names none may watch, but it has to name ours to be somebody.
    """
    nobody = api.COOKIE not in websocket.cookies and "origin" not in websocket.headers
    return nobody or api.origin_allowed(websocket.headers, websocket.url.scheme, public_url)


async def _watch(
    websocket: WebSocket,
    came: int,
    *,
    store: Store,
    clock: RoomClock,
    rooms: Rooms,
    sockets: set[Socket],
    places: Places,
) -> None:
    """One browser at one table."""
    address = websocket.client.host if websocket.client else ""
    try:
        guest = await known_guest(store, websocket.cookies.get(api.COOKIE))
        player = None if guest is None else guest.id
        viewer = Socket(websocket, player, clock, came)
        room = await rooms.get(websocket.path_params["table_id"])

        def sits() -> bool:
            return player is not None and room.table.seat_of(player) is not None

        with places.take(address, player, lambda: viewer.drop(FLOOD), seated=sits) as one_left:
            if not one_left:
                await turn_away(websocket, FLOOD)
                return
            sockets.add(viewer)
            room.join(viewer)
            try:
                await viewer.listen(lambda message: room.ask(viewer, message))
            finally:
                sockets.discard(viewer)
                room.leave(viewer)
    except (Refused, NotKept) as reason:
        code = reason.code if isinstance(reason, Refused) else "not-kept"
        await turn_away(websocket, {"no-table": NO_TABLE, "closing": RESTARTS}.get(code, BROKEN))


# -- HTTP


class HttpProtocol(HttpToolsProtocol):
    """The server's HTTP, for those who want something: a request has to come soon, and to be of moderate size."""

    _late: asyncio.TimerHandle
    _bytes: int
    _looks: asyncio.TimerHandle
    _unread: float = math.inf

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request; where there are too many connections, this one is none.

        Those of one address are too many before all are, so that nobody keeps the others out.
        """
        super().connection_made(transport)
        self._wait()
        self._look_again()
        own = _callers_of(self.config).come(_address_of(self.client))
        most = self.limit_concurrency
        if most is not None and (len(self.connections) > most or own > max(1, most // SHARE)):
            transport.abort()

    def on_message_begin(self) -> None:
        """Begin to wait for the rest of a request."""
        super().on_message_begin()
        self._late.cancel()
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, or cut the connection of somebody who has no end."""
        self._bytes += len(data)
        if self._bytes > REQUEST_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_message_complete(self) -> None:
        """The request is there."""
        self._late.cancel()
        self._bytes = 0
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._late.cancel()
        self._looks.cancel()
        _callers_of(self.config).go(_address_of(self.client))
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the socket's protocol."""
        self._looks.cancel()
        _callers_of(self.config).go(_address_of(self.client))
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, with the headers that every answer bears."""
        lines = [f"{name}: {value}" for name, value in (*HEADERS.items(), ("Content-Length", len(msg)))]
        head = "\r\n".join(["HTTP/1.1 400 Bad Request", "Content-Type: text/plain", "Connection: close", *lines])
        self.transport.write(f"{head}\r\n\r\n{msg}".encode())
        self.transport.close()

    def resume_writing(self) -> None:
        """Somebody reads."""
        self._unread = math.inf
        super().resume_writing()

    def _look_again(self) -> None:
        self._looks = self.loop.call_later(ANSWER_SECONDS, self._look)

    def _look(self) -> None:
        """Cut a reader that has read nothing since the last look, also where the connection was to be closed."""
        unread = self.transport.get_write_buffer_size()
        if 0 < unread >= self._unread:
            self.transport.abort()
        else:
            self._unread = unread or math.inf
            self._look_again()

    def _wait(self) -> None:
        self._bytes = 0
        self._late = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)


_callers: Final = weakref.WeakKeyDictionary[uvicorn.Config, Callers]()


def _callers_of(config: uvicorn.Config) -> Callers:
    """Who has connections to a server; its proxies, each of which comes for many people, are not counted."""
    if config not in _callers:
        _callers[config] = Callers(_TrustedHosts(config.forwarded_allow_ips).__contains__)
    return _callers[config]


def _address_of(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""


class Door:
    """Every HTTP request passes here: strict headers on what goes out, limits on what comes in."""

    def __init__(self, app: ASGIApp, public_url: str, requests: int = 60 * REQUESTS) -> None:
        self._app: Final = app
        self._public_url: Final = public_url
        self._requests: Final = Limits(requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse at the door, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(raw=message["headers"])
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", _cache(scope["path"], message["status"]))
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = HTTPS_ONLY
                message["headers"] = headers.raw
            await send(message)

        refused = self._refused(scope)
        if scope["method"] == "HEAD" and scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # the same answer; the server keeps the body to itself
        try:
            await (refused or self._app)(scope, receive, send_with_headers)
        except Exception as error:
            # What it says might name cards, and whoever asked learns nothing from where it broke.
            if begun:
                raise
            report("an answer failed", error)
            broken = PlainTextResponse(
                "Something is wrong here; it has been noted.\n", HTTPStatus.INTERNAL_SERVER_ERROR
            )
            await broken(scope, receive, send_with_headers)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["path"].startswith("/api/"):
            try:
                self._requests.take(_address_of(scope["client"]))
            except Refused as reason:
                return api.refusal(reason)
        if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            return None
        if "origin" in headers and not api.origin_allowed(headers, scope["scheme"], self._public_url):
            return PlainTextResponse("This request comes from another site.\n", HTTPStatus.FORBIDDEN)
        length = headers.get("content-length", "")
        if not length.isdecimal():
            return PlainTextResponse("Say how long the body is.\n", HTTPStatus.LENGTH_REQUIRED)
        size = int(length.lstrip("0")[:9] or "0")
        if size > BODY_BYTES:
            return api.refusal(Refused("too-large", size=size, limit=BODY_BYTES))
        return None


def _cache(path: str, status: int) -> str:
    """Built files bear a hash in their name and never change; pages may, answers do."""
    if path.startswith("/api/"):
        return "no-store"
    return "public, max-age=31536000, immutable" if path.startswith("/assets/") and status == 200 else "no-cache"


def client(static: Path) -> ASGIApp:
    """The built client: its page at each of `PAGES`, and its files.

    Whoever asks for a page at any other address is shown that there is none, which the client's page says.
    """
    files = StaticFiles(directory=static, check_dir=False)

    def built() -> bool:
        return static.is_dir()

    def index(status: HTTPStatus) -> Response:
        found = static / "index.html"
        if not found.is_file():
            return PlainTextResponse(NO_CLIENT, HTTPStatus.SERVICE_UNAVAILABLE)
        return FileResponse(found, status)

    async def page(request: Request) -> Response:  # noqa: ARG001
        return index(HTTPStatus.OK)

    def at_root(name: str, kind: str) -> Route:
        async def file(request: Request) -> Response:  # noqa: ARG001
            found = static / name
            if not found.is_file():
                raise HTTPException(HTTPStatus.NOT_FOUND)
            return FileResponse(found, media_type=kind)

        return Route(f"/{name}", file)

    async def other(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
            return
        refused = HTTPException(HTTPStatus.NOT_FOUND)
        if built():
            try:
                await files(scope, receive, send)
            except HTTPException as error:
                refused = error
            else:
                return
        wants_a_page = "text/html" in Headers(scope=scope).get("accept", "")
        if refused.status_code != HTTPStatus.NOT_FOUND or not wants_a_page:
            raise refused
        await index(HTTPStatus.NOT_FOUND)(scope, receive, send)

    pages = [Route(path, page) for path in PAGES]
    return Router([*pages, *(at_root(name, kind) for name, kind in _TYPES.items()), Mount("/", other)])


# -- what runs beside


async def _forever(seconds: float, body: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await body()
        except Exception as error:  # noqa: BLE001
            report("a chore failed", error)


def _beat(clock: RoomClock, rooms: Rooms) -> Callable[[], Awaitable[None]]:
    """Read the clock often enough that it notices when the room could do nothing."""
    lost_ms = 0

    async def beat() -> None:
        nonlocal lost_ms
        clock.now()
        if (now_lost := clock.lost_ms) != lost_ms:
            _log.warning("the room was stalled; nobody is charged", ms=now_lost - lost_ms)
            rooms.stalled(now_lost - lost_ms)
            lost_ms = now_lost

    return beat


def _look_around(rooms: Rooms, store: Store, sockets: set[Socket]) -> Callable[[], Awaitable[None]]:
    async def look() -> None:
        for viewer in list(sockets):
            viewer.check()
        await rooms.put_idle_away()
        await rooms.wake()
        if rooms.anything_due:
            await store.alive(rooms.alive_at)

    return look


# -- the process


class _Server(uvicorn.Server):
    """Says when it is ready, and ends quietly when it is told to."""

    def __init__(self, config: uvicorn.Config, rooms: Rooms, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._rooms: Final = rooms
        self._ready: Final = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then collect garbage rarely: long pauses cost more than the memory."""
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()
            gc.set_threshold(50_000, 50, 1000)
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; the tables first, so that nobody is taken for gone whose socket the room itself closes."""
        await self._rooms.stop()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on the first signal, at once on the second; being told to stop is no failure."""
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            taken = f"port {settings.port} is taken; choose another one with --port, or stop what listens there"
            raise CannotStart(taken) from None
        reason = str(error.strerror).partition(" (")[0]
        raise CannotStart(f"cannot listen on {settings.host}, port {settings.port}: {reason}") from None
    # Connections inherit it: what lies unread in the kernel is as good as sent, and cannot be replaced any more.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * BUFFER_BYTES)
    return listener


def log_plainly() -> None:
    """Log to standard error: for people on a terminal, as JSON elsewhere; never with what an exception says, or cards."""
    people = sys.stderr.isatty()
    structlog.configure(
        processors=[
            discreet,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if people else "iso", utc=not people),
            structlog.dev.ConsoleRenderer() if people else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=_Lines,
    )
    logging.basicConfig(handlers=[_Forward()], level=logging.WARNING, force=True)
    report_crashes(report)


class _Lines:
    """Standard error, line by line. A full disk or a reader that has gone loses lines, and nothing but lines."""

    def __init__(self, *_: object) -> None:
        pass

    def msg(self, message: str) -> None:
        """Write a line if it can be written."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{message}\n")
            sys.stderr.flush()

    log = debug = info = warning = error = critical = msg


class _Forward(logging.Handler):
    """What libraries log, in the room's own log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on; of an exception only its kind and its place."""
        with contextlib.suppress(Exception):  # as with every handler: who logs is not to suffer for it
            if record.exc_info is not None and record.exc_info[1] is not None:
                report(_first_line(str(record.msg)), record.exc_info[1], logger=record.name)
            else:
                _log.log(record.levelno, _first_line(record.getMessage()), logger=record.name)


def _first_line(text: str) -> str:
    """What has happened; asyncio goes on with the task it happened to, printed with all that is in it."""
    return text.strip().partition("\n")[0]
