"""`ananas score`: what boards are worth against each other, to the last line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated

import typer

from ananas.cli.showing import WORDS, LangOption, console, language_of, refuse, show_reckoning
from ananas.game.board import ROWS, Board
from ananas.game.notation.toml import Wrong
from ananas.game.notation.words import read_rows
from ananas.game.rules import RuleSet
from ananas.game.scoring import Reckoning, reckon
from ananas.game.strength import strength
from ananas.refused import Refused

RulesOption = Annotated[str, typer.Option("--rules", help="A named set: room, club, club-pineapple, progressive.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A rule of the house; can be given several times."),
]


def score(
    boards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar='"TOP/MIDDLE/BOTTOM"...',
            help="Full boards in order of play: the button's left first, the button last.",
            show_default=False,
        ),
    ] = None,
    rules: RulesOption = "room",
    settings: SetOption = None,
    stacks: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="What each has on the table, in the order of the boards."),
    ] = None,
    *,
    independent: Annotated[
        bool,
        typer.Option(
            "--independent",
            help="Compare boards that do not come from one deck: cards are not checked, and any may come twice, "
            "also on one board.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    lang: LangOption = None,
) -> None:
    """Settle an argument at a live table: count full boards, with every line of the reckoning.

    ananas score "Qs Qd 5c/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts" "As Ad 4c/3s 4d 5h 6d 7c/Jh Jd Jc 9s 9c"
    """
    words = WORDS[language_of(lang)]
    try:
        house = house_rules(rules, settings or [])
    except Refused as refused:
        refuse(str(refused))
    read = [_board(number, text) for number, text in enumerate(boards or [], 1)]
    if not 1 <= len(read) <= house.seats[1]:
        refuse(f"by these rules there are up to {house.seats[1]} boards, here are {len(read)}")
    if independent:
        _check_rows(read)
    else:
        _check_deck(read)
    chips = _stacks(stacks, len(read), house)
    reckoning = reckon(read, range(len(read)), house, stacks=chips or None)
    if as_json:
        typer.echo(json.dumps(_as_json(reckoning)))
        return
    names = [str(number) for number in range(1, len(read) + 1)]
    out = console()
    out.print(words["rules"].format(house), markup=False, soft_wrap=True)
    out.print()
    show_reckoning(out, names, read, reckoning, stacks=chips, words=words)


def house_rules(rules: str, settings: Sequence[str]) -> RuleSet:
    """The rules that `--rules` and `--set` tell. Raises `Refused("bad-rule")`."""
    return RuleSet.parse(" ".join([rules.strip(), *(setting.strip() for setting in settings)]))


def _board(number: int, text: str) -> Board:
    try:
        board = Board(*read_rows("".join(text.split()), 0))
    except Wrong as wrong:
        refuse(f"board {number}: {wrong.detail}")
    for row in ROWS:
        cards = board.row(row)
        if len(cards) != row.size:
            refuse(f"board {number}: the {row.value} row takes {row.size} cards, here are {len(cards)}")
    return board


def _check_rows(boards: Sequence[Board]) -> None:
    """Refuse only what is worth nothing that can be told, as five of a kind."""
    for number, board in enumerate(boards, 1):
        for row in ROWS:
            try:
                strength(board.row(row))
            except ValueError:
                refuse(f"board {number}: with a card twice the {row.value} row cannot be counted")


def _check_deck(boards: Sequence[Board]) -> None:
    holders: dict[str, int] = {}
    for number, board in enumerate(boards, 1):
        for card in board.cards:
            if card in holders:
                where = f"boards {holders[card]} and {number}" if holders[card] != number else f"board {number}"
                refuse(f"{card} is twice in {where}; --independent compares boards that are not of one deck")
            holders[card] = number


def _stacks(text: str | None, count: int, rules: RuleSet) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch("-?[0-9]{1,12}", part) for part in parts):
        refuse(f"--stacks {text}: write whole numbers with commas between, as 10,40,50")
    if len(parts) != count:
        refuse(f"--stacks {text}: {count} numbers are wanted, one for each board, here are {len(parts)}")
    stacks = tuple(map(int, parts))
    if min(stacks) < 0 and rules.settlement_cap != "none":
        refuse(f"--stacks {text}: a stack below zero there is only where settlement_cap=none")
    return stacks


def _as_json(reckoning: Reckoning) -> dict[str, object]:
    players, pairs = reckoning.players, reckoning.pairs
    return {
        "points": [player.points for player in players],
        "fouls": [player.foul for player in players],
        "royalties": [[row.royalty for row in player.rows] for player in players],
        "fantasyland": [player.fantasyland for player in players],
        "stays": [player.stays for player in players],
        "pairs": [
            {
                "seats": pair.seats,
                "rows": pair.rows,
                "scoop": pair.scoop,
                "foul": pair.foul,
                "royalties": pair.royalties,
                "claim": pair.claim,
                "transfer": pair.transfer,
                "skipped": pair.skipped,
            }
            for pair in pairs
        ],
        "stacks": [player.stack for player in players if player.stack is not None],
    }
