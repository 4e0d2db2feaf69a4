"""The client stays light: what a guest fetches before his first card, and all of it together."""

from __future__ import annotations

import pytest

from tests.web.weight import LIMITS, first_scripts, weights


@pytest.mark.parametrize("what", LIMITS)
def test_the_client_is_no_heavier_than_its_limit(what: str) -> None:
    assert weights()[what] <= LIMITS[what]


def test_what_comes_before_the_first_card_was_found() -> None:
    names = {path.name.partition("-")[0] for path in first_scripts()}
    assert {"index", "ru", "Lobby"} <= names
    assert not {"Home", "RuleBook", "records", "Dialogs", "Showdown"} & names
