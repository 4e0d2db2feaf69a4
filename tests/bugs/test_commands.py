"""Faults of commands that come twice, late or out of turn, as other rooms have had them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas import protocol
from ananas.refused import Refused
from ananas.server import store as storing
from ananas.server.room import Room
from ananas.server.store import Kept, NotKept, Store
from ananas.table.account import account
from ananas.table.commands import Command, Leave, Sit, TopUp
from ananas.table.events import AnyEvent, HandCalled, HandDealt, HandScored, HandVoided, Sat, VoidReason
from ananas.table.state import Table
from tests.bugs.places import ROOM, THREE, TWO, acts, at_every_street, cut, evening, gives, log_of, settle, tables
from tests.bugs.test_seats import whole
from tests.server.live import Ear, Live, Message, in_a_room


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


Kind = Callable[..., Any]
Sent = list[tuple[Ear, Any]]

# -- B041, B042, B044: the same command again


class Often:
    """Sends everything so often at once, by the window that plays and by another one of the same player."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.sent: Sent = []

    async def ask(self, ear: Ear, kind: Callable[..., Any], **fields: object) -> Message:
        message = kind(id=f"command-{len(self.sent):06}", **fields)
        self.sent.append((ear, message))
        before, room = len(ear.heard), ear.room
        other = Ear(ear.player, room)
        room.join(other)
        for number in range(self.times):
            room.ask(ear, message)
            if number % 2:
                room.ask(other, message)
        await settle(room)
        room.leave(other)
        answers = [heard for heard in ear.heard[before:] if heard.get("id") == message.id]
        assert len(answers) == self.times
        assert all(answer == answers[0] for answer in answers), "the same command has two answers"
        return answers[0]


async def an_evening(live: Live, asks: Often) -> list[Ear]:
    """Two sit down, play two hands, one leaves and comes back with more."""
    room = await live.open(replace(TWO, buy_in=(20, 100)))
    ears = [await live.come(room, "ann"), await live.come(room, "bob")]
    for number, ear in enumerate(ears):
        await asks.ask(ear, protocol.Sit, seat=number, buy_in=100)
    for number in (1, 2):
        for ear in ears:
            await asks.ask(ear, protocol.Ready, hand=number)
        while room.table.laying:
            thinks = acts(ears)
            hand, seat = room.table.hand, room.table.seat_of(str(thinks.player))
            assert hand is not None
            assert seat is not None
            place = hand.seats.index(seat)
            laid = str(hand.automatic(place, None))
            await asks.ask(thinks, protocol.Confirm, hand=number, street=hand.street_of(place), placement=laid)
    await asks.ask(ears[0], protocol.Always, on=True)
    await asks.ask(ears[1], protocol.SitOut)
    await asks.ask(ears[1], protocol.Return)
    await asks.ask(ears[1], protocol.Leave)
    return ears


def shape(events: Sequence[AnyEvent]) -> list[tuple[object, ...]]:
    """What happened, but for cards, points and times."""
    names = ("seat", "hand", "street", "on", "player")
    return [(type(event).__name__, *(getattr(event, name, None) for name in names)) for event in events]


def logs_of_both(path: Path, times: int) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    found: list[list[tuple[object, ...]]] = []

    for number, often in enumerate((1, times)):

        async def body(live: Live, often: int = often) -> None:
            await an_evening(live, Often(often))
            events = await log_of(live)
            found.append(shape(sorted_by_button(events)))

        in_a_room(path.with_name(f"room-{number}.sqlite"), body)
    return found[0], found[1]


