"""A finding fails, and a server that cannot be asked does not; and our requirements are pinned and name no server."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.trust.supply import OURS, ROOT, Answer, main, npm, python, sources

PLANTED: Final = {
    "subprocess.call(text, shell=True)": "import subprocess\n\ndef f(text: str) -> None:\n    subprocess.call(text, shell=True)\n",
    "pickle": "import pickle\n\ndef f(sent: bytes) -> object:\n    return pickle.loads(sent)\n",
    "SQL": "def f(db, name):\n    db.execute(f\"SELECT * FROM guests WHERE name = '{name}'\")\n",
    "eval": "def f(text: str) -> object:\n    return eval(text)\n",
}


def test_bandit_finds_nothing_in_our_own() -> None:
    assert sources() == Answer([])
    assert all((ROOT / path).exists() for path in OURS)


def test_planted_lines_are_found(tmp_path: Path) -> None:
    for number, text in enumerate(PLANTED.values()):
        (tmp_path / f"{number}.py").write_text(text)
    found = {Path(finding.partition(":")[0]).stem for finding in sources(paths=[str(tmp_path)]).findings}
    assert found == {str(number) for number in range(len(PLANTED))}


def says(text: str) -> object:
    def run(command: Sequence[str], folder: Path) -> str:
        assert command[0]
        assert folder.is_dir()
        return text

    return run


def does_not_answer(command: Sequence[str], folder: Path) -> str:
    raise subprocess.TimeoutExpired(command, 60, str(folder))


KNOWN: Final[dict[str, object]] = {
    "name": "starlette",
    "version": "0.1",
    "vulns": [{"id": "CVE-1", "fix_versions": ["0.2"]}],
}
CLEAN: Final[dict[str, object]] = {"name": "segno", "version": "1", "vulns": []}
SKIPPED: Final[dict[str, object]] = {"name": "uvloop", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "findings", "asked"),
    [
        ([KNOWN, CLEAN, SKIPPED], ["starlette 0.1: CVE-1, mended in 0.2"], True),
        ([CLEAN, SKIPPED], [], True),
        ([SKIPPED], [], False),
    ],
)
def test_a_known_fault_of_a_package_is_a_finding(packages: object, findings: list[str], asked: bool) -> None:
    answer = python(says(json.dumps({"dependencies": packages})))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert (answer.findings, answer.unasked is None) == (findings, asked)


def test_a_known_fault_of_the_clients_packages_is_a_finding() -> None:
    told = {"vulnerabilities": {"vite": {"range": "<9", "severity": "high"}}}
    assert npm(says(json.dumps(told))).findings == ["vite <9: high"]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert npm(says('{"vulnerabilities": {}}')) == Answer([])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("run", [says(""), says('{"message": "405"}'), does_not_answer])
def test_who_cannot_be_asked_fails_nothing_and_is_named(run: object, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [("pip-audit", lambda: python(run)), ("npm audit", lambda: npm(run))]  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert main(asked) == 0
    assert capsys.readouterr().out.count("not asked, nobody answers") == 2


def test_a_finding_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([("one", lambda: Answer([])), ("two", lambda: Answer(["bad"]))]) == 1
    assert capsys.readouterr() == ("one: nothing found\n", "two: bad\n")


def unpinned(text: str) -> list[str]:
    """Which requirements are not pinned to what their files are, or come from a server of the file's choice."""
    wrong = re.findall(r"^\s*--(?:index-url|extra-index-url|find-links|trusted-host).*$|^.*://.*$", text, re.MULTILINE)
    for requirement in re.split(r"\n(?=[A-Za-z0-9])", "\n" + re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)):
        if requirement.strip() and not re.match(
            r"[\w.-]+(?:\[[\w,]+\])?==\S+ .*--hash=sha256:[0-9a-f]{64}", requirement, re.DOTALL
        ):
            wrong.append(requirement.strip()[:60])
    return wrong


def test_every_requirement_is_pinned_by_hash_and_names_no_server() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        assert unpinned(path.read_text().strip()) == [], path
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name and not each.get("link")}
    assert [name for name, each in packages.items() if not each.get("integrity", "").startswith("sha512-")] == []


ELSEWHERE = "http" + "s://evil.example"
AT = " @ "


@pytest.mark.parametrize(
    "text",
    [
        "segno==1.6.6",
        "segno>=1 \\\n    --hash=sha256:" + "0" * 64,
        f"--index-url {ELSEWHERE}/simple\nsegno==1 \\\n    --hash=sha256:" + "0" * 64,
        f"segno{AT}{ELSEWHERE}/segno.zip",
    ],
)
def test_a_planted_requirement_that_is_not_pinned_is_caught(text: str) -> None:
    assert unpinned(text)


def test_make_test_asks() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^test:.*\baudit\b", makefile, re.MULTILINE)
    assert "-m tests.trust.supply" in makefile
