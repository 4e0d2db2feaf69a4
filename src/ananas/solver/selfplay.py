"""What Fantasyland is worth by a set of rules, found by playing it.

One lies in Fantasyland with so many cards, another plays an ordinary hand; what the first wins on average is what the
hand itself is worth. To that comes what it may lead to: he may stay, the other may enter. Both are worth what is being
looked for, so it is looked for again and again until it no longer moves. What belongs here: that sum. What does not:
how boards are played (placements.py and the nets).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ananas.game.board import Board
from ananas.game.cards import DECK, Card
from ananas.game.fantasyland import entry, stays
from ananas.game.rules import RuleSet
from ananas.game.scoring import reckon
from ananas.solver import core
from ananas.solver.fantasyland import wishes
from ananas.solver.nets import nets
from ananas.solver.placements import GLANCE, PINEAPPLE, Knowledge, think
from ananas.solver.plain.core import APART
from ananas.solver.worth import Measured, cards_worth, row_worths, usual_lines, worth

CARDS: Final = (13, 14, 15, 16, 17)
_ROUNDS: Final = 4
_PORTION: Final = 20_000
"""So many hands the core plays at a call: it takes no more than a million, and hears no Ctrl-C before it is through."""


class _Played(NamedTuple):
    """Hands of so many cards against an ordinary one: points won, whether he stays, with how many cards the other enters."""

    points: NDArray[np.float64]
    stayed: NDArray[np.bool_]
    entered: NDArray[np.int64]


def measure(
    rules: RuleSet, hands: int, seed: int = 1, told: Callable[[int, int], None] = lambda _done, _all: None
) -> Measured:
    """Play so many hands for each number of cards, in each of a few rounds, and tell what they are worth.

    `told` hears how many parts of the work are done, and of how many.
    """
    points = {cards: cards_worth(rules, cards) for cards in CARDS}
    error = dict.fromkeys(CARDS, 0.0)
    for turn in range(_ROUNDS):
        played: dict[int, _Played] = {}
        for place, cards in enumerate(CARDS):
            played[cards] = _play(rules, cards, points, hands, seed + turn)
            told(turn * len(CARDS) + place + 1, _ROUNDS * len(CARDS))
        for _ in range(200):
            stay = _staying(rules, points, played)
            points = {cards: float(_worths(played[cards], points, stay).mean()) for cards in CARDS}
        for cards in CARDS:
            each = _worths(played[cards], points, _staying(rules, points, played))
            # What a stay leads to is as uncertain as all the rest: a hand's own error counts that much more.
            again = 1 - float(played[cards].stayed.mean()) if rules.fantasyland_repeats == "unlimited" else 1.0
            error[cards] = float(each.std(ddof=1) / np.sqrt(len(each))) / max(0.2, again)
    return Measured(
        points={str(cards): round(points[cards], 2) for cards in CARDS},
        error={str(cards): round(float(error[cards]), 2) for cards in CARDS},
        hands=hands,
    )


def _worths(played: _Played, points: Mapping[int, float], stay: float) -> NDArray[np.float64]:
    """What each hand was worth, with what it leads to."""
    enters = np.array([points.get(cards, 0.0) for cards in range(18)])
    return np.asarray(played.points + played.stayed * stay - enters[played.entered], np.float64)


def _staying(rules: RuleSet, points: Mapping[int, float], played: Mapping[int, _Played]) -> float:
    """What it is worth to stay: all that a hand of so many cards is or, where one stays but once, the hand without that."""
    if rules.fantasyland_repeats == 0:
        return 0.0
    cards = rules.fantasyland_stay_cards
    if rules.fantasyland_repeats == "unlimited" or cards not in played:
        return points[cards]
    return float(_worths(played[cards], points, 0.0).mean())


def _play(rules: RuleSet, cards: int, points: Mapping[int, float], hands: int, seed: int) -> _Played:
    boards = _by_nets if (rules.deal, rules.place) == PINEAPPLE else _by_thought
    return boards(rules, cards, points, hands, seed)


def _by_nets(rules: RuleSet, cards: int, points: Mapping[int, float], hands: int, seed: int) -> _Played:
    """Let the core play both boards, a portion of the hands at a time; how large it is changes nothing."""
    entering = [points[number] for number in rules.fantasyland_cards]
    stay = wishes(rules, row_worths(rules), _staying(rules, points, {}))
    each = worth(rules, [usual_lines(), usual_lines()], fantasyland=entering)
    found: list[_Played] = []
    for first in range(0, hands, _PORTION):
        made = np.zeros((min(_PORTION, hands - first), 2, 3), np.int16)
        chance = seed * 1_000_003 + cards + first * APART & 2**64 - 1
        core.complete(bytes(52), each, nets(), bytes((cards, 0)), chance, len(made), made, stay.told)
        found.append(_reckoned(rules, made))
    return _Played(*map(np.concatenate, zip(*found, strict=True)))


def _reckoned(rules: RuleSet, made: NDArray[np.int16]) -> _Played:
    """Compare the strengths of both boards' rows, hand by hand."""
    told = worth(rules)
    royalties, entries = told[16:].reshape(4, -1)[:3], told[16:].reshape(4, -1)[3].astype(int)
    strict = rules.equality == "strict"
    less = 1 if strict else 0
    alive: NDArray[np.bool_] = np.diff(made.astype(np.int64), axis=2).min(axis=2) >= less
    earned = np.stack([royalties[row][made[:, :, row]] for row in range(3)], axis=2) * alive[:, :, None]
    lines = np.sign(made[:, 0].astype(int) - made[:, 1])
    scoop = (
        np.where(np.abs(lines.sum(axis=1)) == 3, lines.sum(axis=1), 0)
        if rules.scoring == "1-6"
        else ((lines == 1).sum(axis=1) >= 2).astype(int) - ((lines == -1).sum(axis=1) >= 2)
    )
    both: NDArray[np.bool_] = alive[:, 0] & alive[:, 1]
    if rules.royalties == "line-winner":
        wins = np.stack([lines > 0, lines < 0], axis=1)
        earned = np.where(both[:, None, None], earned * wins, earned)
    total = earned.sum(axis=2)
    points = np.where(both, lines.sum(axis=1) + scoop, 0) + total[:, 0] - total[:, 1]
    points = points + rules.foul_points * ((~alive[:, 1]).astype(int) - (~alive[:, 0]))
    met = {
        "top-trips": entries[made[:, 0, 0]] == 4,
        "middle-full-house": made[:, 0, 1] >= _LEAST["middle-full-house"],
        "middle-quads": made[:, 0, 1] >= _LEAST["middle-quads"],
        "bottom-quads": made[:, 0, 2] >= _LEAST["bottom-quads"],
    }
    stayed = np.zeros(len(made), bool)
    for condition in rules.fantasyland_stay:
        stayed |= met[condition]
    brings = np.array([0, *rules.fantasyland_cards])
    entered = np.where(alive[:, 1], brings[entries[made[:, 1, 0]]], 0)
    return _Played(points.astype(float), stayed & alive[:, 0] & (rules.fantasyland == "on"), entered)


