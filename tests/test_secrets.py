"""The law of secrets: shuffle all that a viewer cannot know, and everything he receives is byte for byte the same.

A session at a table is played twice: as it was, and in a twin world in which

- the cards this viewer never comes to know have changed places: others' discards, cards in others' hands, the undealt;
- what others threw away came to them as another of the three cards of that street;
- others' drafts after the first street are different ones;

and everybody makes the same visible choices. The views of both worlds are compared after every step, as bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import Phase, given, settings
from msgspec.structs import replace

from ananas.game.board import ROWS, Placement
from ananas.game.cards import Card
from ananas.game.hand import Hand
from ananas.game.view import PlayerView, view_hand
from ananas.protocol import View, encode
from ananas.table.commands import Confirm, Deal, TimeOut
from ananas.table.events import AutoPlaced
from ananas.table.state import Table
from ananas.table.view import Live, TableView, view_table
from tests.table.play import split, unfinished
from tests.table.session import CHOICES, PLAYERS, Step, session, step

Show = Callable[[Table, str | None, int, Live], TableView]
"""How a table is shown. The law is held against `view_table`, and has to catch those that tell too much."""

WATCHERS = (*PLAYERS, None)


class Leak(AssertionError):
    """A viewer was told something that depends on what he cannot know."""


# -- the twin world


class Twin(msgspec.Struct, frozen=True):
    """A hand in the twin world: its deck, and each card's counterpart there."""

    deck: tuple[Card, ...]
    counterpart: Mapping[Card, Card]

    def placement(self, placement: Placement) -> Placement:
        rows = [placement.row(row) for row in ROWS] + [placement.discards]
        return Placement(*(tuple(self.counterpart[card] for card in cards) for cards in rows))


