"""Finished hands out of a table's log, as somebody may know them: what is offered for download.

The log is read once, from its beginning to the hand that is asked for; only hands that are wanted are played again.
What belongs here: finding hands in a log. What does not: who may know what of a hand, and its text, which
`game/notation` has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, write_histories, write_history
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    Confirmed,
    HandCalled,
    HandDealt,
    HandScored,
    Opened,
    Sat,
    ToppedUp,
)


class FinishedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that has been counted.

    `number` and `match` count from 1; `at`: when it was dealt, in milliseconds. `players`: who was dealt in, in order
    of play, `names`: what they were called. `automatic`: what the table laid, by seat and street, with the draft it
    kept, if any.
    """

    number: int
    match: int
    table: str
    at: int
    hand: Hand
    players: tuple[str, ...]
    names: tuple[str, ...]
    automatic: Mapping[tuple[int, int], Placement | None] = {}

    def seen_by(self, player: str | None) -> HandHistory:
        """What a player may know of it; None, or somebody who was not dealt in, sees what a spectator sees."""
        seat = self.hand.seats[self.players.index(player)] if player in self.players else None
        history = HandHistory.seen_by(self.hand, seat, self.names, self.automatic)
        dealt = datetime.fromtimestamp(self.at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return replace(history, table=self.table, match=self.match, number=self.number, time=dealt)


def one_hand(events: Sequence[AnyEvent], number: int, player: str | None) -> str:
    """The text of one hand as a player may know it. Raises `Refused("no-such-hand")` unless it has been counted."""
    found = next(finished_hands(events, number), None)
    if found is None:
        raise Refused("no-such-hand")
    return write_history(found.seen_by(player))


def every_hand(events: Sequence[AnyEvent], player: str | None) -> str:
    """The text of all hands that have been counted, as a player may know them; refused as `one_hand` where none has."""
    hands = [found.seen_by(player) for found in finished_hands(events)]
    if not hands:
        raise Refused("no-such-hand")
    return write_histories(hands)


def finished_hands(events: Sequence[AnyEvent], only: int | None = None) -> Iterator[FinishedHand]:
    """The hands that have been counted, in order; `only`: no other than this one. Wants events with their hidden parts."""
    opened = next(event for event in events if isinstance(event, Opened))
    matches = 0
    seated: dict[int, Sat] = {}
    stacks: dict[int, int] = {}
    hand: FinishedHand | None = None
    for event in events:
        match event:
            case Sat():
                seated[event.seat], stacks[event.seat] = event, event.stack
            case ToppedUp():
                stacks[event.seat] = event.stack
            case HandCalled():
                matches += event.first
            case HandDealt() if only in {None, event.hand}:
                sides = [seated[seat] for seat in event.seats]
                hand = FinishedHand(
                    number=event.hand,
                    match=matches,
                    table=opened.name,
                    at=event.at,
                    hand=_dealt(event, opened.rules, tuple(stacks[seat] for seat in event.seats)),
                    players=tuple(side.player for side in sides),
                    names=tuple(side.name for side in sides),
                )
            case Confirmed() | AutoPlaced() if hand is not None:
                hand = _placed(hand, event)
            case HandScored():
                if hand is not None:
                    yield hand
                if event.hand == only:
                    return
                hand = None
                stacks.update(zip(event.seats, event.stacks, strict=True))
            case _:
                pass


def _dealt(event: HandDealt, rules: RuleSet, stacks: tuple[int, ...]) -> Hand:
    assert event.hidden is not None
    return Hand.deal(
        rules,
        event.hidden.deck,
        event.seats,
        stacks=stacks,
        fantasyland=event.fantasyland,
        repeats=event.repeats,
    )


def _placed(found: FinishedHand, event: Confirmed | AutoPlaced) -> FinishedHand:
    assert event.hidden is not None
    placement = Placement.parse(event.hidden.placement)
    hand = found.hand.place(found.hand.seats.index(event.seat), placement)
    if isinstance(event, Confirmed):
        return replace(found, hand=hand)
    kept = None if event.hidden.kept is None else Placement.parse(event.hidden.kept)
    return replace(found, hand=hand, automatic={**found.automatic, (event.seat, event.street): kept})
