"""`ananas check`: read every table's log again, and say whether it is what was written, and whether it adds up."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import sqlite3 as _sqlite3


def check(
    database: Annotated[
        Path | None,
        typer.Argument(help="The room's file; the room may be running.", show_default="ananas.sqlite"),
    ] = None,
    *,
    named: Annotated[
        Path, typer.Option("--database", envvar="ANANAS_DATABASE", help="The same by flag, as `ananas serve` has it.")
    ] = Path("ananas.sqlite"),
    public: Annotated[
        bool, typer.Option("--public", help="Look at nothing hidden: only the chain of what everybody may know.")
    ] = False,
) -> None:
    """Verify a database from its log alone: chains of hashes, and every hand, stack and sum played and counted again.

    Says what is wrong, at which table and version; ends with status 1 if anything is. It looks at hidden cards for
    that, and notes in the database that somebody has; where that cannot be noted, it refuses. With --public it looks at
    nothing hidden.
    """
    from ananas.server import audit  # noqa: PLC0415
    from ananas.server.store import CannotOpen, open_to_check  # noqa: PLC0415

    path = database or named
    try:
        db = open_to_check(path)
    except CannotOpen as error:
        typer.echo(f"ananas: {error}", err=True)
        raise typer.Exit(2) from None
    try:
        entry = None if public else audit.note(path, "ananas check: every table, hidden cards included")
    except audit.Unwritten as error:
        db.close()
        typer.echo(
            f"ananas: {path} takes no note of who looks at hidden cards ({error}), so nobody may;"
            " --public checks what everybody may know",
            err=True,
        )
        raise typer.Exit(2) from None
    with closing(db):
        damaged = _check(db, public=public, entry=entry)
    if damaged:
        raise typer.Exit(1)


def _check(db: _sqlite3.Connection, *, public: bool, entry: int | None) -> bool:
    """Say of every table what is wrong; give whether anything is."""
    import sqlite3  # noqa: PLC0415

    from ananas.server import audit  # noqa: PLC0415
    from ananas.server.store import BrokenChain, read_rows, table_ids  # noqa: PLC0415

    whole, commands, hands, unsealed, damaged = 0, 0, 0, 0, 0
    for table_id in table_ids(db, public=public):
        found: list[str] = []
        try:
            rows = read_rows(db, table_id, public=public) or []
            if not public:
                recount = audit.recount(rows)
                found = [f"table {table_id}, version {version}: {what}" for version, what in recount.found]
                hands += recount.hands if not found else 0
                unsealed += recount.unsealed if not found else 0
            commands += len(rows)
        except BrokenChain as error:
            found = [str(error)]
        except (TypeError, ValueError, AttributeError, OverflowError) as error:  # what no room has ever written
            found = [f"table {table_id}: cannot be read ({type(error).__name__})"]
        for line in found:
            typer.echo(f"DAMAGED  {line}")
        whole, damaged = whole + (not found), damaged + bool(found)
    try:
        broken = audit.broken_entry(db)
    except (sqlite3.Error, TypeError, OverflowError):
        broken = 1
    if broken is not None:
        typer.echo(f"DAMAGED  audit, entry {broken}: is not what was noted")
    counted = "" if public else f", {hands} hands"
    if unsealed:
        counted += f", {unsealed} dealt from decks that nobody had sealed"
    typer.echo(f"{whole} tables whole ({commands} commands{counted}), {damaged} damaged")
    typer.echo(
        "nothing hidden was looked at" if entry is None else f"this look at hidden cards is entry {entry} of the audit"
    )
    return damaged > 0 or broken is not None
