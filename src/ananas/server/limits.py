"""How much of the room one address, one guest and all together may take, so that something is left for the others."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Final

from ananas.refused import Refused
from ananas.server.viewers import Bucket

GUEST_SOCKETS: Final = 10
"""How many sockets one guest may have open."""
DESCRIPTORS: Final = 65_536
"""More files and connections than this the process does not want, even where it might."""
TIDY: Final = 10_000
"""With so many addresses and guests counted, those who have done nothing for a while are forgotten."""
RESERVE: Final = 64
"""File descriptors that no connection gets: the store's, the bots', the log's."""


class Limits:
    """How much each network address, and each guest, may do in a minute, and at once.

    Whoever is known is counted apart from the strangers at his address, and the guests of one address may do twice as
    much as one of them: a guest who floods the room leaves as much again to the others there. Two who flood can use it all
    up, and still nothing of what another address has.
    """

    def __init__(self, rate: int) -> None:
        self._rate: Final = rate
        self._buckets: Final[dict[tuple[str, str], Bucket]] = {}
        self._tidy_at = TIDY

    def take(self, address: str, guest: str | None = None) -> None:
        """Count one; raises `Refused("too-many")`."""
        if len(self._buckets) >= self._tidy_at:
            for key in [key for key, bucket in self._buckets.items() if bucket.full]:
                del self._buckets[key]
            self._tidy_at = max(TIDY, 2 * len(self._buckets))
        household = _household(address)
        wanted = (
            [(("strangers", household), 1)] if guest is None else [(("guest", guest), 1), (("guests", household), 2)]
        )
        for key, times in wanted:
            bucket = self._buckets.get(key)
            if bucket is None:
                bucket = self._buckets[key] = Bucket(rate=times * self._rate / 60, burst=times * self._rate)
            if not bucket.take():
                raise Refused("too-many", rate=self._rate)


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

    Where an address has no place left, whoever has the most there gives one to somebody who has less: a flood from an
    address shuts out only itself. Those without a name count as one. Names are cheap, and seats are not: whoever sits at
    the table he calls gives none to who does not, and has the oldest place of those who do not.
    """

    def __init__(self, sockets: int) -> None:
        self._sockets: Final = sockets
        self._guests: Final = Counter[str]()
        self._taken: Final[dict[str, dict[str | None, list[_Place]]]] = {}
        self._numbers: Final = itertools.count()

    @contextlib.contextmanager
    def take(
        self,
        address: str,
        guest: str | None,
        leave: Callable[[], object] = lambda: None,
        *,
        seated: Callable[[], bool] = lambda: False,
    ) -> Generator[bool]:
        """Take one while this lasts; tells whether there was one left.

        `leave` is called if it is given to another. `seated`: whether he sits at the table he calls; he may sit down later.
        """
        household, place = _household(address), _Place(guest, next(self._numbers), leave, seated)
        if (guest is not None and self._guests[guest] >= GUEST_SOCKETS) or not self._room_for(household, place):
            yield False
            return
        self._taken.setdefault(household, {}).setdefault(guest, []).append(place)
        if guest is not None:
            self._guests[guest] += 1
        try:
            yield True
        finally:
            self._give_up(household, guest, place)

    def _room_for(self, household: str, wanted: _Place) -> bool:
        taken = self._taken.get(household, {})
        if sum(map(len, taken.values())) < self._sockets:
            return True
        place = _given_up(taken, wanted)
        if place is None:
            return False
        self._give_up(household, place.guest, place)
        place.leave()
        return True

    def _give_up(self, household: str, guest: str | None, place: _Place) -> None:
        """Give a place up, unless that has been done."""
        places = self._taken.get(household, {}).get(guest, [])
        if place not in places:
            return
        places.remove(place)
        if not places:
            del self._taken[household][guest]
            if not self._taken[household]:
                del self._taken[household]
        if guest is not None:
            self._guests[guest] -= 1
            if not self._guests[guest]:
                del self._guests[guest]


class _Place:
    """One that is taken; no two are equal. `number`: in which order they were taken."""

    def __init__(self, guest: str | None, number: int, leave: Callable[[], object], seated: Callable[[], bool]) -> None:
        self.guest: Final = guest
        self.number: Final = number
        self.leave: Final = leave
        self.seated: Final = seated


def _given_up(taken: Mapping[str | None, Sequence[_Place]], wanted: _Place) -> _Place | None:
    """Which of the places of an address is given to somebody; null where none is."""
    places = [place for those in taken.values() for place in those]
    free = [place for place in places if not place.seated()]
    if (place := _of_the_greediest(free, taken, wanted)) is not None or not wanted.seated():
        return place
    return min(free, key=lambda place: place.number) if free else _of_the_greediest(places, taken, wanted)


def _of_the_greediest(
    places: Sequence[_Place], taken: Mapping[str | None, Sequence[_Place]], wanted: _Place
) -> _Place | None:
    """The oldest of these places of him who has the most at the address, if that leaves him no less than who wants it."""
    place = max(places, key=lambda place: len(taken[place.guest]), default=None)
    if place is None or len(taken[place.guest]) <= len(taken.get(wanted.guest, ())) + 1:
        return None
    return place


class Callers:
    """How many connections each network address has; whoever is not counted has none.

    >>> callers = Callers({"127.0.0.1"}.__contains__)
    >>> [callers.come(address) for address in ("192.0.2.1", "192.0.2.1", "127.0.0.1")]
    [1, 2, 0]
    """

    def __init__(self, uncounted: Callable[[str], bool]) -> None:
        self._uncounted: Final = uncounted
        self._connections: Final = Counter[str]()

    def come(self, address: str) -> int:
        """Count one more; tells how many these are."""
        if self._uncounted(address):
            return 0
        self._connections[_household(address)] += 1
        return self._connections[_household(address)]

    def go(self, address: str) -> None:
        """Count one less."""
        if not self._uncounted(address):
            self._connections[_household(address)] -= 1
            if not self._connections[_household(address)]:
                del self._connections[_household(address)]


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
    if isinstance(number, IPv6Address):
        mapped = number.ipv4_mapped  # as a proxy writes it that listens for both
        return str(int(number) >> 64) if mapped is None else str(mapped)
    return address
