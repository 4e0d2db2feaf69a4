"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# How long one example takes says something about the machine and what else it does, not about the code.
settings.register_profile("ananas", deadline=None)
settings.load_profile("ananas")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: once a browser is open, its loop runs on in this thread, and no other may."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
