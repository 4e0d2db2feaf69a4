"""The royalty tables, value by value, and tables of one's own."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import Row
from ananas.game.cards import parse_cards
from ananas.game.royalties import AMERICAN, ROYALTY_TABLES, RoyaltyTable, royalty
from ananas.game.strength import STRENGTHS, Category, category_of, strength
from ananas.refused import Refused
from tests.game.anything import DATA, OWN_TABLE

TABLES = [*ROYALTY_TABLES, OWN_TABLE]


def rows() -> list[tuple[Row, str, list[int]]]:
    """The lines of royalties.txt: row, cards, and the royalty by each of the tables."""
    lines = [line.split() for line in (DATA / "royalties.txt").read_text().splitlines() if not line.startswith("#")]
    return [(Row(row), cards, [int(points) for points in by_table]) for row, cards, *by_table in lines]


@pytest.mark.parametrize(("row", "cards", "by_table"), rows())
def test_a_row_earns_what_the_tables_say(row: Row, cards: str, by_table: list[int]) -> None:
    worth = strength(parse_cards(cards))
    assert [royalty(row, worth, RoyaltyTable.parse(table)) for table in TABLES] == by_table
    assert royalty(row, worth) == by_table[0]


def test_the_lines_name_every_category_of_every_row_and_every_place_of_a_table() -> None:
    named = {(row, category_of(strength(parse_cards(cards)))) for row, cards, _ in rows()}
    three = {(Row.TOP, category) for category in (Category.HIGH_CARD, Category.PAIR, Category.TRIPS)}
    five = {(row, category) for row in (Row.MIDDLE, Row.BOTTOM) for category in Category}
    assert named == three | five
    places = {int(points) for part in OWN_TABLE.split("/") for points in part.split(",")}
    assert {by_table[-1] for *_, by_table in rows()} == {0, *places}
    assert len(places) == 13 + 13 + 7 + 7


@pytest.mark.parametrize("name", list(ROYALTY_TABLES))
def test_a_stronger_row_never_earns_less(name: str) -> None:
    for row in (Row.MIDDLE, Row.BOTTOM):
        earned = [royalty(row, worth, ROYALTY_TABLES[name]) for worth in range(STRENGTHS)]
        assert earned == sorted(earned)


# -- as text


@st.composite
def tables(draw: st.DrawFn) -> RoyaltyTable:
    pairs, trips, middle, bottom = (
        tuple(draw(st.lists(st.integers(0, 1000), min_size=size, max_size=size))) for size in (13, 13, 7, 7)
    )
    return RoyaltyTable(pairs=pairs, trips=trips, middle=middle, bottom=bottom)


@given(tables())
def test_a_printed_table_is_read_back(table: RoyaltyTable) -> None:
    assert RoyaltyTable.parse(str(table)) == table
    assert msgspec.json.decode(msgspec.json.encode(table), type=RoyaltyTable) == table


@pytest.mark.parametrize("name", list(ROYALTY_TABLES))
def test_a_table_that_has_a_name_is_printed_by_it(name: str) -> None:
    table = RoyaltyTable.parse(name)
    assert str(table) == name
    lists = "/".join(",".join(map(str, points)) for points in (table.pairs, table.trips, table.middle, table.bottom))
    assert str(RoyaltyTable.parse(lists)) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "American",
        "american ",
        OWN_TABLE.replace("1,", "", 1),
        OWN_TABLE + ",308",
        OWN_TABLE + "/1",
        OWN_TABLE.replace("307", "1001"),
        OWN_TABLE.replace("307", "-1"),
        OWN_TABLE.replace("307", "3.5"),
        OWN_TABLE.replace("307", ""),
        OWN_TABLE.replace("307", "٣"),
        OWN_TABLE.replace("307", "9" * 5000),
    ],
)
def test_other_text_is_no_table(text: str) -> None:
    with pytest.raises(Refused) as caught:
        RoyaltyTable.parse(text)
    assert (caught.value.code, caught.value.args_by_name["name"]) == ("bad-rule", "royalty_table")
    assert len(str(caught.value.args_by_name["value"])) <= 120


@pytest.mark.parametrize("points", [(), (1,) * 6, (1,) * 8, (-1, *(1,) * 6), (1001, *(1,) * 6)])
def test_a_table_that_is_none_cannot_be_made(points: tuple[int, ...]) -> None:
    with pytest.raises(Refused):
        msgspec.structs.replace(AMERICAN, bottom=points)
