"""`ananas check`: read every table's log again, and say whether it is what was written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer


def check(
    database: Annotated[
        Path,
        typer.Option(envvar="ANANAS_DATABASE", help="The room's file; the room may be running."),
    ] = Path("ananas.sqlite"),
) -> None:
    """Verify a database: every table's chain of hashes, secrets included, and that its events make a table.

    Ends with status 1 if any table is damaged.
    """
    from ananas.server.room import fold  # noqa: PLC0415
    from ananas.server.store import BrokenChain, CannotOpen, load, open_to_check, table_ids  # noqa: PLC0415

    try:
        db = open_to_check(database)
    except CannotOpen as error:
        typer.echo(f"ananas: {error}", err=True)
        raise typer.Exit(2) from None
    whole, rows, hands, damaged = 0, 0, 0, 0
    with closing(db):
        for table_id in table_ids(db):
            try:
                log = load(db, table_id)
                table = fold(log.events if log else ())
            except (BrokenChain, ValueError) as error:
                damaged += 1
                typer.echo(f"DAMAGED  {error}")
                continue
            whole += 1
            rows += log.version if log else 0
            hands += table.hands
    typer.echo(f"{whole} tables whole ({rows} commands, {hands} hands), {damaged} damaged")
    if damaged:
        raise typer.Exit(1)
