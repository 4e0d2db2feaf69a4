"""How often people lost their connection, by a table's log alone, and whether oftener beside a Fantasyland.

Somebody who can cut others off does it where it pays: against those who hurry to keep up with a Fantasyland. What belongs
here: who was there in which hands, how often he was cut off in them, and whether the difference may be chance. What does
not: words, and SQL. Nothing hidden is needed for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from ananas.server.presence import GRACE_AFTER_LOADING_MS
from ananas.server.store import Row
from ananas.table.clock import LOST_MS
from ananas.table.events import (
    AnyEvent,
    BreakBegan,
    BreakEnded,
    Connected,
    Disconnected,
    HandDealt,
    HandScored,
    HandVoided,
    HoldBegan,
    Left,
    Opened,
    Resumed,
    Sat,
    Stalled,
)

Kind = Literal["opponent", "nobody", "alone"]
"""Who is in Fantasyland, as somebody in the hand sees it: an opponent, whoever else is; nobody; he alone."""
KINDS: Final[tuple[Kind, ...]] = ("opponent", "nobody", "alone")
CHANCE: Final = 0.01
"""A difference is more than chance where connections that fail evenly would show one as large so seldom."""
AFTER_OUTAGE_MS: Final = 2 * GRACE_AFTER_LOADING_MS
"""Who is missed so soon after the room was away was cut off by the room."""

AWAY_MS: Final = 1000
"""A time that is nobody's and shorter than this was a slow write: nobody was cut off by that."""

Verdict = Literal["oftener", "seldomer", "chance", "too-few"]
"""Of hands with an opponent in Fantasyland, beside those in which nobody is."""


class Tally(msgspec.Struct, kw_only=True):
    """What came of all hands of a kind.

    `hands`: in which somebody was so placed. `people`: how many were there in them, each counted in each hand. `cut`: how
    many of these lost their connection; `apart`: the same, where those who are lost within five seconds of another at
    their table count once with him: it is one thing that has happened. `losses`: how often in all. `ms`: how long they
    were there, together.
    """

    hands: int = 0
    people: int = 0
    cut: int = 0
    apart: int = 0
    losses: int = 0
    ms: int = 0

    def add(self, other: Tally) -> None:
        """Count what is counted there."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def share(self) -> float:
        """Which part of the people in a hand were cut off in it."""
        return self.cut / self.people if self.people else 0.0

    @property
    def a_hand(self) -> float:
        """How often somebody is cut off in a hand."""
        return self.losses / self.people if self.people else 0.0

    @property
    def an_hour(self) -> float:
        """How often somebody is cut off in an hour of being there."""
        return self.losses * 3_600_000 / self.ms if self.ms else 0.0


class Person(msgspec.Struct, kw_only=True):
    """Somebody who has played at a table: his last seat, his hands, and how often he was cut off in them."""

    seat: int
    name: str
    hands: int = 0
    losses: int = 0


class Outages(msgspec.Struct, kw_only=True):
    """What the connections of a table's people, or of several tables', have been like.

    `holds`, `voids`: how often all times stood, and how often a hand did not count, by the reason.
    """

    table: str = ""
    name: str = ""
    opponent: Tally = msgspec.field(default_factory=Tally)
    nobody: Tally = msgspec.field(default_factory=Tally)
    alone: Tally = msgspec.field(default_factory=Tally)
    holds: dict[str, int] = msgspec.field(default_factory=lambda: {"lost": 0, "outage": 0})
    voids: dict[str, int] = msgspec.field(default_factory=lambda: {"fault": 0, "outage": 0})
    people: list[Person] = msgspec.field(default_factory=list[Person])
    hands: int = 0

    def tally(self, kind: Kind) -> Tally:
        """What came of the hands of this kind."""
        found: Tally = getattr(self, kind)
        return found

    @property
    def chance(self) -> float:
        """Of how many tables whose connections fail evenly, as a part of one, a difference as large would be shown.

        It is asked by the number of people and, since hands of Fantasyland are not as long as others, by the time; the
        larger answer counts.
        """
        one, other = self.opponent, self.nobody
        if not (one.people and other.people):
            return 1.0
        by_time = 1.0 if not one.ms + other.ms else even_split(one.apart, other.apart, one.ms / (one.ms + other.ms))
        return max(fisher(one.apart, one.people, other.apart, other.people), by_time)

    @property
    def verdict(self) -> Verdict:
        """What can be said of the difference; nothing where even the largest one would be chance."""
        one, other = self.opponent, self.nobody
        lost = one.apart + other.apart
        if not (one.people and other.people) or fisher(min(lost, one.people), one.people, 0, other.people) >= CHANCE:
            return "too-few"
        if self.chance >= CHANCE:
            return "chance"
        return "oftener" if one.apart * other.people > other.apart * one.people else "seldomer"

    def add(self, other: Outages) -> None:
        """Count another table with this; of people only the table itself tells."""
        for kind in KINDS:
            self.tally(kind).add(other.tally(kind))
        for ours, theirs in ((self.holds, other.holds), (self.voids, other.voids)):
            for reason, times in theirs.items():
                ours[reason] = ours.get(reason, 0) + times
        self.hands += other.hands


def outages(rows: Iterable[Row]) -> Outages:
    """Count a table's connections by its log; the rows need no hidden parts."""
    log = _Log()
    for row in rows:
        for event in row.events:
            log.enter(event)
    log.found.people = sorted(log.people.values(), key=lambda person: (-person.losses, -person.hands, person.seat))
    return log.found


