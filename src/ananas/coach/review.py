"""A hand in the eyes of the coach: each decision beside the best one, what it cost, and what is left to luck.

Decisions are judged one by one, as fast as may be and in any order, and put together then. What belongs here: which
decisions there were, verdicts, the account. What does not: judging placements (solver), the words (cause.py).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from ananas.coach.cause import cause
from ananas.coach.report import Cause, HandReview, Hint, Option, Other, Spot, StreetReview, Verdict
from ananas.coach.words_ru import LaidBy
from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet
from ananas.game.view import HandView, view_hand
from ananas.solver.core import NATIVE
from ananas.solver.placements import Effort, Judged, Knowledge, layouts, think
from ananas.solver.worth import cards_worth

MISTAKE: Final = 2.0
"""A loss of more points than this is a mistake;"""
INACCURACY: Final = 0.3
"""of this many or more, an inaccuracy."""
SURE: Final = 1e-4
"""Placements no further apart than this are the same: there is nothing to choose between them."""
HINTS: Final = 3
"""So many placements are in a hint."""

EFFORT: Final = (
    Effort(rolled=(12, 10, 8), samples=(3000, 3000, 1600), others=1200, first=100)
    if NATIVE
    else Effort(rolled=(6, 5, 4), samples=(160, 160, 120), others=80, first=40)
)
"""What is spent on a decision: up to a second, and little more where nothing could be compiled."""
_NO_HURRY: Final = 3600.0
"""A verdict does not depend on how busy the machine is: nothing cuts it short."""


class Decision(Discreet, msgspec.Struct, frozen=True, kw_only=True):
    """A placement and what its player saw when he made it; `automatic`: the table made it."""

    view: HandView
    placement: Placement
    automatic: bool


# -- the decisions of a hand


def decisions(
    hand: Hand, laid: Sequence[tuple[int, int]], seat: int, automatic: Collection[tuple[int, int]] = ()
) -> tuple[Decision, ...]:
    """What the player at a seat laid in a hand, each time with what he could know then.

    `laid`: seat and street of every placement, in the order in which they were laid; `automatic`: those of them that the
    table laid. A street of more cards than can be judged is left out.
    """
    stage = Hand.deal(
        hand.rules, hand.deck, hand.seats, stacks=hand.stacks, fantasyland=hand.fantasyland, repeats=hand.repeats
    )
    found: list[Decision] = []
    for where in laid:
        player = hand.seats.index(where[0])
        placement = hand.placements[player][len(stage.placements[player])]
        if where[0] == seat:
            view = view_hand(stage, 1, seat, {})
            if Knowledge.of_view(view, hand.rules).judged:
                found.append(Decision(view=view, placement=placement, automatic=where in automatic))
        stage = stage.place(player, placement)
    return tuple(found)


# -- one decision


def judge(decision: Decision, rules: RuleSet) -> StreetReview:
    """Hold a decision against the best one; the same decision is always judged the same. `luck` is left 0."""
    spot, keeps = spot_of(decision.view), Knowledge.of_view(decision.view, rules).keeps
    return judge_spot(spot, rules, decision.placement, automatic=decision.automatic, keeps=keeps)


def judge_spot(
    spot: Spot, rules: RuleSet, placement: Placement, *, automatic: bool = False, keeps: bool = True
) -> StreetReview:
    """Hold a placement against the best one, of somebody who knew this. Raises `ValueError` where it cannot be laid."""
    knowledge = replace(knowledge_of(spot), keeps=keeps)
    judged = _judged(knowledge, rules, placement, _NO_HURRY)
    options = tuple(_option(one, len(spot.others)) for one in judged)
    chosen = options[next(place for place, one in enumerate(judged) if _same(one.placement, placement))]
    best = options[0]
    loss = 0.0 if chosen.equal else chosen.behind
    verdict = _verdict(chosen, options, loss)
    return StreetReview(
        spot=spot,
        automatic=automatic,
        verdict=verdict,
        chosen=chosen,
        options=options,
        loss=loss,
        error=0.0 if chosen is best else chosen.error,
        exact=judged[0].exact,
        luck=0.0,
        cause=cause(spot, rules, chosen, best, _laid_by(automatic)) if verdict in {"inaccuracy", "mistake"} else None,
    )


def spot_of(view: HandView) -> Spot:
    """What a view's seat knew when it had cards to lay; raises `ValueError` where it has none."""
    knowledge = Knowledge.of_view(view, RuleSet())  # cards, whatever the rules
    me = next(player for player in view.players if player.seat == view.you)
    others = [player for player in view.players if player is not me]
    return Spot(
        seat=me.seat,
        street=me.street or 1,
        fantasyland=me.fantasyland,
        board=me.board,
        dealt=me.dealt,
        to_lay=me.to_lay,
        discards=me.discards,
        others=tuple(
            Other(seat=player.seat, board=player.board, inside=inside)
            for player, inside in zip(others, knowledge.inside, strict=True)
        ),
    )


