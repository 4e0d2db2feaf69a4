"""What happened at a table. The log of these is the truth; the state is their fold.

Each event says only what everybody may know; what is hidden, for now or for ever, is in its field `hidden`, which the
store keeps apart and only recovery joins again. `at` is the room's time in milliseconds.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True):
    """Something that happened at a table."""

    at: int


class Secret(Discreet, msgspec.Struct, frozen=True, kw_only=True):
    """What is kept apart from the events; wherever it is printed by mistake, it says nothing."""


class Opened(Event, frozen=True, kw_only=True):
    """The table was opened, with its rules and its host."""

    table: str
    name: str
    host: str
    rules: RuleSet
    public: bool = False


class Sat(Event, frozen=True, kw_only=True):
    """Somebody took a seat with a stack; `brought` is what he has brought to this table in all.

    `by_host`: it is a bot that the host has seated, not one the table was opened with.
    """

    seat: int
    player: str
    name: str
    bot: bool
    stack: int
    brought: int
    by_host: bool = False


class Leaving(Event, frozen=True, kw_only=True):
    """A player in a match will leave when it ends; `removed`: because the host wants it."""

    seat: int
    removed: bool = False


class Left(Event, frozen=True, kw_only=True):
    """A seat was given up, or its player was `removed` by the host; its stack is remembered for a return."""

    seat: int
    removed: bool = False


class ToppedUp(Event, frozen=True, kw_only=True):
    """A seat brought chips: its stack now, and what it has brought in all."""

    seat: int
    stack: int
    brought: int


class Connected(Event, frozen=True, kw_only=True):
    """A player has the table open again."""

    seat: int


class Disconnected(Event, frozen=True, kw_only=True):
    """A player has the table open nowhere any more."""

    seat: int


class BecameReady(Event, frozen=True, kw_only=True):
    """A seat plays the match to come."""

    seat: int
    always: bool


class AlwaysSaid(Event, frozen=True, kw_only=True):
    """A seat lets the table answer for it before later matches, or no longer."""

    seat: int
    on: bool


Aside = Literal["asked", "not-ready", "absent", "idle"]
"""Why a seat sits out: it wanted to, was not ready in time, was away when its time ran out, or laid nothing itself."""


class SatOut(Event, frozen=True, kw_only=True):
    """A seat plays no matches until it returns; logs of earlier versions do not say why."""

    seat: int
    reason: Aside | None = None


class Returned(Event, frozen=True, kw_only=True):
    """A seat came back from sitting out, or stays after all."""

    seat: int


class HandCalled(Event, frozen=True, kw_only=True):
    """A hand is to begin; the room now owes a deck. `seats` are those dealt in; `first`: whether it begins a match."""

    hand: int
    seats: tuple[int, ...]
    first: bool = True


class HiddenDeck(Secret, frozen=True, kw_only=True, tag_field="type", tag="deck"):
    """The deck of a hand."""

    deck: tuple[Card, ...]


class HiddenMaster(Secret, frozen=True, kw_only=True, tag_field="type", tag="master"):
    """What all the sealed decks of a hand are made from, in hexadecimal digits."""

    master: str


class DeckSealed(Event, frozen=True, kw_only=True):
    """The decks from which a hand to come will be dealt were made and sealed; `root` is what all may hold them to.

    `alias`: what stands for the table in the name of the hand; empty in logs of earlier versions.
    """

    hand: int
    root: str
    hidden: HiddenMaster | None
    alias: str = ""


class SeedCommitted(Event, frozen=True, kw_only=True):
    """A player has a seed for the hand to come, and is bound to it by this `commitment`."""

    seat: int
    hand: int
    commitment: str


class SeedOpened(Event, frozen=True, kw_only=True):
    """A player has told his seed for the hand that was called."""

    seat: int
    hand: int
    seed: str


class SeedsClosed(Event, frozen=True, kw_only=True):
    """The time to tell one's seed is over; who has not counts as having none."""

    hand: int


class HandDealt(Event, frozen=True, kw_only=True):
    """A hand began; `seats` in order of play, the last of them on the button.

    `fantasyland`: with how many cards each lays at once, 0 for street by street; `repeats`: how often in a row he has
    stayed there. Both are empty where nobody is in Fantasyland. `rules`: those it is played by, as text, `engine`: the
    version of what they mean; logs of earlier versions name neither.
    """

    hand: int
    seats: tuple[int, ...]
    fantasyland: tuple[int, ...] = ()
    repeats: tuple[int, ...] = ()
    rules: str = ""
    engine: int = 0
    hidden: HiddenDeck | None


class HiddenPlacement(Secret, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="placement"):
    """A whole placement as text, discards included; `kept`: the draft that the table kept when it laid for somebody."""

    placement: str
    kept: str | None = None


class Confirmed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A player laid his street; `rows` as text, without the discard, null where they lie face down.

    `anew`: if his next street follows at once, his clock begins anew, with the credit for lag of a further move.
    """

    seat: int
    street: int
    rows: str | None
    hidden: HiddenPlacement | None
    anew: bool = False


class TimedOut(Event, frozen=True, kw_only=True):
    """A player's time for the hand is spent; the table lays for him from here on."""

    seat: int


class AutoPlaced(Event, frozen=True, kw_only=True):
    """The table laid a street for a player whose time is spent or who is absent; `rows` as in `Confirmed`."""

    seat: int
    street: int
    rows: str | None
    hidden: HiddenPlacement | None


