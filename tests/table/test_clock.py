from __future__ import annotations

from ananas.game.rules import RuleSet
from ananas.table.clock import HELD_MS, deadline
from ananas.table.commands import Resume
from ananas.table.state import HandClock
from tests.table.play import Play

RULES = RuleSet(seats=3, hand_seconds=60, ready_seconds=30, showdown_seconds=8)


def test_an_empty_table_waits_for_nothing() -> None:
    assert deadline(Play(RULES).table) is None


def test_a_table_of_bots_waits_for_nothing() -> None:
    assert deadline(Play(RULES, "bot:0 bot:1").table) is None


def test_the_earliest_of_all_that_is_waited_for_counts() -> None:
    play = Play(RULES, "ann")
    start = play.now
    assert deadline(play.table) == start + HELD_MS
    play.now += 1000
    play.sit("bob", "bot:0")
    assert deadline(play.table) == start + HELD_MS
    play.ready("ann")
    assert deadline(play.table) == start + 1000 + HELD_MS
    play.ready("bot:0")
    assert deadline(play.table) == play.now + 30_000
    play.ready("bob")
    assert deadline(play.table) == play.now + 60_000
    play.now += 20_000
    play.confirm()
    assert deadline(play.table) == play.now + 60_000
    play.now += 1
    play.confirm()
    play.confirm()
    assert deadline(play.table) == play.now + 40_000
    play.finish()
    assert deadline(play.table) == play.now + 8_000
    play.time_out()
    assert deadline(play.table) == play.now - 8_000 + HELD_MS


def test_an_outage_moves_every_deadline() -> None:
    idle = Play(RULES, "ann bob cyd")
    nearly_ready = Play(RULES, "ann bob cyd")
    nearly_ready.ready("ann", "bob")
    laying = Play(RULES, "ann bob")
    laying.ready("ann", "bob")
    shown = Play(RULES, "ann bob")
    shown.ready("ann", "bob")
    shown.finish()
    for play in (idle, nearly_ready, laying, shown):
        before = deadline(play.table)
        assert before is not None
        play.ask(Resume(lost_ms=12_345))
        assert deadline(play.table) == before + 12_345


def test_a_clock_set_back_gives_nobody_more_than_he_had() -> None:
    assert HandClock(left_ms=(5000,), since=1000).left(0, now=400) == 5000
