"""`ananas`: the commands by name. Nothing of the server is imported before a command wants it."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Annotated, Final

try:
    import typer

    from ananas.cli.arena import arena
    from ananas.cli.check import check
    from ananas.cli.learn import train, worth
    from ananas.cli.outages import outages
    from ananas.cli.play import play
    from ananas.cli.replay import replay
    from ananas.cli.review import review
    from ananas.cli.score import score
    from ananas.cli.serve import serve
    from ananas.cli.solve import TakesPositions, solve
    from ananas.cli.verify import verify
    from ananas.version import __version__
except KeyboardInterrupt:  # they take long enough for a change of mind
    sys.exit(130)

_CANNOT_WRITE: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What is wrong with an output that takes no more; nothing else of this kind comes here without the name of a file."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve)
app.command()(check)
app.command()(outages)
app.command()(score)
app.command()(replay)
app.command()(verify)
app.command()(review)
app.command()(play)
app.command(cls=TakesPositions)(solve)
app.command()(train)
app.command()(worth)
app.command()(arena)


def _show_version(wanted: bool) -> None:
    if wanted:
        from ananas.solver.core import which  # noqa: PLC0415 - nothing is built for the other commands

        typer.echo(f"ananas {__version__} ({which()})")
        raise typer.Exit


@app.callback()
def ananas(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A room for open-face Chinese poker "Pineapple": bots, friends, one table or many.

    [bold]ananas serve[/bold] opens it.
    """


def main() -> None:
    """Run the command line; an output that cannot be written, and Ctrl-C, end it without a word too many."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        if error.filename is not None or error.errno not in {*_CANNOT_WRITE, errno.EPIPE}:
            raise
        if error.errno != errno.EPIPE:
            with contextlib.suppress(OSError):
                print(f"ananas: standard output cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201
        # What is left to be written would be tried once more at the end, and complained of.
        if sys.stdout is not None:
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