class HandScored(Event, frozen=True, kw_only=True):
    """The hand ended; points and the stacks after payment, for the seats in order of play.

    `fantasyland`: how many cards each gets at once in the next hand, 0 for none; where nobody gets any, or the field is
    empty, the match is over.
    """

    hand: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    stacks: tuple[int, ...]
    fantasyland: tuple[int, ...] = ()


Lapse = Literal["one-left", "broke", "absent", "waived", "voided"]
"""Why Fantasyland is not played: fewer than two have chips; who had the right has none; is away; has given it up; it was
begun again and again, and never counted."""


class RightsLapsed(Event, frozen=True, kw_only=True):
    """Nobody plays Fantasyland after all; the match is over."""

    reason: Lapse


class WentOn(Event, frozen=True, kw_only=True):
    """A seat has seen the showdown and waits for the next hand of the match."""

    seat: int


class ShowdownEnded(Event, frozen=True, kw_only=True):
    """The time to look at the showdown is over; after a match, seats that are always ready become so."""


class BreakBegan(Event, frozen=True, kw_only=True):
    """The host stopped the game: all times stand."""


class BreakEnded(Event, frozen=True, kw_only=True):
    """The game goes on; every running time is shifted by the length of the break."""


class HostPassed(Event, frozen=True, kw_only=True):
    """Who sits on this seat is the host from now on."""

    seat: int


class RulesChanged(Event, frozen=True, kw_only=True):
    """The matches to come are played by these rules."""

    rules: RuleSet


class Published(Event, frozen=True, kw_only=True):
    """The table is shown among the open tables, or no longer."""

    on: bool


class Resumed(Event, frozen=True, kw_only=True):
    """The room came back after `lost_ms`; every running time is shifted by it."""

    lost_ms: int


class Stalled(Event, frozen=True, kw_only=True):
    """The room could do nothing for `lost_ms`, which its clock does not count; nobody was charged."""

    lost_ms: int


Hold = Literal["lost", "outage"]
"""Why all times stand though nobody has stopped the game: several were lost at once; the room was away for long."""


class HoldBegan(Event, frozen=True, kw_only=True):
    """All times stand for a while."""

    reason: Hold


class HoldEnded(Event, frozen=True, kw_only=True):
    """The times run on; every one is shifted by how long they stood."""


VoidReason = Literal["fault", "outage"]
"""Why a hand does not count: the room failed at it again and again; it was away for long, and not all came back."""


class HandVoided(Event, frozen=True, kw_only=True):
    """A hand does not count: stacks, rights, button, circle and match are as when it was called."""

    hand: int
    reason: VoidReason


class Lagged(Event, frozen=True, kw_only=True):
    """How long a message takes to a seat and back, by the room's own measure, in milliseconds."""

    seat: int
    ms: int


AnyEvent = (
    Opened
    | Sat
    | ToppedUp
    | Leaving
    | Left
    | Connected
    | Disconnected
    | BecameReady
    | AlwaysSaid
    | SatOut
    | Returned
    | DeckSealed
    | SeedCommitted
    | HandCalled
    | SeedOpened
    | SeedsClosed
    | HandDealt
    | Confirmed
    | TimedOut
    | AutoPlaced
    | HandScored
    | RightsLapsed
    | WentOn
    | ShowdownEnded
    | BreakBegan
    | BreakEnded
    | HostPassed
    | RulesChanged
    | Published
    | Resumed
    | Stalled
    | HoldBegan
    | HoldEnded
    | HandVoided
    | Lagged
)
"""Every event, as one tagged union: what the log holds."""

Hidden = HiddenDeck | HiddenMaster | HiddenPlacement
"""Everything that is kept apart from the events."""


# -- as it is stored

_events: Final = msgspec.json.Decoder(tuple[AnyEvent, ...])
_hidden: Final = msgspec.json.Decoder(tuple[Hidden | None, ...])
_anything: Final = msgspec.json.Decoder(tuple[dict[str, Any], ...])


def read_events(public: bytes, hidden: bytes | None) -> tuple[AnyEvent, ...]:
    """Events as a store keeps them, their hidden parts, which are as many, joined in again.

    >>> read_events(b'[{"type":"Left","at":5,"seat":1}]', None)
    (Left(at=5, seat=1, removed=False),)

    Reads what every earlier version has written. Raises `msgspec.ValidationError` for what is no list of events.
    """
    try:
        events = _events.decode(public)
    except msgspec.ValidationError:
        events = msgspec.convert([_of_old(event) for event in _anything.decode(public)], tuple[AnyEvent, ...])
    if hidden is None:
        return events
    return tuple(
        event if secret is None else msgspec.structs.replace(event, hidden=secret)
        for event, secret in zip(events, _hidden.decode(hidden), strict=True)
    )


def _of_old(event: dict[str, Any]) -> dict[str, Any]:
    """An event with today's rules in it; the first version had one number for the seats and one for the buy-in.

    It knew neither Fantasyland nor a bank of time, and whole claims moved.
    """
    match event:
        case {"type": "Opened", "rules": {"seats": int(), "buy_in": int()} as rules}:
            pass
        case _:
            return event
    newer = {"fantasyland": "off", "settlement_cap": "none", "bank_seconds": 0}
    pairs = {"seats": (2, rules["seats"]), "buy_in": (rules["buy_in"], rules["buy_in"])}
    return {**event, "rules": {**rules, **newer, **pairs}}
