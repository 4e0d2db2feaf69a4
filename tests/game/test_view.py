"""What each viewer sees of a hand, and the law of secrets: other hidden cards, the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ananas.game.board import Board, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, ROOM, RULE_SETS, RuleSet
from ananas.game.view import HandView, PlayerView, view_hand
from tests.game.anything import any_rules, laid_by

Viewing = Callable[[Hand, int, int | None, Mapping[int, Placement]], HandView]


@dataclass(frozen=True)
class Script:
    """A hand of choices by position: nothing in it depends on what the cards are.

    `steps`: for each step, a number that tells who of those who may act does, how he lays, and which of his cards his
    draft has. `stop`: at which moment the watching ends; each step has two, before and after its draft is made.
    """

    rules: RuleSet
    deck: tuple[Card, ...]
    seats: tuple[int, ...]
    fantasyland: tuple[int, ...]
    steps: tuple[int, ...]
    stop: int

    def deal(self, deck: tuple[Card, ...]) -> Hand:
        return Hand.deal(self.rules, deck, self.seats, fantasyland=self.fantasyland)

    @property
    def turns(self) -> int:
        return sum(1 if cards else self.rules.streets for cards in self.fantasyland)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    rules = draw(st.one_of(st.sampled_from(list(RULE_SETS.values())), any_rules()))
    players = draw(st.sampled_from([rules.seats[1], rules.seats[1], 2]))
    cards = draw(st.sampled_from([cards for cards in range(13, 18) if cards <= 52 // players]))
    in_it = draw(st.sampled_from([0, 1, players - 1, players]))
    fantasyland = draw(st.permutations([cards] * in_it + [0] * (players - in_it)))
    turns = sum(1 if cards else rules.streets for cards in fantasyland)
    return Script(
        rules=rules,
        deck=tuple(draw(st.permutations(DECK))),
        seats=tuple(draw(st.permutations(range(4)))[:players]),
        fantasyland=tuple(fantasyland),
        steps=tuple(draw(st.lists(st.integers(0, 10**30), min_size=turns, max_size=turns))),
        stop=draw(st.sampled_from([*range(2 * turns), *[2 * turns] * turns])),
    )


def watched(script: Script, deck: tuple[Card, ...], viewer: int | None, viewing: Viewing) -> list[bytes]:
    """Everything one viewer receives, moment by moment, until the watching stops."""
    hand = script.deal(deck)
    drafts: dict[int, Placement] = {}
    received: list[bytes] = []
    for step in script.steps:
        received.append(msgspec.json.encode(viewing(hand, 7, viewer, drafts)))
        player = hand.acting[step % len(hand.acting)]
        dealt = hand.dealt(player)
        chosen = laid_by(hand, player, step)
        drafted = {card for place, card in enumerate(dealt) if step >> place & 1}
        top, middle, bottom, discards = (
            tuple(card for card in cards if card in drafted)
            for cards in (chosen.top, chosen.middle, chosen.bottom, chosen.discards)
        )
        drafts[script.seats[player]] = Placement(top, middle, bottom, discards)
        received.append(msgspec.json.encode(viewing(hand, 7, viewer, drafts)))
        hand = hand.place(player, chosen)
    received.append(msgspec.json.encode(viewing(hand, 7, viewer, drafts)))
    return received[: script.stop + 1]


def shown(script: Script, viewer: int | None) -> set[int]:
    """The places in the deck whose cards the rules show this viewer until the watching stops.

    Written from the rules alone. One's own cards are shown when they are dealt: street by street in turn, Fantasyland
    with the first street or after the others, where all lay at once without waiting. Others' cards are shown on an open
    first street, and what is laid once it is confirmed, or at the showdown where it was laid face down.
    """
    rules, seats = script.rules, script.seats
    ordinary = [player for player, cards in enumerate(script.fantasyland) if not cards]
    at_once = len(ordinary) == 0 or (len(ordinary) == 1 and rules.fantasyland_timing == "after")
    face_down = {player for player in range(len(seats)) if at_once or script.fantasyland[player]}
    seen: set[int] = set()
    laid: dict[int, set[int]] = {player: set() for player in range(len(seats))}
    streets = [0] * len(seats)
    hand = script.deal(DECK)
    for turn in range(script.turns + 1):
        unfinished = [
            player for player in range(len(seats)) if streets[player] < (rules.streets, 1)[player not in ordinary]
        ]
        in_turn = sorted((player for player in unfinished if player in ordinary), key=lambda one: (streets[one], one))
        if at_once:
            acting = unfinished
        elif rules.fantasyland_timing == "after" and in_turn:
            acting = in_turn[:1]
        else:
            acting = sorted({*in_turn[:1], *(player for player in unfinished if player not in ordinary)})
        if 2 * turn <= script.stop:
            for player in acting:
                start = player * (52 // len(seats)) + sum(rules.deal[: streets[player]])
                dealt = script.fantasyland[player] or rules.deal[streets[player]]
                open_to_all = rules.street_one == "open" and streets[player] == 0 and player not in face_down
                if seats[player] == viewer or open_to_all:
                    seen.update(range(start, start + dealt))
            for player, places in laid.items():
                if player not in face_down or not acting:
                    seen.update(places)
        if acting:
            player = acting[script.steps[turn] % len(acting)]
            placement = laid_by(hand, player, script.steps[turn])
            laid[player] |= {DECK.index(card) for card in placement.laid}
            streets[player] += 1
            hand = hand.place(player, placement)
    return seen


def swapped(deck: tuple[Card, ...], one: int, other: int) -> tuple[Card, ...]:
    changed = list(deck)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def keep_secrets(viewing: Viewing, script: Script, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
    """Fail where any viewer receives other bytes because of cards that are hidden from him."""
    for viewer in (*script.seats, None):
        hidden = sorted(set(range(52)) - shown(script, viewer))
        # Four boards of thirteen cards leave nothing to hide once they are full.
        if len(hidden) < 2:
            continue
        one, other = draw(st.permutations(hidden))[:2]
        world = watched(script, script.deck, viewer, viewing)
        assert world == watched(script, swapped(script.deck, one, other), viewer, viewing)


@given(scripts(), st.data())
@settings(max_examples=300)
def test_hidden_cards_change_no_byte(script: Script, data: st.DataObject) -> None:
    keep_secrets(view_hand, script, data.draw)


@given(scripts(), st.data())
@settings(max_examples=50)
def test_what_the_rules_show_is_shown(script: Script, data: st.DataObject) -> None:
    """The law holds for a blank page as well; so every card one may know must change what he receives."""
    for viewer in (*script.seats, None):
        seen = shown(script, viewer)
        if not 0 < len(seen) < 52:
            continue
        one = data.draw(st.sampled_from(sorted(seen)))
        other = data.draw(st.sampled_from(sorted(set(range(52)) - seen)))
        world = watched(script, script.deck, viewer, view_hand)
        assert world != watched(script, swapped(script.deck, one, other), viewer, view_hand)


# -- leaks planted on purpose: each must be caught by the law


def next_street_early(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows a player his next cards before it is his turn."""

    def peek(player: PlayerView) -> PlayerView:
        index = hand.seats.index(player.seat)
        if player.seat != viewer or player.acting or player.done or player.fantasyland:
            return player
        start = index * (52 // len(hand.seats)) + sum(hand.rules.deal[: hand.street_of(index) - 1])
        return msgspec.structs.replace(player, dealt=hand.deck[start : start + 1])

    return with_players(view_hand(hand, number, viewer, drafts), peek)


def discards_of_all(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows everybody's discards once the hand is over."""

    def uncover(player: PlayerView) -> PlayerView:
        thrown = tuple(card for placed in hand.placements[hand.seats.index(player.seat)] for card in placed.discards)
        return msgspec.structs.replace(player, discards=thrown) if hand.over else player

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def private_draft(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows everybody the acting player's draft on the second street."""

    def uncover(player: PlayerView) -> PlayerView:
        if not player.acting or player.street != 2 or player.seat not in drafts:
            return player
        return msgspec.structs.replace(player, draft=str(drafts[player.seat]))

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def closed_first_street(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows everybody the first street where it is closed."""

    def uncover(player: PlayerView) -> PlayerView:
        if not player.acting or player.street != 1:
            return player
        return msgspec.structs.replace(player, dealt=hand.dealt(hand.seats.index(player.seat)))

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def fantasyland_when_laid(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows a board of Fantasyland as soon as it is laid."""

    def uncover(player: PlayerView) -> PlayerView:
        if not player.done or not player.fantasyland:
            return player
        return msgspec.structs.replace(player, board=hand.boards[hand.seats.index(player.seat)])

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def closed_streets_of_the_other(
    hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]
) -> HandView:
    """Shows what the one without Fantasyland lays while all lay at once."""

    def uncover(player: PlayerView) -> PlayerView:
        if not hand.closed or player.fantasyland:
            return player
        return msgspec.structs.replace(player, board=hand.boards[hand.seats.index(player.seat)])

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def fantasyland_ahead(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows a player his cards of Fantasyland before the others are done."""

    def peek(player: PlayerView) -> PlayerView:
        if player.seat != viewer or player.acting or player.done or not player.fantasyland:
            return player
        start = hand.seats.index(player.seat) * (52 // len(hand.seats))
        return msgspec.structs.replace(player, dealt=hand.deck[start : start + player.fantasyland])

    return with_players(view_hand(hand, number, viewer, drafts), peek)


def with_players(view: HandView, change: Callable[[PlayerView], PlayerView]) -> HandView:
    return msgspec.structs.replace(view, players=tuple(change(player) for player in view.players))


@pytest.mark.parametrize(
    "leak",
    [
        next_street_early,
        discards_of_all,
        private_draft,
        closed_first_street,
        fantasyland_when_laid,
        closed_streets_of_the_other,
        fantasyland_ahead,
    ],
)
def test_a_leak_is_caught(leak: Viewing) -> None:
    @settings(
        max_examples=300,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    @given(scripts(), st.data())
    def law(script: Script, data: st.DataObject) -> None:
        keep_secrets(leak, script, data.draw)

    with pytest.raises(AssertionError):
        law()


# -- what is in a view, field by field


HAND = Hand.deal(ROOM, DECK, (1, 2, 0))
LATER = (
    HAND.place(0, Placement.parse("2c/3c4c/5c6c"))
    .place(1, Placement.parse("-/6d7d8d/9dTd"))
    .place(2, Placement.parse("-/Th/JhQhKhAh"))
    .place(0, Placement.parse("7c/-/9c x8c"))
)
"""The second street; the next to act is dealt JdQdKd."""


def test_the_first_street_is_open_to_all() -> None:
    drafts = {1: Placement.parse("6c/-/2c")}
    for viewer in (0, 1, 2, None, 5):
        view = view_hand(HAND, 3, viewer, drafts)
        assert (view.number, view.street, view.button, view.closed) == (3, 1, 0, False)
        assert view.you == (viewer if viewer in (0, 1, 2) else None)
        acting, *others = view.players
        assert (acting.seat, acting.acting, acting.to_lay) == (1, True, 5)
        assert (acting.dealt, acting.dealt_count, acting.draft) == (DECK[:5], 5, "6c/-/2c")
        for other in others:
            assert (other.acting, other.to_lay) == (False, 0)
            assert (other.dealt, other.dealt_count, other.draft) == ((), 0, None)


def test_later_streets_are_open_to_their_owner_alone() -> None:
    drafts = {2: Placement.parse("-/Kd/- xJd")}
    for viewer in (0, 1, 2, None):
        view = view_hand(LATER, 3, viewer, drafts)
        first, acting, last = view.players
        assert (view.street, [player.acting for player in view.players]) == (2, [False, True, False])
        assert [first.street, acting.street, last.street] == [3, 2, 2]
        assert acting.dealt_count == 3
        assert acting.dealt == (DECK[22:25] if viewer == 2 else ())
        assert acting.draft == ("-/Kd/- xJd" if viewer == 2 else None)
        assert str(first.board) == "2c7c/3c4c/5c6c9c"
        assert first.laid == (Card("7c"), Card("9c"))
        assert (first.discards, first.discard_count) == ((Card("8c"),) if viewer == 1 else (), 1)
        assert (last.discards, last.discard_count, last.dealt_count) == ((), 0, 0)


def test_a_draft_left_over_from_an_earlier_turn_is_not_shown() -> None:
    view = view_hand(LATER, 3, 1, {1: Placement.parse("7c/-/9c x8c")})
    assert all(player.draft is None for player in view.players)


def test_the_showdown_comes_with_the_last_card_and_discards_stay_hidden() -> None:
    hand = LATER
    while hand.acting:
        assert view_hand(hand, 3, None, {}).reckoning is None
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    view = view_hand(hand, 3, 2, {})
    assert view.street is None
    assert all(player.done and not player.acting for player in view.players)
    assert view.reckoning == hand.reckoning is not None
    assert [player.street for player in view.players] == [6, 6, 6]
    assert [len(player.discards) for player in view.players] == [0, 4, 0]
    assert [player.discard_count for player in view.players] == [4, 4, 4]


# -- what is hidden, until the showdown


def face_down(player: PlayerView) -> bool:
    """Whether a view shows nothing of a player but that he is there, and whether he is done."""
    nothing = (player.board, player.street, player.laid, player.dealt, player.dealt_count, player.to_lay)
    return (
        player.hidden
        and nothing == (Board(), None, (), (), 0, 0)
        and (player.draft, player.discards, player.discard_count) == (None, (), 0)
    )


def by_the_table(hand: Hand, player: int) -> Hand:
    return hand.place(player, hand.automatic(player, None))


@pytest.mark.parametrize("rules", [CLUB, CLUB_PINEAPPLE, ROOM.but({"street_one": "closed"})])
def test_a_closed_first_street_is_its_owners_until_it_is_confirmed(rules: RuleSet) -> None:
    hand = Hand.deal(rules, DECK, (1, 0))
    drafts = {1: Placement.parse("6c/-/2c")}
    for viewer in (0, 1, None):
        acting = view_hand(hand, 1, viewer, drafts).players[0]
        assert (acting.acting, acting.hidden, acting.street, acting.dealt_count, acting.to_lay) == (
            True,
            False,
            1,
            5,
            5,
        )
        assert (acting.dealt, acting.draft) == ((DECK[:5], "6c/-/2c") if viewer == 1 else ((), None))
    laid = hand.place(0, Placement.parse("2c/3c4c/5c6c"))
    for viewer in (0, 1, None):
        first = view_hand(laid, 1, viewer, drafts).players[0]
        assert (str(first.board), first.laid) == ("2c/3c4c/5c6c", tuple(DECK[:5]))


def test_the_clubs_single_cards_are_closed() -> None:
    hand = by_the_table(by_the_table(Hand.deal(CLUB, DECK, (1, 0)), 0), 1)
    for viewer in (0, 1, None):
        acting = view_hand(hand, 1, viewer, {}).players[0]
        assert (acting.street, acting.dealt_count, acting.to_lay, acting.discard_count) == (2, 1, 1, 0)
        assert acting.dealt == ((Card("7c"),) if viewer == 1 else ())


def test_fantasyland_after_the_others_is_hidden_until_the_showdown() -> None:
    hand = Hand.deal(ROOM, DECK, (2, 0, 1), fantasyland=(0, 14, 0))
    while hand.acting:
        for viewer in (0, 1, 2, None):
            view = view_hand(hand, 1, viewer, {0: Placement.parse("-/-/2d")})
            other, fantasy, last = view.players
            assert not view.closed
            assert fantasy.fantasyland == 14
            if viewer == 0:
                assert not fantasy.hidden
                assert fantasy.dealt == (DECK[17:31] if fantasy.acting else ())
                assert (fantasy.to_lay, fantasy.draft) == ((13, "-/-/2d") if fantasy.acting else (0, None))
            else:
                assert face_down(fantasy)
            assert (other.board, last.board) == (hand.boards[0], hand.boards[2])
            assert (view.street is None) == (hand.acting == (1,))
        hand = by_the_table(hand, hand.acting[0])
    for viewer in (0, 1, 2, None):
        fantasy = view_hand(hand, 1, viewer, {}).players[1]
        assert (fantasy.hidden, fantasy.done, fantasy.board) == (False, True, hand.boards[1])
        assert (len(fantasy.discards), fantasy.discard_count) == (1 if viewer == 0 else 0, 1)


def test_where_all_but_one_are_in_fantasyland_nobody_sees_anybody() -> None:
    hand = Hand.deal(ROOM, DECK, (2, 0, 1), fantasyland=(14, 0, 14))
    while hand.acting:
        for viewer in (0, 1, 2, None):
            view = view_hand(hand, 1, viewer, {seat: Placement.parse("-/-/-") for seat in (0, 1, 2)})
            assert (view.closed, view.street, view.reckoning) == (True, None, None)
            for player in view.players:
                assert face_down(player) == (player.seat != viewer)
            own = [player for player in view.players if player.seat == viewer]
            assert all(player.dealt == hand.dealt(hand.seats.index(player.seat)) for player in own)
        hand = by_the_table(hand, hand.acting[-1])
    view = view_hand(hand, 1, None, {})
    assert [player.board for player in view.players] == list(hand.boards)
    assert not any(player.hidden or player.discards for player in view.players)


def test_fantasyland_from_the_start_hides_only_itself() -> None:
    hand = Hand.deal(CLUB_PINEAPPLE, DECK, (2, 0), fantasyland=(13, 0))
    for place in (0, 1):
        view = view_hand(hand, 1, None, {})
        fantasy, other = view.players
        assert (view.closed, view.street) == (False, place + 1)
        assert face_down(fantasy)
        assert (fantasy.acting, fantasy.done, other.acting) == (True, False, True)
        assert (other.hidden, other.board, other.dealt_count) == (False, hand.boards[1], (5, 3)[place])
        hand = by_the_table(hand, 1)
    done = view_hand(by_the_table(hand, 0), 1, None, {}).players[0]
    assert (face_down(done), done.acting, done.done) == (True, False, True)
