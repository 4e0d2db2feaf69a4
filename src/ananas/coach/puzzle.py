"""The puzzle of the day: one position, the same for all, in which one placement is clearly the best.

Everything in it follows from the date: hands are dealt from it and laid as the nets like it, until one comes to a street
that is worth asking about. What belongs here: which position a day has, and what is told to an answer. What does not:
judging (review.py), which day it is (server).
"""

from __future__ import annotations

import hashlib
import io
import math
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec
import numpy as np

from ananas.coach.cause import cause
from ananas.coach.report import Cause, Puzzle, Spot, StreetReview
from ananas.coach.review import judge_spot, knowledge_of, spot_of
from ananas.deal import Source, shuffle
from ananas.game.board import ROWS, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import ROOM
from ananas.game.view import view_hand
from ananas.solver import core
from ananas.solver.nets import nets
from ananas.solver.placements import GLANCE, Effort, Knowledge, think
from ananas.solver.worth import usual_lines, worth

FIRST: Final = date(2026, 11, 1)
"""The day of the first puzzle."""
STREETS: Final = (3, 2, 4, 3, 2, 4, 1)
"""Which street is asked about, from Monday to Sunday."""
GAP: Final = 1.0
"""The best is better than all others by so many points at least,"""
CLEAR: Final = 3.0 if core.NATIVE else 1.0
"""and by so many standard errors of what lies between."""
SENSIBLE: Final = 4
"""So many placements at least are worth a thought, the best among them:"""
FAR: Final = 7.0
"""they lose no more points than this, and"""
DEADLY: Final = 0.3
"""their boards die no more often than the best one's, by so much."""
DEAD: Final = 0.5
"""The best one's board does not die more often than this."""
TRIES: Final = {1: 36, 2: 60, 3: 90, 4: 120} if core.NATIVE else {1: 8, 2: 12, 3: 20, 4: 60}
"""By street, so many positions are looked at for one that a first glance gets wrong; then one that it gets right is taken."""

_SURE: Final = 5
"""So many of those are thought about longer, the most interesting first; if none is clear then, as many more are looked
at, and at worst the most interesting one is taken."""
_LOOK: Final = (
    Effort(rolled=(6, 6, 6), samples=(280, 280, 280), others=100)
    if core.NATIVE
    else Effort(rolled=(3, 3, 3), samples=(40, 40, 40), others=20)
)


def puzzle(day: str) -> Puzzle:
    """Find the puzzle of a day, given as YYYY-MM-DD; the same day always has the same one.

    Raises `ValueError` for what is no day.
    """
    when = date.fromisoformat(day)
    chance = _chance(when.isoformat())
    street = STREETS[when.weekday()]
    kept, tried = list[_Found](), 0
    while True:
        tried += 1
        found = _interest(_dealt(chance, street))
        if found is not None:
            if (not found.seen or tried > TRIES[street]) and _confirmed(found):
                return _told(when, found.spot)
            kept.append(found)
        if tried == TRIES[street]:
            kept.sort(key=lambda one: (not one.seen, -one.interest))
            sure = next((one for one in kept[:_SURE] if one.seen and _confirmed(one)), None)
            if sure is not None:
                return _told(when, sure.spot)
        if tried >= 2 * TRIES[street] and kept:
            return _told(when, kept[0].spot)


def answer(asked: Puzzle, placement: Placement) -> StreetReview:
    """Say what the coach thinks of an answer, with the cause whatever it was: where nothing is better, against the next best.

    Raises `Refused` for what could not be laid: `cards-not-yours`, `wrong-count`, `row-full`, `not-discarded`.
    """
    hand = _hand(asked)
    hand.place(asked.spot.seat, placement)
    review = judge_spot(asked.spot, asked.rules, placement)
    return review if review.cause is not None else msgspec.structs.replace(review, cause=_cause(asked, review))


def _cause(asked: Puzzle, review: StreetReview) -> Cause | None:
    """Why the best is better than an answer that lost too little to be named, or than the next best."""
    best, *others = review.options
    if not review.chosen.equal and review.chosen is not best:
        return cause(asked.spot, asked.rules, review.chosen, best)
    second = next((other for other in others if not other.equal), None)
    return None if second is None else cause(asked.spot, asked.rules, second, best, "next")


def _told(when: date, spot: Spot) -> Puzzle:
    return Puzzle(date=when.isoformat(), number=(when - FIRST).days + 1, rules=ROOM, spot=spot)


