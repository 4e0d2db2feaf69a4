"""From hand to hand: matches, Fantasyland in every rule set, circles, the button, and what ends a match."""

from __future__ import annotations

import pytest

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.table.commands import Connect, Disconnect, GoOn, TimeOut, Waive
from ananas.table.events import (
    AnyEvent,
    Disconnected,
    HandCalled,
    HandDealt,
    HandScored,
    HostPassed,
    Left,
    RightsLapsed,
    ShowdownEnded,
    WentOn,
)
from tests.table.play import BOARDS, Play
from tests.table.positions import CLUB, ROOM, pause, sat


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def goes_on(play: Play, **boards: str) -> None:
    """Play the next hand of the match, everybody going on at once."""
    play.next(**boards)
    play.go_on(*(player for player in boards if play.table.pausing))
    play.finish()


def dealt(play: Play) -> HandDealt:
    return next(event for event in reversed(play.log) if isinstance(event, HandDealt))


# -- a match


def test_a_hand_that_brings_nobody_fantasyland_is_the_whole_match() -> None:
    play = sat(ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    assert not play.table.in_match
    assert (play.table.rights, play.table.showdown_until) == ({}, play.now + 8000)
    play.scored(ann="plain", bob="plain")
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.hands, play.table.match.circle_match) == (2, 1, 2)


def test_a_match_counts_the_chips_of_all_its_hands() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    goes_on(play, ann="plain", bob="plain", cyd="plain")
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.hands, play.table.in_match) == (1, 2, False)
    assert play.table.match.won == tuple(seat.stack - 50 for _, seat in play.table.seated)


def test_the_next_hand_of_a_match_comes_when_the_showdown_is_over() -> None:
    play = pause()
    assert play.ask(TimeOut()) == ()
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
    assert dealt(play).fantasyland == (0, 13, 0)
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.hands) == (1, 2)


def test_it_comes_sooner_when_all_who_are_there_go_on() -> None:
    play = pause()
    assert kinds(play.ask(GoOn(player="ann", hand=1))) == [WentOn]
    assert kinds(play.ask(GoOn(player="bob", hand=1))) == [WentOn]
    assert kinds(play.ask(Disconnect(player="cyd"))) == [Disconnected, HandCalled]


def test_it_does_not_come_sooner_where_nobody_goes_on_since_nobody_is_there() -> None:
    play = pause()
    for player in ("ann", "bob", "cyd"):
        assert kinds(play.ask(Disconnect(player=player))) == [Disconnected]
    assert play.ask(TimeOut()) == ()
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]


def test_it_does_not_come_sooner_where_those_who_went_on_have_gone() -> None:
    play = pause()
    play.go_on("ann", "bob")
    play.disconnect("ann", "bob", "cyd")
    assert play.table.pausing
    assert HandCalled in kinds(play.time_out())


def test_bots_do_not_look_at_a_showdown() -> None:
    play = Play(ROOM)
    play.sit("ann", "bot:0", buy_in=50)
    play.scored(**{"ann": "in", "bot:0": BOARDS["bob"]["plain"]})
    assert kinds(play.ask(GoOn(player="ann", hand=1))) == [WentOn, HandCalled]


def test_nobody_is_asked_to_be_ready_inside_a_match_and_nobody_joins_it() -> None:
    play = pause()
    goes_on(play, ann="stays", bob="plain", cyd="plain")
    assert play.hand.seats == (2, 0, 1)
    assert play.table.pausing
    goes_on(play, ann="plain", bob="plain", cyd="plain")
    assert not play.table.in_match
    play.ready("ann", "bob", "cyd")
    assert not play.table.busy
    play.ready("dee")
    assert len(play.table.dealt_in) == 4


def test_always_ready_answers_when_the_showdown_of_the_last_hand_is_over() -> None:
    play = sat(ann=50, bob=50)
    play.next(ann="in", bob="plain")
    play.ready("ann", "bob", always=True)
    play.finish()
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
    play.next(ann="plain", bob="plain")
    play.finish()
    assert play.table.match is not None
    assert not play.table.in_match
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]
    assert play.table.match.number == 2


