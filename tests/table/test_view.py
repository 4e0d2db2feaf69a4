from __future__ import annotations

from collections.abc import Callable

import pytest

import ananas.table.view
from ananas.game.cards import Card
from ananas.table.commands import GoOn, Ready, Sit, Waive
from ananas.table.state import Table
from ananas.table.view import Live, TableView, view_table
from tests.table.play import Play, unfinished
from tests.table.positions import ROOM as MATCHES
from tests.table.positions import THREE as RULES
from tests.table.positions import busted, pause, sat


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


def gone_on() -> Play:
    play = pause()
    play.go_on("ann")
    return play


def two_rights() -> Play:
    play = sat(ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="in", cyd="plain")
    return play


def declined() -> Play:
    play = busted()
    play.go_on("bob")
    return play


def played_without() -> Play:
    play = declined()
    play.go_on("ann", "cyd")
    return play


def broke() -> Play:
    play = sat(MATCHES.but({"fantasyland": "off"}), ann=50, bob=5)
    play.scored(ann="in", bob="dead")
    return play


def rich() -> Play:
    play = sat(MATCHES.but({"fantasyland": "off"}), ann=100, bob=50)
    play.scored(ann="in", bob="dead")
    return play


def closed() -> Play:
    play = sat(ann=50, bob=50)
    play.scored(ann="in", bob="plain")
    play.go_on("ann", "bob")
    return play


def closed_done() -> Play:
    play = closed()
    play.confirm(player="ann")
    return play


MAY: list[tuple[Callable[[], Play], str | None, str]] = [
    (waiting, None, ""),
    (waiting, "dee", "sit"),
    (waiting, "ann", "leave sit-out ready top-up"),
    (full, "dee", ""),
    (one_ready, "ann", "leave sit-out top-up"),
    (laying, "dee", "sit"),
    (laying, "ann", "leave"),
    (laying, "bob", "leave confirm draft"),
    (spent, "bob", "leave"),
    (leaving, "bob", "return confirm draft"),
    (sitting_out, "cyd", "leave return top-up"),
    (sitting_out, "bob", "leave confirm draft"),
    (pause, "ann", "leave go-on waive"),
    (pause, "bob", "leave go-on"),
    (pause, "dee", "leave sit-out top-up"),
    (pause, "eve", ""),
    (gone_on, "ann", "leave waive"),
    (two_rights, "ann", "leave go-on"),
    (busted, "bob", "leave top-up go-on"),
    (busted, "ann", "leave go-on waive"),
    (declined, "bob", "leave"),
    (played_without, "bob", "leave sit-out top-up"),
    (broke, "bob", "leave sit-out top-up"),
    (rich, "ann", "leave sit-out ready"),
    (closed, "ann", "leave confirm draft"),
    (closed, "bob", "leave confirm draft"),
    (closed_done, "ann", "leave"),
]


def among_bots(*players: str) -> Play:
    """A hand in which Ann has cards to lay, at a table with these players."""
    play = Play(RULES, " ".join(("ann", *players)))
    play.ready("ann", *(player for player in players if play.seat(player).ready is False))
    while "ann" not in play.acting:
        play.confirm()
    return play


def hinted(play: Play, viewer: str) -> bool:
    return "hint" in see(play, viewer).may


def hints_are_for_those_alone_with_bots() -> None:
    play = among_bots("bot:0", "bot:1")
    assert hinted(play, "ann")
    assert not hinted(play, "eve")
    play.stop()
    assert not hinted(play, "ann")
    play.resume()
    play.confirm(player="ann")
    assert not hinted(play, "ann")  # nothing to lay
    assert not hinted(play, "bot:0") or play.acting == ("bot:0",)
    play = among_bots("bot:0")
    assert hinted(play, "ann")
    play.sit("bob")  # he only looks on until the match is over, and may be asked for his opinion
    assert not hinted(play, "ann")
    play.leave("bob")
    assert hinted(play, "ann")
    for with_people in (("bob",), ("bob", "bot:0")):
        play = among_bots(*with_people)
        assert "confirm" in see(play, "ann").may
        assert not hinted(play, "ann")
        play.disconnect("bob")
        assert not hinted(play, "ann")  # whoever is away still plays


def test_a_hint_is_for_those_alone_with_bots_and_with_cards_to_lay() -> None:
    hints_are_for_those_alone_with_bots()


def always(_table: Table, _number: int) -> bool:
    return True


