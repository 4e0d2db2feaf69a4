"""Boards and reckonings for a terminal, in English or Russian. Nothing here asks or decides."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ananas.game.board import ROWS, Board
from ananas.game.cards import Card, Rank, Suit
from ananas.game.scoring import PairResult, PlayerResult, Reckoning, RowResult
from ananas.game.strength import Category, strength

Language = Literal["en", "ru"]
DatabaseArgument = Annotated[
    Path | None,
    typer.Argument(help="The room's file; the room may be running.", show_default="ananas.sqlite"),
]
DatabaseOption = Annotated[
    Path, typer.Option("--database", envvar="ANANAS_DATABASE", help="The same by flag, as `ananas serve` has it.")
]
LangOption = Annotated[
    str | None,
    typer.Option("--lang", metavar="en|ru", help="The language.", show_default="as LC_ALL, LC_MESSAGES or LANG say"),
]

_COLOURS: Final = {Suit.CLUBS: "green", Suit.DIAMONDS: "bright_blue", Suit.HEARTS: "red", Suit.SPADES: "bold"}

_ENGLISH: Final = {
    "top": "top",
    "middle": "middle",
    "bottom": "bottom",
    "high-card": "high card {}",
    "pair": "pair {}",
    "two-pair": "two pair {}",
    "trips": "trips {}",
    "straight": "straight to {}",
    "flush": "flush, {} high",
    "full-house": "full house {}",
    "quads": "quads {}",
    "straight-flush": "straight flush to {}",
    "royal": "royal flush",
    "dead": "dead: {}",
    "button": "{} (button)",
    "royalties": "royalties",
    "pairs": "pair by pair",
    "scoop": "scoop",
    "foul": "dead hand",
    "claim": "points",
    "moves": "moves",
    "skipped": "skipped",
    "broke": "{} against {}: not counted, one of them has nothing left",
    "capped": "{} against {}: {} of {} points move, the rest is void",
    "player": "player",
    "points": "points",
    "stack": "stack",
    "next": "next hand",
    "fantasyland": "Fantasyland, {} cards",
    "ordinary": "-",
    "stays": "would stay in Fantasyland",
    "thrown": "thrown away",
    "rules": "rules: {}",
    "table": "table: {}",
    "hand": "hand {}",
    "in-fantasyland": "Fantasyland",
    "street": "street {}",
    "dealt": "is dealt",
    "by-table": "laid by the table",
    "stops": "The hand stops here; to act: {}.",
    "goes-on": "Enter goes on",
}

_RUSSIAN: Final = {
    "top": "верх",
    "middle": "середина",
    "bottom": "низ",
    "high-card": "старшая карта {one}",
    "pair": "пара {many}",
    "two-pair": "две пары, {high} и {low}",
    "trips": "сет {many}",
    "straight": "стрит до {of}",
    "flush": "флеш от {of}",
    "full-house": "фулл, {high} и {low}",
    "quads": "каре {many}",
    "straight-flush": "стрит-флеш до {of}",
    "royal": "роял-флеш",
    "dead": "мертва: {}",
    "button": "{} (баттон)",
    "royalties": "роялти",
    "pairs": "пара за парой",
    "scoop": "скуп",
    "foul": "мёртвая рука",
    "claim": "очки",
    "moves": "платёж",
    "skipped": "пропуск",
    "broke": "{} и {}: не сравниваются, у одного из них ничего не осталось",
    "capped": "{} и {}: переходит {} из {} очков, остальное сгорает",
    "player": "игрок",
    "points": "очки",
    "stack": "стек",
    "next": "следующая раздача",
    "fantasyland": "фантазия, {} карт",
    "ordinary": "-",
    "stays": "остался бы в фантазии",
    "thrown": "сброс",
    "rules": "правила: {}",
    "table": "стол: {}",
    "hand": "раздача {}",
    "in-fantasyland": "фантазия",
    "street": "улица {}",
    "dealt": "сданы",
    "by-table": "выложил стол",
    "stops": "Здесь раздача обрывается; ходит: {}.",
    "goes-on": "Enter: дальше",
}

WORDS: Final[Mapping[Language, Mapping[str, str]]] = {"en": _ENGLISH, "ru": _RUSSIAN}
_RANKS: Final = {
    2: ("двойка", "двойки", "двоек"),
    3: ("тройка", "тройки", "троек"),
    4: ("четвёрка", "четвёрки", "четвёрок"),
    5: ("пятёрка", "пятёрки", "пятёрок"),
    6: ("шестёрка", "шестёрки", "шестёрок"),
    7: ("семёрка", "семёрки", "семёрок"),
    8: ("восьмёрка", "восьмёрки", "восьмёрок"),
    9: ("девятка", "девятки", "девяток"),
    10: ("десятка", "десятки", "десяток"),
    11: ("валет", "валета", "валетов"),
    12: ("дама", "дамы", "дам"),
    13: ("король", "короля", "королей"),
    14: ("туз", "туза", "тузов"),
}
"""Ranks in Russian: one of them, up to which, a pair of which."""
_TIMES: Final = {
    Category.PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.TRIPS: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.QUADS: (4,),
}


def refuse(sentence: str, status: int = 2) -> NoReturn:
    """Say in one line what is wrong, and end."""
    typer.echo(f"ananas: {printable(sentence)}", err=True)
    raise typer.Exit(status)


def language_of(lang: str | None) -> Language:
    """The language asked for, or the one of the terminal's environment; English where that is another."""
    if lang is None:
        named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
        return "ru" if re.match(r"ru\b|ru_", named) else "en"
    if lang not in WORDS:
        refuse(f"--lang {lang}: en or ru")
    return "ru" if lang == "ru" else "en"


