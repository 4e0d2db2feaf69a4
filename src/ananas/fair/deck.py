"""Decks that are sealed before they are dealt: how sixty-four of them come out of one secret, and what binds a room to them.

What belongs here: the hash, the tree of seeds, a deck and its tree of hashes, how two of the three chances meet in a deal.
What does not: who may see which card, what a proof looks like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count, pairwise
from typing import Final, NamedTuple

import msgspec

from ananas.game.cards import DECK, Card
from ananas.game.secret import SECRET

DEPTH: Final = 6
DECKS: Final = 1 << DEPTH
"""How many decks are sealed for a hand; the players' seeds choose the one that is dealt, and all others are opened."""
LEAVES: Final = 1 << DEPTH
"""How many leaves the tree of a deck has: one for each card, and twelve that are empty."""
MASTER: Final = 32
"""How many bytes the secret of a hand has."""
SALT: Final = 16
"""How many bytes are hashed with each card, so that nobody finds a card by trying all fifty-two."""
LOTS: Final = 12
"""How many lots there are for the first button: a number that two, three and four seats divide."""
REMEMBERED: Final = 256
"""Of how many hands the roots are kept in mind, 2 KB each: a hand is dealt soon after it was sealed."""

_HEAD: Final = b"ananas/1 "
_SHA256: Final = hashlib.sha256


