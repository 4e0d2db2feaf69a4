"""Moments at a table from which tests go on, each made anew."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ananas.game.rules import RULE_SETS, RuleSet
from ananas.table.commands import Ready
from ananas.table.state import needs_deck
from tests.table.play import Play

THREE = RuleSet(hand_seconds=60, bank_seconds=0, fantasyland="off", settlement_cap="none")
"""The room for three without Fantasyland, for what has nothing to do with it."""
TWO = replace(THREE, seats=(2, 2))


def empty() -> Play:
    return Play(TWO)


def seated() -> Play:
    return Play(THREE, "ann bob")


def full() -> Play:
    return Play(TWO, "ann bob")


def ann_ready() -> Play:
    play = seated()
    play.ready("ann")
    return play


def called() -> Play:
    play = seated()
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    assert needs_deck(play.table)
    return play


def sealed() -> Play:
    """The decks of hand 1 are sealed, and Ann is bound to a seed."""
    play = seated()
    play.bind("ann")
    return play


def bound() -> Play:
    """Hand 1 is called, and waits for the seeds of Ann and Bob."""
    play = seated()
    play.bind("ann", "bob")
    play.ready("ann", "bob")
    assert play.table.open_by is not None
    return play


def laying() -> Play:
    """Hand 1 of Ann and Bob; Bob, on Ann's left, is to act. Cyd came late."""
    play = seated()
    play.ready("ann", "bob")
    play.sit("cyd")
    return play


def street_two() -> Play:
    play = laying()
    play.confirm()
    play.confirm()
    return play


def held() -> Play:
    """All times stand, since Ann and Bob were lost at once; Bob is to act."""
    play = laying()
    play.disconnect("ann", "bob")
    assert play.table.hold == "lost"
    return play


def called_and_held() -> Play:
    """The room was away for long when hand 1 had been called; all times stand until Ann and Bob are back."""
    play = called()
    play.outage(3600)
    assert play.table.hold == "outage"
    return play


def spent() -> Play:
    """Bob's time has run out, and the alarm has not rung yet."""
    play = laying()
    play.now += 60_000
    return play


def scored() -> Play:
    play = laying()
    play.finish()
    return play


def leaving() -> Play:
    play = laying()
    play.leave("bob")
    return play


def on_break(position: Callable[[], Play] = laying) -> Play:
    """A position in which Ann, the host, has just stopped the game."""
    play = position()
    play.stop()
    return play


# -- matches with Fantasyland

ROOM = RULE_SETS["room"].but({"hand_seconds": "60", "bank_seconds": "20", "buy_in": "5-100"})
CLUB = RULE_SETS["club"].but({"hand_seconds": "60", "bank_seconds": "20", "buy_in": "5-100"})


def sat(rules: RuleSet = ROOM, **stacks: int) -> Play:
    """These players with these stacks; the first button falls on the first of them."""
    play = Play(rules)
    for player, chips in stacks.items():
        play.sit(player, buy_in=chips)
    return play


def pause() -> Play:
    """Hand 1 is over, and Ann has Fantasyland in hand 2; Dee came late."""
    play = sat(
        ROOM.but({"seats": "2-4", "deal": "5,2,2,2,2", "fantasyland_cards": "13", "fantasyland_stay_cards": "13"})
    )
    play.sit("ann", "bob", "cyd", buy_in=50)
    play.scored(ann="in", bob="plain", cyd="plain")
    play.sit("dee")
    return play


def busted() -> Play:
    """Ann has Fantasyland in hand 2, and Bob has lost his five chips."""
    play = sat(ann=50, bob=5, cyd=50)
    play.scored(ann="in", bob="dead", cyd="plain")
    return play


def holder_busted() -> Play:
    """Ann alone has Fantasyland in hand 2, and has lost all her chips."""
    play = sat(ann=5, bob=50, cyd=50)
    play.scored(ann="in", bob="stays", cyd="strong")
    return play
