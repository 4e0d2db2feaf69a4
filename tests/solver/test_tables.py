"""The look-up tables hold what the readable rules say."""

from __future__ import annotations

from itertools import combinations_with_replacement

from ananas.game.cards import DECK
from ananas.game.strength import STRENGTHS, strength
from ananas.solver.plain.cards import strength_of
from ananas.solver.tables import COARSE, FIVES, FLUSHES, KEY_BITS, KEYS, MADE, THREES, numbers, tables
from tests.chance import Chance


def test_keys_tell_every_row_from_every_other() -> None:
    for size, room in ((3, THREES), (5, FIVES)):
        ranks = [ranks for ranks in combinations_with_replacement(KEYS, size) if ranks.count(ranks[0]) < 5]
        sums = {sum(keys) for keys in ranks}
        assert len(sums) == len(ranks)
        assert max(sums) < room < 2**KEY_BITS
    assert sum(KEYS[-5:]) < FLUSHES


def test_every_row_is_worth_what_the_rules_say() -> None:
    chance = Chance("rows for the tables")
    for size in (3, 5):
        for _ in range(3000):
            row = chance.shuffled(DECK)[:size]
            assert strength_of(numbers(row)) == strength(row)
    for suit in range(4):
        for first in range(8):
            flush = [*DECK[13 * suit + first :][:4], DECK[13 * suit + 12]]
            assert strength_of(numbers(flush)) == strength(flush)


def test_classes_are_known_ones_and_rise_with_the_strength_of_five() -> None:
    made, coarse = tables().made, tables().coarse
    assert len(made) == STRENGTHS
    assert {*made.tolist()} == {*range(2, MADE)}  # no row's highest card is a two or a three
    assert {*coarse.tolist()} == {*range(COARSE)}
    assert sorted(coarse.tolist()) == coarse.tolist()
    assert sorted(made.tolist()) == made.tolist()


def test_nobody_can_change_them() -> None:
    assert not any(table.flags.writeable for table in tables())
