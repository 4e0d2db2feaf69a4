"""The four bots, by name: each with a strength and a character that a person can feel.

All four judge by the same nets. What makes the weaker ones weaker is what they believe and how sure they are of it: one
makes a little less of Fantasyland than it is worth, another dreams of it, and the less steady a bot is the more often it
takes what is only nearly as good. What belongs here: who they are. What does not: judging (solver), the protocol (play.py).
"""

from __future__ import annotations

import hashlib
import time
from typing import Final

import msgspec
import numpy as np

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.game.view import HandView
from ananas.solver import core
from ananas.solver.careful import careful
from ananas.solver.placements import GLANCE, Effort, Knowledge, think


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's strength and character.

    `effort`: what it spends on a decision. `unsteady`: in points, how far it may be off the best; 0 takes the best it
    sees. `dream`: what Fantasyland is worth to it, in parts of what it is worth in truth.
    """

    effort: Effort
    unsteady: float = 0.0
    dream: float = 1.0


_PATIENT: Final = (
    Effort(rolled=(8, 10, 14), samples=(480, 640, 480), others=120, first=60, chances=False) if core.NATIVE else GLANCE
)
"""In the plain core nothing is played on, which would take seconds a move: street 4 is counted all the same."""

LEVELS: Final = {
    "kiwi": Level(effort=GLANCE, unsteady=1.3, dream=0.9),
    "mango": Level(effort=GLANCE, unsteady=1.05, dream=1.6),
    "papaya": Level(effort=GLANCE, unsteady=0.55),
    "ananas": Level(effort=_PATIENT),
}
"""From the weakest to the strongest."""


class LevelBot:
    """One of the four.

    >>> from ananas.game.cards import DECK
    >>> from ananas.game.hand import Hand
    >>> from ananas.game.rules import ROOM
    >>> from ananas.game.view import view_hand
    >>> view = view_hand(Hand.deal(ROOM, DECK, seats=(0, 1)), 1, 0, {})
    >>> str(LevelBot("ananas", ROOM).place(view, limit=60))
    '-/-/2c3c4c5c6c'
    """

    def __init__(self, name: str, rules: RuleSet) -> None:
        self._level: Final = LEVELS[name]
        self._rules: Final = rules

    def place(self, view: HandView, limit: float) -> Placement:
        """Choose a placement within `limit` seconds; raises `ValueError` when the view's seat has no cards to lay.

        Unless `limit` cuts it short, its answer depends on the view alone.
        """
        level = self._level
        knowledge = Knowledge.of_view(view, self._rules)
        if not knowledge.judged:  # a street of a house's own, with more cards than can be judged
            return careful(knowledge, self._rules)
        judged = think(knowledge, self._rules, level.effort, time.monotonic() + limit, dream=level.dream)
        if not level.unsteady or len(judged) == 1:
            return judged[0].placement
        seed = hashlib.blake2b(msgspec.json.encode(view), digest_size=16).digest()
        lots = np.random.Generator(np.random.PCG64(int.from_bytes(seed))).gumbel(size=len(judged))
        points = [one.points for one in judged]
        return judged[int(np.argmax(points + level.unsteady * lots))].placement
