"""The placements of a street in order of what they are worth, each with its error.

On the last street that is counted; on the one before it every draw is. Earlier the nets name the best few, and these are
played on over the same cards to come for all, the worse half dropping out after each round. An opponent whose board is
not full ends as the nets would play it on, many times. What belongs here: the way from what a seat knows to numbers.
What does not: which of them a bot takes (bots), what is said about them (coach).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import DECK, Card
from ananas.game.notation import Position
from ananas.game.rules import RuleSet
from ananas.game.view import HandView
from ananas.refused import Refused
from ananas.solver import core
from ananas.solver.fantasyland import Layout, wishes
from ananas.solver.nets import nets, spread
from ananas.solver.tables import NUMBER, numbers
from ananas.solver.worth import (
    Floats,
    Lines,
    fantasyland_worth,
    lines_of,
    row_royalties,
    row_worths,
    stay_worth,
    usual_lines,
    worth,
)

PINEAPPLE: Final = ((5, 3, 3, 3, 3), (5, 2, 2, 2, 2))
"""The streets the nets have learnt: what is dealt, and what is laid."""
_STREETS: Final = {0: 0, 5: 1, 7: 2, 9: 3, 11: 4}


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A placement and what it is worth.

    `points`: against one opponent, the mean where there are several; what his royalties cost whatever is laid is left
    out. `error`: one standard error of `points`; of the
    distance to the best where `behind` is more than nothing. `behind`: by how much it is worse than the best. `foul`,
    `fantasyland`: how often the board is dead, and leads to Fantasyland, when it is played on well. `exact`: whether
    nothing was left to samples. `equal`: whether it cannot be told from the best.
    """

    placement: Placement
    points: float
    error: float
    behind: float
    foul: float
    fantasyland: float
    exact: bool
    equal: bool


