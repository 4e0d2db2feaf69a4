"""Presence: which of the seated have the table open, and what the log has still to be told of it.

Who comes is there at once; who goes is missed only after a while, so that a page that is loaded again makes no
difference. After the room has been away everybody has a longer while to come back. What belongs here: when a seat's
presence has to be told. What does not: what follows from it, which the table decides.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from ananas.table.commands import Connect, Disconnect
from ananas.table.state import Seat, Table

GRACE_MS: Final = 1000
"""So long somebody may be away before he is missed."""
GRACE_AFTER_LOADING_MS: Final = 5000
"""So long everybody may be away when the room has been, or the table was put away."""


class Presence:
    """Who has one table open; times are the room's milliseconds.

    >>> from ananas.game.rules import ROOM
    >>> from ananas.table.commands import Open, Sit
    >>> from ananas.table.decide import advance
    >>> _, table = advance(None, Open(table="t1", name="Friday", host="ann", rules=ROOM), now=0)
    >>> _, table = advance(table, Sit(player="ann", name="Ann"), now=0)
    >>> presence = Presence(now=0)
    >>> presence.due_at(table), presence.due(table, now=5000)
    (5000, Disconnect(player='ann'))
    >>> presence.come("ann")
    >>> presence.due_at(table), presence.due(table, now=5000)
    (None, None)
    """

    def __init__(self, now: int) -> None:
        self._loaded_at: Final = now
        self._eyes: Final = Counter[str]()
        self._went_at: Final[dict[str, int]] = {}

    def come(self, player: str | None) -> None:
        """Somebody has opened the table, perhaps once more."""
        if player is not None:
            self._eyes[player] += 1
            self._went_at.pop(player, None)

    def go(self, player: str | None, table: Table, now: int) -> None:
        """He has closed it, perhaps only here."""
        if player is None or not self._eyes[player]:
            return
        self._eyes[player] -= 1
        if not self._eyes[player]:
            del self._eyes[player]
            self._went_at[player] = now
        for each in [each for each in self._went_at if table.seat_of(each) is None]:
            del self._went_at[each]

    def due_at(self, table: Table) -> int | None:
        """When the log has to be told of somebody next: 0 for at once, null for not at all."""
        return min((at for _, seat in table.seated if (at := self._told_at(seat)) is not None), default=None)

    def due(self, table: Table, now: int) -> Connect | Disconnect | None:
        """What the log has to be told by now, one after the other; null when it has been told everything."""
        for _, seat in table.seated:
            at = self._told_at(seat)
            if at is not None and at <= now:
                return Disconnect(player=seat.player) if seat.connected else Connect(player=seat.player)
        return None

    def back(self, table: Table, player: str) -> Connect | None:
        """What the log has to be told before anything that he asks."""
        number = table.seat_of(player)
        seat = None if number is None else table.seats[number]
        missed = seat is not None and not seat.connected and player in self._eyes
        return Connect(player=player) if missed else None

    def _told_at(self, seat: Seat) -> int | None:
        here = seat.player in self._eyes
        if seat.bot or seat.connected == here:
            return None
        if here:
            return 0
        return self._went_at.get(seat.player, self._loaded_at - GRACE_MS + GRACE_AFTER_LOADING_MS) + GRACE_MS
