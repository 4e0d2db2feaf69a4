"""Faults that only a browser can show, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from ananas.game.rules import RuleSet
from ananas.server.store import Store
from ananas.table.commands import Publish
from ananas.table.events import AnyEvent, Opened, Sat
from tests.browser.network import Network
from tests.browser.person import Person, until
from tests.browser.test_board import HIDE
from tests.browser.test_evening import listen
from tests.server.house import House
from tests.server.test_archive import keep
from tests.table.play import Play

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]


def keep_log(database: Path, log: Sequence[AnyEvent], table: str = "finished2345") -> str:
    """Put a table that has been played into a database that no room has open; gives its id."""

    async def write() -> None:
        store = Store(database)
        try:
            await keep(store, table, [replace(e, table=table) if isinstance(e, Opened) else e for e in log])
        finally:
            store.close()

    thread = threading.Thread(target=lambda: asyncio.run(write()))  # Playwright's own loop runs in this one
    thread.start()
    thread.join()
    return table


def played(at: Sequence[datetime]) -> list[AnyEvent]:
    """A table's log with a hand that began at each of these moments."""
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    for moment in at:
        play.now = int(moment.timestamp() * 1000)
        play.ready(*(seat.player for _, seat in play.table.seated if not seat.ready))
        play.finish()
    return play.log


# -- B016, B017: when a hand was played

MOMENTS: Final = (
    datetime(2026, 1, 15, 20, 5, tzinfo=UTC),
    datetime(2026, 3, 8, 6, 59, tzinfo=UTC),  # a minute later New York has summer time
    datetime(2026, 3, 8, 7, 1, tzinfo=UTC),
    datetime(2026, 7, 15, 20, 5, tzinfo=UTC),
)
ZONES: Final = {
    "America/New_York": ["15:05", "01:59", "03:01", "16:05"],
    "Asia/Vladivostok": ["06:05", "16:59", "17:01", "06:05"],
    "Australia/Lord_Howe": ["07:05", "17:59", "18:01", "06:35"],
}
"""What a clock on the wall there showed."""


def test_bug_B016_B017_a_hand_is_told_in_the_readers_zone_as_it_was_on_that_day(browser: Browser, house: House) -> None:
    table = keep_log(house.database, played(MOMENTS))
    house.start()
    for zone, expected in ZONES.items():
        context = browser.new_context(locale="ru-RU", timezone_id=zone)
        page = context.new_page()
        page.goto(f"{house.url}/t/{table}/hands")
        times = page.locator("li time")
        expect(times).to_have_count(4)
        assert times.all_inner_texts() == expected[::-1], zone
        instants = [time.get_attribute("datetime") or "" for time in times.all()]
        assert [datetime.fromisoformat(text) for text in instants] == list(MOMENTS[::-1])
        context.close()
    text = house.call("GET", f"/api/tables/{table}/hands.ofcs").body.decode()
    assert re.findall("time = (.+)Z", text) == [moment.strftime("%Y-%m-%dT%H:%M:%S") for moment in MOMENTS]


# -- B024, B025, B026, B055: a page in the background


KEPT: Final = """async () => JSON.stringify([
  Object.entries(localStorage), Object.entries(sessionStorage), document.cookie,
  (await indexedDB.databases()).map(({ name }) => name),
  performance.getEntriesByType("resource").map(({ name }) => name),
  await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url))),
  [...document.querySelectorAll("[data-card], img, image, use")].map((e) => [e.dataset.card, e.src, e.getAttribute("href")]),
])"""
"""Everything in which a page could keep a card."""


