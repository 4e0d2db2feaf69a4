"""People who play in the real room while something else goes on beside them, and how long they wait for their answers.

What `bench.bots` and `bench.flood` share: a room in a process of its own with a database on disk, people at tables of three
at a fixed rate of commands, each timed from being sent to its `kept`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from ananas.server.workers import take_short_turns
from bench.room import ROOT, Load, Socket, cpu_seconds, dial, free_port, post, serving

RULES: Final = {"fantasyland": "off", "settlement_cap": "none"}
HEAD: Final = "| | p50 ms | p99 ms | p99.9 ms | commands | the room's CPU, ms a command |\n|---|---|---|---|---|---|\n"


class Waits(NamedTuple):
    """How long people waited, in milliseconds, and how many commands that were; what each cost the room, all in all."""

    p50: float
    p99: float
    p999: float
    commands: int
    cpu: float

    def row(self, name: str) -> str:
        """A row below `HEAD`."""
        return f"| {name} | {self.p50:.1f} | {self.p99:.1f} | {self.p999:.1f} | {self.commands:,} | {self.cpu:.2f} |\n"


class Played:
    """A room with people in it, who play as soon as they are asked, at the pace they are given."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], options: argparse.Namespace) -> None:
        self.people: Final = Load(paced=True)
        self.urls: Final[list[str]] = []
        """Where the tables are found, the first first."""
        self._port: Final = port
        self._process: Final = process
        self._options: Final = options
        self._sockets: Final[list[Socket]] = []

    async def sit_down(self, people: int, load: Load | None = None, bots: Sequence[str] = ()) -> None:
        """A new table with these bots, and so many people."""
        origin = f"http://127.0.0.1:{self._port}"
        cookies = [post(self._port, "/api/guests", {"name": f"guest {number}"})[1] for number in range(people)]
        wanted = {"name": "table", "set": RULES, "bots": list(bots)}
        opened, _ = post(self._port, "/api/tables", wanted, cookies[0])
        url = f"ws://127.0.0.1:{self._port}/api/tables/{opened['table']}/socket"
        self.urls.append(url)
        for cookie in cookies:
            one = await dial(Socket(load or self.people), url, {"Cookie": cookie, "Origin": origin})
            one.command("sit")
            self._sockets.append(one)

    async def pace(self, seconds: float) -> None:
        """Send what waits to be sent, so many a second."""
        started, done = time.perf_counter(), 0
        while (now := time.perf_counter()) - started < seconds:
            while done < (now - started) * self._options.rate and self.people.ready:
                self.people.ready.popleft()()
                done += 1
            await asyncio.sleep(0.001)

    async def measure(self) -> Waits:
        """Play for as long as was asked, and tell how long all waited meanwhile."""
        self.people.took.clear()
        spent = cpu_seconds(self._process)
        await self.pace(self._options.seconds)
        spent = cpu_seconds(self._process) - spent
        took = self.people.took
        if self.people.refused:
            sys.exit(f"{self.people.refused} commands of people were refused")
        cuts = [1000 * cut for cut in statistics.quantiles(took, n=1000)]
        return Waits(cuts[499], cuts[989], cuts[998], len(took), 1000 * spent / len(took))


@asynccontextmanager
async def playing(options: argparse.Namespace, **settings: str) -> AsyncGenerator[Played]:
    """A room with these settings, and people at so many tables of three."""
    take_short_turns()  # those who play stand for machines of their own
    port = free_port()
    environment = {"ANANAS_CREATIONS": "1000000", "ANANAS_SOCKETS": "1000000"}
    environment |= {f"ANANAS_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        command = [sys.executable, "-m", "ananas.cli.main", "serve", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--database", f"{directory}/bench.sqlite", "--public-url", f"http://127.0.0.1:{port}"]
        with serving(command, environment, port) as process:
            played = Played(port, process, options)
            for _ in range(options.people):
                await played.sit_down(3)
            yield played


def shared_options(parser: argparse.ArgumentParser, *, people: int, warm: float) -> None:
    """What can be asked of every such measurement."""
    parser.add_argument("--people", type=int, default=people, help="tables of three people")
    parser.add_argument("--rate", type=int, default=200, help="commands of people a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=warm, help="seconds before anything is measured")
    parser.add_argument("--directory", type=Path, default=ROOT, help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
