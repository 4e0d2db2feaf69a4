"""Two people in two real browsers and a bot: whole hands, reloads, a cut wire, a spent clock, a killed room."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocket, expect

from ananas.game.rules import RuleSet
from ananas.game.scoring import reckon
from tests.browser import axe
from tests.browser.conftest import lay_table
from tests.browser.network import Network
from tests.browser.person import DESKTOP, Person, play_hand
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]


def points_shown(page: Page) -> dict[int, int]:
    """Each seat's points of the hand, as the showdown says them."""
    shown = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('section[data-seat]')].map(board =>
             [board.dataset.seat, (board.querySelector('strong, .total') || {}).textContent]))"""
    )
    return {int(seat): int(text.replace("−", "-").replace("+", "")) for seat, text in shown.items() if text}


def sheet(page: Page) -> list[list[int]]:
    """The showdown's table as it is read: a column for each opponent, its lines down to the total of the points.

    Where somebody had too few chips, what was paid of it stands under that.
    """
    lines = page.locator(".sheet tbody tr:not([data-testid=paid])")
    rows = [
        [0 if text == "–" else int(text.replace("−", "-").replace("+", "")) for text in cells]
        for cells in (line.locator("td .points b").all_inner_texts() for line in lines.all())
    ]
    return [list(column) for column in zip(*rows, strict=True)]


def listen(page: Page, heard: list[str]) -> None:
    """Write down every frame that reaches a page."""

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", opened)


def sit_three(room: House, people: Arrive) -> tuple[Person, Person]:
    """Ann opens a table for three with a bot and sits; Боря comes by her link."""
    ann = people("Ann", locale="en-GB", size=DESKTOP)
    borya = people("Боря")
    address = ann.open_table(room.url, seats=3, bots=1)
    borya.sit(address)
    return ann, borya


def test_two_browsers_and_a_bot_play_whole_hands(room: House, people: Arrive) -> None:
    ann, borya = sit_three(room, people)
    for number in (1, 2):
        taps = list[int]()

        def move(person: Person, taps: list[int] = taps) -> None:
            laid = person.arrange()
            confirmed = person.confirm()
            if laid == 2 and confirmed == 1:
                taps.append(laid + confirmed)

        for person in (ann, borya):
            person.ready()
        play_hand(ann, borya, move=move)
        assert set(taps) == {3}
        # Both see the same boards, and every point is the scorer's.
        seats = sorted(points_shown(ann.page))
        boards = {seat: ann.board(seat) for seat in seats}
        assert boards == {seat: borya.board(seat) for seat in seats}
        expected = {p.seat: p.points for p in reckon([boards[s] for s in seats], seats, RuleSet()).players}
        assert points_shown(ann.page) == points_shown(borya.page) == expected
        assert sum(expected.values()) == 0
        for person in (ann, borya):
            columns = sheet(person.page)
            assert all(sum(lines) == total for *lines, total in columns)
            assert sum(column[-1] for column in columns) == expected[person.seat]
        expect(ann.page.locator("main")).to_contain_text(re.compile(rf"hand {number}"))
    assert ann.noise == borya.noise == []


def test_nobodys_cards_reach_another_browser(room: House, people: Arrive) -> None:
    ann, borya = sit_three(room, people)
    frames: dict[str, list[str]] = {"Ann": [], "Боря": []}
    thrown: dict[str, set[str]] = {"Ann": set(), "Боря": set()}
    for person in (ann, borya):
        listen(person.page, frames[person.name])
        person.page.reload()
        person.ready()

    def reached(card: str, name: str) -> bool:
        return any(f'"{card}"' in frame for frame in frames[name])

    def move(person: Person) -> None:
        other = "Боря" if person is ann else "Ann"
        hidden = person.tray() if len(person.tray()) == 3 else []
        assert not [card for card in hidden if reached(card, other)]
        person.arrange()
        thrown[person.name] |= set(person.tray()) if hidden else set()
        person.confirm()

    play_hand(ann, borya, move=move)
    for name, other in (("Ann", "Боря"), ("Боря", "Ann")):
        assert len(thrown[name]) == 4
        assert not [card for card in thrown[name] if reached(card, other)]
        assert all(
            reached(str(card), other)
            for card in (ann.board(ann.seat) if name == "Ann" else borya.board(borya.seat)).cards
        )


def test_a_reload_in_mid_turn_shows_the_same_board_with_its_draft(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    for _ in (1, 2):
        assert ann.wait_for_turn()
        ann.tap("bottom")
        ann.tap("middle")
        before, tray = ann.board(ann.seat), ann.tray()
        ann.page.wait_for_timeout(300)
        ann.page.reload()
        expect(ann.page.locator("section.own [data-row=middle] [data-card]").first).to_be_visible()
        assert (ann.board(ann.seat), ann.tray()) == (before, tray)
        expect(ann.page).to_have_title(re.compile("Your turn"))
        ann.arrange()
        ann.confirm()


def test_street_one_is_laid_live_before_the_other(room: House, people: Arrive) -> None:
    ann, borya = people("Ann", locale="en-GB"), people("Боря")
    borya.sit(ann.open_table(room.url, seats=2, bots=0))
    for person in (ann, borya):
        person.ready()
    actor, watcher = (ann, borya) if ann.may_act() else (borya, ann)
    assert watcher.may_act() is False
    dealt = set(actor.tray())
    assert set(watcher.tray()) == dealt
    actor.tap("top")
    expect(watcher.page.locator(f"section.rival[data-seat='{actor.seat}'] [data-row=top] [data-card]")).to_have_count(1)
    assert watcher.board(actor.seat) == actor.board(actor.seat)
    # The draft is free: the card goes back, and the watcher sees that too.
    actor.page.locator("section.own [data-row=top] [data-card]").click()
    expect(watcher.page.locator(f"section.rival[data-seat='{actor.seat}'] [data-row=top] [data-card]")).to_have_count(0)


@pytest.mark.parametrize("state", ["cut", "hung"])
def test_a_lost_network_comes_back_by_itself(room: House, people: Arrive, state: str) -> None:
    network = Network(room.port)
    try:
        ann = people("Ann", locale="en-GB")
        ann.open_table(f"http://127.0.0.1:{network.port}", seats=2, bots=1)
        ann.ready()
        assert ann.wait_for_turn()
        ann.arrange()
        network.set("cut" if state == "cut" else "hung")
        ann.page.get_by_test_id("confirm").click()
        expect(ann.page.locator(".banner")).to_be_visible(timeout=20_000)
        network.set("cut")
        network.set("whole")
        expect(ann.page.locator(".banner")).to_be_hidden(timeout=20_000)
        # What was confirmed into the void has been sent again, once, and the hand goes on to its end.
        play_hand(ann)
        assert sum(points_shown(ann.page).values()) == 0
    finally:
        network.close()


def test_a_spent_clock_lays_the_cards_and_a_closed_tab_blocks_nobody(house: House, people: Arrive) -> None:
    table = lay_table(
        house.database,
        RuleSet(fantasyland="off", hand_seconds=10, bank_seconds=1, ready_seconds=3, showdown_seconds=1),
        bots=1,
    )
    house.start()
    ann, borya = people("Ann", locale="en-GB"), people("Боря")
    for person in (ann, borya):
        person.sit(f"{house.url}/t/{table}")
    for person in (ann, borya):
        person.ready()
    ann.page.close()
    while borya.wait_for_turn():
        borya.arrange()
        borya.confirm()
    assert sum(points_shown(borya.page).values()) == 0
    # The next hand begins without her; she comes back to her seat, sitting out, and returns.
    borya.ready()
    expect(borya.page.locator("main.counted")).to_have_count(0)
    assert borya.wait_for_turn()
    ann.page = ann.context.new_page()
    ann.page.goto(f"{house.url}/t/{table}")
    back = ann.page.get_by_role("button", name="Back to the game")
    expect(back).to_be_visible()
    borya.page.locator("main.counted").wait_for(timeout=60_000)
    back.click()
    borya.ready()
    ann.page.locator("section.own").wait_for()


def test_the_room_is_killed_in_mid_hand_and_the_browsers_go_on(house: House, people: Arrive) -> None:
    house.start()
    ann, borya = sit_three(house, people)
    for person in (ann, borya):
        person.ready()
    assert ann.may_act() is not None
    assert borya.may_act() is not None
    house.end(signal.SIGKILL)
    expect(ann.page.locator(".banner")).to_be_visible(timeout=20_000)
    house.start()
    for person in (ann, borya):
        expect(person.page.locator(".banner")).to_be_hidden(timeout=20_000)
    play_hand(ann, borya)
    assert points_shown(ann.page) == points_shown(borya.page)


def test_a_name_that_is_a_script_is_only_a_name(room: House, people: Arrive) -> None:
    cookie = room.guest("Ann")
    answer = room.call("POST", "/api/tables", {"name": "<img src=x>"}, cookie)
    assert answer.json["code"] == "bad-name"
    policy = room.call("GET", "/").headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]


def test_axe_finds_nothing_on_any_screen_in_both_languages_and_themes(room: House, people: Arrive) -> None:
    players = ann, borya = people("Ann", locale="en-GB", size=DESKTOP), people("Боря")
    found = dict[str, list[str]]()

    def look(person: Person, screen: str) -> None:
        for theme in ("light", "dark"):
            person.page.emulate_media(color_scheme="light" if theme == "light" else "dark")
            found[f"{screen}, {theme}, {person.name}"] = axe.faults(person.page)

    for person in players:
        person.page.goto(room.url)
        expect(person.page.get_by_role("heading").first).to_be_visible()
        look(person, "home")
    borya.sit(ann.open_table(room.url, seats=3, bots=1))
    for person in players:
        look(person, "seated")
    for person in players:
        person.ready()
    streets = dict.fromkeys(players, 0)

    def move(person: Person) -> None:
        streets[person] += 1
        if streets[person] < 3:
            person.tap(next(row for row in ("bottom", "middle", "top") if person.free(row)))
            look(person, f"street {streets[person]}")
        person.arrange()
        person.confirm()

    play_hand(*players, move=move)
    for person in players:
        look(person, "showdown")
        person.page.locator("header button.menu").click()
        person.page.locator("dialog").wait_for()
        look(person, "menu")
    assert json.dumps({screen: faults for screen, faults in found.items() if faults}, indent=1) == "{}"
    assert len(found) == 24
