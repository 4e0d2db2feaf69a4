"""A finished hand step by step, as it was shown to one viewer while it was played.

Each step is a view by the same door as at the table; only the drafts are gone. What belongs here: the order of the
steps. What does not: what somebody may know of a hand, which `game/view.py` decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ananas.game.hand import Hand
from ananas.game.view import HandView, view_hand
from ananas.protocol import HandReplay, ReplayStep
from ananas.server.histories import FinishedHand


def replay(found: FinishedHand, player: str | None, *, table: str | None, last: int | None) -> HandReplay:
    """A hand for somebody who played it, or for anybody else; `table`, `last`: as the answer has them."""
    seat = found.seat_of(player)
    return HandReplay(
        table=table,
        name=found.table,
        number=found.number,
        match=found.match,
        at=found.at,
        rules=found.hand.rules,
        you=seat,
        names=found.names,
        last=last,
        steps=tuple(_steps(found, seat)),
    )


def _steps(found: FinishedHand, seat: int | None) -> Iterator[ReplayStep]:
    """The steps that showed something new to the one at a seat, or to a spectator."""
    hand = found.hand
    stage = Hand.deal(
        hand.rules, hand.deck, hand.seats, stacks=hand.stacks, fantasyland=hand.fantasyland, repeats=hand.repeats
    )
    shown = view_hand(stage, found.number, seat, {})
    yield ReplayStep(what="dealt", seat=None, street=None, hand=shown)
    for where in found.laid:
        player = hand.seats.index(where[0])
        stage = stage.place(player, hand.placements[player][len(stage.placements[player])])
        view = view_hand(stage, found.number, seat, {})
        if stage.over:
            view = _before_it_is_counted(view, shown)
        if view != shown:
            by_table = where in found.automatic
            yield ReplayStep(what="laid-for" if by_table else "laid", seat=where[0], street=where[1], hand=view)
            shown = view
    yield ReplayStep(what="counted", seat=None, street=None, hand=view_hand(stage, found.number, seat, {}))


def _before_it_is_counted(view: HandView, before: HandView) -> HandView:
    """The moment between the last placement and the showdown: all is laid, and what lay face down still does."""
    players = tuple(
        replace(then, acting=False, done=True) if then.hidden else now
        for now, then in zip(view.players, before.players, strict=True)
    )
    return replace(view, players=players, reckoning=None)
