"""What was begun under an earlier version is ended by this one, under the rules it was begun by; see `golden.py`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Final, cast

import pytest
from msgspec.structs import replace

import ananas.game.hand
import ananas.table.evolve
import ananas.table.view
from ananas.game.hand import Hand
from ananas.game.rules import ENGINE, RuleSet
from ananas.game.scoring import Reckoning, reckon
from ananas.refused import Refused
from ananas.server.room import Room, Rooms, fold
from ananas.server.store import Store
from ananas.server.time import RoomClock
from ananas.server.viewers import Thinker
from ananas.table.clock import deadline
from ananas.table.commands import Confirm, TimeOut
from ananas.table.decide import decide
from ananas.table.events import AnyEvent, HandCalled, HandDealt, HandScored, Opened
from ananas.table.evolve import evolve
from ananas.table.state import Clock, Table
from ananas.version import __version__
from tests.chance import Chance
from tests.table.play import legal, split
from tests.trust.double import Disk, Double, Written
from tests.trust.golden import GOLDEN, held, load, logs, read
from tests.trust.hands import Wrong, check_reckoning
from tests.trust.simulator import quiet
from tests.trust.virtual import Loop, seeded

DATA: Final = GOLDEN.parent
OLDER: Final = sorted(DATA.glob("session*.log"))
"""Sessions as they were written by versions that named no rules' version at all."""
EVERY: Final = [*logs(), *OLDER]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


# -- what was, is


def assert_as_it_was(path: Path) -> bool:
    golden = load(path)
    for number, (line, then) in enumerate(zip(held(golden.events, golden.fields), golden.lines, strict=True), 1):
        state, views = zip(line.split(), then.split(), strict=True)
        assert state[0] == state[1], f"{golden.name}: another state after event {number}"
        assert views[0] == views[1], f"{golden.name}: another view after event {number}"
    return True


@pytest.mark.parametrize("path", logs(), ids=name)
def test_every_state_and_view_is_what_it_was(path: Path) -> None:
    assert assert_as_it_was(path)


def test_this_version_has_logs() -> None:
    names = {path.stem for path in (GOLDEN / __version__).glob("*.log")}
    assert {"room", "club", "club-pineapple", "progressive", "broken_off", "broken_off_in_fantasyland"} <= names
    for path in (GOLDEN / __version__).glob("*.log"):
        dealt = [event for event in read(path) if isinstance(event, HandDealt)]
        assert dealt
        assert all(event.engine == ENGINE and event.rules for event in dealt)


_AT: Final = Clock.at


def a_little_slower(clock: Clock, now: int, *, connected: bool) -> Clock:
    return _AT(clock, now - 1, connected=connected)


def five_for_a_dead_hand(boards: Sequence[object], seats: Sequence[int], rules: RuleSet, **more: object) -> Reckoning:
    return cast("Callable[..., Reckoning]", reckon)(boards, seats, rules.but({"foul_points": "5"}), **more)


def counts_from_the_other_end(table: Table) -> str:
    return "waiting"


@pytest.mark.parametrize(
    ("where", "what", "fault"),
    [
        (Clock, "at", a_little_slower),
        (ananas.game.hand, "reckon", five_for_a_dead_hand),
        (ananas.table.view, "_phase", counts_from_the_other_end),
        (ananas.table.evolve, "NOTICES", 1),
    ],
)
def test_another_meaning_of_an_old_log_is_noticed(
    where: object, what: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, what, fault)
    with pytest.raises(AssertionError, match=r"another (state|view) after event"):
        all(map(assert_as_it_was, logs()))


# -- what was begun, is ended


def beginnings(events: Sequence[AnyEvent]) -> list[int]:
    """Where a log can be broken off so that a hand is to be ended: after each one was dealt, and some events later.

    What happened at the same moment is not broken apart: it may have been kept together.
    """
    found: set[int] = set()
    dealt = [number for number, event in enumerate(events, 1) if isinstance(event, HandDealt)]
    for later in (later for number in dealt for later in (number, number + 3) if later <= len(events)):
        at = events[later - 1].at
        found.add(next((cut for cut in range(later, len(events)) if events[cut].at != at), len(events)))
    return sorted(found)


def end_the_hand(table: Table, now: int, chance: Chance) -> Table:
    """Today's program plays on until the hand is counted; some lay, others let their time run out."""
    rules, number = table.rules, table.hands
    assert table.hand is not None
    seats, stacks = table.hand.seats, table.hand.stacks
    hand = table.hand
    for _ in range(200):
        if not table.laying:
            break
        assert table.hand is not None
        hand = table.hand
        place = chance.pick(hand.acting)
        events: tuple[AnyEvent, ...] = ()
        if chance.below(5):
            player, street = table.players[place], hand.street_of(place)
            placement = legal(hand, chance.below(100_000), place)
            try:
                events = decide(table, Confirm(player=player, hand=number, street=street, placement=placement), now)
            except Refused:  # the game is stopped, or his time is over
                events = ()
        if not events:
            now = max(now, deadline(table) or 0)
            events = decide(table, TimeOut(), now)
        for event in events:
            if isinstance(event, HandScored):
                assert table.hand is not None
                check(event, table.hand, rules)
            table = evolve(table, event)
    assert not table.laying, "a hand ends"
    assert (hand.seats, hand.stacks) == (seats, stacks)
    return table


