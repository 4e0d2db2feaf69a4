"""Moments at a table from which tests go on, each made anew."""

from __future__ import annotations

from ananas.game.rules import RuleSet
from ananas.table.commands import Ready
from ananas.table.state import needs_deck
from tests.table.play import Play

TWO = RuleSet(seats=2, hand_seconds=60, ready_seconds=30, showdown_seconds=8)
THREE = RuleSet(seats=3, hand_seconds=60, ready_seconds=30, showdown_seconds=8)


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
