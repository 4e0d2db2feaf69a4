"""The front page: to a table in one tap, an open table, a table of one's own, another device."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ananas.server import app
from tests.browser import axe
from tests.browser.person import DESKTOP, PHONE, Person
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
Arrive = Callable[..., Person]
SIZES = [(320, 568), (360, 640), PHONE, (768, 1024), DESKTOP, (1920, 1080)]


def table_of(page: Page) -> str:
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def shifts(page: Page) -> float:
    """How much of the screen has shifted by itself since the page came, by the browser's own score."""
    moved: float = page.evaluate(
        """() => new Promise(resolve => new PerformanceObserver(list =>
             resolve(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0))
           ).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(resolve, 300, 0))"""
    )
    return moved


def answered_in_time(page: Page) -> bool:
    """Whether the page heard of the open tables while it still kept back what stands below them: a second, no more."""
    said: bool = page.evaluate(
        """() => performance.getEntriesByType('resource').some(
             entry => entry.name.endsWith('/api/tables') && entry.responseEnd < 900)"""
    )
    return said


def open_for_all(person: Person, title: str = "") -> str:
    """Let a person who is at the form open a table for three, one of them a bot, and show it to everybody."""
    form = person.page.locator("form")
    form.get_by_role("textbox").first.fill(person.name)
    form.get_by_role("textbox").nth(1).fill(title)
    form.locator("input[name=seats][value='3']").check(force=True)
    form.locator("input[name=bots][value=papaya]").check(force=True)
    form.locator("input[name=public]").nth(1).check(force=True)
    form.locator("button[type=submit]").click()
    return table_of(person.page)


def test_one_tap_leads_a_nameless_guest_to_his_cards(room: House, people: Arrive) -> None:
    ann = people("Ann")
    ann.page.goto(room.url)
    ann.page.get_by_test_id("quick").click()
    card = room.call("GET", f"/api/tables/{table_of(ann.page)}").json
    assert (card["seats"], card["point_price"]) == ([2, 2], 0)
    expect(ann.page.locator("[data-tray] .hand [data-card]").first).to_be_visible()
    assert ann.noise == []
    # Nobody was asked for a name, and it can be changed.
    ann.page.goto(room.url)
    ann.page.get_by_test_id("you").click()
    name = ann.page.locator("dialog").get_by_role("textbox").first
    expect(name).to_have_value(re.compile(r"^Гость \d{3}$"))
    name.fill("Марина")
    name.press("Enter")
    expect(ann.page.locator("dialog form button")).to_have_text("Сохранено")
    assert ann.page.evaluate("fetch('/api/me').then((answer) => answer.json())") == {"name": "Марина"}
    assert ann.noise == []


