"""No byte that a real room sends, logs or stores names a card where it does not belong."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from ananas.game.cards import Card
from tests.trust.canary import SEARCHES, Evening, Leak, cards_in, play, search, spellings

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]

HANDS = 10
"""So many in the test suite; `python -m tests.trust.canary` plays two hundred."""


def test_no_card_stands_where_it_does_not_belong(tmp_path: Path) -> None:
    evenings = play(tmp_path, HANDS, seed=secrets.token_hex(4))
    assert sum(len(evening.hands) for evening in evenings) >= HANDS - 2
    assert all(evening.log.read_bytes().count(b'"error"') > 5 for evening in evenings), "hardly anything broke"
    told = b"".join(what for evening in evenings for sent in evening.sent.values() for _, what in sent)
    for what in (b'"opened"', b'"others":["', b'"verdict"', b'"options"', b"OFC", b'"steps"'):
        assert what in told, what
    assert all(search(evening) > 100_000 for evening in evenings)


FAULTS = ("shown-discards", "opened-discards", "logged-masters", "stored-discards", "plain-reviews", "guessed-discards")


@pytest.fixture(scope="module")
def leaking(tmp_path_factory: pytest.TempPathFactory) -> list[Evening]:
    """A few hands in a room that leaks in every way there is."""
    return play(tmp_path_factory.mktemp("leaking"), 3, seed="planted", fault="+".join((*FAULTS, "quick-coach")))


@pytest.mark.parametrize("part", SEARCHES)
def test_a_planted_leak_is_caught(leaking: list[Evening], part: str) -> None:
    with pytest.raises(Leak):
        sum(map(SEARCHES[part], leaking))


def test_the_search_knows_cards_and_secrets_however_they_are_written() -> None:
    assert cards_in(b'["Qh","Jd"] "-/2c3c/4c xTs" Asc AsK "2c2c"') == {
        Card(each) for each in ["Qh", "Jd", "2c", "3c", "4c", "Ts"]
    }
    assert cards_in(b'{"token":"4h-KdQs_9c"}') == set(), "chance names no card"
    secret = bytes(range(200, 232))
    import base64

    for around in (b"", b"a", b"ab", b"abc"):
        assert any(each in base64.b64encode(around + secret + b"tail") for each in spellings(secret))
    for written in (secret, secret.hex().encode(), repr(secret).encode(), str(int.from_bytes(secret)).encode()):
        assert any(each in b"before " + written + b" behind" for each in spellings(secret))
