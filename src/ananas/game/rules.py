"""The points on which tables differ, as data: one name and one spelling of each value, everywhere.

What belongs here: the fields, what each may hold, the named sets, the text of both. What does not: what they mean in a
hand, which the modules that play it say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, cast, get_args

import msgspec
from msgspec.structs import asdict, force_setattr, replace

from ananas.game.royalties import AMERICAN, MOST_POINTS, RoyaltyTable
from ananas.refused import Refused

Base = Literal["room", "club", "club-pineapple", "progressive"]
Stay = Literal["top-trips", "middle-full-house", "middle-quads", "bottom-quads"]
LowestPair = Literal["22", "33", "44", "55", "66", "77", "88", "99", "TT", "JJ", "QQ", "KK", "AA"]

ENGINE: Final = 1
"""The version of what the rules mean: raised when the same rules would score or deal a hand otherwise than before."""
_PLACES: Final = 13
_DECK: Final = 52


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a table; the defaults are the named set `room`.

    >>> rules = RuleSet.parse("club scoring=2-4")
    >>> rules.deal, rules.scoring, str(rules)
    ((5, 1, 1, 1, 1, 1, 1, 1, 1), '2-4', 'club scoring=2-4')

    `base`: the named set this one is told from. `seats`: how many play at least and at most. `deal` and `place`: cards
    dealt and laid on each street. `street_one`: whether all see the first street while it is laid. `lock`: when a
    card lies for good. `equality`: whether equal rows are in order. `scoring`: 1-6 gives three points more for all
    three rows, 2-4 one more for two or three. `foul_points`: the price of a dead hand. `royalties`: how they are paid,
    by which `royalty_table`. `fantasyland` and the fields named after it: the extra hand. `fantasyland_cards`: for
    queens (or a lower pair that enters), kings, aces and trips on top. `button_in_fantasyland`: whether it moves before
    such a hand. `settlement_cap`: what limits a payment. Times are in seconds, `buy_in` in points (the lowest and the
    highest), `point_price` in the currency's smallest unit and for display only. `seen_cards`: whether the table shows a
    player which cards he has seen.

    Raises `Refused("bad-rule")` for values that cannot be played, alone or together.
    """

    base: Base = "room"
    seats: tuple[int, int] = (2, 3)
    deal: tuple[int, ...] = (5, 3, 3, 3, 3)
    place: tuple[int, ...] = (5, 2, 2, 2, 2)
    street_one: Literal["open", "closed"] = "open"
    lock: Literal["on-confirm", "on-place"] = "on-confirm"
    equality: Literal["allowed", "strict"] = "allowed"
    scoring: Literal["1-6", "2-4"] = "1-6"
    foul_points: int = 6
    royalties: Literal["net", "line-winner", "none"] = "net"
    royalty_table: RoyaltyTable = AMERICAN
    fantasyland: Literal["on", "off"] = "on"
    fantasyland_cards: tuple[int, int, int, int] = (14, 14, 14, 14)
    fantasyland_entry: LowestPair = "QQ"
    fantasyland_stay: tuple[Stay, ...] = ("top-trips", "bottom-quads")
    fantasyland_stay_cards: int = 14
    fantasyland_repeats: int | Literal["unlimited"] = "unlimited"
    fantasyland_timing: Literal["after", "from-start"] = "after"
    button_in_fantasyland: Literal["moves", "stays"] = "moves"
    settlement_cap: Literal["both", "loser", "none"] = "both"
    hand_seconds: int = 120
    bank_seconds: int = 180
    auto_layout: Literal["order", "careful"] = "order"
    buy_in: tuple[int, int] = (50, 100)
    point_price: int = 1000
    ready_seconds: int = 30
    showdown_seconds: int = 8
    seen_cards: Literal["shown", "hidden"] = "shown"

    def __post_init__(self) -> None:
        for name, (least, most) in _NUMBERS.items():
            _within(self, name, (getattr(self, name),), least, most)
        for name, (least, most) in _LISTS.items():
            _within(self, name, getattr(self, name), least, most)
        for name in _RANGES:
            lowest, highest = getattr(self, name)
            if lowest > highest:
                raise _bad(self, name, "the lowest comes first")
        if len(set(self.fantasyland_stay)) < len(self.fantasyland_stay):
            raise _bad(self, "fantasyland_stay", "each condition once")
        # The order says nothing, so there is one.
        force_setattr(self, "fantasyland_stay", tuple(sorted(self.fantasyland_stay, key=get_args(Stay).index)))
        if self.fantasyland_repeats != "unlimited":
            _within(self, "fantasyland_repeats", (self.fantasyland_repeats,), *_REPEATS)
        for name, (value, why) in NOT_YET.items():
            if getattr(self, name) == value:
                raise _bad(self, name, why)
        self._check_streets()

    def _check_streets(self) -> None:
        """Refuse streets that do not fill a board, and more cards than a deck has."""
        if not 1 <= len(self.deal) <= 9:
            raise _bad(self, "deal", "a hand has 1 to 9 streets")
        if len(self.place) != len(self.deal):
            raise _bad(self, "place", f"as many streets as deal has: {len(self.deal)}")
        if sum(self.place) != _PLACES:
            raise _bad(self, "place", f"a board takes {_PLACES} cards, these are {sum(self.place)}")
        if any(laid > dealt for dealt, laid in zip(self.deal, self.place, strict=True)):
            raise _bad(self, "place", f"no street can lay more cards than it deals: {_text(self.deal)}")
        if self.seats[1] * self.most_cards > _DECK:
            detail = f"{self.seats[1]} seats of up to {self.most_cards} cards need {self.seats[1] * self.most_cards}"
            raise _bad(self, "seats", f"{detail}, a deck has {_DECK}")

    @property
    def streets(self) -> int:
        """How many streets a hand has."""
        return len(self.deal)

    @property
    def most_cards(self) -> int:
        """The most cards that one seat can get in a hand."""
        ordinary = sum(self.deal)
        if self.fantasyland == "off":
            return ordinary
        return max(ordinary, self.fantasyland_stay_cards, *self.fantasyland_cards)

    # -- text

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read what `str` writes: the name of a set, then NAME=VALUE for what differs.

        >>> RuleSet.parse("progressive seats=2-2 fantasyland_repeats=1").fantasyland_cards
        (14, 15, 16, 17)
        """
        base, *settings = text.split() or [""]
        values: dict[str, str] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name in values:
                raise Refused("bad-rule", name=name[:40], value=value[:40], detail="write NAME=VALUE, each name once")
            values[name] = value
        return cls.named(base).but(values)

    @classmethod
    def named(cls, name: str) -> RuleSet:
        """One of the named sets. Raises `Refused("bad-rule")`."""
        if name not in RULE_SETS:
            raise Refused(
                "bad-rule", name="rules", value=name[:40], detail=f"the named sets are {', '.join(RULE_SETS)}"
            )
        return RULE_SETS[name]

    def but(self, values: Mapping[str, str]) -> RuleSet:
        """These rules with other values, given as text by name, checked as a whole.

        >>> ROOM.but({"seats": "4-4"})
        Traceback (most recent call last):
        ananas.refused.Refused: seats = 4-4: 4 seats of up to 17 cards need 68, a deck has 52
        """
        return replace(self, **{name: _read(name, text.strip()) for name, text in values.items()})

    @property
    def values(self) -> dict[str, str]:
        """Every field but `base`, as text by name.

        >>> ROOM.values["buy_in"], ROOM.values["fantasyland_cards"], ROOM.values["fantasyland_stay"]
        ('50-100', '14', 'top-trips,bottom-quads')
        """
        return {name: _print(name, value) for name, value in asdict(self).items() if name != "base"}

    @property
    def changes(self) -> dict[str, str]:
        """What differs from the named set, as text by name."""
        usual = RULE_SETS[self.base].values
        return {name: text for name, text in self.values.items() if text != usual[name]}

    def __str__(self) -> str:
        return " ".join([self.base, *(f"{name}={text}" for name, text in self.changes.items())])


_RANGES: Final = ("seats", "buy_in")
_LISTS: Final = {
    "seats": (2, 4),
    "buy_in": (1, 1_000_000),
    "deal": (1, 17),
    "place": (1, 13),
    "fantasyland_cards": (13, 17),
}
_NUMBERS: Final = {
    "foul_points": (0, 100),
    "fantasyland_stay_cards": (13, 17),
    "hand_seconds": (1, 3600),
    "bank_seconds": (0, 3600),
    "point_price": (0, 1_000_000_000),
    "ready_seconds": (1, 3600),
    "showdown_seconds": (1, 3600),
}
_REPEATS: Final = (0, 99)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "street_one": ("open", "closed"),
    "lock": ("on-confirm", "on-place"),
    "equality": ("allowed", "strict"),
    "scoring": ("1-6", "2-4"),
    "royalties": ("net", "line-winner", "none"),
    "fantasyland": ("on", "off"),
    "fantasyland_entry": get_args(LowestPair),
    "fantasyland_timing": ("after", "from-start"),
    "button_in_fantasyland": ("moves", "stays"),
    "settlement_cap": ("both", "loser", "none"),
    "auto_layout": ("order", "careful"),
    "seen_cards": ("shown", "hidden"),
}
"""The fields that hold one of a few words."""
NOT_YET: Final[Mapping[str, tuple[str, str]]] = {
    "lock": ("on-place", "this is not played yet; on-confirm is"),
}
"""The values that have a name and are not played, each with the reason it is refused for."""
LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    **_LISTS,
    **_NUMBERS,
    "fantasyland_repeats": _REPEATS,
    "royalty_table": (0, MOST_POINTS),
}
"""The least and the most of each number that a field holds."""


def _read(name: str, text: str) -> object:
    """The value of a field from its text."""
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise _bad_text(name, text, f"one of {', '.join(CHOICES[name])}")
        return text
    match name:
        case "seats" | "buy_in":
            found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
            if not found:
                raise _bad_text(name, text, "write the lowest and the highest: 2-3")
            return int(found[1]), int(found[2] or found[1])
        case "deal" | "place":
            return _numbers(name, text)
        case "fantasyland_cards":
            numbers = _numbers(name, text)
            if len(numbers) not in {1, 4}:
                raise _bad_text(name, text, "one number, or four: for queens, kings, aces and trips")
            return numbers * (4 // len(numbers))
        case "fantasyland_stay":
            stays = () if text == "none" else tuple(text.split(","))
            if not set(stays) <= set(get_args(Stay)):
                raise _bad_text(name, text, f"none, or any of {','.join(get_args(Stay))}")
            return stays
        case "fantasyland_repeats":
            return text if text == "unlimited" else _number(name, text, "unlimited, or how often in a row")
        case "royalty_table":
            return RoyaltyTable.parse(text)
        case _ if name in _NUMBERS:
            return _number(name, text, "a whole number")
        case _:
            raise _bad_text(name, text, f"there is no such rule; the rules are {', '.join(ROOM.values)}")


def _number(name: str, text: str, wanted: str) -> int:
    if not re.fullmatch("[0-9]{1,10}", text):
        raise _bad_text(name, text, wanted)
    return int(text)


def _numbers(name: str, text: str) -> tuple[int, ...]:
    return tuple(_number(name, part, "whole numbers with commas between") for part in text.split(","))


def _print(name: str, value: object) -> str:
    """The text of a field's value: the one spelling it has."""
    if not isinstance(value, tuple):
        return str(value)
    values = cast("tuple[object, ...]", value)
    if name in _RANGES:
        return f"{values[0]}-{values[1]}"
    if name == "fantasyland_cards" and len(set(values)) == 1:
        return str(values[0])
    return _text(values) or "none"


