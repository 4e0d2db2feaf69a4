"""What the host of a table does: breaks, removals, bots, his role, other rules, the list of open tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from ananas.table.clock import HELD_MS, deadline
from ananas.table.commands import (
    Break,
    ChangeRules,
    Confirm,
    Deal,
    Leave,
    Open,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    Return,
    SeatBot,
    SitOut,
    TimeOut,
    TopUp,
    Waive,
)
from ananas.table.decide import decide
from ananas.table.events import (
    AnyEvent,
    BreakBegan,
    BreakEnded,
    HandCalled,
    HostPassed,
    Leaving,
    Left,
    Opened,
    Published,
    RightsLapsed,
    RulesChanged,
    Sat,
    SatOut,
    ToppedUp,
)
from ananas.table.evolve import NOTICES, evolve
from ananas.table.host import BREAK_MS, next_host
from ananas.table.state import RuleChange, Table, needs_deck, rule_changes
from ananas.table.view import Live, TableView, view_table, who_notices
from tests.table.play import BOARDS, Play, deck, legal
from tests.table.positions import ROOM, THREE, called, laying, on_break, pause, sat, scored, seated, street_two

MINUTE = 60_000


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def see(play: Play, viewer: str | None = None) -> TableView:
    return view_table(play.table, viewer, play.now, Live())


def times(table: Table) -> list[int | None]:
    """Every moment the table waits for, a break's end apart."""
    held = [seat.held_since for _, seat in table.seated]
    clocks = [seat.clock.ends for _, seat in table.seated]
    return [table.ready_by, table.showdown_until, table.top_up_by, *held, *clocks]


# -- a break


def ready_by() -> Play:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob")
    return play


def chips_awaited() -> Play:
    play = sat(ann=50, bob=5, cyd=50)
    play.scored(ann="in", bob="dead", cyd="plain")
    return play


def closed() -> Play:
    """Ann and Bob lay at once, Bob away."""
    play = sat(ann=50, bob=50)
    play.scored(ann="in", bob="plain")
    play.go_on("ann", "bob")
    play.now += 7_000
    play.disconnect("bob")
    play.now += 3_000
    return play


MOMENTS = [seated, ready_by, laying, street_two, closed, scored, pause, chips_awaited]


@pytest.mark.parametrize("position", MOMENTS)
def test_all_times_stand_on_a_break_and_go_on_after_it(position: Callable[[], Play]) -> None:
    play = position()
    play.now += 1_500
    before, shown = times(play.table), see(play)
    assert kinds(play.stop()) == [BreakBegan]
    play.now += 11 * MINUTE
    stopped = see(play)
    assert (stopped.ready_ms, stopped.showdown_ms, stopped.top_up_ms) == (
        shown.ready_ms,
        shown.showdown_ms,
        shown.top_up_ms,
    )
    for then, now in zip(shown.seats, stopped.seats, strict=True):
        if then and then.clock:
            assert now
            assert now.clock
            assert (now.clock.hand_ms, now.clock.bank_ms) == (then.clock.hand_ms, then.clock.bank_ms)
            assert not now.clock.running
    assert play.ask(TimeOut()) == ()
    assert kinds(play.resume()) == [BreakEnded]
    assert times(play.table) == [time and time + 11 * MINUTE for time in before]
    after = see(play)
    assert (after.seats, after.ready_ms, after.showdown_ms) == (shown.seats, shown.ready_ms, shown.showdown_ms)


@pytest.mark.parametrize("position", MOMENTS)
def test_a_break_ends_by_itself_after_half_an_hour_and_nothing_else_happens_before(
    position: Callable[[], Play],
) -> None:
    play = position()
    play.stop()
    began = play.now
    assert deadline(play.table) == began + BREAK_MS
    play.now = began + BREAK_MS - 1
    assert play.ask(TimeOut()) == ()
    assert see(play).break_ms == 1
    play.now += 1
    before = play.table
    assert kinds(play.ask(TimeOut())) == [BreakEnded]
    assert see(play).break_ms is None
    assert times(play.table) == [time and time + BREAK_MS for time in times(before)]
    assert play.table.dealt_in == before.dealt_in


