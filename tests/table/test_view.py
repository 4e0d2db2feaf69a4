from __future__ import annotations

from collections.abc import Callable

import pytest

from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.table.commands import Ready, Sit
from ananas.table.view import Live, TableView, view_table
from tests.table.play import Play, unfinished

RULES = RuleSet(seats=3, hand_seconds=60, ready_seconds=30, showdown_seconds=8)


def see(play: Play, viewer: str | None, live: Live | None = None) -> TableView:
    return view_table(play.table, viewer, play.now, live or Live())


def waiting() -> Play:
    return Play(RULES, "ann bob")


def laying() -> Play:
    play = waiting()
    play.ready("ann", "bob")
    return play


def spent() -> Play:
    play = laying()
    play.now += 60_000
    return play


def leaving() -> Play:
    play = laying()
    play.leave("bob")
    return play


def full() -> Play:
    play = waiting()
    play.sit("cyd")
    return play


def sitting_out() -> Play:
    play = full()
    play.ready("ann", "bob")
    play.time_out()
    return play


def one_ready() -> Play:
    play = waiting()
    play.ready("ann")
    return play


MAY: list[tuple[Callable[[], Play], str | None, str]] = [
    (waiting, None, ""),
    (waiting, "dee", "sit"),
    (waiting, "ann", "leave ready"),
    (full, "dee", ""),
    (one_ready, "ann", "leave"),
    (laying, "dee", "sit"),
    (laying, "ann", "leave"),
    (laying, "bob", "leave confirm draft"),
    (spent, "bob", "leave"),
    (leaving, "bob", "return confirm draft"),
    (sitting_out, "cyd", "leave return"),
]


@pytest.mark.parametrize(("position", "viewer", "actions"), MAY)
def test_what_a_viewer_may_do(position: Callable[[], Play], viewer: str | None, actions: str) -> None:
    assert " ".join(see(position(), viewer).may) == actions


def test_a_table_before_its_first_hand() -> None:
    view = see(Play(RULES, "ann bot:0"), "ann", Live(connected=frozenset({"ann"}), spectators=3))
    assert (view.you, view.phase, view.hands, view.hand) == (0, "waiting", 0, None)
    assert (view.ready_ms, view.showdown_ms, view.spectators) == (None, None, 3)
    ann, kiwi, free = view.seats
    assert ann
    assert kiwi
    assert (ann.name, ann.host, ann.bot, ann.connected) == ("Ann", True, False, True)
    assert (kiwi.name, kiwi.host, kiwi.bot, kiwi.connected) == ("Kiwi", False, True, True)
    assert free is None


def test_who_has_closed_the_table_is_not_connected() -> None:
    view = see(waiting(), None)
    assert [seat and seat.connected for seat in view.seats] == [False, False, None]


def test_clocks_tell_what_is_left_and_whose_runs() -> None:
    play = laying()
    play.now += 7000
    clocks = [seat.clock for seat in see(play, "ann").seats if seat]
    assert [clock and (clock.left_ms, clock.total_ms, clock.running) for clock in clocks] == [
        (60_000, 60_000, False),
        (53_000, 60_000, True),
    ]
    play.finish()
    assert [seat.clock for seat in see(play, "ann").seats if seat] == [None, None]
    late = spent()
    late.now += 1000
    assert [seat.clock and seat.clock.left_ms for seat in see(late, "ann").seats if seat] == [60_000, 0]


def test_what_is_waited_for_is_told_from_now_and_never_below_zero() -> None:
    play = full()
    play.ready("ann", "bob")
    play.now += 10_000
    assert see(play, "cyd").ready_ms == 20_000
    play.now += 60_000
    assert see(play, "cyd").ready_ms == 0
    shown = laying()
    shown.finish()
    shown.now += 3000
    assert see(shown, None).showdown_ms == 5000
    shown.now += 30_000
    assert see(shown, None).showdown_ms == 0


def test_winning_and_losing_shows_as_stack_and_total() -> None:
    play = laying()
    play.finish()
    assert play.hand.reckoning is not None
    won = {result.seat: result.points for result in play.hand.reckoning.players}
    assert won[0] != 0
    assert [(seat.stack, seat.total) for seat in see(play, None).seats if seat] == [
        (50 + won[0], won[0]),
        (50 + won[1], won[1]),
    ]


def test_the_last_hand_stays_to_be_looked_at_until_the_next_is_dealt() -> None:
    play = laying()
    play.finish()
    view = see(play, None)
    assert (view.phase, view.hands) == ("waiting", 1)
    assert view.hand is not None
    assert view.hand.number == 1
    assert view.hand.reckoning is not None
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=2, always=False))
    view = see(play, None)
    assert (view.phase, view.hands) == ("waiting", 2)
    assert view.hand is not None
    assert view.hand.number == 1
    play.deal_if_owed()
    view = see(play, None)
    assert (view.phase, view.hands) == ("laying", 2)
    assert view.hand is not None
    assert (view.hand.number, view.hand.reckoning) == (2, None)


def test_a_draft_is_seen_by_all_on_the_first_street_and_by_its_owner_on_the_others() -> None:
    play = laying()
    for street in range(1, 6):
        draft = unfinished(play.hand, 5)
        assert draft.laid
        seen = {viewer: see(play, viewer, Live(drafts={1: draft})).hand for viewer in ("bob", "ann", None)}
        drafts = [hand.players[0].draft for hand in seen.values() if hand]
        assert drafts == [str(draft)] + ([str(draft)] * 2 if street == 1 else [None] * 2)
        play.confirm()
        play.confirm()


def test_who_takes_the_seat_of_a_player_does_not_see_his_discards() -> None:
    play = laying()
    play.finish()
    shown = discards(play, "bob")
    assert [len(cards) for cards in shown] == [4, 0]
    assert [len(cards) for cards in discards(play, "ann")] == [0, 4]
    play.leave("bob")
    play.sit("cyd", "bob")
    assert (play.table.seat_of("cyd"), play.table.seat_of("bob")) == (1, 2)
    for viewer in ("cyd", "bob", "dee", None):
        assert discards(play, viewer) == [(), ()]
    play.leave("cyd", "bob")
    play.ask(Sit(player="bob", name="Bob", seat=1))
    assert discards(play, "bob") == shown


def discards(play: Play, viewer: str | None) -> list[tuple[Card, ...]]:
    hand = see(play, viewer).hand
    assert hand is not None
    return [player.discards for player in hand.players]


def test_whoever_was_dealt_in_keeps_his_name_at_the_showdown() -> None:
    play = laying()
    play.finish()
    before = see(play, "ann")
    play.leave("bob")
    play.sit("cyd", "dee")
    after = see(play, "ann")
    assert after.names == before.names
    assert sorted(after.names) == ["Ann", "Bob"]
