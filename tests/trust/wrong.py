"""A room with something wrong with it: `python -m tests.trust.wrong FAULT serve ...` is `ananas serve` but for that.

Each fault is what a test of trust has to find.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ananas import protocol
from ananas.cli.main import main
from ananas.refused import Refused
from ananas.server import app, room, store, time, viewers


def believes_the_disk() -> None:
    """What was not kept is told to be."""
    commit = store.Store._commit

    def wrong(self: store.Store, batch: list[Any]) -> list[Any]:
        answers = commit(self, batch)
        for number, job in enumerate(batch):
            if answers[number].error is not None:
                version = getattr(job.run, "keywords", {}).get("version", 0)
                answers[number] = answers[number]._replace(value=store.Kept(version, again=False), error=None)
        return answers

    store.Store._commit = wrong  # type: ignore[method-assign]


def charges() -> None:
    """Time runs on while nothing can be kept."""
    setattr(room.Room, "stands_since", property(lambda _: None, lambda _, __: None))  # noqa: B010 - else not of its type


def is_impatient() -> None:
    """Nobody is waited for who holds the database for a moment."""
    store.BUSY_SECONDS = 0.0  # type: ignore[misc]


def tells_why() -> None:
    """What the database says is told to players."""
    refusal = protocol.refusal

    def wrong(reason: Refused, command_id: str | None) -> protocol.RefusedMessage:
        told = refusal(reason, command_id)
        return replace(told, text="OperationalError: database is locked") if reason.code == "not-kept" else told

    protocol.refusal = wrong


def counts_stalls() -> None:
    """Time in which the room could do nothing is charged."""
    time.STALL_SECONDS = 1e9  # type: ignore[misc]


def hurries() -> None:
    """Nothing is wrong with it: little lies unread, and who reads nothing is dropped soon, that a test need not wait."""
    app.BUFFER_BYTES = 1024  # type: ignore[misc]
    viewers.SLOW_MS = 500  # type: ignore[misc]


def hoards() -> None:
    """Who reads nothing is kept for ever."""
    hurries()
    viewers.SLOW_MS = viewers.SILENT_MS = viewers.OUTBOX = 10**9  # type: ignore[misc]


def shares_the_file() -> None:
    """Any number of rooms run on one file."""

    def wrong(path: Path) -> int:
        return os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    store._lock = wrong


if __name__ == "__main__":
    globals()[sys.argv.pop(1)]()
    main()
