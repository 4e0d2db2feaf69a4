"""Every function of a core called in every way, right and wrong: for both cores, and under the sanitizers.

`python -m tests.solver.everything CORE.so` runs it over a core that was compiled into another place.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ananas.game.strength import STRENGTHS
from ananas.solver.core import Core
from ananas.solver.plain import Told
from ananas.solver.plain.cards import Readable
from ananas.solver.tables import tables
from ananas.solver.worth import Floats
from tests.chance import Chance
from tests.solver import positions as any_

Call = Callable[[Core], object]
Examples = tuple[NDArray[Any], Floats, Floats, NDArray[np.uint8]]
STREETS = ((0, 5, 5), (5, 3, 2), (7, 3, 2), (9, 3, 2))


def floats(*shape: int) -> Floats:
    return np.zeros(shape, np.float32)


def results(core: Core, name: str) -> Iterator[tuple[str, object]]:
    """What a core answers to positions by lot, all rules and companies, function by function."""
    chance = Chance(name)
    for laid, hand, lays in STREETS:
        others = chance.below(4)
        boards = tuple(chance.pick((0, 5, 7, laid)) for _ in range(min(others, 2)))
        where, worth = any_.position(chance, laid, hand, boards), any_.worth(chance, others)
        nets, told = any_.nets(chance), bytes([0, 0, 13 + chance.below(5)])[:3] if others == 3 else b""
        choices = core.choices(where, lays)
        yield f"choices on {laid}", choices
        count = len(choices) // 3
        values = floats(count, 8)
        core.judge(where, worth, nets, told, choices, values)
        yield f"judge on {laid}", values
        picked = choices[: 3 * 2] + choices[-3:]
        for tries in (0, 2):
            points, parts = floats(3, 4, 2), floats(3, 7)
            core.rollouts(where, worth, nets, told, picked, chance.below(2**32), 1, 4, tries, points, parts)
            yield f"rollouts on {laid}, {tries} tries", (points, parts)
            alone = floats(3, 4, 2)
            core.rollouts(where, worth, nets, told, picked, 7, 1, 4, tries, alone, floats(0))
            yield f"rollouts on {laid}, {tries} tries, without parts", alone
    for laid, hand, lays in ((9, 3, 2), (11, 3, 2), (10, 1, 1), (12, 1, 1), (8, 5, 5)):
        others = chance.below(4)
        where, worth = any_.position(chance, laid, hand, (5,), gone=chance.below(8)), any_.worth(chance, others)
        choices = core.choices(where, lays)
        values = floats(len(choices) // 3, 8)
        core.exact(where, worth, choices, values)
        yield f"exact on {laid}", values
    for count in (3, 4, 20, 41):
        where, worth = any_.position(chance, 11, 0, gone=41 - count), any_.worth(chance, chance.below(4))
        yield "mean of draws", np.array([core.mean_of_draws(where, worth, False)])
        value, detail = cast("tuple[float, tuple[float, ...]]", core.mean_of_draws(where, worth, True))
        yield "mean of draws, detailed", np.array([value, *detail])
    for boards, told in (((0,), b""), ((7, 9), b""), ((0, 13, 11), b"\x0e")):
        where = any_.position(chance, chance.pick((0, 5, 7)), 3, boards)
        worth, made = any_.worth(chance, len(boards)), np.zeros((3, len(boards), 3), np.int16)
        core.complete(where, worth, any_.nets(chance), told, chance.below(2**32), 3, made, any_.wishes(chance))
        yield "complete", made
    for count in range(13, 18):
        yield f"Fantasyland of {count}", layout(core, any_.cards(chance, count), any_.wishes(chance))
    for players in (2, 3, 4):
        totals = np.zeros(5)
        core.random_hands(chance.below(2**32), 20, players, any_.worth(chance, chance.below(4)), totals)
        yield f"hands of {players}", totals
    for size in (3, 5):
        rows = np.array([list(any_.cards(chance, size)) for _ in range(700)], np.uint8)
        out = np.zeros(700, np.int16)
        core.evaluate_many(rows, size, out)
        yield f"rows of {size}", out
        yield f"one row of {size}", core.evaluate(rows[0].tobytes())
    for count, streets in ((4, 15), (1, 8 | 4), (0, 8), (0, 4)):
        yield f"study with {count} nets", studied(core, chance, count, streets)


def layout(core: Core, cards: bytes, wishes: Told) -> object:
    """The best layout's value and the places it takes; None where there is none."""
    try:
        return core.fantasyland(cards, *wishes)
    except ValueError:
        return None


