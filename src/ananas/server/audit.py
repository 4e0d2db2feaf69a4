"""What can be said of a database from its log alone, and who has looked at what is hidden in it.

`recount` plays every hand again from the deck and what was laid, counts it, and keeps accounts of its own; it says where
the log tells something else. `note` writes down that somebody looks at hidden cards, before he does. What belongs here:
what `ananas check` knows. What does not: how a hand is played, which is asked of the rules; SQL of the log.
"""

from __future__ import annotations

import os
import pwd
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ananas import fair
from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import ENGINE, RuleSet
from ananas.game.secret import SECRET
from ananas.refused import Refused
from ananas.server.store import UNREADABLE, Row
from ananas.table.account import account
from ananas.table.decide import order_of_play
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    Confirmed,
    DeckSealed,
    HandCalled,
    HandDealt,
    HandScored,
    HandVoided,
    Left,
    Opened,
    RightsLapsed,
    RulesChanged,
    Sat,
    SeedCommitted,
    SeedOpened,
    ToppedUp,
)
from ananas.table.evolve import evolve
from ananas.table.seeds import hand_id
from ananas.table.state import Table

BUSY_SECONDS: Final = 5.0
"""How long a note waits for a room that writes."""


class Finding(NamedTuple):
    """Something a log says that cannot be, and the version at which it does; it names no card."""

    version: int
    what: str


class Recount(NamedTuple):
    """A table's log played again: how many commands and counted hands it has, and what is wrong with it.

    `unsealed`: how many of the hands dealt came from decks that nobody had sealed, as those of earlier versions.
    """

    version: int
    hands: int
    unsealed: int
    found: tuple[Finding, ...]


def recount(rows: Sequence[Row]) -> Recount:
    """Play a log again, and compare what comes of it with what it says; the rows have their hidden parts."""
    books = _Books()
    for row in rows:
        for event in row.events:
            books.version = row.mark.version
            try:
                books.enter(event)
            except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, Refused) as error:
                # Of a refusal only what kind it is: its words name cards.
                reason = f"refused ({error.code})" if isinstance(error, Refused) else str(error)
                books.say(f"{type(event).__name__} does not follow: {reason}")
                books.hand = None
    table = _fold(rows, books)
    if table is not None:
        books.compare(table)
    return Recount(books.version, books.counted, books.unsealed, tuple(books.found))


def _fold(rows: Sequence[Row], books: _Books) -> Table | None:
    """The table as the room makes it from its log; None where it cannot, which is a finding."""
    table: Table | None = None
    for row in rows:
        for event in row.events:
            try:
                table = evolve(table, event)
            except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, Refused) as error:
                reason = f"refused ({error.code})" if isinstance(error, Refused) else str(error)
                books.version = row.mark.version
                books.say(f"the room cannot read on: {reason}")
                return None
    return table


def _seats(seats: Sequence[int]) -> str:
    """As people count them."""
    return ", ".join(str(seat + 1) for seat in seats)


class _Place(msgspec.Struct):
    """Who sits somewhere, and what he has and has brought."""

    player: str
    stack: int
    brought: int


class _Decks(NamedTuple):
    """The sealed decks of a hand, and by seat the seeds of its players; `name`: the hand's, in all that seals it."""

    hand: int
    name: str
    root: str
    master: str
    seeds: dict[int, fair.Seed]

    def __repr__(self) -> str:
        return f"_Decks(hand={self.hand}, {SECRET})"


_Rights = dict[int, tuple[int, int]]
"""By seat, the cards of the next hand's Fantasyland, and how often in a row it is a stay."""


