"""The scale of strengths, against an oracle that counts and sorts, over every hand of three and of five cards."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
import treys  # type: ignore[import-untyped]

from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.strength import STRENGTHS, Category, category_of, ranks_of, strength

DATA = Path(__file__).parents[1] / "data"
RANKS = "23456789TJQKA"
LADDER = [Category(name) for name in Path(DATA / "ladder.txt").read_text().split()]
RUNS = ["A23456789TJQKA"[start : start + 5] for start in range(10)]

Kind = tuple[str, bool]
"""A hand as far as its strength goes: the letters of its ranks from the lowest, and whether it is of one suit."""


def oracle(kind: Kind) -> tuple[int, ...]:
    """The category's number and the ranks, those held more often first; zeros stand where three cards have no more."""
    letters, suited = kind
    held = Counter(letters)
    by_weight = sorted(held, key=lambda letter: (held[letter], RANKS.index(letter)), reverse=True)
    shape = sorted(held.values(), reverse=True)
    run = [number for number, letters_in_run in enumerate(RUNS) if set(letters_in_run) == set(letters)]
    five = len(letters) == 5
    if run:
        category = Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT
        return LADDER.index(category), run[0] + 5, 0, 0, 0, 0
    if shape[0] == 4:
        category = Category.QUADS
    elif shape[0] == 3 and five and shape[1] == 2:
        category = Category.FULL_HOUSE
    elif suited and five:
        category = Category.FLUSH
    elif shape[0] == 3:
        category = Category.TRIPS
    elif shape[0] == 2 and shape[1] == 2:
        category = Category.TWO_PAIR
    else:
        category = Category.PAIR if shape[0] == 2 else Category.HIGH_CARD
    values = [RANKS.index(letter) + 2 for letter in by_weight]
    return (LADDER.index(category), *values, *[0] * (5 - len(values)))


class Evaluated(NamedTuple):
    """Every hand of so many cards put through `strength`.

    `worths`: the strength of each hand, in the order of `combinations`. `kinds`: the strength of each kind of hand.
    `categories`: how many hands there are of each.
    """

    worths: array[int]
    kinds: dict[Kind, int]
    categories: Counter[Category]


BY_RANK = sorted(DECK, key=lambda card: card.rank)


@pytest.fixture(scope="module")
def evaluated() -> dict[int, Evaluated]:
    """Every hand of three and of five cards."""
    letter = {card: card[0] for card in DECK}
    found: dict[int, Evaluated] = {}
    for size in (3, 5):
        worths = array("H")
        kinds: dict[Kind, int] = {}
        for hand in combinations(BY_RANK, size):
            kind = "".join([letter[card] for card in hand]), len({card[1] for card in hand}) == 1
            worth = strength(hand)
            assert kinds.setdefault(kind, worth) == worth, (hand, kind)
            worths.append(worth)
        categories: Counter[Category] = Counter()
        for worth, count in Counter(worths).items():
            categories[category_of(worth)] += count
        found[size] = Evaluated(worths, kinds, categories)
    return found


def test_every_hand_stands_where_the_oracle_puts_it(evaluated: dict[int, Evaluated]) -> None:
    kinds = [(oracle(kind), worth) for every in evaluated.values() for kind, worth in every.kinds.items()]
    order = sorted({key for key, _ in kinds})
    place = {key: strength for strength, key in enumerate(order)}
    assert STRENGTHS == len(order) == 7917
    for key, worth in kinds:
        assert worth == place[key], key


def test_every_five_cards_stand_where_a_public_evaluator_puts_them(evaluated: dict[int, Evaluated]) -> None:
    """All 2,598,960 of them; it counts from 1, the royal, down to 7462."""
    public = treys.Evaluator()
    theirs = [treys.Card.new(card) for card in BY_RANK]
    ranked = {
        (worth, public.evaluate([], list(hand)))
        for worth, hand in zip(evaluated[5].worths, combinations(theirs, 5), strict=True)
    }
    by_worth = [rank for _, rank in sorted(ranked)]
    assert by_worth == list(range(7462, 0, -1))


def test_category_and_ranks_are_those_of_the_oracle(evaluated: dict[int, Evaluated]) -> None:
    for every in evaluated.values():
        for kind, worth in every.kinds.items():
            category, *ranks = oracle(kind)
            assert category_of(worth) is LADDER[category]
            assert ranks_of(worth) == tuple(rank for rank in ranks if rank)


def test_as_many_strengths_and_hands_as_mathematics_says(evaluated: dict[int, Evaluated]) -> None:
    three, five = evaluated[3], evaluated[5]
    assert (len(three.worths), len(five.worths)) == (22_100, 2_598_960)
    assert len(set(three.worths)) == 455
    assert len(set(five.worths)) == 7462
    assert not set(three.worths) & set(five.worths)
    assert three.categories == {Category.TRIPS: 52, Category.PAIR: 3_744, Category.HIGH_CARD: 18_304}
    assert five.categories == {
        Category.STRAIGHT_FLUSH: 40,
        Category.QUADS: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.TRIPS: 54_912,
        Category.TWO_PAIR: 123_552,
        Category.PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }


def test_categories_are_listed_from_the_weakest_up() -> None:
    assert list(Category) == LADDER


def comparisons() -> list[tuple[str, str, str]]:
    """The lines of strengths.txt: one row, the sign, the other row."""
    lines = [line.split() for line in (DATA / "strengths.txt").read_text().splitlines() if not line.startswith("#")]
    return [(one, sign, other) for one, sign, other, *_ in lines]


@pytest.mark.parametrize(("one", "sign", "other"), comparisons())
def test_rows_compare_as_the_table_says(one: str, sign: str, other: str) -> None:
    left, right = strength(parse_cards(one)), strength(parse_cards(other))
    assert "<=>"[(left > right) - (left < right) + 1] == sign


@pytest.mark.parametrize("number", [0, 1, 2, 4, 6])
def test_other_numbers_of_cards_have_no_strength(number: int) -> None:
    cards: tuple[Card, ...] = DECK[10 : 10 + number]
    with pytest.raises(ValueError, match="not three or five cards"):
        strength(cards)
