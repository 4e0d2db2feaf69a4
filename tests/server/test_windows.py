"""One window plays a seat: the others look on until one of them takes it over, or the one that plays is closed."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server import room as module
from ananas.server import windows
from ananas.server.room import Room
from ananas.server.viewers import Asked, Viewer
from ananas.server.windows import RETURN_MS, Windows
from tests.server.live import Ear, Live, in_a_room
from tests.server.test_presence import settle

TWO = RuleSet(seats=(2, 2))

ASKED: tuple[Asked, ...] = (
    protocol.Leave(id="command-1"),
    protocol.Ready(id="command-1", hand=1),
    protocol.Confirm(id="command-1", hand=1, street=1, placement="-/-/-"),
    protocol.Break(id="command-1", on=True),
    protocol.Say(phrase="hello"),
    protocol.Draft(hand=1, street=1, placement="-/-/-"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- by itself

_calls = itertools.count()


class Eye:
    """A viewer of which only the window matters."""

    def __init__(self, window: str, player: str | None = "ann") -> None:
        self.player = player
        self.window = window
        self.came = next(_calls)

    def offer(self, view: bytes) -> None: ...

    def answer(self, message: bytes) -> None: ...

    def drop(self, code: int) -> None: ...


def controls(there: Windows, *viewers: Viewer) -> list[bool]:
    return [not there.elsewhere(viewer) for viewer in viewers]


def test_the_first_window_controls_and_the_next_ones_look_on() -> None:
    there, one, two, eve = Windows(), Eye("one"), Eye("two"), Eye("one", "eve")
    for viewer in (one, two, eve):
        there.come(viewer, 0)
    assert controls(there, one, two, eve) == [True, False, True]
    there.take(two)
    assert controls(there, one, two, eve) == [False, True, True]
    assert there.of("ann") == (one, two)


def test_the_same_window_takes_over_from_a_socket_that_may_be_hung() -> None:
    there, hung, again, other = Windows(), Eye("one"), Eye("one"), Eye("two")
    for viewer in (hung, other, again):
        there.come(viewer, 0)
    assert controls(there, hung, again, other) == [False, True, False]
    there.go(hung, 1)
    assert controls(there, again, other) == [True, False]


def test_the_same_window_that_only_looks_on_goes_on_looking() -> None:
    there, one, two, again = Windows(), Eye("one"), Eye("two"), Eye("two")
    for viewer in (one, two, again):
        there.come(viewer, 0)
    assert controls(there, one, two, again) == [True, False, False]


def test_when_the_one_that_controls_is_closed_a_living_one_does() -> None:
    there, hung, one, two, three = Windows(), Eye("one"), Eye("one"), Eye("two"), Eye("three")
    for viewer in (two, three, hung, one):
        there.come(viewer, 0)
    there.take(one)
    there.take(three)
    there.take(one)
    there.go(one, 0)
    assert controls(there, hung, two, three) == [False, False, True]
    there.go(three, 0)
    assert controls(there, hung, two) == [False, True]
    there.go(two, 0)
    assert controls(there, hung) == [True]
    there.go(hung, 0)
    assert (there._open, there._controls, there._claims) == ({}, {}, {})


@pytest.mark.parametrize(
    ("after", "used", "back"),
    [(0, False, True), (RETURN_MS - 1, False, True), (RETURN_MS, False, False), (0, True, False)],
)
def test_a_page_that_is_loaded_again_beside_another_window_has_its_seat_again(
    after: int, used: bool, back: bool
) -> None:
    there, one, two, again = Windows(), Eye("one"), Eye("two"), Eye("one")
    for viewer in (one, two):
        there.come(viewer, 0)
    there.go(one, 1000)
    assert controls(there, two) == [True]
    if used:
        there.take(two)
    there.come(again, 1000 + after)
    assert controls(there, again, two) == [back, not back]


def test_a_call_that_was_given_up_takes_nothing_from_the_next_one_of_its_window() -> None:
    """Who calls has to be looked up: whoever calls twice may be known by the second call first."""
    there, given_up, other, one = Windows(), Eye("one"), Eye("two"), Eye("one")
    for viewer in (other, one):
        there.come(viewer, 0)
    there.take(one)
    there.come(given_up, 1)
    assert controls(there, given_up, one, other) == [False, True, False]
    there.go(given_up, 2)
    assert controls(there, one, other) == [True, False]


def test_of_several_windows_that_are_loaded_again_none_shuts_another_out() -> None:
    """One that never comes back has its claim, and does not keep the one that stood in for it from having one."""
    there, never_back, one, two, again = Windows(), Eye("zero"), Eye("one"), Eye("two"), Eye("one")
    there.come(never_back, 0)
    there.come(one, 0)
    there.go(never_back, 1)
    there.come(two, 2)
    there.go(one, 3)
    assert controls(there, two) == [True]
    there.come(again, 4)
    assert controls(there, again, two) == [True, False]


def test_who_sits_down_from_a_socket_that_is_closed_plays_from_its_window_when_it_is_back() -> None:
    there, two, gone, hung, again = Windows(), Eye("two"), Eye("one"), Eye("one"), Eye("one")
    there.come(two, 0)
    there.come(gone, 0)
    there.go(gone, 1)
    there.sit(gone, 2)
    assert controls(there, two) == [True]
    there.come(again, 3)
    assert controls(there, again, two) == [True, False]
    # And from one that hung, and passes on late what had been asked.
    there.take(two)
    for viewer in (hung, again):
        there.go(viewer, 4)
        there.come(viewer, 4)
    there.sit(hung, 5)
    assert controls(there, hung, again, two) == [False, True, False]


def test_what_nobody_has_opened_takes_nothing() -> None:
    there, one, gone, nobody = Windows(), Eye("one"), Eye("two"), Eye("three", None)
    there.come(one, 0)
    there.come(nobody, 0)
    for viewer in (gone, nobody, Eye("four", "eve")):
        there.take(viewer)
    for viewer in (nobody, Eye("four", "eve")):
        there.sit(viewer, 0)
    there.go(gone, 0)
    there.go(nobody, 0)
    assert controls(there, one, nobody) == [True, True]
    assert there.of(None) == ()


# -- in a room


async def two_windows(live: Live) -> tuple[Ear, Ear, Ear]:
    """Two windows of the one whose turn it is, of which the first plays, and the other player."""
    ears = await live.playing(TWO, "ann", "bob")
    acts, other = sorted(ears, key=lambda ear: "confirm" not in ear.view["may"])
    second = Ear(acts.player, acts.room)
    acts.room.join(second)
    return acts, second, other


def only_one_plays(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, other = await two_windows(live)
        room = acts.room
        assert (acts.elsewhere, second.elsewhere, other.elsewhere) == (False, True, False)
        assert (second.view["may"], second.view["chips"]) == ([], None)
        assert second.mine() == acts.mine()
        second.heard.clear()
        for message in ASKED:
            room.ask(second, message)
        await second.until(lambda: sum("id" in message for message in second.heard) == len(ASKED))
        answers = [message for message in second.heard if "id" in message]
        assert [message.get("code") for message in answers] == len(ASKED) * ["elsewhere"]
        assert [message["id"] for message in answers] == 2 * [None] + 4 * ["command-1"]
        assert (await acts.lay())["type"] == "kept"
        await second.until(lambda: second.version == room.version)
        assert second.elsewhere

    in_a_room(path, body)


def test_only_one_window_plays_a_seat_and_the_others_are_told(path: Path) -> None:
    only_one_plays(path)


class AnyWindow(Windows):
    """Lets everybody play from everywhere."""

    def elsewhere(self, viewer: Viewer) -> bool:
        return False


class FirstForever(Windows):
    """Never lets go of the first window."""

    def take(self, viewer: Viewer) -> None: ...


class NoHeir(Windows):
    """Forgets that somebody may still look on when the one that plays is closed."""

    def go(self, viewer: Viewer, now: int) -> None: ...


class ByWindowAlone(Windows):
    """Takes every socket for a window of its own, so that a hung one stands in the way."""

    def elsewhere(self, viewer: Viewer) -> bool:
        return viewer is not next(iter(self.of(viewer.player)), viewer)


def taken_over(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        for viewer in (acts, second):
            viewer.heard.clear()
        room.ask(second, protocol.TakeOver())
        assert (acts.elsewhere, second.elsewhere) == (True, False)  # at once
        assert acts.view["may"] == []
        assert "confirm" in second.view["may"]
        assert (await acts.ask(protocol.Leave))["code"] == "elsewhere"
        assert (await second.lay())["type"] == "kept"
        room.ask(acts, protocol.TakeOver())
        assert (acts.elsewhere, second.elsewhere) == (False, True)

    in_a_room(path, body)


def test_a_seat_is_taken_over_and_the_other_window_is_told_at_once(path: Path) -> None:
    taken_over(path)


def closed_and_inherited(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        acts.room.leave(acts)
        assert not second.elsewhere
        assert "confirm" in second.view["may"]
        assert (await second.lay())["type"] == "kept"

    in_a_room(path, body)


def test_when_the_window_that_plays_is_closed_another_one_plays(path: Path) -> None:
    closed_and_inherited(path)


def loaded_again(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        again = Ear(acts.player, room, window=acts.window)
        room.join(again)  # the first socket hangs: nobody has noticed yet that it is gone
        assert (acts.elsewhere, again.elsewhere, second.elsewhere) == (True, False, True)
        assert (await again.lay())["type"] == "kept"
        room.leave(acts)
        room.leave(again)
        assert not second.elsewhere
        once_more = Ear(acts.player, room, window=acts.window)
        room.join(once_more)
        assert (once_more.elsewhere, second.elsewhere) == (False, True)

    in_a_room(path, body)


def test_a_page_that_is_loaded_again_plays_on_whatever_became_of_its_last_socket(path: Path) -> None:
    loaded_again(path)


@pytest.mark.parametrize(
    ("fault", "test"),
    [
        (AnyWindow, only_one_plays),
        (FirstForever, taken_over),
        (NoHeir, closed_and_inherited),
        (ByWindowAlone, loaded_again),
    ],
)
def test_a_room_that_knows_no_windows_is_caught(
    path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[Windows], test: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(module, "Windows", fault)
    with pytest.raises(AssertionError):
        test(path)


def kept_before_elsewhere(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        laid = await acts.lay("the-same")  # and nobody hears the answer
        room.leave(acts)
        assert (await second.ask(protocol.Return))["code"] == "nothing-to-undo"
        again = Ear(acts.player, room, window=acts.window)
        room.join(again)
        assert again.elsewhere
        version = room.version
        assert (await again.ask(protocol.Leave, "the-same")) == laid
        assert (await again.ask(protocol.Leave, "another"))["code"] == "elsewhere"
        assert room.version == version

    in_a_room(path, body)


def test_what_had_been_kept_is_answered_so_though_the_seat_is_played_elsewhere_meanwhile(path: Path) -> None:
    kept_before_elsewhere(path)


def test_a_room_that_refuses_what_it_has_kept_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class AtTheDoor(Room):
        def _let_in(self, viewer: Viewer, message: Asked) -> str:
            if self._elsewhere(viewer):
                raise Refused("elsewhere")
            return super()._let_in(viewer, message)

    monkeypatch.setattr(module, "Room", AtTheDoor)
    with pytest.raises(AssertionError):
        kept_before_elsewhere(path)


def test_what_a_hung_socket_passes_on_late_does_no_harm(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, _, _ = await two_windows(live)
        room = acts.room
        again = Ear(acts.player, room, window=acts.window)
        room.join(again)
        laid = await again.lay("the-same")
        assert laid["type"] == "kept"
        assert (await acts.ask(protocol.Leave, "the-same"))["version"] == laid["version"]
        assert (await acts.ask(protocol.Leave, "another"))["code"] == "elsewhere"
        assert not again.elsewhere
        assert again.heard[-1].get("code") is None

    in_a_room(path, body)


def test_what_a_window_asks_last_of_all_is_done_though_it_is_closed_and_another_one_plays(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        room.ask(acts, protocol.Leave(id="command-1"))
        room.leave(acts)
        await second.until(lambda: second.view["seats"][second.view["you"]]["leaving"])

    in_a_room(path, body)


def test_who_sits_down_by_a_socket_that_hung_plays_from_the_one_that_lives(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        hung = await live.come(room, "ann")
        other = Ear("ann", room)
        again = Ear("ann", room, window=hung.window)
        for ear in (other, again):
            room.join(ear)
        assert (await hung.ask(protocol.Sit, "the-same"))["type"] == "kept"
        await again.until(lambda: again.version == room.version)
        assert (hung.elsewhere, again.elsewhere, other.elsewhere) == (True, False, True)
        assert (await again.ask(protocol.Sit, "the-same"))["type"] == "kept"
        assert (await again.ask(protocol.Ready, hand=1))["type"] == "kept"

    in_a_room(path, body)


def test_who_has_no_seat_may_sit_down_from_any_window_and_plays_from_that_one(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        ann = await live.come(room, "ann")
        second = Ear("ann", room)
        room.join(second)
        assert [(each.elsewhere, "sit" in each.view["may"]) for each in (ann, second)] == 2 * [(False, True)]
        assert (await second.ask(protocol.Sit))["type"] == "kept"
        await ann.until(lambda: ann.elsewhere)
        assert not second.elsewhere
        assert (await ann.ask(protocol.Ready, hand=1))["code"] == "elsewhere"
        assert (await second.ask(protocol.Leave))["type"] == "kept"
        await ann.until(lambda: not ann.elsewhere)
        assert "sit" in ann.view["may"]
        assert (await ann.ask(protocol.Sit))["type"] == "kept"
        await second.until(lambda: second.elsewhere)

    in_a_room(path, body)


def test_a_host_without_a_seat_is_the_host_in_every_window(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(TWO)
        for ear in (await live.come(room, "ann"), await live.come(room, "ann")):
            assert (ear.elsewhere, "publish" in ear.view["may"]) == (False, True)
            assert (await ear.ask(protocol.Publish, on=not room.table.public))["type"] == "kept"

    in_a_room(path, body)


def test_whoever_looks_on_in_any_window_is_there(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, _, other = await two_windows(live)
        room, seat = acts.room, acts.view["you"]
        room.leave(acts)
        live.pass_time(30)
        await settle()
        room.show()
        assert other.view["seats"][seat]["connected"]

    in_a_room(path, body)


def test_a_window_that_comes_late_does_not_take_the_seat_from_one_that_has_played(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        room.leave(acts)
        assert (await second.lay())["type"] == "kept"
        again = Ear(acts.player, room, window=acts.window)
        room.join(again)
        assert (again.elsewhere, second.elsewhere) == (True, False)
        room.leave(second)
        assert not again.elsewhere
        room.leave(again)
        live.pass_time(windows.RETURN_MS / 1000)
        await asyncio.sleep(0)
        back = Ear(acts.player, room, window="another-one")
        room.join(back)
        assert not back.elsewhere

    in_a_room(path, body)


def test_a_seat_that_comes_and_goes_between_windows_hurts_no_other_seat(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, other = await two_windows(live)
        room: Room = acts.room
        other.heard.clear()
        for viewer in (second, acts) * 5:
            room.ask(viewer, protocol.TakeOver())
        assert other.heard == []
        assert not acts.elsewhere

    in_a_room(path, body)
