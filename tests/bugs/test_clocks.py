"""Faults of clocks, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas import protocol
from ananas.refused import Refused
from ananas.server.room import Room, Rooms
from ananas.server.time import RoomClock
from ananas.server.viewers import Asked, Socket
from ananas.table.clock import HELD_MS, deadline
from ananas.table.commands import Lag, Resume, SitOut
from ananas.table.events import AutoPlaced, HandScored, HoldBegan, HoldEnded, Resumed, TimedOut
from ananas.table.state import Table
from tests.bugs.places import (
    HOUR_MS,
    ROOM,
    THREE,
    TWO,
    acts,
    at_every_street,
    begin_again,
    evening,
    gives,
    kinds,
    log_of,
    settle,
    wait,
)
from tests.game.second_scorer import reckoned
from tests.server.live import Ear, Hands, Live, in_a_room
from tests.server.test_viewers import Wire, with_socket
from tests.server.test_viewers import settle as breathe
from tests.table.play import Play


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- B001: after a restart a clock goes on by itself


def killed_and_begun_again(path: Path, patience: float = 20) -> None:
    """Half a second is left; the room is away for a minute; nobody comes back, and nothing is asked."""
    rules = replace(TWO, hand_seconds=1)

    async def first(live: Live) -> None:
        await live.playing(rules, "ann", "bob")
        live.pass_time(0.5)
        await live.store.alive(live.clock.now())

    async def second(live: Live) -> None:
        begin_again(live, RoomClock(wall=lambda: 1_000_060.5, monotonic=time.monotonic, not_before=live.store.alive_at))
        await live.rooms.start()
        async with asyncio.timeout(patience):
            while "TimedOut" not in kinds(await log_of(live)):
                live.clock.now()
                await asyncio.sleep(0.05)
        room = await live.rooms.get("table")
        await settle(room)
        told = await log_of(live)
        (resumed,) = (event for event in told if isinstance(event, Resumed))
        first = next(event for event in told if isinstance(event, TimedOut))
        assert resumed.lost_ms >= 60_000
        assert first.at - resumed.at >= 500, "the outage was charged"
        assert [event.seat for event in told if isinstance(event, TimedOut)].count(first.seat) == 1

    in_a_room(path, first)
    in_a_room(path, second)


def test_bug_B001_a_restored_clock_rings_by_itself_once_and_the_outage_is_not_charged(path: Path) -> None:
    killed_and_begun_again(path)


async def sleeps_on(_: Rooms) -> None:
    """A room that loads a table only when somebody comes."""


async def charges(room: Room) -> None:
    """A room that counts its own absence as the players' time."""
    room.stands_since = None


@pytest.mark.parametrize(("owner", "name", "fault"), [(Rooms, "start", sleeps_on), (Room, "_go_on", charges)])
def test_bug_B001_planted(
    path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, fault: Callable[..., object]
) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises((AssertionError, TimeoutError, ValueError)):
        killed_and_begun_again(path, patience=1.5)


# -- B002: nothing rings for a hand that is over


def settled() -> Play:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.finish()
    return play


def with_fantasyland_to_come() -> Play:
    play = Play(ROOM, "ann bob")
    play.scored(ann="in", bob="plain")
    play.plan = {}
    return play


def everybody_gone() -> Play:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.confirm()
    play.disconnect("ann", "bob", "cyd")
    play.leave("ann", "bob", "cyd")
    while play.table.laying:
        play.time_out()
    return play


def voided() -> Play:
    play = settled()
    play.now += 10_000
    play.ready("ann", "bob", "cyd")
    play.confirm()
    play.void()
    return play


OVER = [settled, evening, everybody_gone, voided]


def an_hour_later(over: Callable[[], Play]) -> None:
    play = over()
    scored = play.table.hands - (over is voided)
    told = kinds(wait(play, HOUR_MS))
    assert not {"TimedOut", "AutoPlaced", "Confirmed", "HandScored"} & set(told), told
    assert [event.hand for event in play.log if isinstance(event, HandScored)] == list(range(1, scored + 1))


@pytest.mark.parametrize("over", OVER)
def test_bug_B002_no_clock_rings_for_a_hand_that_is_over(over: Callable[[], Play]) -> None:
    an_hour_later(over)


