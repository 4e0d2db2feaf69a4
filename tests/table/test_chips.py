"""Chips: buying in and again, topping up, running out of them with Fantasyland pending and without."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from ananas.refused import Refused
from ananas.table.chips import DAY_MS
from ananas.table.commands import GoOn, Leave, TimeOut, TopUp
from ananas.table.events import (
    AnyEvent,
    HandCalled,
    HandScored,
    Leaving,
    Left,
    RightsLapsed,
    ShowdownEnded,
    ToppedUp,
    WentOn,
)
from ananas.table.view import Live, view_table
from tests.table.play import BOARDS, Play
from tests.table.positions import ROOM, busted, holder_busted, pause, sat


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def stacks(play: Play) -> dict[str, tuple[int, int]]:
    """What each player has, and what he has brought in all."""
    return {seat.player: (seat.stack, seat.brought) for _, seat in play.table.seated}


# -- sitting down


def test_one_brings_what_he_says_or_the_least() -> None:
    play = Play(ROOM.but({"buy_in": "50-100"}), "ann")
    play.sit("bob", buy_in=100)
    assert stacks(play) == {"ann": (50, 50), "bob": (100, 100)}
    for chips in (49, 101):
        with pytest.raises(Refused) as refused:
            play.sit("cyd", buy_in=chips)
        assert refused.value.args_by_name == {"chips": chips, "least": 50, "most": 100}


LEFT_WITH = [
    # stack with which he left, hours since, the least and the most he may bring
    (30, 1, (50, 100)),
    (70, 1, (70, 100)),
    (100, 23, (100, 100)),
    (170, 1, (100, 100)),
    (170, 24, (50, 100)),
    (0, 1, (50, 100)),
    (-40, 1, (50, 100)),
]


@pytest.mark.parametrize(("stack", "hours", "chips"), LEFT_WITH)
def test_who_left_brings_at_least_what_he_left_with_for_a_day(stack: int, hours: int, chips: tuple[int, int]) -> None:
    play = Play(ROOM.but({"buy_in": "50-100", "settlement_cap": "none"}), "ann bob")
    ann = msgspec.structs.replace(play.seat("ann"), stack=stack, brought=60)
    play._table = play.table.with_seat(0, ann)
    play.leave("ann")
    play.now += hours * DAY_MS // 24
    assert view_table(play.table, "ann", play.now, Live()).chips == chips
    play.sit("ann")
    # His account goes on: what he has won or lost in all is as before.
    assert stacks(play)["ann"] == (chips[0], 60 + chips[0] - stack)


# -- topping up between matches


TOP_UP = [
    # stack, what may be brought then
    (50, (51, 100)),
    (7, (8, 100)),
    (99, (100, 100)),
    (100, None),
    (140, None),
]


@pytest.mark.parametrize(("stack", "chips"), TOP_UP)
def test_between_matches_anyone_tops_up_to_the_highest_buy_in(stack: int, chips: tuple[int, int] | None) -> None:
    play = Play(ROOM.but({"buy_in": "50-100"}), "ann bob")
    play._table = play.table.with_seat(0, msgspec.structs.replace(play.seat("ann"), stack=stack))
    assert view_table(play.table, "ann", play.now, Live()).chips == chips
    if chips is None:
        with pytest.raises(Refused, match="as many as may be brought"):
            play.ask(TopUp(player="ann", to=100))
        return
    for wrong in (chips[0] - 1, chips[1] + 1):
        with pytest.raises(Refused, match="cannot be brought"):
            play.ask(TopUp(player="ann", to=wrong))
    assert play.ask(TopUp(player="ann", to=100)) == (ToppedUp(at=play.now, seat=0, stack=100, brought=150 - stack),)


def test_below_nothing_one_brings_at_least_one_chip() -> None:
    play = Play(ROOM.but({"buy_in": "50-100", "settlement_cap": "none"}), "ann bob")
    play._table = play.table.with_seat(0, msgspec.structs.replace(play.seat("ann"), stack=-20))
    assert view_table(play.table, "ann", play.now, Live()).chips == (1, 100)
    play.ready("ann", "bob")
    assert play.table.laying, "where nothing caps the payments nobody is ever broke"


def test_whoever_plays_a_match_does_not_top_up() -> None:
    play = pause()
    for player in ("ann", "bob"):
        with pytest.raises(Refused, match="match is being played"):
            play.ask(TopUp(player=player, to=100))
    play.top_up("dee", 100)
    play.go_on("ann", "bob", "cyd")
    with pytest.raises(Refused, match="match is being played"):
        play.ask(TopUp(player="ann", to=100))


def test_who_has_lost_everything_brings_the_least_before_he_is_ready() -> None:
    play = sat(ROOM.but({"fantasyland": "off"}), ann=50, bob=5)
    play.scored(ann="in", bob="dead")
    assert stacks(play) == {"ann": (55, 50), "bob": (0, 5)}
    with pytest.raises(Refused, match="bring at least 5 first"):
        play.ready("bob")
    with pytest.raises(Refused, match="cannot be brought"):
        play.top_up("bob", 4)
    play.top_up("bob", 5)
    play.ready("ann", "bob")
    assert play.table.laying


def test_a_bot_that_has_lost_everything_buys_in_again() -> None:
    play = Play(ROOM.but({"fantasyland": "off"}))
    play.sit("ann", buy_in=50)
    play.sit("bot:0", buy_in=5)
    play.scored(**{"ann": "in", "bot:0": BOARDS["bob"]["dead"]})
    assert kinds(tuple(play.log[-2:])) == [HandScored, ToppedUp]
    assert stacks(play)["bot:0"] == (5, 10)


# -- without chips while Fantasyland is pending


def test_the_broke_have_half_a_minute_to_bring_the_least() -> None:
    play = busted()
    assert play.table.top_up_by == play.now + 30_000
    view = view_table(play.table, "bob", play.now, Live())
    assert (view.chips, view.top_up_ms, "top-up" in view.may) == ((5, 5), 30_000, True)
    assert view_table(play.table, "ann", play.now, Live()).chips is None
    play.go_on("ann", "cyd")
    with pytest.raises(Refused, match="from 5 to 5 can"):
        play.top_up("bob", 50)
    assert kinds(play.ask(TopUp(player="bob", to=5))) == [ToppedUp], "he still looks at the showdown"
    assert view_table(play.table, "bob", play.now, Live()).top_up_ms is None
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
    assert play.hand.seats == (2, 0, 1)


def test_who_brings_nothing_is_not_waited_for_any_longer() -> None:
    play = busted()
    assert kinds(play.time_out()) == [ShowdownEnded]
    play.now += 21_999
    assert play.ask(TimeOut()) == ()
    assert kinds(play.time_out()) == [HandCalled]
    assert play.hand.seats == (0, 2)
    play.top_up("bob", 50)
    assert "bob" not in play.table.players, "too late for this match; the chips are for the next one"


DECLINES: list[Callable[[Play], tuple[AnyEvent, ...]]] = [
    lambda play: play.ask(GoOn(player="bob", hand=1)),
    lambda play: play.ask(Leave(player="bob")),
]


@pytest.mark.parametrize("decline", DECLINES)
def test_who_goes_on_without_chips_or_leaves_has_declined(decline: Callable[[Play], tuple[AnyEvent, ...]]) -> None:
    play = busted()
    play.time_out()
    events = decline(play)
    assert HandCalled in kinds(events)
    play.deal_if_owed()
    assert play.hand.seats == (0, 2)
    # Who wanted to leave is out of the match, so he is gone; who only declined may sit out or leave at once.
    assert (play.table.seat_of("bob") is None) == (Leaving in kinds(events)) == (Left in kinds(events))


def test_who_changes_his_mind_about_leaving_may_still_bring_chips() -> None:
    play = busted()
    play.leave("bob")
    assert view_table(play.table, "bob", play.now, Live()).chips is None
    play.come_back("bob")
    play.top_up("bob", 5)
    play.go_on("ann", "bob", "cyd")
    assert len(play.hand.seats) == 3


def test_one_left_with_chips_plays_no_fantasyland() -> None:
    play = sat(ann=50, bob=5)
    play.scored(ann="in", bob="dead")
    assert play.table.pausing
    play.ask(GoOn(player="bob", hand=1))
    events = play.ask(GoOn(player="ann", hand=1))
    assert events == (WentOn(at=play.now, seat=0), RightsLapsed(at=play.now, reason="one-left"))
    assert not play.table.in_match


def test_with_both_broke_but_one_nobody_is_left() -> None:
    play = sat(ann=50, bob=5, cyd=5)
    play.scored(ann="in", bob="dead", cyd="dead")
    assert [seat.stack for _, seat in play.table.seated] == [60, 0, 0]
    play.time_out()
    assert kinds(play.time_out()) == [RightsLapsed]


def test_where_he_who_had_the_right_is_broke_it_lapses() -> None:
    play = holder_busted()
    play.time_out()
    events = play.time_out()
    assert events == (RightsLapsed(at=play.now, reason="broke"),)


def test_he_who_had_the_right_plays_it_if_he_brings_chips() -> None:
    play = holder_busted()
    play.top_up("ann", 5)
    play.go_on("ann", "bob", "cyd")
    assert dict(zip(play.table.players, play.hand.fantasyland, strict=True)) == {"bob": 0, "cyd": 0, "ann": 14}


def test_a_bot_that_is_broke_in_mid_match_brings_the_least_at_once() -> None:
    play = Play(ROOM)
    play.sit("ann", buy_in=50)
    play.sit("bot:0", buy_in=5)
    play.scored(**{"ann": "in", "bot:0": BOARDS["bob"]["dead"]})
    assert kinds(tuple(play.log[-2:])) == [HandScored, ToppedUp]
    assert view_table(play.table, "ann", play.now, Live()).top_up_ms is None
    play.go_on("ann")
    assert play.table.laying


def test_a_bot_that_was_to_leave_and_stays_brings_the_least_when_it_stays() -> None:
    play = Play(ROOM)
    play.sit("ann", buy_in=50)
    play.sit("bot:0", buy_in=5)
    play.next(**{"ann": "in", "bot:0": BOARDS["bob"]["dead"]})
    play.ready("ann", "bot:0")
    play.leave("bot:0")
    play.finish()
    assert stacks(play)["bot:0"] == (0, 5)
    play.come_back("bot:0")
    assert stacks(play)["bot:0"] == (5, 10)


def test_long_time_to_look_is_time_to_bring_chips() -> None:
    play = sat(ROOM.but({"showdown_seconds": "60"}), ann=50, bob=5)
    play.scored(ann="in", bob="dead")
    assert play.table.top_up_by == play.table.showdown_until
    assert kinds(play.time_out()) == [ShowdownEnded, RightsLapsed]


def test_where_whole_claims_move_nobody_is_ever_broke() -> None:
    play = sat(ROOM.but({"settlement_cap": "none"}), ann=50, bob=5)
    play.scored(ann="in", bob="dead")
    assert stacks(play) == {"ann": (67, 50), "bob": (-12, 5)}
    assert play.table.top_up_by is None
    play.go_on("ann", "bob")
    assert play.table.laying
