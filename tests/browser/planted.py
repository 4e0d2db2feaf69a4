"""A room whose decks a test has chosen: `python -m tests.browser.planted FILE serve ...` is `ananas serve` but for them.

The file holds one deck a line, for the hands to come in this order; when they are used up, decks are shuffled as ever.
The first button goes to the first seat that is dealt in. No such deck can be sealed beforehand, so none is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from ananas.cli.main import main
from ananas.deal import Source, shuffle
from ananas.game.board import ROWS, Placement
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.rules import RuleSet
from ananas.server import room
from ananas.table.state import Table


def streets(board: str, thrown: str, rules: RuleSet, *, fantasyland: bool = False) -> tuple[str, ...]:
    """A board laid from the bottom up in as many placements as the rules want, each throwing away what it must."""
    rows = Placement.parse(board)
    cards = [(card, row) for row in reversed(ROWS) for card in rows.row(row)]
    rest = list(parse_cards(thrown))
    if fantasyland:
        return (f"{rows} x{thrown}" if thrown else str(rows),)
    plan = list[str]()
    for deal, place in zip(rules.deal, rules.place, strict=True):
        laid, cards = cards[:place], cards[place:]
        away, rest = rest[: deal - place], rest[deal - place :]
        top, middle, bottom = (tuple(card for card, where in laid if where is row) for row in ROWS)
        plan.append(str(Placement(top, middle, bottom, tuple(away))))
    assert not rest, "more is thrown away than the rules want"
    return tuple(plan)


def deck_of(*plans: Sequence[str]) -> tuple[Card, ...]:
    """A deck from which each player, in order of play, is dealt what his placements lay and throw away."""
    dealt = [[card for text in plan for card in Placement.parse(text).cards] for plan in plans]
    used = {card for cards in dealt for card in cards}
    assert len(used) == sum(map(len, dealt)), "a card is planned twice"
    left = [card for card in DECK if card not in used]
    size = len(DECK) // len(plans)
    deck = list[Card]()
    for cards in dealt:
        missing = size - len(cards)
        deck += [*cards, *left[:missing]]
        left = left[missing:]
    return (*deck, *left)


def planted(path: Path) -> Iterator[tuple[Card, ...]]:
    """The decks of a file."""
    for line in path.read_text().split():
        yield parse_cards(line)


def plant(path: Path, decks: Sequence[Sequence[Card]]) -> None:
    """Write decks for a room to deal."""
    path.write_text("\n".join(print_cards(deck) for deck in decks))


if __name__ == "__main__":
    decks = planted(Path(sys.argv.pop(1)))

    def dealt(source: Source) -> tuple[Card, ...]:
        """The next deck that was planted, else a shuffled one."""
        return next(decks, None) or shuffle(source)

    def nothing(_: Table) -> None: ...

    with patch.multiple(room, shuffle=dealt, lot=lambda: 0, to_be_sealed=nothing):
        main()
