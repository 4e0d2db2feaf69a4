"""The coach's review of a hand: found again before it is told, read in every way, and shared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ananas.game.board import Placement
from tests.browser import axe
from tests.browser.person import DESKTOP, PHONE, Person, play_hand
from tests.browser.test_sizes import looking
from tests.server.house import House

__all__ = ["looking"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]
COACH: Final = Path(__file__).parents[2] / "web" / "dev" / "coach"
SIZES: Final = [(320, 568), (360, 640), PHONE, (667, 375), (768, 1024), DESKTOP, (1920, 1080)]
AT: Final = "/t/somewhere2/hands/12/review"
Review = dict[str, Any]


def review(name: str = "review") -> Review:
    found: Review = json.loads((COACH / f"{name}.json").read_text())
    return found


def wrong(told: Review) -> int:
    """The street, from 1, that cost most."""
    losses = [street["loss"] for street in told["streets"]]
    return losses.index(max(losses)) + 1


class Coach:
    """A review that is known beforehand, in the room's place."""

    def __init__(self, page: Page, *answers: Review | str) -> None:
        self.answers = list(answers)
        self.asked = 0
        page.route("**/review", self._answer)
        page.route("**/api/tables/*/hands", lambda route: route.fulfill(json={"hands": []}))

    def _answer(self, route: Route) -> None:
        if "/api/" not in route.request.url:
            route.continue_()
            return
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        if isinstance(answer, str):
            route.fulfill(status=403, json=refused(answer))
        else:
            route.fulfill(json=answer)


def refused(code: str) -> dict[str, object]:
    return {"type": "refused", "id": None, "code": code, "args": {}, "text": code}


def lay(person: Person, placement: str) -> None:
    """Lay a street of the review anew and confirm it."""
    person.follow(Placement.parse(placement))
    person.page.get_by_test_id("confirm").click()


def amount(page: Page, testid: str) -> int:
    """An amount of the account, in tenths."""
    text = page.get_by_test_id(testid).locator(".amount").inner_text()
    return round(float(text.replace("−", "-").replace(",", ".")) * 10)


def boards(page: Page) -> list[str | None]:
    return [board.get_attribute("data-placement") for board in page.locator("[data-placement]").all()]