def knowledge_of(spot: Spot) -> Knowledge:
    """The same for the solver."""
    return Knowledge(
        board=spot.board,
        dealt=spot.dealt,
        lays=spot.to_lay,
        discards=spot.discards,
        others=tuple(other.board for other in spot.others),
        inside=tuple(other.inside for other in spot.others),
        fantasyland=spot.fantasyland,
    )


def _judged(knowledge: Knowledge, rules: RuleSet, given: Placement | None, seconds: float) -> tuple[Judged, ...]:
    if knowledge.fantasyland:
        return layouts(knowledge, rules, EFFORT, given)
    return think(knowledge, rules, EFFORT, time.monotonic() + seconds, given=given, reviewed=True)


def _option(judged: Judged, opponents: int) -> Option:
    """A placement against all opponents together: what the solver tells is against one of them."""
    return Option(
        placement=str(judged.placement),
        points=judged.points * opponents,
        behind=judged.behind * opponents,
        error=judged.error * opponents,
        foul=judged.foul,
        fantasyland=judged.fantasyland,
        equal=judged.equal,
        guess=judged.guess,
    )


def _same(one: Placement, two: Placement) -> bool:
    """Whether two placements differ at most in the order of cards within a row."""
    return all({*a} == {*b} for a, b in ((one.top, two.top), (one.middle, two.middle), (one.bottom, two.bottom)))


def _verdict(chosen: Option, options: Sequence[Option], loss: float) -> Verdict:
    laid_at_once = len(options) == 1 and len(Placement.parse(chosen.placement).laid) == 13
    if not laid_at_once and max(one.behind for one in options) <= SURE:
        return "forced"
    if chosen is options[0]:
        return "best"
    if chosen.equal:
        return "equal"
    if loss > MISTAKE:
        return "mistake"
    return "inaccuracy" if loss >= INACCURACY else "near"


# -- the hand


def assemble(
    hand: Hand,
    seat: int,
    names: Sequence[str],
    streets: Sequence[StreetReview],
    of: int,
    *,
    number: int,
    table: str | None,
    own: bool = True,
) -> HandReview:
    """Put a finished hand together from its decisions as far as they are judged, in their order, `of` in all.

    `names`: in order of play. `own`: it is told to the player himself; to anybody else it speaks of him. The account
    begins with nothing, goes to the best that could be expected on each street, from there down by what the choice lost,
    his or the table's, and ends with what the hand has come to; each way but those down is luck.
    Raises `ValueError` where the hand is not over.
    """
    if hand.reckoning is None:
        raise ValueError("a hand is reviewed when it is over")
    players = hand.reckoning.players
    result = players[hand.seats.index(seat)].points
    right = sum(
        _right(hand.rules, player.fantasyland) * (len(players) - 1 if player.seat == seat else -1) for player in players
    )
    stands, told = 0.0, list[StreetReview]()
    for street in streets:
        luck = street.options[0].points - stands
        told.append(replace(street, luck=luck, cause=street.cause if own else _to_others(street, hand.rules)))
        stands = street.options[0].points - street.loss
    done = len(told) == of
    showdown = result + right - stands if done else 0.0
    return HandReview(
        table=table,
        number=number,
        rules=hand.rules,
        you=seat,
        seats=hand.seats,
        names=tuple(names),
        of=of,
        done=done,
        streets=tuple(told),
        result=result,
        right=right,
        decisions=0.0 - sum(street.loss for street in told if not street.automatic),
        by_table=0.0 - sum(street.loss for street in told if street.automatic),
        luck=sum(street.luck for street in told) + showdown,
        showdown=showdown,
    )


def _to_others(street: StreetReview, rules: RuleSet) -> Cause | None:
    """The cause as whoever did not play the hand is told it."""
    if street.cause is None:
        return None
    return cause(street.spot, rules, street.chosen, street.options[0], _laid_by(street.automatic), own=False)


def _laid_by(automatic: bool) -> LaidBy:  # noqa: FBT001
    return "table" if automatic else "player"


def _right(rules: RuleSet, cards: int) -> float:
    """What the right to Fantasyland with so many cards is worth against one opponent."""
    return cards_worth(rules, cards) if cards else 0.0


# -- a hint


def hint(view: HandView, rules: RuleSet, seconds: float) -> Hint:
    """What the coach would lay for the view's seat, found within so many seconds.

    Raises `ValueError` where it has nothing to lay.
    """
    spot = spot_of(view)
    judged = _judged(Knowledge.of_view(view, rules), rules, None, seconds)[:HINTS]
    options = tuple(_option(one, len(spot.others)) for one in judged)
    return Hint(hand=view.number, street=spot.street, options=options)
