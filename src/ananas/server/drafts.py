"""Drafts: how the acting player has his cards arranged before he confirms. In memory only, and for his turn alone."""

from __future__ import annotations

from collections.abc import Mapping

from ananas.game.board import Placement
from ananas.protocol import Draft
from ananas.table.decide import acting
from ananas.table.state import Table


class Drafts:
    """The draft of a table's present turn; once the turn is over there is none."""

    def __init__(self) -> None:
        self._turn: tuple[int, int] | None = None
        self._placement = Placement()

    def put(self, table: Table, player: str, message: Draft, now: int) -> None:
        """Take a draft in place of the one before.

        Raises `Refused` as a placement would be: another's turn, a turn that is over, cards that do not fit.
        """
        hand, turn = acting(table, player, message.hand, message.street, now)
        placement = Placement.parse(message.placement)
        hand.check_draft(turn, placement)
        self._turn = _turn(table)
        self._placement = placement

    def by_seat(self, table: Table) -> Mapping[int, Placement]:
        """The draft of the present turn by its seat; empty where there is none."""
        if self._turn is None or self._turn != _turn(table) or table.hand is None or table.turn is None:
            return {}
        return {table.hand.seats[table.turn]: self._placement}

    def due(self, table: Table) -> Placement | None:
        """The draft that counts if the acting player's time runs out now."""
        return next(iter(self.by_seat(table).values()), None)


def _turn(table: Table) -> tuple[int, int] | None:
    """Which turn it is: the hand, and how many placements it has so far; None when nobody acts."""
    if table.hand is None or table.turn is None:
        return None
    return table.hands, sum(map(len, table.hand.placements))
