"""The alarm rings once, and never before room time is there."""

from __future__ import annotations

import asyncio

from ananas.server.alarm import Alarm
from ananas.server.time import RoomClock


def test_it_rings_once_for_the_moment_set_last() -> None:
    async def run() -> None:
        clock = RoomClock()
        rung: list[int] = []
        alarm = Alarm(clock, lambda: rung.append(clock.now()))
        for due in (clock.now() + 10, None, clock.now() + 10_000, moment := clock.now() + 40):
            alarm.set(due)
        await asyncio.sleep(0.2)
        assert len(rung) == 1
        assert moment <= rung[0] < moment + 100
        alarm.set(clock.now() - 5000)  # past already
        await asyncio.sleep(0.05)
        assert len(rung) == 2
        alarm.set(None)

    asyncio.run(run())


def test_it_waits_for_room_time_when_that_has_stood_still() -> None:
    async def run() -> None:
        seconds = 0.0
        clock = RoomClock(wall=lambda: 0.0, monotonic=lambda: seconds)
        rung: list[int] = []
        alarm = Alarm(clock, lambda: rung.append(clock.now()))
        alarm.set(60)
        await asyncio.sleep(0.15)  # the loop's time has passed, the room's has not
        assert rung == []
        seconds = 0.06
        await asyncio.sleep(0.15)
        assert rung == [60]

    asyncio.run(run())
