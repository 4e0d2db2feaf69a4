"""Time, and those who are away: budget and bank, the layout by the table, absence, return, sitting out."""

from __future__ import annotations

import pytest

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.table.clock import deadline, held_until
from ananas.table.commands import Connect, Disconnect, GoOn, Resume, SitOut, TimeOut
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    Confirmed,
    Disconnected,
    HandCalled,
    HandScored,
    HoldEnded,
    Left,
    RightsLapsed,
    SatOut,
    ShowdownEnded,
    TimedOut,
    WentOn,
)
from ananas.table.view import Live, view_table
from tests.table.play import Play
from tests.table.positions import CLUB, ROOM, pause, sat


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def clock(play: Play, player: str) -> tuple[int, int]:
    """What is left to a player of budget and bank, in seconds."""
    seat = play.seat(player)
    now = seat.clock.at(play.now, connected=seat.connected)
    return now.hand_ms // 1000, now.bank_ms // 1000


def wait(play: Play, seconds: int) -> None:
    play.now += 1000 * seconds


def laying() -> Play:
    """Hand 1 of Ann, Bob and Cyd; Bob is to act, with a budget of 60 seconds and a bank of 20."""
    play = sat(ann=50, bob=50, cyd=50)
    play.next(ann="in", bob="plain", cyd="plain")
    play.ready("ann", "bob", "cyd")
    assert play.acting == ("bob",)
    return play


# -- budget and bank


def test_budget_then_bank_then_the_table_lays() -> None:
    play = laying()
    wait(play, 59)
    assert clock(play, "bob") == (1, 20)
    wait(play, 11)
    assert clock(play, "bob") == (0, 10)
    play.as_planned()
    play.as_planned()
    play.as_planned()
    wait(play, 9)
    assert play.ask(TimeOut()) == ()
    wait(play, 1)
    assert kinds(play.ask(TimeOut())) == [TimedOut, AutoPlaced]
    assert not play.seat("bob").absent


def test_the_budget_is_whole_in_every_hand_and_the_bank_never_again() -> None:
    play = laying()
    wait(play, 65)
    play.finish()
    assert clock(play, "bob") == (0, 15)
    play.go_on("ann", "bob", "cyd")
    assert clock(play, "bob") == (60, 15)
    play.finish()
    play.leave("bob")
    play.sit("bob")
    play.ready("ann", "bob", "cyd")
    assert clock(play, "bob") == (60, 15)


def test_off_turn_nothing_runs() -> None:
    play = laying()
    play.disconnect("ann", "cyd")
    wait(play, 30)
    assert [clock(play, player) for player in ("ann", "bob", "cyd")] == [(60, 20), (30, 20), (60, 20)]


@pytest.mark.parametrize(
    ("away", "there", "left"),
    [(5, 0, (60, 15)), (20, 0, (60, 0)), (25, 10, (45, 0)), (5, 60, (0, 15)), (10, 70, (0, 0))],
)
def test_who_is_away_pays_from_the_bank_first(away: int, there: int, left: tuple[int, int]) -> None:
    play = laying()
    play.disconnect("bob")
    wait(play, away)
    play.connect("bob")
    wait(play, there)
    assert clock(play, "bob") == left


def test_coming_back_at_the_last_moment_is_being_late() -> None:
    play = laying()
    play.disconnect("bob")
    wait(play, 80)
    play.connect("bob")
    events = play.ask(TimeOut())
    assert kinds(events) == [TimedOut, AutoPlaced]
    assert not play.seat("bob").absent


def test_the_draft_stays_and_the_rest_is_laid_in_order_of_receipt() -> None:
    play = laying()
    play.as_planned()
    play.as_planned()
    play.as_planned()
    cards = play.hand.dealt(0)
    events = play.time_out({1: Placement(middle=cards[2:3])})
    laid = next(event for event in events if isinstance(event, AutoPlaced))
    assert laid.rows == f"-/{cards[2]}/{cards[0]}"
    assert laid.hidden is not None
    assert (laid.hidden.placement, laid.hidden.kept) == (f"-/{cards[2]}/{cards[0]} x{cards[1]}", f"-/{cards[2]}/-")


