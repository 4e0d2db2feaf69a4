"""Players that are programs: each is one method on a view.

>>> from ananas import DECK, ROOM, Hand, view_hand
>>> view = view_hand(Hand.deal(ROOM, DECK, seats=(0, 1)), number=1, viewer_seat=0, drafts={})
>>> bot: Bot = bot_named("ananas", ROOM)
>>> str(bot.place(view, limit=60))
'-/-/2c3c4c5c6c'
"""

from ananas.bots.bot import Bot
from ananas.bots.levels import LEVELS, Level, LevelBot
from ananas.bots.named import BOTS, bot_named

__all__ = ["BOTS", "LEVELS", "Bot", "Level", "LevelBot", "bot_named"]
