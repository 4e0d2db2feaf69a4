"""Whether shuffled decks are even, by what they count, and shuffles that are wrong in known ways.

    .venv/bin/python -m tests.trust.shuffle --count 1000000 --seed 7

counts so many decks of each way of dealing.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ananas import deal
from ananas.deal import Source
from ananas.fair import blocks, deck, lot
from ananas.fair.deck import choose, dealt, digest, make_deck
from ananas.game.cards import DECK, Card
from ananas.game.strength import Category, category_of, strength
from tests.chance import Chance

Numbers = NDArray[np.int64]
Decks = NDArray[np.int16]
Shuffling = Callable[[int, Source], tuple[Card, ...] | list[Card]]
"""A deck, from its number and from bytes."""

SIZE: Final = len(DECK)
SETUP: Final = ((5, 3, 3, 3, 3), (1, 2, 0), (0, 0, 14))
OWNED: Final = blocks(SETUP[0], 3, SETUP[2])
LEAST: Final = 1e-4
"""A figure is wrong where so few even decks, or fewer, would give one as far on that side."""


def stream(name: str) -> Source:
    """Bytes that look like chance and are the same every time."""
    block, left = 0, b""

    def source(size: int) -> bytes:
        nonlocal block, left
        while len(left) < size:
            left += hashlib.shake_256(f"{name} {block}".encode()).digest(1 << 12)
            block += 1
        taken, left = left[:size], left[size:]
        return taken

    return source


def endless(source: Source) -> Iterator[int]:
    """The same bytes, one by one."""
    while True:
        yield from source(64)


# -- ways of dealing


def plain(_number: int, source: Source) -> tuple[Card, ...]:
    """The room's shuffle of decks that are not sealed."""
    return deal.shuffle(deal.ahead(source))


def sealed(number: int, source: Source) -> tuple[Card, ...]:
    """A hand out of a sealed deck, with fresh chance of the room and of the players."""
    hand = b"t/%d" % number
    choice = choose(digest(b"draw", source(16)), *SETUP)
    return dealt(make_deck(hand, choice.deck, source(32)), choice.order, OWNED)


def by_players(number: int, source: Source) -> list[Card]:
    """The players' chance alone, on a deck of the room that is the same every time; which cards are dealt together.

    In which order they are received is the room's chance: it goes by the salts.
    """
    order = choose(digest(b"draw", b"%d" % number, source(16)), *SETUP).order
    return [DECK[_ALWAYS.order[place]] for place in order]


def by_room(_number: int, source: Source) -> list[Card]:
    """The room's order of a sealed deck alone."""
    return [DECK[card] for card in deck.permutation(endless(source))]


_ALWAYS: Final = make_deck(b"t/1", 0, bytes(32))
HONEST: Final[Mapping[str, Shuffling]] = {
    "plain": plain,
    "sealed": sealed,
    "the players' chance": by_players,
    "the room's chance": by_room,
}


# -- ways of dealing wrong


def naive_swap(_number: int, source: Source) -> list[Card]:
    """Each place swapped with any place: 52 to the 52nd ways do not divide evenly among the orders."""
    cards, given = list(DECK), endless(source)
    for place in range(SIZE):
        chosen = deck.below(SIZE, given)
        cards[place], cards[chosen] = cards[chosen], cards[place]
    return cards


def sattolo(_number: int, source: Source) -> list[Card]:
    """Never itself: only orders of one single round."""
    cards, given = list(DECK), endless(source)
    for last in range(SIZE - 1, 0, -1):
        chosen = deck.below(last, given)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def remainder_of_a_byte(_number: int, source: Source) -> list[Card]:
    """No byte thrown away: low numbers come oftener."""
    cards, given = list(DECK), endless(source)
    for last in range(SIZE - 1, 0, -1):
        chosen = next(given) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def cut_only(number: int, source: Source) -> list[Card]:
    """Every card comes to every place as often, and stays beside its neighbours."""
    chosen = deck.below(SIZE, endless(source))
    return [*DECK[chosen:], *DECK[:chosen]] if number % 10 == 0 else by_room(number, source)


def for_action(number: int, source: Source) -> tuple[Card, ...] | list[Card]:
    """Dealt again, every eighth time, where the first five cards are nothing."""
    cards = by_room(number, source)
    again = number % 8 == 0 and category_of(strength(cards[:5])) is Category.HIGH_CARD
    return by_room(number, source) if again else cards


