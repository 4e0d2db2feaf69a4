"""The command line: pleasant to read, quick to start, and one line where something is wrong."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from ananas import __version__
from ananas.cli import main
from ananas.cli.main import app
from ananas.solver.core import which
from tests.server.house import House
from tests.server.tampering import tampering

RUNNER = CliRunner()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "room.sqlite").start()
    yield house
    house.close()


def ananas(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "ananas.cli.main", *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "PATH": "",
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            **environment,
        },
    )


def test_version() -> None:
    found = RUNNER.invoke(app, ["--version"])
    assert (found.exit_code, found.output) == (0, f"ananas {__version__} ({which()})\n")


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_names_every_command(words: list[str]) -> None:
    found = ananas(*words)
    assert "ananas serve opens it" in found.stdout
    for command in app.registered_commands:
        assert command.callback is not None
        assert re.search(rf"│ {command.callback.__name__} ", found.stdout)


def test_help_needs_no_server() -> None:
    code = (
        "import sys, ananas.cli.main as m\n"
        "try: m.app(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'starlette', 'uvicorn', 'fastapi', 'pydantic', 'sqlite3'} & set(sys.modules)), file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert found.stderr == "[]\n"


def test_serve_help_names_every_variable() -> None:
    found = ananas("serve", "--help").stdout
    for name in ("HOST", "PORT", "DATABASE", "PUBLIC_URL", "OPEN", "BOT_PAUSE", "CREATIONS"):
        assert f"ANANAS_{name}" in found


def test_serve_says_where_the_room_is(house: House) -> None:
    assert house.call("GET", "/api/room").json["public_url"] == house.url


@pytest.mark.parametrize(
    ("words", "environment", "line"),
    [
        (["--port=70000"], {}, "ananas: --port: Input should be less than or equal to 65535\n"),
        (
            ["--public-url=ofc.example"],
            {},
            "ananas: --public-url: an address begins with http:// or https:// and has no path\n",
        ),
        ([], {"ANANAS_CREATIONS": "0"}, "ananas: --creations: Input should be greater than or equal to 1\n"),
        (["--database=/nowhere/room.sqlite"], {}, "ananas: /nowhere/room.sqlite cannot be opened: No such file or directory\n"),
        (["--host=192.0.2.1"], {}, "ananas: cannot listen on 192.0.2.1, port 0: Cannot assign requested address\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(
    tmp_path: Path, words: list[str], environment: dict[str, str], line: str
) -> None:
    database = str(tmp_path / "room.sqlite")
    found = ananas("serve", "--port=0", *words, **{"ANANAS_DATABASE": database, **environment})
    assert found.returncode in {1, 2}
    assert (found.stdout, found.stderr) == ("", line)


def test_a_taken_port_is_said_in_one_line(house: House, tmp_path: Path) -> None:
    found = ananas("serve", "--host=127.0.0.1", f"--port={house.port}", f"--database={tmp_path / 'other.sqlite'}")
    assert found.returncode == 1
    assert found.stderr == (
        f"ananas: port {house.port} is taken; choose another one with --port, or stop what listens there\n"
    )
    assert not (tmp_path / "other.sqlite").exists()


def test_flags_go_over_the_environment(tmp_path: Path) -> None:
    found = ananas(
        "serve", "--host=192.0.2.1", "--port=1", ANANAS_HOST="192.0.2.2", ANANAS_DATABASE=str(tmp_path / "room.sqlite")
    )
    assert "192.0.2.1, port 1" in found.stderr


def test_check_finds_a_database_whole_while_the_room_runs(house: House) -> None:
    cookie = house.guest("Ann")
    house.table(cookie, seats=3)
    house.table(cookie)
    found = ananas("check", str(house.database))
    assert (found.returncode, found.stdout) == (
        0,
        "2 tables whole (2 commands, 0 hands), 0 damaged\nthis look at hidden cards is entry 1 of the audit\n",
    )


def test_check_names_the_table_that_was_changed(house: House) -> None:
    cookie = house.guest("Ann")
    good, bad = house.table(cookie), house.table(cookie, seats=3, bots=1)
    house.close()
    with tampering(house.database) as db:
        db.execute("UPDATE events SET events = replace(events, 'Kiwi', 'Fiwi') WHERE table_id = ?", (bad,))
    found = ananas("check", "--database", str(house.database))
    assert found.returncode == 1
    assert (
        found.stdout
        == f"DAMAGED  table {bad}, version 2: was changed\n1 tables whole (1 commands, 0 hands), 1 damaged\n"
        "this look at hidden cards is entry 1 of the audit\n"
    )
    assert good not in found.stdout


def test_check_of_what_is_no_database(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    found = ananas("check", "--database", str(missing))
    assert found.returncode == 2
    assert found.stderr == f"ananas: there is no file {missing}\n"
    assert not missing.exists()


SOLVE: Final = ("solve", "QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d", "--seconds", "0.1")


def to(output: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command with another output."""
    command = [sys.executable, "-m", "ananas.cli.main", *words]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, timeout=60, check=False)


@pytest.mark.parametrize("words", [SOLVE, (*SOLVE, "--json"), ("--help",), ("--version",)], ids=str)
def test_an_output_that_is_full_is_said_in_one_line(words: tuple[str, ...]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        found = to(full, *words)
    finally:
        os.close(full)
    assert found.stderr == "ananas: standard output cannot be written: No space left on device\n"
    assert found.returncode == 1


@pytest.mark.parametrize("words", [SOLVE, (*SOLVE, "--json"), ("--help",)], ids=str)
def test_an_output_that_nobody_reads_any_more_is_left_quietly(words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        found = to(write, *words)
    finally:
        os.close(write)
    assert (found.returncode, found.stderr) == (1, "")


def test_signs_that_the_terminal_does_not_have_are_replaced() -> None:
    found = ananas(*SOLVE, PYTHONIOENCODING="ascii")
    assert (found.returncode, found.stderr) == (0, "")
    assert " ? " in found.stdout
    assert ananas("solve", "ё", PYTHONIOENCODING="ascii").stderr.startswith("ananas: ")


@pytest.mark.parametrize("where", ["typer", "ananas.cli.solve"])
def test_ctrl_c_while_it_starts_leaves_no_traceback(where: str) -> None:
    code = (
        "import runpy, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {where!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['ananas', '--help']\n"
        "runpy.run_module('ananas.cli.main', run_name='__main__')"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "")


def test_ctrl_c_ends_with_the_status_of_its_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "app", interrupted)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 130


def test_a_fault_of_our_own_is_not_taken_for_a_full_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere/else")

    monkeypatch.setattr(main, "app", faulty)
    with pytest.raises(OSError, match="/somewhere/else"):
        main.main()