def sorted_by_button(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The first button falls by lot: seats are told as places in the order of play of the first hand."""
    first = next(event for event in events if isinstance(event, HandDealt))

    def turned(event: AnyEvent) -> AnyEvent:
        seat = getattr(event, "seat", None)
        laid = type(event).__name__ in {"Confirmed", "AutoPlaced", "TimedOut"}
        return replace(event, seat=first.seats.index(seat)) if laid else event

    return [turned(event) for event in events]


@pytest.mark.parametrize("times", [2, 5])
def test_bug_B041_what_is_sent_again_is_done_once(path: Path, times: int) -> None:
    single, several = logs_of_both(path, times)
    assert several == single


def forgets_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that does not know a command again."""
    sound = Room._carry_out

    async def forgets(room: Room, command: Command, _: str | None, *rest: Any) -> Kept:  # noqa: ANN401
        return await sound(room, command, None, *rest)

    monkeypatch.setattr(Room, "_carry_out", forgets)


def burst(path: Path) -> None:
    """Fifty times the same move, while the other says things, comes and goes: it is laid once, and answered so each time."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room = ears[0].room
        while room.table.laying:
            mine = acts(ears)
            other = ears[ears.index(mine) ^ 1]
            hand, seat = room.table.hand, room.table.seat_of(str(mine.player))
            assert hand is not None
            assert seat is not None
            place = hand.seats.index(seat)
            street, version, heard = hand.street_of(place), room.version, len(mine.heard)
            move = protocol.Confirm(
                id=f"burst-{street}-{place}-{seat}",
                hand=1,
                street=street,
                placement=str(hand.automatic(place, None)),
            )
            for number in range(50):
                room.ask(mine, move)
                if number % 10 == 3:
                    room.ask(other, protocol.Always(id=f"always-{version:04}-{number:02}", on=number % 20 == 3))
                if number % 7 == 0:
                    await asyncio.sleep(0)
            await settle(room)
            answers = [message for message in mine.heard[heard:] if message.get("id") == move.id]
            assert len(answers) == 50
            assert {answer["type"] for answer in answers} == {"kept"}
            assert len({answer["version"] for answer in answers}) == 1
        laid = [event for event in await log_of(live) if type(event).__name__ == "Confirmed"]
        assert len(laid) == 10

    in_a_room(path, body)


def test_bug_B042_a_burst_among_others_events_is_done_once(path: Path) -> None:
    burst(path)


def later(path: Path) -> None:
    """Everything that was ever asked at a table is asked again: under its id and under a new one."""

    async def body(live: Live) -> None:
        asks = Often(1)
        ears = await an_evening(live, asks)
        room = ears[0].room
        before = room.table, room.version
        for ear, message in asks.sent:
            kind = cast("Kind", type(message))
            again = await ear.ask(kind, message.id, **fields(message))
            assert again["type"] == "kept", again
            if isinstance(message, protocol.Confirm | protocol.Ready):
                new = await ear.ask(kind, **fields(message))
                assert new["type"] == "refused"
                assert new["code"] in {"turn-over", "not-seated"}, new
            assert (room.table, room.version) == before

    in_a_room(path, body)


def fields(message: Any) -> dict[str, Any]:  # noqa: ANN401
    return {name: getattr(message, name) for name in message.__struct_fields__ if name != "id"}


def test_bug_B044_what_was_asked_in_another_turn_changes_nothing(path: Path) -> None:
    later(path)


def twice(path: Path) -> None:
    test_bug_B041_what_is_sent_again_is_done_once(path, 2)


@pytest.mark.parametrize("check", [twice, burst, later])
def test_bug_B041_B042_B044_planted(path: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Path], None]) -> None:
    forgets_ids(monkeypatch)
    with pytest.raises(AssertionError):
        check(path)


def test_bug_B044_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes whoever says ready for ready, whichever hand he means."""
    sound = ananas.table.decide._ready

    def any_hand(story: Any, command: Any) -> None:  # noqa: ANN401
        sound(story, replace(command, hand=story.table.hands + 1))

    monkeypatch.setattr(ananas.table.decide, "_ready", any_hand)
    with pytest.raises(AssertionError):
        later(path)


# -- B050: sitting down a hundred times


def a_hundred_times(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(ROOM)
        first = await live.come(room, "ann")
        windows = [first, Ear("ann", room), Ear("ann", room)]
        for window in windows[1:]:
            room.join(window)
        for number in range(100):
            room.ask(windows[number % 3], protocol.Sit(id=f"sit-down-{number:03}"))
        await settle(room)
        answers = [m for window in windows for m in window.heard if m["type"] in {"kept", "refused"}]
        assert [answer["type"] for answer in answers].count("kept") == 1
        sat = [event for event in await log_of(live) if isinstance(event, Sat)]
        assert len(sat) == 1, "he sits there twice"
        assert room.table.seats[0] is not None
        assert (room.table.seats[0].stack, room.table.seats[0].brought) == (ROOM.buy_in[0], ROOM.buy_in[0])

    in_a_room(path, body)


def test_bug_B050_a_hundred_joins_are_one_seat_and_one_buy_in(path: Path) -> None:
    a_hundred_times(path)


def test_bug_B050_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sits_anew(story: Any, command: Sit) -> None:  # noqa: ANN401
        number = ananas.table.decide._free_seat(story.table, None)
        told = {"name": f"{command.name} {number}", "bot": False, "stack": 50, "brought": 50}
        story.tell(Sat(at=story.now, seat=number, player=command.player, **told))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ananas.table.decide, "_sit", sits_anew)
    with pytest.raises(AssertionError):
        a_hundred_times(path)


# -- B052: what one plays for cannot be moved away


def moves_his_chips_away() -> None:
    """Leaving, topping up and sitting down elsewhere at every turn change nothing of what is paid."""
    for turn, story in at_every_street(replace(THREE, buy_in=(20, 100)), "ann bob cyd"):
        plain, play = cut(story, len(story.log)), cut(story, len(story.log))
        plain.now = play.now = story.now
        for command in (TopUp(player="bob", to=100), Leave(player="bob"), TopUp(player="bob", to=100)):
            if isinstance(command, TopUp):
                with pytest.raises(Refused, match="match"):
                    play.ask(command)
            else:
                play.ask(command)
            whole(play)
        with pytest.raises(Refused):
            play.sit("bob")
        for each in (plain, play):
            each.finish(turn)
        scored = [next(e for e in each.log if isinstance(e, HandScored)) for each in (plain, play)]
        assert replace(scored[0], at=0) == replace(scored[1], at=0)
        assert min(scored[1].stacks) >= 0
        whole(play)
        assert play.table.seat_of("bob") is None
        assert play.table.gone["bob"].stack == dict(zip(scored[1].seats, scored[1].stacks, strict=True))[1]


def test_bug_B052_nobody_moves_his_chips_away_from_what_he_owes() -> None:
    moves_his_chips_away()


def test_bug_B052_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.decide, "may_top_up", gives((1, 100)))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        moves_his_chips_away()


