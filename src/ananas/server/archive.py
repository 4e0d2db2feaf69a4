"""Finished hands out of the store. What a log holds is kept in mind, so that one hand costs no reading of the others.

What belongs here: which rows are read, and what is remembered of them. What does not: what they mean, SQL.
"""

from __future__ import annotations

import asyncio
from typing import Final

from ananas.refused import Refused
from ananas.server.histories import Contents, FinishedHand, every_hand, finished_hands
from ananas.server.store import START, BrokenChain, Mark, Row, Store

HANDS: Final = 10_000
"""Of about how many hands it is kept in mind where they lie, 2 KB each; then the tables asked for longest ago are forgotten."""


class Archive:
    """The finished hands of all tables. Nothing that is kept in mind is a secret: no deck, no discard."""

    def __init__(self, store: Store, hands: int = HANDS) -> None:
        self._store: Final = store
        self._hands: Final = hands
        self._known: Final[dict[str, Contents]] = {}

    async def contents(self, table_id: str) -> Contents:
        """Which finished hands a table has. Raises `Refused("no-table")`, also where its log is damaged."""
        known = self._known.get(table_id, Contents())
        rows = await self._rows(table_id, known.mark)
        contents = await asyncio.to_thread(known.read_on, rows) if rows else known
        self._known.pop(table_id, None)
        self._known[table_id] = contents
        self._forget()
        return contents

    async def hand(self, table_id: str, number: int) -> tuple[FinishedHand, int]:
        """A finished hand, and the number of the table's last one. Raises `Refused`: `no-table`, `no-such-hand`."""
        contents = await self.contents(table_id)
        entry = contents.entries.get(number)
        if entry is None:
            raise Refused("no-such-hand")
        rows = await self._rows(table_id, entry.before, entry.last)
        events = [event for row in rows for event in row.events]
        found = await asyncio.to_thread(lambda: next(finished_hands(events, number, entry.standing)))
        return found, contents.last

    async def every_hand(self, table_id: str, player: str | None) -> str:
        """The text of all finished hands of a table as a player may know them; refused as `hand`."""
        rows = await self._rows(table_id)
        return await asyncio.to_thread(lambda: every_hand([event for row in rows for event in row.events], player))

    async def _rows(self, table_id: str, after: Mark = START, until: int | None = None) -> list[Row]:
        try:
            rows = await self._store.read_on(table_id, after, until)
        except BrokenChain:
            rows = None
        if rows is None:
            self._known.pop(table_id, None)
            raise Refused("no-table")
        return rows

    def _forget(self) -> None:
        """Let go of the tables that were asked for longest ago; never of the last one."""
        hands = sum(len(contents.entries) for contents in self._known.values())
        for table_id in list(self._known)[:-1]:
            if hands <= self._hands:
                return
            hands -= len(self._known.pop(table_id).entries)
