"""Faults of seats, commands and bots, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server import viewers
from ananas.server.viewers import Thinker
from ananas.table.account import account
from ananas.table.clock import HELD_MS
from ananas.table.commands import Leave, Return, SitOut
from ananas.table.events import HandDealt, HandScored, Left, Sat
from ananas.table.state import Table
from tests.bugs.places import (
    ROOM,
    THREE,
    TWO,
    Story,
    acts,
    at_every_street,
    cut,
    evening,
    gives,
    log_of,
    play_hand,
    settle,
    wait,
)
from tests.server import bad_bots
from tests.server.live import Live, in_a_room
from tests.table.play import Play


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def on_to_the_end(play: Play) -> None:
    """What runs is played to its end, by those who are there, and by the table for the others."""
    for _ in range(200):
        play.deal_if_owed()
        if play.table.laying and not play.table.on_break:
            play.confirm()
        elif play.table.pausing:
            wait(play, 60_000)
        else:
            return
    raise AssertionError("the hand never comes to its end")


# -- B031: whoever comes in mid-hand waits, and the hand goes on


def moments(play: Story) -> list[int]:
    """After how many events of its log something may be tried: whenever both sit there."""
    first = next(at for at, event in enumerate(play.log, 1) if isinstance(event, Sat) and event.player == "bob")
    return [end for end in play.ends if end >= first]


def counted(play: Play) -> int:
    """How many hands have been counted."""
    return sum(isinstance(event, HandScored) for event in play.log)


def comes_in_mid_hand(how: str) -> None:
    rules = ROOM.but({"seats": "2-3"})
    story = evening(rules)
    for moment in moments(story):
        play = cut(story, moment)
        scored, playing = counted(play), play.table.in_match
        play.sit("cyd")
        match how:
            case "leaves":
                play.leave("cyd")
            case "stands":
                play.ask(SitOut(player="cyd"))
            case "is away":
                play.disconnect("cyd")
            case _:
                pass
        on_to_the_end(play)
        dealt = [event for event in play.log if isinstance(event, HandDealt)]
        assert all(2 not in event.seats for event in dealt), "who came in mid-match was dealt in"
        assert not play.table.in_match
        assert not playing or counted(play) > scored or play.table.hands == scored, "the hand was not played to its end"
        if how == "sits":
            play.now += 10_000
            play.ready(*(seat.player for _, seat in play.table.seated if not seat.ready))
            assert set(play.table.players) == {"ann", "bob", "cyd"}


@pytest.mark.parametrize("how", ["sits", "leaves", "stands", "is away"])
def test_bug_B031_whoever_comes_in_mid_hand_stops_nothing_and_plays_the_next_match(how: str) -> None:
    comes_in_mid_hand(how)


# -- B032: everybody leaves


def all_of_them(how: str) -> None:
    """Everybody leaves, or is gone, at every moment: the table comes to rest, and every chip is its owner's."""
    story = evening(ROOM.but({"seats": "2-3"}))
    for moment in moments(story):
        play = cut(story, moment)
        for player in ("ann", "bob"):
            seat = play.table.seat_of(player)
            if how == "leave":
                if seat is not None:
                    play.leave(player)
                    play.deal_if_owed()
            else:
                play.disconnect(player)
        wait(play, 2 * HELD_MS + 400_000)
        assert not play.table.in_match
        assert play.table.seated == ()
        assert set(play.table.gone) == {"ann", "bob"}
        assert sum(purse.stack - purse.brought for purse in play.table.gone.values()) == 0
        assert all(purse.stack >= 0 for purse in play.table.gone.values())
        play.sit("cyd", "dee")
        play.ready("cyd", "dee")
        assert play.table.laying, "newcomers cannot begin"


@pytest.mark.parametrize("how", ["leave", "go"])
def test_bug_B032_a_table_that_everybody_has_left_comes_to_rest_and_can_be_played_again(how: str) -> None:
    all_of_them(how)


