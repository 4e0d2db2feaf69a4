"""The bots by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ananas.bots.bot import Bot
from ananas.bots.levels import LEVELS, LevelBot
from ananas.game.rules import RuleSet
from ananas.refused import Refused

BOTS: Final[Mapping[str, Callable[[RuleSet], Bot]]] = {
    **{name: partial(LevelBot, name) for name in LEVELS},
}
"""What makes each bot, for the rules of a table."""


def bot_named(name: str, rules: RuleSet) -> Bot:
    """A bot by its name, for these rules.

    >>> from ananas.game.rules import ROOM
    >>> bot_named("nobody", ROOM)
    Traceback (most recent call last):
    ananas.refused.Refused: there is no bot nobody; bots: kiwi, mango, papaya, ananas, or cmd:COMMAND for a program

    Raises `Refused("unknown-bot")`.
    """
    if name not in BOTS:
        raise Refused("unknown-bot", name=name[:40], known=", ".join(BOTS))
    return BOTS[name](rules)