@pytest.mark.parametrize("position", MOMENTS)
def test_an_outage_on_a_break_is_no_part_of_the_break(position: Callable[[], Play]) -> None:
    play = position()
    before = times(play.table)
    play.stop()
    play.now += 5_000
    ends = deadline(play.table)
    assert ends is not None
    play.now += 20 * MINUTE
    play.ask(Resume(lost_ms=20 * MINUTE))
    assert deadline(play.table) == ends + 20 * MINUTE
    assert see(play).break_ms == BREAK_MS - 5_000
    play.resume()
    assert times(play.table) == [time and time + 20 * MINUTE + 5_000 for time in before]


def test_what_stood_at_the_break_is_due_as_long_after_it() -> None:
    play = laying()
    play.now += 59_000
    play.stop()
    play.now += 20 * MINUTE
    play.resume()
    play.now += 999
    assert play.ask(TimeOut()) == ()
    play.now += 1
    assert play.ask(TimeOut()) != ()


def test_time_that_was_spent_when_the_break_began_is_spent_after_it() -> None:
    play = laying()
    play.now += 60_000
    play.stop()
    play.now += MINUTE
    play.resume()
    with pytest.raises(Refused) as refused:
        play.confirm()
    assert refused.value.code == "turn-over"
    assert deadline(play.table) == play.now
    assert play.ask(TimeOut()) != ()


def test_who_comes_and_goes_on_a_break_pays_for_none_of_it() -> None:
    """Away he pays from the bank and there from his time for the hand; on a break from neither."""
    play = sat(ann=50, bob=50)
    play.ready("ann", "bob")
    play.now += 5_000
    play.stop()
    for _ in range(3):
        play.now += MINUTE
        play.disconnect("bob")
        play.now += MINUTE
        play.connect("bob")
    play.now += MINUTE
    play.disconnect("bob")
    play.now += MINUTE
    play.resume()
    bob = see(play).seats[1]
    assert bob
    assert bob.clock
    assert (bob.clock.hand_ms, bob.clock.bank_ms, bob.clock.running) == (55_000, 20_000, True)
    play.now += 3_000
    bob = see(play).seats[1]
    assert bob
    assert bob.clock
    assert (bob.clock.hand_ms, bob.clock.bank_ms) == (55_000, 17_000)


def test_a_place_is_kept_as_long_after_a_break_as_before_it() -> None:
    play = seated()
    play.now += 9 * MINUTE
    play.stop()
    play.now += 25 * MINUTE
    play.sit("cyd")
    play.now += 2 * MINUTE
    play.resume()
    assert deadline(play.table) == play.now + MINUTE
    play.now += MINUTE
    assert kinds(play.ask(TimeOut())) == [Left, Left, HostPassed]
    assert play.table.host == "cyd"
    assert deadline(play.table) == play.now - MINUTE + HELD_MS


def test_all_who_become_ready_on_a_break_are_dealt_in_when_it_is_over() -> None:
    play = seated()
    play.stop()
    for player in ("ann", "bob"):
        play.now += 1_000
        assert HandCalled not in kinds(play.ask(Ready(player=player, hand=1, always=False)))
    assert not play.table.in_match
    play.now += 10_000
    assert kinds(play.ask(Break(player="ann", on=False))) == [BreakEnded, HandCalled]
    assert needs_deck(play.table)


def test_who_is_not_ready_on_a_break_has_all_his_time_after_it() -> None:
    play = Play(THREE, "ann bob cyd")
    play.stop()
    play.now += 1_000
    play.ready("ann", "bob")
    play.now += 5 * MINUTE
    assert see(play).ready_ms == 30_000
    assert play.ask(TimeOut()) == ()
    play.resume()
    assert deadline(play.table) == play.now + 30_000