def test_bug_B002_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks are started and never stopped."""
    sound = ananas.table.evolve._clocks

    def runs_on(table: Table, at: int) -> Table:
        after = sound(table, at)
        for number, seat in table.seated:
            stopped = after.seats[number]
            if stopped is not None and seat.clock.since is not None:
                after = after.with_seat(number, replace(stopped, clock=seat.clock))
        return after

    monkeypatch.setattr(ananas.table.evolve, "_clocks", runs_on)
    with pytest.raises((AssertionError, ValueError)):
        an_hour_later(settled)


# -- B007: whose time is out is not who wins by it


def time_out_in(players: str, turn: int) -> None:
    """Somebody's time runs out in this turn; the others play on, and all is counted."""
    play = Play(replace(THREE, bank_seconds=0), players)
    play.ready(*players.split())
    for _ in range(turn):
        play.confirm(choice=turn)
    (late,) = play.acting
    seat, street = play.table.seat_of(late), play.hand.street_of(play.hand.acting[0])
    play.time_out()
    assert [(e.seat, e.street) for e in play.log if isinstance(e, AutoPlaced)][:1] == [(seat, street)]
    assert [e.seat for e in play.log if isinstance(e, TimedOut)] == [seat]
    while play.table.laying:
        assert late not in play.acting, "the table does not lay on for him"
        play.confirm(choice=turn)
    assert {e.seat for e in play.log if isinstance(e, AutoPlaced)} == {seat}
    scored = next(event for event in play.log if isinstance(event, HandScored))
    hand = play.table.hand
    assert hand is not None
    rules, lays = play.table.rules.values, [(0, 0)] * len(hand.seats)
    second = reckoned([str(board) for board in hand.boards], hand.seats, rules, hand.stacks, lays)
    assert list(scored.points) == [player["points"] for player in second["players"]]
    assert list(scored.stacks) == [player["stack"] for player in second["players"]]


@pytest.mark.parametrize("players", ["ann bob", "ann bob cyd"])
def test_bug_B007_whose_time_is_out_is_laid_for_and_the_points_have_the_right_sign(players: str) -> None:
    for turn in range(5 * len(players.split())):
        time_out_in(players, turn)


def test_bug_B007_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned_round(**told: object) -> HandScored:
        for name in ("points", "stacks"):
            told[name] = tuple(told[name])[::-1]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        return HandScored(**told)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ananas.table.decide, "HandScored", turned_round)
    with pytest.raises(AssertionError):
        test_bug_B007_whose_time_is_out_is_laid_for_and_the_points_have_the_right_sign("ann bob")


# -- B013: the machine's clock is set while people think


STEPS = (3600, -3600, 86_400, -86_400)


def set_the_clock(path: Path, kind: type[RoomClock]) -> None:
    """The machine's clock is moved by an hour and by a day in mid-hand; four seconds of thought stay four seconds."""

    async def body(live: Live) -> None:
        offset = 0.0

        def wall() -> float:
            return 1_000_000.0 + live.hands.seconds + offset

        begin_again(live, kind(wall=wall, monotonic=live.hands))
        ears = await live.playing(TWO, "ann", "bob")
        room, thinks = ears[0].room, acts(ears)
        for number, step in enumerate(STEPS, 1):
            offset += step
            live.pass_time(1)
            await settle(room)
            room.show()
            assert abs(left(thinks) - (120_000 - 1000 * number)) <= 50

    in_a_room(path, body)


def left(ear: Ear) -> int:
    """What is left on the clock that runs, as somebody sees it."""
    running: int = next(seat["clock"]["hand_ms"] for seat in ear.view["seats"] if seat["clock"]["running"])
    return running


def test_bug_B013_setting_the_machines_clock_changes_nobodys_time(path: Path) -> None:
    set_the_clock(path, RoomClock)


def test_bug_B013_planted(path: Path) -> None:
    class ByTheWall(RoomClock):
        def __init__(self, *, wall: Callable[[], float], monotonic: Callable[[], float]) -> None:
            super().__init__(wall=wall, monotonic=monotonic)
            self._wall = wall

        def now(self) -> int:
            return int(self._wall() * 1000)

    with pytest.raises((AssertionError, StopIteration)):
        set_the_clock(path, ByTheWall)


# -- B014, B015: a game that is stopped and goes on


def clocks(play: Play) -> list[int]:
    """What each has left now."""
    time = play.table.time(play.now)
    return [seat.clock.at(time, connected=seat.connected).left_ms for _, seat in play.table.seated]