def test_the_form_remembers_how_a_table_was_opened(house: House, people: Arrive) -> None:
    house.start()
    ann = people("Ann", locale="en-GB")
    page = ann.page
    page.goto(house.url)
    page.get_by_test_id("open").click()
    # The name is asked where it is needed, and told to be missing at its field.
    page.locator("form button[type=submit]").click()
    expect(page.get_by_text("Write your name first")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your name")).to_be_focused()
    page.get_by_role("textbox", name="Your name").fill("Ann")
    page.get_by_role("textbox", name="Name of the table").fill("Our Friday")
    page.locator("input[name=rules][value=club]").check(force=True)
    page.locator("input[name=seats][value='3']").check(force=True)
    page.locator("input[name=bots][value=papaya]").check(force=True)
    page.locator("form input[type=number]").first.fill("2.5")
    page.locator("details.house > summary").click()
    page.get_by_text("Score and royalties").click()
    page.locator("[data-rule=scoring] select").select_option("2-4")
    expect(page.locator("input[name=public]").first).to_be_checked()
    page.get_by_text("Everybody", exact=True).click()
    expect(page.get_by_text("anybody who comes by can sit down")).to_be_visible()
    page.locator("form button[type=submit]").click()
    expect(page.get_by_test_id("ready")).to_be_visible()  # and sits there
    wanted = {"seats": "2-3", "scoring": "2-4", "point_price": "250"}
    first = house.call("GET", f"/api/tables/{table_of(page)}").json
    assert (first["name"], first["rules"], first["changes"]) == ("Our Friday", "club", wanted)

    page.goto(f"{house.url}/#open")
    expect(page.get_by_role("textbox", name="Your name")).to_have_value("Ann")
    page.locator("form button[type=submit]").click()
    page.wait_for_url(lambda url: "/t/" in url and first["table"] not in url)
    expect(page.get_by_test_id("ready")).to_be_visible()
    second = house.call("GET", f"/api/tables/{table_of(page)}").json
    assert {**second, "table": ""} == {**first, "table": ""}
    found = house.call("GET", "/api/tables").json["tables"]
    assert {table["table"] for table in found} == {first["table"], second["table"]}
    assert ann.noise == []


def test_an_open_table_is_seen_and_joined_with_one_tap(house: House, people: Arrive) -> None:
    house.start()
    borya = people("Боря")
    borya.page.goto(f"{house.url}/#open")
    ann = people("Ann")
    ann.page.goto(house.url)
    expect(ann.page.get_by_text("Сейчас за общими столами никого нет")).to_be_visible()
    table = open_for_all(borya)
    hidden = people("Hidden").open_table(house.url, seats=2, bots=1).rpartition("/")[2]

    row = ann.page.locator(f"[data-table='{table}']")
    expect(row).to_be_visible()  # the list is asked for again and again
    assert row.inner_text().split("\n")[0] == "Вечерний стол"
    for words in ("Боря", "бот", "Комната", "взнос 50–100", "ждут начала", "свободно 1 место", "очко 10"):
        expect(row).to_contain_text(words)
    expect(ann.page.locator(f"[data-table='{hidden}']")).to_have_count(0)
    # Who has a name sits down at once.
    ann.page.get_by_test_id("you").click()
    ann.page.locator("dialog").get_by_role("textbox").first.fill("Ann")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("dialog form button")).to_have_text("Сохранено")
    ann.page.keyboard.press("Escape")
    row.click()
    ann.page.wait_for_url(f"**/t/{table}")
    expect(ann.page.get_by_test_id("ready")).to_be_visible()

    # Where no place is left one may watch; who has no name is asked for it at the table.
    zoya = people("Зоя")
    zoya.page.goto(house.url)
    full = zoya.page.locator(f"[data-table='{table}']")
    expect(full).to_contain_text("мест нет")
    expect(full).to_contain_text("Смотреть")
    full.click()
    zoya.page.wait_for_url(f"**/t/{table}")
    for person in (ann, borya, zoya):
        assert person.noise == []


def test_the_lesson_is_offered_to_who_is_new_and_found_again(room: House, people: Arrive) -> None:
    ann = people("Ann")
    ann.page.goto(room.url)
    offer = ann.page.get_by_test_id("lesson")
    expect(offer).to_be_in_viewport()
    ann.page.get_by_role("button", name="Пропустить урок").click()
    expect(offer).to_have_count(0)
    ann.page.reload()
    expect(ann.page.get_by_test_id("quick")).to_be_visible()
    expect(offer).to_have_count(0)
    ann.page.get_by_role("navigation").get_by_text("Урок за минуту").click()
    ann.page.wait_for_url("**/lesson")


def test_a_link_or_a_code_leads_to_the_table(room: House, people: Arrive) -> None:
    table = room.table(room.guest("Zoya"))
    ann = people("Ann", locale="en-GB")
    page = ann.page
    for text in (f"{room.url}/t/{table}", f"  {table}\n"):
        page.goto(room.url)
        page.get_by_label("Link or code of a table").fill("this is no link!")
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("alert").filter(has_text="neither")).to_be_visible()
        page.get_by_label("Link or code of a table").fill(text)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/t/{table}")


