"""Guests: people who have said a name. A browser is known again by a token, of which only the hash is kept."""

from __future__ import annotations

import re
import secrets
import unicodedata
from hashlib import sha256
from typing import Final

from ananas.refused import Refused
from ananas.server.store import Guest, Store

_NAME: Final = re.compile(r"[^\W_](?:[^\W_]|[ .\-_'])*")
# Letters and marks that are drawn as nothing: they would make two names look the same, or a name look empty.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def clean_name(text: str) -> str:
    """The name as it will be shown: composed, without spaces around it, inner ones single.

    >>> clean_name("  Анна   Мария "), clean_name("O'Neill-2")
    ('Анна Мария', "O'Neill-2")

    Raises `Refused("bad-name")` for anything but 1 to 20 letters, digits, marks, spaces and . - _ ' with at least one
    letter or digit, and for letters that cannot be seen.
    """
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text).strip(" "))
    if len(name) > 20 or not any(letter.isalnum() for letter in name) or _INVISIBLE.search(name):
        raise Refused("bad-name")
    for before, letter in zip(" " + name, name, strict=False):
        kind = unicodedata.category(letter)
        mark = kind[0] == "M" and before not in " .-_'"
        if not (mark or kind[0] == "L" or kind == "Nd" or letter in " .-_'"):
            raise Refused("bad-name")
    return name


async def add_guest(store: Store, name: str, now: int) -> tuple[Guest, str]:
    """Remember a new guest; gives him and the token by which he is known from now on."""
    guest = Guest(f"guest:{secrets.token_hex(8)}", clean_name(name))
    token = secrets.token_urlsafe(32)
    await store.add_guest(guest, hash_token(token), now)
    return guest, token


async def known_guest(store: Store, token: str | None) -> Guest | None:
    """The guest with this token; None for no token, or one that nobody has."""
    return None if token is None else await store.guest(hash_token(token))


def hash_token(token: str) -> bytes:
    """What is kept of a token: 256 random bits need neither salt nor slowness."""
    return sha256(token.encode(errors="surrogatepass")).digest()
