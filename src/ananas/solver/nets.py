"""The nets' weights as they are shipped, and how far off their word is."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

WEIGHTS: Final = Path(__file__).parent / "nets.npz"
"""`weights`: float16, the nets after street 1 to 4 as net.h lays them out; `spread`: the error of each, in points."""


@lru_cache(maxsize=1)
def nets() -> NDArray[np.float32]:
    """The weights of all four nets, one after the other, as both cores read them."""
    with np.load(WEIGHTS) as kept:
        return np.ascontiguousarray(kept["weights"], dtype=np.float32).ravel()


@lru_cache(maxsize=4)
def spread(street: int) -> float:
    """How far the net of a street, counted from 0, is off between placements of one decision, in points.

    The shipped figures were measured by playing the best four of 60 decisions on, 400 times each; what `ananas train`
    writes is the error on examples it never saw, which is greater by their own noise.
    """
    with np.load(WEIGHTS) as kept:
        return float(kept["spread"][street])
