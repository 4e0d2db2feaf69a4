"""Finished hands out of a table's log, as somebody may know them: what is listed, shown again, offered for download.

A log is read once, from its beginning; only hands that are wanted are played again. What belongs here: finding hands
in a log. What does not: where logs come from (`archive.py`), a hand step by step (`replays.py`), who may know what of a
hand, and its text, which `game/notation` has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from ananas import fair
from ananas.game.board import Board, Placement
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, write_histories, write_history
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.game.secret import Discreet
from ananas.game.view import cards_seen, view_hand
from ananas.protocol import HandList, HandSide, HandSummary, VoidedHand
from ananas.refused import Refused
from ananas.server.store import START, Mark, Row
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
    RulesChanged,
    Sat,
    SeedCommitted,
    SeedOpened,
    ToppedUp,
)
from ananas.table.seeds import unsealed
from ananas.table.state import Sealing


class FinishedHand(Discreet, msgspec.Struct, frozen=True, kw_only=True):
    """A hand that has been counted.

    `number` and `match` count from 1; `at`: when it was dealt, in milliseconds. `players`: who was dealt in, in order
    of play, `names`: what they were called. `laid`: seat and street of each placement, in the order they were laid;
    `automatic`: which of them the table laid, with the draft it kept, if any. `sealed`: the decks it was dealt from;
    null where they were not sealed.
    """

    told = ("number", "match", "table", "at", "names")

    number: int
    match: int
    table: str
    at: int
    hand: Hand
    players: tuple[str, ...]
    names: tuple[str, ...]
    laid: tuple[tuple[int, int], ...] = ()
    automatic: Mapping[tuple[int, int], Placement | None] = {}
    sealed: Sealing | None = None

    def proof_for(self, table_id: str, player: str | None) -> bytes:
        """By what everybody can check the cards that a player may see of it. Raises `Refused("no-proof")`."""
        if self.sealed is None:
            raise Refused("no-proof")
        hand = self.hand
        dealt = unsealed(table_id, self.sealed, hand.rules, hand.seats, hand.fantasyland)
        if dealt.deck != hand.deck:  # a log in which a test has planted its deck
            raise Refused("no-proof")
        view = view_hand(hand, self.number, self.seat_of(player), {})
        return fair.encode(dealt.proof(cards_seen(view), over=True))

    def seat_of(self, player: str | None) -> int | None:
        """The seat a player had in it; None for who was not dealt in, and sees what a spectator sees."""
        return self.hand.seats[self.players.index(player)] if player in self.players else None

    def seen_by(self, player: str | None) -> HandHistory:
        """What a player may know of it; None, or somebody who was not dealt in, sees what a spectator sees."""
        history = HandHistory.seen_by(self.hand, self.seat_of(player), self.names, self.automatic)
        dealt = datetime.fromtimestamp(self.at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return replace(history, table=self.table, match=self.match, number=self.number, time=dealt)

    @property
    def nameless(self) -> FinishedHand:
        """The same hand without the table's name; its players are called by their seats, counted from 1."""
        return replace(self, table="", names=tuple(str(seat + 1) for seat in self.hand.seats))


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand begins with: the table's name and rules, the number of the match, who sits where, with what stack."""

    table: str = ""
    rules: RuleSet = RuleSet()
    match: int = 0
    first: bool = False
    seated: Mapping[int, Sat] = {}
    stacks: Mapping[int, int] = {}

    def after(self, event: AnyEvent) -> Standing:
        """How it stands after an event."""
        match event:
            case Opened():
                return Standing(table=event.name, rules=event.rules)
            case RulesChanged():
                return replace(self, rules=event.rules)
            case Sat():
                seated, stacks = {**self.seated, event.seat: event}, {**self.stacks, event.seat: event.stack}
                return replace(self, seated=seated, stacks=stacks)
            case ToppedUp():
                return replace(self, stacks={**self.stacks, event.seat: event.stack})
            case HandCalled(first=first):
                return replace(self, match=self.match + first, first=first)
            case HandVoided():
                return replace(self, match=self.match - self.first)
            case HandScored():
                return replace(self, stacks={**self.stacks, **dict(zip(event.seats, event.stacks, strict=True))})
            case _:
                return self


