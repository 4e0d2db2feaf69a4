"""Every refusal the table can give, as a row: its code, a position, what is asked, and the arguments of the reason."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import msgspec
import pytest

from ananas.game.board import Placement
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.refused import Refused
from ananas.table import decide as decide_module
from ananas.table.commands import Command, Confirm, Deal, Leave, Ready, Return, Sit
from tests.table.play import Play, legal
from tests.table.positions import ann_ready, called, full, laying, leaving, scored, seated, spent, street_two

NOTHING = Placement()
BOB_FIRST = legal(laying().hand, 0)
BOB_SECOND = legal(street_two().hand, 0)
ROW_OF_FOUR = Placement(top=legal(laying().hand, 0).cards[:4], bottom=legal(laying().hand, 0).cards[4:])
FOREIGN = Placement(bottom=tuple(card for card in DECK if card not in BOB_FIRST.cards)[:5])


def bob(street: int, placement: Placement, hand: int = 1) -> Confirm:
    return Confirm(player="bob", hand=hand, street=street, placement=placement)


REFUSALS: list[tuple[str, Callable[[], Play], Command, dict[str, str | int]]] = [
    ("already-seated", seated, Sit(player="bob", name="Robert"), {"seat": 1}),
    ("already-seated", leaving, Sit(player="bob", name="Bob"), {"seat": 1}),
    ("no-seat", seated, Sit(player="dee", name="Dee", seat=3), {"seat": 3, "last": 2}),
    ("no-seat", seated, Sit(player="dee", name="Dee", seat=-1), {"seat": -1, "last": 2}),
    ("seat-taken", seated, Sit(player="dee", name="Dee", seat=1), {"seat": 1}),
    ("table-full", full, Sit(player="dee", name="Dee"), {"seats": 2}),
    ("name-taken", seated, Sit(player="dee", name="ann"), {"name": "Ann"}),
    ("name-taken", seated, Sit(player="dee", name="А n n."), {"name": "Ann"}),
    ("not-seated", seated, Leave(player="dee"), {}),
    ("not-seated", seated, Return(player="dee"), {}),
    ("not-seated", seated, Ready(player="dee", hand=1, always=False), {}),
    ("not-seated", laying, Confirm(player="dee", hand=1, street=1, placement=NOTHING), {}),
    ("hand-running", leaving, Leave(player="bob"), {}),
    ("hand-running", laying, Ready(player="cyd", hand=2, always=False), {}),
    ("hand-running", called, Ready(player="ann", hand=2, always=False), {}),
    ("turn-over", laying, Ready(player="cyd", hand=1, always=False), {"hand": 1, "street": 0}),
    ("turn-over", scored, Ready(player="ann", hand=1, always=False), {"hand": 1, "street": 0}),
    ("turn-over", seated, Ready(player="ann", hand=2, always=False), {"hand": 2, "street": 0}),
    ("already-ready", ann_ready, Ready(player="ann", hand=1, always=True), {}),
    ("nothing-to-undo", seated, Return(player="ann"), {}),
    ("no-hand", seated, bob(1, NOTHING), {}),
    ("no-hand", called, bob(1, NOTHING), {}),
    ("no-hand", scored, bob(1, NOTHING, hand=2), {}),
    ("no-hand", seated, Deal(deck=DECK, lot=0), {}),
    ("no-hand", scored, Deal(deck=DECK, lot=0), {}),
    ("hand-running", laying, Deal(deck=DECK, lot=0), {}),
    ("turn-over", scored, bob(5, NOTHING), {"hand": 1, "street": 5}),
    ("turn-over", laying, bob(1, BOB_FIRST, hand=2), {"hand": 2, "street": 1}),
    ("turn-over", street_two, bob(1, BOB_FIRST), {"hand": 1, "street": 1}),
    ("turn-over", laying, bob(2, BOB_FIRST), {"hand": 1, "street": 2}),
    ("turn-over", spent, bob(1, BOB_FIRST), {"hand": 1, "street": 1}),
    ("not-your-turn", laying, Confirm(player="ann", hand=1, street=1, placement=BOB_FIRST), {"turn": 1}),
    ("not-your-turn", laying, Confirm(player="cyd", hand=1, street=1, placement=BOB_FIRST), {"turn": 1}),
    ("cards-not-yours", laying, bob(1, FOREIGN), {}),
    ("wrong-count", laying, bob(1, NOTHING), {"placed": 0, "needed": 5}),
    ("row-full", laying, bob(1, ROW_OF_FOUR), {"row": "top", "room": 3}),
    ("not-discarded", street_two, bob(2, msgspec.structs.replace(BOB_SECOND, discards=())), {}),
]


@pytest.mark.parametrize(("code", "position", "command", "args"), REFUSALS)
def test_what_is_refused_changes_nothing(
    code: str, position: Callable[[], Play], command: Command, args: dict[str, str | int]
) -> None:
    play = position()
    before, log = play.table, list(play.log)
    with pytest.raises(Refused) as refused:
        play.ask(command)  # compares the bytes of the state, before and after
    assert refused.value.code == code
    assert refused.value.args_by_name.items() >= args.items()
    assert (play.table, play.log) == (before, log)


def test_every_refusal_the_table_can_give_is_tried() -> None:
    source = inspect.getsource(decide_module) + inspect.getsource(Hand.place) + inspect.getsource(Hand._check)
    given = set(re.findall(r'Refused\(\s*"([a-z-]+)"', source)) | {"row-full"}
    assert given - {"no-table"} == {code for code, *_ in REFUSALS}
