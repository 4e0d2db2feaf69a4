"""Whole matches in real browsers, with decks that were chosen: Fantasyland by every rule set, a bust, an absence."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from ananas.game.board import Board, Placement
from ananas.game.rules import RULE_SETS
from tests.browser.conftest import lay_table
from tests.browser.match import BESIDE, LEAVES, QUEENS, STAYS, TRIPS, Match, rows
from tests.browser.person import DESKTOP, Person, play_planned
from tests.browser.planted import deck_of, plant, streets
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("room", [QUEENS, STAYS, LEAVES]),
        ("club", [QUEENS, STAYS, STAYS]),
        ("club-pineapple", [QUEENS, STAYS, STAYS]),
        ("progressive", [TRIPS, LEAVES]),
    ],
)
def test_a_match_with_fantasyland(house: House, people: Arrive, name: str, hands: list[tuple[str, str]]) -> None:
    match = Match(house, people, RULE_SETS[name].but({"showdown_seconds": "60"}), hands)
    match.ready()
    for number in range(len(hands)):
        if number:
            match.go_on()
        match.play(number)
        last = number == len(hands) - 1
        expected = 0 if last else match.cards[number + 1]
        announced = match.marina.page.get_by_test_id("next-fantasy")
        expect(announced).to_have_count(0 if last else 1)
        if expected:
            expect(announced).to_contain_text(str(expected))
    # The match is over: everybody is asked again, and its result is said.
    for person in (match.marina, match.borya):
        expect(person.page.locator("[data-testid=ready], [data-testid=chips]")).to_be_visible()
        expect(person.page.get_by_test_id("match")).to_be_visible()
        assert person.noise == []


def test_always_ready_stays_as_it_was_set_and_never_says_ready(house: House, people: Arrive) -> None:
    match = Match(house, people, RULE_SETS["room"].but({"showdown_seconds": "60"}), [LEAVES])
    match.ready()
    match.play(0)
    always, ready = (match.marina.page.get_by_test_id(name) for name in ("always", "ready"))
    always.check()
    match.borya.ready()
    expect(ready).to_contain_text("1 из 2")
    expect(always).to_be_checked()
    always.uncheck()
    match.borya.page.reload()  # another view reaches her
    expect(match.borya.page.get_by_test_id("waiting")).to_contain_text("1 of 2")
    expect(always).not_to_be_checked()
    expect(ready).to_contain_text("1 из 2")


def test_fantasyland_is_given_up_only_when_asked_twice(house: House, people: Arrive) -> None:
    match = Match(house, people, RULE_SETS["room"].but({"showdown_seconds": "60"}), [QUEENS, LEAVES])
    match.ready()
    match.play(0)
    page = match.marina.page
    page.locator("header button.menu").click()
    with page.expect_download() as history:
        page.get_by_test_id("save-hand").click()
    assert history.value.suggested_filename == "hand-1.ofc"
    page.get_by_role("button", name="Отказаться от фантазии").click()
    expect(page.get_by_test_id("lapsed")).to_have_count(0)
    page.get_by_test_id("waive").click()
    for person in (match.marina, match.borya):
        expect(person.page.get_by_test_id("lapsed")).to_be_visible()


def test_fantasyland_comes_after_the_others(house: House, people: Arrive) -> None:
    rules = RULE_SETS["room"].but({"showdown_seconds": "60"})
    base, fantasyland = streets(*QUEENS, rules), streets(LEAVES[0], LEAVES[1][:2], rules, fantasyland=True)
    first, second = streets(*BESIDE[QUEENS], rules), streets(*BESIDE[LEAVES], rules)
    house.decks = house.database.with_name("decks")
    plant(house.decks, [deck_of(base, first, ()), deck_of(second, (), fantasyland)])  # a bot sits on the first seat
    table = lay_table(house.database, rules, bots=1)
    house.start()
    marina, borya = people("Марина"), people("Боря", locale="en-GB", size=DESKTOP)
    for person in (marina, borya):
        person.sit(f"{house.url}/t/{table}")
    for person in (marina, borya):
        person.ready()
    play_planned({marina: base, borya: first})
    for person in (marina, borya):
        person.page.get_by_test_id("go-on").click()
    expect(borya.page.locator("main.counted")).to_have_count(0)
    # While he lays his first street in the open she sees where each card goes, and has none of her own.
    assert borya.wait_for_turn()
    borya.tap("bottom")
    expect(marina.page.locator("section[data-seat='2'] [data-row=bottom] [data-card]")).to_have_count(1)
    expect(marina.page.locator("button.lay")).to_have_count(0)
    borya.page.keyboard.press("Escape")
    play_planned({marina: fantasyland, borya: second})
    assert rows(marina.board(1)) == rows(Board.parse(LEAVES[0])) == rows(borya.board(1))
    for person in (marina, borya):
        assert person.noise == []


def test_nothing_of_fantasyland_reaches_the_other_before_the_showdown(house: House, people: Arrive) -> None:
    match = Match(house, people, RULE_SETS["room"].but({"showdown_seconds": "60"}), [QUEENS, STAYS])
    frames = list[str]()
    match.borya.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    match.borya.page.reload()
    match.ready()
    match.play(0)
    match.go_on()
    for person in (match.marina, match.borya):
        expect(person.page.locator("button.lay").first).to_be_visible()
    before = len(frames)
    match.marina.follow(Placement.parse(match.plans(1)[0][0]))
    match.marina.confirm()
    done = match.borya.page.locator("section[data-seat='0']")
    expect(done).to_contain_text(re.compile("done|laid|ready", re.IGNORECASE))
    told = set(re.findall("[2-9TJQKA][cdhs]", "".join(frames[before:])))
    assert len(frames) > before
    assert not told & {str(card) for card in Placement.parse(match.plans(1)[0][0]).cards}


def test_a_bust_is_topped_up_in_the_pause(house: House, people: Arrive) -> None:
    rules = RULE_SETS["room"].but({"buy_in": "5-20", "showdown_seconds": "60"})
    match = Match(house, people, rules, [QUEENS, LEAVES])
    match.ready()
    match.play(0)
    expect(match.marina.page.get_by_test_id("paid")).to_be_visible()  # thirteen were won, five could be paid
    match.marina.page.get_by_test_id("go-on").click()
    expect(match.marina.page.locator("main")).to_contain_text("Боря")
    match.borya.page.get_by_test_id("bring").click()
    match.borya.page.get_by_test_id("go-on").click()
    match.play(1)
    for person in (match.marina, match.borya):
        expect(person.page.locator("[data-testid=ready], [data-testid=chips]")).to_be_visible()
        assert person.noise == []


def test_a_bust_that_is_not_topped_up_ends_the_match_and_says_why(house: House, people: Arrive) -> None:
    rules = RULE_SETS["room"].but({"buy_in": "5-20", "ready_seconds": "1", "showdown_seconds": "2"})
    match = Match(house, people, rules, [QUEENS, LEAVES])
    match.ready()
    match.play(0)
    # Nobody does anything: the time for chips runs out, and the table is at rest between matches.
    expect(match.marina.page.get_by_test_id("ready")).to_be_visible(timeout=15_000)
    expect(match.marina.page.get_by_test_id("said")).to_contain_text(re.compile("фантази", re.IGNORECASE))
    # Between matches he brings as many as the rules allow, and plays on.
    match.borya.page.get_by_test_id("chips").click()
    match.borya.page.get_by_test_id("bring").click()
    match.ready()
    expect(match.marina.page.locator("button.lay").first).to_be_visible()


def test_who_goes_away_is_laid_for_sits_out_and_returns(house: House, people: Arrive) -> None:
    rules = RULE_SETS["room"].but({"hand_seconds": "12", "bank_seconds": "2"})
    match = Match(house, people, rules, [LEAVES])
    match.ready()
    address = match.borya.page.url
    expect(match.borya.page.locator("button.lay").first).to_be_visible()
    match.borya.page.goto("about:blank")
    (marina, _) = match.plans(0)
    play_planned({match.marina: marina})
    assert rows(match.marina.board(0)) == rows(match.boards[0][0])
    assert match.marina.board(1).full
    expect(match.marina.page.locator("main")).to_contain_text(re.compile("пропускает|сит-аут", re.IGNORECASE))
    match.borya.page.goto(address)
    match.borya.page.locator(".bottom .button.gold").click()
    match.marina.ready()
    for person in (match.marina, match.borya):
        expect(person.page.locator("main.counted")).to_have_count(0)
    expect(match.marina.page.locator("button.lay, .wait").first).to_be_visible()


def test_who_comes_back_plays_from_the_next_hand_of_the_match(house: House, people: Arrive) -> None:
    rules = RULE_SETS["room"].but({"hand_seconds": "12", "bank_seconds": "1", "showdown_seconds": "60"})
    match = Match(house, people, rules, [QUEENS, STAYS, LEAVES])
    match.ready()
    address = match.borya.page.url
    expect(match.borya.page.locator("button.lay").first).to_be_visible()
    match.borya.page.goto("about:blank")
    for number in (0, 1):  # the second hand is Marina's Fantasyland: it is played, and laid for him at once
        if number:
            match.marina.page.get_by_test_id("go-on").click()
        play_planned({match.marina: match.plans(number)[0]})
    match.borya.page.goto(address)
    match.go_on()
    match.play(2)
    expect(match.marina.page.get_by_test_id("ready")).to_be_visible()
