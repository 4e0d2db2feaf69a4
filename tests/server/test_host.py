"""What the host of a live table may do, and nobody else; bots that come and go while people play; the open tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from ananas import protocol
from ananas.game.rules import CLUB, ROOM, RuleSet
from ananas.server import room as module
from ananas.server.guests import hash_token
from ananas.server.room import BOTS, Room
from ananas.server.store import Guest
from ananas.server.viewers import Asked, BotSeat, Commanded, Thinker, Viewer
from ananas.table.commands import Command
from ananas.table.events import AnyEvent, Confirmed, Left, Sat
from ananas.table.host import BREAK_MS
from tests.server.live import Ear, Live, deal, in_a_room
from tests.server.test_presence import settle

THREE = RuleSet(seats=(2, 3), fantasyland="off", settlement_cap="none", bank_seconds=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def _nothing(view: bytes, seconds: float) -> None:
    """Thinks of nothing: it is not asked."""


class Lays(Thinker):
    """Bots that lay their cards in order of receipt."""

    def __init__(self) -> None:
        super().__init__(_nothing)

    async def think(self, view: bytes) -> str | None:
        hand = _views.decode(view).view.hand
        assert hand is not None
        mine = next(side for side in hand.players if side.seat == hand.you)
        rest = [str(card) for card in mine.dealt]
        rows = {"top": "", "middle": "", "bottom": ""}
        room = {"bottom": 5, "middle": 5, "top": 3}
        for _ in range(mine.to_lay):
            row = next(row for row in room if len(getattr(mine.board, row)) + len(rows[row]) // 2 < room[row])
            rows[row] += rest.pop(0)
        return "/".join(cards or "-" for cards in rows.values()) + (f" x{''.join(rest)}" if rest else "")


_views = msgspec.json.Decoder(protocol.View)


# -- who may


ORDERS: dict[str, Callable[..., Commanded]] = {
    "break": partial(protocol.Break, on=True),
    "remove": partial(protocol.Remove, seat=2),
    "seat-bot": partial(protocol.SeatBot),
    "pass-host": partial(protocol.PassHost, seat=1),
    "change-rules": partial(protocol.ChangeRules, rules="room", set={"scoring": "2-4"}),
    "publish": partial(protocol.Publish, on=True),
}
"""What only the host may ask. At the table of these tests a bot sits on the third of four seats."""

ANYBODY: dict[str, tuple[str, bool]] = {
    "host with a seat": ("ann", True),
    "host without a seat": ("ann", False),
    "other seat": ("bob", True),
    "spectator": ("eve", False),
    "who was here": ("cid", False),
    "nameless": ("", False),
}
"""Who asks, and whether he sits here."""

REFUSED = {
    "other seat": "not-host",
    "spectator": "not-host",
    "who was here": "not-host",
    "nameless": "not-a-guest",
}
FOUR = RuleSet(
    seats=(2, 4),
    fantasyland="off",
    fantasyland_cards=(13, 13, 13, 13),
    fantasyland_stay_cards=13,
    deal=CLUB.deal,
    place=CLUB.place,
)


async def ask_as(live: Live, who: str, order: str) -> tuple[str, list[str]]:
    """How somebody fares who gives an order, and what the log tells of it."""
    room = await live.open(FOUR)
    ann = await live.come(room, "ann")
    if who == "host with a seat":
        await ann.ask(protocol.Sit, seat=0)
    bob = await live.come(room, "bob")
    await bob.ask(protocol.Sit, seat=1)
    await ann.ask(protocol.SeatBot, seat=2)
    cid = await live.come(room, "cid")
    await cid.ask(protocol.Sit, seat=3)
    await cid.ask(protocol.Leave)
    asking = {"ann": ann, "bob": bob, "cid": cid}.get(ANYBODY[who][0]) or Ear(ANYBODY[who][0] or None, room)
    if asking not in room._viewers:
        room.join(asking)
    log = await live.store.load("table")
    assert log is not None
    before = len(log.events)
    answer = await asking.ask(ORDERS[order])
    log = await live.store.load("table")
    assert log is not None
    told = [type(event).__name__ for event in log.events[before:]]
    return str(answer.get("code") or answer["type"]), told


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("who", ANYBODY)
def test_only_the_host_gives_orders_and_he_need_not_sit(path: Path, who: str, order: str) -> None:
    async def body(live: Live) -> None:
        outcome, told = await ask_as(live, who, order)
        if who in REFUSED:
            assert (outcome, told) == (REFUSED[who], [])
        else:
            assert outcome == "kept"
            assert told != []

    in_a_room(path, body, thinker=Lays())


@pytest.mark.parametrize("order", ORDERS)
def test_a_room_that_takes_everybody_for_the_host_is_caught(
    path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    class Trusting(Room):
        def _let_in(self, viewer: Viewer, message: Asked) -> str:
            return viewer.player or "nobody"

        async def _command(self, player: str, message: Commanded) -> Command:
            return await super()._command(self.table.host, message)

    monkeypatch.setattr(module, "Room", Trusting)
    with pytest.raises(AssertionError):
        test_only_the_host_gives_orders_and_he_need_not_sit(path, "spectator", order)


def test_every_order_is_in_the_matrix() -> None:
    assert {type(order(id="command-1")) for order in ORDERS.values()} == set(get_args(module._OfTheHost))


def test_what_is_wrong_with_an_order_is_told_to_the_host_alone(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE)
        ann = await live.come(room, "ann")
        (bob,) = await live.sit(room, "bob")
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("bad-rule", {"rules": "casino"}),
            ("bad-rule", {"rules": "room", "set": {"jokers": "2"}}),
            ("bad-rule", {"rules": "room", "set": {"seats": "4-4"}}),
        ]
        for code, fields in wrong:
            assert (await ann.ask(protocol.ChangeRules, **fields))["code"] == code
            assert (await bob.ask(protocol.ChangeRules, **fields))["code"] == "not-host"
        assert room.table.rules == THREE
        answer = await ann.ask(protocol.ChangeRules, rules="club", set={"seats": "2-3", "hand_seconds": "60"})
        assert answer["type"] == "kept"
        assert room.table.rules == RuleSet.named("club").but({"seats": "2-3", "hand_seconds": "60"})
        await bob.until(lambda: bob.view["rules"]["base"] == "club")

    in_a_room(path, body)


def test_a_host_who_never_sat_and_has_passed_the_role_on_hears_again_that_he_has(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE)
        ann = await live.come(room, "ann")
        await live.sit(room, "bob")
        passed = await ann.ask(protocol.PassHost, "the-same", seat=0)
        assert passed["type"] == "kept"
        assert room.table.host == "bob"
        assert await ann.ask(protocol.PassHost, "the-same", seat=0) == passed
        assert (await ann.ask(protocol.PassHost, seat=0))["code"] == "not-host"
        assert (await ann.ask(protocol.Leave))["code"] == "not-seated"

    async def after_a_restart(live: Live) -> None:
        room = await live.rooms.get("table")
        ann = await live.come(room, "ann")
        assert (await ann.ask(protocol.PassHost, "the-same", seat=0))["type"] == "kept"

    in_a_room(path, body)
    in_a_room(path, after_a_restart)


def test_who_comes_back_sees_what_he_may_bring_and_a_stranger_what_strangers_may(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE)
        (bob,) = await live.sit(room, "bob")
        await bob.ask(protocol.TopUp, to=90)
        await bob.ask(protocol.Leave)
        ears = [bob, *[Ear(f"guest-{number}", room) for number in range(5)]]
        for ear in ears[1:]:
            room.join(ear)
        room.show()
        assert [ear.view["chips"] for ear in ears] == [[90, 100], *5 * [[50, 100]]]

    in_a_room(path, body)


def test_a_break_ends_by_itself_and_everybody_has_the_time_he_had(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(THREE, "ann", "bob")
        room = ann.room
        acts = ann if "confirm" in ann.view["may"] else bob
        live.pass_time(20)
        assert (await ann.ask(protocol.Break, on=True))["type"] == "kept"
        version = room.version
        assert (await acts.lay())["code"] == "on-break"
        room.ask(acts, protocol.Draft(hand=1, street=1, placement="-/-/-"))
        await acts.until(lambda: acts.heard[-1].get("code") == "on-break")
        live.pass_time(BREAK_MS / 1000 - 1)
        await settle()
        assert room.version == version
        live.pass_time(1)
        await acts.until(lambda: acts.view["break_ms"] is None)
        room.show()
        assert [seat["clock"]["hand_ms"] for seat in acts.view["seats"] if seat and seat["clock"]["running"]] == [
            100_000
        ]
        assert (await acts.lay())["type"] == "kept"

    in_a_room(path, body)


def test_a_break_of_a_host_who_is_gone_is_ended_by_who_is_there(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(THREE, "ann", "bob")
        room = ann.room
        assert (await bob.ask(protocol.Break, on=True))["code"] == "not-host"
        assert (await ann.ask(protocol.Break, on=True))["type"] == "kept"
        assert (await bob.ask(protocol.Break, on=False))["code"] == "not-host"
        room.leave(ann)
        live.pass_time(2)
        await bob.until(lambda: "break" in bob.view["may"])
        assert (await bob.ask(protocol.Break, on=False))["type"] == "kept"
        await bob.until(lambda: bob.view["break_ms"] is None)
        assert (await bob.ask(protocol.Break, on=True))["code"] == "not-host"

    in_a_room(path, body)


def test_a_bot_that_was_ready_is_asked_again_under_new_rules(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE)
        ann, bob = await live.sit(room, "ann", "bob")
        await ann.ask(protocol.SeatBot)
        for rules in ({"scoring": "2-4"}, {"scoring": "1-6"}, {"seats": "3-3"}):
            await ann.until(lambda: ann.view["seats"][2] is not None and ann.view["seats"][2]["ready"])
            assert (await ann.ask(protocol.ChangeRules, rules="room", set=rules))["type"] == "kept"
        await ann.until(lambda: ann.view["seats"][2]["ready"])
        await play_hand(live, [ann, bob])

    in_a_room(path, body, thinker=Lays())


def test_who_is_away_is_removed_and_who_is_there_is_not(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.sit(room := await live.open(THREE), "ann", "bob")
        refused = await ann.ask(protocol.Remove, seat=1)
        assert (refused["code"], refused["args"]) == ("not-away", {"name": "Bob"})
        window = Ear("bob", room)
        room.join(window)
        room.leave(bob)
        live.pass_time(30)
        await settle()
        assert (await ann.ask(protocol.Remove, seat=1))["code"] == "not-away"  # any window of his counts
        room.leave(window)
        live.pass_time(2)
        await ann.until(lambda: ann.view["seats"][1]["removable"])
        assert (await ann.ask(protocol.Remove, seat=1))["type"] == "kept"
        await ann.until(lambda: ann.view["seats"][1] is None)
        room.join(bob)
        assert "sit" in bob.view["may"]

    in_a_room(path, body)


# -- bots


async def lay(acts: Ear) -> None:
    """Lay this turn's cards, and see them lie."""
    version = (await acts.lay())["version"]
    await acts.until(lambda: acts.version >= version)


