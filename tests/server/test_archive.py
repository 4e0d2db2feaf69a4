"""The archive: every finished hand is found, one costs no reading of the others, and what is damaged is not told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from ananas.game.notation import read_histories
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server.archive import Archive
from ananas.server.histories import Contents, finished_hands
from ananas.server.store import START, Mark, Row, Store
from ananas.table.events import AnyEvent, Opened
from tests.server.tampering import tampering
from tests.server.test_histories import evening, rows


class Watched(Store):
    """A store that notes how many rows of a log were read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read: list[int] = []

    async def read_on(self, table_id: str, after: Mark = START, until: int | None = None) -> list[Row] | None:
        found = await super().read_on(table_id, after, until)
        self.read.append(len(found or ()))
        return found


async def keep(store: Store, table_id: str, log: Sequence[AnyEvent], after: int = 0) -> None:
    """Write a log down, from a row on."""
    for row in rows(log)[after:]:
        await store.append(table_id, row.mark.version, f"ann:{row.mark.version}", row.events, due_at=None)


def with_archive(path: Path, body: Callable[[Watched, Archive], Awaitable[None]], hands: int = 100) -> None:
    async def run() -> None:
        store = Watched(path)
        try:
            await body(store, Archive(store, hands))
        finally:
            store.close()

    asyncio.run(run())


async def refused(asked: Awaitable[object]) -> str:
    with pytest.raises(Refused) as reason:
        await asked
    return reason.value.code


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def test_every_finished_hand_is_found_and_costs_no_reading_of_the_others(path: Path) -> None:
    log = evening(RuleSet.named("club")).log
    wanted = {found.number: found for found in finished_hands(log)}

    async def body(store: Watched, archive: Archive) -> None:
        await keep(store, "one", log)
        for number in (5, *wanted, 1, 8):
            assert await archive.hand("one", number) == (wanted[number], 8)
        first, *others = store.read
        assert first == len(rows(log))
        assert max(others) < first // 3
        assert await refused(archive.hand("one", 9)) == "no-such-hand"
        assert await refused(archive.hand("one", 0)) == "no-such-hand"
        assert await refused(archive.hand("two", 1)) == "no-table"
        assert await refused(archive.contents("two")) == "no-table"
        assert await refused(archive.every_hand("two", None)) == "no-table"
        assert len(read_histories(await archive.every_hand("one", "ann"))) == 8

    with_archive(path, body)


def test_a_table_without_a_finished_hand_has_an_empty_list(path: Path) -> None:
    opened = [Opened(at=1, table="one", name="Friday", host="ann", rules=RuleSet())]

    async def body(store: Watched, archive: Archive) -> None:
        await store.append("one", 1, None, opened, due_at=None)
        assert (await archive.contents("one")).listed("one", None).hands == ()
        assert await refused(archive.hand("one", 1)) == "no-such-hand"
        assert await refused(archive.every_hand("one", None)) == "no-such-hand"

    with_archive(path, body)


def test_a_table_that_goes_on_is_read_on(path: Path) -> None:
    log = evening(RuleSet.named("progressive")).log
    kept = rows(log)

    async def body(store: Watched, archive: Archive) -> None:
        for row in kept:
            await store.append("one", row.mark.version, None, row.events, due_at=None)
            found = await archive.contents("one")
            so_far = [event for each in kept[: row.mark.version] for event in each.events]
            assert list(found.entries) == [hand.number for hand in finished_hands(so_far)]
        assert sum(store.read) < len(kept) * 30, "each hand is read while it is played, and what lies behind it is not"
        wanted = {hand.number: hand for hand in finished_hands(log)}
        for number, hand in wanted.items():
            assert (await archive.hand("one", number))[0] == hand

    with_archive(path, body)


def test_many_may_ask_at_once_while_the_table_goes_on(path: Path) -> None:
    log = evening(RuleSet.named("room")).log
    half = len(rows(log)) // 2
    wanted = {hand.number: hand for hand in finished_hands(log)}

    async def body(store: Watched, archive: Archive) -> None:
        await keep(store, "one", [event for row in rows(log)[:half] for event in row.events])
        writing = asyncio.create_task(keep(store, "one", log, half))
        for _ in range(5):
            found = await asyncio.gather(*(archive.hand("one", 1 + number % 2) for number in range(20)))
            assert [hand for hand, _ in found] == [wanted[1], wanted[2]] * 10
        await writing
        assert (await archive.contents("one")).last == 8
        assert await archive.hand("one", 8) == (wanted[8], 8)

    with_archive(path, body)


def test_only_so_many_hands_are_kept_in_mind(path: Path) -> None:
    log = evening(RuleSet.named("room")).log

    async def body(store: Watched, archive: Archive) -> None:
        for table_id in ("one", "two", "three"):
            await keep(store, table_id, log)
            await archive.hand(table_id, 1)
        assert list(archive._known) == ["two", "three"]
        await archive.hand("two", 1)
        await archive.hand("one", 1)
        assert list(archive._known) == ["two", "one"]
        assert store.read[-2] == len(rows(log)), "what was forgotten is read again"

    with_archive(path, body, hands=16)


def test_one_table_is_kept_in_mind_however_long_it_is(path: Path) -> None:
    async def body(store: Watched, archive: Archive) -> None:
        await keep(store, "one", evening(RuleSet.named("room")).log)
        await archive.hand("one", 1)
        await archive.hand("one", 2)
        assert list(archive._known) == ["one"]

    with_archive(path, body, hands=3)


@pytest.mark.parametrize("version", [2, 20])
def test_a_damaged_log_is_not_told_and_the_other_table_is(path: Path, version: int) -> None:
    log = evening(RuleSet.named("room")).log

    async def body(store: Watched, archive: Archive) -> None:
        await keep(store, "one", log)
        await keep(store, "two", log)
        with tampering(path) as db:
            db.execute("UPDATE events SET events = '[]' WHERE table_id = 'one' AND version = ?", (version,))
        assert await refused(archive.contents("one")) == "no-table"
        assert await refused(archive.hand("one", 1)) == "no-table"
        assert await refused(archive.every_hand("one", None)) == "no-table"
        assert (await archive.contents("two")).last == 8

    with_archive(path, body)


def test_a_log_damaged_after_it_was_read_is_not_told_either(path: Path) -> None:
    log = evening(RuleSet.named("room")).log

    async def body(store: Watched, archive: Archive) -> None:
        await keep(store, "one", log)
        entry = (await archive.contents("one")).entries[3]
        with tampering(path) as db:
            db.execute(
                "UPDATE secrets SET hidden = '[]' WHERE table_id = 'one' AND version = ?", (entry.before.version + 1,)
            )
        assert await refused(archive.hand("one", 3)) == "no-table"
        assert await refused(archive.hand("one", 1)) == "no-table", "nothing is believed any more"
        assert "one" not in archive._known

    with_archive(path, body)


def test_an_archive_that_forgets_to_read_on_would_be_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_on = Contents.read_on

    def once(self: Contents, kept: Sequence[Row]) -> Contents:
        return self if self.entries else read_on(self, kept)

    monkeypatch.setattr(Contents, "read_on", once)
    with pytest.raises(AssertionError):
        test_a_table_that_goes_on_is_read_on(path)
