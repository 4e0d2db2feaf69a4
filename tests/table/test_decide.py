from __future__ import annotations

import msgspec
import pytest

from ananas.game.board import Placement
from ananas.game.cards import DECK
from ananas.game.rules import RULE_SETS
from ananas.refused import Refused
from ananas.table.commands import Deal, Leave, Open, Ready, Resume, Sit, SitOut, TimeOut
from ananas.table.decide import decide
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    BecameReady,
    Confirmed,
    HandCalled,
    HandDealt,
    HandScored,
    Leaving,
    Left,
    Opened,
    Resumed,
    Returned,
    Sat,
    SatOut,
    ShowdownEnded,
    TimedOut,
)
from tests.table.play import Play, deck, legal
from tests.table.positions import THREE, TWO, called, empty, full, laying, leaving, seated, street_two


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def test_there_is_no_table_before_it_is_opened() -> None:
    with pytest.raises(Refused, match="no such table"):
        decide(None, Sit(player="ann", name="Ann"), 0)


def test_what_only_the_room_can_get_wrong_is_an_error() -> None:
    play = called()
    with pytest.raises(ValueError, match="open table"):
        play.ask(Open(table="t1", name="Again", host="bob", rules=TWO))
    with pytest.raises(ValueError, match="fifty-two"):
        play.ask(Deal(deck=(*DECK[:51], DECK[0]), lot=0))


# -- seats


def test_opening_seats_nobody() -> None:
    play = empty()
    assert kinds(tuple(play.log)) == [Opened]
    assert play.table.seats == (None, None)
    assert play.table.host == "ann"


def test_sitting_takes_the_seat_named_or_the_first_free_one() -> None:
    play = Play(THREE)
    play.ask(Sit(player="ann", name="Ann", seat=1))
    play.sit("bob", "bot:0")
    assert [seat.player if seat else None for seat in play.table.seats] == ["bob", "ann", "bot:0"]
    assert [seat.bot for _, seat in play.table.seated] == [False, False, True]
    assert [(seat.stack, seat.brought) for _, seat in play.table.seated] == [(50, 50)] * 3


def test_one_may_sit_down_during_a_hand_and_waits_for_the_next() -> None:
    play = laying()
    assert "cyd" not in play.table.players
    play.finish()
    play.ready("ann", "bob")
    assert not play.table.busy
    play.ready("cyd")
    assert play.table.players == ("cyd", "ann", "bob")


# -- readiness


def test_the_last_ready_calls_the_hand() -> None:
    play = seated()
    assert kinds(play.ask(Ready(player="bob", hand=1, always=False))) == [BecameReady]
    assert kinds(play.ask(Ready(player="ann", hand=1, always=False))) == [BecameReady, HandCalled]
    assert play.table.hands == 1
    assert play.table.called == (0, 1)
    assert not any(seat.ready for _, seat in play.table.seated)


def test_one_alone_is_not_enough() -> None:
    play = Play(THREE, "ann")
    play.ready("ann")
    assert not play.table.busy
    assert play.table.ready_by is None


def test_two_bots_never_play_without_a_human() -> None:
    play = Play(THREE, "ann bot:0 bot:1")
    play.ready("bot:0", "bot:1")
    assert play.table.ready_by is None
    play.leave("ann")
    assert not play.table.busy
    play.sit("bob")
    play.ready("bob")
    assert play.table.dealt_in == (1, 2, 0)


def test_once_two_are_ready_the_third_has_half_a_minute() -> None:
    play = Play(THREE, "ann bob bot:0")
    play.ready("ann")
    assert play.table.ready_by is None
    play.ready("bot:0")
    assert play.table.ready_by == play.now + 30_000
    play.now += 29_999
    assert play.ask(TimeOut()) == ()
    play.now += 1
    events = play.ask(TimeOut())
    assert kinds(events) == [SatOut, HandCalled]
    assert play.table.called == (0, 2)
    assert play.seat("bob").sitting_out


