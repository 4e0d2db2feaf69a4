"""The royalty table, value by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from ananas.game.board import Row
from ananas.game.cards import parse_cards
from ananas.game.royalties import royalty
from ananas.game.strength import STRENGTHS, Category, category_of, strength


def rows() -> list[tuple[Row, str, int]]:
    """The lines of royalties.txt: row, cards, royalty."""
    text = (Path(__file__).parents[1] / "data" / "royalties.txt").read_text()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [(Row(row), cards, int(points)) for row, cards, points in lines]


@pytest.mark.parametrize(("row", "cards", "points"), rows())
def test_a_row_earns_what_the_table_says(row: Row, cards: str, points: int) -> None:
    assert royalty(row, strength(parse_cards(cards))) == points


def test_the_table_names_every_category_of_every_row() -> None:
    named = {(row, category_of(strength(parse_cards(cards)))) for row, cards, _ in rows()}
    three = {(Row.TOP, category) for category in (Category.HIGH_CARD, Category.PAIR, Category.TRIPS)}
    five = {(row, category) for row in (Row.MIDDLE, Row.BOTTOM) for category in Category}
    assert named == three | five


def test_a_stronger_row_never_earns_less() -> None:
    for row in (Row.MIDDLE, Row.BOTTOM):
        earned = [royalty(row, worth) for worth in range(STRENGTHS)]
        assert earned == sorted(earned)
