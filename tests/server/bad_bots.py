"""Bots that a table has to survive; they think in a process of their own, which imports this file by its name."""

from __future__ import annotations

import os
import time
from pathlib import Path


def legal(view: bytes, seconds: float) -> str:
    """A bot that answers something, the length of what it saw."""
    return str(len(view))


def slow(view: bytes, seconds: float) -> str:
    """A bot that takes a second."""
    time.sleep(1)
    return str(len(view))


def illegal(view: bytes, seconds: float) -> str:
    """A bot that lays cards it does not have."""
    return "AsAsAs/-/-"


def rubbish(view: bytes, seconds: float) -> str:
    """A bot that says what no message may hold."""
    return "\ud800" * 1000


def silent(view: bytes, seconds: float) -> None:
    """A bot that has no answer."""


def breaks(view: bytes, seconds: float) -> str:
    """A bot with a fault."""
    raise ValueError(view)


def dies(view: bytes, seconds: float) -> str:
    """A bot that takes its process with it."""
    os._exit(3)


def dies_once(view: bytes, seconds: float) -> str:
    """A bot that dies at its first question."""
    mark = Path(os.environ["ANANAS_TEST_MARK"])
    if not mark.exists():
        mark.touch()
        os._exit(3)
    return str(len(view))


def hangs(view: bytes, seconds: float) -> str:
    """A bot that never answers."""
    while True:
        time.sleep(1)


def hangs_on_request(view: bytes, seconds: float) -> str:
    """A bot that never answers some questions."""
    return hangs(view, seconds) if view == b"hang" else legal(view, seconds)


def tells_its_time(view: bytes, seconds: float) -> str:
    """A bot that says how long it may think."""
    return str(seconds)
