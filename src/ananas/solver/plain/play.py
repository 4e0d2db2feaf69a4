"""Playing on in the plain core: the placements of a street, which the nets like best, and whole hands played to the end.

The same as native/play.h, with the same numbers by lot. What does not belong here: what the nets see (net.py), and
what they learn from (study.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.solver.plain import net
from ananas.solver.plain.cards import Chance, Rows, strength_of, taken
from ananas.solver.plain.net import Nets
from ananas.solver.plain.worth import Floats, Values, Worth, mean_of_draws, values_of

Choices = NDArray[np.uint8]
"""A row for each placement: for each row of the board the places in the hand as bits; those in none are thrown away."""

DEALT: Final = (5, 3, 3, 3, 3)
LAID: Final = (5, 2, 2, 2, 2)
STREETS: Final = 5
_USED: Final = np.float32(-2e9)


def list_choices(rows: Rows, dealt: int, laid: int) -> Choices:
    """Every placement of so many cards, `laid` of them to rows."""
    return _choices(rows.free, dealt, laid)


@lru_cache(maxsize=256)
def _choices(free: tuple[int, int, int], dealt: int, laid: int) -> Choices:
    found = list[tuple[int, int, int]]()
    for way in range(4**dealt):
        to = [way >> 2 * card & 3 for card in range(dealt)]
        if to.count(3) == dealt - laid and all(to.count(row) <= free[row] for row in range(3)):
            top, middle, bottom = (sum([1 << card for card in range(dealt) if to[card] == row]) for row in range(3))
            found.append((top, middle, bottom))
    choices = np.array(found, np.uint8).reshape(-1, 3)
    choices.flags.writeable = False
    return choices


def full_boards(worth: Worth, rows: Rows, dealt: Sequence[int], choices: Choices) -> Values:
    """What choices that fill the board come to."""
    made = list[NDArray[np.int64]]()
    for place, cards in enumerate(rows):
        masks, which = np.unique(choices[:, place], return_inverse=True)
        made.append(np.array([strength_of(cards + taken(dealt, int(mask))) for mask in masks], np.int64)[which])
    return values_of(worth, *made)


def best_of(points: Floats) -> int:
    """The place of the highest, the first of equal ones."""
    return int(points.argmax())


class Last(NamedTuple):
    """The last street: the choice that makes the best full board, and what that is worth."""

    choice: NDArray[np.uint8]
    points: np.float32
    parts: Floats


def last_street(worth: Worth, rows: Rows, dealt: Sequence[int], laid: int) -> Last:
    """Find the best full board, exactly."""
    choices = list_choices(rows, len(dealt), laid)
    values = full_boards(worth, rows, dealt, choices)
    best = best_of(values.points)
    return Last(choices[best], values.points[best], values.parts[best])


@dataclass
class Seat:
    """A seat in a hand that is played to its end.

    `unseen`: the cards that it has not seen. `word`: what a net has said of its board, when it was asked last.
    """

    rows: Rows
    unseen: set[int]
    word: float = 0.0


class Company(NamedTuple):
    """What is known of the opponent: one of net.py's kinds, and his rows."""

    kind: int
    rows: Rows = Rows()


def play_street(
    nets: Nets,
    worth: Worth,
    seat: Seat,
    street: int,
    dealt: Sequence[int],
    company: Company,
    heat: float,
    chance: Chance,
) -> NDArray[np.uint8]:
    """Play one street as the nets like it and tell the choice; `heat` 0 takes the best, more takes others at times."""
    seat.unseen -= {*dealt}
    if street == STREETS - 1:
        chosen = last_street(worth, seat.rows, dealt, LAID[street]).choice
    else:
        choices = list_choices(seat.rows, DEALT[street], LAID[street])
        points = _judge(nets, street, worth, seat, dealt, company, choices)
        if heat > 0:
            lots = np.array([chance.number() >> 40 for _ in choices], np.float32)
            with np.errstate(divide="ignore"):
                points = points - np.float32(heat) * np.log(-np.log((lots + np.float32(0.5)) / np.float32(16777216)))
        best = best_of(points)
        chosen, seat.word = choices[best], float(points[best])
    seat.rows = seat.rows.with_choice(dealt, chosen.tolist())
    return chosen


def _judge(
    nets: Nets, street: int, worth: Worth, seat: Seat, dealt: Sequence[int], company: Company, choices: Choices
) -> Floats:
    weights = nets[street]
    if weights is None:
        raise ValueError("no net for this street")
    setting = net.prepare(weights, worth, [*seat.unseen], company.kind, company.rows)
    return net.judge(weights, worth, setting, seat.rows, dealt, choices).points


def exact_street_four(
    nets: Nets, worth: Worth, seat: Seat, dealt: Sequence[int], company: Company, tries: int
) -> Values:
    """Choose a board of street 4 from the best few by the net, and tell what it is worth: exactly."""
    seat.unseen -= {*dealt}
    choices = list_choices(seat.rows, DEALT[3], LAID[3])
    points = _judge(nets, 3, worth, seat, dealt, company, choices)
    cards = sorted(seat.unseen)
    best: tuple[Values, Rows] | None = None
    seat.word = float(points[best_of(points)])
    for _ in range(min(tries, len(choices))):
        one = best_of(points)
        points[one] = _USED
        rows = seat.rows.with_choice(dealt, choices[one].tolist())
        value = mean_of_draws(worth, rows, cards)
        if best is None or value.points[0] > best[0].points[0]:
            best = value, rows
    if best is None:
        raise ValueError("at least one try")
    seat.rows = best[1]
    return best[0]
