"""Why the best placement is better than the one that was chosen, in a sentence or two, with the live cards behind them.

Both boards are looked at for facts: rows out of order and the cards that mend them, the way to Fantasyland, pairs, flushes
and straights in the making with what is live for them, full rows. Each fact that speaks for the best weighs as much as it
may explain of the loss; the heaviest one or two are said, and then the numbers. What belongs here: facts and their
weights. What does not: wording (words_ru.py, words_en.py), judging (solver).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ananas.coach.report import Cause, Live, Option, Spot
from ananas.coach.words_en import English
from ananas.coach.words_ru import LaidBy, Made, Russian
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card, Rank, Suit
from ananas.game.fantasyland import entry, stays
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.game.strength import Category, category_of, ranks_of, strength
from ananas.solver.worth import fantasyland_worth

Words: TypeAlias = Russian | English
Say: TypeAlias = Callable[[Words], str]
"""A sentence waiting for its language."""

LONGEST: Final = 260
"""No text is longer."""

_ORDER: Final = {category: place for place, category in enumerate(Category)}
_ROYALTIES_OF_BOTH: Final = 3.0
_ROWS_OF_BOTH: Final = 1.5
"""About what a dead hand costs against one opponent beside its price."""
_UNTOLD: Final = 2.5
"""So many points, at the most, may be left unsaid where chances are told."""
_TOLD: Final = 2
"""A difference of fewer hands in a hundred is not told."""
_SAVES: Final = 0.9
"""A card saves a hand when it keeps it alive beside so many of all other cards."""
_NEAR: Final = 0.05
"""With so many more dead hands a single high card above counts as a danger, where one place is left below."""
_MOST_SHOWN: Final = 16
_CERTAIN: Final = 100.0
"""Nothing else need be said where the hand is dead for certain."""
_WEAK: Final = 0.2
"""A single reason that weighs less of the loss is said after where the cards would better go."""
_SECOND: Final = 0.45
"""A second reason is given when it weighs at least so much of the first."""


class Reason(msgspec.Struct, frozen=True):
    """Something that speaks for the best placement: how much it may explain, which rows it is about, how it is said."""

    weight: float
    about: frozenset[Row]
    say: Say
    live: tuple[Live, ...] = ()
    certain: bool = False
    """It says that the hand is dead whatever comes."""
    first: bool = False
    """It is about what was chosen, and is said before what the best has."""


def cause(
    spot: Spot, rules: RuleSet, chosen: Option, best: Option, laid_by: LaidBy = "player", *, own: bool = True
) -> Cause | None:
    """Say why `best` is better than `chosen`; None where they are the same.

    `own`: it is said to whoever played the hand; to all others it speaks of the player. Where `chosen` is the `next`
    best nobody need have laid it, and what is said of it speaks of nobody.

    >>> from ananas.coach.report import Other
    >>> from ananas.game.cards import parse_cards
    >>> spot = Spot(
    ...     seat=0, street=4, fantasyland=0, board=Board.parse("QsQd/8h8d/KcJc9c4cAc"), dealt=parse_cards("KdTc3h"),
    ...     to_lay=2, discards=parse_cards("2h2c"), others=(Other(seat=1, board=Board.parse("KhJd/TsTd/3s"), inside=0),),
    ... )
    >>> own, better = (
    ...     Option(placement=text, points=points, behind=11.2 - points, error=0.1, foul=foul, fantasyland=1 - foul,
    ...         equal=False, guess=False)
    ...     for text, points, foul in (("-/KdTc/- x3h", 7.1, 0.45), ("-/3hTc/- xKd", 11.2, 0.36))
    ... )
    >>> found = cause(spot, RuleSet(), own, better)
    >>> found is not None and [" ".join(live.cards) for live in found.live]
    ['Ks Th 8s 8c', 'Th 8s 8c 3d 3c']
    """
    if _rows(chosen) == _rows(best):
        return None
    words = Russian(laid_by, own=own), English(laid_by, own=own)
    facts = _Facts(spot, rules, chosen, best, words)
    if facts.own.full:
        reasons, numbers = list(facts.at_the_end()), facts.end_numbers()
    else:
        reasons = list(facts.reasons())
        numbers = facts.numbers(certain=any(reason.certain for reason in reasons))
    return _told(facts, reasons, numbers)


def _rows(option: Option) -> tuple[frozenset[Card], ...]:
    placement = Placement.parse(option.placement)
    return tuple(frozenset(placement.row(row)) for row in ROWS)


def _told(facts: _Facts, reasons: list[Reason], numbers: Say) -> Cause:
    """Put the heaviest reasons and the numbers together, as far as there is room."""
    reasons.sort(key=lambda reason: -reason.weight)
    taken: list[Reason] = []
    for reason in reasons:
        if len(taken) == 2 or (taken and reason.weight < _SECOND * taken[0].weight):
            break
        if not any(reason.about & other.about for other in taken):
            taken.append(reason)
    heaviest = taken[:1]
    taken.sort(key=lambda reason: not reason.first)
    weak = not taken or (len(taken) == 1 and heaviest[0].weight < _WEAK * facts.loss)
    lead = [facts.better()] if weak else []
    found = facts.cause(lead, taken, numbers)
    # Where there is no room for all, the second reason goes first, then the moves.
    if _length(found) > LONGEST:
        found = facts.cause(lead, heaviest, numbers)
    if _length(found) > LONGEST and taken:
        found = facts.cause([], heaviest, numbers)
    if _length(found) > LONGEST:
        found = facts.cause([] if taken else lead, heaviest, lambda words: words.in_all(facts.points))
    return found


def _length(found: Cause) -> int:
    return max(map(len, found.text.values()))


# -- what a row is


def _made(cards: Sequence[Card], size: int) -> Made:
    """What a row makes, also while cards are missing; ranks are empty for an empty row."""
    if len(cards) == size:
        worth = strength(cards)
        return Made(category_of(worth), ranks_of(worth))
    groups = sorted(((count, int(rank)) for rank, count in Counter(card.rank for card in cards).items()), reverse=True)
    counts = tuple(count for count, _ in groups)
    match counts:
        case (4, *_):
            category = Category.QUADS
        case (3, *_):
            category = Category.TRIPS
        case (2, 2, *_):
            category = Category.TWO_PAIR
        case (2, *_):
            category = Category.PAIR
        case _:
            category = Category.HIGH_CARD
    return Made(category, tuple(rank for _, rank in groups))


def _key(made: Made) -> tuple[int, tuple[int, ...]]:
    return _ORDER[made.category], made.ranks


def _shown(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The higher ranks first."""
    return tuple(sorted(cards, key=lambda card: (-card.rank, "shdc".index(card.suit))))


