"""`python -m tests.trust.faulty FAULT serve ...` is `ananas serve` with something wrong in it, which a test has to find.

`whole` has nothing wrong with it. `broken` breaks now and then, with words that name cards and secrets.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final
from unittest.mock import patch

import structlog

from ananas import protocol
from ananas.cli.main import main
from ananas.coach import review
from ananas.game.cards import Card, print_cards
from ananas.server import room, store
from ananas.server.room import Room
from ananas.server.viewers import Viewer
from ananas.server.windows import Windows
from ananas.table.state import Table
from ananas.table.view import TableView
from tests.server import coaches

_turns: Final = itertools.count()


def no_first_view() -> list[Any]:
    """Whoever comes is shown the table when something happens at it, and no sooner."""

    def join(here: Room, viewer: Viewer) -> None:
        here._viewers.add(viewer)
        here._presence.come(viewer.player)
        here._windows.come(viewer, here._clock.now())
        here._wake()

    return [patch.object(Room, "join", join)]


def two_controllers() -> list[Any]:
    """A seat is played from every socket there is."""

    def elsewhere(_: Windows, __: Viewer) -> bool:
        return False

    return [patch.object(Windows, "elsewhere", elsewhere)]


def another_seat() -> list[Any]:
    """Whoever comes back is shown the table as one of the others."""
    show = room.view_table  # type: ignore[attr-defined]

    def show_another(table: Table, viewer: str | None, *rest: Any) -> TableView:  # noqa: ANN401
        players = [seat.player for _, seat in table.seated]
        turned = table.laying and viewer in players and next(_turns) % 5 == 0
        view: TableView = show(table, players[0] if turned else viewer, *rest)
        return view

    return [patch.object(room, "view_table", show_another)]


def charged() -> list[Any]:
    """Time runs twenty times as fast as it should, for everybody."""
    now = room.RoomClock.now  # type: ignore[attr-defined]

    def faster(clock: Any) -> int:  # noqa: ANN401
        found: int = now(clock)
        began: int = clock.__dict__.setdefault("began", found)
        return began + 20 * (found - began)

    return [patch.object(room.RoomClock, "now", faster)]  # type: ignore[attr-defined]


def broken() -> list[Any]:
    """Something breaks now and then, and says what it was about."""
    written, keep = Room._written, Room._decide_and_keep

    def words(here: Room) -> str:
        hand, sealed = here.table.hand, here.table.sealed
        return f"{'' if hand is None else print_cards(hand.deck)} {sealed and sealed.master} {hand and hand.deck}"

    def write(here: Room, view: TableView, *, elsewhere: bool) -> bytes:
        if next(_turns) % 97 == 50:
            raise ValueError(words(here))
        return written(here, view, elsewhere=elsewhere)

    async def decide(here: Room, *args: Any) -> Any:  # noqa: ANN401
        turn = next(_turns)
        if turn % 41 == 20 and here.table.laying:
            structlog.get_logger().warning(
                "about to break", words=words(here), table=here.table, error=ValueError(words(here))
            )
            raise ValueError(words(here))
        return await keep(here, *args)

    return [patch.object(Room, "_written", write), patch.object(Room, "_decide_and_keep", decide), *quick_coach()]


def quick_coach() -> list[Any]:
    """The coach answers at once, with something that depends on every byte of what it was told."""
    return [patch.object(review, "judge", coaches.judge), patch.object(review, "hint", coaches.hint)]


def plain_reviews() -> list[Any]:
    """What the coach has said is stored as it is."""

    def plain(body: bytes, *_: bytes) -> bytes:
        return body

    return [patch.object(store, "_covered", plain)]


def shown_discards() -> list[Any]:
    """Everybody is told what the first player of a hand has thrown away."""
    written = Room._written

    def write(here: Room, view: TableView, *, elsewhere: bool) -> bytes:
        told = written(here, view, elsewhere=elsewhere)
        hand = here.table.hand
        thrown = [] if hand is None else [card for laid in hand.placements[0] for card in laid.discards]
        return told[:-1] + f',"thrown":"{print_cards(thrown)}"}}'.encode() if thrown else told

    return [patch.object(Room, "_written", write)]


def logged_masters() -> list[Any]:
    """What decks are made of is logged, past the filter, in another way of writing it."""
    seal = Room._seal

    async def tell(here: Room, *args: Any) -> Any:  # noqa: ANN401
        made = await seal(here, *args)
        sys.stderr.write(f"sealed {' '.join(made.master[place : place + 8] for place in range(0, 64, 8))}\n")
        sys.stderr.write(f"sealed {made.master}\n")
        return made

    return [patch.object(Room, "_seal", tell)]


def stored_discards() -> list[Any]:
    """What is hidden stands beside what everybody may know as well."""
    split, encode = store._split, protocol._encoder

    def both(events: Any) -> tuple[bytes, bytes | None]:  # noqa: ANN401
        _, hidden = split(events)
        return encode.encode(events), hidden

    return [patch.object(store, "_split", both)]


def guessed_discards() -> list[Any]:
    """A hash is kept of each command as it was said, by which its discard can be guessed."""

    def plain(body: bytes, _: bytes | None) -> bytes:
        return body

    return [patch.object(store, "_said", plain)]


def opened_discards() -> list[Any]:
    """Whoever checks his cards is given the means to check others' as well."""
    prove = room._Proofs.of

    def more(proofs: room._Proofs, cards: frozenset[Card]) -> bytes:
        return prove(proofs, cards | {*proofs._dealt.deck[5:17], *proofs._dealt.deck[31:34]})

    return [patch.object(room._Proofs, "of", more)]


FAULTS: Final[dict[str, Callable[[], list[Any]]]] = {
    "whole": list,
    "no-first-view": no_first_view,
    "two-controllers": two_controllers,
    "another-seat": another_seat,
    "charged": charged,
    "broken": broken,
    "quick-coach": quick_coach,
    "plain-reviews": plain_reviews,
    "shown-discards": shown_discards,
    "logged-masters": logged_masters,
    "stored-discards": stored_discards,
    "guessed-discards": guessed_discards,
    "opened-discards": opened_discards,
}


if __name__ == "__main__":
    with ExitStack() as stack:
        for fault in sys.argv.pop(1).split("+"):
            for each in FAULTS[fault]():
                stack.enter_context(each)
        main()
