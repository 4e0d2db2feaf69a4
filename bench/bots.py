"""How long people wait for an answer while twenty tables of bots think, beside how long they wait without them.

    .venv/bin/python -m bench.bots            # writes its section of bench/results.md
    .venv/bin/python -m bench.bots --seconds 10 --tables 20 --dry

The room is the real one, in a process of its own with a database on disk. People play at tables of three of their own, at
a fixed rate of commands; each is timed from being sent to its `kept`. First nobody thinks: there are no bots, and no hand is
reviewed. Then, in another room, somebody sits down with two bots at each of twenty further tables, where the bots take no
pause, so that all they do is think, and the coach reviews whatever it has time for. Nothing else should run on the machine
meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import uvloop

from bench.results import write_section
from bench.room import ROOT, Load, Socket, dial, free_port, post, serving

RULES = {"fantasyland": "off", "settlement_cap": "none"}


async def sit_down(
    port: int, people: int, load: Load, *, bots: Sequence[str] = (), urls: list[str] | None = None
) -> list[Socket]:
    """A new table with these bots, and so many people who play as soon as they are asked; `urls` gets its address."""
    origin, sockets = f"http://127.0.0.1:{port}", list[Socket]()
    cookies = [post(port, "/api/guests", {"name": f"guest {number}"})[1] for number in range(people)]
    opened, _ = post(port, "/api/tables", {"name": "table", "set": RULES, "bots": list(bots)}, cookies[0])
    url = f"ws://127.0.0.1:{port}/api/tables/{opened['table']}/socket"
    if urls is not None:
        urls.append(url)
    for cookie in cookies:
        one = await dial(Socket(load), url, {"Cookie": cookie, "Origin": origin})
        one.command("sit")
        sockets.append(one)
    return sockets


async def pace(load: Load, seconds: float, rate: int) -> None:
    """Send what waits to be sent, so many a second."""
    started, done = time.perf_counter(), 0
    while (now := time.perf_counter()) - started < seconds:
        while done < (now - started) * rate and load.ready:
            load.ready.popleft()()
            done += 1
        await asyncio.sleep(0.001)


async def measure(options: argparse.Namespace, *, bots: bool) -> dict[str, float]:
    """One room, with tables of bots or without."""
    port = free_port()
    environment = {"ANANAS_CREATIONS": "1000000", "ANANAS_SOCKETS": "1000000", "ANANAS_BOT_PAUSE": "0"}
    environment["ANANAS_REVIEWS"] = "ahead" if bots else "asked"
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        command = [sys.executable, "-m", "ananas.cli.main", "serve", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--database", f"{directory}/bench.sqlite", "--public-url", f"http://127.0.0.1:{port}"]
        with serving(command, environment, port):
            people, beside, players = Load(paced=True), Load(), list[Socket]()
            for _ in range(options.people):
                players += await sit_down(port, 3, people)
            for _ in range(options.tables if bots else 0):
                players += await sit_down(port, 1, beside, bots=options.bots.split(","))
            await pace(people, options.warm, options.rate)
            people.took.clear()
            beside.took.clear()
            await pace(people, options.seconds, options.rate)
            if people.refused:
                sys.exit(f"{people.refused} commands of people were refused")
            cuts = statistics.quantiles(people.took, n=1000)
            return {
                "p50": cuts[499] * 1000,
                "p99": cuts[989] * 1000,
                "p99.9": cuts[998] * 1000,
                "commands": len(people.took),
                "beside": len(beside.took) / options.seconds,
            }


async def both(options: argparse.Namespace) -> tuple[dict[str, float], dict[str, float]]:
    """First without bots, then with them."""
    return await measure(options, bots=False), await measure(options, bots=True)


def report(alone: dict[str, float], with_bots: dict[str, float], options: argparse.Namespace) -> str:
    """The section of the results page."""
    rows = "".join(
        f"| {name} | {found['p50']:.1f} | {found['p99']:.1f} | {found['p99.9']:.1f} | {found['commands']:,.0f} |\n"
        for name, found in (("without bots", alone), (f"{options.tables} tables of bots at play", with_bots))
    )
    command = f".venv/bin/python -m bench.bots --tables {options.tables} --seconds {options.seconds:g}"
    return (
        f"## People beside bots\n\n`{command}` on {os.cpu_count()} cores, the driver on the same machine, "
        f"{time.strftime('%Y-%m-%d')}.\n\n"
        f"{options.people} tables of three people, {options.rate} commands a second; at each of the other tables one "
        f"person and {options.bots.replace(',', ', ')}, without a pause. From sending a command to its `kept`:\n\n"
        "| | p50 ms | p99 ms | p99.9 ms | commands |\n|---|---|---|---|---|\n"
        f"{rows}\n"
        f"With bots the p99 is {with_bots['p99'] / alone['p99']:.2f} of what it is without; those who play with bots lay "
        f"{with_bots['beside']:.1f} times a second meanwhile.\n"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20, help="tables with bots")
    parser.add_argument("--bots", default="ananas,papaya", help="who sits there")
    parser.add_argument("--people", type=int, default=30, help="tables of three people")
    parser.add_argument("--rate", type=int, default=200, help="commands of people a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=10, help="seconds for the bots to come to their game")
    parser.add_argument("--directory", type=Path, default=ROOT, help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    options = parser.parse_args()
    alone, with_bots = uvloop.run(both(options))
    section = report(alone, with_bots, options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
