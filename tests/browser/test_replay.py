"""Finished hands in a real browser: their list, step by step, shared by a link, as each may know them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from ananas.game.board import Board, Placement
from ananas.game.rules import RULE_SETS
from tests.browser.axe import faults
from tests.browser.match import LEAVES, QUEENS, rows
from tests.browser.person import DESKTOP, PHONE, ROOM, Person
from tests.browser.played import Played
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Two hands of Marina and Boris: queens on top brought her Fantasyland, which she has played."""
    house = House(tmp_path_factory.mktemp("played") / "room.sqlite")
    played = Played(house, RULE_SETS["room"], [QUEENS, LEAVES])
    played.play(2)
    yield played
    house.close()


def board(page: Page, seat: int) -> Board:
    """A seat's board as it lies in the replay; what was thrown away lies beside its rows."""
    shown = [
        "".join(
            card.get_attribute("data-card") or ""
            for card in page.locator(f"section[data-seat='{seat}'] [data-row={row}] .cards [data-card]").all()
        )
        for row in ROOM
    ]
    return Board.parse("/".join(cards or "-" for cards in shown))


def thrown(page: Page, seat: int) -> set[str]:
    """The discards of a seat that lie face up."""
    cards = page.locator(f"section[data-seat='{seat}'] .discards [data-card]").all()
    return {card.get_attribute("data-card") or "" for card in cards}


def step(page: Page, words: str) -> None:
    """See that the replay is at this step."""
    expect(page.get_by_test_id("step")).to_have_text(words)


def discards(plan: tuple[str, ...]) -> set[str]:
    """What somebody throws away who plays by a plan."""
    return {str(card) for text in plan for card in Placement.parse(text).discards}


def test_a_hand_is_watched_again_step_by_step(played: Played, people: Arrive) -> None:
    page = played.arrive(people, "Марина").page
    page.goto(f"{played.url}/hands")
    hands = page.locator("main li a:first-child")
    expect(hands).to_have_count(2)
    expect(hands.first).to_contain_text("Раздача 2")
    expect(hands.first.get_by_role("img", name="Фантазия")).to_have_count(1)
    expect(hands.last.get_by_role("img", name="Фантазия")).to_have_count(0)
    expect(page.get_by_role("heading", name="Матч 1")).to_have_count(1)
    hands.last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Раздача 1")

    step(page, "Карты сданы")
    assert rows(board(page, 0)) == rows(board(page, 1)) == [set(), set(), set()]
    page.keyboard.press("ArrowRight")
    step(page, "Улица 1, ходит Боря")
    page.keyboard.press("ArrowRight")
    step(page, "Улица 1, ваш ход")
    assert (len(board(page, 0).bottom), len(board(page, 1).bottom)) == (5, 5)
    slider = page.get_by_role("slider")
    slider.fill("4")
    step(page, "Улица 2, ваш ход")
    expect(slider).to_have_attribute("aria-valuetext", "Улица 2, ваш ход")
    assert len(thrown(page, 0)) == 1
    page.keyboard.press("Home")
    step(page, "Карты сданы")
    page.get_by_role("button", name="Шаг вперёд").click()
    step(page, "Улица 1, ходит Боря")
    page.keyboard.press("Space")  # the button is pressed once more
    step(page, "Улица 1, ваш ход")

    page.keyboard.press("End")
    step(page, "Вскрытие")
    assert [rows(board(page, seat)) for seat in (0, 1)] == [rows(laid) for laid in played.boards[0]]
    marina, _ = played.plans(0)
    assert thrown(page, 0) == discards(marina)
    assert thrown(page, 1) == set()
    expect(page.get_by_role("region", name="Вскрытие")).to_contain_text("Итого")

    page.keyboard.press("BracketRight")
    expect(page.get_by_role("heading", level=1)).to_have_text("Раздача 2")
    step(page, "Карты сданы")
    expect(page.get_by_role("link", name="Следующая раздача")).to_have_count(0)
    page.get_by_test_id("play").click()
    step(page, "Ваша фантазия")  # Boris lays out of sight, so there is nothing to see of his streets
    page.get_by_test_id("play").click()
    page.keyboard.press("PageUp")
    expect(page.get_by_role("heading", level=1)).to_have_text("Раздача 1")
    page.get_by_role("link", name="К списку раздач").click()
    expect(hands).to_have_count(2)
    page.get_by_role("link", name="К столу").click()
    expect(page).to_have_url(played.url)


