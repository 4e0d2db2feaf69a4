"""The REST routes by their own description; `rest.py` asks them. More: `python -m tests.trust.rest --count 500`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from tests.server.house import House
from tests.trust import rest
from tests.trust.rest import Wrong, ask_all, furnish

pytestmark = pytest.mark.server
EXAMPLES: Final = 6


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    database = tmp_path_factory.mktemp("rest") / "room.sqlite"
    furnish(database)
    house = House(database).start()
    yield house
    house.close()


def test_every_route_answers_as_it_says(furnished: House) -> None:
    assert ask_all(furnished, EXAMPLES) > 25
    assert furnished.said == ""


_SEND: Final = rest.send


def _breaks(case: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401
    answer = _SEND(case, headers)
    answer.status_code = 500
    return answer


def _tells_more(case: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401
    answer = _SEND(case, headers)
    if answer.status_code == 200:
        answer.content = answer.content.replace(b'"hands":', b'"secrets":')
    return answer


def _is_a_page(case: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401
    answer = _SEND(case, headers)
    answer.headers["content-type"] = ["text/html"]
    return answer


def _takes_anything(case: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401
    answer = _SEND(case, headers)
    if answer.status_code in {400, 422}:
        answer.status_code, answer.content = 201, b'{"name":"Ann"}'
    return answer


@pytest.mark.parametrize(
    ("fault", "only"),
    [
        (_breaks, "GET /api/me"),
        (_tells_more, "GET /api/tables/{table_id}"),
        (_is_a_page, "GET /api/rules"),
        (_takes_anything, "POST /api/guests"),
    ],
)
def test_a_planted_answer_that_is_not_told_of_is_caught(
    furnished: House, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., Any], only: str
) -> None:
    monkeypatch.setattr(rest, "send", fault)
    with pytest.raises(Wrong):
        ask_all(furnished, 2 * EXAMPLES, only=only)