def test_the_table_lays_on_for_him_when_his_turn_comes_and_not_sooner() -> None:
    play = laying()
    play.time_out()
    assert play.acting == ("cyd",)
    assert len(play.hand.placements[0]) == 1
    play.as_planned("cyd")
    assert kinds(play.as_planned("ann")) == [Confirmed, AutoPlaced]
    assert play.acting == ("cyd",)


def test_several_whose_time_is_spent_at_the_same_moment() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="in", cyd="plain")
    play.next(ann="in", bob="in", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    assert set(play.acting) == {"ann", "bob", "cyd"}
    play.disconnect("bob")
    drafts = {seat: Placement(top=play.hand.dealt(turn)[:2]) for turn, seat in enumerate(play.hand.seats)}
    events = play.time_out(drafts)
    # Each keeps his own draft; the ordinary player's later streets are laid at once, since no seat waits for another.
    assert kinds(events) == [TimedOut, AutoPlaced] * 3 + [AutoPlaced] * 4 + [HandScored, SatOut]
    assert all(event.rows is None for event in events if isinstance(event, AutoPlaced))
    assert [board.top[:2] for board in play.hand.boards] == [drafts[seat].top for seat in play.hand.seats]
    assert [play.seat(player).absent for player in ("ann", "bob", "cyd")] == [False, True, False]


def test_in_a_closed_phase_everybodys_clock_runs_until_he_is_done() -> None:
    play = sat(ann=50, bob=50)
    play.scored(ann="in", bob="plain")
    play.next(ann="in", bob="plain")
    play.go_on("ann", "bob")
    wait(play, 10)
    play.as_planned("ann")
    wait(play, 10)
    play.as_planned("bob")
    wait(play, 10)
    assert [clock(play, player) for player in ("ann", "bob")] == [(50, 20), (30, 20)]
    assert [
        seat.clock and seat.clock.running for seat in view_table(play.table, None, play.now, Live()).seats if seat
    ] == [
        False,
        True,
    ]


def test_from_the_start_fantasyland_is_on_its_own_clock() -> None:
    play = sat(CLUB, ann=50, bob=50)
    play.scored(ann="in", bob="plain")
    play.go_on("ann", "bob")
    wait(play, 10)
    assert [clock(play, player) for player in ("ann", "bob")] == [(50, 20), (50, 20)]
    play.as_planned("ann")
    wait(play, 10)
    assert [clock(play, player) for player in ("ann", "bob")] == [(50, 20), (40, 20)]


# -- absence and return


def absent() -> Play:
    """Bob's time ran out while he was away; Ann has Fantasyland in hand 2, which is called when all have gone on."""
    play = laying()
    play.disconnect("bob")
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    assert play.seat("bob").absent
    play.finish()
    assert play.table.pausing
    return play


def test_an_absent_player_has_no_clock_in_later_hands_and_is_laid_for_at_once() -> None:
    play = absent()
    play.next(ann="plain", bob="plain", cyd="plain")
    play.ask(TimeOut())
    play.go_on("ann", "cyd")
    assert play.hand.seats == (2, 0, 1)
    assert kinds(play.as_planned("cyd")) == [Confirmed, AutoPlaced]
    assert clock(play, "bob") == (60, 0)
    play.finish()
    assert kinds(tuple(play.log[-2:])) == [HandScored, SatOut]
    assert (play.seat("bob").sitting_out, play.table.in_match) == (True, False)


def test_back_before_a_card_is_laid_for_him_he_plays_with_a_whole_budget() -> None:
    play = absent()
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "cyd")
    play.connect("bob")
    assert not play.seat("bob").absent
    play.as_planned("cyd")
    assert play.acting == ("bob",)
    wait(play, 10)
    assert clock(play, "bob") == (50, 0)
    play.finish()
    assert not play.seat("bob").sitting_out


