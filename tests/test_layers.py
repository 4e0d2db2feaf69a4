"""The arrows of the architecture: rules at the ground, input and output at the edge, and no circle."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "ananas"

MAY_IMPORT = {
    "version": set[str](),
    "refused": set[str](),
    "game": {"refused"},
    "deal": {"game", "refused"},
    "fair": {"game", "refused"},
    "table": {"fair", "game", "refused"},
    "solver": {"game", "refused"},
    "coach": {"solver", "game", "deal", "refused"},
    "protocol": {"coach", "fair", "table", "game", "refused"},
    "bots": {"solver", "protocol", "table", "game", "deal", "refused"},
    "rl": {"solver", "bots", "game", "deal", "refused"},
    "server": {"solver", "coach", "bots", "protocol", "fair", "table", "game", "deal", "refused", "version"},
    "cli": {"server", "solver", "coach", "bots", "protocol", "fair", "table", "game", "deal", "refused", "version"},
    "__init__": {"table", "game", "deal", "refused", "version"},
}
"""Room by room, the rooms it may know."""

PURE = {"game", "fair", "table", "refused"}
IMPURE = {
    "asyncio", "concurrent", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "queue", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time",
    "uuid",
}  # fmt: skip
"""What a pure room may not touch: clock, dice, disk, network."""


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = dict[str, Path]()
    for path in SOURCE.rglob("*.py"):
        parts = ("ananas", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(source: str, known: set[str]) -> set[str]:
    """Every module a text imports, at its top or deep inside."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the arrow"
            base = node.module or ""
            names |= {f"{base}.{a.name}" if f"{base}.{a.name}" in known else base for a in node.names}
    return names


def room(module: str) -> str:
    """The room a module of ours lies in."""
    return module.split(".")[1] if "." in module else "__init__"


def faults(module: str, source: str, known: set[str]) -> list[str]:
    """What is wrong with a module's imports."""
    wrong = list[str]()
    for name in sorted(imports(source, known)):
        if name.split(".")[0] == "ananas":
            if room(name) not in MAY_IMPORT[room(module)] | {room(module)}:
                wrong.append(f"{module} imports {name}: the arrow runs upward")
        elif room(module) in PURE and name.split(".")[0] in IMPURE:
            wrong.append(f"{module} imports {name}: {room(module)} is pure")
    return wrong


def test_arrows_run_downward() -> None:
    known = modules()
    assert [f for name, path in known.items() for f in faults(name, path.read_text(), set(known))] == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("ananas.game.hand", "from ananas.table.state import Table"),
        ("ananas.table.decide", "from ananas import server"),
        ("ananas.table.decide", "import time"),
        ("ananas.game.hand", "def f():\n    import random"),
        ("ananas.bots.levels", "import ananas.server.room"),
    ],
)
def test_a_planted_upward_arrow_is_caught(module: str, line: str) -> None:
    assert len(faults(module, line, {"ananas.server", *modules()})) == 1


def test_every_room_is_on_the_map() -> None:
    assert {room(name) for name in modules()} - {"__init__"} <= set(MAY_IMPORT)


def test_no_circles() -> None:
    known = modules()
    graph = {
        name: {i for i in imports(path.read_text(), set(known)) if i in known and i != name}
        for name, path in known.items()
        if name != "ananas"
    }
    list(graphlib.TopologicalSorter(graph).static_order())


def test_the_library_imports_no_server() -> None:
    code = "import sys, ananas; print(sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for name in ("uvicorn", "starlette", "fastapi", "pydantic", "sqlite3", "asyncio", "typer"):
        assert f"'{name}'" not in loaded
