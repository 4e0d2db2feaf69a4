"""A table to play at in tests: it keeps the log, deals when a deck is owed, and lays cards by position.

Cards are chosen by where they lie in the hand, never by what they are, so the same choices can be replayed on another deck.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Final

import msgspec

from ananas.fair import commitment
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card, Rank
from ananas.game.fantasyland import entry
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.refused import Refused
from ananas.table.clock import deadline
from ananas.table.commands import (
    Break,
    Command,
    CommitSeed,
    Confirm,
    Connect,
    Deal,
    Disconnect,
    GoOn,
    Leave,
    Open,
    OpenSeed,
    Ready,
    Resume,
    Return,
    Seal,
    Sit,
    TimeOut,
    TopUp,
    Void,
)
from ananas.table.decide import decide, order_of_play
from ananas.table.events import AnyEvent, VoidReason, read_events
from ananas.table.evolve import evolve
from ananas.table.seeds import hand_id
from ananas.table.state import Seat, Table, needs_deck, to_be_sealed

NAMES = {"ann": "Ann", "bob": "Bob", "cyd": "Cyd", "dee": "Dee", "eve": "Eve", "bot:0": "Kiwi", "bot:1": "Mango"}


def deck(number: int) -> tuple[Card, ...]:
    """A well mixed deck, always the same one for a number."""
    return tuple(sorted(DECK, key=lambda card: hashlib.sha256(f"{number} {card}".encode()).digest()))


def legal(hand: Hand, choice: int, player: int | None = None) -> Placement:
    """One of the placements a player who acts may make, the first of them by default; some choice reaches each."""
    player = hand.acting[0] if player is None else player
    cards = list(hand.dealt(player))
    discards: list[Card] = []
    for _ in range(len(cards) - hand.to_lay(player)):
        choice, slot = divmod(choice, len(cards))
        discards.append(cards.pop(slot))
    return _spread(hand, player, cards, discards, choice)


def unfinished(hand: Hand, choice: int, player: int | None = None) -> Placement:
    """A draft of a player who acts: some of his cards in rows, the others still in his hand."""
    whole = legal(hand, choice, player)
    some = whole.laid[: choice % (len(whole.laid) + 1)]
    return Placement(*(tuple(card for card in whole.row(row) if card in some) for row in ROWS))


def lucky(hand: Hand, choice: int, player: int | None = None) -> Placement:
    """What one who knows all his cards beforehand lays: he means to get into Fantasyland, and to stay there.

    He looks at the cards; where his board does not allow it any more, he lays as `legal` does.
    """
    player = hand.acting[0] if player is None else player
    dealt, needed = hand.dealt(player), hand.to_lay(player)
    wanted = _target(hand, player)
    kept = sorted(dealt, key=lambda card: card not in wanted)[:needed]
    rows = [[card for card in kept if wanted.get(card, Row.BOTTOM) is row] for row in ROWS]
    rest = [card for card in dealt if card not in kept]
    placement = Placement(*(tuple(cards) for cards in (*rows, rest)))
    try:
        hand.place(player, placement)
    except Refused:
        return legal(hand, choice, player)
    return placement


def _target(hand: Hand, player: int) -> Mapping[Card, Row]:
    """Where thirteen of his cards would go: three pairs that rise from top to bottom, or all that is alike together."""
    own = player * (52 // len(hand.seats))
    cards = hand.deck[own : own + 52 // len(hand.seats)]
    if hand.fantasyland[player]:
        streets = [(cards[: hand.fantasyland[player]], 13)]
    else:
        ends = list(accumulate(hand.rules.deal, initial=0))
        streets = [(cards[ends[i] : ends[i + 1]], laid) for i, laid in enumerate(hand.rules.place)]
    alike = Counter(card.rank for dealt, _ in streets for card in dealt)
    by_weight = [sorted(dealt, key=lambda card: (-alike[card.rank], -card.rank))[:laid] for dealt, laid in streets]
    kept = [card for street in by_weight for card in street]
    pairs: dict[Rank, list[Card]] = {}
    for card in kept:
        pairs.setdefault(card.rank, []).append(card)
    doubles = sorted((rank for rank, same in pairs.items() if len(same) > 1), reverse=True)[:3]
    rest = sorted((card for card in kept), key=lambda card: (-len(pairs[card.rank]), -card.rank))
    plans = [rest]
    if len(doubles) == 3:
        heads = [pairs[rank][:2] for rank in doubles]
        others = [card for card in rest if all(card not in head for head in heads)]
        plans.append([*heads[0], *others[:3], *heads[1], *others[3:6], *heads[2], *others[6:]])
    boards = [Board(tuple(plan[10:]), tuple(plan[5:10]), tuple(plan[:5])) for plan in plans]
    best = max(boards, key=lambda board: (not fouled(board, hand.rules), entry(board, hand.rules)))
    return {card: row for row in ROWS for card in best.row(row)}


def rich_deck(number: int) -> tuple[Card, ...]:
    """A deck in which what is alike lies together; always the same one for a number."""
    order = {rank: hashlib.sha256(f"{number} {rank}".encode()).digest() for rank in Rank}
    return tuple(sorted(DECK, key=lambda card: order[card.rank]))


BOARDS: Final[Mapping[str, Mapping[str, str]]] = {
    "ann": {
        "in": "QsQd5c/8s8h8dKc2h/6s7s8c9dTs",
        "plain": "8c9dTs/8s8h2h5cKc/QsQd8d6s7s",
        "stays": "2h5cKc/QsQd6s7s9d/8s8h8d8cTs",
        "dead": "QsQd5c/2h6s7sKc9d/8s8h8d8cTs",
    },
    "bob": {
        "in": "AsAd3s/9s9c4c4d5h/JhJdJc4h4s",
        "plain": "3s4c5h/9s9c4dAsAd/JhJdJc4h4s",
        "stays": "3s5h9s/AsAdJhJd9c/4c4d4h4sJc",
        "dead": "AsAd3s/4c5h9s9cJh/JdJc4d4h4s",
    },
    "cyd": {
        "in": "KhKd3h/7h7d7c6hKs/TdTcTh6d6c",
        "plain": "3h6hTh/7h7dKh6d6c/KdKsTdTc7c",
        "stays": "6h6d6c/7h7d7cTh3h/KhKdKsTdTc",
        "dead": "KhKd3h/6h7hThTdKs/6d6c7d7cTc",
        "strong": "3h6hTh/7h7d7c6d6c/KhKdKsTdTc",
    },
    "dee": {
        "in": "QhQc3d/AcAh9h5sJs/2s2d2c3c5d",
        "plain": "3d5sJs/QhQc3c5d9h/AcAh2s2d2c",
        "dead": "QhQc3d/5s5d9hJs3c/AcAh2s2d2c",
    },
}
"""Boards of one deck, each player's out of thirteen cards of his own: what gets into Fantasyland by the rules of the
room, does not, would stay there, is dead. Cyd's board that stays gets in as well; his strong one beats any that gets in."""


