"""Fifty thousand steps of clients, room and disk in simulated time; see `simulator.py`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

import pytest
from msgspec.structs import replace

import ananas.game.scoring
import ananas.server.time
from ananas import protocol
from ananas.game.hand import in_order
from ananas.game.settlement import Claim, Payment, settle
from ananas.server import room as module
from ananas.server.room import Room
from ananas.server.store import Kept
from ananas.server.viewers import BotSeat, Commanded, Viewer
from ananas.server.windows import Windows
from ananas.table.commands import Command, Confirm, Resume
from ananas.table.events import AnyEvent, TimedOut
from tests.trust import simulator
from tests.trust.double import Double
from tests.trust.simulator import Violation, World, run_world, simulate

Cap = Literal["both", "loser", "none"]
STEPS: Final = 50_000
PARTS: Final = 4
ENOUGH: Final = 100_000
"""Within so many steps any of the faults below is noticed; most of them much earlier, in worlds that meet them by chance."""


@pytest.mark.parametrize("part", range(PARTS))
def test_the_room_keeps_every_promise(part: int) -> None:
    seen = simulate(STEPS // PARTS, f"simulator {part}")
    for what in ("crash", "restart", "stall", "full", "slow", "unsure", "dies-before", "dies-after", "refused", "cut"):
        assert seen[what], (what, seen)
    for what in ("window", "hung", "nonsense", "lag"):
        assert seen[what], (what, seen)
    for what in ("Confirmed", "TimedOut", "AutoPlaced", "HandScored", "Resumed", "Stalled", "HoldBegan", "SeedOpened"):
        assert seen[what], (what, seen)
    assert seen["acknowledged"] > 300


def test_a_world_is_the_same_each_time() -> None:
    once, again = (run_world("twice", 5, 500) for _ in range(2))
    assert once.truth.rows == again.truth.rows
    assert (once.now, once.steps) == (again.now, again.steps)


def test_a_failure_tells_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "_command", lays_something_else)
    with pytest.raises(Violation, match=r"world [0-9]+ of seed 'again', step [0-9]+: ") as first:
        simulate(ENOUGH, "again")
    number = int(str(first.value).split()[1])
    with pytest.raises(Violation) as second:
        simulate(ENOUGH, "again", only=number)
    assert str(second.value) == str(first.value)


# -- planted faults of the store


class TellsBeforeItKeeps(Double):
    """Answers at once and writes a moment later."""

    async def append(self, *args: Any, **more: Any) -> Kept:  # noqa: ANN401
        task = asyncio.get_running_loop().create_task(super().append(*args, **more))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.sleep(0)
        return Kept(args[1], again=False)


class KeepsADuplicateTwice(Double):
    """Writes down what has been written down before."""

    async def append(self, *args: Any, **more: Any) -> Kept:  # noqa: ANN401
        self.disk.versions.pop((args[0], args[2]), None)
        return await super().append(*args, **more)


class TakesAnyBodyForTheSame(Double):
    """Looks at ids alone."""

    def before(self, table_id: str, command_id: str, body: bytes | None) -> int | None:
        return self.disk.versions.get((table_id, command_id))


class ForgetsAnEvent(Double):
    """Does not write down that somebody's time is over."""

    async def append(self, *args: Any, **more: Any) -> Kept:  # noqa: ANN401
        table_id, version, command_id, events = args
        kept: Sequence[AnyEvent] = [event for event in events if not isinstance(event, TimedOut)]
        return await super().append(table_id, version, command_id, kept, **more)


@pytest.mark.parametrize(
    ("store", "promise"),
    [
        (TellsBeforeItKeeps, "before it is kept"),
        (KeepsADuplicateTwice, "a command is in the log once"),
        (TakesAnyBodyForTheSame, "what is acknowledged is what was asked"),
        (ForgetsAnEvent, "the log makes the table there is"),
    ],
)
def test_a_planted_fault_of_the_store_is_noticed(store: type[Double], promise: str) -> None:
    with pytest.raises(Violation, match=promise):
        simulate(ENOUGH, "a", store=store)


def test_a_disk_that_forgets_what_it_has_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = World._after_life

    def forgets(world: World, seconds: float) -> None:
        if world.truth.version > 10:
            world.disk.forget_last(simulator.TABLE)
        ends(world, seconds)

    monkeypatch.setattr(World, "_after_life", forgets)
    with pytest.raises(Violation, match="what is kept stays kept"):
        simulate(ENOUGH)


# -- planted faults of the room

_COMMAND: Final = Room._command
_SHOW_TO: Final = Room._show_to
_KEEP: Final = Room._decide_and_keep
_HEAR: Final = Room._carry_out_asked