def studied(core: Core, chance: Chance, nets: int, streets: int, room: int = 12) -> object:
    """Examples: features, dense inputs, parts, streets."""
    arrays = (np.zeros((room, 96), np.uint16), floats(room, 5), floats(room, 7), np.zeros(room, np.uint8))
    weights, judges = any_.nets(chance, nets), any_.nets(chance, max(nets, 1))
    core.study(any_.worth(chance, 1), weights, judges, chance.below(2**32), streets, 2, any_.wishes(chance), *arrays)
    return arrays


def wrong() -> dict[str, Call]:
    """Calls that are to be refused with a `ValueError`, by what is wrong with them."""
    chance = Chance("wrong calls")
    worth, nets, wishes = any_.worth(chance, 1), any_.nets(chance), any_.wishes(chance)
    alone, rows = any_.worth(chance, 0), wishes[0]
    where, eleven = any_.position(chance, 5, 3, (5,)), any_.position(chance, 11, 3)
    full, nowhere = any_.position(chance, 13, 3), where.copy()
    nowhere[3] = 6
    crowded = np.zeros(52, np.uint8)
    crowded[:4] = 1
    opponent = np.zeros(52, np.uint8)
    opponent[:4] = 8
    hand = np.zeros(52, np.uint8)
    hand[:18] = 5
    read_only = floats(9, 8)
    read_only.flags.writeable = False
    nan = worth.copy()
    nan[4] = np.nan
    four = worth.copy()
    four[4] = 4
    one = b"\1\2\0"
    short = np.zeros(3, np.int16)
    judge = (where, worth, nets, b"")
    examples: Examples = (np.zeros((9, 96), np.uint16), floats(9, 5), floats(9, 7), np.zeros(9, np.uint8))

    def rollouts(
        *,
        choices: bytes = one,
        first: int = 0,
        samples: int = 2,
        exact: int = 0,
        where: Readable = where,
        nets: Readable = nets,
        out: Floats | None = None,
        parts: Floats | None = None,
    ) -> Call:
        values, means = floats(2, 2) if out is None else out, floats(7) if parts is None else parts
        return lambda core: core.rollouts(where, worth, nets, b"", choices, 1, first, samples, exact, values, means)

    def complete(
        *,
        where: Readable = where,
        worth: Readable = worth,
        nets: Readable = nets,
        told: bytes = b"",
        samples: int = 2,
        room: int = 6,
        wishes: Told = wishes,
    ) -> Call:
        made = np.zeros(room, np.int16)
        return lambda core: core.complete(where, worth, nets, told, 1, samples, made, wishes)

    def study(
        *,
        worth: Readable = worth,
        judges: Readable = nets,
        streets: int = 15,
        draws: int = 1,
        wishes: Told = wishes,
        examples: Examples = examples,
    ) -> Call:
        return lambda core: core.study(worth, nets, judges, 1, streets, draws, wishes, *examples)

    return {
        "one row: a card twice": lambda core: core.evaluate(b"\1\1\2"),
        "one row: four cards": lambda core: core.evaluate(b"\1\2\3\4"),
        "one row: none": lambda core: core.evaluate(b""),
        "one row: no such card": lambda core: core.evaluate(b"\1\2\x34"),
        "rows: four cards": lambda core: core.evaluate_many(bytes(8), 4, short),
        "rows: not whole": lambda core: core.evaluate_many(b"\1\2\3\4", 3, short),
        "rows: no room": lambda core: core.evaluate_many(bytes(range(15)), 3, short[:2]),
        "rows: a card five times": lambda core: core.evaluate_many(b"\x0c" * 5, 5, short),
        "rows: a card twice, far on": lambda core: core.evaluate_many(
            bytes(range(50)) * 40 + b"\1\2\3\1\5", 5, np.zeros(401, np.int16)
        ),
        "rows: no such card, far on": lambda core: core.evaluate_many(
            b"\1\2\xff" + bytes(range(48)) * 40, 3, np.zeros(641, np.int16)
        ),
        "rows: numbers of eight bytes": lambda core: core.evaluate_many(np.arange(5), 5, short),
        "rows: strengths of four bytes": lambda core: core.evaluate_many(bytes(range(5)), 5, np.zeros(3, np.int32)),
        "rows: every other card": lambda core: core.evaluate_many(np.arange(10, dtype=np.uint8)[::2], 5, short),
        "rows: no filling": lambda core: core.evaluate_many(bytes(range(5)), 5, memoryview(bytes(2))),
        "Fantasyland: 12 cards": lambda core: core.fantasyland(bytes(range(12)), *wishes),
        "Fantasyland: 18 cards": lambda core: core.fantasyland(bytes(range(18)), *wishes),
        "Fantasyland: a card twice": lambda core: core.fantasyland(bytes([*range(13), 3]), *wishes),
        "Fantasyland: no such card": lambda core: core.fantasyland(bytes([*range(13), 200]), *wishes),
        "Fantasyland: two rows": lambda core: core.fantasyland(bytes(range(14)), rows[:2], *wishes[1:]),
        "Fantasyland: float64": lambda core: core.fantasyland(bytes(range(14)), np.zeros((3, STRENGTHS)), *wishes[1:]),
        "hands: one player": lambda core: core.random_hands(1, 1, 1, worth, np.zeros(5)),
        "hands: five players": lambda core: core.random_hands(1, 1, 5, worth, np.zeros(5)),
        "hands: no room": lambda core: core.random_hands(1, 1, 2, worth, np.zeros(4)),
        "hands: half a worth": lambda core: core.random_hands(1, 1, 2, worth[:100], np.zeros(5)),
        "draws: ten cards": lambda core: core.mean_of_draws(any_.position(chance, 10, 3), worth, True),
        "draws: two to come": lambda core: core.mean_of_draws(any_.position(chance, 11, 0, gone=39), worth, False),
        "draws: 51 places": lambda core: core.mean_of_draws(eleven[:51], worth, False),
        "draws: no head": lambda core: core.mean_of_draws(eleven, worth[:5], False),
        "draws: nan opponents": lambda core: core.mean_of_draws(eleven, nan, False),
        "draws: four opponents": lambda core: core.mean_of_draws(eleven, four, False),
        "draws: too few tables": lambda core: core.mean_of_draws(eleven, worth[:-STRENGTHS], False),
        "draws: bytes that are no floats": lambda core: core.mean_of_draws(eleven, worth.tobytes()[:-1], False),
        "choices: no such place": lambda core: core.choices(nowhere, 2),
        "choices: four on top": lambda core: core.choices(crowded, 0),
        "choices: an opponent's four on top": lambda core: core.choices(opponent, 0),
        "choices: 18 in the hand": lambda core: core.choices(hand, 2),
        "choices: 14 in the hand": lambda core: core.choices(np.where(np.arange(52) < 14, 5, 0).astype(np.uint8), 2),
        "choices: more than there are": lambda core: core.choices(where, 4),
        "choices: fewer than none": lambda core: core.choices(where, -1),
        "exact: two bytes": lambda core: core.exact(eleven, worth, b"\1\2", floats(9, 8)),
        "exact: no room": lambda core: core.exact(eleven, worth, b"\0\0\0" * 2, floats(1, 8)),
        "exact: ten cards": lambda core: core.exact(where, worth, one, floats(1, 8)),
        "exact: a card not in the hand": lambda core: core.exact(eleven, worth, b"\x08\0\0", floats(1, 8)),
        "exact: a card in two rows": lambda core: core.exact(
            any_.position(chance, 9, 3), worth, b"\1\1\0", floats(1, 8)
        ),
        "exact: over the brim": lambda core: core.exact(full, worth, one, floats(1, 8)),
        "exact: no filling": lambda core: core.exact(eleven, worth, b"\0\0\0", read_only),
        "exact: the second choice": lambda core: core.exact(eleven, worth, b"\0\0\0\x80\0\0", floats(2, 8)),
        "judge: half a net": lambda core: core.judge(where, worth, nets[: any_.NET // 2], b"", one, floats(1, 8)),
        "judge: five nets": lambda core: core.judge(where, worth, any_.nets(chance, 5), b"", one, floats(1, 8)),
        "judge: no net": lambda core: core.judge(where, worth, nets[: 2 * any_.NET], b"", one, floats(1, 8)),
        "judge: nets of float64": lambda core: core.judge(
            where, worth, nets.astype(np.float64), b"", one, floats(1, 8)
        ),
        "judge: a card in two rows": lambda core: core.judge(*judge, b"\1\1\0", floats(1, 8)),
        "judge: too few cards": lambda core: core.judge(*judge, b"\1\0\0", floats(1, 8)),
        "judge: choices unlike": lambda core: core.judge(*judge, b"\1\2\0\1\0\0", floats(2, 8)),
        "judge: a hand of eight": lambda core: core.judge(
            any_.position(chance, 5, 8), worth, nets, b"", b"\x80\x40\0", floats(1, 8)
        ),
        "judge: too many choices": lambda core: core.judge(*judge, one * 244, floats(244, 8)),
        "judge: Fantasyland of 12": lambda core: core.judge(where, worth, nets, b"\x0c", one, floats(1, 8)),
        "judge: Fantasyland seen": lambda core: core.judge(where, worth, nets, b"\x0e", one, floats(1, 8)),
        "judge: Fantasyland of 255": lambda core: core.judge(where, worth, nets, b"\xff", one, floats(1, 8)),
        "judge: no room": lambda core: core.judge(*judge, one, floats(7)),
        "rollouts: below the first": rollouts(first=-1),
        "rollouts: beyond the last": rollouts(first=2**30 + 1),
        "rollouts: fewer than none": rollouts(samples=-1),
        "rollouts: too many": rollouts(samples=2**20 + 1),
        "rollouts: fewer tries than none": rollouts(exact=-1),
        "rollouts: all three laid": rollouts(choices=b"\1\2\4"),
        "rollouts: one laid": rollouts(choices=b"\1\0\0"),
        "rollouts: no room": rollouts(out=floats(1)),
        "rollouts: no room for parts": rollouts(parts=floats(6)),
        "rollouts: no net": rollouts(nets=nets[: any_.NET]),
        "rollouts: no cards": rollouts(where=any_.position(chance, 5, 3, gone=30)),
        "rollouts: six cards": rollouts(where=any_.position(chance, 6, 3)),
        "complete: nobody": complete(worth=alone),
        "complete: fewer than none": complete(samples=-1),
        "complete: too many": complete(samples=2**20 + 1),
        "complete: no room": complete(room=5),
        "complete: six cards": complete(where=any_.position(chance, 5, 3, (6,))),
        "complete: no cards": complete(where=any_.position(chance, 5, 3, (0,), gone=30)),
        "complete: no net": complete(nets=nets[: any_.NET]),
        "complete: two rows": complete(wishes=(rows[:2], *wishes[1:])),
        "complete: Fantasyland seen": complete(told=b"\x0e"),
        "study: nobody": study(worth=alone),
        "study: no net": study(judges=nets[: any_.NET]),
        "study: no street": study(streets=16),
        "study: no draws": study(draws=0),
        "study: two rows": study(wishes=(rows[:2], *wishes[1:])),
        "study: no room for parts": study(examples=(*examples[:2], examples[2][:8], examples[3])),
        "study: features of eight bytes": study(examples=(np.zeros((9, 96), np.int64), *examples[1:])),
    }


def odd(core: Core) -> None:
    """Numbers that nobody would give, but that must not break anything: what comes out does not matter."""
    chance = Chance("odd numbers")
    worth = any_.worth(chance, 1)
    nets = any_.nets(chance)
    for odd_one in (np.nan, np.inf, -np.inf, 1e30, -1e30):
        strange = np.where(np.arange(len(worth)) == 4, worth, np.float32(odd_one))
        strange_nets = np.full_like(nets, odd_one)
        for laid, hand, lays in STREETS:
            where = any_.position(chance, laid, hand, (laid,))
            choices = core.choices(where, lays)[:6]
            core.judge(where, strange, strange_nets, b"", choices, floats(2, 8))
            for tries in (0, 3):
                core.rollouts(where, strange, strange_nets, b"", choices, 1, 0, 2, tries, floats(2, 2, 2), floats(2, 7))
        core.mean_of_draws(any_.position(chance, 11, 0), strange, False)
        core.mean_of_draws(any_.position(chance, 11, 0), strange, True)
        core.fantasyland(any_.cards(chance, 15), np.full((3, STRENGTHS), odd_one, np.float32), 0, 15, odd_one, 0, 0, 0)
    core.judge(any_.position(chance, 5, 3), worth, nets, b"", b"", floats(0))
    core.evaluate_many(b"", 5, bytearray())


def run(path: str) -> None:
    """Run everything over a compiled core."""
    spec = importlib.util.spec_from_file_location("_core", path)
    assert spec is not None
    assert spec.loader is not None
    native: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    native.load(*tables())
    core: Core = native
    done = sum(1 for name in ("under sanitizers", "once more") for _ in results(core, name))
    refused = 0
    for what, call in wrong().items():
        try:
            call(core)
        except ValueError:
            refused += 1
        else:
            raise AssertionError(what)
    odd(core)
    print(f"{done} answers, {refused} refusals")


if __name__ == "__main__":
    run(sys.argv[1])