def stop_and_go_on(how: str, minutes: float) -> None:
    """Stopped at every turn, by the host or with the whole room, and gone on with; all have what they had."""
    for _, play in at_every_street(THREE, "ann bob cyd"):
        (thinks,) = play.acting
        play.now += 40_000
        before, hand = clocks(play), play.hand
        if how == "break":
            play.stop()
            assert kinds(wait(play, int(60_000 * minutes))) == []
            assert clocks(play) == before
            play.resume()
        else:
            play.now += int(60_000 * minutes)
            play.ask(Resume(lost_ms=int(60_000 * minutes)))
        assert (clocks(play), play.hand, play.acting) == (before, hand, (thinks,))
        due = deadline(play.table)
        assert due is not None
        mine = before[play.table.seat_of(thinks) or 0]
        assert due == play.now + mine
        play.now = due - 1
        assert play.acting == (thinks,)


@pytest.mark.parametrize("how", ["break", "restart"])
def test_bug_B014_a_pause_ends_no_hand_and_takes_no_time(how: str) -> None:
    stop_and_go_on(how, 0.5)


def twenty_seconds_left(minutes: int) -> None:
    """Ann thinks until she has twenty seconds; then there is a pause; by the model nobody has a second less after it."""
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    model = dict.fromkeys(play.table.players, 80000)
    for spent in (7_000, 3_500, 1_250, 12_000):
        (thinks,) = play.acting
        play.now += spent
        model[thinks] -= spent
        play.confirm()
    (thinks,) = play.acting
    play.now += model[thinks] - 20_000
    model[thinks] = 20_000
    play.stop()
    wait(play, 60_000 * minutes)
    play.resume()
    assert {seat.player: left for (_, seat), left in zip(play.table.seated, clocks(play), strict=True)} == model
    play.now += 19_999
    play.confirm()
    assert play.log[-1].at == play.now


def test_bug_B015_after_a_pause_of_ten_minutes_everybody_has_what_he_had() -> None:
    twenty_seconds_left(10)


@pytest.mark.parametrize("check", [lambda: stop_and_go_on("break", 0.5), lambda: twenty_seconds_left(10)])
def test_bug_B014_B015_planted(monkeypatch: pytest.MonkeyPatch, check: Callable[[], None]) -> None:
    """Waits are moved by the length of the pause, and clocks are not."""
    sound = ananas.table.evolve._shifted

    def clocks_stay(table: Table, lost: int) -> Table:
        after = sound(table, lost)
        for number, seat in table.seated:
            moved = after.seats[number]
            assert moved is not None
            after = after.with_seat(number, replace(moved, clock=seat.clock))
        return after

    monkeypatch.setattr(ananas.table.evolve, "_shifted", clocks_stay)
    with pytest.raises(AssertionError):
        check()


# -- B018: nobody is kept waiting by one who comes and goes


def comes_and_goes(honest: str) -> None:
    """Some are ready; Cyd comes and goes a hundred times, as fast as he likes. They begin when they were to begin."""
    play = Play(replace(THREE, seats=(2, 4), deal=(5, 2, 2, 2, 2)), f"{honest} cyd")
    play.ready(*honest.split())
    begins = play.now + 1000 * play.table.rules.ready_seconds
    for number in range(100):
        play.now += 250
        if number % 2:
            play.connect("cyd")
        else:
            play.disconnect("cyd")
    assert not play.table.busy
    play.now = max(play.now, begins)
    play.time_out()
    assert play.now <= begins, "who comes and goes has moved the start"
    play.deal_if_owed()
    assert set(play.table.players) == set(honest.split())


def ready_and_aside_again() -> None:
    """Ann is ready and Bob never is; Cyd is ready and sits out in turn. She plays within the time that places are kept."""
    play = Play(THREE, "ann bob cyd")
    play.ready("ann")
    until = play.now + HELD_MS + 60_000
    while not play.table.laying and play.now < until:
        play.ready("cyd")
        wait(play, 20_000)
        if not play.table.busy:
            play.ask(SitOut(player="cyd"))
            wait(play, 5_000)
    assert play.table.laying
    assert play.table.players in {("ann", "cyd"), ("cyd", "ann")}


def test_bug_B018_who_comes_and_goes_moves_no_start() -> None:
    comes_and_goes("ann bob")
    comes_and_goes("ann bob dee")
    ready_and_aside_again()