def test_always_ready_does_not_answer_for_one_who_is_away() -> None:
    play = sat(ann=50, bob=50)
    play.next(ann="plain", bob="plain")
    play.ready("ann", "bob", always=True)
    play.finish()
    play.disconnect("bob")
    assert kinds(play.time_out()) == [ShowdownEnded]
    assert (play.seat("ann").ready, play.seat("bob").ready) == (True, False)
    play.connect("bob")
    play.ready("bob")
    assert play.table.busy


# -- who gets Fantasyland, by the rules of the table


FANTASYLAND = [
    # rules, boards of the base hand, then by name: cards in hand 2, who acts at first, whether it is all closed
    ("room", {"ann": "in", "bob": "plain", "cyd": "plain"}, {"ann": 14}, "cyd", False),
    ("room", {"ann": "plain", "bob": "in", "cyd": "plain"}, {"bob": 14}, "cyd", False),
    ("room", {"ann": "in", "bob": "in", "cyd": "plain"}, {"ann": 14, "bob": 14}, "cyd ann bob", True),
    ("room", {"ann": "in", "bob": "in", "cyd": "in"}, {"ann": 14, "bob": 14, "cyd": 14}, "cyd ann bob", True),
    ("room", {"ann": "in", "bob": "plain"}, {"ann": 14}, "ann bob", True),
    ("room", {"ann": "in", "bob": "in"}, {"ann": 14, "bob": 14}, "ann bob", True),
    ("room", {"ann": "dead", "bob": "in"}, {"bob": 14}, "ann bob", True),
    ("progressive", {"ann": "in", "bob": "plain", "cyd": "plain"}, {"ann": 14}, "cyd", False),
    ("progressive", {"ann": "in", "bob": "in", "cyd": "in"}, {"ann": 14, "bob": 16, "cyd": 15}, "cyd ann bob", True),
    ("progressive", {"ann": "plain", "bob": "plain", "cyd": "stays"}, {"cyd": 17}, "ann", False),
    ("club", {"ann": "in", "bob": "plain", "cyd": "plain", "dee": "plain"}, {"ann": 13}, "bob ann", False),
    ("club", {"ann": "plain", "bob": "plain", "cyd": "plain", "dee": "in"}, {"dee": 13}, "bob dee", False),
    (
        "club",
        {"ann": "in", "bob": "in", "cyd": "in", "dee": "plain"},
        {"ann": 13, "bob": 13, "cyd": 13},
        "bob cyd dee ann",
        False,
    ),
    ("club", {"ann": "in", "bob": "plain"}, {"ann": 13}, "bob ann", False),
    ("club", {"ann": "in", "bob": "in"}, {"ann": 13, "bob": 13}, "bob ann", True),
    ("club-pineapple", {"ann": "plain", "bob": "in", "cyd": "plain"}, {"bob": 13}, "bob cyd", False),
]


@pytest.mark.parametrize(("name", "boards", "cards", "first", "closed"), FANTASYLAND)
def test_who_gets_fantasyland_and_when_he_lays_it(
    name: str, boards: dict[str, str], cards: dict[str, int], first: str, closed: bool
) -> None:
    play = sat(RULE_SETS[name].but({"buy_in": "90-100"}), **dict.fromkeys(boards, 90))
    play.scored(**boards)
    play.go_on(*boards)
    names = dict(zip(play.table.players, play.hand.fantasyland, strict=True))
    assert {player: count for player, count in names.items() if count} == cards
    assert set(play.acting) == set(first.split())
    assert play.hand.closed == closed


