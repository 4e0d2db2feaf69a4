"""A wire between browser and room that can be cut, healed, and made to swallow everything without a word."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import warnings
from typing import Literal

State = Literal["whole", "cut", "hung"]


class Network:
    """A TCP relay on a port of its own; `cut` closes and refuses, `hung` keeps sockets open and passes nothing."""

    def __init__(self, target_port: int) -> None:
        self.port = 0
        self._target = target_port
        self._state: State = "whole"
        self._writers = set[asyncio.StreamWriter]()
        """All there ever were: one that was asked to close may still have something to say, and stays open for it."""
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._started.wait(10)

    def set(self, state: State) -> None:
        """Change what the wire does, for sockets there are and those to come."""
        asyncio.run_coroutine_threadsafe(self._set(state), self._loop).result(10)

    def close(self) -> None:
        """Take the wire away."""
        self.set("cut")
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._writers.clear()
        # A socket that was let in while the wire was taken away may be left over; nobody is to blame for that one.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(_turns())  # whoever was let in a moment ago is seen, and shown out
        pending = asyncio.all_tasks(self._loop)
        for task in pending:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        for writer in self._writers:
            writer.transport.abort()
        self._loop.run_until_complete(_turns())  # an aborted socket is closed in one of the loop's next turns
        self._loop.close()

    async def _set(self, state: State) -> None:
        self._state = state
        if state == "cut":
            for writer in list(self._writers):
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        if self._state == "cut":
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(far_writer)
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if self._state == "whole":
                    writer.write(data)
                    await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.close()


async def _turns() -> None:
    """Let the loop go round some times, however long a busy machine takes for each."""
    for _ in range(50):
        await asyncio.sleep(0)
