"""What a full board is worth by the rules of a table, as one array of numbers that both cores read.

All is in points against one opponent; against several it is the mean, so that two boards can be compared whatever the
company. What belongs here: royalties, the price of a dead hand, what Fantasyland is worth, and how often rows win. What
does not: how a board is played on (placements.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ananas.game.board import ROWS, Row
from ananas.game.cards import parse_cards
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet, Stay
from ananas.game.strength import STRENGTHS, Category, category_of, ranks_of, strength

HEAD: Final = 16
"""Numbers before the tables: foul points, strict, line-winner, 2-4, how many opponents, how often each of up to three is
dead, and from the eighth on the worth of Fantasyland for queens, kings, aces and trips."""

Floats = NDArray[np.float32]

MEASURED: Final = Path(__file__).parent / "fantasyland.json"


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What Fantasyland was found to be worth in self-play, in points against one opponent.

    `points`: by the number of cards. `error`: the standard error of each. `hands`: how many were played for each.
    """

    points: dict[str, float]
    error: dict[str, float]
    hands: int


class Lines(NamedTuple):
    """How an opponent's rows fare: arrays of three rows by strength, and how often his board is dead.

    `win[row][s]`: how often a row of strength `s` beats his; `lose`: how often his beats it. `cost`: what his royalties
    and his right to Fantasyland take from one on average, whatever one lays; `error`: one standard error of it.
    """

    win: Floats
    lose: Floats
    foul: float
    cost: float = 0.0
    error: float = 0.0


def worth(
    rules: RuleSet, others: Sequence[Lines] = (), *, fantasyland: Sequence[float] | None = None, inside: bool = False
) -> Floats:
    """Put together what both cores want to know.

    >>> from ananas.game.rules import ROOM
    >>> float(worth(ROOM)[0]), len(worth(ROOM)) == HEAD + 4 * STRENGTHS
    (6.0, True)

    `fantasyland`: what it is worth for queens, kings, aces and trips; by default what was measured for these rules.
    `inside`: the board lies in Fantasyland, where queens on top bring nothing.
    """
    head = np.zeros(HEAD, np.float32)
    # Royalties for the winner of a row alone are told as royalties: the cores know of no opponent's own.
    flags = (rules.equality == "strict", False, rules.scoring == "2-4")
    head[:5] = (rules.foul_points, *flags, len(others))
    head[5 : 5 + len(others)] = [other.foul for other in others]
    if not inside:
        head[8:12] = fantasyland_worth(rules) if fantasyland is None else fantasyland
    lines = [table.ravel() for other in others for table in (other.win, other.lose)]
    royalties = _won_royalties(rules, others) if rules.royalties == "line-winner" and others else row_royalties(rules)
    return np.concatenate([head, *royalties, _entries(rules), *lines])


def fantasyland_worth(rules: RuleSet) -> tuple[float, float, float, float]:
    """What entering Fantasyland is worth for queens, kings, aces and trips; nothing for what does not enter."""
    queens, kings, aces, trips = (
        cards_worth(rules, cards) if enters else 0.0
        for cards, enters in zip(rules.fantasyland_cards, entering(rules), strict=True)
    )
    return queens, kings, aces, trips


def entering(rules: RuleSet) -> tuple[bool, bool, bool, bool]:
    """Which of queens, kings, aces and trips on top lead to Fantasyland. The nets tell how often each comes all the same.

    >>> entering(RuleSet.parse("room fantasyland_entry=KK"))
    (False, True, True, True)
    """
    there, lowest = rules.fantasyland == "on", rules.fantasyland_entry[0]
    return there and lowest not in "KA", there and lowest != "A", there, there


def stay_worth(rules: RuleSet) -> float:
    """What it is worth to stay in Fantasyland."""
    if rules.fantasyland == "off" or rules.fantasyland_repeats == 0:
        return 0.0
    return cards_worth(rules, rules.fantasyland_stay_cards)


def cards_worth(rules: RuleSet, cards: int) -> float:
    """What a hand of so many cards in Fantasyland is worth, with all that it may lead to.

    For a set that nobody measured, the figures of the set it is told from stand in; half of them where no royalties
    are paid.
    """
    found = measured().get(rules.base) or measured()["room"]
    return found.points[str(cards)] * (0.5 if rules.royalties == "none" else 1.0)


