"""The rule book as text, and what its tests need: known boards, decks that bring them, and tables that deal them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ananas.game.board import Board, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import Reckoning, reckon
from ananas.game.view import HandView
from ananas.refused import Code, Refused
from ananas.table.commands import Command, Confirm, Deal
from ananas.table.decide import order_of_play
from ananas.table.events import AnyEvent
from ananas.table.state import needs_deck
from ananas.table.view import Live, TableView, view_table
from tests.table.play import Play, deck

DOCS = Path(__file__).parents[2] / "docs"
BOOKS = {language: (DOCS / name).read_text() for language, name in (("en", "rules.md"), ("ru", "rules.ru.md"))}


def paragraphs(language: str) -> dict[str, str]:
    """The numbered paragraphs of a book, as printed: number and text up to the next number or heading."""
    parts = re.split(r"^(?:\*\*(\d+\.\d+)\.\*\* |## .*$)", BOOKS[language], flags=re.MULTILINE)
    return {number: text.strip() for number, text in zip(parts[1::2], parts[2::2], strict=True) if number}


def table_rows(number: str, language: str) -> list[list[str]]:
    """The cells of the tables that stand in a paragraph."""
    lines = [line for line in paragraphs(language)[number].splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


# -- boards, by name

LEGAL = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
"""Queens on top, and 11 points of royalties."""
PLAIN = "3c3d6h/7d7h4h4s2s/AhKsQcJsTh"
"""No Fantasyland, and 2 points of royalties."""
DEAD = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"
ALSO_DEAD = "JhJdJc/AsAd9s9c4c/3s4d5h6d7c"
"""These four share no card, so they can be dealt together."""
TRIPS = "9s9h9d/8s8h8d2c2h/TsTdTcAsAd"
"""What keeps one in Fantasyland by its top row, everywhere; it shares no card with PLAIN."""


def reckoned(*boards: str, rules: RuleSet = ROOM, stacks: Sequence[int] | None = None) -> Reckoning:
    """The showdown of these boards, the last on the button."""
    return reckon([Board.parse(board) for board in boards], range(len(boards)), rules, stacks=stacks)


def points(*boards: str, rules: RuleSet = ROOM) -> list[int]:
    return [player.points for player in reckoned(*boards, rules=rules).players]


# -- hands


def laid_to_the_end(hand: Hand) -> Hand:
    """The hand after the table has laid for everybody."""
    while hand.acting:
        player = hand.acting[0]
        hand = hand.place(player, hand.automatic(player, None))
    return hand


def refusal(hand: Hand, player: int, text: str) -> Code:
    with pytest.raises(Refused) as caught:
        hand.place(player, Placement.parse(text))
    return caught.value.code


def bringing(boards: Sequence[str], rules: RuleSet, fantasyland: Sequence[int]) -> tuple[Card, ...]:
    """A deck that brings these boards, in order of play, when everybody lays what he is dealt first from the bottom up."""
    parsed = [Board.parse(board) for board in boards]
    others = iter([card for card in DECK if not any(card in board.cards for board in parsed)])
    dealt: list[Card] = []
    for board, cards in zip(parsed, fantasyland, strict=True):
        wanted = iter(board.bottom + board.middle + board.top)
        streets = [(cards, 13)] if cards else list(zip(rules.deal, rules.place, strict=True))
        before = len(dealt)
        for many, laid in streets:
            dealt += [next(wanted) for _ in range(laid)]
            dealt += [next(others) for _ in range(many - laid)]
        dealt += [next(others) for _ in range(len(DECK) // len(boards) - (len(dealt) - before))]
    return (*dealt, *others)


# -- tables


class Evening(Play):
    """A table where it is known what each player's board will be: `hands` has, for each hand, the boards by seat.

    A hand that is not there is dealt from any deck. The button falls to the first seat.
    """

    def __init__(self, rules: RuleSet, players: str, *hands: Mapping[int, str]) -> None:
        self.boards = hands
        super().__init__(rules, players)

    def deal_if_owed(self) -> None:
        table = self.table
        if not needs_deck(table):
            return
        moves = not table.rights or table.rules.button_in_fantasyland == "moves"
        seats = order_of_play(table.called, table.button, self.lot, moves=moves)
        lays = [table.rights[seat].cards if seat in table.rights else 0 for seat in seats]
        known = self.boards[table.hands - 1] if table.hands <= len(self.boards) else None
        cards = deck(table.hands) if known is None else bringing([known[seat] for seat in seats], table.rules, lays)
        self.ask(Deal(deck=cards, lot=self.lot))

    def lay_all(self) -> None:
        """Everybody lays the board he is known to get."""
        while self.table.laying:
            self.lay_next(self.acting[0])

    def lay_next(self, player: str) -> tuple[AnyEvent, ...]:
        """A player lays his street in order of receipt."""
        place = self.table.players.index(player)
        placement, street = self.hand.automatic(place, None), self.hand.street_of(place)
        return self.ask(Confirm(player=player, hand=self.table.hands, street=street, placement=placement))

    def play(self) -> None:
        """Everybody is ready, lays his board, and so on until the match is over."""
        self.ready(*(seat.player for _, seat in self.table.seated))
        self.lay_all()
        while self.table.in_match:
            self.go_on(*self.table.players)
            self.lay_all()


def refused(play: Play, command: Command) -> Code:
    """Why the table refuses a command."""
    with pytest.raises(Refused) as caught:
        play.ask(command)
    return caught.value.code


def shown(play: Play, viewer: str | None, drafts: Mapping[int, Placement] | None = None) -> TableView:
    """What a viewer sees of the table."""
    return view_table(play.table, viewer, play.now, Live(drafts=drafts or {}))


def shown_hand(play: Play, viewer: str | None, drafts: Mapping[int, Placement] | None = None) -> HandView:
    hand = shown(play, viewer, drafts).hand
    assert hand is not None
    return hand
