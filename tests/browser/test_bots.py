"""Bots that are chosen by name, and the coach's hint at a table with nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import axe
from tests.browser.person import DESKTOP, PHONE, Person
from tests.browser.test_sizes import FAULTS, WEB, faults, looking
from tests.browser.test_sizes import SIZES as SCREENS
from tests.server.house import House

__all__ = ["looking"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]
SIZES = [(320, 568), (360, 640), PHONE, (768, 1024), DESKTOP, (1920, 1080)]


def sitters(room: House, page: Page) -> list[tuple[str, bool]]:
    page.wait_for_url("**/t/*")
    card = room.call("GET", "/api/tables/" + page.url.rpartition("/")[2]).json
    return [(sitter["name"], sitter["bot"]) for sitter in card["sitters"]]


def picked(page: Page) -> list[str]:
    return [box.get_attribute("value") or "" for box in page.locator("input[name=bots]:checked").all()]


def look(page: Page) -> list[str]:
    """What is wrong with what is shown, in both themes and on every size of screen."""
    faults = list[str]()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        faults += [f"{theme}: {fault}" for fault in axe.faults(page)]
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{wide} too wide at {width}x{height}")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    return faults


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_whom_one_plays_at_once_is_chosen_and_remembered(room: House, people: Arrive, locale: str) -> None:
    ann = people("Ann", locale=locale)
    page = ann.page
    page.goto(room.url)
    expect(page.get_by_test_id("quick")).to_contain_text("Kiwi")
    page.get_by_test_id("rival").press("Enter")
    expect(page.locator("input[name=bot]:checked")).to_have_value("kiwi")
    page.locator("input[name=bot]:checked").press("ArrowRight")
    expect(page.get_by_test_id("quick")).to_contain_text("Mango")
    assert look(page) == []
    page.reload()
    expect(page.get_by_test_id("quick")).to_contain_text("Mango")
    page.get_by_test_id("quick").click()
    rival = page.locator(".rival")
    expect(rival).to_contain_text("Mango")
    expect(rival).to_contain_text("бот" if locale == "ru-RU" else "bot")
    assert ("Mango", True) in sitters(room, page)
    assert ann.noise == []


def test_the_bots_of_a_table_are_chosen_by_name(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    page = ann.page
    page.goto(f"{room.url}/#open")
    page.get_by_role("textbox", name="Your name").fill("Ann")
    assert picked(page) == []
    for bot in ("ananas", "mango"):
        page.locator(f"input[name=bots][value={bot}]").check(force=True)
    # Where there is room for two, a third one takes the place of the first.
    page.locator("input[name=bots][value=kiwi]").check(force=True)
    assert picked(page) == ["kiwi", "mango"]
    page.locator("input[name=bots][value=kiwi]").uncheck(force=True)
    page.locator("input[name=bots][value=ananas]").check(force=True)
    page.locator("form button[type=submit]").click()
    expect(page.get_by_test_id("ready")).to_be_visible()
    assert sorted(sitters(room, page)) == [("Ananas", True), ("Ann", False), ("Mango", True)]
    page.goto(f"{room.url}/#open")
    expect(page.locator("input[name=bots][value=ananas]")).to_be_checked()
    assert picked(page) == ["mango", "ananas"]
    page.locator("input[name=seats][value='2']").check(force=True)
    assert picked(page) == ["mango"]
    assert ann.noise == []


def test_bots_that_were_counted_once_have_names_now(room: House, people: Arrive) -> None:
    page = people("Ann").page
    page.goto(room.url)
    page.evaluate("localStorage.setItem('ananas.opening', JSON.stringify({ bots: 2 }))")
    page.goto(f"{room.url}/#open")
    page.reload()
    page.locator("input[name=bots]").first.wait_for(state="attached")
    assert picked(page) == ["mango", "papaya"]


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_the_host_chooses_among_the_bots_that_have_no_seat(room: House, people: Arrive, locale: str) -> None:
    ann = people("Ann", locale=locale)
    page = ann.page
    ann.open_table(room.url, seats=3, bots=1)
    page.get_by_test_id("seat-bot").click()
    sheet = page.get_by_test_id("bot-menu")
    expect(sheet.locator("button")).to_have_count(3)
    expect(sheet.locator("[data-bot=kiwi]")).to_have_count(0)
    assert look(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.get_by_test_id("seat-bot").press("Enter")
    sheet.locator("[data-bot=papaya]").press("Enter")
    seat = page.locator(".lobby li[data-seat='2']")
    expect(seat).to_contain_text("Papaya")
    expect(seat).to_contain_text("бот" if locale == "ru-RU" else "bot")
    expect(page.get_by_test_id("seat-bot")).to_have_count(0)
    expect(sheet).to_have_count(0)
    assert ann.noise == []


def hints_on(page: Page) -> None:
    page.locator("header button.menu").click()
    page.get_by_role("switch", name="Подсказки тренера").check()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_hint_is_shown_where_it_is_wanted_and_lays_only_a_draft(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    assert ann.wait_for_turn()
    lamp = page.get_by_test_id("hint")
    expect(lamp).to_have_count(0)
    hints_on(page)
    page.keyboard.press("Tab")  # who walks by keys means the button he stands on
    lamp.press("Enter")
    sheet = page.get_by_test_id("hint-sheet")
    options = sheet.locator("input[name=hint]")
    expect(options.first).to_be_checked(timeout=20_000)
    assert 1 <= options.count() <= 3
    street = page.locator("header .title").inner_text()
    expect(page.locator("section.own .ghost")).to_have_count(5)
    assert look(page) == []
    # Esc is for the hint here, not for the cards.
    options.first.press("Escape")
    expect(sheet).to_have_count(0)
    expect(lamp).to_be_focused()
    expect(page.locator(".ghost")).to_have_count(0)
    lamp.click()
    page.get_by_test_id("lay-hint").click()
    expect(sheet).to_have_count(0)
    expect(page.locator("section.own [data-row] [data-card]")).to_have_count(5)
    expect(page.get_by_test_id("confirm")).to_be_enabled()
    assert page.locator("header .title").inner_text() == street  # nothing was confirmed
    ann.confirm()
    # The next street has a hint of its own.
    assert ann.wait_for_turn()
    lamp.click()
    expect(options.first).to_be_checked(timeout=20_000)
    expect(page.locator("section.own .ghost")).to_have_count(2)
    assert ann.noise == []


def test_a_hint_that_cannot_be_had_is_told(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    assert ann.wait_for_turn()
    hints_on(page)
    page.route(
        "**/hint",
        lambda route: route.fulfill(
            status=409,
            content_type="application/json",
            body=json.dumps({"code": "no-hint", "args": {}, "text": "no hint"}),
        ),
    )
    page.get_by_test_id("hint").click()
    told = page.get_by_test_id("hint-sheet").get_by_role("alert")
    expect(told).to_contain_text("Подсказывают, только когда ваш ход")
    expect(page.get_by_test_id("lay-hint")).to_be_disabled()


def test_there_are_no_hints_in_play_with_people(room: House, people: Arrive) -> None:
    anna, borya = people("Анна"), people("Borya")
    borya.sit(anna.open_table(room.url, seats=2, bots=0))
    hints_on(anna.page)
    hints_on(borya.page)
    for person in (anna, borya):
        person.ready()
    for person in (anna, borya):
        expect(person.page.locator("button.lay, .wait").first).to_be_attached()
    acting = next(person for person in (anna, borya) if person.may_act())
    acting.tap("bottom")
    expect(acting.page.get_by_test_id("hint")).to_have_count(0)
    answer = acting.page.evaluate(
        """() => fetch(`/api${location.pathname.replace('/t/', '/tables/')}/hint`, {
             method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((found) => found.json())"""
    )
    assert answer["code"] == "no-hint"


OPENED = """async () => {
  document.querySelector("[data-testid=hint]").click();
  while (!document.querySelector("input[name=hint]")) await new Promise(requestAnimationFrame);
  const found = (FAULTS)();
  const sheet = document.querySelector("[data-testid=hint-sheet]");
  const { left, right, top, bottom } = sheet.getBoundingClientRect();
  if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight + 0.5) found.push("the sheet sticks out");
  for (const part of sheet.querySelectorAll("label > *, .does > *")) {
    if (part.checkVisibility() && part.getBoundingClientRect().bottom > bottom + 0.5) found.push("it is too full");
  }
  const [cards, board] = [sheet.getBoundingClientRect(), document.querySelector(".own").getBoundingClientRect()];
  if (cards.top < board.bottom - 0.5 && cards.left < board.right - 0.5 && cards.bottom > board.top) {
    found.push("it lies over the board");
  }
  document.querySelector("[data-testid=hint]").click();
  return found;
}""".replace("FAULTS", FAULTS)


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_the_lamp_and_what_it_shows_fit_every_screen(browser: Browser, looking: str, locale: str) -> None:
    def hinted(state: str) -> str:
        view = json.loads((WEB / "dev" / "fixtures" / f"{state}.json").read_text())["view"]
        return f"{state}&hint&with={quote(json.dumps({'may': [*view['may'], 'hint']}))}"

    states = [hinted(state) for state in ("street1-own", "street3-own", "duel-own", "club-first", "fantasy14")]
    assert faults(browser, looking, states, FAULTS, locale=locale, sizes=SCREENS) == ""
    with_answers = [hinted(state) for state in ("street3-own", "fantasy14")]
    assert faults(browser, looking, with_answers, OPENED, locale=locale, sizes=SCREENS) == ""


def test_a_hint_says_what_its_numbers_are(browser: Browser, looking: str) -> None:
    view = json.loads((WEB / "dev" / "fixtures" / "street3-own.json").read_text())["view"]
    hinted = f"street3-own&hint&with={quote(json.dumps({'may': [*view['may'], 'hint']}))}"
    for size in ((360, 640), (390, 844), (1280, 800)):
        context = browser.new_context(locale="en-GB", viewport={"width": size[0], "height": size[1]})
        page = context.new_page()
        page.goto(f"{looking}?show={hinted}")
        page.get_by_test_id("hint").click()
        sheet = page.get_by_test_id("hint-sheet")
        expect(sheet.get_by_text("points on average")).to_be_visible()
        expect(sheet.locator(".figures").first).to_contain_text("dead 23%, Fantasyland 61%")
        context.close()
