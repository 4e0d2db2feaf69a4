"""What a review says, as types: on the wire, in the database and in a program they are the same.

All points are of the hand against all opponents together: the rows and the scoop, royalties both ways, a dead hand, and
what entering Fantasyland, or staying there, is worth to either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ananas.game.board import Board
from ananas.game.cards import Card
from ananas.game.rules import RuleSet

Verdict = Literal["best", "equal", "near", "inaccuracy", "mistake", "forced"]
"""`equal`: it cannot be told from the best. `near`: it can, but loses too little to be named. `forced`: there was nothing to choose."""


class Other(msgspec.Struct, frozen=True, kw_only=True):
    """An opponent's board as it lay open; `inside`: with how many cards he lies face down in Fantasyland, 0 where he does not."""

    seat: int
    board: Board
    inside: int


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody knew when he had cards to lay: nothing that lay face down for him is in it.

    `street`: counted from 1. `fantasyland`: with how many cards he lays at once, 0 where street by street. `dealt`: the
    cards in his hand in order of receipt, of which `to_lay` go to the board. `discards`: his own, thrown away before.
    """

    seat: int
    street: int
    fantasyland: int
    board: Board
    dealt: tuple[Card, ...]
    to_lay: int
    discards: tuple[Card, ...]
    others: tuple[Other, ...]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A placement as the coach judges it; `placement` as text.

    `points`: what the hand is expected to come to after it. `behind`: how much less than after the best. `error`: one
    standard error, of `behind`, of `points` for the best. `foul`, `fantasyland`: how often the board is dead, and leads to
    Fantasyland or stays there, when it is played on well. `equal`: it cannot be told from the best. `guess`: the nets' word
    alone, not played on.
    """

    placement: str
    points: float
    behind: float
    error: float
    foul: float
    fantasyland: float
    equal: bool
    guess: bool


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """Cards still to come that matter: `label` by language (`ru`, `en`) says for what; `best`: after the best placement, not his own."""

    label: Mapping[str, str]
    cards: tuple[Card, ...]
    best: bool


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why the best placement is better: a sentence or two by language (`ru`, `en`), and the live cards behind them.

    Better than what was laid; in the answer to a puzzle that cannot be told from the best, than the first that can be.
    """

    text: Mapping[str, str]
    live: tuple[Live, ...]


class StreetReview(msgspec.Struct, frozen=True, kw_only=True):
    """One street. `automatic`: the table laid it in the player's place, since time was up or he was away.

    `options`: placements, the best first, all of them where he laid street by street, the best and his own in Fantasyland.
    `loss`: what his own cost, 0 where it cannot be told from the best; `error`: one standard error of it. `exact`: nothing
    was left to samples. `luck`: by how much the cards of this street, and what the others have laid meanwhile, changed what
    he could expect.
    """

    spot: Spot
    automatic: bool
    verdict: Verdict
    chosen: Option
    options: tuple[Option, ...]
    loss: float
    error: float
    exact: bool
    luck: float
    cause: Cause | None


class HandReview(msgspec.Struct, frozen=True, kw_only=True):
    """A finished hand as the coach sees it, for the one at the seat `you`; `names`, `seats` in order of play.

    `table`: its id, null where it is seen by a link. `of`: how many decisions there are; while `done` is false, `streets`
    holds those judged so far. `result`: the points of the hand. `right`: what the rights to Fantasyland are worth that it
    gave him, less what it gave the opponents. The account: result + right = decisions + by_table + luck, where
    `decisions` is what the losses of the streets he laid come to, `by_table` those of streets the table laid for him,
    neither above 0, and `luck` all the rest: that of each street, and `showdown`, what came after his last card. While
    `done` is false, these are of what has been judged. By a link each `cause` speaks of the player, not to him.
    """

    table: str | None
    number: int
    rules: RuleSet
    you: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    of: int
    done: bool
    streets: tuple[StreetReview, ...]
    result: int
    right: float
    decisions: float
    by_table: float
    luck: float
    showdown: float


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach would lay now, at a table where all others are bots: the best few, the best first."""

    hand: int
    street: int
    options: tuple[Option, ...]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """The position of a day, `date` as YYYY-MM-DD in UTC; `number` counts the days. The opponents' seats are their names."""

    date: str
    number: int
    rules: RuleSet
    spot: Spot


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach says to an answer."""

    date: str
    review: StreetReview
