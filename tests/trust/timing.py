"""How long the room takes tells nobody a card: the same work for worlds that differ in what a viewer cannot know.

Two worlds are made that look the same to Bob. What Ann threw away, what she has laid face down or arranged unseen, what
others are yet to be dealt is quite another thing in each: like beside like in the one, well mixed in the other. Bob asks
for something, and the rooms of both handle it, from the bytes he sends to the bytes that everybody is sent. Every
instruction of the room that is executed meanwhile is written down: both have to go the same way, step by step. That is
what `make test` looks at, since it is the same on every machine; likewise, line by line, at whole evenings of
`tests.trust.twins`. Decks are not sealed here, since others would seal another hand.

What goes on inside an instruction, as in a sort, is not seen so. Hence the same is measured in time as well:

    python -m tests.trust.timing --count 10000

handles each thing so often, in fresh rooms of both worlds in an order of chance, and tells Welch's t of the times that the
processor was busy; longer ones are left aside step by step, as an interruption is nobody's card (as in dudect). More than
4.5 is a leak. `--planted` measures rooms that have one, which has to be found.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import secrets
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, cast
from unittest.mock import patch

import msgspec
import structlog

import ananas
from ananas import protocol
from ananas.game.board import Placement
from ananas.game.cards import DECK, Card
from ananas.game.fantasyland import stays
from ananas.game.hand import Hand
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import fouled
from ananas.server import room
from ananas.server.drafts import Drafts
from ananas.server.phrases import Phrases
from ananas.server.room import ALONE, Room, fold
from ananas.server.store import Kept, Store
from ananas.server.time import RoomClock
from ananas.server.viewers import BotSeat, Socket, Thinker, Viewer
from ananas.table import view
from ananas.table.events import AnyEvent, BecameReady, Opened, read_events
from tests.chance import Chance
from tests.table.play import BOARDS, Play, deck, legal, split
from tests.trust.twins import Call, Deed, Plan, Record, Session, World, _again, swaps_of
from tests.trust.virtual import Loop

LEAK: Final = 4.5
"""What is more than this is no chance (as in dudect)."""
CROPS: Final = (1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25)
"""Which part of the times is looked at, the shortest first."""
FEWEST: Final = 30
"""Of fewer times nothing is said."""
WARM: Final = 20
"""So many are handled before anything is measured."""
AGAIN: Final = 4
"""So often running a room handles it, of which the shortest time counts: the least disturbed by whatever else runs."""
SOURCE: Final = str(Path(ananas.__file__).parent)
OWNER: Final = "ann"
ASKS: Final = "bob"
EVE: Final = "eve"

Message = Mapping[str, object]


class Hidden(NamedTuple):
    """A table as its log has it, the deck of its next hand, and what Ann has sent that Bob cannot know."""

    events: bytes
    hidden: bytes
    now: int
    deck: tuple[Card, ...]
    before: tuple[bytes, ...]


class Situation(NamedTuple):
    """Two worlds which Bob cannot tell apart, and what he asks for in them; nothing: somebody else calls for the first time."""

    worlds: tuple[Hidden, Hidden]
    asked: bytes | None


# -- worlds that differ in what Bob cannot know


def _unknown(play: Play) -> list[int]:
    """The places of the deck at which there are cards that Bob knows nothing of, in the hand as it stands; Ann's first."""
    hand, share = play.hand, len(play.hand.deck) // len(play.hand.seats)
    known: set[Card] = set()
    for player, name in enumerate(play.table.players):
        if name == ASKS:  # he will know them before the hand is over
            known |= {*hand.deck[player * share : (player + 1) * share]}
        elif not hand.face_down(player) or hand.over:
            known |= {*hand.boards[player].cards}
            known |= {*hand.dealt(player)} if hand.laid_openly(player) else set()
    anns = play.table.players.index(OWNER)
    unknown = [place for place, card in enumerate(hand.deck) if card not in known]
    return sorted(unknown, key=lambda place: place // share != anns)


def _dealt_anew(cards: Sequence[Card], places: Sequence[int], *, alike: bool) -> tuple[Card, ...]:
    """The deck with the cards of these places in another order: like beside like, or well mixed."""
    free = sorted((cards[place] for place in places), key=(DECK if alike else deck(4711)).index)
    if alike:  # of the ranks of which there are most, then from the highest down: who lays from the bottom up lays well
        many = Counter(card.rank for card in free)
        free.sort(key=lambda card: (-many[card.rank], -card.rank))
    changed = list(cards)
    for place, card in zip(places, free, strict=True):
        changed[place] = card
    return tuple(changed)


Setting = Callable[[Callable[[int], tuple[Card, ...]]], Play]
"""Plays up to where Bob asks for something, with these decks by the number of the hand; always by place, never by card."""


def twins(setting: Setting) -> tuple[Play, Play]:
    """A setting in both worlds."""
    first = setting(deck)
    number, cards, places = first.table.hands, first.hand.deck, _unknown(first)

    def again(*, alike: bool) -> Play:
        changed = _dealt_anew(cards, places, alike=alike)
        return setting(lambda hand: changed if hand == number else deck(hand))

    one, other = again(alike=True), again(alike=False)
    assert one.hand.deck != other.hand.deck
    return one, other


def _to_street(play: Play, street: int, *, laid: bool) -> Play:
    """Lay by place until Bob has to lay this street; `laid`: Ann has laid what she can, else nothing of Fantasyland."""
    for _ in range(60):
        at = play.hand.street_of(play.table.players.index(ASKS))
        bob = ASKS in play.acting and at == street
        waits = OWNER in play.acting and (laid or not any(play.hand.fantasyland))
        if bob and not waits:
            return play
        _lay(play, next(name for name in play.acting if (name != OWNER or waits) and not (name == ASKS and bob)))
    raise AssertionError("Bob has no such street")


def _lay(play: Play, name: str) -> None:
    """Lay by the place at which the cards were dealt: the first ones, from the bottom up."""
    play.now += 700
    player = play.table.players.index(name)
    play.lay(name, str(play.hand.automatic(player, None)))


def _ordinary(street: int) -> Setting:
    def setting(decks: Callable[[int], tuple[Card, ...]]) -> Play:
        play = Play(ROOM, f"{OWNER} {ASKS}", decks=decks)
        play.ready(OWNER, ASKS)
        return _to_street(play, street, laid=True)

    return setting


def _beside_fantasyland(rules: RuleSet, players: str, street: int, *, laid: bool = True) -> Setting:
    """Ann has got into Fantasyland and, where she has `laid`, lies face down; the others lay street by street."""

    def setting(decks: Callable[[int], tuple[Card, ...]]) -> Play:
        play = Play(rules, players, decks=decks)
        boards = {name: BOARDS[name]["in" if name == OWNER else "plain"] for name in players.split()}
        play.scored(**boards)
        play.plan = {}
        play.go_on(*players.split())
        assert play.hand.fantasyland[play.table.players.index(OWNER)]
        return _to_street(play, street, laid=laid)

    return setting


def _before_the_deal(decks: Callable[[int], tuple[Card, ...]]) -> Play:
    play = Play(ROOM, f"{OWNER} {ASKS}", decks=decks)
    play.ready(OWNER, ASKS)
    return play


def _world(play: Play, *before: Message, undealt: bool = False) -> Hidden:
    log = play.log
    if undealt:  # as it was when only Ann was ready
        last = next(place for place, event in enumerate(log) if isinstance(event, BecameReady) and event.seat)
        log = log[:last]
    rows = [split(event) for event in log]
    events = b"[" + b",".join(public for public, _ in rows) + b"]"
    hidden = b"[" + b",".join(secret or b"null" for _, secret in rows) + b"]"
    return Hidden(events, hidden, play.now, play.hand.deck, tuple(map(msgspec.json.encode, before)))


def _confirm(play: Play) -> Message:
    turn, placement = _turn(play, ASKS), play.hand.automatic(play.table.players.index(ASKS), None)
    return {"type": "confirm", "id": "command-of-bob", **turn, "placement": str(placement)}


def _turn(play: Play, name: str) -> Message:
    return {"hand": play.table.hands, "street": play.hand.street_of(play.table.players.index(name))}


def _arranged(play: Play, name: str, choice: int) -> Message:
    """A draft of somebody who acts, by place."""
    placement = legal(play.hand, choice, play.table.players.index(name))
    return {"type": "draft", **_turn(play, name), "placement": str(placement)}


def _situation(
    plays: tuple[Play, Play], asked: Callable[[Play], Message] | None, *before: str, **how: bool
) -> Situation:
    worlds = tuple(_world(play, *(_arranged(play, name, 5) for name in before), **how) for play in plays)
    both = [None if asked is None else msgspec.json.encode(asked(play)) for play in plays]
    assert both[0] == both[1], "Bob asks for something else"
    return Situation(cast("tuple[Hidden, Hidden]", worlds), both[0])


def situations() -> dict[str, Situation]:
    """All that is looked at, by what happens."""
    from_start = ROOM.but({"fantasyland_timing": "from-start"})
    in_the_open = twins(_beside_fantasyland(from_start, "ann bob cyd", 3))
    closed = twins(_beside_fantasyland(ROOM, "ann bob", 3))
    blind = twins(_beside_fantasyland(ROOM, "ann bob", 3, laid=False))
    thrown = twins(_ordinary(3))
    say: Message = {"type": "say", "phrase": "one-moment"}
    ready: Message = {"type": "ready", "id": "command-of-bob", "hand": 1}
    return {
        "a street, after cards were thrown away": _situation(thrown, _confirm),
        "the last street, up to the showdown": _situation(twins(_ordinary(5)), _confirm),
        "a street beside Fantasyland laid face down": _situation(in_the_open, _confirm),
        "the last street before Fantasyland is laid": _situation(
            twins(_beside_fantasyland(ROOM, "ann bob cyd", 5)), _confirm
        ),
        "a street of a closed hand": _situation(closed, _confirm),
        "a street while another arranges Fantasyland": _situation(blind, _confirm, OWNER),
        "a draft": _situation(blind, lambda play: _arranged(play, ASKS, 3), OWNER),
        "a phrase": _situation(in_the_open, lambda _: say),
        "a deal": _situation(twins(_before_the_deal), lambda _: ready, undealt=True),
        "the first view of somebody who calls": _situation(in_the_open, None),
    }


# -- a room that handles it


class _Eye:
    """Somebody who is shown a table, and keeps what he was shown last."""

    proves = False
    lag_ms = 0

    def __init__(self, player: str, came: int) -> None:
        self.player: Final = player
        self.came: Final = came
        self.window: Final = f"window-of-{player}"
        self.told: list[bytes] = []

    def __hash__(self) -> int:  # the room shows its viewers a table in the order in which they lie in a set
        return self.came

    def offer(self, view: bytes) -> None:
        self.told.append(view)

    def answer(self, message: bytes) -> None:
        self.told.append(message)

    def drop(self, code: int) -> None: ...


class _Nowhere:
    """A store that makes ready what it has to write, and does not write it."""

    async def append(
        self, _table: str, version: int, _command: str | None, events: Sequence[AnyEvent], **_: object
    ) -> Kept:
        for event in events:
            public, hidden = split(event)
            sha256(public + (hidden or b"")).digest()
        return Kept(version, again=False)

    async def find(self, *_: object) -> None: ...


def _nothing(*_: object) -> None: ...


def _lot() -> int:
    return 0


class Desk:
    """A room of a world, fresh from its log, in which Bob may ask for something."""

    def __init__(self, situation: Situation, which: int) -> None:
        self._situation: Final = situation
        self._world: Final = situation.worlds[which]
        self._loop: Final = Loop()
        events = read_events(self._world.events, self._world.hidden)
        now, opened = self._world.now + 400, events[0]
        assert isinstance(opened, Opened)
        with self._loop.running():
            clock = RoomClock(wall=lambda: now / 1000, monotonic=lambda: 0.0)
            self._room: Final = Room(
                fold(events), len(events), opened=opened, store=cast("Store", _Nowhere()), clock=clock,
                thinker=cast("Thinker", None), bot_pause=0, helpers=ALONE, sealing=asyncio.Lock(),
            )  # fmt: skip
            self.eyes: Final = [_Eye(player, came) for came, player in enumerate((OWNER, ASKS, "cyd", EVE))]
            for eye in self.eyes[: 3 if situation.asked is None else 4]:
                self._room.join(eye)
            self._room.start()
        self._loop.settle()
        for message in self._world.before:
            self._ask(self.eyes[0], message)
        self._before: Final = self._room.table, self._room.version
        for eye in self.eyes:
            eye.told.clear()

    def _ask(self, eye: _Eye, message: bytes) -> None:
        with self._loop.running():
            asked = protocol.decode(message)
            assert not isinstance(asked, protocol.Ping)
            self._room.ask(eye, asked)
        self._loop.settle()

    def handle(self) -> None:
        """Do what Bob asks for, from the bytes he sends to those that everybody is sent."""
        if self._situation.asked is None:
            with self._loop.running():
                self._room.join(self.eyes[3])
            self._loop.settle()
        else:
            self._ask(self.eyes[1], self._situation.asked)

    def back(self) -> None:
        """Be as before it was asked."""
        self._room.table, self._room.version = self._before
        setattr(self._room, "_phrases", Phrases(self._room._clock))  # noqa: B010 - it is final to all but this
        if self._situation.asked is None:
            with self._loop.running():
                self._room.leave(self.eyes[3])
            self._loop.settle()
        for eye in self.eyes:
            eye.told.clear()

    def told(self) -> tuple[tuple[bytes, ...], ...]:
        """What those were told who have none of the cards that differ: Bob, and who watches."""
        return tuple(tuple(eye.told) for eye in self.eyes if eye.player in {ASKS, EVE})

    def close(self) -> None:
        """Let nothing of it run on."""
        self._room._alarm.set(None)
        self._loop.kill()


@contextmanager
def decks_of(world: Hidden) -> Generator[None]:
    """The room deals this world's deck, and seals none."""

    def shuffle(_: object) -> tuple[Card, ...]:
        return world.deck

    with patch.multiple(room, shuffle=shuffle, lot=_lot, to_be_sealed=_nothing):
        yield


@contextmanager
def desk(situation: Situation, which: int) -> Generator[Desk]:
    """A room of a world, for as long as it is looked at."""
    with decks_of(situation.worlds[which]):
        found = Desk(situation, which)
        try:
            yield found
        finally:
            found.close()


# -- the way it goes


Step = tuple[CodeType, int]
"""An instruction of the room's code, or a line."""
_PLANTED: Final[set[CodeType]] = set()
"""Code of the tests that counts as the room's for a while."""


@contextmanager
def followed(steps: list[Step], *, lines: bool = False) -> Generator[None]:
    """Write down every instruction of the room that is executed meanwhile, or every line."""

    def inside(frame: FrameType, event: str, _: object) -> object:
        if event == ("line" if lines else "opcode"):
            steps.append((frame.f_code, frame.f_lineno if lines else frame.f_lasti))
        return inside

    def enter(frame: FrameType, _event: str, _: object) -> object:
        if not frame.f_code.co_filename.startswith(SOURCE) and frame.f_code not in _PLANTED:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = not lines, lines
        return inside

    before = sys.gettrace()
    gc.disable()  # what is put away by it is put away at any time
    sys.settrace(cast("Any", enter))
    try:
        yield
    finally:
        sys.settrace(before)
        gc.enable()


class Differs(AssertionError):
    """The room went another way in the one world than in the other."""


def way(situation: Situation, which: int) -> tuple[list[Step], tuple[tuple[bytes, ...], ...]]:
    """How the room of a world goes when it handles what is asked, and what Bob and who watches are told."""
    with desk(situation, which) as here:
        steps: list[Step] = []
        with followed(steps):
            here.handle()
        return steps, here.told()


def hold(situation: Situation) -> int:
    """Raise `Differs` where the room goes another way in the other world; gives how many instructions were executed."""
    (one, told), (other, told_there) = way(situation, 0), way(situation, 1)
    assert told == told_there, "Bob can tell the worlds apart"
    assert any(told), "nobody was told anything"
    compare(one, other)
    return len(one)


def compare(one: Sequence[Step], other: Sequence[Step]) -> None:
    """Raise `Differs` where two ways part."""
    if list(one) == list(other):
        return
    place = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    longer = max(one, other, key=len)
    where = longer[min(len(one), len(other))] if place is None else one[place]
    raise Differs(f"{len(one)} and {len(other)} steps, which part at {where[0].co_qualname}")


# -- the way of a whole evening


def _by_name(viewer: Viewer) -> int:
    return hash((viewer.came, viewer.player, viewer.window))


class Followed(World):
    """A world of `tests.trust.twins` in which the room is followed, line by line, while it does each deed."""

    ways: list[tuple[Deed, tuple[Step, ...]]]
    _moment: float

    @asynccontextmanager
    async def open(self, folder: Path) -> AsyncGenerator[Followed]:
        """Open the room, in which viewers lie in sets in the same order every time."""
        self.ways, self._moment = [], asyncio.get_running_loop().time()
        with patch.object(Socket, "__hash__", _by_name), patch.object(BotSeat, "__hash__", _by_name):
            async with super().open(folder):
                yield self

    async def do(self, deed: Deed) -> bytes:
        """Do it, and write down which way the room has gone; no time passes but what the test lets pass."""
        steps: list[Step] = []
        loop = asyncio.get_running_loop()
        with patch.object(loop, "time", lambda: self._moment), followed(steps, lines=True):
            answer = await super().do(deed)
        self.ways.append((deed, tuple(steps)))
        return answer


def hold_evening(plan: Plan, owner: str) -> int:
    """Raise `Differs` where the room goes another way in a twin of an evening, whatever anybody asks.

    Gives how many deeds were followed. What the owner asks over HTTP is told him alone, and may be about his cards.
    """
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        ways: list[list[tuple[Deed, tuple[Step, ...]]]] = []

        async def first() -> tuple[Record, str]:
            async with Followed(plan).open(here / "first") as world:
                record = await Session(world).play()
                ways.append(world.ways)
                return record, world.table_id

        async def second(record: Record, table: str) -> None:
            swaps = swaps_of(record, {owner}, plan.seed)
            async with Followed(plan, record, swaps, {owner}).open(here / "second") as world:
                await _again(world, record, {owner}, swaps, table)
                ways.append(world.ways)

        for name in ("first", "second"):
            (here / name).mkdir()
        record, table = asyncio.run(first())
        asyncio.run(second(record, table))
    held = 0
    for (deed, one), (_, other) in zip(*ways, strict=True):
        if isinstance(deed, Call) and deed.who == owner:
            continue
        try:
            compare(one, other)
        except Differs as differs:
            raise Differs(f"{deed}: {differs}") from None
        held += 1
    return held


# -- the time it takes


def welch(one: Sequence[float], other: Sequence[float]) -> float:
    """Welch's t of two samples: how far apart their means are, by what chance would do.

    >>> round(welch([1.0, 2.0, 3.0], [2.0, 3.0, 4.0]), 3), welch([1.0, 1.0], [1.0, 1.0])
    (-1.225, 0.0)
    """
    means = [math.fsum(times) / len(times) for times in (one, other)]
    spread = math.fsum(
        math.fsum((each - mean) ** 2 for each in times) / (len(times) - 1) / len(times)
        for times, mean in zip((one, other), means, strict=True)
    )
    return (means[0] - means[1]) / math.sqrt(spread) if spread else 0.0


def worst(one: Sequence[float], other: Sequence[float]) -> float:
    """The largest t, whatever part of the longer times is left aside; which are too long is said for both together."""
    together = sorted((*one, *other))
    found: list[float] = []
    for part in CROPS:
        most = together[math.ceil(len(together) * part) - 1]
        kept = [[each for each in times if each <= most] for times in (one, other)]
        if min(map(len, kept)) >= FEWEST:
            found.append(welch(*kept))
    return max(found, key=abs, default=0.0)


def measure(situation: Situation, count: int, seed: str) -> tuple[list[float], list[float]]:
    """How long the processor was busy each time, in microseconds, for both worlds in an order of chance."""
    chance, times = Chance(f"timing {seed}"), cast("tuple[list[float], list[float]]", ([], []))
    gc.collect()
    gc.disable()
    try:
        for number in range(count + WARM):
            which = chance.below(2)
            took: list[int] = []
            with desk(situation, which) as here:
                for _ in range(AGAIN):
                    began = time.process_time_ns()
                    here.handle()
                    took.append(time.process_time_ns() - began)
                    here.back()
            if number >= WARM:
                times[which].append(min(took) / 1000)
            if number % 200 == 199:
                gc.collect()
    finally:
        gc.enable()
    return times


# -- leaks, to be found


def _judge_face_down(sound: Callable[..., Any]) -> Callable[..., Any]:
    """Look whether what lies face down stays in Fantasyland, which nobody needs to know yet."""

    def judge(hand: Hand, *rest: object) -> object:
        for player, board in enumerate(hand.boards):
            if len(board.cards) == 13 and hand.face_down(player) and not hand.over:
                dead = fouled(board, hand.rules)
                _ = not dead and stays(board, hand.rules)
        return sound(hand, *rest)

    return judge


def _look_for_discards(sound: Callable[..., Any]) -> Callable[..., Any]:
    """Look through a deck for each card that was thrown away."""

    def look(hand: Hand, *rest: object) -> object:
        for laid in hand.placements:
            for placement in laid:
                for discard in placement.discards:
                    for card in DECK:
                        if card == discard:
                            break
        return sound(hand, *rest)

    return look


def _order_drafts(sound: Callable[..., Any]) -> Callable[..., Any]:
    """Put the cards of each draft in order, one by one."""

    def order(*given: object) -> object:
        drafts: Mapping[int, Placement] = sound(*given)
        for draft in drafts.values():
            ordered: list[Card] = []
            for card in draft.cards:
                place = len(ordered)
                while place and ordered[place - 1] > card:
                    place -= 1
                ordered.insert(place, card)
        return drafts

    return order


def _order_deck(sound: Callable[..., Any]) -> Callable[..., Any]:
    """Put the deck in order, card by card, to see whether it is whole."""

    def order(rules: RuleSet, cards: Sequence[Card], *rest: object, **named: object) -> object:
        ordered: list[Card] = []
        for card in cards:
            place = len(ordered)
            while place and ordered[place - 1] > card:
                place -= 1
            ordered.insert(place, card)
        return sound(rules, cards, *rest, **named)

    return order


class Plant(NamedTuple):
    """A leak: what is planted in place of what, and in which situation it has to be found."""

    where: object
    name: str
    make: Callable[[Callable[..., Any]], Callable[..., Any]]
    found_in: str


PLANTS: Final = {
    "what lies face down is judged": Plant(
        view, "view_hand", _judge_face_down, "a street beside Fantasyland laid face down"
    ),
    "what was thrown away is looked for": Plant(
        view, "view_hand", _look_for_discards, "the last street before Fantasyland is laid"
    ),
    "what is arranged unseen is put in order": Plant(Drafts, "by_seat", _order_drafts, "a draft"),
    "the deck is put in order": Plant(Hand, "deal", _order_deck, "a deal"),
}


@contextmanager
def planted(name: str) -> Generator[None]:
    """Plant a leak, whose own instructions are the room's meanwhile."""
    where, what, make, _ = PLANTS[name]
    leak = make(getattr(where, what))
    code = cast("Any", leak).__code__
    _PLANTED.add(code)
    try:
        with patch.object(where, what, leak):
            yield
    finally:
        _PLANTED.discard(code)


def main() -> None:
    """Measure every situation so often, and tell which are told apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--count", type=int, default=10_000, help="how often each thing is handled, in both worlds together"
    )
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument(
        "--planted", action="store_true", help="measure rooms with a leak, each of which has to be found"
    )
    options = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    found, wrong = situations(), 0
    plants = list(PLANTS) if options.planted else [None]
    for plant in plants:
        names = list(found) if plant is None else [PLANTS[plant].found_in]
        for name in names:
            with nullcontext() if plant is None else planted(plant):
                one, other = measure(found[name], options.count, f"{options.seed} {name}")
            t = worst(one, other)
            leaks = abs(t) > LEAK
            wrong += leaks is (plant is None)
            usual = statistics.median([*one, *other])
            said = "a leak" if leaks else "the same"
            print(
                f"{plant or name}: {len(one)} and {len(other)} times, about {usual:.0f} us; t {t:+.2f}: {said}",
                flush=True,
            )
    print(f"seed {options.seed}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
