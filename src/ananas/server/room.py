"""One live table: ask -> decide -> keep -> evolve -> show; and the tables that are live.

Each table has one mailbox and one task that empties it, so commands never meet. Nothing is acknowledged or shown
before it is kept; what is shown is each viewer's whole view. What belongs here: the order of these steps, and what
happens when one fails. What does not: rules, SQL, sockets.
"""

from __future__ import annotations

import asyncio
import functools
import secrets
import time
import traceback
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

import msgspec
import structlog
from msgspec.structs import replace

from ananas import fair, protocol
from ananas.bots.levels import LEVELS
from ananas.deal import ahead, lot, shuffle
from ananas.game.board import Placement
from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, cards_seen, view_hand
from ananas.refused import Refused
from ananas.server.alarm import Alarm
from ananas.server.drafts import Drafts
from ananas.server.phrases import Phrases
from ananas.server.presence import Presence
from ananas.server.store import BrokenChain, Fenced, IdReused, Kept, NotKept, Store
from ananas.server.time import RoomClock
from ananas.server.viewers import RATE, Asked, BotSeat, Commanded, Thinker, Viewer
from ananas.server.windows import Windows
from ananas.table.clock import deadline, hold_until, turn_ends
from ananas.table.commands import (
    Always,
    Break,
    ChangeRules,
    Command,
    CommitSeed,
    Confirm,
    Deal,
    GoOn,
    Lag,
    Leave,
    Open,
    OpenSeed,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    Return,
    Seal,
    SeatBot,
    Sit,
    SitOut,
    Stall,
    TimeOut,
    TopUp,
    Void,
    Waive,
)
from ananas.table.decide import advance, to_be_dealt
from ananas.table.events import AnyEvent, AutoPlaced, HandDealt, HandScored, Opened, Resumed
from ananas.table.evolve import evolve
from ananas.table.host import break_until
from ananas.table.names import look
from ananas.table.seeds import drawn, hand_id, unsealed
from ananas.table.state import Table, needs_deck, to_be_sealed
from ananas.table.view import Live, TableView, view_seats, view_table, who_notices

MAILBOX: Final = 512
"""The most messages that wait for one table."""
FOR_THE_SEATED: Final = MAILBOX // 2
"""How many of these only people who sit there may send."""
OF_ONE: Final = MAILBOX // 8
"""And how many may be of one and the same, however many windows he has."""
RETRY_MS: Final = 1000
"""How long the room waits before it tries again what the store did not keep."""
SPECTATORS_SECONDS: Final = 0.05
"""Comings and goings of spectators within this time are shown together."""
IDLE_MS: Final = 30_000
"""A table that nobody watches and that waits for nothing is put away after so long."""
FAULTS: Final = 3
"""So often in a row what is due at a table may fail in a way nobody foresaw; then the hand does not count."""
LAG_STEP_MS: Final = 100
"""The log is told of a connection when it has become so much slower or quicker."""
LAG_EVERY_MS: Final = 5000
"""And of the same one no sooner than so long after the last time: whoever echoes as he likes makes no rows with it."""
SLOW_MS: Final = 100
"""Where what is decided takes so long to be kept, nobody is charged for that: nobody can have seen it yet."""
REST_SECONDS: Final = 0.0002
"""So long the thread that seals decks rests after each of them: the loop must not wait for it, and nobody waits for a seal."""
BOTS: Final = tuple(name.title() for name in LEVELS)
"""What the bots of a table are called. A table knows each by its place in this list, so new ones come at the end."""
BOT: Final = "bot:"
"""What the names begin with by which tables know bots; no guest's does."""
RESTARTS: Final = 1012
"""The close code for: the room restarts."""

_OfTheHost = (
    protocol.Break | protocol.Remove | protocol.SeatBot | protocol.PassHost | protocol.ChangeRules | protocol.Publish
)
_BY_ITSELF: Final = (protocol.CommitSeed, protocol.OpenSeed, protocol.Echo)
"""What a window sends without its player's doing anything there: it says nothing about where he plays."""
_Letter = tuple[Viewer, Commanded | protocol.Draft, bool]
"""What lies in a mailbox: who asks, what, and whether he played his seat from another window when he did."""
Careful = Callable[[HandView, RuleSet, Placement | None], Awaitable[Placement | None]]
"""Works out what a careful table lays for a seat: from what it may know, with what it had arranged; None: it cannot."""
_ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_log: Final = structlog.get_logger()


def _rest() -> None:
    time.sleep(REST_SECONDS)


class _Proofs:
    """The means to check the cards of a hand, and which viewer has been told of which cards."""

    def __init__(self, hand: int, dealt: fair.Sealed) -> None:
        self.hand: Final = hand
        self.told: Final[dict[Viewer, set[Card]]] = {}
        self._dealt: Final = dealt
        self._last: tuple[frozenset[Card], bytes] = frozenset(), b""

    def of(self, cards: frozenset[Card]) -> bytes:
        """The message about these cards; several viewers are often told of the same ones."""
        if cards != self._last[0]:
            proof = self._dealt.proof(cards, over=False)
            self._last = cards, protocol.encode(protocol.OpenedCards(proof=proof))
        return self._last[1]


class Helpers(msgspec.Struct, frozen=True, kw_only=True):
    """What a room asks for, or tells, beside its store and its clock; none of it is needed to play.

    `careful`: what the table lays for somebody. `dealt`: a hand with people in it has begun. `counted`: the hand of this
    table with this number has been counted; it was played by these people.
    """

    careful: Careful | None = None
    dealt: Callable[[], None] | None = None
    counted: Callable[[str, int, Sequence[str]], None] | None = None


