"""The coach behind the room: reviews of finished hands, made in the background and kept, and hints.

Each person's review of a hand is his own: it is made out of what he knew, street by street, and told to nobody else.
What belongs here: when a review is made, and where it is kept. What does not: what it says (coach), who asks (`api.py`).
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple, Protocol, cast

import msgspec
import structlog

from ananas.coach.report import HandReview, Hint, StreetReview
from ananas.coach.review import Decision
from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.view import HandView
from ananas.refused import Refused
from ananas.server.archive import Archive
from ananas.server.histories import FinishedHand
from ananas.server.store import NotKept, Store
from ananas.server.workers import Broken, Workers
from ananas.solver.careful import careful
from ananas.solver.placements import Knowledge

COACH: Final = 2
"""Which coach it is; to be raised when its verdicts change, so that kept ones are made anew."""
QUEUE: Final = 200
"""So many reviews wait to be made ahead, the newest first; beyond that the oldest is made when it is asked for."""
AHEAD: Final = 4
"""So many are made ahead at once: those of one hand, so that nobody at its table waits for the others."""
AT_ONCE: Final = 64
"""The most reviews in the making; for one more the oldest that nobody waits for is dropped. Where all are waited for, it is
begun when one of them is ready: were one dropped for it, so that all are begun again and again, none would ever be."""
STREET_SECONDS: Final = 20.0
"""A street that has not been judged by then hangs; on a machine with nothing else to do it takes less than one."""
HINT_SECONDS: Final = 1.0
"""So long the coach thinks about a hint."""
CAREFUL_SECONDS: Final = 5.0
"""What a careful table lays is waited for so long; then it lays in order of receipt."""
HANG_SECONDS: Final = 10.0
"""A hint that is not there by then hangs."""
ASKED_SECONDS: Final = 5.0
"""Whoever has asked within this time still waits."""
GIVEN_UP_SECONDS: Final = 60.0
"""A review that could not be made is not begun again before that."""
NOBODY_WAITS: Final = 100
"""How much less urgent it is what nobody waits for; below it, the first streets go before the last ones."""

_log: Final = structlog.get_logger()
_streets: Final = msgspec.json.Decoder(tuple[StreetReview, ...])


class Coach(Protocol):
    """Who judges: the functions of `ananas.coach.review`; `judge` and `hint` are such as another process can import."""

    def decisions(
        self, hand: Hand, laid: Sequence[tuple[int, int]], seat: int, automatic: Collection[tuple[int, int]] = ()
    ) -> tuple[Decision, ...]:
        """What a seat laid, each time with what it knew."""
        ...

    @property
    def judge(self) -> Callable[[Decision, RuleSet], StreetReview]:
        """Judges one of them."""
        ...

    @property
    def hint(self) -> Callable[[HandView, RuleSet, float], Hint]:
        """Tells what it would lay."""
        ...

    def assemble(
        self,
        hand: Hand,
        seat: int,
        names: Sequence[str],
        streets: Sequence[StreetReview],
        of: int,
        *,
        number: int,
        table: str | None,
        own: bool = True,
    ) -> HandReview:
        """Puts together what has been judged."""
        ...


class _Key(NamedTuple):
    table_id: str
    hand: int
    player: str


class _Making:
    """A review in the making: what has been judged, by the place of the decision; null what has not.

    `of`: how many decisions there are; null until that is known.
    """

    def __init__(self) -> None:
        self.streets: list[StreetReview | None] = []
        self.of: int | None = None
        self.listed: Final = asyncio.Event()
        self.asked_at = -ASKED_SECONDS
        self.task: asyncio.Task[None] | None = None

    @property
    def asked(self) -> bool:
        """Whether somebody waits for it."""
        return time.monotonic() - self.asked_at < ASKED_SECONDS

    @property
    def judged(self) -> tuple[StreetReview, ...]:
        """What can be told: the streets up to the first that has not been judged."""
        found: list[StreetReview] = []
        for street in self.streets:
            if street is None:
                break
            found.append(street)
        return tuple(found)


class Reviews:
    """Reviews of finished hands."""

    def __init__(self, *, store: Store, archive: Archive, workers: Workers, coach: Coach, version: int = COACH) -> None:
        self._store: Final = store
        self._archive: Final = archive
        self._workers: Final = workers
        self._coach: Final = coach
        self._version: Final = version
        self._making: Final[dict[_Key, _Making]] = {}
        self._given_up: Final[dict[_Key, float]] = {}
        self._closed = False
        self._queue: Final[deque[_Key]] = deque(maxlen=QUEUE)
        self._ahead: Final[set[asyncio.Task[None]]] = set()

    # -- in the background

    def dealt(self) -> None:
        """A hand has begun: when it is over, the processes are to be there."""
        self._workers.warm()

    def counted(self, table_id: str, hand: int, players: Sequence[str]) -> None:
        """A hand has been counted: make the reviews of these who played it."""
        self._queue.extend(_Key(table_id, hand, player) for player in reversed(players))
        self._go_on()

    def _go_on(self) -> None:
        """Begin what has waited shortest, as far as there is room."""
        while self._queue and len(self._ahead) < AHEAD and not self._closed:
            task = asyncio.create_task(self._make_ahead(self._queue.pop()))
            self._ahead.add(task)
            task.add_done_callback(self._has_made)

    def _has_made(self, task: asyncio.Task[None]) -> None:
        self._ahead.discard(task)
        self._go_on()

    async def _make_ahead(self, key: _Key) -> None:
        try:
            if await self._store.review(*key, self._version) is not None:
                return
            found, _ = await self._archive.hand(key.table_id, key.hand)
        except (Refused, NotKept) as error:
            _log.warning("a hand is not reviewed ahead", table=key.table_id, hand=key.hand, error=str(error))
            return
        making = self._begin(key, found)
        if making is not None and making.task is not None:
            await asyncio.wait({making.task})

    async def close(self) -> None:
        """Leave what is in the making; it is made when it is asked for."""
        self._closed = True
        tasks = [*self._ahead, *(making.task for making in self._making.values() if making.task is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- for those who ask

    async def review(
        self, share: tuple[str, int, str | None], found: FinishedHand, *, table: str | None
    ) -> Callable[[], HandReview]:
        """What can be said by now of a hand (its table, its number, who played it); made out when it is called.

        `table`: its id for whoever played it; null for those who have a link, and are told of the player.
        What is not kept and not in the making is begun. Raises `Refused`: `not-played`, and `not-kept` where it cannot
        be made.
        """
        table_id, number, player = share
        seat = found.seat_of(player)
        if player is None or seat is None:
            raise Refused("not-played")
        key = _Key(table_id, number, player)
        streets = await self._kept(key) if key not in self._making else None
        of = 0 if streets is None else len(streets)
        if streets is None:
            if time.monotonic() - self._given_up.get(key, -GIVEN_UP_SECONDS) < GIVEN_UP_SECONDS:
                raise Refused("not-kept")
            making = self._begin(key, found)
            if making is None:  # others have come first: nothing has been judged yet
                streets, of = (), len(await self._listed(found, seat))
            else:
                making.asked_at = time.monotonic()
                await making.listed.wait()
                if making.of is None:
                    raise Refused("not-kept")
                streets, of = making.judged, making.of
        return lambda: self._coach.assemble(
            found.hand, seat, found.names, streets, of, number=found.number, table=table, own=table is not None
        )

    async def hint(self, view: HandView, rules: RuleSet) -> Hint:
        """What the coach would lay, by what a seat knows. Raises `Refused`, `no-hint` also on a street it cannot judge."""
        try:
            return await self._workers.do(
                self._coach.hint, view, rules, HINT_SECONDS, limit=HANG_SECONDS, urgent=lambda: -1
            )
        except Broken as why:
            _log.warning("no hint", why=str(why))
            raise Refused("not-kept") from None
        except Refused:  # a street of more cards than can be judged
            raise Refused("no-hint") from None

    async def careful(self, view: HandView, rules: RuleSet, kept: Placement | None) -> Placement | None:
        """What a careful table lays for a seat; None where that could not be worked out."""
        try:
            return await asyncio.wait_for(
                self._workers.do(lay_carefully, view, rules, kept, limit=CAREFUL_SECONDS, urgent=lambda: -2),
                CAREFUL_SECONDS,
            )
        except (Broken, TimeoutError) as why:
            _log.warning("the table lays in order of receipt", why=str(why) or "late")
            return None

    # -- one review

    async def _kept(self, key: _Key) -> tuple[StreetReview, ...] | None:
        body = await self._store.review(*key, self._version)
        if body is None:
            return None
        try:
            return await asyncio.to_thread(lambda: _streets.decode(zlib.decompress(body)))
        except (zlib.error, msgspec.MsgspecError):
            _log.warning("a kept review cannot be read; it is made anew", table=key.table_id, hand=key.hand)
            return None

    def _begin(self, key: _Key, found: FinishedHand) -> _Making | None:
        """The review in the making, begun if it is not yet; None where there is no place for it."""
        if (making := self._making.get(key)) is None and self._has_place():
            new = self._making[key] = _Making()
            new.task = asyncio.create_task(self._make(key, new, found))
            # One that is dropped before it was begun never comes to say so itself.
            new.task.add_done_callback(lambda _: new.listed.set())
            return new
        return making

    def _has_place(self) -> bool:
        """Whether one more can be made; where too many are, the oldest that nobody waits for is dropped."""
        if len(self._making) < AT_ONCE:
            return True
        key = next((key for key, making in self._making.items() if not making.asked), None)
        if key is None:
            return False
        task = self._making.pop(key).task
        if task is not None:
            task.cancel()
        return True

    async def _listed(self, found: FinishedHand, seat: int) -> Sequence[Decision]:
        """The decisions of a hand."""
        return await asyncio.to_thread(self._coach.decisions, found.hand, found.laid, seat, tuple(found.automatic))

    async def _make(self, key: _Key, making: _Making, found: FinishedHand) -> None:
        stays = False
        try:
            seat = found.seat_of(key.player)
            assert seat is not None
            listed = await self._listed(found, seat)
            making.streets, making.of = [None] * len(listed), len(listed)
            making.listed.set()
            async with asyncio.TaskGroup() as group:
                for place, decision in enumerate(listed):
                    group.create_task(self._judge(making, place, decision, found.hand.rules))
            body = await asyncio.to_thread(lambda: zlib.compress(msgspec.json.encode(making.judged)))
            await self._store.keep_review(*key, self._version, body)
        except NotKept as error:
            # Who asks finds it in memory, until others need the place.
            stays = True
            _log.error("a review is not kept", table=key.table_id, hand=key.hand, error=str(error))
        except Exception as error:  # noqa: BLE001
            _log.error("a review is given up", table=key.table_id, hand=key.hand, why=_why(error))
            self._given_up[key] = time.monotonic()
            while len(self._given_up) > AT_ONCE:
                del self._given_up[next(iter(self._given_up))]
        finally:
            making.listed.set()
            if not stays:
                self._forget(key, making)

    def _forget(self, key: _Key, making: _Making) -> None:
        if self._making.get(key) is making:
            del self._making[key]

    async def _judge(self, making: _Making, place: int, decision: Decision, rules: RuleSet) -> None:
        def urgent() -> int:
            return place if making.asked else NOBODY_WAITS + place

        for last in (False, True):
            try:
                making.streets[place] = await self._workers.do(
                    self._coach.judge, decision, rules, limit=STREET_SECONDS, urgent=urgent
                )
            except Broken:
                if last:
                    raise
            else:
                return


def lay_carefully(view: HandView, rules: RuleSet, kept: Placement | None) -> Placement:
    """What a careful table lays for the seat of this view; done in a process of its own."""
    return careful(Knowledge.of_view(view, rules), rules, kept)


def _why(error: BaseException) -> str:
    """What went wrong, without words that might name cards."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return str(error) if isinstance(error, Broken) else type(error).__name__
