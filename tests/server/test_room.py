"""One live table: what is told is kept, nothing is told before, and no failure takes the table with it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import structlog

from ananas import protocol
from ananas.game.board import Placement
from ananas.game.rules import ROOM, RuleSet
from ananas.refused import Refused
from ananas.server import room as module
from ananas.server.guests import hash_token
from ananas.server.room import FOR_THE_SEATED, MAILBOX, OF_ONE, Room, fold
from ananas.server.store import Guest, Kept, Log, NotKept, Store, load, open_to_check, table_ids
from ananas.server.viewers import Asked, Commanded, Viewer
from ananas.table.commands import Command, TimeOut
from ananas.table.decide import Layouts, advance, decide
from ananas.table.events import AnyEvent, AutoPlaced, HandDealt, Resumed
from ananas.table.state import Table
from ananas.table.view import Live as LiveView
from ananas.table.view import SeatView, TableView, view_table
from tests.server.live import Ear, Hands, Live, deal, in_a_room, into_fantasyland
from tests.server.tampering import tampering

TWO = RuleSet(seats=(2, 2), fantasyland="off", bank_seconds=0)
"""Two play, a hand a match; two minutes a hand."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- keep first, show second


def kept_and_shown(path: Path) -> list[str]:
    """In which order commits and messages came, while two people played."""
    notes: list[str] = []

    class Noting(Store):
        async def append(
            self,
            table_id: str,
            version: int,
            command_id: str | None,
            events: Sequence[AnyEvent],
            *,
            due_at: int | None,
            body: bytes | None = None,
        ) -> Kept:
            kept = await super().append(table_id, version, command_id, events, due_at=due_at, body=body)
            notes.append(f"commit {version}")
            return kept

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob", notes=notes)
        for _ in range(4):
            await next(ear for ear in ears if "confirm" in ear.view["may"]).lay()

    in_a_room(path, body, store=Noting)
    return notes


def assert_nothing_is_told_before_it_is_kept(notes: list[str]) -> None:
    committed = 0
    for note in notes:
        kind, version = note.split()
        committed = max(committed, int(version)) if kind == "commit" else committed
        assert int(version) <= committed, note
    assert committed > 6


def test_nothing_is_told_before_it_is_kept(path: Path) -> None:
    assert_nothing_is_told_before_it_is_kept(kept_and_shown(path))


def test_a_room_that_shows_first_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class ShowsFirst(Room):
        async def _carry_out(self, command: Command, command_id: str | None, body: bytes | None = None) -> Kept:
            before = self.table, self.version
            self.table = fold(decide(self.table, command, self._clock.now()), self.table)
            self.version += 1
            self.show()
            self.table, self.version = before
            return await super()._carry_out(command, command_id, body)

    monkeypatch.setattr(module, "Room", ShowsFirst)
    with pytest.raises(AssertionError):
        assert_nothing_is_told_before_it_is_kept(kept_and_shown(path))


# -- chance


def test_no_deck_is_dealt_twice(path: Path) -> None:
    """Each table's first two hands: the same deck, at two tables or twice at one, would be no chance."""

    async def body(live: Live) -> None:
        for number in range(10):
            ears = await live.sit(await live.open(TWO, f"table-{number}"), "ann", "bob")
            await deal(ears)
            while ears[0].view["phase"] == "laying":
                acts = next(ear for ear in ears if "confirm" in ear.view["may"])
                version = (await acts.lay())["version"]
                for ear in ears:
                    await ear.until(lambda ear=ear, version=version: ear.version >= version)  # type: ignore[misc]
            await deal(ears)

    in_a_room(path, body)
    with closing(open_to_check(path)) as db:
        logs = [load(db, table) for table in table_ids(db)]
    events = [event for log in logs if log is not None for event in log.events]
    decks = [event.hidden.deck for event in events if isinstance(event, HandDealt) and event.hidden is not None]
    assert len(decks) == 20
    assert len(set(decks)) == 20


def test_every_seat_may_hold_the_first_button(path: Path) -> None:
    """Sixty tables of three: that one of the seats is left out by chance happens once in ten thousand million runs."""
    buttons: set[int | None] = set()

    async def body(live: Live) -> None:
        for number in range(60):
            ears = await live.sit(room := await live.open(ROOM, f"table-{number}"), "ann", "bob", "cid")
            await deal(ears)
            buttons.add(room.table.button)

    in_a_room(path, body)
    assert buttons == {0, 1, 2}


# -- once


