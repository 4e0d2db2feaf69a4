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
from ananas.solver.nets import ahead, nets, spread
from ananas.solver.plain.core import MOST_PLACEMENTS
from ananas.solver.plain.worth import read_worth, values_of
from ananas.solver.tables import NUMBER, numbers
from ananas.solver.worth import (
    Floats,
    Lines,
    entering,
    fantasyland_worth,
    lines_of,
    row_royalties,
    row_worths,
    stay_worth,
    staying,
    usual,
    usual_lines,
    worth,
)

PINEAPPLE: Final = ((5, 3, 3, 3, 3), (5, 2, 2, 2, 2))
"""The streets the nets have learnt: what is dealt, and what is laid."""
SINGLE: Final = ((5, 1, 1, 1, 1, 1, 1, 1, 1),) * 2
"""The streets of single cards."""
OVERRATED: Final = {5: 5.3, 6: 3.8, 7: 4.0, 8: 2.3, 9: 2.6, 10: 1.0, 11: 1.2}
"""By how much the nets, made for streets of three, make too much of a board of so many cards where single cards come.

It is the same for all placements of a street. Found over 4,000 hands of two by the rules of the club: so much more was
expected, on average, than the hand came to, give or take a tenth of a point."""
_STREETS: Final = {0: 0, 5: 1, 7: 2, 9: 3, 11: 4}


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A placement and what it is worth.

    `points`: what the hand is expected to come to against one opponent, the mean where there are several: lines, both
    sides' royalties, the price of a dead hand, and what the right to Fantasyland is worth to either side. `error`: one
    standard error of `points`; of the distance to the best where `behind` is more than nothing. `behind`: by how much it
    is worse than the best. `foul`, `fantasyland`: how often the board is dead, and leads to Fantasyland, when it is
    played on well. `exact`: whether nothing was left to samples. `equal`: whether it cannot be told from the best.
    `guess`: whether it is the nets' word alone, not played on.
    """

    placement: Placement
    points: float
    error: float
    behind: float
    foul: float
    fantasyland: float
    exact: bool
    equal: bool
    guess: bool


class Knowledge(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat knows when it has cards to lay.

    `board`: its own; `dealt`, `lays`: the cards in its hand, and how many of them go to the board. `discards`: its own,
    thrown away before. `others`: the opponents' boards as far as they lie open, `inside`: for each with how many cards he
    lies in Fantasyland, 0 where he does not. `fantasyland`: with how many cards the seat itself does; `keeps`: whether
    the rules let it stay there once more.
    """

    board: Board
    dealt: tuple[Card, ...]
    lays: int
    discards: tuple[Card, ...] = ()
    others: tuple[Board, ...] = ()
    inside: tuple[int, ...] = ()
    fantasyland: int = 0
    keeps: bool = True

    @classmethod
    def of_view(cls, view: HandView, rules: RuleSet) -> Knowledge:
        """What the view's seat knows, who plays by these rules; raises `ValueError` where it has nothing to lay."""
        me = next((player for player in view.players if player.seat == view.you), None)
        if me is None or not me.acting:
            acting = [player.seat for player in view.players if player.acting]
            raise ValueError(f"seat {view.you} has nothing to lay: it is the turn of {acting}")
        others = [player for player in view.players if player is not me]
        limit = rules.fantasyland_repeats
        return cls(
            board=me.board,
            dealt=me.dealt,
            lays=me.to_lay,
            discards=me.discards,
            others=tuple(player.board for player in others),
            inside=tuple(player.fantasyland if player.hidden else 0 for player in others),
            fantasyland=me.fantasyland,
            keeps=limit == "unlimited" or me.repeats < limit,
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
    def judged(self) -> bool:
        """Whether its placements can be judged.

        In Fantasyland they can. Else the hand must be small enough to list them all, and what then stands, with a card
        more at most, must be full or a board as the nets know it.
        """
        after = len(self.board.cards) + self.lays
        return self.fantasyland > 0 or (len(self.dealt) <= HAND and after >= min(_STREETS.keys() - {0}) - 1)

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


FIRST_SAMPLES: Final = 40
"""After so many the worse half of the placements drops out, then after twice as many more, and so on."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much is spent on a decision.

    `rolled`: how many placements are played on, by street from the first to the third; 0 takes the nets' word. `samples`:
    how often each of the last two is. `tries`: how many placements of street 4 are counted exactly in each sample.
    `others`: how often the opponents' boards are played to their ends. `first`: after how many samples the worse half of
    the placements drops out first. `chances`: whether it is told, too, how often boards that are played on are dead or
    lead to Fantasyland, which takes as long again; else that is the nets' word.
    """

    rolled: tuple[int, int, int] = (10, 8, 6)
    samples: tuple[int, int, int] = (2000, 1600, 800)
    tries: int = 1
    others: int = 200
    first: int = FIRST_SAMPLES
    chances: bool = True


HAND: Final = 5
"""With so many cards in the hand, or fewer, every placement is listed and judged."""
FULL: Final = Effort()
GLANCE: Final = Effort(rolled=(0, 0, 0), samples=(0, 0, 0), others=0)
"""One look ahead: the nets' word, and what can be counted."""
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
    knowledge: Knowledge,
    rules: RuleSet,
    effort: Effort,
    deadline: float,
    *,
    dream: float = 1.0,
    given: Placement | None = None,
    reviewed: bool = False,
) -> tuple[Judged, ...]:
    """Judge every placement that a seat may make, the best first; a layout of Fantasyland is the best alone.

    `deadline`: a moment of `time.monotonic`, at which what has been found by then is told. `dream`: what entering
    Fantasyland is taken to be worth, in parts of what it is worth in truth. `reviewed`: other cards are drawn than a bot
    would draw, who may be the one that is reviewed, and what is last compared is compared over cards that had no part in
    choosing it, so that luck in the samples does not pass for merit. `given`: a placement that is reviewed so, played on
    as often as the best, over the same cards, however bad it looks; what is told of the others does not depend on it.
    Raises `ValueError` where it cannot be laid, and `Refused("bad-position")` on a street of more cards than can be
    judged.
    """
    if knowledge.lays == 13 and knowledge.fantasyland:
        return (_best_layout(knowledge, rules, effort),)
    if not knowledge.judged:
        least = min(_STREETS.keys() - {0}) - 1
        detail = (
            f"streets of up to {HAND} cards are judged after which a board holds {least} or more; this one deals "
            f"{len(knowledge.dealt)} to {len(knowledge.board.cards)}"
        )
        raise Refused("bad-position", detail=detail)
    choices = core.choices(knowledge.where, knowledge.lays)
    thought = _Thought(knowledge, rules, effort, deadline, choices, dream, given, reviewed=reviewed)
    after = len(knowledge.board.cards) + knowledge.lays
    if after == 13:
        thought.count()
    elif (rules.deal, rules.place) != PINEAPPLE:
        if after == len(knowledge.dealt) == 5 and knowledge.where.count(0) >= sum(PINEAPPLE[0][1:]):
            thought.play_on(0, least_error=spread(0))
        else:
            thought.look_ahead(after)
        if (rules.deal, rules.place) == SINGLE:
            thought.take_off(OVERRATED.get(after, 0.0))
    elif after == 11:
        thought.count()
    else:
        thought.play_on(_STREETS[len(knowledge.board.cards)])
    return thought.answer()


