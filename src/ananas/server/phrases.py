"""Phrases: what those at the table have just said. In memory only, for some seconds; never kept, never logged."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from ananas.refused import Refused
from ananas.server.time import RoomClock
from ananas.server.viewers import Bucket
from ananas.table.state import Table
from ananas.table.view import Phrase, SaidView

SAID_MS: Final = 8000
"""How long a phrase is shown."""
SHOWN: Final = 8
"""How many phrases are shown at the most."""
RATE: Final = 0.5
"""Phrases a second that one player may say for long."""
BURST: Final = 3
"""Phrases that one player may say at once."""


class _Said(NamedTuple):
    """Who has said it, and when."""

    at: int
    player: str
    said: SaidView


class Phrases:
    """The phrases of one table."""

    def __init__(self, clock: RoomClock) -> None:
        self._clock: Final = clock
        self._last: Final = deque[_Said](maxlen=SHOWN)
        self._number = 0
        self._buckets: Final[dict[str, Bucket]] = {}

    def say(self, table: Table, player: str, phrase: Phrase) -> None:
        """Take a phrase of somebody who sits here. Raises `Refused`."""
        seat = table.seat_of(player)
        if seat is None:
            raise Refused("not-seated")
        for each in [each for each, bucket in self._buckets.items() if bucket.full]:
            del self._buckets[each]
        bucket = self._buckets.setdefault(player, Bucket(rate=RATE, burst=BURST, monotonic=self._seconds))
        if not bucket.take():
            raise Refused("too-fast", rate=str(RATE))
        now = self._clock.now()
        # Greater than any number of an earlier life of the room, so that whoever saw those takes it for something new.
        self._number = max(self._number + 1, now)
        self._last.append(_Said(now, player, SaidView(number=self._number, seat=seat, phrase=phrase)))

    def said(self, table: Table) -> tuple[SaidView, ...]:
        """The phrases of the last seconds, the oldest first; of those alone who still sit where they said them."""
        if not self._last:
            return ()
        since = self._clock.now() - SAID_MS
        return tuple(
            each.said for each in self._last if each.at > since and table.seat_of(each.player) == each.said.seat
        )

    def _seconds(self) -> float:
        return self._clock.now() / 1000
