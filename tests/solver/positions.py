"""Positions, worths, nets and wishes by lot, for holding the two cores against each other."""

from __future__ import annotations

import shutil
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from ananas.game.cards import parse_cards
from ananas.game.strength import STRENGTHS, strength
from ananas.solver import core, plain
from ananas.solver.core import Core
from ananas.solver.plain import Told
from ananas.solver.tables import tables
from ananas.solver.worth import HEAD, Floats
from tests.chance import Chance

TRIPS, FULL_HOUSE, QUADS = (strength(parse_cards(row)) for row in ("2s2h2d", "2s2h2d3s3h", "2s2h2d2c3s"))
NET: Final = core.NET_FLOATS


def compiler() -> str | None:
    """The C compiler, if there is one."""
    return shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")


def native_core() -> Core:
    """The native core with its tables; without it the test is skipped, but only where nothing could compile it."""
    try:
        from ananas.solver import _core
    except ImportError:
        if compiler():
            raise
        pytest.skip("there is no compiler, and so no native core")
    _core.load(*tables())
    return _core


def both() -> tuple[Core, Core]:
    """The native core and the plain one."""
    return native_core(), plain


def numbers(chance: Chance) -> np.random.Generator:
    """Arrays by lot."""
    return np.random.default_rng(chance.below(2**32))


def position(chance: Chance, laid: int, hand: int, others: tuple[int, ...] = (), gone: int = 0) -> NDArray[np.uint8]:
    """Where each card is: so many laid, in the hand, on each opponent's board, seen and gone."""
    where, deck = np.zeros(52, np.uint8), chance.shuffled(range(52))
    free = chance.shuffled([1] * 3 + [2] * 5 + [3] * 5)[:laid] + [5] * hand + [4] * gone
    for other, count in enumerate(others):
        free += [place + 4 * other for place in chance.shuffled([8] * 3 + [9] * 5 + [10] * 5)[:count]]
    for card, place in zip(deck, free, strict=False):
        where[card] = place
    return where


def worth(chance: Chance, others: int) -> Floats:
    """A worth of any rules: strict or not, line-winner, 2-4, odd royalties, so many opponents."""
    lot = numbers(chance)
    head = np.zeros(HEAD, np.float32)
    head[:5] = [chance.below(13), chance.below(2), chance.below(2), chance.below(2), others]
    head[5:8] = lot.random(3) / 2
    head[8:12] = lot.random(4) * 20
    royalties = lot.choice(np.array([0, 0, 0, 1, 2, 7.5, 30]), (3, STRENGTHS))
    entry = lot.choice(5, STRENGTHS)
    lines = [np.sort(lot.random((2, 3, STRENGTHS)) / 2, axis=2) for _ in range(others)]
    chances = [table for won, lost in lines for table in (won.ravel(), lost[:, ::-1].ravel())]
    return np.concatenate([head, royalties.ravel(), entry, *chances]).astype(np.float32)


def nets(chance: Chance, count: int = 4) -> Floats:
    """Weights that mean nothing."""
    return (numbers(chance).standard_normal(count * NET) / 4).astype(np.float32)


def row_worths(chance: Chance, *, whole: bool = False) -> Floats:
    """What each row is worth: any numbers that do not fall."""
    lot = numbers(chance)
    steps = lot.integers(0, 2, (3, STRENGTHS)) if whole else lot.random((3, STRENGTHS))
    steps = steps * (lot.random((3, STRENGTHS)) < chance.pick((0.001, 0.01, 1)))
    return np.cumsum(steps, axis=1).astype(np.float32)


def wishes(chance: Chance, worths: Floats | None = None) -> Told:
    """What a layout is to have, with any condition of staying."""
    rows = row_worths(chance) if worths is None else worths
    return rows, chance.below(2), chance.below(16), float(chance.below(30)), TRIPS, FULL_HOUSE, QUADS


def cards(chance: Chance, count: int) -> bytes:
    """So many cards by lot."""
    return bytes(chance.shuffled(range(52))[:count])
