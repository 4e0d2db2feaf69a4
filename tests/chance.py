"""Chance that is the same every time, for tests that draw thousands and for evenings that have to be played again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")
BLOCK: Final = 4096


class Chance:
    """Numbers that look like chance, the same ones for the same name, as many as are wanted."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._bytes = hashlib.shake_256(name.encode()).digest(BLOCK)
        self._blocks, self._used = 1, 0

    def below(self, limit: int) -> int:
        """A number from 0 up to the limit, which is at most 2 ** 32; not quite even, which no test minds."""
        if self._used == BLOCK:
            self._bytes = hashlib.shake_256(f"{self._name} {self._blocks}".encode()).digest(BLOCK)
            self._blocks, self._used = self._blocks + 1, 0
        self._used += 4
        return int.from_bytes(self._bytes[self._used - 4 : self._used], "big") % limit

    def unit(self) -> float:
        """From 0 up to 1."""
        return self.below(2**32) / 2**32

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in things]