def with_any_bot(table: Table, number: int) -> bool:
    return any(seat.bot for place, seat in table.seated if place != number)


def while_people_are_away(table: Table, number: int) -> bool:
    return all(seat.bot or not seat.connected for place, seat in table.seated if place != number)


def in_a_hand_of_bots(table: Table, _number: int) -> bool:
    return "bob" not in table.players


@pytest.mark.parametrize("fault", [always, with_any_bot, while_people_are_away, in_a_hand_of_bots])
def test_hints_in_play_with_people_are_caught(
    fault: Callable[[Table, int], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ananas.table.view, "_among_bots", fault)
    with pytest.raises(AssertionError):
        hints_are_for_those_alone_with_bots()


HOSTING = ("break", "remove", "seat-bot", "pass-host", "change-rules", "publish")


@pytest.mark.parametrize(("position", "viewer", "actions"), MAY)
def test_what_a_viewer_may_do(position: Callable[[], Play], viewer: str | None, actions: str) -> None:
    play = position()
    view = see(play, viewer)
    assert " ".join(action for action in view.may if action not in {"always", "say", *HOSTING}) == actions
    seat = None if view.you is None else view.seats[view.you]
    assert ("always" in view.may) == (seat is not None and not seat.sitting_out)
    assert ("say" in view.may) == (seat is not None)
    play.stop()
    stopped = see(play, viewer)
    assert [action for action in view.may if action not in {"confirm", "draft"}] == list(stopped.may)


def lonely() -> Play:
    return Play(RULES, "ann")


def with_bot() -> Play:
    return Play(RULES, "ann bot:0")


def bob_away() -> Play:
    play = waiting()
    play.disconnect("bob")
    return play


def host_left() -> Play:
    play = Play(RULES, "ann bot:0")
    play.leave("ann")
    return play


def on_break_without_host() -> Play:
    play = host_left()
    play.stop()
    play.sit("bob")
    return play


def on_break_host_away() -> Play:
    play = waiting()
    play.stop()
    play.disconnect("ann")
    return play


HOSTED: list[tuple[Callable[[], Play], str, str]] = [
    (lonely, "ann", "break seat-bot change-rules publish"),
    (with_bot, "ann", "break remove seat-bot change-rules publish"),
    (with_bot, "bot:0", ""),
    (waiting, "ann", "break seat-bot pass-host change-rules publish"),
    (waiting, "bob", ""),
    (waiting, "dee", ""),
    (bob_away, "ann", "break remove seat-bot pass-host change-rules publish"),
    (full, "ann", "break pass-host change-rules publish"),
    (laying, "ann", "break seat-bot pass-host publish"),
    (sitting_out, "ann", "break remove pass-host publish"),
    (pause, "ann", "break pass-host publish"),
    (host_left, "ann", "break remove seat-bot change-rules publish"),
    (on_break_without_host, "ann", "break remove seat-bot pass-host change-rules publish"),
    (on_break_without_host, "bob", "break"),
    (on_break_without_host, "dee", ""),
    (on_break_host_away, "bob", "break"),
    (on_break_host_away, "ann", "break seat-bot pass-host change-rules publish"),
]


@pytest.mark.parametrize(("position", "viewer", "actions"), HOSTED)
def test_what_the_host_may_do(position: Callable[[], Play], viewer: str, actions: str) -> None:
    assert " ".join(action for action in see(position(), viewer).may if action in HOSTING) == actions


def test_nobody_in_particular_may_nothing_even_at_a_table_on_a_break() -> None:
    assert see(on_break_without_host(), None).may == ()


def test_a_bot_has_nothing_to_say() -> None:
    assert "say" not in see(with_bot(), "bot:0").may


def test_who_has_left_stays_in_the_account() -> None:
    play = rich()
    before = {seat.name: seat.total for seat in see(play, "ann").seats if seat}
    play.leave("bob")
    view = see(play, None)
    assert [(gone.name, gone.total) for gone in view.gone] == [("Bob", before["Bob"])]
    assert sum(seat.total for seat in view.seats if seat) + sum(gone.total for gone in view.gone) == 0
    play.sit("bob")
    assert see(play, None).gone == ()


def test_a_table_before_its_first_hand() -> None:
    view = see(Play(RULES, "ann bot:0"), "ann", Live(spectators=3))
    assert (view.you, view.phase, view.hands, view.hand) == (0, "waiting", 0, None)
    assert (view.ready_ms, view.showdown_ms, view.spectators) == (None, None, 3)
    ann, kiwi, free = view.seats
    assert ann
    assert kiwi
    assert (ann.name, ann.host, ann.bot, ann.connected) == ("Ann", True, False, True)
    assert (kiwi.name, kiwi.host, kiwi.bot, kiwi.connected) == ("Kiwi", False, True, True)
    assert free is None


def test_who_has_closed_the_table_is_not_connected() -> None:
    play = waiting()
    play.disconnect("bob")
    assert [seat and seat.connected for seat in see(play, None).seats] == [True, False, None]


def test_clocks_tell_what_is_left_and_whose_runs() -> None:
    play = laying()
    play.now += 7000
    clocks = [seat.clock for seat in see(play, "ann").seats if seat]
    assert [clock and (clock.hand_ms, clock.hand_total_ms, clock.running) for clock in clocks] == [
        (60_000, 60_000, False),
        (53_000, 60_000, True),
    ]
    play.finish()
    assert [seat.clock for seat in see(play, "ann").seats if seat] == [None, None]
    late = spent()
    late.now += 1000
    assert [seat.clock and seat.clock.hand_ms for seat in see(late, "ann").seats if seat] == [60_000, 0]


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


def test_a_bank_is_told_beside_the_budget_and_runs_first_for_who_is_away() -> None:
    play = sat(ann=50, bob=50)
    play.ready("ann", "bob")
    play.disconnect("bob")
    play.now += 5000
    bob = see(play, None).seats[1]
    assert bob
    assert bob.clock
    assert (bob.clock.hand_ms, bob.clock.bank_ms, bob.clock.bank_total_ms) == (60_000, 15_000, 20_000)
    assert (bob.connected, bob.absent) == (False, False)
    play.time_out()
    bob = see(play, None).seats[1]
    assert bob
    assert bob.absent


def test_the_phases_of_a_match() -> None:
    play = sat(ann=50, bob=50)
    phases = [see(play, None).phase]
    play.next(ann="in", bob="plain")
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    phases.append(see(play, None).phase)
    play.deal_if_owed()
    phases.append(see(play, None).phase)
    play.finish()
    phases.append(see(play, None).phase)
    for player in ("ann", "bob"):
        play.ask(GoOn(player=player, hand=1))
    phases.append(see(play, None).phase)
    play.next(ann="plain", bob="plain")
    play.deal_if_owed()
    phases.append(see(play, None).phase)
    play.finish()
    phases.append(see(play, None).phase)
    assert phases == ["waiting", "waiting", "laying", "pause", "pause", "laying", "waiting"]


def test_a_match_is_told_with_its_circle_and_what_each_has_won() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    assert see(play, None).match is None
    play.scored(ann="in", bob="plain", cyd="plain")
    match = see(play, None).match
    assert match
    assert (match.number, match.hand, match.over, match.circle_match, match.circle_size) == (1, 1, False, 1, 3)
    assert [(player.name, player.won) for player in match.players] == [("Ann", 23), ("Bob", 1), ("Cyd", -24)]
    assert [seat and seat.fantasyland for seat in see(play, None).seats] == [14, 0, 0]
    play.ask(Waive(player="ann"))
    match = see(play, None).match
    assert match
    assert (match.over, match.lapsed) == (True, "waived")
    assert [seat and seat.fantasyland for seat in see(play, None).seats] == [0, 0, 0]


def test_what_is_laid_face_down_is_seen_by_its_owner_alone_until_the_showdown() -> None:
    play = closed_done()
    for viewer, own in (("ann", 0), ("bob", 1), ("cyd", None), (None, None)):
        hand = see(play, viewer).hand
        assert hand
        assert hand.closed
        assert [player.seat for player in hand.players if not player.hidden] == ([] if own is None else [own])
        assert [player.done for player in hand.players] == [True, False]
    play.finish()
    hand = see(play, None).hand
    assert hand
    assert not any(player.hidden for player in hand.players)
    assert all(player.board.full for player in hand.players)


def test_several_drafts_are_each_shown_to_their_owner() -> None:
    play = closed()
    drafts = {seat: unfinished(play.hand, 3, turn) for turn, seat in enumerate(play.hand.seats)}
    for viewer in ("ann", "bob", None):
        view = see(play, viewer, Live(drafts=drafts))
        assert view.hand
        assert [player.draft for player in view.hand.players] == [
            str(drafts[player.seat]) if player.seat == view.you else None for player in view.hand.players
        ]