@lru_cache(maxsize=1)
def measured() -> dict[str, Measured]:
    """What Fantasyland was measured to be worth, by the named sets; `ananas worth` made the file."""
    return msgspec.json.decode(MEASURED.read_bytes(), type=dict[str, Measured])


def row_worths(rules: RuleSet, others: Sequence[Lines] = (), line: float | None = None) -> Floats:
    """What each row is worth by its strength: its royalty and its line, three rows of numbers that never fall.

    Where a table of one's own pays a weaker row more, the stronger is told to be worth as much: the search for the best
    Fantasyland wants values that do not fall. `others`: by default one usual opponent. `line`: what a won line is worth
    beside a tied one, by default as `LINE` has it.
    """
    lines = np.mean([other.win - other.lose for other in (others or (usual_lines(),))], axis=0)
    royalties = np.stack(row_royalties(rules))
    if rules.royalties == "line-winner":
        royalties = royalties * (1 + lines) / 2
    each = LINE["2-4" if rules.scoring == "2-4" else "1-6"] if line is None else line
    return np.maximum.accumulate(royalties + each * lines, axis=1).astype(np.float32)


def royalty_worths(rules: RuleSet) -> Floats:
    """What each row is worth by its royalty alone, three rows of numbers that never fall."""
    return np.maximum.accumulate(np.stack(row_royalties(rules)), axis=1)


LINE: Final = {"1-6": 1.6, "2-4": 1.3}
"""What a won line is worth beside a tied one: its point, and its part in what several bring."""


def lines_of(made: NDArray[np.int16], rules: RuleSet, *, inside: bool = False) -> Lines:
    """How an opponent fares who ends as these samples say: shape (samples, 3), the strengths of his rows.

    `inside`: he lies in Fantasyland, and stays there or is out.

    >>> from ananas.game.rules import ROOM
    >>> lines = lines_of(np.array([[10, 2000, 3000], [10, 20, 5]], np.int16), ROOM)
    >>> lines.foul, float(lines.win[0][11]), float(lines.lose[1][1999])
    (0.5, 1.0, 1.0)
    """
    top, middle, bottom = made[:, 0], made[:, 1], made[:, 2]
    alive = (top < middle) & (middle < bottom) if rules.equality == "strict" else (top <= middle) & (middle <= bottom)
    kept = made[alive]
    count = max(1, len(kept))
    win, lose = np.zeros((3, STRENGTHS), np.float32), np.zeros((3, STRENGTHS), np.float32)
    for row in range(3):
        at = np.bincount(kept[:, row], minlength=STRENGTHS)
        below = np.concatenate([[0], np.cumsum(at)])
        win[row] = below[:-1] / count
        lose[row] = (below[-1] - below[1:]) / count
    costs = np.where(alive, _costs(made, rules, inside=inside), 0.0)
    error = float(costs.std(ddof=1) / np.sqrt(len(costs))) if len(costs) > 1 else 0.0
    return Lines(win, lose, 1 - len(kept) / max(1, len(made)), float(costs.mean()) if len(costs) else 0.0, error)


def _costs(made: NDArray[np.int16], rules: RuleSet, *, inside: bool) -> NDArray[np.float64]:
    """What each of these boards, if it is in order, takes by its royalties and its right to Fantasyland.

    Where only the winner of a row is paid, this is all the same what the opponent's row pays: `worth` tells as royalties
    of one's own what a row keeps him from.
    """
    royalties = row_royalties(rules)
    costs = np.zeros(len(made))
    for row in range(3):
        costs += royalties[row][made[:, row]]
    if inside:
        costs += stay_worth(rules) * staying(made, rules)
    else:
        costs += np.array((0.0, *fantasyland_worth(rules)))[_entries(rules).astype(int)[made[:, 0]]]
    return costs


def staying(made: NDArray[np.int16], rules: RuleSet) -> NDArray[np.bool_]:
    """Which of these boards, if they are in order, keep their player in Fantasyland."""
    met: dict[Stay, NDArray[np.bool_]] = {
        "top-trips": made[:, 0] >= TRIPS,
        "middle-full-house": made[:, 1] >= FULL_HOUSE,
        "middle-quads": made[:, 1] >= QUADS,
        "bottom-quads": made[:, 2] >= QUADS,
    }
    stays = np.zeros(len(made), bool)
    for condition in rules.fantasyland_stay if rules.fantasyland == "on" else ():
        stays |= met[condition]
    return stays


