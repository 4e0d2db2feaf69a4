"""Fantasyland: who gets in, with how many cards, and who stays. Neither is ever had from a dead board."""

from __future__ import annotations

from typing import Final

from ananas.game.board import Board
from ananas.game.cards import Card, Rank
from ananas.game.rules import RuleSet
from ananas.game.strength import Category, category_of, ranks_of, strength

_CATEGORIES: Final = tuple(Category)
_RANKS: Final = "23456789TJQKA"


def entry(board: Board, rules: RuleSet) -> int:
    """Tell how many cards the top row of a board that is not dead brings in the next hand; 0 where it brings none.

    >>> from ananas.game.rules import PROGRESSIVE, ROOM
    >>> queens, aces = Board.parse("QsQd2c/-/-"), Board.parse("AsAd2c/-/-")
    >>> entry(queens, ROOM), entry(aces, PROGRESSIVE), entry(Board.parse("JsJd2c/-/-"), ROOM)
    (14, 16, 0)
    """
    top = strength(board.top)
    highest = ranks_of(top)[0]
    queens, kings, aces, trips = rules.fantasyland_cards
    if rules.fantasyland == "off":
        return 0
    if category_of(top) is Category.TRIPS:
        return trips
    if category_of(top) is not Category.PAIR or highest < _RANKS.index(rules.fantasyland_entry[0]) + 2:
        return 0
    return {Rank.KING: kings, Rank.ACE: aces}.get(Rank(highest), queens)


def stays(board: Board, rules: RuleSet) -> bool:
    """Tell whether a full board that is not dead would keep its owner in Fantasyland, were he there.

    >>> from ananas.game.rules import CLUB, ROOM
    >>> board = Board.parse("QsQd2c/KhKdKc3s3d/AhKs9h4h2h")
    >>> stays(board, ROOM), stays(board, CLUB)
    (False, True)
    """
    if rules.fantasyland == "off":
        return False
    met = {
        "top-trips": category_of(strength(board.top)) is Category.TRIPS,
        "middle-full-house": _at_least(Category.FULL_HOUSE, board.middle),
        "middle-quads": _at_least(Category.QUADS, board.middle),
        "bottom-quads": _at_least(Category.QUADS, board.bottom),
    }
    return any(met[condition] for condition in rules.fantasyland_stay)


def stay_cards(rules: RuleSet, repeats: int) -> int:
    """Tell how many cards one who stays gets next, after so many stays in a row; 0 where the rules allow no more."""
    allowed = rules.fantasyland_repeats == "unlimited" or repeats < rules.fantasyland_repeats
    return rules.fantasyland_stay_cards if allowed else 0


def _at_least(category: Category, cards: tuple[Card, ...]) -> bool:
    return _CATEGORIES.index(category_of(strength(cards))) >= _CATEGORIES.index(category)