def test_nobody_sits_out_for_a_break() -> None:
    play = ready_by()
    play.stop()
    play.now += 29 * MINUTE
    play.resume()
    assert play.ask(TimeOut()) == ()
    assert not play.seat("cyd").sitting_out


def test_a_pause_goes_on_with_the_end_of_a_break_when_all_have_gone_on() -> None:
    play = pause()
    play.stop()
    play.go_on("ann", "bob", "cyd")
    assert play.table.pausing
    play.next(ann="plain", bob="plain", cyd="plain")
    assert kinds(play.resume()) == [BreakEnded, HandCalled]
    assert play.table.laying


def test_a_right_may_be_waived_on_a_break() -> None:
    play = on_break(pause)
    assert kinds(play.ask(Waive(player="ann"))) == [RightsLapsed]
    assert play.table.on_break


def test_chips_may_be_brought_on_a_break_and_the_hand_goes_on_after_it() -> None:
    play = chips_awaited()
    play.go_on("ann", "cyd")
    play.time_out()
    play.stop()
    play.now += 20 * MINUTE
    assert kinds(play.ask(TopUp(player="bob", to=5))) == [ToppedUp]
    assert kinds(play.ask(Break(player="ann", on=False))) == [BreakEnded, HandCalled]


def test_leaving_on_a_break_calls_nothing_before_its_end() -> None:
    play = Play(THREE, "ann bob cyd")
    play.stop()
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    assert kinds(play.ask(Leave(player="cyd"))) == [Left]
    assert kinds(play.resume())[:2] == [BreakEnded, HandCalled]


def test_a_hand_that_waits_for_its_deck_waits_for_the_end_of_the_break() -> None:
    play = on_break(called)
    assert not needs_deck(play.table)
    with pytest.raises(Refused):
        play.ask(Deal(deck=deck(1), lot=0))
    play.ask(Break(player="ann", on=False))
    assert needs_deck(play.table)
    play.deal_if_owed()
    assert play.table.laying


def test_no_card_is_laid_on_a_break_and_the_same_one_after_it() -> None:
    play = on_break()
    placement = legal(play.hand, 0)
    confirm = Confirm(player="bob", hand=1, street=1, placement=placement)
    with pytest.raises(Refused) as refused:
        play.ask(confirm)
    assert refused.value.code == "on-break"
    play.resume()
    play.ask(confirm)


def test_stopping_twice_and_going_on_twice_change_nothing() -> None:
    play = laying()
    assert play.ask(Break(player="ann", on=False)) == ()
    play.stop()
    assert play.ask(Break(player="ann", on=True)) == ()
    play.resume()
    assert play.ask(Break(player="ann", on=False)) == ()


def test_a_host_without_a_seat_stops_the_game_and_who_sits_lets_it_go_on() -> None:
    play = Play(THREE, "bob cyd")
    play.ready("bob", "cyd")
    play.stop("ann")
    with pytest.raises(Refused):
        play.ask(Break(player="dee", on=False))
    assert kinds(play.ask(Break(player="bob", on=False))) == [BreakEnded]
    with pytest.raises(Refused):
        play.ask(Break(player="bob", on=True))


def test_only_while_the_host_is_away_another_lets_the_game_go_on() -> None:
    play = laying()
    play.stop()
    with pytest.raises(Refused):
        play.ask(Break(player="bob", on=False))
    play.disconnect("ann")
    assert see(play, "bob").may.count("break") == 1
    play.connect("ann")
    with pytest.raises(Refused):
        play.ask(Break(player="bob", on=False))
    play.disconnect("ann")
    assert kinds(play.ask(Break(player="bob", on=False))) == [BreakEnded]


