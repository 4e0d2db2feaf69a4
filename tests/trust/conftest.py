"""What the tests of trust share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A running room of its own."""
    house = House(tmp_path / "room.sqlite").start()
    yield house
    house.close()
