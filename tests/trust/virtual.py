"""Time that passes only when a test lets it, for whatever runs in an event loop; and chance that is the same every time."""

from __future__ import annotations

import asyncio
import secrets
import selectors
from asyncio import events
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Final, TypeVar, TypeVarTuple, Unpack, cast

from tests.chance import Chance

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
MOST: Final = 100_000
"""After so many rounds in which no time passes something runs in circles."""


class _NoWaiting(selectors.SelectSelector):
    """Nothing comes from outside, so there is nothing to wait for."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return []


class Loop(asyncio.SelectorEventLoop):
    """An event loop without threads whose clock, in seconds, is set by its owner; it runs when it is told to settle."""

    def __init__(self, now: float = 0.0) -> None:
        super().__init__(_NoWaiting())
        self.now = now
        self.unhandled: list[str] = []
        self.set_exception_handler(lambda _, context: self.unhandled.append(repr(context)))

    def time(self) -> float:
        return self.now

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """What is given to another thread is done at once."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        return future

    @property
    def next_at(self) -> float | None:
        """When the next timer is due."""
        scheduled = cast("list[asyncio.TimerHandle]", getattr(self, "_scheduled"))  # noqa: B009
        return scheduled[0].when() if scheduled else None

    @contextmanager
    def running(self) -> Generator[None]:
        """What is called meanwhile finds this loop running."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            yield
        finally:
            events._set_running_loop(before)

    def settle(self) -> None:
        """Run everything that can run now; no time passes."""
        with self.running():
            for _ in range(MOST):
                self._run_once()  # type: ignore[attr-defined]
                if not self._ready and ((at := self.next_at) is None or at > self.now):  # type: ignore[attr-defined]
                    return
        raise RuntimeError("nothing comes to rest here, and no time passes")

    def run_until(self, when: float) -> None:
        """Let time pass, one timer after the other."""
        self.settle()
        while (at := self.next_at) is not None and at <= when:
            self.now = max(self.now, at)
            self.settle()
        self.now = max(self.now, when)
        self.settle()

    def kill(self) -> None:
        """End everything that runs here, wherever it is, and close the loop."""
        for _ in range(10):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.settle()
        self.close()


@contextmanager
def seeded(chance: Chance) -> Generator[None]:
    """Whatever asks the operating system for chance is given this chance instead."""
    source = secrets._sysrand  # type: ignore[attr-defined]

    def bytes_of(count: int) -> bytes:
        return b"".join(chance.below(2**32).to_bytes(4, "big") for _ in range(-(-count // 4)))[:count]

    def bits(count: int) -> int:
        return int.from_bytes(bytes_of(-(-count // 8)), "big") >> (-count % 8)

    source.randbytes, source.getrandbits = bytes_of, bits
    try:
        yield
    finally:
        del source.randbytes, source.getrandbits
