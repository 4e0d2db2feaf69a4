"""Examples for the nets in the plain core: hands played by the nets, and what each unfinished board in them is worth.

The same as native/study.h, with the same numbers by lot: whoever changes the order in which they are drawn changes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ananas.solver.plain import net
from ananas.solver.plain.cards import OTHERS, Chance, Rows, taken
from ananas.solver.plain.fantasyland import Wishes, lay_fantasyland
from ananas.solver.plain.net import FEATURES, IN_FANTASYLAND, NOBODY, SEEN, UNSEEN, Nets
from ananas.solver.plain.play import DEALT, LAID, STREETS, Company, Seat, best_of, list_choices, play_street
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
        self._wishes: Final = wishes
        self._play(wild=wild)

    def take(self, examples: Examples, judges: Nets, draws: int) -> None:
        """Take every board of a wanted street as an example, while there is room."""
        for seat in range(self._players):
            for street in range(STREETS - 1):
                if examples.wants(street):
                    self._take(examples, seat, street, judges, draws)

    def _dealt(self, seat: int, street: int) -> list[int]:
        first = 17 * seat + (2 + 3 * street if street else 0)
        return self._deck[first : first + DEALT[street]]

    def _play(self, *, wild: bool) -> None:
        seats = [Seat(Rows(), {*_EVERY}) for _ in range(2)]
        for street in range(STREETS):
            for number in range(self._players):
                seat, dealt = seats[number], self._dealt(number, street)
                if street < 4 and (self._nets[street] is None or (street == 0 and wild)):
                    chosen = self._lay_by_lot(seat, street, dealt)
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

    def _lay_by_lot(self, seat: Seat, street: int, dealt: list[int]) -> NDArray[np.uint8]:
        seat.unseen -= {*dealt}
        choices = list_choices(seat.rows, DEALT[street], LAID[street])
        chosen: NDArray[np.uint8] = choices[self._chance.below(len(choices))]
        seat.rows = seat.rows.with_choice(dealt, chosen.tolist())
        return chosen

    def _kind(self, *, seen: bool) -> int:
        if self._alone:
            return NOBODY
        if self._in_fantasyland:
            return IN_FANTASYLAND
        return SEEN if seen else UNSEEN

    def _take(self, examples: Examples, seat: int, street: int, judges: Nets, draws: int) -> None:
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
            unseen -= {*self._deck[34 : 34 + min(18, 3 + 2 * street)]}
        at = examples.count
        examples.count += 1
        live = net.live_cards([*unseen])
        features = net.shared_features(live, company.kind, company.rows)
        for place, cards in enumerate(rows):
            features += net.row_features(cards, place, live)
        features += net.order_features(rows)
        examples.features[at] = FEATURES
        examples.features[at, : len(features)] = features
        examples.dense[at] = net.dense_inputs(self._worth)
        examples.street[at] = street + 1
        own = Seat(rows, {*unseen})
        if street < 3:
            examples.parts[at] = self._next_street(judges, own, street, company, draws)
        else:
            ends = () if self._alone else tuple(self._end_of_other(company, lag, own) for _ in range(OTHERS))
            worth = self._worth._replace(others=ends)
            examples.parts[at] = mean_of_draws(worth, rows, sorted(unseen)).parts.ravel()

    def _end_of_other(self, company: Company, lag: int, own: Seat) -> Other:
        """How the opponent's board may end that its rival sees so far: the nets play it on, with cards he has not seen."""
        cards, chance = sorted(own.unseen), self._chance
        if company.kind == IN_FANTASYLAND:
            dealt = 13 + chance.below(5)
            chance.draw(cards, dealt)
            cards = sorted(cards[:dealt])
            layout = lay_fantasyland(self._wishes, cards)
            if layout is None:
                raise ValueError("no board of these cards is in order")
            rows = Rows(*(taken(cards, bits) for bits in layout.taken))
        else:
            his = Seat(company.rows, {*own.unseen})
            chance.draw(cards, 3 * (STREETS - lag) if lag else 17)
            for street in range(lag, STREETS):
                drawn, cards = cards[: DEALT[street]], cards[DEALT[street] :]
                if street < 4 and self._nets[street] is None:
                    self._lay_by_lot(his, street, drawn)
                else:
                    seen = Company(SEEN, own.rows)
                    play_street(self._nets, self._worth, his, street, drawn, seen, 0, chance)
            rows = his.rows
        return known(rows.made, dead=not in_order(self._worth, *rows.made))

    def _next_street(self, judges: Nets, own: Seat, street: int, company: Company, draws: int) -> Floats:
        """What a board is worth by the next cards it may get: some choose what is then laid, others judge it."""
        cards, mean = sorted(own.unseen), np.zeros(PARTS, np.float32)
        judging = judges[street + 1]
        choosing = judging if self._nets[street + 1] is None else self._nets[street + 1]
        if judging is None or choosing is None:
            raise ValueError("a street is studied with the net of the street after it")
        for _ in range(draws):
            self._chance.draw(cards, 3)
            dealt, unseen = cards[:3], [*own.unseen - {*cards[:3]}]
            choices = list_choices(own.rows, 3, 2)
            setting = net.prepare(choosing, self._worth, unseen, company.kind, company.rows)
            told = net.judge(choosing, self._worth, setting, own.rows, dealt, choices)
            best = best_of(told.points)
            if choosing is not judging:
                setting = net.prepare(judging, self._worth, unseen, company.kind, company.rows)
                told = net.judge(judging, self._worth, setting, own.rows, dealt, choices[best : best + 1])
                best = 0
            mean += told.parts[best] / np.float32(draws)
        return mean


def study(
    nets: Nets, judges: Nets, worth: Worth, wishes: Wishes, examples: Examples, draws: int, chance: Chance
) -> None:
    """Play hands until there is room for no more examples."""
    while not examples.full:
        Hand(nets, worth, wishes, chance).take(examples, judges, draws)


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
