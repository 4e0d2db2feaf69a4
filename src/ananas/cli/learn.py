"""`ananas train` and `ananas worth`: how the nets, and the worth of Fantasyland, come about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ananas.cli.score import RulesOption, SetOption, house_rules
from ananas.cli.showing import console, refuse
from ananas.refused import Refused
from ananas.solver.nets import WEIGHTS
from ananas.solver.selfplay import measure
from ananas.solver.training import ROUNDS, ship
from ananas.solver.training import train as teach
from ananas.solver.worth import MEASURED, Measured, measured


def train(
    folder: Annotated[
        Path, typer.Argument(help="Where the weights of each round are kept; what is there is gone on with.")
    ],
    rounds: Annotated[int, typer.Option(min=1, max=100, help="How many rounds after the first one.")] = ROUNDS,
    seed: Annotated[int, typer.Option(help="Other hands come from another number.")] = 1,
    *,
    install: Annotated[bool, typer.Option("--install", help="Take the weights into use when all is done.")] = False,
) -> None:
    r"""Teach the nets from nothing; takes an hour of processor time on all cores, and PyTorch: pip install ananas\[train].

    ananas train nets --install
    """
    with _progress() as progress:
        task = progress.add_task("...", total=1.0)
        try:
            kept = teach(
                folder, rounds, seed, lambda what, done: progress.update(task, description=what, completed=done)
            )
        except ModuleNotFoundError as missing:
            if missing.name != "torch":
                raise
            refuse("PyTorch is not installed; pip install ananas[train], then try again")
        progress.update(task, completed=1.0)
    if install:
        ship(kept, WEIGHTS)
    console().print(str(WEIGHTS if install else kept), markup=False)


def worth(
    rules: RulesOption = "room",
    settings: SetOption = None,
    hands: Annotated[
        int, typer.Option(min=2, max=10_000_000, help="How many hands for each number of cards.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(help="Other hands come from another number.")] = 1,
    *,
    write: Annotated[bool, typer.Option("--write", help="Take the figures into use; for a named set.")] = False,
) -> None:
    """Measure what Fantasyland is worth by these rules, in points against one opponent.

    ananas worth --rules progressive --write
    """
    try:
        house = house_rules(rules, settings or [])
    except Refused as refused:
        refuse(str(refused))
    if write and house.changes:
        refuse("only the figures of a named set are kept: leave --set out")
    with _progress() as progress:
        task = progress.add_task(str(house), total=1.0)
        found = measure(house, hands, seed, lambda done, every: progress.update(task, completed=done / every))
    for cards in found.points:
        console().print(f"{cards}: {found.points[cards]:.2f} ± {found.error[cards]:.2f}", markup=False)
    if write:
        kept: dict[str, Measured] = measured() | {house.base: found}
        MEASURED.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")


def _progress() -> Progress:
    return Progress(
        *(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()),
        console=Console(stderr=True),
        transient=True,
    )
