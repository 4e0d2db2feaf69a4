"""Whether people are cut off oftener while an opponent is in Fantasyland is told by the log alone."""

from __future__ import annotations

import asyncio
import json
import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ananas.server.outages
from ananas.cli.main import app
from ananas.game.rules import ROOM
from ananas.server.outages import Outages, even_split, fisher, outages
from ananas.server.store import Mark, Row, Store
from ananas.table.events import (
    AnyEvent,
    BreakBegan,
    BreakEnded,
    Connected,
    Disconnected,
    HandDealt,
    HandScored,
    HandVoided,
    HoldBegan,
    Opened,
    Resumed,
    Sat,
)
from tests.server.tampering import tampering
from tests.table.play import Play

MATCHES = 12
"""Of how many matches a log is made; each is an ordinary hand, and one in which Ann has Fantasyland."""


@cache
def evening(in_fantasyland: int, ordinary: int) -> tuple[AnyEvent, ...]:
    """Matches in which Bob is cut off for a while: in so many of the hands beside Ann's Fantasyland, and of the others."""
    play = Play(ROOM.but({"buy_in": "500-500"}), "ann bob cyd")
    for number in range(MATCHES):
        play.next(ann="in", bob="plain", cyd="plain")
        play.ready("ann", "bob", "cyd")
        _lay(play, cut=number < ordinary)
        play.next(ann="plain", bob="plain", cyd="plain")
        play.go_on("ann", "bob", "cyd")
        assert play.hand.fantasyland[play.table.players.index("ann")]
        _lay(play, cut=number < in_fantasyland)
        play.now += 60_000
        play.time_out()
    return tuple(play.log)


def _lay(play: Play, *, cut: bool) -> None:
    """Lay the hand as it is planned, three seconds a move; Bob may be away for one of them."""
    while play.table.laying:
        if cut and "bob" in play.acting and play.seat("bob").connected:
            cut = False
            play.disconnect("bob")
            play.now += 3_000
            play.connect("bob")
        play.now += 3_000
        play.as_planned()


def counted(log: tuple[AnyEvent, ...]) -> Outages:
    return outages(Row(Mark(version, b""), (event,)) for version, event in enumerate(log, 1))


def test_who_is_cut_off_beside_fantasyland_is_seen() -> None:
    found = counted(evening(MATCHES, 1))
    assert (found.opponent.people, found.opponent.cut, found.opponent.losses) == (2 * MATCHES, MATCHES, MATCHES)
    assert (found.nobody.people, found.nobody.cut) == (3 * MATCHES, 1)
    assert (found.alone.people, found.alone.cut) == (MATCHES, 0)
    assert found.hands == 2 * MATCHES
    assert found.verdict == "oftener"
    assert found.chance < 0.001
    assert [(person.name, person.losses) for person in found.people] == [("Bob", MATCHES + 1), ("Ann", 0), ("Cyd", 0)]


def test_who_is_cut_off_as_often_at_all_times_is_no_alarm() -> None:
    found = counted(evening(4, 6))
    assert (found.opponent.share, found.nobody.share) == (4 / 24, 6 / 36)
    assert found.verdict == "chance"
    assert found.chance > 0.5


def test_what_would_be_chance_however_it_was_is_called_too_few() -> None:
    assert counted(evening(1, 0)).verdict == "too-few"


