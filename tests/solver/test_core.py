"""The native core, the plain one, and outside oracles agree; what is wrong is refused by both; no bound is passed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import treys  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK, Card
from ananas.game.fantasyland import entry
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import fouled, reckon
from ananas.game.strength import Category, category_of
from ananas.solver import core, plain
from ananas.solver.core import Core
from ananas.solver.tables import NUMBER, tables
from ananas.solver.worth import lines_of
from ananas.solver.worth import worth as worth_of
from tests.chance import Chance
from tests.solver import positions as any_
from tests.solver.everything import odd, results, wrong

NATIVE = Path(core.__file__).parent / "native"
COUNTS = {
    Category.HIGH_CARD: 1_302_540,
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.TRIPS: 54_912,
    Category.STRAIGHT: 10_200,
    Category.FLUSH: 5_108,
    Category.FULL_HOUSE: 3_744,
    Category.QUADS: 624,
    Category.STRAIGHT_FLUSH: 40,
}


# -- evaluation


def test_all_hands_fall_into_the_known_classes() -> None:
    native = any_.native_core()
    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * 2_598_960).reshape(-1, 5)
    out = np.zeros(len(hands), np.int16)
    native.evaluate_many(hands, 5, out)
    strengths, counts = np.unique(out, return_counts=True)
    assert len(strengths) == 7462
    found = dict.fromkeys(COUNTS, 0)
    for strength, count in zip(strengths.tolist(), counts.tolist(), strict=True):
        found[category_of(strength)] += count
    assert found == COUNTS
    some = hands[::97].copy()
    told = np.zeros(len(some), np.int16)
    plain.evaluate_many(some, 5, told)
    assert (told == out[::97]).all()


def test_the_order_is_that_of_another_evaluator() -> None:
    native, chance, other = any_.native_core(), Chance("pairs of hands"), treys.Evaluator()
    number = {card: treys.Card.new(str(card)) for card in DECK}

    def both(hand: list[Card]) -> tuple[int, int]:
        held = bytes([NUMBER[card] for card in hand])
        ours = native.evaluate(held)
        assert plain.evaluate(held) == ours
        return ours, -other.evaluate([], [number[card] for card in hand])

    for _ in range(3000):
        (one, their_one), (two, their_two) = (both(chance.shuffled(DECK)[:5]) for _ in range(2))
        assert (one < two, one == two) == (their_one < their_two, their_one == their_two)


# -- the two cores


def same(one: object, two: object) -> bool:
    """Whether two answers agree: whole numbers to the bit, others to about 0.0001."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        answers = cast("tuple[object, ...]", one), cast("tuple[object, ...]", two)
        return len(answers[0]) == len(answers[1]) and all(map(same, *answers))
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        ones, twos = cast("NDArray[Any]", one), cast("NDArray[Any]", two)
        exact = ones.dtype.kind in "iu"
        return np.array_equal(ones, twos) if exact else np.allclose(ones, twos, rtol=1e-4, atol=1e-4)
    if isinstance(one, float) and isinstance(two, float):
        return abs(one - two) < 1e-4 * max(1, abs(one))
    return one == two


@pytest.mark.parametrize("seed", range(4))
def test_both_cores_answer_the_same(seed: int) -> None:
    native, other = any_.both()
    pairs = zip(results(native, f"cores {seed}"), results(other, f"cores {seed}"), strict=True)
    for (what, one), (_, two) in pairs:
        assert same(one, two), what


@given(st.integers(0, 2**32), st.integers(0, 3), st.integers(3, 41))
@settings(max_examples=40, deadline=None)
def test_both_cores_agree_on_draws(seed: int, others: int, unseen: int) -> None:
    native, other = any_.both()
    chance = Chance(f"draws {seed}")
    where, worth = any_.position(chance, 11, 0, gone=41 - unseen), any_.worth(chance, others)
    assert same(native.mean_of_draws(where, worth, True), other.mean_of_draws(where, worth, True))
    assert same(native.mean_of_draws(where, worth, False), other.mean_of_draws(where, worth, False))


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=20, deadline=None)
def test_both_cores_draw_the_same_lots(seed: int) -> None:
    native, other = any_.both()
    worth, one, two = any_.worth(Chance("lots"), 0), np.zeros(5), np.zeros(5)
    native.random_hands(seed, 5, 3, worth, one)
    other.random_hands(seed, 5, 3, worth, two)
    assert same(one, two)


