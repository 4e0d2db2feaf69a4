"""The daily puzzle: solved without a name, remembered in the browser, told to friends without a word of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from ananas.game.board import Placement
from tests.browser import axe
from tests.browser.person import DESKTOP, PHONE, Person
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]
COACH: Final = Path(__file__).parents[2] / "web" / "dev" / "coach"
SIZES: Final = [(320, 568), (360, 640), PHONE, (667, 375), (768, 1024), DESKTOP, (1920, 1080)]
BEST, MISS = "Qd/-/Ac x5h", "-/5h/Ac xQd"


def told(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((COACH / f"{name}.json").read_text())
    return found


def day(after: int = 0) -> str:
    return (datetime.now(UTC) + timedelta(days=after)).strftime("%Y-%m-%d")


class Coach:
    """Puzzles and answers that are known beforehand, in the room's place."""

    def __init__(self, page: Page, puzzle: str = "puzzle") -> None:
        self.puzzle: dict[str, Any] = {**told(puzzle), "date": day()}
        self.answered = list[str]()
        self.refuses: str | None = None
        page.route("**/api/puzzle", self._answer)

    def turn(self) -> None:
        """Let a day pass."""
        self.puzzle = {**self.puzzle, "date": day(1), "number": self.puzzle["number"] + 1}

    def _answer(self, route: Route) -> None:
        if self.refuses is not None:
            code, self.refuses = self.refuses, None
            route.fulfill(status=503, json={"code": code, "args": {}, "text": code})
            return
        if route.request.method == "GET":
            route.fulfill(json=self.puzzle)
            return
        asked: dict[str, str] = json.loads(route.request.post_data or "{}")
        if asked["date"] != self.puzzle["date"]:
            route.fulfill(status=404, json={"code": "no-puzzle", "args": {"date": self.puzzle["date"]}, "text": "over"})
            return
        self.answered.append(asked["placement"])
        best = Placement.parse(asked["placement"]) == Placement.parse(BEST)
        route.fulfill(json={**told("puzzle-solved" if best else "puzzle-answer"), "date": asked["date"]})


def answer(person: Person, placement: str) -> None:
    person.follow(Placement.parse(placement))
    person.page.get_by_test_id("confirm").click()


