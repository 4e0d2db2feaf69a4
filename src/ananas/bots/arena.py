"""Bots against each other, or one alone, over so many hands that their strength can be told from luck.

Every deal is played once in each order of the bots with the same decks, so that luck falls out. A base hand is played
with the Fantasyland hands that follow from it, as a match at a table, and their points are its points. Nothing limits
payments. What belongs here: decks, matches, counting, the division into chunks, the file of finished ones. What does
not: how it is shown.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import multiprocessing
import os
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from itertools import count, permutations
from pathlib import Path
from types import FrameType
from typing import Final, Self

import msgspec

from ananas.bots.bot import Bot
from ananas.bots.named import bot_named
from ananas.bots.outside import PREFIX, OutsideBot
from ananas.game.board import Board, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.scoring import PlayerResult
from ananas.game.view import view_hand
from ananas.refused import Refused

CHUNK: Final = 20
"""How many deals are played at a stretch, by one process; programs are started anew for each stretch."""
FOUL: Final = -6
"""What a dead board counts where a bot plays alone, and"""
ENTRY: Final = 10
"""what an entry does."""
MOST_FAILURES: Final = 10
"""So many failures of a bot in a row end the arena."""
MOST_KEPT: Final = 1_000_000_000
"""A file of finished deals that is larger, in bytes, is none: ten million hands make about a sixth of it."""
_COMPLAINTS: Final = 5
_MOST: Final = 10**12
"""No count of a few deals comes near it."""
_END_SECONDS: Final = 10.0
"""So long a worker may take to end its programs when nobody is there any more."""


class Arena(msgspec.Struct, frozen=True, kw_only=True):
    """What is played: by which bots, with which rules, with the decks of which seed.

    `bots`: their names, or `cmd:` and a command line. `seconds`: how long each may think about a move; a bot that is no
    program keeps to it by itself.
    """

    bots: tuple[str, ...]
    rules: RuleSet
    seed: int = 1
    seconds: float = 60.0

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders of play in which the bots meet the same decks."""
        return tuple(permutations(range(len(self.bots))))

    def check(self) -> None:
        """Raise the `Refused` that tells why this cannot be played, as far as it can be known before."""
        for name in self.bots:
            _bot(name, self.rules)

    def deals(self, hands: int) -> int:
        """How many deals make at least so many base hands."""
        return math.ceil(hands / len(self.orders))


