"""Several are lost at once: all times stand, for a minute at the most, and nobody pays for it.

Each promise is a function of its own; below stand faults that break it, and it has to notice.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

import ananas.table.clock
import ananas.table.decide
import ananas.table.evolve
import tests.table.play
from ananas.refused import Refused
from ananas.table.clock import HELD_MS, HOLD_MS, LOST_MS, deadline, hold_until
from ananas.table.commands import Connect, Disconnect, Leave, Remove, Resume, Sit, SitOut, TimeOut
from ananas.table.decide import OUTAGE_MS
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    BreakBegan,
    Connected,
    Disconnected,
    HoldBegan,
    HoldEnded,
    Leaving,
    Left,
    Resumed,
    TimedOut,
)
from ananas.table.evolve import evolve
from ananas.table.state import Table
from ananas.table.view import Live, view_table
from tests.table.play import Play
from tests.table.positions import CLUB, ROOM, THREE, held, pause, sat

SECOND = 1000


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def three() -> Play:
    """Hand 1 of Ann, Bob and Cyd; Bob is to act, with a budget of 60 seconds and a bank of 20."""
    play = sat(ann=50, bob=50, cyd=50)
    play.next(ann="in", bob="plain", cyd="plain")
    play.ready("ann", "bob", "cyd")
    return play


def left(play: Play, player: str) -> tuple[int, int]:
    """What is left to a player of budget and bank, in milliseconds."""
    seat = play.seat(player)
    clock = seat.clock.at(play.table.time(play.now), connected=seat.connected)
    return clock.hand_ms, clock.bank_ms


# -- when all times stand


def begins_where_two_are_lost_together() -> None:
    for apart, expected in ((0, True), (LOST_MS, True), (LOST_MS + 1, False)):
        play = three()
        play.disconnect("bob")
        play.now += apart
        play.disconnect("cyd")
        assert (play.table.hold == "lost") == expected
    alone = three()
    alone.disconnect("bob")
    alone.connect("bob")
    alone.disconnect("cyd")
    assert alone.table.hold is None, "he is back"


def test_it_begins_where_two_of_the_hand_are_lost_within_five_seconds() -> None:
    begins_where_two_are_lost_together()


def test_bots_and_those_who_do_not_play_the_hand_are_not_counted() -> None:
    play = Play(THREE, "ann bob bot:0")
    play.ask(SitOut(player="bob"))
    play.ready("ann", "bot:0")
    play.disconnect("ann", "bob")
    assert (play.table.laying, play.table.hold) == (True, None)


def test_between_hands_there_is_no_time_to_stand() -> None:
    play = pause()
    play.disconnect("ann", "bob")
    assert play.table.hold is None
    waiting = Play(THREE, "ann bob")
    waiting.disconnect("ann", "bob")
    assert waiting.table.hold is None


def test_who_was_lost_when_the_hand_was_called_is_lost_when_it_is_dealt() -> None:
    play = Play(THREE, "ann bob")
    play.bind("ann", "bob")
    play.ready("ann", "bob")
    play.disconnect("ann", "bob")
    assert (play.table.called, play.table.hold) == ((0, 1), None)
    play.time_out()
    assert (play.table.laying, play.table.hold) == (True, "lost")
    assert left(play, "bob") == (60 * SECOND, 0)


def test_for_whom_the_table_lays_anyway_nobody_waits() -> None:
    play = three()
    play.time_out()
    play.disconnect("bob")
    assert play.seat("bob").spent
    play.disconnect("cyd")
    assert play.table.hold == "lost", "two are lost, and Cyd would pay"
    play.connect("cyd")
    assert play.table.hold is None, "Bob has no time that could stand"
    both = sat(ann=50, bob=50)
    both.next(ann="plain", bob="plain")
    both.ready("ann", "bob")
    both.time_out()
    both.time_out()
    both.disconnect("ann", "bob")
    assert both.table.hold is None


def test_when_the_others_are_cut_off_while_one_lays_fantasyland_they_do_not_pay() -> None:
    play = sat(CLUB, ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    play.disconnect("bob", "cyd")
    assert play.table.hold == "lost"
    play.now += 50 * SECOND
    play.connect("bob", "cyd")
    assert left(play, "cyd") == left(play, "bob") == left(play, "ann") == (60 * SECOND, 20 * SECOND)


# -- what it costs


def costs_nobody_anything() -> None:
    for back in (1, 30 * SECOND, HOLD_MS):
        play = three()
        play.sit("dee") if None in play.table.seats else None
        play.now += 7 * SECOND
        play.disconnect("bob", "cyd")
        before = {player: left(play, player) for player in ("ann", "bob", "cyd")}
        play.now += back
        if back == HOLD_MS:
            assert kinds(play.ask(TimeOut())) == [HoldEnded]
        else:
            play.connect("bob", "cyd")
        assert play.table.hold is None
        assert {player: left(play, player) for player in ("ann", "bob", "cyd")} == before
        play.now += 3 * SECOND
        spent = (3 * SECOND, 0) if back < HOLD_MS else (0, 3 * SECOND)
        assert left(play, "bob") == (before["bob"][0] - spent[0], before["bob"][1] - spent[1])


def test_nobody_pays_for_the_time_that_the_times_stand() -> None:
    costs_nobody_anything()


def a_place_is_kept_as_long_as_ever() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ask(SitOut(player="cyd"))
    since = play.now
    play.ready("ann", "bob")
    play.disconnect("ann", "bob")
    play.now += 40 * SECOND
    play.connect("ann", "bob")
    assert play.seat("cyd").held_since == since + 40 * SECOND


def test_a_place_is_kept_as_long_as_ever() -> None:
    a_place_is_kept_as_long_as_ever()


def test_no_card_is_laid_meanwhile_and_everybody_is_told() -> None:
    play = held()
    with pytest.raises(Refused, match="times stand"):
        play.confirm()
    play.connect("ann")
    for viewer in ("ann", "bob", None):
        view = view_table(play.table, viewer, play.now, Live())
        assert (view.held, view.held_ms) == ("lost", HOLD_MS)
        assert not {"confirm", "draft"} & set(view.may)
        assert not any(seat.clock and seat.clock.running for seat in view.seats if seat)
        assert view.notices[-1].what == "held"
    play.now += 20 * SECOND
    assert view_table(play.table, None, play.now, Live()).held_ms == 40 * SECOND
    play.connect("bob")
    view = view_table(play.table, "bob", play.now, Live())
    assert (view.held, view.held_ms, view.notices[-1].what) == (None, None, "hold-over")
    assert "confirm" in view.may


# -- when they run on


def ends_when_all_are_back() -> None:
    play = three()
    play.disconnect("bob")
    play.now += 2 * SECOND
    play.disconnect("cyd")
    play.now += 10 * SECOND
    play.disconnect("ann")
    for player in ("cyd", "ann"):
        play.connect(player)
        assert play.table.hold == "lost", player
    play.connect("bob")
    assert play.table.hold is None


def test_they_run_on_when_all_are_back_who_were_lost_shortly_before_or_since() -> None:
    ends_when_all_are_back()
    before = three()
    before.disconnect("ann")
    before.now += 10 * SECOND
    before.disconnect("bob", "cyd")
    before.connect("bob", "cyd")
    assert before.table.hold is None, "Ann has been away for longer"


def ends_after_a_minute() -> None:
    play = three()
    play.disconnect("ann", "bob", "cyd")
    begun = play.now
    assert deadline(play.table) == begun + HOLD_MS == begun + 60 * SECOND
    for passed in (1, 59_999):
        play.now = begun + passed
        assert play.ask(TimeOut()) == ()
        play.connect("ann")  # who comes and goes makes it no longer
        play.disconnect("ann")
    play.now = begun + HOLD_MS
    assert kinds(play.ask(TimeOut())) == [HoldEnded]


def test_they_run_on_after_a_minute_whoever_comes_and_goes() -> None:
    ends_after_a_minute()


def stands_once_in_a_hand() -> None:
    play = three()
    for round_trip in range(3):
        play.disconnect("bob", "cyd")
        assert (play.table.hold is not None) == (round_trip == 0)
        play.now += 10
        play.connect("bob", "cyd")
    play.finish()
    play.go_on("ann", "bob", "cyd")
    play.disconnect("bob", "cyd")
    assert play.table.hold == "lost", "another hand"


def test_they_stand_once_in_a_hand() -> None:
    stands_once_in_a_hand()


def test_everybody_gone_comes_to_rest() -> None:
    for players in ("ann bob", "ann bob cyd", "ann bob bot:0"):
        play = Play(ROOM, players)
        play.ready(*players.split())
        play.disconnect("ann", "bob")
        assert play.table.hold == "lost"
        rings = 0
        while deadline(play.table) is not None:
            assert play.time_out()
            rings += 1
            assert rings < 30
        assert not play.table.in_match
        assert all(seat.bot for _, seat in play.table.seated)


# -- what else happens meanwhile


def test_the_host_stops_the_game_and_that_is_a_break() -> None:
    play = three()
    play.disconnect("bob", "cyd")
    before = left(play, "bob")
    play.now += 20 * SECOND
    assert kinds(play.stop()) == [HoldEnded, BreakBegan]
    play.now += 300 * SECOND
    play.disconnect("ann")
    assert (play.table.hold, play.table.on_break) == (None, True)
    play.connect("ann")
    play.resume()
    assert left(play, "bob") == before
    assert play.table.hold is None


def test_who_is_lost_during_a_break_is_asked_for_when_it_is_over() -> None:
    play = three()
    play.stop()
    play.disconnect("bob", "cyd")
    assert play.table.hold is None
    play.now += 100 * SECOND
    play.resume()
    assert left(play, "bob") == (60 * SECOND, 20 * SECOND)


def test_leaving_sitting_down_and_being_removed_go_on_as_ever() -> None:
    play = three()
    play.disconnect("bob", "cyd")
    play.now += 10 * SECOND
    assert kinds(play.ask(Remove(player="ann", seat=1))) == [Leaving]
    assert kinds(play.ask(Leave(player="ann"))) == [Leaving]
    assert play.table.hold == "lost"
    play.connect("bob", "cyd")
    assert play.table.hold is None
    wide = Play(replace(THREE, seats=(2, 4), deal=(5, 2, 2, 2, 2)), "ann bob")
    wide.ready("ann", "bob")
    wide.disconnect("ann", "bob")
    wide.now += 30 * SECOND
    wide.ask(Sit(player="dee", name="Dee"))
    wide.ask(Sit(player="eve", name="Eve"))
    wide.ask(SitOut(player="dee"))
    assert kinds(wide.ask(Leave(player="eve"))) == [Left]
    wide.connect("ann", "bob")
    assert wide.seat("dee").held_since == wide.now, "his ten minutes begin when the times run on"


def test_a_room_that_is_away_meanwhile_makes_it_no_longer() -> None:
    play = three()
    play.disconnect("bob", "cyd")
    before = left(play, "bob")
    play.now += 20 * SECOND
    play.outage(300)
    assert hold_until(play.table) == deadline(play.table) == play.now + 40 * SECOND
    play.connect("bob")
    assert play.table.hold == "lost", "Cyd is still waited for"
    play.time_out()
    assert (play.table.stands, left(play, "bob")) == (False, before)


def test_a_room_that_is_away_for_long_meanwhile_waits_anew() -> None:
    play = three()
    play.disconnect("bob", "cyd")
    play.now += 20 * SECOND
    events = play.outage(OUTAGE_MS // 1000)
    assert kinds(events) == [Resumed, Disconnected, HoldEnded, HoldBegan]
    assert (play.table.hold, hold_until(play.table)) == ("outage", play.now + HOLD_MS)
    play.connect("ann")
    play.connect("bob")
    assert play.table.hold == "outage"
    assert kinds(play.ask(TimeOut())) == []
    play.connect("cyd")
    assert (play.table.stands, play.table.laying) == (False, True)


def test_what_is_laid_for_who_does_not_come_back_is_laid_in_his_time() -> None:
    play = three()
    play.disconnect("bob", "cyd")
    play.time_out()
    assert deadline(play.table) == play.now + 80 * SECOND
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    assert play.acting == ("cyd",)


def test_who_comes_back_is_told_of_before_the_times_run_on() -> None:
    play = held()
    play.connect("ann")
    events = play.ask(Connect(player="bob"))
    assert kinds(events) == [Connected, HoldEnded]
    assert kinds(play.ask(Disconnect(player="bob"))) == [Disconnected]


def test_a_table_that_sleeps_while_its_times_stand_knows_when_to_wake() -> None:
    play = held()
    assert deadline(play.table) == play.now + HOLD_MS
    play.now += 5 * SECOND
    play.ask(Resume(lost_ms=5 * SECOND))
    assert deadline(play.table) == play.now + HOLD_MS
    assert deadline(play.table) != play.now + HELD_MS


# -- faults that all of this has to notice

HELD_NO_LONGER = ananas.table.evolve._held_no_longer
SINCE = ananas.table.clock.lost_since


def charging_it(table: Table, _now: int) -> Table:
    return replace(table, hold_since=None, hold=None)


def charging_places(table: Table, now: int) -> Table:
    after = HELD_NO_LONGER(table, now)
    for number, seat in table.seated:
        mine = after.seats[number]
        assert mine is not None
        after = after.with_seat(number, replace(mine, held_since=seat.held_since))
    return after


def without_end(_table: Table) -> None:
    return None


def again_and_again(table: Table, event: AnyEvent) -> Table:
    return replace(evolve(table, event), held=False)


def from_when_it_likes(table: Table, _time: int) -> tuple[int, ...]:
    return SINCE(table, 0)


def nobody(_table: Table) -> tuple[int, ...]:
    return ()


@pytest.mark.parametrize(
    ("module", "name", "fault", "promise"),
    [
        (ananas.table.evolve, "_held_no_longer", charging_it, costs_nobody_anything),
        (ananas.table.evolve, "_held_no_longer", charging_places, a_place_is_kept_as_long_as_ever),
        (ananas.table.decide, "hold_until", without_end, ends_after_a_minute),
        (ananas.table.clock, "HOLD_MS", 120_000, ends_after_a_minute),
        (ananas.table.decide, "lost_since", from_when_it_likes, begins_where_two_are_lost_together),
        (ananas.table.decide, "lost_in_hold", nobody, ends_when_all_are_back),
    ],
)
def test_a_planted_fault_is_noticed(
    module: object, name: str, fault: object, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise()
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(AssertionError):
        promise()


def test_a_hand_that_is_held_again_and_again_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests.table.play, "evolve", again_and_again)
    with pytest.raises(AssertionError):
        stands_once_in_a_hand()