_LEAST: Final = {
    name: core.evaluate(bytes(cards))
    for name, cards in {
        "middle-full-house": (0, 13, 26, 1, 14),
        "middle-quads": (0, 13, 26, 39, 1),
        "bottom-quads": (0, 13, 26, 39, 1),
    }.items()
}


def _by_thought(rules: RuleSet, cards: int, points: Mapping[int, float], hands: int, seed: int) -> _Played:
    """Play card by card, a glance for each, where the core knows no whole hands."""
    stay = wishes(rules, row_worths(rules), _staying(rules, points, {}))
    found = [
        _one_hand(rules, stay.lay(deck[:cards]).placement.rows, deck[cards:]) for deck in _decks(hands, seed, cards)
    ]
    return _Played(
        np.array([one[0] for one in found]), np.array([one[1] for one in found]), np.array([one[2] for one in found])
    )


def _one_hand(rules: RuleSet, laid: str, deck: tuple[Card, ...]) -> tuple[float, bool, int]:
    board, discards, at = Board(), tuple[Card, ...](), 0
    for dealt, lays in zip(rules.deal, rules.place, strict=True):
        knowledge = Knowledge(
            board=board,
            dealt=deck[at : at + dealt],
            lays=lays,
            discards=discards,
            others=(Board(),),
            inside=(13,),
        )
        best = think(knowledge, rules, GLANCE, time.monotonic() + 60)[0].placement
        board, discards, at = board.place(best), discards + best.discards, at + dealt
    inside = Board.parse(laid)
    free = replace(rules, settlement_cap="none")
    mine, his = reckon([inside, board], [0, 1], free).players
    return float(mine.points), not mine.foul and stays(inside, rules), 0 if his.foul else entry(board, rules)


def _decks(hands: int, seed: int, cards: int) -> list[tuple[Card, ...]]:
    """Numbered decks: always the same for a seed."""
    return [
        tuple(
            card
            for _, card in sorted(
                (hashlib.sha256(f"{seed} {cards} {hand} {card}".encode()).digest(), card) for card in DECK
            )
        )
        for hand in range(hands)
    ]
