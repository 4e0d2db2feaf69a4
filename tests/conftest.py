"""What holds for every test."""

from __future__ import annotations

from asyncio import events
from collections.abc import Generator

import pytest
from hypothesis import settings

# How long one example takes says something about the machine and what else it does, not about the code.
settings.register_profile("ananas", deadline=None)
settings.load_profile("ananas")


def _in_browser(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: what they take long for is shared out to whoever has nothing left to do."""
    items.sort(key=_in_browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let other tests run loops of their own in a process that has opened a browser: its loop counts as running since."""
    running = events._get_running_loop()
    if _in_browser(item) or running is None:
        return (yield)
    events._set_running_loop(None)
    try:
        return (yield)
    finally:
        events._set_running_loop(running)