# -- B074: nothing is paid for a hand that is not played


def nothing_before_it_is_counted() -> None:
    """At every moment before a hand is counted, and after a restart at it, each has what he brought."""
    story = evening()
    for event, table in zip(story.log, tables(story.log), strict=True):
        if isinstance(event, HandScored):
            break
        assert all(seat.stack == seat.brought for _, seat in table.seated), type(event).__name__
    called = next(at for at, event in enumerate(story.log, 1) if isinstance(event, HandCalled))
    for until in (called, called + 1):  # called, and dealt
        gone = cut(story, until)
        gone.void("outage")
        assert [seat.stack for _, seat in gone.table.seated] == [50, 50]
        whole(gone)
    again = cut(story, called)
    assert [seat.stack for _, seat in again.table.seated] == [50, 50]
    again.deal_if_owed()
    again.finish()
    whole(again)


def test_bug_B074_nothing_is_taken_for_a_hand_that_is_not_dealt() -> None:
    nothing_before_it_is_counted()


def test_bug_B074_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = ananas.table.evolve._called

    def takes_an_ante(table: Table, event: HandCalled, at: int) -> Table:
        after = sound(table, event, at)
        for number in event.seats:
            seat = after.seats[number]
            assert seat is not None
            after = after.with_seat(number, replace(seat, stack=seat.stack - 1))
        return after

    monkeypatch.setattr(ananas.table.evolve, "_called", takes_an_ante)
    with pytest.raises(AssertionError):
        nothing_before_it_is_counted()


