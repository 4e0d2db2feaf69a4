"""A room whose table is careful: what it lays for those whose time is spent, or who are away, is no dead hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ananas.game.board import Placement
from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.scoring import fouled
from ananas.game.view import HandView
from ananas.server.reviews import lay_carefully
from ananas.server.room import Careful, Helpers, Room, Rooms, fold
from ananas.table.events import AutoPlaced
from tests.server.live import Ear, Live, deal_planned, in_a_room
from tests.table.play import deck

RULES = RuleSet(seats=(2, 2), auto_layout="careful", fantasyland="off", bank_seconds=0)


async def carefully(view: HandView, rules: RuleSet, kept: Placement | None) -> Placement:
    """As the room's processes work it out, but here and now."""
    return lay_carefully(view, rules, kept)


async def unable(view: HandView, rules: RuleSet, kept: Placement | None) -> Placement | None:
    """Works nothing out."""
    return None


async def nonsense(view: HandView, rules: RuleSet, kept: Placement | None) -> Placement | None:
    """Works out what cannot be laid."""
    return Placement()


async def played_by_the_table(live: Live, rules: RuleSet, careful: Careful | None, *, away: bool) -> list[bool]:
    """A hand that the table lays for both from beginning to end; tells which of the boards are dead."""
    live.rooms = Rooms(
        store=live.store,
        clock=live.clock,
        thinker=live.thinker,
        bot_pause=0,
        helpers=Helpers(careful=careful),
    )
    ears: list[Ear] = await live.playing(rules, "ann", "bob")
    room = ears[0].room
    if away:
        for ear in ears:
            room.leave(ear)
        live.pass_time(6)
        await settle(room)
    async with asyncio.timeout(30):
        while room.table.laying:
            live.pass_time(121)
            await settle(room)
    assert room.table.hand is not None
    log = await live.store.load("table")
    assert log is not None
    assert sum(isinstance(event, AutoPlaced) for event in log.events) == 10
    assert fold(log.events) == room.table
    return [fouled(board, rules) for board in room.table.hand.boards]


async def settle(room: Room) -> None:
    version = -1
    while room.version != version:
        version = room.version
        await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def _the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in which boards laid in order of receipt are dead, both of them."""

    def the_same(_: object) -> tuple[Card, ...]:
        return deck(5)

    deal_planned(monkeypatch, the_same)


@pytest.mark.parametrize("away", [False, True], ids=["there", "away"])
@pytest.mark.parametrize(
    ("rules", "careful", "dead"),
    [
        (RULES, carefully, [False, False]),
        (RULES.but({"auto_layout": "order"}), carefully, [True, True]),
        (RULES, unable, [True, True]),
        (RULES, nonsense, [True, True]),
        (RULES, None, [True, True]),
    ],
    ids=["careful", "order", "unable", "nonsense", "nobody"],
)
def test_a_hand_that_the_table_lays(
    tmp_path: Path, rules: RuleSet, careful: Careful | None, dead: list[bool], *, away: bool
) -> None:
    async def body(live: Live) -> None:
        assert await played_by_the_table(live, rules, careful, away=away) == dead

    in_a_room(tmp_path / "room.sqlite", body)


def test_it_is_worked_out_from_what_the_seat_knows_and_had_arranged(tmp_path: Path) -> None:
    asked: list[tuple[HandView, Placement | None]] = []

    async def watched(view: HandView, rules: RuleSet, kept: Placement | None) -> Placement:
        asked.append((view, kept))
        return lay_carefully(view, rules, kept)

    async def body(live: Live) -> None:
        await played_by_the_table(live, RULES, watched, away=False)
        for view, _ in asked:
            me = next(side for side in view.players if side.seat == view.you)
            assert me.acting
            assert me.dealt
            assert all(not side.discards for side in view.players if side is not me)
            assert all(not side.dealt for side in view.players if side is not me)
        turns = [(view.you, next(s.street for s in view.players if s.seat == view.you)) for view, _ in asked]
        assert len(set(turns)) == len(turns) == 10

    in_a_room(tmp_path / "room.sqlite", body)
