"""One window plays a seat: the others look on until one of them takes it over, or the one that plays is closed."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

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
        self.proves = False
        self.lag_ms = 0

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
    assert (there._open, there._controls) == ({}, {})
    there.go(Eye("one", "eve"), RETURN_MS)
    assert (there._claims, there._away) == ({}, {})


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


@pytest.mark.parametrize("first", ["the one that played", "the other"])
@pytest.mark.parametrize("back", ["the one that played", "the other"])
def test_a_device_whose_network_is_cut_plays_on_in_the_same_window_whichever_is_back_first(
    first: str, back: str
) -> None:
    """Once all was closed, the window that was back first had the seat, and the one that had played was shut out."""
    there, one, two, one_again, two_again = Windows(), Eye("one"), Eye("two"), Eye("one"), Eye("two")
    for viewer in (one, two):
        there.come(viewer, 0)
    for viewer in (one, two) if first == "the one that played" else (two, one):
        there.go(viewer, 1)
    for viewer in (one_again, two_again) if back == "the one that played" else (two_again, one_again):
        there.come(viewer, 2)
    assert controls(there, one_again, two_again) == [True, False]


@pytest.mark.parametrize(
    ("back", "used", "playing"),
    [
        (RETURN_MS - 1, False, [True, False]),
        (RETURN_MS, False, [False, True]),  # not so soon
        (RETURN_MS - 1, True, [False, True]),  # he has played from the other one
    ],
)
def test_a_seat_is_kept_so_long_also_while_nothing_is_open(back: int, used: bool, playing: list[bool]) -> None:
    there, one, again, two = Windows(), Eye("one"), Eye("one"), Eye("two")
    there.come(one, 0)
    there.go(one, 0)
    there.come(two, 1)
    if used:
        there.take(two)
    there.come(again, back)
    assert controls(there, again, two) == playing


def test_a_window_that_only_stood_in_does_not_take_the_seat_from_the_one_it_kept_it_for() -> None:
    """It had a claim of its own, by which it took the seat, when it was loaded again, from the one that was back."""
    there, one, three, two, one_again, two_again = (
        Windows(),
        *(Eye(window) for window in ("one", "three", "two", "one", "two")),
    )
    for viewer in (one, three, two):
        there.come(viewer, 0)
    there.go(one, 1)
    assert controls(there, two, three) == [True, False]
    there.go(two, 2)
    there.come(one_again, 3)
    assert controls(there, one_again, three) == [True, False]
    there.come(two_again, 4)
    assert controls(there, one_again, two_again, three) == [True, False, False]


def test_a_window_of_which_only_a_hung_socket_is_left_for_a_while_has_its_seat_again() -> None:
    """When that one was closed as well, the window that had stood in for it came first, and kept the seat for good."""
    there, hung, other, one, other_again, again = (
        Windows(),
        *(Eye(window) for window in ("one", "two", "one", "two", "one")),
    )
    for viewer in (hung, other, one):
        there.come(viewer, 0)
    for viewer in (one, other, hung):
        there.go(viewer, 1)
    for viewer in (other_again, again):
        there.come(viewer, 2)
    assert controls(there, again, other_again) == [True, False]


def test_what_a_window_has_given_up_takes_nothing_over_from_what_it_has_opened_since() -> None:
    """The hung socket had the seat then, and once it was closed another window did, beside one that lived."""
    there, hung, again, other = Windows(), Eye("one"), Eye("one"), Eye("two")
    for viewer in (hung, other, again):
        there.come(viewer, 0)
    there.take(hung)
    assert controls(there, hung, again, other) == [False, True, False]
    there.take(other)
    there.take(hung)
    assert controls(there, hung, again, other) == [False, False, True]
    there.take(again)
    there.go(hung, 1)
    assert controls(there, again, other) == [True, False]


def test_who_sits_down_and_has_nothing_open_plays_from_that_window_when_it_is_back() -> None:
    there, gone, other, again = Windows(), Eye("one"), Eye("two"), Eye("one")
    there.sit(gone, 1)
    there.come(other, 2)
    there.come(again, 3)
    assert controls(there, again, other) == [True, False]
    there.sit(Eye("one", "eve"), 4)
    there.come(Eye("one", "bob"), 4 + RETURN_MS)
    assert "eve" not in there._claims


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


# -- whatever happens to them


class Promises:
    """What is promised of windows, told by what has happened to them, and not by how that is remembered.

    `owner`: the window he has played from last, in so far as it is open, or has been only just now (`away` until then).
    `stood_in`: windows that have had the seat meanwhile, and until when they may have it again.
    """

    def __init__(self, make: type[Windows]) -> None:
        self.there = make()
        self.now = 0
        self.open: list[Eye] = []
        self.closed: list[Eye] = []
        self.owner: str | None = None
        self.away: int | None = None
        self.stood_in: dict[str, int] = {}

    @property
    def playing(self) -> str | None:
        return next((eye.window for eye in self.open if not self.there.elsewhere(eye)), None)

    def newest(self, window: str) -> Eye | None:
        return next((eye for eye in reversed(self.open) if eye.window == window), None)

    def some(self, number: int) -> Eye | None:
        """A socket that is open, hung ones included, or closed by now."""
        eyes = [*self.open, *self.closed]
        return eyes[number % len(eyes)] if eyes else None

    def come(self, number: int) -> None:
        window, before = ("one", "two", "three")[number % 3], self.playing
        may = before is None or window in self.stood_in or (window == self.owner and self.away is not None)
        if before is None and self.owner is None and not self.stood_in:
            self.owner = window
        if window == self.owner:
            self.away = None
        self.open.append(eye := Eye(window))
        self.there.come(eye, self.now)
        assert may or self.playing == before, "a newcomer has taken the seat"

    def go(self, number: int) -> None:
        if not self.open:
            return
        before = self.playing
        eye = self.open[number % len(self.open)]
        played = not self.there.elsewhere(eye)
        self.open.remove(eye)
        self.closed.append(eye)
        self.there.go(eye, self.now)
        if not played:
            assert self.playing == before, "what did not play has moved the seat when it was closed"
        elif self.playing != eye.window:
            self.stood_in[eye.window] = self.now + RETURN_MS
            if eye.window == self.owner:
                self.away = self.now + RETURN_MS

    def take(self, number: int) -> None:
        if (eye := self.some(number)) is None:
            return
        before = self.playing
        newest = self.newest(eye.window)
        self.there.take(eye)
        if eye is newest:
            self.owner, self.away, self.stood_in = eye.window, None, {}
        else:
            assert self.playing == before, "what came too late has moved the seat"

    def sit(self, number: int) -> None:
        if (eye := self.some(number)) is None:
            return
        self.there.sit(eye, self.now)
        self.owner, self.stood_in = eye.window, {}
        self.away = self.now + RETURN_MS if self.newest(eye.window) is None else None

    def wait(self, number: int) -> None:
        self.now += (1, RETURN_MS // 2, RETURN_MS)[number % 3]
        self.stood_in = {window: until for window, until in self.stood_in.items() if self.now < until}
        if self.away is not None and self.now >= self.away:
            self.owner = self.away = None

    def hold(self) -> None:
        """Raises `AssertionError` where a promise is not kept."""
        playing = [eye for eye in self.open if not self.there.elsewhere(eye)]
        assert len(playing) == bool(self.open), "not exactly one plays"
        for eye in playing:
            assert eye is self.newest(eye.window), "a hung socket plays beside one that lives"
        if self.owner is not None and self.away is None:
            assert self.playing == self.owner, "he has played from another window last"

    def end(self) -> None:
        """Nothing is kept in mind of who is gone."""
        while self.open:
            self.go(0)
            self.hold()
        self.there.go(Eye("one", None), self.now + RETURN_MS)
        there = self.there
        assert (there._open, there._controls, there._claims, there._away) == ({}, {}, {}, {})


Step = tuple[str, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(("come", "come", "come", "go", "go", "go", "take", "sit", "wait")), st.integers(0, 11)),
    max_size=24,
)


def hold_to_the_promises(make: type[Windows], steps: list[Step]) -> None:
    promises = Promises(make)
    for what, number in steps:
        getattr(promises, what)(number)
        promises.hold()
    promises.end()


@given(STEPS)
@settings(max_examples=300)
def test_whatever_happens_to_windows_they_keep_their_promises(steps: list[Step]) -> None:
    hold_to_the_promises(Windows, steps)


class Forgetful(Windows):
    """Keeps nothing in mind of who has closed everything."""

    def go(self, viewer: Viewer, now: int) -> None:
        super().go(viewer, now)
        if viewer.player is not None and not self.of(viewer.player):
            self._claims.pop(viewer.player, None)


class EveryClaim(Windows):
    """Lets whoever has stood in come back as well."""

    def _redeem(self, player: str, window: str, now: int) -> bool:
        return now < self._claims.get(player, {}).pop(window, 0)


class LastUsed(Windows):
    """Takes the socket that was used last, or opened, for the one by which its window plays."""

    def _newest(self, player: str, window: str) -> Viewer | None:
        return next((each for each in reversed(self.of(player)) if each.window == window), None)

    def take(self, viewer: Viewer) -> None:
        if viewer.player is None or viewer not in self.of(viewer.player):
            return
        self._open[viewer.player].remove(viewer)
        self._open[viewer.player].append(viewer)
        super().take(viewer)


class NotFinal(Windows):
    """Keeps the seat for others though he plays from here."""

    def take(self, viewer: Viewer) -> None:
        claims = dict(self._claims)
        super().take(viewer)
        self._claims.update(claims)


@pytest.mark.parametrize("fault", [Forgetful, EveryClaim, LastUsed, NotFinal])
def test_windows_that_break_a_promise_are_found(fault: type[Windows]) -> None:
    @given(STEPS)
    @settings(max_examples=5000, report_multiple_bugs=False, phases=[Phase.generate], database=None)
    def look(steps: list[Step]) -> None:
        hold_to_the_promises(fault, steps)

    with pytest.raises(AssertionError):
        look()


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
        assert (await again.send(acts.sent, "the-same")) == laid
        assert (await again.ask(protocol.Leave, "the-same"))["code"] == "id-reused"
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
        assert (await acts.send(again.sent, "the-same"))["version"] == laid["version"]
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


def test_who_asks_again_to_sit_down_takes_the_seat_from_no_window_that_he_plays_from_by_now(path: Path) -> None:
    """The answer was lost with the socket, so the command is sent again; the seat was moved back by that."""

    async def body(live: Live) -> None:
        room = await live.open(TWO)
        first = await live.come(room, "ann")
        assert (await first.ask(protocol.Sit, "the-same"))["type"] == "kept"
        second = Ear("ann", room)
        room.join(second)
        room.ask(second, protocol.TakeOver())
        room.leave(first)
        again = Ear("ann", room, window=first.window)
        room.join(again)
        assert (await again.ask(protocol.Sit, "the-same"))["type"] == "kept"
        assert (again.elsewhere, second.elsewhere) == (True, False)
        # And where he takes it over while that lies in the mailbox.
        room.ask(again, protocol.TakeOver())
        room.ask(again, protocol.Sit(id="the-same"))
        room.ask(second, protocol.TakeOver())
        assert (await second.ask(protocol.Ready, hand=1))["type"] == "kept"
        await again.until(lambda: again.version == room.version)
        assert (again.elsewhere, second.elsewhere) == (True, False)

    in_a_room(path, body)


def test_a_take_over_that_a_hung_socket_passes_on_late_is_refused_and_moves_nothing(path: Path) -> None:
    async def body(live: Live) -> None:
        acts, second, _ = await two_windows(live)
        room = acts.room
        again = Ear(second.player, room, window=second.window)
        room.join(again)
        room.ask(second, protocol.TakeOver())
        assert second.heard[-1]["code"] == "elsewhere"
        assert (acts.elsewhere, again.elsewhere) == (False, True)
        room.ask(again, protocol.TakeOver())
        room.ask(second, protocol.TakeOver())
        assert (acts.elsewhere, again.elsewhere, second.elsewhere) == (True, False, True)
        room.leave(second)
        assert (acts.elsewhere, again.elsewhere) == (True, False)

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
