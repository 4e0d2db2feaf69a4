"""Two people and a match whose cards were chosen: what each is dealt, what he lays, who gets Fantasyland.

The first button is the first seat's, so the second seat acts first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from playwright.sync_api import expect

from ananas.game.board import Board
from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.scoring import reckon
from tests.browser.conftest import lay_table
from tests.browser.person import DESKTOP, Person, play_planned
from tests.browser.planted import deck_of, plant, streets
from tests.server.house import House

QUEENS = "QsQd5c/KsKd4c4d2c/3h3d3c8c9h", "2d2h6d6h"
TRIPS = "2s2d2c/4c4d4h9s8s/3h3d3c8c8h", "5d5h6d6h"
STAYS = "KhKdQc/AsAh9d9c8h/5s5h5d5c2c", "TdTh3s4s"
LEAVES = "7c7d2h/8s8c3d3hAs/JsJdJhQsKs", "QdQh5h5c"
BESIDE: Mapping[tuple[str, str], tuple[str, str]] = {  # what the other one lays beside these, out of cards they leave
    QUEENS: ("Jc9d7h/ThTd8d5h2s/AhAd9c6c5d", "7d7s4s3s"),
    TRIPS: ("Jc9d7h/ThTd8d5s6s/AhAd9c6cKd", "7d7s4s3s"),
    STAYS: ("Jc8c7h/TsTc8d6h2s/JsJd9h6c4d", "7d7s3c2d"),
    LEAVES: ("AcTc9h/KhKd9dQc6c/4s4h5s6d4d", "2d2s2c3c"),
}


def rows(board: Board) -> list[set[str]]:
    """What lies in each row, in whatever order."""
    return [set(map(str, cards)) for cards in (board.top, board.middle, board.bottom)]


class Plan:
    """The hands that two people are going to play by these rules: what each is dealt, and what he lays."""

    def __init__(self, rules: RuleSet, hands: Sequence[tuple[str, str]]) -> None:
        self.rules, self.hands = rules, hands
        self.boards = [(Board.parse(hand[0]), Board.parse(BESIDE[hand][0])) for hand in hands]
        moves = rules.button_in_fantasyland == "moves"
        self.cards = [0, *self._cards()]
        # Marina sits on seat 0; by every second hand, where the button moves, she acts first.
        self.marina_first = [moves and bool(number % 2) for number in range(len(hands))]

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

    def plant(self, house: House) -> None:
        """Let a room that is not yet open deal these hands."""
        decks = list[tuple[Card, ...]]()
        for number in range(len(self.hands)):
            marina, borya = self.plans(number)
            decks.append(deck_of(marina, borya) if self.marina_first[number] else deck_of(borya, marina))
        house.decks = house.database.with_name("decks")
        plant(house.decks, decks)


class Match(Plan):
    """Two people at a table of these rules, and the hands they are going to play."""

    def __init__(
        self, house: House, people: Callable[..., Person], rules: RuleSet, hands: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(rules, hands)
        self.house = house
        self.plant(house)
        table = lay_table(house.database, rules)
        house.start()
        self.marina, self.borya = people("Марина"), people("Боря", locale="en-GB", size=DESKTOP)
        for person in (self.marina, self.borya):
            person.sit(f"{house.url}/t/{table}")

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
