"""The puzzle of the day: made once a day in a process of its own, kept, and the same for all.

What belongs here: which day it is, and what is kept of it. What does not: making it and judging answers (coach).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import msgspec
import structlog

from ananas.coach.report import Puzzle, PuzzleAnswer, StreetReview
from ananas.game.board import Placement
from ananas.refused import Refused
from ananas.server.store import NotKept, Store
from ananas.server.workers import Broken, Workers

MAKE_SECONDS: Final = 300.0
"""A puzzle that is not made by then never will be; usually it takes a few seconds."""
WAIT_SECONDS: Final = 15.0
"""Who asks while it is being made waits so long, and is then told to come back."""
ANSWER_SECONDS: Final = 20.0
"""An answer that is not judged by then never will be."""
ANSWERS: Final = 500
"""So many answers are kept in mind: most people give one of a few."""

_log: Final = structlog.get_logger()
_puzzle: Final = msgspec.json.Decoder(Puzzle)


def utc_today() -> str:
    """The date in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


class Puzzles:
    """The puzzle of today."""

    def __init__(
        self,
        *,
        store: Store,
        workers: Workers,
        make: Callable[[str], Puzzle],
        answer: Callable[[Puzzle, Placement], StreetReview],
        today: Callable[[], str] = utc_today,
    ) -> None:
        self._store: Final = store
        self._workers: Final = workers
        self._make: Final = make
        self._answer: Final = answer
        self._today: Final = today
        self._found: tuple[str, asyncio.Task[Puzzle]] | None = None
        self._answers: Final[dict[tuple[str, Placement], StreetReview]] = {}

    def prepare(self) -> None:
        """Begin to make the puzzle of today, before anybody asks."""
        self._of_today()

    async def puzzle(self) -> Puzzle:
        """The puzzle of today. Raises `Refused("not-kept")` where it is not there yet."""
        task = self._of_today()
        try:
            return await asyncio.wait_for(asyncio.shield(task), WAIT_SECONDS)
        except (TimeoutError, Broken):
            raise Refused("not-kept") from None

    async def answer(self, date: str, placement: Placement) -> PuzzleAnswer:
        """What the coach says to an answer. Raises `Refused`: `no-puzzle` for another day, or as placements are refused."""
        today = await self.puzzle()
        if date != today.date:
            raise Refused("no-puzzle", date=today.date)
        known = self._answers.get((date, placement))
        if known is None:
            try:
                known = await self._workers.do(self._answer, today, placement, limit=ANSWER_SECONDS, urgent=lambda: -1)
            except Broken as why:
                _log.warning("an answer is not judged", why=str(why))
                raise Refused("not-kept") from None
            self._answers[date, placement] = known
            while len(self._answers) > ANSWERS:
                del self._answers[next(iter(self._answers))]
        return PuzzleAnswer(date=date, review=known)

    async def close(self) -> None:
        """Leave what is in the making."""
        if self._found is not None:
            self._found[1].cancel()
            await asyncio.gather(self._found[1], return_exceptions=True)

    def _of_today(self) -> asyncio.Task[Puzzle]:
        date = self._today()
        if self._found is not None and self._found[0] == date:
            task = self._found[1]
            if not task.done() or (not task.cancelled() and task.exception() is None):
                return task
        task = asyncio.create_task(self._read_or_make(date))
        self._found = date, task
        return task

    async def _read_or_make(self, date: str) -> Puzzle:
        body = await self._store.puzzle(date)
        if body is not None:
            try:
                return _puzzle.decode(body)
            except msgspec.MsgspecError:
                _log.warning("a kept puzzle cannot be read; it is made anew", date=date)
        try:
            puzzle = await self._workers.do(self._make, date, limit=MAKE_SECONDS, urgent=lambda: -1)
        except Broken as why:
            _log.error("no puzzle", date=date, why=str(why))
            raise
        try:
            await self._store.keep_puzzle(date, msgspec.json.encode(puzzle))
        except NotKept as error:
            _log.error("the puzzle is not kept", date=date, error=str(error))
        return puzzle
