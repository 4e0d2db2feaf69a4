"""What somebody meets who knows the room from its README alone: codes, invitations, other rules, a hand that begins."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person, play_hand
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
Arrive = Callable[..., Person]


def test_the_code_that_is_shown_leads_to_the_table_in_any_case(room: House, people: Arrive) -> None:
    ann, bob = people("Ann", locale="en-US"), people("Bob", locale="en-US")
    address = ann.open_table(room.url, seats=2, bots=0)
    code = ann.page.get_by_test_id("code").inner_text()
    assert address.endswith(code)
    bob.page.goto(room.url)
    bob.page.locator(".join input").fill(f" {code[:4].upper()} {code[4:].upper()} ")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_url(f"**/t/{code}")
    bob.page.goto(f"{room.url}/t/{code.upper()}")
    expect(bob.page.locator("h1")).to_be_visible()
    assert not bob.noise


@pytest.mark.parametrize("code", ["abcdefgh2345", "Where is it?", "https://example.com/"])
def test_a_wrong_code_is_told_of_where_it_was_typed(room: House, people: Arrive, code: str) -> None:
    ann = people("Ann", locale="en-US")
    ann.page.goto(room.url)
    field = ann.page.locator(".join input")
    field.fill(code)
    field.press("Enter")
    expect(ann.page.locator("#problem-join")).not_to_be_empty()
    expect(field).to_have_value(code)
    expect(field).to_have_attribute("aria-invalid", "true")
    assert ann.page.url == f"{room.url}/"
    field.press("Backspace")
    expect(ann.page.locator("#problem-join")).to_be_empty()


def change_rules(host: Person, base: str) -> None:
    host.page.locator(".tool.menu").click()
    host.page.get_by_test_id("host").click()
    host.page.get_by_test_id("new-rules").click()
    expect(host.page.get_by_test_id("rules-next")).to_be_disabled()
    host.page.locator(f"input[name=rules][value={base}]").check(force=True)
    host.page.get_by_test_id("rules-next").click()
    host.page.get_by_test_id("rules-yes").click()
    expect(host.page.locator("dialog")).to_have_count(0)


def test_other_rules_are_told_and_nothing_that_was_won_is_hidden(room: House, people: Arrive) -> None:
    ann, bob = people("Ann", locale="en-US"), people("Bob", locale="en-US")
    bob.sit(ann.open_table(room.url, seats=3, bots=0))
    expect(ann.page.locator("main p", has_text="Before the first hand").first).to_be_visible()
    ann.ready()
    bob.ready()
    play_hand(ann, bob)
    change_rules(ann, "club")
    notice = bob.page.get_by_test_id("notice")
    expect(notice).to_contain_text(re.compile("New rules.*Room → Club.*and [0-9]+ more"))
    expect(bob.page.locator("header")).to_contain_text("New rules · 1 hand")
    expect(bob.page.locator(".lobby li")).to_have_count(3)
    for seat in (0, 1):
        expect(bob.page.locator(f".lobby li[data-seat='{seat}']")).to_contain_text(re.compile("stack [0-9]+"))
    bob.page.get_by_test_id("rules").click()
    since = bob.page.get_by_test_id("since")
    expect(since).to_contain_text("Room → Club")
    assert since.locator("li").count() > 2
    assert not [word for word in since.inner_text().split() if "_" in word]


def test_who_looks_at_a_sheet_sees_that_a_hand_begins(room: House, people: Arrive) -> None:
    ann, bob = people("Ann", locale="en-US"), people("Bob", locale="en-US")
    bob.sit(ann.open_table(room.url, seats=3, bots=1))
    ann.page.locator(".tool.menu").click()
    ann.page.get_by_test_id("host").click()
    expect(ann.page.get_by_test_id("soon")).to_have_count(0)
    bob.ready()
    for sheet in ("host", "new-rules"):
        if sheet == "new-rules":
            ann.page.get_by_test_id(sheet).click()
        expect(ann.page.get_by_test_id("soon")).to_contain_text(re.compile("The hand begins in [0-9]+ s"))
    ann.page.get_by_test_id("soon").get_by_role("button").click()
    expect(ann.page.locator("[data-phase=laying]")).to_be_attached()


def test_the_host_seats_a_bot_where_a_seat_is_free(room: House, people: Arrive) -> None:
    ann, bob = people("Ann", locale="en-US"), people("Bob", locale="en-US")
    bob.sit(ann.open_table(room.url, seats=3, bots=0))
    expect(bob.page.get_by_test_id("seat-bot")).to_have_count(0)
    ann.page.get_by_test_id("seat-bot").click()
    ann.page.locator("dialog [data-bot=mango]").click()
    expect(ann.page.locator(".lobby li[data-seat='2']")).to_contain_text("Mango")
    expect(ann.page.get_by_test_id("seat-bot")).to_have_count(0)


@pytest.mark.parametrize("locale", ["ru-RU", "en-US"])
def test_the_house_rules_show_no_names_of_the_program_and_nothing_that_cannot_be_chosen(
    room: House, people: Arrive, locale: str
) -> None:
    page = people("Ann", locale=locale).page
    page.goto(f"{room.url}/#open")
    page.locator("details.house").wait_for()
    page.locator("details.house").evaluate_all(
        'all => all.flatMap(each => [each, ...each.querySelectorAll("details")]).forEach(each => each.open = true)'
    )
    rules = page.locator("details.house")
    expect(rules.locator("[data-rule]").first).to_be_visible()
    assert not re.findall(r"[a-z]+_[a-z]+", rules.inner_text())
    assert rules.locator("option:disabled").count() == 0
    for select in rules.locator("select").all():
        assert select.locator("option").count() > 1
