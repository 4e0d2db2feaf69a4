"""What one viewer may know of a table: the hand as he sees it, seats, stacks, clocks, and what he may do now."""

from __future__ import annotations

from typing import Literal

import msgspec

from ananas.game.rules import RuleSet
from ananas.game.view import HandView

Action = Literal["sit", "leave", "ready", "return", "confirm", "draft"]
"""A message this viewer may send now with a chance of being accepted."""


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's time for the hand being played: what was left, in milliseconds, when the view was made."""

    left_ms: int
    total_ms: int
    running: bool


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """An occupied seat. `stack` and `total` in points; `total` is what he has won or lost at this table so far.

    `clock` is null outside a hand. `connected`: whether he has the table open now; a bot always has.
    """

    seat: int
    name: str
    bot: bool
    host: bool
    stack: int
    total: int
    ready: bool
    always_ready: bool
    sitting_out: bool
    leaving: bool
    connected: bool
    clock: ClockView | None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it.

    `you`: the viewer's seat, null for a spectator. `phase`: `waiting` for ready (the last hand, if any, stays to be
    looked at) or `laying`. `hands`: the number of the last hand called, 0 before the first; the hand to come has
    the next number. `seats`: one entry for each place, null where it is free. `ready_ms`: how long the others are
    still waited for, null while nobody is. `showdown_ms`: how long the showdown still stands at the most, null when
    it is over. `may`: what this viewer may do now.
    """

    table: str
    name: str
    rules: RuleSet
    you: int | None
    phase: Literal["waiting", "laying"]
    hands: int
    seats: tuple[SeatView | None, ...]
    hand: HandView | None
    ready_ms: int | None
    showdown_ms: int | None
    spectators: int
    may: tuple[Action, ...]
