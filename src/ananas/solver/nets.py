"""The nets' weights as they are shipped, and their card: how they were taught, and how far off their word is."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).parent / "nets.npz"
"""`weights`: float16, the nets after street 1 to 4 as net.h lays them out."""
CARD: Final = WEIGHTS.with_suffix(".json")


class Learnt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round of teaching: its number, seconds of processor time, how many new examples it brought.

    `off`: the root of the mean square error of each street's net on examples it never saw, in points; a good part of
    that is chance in the examples themselves. `alone`, `error`: what a hand comes to that the nets play by one look ahead, with
    nobody else there (royalties - 6 x dead + 10 x entry), and its standard error.
    """

    round: int
    seconds: int
    examples: int
    off: tuple[float, ...]
    alone: float
    error: float


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the nets came about, and how far off their word is between placements of one decision, in points.

    `spread`: that of each street's net. `ahead`: that of the next street's net on the boards that a placement of streets
    1 to 3 may lead to, the mean over all of them.
    """

    seed: int
    rounds: tuple[Learnt, ...]
    spread: tuple[float, ...]
    ahead: tuple[float, ...]


@lru_cache(maxsize=1)
def nets() -> NDArray[np.float32]:
    """The weights of all four nets, one after the other, as both cores read them."""
    with np.load(WEIGHTS) as kept:
        return np.ascontiguousarray(kept["weights"], dtype=np.float32).ravel()


@lru_cache(maxsize=1)
def card() -> Card:
    """The card of the shipped nets."""
    return msgspec.json.decode(CARD.read_bytes(), type=Card)


def spread(street: int) -> float:
    """How far the net of a street, counted from 0, is off between placements of one decision, in points."""
    return card().spread[street]


def ahead(street: int) -> float:
    """How far the next street's net is off on average, between placements of a street, counted from 0, in points."""
    return card().ahead[street]
