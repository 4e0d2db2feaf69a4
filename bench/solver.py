"""How quick the solver's core is on one core of the machine, beside other evaluators in the same run.

    .venv/bin/pip install phevaluator eval7     # belong to no other part of the project
    .venv/bin/python -m bench.solver            # writes its section of bench/results.md

Times are the thread's own processor time, and of the plain core that of a process of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import numpy as np

from ananas.bots.levels import LEVELS, LevelBot
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.game.rules import ROOM, RuleSet
from ananas.game.view import view_hand
from ananas.solver import core
from ananas.solver.fantasyland import wishes
from ananas.solver.nets import nets
from ananas.solver.worth import Floats, royalty_worths, usual_lines, worth
from bench.results import write_section

CHANCE: Final = np.random.Generator(np.random.PCG64(1))
Line = tuple[str, str, str, str]
"""What, measured, limit, kept."""


def took(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of a few runs, in seconds."""
    found: list[float] = []
    for _ in range(times):
        began = time.thread_time()
        work()
        found.append(time.thread_time() - began)
    return min(found)


def line(what: str, measured: float, unit: str, limit: float, *, most: bool = False) -> Line:
    """A line of the table; `most` where the limit is an upper one."""
    kept = measured <= limit if most else measured >= limit
    return what, f"{measured:,.3g} {unit}", f"{'<=' if most else '>='} {limit:g}", "yes" if kept else "**no**"


def evaluations() -> list[Line]:
    """Five cards, called one by one and many at once, and the peers."""
    every = np.array(list(combinations(range(52), 5)), np.uint8)
    some = every[CHANCE.permutation(len(every))[:500_000]].copy()
    single = [one.tobytes() for one in some[:200_000]]
    evaluate, out = core.evaluate, np.empty(len(some), np.int16)

    def one_by_one() -> None:
        for one in single:
            evaluate(one)

    lines = [
        line("evaluations, one by one", len(single) / took(one_by_one) / 1e6, "M/s", 10),
        line("evaluations, in batch", len(some) / took(lambda: core.evaluate_many(some, 5, out), 5) / 1e6, "M/s", 400),
    ]
    for name, make in (("phevaluator", _phevaluator), ("treys", _treys), ("eval7", _eval7)):
        try:
            peer, cards = make()
        except ModuleNotFoundError:
            lines.append((f"{name}, one by one", "not installed", "", ""))
            continue
        hands = [[cards[card] for card in one] for one in some[:50_000].tolist()]

        def peers(hands: list[list[Any]] = hands, peer: Callable[[list[Any]], object] = peer) -> None:
            for hand in hands:
                peer(hand)

        lines.append((f"{name}, one by one", f"{len(hands) / took(peers) / 1e6:,.3g} M/s", "", ""))
    return lines


def _phevaluator() -> tuple[Callable[[list[Any]], object], list[Any]]:
    module = importlib.import_module("phevaluator")
    return lambda hand: module.evaluate_cards(*hand), [module.Card(str(card)).id_ for card in DECK]


def _treys() -> tuple[Callable[[list[Any]], object], list[Any]]:
    module = importlib.import_module("treys")
    evaluator = module.Evaluator()
    return lambda hand: evaluator.evaluate([], hand), [module.Card.new(str(card)) for card in DECK]


def _eval7() -> tuple[Callable[[list[Any]], object], list[Any]]:
    module = importlib.import_module("eval7")
    return module.evaluate, [module.Card(str(card)) for card in DECK]


def fantasylands() -> list[Line]:
    """Exact layouts."""
    told = wishes(ROOM, royalty_worths(ROOM), 10.0).told
    lines: list[Line] = []
    for count in (14, 15, 16, 17):
        times: list[float] = []
        for _ in range(4000):
            cards = CHANCE.permutation(52)[:count].astype(np.uint8).tobytes()
            began = time.thread_time_ns()
            core.fantasyland(cards, *told)
            times.append((time.thread_time_ns() - began) / 1e6)
        times.sort()
        lines += [
            line(f"Fantasyland of {count}, median", statistics.median(times), "ms", 0.05, most=True),
            line(f"Fantasyland of {count}, p99", times[int(0.99 * len(times))], "ms", 0.5, most=True),
        ]
    return lines


def positions(laid: tuple[int, int, int], thrown: int, dealt: int = 0) -> list[bytes]:
    """Positions by chance with so many cards in each row."""
    found: list[bytes] = []
    for _ in range(300):
        where, order = np.zeros(52, np.uint8), CHANCE.permutation(52)
        places = [place for place, count in enumerate(laid, 1) for _ in range(count)] + [4] * thrown + [5] * dealt
        where[order[: len(places)]] = places
        found.append(where.tobytes())
    return found