def test_after_the_others_means_when_the_last_of_them_is_done() -> None:
    play = sat(ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    laid: list[str] = []
    while play.table.laying:
        assert len(play.acting) == 1
        laid.append(play.acting[0])
        play.as_planned()
    assert laid == ["cyd", "bob"] * 5 + ["ann"]


def test_from_the_start_means_beside_the_others() -> None:
    play = sat(CLUB, ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    play.next(ann="plain", bob="plain", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    for _ in range(4):
        assert play.acting == ("bob", "ann")
        play.as_planned("bob")
        assert play.acting == ("cyd", "ann")
        play.as_planned("cyd")
    play.as_planned("ann")
    assert play.acting == ("bob",)


STAYS = [
    # rules, then for each hand of the match: who gets Fantasyland next
    ("room", [("in", "plain"), ("stays", "plain"), ("stays", "plain"), ("plain", "plain")], ["ann", "ann", "ann", ""]),
    ("club", [("in", "plain"), ("stays", "plain"), ("stays", "plain")], ["ann", "ann", ""]),
    ("club fantasyland_repeats=0", [("in", "plain"), ("stays", "plain")], ["ann", ""]),
    ("club fantasyland_repeats=2", [("in", "plain")] + [("stays", "plain")] * 3, ["ann", "ann", "ann", ""]),
    # queens on top keep nobody there
    ("room", [("in", "plain"), ("in", "plain")], ["ann", ""]),
    # who gets in during another's Fantasyland has it, and the match goes on
    ("room", [("in", "plain"), ("plain", "in"), ("plain", "plain")], ["ann", "bob", ""]),
    # after a stay too many one gets in again from an ordinary hand of the same match
    ("club", [("in", "plain"), ("stays", "in"), ("stays", "stays"), ("in", "stays")], ["ann", "ann bob", "bob", "ann"]),
    # nobody stays, or gets in, with a dead board
    ("room", [("in", "plain"), ("dead", "plain")], ["ann", ""]),
]


@pytest.mark.parametrize(("rules", "hands", "rights"), STAYS)
def test_who_stays_and_how_often(rules: str, hands: list[tuple[str, str]], rights: list[str]) -> None:
    play = sat(RuleSet.parse(rules).but({"buy_in": "900-1000"}), ann=900, bob=900)
    for number, ((ann, bob), names) in enumerate(zip(hands, rights, strict=True)):
        if number:
            goes_on(play, ann=ann, bob=bob)
        else:
            play.scored(ann=ann, bob=bob)
        holders = [seat.player for place, seat in play.table.seated if place in play.table.rights]
        assert holders == names.split(), f"after hand {number + 1}"
    assert play.table.match is not None
    assert play.table.match.hands == len(hands)


# -- the button


@pytest.mark.parametrize(
    ("rules", "boards", "buttons"),
    [
        ("room", ["in", "stays", "plain", "plain", "plain"], [0, 1, 2, 0, 1]),
        ("club", ["in", "stays", "plain", "plain", "plain"], [0, 0, 0, 1, 2]),
        ("room button_in_fantasyland=stays", ["in", "plain", "in", "plain", "plain"], [0, 0, 1, 1, 2]),
    ],
)
def test_the_button_moves_every_hand_or_once_a_match(rules: str, boards: list[str], buttons: list[int]) -> None:
    play = sat(RuleSet.parse(rules).but({"buy_in": "900-1000"}), ann=900, bob=900, cyd=900)
    seen: list[int | None] = []
    for board in boards:
        if play.table.pausing:
            goes_on(play, ann=board, bob="plain", cyd="plain")
        else:
            play.scored(ann=board, bob="plain", cyd="plain")
        seen.append(play.table.button)
    assert seen == buttons


@pytest.mark.parametrize("rules", ["room", "room button_in_fantasyland=stays"])
def test_a_button_whose_holder_is_broke_goes_to_the_next_one(rules: str) -> None:
    play = Play(RuleSet.parse(rules).but({"buy_in": "5-100"}), lot=1)
    for player, chips in (("ann", 50), ("bob", 5), ("cyd", 50)):
        play.sit(player, buy_in=chips)
    play.scored(ann="in", bob="dead", cyd="plain")
    assert (play.table.button, play.seat("bob").stack) == (1, 0)
    play.go_on("ann", "bob", "cyd")
    assert (play.hand.seats, play.table.button) == ((0, 2), 2)


def test_a_button_stays_with_one_who_is_still_there() -> None:
    play = sat(CLUB, ann=50, bob=5, cyd=50)
    play.scored(ann="in", bob="dead", cyd="plain")
    play.go_on("ann", "bob", "cyd")
    assert play.hand.seats == (2, 0)


# -- circles


def test_a_circle_has_as_many_matches_as_players_whatever_the_button_does() -> None:
    for players in (["ann", "bob"], ["ann", "bob", "cyd"]):
        play = sat(RULE_SETS["club"].but({"buy_in": "900-1000"}), **dict.fromkeys(players, 900))
        seen: list[int] = []
        for ann in ("plain", "in", "plain", "plain", "plain"):
            play.scored(**{**dict.fromkeys(players, "plain"), "ann": ann})
            if play.table.pausing:
                goes_on(play, **dict.fromkeys(players, "plain"))
            assert play.table.match is not None
            seen.append(play.table.match.circle_match)
        assert seen == [1 + match % len(players) for match in range(5)]


@pytest.mark.parametrize("change", ["joins", "leaves", "sits out", "comes again", "busts", "is played without"])
def test_whoever_joins_leaves_or_busts_begins_a_new_circle(change: str) -> None:
    play = sat(ann=50, bob=50, cyd=5)
    players = ["ann", "bob", "cyd"]
    if change == "is played without":  # and brings chips while the others play on
        play.scored(ann="in", bob="plain", cyd="dead")
        play.go_on("ann", "bob", "cyd")
        play.top_up("cyd", 50)
        play.finish()
        play.ready(*players)
        assert play.table.match is not None
        assert (play.table.match.number, play.table.match.circle_match) == (2, 1)
        return
    if change == "joins":
        play.leave("cyd")
        players.remove("cyd")
    play.scored(**dict.fromkeys(players, "plain") | ({"cyd": "dead"} if change == "busts" else {}))
    match change:
        case "joins":
            play.sit("cyd")
        case "leaves":
            play.leave("cyd")
        case "comes again":
            play.leave("cyd")
            play.sit("cyd")
        case "busts":
            play.top_up("cyd", 50)
        case _:
            play.time_out()
            play.ready("ann", "bob")
            play.time_out()
            assert play.seat("cyd").sitting_out
    if not play.table.busy:
        play.ready(*(seat.player for _, seat in play.table.awaited))
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.circle_match) == (2, 1)


def test_one_who_only_sits_there_does_not_break_a_circle() -> None:
    play = sat(ann=50, bob=50)
    play.scored(ann="plain", bob="plain")
    play.sit("cyd")
    play.time_out()
    play.ready("ann", "bob")
    play.time_out()
    assert play.table.match is not None
    assert (play.table.match.number, play.table.match.circle_match) == (2, 2)


# -- rights that lapse


def test_waiving_the_only_right_ends_the_match() -> None:
    play = pause()
    events = play.ask(Waive(player="ann"))
    assert events == (RightsLapsed(at=play.now, reason="waived"),)
    assert not play.table.in_match
    assert play.table.match is not None
    assert play.table.match.lapsed == "waived"
    assert play.table.showdown_until == play.now + 8000
    play.ready("ann", "bob", "cyd", "dee")
    assert play.table.match.number == 2
    assert not play.table.match.lapsed
    assert dealt(play).fantasyland == ()


def test_who_leaves_after_the_match_leaves_when_the_right_has_lapsed() -> None:
    play = pause()
    play.leave("ann")
    assert kinds(play.ask(Waive(player="ann"))) == [RightsLapsed, Left, HostPassed]


def test_leaving_with_a_right_pending_is_leaving_after_it_is_played() -> None:
    play = pause()
    play.leave("ann")
    goes_on(play, ann="plain", bob="plain", cyd="plain")
    assert play.table.seat_of("ann") is None
    assert kinds(tuple(play.log[-3:])) == [HandScored, Left, HostPassed]


def test_what_has_lapsed_stands_to_be_read_and_then_always_ready_answers() -> None:
    play = sat(ann=50, bob=5)
    play.next(ann="in", bob="dead")
    play.ready("ann", "bob", always=True)
    play.finish()
    assert kinds(play.time_out()) == [ShowdownEnded]
    assert kinds(play.time_out()) == [RightsLapsed]
    assert play.table.match is not None
    assert play.table.match.lapsed == "one-left"
    play.top_up("bob", 50)
    assert kinds(play.time_out()) == [ShowdownEnded, HandCalled]


def test_a_connection_that_comes_back_calls_nothing() -> None:
    play = pause()
    play.disconnect("ann")
    assert len(play.ask(Connect(player="ann"))) == 1
    assert play.ask(Connect(player="ann")) == ()
