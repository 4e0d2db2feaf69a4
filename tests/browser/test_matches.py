"""Whole matches in real browsers, with decks that were chosen: Fantasyland by every rule set, a bust, an absence.

The first button is the first seat's, so the second seat acts first; who enters Fantasyland is settled by the cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from ananas.game.board import Board, Placement
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from tests.browser.conftest import lay_table
from tests.browser.person import DESKTOP, Person, play_planned
from tests.browser.planted import deck_of, plant, streets
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]

QUEENS = "QsQd5c/KsKd4c4d2c/3h3d3c8c9h", "2d2h6d6h"
TRIPS = "2s2d2c/4c4d4h9s8s/3h3d3c8c8h", "5d5h6d6h"
STAYS = "KhKdQc/AsAh9d9c8h/5s5h5d5c2c", "TdTh3s4s"
LEAVES = "7c7d2h/8s8c3d3hAs/JsJdJhQsKs", "QdQh5h5c"
BESIDE = {  # what the other one lays beside these, out of cards they leave
    QUEENS: ("Jc9d7h/ThTd8d5h2s/AhAd9c6c5d", "7d7s4s3s"),
    TRIPS: ("Jc9d7h/ThTd8d5s6s/AhAd9c6cKd", "7d7s4s3s"),
    STAYS: ("Jc8c7h/TsTc8d6h2s/JsJd9h6c4d", "7d7s3c2d"),
    LEAVES: ("AcTc9h/KhKd9dQc6c/4s4h5s6d4d", "2d2s2c3c"),
}


def rows(board: Board) -> list[set[str]]:
    """What lies in each row, in whatever order."""
    return [set(map(str, cards)) for cards in (board.top, board.middle, board.bottom)]


class Match:
    """Two people at a table of these rules, and the hands they are going to play."""

    def __init__(self, house: House, people: Arrive, rules: RuleSet, hands: Sequence[tuple[str, str]]) -> None:
        self.house, self.rules, self.hands = house, rules, hands
        self.boards = [(Board.parse(hand[0]), Board.parse(BESIDE[hand][0])) for hand in hands]
        moves = rules.button_in_fantasyland == "moves"
        self.cards = [0, *self._cards()]
        # Marina sits on seat 0; by every second hand, where the button moves, she acts first.
        self.marina_first = [moves and bool(number % 2) for number in range(len(hands))]
        decks = []
        for number in range(len(hands)):
            marina, borya = self.plans(number)
            decks.append(deck_of(marina, borya) if self.marina_first[number] else deck_of(borya, marina))
        house.decks = house.database.with_name("decks")
        plant(house.decks, decks)
        table = lay_table(house.database, rules)
        house.start()
        self.marina, self.borya = people("Марина"), people("Боря", locale="en-GB", size=DESKTOP)
        for person in (self.marina, self.borya):
            person.sit(f"{house.url}/t/{table}")

    def _cards(self) -> list[int]:
        """With how many cards Marina lays each hand after the first, by the rules themselves."""
        found = list[int]()
        for marina, borya in self.boards[:-1]:
            laid = (found[-1] if found else 0, 0)
            repeats = (max(0, len(found) - 1), 0)
            results = reckon((marina, borya), (0, 1), self.rules, fantasyland=laid, repeats=repeats).players
            assert results[0].fantasyland, "the match is over sooner than planned"
            found.append(results[0].fantasyland)
        return found

    def plans(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What Marina lays in a hand, Fantasyland but for the first one, and what Boris lays street by street."""
        board, thrown = self.hands[number]
        other, away = BESIDE[self.hands[number]]
        cards = self.cards[number]
        mine = streets(board, thrown[: 2 * (cards - 13)], self.rules, fantasyland=True) if cards else None
        streets_thrown = sum(self.rules.deal) - 13
        mine = mine or streets(board, thrown[: 2 * streets_thrown], self.rules)
        return mine, streets(other, away[: 2 * streets_thrown], self.rules)

    def play(self, number: int) -> None:
        marina, borya = self.plans(number)
        play_planned({self.marina: marina, self.borya: borya})
        for person in (self.marina, self.borya):
            assert [rows(person.board(seat)) for seat in (0, 1)] == [rows(board) for board in self.boards[number]]

    def ready(self) -> None:
        for person in (self.marina, self.borya):
            person.ready()

    def go_on(self) -> None:
        """Both have seen the showdown; nobody is asked whether he is ready."""
        for person in (self.marina, self.borya):
            expect(person.page.get_by_test_id("ready")).to_have_count(0)
            person.page.get_by_test_id("go-on").click()


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
    match = Match(house, people, RULE_SETS[name], hands)
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


def test_nothing_of_fantasyland_reaches_the_other_before_the_showdown(house: House, people: Arrive) -> None:
    match = Match(house, people, RULE_SETS["room"], [QUEENS, STAYS])
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
    rules = RULE_SETS["room"].but({"hand_seconds": "12", "bank_seconds": "1"})
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