TRIPS: Final = strength(parse_cards("2s2h2d"))
FULL_HOUSE: Final = strength(parse_cards("2s2h2d3s3h"))
QUADS: Final = strength(parse_cards("2s2h2d2c3s"))
"""The weakest rows of three and five cards that keep one in Fantasyland."""


@lru_cache(maxsize=16)
def usual(rules: RuleSet) -> Lines:
    """How an opponent fares of whom nothing is known yet, and what he costs."""
    laid_all = rules.deal == rules.place
    lines = usual_lines(laid_all=laid_all)
    rows: Mapping[Row, Mapping[str, float]] = USUAL_ROYALTIES_OF_ALL_LAID if laid_all else USUAL_ROYALTIES
    royalties, cost = row_royalties(rules), 0.0
    for number, row in enumerate(ROWS):
        if rules.royalties == "line-winner":
            # Here his royalties are told by how often his rows beat one's own: what they cost has to be told by the same.
            cost += (1 - lines.foul) * float(np.diff(lines.win[number], append=1.0) @ royalties[number])
        else:
            cost += sum(
                often * float(royalties[number][strength(parse_cards(text))]) for text, often in rows[row].items()
            )
    entering, entries = (0.0, *fantasyland_worth(rules)), _entries(rules).astype(int)
    cost += sum(often * entering[int(entries[strength(parse_cards(text))])] for text, often in rows[Row.TOP].items())
    return lines._replace(cost=cost)


@lru_cache(maxsize=2)
def usual_lines(*, laid_all: bool = False) -> Lines:
    """How an opponent fares of whom nothing is known yet; `laid_all`: where every card dealt is laid."""
    win = np.zeros((3, STRENGTHS), np.float32)
    for row, texts in (USUAL_OF_ALL_LAID if laid_all else USUAL).items():
        tenths = [0, *(strength(parse_cards(text)) for text in texts), STRENGTHS]
        win[ROWS.index(row)] = np.interp(np.arange(STRENGTHS), tenths, np.linspace(0, 1, len(tenths)))
    return Lines(win, (1 - win).astype(np.float32), USUAL_FOUL_OF_ALL_LAID if laid_all else USUAL_FOUL)


USUAL: Final = {
    Row.TOP: ("Qs7h2c", "QsJh3c", "KsTh2c", "KsQh7c", "AsTh8c", "AsKh2c", "7s7h8c", "QsQh2c", "QsQhAc"),
    Row.MIDDLE: (
        *("AsKhTc9d5s", "4s4hAc3d2s", "8s8hQc5d4s", "JsJhAc8d4s", "AsAh6c4d3s"),
        *("3s3h2c2d6s", "7s7h6c6d5s", "JsJh9c9d7s", "5s5h5cKd9s"),
    ),
    Row.BOTTOM: (
        *("5s5h3c3d2s", "TsTh3c3d6s", "KsKh7c7dAs", "9s9h9cQdJs", "Ts9h8c7d6s"),
        *("JsTs8s7s6s", "KsJsTs7s6s", "AsKsTs7s6s", "7s7h7cJdJs"),
    ),
}
"""What rows that are not dead end as: one in ten is weaker than the first of these, two in ten than the second, ..."""
USUAL_FOUL: Final = 0.15

