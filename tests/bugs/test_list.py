"""The list is whole: every fault has a test or a reason, every test a fault, and the page says which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_HERE = "does not apply, because "


def known() -> dict[str, str]:
    """The faults of the list, by number."""
    lines = [line for line in (ROOT / "tests/data/bugs.txt").read_text().splitlines() if not line.startswith("#")]
    found = dict(line.split(" | ") for line in lines)
    assert len(found) == len(lines)
    return found


def page() -> dict[str, tuple[str, str]]:
    """What the page says of each: the fault, and where it is tested or why it is not."""
    rows = re.findall(r"^\| (B\d{3}) \| (.+?) \| (.+) \|$", (ROOT / "docs/bugs.md").read_text(), re.MULTILINE)
    assert len({number for number, *_ in rows}) == len(rows)
    return {number: (fault, where) for number, fault, where in rows}


def with_tests() -> dict[str, set[str]]:
    """By number, the files that have a test of it which is not the one of a planted fault."""
    found: dict[str, set[str]] = {}
    for file in (*Path(__file__).parent.glob("test_*.py"), ROOT / "tests/browser/test_bugs.py"):
        for name in re.findall(r"^def test_bug_(\w+)", file.read_text(), re.MULTILINE):
            assert re.match("B[0-9]{3}_", name), name
            if not name.endswith("planted"):
                for number in re.findall("B[0-9]{3}", name):
                    found.setdefault(number, set()).add(str(file.relative_to(ROOT)))
    return found


def whole(faults: Mapping[str, str], told: Mapping[str, tuple[str, str]], tests: Mapping[str, Iterable[str]]) -> None:
    assert {number: fault for number, (fault, _) in told.items()} == faults
    assert tests.keys() <= faults.keys(), "a test of a fault that is not in the list"
    for number, (_, where) in told.items():
        if where.startswith(NOT_HERE):
            assert number not in tests
            assert len(where) > len(NOT_HERE) + 20
        else:
            files = set(re.findall("`(tests/(?:bugs|browser)/[a-z_]+[.]py)`", where))
            assert files == set(tests.get(number, ())), f"{number} is tested elsewhere than the page says"


def test_every_fault_has_a_test_or_a_reason_and_every_test_a_fault() -> None:
    whole(known(), page(), with_tests())


def test_a_fault_without_a_test_and_a_test_without_a_fault_are_caught() -> None:
    faults, told, tests = known(), page(), with_tests()
    without = {number: files for number, files in tests.items() if number != "B041"}
    for wrong in (
        (faults, told, without),
        (faults, told, {**tests, "B999": ["tests/bugs/test_seats.py"]}),
        ({**faults, "B999": "?"}, told, tests),
        (faults, {**told, "B041": (faults["B041"], NOT_HERE + "nobody taps twice in this room, ever")}, tests),
    ):
        with pytest.raises(AssertionError):
            whole(*wrong)
