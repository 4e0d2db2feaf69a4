"""How long people wait for an answer while somebody floods the room with frames that are no messages.

    .venv/bin/python -m bench.flood            # writes its section of bench/results.md
    .venv/bin/python -m bench.flood --seconds 10 --dry

The room is the real one, with people at its tables (`bench/beside.py`). First there is nobody else; then, from a process of
its own, somebody opens as many sockets at their tables as one address may and sends over each as many bad frames as are refused
before a socket is closed, opening it again when it is. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import time
from multiprocessing.sharedctypes import Synchronized
from typing import Final

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench.beside import HEAD, Waits, playing, shared_options
from bench.results import write_section
from tests.chance import Chance
from tests.trust.frames import frames

LIMIT: Final = 2.0
"""In a flood people wait at the most so many times as long, at the p99."""
RATE: Final = 40
"""Frames a second over each socket: more than a room takes for long."""
LONGEST: Final = 16 * 1024


def flood(urls: list[str], sockets: int, sent: Synchronized[int]) -> None:
    """Send bad frames until the process is ended; what it costs to make them is not the room's to pay."""
    os.nice(15)

    async def one(number: int) -> None:
        said = frames(Chance(f"flood {number}"))
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                async with connect(urls[number % len(urls)], compression=None, ping_interval=None) as socket:
                    reading = asyncio.create_task(_read(socket))
                    try:
                        while True:
                            await _send(socket, next(said))
                            with sent.get_lock():
                                sent.value += 1
                            await asyncio.sleep(1 / RATE)
                    finally:
                        reading.cancel()
            await asyncio.sleep(0.1)

    async def all_of_them() -> None:
        await asyncio.gather(*(one(number) for number in range(sockets)))

    uvloop.run(all_of_them())


async def _send(socket: ClientConnection, text: str | None) -> None:
    with contextlib.suppress(UnicodeEncodeError):
        frame = b"\0" if text is None else text.encode()
        if len(frame) <= LONGEST:
            await socket.send(frame, text=text is not None)


async def _read(socket: ClientConnection) -> None:
    with contextlib.suppress(WebSocketException):
        async for _ in socket:
            pass


async def measure(options: argparse.Namespace, sockets: int) -> tuple[Waits, float]:
    """One room, with so many sockets that flood it; and how many bad frames a second came."""
    async with playing(options, reviews="asked") as room:
        sent = multiprocessing.Value("q", 0)
        villain = multiprocessing.Process(target=flood, args=(room.urls, sockets, sent), daemon=True)
        if sockets:
            villain.start()
        try:
            await room.pace(options.warm)
            before = sent.value
            found = await room.measure()
            return found, (sent.value - before) / options.seconds
        finally:
            if sockets:
                villain.terminate()


async def both(options: argparse.Namespace) -> tuple[Waits, Waits, float]:
    """First in peace, then in the flood."""
    quiet, _ = await measure(options, 0)
    return quiet, *await measure(options, options.sockets)


def report(quiet: Waits, flooded: Waits, bad: float, options: argparse.Namespace) -> str:
    """The section of the results page."""
    times = flooded.p99 / quiet.p99
    return (
        f"## People in a flood\n\n`.venv/bin/python -m bench.flood --seconds {options.seconds:g}` on {os.cpu_count()} cores, "
        f"the driver and the flood on the same machine, {time.strftime('%Y-%m-%d')}.\n\n"
        f"{options.people} tables of three people, {options.rate} commands a second. From sending a command to its `kept`:\n\n"
        f"{HEAD}{quiet.row('in peace')}{flooded.row(f'{options.sockets} sockets that flood')}\n"
        f"In the flood, of {bad:,.0f} bad frames a second, the p99 is {times:.2f} of what it is in peace (limit: {LIMIT:g}, "
        f"{'kept' if times <= LIMIT else '**not kept**'}).\n"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=50, help="sockets that flood")
    shared_options(parser, people=20, warm=3)
    options = parser.parse_args()
    section = report(*uvloop.run(both(options)), options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
