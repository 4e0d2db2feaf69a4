"""`ananas replay`: check hand histories by playing them, and show them street by street."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ananas.cli.showing import WORDS, boards_table, cards_text, console, printable, refuse, show_reckoning, with_button
from ananas.game.board import ROWS, Board
from ananas.game.notation import Action, HandHistory, read_histories
from ananas.refused import Refused

_WORDS = WORDS["en"]


def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A hand (.ofc) or several (.ofcs); - reads standard input.")
    ],
    *,
    street: Annotated[bool, typer.Option("--street", help="Wait for Enter after each street.")] = False,
) -> None:
    """Check the hands of a file by playing them, and show them street by street.

    Ends with status 1, naming line and column, where a hand cannot have been played so.
    """
    text = _decode(file, _read(file))
    try:
        histories = read_histories(text)
    except Refused as refused:
        refuse(f"{_name(file)}, {refused}", 1)
    out = console()
    waits = street and file != "-" and sys.stdin.isatty()
    for number, history in enumerate(histories, 1):
        if len(histories) > 1:
            out.rule(f"hand {history.number or number}", align="left")
        _show(out, history, waits=waits)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")


def _decode(file: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        refuse(f"{_name(file)}, line {line}, column {column}: this is not UTF-8", 1)


def _show(out: Console, history: HandHistory, *, waits: bool) -> None:
    names = [_player(history, player) for player in history.order]
    told = [f"rules: {history.rules}", *([f"table: {printable(history.table)}"] if history.table else [])]
    told += [history.time] if history.time else []
    out.print("; ".join(told), markup=False, soft_wrap=True)
    boards = [Board()] * len(names)
    for heading, actions in _streets(history):
        out.print()
        out.print(heading, style="bold")
        for action in actions:
            out.print(_line(history, action), soft_wrap=True)
            if action.kind != "dh":
                place = history.order.index(action.player)
                boards[place] = boards[place].place(action.laid)
        out.print(boards_table(with_button(names, _WORDS), boards, _WORDS))
        if waits:
            out.input("[dim]Enter goes on[/dim] ")
    hand = history.hand
    out.print()
    if hand.reckoning is None:
        acting = ", ".join(names[player] for player in hand.acting)
        out.print(Text(f"The hand stops here; to act: {acting}."))
    else:
        show_reckoning(out, names, hand.boards, hand.reckoning, stacks=hand.stacks, words=_WORDS)
    out.print()


def _streets(history: HandHistory) -> Iterator[tuple[str, Sequence[Action]]]:
    """The actions street by street; where all lay face down their order tells nothing, so it does not matter."""
    laid = [0] * len(history.players)
    streets: dict[tuple[bool, int], list[Action]] = {}
    for action in history.actions:
        fantasyland = bool(history.in_fantasyland and history.in_fantasyland[action.player])
        streets.setdefault((fantasyland, laid[action.player] + 1), []).append(action)
        laid[action.player] += action.kind != "dh"
    for (fantasyland, street), actions in sorted(streets.items(), key=lambda item: item[0]):
        yield "Fantasyland" if fantasyland else f"street {street}", actions


def _player(history: HandHistory, player: int) -> str:
    return printable(history.players[player]) or f"p{player + 1}"


def _line(history: HandHistory, action: Action) -> Text:
    text = Text(f"  {_player(history, action.player)}: ")
    if action.kind == "dh":
        text.append("is dealt ").append_text(cards_text(action.cards))
    else:
        rows = [(row.value, action.laid.row(row)) for row in ROWS]
        parts = [Text(f"{name} ").append_text(cards_text(cards)) for name, cards in rows if cards]
        if action.cards:
            parts.append(Text(f"{_WORDS['thrown']} ").append_text(cards_text(action.cards)))
        text.append_text(Text(", ").join(parts))
    if action.kind == "au":
        text.append(" (laid by the table)")
    return text.append(f"  # {printable(action.comment)}", "dim") if action.comment else text
