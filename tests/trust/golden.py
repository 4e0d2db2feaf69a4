"""Logs of each release, kept for the ones after it: what they held, and what everybody saw of it, to the bit.

`python -m tests.trust.golden` writes those of the present version, which is done once, when it is released; with
`--again` it writes them anew while it is not. Logs of earlier versions are never touched.

Beside each log lies a file with a line for each event: the hash of the state it made, and of what every kind of viewer
saw of that. Only such fields are looked at as there were when the log was written; `fields.json` names them. So a later
version may have more of them, and must not say anything else in the old ones.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, cast

import msgspec

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.table.events import AnyEvent, Confirmed, HandCalled, HandDealt, HandScored
from ananas.table.evolve import evolve
from ananas.table.state import Table
from ananas.table.view import Live, view_table
from ananas.version import __version__
from tests.chance import Chance
from tests.table.play import join, split
from tests.table.session import EASY, PLAYERS, session

GOLDEN: Final = Path(__file__).parents[1] / "data" / "golden"
VIEWERS: Final = (*PLAYERS, "zoe", None)
"""Everybody who ever plays, a guest who only looks on, and somebody without a name."""
HASH: Final = 16
"""So many digits of a hash are kept."""

Fields = Mapping[str, Sequence[str]]
"""The fields of every kind of value, by its name."""


class Golden(NamedTuple):
    """A log as it was written, and what it held."""

    name: str
    events: tuple[AnyEvent, ...]
    lines: tuple[str, ...]
    fields: Fields


# -- what it held


def plain(value: object, fields: Fields) -> object:
    """A value as plain data, of the named fields alone; of kinds that are not named, of all."""
    if isinstance(value, msgspec.Struct):
        kind = type(value)
        names = fields.get(kind.__name__, kind.__struct_fields__)
        return {name: plain(getattr(value, name), fields) for name in names}
    if isinstance(value, Enum) or not isinstance(value, Mapping | tuple | list | frozenset | set):
        return value
    if isinstance(value, Mapping):
        known = cast("Mapping[object, object]", value)
        return sorted((str(key), plain(each, fields)) for key, each in known.items())
    parts = [plain(each, fields) for each in cast("Sequence[object]", value)]
    return sorted(parts, key=str) if isinstance(value, frozenset | set) else parts


def digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:HASH]


def held(events: Sequence[AnyEvent], fields: Fields) -> Iterator[str]:
    """A line for each event: what state it makes, and what everybody sees of that a moment later."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
        seen = [plain(view_table(table, viewer, event.at + 250, Live()), fields) for viewer in VIEWERS]
        yield f"{digest(plain(table, fields))} {digest(seen)}"


def fields_of(values: Sequence[object]) -> dict[str, tuple[str, ...]]:
    """The fields of every kind of value in these."""
    found: dict[str, tuple[str, ...]] = {}

    def look(value: object) -> None:
        if isinstance(value, msgspec.Struct):
            found[type(value).__name__] = value.__struct_fields__
            for name in value.__struct_fields__:
                look(getattr(value, name))
        elif isinstance(value, Mapping):
            for each in cast("Mapping[object, object]", value).values():
                look(each)
        elif isinstance(value, tuple | list):
            for each in cast("Sequence[object]", value):
                look(each)

    for value in values:
        look(value)
    return found


# -- reading and writing


def read(log: Path) -> tuple[AnyEvent, ...]:
    """The events of a log that lies in a file, an event a line."""
    rows = (line.split(b"\t") for line in log.read_bytes().splitlines())
    return tuple(join(public, hidden or None) for public, hidden in rows)


def load(path: Path) -> Golden:
    fields = cast("Fields", msgspec.json.decode((path.parent / "fields.json").read_bytes()))
    lines = path.with_suffix(".held").read_text().splitlines()
    return Golden(f"{path.parent.name}/{path.stem}", read(path), tuple(lines), fields)


def logs() -> list[Path]:
    """The logs of every release."""
    return sorted(GOLDEN.glob("*/*.log"))


