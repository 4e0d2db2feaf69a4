"""How long people wait for an answer while somebody floods the room with frames that are no messages.

    .venv/bin/python -m bench.flood            # writes its section of bench/results.md
    .venv/bin/python -m bench.flood --seconds 10 --dry

The room is the real one, in a process of its own with a database on disk. People play at tables of three, at a fixed rate
of commands; each is timed from being sent to its `kept`. First there is nobody else; then, from a process of its own,
somebody opens as many sockets at their tables as one address may and sends over each as many bad frames as are refused
before a socket is closed, opening it again when it is. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Final

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench.bots import pace, sit_down
from bench.results import write_section
from bench.room import ROOT, Load, Socket, free_port, serving
from tests.chance import Chance
from tests.trust.frames import frames

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


async def measure(options: argparse.Namespace, sockets: int) -> dict[str, float]:
    """One room, with so many sockets that flood it."""
    port = free_port()
    environment = {"ANANAS_CREATIONS": "1000000", "ANANAS_SOCKETS": "1000000", "ANANAS_REVIEWS": "asked"}
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        command = [sys.executable, "-m", "ananas.cli.main", "serve", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--database", f"{directory}/bench.sqlite", "--public-url", f"http://127.0.0.1:{port}"]
        with serving(command, environment, port):
            people, players = Load(paced=True), list[Socket]()
            urls = list[str]()
            for _ in range(options.people):
                players += await sit_down(port, 3, people, urls=urls)
            sent = multiprocessing.Value("q", 0)
            villain = multiprocessing.Process(target=flood, args=(urls, sockets, sent), daemon=True)
            if sockets:
                villain.start()
            await pace(people, options.warm, options.rate)
            people.took.clear()
            before = sent.value
            await pace(people, options.seconds, options.rate)
            if sockets:
                villain.terminate()
            if people.refused:
                sys.exit(f"{people.refused} commands of people were refused")
            cuts = statistics.quantiles(people.took, n=1000)
            return {
                "p50": cuts[499] * 1000,
                "p99": cuts[989] * 1000,
                "commands": len(people.took),
                "frames": (sent.value - before) / options.seconds,
            }


async def both(options: argparse.Namespace) -> tuple[dict[str, float], dict[str, float]]:
    """First in peace, then in the flood."""
    return await measure(options, 0), await measure(options, options.sockets)


def report(quiet: dict[str, float], flooded: dict[str, float], options: argparse.Namespace) -> str:
    """The section of the results page."""
    rows = "".join(
        f"| {name} | {found['p50']:.1f} | {found['p99']:.1f} | {found['commands']:,.0f} | {found['frames']:,.0f} |\n"
        for name, found in (("in peace", quiet), (f"{options.sockets} sockets that flood", flooded))
    )
    times = flooded["p99"] / quiet["p99"]
    return (
        f"## People in a flood\n\n`.venv/bin/python -m bench.flood --seconds {options.seconds:g}` on {os.cpu_count()} cores, "
        f"the driver and the flood on the same machine, {time.strftime('%Y-%m-%d')}.\n\n"
        f"{options.people} tables of three people, {options.rate} commands a second. From sending a command to its `kept`:\n\n"
        "| | p50 ms | p99 ms | commands | bad frames a second |\n|---|---|---|---|---|\n"
        f"{rows}\n"
        f"In the flood the p99 is {times:.2f} of what it is in peace (limit: 2, "
        f"{'kept' if times <= 2 else '**not kept**'}).\n"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20, help="tables of three people")
    parser.add_argument("--sockets", type=int, default=50, help="sockets that flood")
    parser.add_argument("--rate", type=int, default=200, help="commands of people a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=3)
    parser.add_argument("--directory", type=Path, default=ROOT, help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    options = parser.parse_args()
    quiet, flooded = uvloop.run(both(options))
    section = report(quiet, flooded, options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