def test_the_host_leaves_on_a_break_and_the_next_one_ends_it() -> None:
    play = seated()
    play.stop()
    assert kinds(play.ask(Leave(player="ann"))) == [Left, HostPassed]
    assert play.table.on_break
    with pytest.raises(Refused):
        play.ask(Break(player="ann", on=False))
    assert kinds(play.ask(Break(player="bob", on=False))) == [BreakEnded]


def test_a_break_that_nobody_ends_ends_though_everybody_has_left() -> None:
    play = seated()
    play.stop()
    play.leave("bob", "ann")
    assert deadline(play.table) == play.now + BREAK_MS
    assert kinds(play.time_out()) == [BreakEnded]
    assert deadline(play.table) is None


def test_bots_wait_on_a_break_like_everybody() -> None:
    play = Play(THREE, "ann bot:0")
    play.ready("ann", "bot:0")
    play.stop()
    view = see(play, "bot:0")
    assert "confirm" not in view.may
    assert not any(seat.clock.running for seat in view.seats if seat and seat.clock)
    play.resume()
    assert "confirm" in see(play, play.acting[0]).may


# -- removal


def test_who_is_away_is_removed_at_once_between_matches() -> None:
    play = seated()
    play.disconnect("bob")
    assert play.ask(Remove(player="ann", seat=1)) == (Left(at=play.now, seat=1, removed=True),)
    assert play.table.gone["bob"].stack == 50
    play.sit("bob")
    assert play.seat("bob").stack == 50


def test_who_sits_out_is_removed_though_he_is_there() -> None:
    play = seated()
    play.sit("cyd")
    play.ask(SitOut(player="cyd"))
    assert see(play, "ann").may.count("remove") == 1
    assert kinds(play.ask(Remove(player="ann", seat=2))) == [Left]


def test_who_plays_the_match_is_removed_when_it_is_over() -> None:
    play = laying()
    play.disconnect("bob")
    assert play.ask(Remove(player="ann", seat=1)) == (Leaving(at=play.now, seat=1, removed=True),)
    seat = see(play).seats[1]
    assert seat
    assert (seat.leaving, seat.removable) == (True, False)
    assert see(play).notices == ()
    play.finish()
    assert Left(at=play.now, seat=1, removed=True) in play.log
    assert [(notice.what, notice.name) for notice in play.table.notices] == [("removed", "Bob")]


def test_who_comes_back_before_the_match_is_over_may_stay() -> None:
    play = laying()
    play.disconnect("bob")
    play.ask(Remove(player="ann", seat=1))
    play.connect("bob")
    play.ask(Return(player="bob"))
    play.finish()
    assert play.table.seat_of("bob") == 1
    play.leave("bob")
    assert play.log[-1] == Left(at=play.now, seat=1, removed=False)


def test_who_waits_beside_a_match_is_removed_at_once() -> None:
    play = laying()
    play.disconnect("cyd")
    assert kinds(play.ask(Remove(player="ann", seat=2))) == [Left]


def test_a_bot_is_removed_whenever_the_host_likes() -> None:
    play = Play(THREE, "ann bob bot:0")
    play.ask(Remove(player="ann", seat=2))
    play.sit("bot:0")
    play.ready("ann", "bob", "bot:0")
    assert kinds(play.ask(Remove(player="ann", seat=2))) == [Leaving]
    play.finish()
    assert play.table.seat_of("bot:0") is None
    assert [(notice.what, notice.name) for notice in play.table.notices] == [("bot-removed", "Kiwi")] * 2


def test_a_seat_that_is_free_or_about_to_be_needs_nobody_removed() -> None:
    play = seated()
    assert play.ask(Remove(player="ann", seat=2)) == ()
    play = laying()
    play.leave("bob")
    assert play.ask(Remove(player="ann", seat=1)) == ()


def test_the_others_begin_when_the_one_who_was_awaited_is_removed() -> None:
    play = Play(THREE, "ann bob cyd")
    play.disconnect("cyd")
    play.ready("ann", "bob")
    assert kinds(play.ask(Remove(player="ann", seat=2))) == [Left, HandCalled]


