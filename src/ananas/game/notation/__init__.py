"""Hand histories and positions as text, both ways; docs/notation.md has the grammar.

A history is a dialect of PHH, the poker hand history standard: TOML with a list of actions. It is checked by playing
it. What belongs here: what a history says, who may know what of it, its text. What does not: files.
"""

from ananas.game.notation.history import Action, HandHistory, write_histories, write_history
from ananas.game.notation.position import Position
from ananas.game.notation.reading import read_histories, read_history

__all__ = [
    "Action",
    "HandHistory",
    "Position",
    "read_histories",
    "read_history",
    "write_histories",
    "write_history",
]
