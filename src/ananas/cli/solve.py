"""`ananas solve`: the placements of a position in order of worth, and the best layout of Fantasyland."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.table import Table
from typer.core import TyperCommand

from ananas.cli.score import RulesOption, SetOption, house_rules
from ananas.cli.showing import LangOption, Language, console, figure, language_of, refuse
from ananas.refused import Refused
from ananas.solver import Judged, Layout, fantasyland, placements

SHOWN: Final = 10
"""So many placements are shown; all are in the JSON."""

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "placement": "placement",
        "points": "points",
        "error": "±",
        "foul": "dead",
        "fantasyland": "Fantasyland",
        "same": "=",
        "more": "and {} more",
        "exact": "Counted exactly.",
        "told": "± is one standard error: of the points of the best, of the distance to it for the others; = cannot be told "
        "from the best; ~ at a glance, not played on.",
        "against": "Points of the hand against one opponent; the mean where there are several.",
        "royalties": "royalties {}",
        "value": "worth {} points",
        "stays": "stays in Fantasyland",
        "holds": "Worth: royalties, lines against usual opponents, and what staying brings by these rules.",
        "holds-stay": "Worth: royalties, and {:g} points where it stays.",
    },
    "ru": {
        "placement": "раскладка",
        "points": "очки",
        "error": "±",
        "foul": "мёртвая",
        "fantasyland": "фантазия",
        "same": "=",
        "more": "и ещё {}",
        "exact": "Посчитано точно.",
        "told": "± — стандартная ошибка: у лучшей раскладки её очков, у остальных отставания от неё; = не отличить от лучшей; "
        "~ на глаз, без доигрывания.",
        "against": "Очки раздачи против одного соперника; если их несколько, в среднем.",
        "royalties": "роялти {}",
        "value": "стоит {} очка",
        "stays": "остаётся в фантазии",
        "holds": "Стоит: роялти, ряды против обычных соперников и сколько приносит остаться по этим правилам.",
        "holds-stay": "Стоит: роялти, а если остаётся, ещё {:g}.",
    },
}


class TakesPositions(TyperCommand):
    """A command that takes a board without a top row, -/..., for what it is and not for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer brings a click of its own
        """Put a space before such a board."""
        return super().parse_args(ctx, [f" {word}" if word.startswith("-/") else word for word in args])


def solve(
    position: Annotated[
        list[str],
        typer.Argument(
            metavar='"POSITION" | fantasyland "CARDS"',
            help="A position: boards in order of play and who acts, with | between; or the word fantasyland and 13 to 17 cards.",
            show_default=False,
        ),
    ],
    rules: RulesOption = "room",
    settings: SetOption = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.05, max=600, help="It stops after so long with what it has; it seldom needs a second."),
    ] = 5.0,
    stay: Annotated[
        float | None,
        typer.Option(
            min=0, max=1000, help="Fantasyland: look for royalties, plus so much for staying, and nothing else."
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    lang: LangOption = None,
) -> None:
    """Tell what each placement is worth, the best first.

    ananas solve "QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d"

    ananas solve fantasyland "AsAhAd KsKhKd QsQhQd 2c3c4c5c7d" --stay 10
    """
    language = language_of(lang)
    found: Layout | None = None
    judged: tuple[Judged, ...] = ()
    try:
        house = house_rules(rules, settings or [])
        if position[0] == "fantasyland":
            if len(position) < 2:
                refuse('ananas solve fantasyland "CARDS": the cards are missing')
            found = fantasyland(" ".join(position[1:]), house, stay)
        else:
            if len(position) > 1:
                refuse("a position is one argument: put it into quotes")
            if stay is not None:
                refuse("--stay belongs to: ananas solve fantasyland")
            judged = placements(position[0].strip(), house, seconds)
    except Refused as refused:
        refuse(str(refused))
    if as_json:
        told = {"placements": [_judged_json(one) for one in judged]} if found is None else _layout_json(found)
        typer.echo(json.dumps(told))
    elif found is not None:
        _show_layout(found, stay, language)
    else:
        _show_placements(judged, language)


def _judged_json(one: Judged) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(one)
    numbers = ("points", "error", "behind", "foul", "fantasyland")
    return told | {"placement": str(one.placement)} | {name: round(told[name], 4) for name in numbers}


def _layout_json(found: Layout) -> dict[str, Any]:
    top, middle, bottom = found.placement.rows.split("/")
    return {
        "top": top,
        "middle": middle,
        "bottom": bottom,
        "discards": "".join(found.placement.discards),
        "royalties": found.royalties,
        "stays": found.stays,
        "value": round(found.value, 4),
    }


def _show_placements(judged: tuple[Judged, ...], language: Language) -> None:
    out, texts = console(), _TEXTS[language]
    table = Table(box=None, pad_edge=False)
    table.add_column(texts["placement"])
    for name in ("points", "error", "foul", "fantasyland"):
        table.add_column(texts[name], justify="right")
    table.add_column("")
    for place, one in enumerate(judged[:SHOWN]):
        same = texts["same"] * (one.equal and place > 0) + "~" * one.guess
        error = "" if one.exact else figure(one.error, ".2f", language)
        table.add_row(
            *(
                str(one.placement),
                figure(one.points, "+.2f", language),
                error,
                f"{one.foul:.0%}",
                f"{one.fantasyland:.0%}",
                same,
            )
        )
    out.print(table)
    if len(judged) > SHOWN:
        out.print(texts["more"].format(len(judged) - SHOWN), style="dim")
    out.print(texts["against"], style="dim")
    out.print(texts["exact"] if judged[0].exact else texts["told"], style="dim")


def _show_layout(found: Layout, stay: float | None, language: Language) -> None:
    out, texts = console(), _TEXTS[language]
    out.print(str(found.placement), markup=False)
    told = [texts["royalties"].format(found.royalties), texts["value"].format(figure(found.value, ".2f", language))]
    out.print(", ".join([*told, *([texts["stays"]] if found.stays else [])]))
    out.print(texts["holds"] if stay is None else texts["holds-stay"].format(stay), style="dim")
