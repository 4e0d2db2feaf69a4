"""Examples for the nets in the plain core: hands played by the nets, and what each unfinished board in them came to.

The same as native/study.h, with the same numbers by lot: whoever changes the order in which they are drawn changes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ananas.solver.plain import net
from ananas.solver.plain.cards import Chance, Rows, taken
from ananas.solver.plain.fantasyland import Wishes, lay_fantasyland
from ananas.solver.plain.net import FEATURES, IN_FANTASYLAND, NOBODY, SEEN, UNSEEN, Nets
from ananas.solver.plain.play import DEALT, LAID, STREETS, Company, Seat, list_choices, play_out, play_street
from ananas.solver.plain.worth import PARTS, Floats, Other, Worth, in_order, known, mean_of_draws

_HEATS: Final = (0.0, 0.3, 1.0, 3.0)
_EVERY: Final = frozenset(range(52))


class Examples:
    """Examples that are being collected: in each array a row for one board."""

    def __init__(
        self, features: NDArray[np.uint16], dense: Floats, parts: Floats, street: NDArray[np.uint8], streets: int
    ) -> None:
        self.features: Final = features
        self.dense: Final = dense
        self.parts: Final = parts
        self.street: Final = street
        self._streets: Final = streets
        self.count = 0

    @property
    def full(self) -> bool:
        """Whether there is room for no more."""
        return self.count == len(self.features)

    def wants(self, street: int) -> bool:
        """Whether boards of a street are collected."""
        return not self.full and bool(self._streets >> street & 1)


class Hand:
    """One hand that examples are taken from: alone, beside one in Fantasyland, or with one who is seen."""

    def __init__(self, nets: Nets, worth: Worth, wishes: Wishes, chance: Chance) -> None:
        self._nets: Final = nets
        self._chance: Final = chance
        fantasyland = _random_fantasyland(chance)
        company = chance.below(20)
        self._alone: Final = company < 7
        self._in_fantasyland: Final = company >= 18
        self._players: Final = 1 if self._alone or self._in_fantasyland else 2
        self._heat: Final = _HEATS[chance.below(4)]
        wild = chance.below(10) == 0  # a first street laid by lot
        self._deck: Final = [*range(52)]
        chance.draw(self._deck, 52)
        self._worth: Final = worth._replace(fantasyland=fantasyland, others=() if self._alone else worth.others)
        self._after: Final[list[list[Rows]]] = [[], []]
        self._shown: Final[list[list[set[int]]]] = [[set()], [set()]]  # what lies open of each after so many streets
        self._play(wild=wild)
        self._other: Final = self._lay(wishes) if self._in_fantasyland else Rows()

    def take(self, examples: Examples, playouts: int, tries: int) -> None:
        """Take every board of a wanted street as an example, while there is room."""
        for seat in range(self._players):
            worth, gone = self._worth, {card for row in self._other for card in row}
            if self._players == 2:
                gone = self._shown[1 - seat][STREETS]
                worth = self._against(self._after[1 - seat][-1])
            elif self._in_fantasyland:
                worth = worth._replace(others=(known(self._other.made, dead=False),))
            for street in range(STREETS - 1):
                if examples.wants(street):
                    self._take(examples, seat, street, worth, gone, playouts, tries)

    def _dealt(self, seat: int, street: int) -> list[int]:
        first = 17 * seat + (2 + 3 * street if street else 0)
        return self._deck[first : first + DEALT[street]]

    def _play(self, *, wild: bool) -> None:
        seats = [Seat(Rows(), {*_EVERY}) for _ in range(2)]
        for street in range(STREETS):
            for number in range(self._players):
                seat, dealt = seats[number], self._dealt(number, street)
                if street < 4 and (self._nets[street] is None or (street == 0 and wild)):
                    seat.unseen -= {*dealt}
                    choices = list_choices(seat.rows, DEALT[street], LAID[street])
                    chosen = choices[self._chance.below(len(choices))]
                    seat.rows = seat.rows.with_choice(dealt, chosen.tolist())
                else:
                    company = Company(self._kind(seen=street + number > 0), seats[1 - number].rows)
                    chosen = play_street(
                        self._nets, self._worth, seat, street, dealt, company, self._heat, self._chance
                    )
                open_now = {card for bits in chosen.tolist() for card in taken(dealt, bits)}
                self._shown[number].append(self._shown[number][-1] | open_now)
                self._after[number].append(seat.rows)
                if self._players == 2:
                    seats[1 - number].unseen -= self._shown[number][-1]

    def _kind(self, *, seen: bool) -> int:
        if self._alone:
            return NOBODY
        if self._in_fantasyland:
            return IN_FANTASYLAND
        return SEEN if seen else UNSEEN

    def _lay(self, wishes: Wishes) -> Rows:
        cards = self._deck[17 : 17 + 13 + self._chance.below(5)]
        layout = lay_fantasyland(wishes, cards)
        if layout is None:
            raise ValueError("no board of these cards is in order")
        return Rows(*(taken(cards, bits) for bits in layout.taken))

    def _against(self, rows: Rows) -> Worth:
        other: Other = known(rows.made, dead=not in_order(self._worth, *rows.made))
        return self._worth._replace(others=(other,))

    def _take(
        self, examples: Examples, seat: int, street: int, worth: Worth, gone: set[int], playouts: int, tries: int
    ) -> None:
        """One board, as its owner saw it: at times the opponent's last streets are taken to be unseen."""
        chance, lag = self._chance, 0
        rows = self._after[seat][street]
        if self._players == 2:
            truly = street + seat
            lag = truly if chance.below(10) < 7 else chance.below(truly + 1)
        seen = self._after[1 - seat][lag - 1] if lag else Rows()
        company = Company(self._kind(seen=lag > 0), seen)
        unseen = _EVERY - {*self._deck[17 * seat : 17 * seat + 5 + 3 * street]} - self._shown[1 - seat][lag]
        if chance.below(4) == 0:  # a third player's cards lie open too
            unseen -= {*self._deck[34 : 34 + min(18, 3 + 2 * street)]} - gone
        at = examples.count
        examples.count += 1
        live = net.live_cards([*unseen])
        features = net.shared_features(live, company.kind, company.rows)
        for place, cards in enumerate(rows):
            features += net.row_features(cards, place, live)
        features += net.order_features(rows)
        examples.features[at] = FEATURES
        examples.features[at, : len(features)] = features
        examples.dense[at] = net.dense_inputs(worth)
        examples.street[at] = street + 1
        examples.parts[at] = self._parts(rows, unseen, street, worth, company, gone, playouts, tries)

    def _parts(
        self,
        rows: Rows,
        unseen: frozenset[int],
        street: int,
        worth: Worth,
        company: Company,
        gone: set[int],
        playouts: int,
        tries: int,
    ) -> Floats:
        if street == 3:
            return mean_of_draws(worth, rows, sorted(unseen - gone)).parts.ravel()
        found = [
            play_out(self._nets, worth, Seat(rows, {*unseen}), street, company, gone, tries, self._chance).parts[0]
            for _ in range(playouts)
        ]
        mean = np.zeros(PARTS, np.float32)
        for one in found:
            mean += one / np.float32(playouts)
        return mean


def study(
    nets: Nets, worth: Worth, wishes: Wishes, examples: Examples, playouts: int, tries: int, chance: Chance
) -> None:
    """Play hands until there is room for no more examples."""
    while not examples.full:
        Hand(nets, worth, wishes, chance).take(examples, playouts, tries)


def _random_fantasyland(chance: Chance) -> Floats:
    """What Fantasyland is worth in one hand: more or less, the same for every entry or not."""
    kind, ten = chance.below(10), np.float32(10)
    first = np.float32(0)
    if kind < 6:
        first = 6 + np.float32(chance.below(100)) / ten
    elif kind < 9:
        first = 5 + np.float32(chance.below(200)) / ten
    more = np.array([0, 5, 9, 13], np.float32) if 3 < kind < 8 else np.zeros(4, np.float32)
    return np.concatenate([np.zeros(1, np.float32), first + more])


def has_nets(nets: Sequence[object | None], streets: int) -> bool:
    """Whether every wanted street has the net of the street after it."""
    return all(nets[street + 1] is not None for street in range(3) if streets >> street & 1)
