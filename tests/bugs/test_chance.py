"""Faults of shuffling, as other programs have had them. `tests/trust/test_shuffle.py` counts 20,000 decks of each kind.

`python -m tests.bugs B063 --count 1000000` counts as many as are wanted.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import pytest

from ananas.deal import Source
from ananas.game.cards import DECK, Card
from tests.trust.shuffle import (
    LEAST,
    Decks,
    Shuffling,
    decks,
    endless,
    means,
    naive_swap,
    places,
    plain,
    sattolo,
    sealed,
)


def off_by_one(_number: int, source: Source) -> list[Card]:
    """Every place is swapped with one beside the place that was drawn: cards drift over the deck."""
    cards, given = list(DECK), endless(source)
    for last in range(51, 0, -1):
        chosen = min(next(given) % (last + 1) + 1, last)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


@functools.cache
def some(shuffling: Shuffling, count: int) -> Decks:
    return decks(shuffling, count, "the list")


def uneven(found: Decks) -> bool:
    """Whether some card comes to some place oftener than chance allows."""
    return not LEAST <= places(found) <= 1 - LEAST


def drifts(found: Decks) -> bool:
    """Whether the mean place of some card is not the middle."""
    return means(found) > 4


def moves_or_stays(found: Decks) -> bool:
    """Whether some card stays where it was oftener or more seldom than it should."""
    fixed, count = (found == np.arange(52)).sum(axis=0), len(found)
    return bool(np.abs(fixed - count / 52).max() / math.sqrt(count * 51) * 52 > 4)


@pytest.mark.parametrize("shuffling", [plain, sealed])
def test_bug_B062_every_card_comes_to_every_place_as_often(shuffling: Shuffling) -> None:
    assert not uneven(some(shuffling, 4000))


@pytest.mark.parametrize("shuffling", [plain, sealed])
def test_bug_B063_no_card_drifts_over_the_deck(shuffling: Shuffling) -> None:
    assert not drifts(some(shuffling, 4000))


@pytest.mark.parametrize("shuffling", [plain, sealed])
def test_bug_B064_a_card_stays_in_its_place_as_often_as_in_any_other(shuffling: Shuffling) -> None:
    assert not moves_or_stays(some(shuffling, 4000))


@pytest.mark.parametrize(("wrong", "mutant"), [(uneven, naive_swap), (drifts, off_by_one), (moves_or_stays, sattolo)])
def test_bug_B062_B063_B064_planted(wrong: Callable[[Decks], bool], mutant: Shuffling) -> None:
    assert wrong(some(mutant, 10_000))


def more(count: int) -> None:
    """Count many more, for whoever has the time."""
    for shuffling in (plain, sealed):
        found = some(shuffling, count)
        print(f"{getattr(shuffling, '__name__', shuffling)}: places {places(found):.4f}, means {means(found):.2f}")
        assert [uneven(found), drifts(found), moves_or_stays(found)] == [False] * 3
