"""The room's own server within the test's process, so that a test may change what it is made of."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

from ananas.game.rules import RuleSet
from ananas.server import app as module
from ananas.server.guests import add_guest
from ananas.server.settings import Settings
from ananas.server.store import Store
from ananas.table.commands import Open
from ananas.table.decide import decide

TABLE: Final = "table"


class Serving:
    """A room that listens, with one table."""

    def __init__(self, app: Starlette, store: Store, port: int) -> None:
        self.app: Final = app
        self.store: Final = store
        self.port: Final = port

    @property
    def path(self) -> str:
        return f"/api/tables/{TABLE}/socket"

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}{self.path}"

    async def guest(self, name: str) -> str:
        """A new guest's cookie."""
        _, token = await add_guest(self.store, name, 0)
        return f"ananas_guest={token}"

    async def raw(self, source: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from an address of this machine; nothing has been said over it."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))

    async def upgraded(
        self, source: str = "127.0.0.1", cookie: str | None = None, **headers: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A WebSocket of which the test writes every byte; the answer to the handshake has been read."""
        reader, writer = await self.raw(source)
        lines = {
            "Host": f"127.0.0.1:{self.port}", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13",
            **({} if cookie is None else {"Origin": f"http://127.0.0.1:{self.port}", "Cookie": cookie}),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }  # fmt: skip
        writer.write(f"GET {self.path} HTTP/1.1\r\n".encode())
        writer.write("".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode() + b"\r\n")
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            assert head.startswith(b"HTTP/1.1 101"), head
        except BaseException:
            writer.close()
            raise
        return reader, writer


@contextlib.asynccontextmanager
async def serving(path: Path, *, connections: int = 1000, **settings: Any) -> AsyncGenerator[Serving]:  # noqa: ANN401
    """Serve a room as `ananas serve` does."""
    store = Store(path)
    opening = Open(table=TABLE, name="Friday", host="nobody", rules=RuleSet())
    await store.append(TABLE, 1, None, decide(None, opening, 0), due_at=None)
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    port = listener.getsockname()[1]
    made = Settings.model_validate({"database": path, "bot_pause": 0, "reviews": "asked", **settings})
    app = module.build_app(made, store, f"http://127.0.0.1:{port}")
    server = uvicorn.Server(module.configure(app, connections))
    server.config.timeout_graceful_shutdown = 1
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        yield Serving(app, store, port)
    finally:
        server.should_exit = True
        await task


def in_a_served_room(
    path: Path,
    body: Callable[[Serving], Awaitable[None]],
    *,
    connections: int = 1000,
    **settings: Any,  # noqa: ANN401
) -> None:
    """Run a test before a served room."""

    async def run() -> None:
        async with asyncio.timeout(60), serving(path, connections=connections, **settings) as room:
            await body(room)

    asyncio.run(run())


def frame(opcode: int, data: bytes, *, fin: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """The bytes of one WebSocket frame."""
    first = (0x80 if fin else 0) | reserved << 4 | opcode
    mask = 0x80 if masked else 0
    if len(data) < 126:
        head = bytes([first, mask | len(data)])
    elif len(data) < 65_536:
        head = bytes([first, mask | 126]) + len(data).to_bytes(2, "big")
    else:
        head = bytes([first, mask | 127]) + len(data).to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + data


async def ended(reader: asyncio.StreamReader) -> tuple[int | None, bytes]:
    """Read until the other side ends it: the code it gave, None where it gave none, and all its text before."""
    text = b""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await asyncio.wait_for(reader.readexactly(2), 30)
            length = head[1] & 0x7F
            if length >= 126:
                length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
            data = await reader.readexactly(length)
            if head[0] & 0x0F == 8:
                return int.from_bytes(data[:2], "big") if data else 1005, text
            if head[0] & 0x0F == 1:
                text += data
    return None, text