def figure(value: float, spec: str, language: Language) -> str:
    """A number as the language writes it.

    >>> figure(1.5, "+.2f", "en"), figure(1.5, "+.2f", "ru"), figure(0.123, ".1%", "ru")
    ('+1.50', '+1,50', '12,3%')
    """
    told = format(value, spec)
    return told.replace(".", ",") if language == "ru" else told


def console() -> Console:
    """The terminal; where the output is no terminal, lines are as long as they need to be."""
    found = Console(highlight=False, soft_wrap=False)
    return found if found.is_terminal else Console(highlight=False, width=160)


def printable(text: str) -> str:
    """A text from elsewhere without what would command the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def cards_text(cards: Sequence[Card | None], style: str = "") -> Text:
    """Cards with spaces between, in the colours of their suits; `??` for those that are unknown."""
    text = Text()
    for card in cards:
        text.append(" " if text else "").append(card or "??", f"{_COLOURS[card.suit] if card else 'dim'} {style}")
    return text or Text("-", "dim")


def row_words(row: RowResult, words: Mapping[str, str]) -> str:
    """What a row is: `pair QQ`, `straight to T`, `пара дам`."""
    if row.category is Category.STRAIGHT_FLUSH and row.ranks[0] == Rank.ACE:
        return words["royal"]
    times = _TIMES.get(row.category, (1,))
    ranks = "".join(str(Rank(rank)) * count for rank, count in zip(row.ranks, times, strict=False))
    one, of, many = _RANKS[row.ranks[0]]
    high, low = (str(Rank(rank)) for rank in (row.ranks[0], row.ranks[min(1, len(row.ranks) - 1)]))
    return words[row.category.value].format(ranks, one=one, of=of, many=many, high=high, low=low)


def with_button(names: Sequence[str], words: Mapping[str, str]) -> list[str]:
    """Names in order of play; the last of them holds the button."""
    return [*names[:-1], words["button"].format(names[-1])] if len(names) > 1 else list(names)


def boards_table(names: Sequence[str], boards: Sequence[Board], words: Mapping[str, str]) -> Table:
    """Boards as they lie, a player to a line."""
    table = _table("", *(words[row.value] for row in ROWS))
    for name, board in zip(names, boards, strict=True):
        table.add_row(Text(name), *(cards_text(board.row(row)) for row in ROWS))
    return table


def show_reckoning(
    out: Console,
    names: Sequence[str],
    boards: Sequence[Board],
    reckoning: Reckoning,
    *,
    stacks: Sequence[int],
    words: Mapping[str, str],
) -> None:
    """Every line of a showdown: what the rows are, what each pair counts, what moves, what each has then.

    `names`, `boards`, `stacks` (empty where there are none) are in order of play.
    """
    out.print(_rows_table(with_button(names, words), boards, reckoning.players, words))
    out.print()
    seats = [player.seat for player in reckoning.players]
    by_seat = dict(zip(seats, names, strict=True))
    if reckoning.pairs:
        out.print(_pairs_table(by_seat, reckoning.pairs, words, chips=bool(stacks)))
    for pair in reckoning.pairs:
        one, two = (by_seat[seat] for seat in pair.seats)
        if pair.skipped:
            out.print(Text(words["broke"].format(one, two)))
        elif abs(pair.transfer) < abs(pair.claim):
            out.print(Text(words["capped"].format(one, two, abs(pair.transfer), abs(pair.claim))))
    if reckoning.pairs:
        out.print()
    out.print(_results_table(names, reckoning.players, stacks, words))


def _rows_table(
    names: Sequence[str], boards: Sequence[Board], players: Sequence[PlayerResult], words: Mapping[str, str]
) -> Table:
    table = _table("", *(words[row.value] for row in ROWS), words["royalties"])
    for name, board, player in zip(names, boards, players, strict=True):
        cells: list[Text] = []
        for row, result in zip(ROWS, player.rows, strict=True):
            royalty = f" +{result.royalty}" if result.royalty else ""
            cells.append(Text("\n").join([cards_text(board.row(row)), Text(row_words(result, words) + royalty, "dim")]))
        earned = [str(row.royalty) for row in player.rows if row.royalty]
        total = f"{' + '.join(earned)} = {player.royalties}" if len(earned) > 1 else str(player.royalties)
        table.add_row(Text(name), *cells, Text(_out_of_order(board, words), "red") if player.foul else Text(total))
    return table


def _out_of_order(board: Board, words: Mapping[str, str]) -> str:
    """Why a board is dead: `top > middle`."""
    strengths = [(row, strength(board.row(row))) for row in ROWS]
    worst = next(((one, two) for one, two in pairwise(strengths) if one[1] > two[1]), None)
    (upper, high), (lower, low) = worst or next(pair for pair in pairwise(strengths) if pair[0][1] == pair[1][1])
    return words["dead"].format(f"{words[upper.value]} {'>' if high > low else '='} {words[lower.value]}")


def _pairs_table(
    names: Mapping[int, str], pairs: Sequence[PairResult], words: Mapping[str, str], *, chips: bool
) -> Table:
    columns = ["top", "middle", "bottom", "scoop", "foul", "royalties", "claim", *(["moves"] if chips else [])]
    table = _table(words["pairs"], *(words[column] for column in columns), right=True)
    for pair in pairs:
        numbers = [*pair.rows, pair.scoop, pair.foul]
        one, two = pair.royalties
        cells = [*map(_signed, numbers), f"{one} - {two}" if one or two else "", _signed(pair.claim)]
        if chips:
            cells.append(words["skipped"] if pair.skipped else _signed(pair.transfer))
        table.add_row(Text(" : ".join(names[seat] for seat in pair.seats)), *cells)
    return table


def _results_table(
    names: Sequence[str], players: Sequence[PlayerResult], stacks: Sequence[int], words: Mapping[str, str]
) -> Table:
    table = _table(words["player"], words["points"], *([words["stack"]] if stacks else []), words["next"])
    for place, (name, player) in enumerate(zip(names, players, strict=True)):
        cells = [_signed(player.points)]
        if stacks:
            cells.append(f"{stacks[place]} -> {player.stack}")
        following = [words["fantasyland"].format(player.fantasyland)] if player.fantasyland else []
        following += [words["stays"]] if player.stays else []
        table.add_row(Text(name), *cells, "; ".join(following) or words["ordinary"])
    return table


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _table(*columns: str, right: bool = False) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if right and number else "left", overflow="fold")
    table.title_justify = "left"
    return table