def test_bug_B032_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody leaves with is forgotten."""
    sound = ananas.table.evolve._left

    def keeps_nothing(table: Table, event: Left) -> Table:
        after = sound(table, event)
        purses = {player: replace(purse, stack=purse.brought) for player, purse in after.gone.items()}
        return replace(after, gone=purses)

    monkeypatch.setattr("ananas.table.evolve._left", keeps_nothing)
    with pytest.raises(AssertionError):
        stays_whole()


# -- B033: who stands up in mid-hand


def stands_up() -> None:
    for turn, story in at_every_street(THREE, "ann bob cyd"):
        for player in ("ann", "bob", "cyd"):
            play = cut(story, len(story.log))
            play.now = story.now
            play.leave(player)
            seat = play.table.seat_of(player)
            play.disconnect(player)
            while play.table.laying:
                if player in play.acting:
                    play.time_out()
                else:
                    play.confirm()
            scored = [event for event in play.log if isinstance(event, HandScored)]
            assert len(scored) == 1, turn
            assert seat in scored[0].seats, "who stood up was not counted"
            assert play.table.seat_of(player) is None, "who stood up is still there"
            rest = [each for each in ("ann", "bob", "cyd") if each != player]
            play.now += 10_000
            play.ready(*rest)
            assert play.table.laying
            assert player not in play.table.players


def test_bug_B033_who_stands_up_is_laid_for_is_counted_and_gets_no_more_cards() -> None:
    stands_up()


def test_bug_B033_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.decide, "_after_match", gives(None))
    with pytest.raises(AssertionError):
        stands_up()


# -- B034: sitting out, leaving, and what one has


def whole(play: Play) -> None:
    """What all have won and lost comes to nothing; what each brought is where he is, or in what he left with."""
    table = play.table
    sides = [seat for _, seat in table.seated]
    everything = sum(seat.stack - seat.brought for seat in sides) + sum(
        purse.stack - purse.brought for purse in table.gone.values()
    )
    assert everything == 0, "a chip was made or lost"
    assert sum(each.points for each in account(table, None).players) == 0


def stays_whole() -> None:
    """Sitting out, leaving and coming back at every moment of an evening, in quick succession; looked at every time."""
    story = evening(ROOM.but({"seats": "2-3", "buy_in": "20-100"}))
    for moment in moments(story):
        play = cut(story, moment)
        for command in (SitOut(player="bob"), Leave(player="bob"), Return(player="bob"), Leave(player="bob")):
            play.now += 20
            with contextlib.suppress(Refused):
                play.ask(command)
            whole(play)
        on_to_the_end(play)
        whole(play)
        if play.table.seat_of("bob") is None:
            left = play.table.gone["bob"]
            play.sit("bob")
            whole(play)
            assert play.seat("bob").stack >= left.stack


def test_bug_B034_available_and_on_the_table_are_constant_whenever_one_looks() -> None:
    stays_whole()


def test_bug_B034_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes back has only what he brings now."""
    sound = Sat

    def forgets(**told: Any) -> Sat:  # noqa: ANN401
        return sound(**{**told, "brought": told["stack"]})

    monkeypatch.setattr(ananas.table.decide, "Sat", forgets)
    with pytest.raises(AssertionError):
        stays_whole()


# -- B035: a seat that is never played from


@pytest.mark.parametrize("seats", [(2, 2), (2, 3)])
def test_bug_B035_a_seat_that_is_never_played_from_is_free_in_the_end(seats: tuple[int, int]) -> None:
    play = Play(replace(THREE, seats=seats), "ann bob")
    wait(play, HELD_MS - 1)
    assert sitting(play) == {"ann", "bob"}
    wait(play, 1)
    assert sitting(play) == set()
    play.sit("cyd", "dee")
    play.ready("cyd", "dee")
    wait(play, HELD_MS - 1)
    assert sitting(play) == {"cyd", "dee"}


def sitting(play: Play) -> set[str]:
    return {seat.player for _, seat in play.table.seated}


