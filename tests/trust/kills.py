"""Rooms are killed in the middle of everything, started again, and go on with what they had said.

`python -m tests.trust.kills --count 2000` kills so often: at each write point in turn half of the times, the other times
at any moment. `--seed` says when, and is printed when a command is lost or done twice. `--tables 200` kills a real
server instead that has as many tables in mid-hand, and says how soon all of them are back.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from websockets.exceptions import ConnectionClosed

from ananas.game.cards import DECK
from ananas.game.rules import RuleSet
from ananas.server.audit import recount
from ananas.server.guests import hash_token
from ananas.server.store import BrokenChain, Guest, Store, open_to_check, read_rows, table_ids
from ananas.table.clock import deadline
from ananas.table.commands import Command, Deal, Open, Ready, Sit
from ananas.table.decide import advance
from ananas.table.events import AnyEvent, TimedOut
from tests.chance import Chance
from tests.server.house import ONE_HAND, House, Message, Player, View
from tests.trust.mortal import KINDS, POINTS, Gone, Mortal, Piped, Seated

OUTAGE: Final = 300.0
"""How long each room seems to have been away, in seconds by its wall clock: longer than anybody's time for a hand."""
RULES: Final = RuleSet.named("room").but({"seats": "2-2", **ONE_HAND})
TABLES: Final = (Seated("melon", ("ann", "bob")), Seated("lemon", ("cyd", "dee")), Seated("grape", ("eve", "fay")))
SLACK_MS: Final = 5000
"""When somebody saw a clock is known less well on a busy machine than the clock itself; an outage is far longer."""
AGAIN: Final = 6
"""Of the commands that were acknowledged, so many of the last ones may be sent again."""

Row = tuple[str, str | None, int]
"""A row of the log: table, command id, version."""


class Broken(AssertionError):
    """Something was lost, or done twice, or charged that nobody owed."""


class Clock(NamedTuple):
    """The clock of a turn as somebody saw it: whose turn, how much was left, and when that was."""

    turn: tuple[int, tuple[tuple[int, int], ...]]
    left_ms: int
    seen_at: float


class Busy:
    """Somebody who plays as fast as he can, and remembers what he asked and what he was told.

    With `chance` he also changes his mind, and sends again what was acknowledged long ago, as a network may.
    """

    def __init__(self, name: str, player: Player, chance: Chance | None = None) -> None:
        self.name = name
        self.player = player
        self.sent = Counter[str]()
        self.acked: dict[str, int] = {}
        self.pending: Message | None = None
        self.seen_at = 0.0
        self._chance = chance
        self._asked: list[Message] = []

    async def live_once(self) -> Clock | None:
        """Come to a room that is still starting, play until it is gone; gives the clock as it was when he came."""
        clock = None
        with suppress(ConnectionClosed, Gone):
            await self.player.connect()
            self.seen_at = time.monotonic()
            clock = self.clock
            if self.pending is not None:
                await self.send(self.pending)
            await self.play()
        return clock

    async def play(self) -> None:
        """Play until the room is gone."""
        with suppress(ConnectionClosed, Gone):
            while True:
                may, view = self.player.view["may"], self.player.view
                if "confirm" in may:
                    turn = {"placement": self.player.placement(), **self.player.turn()}
                    await self.ask({"type": "confirm", **turn})
                    await self.change_his_mind()
                elif "ready" in may:
                    await self.ask({"type": "ready", "hand": view["hands"] + 1, "always": False})
                elif view["you"] is None or view["seats"][view["you"]]["sitting_out"]:
                    raise Broken(f"{self.name} sits out: his time was charged")
                else:
                    await self.player.next()
                self.seen_at = time.monotonic()

    async def change_his_mind(self) -> None:
        if self._chance is None:
            return
        if self._chance.below(3) == 0:
            view = self.player.view
            on = view["you"] is not None and not view["seats"][view["you"]]["always_ready"]
            await self.ask({"type": "always", "on": on})
        if self._chance.below(3) == 0 and self._asked:
            await self.send(self._chance.pick(self._asked[-AGAIN:]))

    async def ask(self, message: Message) -> None:
        message = {**message, "id": f"{self.name}-command-{len(self.sent)}"}
        await self.send(message)
        if message["id"] in self.acked:
            self._asked.append(message)

    async def send(self, message: Message) -> None:
        """Send a command, perhaps again, and wait for its answer."""
        self.pending = message
        self.sent[message["id"]] += 1
        await self.player.send(message)
        answer = await self.player.answer(message["id"])
        self.pending = None
        if answer["type"] == "kept":
            before = self.acked.setdefault(message["id"], answer["version"])
            if answer["version"] != before:
                raise Broken(f"{message['id']} was kept as {before}, now as {answer['version']}")
            await self.player.catch_up(answer["version"])
        elif message["id"] in self.acked:
            raise Broken(f"{message['id']} was kept, and is refused now: {answer['code']}")

    async def come_back(self) -> None:
        """Reconnect, and send again what was never answered."""
        await self.player.connect()
        self.seen_at = time.monotonic()
        if self.pending is not None:
            await self.send(self.pending)

    @property
    def left(self) -> int | None:
        """What is left on the clock that runs, as last seen."""
        clocks = [seat["clock"] for seat in self.player.view["seats"] if seat and seat["clock"]]
        return next((clock["hand_ms"] for clock in clocks if clock["running"]), None)

    @property
    def clock(self) -> Clock | None:
        """The clock that runs, as last seen; None where none does."""
        if not self.player.view or self.left is None or self.player.view["phase"] != "laying":
            return None
        hand = self.player.view["hand"]
        turn = tuple((side["seat"], side["street"]) for side in hand["players"] if side["acting"])
        return Clock((hand["number"], turn), self.left, self.seen_at)


