"""Credit for a slow connection: a move's time begins so much later, within limits, and what is not used is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas.game.rules import RuleSet
from ananas.table.clock import deadline
from ananas.table.commands import Lag, TimeOut
from ananas.table.decide import _Story
from ananas.table.events import AutoPlaced, Confirmed, Lagged, TimedOut
from ananas.table.evolve import CREDIT_MS, MOVE_CREDIT_MS
from ananas.table.state import Seat, Table
from ananas.table.view import Live, view_table
from tests.table.play import Play
from tests.table.positions import CLUB, ROOM, THREE, sat
from tests.table.session import going_on

NINE = THREE.but({"deal": "5,1,1,1,1,1,1,1,1", "place": "5,1,1,1,1,1,1,1,1", "bank_seconds": "20"})
"""A hand of nine moves."""


def playing(lag: int) -> Play:
    """A first hand of Ann, whose messages take so long, and Bob, whose take no time."""
    play = Play(NINE, "ann bob")
    play.ask(Lag(player="ann", ms=lag))
    play.ready("ann", "bob")
    return play


def left(play: Play, player: str) -> int:
    seat = play.seat(player)
    return seat.clock.at(play.table.time(play.now), connected=seat.connected).left_ms


def credit(play: Play) -> int:
    """What is left of Ann's credit for this hand, with what she has been given for this move and not used."""
    seat = play.seat("ann")
    return seat.credit_ms + max(0, (seat.clock.since or 0) - play.now)


# -- how much


def is_bounded(lag: int, thinks: list[int]) -> int:
    """Play one hand in which Ann thinks so long at her moves; says how much of that she was not charged."""
    play = playing(lag)
    whole, used, moves = left(play, "ann"), 0, 0
    while play.table.laying:
        if play.acting == ("ann",):
            before, thought = left(play, "ann"), thinks[moves % len(thinks)]
            play.now += thought
            play.confirm()
            free = thought - (before - left(play, "ann"))
            assert 0 <= free <= min(thought, max(0, lag), MOVE_CREDIT_MS), "one move"
            used, moves = used + thought, moves + 1
        else:
            before = left(play, "bob")
            play.now += 500
            play.confirm()
            assert before - left(play, "bob") == 500, "who has no lag has no credit"
    free = used - (whole - left(play, "ann"))
    assert moves == 9
    assert 0 <= free <= CREDIT_MS, "all moves together"
    assert credit(play) == CREDIT_MS - free, "what was not used is there again"
    return free


def within_limits() -> None:
    assert is_bounded(0, [700]) == 0
    assert is_bounded(300, [700]) == 9 * 300
    assert is_bounded(300, [100]) == 9 * 100
    assert is_bounded(300, [700, 100]) == 5 * 300 + 4 * 100
    assert is_bounded(1000, [1500]) == 7000
    assert is_bounded(5000, [1500]) == 7000
    assert is_bounded(10**9, [900]) == 7000
    assert is_bounded(-1000, [900]) == 0


def test_a_move_gets_as_much_as_its_way_takes_and_no_more_than_a_second_and_seven_in_a_hand() -> None:
    within_limits()


@settings(max_examples=40, deadline=None)
@given(lag=st.integers(-(10**6), 10**10), thinks=st.lists(st.integers(0, 2000), min_size=1, max_size=9))
def test_for_any_lag_and_any_way_to_think(lag: int, thinks: list[int]) -> None:
    is_bounded(lag, thinks)


def is_whole_in_the_next_hand() -> None:
    play = playing(1000)
    for _ in range(2):
        assert credit(play) == CREDIT_MS
        while play.table.laying:
            play.now += 1500 * (play.acting == ("ann",))
            play.confirm()
        assert credit(play) == 0
        play.ready("ann", "bob")


def test_it_is_whole_in_the_next_hand() -> None:
    is_whole_in_the_next_hand()


# -- when


def fantasyland(rules: RuleSet) -> Play:
    """Bob, whose messages take so long, lays street by street while Ann lays all at once, or has laid."""
    play = sat(rules.but({"buy_in": "90-100"}), ann=90, bob=90)
    play.scored(ann="in", bob="plain")
    play.ask(Lag(player="bob", ms=400))
    play.go_on("ann", "bob")
    return play


def each_of_his_moves() -> None:
    play = fantasyland(CLUB)
    play.confirm(player="ann")
    whole, moves = left(play, "bob"), 0
    while play.table.laying:
        assert play.acting == ("bob",)
        play.now += 1000
        play.confirm(player="bob")
        moves += 1
    assert moves > 4
    assert whole - left(play, "bob") == moves * 600


def one_for_what_is_laid_face_down() -> None:
    """In a closed hand the clock of who lays street after street says nothing about how many he has laid."""
    told: set[tuple[int, int]] = set()
    for streets in (0, 1, 3):
        play = fantasyland(ROOM)
        assert play.hand.closed
        for _ in range(streets):
            play.now += 1000
            play.confirm(player="bob")
        play.now += 1000 * (5 - streets)
        told.add((left(play, "bob"), play.seat("bob").credit_ms))
    assert len(told) == 1


def test_each_move_that_all_see_has_its_own() -> None:
    each_of_his_moves()


def test_what_is_laid_face_down_cannot_be_counted_by_a_clock() -> None:
    one_for_what_is_laid_face_down()


