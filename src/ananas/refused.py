"""The one refusal: why something was not done, as a code with arguments.

Every layer refuses in the same way, so that a reason reaches the player's screen in his own language and the
programmer's terminal in English. What belongs here: the codes and their English sentences. What does not: deciding.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Code = Literal[
    # what a message looks like
    "bad-json",
    "too-large",
    "unknown-type",
    "bad-field",
    "too-fast",
    "too-many",
    # where cards go
    "bad-placement",
    "cards-not-yours",
    "wrong-count",
    "row-full",
    "not-discarded",
    # whose turn it is
    "no-hand",
    "no-such-hand",
    "hand-running",
    "match-running",
    "not-your-turn",
    "turn-over",
    # seats
    "no-table",
    "not-seated",
    "already-seated",
    "seat-taken",
    "no-seat",
    "table-full",
    "name-taken",
    "bad-name",
    "already-ready",
    "nothing-to-undo",
    "sitting-out",
    "nothing-to-waive",
    "not-a-guest",
    "elsewhere",
    # what the host does
    "not-host",
    "on-break",
    "held",
    "not-away",
    "nobody-there",
    "no-bot",
    # the shuffle
    "no-seed",
    "other-seed",
    "no-proof",
    # chips
    "bad-buy-in",
    "enough-chips",
    "broke",
    # rules
    "bad-rule",
    # bots that are asked for by name
    "unknown-bot",
    "bot-failed",
    # hand histories and positions
    "bad-history",
    "bad-position",
    # the coach
    "not-played",
    "no-hint",
    "no-puzzle",
    # the house
    "id-reused",
    "no-link",
    "not-kept",
    "closing",
]

REASONS: Final[dict[Code, str]] = {
    "bad-json": "the message is not valid JSON; send one JSON object in UTF-8",
    "too-large": "the message has {size} bytes; send at most {limit}",
    "unknown-type": "there is no message of this type; types: {known}",
    "bad-field": "a field of the message is wrong: {detail}",
    "too-fast": "too many messages; send at most {rate} a second",
    "too-many": "too many names, tables, links or looks at old hands from this network; at most {rate} a minute",
    "bad-placement": "{text} is not a placement; write top/middle/bottom xdiscards, each card once, for example Qh/9h/- x3h",
    "cards-not-yours": "{cards} not among the cards to lay now: {dealt}",
    "wrong-count": "{placed} cards are laid; this street wants {needed}",
    "row-full": "the row {row} has room for {room} more, not for {cards}",
    "not-discarded": "{cards} neither laid nor discarded; every card dealt has to go somewhere",
    "no-hand": "no hand is being played",
    "no-such-hand": "there is no such hand, or it has not been counted yet",
    "hand-running": "a hand is being played; this waits until it ends",
    "match-running": "a match is being played; this waits until it ends",
    "not-your-turn": "it is the turn of seat {turn}",
    "turn-over": "this was for hand {hand}, street {street} (0: between hands), which is over or still to come",
    "no-table": "there is no such table",
    "not-seated": "only who sits at the table may do this",
    "already-seated": "you sit at this table already, on seat {seat}",
    "seat-taken": "seat {seat} is taken",
    "no-seat": "there is no seat {seat}; seats: 0 to {last}",
    "table-full": "all {seats} seats are taken",
    "name-taken": "somebody at this table is called {name}; choose another name",
    "bad-name": "a name has 1 to {longest} letters, digits, spaces or . - _ ', at least one letter or digit, and one alphabet a word",
    "already-ready": "you have said that you are ready",
    "nothing-to-undo": "you neither sit out nor are leaving",
    "sitting-out": "you sit out already",
    "nothing-to-waive": "yours is not the only right to Fantasyland, or no hand waits for it",
    "elsewhere": "your seat is played from another window; take it over first",
    "not-host": "only the host of the table may do this",
    "on-break": "the host has stopped the game; this waits until it goes on",
    "held": "several have lost their connection; all times stand until they are back, for a minute at the most",
    "no-seed": "for hand {hand} no seed can be taken now; it is bound before the hand is called and opened once, right after",
    "other-seed": "this is not the seed you are bound to",
    "no-proof": "the cards of this hand were not sealed before it was dealt; there is nothing to check",
    "id-reused": "another command was sent under this id; choose a new one",
    "not-away": "{name} is there; only bots and those who are away can be taken off their seats",
    "nobody-there": "on seat {seat} sits nobody who could be the host",
    "no-bot": "this bot is not free: it, or every bot, has a seat at this table already, or somebody has its name",
    "bad-buy-in": "a stack of {chips} cannot be brought; from {least} to {most} can",
    "enough-chips": "with {chips} chips you have as many as may be brought, or more",
    "broke": "you have no chips left; bring at least {least} first",
    "not-a-guest": "say your name first",
    "bad-rule": "{name} = {value}: {detail}",
    "unknown-bot": "there is no bot {name}; bots: {known}, or cmd:COMMAND for a program",
    "bot-failed": "the bot {bot} failed: {detail}",
    "bad-history": "line {line}, column {column}: {detail}",
    "bad-position": "this position cannot be judged: {detail}",
    "not-played": "only who played this hand may have it reviewed",
    "no-hint": "a hint is given on your turn, at a table where all others are bots",
    "no-puzzle": "this puzzle is over; that of today is of {date}",
    "no-link": "this link does not lead anywhere, or not any more",
    "not-kept": "the room could not keep this; nothing was changed, try again",
    "closing": "the room is closing; it will be back soon",
}

assert set(REASONS) == set(get_args(Code))


class Refused(Exception):
    """What was asked is not done, and nothing has changed.

    >>> reason = Refused("wrong-count", placed=1, needed=2)
    >>> reason.code, str(reason)
    ('wrong-count', '1 cards are laid; this street wants 2')
    """

    def __init__(self, code: Code, **args: str | int) -> None:
        self.code: Final = code
        self.args_by_name: Final = args
        super().__init__(REASONS[code].format(**args))
