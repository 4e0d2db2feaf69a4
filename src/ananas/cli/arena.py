"""`ananas arena`: which bot plays better, by how much, and how sure that is."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ananas.bots.arena import ENTRY, FOUL, Arena, GaveUp, NotThisArena, Result, Tally, run
from ananas.bots.named import BOTS
from ananas.cli.score import RulesOption, SetOption, house_rules
from ananas.cli.showing import console, printable, refuse
from ananas.refused import Refused

MOST_HANDS: Final = 10_000_000


def arena(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help=f"Names of bots ({', '.join(BOTS)}), or cmd: and a command line: 'cmd:python my_bot.py'.",
            show_default=False,
        ),
    ],
    hands: Annotated[
        int, typer.Option(help="How many base hands each bot plays at least; whole deals are played.")
    ] = 2000,
    *,
    seed: Annotated[int, typer.Option(help="Other decks come from another number.")] = 1,
    rules: RulesOption = "room",
    settings: SetOption = None,
    seconds: Annotated[float, typer.Option(help="How long a bot may think about a move.")] = 60.0,
    processes: Annotated[int, typer.Option(help="How many processes play.")] = 2,
    resume: Annotated[
        Path | None, typer.Option(help="A file that keeps what has been played; with it the arena can be gone on with.")
    ] = None,
    alone: Annotated[
        bool,
        typer.Option("--alone", help=f"One bot with nobody else: royalties {FOUL} x dead boards + {ENTRY} x entries."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Let bots play against each other: every deal in each order of the bots, whole matches with Fantasyland.

    ananas arena ananas "cmd:python my_bot.py" --hands 20000
    """
    try:
        house = house_rules(rules, settings or [])
        wanted = Arena(bots=tuple(bots), rules=house, seed=seed, seconds=seconds)
        least, most = (1, 1) if alone else house.seats
        if not least <= len(bots) <= most:
            players = "--alone takes one bot" if alone else f"by these rules {least} to {most} bots play"
            refuse(f"{players}, here are {len(bots)}")
        _within("hands", hands, 1, MOST_HANDS)
        _within("processes", processes, 1, 64)
        _within("seconds", seconds, 0.001, 3600)
        wanted.check()
        with _stoppable(), _progress() as tell:
            tallies = run(wanted, hands, processes=processes, kept=resume, tell=tell)
    except (Refused, GaveUp, NotThisArena) as wrong:
        refuse(str(wrong))
    except OSError as error:
        # Only what cannot be opened has a name there; what is written is the file of finished deals.
        name = error.filename or resume
        refuse(f"{name} cannot be used: {error.strerror}" if name else f"this cannot be played: {error.strerror}")
    except KeyboardInterrupt as stopped:
        said = f"stopped; the same command goes on with what {resume} keeps" if resume else "stopped"
        refuse(said, status=128 + (stopped.args[0] if stopped.args else signal.SIGINT))
    results = [tally.result(name) for name, tally in zip(bots, tallies, strict=True)]
    if as_json:
        typer.echo(json.dumps(_as_json(wanted, results, alone=alone)))
    else:
        _show(wanted, results, tallies, alone=alone)
    _complain(bots, tallies)


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        refuse(f"--{name} {value}: from {least} to {most:,}")


@contextmanager
def _stoppable() -> Generator[None]:
    """Make an end from outside, or with the terminal, what Ctrl-C is: programs do not outlive the arena."""
    asks = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    # What is ignored, as by nohup, stays so.
    before = {number: signal.getsignal(number) for number in asks}
    before = {number: handler for number, handler in before.items() if handler not in {signal.SIG_IGN, None}}

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        # A second one, as timeout sends it, would break off the ending of the programs; nothing follows but the end.
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt(number)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) == stop:
                signal.signal(number, handler)


@contextmanager
def _progress() -> Generator[Callable[[int, int], None] | None]:
    """A bar on a terminal; where errors go elsewhere there is none."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield None
        return
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, deals: progress.update(task, completed=done, total=deals)


def _as_json(played: Arena, results: Sequence[Result], *, alone: bool) -> dict[str, object]:
    bots: list[dict[str, object]] = []
    for result in results:
        fields: dict[str, object] = msgspec.to_builtins(result)
        if alone:
            fields = {"value" if name == "points" else name: value for name, value in fields.items() if name != "stays"}
        bots.append(fields)
    return {"rules": str(played.rules), "seed": played.seed, "bots": bots}


def _show(played: Arena, results: Sequence[Result], tallies: Sequence[Tally], *, alone: bool) -> None:
    out = console()
    orders = len(played.orders)
    deals = results[0].hands // orders
    count = f"{deals:,} deals" if orders == 1 else f"{deals:,} deals, each in {orders} orders"
    out.print(f"rules: {played.rules}; seed {played.seed}; {count}", markup=False, soft_wrap=True)
    out.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("bot", overflow="fold")
    head = [
        "hands",
        "value a hand" if alone else "points a hand",
        "fouls",
        "royalties",
        "entries",
        "stays",
        "ms a move",
    ]
    for column in [name for name in head if not (alone and name == "stays")]:
        table.add_column(column, justify="right")
    for result, tally in zip(results, tallies, strict=True):
        error = "" if result.error is None else f" +- {result.error:.2f}"
        stays = [] if alone else [f"{result.stays:.1%}" if tally.fantasylands else "-"]
        table.add_row(
            Text(printable(result.name)),
            f"{result.hands:,}",
            f"{result.points:+.2f}{error}",
            f"{result.fouls:.1%}",
            f"{result.royalties:.2f}",
            f"{result.entries:.1%}",
            *stays,
            f"{result.ms_per_move:.2f}",
        )
    out.print(table)


def _complain(bots: Sequence[str], tallies: Sequence[Tally]) -> None:
    """Say which bots had no answer that could be laid, and what was wrong with the first of these."""
    for name, tally in zip(bots, tallies, strict=True):
        if tally.failures:
            times = "once" if tally.failures == 1 else f"{tally.failures:,} times"
            typer.echo(f"ananas: {printable(name)} failed {times}; the table laid for it", err=True)
            for complaint in tally.complaints:
                typer.echo(f"  {printable(complaint)}", err=True)
