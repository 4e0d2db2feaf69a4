"""Names that can be told apart by looking at them, and tokens that the database cannot give away."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ananas.refused import Refused
from ananas.server.guests import add_device, add_guest, clean_name, known_guest
from ananas.server.store import Store
from ananas.table.names import look

GOOD = {
    "Аня": "Аня",
    "  Anna   Maria ": "Anna Maria",
    "O'Neill-2.0_x": "O'Neill-2.0_x",
    "e\u0301": "é",  # composed
    "क़िं": "क़िं",
    "李小龙": "李小龙",
    "שלום": "שלום",
    "7": "7",
    "Анна Smith": "Анна Smith",
    "Ольга2": "Ольга2",
    "さくらサクラ桜": "さくらサクラ桜",
    "محمد": "محمد",
    "Łukasz Ñandú": "Łukasz Ñandú",
    "a" * 20: "a" * 20,
}

BAD = [
    "",
    "   ",
    "...",
    "a" * 21,
    "a" * 1_000_000,
    "a\nb",
    "a\tb",
    "a\u00a0b",  # a space that is none
    "a\u200bb",  # zero width
    "a\u200db",
    "a\ufeffb",
    "a\u202eb",  # right to left from here
    "a\u2066b",
    "a\x00b",
    "a\x7fb",
    "\ud800",
    "a\ud800",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "♠",
    "<b>a</b>",
    "a/b",
    'a"b',
    "a\u0336\u0336\u0336\u0336",  # a tower of marks
    "\u0301a",
    "- \u0301a",
    "\u3164",  # letters drawn as nothing
    "a\uffa0",
    "a\ufe0f",
    "a²",
    "Xанна",  # two alphabets in a word
    "\ufdfa" * 3,  # one letter as wide as a sentence
    "\U00012219",
    "\U00013441",  # a blank among the hieroglyphs
    "a\u0250",  # a letter of linguists
]


@pytest.mark.parametrize(("text", "name"), GOOD.items())
def test_a_good_name_is_kept_as_it_will_be_shown(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert clean_name(name) == name


@pytest.mark.parametrize("text", BAD, ids=lambda text: ascii(text)[:30])
def test_a_bad_name_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(text)
    assert refused.value.code == "bad-name"


PAIRS = [
    line.split()
    for line in (Path(__file__).parents[1] / "data" / "look_alikes.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_who_looks_like_somebody_may_not_sit_beside_him(name: str, other: str) -> None:
    assert clean_name(name) == name
    try:
        clean_name(other)
    except Refused:
        return
    assert look(name) == look(other)


def test_a_token_is_known_again_and_is_not_in_the_database(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"

    async def run() -> tuple[str, str]:
        store = Store(path)
        try:
            ann, token = await add_guest(store, " Ann ", 1)
            bob, other = await add_guest(store, "Bob", 2)
            assert await known_guest(store, token) == ann
            assert await known_guest(store, other) == bob
            for wrong in (None, "", token[:-1], token.swapcase(), "\ud800", token + "\0"):
                assert await known_guest(store, wrong) is None
            assert len(token) == 43  # 256 bits
            phone = await add_device(store, ann, 3)
            assert await known_guest(store, phone) == await known_guest(store, token) == ann
            assert len(phone) == 43
            assert phone != token
        finally:
            store.close()
        return token, phone

    tokens = asyncio.run(run())
    with closing(sqlite3.connect(path)) as db:
        dump = "\n".join(db.iterdump())
    assert "Ann" in dump
    for token in tokens:
        assert token not in dump
