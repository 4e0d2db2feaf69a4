"""When several are lost at once all times stand: it is shown, nothing can be laid, and it ends when they are back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.person import Person
from tests.browser.test_fair import crooked
from tests.server.house import House

__all__ = ["crooked"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]


def lose_both(house: House, people: Arrive) -> None:
    """Let two lose their connection together and come back one after the other; see what the first of them sees."""
    anna, bob = people("Анна"), people("Bob", locale="en-GB")
    address = anna.open_table(house.url, seats=2, bots=0)
    bob.sit(address)
    for person in (anna, bob):
        person.ready()
    for person in (anna, bob):
        person.page.locator("button.lay, .wait").first.wait_for()
    first, second = (anna, bob) if anna.may_act() else (bob, anna)
    watcher = people("Zoë", locale="en-GB", theme="light")
    watcher.page.goto(address)
    watcher.page.locator("section.rival").first.wait_for()
    for person in (first, second):
        person.page.goto("about:blank")
    expect(watcher.page.get_by_test_id("hold")).to_be_visible()
    # Once, in the bar; and aloud. Only what nothing shows is told above.
    expect(watcher.page.get_by_test_id("said")).to_contain_text("clocks stand")
    expect(watcher.page.get_by_test_id("notice")).to_have_count(0)
    assert axe.faults(watcher.page) == []
    first.page.goto(address)
    expect(first.page.get_by_test_id("hold")).to_be_visible()
    expect(first.page.get_by_test_id("hold")).to_contain_text(":")
    expect(first.page.get_by_test_id("confirm")).to_have_count(0)
    expect(first.page.locator("[data-tray]")).to_contain_text(re.compile("Часы стоят|clocks stand"))
    expect(first.page.locator("[data-tray]")).not_to_contain_text(re.compile("Ваш ход *·|Your turn"))
    assert axe.faults(first.page) == []
    first.page.keyboard.press("q")
    assert first.board(first.seat).cards == ()
    second.page.goto(address)
    for person in (first, watcher):
        expect(person.page.get_by_test_id("hold")).to_have_count(0)
    expect(watcher.page.get_by_test_id("notice")).to_contain_text("run again")
    first.arrange()
    first.confirm()
    assert first.noise == []


def test_a_hold_is_shown_and_ends(room: House, people: Arrive) -> None:
    lose_both(room, people)


def test_a_room_that_holds_nothing_is_found(crooked: Callable[[str], House], people: Arrive) -> None:
    with pytest.raises(AssertionError, match="hold"):
        lose_both(crooked("no-hold"), people)
