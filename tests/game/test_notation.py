"""Hand histories: text both ways, what is refused and where, and what a viewer's download may not tell."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.notation import (
    Action,
    HandHistory,
    Position,
    read_histories,
    read_history,
    write_histories,
    write_history,
)
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from tests.game.anything import any_rules, laid_by

if TYPE_CHECKING:
    from _typeshed import TraceFunction

EXAMPLE = (Path(__file__).parents[1] / "data" / "hand.ofc").read_text()
NAMES = ("ann", 'bob "the ☃"', "", "д\u007f\\ #]")


def refusal(text: str) -> str:
    """Where a text is refused, as line:column, and why."""
    with pytest.raises(Refused) as caught:
        read_histories(text)
    assert caught.value.code == "bad-history"
    args = caught.value.args_by_name
    return f"{args['line']}:{args['column']} {args['detail']}"


def changed(old: str, new: str) -> str:
    assert EXAMPLE.count(old) == 1
    return EXAMPLE.replace(old, new)


# -- any hand


class Played(NamedTuple):
    """A hand, and what the table laid in it."""

    hand: Hand
    automatic: dict[tuple[int, int], Placement | None]


@st.composite
def a_hand(draw: st.DrawFn) -> Hand:
    """The beginning of any hand by any rules, Fantasyland included."""
    rules = draw(st.sampled_from(list(RULE_SETS.values())) | any_rules())
    count = draw(st.integers(2, rules.seats[1]))
    taken = sorted(draw(st.permutations(range(rules.seats[1])))[:count])
    button = draw(st.integers(0, count - 1))
    least = -200 if rules.settlement_cap == "none" else 1
    stacks = draw(st.none() | st.lists(st.integers(least, 200), min_size=count, max_size=count))
    rights = draw(st.lists(st.sampled_from(possible_rights(rules)), min_size=count, max_size=count))
    deck = draw(st.permutations(DECK))
    return Hand.deal(
        rules,
        deck,
        taken[button:] + taken[:button],
        stacks=stacks or (),
        fantasyland=[cards for cards, _ in rights],
        repeats=[repeats for _, repeats in rights],
    )


def possible_rights(rules: RuleSet) -> list[tuple[int, int]]:
    """With how many cards, after how many stays in a row, one may be in Fantasyland; among them not at all."""
    if rules.fantasyland == "off":
        return [(0, 0)]
    queens, kings, aces, trips = rules.fantasyland_cards
    lowest = "23456789TJQKA".index(rules.fantasyland_entry[0])
    entries = {trips, aces, *([kings] if lowest <= 11 else []), *([queens] if lowest <= 10 else [])}
    most = 3 if rules.fantasyland_repeats == "unlimited" else min(rules.fantasyland_repeats, 3)
    stays = [(rules.fantasyland_stay_cards, repeats) for repeats in range(1, most + 1) if rules.fantasyland_stay]
    return [(0, 0), *((cards, 0) for cards in sorted(entries)), *stays]


@st.composite
def played(draw: st.DrawFn, *, whole: bool = False) -> Played:
    """Any hand, played by chance to its end or to somewhere before it; the table lays now and then."""
    hand = draw(a_hand())
    choices = draw(st.lists(st.integers(0, 10**6), min_size=36, max_size=36))
    steps = 36 if whole else draw(st.integers(0, 36))
    automatic: dict[tuple[int, int], Placement | None] = {}
    out_of_time = set[int]()
    for choice in choices[:steps]:
        if hand.over:
            break
        player = hand.acting[choice % len(hand.acting)]
        placement = laid_by(hand, player, choice)
        if player in out_of_time:
            automatic[hand.seats[player], hand.street_of(player)] = None
            placement = hand.automatic(player, None)
        elif choice % 5 == 0:
            out_of_time.add(player)
            draft = (None, Placement(), kept(placement), placement)[choice % 4]
            automatic[hand.seats[player], hand.street_of(player)] = draft
            placement = hand.automatic(player, draft)
        hand = hand.place(player, placement)
    return Played(hand, automatic)


def kept(placement: Placement) -> Placement:
    """A draft: the placement without its last card in each row."""
    return Placement(placement.top[:-1], placement.middle[:-1], placement.bottom[:-1], placement.discards)


def told(played: Played, viewer: int | None, *, whole: bool = False) -> HandHistory:
    names = NAMES[: len(played.hand.seats)]
    if whole:
        return HandHistory.whole(played.hand, names, played.automatic)
    return HandHistory.seen_by(played.hand, viewer, names, played.automatic)


@given(played())
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back(played: Played) -> None:
    history = told(played, None, whole=True)
    text = write_history(history)
    again = read_history(text)
    assert again == history
    assert write_history(again) == text
    assert write_history(replace(again)) == text
    hand = again.hand
    assert (hand.rules, hand.seats, hand.stacks) == (played.hand.rules, played.hand.seats, played.hand.stacks)
    assert (hand.fantasyland, hand.repeats) == (played.hand.fantasyland, played.hand.repeats)
    assert (hand.placements, hand.boards, hand.reckoning) == (
        played.hand.placements,
        played.hand.boards,
        played.hand.reckoning,
    )
    assert hand.acting == played.hand.acting
    assert [hand.dealt(player) for player in hand.acting] == [played.hand.dealt(player) for player in hand.acting]


@given(played())
@settings(max_examples=100, deadline=None)
def test_what_a_viewer_downloads_is_read_back(played: Played) -> None:
    for viewer in (*played.hand.seats, None, 99):
        history = told(played, viewer)
        text = write_history(history)
        assert read_history(text) == history
        if played.hand.over:
            assert read_history(text).hand.boards == played.hand.boards


@given(st.lists(played(), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_several_hands_are_written_and_read_back(several: list[Played]) -> None:
    histories = tuple(
        replace(told(hand, None, whole=True), table="Friday", match=1, number=number, time="2026-11-30T20:15:00Z")
        for number, hand in enumerate(several, 1)
    )
    text = write_histories(histories)
    assert read_histories(text) == histories
    assert write_histories(read_histories(text)) == text


@given(played(whole=True))
@settings(max_examples=50, deadline=None)
def test_a_result_that_is_not_the_hands_is_refused(played: Played) -> None:
    history = told(played, None, whole=True)
    assert history.points
    wrong = replace(history, points=(history.points[0] + 1, *history.points[1:]))
    assert refusal(write_history(wrong)).endswith(f"points: the hand gives {list(history.points)}")


# -- what a viewer may not know


@given(played(), st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_a_download_is_the_same_whatever_its_owner_cannot_know(played: Played, seed: int) -> None:
    for viewer in (*played.hand.seats, None):
        other = twin(played, viewer, seed)
        assert write_history(told(other, viewer)) == write_history(told(played, viewer))


def twin(played: Played, viewer: int | None, seed: int) -> Played:
    """The same hand with the cards the viewer never comes to see in other places, and other drafts for the others."""
    hand = played.hand
    hidden = [hand.seats[p] != viewer and not hand.over and bool(hand.closed or hand.fantasyland[p]) for p in range(len(hand.seats))]  # fmt: skip
    seen = {card for player, board in enumerate(hand.boards) if not hidden[player] for card in board.cards}
    for player, seat in enumerate(hand.seats):
        in_turn = not hand.closed and not hand.fantasyland[player]
        if seat == viewer:
            seen |= {card for placement in hand.placements[player] for card in placement.discards}
        if seat == viewer or (in_turn and hand.street_of(player) == 1 and hand.rules.street_one == "open"):
            seen |= set(hand.dealt(player))
    unseen = [card for card in DECK if card not in seen]
    turned = unseen[seed % len(unseen) :] + unseen[: seed % len(unseen)] if unseen else []
    counterpart: dict[Card, Card] = {card: card for card in DECK} | dict(zip(unseen, turned, strict=True))

    def other(placement: Placement) -> Placement:
        rows = (placement.top, placement.middle, placement.bottom, placement.discards)
        return Placement(*(tuple(counterpart[card] for card in cards) for cards in rows))

    mirrored = replace(
        hand,
        deck=tuple(counterpart[card] for card in hand.deck),
        placements=tuple(tuple(map(other, mine)) for mine in hand.placements),
        boards=tuple(
            replace(board, **{row: tuple(counterpart[card] for card in getattr(board, row)) for row in ("top", "middle", "bottom")})
            for board in hand.boards
        ),
    )  # fmt: skip
    automatic = {
        (seat, street): draft if seat == viewer else None for (seat, street), draft in played.automatic.items()
    }
    return Played(mirrored, automatic)


def test_a_players_own_download_has_his_own_discards_and_no_others() -> None:
    hand = read_history(EXAMPLE).hand
    actions = [str(action) for action in HandHistory.seen_by(hand, 0, ("ann", "bob")).actions]
    assert actions[2:4] == ["p1 pl Qh/9h/- x3h", "p2 pl -/Jc/5s x??"]
    actions = [str(action) for action in HandHistory.seen_by(hand, None, ("ann", "bob")).actions]
    assert actions[2:4] == ["p1 pl Qh/9h/- x??", "p2 pl -/Jc/5s x??"]


def test_what_lies_face_down_is_left_out_until_the_showdown() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(14, 0))
    hand = hand.place(0, hand.automatic(0, None))
    assert [str(action) for action in HandHistory.seen_by(hand, 0, ("ann", "bob")).actions] == [
        "p1 pl QcKcAc/7c8c9cTcJc/2c3c4c5c6c x2d"
    ]
    assert [str(action) for action in HandHistory.seen_by(hand, 1, ("ann", "bob")).actions] == ["d dh p2 2h3h4h5h6h"]


# -- text


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        "# a hand to remember\n\n" + EXAMPLE + "\n# the end",
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace(" = ", "="),
        EXAMPLE.replace('  "', '"'),
        EXAMPLE.replace('rules = "room"\n', "") + '\n[rules]\nbase = "room"\nhand_seconds = 60 # quick\n',
        EXAMPLE.replace('"room"', "'room'"),
        EXAMPLE.replace('rules = "room"', 'rules = { base = "room", hand_seconds = "60" }'),
        EXAMPLE.replace('x3h"', "x3h # a comment of the standard's own kind\""),
    ],
)
def test_what_was_read_is_written_as_it_stood(text: str) -> None:
    history = read_history(text)
    assert write_history(history) == text
    spelled = replace(history)
    assert read_history(write_history(spelled)) == history == spelled


def test_comments_after_actions_are_part_of_the_history() -> None:
    text = changed('"p2 pl -/Jc/5s x4h",', '"p2 pl -/Jc/5s x4h # in", # out')
    history = read_history(text)
    assert [action.comment for action in history.actions if action.comment] == ["in out", "the flush is home"]
    assert '  "p2 pl -/Jc/5s x4h",  # in out\n' in write_history(replace(history))


def test_players_are_listed_by_seat_and_the_left_of_the_button_begins() -> None:
    hand = Hand.deal(RuleSet(), DECK, (2, 0, 1)).place(0, Placement.parse("-/2c3c/4c5c6c"))
    text = write_history(HandHistory.whole(hand, ("cat", "ann", "bob")))
    assert 'players = ["ann", "bob", "cat"]\nbutton = 2\n' in text
    assert '"p3 pl -/2c3c/4c5c6c",\n  "d dh p1 ' in text
    assert read_history(text).hand.seats == (2, 0, 1)


def test_a_layout_by_the_table_tells_what_was_dealt_and_kept() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1))
    draft = Placement.parse("6c/-/-")
    automatic: dict[tuple[int, int], Placement | None] = {(0, 1): draft}
    hand = hand.place(0, hand.automatic(0, draft))
    text = write_history(HandHistory.whole(hand, ("ann", "bob"), automatic))
    lines = text.splitlines()[5:8]
    assert lines == ['  "d dh p1 2c3c4c5c6c",', '  "p1 au 6c/-/2c3c4c5c",  # kept 6c/-/-', '  "d dh p2 2h3h4h5h6h",']


def test_house_rules_are_a_table() -> None:
    rules = RuleSet.parse("club scoring=2-4 foul_points=3")
    text = write_history(HandHistory.whole(Hand.deal(rules, DECK, (0, 1)), ("ann", "bob")))
    assert text.startswith('variant = "OFC"\nplayers')
    assert text.endswith('\n[rules]\nbase = "club"\nscoring = "2-4"\nfoul_points = 3\n')
    assert read_history(text).rules == rules


def test_unknown_cards_stand_for_any() -> None:
    text = re.sub("x..", "x??", EXAMPLE)
    assert read_history(text).hand.reckoning == read_history(EXAMPLE).hand.reckoning


BEGUN = """variant = "OFC/P"
rules = "room"
players = ["ann", "bob"]
button = 2
actions = [
"""
"""The beginning of a hand; its first action stands on line 6."""
FIRST = "d dh p1 2c3c4c5c6c"
SECOND = "p2 pl -/2h3h/4h5h6h"


def hand_of(*actions: str) -> str:
    """A hand of these actions, with their comments inside the quotes."""
    return BEGUN + "".join(f'  "{action}",\n' for action in actions) + "]\n"


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        # who lays after the table has laid for him
        ([FIRST, "p1 au -/-/2c3c4c5c6c", SECOND, "p1 pl 7c/8c/- x9c"], "9:7 the table lays for p1 for the rest of the hand"),
        # what the table could not have laid
        ([FIRST, "p1 au 2c/-/3c4c5c6c"], "7:10 the table lays -/-/2c3c4c5c6c here"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c"], "7:10 the table lays -/-/2c3c4c5c6c here"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept it"], "7:10 the table lays -/-/2c3c4c5c6c here"),
        ([FIRST, "p1 au -/-/2c3c4c5c6c # kept 6c/-/-"], "7:10 the table lays 6c/-/2c3c4c5c here"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept 7c/-/-"], "7:31 the draft 7c/-/-: 7c not among the cards to lay now: 2c3c4c5c6c"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept 6c6c/-/-"], "7:31 the draft 6c6c/-/-: 6c6c/-/- is not a placement"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept 2c3c4c5c/-/-"], "7:31 the draft 2c3c4c5c/-/-: the row top has room for 3 more"),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept 6c/-/- x2c"], "7:31 the draft 6c/-/- x2c: "),
        ([FIRST, "p1 au 6c/-/2c3c4c5c # kept 6c/-/-", SECOND, "d dh p1 7c8c9c", "p1 au 7c/-/8c x9c # kept 7c/-/-"], "10:29 the table keeps a draft on the first street"),
        ([FIRST, "p1 au -/-/2c3c4c5c6c", SECOND, "d dh p1 7c8c9c", "p1 au -/7c9c/- x8c"], "10:10 the table lays -/7c8c/- x9c here"),
        (["p1 au -/-/2c3c4c5c6c", SECOND, "p1 au 7c/8c/- x??"], "8:10 the table fills the bottom, then the middle, then the top"),
        # where what was dealt is told, and where it is not
        (["p1 au -/-/2c3c4c5c6c", SECOND, "p1 au -/7c8c/- x9c"], "6:7 before it should be what p1 was dealt: d dh p1 and the cards"),
        (["p1 au 6c/-/2c3c4c5c # kept 6c/-/-"], "6:7 before it should be what p1 was dealt"),
        ([FIRST, "p1 au -/-/2c3c4c5c6c", SECOND, "p1 au -/7c8c/- x??"], "9:7 before it should be what p1 was dealt"),
        ([FIRST, "p1 au -/-/2c3c4c5c6c", SECOND, "d dh p1 7c8c9c", "p1 au -/7c8c/- x??"], "10:20 p1 was dealt 7c8c9c"),
        ([FIRST, "p1 au -/-/2c3c4c5c7c"], "7:10 p1 was dealt 2c3c4c5c6c"),
        (["d dh p1 2c3c4c5c??", "p1 au -/-/2c3c4c5c6c"], "6:20 what is dealt before an au is known whole, or not told"),
        ([FIRST, "p1 pl -/-/2c3c4c5c6c"], "6:3 what is dealt is told right before an au, and at the end"),
        ([FIRST, SECOND], "6:3 what is dealt is told right before an au, and at the end"),
        ([FIRST, FIRST], "7:9 p1 has been dealt these cards already"),
        (["d dh p2 2c3c4c5c6c"], "6:9 it is the turn of p1, not of p2"),
        ([SECOND, "p2 pl 7h/8h/- x9h"], "6:4 it is the turn of p1, not of p2"),
    ],
)  # fmt: skip
def test_what_the_table_lays_and_what_is_dealt_is_checked(actions: list[str], said: str) -> None:
    assert refusal(hand_of(*actions)).startswith(said)


@pytest.mark.parametrize(
    "actions",
    [
        [FIRST],
        ["d dh p1 2c3c??????"],
        [FIRST, "p1 au -/-/2c3c4c5c6c"],
        [FIRST, "p1 au -/-/6c5c4c3c2c # kept -/-/6c he sleeps"],
        [FIRST, "p1 au 6c/-/2c3c4c5c # kept 6c/-/-", SECOND, "d dh p1 7c8c9c", "p1 au -/8c/7c x9c"],
        [FIRST, "p1 au -/-/2c3c4c5c6c # he kept his calm", "d dh p2 ??????????"],
        # Whoever does not know what was dealt is told of no draft either: it may have been any.
        ["p1 au 2c/3c4c/5c6c"],
        ["p1 au 2c/3c4c/5c6c", SECOND, "p1 au -/-/7c8c x??"],
        ["p1 pl 2c/3c4c/5c6c", SECOND, "p1 au 7c/8c/- x??"],
    ],
)
def test_what_the_table_can_have_laid_is_read(actions: list[str]) -> None:
    history = read_history(hand_of(*actions))
    assert read_history(write_history(replace(history))) == history


HOUSES = (
    "room",
    "room fantasyland=off",
    "progressive fantasyland_entry=KK",
    "progressive fantasyland_entry=22 fantasyland_repeats=2",
    "club",
    "club fantasyland_repeats=0",
    "club-pineapple fantasyland_stay=none",
)


@pytest.mark.parametrize("house", HOUSES)
def test_in_fantasyland_are_those_whom_the_rules_let_in_or_stay(house: str) -> None:
    rules = RuleSet.parse(house)
    possible = possible_rights(rules)
    for cards in (0, *range(13, 18)):
        for repeats in range(4):
            hand = Hand.deal(rules, DECK, (0, 1), fantasyland=(0, cards), repeats=(0, repeats))
            text = write_history(HandHistory.whole(hand, ("ann", "bob")))
            if (cards, repeats) in possible:
                assert read_history(text).hand.repeats == (0, repeats)
            else:
                assert "in_fantasyland = [0, " in text
                assert re.match(r"\d+:\d+ (by these rules|who is not in Fantasyland)", refusal(text))


def test_the_room_lets_one_stay_without_end() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(0, 14), repeats=(0, 1000))
    assert read_history(write_history(HandHistory.whole(hand, ("ann", "bob")))).repeats == (0, 1000)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("button = 2", "button = 2\nin_fantasyland = [12, 0]", "5:19 by these rules one who gets in lays 0 or 14 at once, not 12"),
        ("button = 2", "button = 2\nin_fantasyland = [15, 0]", "5:19 by these rules one who gets in lays 0 or 14 at once, not 15"),
        ("button = 2", "button = 2\nrepeats = [0, 1]", "5:15 who is not in Fantasyland has not stayed there"),
        ('"room"', '{ base = "club-pineapple" }\nin_fantasyland = [0, 13]\nrepeats = [0, 2]', "4:15 by these rules nobody stays 2 times in a row"),
        ('"room"', '{ base = "room", fantasyland = "off" }\nin_fantasyland = [0, 14]', "3:22 by these rules one who gets in lays 0 at once, not 14"),
        ("button = 2", "button = 2\nseats = [3, 4]", "5:13 seats: write whole numbers from 1 to 3"),
        ("button = 2", "button = 2\nseats = [3, 1]", "5:9 players stand in the order of their seats, from the lowest"),
        ("[100, 75]", "[100, 0]", "5:25 starting_stacks: write whole numbers from 1"),
    ],
)  # fmt: skip
def test_what_no_table_of_these_rules_can_have_is_refused(old: str, new: str, said: str) -> None:
    assert refusal(changed(old, new)).startswith(said)


@pytest.mark.parametrize("stack", [0, -5])
def test_where_nothing_caps_payments_a_stack_may_be_spent(stack: int) -> None:
    hand = Hand.deal(RuleSet.parse("room settlement_cap=none"), DECK, (0, 1), stacks=(stack, 10))
    assert read_history(write_history(HandHistory.whole(hand, ("ann", "bob")))).starting_stacks == (stack, 10)


# -- what is refused, and where


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"OFC/P"', '"NT"', "1:11 by these rules the variant is OFC/P"),
        ('"room"', '"roam"', "2:9 rules = roam: the named sets are room, club, club-pineapple, progressive"),
        ('rules = "room"\n', "", "1:1 rules is missing"),
        ('rules = "room"', 'rules = { base = "room", scoring = "3-6" }', "2:9 scoring = 3-6: one of 1-6, 2-4"),
        ('["ann", "bob"]', '["ann"]', "3:11 by these rules there are 2 to 3 players, here are 1"),
        ('"bob"', "5", "3:19 players: write names in quotes"),
        ("button = 2", "button = 3", "4:10 button: write whole numbers from 1 to 2"),
        ("button = 2", "butten = 2", "4:1 there is no field butten"),
        ("button = 2", "button = 2\nbutton = 1", "5:1 button is written twice"),
        ("[100, 75]", "[100]", "5:19 starting_stacks: 2 numbers are wanted, one for each player, here are 1"),
        ("[100, 75]", "[100, -1]", "5:25 starting_stacks: write whole numbers from 1"),
        ("p1 pl Qs/Kd/7c7dAh", "p2 pl Qs/Kd/7c7dAh", "7:4 it is the turn of p1, not of p2"),
        ("p1 pl Qs/Kd/7c7dAh", "p3 pl Qs/Kd/7c7dAh", "7:4 there is no p3; there are 2 players"),
        ("p1 pl Qs/Kd/7c7dAh", "p1 pl Qs/Kd/7c7d", "7:10 p1 gets 5 cards on street 1, here are 4"),
        ("p1 pl Qs/Kd/7c7dAh", "p1 pl Qs/Kd/7c7dXh", "7:20 'Xh' is no card"),
        ("p1 pl Qs/Kd/7c7dAh", "p1 pl Qs/Kd/7c7d??", "7:20 cards in rows lie open"),
        ("p1 pl Qs/Kd/7c7dAh", "p1 pl Qs/Kd7c7dAh", "7:10 Qs/Kd7c7dAh: write three rows"),
        ("p1 pl Qs/Kd/7c7dAh", "one pl Qs/Kd/7c7dAh", "7:4 one is no player"),
        ("p1 pl Qs/Kd/7c7dAh", "p1 put Qs/Kd/7c7dAh", "7:4 'p1 put Qs/Kd/7c7dAh' is no action"),
        ("p1 pl Qs/Kd/7c7dAh", "", "7:4 '' is no action"),
        ("p2 pl Ad/Jd/Ts9s6s", "p1 pl Ad/Jd/Ts9s6s", "8:4 it is the turn of p2, not of p1"),
        ("p2 pl -/Jc/5s x4h", "p2 pl -/Jc/5s x3h", "10:19 3h is named twice"),
        ("p2 pl -/Jc/5s x4h", "p2 pl -/Jc/5s 4h", "10:18 4h: cards thrown away are written after an x"),
        ("p2 pl -/Jc/5s x4h", "p2 pl -/Jc/5s4h", "10:10 3 cards are laid; this street wants 2"),
        ("p1 pl 2c/4s/- x8d", "p1 pl 2c4s/-/- x8d", "15:10 the row top has room for 1 more, not for 2c4s"),
        ("p1 pl 2c/4s/- x8d", "p1 au 2c/4s/- x8d x", "15:4 'p1 au 2c/4s/- x8d x' is no action"),
        ('  "p2 pl 5c/2h/- xJh",\n', "", "17:10 points: the hand has not come to its end"),
        ("points = [15, -15]", "points = [15, -14]", "18:15 points: the hand gives [15, -15]"),
        ("points = [15, -15]", "points = 15", "18:10 points: write a list of whole numbers"),
        ("points = [15, -15]", "points = [15, -15", "19:1 this is not TOML: unclosed array"),
        ("[115, 60]", "[115, 61]", "19:26 finishing_stacks: the hand gives [115, 60]"),
        ("starting_stacks = [100, 75]\n", "", "18:20 finishing_stacks: there are no starting_stacks"),
        ("[14, 0]", "[0, 0]", "20:16 fantasyland: the hand gives [14, 0]"),
        ("[14, 0]", "[14, 0]\ntime = 'late'", "21:8 time: write a date, a time, or both"),
        ("[14, 0]", "[14, 0]\nhand = 0", "21:8 hand: write whole numbers from 1"),
        ("[14, 0]", "[14, 0]\nseats = [2, 2]", "21:9 a seat is named twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, said: str) -> None:
    found = refusal(changed(old, new))
    assert found.startswith(said)


def test_an_action_after_the_end_is_refused() -> None:
    assert refusal(changed('xJh",\n', 'xJh",\n  "p1 pl -/-/2s3s x4d",\n')) == "17:4 p1 has laid his whole board"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1 variant is missing"),
        ("variant", "1:8 this is not TOML"),
        ("a = 1\n\na = 2", "3:1 a is written twice"),
        ("[1]\n[1]", "2:1 1 is written twice"),
        ("a = " + "[" * 1000, "1:13 brackets lie too deep"),
        ("a = 0x" + "f" * 9999, "1:5 this is too long"),
        ('a = "\\ud800"', "1:"),
        ("\ufeff", "1:1 this is not TOML"),
        ("[2]\nvariant = 1", "1:1 a file of several hands has the tables [1], [2] and so on; here should be [1]"),
        ("1 = 5", "1:1 a file of several hands"),
        ("[1]\n" + EXAMPLE + "[2]\n" + EXAMPLE.replace("-15", "-16"), "40:15 points: the hand gives [15, -15]"),
        ("[1]\n" + EXAMPLE + "[2]\n", "22:1 variant is missing"),
        ("[[1]]\n" + EXAMPLE, "1:1 a file of several hands"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    assert refusal(text).startswith(said)


def test_one_hand_is_wanted_where_one_is_read() -> None:
    with pytest.raises(Refused, match="here are 2 hands; one is wanted"):
        read_history(f"[1]\n{EXAMPLE}[2]\n{EXAMPLE}")


# -- comments


CONTROLS = [chr(number) for number in (*range(9), *range(10, 32), 127)]


@pytest.mark.parametrize("letter", CONTROLS, ids=ascii)
def test_a_comment_holds_no_control_character(letter: str) -> None:
    text = changed("x3h", f"x3h # a\\u{ord(letter):04x}b")
    assert refusal(text) == "9:3 a comment is one line without control characters"
    with pytest.raises(ValueError, match="is no comment"):
        Action(kind="pl", player=0, comment=f"a{letter}b")


@pytest.mark.parametrize("comment", [r"# a\nb", r"# a\rb", r"# a\n]\nb=1\nc=[", r"# a\n[rules]", r"# \n"])
def test_no_comment_becomes_a_field(comment: str) -> None:
    assert refusal(changed("x3h", f"x3h {comment}")) == "9:3 a comment is one line without control characters"


@given(st.text())
@example("a\tb # c \u2028 \x85 [rules]")
@example('", "')
def test_any_comment_that_is_read_is_written_and_read_back(comment: str) -> None:
    quoted = json.dumps(f"p1 pl Qh/9h/- x3h # {comment}", ensure_ascii=False).replace("\x7f", "\\u007f")
    try:
        history = read_history(changed('"p1 pl Qh/9h/- x3h"', quoted))
    except Refused:
        assert any(letter in CONTROLS for letter in comment)
    else:
        assert history.actions[2].comment == comment.strip()
        assert read_history(write_history(replace(history))) == history
        assert read_histories(write_histories([history])) == (history,)


# -- long files


def steps(task: Callable[[], object]) -> int:
    """How many lines of Python a task takes, a measure that no other load on the machine changes."""
    count = 0

    def line(_frame: FrameType, event: str, _arg: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        task()
    finally:
        sys.settrace(before)
    return count


def refuses(text: str) -> None:
    with pytest.raises(Refused):
        read_histories(text)


@pytest.mark.parametrize("filler", ["", "# a remark\n" * 20])
def test_the_work_of_reading_grows_as_the_file_does(filler: str) -> None:
    def work(hands: int) -> int:
        text = "".join(f"[{number}]\n{filler}{EXAMPLE}" for number in range(1, hands + 1))
        return steps(lambda: read_histories(text))

    work(1)
    assert work(40) < 12 * work(4)


@pytest.mark.parametrize("line", ["", "# a remark", '"p1 pl Qs/Kd/7c7dAh", # a remark', "a = 1", "[a]"])
def test_the_work_of_refusing_grows_as_the_text_does(line: str) -> None:
    def work(lines: int) -> int:
        text = "actions = [\n" + f"{line}\n" * lines
        return steps(lambda: refuses(text))

    work(10)
    assert work(1000) < 12 * work(100) + 1000


# -- no text breaks the reader


def survives(text: str) -> None:
    try:
        histories = read_histories(text)
    except Refused as refused:
        line, column = refused.args_by_name["line"], refused.args_by_name["column"]
        assert isinstance(line, int)
        assert isinstance(column, int)
        lines = text.replace("\r\n", "\n").split("\n")
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
    else:
        again = tuple(replace(history) for history in histories)
        assert read_histories(write_histories(again)) == again


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
@example('"""' * 100)
@example("[" * 10_000)
@example("a.b.c = {x = 1, y = [1, {z = 2}]}\n[a.b]\n")
def test_any_text_is_read_or_refused(text: str) -> None:
    survives(text)


SCRAPS = st.sampled_from([*'"\'#[]{}=,.\n\r \\/-?x', "p1", "p3", "d dh", "au", "pl", "??", "As", "0", "-1", "9" * 50, "1e9", "[1]", "[rules]", '"""', "nan", "true", "2026-01-01", "\x00", "\ufeff", "и"])  # fmt: skip


@given(
    st.sampled_from([EXAMPLE, f"[1]\n{EXAMPLE}[2]\n{EXAMPLE}", EXAMPLE + '[rules]\nbase = "room"\n']),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 12), SCRAPS | st.just("")), min_size=1, max_size=4),
)
@settings(max_examples=500, deadline=None)
def test_any_change_of_a_file_is_read_or_refused(text: str, cuts: list[tuple[int, int, str]]) -> None:
    for place, length, scrap in cuts:
        at = place % (len(text) + 1)
        text = text[:at] + scrap + text[at + length :]
    survives(text)