class Knowledge(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat knows when it has cards to lay.

    `board`: its own; `dealt`, `lays`: the cards in its hand, and how many of them go to the board. `discards`: its own,
    thrown away before. `others`: the opponents' boards as far as they lie open, `inside`: for each with how many cards he
    lies in Fantasyland, 0 where he does not. `fantasyland`: with how many cards the seat itself does.
    """

    board: Board
    dealt: tuple[Card, ...]
    lays: int
    discards: tuple[Card, ...] = ()
    others: tuple[Board, ...] = ()
    inside: tuple[int, ...] = ()
    fantasyland: int = 0

    @classmethod
    def of_view(cls, view: HandView) -> Knowledge:
        """What the view's seat knows; raises `ValueError` where it has nothing to lay."""
        me = next((player for player in view.players if player.seat == view.you), None)
        if me is None or not me.acting:
            acting = [player.seat for player in view.players if player.acting]
            raise ValueError(f"seat {view.you} has nothing to lay: it is the turn of {acting}")
        others = [player for player in view.players if player is not me]
        return cls(
            board=me.board,
            dealt=me.dealt,
            lays=me.to_lay,
            discards=me.discards,
            others=tuple(player.board for player in others),
            inside=tuple(player.fantasyland if player.hidden else 0 for player in others),
            fantasyland=me.fantasyland,
        )

    @classmethod
    def of_position(cls, position: Position, rules: RuleSet) -> Knowledge:
        """What the player who acts in a position knows.

        Raises `Refused("bad-position")` where nobody acts, there are more boards than seats, his own cards are not known,
        or their number fits no street.
        """
        player = position.player
        if player is None:
            raise Refused("bad-position", detail="say who acts with which cards: ... | p1 KcAs6d")
        if len(position.boards) > rules.seats[1]:
            detail = f"by these rules there are up to {rules.seats[1]} boards, here are {len(position.boards)}"
            raise Refused("bad-position", detail=detail)
        board, dealt, thrown = position.boards[player], position.dealt, position.thrown[player]
        if None in dealt or None in thrown:
            raise Refused("bad-position", detail="the cards of the one who acts are to be named, his discards too")
        own = tuple(card for card in dealt if card is not None)
        discards = tuple(card for card in thrown if card is not None)
        if not board.cards and not discards and 13 <= len(own) <= 17:
            lays = 13
        else:
            lays = _lays(rules, len(board.cards), len(own), len(discards))
        others = tuple(other for place, other in enumerate(position.boards) if place != player)
        return cls(
            board=board,
            dealt=own,
            lays=lays,
            discards=discards,
            others=others,
            inside=(0,) * len(others),
            fantasyland=len(own) if lays == 13 else 0,
        )

    @property
    def where(self) -> bytes:
        """Where each card is, as the cores read it."""
        where = bytearray(52)
        for place, row in enumerate(ROWS, 1):
            for card in self.board.row(row):
                where[NUMBER[card]] = place
        for card in self.discards:
            where[NUMBER[card]] = 4
        for card in self.dealt:
            where[NUMBER[card]] = 5
        for other, board in enumerate(self.others):
            for place, row in enumerate(ROWS):
                for card in board.row(row):
                    where[NUMBER[card]] = 8 + 4 * other + place
        return bytes(where)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards dealt, in the order in which the cores number them."""
        return tuple(card for card in DECK if card in self.dealt)


def _lays(rules: RuleSet, laid: int, dealt: int, thrown: int) -> int:
    on_board = had = 0
    for dealt_now, laid_now in zip(rules.deal, rules.place, strict=True):
        if on_board == laid and had == laid + thrown and dealt == dealt_now:
            return laid_now
        on_board, had = on_board + laid_now, had + dealt_now
    streets = ", ".join(
        f"{dealt} of which {lays} are laid" for dealt, lays in zip(rules.deal, rules.place, strict=True)
    )
    raise Refused(
        "bad-position",
        detail=f"{laid} cards laid, {thrown} thrown away and {dealt} dealt fit no street; the streets are {streets}",
    )


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much is spent on a decision.

    `rolled`: how many placements are played on, by street from the first to the third; 0 takes the nets' word. `samples`:
    how often each of the last two is. `tries`: how many placements of street 4 are counted exactly in each sample.
    `others`: how often the opponents' boards are played to their ends.
    """

    rolled: tuple[int, int, int] = (10, 8, 6)
    samples: tuple[int, int, int] = (2000, 1600, 800)
    tries: int = 1
    others: int = 200


FULL: Final = Effort()
FIRST_SAMPLES: Final = 40
"""After so many the worse half of the placements drops out, then after twice as many more, and so on."""
SAME: Final = 2.0
"""Placements so many standard errors apart, or less, are not told from each other,"""
NEAR: Final = 0.02
"""nor are those so many points apart."""


def placements(position: Position | str, rules: RuleSet | str = "room", seconds: float = 5.0) -> tuple[Judged, ...]:
    """Judge every placement of the player who acts, the best first.

    >>> best, *others = placements("QsQh2c/KdKh9h8d/7c7d5h5s x3h4h8c | -/-/- | p1 7hAs6d")
    >>> str(best.placement), best.exact
    ('-/As/7h x6d', False)

    `seconds`: so long it may think; what it answers does not depend on it unless it is cut short. Raises
    `Refused("bad-position")`, and `Refused("bad-history")` for text that is no position.
    """
    rules = RuleSet.parse(rules) if isinstance(rules, str) else rules
    position = Position.parse(position) if isinstance(position, str) else position
    return think(Knowledge.of_position(position, rules), rules, FULL, time.monotonic() + seconds)


def think(
    knowledge: Knowledge, rules: RuleSet, effort: Effort, deadline: float, *, dream: float = 1.0
) -> tuple[Judged, ...]:
    """Judge every placement that a seat may make, the best first; a layout of Fantasyland is the best alone.

    `deadline`: a moment of `time.monotonic`, at which what has been found by then is told. `dream`: what entering Fantasyland is taken to be worth, in parts of what it is worth in truth.
    """
    if knowledge.lays == 13 and knowledge.fantasyland:
        return (_best_layout(knowledge, rules),)
    choices = core.choices(knowledge.where, knowledge.lays)
    thought = _Thought(knowledge, rules, effort, deadline, choices, dream)
    after = len(knowledge.board.cards) + knowledge.lays
    if after == 13:
        thought.count()
    elif (rules.deal, rules.place) != PINEAPPLE:
        if after == len(knowledge.dealt) == 5:
            thought.play_on(0, least_error=spread(0))
        else:
            thought.look_ahead(after)
    elif after == 11:
        thought.count()
    else:
        thought.play_on(_STREETS[len(knowledge.board.cards)])
    return thought.answer()


def _best_layout(knowledge: Knowledge, rules: RuleSet) -> Judged:
    others = [_full(board, rules) for board in knowledge.others if board.full]
    lines = others + [usual_lines()] * (len(knowledge.others) - len(others))
    found: Layout = wishes(rules, row_worths(rules, lines), stay_worth(rules)).lay(knowledge.dealt)
    return Judged(
        placement=found.placement,
        points=found.value,
        error=0.0,
        behind=0.0,
        foul=0.0,
        fantasyland=float(found.stays),
        exact=True,
        equal=True,
    )


def _full(board: Board, rules: RuleSet) -> Lines:
    """How an opponent fares whose board is full."""
    rows = [core.evaluate(numbers(board.row(row))) for row in ROWS]
    return lines_of(np.array([rows], np.int16), rules)


class _Thought:
    """One decision while it is thought about: for each placement what has been found of it."""

    def __init__(
        self, knowledge: Knowledge, rules: RuleSet, effort: Effort, deadline: float, choices: bytes, dream: float
    ) -> None:
        self._knowledge: Final = knowledge
        self._rules: Final = rules
        self._effort: Final = effort
        self._deadline: Final = deadline
        self._choices: Final = choices
        self._entering: Final = tuple(dream * points for points in fantasyland_worth(rules))
        self._where: Final = knowledge.where
        self._inside: Final = bytes(knowledge.inside)
        self._seed: Final = int.from_bytes(hashlib.blake2b(self._where, digest_size=8).digest())
        self._count: Final = len(choices) // 3
        self._values: NDArray[np.float32] = np.zeros((self._count, 1 + core.PARTS), np.float32)
        self._error = np.zeros(self._count)
        self._exact = False

    # -- the opponents

    def _worths(self, batches: int) -> list[Floats]:
        """The worth of full boards against the opponents, told from so many batches of how they may end."""
        boards = self._knowledge.others
        if all(board.full for board in boards):
            return [self._worth([_full(board, self._rules) for board in boards])]
        made = self._ends()
        if made is None:
            known = [_full(board, self._rules) if board.full else usual_lines() for board in boards]
            return [self._worth(known)]
        parts = np.array_split(made, batches)
        return [self._worth([lines_of(part[:, other], self._rules) for other in range(len(boards))]) for part in parts]

    def _worth(self, others: Sequence[Lines]) -> Floats:
        inside = self._knowledge.fantasyland > 0
        return worth(self._rules, others, fantasyland=self._entering, inside=inside)

    def _ends(self) -> NDArray[np.int16] | None:
        """How the opponents' boards may end: samples x opponents x rows; None where the nets do not know their game."""
        known = all(board.full or len(board.cards) in _STREETS for board in self._knowledge.others)
        if (self._rules.deal, self._rules.place) != PINEAPPLE or not self._effort.others or not known:
            return None
        usual = worth(self._rules, [usual_lines()] * len(self._knowledge.others))
        made = np.zeros((self._effort.others, len(self._knowledge.others), 3), np.int16)
        stay = wishes(self._rules, row_worths(self._rules), stay_worth(self._rules))
        core.complete(self._where, usual, nets(), self._inside, self._seed, self._effort.others, made, stay.told)
        return made

    # -- how placements are judged

    def count(self) -> None:
        """Count every draw, or the full boards themselves."""
        worths = self._worths(4)
        found = np.zeros((len(worths), *self._values.shape), np.float32)
        for one, each in enumerate(worths):
            core.exact(self._where, each, self._choices, found[one])
        self._values = found.mean(axis=0)
        self._exact = all(board.full for board in self._knowledge.others)
        if len(worths) > 1:
            points = found[:, :, 0]
            best = int(self._values[:, 0].argmax())
            apart = points - points[:, best : best + 1]
            apart[:, best] = points[:, best]
            self._error = apart.std(axis=0, ddof=1) / np.sqrt(len(worths))

    def play_on(self, street: int, *, least_error: float = 0.0) -> None:
        """Ask the nets, then play the best few on; what is played on as another game errs by `least_error` or more."""
        (each,) = self._worths(1)
        core.judge(self._where, each, nets(), self._inside, self._choices, self._values)
        self._error[:] = spread(street)
        alive = self._promising(self._effort.rolled[street])
        most = self._effort.samples[street]
        if len(alive) < 2 or most < 2:
            return
        told = self._values[alive, 0].copy()
        samples: dict[int, list[NDArray[np.float32]]] = {int(one): [] for one in alive}
        parts = {int(one): np.zeros(core.PARTS) for one in alive}
        done, step = 0, min(FIRST_SAMPLES, most)
        while done < most and (time.monotonic() < self._deadline or done == 0):
            values = np.zeros((len(alive), step), np.float32)
            detail = np.zeros((len(alive), core.PARTS), np.float32)
            chosen = b"".join(self._choices[3 * one : 3 * one + 3] for one in alive)
            core.rollouts(
                *(self._where, each, nets(), self._inside, chosen, self._seed, done, step, self._effort.tries),
                *(values, detail),
            )
            for place, one in enumerate(alive):
                samples[int(one)].append(values[place])
                parts[int(one)] += detail[place] * step
            done += step
            step = min(2 * step, most - done, 400)
            if len(alive) > 2:
                means = [np.concatenate(samples[int(one)]).mean() for one in alive]
                alive = alive[np.argsort(means)[::-1][: max(2, len(alive) // 2)]]
        self._settle({one: np.concatenate(each) for one, each in samples.items()}, parts, told)
        self._error = np.maximum(self._error, least_error)

    def _promising(self, most: int) -> NDArray[np.intp]:
        """The placements worth playing on: the nets' best few, and what makes the highest royalties at once.

        Nets have seldom met a straight flush.
        """
        order = np.argsort(-self._values[:, 0], kind="stable")[:most]
        if not most:
            return order
        earned = np.array([self._earned(self._choices[3 * one : 3 * one + 3]) for one in range(self._count)])
        highest = np.argsort(-earned, kind="stable")[:2]
        return np.append(order, [one for one in highest if earned[one] > 0 and one not in order]).astype(np.intp)

    def _earned(self, choice: bytes) -> float:
        """The royalties of the rows that a choice fills."""
        total = 0.0
        for row, royalties, taken in zip(ROWS, row_royalties(self._rules), choice, strict=True):
            if self._knowledge.board.room(row) == taken.bit_count() > 0:
                new = tuple(card for bit, card in enumerate(self._knowledge.hand) if taken >> bit & 1)
                total += float(royalties[core.evaluate(numbers((*self._knowledge.board.row(row), *new)))])
        return total

    def _settle(
        self, samples: dict[int, NDArray[np.float32]], parts: dict[int, NDArray[np.float64]], told: NDArray[np.float32]
    ) -> None:
        """Put together what was played on, over the cards that it has in common with the best, and what was not."""
        most = max(map(len, samples.values()))
        best = max((one for one in samples if len(samples[one]) == most), key=lambda one: samples[one].mean())
        points = float(samples[best].mean())
        for one, own in samples.items():
            self._values[one, 1:] = parts[one] / len(own)
            apart = samples[best][: len(own)] - own
            self._values[one, 0] = points - max(0.0, float(apart.mean()))
            spread_of = own if one == best else apart
            self._error[one] = spread_of.std(ddof=1) / np.sqrt(len(own))
        # The nets' word on the others is taken as far off as it was, on average, on those that were played on.
        off = float(self._values[list(samples), 0].mean() - told.mean())
        rest = [one for one in range(self._count) if one not in samples]
        self._values[rest, 0] = np.minimum(self._values[rest, 0] + off, points)

    def look_ahead(self, after: int) -> None:
        """Judge by the nets, made for other streets, what stands after this one or after one card more."""
        (each,) = self._worths(1)
        self._error[:] = spread(0)
        for one in range(self._count):
            self._values[one] = self._after(self._where, self._choices[3 * one : 3 * one + 3], each, after)

    def _after(self, where: bytes, choice: bytes, each: Floats, after: int) -> Floats:
        """What a board is worth that one choice has made."""
        value = np.zeros((1, 1 + core.PARTS), np.float32)
        if after == 13:
            core.exact(where, each, choice, value)
        elif after in _STREETS:
            core.judge(where, each, nets(), self._inside, choice, value)
        else:
            laid = _laid(where, choice)
            unseen = [card for card, place in enumerate(laid) if place == 0]
            for card in unseen:
                dealt = bytearray(laid)
                dealt[card] = 5
                ways = core.choices(bytes(dealt), 1)
                found = [self._after(bytes(dealt), ways[at : at + 3], each, after + 1) for at in range(0, len(ways), 3)]
                value[0] += max(found, key=lambda one: float(one[0])) / len(unseen)
        return np.asarray(value[0])

    # -- the answer

    def answer(self) -> tuple[Judged, ...]:
        """Every placement, the best first."""
        points = self._values[:, 0]
        order = np.argsort(-points, kind="stable")
        best = float(points[order[0]])
        hand = self._knowledge.hand
        judged: list[Judged] = []
        for place, one in enumerate(order):
            behind, error = best - float(points[one]), float(self._error[one])
            judged.append(
                Judged(
                    placement=_placement(hand, self._choices[3 * one : 3 * one + 3]),
                    points=float(points[one]),
                    error=error,
                    behind=behind,
                    foul=float(np.clip(self._values[one, 2], 0, 1)),
                    fantasyland=float(np.clip(self._values[one, 3:7].sum(), 0, 1)),
                    exact=self._exact,
                    equal=place == 0 or behind <= max(SAME * error, NEAR if not self._exact else 1e-4),
                )
            )
        return tuple(judged)


def _laid(where: bytes, choice: bytes) -> bytes:
    """Where cards are once a choice is made."""
    after = bytearray(where)
    for bit, card in enumerate(card for card, place in enumerate(where) if place == 5):
        row = next((row for row in range(3) if choice[row] >> bit & 1), None)
        after[card] = 4 if row is None else row + 1
    return bytes(after)


def _placement(hand: Sequence[Card], choice: bytes) -> Placement:
    rows = [tuple(card for bit, card in enumerate(hand) if taken >> bit & 1) for taken in choice]
    laid = {card for row in rows for card in row}
    return Placement(rows[0], rows[1], rows[2], tuple(card for card in hand if card not in laid))
