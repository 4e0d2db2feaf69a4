"""`ananas verify`: hold the proof of a hand against itself, and against what one knows of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from ananas.cli.replay import file_name, read_text
from ananas.cli.showing import cards_text, console, printable, refuse
from ananas.fair import DECKS, BadProof, Proof, Seed, Street, commitment, draw, lot, streets
from ananas.fair import verify as check
from ananas.game.cards import Card, print_cards
from ananas.game.notation import HandHistory, read_histories
from ananas.refused import Refused


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
        typer.Option(metavar="SEAT:HEX", help="A seed one knows, from seat 0; can be given several times."),
    ] = None,
) -> None:
    """Verify that a hand was dealt from a deck nobody could choose, with nothing but the file.

    Ends with status 1 where it was not, or where the history tells a card that the proof does not open.

    ananas verify hand-12.json hand-12.ofc
    """
    data = read_text(file).encode()
    try:
        proof = check(data, root)
        seeds = [_seed(text, proof) for text in seed or []]
        check(data, root, seeds)
        _check_first_button(proof)
    except BadProof as bad:
        refuse(f"{file_name(file)}: {bad}", 1)
    opened = streets(proof)
    compared = None if history is None else _compare(proof, opened, history)
    _show(proof, opened)
    if compared is not None:
        console().print(f"All {compared} cards that {file_name(history or '')} tells are proved.", markup=False)


def _check_first_button(proof: Proof) -> None:
    """Hold the first button of a table against the lot; later ones follow from the one before. Raises `BadProof`."""
    if not proof.hand.endswith("/1"):
        return
    drawn = sorted(proof.seats)[lot(draw(proof.hand, proof.root, proof.seeds)) % len(proof.seats)]
    if proof.seats[-1] != drawn:
        raise BadProof(f"the first button is on seat {proof.seats[-1]}, drawn was seat {drawn}")


def _seed(text: str, proof: Proof) -> Seed:
    """A seed as it has to stand in the proof."""
    seat, colon, seed = text.partition(":")
    if not (colon and seat.isdecimal() and len(seat) < 4 and int(seat) < 256 and len(seed) == 32):
        refuse(f"--seed {text}: write the seat, from 0, and 32 hexadecimal digits, as 0:{'0f' * 16}")
    try:
        return Seed(int(seat), commitment(proof.hand, int(seat), seed), seed)
    except ValueError:
        refuse(f"--seed {text}: these are no hexadecimal digits")


def _compare(proof: Proof, opened: Sequence[Street], file: str) -> int:
    """Find every card of a history where the proof opens it, and say how many they are."""
    number = int(proof.hand.rpartition("/")[2])
    try:
        found = read_histories(read_text(file))
    except Refused as refused:
        refuse(f"{file_name(file)}, {refused}", 1)
    told = [one for one in found if one.number in {number, None}]
    if len(told) != 1:
        refuse(f"{file_name(file)}: hand {number} is wanted once, and is there {len(told)} times", 1)
    history = told[0]
    dealt = {
        "seats in order of play": (tuple(history.seats[player] for player in history.order), proof.seats),
        "cards of each street": (history.rules.deal, proof.deal),
        "cards in Fantasyland": (
            tuple(history.in_fantasyland[player] if history.in_fantasyland else 0 for player in history.order),
            proof.fantasyland,
        ),
    }
    for what, (ours, proved) in dealt.items():
        if ours != proved:
            refuse(f"{file_name(file)}: {what}: {_list(ours)}; the proof has {_list(proved)}", 1)
    cards = _cards(history)
    for street in opened:
        named = cards.get((street.seat, street.street), set())
        if missing := [card for card in sorted(named) if card not in street.cards]:
            where = f"seat {street.seat} on street {street.street}"
            refuse(f"{file_name(file)}: {print_cards(missing)} of {where} is not opened there by the proof", 1)
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


def _show(proof: Proof, opened: Sequence[Street]) -> None:
    out = console()
    out.print(f"Hand {proof.hand}: the proof holds.", style="bold", markup=False)
    told = [one.seat for one in proof.seeds if one.seed is not None]
    silent = [one.seat for one in proof.seeds if one.seed is None]
    lines = [f"root: {proof.root}", f"deck: {proof.deck} of 0 to {DECKS - 1}"]
    lines += [f"seeds: of seat {_list(told)}" if told else "seeds: none"]
    lines += [f"bound to a seed and never told it: seat {_list(silent)}"] if silent else []
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    if not told:
        out.print("Without any player's seed, the room may have tried decks until it liked one.", markup=False)
    if proof.others:
        out.print(f"The other {DECKS - 1} decks are opened; each has all 52 cards.", markup=False)
    else:
        out.print("The other decks are opened when the hand is over; this proof is from before.", markup=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("seat", "street", "hidden"):
        table.add_column(name, justify="right")
    table.add_column("opened")
    for street in opened:
        name = "Fantasyland" if proof.fantasyland[proof.seats.index(street.seat)] else str(street.street)
        cards = cards_text(street.cards) if street.cards else Text("-")
        table.add_row(str(street.seat), printable(name), str(street.hidden), cards)
    out.print(table)
