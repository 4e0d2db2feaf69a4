"""The lesson: a newcomer plays it by what is lit, in both languages, and whatever he does is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.axe import faults
from tests.browser.person import DESKTOP, Person, until
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
Arrive = Callable[..., Person]

SMALL = (320, 568)
LANGUAGES = ("ru-RU", "en-GB")
ROW_KEYS = {"top": "q", "middle": "a", "bottom": "z"}
FIRST_STREET = {"9h": "bottom", "9d": "bottom", "Qs": "top", "Kh": "middle", "4c": "middle"}

COVERED = """() => {
    const coach = document.querySelector("[data-testid=coach]").getBoundingClientRect();
    return [...document.querySelectorAll("[data-card], .slot, .actions button, .after button")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < coach.right - 1 && box.right > coach.left + 1
            && box.top < coach.bottom - 1 && box.bottom > coach.top + 1;
    }).map((each) => each.outerHTML);
}"""
"""What the coach lies over."""


def learner(room: House, people: Arrive, **how: object) -> Person:
    """Somebody who has opened the lesson."""
    person = people("Зоя", **how)
    person.page.clock.install()
    # What lets cards be dragged, and laid by keys, comes after the cards.
    with person.page.expect_response(lambda response: "/lively-" in response.url and ".js" in response.url) as later:
        person.page.goto(f"{room.url}/lesson")
    later.value.finished()
    expect(coach(person)).not_to_be_empty()
    return person


def coach(person: Person) -> Locator:
    return person.page.get_by_test_id("coach")


def lit(person: Person) -> Locator:
    """What is to be touched now; waits until there is something."""
    found = person.page.locator("[data-lit]")
    found.first.wait_for(state="attached")
    return found.first


def tap_what_is_lit(person: Person) -> None:
    target = lit(person)
    row = target.get_attribute("data-row")
    if person.page.get_by_test_id("next").count():
        person.page.get_by_test_id("next").click()
    elif row:
        person.tap(row)
    else:
        target.click()


def press_what_is_lit(person: Person) -> None:
    """The same by keys alone."""
    target = lit(person)
    row, card = target.get_attribute("data-row"), target.get_attribute("data-card")
    if row:
        person.page.keyboard.press(ROW_KEYS[row])
    elif card:
        person.page.keyboard.press(str(1 + person.tray().index(card)))
    else:
        person.page.keyboard.press("Enter")


def play_on(person: Person, act: Callable[[Person], None], end: str = "play") -> list[str]:
    """Act on what is lit until a button is there; gives what the coach has said."""
    said = list[str]()
    page = person.page
    for _ in range(60):
        if page.locator(".actions .wait").count():  # while the bot thinks
            page.clock.run_for(2_000)
        page.locator(f"[data-lit], [data-testid={end}]").first.wait_for()
        if page.get_by_test_id(end).count():
            return [*said, coach(person).inner_text()]
        text = coach(person).inner_text()
        said.append(text)
        before = page.evaluate(
            "document.querySelector('main').innerText + document.querySelectorAll('.selected').length"
        )
        act(person)
        until(
            page,
            "before => document.querySelector('main').innerText + document.querySelectorAll('.selected').length !== before",
            before,
        )
    raise AssertionError(f"the lesson does not end: {said}")


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_newcomer_plays_it_by_taps_on_a_small_phone(room: House, people: Arrive, locale: str) -> None:
    zoe = learner(room, people, locale=locale, size=SMALL)

    def act(person: Person) -> None:
        page = person.page
        assert page.evaluate(COVERED) == []
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page scrolls"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        bubble, text = coach(person).bounding_box(), coach(person).locator("p").bounding_box()
        assert bubble
        assert text
        assert text["height"] <= bubble["height"], coach(person).inner_text()
        expect(page.get_by_test_id("coached")).to_have_text(coach(person).inner_text())
        tap_what_is_lit(person)

    said = play_on(zoe, act)
    assert len(set(said)) >= 16, said
    for at, test_id in ((0.5, "again"), (0.5, "open"), (0.5, "play")):
        expect(zoe.page.get_by_test_id(test_id)).to_be_in_viewport(ratio=at)
    assert zoe.page.evaluate(COVERED) == []
    zoe.page.get_by_test_id("play").click()
    zoe.page.wait_for_url("**/t/*")
    zoe.page.locator("button.lay, [data-testid=confirm], .wait").first.wait_for()
    assert zoe.noise == []


def test_it_is_played_by_keys_alone(room: House, people: Arrive) -> None:
    zoe = learner(room, people, locale="en-GB", theme="light", size=DESKTOP)
    said = play_on(zoe, press_what_is_lit)
    assert any("Fantasyland" in text for text in said)
    expect(zoe.page.get_by_test_id("play")).to_be_focused()
    zoe.page.keyboard.press("Enter")
    zoe.page.wait_for_url("**/t/*")
    assert zoe.noise == []


def test_a_wrong_choice_is_answered_and_can_be_taken_back(room: House, people: Arrive) -> None:
    zoe = learner(room, people, size=SMALL)
    page = zoe.page
    wrong = page.locator(".coach.wrong")
    for card, row in {**FIRST_STREET, "Qs": "bottom"}.items():
        chosen = page.locator(f"[data-tray] [data-card='{card}']")
        if chosen.get_attribute("aria-pressed") != "true":
            chosen.click()
        zoe.tap(row)
        expect(wrong).to_have_count(1 if card in {"Qs", "Kh", "4c"} else 0)
    told = coach(zoe).inner_text()
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("confirm")).to_be_enabled()
    assert coach(zoe).inner_text() == told
    expect(page.get_by_test_id("toast")).to_have_count(0)
    while wrong.count():
        lit(zoe).click()
    expect(page.locator("section.own [data-row=bottom] [data-card]")).to_have_count(2)
    play_on(zoe, tap_what_is_lit)
    assert zoe.noise == []


def test_another_way_that_leads_there_is_let_be(room: House, people: Arrive) -> None:
    """The king at the bottom, by dragging: not as shown, and no fault."""
    zoe = learner(room, people, size=DESKTOP)
    page = zoe.page
    for card, row in {**FIRST_STREET, "Kh": "bottom"}.items():
        page.locator(f"[data-tray] [data-card='{card}']").hover()  # once it has come to rest
        place = page.locator(f"section.own [data-row={row}] .slot").first.bounding_box()
        assert place
        page.mouse.down()
        page.mouse.move(place["x"] + 20, place["y"] + 20, steps=4)
        page.mouse.up()
        expect(page.locator(f"section.own [data-row={row}] [data-card='{card}']")).to_have_count(1)
    expect(page.locator(".coach.wrong")).to_have_count(0)
    play_on(zoe, tap_what_is_lit)
    assert page.locator("section.own .bad").count() == 0
    assert zoe.noise == []


def test_it_can_be_read_by_everybody(room: House, people: Arrive) -> None:
    zoe = learner(room, people, size=SMALL)

    def look() -> None:
        zoe.page.emulate_media(color_scheme="light")
        assert faults(zoe.page) == []
        zoe.page.emulate_media(color_scheme="dark")
        assert faults(zoe.page) == []

    look()
    zoe.page.locator("[data-tray] [data-card=Qs]").click()
    zoe.tap("bottom")
    look()
    lit(zoe).click()
    play_on(zoe, tap_what_is_lit, end="next")
    look()
    play_on(zoe, tap_what_is_lit)
    look()


def test_it_can_be_skipped_at_any_time(room: House, people: Arrive) -> None:
    zoe = learner(room, people, size=SMALL)
    page = zoe.page
    page.get_by_test_id("skip").click()
    page.wait_for_url(room.url + "/")
    page.go_back()
    for _ in range(6):
        tap_what_is_lit(zoe)
    page.locator("header a.tool").click()
    page.wait_for_url(room.url + "/")
    expect(page.get_by_test_id("return")).to_have_count(0)  # it was no table to come back to
    page.goto(f"{room.url}/lesson")
    expect(page.locator("[data-tray] .hand [data-card]")).to_have_count(5)
    play_on(zoe, tap_what_is_lit)
    page.get_by_test_id("again").click()
    expect(page.locator("[data-tray] .hand [data-card]")).to_have_count(5)
    assert zoe.noise == []


def test_it_begins_anew_with_a_reload(room: House, people: Arrive) -> None:
    zoe = learner(room, people)
    for _ in range(6):
        tap_what_is_lit(zoe)
    zoe.wait_for_turn()
    zoe.page.reload()
    expect(zoe.page.locator("[data-tray] .hand [data-card]")).to_have_count(5)
    expect(zoe.page.locator("section.own [data-card]")).to_have_count(0)


def test_it_needs_no_room_once_it_is_there(room: House, people: Arrive) -> None:
    zoe = learner(room, people, locale="en-GB")
    zoe.page.wait_for_load_state("networkidle")
    zoe.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    asked = list[str]()
    zoe.page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    zoe.context.set_offline(True)
    play_on(zoe, tap_what_is_lit)
    assert asked == []
    assert zoe.noise == []
    zoe.page.get_by_test_id("play").click()
    expect(zoe.page.locator(".coach.wrong")).to_have_count(1)
    zoe.context.set_offline(False)
    zoe.page.get_by_test_id("play").click()
    zoe.page.wait_for_url("**/t/*")
