"""A table to play at in tests: it keeps the log, deals when a deck is owed, and lays cards by position.

Cards are chosen by where they lie in the hand, never by what they are, so the same choices can be replayed on another deck.
"""

from __future__ import annotations

import hashlib

import msgspec

from ananas.game.board import ROWS, Placement, Row
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.table.clock import deadline
from ananas.table.commands import Command, Confirm, Deal, Leave, Open, Ready, Return, Sit, TimeOut
from ananas.table.decide import decide
from ananas.table.events import AnyEvent, Hidden
from ananas.table.evolve import evolve
from ananas.table.state import Seat, Table, needs_deck

NAMES = {"ann": "Ann", "bob": "Bob", "cyd": "Cyd", "dee": "Dee", "bot:0": "Kiwi", "bot:1": "Mango"}


def deck(number: int) -> tuple[Card, ...]:
    """A well mixed deck, always the same one for a number."""
    return tuple(sorted(DECK, key=lambda card: hashlib.sha256(f"{number} {card}".encode()).digest()))


def legal(hand: Hand, choice: int) -> Placement:
    """One of the placements the player to act may make; every one is reached by some choice."""
    player = hand.turn
    assert player is not None
    cards = list(hand.dealt(player))
    discards: list[Card] = []
    for _ in range(len(cards) - hand.rules.place[hand.street_of(player) - 1]):
        choice, slot = divmod(choice, len(cards))
        discards.append(cards.pop(slot))
    return _spread(hand, player, cards, discards, choice)


def unfinished(hand: Hand, choice: int) -> Placement:
    """A draft of the player to act: some of his cards in rows, the others still in his hand."""
    whole = legal(hand, choice)
    some = whole.laid[: choice % (len(whole.laid) + 1)]
    return Placement(*(tuple(card for card in whole.row(row) if card in some) for row in ROWS))


def _spread(hand: Hand, player: int, cards: list[Card], discards: list[Card], choice: int) -> Placement:
    rows: dict[Row, list[Card]] = {row: [] for row in ROWS}
    board = hand.boards[player]
    for card in cards:
        free = [row for row in ROWS if len(rows[row]) < board.room(row)]
        choice, place = divmod(choice, len(free))
        rows[free[place]].append(card)
    return Placement(*(tuple(cards) for cards in (*rows.values(), discards)))


def split(event: AnyEvent) -> tuple[bytes, bytes | None]:
    """An event as a store keeps it: what everybody may know, and apart from it what is hidden."""
    hidden = getattr(event, "hidden", None)
    public = msgspec.structs.replace(event, hidden=None) if hidden else event
    return msgspec.json.encode(public), msgspec.json.encode(hidden) if hidden else None


def join(public: bytes, hidden: bytes | None) -> AnyEvent:
    """An event as recovery reads it."""
    event = msgspec.json.decode(public, type=AnyEvent)
    return event if hidden is None else msgspec.structs.replace(event, hidden=msgspec.json.decode(hidden, type=Hidden))


class Play:
    """A table, its log, and the time there. Every command goes through `ask`."""

    def __init__(self, rules: RuleSet, players: str = "", lot: int = 0) -> None:
        self.now = 1_000_000
        self.lot = lot
        self.log: list[AnyEvent] = []
        self._table: Table | None = None
        self.ask(Open(table="t1", name="Friday", host="ann", rules=rules))
        self.sit(*players.split())

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    def seat(self, player: str) -> Seat:
        """The seat of a player who is seated."""
        return next(seat for _, seat in self.table.seated if seat.player == player)

    def ask(self, command: Command) -> tuple[AnyEvent, ...]:
        """Decide, keep and apply; checks that a refusal leaves the table as it was."""
        before = msgspec.json.encode(self._table)
        try:
            events = decide(self._table, command, self.now)
        finally:
            assert msgspec.json.encode(self._table) == before
        for event in events:
            self.log.append(event)
            self._table = evolve(self._table, event)
        return events

    def deal_if_owed(self) -> None:
        if needs_deck(self.table):
            self.ask(Deal(deck=deck(self.table.hands), lot=self.lot))

    def sit(self, *players: str) -> None:
        for player in players:
            self.ask(Sit(player=player, name=NAMES[player], bot=player.startswith("bot:")))

    def leave(self, *players: str) -> None:
        for player in players:
            self.ask(Leave(player=player))

    def come_back(self, *players: str) -> None:
        for player in players:
            self.ask(Return(player=player))

    def ready(self, *players: str, always: bool = False) -> None:
        for player in players:
            self.ask(Ready(player=player, hand=self.table.hands + 1, always=always))
        self.deal_if_owed()

    def confirm(self, choice: int = 0) -> tuple[AnyEvent, ...]:
        """Whoever is to act lays his street."""
        turn = self.table.turn
        assert turn is not None
        return self.ask(
            Confirm(
                player=self.table.players[turn],
                hand=self.table.hands,
                street=self.hand.street_of(turn),
                placement=legal(self.hand, choice),
            )
        )

    def finish(self) -> None:
        """Play the hand to its end."""
        while self.table.turn is not None:
            self.confirm()

    def time_out(self, draft: Placement | None = None) -> tuple[AnyEvent, ...]:
        """Wait until the deadline and let the alarm ring."""
        time = deadline(self.table)
        assert time is not None
        self.now = max(self.now, time)
        events = self.ask(TimeOut(draft=draft))
        self.deal_if_owed()
        return events