def _flush(cards: Sequence[Card]) -> Suit | None:
    """The suit all cards have."""
    suits = {card.suit for card in cards}
    return suits.pop() if len(suits) == 1 else None


def _straight(cards: Sequence[Card], live: Sequence[Card]) -> tuple[Card, ...]:
    """The live cards that bring a row nearer to a straight it can still become; none where it can become none."""
    ranks = {int(card.rank) for card in cards}
    if len(ranks) < len(cards):
        return ()
    left = {int(card.rank) for card in live}
    wanted: set[int] = set()
    for lowest in range(1, 11):
        window = {14 if rank == 1 else rank for rank in range(lowest, lowest + 5)}
        if ranks <= window and window - ranks <= left:
            wanted |= window - ranks
    return _shown(card for card in live if card.rank in wanted)


class _Side:
    """One of the two boards, with its placement."""

    def __init__(self, spot: Spot, option: Option) -> None:
        self.option: Final = option
        self.placement: Final = Placement.parse(option.placement)
        self.board: Final = spot.board.place(self.placement)
        self.made: Final = {row: _made(self.board.row(row), row.size) for row in ROWS}

    def where(self, card: Card) -> Row | None:
        """The row a card lies in; None where it is thrown away."""
        return next((row for row in ROWS if card in self.board.row(row)), None)

    def inverted(self, upper: Row, lower: Row) -> bool:
        """Whether a row is, as it is now, stronger than the one below it."""
        return _key(self.made[upper]) > _key(self.made[lower])


