"""Pictures of every screen, from a real room: `make pictures` puts them into `screens/`, to be looked at.

Beside them lies a contact sheet for each size, theme and language. With `--docs` only the pictures of the documents, the
README's and the contact sheets of the main screens, are taken anew.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import shutil
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from ananas.game.board import Placement
from ananas.game.rules import PROGRESSIVE, ROOM, RuleSet
from tests.browser.conftest import FLAGS
from tests.browser.match import LEAVES, QUEENS, TRIPS, Match
from tests.browser.person import DESKTOP, PHONE, Person, play_hand, play_planned
from tests.server.house import House

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "screens"
SIZES = {"small": (320, 568), "phone": PHONE, "tablet": (768, 1024), "desktop": DESKTOP, "large": (1920, 1080)}
COACH = ROOT / "web" / "dev" / "coach"
MAIN = (
    "home",
    "lesson",
    "invite",
    "laid-later",
    "fantasyland",
    "showdown",
    "review",
    "puzzle",
    "phrases",
    "replay",
    "account",
    "puzzle-answer",
)
"""The screens that stand on the contact sheets of the documents."""
FOR_DOCUMENTS = (("dark", "en-GB"), ("light", "ru-RU"))
"""By night and by day, in either language."""


def evening(house: House, browser: Browser, *, locale: str, theme: str, size: str) -> None:
    """Walk through an evening and take a picture of each screen."""
    name = "Марина" if locale == "ru-RU" else "Marina"
    me = Person.arrive(browser, name, locale=locale, theme=theme, size=SIZES[size], scale=2)
    other = Person.arrive(browser, "Борис", locale="ru-RU")
    taken = list[str]()

    def picture(screen: str) -> None:
        me.page.wait_for_timeout(250)
        me.page.screenshot(path=SCREENS / f"{len(taken):02}-{screen}-{size}-{theme}-{locale[:2]}.png")
        taken.append(screen)

    def close() -> None:
        me.page.keyboard.press("Escape")
        # The page goes one step back in its history; a way elsewhere would cross that.
        me.page.locator("dialog").wait_for(state="detached")
        me.page.wait_for_timeout(250)

    def open_and_close(dialog: str) -> None:
        button = me.page.locator(f"button[data-testid={dialog}]").locator("visible=true")
        if button.count():
            button.first.click()
            me.page.locator("dialog details").evaluate_all("all => all.forEach(each => each.open = true)")
            picture(dialog)
            close()

    me.page.goto(house.url)
    me.page.get_by_role("heading").first.wait_for()
    picture("home")
    me.page.get_by_test_id("open").click()
    me.page.locator("details.house").evaluate_all(
        'all => all.flatMap(each => [each, ...each.querySelectorAll("details")]).forEach(each => each.open = true)'
    )
    me.page.locator("details.house").screenshot(path=SCREENS / f"form-{size}-{theme}-{locale[:2]}.png")
    me.page.goto(f"{house.url}/rules")
    me.page.get_by_role("heading", level=2).first.wait_for()
    picture("rules")
    me.page.goto(f"{house.url}/lesson")
    me.page.locator("main.table").wait_for()
    picture("lesson")
    me.page.goto(house.url)
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
                if "deck" not in taken:
                    open_and_close("deck")
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
    me.page.get_by_test_id("host").click()
    picture("host")
    close()
    open_and_close("phrases")
    for page in ("hands", "hands/1", "account"):
        me.page.goto(f"{address}/{page}")
        me.page.locator("main").wait_for()
        me.page.wait_for_load_state("networkidle")
        picture({"hands/1": "replay"}.get(page, page))
    for person in (me, other):
        assert person.noise == [], person.noise
        person.context.close()


def coach(house: House, browser: Browser, *, locale: str, theme: str, size: str) -> None:
    """Take pictures of a review and of a puzzle that were kept: those of this room would be others every day."""
    me = Person.arrive(browser, "", locale=locale, theme=theme, size=SIZES[size], scale=2)

    def kept(which: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((COACH / f"{which}.json").read_text())
        return found

    def picture(screen: str) -> None:
        me.page.wait_for_timeout(250)
        me.page.screenshot(path=SCREENS / f"80-{screen}-{size}-{theme}-{locale[:2]}.png")

    review, day = kept("review"), f"{datetime.now(UTC):%Y-%m-%d}"
    if locale == "en-GB":
        review["names"] = ["Marina", "You", "Boris"]
    me.page.route(re.compile("/api/tables/.*/review$"), lambda route: route.fulfill(json=review))
    me.page.route(re.compile("/api/tables/.*/hands$"), lambda route: route.fulfill(json={"hands": []}))
    me.page.route(
        "**/api/puzzle",
        lambda route: route.fulfill(
            json={**kept("puzzle" if route.request.method == "GET" else "puzzle-solved"), "date": day}
        ),
    )
    me.page.goto(f"{house.url}/t/{review['table']}/hands/{review['number']}/review")
    me.page.get_by_test_id("answer").click()
    picture("review")
    me.page.goto(f"{house.url}/puzzle")
    me.page.locator("button.lay").first.wait_for()
    picture("puzzle")
    me.follow(Placement.parse(kept("puzzle-solved")["review"]["chosen"]["placement"]))
    me.page.get_by_test_id("confirm").click()
    me.page.get_by_test_id("share").wait_for()
    picture("puzzle-answer")
    assert me.noise == [], me.noise
    me.context.close()


def fantasyland(house: House, browser: Browser, *, locale: str, theme: str, size: str, rules: RuleSet) -> None:
    """Play a match with chosen cards into Fantasyland and to its end, a bust in it."""

    def arrive(name: str, **_: object) -> Person:
        if name == "Боря":
            return Person.arrive(browser, name, locale="ru-RU")
        name = name if locale == "ru-RU" else "Marina"
        return Person.arrive(browser, name, locale=locale, theme=theme, size=SIZES[size], scale=2)

    match = Match(house, arrive, rules, [TRIPS if rules.fantasyland_cards[3] > 14 else QUEENS, LEAVES])
    me = match.marina

    def picture(screen: str) -> None:
        me.page.wait_for_timeout(250)
        me.page.screenshot(
            path=SCREENS / f"{'90' if rules.base == 'room' else '95'}-{screen}-{size}-{theme}-{locale[:2]}.png"
        )

    match.ready()
    match.play(0)
    picture("0-pause")
    match.borya.page.locator("[data-testid=bring], [data-testid=go-on]").first.click()
    me.page.get_by_test_id("go-on").click()
    # Who had to bring chips is asked to go on only after that.
    go_on, lay = match.borya.page.get_by_test_id("go-on"), me.page.locator("button.lay").first
    while not lay.is_visible():
        if go_on.is_visible():
            go_on.click()
        me.page.wait_for_timeout(100)
    picture("1-fantasyland")
    (placement,), _ = match.plans(1)
    whole = Placement.parse(placement)
    me.follow(Placement(bottom=whole.bottom, middle=whole.middle[:2]))
    picture("2-half-laid")
    me.follow(Placement(top=whole.top, middle=whole.middle[2:]))
    picture("3-laid")
    me.confirm()
    picture("4-waiting")
    play_planned({match.borya: match.plans(1)[1]})
    picture("5-match-over")
    me.context.close()
    match.borya.context.close()


def contact_sheet(
    browser: Browser, pictures: Sequence[Path], target: Path, *, columns: int, width: int, named: bool = True
) -> None:
    """Lay pictures side by side, each with its name where it is to be found again, on one JPEG."""
    page = browser.new_page(viewport={"width": columns * (width + 16) + 16, "height": 800})
    figures = "".join(
        f"<figure><img src='data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}'>"
        f"<figcaption {'' if named else 'hidden'}>{picture.stem}</figcaption></figure>"
        for picture in pictures
    )
    page.set_content(
        "<style>body{margin:8px;background:#77807b;font:13px sans-serif;display:grid;gap:0;"
        f"grid-template-columns:repeat({columns},{width}px);column-gap:16px}}figure{{margin:8px}}"
        "img{width:100%;display:block;border-radius:8px}</style>" + figures
    )
    page.screenshot(path=target, type="jpeg", quality=82, full_page=True)
    page.close()


def for_documents(browser: Browser) -> None:
    """Take the README's picture, and the main screens by night and by day, out of those just taken."""
    pictures = ROOT / "docs" / "pictures"
    # The last of them: by then there is most to see.
    shutil.copy(max(SCREENS.glob("*-laid-later-desktop-dark-en.png")), pictures / "table.png")
    for (theme, locale), name in zip(FOR_DOCUMENTS, ("review", "review.ru"), strict=True):
        shutil.copy(SCREENS / f"80-review-desktop-{theme}-{locale[:2]}.png", pictures / f"{name}.png")
    for size, columns, width in (("phone", 6, 240), ("desktop", 3, 480)):
        kinds = [f"{size}-{theme}-{locale[:2]}" for theme, locale in FOR_DOCUMENTS]
        chosen = [
            path for kind in kinds for screen in MAIN for path in sorted(SCREENS.glob(f"*-{screen}-{kind}.png"))[:1]
        ]
        contact_sheet(browser, chosen, pictures / f"{size}.jpeg", columns=columns, width=width, named=False)


