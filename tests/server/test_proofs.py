"""What the room tells of a deal: each viewer can check the cards he sees, all of them, and learns of no others."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest

from ananas import fair, protocol
from ananas.game.cards import Card
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, cards_seen
from ananas.server import room as module
from ananas.server.archive import Archive
from ananas.server.room import Room
from ananas.table.seeds import hand_id
from tests.server.live import Ear, Live, in_a_room

RULES = RuleSet().but({"fantasyland": "off", "settlement_cap": "none"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


class Prover(Ear):
    """A viewer who wants to check his cards, and has a seed for each hand."""

    def __init__(self, player: str | None, room: Room, window: str | None = None) -> None:
        super().__init__(player, room, window=window)
        self.proves = True

    @property
    def opened(self) -> list[fair.Proof]:
        """What he has been told, as it came; each has to be right by itself."""
        told = [msgspec.json.decode(raw, type=protocol.AnyServerMessage) for raw in self.raw]
        return [message.proof for message in told if isinstance(message, protocol.OpenedCards)]

    def seed(self, hand: int) -> str:
        return hashlib.sha256(f"{self.player} {hand}".encode()).hexdigest()[:32]

    async def bind(self) -> None:
        await self.until(lambda: "commit-seed" in self.view["may"])
        fair_view = self.view["fair"]
        bound = fair.commitment(fair_view["name"], self.view["you"], self.seed(fair_view["hand"]))
        kept = await self.ask(protocol.CommitSeed, hand=fair_view["hand"], commitment=bound)
        assert kept["type"] == "kept", kept

    async def tell(self) -> None:
        await self.until(lambda: "open-seed" in self.view["may"])
        hand = self.view["fair"]["hand"]
        assert (await self.ask(protocol.OpenSeed, hand=hand, seed=self.seed(hand)))["type"] == "kept"


def seen(ear: Ear) -> set[str]:
    sides = ear.view["hand"]["players"]
    rows = [side["board"][row] for side in sides for row in ("top", "middle", "bottom")]
    return {card for cards in rows for card in cards} | {
        card for side in sides for card in (*side["dealt"], *side["discards"])
    }


async def at_a_table(live: Live) -> list[Prover]:
    """Two people who check what they see, and one who looks on; a hand is dealt, by the seeds of both."""
    room = await live.open(RULES)
    ears: list[Prover] = []
    for name in ("ann", "bob"):
        await live.come(room, name)  # a guest whom the store knows
        ear = Prover(name, room)
        room.join(ear)
        assert (await ear.ask(protocol.Sit))["type"] == "kept"
        ears.append(ear)
    eve = Prover(None, room)
    room.join(eve)
    for ear in ears:
        await ear.bind()
    for ear in ears:
        assert (await ear.ask(protocol.Ready, hand=1))["type"] == "kept"
    assert room.table.hand is None
    for ear in ears:
        await ear.tell()
    for ear in [*ears, eve]:
        await ear.until(lambda ear=ear: ear.view["phase"] == "laying")  # type: ignore[misc]
    return [*ears, eve]


async def play(ears: list[Prover]) -> None:
    """Lay what is to be laid, in order of receipt, and check at each step that what is seen can be checked."""
    room = ears[0].room
    while room.table.laying:
        acts = next(ear for ear in ears if "confirm" in ear.view["may"])
        assert (await acts.lay())["type"] == "kept"
        version = room.version
        for ear in ears:
            await ear.until(lambda ear=ear, least=version: ear.version >= least)  # type: ignore[misc]
            await ear.until(lambda ear=ear: checked(ear) >= seen(ear))  # type: ignore[misc]


def checked(ear: Prover) -> set[str]:
    """The cards that were proved to him; raises `BadProof` where one of the proofs is wrong."""
    found = set[str]()
    for proof in ear.opened:
        fair.verify(fair.encode(proof))
        found |= {str(card.card) for card in proof.cards}
    return found


def test_each_viewer_can_check_every_card_he_sees_as_it_comes_and_learns_of_no_other(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        table = ears[0].room.table
        assert table.hand is not None
        everything = set(map(str, table.hand.deck))
        await play(ears)
        for ear in ears:
            assert checked(ear) == seen(ear)
            assert checked(ear) < everything
            (proof, *_) = ear.opened
            assert proof.root == table.sealed.root if table.sealed else None
            assert {seed.seat: seed.seed for seed in proof.seeds} == {0: ears[0].seed(1), 1: ears[1].seed(1)}

    in_a_room(path, body)


def test_a_room_that_proves_what_is_not_seen_is_caught(path: Path) -> None:
    def all_cards(view: HandView) -> frozenset[Card]:
        return cards_seen(view) | set(told)

    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        hand = ears[0].room.table.hand
        assert hand is not None
        told.append(hand.deck[26 + 7])  # the second player throws it away on the second street
        await play(ears)
        assert all(checked(ear) == seen(ear) for ear in ears)

    told: list[Card] = []
    with patch.object(module, "cards_seen", all_cards), pytest.raises((AssertionError, ValueError, ExceptionGroup)):
        in_a_room(path, body)


def test_who_comes_back_in_mid_hand_is_proved_everything_anew(path: Path) -> None:
    async def body(live: Live) -> None:
        ann, bob, eve = await at_a_table(live)
        ears = [ann, bob, eve]
        first = next(ear for ear in ears if "confirm" in ear.view["may"])
        await first.lay()
        again = Prover(first.player, first.room, window=first.window)
        first.room.join(again)
        await again.until(lambda: again.heard and checked(again) >= seen(again))

    in_a_room(path, body)


def test_a_seed_that_is_not_told_counts_as_none_and_holds_nobody_up_for_long(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(RULES)
        ears: list[Prover] = []
        for name in ("ann", "bob"):
            await live.come(room, name)
            ears.append(Prover(name, room))
            room.join(ears[-1])
            await ears[-1].ask(protocol.Sit)
        for ear in ears:
            await ear.bind()
        for ear in ears:
            await ear.ask(protocol.Ready, hand=1)
        await ears[0].tell()
        assert not room.table.laying
        live.pass_time(2)
        await ears[0].until(lambda: ears[0].view["phase"] == "laying")
        await ears[0].until(lambda: ears[0].opened)
        assert [(seed.seat, seed.seed) for seed in ears[0].opened[0].seeds] == [(0, ears[0].seed(1)), (1, None)]
        late = await ears[1].ask(protocol.OpenSeed, hand=1, seed=ears[1].seed(1))
        assert late["code"] == "no-seed"

    in_a_room(path, body)


def test_the_proof_of_a_finished_hand_is_right_for_each_and_shows_to_each_what_he_may_know(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        await play(ears)
        found, _ = await Archive(live.store).hand("table", 1)
        for ear in ears:
            proof = fair.verify(found.proof_for("table", ear.player))
            assert {str(card.card) for card in proof.cards} == seen(ear)
            assert len(proof.others) == 6
            assert {told.hand for told in ear.opened} == {proof.hand}

    in_a_room(path, body)


def test_the_decks_of_the_next_hand_are_made_while_this_one_is_played(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        room = ears[0].room
        assert room._seal_ahead is not None
        number, making = room._seal_ahead
        seal = await making
        assert (number, room.table.sealed) == (2, room.table.dealt_from), "nobody is told of them before it is over"
        await play(ears)
        await ears[0].until(lambda: ears[0].view["fair"]["hand"] == 2)
        assert ears[0].view["fair"]["root"] == seal.root

    in_a_room(path, body)


def test_a_room_that_has_no_decks_ready_makes_them_when_they_are_due(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        room = ears[0].room
        assert room._seal_ahead is not None
        ahead = await room._seal_ahead[1]
        room._seal_ahead = 7, room._seal_ahead[1]  # of a hand that will not come about
        await play(ears)
        await ears[0].until(lambda: ears[0].view["fair"]["hand"] == 2)
        assert ears[0].view["fair"]["root"] != ahead.root

    in_a_room(path, body)


def test_decks_that_wait_for_other_tables_are_made_at_once_when_they_are_due(path: Path) -> None:
    async def body(live: Live) -> None:
        ears = await at_a_table(live)
        room = ears[0].room
        never = asyncio.create_task(asyncio.Event().wait())  # this table's turn, which does not come
        room._seal_ahead, room._seal_begun = (2, never), 0  # type: ignore[assignment]
        await play(ears)
        await ears[0].until(lambda: ears[0].view["fair"]["hand"] == 2)
        assert never.cancelled()

    in_a_room(path, body)


def test_the_name_of_a_hand_leads_neither_to_its_table_nor_to_another_hand_of_it(path: Path) -> None:
    async def body(live: Live) -> None:
        room = await live.open(RULES)
        seals = [await room._seal(1) for _ in range(2)]
        names = {hand_id("table", 1, seal.alias) for seal in seals}
        assert all(re.fullmatch("[0-9a-f]{16}/1", name) for name in names)
        assert len(names | {hand_id("table", 1)}) == 3

    in_a_room(path, body)


def test_a_name_that_is_made_of_the_table_or_stays_the_same_would_be_caught(path: Path) -> None:
    for number, alias in enumerate(("", "0123456789abcdef")):
        drawn = patch.object(secrets, "token_hex", return_value=alias)
        with drawn, pytest.raises((AssertionError, ExceptionGroup)):
            test_the_name_of_a_hand_leads_neither_to_its_table_nor_to_another_hand_of_it(
                path.with_name(f"{number}.sqlite")
            )


def test_after_a_restart_the_same_cards_are_dealt_and_proved(path: Path) -> None:
    told: dict[str, set[str]] = {}

    async def begin(live: Live) -> None:
        ears = await at_a_table(live)
        for ear in ears:
            await ear.until(lambda ear=ear: checked(ear) >= seen(ear))  # type: ignore[misc]
            told[str(ear.player)] = checked(ear)

    async def go_on(live: Live) -> None:
        room = await live.rooms.get("table")
        for name in ("ann", "bob", None):
            ear = Prover(name, room)
            room.join(ear)
            await ear.until(lambda ear=ear: ear.heard and checked(ear) >= seen(ear))  # type: ignore[misc]
            assert checked(ear) == told[str(name)]

    in_a_room(path, begin)
    in_a_room(path, go_on)
