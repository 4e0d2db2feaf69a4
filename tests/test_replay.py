"""The log is enough: what a store keeps, its hidden part apart, gives the same table back at every moment.

`python -m tests.test_replay` plays a session and writes its log to the last of `LOGS`. The earlier ones are kept as they
were written: logs of earlier days have to be read for ever. Write a new one beside them when there are new events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Final, get_args

import msgspec
import pytest
from hypothesis import given, settings

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.table.events import AnyEvent, HandDealt, HandScored, Opened, Resumed, read_events
from ananas.table.evolve import NOTICES, TOLD_MS, evolve
from ananas.table.state import Purse, Seat, Table
from tests.chance import Chance
from tests.table.play import join, split
from tests.table.session import CHOICES, EASY, RULES, session

DATA: Final = Path(__file__).parent / "data"
FIRST, SECOND, THIRD, FOURTH = (DATA / f"session{number}.log" for number in ("", "_2", "_3", "_4"))
LOGS: Final = (FIRST, SECOND, THIRD, FOURTH)
"""Sessions as they were written: by the version that knew no Fantasyland, by the one that brought it, by the one in
which the host of a table has something to say, and by the one that seals its decks and holds and voids hands."""

Row = tuple[bytes, bytes | None]


def kept(events: Sequence[AnyEvent]) -> list[Row]:
    return [split(event) for event in events]


def recovered(rows: Sequence[Row]) -> Table | None:
    return reduce(evolve, (join(public, hidden) for public, hidden in rows), None)


@settings(max_examples=40, deadline=None)
@given(rules=RULES, choices=CHOICES)
def test_the_log_gives_the_table_back_after_every_command(rules: RuleSet, choices: list[int]) -> None:
    table: Table | None = None
    for step in session(rules, choices):
        for public, hidden in kept(step.events):
            table = evolve(table, join(public, hidden))
        assert table == step.table


@settings(max_examples=40, deadline=None)
@given(rules=RULES, choices=CHOICES)
def test_every_event_changes_the_table(rules: RuleSet, choices: list[int]) -> None:
    """So a log that has lost one does not give the same table."""
    table: Table | None = None
    for event in (event for step in session(rules, choices) for event in step.events):
        before, table = table, evolve(table, event)
        assert table != before or isinstance(event, Resumed)


def rows_of(log: Path) -> list[Row]:
    lines = [line.split(b"\t") for line in log.read_bytes().splitlines()]
    return [(public, hidden or None) for public, hidden in lines]


@pytest.mark.parametrize("log", LOGS)
def test_a_log_without_its_hidden_part_is_an_error_and_not_another_table(log: Path) -> None:
    missing = "decks are sealed" if log == FOURTH else "without its deck"
    with pytest.raises(ValueError, match=missing):
        recovered([(public, None) for public, _ in rows_of(log)])


@pytest.mark.parametrize("log", LOGS)
def test_a_log_of_earlier_days_is_still_read(log: Path) -> None:
    table: Table | None = None
    for public, hidden in rows_of(log):
        event = join(public, hidden)
        if isinstance(event, HandScored):
            assert table is not None
            assert table.hand is not None
            assert table.hand.reckoning is not None
            assert event.points == tuple(result.points for result in table.hand.reckoning.players)
            assert event.stacks == tuple(result.stack for result in table.hand.reckoning.players)
        table = evolve(table, event)


def test_the_newest_log_has_every_event_and_is_written_as_it_is_read() -> None:
    events = [join(public, hidden) for public, hidden in rows_of(LOGS[-1])]
    assert kept(events) == rows_of(LOGS[-1])
    assert {type(event) for event in events} == set(get_args(AnyEvent))


def test_the_third_version_is_read_as_what_it_was() -> None:
    """Its hosts had something to say; nothing was sealed, no hand was held, and every hand that was called counts."""
    events = [join(public, hidden) for public, hidden in rows_of(THIRD)]
    table = recovered(rows_of(THIRD))
    assert table is not None
    assert (table.sealed, table.dealt_from, table.open_by, table.hold, table.held) == (None, None, None, None, False)
    assert (table.voided, table.counted) == (0, sum(isinstance(event, HandScored) for event in events))
    assert {event.rules for event in events if isinstance(event, HandDealt)} == {""}
    assert {"break", "break-over", "rules-changed", "host"} <= told(events)
    assert {seat.aside for _, seat in table.seated if seat.sitting_out} <= {"asked", "not-ready", "absent", "idle"}


def told(events: Sequence[AnyEvent]) -> set[str]:
    """Everything that everybody was told at the table."""
    table, found = None, set[str]()
    for event in events:
        table = evolve(table, event)
        found |= {notice.what for notice in table.notices}
    return found


def test_the_first_version_is_read_as_what_it_was() -> None:
    """It had one number for the seats and one for the buy-in, no Fantasyland, no bank of time, and whole claims moved."""
    opened = join(*rows_of(FIRST)[0])
    assert isinstance(opened, Opened)
    changes = {"fantasyland": "off", "settlement_cap": "none", "hand_seconds": "60", "bank_seconds": "0"}
    assert opened.rules.changes == {**changes, "buy_in": "50-50"}
    table = recovered(rows_of(FIRST))
    assert table is not None
    assert [(seat.player, seat.stack, seat.brought) for _, seat in table.seated] == [
        ("ann", 61, 50),
        ("bob", 45, 50),
        ("dee", 44, 50),
    ]
    assert (table.hands, table.button, table.gone["cyd"].stack, table.laying) == (4, 0, 50, True)
    assert table.hand is not None
    assert [str(board) for board in table.hand.boards] == ["QcAs/9d7c/6d5cTh", "6h8dJc/2s/Js"]


def test_the_second_version_is_read_as_what_it_was() -> None:
    """Its hosts could do nothing, its rules never changed, and nobody was told why somebody sat out.

    What is told of it today is that the room was away.
    """
    events = [join(public, hidden) for public, hidden in rows_of(SECOND)]
    table: Table | None = None
    asides: list[str | None] = []
    for event in events:
        table = evolve(table, event)
        asides += [seat.aside for _, seat in table.seated if seat.sitting_out]
    assert table is not None
    assert table.rules.seen_cards == "shown"
    assert (table.host, table.public, table.break_since) == ("ann", False, None)
    away = [event.lost_ms for event in events if isinstance(event, Resumed) and event.lost_ms >= TOLD_MS]
    assert [(notice.number, notice.what) for notice in table.notices] == [
        (number, "resumed") for number in range(1, len(away) + 1)
    ][-NOTICES:]
    sides: list[Seat | Purse] = [*(seat for _, seat in table.seated), *table.gone.values()]
    for side in sides:
        assert side.played
        assert side.money == (side.stack - side.brought) * table.rules.point_price
    assert any(side.money for side in sides)
    assert set(asides) == {None}
    assert table.began == next(event.at for event in events if isinstance(event, HandDealt))


@pytest.mark.parametrize(
    "text",
    [b"{}", b"[5]", b'[{"type":"Nothing"}]', b'[{"type":"Opened","rules":5}]', b'[{"type":"Left","at":1}]'],
)
def test_what_is_no_list_of_events_is_an_error(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_events(text, None)


def write() -> None:
    """Play until a session has every event; the shorter, the better to be read."""
    rules = RULE_SETS["room"].but({"buy_in": "5-20"} | EASY)
    chance = Chance("a log")
    for length in range(200, 400):
        numbers = [chance.below(1_000_000) for _ in range(5)]
        choices = [numbers[at % 5] * (at + 7) % 999_983 for at in range(length)]
        events = [event for step in session(rules, choices) for event in step.events]
        if {type(event) for event in events} == set(get_args(AnyEvent)):
            FOURTH.write_bytes(b"".join(b"\t".join((public, hidden or b"")) + b"\n" for public, hidden in kept(events)))
            return


if __name__ == "__main__":
    write()
