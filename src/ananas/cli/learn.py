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
from ananas.solver.training import ROUNDS, NotOfNets, replace_file, ship
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
    r"""Teach the nets from nothing; takes an hour of processor time on all cores.

    PyTorch is needed: .venv/bin/pip install ".\[train]" in the project's folder.

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
            refuse(
                'PyTorch is not installed; .venv/bin/pip install ".[train]" in the project\'s folder, then try again'
            )
        except NotOfNets as wrong:
            refuse(str(wrong))
        except OSError as error:
            refuse(f"{error.filename or folder} cannot be used: {error.strerror or error}")
        progress.update(task, completed=1.0)
    if install:
        try:
            ship(kept, WEIGHTS)
        except NotOfNets as wrong:
            refuse(str(wrong))
        except OSError as error:
            refuse(f"{error.filename or WEIGHTS} cannot be used: {error.strerror or error}")
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
    if house.fantasyland == "off":
        refuse("there is no Fantasyland to measure by these rules")
    if write and house.changes:
        refuse("only the figures of a named set are kept: leave --set out")
    with _progress() as progress:
        task = progress.add_task(str(house), total=1.0)
        found = measure(house, hands, seed, lambda done, every: progress.update(task, completed=done / every))
    for cards in found.points:
        console().print(f"{cards}: {found.points[cards]:.2f} ± {found.error[cards]:.2f}", markup=False)
    if write:
        kept: dict[str, Measured] = measured() | {house.base: found}
        try:
            replace_file(MEASURED, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
        except OSError as error:
            refuse(f"{MEASURED} cannot be written, and is as it was: {error.strerror}")


def _progress() -> Progress:
    """A bar on a terminal; where errors go elsewhere there is none."""
    errors = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
