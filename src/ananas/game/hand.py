"""One hand, from the deck to the showdown, street by street.

A hand is the deck and what was placed; everything else follows. What belongs here: whose turn it is, which cards he
has to lay, what may be laid, what the table lays for him. What does not: who may see it (view.py), who sits where, time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final

import msgspec
from msgspec.structs import replace

from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card, print_cards
from ananas.game.rules import RuleSet
from ananas.game.scoring import Reckoning, reckon
from ananas.game.secret import Discreet
from ananas.refused import Refused

_FILL_ORDER: Final = (Row.BOTTOM, Row.MIDDLE, Row.TOP)


class Hand(Discreet, msgspec.Struct, frozen=True, dict=True):
    """One layout by all who are dealt in.

    `seats`: their places at the table in order of play, from the button's left; the last one holds the button. A
    player is an index into it. `deck`: all fifty-two cards; each player's are a slice of it, so nobody's cards depend
    on how others play. `stacks`: what each has on the table; empty where nothing limits payments. `fantasyland`: with
    how many cards each lays at once, 0 for street by street; `repeats`: how often in a row he has stayed there.
    `placements`: for each player, what he has laid and thrown away, street by street. `boards`: the rows these have made,
    carried along since everything asks for them.

    >>> hand = Hand.deal(RuleSet(), DECK, seats=(1, 0))
    >>> hand.acting, print_cards(hand.dealt(0)), hand.dealt(1)
    ((0,), '2c3c4c5c6c', ())
    >>> hand = hand.place(0, Placement.parse("-/2c3c/4c5c6c"))
    >>> hand.acting, hand.street_of(0), str(hand.boards[0])
    ((1,), 2, '-/2c3c/4c5c6c')
    """

    told = ("seats",)

    rules: RuleSet
    deck: tuple[Card, ...]
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    fantasyland: tuple[int, ...]
    repeats: tuple[int, ...]
    placements: tuple[tuple[Placement, ...], ...]
    boards: tuple[Board, ...]

    @classmethod
    def deal(
        cls,
        rules: RuleSet,
        deck: Sequence[Card],
        seats: Sequence[int],
        *,
        stacks: Sequence[int] = (),
        fantasyland: Sequence[int] = (),
        repeats: Sequence[int] = (),
    ) -> Hand:
        """Begin a hand; what is not given is an ordinary hand without stacks.

        Raises `ValueError` unless the deck is whole, there are two to the most seats of the rules, all different, and
        the other lists, where given, have an entry for each of them that the rules allow.
        """
        if sorted(deck) != sorted(DECK):
            raise ValueError("a deck holds each of the fifty-two cards once")
        if not 2 <= len(seats) == len(set(seats)) <= rules.seats[1]:
            raise ValueError(f"{len(seats)} seats {tuple(seats)} cannot play at a table for {rules.seats[1]}")
        for given in (stacks, fantasyland, repeats):
            if given and len(given) != len(seats):
                raise ValueError(f"{len(given)} entries for {len(seats)} seats")
        if any(cards and not 13 <= cards <= len(deck) // len(seats) for cards in fantasyland):
            raise ValueError(f"Fantasyland of {tuple(fantasyland)} cards cannot be dealt")
        none = (0,) * len(seats)
        return cls(
            rules=rules,
            deck=tuple(deck),
            seats=tuple(seats),
            stacks=tuple(stacks),
            fantasyland=tuple(fantasyland) or none,
            repeats=tuple(repeats) or none,
            placements=((),) * len(seats),
            boards=(Board(),) * len(seats),
        )

    def street_of(self, player: int) -> int:
        """The street the player has to lay next, counted from 1; one more than there are when he is done.

        Fantasyland is laid at once, as street 1.
        """
        laid = len(self.placements[player])
        return (self.rules.streets if laid and self.fantasyland[player] else laid) + 1

    def done(self, player: int) -> bool:
        """Whether the player has laid his whole board."""
        return self.street_of(player) > self.rules.streets

    @cached_property
    def closed(self) -> bool:
        """Whether all lay at once and nothing is shown before the showdown.

        So it is when everybody is in Fantasyland, and where Fantasyland comes after the others also when all but one are.
        """
        others = self.fantasyland.count(0)
        return others == 0 or (others == 1 and self.rules.fantasyland_timing == "after")

    def face_down(self, player: int) -> bool:
        """Whether what the player lays is seen by nobody else before the showdown."""
        return self.closed or self.fantasyland[player] > 0

    def laid_openly(self, player: int) -> bool:
        """Whether all see the cards the player has to lay now, and where he puts them before he confirms."""
        open_street = self.rules.street_one == "open" and self.street_of(player) == 1
        return player in self.acting and open_street and not self.face_down(player)

    @cached_property
    def acting(self) -> tuple[int, ...]:
        """The players who have cards to lay now, in order of play; none when all is laid.

        In turn: the lowest street first, within it the order of play. Fantasyland lies outside the turns.
        """
        waiting = [player for player in range(len(self.seats)) if not self.done(player)]
        if self.closed:
            return tuple(waiting)
        in_turn = [player for player in waiting if not self.fantasyland[player]]
        first = min(in_turn, key=self.street_of, default=None)
        if first is None:
            return tuple(waiting)
        if self.rules.fantasyland_timing == "after":
            return (first,)
        return tuple(player for player in waiting if self.fantasyland[player] or player == first)

    @property
    def over(self) -> bool:
        """Whether every board is full."""
        return not self.acting

    def dealt(self, player: int) -> tuple[Card, ...]:
        """The cards the player has to lay now, in order of receipt; who is not acting has none."""
        if player not in self.acting:
            return ()
        own = player * (len(self.deck) // len(self.seats))
        if cards := self.fantasyland[player]:
            return self.deck[own : own + cards]
        ends = list(accumulate(self.rules.deal, initial=own))
        street = self.street_of(player)
        return self.deck[ends[street - 1] : ends[street]]

    def to_lay(self, player: int) -> int:
        """How many of the cards dealt to a player who acts go to his board; the others he throws away."""
        return 13 if self.fantasyland[player] else self.rules.place[self.street_of(player) - 1]

    def place(self, player: int, placement: Placement) -> Hand:
        """Lay a street, or Fantasyland, finally.

        Raises `Refused`: `no-hand` after the last street, `not-your-turn` (naming the table's seats whose turn it is),
        `cards-not-yours`, `wrong-count`, `row-full`, `not-discarded`.
        """
        dealt, needed = self._check(player, placement)
        if len(placement.laid) != needed:
            raise Refused("wrong-count", placed=len(placement.laid), needed=needed)
        board = self.boards[player].place(placement)
        missing = [card for card in dealt if card not in placement.cards]
        if missing:
            raise Refused("not-discarded", cards=print_cards(missing))
        mine = (*self.placements[player], placement)
        placements = (*self.placements[:player], mine, *self.placements[player + 1 :])
        boards = (*self.boards[:player], board, *self.boards[player + 1 :])
        return replace(self, placements=placements, boards=boards)

    def check_draft(self, player: int, placement: Placement) -> None:
        """Raise the `Refused` that keeps an unfinished placement from ever becoming one that `place` takes."""
        dealt, needed = self._check(player, placement)
        if len(placement.laid) > needed or len(placement.discards) > len(dealt) - needed:
            raise Refused("wrong-count", placed=len(dealt) - len(placement.discards), needed=needed)
        self.boards[player].place(placement)

    def _check(self, player: int, placement: Placement) -> tuple[tuple[Card, ...], int]:
        """Refuse another's turn and cards not dealt or named twice; give the cards dealt and how many are to be laid."""
        if self.over:
            raise Refused("no-hand")
        if player not in self.acting:
            raise Refused("not-your-turn", turn=", ".join(str(self.seats[acting]) for acting in self.acting))
        dealt = self.dealt(player)
        left = list(dealt)
        foreign: list[Card] = []
        for card in placement.cards:
            if card in left:
                left.remove(card)
            else:
                foreign.append(card)
        if foreign:
            raise Refused("cards-not-yours", cards=print_cards(foreign), dealt=print_cards(dealt))
        return dealt, self.to_lay(player)

    def automatic(self, player: int, draft: Placement | None) -> Placement:
        """What the table lays for a player who acts when his time is spent.

        What he had put into rows stays there. His other cards, a drafted discard among them, fill the bottom, the
        middle and the top in order of receipt until enough are laid; what is left then is thrown away. A draft that
        does not fit this turn counts as none. Raises `Refused` when it is not his turn.

        >>> hand = Hand.deal(RuleSet(), DECK, seats=(0, 1))
        >>> str(hand.automatic(0, Placement.parse("6c/-/-")))
        '6c/-/2c3c4c5c'
        """
        dealt, needed = self._check(player, Placement())
        kept = Placement()
        if draft is not None:
            try:
                self.check_draft(player, draft)
                kept = draft
            except Refused:
                pass
        return in_order(self.boards[player], dealt, needed, kept)

    @cached_property
    def reckoning(self) -> Reckoning | None:
        """The showdown, once every board is full."""
        if not self.over:
            return None
        return reckon(
            self.boards,
            self.seats,
            self.rules,
            stacks=self.stacks or None,
            fantasyland=self.fantasyland,
            repeats=self.repeats,
        )


def in_order(board: Board, dealt: Sequence[Card], lays: int, kept: Placement | None = None) -> Placement:
    """Lay so many cards in order of receipt, the bottom first, around what is kept in rows, and throw the rest away.

    >>> str(in_order(Board.parse("-/-/2c3c4c5c"), DECK[4:7], 2))
    '-/7c/6c x8c'
    """
    rows = {row: list(kept.row(row)) if kept else [] for row in ROWS}
    rest = [card for card in dealt if kept is None or card not in kept.laid]
    for _ in range(lays - (len(kept.laid) if kept else 0)):
        row = next(row for row in _FILL_ORDER if len(rows[row]) < board.room(row))
        rows[row].append(rest.pop(0))
    return Placement(tuple(rows[Row.TOP]), tuple(rows[Row.MIDDLE]), tuple(rows[Row.BOTTOM]), tuple(rest))