def playing() -> list[Line]:
    """Whole hands, street 4, the nets."""
    alone, weights = worth(ROOM), nets()
    against: Floats = worth(ROOM, [usual_lines()])
    totals = np.zeros(5)
    hands = 500_000 / took(lambda: core.random_hands(1, 500_000, 3, alone, totals))
    places = [one for laid in ((2, 4, 5), (1, 5, 5), (3, 4, 4), (3, 3, 5)) for one in positions(laid, 3)]
    mean = took(lambda: [core.mean_of_draws(one, alone, False) for one in places], 10) / len(places)
    mean_against = took(lambda: [core.mean_of_draws(one, against, False) for one in places], 10) / len(places)
    lines = [
        line("random hands of three, whole", hands / 1e6, "M/s", 2),
        line("the exact mean of a street-4 position, alone", mean * 1e6, "us", 8, most=True),
        line("the same against an opponent", mean_against * 1e6, "us", 8, most=True),
    ]
    for street, asked in ((1, positions((0, 0, 0), 0, 5)), (2, positions((1, 2, 2), 0, 3))):
        ways = [core.choices(one, 5 if street == 1 else 2) for one in asked]
        outs = [np.zeros((len(choices) // 3, 1 + core.PARTS), np.float32) for choices in ways]

        def judge(asked: list[bytes] = asked, ways: list[bytes] = ways, outs: list[Floats] = outs) -> None:
            for one, choices, out in zip(asked, ways, outs, strict=True):
                core.judge(one, against, weights, b"", choices, out)

        what = f"a net's word on a placement of street {street}, {len(outs[0])} in a call"
        lines.append(line(what, took(judge, 10) / sum(map(len, outs)) * 1e6, "us", 0.15, most=True))
    (start,) = positions((0, 0, 0), 0, 5)[:1]
    choice = core.choices(start, 5)[:3]
    values, parts = np.zeros((1, 20_000, 2), np.float32), np.zeros((1, core.PARTS), np.float32)
    rolled = took(lambda: core.rollouts(start, alone, weights, b"", choice, 1, 0, 20_000, 0, values, parts))
    lines.append(line("net rollouts from street 1", 20_000 / rolled, "/s", 50_000))
    return lines


def moves(rules: RuleSet, hands: int) -> list[float]:
    """How long the strongest bot's moves take in whole hands, in seconds: of two or three players, some in Fantasyland."""
    bot, times = LevelBot(list(LEVELS)[-1], rules), list[float]()
    for number in range(hands):
        seats = range(2 + number % 2)
        inside = 14 + number // 2 % 4 if number % 4 > 1 else 0
        order: list[int] = CHANCE.permutation(52).tolist()
        deck = [DECK[card] for card in order]
        hand = Hand.deal(rules, deck, seats=[*seats], fantasyland=[0 if seat else inside for seat in seats])
        while not hand.over:
            player = hand.acting[0]
            view = view_hand(hand, 1, hand.seats[player], {})
            began = time.thread_time()
            placement = bot.place(view, limit=60)
            times.append(time.thread_time() - began)
            hand = hand.place(player, placement)
    return times


def plain_moves() -> list[Line]:
    """The same in the plain core, as an installation without a compiler has it."""
    environment, lines = os.environ | {"ANANAS_CORE": "plain"}, list[Line]()
    for rules, hands in (("room", 60), ("club", 10)):
        script = f"""
import json
from bench.solver import RuleSet, moves
print(json.dumps(moves(RuleSet.parse({rules!r}), {hands})))"""
        command = [sys.executable, "-c", script]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        times: list[float] = sorted(json.loads(ran.stdout))
        what = f"a bot's move in the plain core, by the rules of the {rules}"
        lines += [
            line(f"{what}, p95", 1000 * times[int(0.95 * len(times))], "ms", 50, most=True),
            line(f"{what}, the longest of {len(times)}", 1000 * times[-1], "ms", 50, most=True),
        ]
    return lines


def main() -> None:
    """Measure, print, and keep the section."""
    lines = [*evaluations(), *fantasylands(), *playing(), *plain_moves()]
    rows = [f"| {what} | {measured} | {limit} | {kept} |" for what, measured, limit, kept in lines]
    section = "\n".join(
        [
            "## The solver's core",
            "",
            f"`.venv/bin/python -m bench.solver`, {core.which()}, one core, processor time, {time.strftime('%Y-%m-%d')}.",
            "",
            "| | measured | limit | kept |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )
    print(section)
    write_section(section)


if __name__ == "__main__":
    main()