def test_another_device_goes_on_as_the_same_player(room: House, people: Arrive) -> None:
    ann = people("Марина")
    address = ann.open_table(room.url, seats=2, bots=1)
    ann.page.goto(room.url)
    ann.page.get_by_test_id("you").click()
    ann.page.get_by_test_id("device").click()
    link = ann.page.get_by_label("Ссылка для другого устройства").input_value()
    assert link.startswith(f"{room.url}/d/")
    picture = ann.page.get_by_alt_text("QR-код ссылки для другого устройства")
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("image => image.naturalWidth") > 0

    phone = people("phone")
    phone.page.goto(link)
    expect(phone.page.get_by_role("heading")).to_have_text("Продолжить здесь как Марина?")
    phone.page.get_by_role("button", name="Продолжить").click()
    phone.page.wait_for_url(f"{room.url}/")
    assert phone.page.evaluate("fetch('/api/me').then((answer) => answer.json())") == {"name": "Марина"}
    phone.page.goto(address)
    expect(phone.page.locator("[data-you], section.own, [data-testid=ready]").first).to_be_visible()

    late = people("late")
    late.page.goto(link)
    expect(late.page.get_by_role("heading")).to_have_text("Эта ссылка уже не действует")
    for person in (ann, phone):
        assert person.noise == []


def test_a_part_that_cannot_be_fetched_is_said_and_tried_again(house: House, people: Arrive, tmp_path: Path) -> None:
    house.client = tmp_path / "client"
    shutil.copytree(app.STATIC, house.client)
    house.start()
    ann = people("Ann", locale="en-GB")
    ann.page.goto(house.url)
    expect(ann.page.get_by_test_id("quick")).to_be_visible()
    (part,) = (house.client / "assets").glob("RuleBook-*.js")
    away = part.rename(tmp_path / part.name)
    ann.page.get_by_role("navigation").get_by_text("Rules").click()
    expect(ann.page.get_by_role("heading", name="The page has not come whole")).to_be_visible()
    assert axe.faults(ann.page) == []
    away.rename(part)
    ann.page.get_by_role("button", name="Try again").click()
    expect(ann.page.get_by_role("heading", level=2).first).to_be_visible()


def test_axe_would_find_a_fault(room: House, people: Arrive) -> None:
    page = people("Ann").page
    page.goto(room.url)
    expect(page.get_by_test_id("quick")).to_be_visible()
    assert axe.faults(page) == []
    page.evaluate("document.querySelector('main').append(new Image())")
    assert [fault.partition(":")[0] for fault in axe.faults(page)] == ["image-alt"]


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(house: House, people: Arrive, locale: str) -> None:
    house.start()
    host = people("Wolfeschlegelstein")
    host.page.goto(f"{house.url}/#open")
    open_for_all(host, "A table with quite a long name for once")
    found = dict[str, list[str]]()

    def look(screen: str, page: Page) -> None:
        page.wait_for_timeout(150)
        faults = found[screen] = list[str]()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme="light" if theme == "light" else "dark")
            faults += [f"{theme}: {fault}" for fault in axe.faults(page)]
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                faults.append(f"{wide} too wide at {width}x{height}")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})

    ann = people("Ann", locale=locale)
    page = ann.page
    page.goto(house.url)
    expect(page.locator("[data-table]")).to_have_count(1)
    for _ in range(20):  # A machine that has much else to do may answer late.
        if answered_in_time(page):
            break
        page.reload()
        expect(page.locator("[data-table]")).to_have_count(1)
    else:
        pytest.fail("the open tables were never told within a second")
    assert shifts(page) < 0.02
    look("newcomer", page)
    page.get_by_test_id("open").click()
    page.locator("details.house > summary").click()
    look("form", page)
    page.get_by_role("textbox").first.fill("Ann")
    page.locator("form button[type=submit]").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_test_id("ready")).to_be_visible()
    page.goto(house.url)
    expect(page.get_by_test_id("return")).to_be_visible()
    look("with a table", page)
    page.get_by_test_id("you").click()
    page.get_by_test_id("device").click()
    expect(page.get_by_role("dialog").locator("img")).to_be_visible()
    look("you", page)
    link = page.get_by_role("dialog").locator("section input").input_value()
    other = people("other", locale=locale).page
    for screen, address in (("device", link), ("gone", f"{link}x"), ("lost", f"{house.url}/nowhere")):
        other.goto(address)
        expect(other.get_by_role("heading")).to_be_visible()
        look(screen, other)
    assert json.dumps({screen: faults for screen, faults in found.items() if faults}, indent=1) == "{}"
    assert len(found) == 7