def _hand(asked: Puzzle) -> Hand:
    """A hand in which the puzzle's seat has these cards to lay; whatever it could not know is as it comes."""
    spot, rules = asked.spot, asked.rules
    players = len(spot.others) + 1
    boards = [next((other.board for other in spot.others if other.seat == seat), spot.board) for seat in range(players)]
    deals, laid = list(accumulate(rules.deal, initial=0)), list(accumulate(rules.place, initial=0))
    streets = [laid.index(len(board.cards)) for board in boards]
    known = {*spot.dealt, *spot.discards, *(card for board in boards for card in board.cards)}
    rest = iter([card for card in DECK if card not in known])
    deck = list[Card]()
    for seat, (board, done) in enumerate(zip(boards, streets, strict=True)):
        own = [*board.cards, *(spot.discards if seat == spot.seat else ())]
        own += [next(rest) for _ in range(deals[done] - len(own))]
        own += spot.dealt if seat == spot.seat else ()
        deck += [*own, *(next(rest) for _ in range(len(DECK) // players - len(own)))]
    deck += rest
    begun = Hand.deal(rules, deck, tuple(range(players)))
    return msgspec.structs.replace(
        begun, boards=tuple(boards), placements=tuple((Placement(),) * done for done in streets)
    )


# -- how a position comes about


def _chance(name: str) -> Source:
    """Bytes that look like chance, the same ones for the same name, as many as are wanted."""
    block, left = 0, io.BytesIO()

    def draw(size: int) -> bytes:
        nonlocal block, left
        while len(part := left.read(size)) < size:
            left = io.BytesIO(
                part + left.read() + hashlib.shake_256(f"ananas puzzle {name} {block}".encode()).digest(1024)
            )
            block += 1
        return part

    return draw


def _dealt(chance: Source, street: int) -> Spot:
    """Deal a hand, and lay it as the nets like it, now and then as they like it a little less, up to a street."""
    deck, (players, who) = shuffle(chance), chance(2)
    players = 2 + players % 2
    who %= players
    hand = Hand.deal(ROOM, deck, tuple(range(players)))
    while True:
        player = hand.acting[0]
        view = view_hand(hand, 1, hand.seats[player], {})
        if player == who and hand.street_of(player) == street:
            return spot_of(view)
        judged = think(Knowledge.of_view(view, ROOM), ROOM, GLANCE, math.inf)
        odd = chance(1)[0] < 64 and len(judged) > 1 and judged[1].behind < 0.5
        hand = hand.place(player, judged[int(odd)].placement)


class _Found(NamedTuple):
    """A position that might be asked about: its best placement, whether a first glance sees it, and how good it is."""

    spot: Spot
    best: Placement
    seen: bool
    interest: float


def _interest(spot: Spot) -> _Found | None:
    """Look at a position; None where it is not worth asking about."""
    knowledge, against = knowledge_of(spot), len(spot.others)
    best, *others = think(knowledge, ROOM, _LOOK, math.inf)
    gap = min((other.behind for other in others), default=0.0) * against
    if gap < GAP or best.foul > DEAD:
        return None
    sensible = [other for other in others if other.behind * against <= FAR and other.foul <= best.foul + DEADLY]
    if len(sensible) + 1 < SENSIBLE or others[0] not in sensible:
        return None
    seen = _rows(_glance(knowledge)) == _rows(best.placement)
    return _Found(spot, best.placement, seen, len(sensible) - gap)


def _glance(knowledge: Knowledge) -> Placement:
    """What the nets would lay, without a thought."""
    where, hand = knowledge.where, knowledge.hand
    choices = core.choices(where, knowledge.lays)
    values = np.zeros((len(choices) // 3, 1 + core.PARTS), np.float32)
    usual = worth(ROOM, [usual_lines()] * len(knowledge.others))
    core.judge(where, usual, nets(), bytes(knowledge.inside), choices, values)
    chosen = choices[3 * int(values[:, 0].argmax()) :][:3]
    top, middle, bottom = (tuple(card for bit, card in enumerate(hand) if taken >> bit & 1) for taken in chosen)
    return Placement(top, middle, bottom)


def _rows(placement: Placement) -> tuple[frozenset[Card], ...]:
    return tuple(frozenset(placement.row(row)) for row in ROWS)


def _confirmed(found: _Found) -> bool:
    """Whether the coach, who thinks longer, finds the same placement to be clearly the best."""
    review = judge_spot(found.spot, ROOM, found.best)
    others = [option for option in review.options if option is not review.chosen]
    return review.verdict == "best" and all(option.behind >= max(GAP, CLEAR * option.error) for option in others)
