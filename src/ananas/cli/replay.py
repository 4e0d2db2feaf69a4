"""`ananas replay`: check hand histories by playing them, and show them street by street."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from ananas.cli.showing import (
    WORDS,
    LangOption,
    boards_table,
    cards_text,
    console,
    language_of,
    printable,
    refuse,
    show_reckoning,
    with_button,
)
from ananas.game.board import ROWS, Board
from ananas.game.notation import Action, HandHistory, read_histories
from ananas.refused import Refused

MOST_BYTES: Final = 64_000_000
"""A file that is larger is not read: a hand has about two thousand bytes."""


def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A hand (.ofc) or several (.ofcs); - reads standard input.")
    ],
    *,
    street: Annotated[bool, typer.Option("--street", help="Wait for Enter after each street.")] = False,
    lang: LangOption = None,
) -> None:
    """Check the hands of a file by playing them, and show them street by street.

    Ends with status 1, naming line and column, where a hand cannot have been played so.
    """
    words = WORDS[language_of(lang)]
    text = read_text(file)
    try:
        histories = read_histories(text)
    except Refused as refused:
        refuse(f"{file_name(file)}, {refused}", 1)
    out = console()
    waits = street and file != "-" and sys.stdin is not None and sys.stdin.isatty()
    for number, history in enumerate(histories, 1):
        if len(histories) > 1:
            out.rule(words["hand"].format(history.number or number), align="left")
        _show(out, history, words, waits=waits)


def file_name(file: str) -> str:
    """What a file is called in a refusal."""
    return "standard input" if file == "-" else file


def read_text(file: str) -> str:
    """A file's text; refuses what cannot be read and what is no text."""
    return _decode(file, _read(file))


def _read(file: str) -> bytes:
    if file == "-" and sys.stdin is None:
        refuse("standard input is closed")
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        refuse(f"{file_name(file)} cannot be read: {error.strerror}")
    if len(data) > MOST_BYTES:
        refuse(f"{file_name(file)} has more than {MOST_BYTES // 1_000_000} MB; so large a file is not read")
    return data.removeprefix(codecs.BOM_UTF8)


def _decode(file: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        refuse(f"{file_name(file)}, line {line}, column {column}: this is not UTF-8", 1)


def _show(out: Console, history: HandHistory, words: Mapping[str, str], *, waits: bool) -> None:
    names = [_player(history, player) for player in history.order]
    told = [words["rules"].format(history.rules)]
    told += [words["table"].format(printable(history.table))] if history.table else []
    told += [history.time] if history.time else []
    out.print("; ".join(told), markup=False, soft_wrap=True)
    boards = [Board()] * len(names)
    for street, actions in _streets(history):
        out.print()
        out.print(words["street"].format(street) if street else words["in-fantasyland"], style="bold")
        for action in actions:
            out.print(_line(history, action, words), soft_wrap=True)
            if action.kind != "dh":
                place = history.order.index(action.player)
                boards[place] = boards[place].place(action.laid)
        out.print(boards_table(with_button(names, words), boards, words))
        if waits:
            out.input(Text(f"{words['goes-on']} ", "dim"))
    hand = history.hand
    out.print()
    if hand.reckoning is None:
        acting = ", ".join(names[player] for player in hand.acting)
        out.print(Text(words["stops"].format(acting)))
    else:
        show_reckoning(out, names, hand.boards, hand.reckoning, stacks=hand.stacks, words=words)
    out.print()


def _streets(history: HandHistory) -> Iterator[tuple[int, Sequence[Action]]]:
    """The actions street by street, Fantasyland as 0 and last; where all lay face down their order tells nothing, so it does not matter."""
    laid = [0] * len(history.players)
    streets: dict[tuple[bool, int], list[Action]] = {}
    for action in history.actions:
        fantasyland = bool(history.in_fantasyland and history.in_fantasyland[action.player])
        streets.setdefault((fantasyland, laid[action.player] + 1), []).append(action)
        laid[action.player] += action.kind != "dh"
    for (fantasyland, street), actions in sorted(streets.items(), key=lambda item: item[0]):
        yield 0 if fantasyland else street, actions


def _player(history: HandHistory, player: int) -> str:
    return printable(history.players[player]) or f"p{player + 1}"


def _line(history: HandHistory, action: Action, words: Mapping[str, str]) -> Text:
    text = Text(f"  {_player(history, action.player)}: ")
    if action.kind == "dh":
        text.append(f"{words['dealt']} ").append_text(cards_text(action.cards))
    else:
        rows = [(words[row.value], action.laid.row(row)) for row in ROWS]
        parts = [Text(f"{name} ").append_text(cards_text(cards)) for name, cards in rows if cards]
        if action.cards:
            parts.append(Text(f"{words['thrown']} ").append_text(cards_text(action.cards)))
        text.append_text(Text(", ").join(parts))
    if action.kind == "au":
        text.append(f" ({words['by-table']})")
    return text.append(f"  # {printable(action.comment)}", "dim") if action.comment else text