def test_what_was_better_is_found_before_it_is_told(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page, told = ann.page, review()
    street = told["streets"][wrong(told) - 1]
    best, chosen = street["options"][0], street["chosen"]
    Coach(page, told)
    page.goto(room.url + AT)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Разбор раздачи 12")
    expect(page.locator("[aria-current=step]")).to_have_attribute("data-street", str(wrong(told)))
    # Nothing of the answer is there yet, not even for who reads the page's source.
    assert boards(page) == [chosen["placement"]]
    expect(page.get_by_test_id("cause")).to_have_count(0)
    expect(page.locator(".moves")).to_have_count(0)

    page.get_by_test_id("replay").click()
    lay(ann, street["options"][-1]["placement"])
    expect(page.get_by_test_id("told")).to_have_attribute("data-outcome", "worse")
    expect(page.get_by_test_id("verdict")).to_contain_text("Хуже, чем в раздаче")
    page.get_by_test_id("retry").click()
    lay(ann, chosen["placement"])
    expect(page.get_by_test_id("told")).to_have_attribute("data-outcome", "same")
    assert best["placement"] not in boards(page)
    page.get_by_test_id("retry").click()
    lay(ann, best["placement"])
    expect(page.get_by_test_id("told")).to_have_attribute("data-outcome", "best")
    assert boards(page) == [chosen["placement"], best["placement"]]
    expect(page.get_by_test_id("cause")).to_contain_text(street["cause"]["text"]["ru"])

    # What has been uncovered stays so.
    page.get_by_role("button", name="Следующая улица").click()
    page.get_by_role("button", name="Предыдущая улица").click()
    assert boards(page) == [chosen["placement"], best["placement"]]
    assert ann.noise == []


def test_the_answer_is_shown_on_demand_and_right_streets_at_once(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB", size=DESKTOP)
    page, told = ann.page, review()
    Coach(page, told)
    page.goto(room.url + AT)
    street = told["streets"][wrong(told) - 1]
    page.get_by_test_id("answer").click()
    assert boards(page) == [street["chosen"]["placement"], street["options"][0]["placement"]]
    expect(page.get_by_test_id("cause")).to_contain_text(street["cause"]["text"]["en"])
    right = next(place for place, found in enumerate(told["streets"], 1) if found["verdict"] == "best")
    page.locator(f"[data-street='{right}']").click()
    expect(page.get_by_role("heading", name="best move")).to_be_visible()
    assert boards(page) == [told["streets"][right - 1]["chosen"]["placement"]]
    # It can be played again all the same.
    page.get_by_test_id("replay").click()
    expect(page.get_by_test_id("street-board")).to_be_visible()
    assert ann.noise == []


def test_the_account_adds_up(room: House, people: Arrive) -> None:
    page, told = people("Ann", locale="en-GB").page, review()
    Coach(page, told)
    page.goto(room.url + AT)
    assert amount(page, "decisions") + amount(page, "luck") == round((told["result"] + told["right"]) * 10)
    assert page.get_by_role("img", name="What to expect").count() == 1


def test_keys_lead_from_street_to_street_and_lay_cards(room: House, people: Arrive) -> None:
    ann = people("Ann", size=DESKTOP)
    page, told = ann.page, review()
    Coach(page, told)
    page.goto(room.url + AT)
    now = page.locator("[aria-current=step]")
    expect(now).to_have_count(1)
    page.keyboard.press("End")
    expect(now).to_have_attribute("data-street", str(told["of"]))
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_attribute("data-street", str(told["of"] - 1))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_attribute("data-street", "1")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_attribute("data-street", "2")
    page.get_by_test_id("replay").click()
    # Now arrows lay cards.
    page.keyboard.press("ArrowDown")
    expect(page.locator(".own [data-row=bottom] button[data-card]")).to_have_count(1)
    expect(now).to_have_attribute("data-street", "2")
    page.keyboard.press("Escape")
    expect(page.locator(".own button[data-card]")).to_have_count(0)
    for key in ("Digit1", "KeyZ", "KeyZ", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("told")).to_be_visible()
    assert ann.noise == []


def test_what_is_judged_is_shown_until_all_of_it_is(room: House, people: Arrive) -> None:
    ann = people("Ann")
    page, told, begun = ann.page, review(), review("review-wait")
    coach = Coach(page, {**begun, "streets": []}, begun, told)
    page.goto(room.url + AT)
    expect(page.get_by_test_id("decisions")).to_be_visible()
    for street in range(1, told["of"] + 1):
        expect(page.locator(f"[data-street='{street}']")).to_be_enabled()
    assert coach.asked == 3
    page.wait_for_timeout(1_200)
    assert coach.asked == 3  # nothing is asked any more
    assert ann.noise == []


@pytest.mark.parametrize(
    ("code", "words"),
    [("not-played", "Разбор видит только"), ("no-such-hand", "Такой раздачи нет"), ("no-table", "")],
)
def test_why_there_is_no_review_is_told(room: House, people: Arrive, code: str, words: str) -> None:
    page = people("Ann").page
    coach = Coach(page, code)
    page.goto(room.url + AT)
    expect(page.get_by_role("heading")).to_contain_text(words)
    page.wait_for_timeout(700)
    assert coach.asked == 1


def test_of_a_strangers_hand_no_move_is_called_the_readers_own(room: House, people: Arrive) -> None:
    page, told = people("Eve").page, review("review-shared")
    Coach(page, told)
    page.goto(f"{room.url}/h/somebodys/review")
    page.get_by_test_id("answer").click()
    expect(page.locator(".moves .tag", has_text="в раздаче")).to_have_count(1)
    expect(page.get_by_role("heading", name="Игрок 2")).to_be_visible()
    expect(page.get_by_text(re.compile(r"\b(вы|вас|ваш)", re.IGNORECASE))).to_have_count(0)


def test_what_the_table_laid_stands_apart_from_the_players_decisions(room: House, people: Arrive) -> None:
    page, told = people("Eve").page, review("review-shared")
    Coach(page, told)
    page.goto(f"{room.url}/h/somebodys/review")
    (by_table,) = [place for place, street in enumerate(told["streets"], 1) if street["automatic"]]
    street = page.locator(f"[data-street='{by_table}']")
    expect(street).to_contain_text("выложил стол")
    expect(street).not_to_contain_text("неточность")
    names = "decisions", "by-table", "luck"
    amounts = [amount(page, name) for name in names]
    assert sum(amounts) == round((told["result"] + told["right"]) * 10)
    assert amounts[:2] == [round(told["decisions"] * 10), round(told["by_table"] * 10)]
    # Where he laid all himself there is no word of it.
    Coach(page, review())
    page.goto(room.url + AT)
    expect(page.get_by_test_id("decisions")).to_be_visible()
    expect(page.get_by_test_id("by-table")).to_have_count(0)


def test_of_fantasyland_there_are_two_boards_at_once(room: House, people: Arrive) -> None:
    page, told = people("Ann").page, review("review-fantasy")
    Coach(page, told)
    page.goto(room.url + AT)
    (street,) = told["streets"]
    expect(page.get_by_role("heading", name="Фантазия")).to_be_visible()
    assert boards(page) == [street["chosen"]["placement"], street["options"][0]["placement"]]
    expect(page.get_by_test_id("replay")).to_have_count(0)


def test_where_there_was_no_choice_no_other_move_is_called_the_best(room: House, people: Arrive) -> None:
    page, told = people("Ann", locale="en-GB").page, review()
    street = told["streets"][-1]
    for option in street["options"]:
        option.update(points=5.0, behind=0.0, equal=True)
    street.update(verdict="forced", chosen=street["options"][2])
    Coach(page, told)
    page.goto(room.url + AT)
    page.locator(f"[data-street='{told['of']}']").click()
    expect(page.get_by_role("heading", name="no choice")).to_be_visible()
    assert boards(page) == [street["chosen"]["placement"]]
    expect(page.locator("[data-placement]")).to_have_accessible_name("Your move")
    # By a link somebody else sees whose move it was.
    Coach(page, {**told, "table": None})
    page.goto(f"{room.url}/h/somebodys/review")
    page.locator(f"[data-street='{told['of']}']").click()
    assert boards(page) == [street["chosen"]["placement"]]
    expect(page.locator("[data-placement]")).to_have_accessible_name(told["names"][told["seats"].index(told["you"])])


def test_what_the_streets_lost_adds_up_to_the_decisions(room: House, people: Arrive) -> None:
    page, told = people("Ann", locale="en-GB").page, review()
    street = told["streets"][3]
    street["options"][1].update(behind=0.13, equal=False)
    street.update(verdict="near", loss=0.13, error=0.03, chosen=street["options"][1])
    told["decisions"] -= 0.13
    Coach(page, told)
    page.goto(room.url + AT)
    expect(page.locator("[data-street='4']")).to_contain_text("−0.1")
    amounts = page.locator("[data-street] b").evaluate_all("all => all.map(each => each.firstChild.data)")
    assert sum(round(float(text.replace("−", "-")) * 10) for text in amounts) == amount(page, "decisions")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_nothing_stays_under_the_bar_at_the_bottom(browser: Browser, looking: str, size: tuple[int, int]) -> None:
    context = browser.new_context(locale="ru-RU", viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(f"{looking}?show=review")
    page.get_by_test_id("answer").click()
    page.evaluate("scrollTo(0, 0)")
    bar, moves = page.locator("div.bar").bounding_box(), page.locator(".moves").bounding_box()
    assert bar
    assert moves
    if size == DESKTOP:
        # The moves stand in a column of their own, in which it has no button.
        assert bar["x"] + bar["width"] <= moves["x"]
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    ends = page.locator(".one .panel, .one [data-placement]").evaluate_all(
        "all => all.filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect().bottom)"
    )
    bar = page.locator("div.bar").bounding_box()
    assert bar
    assert max(ends) <= bar["y"]
    context.close()


def test_what_is_told_of_moves_and_rights_is_whose_it_is(room: House, people: Arrive) -> None:
    page, told = people("Ann", locale="en-GB").page, review()
    Coach(page, {**told, "right": -18.9})
    page.goto(room.url + AT)
    expect(page.get_by_test_id("right")).to_have_text("−18.9 everyone’s Fantasyland")
    page.get_by_test_id("answer").click()
    # One's own is among them, be it the last of all.
    expect(page.locator(".moves h3")).to_have_text(re.compile("^Moves"))


@pytest.mark.parametrize("name", ["review", "review-wait", "review-fantasy", "review-shared"])
def test_every_state_fits_and_is_accessible(browser: Browser, looking: str, name: str) -> None:
    for theme, locale in (("dark", "ru-RU"), ("light", "en-GB")):
        context = browser.new_context(locale=locale, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        page = context.new_page()
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.goto(f"{looking}?show={name}")
        page.locator("main.review [data-placement]").first.wait_for()

        def look(page: Page = page) -> None:
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert page.evaluate(TOO_SMALL) == []
            for width, height in (PHONE, DESKTOP):
                page.set_viewport_size({"width": width, "height": height})
                assert axe.faults(page) == []

        look()
        replay = page.get_by_test_id("replay")
        if replay.count():
            replay.click()
            look()
            for key in ("Escape", "Digit1", "KeyZ", "KeyZ", "KeyA", "KeyA", "KeyA", "Enter"):
                page.keyboard.press(key)
            page.get_by_test_id("told").wait_for()
            look()
            page.get_by_test_id("answer").click()
            look()
        context.close()


def test_what_a_hand_lost_is_named_with_all_it_is_the_sum_of(browser: Browser, looking: str) -> None:
    for locale, word, said in (
        ("en-GB", "Review", "1 mistake, 1 inaccuracy"),
        ("ru-RU", "Разбор", "1 ошибка, 1 неточность"),
    ):
        context = browser.new_context(locale=locale, reduced_motion="reduce")
        page = context.new_page()
        page.goto(f"{looking}?show=duel-showdown")
        glance = page.get_by_test_id("review")
        loss = "−11.9" if locale == "en-GB" else "−11,9"
        expect(glance).to_have_accessible_name(f"{word}: {said}, {loss}")
        for width, height in ((320, 568), (360, 640), (360, 780), (390, 664), PHONE, (430, 932)):
            page.set_viewport_size({"width": width, "height": height})
            # No more than the word where there is no room for more, but never less.
            assert re.match(word, glance.inner_text()), (width, height)
            chip, card = glance.bounding_box(), page.locator(".own [data-row=bottom] [data-card]").last.bounding_box()
            assert chip
            assert card
            assert chip["x"] >= card["x"] + card["width"], (width, height)
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        assert said in " ".join(glance.inner_text().split())
        context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_points_say_what_they_are(browser: Browser, looking: str, size: tuple[int, int]) -> None:
    for locale, label, short in (
        ("en-GB", "points on average", "10.6 ± 0.2 points short of the best"),
        ("ru-RU", "очков в среднем", "до лучшего 10,6 ± 0,2 очка"),
    ):
        context = browser.new_context(locale=locale, viewport={"width": size[0], "height": size[1]})
        page = context.new_page()
        page.goto(f"{looking}?show=review")
        board = page.locator("main.review [data-placement]")
        expect(board).to_have_count(1)
        expect(board.get_by_text(label)).to_be_visible()
        expect(page.get_by_text(short)).to_be_visible()
        context.close()


TOO_SMALL: Final = """() => [...document.querySelectorAll("main.review :is(button, a):not([data-card], .lay)")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent.trim() || each.ariaLabel, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([name]) => name)"""


def test_a_hand_against_bots_is_reviewed(room: House, people: Arrive) -> None:
    ann = people("Ann", size=DESKTOP)
    page = ann.page
    address = ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    play_hand(ann)
    # The verdict stands beside the result, by itself.
    glance = page.get_by_test_id("review")
    expect(glance).to_have_attribute("aria-label", re.compile("ошиб|неточн"), timeout=60_000)
    glance.click()
    page.wait_for_url(f"{address}/hands/1/review")
    expect(page.get_by_test_id("luck")).to_be_visible(timeout=60_000)
    expect(page.locator("[data-street]")).to_have_count(5)
    expect(page.locator("[data-street]:disabled")).to_have_count(0)

    # By a link somebody else sees the same, with nobody's names.
    page.get_by_test_id("share").click()
    page.get_by_text("Без имён").click()
    page.get_by_test_id("make-link").click()
    link = page.get_by_test_id("link").input_value()
    assert link.endswith("/review")
    eve = people("Eve")
    eve.page.goto(room.url + link[link.index("/h/") :])
    expect(eve.page.get_by_test_id("luck")).to_be_visible()
    expect(eve.page.get_by_role("heading", level=1)).to_contain_text("Разбор раздачи 1")
    expect(eve.page.get_by_text("Ann")).to_have_count(0)
    eve.page.get_by_test_id("steps").click()
    eve.page.get_by_test_id("to-review").click()
    expect(eve.page.get_by_test_id("luck")).to_be_visible()
    # Who did not play it sees no review of it.
    eve.page.goto(f"{address}/hands/1/review")
    expect(eve.page.get_by_role("heading")).to_contain_text("Разбор видит только")

    # From the list of hands and the steps one comes to it as well.
    page.goto(f"{address}/hands")
    page.get_by_test_id("to-review").click()
    expect(page.get_by_test_id("luck")).to_be_visible()
    page.get_by_test_id("steps").click()
    page.get_by_test_id("to-review").click()
    page.wait_for_url(f"{address}/hands/1/review")
    assert ann.noise == []