def test_the_best_move_solves_it_and_the_first_page_knows(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    coach = Coach(page)
    page.goto(room.url)
    card = page.get_by_test_id("puzzle")
    expect(card.get_by_test_id("solved")).to_have_count(0)
    card.click()
    page.wait_for_url("**/puzzle")
    answer(ann, BEST)
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("Решено!")
    # Why, and beside the next best with its own chances.
    review = told("puzzle-solved")["review"]
    expect(page.get_by_test_id("cause")).to_contain_text(review["cause"]["text"]["ru"])
    second = next(option for option in review["options"] if not option["equal"])
    shown = [board.get_attribute("data-placement") for board in page.locator("[data-placement]").all()]
    assert shown == [BEST, second["placement"]]
    expect(page.locator("[data-placement]", has_text="мёртвая рука")).to_have_count(2)
    # What was answered stays answered.
    page.reload()
    expect(verdict).to_contain_text("Решено!")
    assert [Placement.parse(placement) for placement in coach.answered] == [Placement.parse(BEST)] * 2
    page.get_by_role("link", name="На главную").click()
    expect(card).to_contain_text("Сегодня решена")
    expect(card.get_by_test_id("solved")).to_be_visible()
    assert page.evaluate("fetch('/api/me').then((answer) => answer.json())") == {"name": None}
    assert ann.noise == []


def test_another_move_is_shown_beside_the_best_with_its_cause(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB", size=DESKTOP)
    page = ann.page
    Coach(page)
    page.goto(f"{room.url}/puzzle")
    answer(ann, MISS)
    expect(page.get_by_test_id("verdict")).to_contain_text("Not this time")
    expect(page.get_by_test_id("verdict")).to_contain_text("7.5")
    assert page.locator(f"[data-placement='{MISS}']").count() == 1
    assert page.locator(f"[data-placement='{BEST}']").count() == 1
    expect(page.get_by_test_id("cause")).to_contain_text("queens on top")
    # On the first page nothing that closes nothing looks as if it did.
    page.get_by_role("link", name="To the start").click()
    expect(page.get_by_test_id("solved").locator("use")).to_have_attribute("href", "#warning")
    assert ann.noise == []


def test_days_in_a_row_are_counted_and_shared_without_the_answer(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    coach = Coach(page)
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=room.url)
    before = {"date": day(-1), "number": coach.puzzle["number"] - 1, "placement": BEST, "result": "solved", "streak": 3}
    page.goto(room.url)
    page.evaluate("(kept) => localStorage.setItem('ananas.puzzle', kept)", json.dumps(before))
    page.goto(f"{room.url}/puzzle")
    answer(ann, BEST)
    expect(page.get_by_test_id("verdict")).to_contain_text("4 дня подряд")
    page.get_by_test_id("share").click()
    expect(page.get_by_test_id("share")).to_have_text("Скопировано")
    shared = page.evaluate("navigator.clipboard.readText()")
    number = coach.puzzle["number"]
    assert shared == f"Ананас, задача дня №{number}: решено с первого раза 🍍\n4 дня подряд\n{room.url}/puzzle"


def test_a_day_that_ends_meanwhile_brings_the_new_puzzle(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    coach = Coach(page)
    page.goto(f"{room.url}/puzzle")
    ann.follow(Placement.parse(BEST))
    coach.turn()
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("Наступил новый день")
    page.get_by_test_id("next-puzzle").click()
    expect(page.locator("header")).to_contain_text(f"№{coach.puzzle['number']}")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("section.own .slot")).to_have_count(6)  # nothing of the old answer lies there


def test_what_goes_wrong_is_told_and_can_be_tried_again(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    coach = Coach(page)
    coach.refuses = "not-kept"
    page.goto(f"{room.url}/puzzle")
    expect(page.get_by_role("heading")).to_contain_text("ещё готовит")
    page.get_by_role("button", name="Попробовать ещё раз").click()
    ann.follow(Placement.parse(BEST))
    coach.refuses = "closing"
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("Комната закрывается")
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("Решено!")


def test_it_can_be_solved_where_the_browser_keeps_nothing(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    Coach(page)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.goto(f"{room.url}/puzzle")
    answer(ann, BEST)
    expect(page.get_by_test_id("verdict")).to_contain_text("Решено!")
    assert ann.noise == []


def test_keys_alone_solve_it(room: House, people: Arrive) -> None:
    ann = people("Ann", size=DESKTOP)
    page = ann.page
    Coach(page)
    page.goto(f"{room.url}/puzzle")
    page.get_by_test_id("confirm").wait_for()
    for key in ("1", "q", "2", "z", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("verdict")).to_contain_text("Решено!")


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
@pytest.mark.parametrize("others", ["puzzle", "puzzle-three"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    room: House, people: Arrive, locale: str, others: str
) -> None:
    ann = people("Ann", locale=locale)
    page = ann.page
    Coach(page, others)
    found = list[str]()

    def look(what: str) -> None:
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme="light" if theme == "light" else "dark")
            found.extend(f"{what}, {theme}: {fault}" for fault in axe.faults(page))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                found.append(f"{what}: {wide} too wide at {width}x{height}")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})

    page.goto(f"{room.url}/puzzle")
    page.get_by_test_id("confirm").wait_for()
    # All of it is seen at once: on a phone nobody has to look for the button.
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    look("asked")
    answer(ann, MISS)
    page.get_by_test_id("verdict").wait_for()
    look("answered")
    assert found == []


def test_the_room_itself_asks_and_judges(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page = ann.page
    page.goto(f"{room.url}/puzzle")
    confirm = page.get_by_test_id("confirm")
    again = page.get_by_role("button", name="Попробовать ещё раз")
    expect(confirm.or_(again)).to_be_visible(timeout=60_000)
    while again.count():
        again.click()
        expect(confirm.or_(again)).to_be_visible(timeout=60_000)
    ann.arrange()
    confirm.click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("verdict")).to_contain_text("Завтра здесь будет новая задача")