def _best_layout(knowledge: Knowledge, rules: RuleSet, effort: Effort) -> Judged:
    others = [_full(board, rules) for board in knowledge.others if board.full]
    lines = others + [usual_lines()] * (len(knowledge.others) - len(others))
    found: Layout = wishes(rules, row_worths(rules, lines), _stay(knowledge, rules)).lay(knowledge.dealt)
    return _judged_layouts(knowledge, rules, _lines(knowledge, rules, effort, _BATCHES), [found.placement])[0]


def _stay(knowledge: Knowledge, rules: RuleSet) -> float:
    """What staying in Fantasyland is worth to a seat."""
    return stay_worth(rules) if knowledge.keeps else 0.0


def layouts(knowledge: Knowledge, rules: RuleSet, effort: Effort, given: Placement | None = None) -> tuple[Judged, ...]:
    """Judge the best layout of Fantasyland and, where it is another, the given one; the better first.

    The search knows only what rows are worth one by one. So it is made with several guesses of what a won line brings,
    and of the boards it finds that one is the best which is worth most against the opponents, lines, scoop and all.
    """
    batches = _lines(knowledge, rules, effort, _BATCHES)
    mean = [
        np.mean([[others[one].win, others[one].lose] for others in batches], axis=0) for one in range(len(batches[0]))
    ]
    lines = [Lines(win.astype(np.float32), lose.astype(np.float32), 0.0) for win, lose in mean]
    stay = _stay(knowledge, rules)
    told = [wishes(rules, row_worths(rules, lines, line), stay).lay(knowledge.dealt) for line in _GUESSES]
    found = list(dict.fromkeys(one.placement for one in told))
    best = max(_judged_layouts(knowledge, rules, batches, found), key=lambda one: one.points).placement
    if given is None:
        return _judged_layouts(knowledge, rules, batches, [best])
    compared = _judged_layouts(knowledge, rules, batches, [best, given])
    if compared[1].points >= compared[0].points:
        return _judged_layouts(knowledge, rules, batches, [given])
    return compared


