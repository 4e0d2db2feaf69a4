"""Every way of dealing is even: by what 20,000 decks count, and, since counting cannot see all, by structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ananas import deal
from ananas.fair import deck, unseal
from ananas.fair.deck import choose, dealt, digest, make_deck
from ananas.game.cards import DECK
from tests.trust import shuffle
from tests.trust.shuffle import (
    HONEST,
    LEAST,
    SETUP,
    Shuffling,
    aces_first,
    choices,
    cut_only,
    decks,
    faults,
    for_action,
    naive_swap,
    outcomes,
    remainder_of_a_byte,
    sattolo,
    sealed,
    stream,
)

DECKS = 20_000


@pytest.mark.parametrize("name", HONEST)
def test_all_figures_of_all_ways_of_dealing_are_even(name: str) -> None:
    found = decks(HONEST[name], DECKS, "even")
    assert faults(found) == set()
    assert len(np.unique(found, axis=0)) == DECKS


@pytest.mark.parametrize(
    ("mutant", "figures"),
    [
        (naive_swap, {"places", "means"}),
        (sattolo, {"places", "means"}),
        (remainder_of_a_byte, {"places", "means"}),
        (cut_only, {"neighbours", "starting fives"}),
        (for_action, {"starting fives"}),
        (aces_first, {"places", "means"}),
    ],
)
def test_each_figure_notices_a_wrong_shuffle(mutant: Shuffling, figures: set[str]) -> None:
    assert faults(decks(mutant, DECKS, "even")) == figures


def test_every_deck_and_every_lot_is_chosen_as_often() -> None:
    assert all(LEAST <= one <= 1 - LEAST for one in choices(DECKS, "even"))


def test_a_choice_of_the_deck_that_is_uneven_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "DECKS", 60)
    monkeypatch.setattr(deck, "LOTS", 11)
    assert all(one < LEAST for one in choices(DECKS // 4, "even"))


def test_the_decks_that_are_counted_are_those_that_are_dealt() -> None:
    """Counting leaves the roots out, which say nothing about cards."""
    for number in range(10):
        whole = unseal(f"t/{number}", bytes([number]) * 32, (), *SETUP)
        order = choose(digest(b"draw", f"t/{number}".encode(), bytes.fromhex(whole.root)), *SETUP)
        secret = deck.deck_seeds(b"t/%d" % number, bytes([number]) * 32)[order.deck]
        made = make_deck(b"t/%d" % number, order.deck, secret)
        assert dealt(made, order.order, shuffle.OWNED) == whole.deck
    assert sorted(sealed(1, stream("one"))) == sorted(DECK)


# -- by structure


def remainder_of_two_bytes(limit: int, source: Iterator[int]) -> int:
    """So little off that no count of decks shows it."""
    return (next(source) << 8 | next(source)) % limit


def remainder(limit: int, source: Iterator[int]) -> int:
    return next(source) % limit


def of_the_room(limit: int, source: Iterator[int]) -> int:
    return deal._below(limit, lambda size: bytes([next(source) for _ in range(size)]))


SOUND = (deck.below, of_the_room)


@pytest.mark.parametrize("below", SOUND)
def test_of_all_bytes_there_are_as_many_make_each_number(below: Callable[[int, Iterator[int]], int]) -> None:
    for limit in range(2, 53):
        assert set(outcomes(below, limit, 1)) == {256 // limit}
    for limit in (52, 51, 12):
        assert len(set(outcomes(below, limit, 2))) == 1


@pytest.mark.parametrize(("below", "size"), [(remainder, 1), (remainder_of_two_bytes, 2)])
def test_a_remainder_is_noticed(below: Callable[[int, Iterator[int]], int], size: int) -> None:
    for limit in (52, 51, 12):
        assert len(set(outcomes(below, limit, size))) == 2


def test_a_remainder_of_two_bytes_is_not_noticed_by_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "below", remainder_of_two_bytes)
    assert faults(decks(HONEST["the room's chance"], DECKS, "even")) == set()


def test_a_sealed_deck_is_shuffled_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same bytes into the same order, and each number drawn by what was held against all bytes above."""
    for number in range(100):
        given = stream(f"same {number}")
        assert [DECK[card] for card in deck.permutation(shuffle.endless(given))] == list(
            deal.shuffle(stream(f"same {number}"))
        )
    asked: list[int] = []

    def highest(limit: int, _source: Iterator[int]) -> int:
        asked.append(limit)
        return limit - 1

    monkeypatch.setattr(deck, "below", highest)
    assert deck.permutation(iter(())) == list(range(52))
    assert asked == list(range(52, 1, -1))
