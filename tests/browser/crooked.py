"""A room with a fault that a test wants to see found: `python -m tests.browser.crooked FAULT serve ...`.

`salt`: of the proofs it tells, the third has one wrong digit in one salt. `no-hold`: whoever is lost, the times run on.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from unittest.mock import patch

import msgspec

from ananas import fair
from ananas.cli.main import main
from ananas.game.cards import Card
from ananas.table import decide


def wrong_salt() -> AbstractContextManager[object]:
    """Sealed hands whose third proof is wrong."""
    honest, number = fair.Sealed.proof, itertools.count(1)

    def proof(sealed: fair.Sealed, cards: Iterable[Card], over: bool) -> fair.Proof:
        made = honest(sealed, cards, over)
        if next(number) != 3:
            return made
        card, *rest = made.cards
        salt = ("1" if card.salt[0] == "0" else "0") + card.salt[1:]
        return msgspec.structs.replace(made, cards=(msgspec.structs.replace(card, salt=salt), *rest))

    return patch.object(fair.Sealed, "proof", proof)


def no_hold() -> AbstractContextManager[object]:
    """Nobody is ever lost together with another."""

    def holds_nothing(story: object) -> None:
        del story

    return patch.object(decide, "_hold_if_several_are_lost", holds_nothing)


FAULTS = {"salt": wrong_salt, "no-hold": no_hold}

if __name__ == "__main__":
    with FAULTS[sys.argv.pop(1)]():
        main()
