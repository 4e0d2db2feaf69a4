"""Coaches that judge at once, or hang, or die; they judge in processes of their own, which import this file."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from ananas.coach import puzzle as of_the_day
from ananas.coach import review
from ananas.coach.report import Hint, Option, Puzzle, Spot, StreetReview
from ananas.coach.review import Decision, spot_of
from ananas.game.board import Board, Placement
from ananas.game.cards import parse_cards
from ananas.game.rules import ROOM, RuleSet
from ananas.game.view import HandView
from ananas.refused import Refused
from ananas.server.workers import Broken, Workers


def judge(decision: Decision, rules: RuleSet) -> StreetReview:
    """Says something at once that depends on every byte of what it was told."""
    digest = hashlib.sha256(msgspec.json.encode((decision, rules))).digest()
    return _review(spot_of(decision.view), decision.placement, digest[0] / 16, automatic=decision.automatic)


def _review(spot: Spot, placement: Placement, points: float, *, automatic: bool = False) -> StreetReview:
    option = Option(
        placement=str(placement), points=points, behind=0, error=0, foul=0, fantasyland=0, equal=True, guess=False
    )
    return StreetReview(
        spot=spot,
        automatic=automatic,
        verdict="best",
        chosen=option,
        options=(option,),
        loss=0,
        error=0,
        exact=True,
        luck=0,
        cause=None,
    )


def judge_slowly(decision: Decision, rules: RuleSet) -> StreetReview:
    """Takes a second."""
    time.sleep(1)
    return judge(decision, rules)


def judge_in_a_while(decision: Decision, rules: RuleSet) -> StreetReview:
    """Takes a little longer than somebody waits before he asks again."""
    time.sleep(0.03)
    return judge(decision, rules)


def judge_when_told(decision: Decision, rules: RuleSet) -> StreetReview:
    """Judges first streets at once, and the others when a file is there."""
    while decision.view.street != 1 and not _mark().exists():
        time.sleep(0.01)
    return judge(decision, rules)


def hang_once(decision: Decision, rules: RuleSet) -> StreetReview:
    """Never answers the first time."""
    if not _mark().exists():
        _mark().touch()
        time.sleep(1000)
    return judge(decision, rules)


def die_once(decision: Decision, rules: RuleSet) -> StreetReview:
    """Takes its process with it the first time."""
    if not _mark().exists():
        _mark().touch()
        os._exit(3)
    return judge(decision, rules)


def die(decision: Decision, rules: RuleSet) -> StreetReview:
    """Takes its process with it whenever it is asked about a third street."""
    if decision.view.street == 3:
        os._exit(3)
    return judge(decision, rules)


def fail(*args: object) -> StreetReview:
    """Breaks."""
    raise ValueError(args)


def too_many_cards(*_: object) -> Hint:
    """Cannot judge a street like that."""
    raise Refused("bad-position", detail="this street deals too many cards")


def hint(view: HandView, rules: RuleSet, seconds: float) -> Hint:
    """Says something at once that depends on every byte of what it was told."""
    spot = spot_of(view)
    digest = hashlib.sha256(msgspec.json.encode(view)).digest()
    placement = Placement(bottom=spot.dealt)
    option = _review(spot, placement, digest[0] / 16).chosen
    return Hint(hand=view.number, street=spot.street, options=(option,))


def puzzle(date: str) -> Puzzle:
    """The same position every day; that it was made is written down."""
    with _mark().open("a") as marks:
        marks.write(f"{date}\n")
    return some_puzzle(date)


def some_puzzle(date: str) -> Puzzle:
    """A position with an empty board."""
    dealt = tuple(parse_cards("2c3c4c5c7d"))
    spot = Spot(seat=0, street=1, fantasyland=0, board=Board(), dealt=dealt, to_lay=5, discards=(), others=())
    return Puzzle(date=date, number=1, rules=ROOM, spot=spot)


def no_puzzle(date: str) -> Puzzle:
    """Breaks."""
    raise ValueError(date)


def answer(asked: Puzzle, placement: Placement) -> StreetReview:
    """Praises every answer of these cards."""
    if {*placement.cards} != {*asked.spot.dealt}:
        raise Refused("cards-not-yours", cards="As", dealt="2c3c4c5c7d")
    return _review(asked.spot, placement, 1.0)


_QUICK: dict[object, Callable[..., object]] = {review.judge: judge, of_the_day.puzzle: puzzle}


async def at_once(_: Workers, work: Callable[..., object], *args: object, **__: object) -> object:
    """Does at once, and in the room itself, what processes are asked for: in place of `Workers.do`."""
    try:
        return _QUICK.get(work, work)(*args)
    except Refused:
        raise
    except Exception as error:  # noqa: BLE001
        raise Broken(type(error).__name__) from None


def _mark() -> Path:
    return Path(os.environ["ANANAS_TEST_MARK"])
