"""Who has the processor first: the room, or those who think."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import subprocess
import sys
from pathlib import Path

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


def policy_of_a_batch_room() -> None:
    """Tell whether a room that was started as a batch is one still."""
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    take_short_turns()
    print(os.sched_getscheduler(0) == os.SCHED_BATCH)


def told_by(function: str) -> str:
    """What a function of this file prints in a process of its own."""
    command = f"from tests.server.test_workers import {function}; {function}()"
    return subprocess.check_output([sys.executable, "-c", command], cwd=Path(__file__).parents[2], text=True)


def kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in os.uname().release.split(".")[:2])


def turns_of_a_room() -> None:
    """Tell what a process takes at first, then as a room, then as one that thinks, and how nice it is at the end."""
    os.nice(3)
    usual = turn()
    take_short_turns()
    short = turn()
    take_short_turns(0)
    print(usual, short, turn(), os.nice(0))


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in SCHED_GETATTR or kernel() < FIRST_KERNEL,
    reason="there are no short turns here",
)
def test_a_room_takes_short_turns_and_who_thinks_takes_the_usual_ones() -> None:
    usual, short, again, nice = map(int, told_by("turns_of_a_room").split())
    assert short == SHORT < usual
    assert again == usual
    assert nice == os.nice(0) + 3, "only the length of turns is changed"


@pytest.mark.skipif(sys.platform != "linux", reason="there are no policies here")
def test_the_policy_a_room_was_started_with_is_kept() -> None:
    assert told_by("policy_of_a_batch_room") == "True\n"
