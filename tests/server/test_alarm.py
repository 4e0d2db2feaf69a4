"""The alarm rings once, and never before room time is there."""

from __future__ import annotations

import asyncio

from ananas.server.alarm import Alarm
from ananas.server.time import RoomClock


def test_it_rings_once_for_the_moment_set_last() -> None:
    async def run() -> None:
        clock = RoomClock()
        rung: list[int] = []
        rings = asyncio.Event()

        def ring() -> None:
            rung.append(clock.now())
            rings.set()

        alarm = Alarm(clock, ring)
        for due in (clock.now() + 10, None, clock.now() + 10_000, moment := clock.now() + 40):
            alarm.set(due)
        await asyncio.wait_for(rings.wait(), 5)
        await asyncio.sleep(0.1)
        assert len(rung) == 1
        assert rung[0] >= moment
        rings.clear()
        alarm.set(clock.now() - 5000)  # past already
        await asyncio.wait_for(rings.wait(), 5)
        alarm.set(None)
        await asyncio.sleep(0.05)
        assert len(rung) == 2

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
