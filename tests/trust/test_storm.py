"""A storm of people who are dropped and come back at once leaves nobody behind."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.trust import storm
from tests.trust.storm import NotWhole, blow

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]


def _seed() -> int:
    return secrets.randbelow(1_000_000)


def test_two_hundred_are_dropped_and_back_three_times_and_all_are_whole(tmp_path: Path) -> None:
    found = blow(tmp_path / "room.sqlite", 200, 3, seed=_seed())
    assert len(found.took) == 3


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("no-first-view", "nothing is said|first thing"),
        ("two-controllers", "two sockets"),
        ("another-seat", "is shown seat"),
        ("charged", "has paid|had to lay"),
    ],
)
def test_a_room_that_leaves_somebody_behind_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, what: str
) -> None:
    monkeypatch.setattr(storm, "PATIENCE", 6.0)
    with pytest.raises(NotWhole, match=what):
        blow(tmp_path / "room.sqlite", 24, 3, seed=1, fault=fault)
