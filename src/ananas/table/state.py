"""The state of a table between two commands: seats, stacks, the hand being played, and what is waited for.

Times are the room's milliseconds, money is points. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from ananas.game.hand import Hand
from ananas.game.rules import RuleSet


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a place, and what he has said.

    `stack` is what he has, `brought` what he has brought in all. `held_since`: since when his place is kept for him
    without his being ready or dealt in; null while he is.
    """

    player: str
    name: str
    bot: bool
    stack: int
    brought: int
    held_since: int | None
    ready: bool = False
    always_ready: bool = False
    sitting_out: bool = False
    leaving: bool = False


class Purse(msgspec.Struct, frozen=True, kw_only=True):
    """What a player left with: he brings exactly this when he sits again."""

    stack: int
    brought: int


class HandClock(msgspec.Struct, frozen=True, kw_only=True):
    """Each player's time for all his turns of one hand; only the clock of the player to act runs.

    `left_ms`: what each had, in order of play, when the present turn began at `since`.
    """

    left_ms: tuple[int, ...]
    since: int

    def left(self, player: int, now: int) -> int:
        """What is left to the player to act, at `now`; never below 0, and never more than he had.

        >>> HandClock(left_ms=(5000, 9000), since=1000).left(0, now=3000)
        3000
        """
        return max(0, self.left_ms[player] - max(0, now - self.since))

    def charge(self, player: int, at: int) -> HandClock:
        """The clock after his turn ended at `at`, which is when the next turn begins."""
        return self._set(player, self.left(player, at), at)

    def spend(self, player: int, at: int) -> HandClock:
        """The clock after the player's time ran out."""
        return self._set(player, 0, at)

    def is_spent(self, player: int) -> bool:
        """Whether the table lays for this player from here on."""
        return self.left_ms[player] == 0

    def _set(self, player: int, left: int, at: int) -> HandClock:
        return HandClock(left_ms=(*self.left_ms[:player], left, *self.left_ms[player + 1 :]), since=at)


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A table: the fold of its events.

    `seats`: one entry for each place, null where it is free; their numbers go clockwise. `hands`: the number of the
    last hand called, 0 before the first. `called`: the seats of a hand that waits for its deck, else empty. `hand`:
    the hand being played, or the last one; `players` and `names`: who was dealt into it, in order of play. `clock`: null
    unless cards are being laid. `button`: the seat that held it last. `ready_by`, `showdown_until`: when waiting for the
    others, and for the showdown, ends. `gone`: who has left, by player.
    """

    id: str
    name: str
    host: str
    rules: RuleSet
    seats: tuple[Seat | None, ...]
    hands: int = 0
    called: tuple[int, ...] = ()
    hand: Hand | None = None
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    clock: HandClock | None = None
    button: int | None = None
    ready_by: int | None = None
    showdown_until: int | None = None
    gone: Mapping[str, Purse] = msgspec.field(default_factory=dict[str, Purse])

    @cached_property
    def seated(self) -> tuple[tuple[int, Seat], ...]:
        """The places that are taken, with their numbers."""
        return tuple((number, seat) for number, seat in enumerate(self.seats) if seat)

    @property
    def awaited(self) -> tuple[tuple[int, Seat], ...]:
        """The seats without whose Ready no hand begins: all but those sitting out."""
        return tuple((number, seat) for number, seat in self.seated if not seat.sitting_out)

    @property
    def enough_ready(self) -> bool:
        """Whether those who are ready could play: two at least, a human among them."""
        ready = [seat for _, seat in self.seated if seat.ready]
        return len(ready) >= 2 and not all(seat.bot for seat in ready)

    @property
    def busy(self) -> bool:
        """Whether a hand has been called and not ended."""
        return bool(self.called) or self.clock is not None

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats of the hand that has been called and not ended, else none."""
        if self.called:
            return self.called
        return self.hand.seats if self.hand and self.clock else ()

    @property
    def last_dealt(self) -> int:
        """The number of the hand in `hand`: the last one called, or the one before while that waits for its deck."""
        return self.hands - 1 if self.called else self.hands

    @property
    def turn(self) -> int | None:
        """The player to act, as an index into the order of play; null when no cards are being laid."""
        return self.hand.turn if self.hand and self.clock else None

    def seat_of(self, player: str) -> int | None:
        """The number of the seat the player has, or null."""
        return self._seat_by_player.get(player)

    @cached_property
    def _seat_by_player(self) -> dict[str, int]:
        return {seat.player: number for number, seat in self.seated}


def needs_deck(table: Table) -> bool:
    """Whether a hand has been called and the room owes it a `Deal`."""
    return bool(table.called)
