# ruff: noqa: D102 - what each sentence is about is told in words_ru.py
"""What the coach says of a decision, in English: each sentence is a function of facts.

What belongs here: wording. What does not: which sentence is said (cause.py). The functions are those of words_ru.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ananas.coach.words_ru import LaidBy, Made
from ananas.game.board import Row
from ananas.game.cards import Card, Rank, Suit
from ananas.game.strength import Category

_RANKS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUITS: Final = {Suit.SPADES: "spades", Suit.HEARTS: "hearts", Suit.DIAMONDS: "diamonds", Suit.CLUBS: "clubs"}
_FACES: Final = {Rank.TEN: "10", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"}
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TO: Final = {Row.TOP: "on top", Row.MIDDLE: "in the middle", Row.BOTTOM: "at the bottom"}
_AT: Final = _TO
_THE: Final = {Row.TOP: "the top", Row.MIDDLE: "the middle", Row.BOTTOM: "the bottom"}
_BELOW: Final = {Row.TOP: "the middle", Row.MIDDLE: "the bottom"}


_BEST: Final = "the best move"


def _one(rank: int) -> str:
    return _RANKS[rank - 2]


def _many(rank: int) -> str:
    return "sixes" if rank == Rank.SIX else f"{_one(rank)}s"


def _face(rank: int) -> str:
    return _FACES.get(Rank(rank), str(int(rank)))


def _a(text: str) -> str:
    return f"{'an' if text.startswith(('ace', 'eight')) else 'a'} {text}"


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _cards(number: int) -> str:
    return f"{_count(number)} {'card' if number == 1 else 'cards'}"


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


_SECOND: Final = "the second-best move"


class English:
    """The sentences, each without facts of its own."""

    language: Final = "en"

    def __init__(self, laid_by: LaidBy = "player", *, own: bool = True) -> None:
        self._next: Final = laid_by == "next"
        self._own: Final = own
        yours = (
            ("your move", "you split", "yours")
            if own
            else ("the player’s move", "the player split", "the player’s move")
        )
        self._move, self._split, self._its = {
            "player": yours,
            "table": ("the table’s move", "the table split", "the table’s move"),
            "next": (_SECOND, f"{_SECOND} splits", _SECOND),
        }[laid_by]
        self._after: Final = f"after {self._move}"
        self._then: Final = f"{self._after} " if self._next else ""

    # -- names

    def join(self, sentences: Sequence[str]) -> str:
        told = [
            one.replace(_BEST, "it also", 1) if one.startswith(_BEST) and before.startswith(_BEST) else one
            for before, one in zip(["", *sentences], sentences, strict=False)
        ]
        return " ".join(f"{_cap(one)}." for one in told)

    def points(self, points: float) -> str:
        text = f"{points:.1f}".removesuffix(".0")
        return f"{text} {'point' if text == '1' else 'points'}"

    def made(self, category: Category, ranks: Sequence[int]) -> str:
        """What a row is: a pair of queens."""
        first, *rest = ranks
        match category:
            case Category.HIGH_CARD:
                return f"{_one(first)} high"
            case Category.PAIR:
                return f"a pair of {_many(first)}"
            case Category.TWO_PAIR:
                return f"two pair, {_face(first)} and {_face(rest[0])}"
            case Category.TRIPS:
                return f"three {_many(first)}"
            case Category.STRAIGHT:
                return f"a straight to the {_one(first)}"
            case Category.FLUSH:
                return f"a flush to the {_one(first)}"
            case Category.FULL_HOUSE:
                return f"a full house, {_face(first)} over {_face(rest[0])}"
            case Category.QUADS:
                return f"four {_many(first)}"
            case Category.STRAIGHT_FLUSH:
                return "a royal flush" if first == Rank.ACE else f"a straight flush to the {_one(first)}"

    def _need(self, made: Made, below: Category) -> str:
        match made.category:
            case Category.HIGH_CARD:
                return "needs a pair or a higher card"
            case Category.PAIR if below is Category.PAIR:
                return "needs a second pair or trips"
            case Category.PAIR if made.ranks[0] == Rank.ACE:
                return "needs two pair or more"
            case Category.PAIR:
                return "needs a higher pair or two pair"
            case Category.TWO_PAIR if below is Category.TWO_PAIR:
                return "needs a full house"
            case Category.TWO_PAIR:
                return "needs a higher two pair or trips"
            case _:
                return "needs something stronger"

    def card(self, card: Card, *, suited: bool) -> str:
        return f"the {_one(card.rank)}" + (f" of {_SUITS[card.suit]}" if suited else "")

    # -- labels of live cards

    def saved(self) -> str:
        return "with the second best" if self._next else "saved you" if self._own else "saved the player"

    def yours(self) -> str:
        return "with the second best" if self._next else "yours" if self._own else "the player’s"

    def with_best(self, card: Card | None) -> str:
        return "in the best move" if card is None else f"with the {_one(card.rank)}"

    def partners(self, rank: int) -> str:
        return f"live {_face(rank)}s"

    def to_top(self) -> str:
        return "for the top"

    def to_flush(self) -> str:
        return "to the flush"

    def to_straight(self) -> str:
        return "to the straight"

    # -- danger

    def dead_for_sure(self, upper: Row, above: str, lower: Row, below: str) -> str:
        return f"{self._then}{_THE[upper]} ({above}) already beats {_THE[lower]} ({below}), so the hand is dead whatever comes"

    def dead_whatever(self) -> str:
        return f"{self._after} the hand is dead whatever comes"

    def above(self, upper: Row, made: Made, lower: Row, below: Made, *, his: bool) -> str:
        need = self._need(made, below.category)
        high, low = _THE[upper], _THE[lower]
        if his and self._next:
            high = f"{self._then}{high}"
        elif his and self._own:
            high, low = (text.replace("the", "your") for text in (high, low))
        elif his:
            high = high.replace("the", "the player’s")
        if below.category is made.category and below.ranks[0] == made.ranks[0]:
            return f"{high} is above {low} so far, which {need}"
        if below.category is Category.HIGH_CARD and made.category is not Category.HIGH_CARD:
            now = f"{low} has no pair yet"
        else:
            now = f"{low} has only {self.made(below.category, below.ranks)} so far"
        return f"{high} has {self.made(made.category, made.ranks)}, {now}: it {need}"

    def saviours(self, own: int, best: int, card: Card | None, *, only: bool) -> str:
        cards = f"{'only ' if only else ''}{_cards(own)}"
        if self._next:
            saves = "saves" if own == 1 else "save"
            return f"{self._then}{cards} {saves} the hand, {_count(best)} {self.with_best(card)}"
        return f"{cards} saved {'your' if self._own else 'the'} hand, {_count(best)} would {self.with_best(card)}"

    def lifts(self, lower: Row, upper: Row, own: int, best: int) -> str:
        cards = f"{_count(own)} live {'card' if own <= 1 else 'cards'}"
        return (
            f"{self._then}{cards} would lift {_THE[lower]} over {_THE[upper]} at once, {_count(best)} in the best move"
        )

    def tops_lower(self, upper: Row, own: Made, best: Made) -> str:
        made, instead = self.made(best.category, best.ranks), self.made(own.category, own.ranks)
        return f"{made} {_AT[upper]} instead of {instead}: easier for {_BELOW[upper]} to be above it"

    # -- Fantasyland

    def entry_made(self, made: Made) -> str:
        return f"{self.made(made.category, made.ranks)} on top leads to Fantasyland"

    def entry_hope(self, rank: int, live: int) -> str:
        left = f"{_count(live)} {_one(rank) if live == 1 else _many(rank)} {_be(live)} live"
        return f"the {_one(rank)} on top waits for its pair and Fantasyland: {left}"

    def entry_closed(self) -> str:
        return f"{self._after} the top can no longer make a pair that leads to Fantasyland"

    def entry_room(self, lowest: int, *, free: int) -> str:
        pair = f"a pair of {_many(lowest)}{'' if lowest == Rank.ACE else ' or better'}"
        if free == 3:
            return f"better leave the top alone for now: it waits for {pair}"
        return f"the top keeps its room for {pair}"

    # -- what rows can become

    def pair(self, row: Row, rank: int, live: int, *, split: bool) -> str:
        if split:
            head = f"{self._split} the {_many(rank)}, which belong {_AT[row]} as a pair"
        else:
            head = f"{_BEST} makes a pair of {_many(rank)} {_AT[row]}"
        return f"{head}{self._to_trips(live)}"

    def _to_trips(self, live: int) -> str:
        return f", with {_count(live)} more live for trips" if live else ""

    def pair_elsewhere(self, row: Row, other: Row, rank: int) -> str:
        return f"the pair of {_many(rank)} does more {_AT[row]} than {_AT[other]}"

    def second_pair(self, row: Row, made: Made) -> str:
        first, second = made.ranks[:2]
        return f"{_BEST} makes two pair {_AT[row]}, {_face(first)} and {_face(second)}"

    def set_of(self, row: Row, made: Made) -> str:
        return f"{_BEST} makes {self.made(made.category, made.ranks)} {_AT[row]}"

    def flush(self, row: Row, suit: Suit, have: int, live: int, breaks: Card | None) -> str:
        if have == 5:
            held = f"{_BEST} makes a flush {_AT[row]}"
        else:
            missing = f"{_count(5 - have)} short of a flush with {_count(live)} live"
            held = f"{_BEST} keeps {_count(have)} {_SUITS[suit]} {_AT[row]}, {missing}"
        return (
            held
            if breaks is None
            else f"{held}. {_cap(self._its)} breaks the flush with {self.card(breaks, suited=True)}"
        )

    def straight(self, row: Row, ranks: Sequence[int], live: int) -> str:
        cards = f"{_count(live)} live {'card' if live == 1 else 'cards'}"
        return f"{_BEST} keeps {'-'.join(map(_face, ranks))} {_AT[row]}, with {cards} to the straight"

    def trade(self, kept: int, live: int, thrown: int, other: int) -> str:
        kept_word = _one(kept) if live == 1 else _many(kept)
        thrown_word = _one(thrown) if other == 1 else _many(thrown)
        return (
            f"{_count(live)} {kept_word} {_be(live)} live, but {'only ' if other else ''}{_count(other)} {thrown_word}"
        )

    def closed(self, row: Row, own: Made) -> str:
        return f"{self._move} fills {_THE[row]}, which ends as {self.made(own.category, own.ranks)}"

    def becomes(self, row: Row, best: Made, own: Made) -> str:
        return f"{_THE[row]} is stronger: {self._instead(best, own)}"

    def _instead(self, best: Made, own: Made) -> str:
        made, worse_made = self.made(best.category, best.ranks), self.made(own.category, own.ranks)
        if made == worse_made and len(best.ranks) == len(own.ranks):
            better, worse = next(pair for pair in zip(best.ranks, own.ranks, strict=True) if pair[0] != pair[1])
            return f"{made} with {_a(_one(better))} instead of {_a(_one(worse))}"
        return f"{made} instead of {worse_made}"

    # -- the end

    def fouls(self, upper: Row, above: str, lower: Row, below: str, *, equal: bool) -> str:
        if equal:
            return f"{self._then}{_THE[upper]} and {_THE[lower]} are equal, which makes a dead hand here"
        return f"{self._then}{_THE[upper]} ({above}) ends above {_THE[lower]} ({below}), and the hand is dead"

    def in_order(self) -> str:
        return f"{_BEST} keeps the rows in order"

    def enters(self, made: Made) -> str:
        return f"{self.made(made.category, made.ranks)} on top brings Fantasyland, and the hand lives"

    def enters_more(self, made: Made, cards: int, own: int) -> str:
        return f"{self.made(made.category, made.ranks)} on top: {cards} cards in Fantasyland instead of {own}"

    def stays(self, row: Row, made: Made) -> str:
        whom = "you" if self._own else "the player"
        kept = f"{self.made(made.category, made.ranks)} {_AT[row]} would keep {whom} in Fantasyland"
        return f"{kept}, and that layout was there"

    def royalties(self, row: Row, best: Made, own: Made, more: int) -> str:
        return f"{_THE[row]}: {self._instead(best, own)}, {more} more in royalties"

    def wins(self, row: Row, best: Made, own: Made) -> str:
        return f"{_THE[row]} is tied, no longer lost: {self._instead(best, own)}"

    def takes(self, row: Row, best: Made, own: Made) -> str:
        return f"{_THE[row]} is now won: {self._instead(best, own)}"

    # -- numbers

    def chances(self, fewer_dead: int, more_fantasyland: int) -> str:
        dead, entries = abs(fewer_dead), abs(more_fantasyland)
        if not entries:
            return f"that makes {dead} {'fewer' if fewer_dead > 0 else 'more'} dead hands in a hundred"
        if not dead:
            return f"Fantasyland comes {entries} times in a hundred {'more' if more_fantasyland > 0 else 'less'} often"
        if fewer_dead > 0 and more_fantasyland > 0:
            return f"that makes {dead} fewer dead hands in a hundred and {entries} more Fantasylands"
        if fewer_dead > 0:
            return f"Fantasyland comes {entries} times in a hundred less often, but there are {dead} fewer dead hands"
        if more_fantasyland > 0:
            return f"there are {dead} more dead hands in a hundred, but {entries} more Fantasylands"
        return f"there are {dead} more dead hands in a hundred and {entries} fewer Fantasylands"

    def chances_and_worth(self, fewer_dead: int, more_fantasyland: int, points: float, *, royalties: bool) -> str:
        what = "rows and royalties" if royalties else "the rows"
        joint = "and" if fewer_dead > 0 or more_fantasyland > 0 else "but"
        told = self.chances(fewer_dead, more_fantasyland)
        return f"{told}, {joint} {what} bring more. On average that is {self.points(points)} a hand"

    def worth(self, points: float, *, royalties: bool) -> str:
        what = "rows and royalties bring" if royalties else "the rows bring"
        return f"{what} more, {self.points(points)} a hand on average"

    def in_all(self, points: float) -> str:
        return f"on average that is {self.points(points)} a hand"

    def exactly(self, points: float) -> str:
        return f"that is {self.points(points)}"

    def after_best(self, dead: int, *, certain: bool) -> str:
        if not certain:
            return f"nearly all hands are dead {self._after}, {dead} in a hundred after the best"
        if not dead:
            return "after the best move it stays alive"
        return f"after the best move {dead} {'hand in a hundred is' if dead == 1 else 'hands in a hundred are'} dead"

    def better(self, moves: Sequence[tuple[Row | None, Sequence[Card]]], suited: Collection[Card]) -> str:
        told = [
            f"{_and([self.card(card, suited=card in suited) for card in cards])}"
            f" {'thrown away' if row is None else _TO[row]}"
            for row, cards in moves
        ]
        return f"{f'{_BEST} has' if self._next else 'better'} {', '.join(told)}"

    def layout(self, rows: Sequence[tuple[Row, Made]]) -> str:
        return f"better so: {', '.join(f'{self.made(made.category, made.ranks)} {_AT[row]}' for row, made in rows)}"
