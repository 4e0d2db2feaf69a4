"""Whole sessions at a table, in any order that Hypothesis can think of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

import ananas.game.scoring
import ananas.table.decide
import ananas.table.evolve
import tests.table.play
from ananas.game.board import Placement
from ananas.game.cards import DECK, Card
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.settlement import Claim, settle
from ananas.refused import Refused
from ananas.table.clock import HELD_MS, HOLD_MS, deadline, hold_until
from ananas.table.commands import (
    Always,
    Break,
    ChangeRules,
    Command,
    CommitSeed,
    Confirm,
    Connect,
    Disconnect,
    GoOn,
    Lag,
    Leave,
    OpenSeed,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    Return,
    SeatBot,
    Sit,
    SitOut,
    Stall,
    TimeOut,
    TopUp,
    Waive,
)
from ananas.table.decide import OUTAGE_MS, decide
from ananas.table.events import (
    AnyEvent,
    AutoPlaced,
    BreakBegan,
    BreakEnded,
    Confirmed,
    DeckSealed,
    HandCalled,
    HandDealt,
    HandScored,
    HandVoided,
    HoldBegan,
    HoldEnded,
    HostPassed,
    Left,
    Opened,
    Resumed,
    RightsLapsed,
    RulesChanged,
    Sat,
    SeedCommitted,
    SeedOpened,
    SeedsClosed,
    ShowdownEnded,
    TimedOut,
    WentOn,
)
from ananas.table.evolve import CREDIT_MS, MOVE_CREDIT_MS, NOTICES, OPEN_AFTER_OUTAGE_MS, TOLD_MS, evolve
from ananas.table.state import Clock, Match, Notice, Right, Table, needs_deck
from ananas.table.view import Action, Live, TableView, view_table
from tests.table.play import (
    NAMES,
    Play,
    commit_seed,
    deck,
    join,
    legal,
    lucky,
    open_seed,
    rich_deck,
    split,
    unfinished,
)
from tests.table.session import EASY, OTHER_RULES, RULES, other_rules

PLAYERS = st.sampled_from(["ann", "bob", "cyd", "dee", "bot:0"])
SEATS = st.integers(-1, 4)
CHOICES = st.integers(min_value=0, max_value=10_000)
MILLISECONDS = st.sampled_from([1, 900, 20_000, HELD_MS])
PLACEMENTS = st.lists(st.lists(st.sampled_from(DECK), max_size=5).map(tuple), min_size=4, max_size=4)

Asked = Sit | Always | Leave | SitOut | Ready | Return | TopUp | GoOn | Waive | Confirm | CommitSeed | OpenSeed
Hosted = Break | Remove | SeatBot | PassHost | ChangeRules | Publish


class Watch(msgspec.Struct, frozen=True):
    """What was left of a player's time in a hand at some moment, and whether he was there."""

    hand: int | None
    hand_ms: int
    bank_ms: int
    at: int
    connected: bool

    @property
    def left_ms(self) -> int:
        return self.hand_ms + self.bank_ms


class Standing(msgspec.Struct, frozen=True):
    """What a hand that does not count leaves as it was: `stacks` and `banks` of those who were called, by player."""

    stacks: Mapping[str, int]
    banks: Mapping[str, int]
    rights: Mapping[int, Right]
    button: int | None
    circle: tuple[str, ...]
    match: Match | None
    shown: object
    followed: tuple[bool, dict[int, int], dict[int, int], int | None]