def check(event: HandScored, hand: Hand, rules: RuleSet) -> None:
    """It is counted as the rules say by which it was begun, and nobody has lost a chip by the upgrade."""
    assert hand.rules == rules
    assert hand.reckoning is not None
    check_reckoning(hand.reckoning, hand)
    results = hand.reckoning.players
    assert event.stacks == tuple(result.stack for result in results)
    assert event.points == tuple(result.points for result in results)


def end_every_hand(path: Path) -> int:
    events, ended = read(path), 0
    for cut in beginnings(events):
        table = fold(events[:cut])
        if table.laying:
            end_the_hand(table, events[cut - 1].at, Chance(f"{path.stem} {cut}"))
            ended += 1
    return ended


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_a_hand_that_was_begun_before_is_ended_by_its_own_rules(path: Path) -> None:
    assert end_every_hand(path) > 0


def by_the_rules_of_the_day(boards: Sequence[object], seats: Sequence[int], _rules: RuleSet, **more: object) -> object:
    return cast("Callable[..., Reckoning]", reckon)(boards, seats, RuleSet(), **more)


def test_a_hand_that_is_ended_by_other_rules_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.game.hand, "reckon", by_the_rules_of_the_day)
    with pytest.raises(Wrong):
        all(map(end_every_hand, EVERY))


# -- a whole room that wakes up with a hand in it


def wake(events: Sequence[AnyEvent], seconds: float) -> tuple[tuple[AnyEvent, ...], list[str]]:
    """What happens at a table whose log an earlier version has left, when nobody comes; and what is complained of."""
    disk, complaints = Disk(), list[str]()
    opened = events[0]
    assert isinstance(opened, Opened)
    for event in events:
        public, hidden = split(event)
        disk.write(opened.table, Written(None, None, b"[%b]" % public, hidden and b"[%b]" % hidden), events[-1].at)
    disk.alive_at = events[-1].at
    loop = Loop(0.0)
    clock = RoomClock(not_before=disk.alive_at, wall=lambda: events[-1].at / 1000 + 60, monotonic=loop.time)
    rooms = Rooms(store=cast("Store", Double(disk)), clock=clock, thinker=cast("Thinker", None), bot_pause=0.0)

    async def keep_time() -> None:
        while True:
            await asyncio.sleep(0.5)
            clock.now()

    with quiet(complaints), seeded(Chance("wake")):
        with loop.running():
            for what in (rooms.start(), keep_time()):
                loop.create_task(what)
        loop.run_until(seconds)
        loop.kill()
    rows = disk.logs[opened.table][len(events) :]
    return tuple(event for row in rows for event in row.events), complaints


BROKEN_OFF: Final = ("broken_off", "broken_off_club", "broken_off_in_fantasyland", "called")


def assert_ended_by_itself(path: Path) -> None:
    before = read(path)
    after, complaints = wake(before, 3600.0)
    assert not complaints
    table: Table | None = fold(before)
    begun = [event for event in before if isinstance(event, HandCalled)][-1].hand
    counted = False
    for event in after:
        assert table is not None
        if isinstance(event, HandScored) and event.hand == begun:
            assert table.hand is not None
            check(event, table.hand, table.rules)
            counted = True
        table = evolve(table, event)
    assert counted, "the hand is brought to its end"


@pytest.mark.parametrize("stem", BROKEN_OFF)
def test_a_room_ends_what_an_earlier_one_has_begun(stem: str) -> None:
    for path in GOLDEN.glob(f"*/{stem}.log"):
        assert_ended_by_itself(path)


def test_a_room_that_lets_an_old_hand_lie_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_: Room) -> bool:
        return False

    monkeypatch.setattr(Room, "_do_what_is_due", nothing)
    with pytest.raises(AssertionError, match="brought to its end"):
        assert_ended_by_itself(GOLDEN / __version__ / "broken_off.log")


# -- what a later version has begun


def of_a_later_version(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    last = max(number for number, event in enumerate(events) if isinstance(event, HandDealt))
    return [
        replace(event, engine=ENGINE + 1) if number == last and isinstance(event, HandDealt) else event
        for number, event in enumerate(events)
    ]


def assert_refused() -> None:
    events = of_a_later_version(read(GOLDEN / __version__ / "broken_off.log"))
    with pytest.raises(ValueError, match=rf"newer version \({ENGINE + 1}\) than this program knows"):
        reduce(evolve, events, cast("Table | None", None))
    after, complaints = wake(events, 600.0)
    assert after == (), "nothing is done at a table that is not understood"
    assert len(complaints) == 1
    assert f"newer version ({ENGINE + 1})" in complaints[0]


def test_a_log_that_names_a_later_version_is_refused_in_plain_words() -> None:
    assert_refused()


def test_a_program_that_takes_any_version_for_its_own_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.evolve, "ENGINE", ENGINE + 9)
    with pytest.raises(pytest.fail.Exception):
        assert_refused()


def test_a_hand_that_names_other_rules_than_its_table_has_is_refused() -> None:
    events = read(GOLDEN / __version__ / "club.log")
    other = [replace(event, rules="room") if isinstance(event, HandDealt) else event for event in events]
    with pytest.raises(ValueError, match="other rules"):
        reduce(evolve, other, cast("Table | None", None))
