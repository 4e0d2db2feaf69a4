"""Faults of messages and names, as other rooms have had them: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

import ananas.table.decide
from ananas import protocol
from ananas.refused import Refused
from ananas.server.guests import clean_name
from ananas.server.room import Room
from ananas.server.viewers import Asked, Socket, Viewer
from tests.bugs.places import ROOM, THREE, TWO, lay_on, settle
from tests.server.house import House
from tests.server.live import Ear, Hands, Live, in_a_room
from tests.server.test_viewers import Wire, with_socket
from tests.server.test_viewers import settle as breathe
from tests.table.play import Play


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- B046: everybody sees the same, in the same order


def everybody_sees_the_same(path: Path) -> None:
    """Four viewers of a hand: versions never go back, nobody is left out, and what all may know is the same for all."""

    async def body(live: Live) -> None:
        ears = await live.playing(ROOM.but({"fantasyland": "off"}), "ann", "bob")
        room = ears[0].room
        ears += [await live.come(room, "eve"), await live.come(room, "dee")]
        await settle(room)
        first = [len(ear.heard) for ear in ears]
        while room.table.laying:
            await lay_on(ears[:2])
            room.ask(ears[0], protocol.Say(phrase="wow"))
            await settle(room)
        told = [[m for m in ear.heard[since:] if m["type"] == "view"] for ear, since in zip(ears, first, strict=True)]
        for views in told:
            versions = [message["version"] for message in views]
            assert versions == sorted(versions), "an older view came after a newer one"
            assert set(versions) >= set(range(versions[0], room.version + 1)), "something was not shown to somebody"
        public = [
            {m["version"]: [m["view"][name] for name in ("phase", "hands", "seats", "match", "gone")] for m in views}
            for views in told
        ]
        for others in public[1:]:
            for version in others.keys() & public[0].keys():
                assert others[version] == public[0][version], f"two see another table as version {version}"

    in_a_room(path, body)


def test_bug_B046_everybody_sees_the_same_in_the_same_order(path: Path) -> None:
    everybody_sees_the_same(path)


def test_bug_B046_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them is shown everything a little later than the others."""
    sound, held = Room._show_to, list[bytes]()

    def late(room: Room, seen: Iterable[Viewer]) -> None:
        there = list(seen)
        sound(room, [viewer for viewer in there if viewer.player != "eve"])
        for viewer in there:
            if isinstance(viewer, Ear) and viewer.player == "eve":
                shown = Ear("eve", room)
                sound(room, [shown])
                held.extend(shown.raw)
                viewer.offer(held.pop(0) if len(held) > 1 else held[0])

    monkeypatch.setattr(Room, "_show_to", late)
    with pytest.raises(AssertionError):
        everybody_sees_the_same(path)


# -- B085: what is no message


NO_MESSAGES: Final = [
    "null",
    "[]",
    "1",
    '""',
    "true",
    "NaN",
    "-Infinity",
    "",
    "[" * 4000,
    '{"a":' * 600 + "1" + "}" * 600,
    '{"type":"sit","id":"command-1","seat":' + "[" * 1500 + "]" * 1500 + "}",
    '{"type":"ready","id":"command-1","hand":' + "9" * 4000 + "}",
    '{"type":"ready","id":"command-1","hand":1' + "0" * 400 + ".5}",
    '{"type":"top-up","id":"command-1","to":-1e400}',
    '{"type":"leave","type":"deal","id":"command-1"}',
    '{"type":"leave","id":"command-1","id":null}',
    '{"type":"leave","id":"\\ud800\\ud800"}',
    '{"type":"confirm","id":"command-1","hand":1,"street":1,"placement":"\\udfff"}',
    '{"type":null,"id":"command-1"}',
    '{"__proto__":{"type":"leave"},"id":"command-1"}',
    '{"type":"leave","id":"' + "a" * 4050 + '"}',
]


def answers_nonsense() -> None:
    """Each is refused by the socket that heard it, which lives and hears the next; nothing reaches a table."""

    async def body(wire: Wire, _: Socket, hands: Hands, asked: list[Asked]) -> None:
        for number, text in enumerate(NO_MESSAGES, 1):
            hands.seconds += 0.5
            wire.say(text)
            await breathe()
            assert len(wire.taken) == number, f"no answer to {text[:40]!r}"
            assert wire.taken[-1]["type"] == "refused"
            assert len(json.dumps(wire.taken[-1])) < 1000
        wire.say('{"type":"ping"}')
        await breathe()
        assert wire.taken[-1]["type"] == "pong"
        assert asked == []
        assert wire.closed is None

    with_socket(body)


def test_bug_B085_what_is_no_message_is_refused_and_the_socket_lives() -> None:
    answers_nonsense()


