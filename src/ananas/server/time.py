"""Room time: wall time read once, then monotonic; it stands still while the room could do nothing.

Setting the machine's clock has no effect on it. A process that was stopped, or whose event loop was stuck, for more
than a second finds that no room time has passed, so nobody is charged for what was not his fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

STALL_SECONDS: Final = 1.0
"""Between two readings of a working room less than this passes."""
BEAT_SECONDS: Final = 0.25
"""How often the room reads its clock even when nothing happens."""


class RoomClock:
    """Room time in milliseconds, to be read by one thread, at least once every `BEAT_SECONDS`.

    `not_before`: the latest moment known from an earlier life of the room; time never runs behind it.

    >>> seconds = iter([0.0, 0.5, 30.0, 30.1])
    >>> clock = RoomClock(wall=lambda: 1000.0, monotonic=lambda: next(seconds))
    >>> clock.now(), clock.now(), clock.now(), clock.lost_ms
    (1000500, 1000500, 1000600, 29500)
    """

    def __init__(
        self,
        *,
        not_before: int = 0,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._monotonic: Final = monotonic
        self._read_at = monotonic()
        self._now = max(wall(), not_before / 1000)
        self._lost = 0.0

    def now(self) -> int:
        """The room's time now."""
        at = self._monotonic()
        passed = at - self._read_at
        self._read_at = at
        if passed > STALL_SECONDS:
            self._lost += passed
        else:
            self._now += passed
        return int(self._now * 1000)

    @property
    def lost_ms(self) -> int:
        """How long the room was stalled in all, which is not part of its time."""
        return int(self._lost * 1000)
