"""Fantasyland equals brute force: every way to lay a hand is counted, in NumPy, with nothing of the solver but strengths.

`python -m tests.solver.test_fantasyland_core --hands 10000 --larger 300` counts many more.
"""

from __future__ import annotations

import argparse
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ananas.game.board import ROWS
from ananas.game.cards import DECK
from ananas.game.royalties import royalty
from ananas.game.strength import STRENGTHS, strength
from ananas.solver import core, plain
from ananas.solver.core import Core
from ananas.solver.plain import Told
from tests.chance import Chance
from tests.solver import positions as any_

AT_ONCE = 60_000
NOTHING = -np.inf


class Ways(NamedTuple):
    """Every way to lay so many cards, by the places of the cards.

    `bottoms`: every five. `rests`: for each of these, the other cards. `middles`, `tops`: every five and three of the
    others. `over`: for each middle, the tops that share no card with it.
    """

    bottoms: NDArray[np.intp]
    rests: NDArray[np.intp]
    middles: NDArray[np.intp]
    tops: NDArray[np.intp]
    over: NDArray[np.intp]


@lru_cache(maxsize=5)
def ways(count: int) -> Ways:
    bottoms = list(combinations(range(count), 5))
    rests = [[place for place in range(count) if place not in bottom] for bottom in bottoms]
    middles, tops = (list(combinations(range(count - 5), size)) for size in (5, 3))
    over = [[one for one, top in enumerate(tops) if not {*top} & {*middle}] for middle in middles]
    return Ways(*(np.array(each, np.intp) for each in (bottoms, rests, middles, tops, over)))


@lru_cache(maxsize=10)
def places(count: int, size: int) -> NDArray[np.intp]:
    """The number of every so many places, by the places in rising order."""
    number = np.zeros((count,) * size, np.intp)
    for one, chosen in enumerate(combinations(range(count), size)):
        number[chosen] = one
    return number


