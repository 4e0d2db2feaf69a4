"""How well the bot lays its cards, playing alone, and how long it thinks.

    .venv/bin/python -m bench.bots            # 2,000 hands; writes its section of bench/results.md
    .venv/bin/python -m bench.bots --hands 200 --seed 2 --dry

The bot gets the cards of its own seat, street by street, and nobody else's. Hands are numbered from the seed, and the
bot's samples follow from its view, so a run gives the same boards anywhere; only the times differ.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate, pairwise
from typing import Final

import msgspec

from ananas.bots.bot import Bot
from ananas.bots.hindsight import SAMPLES, HindsightBot
from ananas.game.board import ROWS, Board, Row
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.royalties import royalty
from ananas.game.rules import ROOM
from ananas.game.scoring import fouled
from ananas.game.strength import strength
from ananas.game.view import HandView, PlayerView
from bench.results import write_section

ENTRY: Final = strength(parse_cards("QsQh2c"))


class Outcome(msgspec.Struct):
    """One hand played alone."""

    foul: bool
    entry: bool
    royalties: int
    milliseconds: list[float]


def deck(seed: int, number: int) -> tuple[Card, ...]:
    """The deck of a hand, always the same one for a seed and a number."""
    return tuple(sorted(DECK, key=lambda card: hashlib.sha256(f"{seed} {number} {card}".encode()).digest()))


def alone(bot: Bot, cards: tuple[Card, ...]) -> Outcome:
    """Play a hand with nobody else dealt in."""
    board, discards = Board(), tuple[Card, ...]()
    milliseconds: list[float] = []
    for street, (first, last) in enumerate(pairwise(accumulate(ROOM.deal, initial=0)), 1):
        dealt = cards[first:last]
        me = PlayerView(
            seat=0,
            fantasyland=0,
            acting=True,
            done=False,
            hidden=False,
            board=board,
            street=street,
            laid=(),
            dealt=dealt,
            dealt_count=len(dealt),
            to_lay=ROOM.place[street - 1],
            draft=None,
            discards=discards,
            discard_count=len(discards),
        )
        view = HandView(you=0, number=1, closed=False, street=street, button=0, players=(me,), reckoning=None)
        began = time.thread_time()
        placement = bot.place(view, math.inf)
        milliseconds.append((time.thread_time() - began) * 1000)
        board, discards = board.place(placement), discards + placement.discards
    foul = fouled(board, ROOM)
    made = {row: strength(board.row(row)) for row in ROWS}
    royalties = 0 if foul else sum(royalty(row, made[row]) for row in ROWS)
    return Outcome(foul, not foul and made[Row.TOP] >= ENTRY, royalties, milliseconds)


def play(seed: int, number: int) -> Outcome:
    """Play one numbered hand, in whichever process this is."""
    return alone(HindsightBot(ROOM), deck(seed, number))


def share(flags: list[bool]) -> str:
    """A share of the hands in per cent, with one standard error."""
    part = statistics.fmean(flags)
    return f"{100 * part:.1f} +- {100 * math.sqrt(part * (1 - part) / len(flags)):.1f} %"


def report(outcomes: list[Outcome], command: str) -> str:
    """The section of the results."""
    royalties = [outcome.royalties for outcome in outcomes]
    times = [statistics.fmean(street) for street in zip(*(outcome.milliseconds for outcome in outcomes), strict=True)]
    slowest = max(max(outcome.milliseconds) for outcome in outcomes)
    error = statistics.stdev(royalties) / math.sqrt(len(royalties))
    return f"""\
## The bot alone

`{command}`: {len(outcomes):,} hands, samples {", ".join(map(str, SAMPLES))} on the first three streets; +- is one
standard error. Royalties are counted over all hands, a dead one as none.

| dead | queens or better on top | royalties a hand | ms a move | by street | slowest move |
|---|---|---|---|---|---|
| {share([outcome.foul for outcome in outcomes])} | {share([outcome.entry for outcome in outcomes])} \
| {statistics.fmean(royalties):.2f} +- {error:.2f} | {statistics.fmean(times):.0f} \
| {" / ".join(f"{street:.0f}" for street in times)} | {slowest:.0f} |

Milliseconds are CPU time, measured beside other work on a shared machine.
"""


def main() -> None:
    """Play the hands and write what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--dry", action="store_true", help="print the section instead of writing it")
    args = parser.parse_args()
    with ProcessPoolExecutor(args.processes, initializer=os.nice, initargs=(10,)) as pool:
        outcomes = list(pool.map(partial(play, args.seed), range(args.hands), chunksize=10))
    section = report(outcomes, f".venv/bin/python -m bench.bots --hands {args.hands} --seed {args.seed}")
    if args.dry:
        print(section)
    else:
        write_section(section)


if __name__ == "__main__":
    main()