def test_bug_B018_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The countdown begins anew whenever something happens."""
    sound = ananas.table.evolve._waiting

    def anew(table: Table, at: int) -> Table:
        return sound(replace(table, ready_by=None), at)

    monkeypatch.setattr(ananas.table.evolve, "_waiting", anew)
    with pytest.raises(AssertionError):
        comes_and_goes("ann bob")


# -- B011: nobody is believed how long he thought, or how slow his line is


def says_he_is_slow() -> None:
    """Ann's line seems to take half a minute: she gains a second a move at the most, and seven in a hand."""
    for lag, bank in ((30_000, 0), (700, 0), (30_000, 20)):
        play = Play(
            replace(ROOM.but({"deal": DEALT, "place": DEALT, "fantasyland": "off"}), bank_seconds=bank), "ann bob"
        )
        play.ready("ann", "bob")
        play.ask(Lag(player="ann", ms=lag))
        given, used = 0, 0
        while play.table.laying:
            if play.acting == ("ann",):
                before = play.seat("ann").clock.left_ms
                play.now += 2_000
                play.confirm()
                charged = before - play.seat("ann").clock.left_ms
                assert 0 <= 2_000 - charged <= min(lag, 1_000), "one move has cost too little"
                given, used = given + 2_000 - charged, used + 2_000
            else:
                play.now += 1_000
                play.confirm()
        assert given <= 7_000, "all moves together have cost too little"
        assert used >= 18_000


DEALT = "5,1,1,1,1,1,1,1,1"


def test_bug_B011_a_slow_line_gains_a_second_a_move_and_seven_a_hand() -> None:
    says_he_is_slow()


@pytest.mark.parametrize("limit", ["MOVE_CREDIT_MS", "CREDIT_MS"])
def test_bug_B011_planted(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(ananas.table.evolve, limit, 60_000)
    with pytest.raises(AssertionError):
        says_he_is_slow()


def test_bug_B011_no_message_says_how_long_somebody_thought_and_no_made_up_echo_counts() -> None:
    for claim in ("think_ms", "lag_ms", "at", "elapsed"):
        text = f'{{"type":"confirm","id":"command-1","hand":1,"street":1,"placement":"-/-/-","{claim}":0}}'
        with pytest.raises(Refused) as refused:
            protocol.decode(text)
        assert refused.value.code == "bad-field"

    async def body(wire: Wire, socket: Socket, _: Hands, asked: list[Asked]) -> None:
        for probe in range(40):
            wire.say(f'{{"type":"echo","probe":{probe}}}')
            await breathe()
        assert (socket.lag_ms, asked) == (0, [])
        wire.say('{"type":"ping"}')
        await breathe()
        probe = wire.taken[-1]["probe"]
        for _again in range(3):
            wire.say(f'{{"type":"echo","probe":{probe}}}')
            await breathe()
        assert len(asked) == 1

    with_socket(body)


# -- B037: several are cut off while another is in Fantasyland


def cut_off_in_fantasyland() -> None:
    """Ann has Fantasyland; Bob and Cyd lose their connection at once, in every turn of theirs: nobody pays for it."""
    for turns in range(10):
        play = Play(ROOM, "ann bob cyd")
        play.scored(ann="in", bob="plain", cyd="plain")
        play.plan = {}
        play.now += 3_000
        play.go_on("ann", "bob", "cyd")
        assert play.hand.fantasyland[play.table.players.index("ann")]
        for _ in range(turns):
            play.now += 1_000
            play.confirm()
        if play.acting == ("ann",):
            break
        play.now += 5_000
        before = clocks(play)
        play.disconnect("bob")
        play.now += 2_000
        charged = clocks(play)
        play.disconnect("cyd")
        assert play.log[-1] == HoldBegan(at=play.now, reason="lost"), "the table goes on as if nothing had happened"
        assert sum(before) - sum(charged) <= 2_000
        play.now += 55_000
        assert clocks(play) == charged, "they pay for what is not their fault"
        play.connect("bob")
        play.connect("cyd")
        assert isinstance(play.log[-1], HoldEnded)
        assert clocks(play) == charged
        play.finish()
        assert not any(isinstance(event, TimedOut | AutoPlaced) for event in play.log)


def test_bug_B037_who_are_cut_off_together_lose_no_time_to_one_in_fantasyland() -> None:
    cut_off_in_fantasyland()


def test_bug_B037_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.decide, "_hold_if_several_are_lost", gives(None))
    with pytest.raises(AssertionError):
        cut_off_in_fantasyland()


def test_bug_B037_a_table_is_held_for_a_minute_and_no_longer() -> None:
    play = Play(ROOM, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.disconnect("bob", "cyd")
    began = play.now
    told = kinds(wait(play, 60_000))
    assert told == ["HoldEnded"]
    assert play.now - began == 60_000
    play.connect("bob", "cyd")
    play.disconnect("bob", "cyd")
    assert not play.table.stands, "a hand is held once"
