"""The page of results: each measurement writes its own section, and leaves the others alone."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parent / "results.md"


def write_section(section: str) -> None:
    """Replace the section of the same title, or add it."""
    title = section.splitlines()[0]
    page = PAGE.read_text() if PAGE.exists() else "# Results\n"
    parts = [part for part in page.split("\n## ") if f"## {part.splitlines()[0]}" != title]
    PAGE.write_text("\n## ".join([part.strip("\n") + "\n" for part in parts]) + "\n" + section)
