"""What one seat, or a spectator, may know of a hand: the only reader of deck and discards for others' eyes.

Closed by default: every field is filled by name from what this viewer may know; nothing is copied whole and then
stripped. The law: shuffle all that a viewer cannot know, and he receives the same bytes.
"""

from __future__ import annotations

import msgspec

from ananas.game.board import Board
from ananas.game.cards import Card
from ananas.game.scoring import Reckoning


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """One player's side of a hand, as the viewer sees it.

    `seat`: his seat at the table. `board`: what lies open. `street`: the street he has to lay next, counted from 1;
    one more than the number of streets when he is done. `laid`: the cards of his last confirmed placement, for
    highlighting. `dealt`: the cards now in his hand in order of receipt, empty where the viewer may not see them.
    `dealt_count`: how many these are in truth. `draft`: how he has them arranged, as placement text, or null where
    the viewer may not see it. `discards`: his own, to himself alone. `discard_count`: for everybody.
    """

    seat: int
    board: Board
    street: int
    laid: tuple[Card, ...]
    dealt: tuple[Card, ...]
    dealt_count: int
    draft: str | None
    discards: tuple[Card, ...]
    discard_count: int


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as one viewer sees it.

    `you`: the viewer's seat, null where he is not dealt in. `number`: which hand at this table, from 1. `street`: the lowest street somebody has still to lay, at most the
    number of streets. `button`: the seat that holds it. `turn`: the seat whose turn it is, null when all is laid.
    `players`: in order of play, the one on the button's left first. `reckoning`: the showdown, null until it comes.
    """

    you: int | None
    number: int
    street: int
    button: int
    turn: int | None
    players: tuple[PlayerView, ...]
    reckoning: Reckoning | None
