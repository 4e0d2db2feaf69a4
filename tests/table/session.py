"""A session at a table out of a list of numbers, for tests that need many different ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

import hypothesis.strategies as st
import msgspec

from ananas.game.board import Placement
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from ananas.table.clock import deadline, lost_in_hold
from ananas.table.commands import (
    Always,
    Break,
    ChangeRules,
    Command,
    Confirm,
    Connect,
    Deal,
    Disconnect,
    GoOn,
    Lag,
    Leave,
    Open,
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
    Void,
    Waive,
)
from ananas.table.decide import decide
from ananas.table.events import AnyEvent
from ananas.table.evolve import evolve
from ananas.table.seeds import may_commit, may_open
from ananas.table.state import Table, needs_deck, to_be_sealed
from tests.game.anything import any_rules
from tests.table.play import NAMES, commit_seed, deck, legal, lucky, open_seed, rich_deck, seal, unfinished

PLAYERS = ("ann", "bob", "cyd", "dee", "eve")
CHOICES = st.lists(st.integers(0, 1_000_000), min_size=60, max_size=140)

EASY: Final = {
    "fantasyland_entry": "22",
    "fantasyland_stay": "top-trips,middle-full-house,middle-quads,bottom-quads",
    "hand_seconds": "60",
    "bank_seconds": "20",
}
"""Where pairs on top are enough, there is Fantasyland in nearly every session."""
SOME_RULES: Final = (
    *RULE_SETS.values(),
    *(rules.but(EASY) for rules in RULE_SETS.values()),
    RULE_SETS["room"].but({"buy_in": "3-8"} | EASY),
    RULE_SETS["club"].but({"buy_in": "1-5"} | EASY),
)
RULES = st.sampled_from(SOME_RULES) | any_rules()

OTHER_RULES: Final[tuple[Mapping[str, str], ...]] = (
    {"point_price": "250"},
    {"point_price": "0", "seen_cards": "hidden"},
    {"bank_seconds": "7", "point_price": "1000"},
    {"settlement_cap": "loser"},
    {"buy_in": "2-9", "showdown_seconds": "3"},
    {"seats": "2-2"},
    {"seats": "2-3"},
)
"""What a host may come to think of, by field."""


def other_rules(rules: RuleSet, choice: int) -> RuleSet:
    """These rules with something changed, or as they are where that cannot be played."""
    try:
        return rules.but(OTHER_RULES[choice % len(OTHER_RULES)])
    except Refused:
        return rules


class Step(msgspec.Struct, frozen=True):
    """A moment at a table: a command, or only another draft, and what came of it."""

    now: int
    command: Command | None
    drafts: Mapping[int, Placement]
    events: tuple[AnyEvent, ...]
    table: Table


def step(table: Table | None, now: int, command: Command | None, drafts: Mapping[int, Placement]) -> Step:
    events = () if command is None else decide(table, command, now)
    after = reduce(evolve, events, table)
    assert after is not None
    return Step(now, command, drafts, events, after)


def session(rules: RuleSet, choices: Sequence[int], *, sealed: bool = True) -> list[Step]:
    """Play a session in which every number is a choice: mostly of where cards go, sometimes of coming and going.

    `sealed`: every hand has its seal and its seeds; what is dealt comes from any deck all the same.
    """
    now = 1_000_000
    steps = [step(None, now, Open(table="t1", name="Friday", host="ann", rules=rules), {})]
    for number in choices:
        table, drafts = steps[-1].table, steps[-1].drafts
        now += number % 977
        choice, kind = divmod(number, 32)
        command: Command | None = None
        if kind == 0:
            now = max(now, deadline(table) or 0)
            command = TimeOut(drafts=drafts)
        elif kind <= 4 and table.laying and table.hand and not table.stands:
            player = table.hand.acting[choice % len(table.hand.acting)]
            drafts = {**drafts, table.hand.seats[player]: unfinished(table.hand, choice, player)}
        else:
            command = (
                coming_and_going(table, kind, choice)
                if kind <= 16
                else hosting(table, choice)
                if kind <= 18
                else keeping_its_word(table, choice)
                if kind == 19
                else going_on(table, choice)
            )
        try:
            moment = step(table, now, command, drafts)
        except Refused:
            continue
        steps.append(moment if command is None else replaced(moment, still(moment, drafts)))
        if sealed and to_be_sealed(steps[-1].table) is not None:
            steps.append(replaced(step(steps[-1].table, now, seal(steps[-1].table), {}), steps[-1].drafts))
        if needs_deck(steps[-1].table):
            cards = (rich_deck if choice % 2 else deck)(choice)
            steps.append(step(steps[-1].table, now, Deal(deck=cards, lot=choice % 12), {}))
    return steps


def replaced(moment: Step, drafts: Mapping[int, Placement]) -> Step:
    return msgspec.structs.replace(moment, drafts=drafts)


def still(moment: Step, drafts: Mapping[int, Placement]) -> Mapping[int, Placement]:
    """The drafts of those whose cards are still the same."""
    table = moment.table
    if not table.laying or table.hand is None:
        return {}
    acting = {table.hand.seats[player] for player in table.hand.acting}
    laid = {getattr(event, "seat", None) for event in moment.events}
    return {seat: draft for seat, draft in drafts.items() if seat in acting - laid}


def coming_and_going(table: Table, kind: int, choice: int) -> Command:
    choice, who = divmod(choice, len(PLAYERS))
    player = PLAYERS[who]
    match kind:
        case 5:
            return Leave(player=player)
        case 6:
            return Sit(player=player, name=NAMES[player], seat=choice % len(table.seats))
        case 7:
            return Return(player=player)
        case 8:
            return Resume(lost_ms=choice * (60 if choice % 3 == 0 else 1))
        case 9 | 10:
            return Disconnect(player=player)
        case 11 | 12:
            return Connect(player=player)
        case 13:
            return SitOut(player=player)
        case 14:
            return Waive(player=player) if choice % 2 else Always(player=player, on=choice % 4 == 0)
        case 15:
            return TopUp(player=player, to=table.rules.buy_in[choice % 2])
        case _:
            return GoOn(player=player, hand=table.hands)


def hosting(table: Table, choice: int) -> Command:
    """What the host asks, or once in a while somebody who is not."""
    choice, kind = divmod(choice, 8)
    player = table.host if choice % 8 else PLAYERS[choice % len(PLAYERS)]
    match kind:
        case _ if kind % 2 and not table.in_match:
            return ChangeRules(player=player, rules=other_rules(table.rules, choice))
        case 0 | 1:
            return Break(player=player, on=not table.on_break)
        case 2 | 3:
            return Remove(player=player, seat=choice % len(table.seats))
        case 4:
            return SeatBot(player=player, bot="bot:0", name=NAMES["bot:0"])
        case 5:
            return PassHost(player=player, seat=choice % len(table.seats))
        case 6:
            return ChangeRules(player=player, rules=other_rules(table.rules, choice))
        case _:
            return Publish(player=player, on=not table.public)


def keeping_its_word(table: Table, choice: int) -> Command:
    """What is about connections, about a room that fails, and about the shuffle."""
    choice, kind = divmod(choice, 16)
    dealt_in = [seat.player for number, seat in table.seated if number in table.dealt_in]
    player = dealt_in[choice % len(dealt_in)] if dealt_in else PLAYERS[choice % len(PLAYERS)]
    match kind:
        case 0 | 1:
            return Void(reason="outage" if choice % 2 else "fault")
        case 2:
            return Stall(lost_ms=choice)
        case 3 | 4 | 5:
            return Lag(player=player, ms=choice % 3000)
        case 6:
            return commit_seed(table, player)
        case 7:
            return open_seed(table, player)
        case _:
            there = [seat.player for number, seat in table.seated if number in table.dealt_in and seat.connected]
            return Disconnect(player=there[0] if there else player)


def going_on(table: Table, choice: int) -> Command:
    """What brings a table nearer to its next showdown."""
    for number, seat in table.seated:
        if number in lost_in_hold(table) and choice % 4:
            return Connect(player=seat.player)
        if may_open(table, number, 0):
            return open_seed(table, seat.player) if choice % 5 else TimeOut()
        if may_commit(table, number) and choice % 3 == 0:
            return commit_seed(table, seat.player)
    if table.on_break and choice % 3 == 0:
        return Break(player=table.host, on=False)
    if table.hand is not None and table.laying:
        acting = table.hand.acting[choice % len(table.hand.acting)]
        placement = (lucky if choice % 5 else legal)(table.hand, choice, acting)
        player, street = table.players[acting], table.hand.street_of(acting)
        return Confirm(player=player, hand=table.hands, street=street, placement=placement)
    for number, seat in table.seated:
        broke = table.is_broke(seat)
        if broke and (not table.in_match or table.owes_chips(number)):
            return TopUp(player=seat.player, to=table.rules.buy_in[0])
        if table.pausing and number in table.dealt_in and number not in table.gone_on:
            return GoOn(player=seat.player, hand=table.hands)
        if not table.in_match and not seat.ready and len(table.seated) > 1:
            return Ready(player=seat.player, hand=table.hands + 1, always=choice % 3 == 0)
    player = PLAYERS[choice % len(PLAYERS)]
    return Sit(player=player, name=NAMES[player])
