"""How soon after a hand the coach's first verdict is there, and how soon all five streets are judged.

    .venv/bin/python -m bench.coach            # writes its section of bench/results.md
    .venv/bin/python -m bench.coach --hands 5 --dry

The room is the real one, in a process of its own with a database on disk. Each hand is played at a new table, laid as the
nets lay at a glance, without a pause between moves; from the moment in which somebody sees the showdown he asks for his
review every quarter of a second, as its page does twice a second. The first hand is not counted: by it the room starts
the processes in which the coach thinks. With two people at a table two reviews are made at once.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ananas.coach.report import HandReview
from ananas.game.rules import ROOM
from ananas.game.view import HandView
from ananas.solver.placements import GLANCE, Knowledge, think
from bench.results import write_section
from tests.server.house import House, Player

FIRST_SECONDS: Final = 2.0
ALL_SECONDS: Final = 10.0
EVERY_SECONDS: Final = 0.25
GIVE_UP_SECONDS: Final = 120.0
STREETS: Final = 5


class Took(NamedTuple):
    """Seconds from the showdown to the first verdict of a review, and to the last."""

    first: float
    whole: float


async def lay(player: Player) -> None:
    """Lay this turn's cards as the nets like it at a glance."""
    knowledge = Knowledge.of_view(msgspec.convert(player.view["hand"], HandView), ROOM)
    best, *_ = await asyncio.to_thread(think, knowledge, ROOM, GLANCE, math.inf)
    version = await player.kept("confirm", placement=str(best.placement), **player.turn())
    await player.catch_up(version)


async def play(players: Sequence[Player]) -> None:
    """Play the hand that runs until somebody sees it counted."""
    while players[0].view["hand"]["reckoning"] is None:
        acts = next((player for player in players if player.acts), None)
        if acts is None:  # a bot's turn, or not yet seen that it is somebody's
            await players[0].next()
            continue
        await lay(acts)
        for player in players:
            await player.catch_up(acts.version)


async def judged(house: House, player: Player) -> Took:
    """Ask for a review until all of it is there."""
    started, first = time.perf_counter(), None
    path = f"/api/tables/{player.table}/hands/{player.view['hand']['number']}/review"
    while (now := time.perf_counter() - started) < GIVE_UP_SECONDS:
        answer = await asyncio.to_thread(house.call, "GET", path, None, player.cookie)
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {answer.body!r}")
        review = msgspec.json.decode(answer.body, type=HandReview)
        now = time.perf_counter() - started
        if first is None and review.streets:
            first = now
        if review.done:
            if first is None or review.of != STREETS:
                sys.exit(f"{path}: {review.of} streets")
            return Took(first, now)
        await asyncio.sleep(EVERY_SECONDS)
    sys.exit(f"{path}: not judged within {GIVE_UP_SECONDS:g} s")


async def hand(house: House, people: int, bots: int) -> list[Took]:
    """Play a hand at a new table; give what each person's review took."""
    cookies = [house.guest(f"guest {number}") for number in range(people)]
    table = house.table(cookies[0], seats=people + bots, bots=bots, changes={"settlement_cap": "none"})
    players = [await house.come(cookie, table) for cookie in cookies]
    try:
        for player in players:
            await player.kept("sit")
        for player in players:
            await player.kept("ready", hand=1)
        for player in players:
            await player.see(lambda view: view["hand"] is not None)
        await play(players)
        return list(await asyncio.gather(*(judged(house, player) for player in players)))
    finally:
        for player in players:
            await player.close()


async def measured(house: House, hands: int, people: int, bots: int) -> list[Took]:
    """Play so many hands, one after the other."""
    found: list[Took] = []
    for number in range(hands):
        found += await hand(house, people, bots)
        print(f"{number + 1} of {hands}: " + ", ".join(f"{took:.2f}" for took in found[-1]), file=sys.stderr)
    return found


def line(what: str, took: Sequence[float], limit: float) -> str:
    """A row of the table."""
    p99 = statistics.quantiles(took, n=100, method="inclusive")[98]
    kept = "yes" if p99 <= limit else "**no**"
    return (
        f"| {what} | {statistics.median(took):.2f} s | {p99:.2f} s | {max(took):.2f} s | <= {limit:g} s | {kept} "
        f"| {len(took)} |\n"
    )


def report(found: dict[str, list[Took]], hands: int, load: float) -> str:
    """The section of the results page."""
    cores = os.cpu_count() or 1
    rows = "".join(
        line(f"{who}: the first verdict", [took.first for took in each], FIRST_SECONDS)
        + line(f"{who}: all five streets", [took.whole for took in each], ALL_SECONDS)
        for who, each in found.items()
    )
    busy = (
        f"\nThe machine was busy with other work (a load of {load:.1f} on {cores} cores): to be measured again on a quiet one.\n"
        if load > cores / 2 and "**no**" in rows
        else ""
    )
    return (
        f"## The coach\n\n`.venv/bin/python -m bench.coach --hands {hands}` on {cores} cores, the players on the same "
        f"machine, {time.strftime('%Y-%m-%d')}.\n\n"
        "From seeing the showdown to having a review, asked for every quarter of a second; whether the limit is kept goes "
        "by the p99. Two people have two reviews made at once.\n\n"
        "| | median | p99 | longest | limit | kept | reviews |\n|---|---|---|---|---|---|---|\n"
        f"{rows}{busy}"
    )


async def run(house: House, hands: int) -> dict[str, list[Took]]:
    """Play with a bot, then with each other."""
    await hand(house, 1, 1)
    return {
        "one person and a bot": await measured(house, hands, 1, 1),
        "two people": await measured(house, hands, 2, 0),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=30, help="with a bot, and as many of two people")
    parser.add_argument("--directory", type=Path, default=Path.cwd(), help="where the database lies: a real disk")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        house = House(Path(directory) / "room.sqlite", reviews="ahead")
        house.start()
        try:
            found = asyncio.run(run(house, options.hands))
        finally:
            house.close()
    section = report(found, options.hands, load)
    print(section)
    if not options.dry:
        write_section(section)


if __name__ == "__main__":
    main()