def write(folder: Path) -> None:
    """The logs of this version."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    written = {name: make() for name, make in LOGS.items()}
    fields: dict[str, tuple[str, ...]] = {}
    for events in written.values():
        table: Table | None = None
        for event in events:
            table = evolve(table, event)
            views = [view_table(table, viewer, event.at + 250, Live()) for viewer in VIEWERS]
            fields |= fields_of([table, *views])
    (folder / "fields.json").write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(fields.items())))) + b"\n")
    for name, events in written.items():
        rows = [split(event) for event in events]
        log = b"".join(b"\t".join((public, hidden or b"")) + b"\n" for public, hidden in rows)
        (folder / f"{name}.log").write_bytes(log)
        (folder / f"{name}.held").write_text("".join(f"{line}\n" for line in held(events, fields)))


# -- what is written


def _played(rules: RuleSet, name: str, enough: Callable[[Sequence[AnyEvent], Table], bool]) -> tuple[AnyEvent, ...]:
    """The first session found that has all that is asked of it."""
    for number in range(5000):
        chance = Chance(f"golden {name} {number}")
        choices = [chance.below(1_000_000) for _ in range(150)]
        events: list[AnyEvent] = []
        for step in session(rules, choices):
            events += step.events
            if len(events) > 200:
                break
            if enough(events, step.table):
                return tuple(events)
    raise AssertionError(f"no session is what {name} should be")


def _hands(count: int) -> Callable[[Sequence[AnyEvent], Table], bool]:
    """So many hands are counted, one of them in Fantasyland."""

    def enough(events: Sequence[AnyEvent], table: Table) -> bool:
        scored = sum(isinstance(event, HandScored) for event in events)
        return scored >= count and any(isinstance(event, HandDealt) and any(event.fantasyland) for event in events)

    return enough


def _broken_off(events: Sequence[AnyEvent], table: Table) -> bool:
    """In the middle of a hand that has begun to be laid, after one that was counted."""
    scored = any(isinstance(event, HandScored) for event in events)
    hand = table.hand
    return scored and table.laying and hand is not None and all(hand.placements) and isinstance(events[-1], Confirmed)


def _broken_off_in_fantasyland(events: Sequence[AnyEvent], table: Table) -> bool:
    hand = table.hand
    if hand is None or not table.laying or not any(hand.fantasyland):
        return False
    return any(hand.placements) and isinstance(events[-1], Confirmed)


def _called(events: Sequence[AnyEvent], table: Table) -> bool:
    """A hand is called and not dealt yet."""
    return isinstance(events[-1], HandCalled) and any(isinstance(event, HandScored) for event in events)


_ROOM: Final = RULE_SETS["room"]
LOGS: Final[Mapping[str, Callable[[], tuple[AnyEvent, ...]]]] = {
    **{
        name: lambda name=name, rules=rules: _played(rules.but(EASY), name, _hands(3))  # type: ignore[misc]
        for name, rules in RULE_SETS.items()
    },
    "short_stacks": lambda: _played(_ROOM.but(EASY | {"buy_in": "3-8"}), "short", _hands(4)),
    "broken_off": lambda: _played(_ROOM, "broken off", _broken_off),
    "broken_off_club": lambda: _played(RULE_SETS["club"], "broken off club", _broken_off),
    "broken_off_in_fantasyland": lambda: _played(_ROOM.but(EASY), "in fantasyland", _broken_off_in_fantasyland),
    "called": lambda: _played(RULE_SETS["progressive"], "called", _called),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the golden logs of this version.")
    parser.add_argument("--again", action="store_true", help="also where there are some: it is not released yet")
    arguments = parser.parse_args()
    folder = GOLDEN / __version__
    if folder.exists() and not arguments.again:
        parser.error(f"{folder} is there; what has been released stays as it is")
    write(folder)
    for log in sorted(folder.glob("*.log")):
        print(log.name, len(read(log)))


if __name__ == "__main__":
    main()
