"""What the table lays for a player so that his hand does not die where that can be had.

What he has put into rows stays there. Among all placements that keep it, the one after which the board dies least often
is taken, and among equal ones the one that is worth most. On the last streets and in Fantasyland that is counted, before
them it is the nets' word. What belongs here: this choice. What does not: when the table lays, and the other way to lay,
in order of receipt (game/hand.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card
from ananas.game.rules import RuleSet
from ananas.game.strength import STRENGTHS
from ananas.refused import Refused
from ananas.solver import core
from ananas.solver.fantasyland import wishes
from ananas.solver.nets import nets
from ananas.solver.placements import HAND, PINEAPPLE, Knowledge
from ananas.solver.plain.core import MOST_PLACEMENTS
from ananas.solver.tables import NUMBER, numbers
from ananas.solver.worth import (
    HEAD,
    Floats,
    Lines,
    lines_of,
    row_worths,
    stay_worth,
    usual_lines,
    worth,
)

SAME: Final = 0.005
"""Chances of a dead hand that differ by no more are alike: the nets cannot tell them apart."""
_LOOKS: Final = 240
"""About so many boards are looked at where a card more has to come before the nets can judge,"""
_NEXT: Final = 12
"""with so many next cards at most."""


def careful(knowledge: Knowledge, rules: RuleSet, draft: Placement | None = None) -> Placement:
    """Lay a seat's cards so that its hand dies as seldom as can be, and is then worth as much as can be.

    `draft`: how the player had his cards arranged; what lies in rows stays there, what he meant to throw away is free.
    A draft that does not fit counts as none. Wherever a placement that keeps it makes a full board in order, so does the
    answer.
    """
    kept = _kept(knowledge, draft)
    if len(knowledge.board.cards) + knowledge.lays == 13 and len(knowledge.dealt) > HAND:
        laid = _layout(knowledge, rules, kept)
    else:
        laid = _street(knowledge, rules, kept)
    rows = [tuple(card for card in knowledge.dealt if card in laid[row]) for row in ROWS]
    used = {card for row in rows for card in row}
    return Placement(rows[0], rows[1], rows[2], tuple(card for card in knowledge.dealt if card not in used))


_Laid = dict[Row, tuple[Card, ...]]


def _kept(knowledge: Knowledge, draft: Placement | None) -> Placement:
    """The rows of a draft, where it can still become a placement of these cards."""
    if draft is None or len(set(draft.cards)) < len(draft.cards) or not set(draft.cards) <= set(knowledge.dealt):
        return Placement()
    if len(draft.laid) > knowledge.lays or len(draft.discards) > len(knowledge.dealt) - knowledge.lays:
        return Placement()
    try:
        knowledge.board.place(draft)
    except Refused:
        return Placement()
    return Placement(draft.top, draft.middle, draft.bottom)


# -- a street of a few cards


def _street(knowledge: Knowledge, rules: RuleSet, kept: Placement) -> _Laid:
    """Choose among all placements; a hand too large for that is laid in parts, what goes together first."""
    laid: _Laid = {row: kept.row(row) for row in ROWS}
    if len(knowledge.dealt) <= HAND:
        return _best(knowledge, rules, knowledge.board, knowledge.dealt, knowledge.lays, kept)
    board = knowledge.board.place(kept)
    ranks = [card.rank for card in knowledge.dealt]
    rest = sorted(
        (card for card in knowledge.dealt if card not in kept.laid),
        key=lambda card: (-ranks.count(card.rank), -card.rank, card),
    )
    left = knowledge.lays - len(kept.laid)
    while left:
        # The last part holds the cards that may be thrown away.
        part, lays = (rest[:HAND], left) if left < HAND else (rest[: HAND - 1], HAND - 1)
        found = _best(knowledge, rules, board, part, lays, Placement())
        board = board.place(Placement(*(found[row] for row in ROWS)))
        laid = {row: laid[row] + found[row] for row in ROWS}
        rest, left = rest[len(part) :], left - lays
    return laid


def _best(
    knowledge: Knowledge, rules: RuleSet, board: Board, dealt: Sequence[Card], lays: int, kept: Placement
) -> _Laid:
    """The best placement of up to five cards on a board."""
    where = bytearray(knowledge.where)
    for card in knowledge.dealt:
        where[NUMBER[card]] = 0
    for place, row in enumerate(ROWS, 1):
        for card in board.row(row):
            where[NUMBER[card]] = place
    for card in dealt:
        where[NUMBER[card]] = 5
    hand = tuple(card for card in DECK if card in dealt)
    every = np.frombuffer(core.choices(bytes(where), lays), np.uint8).reshape(-1, 3)
    wanted = [sum(1 << hand.index(card) for card in kept.row(row)) for row in ROWS]
    choices = every[((every & wanted) == wanted).all(axis=1)]
    told = _Told(
        each=worth(rules, _lines(knowledge, rules), inside=knowledge.fantasyland > 0),
        inside=bytes(knowledge.inside),
        judged=(5, 7, 9, 11) if (rules.deal, rules.place) == PINEAPPLE else (5, 7, 9),
    )
    values = _values(bytes(where), told, choices, len(board.cards) + lays)
    fouls = values[:, 2]
    alike = fouls <= fouls.min() + (SAME if len(board.cards) + lays < 11 else 1e-5)
    chosen = choices[int(np.where(alike, values[:, 0], -np.inf).argmax())].tolist()
    return {row: tuple(card for bit, card in enumerate(hand) if chosen[at] >> bit & 1) for at, row in enumerate(ROWS)}


class _Told(NamedTuple):
    """What boards are judged by. `judged`: boards of so many cards are judged as they stand, by nets or a count of draws."""

    each: Floats
    inside: bytes
    judged: tuple[int, ...]


def _lines(knowledge: Knowledge, rules: RuleSet) -> list[Lines]:
    """How the opponents fare: as their full boards say, or as usual."""
    found = list[Lines]()
    for board in knowledge.others:
        rows = [core.evaluate(numbers(board.row(row))) for row in ROWS] if board.full else []
        found.append(lines_of(np.array([rows], np.int16), rules) if rows else usual_lines())
    return found


def _values(where: bytes, told: _Told, choices: NDArray[np.uint8], after: int) -> Floats:
    """What each choice comes to: its points and their parts, the second of which is how often the board is dead."""
    values = np.zeros((len(choices), 1 + core.PARTS), np.float32)
    if after == 13 or after in told.judged[3:]:
        core.exact(where, told.each, choices.tobytes(), values)
    elif after in told.judged:
        for at in range(0, len(choices), MOST_PLACEMENTS):
            part = slice(at, at + MOST_PLACEMENTS)
            core.judge(where, told.each, nets(), told.inside, choices[part].tobytes(), values[part])
    else:
        nexts = _LOOKS if after > 10 else max(1, min(_NEXT, _LOOKS // len(choices)))
        for one, choice in enumerate(choices):
            values[one] = _with_more(_laid(where, choice), told, after, nexts)
    return values


def _with_more(where: bytes, told: _Told, after: int, nexts: int) -> Floats:
    """What a board comes to when as many cards are laid on it as let it be judged: the mean over some next cards."""
    more = next(count for count in (*told.judged, 13) if count > after) - after
    unseen = [card for card, place in enumerate(where) if place == 0]
    # The same next cards for all choices of a street, so that luck does not choose among them.
    unseen.sort(key=lambda card: hashlib.blake2b(bytes([card])).digest())
    dealt = [unseen[at : at + more] for at in range(0, len(unseen) - more + 1, more)][:nexts]
    total = np.zeros(1 + core.PARTS, np.float32)
    for cards in dealt:
        then = bytearray(where)
        for card in cards:
            then[card] = 5
        ways = np.frombuffer(core.choices(bytes(then), more), np.uint8).reshape(-1, 3)
        values = _values(bytes(then), told, ways, after + more)
        total += values[np.lexsort((-values[:, 0], values[:, 2]))[0]]
    return total / np.float32(max(1, len(dealt)))


def _laid(where: bytes, choice: NDArray[np.uint8]) -> bytes:
    """Where cards are once a choice is made."""
    after = bytearray(where)
    for bit, card in enumerate(card for card, place in enumerate(where) if place == 5):
        row = next((row for row in range(3) if int(choice[row]) >> bit & 1), None)
        after[card] = 4 if row is None else row + 1
    return bytes(after)


# -- a whole board at once


def _layout(knowledge: Knowledge, rules: RuleSet, kept: Placement) -> _Laid:
    """The best full board in order that keeps what lies in rows; where there is none, any board that keeps it."""
    worths = row_worths(rules, _lines(knowledge, rules))
    told = wishes(rules, worths, stay_worth(rules) if knowledge.keeps else 0.0)
    if knowledge.fantasyland and not kept.laid and not knowledge.board.cards:
        try:
            found = told.lay(knowledge.dealt).placement
        except ValueError:
            pass  # thirteen cards that make no board in order
        else:
            return {row: found.row(row) for row in ROWS}
    board = knowledge.board.place(kept)
    rest = tuple(card for card in knowledge.dealt if card not in kept.laid)
    worths, strict, conditions, stay, trips, full_house, quads = told.told
    if not knowledge.fantasyland:
        each, conditions = worth(rules), 0
        kinds = each[HEAD + 3 * STRENGTHS : HEAD + 4 * STRENGTHS].astype(np.intp)
        worths = worths.copy()
        worths[0] += np.concatenate([[0.0], each[8:12]])[kinds]
    search = _Search(board, rest, worths, strict=bool(strict))
    search.look((0, 0, 0), 0.0)
    needs = ((trips, 0, 0), (0, full_house, 0), (0, quads, 0), (0, 0, quads))
    for condition, least in enumerate(needs):
        if conditions >> condition & 1:
            search.look(least, stay)
    if search.best is None:
        spare = iter(rest)
        filled = {row: tuple(next(spare) for _ in range(board.room(row))) for row in reversed(ROWS)}
    else:
        taken = search.best
        filled = {row: tuple(c for bit, c in enumerate(rest) if taken[at] >> bit & 1) for at, row in enumerate(ROWS)}
    return {row: kept.row(row) + filled[row] for row in ROWS}


class _Filled(NamedTuple):
    """Every way to fill a row: the cards it takes as bits, and the strength it then has."""

    taken: NDArray[np.int64]
    strength: NDArray[np.int64]

    def only(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> _Filled:
        return _Filled(self.taken[keep], self.strength[keep])


class _Search:
    """All ways to fill the rows of a board, and the best one in order found by now."""

    def __init__(self, board: Board, rest: Sequence[Card], worths: Floats, *, strict: bool) -> None:
        self._rows: Final = [_filled(board.row(row), rest, board.room(row)) for row in ROWS]
        self._worths: Final = worths.astype(np.float64)
        self._less: Final = int(strict)
        self._most = -np.inf
        self.best: tuple[int, int, int] | None = None

    def look(self, least: tuple[int, int, int], bonus: float) -> None:
        """Look for a better board whose rows are at least so strong; each board is worth `bonus` more than its rows."""
        top, middle, bottom = (row.only(row.strength >= limit) for row, limit in zip(self._rows, least, strict=True))
        values = [self._worths[at][row.strength] for at, row in enumerate((top, middle, bottom))]
        # What each row can come to at most together with what lies above it: best first, nothing better is passed over.
        under = values[1] + _highest(top.strength, values[0])[middle.strength - self._less + 1]
        order = np.argsort(-under, kind="stable")
        middle, under, worth_middle = middle.only(order), under[order], values[1][order]
        most = values[2] + _highest(middle.strength, under)[bottom.strength - self._less + 1] + bonus
        for at in np.argsort(-most, kind="stable").tolist():
            if most[at] <= self._most or most[at] == -np.inf:
                return
            base = values[2][at] + bonus
            apart = (middle.taken & bottom.taken[at] == 0) & (middle.strength <= bottom.strength[at] - self._less)
            for over in np.flatnonzero(apart & (under + base > self._most)).tolist():
                if under[over] + base <= self._most:
                    break
                used = middle.taken[over] | bottom.taken[at]
                fits = (top.taken & used == 0) & (top.strength <= middle.strength[over] - self._less)
                if not fits.any():
                    continue
                best = int(np.where(fits, values[0], -np.inf).argmax())
                value = base + worth_middle[over] + values[0][best]
                if value > self._most:
                    self._most = float(value)
                    self.best = int(top.taken[best]), int(middle.taken[over]), int(bottom.taken[at])


def _filled(row: Sequence[Card], rest: Sequence[Card], room: int) -> _Filled:
    """Every way to fill the room that a row has."""
    places = np.array(list(combinations(range(len(rest)), room)), np.int64).reshape(comb(len(rest), room), room)
    cards = np.array([NUMBER[card] for card in rest], np.uint8)[places]
    whole = np.concatenate([np.tile(np.array([NUMBER[c] for c in row], np.uint8), (len(cards), 1)), cards], axis=1)
    made = np.zeros(len(whole), np.int16)
    core.evaluate_many(np.ascontiguousarray(whole), whole.shape[1], made)
    return _Filled((1 << places).sum(axis=1).astype(np.int64), made.astype(np.int64))


def _highest(strengths: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The highest value of what is weaker than each strength, from 0 to one more than there are."""
    at = np.full(STRENGTHS + 1, -np.inf)
    np.maximum.at(at, strengths + 1, values)
    return np.maximum.accumulate(at)