# -- B096: a hand that does not count


Standing = tuple[object, ...]


def standing(table: Table) -> Standing:
    """What a hand that does not count has to leave as it was."""
    stacks = {seat.player: (seat.stack, seat.brought, seat.money, seat.played) for _, seat in table.seated}
    told = account(table, None)
    return stacks, table.rights, table.button, table.circle, table.match, told.players, told.hands


def does_not_count() -> None:
    """Every hand of an evening with Fantasyland is ended in the middle, at every moment: all stands as when it was called."""
    story = evening(ROOM.but({"seats": "2-3", "buy_in": "20-100"}))
    before: Standing | None = None
    tried = 0
    after = list(tables(story.log))
    for end in story.ends:
        table = after[end - 1]
        if not table.busy:
            before = standing(table)
            continue
        tried += 1
        for reason in get_args(VoidReason):
            play = cut(story, end)
            play.void(reason)
            assert standing(play.table) == before
            whole(play)
            assert not play.table.busy
            assert play.table.hands == table.hands
            play.now += 60_000
            if play.table.rights:
                play.go_on("ann", "bob")
            else:
                play.ready(*(seat.player for _, seat in play.table.seated))
            assert play.table.hands == table.hands + 1
            play.finish()
            whole(play)
    assert tried > 12


def test_bug_B096_a_hand_that_does_not_count_leaves_everything_as_it_was() -> None:
    does_not_count()


@pytest.mark.parametrize("what", ["rights", "button", "circle", "match"])
def test_bug_B096_planted(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """One thing is left as it was in the hand."""
    sound = ananas.table.evolve._voided

    def forgets(table: Table, event: HandVoided) -> Table:
        return replace(sound(table, event), **{what: {} if what == "rights" else getattr(table, what)})

    monkeypatch.setattr(ananas.table.evolve, "_voided", forgets)
    with pytest.raises(AssertionError):
        does_not_count()


# -- B092: the database is locked


def locked(path: Path, seconds: Sequence[float]) -> None:
    """Another program holds the database for a while, again and again; what was acknowledged is there, the rest is refused."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room = ears[0].room
        acknowledged, refused = list[str](), 0
        with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as other:
            for number, hold in enumerate(seconds):
                other.execute("BEGIN IMMEDIATE")
                mine = acts(ears)
                asking = asyncio.create_task(mine.lay(f"locked-{number:03}"))
                await asyncio.sleep(hold)
                other.execute("ROLLBACK")
                answer = await asking
                if answer["type"] == "kept":
                    acknowledged.append(f"{mine.player}:locked-{number:03}")
                else:
                    assert answer["code"] == "not-kept"
                    refused += 1
                    again = await mine.lay(f"locked-{number:03}")
                    assert again["type"] == "kept"
                    acknowledged.append(f"{mine.player}:locked-{number:03}")
                await settle(room)
            kept = [row[0] for row in other.execute("SELECT command_id FROM events WHERE command_id LIKE '%:locked%'")]
        assert sorted(kept) == sorted(acknowledged), "something was acknowledged and lost, or done twice"
        assert refused, "nothing was ever refused, so the lock was never felt"

    in_a_room(path, body)


def test_bug_B092_a_locked_database_refuses_and_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "BUSY_SECONDS", 0.2)
    locked(path, (0.05, 0.6, 0.05))


def test_bug_B092_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that acknowledges what it could not keep."""
    monkeypatch.setattr(storing, "BUSY_SECONDS", 0.05)
    sound = Store.append

    async def says_kept(store: Store, table_id: str, version: int, *rest: Any, **named: Any) -> Kept:  # noqa: ANN401
        try:
            return await sound(store, table_id, version, *rest, **named)
        except NotKept:
            return Kept(version, again=False)

    monkeypatch.setattr(Store, "append", says_kept)
    with pytest.raises((AssertionError, Refused)):
        locked(path, (0.4, 0.05))