def _text(values: tuple[object, ...]) -> str:
    return ",".join(map(str, values))


def _within(rules: RuleSet, name: str, numbers: tuple[int, ...], least: int, most: int) -> None:
    if not all(least <= number <= most for number in numbers):
        raise _bad(rules, name, f"from {least} to {most}")


def _bad(rules: RuleSet, name: str, detail: str) -> Refused:
    return _bad_text(name, _print(name, getattr(rules, name)), detail)


def _bad_text(name: str, text: str, detail: str) -> Refused:
    return Refused("bad-rule", name=name[:40], value=text[:120], detail=detail)


ROOM: Final = RuleSet()
"""The rules of the online room, the default everywhere."""

CLUB: Final = RuleSet(
    base="club",
    seats=(2, 4),
    deal=(5, 1, 1, 1, 1, 1, 1, 1, 1),
    place=(5, 1, 1, 1, 1, 1, 1, 1, 1),
    street_one="closed",
    fantasyland_cards=(13, 13, 13, 13),
    fantasyland_stay=("top-trips", "middle-full-house", "bottom-quads"),
    fantasyland_stay_cards=13,
    fantasyland_repeats=1,
    fantasyland_timing="from-start",
    button_in_fantasyland="stays",
    settlement_cap="loser",
)
"""The rules of the club, card by card after the first street."""

CLUB_PINEAPPLE: Final = replace(
    CLUB,
    base="club-pineapple",
    seats=(2, 3),
    deal=ROOM.deal,
    place=ROOM.place,
    fantasyland_stay=("top-trips", "middle-quads", "bottom-quads"),
)
"""The rules of the club with streets of three cards."""

PROGRESSIVE: Final = replace(ROOM, base="progressive", fantasyland_cards=(14, 15, 16, 17))
"""As the room, with more cards in Fantasyland for more on top."""

RULE_SETS: Final[Mapping[str, RuleSet]] = {rules.base: rules for rules in (ROOM, CLUB, CLUB_PINEAPPLE, PROGRESSIVE)}
"""The named sets, by name."""
