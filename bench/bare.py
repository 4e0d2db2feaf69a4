"""The bare broadcast that `bench/room.py` measures against: the room's stack with nothing in it."""

from __future__ import annotations

import gc
import os
from collections import defaultdict

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

groups = defaultdict[str, list[WebSocket]](list)
versions = defaultdict[str, int](int)
padding = "x" * (int(os.environ["BENCH_VIEW_BYTES"]) - 45)


class Command(msgspec.Struct):
    """The least that can be read of a command."""

    id: str


read = msgspec.json.Decoder(Command).decode


async def serve(socket: WebSocket) -> None:
    """Send what comes from one to the three of its group, and an answer to the sender."""
    await socket.accept()
    name = socket.path_params["name"]
    group = groups[name]
    group.append(socket)
    try:
        while True:
            command = read(await socket.receive_text())
            versions[name] += 1
            view = f'{{"type":"view","version":{versions[name]},"text":"{padding}"}}'
            for one in group:
                await one.send_text(view)
            await socket.send_text(f'{{"type":"kept","id":"{command.id}","version":{versions[name]}}}')
    except WebSocketDisconnect:
        group.remove(socket)


app = Starlette(routes=[WebSocketRoute("/{name}", serve)])

if __name__ == "__main__":
    gc.set_threshold(50_000, 50, 1000)
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(os.environ["BENCH_PORT"]),
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="warning",
    )
