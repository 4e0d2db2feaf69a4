"""What hands are worth: the exact value of rows and of Fantasyland, and every placement of a street in order.

>>> from ananas.solver import evaluate, fantasyland, placements
>>> evaluate("AsKsQsJsTs"), evaluate("2s2h3d") < evaluate("2s2h3d4c5c")
(7916, True)
>>> str(fantasyland("2s2h2d2c3s 3h3d4c5h 7s8s9sTs", stay=10).placement)
'3h3d4c/3s7s8s9sTs/2s2h2d2c5h'
>>> str(placements("QsQh2c/KdKh9h8d/7c7d5h5s x3h4h8c | p1 7hAs6d")[0].placement)
'-/As/7h x6d'
"""

from __future__ import annotations

from collections.abc import Sequence

from ananas.game.cards import Card, parse_cards
from ananas.refused import Refused
from ananas.solver import core
from ananas.solver.fantasyland import Layout, fantasyland
from ananas.solver.placements import Judged, placements
from ananas.solver.tables import numbers

__all__ = ["Judged", "Layout", "evaluate", "fantasyland", "placements"]


def evaluate(cards: Sequence[Card] | str) -> int:
    """Tell what three or five cards are worth: a place on one scale, from 0 to 7916, where more is stronger.

    The same as `ananas.game.strength.strength`, by a look-up in the core. Raises `Refused("bad-placement")` unless these
    are three or five different cards.
    """
    row = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    if len(row) not in {3, 5} or len(set(row)) < len(row):
        raise Refused("bad-placement", text="".join(row))
    return core.evaluate(numbers(row))
