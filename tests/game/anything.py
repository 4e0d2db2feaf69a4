"""Any boards, any house rules, any play: what the tests of a hand draw from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, parse_cards
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from tests.chance import Chance

DATA: Final = Path(__file__).parents[1] / "data"


OWN_TABLE: Final = (
    "1,2,3,4,5,6,7,8,9,10,11,12,13/101,102,103,104,105,106,107,108,109,110,111,112,113"
    "/201,202,203,204,205,206,207/301,302,303,304,305,306,307"
)
"""A royalty table of one's own in which no two places are worth the same."""

SOME: Final[dict[str, Sequence[str]]] = {
    "seats": ("2-2", "2-3", "3-3", "2-4", "4-4"),
    "street_one": ("open", "closed"),
    "lock": ("on-confirm",),
    "equality": ("allowed", "strict"),
    "scoring": ("1-6", "2-4"),
    "foul_points": ("0", "1", "3", "6", "100"),
    "royalties": ("net", "line-winner", "none"),
    "royalty_table": ("american", "vegas-2013", "early-2013", OWN_TABLE),
    "fantasyland": ("on", "off"),
    "fantasyland_cards": ("13", "14", "17", "13,14,15,16", "14,15,16,17", "17,13,17,13"),
    "fantasyland_entry": ("22", "77", "QQ", "KK", "AA"),
    "fantasyland_stay": (
        "none",
        "top-trips",
        "middle-full-house",
        "middle-quads",
        "bottom-quads",
        "top-trips,middle-full-house,middle-quads,bottom-quads",
    ),
    "fantasyland_stay_cards": ("13", "14", "17"),
    "fantasyland_repeats": ("unlimited", "0", "1", "2", "99"),
    "fantasyland_timing": ("after", "from-start"),
    "button_in_fantasyland": ("moves", "stays"),
    "settlement_cap": ("both", "loser", "none"),
    "hand_seconds": ("1", "120", "3600"),
    "bank_seconds": ("0", "180", "3600"),
    "auto_layout": ("order", "careful"),
    "buy_in": ("1-1", "50-100", "1-1000000"),
    "point_price": ("0", "1000", "1000000000"),
    "ready_seconds": ("1", "30"),
    "showdown_seconds": ("1", "8"),
    "seen_cards": ("shown", "hidden"),
}
"""Values that a house may set, by field; the streets are drawn together."""

STREETS: Final = (
    ("5,3,3,3,3", "5,2,2,2,2"),
    ("5,1,1,1,1,1,1,1,1", "5,1,1,1,1,1,1,1,1"),
    ("5,2,2,2,2", "5,2,2,2,2"),
    ("13", "13"),
    ("5,4,4,4", "4,3,3,3"),
    ("17", "13"),
)


def house_rules(base: str, values: dict[str, str]) -> RuleSet:
    """A named set with these values; with two or three seats where it cannot be played by more."""
    try:
        return RuleSet.named(base).but(values)
    except Refused:
        return RuleSet.named(base).but({**values, "seats": "2-3"})


def chance_rules(chance: Chance) -> RuleSet:
    """Any house rules: about a third of the fields set."""
    values = {name: chance.pick(some) for name, some in SOME.items() if chance.below(3) == 0}
    if chance.below(3) == 0:
        values["deal"], values["place"] = chance.pick(STREETS)
    return house_rules(chance.pick(list(RULE_SETS)), values)


@st.composite
def any_rules(draw: st.DrawFn) -> RuleSet:
    """Any house rules: some fields of a named set set otherwise."""
    names = draw(st.sets(st.sampled_from([*SOME, "streets"]), max_size=8))
    values = {name: draw(st.sampled_from(SOME[name])) for name in SOME if name in names}
    if "streets" in names:
        values["deal"], values["place"] = draw(st.sampled_from(STREETS))
    return house_rules(draw(st.sampled_from(list(RULE_SETS))), values)


@st.composite
def boards_of(draw: st.DrawFn, players: int) -> list[Board]:
    """Full boards of one deck; sorted cards now and then, so that not all of them are dead."""
    deck = draw(st.permutations(DECK))
    boards: list[Board] = []
    for player in range(players):
        cards = deck[13 * player : 13 * player + 13]
        if draw(st.booleans()):
            cards = sorted(cards, key=lambda card: card.rank)
        boards.append(Board(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])))
    return boards


def as_printed(text: str) -> Board:
    """A board from another's book, where the same card may lie twice."""
    top, middle, bottom = (parse_cards(row) for row in text.split("/"))
    return Board(top, middle, bottom)


def laid_by(hand: Hand, player: int, choice: int) -> Placement:
    """The placement that a number tells: by the places at which cards were received, whatever cards they are."""
    cards = list(hand.dealt(player))
    rows: dict[Row, list[str]] = {row: [] for row in ROWS}
    for _ in range(hand.to_lay(player)):
        choice, which = divmod(choice, len(cards))
        free = [row for row in ROWS if len(rows[row]) < hand.boards[player].room(row)]
        choice, where = divmod(choice, len(free))
        rows[free[where]].append(cards.pop(which))
    top, middle, bottom = (parse_cards("".join(rows[row])) for row in ROWS)
    return Placement(top, middle, bottom, tuple(cards))


def table_rows(name: str, columns: str = "|") -> list[list[str]]:
    """The lines of a table in tests/data as cells; a line with # in front is a remark."""
    lines = [line for line in (DATA / name).read_text().splitlines() if line and not line.startswith("#")]
    return [[cell.strip() for cell in line.split(columns)] for line in lines]
