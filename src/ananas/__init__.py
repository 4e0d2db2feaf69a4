"""Open-face Chinese poker "Pineapple" as a library: cards, boards, a hand, its showdown, and what a seat may know of it.

>>> ours = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs")
>>> theirs = Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")
>>> reckoning = reckon((ours, theirs), seats=(0, 1), rules=RuleSet(seats=2))
>>> [player.points for player in reckoning.players], [player.foul for player in reckoning.players]
([17, -17], [False, True])

The room itself is `ananas serve`; importing this imports no server. Bots are in `ananas.bots`, tables of many hands in
`ananas.table`.
"""

from ananas.deal import shuffle
from ananas.game.board import ROWS, Board, Placement, Row, placements
from ananas.game.cards import DECK, Card, Rank, Suit, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.royalties import royalty
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import PairResult, PlayerResult, Reckoning, RowResult, fouled, reckon
from ananas.game.strength import Category, category_of, ranks_of, strength
from ananas.game.view import HandView, PlayerView, view_hand
from ananas.refused import Refused
from ananas.version import __version__

__all__ = [
    "DECK",
    "ROOM",
    "ROWS",
    "Board",
    "Card",
    "Category",
    "Hand",
    "HandView",
    "PairResult",
    "Placement",
    "PlayerResult",
    "PlayerView",
    "Rank",
    "Reckoning",
    "Refused",
    "Row",
    "RowResult",
    "RuleSet",
    "Suit",
    "__version__",
    "category_of",
    "fouled",
    "parse_cards",
    "placements",
    "print_cards",
    "ranks_of",
    "reckon",
    "royalty",
    "shuffle",
    "strength",
    "view_hand",
]
