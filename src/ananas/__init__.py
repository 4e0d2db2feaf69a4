"""Open-face Chinese poker "Pineapple" as a library: cards, boards, a hand, its showdown, and what a seat may know of it.

>>> ours = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs")
>>> theirs = Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")
>>> reckoning = reckon((ours, theirs), seats=(0, 1), rules=RuleSet.parse("room"), stacks=(50, 10))
>>> [player.points for player in reckoning.players], [player.foul for player in reckoning.players]
([17, -17], [False, True])
>>> [player.stack for player in reckoning.players], reckoning.players[0].fantasyland
([60, 0], 14)

The room itself is `ananas serve`; importing this imports no server. Bots are in `ananas.bots`, tables of many hands in
`ananas.table`.
"""

from ananas.deal import shuffle
from ananas.game.board import Board, Placement, Row, placements
from ananas.game.cards import DECK, Card, Rank, Suit, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.notation import (
    HandHistory,
    Position,
    read_histories,
    read_history,
    write_histories,
    write_history,
)
from ananas.game.royalties import RoyaltyTable, royalty
from ananas.game.rules import ROOM, RULE_SETS, RuleSet
from ananas.game.scoring import Reckoning, fouled, reckon
from ananas.game.strength import Category, category_of, strength
from ananas.game.view import HandView, view_hand
from ananas.refused import Refused
from ananas.version import __version__

__all__ = [
    "DECK",
    "ROOM",
    "RULE_SETS",
    "Board",
    "Card",
    "Category",
    "Hand",
    "HandHistory",
    "HandView",
    "Placement",
    "Position",
    "Rank",
    "Reckoning",
    "Refused",
    "Row",
    "RoyaltyTable",
    "RuleSet",
    "Suit",
    "__version__",
    "category_of",
    "fouled",
    "parse_cards",
    "placements",
    "print_cards",
    "read_histories",
    "read_history",
    "reckon",
    "royalty",
    "shuffle",
    "strength",
    "view_hand",
    "write_histories",
    "write_history",
]
