"""A real room in a process of its own, and people who come to it over the network."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from ananas.game.cards import Card, parse_cards
from ananas.solver import fantasyland

View = dict[str, Any]
Message = dict[str, Any]

ONE_HAND = {"fantasyland": "off", "bank_seconds": "0", "settlement_cap": "none"}
"""House rules by which a match is one hand with one clock, and nobody goes broke."""

_ids = itertools.count()


class Answer(NamedTuple):
    """What the room said over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class House:
    """`ananas serve` on a free port of this machine; the port stays the same when it is started again."""

    def __init__(self, database: Path, **settings: object) -> None:
        self.database = database
        self.port = 0
        self.log = database.with_suffix(".log")
        self.decks: Path | None = None
        """A file of decks to deal, as `tests/browser/planted.py` reads it."""
        self.client: Path | None = None
        """Where another build of the client lies, which is shown instead of the package's own."""
        self.main: tuple[str, ...] = ("ananas.cli.main",)
        """The module that is run, and what it wants to be told before all else; in place of the command itself."""
        self.wrong: str | None = None
        """A fault that is planted in it, one of `tests/trust/wrong.py`."""
        self.environment: Mapping[str, str] | None = None
        """The environment it has, if not this one."""
        self._settings = {
            "bot_pause": 0,
            "creations": 100_000,
            "sockets": 100_000,
            "reviews": "asked",  # that the tests which want none have the machine to themselves
            **settings,
        }
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    def start(self) -> House:
        """Start it, and wait until it listens."""
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in self._settings.items()]
        main = [*self.main] if self.decks is None else ["tests.browser.planted", str(self.decks)]
        if self.wrong is not None:
            main = ["tests.trust.wrong", self.wrong]
        if self.client is not None:
            assert self.decks is None, "a room has either decks or a client of its own"
            main = ["tests.browser.dressed", str(self.client)]
        command = [sys.executable, "-m", *main, "serve", "--host=127.0.0.1", f"--port={self.port}"]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, f"--database={self.database}", *flags],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self.environment,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return self
        raise AssertionError(f"the room did not start: {self.log.read_text()}")

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    def end(self, number: signal.Signals) -> int:
        """End it by a signal; gives the exit status."""
        self.send_signal(number)
        status = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._process = None
        return status

    def close(self) -> None:
        if self._process is not None:
            self.end(signal.SIGKILL)

    def call(self, method: str, path: str, body: object = None, cookie: str | None = None, **headers: str) -> Answer:
        """One HTTP request; a body that is no bytes is sent as JSON."""
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named.setdefault("content-type", "application/json")
        if cookie is not None:
            named["cookie"] = f"ananas_guest={cookie}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, sent, named)
            answer = connection.getresponse()
            got = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, got, answer.read())
        finally:
            connection.close()

    def guest(self, name: str) -> str:
        """A new guest's cookie."""
        answer = self.call("POST", "/api/guests", {"name": name})
        assert answer.status == 201, answer
        return answer.headers["set-cookie"].partition("=")[2].partition(";")[0]

    @property
    def said(self) -> str:
        """What the room has logged, but for that the machine kept it waiting."""
        return "".join(line for line in self.log.read_text().splitlines(keepends=True) if "was stalled" not in line)

    def table(
        self, cookie: str, *, seats: int = 2, bots: int = 0, rules: str = "room", changes: Mapping[str, str] = ONE_HAND
    ) -> str:
        """A new table's id."""
        names = ["kiwi", "mango", "papaya", "ananas"][:bots]
        body = {"name": "Friday", "rules": rules, "set": {"seats": f"2-{seats}", **changes}, "bots": names}
        answer = self.call("POST", "/api/tables", body, cookie)
        assert answer.status == 201, answer
        return str(answer.json["table"])

    async def come(self, cookie: str | None, table: str) -> Player:
        """Open a table; the first view is there when this returns."""
        player = Player(self, cookie, table)
        await player.connect()
        return player

    async def playing(
        self,
        *,
        seats: int = 2,
        names: tuple[str, ...] = ("Ann", "Bob"),
        rules: str = "room",
        changes: Mapping[str, str] = ONE_HAND,
    ) -> list[Player]:
        """People sitting at a new table, a hand dealt, all of them seeing it; in the order of their seats."""
        cookies = [self.guest(name) for name in names]
        table = self.table(cookies[0], seats=seats, rules=rules, changes=changes)
        players = [await self.come(cookie, table) for cookie in cookies]
        for number, player in enumerate(players):
            await player.kept("sit", seat=number)
        for player in players:
            await player.kept("ready", hand=1)
        for player in players:
            await player.see(lambda view: view["hand"] is not None)
        return players


