"""Tables without end: what a room still has in hand after somebody has opened thousands.

`python -m tests.trust.tables --count 10000`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ananas.game.rules import RuleSet
from ananas.server.room import IDLE_MS
from ananas.server.store import Store
from tests.server.live import Live
from tests.trust.cast import Stuck, Window, known


class Wrong(AssertionError):
    """The room keeps what nobody needs, or does not do what it did."""


def open_many(path: Path, count: int) -> None:
    """Open so many tables, one after the other, as one guest might, and look at what is left. Raises `Wrong`."""

    async def run() -> None:
        live = Live(Store(path), Stuck())
        tasks = len(asyncio.all_tasks())
        try:
            host = await known(live, "ann")
            ids = list[str]()
            for number in range(count):
                room = await live.rooms.open(name="Friday", host=host, rules=RuleSet(), bots=("kiwi",), public=True)
                ids.append(room.table.id)
                if number % 100 == 99:
                    await _a_while(live)
            await _a_while(live)
            if live.rooms._rooms or len(asyncio.all_tasks()) > tasks:
                raise Wrong(f"{len(live.rooms._rooms)} tables of {count} are still in hand")
            if live.rooms.public_tables():
                raise Wrong("tables at which nobody sits are shown")
            for table_id in (ids[0], ids[-1]):
                if await Window(live, await live.rooms.get(table_id), host).ask(type="sit") != "kept":
                    raise Wrong(f"nobody can sit at table {table_id} of {count}")
        finally:
            await live.rooms.stop()
            live.store.close()

    asyncio.run(run())


async def _a_while(live: Live) -> None:
    live.pass_time(IDLE_MS / 1000 + 1)
    for room in list(live.rooms._rooms.values()):
        while room._busy or not room._mailbox.empty():  # noqa: ASYNC110
            await asyncio.sleep(0)
    await live.rooms.put_idle_away()


def main(arguments: Sequence[str] | None = None) -> int:
    """Open many."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.trust.tables")
    parser.add_argument("--count", type=int, default=10_000)
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            open_many(Path(folder) / "room.sqlite", options.count)
        except Wrong as wrong:
            print(wrong, file=sys.stderr)
            return 1
    print(f"{options.count} tables opened and put away, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