_GUESSES: Final = (None, 0.0, 1.0, 2.0, 3.0, 4.0)
"""What a won line may be worth; None: what it usually is."""


def _judged_layouts(
    knowledge: Knowledge, rules: RuleSet, batches: Sequence[Sequence[Lines]], laid: Sequence[Placement]
) -> tuple[Judged, ...]:
    """Judge layouts against the opponents as each of the batches tells them; the first is what others are behind."""
    made = np.array([[core.evaluate(numbers(one.row(row))) for row in ROWS] for one in laid], np.int16)
    values = np.zeros((len(batches), len(laid)))
    dead = stays = np.zeros(len(laid), bool)
    for place, others in enumerate(batches):
        told = values_of(read_worth(worth(rules, others, inside=True)), made[:, 0], made[:, 1], made[:, 2])
        dead = told.parts[:, 1] > 0
        stays = staying(made, rules) & ~dead
        values[place] = told.points + stays * _stay(knowledge, rules)
    cost, cost_error = _cost(batches)
    apart = values - values[:, :1]
    apart[:, 0] = values[:, 0]
    error = apart.std(axis=0, ddof=1) / np.sqrt(len(batches)) if len(batches) > 1 else np.zeros(len(laid))
    error[0] = np.hypot(error[0], cost_error)
    points = values.mean(axis=0)
    exact = all(board.full for board in knowledge.others)
    return tuple(
        Judged(
            placement=placement,
            points=float(points[one] - cost),
            error=float(error[one]),
            behind=float(points[0] - points[one]),
            foul=float(dead[one]),
            fantasyland=float(stays[one] and knowledge.keeps),
            exact=exact,
            equal=not one or bool(points[0] - points[one] <= max(SAME * error[one], 1e-4 if exact else NEAR)),
            guess=False,
        )
        for one, placement in enumerate(laid)
    )


_OTHERS_SAMPLES: Final = 1 << 20
"""The number of the first sample where a given placement is judged."""
_BATCHES: Final = 4
"""The opponents' ends are told in so many parts, to see how far what is counted depends on them."""


def _lines(knowledge: Knowledge, rules: RuleSet, effort: Effort, batches: int) -> list[list[Lines]]:
    """How each opponent fares, told from so many batches of how they may end; once where nothing is left to samples."""
    made = _ends(knowledge, rules, effort)
    known = [
        _full(board, rules) if board.full else None if other in made else usual(rules)
        for other, board in enumerate(knowledge.others)
    ]
    if None not in known:
        return [[lines for lines in known if lines is not None]]
    parts = {other: np.array_split(ends, batches) for other, ends in made.items()}
    return [
        [
            lines_of(parts[other][batch], rules, inside=_inside(knowledge, other)) if lines is None else lines
            for other, lines in enumerate(known)
        ]
        for batch in range(batches)
    ]


def _cost(batches: Sequence[Sequence[Lines]]) -> tuple[float, float]:
    """What the opponents take whatever is laid, a mean of one, and its standard error."""
    if not batches[0]:
        return 0.0, 0.0
    cost = float(np.mean([[lines.cost for lines in others] for others in batches]))
    errors = np.array([[lines.error for lines in others] for others in batches])
    return cost, float(np.sqrt((errors**2).sum())) / errors.size


def _inside(knowledge: Knowledge, other: int) -> bool:
    return other < len(knowledge.inside) and knowledge.inside[other] > 0


