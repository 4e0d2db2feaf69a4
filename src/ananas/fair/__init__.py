"""The sealed deal: a deck nobody could choose, and the proof of it that anybody can check.

Nothing here has dice, a clock or a disk: the secrets come from outside, as 32 bytes of a room and 16 of each player.
"""

from ananas.fair.deck import DECKS, blocks, lot, seal
from ananas.fair.proof import (
    BadProof,
    OpenCard,
    Proof,
    Sealed,
    Seed,
    Street,
    commitment,
    draw,
    encode,
    streets,
    unseal,
    verify,
)

__all__ = [
    "DECKS",
    "BadProof",
    "OpenCard",
    "Proof",
    "Sealed",
    "Seed",
    "Street",
    "blocks",
    "commitment",
    "draw",
    "encode",
    "lot",
    "seal",
    "streets",
    "unseal",
    "verify",
]
