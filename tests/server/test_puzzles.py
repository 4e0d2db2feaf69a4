"""The puzzle of the day: one a day, the same for all, made once and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from ananas.coach import puzzle as of_the_day
from ananas.coach.report import Puzzle, PuzzleAnswer
from ananas.game.board import Placement
from ananas.refused import Refused
from ananas.server import puzzles as module
from ananas.server.puzzles import Puzzles, utc_today
from ananas.server.store import NotKept, Store
from ananas.server.workers import Workers
from tests.server import coaches
from tests.server.test_api import room

GOOD = "-/2c3c/4c5c7d"


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What is asked of the coach is done at once; where it is written down which puzzles were made."""
    monkeypatch.setenv("ANANAS_TEST_MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(Workers, "do", coaches.at_once)
    return tmp_path / "mark"


class Days:
    """The day it is, as the test says."""

    day = "2026-11-30"

    def __call__(self) -> str:
        return self.day


def with_puzzles(
    path: Path,
    body: Callable[[Puzzles, Days], Awaitable[None]],
    *,
    make: Callable[[str], Puzzle] = coaches.puzzle,
    store: type[Store] = Store,
) -> None:
    async def run() -> None:
        kept, days = store(path), Days()
        puzzles = Puzzles(store=kept, workers=Workers("coach", 1), make=make, answer=coaches.answer, today=days)
        try:
            await body(puzzles, days)
        finally:
            await puzzles.close()
            kept.close()

    asyncio.run(run())


def test_it_is_made_once_a_day_however_many_ask_and_whatever_is_started_meanwhile(tmp_path: Path, mark: Path) -> None:
    async def body(puzzles: Puzzles, days: Days) -> None:
        puzzles.prepare()
        found = await asyncio.gather(*(puzzles.puzzle() for _ in range(5)))
        assert found == [coaches.some_puzzle("2026-11-30")] * 5
        days.day = "2026-12-01"
        assert (await puzzles.puzzle()).date == "2026-12-01"

    for _ in range(2):
        with_puzzles(tmp_path / "room.sqlite", body)
    assert mark.read_text().split() == ["2026-11-30", "2026-12-01"]


def test_answers_are_of_today_and_refused_as_placements_are(tmp_path: Path) -> None:
    async def refused(asked: Awaitable[object]) -> str:
        with pytest.raises(Refused) as reason:
            await asked
        return str(reason.value)

    async def body(puzzles: Puzzles, days: Days) -> None:
        told = await puzzles.answer("2026-11-30", Placement.parse(GOOD))
        assert (told.date, told.review.chosen.placement) == ("2026-11-30", GOOD)
        assert await puzzles.answer("2026-11-30", Placement.parse(GOOD)) == told
        assert "not among the cards" in await refused(puzzles.answer("2026-11-30", Placement.parse("-/-/As")))
        assert await refused(puzzles.answer("2026-11-29", Placement.parse(GOOD))) == (
            "this puzzle is over; that of today is of 2026-11-30"
        )
        days.day = "2026-12-01"
        assert "2026-12-01" in await refused(puzzles.answer("2026-11-30", Placement.parse(GOOD)))

    with_puzzles(tmp_path / "room.sqlite", body)


def test_where_none_can_be_made_one_is_told_to_come_back_and_it_is_tried_again(tmp_path: Path) -> None:
    fails = True

    def make(date: str) -> Puzzle:
        if fails:
            raise ValueError(date)
        return coaches.some_puzzle(date)

    async def body(puzzles: Puzzles, _: Days) -> None:
        nonlocal fails
        with pytest.raises(Refused, match="try again"):
            await puzzles.puzzle()
        fails = False
        assert (await puzzles.puzzle()).date == "2026-11-30"

    with_puzzles(tmp_path / "room.sqlite", body, make=make)


def test_who_asks_too_early_is_told_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = asyncio.Event()

    async def later(_: Workers, work: Callable[..., object], *args: object, **__: object) -> object:
        await made.wait()
        return work(*args)

    monkeypatch.setattr(Workers, "do", later)
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.05)

    async def body(puzzles: Puzzles, _: Days) -> None:
        with pytest.raises(Refused, match="try again"):
            await puzzles.puzzle()
        made.set()
        monkeypatch.setattr(module, "WAIT_SECONDS", 30)
        assert (await puzzles.puzzle()).date == "2026-11-30"

    with_puzzles(tmp_path / "room.sqlite", body)


def test_a_store_that_keeps_nothing_and_a_puzzle_nobody_can_read_do_no_harm(tmp_path: Path) -> None:
    class Full(Store):
        async def keep_puzzle(self, day: str, body: bytes) -> None:
            raise NotKept(f"the disk is full: {day}, {len(body)} bytes")

        async def puzzle(self, day: str) -> bytes | None:
            return b"{" if day else None

    async def body(puzzles: Puzzles, _: Days) -> None:
        assert (await puzzles.puzzle()).date == "2026-11-30"

    with_puzzles(tmp_path / "room.sqlite", body, store=Full)


def test_anybody_may_solve_it_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_the_day, "answer", coaches.answer)
    with room(tmp_path / "room.sqlite") as ask:
        asked = msgspec.json.decode(ask.get("/api/puzzle"), type=Puzzle)
        assert asked == coaches.some_puzzle(utc_today())
        answer = ask("POST", "/api/puzzle", {"date": asked.date, "placement": GOOD})
        assert answer.status_code == 200
        told = msgspec.json.decode(answer.content, type=PuzzleAnswer)
        assert (told.date, told.review) == (asked.date, coaches.answer(asked, Placement.parse(GOOD)))
        answer = ask("POST", "/api/puzzle", {"date": asked.date, "placement": "-/-/As"})
        assert (answer.status_code, answer.json()["code"]) == (422, "cards-not-yours")
        answer = ask("POST", "/api/puzzle", {"date": "2020-01-01", "placement": GOOD})
        assert (answer.status_code, answer.json()["code"]) == (404, "no-puzzle")