def brute_force(cards: bytes, wishes: Told) -> float:
    """The value of the best board in order: all of them are counted."""
    count, (worths, strict, stays, stay, trips, full_house, quads) = len(cards), wishes
    value = np.asarray(worths, np.float64).reshape(3, STRENGTHS)
    bonus = max(stay, 0.0)
    three, five = (
        np.array([strength(chosen) for chosen in combinations([DECK[card] for card in cards], size)], np.int16)
        for size in (3, 5)
    )
    way, best = ways(count), NOTHING
    step = max(1, AT_ONCE // len(way.middles))
    for first in range(0, len(way.bottoms), step):
        # Rows by middle or top, columns by bottom.
        rest = way.rests[first : first + step].T
        bottom = five[None, first : first + step]
        middle = five[places(count, 5)[tuple(rest[way.middles[:, place]] for place in range(5))]]
        top = three[places(count, 3)[tuple(rest[way.tops[:, place]] for place in range(3))]]
        worth_of_top = value[0][top]
        on_top = np.full(middle.shape, NOTHING)
        trips_on_top = on_top.copy()
        for over in way.over.T:
            made = top[over]
            fitting = np.where(made <= middle - strict, worth_of_top[over], NOTHING)
            on_top = np.maximum(on_top, fitting)
            if stays & 1:
                trips_on_top = np.maximum(trips_on_top, np.where(made >= trips, fitting, NOTHING))
        staying = bool(stays & 2) & (middle >= full_house) | bool(stays & 4) & (middle >= quads)
        staying |= bool(stays & 8) & (bottom >= quads)
        found = np.maximum(on_top + bonus * staying, trips_on_top + bonus) + value[1][middle] + value[2][bottom]
        best = max(best, float(found[middle <= bottom - strict].max(initial=NOTHING)))
    return best


def value_of(cards: bytes, wishes: Told, taken: tuple[int, ...]) -> float:
    """What a layout is worth; nothing where it is not one."""
    worths, strict, stays, stay, trips, full_house, quads = wishes
    rows = [[DECK[card] for place, card in enumerate(cards) if bits >> place & 1] for bits in taken]
    if [len(row) for row in rows] != [3, 5, 5] or len({card for row in rows for card in row}) != 13:
        return NOTHING
    top, middle, bottom = map(strength, rows)
    if not (top + strict <= middle and middle + strict <= bottom):
        return NOTHING
    met = (top >= trips, middle >= full_house, middle >= quads, bottom >= quads)
    staying = any(stays >> condition & 1 and each for condition, each in enumerate(met))
    value = np.asarray(worths, np.float64).reshape(3, STRENGTHS)
    return float(value[0][top] + value[1][middle] + value[2][bottom]) + max(stay, 0.0) * staying


@lru_cache(maxsize=1)
def royalties() -> NDArray[np.float32]:
    """Royalties alone, never falling by the usual table."""
    return np.array([[royalty(row, one) for one in range(STRENGTHS)] for row in ROWS], np.float32)


def check(chance: Chance, count: int, cores: tuple[Core, ...]) -> None:
    """One hand with royalties or with any row values, any condition of staying, strict or not."""
    kind = chance.below(3)
    wishes = any_.wishes(chance, (royalties(), any_.row_worths(chance), any_.row_worths(chance, whole=True))[kind])
    cards = any_.cards(chance, count)
    expected = brute_force(cards, wishes)
    for each in cores:
        if expected == NOTHING:
            with pytest.raises(ValueError, match="no board"):
                each.fantasyland(cards, *wishes)
            continue
        value, *taken = each.fantasyland(cards, *wishes)
        close = 1e-5 * max(1.0, abs(expected))
        assert abs(value - expected) < close, (cards.hex(), wishes[1:])
        assert abs(value_of(cards, wishes, tuple(taken)) - expected) < close, (cards.hex(), wishes[1:])


def test_hands_of_fourteen_are_laid_in_the_best_way() -> None:
    chance, native = Chance("hands of fourteen"), any_.native_core()
    for hand in range(300):
        check(chance, 14, (native, plain) if hand % 10 == 0 else (native,))


@pytest.mark.parametrize(("count", "hands"), [(13, 30), (15, 10), (16, 10), (17, 10)])
def test_hands_of_other_sizes_are_laid_in_the_best_way(count: int, hands: int) -> None:
    chance, native = Chance(f"hands of {count}"), any_.native_core()
    for hand in range(hands):
        check(chance, count, (native, plain) if hand < 3 else (native,))


@pytest.mark.parametrize("stays", [0, 1, 2, 4, 8])
@pytest.mark.parametrize("strict", [0, 1])
def test_each_condition_of_staying_is_met_where_it_is_worth_it(stays: int, strict: int) -> None:
    chance, native = Chance(f"staying {stays} {strict}"), any_.native_core()
    for stay in (0.0, 5.0, 1000.0, -3.0):
        wishes = (royalties(), strict, stays, stay, any_.TRIPS, any_.FULL_HOUSE, any_.QUADS)
        cards = any_.cards(chance, 14)
        expected = brute_force(cards, wishes)
        assert native.fantasyland(cards, *wishes)[0] == expected
        assert plain.fantasyland(cards, *wishes)[0] == expected


def test_equal_boards_are_laid_alike_by_both() -> None:
    chance, native = Chance("equal boards"), any_.native_core()
    for count in (13, 14, 15, 16, 17):
        for _ in range(8):
            cards, wishes = any_.cards(chance, count), any_.wishes(chance, royalties())
            assert native.fantasyland(cards, *wishes) == plain.fantasyland(cards, *wishes)


def main() -> None:
    """Count many hands, and tell how far it is."""
    options = argparse.ArgumentParser(description="Hold Fantasyland against brute force.")
    options.add_argument("--hands", type=int, default=10_000, help="of fourteen cards")
    options.add_argument("--larger", type=int, default=300, help="of fifteen to seventeen cards")
    wanted = options.parse_args()
    chance = Chance("many hands")
    for done in range(wanted.hands):
        check(chance, 14, (core,))
        if (done + 1) % 500 == 0:
            print(f"{done + 1} hands of fourteen", flush=True)
    for done in range(wanted.larger):
        check(chance, 15 + done % 3, (core,))
        if (done + 1) % 30 == 0:
            print(f"{done + 1} larger hands", flush=True)
    print(f"{core.which()}: all {wanted.hands + wanted.larger} hands equal brute force")


if __name__ == "__main__":
    main()