def framed(*parts: bytes) -> bytes:
    """Parts one after the other, each behind its length, so that no two lists of parts make the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def digest(label: bytes, *parts: bytes) -> bytes:
    """The one hash of all this: SHA-256 of what it is for, and of the parts.

    >>> digest(b"node", bytes(32), bytes(32)).hex()[:16]
    '0223c617bd097fa8'
    """
    return _SHA256(_HEAD + label + b"\n" + framed(*parts)).digest()


def stream(label: bytes, key: bytes) -> Iterator[bytes]:
    """Bytes without end that nobody can tell who does not know the key, in blocks of 32."""
    start = _HEAD + label + b"\n" + framed(key) + (4).to_bytes(4, "big")
    for number in count():
        yield _SHA256(start + number.to_bytes(4, "big")).digest()


def _bytes_of(label: bytes, key: bytes) -> Iterator[int]:
    for block in stream(label, key):
        yield from block


def below(limit: int, source: Iterator[int]) -> int:
    """A number from 0 up to the limit, never the limit; bytes that would make one likelier are thrown away."""
    even = 256 - 256 % limit
    for number in source:
        if number < even:
            return number % limit
    raise ValueError("the bytes ran out")


def permutation(source: Iterator[int]) -> list[int]:
    """The numbers 0 to 51, every order as likely as any other; the same bytes shuffle a deck as in `ananas.deal`."""
    order = list(range(len(DECK)))
    for last in range(len(DECK) - 1, 0, -1):
        chosen = below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return order


# -- the tree of seeds


def children(hand: bytes, seed: bytes) -> tuple[bytes, bytes]:
    """The two seeds below one."""
    return digest(b"left", hand, seed), digest(b"right", hand, seed)


def deck_seeds(hand: bytes, seed: bytes, depth: int = DEPTH) -> list[bytes]:
    """All seeds so many levels below one, from left to right."""
    seeds = [seed]
    for _ in range(depth):
        seeds = [child for parent in seeds for child in children(hand, parent)]
    return seeds


def siblings(hand: bytes, master: bytes, index: int) -> list[bytes]:
    """The seeds beside the way from the master down to one deck: they tell every deck but that one."""
    found: list[bytes] = []
    seed = master
    for level in range(DEPTH - 1, -1, -1):
        below_it = children(hand, seed)
        right = index >> level & 1
        seed = below_it[right]
        found.append(below_it[1 - right])
    return found


def other_decks(hand: bytes, beside: Sequence[bytes], index: int) -> dict[int, bytes]:
    """The seeds of all decks but one by number, from the seeds beside the way to it."""
    found: dict[int, bytes] = {}
    for level, seed in zip(range(DEPTH - 1, -1, -1), beside, strict=True):
        first = (index >> level ^ 1) << level
        found |= enumerate(deck_seeds(hand, seed, level), first)
    return found


# -- one deck


_EMPTY: Final = bytes(32)
_NODE: Final = _HEAD + b"node\n" + (32).to_bytes(4, "big")
_LENGTH: Final = (32).to_bytes(4, "big")
_PLACES: Final = tuple(framed(bytes([place])) for place in range(len(DECK)))
_NAMES: Final = tuple(framed(card.encode()) + SALT.to_bytes(4, "big") for card in DECK)


class SecretDeck(NamedTuple):
    """A deck as it was sealed: the number of the card at each leaf, its salt, and the hash that stands for it."""

    order: list[int]
    salts: list[bytes]
    leaves: list[bytes]

    def __repr__(self) -> str:
        return f"SecretDeck({SECRET})"


def make_deck(hand: bytes, number: int, seed: bytes) -> SecretDeck:
    """The deck that a seed makes; a seed makes nothing but a proper deck."""
    order = permutation(_bytes_of(b"order", seed))
    salts: list[bytes] = []
    for block in stream(b"salt", seed):
        salts += (block[:SALT], block[SALT:])
        if len(salts) >= len(DECK):
            break
    start = _HEAD + b"leaf\n" + framed(hand, bytes([number]))
    leaves = [
        _SHA256(start + _PLACES[place] + _NAMES[order[place]] + salts[place]).digest() for place in range(len(DECK))
    ]
    return SecretDeck(order, salts, leaves)


def leaf(hand: bytes, number: int, place: int, card: str, salt: bytes) -> bytes:
    """The hash that stands for one card of a deck."""
    return digest(b"leaf", hand, bytes([number]), bytes([place]), card.encode(), salt)


def _above(row: Sequence[bytes]) -> list[bytes]:
    return [_SHA256(_NODE + left + _LENGTH + right).digest() for left, right in zip(row[::2], row[1::2], strict=True)]


def _nothing() -> list[bytes]:
    """The hash over nothing, level by level."""
    levels = [_EMPTY]
    for _ in range(DEPTH):
        levels += _above([levels[-1], levels[-1]])
    return levels


_NOTHING: Final = _nothing()


def tree(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """The levels of a tree from the leaves up to the root, without what stands for nothing."""
    levels = [list(leaves)]
    for level in range(DEPTH):
        row = levels[-1]
        levels.append(_above(row if len(row) % 2 == 0 else [*row, _NOTHING[level]]))
    return levels


def path(levels: Sequence[Sequence[bytes]], place: int) -> list[bytes]:
    """The hashes beside the way from a leaf up to the root."""
    found: list[bytes] = []
    for level in range(DEPTH):
        beside = place >> level ^ 1
        found.append(levels[level][beside] if beside < len(levels[level]) else _NOTHING[level])
    return found


def climb(found: bytes, place: int, beside: Sequence[bytes]) -> bytes:
    """The root to which a leaf leads."""
    for level, other in enumerate(beside):
        found = digest(b"node", other, found) if place >> level & 1 else digest(b"node", found, other)
    return found


def deck_root(hand: bytes, number: int, seed: bytes) -> bytes:
    """The root of the deck that a seed makes."""
    return tree(make_deck(hand, number, seed).leaves)[-1][0]


_remembered: Final[dict[tuple[bytes, bytes], tuple[bytes, ...]]] = {}


def deck_roots(hand: bytes, master: bytes, rest: Callable[[], None] | None = None) -> tuple[bytes, ...]:
    """The roots of all decks of a hand; those of the last few hands are remembered. `rest`: called after each deck."""
    if len(master) != MASTER:
        raise ValueError(f"the secret of a hand has {MASTER} bytes, not {len(master)}")
    known = _remembered.get((hand, master))
    if known is not None:
        return known
    roots: list[bytes] = []
    for number, seed in enumerate(deck_seeds(hand, master)):
        roots.append(deck_root(hand, number, seed))
        if rest is not None:
            rest()
    if len(_remembered) >= REMEMBERED:
        # Several threads may do this at once: nothing here is seen half done, and what is gone is gone.
        _remembered.pop(list(_remembered)[0], None)  # noqa: RUF015
    return _remembered.setdefault((hand, master), tuple(roots))


def seal(hand_id: str, master: bytes, rest: Callable[[], None] | None = None) -> str:
    """Make the decks of a hand and bind oneself to them: the root that is published before anybody has a seed.

    >>> seal("t1/1", bytes(32))[:16]
    'a57834a81d607d24'

    It is some milliseconds of work in 64 pieces; `rest` is called after each, for whoever has to let others have their turn.
    """
    return tree(deck_roots(hand_id.encode("ascii"), master, rest))[-1][0].hex()


# -- what is dealt


def lot(draw: bytes) -> int:
    """The lot from 0 to 11 that says who has the first button of a table, out of the draw of a hand.

    >>> lot(bytes(32))
    1
    """
    return below(LOTS, _bytes_of(b"lot", draw))


def setup(deal: Sequence[int], seats: Sequence[int], fantasyland: Sequence[int]) -> bytes:
    """What a hand deals and to whom, as the bytes that are hashed.

    >>> setup((5, 3, 3, 3, 3), (1, 2, 0), (0, 0, 14))
    b'{"deal":[5,3,3,3,3],"seats":[1,2,0],"fantasyland":[0,0,14]}'
    """
    lists = {"deal": deal, "seats": seats, "fantasyland": fantasyland}
    return msgspec.json.encode({name: list(given) for name, given in lists.items()})


class Choice(NamedTuple):
    """What the chance of all comes to: the number of the deck that is dealt, and the leaf of each slot."""

    value: bytes
    deck: int
    order: list[int]


def choose(draw: bytes, deal: Sequence[int], seats: Sequence[int], fantasyland: Sequence[int]) -> Choice:
    """Which deck is dealt, and from where in it each slot of the hand takes its card."""
    value = digest(b"setup", draw, setup(deal, seats, fantasyland))
    source = _bytes_of(b"choice", value)
    return Choice(value, next(source) % DECKS, permutation(source))


Block = tuple[int, int]
"""The slots that a player gets at once: the first, and the one after the last."""


def blocks(deal: Sequence[int], players: int, fantasyland: Sequence[int]) -> tuple[tuple[Block, ...], ...]:
    """The blocks of slots of each player, street by street; all of Fantasyland is one block.

    >>> blocks((5, 3, 3, 3, 3), 3, (0, 0, 14))[1:]
    (((17, 22), (22, 25), (25, 28), (28, 31), (31, 34)), ((34, 48),))

    Raises `ValueError` for what no deck is enough for.
    """
    if not 2 <= players <= 4 or len(fantasyland) != players:
        raise ValueError(f"{len(fantasyland)} entries of Fantasyland for {players} players, who are two to four")
    share = len(DECK) // players
    for cards in (tuple(deal), *((number,) for number in fantasyland if number)):
        if min(cards, default=0) < 1 or sum(cards) > share:
            raise ValueError(f"streets of {cards} cards cannot be dealt to {players} players")
    found: list[tuple[Block, ...]] = []
    for player, number in enumerate(fantasyland):
        streets = (number,) if number else tuple(deal)
        ends = list(accumulate(streets, initial=player * share))
        found.append(tuple(pairwise(ends)))
    return tuple(found)


def dealt(deck: SecretDeck, order: Sequence[int], owned: Sequence[Sequence[Block]]) -> tuple[Card, ...]:
    """The cards in the order of the slots; inside a block by the salts of the leaves, so that their order tells nothing."""
    slots = list(order)
    for player in owned:
        for first, end in player:
            slots[first:end] = sorted(slots[first:end], key=deck.salts.__getitem__)
    return tuple(DECK[deck.order[place]] for place in slots)
