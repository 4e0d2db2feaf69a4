"""Fantasyland: what brings it, what keeps it, how often; and never from a dead board."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from ananas.game.board import Board
from ananas.game.fantasyland import entry, stay_cards, stays
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import fouled, reckon
from tests.game.anything import any_rules, as_printed, table_rows

(_, *ENTRY_RULES), *TOPS = table_rows("fantasyland.txt")
(_, *STAY_RULES), *BOARDS = table_rows("fantasyland_stay.txt")

LIVE = as_printed("9s8h7d/2c2d5h6s9c/3c3d3h4s8c")


@pytest.mark.parametrize(("top", "cards"), [(top, cards) for top, *cards in TOPS])
def test_the_top_row_brings_what_the_table_says(top: str, cards: list[str]) -> None:
    board = Board.parse(f"{top}/-/-")
    assert [str(entry(board, RuleSet.parse(rules))) for rules in ENTRY_RULES] == cards


def test_the_table_has_every_pair_and_every_named_set() -> None:
    pairs = {top[0] for top, *_ in TOPS if top[0] == top[2] != top[4]}
    assert pairs == set("23456789TJQKA")
    assert set(ENTRY_RULES) >= set(RULE_SETS)
    assert set(STAY_RULES) >= set(RULE_SETS)


@pytest.mark.parametrize(("text", "kept"), [(board, kept) for board, *kept in BOARDS])
def test_a_board_keeps_whom_the_table_says(text: str, kept: list[str]) -> None:
    board = Board.parse(text)
    assert not fouled(board, RuleSet())
    assert ["yes" if stays(board, RuleSet.parse(rules)) else "no" for rules in STAY_RULES] == kept
    for rules, told in zip(STAY_RULES, kept, strict=True):
        (player,) = reckon([board], (0,), RuleSet.parse(rules)).players
        assert player.stays == (told == "yes")


@pytest.mark.parametrize(("rules", "cards", "repeats", "board", "following"), table_rows("fantasyland_next.txt"))
def test_what_comes_next(rules: str, cards: str, repeats: str, board: str, following: str) -> None:
    """The other player's hand is an ordinary one, and brings nothing; he is not in the way on either side."""
    for place in (0, 1):
        both = [(as_printed(board), int(cards), int(repeats)), (LIVE, 0, 0)]
        boards, fantasyland, stayed = zip(*(both if place == 0 else both[::-1]), strict=True)
        reckoning = reckon(boards, (0, 1), RuleSet.parse(rules), fantasyland=fantasyland, repeats=stayed)
        assert [player.fantasyland for player in reckoning.players][place] == int(following)
        assert [player.fantasyland for player in reckoning.players][1 - place] == 0


def test_who_earns_it_while_another_is_in_it_has_it() -> None:
    queens = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs")
    reckoning = reckon([queens, queens], (0, 1), RuleSet(), fantasyland=(14, 0), repeats=(0, 0))
    assert [player.fantasyland for player in reckoning.players] == [0, 14]


@given(any_rules())
def test_never_from_a_dead_board(rules: RuleSet) -> None:
    dead = [as_printed("AsAhAd/KsKhQdQc2s/QsQhQdQcTs"), as_printed("QsQhAd/AsKh9d8c7s/2s2h2d2c3s")]
    for board, cards in product(dead, (0, 14)):
        (player,) = reckon([board], (0,), rules, fantasyland=(cards,)).players
        assert player.foul
        assert (player.fantasyland, player.stays) == (0, False)


@pytest.mark.parametrize(("allowed", "stayed"), [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (None, 99)])
def test_nobody_is_told_that_he_stays_where_he_may_not(allowed: int | None, stayed: int) -> None:
    """Also of an ordinary board it is told whether it would keep somebody there, who had not stayed yet."""
    board = Board.parse("2s3d4c/9s9h8s8hKc/TsJsQsKsAs")
    rules = RuleSet() if allowed is None else RuleSet(fantasyland_repeats=allowed)
    more = allowed is None or stayed < allowed
    (player,) = reckon([board], (0,), rules, fantasyland=(14,), repeats=(stayed,)).players
    assert (player.stays, player.fantasyland) == (more, 14 if more else 0)
    (player,) = reckon([board], (0,), rules).players
    assert (player.stays, player.fantasyland) == (allowed != 0, 0)
    assert not reckon([board], (0,), RuleSet(fantasyland="off")).players[0].stays


@given(any_rules())
def test_the_limit_is_stays_in_a_row(rules: RuleSet) -> None:
    allowed = rules.fantasyland_repeats
    for repeats in range(100):
        more = allowed == "unlimited" or repeats < allowed
        assert stay_cards(rules, repeats) == (rules.fantasyland_stay_cards if more else 0)