def _ends(knowledge: Knowledge, rules: RuleSet, effort: Effort) -> dict[int, NDArray[np.int16]]:
    """How opponents' boards may end: by opponent, samples x rows. Left out are those whose game the nets do not know."""
    if not effort.others or all(board.full for board in knowledge.others):
        return {}
    others = range(len(knowledge.others))
    pineapple = (rules.deal, rules.place) == PINEAPPLE
    known = pineapple and all(board.full or len(board.cards) in _STREETS for board in knowledge.others)
    asked = [other for other in others if known or _inside(knowledge, other)]
    if not asked:
        return {}
    where = bytearray(knowledge.where)
    for card, place in enumerate(where):
        if place >= 8:
            other, row = divmod(place - 8, 4)
            where[card] = 8 + 4 * asked.index(other) + row if other in asked else 4
    inside = bytes(knowledge.inside[other] if _inside(knowledge, other) else 0 for other in asked)
    usually = worth(rules, [usual_lines()] * len(asked))
    made = np.zeros((effort.others, len(asked), 3), np.int16)
    stay = wishes(rules, row_worths(rules), stay_worth(rules))
    core.complete(bytes(where), usually, nets(), inside, _seed(knowledge), effort.others, made, stay.told)
    return {other: made[:, place] for place, other in enumerate(asked) if not knowledge.others[other].full}


def _seed(knowledge: Knowledge) -> int:
    return int.from_bytes(hashlib.blake2b(knowledge.where, digest_size=8).digest())


def _full(board: Board, rules: RuleSet) -> Lines:
    """How an opponent fares whose board is full."""
    rows = [core.evaluate(numbers(board.row(row))) for row in ROWS]
    return lines_of(np.array([rows], np.int16), rules)