async def play_hand(live: Live, people: list[Ear]) -> None:
    """Let everybody be ready, and play the hand to its end, bots among them."""
    await deal(people)
    room = people[0].room
    async with asyncio.timeout(20):
        while room.table.laying:
            acts = next((ear for ear in people if "confirm" in ear.view["may"]), None)
            if acts is not None:
                await lay(acts)
            await asyncio.sleep(0)
    for ear in people:
        await ear.until(lambda ear=ear: ear.version == room.version)  # type: ignore[misc]


def laid_by(events: list[AnyEvent], seat: int) -> int:
    return sum(isinstance(event, Confirmed) and event.seat == seat for event in events)


async def told(live: Live) -> list[AnyEvent]:
    log = await live.store.load("table")
    assert log is not None
    return list(log.events)


def a_bot_comes_and_goes(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(THREE, "ann", "bob")
        room = ann.room
        assert (await ann.ask(protocol.SeatBot))["type"] == "kept"  # in the middle of a match
        await bob.until(lambda: bob.view["seats"][2] is not None)
        seat = bob.view["seats"][2]
        assert (seat["name"], seat["bot"]) == (BOTS[0], True)
        for ear in (ann, bob) * 5:
            acts = ear if "confirm" in ear.view["may"] else next(e for e in (ann, bob) if e is not ear)
            version = (await acts.lay())["version"]
            for each in (ann, bob):
                await each.until(lambda each=each, version=version: each.version >= version)  # type: ignore[misc]
        assert not room.table.laying
        assert laid_by(await told(live), 2) == 0  # it was not dealt in
        await ann.until(lambda: ann.view["seats"][2]["ready"])  # it plays the next one
        await play_hand(live, [ann, bob])
        assert room.table.hand is not None
        assert set(room.table.hand.seats) == {0, 1, 2}
        assert laid_by(await told(live), 2) == 5
        assert (await ann.ask(protocol.Remove, seat=2))["type"] == "kept"
        await bob.until(lambda: bob.view["seats"][2] is None)
        assert room._bots == {}
        assert room._viewers == {ann, bob}
        await settle()
        assert not [task for task in asyncio.all_tasks() if "BotSeat" in repr(task.get_coro()) and not task.done()]
        await play_hand(live, [ann, bob])

    in_a_room(path, body, thinker=Lays())


def test_a_bot_that_is_seated_in_the_middle_of_a_match_plays_the_next_until_it_is_removed(path: Path) -> None:
    a_bot_comes_and_goes(path)


class NeverCalls(Room):
    """Does not call bots that sit down while it is live."""

    def _call_bots(self) -> None:
        if self._task is None:
            super()._call_bots()


class NeverSends(Room):
    """Does not send bots away."""

    def _call_bots(self) -> None:
        seated = [seat.player for _, seat in self.table.seated if seat.bot]
        for player in seated:
            if player not in self._bots:
                super()._call_bots()


@pytest.mark.parametrize("fault", [NeverCalls, NeverSends])
def test_a_room_that_forgets_its_bots_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[Room]) -> None:
    monkeypatch.setattr(module, "Room", fault)
    monkeypatch.setattr(Ear, "until", hurried(Ear.until))
    with pytest.raises((AssertionError, TimeoutError)):
        a_bot_comes_and_goes(path)