class _There(msgspec.Struct):
    """Somebody in a hand: what is counted of him, in which kind of hand."""

    player: str
    kind: Kind
    seen: bool = False
    losses: int = 0
    ms: int = 0


class _Log:
    """A log as far as it has been read."""

    def __init__(self) -> None:
        self.found: Final = Outages()
        self.people: Final[dict[str, Person]] = {}
        self._seats: Final[dict[int, str]] = {}
        self._bots: Final[set[str]] = set()
        self._away: Final[set[int]] = set()
        self._hand: dict[int, _There] = {}
        self._first_losses: list[tuple[int, Kind]] = []
        self._at = 0
        self._stands = False
        self._back_at: int | None = None

    def enter(self, event: AnyEvent) -> None:
        """Read one event more."""
        self._pass_time(event)
        match event:
            case Opened():
                self.found.table, self.found.name = event.table, event.name
            case Sat():
                self._sit(event)
            case Left():
                self._seats.pop(event.seat, None)
                self._away.discard(event.seat)
            case Connected():
                self._away.discard(event.seat)
                self._see(event.seat)
            case Disconnected():
                self._lose(event)
            case HandDealt():
                self._deal(event)
            case HandScored():
                self._end()
            case HandVoided():
                self.found.voids[event.reason] = self.found.voids.get(event.reason, 0) + 1
                self._end()
            case HoldBegan():
                self.found.holds[event.reason] = self.found.holds.get(event.reason, 0) + 1
            case BreakBegan():
                self._stands = True
            case BreakEnded():
                self._stands = False
            case Resumed() if event.lost_ms >= AWAY_MS:
                self._back_at = event.at
            case _:
                pass

    def _pass_time(self, event: AnyEvent) -> None:
        """Let time run up to an event; the room was away for a part of it, which is nobody's."""
        lost = event.lost_ms if isinstance(event, Resumed | Stalled) else 0
        passed = max(0, event.at - self._at - lost)
        if not self._stands:
            for seat, there in self._hand.items():
                there.ms += 0 if seat in self._away else passed
        self._at = event.at

    def _sit(self, event: Sat) -> None:
        self._seats[event.seat] = event.player
        self._away.discard(event.seat)
        if event.bot:
            self._bots.add(event.player)
        else:
            person = self.people.setdefault(event.player, Person(seat=event.seat, name=event.name))
            person.seat, person.name = event.seat, event.name

    def _deal(self, event: HandDealt) -> None:
        in_fantasyland = {seat for seat, cards in zip(event.seats, event.fantasyland, strict=False) if cards}
        self.found.hands += 1
        self._hand, self._first_losses = {}, []
        for seat in event.seats:
            player = self._seats.get(seat)
            if player is None or player in self._bots:
                continue
            kind: Kind = "opponent" if in_fantasyland - {seat} else "alone" if in_fantasyland else "nobody"
            self._hand[seat] = _There(player, kind)
            if seat not in self._away:
                self._see(seat)

    def _see(self, seat: int) -> None:
        if seat in self._hand:
            self._hand[seat].seen = True

    def _lose(self, event: Disconnected) -> None:
        self._away.add(event.seat)
        by_the_room = self._back_at is not None and event.at - self._back_at <= AFTER_OUTAGE_MS
        there = self._hand.get(event.seat)
        if there is None or self._stands or by_the_room:
            return
        if not there.losses:
            self._first_losses.append((event.at, there.kind))
        there.losses += 1

    def _end(self) -> None:
        """The hand is over, in whatever way: count what was seen in it."""
        there = [each for each in self._hand.values() if each.seen]
        for kind in KINDS:
            of_kind = [each for each in there if each.kind == kind]
            self.found.tally(kind).add(
                Tally(
                    hands=1 if of_kind else 0,
                    people=len(of_kind),
                    cut=sum(each.losses > 0 for each in of_kind),
                    apart=_apart([at for at, lost in self._first_losses if lost == kind]),
                    losses=sum(each.losses for each in of_kind),
                    ms=sum(each.ms for each in of_kind),
                )
            )
        for each in there:
            person = self.people[each.player]
            person.hands, person.losses = person.hands + 1, person.losses + each.losses
        self._hand, self._first_losses = {}, []


