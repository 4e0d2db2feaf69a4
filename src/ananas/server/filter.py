"""What may stand in the log: nothing that is a card or a secret, whoever logs it by mistake.

The room logs words, numbers and names on purpose; cards come in by accident, in what an exception says or a value prints.
What belongs here: what is let through. What does not: where the log goes, which `app.py` says.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, MutableMapping, Sequence
from types import TracebackType
from typing import Any, Final, cast

from ananas.game.secret import SECRET

_CARDS: Final = re.compile(
    r"(?<![A-Za-z0-9])x?(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])"  # as text: Qh, QhJd, x3c
    r"|\bCard\.[cdhs][2-9TJQKA]\b"  # as Python prints them
    r"|[A-Za-z0-9_+-]{32,}={0,2}"  # as long as a seed, a salt, a key, or somebody's token
)
_LONGEST: Final = 1000
"""So much of a text is logged."""


def discreet(_logger: object, _level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A step of structlog: let words and numbers through, without cards in them, and of anything else only its kind.

    >>> dict(discreet(None, "info", {"event": "no cards", "error": "Refused: Qh is not yours", "seat": 2, "hand": object()}))
    {'event': 'no cards', 'error': 'Refused: <secret> is not yours', 'seat': 2, 'hand': '<object>'}
    """
    return {name: _let_through(value) for name, value in event.items()}


def _let_through(value: object) -> object:
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return _CARDS.sub(SECRET, value)[:_LONGEST]
        case list() | tuple():
            return [_let_through(each) for each in cast("Sequence[object]", value)]
        case _:
            return f"<{type(value).__name__}>"


def report_crashes(report: Callable[[str, BaseException], None]) -> None:
    """Let whatever breaks the process, or one of its threads, be told as `report` does, instead of in its own words."""

    def broken(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
        report("the process broke", error)

    def thread_broken(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            report("a thread broke", args.exc_value)

    def unraisable(args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            report("something broke where nobody could be told", args.exc_value)

    sys.excepthook, threading.excepthook, sys.unraisablehook = broken, thread_broken, unraisable
