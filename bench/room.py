"""How many commands the room takes, beside the bare broadcast of the same stack, in one run.

    .venv/bin/python -m bench.room            # writes its section of bench/results.md
    .venv/bin/python -m bench.room --seconds 5 --tables 100 --rate 1000 --dry

The room is the real one: a process of `ananas serve` with a database on disk, tables of three seats, real sockets. A
command goes the whole way: decoded, decided, made durable, shown to three. The bare server runs on the same uvicorn
and Starlette and sends each message it gets to three sockets, in views of the same length, and an answer to the sender:
it decides nothing and keeps nothing. Each is driven twice: as fast as it goes (commands a second of the server's own
CPU), and at a fixed rate (time from sending a command to its `kept`).
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import picows
import uvloop

from bench.results import write_section

ROOT = Path(__file__).parents[1]


class Player(msgspec.Struct):
    """What the driver reads of a player's view."""

    seat: int
    street: int | None
    board: dict[str, list[str]]
    dealt: list[str]
    to_lay: int


class Hand(msgspec.Struct):
    """What the driver reads of a hand."""

    number: int
    players: list[Player]


class View(msgspec.Struct):
    """What the driver reads of a view."""

    you: int | None
    hands: int
    hand: Hand | None
    may: list[str]


class Message(msgspec.Struct):
    """What the driver reads of a message."""

    type: str
    id: str | None = None
    version: int = 0
    view: View | None = None
    text: str = ""


read = msgspec.json.Decoder(Message).decode


@dataclass
class Load:
    """What is measured: commands answered, and how long each took."""

    paced: bool = False
    ready: deque[Callable[[], None]] = field(default_factory=deque[Callable[[], None]])
    sent: dict[str, float] = field(default_factory=dict[str, float])
    took: list[float] = field(default_factory=list[float])
    refused: int = 0

    def act(self, send: Callable[[], None]) -> None:
        """Send at once, or when the pace allows."""
        if self.paced:
            self.ready.append(send)
        else:
            send()

    def answered(self, command: str) -> None:
        """Count a `kept`."""
        started = self.sent.pop(command, None)
        if started is not None:
            self.took.append(time.perf_counter() - started)


class Socket(picows.WSListener):
    """One socket of one seat."""

    transport: picows.WSTransport

    def __init__(self, load: Load) -> None:
        self.load = load
        self.acted: object = None
        self.view_bytes = 0

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        """Keep the way out."""
        self.transport = transport

    def command(self, kind: str, **fields: str | int) -> None:
        """Send a command under a new id."""
        name = secrets.token_urlsafe(8)
        self.load.sent[name] = time.perf_counter()
        self.transport.send(picows.WSMsgType.TEXT, json.dumps({"type": kind, "id": name, **fields}).encode())

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        """Answer a view by the move it asks for."""
        if frame.msg_type != picows.WSMsgType.TEXT:
            return
        text = frame.get_payload_as_bytes()
        message = read(text)
        if message.type == "view" and message.view is not None:
            self.view_bytes = len(text)
            self.play(message.view)
        elif message.type == "kept" and message.id:
            self.load.answered(message.id)
        elif message.type == "refused":
            self.load.refused += 1

    def play(self, view: View) -> None:
        """Fill the rows from the bottom up; be ready when asked."""
        hand = view.hand
        if "confirm" in view.may and hand is not None:
            me = next(player for player in hand.players if player.seat == view.you)
            turn = (hand.number, me.street or 1)
            if self.acted == turn:
                return
            self.acted = turn
            text = fill(me)
            self.load.act(lambda: self.command("confirm", hand=turn[0], street=turn[1], placement=text))
        elif "ready" in view.may and self.acted != view.hands + 1:
            self.acted = view.hands + 1
            self.load.act(lambda: self.command("ready", hand=view.hands + 1))


def fill(me: Player) -> str:
    """Lay the cards in the order they came, from the bottom up; throw away what is left."""
    rows: dict[str, list[str]] = {"top": [], "middle": [], "bottom": []}
    left = list(me.dealt)
    for _ in range(me.to_lay):
        row = next(r for r, n in (("bottom", 5), ("middle", 5), ("top", 3)) if len(me.board[r]) + len(rows[r]) < n)
        rows[row].append(left.pop(0))
    laid = "/".join("".join(rows[row]) or "-" for row in rows)
    return laid + (f" x{''.join(left)}" if left else "")


class BareSocket(Socket):
    """A socket of the bare server: the three of a group take turns."""

    def __init__(self, load: Load, place: int) -> None:
        super().__init__(load)
        self.place = place

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        """When it is this one's turn, send a command of the usual length."""
        if frame.msg_type != picows.WSMsgType.TEXT:
            return
        message = read(frame.get_payload_as_bytes())
        if message.type == "kept" and message.id:
            self.load.answered(message.id)
        elif message.version % 3 == self.place:
            hand = message.version
            self.load.act(lambda: self.command("confirm", hand=hand, street=3, placement="Qh/9h/- x3h"))


