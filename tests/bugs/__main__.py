"""Try a fault of the list as often as it takes: `python -m tests.bugs B086 --count 100000`.

Without a number it says which there are, and how many each tries by default.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from ananas.game.settlement import settle
from ananas.game.strength import strength
from ananas.table.view import view_table
from tests.bugs import test_chance, test_connections, test_points, test_secrets

In = Callable[[Path, int], None]

TRIES: dict[str, tuple[int, str, In]] = {
    "B010": (200, "tables after a restart", test_connections.many_tables),
    "B019": (1000, "hands that begin while somebody reconnects", test_connections.comes_back_as_a_hand_begins),
    "B059": (500, "hands of twin deals", lambda _, count: test_secrets.fifty_hands(view_table, count, 2)),
    "B063": (1_000_000, "shuffles", lambda _, count: test_chance.more(count)),
    "B066": (100_000, "pairs of hands of five", lambda _, count: test_points.against_two_others(count, strength)),
    "B072": (1_000_000, "settlements", lambda _, count: test_points.paid(settle, count)),
    "B079": (100_000, "hands of three, counted twice", lambda _, count: test_points.counted_twice(count)),
    "B086": (100_000, "connections that come and go", test_connections.come_and_gone),
    "B087": (10_000, "reconnects of one seat", test_connections.one_seat_again_and_again),
    "B103": (2000, "clients of a room that restarts", lambda _, count: test_connections.spread(count)),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bugs", description=__doc__)
    parser.add_argument("number", nargs="?", choices=TRIES, help="which fault")
    parser.add_argument("--count", type=int, help="how many")
    asked = parser.parse_args()
    if asked.number is None:
        for number, (count, what, _) in TRIES.items():
            print(f"{number}  {count:>9,} {what}")
        return
    count, what, tries = TRIES[asked.number]
    count = asked.count or count
    with tempfile.TemporaryDirectory() as place:
        tries(Path(place) / "room.sqlite", count)
    print(f"{asked.number}: {count:,} {what}, and none went wrong")


if __name__ == "__main__":
    main()