def test_bug_B024_B025_B026_B055_a_page_in_the_background_knows_nothing_and_is_right_when_it_is_back(
    room: House, people: Arrive
) -> None:
    """In every street Ann's phone sleeps while Borya lays: she has no button before she sees the table as it is."""
    network = Network(room.port)
    frames: dict[str, list[str]] = {"Ann": [], "Боря": []}
    try:
        ann, borya = people("Ann", locale="en-GB"), people("Боря")
        address = ann.open_table(f"http://127.0.0.1:{network.port}", seats=2, bots=0)
        borya.sit(address.replace(f":{network.port}", f":{room.port}"))
        for person in (ann, borya):
            listen(person.page, frames[person.name])
            person.page.reload()
            expect(person.page.get_by_test_id("ready")).to_be_visible()
        for person in (ann, borya):
            person.ready()
        slept = 0
        for _ in range(10):
            acts, other = (ann, borya) if ann.may_act() else (borya, ann)
            tray = set(acts.tray())
            hidden = tray if len(tray) == 3 else set[str]()
            if acts is borya:
                slept += 1
                network.set("hung" if slept % 2 else "cut")
                ann.page.evaluate(HIDE, True)
            acts.arrange()
            assert_unknown(other.page, frames[other.name], hidden)
            acts.confirm()
            thrown = hidden - {str(card) for card in acts.board(acts.seat).cards}
            if acts is borya:
                expect(ann.page.locator("[data-testid=confirm]:enabled")).to_have_count(0)
                assert ann.page.locator("button.lay").count() == 0, "she could lay what she does not see"
                assert_unknown(ann.page, frames["Ann"], hidden)
                network.set("cut")
                network.set("whole")
                ann.page.evaluate(HIDE, False)
                expect(ann.page.locator(".banner")).to_be_hidden(timeout=20_000)
                until(
                    ann.page,
                    """([seat, cards]) => [...document.querySelectorAll(`section[data-seat="${seat}"] [data-row] [data-card]`)]
                         .length >= cards""",
                    [borya.seat, len(borya.board(borya.seat).cards)],
                )
                assert ann.board(borya.seat) == borya.board(borya.seat)
            assert_unknown(other.page, frames[other.name], thrown)
        assert slept == 5
        for person in (ann, borya):
            person.page.locator("main.counted").wait_for(timeout=20_000)
    finally:
        network.close()


def assert_unknown(page: Page, heard: Sequence[str], cards: set[str]) -> None:
    """Nothing that a page was sent or holds names any of these cards."""
    kept = page.evaluate(KEPT)
    assert not [card for card in cards if re.search(rf"(?<![\w-]){card}(?![\w-])", kept)]
    assert not [card for card in cards for frame in heard if f'"{card}"' in frame]


def test_bug_B055_planted(room: House, people: Arrive) -> None:
    """A page that keeps a card for later is found, whatever it keeps it in."""
    ann = people("Ann", locale="en-GB")
    ann.page.goto(room.url)
    for place in (
        'localStorage.setItem("next", JSON.stringify("Qh"))',
        'sessionStorage.setItem("Qh", "1")',
        'document.body.append(Object.assign(document.createElement("i"), {hidden: true})), document.body.lastChild.dataset.card = "Qh"',
    ):
        assert_unknown(ann.page, [], {"Qh"})
        ann.page.evaluate(f"() => {{ {place} }}")
        with pytest.raises(AssertionError):
            assert_unknown(ann.page, [], {"Qh"})
        ann.page.evaluate(
            "() => { localStorage.clear(); sessionStorage.clear();"
            " for (const card of document.querySelectorAll('[data-card]')) card.remove(); }"
        )
    with pytest.raises(AssertionError):
        assert_unknown(ann.page, ['{"dealt":["Qh"]}'], {"Qh"})


# -- B097, B098: text that wants to be a page


PAYLOADS: Final = ("<img src=x onerror=hurt()>", '"><script>hurt()</script>')


def test_bug_B097_B098_text_is_text_on_every_page_and_no_script_but_the_rooms_own_runs(
    browser: Browser, house: House
) -> None:
    """No guest can be called so, and no table: a database of another program may say it all the same."""
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    play.ask(Publish(player="ann", on=True))
    play.ready("ann", "bob")
    play.finish()
    names = iter((PAYLOADS[0], PAYLOADS[1], PAYLOADS[0] + "2"))
    log = [replace(event, name=next(names)) if isinstance(event, Opened | Sat) else event for event in play.log]
    table = keep_log(house.database, log)
    house.start()
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.add_init_script("window.hurt = () => { window.hurtBy = location.href; };")
    for where in (f"/t/{table}", "/", f"/t/{table}/hands", f"/t/{table}/hands/1", f"/t/{table}/account"):
        page.goto(house.url + where)
        if where != "/":  # whether it is among the open tables is the room's to say
            expect(page.get_by_text("<img src=x").first).to_be_attached()
        assert page.locator("img[src=x], img[onerror]").count() == 0
        assert page.evaluate("window.hurtBy ?? null") is None
    assert plants(page) is None
    context.close()


def plants(page: Page) -> Any:  # noqa: ANN401
    """What becomes of text that was made a page after all: what is planted is there, and does not run."""
    page.evaluate(
        """text => {
          const place = document.body.appendChild(document.createElement("div"));
          place.innerHTML = text;
          const script = document.createElement("script");
          script.textContent = "hurt()";
          document.body.append(script);
        }""",
        PAYLOADS[0],
    )
    page.wait_for_timeout(200)
    assert page.locator("img[src=x]").count() == 1, "what is looked for would be found"
    return page.evaluate("window.hurtBy ?? null")
