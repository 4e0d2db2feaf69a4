"""A session at a table out of a list of numbers, for tests that need many different ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import hypothesis.strategies as st
import msgspec

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.table.clock import deadline
from ananas.table.commands import Command, Confirm, Deal, Leave, Open, Ready, Resume, Return, Sit, TimeOut
from ananas.table.decide import decide
from ananas.table.events import AnyEvent
from ananas.table.evolve import evolve
from ananas.table.state import Table, needs_deck
from tests.table.play import NAMES, deck, legal, unfinished

PLAYERS = ("ann", "bob", "cyd", "dee")
CHOICES = st.lists(st.integers(0, 100_000), min_size=60, max_size=140)


class Step(msgspec.Struct, frozen=True):
    """A moment at a table: a command, or only another draft, and what came of it."""

    now: int
    command: Command | None
    drafts: Mapping[int, Placement]
    events: tuple[AnyEvent, ...]
    table: Table


def step(table: Table | None, now: int, command: Command | None, drafts: Mapping[int, Placement]) -> Step:
    events = () if command is None else decide(table, command, now)
    after = reduce(evolve, events, table)
    assert after is not None
    return Step(now, command, drafts, events, after)


def session(seats: int, choices: Sequence[int]) -> list[Step]:
    """Play a session in which every number is a choice: mostly of where cards go, sometimes of coming and going."""
    now = 1_000_000
    opening = Open(table="t1", name="Friday", host="ann", rules=RuleSet(seats=seats, hand_seconds=60))
    steps = [step(None, now, opening, {})]
    for number in choices:
        table, drafts = steps[-1].table, steps[-1].drafts
        now += number % 977
        choice, kind = divmod(number, 16)
        command: Command | None = None
        if kind == 0:
            now = max(now, deadline(table) or 0)
            command = TimeOut(draft=drafts.get(acting(table)))
        elif kind <= 3 and table.turn is not None and table.hand:
            drafts = {acting(table): unfinished(table.hand, choice)}
        else:
            command = coming_and_going(table, kind, choice) if kind <= 7 else going_on(table, choice)
        try:
            steps.append(step(table, now, command, {} if isinstance(command, Confirm | TimeOut) else drafts))
        except Refused:
            continue
        if needs_deck(steps[-1].table):
            steps.append(step(steps[-1].table, now, Deal(deck=deck(choice), lot=choice % 12), {}))
    return steps


def acting(table: Table) -> int:
    """The seat to act, -1 when there is none."""
    return -1 if table.turn is None or table.hand is None else table.hand.seats[table.turn]


def coming_and_going(table: Table, kind: int, choice: int) -> Command:
    choice, who = divmod(choice, len(PLAYERS))
    player = PLAYERS[who]
    match kind:
        case 4:
            return Leave(player=player)
        case 5:
            return Sit(player=player, name=NAMES[player], seat=choice % len(table.seats))
        case 6:
            return Return(player=player)
        case _:
            return Resume(lost_ms=choice)


def going_on(table: Table, choice: int) -> Command:
    """What brings a table nearer to its next showdown."""
    if table.hand is not None and table.turn is not None:
        player, street = table.players[table.turn], table.hand.street_of(table.turn)
        return Confirm(player=player, hand=table.hands, street=street, placement=legal(table.hand, choice))
    for _, seat in table.seated:
        if not seat.ready and len(table.seated) > 1:
            return Ready(player=seat.player, hand=table.hands + 1, always=choice % 3 == 0)
    player = PLAYERS[choice % len(PLAYERS)]
    return Sit(player=player, name=NAMES[player])