@contextmanager
def serving(command: list[str], environment: dict[str, str], port: int) -> Generator[subprocess.Popen[bytes]]:
    """Run a server until it answers, and stop it afterwards."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, cwd=ROOT)
    try:
        until = time.monotonic() + 20
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if time.monotonic() > until or process.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """The CPU the server has used so far, all its threads, user and system."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def post(port: int, path: str, body: Mapping[str, object], cookie: str = "") -> tuple[dict[str, Any], str]:
    """Ask the room over HTTP; give the answer and the cookie it sets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"Content-Type": "application/json", "Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
    connection.request("POST", path, json.dumps(body), headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status >= 300:
        sys.exit(f"{path}: {answer}")
    set_cookie = response.getheader("Set-Cookie") or ""
    connection.close()
    return answer, set_cookie.split(";")[0]


@dataclass
class Measured:
    """What came of one server."""

    per_core_second: float
    per_second: float
    milliseconds: dict[str, float]
    rate: float
    view_bytes: int


async def drive(
    process: subprocess.Popen[bytes], load: Load, sockets: list[Socket], options: argparse.Namespace
) -> Measured:
    """Warm up, run free, then at the fixed rate."""
    await asyncio.sleep(2)
    load.took.clear()
    cpu, started = cpu_seconds(process), time.perf_counter()
    await asyncio.sleep(options.seconds)
    count, elapsed, used = len(load.took), time.perf_counter() - started, cpu_seconds(process) - cpu
    load.paced = True
    await asyncio.sleep(1)
    load.took.clear()
    started = time.perf_counter()
    done = 0
    while (now := time.perf_counter()) - started < options.seconds:
        while done < (now - started) * options.rate and load.ready:
            load.ready.popleft()()
            done += 1
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.5)
    if load.refused:
        sys.exit(f"{load.refused} commands were refused; with few tables each socket asks faster than the room lets it")
    cuts = statistics.quantiles(load.took, n=1000)
    return Measured(
        per_core_second=count / used,
        per_second=count / elapsed,
        milliseconds={"p50": cuts[499] * 1000, "p99": cuts[989] * 1000, "p99.9": cuts[998] * 1000},
        rate=done / options.seconds,
        view_bytes=round(statistics.mean(s.view_bytes for s in sockets)),
    )


async def dial(one: Socket, url: str, headers: dict[str, str]) -> Socket:
    """Connect a socket."""
    await picows.ws_connect(lambda: one, url, extra_headers=headers)  # pyright: ignore[reportUnknownMemberType]
    return one


async def room(options: argparse.Namespace) -> Measured:
    """Drive the real room."""
    port = free_port()
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        command = [sys.executable, "-m", "ananas.cli.main", "serve", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--database", f"{directory}/bench.sqlite", "--public-url", f"http://127.0.0.1:{port}"]
        with serving(command, {"ANANAS_CREATIONS": "1000000", "ANANAS_SOCKETS": "1000000"}, port) as process:
            load, sockets = Load(), list[Socket]()
            cookies = [post(port, "/api/guests", {"name": f"guest {n}"})[1] for n in range(3 * options.tables)]
            for n in range(options.tables):
                table = {"name": f"table {n}", "set": {"fantasyland": "off", "settlement_cap": "none"}}
                name = post(port, "/api/tables", table, cookies[3 * n])[0]["table"]
                for cookie in cookies[3 * n : 3 * n + 3]:
                    url = f"ws://127.0.0.1:{port}/api/tables/{name}/socket"
                    headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
                    one = await dial(Socket(load), url, headers)
                    one.command("sit")
                    sockets.append(one)
            return await drive(process, load, sockets, options)


async def bare(options: argparse.Namespace) -> Measured:
    """Drive the bare broadcast."""
    port = free_port()
    environment = {"BENCH_PORT": str(port), "BENCH_VIEW_BYTES": str(options.view_bytes)}
    with serving([sys.executable, str(ROOT / "bench" / "bare.py")], environment, port) as process:
        load, sockets = Load(), list[Socket]()
        for n in range(options.tables):
            for place in range(3):
                url = f"ws://127.0.0.1:{port}/{n}"
                sockets.append(await dial(BareSocket(load, place), url, {}))
        for one in sockets[::3]:
            one.command("confirm", hand=1, street=1, placement="-/-/-")
        return await drive(process, load, sockets, options)


def report(real: Measured, plain: Measured, options: argparse.Namespace) -> str:
    """The section of the results page."""
    command = (
        f".venv/bin/python -m bench.room --tables {options.tables} --seconds {options.seconds} --rate {options.rate}"
    )
    rows = "".join(
        f"| {name} | {m.per_core_second:,.0f} | {m.per_second:,.0f} | {m.rate:,.0f} | {m.milliseconds['p50']:.1f} "
        f"| {m.milliseconds['p99']:.1f} | {m.milliseconds['p99.9']:.1f} |\n"
        for name, m in (("the room", real), ("bare broadcast", plain))
    )
    return (
        f"## The room\n\n`{command}` on {os.cpu_count()} cores, the driver on the same machine, {time.strftime('%Y-%m-%d')}.\n\n"
        f"{options.tables} tables of three; views of {real.view_bytes} bytes on the average.\n\n"
        "| | commands a core-second | commands a second | then at a second | p50 ms | p99 ms | p99.9 ms |\n"
        f"|---|---|---|---|---|---|---|\n{rows}\n"
        f"The room does {real.per_core_second / plain.per_core_second:.2f} of the bare broadcast's work a core-second, "
        "decoding, deciding, keeping on disk and showing.\n"
    )


def main() -> None:
    """Measure both, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--directory", default=str(ROOT), help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    options = parser.parse_args()
    real = uvloop.run(room(options))
    options.view_bytes = real.view_bytes
    plain = uvloop.run(bare(options))
    section = report(real, plain, options)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
