"""What can be asked of a table: by players, and by the room itself.

A command carries who asks; the room fills that in from the session, never from the message. Times are not here:
`decide` is told the time.
"""

from __future__ import annotations

import msgspec

from ananas.game.board import Placement
from ananas.game.cards import Card
from ananas.game.rules import RuleSet


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True):
    """Something asked of a table; it changes nothing until it is decided."""


# -- asked by people and bots


class Sit(Command, frozen=True, kw_only=True):
    """Take a seat, a given one or the first free one; the lowest buy-in is reserved."""

    player: str
    name: str
    bot: bool = False
    seat: int | None = None


class Leave(Command, frozen=True, kw_only=True):
    """Give the seat up: at once between hands, after this hand otherwise."""

    player: str


class Ready(Command, frozen=True, kw_only=True):
    """Confirm that one plays the hand to come; `always` answers for later hands too.

    `hand` is the number of the hand to come.
    """

    player: str
    hand: int
    always: bool


class Return(Command, frozen=True, kw_only=True):
    """Come back from sitting out, or stay after having asked to leave."""

    player: str


class Confirm(Command, frozen=True, kw_only=True):
    """Lay the cards of one street, finally; the command names its turn."""

    player: str
    hand: int
    street: int
    placement: Placement


# -- asked by the room


class Open(Command, frozen=True, kw_only=True):
    """Open the table; the first command of its life."""

    table: str
    name: str
    host: str
    rules: RuleSet


class Deal(Command, frozen=True, kw_only=True):
    """Give a called hand its deck; `lot`, from 0 to 11 evenly, draws the first button."""

    deck: tuple[Card, ...]
    lot: int


class TimeOut(Command, frozen=True, kw_only=True):
    """The table's deadline has passed; `draft` is what the acting seat had arranged, from the room's memory."""

    draft: Placement | None = None


class Resume(Command, frozen=True, kw_only=True):
    """The room was away for `lost_ms`; nobody pays for that."""

    lost_ms: int
