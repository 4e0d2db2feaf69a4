"""Pictures of every screen, from a real room: `make pictures` puts them into `screens/`, to be looked at.

With `--docs` the README's picture is taken anew as well.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.person import DESKTOP, PHONE, Person, play_hand
from tests.server.house import House

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "screens"
SIZES = {"phone": PHONE, "desktop": DESKTOP, "small": (320, 568)}


def evening(house: House, browser: Browser, *, locale: str, theme: str, size: str) -> None:
    """Walk through an evening and take a picture of each screen."""
    name = "Марина" if locale == "ru-RU" else "Marina"
    me = Person.arrive(browser, name, locale=locale, theme=theme, size=SIZES[size], scale=2)
    other = Person.arrive(browser, "Борис", locale="ru-RU")
    taken = list[str]()

    def picture(screen: str) -> None:
        me.page.wait_for_timeout(250)
        me.page.screenshot(path=SCREENS / f"{len(taken)}-{screen}-{size}-{theme}-{locale[:2]}.png")
        taken.append(screen)

    me.page.goto(house.url)
    me.page.get_by_role("heading").first.wait_for()
    picture("home")
    address = me.open_table(house.url, seats=3, bots=1)
    picture("invite")
    other.page.goto(address)
    other.page.locator(".bottom form").wait_for()
    other.sit(address)
    picture("before")
    for person in (me, other):
        person.ready()
    seen = set[str]()

    def move(person: Person) -> None:
        if person is me:
            street = "first" if len(person.tray()) == 5 else "later"
            if f"{street}" not in seen or (street == "later" and len(seen) < 4):
                seen.add(street if street not in seen else f"{street} {len(seen)}")
                row = next(row for row in ("top", "bottom", "middle") if person.free(row))
                person.tap(row)
                picture(f"laying-{street}")
                person.arrange()
                picture(f"laid-{street}")
                person.confirm()
                picture("waiting")
                return
        person.arrange()
        person.confirm()

    play_hand(me, other, move=move)
    picture("showdown")
    me.page.locator("header button.menu").click()
    picture("menu")
    for person in (me, other):
        assert person.noise == [], person.noise
        person.context.close()


def main() -> None:
    """Take them all, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="store_true", help="take the README's picture as well")
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--theme", choices=["dark", "light"], action="append")
    parser.add_argument("--locale", choices=["ru-RU", "en-GB"], action="append")
    options = parser.parse_args()
    shutil.rmtree(SCREENS, ignore_errors=True)
    SCREENS.mkdir()
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        house = House(Path(directory) / "room.sqlite").start()
        try:
            for size in options.size or SIZES:
                for theme in options.theme or ["dark", "light"]:
                    for locale in options.locale or ["ru-RU", "en-GB"]:
                        evening(house, browser, locale=locale, theme=theme, size=size)
        finally:
            house.close()
            browser.close()
    if options.docs:
        taken = next(SCREENS.glob("*-laid-later-desktop-dark-en.png"))
        shutil.copy(taken, ROOT / "docs" / "pictures" / "table.png")


if __name__ == "__main__":
    main()