def test_the_pause_goes_on_when_the_one_who_had_no_chips_is_removed() -> None:
    play = chips_awaited()
    play.go_on("ann", "cyd")
    play.disconnect("bob")
    assert play.table.pausing
    play.next(ann="plain", cyd="plain")
    play.time_out()
    assert play.table.pausing
    assert kinds(play.ask(Remove(player="ann", seat=1))) == [Leaving, Left, HandCalled]


# -- bots


def test_a_bot_sits_down_for_the_host_and_everybody_is_told() -> None:
    play = seated()
    bot = SeatBot(player="ann", bot="bot:0", name="Kiwi")
    assert play.ask(bot) == (
        Sat(at=play.now, seat=2, player="bot:0", name="Kiwi", bot=True, stack=50, brought=50, by_host=True),
    )
    assert [(notice.what, notice.name) for notice in play.table.notices] == [("bot-seated", "Kiwi")]


def test_a_bot_that_a_table_is_opened_with_is_no_news() -> None:
    assert Play(THREE, "bot:0 ann").table.notices == ()


def test_a_bot_sits_down_beside_a_match_and_plays_the_next() -> None:
    play = laying()
    play.leave("cyd")
    play.ask(SeatBot(player="ann", bot="bot:0", name="Kiwi", seat=2))
    play.finish()
    play.ready("ann", "bob", "bot:0")
    assert len(play.table.dealt_in) == 3


def test_a_bot_that_comes_back_has_what_it_had() -> None:
    play = Play(THREE, "ann bob bot:0")
    play.ready("ann", "bob", "bot:0")
    play.finish()
    before = play.seat("bot:0")
    play.ask(Remove(player="ann", seat=2))
    play.ask(SeatBot(player="ann", bot="bot:0", name="Kiwi"))
    after = play.seat("bot:0")
    assert (after.stack - after.brought, after.money) == (before.stack - before.brought, before.money)


# -- whose table it is


HEIRS: list[tuple[str, str, str | None]] = [
    # who sits, in order of place; who of them leaves with the host; who is the host then. The host is Ann
    ("ann bob cyd", "", "bob"),
    ("bob ann cyd", "", "cyd"),
    ("bob cyd ann", "", "bob"),
    ("ann bot:0 cyd", "", "cyd"),
    ("bob ann bot:0", "", "bob"),
    ("ann bot:0 bot:1", "", None),
    ("ann", "", None),
    ("ann bob cyd", "bob", "cyd"),
    ("ann bob cyd", "bob cyd", "bob"),
]


@pytest.mark.parametrize(("players", "leaving", "heir"), HEIRS)
def test_the_next_human_clockwise_is_the_next_host(players: str, leaving: str, heir: str | None) -> None:
    play = Play(THREE, players)
    number = play.table.seat_of("ann")
    assert number is not None
    table = play.table
    for player in leaving.split():
        seat = table.seat_of(player)
        assert seat is not None
        table = evolve(table, Leaving(at=play.now, seat=seat))
    events = decide(table, Leave(player="ann"), play.now)
    for event in events:
        table = evolve(table, event)
    assert table.host == (heir or "ann")
    assert kinds(events) == ([Left] if heir is None else [Left, HostPassed])
    assert next_host(table, number) == (None if heir is None else table.seat_of(heir))


def test_who_leaves_with_the_host_after_the_match_does_not_become_the_host_first() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.leave("ann", "bob")
    play.finish()
    passed = [event for event in play.log if isinstance(event, HostPassed)]
    assert [event.seat for event in passed] == [2]
    assert play.table.host == "cyd"


def test_whose_place_is_given_up_is_the_host_no_longer() -> None:
    play = seated()
    play.ready("bob")
    play.disconnect("ann")
    play.now += HELD_MS
    assert kinds(play.ask(TimeOut())) == [Left, HostPassed]
    assert play.table.host == "bob"