ALONE: Final = Helpers()
"""A room that asks nobody."""


class Room:
    """One live table; it is served from `start` on.

    `stands_since`: since when the table's time stands still, because the room was away or the store refuses what
    happens here; None while it runs. Nobody is charged for such a time: before anything else is decided, the log has
    to be told how long it was. `opened`: how the table's log begins.
    `sealing`: held by the one room that has decks made ahead.

    What is asked is decided as of the moment at which it reached the room, however long it had to wait there, and what
    is due no further than up to the first that waits. So a time-out never overtakes a move that had come in time.
    """

    def __init__(
        self,
        table: Table,
        version: int,
        stands_since: int | None = None,
        *,
        opened: Opened,
        store: Store,
        clock: RoomClock,
        thinker: Thinker,
        bot_pause: float,
        helpers: Helpers,
        sealing: asyncio.Lock,
    ) -> None:
        self.table = table
        self.version = version
        self.stands_since = stands_since
        self.opened: Final = opened
        self._store: Final = store
        self._clock: Final = clock
        self._thinker: Final = thinker
        self._bot_pause: Final = bot_pause
        self._helpers: Final = helpers
        self._sealing: Final = sealing
        self._viewers: Final[set[Viewer]] = set()
        self._bots: Final[dict[str, BotSeat]] = {}
        self._drafts: Final = Drafts()
        self._phrases: Final = Phrases(clock)
        self._windows: Final = Windows()
        self._presence: Final = Presence(clock.now())
        self._alarm: Final = Alarm(clock, self._wake)
        self._mailbox: Final[asyncio.Queue[_Letter | None]] = asyncio.Queue(MAILBOX)
        self._sitting_down: Final[set[str]] = set()
        self._task: asyncio.Task[None] | None = None
        self._show_soon: asyncio.TimerHandle | None = None
        self._open = True
        self._busy = False
        self._noticed_by: frozenset[str] | None = None
        self._watched_at = clock.now()
        self._stalled_ms = 0
        self._faults = 0
        self._step_began = version
        self._arrivals: Final[deque[int]] = deque()
        self._asked_at: int | None = None
        self._not_before = 0
        self._writing_since: int | None = None
        self._owed: tuple[AnyEvent, ...] = ()
        self._lag_told_at: dict[str, int] = {}
        self._proofs: _Proofs | None = None
        self._seal_ahead: tuple[int, asyncio.Task[Seal]] | None = None
        self._seal_begun = 0
        self._letters: Final[Counter[str]] = Counter()

    # -- life

    def start(self) -> None:
        """Begin to serve the table, its bots first."""
        self._call_bots()
        self._task = asyncio.create_task(self._serve(), name=f"room {self.table.id}")
        self._wake()

    async def stop(self) -> None:
        """Finish the command in hand, and take no more."""
        self._open = False
        self._alarm.set(None)
        if self._show_soon is not None:
            self._show_soon.cancel()
        for bot in self._bots.values():
            bot.drop(RESTARTS)
        self._wake()
        if self._task is not None:
            await self._task
        if self._seal_ahead is not None:
            self._seal_ahead[1].cancel()

    @property
    def due_at(self) -> int | None:
        """The moment at which the room has to do something here by itself."""
        times = (self._table_due_at, self._presence.due_at(self.running))
        return min((time for time in times if time is not None), default=None)

    @property
    def _table_due_at(self) -> int | None:
        """The moment at which the table goes on by itself; a deck that is owed is due at once."""
        return 0 if self._owes_cards(self.table) else deadline(self.running)

    @staticmethod
    def _owes_cards(table: Table) -> bool:
        return needs_deck(table) or to_be_sealed(table) is not None

    @property
    def running(self) -> Table:
        """The table as it runs: as the log has it, and with the time that its last row took to be kept.

        That is told with the next row, since a row of its own would take as long again.
        """
        return fold(self._owed, self.table) if self._owed else self.table

    @property
    def ran_until(self) -> int:
        """Up to when time has run here that may be charged if the room dies now: nobody has seen what still waits."""
        owed = sum(event.lost_ms for event in self._owed if isinstance(event, Resumed))
        waits = (self._writing_since, self._asked_at, self._arrivals[0] if self._arrivals else None)
        return min([self._now, *(since for since in waits if since is not None)]) - owed

    @property
    def _now(self) -> int:
        """The table's time, which may stand still."""
        return self._clock.now() if self.stands_since is None else self.stands_since

    @property
    def _until(self) -> int:
        """Up to when that which is due may be done: what waits to be heard comes before all that is due later."""
        now = self._clock.now()
        return min(now, self._arrivals[0]) if self._arrivals else now

    @property
    def _time(self) -> int:
        """The time of what is decided now, which never runs backwards in a log."""
        return max(self._not_before, self._until if self._asked_at is None else self._asked_at)

    @property
    def idle(self) -> bool:
        """Whether nobody has watched the table for a while and it waits for nothing."""
        return (
            self._viewers == set(self._bots.values())
            and not self._busy
            and self._mailbox.empty()
            and self.due_at is None
            and self._clock.now() - self._watched_at > IDLE_MS
        )

    # -- viewers

    def stalled(self, lost_ms: int) -> None:
        """Tell everybody that the room could do nothing for a while; who plays is told by the log as well."""
        self._stalled_ms += lost_ms
        self.show()
        self._wake()

    def join(self, viewer: Viewer) -> None:
        """Let somebody watch; his first view is offered at once."""
        self._viewers.add(viewer)
        self._presence.come(viewer.player)
        self._windows.come(viewer, self._clock.now())
        if self._seat_of(viewer) is None or self._elsewhere(viewer):
            self._show_to([viewer])
        else:  # it may have taken the seat over from another one
            self._show_to({viewer, *self._windows.of(viewer.player)})
        self._come_or_gone(viewer)

    def leave(self, viewer: Viewer) -> None:
        """Somebody stops watching; his seat, if he has one, stays his."""
        if viewer not in self._viewers:
            return
        self._viewers.discard(viewer)
        if self._proofs is not None:
            self._proofs.told.pop(viewer, None)
        self._watched_at = self._clock.now()
        self._presence.go(viewer.player, self.table, self._watched_at)
        played = self._seat_of(viewer) is not None and not self._elsewhere(viewer)
        self._windows.go(viewer, self._watched_at)
        if played and self._open:
            self._show_to(self._windows.of(viewer.player))
        self._come_or_gone(viewer)

    def _come_or_gone(self, viewer: Viewer) -> None:
        """Let the log be told of the seated, and the others see how many watch."""
        if self._seat_of(viewer) is not None or (viewer.proves and self._proofs is None):
            self._wake()
        if self._seat_of(viewer) is None:
            self._show_spectators()

    def ask(self, viewer: Viewer, message: Asked) -> None:
        """Put something asked into the mailbox; the viewer is answered when it has been carried out or refused.

        What is neither kept nor changes the table is done at once.
        """
        try:
            player = self._let_in(viewer, message)
            elsewhere = self._elsewhere(viewer) and not isinstance(message, protocol.TakeOver)
            if not elsewhere and self._seat_of(viewer) is not None and not isinstance(message, _BY_ITSELF):
                self._windows.take(viewer)
            match message:
                case protocol.TakeOver() if self._elsewhere(viewer):  # his window has called again: this comes too late
                    _refuse(viewer, Refused("elsewhere"), message)
                case protocol.TakeOver():
                    self._show_to(self._windows.of(player))
                case protocol.Echo():
                    if self._seat_of(viewer) is not None:
                        self._wake()
                case protocol.Say():
                    self._phrases.say(self.table, player, message.phrase)
                    self.show()
                case _:
                    self._mailbox.put_nowait((viewer, message, elsewhere))
                    self._letters[player] += 1
                    self._arrivals.append(self._clock.now())
        except Refused as reason:
            _refuse(viewer, reason, message)
        except asyncio.QueueFull:
            _refuse(viewer, Refused("too-fast", rate=RATE), message)

    def _let_in(self, viewer: Viewer, message: Asked) -> str:
        """Refuse at the door what costs the table no thought: strangers must not keep its players waiting.

        Gives who asks.
        """
        player = viewer.player
        if not self._open:
            raise Refused("closing")
        if isinstance(message, protocol.Echo):
            return player or ""
        if player is None:
            raise Refused("not-a-guest")
        if isinstance(message, Commanded | protocol.Draft) and self._letters[player] >= OF_ONE:
            raise Refused("too-fast", rate=RATE)  # what others of his table ask has to find room
        if self.table.seat_of(player) is not None:
            # Of a command it is looked up first whether it had been kept before the seat was taken over.
            if self._elsewhere(viewer) and not isinstance(message, Commanded | protocol.TakeOver):
                raise Refused("elsewhere")
            return player
        if isinstance(message, protocol.TakeOver | protocol.Say):
            raise Refused("not-seated")
        if player == self.table.host:
            return player
        sits = isinstance(message, protocol.Sit)
        if not sits and player not in self._sitting_down and not self._was_here(player):
            raise Refused("not-host" if isinstance(message, _OfTheHost) else "not-seated")
        if self._mailbox.qsize() >= MAILBOX - FOR_THE_SEATED:
            raise Refused("too-fast", rate=RATE)
        if sits:  # what he asks next, before he is answered, is asked by somebody who sits
            self._sitting_down.add(player)
        return player

    def _was_here(self, player: str) -> bool:
        """Whether the log may hold a command of his: he sits here, has sat here, or has opened the table."""
        return self.table.seat_of(player) is not None or player in self.table.gone or player == self.opened.host

    def show(self, players: frozenset[str] | None = None) -> None:
        """Offer everybody, or these players alone, the table as it is now."""
        if players is not None:
            self._show_to(viewer for viewer in self._viewers if viewer.player in players)
            return
        if self._show_soon is not None:
            self._show_soon.cancel()
            self._show_soon = None
        self._show_to(self._viewers)

    def _show_spectators(self) -> None:
        if self._show_soon is None and self._open:
            self._show_soon = asyncio.get_running_loop().call_later(SPECTATORS_SECONDS, self.show)

    def _show_to(self, viewers: Iterable[Viewer]) -> None:
        """Offer these their views; each different one is made and written once."""
        now, live, table = self._now, self._live(), self.running
        seats = view_seats(table, now)
        known = self._seated() | self.table.gone.keys() | {self.table.host}
        tables: dict[str | bool, TableView] = {}
        views: dict[tuple[str | bool, bool], bytes] = {}
        for viewer in list(viewers):
            # Who has never had a part in the table sees the same as all others, but that a guest may sit down.
            player = viewer.player
            kind = player if player is not None and player in known else player is not None
            elsewhere = self._elsewhere(viewer)
            try:
                if kind not in tables:
                    tables[kind] = view_table(table, player, now, live, seats)
                if (kind, elsewhere) not in views:
                    views[kind, elsewhere] = self._written(tables[kind], elsewhere=elsewhere)
                viewer.offer(views[kind, elsewhere])
                self._prove(viewer, tables[kind])
            except Exception as error:  # noqa: BLE001
                report("a view could not be shown", error, table=self.table.id)

    def _written(self, view: TableView, *, elsewhere: bool) -> bytes:
        """A view as it is sent; where the seat is played from another window, nothing may be done in this one."""
        if elsewhere:
            view = replace(view, may=(), chips=None)
        return protocol.encode(protocol.View(version=self.version, view=view, elsewhere=elsewhere))

    def _live(self) -> Live:
        seated = self._seated()
        players = [viewer.player for viewer in self._viewers]
        return Live(
            drafts=self._drafts.by_seat(self.table),
            spectators=sum(player not in seated for player in players),
            said=self._phrases.said(self.table),
        )

    def for_a_hint(self, player: str | None) -> HandView:
        """What the coach may know for a player who may have a hint now. Raises `Refused("no-hint")`."""
        view = view_table(self.running, player, self._now, Live())
        if "hint" not in view.may or view.hand is None:
            raise Refused("no-hint")
        return view.hand

    def _seated(self) -> set[str]:
        return {seat.player for _, seat in self.table.seated}

    def _seat_of(self, viewer: Viewer) -> int | None:
        return None if viewer.player is None else self.table.seat_of(viewer.player)

    def _elsewhere(self, viewer: Viewer) -> bool:
        """Whether his seat is played from another window."""
        return self._seat_of(viewer) is not None and self._windows.elsewhere(viewer)

    # -- bots

    def _call_bots(self) -> None:
        """Let exactly those bots play that have a seat here."""
        seated = [seat.player for _, seat in self.table.seated if seat.bot]
        for player in self._bots.keys() - set(seated):
            bot = self._bots.pop(player)
            bot.drop(RESTARTS)
            self.leave(bot)
        for player in seated:
            if player not in self._bots:
                bot = self._bots[player] = BotSeat(player, self.ask, self._thinker, self._bot_pause)
                self.join(bot)

    def _free_bot(self, wanted: str | None) -> tuple[str, str]:
        """The bot of this name, or the first that could sit down here, and what it is called. Raises `Refused`."""
        names = {look(seat.name) for _, seat in self.table.seated}
        for number, name in enumerate(BOTS):
            if wanted in {None, name.lower()} and look(name) not in names:
                return f"{BOT}{number}", name
        raise Refused("no-bot")

    # -- one command after the other

    def _wake(self) -> None:
        """Let the task look at what is due; with letters in its mailbox it does that by itself."""
        if self._mailbox.empty():
            self._mailbox.put_nowait(None)

    async def _serve(self) -> None:
        while self._open:
            asked = await self._mailbox.get()
            self._busy = True
            try:
                await self._step(asked)
            except Exception as error:  # noqa: BLE001
                report("a step failed", error, table=self.table.id)
                self._set_alarm(retry=True)
            self._busy = False

    async def _step(self, asked: _Letter | None) -> None:
        """Do what one viewer asks, then what is due; show it when all of it is kept."""
        version = self._step_began = self.version
        self._noticed_by = frozenset()
        if asked is not None:
            self._asked_at = self._arrivals.popleft()
            self._letters[asked[0].player or ""] -= 1
            try:
                await self._hear(*asked)
            finally:
                self._asked_at = None
        retry = not await self._do_what_is_due()
        await self._unseal()
        if self.version != version:
            if self._open:
                self._call_bots()
            self.show(self._noticed_by)
        self._set_alarm(retry=retry)

    def _set_alarm(self, *, retry: bool) -> None:
        due = self.due_at
        if self._open:
            self._alarm.set(self._clock.now() + RETRY_MS if retry and due is not None else due)

    async def _hear(self, viewer: Viewer, message: Commanded | protocol.Draft, elsewhere: bool) -> None:  # noqa: FBT001
        try:
            await self._carry_out_asked(viewer, message, elsewhere=elsewhere)
        except Refused as reason:
            _refuse(viewer, reason, message)
        except IdReused:
            _refuse(viewer, Refused("id-reused"), message)
        except Exception as error:  # noqa: BLE001
            report("a command failed", error, table=self.table.id)
            _refuse(viewer, Refused("not-kept"), message)

    async def _carry_out_asked(self, viewer: Viewer, message: Commanded | protocol.Draft, *, elsewhere: bool) -> None:
        """Do it, and tell the viewer that it is kept; raises `Refused`."""
        player = viewer.player
        assert player is not None
        self._sitting_down.discard(player)
        if isinstance(message, protocol.Draft):
            now = self._time if self.stands_since is None else self.stands_since
            in_the_open = self._drafts.put(self.running, player, message, now)
            self._show_to(each for each in self._viewers if in_the_open or each.player == player)
            return
        command_id, sat = f"{player}:{message.id}", self.table.seat_of(player) is not None
        try:
            kept = await self._carry_out_for(player, message, command_id, elsewhere=elsewhere)
        except Refused as reason:
            if reason.code != "not-kept" and not self._was_here(player):
                raise
            # Kept before, as it seems, and no longer possible for that very reason?
            version = await self._store.find(self.table.id, command_id, _digest(message))
            if version is None:
                raise
            if version > self.version:
                await self._reload()
            kept = Kept(version, again=True)
        if isinstance(message, protocol.Sit) and not sat:  # else he may play from another window by now
            self._windows.sit(viewer, self._clock.now())
        viewer.answer(protocol.encode(protocol.Kept(id=message.id, version=kept.version)))
        if kept.again:
            self._show_to([viewer])

    async def _carry_out_for(self, player: str, message: Commanded, command_id: str, *, elsewhere: bool) -> Kept:
        """Do what a player asks, having told that he is there if he was missed. Raises `Refused`."""
        if elsewhere:
            raise Refused("elsewhere")
        if back := self._presence.back(self.table, player):
            await self._carry_out(back, None)
        return await self._carry_out(await self._command(player, message), command_id, _digest(message))

    async def _command(self, player: str, message: Commanded) -> Command:
        """The command that a player's message asks for; who asks is never taken from the message."""
        match message:
            case protocol.Sit():
                guest = await self._store.guest_by_id(player)
                if guest is None:
                    raise Refused("not-a-guest")
                return Sit(player=player, name=guest.name, seat=message.seat, buy_in=message.buy_in)
            case protocol.Leave():
                return Leave(player=player)
            case protocol.Always():
                return Always(player=player, on=message.on)
            case protocol.SitOut():
                return SitOut(player=player)
            case protocol.Ready():
                return Ready(player=player, hand=message.hand, always=message.always)
            case protocol.Return():
                return Return(player=player)
            case protocol.TopUp():
                return TopUp(player=player, to=message.to)
            case protocol.GoOn():
                return GoOn(player=player, hand=message.hand)
            case protocol.Waive():
                return Waive(player=player)
            case protocol.Confirm():
                placement = Placement.parse(message.placement)
                return Confirm(player=player, hand=message.hand, street=message.street, placement=placement)
            case protocol.Break():
                return Break(player=player, on=message.on)
            case protocol.Remove():
                return Remove(player=player, seat=message.seat)
            case protocol.PassHost():
                return PassHost(player=player, seat=message.seat)
            case protocol.Publish():
                return Publish(player=player, on=message.on)
            case protocol.CommitSeed():
                return CommitSeed(player=player, hand=message.hand, commitment=message.commitment)
            case protocol.OpenSeed():
                return OpenSeed(player=player, hand=message.hand, seed=message.seed)
            case protocol.SeatBot() | protocol.ChangeRules() if player != self.table.host:
                raise Refused("not-host")  # whatever else is wrong with it
            case protocol.SeatBot():
                bot, name = self._free_bot(message.bot)
                return SeatBot(player=player, bot=bot, name=name, seat=message.seat)
            case protocol.ChangeRules():
                return ChangeRules(player=player, rules=RuleSet.named(message.rules).but(message.set))

    async def _carry_out(self, command: Command, command_id: str | None, body: bytes | None = None) -> Kept:
        """Decide, keep, and only then be the table that follows. Raises `Refused`, also where it could not be kept."""
        await self._go_on()
        return await self._decide_and_keep(command, command_id, body)

    async def _go_on(self) -> None:
        """Let time run on that stood still. Raises `Refused` where the log cannot be told of it yet."""
        if self.stands_since is None:
            return
        if self._table_due_at is not None:  # else nothing ran that could be charged
            asked_at, self._asked_at = self._asked_at, self._clock.now()
            try:
                await self._decide_and_keep(Resume(lost_ms=self._asked_at - self.stands_since), None)
            finally:
                self._asked_at = asked_at
        self.stands_since = None

    async def _decide_and_keep(self, command: Command, command_id: str | None, body: bytes | None = None) -> Kept:
        now = self._time
        events, table = await self._what_follows(command, now)
        if not events:  # perhaps since it was kept before
            before = None if command_id is None else await self._store.find(self.table.id, command_id, body)
            return Kept(self.version if before is None else before, again=True)
        due_at = now if self._owes_cards(table) else deadline(table)
        row = (*self._owed, *events)
        self._writing_since = now
        try:
            kept = await self._store.append(self.table.id, self.version + 1, command_id, row, due_at=due_at, body=body)
        except NotKept as error:
            if self.stands_since is None:
                self.stands_since = now
            _log.error("not kept", table=self.table.id, error=str(error))
            raise Refused("not-kept") from None
        except Fenced:
            await self._reload()
            raise Refused("not-kept") from None
        finally:
            self._writing_since = None
        if not kept.again:
            new = _begins(self.running, table)
            self.table, self.version = table, kept.version
            self._now_kept(now, owes=new)
            notice = who_notices(table, events)
            known = self._noticed_by
            self._noticed_by = None if notice is None or known is None else known | notice
            self._tell_helpers(events)
            self._note_spent_credit(events)
        elif kept.version > self.version:
            await self._reload()
        return kept

    def _now_kept(self, decided_at: int, *, owes: bool) -> None:
        """Owe everybody the time that it has taken to be kept, if it is worth telling.

        `owes`: whether some time runs by it that did not run before. Else nobody had to see it, and whoever asks much that
        changes nothing would stop his own clock with it.
        """
        now = self._clock.now()
        self._owed, self._not_before = (), decided_at
        if owes and now - decided_at >= SLOW_MS and deadline(self.table) is not None:
            self._owed, _ = advance(self.table, Resume(lost_ms=now - decided_at), now)
            self._not_before = now

    async def _what_follows(self, command: Command, now: int) -> tuple[tuple[AnyEvent, ...], Table]:
        """Decide; where the table lays for somebody and is careful, it lays what has been worked out for it.

        One layout may bring the next seat to its turn, so they are found one after the other.
        """
        layouts, asked = dict[tuple[int, int], Placement](), set[tuple[int, int]]()
        while True:
            events, table = advance(self.running, command, now, layouts)
            wanted = self._wanted_layout(events, asked)
            if wanted is None or self._helpers.careful is None:
                return events, table
            where, view, kept = wanted
            asked.add(where)
            layout = await self._helpers.careful(view, self.table.rules, kept)
            if layout is not None:
                layouts[where] = layout

    def _wanted_layout(
        self, events: Sequence[AnyEvent], asked: set[tuple[int, int]]
    ) -> tuple[tuple[int, int], HandView, Placement | None] | None:
        """The first seat and street that the table lays without having asked: what that seat knows, and had arranged."""
        table = self.running
        if table.rules.auto_layout != "careful":
            return None
        for event in events:
            if isinstance(event, AutoPlaced) and (where := (event.seat, event.street)) not in asked:
                assert table.hand is not None
                assert event.hidden is not None
                kept = None if event.hidden.kept is None else Placement.parse(event.hidden.kept)
                return where, view_hand(table.hand, table.last_dealt, event.seat, {}), kept
            table = evolve(table, event)
        return None

    def _tell_helpers(self, events: Sequence[AnyEvent]) -> None:
        """Let be known that a hand with people in it has begun, or has been counted; nothing here may fail for it."""
        people = [player for player in self.table.players if not player.startswith(BOT)]
        try:
            for event in events:
                if isinstance(event, HandDealt) and people and self._helpers.dealt is not None:
                    self._helpers.dealt()
                elif isinstance(event, HandScored) and people and self._helpers.counted is not None:
                    self._helpers.counted(self.table.id, event.hand, people)
        except Exception as error:  # noqa: BLE001
            report("a helper failed", error, table=self.table.id)

    def _note_spent_credit(self, events: Sequence[AnyEvent]) -> None:
        """Let the operator see whose connection has cost all the time there is for that: often, it may be a lie."""
        if self.table.hand is not None and any(isinstance(event, HandScored) for event in events):
            for number in self.table.hand.seats:
                seat = self.table.seats[number]
                if seat is not None and seat.lag_ms and not seat.credit_ms:
                    _log.warning("a hand's credit for lag is spent", table=self.table.id, seat=number, ms=seat.lag_ms)

    async def _reload(self) -> None:
        """Take the table from the log: a commit that was reported as failed had reached the file after all."""
        _log.warning("the log has gone on", table=self.table.id, version=self.version)
        log = await self._store.load(self.table.id)
        if log is not None:
            if log.version > self.version:
                self._owed = ()  # it has been told with the row that this room did not know of
            self.table, self.version = fold(log.events), log.version
            self._noticed_by = None
            last = log.events[-1]
            self._not_before = max(self._not_before, last.at)
            if self.stands_since is not None and isinstance(last, Resumed):
                self.stands_since = last.at  # the time until then has been told after all

    async def _do_what_is_due(self) -> bool:
        """Tell who has come and gone, give a called hand its deck, carry out what time has decided.

        False where it has to be tried again.
        """
        try:
            await self._go_on()
            while self._open and (due_at := self.due_at) is not None and due_at <= self._until:
                command: Command | None = self._presence.due(self.running, self._until)
                if command is None and (sealed := to_be_sealed(self.table)) is not None:
                    if self.version != self._step_began and not self.table.called:
                        return True  # what has happened is shown first; the alarm rings at once
                    command = await self._seal(sealed)
                elif command is None and needs_deck(self.table):
                    command = await self._deal()
                kept = await self._carry_out(command or TimeOut(drafts=self._drafts.by_seat(self.table)), None)
                if kept.again:
                    _log.error("nothing follows from what is due", table=self.table.id)
                    return False
            self._prepare_seal()
            await self._tell_how_it_goes()
        except Refused:
            return False
        except Exception as error:  # noqa: BLE001
            report("what is due failed", error, table=self.table.id)
            await self._void_after_faults()
            return False
        self._faults = 0
        return True

    async def _tell_how_it_goes(self) -> None:
        """Let the log be told that the room was stalled, and of connections that have become slower or quicker."""
        if lost_ms := self._stalled_ms:
            self._stalled_ms = 0
            await self._carry_out(Stall(lost_ms=lost_ms), None)
        for _, seat in self.table.seated:
            viewer = None if seat.bot else self._windows.controlling(seat.player)
            if viewer is None or abs(viewer.lag_ms - seat.lag_ms) < LAG_STEP_MS:
                continue
            now, told_at = self._clock.now(), self._lag_told_at.get(seat.player)
            if told_at is None or now - told_at >= LAG_EVERY_MS:
                await self._carry_out(Lag(player=seat.player, ms=viewer.lag_ms), None)
                self._lag_told_at = {player: at for player, at in self._lag_told_at.items() if player in self._seated()}
                self._lag_told_at[seat.player] = now

    async def _void_after_faults(self) -> None:
        """Let a hand not count that fails again and again in a way nobody foresaw; else its table would stand for good."""
        self._faults += 1
        if self._faults < FAULTS or not self.table.busy:
            return
        self._faults = 0
        try:
            await self._carry_out(Void(reason="fault"), None)
        except Refused:
            return
        except Exception as error:  # noqa: BLE001
            report("a hand could not be voided", error, table=self.table.id)
            return
        _log.error("a hand was voided", table=self.table.id, hand=self.table.hands)

    # -- the shuffle

    async def _seal(self, hand: int) -> Seal:
        """New decks for a hand, sealed before any player's seed for it exists; most often they have been made ahead."""
        ahead, self._seal_ahead = self._seal_ahead, None
        if ahead is not None:
            if ahead[0] == hand and (ahead[1].done() or self._seal_begun == hand):
                return await ahead[1]
            ahead[1].cancel()  # it still waits for other tables', which are not due yet
        return await self._make_seal(hand)

    async def _make_seal(self, hand: int) -> Seal:
        master, alias = secrets.token_bytes(32), secrets.token_hex(8)
        name = hand_id(self.table.id, hand, alias)
        return Seal(master=master.hex(), root=await asyncio.to_thread(fair.seal, name, master, _rest), alias=alias)

    def _prepare_seal(self) -> None:
        """Make the decks of the next hand while this one is played, so that nobody waits for them when it is over."""
        hand = self.table.hands + 1
        if not self.table.laying or self.table.dealt_from is None or all(seat.bot for _, seat in self.table.seated):
            return
        if self._seal_ahead is None or self._seal_ahead[0] != hand:
            self._seal_ahead = hand, asyncio.create_task(self._in_turn(hand))

    async def _in_turn(self, hand: int) -> Seal:
        async with self._sealing:
            self._seal_begun = hand
            return await self._make_seal(hand)

    async def _deal(self) -> Deal:
        """The deck of a hand that was called, out of those that are sealed, by the seeds of its players."""
        table, sealed = self.table, self.table.sealed
        if sealed is None or sealed.hand != table.hands:  # it was called before this program knew of seals
            return Deal(deck=shuffle(ahead()), lot=lot())
        drawn_lot = drawn(table.id, sealed, table.called)
        seats, fantasyland = to_be_dealt(table, drawn_lot)
        dealt = await asyncio.to_thread(unsealed, table.id, sealed, table.rules, seats, fantasyland)
        return Deal(deck=dealt.deck, lot=drawn_lot)

    async def _unseal(self) -> None:
        """Have the means to check the cards of the hand, if somebody here wants them."""
        table, sealed = self.table, self.table.dealt_from
        if sealed is None or table.hand is None:
            self._proofs = None
            return
        if self._proofs is not None and self._proofs.hand == sealed.hand:
            return
        if any(viewer.proves for viewer in self._viewers):
            hand = table.hand
            dealt = await asyncio.to_thread(unsealed, table.id, sealed, hand.rules, hand.seats, hand.fantasyland)
            self._proofs = _Proofs(sealed.hand, dealt)
            for viewer in self._viewers:
                self._prove(viewer)

    def _prove(self, viewer: Viewer, view: TableView | None = None) -> None:
        """Tell by what the cards can be checked that somebody sees, and has not been told of: no card he does not see."""
        proofs = self._proofs
        if not viewer.proves or proofs is None:
            return
        view = view_table(self.running, viewer.player, self._now, self._live()) if view is None else view
        if view.hand is None or view.hand.number != proofs.hand:
            return
        told = proofs.told.setdefault(viewer, set())
        cards = frozenset(cards_seen(view.hand)) - told
        if cards:
            told |= cards
            viewer.answer(proofs.of(cards))

    async def seat_bots(self, bots: Iterable[str]) -> None:
        """Seat these bots, in this order; before `start`. Raises `Refused`."""
        for wanted in bots:
            player, name = self._free_bot(wanted)
            await self._carry_out(Sit(player=player, name=name, bot=True), None)


