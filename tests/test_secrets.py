"""The law of secrets: shuffle all that a viewer cannot know, and everything he receives is byte for byte the same.

A session at a table is played twice: as it was, and in a twin world in which

- the cards this viewer never comes to know have changed places: others' discards, cards in others' hands, what lies face
  down (in Fantasyland, and in a hand that all lay at once), the undealt;
- others received the cards of a street, or of Fantasyland, in another order, where that is not laid in the open;
- others' drafts are different ones, but on a first street that is open;
- the sealed decks are made from another secret, with the same root in front of it, which hides it: what the proofs of cards
  may tell is looked at in `tests/trust/twins.py`, with trees that were really made;

and everybody makes the same visible choices; the host stops the game, removes, changes the rules, and passes his role on
as he likes. The views of both worlds are compared after every step, as bytes. What lies
face down is known to all after the showdown, so that sessions are broken off in the midst of hands as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import Phase, given, settings
from msgspec.structs import replace

import ananas.table.decide
from ananas.game.board import ROWS, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.game.view import PlayerView, view_hand
from ananas.protocol import View, encode
from ananas.table.account import account
from ananas.table.commands import Confirm, Deal, Seal, TimeOut
from ananas.table.events import AutoPlaced, Confirmed
from ananas.table.state import Table
from ananas.table.view import Live, SaidView, TableView, view_table
from tests.table.play import split, unfinished
from tests.table.session import CHOICES, PLAYERS, RULES, Step, session, step

Show = Callable[[Table, str | None, int, Live], TableView]
"""How a table is shown. The law is held against `view_table`, and has to catch those that tell too much."""

WATCHERS = (*PLAYERS, None)

SAID = (SaidView(number=1, seat=0, phrase="hurry"), SaidView(number=2, seat=1, phrase="one-moment"))
"""What has just been said at the table, in both worlds."""


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
            for street in range(1, len(hand.placements[player]) + 1):
                # Where the table laid by order of receipt, that order is known to everybody.
                if player != own and (number, seat, street) not in auto and not seen_by_all(hand, player, street):
                    start, end = received(hand, player, street)
                    cards[start:end] = mixed(cards[start:end], seed)
        known = known_cards(hand, own)
        unknown = [card for card in cards if card not in known]
        counterpart = dict(zip(cards, cards, strict=True)) | dict(zip(unknown, mixed(unknown, seed), strict=True))
        found[number] = Twin(tuple(counterpart[card] for card in cards), counterpart)
    return found


def received(hand: Hand, player: int, street: int) -> tuple[int, int]:
    """Where in the deck the cards of a street lie, or all those of Fantasyland."""
    own = player * (52 // len(hand.seats))
    if hand.fantasyland[player]:
        return own, own + hand.fantasyland[player]
    ends = list(accumulate(hand.rules.deal, initial=own))
    return ends[street - 1], ends[street]


def face_down(hand: Hand, player: int) -> bool:
    """Whether a player lays what others see only at the showdown."""
    return hand.closed or hand.fantasyland[player] > 0


def seen_by_all(hand: Hand, player: int, street: int) -> bool:
    """Whether a player lays this street before the eyes of all."""
    return street == 1 and hand.rules.street_one == "open" and not face_down(hand, player)


def known_cards(hand: Hand, own: int | None) -> set[Card]:
    """What a player, or a spectator, has come to know of the deck by now."""
    known: set[Card] = set()
    for player, board in enumerate(hand.boards):
        if player == own or hand.over or not face_down(hand, player):
            known |= set(board.cards)
        if player == own or seen_by_all(hand, player, hand.street_of(player)):
            known |= set(hand.dealt(player))
        if seen_by_all(hand, player, 1):
            # Where the first street has a discard, that lay open as well.
            known |= {card for placement in hand.placements[player][:1] for card in placement.cards}
    if own is not None:
        known |= {card for placement in hand.placements[own] for card in placement.discards}
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
            case Seal():
                command = replace(command, master=hashlib.sha256(f"{seed} {command.master}".encode()).hexdigest())
            case Confirm():
                command = replace(command, placement=hands[command.hand].placement(command.placement))
            case TimeOut(drafts=drafts) if drafts:
                assert table is not None
                twin = hands[table.hands]
                command = replace(command, drafts={seat: twin.placement(draft) for seat, draft in drafts.items()})
            case _:
                pass
        result = step(table, moment.now, command, {})
        different: dict[int, Placement] = {}
        for seat, draft in moment.drafts.items():
            different |= twin_draft(result.table, seat, draft, viewer, seed)
        other.append(replace(result, drafts=different))
    return other


def twin_draft(table: Table, seat: int, draft: Placement, viewer: str | None, seed: int) -> dict[int, Placement]:
    """A draft that all see, or of the viewer's own, is the same; any other is another one, or none."""
    hand = table.hand
    assert hand is not None
    player = hand.seats.index(seat)
    if table.players[player] == viewer or seen_by_all(hand, player, hand.street_of(player)):
        return {seat: draft}
    return {seat: unfinished(hand, seed, player)} if seed % 3 else {}


