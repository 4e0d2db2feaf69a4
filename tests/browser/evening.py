"""A whole evening by two browsers and bots: match after match, looked at all the time.

`python -m tests.browser.evening --matches 50` plays them by all four named sets with shortened clocks: two people of two
languages, who play as a bot would or carelessly, look into menus and old hands, say phrases, reload, let their time run
out. What is looked for: an error in a console, a word that is none, a jump of the layout that nobody asked for.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from ananas.bots.play import answer
from ananas.game.board import Placement
from ananas.game.rules import RULE_SETS, RuleSet
from tests.browser.conftest import FLAGS, lay_table
from tests.browser.person import DESKTOP, PHONE, Person
from tests.chance import Chance
from tests.server.house import House

CLOCKS: Final = {"hand_seconds": "25", "bank_seconds": "5", "ready_seconds": "20", "showdown_seconds": "3"}
"""Shortened, so that time runs out within the evening."""
MIXED: Final = ("Марина", "Kiwi", "Mango", "Papaya", "Borya", "Friday", "English", "Русский", "Enter")
"""Names are as their owners write them, and a narrow place may break them; languages call themselves by their own."""
NO_WORD: Final = re.compile(r"undefined|\bNaN\b|\[object|\bnull\b|Infinity|\{[a-z_.]+\}|\b[a-z]+\.[a-z]+\.[a-z]+\b")
FOREIGN: Final = {"ru": re.compile(r"\b[A-Za-z]{4,}\b"), "en": re.compile(r"[а-яё]+", re.IGNORECASE)}
JUMP: Final = 0.02
"""How much of the screen may shift while nothing happens, as the browser's own layout-shift score counts it."""

# Shifts count while the screen stays the same one: a new phase, a dialog, a tap of one's own may move things.
_WATCH: Final = """
(() => {
  const seen = (window.__seen = { jumps: [], changed: 0 });
  const scene = () => {
    const main = document.querySelector('main');
    return main === null ? '' : [location.pathname, main.className, main.dataset.phase, innerWidth,
      document.querySelector('dialog') !== null,
      document.querySelector('main .bottom')?.childElementCount].join('|');
  };
  let last = '';
  new MutationObserver(() => {
    const now = scene();
    if (now !== last) { last = now; seen.changed = performance.now(); }
  }).observe(document, { subtree: true, childList: true, attributes: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput || entry.value < 0.002 || Math.abs(entry.startTime - seen.changed) < 700) continue;
      seen.jumps.push({ value: entry.value, scene: last, sources: entry.sources.slice(0, 5).map(({ node, previousRect: a, currentRect: b }) =>
        `${node?.nodeName ?? '?'}.${node?.className ?? ''} ${[a, b].map((r) => [r.x, r.y, r.width, r.height].map(Math.round)).join(' -> ')}`) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
})();
"""


@dataclass
class Found:
    """What was wrong, in words, each thing once; and what was done."""

    faults: dict[str, int] = field(default_factory=dict[str, int])
    matches: int = 0
    hands: int = 0
    fantasylands: int = 0
    timeouts: int = 0

    def fault(self, text: str) -> None:
        self.faults[text] = self.faults.get(text, 0) + 1


@dataclass(eq=False)
class Guest:
    """One of the two: a browser, the view it was sent last, and chance."""

    person: Person
    locale: str
    chance: Chance
    found: Found
    view: dict[str, Any] = field(default_factory=dict[str, Any])
    heard: int = 0

    @property
    def page(self) -> Page:
        return self.person.page

    def listen(self) -> None:
        """Read what the room sends, and watch the layout."""
        self.person.context.add_init_script(_WATCH)

        def received(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] == "view":
                self.view = message
                self.heard += 1

        def opened(socket: WebSocket) -> None:
            socket.on("framereceived", received)

        self.page.on("websocket", opened)

    def look(self) -> None:
        """Read the screen as it is now."""
        text = self.page.evaluate("() => document.body.innerText")
        label = self.page.evaluate(
            "() => [...document.querySelectorAll('[aria-label],[title],[placeholder],[alt]')].map(each =>"
            " ['aria-label', 'title', 'placeholder', 'alt'].map(name => each.getAttribute(name) ?? '').join(' ')).join('\\n')"
        )
        for kind, shown in (("text", str(text)), ("label", str(label))):
            for bad in {*NO_WORD.findall(shown), *FOREIGN[self.locale].findall(shown)}:
                if not any(bad in name for name in MIXED):
                    line = next((line for line in shown.splitlines() if bad in line), "")
                    self.found.fault(f"{self.locale} {kind}: {bad!r} in {line!r}")

    def settle(self) -> None:
        """Count what has jumped and what the console said."""
        try:
            jumps = self.page.evaluate("() => window.__seen ? window.__seen.jumps.splice(0) : []")
        except PlaywrightError:
            return  # the page is being loaded
        for jump in jumps:
            if jump["value"] > JUMP:
                self.found.fault(f"jump of {jump['value']:.3f} at {jump['scene']}: {'; '.join(jump['sources'])}")
        for line in self.person.noise:
            self.found.fault(f"console: {line}")
        self.person.noise.clear()

    # -- what people do

    def move(self) -> None:
        """Lay the street: as a bot would, carelessly, or not at all."""
        way = self.chance.unit()
        if way < 0.02 and self.view["view"]["rules"]["hand_seconds"] <= 30:
            self.found.timeouts += 1
            self.page.locator("main.counted, .wait").first.wait_for(state="attached", timeout=90_000)
            return
        placement = answer(json.dumps(self.view).encode()) if way < 0.8 else None
        if placement is not None:
            self.person.follow(Placement.parse(placement))
        else:
            self.person.arrange()
        if self.chance.unit() < 0.1:
            self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(50)
            self.person.arrange()
        self.person.confirm()

    def wander(self) -> None:
        """Do something beside the game now and then."""
        way = self.chance.unit()
        if way < 0.02:
            self.page.reload()
            self.page.locator("main.table").wait_for()
        elif way < 0.05:
            self.page.locator("header button.menu").click()
            self.page.wait_for_timeout(150)
            self.look()
            self.page.keyboard.press("Escape")
        elif way < 0.08 and (say := self.page.get_by_test_id("phrases")).count() and say.first.is_visible():
            say.first.click()
            phrases = self.page.locator("[data-phrase]")
            phrases.first.wait_for()
            phrases.nth(self.chance.below(phrases.count())).click()
        elif way < 0.10 and (last := self.page.get_by_test_id("last-hand")).count() and last.first.is_visible():
            last.first.click()
            self.page.locator("dialog").wait_for()
            self.page.wait_for_timeout(300)
            self.look()
            self.page.keyboard.press("Escape")