async def lays_something_else(room: Room, player: str, message: Commanded) -> Command:
    """Lays the cards of whoever confirms where it likes."""
    command = await _COMMAND(room, player, message)
    hand = room.table.hand
    if isinstance(command, Confirm) and hand is not None and room.table.laying and hand.seats.count(0):
        place = next((place for place in hand.acting if room.table.players[place] == player), None)
        if place is not None:
            cards = hand.dealt(place)[::-1]
            return replace(command, placement=in_order(hand.boards[place], cards, hand.to_lay(place)))
    return command


async def takes_any_turn(room: Room, player: str, message: Commanded) -> Command:
    """Takes a move for the turn that is on, whichever it names."""
    command = await _COMMAND(room, player, message)
    hand = room.table.hand
    if isinstance(command, Confirm) and hand is not None and room.table.laying:
        place = next((place for place in hand.acting if room.table.players[place] == player), None)
        if place is not None:
            fits = sorted(command.placement.cards) == sorted(hand.dealt(place))
            placement = (
                command.placement if fits else in_order(hand.boards[place], hand.dealt(place), hand.to_lay(place))
            )
            street = hand.street_of(place)
            return Confirm(player=player, hand=room.table.hands, street=street, placement=placement)
    return command


async def tells_first(room: Room, viewer: Viewer, message: Commanded | protocol.Draft, *, elsewhere: bool) -> None:
    """Says that it is kept, and then keeps it."""
    if isinstance(message, Commanded):
        viewer.answer(protocol.encode(protocol.Kept(id=message.id, version=room.version + 1)))
    await _HEAR(room, viewer, message, elsewhere=elsewhere)


async def shows_first(room: Room, command: Command, command_id: str | None, body: bytes | None = None) -> Kept:
    """Shows what it is about to keep."""
    room.version += 1
    room.show()
    room.version -= 1
    return await _KEEP(room, command, command_id, body)


def shows_the_last_but_one_too(room: Room, viewers: Iterable[Viewer]) -> None:
    """Sends a view that has been on its way for long after a newer one."""
    viewers = list(viewers)
    _SHOW_TO(room, viewers)
    people = [viewer for viewer in viewers if not isinstance(viewer, BotSeat)]
    before = getattr(room, "_old", None)
    table, version = room.table, room.version
    if before is not None and before[1] < version:
        room.table, room.version = before
        _SHOW_TO(room, people[:1])
        room.table, room.version = table, version
    setattr(room, "_old", (table, version))  # noqa: B010


async def does_nothing_by_itself(_: Room) -> bool:
    """Lets every deadline pass."""
    return False


async def stays_as_it_is(_: Room) -> None:
    """Does not read again what it has not written itself."""


def charges_for_it(*, lost_ms: int) -> Resume:
    return Resume(lost_ms=0)


def charges_half_of_it(*, lost_ms: int) -> Resume:
    return Resume(lost_ms=lost_ms // 2)


def at_any_time(room: Room) -> int:
    """Takes what is asked as of when it came, whatever has been written down since."""
    return room._until if room._asked_at is None else room._asked_at


def plays_from_every_window(_: Windows, __: Viewer) -> bool:
    return False


def pays_twice(claims: Sequence[Claim], stacks: Sequence[int], cap: Cap) -> tuple[tuple[Payment, ...], tuple[int, ...]]:
    payments, after = settle(claims, stacks, cap)
    return payments, (after[0] + payments[0].moved, *after[1:])


FAULTS: Final[Sequence[tuple[object, str, Callable[..., object] | float | property, str]]] = [
    (Room, "_command", lays_something_else, "the log holds what was asked"),
    (Room, "_command", takes_any_turn, "the log holds what was asked"),
    (Room, "_carry_out_asked", tells_first, "nothing is acknowledged before it is kept"),
    (Room, "_decide_and_keep", shows_first, "nothing is shown before it is kept"),
    (Room, "_show_to", shows_the_last_but_one_too, "views do not go back"),
    (Room, "_do_what_is_due", does_nothing_by_itself, "every match ends"),
    (Room, "_reload", stays_as_it_is, "all that is kept|every match ends"),
    (module, "Resume", charges_for_it, "nobody is charged for an outage"),
    (module, "Resume", charges_half_of_it, "nobody is charged for an outage"),
    (ananas.server.time, "STALL_SECONDS", 1e9, "nobody is charged for an outage"),
    (module, "SLOW_MS", 10**9, "nobody is charged for an outage"),
    (Room, "_time", property(at_any_time), "the log's time does not run backwards"),
    (Windows, "elsewhere", plays_from_every_window, "a seat is played from one window"),
    (ananas.game.scoring, "settle", pays_twice, "no chip is made or lost"),
]


@pytest.mark.parametrize(("where", "name", "fault", "promise"), FAULTS)
def test_a_planted_fault_of_the_room_is_noticed(
    where: object, name: str, fault: object, promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    with pytest.raises(Violation, match=promise):
        simulate(ENOUGH)