def test_back_after_a_card_was_laid_for_him_he_plays_from_the_next_hand() -> None:
    play = absent()
    play.next(ann="stays", bob="plain", cyd="plain")
    play.go_on("ann", "cyd")
    play.as_planned("cyd")
    play.connect("bob")
    assert kinds(play.as_planned("cyd")) == [Confirmed, AutoPlaced], "for the rest of this hand the table lays"
    play.finish()
    assert not play.seat("bob").sitting_out
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    assert (clock(play, "bob"), play.hand.seats) == ((60, 0), (0, 1, 2))
    assert play.acting == ("bob",)
    play.finish()
    assert not play.seat("bob").sitting_out, "the sit-out is cancelled"


def test_back_within_the_hand_that_ran_out_he_is_there_for_the_next_one() -> None:
    play = laying()
    play.disconnect("bob")
    play.time_out()
    play.connect("bob")
    play.finish()
    play.go_on("ann", "bob", "cyd")
    assert kinds(play.as_planned("cyd")) == [Confirmed]
    assert play.acting == ("bob",)


def test_only_his_own_right_lapses_with_his_absence() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.next(ann="in", bob="plain", cyd="plain")
    play.ready("ann", "bob", "cyd")
    while play.hand.placements[play.table.players.index("ann")] == () or play.hand.street_of(2) < 5:
        play.as_planned()
    while play.acting != ("ann",):
        play.as_planned()
    play.disconnect("ann")
    wait(play, 200)
    dealt = play.hand.dealt(2)
    board = play.plan["ann"]
    draft = Placement(
        *(tuple(card for card in dealt if card in row) for row in (board.top, board.middle, board.bottom))
    )
    events = play.ask(TimeOut(drafts={0: draft}))
    assert kinds(events) == [TimedOut, AutoPlaced, HandScored, RightsLapsed, SatOut]
    scored = next(event for event in events if isinstance(event, HandScored))
    assert scored.fantasyland == (0, 0, 14)
    assert play.table.match is not None
    assert play.table.match.lapsed == "absent"


def test_an_opponents_right_is_played_with_him_absent_and_then_he_sits_out() -> None:
    play = absent()
    play.next(ann="stays", bob="plain", cyd="plain")
    play.go_on("ann", "cyd")
    play.finish()
    assert (play.table.pausing, play.seat("bob").sitting_out) == (True, False)
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "cyd")
    play.finish()
    assert play.seat("bob").sitting_out


def test_where_the_only_other_holder_declines_to_bring_chips_the_absent_ones_right_lapses() -> None:
    play = sat(ann=5, bob=50, cyd=50)
    play.next(ann="in", bob="in", cyd="strong")
    play.ready("ann", "bob", "cyd")
    while not (play.acting == ("bob",) and play.hand.street_of(0) == 5):
        play.as_planned()
    play.disconnect("bob")
    dealt, board = play.hand.dealt(0), play.plan["bob"]
    draft = Placement(
        *(tuple(card for card in dealt if card in row) for row in (board.top, board.middle, board.bottom))
    )
    play.time_out({1: draft})
    play.finish()
    assert (set(play.table.rights), play.seat("ann").stack, play.table.pausing) == ({0, 1}, 0, True)
    play.go_on("ann")
    assert kinds(play.ask(GoOn(player="cyd", hand=1))) == [WentOn, RightsLapsed, SatOut]
    assert play.table.match is not None
    assert play.table.match.lapsed == "absent"


def test_everybody_away_is_a_match_laid_to_its_end_and_a_table_that_sleeps() -> None:
    play = laying()
    play.disconnect("ann", "bob", "cyd")
    assert kinds(play.time_out()) == [HoldEnded]
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    events = play.time_out()
    assert kinds(events)[-4:] == [HandScored, SatOut, SatOut, SatOut]
    assert all(seat.sitting_out for _, seat in play.table.seated)
    assert kinds(play.time_out()) == [ShowdownEnded]
    assert kinds(play.time_out()) == [Left, Left, Left]
    assert sum(purse.stack for purse in play.table.gone.values()) == 150


