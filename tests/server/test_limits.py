"""Turns at long work: nobody waits for somebody else's long line."""

from __future__ import annotations

import asyncio

import pytest

from ananas.refused import Refused
from ananas.server.limits import Limits, Turns, _household


async def work(turns: Turns, address: str, done: list[str], wait: asyncio.Event | None = None) -> None:
    async with turns.take(address):
        await (wait.wait() if wait else asyncio.sleep(0))
        done.append(address)


def test_who_asks_for_much_is_passed_by_everybody_else() -> None:
    async def body() -> None:
        turns, done, wait = Turns(2), list[str](), asyncio.Event()
        greedy = [asyncio.create_task(work(turns, "192.0.2.1", done, wait)) for _ in range(6)]
        await asyncio.sleep(0)
        for address in ("192.0.2.2", "192.0.2.3", "192.0.2.2"):
            await asyncio.wait_for(work(turns, address, done), 1)
        assert done == ["192.0.2.2", "192.0.2.3", "192.0.2.2"]
        wait.set()
        await asyncio.gather(*greedy)
        assert done[3:] == ["192.0.2.1"] * 6

    asyncio.run(body())


def test_no_more_than_so_many_are_done_at_once() -> None:
    async def body() -> None:
        turns, done, wait = Turns(2), list[str](), asyncio.Event()
        first = [asyncio.create_task(work(turns, f"192.0.2.{number}", done, wait)) for number in (1, 2)]
        await asyncio.sleep(0)
        third = asyncio.create_task(work(turns, "192.0.2.3", done))
        await asyncio.sleep(0.01)
        assert done == []
        wait.set()
        await asyncio.gather(*first, third)
        assert len(done) == 3

    asyncio.run(body())


def test_one_network_of_the_new_kind_is_one_address() -> None:
    async def body() -> None:
        turns, done, wait = Turns(2), list[str](), asyncio.Event()
        one = asyncio.create_task(work(turns, "2001:db8::1", done, wait))
        other = asyncio.create_task(work(turns, "2001:db8::2", done))
        await asyncio.sleep(0.01)
        assert done == []
        wait.set()
        await asyncio.gather(one, other)

    asyncio.run(body())


def test_whoever_gives_up_leaves_nothing_behind() -> None:
    async def body() -> None:
        turns, done, wait = Turns(1), list[str](), asyncio.Event()
        waiting = [asyncio.create_task(work(turns, "192.0.2.1", done, wait)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.wait_for(work(turns, "192.0.2.1", done), 1)
        assert done == ["192.0.2.1"]

    asyncio.run(body())


def test_what_is_counted_by_the_minute_is_refused_by_the_minute() -> None:
    limits = Limits(3)
    for _ in range(3):
        limits.take("192.0.2.1")
    limits.take("192.0.2.2")
    with pytest.raises(Refused, match="at most 3 a minute") as refused:
        limits.take("192.0.2.1")
    assert (refused.value.code, refused.value.args_by_name) == ("too-many", {"rate": 3})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:198.51.100.7", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_an_address_is_one_customers_however_it_is_written(one: str, other: str, same: bool) -> None:
    assert (_household(one) == _household(other)) is same