def test_bug_B085_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever JSON it is, it is taken for a message."""

    def trusting(text: str) -> Any:  # noqa: ANN401
        message = json.loads(text)
        return protocol._decoder.decode(text) if message["type"] else None

    monkeypatch.setattr(protocol, "decode", trusting)
    with pytest.raises((AssertionError, TypeError, ValueError, LookupError)):
        answers_nonsense()


@pytest.mark.server
def test_bug_B085_a_running_room_takes_no_harm_from_it_and_the_others_play_on(shared: House) -> None:
    async def body() -> None:
        players = await shared.playing()
        stranger = await shared.come(None, players[0].table)
        pid = shared.process.pid
        for text in NO_MESSAGES:
            await stranger.send(text)
            while (await stranger.next())["type"] != "refused":
                pass
            await asyncio.sleep(0.01)
        await stranger.send(b"\x00\xff")
        while (await stranger.next())["type"] != "refused":
            pass
        assert shared.process.pid == pid
        assert shared.process.poll() is None
        for _ in range(2):
            version = await next(player for player in players if player.acts).lay()
            for player in players:
                await player.catch_up(version)
        for player in (*players, stranger):
            await player.close()

    asyncio.run(body())


# -- B099, B100, B101: names


def test_bug_B099_who_says_something_is_told_by_the_room_and_never_by_the_message(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob = await live.playing(TWO, "ann", "bob")
        room = ann.room
        for extra in ("seat", "name", "player", "author"):
            with pytest.raises(Refused) as refused:
                protocol.decode(json.dumps({"type": "say", "phrase": "hello", extra: "bob"}))
            assert refused.value.code == "bad-field"
        room.ask(ann, protocol.Say(phrase="hello"))
        await settle(room)
        assert [said["seat"] for said in bob.view["said"]] == [room.table.seat_of("ann")]
        assert set(protocol.Confirm.__struct_fields__) & {"seat", "player", "name"} == set()

    in_a_room(path, body)


LOOK_LIKE_ANNA: Final = [
    "anna",
    "ANNA",
    "Аnna",  # one Cyrillic letter
    "Аппа".replace("пп", "nn"),
    "АNNА",
    "An\u200bna",
    "An\u00adna",
    "\u202eannA",
    "A\u0301nna".replace("\u0301", ""),
    "Ａｎｎａ",
    "Anna.",
    "An na",
    "A-n-n-a",
    "Anna\u3164",
    "\ufeffAnna",
    "An\u034fna",
    "𝐀𝐧𝐧𝐚",
]


def beside_anna(name: str) -> bool:
    """Whether somebody of this name may sit down beside Anna."""
    play = Play(THREE)
    from ananas.table.commands import Sit

    play.ask(Sit(player="ann", name="Anna"))
    try:
        play.ask(Sit(player="eve", name=clean_name(name)))
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", LOOK_LIKE_ANNA, ids=ascii)
def test_bug_B100_nobody_sits_beside_his_double(name: str) -> None:
    assert not beside_anna(name)


def test_bug_B100_whoever_looks_different_may_sit_down_and_composed_letters_are_one() -> None:
    assert beside_anna("Annabel")
    assert beside_anna("Инна")
    assert clean_name("Rene\u0301") == clean_name("René") == "René"


def test_bug_B100_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ananas.table.decide, "look", str)
    with pytest.raises(AssertionError):
        test_bug_B100_nobody_sits_beside_his_double("anna")


ODD_NAMES: Final = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "אבג",
    "مرحبا",
    "\u202eabc",
    "a\u0301\u0302\u0303",
    "Z\u0351\u0321a\u0353\u0347l\u0329g\u0321o",
    "a\x00b",
    "क़िं",
    "\u3164",
    "a\nb",
    "🂡",
    "x" * 21,
    "'; DROP TABLE guests; --",
    "${7*7}",
    "../../etc",
    "%s%n",
    "NULL",
    "0",
]


@pytest.mark.server
def test_bug_B101_odd_names_are_kept_as_they_are_or_refused_cleanly(shared: House) -> None:
    for name in ODD_NAMES:
        answer = shared.call("POST", "/api/guests", {"name": name})
        assert answer.status in {201, 400, 422}, (ascii(name), answer)
        if answer.status == 201:
            cookie = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
            me = shared.call("GET", "/api/guests/me", cookie=cookie)
            kept = (me if me.status == 200 else answer).json["name"]
            assert kept == unicodedata.normalize("NFC", name).strip()
        else:
            assert answer.json["code"] == "bad-name"
    for body in (b'{"name":"\\ud800"}', b'{"name":"\xed\xa0\x80"}', b'{"name":null}', b'{"name":["a"]}'):
        answer = shared.call("POST", "/api/guests", body)
        assert 400 <= answer.status < 500
        assert answer.json["code"]
    with contextlib.suppress(OSError):  # a million letters: it says so, or does not even listen to the end
        assert shared.call("POST", "/api/guests", {"name": "x" * 1_000_000}).status == 413
    assert shared.guest("Ann")


# -- B098: no text becomes a page


UNSAFE: Final = re.compile(
    r"\b(inner|outer)HTML\b|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|\bsrcdoc\b"
    r"|document\.write|\{@html|\beval\(|new Function\(|javascript:"
)


def unsafe(root: Path) -> list[str]:
    """Where the client makes a page, or a script, out of text."""
    files = [file for kind in ("*.ts", "*.svelte", "*.js", "*.html") for file in root.rglob(kind)]
    assert files
    return [str(file) for file in files if UNSAFE.search(file.read_text())]


def test_bug_B098_the_client_makes_no_page_out_of_text() -> None:
    assert unsafe(Path(__file__).parents[2] / "web" / "src") == []


@pytest.mark.parametrize(
    "line",
    ["node.innerHTML = name;", "<p>{@html said}</p>", 'node.insertAdjacentHTML("beforeend", text)', "eval(text)"],
)
def test_bug_B098_planted(tmp_path: Path, line: str) -> None:
    (tmp_path / "Name.svelte").write_text(line)
    assert unsafe(tmp_path)
