"""Writes `web/src/house/sets.json`: the named rule sets and what a rule may hold, as the table form needs them.

Run it as `PYTHONPATH=src python tests/web/make_rule_sets.py` after a change of the rule sets.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ananas.game.royalties import ROYALTY_TABLES
from ananas.game.rules import CHOICES, LIMITS, NOT_YET, RULE_SETS

TARGET: Final = Path(__file__).parents[2] / "web" / "src" / "house" / "sets.json"


def make() -> str:
    """The sets and choices as text by name, the least and the most of numbers, each named royalty table as its lists."""
    found = {
        "sets": {name: rules.values for name, rules in RULE_SETS.items()},
        "choices": CHOICES,
        "not_yet": {name: value for name, (value, _) in NOT_YET.items()},
        "limits": LIMITS,
        "royalty_tables": {
            name: "/".join(
                ",".join(map(str, points)) for points in (table.pairs, table.trips, table.middle, table.bottom)
            )
            for name, table in ROYALTY_TABLES.items()
        },
    }
    return json.dumps(found, indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(make())