@given(st.integers(0, 2**32), st.integers(0, 5), st.integers(0, 12), st.data())
@settings(max_examples=60, deadline=None)
def test_both_cores_list_the_same_choices(seed: int, hand: int, laid: int, data: st.DataObject) -> None:
    native, other = any_.both()
    where = any_.position(Chance(f"choices {seed}"), laid, hand)
    lays = data.draw(st.integers(0, hand))
    assert native.choices(where, lays) == other.choices(where, lays)


def test_the_cores_number_features_alike() -> None:
    native = cast("Any", any_.native_core())
    assert (native.FEATURES, native.NET_FLOATS) == (core.FEATURES, core.NET_FLOATS)


def test_equal_placements_are_equal_to_the_last_bit() -> None:
    chance = Chance("equal placements")
    where = np.zeros(52, np.uint8)
    where[[0, 13, 26, 39, 5]] = 5  # all four twos: which of them lies where makes no difference
    worth, nets = any_.worth(chance, 0), any_.nets(chance)
    choices = plain.choices(where, 5)
    values = np.zeros((len(choices) // 3, 8), np.float32)
    plain.judge(where, worth, nets, b"", choices, values)
    kinds: dict[tuple[tuple[int, bool], ...], set[float]] = {}
    for at, value in enumerate(values[:, 0].tolist()):
        rows = choices[3 * at : 3 * at + 3]
        dealt = (0, 5, 13, 26, 39)
        key = tuple((bits.bit_count(), bool(bits >> dealt.index(5) & 1)) for bits in rows)
        kinds.setdefault(key, set()).add(value)
    alike = [values for key, values in kinds.items() if any(count == 4 for count, _ in key)]
    assert alike
    assert all(len(values) == 1 for values in alike)


# -- against the scorer


@pytest.mark.parametrize(
    "rules",
    [
        ROOM,
        RuleSet.parse("room equality=strict"),
        RuleSet.parse("room royalties=line-winner"),
        RuleSet.parse("room scoring=2-4"),
        RuleSet.parse("room royalties=line-winner scoring=2-4 equality=strict"),
    ],
    ids=str,
)
def test_full_boards_are_worth_what_the_scorer_says(rules: RuleSet) -> None:
    chance = Chance(f"scored {rules}")
    for _ in range(40):
        deck = chance.shuffled(DECK)
        opponents = 1 + chance.below(3)
        boards = [board_of(deck[13 * one : 13 * one + 13], tidy=chance.below(3) > 0) for one in range(opponents + 1)]
        own, others = boards[0], boards[1:]
        made = [np.array([[core.evaluate(numbers_of(board.row(row))) for row in ROWS]], np.int16) for board in others]
        worth = worth_of(rules, [lines_of(one, rules) for one in made], fantasyland=(10, 20, 30, 40))
        expected = 0.0
        for other in others:
            reckoning = reckon([own, other], [0, 1], rules)
            expected += (reckoning.pairs[0].claim + reckoning.players[1].royalties) / opponents
        if not fouled(own, rules):
            expected += {14: 10, 15: 20, 16: 30, 17: 40}.get(entry_cards(own, rules), 0)
        where = np.zeros(52, np.uint8)
        for place, row in enumerate(ROWS, 1):
            where[[NUMBER[card] for card in own.row(row)]] = place
        for each in cores():
            values = np.zeros((1, 8), np.float32)
            each.exact(where, worth, b"\0\0\0", values)
            # What a dead opponent is owed by a dead hand, and a dead hand's own royalties, are nothing.
            assert abs(float(values[0, 0]) - expected) < 1e-3


def cores() -> Sequence[Core]:
    return any_.both() if any_.compiler() or core.NATIVE else (plain,)


def numbers_of(cards: Sequence[Card]) -> bytes:
    return bytes([NUMBER[card] for card in cards])


def board_of(cards: Sequence[Card], *, tidy: bool) -> Board:
    """A board of 13 cards: any, or with pairs kept together at the bottom, so that it is seldom dead."""
    order = (
        sorted(cards, key=lambda card: (sum(c.rank == card.rank for c in cards), card.rank)) if tidy else list(cards)
    )
    return Board(tuple(order[:3]), tuple(order[3:8]), tuple(order[8:]))


def entry_cards(board: Board, rules: RuleSet) -> int:
    """Told apart by what is on top, as every entry of these rules brings fourteen cards."""
    if not entry(board, rules):
        return 0
    ranks = sorted(int(card.rank) for card in board.top)
    if ranks[0] == ranks[2]:
        return 17
    return {12: 14, 13: 15, 14: 16}[ranks[1]]


def test_the_mean_of_draws_is_the_mean_over_all_draws() -> None:
    chance = Chance("a few draws")
    for others in (0, 1, 2):
        worth = any_.worth(chance, others)
        where = any_.position(chance, 11, 0, gone=41 - 7)
        to_come = [card for card in range(52) if where[card] == 0]
        total, count = 0.0, 0
        for draw in combinations(to_come, 3):
            dealt = where.copy()
            dealt[list(to_come)] = 4
            dealt[list(draw)] = 5
            ways = plain.choices(dealt, 2)
            values = np.zeros((len(ways) // 3, 8), np.float32)
            plain.exact(dealt, worth, ways, values)
            total, count = total + float(values[:, 0].max()), count + 1
        for each in cores():
            assert same(each.mean_of_draws(where, worth, False), total / count)
            value, _ = cast("tuple[float, tuple[float, ...]]", each.mean_of_draws(where, worth, True))
            assert same(value, total / count)


# -- what is wrong


@pytest.mark.parametrize("what", wrong())
def test_wrong_calls_are_refused(what: str) -> None:
    call = wrong()[what]
    for each in cores():
        with pytest.raises(ValueError, match=r"\w"):
            call(each)


def test_odd_numbers_break_nothing() -> None:
    odd(any_.native_core())


def test_without_tables_the_native_core_refuses() -> None:
    path = str(cast("Any", any_.native_core()).__file__)
    script = """
import sys, importlib.util
spec = importlib.util.spec_from_file_location("_core", sys.argv[1])
core = importlib.util.module_from_spec(spec)
spec.loader.exec_module(core)
core.evaluate(bytes(range(5)))
"""
    ran = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=False)
    assert "RuntimeError: the tables have not been loaded" in ran.stderr


# -- which core, and how it is built


def test_the_plain_core_can_be_asked_for() -> None:
    script = (
        "from ananas.solver import core; print(core.NATIVE, core.which(), core.evaluate(bytes([51, 50, 49, 48, 47])))"
    )
    environment = os.environ | {"ANANAS_CORE": "plain"}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "False plain core: ANANAS_CORE=plain 7916\n"


def test_where_it_was_compiled_the_native_core_is_in_use() -> None:
    any_.native_core()
    assert os.environ.get("ANANAS_CORE") == "plain" or (core.NATIVE, core.which()) == (True, "native core")


def compiled(target: Path, *flags: str) -> None:
    compiler = any_.compiler()
    if compiler is None:
        pytest.skip("there is no compiler")
    include = sysconfig.get_path("include")
    ran = subprocess.run(
        [compiler, "-std=gnu11", "-fPIC", "-shared", f"-I{include}", *flags, str(NATIVE / "core.c"), "-o", str(target)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    compiled(tmp_path / "_core.so", "-O3", "-Wall", "-Wextra", "-Werror")


@pytest.mark.timeout(300)
def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    compiler = any_.compiler()
    if compiler is None or not compiler.endswith("gcc"):
        pytest.skip("gcc is wanted, for its sanitizers")
    target = tmp_path / "_core.so"
    compiled(
        target, "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"
    )
    libraries = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    environment = os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONPATH": os.pathsep.join([str(Path(core.__file__).parents[2]), str(Path(__file__).parents[2])]),
    }
    ran = subprocess.run(
        [sys.executable, "-m", "tests.solver.everything", str(target)],
        env=environment, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-4000:]
    assert ran.stdout.endswith("refusals\n")


def test_tables_of_another_size_are_refused() -> None:
    native = cast("Any", any_.native_core())
    with pytest.raises(ValueError, match="a table"):
        native.load(*(table[:-1] for table in tables()))
    native.load(*tables())
