"""The room on a home screen: what browsers ask of it, the newest client always, and a friendly word while it is away."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import CDPSession, Page, expect

from ananas.server import app
from tests.browser import axe
from tests.browser.network import Network
from tests.browser.person import Person, until
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
Arrive = Callable[..., Person]
AWAY = {"ru-RU": "Комната сейчас не отвечает", "en-GB": "The room does not answer right now"}


def at_home(house_url: str, person: Person) -> Page:
    """Open the front page, and wait until the worker governs it."""
    person.page.goto(house_url)
    expect(person.page.get_by_test_id("quick")).to_be_visible()
    governed(person.page)
    return person.page


def governed(page: Page) -> None:
    page.evaluate(
        """() => new Promise(resolve => navigator.serviceWorker.controller
             ? resolve(null) : navigator.serviceWorker.addEventListener('controllerchange', () => resolve(null)))"""
    )


def said(devtools: CDPSession, method: str) -> dict[str, Any]:
    """What the browser itself says of a page."""
    return cast("dict[str, Any]", devtools.send(method))  # pyright: ignore[reportUnknownMemberType]


def kept(page: Page) -> dict[str, list[str]]:
    """What lies in the worker's caches: paths by the name of the cache."""
    found: dict[str, list[str]] = page.evaluate(
        """async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async name =>
             [name, (await (await caches.open(name)).keys()).map(request => new URL(request.url).pathname)])))"""
    )
    return found


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_browsers_can_install_it(room: House, people: Arrive, locale: str) -> None:
    ann = people("Ann", locale=locale)
    page = at_home(room.url, ann)
    devtools = ann.context.new_cdp_session(page)
    manifest: dict[str, Any] = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())"
    )
    assert manifest["lang"] == locale[:2]
    assert manifest["name"] == manifest["short_name"] == {"ru": "Ананас", "en": "Ananas"}[locale[:2]]
    assert (manifest["id"], manifest["start_url"], manifest["scope"], manifest["display"]) == (
        "/",
        "/",
        "/",
        "standalone",
    )
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    apple = {"src": "/icon-180.png", "sizes": "180x180", "type": "image/png"}
    assert page.locator("link[rel=apple-touch-icon]").get_attribute("href") == apple["src"]
    for icon in [*manifest["icons"], apple]:
        answer = room.call("GET", icon["src"])
        assert (answer.status, answer.headers["content-type"]) == (200, icon["type"])
        width = page.evaluate(
            """src => new Promise((resolve, reject) => Object.assign(new Image(),
                 { onload: event => resolve(event.target.naturalWidth), onerror: reject, src }))""",
            icon["src"],
        )
        if icon["sizes"] != "any":
            assert icon["sizes"] == f"{width}x{width}"
    assert said(devtools, "Page.getAppManifest")["errors"] == []
    errors = said(devtools, "Page.getInstallabilityErrors")["installabilityErrors"]
    # A test's window keeps nothing, which is the one thing a browser may find wrong.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []
    assert room.call("GET", "/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
    assert ann.noise == []


def test_the_worker_is_one_plain_script_and_is_asked_for_anew_each_time(room: House) -> None:
    answer = room.call("GET", "/sw.js")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert not re.search(rb"^\s*(?:import|export)\b|\bimport\(", answer.body, re.MULTILINE)


def test_what_never_changes_is_kept_and_no_answer_of_the_room_ever(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    page = at_home(room.url, ann)
    page.reload()
    expect(page.get_by_test_id("quick")).to_be_visible()
    page.get_by_role("navigation").get_by_text("Rules").click()
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    page.goto(room.url)
    page.get_by_test_id("quick").click()
    expect(page.locator("[data-tray] .hand [data-card]").first).to_be_visible()
    ((name, paths),) = kept(page).items()
    assert re.fullmatch(r"ananas-assets\?/assets/index-[\w-]+\.js", name)
    assert len(paths) > 5
    assert [path for path in paths if not path.startswith("/assets/")] == []
    assert ann.noise == []


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_while_the_room_is_away_one_is_told_and_comes_back_by_oneself(
    house: House, people: Arrive, locale: str
) -> None:
    house.start()
    ann = people("Ann", locale=locale, theme="light" if locale == "en-GB" else "dark")
    page = at_home(house.url, ann)
    page.get_by_test_id("quick").click()
    expect(page.locator("[data-tray] .hand [data-card]").first).to_be_visible()
    table = page.url
    house.end(signal.SIGKILL)
    page.reload()
    expect(page.get_by_role("heading")).to_have_text(AWAY[locale])
    assert page.url == table
    assert axe.faults(page) == []
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (width, height) == (390, 844)
    house.start()
    expect(page.locator("[data-tray] .hand [data-card]").first).to_be_visible(timeout=20_000)


def test_a_room_that_says_nothing_is_away_too(room: House, people: Arrive) -> None:
    network = Network(room.port)
    try:
        ann = people("Ann")
        page = at_home(f"http://127.0.0.1:{network.port}", ann)
        network.set("hung")
        page.goto(f"http://127.0.0.1:{network.port}/rules")
        expect(page.get_by_role("heading")).to_have_text(AWAY["ru-RU"])
        network.set("whole")
        page.get_by_role("button", name="Попробовать сейчас").click()
        expect(page.get_by_role("heading", level=2).first).to_be_visible(timeout=20_000)
    finally:
        network.close()


def renewed(old: Path, new: Path, marker: str) -> None:
    """Lay a client that is the same but for its title, and for the names of all its files."""
    shutil.copytree(old, new)
    names = {
        path.name: f"{path.stem}2{path.suffix}" for path in (old / "assets").iterdir() if path.suffix in {".js", ".css"}
    }
    for path in [*new.rglob("*.js"), *new.rglob("*.css"), new / "index.html"]:
        text = path.read_text().replace("Open-face Chinese poker with friends", marker)
        for name, other in names.items():
            text = text.replace(name, other)
        path.write_text(text)
        if path.name in names:
            path.rename(path.with_name(names[path.name]))


def test_after_an_upgrade_the_newest_client_is_on_the_screen_within_one_reload(
    house: House, people: Arrive, tmp_path: Path
) -> None:
    house.client = app.STATIC
    house.start()
    ann = people("Ann", locale="en-GB")
    page = at_home(house.url, ann)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Open-face Chinese poker with friends")
    (before,) = kept(page)

    renewed(app.STATIC, tmp_path / "newer", "A newer room")
    house.end(signal.SIGTERM)
    house.client = tmp_path / "newer"
    house.start()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("A newer room")
    # The new worker takes over, and what the old one kept is gone.
    until(page, "before => caches.keys().then(names => !names.includes(before))", before)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("A newer room")
    ((after, paths),) = kept(page).items()
    assert after != before
    assert all(re.search(r"2\.(?:js|css)$|\.(?:woff2|json|html)$", path) for path in paths)
    assert ann.noise == []
