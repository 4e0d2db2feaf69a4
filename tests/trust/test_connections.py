"""What is promised of connections, and for each promise a room that breaks it: the test of the promise finds it.

The tests themselves stand where the promises are kept: `tests/server/test_presence.py`, `test_windows.py`,
`test_viewers.py`, `test_cuts.py`. Where they have no planted fault beside them, it is here.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

import pytest

from ananas import protocol
from ananas.server import presence as presence_module
from ananas.server import room as room_module
from ananas.server import viewers as viewers_module
from ananas.server.presence import Presence
from ananas.server.room import Room
from ananas.server.viewers import Asked, Socket, Viewer
from ananas.server.windows import Windows
from ananas.table.state import Clock, Seat, Table
from tests.server import test_presence as presence
from tests.server import test_viewers as viewers
from tests.server import test_windows as windows
from tests.trust.twins import KINDS, Session, World


class Plant(NamedTuple):
    """A promise, the test that holds a room to it, and what is put in the place of something that keeps it."""

    test: Callable[..., None]
    where: object
    name: str
    fault: object


def nothing(*_: object) -> None:
    """What a room does that has forgotten to."""


clock_at, come, go, sit, show_to, ask = Clock.at, Presence.come, Presence.go, Windows.sit, Room._show_to, Room.ask


def from_the_hand_first(clock: Clock, now: int, *, connected: bool) -> Clock:
    return clock_at(clock, now, connected=True)


class NeverBack(Presence):
    """The log is told of who goes, and never of who comes back."""

    def _told_at(self, seat: Seat) -> int | None:
        return super()._told_at(seat) if seat.connected else None

    def back(self, table: Table, player: str) -> None:
        return None


def only_the_seated(there: Presence, player: str | None, table: Table, now: int) -> None:
    """Who sits down while he goes is not missed."""
    if player is not None and table.seat_of(player) is None:
        there._eyes[player] += 1
    go(there, player, table, now)


def gone_with_the_first(there: Presence, player: str | None, table: Table, now: int) -> None:
    """He is gone as soon as one of his windows is."""
    if player is not None and player in there._eyes:
        there._eyes[player] = 1
    go(there, player, table, now)


def anybody_told(here: Room, _: Iterable[Viewer]) -> None:
    """All are shown the table whoever of them it is about."""
    show_to(here, here._viewers)


def newest_controls(there: Windows, viewer: Viewer, now: int) -> None:
    """The window that comes last has the seat, without having been asked for it."""
    come_to(there, viewer, now)
    if viewer.player is not None:
        there._controls[viewer.player] = viewer.window


come_to = Windows.come


def untold(here: Room, viewer: Viewer, message: Asked) -> None:
    """Who is taken over from hears nothing of it."""
    if isinstance(message, protocol.TakeOver):
        here._windows.take(viewer)
        here._show_to([viewer])
    else:
        ask(here, viewer, message)


def late_take_over(here: Room, viewer: Viewer, message: Asked) -> None:
    """What a hung socket passes on late is not refused."""
    if isinstance(message, protocol.TakeOver):
        here._windows.take(viewer)
        here._show_to(here._windows.of(viewer.player))
    else:
        ask(here, viewer, message)


def all_views(socket: Socket, view: bytes) -> None:
    """Views that are old by now are sent as well."""
    socket._answers.append(view)
    socket._something.set()


def newest_answer(socket: Socket, message: bytes) -> None:
    """An answer takes the place of the one before."""
    socket._answers.clear()
    socket._answers.append(message)
    socket._something.set()


def no_id(_: str | None) -> str | None:
    return None


def controls_all(_: Windows, __: Viewer) -> bool:
    return True


PLANTS: Final[dict[str, Plant]] = {
    # A reload, or a short cut, costs nothing; who is away for longer pays from his bank, and has his time when he is back.
    "a reload keeps the seat": Plant(
        presence.test_a_page_that_is_loaded_again_makes_no_difference, presence_module, "GRACE_MS", 0
    ),
    "who is gone pays from his bank": Plant(
        presence.test_who_is_gone_pays_from_his_bank_and_comes_back_to_his_time, Clock, "at", from_the_hand_first
    ),
    "who is back may act at once": Plant(
        presence.test_what_somebody_asks_at_once_when_he_is_back_is_asked_by_one_who_is_there,
        room_module,
        "Presence",
        NeverBack,
    ),
    "who was absent plays on": Plant(
        presence.test_who_is_away_when_his_time_is_spent_is_absent_and_plays_on_when_he_is_back,
        Presence,
        "come",
        nothing,
    ),
    "after a restart everybody has a while": Plant(
        presence.test_after_a_restart_everybody_counts_as_there_until_he_had_time_to_come_back,
        presence_module,
        "GRACE_AFTER_LOADING_MS",
        0,
    ),
    "who sits down and is gone is missed": Plant(
        presence.test_who_sits_down_and_is_gone_before_he_is_answered_is_missed, Presence, "go", only_the_seated
    ),
    "a table that waits for nobody sleeps": Plant(
        presence.test_a_table_that_waits_for_nobody_is_put_away_and_sleeps, Room, "idle", False
    ),
    # One window controls, the others are told; it is taken over when that is asked for, and never otherwise.
    "one window controls": Plant(
        windows.test_only_one_window_plays_a_seat_and_the_others_are_told, Windows, "come", newest_controls
    ),
    "a take-over is told of": Plant(
        windows.test_a_seat_is_taken_over_and_the_other_window_is_told_at_once, Room, "ask", untold
    ),
    "a take-over that comes late moves nothing": Plant(
        windows.test_a_take_over_that_a_hung_socket_passes_on_late_is_refused_and_moves_nothing,
        Room,
        "ask",
        late_take_over,
    ),
    "a take-over is nobody else's business": Plant(
        windows.test_a_seat_that_comes_and_goes_between_windows_hurts_no_other_seat, Room, "_show_to", anybody_told
    ),
    "who sits down plays from that window": Plant(
        windows.test_who_has_no_seat_may_sit_down_from_any_window_and_plays_from_that_one, Windows, "sit", nothing
    ),
    "who looks on is there": Plant(
        windows.test_whoever_looks_on_in_any_window_is_there, Presence, "go", gone_with_the_first
    ),
    "who has played elsewhere keeps the seat there": Plant(
        windows.test_a_window_that_comes_late_does_not_take_the_seat_from_one_that_has_played,
        Windows,
        "come",
        newest_controls,
    ),
    "a closed window leaves its seat to another": Plant(
        windows.test_when_the_window_that_plays_is_closed_another_one_plays, Windows, "elsewhere", controls_all
    ),
    # Dead sockets are found, slow and loud ones dropped; of views the newest counts, and no answer is lost.
    "a silent socket is found": Plant(
        viewers.test_who_says_nothing_is_dropped_and_who_pings_is_not, viewers_module, "SILENT_MS", 10**9
    ),
    "one that pings is none": Plant(
        viewers.test_who_says_nothing_is_dropped_and_who_pings_is_not, viewers_module, "SILENT_MS", 4_000
    ),
    "a slow socket is dropped": Plant(
        viewers.test_who_takes_nothing_for_long_is_dropped_but_not_for_a_stall_of_the_room,
        viewers_module,
        "SLOW_MS",
        10**9,
    ),
    "a loud socket is closed": Plant(
        viewers.test_a_flood_is_refused_and_then_closed, viewers_module, "PATIENCE", 10**6
    ),
    "old views are not sent": Plant(
        viewers.test_of_waiting_views_only_the_newest_is_sent_and_no_answer_is_lost, Socket, "offer", all_views
    ),
    "no answer is lost": Plant(
        viewers.test_of_waiting_views_only_the_newest_is_sent_and_no_answer_is_lost, Socket, "answer", newest_answer
    ),
}


# -- whoever comes, and comes back, is shown the whole table before anything else is said


def answers_first(socket: Socket) -> bytes | None:
    """What is said beside the table comes before it."""
    if socket._answers:
        return socket._answers.popleft()
    view, socket._view = socket._view, None
    return view


def first_things(sessions: int = 1) -> list[bytes]:
    """What was said first on each socket of a session in which people come and go, some of whom check their cards."""

    async def play(number: int, folder: Path) -> dict[str, list[bytes]]:
        plan = KINDS["people and a bot"].plan._replace(seed=f"first {number}", hands=4)
        async with World(plan).open(folder) as world:
            await Session(world).play()
            return world.told

    found: list[bytes] = []
    for number in range(sessions):
        with tempfile.TemporaryDirectory() as folder:
            told = asyncio.run(play(number, Path(folder)))
        for said in told.values():
            begun = [place for place, each in enumerate(said) if b"websocket.accept" in each]
            found += [said[place + 1] for place in begun]
    return found


def view_first() -> None:
    told = first_things()
    assert len(told) > 10
    assert [each[:60] for each in told if b'{"type":"view"' not in each[:60]] == []


def test_the_first_thing_that_is_said_is_the_whole_table() -> None:
    view_first()


def test_a_room_that_says_something_else_first_is_caught() -> None:
    with patch.object(Socket, "_next", answers_first), pytest.raises(AssertionError):
        view_first()


def hold(test: Callable[..., None], path: Path) -> None:
    """Run the test of a promise."""
    if "path" in test.__code__.co_varnames[: test.__code__.co_argcount]:
        test(path)
    else:
        test()


@pytest.mark.parametrize("promise", PLANTS)
def test_a_room_that_breaks_a_promise_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, promise: str) -> None:
    plant = PLANTS[promise]

    timeout = asyncio.timeout

    def soon(_: float) -> asyncio.Timeout:
        return timeout(1.5)

    monkeypatch.setattr(asyncio, "timeout", soon)  # what never comes is waited for in vain
    with patch.object(plant.where, plant.name, plant.fault), pytest.raises((AssertionError, TimeoutError, KeyError)):
        hold(plant.test, tmp_path / "room.sqlite")


@pytest.mark.parametrize(
    "test", dict.fromkeys(plant.test for plant in PLANTS.values()), ids=lambda test: test.__name__[5:60]
)
def test_without_a_plant_the_promise_is_kept(tmp_path: Path, test: Callable[..., None]) -> None:
    hold(test, tmp_path / "room.sqlite")