class _Books:
    """Accounts kept from events alone, beside those of the room."""

    def __init__(self) -> None:
        self.version = 0
        self.counted = 0
        self.found: list[Finding] = []
        self.hand: Hand | None = None
        self._table = ""
        self._rules = RuleSet()
        self._places: dict[int, _Place] = {}
        self._gone: dict[str, _Place] = {}
        self._won: dict[str, int] = {}
        self._number = 0
        self._called: tuple[int, ...] = ()
        self._rights: _Rights = {}
        self._button: int | None = None
        self._before: tuple[_Rights, int | None] = ({}, None)
        self._decks: _Decks | None = None
        self.unsealed = 0
        self._sealed_before = False

    def say(self, what: str) -> None:
        """Note that something is wrong at this version."""
        self.found.append(Finding(self.version, what))

    def enter(self, event: AnyEvent) -> None:
        """Enter one event; what it says that cannot be is noted, and it is believed from there on."""
        match event:
            case Opened():
                self._table, self._rules = event.table, event.rules
            case RulesChanged():
                self._rules = event.rules
            case Sat() | ToppedUp() | Left():
                self._chips(event)
            case DeckSealed() | SeedCommitted() | SeedOpened():
                self._seal(event)
            case HandCalled():
                self._number, self._called = event.hand, event.seats
                self._before = (self._rights, self._button)
            case HandDealt():
                self._deal(event)
            case Confirmed() | AutoPlaced():
                self._place(event)
            case HandScored():
                self._score(event)
            case RightsLapsed():
                self._rights = {}
            case HandVoided():
                self._rights, self._button = self._before
                self.hand, self._called = None, ()
            case _:
                pass

    def compare(self, table: Table) -> None:
        """Compare with the table that the room makes of the same log."""
        theirs = {seat.player: (seat.stack, seat.brought) for _, seat in table.seated}
        theirs |= {player: (purse.stack, purse.brought) for player, purse in table.gone.items()}
        own = {place.player: (place.stack, place.brought) for place in self._places.values()}
        own |= {player: (place.stack, place.brought) for player, place in self._gone.items()}
        if theirs != own:
            self.say(f"the room has stacks and chips brought {theirs}, which come to {own}")
        try:
            players = account(table, None).players
        except ValueError as error:
            self.say(f"the table's account does not add up: {error}")
            return
        sums = [sum(getattr(player, what) for player in players) for what in ("points", "money", "due")]
        if any(sums):
            self.say(f"points, money and what is due of the table's account add up to {sums}, not to 0")
        if table.hands != self._number:
            self.say(f"the room counts {table.hands} hands, and {self._number} were called")

    # -- chips

    def _chips(self, event: Sat | ToppedUp | Left) -> None:
        if isinstance(event, Left):
            place = self._places.pop(event.seat)
            if self._decks is not None:
                self._decks.seeds.pop(event.seat, None)
            self._gone[place.player] = place
            return
        if isinstance(event, Sat):
            if event.seat in self._places:
                self.say(f"two sit on seat {event.seat + 1}")
            self._gone.pop(event.player, None)
            place = self._places[event.seat] = _Place(event.player, event.stack, event.brought)
            self._won.setdefault(event.player, 0)
        else:
            place = self._places[event.seat]
            place.stack, place.brought = event.stack, event.brought
        self._sums(event.seat, place)

    def _sums(self, number: int, place: _Place) -> None:
        won = self._won[place.player]
        if place.stack - place.brought != won:
            self.say(f"seat {number + 1} has {place.stack} and brought {place.brought}, but has won {won}")
        if place.stack < 0 and self._rules.settlement_cap != "none":
            self.say(f"seat {number + 1} has {place.stack}, less than nothing")

    # -- what was sealed

    def _seal(self, event: DeckSealed | SeedCommitted | SeedOpened) -> None:
        if isinstance(event, DeckSealed):
            assert event.hidden is not None
            name = hand_id(self._table, event.hand, event.alias)
            if fair.seal(name, bytes.fromhex(event.hidden.master)) != event.root:
                self.say(f"the decks of hand {event.hand} are not those that were sealed")
            self._decks = _Decks(event.hand, name, event.root, event.hidden.master, {})
            return
        if self._decks is None or self._decks.hand != event.hand:
            self.say(f"a seed for hand {event.hand}, whose decks are not sealed")
            return
        seeds = self._decks.seeds
        if isinstance(event, SeedCommitted):
            if event.seat in seeds or event.hand <= self._number:
                self.say(f"seat {event.seat + 1} is bound to its seed too late, or again")
            seeds[event.seat] = fair.Seed(seat=event.seat, commitment=event.commitment, seed=None)
            return
        bound = seeds[event.seat]
        if fair.commitment(self._decks.name, event.seat, event.seed) != bound.commitment:
            self.say(f"seat {event.seat + 1} opened another seed than it was bound to")
        seeds[event.seat] = msgspec.structs.replace(bound, seed=event.seed)

    def _dealt_from(self, event: HandDealt) -> int | None:
        """Compare a deck with what was sealed; give the lot that was drawn, None where nothing was sealed."""
        decks = self._decks
        if decks is None or decks.hand != event.hand:
            return None
        assert event.hidden is not None
        seeds = [decks.seeds[seat] for seat in sorted(self._called) if seat in decks.seeds]
        fantasyland = event.fantasyland or (0,) * len(event.seats)
        master = bytes.fromhex(decks.master)
        if fair.unseal(decks.name, master, seeds, self._rules.deal, event.seats, fantasyland).deck != event.hidden.deck:
            self.say(f"hand {event.hand} was not dealt from the decks that were sealed")
        return fair.lot(fair.draw(decks.name, decks.root, seeds))

    # -- hands

    def _deal(self, event: HandDealt) -> None:
        assert event.hidden is not None
        if event.hand != self._number or sorted(event.seats) != sorted(self._called):
            self.say(
                f"hand {self._number} was called for seats {_seats(self._called)}, "
                f"and hand {event.hand} dealt to {_seats(event.seats)}"
            )
        if event.rules and event.rules != str(self._rules):
            self.say(f"hand {event.hand} names other rules than the table has")
        if event.engine > ENGINE:
            self.say(f"hand {event.hand} was played by a newer version's rules ({event.engine})")
        lot = self._dealt_from(event)
        self.unsealed += lot is None
        if lot is None and self._sealed_before:
            self.say(f"hand {event.hand} was dealt from decks that nobody had sealed, though an earlier one was")
        self._sealed_before = self._sealed_before or lot is not None
        if self._button is not None or lot is not None:
            moves = not self._rights or self._rules.button_in_fantasyland == "moves"
            order = order_of_play(tuple(sorted(self._called)), self._button, lot or 0, moves=moves)
            if order != event.seats:
                self.say(f"hand {event.hand} is played in the order {_seats(event.seats)} instead of {_seats(order)}")
        self._button = event.seats[-1]
        none = (0,) * len(event.seats)
        rights = [self._rights.get(seat, (0, 0)) for seat in event.seats]
        wanted = tuple(cards for cards, _ in rights), tuple(repeats for _, repeats in rights)
        told = event.fantasyland or none, event.repeats or none
        if told != wanted:
            self.say(f"Fantasyland of hand {event.hand} is {told} instead of {wanted}")
        stacks = [self._places[seat].stack for seat in event.seats]
        self._rights = {}
        self.hand = Hand.deal(
            self._rules,
            event.hidden.deck,
            event.seats,
            stacks=stacks,
            fantasyland=event.fantasyland,
            repeats=event.repeats,
        )

    def _place(self, event: Confirmed | AutoPlaced) -> None:
        assert event.hidden is not None
        if self.hand is None:
            return  # said before: it could not be dealt, or something before this could not be laid
        player = self.hand.seats.index(event.seat)
        placement = Placement.parse(event.hidden.placement)
        if self.hand.street_of(player) != event.street:
            self.say(f"seat {event.seat + 1} lays street {event.street} instead of {self.hand.street_of(player)}")
        if event.rows != (None if self.hand.face_down(player) else placement.rows):
            self.say(f"what all see of seat {event.seat + 1}, street {event.street}, is not what was laid")
        self.hand = self.hand.place(player, placement)

    def _score(self, event: HandScored) -> None:
        self.counted += 1
        hand, self.hand = self.hand, None
        before = tuple(self._places[seat].stack for seat in event.seats)
        if sum(before) != sum(event.stacks):
            self.say(f"hand {event.hand} makes {sum(event.stacks)} chips of {sum(before)}")
        for seat, had, has in zip(event.seats, before, event.stacks, strict=True):
            place = self._places[seat]
            place.stack = has
            self._won[place.player] += has - had
            self._sums(seat, place)
        self._rights = {seat: (cards, 0) for seat, cards in zip(event.seats, event.fantasyland, strict=False) if cards}
        if hand is None:
            if not self.found:
                self.say(f"hand {event.hand} is counted without having been played")
            return
        reckoning = hand.reckoning
        if reckoning is None or event.hand != self._number:
            self.say(f"hand {event.hand} is counted before all was laid")
            return
        self._rights = {
            hand.seats[player]: (cards, hand.repeats[player] + 1 if hand.fantasyland[player] else 0)
            for player, cards in enumerate(event.fantasyland)
            if cards
        }
        if event.seats != hand.seats:
            self.say(f"hand {event.hand} is counted for seats {_seats(event.seats)} instead of {_seats(hand.seats)}")
            return
        results = reckoning.players
        for what, told, right in (
            ("points", event.points, tuple(result.points for result in results)),
            ("stacks", event.stacks, tuple(result.stack or 0 for result in results)),
            ("Fantasyland", event.fantasyland or (0,) * len(results), tuple(result.fantasyland for result in results)),
        ):
            if told != right:
                self.say(f"hand {event.hand}: {what} {told} instead of {right}")