# fmt: off
USUAL_OF_ALL_LAID: Final = {
    Row.TOP: ("Js5h2d", "Qs7h3d", "QsTh6d", "Ks6h4d", "KsTh9d", "KsQh8d", "As9h8d", "AsQh9d", "6s6h3d"),
    Row.MIDDLE: (
        "As9h7d4c3s", "AsKhQd3c2s", "3s3hTd9c2s", "5s5h6d4c3s", "7s7h8d6c5s", "9s9hTd7c5s", "QsQhAd8c2s", "AsAhQd4c3s",
        "8s8h7c7dJs",
    ),
    Row.BOTTOM: (
        "8s8hKdQc7s", "KsKh7d6c4s", "9s9h5c5d8s", "QsQh2c2dTs", "7s7h7c6d3s", "Ts9h8d7c6s", "QsTs8s4s3s", "AsTs5s4s2s",
        "5s5h5c8d8s",
    ),
}
USUAL_FOUL_OF_ALL_LAID: Final = 0.35
"""The same where every card dealt is laid: over 4,000 boards of the club's rules, played card by card by the nets' word."""
USUAL_ROYALTIES: Final = {
    Row.TOP: {
        "6s6h2c": 0.007, "7s7h2c": 0.005, "8s8h2c": 0.007, "9s9h2c": 0.010, "TsTh2c": 0.011, "JsJh2c": 0.012,
        "QsQh2c": 0.102, "KsKh2c": 0.080, "AsAh2c": 0.045, "QsQhQd": 0.001,
    },
    Row.MIDDLE: {"3s3h3d4c5h": 0.081, "6s5h4d3c2s": 0.016, "2s4s6s8sTs": 0.009, "3s3h3d4c4h": 0.004},
    Row.BOTTOM: {
        "6s5h4d3c2s": 0.061, "2s4s6s8sTs": 0.221, "3s3h3d4c4h": 0.141, "3s3h3d3c4h": 0.018, "3s4s5s6s7s": 0.002,
    },
}
"""Of all boards, dead ones too, how often a row has what is paid for or leads to Fantasyland, told by an example of it.

Counted over 60,000 boards of streets of three cards that the nets played against each other;"""
USUAL_ROYALTIES_OF_ALL_LAID: Final = {
    Row.TOP: {
        "6s6h2c": 0.004, "7s7h2c": 0.004, "8s8h2c": 0.002, "9s9h2c": 0.004, "TsTh2c": 0.004, "JsJh2c": 0.004,
        "QsQh2c": 0.022, "KsKh2c": 0.014, "AsAh2c": 0.007,
    },
    Row.MIDDLE: {"3s3h3d4c5h": 0.019, "6s5h4d3c2s": 0.006, "2s4s6s8sTs": 0.002},
    Row.BOTTOM: {
        "6s5h4d3c2s": 0.033, "2s4s6s8sTs": 0.157, "3s3h3d4c4h": 0.075, "3s3h3d3c4h": 0.007, "3s4s5s6s7s": 0.001,
    },
}
"""where every card dealt is laid, over the 4,000 of the club."""
# fmt: on


@lru_cache(maxsize=16)
def row_royalties(rules: RuleSet) -> tuple[Floats, Floats, Floats]:
    """The royalties of the top, the middle and the bottom by their strength."""
    paid = rules.royalties != "none"
    top, middle, bottom = (
        np.array([royalty(row, one, rules.royalty_table) if paid else 0 for one in range(STRENGTHS)], np.float32)
        for row in ROWS
    )
    return top, middle, bottom


def _won_royalties(rules: RuleSet, others: Sequence[Lines]) -> list[Floats]:
    """Where only the winner of a row is paid: by strength, what a row brings and what it keeps the opponents from."""
    told: list[Floats] = []
    for row, royalties in enumerate(row_royalties(rules)):
        total = np.zeros(STRENGTHS)
        for other in others:
            often = np.diff(other.win[row], append=1.0)  # how often his row has just this strength
            kept_from = np.cumsum(often * royalties)
            total += other.foul * royalties + (1 - other.foul) * (other.win[row] * royalties + kept_from)
        told.append((total / len(others)).astype(np.float32))
    return told


@lru_cache(maxsize=16)
def _entries(rules: RuleSet) -> Floats:
    """By the strength on top: 1 for queens or a lower pair that enters, 2 kings, 3 aces, 4 trips; else 0."""
    lowest = "23456789TJQKA".index(rules.fantasyland_entry[0]) + 2
    found = np.zeros(STRENGTHS, np.float32)
    for one in range(STRENGTHS if rules.fantasyland == "on" else 0):
        category, ranks = category_of(one), ranks_of(one)
        if category is Category.TRIPS and len(ranks) == 1:
            found[one] = 4
        elif category is Category.PAIR and len(ranks) == 2 and ranks[0] >= lowest:
            found[one] = max(1, ranks[0] - 11)
    return found
