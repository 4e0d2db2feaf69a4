from __future__ import annotations

import pytest

from ananas.table.clock import HELD_MS, deadline, held_until, turn_ends
from ananas.table.commands import Resume, SitOut
from ananas.table.state import Clock
from tests.table.play import Play
from tests.table.positions import ROOM, busted, pause, sat
from tests.table.positions import THREE as RULES


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
    clock = Clock(hand_ms=5000, bank_ms=9000, since=1000)
    assert clock.at(400, connected=True) == clock.at(400, connected=False) == clock


READINGS = [
    # budget, bank and how long it ran, in seconds; then what is left for who is there, and for who is away
    (60, 20, 0, (60, 20), (60, 20)),
    (60, 20, 15, (45, 20), (60, 5)),
    (60, 20, 25, (35, 20), (55, 0)),
    (60, 20, 60, (0, 20), (20, 0)),
    (60, 20, 75, (0, 5), (5, 0)),
    (60, 20, 80, (0, 0), (0, 0)),
    (60, 20, 999, (0, 0), (0, 0)),
    (60, 0, 10, (50, 0), (50, 0)),
    (0, 20, 10, (0, 10), (0, 10)),
]


@pytest.mark.parametrize(("budget", "bank", "ran", "there", "away"), READINGS)
def test_what_a_clock_reads(budget: int, bank: int, ran: int, there: tuple[int, int], away: tuple[int, int]) -> None:
    clock = Clock(hand_ms=1000 * budget, bank_ms=1000 * bank, since=5000)
    ends = 5000 + 1000 * (budget + bank)
    assert clock.ends == ends
    for connected, left in ((True, there), (False, away)):
        now = clock.at(5000 + 1000 * ran, connected=connected)
        assert (now.hand_ms // 1000, now.bank_ms // 1000) == left
        assert now.ends == max(ends, 5000 + 1000 * ran), "reading it does not move its end"


def test_a_clock_that_stands_reads_the_same_for_ever() -> None:
    clock = Clock(hand_ms=5000, bank_ms=9000)
    assert clock.ends is None
    assert clock.at(10**9, connected=True) is clock


def test_a_pause_waits_for_the_showdown_and_for_chips() -> None:
    assert deadline(pause().table) == pause().now + 8000
    play = busted()
    assert deadline(play.table) == play.now + 8000
    play.time_out()
    assert deadline(play.table) == play.now + 22_000
    play.time_out()
    play.finish()
    assert deadline(play.table) == play.now + 8000


def test_during_a_match_only_sitting_out_goes_on() -> None:
    play = pause()
    assert play.table.seats[3] is not None
    assert held_until(play.table, play.seat("dee")) is None
    play.ask(SitOut(player="dee"))
    assert held_until(play.table, play.seat("dee")) == play.now + HELD_MS
    assert held_until(play.table, play.seat("ann")) is None


def test_in_a_closed_phase_the_shortest_of_all_clocks_counts() -> None:
    play = sat(ROOM, ann=50, bob=50)
    play.scored(ann="in", bob="in")
    play.next(ann="in", bob="in")
    play.go_on("ann", "bob")
    play.now += 30_000
    assert turn_ends(play.table) == {0: play.now + 50_000, 1: play.now + 50_000}
    play.as_planned("ann")
    assert turn_ends(play.table) == {1: play.now + 50_000}
