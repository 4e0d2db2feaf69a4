"""A bot that plays out futures in hindsight.

For every placement it may make it samples the cards still to come, lays them as well as if all had been known, and
takes the placement that is worth most on average. Before the last draw nothing is sampled: every draw is counted. What
belongs here: what a board is worth to this bot, and how it chooses. It knows its seat's view, and nothing else.

A board is worth its royalties, the lines it should win, and a bonus for a top row that leads to Fantasyland; a dead
board costs what the rules say. All is in points against one opponent. In Fantasyland nothing is left to chance: there
the best board is searched (`fantasyland.py`).
"""

from __future__ import annotations

import hashlib
import math
import time
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations, combinations_with_replacement, islice
from typing import Final

import msgspec

from ananas.bots import fantasyland
from ananas.bots.fantasyland import Worths
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card, Rank, Suit, parse_cards
from ananas.game.fantasyland import entry
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.game.strength import STRENGTHS, strength
from ananas.game.view import HandView, PlayerView

FANTASYLAND: Final = {13: 7.0, 14: 12.0, 15: 17.0, 16: 22.0, 17: 27.0}
"""What Fantasyland is worth by the number of its cards, where royalties are paid; half of it where none are."""

LINE: Final = {"1-6": 1.6, "2-4": 1.3}
"""What a won line is worth beside a tied one: its point, and its part in what several bring."""

SAMPLES: Final = (210, 400, 600)
"""How many futures are played out where eight places or more are free, where five to seven are, and where fewer are."""

MOST: Final = 600
"""Of more ways to lay a street than this only so many are thought about, drawn by lot; of the last street,"""
MOST_AT_LAST: Final = 20_000
"""so many."""

_CUTS: Final = ((60, 60), (30, 30), (15, 15), (8, 8), (3, 4))
"""When one part in so many of the samples is spent, only so many placements are thought about further."""

TENTHS: Final = {
    Row.TOP: ("Qs7h2c", "QsJh3c", "KsTh2c", "KsQh7c", "AsTh8c", "AsKh2c", "7s7h8c", "QsQh2c", "QsQhAc"),
    Row.MIDDLE: (
        *("AsKhTc9d5s", "4s4hAc3d2s", "8s8hQc5d4s", "JsJhAc8d4s", "AsAh6c4d3s"),
        *("3s3h2c2d6s", "7s7h6c6d5s", "JsJh9c9d7s", "5s5h5cKd9s"),
    ),
    Row.BOTTOM: (
        *("5s5h3c3d2s", "TsTh3c3d6s", "KsKh7c7dAs", "9s9h9cQdJs", "Ts9h8c7d6s"),
        *("JsTs8s7s6s", "KsJsTs7s6s", "AsKsTs7s6s", "7s7h7cJdJs"),
    ),
}
"""What rows end as: one in ten is weaker than the first of these, two in ten are weaker than the second, and so on."""

Fillings = list[tuple[int, int]]
"""The ways to fill a row, the strongest first: its strength then, and which of the cards to come it takes, as bits."""


