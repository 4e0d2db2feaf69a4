"""What the server's tests share."""

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


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running room that a module's tests share; each plays at tables of its own."""
    house = House(tmp_path_factory.mktemp("house") / "room.sqlite").start()
    yield house
    house.close()
