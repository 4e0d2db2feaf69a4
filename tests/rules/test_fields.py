"""The rule book, chapter 17: the fields that rules are made of, and the named sets."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from ananas.game.rules import CHOICES, CLUB, CLUB_PINEAPPLE, PROGRESSIVE, ROOM, RULE_SETS, RuleSet, Stay
from ananas.refused import Refused
from tests.rules.book import BOOKS, paragraphs, table_rows


def is_refused(name: str, text: str) -> bool:
    try:
        ROOM.but({name: text})
    except Refused as refusal:
        # Whether it can be played with the other values of the room is another question.
        return refusal.args_by_name["name"] == name
    return False


def alone(name: str, number: int) -> str:
    """A number as a value of its field."""
    return {"seats": f"{number}-{number}", "buy_in": f"{number}-{number}", "royalty_table": ""}.get(name, str(number))


BOUNDS = (
    *("foul_points", "fantasyland_cards", "fantasyland_stay_cards", "fantasyland_repeats", "hand_seconds"),
    *("bank_seconds", "buy_in", "point_price", "ready_seconds", "showdown_seconds"),
)
"""The fields whose lowest and highest value the book tells, and which can hold both beside the others of the room."""


def test_17_1_fields() -> None:
    for language in BOOKS:
        _, *rows = table_rows("17.1", language)
        assert {row[0]: row[3] for row in rows} == ROOM.values
        told = {row[0]: row[2] for row in rows}
        for name, values in CHOICES.items():
            played = [value for value in values if not is_refused(name, value)]
            if name != "fantasyland_entry":
                parts = re.split(r"[:;] ?", told[name])
                assert [part for part in parts if part in values] == played, name
        assert ("22" in told["fantasyland_entry"], "AA" in told["fantasyland_entry"]) == (True, True)
        for name in BOUNDS:
            least, most = map(int, re.findall(r"\d+", told[name])[:2])
            for inside in (least, most):
                assert not is_refused(name, alone(name, inside)), name
            for outside in (least - 1, most + 1):
                assert is_refused(name, alone(name, outside)), name
        assert [int(number) for number in re.findall(r"\d+", told["seats"])] == [2, 4]
        assert is_refused("seats", "1-2")
        assert is_refused("seats", "2-5")
        assert RuleSet.parse("club seats=4-4").seats == (4, 4)
        for stay in get_args(Stay):
            assert stay in told["fantasyland_stay"]
            assert ROOM.but({"fantasyland_stay": stay}).fantasyland_stay == (stay,)
        assert ROOM.but({"fantasyland_stay": "none"}).fantasyland_stay == ()
        assert re.findall(r"\d+", told["deal"]) == ["1", "9", "1", "17"]
        assert all(is_refused("deal", wrong) for wrong in (",".join(["2"] * 10), "18,3,3,3,3", "5,3,3,3,0"))
        assert RuleSet.parse("room seats=2-3 deal=17 place=13 fantasyland=off").streets == 1
        assert re.findall(r"\d+", told["place"]) == ["1", "13", "13"]
        assert all(is_refused("place", wrong) for wrong in ("14,0,0,0,0", "5,2,2,2,3", "6,2,2,2,1"))


def test_17_2_named_sets() -> None:
    assert list(RULE_SETS.values()) == [ROOM, CLUB, CLUB_PINEAPPLE, PROGRESSIVE]
    for language in BOOKS:
        (_, *names), *rows = table_rows("17.2", language)
        for column, name in enumerate(names, start=1):
            told = {row[0]: row[column] for row in rows if row[column] != "-"}
            rules, usual = RULE_SETS[name].values, ROOM.values
            assert told == {field: value for field, value in rules.items() if value != usual[field]}, name
        assert set(names) == set(RULE_SETS) - {"room"}


def test_17_3_checked_as_a_whole() -> None:
    assert ROOM.but({"seats": "3-3", "fantasyland_cards": "17", "fantasyland_stay_cards": "17"}).most_cards == 17
    for seats in ("2-4", "4-4"):
        assert is_refused("seats", seats)
    # Four seats of thirteen can play, in Fantasyland or out of it; one card more is too many.
    assert CLUB.seats[1] * CLUB.most_cards == 52
    with pytest.raises(Refused):
        CLUB.but({"fantasyland_cards": "14"})
    assert is_refused("place", "5,4,2,2,0")
    assert is_refused("place", "5,2,2,2,1")
    assert "52" in paragraphs("en")["17.3"]


def test_what_is_not_played_yet_is_said_and_refused() -> None:
    for language, (heading, words) in {"en": ("## To come", "refused"), "ru": ("## Что впереди", "не примут")}.items():
        said = BOOKS[language].split(heading)[1]
        assert words in said
        named = re.findall(r"`(\w+)` ([a-z-]+)", said)
        assert named == [
            (name, value) for name, values in CHOICES.items() for value in values if is_refused(name, value)
        ]