class HindsightBot:
    """A bot that judges a placement by the best boards it could have led to.

    >>> from ananas.game.hand import Hand
    >>> from ananas.game.rules import ROOM
    >>> from ananas.game.view import view_hand
    >>> view = view_hand(Hand.deal(ROOM, DECK, seats=(0, 1)), 1, 0, {})
    >>> str(HindsightBot(ROOM, samples=(1, 1, 1)).place(view, limit=60))
    '-/-/2c3c4c5c6c'

    `samples`: how many futures it plays out, as in `SAMPLES`. Unless `limit` cuts it short, its answer depends on the
    view alone.
    """

    def __init__(self, rules: RuleSet, samples: tuple[int, int, int] = SAMPLES) -> None:
        self._rules: Final = rules
        self._samples: Final = samples

    def place(self, view: HandView, limit: float) -> Placement:
        """Choose a placement within `limit` seconds; raises `ValueError` when the view's seat has no cards to lay."""
        deadline = time.monotonic() + limit
        me = next((player for player in view.players if player.seat == view.you), None)
        if me is None or not me.acting:
            acting = [player.seat for player in view.players if player.acting]
            raise ValueError(f"seat {view.you} has nothing to lay: it is the turn of {acting}")
        judge = _Judge([player.board for player in view.players if player is not me], self._rules, me.fantasyland > 0)
        if me.to_lay == 13:
            return fantasyland.lay(
                me.dealt, (judge.top, judge.middle, judge.bottom), self._rules, self._stay(me), deadline
            )
        chance = hashlib.shake_256(msgspec.json.encode(view)).digest
        placements = _candidates(me.board, me.dealt, me.to_lay, chance)
        boards = [me.board.place(placement) for placement in placements]
        values = self._values(view, me, boards, judge=judge, chance=chance, deadline=deadline)
        return placements[values.index(max(values))]

    def _stay(self, me: PlayerView) -> float:
        """What it is worth to stay in Fantasyland; nothing to one who is not there."""
        if not me.fantasyland or self._rules.fantasyland_repeats == 0:
            return 0.0
        return _fantasyland(self._rules, self._rules.fantasyland_stay_cards)

    def _values(
        self,
        view: HandView,
        me: PlayerView,
        boards: Sequence[Board],
        *,
        judge: _Judge,
        chance: Callable[[int], bytes],
        deadline: float,
    ) -> list[float]:
        """What each of the boards is worth."""
        seen = {*me.dealt, *me.discards, *(card for player in view.players for card in player.board.cards)}
        unseen = [card for card in DECK if card not in seen]
        free = 13 - len(boards[0].cards)
        if free == 0:
            return [judge.value(*map(strength, _rows(board))) for board in boards]
        if free == 1:
            return _over_every_card(boards, unseen, judge)
        if free == 2 and me.street is not None and self._rules.deal[me.street :] == (3,):
            return _over_every_draw(boards, unseen, judge)
        samples = self._samples[0 if free >= 8 else 1 if free >= 5 else 2]
        return _in_hindsight(boards, _futures(unseen, free, samples, chance), samples, judge, deadline)


def _candidates(board: Board, dealt: Sequence[Card], laid: int, chance: Callable[[int], bytes]) -> list[Placement]:
    """The placements worth a thought: all that are promising; where there are too many, some by lot."""
    most = MOST if len(board.cards) + laid < 13 else MOST_AT_LAST
    found = list(islice(_placements(board, dealt, laid), most + 1))
    if len(found) > most:
        found = list(_some_placements(board, dealt, laid, most, chance))
    if not board.cards and laid == 5:
        found = [placement for placement in found if _promising(placement)]
    return found


def _placements(board: Board, dealt: Sequence[Card], laid: int) -> Iterator[Placement]:
    """Every way to lay so many of the cards dealt and to throw the others away; lower rows come first."""
    goes: list[Row | None] = []
    room: dict[Row | None, int] = {row: board.room(row) for row in reversed(ROWS)}
    room[None] = len(dealt) - laid

    def go_on(to_lay: int) -> Iterator[Placement]:
        if len(goes) == len(dealt):
            yield _placement(dealt, goes)
            return
        for row, left in room.items():
            lays = row is not None
            if left and to_lay >= lays:
                room[row] -= 1
                goes.append(row)
                yield from go_on(to_lay - lays)
                goes.pop()
                room[row] += 1

    return go_on(laid)


def _some_placements(
    board: Board, dealt: Sequence[Card], laid: int, count: int, chance: Callable[[int], bytes]
) -> Iterator[Placement]:
    """So many ways to lay a street, as `chance` has it."""
    places: list[Row | None] = [row for row in ROWS for _ in range(board.room(row))]
    numbers = iter(memoryview(chance(4 * (len(places) + len(dealt)) * count)).cast("I"))
    for _ in range(count):
        rows = _drawn(places, laid, numbers)
        yield _placement(dealt, _drawn([*rows, *[None] * (len(dealt) - laid)], len(dealt), numbers))


def _drawn(things: Sequence[Row | None], count: int, numbers: Iterator[int]) -> list[Row | None]:
    """So many of the things, in an order by lot."""
    drawn = list(things)
    for place in range(count):
        chosen = place + next(numbers) % (len(drawn) - place)
        drawn[place], drawn[chosen] = drawn[chosen], drawn[place]
    return drawn[:count]


def _placement(dealt: Sequence[Card], goes: Sequence[Row | None]) -> Placement:
    return Placement(
        *(tuple([card for card, row in zip(dealt, goes, strict=True) if row is where]) for where in (*ROWS, None))
    )


def _promising(start: Placement) -> bool:
    """Whether the first five cards may be laid so; other ways are hardly ever best, and judging them costs time."""
    pair = len(start.top) == 2 and start.top[0].rank is start.top[1].rank
    return (len(start.top) <= 1 or pair) and len(start.middle) <= 3 and len(start.bottom) >= 1