def stacked(table: Table, order: tuple[int, ...], plan: Mapping[str, Board]) -> tuple[Card, ...]:
    """A deck that deals everybody the cards of his planned board, street by street, and others to throw away."""
    playing = [seat.player for number, seat in table.seated if number in order]
    rest = [card for card in DECK if not any(card in plan[player].cards for player in playing if player in plan)]
    dealt: list[Card] = []
    for number in order:
        seat, right = table.seats[number], table.rights.get(number)
        assert seat
        board = list(plan[seat.player].cards) if seat.player in plan else [rest.pop(0) for _ in range(13)]
        streets = [(right.cards, 13)] if right else list(zip(table.rules.deal, table.rules.place, strict=True))
        own: list[Card] = []
        for cards, laid in streets:
            own += [board.pop(0) for _ in range(laid)] + [rest.pop() for _ in range(cards - laid)]
        dealt += own + [rest.pop() for _ in range(52 // len(order) - len(own))]
    return (*dealt, *rest)


def _spread(hand: Hand, player: int, cards: list[Card], discards: list[Card], choice: int) -> Placement:
    rows: dict[Row, list[Card]] = {row: [] for row in ROWS}
    board = hand.boards[player]
    for card in cards:
        free = [row for row in ROWS if len(rows[row]) < board.room(row)]
        choice, place = divmod(choice, len(free))
        rows[free[place]].append(card)
    return Placement(*(tuple(cards) for cards in (*rows.values(), discards)))


def hexadecimal(what: str, digits: int) -> str:
    """Digits that nobody would guess, always the same for a text."""
    return hashlib.sha256(what.encode()).hexdigest()[:digits]


def seed_of(player: str, hand: int) -> str:
    """What a player has to do with the shuffle of a hand."""
    return hexadecimal(f"the seed of {player} for hand {hand}", 32)


def seal(table: Table) -> Seal:
    """Sealed decks for the hand to come. The table never looks behind the root, so here there are none behind it."""
    hand = to_be_sealed(table)
    alias = hexadecimal(f"alias {hand}", 16)
    return Seal(master=hexadecimal(f"master {hand}", 64), root=hexadecimal(f"root {hand}", 64), alias=alias)


def commit_seed(table: Table, player: str, hand: int | None = None) -> CommitSeed:
    """A player binds himself to his seed for a hand, the one to come by default."""
    hand, seat = table.hands + 1 if hand is None else hand, table.seat_of(player)
    alias = table.sealed.alias if table.sealed is not None and table.sealed.hand == hand else ""
    bound = commitment(hand_id(table.id, hand, alias), 0 if seat is None else seat, seed_of(player, hand))
    return CommitSeed(player=player, hand=hand, commitment=bound)


def open_seed(table: Table, player: str, hand: int | None = None) -> OpenSeed:
    """A player tells his seed for a hand, the one called last by default."""
    hand = table.hands if hand is None else hand
    return OpenSeed(player=player, hand=hand, seed=seed_of(player, hand))


def split(event: AnyEvent) -> tuple[bytes, bytes | None]:
    """An event as a store keeps it: what everybody may know, and apart from it what is hidden."""
    hidden = getattr(event, "hidden", None)
    public = msgspec.structs.replace(event, hidden=None) if hidden else event
    return msgspec.json.encode(public), msgspec.json.encode(hidden) if hidden else None


def join(public: bytes, hidden: bytes | None) -> AnyEvent:
    """An event as recovery reads it."""
    (event,) = read_events(b"[%b]" % public, hidden and b"[%b]" % hidden)
    return event


class Play:
    """A table, its log, and the time there. Every command goes through `ask`; `decks` says what is dealt."""

    def __init__(
        self, rules: RuleSet, players: str = "", lot: int = 0, decks: Callable[[int], tuple[Card, ...]] = deck
    ) -> None:
        self.now = 1_000_000
        self.lot = lot
        self.decks = decks
        self.plan: dict[str, Board] = {}
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
            table = self.table
            moves = not table.rights or table.rules.button_in_fantasyland == "moves"
            order = order_of_play(table.called, table.button, self.lot, moves=moves)
            cards = stacked(table, order, self.plan) if self.plan else self.decks(table.hands)
            self.ask(Deal(deck=cards, lot=self.lot))

    def next(self, **boards: str) -> None:
        """The hands to come are dealt so that these players can lay these boards, told by a word or written out."""
        self.plan = {player: Board.parse(BOARDS.get(player, {}).get(board, board)) for player, board in boards.items()}

    def sit(self, *players: str, buy_in: int | None = None) -> None:
        for player in players:
            self.ask(Sit(player=player, name=NAMES[player], bot=player.startswith("bot:"), buy_in=buy_in))

    def leave(self, *players: str) -> None:
        for player in players:
            self.ask(Leave(player=player))

    def come_back(self, *players: str) -> None:
        for player in players:
            self.ask(Return(player=player))

    def stop(self, player: str = "ann") -> tuple[AnyEvent, ...]:
        """The host, Ann unless she has passed the role on, stops the game."""
        return self.ask(Break(player=player, on=True))

    def resume(self, player: str = "ann") -> tuple[AnyEvent, ...]:
        """Somebody lets the game go on."""
        events = self.ask(Break(player=player, on=False))
        self.deal_if_owed()
        return events

    def seal(self) -> None:
        """The hand to come gets its sealed decks, if it has none yet."""
        if to_be_sealed(self.table) is not None:
            self.ask(seal(self.table))

    def bind(self, *players: str) -> None:
        """These bind themselves to their seeds for the hand to come, once its decks are sealed."""
        self.seal()
        for player in players:
            self.ask(commit_seed(self.table, player))

    def open(self, *players: str) -> None:
        """These tell their seeds; the hand is dealt when nobody is waited for any more."""
        for player in players:
            self.ask(open_seed(self.table, player))
        self.deal_if_owed()

    def void(self, reason: VoidReason = "fault") -> tuple[AnyEvent, ...]:
        """The hand does not count."""
        return self.ask(Void(reason=reason))

    def outage(self, seconds: int) -> tuple[AnyEvent, ...]:
        """The room is away, and comes back."""
        self.now += 1000 * seconds
        return self.ask(Resume(lost_ms=1000 * seconds))

    def disconnect(self, *players: str) -> None:
        for player in players:
            self.ask(Disconnect(player=player))
            self.deal_if_owed()

    def connect(self, *players: str) -> None:
        for player in players:
            self.ask(Connect(player=player))
            self.deal_if_owed()

    def top_up(self, player: str, to: int) -> None:
        self.ask(TopUp(player=player, to=to))
        self.deal_if_owed()

    def go_on(self, *players: str) -> None:
        """These have seen the showdown and wait for the next hand of the match."""
        for player in players:
            self.ask(GoOn(player=player, hand=self.table.hands))
        self.deal_if_owed()

    def ready(self, *players: str, always: bool = False) -> None:
        for player in players:
            self.ask(Ready(player=player, hand=self.table.hands + 1, always=always))
        self.deal_if_owed()

    @property
    def acting(self) -> tuple[str, ...]:
        """The players who have cards to lay now, in order of play; nobody outside a hand."""
        return tuple(self.table.players[turn] for turn in self.hand.acting) if self.table.laying else ()

    def confirm(self, choice: int = 0, player: str | None = None) -> tuple[AnyEvent, ...]:
        """A player who acts, the first of them by default, lays his street."""
        turn = self.hand.acting[0] if player is None else self.table.players.index(player)
        return self.ask(
            Confirm(
                player=self.table.players[turn],
                hand=self.table.hands,
                street=self.hand.street_of(turn),
                placement=legal(self.hand, choice, turn),
            )
        )

    def lay(self, player: str, text: str) -> tuple[AnyEvent, ...]:
        """A player lays the street he has to lay next, as written."""
        street = self.hand.street_of(self.table.players.index(player))
        placement = Placement.parse(text)
        events = self.ask(Confirm(player=player, hand=self.table.hands, street=street, placement=placement))
        self.deal_if_owed()
        return events

    def finish(self, choice: int = 0) -> None:
        """Play the hand to its end, as planned where boards were planned."""
        while self.table.laying:
            if self.plan:
                self.as_planned()
            else:
                self.confirm(choice)

    def as_planned(self, player: str | None = None) -> tuple[AnyEvent, ...]:
        """A player who acts, the first of them by default, lays his street of the planned board."""
        player = self.acting[0] if player is None else player
        turn, board = self.table.players.index(player), self.plan[player]
        dealt = self.hand.dealt(turn)
        rows = [[card for card in dealt if card in board.row(row)] for row in ROWS]
        placement = Placement(*(tuple(cards) for cards in (*rows, [card for card in dealt if card not in board.cards])))
        street = self.hand.street_of(turn)
        return self.ask(Confirm(player=player, hand=self.table.hands, street=street, placement=placement))

    def scored(self, **boards: str) -> None:
        """Call a match of these players, who lay these boards; it is counted when this returns."""
        self.next(**boards)
        self.ready(*(player for player in boards if not self.seat(player).ready))
        self.finish()

    def time_out(self, drafts: Mapping[int, Placement] | None = None) -> tuple[AnyEvent, ...]:
        """Wait until the deadline and let the alarm ring."""
        time = deadline(self.table)
        assert time is not None
        self.now = max(self.now, time)
        events = self.ask(TimeOut(drafts=drafts or {}))
        self.deal_if_owed()
        return events
