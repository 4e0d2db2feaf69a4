"""The core that thinks: the native one where it was compiled, else the plain one, with the same functions.

What each takes and gives is told in full in plain/core.py. `ANANAS_CORE=plain` in the environment wants the plain one. What
belongs here: which of the two it is. What does not: anything they do.
"""

from __future__ import annotations

import importlib
import os
from typing import Any, Final, Protocol

from ananas.solver import plain
from ananas.solver.plain import Told
from ananas.solver.plain.cards import Fillable, Readable
from ananas.solver.plain.net import DENSE, MOST_FEATURES
from ananas.solver.plain.worth import PARTS
from ananas.solver.tables import tables

__all__ = [
    "DENSE",
    "FEATURES",
    "MOST_FEATURES",
    "NATIVE",
    "NET_FLOATS",
    "PARTS",
    "Core",
    "choices",
    "complete",
    "evaluate",
    "evaluate_many",
    "exact",
    "fantasyland",
    "judge",
    "mean_of_draws",
    "random_hands",
    "rollouts",
    "study",
    "which",
]


class Core(Protocol):
    """What both cores can do."""

    # Arguments are given by place: the native core knows no names.
    def evaluate(self, cards: bytes, /) -> int:
        """The strength of three or five cards."""
        ...

    def evaluate_many(self, cards: Readable, size: int, out: Fillable, /) -> None:
        """The strengths of many rows."""

    def fantasyland(
        self,
        cards: Readable,
        worths: Readable,
        strict: int,
        stays: int,
        stay: float,
        least_trips: int,
        least_full_house: int,
        least_quads: int,
        /,
    ) -> tuple[float, int, int, int]:
        """The best layout: its value, and the places of each row's cards as bits."""
        ...

    def random_hands(self, seed: int, hands: int, players: int, worth: Readable, totals: Fillable, /) -> None:
        """Whole hands laid by lot."""

    def mean_of_draws(
        self,
        where: Readable,
        worth: Readable,
        detailed: bool,  # noqa: FBT001
        /,
    ) -> float | tuple[float, tuple[float, ...]]:
        """The exact worth of eleven cards laid."""
        ...

    def choices(self, where: Readable, laid: int, /) -> bytes:
        """Every placement."""
        ...

    def exact(self, where: Readable, worth: Readable, choices: Readable, out: Fillable, /) -> None:
        """What choices come to that fill the board, or make eleven cards of it."""

    def judge(
        self, where: Readable, worth: Readable, nets: Readable, told: bytes, choices: Readable, out: Fillable, /
    ) -> None:
        """What the nets see in choices."""

    def rollouts(
        self,
        where: Readable,
        worth: Readable,
        nets: Readable,
        told: bytes,
        choices: Readable,
        seed: int,
        first: int,
        samples: int,
        exact: int,
        out: Fillable,
        parts: Fillable,
        /,
    ) -> None:
        """Choices played on to the end."""

    def complete(
        self,
        where: Readable,
        worth: Readable,
        nets: Readable,
        told: bytes,
        seed: int,
        samples: int,
        out: Fillable,
        wishes: Told,
        /,
    ) -> None:
        """The opponents' boards played to their ends."""

    def study(
        self,
        worth: Readable,
        nets: Readable,
        judges: Readable,
        seed: int,
        streets: int,
        draws: int,
        wishes: Told,
        features: Fillable,
        dense: Fillable,
        parts: Fillable,
        street: Fillable,
        /,
    ) -> None:
        """Examples for the nets."""


def _choose() -> tuple[Core, str]:
    if os.environ.get("ANANAS_CORE") == "plain":
        return plain, "plain core: ANANAS_CORE=plain"
    try:
        native: Any = importlib.import_module("ananas.solver._core")
    except ImportError:
        return plain, "plain core: no compiler when installed"
    native.load(*tables())
    return native, "native core"


_chosen, _which = _choose()

NATIVE: Final = _which == "native core"
"""Whether the native core is in use."""

FEATURES: Final = plain.FEATURES
NET_FLOATS: Final = plain.NET_FLOATS

evaluate = _chosen.evaluate
evaluate_many = _chosen.evaluate_many
fantasyland = _chosen.fantasyland
random_hands = _chosen.random_hands
mean_of_draws = _chosen.mean_of_draws
choices = _chosen.choices
exact = _chosen.exact
judge = _chosen.judge
rollouts = _chosen.rollouts
complete = _chosen.complete
study = _chosen.study


def which() -> str:
    """Tell which core is in use, and why, as `ananas --version` says it."""
    return _which
