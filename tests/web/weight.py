"""The built client's bytes, as a server sends them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ananas.server.app import STATIC

ASSETS: Final = STATIC / "assets"
LIMITS: Final = {"first": 60_000, "scripts": 152_000, "styles": 15_000, "fonts": 52_000}
"""JavaScript until the first card, all of it in one language, styles until the first card, the fonts; in bytes, packed."""
LANGUAGES: Final = ("ru", "en")
BEFORE_CARDS: Final = ("Lobby",)
"""The parts that are fetched on demand, and that a guest sees before his first card."""
_IMPORTS: Final = re.compile(r"""(?:from|import)\s*["'](\./[^"']+\.js)["']""")


def first_scripts() -> list[Path]:
    """What a browser must fetch before a guest at a table holds his first cards.

    The page's script with all it imports, the longest language, and the parts he meets on the way.
    """
    page = (STATIC / "index.html").read_text()
    found = [STATIC / name.lstrip("/") for name in re.findall(r'src="(/assets/[^"]+\.js)"', page)]
    found += [_longest_language(), *_named(*BEFORE_CARDS)]
    for path in found:  # grows while it is walked
        found += [new for name in _IMPORTS.findall(path.read_text()) if (new := path.parent / name[2:]) not in found]
    return found


def packed(paths: Iterable[Path]) -> int:
    """The bytes of files, each packed by itself."""
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in paths)


def weights() -> dict[str, int]:
    """What is weighed, by the names of the limits."""
    spoken = _longest_language().name.partition("-")[0]
    others = {path for name in LANGUAGES if name != spoken for path in _named(name, f"{name}-apart")}
    return {
        "first": packed(first_scripts()),
        "scripts": packed(path for path in STATIC.glob("**/*.js") if path not in others),
        "styles": packed(path for path in ASSETS.glob("*.css") if path.name.startswith(("index-", "Lobby-"))),
        "fonts": sum(path.stat().st_size for path in ASSETS.glob("*.woff2")),
    }


def _longest_language() -> Path:
    return max(_named(*LANGUAGES), key=lambda path: path.stat().st_size)


def _named(*names: str) -> list[Path]:
    return [path for path in ASSETS.glob("*.js") if re.fullmatch(rf"(?:{'|'.join(names)})-[\w-]{{8}}\.js", path.name)]
