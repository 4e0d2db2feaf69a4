"""What one seat, or a spectator, may know of a hand: the only reader of deck and discards for others' eyes.

Closed by default: every field is filled by name from what this viewer may know; nothing is copied whole and then
stripped. The law: shuffle all that a viewer cannot know, and he receives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ananas.game.board import Board, Placement
from ananas.game.cards import Card
from ananas.game.hand import Hand
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

    `you`: the viewer's seat, null where he is not dealt in. `number`: which hand at this table, from 1. `street`: the
    lowest street somebody has still to lay, at most the number of streets. `button`: the seat that holds it. `turn`: the seat whose turn it is, null when all is laid.
    `players`: in order of play, the one on the button's left first. `reckoning`: the showdown, null until it comes.
    """

    you: int | None
    number: int
    street: int
    button: int
    turn: int | None
    players: tuple[PlayerView, ...]
    reckoning: Reckoning | None


def view_hand(hand: Hand, number: int, viewer_seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Show a hand to the one at `viewer_seat`; None, or a seat that is not dealt in, sees what a spectator sees.

    `drafts`: by seat, how cards are arranged before they are confirmed. On the first street everybody sees the acting
    player's cards and draft; later only he does. Discards are shown to their owner alone, for ever.
    """
    turn = hand.turn
    boards = hand.boards
    return HandView(
        you=viewer_seat if viewer_seat in hand.seats else None,
        number=number,
        street=min(hand.rules.streets, *(hand.street_of(player) for player in range(len(hand.seats)))),
        button=hand.seats[-1],
        turn=None if turn is None else hand.seats[turn],
        players=tuple(_view_player(hand, player, board, viewer_seat, drafts) for player, board in enumerate(boards)),
        reckoning=hand.reckoning,
    )


def _view_player(
    hand: Hand, player: int, board: Board, viewer_seat: int | None, drafts: Mapping[int, Placement]
) -> PlayerView:
    seat = hand.seats[player]
    own = seat == viewer_seat
    acts = player == hand.turn
    open_to_viewer = acts and (own or hand.street_of(player) == 1)
    done = hand.placements[player]
    discards = tuple(card for placement in done for card in placement.discards)
    draft = drafts.get(seat) if open_to_viewer else None
    return PlayerView(
        seat=seat,
        board=board,
        street=hand.street_of(player),
        laid=done[-1].laid if done else (),
        dealt=hand.dealt(player) if open_to_viewer else (),
        dealt_count=len(hand.dealt(player)),
        draft=None if draft is None else str(draft),
        discards=discards if own else (),
        discard_count=len(discards),
    )