# -- B039, B040: bots that fail


BOTS = {"illegal": bad_bots.illegal, "empty": bad_bots.silent, "rubbish": bad_bots.rubbish, "breaks": bad_bots.breaks}


class Fails(Thinker):
    """Thinks at once, and badly."""

    def __init__(self, answer: Callable[[bytes, float], str | None]) -> None:
        super().__init__(answer)
        self._bad = answer

    async def think(self, view: bytes) -> str | None:
        try:
            return self._bad(view, 1.0)
        except ValueError:
            return None


class Hangs(Thinker):
    """Never has an answer."""

    async def think(self, view: bytes) -> str | None:
        await asyncio.Event().wait()
        return None


def bot_fails(path: Path, thinker: Thinker, rules: RuleSet, seconds: float = 0, looks: int = 400) -> None:
    """A hand with a bot that fails comes to its end, and the next one can begin."""

    async def body(live: Live) -> None:
        room = await live.open(rules, bots=1)
        (ann,) = await live.sit(room, "ann")
        await settle(room)
        await ann.ask(protocol.Ready, hand=1)
        for _ in range(looks):
            await settle(room)
            if not room.table.laying and room.table.hands == 1 and ann.view["phase"] == "waiting":
                break
            if "confirm" in ann.view["may"]:
                await ann.lay()
            elif seconds:
                live.pass_time(seconds)
            await asyncio.sleep(0.002)
        events = await log_of(live)
        assert [event.hand for event in events if isinstance(event, HandScored)] == [1], "the table has stopped"

    in_a_room(path, body, thinker=thinker)


@pytest.mark.parametrize("name", BOTS)
def test_bug_B039_a_bot_that_answers_nonsense_stops_no_table(path: Path, name: str) -> None:
    bot_fails(path, Fails(BOTS[name]), TWO)


def test_bug_B039_a_late_answer_and_the_same_answer_twice_are_laid_once_or_not_at_all(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        first = acts(ears)
        await first.lay("laid-once-only")
        again = await first.ask(
            protocol.Confirm,
            hand=1,
            street=1,
            placement=str(ears[0].room.table.hand.placements[0][0]),  # type: ignore[union-attr]
        )
        assert again["code"] == "turn-over"
        await play_hand(ears)

    in_a_room(path, body)


def test_bug_B040_a_bot_that_hangs_is_laid_for_by_the_clock(path: Path) -> None:
    bot_fails(path, Hangs(bad_bots.legal), replace(TWO, hand_seconds=5), seconds=1)


def test_bug_B040_a_stopped_process_of_a_bot_is_laid_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process where it thinks is stopped for longer than all its time; the room does not wait for it."""
    monkeypatch.setattr(viewers, "PATIENCE_SECONDS", 0.2)
    thinker = Thinker(bad_bots.hangs, limit=60, processes=1)
    stopped: list[int] = []
    sound = thinker.think

    async def think(view: bytes) -> str | None:
        thought = asyncio.ensure_future(sound(view))
        await asyncio.sleep(0.05)
        for child in children():
            stopped.append(child)
            os.kill(child, signal.SIGSTOP)
        return await thought

    monkeypatch.setattr(thinker, "think", think)
    before = set(children())
    try:
        bot_fails(path, thinker, TWO, looks=10_000)
    finally:
        for child in set(children()) - before:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGCONT)
    assert stopped


def children() -> list[int]:
    """The processes that this one has started."""
    text = "".join(task.read_text() for task in Path("/proc/self/task").glob("*/children"))
    return [int(number) for number in text.split()]


def test_bug_B039_B040_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that waits for its bots however long they take, and no clock."""
    monkeypatch.setattr(viewers, "PATIENCE_SECONDS", 10**6)
    monkeypatch.setattr("ananas.server.room.deadline", gives(None))
    with pytest.raises(AssertionError):
        bot_fails(path, Hangs(bad_bots.legal), replace(TWO, hand_seconds=5), seconds=1)