def only_while_he_is_there() -> None:
    play = playing(800)
    play.confirm()
    assert play.acting == ("ann",)
    until = deadline(play.table)
    assert until == play.now + 80_000 + 800
    play.disconnect("ann")
    play.connect("ann")
    assert deadline(play.table) == until, "coming and going brings no more"
    play.confirm()
    play.disconnect("ann")
    play.confirm()
    assert play.acting == ("ann",)
    assert deadline(play.table) == play.now + 80_000, "who is away has no slow connection"


def test_who_is_away_gets_none_and_coming_and_going_brings_none() -> None:
    only_while_he_is_there()


def test_a_change_counts_from_the_next_move_on() -> None:
    play = playing(0)
    play.confirm()
    assert play.ask(Lag(player="ann", ms=400)) == (Lagged(at=play.now, seat=0, ms=400),)
    assert play.ask(Lag(player="ann", ms=400)) == ()
    assert deadline(play.table) == play.now + 80_000
    play.confirm()
    play.confirm()
    assert deadline(play.table) == play.now + 80_400


def test_the_table_lays_when_the_time_and_the_credit_are_over() -> None:
    play = playing(600)
    play.confirm()
    play.now += 80_599
    assert play.ask(TimeOut()) == ()
    assert left(play, "ann") == 1
    play.now += 1
    assert any(isinstance(event, TimedOut) for event in play.ask(TimeOut()))


def test_a_break_in_the_credit_takes_nothing_and_gives_nothing() -> None:
    play = playing(600)
    play.confirm()
    play.now += 200
    play.stop()
    play.now += 100_000
    play.resume()
    assert deadline(play.table) == play.now + 80_400
    play.now += 100
    play.confirm()
    assert play.seat("ann").credit_ms == CREDIT_MS - 300


def test_bots_have_none_and_everybody_sees_whose_line_is_slow() -> None:
    play = Play(NINE, "ann bot:0")
    assert play.ask(Lag(player="bot:0", ms=500)) == ()
    play.ask(Lag(player="ann", ms=500))
    view = view_table(play.table, None, play.now, Live())
    assert [seat.lag_ms for seat in view.seats if seat] == [500, 0]


def nothing_runs_backwards() -> None:
    """With any lag, the time shown is never more than there is, and goes on as long as the table says."""
    play = playing(1000)
    for choice in range(40):
        if not play.table.laying:
            break
        for seat in view_table(play.table, None, play.now, Live()).seats:
            assert seat is None or seat.clock is None or 0 <= seat.clock.hand_ms <= 60_000
        play.now += choice * 37
        play.ask(going_on(play.table, choice))


def test_nothing_runs_backwards() -> None:
    nothing_runs_backwards()


# -- faults that all of this has to notice

CLOCKS = ananas.table.evolve._clocks
STANDING = ananas.table.evolve._standing


def keeping_what_was_not_used(seat: Seat, at: int) -> Seat:
    return replace(STANDING(seat, at), credit_ms=seat.credit_ms)


def to_who_is_away(table: Table, at: int) -> Table:
    """Gives credit as if everybody were there."""
    there = table
    for number, seat in table.seated:
        there = there.with_seat(number, replace(seat, connected=True))
    after = CLOCKS(there, at)
    for number, seat in table.seated:
        mine = after.seats[number]
        assert mine is not None
        after = after.with_seat(number, replace(mine, connected=seat.connected))
    return after


PLACED = ananas.table.evolve._placed


def once_for_all_that_follow(table: Table, event: Confirmed | AutoPlaced, at: int) -> Table:
    return PLACED(table, replace(event, anew=False) if isinstance(event, Confirmed) else event, at)


def for_all_that_is_laid(table: Table, event: Confirmed | AutoPlaced, at: int) -> Table:
    seat = table.seats[event.seat]
    assert seat is not None
    return PLACED(table.with_seat(event.seat, STANDING(seat, at)), event, at)


def believing_anything(story: _Story, command: Lag) -> None:
    number, _ = story.seat_of(command.player)
    story.tell(Lagged(at=story.now, seat=number, ms=command.ms))


@pytest.mark.parametrize(
    ("module", "name", "fault", "promise"),
    [
        (ananas.table.evolve, "MOVE_CREDIT_MS", 10**9, within_limits),
        (ananas.table.evolve, "CREDIT_MS", 10**9, within_limits),
        (ananas.table.evolve, "_standing", keeping_what_was_not_used, within_limits),
        (ananas.table.evolve, "_clocks", to_who_is_away, only_while_he_is_there),
        (ananas.table.decide, "_lag", believing_anything, within_limits),
        (ananas.table.evolve, "_placed", once_for_all_that_follow, each_of_his_moves),
        (ananas.table.evolve, "_placed", for_all_that_is_laid, one_for_what_is_laid_face_down),
    ],
)
def test_a_planted_fault_is_noticed(
    module: object, name: str, fault: object, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise()
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(AssertionError):
        promise()


def test_credit_that_is_not_whole_again_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = ananas.table.evolve._dealt

    def forgetting(table: Table, event: object, at: int) -> Table:
        after = dealt(table, event, at)  # type: ignore[arg-type]
        for number, seat in table.seated:
            mine = after.seats[number]
            assert mine is not None
            if table.hands > 1:
                after = after.with_seat(number, replace(mine, credit_ms=seat.credit_ms))
        return after

    monkeypatch.setattr(ananas.table.evolve, "_dealt", forgetting)
    with pytest.raises(AssertionError):
        is_whole_in_the_next_hand()