def main() -> None:
    """Take them all, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="store_true", help="take only what the documents need, and their pictures")
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--theme", choices=["dark", "light"], action="append")
    parser.add_argument("--locale", choices=["ru-RU", "en-GB"], action="append")
    options = parser.parse_args()
    kinds = list(
        product(options.size or SIZES, options.theme or ["dark", "light"], options.locale or ["ru-RU", "en-GB"])
    )
    if options.docs:
        kinds = [(size, *kind) for size in ("phone", "desktop") for kind in FOR_DOCUMENTS]
    shutil.rmtree(SCREENS, ignore_errors=True)
    SCREENS.mkdir()
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        house = House(Path(directory) / "room.sqlite").start()
        try:
            for size, theme, locale in kinds:
                evening(house, browser, locale=locale, theme=theme, size=size)
                coach(house, browser, locale=locale, theme=theme, size=size)
            for number, (size, theme, locale) in enumerate(kinds):
                house.close()
                for rules in (ROOM.but({"buy_in": "5-100", "showdown_seconds": "60"}), PROGRESSIVE):
                    house = House(Path(directory) / f"{rules.base}{number}.sqlite")
                    fantasyland(house, browser, locale=locale, theme=theme, size=size, rules=rules)
                    house.close()
            for size, theme, locale in kinds:
                kind = f"{size}-{theme}-{locale[:2]}"
                columns, width = (3, 640) if SIZES[size][0] > SIZES[size][1] else (6, 320)
                contact_sheet(
                    browser,
                    sorted(SCREENS.glob(f"*-{kind}.png")),
                    SCREENS / f"sheet-{kind}.jpeg",
                    columns=columns,
                    width=width,
                )
            if options.docs:
                for_documents(browser)
        finally:
            house.close()
            browser.close()


if __name__ == "__main__":
    main()