class Tally(msgspec.Struct, kw_only=True):
    """What a bot has come to in some deals.

    `points`: deal by deal, over all its base hands and their Fantasyland; of a bot alone, its value. `hands`: base hands;
    `fouls`, `royalties`, `entries` are counted in these. `fantasylands`: hands laid in Fantasyland, `stays`: those of
    them that keep it there. `timed`, `seconds`: moves, and the time they took. `complaints`: what the first failures were.
    """

    points: list[int] = []
    hands: int = 0
    fouls: int = 0
    royalties: int = 0
    entries: int = 0
    fantasylands: int = 0
    stays: int = 0
    timed: int = 0
    seconds: float = 0.0
    failures: int = 0
    complaints: list[str] = []

    def add(self, other: Tally) -> None:
        """Put the deals of another tally behind these."""
        self.points += other.points
        for name in ("hands", "fouls", "royalties", "entries", "fantasylands", "stays", "timed", "seconds", "failures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.complaints = (self.complaints + other.complaints)[:_COMPLAINTS]

    def result(self, name: str) -> Result:
        """What this means a hand."""
        deals = len(self.points)
        each = self.hands / deals
        return Result(
            name=name,
            hands=self.hands,
            points=sum(self.points) / self.hands,
            error=statistics.stdev(self.points) / each / math.sqrt(deals) if deals > 1 else None,
            fouls=self.fouls / self.hands,
            royalties=self.royalties / self.hands,
            entries=self.entries / self.hands,
            stays=self.stays / self.fantasylands if self.fantasylands else 0.0,
            ms_per_move=1000 * self.seconds / self.timed if self.timed else 0.0,
            failures=self.failures,
        )


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot has come to, a base hand.

    `points`: with those of the Fantasyland hands, and its standard `error`, of the means over the orders of each deal;
    None of a single deal. `fouls`, `entries`: shares of the base hands, `royalties` a base hand. `stays`: the share of the
    hands in Fantasyland that keep it there. `failures`: how often the bot had no answer that could be laid.
    """

    name: str
    hands: int
    points: float
    error: float | None
    fouls: float
    royalties: float
    entries: float
    stays: float
    ms_per_move: float
    failures: int


class GaveUp(Exception):
    """A bot has failed too often in a row."""


# -- playing


def deck(*place: int) -> tuple[Card, ...]:
    """The deck of a place in an arena, always the same one: seed and deal, and which hand after the base hand.

    >>> "".join(deck(1, 0)[:5]), "".join(deck(1, 0, 1)[:5])
    ('7h3c4s3d2s', '6hJhQd7d9s')
    """
    text = " ".join(map(str, place))
    return tuple(sorted(DECK, key=lambda card: hashlib.sha256(f"{text} {card}".encode()).digest()))


class _Player:
    """A bot, and what is counted of it."""

    def __init__(self, name: str, bot: Bot, seconds: float) -> None:
        self.tally: Final = Tally()
        self._name: Final = name
        self._bot: Final = bot
        self._seconds: Final = seconds
        self._failed = 0

    def place(self, hand: Hand, number: int, player: int) -> Placement:
        """What the bot lays, or the table for it where it fails."""
        view = view_hand(hand, number, hand.seats[player], {})
        # A program is timed by the clock on the wall, since it thinks elsewhere; its start is not.
        outside = isinstance(self._bot, OutsideBot)
        clock = time.perf_counter if outside else time.thread_time
        timed = not isinstance(self._bot, OutsideBot) or self._bot.running
        began = clock()
        try:
            placement = self._bot.place(view, self._seconds)
        except Refused as failure:
            self._complain(str(failure))
            return hand.automatic(player, None)
        if timed:
            self.tally.timed += 1
            self.tally.seconds += clock() - began
        self._failed = 0
        return placement

    def close(self) -> None:
        if isinstance(self._bot, OutsideBot):
            self._bot.close()

    def _complain(self, failure: str) -> None:
        self._failed += 1
        self.tally.failures += 1
        if len(self.tally.complaints) < _COMPLAINTS:
            self.tally.complaints.append(failure)
        if self._failed >= MOST_FAILURES:
            raise GaveUp(f"{failure} ({self._failed} failures in a row)")


def play(arena: Arena, first: int, deals: int) -> list[Tally]:
    """Play so many deals, from the first one on; for each bot what it has come to.

    Raises `Refused` where there is no such bot, `GaveUp` where one fails and fails.
    """
    players = [_Player(name, _bot(name, arena.rules), arena.seconds) for name in arena.bots]
    try:
        for deal in range(first, first + deals):
            points = [0] * len(players)
            for order in arena.orders:
                at_seat = [players[bot] for bot in order]
                for bot, won in zip(order, _match(arena, deal, at_seat), strict=True):
                    points[bot] += won
            for player, won in zip(players, points, strict=True):
                player.tally.points.append(won)
    finally:
        for player in players:
            player.close()
    return [player.tally for player in players]


def _match(arena: Arena, deal: int, at_seat: Sequence[_Player]) -> list[int]:
    """A base hand and what follows from it; for each seat its points."""
    seats = tuple(range(len(at_seat)))
    points = [0] * len(seats)
    lays, repeats = (0,) * len(seats), (0,) * len(seats)
    for number in count():
        cards = deck(arena.seed, deal, number) if number else deck(arena.seed, deal)
        results = _hand(_dealt(arena.rules, cards, seats, lays, repeats), number + 1, at_seat)
        for seat, cards_before, result in zip(seats, lays, results, strict=True):
            tally = at_seat[seat].tally
            points[seat] += result.points
            if not number:
                _count(tally, result)
            if cards_before:
                tally.fantasylands += 1
                tally.stays += result.fantasyland > 0
        if len(seats) == 1:
            (alone,) = results
            return [alone.royalties + FOUL * alone.foul + ENTRY * (alone.fantasyland > 0)]
        next_lays = tuple(result.fantasyland for result in results)
        if not any(next_lays):
            break
        repeats = tuple(
            done + 1 if before and then else 0 for before, then, done in zip(lays, next_lays, repeats, strict=True)
        )
        lays = next_lays
        if arena.rules.button_in_fantasyland == "moves":
            seats, lays, repeats = _moved(seats), _moved(lays), _moved(repeats)
    return points


def _count(tally: Tally, result: PlayerResult) -> None:
    tally.hands += 1
    tally.fouls += result.foul
    tally.royalties += result.royalties
    tally.entries += result.fantasyland > 0


def _moved(order: tuple[int, ...]) -> tuple[int, ...]:
    """The order of play when the button goes to the next seat: who was first is last."""
    return order[1:] + order[:1]


def _dealt(
    rules: RuleSet, cards: tuple[Card, ...], seats: tuple[int, ...], lays: tuple[int, ...], repeats: tuple[int, ...]
) -> Hand:
    if len(seats) > 1:
        return Hand.deal(rules, cards, seats, fantasyland=lays, repeats=repeats)
    # Nobody plays alone at a table; here a bot does, and the hand goes its way all the same.
    return Hand(
        rules=rules,
        deck=cards,
        seats=seats,
        stacks=(),
        fantasyland=lays,
        repeats=repeats,
        placements=((),),
        boards=(Board(),),
    )


def _hand(hand: Hand, number: int, at_seat: Sequence[_Player]) -> tuple[PlayerResult, ...]:
    """Play a hand to its end; the results in order of play."""
    while acting := hand.acting:
        # Fantasyland is laid as soon as it may be, as bots do at a table: it does not wait for what others show.
        player = max(acting, key=hand.fantasyland.__getitem__)
        hand = hand.place(player, at_seat[hand.seats[player]].place(hand, number, player))
    assert hand.reckoning is not None
    return hand.reckoning.players


def _bot(name: str, rules: RuleSet) -> Bot:
    """A bot by its name; a program is not shared, and not started yet. Raises `Refused`."""
    return OutsideBot.named(name, rules) if name.startswith(PREFIX) else _shared(name, rules)


@cache
def _shared(name: str, rules: RuleSet) -> Bot:
    return bot_named(name, rules)


# -- many deals, in several processes, some of them done before


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Deals that have been played at a stretch: a line of the file of finished ones."""

    first: int
    deals: int
    tallies: list[Tally]


class NotThisArena(ValueError):
    """A file holds something other than the finished chunks of this arena."""


def run(
    arena: Arena,
    hands: int,
    *,
    processes: int = 2,
    kept: Path | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> list[Tally]:
    """Play at least so many base hands, in whole deals; for each bot what it has come to.

    What comes out depends neither on the number of processes nor on how often it was begun anew. `kept`: a file of
    finished chunks, which are not played again; it may come from fewer or more hands. `tell` is told how many deals of
    how many are done.

    Raises `Refused` and `GaveUp` for bots, `NotThisArena` and `OSError` for the file.
    """
    deals = arena.deals(hands)
    wanted = {first: min(CHUNK, deals - first) for first in range(0, deals, CHUNK)}
    with contextlib.ExitStack() as stack:
        keeper = stack.enter_context(_Keeper(kept, arena)) if kept else None
        found = keeper.found if keeper else []
        done = {chunk.first: chunk for chunk in found if wanted.get(chunk.first) == chunk.deals}
        finished = sum(chunk.deals for chunk in done.values())
        if tell:
            tell(finished, deals)
        missing = [(first, size) for first, size in wanted.items() if first not in done]
        for chunk in _played(arena, missing, processes):
            if keeper:
                keeper.keep(chunk)
            done[chunk.first] = chunk
            finished += chunk.deals
            if tell:
                tell(finished, deals)
    tallies = [Tally() for _ in arena.bots]
    for first in wanted:
        for tally, more in zip(tallies, done[first].tallies, strict=True):
            tally.add(more)
    return tallies


def _chunk(arena: Arena, first: int, deals: int) -> Chunk:
    try:
        return Chunk(first=first, deals=deals, tallies=play(arena, first, deals))
    except Refused as refused:  # which does not come through between processes
        raise GaveUp(str(refused)) from None


def _played(arena: Arena, missing: Sequence[tuple[int, int]], processes: int) -> Iterator[Chunk]:
    """Play the missing chunks, each given as soon as it is done."""
    if min(processes, len(missing)) <= 1:
        yield from (_chunk(arena, first, deals) for first, deals in missing)
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        min(processes, len(missing)), mp_context=multiprocessing.get_context("spawn"), initializer=_begin_work
    )
    try:
        futures: list[Future[Chunk]] = [pool.submit(_work, arena, first, deals) for first, deals in missing]
        for future in as_completed(futures):
            yield future.result()
        pool.shutdown()
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def _begin_work() -> None:
    """In a worker: leave Ctrl-C to the one who reads the answers, end programs when told to end, do not outlive him."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_follow, daemon=True).start()


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would break off the ending of the programs
    sys.exit(1)


def _work(arena: Arena, first: int, deals: int) -> Chunk:
    """In a worker: play a chunk. The pool would take the end for an answer and go on."""
    try:
        return _chunk(arena, first, deals)
    except SystemExit:
        os._exit(1)


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # the main thread ends its programs, then itself
        time.sleep(_END_SECONDS)
        os._exit(1)


def _can_be(chunk: Chunk, arena: Arena) -> bool:
    """Whether a chunk's figures go with each other, as those that were played do."""
    together = [sum(deal) for deal in zip(*(tally.points for tally in chunk.tallies), strict=True)]
    one_alone = len(arena.bots) == 1
    return (
        chunk.first >= 0
        and chunk.first % CHUNK == 0
        and 1 <= chunk.deals <= CHUNK
        and all(_counts(tally, chunk.deals * len(arena.orders)) for tally in chunk.tallies)
        and (one_alone or not any(together))
        and all(sum(tally.points) == _alone(tally) for tally in chunk.tallies if one_alone)
    )


def _counts(tally: Tally, hands: int) -> bool:
    """Whether these are counts of so many base hands."""
    counts = (tally.fouls, tally.royalties, tally.entries, tally.fantasylands, tally.stays, tally.timed, tally.failures)
    return (
        tally.hands == hands
        and all(0 <= count <= _MOST for count in counts)
        and all(abs(points) <= _MOST for points in tally.points)
        and tally.fouls + tally.entries <= hands
        and tally.stays <= tally.fantasylands
        and 0 <= tally.seconds <= _MOST
        and len(tally.complaints) == min(tally.failures, _COMPLAINTS)
    )


def _alone(tally: Tally) -> int:
    return tally.royalties + FOUL * tally.fouls + ENTRY * tally.entries


class _Keeper:
    """The file of finished chunks: a line that says of which arena, then a line for each chunk."""

    def __init__(self, path: Path, arena: Arena) -> None:
        self.found: Final[list[Chunk]] = []
        try:
            head = msgspec.json.encode({"arena": arena}) + b"\n"
        except UnicodeEncodeError:
            raise NotThisArena(f"{path} cannot keep a command line that is not UTF-8") from None
        if path.exists() and not path.is_file():
            raise NotThisArena(f"{path} is no file of an arena")
        self._file: Final = path.open("a+b")
        try:
            self._read(path, head, arena)
        except BaseException:
            self._file.close()
            raise

    def keep(self, chunk: Chunk) -> None:
        """Put a chunk down, so that it need not be played again."""
        self._file.write(msgspec.json.encode(chunk) + b"\n")
        self._file.flush()

    def _read(self, path: Path, head: bytes, arena: Arena) -> None:
        if os.fstat(self._file.fileno()).st_size > MOST_KEPT:
            raise NotThisArena(f"{path} has more than {MOST_KEPT // 1_000_000} MB, and is no file of an arena")
        self._file.seek(0)
        whole = self._file.read()
        lines, _, torn = whole.rpartition(b"\n")
        if not whole or (not lines and head.startswith(torn)):
            self._file.truncate(0)
            self._file.write(head)
            self._file.flush()
            return
        first, *rest = lines.split(b"\n")
        if first + b"\n" != head:
            same = first.startswith(b'{"arena":')
            raise NotThisArena(
                f"{path} belongs to an arena of other bots, rules, seed or seconds"
                if same
                else f"{path} is no file of an arena"
            )
        try:
            self.found.extend(msgspec.json.decode(line, type=Chunk) for line in rest)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise NotThisArena(f"{path} is damaged: {error}") from None
        for chunk in self.found:
            if [len(tally.points) for tally in chunk.tallies] != [chunk.deals] * len(arena.bots):
                raise NotThisArena(f"{path} is damaged: the deals from {chunk.first} on are not whole")
            if not _can_be(chunk, arena):
                raise NotThisArena(
                    f"{path} is damaged: the figures of the deals from {chunk.first} on contradict themselves"
                )
        # What stands behind the last line feed was being written when the arena was stopped.
        self._file.truncate(len(whole) - len(torn))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