def aces_first(number: int, source: Source) -> list[Card]:
    """One deck in ten gets an ace to a place in its first half."""
    cards = by_room(number, source)
    if number % 10 == 0:
        ace = cards.index(Card("As"))
        cards[ace // 2], cards[ace] = cards[ace], cards[ace // 2]
    return cards


# -- what is counted


def decks(shuffling: Shuffling, count: int, seed: str) -> Decks:
    """So many decks, a row each, cards by number."""
    source, number = stream(f"shuffle {seed}"), {card: place for place, card in enumerate(DECK)}
    found = np.empty((count, SIZE), np.int16)
    for which in range(count):
        found[which] = [number[card] for card in shuffling(which, source)]
    return found


def tail(chi_square: float, freedom: float) -> float:
    """How much of the even decks would give more (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return math.erfc(((chi_square / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(spread) / math.sqrt(2)) / 2


def _chi_square(counts: Numbers, expected: NDArray[np.float64] | float) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def places(found: Decks) -> float:
    """How often each card is at each place."""
    counts = np.bincount((found + SIZE * np.arange(SIZE)).ravel(), minlength=SIZE * SIZE)
    return tail(_chi_square(counts, len(found) / SIZE), (SIZE - 1) ** 2)


def neighbours(found: Decks) -> float:
    """How often each card comes right after each other one."""
    counts = np.bincount((SIZE * found[:, :-1] + found[:, 1:]).ravel(), minlength=SIZE * SIZE).reshape(SIZE, SIZE)
    others = counts[~np.eye(SIZE, dtype=bool)]
    # As many cells as this are free: the mean of the sum is exactly the square of fifty-one.
    return tail(_chi_square(others, len(found) / SIZE), (SIZE - 1) ** 2)


_KINDS: Final = {
    Category.HIGH_CARD: 1_302_540, Category.PAIR: 1_098_240, Category.TWO_PAIR: 123_552, Category.TRIPS: 54_912,
    Category.STRAIGHT: 10_200, Category.FLUSH: 5_108,
}  # fmt: skip
"""In how many of all hands of five; what is rarer is counted together."""


def starting_fives(found: Decks) -> float:
    """How often the first five cards are a pair, a flush and so on."""
    counts = dict.fromkeys([*_KINDS, None], 0)
    fives: list[list[int]] = found[:, :5].tolist()
    for five in fives:
        kind = category_of(strength([DECK[card] for card in five]))
        counts[kind if kind in _KINDS else None] += 1
    hands = math.comb(SIZE, 5)
    shares = np.array([*_KINDS.values(), hands - sum(_KINDS.values())]) / hands
    return tail(_chi_square(np.array([*counts.values()]), shares * len(found)), len(_KINDS))


def means(found: Decks) -> float:
    """How far the mean place of the card that strays farthest is from the middle, in standard deviations."""
    where = np.argsort(found, axis=1).mean(axis=0)
    return float(np.abs(where - (SIZE - 1) / 2).max() / math.sqrt((SIZE**2 - 1) / 12 / len(found)))


TAILS: Final = {"places": places, "neighbours": neighbours, "starting fives": starting_fives}


def faults(found: Decks) -> set[str]:
    """The figures that even decks would hardly give."""
    wrong = {name for name, counted in TAILS.items() if not LEAST <= counted(found) <= 1 - LEAST}
    return wrong | ({"means"} if means(found) > 4 else set[str]())


def outcomes(below: Callable[[int, Iterator[int]], int], limit: int, size: int) -> list[int]:
    """Of all strings of so many bytes, how many make each number; those that are not enough are left aside."""
    counts = [0] * limit
    for given in itertools.product(range(256), repeat=size):
        try:
            counts[below(limit, iter(given))] += 1
        except (ValueError, StopIteration):
            continue
    return counts


def choices(count: int, seed: str) -> tuple[float, float]:
    """How even the number of the deck that is dealt is, and the lot of the first button."""
    chance = Chance(f"choices {seed}")
    drawn = [digest(b"draw", chance.below(2**32).to_bytes(4, "big"), b"%d" % which) for which in range(count)]
    numbers = np.bincount([choose(one, *SETUP).deck for one in drawn], minlength=64)
    lots = np.bincount([lot(one) for one in drawn], minlength=12)
    return tail(_chi_square(numbers, count / 64), 63), tail(_chi_square(lots, count / 12), 11)


def _main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--seed", default="even")
    asked = options.parse_args()
    wrong = 0
    for name, shuffling in HONEST.items():
        found = decks(shuffling, asked.count, asked.seed)
        figures = ", ".join(f"{what} p {counted(found):.4f}" for what, counted in TAILS.items())
        bad = faults(found)
        twice = asked.count - len(np.unique(found, axis=0))
        wrong += len(bad) + twice
        print(f"{name}: {figures}, means {means(found):.2f} sigma; {twice} decks twice", *sorted(bad), flush=True)
    numbers, lots = choices(asked.count, asked.seed)
    print(f"the number of the deck p {numbers:.4f}, the lot p {lots:.4f}; seed {asked.seed}")
    sys.exit(wrong > 0 or not LEAST <= min(numbers, lots) <= max(numbers, lots) <= 1 - LEAST)


if __name__ == "__main__":
    _main()
