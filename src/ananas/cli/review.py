"""`ananas review`: a finished hand beside what would have been best, street by street."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ananas.cli.replay import file_name, read_text
from ananas.cli.showing import LangOption, Language, cards_text, console, figure, language_of, printable, refuse
from ananas.coach.report import HandReview, Option, StreetReview
from ananas.game.notation import HandHistory, read_histories
from ananas.refused import Refused

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "title": "{name}, seat {seat}",
        "street": "street",
        "laid": "laid",
        "best": "best",
        "loss": "loss",
        "foul": "dead",
        "fantasyland": "Fantasyland",
        "luck": "luck",
        "in-fantasyland": "F",
        "verdict-best": "best",
        "verdict-equal": "as good",
        "verdict-near": "nearly the best",
        "verdict-inaccuracy": "inaccuracy",
        "verdict-mistake": "mistake",
        "verdict-forced": "no choice",
        "automatic": "laid by the table",
        "cause": "street {}: ",
        "live": "{}: ",
        "result": "points of the hand",
        "right": "rights to Fantasyland",
        "decisions": "decisions",
        "by-table": "laid by the table",
        "lucks": "luck",
        "showdown": "of it after the last card",
        "told": "All in points against all opponents together. ± is one standard error of the loss; a loss within two of them is "
        "none. In grey below a street: the best that could be laid. Points of the hand + rights = decisions + luck, and what the table lost where it laid for the player.",
    },
    "ru": {
        "title": "{name}, место {seat}",
        "street": "улица",
        "laid": "ход",
        "best": "лучший",
        "loss": "потеря",
        "foul": "мёртвая",
        "fantasyland": "фантазия",
        "luck": "расклад",
        "in-fantasyland": "Ф",
        "verdict-best": "лучший ход",
        "verdict-equal": "не хуже лучшего",
        "verdict-near": "почти лучший",
        "verdict-inaccuracy": "неточность",
        "verdict-mistake": "ошибка",
        "verdict-forced": "без выбора",
        "automatic": "клал стол",
        "cause": "улица {}: ",
        "live": "{}: ",
        "result": "очки раздачи",
        "right": "права на фантазию",
        "decisions": "решения",
        "by-table": "клал стол",
        "lucks": "расклад",
        "showdown": "из него после последней карты",
        "told": "Всё в очках против всех соперников вместе. ± — стандартная ошибка потери; потеря в пределах двух ошибок не "
        "считается. Серым под улицей — лучший ход. Очки раздачи + права = решения + расклад и то, что потерял стол, когда клал за игрока.",
    },
}


def review(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A finished hand (.ofc); - reads standard input.")],
    seat: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9,
            help="Whose decisions: a player as the file lists them, counted from 1.",
            show_default="the first all of whose cards are known",
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    lang: LangOption = None,
) -> None:
    """Hold each decision of a player against the best one, and tell decisions from luck.

    Only what he could know then is used. Takes a few seconds.
    """
    from ananas.coach.review import assemble, decisions, judge  # noqa: PLC0415 - it loads the nets

    language = language_of(lang)
    history = _history(file)
    player = _player(history, seat)
    hand, place = history.hand, history.order.index(player)
    laid, automatic = _laid(history)
    names = [_name(history, one) for one in history.order]
    found = decisions(hand, laid, hand.seats[place], automatic)
    streets = [judge(decision, hand.rules) for decision in found]
    told = assemble(
        hand, hand.seats[place], names, streets, len(found), number=history.number or 1, table=None, own=False
    )
    if as_json:
        typer.echo(msgspec.json.encode(told).decode())
        return
    out, texts = console(), _TEXTS[language]
    out.print(Text(texts["title"].format(name=names[place], seat=player + 1), "bold"))
    out.print(_streets(told.streets, language))
    for street in told.streets:
        _show_cause(out, street, texts, language)
    out.print(_account(told, language))
    out.print(texts["told"], style="dim", markup=False)


def _history(file: str) -> HandHistory:
    """The one finished hand of a file."""
    try:
        histories = read_histories(read_text(file))
    except Refused as refused:
        refuse(f"{file_name(file)}, {refused}", 1)
    if len(histories) != 1:
        refuse(f"{file_name(file)} has {len(histories)} hands; one is reviewed at a time", 1)
    (history,) = histories
    if not history.hand.over:
        refuse(f"{file_name(file)}: the hand is not over; it is reviewed when it is", 1)
    return history


def _player(history: HandHistory, seat: int | None) -> int:
    """Who is reviewed, as the history counts its players."""
    unknown = {action.player for action in history.actions if None in action.cards}
    known = [player for player in range(len(history.players)) if player not in unknown]
    if seat is None:
        if not known:
            refuse(
                "this file tells nobody's cards in full: others' discards stay hidden, and so a review has no ground", 1
            )
        return known[0]
    if seat > len(history.players):
        refuse(f"--seat {seat}: there are {len(history.players)} players")
    if seat - 1 not in known:
        whose = ", ".join(f"--seat {player + 1}" for player in known)
        refuse(
            f"--seat {seat}: this file does not tell all the cards of p{seat}" + (f"; try {whose}" if whose else ""), 1
        )
    return seat - 1


def _laid(history: HandHistory) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
    """Seat and street of each placement in the order of the file, and which of them the table laid."""
    laid, automatic = list[tuple[int, int]](), set[tuple[int, int]]()
    for action in history.actions:
        if action.kind == "dh":
            continue
        seat = history.seats[action.player]
        where = seat, 1 + sum(1 for one, _ in laid if one == seat)
        laid.append(where)
        if action.kind == "au":
            automatic.add(where)
    return laid, automatic


def _name(history: HandHistory, player: int) -> str:
    return printable(history.players[player]) or f"p{player + 1}"


def _streets(streets: tuple[StreetReview, ...], language: Language) -> Table:
    """A line for what was laid on each street, and below it one for the best, where that is another."""
    texts = _TEXTS[language]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("street", "laid"):
        table.add_column(texts[name], no_wrap=True)
    for name in ("foul", "fantasyland", "loss", "±", "luck"):
        table.add_column(texts.get(name, name), justify="right", no_wrap=True)
    table.add_column("")
    for street in streets:
        chosen, best = street.chosen, street.options[0]
        other = chosen.placement != best.placement and street.verdict != "forced"
        said = [texts[f"verdict-{street.verdict}"], *([texts["automatic"]] if street.automatic else [])]
        table.add_row(
            _number(street, texts),
            chosen.placement,
            *_chances(chosen),
            figure(-street.loss, "+.2f", language) if street.loss else "0",
            figure(street.error, ".2f", language) if other and not street.exact else "",
            figure(street.luck, "+.2f", language),
            Text(", ".join(said), _STYLES.get(street.verdict, "")),
        )
        if other:
            table.add_row("", best.placement, *_chances(best), "", "", "", texts["best"], style="dim")
    return table


_STYLES: Final = {"mistake": "red", "inaccuracy": "yellow", "best": "green", "equal": "green"}


def _number(street: StreetReview, texts: Mapping[str, str]) -> str:
    return texts["in-fantasyland"] if street.spot.fantasyland else str(street.spot.street)


def _chances(option: Option) -> tuple[str, str]:
    return f"{option.foul:.0%}", f"{option.fantasyland:.0%}"


def _show_cause(out: Console, street: StreetReview, texts: Mapping[str, str], language: Language) -> None:
    if street.cause is None:
        return
    out.print(Text(texts["cause"].format(_number(street, texts)), "bold").append(street.cause.text[language], ""))
    for live in street.cause.live:
        out.print(Text("   " + texts["live"].format(live.label[language])).append_text(cards_text(live.cards)))


def _account(told: HandReview, language: Language) -> Table:
    texts = _TEXTS[language]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, points in (
        ("result", f"{told.result:+d}" if told.result else "0"),
        ("right", figure(told.right, "+.2f", language)),
        ("decisions", figure(told.decisions, "+.2f", language)),
        *(
            [("by-table", figure(told.by_table, "+.2f", language))]
            if any(street.automatic for street in told.streets)
            else []
        ),
        ("lucks", figure(told.luck, "+.2f", language)),
        ("showdown", figure(told.showdown, "+.2f", language)),
    ):
        table.add_row(texts[name], points)
    return table
