"""The proof of a hand as one player may know it: made by the room, checked by anybody, told as a file.

What belongs here: players' seeds, what a proof holds, making one and checking one. What does not: who may see which card,
which `ananas.game.view` and `ananas.table.view` say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, Literal, NamedTuple, NoReturn

import msgspec

from ananas.fair.deck import (
    DECKS,
    DEPTH,
    LEAVES,
    Block,
    Choice,
    blocks,
    choose,
    climb,
    dealt,
    deck_root,
    deck_roots,
    deck_seeds,
    digest,
    leaf,
    make_deck,
    other_decks,
    path,
    siblings,
    tree,
)
from ananas.game.cards import DECK, Card
from ananas.game.secret import Discreet

SEED: Final = 16
"""How many bytes a player's seed has."""


class Seed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat gave to the chance of a hand: its `commitment`, and its `seed` where it was told in time."""

    seat: int
    commitment: str
    seed: str | None


class OpenCard(Discreet, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that is opened: its leaf in the deck, its salt, and the hashes beside the way to the root of the deck."""

    leaf: int
    card: Card
    salt: str
    path: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """That what was opened of a hand lay in its deck before anybody had a seed; `docs/fair.md` says how it is checked.

    `hand`: the table and the number. `root`: what was published at first. `deal`, `seats` (in order of play) and
    `fantasyland` (cards dealt at once, or 0): what was dealt to whom. `choice`: what the seeds come to. `deck`: the
    number of the deck that was dealt, with its root and the way from there to the `root`. `others`: the seeds that tell
    all other decks; none while the hand is running. `cards`: those that are opened, by leaf.
    """

    format: Literal["ananas-proof-1"] = "ananas-proof-1"
    hand: str
    root: str
    seeds: tuple[Seed, ...]
    deal: tuple[int, ...]
    seats: tuple[int, ...]
    fantasyland: tuple[int, ...]
    choice: str
    deck: int
    deck_root: str
    deck_path: tuple[str, ...]
    others: tuple[str, ...]
    cards: tuple[OpenCard, ...]


class BadProof(Exception):
    """A proof that proves nothing; says in plain English why, seats counted from 1 as players see them."""


def commitment(hand_id: str, seat: int, seed: str) -> str:
    """What binds a player to his seed, 16 bytes in hexadecimal digits, before he tells it.

    >>> commitment("t1/1", 0, "00" * 16)[:16]
    '5904fbc6771bc0cf'
    """
    return digest(b"commit", hand_id.encode("ascii"), bytes([seat]), bytes.fromhex(seed)).hex()


def draw(hand_id: str, root: str, seeds: Sequence[Seed]) -> bytes:
    """The chance of all: the room's root, and what each seat that is bound told, by seat.

    >>> draw("t1/1", "00" * 32, ()).hex()[:16]
    '568c8d543d51fc69'
    """
    parts: list[bytes] = []
    for one in sorted(seeds, key=lambda one: one.seat):
        parts += (bytes([one.seat]), bytes.fromhex(one.commitment), bytes.fromhex(one.seed or ""))
    return digest(b"draw", hand_id.encode("ascii"), bytes.fromhex(root), *parts)


class Sealed:
    """A hand whose seeds are told: the deck that is dealt, and proofs of its cards. Prints nothing of them.

    `deck`: all cards, in the order of the slots of `ananas.game.hand.Hand`. `index`: the number of the deck. `root`: what
    was published.
    """

    __slots__ = (
        "_beside", "_choice", "_deal", "_fantasyland", "_hand", "_levels", "_seats", "_secret", "_seeds", "_to_root",
        "_where", "deck", "index", "root",
    )  # fmt: skip

    def __init__(
        self,
        hand_id: str,
        master: bytes,
        seeds: Sequence[Seed],
        deal: Sequence[int],
        seats: Sequence[int],
        fantasyland: Sequence[int],
    ) -> None:
        self._hand: Final = hand_id
        self._seeds: Final = tuple(sorted(seeds, key=lambda one: one.seat))
        self._deal, self._seats, self._fantasyland = tuple(deal), tuple(seats), tuple(fantasyland)
        _check_seats(self._seeds, self._seats)
        owned = blocks(deal, len(seats), fantasyland)
        hand = hand_id.encode("ascii")
        roots = tree(deck_roots(hand, master))
        self.root: Final = roots[-1][0].hex()
        self._choice: Final = choose(draw(hand_id, self.root, self._seeds), deal, seats, fantasyland)
        self.index: Final = self._choice.deck
        self._to_root: Final = path(roots, self.index)
        self._beside: Final = siblings(hand, master, self.index)
        self._secret: Final = make_deck(hand, self.index, deck_seeds(hand, master)[self.index])
        self._levels: Final = tree(self._secret.leaves)
        self._where: Final = {DECK[card]: place for place, card in enumerate(self._secret.order)}
        self.deck: Final = dealt(self._secret, self._choice.order, owned)

    def proof(self, cards: Iterable[Card], over: bool) -> Proof:  # noqa: FBT001 - the hand is over, or it is not
        """Prove these cards to whoever may see them; while the hand is running nothing is said about other decks.

        Raises `ValueError` for cards that were not dealt.
        """
        places = sorted({self._where[card] for card in cards})
        owned = _owners(self._choice, self._deal, self._seats, self._fantasyland)
        if any(place not in owned for place in places):
            raise ValueError("a card that was not dealt is never opened")
        return Proof(
            hand=self._hand,
            root=self.root,
            seeds=self._seeds,
            deal=self._deal,
            seats=self._seats,
            fantasyland=self._fantasyland,
            choice=self._choice.value.hex(),
            deck=self.index,
            deck_root=self._levels[-1][0].hex(),
            deck_path=_hex(self._to_root),
            others=_hex(self._beside) if over else (),
            cards=tuple(
                OpenCard(
                    leaf=place,
                    card=DECK[self._secret.order[place]],
                    salt=self._secret.salts[place].hex(),
                    path=_hex(path(self._levels, place)),
                )
                for place in places
            ),
        )