def _rows(board: Board) -> tuple[tuple[Card, ...], ...]:
    return board.top, board.middle, board.bottom


# -- what a board is worth


class _Judge:
    """What full boards are worth, beside the boards of others as far as these lie open."""

    def __init__(self, others: Sequence[Board], rules: RuleSet, inside: bool = False) -> None:  # noqa: FBT001, FBT002
        self.foul: Final = -float(rules.foul_points)
        self.strict: Final = rules.equality == "strict"
        alive = [board for board in others if not (board.full and fouled(board, rules))]
        top, middle, bottom = (
            _worths(row, tuple(None if board.room(row) else strength(board.row(row)) for board in alive), rules, inside)
            for row in ROWS
        )
        self.top, self.middle, self.bottom = top[0], middle[0], bottom[0]
        self.most_top, self.most_middle, self.most_bottom = top[1], middle[1], bottom[1]

    def ordered(self, top: int, middle: int, bottom: int) -> bool:
        """Whether rows of these strengths make no dead board."""
        return top < middle < bottom if self.strict else top <= middle <= bottom

    def value(self, top: int, middle: int, bottom: int) -> float:
        """What a full board is worth, by the strengths of its rows."""
        if not self.ordered(top, middle, bottom):
            return self.foul
        return self.top[top] + self.middle[middle] + self.bottom[bottom]


@lru_cache(maxsize=64)
def _worths(row: Row, against: tuple[int | None, ...], rules: RuleSet, inside: bool) -> tuple[Worths, Worths]:  # noqa: FBT001
    """What a row is worth by its strength: its royalty, its line, and on top the bonus for Fantasyland.

    Beside it, what a row of that strength or a weaker one is worth at most: a table of one's own may pay weaker rows more.
    `against`: the strengths of the others' rows, None where one is not full. `inside`: the board lies in Fantasyland,
    where queens on top bring nothing.
    """
    royalties, typical = _alone(row, rules)
    unknown = against.count(None) if against else 1
    lines = [unknown * line for line in typical]
    for his in against:
        if his is not None:
            lines = [line - 1 for line in lines[:his]] + lines[his : his + 1] + [line + 1 for line in lines[his + 1 :]]
    lines = [line / max(1, len(against)) for line in lines]
    if rules.royalties == "line-winner":
        royalties = [royalty * (line + 1) / 2 for royalty, line in zip(royalties, lines, strict=True)]
    worths = [royalty + LINE[rules.scoring] * line for royalty, line in zip(royalties, lines, strict=True)]
    if row is Row.TOP and not inside:
        for made, cards in _entries(rules).items():
            worths[made] += _fantasyland(rules, cards)
    return worths, list(accumulate(worths, max))


@lru_cache(maxsize=64)
def _alone(row: Row, rules: RuleSet) -> tuple[list[float], list[float]]:
    """By the strength of a row: its royalty, and its line against a row unknown, from -1 to 1."""
    tenths = [strength(parse_cards(text)) for text in TENTHS[row]]
    paid = rules.royalties != "none"
    royalties = [float(royalty(row, mine, rules.royalty_table)) if paid else 0.0 for mine in range(STRENGTHS)]
    return royalties, [2 * _weaker(tenths, mine) - 1 for mine in range(STRENGTHS)]


@lru_cache(maxsize=16)
def _entries(rules: RuleSet) -> dict[int, int]:
    """The strengths of tops that lead to Fantasyland, with the number of its cards."""
    tops = [Board(top=cards) for cards in combinations(DECK, 3) if len({card.rank for card in cards}) < 3]
    found = {strength(board.top): entry(board, rules) for board in tops}
    return {made: cards for made, cards in found.items() if cards}


def _fantasyland(rules: RuleSet, cards: int) -> float:
    """What Fantasyland of so many cards is worth."""
    return FANTASYLAND[cards] * (0.5 if rules.royalties == "none" else 1.0)


def _weaker(tenths: Sequence[int], mine: int) -> float:
    """The share of rows that are weaker than mine, evenly spread between one tenth and the next.

    >>> _weaker((1000, 2000, 3000), 2500)
    0.625
    """
    place = bisect(tenths, mine)
    bounds = (0, *tenths, STRENGTHS)
    return (place + (mine - bounds[place]) / (bounds[place + 1] - bounds[place])) / (len(tenths) + 1)


