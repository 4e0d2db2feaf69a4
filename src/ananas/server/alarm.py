"""One alarm for a room: rings when room time has reached a moment, and never before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ananas.server.time import RoomClock


class Alarm:
    """Calls `ring` once when the clock reaches the moment that was set last."""

    def __init__(self, clock: RoomClock, ring: Callable[[], None]) -> None:
        self._clock: Final = clock
        self._ring: Final = ring
        self._due: int | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, due: int | None) -> None:
        """Ring at `due`, in milliseconds of room time, instead of whenever it was to ring; None: do not ring."""
        self._due = due
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due is not None:
            wait = max(0, due - self._clock.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._check)

    def _check(self) -> None:
        # The event loop's time runs on while the room is stalled, room time does not.
        due = self._due
        if due is not None and self._clock.now() < due:
            self.set(due)
        else:
            self.set(None)
            self._ring()
