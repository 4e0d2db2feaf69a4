"""Guests: people who have said a name. Each of their browsers is known again by a token, of which only the hash is kept."""

from __future__ import annotations

import re
import secrets
import unicodedata
from hashlib import sha256
from typing import Final

from ananas.refused import Refused
from ananas.server.store import Guest, Store

RENEW_MS: Final = 30 * 24 * 3600 * 1000
"""How long a browser has the same token."""
GRACE_MS: Final = 10 * 60 * 1000
"""How long a token is good after the browser has shown that it has another one."""
AGAIN_MS: Final = 60 * 1000
"""A browser that asks so soon again has its new token on the way: two pages were opened at once."""

# Letters and marks that are drawn as nothing: they would make two names look the same, or a name look empty.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SHAPE: Final = re.compile("(?: |LM{0,3})+")
"""Marks stand on a letter, and no tower of them."""
_LETTERS: Final = {"LATIN": 0x250, "CYRILLIC": 0x500, "GREEK": 0x400, "ARABIC": 0x800, "CHEROKEE": 0, "CJK": 0x40000}
"""Where the everyday letters of an alphabet end; beyond are signs of linguists that look like them."""


def clean_name(text: str, longest: int = 20) -> str:
    """The name as it will be shown: composed, without spaces around it, inner ones single.

    >>> clean_name("  Анна   Мария "), clean_name("O'Neill-2")
    ('Анна Мария', "O'Neill-2")

    Raises `Refused("bad-name")` for anything but 1 to `longest` letters, digits, marks, spaces and . - _ ' with at
    least one letter or digit, for letters that cannot be seen, and for a word that mixes alphabets or has letters that
    no everyday text has: such are drawn to look like somebody else's name.
    """
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text).strip(" "))
    kinds = "".join(map(_kind, name[: longest + 1]))
    if len(name) > longest or "L" not in kinds or not _SHAPE.fullmatch(kinds) or _mixes_alphabets(name):
        raise Refused("bad-name", longest=longest)
    return name


def _kind(letter: str) -> str:
    if letter in " .-_'":
        return " "
    if _INVISIBLE.match(letter):
        return "?"
    category = unicodedata.category(letter)
    if category[0] == "L" and ord(letter) >= _LETTERS.get(_alphabet(letter), 0x12000):
        return "?"
    return "L" if category == "Nd" or category[0] == "L" else "M" if category[0] == "M" else "?"


def _mixes_alphabets(name: str) -> bool:
    words = re.split("[ ._'-]", name)
    return any(len({_alphabet(letter) for letter in word if letter.isalpha()}) > 1 for word in words)


def _alphabet(letter: str) -> str:
    """The alphabet of a letter; what East Asian names are written in counts as one."""
    first = unicodedata.name(letter, "?").split()[0]
    return "CJK" if first in {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL"} else first


async def add_guest(store: Store, name: str, now: int) -> tuple[Guest, str]:
    """Remember a new guest; gives him and the token by which he is known from now on."""
    guest = Guest(f"guest:{secrets.token_hex(8)}", clean_name(name))
    token = secrets.token_urlsafe(32)
    await store.add_guest(guest, hash_token(token), now)
    return guest, token


async def add_device(store: Store, guest: Guest, now: int) -> str:
    """Let a guest be known in another browser as well; gives the token by which that is known from now on."""
    token = secrets.token_urlsafe(32)
    await store.add_device(guest.id, hash_token(token), now)
    return token


async def known_guest(store: Store, token: str | None) -> Guest | None:
    """The guest with this token; None for no token, or one that nobody has."""
    return None if token is None else await store.guest(hash_token(token))


async def renewed(store: Store, token: str, now: int, *, at_once: bool = False) -> str | None:
    """A new token for the browser that has come with this one, where this one has been in use for long, or `at_once`.

    None where it keeps the one it has. A browser may never get the answer that bears its new token, so the old one is
    good until the new one is seen, and `GRACE_MS` longer, for what is on its way.
    """
    device = await store.device(hash_token(token))
    if device is None:
        return None
    if device.replaces is not None:
        await store.replace_device(hash_token(token), now + GRACE_MS)
    if device.over:
        return None
    given_lately = device.renewed_at is not None and now - device.renewed_at < AGAIN_MS
    if not at_once and (now - device.since < RENEW_MS or given_lately):
        return None
    new = secrets.token_urlsafe(32)
    await store.renew_device(hash_token(token), hash_token(new), now)
    return new


def hash_token(token: str) -> bytes:
    """What is kept of a token: 256 random bits need neither salt nor slowness."""
    return sha256(token.encode(errors="surrogatepass")).digest()