def hurried(until: Callable[..., Any]) -> Callable[..., Any]:
    """Waits no longer than a second."""

    async def wait(ear: Ear, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(1):
            await until(ear, condition)

    return wait


def test_a_bot_that_is_removed_while_it_plays_plays_the_match_to_its_end(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE, bots=1)
        (ann,) = await live.sit(room, "ann")
        await deal([ann])
        assert (await ann.ask(protocol.Remove, seat=0))["type"] == "kept"
        await ann.until(lambda: ann.view["seats"][0]["leaving"])
        async with asyncio.timeout(20):
            while room.table.laying:
                if "confirm" in ann.view["may"]:
                    await lay(ann)
                await asyncio.sleep(0)
        assert laid_by(await told(live), 0) == 5
        left = [event for event in await told(live) if isinstance(event, Left)]
        assert [(event.seat, event.removed) for event in left] == [(0, True)]
        assert room._bots == {}

    in_a_room(path, body, thinker=Lays())


def test_the_host_seats_the_bots_in_order_and_none_twice(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(FOUR)
        ann = await live.come(room, "ann")
        first = await ann.ask(protocol.SeatBot, "the-same", seat=1)
        assert await ann.ask(protocol.SeatBot, "the-same", seat=1) == first
        assert (await ann.ask(protocol.SeatBot, seat=1))["code"] == "seat-taken"
        assert (await ann.ask(protocol.SeatBot, bot="kiwi"))["code"] == "no-bot"
        for _ in range(2):
            assert (await ann.ask(protocol.SeatBot))["type"] == "kept"
        assert (await ann.ask(protocol.SeatBot, bot="ananas"))["type"] == "kept"
        assert (await ann.ask(protocol.SeatBot))["code"] == "no-bot"
        sat = [event for event in await told(live) if isinstance(event, Sat)]
        assert [(event.player, event.name, event.seat) for event in sat] == [
            ("bot:0", "Kiwi", 1),
            ("bot:1", "Mango", 0),
            ("bot:2", "Papaya", 2),
            ("bot:3", "Ananas", 3),
        ]
        assert (await ann.ask(protocol.Remove, seat=0))["type"] == "kept"
        assert (await ann.ask(protocol.SeatBot))["type"] == "kept"
        assert [seat.name for _, seat in room.table.seated] == ["Mango", "Kiwi", "Papaya", "Ananas"]
        assert sorted(room._bots) == ["bot:0", "bot:1", "bot:2", "bot:3"]

    in_a_room(path, body, thinker=Lays())


def test_a_bot_whose_name_somebody_has_stays_away(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(FOUR)
        ann = await live.come(room, "ann")
        await live.store.add_guest(Guest("bob", "Kiwl"), hash_token("bob"), 0)  # it looks the same
        await live.sit(room, "bob")
        assert (await ann.ask(protocol.SeatBot, bot="kiwi"))["code"] == "no-bot"
        for _ in range(3):
            assert (await ann.ask(protocol.SeatBot))["type"] == "kept"
        assert (await ann.ask(protocol.SeatBot))["code"] == "no-bot"
        assert [seat.name for _, seat in room.table.seated] == ["Kiwl", "Mango", "Papaya", "Ananas"]

    in_a_room(path, body, thinker=Lays())


def test_a_bot_that_the_host_has_seated_plays_on_after_a_restart(path: Path) -> None:
    async def begin(live: Live) -> None:
        (ann,) = await live.sit(await live.open(THREE), "ann")
        await ann.ask(protocol.SeatBot)
        await ann.until(lambda: ann.view["seats"][1] and ann.view["seats"][1]["ready"])

    async def go_on(live: Live) -> None:
        room = await live.rooms.get("table")
        ann = await live.come(room, "ann")
        await play_hand(live, [ann])
        assert laid_by(await told(live), 1) == 5

    in_a_room(path, begin, thinker=Lays())
    in_a_room(path, go_on, thinker=Lays())


class SlowToLay(Lays):
    """Bots that think until they are told to answer."""

    def __init__(self) -> None:
        super().__init__()
        self.thinks = asyncio.Event()
        self.answers = asyncio.Event()

    async def think(self, view: bytes) -> str | None:
        self.thinks.set()
        await self.answers.wait()
        return await super().think(view)


def thought_over_a_break(path: Path) -> None:
    async def body(live: Live) -> None:
        thinker = live.thinker
        assert isinstance(thinker, SlowToLay)
        room = await live.open(THREE, bots=1)
        (ann,) = await live.sit(room, "ann")
        await deal([ann])
        if "confirm" in ann.view["may"]:
            await ann.lay()
        await asyncio.wait_for(thinker.thinks.wait(), 10)
        assert (await ann.ask(protocol.Break, on=True))["type"] == "kept"
        await ann.until(lambda: ann.view["break_ms"] is not None)
        before = laid_by(await told(live), 0)
        thinker.answers.set()
        await settle()
        assert laid_by(await told(live), 0) == before
        assert (await ann.ask(protocol.Break, on=False))["type"] == "kept"
        await ann.until(lambda: laid(ann, 0) > before)

    in_a_room(path, body, thinker=SlowToLay())


def laid(ear: Ear, seat: int) -> int:
    """How many streets a seat has laid, as somebody sees it."""
    side = next(side for side in ear.view["hand"]["players"] if side["seat"] == seat)
    street: int = side["street"]
    return street - 1 if side["to_lay"] else street


def test_a_bot_that_has_thought_for_longer_than_the_game_went_on_lays_after_the_break(path: Path) -> None:
    thought_over_a_break(path)


def test_a_bot_that_gives_up_for_a_break_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class GivesUp(BotSeat):
        def answer(self, message: bytes) -> None: ...

    monkeypatch.setattr(module, "BotSeat", GivesUp)
    monkeypatch.setattr(Ear, "until", hurried(Ear.until))
    with pytest.raises(TimeoutError):
        thought_over_a_break(path)


# -- the open tables


def test_the_open_tables_are_the_public_ones_at_which_people_sit(path: Path) -> None:
    async def body(live: Live) -> None:
        assert live.rooms.public_tables() == []
        rules = RuleSet(seats=(2, 2))
        for name, public, bots in (
            ("old", True, 0),
            ("full", True, 0),
            ("bots", True, 1),
            ("private", False, 0),
            ("new", True, 1),
        ):
            live.pass_time(1)
            await live.open(rules, name, bots=bots, host="ann", public=public)
        assert live.rooms.public_tables() == []  # nobody sits there
        for name in ("old", "full", "private", "new"):
            await live.sit(await live.rooms.get(name), "ann")
        await live.sit(await live.rooms.get("full"), "bob")
        ids = [table.id for table in live.rooms.public_tables()]
        assert ids == ["old", "new", "full"]
        ann = await live.come(await live.rooms.get("private"), "ann")
        ann.room.ask(ann, protocol.TakeOver())
        await ann.ask(protocol.Publish, on=True)
        assert [table.id for table in live.rooms.public_tables()] == ["private", "old", "new", "full"]
        await ann.ask(protocol.Publish, on=False)
        await ann.ask(protocol.Leave)
        assert [table.id for table in live.rooms.public_tables()] == ["old", "new", "full"]

    in_a_room(path, body, thinker=Lays())


def test_a_table_is_public_from_the_beginning_if_it_is_opened_so(path: Path) -> None:
    async def body(live: Live) -> None:
        await live.store.add_guest(Guest("ann", "Ann"), hash_token("ann"), 0)
        for public in (True, False):
            room = await live.rooms.open(name="Friday", host="ann", rules=ROOM, public=public)
            await live.sit(room, "ann")
            assert room.table.public == public
        assert len(live.rooms.public_tables()) == 1

    in_a_room(path, body)
