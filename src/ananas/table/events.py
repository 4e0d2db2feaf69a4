"""What happened at a table. The log of these is the truth; the state is their fold.

Each event says only what everybody may know; what is hidden, for now or for ever, is in its field `hidden`, which the
store keeps apart and only recovery joins again. `at` is the room's time in milliseconds.
"""

from __future__ import annotations

import msgspec

from ananas.game.cards import Card
from ananas.game.rules import RuleSet


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True):
    """Something that happened at a table."""

    at: int


class Opened(Event, frozen=True, kw_only=True):
    """The table was opened, with its rules and its host."""

    table: str
    name: str
    host: str
    rules: RuleSet


class Sat(Event, frozen=True, kw_only=True):
    """Somebody took a seat with a stack; `brought` is what he has brought to this table in all."""

    seat: int
    player: str
    name: str
    bot: bool
    stack: int
    brought: int


class Leaving(Event, frozen=True, kw_only=True):
    """A player in a hand will leave when it ends."""

    seat: int


class Left(Event, frozen=True, kw_only=True):
    """A seat was given up; its stack is remembered for a return."""

    seat: int


class BecameReady(Event, frozen=True, kw_only=True):
    """A seat plays the hand to come."""

    seat: int
    always: bool


class SatOut(Event, frozen=True, kw_only=True):
    """A seat was not ready in time and plays no hands until it returns."""

    seat: int


class Returned(Event, frozen=True, kw_only=True):
    """A seat came back from sitting out, or stays after all."""

    seat: int


class HandCalled(Event, frozen=True, kw_only=True):
    """All who play are ready; the room now owes a deck. `seats` are those dealt in."""

    hand: int
    seats: tuple[int, ...]


class HiddenDeck(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="deck"):
    """The deck of a hand."""

    deck: tuple[Card, ...]


class HandDealt(Event, frozen=True, kw_only=True):
    """A hand began; `seats` in order of play, the last of them on the button."""

    hand: int
    seats: tuple[int, ...]
    hidden: HiddenDeck | None


class HiddenPlacement(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="placement"):
    """A whole placement as text, discards included."""

    placement: str


class Confirmed(Event, frozen=True, kw_only=True):
    """A player laid his street; `rows` as text, without the discard."""

    seat: int
    street: int
    rows: str
    hidden: HiddenPlacement | None


class TimedOut(Event, frozen=True, kw_only=True):
    """A player's time for the hand is spent; the table lays for him from here on."""

    seat: int


class AutoPlaced(Event, frozen=True, kw_only=True):
    """The table laid a street for a player whose time is spent."""

    seat: int
    street: int
    rows: str
    hidden: HiddenPlacement | None


class HandScored(Event, frozen=True, kw_only=True):
    """The hand ended; points and the stacks after them, for the seats in order of play."""

    hand: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    stacks: tuple[int, ...]


class ShowdownEnded(Event, frozen=True, kw_only=True):
    """The time to look at the showdown is over; seats that are always ready become so."""


class Resumed(Event, frozen=True, kw_only=True):
    """The room came back after `lost_ms`; every running time is shifted by it."""

    lost_ms: int


AnyEvent = (
    Opened
    | Sat
    | Leaving
    | Left
    | BecameReady
    | SatOut
    | Returned
    | HandCalled
    | HandDealt
    | Confirmed
    | TimedOut
    | AutoPlaced
    | HandScored
    | ShowdownEnded
    | Resumed
)
"""Every event, as one tagged union: what the log holds."""

Hidden = HiddenDeck | HiddenPlacement
"""Everything that is kept apart from the events."""
