"""axe over a page: what it finds wrong for people who do not see, or do not see well."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = (Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text()
# Only what is wrong is gathered and handed over: of all else there is far more.
_RUN = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes.map(({ target }) => target))}`))"""


def faults(page: Page) -> list[str]:
    """Each fault as its rule and the places it was found at."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found: list[str] = page.evaluate(_RUN)
    return found