def test_leaving_drops_the_deadline_where_too_few_are_ready() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    play.leave("bob")
    assert play.table.ready_by is None
    assert not play.table.busy


def test_the_last_one_awaited_calls_the_hand_by_leaving() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    assert kinds(play.ask(Leave(player="cyd"))) == [Left, HandCalled]


def test_who_sits_out_is_not_awaited_and_comes_back_by_saying_ready() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    play.finish()
    assert play.table.dealt_in == ()
    assert kinds(play.ask(Ready(player="cyd", hand=2, always=False))) == [Returned, BecameReady]
    play.ready("ann", "bob")
    assert len(play.table.dealt_in) == 3


def test_returning_is_being_awaited_again() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    play.come_back("cyd")
    play.finish()
    play.ready("ann", "bob")
    assert not play.table.busy
    play.ready("cyd")
    assert play.table.busy


# -- the button


@pytest.mark.parametrize("lot", range(12))
def test_the_first_button_is_drawn_by_lot(lot: int) -> None:
    play = Play(THREE, "ann bob cyd", lot=lot)
    play.ready("ann", "bob", "cyd")
    assert play.table.button == lot % 3
    assert play.hand.seats == tuple((lot + step) % 3 for step in (1, 2, 3))


def test_the_button_goes_round_and_over_those_who_are_gone() -> None:
    play = Play(THREE, "ann bob cyd", lot=11)
    holders: list[int | None] = []
    for leaver in (None, None, "cyd", None):
        play.ready(*(seat.player for _, seat in play.table.awaited))
        holders.append(play.table.button)
        play.finish()
        if leaver:
            play.leave(leaver)
    assert holders == [2, 0, 1, 0]


def test_who_plays_sits_out_when_the_match_is_over_and_whoever_waits_at_once() -> None:
    play = laying()
    with pytest.raises(Refused, match="match is being played"):
        play.ask(SitOut(player="ann"))
    assert kinds(play.ask(SitOut(player="cyd"))) == [SatOut]
    with pytest.raises(Refused, match="sit out already"):
        play.ask(SitOut(player="cyd"))
    play.finish()
    play.ready("ann")
    assert kinds(play.ask(SitOut(player="ann"))) == [SatOut]
    assert not play.seat("ann").ready


def test_the_last_one_awaited_calls_the_hand_by_sitting_out() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    assert kinds(play.ask(SitOut(player="cyd"))) == [SatOut, HandCalled]


def test_a_table_for_three_begins_with_three_and_not_with_two() -> None:
    play = Play(msgspec.structs.replace(THREE, seats=(3, 3)), "ann bob cyd")
    play.ready("ann", "bob")
    assert play.table.ready_by is None
    play.ask(SitOut(player="cyd"))
    assert not play.table.busy
    play.ready("cyd")
    assert len(play.table.dealt_in) == 3


@pytest.mark.parametrize("lot", range(12))
def test_four_can_play_where_the_cards_suffice(lot: int) -> None:
    play = Play(RULE_SETS["club"], "ann bob cyd dee", lot=lot)
    play.ready("ann", "bob", "cyd", "dee")
    assert play.hand.seats == tuple((lot + step) % 4 for step in (1, 2, 3, 4))
    play.finish()
    assert play.table.hands == 1


# -- a hand


def test_a_hand_from_the_first_street_to_the_last() -> None:
    play = full()
    play.ready("ann", "bob")
    dealt = play.log[-1]
    assert isinstance(dealt, HandDealt)
    assert dealt.hidden is not None
    assert (dealt.seats, dealt.hidden.deck) == ((1, 0), deck(1))
    events = [kind for _ in range(10) for kind in kinds(play.confirm())]
    assert events == [Confirmed] * 10 + [HandScored]
    ending = play.log[-1]
    assert isinstance(ending, HandScored)
    assert sum(ending.points) == 0
    assert ending.seats == (1, 0)
    assert ending.stacks == tuple(50 + points for points in ending.points)
    assert play.hand.reckoning is not None
    assert play.table.showdown_until == play.now + 8000