def unseal(
    hand_id: str,
    master: bytes,
    seeds: Sequence[Seed],
    deal: Sequence[int],
    seats: Sequence[int],
    fantasyland: Sequence[int],
) -> Sealed:
    """Deal a hand out of what was sealed, by the seeds that were told.

    >>> unseal("t1/1", bytes(32), (), (5, 3, 3, 3, 3), (0, 1), (0, 0)).index
    22

    `seats`: in order of play. `fantasyland`: how many cards each gets at once, or 0. Raises `ValueError` for streets that no
    deck is enough for, and for a seed of a seat that is not dealt in.
    """
    return Sealed(hand_id, master, seeds, deal, seats, fantasyland)


def _check_seats(seeds: Sequence[Seed], seats: Sequence[int]) -> None:
    told = [one.seat for one in seeds]
    if len(set(told)) < len(told) or not set(told) <= set(seats):
        raise ValueError(f"seeds of the seats {told} where the seats {list(seats)} are dealt in")


def _hex(parts: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(part.hex() for part in parts)


def _owners(
    choice: Choice, deal: Sequence[int], seats: Sequence[int], fantasyland: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """The player and the street, both from 0, that each dealt leaf belongs to."""
    owned: Sequence[Sequence[Block]] = blocks(deal, len(seats), fantasyland)
    return {
        place: (player, street)
        for player, streets in enumerate(owned)
        for street, (first, end) in enumerate(streets)
        for place in choice.order[first:end]
    }


# -- a file


def encode(proof: Proof) -> bytes:
    """The one way to write a proof: fields in their order, no spaces, a line end."""
    return msgspec.json.encode(proof) + b"\n"


_HAND: Final = re.compile("[A-Za-z0-9_-]{1,64}/[1-9][0-9]{0,8}")


def verify(data: bytes, root: str | None = None, seeds: Iterable[Seed] = ()) -> Proof:
    """Read a proof and check all of it, with nothing but these bytes.

    `root` and `seeds`: what the reader knows himself, since only he can: the root he was shown before the hand was called,
    and the seeds he knows of. Raises `BadProof` for whatever the room did not make: every byte counts.
    """
    proof = _read(data)
    hand = proof.hand.encode("ascii")
    _check_known(proof, root, seeds)
    _check_seeds(proof)
    owned = _check_choice(proof)
    _check_cards(proof, hand, owned)
    beside = [bytes.fromhex(text) for text in proof.deck_path]
    if climb(bytes.fromhex(proof.deck_root), proof.deck, beside).hex() != proof.root:
        _bad("the deck is not under the root")
    if proof.others:
        _check_others(proof, hand)
    return proof


def _bad(reason: str) -> NoReturn:
    raise BadProof(reason)


def _read(data: bytes) -> Proof:
    """What the bytes say, as far as it can be a proof at all."""
    try:
        proof = msgspec.json.decode(data, type=Proof)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadProof(f"this is no proof: {error}") from None
    if encode(proof) != data:
        _bad("a proof is written in one way only, and this one is written otherwise")
    if not _HAND.fullmatch(proof.hand):
        _bad("a hand is told as a table and a number")
    rows = [proof.deck_path, *([proof.others] if proof.others else []), *(one.path for one in proof.cards)]
    if any(len(row) != DEPTH for row in rows):
        _bad(f"six hashes or seeds lead through a tree of {LEAVES}")
    told = [one for one in proof.seeds if one.seed is not None]
    for texts, size in (
        ([proof.root, proof.choice, proof.deck_root, *(one.commitment for one in proof.seeds), *chain(*rows)], 32),
        ([*(one.seed or "" for one in told), *(one.salt for one in proof.cards)], SEED),
    ):
        for text in texts:
            if not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text):
                _bad(f"{text[:80]} is not {size} bytes in lower-case hexadecimal digits")
    return proof


def _check_known(proof: Proof, root: str | None, seeds: Iterable[Seed]) -> None:
    if root is not None and root != proof.root:
        _bad("this is not the root that was shown")
    for seed in seeds:
        if seed not in proof.seeds:
            _bad(f"the seed of seat {seed.seat + 1} is missing, or another one stands there")


def _check_seeds(proof: Proof) -> None:
    told = [one.seat for one in proof.seeds]
    if not all(0 <= seat <= 255 for seat in proof.seats):
        _bad("a seat is written as a number from 0 to 255")
    if len(set(proof.seats)) < len(proof.seats):
        _bad("a seat is dealt in once")
    if told != sorted(set(told)) or not set(told) <= set(proof.seats):
        _bad("seeds stand by seat, each of a seat that is dealt in")
    for one in proof.seeds:
        if one.seed is not None and commitment(proof.hand, one.seat, one.seed) != one.commitment:
            _bad(f"the seed of seat {one.seat + 1} is not the one it was bound to")


def _check_choice(proof: Proof) -> Mapping[int, tuple[int, int]]:
    """Which deck is dealt and which of its leaves are dealt to whom follows from the seeds, and from nothing else."""
    choice = choose(draw(proof.hand, proof.root, proof.seeds), proof.deal, proof.seats, proof.fantasyland)
    if choice.value.hex() != proof.choice:
        _bad("the seeds come to another choice")
    if choice.deck != proof.deck:
        _bad(f"the seeds choose deck {choice.deck}, not {proof.deck}")
    try:
        return _owners(choice, proof.deal, proof.seats, proof.fantasyland)
    except ValueError as error:
        raise BadProof(str(error)) from None


def _check_cards(proof: Proof, hand: bytes, owned: Mapping[int, tuple[int, int]]) -> None:
    places = [one.leaf for one in proof.cards]
    if places != sorted(set(places)):
        _bad("cards stand by leaf, each leaf once")
    if len({one.card for one in proof.cards}) < len(places):
        _bad("a card is there twice")
    root = bytes.fromhex(proof.deck_root)
    for one in proof.cards:
        if one.leaf not in owned:
            _bad(f"leaf {one.leaf} ({one.card}) was dealt to nobody")
        found = leaf(hand, proof.deck, one.leaf, one.card, bytes.fromhex(one.salt))
        if climb(found, one.leaf, [bytes.fromhex(text) for text in one.path]) != root:
            _bad(f"{one.card} does not lie at leaf {one.leaf} of the deck")


def _check_others(proof: Proof, hand: bytes) -> None:
    """Make all other decks anew, and the root out of theirs."""
    others = other_decks(hand, [bytes.fromhex(text) for text in proof.others], proof.deck)
    roots = {number: deck_root(hand, number, seed) for number, seed in others.items()}
    roots[proof.deck] = bytes.fromhex(proof.deck_root)
    if tree([roots[number] for number in range(DECKS)])[-1][0].hex() != proof.root:
        _bad("the other decks are not those that were sealed")


# -- what a proof says


class Street(NamedTuple):
    """What a proof opens of one street, counted from 1, of a seat: the cards, and how many stay hidden."""

    seat: int
    street: int
    cards: tuple[Card, ...]
    hidden: int


def streets(proof: Proof) -> tuple[Street, ...]:
    """Seat by seat in order of play, and street by street, which cards a proof opens; Fantasyland is one street."""
    choice = choose(draw(proof.hand, proof.root, proof.seeds), proof.deal, proof.seats, proof.fantasyland)
    opened = {one.leaf: one for one in proof.cards}
    found: list[Street] = []
    for player, owned in enumerate(blocks(proof.deal, len(proof.seats), proof.fantasyland)):
        for number, (first, end) in enumerate(owned, 1):
            there = sorted(
                (opened[place] for place in choice.order[first:end] if place in opened), key=lambda one: one.salt
            )
            cards = tuple(one.card for one in there)
            found.append(Street(proof.seats[player], number, cards, end - first - len(cards)))
    return tuple(found)
