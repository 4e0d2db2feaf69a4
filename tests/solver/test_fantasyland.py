"""Fantasyland is laid in the best way: for royalties and staying against a count of every board, and by a table's rules."""

from __future__ import annotations

import numpy as np
import pytest

from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK, parse_cards
from ananas.game.fantasyland import stays
from ananas.game.royalties import royalty
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.game.strength import STRENGTHS
from ananas.refused import Refused
from ananas.solver import fantasyland
from ananas.solver.fantasyland import Layout, wishes
from ananas.solver.plain import Told
from ananas.solver.tables import numbers
from ananas.solver.worth import row_worths, stay_worth
from tests.chance import Chance
from tests.solver.positions import FULL_HOUSE, QUADS, TRIPS
from tests.solver.test_fantasyland_core import brute_force

CONDITIONS = ("top-trips", "middle-full-house", "middle-quads", "bottom-quads")
RULES = (
    "room",
    "club",
    "club-pineapple equality=strict",
    "progressive royalty_table=vegas-2013 fantasyland_stay=middle-full-house,bottom-quads",
    "room royalty_table=early-2013 fantasyland_stay=none",
    "room fantasyland=off",
    "room royalties=none",
)


def wanted(rules: RuleSet, stay: float) -> Told:
    """Royalties, and so much for staying, told without the solver's own words for them."""
    paid = rules.royalties != "none"
    worths = [[royalty(row, one, rules.royalty_table) if paid else 0 for one in range(STRENGTHS)] for row in ROWS]
    bits = sum(1 << CONDITIONS.index(condition) for condition in rules.fantasyland_stay)
    on = rules.fantasyland == "on"
    return (
        *(np.array(worths, np.float32), int(rules.equality == "strict"), bits if on else 0),
        *(stay, TRIPS, FULL_HOUSE, QUADS),
    )


def check_layout(found: Layout, cards: tuple[str, ...], rules: RuleSet) -> None:
    """All cards are laid or thrown away, the board is in order, and its royalties and stay are the rules' own."""
    placed = found.placement
    board = Board(placed.top, placed.middle, placed.bottom)
    assert sorted(placed.cards) == sorted(cards)
    assert board.full
    (result,) = reckon([board], [0], rules).players
    assert (result.foul, result.royalties, stays(board, rules)) == (False, found.royalties, found.stays)


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("stay", [0.0, 10.0, 1000.0])
def test_it_maximizes_royalties_and_staying_and_nothing_else(text: str, stay: float) -> None:
    rules, chance = RuleSet.parse(text), Chance(f"{text} {stay}")
    for count in (13, 14):
        cards = tuple(chance.shuffled(DECK)[:count])
        wish = wanted(rules, stay)
        best = brute_force(numbers(cards), wish)
        found = fantasyland(cards, text, stay)
        check_layout(found, cards, rules)
        assert found.value == pytest.approx(best)
        assert found.royalties + stay * found.stays == pytest.approx(best)


@pytest.mark.parametrize("text", RULES)
def test_by_default_it_is_worth_what_it_brings_at_the_table(text: str) -> None:
    rules, chance = RuleSet.parse(text), Chance(f"default {text}")
    for count in (13, 14):
        cards = tuple(chance.shuffled(DECK)[:count])
        found = fantasyland(cards, rules)
        check_layout(found, cards, rules)
        told = wishes(rules, row_worths(rules), stay_worth(rules)).told
        assert found.value == pytest.approx(brute_force(numbers(cards), told), rel=1e-5, abs=1e-4)


@pytest.mark.parametrize(("count", "rules"), [(count, rules) for count in range(13, 18) for rules in RULE_SETS])
def test_every_number_of_cards_is_laid_the_same_way_in_any_order(count: int, rules: str) -> None:
    chance = Chance(f"every number {count}")
    cards = chance.shuffled(DECK)[:count]
    found = fantasyland(cards, rules)
    check_layout(found, tuple(cards), RULE_SETS[rules])
    assert fantasyland("".join(cards), rules) == found
    assert fantasyland(chance.shuffled(cards), rules).value == pytest.approx(found.value)


def test_the_documented_hand() -> None:
    found = fantasyland("2s2h2d2c3s 3h3d4c5h 7s8s9sTs", "room", stay=10)
    assert (str(found.placement), found.royalties, found.stays, found.value) == (
        *("3h3d4c/3s7s8s9sTs/2s2h2d2c5h", 18, True),
        28.0,
    )


def test_staying_is_taken_where_it_is_worth_more_than_royalties() -> None:
    cards = "AsAhAd KsKhKd QsQhQd 2c3c4c5c7c"
    greedy, staying = fantasyland(cards, "room", 0), fantasyland(cards, "room", 1000)
    assert greedy.royalties >= staying.royalties
    assert staying.stays
    assert staying.value == staying.royalties + 1000


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (parse_cards("2c3c4c5c6c7c8c9cTcJcQcKc"), "these are 12 cards"),
        (DECK[:18], "these are 18 cards"),
        ((), "these are 0 cards"),
        ((*DECK[:13], DECK[3]), f"{DECK[3]} is there twice"),
        ("2c2c3c3c4c5c6c7c8c9cTcJcQcKc", "2c, 3c is there twice"),
    ],
)
def test_what_cannot_be_laid_is_refused(cards: tuple[str, ...] | str, said: str) -> None:
    for stay in (None, 10.0):
        with pytest.raises(Refused, match=said) as refused:
            fantasyland(cards if isinstance(cards, str) else "".join(cards), stay=stay)
        assert refused.value.code == "bad-position"


@pytest.mark.parametrize("stay", [float("nan"), float("inf"), -1.0, 1e9])
def test_what_staying_cannot_be_worth_is_refused(stay: float) -> None:
    with pytest.raises(Refused, match="0 to 1000 points") as refused:
        fantasyland("2s2h2d2c3s 3h3d4c5h 7s8s9sTs", stay=stay)
    assert refused.value.code == "bad-position"
