"""`ananas check`: read every table's log again, and say whether it is what was written, and whether it adds up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ananas.cli.showing import DatabaseArgument, DatabaseOption, printable

if TYPE_CHECKING:
    import sqlite3 as _sqlite3

_MEANS: Final = {
    "tables": "where a log ends is not known",
    "events": "no log can be read",
    "secrets": "what is hidden cannot be checked",
    "audit": "who has looked at hidden cards is not known",
}
"""What follows from it that a part of the file cannot be read."""


def check(
    database: DatabaseArgument = None,
    *,
    named: DatabaseOption = Path("ananas.sqlite"),
    public: Annotated[
        bool, typer.Option("--public", help="Look at nothing hidden: only the chain of what everybody may know.")
    ] = False,
) -> None:
    """Verify a database from its log alone: chains of hashes, and every hand, stack and sum played and counted again.

    Says what is wrong, at which table and version; ends with status 1 if anything is. It looks at hidden cards for
    that, and notes in the database that somebody has; where that cannot be noted, it refuses, and where the notes
    themselves are damaged, it looks at what everybody may know. With --public it looks at nothing hidden.
    """
    from ananas.server import audit  # noqa: PLC0415
    from ananas.server.store import CannotOpen, open_to_check  # noqa: PLC0415

    path = database or named
    try:
        db = open_to_check(path)
    except CannotOpen as error:
        typer.echo(f"ananas: {error}", err=True)
        raise typer.Exit(2) from None
    with closing(db):
        entry, refused = None, ""
        try:
            entry = None if public else audit.note(path, "ananas check: every table, hidden cards included")
        except audit.Unwritten as error:
            refused = f"ananas: {path} takes no note of who looks at hidden cards ({error}), so nobody may;"
            if not audit.broken(db):
                typer.echo(f"{refused} --public checks what everybody may know", err=True)
                raise typer.Exit(2) from None
        if refused:
            typer.echo(f"{refused} only what everybody may know is checked", err=True)
        damaged = _Check(db, entry).run()
    if damaged:
        raise typer.Exit(1)


class _Check:
    """Looks at a database, part by part, and says what is wrong; `entry`: the note of that, null: to look at nothing hidden."""

    def __init__(self, db: _sqlite3.Connection, entry: int | None) -> None:
        self._db: Final = db
        self._entry: Final = entry
        self._lost: Final = set[str]()
        self._damaged = False
        self._whole, self._commands, self._hands, self._unsealed, self._broken = 0, 0, 0, 0, 0

    def run(self) -> bool:
        """Say of everything what is wrong; give whether anything is."""
        from ananas.server import audit  # noqa: PLC0415

        self._parts()
        if "events" in self._lost:
            self._broken = len(self._ids())
        else:
            self._tables()
        if "audit" not in self._lost and (wrong := audit.broken(self._db)):
            self._say(wrong)
        counted = f", {self._hands} hand{'' if self._hands == 1 else 's'}" if self._looks else ""
        if self._unsealed:
            counted += f", {self._unsealed} dealt from decks that nobody had sealed"
        typer.echo(f"{self._whole} tables whole ({self._commands} commands{counted}), {self._broken} damaged")
        if self._entry is None:
            typer.echo("nothing hidden was looked at")
        else:
            typer.echo(f"this look at hidden cards is entry {self._entry} of the audit")
        return self._damaged

    @property
    def _looks(self) -> bool:
        """Whether what is hidden is looked at."""
        return self._entry is not None and "secrets" not in self._lost

    def _say(self, what: str) -> None:
        self._damaged = True
        typer.echo(f"DAMAGED  {printable(what)}")

    def _parts(self) -> None:
        """What is missing of the file itself; the rest is looked at all the same."""
        from ananas.server.store import faults  # noqa: PLC0415

        for fault in faults(self._db, public=self._entry is None):
            if not fault.readable:
                self._lost.add(fault.part)
            means = "" if fault.readable else _MEANS.get(fault.part, "")
            self._say(f"the file: its part {fault.part!r} {fault.what}{'; ' if means else ''}{means}")

    def _ids(self) -> list[str]:
        from ananas.server.store import UNREADABLE, table_ids  # noqa: PLC0415

        try:
            return table_ids(self._db, public=not self._looks, without=self._lost)
        except UNREADABLE as error:
            self._say(f"the file: which tables it has cannot be read ({type(error).__name__})")
            return []

    def _tables(self) -> None:
        from ananas.server.store import UNREADABLE, stray_secrets  # noqa: PLC0415

        strays = dict[str, list[object]]()
        if self._looks:
            try:
                strays = stray_secrets(self._db)
            except UNREADABLE as error:
                self._say(f"the file: its part 'secrets' cannot be read ({type(error).__name__})")
        for table_id in self._ids():
            found = self._table(table_id, strays.get(table_id, ()))
            for line in found:
                self._say(line)
            self._whole, self._broken = self._whole + (not found), self._broken + bool(found)

    def _table(self, table_id: str, strays: Sequence[object]) -> list[str]:
        """What is wrong with a table's log; where nothing is, it is counted."""
        from ananas.server.audit import recount  # noqa: PLC0415
        from ananas.server.store import BrokenChain, read_rows  # noqa: PLC0415

        found = list[str]()
        if strays:
            more = f", and of {len(strays) - 1} more" if len(strays) > 1 else ""
            found += [
                f"table {table_id}, version {strays[0]}: the log has no row to the hidden part of this version{more}"
            ]
        try:
            rows = read_rows(self._db, table_id, public=not self._looks, endless="tables" in self._lost)
            if rows is None:
                return found or [f"table {table_id}: there is no log under this name"]
            told = recount(rows) if self._looks else None
        except BrokenChain as error:
            return [str(error), *found]
        except Exception as error:  # noqa: BLE001 - whatever a log leads to that no room has ever written
            return [f"table {table_id}: cannot be read ({type(error).__name__})", *found]
        self._commands += len(rows)
        if told is None:
            return found
        found += [f"table {table_id}, version {version}: {what}" for version, what in told.found]
        if told.unsealed:
            hands = f"hands dealt from decks that nobody had sealed: {told.unsealed}"
            typer.echo(f"UNSEALED table {printable(table_id)}: {hands}")
        if not found:
            self._hands, self._unsealed = self._hands + told.hands, self._unsealed + told.unsealed
        return found
