"""The log is enough: what a store keeps, its hidden part apart, gives the same table back at every moment.

`python -m tests.test_replay` plays a session and writes its log to `tests/data/session.log`. That file is kept as it
was written: logs of earlier days have to be read for ever. Write a new one beside it when there are new events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import get_args

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from ananas.table.events import AnyEvent, HandScored, Resumed
from ananas.table.evolve import evolve
from ananas.table.state import Table
from tests.table.play import join, split
from tests.table.session import CHOICES, session

LOG = Path(__file__).parent / "data" / "session.log"


def kept(events: Sequence[AnyEvent]) -> list[tuple[bytes, bytes | None]]:
    return [split(event) for event in events]


def recovered(rows: Sequence[tuple[bytes, bytes | None]]) -> Table | None:
    return reduce(evolve, (join(public, hidden) for public, hidden in rows), None)


@settings(max_examples=40, deadline=None)
@given(seats=st.sampled_from([2, 3]), choices=CHOICES)
def test_the_log_gives_the_table_back_after_every_command(seats: int, choices: list[int]) -> None:
    table: Table | None = None
    for step in session(seats, choices):
        for public, hidden in kept(step.events):
            table = evolve(table, join(public, hidden))
        assert table == step.table


@settings(max_examples=40, deadline=None)
@given(seats=st.sampled_from([2, 3]), choices=CHOICES)
def test_every_event_changes_the_table(seats: int, choices: list[int]) -> None:
    """So a log that has lost one does not give the same table."""
    table: Table | None = None
    for event in (event for step in session(seats, choices) for event in step.events):
        before, table = table, evolve(table, event)
        assert table != before or isinstance(event, Resumed)


def rows_of_old() -> list[tuple[bytes, bytes | None]]:
    lines = [line.split(b"\t") for line in LOG.read_bytes().splitlines()]
    return [(public, hidden or None) for public, hidden in lines]


def test_a_log_without_its_hidden_part_is_an_error_and_not_another_table() -> None:
    with pytest.raises(ValueError, match="without its deck"):
        recovered([(public, None) for public, _ in rows_of_old()])


def test_a_log_of_earlier_days_is_still_read() -> None:
    events = [join(public, hidden) for public, hidden in rows_of_old()]
    assert kept(events) == rows_of_old()
    assert {type(event) for event in events} == set(get_args(AnyEvent))
    table: Table | None = None
    for event in events:
        if isinstance(event, HandScored):
            assert table is not None
            assert table.hand is not None
            assert table.hand.reckoning is not None
            assert event.points == tuple(result.points for result in table.hand.reckoning.players)
        table = evolve(table, event)


if __name__ == "__main__":
    told = [event for step in session(3, [9288 * number % 99_991 for number in range(1, 100)]) for event in step.events]
    LOG.write_bytes(b"".join(b"\t".join((public, hidden or b"")) + b"\n" for public, hidden in kept(told)))
