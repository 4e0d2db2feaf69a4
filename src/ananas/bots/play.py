"""A bot at the table: the bytes of a message in, a placement as text out. It is told no more than a socket is."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from ananas.bots.levels import LEVELS, LevelBot
from ananas.game.rules import RuleSet
from ananas.protocol import View

LIMIT: Final = 1.0
"""The most seconds a bot thinks about a move; on a machine that is not overloaded its samples run out long before."""

USUAL: Final = "papaya"
"""Who plays on a seat that is named after none of them."""

_messages: Final = msgspec.json.Decoder(View)


def answer(view_message: bytes, seconds: float = LIMIT) -> str | None:
    """Tell where a bot lays its cards, from the bytes of a View message; None when it has none to lay.

    `seconds`: so long it may think, up to the limit. The text is a placement's, as `Confirm` wants it. Raises `msgspec.DecodeError` for any other message.
    """
    view = _messages.decode(view_message).view
    hand = view.hand
    if hand is None or not any(player.acting for player in hand.players if player.seat == hand.you):
        return None
    name = next(seat.name for seat in view.seats if seat is not None and seat.seat == hand.you)
    return str(_bot(view.rules, name.lower()).place(hand, min(seconds, LIMIT)))


@cache
def _bot(rules: RuleSet, name: str) -> LevelBot:
    """The bot a seat is named after."""
    return LevelBot(name if name in LEVELS else USUAL, rules)
