"""The host's evening in real browsers: stopping the game, bots and seats, other rules, the role, phrases, two windows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import DESKTOP, Person, play_hand
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]


@pytest.fixture
def evening(room: House, people: Arrive) -> tuple[Person, Person, str]:
    """Anna, the host, and Borya at a table for three, where a match is one hand, and its address."""
    anna, borya = people("Анна"), people("Borya", locale="en-GB", size=DESKTOP)
    anna.open_table(room.url, seats=3, bots=0)
    cookie = next(one for one in anna.context.cookies() if one.get("name") == "ananas_guest").get("value", "")
    address = f"{room.url}/t/{room.table(cookie, seats=3, changes={'fantasyland': 'off'})}"
    anna.page.goto(address)
    anna.page.locator(".bottom form button").click()
    expect(anna.page.get_by_test_id("ready")).to_be_visible()
    borya.sit(address)
    return anna, borya, address


def desk(page: Page) -> None:
    """Open what the host can do."""
    page.locator("header button.menu").click()
    page.get_by_role("button", name="Хозяину стола").click()


def noticed(person: Person, words: str) -> None:
    """Whoever is told something else first reads that for five seconds."""
    told = person.page.get_by_test_id("notice").filter(has_text=re.compile(words))
    expect(told).to_be_visible(timeout=15_000)


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_the_host_stops_the_game_and_lets_it_go_on(evening: tuple[Person, Person, str]) -> None:
    anna, borya, _ = evening
    for person in (anna, borya):
        person.ready()
    for person in (anna, borya):
        expect(person.page.locator("button.lay, .wait").first).to_be_attached()
    acting = next(person for person in (anna, borya) if person.may_act())
    acting.tap("bottom")
    anna.page.locator("header button.menu").click()
    anna.page.get_by_test_id("break-button").click()
    noticed(borya, "stopped the game")
    expect(borya.page.get_by_test_id("break")).to_be_visible()
    expect(borya.page.get_by_test_id("go-on-break")).to_have_count(0)
    before = acting.board(acting.seat)
    assert len(before.cards) == 1
    acting.page.keyboard.press("q")
    acting.page.keyboard.press("Enter")
    acting.page.wait_for_timeout(300)
    assert acting.board(acting.seat) == before
    anna.page.get_by_test_id("go-on-break").click()
    noticed(borya, "goes on")
    expect(borya.page.get_by_test_id("break")).to_have_count(0)
    play_hand(anna, borya)
    assert anna.noise == borya.noise == []


def test_bots_come_and_go_and_who_is_away_is_removed(evening: tuple[Person, Person, str]) -> None:
    anna, borya, address = evening
    desk(anna.page)
    seat_bot = anna.page.locator("dialog").get_by_role("button", name="Посадить бота")
    seat_bot.first.click()
    anna.page.locator("dialog [data-bot=kiwi]").click()
    noticed(borya, "Kiwi")
    expect(seat_bot).to_have_count(0)
    close(anna.page)
    for person in (anna, borya):
        person.ready()
    play_hand(anna, borya)
    desk(anna.page)
    # Of Borya, who is there, nobody can be rid.
    expect(anna.page.get_by_role("button", name="Убрать: Borya")).to_have_count(0)
    anna.page.get_by_role("button", name="Убрать: Kiwi").click()
    anna.page.get_by_test_id("remove").click()
    noticed(borya, "Kiwi")
    expect(seat_bot).to_have_count(1)
    borya.page.goto("about:blank")
    anna.page.get_by_role("button", name="Убрать: Borya").click()
    anna.page.get_by_test_id("remove").click()
    expect(seat_bot).to_have_count(2)
    borya.page.goto(address)
    expect(borya.page.locator(".bottom form")).to_be_visible()
    assert anna.noise == borya.noise == []


def test_other_rules_are_played_from_the_next_match_on(evening: tuple[Person, Person, str]) -> None:
    anna, borya, _ = evening
    borya.ready()
    desk(anna.page)
    anna.page.get_by_test_id("new-rules").click()
    anna.page.locator("dialog input[name=rules][value=club]").check(force=True)
    anna.page.get_by_test_id("rules-next").click()
    anna.page.get_by_test_id("rules-yes").click()
    noticed(borya, "rules")
    # Whoever was ready is asked again: he had said it of other rules.
    for person in (anna, borya):
        person.ready()
    play_hand(anna, borya)
    expect(anna.page.locator("main.counted")).to_be_visible()
    assert anna.noise == borya.noise == []


def test_the_role_is_passed_on(evening: tuple[Person, Person, str]) -> None:
    anna, borya, _ = evening
    desk(anna.page)
    anna.page.get_by_role("button", name="Передать роль хозяина: Borya").click()
    noticed(borya, "host")
    borya.page.locator("header button.menu").click()
    expect(borya.page.get_by_test_id("break-button")).to_be_visible()
    close(borya.page)
    borya.page.reload()
    borya.page.locator("header button.menu").click()
    expect(borya.page.get_by_test_id("break-button")).to_be_visible()


def test_a_phrase_is_heard_in_the_readers_language_and_can_be_muted(evening: tuple[Person, Person, str]) -> None:
    anna, borya, _ = evening
    for person in (anna, borya):
        person.ready()
    expect(anna.page.get_by_test_id("phrases").locator("visible=true").first).to_be_visible()

    def say(phrase: str) -> None:
        anna.page.get_by_test_id("phrases").locator("visible=true").first.click()
        anna.page.locator(f"dialog [data-phrase={phrase}]").click()
        expect(anna.page.locator("dialog")).to_have_count(0)

    say("hello")
    expect(borya.page.locator("[data-said=hello]")).to_have_text("Hello!")
    expect(anna.page.locator("[data-said=hello]")).to_have_text("Привет!")
    borya.page.get_by_test_id("phrases").locator("visible=true").first.click()
    borya.page.locator("dialog summary").click()
    borya.page.get_by_test_id("mute-all").check()
    close(borya.page)
    say("clap")
    expect(anna.page.locator("[data-said=clap]")).to_be_visible()
    expect(borya.page.locator("[data-said=clap]")).to_have_count(0)


def test_one_window_plays_and_the_other_takes_over(evening: tuple[Person, Person, str]) -> None:
    anna, borya, address = evening
    for person in (anna, borya):
        person.ready()
    second = anna.context.new_page()
    second.goto(address)
    expect(second.get_by_test_id("elsewhere")).to_be_visible()
    expect(anna.page.get_by_test_id("elsewhere")).to_have_count(0)
    second.get_by_test_id("take-over").click()
    expect(anna.page.get_by_test_id("elsewhere")).to_be_visible()
    expect(second.get_by_test_id("elsewhere")).to_have_count(0)
    # What is loaded again is the same window: it looks on, and asks for nothing.
    anna.page.reload()
    expect(anna.page.get_by_test_id("elsewhere")).to_be_visible()
    second.reload()
    expect(second.locator("main.table.in")).to_be_visible()
    expect(second.get_by_test_id("elsewhere")).to_have_count(0)
    play_hand(Person(anna.name, second, anna.context, anna.noise), borya)
    # The one that played is closed: the other plays on by itself.
    second.close()
    expect(anna.page.get_by_test_id("elsewhere")).to_have_count(0)
    assert anna.noise == borya.noise == []
