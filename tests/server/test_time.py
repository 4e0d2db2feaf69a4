"""Room time: no matter what the wall clock does, and standing still while the room could do nothing."""

from __future__ import annotations

import pytest

from ananas.server import time
from ananas.server.time import RoomClock


class Wall:
    """A wall clock that somebody sets, and the machine's own count of seconds."""

    def __init__(self) -> None:
        self.wall = 1_000_000.0
        self.passed = 0.0

    def tick(self, seconds: float, clock: RoomClock) -> None:
        """Time passes for a room that reads its clock every quarter of a second."""
        for _ in range(int(seconds * 4)):
            self.wall += 0.25
            self.passed += 0.25
            clock.now()


@pytest.mark.parametrize("jump", [-86_400, -3600, 3600, 86_400])
def test_setting_the_wall_clock_has_no_effect(jump: int) -> None:
    hands = Wall()
    clock = RoomClock(wall=lambda: hands.wall, monotonic=lambda: hands.passed)
    before = clock.now()
    hands.tick(10, clock)
    hands.wall += jump
    hands.tick(10, clock)
    assert clock.now() - before == 20_000


@pytest.mark.parametrize("stopped", [1.5, 60, 86_400])
def test_a_stall_is_no_time(stopped: float) -> None:
    hands = Wall()
    clock = RoomClock(wall=lambda: hands.wall, monotonic=lambda: hands.passed)
    before = clock.now()
    hands.tick(10, clock)
    hands.passed += stopped
    hands.tick(10, clock)
    assert 20_000 - 250 <= clock.now() - before <= 20_000
    assert clock.lost_ms == pytest.approx(1000 * stopped, abs=251)


def test_a_clock_that_counts_a_stall_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "STALL_SECONDS", float("inf"))
    with pytest.raises(AssertionError):
        test_a_stall_is_no_time(60)


def test_time_never_runs_behind_an_earlier_life_of_the_room() -> None:
    hands = Wall()
    clock = RoomClock(wall=lambda: 5.0, monotonic=lambda: hands.passed, not_before=9_000)
    assert clock.now() == 9_000
    hands.tick(1, clock)
    assert clock.now() == 10_000