def play_matches(house: House, browser: Browser, found: Found, rules: RuleSet, *, matches: int, seed: int) -> None:
    """Play so many matches at a new table of these rules, two people and a bot."""
    table = lay_table(house.database, rules, bots=1)
    house.start()
    guests = list[Guest]()
    for name, locale, size in (("Марина", "ru-RU", PHONE), ("Borya", "en-GB", DESKTOP)):
        person = Person.arrive(browser, name, locale=locale, size=size)
        guest = Guest(person, locale[:2], Chance(f"{seed} {name}"), found)
        guest.listen()
        guests.append(guest)
        person.sit(f"{house.url}/t/{table}")
    played, hands, quiet = 0, 0, time.monotonic()
    while played < matches:
        before = (played, hands, [guest.heard for guest in guests])
        for guest in guests:
            step(guest)
            if guest.view:
                view = guest.view["view"]
                match = view["match"]
                played = match["number"] if match and match["over"] else match["number"] - 1 if match else 0
                hands = view["hands"]
        if before != (played, hands, [guest.heard for guest in guests]):
            quiet = time.monotonic()
        elif time.monotonic() - quiet > 120:
            raise AssertionError(f"nothing happens any more at {rules.base}, match {played}, hand {hands}")
        if before[0] != played:
            sys.stderr.write(
                f"\r{rules.base}: match {played} of {matches}, hand {hands}, {len(found.faults)} faults   "
            )
    found.matches += played
    found.hands += hands
    for guest in guests:
        guest.settle()
        guest.person.context.close()
    house.close()


def step(guest: Guest) -> None:
    """Do the next thing at this browser, if there is one."""
    page = guest.page
    guest.settle()
    if not guest.view:
        page.wait_for_timeout(50)
        return
    may = guest.view["view"]["may"]
    if "confirm" in may and page.locator("button.lay").count():
        guest.look()
        guest.found.fantasylands += "fantasy" in (page.locator("main").get_attribute("class") or "").split()
        guest.move()
        return
    chips = page.locator("[data-testid=chips], [data-testid=bring]")
    asked = page.locator("[data-testid=ready]:enabled, [data-testid=go-on]:enabled, [data-testid=return]:enabled")
    for button in (chips, asked):
        if button.count() and button.first.is_visible():
            guest.look()
            guest.wander()
            try:
                button.first.click(timeout=2_000)
                if (bring := page.locator("dialog [data-testid=bring]")).count():
                    bring.click(timeout=2_000)
            except PlaywrightError:
                pass  # the time to press it is over
            page.wait_for_timeout(100)
            return
    guest.wander()
    page.wait_for_timeout(60)


@contextmanager
def chromium() -> Generator[Browser]:
    """A Chromium of one's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


def play_evening(browser: Browser, directory: Path, matches: Sequence[tuple[RuleSet, int]], seed: int) -> Found:
    """Play at one table after the other; give what was found."""
    found = Found()
    for number, (rules, count) in enumerate(matches):
        house = House(directory / f"evening{number}.sqlite")
        try:
            play_matches(house, browser, found, rules, matches=count, seed=seed + number)
        finally:
            house.close()
    return found


def main() -> None:
    """Play them, and say what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shares = [options.matches // 4 + (number < options.matches % 4) for number in range(4)]
    plan = [(rules.but(CLOCKS), share) for rules, share in zip(RULE_SETS.values(), shares, strict=True) if share]
    with tempfile.TemporaryDirectory() as directory, chromium() as browser:
        found = play_evening(browser, Path(directory), plan, options.seed)
    print(
        f"\n{found.matches} matches, {found.hands} hands, {found.fantasylands} laid in Fantasyland, "
        f"{found.timeouts} times let run out; {len(found.faults)} kinds of faults"
    )
    for fault, times in sorted(found.faults.items(), key=lambda pair: -pair[1]):
        print(f"{times:4} x {fault}")
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
