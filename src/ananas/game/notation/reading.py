"""From text to a history that has been played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeVar, cast

import msgspec

from ananas.game.board import Board, Placement
from ananas.game.cards import parse_cards
from ananas.game.fantasyland import entry, stay_cards
from ananas.game.notation import toml
from ananas.game.notation.history import NO_COMMENT, Action, Fault, HandHistory, variant
from ananas.game.notation.words import Cards, read_known, read_player, read_rows
from ananas.game.rules import RuleSet
from ananas.refused import Refused

_T = TypeVar("_T")
_MOST: Final = 10**12


def read_history(text: str) -> HandHistory:
    """Read a history and check it by playing it.

    >>> history = read_history('''
    ... variant = "OFC/P"
    ... rules = "room"
    ... players = ["ann", "bob"]
    ... button = 2
    ... actions = ["p1 pl Qs/Kd/7c7dAh", "p2 pl Ad/Jd/Ts9s6s", "p1 pl Qh/9h/- x3h"]
    ... ''')
    >>> [str(board) for board in history.hand.boards]
    ['QsQh/Kd9h/7c7dAh', 'Ad/Jd/Ts9s6s']

    Raises `Refused("bad-history")` with the line and the column, counted from 1, of what is wrong.
    """
    histories = read_histories(text)
    if len(histories) != 1:
        raise Refused("bad-history", line=1, column=1, detail=f"here are {len(histories)} hands; one is wanted")
    return histories[0]


def read_histories(text: str) -> tuple[HandHistory, ...]:
    """Read one history, or several that stand under numbers in brackets, and check each.

    Raises `Refused("bad-history")` as `read_history` does.
    """
    plain = text.replace("\r\n", "\n")
    try:
        values, places = toml.read(plain)
        if not values or not all(re.fullmatch("[0-9]+", name) for name in values):
            history = _Reader(values, places, 0).history()
            vars(history)["text"] = text
            return (history,)
        return tuple(_numbered(values, places))
    except toml.Wrong as wrong:
        line, column = toml.line_and_column(plain, wrong.at)
        raise Refused("bad-history", line=line, column=column, detail=wrong.detail) from None


def _numbered(values: Mapping[str, object], places: Mapping[toml.Path, toml.Place]) -> Iterator[HandHistory]:
    by_name: dict[str | int, dict[toml.Path, toml.Place]] = {}
    for path, place in places.items():
        by_name.setdefault(path[0] if path else "", {})[path[1:]] = place
    for number, (name, value) in enumerate(values.items(), 1):
        within = by_name.get(name, {})
        start = next((place.key for place in within.values()), 0)
        if name != str(number) or not isinstance(value, dict):
            raise toml.Wrong(
                f"a file of several hands has the tables [1], [2] and so on; here should be [{number}]", start
            )
        yield _Reader(cast("dict[str, object]", value), within, start).history()


REQUIRED: Final = ("variant", "rules", "players", "button", "actions")
FIELDS: Final = (
    *("variant", "rules", "table", "match", "hand", "time", "players", "seats", "button", "starting_stacks"),
    *("in_fantasyland", "repeats", "actions", "points", "finishing_stacks", "fantasyland"),
)


class _Reader(NamedTuple):
    """The values of one history, where each stands, and where the whole begins."""

    values: Mapping[str, object]
    places: Mapping[toml.Path, toml.Place]
    start: int

    def wrong(self, path: toml.Path, detail: str, part: str | int = "") -> toml.Wrong:
        """Point at a value, or at a part of it; where it has no place of its own, at what it stands in."""
        place = self.place(path)
        within = part + 1 if isinstance(part, int) else place.text.find(part)
        return toml.Wrong(detail, place.at + max(within, 0))

    def place(self, path: toml.Path) -> toml.Place:
        """Where a value stands, or the first thing in it, or what it is in."""
        for length in range(len(path), 0, -1):
            for known, place in self.places.items():
                if known[:length] == path[:length]:
                    return place
        return toml.Place(self.start, "", key=self.start)

    def history(self) -> HandHistory:
        """Read all fields, play the hand, compare what it gives."""
        for name in self.values:
            if name not in FIELDS:
                raise toml.Wrong(
                    f"there is no field {name}; the fields are {', '.join(FIELDS)}", self.place((name,)).key
                )
        for name in REQUIRED:
            if name not in self.values:
                raise self.wrong((), f"{name} is missing")
        rules = self._rules()
        if self.values["variant"] != variant(rules):
            raise self.wrong(("variant",), f"by these rules the variant is {variant(rules)}")
        players = self._list("players", str, "names")
        least, most = 2, rules.seats[1]
        if not least <= len(players) <= most:
            raise self.wrong(
                ("players",), f"by these rules there are {least} to {most} players, here are {len(players)}"
            )
        count = len(players)
        poorest = -_MOST if rules.settlement_cap == "none" else 1
        in_fantasyland, repeats = self._fantasyland(rules, count)
        history = HandHistory(
            rules=rules,
            players=players,
            button=self._number("button", 1, count) - 1,
            seats=self._seats(count, most),
            starting_stacks=self._numbers("starting_stacks", count, poorest, _MOST),
            in_fantasyland=in_fantasyland,
            repeats=repeats,
            actions=tuple(map(self._action, range(len(self._list("actions", str, "actions"))))),
            points=self._numbers("points", count, -_MOST, _MOST),
            finishing_stacks=self._numbers("finishing_stacks", count, -_MOST, _MOST),
            fantasyland=self._numbers("fantasyland", count, 0, 52),
            table=self._string("table") if "table" in self.values else "",
            match=self._number("match", 1, _MOST) if "match" in self.values else None,
            number=self._number("hand", 1, _MOST) if "hand" in self.values else None,
            time=self._time() if "time" in self.values else "",
        )
        try:
            history.hand  # noqa: B018
        except Fault as fault:
            raise self.wrong(fault.path, fault.detail, fault.part) from None
        return history

    def _rules(self) -> RuleSet:
        told = self.values["rules"]
        try:
            if isinstance(told, str):
                return RuleSet.parse(told)
            if not isinstance(told, dict):
                raise self.wrong(("rules",), "rules: write the name of a set, or a table [rules]")
            values: dict[str, str] = {}
            for name, value in cast("dict[str, object]", told).items():
                if not isinstance(value, str) and (type(value) is not int or abs(value) > _MOST):
                    raise self.wrong(("rules", name), f"{name}: write a text or a whole number")
                values[name] = str(value)
            return RuleSet.named(values.pop("base", "room")).but(values)
        except Refused as refused:
            raise self.wrong(("rules", refused.args_by_name.get("name", "")), str(refused)) from None

    def _seats(self, count: int, last: int) -> tuple[int, ...]:
        """The players' seats, from 0; the table has as many as the rules let play at the most."""
        seats = self._numbers("seats", count, 1, last) or tuple(range(1, count + 1))
        if len(set(seats)) < len(seats):
            raise self.wrong(("seats",), "a seat is named twice")
        if list(seats) != sorted(seats):
            raise self.wrong(("seats",), "players stand in the order of their seats, from the lowest")
        return tuple(seat - 1 for seat in seats)

    def _fantasyland(self, rules: RuleSet, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who lays how many cards at once, and after how many stays: what an entry or a stay can have brought."""
        none = (0,) * count
        in_fantasyland = self._numbers("in_fantasyland", count, 0, 17) or none
        repeats = self._numbers("repeats", count, 0, _MOST) or none
        for place, (cards, stayed) in enumerate(zip(in_fantasyland, repeats, strict=True)):
            allowed = _stay_brings(rules, stayed) if stayed else _entry_brings(rules)
            if stayed and not cards:
                raise self.wrong(("repeats", place), "who is not in Fantasyland has not stayed there")
            if stayed and not allowed:
                raise self.wrong(("repeats", place), f"by these rules nobody stays {stayed} times in a row")
            if cards and cards not in allowed:
                either = " or ".join(map(str, sorted({0} | allowed)))
                who = "one who stays" if stayed else "one who gets in"
                raise self.wrong(("in_fantasyland", place), f"by these rules {who} lays {either} at once, not {cards}")
        return _unless_zero(in_fantasyland), _unless_zero(repeats)

    def _time(self) -> str:
        place = self.places.get(("time",))
        if isinstance(self.values["time"], str | int | float | list | dict) or not place:
            raise self.wrong(("time",), "time: write a date, a time, or both, as TOML has them")
        return place.text

    def _string(self, name: str) -> str:
        value = self.values[name]
        if not isinstance(value, str):
            raise self.wrong((name,), f"{name}: write a text")
        return value

    def _number(self, name: str, least: int, most: int) -> int:
        return self._within((name,), self.values[name], least, most)

    def _numbers(self, name: str, count: int, least: int, most: int) -> tuple[int, ...]:
        """As many whole numbers as there are players; none where the field is not there."""
        if name not in self.values:
            return ()
        values = self._list(name, object, "whole numbers")
        if len(values) != count:
            raise self.wrong(
                (name,), f"{name}: {count} numbers are wanted, one for each player, here are {len(values)}"
            )
        return tuple(self._within((name, place), value, least, most) for place, value in enumerate(values))

    def _within(self, path: toml.Path, value: object, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(path, f"{path[0]}: write whole numbers from {least} to {most}")
        return value

    def _list(self, name: str, kind: type[_T], what: str) -> tuple[_T, ...]:
        values = self.values[name]
        if not isinstance(values, list):
            raise self.wrong((name,), f"{name}: write a list of {what}")
        for place, value in enumerate(cast("list[object]", values)):
            if not isinstance(value, kind):
                raise self.wrong((name, place), f"{name}: write {what} in quotes")
        return tuple(cast("list[_T]", values))

    def _action(self, place: int) -> Action:
        path = ("actions", place)
        text = cast("list[str]", self.values["actions"])[place]
        written = self.places.get(path, toml.Place(0, ""))
        try:
            action = read_action(text)
        except toml.Wrong as wrong:
            plain = written.text[1:-1] == text
            raise self.wrong(path, wrong.detail, wrong.at if plain else "") from None
        comments = (action.comment, written.comment)
        return msgspec.structs.replace(action, comment=" ".join(filter(None, comments)))


def _entry_brings(rules: RuleSet) -> set[int]:
    """With how many cards one may be in Fantasyland who comes out of an ordinary hand."""
    tops = [Board(parse_cards(top)) for top in ("QsQd2c", "KsKd2c", "AsAd2c", "2s2d2c")]
    return {entry(board, rules) for board in tops} - {0}


def _stay_brings(rules: RuleSet, stayed: int) -> set[int]:
    """With how many cards one may be there who has stayed so often in a row."""
    possible = rules.fantasyland == "on" and rules.fantasyland_stay
    return {stay_cards(rules, stayed - 1)} - {0} if possible else set()


def _unless_zero(values: tuple[int, ...]) -> tuple[int, ...]:
    return values if any(values) else ()


def read_action(text: str) -> Action:
    """Read an action with the comment it may carry; raises `toml.Wrong` with the offset in the text."""
    body, _, comment = text.partition("#")
    if found := NO_COMMENT.search(comment):
        raise toml.Wrong("a comment is one line without control characters", len(body) + 1 + found.start())
    words = [(word[0], word.start()) for word in re.finditer(r"\S+", body)]
    match [word for word, _ in words]:
        case ["d", "dh", _, _]:
            (_, _, player, dealt) = words
            return Action(kind="dh", player=read_player(*player), cards=read_known(*dealt), comment=comment.strip())
        case [_, "pl" | "au" as kind, _, *_] if len(words) <= 4:
            thrown: Cards = ()
            if len(words) == 4:
                word, at = words[3]
                if word[0] != "x":
                    raise toml.Wrong(f"{word}: cards thrown away are written after an x", at)
                thrown = read_known(word[1:], at + 1)
            laid = Placement(*read_rows(*words[2]))
            return Action(kind=kind, player=read_player(*words[0]), laid=laid, cards=thrown, comment=comment.strip())
        case _:
            wanted = "p1 pl top/middle/bottom xdiscards, p1 au the same, or d dh p1 cards"
            raise toml.Wrong(f"{text!r:.60} is no action; write {wanted}", words[0][1] if words else 0)