class _Thought:
    """One decision while it is thought about: for each placement what has been found of it."""

    def __init__(
        self,
        knowledge: Knowledge,
        rules: RuleSet,
        effort: Effort,
        deadline: float,
        choices: bytes,
        dream: float,
        given: Placement | None,
        *,
        reviewed: bool,
    ) -> None:
        self._knowledge: Final = knowledge
        self._rules: Final = rules
        self._effort: Final = effort
        self._deadline: Final = deadline
        self._choices: Final = choices
        self._entering: Final = tuple(dream * points for points in fantasyland_worth(rules))
        self._where: Final = knowledge.where
        self._inside: Final = bytes(knowledge.inside)
        self._seed: Final = _seed(knowledge)
        self._count: Final = len(choices) // 3
        self._given: Final = None if given is None else self._place_of(given)
        self._reviewed: Final = reviewed or given is not None
        self._values: NDArray[np.float32] = np.zeros((self._count, 1 + core.PARTS), np.float32)
        self._error = np.zeros(self._count)
        self._guess = np.zeros(self._count, bool)
        self._exact = False
        self._cost = self._cost_error = 0.0

    def _place_of(self, given: Placement) -> int:
        """Which of the choices a placement is."""
        rows = [{*given.row(row)} for row in ROWS]
        for one in range(self._count):
            placement = _placement(self._knowledge.hand, self._choices[3 * one : 3 * one + 3])
            if [{*placement.row(row)} for row in ROWS] == rows:
                return one
        raise ValueError(f"{given} cannot be laid here")

    # -- the opponents

    def _worths(self, batches: int) -> list[Floats]:
        """The worth of full boards against the opponents, told from so many batches of how they may end."""
        lines = _lines(self._knowledge, self._rules, self._effort, batches)
        self._cost, self._cost_error = _cost(lines)
        inside = self._knowledge.fantasyland > 0
        return [worth(self._rules, others, fantasyland=self._entering, inside=inside) for others in lines]

    # -- how placements are judged

    def count(self) -> None:
        """Count every draw, or the full boards themselves."""
        worths = self._worths(_BATCHES)
        found = np.zeros((len(worths), *self._values.shape), np.float32)
        for one, each in enumerate(worths):
            core.exact(self._where, each, self._choices, found[one])
        self._take(found)

    def _take(self, found: NDArray[np.float32]) -> None:
        """Take what was counted against each batch of ends: batches x placements x (points and parts)."""
        self._values = found.mean(axis=0)
        self._exact = all(board.full for board in self._knowledge.others)
        if len(found) > 1:
            points = found[:, :, 0]
            best = int(self._values[:, 0].argmax())
            apart = points - points[:, best : best + 1]
            apart[:, best] = points[:, best]
            self._error = apart.std(axis=0, ddof=1) / np.sqrt(len(found))

    def play_on(self, street: int, *, least_error: float = 0.0) -> None:
        """Ask the nets, then play the best few on; what is played on as another game errs by `least_error` or more."""
        (each,) = self._worths(1)
        core.judge(self._where, each, nets(), self._inside, self._choices, self._values)
        self._error[:] = spread(street)
        self._guess[:] = True
        alive = self._promising(self._effort.rolled[street])
        most = self._effort.samples[street]
        if len(alive) < 2 or most < 2:
            return
        promising, told = alive, self._values[alive, 0].copy()
        samples: dict[int, list[NDArray[np.float32]]] = {}
        parts: dict[int, NDArray[np.float64]] = {}
        # Who is reviewed may have decided by the same samples: they are no witnesses then.
        number = _OTHERS_SAMPLES if self._reviewed else 0
        done, step, fresh, beside = 0, min(self._effort.first, most), 0, list[int]()
        while done < most and (time.monotonic() < self._deadline or done == 0):
            beside = [] if self._given is None or self._given in alive else [self._given]
            tried = [*map(int, alive), *beside]
            values = np.zeros((len(tried), step, 2), np.float32)
            detail = np.zeros((len(tried) * self._effort.chances, core.PARTS), np.float32)
            chosen = b"".join(self._choices[3 * one : 3 * one + 3] for one in tried)
            core.rollouts(
                *(self._where, each, nets(), self._inside, chosen, self._seed, number + done, step, self._effort.tries),
                *(values, detail),
            )
            for place, one in enumerate(tried):
                samples.setdefault(one, []).append(values[place])
                if self._effort.chances:
                    parts[one] = parts.get(one, 0) + detail[place].astype(np.float64) * step
            done += step
            step = min(2 * step, most - done, 400)
            if len(alive) > 2:
                found = weighed(np.stack([np.concatenate(samples[int(one)]) for one in alive]), ahead(street))
                kept = alive[np.argsort(-found, kind="stable")[: max(2, len(alive) // 2)]]
                fresh = done if self._reviewed and len(kept) < len(alive) and done < most else fresh
                alive = kept
        if done - fresh < 2:  # cut short right after some dropped out: what there is has to do
            fresh = 0
        whole = {one: np.concatenate(each) for one, each in samples.items()}
        self._settle(whole, parts, beside, fresh, ahead(street))
        # The nets' word on the others is taken as far off as it was, on average, on those that were played on.
        more = float(self._values[promising, 0].mean() - told.mean())
        rest = [one for one in range(self._count) if one not in samples]
        self._values[rest, 0] = np.minimum(self._values[rest, 0] + more, self._values[:, 0][[*samples]].max())
        self._error = np.maximum(self._error, least_error)

    def _promising(self, most: int) -> NDArray[np.intp]:
        """The placements worth playing on: the nets' best few, and what makes the highest royalties at once.

        Nets have seldom met a straight flush.
        """
        order = np.argsort(-self._values[:, 0], kind="stable")[:most]
        if not most:
            return order
        earned = np.array([self._earned(self._choices[3 * one : 3 * one + 3]) for one in range(self._count)])
        more = [int(one) for one in np.argsort(-earned, kind="stable")[:2] if earned[one] > 0]
        return np.append(order, [one for one in more if one not in order]).astype(np.intp)

    def _earned(self, choice: bytes) -> float:
        """The royalties of the rows that a choice fills."""
        total = 0.0
        for row, royalties, taken in zip(ROWS, row_royalties(self._rules), choice, strict=True):
            if self._knowledge.board.room(row) == taken.bit_count() > 0:
                new = tuple(card for bit, card in enumerate(self._knowledge.hand) if taken >> bit & 1)
                total += float(royalties[core.evaluate(numbers((*self._knowledge.board.row(row), *new)))])
        return total

    def _settle(
        self,
        samples: dict[int, NDArray[np.float32]],
        parts: dict[int, NDArray[np.float64]],
        beside: list[int],
        fresh: int,
        off: float,
    ) -> None:
        """Put together what was played on, over the cards that it has in common with the best.

        `samples`: of each placement, samples x (the next net's word, points). `beside`: what was played on without being
        among the best. `fresh`: from which sample on those that were played on longest are compared with each other.
        `off`: how far that word is off on average.
        """
        most = max(map(len, samples.values()))
        last = [one for one in samples if len(samples[one]) == most]
        usual = [one for one in last if one not in beside]
        best = usual[int(weighed(np.stack([samples[one][fresh:] for one in usual]), off).argmax())]
        for one in beside:
            best = one if distance(samples[best][fresh:] - samples[one][fresh:], off)[0] < 0 else best
        points = float(samples[best][fresh:, 1].mean())
        for one, own in samples.items():
            if self._effort.chances:
                self._values[one, 1:] = parts[one] / len(own)
            compared = slice(fresh, None) if one in last else slice(0, len(own))
            if one == best:
                apart, error = 0.0, own[compared, 1].std(ddof=1) / np.sqrt(len(own[compared]))
            else:
                apart, error = distance(samples[best][compared] - own[compared], off)
            self._values[one, 0] = points - max(0.0, apart)
            self._error[one] = error
            self._guess[one] = False

    def look_ahead(self, after: int) -> None:
        """Judge by the nets, made for other streets, what stands after this one or after one card more.

        Where that fills the board, it is counted.
        """
        counted = after == 12
        worths = self._worths(_BATCHES if counted else 1)
        if counted:
            self._take(np.stack([self._after(self._where, self._choices, each, after) for each in worths]))
            return
        (each,) = worths
        self._guess[:] = True
        self._error[:] = spread(0)
        self._values[:] = self._after(self._where, self._choices, each, after)

    def _after(self, where: bytes, choices: bytes, each: Floats, after: int) -> Floats:
        """What the boards are worth that choices have made."""
        values = np.zeros((len(choices) // 3, 1 + core.PARTS), np.float32)
        if after == 13:
            core.exact(where, each, choices, values)
        elif after in _STREETS:
            for at in range(0, len(values), MOST_PLACEMENTS):
                some = choices[3 * at : 3 * (at + MOST_PLACEMENTS)]
                core.judge(where, each, nets(), self._inside, some, values[at : at + MOST_PLACEMENTS])
        else:
            for one in range(len(values)):
                laid = _laid(where, choices[3 * one : 3 * one + 3])
                unseen = [card for card, place in enumerate(laid) if place == 0]
                for card in unseen:
                    dealt = bytearray(laid)
                    dealt[card] = 5
                    found = self._after(bytes(dealt), core.choices(bytes(dealt), 1), each, after + 1)
                    values[one] += found[found[:, 0].argmax()] / np.float32(len(unseen))
        return values

    # -- the answer

    def take_off(self, points: float) -> None:
        """Make so much less of every placement."""
        self._cost += points

    def answer(self) -> tuple[Judged, ...]:
        """Every placement, the best first."""
        points = self._values[:, 0]
        order = np.argsort(-points, kind="stable")
        best = float(points[order[0]])
        hand = self._knowledge.hand
        enter = entering(self._rules)
        judged: list[Judged] = []
        for place, one in enumerate(order):
            behind, error = best - float(points[one]), float(self._error[one])
            foul = float(np.clip(self._values[one, 2], 0, 1))
            judged.append(
                Judged(
                    placement=_placement(hand, self._choices[3 * one : 3 * one + 3]),
                    points=float(points[one]) - self._cost,
                    error=error if place else float(np.hypot(error, self._cost_error)),
                    behind=behind,
                    foul=foul,
                    # The nets guess both by themselves; no dead hand comes there.
                    fantasyland=float(np.clip(self._values[one, 3:7] @ enter, 0, 1 - foul)),
                    exact=self._exact,
                    equal=place == 0 or behind <= max(SAME * error, NEAR if not self._exact else 1e-4),
                    guess=bool(self._guess[one]),
                )
            )
        return tuple(judged)


def weighed(samples: NDArray[np.float32], off: float) -> NDArray[np.float64]:
    """What placements come to beside each other: placements x samples x (the next net's word, points).

    That word, over all cards that may come next, differs little by chance but is a little off; points are right but
    differ by the cards of all streets. So the points correct the word as far as they are to be trusted: the more samples,
    the more.
    """
    words, points = samples[:, :, 0].astype(np.float64), samples[:, :, 1]
    more = points - words
    more -= more.mean(axis=0)
    trust = _trust(more.var(axis=1, ddof=1).mean(), samples.shape[1], off)
    return np.asarray(words.mean(axis=1) + trust * more.mean(axis=1))


def distance(samples: NDArray[np.float32], off: float) -> tuple[float, float]:
    """How far two placements are apart, and the error of that: differences in samples x (the next net's word, points)."""
    words, points = samples[:, 0].astype(np.float64), samples[:, 1]
    count, both = len(samples), 2**0.5 * off
    trust = _trust((points - words).var(ddof=1), count, both)
    each = words + trust * (points - words)
    return float(each.mean()), float(np.hypot(each.std(ddof=1) / np.sqrt(count), (1 - trust) * both))


def _trust(variance: float, samples: int, off: float) -> float:
    """How far the mean of so many samples is to be trusted, beside a word that is off by so much: from 0 to 1."""
    chance = variance / samples
    return float(off**2 / (off**2 + chance)) if chance > 0 else 1.0


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