def test_the_host_who_is_left_with_bots_is_still_the_host_when_he_comes_back() -> None:
    play = Play(THREE, "ann bot:0")
    play.leave("ann")
    play.sit("bob")
    assert play.table.host == "ann"
    play.sit("ann")
    seats = see(play).seats
    assert [seat.name for seat in seats if seat and seat.host] == ["Ann"]


def test_who_never_sat_here_stays_the_host_whoever_leaves() -> None:
    play = Play(THREE, "bob cyd")
    play.leave("bob")
    assert play.table.host == "ann"


def test_the_host_passes_his_role_on() -> None:
    play = seated()
    assert play.ask(PassHost(player="ann", seat=0)) == ()
    assert play.ask(PassHost(player="ann", seat=1)) == (HostPassed(at=play.now, seat=1),)
    assert play.table.host == "bob"
    with pytest.raises(Refused):
        play.ask(PassHost(player="ann", seat=0))
    assert [(notice.what, notice.name) for notice in play.table.notices] == [("host", "Bob")]


def test_the_role_may_be_passed_on_in_the_midst_of_a_hand() -> None:
    play = laying()
    before = times(play.table)
    play.ask(PassHost(player="ann", seat=1))
    assert times(play.table) == before


# -- other rules


def change(play: Play, text: str) -> tuple[AnyEvent, ...]:
    return play.ask(ChangeRules(player="ann", rules=RuleSet.parse(text)))


def test_other_rules_are_played_from_the_next_match_on() -> None:
    play = sat(ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    assert kinds(change(play, "club-pineapple hand_seconds=44")) == [RulesChanged]
    assert (play.table.hand, play.table.names, play.table.players) == (None, (), ())
    assert (play.table.showdown_until, play.table.circle) == (None, ())
    view = see(play, "ann")
    assert (view.hand, view.match, view.names, view.hands) == (None, None, (), 1)
    assert view.rules.base == "club-pineapple"
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob")
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.circle_match) == (2, 1)
    assert play.hand.rules.base == "club-pineapple"
    assert {seat.clock.hand_ms for _, seat in play.table.seated} == {44_000}


def changes(found: Iterable[RuleChange]) -> dict[str, tuple[str, str]]:
    return {change.rule: (change.old, change.new) for change in found}


