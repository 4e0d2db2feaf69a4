"""The power fails: whatever was acknowledged is on the disk, and what is left is a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chance import Chance
from tests.trust.disk import SECTOR, Disk, Done
from tests.trust.power import Cuts, Lost, cut, recorded

pytestmark = pytest.mark.server


def cuts(folder: Path, count: int, *, kind: str = "FULL", pretends: bool = False, fails: bool = False) -> Cuts:
    path, operations = recorded(folder, kind=kind, pretends=pretends, fails=fails)
    return cut(folder, path, operations, count, "of every day")


def test_five_hundred_cuts_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    found = cuts(tmp_path, 500)
    assert found.cuts == 500
    assert found.acknowledged > 400
    assert found.unacknowledged_kept > 0, "no cut came between the disk and the answer"


@pytest.mark.parametrize(
    ("kind", "pretends"),
    [("NORMAL", False), ("FULL", True)],
    ids=["not every commit is flushed", "the disk pretends to flush"],
)
def test_what_is_not_flushed_is_lost_and_noticed(tmp_path: Path, kind: str, pretends: bool) -> None:
    with pytest.raises(Lost):
        cuts(tmp_path, 500, kind=kind, pretends=pretends)


def test_a_disk_that_fails_now_and_then_loses_nothing_either(tmp_path: Path) -> None:
    """After a failed flush the system believes to have written what it has not."""
    assert cuts(tmp_path, 150, fails=True).acknowledged > 300


def test_a_store_that_goes_on_after_a_failed_flush_is_caught(tmp_path: Path) -> None:
    with pytest.raises(Lost):
        cuts(tmp_path, 500, kind="TRUSTING", fails=True)


# -- the disk itself


def made(*operations: Done) -> Disk:
    disk = Disk()
    for done in operations:
        disk.do(done)
    return disk


OPENED = Done("O", 5, 0, b"/a")
FOLDER = [Done("D", 7, 0, b"/"), Done("S", 7, 0, b"")]
LONG = Done("W", 5, 0, b"x" * 4 * SECTOR)


def ends(disk: Disk) -> set[bytes | None]:
    """All that may be left of the file."""
    chance = Chance("ends")
    return {disk.after_a_cut(chance).get("/a") for _ in range(200)}


def test_what_is_flushed_stays_and_what_is_not_may_be_there_in_part() -> None:
    assert ends(made(OPENED, *FOLDER, LONG, Done("S", 5, 0, b""))) == {LONG.data}
    torn = ends(made(OPENED, *FOLDER, LONG))
    assert {b"", LONG.data, bytes(SECTOR) + b"x" * 3 * SECTOR} <= torn
    assert len(torn) == 16
    assert ends(made(OPENED, LONG, Done("S", 5, 0, b""))) == {None, LONG.data}, "its name was not flushed"


def test_what_a_failed_flush_was_to_write_is_in_doubt_for_good() -> None:
    failed = [OPENED, *FOLDER, LONG, Done("F", 5, 0, b"")]
    after = [Done("W", 5, 4 * SECTOR, b"y"), Done("S", 5, 0, b"")]
    found = ends(made(*failed, *after))
    assert len(found) == 16
    assert {content[-1:] for content in found if content is not None} == {b"y"}
    assert ends(made(*failed, Done("T", 5, 0, b""), *after)) == {bytes(4 * SECTOR) + b"y"}


def test_a_name_that_is_taken_away_may_come_back() -> None:
    gone = [OPENED, *FOLDER, LONG, Done("S", 5, 0, b""), Done("U", -1, 0, b"/a")]
    assert ends(made(*gone)) == {None, LONG.data}
    assert ends(made(*gone, *FOLDER)) == {None}