@pytest.mark.parametrize("fault", ["who", "when"])
def test_planted(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """The report does not look who is in Fantasyland, or takes no loss for one of a hand."""
    sound, log = ananas.server.outages._Log, evening(MATCHES, 1)

    class Wrong(sound):  # type: ignore[valid-type, misc]
        def enter(self, event: AnyEvent) -> None:
            if fault == "who" and isinstance(event, HandDealt):
                self.found.hands += 1
                event = HandDealt(at=event.at, hand=event.hand, seats=event.seats, hidden=None)
            if fault == "when" and isinstance(event, Disconnected):
                return
            super().enter(event)

    monkeypatch.setattr(ananas.server.outages, "_Log", Wrong)
    with pytest.raises(AssertionError):
        assert counted(log).verdict == "oftener"


# -- what counts as a loss


def hand(*middle: AnyEvent, fantasyland: tuple[int, ...] = (14, 0, 0)) -> tuple[AnyEvent, ...]:
    """A hand of three, a minute long, in which this happens; the fourth at the table is a bot, and not in it."""
    people = ("ann", "bob", "cyd", "bot:0")
    return (
        Opened(at=0, table="t1", name="Friday", host="ann", rules=ROOM),
        *(
            Sat(at=0, seat=seat, player=player, name=player, bot=player == "bot:0", stack=50, brought=50)
            for seat, player in enumerate(people)
        ),
        HandDealt(at=100_000, hand=1, seats=(0, 1, 2), fantasyland=fantasyland, hidden=None),
        *middle,
        HandScored(at=160_000, hand=1, seats=(0, 1, 2), points=(0, 0, 0), stacks=(50, 50, 50)),
    )


def lost(seat: int, at: int) -> Disconnected:
    return Disconnected(at=at, seat=seat)


def test_who_are_lost_together_count_once_for_chance_and_each_for_himself() -> None:
    found = counted(hand(lost(1, 110_000), lost(2, 114_000))).opponent
    assert (found.people, found.cut, found.apart, found.losses) == (2, 2, 1, 2)
    found = counted(hand(lost(1, 110_000), lost(2, 116_000))).opponent
    assert (found.cut, found.apart) == (2, 2)


def test_a_line_that_breaks_again_and_again_is_one_person_cut_off() -> None:
    back = Connected(at=111_000, seat=1)
    found = counted(hand(lost(1, 110_000), back, lost(1, 120_000)))
    assert (found.opponent.cut, found.opponent.losses, found.people[0].losses) == (1, 2, 2)
    assert found.opponent.ms == 10_000 + 9_000 + 60_000


def test_who_is_not_there_can_lose_no_connection() -> None:
    log = hand()
    before = next(place for place, event in enumerate(log) if isinstance(event, HandDealt))
    found = counted((*log[:before], lost(1, 90_000), *log[before:]))
    assert (found.opponent.people, found.opponent.cut, found.opponent.ms) == (1, 0, 60_000)


def test_what_the_room_does_itself_is_nobodys_connection() -> None:
    """After an outage those count as cut off by the room who are not back at once; and its time is nobody's."""
    found = counted(hand(Resumed(at=130_000, lost_ms=15_000), lost(1, 130_000), lost(2, 136_000)))
    assert (found.opponent.people, found.opponent.cut, found.opponent.ms) == (2, 0, 15_000 + 21_000)
    assert counted(hand(Resumed(at=110_000, lost_ms=5), lost(1, 125_000))).opponent.cut == 1
    slow = counted(hand(Resumed(at=130_000, lost_ms=999), lost(1, 131_000)))
    assert slow.opponent.cut == 1, "a slow write cuts nobody off, and hides nobody who was"


def test_a_break_is_no_play() -> None:
    found = counted(hand(BreakBegan(at=110_000), lost(1, 115_000), BreakEnded(at=120_000))).opponent
    assert (found.cut, found.ms) == (0, 10_000 + 50_000)


def test_holds_and_voids_are_counted_by_their_reason() -> None:
    log = hand(HoldBegan(at=110_000, reason="lost"), HoldBegan(at=115_000, reason="outage"))
    found = counted((*log[:-1], HandVoided(at=150_000, hand=1, reason="outage")))
    assert (found.holds, found.voids) == ({"lost": 1, "outage": 1}, {"fault": 0, "outage": 1})
    assert found.opponent.hands == 1


def test_two_in_fantasyland_are_opponents_to_each_other() -> None:
    found = counted(hand(lost(0, 110_000), fantasyland=(14, 14, 0)))
    assert (found.opponent.people, found.opponent.cut, found.alone.people) == (3, 1, 0)


# -- what may be chance


def test_chance_is_what_tables_of_it_say() -> None:
    assert fisher(3, 4, 1, 4) == pytest.approx(0.485714, abs=1e-6)
    assert fisher(10, 12, 2, 12) == pytest.approx(0.003329, abs=1e-6)
    assert even_split(8, 2, 0.5) == pytest.approx(0.109375, abs=1e-6)
    assert even_split(0, 0, 0.3) == 1.0
    assert fisher(900, 100_000, 20, 1_000) < 0.01


def test_hands_that_take_long_are_no_alarm() -> None:
    """Twice as many are cut off in hands of Fantasyland; but these take twice as long."""
    for of_fantasyland, verdict in ((120_000_000, "chance"), (60_000_000, "oftener")):
        found = Outages()
        found.opponent.people, found.opponent.apart, found.opponent.ms = 1000, 80, of_fantasyland
        found.nobody.people, found.nobody.apart, found.nobody.ms = 1000, 40, 60_000_000
        assert found.verdict == verdict


# -- the command


def database(path: Path, *logs: tuple[AnyEvent, ...]) -> Path:
    """A room's database with these logs."""

    async def fill() -> None:
        store = Store(path)
        for number, log in enumerate(logs):
            assert not (await store.append(f"table-{number}", 1, None, log, due_at=None)).again
        store.close()

    asyncio.run(fill())
    return path


def told(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["outages", *words])
    return found.exit_code, found.output


def test_the_command_tells_it_in_words(tmp_path: Path) -> None:
    path = database(tmp_path / "room.sqlite", evening(MATCHES, 1), evening(4, 6))
    status, text = told(str(path))
    assert status == 0
    first, second, together = re.split(r"\n\n", text.strip())
    assert "Friday. Hands: 24" in first
    assert re.search(r"an opponent in Fantasyland +12 +24 +12 +50\.0% +12 +0\.500", first)
    assert re.search(r"nobody in Fantasyland +12 +36 +1 +2\.8% +1 +0\.028", first)
    assert "More than chance" in first
    assert "Cut off most: seat 1 (Bob): cut off 13, hands 24." in first
    assert "No more than chance" in second
    assert together.startswith("All tables together. Hands: 48")
    status, russian = told(str(path), "--lang=ru")
    assert status == 0
    assert "Больше, чем случайность" in russian
    assert "место 1 (Bob)" in russian
    assert re.search(r"12 +24 +12 +50,0% +12 +0,500", russian)


def test_the_command_tells_it_to_programs(tmp_path: Path) -> None:
    path = database(tmp_path / "room.sqlite", evening(MATCHES, 1))
    status, text = told("--database", str(path), "--json")
    found = json.loads(text)
    assert status == 0
    assert [table["verdict"] for table in found["tables"]] == ["oftener"]
    assert found["all"]["opponent"]["cut"] == MATCHES
    assert found["tables"][0]["people"][0] == {"seat": 1, "name": "Bob", "hands": 24, "losses": 13}


def test_a_damaged_table_is_named_and_the_others_are_told(tmp_path: Path) -> None:
    path = database(tmp_path / "room.sqlite", evening(4, 6), hand())
    with tampering(path) as db:
        db.execute("UPDATE events SET events = replace(events, 'Friday', 'Monday') WHERE table_id = 'table-1'")
    status, text = told(str(path))
    assert status == 1
    assert "Table table-1 cannot be read" in text
    assert "Hands: 24" in text


def test_nothing_hidden_is_asked_for(tmp_path: Path) -> None:
    path = database(tmp_path / "room.sqlite", evening(4, 6))
    with tampering(path) as db:
        db.execute("DELETE FROM secrets")
    status, text = told(str(path))
    assert (status, "Hands: 24" in text) == (0, True)
