"""What the tests of this list share: a room that is stopped and begun again, and moments of a table to begin from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.server import room as module
from ananas.server.room import Room
from ananas.server.time import RoomClock
from ananas.table.clock import deadline
from ananas.table.commands import Command, TimeOut
from ananas.table.events import AnyEvent
from ananas.table.evolve import evolve
from ananas.table.state import Table
from tests.server.live import Ear, Live
from tests.table.play import Play, deck

HOUR_MS: Final = 3_600_000
TWO: Final = RuleSet(seats=(2, 2), fantasyland="off", bank_seconds=0)
"""Two play, a hand a match; two minutes a hand."""
THREE: Final = RuleSet(seats=(2, 3), fantasyland="off", hand_seconds=60, bank_seconds=20)
ROOM: Final = RULE_SETS["room"].but({"hand_seconds": "60", "bank_seconds": "20"})


def gives(value: object) -> Callable[..., Any]:
    """Something that gives this, whatever it is asked: a fault to plant."""

    def anything(*_: object, **__: object) -> object:
        return value

    return anything


async def settle(room: Room) -> None:
    """Wait until a room has done what it was asked and what is due, and shown it."""
    for _ in range(3):
        await asyncio.sleep(0)
        while not room._mailbox.empty() or room._busy:
            await asyncio.sleep(0.001)


async def log_of(live: Live, table: str = "table") -> tuple[AnyEvent, ...]:
    """What the store holds of a table."""
    log = await live.store.load(table)
    assert log is not None
    return log.events


def kinds(events: Sequence[AnyEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def begin_again(live: Live, clock: RoomClock) -> None:
    """The rooms of a process that was killed are gone; those of the next one have this clock."""
    live.clock = clock
    live.rooms = module.Rooms(store=live.store, clock=clock, thinker=live.thinker, bot_pause=0)


def acts(ears: Sequence[Ear]) -> Ear:
    """Whose turn it is."""
    return next(ear for ear in ears if "confirm" in ear.view["may"])


async def lay_on(ears: Sequence[Ear]) -> None:
    """One turn is laid, and seen by all."""
    version = (await acts(ears).lay())["version"]
    for ear in ears:
        await ear.until(lambda ear=ear: ear.version >= version)  # type: ignore[misc]


async def play_hand(ears: Sequence[Ear]) -> None:
    """The hand that runs is played to its end."""
    while ears[0].view["phase"] == "laying":
        await lay_on(ears)


def wait(play: Play, ms: int) -> tuple[AnyEvent, ...]:
    """Let time pass at a table, and its alarm ring whenever it is due."""
    until, told = play.now + ms, list[AnyEvent]()
    for _ in range(1000):
        due = deadline(play.table)
        if due is None or due > until:
            play.now = until
            return tuple(told)
        play.now = max(play.now, due)
        events = play.ask(TimeOut())
        assert events, "the alarm rings, and nothing follows"
        told += events
        play.deal_if_owed()
    raise AssertionError("the table never comes to rest")


def tables(log: Sequence[AnyEvent]) -> Iterator[Table]:
    """The table after each event of a log."""
    table: Table | None = None
    for event in log:
        table = evolve(table, event)
        yield table


def at_every_street(rules: RuleSet, players: str) -> Iterator[tuple[int, Play]]:
    """A hand before each of its turns, each time played anew; how many turns were laid before."""
    turns = len(rules.place) * len(players.split())
    for turn in range(turns):
        play = Play(rules, players)
        play.ready(*players.split())
        for _ in range(turn):
            play.now += 1_000
            play.confirm()
        yield turn, play


class Story(Play):
    """A table that remembers after which events of its log a command had been carried out, with all that follows."""

    ends: list[int]

    def ask(self, command: Command) -> tuple[AnyEvent, ...]:
        events = super().ask(command)
        self.ends = [*getattr(self, "ends", []), len(self.log)]
        return events


def evening(rules: RuleSet = ROOM) -> Story:
    """Ann and Bob play a match: Ann comes into Fantasyland in its first hand, and lays it in the second."""
    play = Story(rules, "ann bob")
    play.scored(ann="in", bob="plain")
    play.plan = {}
    play.now += 3_000
    play.go_on("ann", "bob")
    play.finish()
    return play


def cut(play: Play, until: int, decks: Callable[[int], tuple[str, ...]] | None = None) -> Play:
    """The same table as it was after so many events of its log, to go on from there in another way."""
    other = object.__new__(Play)
    other.now, other.lot, other.plan = play.log[until - 1].at, play.lot, {}
    other.decks = decks or deck  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    other.log = list(play.log[:until])
    other._table = list(tables(other.log))[-1]
    return other