def test_everybody_is_told_which_rules_are_others() -> None:
    play = sat(ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    first = play.table.rules
    assert see(play).changes == ()
    change(play, str(first.but({"foul_points": "3"})))
    second = play.table.rules
    assert changes(play.table.notices[-1].changes) == changes(rule_changes(first, second))
    assert changes(play.table.notices[-1].changes)["foul_points"] == (first.values["foul_points"], "3")
    change(play, "club")
    third = play.table.rules
    assert changes(play.table.notices[-1].changes) == changes(rule_changes(second, third))
    assert changes(see(play).changes) == changes(rule_changes(first, third)), "since the last hand, not the last change"
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob")
    assert see(play).changes, "it can be looked up until a hand has been counted"


def test_nothing_has_changed_where_the_old_rules_are_back_or_a_hand_was_counted() -> None:
    play = sat(ann=50, bob=50)
    first = play.table.rules
    change(play, str(first.but({"foul_points": "3"})))
    assert changes(see(play).changes) == {"foul_points": (first.values["foul_points"], "3")}
    change(play, str(first))
    assert see(play).changes == ()
    change(play, str(first.but({"foul_points": "3"})))
    play.scored(ann="plain", bob="plain")
    assert see(play).changes == ()


@pytest.mark.parametrize("one", RULE_SETS)
@pytest.mark.parametrize("other", RULE_SETS)
def test_changes_are_all_that_differs_and_nothing_else(one: str, other: str) -> None:
    old, new = RULE_SETS[one], RULE_SETS[other]
    found = changes(rule_changes(old, new))
    before, after = ({"base": rules.base, **rules.values} for rules in (old, new))
    assert {**before, **{rule: text for rule, (_, text) in found.items()}} == after
    assert all(was == before[rule] != now for rule, (was, now) in found.items())


def test_everybody_is_asked_anew_when_the_rules_have_changed() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", always=True)
    play.now += 5_000
    change(play, "room seats=2-3 fantasyland=off")
    assert play.table.ready_by is None
    assert not any(seat.ready or seat.always_ready for _, seat in play.table.seated)
    assert {seat.held_since for _, seat in play.table.seated} == {play.now, play.now - 5_000}
    play.ready("ann", "bob", "cyd")
    assert play.table.laying


def test_who_sits_out_goes_on_sitting_out() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ask(SitOut(player="cyd"))
    change(play, "room")
    assert play.seat("cyd").sitting_out


def test_the_same_rules_are_no_change() -> None:
    play = seated()
    play.ready("ann")
    assert play.ask(ChangeRules(player="ann", rules=THREE)) == ()
    assert play.seat("ann").ready


@pytest.mark.parametrize(("rules", "places"), [("room seats=2-2", 2), ("club fantasyland=off", 4)])
def test_places_come_and_go_with_the_rules(rules: str, places: int) -> None:
    play = seated()
    change(play, rules)
    assert len(play.table.seats) == places
    assert [seat.player for _, seat in play.table.seated] == ["ann", "bob"]
    play.ready("ann", "bob")
    assert play.table.laying


def test_a_button_whose_place_is_gone_moves_on() -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.finish()
    play.lot = 0
    while play.table.button != 2:
        play.ready("ann", "bob", "cyd")
        play.finish()
    play.leave("cyd")
    change(play, "room fantasyland=off seats=2-2")
    play.ready("ann", "bob")
    assert play.table.button == 0


def test_another_bank_is_given_to_all_and_the_same_is_not_filled_up() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.leave("cyd")
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob")
    play.now += 70_000
    play.finish()
    spent = {player: play.seat(player).clock.bank_ms for player in ("ann", "bob")}
    assert min(spent.values()) < 20_000
    change(play, "room bank_seconds=20 hand_seconds=45")
    assert {player: play.seat(player).clock.bank_ms for player in ("ann", "bob")} == spent
    change(play, "room bank_seconds=50")
    assert {seat.clock.bank_ms for _, seat in play.table.seated} == {50_000}
    play.sit("cyd")
    assert play.seat("cyd").clock.bank_ms == 50_000


def test_what_was_won_keeps_the_price_it_had() -> None:
    play = sat(ROOM.but({"point_price": "1000"}), ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    first = play.seat("ann").stack - 50
    assert first != 0
    change(play, "room buy_in=5-100 point_price=10")
    play.scored(ann="plain", bob="plain")
    second = play.seat("ann").stack - 50 - first
    ann, bob, _ = see(play).seats
    assert ann
    assert bob
    assert (ann.total, ann.money) == (first + second, 1000 * first + 10 * second)
    assert bob.money == -ann.money
    play.leave("bob")
    change(play, "room buy_in=5-100 point_price=0")
    gone = see(play).gone
    assert [(side.name, side.total, side.money) for side in gone] == [("Bob", -ann.total, -ann.money)]
    play.sit("bob")
    assert play.seat("bob").money == -ann.money


def test_who_is_even_in_points_and_not_in_money_stays_in_the_account() -> None:
    rules = ROOM.but({"point_price": "1000", "fantasyland": "off"})
    play = sat(rules, ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    won = play.seat("bob").stack - 50
    assert won != 0
    play.ask(ChangeRules(player="ann", rules=rules.but({"point_price": "10"})))
    play.scored(ann=BOARDS["bob"]["plain"], bob=BOARDS["ann"]["plain"])
    play.leave("bob")
    assert [(side.total, side.money) for side in see(play).gone] == [(0, 990 * won)]


def test_a_bot_that_is_broke_by_the_new_rules_brings_chips() -> None:
    rules = ROOM.but({"settlement_cap": "none", "fantasyland": "off"})
    play = sat(rules)
    play.sit("ann", "bot:0", buy_in=5)
    play.scored(**{"ann": "in", "bot:0": BOARDS["bob"]["dead"]})
    assert play.seat("bot:0").stack < 0
    before = play.seat("bot:0").stack - play.seat("bot:0").brought
    events = play.ask(ChangeRules(player="ann", rules=rules.but({"settlement_cap": "both"})))
    assert kinds(events) == [RulesChanged, ToppedUp]
    bot = play.seat("bot:0")
    assert (bot.stack, bot.stack - bot.brought) == (5, before)


# -- the list of open tables


def test_a_table_is_shown_among_the_open_tables_or_not() -> None:
    play = seated()
    assert not see(play).public
    assert play.ask(Publish(player="ann", on=False)) == ()
    assert play.ask(Publish(player="ann", on=True)) == (Published(at=play.now, on=True),)
    assert see(play).public
    play.ask(Publish(player="ann", on=False))
    assert not see(play).public
    assert [notice.what for notice in play.table.notices] == ["public", "private"]


def test_a_table_may_be_opened_in_public() -> None:
    opened = decide(None, Open(table="t1", name="Friday", host="ann", rules=ROOM, public=True), now=5)
    assert opened == (Opened(at=5, table="t1", name="Friday", host="ann", rules=ROOM, public=True),)
    table = evolve(None, opened[0])
    assert table.public
    assert table.notices == ()


# -- what everybody is told


def test_only_the_last_notices_are_remembered_and_each_has_its_number() -> None:
    play = seated()
    for turn in range(NOTICES + 2):
        play.ask(Publish(player="ann", on=turn % 2 == 0))
    view = see(play, "dee")
    assert [notice.number for notice in view.notices] == list(range(3, NOTICES + 3))
    play.stop()
    play.resume()
    assert [(notice.number, notice.what) for notice in see(play).notices[-2:]] == [
        (NOTICES + 3, "break"),
        (NOTICES + 4, "break-over"),
    ]


def test_everybody_notices_what_the_host_does() -> None:
    play = laying()
    for events in (play.stop(), play.resume(), play.ask(PassHost(player="ann", seat=1))):
        assert who_notices(play.table, events) is None


# -- why somebody sits out


def asked_to() -> Play:
    play = seated()
    play.ask(SitOut(player="bob"))
    return play


def not_ready() -> Play:
    play = Play(THREE, "ann cyd bob")
    play.ready("ann", "cyd")
    play.time_out()
    return play


def absent() -> Play:
    play = laying()
    play.disconnect("bob")
    play.time_out()
    play.finish()
    return play


def idle() -> Play:
    play = seated()
    for _ in range(2):
        play.ready("ann", "bob")
        while play.table.laying:
            if "bob" in play.acting:
                play.time_out()
            else:
                play.confirm()
    return play


@pytest.mark.parametrize(
    ("position", "why"), [(asked_to, "asked"), (not_ready, "not-ready"), (absent, "absent"), (idle, "idle")]
)
def test_who_sits_out_is_told_why(position: Callable[[], Play], why: str) -> None:
    play = position()
    assert [event.reason for event in play.log if isinstance(event, SatOut)] == [why]
    number = play.table.seat_of("bob")
    assert number is not None
    seat = see(play, "bob").seats[number]
    assert seat
    assert (seat.sitting_out, seat.aside) == (True, why)
    play.ask(Return(player="bob"))
    seat = see(play, "bob").seats[number]
    assert seat
    assert (seat.sitting_out, seat.aside) == (False, None)