def acting(view: View) -> list[int]:
    """The seats that have cards to lay."""
    return [side["seat"] for side in view["hand"]["players"] if side["acting"]]


def assert_exactly_once(sent: set[str], acked: Mapping[str, int], rows: list[Row]) -> None:
    """What was acknowledged is in the log once, as the version that was told; what was sent, at most once."""
    kept = Counter(command.rpartition(":")[2] for _, command, _ in rows if command)
    versions = {command.rpartition(":")[2]: version for _, command, version in rows if command}
    for what, wrong in (
        ("lost", [command for command in acked if kept[command] == 0]),
        ("done twice", [command for command in sent if kept[command] > 1]),
        (
            "kept as another version",
            [command for command, told in acked.items() if versions.get(command, told) != told],
        ),
    ):
        if wrong:
            raise Broken(f"{what}: {wrong[:3]}")
    for table in {table for table, _, _ in rows}:
        numbers = sorted(version for each, _, version in rows if each == table)
        if numbers != list(range(1, len(numbers) + 1)):
            raise Broken(f"table {table} has the versions {numbers[-5:]}")


def rows_of(path: Path) -> list[Row]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT table_id, command_id, version FROM events").fetchall()


def assert_whole(path: Path) -> int:
    """Every table's log is what was written, and adds up, and nobody's time ran out; gives how many hands were counted."""
    hands = 0
    with closing(open_to_check(path)) as db:
        for table in table_ids(db):
            try:
                rows = read_rows(db, table) or []
                told = recount(rows)
            except BrokenChain as error:
                raise Broken(str(error)) from None
            if told.found:
                raise Broken(f"table {table}: {told.found[0]}")
            if any(isinstance(event, TimedOut) for row in rows for event in row.events):
                raise Broken(f"table {table}: somebody's time ran out, as an outage was charged")
            hands += told.hands
    return hands


def assert_not_charged(before: Clock | None, after: Clock | None) -> bool:
    """Where the same turn goes on after an outage, it was charged for no more than has passed; gives whether it does."""
    if before is None or after is None or before.turn != after.turn:
        return False
    passed = 1000 * (after.seen_at - before.seen_at)
    charged = before.left_ms - after.left_ms
    if not -SLACK_MS <= charged <= passed + SLACK_MS:
        raise Broken(f"{charged} ms were charged, and {passed:.0f} had passed")
    return True


class Kills(NamedTuple):
    """What a run of kills came to."""

    kills: int
    at_points: Counter[str]
    acknowledged: int
    sent_again: int
    clocks: int
    hands: int