def finished_hands(
    events: Sequence[AnyEvent], only: int | None = None, standing: Standing | None = None
) -> Iterator[FinishedHand]:
    """The hands that have been counted, in order; `only`: no other than this one. Wants events with their hidden parts.

    `standing`: how it stood before the first event, where that is not the beginning of the log.
    """
    stands = standing or Standing()
    hand: FinishedHand | None = None
    sealed: Sealing | None = None
    for event in events:
        match event:
            case DeckSealed() | SeedCommitted() | SeedOpened() | Left():
                sealed = _sealed(sealed, event)
            case HandVoided():
                hand = None
            case HandDealt() if only in {None, event.hand}:
                hand = _dealt(event, stands, sealed)
            case Confirmed() | AutoPlaced() if hand is not None:
                hand = _placed(hand, event)
            case HandScored():
                if hand is not None:
                    yield hand
                if event.hand == only:
                    return
                hand = None
            case _:
                pass
        stands = stands.after(event)


def _sealed(sealed: Sealing | None, event: DeckSealed | SeedCommitted | SeedOpened | Left) -> Sealing | None:
    """The sealed decks of the hand to come, with what has become of its seeds."""
    if isinstance(event, DeckSealed):
        if event.hidden is None:
            return None
        return Sealing(hand=event.hand, root=event.root, master=event.hidden.master, alias=event.alias)
    if sealed is None:
        return None
    seeds = dict(sealed.seeds)
    match event:
        case SeedCommitted(seat=seat, commitment=commitment):
            seeds[seat] = commitment, None
        case SeedOpened(seat=seat, seed=seed):
            seeds[seat] = seeds[seat][0], seed
        case Left(seat=seat):
            seeds.pop(seat, None)
    return replace(sealed, seeds=seeds)


def _dealt(event: HandDealt, standing: Standing, sealed: Sealing | None) -> FinishedHand:
    assert event.hidden is not None
    sides = [standing.seated[seat] for seat in event.seats]
    hand = Hand.deal(
        standing.rules,
        event.hidden.deck,
        event.seats,
        stacks=tuple(standing.stacks[seat] for seat in event.seats),
        fantasyland=event.fantasyland,
        repeats=event.repeats,
    )
    return FinishedHand(
        number=event.hand,
        match=standing.match,
        table=standing.table,
        at=event.at,
        hand=hand,
        players=tuple(side.player for side in sides),
        names=tuple(side.name for side in sides),
        sealed=sealed if sealed is not None and sealed.hand == event.hand else None,
    )


def _placed(found: FinishedHand, event: Confirmed | AutoPlaced) -> FinishedHand:
    assert event.hidden is not None
    placement = Placement.parse(event.hidden.placement)
    hand = found.hand.place(found.hand.seats.index(event.seat), placement)
    where = (event.seat, event.street)
    laid = (*found.laid, where)
    if isinstance(event, Confirmed):
        return replace(found, hand=hand, laid=laid)
    kept = None if event.hidden.kept is None else Placement.parse(event.hidden.kept)
    return replace(found, hand=hand, laid=laid, automatic={**found.automatic, where: kept})


# -- as text


def one_hand(found: FinishedHand, player: str | None) -> str:
    """The text of a hand as a player may know it."""
    return write_history(found.seen_by(player))


def every_hand(events: Sequence[AnyEvent], player: str | None) -> str:
    """The text of all hands that have been counted; raises `Refused("no-such-hand")` where none has."""
    hands = [found.seen_by(player) for found in finished_hands(events)]
    if not hands:
        raise Refused("no-such-hand")
    return write_histories(hands)


# -- which hands a log holds, and where