class Player:
    """Somebody with a table open, in a window of his own that stays the same when he connects again."""

    def __init__(self, house: House, cookie: str | None, table: str) -> None:
        self.house = house
        self.cookie = cookie
        self.table = table
        self.window = f"window-{next(_ids):06}"
        self.version = 0
        self.view: View = {}
        self.elsewhere = False
        self.frames: list[str] = []
        self._socket: ClientConnection | None = None

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None
        return self._socket

    async def connect(self) -> None:
        """Open the socket (again); the first view is there when this returns."""
        headers = {} if self.cookie is None else {"Cookie": f"ananas_guest={self.cookie}"}
        address = f"ws://127.0.0.1:{self.house.port}/api/tables/{self.table}/socket?window={self.window}"
        if self._socket is not None:
            self._socket.transport.abort()
        self._socket = await connect(
            address,
            origin=Origin(self.house.url),
            additional_headers=headers,
            compression=None,
            ping_interval=None,
            close_timeout=1,
        )
        self.view = {}
        message = await self.next()
        assert message["type"] == "view"

    async def close(self) -> None:
        await self.socket.close()

    async def next(self) -> Message:
        """The next message, whatever it is; a view becomes what is seen now."""
        async with asyncio.timeout(10):
            frame = await self.socket.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: Message = json.loads(frame)
        if message["type"] == "view":
            assert not self.view or message["version"] >= self.version
            self.version, self.view, self.elsewhere = message["version"], message["view"], message["elsewhere"]
        return message

    async def see(self, condition: Callable[[View], object]) -> View:
        """Wait until the view is as wanted."""
        while not condition(self.view):
            await self.next()
        return self.view

    async def send(self, message: object) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def ask(self, kind: str, **fields: object) -> Message:
        """Ask for something, under a new id unless one is given; gives the answer to it."""
        message = {"type": kind, "id": f"command-{next(_ids):06}", **fields}
        await self.send(message)
        return await self.answer(str(message["id"]))

    async def answer(self, command_id: str | None) -> Message:
        """Wait for the answer to a command."""
        while (message := await self.next())["type"] not in {"kept", "refused"} or message["id"] != command_id:
            pass
        return message

    async def kept(self, kind: str, **fields: object) -> int:
        """Ask for something that has to be kept; gives its version."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "kept", answer
        return int(answer["version"])

    async def refused(self, kind: str, **fields: object) -> str:
        """Ask for something that has to be refused; gives the code."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "refused", answer
        return str(answer["code"])

    async def quiet(self, seconds: float = 0.3) -> list[Message]:
        """Everything that comes within a while."""
        found: list[Message] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    found.append(await self.next())
        except TimeoutError:
            return found

    # -- play

    @property
    def seat(self) -> int:
        return int(self.view["you"])

    @property
    def acts(self) -> bool:
        return "confirm" in self.view.get("may", ())

    def turn(self) -> dict[str, Any]:
        """What names the turn this player has now."""
        hand = self.view["hand"]
        mine = next(player for player in hand["players"] if player["seat"] == hand["you"])
        return {"hand": hand["number"], "street": mine["street"]}

    def placement(self) -> str:
        """A legal placement: bottom, middle, top in order of receipt."""
        hand = self.view["hand"]
        mine = next(player for player in hand["players"] if player["seat"] == hand["you"])
        rest = [str(Card(card)) for card in mine["dealt"]]
        rows: dict[str, str] = {"top": "", "middle": "", "bottom": ""}
        for _ in range(mine["to_lay"]):
            row = next(
                row
                for row, size in (("bottom", 5), ("middle", 5), ("top", 3))
                if len(mine["board"][row]) + len(rows[row]) // 2 < size
            )
            rows[row] += rest.pop(0)
        thrown = f" x{''.join(rest)}" if rest else ""
        return "/".join(cards or "-" for cards in rows.values()) + thrown

    def whole_board(self) -> str:
        """As good a board as can be of all cards at once, which is in order at the least."""
        hand = self.view["hand"]
        mine = next(player for player in hand["players"] if player["seat"] == hand["you"])
        cards = parse_cards("".join(mine["dealt"]))
        return str(fantasyland(cards, stay=1000).placement)

    async def lay(self) -> int:
        """Lay this turn's cards, and see them lie; gives the version."""
        version = await self.kept("confirm", placement=self.placement(), **self.turn())
        await self.catch_up(version)
        return version

    async def catch_up(self, version: int) -> None:
        """Wait for a view of this version, or a later one."""
        await self.see(lambda _: self.version >= version)


async def play_hand(players: list[Player]) -> None:
    """Play the hand that runs to its end."""
    while any(player.view["phase"] == "laying" for player in players):
        acts = next((player for player in players if player.acts), None)
        if acts is None:  # a bot's turn
            await players[0].next()
            continue
        version = await acts.lay()
        for player in players:
            await player.catch_up(version)
