"""How much of the room one address, one guest and all together may take, so that something is left for the others."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from ipaddress import IPv6Address, ip_address
from typing import Final

from ananas.refused import Refused
from ananas.server.viewers import Bucket

GUEST_SOCKETS: Final = 10
"""How many sockets one guest may have open."""
DESCRIPTORS: Final = 65_536
"""More files and connections than this the process does not want, even where it might."""
RESERVE: Final = 64
"""File descriptors that no connection gets: the store's, the bots', the log's."""


class Limits:
    """How much each network address may create."""

    def __init__(self, creations: int) -> None:
        self._creations: Final = creations
        self._buckets: Final[dict[str, Bucket]] = {}

    def take(self, address: str) -> None:
        """Count one creation; raises `Refused("too-many")`."""
        if len(self._buckets) > 10_000:
            for key in [key for key, bucket in self._buckets.items() if bucket.full]:
                del self._buckets[key]
        bucket = self._buckets.setdefault(_household(address), Bucket(rate=self._creations / 60, burst=self._creations))
        if not bucket.take():
            raise Refused("too-many", rate=self._creations)


class Turns:
    """Long work, of which a few pieces are done at once, and for each network address one.

    Whoever asks for many things waits for himself, and not everybody for him.
    """

    def __init__(self, at_once: int) -> None:
        self._places: Final = asyncio.Semaphore(at_once)
        self._own: Final[dict[str, asyncio.Lock]] = {}
        self._asking: Final = Counter[str]()

    @contextlib.asynccontextmanager
    async def take(self, address: str) -> AsyncGenerator[None]:
        """Wait until it is this address's turn, and have it while this lasts."""
        household = _household(address)
        self._asking[household] += 1
        try:
            async with self._own.setdefault(household, asyncio.Lock()), self._places:
                yield
        finally:
            self._asking[household] -= 1
            if not self._asking[household]:
                del self._asking[household], self._own[household]


class Places:
    """How many sockets each network address and each guest has open.

    >>> places = Places(1)
    >>> with places.take("192.0.2.1", None) as first, places.take("192.0.2.1", None) as second:
    ...     print(first, second)
    True False
    """

    def __init__(self, sockets: int) -> None:
        self._sockets: Final = sockets
        self._taken: Final = Counter[tuple[str, str]]()

    @contextlib.contextmanager
    def take(self, address: str, guest: str | None) -> Generator[bool]:
        """Take one while this lasts; tells whether there was one left."""
        wanted = [("address", _household(address), self._sockets)]
        if guest is not None:
            wanted.append(("guest", guest, GUEST_SOCKETS))
        if any(self._taken[kind, who] >= limit for kind, who, limit in wanted):
            yield False
            return
        self._taken.update((kind, who) for kind, who, _ in wanted)
        try:
            yield True
        finally:
            for kind, who, _ in wanted:
                self._taken[kind, who] -= 1
                if not self._taken[kind, who]:
                    del self._taken[kind, who]


def raise_descriptors() -> int:
    """Let this process have as many files and connections as it may; gives how many connections that makes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if 0 <= soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # what cannot be raised stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(1, (soft if soft >= 0 else DESCRIPTORS) - RESERVE)


def _household(address: str) -> str:
    """The address, or for IPv6 the network that one customer has to himself."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    return str(int(number) >> 64) if isinstance(number, IPv6Address) else address
