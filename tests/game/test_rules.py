"""Rules as data: each field by its text, the named sets, what cannot be played, and one spelling everywhere."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given

from ananas.game.rules import CHOICES, RULE_SETS, RuleSet
from ananas.refused import Refused
from tests.game.anything import SOME, any_rules, table_rows

ROOM = RuleSet()
SETS = table_rows("rule_sets.txt")
VALUES = table_rows("rule_values.txt")


def refusal(text: str) -> dict[str, str | int]:
    with pytest.raises(Refused) as caught:
        RuleSet.parse(text)
    assert caught.value.code == "bad-rule"
    return caught.value.args_by_name


# -- the named sets


def test_the_named_sets_are_what_the_table_says() -> None:
    (_, *names), *fields = SETS
    assert names == list(RULE_SETS)
    for place, name in enumerate(names, 1):
        assert RuleSet.named(name).values == {cells[0]: cells[place] for cells in fields}
        assert str(RuleSet.named(name)) == name
        assert RuleSet.named(name).changes == {}


def test_the_default_is_the_room() -> None:
    assert ROOM.base == "room"
    assert RULE_SETS["room"] == ROOM


# -- each field


@pytest.mark.parametrize(("name", "value", "verdict"), VALUES)
def test_each_field_is_set_by_its_text(name: str, value: str, verdict: str) -> None:
    word, _, detail = verdict.partition(" ")
    if word == "ok":
        rules = ROOM.but({name: value})
        assert rules.values == {**ROOM.values, name: detail or value}
        assert ROOM.but({name: f" {value}\n"}) == rules
    else:
        with pytest.raises(Refused) as caught:
            ROOM.but({name: value})
        assert caught.value.code == "bad-rule"
        assert detail in str(caught.value.args_by_name["detail"])


def test_every_field_has_values_in_the_table_that_are_taken_and_that_are_not() -> None:
    for word in ("ok", "no"):
        assert {name for name, _, verdict in VALUES if verdict.split()[0] == word} >= set(ROOM.values)
    for name, words in CHOICES.items():
        named = {value for field, value, _ in VALUES if field == name} | {ROOM.values[name]}
        assert name == "fantasyland_entry" or named > set(words)


SPELLING = ("a whole number", "whole numbers", "write ", "one ", "none, ", "unlimited, ", "a name ", "13 pairs")
"""How reasons begin that speak of the text; where they do not, it is the value that is wrong."""


def typed(name: str, text: str) -> object:
    """The value a message carries where a text says this."""
    if name in {"seats", "buy_in"}:
        return [int(part) for part in text.split("-")]
    if name in {"deal", "place", "fantasyland_cards"}:
        numbers = [int(part) for part in text.split(",")]
        return numbers * 4 if name == "fantasyland_cards" else numbers
    if name == "fantasyland_stay":
        return text.split(",")
    return int(text) if text.isdigit() else text


REFUSED = [(name, value, verdict[3:]) for name, value, verdict in VALUES if verdict[:2] == "no" and name in ROOM.values]


@pytest.mark.parametrize(("name", "value", "detail"), [line for line in REFUSED if not line[2].startswith(SPELLING)])
def test_a_message_is_refused_as_the_text_is(name: str, value: str, detail: str) -> None:
    carried: dict[str, Any] = {**msgspec.to_builtins(ROOM), name: typed(name, value)}
    if name == "royalty_table":
        lists = [[int(part) for part in points.split(",")] for points in value.split("/")]
        carried[name] = dict(zip(("pairs", "trips", "middle", "bottom"), lists, strict=True))
    with pytest.raises(Refused) as by_text:
        ROOM.but({name: value})
    with pytest.raises(Refused) as by_message:
        msgspec.json.decode(msgspec.json.encode(carried), type=RuleSet)
    assert by_message.value.args_by_name == by_text.value.args_by_name
    assert detail in str(by_message.value)


@pytest.mark.parametrize(("name", "value", "detail"), [line for line in REFUSED if line[2].startswith(SPELLING)])
def test_a_message_has_no_text_where_a_value_belongs(name: str, value: str, detail: str) -> None:
    carried: dict[str, Any] = {**msgspec.to_builtins(ROOM), name: value}
    with pytest.raises(msgspec.ValidationError, match=name):
        msgspec.json.decode(msgspec.json.encode(carried), type=RuleSet)


def test_a_message_says_no_more_than_the_fields() -> None:
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.json.decode(b'{"colour": "red"}', type=RuleSet)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"base": "casino"}', type=RuleSet)


# -- together


@pytest.mark.parametrize(("text", "verdict"), table_rows("rules_together.txt"))
def test_rules_are_checked_as_a_whole(text: str, verdict: str) -> None:
    word, _, detail = verdict.partition(" ")
    if word == "ok":
        assert str(RuleSet.parse(text)) == (detail or text)
    else:
        name, _, reason = detail.partition(": ")
        args = refusal(text)
        assert args["name"] == name
        assert reason in str(args["detail"])


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_four_seats_of_seventeen_cards_are_refused_with_the_reason(name: str) -> None:
    for fields in ("fantasyland_cards=17", "fantasyland_cards=13,13,13,17", "fantasyland_stay_cards=17"):
        args = refusal(f"{name} seats=2-4 {fields}")
        assert args["detail"] == "4 seats of up to 17 cards need 68, a deck has 52"
        assert RuleSet.parse(f"{name} seats=3-3 {fields}").most_cards == 17


def test_a_refusal_repeats_only_so_much() -> None:
    args = refusal(f"room {'x' * 5000}={'y' * 5000}")
    assert len(str(args["name"])) <= 40
    assert len(str(args["value"])) <= 120


# -- one spelling


@given(any_rules())
def test_what_is_printed_is_read_back(rules: RuleSet) -> None:
    assert RuleSet.parse(str(rules)) == rules
    assert RuleSet.named(rules.base).but(rules.changes) == rules
    for base in RULE_SETS:
        assert RuleSet.named(base).but(rules.values).values == rules.values


@given(any_rules())
def test_a_message_carries_the_same_rules(rules: RuleSet) -> None:
    again = msgspec.json.decode(msgspec.json.encode(rules), type=RuleSet)
    assert again == rules
    assert str(again) == str(rules)


@given(any_rules())
def test_what_differs_from_the_named_set_is_told_and_nothing_else(rules: RuleSet) -> None:
    usual = RuleSet.named(rules.base)
    for name, text in rules.values.items():
        assert (getattr(rules, name) != getattr(usual, name)) == (name in rules.changes)
        assert rules.changes.get(name, text) == text
    assert str(rules).split() == [rules.base, *(f"{name}={text}" for name, text in rules.changes.items())]


@given(any_rules())
def test_whatever_is_taken_can_be_dealt(rules: RuleSet) -> None:
    assert sum(rules.place) == 13
    assert rules.streets == len(rules.deal) == len(rules.place)
    assert rules.seats[1] * rules.most_cards <= 52


def test_the_tests_draw_from_every_field() -> None:
    assert set(SOME) | {"deal", "place"} == set(ROOM.values)