class Session(RuleBasedStateMachine):
    """One table from its opening on; every answer is held against what must always be true."""

    @initialize(rules=RULES, lot=st.integers(0, 11), salt=st.integers(0, 99), end=st.sampled_from(["", "here", "away"]))
    def open(self, rules: RuleSet, lot: int, salt: int, end: str) -> None:
        self.begin(rules, lot, salt, end)

    def begin(self, rules: RuleSet, lot: int, salt: int, end: str) -> None:
        self.play = Play(rules, lot=lot, decks=lambda number: (rich_deck if number % 3 else deck)(number + salt))
        self.end = end
        self.told, self.read = "", 0
        self.recovered: Table | None = None
        self.watches: dict[str, Watch] = {}
        self.rights: dict[int, int] = {}
        self.stays: dict[int, int] = {}
        self.first = True
        self.button: int | None = None
        self.stopped = False
        self.orphaned = False
        self.price = 0
        self.money: dict[str, int] = {}
        self.uncapped = rules.settlement_cap == "none"
        self.last_notice: Notice | None = None
        self.standing: Standing | None = None
        self.told_of_the_last = ""
        self.masters: list[str] = []
        self.bound: dict[int, str] = {}
        self.held_at: int | None = None
        self.held_once = False

    # -- what is asked

    @rule(player=PLAYERS, on=st.booleans())
    def always(self, player: str, on: bool) -> None:
        self.ask(Always(player=player, on=on), "always")

    @rule(player=PLAYERS, seat=st.none() | st.integers(-1, 4), buy_in=st.none() | st.sampled_from([1, 4, 50, 100]))
    def sit(self, player: str, seat: int | None, buy_in: int | None) -> None:
        asked = Sit(player=player, name=NAMES[player], bot=player.startswith("bot:"), seat=seat, buy_in=buy_in)
        self.ask(asked, "sit" if seat is buy_in is None else None)

    @rule(player=PLAYERS)
    def leave(self, player: str) -> None:
        self.ask(Leave(player=player), "leave")

    @rule(player=PLAYERS)
    def sit_out(self, player: str) -> None:
        self.ask(SitOut(player=player), "sit-out")

    @precondition(lambda self: any(seat.leaving or seat.sitting_out for _, seat in self.play.table.seated))
    @rule(player=PLAYERS)
    def come_back(self, player: str) -> None:
        self.ask(Return(player=player), "return")

    @rule(player=PLAYERS, always=st.booleans(), ahead=st.sampled_from([0, 1, 1, 1, 2]))
    def ready(self, player: str, always: bool, ahead: int) -> None:
        asked = Ready(player=player, hand=self.play.table.hands + ahead, always=always)
        self.ask(asked, "ready" if ahead == 1 else None)

    @precondition(lambda self: not self.play.table.in_match)
    @rule(always=st.booleans(), but=st.none() | PLAYERS, bound=st.booleans())
    def everybody_ready(self, always: bool, but: str | None, bound: bool) -> None:
        for player in ("ann", "bot:0", "bob", "cyd")[: len(self.play.table.seats)]:
            self.ask(Sit(player=player, name=NAMES[player], bot=player.startswith("bot:")), "sit")
        if bound:
            self.play.seal()
            for _, seat in self.play.table.seated:
                self.ask(commit_seed(self.play.table, seat.player), "commit-seed")
        for _, seat in self.play.table.seated:
            if seat.player != but:
                self.ask(TopUp(player=seat.player, to=self.play.table.rules.buy_in[0]))
                self.ask(Ready(player=seat.player, hand=self.play.table.hands + 1, always=always), "ready")

    @precondition(lambda self: any(map(self.play.table.is_broke, (seat for _, seat in self.play.table.seated))))
    @rule(player=PLAYERS)
    def bring_the_least(self, player: str) -> None:
        self.ask(TopUp(player=player, to=self.play.table.rules.buy_in[0]))

    @rule(player=PLAYERS, more=st.sampled_from([-1, 0, 1]), most=st.booleans())
    def top_up(self, player: str, more: int, most: bool) -> None:
        view = view_table(self.play.table, player, self.play.now, Live())
        chips = view.chips or self.play.table.rules.buy_in
        try:
            self.play.ask(TopUp(player=player, to=chips[most] + more))
        except Refused:
            assert "top-up" not in view.may or more in {-1, 1}
        else:
            assert "top-up" in view.may
            assert chips[0] <= chips[most] + more <= chips[1]
            self.play.deal_if_owed()

    @precondition(lambda self: self.play.table.hand is not None)
    @rule(player=PLAYERS, ahead=st.sampled_from([-1, 0, 0, 0, 1]))
    def go_on(self, player: str, ahead: int) -> None:
        self.ask(GoOn(player=player, hand=self.play.table.hands + ahead), None if ahead else "go-on")

    @precondition(lambda self: self.play.table.pausing)
    @rule(but=st.none() | PLAYERS)
    def everybody_goes_on(self, but: str | None) -> None:
        hand = self.play.table.hands
        for number in self.play.table.dealt_in:
            seat = self.play.table.seats[number]
            if seat is not None and seat.player != but:
                self.ask(GoOn(player=seat.player, hand=hand), "go-on")

    @precondition(lambda self: self.play.table.rights)
    @rule(player=PLAYERS)
    def waive(self, player: str) -> None:
        self.ask(Waive(player=player), "waive")

    @precondition(lambda self: self.play.table.laying)
    @rule(choices=st.lists(CHOICES, max_size=8), pause=st.sampled_from([0, 1, 700]))
    def confirm(self, choices: list[int], pause: int) -> None:
        for choice in choices:
            if not self.play.table.laying:
                break
            self.play.now += pause
            if self.play.table.laying:
                self.confirm_one(choice)

    @precondition(lambda self: self.play.table.in_match)
    @rule(choice=CHOICES, hands=st.integers(1, 5))
    def play_the_match(self, choice: int, hands: int) -> None:
        for _ in range(hands):
            if self.play.table.laying:
                self.play_the_hand(choice)
            if self.play.table.pausing:
                for number in self.play.table.dealt_in:
                    if (seat := self.play.table.seats[number]) and self.play.table.owes_chips(number):
                        self.ask(TopUp(player=seat.player, to=self.play.table.rules.buy_in[0]), "top-up")
                self.everybody_goes_on(None)

    @precondition(lambda self: self.play.table.laying)
    @rule(choice=CHOICES)
    def play_the_hand(self, choice: int) -> None:
        hand = self.play.table.hands
        for _ in range(52):
            if self.play.table.laying and self.play.table.hands == hand:
                self.confirm_one(choice)

    def confirm_one(self, choice: int) -> None:
        hand = self.play.hand
        turn = hand.acting[choice % len(hand.acting)]
        placement = (lucky if choice % 4 else legal)(hand, choice, turn)
        player, street = self.play.table.players[turn], hand.street_of(turn)
        self.ask(Confirm(player=player, hand=self.play.table.hands, street=street, placement=placement), "confirm")

    @precondition(lambda self: self.play.table.laying)
    @rule(player=PLAYERS, hand=st.integers(-1, 1), street=st.integers(1, 6), cards=PLACEMENTS)
    def confirm_anything(self, player: str, hand: int, street: int, cards: list[tuple[Card, ...]]) -> None:
        hand += self.play.table.hands
        self.ask(Confirm(player=player, hand=hand, street=street, placement=Placement(*cards)))

    # -- what the host asks, or somebody who is not the host

    @rule(player=PLAYERS, on=st.booleans(), by_host=st.booleans())
    def stop(self, player: str, on: bool, by_host: bool) -> None:
        player = self.play.table.host if by_host else player
        self.ask(Break(player=player, on=on), None if on == self.play.table.on_break else "break")

    @precondition(lambda self: self.play.table.on_break)
    @rule(after=MILLISECONDS)
    def go_on_after_the_break(self, after: int) -> None:
        self.play.now += after
        self.ring(None)
        self.ask(Break(player=self.play.table.host, on=False))
        assert not self.play.table.on_break

    @rule(player=PLAYERS, seat=SEATS, by_host=st.booleans())
    def remove(self, player: str, seat: int, by_host: bool) -> None:
        player = self.play.table.host if by_host else player
        shown = self.shown(player).seats[seat] if seat in range(len(self.play.table.seats)) else None
        if self.done(Remove(player=player, seat=seat), "remove" if shown and shown.removable else None):
            assert shown is None or shown.removable or shown.leaving
            after = self.play.table.seats[seat]
            assert after is None or (after.leaving and seat in self.play.table.dealt_in)
        else:
            assert player != self.play.table.host or shown is None or not shown.removable

    @rule(player=PLAYERS, seat=st.none() | SEATS, bot=st.sampled_from(["bot:0", "bot:1"]), by_host=st.booleans())
    def seat_bot(self, player: str, seat: int | None, bot: str, by_host: bool) -> None:
        player = self.play.table.host if by_host else player
        here = self.play.table.seat_of(bot) is not None
        self.done(
            SeatBot(player=player, bot=bot, name=NAMES[bot], seat=seat),
            None if here or seat is not None else "seat-bot",
        )

    @rule(player=PLAYERS, seat=SEATS, by_host=st.booleans())
    def pass_host(self, player: str, seat: int, by_host: bool) -> None:
        player = self.play.table.host if by_host else player
        heir = self.play.table.seats[seat] if seat in range(len(self.play.table.seats)) else None
        possible = heir is not None and not heir.bot and heir.player != player
        if self.done(PassHost(player=player, seat=seat), "pass-host" if possible else None):
            assert heir is not None
            assert self.play.table.host == heir.player

    @rule(player=PLAYERS, choice=st.integers(0, len(OTHER_RULES) - 1), by_host=st.booleans())
    def change_rules(self, player: str, choice: int, by_host: bool) -> None:
        player, before = self.play.table.host if by_host else player, self.play.table
        rules = other_rules(before.rules, choice)
        fits = all(number < rules.seats[1] for number, _ in before.seated)
        if self.done(ChangeRules(player=player, rules=rules), "change-rules" if fits else None):
            after = self.play.table
            assert (after.rules, len(after.seats)) == (rules, rules.seats[1])
            assert [(number, seat.player) for number, seat in after.seated] == [
                (number, seat.player) for number, seat in before.seated
            ]
            assert rules == before.rules or not any(seat.ready or seat.always_ready for _, seat in after.seated)
            self.uncapped |= rules.settlement_cap == "none"
            if rules.bank_seconds != before.rules.bank_seconds:
                self.watches = {}

    @rule(player=PLAYERS, on=st.booleans())
    def publish(self, player: str, on: bool) -> None:
        if self.done(Publish(player=player, on=on), "publish"):
            assert self.play.table.public == on

    def shown(self, player: str) -> TableView:
        return view_table(self.play.table, player, self.play.now, Live())

    def done(self, command: Hosted, action: Action | None) -> bool:
        """Whether it was carried out and has changed something; as in `ask`."""
        count, host = len(self.play.log), self.play.table.host
        self.ask(command, action)
        changed = len(self.play.log) > count
        assert not changed or command.player == host
        return changed

    @rule(player=PLAYERS, here=st.booleans())
    def presence(self, player: str, here: bool) -> None:
        if self.play.table.seat_of(player) is not None:
            self.play.ask((Connect if here else Disconnect)(player=player))
            self.play.deal_if_owed()

    @rule(after=MILLISECONDS, choice=st.none() | CHOICES)
    def time_passes(self, after: int, choice: int | None) -> None:
        self.play.now += after
        self.ring(choice)

    @rule(choice=st.none() | CHOICES)
    def deadline_comes(self, choice: int | None) -> None:
        self.play.now = max(self.play.now, deadline(self.play.table) or 0)
        self.ring(choice)

    @rule(lost=MILLISECONDS)
    def resume(self, lost: int) -> None:
        self.play.now += lost
        before, due = self.play.table, deadline(self.play.table)
        held = any(isinstance(event, HoldBegan) for event in self.play.ask(Resume(lost_ms=lost)))
        people = [seat for number, seat in before.seated if number in before.dealt_in and not seat.bot]
        expected = lost >= OUTAGE_MS and before.busy and not before.on_break and before.hold != "outage"
        assert not held or expected
        assert held or not expected or all(seat.spent or not seat.connected for seat in people)
        if not held and before.open_by is not None and lost >= TOLD_MS:  # who opens a seed has to come back first
            after = self.play.table
            assert after.open_by == max(before.open_by + lost, after.time(self.play.now) + OPEN_AFTER_OUTAGE_MS)
            return
        if held:
            due = self.play.now + HOLD_MS - lost
        assert deadline(self.play.table) == (None if due is None else due + lost)

    # -- a room that keeps its word

    @precondition(lambda self: self.play.table.busy)
    @rule(what=st.sampled_from(["network", "network", "network", "fault", "outage"]), but=st.none() | PLAYERS)
    def trouble(self, what: Literal["network", "fault", "outage"], but: str | None) -> None:
        if what != "network":
            self.play.void(what)
            assert not self.play.table.busy
            return
        for number, seat in self.play.table.seated:
            if seat.player != but and number in self.play.table.dealt_in:
                self.play.ask(Disconnect(player=seat.player))
        self.play.deal_if_owed()

    @rule(player=PLAYERS, ms=st.sampled_from([-1000, 0, 400, 999, 1001, 10**9]), stalled=st.booleans())
    def measure(self, player: str, ms: int, stalled: bool) -> None:
        before = deadline(self.play.table)
        if stalled:
            self.play.ask(Stall(lost_ms=ms))
        elif self.play.table.seat_of(player) is not None:
            self.play.ask(Lag(player=player, ms=ms))
        assert deadline(self.play.table) == before

    @rule(player=PLAYERS, ahead=st.sampled_from([0, 1, 1, 1]))
    def commit_seed(self, player: str, ahead: int) -> None:
        self.play.seal()
        self.nothing_tells_the_master()
        asked = commit_seed(self.play.table, player, self.play.table.hands + ahead)
        self.ask(asked, "commit-seed" if ahead == 1 else None)

    @precondition(lambda self: self.play.table.called)
    @rule(player=PLAYERS, whose=st.none() | PLAYERS, after=st.sampled_from([0, 0, 1, 1499, 1500]))
    def open_seed(self, player: str, whose: str | None, after: int) -> None:
        self.play.now += after
        table = self.play.table
        seed = open_seed(table, whose or player).seed
        bound, number = self.bound, table.seat_of(player)
        self.ask(OpenSeed(player=player, hand=table.hands, seed=seed), None if whose else "open-seed")
        if any(isinstance(event, SeedOpened) and event.seed == seed for event in self.play.log[self.read :]):
            assert whose in {None, player}
            assert number is not None
            assert bound[number] == player
            assert table.open_by is not None
            assert table.time(self.play.now) < table.open_by

    def nothing_tells_the_master(self) -> None:
        views = [msgspec.json.encode(self.shown(player)) for player in ("ann", "nobody")]
        public = [split(event)[0] for event in self.play.log[-20:]]
        for text in (*views, *public, str(self.play.table).encode(), str(self.play.log[-20:]).encode()):
            assert not any(master.encode() in text for master in self.masters[-3:])

    def ring(self, choice: int | None) -> None:
        drafts: dict[int, Placement] = {}
        if self.play.table.laying and choice is not None:
            hand = self.play.hand
            drafts = {hand.seats[turn]: unfinished(hand, choice, turn) for turn in hand.acting}
        due, stopped = deadline(self.play.table), self.play.table.stands
        events = self.play.ask(TimeOut(drafts=drafts))
        self.play.deal_if_owed()
        assert bool(events) == (due is not None and due <= self.play.now)
        due = deadline(self.play.table)
        # What was due when the game was stopped is due again when it goes on.
        assert due is None or due > self.play.now or (stopped and not self.play.table.stands)

    def ask(self, command: Asked | Hosted, action: Action | None = None) -> None:
        """Ask; where the sender's view offers the action it is taken, and where it does not it is refused."""
        offered = view_table(self.play.table, command.player, self.play.now, Live()).may
        try:
            self.play.ask(command)
        except Refused:
            assert action not in offered
        else:
            assert action is None or action in offered
            self.play.deal_if_owed()
            if action in {"go-on", "sit-out", "waive"}:
                again = view_table(self.play.table, command.player, self.play.now, Live()).may
                assert action not in again, "said once is said"

    # -- what is always true

    @invariant()
    def recovery_gives_the_same_table(self) -> None:
        for event in self.play.log[self.read :]:
            before = self.recovered
            self.listen(before, event)
            self.account_for(before, event)
            self.recovered = evolve(before, join(*split(event)))
            self.follow(event)
            self.watch_holds(event)
            if before is not None:
                self.hold_to_what_stood(before, event, self.recovered)
            self.watch_the_host(event)
        self.read = len(self.play.log)
        assert self.recovered == self.play.table
        self.a_hold_has_an_end()
        self.seeds_are_of_who_sits_there_and_waited_for_no_longer_than_a_moment()
        self.clocks_run_for_those_who_act_and_charge_the_right_pocket()
        assert not self.orphaned, "who is the host after him?"

    def listen(self, before: Table | None, event: AnyEvent) -> None:
        """Gather what is told to all of the hand that is shown; what is random has no cards in it but looks like it."""
        match event:
            case HandDealt():
                self.told_of_the_last, self.told = self.told, ""
            case HandVoided():
                self.told = self.told_of_the_last if before and before.laying else self.told
            case DeckSealed(hidden=hidden):
                assert hidden is not None
                self.masters.append(hidden.master)
                assert hidden.master.encode() not in split(event)[0]
            case SeedCommitted() | SeedOpened():
                assert before is not None
                seat = before.seats[event.seat]
                assert seat is not None
                if isinstance(event, SeedCommitted):
                    self.bound[event.seat] = seat.player
            case _:
                self.told += split(event)[0].decode()

    def hold_to_what_stood(self, before: Table, event: AnyEvent, after: Table) -> None:
        """A hand that does not count leaves everything as it was when it was called."""
        followed = self.first, self.rights, self.stays, self.button
        if isinstance(event, HandCalled):
            self.standing = stood(before, event.seats, followed)
        elif isinstance(event, Left) and self.standing is not None:
            seat = before.seats[event.seat]
            assert seat is not None
            circle = () if seat.player in self.standing.circle else self.standing.circle
            rights = {number: right for number, right in self.standing.rights.items() if number != event.seat}
            self.standing = replace(self.standing, circle=circle, rights=rights)
        elif isinstance(event, HandVoided):
            assert self.standing is not None
            called = before.called or before.dealt_in
            self.first, self.rights, self.stays, self.button = self.standing.followed
            assert stood(after, called, self.standing.followed) == self.standing
            assert not any(seat.ready for number, seat in after.seated if number in called)
            assert (after.hold, after.open_by, after.busy) == (None, None, False)
            self.watches = {}

    def watch_holds(self, event: AnyEvent) -> None:
        """All times stand for no longer than a minute, and on account of a broken network once in a hand."""
        match event:
            case HandCalled():
                self.held_once = False
            case HoldBegan(at=at, reason=reason):
                assert self.held_at is None
                assert reason == "outage" or not self.held_once
                self.held_at, self.held_once = at, True
            case Resumed(lost_ms=lost) if self.held_at is not None:
                self.held_at += lost
            case HoldEnded() | HandVoided():
                self.held_at = None
            case HandDealt() | Confirmed() | AutoPlaced() | TimedOut() | HandScored() | ShowdownEnded():
                assert self.held_at is None
            case _:
                pass

    def a_hold_has_an_end(self) -> None:
        until = None if self.held_at is None else self.held_at + HOLD_MS
        assert hold_until(self.play.table) == until
        assert until is None or deadline(self.play.table) == until

    def seeds_are_of_who_sits_there_and_waited_for_no_longer_than_a_moment(self) -> None:
        table = self.play.table
        assert table.open_by is None or (
            table.called and table.open_by - table.time(self.play.now) <= OPEN_AFTER_OUTAGE_MS
        )
        # From the call on it stands who was bound, whoever leaves.
        for number in table.sealed.seeds if table.sealed and table.sealed.hand > table.hands else ():
            seat = table.seats[number]
            assert seat is not None
            assert seat.player == self.bound[number]

    @invariant()
    def credit_is_bounded(self) -> None:
        for _, seat in self.play.table.seated:
            assert 0 <= seat.credit_ms <= CREDIT_MS
            assert seat.clock.since is None or seat.clock.since - self.play.table.time(self.play.now) <= MOVE_CREDIT_MS

    @invariant()
    def what_is_told_to_all_names_the_cards_laid_in_the_open_and_no_other(self) -> None:
        if self.play.table.hand is None:
            return
        hand = self.play.hand
        open_cards = {
            str(card)
            for board, fantasyland in zip(hand.boards, hand.fantasyland, strict=True)
            if not fantasyland and not hand.closed
            for card in board.cards
        }
        assert set(re.findall("[2-9TJQKA][cdhs]", self.told)) == open_cards

    @invariant()
    def points_and_chips_are_neither_made_nor_lost(self) -> None:
        table = self.play.table
        purses = [(seat.stack, seat.brought) for _, seat in table.seated]
        purses += [(purse.stack, purse.brought) for purse in table.gone.values()]
        assert sum(stack - brought for stack, brought in purses) == 0
        assert self.uncapped or all(stack >= 0 for stack, _ in purses)
        assert table.match is None or sum(table.match.won) == 0

    @invariant()
    def a_deck_is_owed_to_nobody_and_a_match_has_a_human(self) -> None:
        assert not needs_deck(self.play.table)
        if self.play.table.laying:
            assert self.play.table.match is not None
            assert not all(name in {"Kiwi", "Mango"} for name in self.play.table.match.names)

    @invariant()
    def a_bot_that_has_lost_everything_buys_in(self) -> None:
        table = self.play.table
        broke = [seat for _, seat in table.seated if seat.bot and table.is_broke(seat)]
        assert table.laying or all(seat.leaving for seat in broke)

    @invariant()
    def whatever_is_waited_for_has_an_end(self) -> None:
        assert not self.play.table.in_match or deadline(self.play.table) is not None

    @invariant()
    def who_is_absent_is_away(self) -> None:
        for _, seat in self.play.table.seated:
            assert not (seat.absent and seat.connected)
            assert not seat.bot or seat.connected

    def clocks_run_for_those_who_act_and_charge_the_right_pocket(self) -> None:
        table, now = self.play.table, self.play_time
        acting = (
            {table.hand.seats[player] for player in table.hand.acting} if table.laying and table.hand else set[int]()
        )
        for number, seat in table.seated:
            assert (seat.clock.since is not None) == (number in acting and not seat.spent and not seat.absent)
            clock = seat.clock.at(table.time(self.play.now), connected=seat.connected)
            hand = table.hands if table.laying and number in table.dealt_in else None
            new = Watch(hand, clock.hand_ms, clock.bank_ms, now, seat.connected)
            old = self.watches.get(seat.player, Watch(None, 0, 1000 * table.rules.bank_seconds, now, connected=True))
            assert new.bank_ms <= old.bank_ms
            if new.hand is not None and new.hand == old.hand:
                assert 0 <= old.left_ms - new.left_ms <= now - old.at
                kept, first = (old.bank_ms, old.hand_ms) if old.connected else (old.hand_ms, old.bank_ms)
                assert (new.bank_ms if old.connected else new.hand_ms) == kept or old.left_ms - new.left_ms > first
            self.watches[seat.player] = new

    @property
    def play_time(self) -> int:
        """The time less all that the times have stood, or the room was away."""
        time, since, held = 0, None, False
        for event in self.play.log:
            match event:
                case BreakBegan(at=at) | HoldBegan(at=at):
                    since, held = at, isinstance(event, HoldBegan)
                case BreakEnded(at=at) | HoldEnded(at=at):
                    assert since is not None
                    time, since = time - (at - since), None
                case HandVoided(at=at) if since is not None and held:
                    time, since = time - (at - since), None
                case Resumed(lost_ms=lost) if since is None:
                    time -= lost
                case _:
                    pass
        return time + (self.play.now if since is None else since)

    @invariant()
    def the_last_notices_are_told_one_after_the_other(self) -> None:
        notices = self.play.table.notices
        assert len(notices) <= NOTICES
        numbers = [notice.number for notice in notices]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else self.last_notice is None
        assert self.last_notice is None or self.last_notice.number <= numbers[-1]
        self.last_notice = notices[-1] if notices else None

    @invariant()
    def money_is_what_was_won_at_the_price_of_the_day(self) -> None:
        table = self.play.table
        sides = {seat.player: seat.money for _, seat in table.seated}
        sides |= {player: purse.money for player, purse in table.gone.items()}
        assert sum(sides.values()) == 0
        if self.read == len(self.play.log):
            assert {player: money for player, money in sides.items() if money} == {
                player: money for player, money in self.money.items() if money
            }

    def account_for(self, before: Table | None, event: AnyEvent) -> None:
        """What the event brings to whom, by the events alone."""
        match event:
            case Opened(rules=rules) | RulesChanged(rules=rules):
                self.price = rules.point_price
            case HandScored():
                assert before is not None
                for number, stack in zip(event.seats, event.stacks, strict=True):
                    seat = before.seats[number]
                    assert seat is not None
                    won = (stack - seat.stack) * self.price
                    self.money[seat.player] = self.money.get(seat.player, 0) + won
            case Left(seat=number):
                assert before is not None
                self.orphaned |= before.seat_of(before.host) == number
            case _:
                pass

    def watch_the_host(self, event: AnyEvent) -> None:
        """While the game is stopped no card is laid and no hand goes on; no human sits here without a host."""
        assert self.recovered is not None
        if isinstance(event, BreakBegan | BreakEnded):
            assert self.stopped != isinstance(event, BreakBegan)
            self.stopped = isinstance(event, BreakBegan)
        playing = HandCalled | HandDealt | Confirmed | AutoPlaced | TimedOut | HandScored | ShowdownEnded
        assert not (self.stopped and isinstance(event, playing))
        if isinstance(event, Sat):
            assert not event.by_host or event.bot
        humans = [seat.player for _, seat in self.recovered.seated if not seat.bot]
        self.orphaned &= bool(humans) and self.recovered.host not in humans

    def follow(self, event: AnyEvent) -> None:
        """Who may be dealt Fantasyland, how often in a row, and where the button has to be, by the events alone."""
        rules = self.play.table.rules
        match event:
            case HandCalled():
                self.first = event.first
            case RightsLapsed():
                self.rights = {}
            case HandScored():
                self.rights = dict(zip(event.seats, event.fantasyland, strict=True))
            case HandDealt():
                self.deal(event, rules)
            case _:
                pass

    def deal(self, event: HandDealt, rules: RuleSet) -> None:
        assert event.seats == clockwise(event.seats)
        fantasyland = dict(zip(event.seats, event.fantasyland or (0,) * len(event.seats), strict=True))
        assert self.first != any(fantasyland.values())
        assert fantasyland == {seat: 0 if self.first else self.rights[seat] for seat in event.seats}
        before = {} if self.first else self.stays
        self.stays = {seat: before.get(seat, 0) + 1 for seat, cards in fantasyland.items() if cards}
        if rules.fantasyland_repeats != "unlimited":
            assert all(times <= rules.fantasyland_repeats + 1 for times in self.stays.values())
        if self.button is not None:
            moves = self.first or rules.button_in_fantasyland == "moves"
            places = [(self.button + step) % 4 for step in range(moves, 4 + moves)]
            assert event.seats[-1] == next(place for place in places if place in event.seats)
        self.button = event.seats[-1]

    def teardown(self) -> None:
        """Nobody waits for ever: whatever was left undone, deadlines alone bring the table to rest."""
        if not hasattr(self, "play"):
            return
        play, rings = self.play, 0
        play.decks = deck
        self.nothing_tells_the_master()
        for _, seat in play.table.seated if self.end else ():
            play.ask((Connect if self.end == "here" else Disconnect)(player=seat.player))
            play.deal_if_owed()
        while (due := deadline(play.table)) is not None:
            play.now = max(play.now, due)
            assert play.ask(TimeOut()), "a deadline has to do something"
            play.deal_if_owed()
            rings += 1
            assert rings < 60, "a table has to come to rest"
        assert not play.table.in_match
        assert not play.table.on_break
        assert all(seat.bot or seat.ready for _, seat in play.table.seated)


