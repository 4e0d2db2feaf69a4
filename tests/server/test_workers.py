"""Who has the processor first: the room, or those who think."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import platform
import struct
import sys

import pytest

from ananas.server.workers import take_short_turns

SCHED_GETATTR = {"x86_64": 315, "aarch64": 275}
SHORT = 200_000
FIRST_KERNEL = (6, 12)


def turn() -> int:
    """How long a turn of this process is, in nanoseconds; 0 where it may not be asked."""
    told = ctypes.create_string_buffer(56)
    if ctypes.CDLL(None).syscall(SCHED_GETATTR[platform.machine()], 0, told, len(told), 0):
        return 0
    return int(struct.unpack("=IIQiIQQQII", told.raw)[5])


def kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in os.uname().release.split(".")[:2])


def turns_of_a_room() -> tuple[int, int, int, int]:
    """What a process takes at first, then as a room, then as one that thinks, and how nice it is at the end."""
    os.nice(3)
    usual = turn()
    take_short_turns()
    short = turn()
    take_short_turns(0)
    return usual, short, turn(), os.nice(0)


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in SCHED_GETATTR or kernel() < FIRST_KERNEL,
    reason="there are no short turns here",
)
def test_a_room_takes_short_turns_and_who_thinks_takes_the_usual_ones() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        before = os.nice(0)
        usual, short, again, nice = pool.apply(turns_of_a_room)
    assert short == SHORT < usual
    assert again == usual
    assert nice == before + 3, "only the length of turns is changed"
