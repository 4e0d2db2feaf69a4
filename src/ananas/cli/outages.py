"""`ananas outages`: how often people lost their connection, and whether more often while an opponent was in Fantasyland."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text

from ananas.cli.showing import (
    DatabaseArgument,
    DatabaseOption,
    LangOption,
    Language,
    console,
    figure,
    language_of,
    printable,
    refuse,
)

if TYPE_CHECKING:
    import sqlite3 as _sqlite3

    from ananas.server.outages import Outages, Tally

SHOWN: Final = 3
"""Of so many people at a table it is told how often they were cut off."""

_ENGLISH: Final = {
    "table": "Table {}, {}. Hands: {}",
    "all": "All tables together. Hands: {}",
    "opponent": "an opponent in Fantasyland",
    "nobody": "nobody in Fantasyland",
    "alone": "in Fantasyland alone",
    "hands": "hands",
    "people": "people there",
    "cut": "cut off",
    "share": "of them",
    "losses": "times",
    "a-hand": "times a hand",
    "an-hour": "times an hour",
    "oftener": "More than chance: people lose their connection more often while an opponent is in Fantasyland. {}",
    "seldomer": "More than chance, the other way: less often while an opponent is in Fantasyland. {}",
    "chance": "No more than chance. {}",
    "too-few": "Too few to tell: had all of them been cut off beside Fantasyland, it might still be chance.",
    "odds": "Connections that fail evenly show a difference as large once in {} times.",
    "often": "Connections that fail evenly often show a difference as large.",
    "holds": "Times all clocks stood: {lost} (several were lost at once), {outage} (the room was away).",
    "voids": "Hands that do not count: {fault} (the room failed), {outage} (it was away).",
    "most": "Cut off most: {}.",
    "person": "seat {} ({}): cut off {}, hands {}",
    "broken": "Table {} cannot be read; see `ananas check`.",
    "none": "No hand has been played.",
}

_RUSSIAN: Final = {
    "table": "Стол {}, {}: раздач {}",
    "all": "Все столы вместе: раздач {}",
    "opponent": "соперник в фантазии",
    "nobody": "в фантазии никого",
    "alone": "в фантазии он один",
    "hands": "раздач",
    "people": "людей в них",
    "cut": "теряли связь",
    "share": "доля",
    "losses": "обрывов",
    "a-hand": "за раздачу",
    "an-hour": "в час",
    "oftener": "Больше, чем случайность: когда соперник в фантазии, связь теряют чаще. {}",
    "seldomer": "Больше, чем случайность, но наоборот: когда соперник в фантазии, связь теряют реже. {}",
    "chance": "Не больше, чем случайность. {}",
    "too-few": "Слишком мало, чтобы судить: случайностью могло бы быть и то, что все обрывы пришлись бы на фантазию.",
    "odds": "При ровной связи такая разница бывает в одном случае из {}.",
    "often": "При ровной связи такая разница бывает часто.",
    "holds": "Сколько раз стояли часы: {lost} (связь потеряли сразу несколько), {outage} (комнаты не было).",
    "voids": "Не считаются раздачи: {fault} (ошибка комнаты), {outage} (комнаты не было).",
    "most": "Чаще всех связь теряли: {}.",
    "person": "место {} ({}): обрывов {}, раздач {}",
    "broken": "Стол {} не читается, см. `ananas check`.",
    "none": "Раздач ещё не было.",
}
_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {"en": _ENGLISH, "ru": _RUSSIAN}


def outages(
    database: DatabaseArgument = None,
    *,
    named: DatabaseOption = Path("ananas.sqlite"),
    as_json: Annotated[bool, typer.Option("--json", help="Give it as JSON.")] = False,
    lang: LangOption = None,
) -> None:
    """Tell how often people lost their connection, and whether more often while an opponent was in Fantasyland.

    By the log alone, table by table and in all; nothing hidden is looked at. Ends with status 1 if a table cannot be
    read.

    ananas outages ananas.sqlite
    """
    from ananas.server.outages import Outages  # noqa: PLC0415
    from ananas.server.store import CannotOpen, open_to_check  # noqa: PLC0415

    language = language_of(lang)
    words = _WORDS[language]
    try:
        db = open_to_check(database or named)
    except CannotOpen as error:
        refuse(str(error))
    tables: list[Outages] = []
    broken: list[str] = []
    together = Outages()
    with closing(db):
        for table, found in _read(db):
            if found is None:
                broken.append(table)
                continue
            together.add(found)
            if found.hands:
                tables.append(found)
    if as_json:
        told = {"tables": [_as_json(found) for found in tables], "all": _as_json(together), "broken": broken}
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        for found in tables:
            _show(found, language)
        if len(tables) != 1:
            _show(together, language)
        for table in broken:
            typer.echo(words["broken"].format(printable(table)), err=True)
    if broken:
        raise typer.Exit(1)


def _read(db: _sqlite3.Connection) -> Iterator[tuple[str, Outages | None]]:
    """Table by table what its log tells; None where it cannot be read."""
    from ananas.refused import Refused  # noqa: PLC0415
    from ananas.server.outages import outages as count  # noqa: PLC0415
    from ananas.server.store import UNREADABLE, BrokenChain, read_rows, table_ids  # noqa: PLC0415

    try:
        tables = sorted(table_ids(db, public=True))
    except UNREADABLE as error:
        refuse(f"the tables cannot be listed: {error}", 1)
    for table in tables:
        try:
            yield table, count(read_rows(db, table, public=True) or ())
        except (BrokenChain, Refused, TypeError, ValueError, AttributeError, OverflowError):
            # What no room has ever written.
            yield table, None


def _as_json(found: Outages) -> dict[str, Any]:
    """All that is counted, with what can be said of it."""
    import msgspec  # noqa: PLC0415

    from ananas.server.outages import KINDS  # noqa: PLC0415

    told: dict[str, Any] = msgspec.to_builtins(found)
    for kind in KINDS:
        tally = found.tally(kind)
        told[kind] |= {"share": tally.share, "a_hand": tally.a_hand, "an_hour": tally.an_hour}
    return told | {"verdict": found.verdict, "chance": found.chance}


def _show(found: Outages, language: Language) -> None:
    from ananas.server.outages import KINDS  # noqa: PLC0415

    out, words = console(), _WORDS[language]
    of_table = words["table"].format(printable(found.table), printable(found.name), found.hands)
    out.print(Text(of_table if found.table else words["all"].format(found.hands), "bold"))
    if not found.hands:
        out.print(words["none"], markup=False)
        return
    lines = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    lines.add_column("")
    for name in ("hands", "people", "cut", "share", "losses", "a-hand", "an-hour"):
        lines.add_column(words[name], justify="right")
    for kind in KINDS:
        lines.add_row(words[kind], *_cells(found.tally(kind), language))
    out.print(lines)
    out.print(words[found.verdict].format(_odds(found.chance, words)), markup=False, soft_wrap=True)
    out.print(words["holds"].format(**found.holds), markup=False, soft_wrap=True)
    out.print(words["voids"].format(**found.voids), markup=False, soft_wrap=True)
    worst = [person for person in found.people if person.losses][:SHOWN]
    if worst:
        people = "; ".join(
            words["person"].format(person.seat, printable(person.name), person.losses, person.hands) for person in worst
        )
        out.print(words["most"].format(people), markup=False, soft_wrap=True)
    out.print()


def _cells(tally: Tally, language: Language) -> list[str]:
    counts = [
        str(tally.hands),
        str(tally.people),
        str(tally.cut),
        figure(tally.share, ".1%", language),
        str(tally.losses),
    ]
    return [*counts, figure(tally.a_hand, ".3f", language), figure(tally.an_hour, ".2f", language)]


def _odds(chance: float, words: Mapping[str, str]) -> str:
    """How often chance alone would do as much."""
    if chance > 1 / 3:
        return words["often"]
    return words["odds"].format(f"{min(10**9, round(1 / max(chance, 1e-9))):,}".replace(",", " "))
