"""Names that mean harm, on every screen: shown as the text they are, and nothing of them runs.

They are called so in the room's own database, since at the door such names are refused (`tests/trust/test_payloads.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, cast

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.person import Person, until
from tests.server.house import House
from tests.trust.payloads import GROUPS, PAYLOADS, lay

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SHOWN: Final = """() => [
  document.title,
  ...[...document.querySelectorAll("*")].flatMap((each) => [
    ...[...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
    each.value ?? "",
    ...each.getAttributeNames().map((name) => each.getAttribute(name)),
  ]),
].join("\\n")"""
WATCH: Final = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    violations.push(`${violatedDirective} ${blockedURI}`));
"""
MARKUP: Final = """
  // A screen that makes a page of every text it is given.
  const spoiled = new WeakSet();
  const spoil = () => {
    for (const each of document.querySelectorAll("body *")) {
      if (each.children.length || spoiled.has(each) || !/</.test(each.textContent)) continue;
      spoiled.add(each);
      each.innerHTML = each.textContent;
    }
  };
  new MutationObserver(spoil).observe(document, { subtree: true, childList: true, characterData: true });
"""


class Harm(AssertionError):
    """A name became more than a text."""


class Watched:
    """A browser in which nothing of a name may run."""

    def __init__(self, person: Person) -> None:
        self.page: Final = person.page
        self.shown = ""
        self._dialogs = list[str]()
        self.page.on("dialog", self._dialog)
        self.page.add_init_script(WATCH)

    def _dialog(self, dialog: Any) -> None:  # noqa: ANN401
        self._dialogs.append(dialog.message)
        dialog.dismiss()

    def look(self, screen: str, *, tells: bool = True) -> None:
        """Look for harm; `tells`: the screen shows at least one of the names. Raises `Harm`."""
        found = self.page.evaluate(
            "() => ({ hit: window.__hit ?? 0, planted: document.querySelectorAll('[data-planted]').length, violations })"
        )
        if found != {"hit": 0, "planted": 0, "violations": []}:
            raise Harm(f"{screen}: {found}")
        if self._dialogs:
            raise Harm(f"{screen}: a dialog, {self._dialogs}")
        text = self.page.evaluate(SHOWN)
        self.shown += text
        if tells and not any(payload in text for payload in PAYLOADS):
            raise Harm(f"{screen}: no name is shown as it is")


def walk(house: House, person: Person) -> str:
    """Look at every screen; gives all that was shown."""
    watched, page = Watched(person), person.page
    token = house.call("POST", "/api/tables/evening/hands/2/share", {"names": True}, "ann").json["link"]
    device = house.call("POST", "/api/devices", None, "eve", content_length="0").json["link"]
    house.call("GET", "/api/tables/public")  # a table is among the open ones once somebody has asked for it
    person.context.add_cookies([{"name": "ananas_guest", "value": "ann", "url": house.url}])
    for screen in (
        "/",
        "/t/public",
        "/t/evening",
        "/t/evening/hands",
        "/t/evening/hands/2",
        "/t/evening/hands/2/review",
        "/t/evening/account",
        f"/h/{token}",
        f"/d/{device}",
    ):
        page.goto(f"{house.url}{screen}")
        page.locator("main").first.wait_for()
        if "review" not in screen:  # the coach may be thinking for longer
            until(page, f"payloads => payloads.some((each) => ({SHOWN})().includes(each))", list(PAYLOADS))
        page.wait_for_timeout(150)
        _open_everything(page)
        watched.look(screen, tells="review" not in screen)
        if screen == "/t/public":
            _say(watched)
    return watched.shown


def _open_everything(page: Page) -> None:
    page.evaluate("() => { for (const each of document.querySelectorAll('details')) each.open = true; }")


def _say(watched: Watched) -> None:
    """A name as the answer to what was typed, and as what was typed before."""
    page = watched.page
    page.goto(page.url.replace("/t/public", "/#open"))
    field = page.locator("form input[type=text], form input:not([type])").first
    field.wait_for()
    for payload in PAYLOADS[:2]:
        field.fill(payload)
        field.press("Enter")
        page.wait_for_timeout(100)
        watched.look("a refused name", tells=False)


@pytest.fixture
def named(tmp_path: Path) -> Iterator[Callable[[int], House]]:
    """Rooms where everybody is called by one of a group of payloads."""
    houses = list[House]()

    def start(group: int) -> House:
        database = tmp_path / f"{group}.sqlite"
        with ThreadPoolExecutor(1) as thread:  # Playwright's own loop runs in this one
            thread.submit(lay, database, GROUPS[group], later=int(time.time() * 1000) - 1_010_000).result()
        houses.append(House(database).start())
        return houses[-1]

    yield start
    for house in houses:
        house.close()


@pytest.mark.parametrize("group", range(len(GROUPS)))
def test_names_that_mean_harm_are_texts_on_every_screen(
    named: Callable[[int], House], people: Callable[..., Person], group: int
) -> None:
    shown = walk(named(group), people("Ann", locale="en-GB"))
    assert [payload for payload in GROUPS[group] if payload not in shown] == [], "never seen"


def test_a_planted_screen_that_makes_a_page_of_text_is_caught(
    named: Callable[[int], House], people: Callable[..., Person]
) -> None:
    ann = people("Ann", locale="en-GB")
    ann.page.add_init_script(MARKUP)
    with pytest.raises(Harm, match=r"'planted': [1-9]"):
        walk(named(0), ann)


@pytest.mark.parametrize("policy", [True, False], ids=["with the policy", "planted: without it"])
def test_even_then_the_policy_lets_nothing_run(named: Callable[[int], House], browser: Browser, policy: bool) -> None:
    context = browser.new_context(bypass_csp=not policy, locale="en-GB")
    try:
        page = context.new_page()
        page.add_init_script(WATCH + MARKUP)
        page.goto(f"{named(0).url}/t/evening/hands/2")
        expect(page.locator("[data-planted]").first).to_be_attached()
        page.wait_for_timeout(300)
        assert (page.evaluate("window.__hit ?? 0") == 0) == policy
        assert bool(page.evaluate("violations")) == policy
    finally:
        context.close()


def test_what_the_room_itself_would_say_is_text_too(room: House, people: Callable[..., Person]) -> None:
    """Every text of a view, a phrase as well, put in place of what the room has sent."""
    ann = people("Ann", locale="en-GB")
    watched = Watched(ann)
    texts = iter(PAYLOADS * 100)

    def spoil(value: Any, key: str = "") -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return {name: spoil(each, name) for name, each in cast("dict[str, Any]", value).items()}
        if isinstance(value, list):
            members: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
            return [spoil(each, key) for each in members]
        return next(texts) if isinstance(value, str) and key in {"name", "phrase", "text", "said"} else value

    def between(page_side: WebSocketRoute) -> None:
        server = page_side.connect_to_server()
        server.on_message(lambda message: page_side.send(json.dumps(spoil(json.loads(message)))))

    ann.page.route_web_socket("**/socket*", between)
    ann.page.goto(room.url)
    address = ann.open_table(room.url, seats=3, bots=2)
    watched.look(address)
    ann.page.reload()
    ann.page.get_by_test_id("ready").wait_for()
    watched.look("reloaded")