class _Saved(NamedTuple):
    """With one or two places left: the cards each of which keeps the hand alive, how much of all does, is only theirs."""

    cards: tuple[Card, ...]
    alive: float
    covered: float


class _Facts:
    """Both boards side by side, and the numbers of both."""

    def __init__(self, spot: Spot, rules: RuleSet, chosen: Option, best: Option, words: Sequence[Words]) -> None:
        self.words: Final = words
        self.spot: Final = spot
        self.rules: Final = rules
        self.a: Final = _Side(spot, chosen)
        self.b: Final = _Side(spot, best)
        self.own: Final = self.a.board
        self.best: Final = self.b.board
        self.left: Final = 13 - len(self.own.cards)
        seen = {
            *spot.board.cards,
            *spot.dealt,
            *spot.discards,
            *(c for other in spot.others for c in other.board.cards),
        }
        self.live: Final = tuple(card for card in DECK if card not in seen)
        self.live_of: Final = Counter(int(card.rank) for card in self.live)
        self.outside: Final = rules.fantasyland == "on" and not spot.fantasyland
        self.lowest: Final = "23456789TJQKA".index(rules.fantasyland_entry[0]) + 2
        opponents = max(1, len(spot.others))
        self.points: Final = max(0.0, chosen.behind or best.points - chosen.points)
        self.loss: Final = self.points / opponents
        self.dead: Final = chosen.foul - best.foul
        self.entries: Final = best.fantasyland - chosen.fantasyland if rules.fantasyland == "on" else 0.0
        paid = rules.royalties != "none"
        self.by_dead: Final = self.dead * (rules.foul_points + (_ROYALTIES_OF_BOTH if paid else _ROWS_OF_BOTH))
        self.by_entries: Final = self.entries * next(filter(None, fantasyland_worth(rules)), 0.0)
        self.rest: Final = self.loss - self.by_dead - self.by_entries

    # -- in every language

    def both(self, say: Say) -> dict[str, str]:
        """The same in each of them."""
        return {words.language: say(words) for words in self.words}

    def cause(self, lead: list[Say], reasons: list[Reason], numbers: Say) -> Cause:
        """Sentences one after the other, with the live cards of the reasons."""
        says = [*lead, *(reason.say for reason in reasons), numbers]
        text = self.both(lambda words: words.join([say(words) for say in says]))
        return Cause(text=text, live=tuple(live for reason in reasons for live in reason.live))

    # -- moves and numbers

    def better(self) -> Say:
        """Where the best puts the cards it puts elsewhere."""
        if self.spot.fantasyland:
            rows = [(row, self.b.made[row]) for row in ROWS]
            return lambda words: words.layout(rows)
        moved = [card for card in self.spot.dealt if self.a.where(card) != self.b.where(card)]
        targets = (*reversed(ROWS), None)
        moves = [(row, [card for card in moved if self.b.where(card) is row]) for row in targets]
        told = [(row, cards) for row, cards in moves if cards][:3]
        ranks = Counter(card.rank for card in self.spot.dealt)
        twice = frozenset(card for card in self.spot.dealt if ranks[card.rank] > 1)
        return lambda words: words.better(told, twice)

    def numbers(self, *, certain: bool) -> Say:
        """What the difference comes to; `certain`: it has been said that the hand is dead."""
        # Of the chances as they are shown beside this, in whole parts of a hundred.
        dead = round(100 * self.a.option.foul) - round(100 * self.b.option.foul)
        entries = round(100 * self.b.option.fantasyland) - round(100 * self.a.option.fantasyland)
        entries = entries if self.rules.fantasyland == "on" else 0
        dead, entries = (dead if abs(dead) >= _TOLD else 0), (entries if abs(entries) >= _TOLD else 0)
        royalties = self.rules.royalties != "none"
        points = self.points
        helps = (self.by_dead if dead > 0 else 0.0) + (self.by_entries if entries > 0 else 0.0)
        if not dead and not entries:
            return lambda words: words.worth(points, royalties=royalties)
        if self.a.option.foul > 0.995 and dead > 0:
            left = round(100 * self.b.option.foul)
            return lambda words: words.after_best(left, certain=certain)
        if helps >= 0.4 * self.loss and self.rest <= min(0.8 * self.loss, _UNTOLD):
            return lambda words: words.chances(dead, entries)
        return lambda words: words.chances_and_worth(dead, entries, points, royalties=royalties)

    # -- reasons while places are left

    def reasons(self) -> Iterator[Reason]:
        """What speaks for the best."""
        yield from self._danger()
        if self.outside and round(100 * self.entries) >= _TOLD:
            yield from self._entry()
        yield from self._combinations()
        yield from self._draws()
        yield from self._trades()
        yield from self._closed()

    def _danger(self) -> Iterator[Reason]:
        weight = max(0.0, self.by_dead)
        for upper, lower in pairwise(ROWS):
            if self._out_of_order(self.own, upper, lower) and not self._out_of_order(self.best, upper, lower):
                yield self._dead_for_sure(upper, lower)
                return
        if self.left <= 2 and (self.dead > 0.015):
            own, best = self._saved(self.own), self._saved(self.best)
            if not own.alive and best.alive:
                yield Reason(_CERTAIN, frozenset(ROWS), lambda words: words.dead_whatever(), certain=True)
                return
            story = max(len(own.cards), len(best.cards)) <= _MOST_SHOWN and own.covered > 0.85 and best.covered > 0.85
            if story and own.cards and len(best.cards) > len(own.cards) and own.alive < 0.9:
                yield self._saviours(weight, own, best)
                return
        if round(100 * self.dead) >= _TOLD:
            for upper, lower in pairwise(ROWS):
                yield from self._disorder(upper, lower, weight)

    def _out_of_order(self, board: Board, upper: Row, lower: Row) -> bool:
        """Whether two full rows make the hand dead."""
        full = not board.room(upper) and not board.room(lower)
        return full and not self._in_order(strength(board.row(upper)), strength(board.row(lower)))

    def _dead_for_sure(self, upper: Row, lower: Row) -> Reason:
        above, below = self.a.made[upper], self.a.made[lower]
        return Reason(
            _CERTAIN,
            frozenset(ROWS),
            lambda words: words.dead_for_sure(upper, words.made(*above), lower, words.made(*below)),
            certain=True,
        )

    def _saviours(self, weight: float, own: _Saved, best: _Saved) -> Reason:
        card = self._kept()
        live = (
            Live(label=self.both(lambda words: words.saved()), cards=own.cards, best=False),
            Live(label=self.both(lambda words: words.with_best(card)), cards=best.cards, best=True),
        )
        return Reason(
            weight + 0.5,
            frozenset(ROWS),
            lambda words: words.join(
                [
                    *([self._why_saved(words)] if self._why_saved(words) else []),
                    words.saviours(len(own.cards), len(best.cards), card, only=own.covered > 0.999),
                ]
            ).removesuffix("."),
            live,
        )

    def _why_saved(self, words: Words) -> str:
        for upper, lower in pairwise(ROWS):
            above, below = self.a.made[upper], self.a.made[lower]
            if self.own.room(lower) and above.ranks and below.ranks and self.a.inverted(upper, lower):
                his = self.b.made[upper] != above or not self.b.inverted(upper, lower)
                return words.above(upper, above, lower, below, his=his)
        return ""

    def _kept(self) -> Card | None:
        """The one card that the best lays and the other throws away."""
        kept = [card for card in self.a.placement.discards if card not in self.b.placement.discards]
        return kept[0] if len(kept) == 1 else None

    def _disorder(self, upper: Row, lower: Row, weight: float) -> Iterator[Reason]:
        """A row that is above the one below it, so far."""
        above, below, best_above = self.a.made[upper], self.a.made[lower], self.b.made[upper]
        if not above.ranks:
            return
        near = not self.own.room(upper) or (self.own.room(lower) <= 1 and self.dead >= _NEAR)
        strong = above.category is not Category.HIGH_CARD or near
        if strong and self.own.room(lower) and below.ranks and self.a.inverted(upper, lower):
            if not self.b.inverted(upper, lower):
                yield Reason(
                    weight + 0.1,
                    frozenset({upper}),
                    lambda words: words.above(upper, above, lower, below, his=True),
                    first=True,
                )
            elif self.best.room(lower):
                own, best = self._lifts(self.a, upper, lower), self._lifts(self.b, upper, lower)
                if len(own) + 2 <= len(best) <= _MOST_SHOWN:
                    card = self._kept()
                    live = [Live(label=self.both(lambda words: words.yours()), cards=own, best=False)] if own else []
                    live.append(Live(label=self.both(lambda words: words.with_best(card)), cards=best, best=True))
                    yield Reason(
                        weight + 0.1,
                        frozenset({upper}),
                        lambda words: words.lifts(lower, upper, len(own), len(best)),
                        tuple(live),
                    )
        if above.category is not Category.HIGH_CARD and best_above.ranks and _key(above)[0] > _key(best_above)[0]:
            yield Reason(0.8 * weight, frozenset({upper}), lambda words: words.tops_lower(upper, above, best_above))

    def _lifts(self, side: _Side, upper: Row, lower: Row) -> tuple[Card, ...]:
        """The live cards any of which raises a row over the one above it."""
        cards, over = side.board.row(lower), _key(side.made[upper])
        return _shown(card for card in self.live if _key(_made((*cards, card), lower.size)) > over)

    def _in_order(self, upper: int, lower: int) -> bool:
        return upper < lower if self.rules.equality == "strict" else upper <= lower

    def _saved(self, board: Board) -> _Saved:
        """Try every card, or every two, that may still come."""
        free = [row for row in ROWS for _ in range(board.room(row))]
        known = {row: strength(board.row(row)) for row in ROWS if not board.room(row)}
        alive: set[tuple[Card, ...]] = set()
        if len(set(free)) == 1:
            (row, *_) = free
            for cards in combinations(self.live, len(free)):
                if self._ordered({**known, row: strength((*board.row(row), *cards))}):
                    alive.add(cards)
        else:
            one, two = free
            ones = {card: strength((*board.row(one), card)) for card in self.live}
            twos = {card: strength((*board.row(two), card)) for card in self.live}
            for first, second in combinations(self.live, 2):
                for up, down in ((first, second), (second, first)):
                    if self._ordered({**known, one: ones[up], two: twos[down]}):
                        alive.add((first, second))
        total = len(self.live) if len(free) == 1 else len(self.live) * (len(self.live) - 1) // 2
        with_each = Counter(card for cards in alive for card in cards)
        needed = 1 if len(free) == 1 else _SAVES * (len(self.live) - 1)
        saving = {card for card, count in with_each.items() if count >= needed}
        covered = sum(1 for cards in alive if saving & set(cards)) / len(alive) if alive else 1.0
        return _Saved(_shown(saving), len(alive) / max(1, total), covered)

    def _ordered(self, rows: dict[Row, int]) -> bool:
        top, middle, bottom = (rows[row] for row in ROWS)
        return self._in_order(top, middle) and self._in_order(middle, bottom)

    # -- Fantasyland

    def _enters(self, made: Made) -> bool:
        pair = made.category is Category.PAIR and made.ranks[0] >= self.lowest
        return pair or made.category is Category.TRIPS

    def _routes(self, board: Board) -> set[int]:
        """The ranks of which the top can still make what enters."""
        held, free = Counter(int(card.rank) for card in board.top), board.room(Row.TOP)
        found: set[int] = set()
        for rank in map(int, Rank):
            for wanted in (2, 3) if rank >= self.lowest else (3,):
                missing = max(0, wanted - held[rank])
                if missing <= free and missing <= self.live_of[rank]:
                    found.add(rank)
        return found

    def _entry(self) -> Iterator[Reason]:
        weight = max(0.0, self.by_entries)
        top = frozenset({Row.TOP})
        own, best = self.a.made[Row.TOP], self.b.made[Row.TOP]
        if own.ranks and self._enters(own):
            return
        if best.ranks and self._enters(best):
            yield Reason(weight + 0.4, top, lambda words: words.entry_made(best))
            return
        routes, own_routes = self._routes(self.best), self._routes(self.own)
        hopes = [
            int(card.rank)
            for card in self.best.top
            if card.rank >= self.lowest and self.best.room(Row.TOP) and self.live_of[card.rank]
        ]
        own_hopes = {int(card.rank) for card in self.own.top} if self.own.room(Row.TOP) else set[int]()
        new = [rank for rank in hopes if rank not in own_hopes]
        if new:
            rank = max(new, key=lambda one: (self.live_of[one], one))
            cards = _shown(card for card in self.live if card.rank == rank)
            live = Live(label=self.both(lambda words: words.to_top()), cards=cards, best=True)
            yield Reason(weight + 0.2, top, lambda words: words.entry_hope(rank, len(cards)), (live,))
        elif routes and not own_routes:
            yield Reason(0.95 * weight + 0.2, top, lambda words: words.entry_closed(), first=True)
        pairs = [rank for rank in routes if rank >= self.lowest]
        free = self.best.room(Row.TOP)
        if not new and own_routes and pairs and free > self.own.room(Row.TOP) and free >= 2:
            least = min(pairs)
            if all(rank in pairs for rank in range(least, Rank.ACE + 1)):
                yield Reason(0.9 * weight, top, lambda words: words.entry_room(least, free=free))

    # -- pairs and better

    def _weigh(self, value: float) -> float:
        """What a better row may explain of the loss: it keeps the hand alive, and it earns."""
        part = value / (value + 0.8)
        return part * (0.7 * max(0.0, self.rest) + 0.5 * max(0.0, self.by_dead) + 0.2 * max(0.0, self.by_entries) + 0.1)

    def _combinations(self) -> Iterator[Reason]:
        for row in ROWS:
            own, best = self.a.made[row], self.b.made[row]
            if not best.ranks:
                continue
            if not self.own.room(row) and not self.best.room(row):
                if _key(best) > _key(own):
                    value = (
                        0.5
                        + 0.6 * (_key(best)[0] - _key(own)[0])
                        + max(0, self._royalty(self.best, row) - self._royalty(self.own, row))
                    )
                    yield self._becomes(row, value)
                continue
            if _key(best)[0] <= (_key(own)[0] if own.ranks else -1) or best.category is Category.HIGH_CARD:
                same = len(self.own.row(row)) == len(self.best.row(row)) > 0
                if same and best.category is own.category and best.ranks[0] > own.ranks[0]:
                    yield self._becomes(row, 0.25)
                continue
            if row is Row.TOP and self.outside and self._enters(best):
                continue
            yield self._combination(row, best)

    def _becomes(self, row: Row, value: float) -> Reason:
        own, best = self.a.made[row], self.b.made[row]
        return Reason(self._weigh(value), frozenset({row}), lambda words: words.becomes(row, best, own))

    def _combination(self, row: Row, best: Made) -> Reason:
        rank = best.ranks[0]
        about = frozenset({row})
        cards = _shown(card for card in self.live if card.rank == rank)
        if best.category is Category.PAIR:
            both = [card for card in self.best.row(row) if card.rank == rank]
            elsewhere = next((r for r in ROWS if r is not row and self._pair_in(self.own, r, rank)), None)
            if elsewhere is not None:
                return Reason(
                    self._weigh(0.7), about | {elsewhere}, lambda words: words.pair_elsewhere(row, elsewhere, rank)
                )
            split = all(card in self.spot.dealt for card in both)
            live = Live(label=self._partners(rank), cards=cards, best=True)
            shown = (live,) if cards and row is not Row.TOP and self.best.room(row) else ()
            count = len(cards) if shown else 0
            weight = self._weigh(0.9 + rank / 28)
            return Reason(weight, about, lambda words: words.pair(row, rank, count, split=split), shown, first=split)
        if best.category is Category.TWO_PAIR:
            return Reason(self._weigh(1.8), about, lambda words: words.second_pair(row, best))
        return Reason(self._weigh(2.6), about, lambda words: words.set_of(row, best))

    def _partners(self, rank: int) -> dict[str, str]:
        return self.both(lambda words: words.partners(rank))

    def _pair_in(self, board: Board, row: Row, rank: int) -> bool:
        return sum(card.rank == rank for card in board.row(row)) == 2

    def _royalty(self, board: Board, row: Row) -> int:
        """What a full row earns by these rules."""
        if self.rules.royalties == "none":
            return 0
        return royalty(row, strength(board.row(row)), self.rules.royalty_table)

    # -- flushes and straights

    def _draws(self) -> Iterator[Reason]:
        for row in (Row.MIDDLE, Row.BOTTOM):
            yield from self._flush_draw(row)
            yield from self._straight_draw(row)

    def _suited(self, board: Board, row: Row) -> tuple[Suit | None, int, int]:
        """The suit a row can become a flush of, how many cards of it lie there, how many are live."""
        cards = board.row(row)
        suit = _flush(cards)
        live = sum(card.suit is suit for card in self.live)
        possible = suit is not None and live >= 5 - len(cards)
        return (suit, len(cards), live) if possible else (None, 0, 0)

    def _flush_draw(self, row: Row) -> Iterator[Reason]:
        suit, have, count = self._suited(self.best, row)
        own_suit, own_have, _ = self._suited(self.own, row)
        if suit is None or have < 3 or (own_suit is suit and own_have >= have):
            return
        cards = _shown(card for card in self.live if card.suit is suit) if have < 5 else ()
        before = self.spot.board.row(row)
        breaks = None
        if len(before) >= 2 and _flush(before) is suit and own_suit is None:
            breaks = next((card for card in self.own.row(row) if card.suit is not suit), None)
        value = {3: 0.9, 4: 2.0, 5: 4.0}[have] * (1.0 if have == 5 else min(1.0, count / (3 * (5 - have))))
        if own_suit is suit:
            value *= 0.6
        live = (Live(label=self.both(lambda words: words.to_flush()), cards=cards, best=True),) if cards else ()
        yield Reason(
            self._weigh(value), frozenset({row}), lambda words: words.flush(row, suit, have, count, breaks), live
        )

    def _straight_draw(self, row: Row) -> Iterator[Reason]:
        cards = self.best.row(row)
        if not 3 <= len(cards) <= 4:
            return
        best, own = _straight(cards, self.live), _straight(self.own.row(row), self.live)
        if not best or (own and len(self.own.row(row)) >= len(cards)) or len(best) > _MOST_SHOWN:
            return
        if _flush(cards) is not None and self._suited(self.best, row)[0] is not None:
            return
        value = {3: 0.5, 4: 1.4}[len(cards)] * min(1.0, len(best) / 6)
        ranks = sorted(int(card.rank) for card in cards)
        if ranks[-1] == Rank.ACE and ranks[0] <= 5 and ranks[-2] <= 5:
            ranks = [Rank.ACE, *ranks[:-1]]
        live = Live(label=self.both(lambda words: words.to_straight()), cards=best, best=True)
        yield Reason(self._weigh(value), frozenset({row}), lambda words: words.straight(row, ranks, len(best)), (live,))

    # -- what was thrown away, and rows that are full too soon

    def _trades(self) -> Iterator[Reason]:
        kept = self._kept()
        thrown = [card for card in self.b.placement.discards if card not in self.a.placement.discards]
        if kept is None or len(thrown) != 1 or kept.rank == thrown[0].rank:
            return
        row = self.b.where(kept)
        if row is None or row is Row.TOP or any(c.rank == kept.rank for c in self.best.cards if c is not kept):
            return
        if not self.best.room(row) or any(c.rank == thrown[0].rank for c in self.own.cards if c is not thrown[0]):
            return
        more = self.live_of[kept.rank] - self.live_of[thrown[0].rank]
        if more <= 0:
            return
        live = [
            Live(
                label=self._partners(int(card.rank)),
                cards=_shown(one for one in self.live if one.rank == card.rank),
                best=card is kept,
            )
            for card in (kept, thrown[0])
            if self.live_of[card.rank]
        ]
        counts = (int(kept.rank), self.live_of[kept.rank], int(thrown[0].rank), self.live_of[thrown[0].rank])
        yield Reason(self._weigh(0.15 * more), frozenset({row}), lambda words: words.trade(*counts), tuple(live))

    def _closed(self) -> Iterator[Reason]:
        for row in ROWS:
            own = self.a.made[row]
            weak = own.category is Category.HIGH_CARD or (own.category is Category.PAIR and row is not Row.TOP)
            # The best has these two pairs as well, and a place for a full house.
            best = self.b.made[row]
            weak = weak or (own.category is best.category is Category.TWO_PAIR and own.ranks[:2] == best.ranks)
            if not self.own.room(row) and self.spot.board.room(row) and self.best.room(row) and weak:
                yield self._fills(row, own)

    def _fills(self, row: Row, own: Made) -> Reason:
        return Reason(self._weigh(0.5), frozenset({row}), lambda words: words.closed(row, own), first=True)

    # -- full boards

    def at_the_end(self) -> Iterator[Reason]:
        """What speaks for the best when both boards are full."""
        everything = frozenset(ROWS)
        if fouled(self.own, self.rules) and not fouled(self.best, self.rules):
            upper, lower = next(
                (above, below)
                for above, below in pairwise(ROWS)
                if not self._in_order(strength(self.own.row(above)), strength(self.own.row(below)))
            )
            above, below = self.a.made[upper], self.a.made[lower]
            equal = strength(self.own.row(upper)) == strength(self.own.row(lower))
            yield Reason(
                20.0,
                everything,
                lambda words: words.join(
                    [words.fouls(upper, words.made(*above), lower, words.made(*below), equal=equal), words.in_order()]
                ).removesuffix("."),
            )
            return
        if fouled(self.best, self.rules):
            return
        yield from self._fantasyland_at_the_end()
        for row in ROWS:
            yield from self._row_at_the_end(row)

    def _fantasyland_at_the_end(self) -> Iterator[Reason]:
        top = frozenset({Row.TOP})
        if self.outside:
            best, own = entry(self.best, self.rules), entry(self.own, self.rules)
            made = self.b.made[Row.TOP]
            if best and not own:
                yield Reason(10.0, top, lambda words: words.enters(made))
            elif best > own:
                yield Reason(4.0 * (best - own), top, lambda words: words.enters_more(made, best, own))
        elif self.spot.fantasyland and self.entries > 0.5 and stays(self.best, self.rules):
            kept = {
                "top-trips": (Row.TOP, Category.TRIPS),
                "middle-full-house": (Row.MIDDLE, Category.FULL_HOUSE),
                "middle-quads": (Row.MIDDLE, Category.QUADS),
                "bottom-quads": (Row.BOTTOM, Category.QUADS),
            }
            for row, least in (kept[stay] for stay in self.rules.fantasyland_stay):
                if _ORDER[self.b.made[row].category] >= _ORDER[least]:
                    yield self._stays(row)
                    return

    def _stays(self, row: Row) -> Reason:
        made = self.b.made[row]
        return Reason(12.0, frozenset({row}), lambda words: words.stays(row, made))

    def _row_at_the_end(self, row: Row) -> Iterator[Reason]:
        own, best = self.a.made[row], self.b.made[row]
        if _key(best) <= _key(own):
            return
        more = self._royalty(self.best, row) - self._royalty(self.own, row)
        about = frozenset({row})
        before, after = self._line(self.own, row), self._line(self.best, row)
        if more > 0:
            yield Reason(more + 0.5, about, lambda words: words.royalties(row, best, own, more))
        elif after > before and after == 1:
            yield Reason(2.0, about, lambda words: words.takes(row, best, own))
        elif after > before:
            yield Reason(1.8, about, lambda words: words.wins(row, best, own))
        else:
            yield Reason(0.7, about, lambda words: words.becomes(row, best, own))

    def _line(self, board: Board, row: Row) -> int:
        """Whether a row is won against the one opponent, where his board is known and not dead."""
        if len(self.spot.others) != 1:
            return 0
        other = self.spot.others[0].board
        if not other.full or fouled(other, self.rules):
            return 0
        one, two = strength(board.row(row)), strength(other.row(row))
        return (one > two) - (one < two)

    def end_numbers(self) -> Say:
        """What it comes to when nothing is left to come."""
        exact = all(other.board.full for other in self.spot.others)
        points = self.points
        return lambda words: words.exactly(points) if exact else words.in_all(points)
