"""What a bot is: one method, from what a seat may know to what it does."""

from __future__ import annotations

from typing import Protocol

from ananas.game.board import Placement
from ananas.game.view import HandView


class Bot(Protocol):
    """A player that is a program. It is told what its seat may know, and nothing else."""

    def place(self, view: HandView, limit: float) -> Placement:
        """Choose where the cards dealt go and which are thrown away, within `limit` seconds of thinking.

        Raises `ValueError` when it is not the turn of the view's seat.
        """
        ...