def _begins(before: Table, after: Table) -> bool:
    """Whether some time runs after a row that did not run before it, places that are kept for somebody apart."""
    return not _running_times(after) <= _running_times(before)


def _running_times(table: Table) -> set[tuple[str, int, int]]:
    ends = {("turn", number, at) for number, at in turn_ends(table).items()}
    others = {
        "break": table.on_break and break_until(table),
        "hold": hold_until(table),
        "showdown": table.showdown_until,
        "ready": table.ready_by,
        "top-up": table.top_up_by,
        "open": table.open_by,
    }
    return ends | {(what, -1, at) for what, at in others.items() if at}


class Rooms:
    """The live tables, by id. A table is loaded when somebody comes, or when it waits for a moment in time."""

    def __init__(
        self, *, store: Store, clock: RoomClock, thinker: Thinker, bot_pause: float, helpers: Helpers = ALONE
    ) -> None:
        self._store: Final = store
        self._clock: Final = clock
        self._make: Final = functools.partial(
            Room,
            store=store,
            clock=clock,
            thinker=thinker,
            bot_pause=bot_pause,
            helpers=helpers,
            sealing=asyncio.Lock(),
        )
        self._rooms: Final[dict[str, Room]] = {}
        self._loading: Final[dict[str, asyncio.Task[Room]]] = {}
        self._broken: Final[set[str]] = set()
        self._asleep: Final[set[str]] = set()
        self._open = True

    async def start(self) -> None:
        """Wake the tables that were running when the room was last alive; nobody pays for the time since."""
        self._asleep.update(waiting := await self._store.waiting())
        await self.wake()
        if waiting:
            _log.info("tables woken", tables=len(waiting) - len(self._asleep), failed=len(self._asleep))

    async def wake(self) -> None:
        """Load the tables that were running when the room was last alive, as far as they have not been loaded yet."""
        await asyncio.gather(*(self.get(table) for table in self._asleep - self._broken), return_exceptions=True)

    async def stop(self) -> None:
        """Finish what every table has in hand."""
        self._open = False
        await asyncio.gather(*(room.stop() for room in self._rooms.values()))

    @property
    def anything_due(self) -> bool:
        """Whether any table waits for a moment in time."""
        return any(room.due_at is not None for room in self._rooms.values())

    def public_tables(self) -> list[Table]:
        """The live tables that everybody may find and at which people sit: with free seats first, then the newest."""
        found = [
            room
            for room in self._rooms.values()
            if room.table.public and not all(seat.bot for _, seat in room.table.seated)
        ]
        found.sort(key=lambda room: (None not in room.table.seats, -room.opened.at, room.table.id))
        return [room.table for room in found]

    @property
    def alive_at(self) -> int:
        """Up to when time has run at all tables: what is charged if the room dies now, and no more."""
        if self._asleep - self._broken:
            return self._store.alive_at
        return min((room.ran_until for room in self._rooms.values()), default=self._clock.now())

    def stalled(self, lost_ms: int) -> None:
        """Tell every table that the room could do nothing for a while, and show it anew."""
        for room in self._rooms.values():
            room.stalled(lost_ms)

    async def put_idle_away(self) -> None:
        """Forget tables that nobody needs now; they are loaded again when somebody comes."""
        for table_id, room in list(self._rooms.items()):
            if room.idle:
                del self._rooms[table_id]
                await room.stop()

    async def open(
        self, *, name: str, host: str, rules: RuleSet, bots: Iterable[str] = (), public: bool = False
    ) -> Room:
        """Open a new table. Raises `Refused` where it cannot be kept."""
        table_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(12))
        opening = Open(table=table_id, name=name, host=host, rules=rules, public=public)
        events, table = advance(None, opening, self._clock.now())
        try:
            await self._store.append(table_id, 1, None, events, due_at=None)
        except NotKept as error:
            _log.error("not kept", table=table_id, error=str(error))
            raise Refused("not-kept") from None
        room = self._make(table, 1, opened=_opened(events))
        await room.seat_bots(bots)
        return self._begin(room)

    async def get(self, table_id: str) -> Room:
        """The live table with this id, loaded if need be. Raises `Refused`."""
        if not self._open:
            raise Refused("closing")
        if (room := self._rooms.get(table_id)) is not None:
            return room
        if (task := self._loading.get(table_id)) is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id))
        return await asyncio.shield(task)

    async def _load(self, table_id: str) -> Room:
        if table_id in self._broken:
            raise Refused("no-table")
        try:
            log = await self._store.load(table_id)
            if log is None:
                if table_id in self._asleep:  # its name is damaged, and no log is found under it
                    _log.error("a table that waits has no log; see `ananas check`", table=table_id)
                    self._broken.add(table_id)
                raise Refused("no-table")
            table = await asyncio.to_thread(fold, log.events)
        except NotKept as error:
            _log.error("cannot be read", table=table_id, error=str(error))
            raise Refused("not-kept") from None
        except (BrokenChain, ValueError) as error:
            # Whoever plays on with a log that is not what was written plays on with a lie. The others are not hurt.
            _log.error(
                "table put out of play: its log is damaged; see `ananas check`", table=table_id, error=str(error)
            )
            self._broken.add(table_id)
            raise Refused("no-table") from None
        ran_until = max(self._store.alive_at, log.events[-1].at) if table_id in self._asleep else None
        room = self._begin(self._make(table, log.version, ran_until, opened=_opened(log.events)))
        self._asleep.discard(table_id)
        return room

    def _begin(self, room: Room) -> Room:
        if not self._open:
            raise Refused("closing")
        self._rooms[room.table.id] = room
        room.start()
        return room


def fold(events: Iterable[AnyEvent], table: Table | None = None) -> Table:
    """The table that events make, from nothing or from an earlier one. Raises `ValueError` where they cannot."""
    for event in events:
        table = evolve(table, event)
    if table is None:
        raise ValueError("no events, no table")
    return table


def _digest(message: Commanded) -> bytes:
    """What tells a command from another one under the same id."""
    return sha256(msgspec.json.encode(message)).digest()


def _opened(events: Iterable[AnyEvent]) -> Opened:
    return next(event for event in events if isinstance(event, Opened))


def _refuse(viewer: Viewer, reason: Refused, message: Asked) -> None:
    command_id = message.id if isinstance(message, Commanded) else None
    viewer.answer(protocol.encode(protocol.refusal(reason, command_id)))


def report(what: str, error: BaseException, **about: str) -> None:
    """Log where something unexpected happened, without its words: they might name cards.

    Never raises: it is called where a task goes on after a failure, and has to go on.
    """
    with suppress(Exception):
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{frame.filename.rpartition('/ananas/')[2]}:{frame.lineno}" for frame in frames]
        _log.error(what, **about, error=type(error).__name__, where=where)
