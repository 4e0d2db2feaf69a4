"""`ananas verify`: hold the proof of a hand against itself, and against what one knows of the hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from ananas.cli.replay import read_text
from ananas.cli.showing import LangOption, Language, cards_text, console, language_of, printable, refuse
from ananas.fair import DECKS, BadProof, Proof, Seed, Street, commitment, draw, lot, streets
from ananas.fair import verify as check
from ananas.game.cards import Card, print_cards
from ananas.game.notation import HandHistory, read_histories
from ananas.refused import Refused

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "stdin": "standard input",
        "holds": "Hand {hand}: the proof holds.",
        "root": "root {root}",
        "deck": "deck {deck} of {decks}, counted from 0",
        "seed": "seed of seat {seats}",
        "seeds": "seeds of seats {seats}",
        "no-seeds": "no seeds",
        "silent-one": "seat {seats} was bound to a seed and never told it",
        "silent-many": "seats {seats} were bound to seeds and never told them",
        "and": " and ",
        "alone": "Without any player's seed, the room may have tried decks until it liked one.",
        "opened": "The other {others} decks are opened; each has all 52 cards.",
        "running": "The other decks are opened when the hand is over; this proof is from before.",
        "proved": "All {count} cards that {file} tells are proved.",
        "seat": "seat",
        "street": "street",
        "hidden": "hidden",
        "cards": "opened",
        "fantasyland": "Fantasyland",
        "button": "the first button is on seat {seat}, drawn was seat {drawn}",
        "bad-seed": "--seed {text}: write the seat, from 1, and 32 hexadecimal digits, as 1:{digits}",
        "no-digits": "--seed {text}: these are no hexadecimal digits",
        "times": "hand {number} is wanted once, and is there {count} times",
        "differs": "{what}: {ours}; the proof has {proved}",
        "order": "seats in order of play",
        "deal": "cards of each street",
        "in-fantasyland": "cards in Fantasyland",
        "missing": "{cards} of seat {seat} on street {street} is not opened there by the proof",
    },
    "ru": {
        "stdin": "стандартный ввод",
        "holds": "Раздача {hand}: доказательство верно.",
        "root": "печать {root}",
        "deck": "колода {deck} из {decks}, считая с 0",
        "seed": "число назвало место {seats}",
        "seeds": "числа назвали места {seats}",
        "no-seeds": "чисел никто не назвал",
        "silent-one": "место {seats} обещало число и не назвало его",
        "silent-many": "места {seats} обещали числа и не назвали их",
        "and": " и ",
        "alone": "Ни один игрок не назвал числа: комната могла перебирать колоды, пока одна ей не понравится.",
        "opened": "Остальные колоды открыты, их {others}; в каждой все 52 карты.",
        "running": "Остальные колоды открываются, когда раздача окончена; это доказательство сделано раньше.",
        "proved": "Доказаны все карты, о которых говорит {file}: {count}.",
        "seat": "место",
        "street": "улица",
        "hidden": "скрыто",
        "cards": "открыто",
        "fantasyland": "фантазия",
        "button": "первый баттон на месте {seat}, а жребий пал на место {drawn}",
        "bad-seed": "--seed {text}: нужно место, считая с 1, и 32 шестнадцатеричные цифры, например 1:{digits}",
        "no-digits": "--seed {text}: это не шестнадцатеричные цифры",
        "times": "раздача {number} нужна один раз, а встречается {count}",
        "differs": "{what}: {ours}; в доказательстве {proved}",
        "order": "места в порядке хода",
        "deal": "карты по улицам",
        "in-fantasyland": "карты в фантазии",
        "missing": "{cards}, место {seat}, улица {street}: доказательство их там не открывает",
    },
}

_REASONS: Final = {
    r"this is no proof: (.*)": "это не доказательство: {}",
    r"a proof is written in one way only, and this one is written otherwise": "доказательство пишется только одним "
    "способом, а это записано иначе",
    r"a hand is told as a table and a number": "раздача называется именем стола и номером",
    r"six hashes or seeds lead through a tree of (\d+)": "через дерево из {} листьев ведут шесть хешей или зёрен",
    r"(.*) is not (\d+) bytes in lower-case hexadecimal digits": "{}: нужны шестнадцатеричные цифры строчными буквами, "
    "байтов: {}",
    r"this is not the root that was shown": "это не та печать, которую показали",
    r"the seed of seat (\d+) is missing, or another one stands there": "числа места {} нет, или там стоит другое",
    r"a seat is written as a number from 0 to 255": "место записывается числом от 0 до 255",
    r"a seat is dealt in once": "одному месту сдают один раз",
    r"seeds stand by seat, each of a seat that is dealt in": "числа стоят в порядке мест, и только тех, которым сдали",
    r"the seed of seat (\d+) is not the one it was bound to": "место {} назвало не то число, которое обещало",
    r"the seeds come to another choice": "из этих чисел следует другой выбор",
    r"the seeds choose deck (\d+), not (-?\d+)": "эти числа выбирают колоду {}, а не {}",
    r"(\d+) entries of Fantasyland for (\d+) players, who are two to four": "о фантазии сказано {} раз, а игроков {}; "
    "их бывает от двух до четырёх",
    r"streets of \((.*)\) cards cannot be dealt to (\d+) players": "улицы по стольку карт: {} нельзя сдать "
    "стольким игрокам: {}",
    r"cards stand by leaf, each leaf once": "карты стоят в порядке листьев, каждый лист один раз",
    r"a card is there twice": "одна карта стоит дважды",
    r"leaf (-?\d+) \((.*)\) was dealt to nobody": "лист {} ({}) никому не сдан",
    r"(.*) does not lie at leaf (-?\d+) of the deck": "{} не лежит в колоде на листе {}",
    r"the deck is not under the root": "колода не под этой печатью",
    r"the other decks are not those that were sealed": "остальные колоды не те, что были запечатаны",
}
"""What a verifier says of a proof, as patterns, and the same in Russian."""


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A proof (.json), as a room gives it; - reads standard input.")
    ],
    history: Annotated[
        str | None, typer.Argument(metavar="HISTORY", help="The hand as it was played (.ofc), or several (.ofcs).")
    ] = None,
    *,
    root: Annotated[
        str | None, typer.Option(metavar="HEX", help="The root that was shown before the hand was called.")
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT:HEX", help="A seed one knows, seats from 1; can be given several times."),
    ] = None,
    lang: LangOption = None,
) -> None:
    """Verify that a hand was dealt from a deck nobody could choose, with nothing but the file.

    Ends with status 1 where it was not, or where the history tells a card that the proof does not open.

    ananas verify hand-12.proof.json hand-12.ofc
    """
    language = language_of(lang)
    texts = _TEXTS[language]
    data = read_text(file).encode()
    root = None if root is None else root.strip().lower()
    try:
        proof = check(data, root)
        seeds = [_seed(text, proof, texts) for text in seed or []]
        check(data, root, seeds)
    except BadProof as bad:
        refuse(f"{_name(file, texts)}: {_reason(str(bad), language)}", 1)
    if wrong := _first_button(proof, texts):
        refuse(f"{_name(file, texts)}: {wrong}", 1)
    opened = streets(proof)
    compared = None if history is None else _compare(proof, opened, history, texts)
    _show(proof, opened, texts)
    if compared is not None:
        told = texts["proved"].format(count=compared, file=_name(history or "", texts))
        console().print(told, markup=False)


def _name(file: str, texts: Mapping[str, str]) -> str:
    return texts["stdin"] if file == "-" else file


def _reason(reason: str, language: Language) -> str:
    """Why a proof is bad, in a language; in English where there are no other words for it."""
    if language == "ru":
        for pattern, words in _REASONS.items():
            if found := re.fullmatch(pattern, reason, re.DOTALL):
                return words.format(*found.groups())
    return reason


def _first_button(proof: Proof, texts: Mapping[str, str]) -> str | None:
    """What is wrong with the first button of a table, by the lot; later ones follow from the one before."""
    if not proof.hand.endswith("/1"):
        return None
    drawn = sorted(proof.seats)[lot(draw(proof.hand, proof.root, proof.seeds)) % len(proof.seats)]
    return None if proof.seats[-1] == drawn else texts["button"].format(seat=proof.seats[-1] + 1, drawn=drawn + 1)


def _seed(text: str, proof: Proof, texts: Mapping[str, str]) -> Seed:
    """A seed as it has to stand in the proof; seats are counted from 1 here, and from 0 in a file."""
    seat, colon, seed = text.strip().lower().partition(":")
    if not (colon and seat.isdecimal() and len(seat) < 4 and 1 <= int(seat) <= 256 and len(seed) == 32):
        refuse(texts["bad-seed"].format(text=text, digits="0f" * 16))
    try:
        return Seed(int(seat) - 1, commitment(proof.hand, int(seat) - 1, seed), seed)
    except ValueError:
        refuse(texts["no-digits"].format(text=text))


def _compare(proof: Proof, opened: Sequence[Street], file: str, texts: Mapping[str, str]) -> int:
    """Find every card of a history where the proof opens it, and say how many they are."""
    number = int(proof.hand.rpartition("/")[2])
    try:
        found = read_histories(read_text(file))
    except Refused as refused:
        refuse(f"{_name(file, texts)}, {refused}", 1)
    told = [one for one in found if one.number in {number, None}]
    if len(told) != 1:
        refuse(f"{_name(file, texts)}: {texts['times'].format(number=number, count=len(told))}", 1)
    history = told[0]
    dealt = {
        "order": (
            tuple(history.seats[player] + 1 for player in history.order),
            tuple(seat + 1 for seat in proof.seats),
        ),
        "deal": (history.rules.deal, proof.deal),
        "in-fantasyland": (
            tuple(history.in_fantasyland[player] if history.in_fantasyland else 0 for player in history.order),
            proof.fantasyland,
        ),
    }
    for what, (ours, proved) in dealt.items():
        if ours != proved:
            differs = texts["differs"].format(what=texts[what], ours=_list(ours), proved=_list(proved))
            refuse(f"{_name(file, texts)}: {differs}", 1)
    cards = _cards(history)
    for street in opened:
        named = cards.get((street.seat, street.street), set())
        if missing := [card for card in sorted(named) if card not in street.cards]:
            where = {"seat": street.seat + 1, "street": street.street}
            refuse(f"{_name(file, texts)}: {texts['missing'].format(cards=print_cards(missing), **where)}", 1)
    return sum(map(len, cards.values()))


def _cards(history: HandHistory) -> dict[tuple[int, int], set[Card]]:
    """The cards that a history names, by seat and street."""
    laid = [0] * len(history.players)
    found: dict[tuple[int, int], set[Card]] = {}
    for action in history.actions:
        where = history.seats[action.player], laid[action.player] + 1
        found.setdefault(where, set()).update(card for card in action.named if card is not None)
        laid[action.player] += action.kind != "dh"
    return found


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _seats(seats: Sequence[int], texts: Mapping[str, str]) -> str:
    """Seats as the page counts them: `1, 2 and 3`."""
    told = [str(seat + 1) for seat in seats]
    return texts["and"].join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


def _show(proof: Proof, opened: Sequence[Street], texts: Mapping[str, str]) -> None:
    out = console()
    out.print(texts["holds"].format(hand=proof.hand), style="bold", markup=False)
    told = [one.seat for one in proof.seeds if one.seed is not None]
    silent = [one.seat for one in proof.seeds if one.seed is None]
    lines = [texts["root"].format(root=proof.root), texts["deck"].format(deck=proof.deck, decks=DECKS)]
    named = "no-seeds" if not told else "seeds" if len(told) > 1 else "seed"
    lines += [texts[named].format(seats=_seats(told, texts))]
    if silent:
        lines += [texts["silent-many" if len(silent) > 1 else "silent-one"].format(seats=_seats(silent, texts))]
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    if not told:
        out.print(texts["alone"], markup=False)
    out.print(texts["opened" if proof.others else "running"].format(others=DECKS - 1), markup=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("seat", "street", "hidden"):
        table.add_column(texts[name], justify="right")
    table.add_column(texts["cards"])
    for street in opened:
        fantasyland = proof.fantasyland[proof.seats.index(street.seat)]
        name = texts["fantasyland"] if fantasyland else str(street.street)
        cards = cards_text(street.cards) if street.cards else Text("-")
        table.add_row(str(street.seat + 1), printable(name), str(street.hidden), cards)
    out.print(table)