def _apart(times: Sequence[int]) -> int:
    """How many things have happened, where those that come within five seconds of the one before belong to it."""
    before = [None, *times[:-1]]
    return sum(last is None or at - last > LOST_MS for last, at in zip(before, times, strict=False))


# -- what may be chance


def fisher(one: int, of_one: int, other: int, of_other: int) -> float:
    """How likely a difference is, this one or one less likely still, where both are as often (Fisher's exact test).

    >>> round(fisher(8, 10, 1, 6), 4), fisher(0, 5, 0, 5)
    (0.035, 1.0)
    """
    total, everybody = one + other, of_one + of_other

    def weight(here: int) -> float:
        return _ways(of_one, here) + _ways(of_other, total - here) - _ways(everybody, total)

    return _as_unlikely([weight(here) for here in range(max(0, total - of_other), min(total, of_one) + 1)], weight(one))


def even_split(one: int, other: int, part: float) -> float:
    """Likewise, where each of them all falls to the one with the probability `part`.

    >>> round(even_split(9, 1, 0.5), 4)
    0.0215
    """
    total = one + other
    if not 0 < part < 1:
        return 1.0

    def weight(here: int) -> float:
        return _ways(total, here) + here * math.log(part) + (total - here) * math.log1p(-part)

    return _as_unlikely([weight(here) for here in range(total + 1)], weight(one))


def _ways(all_of_them: int, chosen: int) -> float:
    """The logarithm of how many ways there are to choose so many."""
    return math.lgamma(all_of_them + 1) - math.lgamma(chosen + 1) - math.lgamma(all_of_them - chosen + 1)


def _as_unlikely(weights: Sequence[float], found: float) -> float:
    """The sum of what is as unlikely as what was found; the logarithms have errors of their own, too small to matter."""
    return min(1.0, sum(math.exp(weight) for weight in weights if weight <= found + 1e-7))
