"""What can be asked of a table: by players, and by the room itself.

A command carries who asks; the room fills that in from the session, never from the message. Times are not here:
`decide` is told the time.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ananas.game.board import Placement
from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet
from ananas.table.events import VoidReason


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True):
    """Something asked of a table; it changes nothing until it is decided."""


# -- asked by people and bots


class Sit(Command, frozen=True, kw_only=True):
    """Take a seat, a given one or the first free one, with a buy-in; by default with the least he may bring."""

    player: str
    name: str
    bot: bool = False
    seat: int | None = None
    buy_in: int | None = None


class Leave(Command, frozen=True, kw_only=True):
    """Give the seat up: at once between matches, after this match otherwise."""

    player: str


class Ready(Command, frozen=True, kw_only=True):
    """Confirm that one plays the match to come; `always` answers for later matches too.

    `hand` is the number of the hand to come.
    """

    player: str
    hand: int
    always: bool


class Always(Command, frozen=True, kw_only=True):
    """Let the table answer for one before later matches, or no longer; it says nothing about the match to come now."""

    player: str
    on: bool


class SitOut(Command, frozen=True, kw_only=True):
    """Keep the seat without playing, until one returns."""

    player: str


class TopUp(Command, frozen=True, kw_only=True):
    """Bring chips, so that the stack becomes `to`."""

    player: str
    to: int


class GoOn(Command, frozen=True, kw_only=True):
    """Have seen the showdown of this hand; the next one of the match may begin."""

    player: str
    hand: int


class Waive(Command, frozen=True, kw_only=True):
    """Give up one's own right to Fantasyland where it is the only one, which ends the match."""

    player: str


class Return(Command, frozen=True, kw_only=True):
    """Come back from sitting out, or stay after having asked to leave."""

    player: str


class Confirm(Discreet, Command, frozen=True, kw_only=True):
    """Lay the cards of one street, finally; the command names its turn."""

    told = ("player", "hand", "street")

    player: str
    hand: int
    street: int
    placement: Placement


# -- asked by the host


class Break(Command, frozen=True, kw_only=True):
    """Stop the game for everybody, all times standing, or let it go on."""

    player: str
    on: bool


class Remove(Command, frozen=True, kw_only=True):
    """Take a bot, or somebody who is away, off his seat: at once between matches, after this match otherwise."""

    player: str
    seat: int


class SeatBot(Command, frozen=True, kw_only=True):
    """Let a bot sit down, on a given seat or the first free one."""

    player: str
    bot: str
    name: str
    seat: int | None = None


class PassHost(Command, frozen=True, kw_only=True):
    """Make somebody else who sits here the host."""

    player: str
    seat: int


class ChangeRules(Command, frozen=True, kw_only=True):
    """Play the matches to come by other rules."""

    player: str
    rules: RuleSet


class Publish(Command, frozen=True, kw_only=True):
    """Show the table among the open tables, or no longer."""

    player: str
    on: bool


class CommitSeed(Command, frozen=True, kw_only=True):
    """Bind oneself to a seed for the hand to come."""

    player: str
    hand: int
    commitment: str


class OpenSeed(Command, frozen=True, kw_only=True):
    """Tell the seed one is bound to, now that the hand is called."""

    player: str
    hand: int
    seed: str


# -- asked by the room


class Open(Command, frozen=True, kw_only=True):
    """Open the table; the first command of its life."""

    table: str
    name: str
    host: str
    rules: RuleSet
    public: bool = False


class Deal(Discreet, Command, frozen=True, kw_only=True):
    """Give a called hand its deck; `lot`, from 0 to 11 evenly, draws the first button."""

    told = ("lot",)

    deck: tuple[Card, ...]
    lot: int


class Seal(Discreet, Command, frozen=True, kw_only=True):
    """Publish what the decks of the hand to come can be held to; `master`, which is secret, makes all of them.

    `alias`: what stands for the table in the name of the hand for which they were made.
    """

    told = ("root",)

    master: str
    root: str
    alias: str = ""


class Void(Command, frozen=True, kw_only=True):
    """Let the hand that was called not count."""

    reason: VoidReason


class Stall(Command, frozen=True, kw_only=True):
    """Tell that the room could do nothing for `lost_ms`, which its clock does not count."""

    lost_ms: int


class Lag(Command, frozen=True, kw_only=True):
    """Note how long a message takes to a seated player and back, in milliseconds."""

    player: str
    ms: int


class TimeOut(Discreet, Command, frozen=True, kw_only=True):
    """The table's deadline has passed; `drafts`: by seat, how cards were arranged, from the room's memory."""

    drafts: Mapping[int, Placement] = msgspec.field(default_factory=dict[int, Placement])


class Connect(Command, frozen=True, kw_only=True):
    """A seated player has the table open again."""

    player: str


class Disconnect(Command, frozen=True, kw_only=True):
    """A seated player has the table open nowhere any more."""

    player: str


class Resume(Command, frozen=True, kw_only=True):
    """The room was away for `lost_ms`; nobody pays for that."""

    lost_ms: int
