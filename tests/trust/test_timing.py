"""The room does the same work whatever cards a viewer cannot know; a room that does not is found."""

from __future__ import annotations

from functools import cache

import pytest

from tests.chance import Chance
from tests.trust.timing import LEAK, PLANTS, Differs, Situation, hold, hold_evening, planted, situations, welch, worst
from tests.trust.twins import KINDS, Plan

EVENING: Plan = KINDS["two of them"].plan._replace(seed="way", hands=2, looks=1, slow=5, sealed=False)


@cache
def situation(name: str) -> Situation:
    return situations()[name]


@pytest.mark.parametrize("name", situations())
def test_what_is_asked_is_done_the_same_way_whatever_cards_are_hidden(name: str) -> None:
    """Instruction by instruction, from what Bob sends to what everybody is sent."""
    assert hold(situation(name)) > 3000


def test_an_evening_goes_the_same_way_whatever_cards_are_hidden() -> None:
    """Whatever people do: they lay, arrange, come and go, are refused, run out of time, look back."""
    assert hold_evening(EVENING, "ann") > 100


@pytest.mark.parametrize("leak", PLANTS)
def test_work_that_depends_on_hidden_cards_is_found(leak: str) -> None:
    with planted(leak), pytest.raises(Differs):
        hold(situation(PLANTS[leak].found_in))
    hold(situation(PLANTS[leak].found_in))


def test_it_is_found_in_an_evening_as_well() -> None:
    with planted("what was thrown away is looked for"), pytest.raises(Differs):
        hold_evening(EVENING, "ann")


# -- what is made of times


def times(seed: str, count: int, more: float = 0.0) -> list[float]:
    """Times around a hundred, one of ten far longer, as on a machine that has other things to do; all so much longer."""
    chance = Chance(f"times {seed}")
    usual = [100 + sum(chance.below(1000) for _ in range(12)) / 1000 - 6 for _ in range(count)]
    return [each + more + (chance.below(1000) if chance.below(10) == 0 else 0) for each in usual]


def test_times_that_differ_by_chance_are_the_same() -> None:
    assert abs(worst(times("one", 3000), times("other", 3000))) < LEAK


def test_times_that_are_a_little_longer_are_a_leak_behind_all_that_comes_between() -> None:
    """By two in a thousand: what takes far longer now and then would hide it, were it not left aside."""
    one, other = times("one", 3000), times("other", 3000, 0.2)
    assert abs(welch(one, other)) < LEAK
    assert worst(one, other) < -LEAK


def test_welch_is_counted_right() -> None:
    one = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]
    other = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.2]
    assert welch(one, other) == pytest.approx(-2.84132, abs=1e-5)
