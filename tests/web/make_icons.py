"""Draws the icons in `web/public` from `favicon.svg`, as those who put the room on a home screen see it.

Run it as `PYTHONPATH=src python tests/web/make_icons.py` after a change of the drawing; it wants Debian's chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

PUBLIC: Final = Path(__file__).parents[2] / "web" / "public"
ICONS: Final = {"icon-192": (192, True, 1.0), "icon-512": (512, True, 1.0)} | {
    "icon-180": (180, False, 1.0),
    "icon-maskable-512": (512, False, 0.84),
}
"""Each with its size, whether its corners are round, and the size of the drawing on it.

Systems that cut corners themselves want a whole ground; where they cut a circle, the drawing has to keep away from it.
"""


def drawing(*, round_corners: bool, scale: float) -> str:
    """The favicon, as it is or on a ground without corners."""
    svg = (PUBLIC / "favicon.svg").read_text().strip()
    if round_corners:
        return svg
    ground, rest = svg.split("/>", 1)
    inner = rest.removesuffix("</svg>")
    shift = 16 * (1 - scale)
    whole = ground.replace(' rx="8"', "")
    return f'{whole}/><g transform="translate({shift} {shift}) scale({scale})">{inner}</g></svg>'


def main() -> None:
    """Draw them all."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (size, round_corners, scale) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = drawing(round_corners=round_corners, scale=scale)
            page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{size}px}}</style>{svg}")
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
