from __future__ import annotations

import re
from functools import reduce

import pytest
from msgspec.structs import replace

from ananas.game.rules import ROOM
from ananas.refused import Refused
from ananas.table.events import (
    AnyEvent,
    BreakBegan,
    BreakEnded,
    Confirmed,
    HandCalled,
    HandDealt,
    HiddenPlacement,
    HostPassed,
    Leaving,
    Opened,
    RightsLapsed,
    RulesChanged,
    Sat,
    TimedOut,
)
from ananas.table.evolve import evolve
from tests.table.play import Play

OPENED = Opened(at=0, table="t1", name="Friday", host="ann", rules=ROOM)
SAT = Sat(at=1, seat=0, player="ann", name="Ann", bot=False, stack=50, brought=50)

BROKEN: list[tuple[list[AnyEvent], str]] = [
    ([SAT], "first event"),
    ([OPENED, OPENED], "opened once"),
    ([OPENED, Leaving(at=1, seat=0)], "nobody sits"),
    ([OPENED, TimedOut(at=1, seat=0)], "nobody sits"),
    ([OPENED, SAT, TimedOut(at=2, seat=0)], "no hand"),
    ([OPENED, SAT, RightsLapsed(at=2, reason="broke")], "no match"),
    ([OPENED, SAT, HandCalled(at=2, hand=1, seats=(0,), first=False)], "no match"),
    ([OPENED, SAT, HandDealt(at=2, hand=1, seats=(0,), hidden=None)], "without its deck"),
    ([OPENED, BreakEnded(at=1)], "not stopped"),
    ([OPENED, BreakBegan(at=1), BreakBegan(at=2)], "stopped already"),
    ([OPENED, HostPassed(at=1, seat=0)], "nobody sits"),
    ([OPENED, replace(SAT, seat=2), RulesChanged(at=2, rules=ROOM.but({"seats": "2-2"}))], "keeps his seat"),
    ([OPENED, SAT, HandCalled(at=2, hand=1, seats=(0,)), RulesChanged(at=2, rules=ROOM)], "between matches"),
    ([OPENED, SAT, Confirmed(at=2, seat=0, street=1, rows="-/-/-", hidden=None)], "without its hidden part"),
]


@pytest.mark.parametrize(("log", "reason"), BROKEN)
def test_what_cannot_be_a_log_is_an_error(log: list[AnyEvent], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        reduce(evolve, log, None)


def test_a_log_that_lays_what_cannot_be_laid_is_an_error_that_names_no_card() -> None:
    play = Play(ROOM, "ann bob")
    play.ready("ann", "bob")
    seat = play.hand.seats[0]
    foreign = HiddenPlacement(placement="AsKsQs/-/Js9s")
    with pytest.raises(ValueError, match="cannot be laid") as error:
        evolve(play.table, Confirmed(at=play.now, seat=seat, street=1, rows="-/-/-", hidden=foreign))
    assert not isinstance(error.value, Refused)
    assert not re.search("[2-9TJQKA][cdhs]", str(error.value))
    assert error.value.__suppress_context__


def test_events_make_new_tables_and_leave_the_old_ones_alone() -> None:
    play = Play(ROOM, "ann bob")
    before = play.table
    play.leave("bob")
    assert before.gone == {}
    assert before.seats[1] is not None
    play.sit("bob")
    assert play.table.gone == {}
