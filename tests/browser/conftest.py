"""What the browser's tests share: a Chromium, and a running room."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from ananas.game.rules import RuleSet
from ananas.server.store import Store
from ananas.table.commands import Command, Open, Sit
from ananas.table.decide import decide
from ananas.table.evolve import evolve
from ananas.table.state import Table
from tests.browser.person import Person
from tests.server.house import House

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    path = shutil.which("chromium")
    assert path, "Debian's chromium is needed: `make test` installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A room that is not yet open, so that a test may lay something into its database first."""
    house = House(tmp_path / "room.sqlite")
    yield house
    house.close()


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An open room for all tests that ask nothing special of it; other tests' tables are there as well."""
    room = House(tmp_path_factory.mktemp("room") / "room.sqlite")
    yield room.start()
    room.close()


@pytest.fixture
def people(browser: Browser) -> Iterator[Callable[..., Person]]:
    """People who arrive, and whose browsers are closed in the end."""
    arrived = list[Person]()

    def arrive(name: str, **how: object) -> Person:
        arrived.append(Person.arrive(browser, name, **how))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        return arrived[-1]

    yield arrive
    for person in arrived:
        person.context.close()


def lay_table(database: Path, rules: RuleSet, *, bots: int = 0) -> str:
    """Put a table with rules of its own into a database that no room has open; give its id."""
    table_id = "shortclocks2"
    commands: list[Command] = [Open(table=table_id, name="Friday", host="nobody", rules=rules)]
    commands += [Sit(player=f"bot:{n}", name=("Kiwi", "Mango")[n], bot=True) for n in range(bots)]

    async def keep() -> None:
        store = Store(database)
        table: Table | None = None
        try:
            for version, command in enumerate(commands, 1):
                events = decide(table, command, 0)
                await store.append(table_id, version, None, events, due_at=None)
                for event in events:
                    table = evolve(table, event)
        finally:
            store.close()

    thread = threading.Thread(target=lambda: asyncio.run(keep()))  # Playwright's own loop runs in this one
    thread.start()
    thread.join()
    return table_id
