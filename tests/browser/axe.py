"""axe over a page: what it finds wrong for people who do not see, or do not see well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = (Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text()


def faults(page: Page) -> list[str]:
    """Each fault as its rule and the places it was found at."""
    page.evaluate(_AXE)
    found: dict[str, Any] = page.evaluate("axe.run()")
    return [f"{fault['id']}: {[node['target'] for node in fault['nodes']]}" for fault in found["violations"]]
