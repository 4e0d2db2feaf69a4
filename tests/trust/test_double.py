"""The store in memory answers as the real one does, whatever is asked of both in whatever order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ananas.server.guests import hash_token
from ananas.server.store import Guest, Store
from ananas.table.events import AnyEvent, AutoPlaced, HiddenPlacement, Left, WentOn
from tests.chance import Chance
from tests.trust.double import Disk, Double

ROUNDS = 40


def _events(chance: Chance) -> Sequence[AnyEvent]:
    seat, at = chance.below(4), chance.below(1000)
    hidden = HiddenPlacement(placement="As/-/-", kept=None)
    laid = AutoPlaced(at=at, seat=seat, street=1, rows=None, hidden=hidden)
    return chance.pick([[Left(at=at, seat=seat)], [WentOn(at=at, seat=seat), laid], [laid]])


async def asked(store: Store | Double, chance: Chance) -> list[Any]:
    """What a store answers to the same questions."""
    answers: list[Any] = []

    async def note(asking: Awaitable[object]) -> None:
        try:
            answers.append(await asking)
        except Exception as error:  # noqa: BLE001
            answers.append(type(error).__name__)

    await store.add_guest(Guest("ann", "Ann"), hash_token("ann"), 0)
    for _ in range(ROUNDS):
        table = chance.pick(["one", "two"])
        length = len(log.events) if (log := await store.load(table)) is not None else 0
        version = (0 if log is None else log.version) + chance.pick([0, 1, 1, 1, 1, 2])
        command = chance.pick([None, "ann:1", "ann:2", "bob:1", "bob:2", "bob:3"])
        body = None if command is None else chance.pick([b"a" * 32, b"b" * 32])
        due = chance.pick([None, 5, 10, 15])
        await note(store.append(table, version, command, _events(chance), due_at=due, body=body))
        await note(store.find(table, chance.pick(["ann:1", "bob:2", "cyd:1"]), chance.pick([b"a" * 32, b"b" * 32])))
        await note(store.load(chance.pick(["one", "two", "three"])))
        await note(store.guest_by_id(chance.pick(["ann", "eve"])))
        await note(store.waiting())
        await note(store.alive(length))
    return answers


@pytest.mark.parametrize("number", range(4))
def test_the_double_answers_as_the_store_does(number: int, tmp_path: Path) -> None:
    store = Store(tmp_path / "room.sqlite")
    try:
        theirs = asyncio.run(asked(store, Chance(f"double {number}")))
    finally:
        store.close()
    ours = asyncio.run(asked(Double(Disk()), Chance(f"double {number}")))
    assert [str(answer) for answer in ours] == [str(answer) for answer in theirs]
    assert {"Fenced", "IdReused"} <= {answer for answer in theirs if isinstance(answer, str)}


def test_a_double_that_answers_otherwise_is_noticed(tmp_path: Path) -> None:
    class Another(Double):
        def before(self, table_id: str, command_id: str, body: bytes | None) -> int | None:
            return self.disk.versions.get((table_id, command_id))

    store = Store(tmp_path / "room.sqlite")
    try:
        theirs = asyncio.run(asked(store, Chance("double 0")))
    finally:
        store.close()
    ours = asyncio.run(asked(Another(Disk()), Chance("double 0")))
    with pytest.raises(AssertionError):
        assert [str(answer) for answer in ours] == [str(answer) for answer in theirs]