# -- the law


def hold(steps: Sequence[Step], viewer: str | None, seed: int, show: Show) -> None:
    """Raise `Leak` where the viewer, or the public log, tells the two worlds apart."""
    for number, (one, other) in enumerate(zip(steps, twin_session(steps, viewer, seed), strict=True)):
        seen = [
            encode(
                View(
                    version=number,
                    view=show(
                        world.table,
                        viewer,
                        world.now,
                        Live(drafts=world.drafts, spectators=number % 2, said=SAID[: number % 3]),
                    ),
                )
            )
            for world in (one, other)
        ]
        if seen[0] != seen[1]:
            raise Leak(f"step {number}, {viewer} sees a difference:\n{seen[0].decode()}\n{seen[1].decode()}")
        accounts = [account(world.table, viewer) for world in (one, other)]
        if accounts[0] != accounts[1]:
            raise Leak(f"step {number}, {viewer} is told another account:\n{accounts[0]}\n{accounts[1]}")
        told = [[split(event)[0] for event in world.events] for world in (one, other)]
        if told[0] != told[1]:
            raise Leak(f"step {number}, the public log differs:\n{told[0]}\n{told[1]}")


def stand_still(steps: Sequence[Step], viewer: str | None, show: Show) -> None:
    """Raise `Leak` where a street that is laid face down changes anything for the others, before it is the last one.

    Nobody has to know how far he is who lays beside the others: only that he is done.
    """
    for before, after in pairwise(steps):
        match after.events:
            case (Confirmed(seat=seat, rows=None),) if after.table.hand and after.table.seat_of(viewer or "") != seat:
                if after.table.hand.done(after.table.hand.seats.index(seat)):
                    continue
                seen = [show(moment.table, viewer, after.now, Live(drafts=moment.drafts)) for moment in (before, after)]
                if encode(View(version=0, view=seen[0])) != encode(View(version=0, view=seen[1])):
                    raise Leak(f"{viewer} sees what is laid face down:\n{seen[0]}\n{seen[1]}")
            case _:
                pass


def law(show: Show, how: settings) -> None:
    @how
    @given(rules=RULES, choices=CHOICES, seed=st.integers(0, 1000), cuts=st.lists(st.floats(0, 1), max_size=3))
    def holds(rules: RuleSet, choices: list[int], seed: int, cuts: list[float]) -> None:
        steps = session(rules, choices)
        open_ends = [end for end, moment in enumerate(steps, 1) if moment.table.laying]
        ends = {len(steps), *(open_ends[int(cut * (len(open_ends) - 1))] for cut in cuts if open_ends)}
        for end in ends:
            for viewer in WATCHERS:
                hold(steps[:end], viewer, seed, show)
        for viewer in WATCHERS:
            stand_still(steps, viewer, show)

    holds()


def test_nobody_is_shown_what_he_cannot_know() -> None:
    law(view_table, settings(max_examples=60, deadline=None))


# -- views and events that tell too much