# -- positions


@pytest.mark.parametrize(
    "text",
    [
        "QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d",
        "-/-/- | -/-/- | p2 2c3c4c5c6c",
        "QsQh/Kd9h/7c7dAh x????",
        "-/-/- | -/-/- | -/-/- | -/-/- | p4 ??????????",
    ],
)
def test_positions_are_read_and_written(text: str) -> None:
    assert str(Position.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1 here is no board"),
        ("p1 As", "1:1 there is no p1"),
        ("-/-/- | p1 As | p1 Ks", "1:17 one player acts"),
        ("-/-/- | p1 As | -/-/-", "1:17 who acts stands last"),
        ("-/-/- | -/As/As", "1:14 As is named twice"),
        ("-/-/- | -/As/- | p1 KsAs", "1:23 As is named twice"),
        ("AsAdAhAc/-/-", "1:1 the top row takes 3 cards, not 4"),
        ("-/-/- y3h", "1:1 write boards and who acts"),
        ("-/-/-\n|-/-/Zz", "2:6 'Zz' is no card"),
    ],
)
def test_wrong_positions_are_refused_with_their_column(text: str, said: str) -> None:
    with pytest.raises(Refused) as caught:
        Position.parse(text)
    args = caught.value.args_by_name
    assert f"{args['line']}:{args['column']} {args['detail']}".startswith(said)


@given(st.text(alphabet="AsKhp12?x/-| \n"))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        position = Position.parse(text)
    except Refused:
        pass
    else:
        assert Position.parse(str(position)) == position
