"""Links that let in whoever has them: to a hand that somebody shared, and to be somebody on a second device.

Each holds a token that is drawn at random; of the token only the hash is kept.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import secrets
from collections.abc import Generator
from typing import Final, NamedTuple

import msgspec

from ananas.refused import Refused
from ananas.server.guests import hash_token
from ananas.server.store import Share, Store

BYTES: Final = 18
"""How long a token is: nobody guesses 144 bits, and a QR code of them can still be read from a screen."""
DEVICE_SECONDS: Final = 600
"""How long a link to a second device may be used."""


class SharedHands:
    """Links to finished hands. The same hand, shared again in the same way, has the same link while the room runs."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        # The room cannot look up a token of which it keeps the hash alone; out of this key it makes it anew.
        self._key: Final = secrets.token_bytes(32)

    async def link(self, share: Share, now: int) -> str:
        """The token of a link to a hand as the sharer may know it."""
        digest = hmac.digest(self._key, msgspec.json.encode(share), "sha256")
        token = base64.urlsafe_b64encode(digest[:BYTES]).decode()
        await self._store.add_share(share, hash_token(token), now)
        return token

    async def behind(self, token: str) -> Share:
        """What a link leads to. Raises `Refused("no-link")`."""
        share = await self._store.share(hash_token(token))
        if share is None:
            raise Refused("no-link")
        return share


class _Waiting(NamedTuple):
    guest_id: str
    until: int


class DeviceLinks:
    """One-time links by which a guest becomes known on another device.

    They are kept in memory alone: when the room starts again, there are none. Times in milliseconds of room time.

    >>> links = DeviceLinks()
    >>> token = links.make("guest:1", now=0)
    >>> links.guest(token, now=599_999)
    'guest:1'

    One that leads nowhere, or not any more, is `Refused("no-link")`.
    """

    def __init__(self) -> None:
        self._waiting: dict[bytes, _Waiting] = {}

    def make(self, guest_id: str, now: int) -> str:
        """The token of a new link to this guest; one that he had before leads nowhere any more."""
        self._waiting = {
            hashed: link for hashed, link in self._waiting.items() if link.until > now and link.guest_id != guest_id
        }
        token = secrets.token_urlsafe(BYTES)
        self._waiting[hash_token(token)] = _Waiting(guest_id, now + 1000 * DEVICE_SECONDS)
        return token

    def guest(self, token: str, now: int) -> str:
        """The id of the guest whom a link would make one."""
        link = self._waiting.get(hash_token(token))
        if link is None or link.until <= now:
            raise Refused("no-link")
        return link.guest_id

    @contextlib.contextmanager
    def use(self, token: str, now: int) -> Generator[None]:
        """From now on the link leads nowhere, unless what is done with it fails."""
        self.guest(token, now)
        link = self._waiting.pop(hash_token(token))
        try:
            yield
        except BaseException:
            if not any(each.guest_id == link.guest_id for each in self._waiting.values()):  # he has no newer one
                self._waiting[hash_token(token)] = link
            raise