ONCE = settings(
    max_examples=300,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)


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


@tell
def boards_face_down(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    return replace(shown, board=table.hand.boards[player])


@tell
def what_was_laid_last_face_down(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    return replace(shown, laid=placed(table, player)[-1].laid) if placed(table, player) else shown


@tell
def drafts_of_fantasyland(_table: Table, _player: int, shown: PlayerView, live: Live) -> PlayerView:
    draft = live.drafts.get(shown.seat)
    return replace(shown, draft=str(draft)) if shown.fantasyland and draft else shown


@tell
def whether_a_board_face_down_is_dead(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    if not shown.hidden or not table.hand.done(player):
        return shown
    return replace(shown, discard_count=int(fouled(table.hand.boards[player], table.rules)))


@tell
def how_far_one_is_face_down(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    return replace(shown, street=table.hand.street_of(player))


@tell
def how_much_one_has_thrown_away_face_down(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    return replace(shown, discard_count=sum(len(placement.discards) for placement in placed(table, player)))


@tell
def a_closed_first_street(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    return replace(shown, dealt=table.hand.dealt(player)) if shown.street == 1 else shown


@tell
def discards_after_the_showdown(table: Table, player: int, shown: PlayerView, _live: Live) -> PlayerView:
    assert table.hand is not None
    if not table.hand.over:
        return shown
    return replace(shown, discards=tuple(card for placement in placed(table, player) for card in placement.discards))


def whose_clock_would_have_stopped(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
    """Stops the clock of one who lays face down while he has no card in a row."""
    view = view_table(table, viewer, now, live)
    if table.hand is None or not table.hand.closed:
        return view
    seats = tuple(
        replace(seat, clock=replace(seat.clock, running=seat.seat in live.drafts)) if seat and seat.clock else seat
        for seat in view.seats
    )
    return replace(view, seats=seats)


def from_what_decks_are_made(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
    """Tells the secret in place of the root that hides it."""
    view = view_table(table, viewer, now, live)
    if view.fair is None or table.sealed is None:
        return view
    return replace(view, fair=replace(view.fair, root=table.sealed.master))


def by_what_seeds_are_told(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
    """Lets time for seeds run out by what was thrown away last."""
    view = view_table(table, viewer, now, live)
    if view.fair is None or table.hand is None:
        return view
    thrown = [card for placements in table.hand.placements for placement in placements for card in placement.discards]
    return replace(view, fair=replace(view.fair, open_ms=sum(map(DECK.index, thrown))))


def what_is_said_of_drafts(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
    """Puts a word into the mouth of everybody who has arranged his cards."""
    view = view_table(table, viewer, now, live)
    words = tuple(SaidView(number=3 + seat, seat=seat, phrase="wow") for seat in live.drafts)
    return replace(view, said=view.said + words)


@pytest.mark.parametrize(
    "show",
    [
        pytest.param(what_is_said_of_drafts, id="said of drafts"),
        pytest.param(from_what_decks_are_made, id="master"),
        pytest.param(by_what_seeds_are_told, id="time for seeds"),
        pytest.param(boards_face_down, id="boards face down"),
        pytest.param(what_was_laid_last_face_down, id="cards laid last"),
        pytest.param(drafts_of_fantasyland, id="drafts of Fantasyland"),
        pytest.param(whether_a_board_face_down_is_dead, id="dead or not"),
        pytest.param(how_far_one_is_face_down, id="how far one is"),
        pytest.param(how_much_one_has_thrown_away_face_down, id="how much was thrown away"),
        pytest.param(a_closed_first_street, id="closed first street"),
        pytest.param(discards_after_the_showdown, id="discards after the showdown"),
        pytest.param(whose_clock_would_have_stopped, id="clock"),
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
    with pytest.raises(Leak):
        law(show, ONCE)


def test_an_event_that_tells_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(_hand: Hand, _player: int, placement: Placement) -> str:
        return placement.rows

    monkeypatch.setattr(ananas.table.decide, "_rows", rows)
    with pytest.raises(Leak):
        law(view_table, ONCE)