def test_a_confirm_is_told_without_its_discard() -> None:
    play = street_two()
    placement = legal(play.hand, 0)
    (event,) = play.confirm()
    assert isinstance(event, Confirmed)
    assert event.hidden is not None
    assert (event.rows, event.hidden.placement) == (placement.rows, str(placement))
    assert placement.discards[0] not in (event.rows or "")


def test_only_the_player_to_act_pays_time() -> None:
    play = laying()
    play.now += 7000
    play.confirm()
    play.now += 11_000
    play.confirm()
    assert [seat.clock.hand_ms for _, seat in play.table.seated[:2]] == [49_000, 53_000]


def test_time_carries_over_the_streets_and_then_the_table_lays() -> None:
    play = laying()
    play.now += 59_000
    play.confirm()
    play.confirm()
    play.now += 999
    assert play.ask(TimeOut()) == ()
    play.now += 1
    events = play.ask(TimeOut())
    assert kinds(events) == [TimedOut, AutoPlaced]
    assert play.hand.acting == (1,)


def test_a_draft_stays_where_it_lies_and_a_wrong_one_counts_as_none() -> None:
    play = laying()
    cards = play.hand.dealt(0)
    (_, laid) = play.time_out({1: Placement(top=(cards[4],))})
    assert isinstance(laid, AutoPlaced)
    assert laid.rows == f"{cards[4]}/-/{''.join(cards[:4])}"
    other = laying()
    (_, laid) = other.time_out({1: Placement(top=(cards[4], deck(1)[50]))})
    assert isinstance(laid, AutoPlaced)
    assert laid.rows == f"-/-/{''.join(cards)}"


def test_whose_time_is_spent_is_laid_for_when_his_turn_comes_and_not_sooner() -> None:
    play = laying()
    play.time_out()
    assert [len(placements) for placements in play.hand.placements] == [1, 0]
    events = play.confirm()
    assert kinds(events) == [Confirmed, AutoPlaced]
    assert play.hand.acting == (1,)
    for _ in range(3):
        play.confirm()
    assert kinds(play.confirm()) == [Confirmed, HandScored]


def test_everybody_away_is_a_hand_laid_to_its_end() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd", always=True)
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    assert kinds(play.time_out()) == [TimedOut] + [AutoPlaced] * 13 + [HandScored]
    assert kinds(play.time_out()) == [ShowdownEnded]
    assert not play.table.busy


# -- after a hand


def test_always_ready_is_ready_when_the_showdown_ends_and_not_sooner() -> None:
    play = full()
    play.ready("ann", "bob", always=True)
    play.finish()
    assert not any(seat.ready for _, seat in play.table.seated)
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
    assert play.table.hands == 2


def test_taps_call_the_next_hand_before_the_showdown_ends() -> None:
    play = full()
    play.ready("ann", "bob")
    play.finish()
    play.ready("bob", "ann")
    assert play.table.hands == 2
    assert play.table.showdown_until is None


def test_who_timed_out_is_asked_again() -> None:
    play = full()
    play.ready("ann", "bob", always=True)
    play.time_out()
    while play.table.laying:
        play.confirm()
    assert (play.seat("ann").always_ready, play.seat("bob").always_ready) == (True, False)
    assert kinds(play.time_out()) == [ShowdownEnded]
    assert (play.seat("ann").ready, play.seat("bob").ready) == (True, False)


def test_always_ready_holds_only_while_the_same_people_sit_here() -> None:
    play = laying()
    play.finish()
    play.ready("ann", "bob", "cyd", always=True)
    assert all(seat.always_ready for _, seat in play.table.seated)
    play.leave("cyd")
    play.finish()
    assert not any(seat.always_ready for _, seat in play.table.seated)


