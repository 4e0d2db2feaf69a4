"""What each viewer sees of a hand, and the law of secrets: other hidden cards, the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ananas.game.board import Placement, placements
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import ROOM
from ananas.game.view import HandView, PlayerView, view_hand

Viewing = Callable[[Hand, int, int | None, Mapping[int, Placement]], HandView]


@dataclass(frozen=True)
class Script:
    """A hand of choices by position: nothing in it depends on what the cards are.

    `choices`: for each turn, which of all placements is taken. `drafts`: for each turn, which of its cards the draft
    has, as bits. `stop`: at which moment the watching ends; each turn has two, before and after its draft is made.
    """

    deck: tuple[Card, ...]
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    drafts: tuple[int, ...]
    stop: int


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    seats = draw(st.sampled_from([(0, 1), (2, 1), (1, 2, 0)]))
    turns = 5 * len(seats)
    return Script(
        deck=tuple(draw(st.permutations(DECK))),
        seats=seats,
        choices=tuple(draw(st.lists(st.integers(0, 10**6), min_size=turns, max_size=turns))),
        drafts=tuple(draw(st.lists(st.integers(0, 31), min_size=turns, max_size=turns))),
        stop=draw(st.one_of(st.just(2 * turns), st.integers(0, 2 * turns))),
    )


def watched(script: Script, deck: tuple[Card, ...], viewer: int | None, viewing: Viewing) -> list[bytes]:
    """Everything one viewer receives, moment by moment, until the watching stops."""
    hand = Hand.deal(ROOM, deck, script.seats)
    drafts: dict[int, Placement] = {}
    received: list[bytes] = []
    for choice, bits in zip(script.choices, script.drafts, strict=True):
        received.append(msgspec.json.encode(viewing(hand, 7, viewer, drafts)))
        player = hand.turn
        assert player is not None
        dealt = hand.dealt(player)
        ways = list(placements(hand.boards[player], dealt, ROOM.place[hand.street_of(player) - 1]))
        chosen = ways[choice % len(ways)]
        drafted = {card for place, card in enumerate(dealt) if bits >> place & 1}
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

    Written from the rules alone: one's own cards when they are dealt, everybody's on the first street, and what is
    laid once it is confirmed.
    """
    hand = Hand.deal(ROOM, DECK, script.seats)
    where = {card: place for place, card in enumerate(DECK)}
    seen: set[int] = set()
    for turn, choice in enumerate(script.choices):
        street, player = divmod(turn, len(script.seats))
        start = player * (52 // len(script.seats)) + (0, 5, 8, 11, 14)[street]
        dealt = range(start, start + (5 if street == 0 else 3))
        if 2 * turn <= script.stop and (street == 0 or script.seats[player] == viewer):
            seen.update(dealt)
        ways = list(placements(hand.boards[player], hand.dealt(player), ROOM.place[street]))
        hand = hand.place(player, ways[choice % len(ways)])
        if 2 * turn + 2 <= script.stop:
            seen.update(where[card] for card in hand.placements[player][-1].laid)
    return seen


def swapped(deck: tuple[Card, ...], one: int, other: int) -> tuple[Card, ...]:
    changed = list(deck)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def keep_secrets(viewing: Viewing, script: Script, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
    """Fail where any viewer receives other bytes because of cards that are hidden from him."""
    for viewer in (*script.seats, None):
        hidden = sorted(set(range(52)) - shown(script, viewer))
        one, other = draw(st.permutations(hidden))[:2]
        world = watched(script, script.deck, viewer, viewing)
        assert world == watched(script, swapped(script.deck, one, other), viewer, viewing)


@given(scripts(), st.data())
@settings(max_examples=150)
def test_hidden_cards_change_no_byte(script: Script, data: st.DataObject) -> None:
    keep_secrets(view_hand, script, data.draw)


@given(scripts(), st.data())
@settings(max_examples=50)
def test_what_the_rules_show_is_shown(script: Script, data: st.DataObject) -> None:
    """The law holds for a blank page as well; so every card one may know must change what he receives."""
    for viewer in (*script.seats, None):
        seen = shown(script, viewer)
        one = data.draw(st.sampled_from(sorted(seen)))
        other = data.draw(st.sampled_from(sorted(set(range(52)) - seen)))
        world = watched(script, script.deck, viewer, view_hand)
        assert world != watched(script, swapped(script.deck, one, other), viewer, view_hand)


# -- leaks planted on purpose: each must be caught by the law


def next_street_early(hand: Hand, number: int, viewer: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Shows a player his next cards before it is his turn."""

    def peek(player: PlayerView) -> PlayerView:
        index = hand.seats.index(player.seat)
        if player.seat != viewer or player.dealt or not 1 < player.street < 6:
            return player
        start = index * (52 // len(hand.seats)) + 5 + 3 * (player.street - 2)
        return msgspec.structs.replace(player, dealt=hand.deck[start : start + 3])

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
        acts = hand.turn is not None and hand.seats[hand.turn] == player.seat
        if not acts or player.street != 2 or player.seat not in drafts:
            return player
        return msgspec.structs.replace(player, draft=str(drafts[player.seat]))

    return with_players(view_hand(hand, number, viewer, drafts), uncover)


def with_players(view: HandView, change: Callable[[PlayerView], PlayerView]) -> HandView:
    return msgspec.structs.replace(view, players=tuple(change(player) for player in view.players))


@pytest.mark.parametrize("leak", [next_street_early, discards_of_all, private_draft])
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
        assert (view.number, view.street, view.button, view.turn) == (3, 1, 0, 1)
        assert view.you == (viewer if viewer in (0, 1, 2) else None)
        acting, *others = view.players
        assert (acting.seat, acting.dealt, acting.dealt_count, acting.draft) == (1, DECK[:5], 5, "6c/-/2c")
        assert all((other.dealt, other.dealt_count, other.draft) == ((), 0, None) for other in others)


def test_later_streets_are_open_to_their_owner_alone() -> None:
    drafts = {2: Placement.parse("-/Kd/- xJd")}
    for viewer in (0, 1, 2, None):
        view = view_hand(LATER, 3, viewer, drafts)
        assert (view.street, view.turn) == (2, 2)
        first, acting, last = view.players
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
    while (player := hand.turn) is not None:
        assert view_hand(hand, 3, None, {}).reckoning is None
        hand = hand.place(player, hand.automatic(player, None))
    view = view_hand(hand, 3, 2, {})
    assert (view.street, view.turn) == (5, None)
    assert view.reckoning == hand.reckoning is not None
    assert [player.street for player in view.players] == [6, 6, 6]
    assert [len(player.discards) for player in view.players] == [0, 4, 0]
    assert [player.discard_count for player in view.players] == [4, 4, 4]
