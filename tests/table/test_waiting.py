"""Nobody is kept waiting without end before a match, whatever somebody does who does not want it to begin."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas.refused import Refused
from ananas.table.chips import DAY_MS
from ananas.table.clock import HELD_MS, deadline
from ananas.table.commands import (
    Always,
    Command,
    Connect,
    Disconnect,
    Leave,
    Ready,
    Return,
    Sit,
    SitOut,
    TimeOut,
    TopUp,
)
from ananas.table.events import Left, Sat, SatOut
from ananas.table.state import Table
from tests.table.play import NAMES, Play, commit_seed
from tests.table.positions import THREE

FOUR = THREE.but({"seats": "2-4", "deal": "5,2,2,2,2"})
KINDS = 9


def one_of(play: Play, player: str, kind: int) -> Command:
    """Anything that one who sits here, or has just got up, can do between matches."""
    commands: tuple[Command, ...] = (
        SitOut(player=player),
        Return(player=player),
        Ready(player=player, hand=play.table.hands + 1, always=True),
        Leave(player=player),
        Sit(player=player, name=NAMES[player]),
        Connect(player=player),
        Disconnect(player=player),
        Always(player=player, on=False),
        TopUp(player=player, to=100),
    )
    return commands[kind % KINDS]


def begins_in_time(kinds: list[int], pauses: list[int]) -> None:
    """Ann and Bob are ready. Whatever Cyd and Dee do, they play when the others' time to be ready is over, or sooner."""
    play = Play(FOUR, "ann bob cyd dee")
    play.seal()
    play.ready("ann", "bob")
    until = play.now + 1000 * FOUR.ready_seconds
    for turn, kind in enumerate(kinds):
        if play.table.busy:
            break
        play.now = min(until - 1, play.now + pauses[turn % len(pauses)])
        player = ("cyd", "dee")[kind // KINDS % 2]
        try:
            if kind % 31 == 7:
                play.ask(commit_seed(play.table, player))
            else:
                play.ask(one_of(play, player, kind))
        except Refused:
            continue
    if not play.table.busy:
        assert play.table.ready_by is not None
        assert play.table.ready_by <= until
        play.now = until
        play.ask(TimeOut())
    assert play.table.busy
    assert {0, 1} <= set(play.table.called)


@settings(max_examples=60, deadline=None)
@given(
    kinds=st.lists(st.integers(0, 1000), max_size=60),
    pauses=st.lists(st.integers(0, 3000), min_size=1, max_size=5),
)
def test_those_who_are_ready_begin_in_time_whatever_the_others_do(kinds: list[int], pauses: list[int]) -> None:
    begins_in_time(kinds, pauses)


def a_hundred_times_each() -> None:
    for first in range(KINDS):
        for second in range(KINDS):
            begins_in_time([first, second] * 50, [250])


def test_nor_a_hundred_times_in_a_row() -> None:
    a_hundred_times_each()


def nobody_answers() -> None:
    """A question that nobody answers ends by itself, and so does the table."""
    play = Play(THREE, "ann bob cyd")
    begun = play.now
    assert deadline(play.table) == begun + HELD_MS
    assert [type(event) for event in play.time_out()] == [Left, Left, Left]
    assert (play.now, play.table.seated, deadline(play.table)) == (begun + HELD_MS, (), None)
    one = Play(THREE, "ann bob cyd")
    one.ready("ann")
    one.time_out()
    assert [seat.player for _, seat in one.table.seated] == ["ann"], "who does not answer keeps nobody's seat"
    enough = Play(THREE, "ann bob cyd")
    enough.ready("ann", "bob")
    asked = enough.now
    events = enough.time_out()
    assert enough.now == asked + 1000 * THREE.ready_seconds
    assert SatOut(at=enough.now, seat=2, reason="not-ready") in events
    assert enough.table.laying


def test_a_question_that_nobody_answers_ends_by_itself() -> None:
    nobody_answers()


# -- the bank of time


def is_whole_after_a_day() -> None:
    for away, whole in ((0, False), (DAY_MS - 1, False), (DAY_MS, True), (3 * DAY_MS, True)):
        play = Play(THREE.but({"bank_seconds": "20"}), "ann bob cyd")
        play.ready("ann", "bob", "cyd")
        play.now += 70_000
        play.finish()
        play.leave("bob")
        play.now += away
        play.sit("bob")
        assert play.seat("bob").clock.bank_ms == (20_000 if whole else 10_000)
    twice = Play(THREE.but({"bank_seconds": "20"}), "ann bob cyd")
    twice.ready("ann", "bob", "cyd")
    twice.now += 70_000
    twice.finish()
    for _ in range(5):
        twice.leave("bob")
        twice.now += DAY_MS // 3
        twice.sit("bob")
    assert twice.seat("bob").clock.bank_ms == 10_000, "a day away is a day in a row"


def test_the_bank_is_whole_again_after_a_day_and_not_by_leaving_and_coming_back() -> None:
    is_whole_after_a_day()


# -- faults that all of this has to notice

WAITING = ananas.table.evolve._waiting
SAT = ananas.table.evolve._sat


def anew(table: Table, at: int) -> Table:
    """The countdown begins again whenever something happens."""
    return WAITING(replace(table, ready_by=None), at)


def only_when_all_are_ready(table: Table, at: int) -> Table:
    """Nobody is hurried."""
    return replace(WAITING(table, at), ready_by=None)


def for_ever(_table: Table, _seat: object) -> None:
    """A place is kept for good."""
    return


def with_a_fresh_bank(table: Table, event: Sat, at: int) -> Table:
    after = SAT(table, event, at)
    seat = after.seats[event.seat]
    assert seat is not None
    clock = replace(seat.clock, bank_ms=1000 * table.rules.bank_seconds)
    return after.with_seat(event.seat, replace(seat, clock=clock))


def with_the_old_bank(table: Table, event: Sat, at: int) -> Table:
    after, purse = SAT(table, event, at), table.gone.get(event.player)
    seat = after.seats[event.seat]
    assert seat is not None
    if purse is None:
        return after
    return after.with_seat(event.seat, replace(seat, clock=replace(seat.clock, bank_ms=purse.bank_ms)))


@pytest.mark.parametrize(
    ("module", "name", "fault", "promise"),
    [
        (ananas.table.evolve, "_waiting", anew, a_hundred_times_each),
        (ananas.table.evolve, "_waiting", only_when_all_are_ready, nobody_answers),
        (ananas.table.decide, "held_until", for_ever, nobody_answers),
        (ananas.table.evolve, "_sat", with_a_fresh_bank, is_whole_after_a_day),
        (ananas.table.evolve, "_sat", with_the_old_bank, is_whole_after_a_day),
        (ananas.table.evolve, "DAY_MS", 2 * DAY_MS, is_whole_after_a_day),
    ],
)
def test_a_planted_fault_is_noticed(
    module: object, name: str, fault: object, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise()
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(AssertionError):
        promise()
