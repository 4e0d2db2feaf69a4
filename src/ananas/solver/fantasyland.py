"""Fantasyland at its best: thirteen to seventeen cards known at once, and the board that is worth most of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from ananas.game.board import Board, Placement
from ananas.game.cards import Card, parse_cards
from ananas.game.fantasyland import stays
from ananas.game.rules import RuleSet, Stay
from ananas.game.scoring import reckon
from ananas.game.strength import strength
from ananas.refused import Refused
from ananas.solver import core
from ananas.solver.tables import numbers
from ananas.solver.worth import Floats, row_worths, royalty_worths, stay_worth

_STAYS: Final[dict[Stay, int]] = {"top-trips": 1, "middle-full-house": 2, "middle-quads": 4, "bottom-quads": 8}
_TRIPS: Final = strength(parse_cards("2s2h2d"))
_FULL_HOUSE: Final = strength(parse_cards("2s2h2d3s3h"))
_QUADS: Final = strength(parse_cards("2s2h2d2c3s"))


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The best layout: a placement of all cards, its royalties, whether it stays, and the value that was looked for."""

    placement: Placement
    royalties: int
    stays: bool
    value: float


class Wishes(NamedTuple):
    """What the best layout is to have: a value for each row by strength, and one for staying.

    `told`: the same as the cores read it: row worths, strict, conditions of staying as bits, its value, and the weakest
    strengths that meet them.
    """

    rules: RuleSet
    told: tuple[Floats, int, int, float, int, int, int]

    def lay(self, cards: Sequence[Card]) -> Layout:
        """Lay thirteen of the cards as a board in order, the most valuable one, and throw the others away."""
        value, *taken = core.fantasyland(numbers(tuple(cards)), *self.told)
        top, middle, bottom = (tuple(card for place, card in enumerate(cards) if one >> place & 1) for one in taken)
        board = Board(top, middle, bottom)
        (result,) = reckon([board], [0], self.rules).players
        return Layout(
            placement=Placement(top, middle, bottom, tuple(card for card in cards if card not in board.cards)),
            royalties=result.royalties,
            stays=stays(board, self.rules),
            value=value,
        )


def wishes(rules: RuleSet, worths: Floats, stay: float) -> Wishes:
    """Wish for rows that are worth so much, three rows of numbers by strength that never fall, and for staying."""
    conditions = sum(_STAYS[condition] for condition in rules.fantasyland_stay)
    on = rules.fantasyland == "on" and stay > 0
    strict = int(rules.equality == "strict")
    return Wishes(rules, (worths, strict, conditions if on else 0, float(stay), _TRIPS, _FULL_HOUSE, _QUADS))


def fantasyland(cards: Sequence[Card] | str, rules: RuleSet | str = "room", stay: float | None = None) -> Layout:
    """Lay Fantasyland in the best way, exactly.

    >>> best = fantasyland("2s2h2d2c3s 3h3d4c5h 7s8s9sTs", stay=10)
    >>> str(best.placement), best.royalties, best.stays
    ('3h3d4c/3s7s8s9sTs/2s2h2d2c5h', 18, True)

    By default it is worth what it brings by the table's rules against usual opponents: royalties, lines, and to stay.
    With `stay`, it maximizes its royalties, and so many points more where it stays, and nothing else. Where a royalty
    table of one's own pays a weaker row more, the stronger is taken to be worth as much, and the best may be missed. Raises
    `Refused("bad-position")` unless these are 13 to 17 different cards, and `stay` 0 to 1000.
    """
    rules = RuleSet.parse(rules) if isinstance(rules, str) else rules
    cards = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    if not 13 <= len(cards) <= 17 or len(set(cards)) < len(cards):
        twice = sorted({str(card) for card in cards if cards.count(card) > 1})
        detail = f"{', '.join(twice)} is there twice" if twice else f"these are {len(cards)} cards"
        raise Refused("bad-position", detail=f"Fantasyland is laid from 13 to 17 different cards; {detail}")
    if stay is not None and not 0 <= stay <= 1000:
        raise Refused("bad-position", detail=f"staying is worth 0 to 1000 points, not {stay}")
    worths = row_worths(rules) if stay is None else royalty_worths(rules)
    return wishes(rules, worths, stay_worth(rules) if stay is None else stay).lay(cards)
