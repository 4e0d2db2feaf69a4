"""The REST routes, asked at random by their own description: no answer that it does not tell of, and none that breaks.

`python -m tests.trust.rest --count 500` asks each route so often; `--seed` otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core.failures import FailureGroup

from ananas.server.api import COOKIE
from ananas.server.puzzles import utc_today
from ananas.server.store import Store
from tests.server import coaches
from tests.server.house import House
from tests.server.test_api import PEOPLE, TABLES, _furnish

SEED: Final = 1
PLACES: Final[dict[str, Sequence[object]]] = {
    "table_id": (*TABLES, "nowhere"),
    "number": (1, 2, 8, 9, 0, 10**9, 10**9 + 1),
}
"""What stands in addresses that lead somewhere; at random nobody would find it."""
_OPENAPI: Final[Any] = importlib.import_module("schemathesis.specs.openapi.checks")  # it tells no types
REJECTS: Final[Any] = _OPENAPI.negative_data_rejection
CHECKS: Final[Sequence[Any]] = (
    _OPENAPI.status_code_conformance,
    _OPENAPI.content_type_conformance,
    _OPENAPI.response_schema_conformance,
    _OPENAPI.unsupported_method,
    REJECTS,
)
"""What is looked at in each answer, beside whether the room broke."""


class Wrong(AssertionError):
    """A route answers what its description does not tell."""


def furnish(database: Path) -> None:
    """Tables with hands that were counted, guests, and the puzzle of today, so that nobody has to make it."""

    async def run() -> None:
        await _furnish(database, TABLES)
        store = Store(database)
        try:
            await store.keep_puzzle(utc_today(), msgspec.json.encode(coaches.some_puzzle(utc_today())))
        finally:
            store.close()

    asyncio.run(run())


def send(case: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401
    """Ask; tests put in its place what answers wrongly."""
    return case.call(headers=headers)


def ask_all(house: House, examples: int, start: int = SEED, only: str = "") -> int:
    """Ask each route, or those with this in their names, so often; gives how many there are. Raises `Wrong`."""
    schema: Any = schemathesis.openapi.from_url(f"{house.url}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations:
        if only in operation.label:
            try:
                _ask(operation, examples, start)
            except (AssertionError, FailureGroup) as error:
                raise Wrong(f"{operation.label}: {error}") from None
    return len(operations)


def _ask(operation: Any, examples: int, start: int) -> None:  # noqa: ANN401
    good, bad = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in (good, bad)))
    # The coach's work is asked for elsewhere: whoever has played nothing makes it do none.
    people = (None, "eve") if operation.path.endswith("/review") else (None, *PEOPLE)
    places = {name: st.none() | st.sampled_from(values) for name, values in PLACES.items()}

    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate,),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
    )
    @given(case=cases, who=st.sampled_from(people), put=st.fixed_dictionaries(places))
    def ask(case: Any, who: str | None, put: dict[str, object]) -> None:  # noqa: ANN401
        for name, value in put.items():
            if value is not None and case.path_parameters and name in case.path_parameters:
                case.path_parameters[name] = value
        answer = send(case, {} if who is None else {"Cookie": f"{COOKIE}={who}"})
        if answer.status_code >= 500:
            raise Wrong(f"broke: {answer.status_code}, {answer.text[:200]}")
        # What is too long is refused before it is read, which one of the checks does not know of.
        checks = CHECKS if answer.status_code != 413 else [check for check in CHECKS if check is not REJECTS]
        case.validate_response(answer, checks=checks)

    ask()


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask more."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.trust.rest")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", default="")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "room.sqlite"
        furnish(database)
        house = House(database).start()
        try:
            found = ask_all(house, options.count, options.seed, options.only)
        except Wrong as wrong:
            print(f"seed {options.seed}: {wrong}", file=sys.stderr)
            return 1
        finally:
            house.close()
    print(f"{found} routes asked {options.count} times each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
