"""The players' part in the shuffle: when a seed may be bound and opened, and what is dealt by them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from ananas import fair
from ananas.game.rules import RuleSet
from ananas.table.state import Sealing, Table


def hand_id(table_id: str, number: int, alias: str = "") -> str:
    """What names a hand among all hands, in everything that seals it.

    `alias`: what stands there in place of its table, drawn at random for this hand, so that no hand leads to its table
    nor to another hand of it. Hands that were sealed before there were any have a hash of the table's address there.
    """
    return f"{alias or sha256(table_id.encode()).hexdigest()[:16]}/{number}"


def name_of(table_id: str, sealed: Sealing) -> str:
    """The name of the hand whose decks these are."""
    return hand_id(table_id, sealed.hand, sealed.alias)


def seeds_of(sealed: Sealing, seats: Sequence[int]) -> tuple[fair.Seed, ...]:
    """The seeds of those who were called, as a proof tells them."""
    bound = ((seat, sealed.seeds[seat]) for seat in sorted(seats) if seat in sealed.seeds)
    return tuple(fair.Seed(seat=seat, commitment=commitment, seed=seed) for seat, (commitment, seed) in bound)


def unsealed(
    table_id: str, sealed: Sealing, rules: RuleSet, seats: Sequence[int], fantasyland: Sequence[int]
) -> fair.Sealed:
    """A hand as it is dealt from its sealed decks; `seats` in order of play."""
    seeds = seeds_of(sealed, seats)
    name = name_of(table_id, sealed)
    return fair.unseal(name, bytes.fromhex(sealed.master), seeds, rules.deal, seats, fantasyland)


def drawn(table_id: str, sealed: Sealing, called: Sequence[int]) -> int:
    """The lot of a hand, by the seeds of those who were called."""
    return fair.lot(fair.draw(name_of(table_id, sealed), sealed.root, seeds_of(sealed, called)))


def may_commit(table: Table, number: int) -> bool:
    """Whether a seat may bind itself to a seed: the decks of the hand to come are sealed, and it has not done so yet."""
    seat, sealed = table.seats[number], table.sealed
    if seat is None or seat.bot or sealed is None:
        return False
    return sealed.hand == table.hands + 1 and not table.busy and number not in sealed.seeds


def may_open(table: Table, number: int, time: int) -> bool:
    """Whether a seat may open its seed: the hand is called and waits for it, and the seat is bound to one.

    `time`: the table's own time.
    """
    sealed = table.sealed
    if sealed is None or table.open_by is None or time >= table.open_by or number not in table.called:
        return False
    return number in sealed.seeds and sealed.seeds[number][1] is None
