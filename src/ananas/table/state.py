"""The state of a table between two commands: seats, stacks, the match and hand being played, and what is waited for.

Times are the room's milliseconds, money is points. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet
from ananas.table.events import Aside, Hold, Lapse

Announced = Literal[
    "break",
    "break-over",
    "removed",
    "bot-seated",
    "bot-removed",
    "rules-changed",
    "host",
    "public",
    "private",
    "held",
    "hold-over",
    "voided-fault",
    "voided-outage",
    "stalled",
    "resumed",
]
"""What the host has done, or what has become of his role; that the times stood, or a hand does not count."""


class RuleChange(msgspec.Struct, frozen=True, kw_only=True):
    """A rule by its name, what it was before, and what it is since; both as text. `base` is the named set."""

    rule: str
    old: str
    new: str


def rule_changes(old: RuleSet, new: RuleSet) -> tuple[RuleChange, ...]:
    """The rules that are others now, in the order in which rules are told.

    >>> rule_changes(RuleSet(), RuleSet().but({"scoring": "2-4"}))
    (RuleChange(rule='scoring', old='1-6', new='2-4'),)
    """
    before, after = ({"base": rules.base, **rules.values} for rules in (old, new))
    return tuple(
        RuleChange(rule=rule, old=before[rule], new=text) for rule, text in after.items() if text != before[rule]
    )


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the table itself that everybody is told of; `name`: whom it is about, null where it is all.

    `number` counts from 1 for as long as the table lives. `changes`: which rules are others now, if it tells of that.
    """

    number: int
    what: Announced
    name: str | None
    changes: tuple[RuleChange, ...] = ()


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """A player's time: what is left for this hand, then the bank he has for as long as he plays at this table.

    Both as they were at `since`; null while the clock stands.
    """

    hand_ms: int
    bank_ms: int
    since: int | None = None

    def at(self, now: int, *, connected: bool) -> Clock:
        """The clock as it reads at `now`, and running on from there if it runs.

        >>> clock = Clock(hand_ms=5000, bank_ms=9000, since=1000)
        >>> clock.at(7000, connected=True)
        Clock(hand_ms=0, bank_ms=8000, since=7000)
        >>> clock.at(7000, connected=False)
        Clock(hand_ms=5000, bank_ms=3000, since=7000)

        Who is not there pays from the bank first, so that coming back he has his time for the hand.
        """
        if self.since is None:
            return self
        passed = max(0, now - self.since)
        first, then = (self.hand_ms, self.bank_ms) if connected else (self.bank_ms, self.hand_ms)
        first, then = max(0, first - passed), max(0, then - max(0, passed - first))
        hand_ms, bank_ms = (first, then) if connected else (then, first)
        return Clock(hand_ms=hand_ms, bank_ms=bank_ms, since=max(now, self.since))

    @property
    def left_ms(self) -> int:
        """Both together."""
        return self.hand_ms + self.bank_ms

    @property
    def ends(self) -> int | None:
        """When both are spent; null while the clock stands."""
        return None if self.since is None else self.since + self.left_ms


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a place, and what he has said.

    `stack` is what he has, `brought` what he has brought in all. `money`: what he has won or lost, at the price a point
    had when it was won. `bot_points`, `bot_money`: what of both he has won from bots, or lost to them. `played`: he has
    been dealt into a hand that was counted. `held_since`: since when his place is
    kept for him without his being dealt in, or ready and there; null while he is. `aside`: why he sits out. `removed`: it
    is the host who lets him leave. `connected`: whether he has the table open. `absent`: his time ran out while he was
    not connected, and he has not come back. `spent`: the table lays for him for the rest of the hand.
    `confirmed`: he has laid something himself in this hand. `missed`: the table has laid for him in it since he was away.
    `idle`: how many hands in a row, being there, he has laid nothing himself. `lost_at`: when he was last missed, null
    while he is there. `lag_ms`: how long a message takes to him and back; each of his moves gets so much more time, in all
    as much as is left of `credit_ms` for this hand.
    """

    player: str
    name: str
    bot: bool
    stack: int
    brought: int
    clock: Clock
    held_since: int | None
    money: int = 0
    bot_points: int = 0
    bot_money: int = 0
    played: bool = False
    ready: bool = False
    always_ready: bool = False
    sitting_out: bool = False
    aside: Aside | None = None
    leaving: bool = False
    removed: bool = False
    connected: bool = True
    absent: bool = False
    spent: bool = False
    confirmed: bool = False
    missed: bool = False
    idle: int = 0
    lost_at: int | None = None
    lag_ms: int = 0
    credit_ms: int = 0


class Purse(msgspec.Struct, frozen=True, kw_only=True):
    """What a player left with, and when: his part of the table's account, his bank of time, his least buy-in for a day.

    `money`, `bot_points`, `bot_money` and `played` as of a seat.
    """

    name: str
    bot: bool
    stack: int
    brought: int
    money: int
    bot_points: int
    bot_money: int
    played: bool
    bank_ms: int
    left_at: int


class Right(msgspec.Struct, frozen=True, kw_only=True):
    """The right to Fantasyland in the next hand: with how many cards, after how many stays in a row."""

    cards: int
    repeats: int


class Sealing(Discreet, msgspec.Struct, frozen=True, kw_only=True):
    """The sealed decks of a hand, and by seat what its players have to do with the shuffle: commitment and opened seed.

    A seed is null until it is opened. `alias`: what stands for the table in the name of the hand.
    """

    told = ("hand", "root")

    hand: int
    root: str
    master: str
    seeds: Mapping[int, tuple[str, str | None]] = msgspec.field(default_factory=dict[int, tuple[str, str | None]])
    alias: str = ""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A base hand and the Fantasyland hands that follow it; the last one played stays until the next begins.

    `number`: from 1. `hands`: how many of its hands have been called. `seats`, `names`: who plays it, in order of place;
    `won`: in chips, so far. `circle_match`: which match of the circle it is, from 1; a circle has as many as players.
    `lapsed`: why it ended though somebody had the right to Fantasyland; null where nothing lapsed.
    """

    number: int
    hands: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    won: tuple[int, ...]
    circle_match: int
    lapsed: Lapse | None = None


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """How it stood when a hand was called, as far as it is given back where the hand does not count.

    `banks`: by seat of the hand, what was left in the bank of time. The hand before, which has been counted, is shown
    again: `hand`, `players`, `names`, `last_dealt` and `dealt_from` as of a table.
    """

    hand: Hand | None
    players: tuple[str, ...]
    names: tuple[str, ...]
    last_dealt: int
    dealt_from: Sealing | None
    match: Match | None
    circle: tuple[str, ...]
    rights: Mapping[int, Right]
    button: int | None
    banks: Mapping[int, int]


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A table: the fold of its events.

    `seats`: one entry for each place, null where it is free; their numbers go clockwise. `hands`: the number of the
    last hand called, 0 before the first. `match`: the one being played, or the last. `circle`: the players of the circle,
    empty when a new one begins. `rights`: by seat, who has Fantasyland in the next hand. `called`: the seats of a hand
    that waits for its deck, else empty. `hand`: the hand being played, or the last one that counts, `last_dealt` its
    number; `players` and `names`: who was dealt into it, in order of play. `laying`: whether cards are being laid. `button`: the seat that held it last.
    `ready_by`, `showdown_until`, `top_up_by`: when waiting for the others, for the showdown, for the chips of who has
    none, ends. `gone_on`: the seats that wait for the next hand of the match. `gone`: who has left, by player. `public`:
    whether it is shown among the open tables. `break_since`: since when the host's break has lasted, null while there is
    none. `rules_before`: what was played by until the rules were changed, null once a hand has been counted by the new
    ones. `notices`: what everybody was told last, the oldest first. `began`: when the first hand that counts was dealt,
    `until`: when the last one was counted. `sealed`: the decks of the hand to come, or of the last one called;
    `dealt_from`: those from which `hand` was dealt, null where they were not sealed. `open_by`: until when
    those who are bound to a seed may open it; null while nothing waits for that. `hold_since`, `hold`: since when all times
    stand, and why, null while they do not; `held`: whether they have stood in this hand. `before`: how it stood when the
    hand was called that has not ended; null while there is none. `voided`: how many hands did not count;
    `voided_running`: how many of them since the last one that did.
    """

    id: str
    name: str
    host: str
    rules: RuleSet
    seats: tuple[Seat | None, ...]
    hands: int = 0
    match: Match | None = None
    circle: tuple[str, ...] = ()
    rights: Mapping[int, Right] = msgspec.field(default_factory=dict[int, Right])
    called: tuple[int, ...] = ()
    hand: Hand | None = None
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    last_dealt: int = 0
    laying: bool = False
    button: int | None = None
    ready_by: int | None = None
    showdown_until: int | None = None
    top_up_by: int | None = None
    gone_on: frozenset[int] = frozenset()
    gone: Mapping[str, Purse] = msgspec.field(default_factory=dict[str, Purse])
    public: bool = False
    break_since: int | None = None
    rules_before: RuleSet | None = None
    notices: tuple[Notice, ...] = ()
    began: int | None = None
    until: int | None = None
    sealed: Sealing | None = None
    dealt_from: Sealing | None = None
    open_by: int | None = None
    hold_since: int | None = None
    hold: Hold | None = None
    held: bool = False
    before: Before | None = None
    voided: int = 0
    voided_running: int = 0

    @cached_property
    def seated(self) -> tuple[tuple[int, Seat], ...]:
        """The places that are taken, with their numbers."""
        return tuple((number, seat) for number, seat in enumerate(self.seats) if seat)

    def time(self, now: int) -> int:
        """The table's own time: it stands while the game is stopped, so what begins then begins with the break.

        When the break is over, every time is shifted by its length.
        """
        stands_since = self.hold_since if self.break_since is None else self.break_since
        return now if stands_since is None else stands_since

    @property
    def stands(self) -> bool:
        """Whether all times stand: for a break, or since several were lost."""
        return self.break_since is not None or self.hold_since is not None

    @property
    def on_break(self) -> bool:
        """Whether the host has stopped the game."""
        return self.break_since is not None

    @property
    def awaited(self) -> tuple[tuple[int, Seat], ...]:
        """The seats without whose Ready no match begins: all but those sitting out."""
        return tuple((number, seat) for number, seat in self.seated if not seat.sitting_out)

    @property
    def enough_ready(self) -> bool:
        """Whether those who are ready could play: as many as the rules ask for, a human among them."""
        ready = [seat for _, seat in self.seated if seat.ready]
        return len(ready) >= self.rules.seats[0] and not all(seat.bot for seat in ready)

    @property
    def busy(self) -> bool:
        """Whether a hand has been called and not ended."""
        return bool(self.called) or self.laying

    @property
    def pausing(self) -> bool:
        """Whether a match goes on and its next hand has not been called yet."""
        return bool(self.rights) and not self.busy

    @property
    def in_match(self) -> bool:
        """Whether a match has begun and not ended."""
        return self.busy or bool(self.rights)

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats of the hand that has been called and not ended, or after which the match goes on; else none.

        Where a hand did not count, somebody who was left out of it may have gone meanwhile.
        """
        if self.called or self.hand is None or not self.in_match:
            return self.called
        if self.laying:
            return self.hand.seats
        dealt_to = zip(self.hand.seats, self.players, strict=True)
        return tuple(number for number, player in dealt_to if self.seat_of(player) == number)

    @property
    def counted(self) -> int:
        """How many hands have been counted."""
        return self.hands - self.busy - self.voided

    def is_broke(self, seat: Seat) -> bool:
        """Whether he has nothing left that he could play for."""
        return seat.stack <= 0 and self.rules.settlement_cap != "none"

    def owes_chips(self, number: int) -> bool:
        """Whether the pause waits for a seat to bring chips: he has none, and has not said that he will not."""
        seat = self.seats[number]
        return seat is not None and self.is_broke(seat) and not seat.leaving and number not in self.gone_on

    def seat_of(self, player: str) -> int | None:
        """The number of the seat the player has, or null."""
        return self._seat_by_player.get(player)

    @cached_property
    def _seat_by_player(self) -> dict[str, int]:
        return {seat.player: number for number, seat in self.seated}

    def with_seat(self, number: int, seat: Seat | None) -> Table:
        """The table with another seat in this place."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))


def needs_deck(table: Table) -> bool:
    """Whether a hand has been called and the room owes it a `Deal`, now that the game is not stopped.

    It waits while somebody may still open his seed.
    """
    return bool(table.called) and not table.stands and table.open_by is None


def to_be_sealed(table: Table) -> int | None:
    """The number of the hand for which the room owes sealed decks; null while it owes none.

    It is the hand to come, as soon as somebody sits here: his seed comes after them. Where a hand is called before that,
    it is this one, and nobody has a part in its shuffle.
    """
    hand = table.hands if table.called else table.hands + 1
    sealed = 0 if table.sealed is None else table.sealed.hand
    if table.laying or sealed >= hand or all(seat.bot for _, seat in table.seated):
        return None
    return hand
