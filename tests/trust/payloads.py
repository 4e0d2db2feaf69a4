"""Texts that mean harm, and rooms in which everybody and every table is called by one.

Names like these are refused at the door; here they have got past it, since a page must not need the door.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from ananas.server.guests import hash_token
from ananas.server.store import Guest, Store
from ananas.table.events import AnyEvent, Opened, Sat
from tests.server.test_api import LOG, begun, running
from tests.server.test_archive import keep

HIT: Final = "window.__hit=1"
PAYLOADS: Final = (
    f"<img src=x onerror={HIT} data-planted>",
    f"<script data-planted>{HIT}</script>",
    f'"><svg/onload={HIT} data-planted>',
    f"' autofocus onfocus='{HIT}' data-planted='",
    f"</textarea></title><script data-planted>{HIT}</script>",
    f"<a href=javascript:{HIT} data-planted>x</a>",
    f'<iframe srcdoc="<script>parent.{HIT[7:]}</script>" data-planted>',
    "<style data-planted>*{display:none}</style>",
    "&lt;b data-planted&gt;bold&lt;/b&gt;",
    f"{{{{{HIT}}}}}${{{HIT}}}<% {HIT} %>",
    f"javascript:{HIT}//<b data-planted>",
    f"\\u003cimg src=x onerror={HIT}\\u003e%3Cimg data-planted%3E<!--",
)
"""Each is a name; whatever is made of one bears `data-planted`, and whatever runs out of one leaves a mark."""
WHO: Final = ("ann", "bob", "cyd", "dee", "eve")
GROUPS: Final = (PAYLOADS[:6], PAYLOADS[6:])
"""As many as there are people and tables to be called so."""


def named(log: Sequence[AnyEvent], names: Sequence[str], table: str, later: int) -> list[AnyEvent]:
    """A table's log with other names, first the table's, then those of the people; and so many milliseconds later."""
    found = list[AnyEvent]()
    for event in (replace(event, at=event.at + later) for event in log):
        if isinstance(event, Opened):
            found.append(replace(event, table=table, name=names[0]))
        elif isinstance(event, Sat) and event.player in WHO:
            found.append(replace(event, name=names[1 + WHO.index(event.player)]))
        else:
            found.append(event)
    return found


def lay(database: Path, names: Sequence[str], *, later: int = 0) -> None:
    """A database with guests of these names, and tables where they have played, play, and have sat down `later`."""

    async def run() -> None:
        store = Store(database)
        try:
            for who, name in zip(WHO, names[1:], strict=True):
                await store.add_guest(Guest(who, name), hash_token(who), 0)
            logs = {"evening": LOG, "running": running(), "public": begun("ann", "bob", public=True)}
            for table, log in logs.items():
                await keep(store, table, named(log, names, table, later if table == "public" else 0))
        finally:
            store.close()

    asyncio.run(run())
