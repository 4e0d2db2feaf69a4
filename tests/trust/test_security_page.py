"""The page on security says what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from ananas.protocol import MAX_MESSAGE_BYTES
from ananas.server import app, guests, limits, links, viewers
from ananas.server.settings import Settings

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "security.md").read_text()
CREATIONS: Final = Settings.model_fields["creations"].default
TRUE: Final = (
    f"| {app.WS_BYTES // 1024} KiB, else the socket is closed; from {MAX_MESSAGE_BYTES // 1024} KiB on it is refused",
    f"| {viewers.RATE} a second for long",
    f"never more than {app.UNHEARD} unheard |",
    f"| {viewers.NONSENSE} a second of a socket are read for long, after the first {viewers.NONSENSE_AT_ONCE};",
    f"| {viewers.SILENT_MS // 1000} seconds |",
    f"| {app.REQUEST_SECONDS:.0f} seconds to be said, {app.REQUEST_BYTES // 1024} KiB, of which {app.BODY_BYTES // 1024} KiB body",
    {4: "a quarter of all"}[app.SHARE],
    f"| {Settings.model_fields['sockets'].default} of one address (`--sockets`), {limits.GUEST_SOCKETS} of one guest |",
    f"| {CREATIONS} a minute (`--creations`)",
    f"| {app.REQUESTS * CREATIONS} a minute of one address |",
    f"Tokens of links have {8 * links.BYTES} bits, those of cookies 256.",
    {30: "each thirty days"}[guests.RENEW_MS // (24 * 3600 * 1000)],
    {10: "and ten minutes longer"}[guests.GRACE_MS // 60_000],
    {600: "within ten minutes"}[links.DEVICE_SECONDS],
)


def lies(page: str) -> list[str]:
    """What the page should say and does not, and commands in it that there are not."""
    found = [text for text in TRUE if text not in page]
    found += [
        module
        for module in re.findall(r"python -m ([\w.]+)", page)
        if not (ROOT / f"{module.replace('.', '/')}.py").exists()
    ]
    found += [path for path in re.findall(r"tests/[\w/]+\.\w+", page) if not (ROOT / path).exists()]
    return found


def test_the_page_says_what_is_so() -> None:
    assert lies(PAGE) == []


@pytest.mark.parametrize(
    ("said", "instead"), [("16 KiB", "64 KiB"), ("tests.trust.frames", "tests.trust.frame"), ("256", "64")]
)
def test_a_planted_lie_is_caught(said: str, instead: str) -> None:
    assert lies(PAGE.replace(said, instead))