# -- who has looked


class Unwritten(Exception):
    """A look at what is hidden could not be noted."""


def note(path: Path, what: str) -> int:
    """Write down that whoever runs this process is about to look at something hidden; gives the number of the entry.

    Raises `Unwritten` where that cannot be kept: then nobody may look.
    """
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        ) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("BEGIN IMMEDIATE")
            # Numbers this program never gives are found by `broken_entry`; they must not end all looking for good.
            last = db.execute(
                "SELECT number, hash FROM audit WHERE number > 0 AND number < ? ORDER BY number DESC LIMIT 1",
                (sys.maxsize,),
            ).fetchone()
            number, before = (0, bytes(32)) if last is None else last
            entry = (number + 1, int(time.time() * 1000), actor(), what)
            db.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?)", (*entry, _entry_hash(before, *entry)))
            db.execute("COMMIT")
            return number + 1
    except (*UNREADABLE, TypeError, OverflowError) as error:
        raise Unwritten(str(error)) from None


def actor() -> str:
    """Who runs this process, as the system knows him."""
    uid = os.getuid()
    try:
        return f"{pwd.getpwuid(uid).pw_name} (uid {uid})"
    except KeyError:
        return f"uid {uid}"


def broken_entry(db: sqlite3.Connection) -> int | None:
    """The first entry that is not what was noted, or is missing; None where all are whole.

    Entries taken away from the end leave no gap: whoever keeps the number that `ananas check` tells sees that too.
    """
    before = bytes(32)
    rows = db.execute("SELECT number, at, actor, what, hash FROM audit ORDER BY number").fetchall()
    for expected, (number, at, who, what, digest) in enumerate(rows, 1):
        if number != expected or digest != _entry_hash(before, number, at, _text(who), _text(what)):
            return expected
        before = digest
    return None


def broken(db: sqlite3.Connection) -> str | None:
    """What is wrong with the notes, and where; None where they are whole."""
    try:
        entry = broken_entry(db)
    except (*UNREADABLE, TypeError, OverflowError) as error:
        return f"audit: cannot be read ({type(error).__name__})"
    return None if entry is None else f"audit, entry {entry}: is not what was noted"


def _entry_hash(before: bytes, number: int, at: int, who: str, what: str) -> bytes:
    return sha256(before + msgspec.json.encode((number, at, who, what))).digest()


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
