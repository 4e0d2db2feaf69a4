"""The puzzle of the day: the same for everybody, with one best answer that takes a thought, and answers that are judged."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from ananas.coach import puzzle as module
from ananas.coach.cause import cause
from ananas.coach.puzzle import DEAD, FAR, FIRST, GAP, SENSIBLE, STREETS, answer, puzzle
from ananas.coach.report import Puzzle, PuzzleAnswer, StreetReview
from ananas.coach.review import judge_spot
from ananas.game.board import Placement, placements
from ananas.game.cards import print_cards
from ananas.refused import Refused

DAYS = ("2026-11-30", "2026-12-02", "2027-02-26")
"""A Monday, a Wednesday, a Friday: the third, the fourth and the second street."""

asked = cache(puzzle)


@cache
def judged(day: str) -> StreetReview:
    """The puzzle's review of the first placement there is."""
    spot = asked(day).spot
    return answer(asked(day), next(placements(spot.board, spot.dealt, spot.to_lay)))


def test_the_same_day_has_the_same_puzzle() -> None:
    assert puzzle(DAYS[1]) == asked(DAYS[1])
    assert len({str(asked(day).spot) for day in DAYS}) == len(DAYS)


@pytest.mark.parametrize("day", DAYS)
def test_a_puzzle_is_a_position_of_its_day(day: str) -> None:
    found = asked(day)
    when = FIRST.fromisoformat(day)
    assert (found.date, found.number) == (day, (when - FIRST).days + 1)
    assert found.rules.base == str(found.rules) == "room"
    spot = found.spot
    assert spot.street == STREETS[when.weekday()]
    assert len(spot.others) in {1, 2}
    assert sorted([spot.seat, *(other.seat for other in spot.others)]) == list(range(len(spot.others) + 1))
    boards = [spot.board, *(other.board for other in spot.others)]
    cards = [*spot.dealt, *spot.discards, *(card for board in boards for card in board.cards)]
    assert len(cards) == len(set(cards))
    assert (len(spot.dealt), spot.to_lay) == (3, 2)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Puzzle) == found


@pytest.mark.parametrize("day", DAYS)
def test_one_placement_is_clearly_the_best_of_several_that_are_worth_a_thought(day: str) -> None:
    best, *others = judged(day).options
    assert all(option.behind >= GAP and not option.equal for option in others)
    assert best.foul <= DEAD + 0.1
    assert sum(option.behind <= FAR + 1 for option in others) + 1 >= SENSIBLE - 1
    assert any(option.foul < 0.9 for option in others)


@pytest.mark.parametrize("day", DAYS)
def test_answers_are_judged(day: str) -> None:
    found, review = asked(day), judged(day)
    right = answer(found, Placement.parse(review.options[0].placement))
    assert (right.verdict, right.loss) == ("best", 0)
    # Why it is the best is told to whoever found it as well, and there is nobody's mistake in it.
    second = next(option for option in right.options if not option.equal)
    assert right.cause is not None
    assert right.cause == cause(found.spot, found.rules, second, right.options[0], "next")
    assert review.cause is not None
    wrong = answer(found, Placement.parse(review.options[-1].placement))
    assert wrong.verdict == "mistake"
    assert wrong.loss > 2
    assert wrong == judge_spot(found.spot, found.rules, Placement.parse(review.options[-1].placement))
    told = PuzzleAnswer(date=day, review=wrong)
    assert msgspec.json.decode(msgspec.json.encode(told), type=PuzzleAnswer).review.loss == wrong.loss


def test_an_answer_that_lost_too_little_to_be_named_is_told_why_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found, review = asked(DAYS[0]), judged(DAYS[0])
    near = msgspec.structs.replace(review, verdict="near", cause=None)

    def judge_as_near(*_: object) -> StreetReview:
        return near

    monkeypatch.setattr(module, "judge_spot", judge_as_near)
    told = answer(found, Placement.parse(review.chosen.placement))
    assert told.cause == cause(found.spot, found.rules, review.chosen, review.options[0])


def test_what_cannot_be_laid_is_refused() -> None:
    found = asked(DAYS[0])
    spot = found.spot
    one, two, three = spot.dealt
    full = next(row for row in ("top", "middle", "bottom") if len(getattr(spot.board, row)) < 3)
    other = spot.board.cards[0]
    for placement, code in (
        (Placement(**{full: (one,)}, discards=(three,)), "wrong-count"),
        (Placement(**{full: (one, two, three)}), "wrong-count"),
        (Placement(**{full: (one, other)}, discards=(three,)), "cards-not-yours"),
        (Placement(**{full: (one, one)}, discards=(three,)), "cards-not-yours"),
        (Placement(**{full: (one, two)}), "not-discarded"),
    ):
        with pytest.raises(Refused) as refused:
            answer(found, placement)
        assert refused.value.code == code, print_cards(placement.cards)


def test_what_is_no_day_has_no_puzzle() -> None:
    for text in ("", "tomorrow", "2026-02-30"):
        with pytest.raises(ValueError, match=r"isoformat|day"):
            puzzle(text)
