"""`ananas play`: hand after hand in the terminal against bots.

The table is the same as in the room, only that its time stands still; what is shown comes from the player's own view.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Annotated, Final

import typer
from msgspec.structs import replace
from rich.table import Table as Columns
from rich.text import Text

from ananas.bots import LevelBot
from ananas.bots.levels import LEVELS
from ananas.cli.score import RulesOption, SetOption, house_rules
from ananas.cli.showing import (
    WORDS,
    LangOption,
    Language,
    cards_text,
    console,
    language_of,
    printable,
    refuse,
    row_words,
    show_reckoning,
)
from ananas.deal import Source, lot, shuffle
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import Card
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet
from ananas.game.scoring import RowResult
from ananas.game.strength import category_of, ranks_of, strength
from ananas.game.view import HandView, PlayerView
from ananas.refused import Refused
from ananas.table.commands import Command, Confirm, Deal, GoOn, Open, Ready, Sit, TopUp
from ananas.table.decide import advance
from ananas.table.state import Table, needs_deck
from ananas.table.view import Live, TableView, view_table

BOTS: Final = tuple(name.capitalize() for name in LEVELS)
LIMIT: Final = 1.0
"""The most seconds a bot thinks about a move."""

_LETTERS: Final[dict[str, Row | None]] = {
    **dict.fromkeys("tв", Row.TOP),
    **dict.fromkeys("mс", Row.MIDDLE),
    **dict.fromkeys("bн", Row.BOTTOM),
    **dict.fromkeys("xх"),
}

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "you": "You",
        "welcome": "You play against {}. ? explains, q ends.",
        "hand": "hand {}",
        "fantasyland": "Fantasyland: lay {}",
        "down": "face down",
        "street": "street {}: lay {}",
        "away": ", throw away {}",
        "thinks": "{} thinks ...",
        "dead": "The {} and {} rows would be out of order and the board dead. Enter takes the cards back, y lays them: ",
        "yes": "y",
        "next": "Enter deals the next hand, q ends: ",
        "broke": "You have nothing left and bring {} more.",
        "end": "You have played {} hands: {}.",
        "help": (
            "Where does each card go, in the order shown? t top, m middle, b bottom, x away: tmx lays the first card on top,\n"
            "the second in the middle, and throws the third away. Or write the rows: Qh/9h/- x3h, - for a row that gets\n"
            "nothing. Rows must grow stronger from top to bottom, or the board is dead. q ends the game."
        ),
        "letters": "{} letters are wanted, one for each card: t, m, b or x",
    },
    "ru": {
        "you": "Вы",
        "welcome": "Вы играете против: {}. ? объясняет, q заканчивает.",
        "hand": "раздача {}",
        "fantasyland": "фантазия: выложить {}",
        "down": "лежит рубашкой вверх",
        "street": "улица {}: выложить {}",
        "away": ", сбросить {}",
        "thinks": "{} думает ...",
        "dead": "Порядок рядов нарушен ({}, {}), рука будет мертва. Enter берёт карты назад, д выкладывает: ",
        "yes": "д",
        "next": "Enter: следующая раздача, q: конец: ",
        "broke": "У вас ничего не осталось, вы вносите ещё {}.",
        "end": "Сыграно раздач: {}, итог: {}.",
        "help": (
            "Куда идёт каждая карта, в порядке показа? в — верх, с — середина, н — низ, х — сброс; всх кладёт первую карту наверх,\n"
            "вторую в середину и сбрасывает третью. Или напишите ряды: Qh/9h/- x3h, - где ряд ничего не получает.\n"
            "Ряды должны усиливаться сверху вниз, иначе рука мертва. q заканчивает игру."
        ),
        "bad-placement": "непонятно: {text}; напишите верх/середина/низ, например Qh/9h/- x3h",
        "cards-not-yours": "нет среди ваших карт: {cards}; ваши карты: {dealt}",
        "wrong-count": "выложено карт: {placed}, нужно {needed}",
        "row-full": "в ряду {row} свободных мест: {room}, не поместится {cards}",
        "letters": "нужно букв: {}, по одной на карту: в, с, н или х",
    },
}


def play(
    rules: RulesOption = "room",
    settings: SetOption = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NUMBER | NAMES", help=f"How many bots, or which, with commas between: {', '.join(LEVELS)}."
        ),
    ] = "1",
    name: Annotated[str | None, typer.Option(help="Your name.", show_default="You")] = None,
    *,
    lang: LangOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Deal the same cards again as with this number.", show_default="chance")
    ] = None,
) -> None:
    """Play in the terminal against bots, hand after hand, Fantasyland included."""
    language = language_of(lang)
    if sys.stdin is None:
        refuse("standard input is closed")
    try:
        house = house_rules(rules, settings or [])
        others = _bots(bots, house)
        evening = _Evening(house, printable(name or _TEXTS[language]["you"]), others, language, seed)
    except Refused as refused:
        refuse(str(refused))
    try:
        evening.go_on()
    except (EOFError, KeyboardInterrupt):
        evening.out.print()
    evening.say_goodbye()


def _bots(asked: str, rules: RuleSet) -> tuple[str, ...]:
    """Who plays against the person: the first so many, or those that are named."""
    if asked.strip().isdecimal():
        found, count = BOTS[: int(asked)], int(asked)
    else:
        found = tuple(part.strip().capitalize() for part in asked.split(","))
        count = len(found)
        if not set(found) <= set(BOTS) or len(set(found)) < count:
            refuse(
                f"--bots {printable(asked[:60])}: a number, or some of {', '.join(LEVELS)}, each once, commas between"
            )
    least, most = rules.seats
    if not least <= count + 1 <= most:
        refuse(f"--bots {asked}: by these rules there are {least} to {most} players, you among them")
    return found


class _Evening:
    """A table with one person and bots; the person is told what his view says."""

    def __init__(self, rules: RuleSet, name: str, bots: tuple[str, ...], language: Language, seed: int | None) -> None:
        self.out: Final = console()
        self._words: Final = WORDS[language]
        self._texts: Final = _TEXTS[language]
        self._bots: Final = {name: LevelBot(name.lower(), rules) for name in bots}
        self._chance: Final = _chance(seed)
        _, self._table = advance(None, Open(table="terminal", name="", host="me", rules=rules), 0)
        self._me: Final = "me"
        self._others: Final = bots
        self._ask_table(Sit(player=self._me, name=name))
        for bot in self._others:
            self._ask_table(Sit(player=bot, name=bot, bot=True))

    def go_on(self) -> None:
        """Play until the player has had enough, which is told by `EOFError`."""
        self.out.print(self._texts["welcome"].format(", ".join(self._others)))
        while True:
            self._step()

    def say_goodbye(self) -> None:
        view = self._view(self._me)
        mine = next(seat for seat in view.seats if seat and seat.seat == view.you)
        played = view.hands - (view.phase == "laying")
        self.out.print(self._texts["end"].format(played, f"{mine.total:+d}"))

    def _step(self) -> None:
        """One thing that the table waits for."""
        table = self._table
        if needs_deck(table):
            self._ask_table(Deal(deck=shuffle(self._chance), lot=lot(self._chance)))
            self.out.print()
            self.out.rule(self._texts["hand"].format(table.hands), align="left")
        elif table.laying:
            view = self._view(self._me)
            hand = view.hand
            assert hand is not None
            acting = [player.seat for player in hand.players if player.acting]
            self._lay(view, hand) if hand.you in acting else self._let_lay(table, acting[0])
            if self._table.hand and self._table.hand.over:
                self._show_result(table)
        else:
            self._begin(table)

    # -- between hands

    def _begin(self, table: Table) -> None:
        """Let the next hand be called, of this match or of a new one."""
        if table.hands:
            self._ask(self._texts["next"])
        view = self._view(self._me)
        if view.chips and any(seat.broke for seat in view.seats if seat and seat.seat == view.you):
            self.out.print(self._texts["broke"].format(view.chips[0]))
            self._ask_table(TopUp(player=self._me, to=view.chips[0]))
        if self._table.pausing:
            self._ask_table(GoOn(player=self._me, hand=self._table.hands))
        elif not self._table.in_match:
            for player in (*self._others, self._me):
                self._ask_table(Ready(player=player, hand=self._table.hands + 1, always=False))

    def _show_result(self, before: Table) -> None:
        hand = self._view(self._me).hand
        if hand is None or hand.reckoning is None:
            return
        stacks = [seat.stack for player in hand.players if (seat := before.seats[player.seat])]
        boards = [player.board for player in hand.players]
        self.out.print()
        show_reckoning(self.out, self._table.names, boards, hand.reckoning, stacks=stacks, words=self._words)

    # -- inside a hand

    def _let_lay(self, table: Table, seat: int) -> None:
        """A bot lays; it sees its own view and nothing else."""
        bot = table.seats[seat]
        assert bot is not None
        hand = self._view(bot.player).hand
        assert hand is not None
        if self.out.is_terminal:
            with self.out.status(self._texts["thinks"].format(bot.name)):
                placement = self._bots[bot.name].place(hand, LIMIT)
        else:
            placement = self._bots[bot.name].place(hand, LIMIT)
        self._confirm(bot.player, hand, placement)

    def _lay(self, view: TableView, hand: HandView) -> None:
        """Show the player what he may know, and ask until he has laid."""
        me = next(player for player in hand.players if player.seat == hand.you)
        cards = sorted(me.dealt, key=lambda card: -card.rank) if me.fantasyland else list(me.dealt)
        self._show(view, hand)
        away = len(cards) - me.to_lay
        key, told = ("fantasyland", [me.to_lay]) if me.fantasyland else ("street", [me.street, me.to_lay])
        title = self._texts[key].format(*told) + (self._texts["away"].format(away) if away else "")
        self.out.print(Text(f"{title}:  ").append_text(cards_text(cards)))
        while True:
            text = self._ask("> ")
            try:
                placement = read_placement(text, cards, self._texts["letters"].format(len(cards)))
                if self._accepts(me.board.place(placement), me.board, view.rules):
                    self._confirm(self._me, hand, placement)
                    return
            except Refused as refused:
                args = {**refused.args_by_name, "row": self._words.get(str(refused.args_by_name.get("row")), "")}
                said = self._texts.get(refused.code, "").format(**args) or str(refused)
                self.out.print(Text(printable(said), "yellow"))
            except ValueError as unclear:
                self.out.print(Text(str(unclear), "yellow"))

    def _accepts(self, board: Board, before: Board, rules: RuleSet) -> bool:
        """Warn once of a board that is dead whatever comes; tell whether the player lays it all the same."""
        rows = _out_of_order(board, rules)
        if rows is None or _out_of_order(before, rules):
            return True
        prompt = self._texts["dead"].format(*(self._words[row.value] for row in rows))
        return self._ask(prompt).lower() in {self._texts["yes"], "y"}

    def _show(self, view: TableView, hand: HandView) -> None:
        table = Columns(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in ("", *(self._words[row.value] for row in ROWS)):
            table.add_column(column)
        for player, name in zip(hand.players, view.names, strict=True):
            seat = view.seats[player.seat]
            label = self._words["button"].format(name) if player.seat == hand.button else name
            stack = f"{label}\n{seat.stack}" if seat else label
            rows = [self._row(player, row, view.rules) for row in ROWS]
            if player.hidden:
                rows = [Text(self._texts["down"], "dim"), Text(), Text()]
            table.add_row(Text(stack), *rows)
        self.out.print()
        self.out.print(table)

    def _row(self, player: PlayerView, row: Row, rules: RuleSet) -> Text:
        """A row with what was laid last underlined; below a full one, what it is and its royalty."""
        cards = player.board.row(row)
        text = Text(" ").join([cards_text([card], "underline" if card in player.laid else "") for card in cards])
        if not cards or player.board.room(row):
            return text or Text("-", "dim")
        worth = strength(cards)
        points = royalty(row, worth, rules.royalty_table) if rules.royalties != "none" else 0
        result = RowResult(category=category_of(worth), ranks=ranks_of(worth), royalty=points)
        return text.append(f"\n{row_words(result, self._words)}{f' +{points}' if points else ''}", "dim")

    # -- the table and the terminal

    def _view(self, player: str) -> TableView:
        return view_table(self._table, player, 0, Live())

    def _ask_table(self, command: Command) -> None:
        _, self._table = advance(self._table, command, 0)

    def _confirm(self, player: str, hand: HandView, placement: Placement) -> None:
        street = next(each.street for each in hand.players if each.seat == hand.you)
        assert street is not None
        self._ask_table(Confirm(player=player, hand=hand.number, street=street, placement=placement))

    def _ask(self, prompt: str) -> str:
        """What the player types; `?` is answered here, `q` ends the game."""
        while True:
            text = self.out.input(Text(prompt)).strip()
            if text.lower() in {"q", "quit", "й"}:
                raise EOFError
            if text != "?":
                return text
            self.out.print(self._texts["help"], markup=False)


def read_placement(text: str, cards: Sequence[Card], letters_wanted: str) -> Placement:
    """A placement as it is written everywhere, or a letter for each card; what is not laid is thrown away.

    >>> str(read_placement("t m x", [Card("Qh"), Card("9h"), Card("3h")], ""))
    'Qh/9h/- x3h'
    >>> str(read_placement("Qh/9h/-", [Card("Qh"), Card("9h"), Card("3h")], ""))
    'Qh/9h/- x3h'

    Raises `Refused("bad-placement")`, and `ValueError(letters_wanted)` where neither is told.
    """
    if "/" in text:
        placement = Placement.parse(" ".join(text.split()))
        away = tuple(card for card in cards if card not in placement.cards)
        return replace(placement, discards=placement.discards + away)
    letters = "".join(text.lower().split())
    if len(letters) != len(cards) or not set(letters) <= set(_LETTERS):
        raise ValueError(letters_wanted)
    goes = [_LETTERS[letter] for letter in letters]
    top, middle, bottom, away = (
        tuple(card for card, row in zip(cards, goes, strict=True) if row is where) for where in (*ROWS, None)
    )
    return Placement(top, middle, bottom, away)


def _out_of_order(board: Board, rules: RuleSet) -> tuple[Row, Row] | None:
    """The first two full rows, one above the other, that make a board dead; null where there are none."""
    for upper, lower in pairwise(ROWS):
        if not board.room(upper) and not board.room(lower):
            high, low = strength(board.row(upper)), strength(board.row(lower))
            if high > low or (high == low and rules.equality == "strict"):
                return upper, lower
    return None


def _chance(seed: int | None) -> Source:
    """Bytes of chance; the same ones each time where there is a seed."""
    if seed is None:
        return secrets.token_bytes
    asked = count()
    return lambda size: hashlib.shake_256(f"{seed} {next(asked)}".encode()).digest(size)
