"""Whole sessions at a table, in any order that Hypothesis can think of."""

from __future__ import annotations

import re
from collections.abc import Callable

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

import tests.table.play
from ananas.game.board import Placement
from ananas.game.cards import DECK, Card
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.table.clock import HELD_MS, deadline
from ananas.table.commands import Command, Confirm, Leave, Ready, Resume, Return, Sit, TimeOut
from ananas.table.decide import decide
from ananas.table.events import AnyEvent, Confirmed, HandDealt, HandScored, Resumed, ShowdownEnded
from ananas.table.evolve import evolve
from ananas.table.state import Table, needs_deck
from ananas.table.view import Action, Live, view_table
from tests.table.play import NAMES, Play, join, legal, split, unfinished

PLAYERS = st.sampled_from(["ann", "bob", "cyd", "bot:0"])
CHOICES = st.integers(min_value=0, max_value=10_000)
MILLISECONDS = st.sampled_from([1, 900, 20_000, HELD_MS])
PLACEMENTS = st.lists(st.lists(st.sampled_from(DECK), max_size=5).map(tuple), min_size=4, max_size=4)


class Session(RuleBasedStateMachine):
    """One table from its opening on; every answer is held against what must always be true."""

    @initialize(seats=st.sampled_from([2, 3]), lot=st.integers(0, 11), seconds=st.sampled_from([5, 60, 3600]))
    def open(self, seats: int, lot: int, seconds: int) -> None:
        self.play = Play(RuleSet(seats=seats, hand_seconds=seconds, buy_in=5), lot=lot)
        self.told, self.read = "", 0
        self.recovered: Table | None = None

    # -- what is asked

    @rule(player=PLAYERS, seat=st.none() | st.integers(-1, 3))
    def sit(self, player: str, seat: int | None) -> None:
        self.ask(
            Sit(player=player, name=NAMES[player], bot=player.startswith("bot:"), seat=seat),
            "sit" if seat is None else None,
        )

    @rule(player=PLAYERS)
    def leave(self, player: str) -> None:
        self.ask(Leave(player=player), "leave")

    @precondition(lambda self: any(seat.leaving or seat.sitting_out for _, seat in self.play.table.seated))
    @rule(player=PLAYERS)
    def come_back(self, player: str) -> None:
        self.ask(Return(player=player), "return")

    @rule(player=PLAYERS, always=st.booleans(), ahead=st.sampled_from([0, 1, 1, 1, 2]))
    def ready(self, player: str, always: bool, ahead: int) -> None:
        self.ask(
            Ready(player=player, hand=self.play.table.hands + ahead, always=always), "ready" if ahead == 1 else None
        )

    @precondition(lambda self: not self.play.table.busy)
    @rule(always=st.booleans(), but=st.none() | PLAYERS)
    def everybody_ready(self, always: bool, but: str | None) -> None:
        for player in ("ann", "bot:0", "bob")[: len(self.play.table.seats)]:
            self.ask(Sit(player=player, name=NAMES[player], bot=player.startswith("bot:")), "sit")
        for _, seat in self.play.table.seated:
            if seat.player != but:
                self.ask(Ready(player=seat.player, hand=self.play.table.hands + 1, always=always), "ready")

    @precondition(lambda self: self.play.table.busy)
    @rule(choices=st.lists(CHOICES, max_size=8), pause=st.sampled_from([0, 1, 700]))
    def confirm(self, choices: list[int], pause: int) -> None:
        for choice in choices:
            turn = self.play.table.turn
            if turn is None:
                break
            self.play.now += pause
            player, street = self.play.table.players[turn], self.play.hand.street_of(turn)
            placement = legal(self.play.hand, choice)
            self.ask(Confirm(player=player, hand=self.play.table.hands, street=street, placement=placement), "confirm")

    @precondition(lambda self: self.play.table.hands > 0)
    @rule(player=PLAYERS, hand=st.integers(-1, 1), street=st.integers(1, 6), cards=PLACEMENTS)
    def confirm_anything(self, player: str, hand: int, street: int, cards: list[tuple[Card, ...]]) -> None:
        hand += self.play.table.hands
        self.ask(Confirm(player=player, hand=hand, street=street, placement=Placement(*cards)))

    @rule(after=MILLISECONDS, choice=st.none() | CHOICES)
    def time_passes(self, after: int, choice: int | None) -> None:
        self.play.now += after
        self.ring(choice)

    @rule(choice=st.none() | CHOICES)
    def deadline_comes(self, choice: int | None) -> None:
        self.play.now = max(self.play.now, deadline(self.play.table) or 0)
        self.ring(choice)

    @rule(lost=MILLISECONDS, counted=st.booleans())
    def resume(self, lost: int, counted: bool) -> None:
        self.play.now += lost
        before = deadline(self.play.table)
        self.play.ask(Resume(lost_ms=lost))
        assert deadline(self.play.table) == (None if before is None else before + lost)

    def ring(self, choice: int | None) -> None:
        laying = self.play.table.turn is not None
        draft = unfinished(self.play.hand, choice) if laying and choice is not None else None
        due = deadline(self.play.table)
        events = self.play.ask(TimeOut(draft=draft))
        self.play.deal_if_owed()
        assert bool(events) == (due is not None and due <= self.play.now)
        due = deadline(self.play.table)
        assert due is None or due > self.play.now

    def ask(self, command: Sit | Leave | Ready | Return | Confirm, action: Action | None = None) -> None:
        """Ask; where the sender's view offers the action it is taken, and where it does not it is refused."""
        offered = view_table(self.play.table, command.player, self.play.now, Live()).may
        try:
            self.play.ask(command)
        except Refused:
            assert action not in offered
        else:
            assert action is None or action in offered
            self.play.deal_if_owed()

    # -- what is always true

    @invariant()
    def recovery_gives_the_same_table(self) -> None:
        for event in self.play.log[self.read :]:
            self.recovered = evolve(self.recovered, join(*split(event)))
            self.told = "" if isinstance(event, HandDealt) else self.told + split(event)[0].decode()
        self.read = len(self.play.log)
        assert self.recovered == self.play.table

    @invariant()
    def what_is_told_to_all_names_the_cards_on_the_boards_and_no_other(self) -> None:
        if self.play.table.hand is not None:
            open_cards = {str(card) for board in self.play.hand.boards for card in board.cards}
            assert set(re.findall("[2-9TJQKA][cdhs]", self.told)) == open_cards

    @invariant()
    def points_are_neither_made_nor_lost(self) -> None:
        table = self.play.table
        purses = [(seat.stack, seat.brought) for _, seat in table.seated]
        purses += [(purse.stack, purse.brought) for purse in table.gone.values()]
        assert sum(stack - brought for stack, brought in purses) == 0
        assert all(sum(event.points) == 0 for event in self.play.log if isinstance(event, HandScored))

    @invariant()
    def a_deck_is_owed_to_nobody_and_a_hand_has_a_human(self) -> None:
        assert not needs_deck(self.play.table)
        if self.play.table.clock is not None:
            assert not all(player.startswith("bot:") for player in self.play.table.players)

    def teardown(self) -> None:
        """Nobody waits for ever: whatever was left undone, deadlines alone bring the table to rest."""
        if not hasattr(self, "play"):
            return
        play, rings = self.play, 0
        while (due := deadline(play.table)) is not None:
            play.now = max(play.now, due)
            assert play.ask(TimeOut()), "a deadline has to do something"
            play.deal_if_owed()
            rings += 1
            assert rings < 20, "a table has to come to rest"
        assert play.table.clock is None
        assert all(seat.bot or seat.ready for _, seat in play.table.seated)


Session.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
test_sessions = Session.TestCase


# -- faults that all of this has to notice


def tells_the_discard(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, Confirmed) and event.hidden:
        return replace(event, rows=event.hidden.placement)
    return event


def makes_a_point(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, HandScored):
        return replace(event, stacks=(event.stacks[0] + 1, *event.stacks[1:]))
    return event


def forgets_the_end_of_the_showdown(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, ShowdownEnded) else event


def charges_an_outage(event: AnyEvent) -> AnyEvent | None:
    return replace(event, lost_ms=event.lost_ms - 1) if isinstance(event, Resumed) else event


@pytest.mark.parametrize(
    "fault",
    [tells_the_discard, makes_a_point, forgets_the_end_of_the_showdown, charges_an_outage],
)
def test_a_planted_fault_is_noticed(
    fault: Callable[[AnyEvent], AnyEvent | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(table: Table | None, command: Command, now: int) -> tuple[AnyEvent, ...]:
        return tuple(event for told in decide(table, command, now) if (event := fault(told)) is not None)

    monkeypatch.setattr(tests.table.play, "decide", faulty)
    once = settings(Session.TestCase.settings, phases=[Phase.generate], derandomize=True, database=None)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(Session, settings=once)