async def kill(folder: Path, count: int, seed: str, kind: str = "real", said: str = "") -> Kills:
    """Kill a room so often, at a write point each time or at any moment. Raises `Broken`.

    `said`: what is looked for in a room that breaks its word, as a pattern of `Broken`'s words. Whatever else is found on
    the way, as may come of the same fault or of a busy machine, is told only where nothing of that kind is found.
    """
    chance = Chance(f"kills {seed}")
    mortal = Mortal(folder, kind)
    people = [
        Busy(f"{table}-{player}", Piped(mortal, player, table), chance)
        for table, players in TABLES
        for player in players
    ]
    plan = [POINTS[number // 2 % len(POINTS)] if number % 2 else "" for number in range(count)]
    at_points, clocks, ahead = Counter[str](), 0, 0.0
    beside: list[Broken] = []

    @contextmanager
    def noted() -> Generator[None]:
        try:
            yield
        except Broken as error:
            if not said or re.search(said, str(error)):
                raise
            beside.append(error)

    async def live_once(each: Busy) -> Clock | None:
        with noted():
            return await each.live_once()
        return None

    try:
        await mortal.open(RULES, TABLES)
        for point in chance.shuffled(plan):
            before = [each.clock for each in people]
            await mortal.begin(point, 1 + chance.below(12) if point else 0, ahead)
            playing, known = asyncio.gather(*map(live_once, people)), len(beside)
            if not point:
                if chance.below(4):  # else it dies in its first moments
                    await mortal.alive.wait()
                await asyncio.sleep(0.15 * chance.unit())
                mortal.kill()
            found = await playing
            if len(beside) > known:  # who has broken off does nothing by which this room could come to its end
                mortal.kill()
            status = await mortal.ended()
            with noted():
                if status != -9:
                    raise Broken(f"a room ended by itself: {status}")
            at_points[point or "any moment"] += 1
            for then, now in zip(before, found, strict=True):
                with noted():
                    clocks += assert_not_charged(then, now)
            ahead += OUTAGE
        await mortal.begin(ahead=ahead)
        for each in people:
            with noted():
                await each.come_back()
        with noted():
            if await mortal.hang_up() != 0:
                raise Broken("the last room ended by itself")
    finally:
        await mortal.close()
    sent = {command for each in people for command in each.sent}
    acked = {command: version for each in people for command, version in each.acked.items()}
    assert_exactly_once(sent, acked, rows_of(mortal.database))
    again = sum(count > 1 for each in people for count in each.sent.values())
    hands = assert_whole(mortal.database)
    if beside:
        raise beside[0]
    return Kills(count, at_points, len(acked), again, clocks, hands)


async def many(database: Path, tables: int) -> list[Seated]:
    """A database with so many tables in mid-hand; everybody's cookie is his name."""
    store = Store(database)
    found = [Seated(f"table{number:03}", (f"ann {number}", f"bob {number}")) for number in range(tables)]
    now = int(time.time() * 1000)
    for table, players in found:
        commands: list[Command] = [Open(table=table, name=table, host=players[0], rules=RULES)]
        commands += [Sit(player=player, name=player) for player in players]
        commands += [Ready(player=player, hand=1, always=False) for player in players]
        state, kept = None, list[tuple[AnyEvent, ...]]()
        for command in (*commands, Deal(deck=DECK, lot=0)):
            events, state = advance(state, command, now)
            kept.append(events)
        assert state is not None
        assert state.laying
        for player in players:
            await store.add_guest(Guest(player, player), hash_token(player), now)
        due = deadline(state)
        await asyncio.gather(
            *(store.append(table, version, None, events, due_at=due) for version, events in enumerate(kept, 1))
        )
    await store.alive(now)
    store.close()
    return found


async def recover(folder: Path, tables: int) -> tuple[float, float]:
    """Kill a server with so many tables in mid-hand, and let everybody come back.

    Gives after how many seconds it had all tables and listened, and after how many everybody saw his.
    """
    house = House(folder / "room.sqlite")
    everybody = [
        Player(house, player, table) for table, players in await many(house.database, tables) for player in players
    ]
    outage = 8.0

    async def come() -> dict[tuple[str, int], int]:
        """What is left to those who act, as everybody sees it who comes now."""
        found: dict[tuple[str, int], int] = {}
        for some in (everybody[number : number + 50] for number in range(0, len(everybody), 50)):
            await asyncio.gather(*(each.connect() for each in some))
        for each in everybody:
            if each.view["phase"] != "laying" or each.view["hand"]["number"] != 1:
                raise Broken(f"the hand of table {each.table} does not go on")
            for seat in acting(each.view):
                found[each.table, seat] = each.view["seats"][seat]["clock"]["hand_ms"]
        return found

    try:
        await asyncio.to_thread(house.start)
        first = time.monotonic()
        before = await come()
        await asyncio.to_thread(house.end, signal.SIGKILL)
        await asyncio.sleep(outage)
        began = time.monotonic()
        await asyncio.to_thread(house.start)
        listened = time.monotonic() - began
        after = await come()
        took = time.monotonic() - began
        if after.keys() != before.keys() or len(after) != tables:
            raise Broken(f"{len(after)} of {tables} hands go on where they were")
        worked = 1000 * (time.monotonic() - first - outage)
        charged = max(before[where] - after[where] for where in before)
        if charged > worked + 1000:
            raise Broken(f"{charged} ms were charged, and the room had worked for {worked:.0f}")
        return listened, took
    finally:
        for each in everybody:
            with suppress(AssertionError):  # who has never come
                await each.close()
        house.close()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="how many kills")
    parser.add_argument("--seed", default="1", help="which ones")
    parser.add_argument("--kind", choices=KINDS, default="real", help="which store: others break their word")
    parser.add_argument("--tables", type=int, help="how many tables a real server has when it is killed")
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        if asked.tables is not None:
            listened, took = asyncio.run(recover(Path(name), asked.tables))
            print(
                f"{asked.tables} tables were back {listened:.2f} s after the start, each with its clock as it was;"
                f" {2 * asked.tables} people saw them after {took:.2f} s"
            )
            return
        try:
            found = asyncio.run(kill(Path(name), asked.count, asked.seed, asked.kind))
        except Broken as error:
            raise SystemExit(f"BROKEN: {error} (--count {asked.count} --seed {asked.seed})") from None
    print(f"{found.kills} kills (seed {asked.seed}): {dict(found.at_points)}")
    print(
        f"{found.acknowledged} commands acknowledged, {found.sent_again} sent again, none lost, none done twice;"
        f" {found.clocks} clocks went on, no outage was charged; {found.hands} hands add up"
    )


if __name__ == "__main__":
    main()
