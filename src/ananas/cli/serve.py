"""`ananas serve`: open the room, say where, and stay until told to stop.

The flags are the fields of `server.settings.Settings`; a test holds the two lists together.
"""

from __future__ import annotations

import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated, Literal

import segno
import typer


def serve(
    *,
    host: Annotated[
        str,
        typer.Option(envvar="ANANAS_HOST", help="Address to listen on; 127.0.0.1 keeps the room to this machine."),
    ] = "0.0.0.0",  # noqa: S104  # nosec B104
    port: Annotated[
        int,
        typer.Option(envvar="ANANAS_PORT", help="Port to listen on; 0 takes any free one."),
    ] = 8000,
    database: Annotated[
        Path,
        typer.Option(envvar="ANANAS_DATABASE", help="File that holds tables and guests; made when missing."),
    ] = Path("ananas.sqlite"),
    public_url: Annotated[
        str | None,
        typer.Option(
            envvar="ANANAS_PUBLIC_URL",
            show_default="this machine on its network",
            help="Address that players open, for links and QR codes: behind a proxy, or where there is a name.",
        ),
    ] = None,
    open: Annotated[  # noqa: A002
        bool,
        typer.Option("--open", envvar="ANANAS_OPEN", help="Open the room in this machine's browser."),
    ] = False,
    bot_pause: Annotated[
        float,
        typer.Option(
            envvar="ANANAS_BOT_PAUSE",
            help="About how many seconds a bot takes before it acts, so that people can follow.",
        ),
    ] = 1.2,
    reviews: Annotated[
        Literal["ahead", "asked"],
        typer.Option(
            envvar="ANANAS_REVIEWS",
            help="Whether the coach reviews every hand as soon as it has been counted, or only when somebody asks.",
        ),
    ] = "ahead",
    creations: Annotated[
        int,
        typer.Option(
            envvar="ANANAS_CREATIONS",
            help="How many names, tables and links one network address may make in a minute.",
        ),
    ] = 60,
    sockets: Annotated[
        int,
        typer.Option(
            envvar="ANANAS_SOCKETS",
            help="How many sockets one network address may have open: one for each table in each browser.",
        ),
    ] = 200,
) -> None:
    """Open the room: friends on your network join by its address or the QR code.

    Stop it with Ctrl-C. Everything is kept, and the next start goes on where this one ended.
    """
    # Only this command wants the server.
    from pydantic import ValidationError  # noqa: PLC0415

    from ananas.server.app import CannotStart, run  # noqa: PLC0415
    from ananas.server.settings import Settings  # noqa: PLC0415

    try:
        settings = Settings(
            host=host,
            port=port,
            database=database,
            public_url=public_url,
            open=open,
            bot_pause=bot_pause,
            reviews=reviews,
            creations=creations,
            sockets=sockets,
        )
        run(settings, lambda public, local: _welcome(public, local, settings.database, browser=settings.open))
        typer.echo("The room is closed. Everything is kept.")
    except ValidationError as error:
        for wrong in error.errors():
            _complain(f"--{str(wrong['loc'][0]).replace('_', '-')}: {wrong['msg']}")
        raise typer.Exit(2) from None
    except CannotStart as error:
        _complain(str(error))
        raise typer.Exit(1) from None


def _welcome(public: str, local: str, database: Path, *, browser: bool) -> None:
    """Say where the room is; on a terminal also as a QR code for phones."""
    lines = ["The room is open.", "", f"  On this machine:  {local}"]
    if public != local:
        lines.append(f"  For the others:   {public}")
    lines += ["", f"Kept in {database}. Ctrl-C closes the room."]
    typer.echo("\n".join(lines))
    if public != local and sys.stdout.isatty():
        typer.echo()
        segno.make(public, micro=False).terminal(sys.stdout, compact=True)
    sys.stdout.flush()
    if browser:
        threading.Thread(target=webbrowser.open, args=(local,), daemon=True).start()


def _complain(line: str) -> None:
    typer.echo(f"ananas: {line}", err=True)