class Entry(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Where a finished hand lies in a log, and what is listed of it: nothing that not everybody may know.

    Its rows come after the mark `before`, at which it stood as in `standing`; the last of them is `last`. `dealt` (without
    the deck), `begun`: how it stood when it was dealt, `boards`: as text, in order of play, `scored`.
    """

    before: Mark
    standing: Standing
    last: int
    dealt: HandDealt
    begun: Standing
    boards: tuple[str, ...]
    scored: HandScored

    def summary_for(self, player: str | None) -> HandSummary:
        """What is listed of it for a player, who may have played it."""
        seats = {self.begun.seated[seat].player: seat for seat in self.dealt.seats}
        you = None if player is None else seats.get(player)
        return self._summary if you is None else replace(self._summary, you=you)

    @cached_property
    def _summary(self) -> HandSummary:
        dealt, begun = self.dealt, self.begun
        points = dict(zip(self.scored.seats, self.scored.points, strict=True))
        stacks = dict(zip(self.scored.seats, self.scored.stacks, strict=True))
        sides = tuple(
            HandSide(
                seat=seat,
                name=begun.seated[seat].name,
                points=points[seat],
                won=stacks[seat] - begun.stacks[seat],
                foul=fouled(Board.parse(board), begun.rules),
                fantasyland=bool(dealt.fantasyland and dealt.fantasyland[place]),
            )
            for place, (seat, board) in enumerate(zip(dealt.seats, self.boards, strict=True))
        )
        return HandSummary(number=dealt.hand, match=begun.match, at=dealt.at, sides=sides, you=None)


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """The finished hands of a log as far as it has been read: up to the hand being played, if one is.

    `mark`: where to read on; `standing`: how it stands there. `entries`: by the hands' numbers. `voided`: the hands that
    do not count, likewise.
    """

    mark: Mark = START
    standing: Standing = Standing()
    entries: Mapping[int, Entry] = {}
    voided: Mapping[int, VoidedHand] = {}

    def read_on(self, rows: Sequence[Row]) -> Contents:
        """The contents with what the rows after the mark hold. Wants them with their hidden parts."""
        mark, resting, entries, voided = self.mark, self.standing, dict(self.entries), dict(self.voided)
        before, standing = mark, resting
        hand: _Laying | None = None
        seal: _Seal | None = None
        roots = dict[int, str]()
        for row in rows:
            here = standing
            for event in row.events:
                match event:
                    case DeckSealed():
                        seal = _Seal(event.hand, before, here)
                        roots[event.hand] = event.root
                    case HandVoided(hand=number):
                        voided[number] = VoidedHand(
                            number=number, at=event.at, reason=event.reason, root=roots.get(number)
                        )
                        hand = seal = None
                    case HandDealt() if seal is not None and seal.hand == event.hand:
                        hand, seal = _Laying(event, standing, seal.before, seal.standing), None
                    case HandDealt():
                        hand = _Laying(event, standing, before, here)
                    case Confirmed() | AutoPlaced() if hand is not None:
                        hand.lay(event)
                    case HandScored() if hand is not None:
                        entries[event.hand] = hand.entry(event, row.mark.version)
                        hand = None
                    case _:
                        pass
                standing = standing.after(event)
            before = row.mark
            if hand is None and seal is None:
                mark, resting = before, standing
        return Contents(mark=mark, standing=resting, entries=entries, voided=voided)

    @property
    def last(self) -> int:
        """The number of the last finished hand, 0 where there is none."""
        return max(self.entries, default=0)

    def listed(self, table_id: str, player: str | None) -> HandList:
        """The list of all finished hands, for a player or for anybody."""
        hands = (self.entries[number].summary_for(player) for number in sorted(self.entries, reverse=True))
        voided = (self.voided[number] for number in sorted(self.voided, reverse=True))
        return HandList(table=table_id, name=self.standing.table, hands=tuple(hands), voided=tuple(voided))


class _Seal(NamedTuple):
    """Where the decks of a hand to come were sealed: a hand is read from there on."""

    hand: int
    before: Mark
    standing: Standing


class _Laying:
    """A hand on its way to its entry. It is not played again: what lies in the rows is enough."""

    def __init__(self, dealt: HandDealt, begun: Standing, before: Mark, standing: Standing) -> None:
        self._dealt: Final = replace(dealt, hidden=None)
        self._begun: Final = begun
        self._before: Final = before
        self._standing: Final = standing
        self._rows: Final = {seat: ["", "", ""] for seat in dealt.seats}

    def lay(self, event: Confirmed | AutoPlaced) -> None:
        """Add what a seat has laid."""
        text = event.rows or ("" if event.hidden is None else event.hidden.placement.partition(" ")[0])
        rows = self._rows[event.seat]
        for place, cards in enumerate(text.split("/")):
            rows[place] += "" if cards == "-" else cards

    def entry(self, scored: HandScored, last: int) -> Entry:
        """What is kept in mind of it when it has been counted."""
        return Entry(
            before=self._before,
            standing=self._standing,
            last=last,
            dealt=self._dealt,
            begun=self._begun,
            boards=tuple("/".join(row or "-" for row in rows) for rows in self._rows.values()),
            scored=scored,
        )
