"""What is said at the table: everybody hears it for some seconds, nobody can flood the others, and nothing of it is kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from ananas import protocol
from ananas.game.rules import RuleSet
from ananas.server import phrases
from ananas.server import room as module
from ananas.server.phrases import BURST, SAID_MS, SHOWN, Phrases
from ananas.table.state import Table
from ananas.table.view import Phrase
from tests.server.live import Ear, Live, in_a_room
from tests.server.test_presence import settle

THREE = RuleSet(seats=(2, 3))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


def say(ear: Ear, phrase: Phrase) -> None:
    ear.room.ask(ear, protocol.Say(phrase=phrase))


def said(ear: Ear) -> list[tuple[int, str]]:
    """Who says what, as somebody sees it."""
    return [(each["seat"], each["phrase"]) for each in ear.view["said"]]


def test_everybody_hears_it_at_once_and_nobody_a_while_later(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.sit(room := await live.open(THREE), "ann", "bob")
        nobody = Ear(None, room)
        room.join(nobody)
        version = room.version
        say(ann, "hello")
        for ear in (ann, bob, nobody):
            assert said(ear) == [(0, "hello")]
            assert all("code" not in message for message in ear.heard)
        live.pass_time(SAID_MS / 2000)
        say(bob, "heart")
        assert said(nobody) == [(0, "hello"), (1, "heart")]
        numbers = [each["number"] for each in nobody.view["said"]]
        assert numbers == sorted(set(numbers))
        live.pass_time(SAID_MS / 2000)
        room.show()
        assert said(nobody) == [(1, "heart")]
        late = Ear(None, room)
        room.join(late)
        assert said(late) == [(1, "heart")]
        live.pass_time(SAID_MS / 2000)
        room.show()
        assert said(nobody) == []
        assert room.version == version

    in_a_room(path, body)


def test_only_the_last_ones_are_shown(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await live.sit(await live.open(THREE), "ann", "bob", "cid")
        for _ in range(BURST):
            for ear in ears:
                say(ear, "wow")
        assert len(ears[0].view["said"]) == SHOWN

    in_a_room(path, body)


def refused_when_too_fast(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.sit(await live.open(THREE), "ann", "bob")
        for _ in range(BURST):
            say(ann, "fire")
        bob.heard.clear()
        say(ann, "fire")
        assert (ann.heard[-1].get("code"), ann.heard[-1].get("id")) == ("too-fast", None)
        assert bob.heard == []
        live.pass_time(1.5)
        await settle()
        say(ann, "fire")
        assert ann.heard[-1]["code"] == "too-fast"
        say(bob, "tears")  # he has not said anything yet
        assert said(bob) == [(0, "fire")] * BURST + [(1, "tears")]
        live.pass_time(0.5)
        await settle()
        say(ann, "sorry")
        assert said(bob)[-1] == (0, "sorry")
        live.pass_time(60)  # as many as before, however long one was silent
        for _ in range(BURST + 1):
            say(ann, "laugh")
        assert ann.heard[-1]["code"] == "too-fast"
        assert said(bob) == [(0, "laugh")] * BURST

    in_a_room(path, body)


def test_nobody_floods_the_others(path: Path) -> None:
    refused_when_too_fast(path)


def test_a_room_that_lets_everybody_chatter_is_caught(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "BURST", 100)
    with pytest.raises(AssertionError):
        refused_when_too_fast(path)


def test_only_who_sits_here_is_heard_and_only_where_he_said_it(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(THREE)
        ann = await live.come(room, "ann")  # the host, without a seat
        (bob,) = await live.sit(room, "bob")
        eve, nobody = Ear("eve", room), Ear(None, room)
        for ear in (eve, nobody):
            room.join(ear)
        for ear, code in ((ann, "not-seated"), (eve, "not-seated"), (nobody, "not-a-guest")):
            say(ear, "hello")
            assert ear.heard[-1]["code"] == code
        say(bob, "bye")
        assert said(eve) == [(0, "bye")]
        await bob.ask(protocol.Leave)
        (cid,) = await live.sit(room, "cid")
        assert cid.view["you"] == 0
        assert said(cid) == []  # it was not he who said it
        say(bob, "back")
        assert bob.heard[-1]["code"] == "not-seated"

    in_a_room(path, body)


@pytest.mark.parametrize("phrase", get_args(Phrase))
def test_there_is_a_word_for_every_phrase_on_the_wire(phrase: Phrase) -> None:
    assert protocol.decode(f'{{"type":"say","phrase":"{phrase}"}}') == protocol.Say(phrase=phrase)


def nothing_is_kept(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(THREE, "ann", "bob")
        for phrase in get_args(Phrase)[:BURST]:
            say(ann, phrase)
        acts = ann if "confirm" in ann.view["may"] else bob
        await acts.lay()
        for phrase in get_args(Phrase)[:BURST]:
            say(bob, phrase)
        assert len(ann.view["said"]) == 2 * BURST

    in_a_room(path, body)
    with closing(sqlite3.connect(path)) as db:
        kept = "\n".join(db.iterdump())
    logged = "".join(capsys.readouterr())
    for phrase in get_args(Phrase)[:BURST]:
        assert f'"{phrase}"' not in kept + logged


def test_nothing_that_is_said_is_kept_or_logged(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing_is_kept(path, capsys)


def test_a_room_that_logs_what_is_said_is_caught(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gossips(Phrases):
        def say(self, table: Table, player: str, phrase: Phrase) -> None:
            super().say(table, player, phrase)
            print(f'{player} says "{phrase}"')

    monkeypatch.setattr(module, "Phrases", Gossips)
    with pytest.raises(AssertionError):
        nothing_is_kept(path, capsys)


def test_after_a_restart_numbers_go_on_growing(path: Path) -> None:
    numbers: list[int] = []

    async def begin(live: Live) -> None:
        (ann,) = await live.sit(await live.open(THREE), "ann")
        for _ in range(BURST):
            say(ann, "hello")
        numbers.extend(each["number"] for each in ann.view["said"])
        live.pass_time(1)
        await settle()
        await live.store.alive(live.clock.now())

    async def go_on(live: Live) -> None:
        ann = Ear("ann", room := await live.rooms.get("table"))
        room.join(ann)
        assert said(ann) == []
        say(ann, "back")
        numbers.extend(each["number"] for each in ann.view["said"])

    in_a_room(path, begin)
    in_a_room(path, go_on)
    assert len(numbers) == BURST + 1
    assert numbers == sorted(set(numbers))


def test_it_is_said_and_heard_while_the_store_takes_nothing(path: Path) -> None:
    """Nothing of it is kept: whatever the disk does, people can talk."""

    async def body(live: Live) -> None:
        (ann,) = await live.sit(room := await live.open(THREE), "ann")
        room.stands_since = live.clock.now()
        live.pass_time(20)
        say(ann, "hurry")
        assert said(ann) == [(0, "hurry")]
        live.pass_time(SAID_MS / 1000)
        room.show()
        assert said(ann) == []

    in_a_room(path, body)
