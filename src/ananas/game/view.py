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
from ananas.game.secret import Discreet

_NOTHING = Board()


class PlayerView(Discreet, msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player's side of a hand, as the viewer sees it.

    `seat`: his seat at the table. `fantasyland`: with how many cards he lays at once, 0 where he lays street by street.
    `acting`: whether he has cards to lay now. `done`: whether his whole board is laid. `hidden`: whether his board
    lies face down for this viewer until the showdown; then the fields below are empty. `board`: what lies open.
    `street`: the street he has to lay next, counted from 1; one more than the number of streets when he is done, null
    where it is hidden. `laid`: the cards of his last confirmed placement, for highlighting. `dealt`: the cards now in
    his hand in order of receipt, empty where the viewer may not see them. `dealt_count`: how many these are in truth.
    `to_lay`: how many of them go to the board. `draft`: how he has them arranged, as placement text, or null where
    the viewer may not see it. `discards`: his own, to himself alone. `discard_count`: for everybody. `repeats`: how often
    in a row he has stayed in Fantasyland; left out where that is 0.
    """

    told = ("seat", "fantasyland", "acting", "done", "hidden", "street")

    seat: int
    fantasyland: int
    acting: bool
    done: bool
    hidden: bool
    board: Board
    street: int | None
    laid: tuple[Card, ...]
    dealt: tuple[Card, ...]
    dealt_count: int
    to_lay: int
    draft: str | None
    discards: tuple[Card, ...]
    discard_count: int
    repeats: int = 0


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as one viewer sees it.

    `you`: the viewer's seat, null where he is not dealt in. `number`: which hand at this table, from 1. `closed`: whether
    all lay at once and nothing of it is shown before the showdown. `street`: the lowest street that somebody who lays
    street by street in the open has still to lay; null where nobody has. `button`: the seat that holds it. `players`: in
    order of play, the one on the button's left first. `reckoning`: the showdown, null until it comes.
    """

    you: int | None
    number: int
    closed: bool
    street: int | None
    button: int
    players: tuple[PlayerView, ...]
    reckoning: Reckoning | None


def view_hand(hand: Hand, number: int, viewer_seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    """Show a hand to the one at `viewer_seat`; None, or a seat that is not dealt in, sees what a spectator sees.

    `drafts`: by seat, how cards are arranged before they are confirmed. On an open first street everybody sees the
    acting player's cards and draft; later, and where it is closed, only he does. What is laid in Fantasyland, or
    while the hand is closed, is hidden from all others until the showdown. Discards are shown to their owner
    alone, for ever.
    """
    in_turn = [
        hand.street_of(player)
        for player, cards in enumerate(hand.fantasyland)
        if not cards and not hand.done(player) and not hand.closed
    ]
    return HandView(
        you=viewer_seat if viewer_seat in hand.seats else None,
        number=number,
        closed=hand.closed,
        street=min(in_turn, default=None),
        button=hand.seats[-1],
        players=tuple(_view_player(hand, player, viewer_seat, drafts) for player in range(len(hand.seats))),
        reckoning=hand.reckoning,
    )


def cards_seen(view: HandView) -> frozenset[Card]:
    """All cards that a viewer sees in a hand, his own discards included."""
    parts = ((*side.board.cards, *side.dealt, *side.discards, *side.laid) for side in view.players)
    return frozenset(card for cards in parts for card in cards)


def _view_player(hand: Hand, player: int, viewer_seat: int | None, drafts: Mapping[int, Placement]) -> PlayerView:
    seat = hand.seats[player]
    own = seat == viewer_seat
    acts = player in hand.acting
    hidden = not own and not hand.over and hand.face_down(player)
    if hidden:
        return PlayerView(
            seat=seat,
            fantasyland=hand.fantasyland[player],
            acting=acts,
            done=hand.done(player),
            hidden=True,
            board=_NOTHING,
            street=None,
            laid=(),
            dealt=(),
            dealt_count=0,
            to_lay=0,
            draft=None,
            discards=(),
            discard_count=0,
            repeats=hand.repeats[player],
        )
    open_to_viewer = (acts and own) or hand.laid_openly(player)
    done = hand.placements[player]
    discards = tuple(card for placement in done for card in placement.discards)
    draft = drafts.get(seat) if open_to_viewer else None
    return PlayerView(
        seat=seat,
        fantasyland=hand.fantasyland[player],
        acting=acts,
        done=hand.done(player),
        hidden=False,
        board=hand.boards[player],
        street=hand.street_of(player),
        laid=done[-1].laid if done else (),
        dealt=hand.dealt(player) if open_to_viewer else (),
        dealt_count=len(hand.dealt(player)),
        to_lay=hand.to_lay(player) if acts else 0,
        draft=None if draft is None else str(draft),
        discards=discards if own else (),
        discard_count=len(discards),
        repeats=hand.repeats[player],
    )