def test_who_sits_out_for_being_away_is_not_waited_for_and_gone_after_ten_minutes() -> None:
    play = absent()
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "cyd")
    play.finish()
    play.ready("ann", "cyd")
    assert play.table.laying
    since = play.now
    play.connect("bob")
    assert play.seat("bob").sitting_out, "being there again is not being asked for a hand"
    play.finish()
    play.now = since + 599_999
    assert Left not in kinds(play.ask(TimeOut()))
    play.now += 1
    assert Left(at=play.now, seat=1) in play.ask(TimeOut())


# -- there, and asleep


def sleeps(play: Play, player: str, streets: int = 0) -> None:
    """Play a match in which this player lays so many streets and then lets the table lay for him."""
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob")
    while play.table.laying:
        if play.acting == (player,) and streets == 0:
            play.time_out()
        else:
            streets -= play.acting == (player,)
            play.as_planned()


def test_who_is_there_and_lets_two_whole_hands_be_laid_sits_out_after_the_match() -> None:
    play = sat(RuleSet(fantasyland="off", bank_seconds=0), ann=50, bob=50)
    sleeps(play, "bob")
    assert not play.seat("bob").sitting_out
    sleeps(play, "bob")
    assert play.seat("bob").sitting_out
    assert not play.seat("bob").absent


def test_one_street_of_his_own_is_a_sign_of_life() -> None:
    play = sat(RuleSet(fantasyland="off", bank_seconds=0), ann=50, bob=50)
    for streets in (0, 1, 0):
        sleeps(play, "bob", streets)
        assert not play.seat("bob").sitting_out
    sleeps(play, "bob")
    assert play.seat("bob").sitting_out


def test_hands_missed_while_away_are_no_sleep() -> None:
    play = sat(RuleSet(fantasyland="off", bank_seconds=0), ann=50, bob=50)
    for _ in range(3):
        play.next(ann="plain", bob="plain")
        play.ready("ann", "bob")
        while play.table.laying:
            if play.acting == ("bob",) and not play.seat("bob").spent:
                play.disconnect("bob")
                play.time_out()
                play.connect("bob")
            else:
                play.as_planned()
        assert (play.seat("bob").idle, play.seat("bob").sitting_out) == (0, False)


@pytest.mark.parametrize("away", [True, False])
def test_a_seat_is_not_kept_for_ever_for_one_who_is_ready_and_away(away: bool) -> None:
    play = sat(ROOM.but({"seats": "3-3"}), ann=50)
    play.ready("ann")
    if away:
        play.disconnect("ann")
        assert deadline(play.table) == play.now + 600_000
        wait(play, 599)
        play.connect("ann")
    assert deadline(play.table) is None
    assert play.seat("ann").ready
    play.disconnect("ann")
    assert kinds(play.time_out()) == [Left]


def test_sitting_out_keeps_the_seat_for_ten_minutes_from_then_on() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.ask(SitOut(player="cyd"))
    play.ready("ann", "bob")
    play.come_back("cyd")
    wait(play, 700)
    play.ask(SitOut(player="cyd"))
    cyd = play.seat("cyd")
    assert held_until(play.table, cyd) == play.now + 600_000


# -- outages


def test_an_outage_shifts_every_clock_and_every_wait() -> None:
    play = laying()
    wait(play, 30)
    wait(play, 3600)
    play.ask(Resume(lost_ms=3_600_000))
    assert clock(play, "bob") == (30, 20)
    waiting = pause()
    wait(waiting, 3600)
    waiting.ask(Resume(lost_ms=3_600_000))
    assert waiting.ask(TimeOut()) == ()
    assert waiting.table.showdown_until == waiting.now + 8000


def test_presence_that_is_known_already_is_no_news() -> None:
    play = Play(ROOM, "ann")
    play.sit("bot:0")
    assert play.ask(Connect(player="ann")) == ()
    assert play.ask(Disconnect(player="bot:0")) == ()
    assert play.ask(Disconnect(player="ann")) == (Disconnected(at=play.now, seat=0),)
    assert play.ask(Disconnect(player="ann")) == ()


def test_a_showdown_that_nobody_looks_at_ends_by_itself() -> None:
    play = pause()
    play.disconnect("ann", "bob", "cyd")
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
