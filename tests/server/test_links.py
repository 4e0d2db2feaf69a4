"""Links: to a shared hand, for good and for whoever has one; to a second device, once and for ten minutes."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from itertools import product
from pathlib import Path

import pytest

from ananas.refused import Refused
from ananas.server.links import DEVICE_SECONDS, DeviceLinks, SharedHands
from ananas.server.store import Share, Store

END = 1000 * DEVICE_SECONDS


def refused(links: DeviceLinks, token: str, now: int) -> bool:
    """Whether a link leads nowhere, neither to look at nor to use."""
    answers: list[str] = []
    with suppress(Refused):
        answers.append(links.guest(token, now))
    with suppress(Refused), links.use(token, now):
        answers.append("used")
    assert len(answers) in {0, 2}
    return not answers


def test_a_device_is_linked_once() -> None:
    links = DeviceLinks()
    token = links.make("ann", 0)
    assert [links.guest(token, now) for now in (0, 1, END - 1)] == ["ann"] * 3, "to look changes nothing"
    with links.use(token, 5):
        assert refused(links, token, 5), "nobody else uses it meanwhile"
    assert refused(links, token, 5)


def test_a_link_leads_nowhere_after_its_time_and_is_forgotten() -> None:
    links = DeviceLinks()
    old = links.make("ann", 0)
    assert refused(links, old, END)
    new = links.make("bob", END)
    assert len(links._waiting) == 1
    assert links.guest(new, END) == "bob"


def test_a_new_link_of_the_same_guest_replaces_the_old_one() -> None:
    links = DeviceLinks()
    bobs, old, new = links.make("bob", 0), links.make("ann", 0), links.make("ann", 1)
    assert refused(links, old, 1)
    assert (links.guest(new, 1), links.guest(bobs, 1)) == ("ann", "bob")


def test_a_link_whose_use_fails_can_be_used_again() -> None:
    links = DeviceLinks()
    token = links.make("ann", 0)
    with suppress(OSError), links.use(token, 1):
        raise OSError
    assert links.guest(token, 1) == "ann"
    with links.use(token, 2):
        pass
    assert refused(links, token, 2)


def test_a_link_whose_use_fails_after_the_guest_has_made_a_newer_one_leads_nowhere() -> None:
    """Both of them let somebody in, then."""
    links = DeviceLinks()
    old, new = links.make("ann", 0), list[str]()
    with suppress(OSError), links.use(old, 1):
        new.append(links.make("ann", 1))
        raise OSError
    assert refused(links, old, 2)
    assert [links.guest(token, 2) for token in new] == ["ann"]


@pytest.mark.parametrize("token", ["", "x", "x" * 24, "\ud800", "a\0", "z" * 10_000])
def test_what_is_no_link_leads_nowhere(token: str) -> None:
    links = DeviceLinks()
    links.make("ann", 0)
    assert refused(links, token, 0)


def test_tokens_are_long_and_never_the_same() -> None:
    links = DeviceLinks()
    tokens = [links.make("ann", 0) for _ in range(1000)]
    assert len(set(tokens)) == 1000
    assert all(re.fullmatch("[A-Za-z0-9_-]{24}", token) for token in tokens)  # 144 bits
    assert all(token.encode() not in key for key in links._waiting for token in tokens)


# -- shared hands


def with_shared(path: Path, body: Callable[[SharedHands], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(path)
        try:
            await body(SharedHands(store))
        finally:
            store.close()

    asyncio.run(run())


def test_the_same_hand_shared_again_in_the_same_way_has_the_same_link_and_any_other_another(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    shares = [Share(*each) for each in product(("one", "two"), (1, 2), ("ann", "bob", None), (False, True))]
    tokens: list[str] = []

    async def body(shared: SharedHands) -> None:
        found = [await shared.link(share, 1) for share in shares]
        assert found == [await shared.link(share, 2) for share in shares]
        assert len(set(found)) == len(shares) == 24
        assert all(re.fullmatch("[A-Za-z0-9_-]{24}", token) for token in found)
        assert [await shared.behind(token) for token in found] == shares
        tokens.extend(found)
        for wrong in ("", "x" * 24, found[0][:-1], found[0].swapcase(), "\ud800", f"{found[0]}\0"):
            with pytest.raises(Refused, match="does not lead anywhere"):
                await shared.behind(wrong)

    async def later(shared: SharedHands) -> None:
        assert [await shared.behind(token) for token in tokens] == shares, "old links lead where they led"
        new = [await shared.link(share, 3) for share in shares]
        assert not set(new) & set(tokens), "a room that starts again cannot know what it gave away"
        assert [await shared.behind(token) for token in new] == shares

    with_shared(path, body)
    with_shared(path, later)
    with closing(sqlite3.connect(path)) as db:
        dump = "\n".join(db.iterdump())
        assert db.execute("SELECT count(*) FROM shares").fetchone() == (48,)
    assert "ann" in dump
    assert [token for token in tokens if token in dump or token.encode().hex().upper() in dump] == []