def test_nobody_is_hurried_away_from_a_showdown() -> None:
    play = Play(msgspec.structs.replace(THREE, ready_seconds=1, showdown_seconds=60), "ann bob cyd")
    play.ready("ann", "bob", "cyd", always=True)
    play.finish()
    play.ready("ann", "bob")
    assert play.table.ready_by == play.table.showdown_until
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]


def test_leaving_in_a_hand_waits_for_its_end() -> None:
    play = leaving()
    assert isinstance(play.log[-1], Leaving)
    play.finish()
    assert kinds(tuple(play.log[-2:])) == [HandScored, Left]
    assert play.table.seat_of("bob") is None
    assert play.table.gone["bob"].brought == 50


def test_who_thinks_better_of_leaving_stays() -> None:
    play = leaving()
    play.come_back("bob")
    play.finish()
    assert play.table.seat_of("bob") == 1


def test_leaving_a_called_hand_is_leaving_after_it() -> None:
    play = called()
    assert kinds(play.ask(Leave(player="ann"))) == [Leaving]
    play.deal_if_owed()
    play.finish()
    assert play.table.seat_of("ann") is None


def test_who_is_not_dealt_in_leaves_at_once() -> None:
    assert kinds(laying().ask(Leave(player="cyd"))) == [Left]


# -- nobody squats for ever


def test_a_human_who_is_never_ready_gives_his_seat_up_after_ten_minutes() -> None:
    play = Play(TWO, "ann bot:0")
    play.now += 599_999
    assert play.ask(TimeOut()) == ()
    play.now += 1
    assert play.ask(TimeOut()) == (Left(at=play.now, seat=0),)
    play.now += 10**9
    assert play.ask(TimeOut()) == ()


def test_being_ready_or_dealt_in_starts_the_ten_minutes_anew() -> None:
    play = full()
    play.now += 500_000
    play.ready("ann")
    play.now += 99_999
    assert play.ask(TimeOut()) == ()
    play.now += 10**9
    play.ask(TimeOut())
    assert play.table.seat_of("ann") == 0
    play.sit("cyd")
    play.ready("cyd")
    play.finish()
    play.now += 599_999
    play.ask(TimeOut())
    assert play.table.seat_of("ann") == 0
    play.now += 1
    play.ask(TimeOut())
    assert play.table.seated == ()


def test_sitting_out_is_not_for_ever_and_a_long_hand_costs_no_newcomer_his_seat() -> None:
    play = Play(msgspec.structs.replace(THREE, hand_seconds=3600), "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    assert play.seat("cyd").sitting_out
    assert play.time_out() == (Left(at=play.now, seat=2),)
    play.sit("dee")
    assert kinds(play.time_out()) == [TimedOut, AutoPlaced]
    play.now += 700_000
    assert play.ask(TimeOut()) == ()
    play.finish()
    assert play.table.seat_of("dee") == 2
    play.now += 600_000
    assert Left(at=play.now, seat=2) in play.ask(TimeOut())


# -- an outage


def test_an_outage_costs_nobody_anything() -> None:
    play = laying()
    play.now += 50_000
    play.now += 540_000
    assert play.ask(Resume(lost_ms=540_000)) == (Resumed(at=play.now, lost_ms=540_000),)
    play.now += 9999
    assert play.ask(TimeOut()) == ()
    play.now += 1
    assert kinds(play.ask(TimeOut())) == [TimedOut, AutoPlaced]


def test_a_clock_set_back_during_an_outage_takes_nothing() -> None:
    assert laying().ask(Resume(lost_ms=-5000))[0] == Resumed(at=1_000_000, lost_ms=0)


def test_sat_is_told_with_everything_needed_to_sit() -> None:
    play = empty()
    (event,) = play.ask(Sit(player="bot:0", name="Kiwi", bot=True, seat=1))
    assert event == Sat(at=play.now, seat=1, player="bot:0", name="Kiwi", bot=True, stack=50, brought=50)
