"""Drafts: how those who act have their cards arranged before they confirm. In memory only, each for one turn alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ananas.game.board import Placement
from ananas.protocol import Draft
from ananas.table.decide import acting
from ananas.table.state import Table

_Turn = tuple[int, int]
"""A hand and a street."""


class Drafts:
    """The drafts of a table, by seat; each is gone when its seat's turn is over, whatever others do meanwhile."""

    def __init__(self) -> None:
        self._by_seat: Final[dict[int, tuple[_Turn, Placement]]] = {}

    def put(self, table: Table, player: str, message: Draft, now: int) -> bool:
        """Take a draft in place of the one before; tell whether it lies open to everybody.

        Raises `Refused` as a placement would be: another's turn, a turn that is over, cards that do not fit.
        """
        hand, place = acting(table, player, message.hand, message.street, now)
        placement = Placement.parse(message.placement)
        hand.check_draft(place, placement)
        self._by_seat[hand.seats[place]] = (message.hand, message.street), placement
        return hand.laid_openly(place)

    def by_seat(self, table: Table) -> Mapping[int, Placement]:
        """The drafts of the turns that go on; empty where nobody has arranged anything."""
        hand = table.hand
        if hand is None or not table.laying or not self._by_seat:
            return {}
        turns = {hand.seats[place]: (table.hands, hand.street_of(place)) for place in hand.acting}
        return {seat: placement for seat, (turn, placement) in self._by_seat.items() if turns.get(seat) == turn}
