"""The points on which tables differ, as data."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from ananas.refused import Refused

Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a table; the defaults are the named set `room`.

    >>> RuleSet(seats=2).place
    (5, 2, 2, 2, 2)

    `seats` is the number of places. `deal` and `place` count the cards dealt and laid on each street. Times are in
    seconds, `buy_in` in points, `point_price` in the currency's smallest unit and for display only.
    """

    seats: Annotated[int, msgspec.Meta(ge=2, le=3)] = 3
    deal: tuple[int, ...] = (5, 3, 3, 3, 3)
    place: tuple[int, ...] = (5, 2, 2, 2, 2)
    foul_points: Annotated[int, msgspec.Meta(ge=0, le=100)] = 6
    hand_seconds: Seconds = 120
    ready_seconds: Seconds = 30
    showdown_seconds: Seconds = 8
    buy_in: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 50
    point_price: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 1000

    def __post_init__(self) -> None:
        if self.deal != (5, 3, 3, 3, 3):
            raise Refused("bad-rule", name="deal", value=str(self.deal), detail="only 5,3,3,3,3 is played so far")
        if self.place != (5, 2, 2, 2, 2):
            raise Refused("bad-rule", name="place", value=str(self.place), detail="only 5,2,2,2,2 is played so far")

    @property
    def streets(self) -> int:
        """How many streets a hand has."""
        return len(self.deal)


ROOM: Final = RuleSet()
"""The rules of the online room, the default everywhere."""
