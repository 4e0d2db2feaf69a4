"""What others have written and is run here, and how our own is written: `python -m tests.trust.supply`, in `make test`.

bandit reads the sources; pip-audit and npm audit ask whether a pinned package has a known fault. A finding fails. Where
nobody can be asked, that is said, and does not fail: whether a test passes must not hang on somebody else's server.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
SECONDS: Final = 60
"""So long an answer is waited for."""
OURS: Final = ("src", "build_client.py", "build_core.py")
PINNED: Final = ("build", "run", "test")


class Answer(NamedTuple):
    """What one of them says: its findings, or why it has not been asked."""

    findings: Sequence[str] = ()
    unasked: str | None = None


Run = Callable[[Sequence[str], Path], str]
"""Runs a command in a folder; gives what it printed. Raises `OSError` and `subprocess.TimeoutExpired`."""


def run(command: Sequence[str], folder: Path) -> str:
    """What a command prints, whatever its status is."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False).stdout


def sources(run: Run = run, paths: Sequence[str] = OURS) -> Answer:
    """What bandit finds in our own."""
    command = [sys.executable, "-m", "bandit", "-q", "-r", "-ll", "-f", "json", *paths]
    found: dict[str, Any] = json.loads(run(command, ROOT))
    broken = [f"{each['filename']}: {each['reason']}" for each in found["errors"]]
    return Answer(
        [*broken, *(f"{each['filename']}:{each['line_number']}: {each['issue_text']}" for each in found["results"])]
    )


def python(run: Run = run, pinned: Sequence[str] = PINNED) -> Answer:
    """What is known of Python's pinned packages."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--disable-pip",
        "--require-hashes",
        "--no-deps",
        "--progress-spinner=off",
    ]
    files = [word for name in pinned for word in ("-r", f"requirements/{name}.txt")]
    try:
        packages: list[dict[str, Any]] = json.loads(run([*command, "--timeout=15", "-f=json", *files], ROOT))[
            "dependencies"
        ]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return Answer(unasked=f"nobody answers ({type(error).__name__})")
    findings = [
        f"{package['name']} {package['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for package in packages
        for fault in package.get("vulns", ())
    ]
    known = [package for package in packages if "vulns" in package]
    return Answer(findings, None if known else "nothing is known there of any of these packages")


def npm(run: Run = run) -> Answer:
    """What is known of the client's pinned packages."""
    npm = shutil.which("npm")
    if npm is None:
        return Answer(unasked="there is no npm")
    try:
        found: dict[str, Any] = json.loads(
            run([npm, "audit", "--json", "--fetch-retries=0", "--fetch-timeout=15000"], ROOT / "web")
        )
        faults: dict[str, Any] = found["vulnerabilities"]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return Answer(unasked=f"nobody answers ({type(error).__name__})")
    return Answer([f"{name} {fault['range']}: {fault['severity']}" for name, fault in faults.items()])


def main(asked: Sequence[tuple[str, Callable[[], Answer]]] = ()) -> int:
    """Ask all of them; 1 where there is a finding."""
    failed = False
    for name, ask in asked or (("bandit", sources), ("pip-audit", python), ("npm audit", npm)):
        answer = ask()
        for finding in answer.findings:
            print(f"{name}: {finding}", file=sys.stderr)
        failed |= bool(answer.findings)
        if answer.unasked is not None:
            print(f"{name}: not asked, {answer.unasked}")
        elif not answer.findings:
            print(f"{name}: nothing found")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