def stood(
    table: Table, called: Sequence[int], followed: tuple[bool, dict[int, int], dict[int, int], int | None]
) -> Standing:
    """How it stands for those who are called, or were."""
    seats = [seat for number, seat in table.seated if number in called]
    return Standing(
        stacks={seat.player: seat.stack for seat in seats},
        banks={seat.player: seat.clock.bank_ms for seat in seats},
        rights=dict(table.rights),
        button=table.button,
        circle=table.circle,
        match=table.match,
        shown=(table.hand, table.players, table.names, table.last_dealt, table.dealt_from),
        followed=followed,
    )


def clockwise(seats: tuple[int, ...]) -> tuple[int, ...]:
    """The same seats in the order of places, from the first on."""
    return tuple(sorted(seats, key=lambda seat: (seat < seats[0], seat)))


HOW: Final = settings(
    max_examples=200, stateful_step_count=80, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
ONCE: Final = settings(
    HOW,
    max_examples=1500,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)
Session.TestCase.settings = HOW
test_sessions = Session.TestCase


# -- faults that all of this has to notice


def tells_the_discard(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, Confirmed) and event.hidden:
        return replace(event, rows=event.hidden.placement)
    return event


def tells_what_lies_face_down(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, Confirmed | AutoPlaced) and event.hidden and event.rows is None:
        return replace(event, rows=Placement.parse(event.hidden.placement).rows)
    return event


def makes_a_point(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, HandScored):
        return replace(event, stacks=(event.stacks[0] + 1, *event.stacks[1:]))
    return event


def forgets_the_end_of_the_showdown(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, ShowdownEnded) else event


def forgets_that_the_rights_have_lapsed(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, RightsLapsed) else event


def forgets_who_has_gone_on(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, WentOn) else event


def charges_an_outage(event: AnyEvent) -> AnyEvent | None:
    return replace(event, lost_ms=event.lost_ms - 1) if isinstance(event, Resumed) else event


def begins_a_new_match_with_every_hand(event: AnyEvent) -> AnyEvent | None:
    return replace(event, first=True) if isinstance(event, HandCalled) else event


def deals_fantasyland_to_everybody(event: AnyEvent) -> AnyEvent | None:
    if isinstance(event, HandDealt) and event.fantasyland:
        return replace(event, fantasyland=(max(event.fantasyland),) * len(event.seats))
    return event


def turns_the_button_the_other_way(event: AnyEvent) -> AnyEvent | None:
    return replace(event, seats=event.seats[::-1]) if isinstance(event, HandDealt) else event


def forgets_the_end_of_the_break(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, BreakEnded) else event


def forgets_who_is_the_host_now(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, HostPassed) else event


def forgets_who_was_removed(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, Left) and event.removed else event


def forgets_the_end_of_a_hold(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, HoldEnded) else event


def never_closes_the_seeds(event: AnyEvent) -> AnyEvent | None:
    return None if isinstance(event, SeedsClosed) else event


def publishes_the_master(event: AnyEvent) -> AnyEvent | None:
    return replace(event, root=event.hidden.master) if isinstance(event, DeckSealed) and event.hidden else event


def voids_the_hand_before(event: AnyEvent) -> AnyEvent | None:
    return replace(event, hand=event.hand - 1) if isinstance(event, HandVoided) else event


@pytest.mark.parametrize(
    "fault",
    [
        tells_the_discard,
        tells_what_lies_face_down,
        makes_a_point,
        forgets_the_end_of_the_showdown,
        forgets_that_the_rights_have_lapsed,
        forgets_who_has_gone_on,
        charges_an_outage,
        begins_a_new_match_with_every_hand,
        deals_fantasyland_to_everybody,
        turns_the_button_the_other_way,
        forgets_the_end_of_the_break,
        forgets_who_is_the_host_now,
        forgets_who_was_removed,
        forgets_the_end_of_a_hold,
        never_closes_the_seeds,
        publishes_the_master,
        voids_the_hand_before,
    ],
)
def test_a_planted_fault_is_noticed(
    fault: Callable[[AnyEvent], AnyEvent | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(table: Table | None, command: Command, now: int) -> tuple[AnyEvent, ...]:
        return tuple(event for told in decide(table, command, now) if (event := fault(told)) is not None)

    monkeypatch.setattr(tests.table.play, "decide", faulty)
    with pytest.raises((AssertionError, ValueError, Refused)):
        run_state_machine_as_test(Session, settings=ONCE)


AT: Final = Clock.at


def whole_claims(claims: Sequence[Claim], stacks: Sequence[int], _cap: object) -> object:
    """Pays what no cap would let it pay."""
    return settle(claims, stacks, "none")


def budget_first(clock: Clock, now: int, *, connected: bool) -> Clock:
    """Charges the budget also of one who is away."""
    return AT(clock, now, connected=True)


def another_stay(rules: RuleSet, _repeats: int) -> int:
    """Lets everybody stay as often as he can."""
    return rules.fantasyland_stay_cards


def too_late(time: int | None, now: int) -> bool:
    """Finds a moment due only when it is over."""
    return time is not None and time < now


def nothing(_story: object) -> None:
    """Does not do what it should."""


def as_it_was(table: Table, _at: int) -> Table:
    """Starts and stops no clock."""
    return table


def runs_on(_table: Table, now: int) -> int:
    """Lets the time run while the game is stopped."""
    return now


def anybody(_table: Table, _who: object) -> bool:
    """Lets everybody do it, or have it done to him."""
    return True


CHANGED: Final = ananas.table.evolve._rules_changed


def at_the_new_price(table: Table, rules: RuleSet, at: int) -> Table:
    """Reckons what was won before at what a point costs now."""
    table = CHANGED(table, rules, at)
    for number, seat in table.seated:
        table = table.with_seat(number, replace(seat, money=(seat.stack - seat.brought) * rules.point_price))
    return table


def shifts_nothing(table: Table, _by: int) -> Table:
    """Lets nobody have back what he was stopped for."""
    return table


VOIDED: Final = ananas.table.evolve._voided


def voided(**changed: object) -> Callable[[Table, HandVoided], Table]:
    """Does not give back everything when a hand does not count."""

    def forgetful(table: Table, event: HandVoided) -> Table:
        return replace(VOIDED(table, event), **changed)

    forgetful.__name__ = f"voided_with_{'_'.join(changed)}"
    return forgetful


def with_a_bank_that_was_used(table: Table, event: HandVoided) -> Table:
    """Gives nobody back what he has thought in a hand that does not count."""
    after = VOIDED(table, event)
    for number, seat in table.seated:
        now = after.seats[number]
        assert now is not None
        after = after.with_seat(number, replace(now, clock=replace(now.clock, bank_ms=seat.clock.bank_ms)))
    return after


def charging_the_hold(table: Table, _now: int) -> Table:
    """Lets the times run on as if they had not stood."""
    return replace(table, hold_since=None, hold=None)


def nobody(_table: Table, *_rest: object) -> tuple[int, ...]:
    """Waits for nobody."""
    return ()


INSIDE: Final[list[tuple[object, str, object]]] = [
    (ananas.game.scoring, "settle", whole_claims),
    (ananas.table.decide, "_due", too_late),
    (ananas.table.decide, "_bots_bring", nothing),
    (ananas.table.decide, "_lay_for_absent", nothing),
    (Clock, "at", budget_first),
    (ananas.table.evolve, "_clocks", as_it_was),
    (Table, "time", runs_on),
    (ananas.table.decide, "may_stop", anybody),
    (ananas.table.decide, "may_be_removed", anybody),
    (ananas.table.evolve, "_rules_changed", at_the_new_price),
    (ananas.table.evolve, "_shifted", shifts_nothing),
    (ananas.table.evolve, "_voided", voided(button=None)),
    (ananas.table.evolve, "_voided", with_a_bank_that_was_used),
    (ananas.table.evolve, "_held_no_longer", charging_the_hold),
    (ananas.table.evolve, "OPEN_MS", 60_000),
    (ananas.table.decide, "waited_for", nobody),
]


@pytest.mark.parametrize(("module", "name", "fault"), INSIDE)
def test_a_planted_fault_inside_is_noticed(
    module: object, name: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, fault)
    with pytest.raises((AssertionError, ValueError, Refused)):
        run_state_machine_as_test(Session, settings=ONCE)


class Staying(Session):
    """A table where Fantasyland is had for little, and one may stay there once."""

    @initialize(lot=st.integers(0, 11), salt=st.integers(0, 99))
    def open(self, lot: int, salt: int) -> None:
        self.begin(RULE_SETS["club-pineapple"].but(EASY), lot, salt, "")


def test_a_stay_too_many_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.game.scoring, "stay_cards", another_stay)
    with pytest.raises((AssertionError, ValueError, Refused)):
        run_state_machine_as_test(Staying, settings=ONCE)
