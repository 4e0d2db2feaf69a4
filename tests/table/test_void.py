"""A hand that does not count leaves everything as it was when it was called, and nobody is ready.

Each promise is a function of its own; below stand faults that break it, and it has to notice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas.game.rules import RuleSet
from ananas.game.view import view_hand
from ananas.refused import Refused
from ananas.table.account import account
from ananas.table.clock import HELD_MS, HOLD_MS, deadline
from ananas.table.commands import Confirm, Connect, Disconnect, GoOn, Leave, Ready, SitOut, TimeOut, TopUp
from ananas.table.decide import OUTAGE_MS, VOIDS
from ananas.table.events import (
    AnyEvent,
    Disconnected,
    HandCalled,
    HandDealt,
    HandScored,
    HandVoided,
    HoldBegan,
    HoldEnded,
    HostPassed,
    Left,
    Resumed,
    RightsLapsed,
    SatOut,
)
from ananas.table.evolve import evolve
from ananas.table.state import Table, needs_deck, to_be_sealed
from ananas.table.view import Live, view_table
from tests.table.play import Play, legal, lucky, rich_deck, unfinished
from tests.table.positions import CLUB, ROOM, THREE, busted, called, laying, pause, sat, seated
from tests.table.session import RULES

SECOND = 1000
LONG = OUTAGE_MS // SECOND


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def stands(table: Table, seats: tuple[int, ...]) -> object:
    """What a hand that does not count may not change, for those who were called."""
    people = [(number, seat) for number, seat in table.seated if number in seats]
    return (
        [(number, seat.player, seat.stack, seat.brought, seat.money) for number, seat in people],
        [seat.clock.bank_ms for _, seat in people],
        table.rights,
        table.button,
        table.circle,
        table.match,
        (table.hand, table.players, table.names, table.last_dealt, table.dealt_from),
        {player: purse.stack for player, purse in table.gone.items()},
    )


# -- what is given back


def gives_everything_back(rules: RuleSet, numbers: list[int], voids: set[int]) -> tuple[int, int]:
    """Play a session in which some hands, by their numbers, are voided in the middle.

    Says how many were, and how many of these with somebody in Fantasyland.
    """
    play, count = Play(rules, "ann bob", decks=lambda number: rich_deck(number + len(numbers))), [0, 0]
    play.sit("bot:0") if None in play.table.seats else None
    before, streets = play.table, 0
    for number in numbers:
        table, choice, logged = play.table, number // 8, len(play.log)
        play.now += number % 9_000
        try:
            if table.busy:
                if table.hands in voids and streets >= table.hands % 7:
                    seats = table.called or table.dealt_in
                    play.void("outage" if number % 2 else "fault")
                    lapses = bool(before.rights) and before.voided_running + 1 >= VOIDS
                    if lapses:
                        ends_the_match(play.table, before)
                    else:
                        assert stands(play.table, seats) == stands(before, seats)
                    assert not any(seat.ready for _, seat in play.table.seated)
                    assert not play.table.busy
                    assert bool(play.table.rights) == (bool(before.rights) and not lapses)
                    count[0] += 1
                    count[1] += bool(before.rights)
                elif number % 8 == 0:
                    play.time_out({})
                elif number % 8 == 1:
                    play.ask((Disconnect if choice % 2 else Connect)(player="bob" if choice % 3 else "ann"))
                elif table.hand is not None and table.laying:
                    turn = play.hand.acting[choice % len(play.hand.acting)]
                    streets += 1
                    play.lay(table.players[turn], str((lucky if choice % 5 else legal)(play.hand, choice, turn)))
                continue
            begin(play, choice)
            if play.table.busy:
                streets = 0
                called = next(at for at, event in enumerate(play.log) if event == last_call(play))
                before = reduce(evolve, play.log[logged:called], table)
                play.deal_if_owed()
        except Refused:
            continue
    return count[0], count[1]


def ends_the_match(table: Table, before: Table) -> None:
    """Fantasyland that is void once too often leaves everybody his chips and his bank, and the match is over."""
    assert table.match is not None
    assert (table.in_match, table.match.lapsed) == (False, "voided")
    then = {seat.player: seat for _, seat in before.seated}
    for _, seat in table.seated:
        if not seat.bot and seat.player in then:
            assert (seat.stack, seat.clock.bank_ms) == (then[seat.player].stack, then[seat.player].clock.bank_ms)
    assert (table.button, table.counted) == (before.button, before.counted)


def last_call(play: Play) -> HandCalled:
    return next(event for event in reversed(play.log) if isinstance(event, HandCalled))


def begin(play: Play, choice: int) -> None:
    """Ask the one thing that brings the table to its next hand; with seeds, now and then."""
    table = play.table
    for number, seat in table.seated:
        if table.is_broke(seat) and (not table.in_match or table.owes_chips(number)):
            play.ask(TopUp(player=seat.player, to=table.rules.buy_in[0]))
        elif table.pausing and number in table.dealt_in and number not in table.gone_on:
            play.ask(GoOn(player=seat.player, hand=table.hands))
        elif not table.in_match and not seat.ready:
            if choice % 3 == 0 and not seat.bot and to_be_sealed(table) is not None:
                play.bind(seat.player)
            play.ask(Ready(player=seat.player, hand=table.hands + 1, always=choice % 4 == 0))
        else:
            continue
        return


NUMBERS = st.lists(st.integers(0, 1_000_000), min_size=40, max_size=120)


@settings(max_examples=40, deadline=None)
@given(rules=RULES, numbers=NUMBERS, voids=st.sets(st.integers(1, 12), min_size=1, max_size=8))
def test_a_hand_that_does_not_count_leaves_everything_as_it_was(
    rules: RuleSet, numbers: list[int], voids: set[int]
) -> None:
    gives_everything_back(rules, numbers, voids)


def in_the_first_hand() -> None:
    for position in (called, laying):
        play = position()
        banks = [seat.clock.bank_ms for _, seat in play.table.seated]
        play.now += 30 * SECOND
        events = play.void()
        assert kinds(events) == [HandVoided]
        table = play.table
        assert (table.hands, table.match, table.button, table.circle, table.hand) == (1, None, None, (), None)
        assert [(seat.ready, seat.clock.bank_ms) for _, seat in table.seated] == [(False, bank) for bank in banks]
        assert all(seat.held_since == play.now for _, seat in table.seated), "who sits here has ten minutes again"
        play.ready(*(seat.player for _, seat in play.table.seated))
        assert (play.table.hands, play.table.laying) == (2, True)


def test_the_first_hand_of_all_might_never_have_been() -> None:
    in_the_first_hand()


def fantasyland(rules: RuleSet = ROOM) -> Play:
    """Hand 2, in which Ann is in Fantasyland, after a first street."""
    play = sat(rules, ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    play.as_planned(next(player for player in play.acting if player != "ann"))
    return play


def keeps_fantasyland() -> None:
    for rules in (ROOM, CLUB):
        play = fantasyland(rules)
        play.now += 70 * SECOND
        play.void()
        table = play.table
        assert {number: right.cards for number, right in table.rights.items()} == {0: rules.fantasyland_cards[0]}
        assert (table.pausing, table.hands, table.dealt_in) == (True, 2, table.hand.seats if table.hand else ())
        assert table.showdown_until == play.now + 1000 * rules.showdown_seconds
        play.go_on("ann", "bob", "cyd")
        dealt = play.log[-1]
        assert isinstance(dealt, HandDealt)
        assert (dealt.hand, dict(zip(dealt.seats, dealt.fantasyland, strict=True))) == (
            3,
            {0: rules.fantasyland_cards[0], 1: 0, 2: 0},
        )
        while play.table.laying:
            play.as_planned()
        assert not play.table.in_match
        assert play.table.match is not None
        assert (play.table.match.hands, sum(play.table.match.won)) == (2, 0)


def test_the_right_to_fantasyland_is_kept_and_played_in_the_next_hand() -> None:
    keeps_fantasyland()


def keeps_the_button() -> None:
    for expected in ("moves", "stays"):
        play = sat(ROOM.but({"button_in_fantasyland": expected, "buy_in": "5-500"}), ann=500, bob=500, cyd=500)
        buttons: list[int | None] = []
        for voided in (False, True, True, False):
            play.next(ann="plain", bob="plain", cyd="plain")
            play.ready("ann", "bob", "cyd")
            if voided:
                play.void()
            else:
                play.finish()
            buttons.append(play.table.button)
        assert buttons == [0, 0, 0, 1]


def test_the_button_is_where_it_was() -> None:
    keeps_the_button()


def tells_whose_button_is_drawn() -> None:
    """Who checks the deal has to know when there was no button before: in the first hand of match 1, and no other."""
    play, drawn = sat(ROOM, ann=50, bob=50, cyd=50), 0
    for voided in (True, True, False, True, False, True, False):
        before = play.table.button
        play.next(ann="in" if play.table.counted == 0 else "plain", bob="plain", cyd="plain")
        if play.table.pausing:
            play.go_on("ann", "bob", "cyd")
        else:
            play.ready("ann", "bob", "cyd")
        match = view_table(play.table, None, play.now, Live()).match
        assert match is not None
        assert ((match.number, match.hand) == (1, 1)) == (before is None)
        drawn += before is None
        if voided:
            play.void()
        else:
            play.finish()
    assert (drawn, play.table.hands, play.table.counted) == (3, 7, 3)


def test_the_view_tells_whose_button_a_lot_has_drawn() -> None:
    tells_whose_button_is_drawn()


def test_the_circle_goes_on_where_it_was() -> None:
    play = sat(ROOM.but({"fantasyland": "off", "buy_in": "5-500"}), ann=500, bob=500)
    matches: list[tuple[int, int]] = []
    for voided in (False, True, False, False):
        play.next(ann="plain", bob="plain")
        play.ready("ann", "bob")
        if voided:
            play.void()
        else:
            play.finish()
        assert play.table.match is not None
        matches.append((play.table.match.number, play.table.match.circle_match))
    assert matches == [(1, 1), (1, 1), (2, 2), (3, 1)]


def forgets_who_has_gone() -> None:
    """Bob, who was broke and left out of the hand, leaves while it is played; Dee takes his seat."""
    play = busted()
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    assert play.table.hand is not None
    assert set(play.table.hand.seats) == {0, 2}
    play.leave("bob")
    play.sit("dee")
    play.void()
    assert sorted(play.table.dealt_in) == [0, 2]
    play.go_on("ann", "cyd")
    assert play.table.dealt_in == play.hand.seats
    assert 1 not in play.table.dealt_in
    right = sat(ann=5, bob=50, cyd=50)
    right.scored(ann="in", bob="in", cyd="strong")
    assert set(right.table.rights) == {0, 1}
    assert right.seat("ann").stack == 0
    right.next(bob="plain", cyd="plain")
    right.go_on("ann", "bob", "cyd")
    right.leave("ann")
    right.sit("dee")
    right.void()
    assert set(right.table.rights) == {1}, "Dee has no right to Ann's Fantasyland"
    assert right.table.circle == ()


def test_who_has_gone_meanwhile_gets_nothing_back_and_nobody_in_his_place() -> None:
    forgets_who_has_gone()


def who_has_no_chips_is_waited_for_again() -> None:
    play = busted()
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    play.void()
    assert 1 in play.table.dealt_in
    assert play.table.top_up_by == play.now + 1000 * play.table.rules.ready_seconds
    play.time_out()
    while play.table.pausing:
        play.time_out()
    assert play.table.laying
    assert set(play.hand.seats) == {0, 2}


def test_who_has_no_chips_is_waited_for_again_and_not_for_ever() -> None:
    who_has_no_chips_is_waited_for_again()


def is_not_counted() -> None:
    play = Play(THREE, "ann bob")
    for voided in (True, False, True):
        assert account(play.table, None).hands == play.table.counted
        play.ready("ann", "bob")
        if voided:
            play.void()
        else:
            play.finish()
        told = account(play.table, None)
        assert (told.began is None, told.until is None) == (play.table.counted == 0,) * 2
    assert (play.table.hands, account(play.table, None).hands, play.table.counted) == (3, 1, 1)
    play.ready("ann", "bob")
    assert play.table.counted == 1


def test_the_account_does_not_count_it() -> None:
    is_not_counted()


def test_its_number_is_used_up_and_nothing_of_it_is_seen_any_more() -> None:
    play = pause()
    shown = view_table(play.table, "bob", play.now, Live()).hand
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    play.void()
    again = view_table(play.table, "bob", play.now, Live()).hand
    assert (again, again and again.number) == (shown, 1)
    with pytest.raises(Refused, match="which is over"):
        play.ask(Confirm(player="ann", hand=2, street=1, placement=legal(laying().hand, 0)))
    assert view_hand(play.hand, play.table.last_dealt, 1, {}).number == 1


# -- who is there, and who is not


def test_who_was_leaving_has_left_and_the_next_is_the_host() -> None:
    play = laying()
    play.leave("ann")
    events = play.void()
    assert kinds(events) == [HandVoided, Left, HostPassed]
    assert (play.table.host, play.table.seat_of("ann")) == ("bob", None)
    assert play.table.gone["ann"].stack == 50
    match = fantasyland()
    match.leave("bob")
    match.void()
    assert match.seat("bob").leaving, "his match goes on"


def test_who_is_absent_sits_out_and_who_is_only_away_does_not() -> None:
    play = laying()
    play.disconnect("bob")
    play.time_out()
    assert play.seat("bob").absent
    assert kinds(play.void()) == [HandVoided, SatOut]
    away = laying()
    away.disconnect("bob")
    assert kinds(away.void()) == [HandVoided]
    assert deadline(away.table) == away.now + HELD_MS


def test_a_break_goes_on() -> None:
    play = fantasyland()
    play.stop()
    play.now += 60 * SECOND
    play.void()
    assert (play.table.on_break, play.table.pausing) == (True, True)
    play.resume()
    assert play.table.pausing
    assert play.table.showdown_until == play.now + 1000 * ROOM.showdown_seconds
    assert kinds(play.time_out())[-2:] == [HandCalled] or play.table.laying


def runs_on_after_a_hold() -> None:
    """What is voided while all times stand leaves nobody the poorer by how long they stood."""
    play = fantasyland()
    play.disconnect("bob", "cyd")
    play.now += 40 * SECOND
    play.void()
    assert play.table.hold is None
    assert play.table.showdown_until == play.now + 1000 * ROOM.showdown_seconds
    base = Play(THREE, "ann bob cyd")
    base.ask(SitOut(player="cyd"))
    since = base.now
    base.ready("ann", "bob")
    base.disconnect("ann", "bob")
    base.now += 40 * SECOND
    base.void()
    assert (base.seat("ann").held_since, base.seat("cyd").held_since) == (base.now, since + 40 * SECOND)


def test_what_is_voided_while_all_times_stand() -> None:
    runs_on_after_a_hold()


def test_nobody_is_always_ready_after_it() -> None:
    play = seated()
    play.ready("ann", "bob", always=True)
    play.void()
    assert not any(seat.ready or seat.always_ready for _, seat in play.table.seated)
    assert play.table.ready_by is None


# -- Fantasyland that fails again and again


def ends_after_two() -> None:
    """A fault that comes back each time; hands before and after it are not counted as the same one."""
    play = sat(ROOM, ann=50, bob=50, cyd=50)
    play.next(ann="in", bob="plain", cyd="plain")
    play.ready("ann", "bob", "cyd")
    play.void()
    assert play.table.match is None, "a first hand is begun anew as often as they are ready"
    play.scored(ann="in", bob="plain", cyd="plain")
    stacks = [seat.stack for _, seat in play.table.seated]
    play.next(ann="plain", bob="plain", cyd="plain")
    for last in (False, True):
        assert set(play.table.rights) == {0}
        play.go_on("ann", "bob", "cyd")
        assert play.hand.fantasyland.count(ROOM.fantasyland_cards[0]) == 1
        assert kinds(play.void()) == [HandVoided] + [RightsLapsed] * last
    match = view_table(play.table, None, play.now, Live()).match
    assert match is not None
    assert (match.over, match.lapsed, play.table.rights, play.table.in_match) == (True, "voided", {}, False)
    assert [seat.stack for _, seat in play.table.seated] == stacks
    assert play.table.notices[-1].what == "voided-fault"
    while deadline(play.table) is not None and play.table.showdown_until is not None:
        play.time_out()
    play.scored(ann="plain", bob="plain", cyd="plain")
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.lapsed) == (2, None)


def test_fantasyland_that_is_void_twice_running_lapses() -> None:
    ends_after_two()


def begins_anew_with_each_that_counts() -> None:
    """Twice void, with one between that counted: the match goes on."""
    play = sat(ROOM.but({"button_in_fantasyland": "stays"}), ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    for counts in (False, True, False):
        play.next(ann="stays", bob="plain", cyd="plain")
        play.go_on("ann", "bob", "cyd")
        if counts:
            play.finish()
        else:
            play.void()
        assert set(play.table.rights) == {0}


def test_one_that_counts_between_two_that_do_not_begins_the_count_anew() -> None:
    begins_anew_with_each_that_counts()


# -- an outage


def voids_after_an_outage() -> None:
    play = laying()
    play.now += 20 * SECOND
    assert kinds(play.outage(LONG)) == [Resumed, Disconnected, Disconnected, HoldBegan]
    play.connect("ann")
    play.now += HOLD_MS
    assert kinds(play.ask(TimeOut())) == [HandVoided]
    assert play.table.notices[-1].what == "voided-outage"
    for who in ("ann", "bob"):
        both = laying()
        both.now += 20 * SECOND
        both.outage(LONG)
        both.connect(who)
        both.now += HOLD_MS - 1
        assert both.ask(TimeOut()) == ()
        both.connect("bob" if who == "ann" else "ann")
        assert (both.table.hold, both.table.laying, both.table.hands) == (None, True, 1)
        clock = both.seat("bob").clock.at(both.now, connected=True)
        assert clock.left_ms == 40 * SECOND, "the outage and the wait cost nothing"


def test_after_ten_minutes_away_the_hand_goes_on_if_all_are_back_in_a_minute_and_else_does_not_count() -> None:
    voids_after_an_outage()


def waits_for_one_as_always() -> None:
    """Of three who play, one who stays away does not take the hand back: his time runs as it does for who is away."""
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.now += 20 * SECOND
    banks = play.seat("bob").clock.left_ms
    play.outage(LONG)
    play.connect("ann", "cyd")
    play.now += HOLD_MS
    assert kinds(play.ask(TimeOut())) == [HoldEnded]
    assert (play.table.hold, play.table.laying, play.acting) == (None, True, ("bob",))
    assert play.seat("bob").clock.at(play.now, connected=False).left_ms == banks - 20 * SECOND
    play.time_out()
    assert play.seat("bob").absent
    two = Play(THREE, "ann bob cyd")
    two.ready("ann", "bob", "cyd")
    two.outage(LONG)
    two.connect("ann")
    two.now += HOLD_MS
    assert kinds(two.ask(TimeOut())) == [HandVoided]


def test_one_of_three_who_stays_away_takes_nothing_back() -> None:
    waits_for_one_as_always()


def test_a_shorter_outage_waits_for_nobody() -> None:
    play = laying()
    assert kinds(play.outage(LONG - 1)) == [Resumed]
    assert (play.table.hold, play.table.laying) == (None, True)


def test_a_hand_that_was_called_and_not_dealt_waits_as_well() -> None:
    play = called()
    play.outage(LONG)
    assert (play.table.hold, needs_deck(play.table)) == ("outage", False)
    play.connect("ann", "bob")
    assert play.table.laying
    nobody = called()
    nobody.outage(LONG)
    assert kinds(nobody.time_out()) == [HandVoided]
    assert nobody.table.hands == 1
    assert not nobody.table.busy


def test_who_was_away_before_it_and_whom_the_table_lays_for_are_not_waited_for() -> None:
    play = laying()
    play.disconnect("bob")
    play.now += 10 * SECOND
    assert kinds(play.outage(LONG)) == [Resumed, Disconnected, HoldBegan]
    play.connect("ann")
    assert (play.table.hold, play.table.laying) == (None, True)
    spent = laying()
    spent.time_out()
    spent.outage(LONG)
    spent.connect("ann")
    assert (spent.table.hold, spent.table.laying) == (None, True)
    gone = laying()
    gone.disconnect("ann")
    gone.now += 10 * SECOND
    gone.disconnect("bob")
    gone.now += 10 * SECOND
    assert kinds(gone.outage(LONG)) == [Resumed]
    alone = Play(THREE, "ann bot:0")
    alone.ready("ann", "bot:0")
    assert kinds(alone.outage(LONG)) == [Resumed, Disconnected, HoldBegan]
    assert kinds(alone.time_out()) == [HandVoided]


def test_a_second_outage_waits_for_those_who_were_back_as_well() -> None:
    play = laying()
    play.outage(LONG)
    play.connect("ann")
    play.now += 10 * SECOND
    play.outage(2 * LONG)
    assert (play.table.hold, play.seat("ann").connected) == ("outage", False)
    play.connect("bob")
    assert play.table.hold == "outage"
    assert kinds(play.time_out()) == [HandVoided]


def test_after_a_void_by_outage_in_fantasyland_the_match_waits_and_ends_by_itself() -> None:
    play = fantasyland()
    play.outage(LONG)
    assert kinds(play.time_out()) == [HandVoided]
    assert play.table.rights
    rings = 0
    while deadline(play.table) is not None:
        assert play.time_out()
        rings += 1
        assert rings < 30
    assert (play.table.seated, any(isinstance(event, RightsLapsed) for event in play.log)) == ((), False)


def test_during_a_break_the_break_is_enough() -> None:
    play = laying()
    play.stop()
    assert kinds(play.outage(LONG)) == [Resumed]
    assert play.table.hold is None


def test_a_log_that_voids_what_was_not_called_is_none() -> None:
    play = laying()
    for table, number in ((play.table, 2), (seated().table, 1), (pause().table, 1)):
        with pytest.raises(ValueError, match="no such hand"):
            evolve(table, HandVoided(at=play.now, hand=number, reason="fault"))


def test_drafts_are_of_no_use_after_it() -> None:
    play = laying()
    draft = unfinished(play.hand, 3)
    play.void()
    assert play.ask(TimeOut(drafts={1: draft})) == ()
    assert kinds((HoldEnded(at=1),)) == [HoldEnded]
    play.ask(Leave(player="cyd"))
    assert msgspec.json.encode(play.table.gone)


# -- faults that all of this has to notice

VOIDED = ananas.table.evolve._voided
BEFORE = ananas.table.evolve._before_without


def changed(**what: object) -> Callable[[Table, HandVoided], Table]:
    def faulty(table: Table, event: HandVoided) -> Table:
        return replace(VOIDED(table, event), **what)

    return faulty


def with_the_match_begun(table: Table, event: HandVoided) -> Table:
    return replace(VOIDED(table, event), match=table.match)


def with_the_button_moved(table: Table, event: HandVoided) -> Table:
    return replace(VOIDED(table, event), button=table.button)


def with_a_spent_bank(table: Table, event: HandVoided) -> Table:
    after = VOIDED(table, event)
    for number, seat in table.seated:
        mine = after.seats[number]
        assert mine is not None
        after = after.with_seat(number, replace(mine, clock=replace(mine.clock, bank_ms=seat.clock.bank_ms)))
    return after


def in_the_time_of_the_hold(table: Table, event: HandVoided) -> Table:
    return VOIDED(table, replace(event, at=table.time(event.at)))


def as_it_was(before: object, _number: int, _player: str) -> object:
    return before


def over_many(examples: int = 24) -> None:
    """The property, over sessions that are always the same."""
    from tests.chance import Chance
    from tests.table.session import SOME_RULES

    voided = fantasyland = 0
    for number in range(examples):
        chance = Chance(f"voided {number}")
        numbers = [chance.below(1_000_000) for _ in range(90)]
        found = gives_everything_back(SOME_RULES[number % len(SOME_RULES)], numbers, {1, 2, 4, 5, 7})
        voided, fantasyland = voided + found[0], fantasyland + found[1]
    assert voided > examples
    assert fantasyland > examples / 8


@pytest.mark.parametrize(
    ("name", "fault", "promise"),
    [
        ("_voided", changed(button=None), keeps_the_button),
        ("_voided", with_the_button_moved, over_many),
        ("_voided", changed(rights={}), keeps_fantasyland),
        ("_voided", changed(match=None), over_many),
        ("_voided", changed(button=None), tells_whose_button_is_drawn),
        ("_voided", with_the_match_begun, tells_whose_button_is_drawn),
        ("_voided", changed(circle=("ann",)), over_many),
        ("_voided", changed(hand=None), keeps_fantasyland),
        ("_voided", changed(voided=0), is_not_counted),
        ("_voided", changed(top_up_by=None), who_has_no_chips_is_waited_for_again),
        ("_voided", with_a_spent_bank, over_many),
        ("_voided", in_the_time_of_the_hold, runs_on_after_a_hold),
        ("_before_without", as_it_was, forgets_who_has_gone),
    ],
)
def test_a_planted_fault_is_noticed(
    name: str, fault: object, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise()
    monkeypatch.setattr(ananas.table.evolve, name, fault)
    with pytest.raises((AssertionError, Refused)):
        promise()


def charging_it(table: Table, _by: int) -> Table:
    return table


def for_nobody(_table: Table) -> tuple[int, ...]:
    return ()


def as_soon_as_one_is_away(story: ananas.table.decide._Story) -> None:
    ananas.table.decide._void(story, "outage")


def test_a_void_that_one_alone_can_have_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.decide, "_after_hold", as_soon_as_one_is_away)
    with pytest.raises(AssertionError):
        waits_for_one_as_always()


@pytest.mark.parametrize(("often", "promise"), [(10**9, ends_after_two), (1, begins_anew_with_each_that_counts)])
def test_fantasyland_that_lapses_never_or_at_once_is_noticed(
    often: int, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ananas.table.decide, "VOIDS", often)
    with pytest.raises(AssertionError):
        promise()


def test_voids_that_are_counted_for_ever_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = ananas.table.evolve._scored

    def forgetting_nothing(table: Table, event: HandScored, at: int) -> Table:
        return replace(scored(table, event, at), voided_running=table.voided_running)

    monkeypatch.setattr(ananas.table.evolve, "_scored", forgetting_nothing)
    with pytest.raises(AssertionError):
        begins_anew_with_each_that_counts()


def test_an_outage_that_is_charged_or_waits_for_nobody_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    voids_after_an_outage()
    with monkeypatch.context() as patch:
        patch.setattr(ananas.table.evolve, "_shifted", charging_it)
        with pytest.raises(AssertionError):
            voids_after_an_outage()
    with monkeypatch.context() as patch:
        patch.setattr(ananas.table.decide, "lost_in_hold", for_nobody)
        with pytest.raises(AssertionError):
            voids_after_an_outage()