# -- one place or two free: every draw is counted


def _over_every_card(boards: Sequence[Board], unseen: Sequence[Card], judge: _Judge) -> list[float]:
    """What boards with one free place are worth, on average over the cards not seen."""
    values: list[float] = []
    for board in boards:
        made = [
            [strength((*cards, card)) for card in unseen] if len(cards) < row.size else [strength(cards)] * len(unseen)
            for row, cards in zip(ROWS, _rows(board), strict=True)
        ]
        values.append(sum(map(judge.value, *made)) / len(unseen))
    return values


def _over_every_draw(boards: Sequence[Board], unseen: Sequence[Card], judge: _Judge) -> list[float]:
    """What boards with two free places are worth, on average over every three of the cards not seen."""
    count = len(unseen)

    @cache
    def with_one(cards: tuple[Card, ...]) -> list[int]:
        return [strength((*cards, card)) for card in unseen]

    @cache
    def with_two(cards: tuple[Card, ...]) -> list[tuple[int, int, int]]:
        return [(i, j, strength((*cards, unseen[i], unseen[j]))) for i, j in combinations(range(count), 2)]

    def pairs(board: Board) -> Iterator[tuple[float, int, int]]:
        """Each pair of cards to come, with the value of the better board they make."""
        first, second = (row for row in ROWS for _ in range(board.room(row)))
        if first is second:
            others = {row: strength(board.row(row)) for row in ROWS if row is not first}
            for i, j, made in with_two(board.row(first)):
                yield judge.value(*({**others, first: made}[row] for row in ROWS)), i, j
            return
        top, middle, bottom = (
            with_one(cards) if len(cards) < row.size else [strength(cards)] * count
            for row, cards in zip(ROWS, _rows(board), strict=True)
        )
        for i, j in combinations(range(count), 2):
            # The first row takes one card and the second the other; a full row is the same whichever is asked.
            between = (i, j) if first is Row.MIDDLE else (j, i)
            yield (
                max(
                    judge.value(top[i], middle[between[0]], bottom[j]),
                    judge.value(top[j], middle[between[1]], bottom[i]),
                ),
                i,
                j,
            )

    return [_mean_of_best(sorted(pairs(board), reverse=True), count) for board in boards]


def _mean_of_best(pairs: Iterable[tuple[float, int, int]], count: int) -> float:
    """The mean, over every three of so many cards, of the best pair among the three.

    The pairs come with the best first. One is the best of three where the third card has made no better pair with
    either of the two.

    >>> _mean_of_best([(9.0, 0, 1), (3.0, 1, 2), (0.0, 0, 2)], 3)
    9.0
    """
    met = [1 << card for card in range(count)]
    total = 0.0
    for value, i, j in pairs:
        total += value * (count - (met[i] | met[j] | 1 << i | 1 << j).bit_count())
        met[i] |= 1 << j
        met[j] |= 1 << i
    return total / math.comb(count, 3)


# -- more places free: futures in hindsight


def _futures(unseen: Sequence[Card], size: int, count: int, chance: Callable[[int], bytes]) -> Iterator[list[Card]]:
    """So many samples of the cards to come, as `chance` has it, which gives always the same bytes for the same view.

    One shuffle is dealt out into as many samples as it has cards for: every card comes up about equally often, which
    leaves less to luck than samples that know nothing of each other.
    """
    cards = list(unseen)
    numbers = iter(memoryview(chance(4 * size * count)).cast("I"))
    first = 0
    for _ in range(count):
        if first + size > len(cards):
            first = 0
        for place in range(first, first + size):
            chosen = place + next(numbers) % (len(cards) - place)
            cards[place], cards[chosen] = cards[chosen], cards[place]
        yield cards[first : first + size]
        first += size