def test_nobody_sees_what_another_threw_away(played: Played, people: Arrive) -> None:
    players = [played.arrive(people, name) for name in ("Марина", "Боря")]
    plans = dict(zip(players, played.plans(0), strict=True))
    for person in (*players, people("Зоя")):
        with person.page.expect_response(re.compile(r"/api/tables/[^/]+/hands/1$")) as answer:
            person.page.goto(f"{played.url}/hands/1")
        person.page.get_by_test_id("step").wait_for()
        person.page.keyboard.press("End")
        expect(person.page.locator("main.counted")).to_be_visible()
        own = discards(plans[person]) if person in plans else set[str]()
        assert thrown(person.page, 0) | thrown(person.page, 1) == own
        sides = [side for each in answer.value.json()["steps"] for side in each["hand"]["players"]]
        assert {card for side in sides for card in side["discards"]} == own


def test_a_link_shows_what_the_one_who_shared_it_saw(played: Played, people: Arrive) -> None:
    marina = played.arrive(people, "Марина")
    page = marina.page
    page.goto(f"{played.url}/hands/1")
    page.get_by_test_id("share").click()
    with page.expect_download() as history:
        page.get_by_test_id("save-hand").click()
    assert history.value.suggested_filename == "hand-1.ofc"
    page.get_by_test_id("make-link").click()
    named = page.get_by_test_id("link").input_value()
    page.get_by_text("Без имён").click()
    page.get_by_test_id("make-link").click()
    nameless = page.get_by_test_id("link").input_value()
    seen = page.request.get(f"{played.house.url}/api/tables/{played.table}/hands/1").json()

    stranger = people("Зоя", locale="en-GB", size=DESKTOP)
    shown = _shared(stranger, named)
    assert shown["steps"] == seen["steps"]
    assert (shown["names"], shown["table"], shown["last"]) == (seen["names"], None, None)
    own = discards(played.plans(0)[0])
    expect(stranger.page.get_by_text("Shown as Марина saw the hand")).to_be_visible()
    stranger.page.keyboard.press("End")
    step(stranger.page, "Showdown")
    assert (thrown(stranger.page, 0), thrown(stranger.page, 1)) == (own, set())
    expect(stranger.page.locator("section.own")).to_have_count(0)
    expect(stranger.page.get_by_role("link", name="Previous hand")).to_have_count(0)
    expect(stranger.page.get_by_test_id("share")).to_have_count(0)
    with stranger.page.expect_download() as history:
        stranger.page.get_by_test_id("save-hand").click()
    assert "Марина" in history.value.path().read_text()

    shown = _shared(stranger, nameless)
    assert shown["steps"] == seen["steps"]
    assert "Марина" not in json.dumps(shown, ensure_ascii=False)
    expect(stranger.page.get_by_text("Shown as Player 1 saw the hand")).to_be_visible()
    stranger.page.get_by_role("link", name="Visit the room").click()
    expect(stranger.page).to_have_url(re.compile(r"^http://[^/]+/$"))
    assert stranger.noise == marina.noise == []


def _shared(person: Person, link: str) -> dict[str, object]:
    """What a link that somebody follows is answered."""
    with person.page.expect_response(re.compile(r"/api/shared/")) as answer:
        person.page.goto(link)
    person.page.get_by_test_id("step").wait_for()
    found: dict[str, object] = answer.value.json()
    return found


def test_what_is_not_there_is_said_kindly(room: House, people: Arrive) -> None:
    cookie = room.guest("Ann")
    table = f"{room.url}/t/{room.table(cookie)}"
    person = people("Зоя")
    for path, words, leads in (
        (f"{table}/hands", "Пока ни одной раздачи", "К столу"),
        (f"{table}/account", "Считать пока нечего", "К столу"),
        (f"{table}/hands/7", "Такой раздачи нет", "К списку раздач"),
        (f"{room.url}/t/nowhere/hands", "Такого стола нет", "На главную"),
        (f"{room.url}/h/nowhere", "Эта ссылка никуда не ведёт", "На главную"),
    ):
        person.page.goto(path)
        expect(person.page.get_by_role("heading", level=1)).to_have_text(words)
        expect(person.page.get_by_role("link", name=leads)).to_be_visible()
        assert faults(person.page) == []


def test_finished_hands_are_for_everybody(played: Played, people: Arrive) -> None:
    page, table = played.arrive(people, "Марина").page, played.url
    page.goto(f"{table}/hands/1")
    page.get_by_test_id("share").click()
    page.get_by_test_id("make-link").click()
    link = page.get_by_test_id("link").input_value()
    assert faults(page) == []
    for locale, scheme, size in (("ru", "dark", PHONE), ("en", "light", DESKTOP)):
        page.evaluate(f"localStorage.setItem('ananas.locale', '{locale}')")
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for path in (f"{table}/hands", f"{table}/hands/1", link, f"{table}/account"):
            page.goto(path)
            page.locator("main h2, [data-testid=step]").first.wait_for()
            assert faults(page) == [], (path, locale, scheme)
            if page.get_by_test_id("step").count():
                page.keyboard.press("End")
                expect(page.locator("main.counted")).to_be_visible()
                assert faults(page) == [], (path, locale, scheme, "at its end")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, locale, scheme)
