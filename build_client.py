"""Builds the web client into the package; hatchling calls it for every wheel, with the native core, `make` by hand."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # the build runs this file from anywhere
from build_core import build_core

HERE = Path(__file__).parent
WEB = HERE / "web"
STATIC = HERE / "src" / "ananas" / "server" / "static"
STAMP = STATIC / "built-from"
NOT_SOURCE = {"node_modules", "dist"}
BOOKS = (HERE / "docs" / "rules.md", HERE / "docs" / "rules.ru.md")
"""The rule book is a page of the client."""


def sources_hash() -> str:
    """A hash of every file the client is built from."""
    digest = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB)
        if path.is_file() and inside.parts[0] not in NOT_SOURCE:
            digest.update(str(inside).encode() + b"\0" + path.read_bytes() + b"\0")
    for book in BOOKS:
        digest.update(book.read_bytes() + b"\0")
    return digest.hexdigest()


def build_client() -> None:
    """Build the client unless it is fresh; with ANANAS_SKIP_CLIENT=1, or without its sources, take what is there."""
    if not WEB.is_dir() or os.environ.get("ANANAS_SKIP_CLIENT") == "1":
        return
    wanted = sources_hash()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("The web client is built with Node 20 or newer and npm: install them, then try again.")
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([npm, "ci", "--ignore-scripts", "--no-progress"], cwd=WEB, check=True)  # noqa: S603
    subprocess.run([npm, "run", "--silent", "build"], cwd=WEB, check=True)  # noqa: S603
    STAMP.write_text(wanted)


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's way in."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build before the files of the wheel are collected."""
        build_client()
        if build_core():
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{platform}"


if __name__ == "__main__":
    build_client()