def _in_hindsight(
    boards: Sequence[Board], futures: Iterator[list[Card]], count: int, judge: _Judge, deadline: float
) -> list[float]:
    """What boards were worth, summed over the futures, had these been known; minus infinity for boards given up."""
    rows = [(_Row.of(board.top, 3), _Row.of(board.middle, 5), _Row.of(board.bottom, 5)) for board in boards]
    values = [0.0] * len(boards)
    alive = list(range(len(boards)))
    cuts = {count // part: kept for part, kept in _CUTS}
    for done, cards in enumerate(futures, 1):
        future = _Future(cards)
        every = (1 << len(cards)) - 1
        filled = {row: future.fill(row) for one in alive for row in rows[one]}
        tops = {row: {taken: made for made, taken in filled[row]} for row in {rows[one][0] for one in alive}}
        for one in alive:
            top, middle, bottom = rows[one]
            values[one] += _best(tops[top], filled[middle], filled[bottom], every, judge)
        if len(alive) > cuts.get(done, len(boards)):
            alive.sort(key=values.__getitem__, reverse=True)
            for one in alive[cuts[done] :]:
                values[one] = -math.inf
            del alive[cuts[done] :]
        if time.monotonic() > deadline:
            break
    return values


def _best(top: dict[int, int], middle: Fillings, bottom: Fillings, every: int, judge: _Judge) -> float:
    """What the best board is worth that the fillings of three rows allow, which use every card between them."""
    best, strict = judge.foul, judge.strict
    worth_top, worth_middle, worth_bottom = judge.top, judge.middle, judge.bottom
    most_middle, most_bottom = judge.most_middle, judge.most_bottom
    most_top = judge.most_top[max(top.values())]
    most_above = most_middle[middle[0][0]] + most_top
    for low, taken_low in bottom:
        if most_bottom[low] + most_above <= best:
            break
        worth_low = worth_bottom[low]
        for mid, taken_mid in middle:
            if taken_mid & taken_low or mid > low - strict:
                continue
            if worth_low + most_middle[mid] + most_top <= best:
                break
            high = top[every ^ taken_low ^ taken_mid]
            if high <= mid and worth_low + worth_middle[mid] + worth_top[high] > best:
                best = worth_low + worth_middle[mid] + worth_top[high]
    return best


class _Row(msgspec.Struct, frozen=True):
    """What counts of a row that is not full: the ranks in it, its suits, and how many places are free."""

    ranks: int
    suits: frozenset[Suit]
    size: int
    free: int

    @classmethod
    def of(cls, cards: Sequence[Card], size: int) -> _Row:
        """The row of so many places that holds these cards."""
        return cls(sum(map(_RANKS.__getitem__, cards)), frozenset(card.suit for card in cards), size, size - len(cards))


class _Future:
    """Cards to come, in every selection a row may take of them."""

    def __init__(self, cards: Sequence[Card]) -> None:
        coded = [_RANKS[card] | 1 << (_RANK_BITS + place) for place, card in enumerate(cards)]
        self._some: Final = [
            [(x & _RANK_MASK, x >> _RANK_BITS) for x in map(sum, combinations(coded, k))] for k in range(6)
        ]
        self._suited: Final = {
            suit: [x for x, card in zip(coded, cards, strict=True) if card.suit is suit] for suit in Suit
        }

    def fill(self, row: _Row) -> Fillings:
        """Every way to fill a row, the strongest first."""
        mixed, suited = _strengths()
        filled = [(mixed[row.ranks + ranks], taken) for ranks, taken in self._some[row.free]]
        if row.size == 5 and len(row.suits) <= 1:
            for suit in row.suits or Suit:
                if len(self._suited[suit]) >= row.free:
                    flushes = {
                        x >> _RANK_BITS: suited[row.ranks + (x & _RANK_MASK)]
                        for x in map(sum, combinations(self._suited[suit], row.free))
                    }
                    filled = [(flushes.get(taken, made), taken) for made, taken in filled]
        filled.sort(reverse=True)
        return filled


_RANKS: Final = {card: 5 ** (card.rank - Rank.TWO) for card in DECK}
"""Cards add up to a number in base five whose digits count the ranks, so equal sums mean equal ranks."""

_RANK_BITS: Final = 30
_RANK_MASK: Final = (1 << _RANK_BITS) - 1


@cache
def _strengths() -> tuple[dict[int, int], dict[int, int]]:
    """The strength of three or five cards by the sum of their ranks: of mixed suits, and of one suit."""
    mixed: dict[int, int] = {}
    suited: dict[int, int] = {}
    of_rank = {rank: [card for card in DECK if card.rank is rank] for rank in Rank}
    for size in (3, 5):
        for ranks in combinations_with_replacement(Rank, size):
            if ranks.count(ranks[0]) > 4:
                continue
            cards = [of_rank[rank][ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
            total = sum(map(_RANKS.__getitem__, cards))
            if len(set(ranks)) == 5:
                suited[total] = strength(cards)
                cards[0] = of_rank[ranks[0]][1]
            mixed[total] = strength(cards)
    return mixed, suited