def twins(steps: Sequence[Step], viewer: str | None, seed: int) -> dict[int, Twin]:
    """The twin of every hand of the session, by its number."""
    last = {moment.table.last_dealt: moment.table for moment in steps if moment.table.hand is not None}
    auto = {
        (moment.table.last_dealt, event.seat, event.street)
        for moment in steps
        for event in moment.events
        if isinstance(event, AutoPlaced)
    }
    found: dict[int, Twin] = {}
    for number, table in last.items():
        hand = table.hand
        assert hand is not None
        own = table.players.index(viewer) if viewer in table.players else None
        cards = list(hand.deck)
        for player, seat in enumerate(hand.seats):
            for street in range(2, hand.street_of(player)):
                # Where the table laid by order of receipt, that order is known to everybody.
                if player != own and (number, seat, street) not in auto:
                    start = player * (52 // len(hand.seats)) + 5 + 3 * (street - 2)
                    cards[start : start + 3] = mixed(cards[start : start + 3], seed)
        known = known_cards(hand, own)
        unknown = [card for card in cards if card not in known]
        counterpart = dict(zip(cards, cards, strict=True)) | dict(zip(unknown, mixed(unknown, seed), strict=True))
        found[number] = Twin(tuple(counterpart[card] for card in cards), counterpart)
    return found


def known_cards(hand: Hand, own: int | None) -> set[Card]:
    """What a player, or a spectator, has come to know of the deck by now."""
    known = {card for board in hand.boards for card in board.cards}
    if own is not None:
        known |= {card for placement in hand.placements[own] for card in placement.discards}
    if hand.turn is not None and (hand.turn == own or hand.street_of(hand.turn) == 1):
        known |= set(hand.dealt(hand.turn))
    return known


def mixed(cards: Sequence[Card], seed: int) -> list[Card]:
    return sorted(cards, key=lambda card: hashlib.sha256(f"{seed} {card}".encode()).digest())


def twin_session(steps: Sequence[Step], viewer: str | None, seed: int) -> list[Step]:
    """The same session in a world that differs only in what the viewer cannot know."""
    hands = twins(steps, viewer, seed)
    other: list[Step] = []
    for moment in steps:
        table = other[-1].table if other else None
        command = moment.command
        match command:
            case Deal():
                assert table is not None
                command = replace(command, deck=hands[table.hands].deck)
            case Confirm():
                command = replace(command, placement=hands[command.hand].placement(command.placement))
            case TimeOut(draft=Placement() as draft):
                assert table is not None
                command = replace(command, draft=hands[table.hands].placement(draft))
            case _:
                pass
        result = step(table, moment.now, command, {})
        drafts: dict[int, Placement] = {}
        for seat, draft in moment.drafts.items():
            drafts |= twin_draft(result.table, seat, draft, viewer, seed)
        other.append(replace(result, drafts=drafts))
    return other


def twin_draft(table: Table, seat: int, draft: Placement, viewer: str | None, seed: int) -> dict[int, Placement]:
    """A draft on an open street, or of the viewer's own, is the same; any other is another one, or none."""
    hand, turn = table.hand, table.turn
    if hand is None or turn is None or hand.seats[turn] != seat:
        return {}
    if hand.street_of(turn) == 1 or table.players[turn] == viewer:
        return {seat: draft}
    return {seat: unfinished(hand, seed)} if seed % 3 else {}


# -- the law


def hold(steps: Sequence[Step], viewer: str | None, seed: int, show: Show) -> None:
    """Raise `Leak` where the viewer, or the public log, tells the two worlds apart."""
    for number, (one, other) in enumerate(zip(steps, twin_session(steps, viewer, seed), strict=True)):
        connected = frozenset(player for player in PLAYERS if (number + len(player)) % 3)
        seen = [
            encode(
                View(
                    version=number,
                    view=show(
                        world.table,
                        viewer,
                        world.now,
                        Live(drafts=world.drafts, connected=connected, spectators=number % 2),
                    ),
                )
            )
            for world in (one, other)
        ]
        if seen[0] != seen[1]:
            raise Leak(f"step {number}, {viewer} sees a difference:\n{seen[0].decode()}\n{seen[1].decode()}")
        told = [[split(event)[0] for event in world.events] for world in (one, other)]
        if told[0] != told[1]:
            raise Leak(f"step {number}, the public log differs:\n{told[0]}\n{told[1]}")


def law(show: Show, how: settings) -> None:
    @how
    @given(seats=st.sampled_from([2, 3]), choices=CHOICES, seed=st.integers(0, 1000))
    def holds(seats: int, choices: list[int], seed: int) -> None:
        steps = session(seats, choices)
        for viewer in WATCHERS:
            hold(steps, viewer, seed, show)

    holds()


def test_nobody_is_shown_what_he_cannot_know() -> None:
    law(view_table, settings(max_examples=60, deadline=None))


# -- views that tell too much


def tell(change: Callable[[Table, int, PlayerView, Live], PlayerView]) -> Show:
    def show(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
        view = view_table(table, viewer, now, live)
        if view.hand is None:
            return view
        players = tuple(change(table, player, shown, live) for player, shown in enumerate(view.hand.players))
        return replace(view, hand=replace(view.hand, players=players))

    return show


def placed(table: Table, player: int) -> tuple[Placement, ...]:
    assert table.hand is not None
    return table.hand.placements[player]


@tell
def discards_of_others(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    return replace(shown, discards=tuple(card for placement in placed(table, player) for card in placement.discards))


@tell
def cards_in_others_hands(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    return replace(shown, dealt=table.hand.dealt(player))


@tell
def cards_of_the_next_street(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    own = table.hand.deck[player * (52 // len(table.hand.seats)) :]
    laid = sum(len(placement.cards) for placement in placed(table, player))
    return shown if shown.dealt_count else replace(shown, dealt=own[laid : laid + 3])


@tell
def how_many_cards_lie_in_a_draft(_table: Table, _player: int, shown: PlayerView, live: Live) -> PlayerView:
    draft = live.drafts.get(shown.seat, Placement())
    return replace(shown, dealt_count=max(0, shown.dealt_count - len(draft.laid)))


@tell
def where_in_the_hand_the_discard_was(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    if not shown.discard_count:
        return shown
    place = table.hand.deck.index(placed(table, player)[-1].discards[0])
    return replace(shown, discard_count=place)


@tell
def the_discard_sorted_in_among_the_cards_laid(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    if not shown.discard_count:
        return shown
    last = placed(table, player)[-1]
    return replace(shown, discard_count=sorted(last.cards).index(last.discards[0]))


def what_the_seat_saw_before_he_sat_down(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
    view = view_table(table, viewer, now, live)
    if table.hand is None or viewer is None:
        return view
    return replace(view, hand=view_hand(table.hand, table.last_dealt, table.seat_of(viewer), live.drafts))


@pytest.mark.parametrize(
    "show",
    [
        pytest.param(discards_of_others, id="discards"),
        pytest.param(cards_in_others_hands, id="cards in hand"),
        pytest.param(cards_of_the_next_street, id="next street"),
        pytest.param(how_many_cards_lie_in_a_draft, id="size of a draft"),
        pytest.param(where_in_the_hand_the_discard_was, id="place of the discard"),
        pytest.param(the_discard_sorted_in_among_the_cards_laid, id="rank of the discard"),
        pytest.param(what_the_seat_saw_before_he_sat_down, id="inherited seat"),
    ],
)
def test_a_view_that_tells_too_much_is_caught(show: Show) -> None:
    once = settings(max_examples=300, deadline=None, phases=[Phase.generate], derandomize=True, database=None)
    with pytest.raises(Leak):
        law(show, once)
