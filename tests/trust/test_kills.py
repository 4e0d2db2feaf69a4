"""Rooms that are killed: what was acknowledged is there, once, every hand adds up, and no outage is charged to anybody.

A hundred rooms die in a process of their own that is asked through a pipe: half of them at a write point, each point six
times, half at any moment. The whole server is killed four times, three of them under load and once with 200 tables.
"""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.server.house import House, play_hand
from tests.trust import mortal
from tests.trust.kills import (
    Broken,
    Busy,
    Clock,
    Row,
    acting,
    assert_exactly_once,
    assert_not_charged,
    assert_whole,
    kill,
    recover,
    rows_of,
)

pytestmark = pytest.mark.server


def test_a_hundred_kills_lose_nothing_double_nothing_and_charge_nobody(tmp_path: Path) -> None:
    found = asyncio.run(kill(tmp_path, 100, "of every day"))
    assert {point: found.at_points[point] >= 5 for point in mortal.POINTS} == dict.fromkeys(mortal.POINTS, True)
    assert found.acknowledged > 100
    assert found.sent_again > 30
    assert found.clocks > 20
    assert found.hands > 5


@pytest.mark.parametrize(
    ("kind", "said"),
    [("answers early", "lost|refused now"), ("forgets ids", "refused now|kept as|twice")],
)
def test_a_store_that_breaks_its_word_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, said: str
) -> None:
    _hurry(monkeypatch)
    with pytest.raises(Broken, match=said):
        asyncio.run(kill(tmp_path, 100, "of every day", kind, said))


def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """At first everybody finds something else wrong, as may happen on a machine that has no time for its rooms."""
    whole, hurried = Busy.live_once, set[str]()

    async def live_once(self: Busy) -> Clock | None:
        if self.name not in hurried:
            hurried.add(self.name)
            raise Broken(f"{self.name} sits out")
        return await whole(self)

    monkeypatch.setattr(Busy, "live_once", live_once)


def test_a_room_that_charges_its_outage_is_caught(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="charged"):
        asyncio.run(kill(tmp_path, 100, "of every day", "charges", "charged"))


def test_a_clock_that_was_charged_is_noticed() -> None:
    before = Clock((3, ((0, 2),)), 60_000, 10.0)
    for after, same in (
        (Clock(before.turn, 58_500, 11.5), True),
        (Clock(before.turn, 60_000, 400.0), True),
        (Clock((3, ((1, 2),)), 1, 11.5), False),
        (None, False),
    ):
        assert assert_not_charged(before, after) == same
    for left, at in ((40_000, 11.5), (0, 12.0), (120_000, 11.5)):
        with pytest.raises(Broken):
            assert_not_charged(before, Clock(before.turn, left, at))


def test_a_lost_or_doubled_command_would_be_noticed() -> None:
    rows: list[Row] = [("t", None, 1), ("t", "guest:0:one", 2), ("t", "guest:0:two", 3)]
    good = {"one": 2, "two": 3}
    assert_exactly_once({"one", "two", "three"}, good, rows)
    for sent, acked, log in (
        (set[str](), good, rows[:2]),  # lost
        (set[str](), {"one": 3}, rows),  # another version than was told
        ({"two"}, good, [*rows, ("t", "guest:0:two", 4)]),  # twice
        ({"three"}, good, [*rows, ("t", "guest:1:three", 4), ("t", "guest:1:three", 5)]),
        (set[str](), {}, [rows[0], rows[2]]),  # a hole
    ):
        with pytest.raises(Broken):
            assert_exactly_once(sent, acked, log)


# -- the whole server


def test_two_hundred_tables_are_back_with_their_clocks(tmp_path: Path) -> None:
    """How long it takes is said by `python -m tests.trust.kills --tables 200`."""
    asyncio.run(recover(tmp_path, 200))


def test_killed_again_and_again_under_load_it_loses_and_doubles_nothing(house: House) -> None:
    people: list[Busy] = []
    outage = 1.0

    async def body() -> None:
        for number in range(4):
            players = await house.playing(names=(f"Ann {number}", f"Bob {number}"))
            people.extend(Busy(f"table-{number}-seat-{player.seat}", player) for player in players)
        for cycle in range(3):
            playing = [asyncio.create_task(each.play()) for each in people]
            await asyncio.sleep(0.4 + 0.13 * cycle)
            await asyncio.to_thread(house.end, signal.SIGKILL)
            killed = time.monotonic()
            await asyncio.gather(*playing)
            before = [(each.left, each.seen_at, acting(each.player.view)) for each in people]
            await asyncio.sleep(outage)
            await asyncio.to_thread(house.start)
            back = time.monotonic()
            for each, (left, seen_at, turn) in zip(people, before, strict=True):
                await each.player.connect()
                now_left = each.left
                if left is not None and now_left is not None and acting(each.player.view) == turn:
                    worked = (killed - seen_at) + (time.monotonic() - back)
                    assert left - now_left <= 1000 * (worked + 0.5 * outage), "the outage was charged"
            await asyncio.gather(*(each.come_back() for each in people))
        for ann, bob in zip(people[::2], people[1::2], strict=True):
            for each in (ann, bob):
                await each.player.connect()
            await play_hand([ann.player, bob.player])
        for each in people:
            await each.player.close()

    asyncio.run(body())
    house.end(signal.SIGTERM)
    sent = {command for each in people for command in each.sent}
    acked = {command: version for each in people for command, version in each.acked.items()}
    assert max(count for each in people for count in each.sent.values()) > 1, "nothing was sent again"
    assert_exactly_once(sent, acked, rows_of(house.database))
    assert assert_whole(house.database) >= 4