def test_a_command_sent_again_is_answered_with_its_version_and_the_present_view(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        acts = next(ear for ear in (ann, bob) if "confirm" in ear.view["may"])
        side, hand = acts.mine(), acts.view["hand"]["number"]
        cards = "".join(side["dealt"])
        confirm = protocol.Confirm(id="the-same", hand=hand, street=1, placement=f"-/{cards[:4]}/{cards[4:]}")
        before = acts.room.version
        for _ in range(5):  # five at once, as from a finger that trembles
            acts.room.ask(acts, confirm)
        await acts.until(lambda: sum(message.get("id") == "the-same" for message in acts.heard) == 5)
        answers = [message for message in acts.heard if message.get("id") == "the-same"]
        assert {(answer["type"], answer["version"]) for answer in answers} == {("kept", before + 1)}
        assert acts.room.version == before + 1
        # Much later, after the other has moved on.
        other = bob if acts is ann else ann
        await other.until(lambda: "confirm" in other.view["may"])
        await other.lay()
        acts.heard.clear()
        acts.room.ask(acts, confirm)
        await acts.until(lambda: len(acts.heard) == 2)
        kept, view = acts.heard
        assert (kept["type"], kept["version"]) == ("kept", before + 1)
        assert (view["type"], view["version"]) == ("view", acts.room.version)

    in_a_room(path, body)


def test_the_same_id_from_another_sender_is_another_command(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.sit(await live.open(TWO), "ann", "bob")
        first = await ann.ask(protocol.Ready, "the-same", hand=1)
        second = await bob.ask(protocol.Ready, "the-same", hand=1)
        assert (first["type"], second["type"]) == ("kept", "kept")
        assert first["version"] < second["version"]

    in_a_room(path, body)


def test_a_hundred_taps_on_a_seat_give_one_seat(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(ROOM), "ann")
        await ann.until(lambda: room.table.sealed is not None)
        version = room.version
        for number in range(100):
            room.ask(ann, protocol.Sit(id=f"command-{number}"))
        await ann.until(lambda: sum(m["type"] == "refused" for m in ann.heard) == 100)
        assert room.version == version
        assert [seat.player for _, seat in room.table.seated] == ["ann"]

    in_a_room(path, body)


# -- failures


def test_an_unexpected_failure_refuses_one_command_and_the_table_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        acts = next(ear for ear in (ann, bob) if "confirm" in ear.view["may"])
        card = acts.mine()["dealt"][0]

        def broken(*_: object) -> tuple[AnyEvent, ...]:
            raise RuntimeError(f"the {card} fell off the table")

        with monkeypatch.context() as fault:
            fault.setattr(module, "advance", broken)
            answer = await acts.lay()
            assert answer["code"] == "not-kept"
            live.pass_time(125)  # also what is due fails now
            await asyncio.sleep(0.05)
        said = "".join(capsys.readouterr())
        assert "RuntimeError" in said
        assert card not in said
        live.pass_time(2)
        await acts.until(lambda: acts.view["hand"]["number"] == 1 and "confirm" not in acts.view["may"])

    in_a_room(path, body)


def test_a_failure_that_cannot_even_be_reported_hurts_no_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def error(self, *_: object, **__: object) -> None:
            raise OSError("no space left on device")

    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(TWO), "ann")
        with monkeypatch.context() as fault:
            fault.setattr(module, "_log", Broken())
            fault.setattr(room, "_step", None)  # not even callable: a step fails, and so does the report of it
            room.ask(ann, protocol.Leave(id="command-lost"))
            await asyncio.sleep(0.05)
        assert (await ann.ask(protocol.Leave))["type"] == "kept"

    in_a_room(path, body)


def test_what_cannot_be_kept_is_refused_and_nothing_changes(path: Path) -> None:
    class Full(Store):
        full = False

        def _connect(self) -> sqlite3.Connection:
            if self.full:
                raise sqlite3.OperationalError("database or disk is full")
            return super()._connect()

        def fill(self, *, full: bool) -> None:
            self.full = full
            self._drop_connection()

    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room, store = ann.room, live.store
        assert isinstance(store, Full)
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        table, version = room.table, room.version
        store.fill(full=True)
        other.heard.clear()
        assert (await acts.lay("the-same"))["code"] == "not-kept"
        assert (room.table, room.version) == (table, version)
        assert other.heard == []
        store.fill(full=False)
        assert (await acts.lay("the-same"))["version"] == version + 2  # after the time in which it was refused
        # Time runs out while nothing can be kept: the room tries again until it can.
        store.fill(full=True)
        live.pass_time(125)
        await asyncio.sleep(0.05)
        assert room.version == version + 2
        store.fill(full=False)
        live.pass_time(1)
        await other.until(lambda: any(seat.spent for _, seat in room.table.seated))
        log = await store.load("table")
        assert log is not None
        assert (fold(log.events), log.version) == (room.table, room.version)

    in_a_room(path, body, store=Full)


def test_a_commit_reported_as_failed_that_was_made_after_all_is_found_out(path: Path) -> None:
    class Liar(Store):
        lies = False

        async def append(
            self,
            table_id: str,
            version: int,
            command_id: str | None,
            events: Sequence[AnyEvent],
            *,
            due_at: int | None,
            body: bytes | None = None,
        ) -> Kept:
            kept = await super().append(table_id, version, command_id, events, due_at=due_at, body=body)
            if self.lies:
                self.lies = False
                raise NotKept("the disk said no, but wrote it")
            return kept

    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room, store = ann.room, live.store
        assert isinstance(store, Liar)
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        version = room.version
        store.lies = True
        assert (await acts.lay())["version"] == version + 1
        await other.until(lambda: "confirm" in other.view["may"])
        # The same with what the room does by itself.
        store.lies = True
        live.pass_time(121)
        await asyncio.sleep(0.05)
        live.pass_time(1)
        await acts.until(lambda: "confirm" in acts.view["may"])
        log = await store.load("table")
        assert log is not None
        assert (fold(log.events), log.version) == (room.table, room.version)
        assert [type(event).__name__ for event in log.events].count("TimedOut") == 1

    in_a_room(path, body, store=Liar)


def test_who_sends_again_what_had_been_kept_without_the_rooms_knowing_sees_the_table_go_on(path: Path) -> None:
    class Blind(Store):
        blind = False

        async def append(
            self,
            table_id: str,
            version: int,
            command_id: str | None,
            events: Sequence[AnyEvent],
            *,
            due_at: int | None,
            body: bytes | None = None,
        ) -> Kept:
            kept = await super().append(table_id, version, command_id, events, due_at=due_at, body=body)
            if self.blind:
                raise NotKept("the disk said no, but wrote it")
            return kept

        async def find(self, table_id: str, command_id: str, body: bytes | None = None) -> int | None:
            if self.blind:
                raise NotKept("nor can it be read")
            return await super().find(table_id, command_id, body)

        async def load(self, table_id: str) -> Log | None:
            if self.blind:
                raise NotKept("nor can it be read")
            return await super().load(table_id)

    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room, store = ann.room, live.store
        assert isinstance(store, Blind)
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        version = room.version
        store.blind = True
        assert (await acts.lay("the-same"))["code"] == "not-kept"
        await asyncio.sleep(0.05)
        store.blind = False
        room.stands_since = None  # as if the room did not know either that something had been refused
        assert (await acts.lay("the-same"))["version"] == version + 1
        await other.until(lambda: "confirm" in other.view["may"])
        assert acts.version >= version + 1

    in_a_room(path, body, store=Blind)


def test_a_viewer_that_cannot_be_shown_hurts_nobody_else(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(TWO), "ann")

        class Deaf(Ear):
            def offer(self, view: bytes) -> None:
                raise RuntimeError("no ears")

        room.join(Deaf(None, room))
        assert (await ann.ask(protocol.Leave))["type"] == "kept"
        await ann.until(lambda: ann.view["seats"] == [None, None])

    in_a_room(path, body)


def test_a_damaged_table_is_put_out_of_play_and_the_others_live(path: Path) -> None:
    async def fill(live: Live) -> None:
        await live.open(TWO, "good")
        await live.open(TWO, "bad")

    async def body(live: Live) -> None:
        for _ in range(2):
            with pytest.raises(Refused, match="no such table"):
                await live.rooms.get("bad")
        (ann,) = await live.sit(await live.rooms.get("good"), "ann")
        await ann.until(lambda: ann.view["you"] == 0)

    in_a_room(path, fill)
    with tampering(path) as db:
        db.execute("UPDATE events SET events = replace(events, 'Friday', 'Sunday') WHERE table_id = 'bad'")
    in_a_room(path, body)


def test_too_many_questions_at_once_are_refused(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(TWO), "ann")
        for number in range(2 * MAILBOX):
            room.ask(ann, protocol.Leave(id=f"command-{number}"))
        await ann.until(lambda: sum("id" in message for message in ann.heard) == 2 * MAILBOX + 1)
        codes = [message["code"] for message in ann.heard if message["type"] == "refused"]
        assert codes.count("too-fast") == 2 * MAILBOX - OF_ONE
        assert [type(event).__name__ for event in await _told(live)].count("Left") == 1

    in_a_room(path, body)


def test_who_asks_without_end_leaves_room_for_what_his_opponents_ask(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        for window in range(2 * MAILBOX // OF_ONE):
            ear = Ear("ann", ann.room, window=f"window {window}")
            for number in range(OF_ONE):
                ann.room.ask(ear, protocol.Always(id=f"command-{window}-{number}", on=bool(number % 2)))
        assert (await bob.ask(protocol.Return))["code"] == "nothing-to-undo"

    in_a_room(path, body)


def test_time_is_charged_no_further_than_to_what_waits_to_be_heard(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, _ = await live.playing(TWO, "ann", "bob")
        room, came = ann.room, live.clock.now()
        room.ask(ann, protocol.Return(id="command-1"))
        live.pass_time(3)
        assert (live.clock.now() - came, room.ran_until) == (3000, came)
        await ann.until(lambda: any(message.get("id") == "command-1" for message in ann.heard))
        assert room.ran_until == live.clock.now()

    in_a_room(path, body)


class Slowly(Store):
    """A disk that takes half a second for each row."""

    hands: Hands

    async def append(self, *args: Any, **rest: Any) -> Kept:  # noqa: ANN401
        kept = await super().append(*args, **rest)
        self.hands.seconds += 0.5
        return kept


def test_a_slow_write_is_charged_to_nobody_and_stops_no_clock_where_nothing_new_begins(path: Path) -> None:
    async def body(live: Live) -> None:
        assert isinstance(live.store, Slowly)
        live.store.hands = live.hands
        ears = await live.playing(TWO, "ann", "bob")
        room = ears[0].room
        with patch.object(module, "SLOW_MS", 100):
            acts, waits = sorted(ears, key=lambda ear: "confirm" not in ear.view["may"])
            for ear in (acts, waits):
                assert (await ear.ask(protocol.Always, on=True))["type"] == "kept"
                assert room._owed == (), "his clock ran before, and he could see it"
            assert (await acts.lay())["type"] == "kept"
            assert [event.lost_ms for event in room._owed if isinstance(event, Resumed)] == [500]

    in_a_room(path, body, store=Slowly)


def test_a_room_that_closes_says_so(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(await live.open(TWO), "ann")
        await live.rooms.stop()
        assert (await ann.ask(protocol.Leave))["code"] == "closing"
        with pytest.raises(Refused, match="closing"):
            await live.rooms.get("table")

    in_a_room(path, body)


# -- who may do what, who sees what


@pytest.mark.parametrize(
    "message",
    [
        protocol.Sit(id="command-1"),
        protocol.Leave(id="command-1"),
        protocol.Ready(id="command-1", hand=1),
        protocol.Return(id="command-1"),
        protocol.Confirm(id="command-1", hand=1, street=1, placement="-/-/-"),
        protocol.Draft(hand=1, street=1, placement="-/-/-"),
        protocol.Break(id="command-1", on=True),
        protocol.Say(phrase="hello"),
        protocol.TakeOver(),
    ],
    ids=lambda message: type(message).__name__,
)
def test_without_a_name_nothing_may_be_done(path: Path, message: Asked) -> None:
    async def body(live: Live) -> None:
        nobody = Ear(None, room := await live.open(TWO))
        room.join(nobody)
        room.ask(nobody, message)
        await nobody.until(lambda: len(nobody.heard) == 2)
        assert nobody.heard[1]["code"] == "not-a-guest"

    in_a_room(path, body)


HOSTS_ORDERS: tuple[Asked, ...] = (
    protocol.Break(id="command-1", on=True),
    protocol.Remove(id="command-1", seat=0),
    protocol.SeatBot(id="command-1"),
    protocol.PassHost(id="command-1", seat=1),
    protocol.ChangeRules(id="command-1", rules="room"),
    protocol.Publish(id="command-1", on=True),
)


class Counts(Store):
    """A store that counts how often it is asked for a command."""

    finds = 0

    async def find(self, table_id: str, command_id: str, body: bytes | None = None) -> int | None:
        self.finds += 1
        return await super().find(table_id, command_id, body)


def test_who_does_not_sit_there_costs_the_table_nothing_but_a_seat_he_asks_for(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room, store = ann.room, live.store
        assert isinstance(store, Counts)
        eve = Ear("eve", room)
        room.join(eve)
        eve.heard.clear()
        confirm = protocol.Confirm(id="command-1", hand=1, street=1, placement="-/-/-")
        draft = protocol.Draft(hand=1, street=1, placement="-/-/-")
        say, take_over = protocol.Say(phrase="hello"), protocol.TakeOver()
        leave, ready = protocol.Leave(id="command-1"), protocol.Ready(id="command-1", hand=1)
        for message in (leave, ready, confirm, draft, say, take_over):
            room.ask(eve, message)
        assert [message["code"] for message in eve.heard] == 6 * ["not-seated"]  # at once
        for order in HOSTS_ORDERS:
            room.ask(eve, order)
        assert [message["code"] for message in eve.heard[6:]] == len(HOSTS_ORDERS) * ["not-host"]
        assert (await eve.ask(protocol.Sit))["code"] == "not-a-guest"
        await live.store.add_guest(Guest("eve", "Eve"), hash_token("eve"), 0)
        assert (await eve.ask(protocol.Sit))["code"] == "table-full"
        assert store.finds == 0
        crowd = [Ear(f"eve {number}", room) for number in range(2 * MAILBOX // OF_ONE)]
        for each in crowd:
            room.join(each)
            for number in range(OF_ONE):
                room.ask(each, protocol.Sit(id=f"command-{number}"))
        for player in (ann, bob):  # there is room left for those who sit there
            assert (await player.ask(protocol.Return))["code"] == "nothing-to-undo"
        for each in crowd:
            await each.until(lambda each=each: sum("id" in message for message in each.heard) == OF_ONE)  # type: ignore[misc]
        codes = [message.get("code") for each in crowd for message in each.heard]
        assert codes.count("too-fast") == 2 * MAILBOX - (MAILBOX - FOR_THE_SEATED)

    in_a_room(path, body, store=Counts)


def test_who_sits_down_need_not_wait_for_the_answer(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        await live.store.add_guest(Guest("ann", "Ann"), hash_token("ann"), 0)
        ann = Ear("ann", room)
        room.ask(ann, protocol.Sit(id="command-1"))
        assert (await ann.ask(protocol.Ready, "command-2", hand=1))["type"] == "kept"

    in_a_room(path, body)


def test_who_has_left_hears_again_that_he_has(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(await live.open(TWO), "ann")
        left = await ann.ask(protocol.Leave, "the-same")
        assert left["type"] == "kept"
        assert await ann.ask(protocol.Leave, "the-same") == left
        assert (await ann.ask(protocol.Leave))["code"] == "not-seated"

    in_a_room(path, body)


def lays_for_another(path: Path) -> bool:
    """Whether somebody else at the table can lay the cards of the one whose turn it is."""
    done: list[bool] = []

    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        cards = "".join(acts.mine()["dealt"])
        answer = await other.ask(protocol.Confirm, hand=1, street=1, placement=f"-/{cards[:4]}/{cards[4:]}")
        done.append(answer["type"] == "kept")

    in_a_room(path, body)
    return done[0]


def test_nobody_lays_another_ones_cards(path: Path) -> None:
    assert not lays_for_another(path)


def test_a_room_that_asks_only_whose_turn_it_is_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Trusting(Room):
        async def _command(self, player: str, message: Commanded) -> Command:
            hand = self.table.hand
            acts = player if hand is None or hand.over else self.table.players[hand.acting[0]]
            return await super()._command(acts, message)

    monkeypatch.setattr(module, "Room", Trusting)
    assert lays_for_another(path)


def test_each_different_view_is_made_once_and_spectators_share_the_bytes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str | None] = []

    def counting(
        table: Table, viewer: str | None, now: int, live: LiveView, seats: tuple[SeatView | None, ...] | None = None
    ) -> TableView:
        made.append(viewer)
        return view_table(table, viewer, now, live, seats)

    monkeypatch.setattr(module, "view_table", counting)

    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room = ann.room
        watching = [Ear(None, room) for _ in range(20)]
        guests = [Ear(f"guest-{number}", room) for number in range(20)]
        others = [Ear("ann", room) for _ in range(2)]  # her other windows, which look on
        for ear in (*watching, *guests, *others):
            room.join(ear)
        await asyncio.sleep(0.1)
        made.clear()
        await (ann if "confirm" in ann.view["may"] else bob).lay()
        await watching[-1].until(lambda: watching[-1].heard[-1]["version"] == room.version)
        assert len(made) == 4  # two seats, a guest, nobody
        assert len({id(ear.raw[-1]) for ear in watching}) == 1
        assert len({id(ear.raw[-1]) for ear in guests}) == 1
        assert others[0].raw[-1] is others[1].raw[-1] is not ann.raw[-1]

    in_a_room(path, body)


def frames_of_a_draft(path: Path, street: int, rules: RuleSet = TWO) -> dict[str, int]:
    """How many frames each sees when the acting player arranges his cards."""
    counts: dict[str, int] = {}

    async def body(live: Live) -> None:
        ann, bob = await live.playing(rules, "ann", "bob")
        room = ann.room
        for _ in range(2 * (street - 1)):
            await next(ear for ear in (ann, bob) if "confirm" in ear.view["may"]).lay()
            await asyncio.gather(*(ear.until(lambda ear=ear: ear.heard[-1].get("version") == room.version) for ear in (ann, bob)))  # type: ignore[misc] # fmt: skip
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        tab, nobody = Ear(acts.player, room), Ear(None, room)
        for ear in (tab, nobody):
            room.join(ear)
        await asyncio.sleep(0.1)
        eyes = {"acts": acts, "his other tab": tab, "the other": other, "a spectator": nobody}
        for ear in eyes.values():
            ear.heard.clear()
        card = acts.mine()["dealt"][0] if acts.heard else _first_card(room)
        for placement in (f"{card}/-/-", "-/-/-", f"-/{card}/-"):
            room.ask(acts, protocol.Draft(hand=1, street=street, placement=placement))
        await acts.until(lambda: len(acts.heard) == 3)
        await asyncio.sleep(0.05)
        counts.update({name: len(ear.heard) for name, ear in eyes.items()})
        assert acts.mine()["draft"] == f"-/{card}/-"

    in_a_room(path, body)
    return counts


def _first_card(room: Room) -> str:
    hand = room.table.hand
    assert hand is not None
    return str(hand.dealt(hand.acting[0])[0])


def test_the_first_street_is_laid_in_the_open(path: Path) -> None:
    assert frames_of_a_draft(path, 1) == {"acts": 3, "his other tab": 3, "the other": 3, "a spectator": 3}


def test_a_draft_of_a_later_street_makes_no_frame_for_others(path: Path) -> None:
    assert frames_of_a_draft(path, 2) == {"acts": 3, "his other tab": 3, "the other": 0, "a spectator": 0}


def test_a_first_street_that_is_laid_closed_is_laid_for_nobody_else_to_see(path: Path) -> None:
    rules = RuleSet(seats=(2, 2), street_one="closed")
    assert frames_of_a_draft(path, 1, rules) == {"acts": 3, "his other tab": 3, "the other": 0, "a spectator": 0}


def test_a_room_that_shows_drafts_to_all_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gossips(Room):
        def _show_to(self, viewers: Iterable[Viewer]) -> None:
            super()._show_to(set(viewers) | self._viewers)

    monkeypatch.setattr(module, "Room", Gossips)
    with pytest.raises(AssertionError):
        test_a_draft_of_a_later_street_makes_no_frame_for_others(path)


def test_comings_and_goings_are_shown_together(path: Path) -> None:
    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(TWO), "ann")
        await asyncio.sleep(0.1)
        ann.heard.clear()
        crowd = [Ear(None, room) for _ in range(50)]
        for ear in crowd:
            room.join(ear)
            assert len(ear.heard) == 1  # at once, and first of all
        await asyncio.sleep(0.1)
        assert len(ann.heard) == 1
        assert ann.view["spectators"] == 50
        for ear in crowd:
            room.leave(ear)
        room.leave(ann)
        again = Ear("ann", room)
        room.join(again)
        assert again.view["spectators"] == 0
        assert again.view["seats"][0]["connected"]

    in_a_room(path, body)


# -- time


def test_when_time_is_out_the_table_lays_once_what_had_been_arranged(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room = ann.room
        acts = ann if "confirm" in ann.view["may"] else bob
        first = acts.mine()["dealt"][0]
        room.ask(acts, protocol.Draft(hand=1, street=1, placement=f"{first}/-/-"))
        await acts.until(lambda: acts.mine()["draft"] == f"{first}/-/-")
        version = room.version
        live.pass_time(119)
        await asyncio.sleep(0.05)
        assert room.version == version
        live.pass_time(2)
        await acts.until(lambda: room.version == version + 1)
        assert acts.mine()["board"]["top"] == [first]
        late = await acts.ask(protocol.Confirm, hand=1, street=1, placement=f"{first}/-/-")
        assert late["code"] == "turn-over"
        log = await live.store.load("table")
        assert log is not None
        assert [type(event).__name__ for event in log.events][-2:] == ["TimedOut", "AutoPlaced"]

    in_a_room(path, body)


def test_a_draft_is_forgotten_with_its_turn(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        acts, other = (ann, bob) if "confirm" in ann.view["may"] else (bob, ann)
        first = acts.mine()["dealt"][0]
        acts.room.ask(acts, protocol.Draft(hand=1, street=1, placement=f"{first}/-/-"))
        await acts.lay()
        assert acts.room._drafts.by_seat(acts.room.table) == {}
        await other.until(lambda: "confirm" in other.view["may"])
        assert other.mine()["draft"] in {None, "-/-/-"}
        room = acts.room
        room.ask(acts, protocol.Draft(hand=1, street=1, placement=f"{first}/-/-"))
        await acts.until(lambda: acts.heard[-1].get("code") == "turn-over")

    in_a_room(path, body)


FANTASYLAND = RuleSet(seats=(2, 2), bank_seconds=0)


def test_where_several_lay_at_once_each_has_a_draft_that_nobody_else_disturbs_or_sees(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(live: Live) -> None:
        ann, bob = await into_fantasyland(live, monkeypatch, FANTASYLAND)
        room, nobody = ann.room, Ear(None, ann.room)
        room.join(nobody)
        await asyncio.sleep(0.1)
        others = {ann: (bob, nobody), bob: (ann, nobody)}
        drafts = {ear: "{}/{}/-".format(*ear.mine()["dealt"][:2]) for ear in (ann, bob)}
        for acts, draft in drafts.items():
            heard = [len(ear.heard) for ear in others[acts]]
            room.ask(acts, protocol.Draft(hand=2, street=1, placement=draft))
            await acts.until(lambda acts=acts, draft=draft: acts.mine()["draft"] == draft)  # type: ignore[misc]
            await asyncio.sleep(0.05)
            assert [len(ear.heard) for ear in others[acts]] == heard
        assert [str(draft) for _, draft in sorted(room._drafts.by_seat(room.table).items())] == list(drafts.values())
        await bob.lay()  # his street is over, hers is not
        await bob.until(lambda: bob.version >= room.version)
        assert (ann.mine()["draft"], bob.mine()["draft"]) == (drafts[ann], None)
        assert list(room._drafts.by_seat(room.table)) == [0]

    in_a_room(path, body)


def frames_of_a_closed_hand(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many frames the other player and a spectator get for each street that one lays face down."""
    counts: list[int] = []

    async def body(live: Live) -> None:
        ann, bob = await into_fantasyland(live, monkeypatch, FANTASYLAND)
        nobody = Ear(None, ann.room)
        ann.room.join(nobody)
        await asyncio.sleep(0.1)
        for _ in range(5):
            before = len(ann.heard) + len(nobody.heard)
            await bob.lay()
            await bob.until(lambda: bob.version >= bob.room.version)
            await asyncio.sleep(0.05)
            counts.append(len(ann.heard) + len(nobody.heard) - before)
        assert next(side for side in ann.view["hand"]["players"] if side["seat"] == 1)["done"]

    in_a_room(path, body)
    return counts


def test_of_streets_laid_face_down_others_hear_when_the_last_one_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert frames_of_a_closed_hand(path, monkeypatch) == [0, 0, 0, 0, 2]


def test_a_room_that_lets_streets_be_counted_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def everybody(_table: Table, _events: Sequence[AnyEvent]) -> None: ...

    monkeypatch.setattr(module, "who_notices", everybody)
    assert frames_of_a_closed_hand(path, monkeypatch) != [0, 0, 0, 0, 2]


def test_time_that_is_out_where_several_lay_at_once_keeps_what_each_had_arranged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(live: Live) -> None:
        ann, bob = await into_fantasyland(live, monkeypatch, FANTASYLAND)
        room = ann.room
        tops = {ear: ear.mine()["dealt"][0] for ear in (ann, bob)}
        for ear, card in tops.items():
            room.ask(ear, protocol.Draft(hand=2, street=1, placement=f"{card}/-/-"))
            await ear.until(lambda ear=ear, card=card: ear.mine()["draft"] == f"{card}/-/-")  # type: ignore[misc]
        live.pass_time(121)
        await ann.until(lambda: ann.view["phase"] != "laying")
        for ear, card in tops.items():
            side = next(each for each in nobody_view(room)["hand"]["players"] if each["seat"] == ear.view["you"])
            assert card in side["board"]["top"]
        log = await live.store.load("table")
        assert log is not None
        laid = [event.hidden for event in log.events if isinstance(event, AutoPlaced)]
        kept = [hidden.kept for hidden in laid if hidden is not None and hidden.kept is not None]
        assert sorted(kept) == sorted(f"{card}/-/-" for card in tops.values())

    in_a_room(path, body)


def nobody_view(room: Room) -> dict[str, Any]:
    """What a spectator sees now."""
    nobody = Ear(None, room)
    room.join(nobody)
    room.leave(nobody)
    return nobody.view


def test_nobody_pays_for_the_time_in_which_the_room_was_away(path: Path) -> None:
    left: list[int] = []

    async def begin(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        live.pass_time(20)
        await live.store.alive(live.clock.now())
        ears[0].room.show()
        left.append(_running(ears[0]))

    async def go_on(live: Live) -> None:
        # An hour later, by the wall clock.
        live.clock = type(live.clock)(wall=lambda: 1_000_200.0, monotonic=live.hands)
        live.rooms = module.Rooms(store=live.store, clock=live.clock, thinker=live.thinker, bot_pause=0)
        await live.rooms.start()
        ear = Ear("ann", room := await live.rooms.get("table"))
        room.join(ear)
        left.append(_running(ear))
        assert any(side["acting"] for side in ear.view["hand"]["players"])

    in_a_room(path, begin)
    in_a_room(path, go_on)
    assert left == [100_000, 100_000]


class Refuses(Store):
    """A store that takes nothing, or cannot even be read, while the test says so."""

    writes = True
    reads = True
    lies = False

    async def append(
        self,
        table_id: str,
        version: int,
        command_id: str | None,
        events: Sequence[AnyEvent],
        *,
        due_at: int | None,
        body: bytes | None = None,
    ) -> Kept:
        if not self.writes:
            raise NotKept("the disk is full")
        kept = await super().append(table_id, version, command_id, events, due_at=due_at, body=body)
        if self.lies:
            self.lies = False
            raise NotKept("the disk said no, but wrote it")
        return kept

    async def load(self, table_id: str) -> Log | None:
        if not self.reads:
            raise NotKept("the disk cannot be read")
        return await super().load(table_id)


async def _told(live: Live) -> list[AnyEvent]:
    log = await live.store.load("table")
    assert log is not None
    return list(log.events)


def test_nobody_pays_for_the_time_in_which_the_store_takes_nothing(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room, store = ears[0].room, live.store
        assert isinstance(store, Refuses)
        acts = next(ear for ear in ears if "confirm" in ear.view["may"])
        live.pass_time(5)
        store.writes = False
        assert (await acts.lay("the-same"))["code"] == "not-kept"
        for _ in range(13):
            live.pass_time(10)
            await asyncio.sleep(0.01)
        room.show()
        assert _running(acts) == 115_000
        assert live.rooms.alive_at == live.clock.now() - 130_000  # nor would a crash now make anybody pay
        store.writes = True
        assert (await acts.lay("the-same"))["type"] == "kept"
        told = await _told(live)
        assert [type(event).__name__ for event in told[-2:]] == ["Resumed", "Confirmed"]
        assert sum(event.lost_ms for event in told if isinstance(event, Resumed)) == 130_000
        assert sorted(seat.clock.left_ms for _, seat in room.table.seated) == [115_000, 120_000]
        assert live.rooms.alive_at == live.clock.now()

    in_a_room(path, body, store=Refuses)


def test_a_table_that_stood_still_goes_on_by_itself_and_is_told_once_how_long(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room, store = ears[0].room, live.store
        assert isinstance(store, Refuses)
        acts = next(ear for ear in ears if "confirm" in ear.view["may"])
        store.writes = False
        assert (await acts.lay())["code"] == "not-kept"
        live.pass_time(60)
        await asyncio.sleep(0.05)
        store.writes, store.lies = True, True  # the time is told, and the room does not know that it was
        seconds = 60
        while room.stands_since is not None:
            seconds += 2
            live.pass_time(2)
            await asyncio.sleep(0.05)
        assert not store.lies
        room.show()
        assert _running(acts) == 120_000
        told = await _told(live)
        assert sum(event.lost_ms for event in told if isinstance(event, Resumed)) == 1000 * seconds
        live.pass_time(119)
        await asyncio.sleep(0.05)
        assert "confirm" in acts.view["may"]
        live.pass_time(2)
        await acts.until(lambda: "confirm" not in acts.view["may"])

    in_a_room(path, body, store=Refuses)


@pytest.mark.parametrize("fault", ["writes", "reads"])
def test_nobody_pays_for_an_outage_whose_end_cannot_be_kept_at_once(path: Path, fault: str) -> None:
    async def begin(live: Live) -> None:
        await live.playing(TWO, "ann", "bob")
        live.pass_time(20)
        await live.store.alive(live.clock.now())

    async def go_on(live: Live) -> None:
        store = live.store
        alive_at = store.alive_at
        live.clock = type(live.clock)(wall=lambda: 1_000_200.0, monotonic=live.hands)
        live.rooms = module.Rooms(store=store, clock=live.clock, thinker=live.thinker, bot_pause=0)
        setattr(store, fault, False)
        await live.rooms.start()
        for _ in range(5):
            live.pass_time(60)
            await asyncio.sleep(0.01)
            await live.rooms.wake()
        assert live.rooms.alive_at == alive_at
        setattr(store, fault, True)
        await live.rooms.wake()
        live.pass_time(1)
        room = await live.rooms.get("table")
        ear = Ear("ann", room)
        room.join(ear)
        await ear.until(lambda: room.stands_since is None)
        room.show()
        assert _running(ear) in {100_000, 99_000, 99_500}
        told = await _told(live)
        assert [type(event).__name__ for event in told].count("Resumed") == 1
        assert "TimedOut" not in {type(event).__name__ for event in told}

    in_a_room(path, begin)
    in_a_room(path, go_on, store=Refuses)


def _running(ear: Ear) -> int:
    left: int = next(seat["clock"]["hand_ms"] for seat in ear.view["seats"] if seat["clock"]["running"])
    return left


def test_a_table_that_nobody_needs_is_put_away_and_comes_back_as_it_was(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        (ann,) = await live.sit(room, "ann")
        await ann.ask(protocol.Leave)
        live.pass_time(60)
        await live.rooms.put_idle_away()
        assert await live.rooms.get("table") is room  # watched
        room.leave(ann)
        await live.rooms.put_idle_away()
        assert await live.rooms.get("table") is room  # just now
        live.pass_time(31)
        await asyncio.sleep(0.01)
        await live.rooms.put_idle_away()
        back = await live.rooms.get("table")
        assert back is not room
        assert (back.table, back.version) == (room.table, room.version)
        (ann,) = await live.sit(back, "ann")
        back.leave(ann)
        live.pass_time(31)
        await live.rooms.put_idle_away()
        assert await live.rooms.get("table") is back  # a seat is kept for ten minutes: the table waits for that

    in_a_room(path, body)


def test_what_is_due_and_changes_nothing_does_not_spin(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Command] = []

    def nothing_follows(table: Table, command: Command, now: int, layouts: Layouts) -> tuple[Sequence[AnyEvent], Table]:
        asked.append(command)
        return ((), table) if isinstance(command, TimeOut) else advance(table, command, now, layouts)

    async def body(live: Live) -> None:
        await live.playing(TWO, "ann", "bob")
        monkeypatch.setattr(module, "advance", nothing_follows)
        live.pass_time(125)
        await asyncio.sleep(0.2)
        assert 1 <= len(asked) <= 3

    in_a_room(path, body)


def test_placements_are_read_from_text(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        acts = ann if "confirm" in ann.view["may"] else bob
        answer = await acts.ask(protocol.Confirm, hand=1, street=1, placement="rubbish")
        assert answer["code"] == "bad-placement"
        hand = acts.room.table.hand
        assert hand is not None
        assert all(placements == () for placements in hand.placements)
        assert Placement.parse("-/-/-") == Placement()

    in_a_room(path, body)


# -- a slow connection


def spent_credit(path: Path, lag_ms: int) -> list[object]:
    """Which seats are noted down when a hand of nine moves is over that Ann has played at this lag."""

    async def body(live: Live) -> None:
        room = await live.open(RuleSet.named("club").but({"fantasyland": "off"}))
        ears = await live.sit(room, "ann", "bob")
        ears[0].lag_ms = lag_ms
        await deal(ears)
        while room.table.laying:
            live.pass_time(2)
            await next(ear for ear in ears if "confirm" in ear.view["may"]).lay()

    with structlog.testing.capture_logs() as logs:
        in_a_room(path, body)
    return [log["seat"] for log in logs if log["event"] == "a hand's credit for lag is spent"]


def test_who_spends_all_the_credit_for_a_slow_connection_is_noted_down(path: Path) -> None:
    assert spent_credit(path, 30_000) == [0]


def test_who_is_a_little_slow_is_not(path: Path) -> None:
    assert spent_credit(path, 300) == []


def test_strangers_who_echo_do_not_fill_the_mailbox(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, _ = await live.playing(TWO, "ann", "bob")
        room = ann.room
        nobody = Ear(None, room)
        room.join(nobody)
        await asyncio.sleep(0.05)
        for number in range(2 * MAILBOX):
            room.ask(nobody, protocol.Echo(probe=number))
            room.ask(ann, protocol.Echo(probe=number))
        assert room._mailbox.qsize() <= 1
        assert (await ann.ask(protocol.Leave))["type"] == "kept"

    in_a_room(path, body)


def test_a_table_whose_name_is_damaged_keeps_no_other_from_waking(path: Path) -> None:
    async def fill(live: Live) -> None:
        for name in ("good", "bad"):
            room = await live.open(TWO, name)
            await live.sit(room, f"ann-{name}", f"bob-{name}")

    async def body(live: Live) -> None:
        await live.rooms.start()
        assert (await live.rooms.get("good")).table.seated

    in_a_room(path, fill)
    with tampering(path) as db:
        db.execute("UPDATE tables SET id = CAST(x'ff6164' AS TEXT) WHERE id = 'bad'")
        db.execute("UPDATE tables SET due_at = 5")
    in_a_room(path, body)
