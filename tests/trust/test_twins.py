"""Nobody can tell two worlds apart that differ only in what he cannot know; and whatever would let him is found."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import msgspec
import pytest
import structlog
from msgspec.structs import replace

import ananas.table.decide
from ananas import protocol
from ananas.bots.play import answer
from ananas.coach import review
from ananas.coach.report import HandReview
from ananas.game.board import Placement
from ananas.game.cards import DECK, Card, print_cards
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory
from ananas.game.view import HandView, PlayerView, view_hand
from ananas.protocol import HandReplay, View
from ananas.refused import Refused
from ananas.server import app, archive, room, store
from ananas.server.drafts import Drafts
from ananas.server.histories import FinishedHand, every_hand, one_hand
from ananas.server.links import SharedHands
from ananas.server.replays import replay
from ananas.server.room import BOT, Room
from ananas.server.store import Share
from ananas.server.viewers import Viewer
from ananas.table.state import Table
from ananas.table.view import Live, TableView, view_table
from tests.trust.twins import KINDS, NOBODY, Kind, Leak, Plan, Record, Session, World, compare, hold, plain, swaps_of

# -- the law


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", KINDS)
def test_nobody_can_tell_two_worlds_apart_that_differ_in_what_he_cannot_know(name: str) -> None:
    """A session of fifty hands, and four twins of it."""
    kind = KINDS[name]
    assert compare(kind.plan._replace(seed=f"ci/0/{name}"), kind.owned) == 200


def _play(plan: Plan) -> Record:
    async def play() -> Record:
        with tempfile.TemporaryDirectory() as folder:
            async with World(plan).open(Path(folder)) as world:
                return await Session(world).play()

    return asyncio.run(play())


def test_a_session_is_rich_enough_to_tell_anything() -> None:
    """What is compared holds everything that it is meant to hold; else there would be nothing to find."""
    record = _play(KINDS["people and a bot"].plan._replace(seed="rich", hands=12, looks=2))
    everything = {who: b"\n".join(told) for who, told in record.told.items()}
    together = b"\n".join(everything.values())
    for what in (b'"opened"', b'"refused"', b"AutoPlaced", b'"draft":"', b".ofc", b"/review", b"/shared/", b"gzip"):
        assert what in together, what
    assert {"ann", "bob", "eve", "kiwi", NOBODY} <= {who.partition(" by ")[0] for who in everything}
    assert any(any(hand.fantasyland) for hand in record.hands.values())
    assert sum(told.startswith(b"asks ") for told in record.told["kiwi"]) > 20


def test_a_bot_decides_the_same_in_both_worlds() -> None:
    """The bots of the room themselves, beside those of the test that think by every byte."""
    record = _play(KINDS["people and a bot"].plan._replace(seed="bots", hands=2))
    swaps = swaps_of(record, {"bob"}, "bots")
    assert len(swaps) == 2
    messages = msgspec.json.Decoder(View)
    turns = 0
    for told in dict.fromkeys(told for told in record.told["kiwi"] if told.startswith(b'{"type":"view"')):
        message = messages.decode(told)
        if "confirm" not in message.view.may or turns == 4:
            continue
        assert message.view.fair is not None
        other = replace(message, view=replace(message.view, fair=replace(message.view.fair, root="0" * 64)))
        assert plain(protocol.encode(other)) == plain(told)
        assert answer(protocol.encode(other)) == answer(told)
        turns += 1
    assert turns == 4


# -- planted leaks: each is caught

Plant = Callable[[], AbstractContextManager[object]]

SEALED: Final = Kind(KINDS["people and a bot"].plan._replace(hands=2, looks=1, slow=5), (frozenset({"ann"}),))
OPEN: Final = Kind(SEALED.plan._replace(sealed=False), SEALED.owned)
BESIDE_BOTS: Final = Kind(
    KINDS["one beside bots"].plan._replace(hands=2, looks=1, slow=5, sealed=False),
    (frozenset({"kiwi"}), frozenset({"mango"})),
)


def thrown(hand: Hand) -> tuple[Card, ...]:
    """What has been thrown away so far."""
    return tuple(card for laid in hand.placements for placement in laid for card in placement.discards)


def weight(hand: Hand | None) -> int:
    """A small number that depends on what was thrown away."""
    return 0 if hand is None else sum(DECK.index(card) * (place + 1) for place, card in enumerate(thrown(hand))) % 53


def shown(change: Callable[[Table, str | None, TableView], TableView]) -> Plant:
    """Everybody is shown the table with a change."""

    def show(table: Table, viewer: str | None, now: int, live: Live, *rest: Any) -> TableView:  # noqa: ANN401
        return change(table, viewer, view_table(table, viewer, now, live, *rest))

    return lambda: patch.object(room, "view_table", show)


def players(change: Callable[[Hand, int, PlayerView], PlayerView]) -> Callable[..., TableView]:
    """Every side of the hand is shown with a change."""

    def changed(table: Table, _: str | None, view: TableView) -> TableView:
        if view.hand is None or table.hand is None:
            return view
        sides = tuple(change(table.hand, player, side) for player, side in enumerate(view.hand.players))
        return replace(view, hand=replace(view.hand, players=sides))

    return changed


def the_slot_of_the_discard(hand: Hand, player: int, side: PlayerView) -> PlayerView:
    laid = [placement for placement in hand.placements[player] if placement.discards]
    return replace(side, discard_count=sorted(laid[-1].cards).index(laid[-1].discards[0])) if laid else side


def what_a_spectator_sees(table: Table, viewer: str | None, view: TableView) -> TableView:
    if viewer is not None or table.hand is None:
        return view
    return replace(view, hand=view_hand(table.hand, table.last_dealt, table.hand.seats[0], {}))


def what_a_bot_sees(table: Table, viewer: str | None, view: TableView) -> TableView:
    if viewer is None or not viewer.startswith(BOT) or view.hand is None or table.hand is None:
        return view
    return replace(view, hand=replace(view.hand, button=weight(table.hand)))


def another_length() -> AbstractContextManager[object]:
    written = Room._written

    def longer(here: Room, view: TableView, *, elsewhere: bool) -> bytes:
        return written(here, view, elsewhere=elsewhere) + b" " * weight(here.table.hand)

    return patch.object(Room, "_written", longer)


def a_log_line() -> AbstractContextManager[object]:
    keep = Room._decide_and_keep

    async def tell(here: Room, *args: Any) -> Any:  # noqa: ANN401
        kept = await keep(here, *args)
        structlog.get_logger().info("kept", size=weight(here.table.hand))
        return kept

    return patch.object(Room, "_decide_and_keep", tell)


def an_error() -> AbstractContextManager[object]:
    check = Hand._check

    def tell(hand: Hand, player: int, placement: Placement) -> Any:  # noqa: ANN401
        try:
            return check(hand, player, placement)
        except Refused as reason:
            if reason.code != "cards-not-yours":
                raise
            rest = [card for card in hand.deck if card not in hand.dealt(player)]
            raise Refused("cards-not-yours", cards=print_cards(rest), dealt="") from None

    return patch.object(Hand, "_check", tell)


def a_cache() -> AbstractContextManager[object]:
    known: dict[Any, str] = {}
    write = one_hand

    def cached(found: FinishedHand, player: str | None) -> str:
        return known.setdefault((found.number, found.hand), write(found, player))

    return patch("ananas.server.api.one_hand", cached)


def a_frame_at_the_return() -> AbstractContextManager[object]:
    join = Room.join

    def show(here: Room, viewer: Viewer) -> None:
        join(here, viewer)
        if here.table.hand is not None:
            view = view_table(here.table, here.table.players[0], here._now, Live())
            viewer.offer(here._written(view, elsewhere=False))

    return patch.object(Room, "join", show)


def a_draft(table: Table, viewer: str | None, now: int, live: Live, *rest: Any) -> TableView:  # noqa: ANN401
    view = view_table(table, viewer, now, live, *rest)
    if view.hand is None:
        return view
    sides = tuple(
        replace(side, draft=str(live.drafts[side.seat])) if side.seat in live.drafts else side
        for side in view.hand.players
    )
    return replace(view, hand=replace(view.hand, players=sides))


def what_was_taken_back() -> AbstractContextManager[object]:
    """A draft in place of another one brings the others a frame, if the one before had this card in it."""
    put = Drafts.put

    def tell(drafts: Drafts, table: Table, player: str, message: protocol.Draft, now: int) -> bool:
        lay_before = list(drafts._by_seat.values())
        in_the_open = put(drafts, table, player, message, now)
        cards = [card for _, placement in lay_before for card in placement.cards]
        return in_the_open or (sum(map(DECK.index, cards)) % 2 == 1)

    return patch.object(Drafts, "put", tell)


def rows_and_discards(_: Hand, __: int, placement: Placement) -> str:
    return str(placement)


def a_public_row() -> AbstractContextManager[object]:
    def split(events: Sequence[Any]) -> tuple[bytes, bytes | None]:
        _, hidden = keep_apart(events)
        return msgspec.json.encode(events), hidden

    keep_apart = store._split
    return patch.object(store, "_split", split)


def an_opened_card() -> AbstractContextManager[object]:
    prove = room._Proofs.of

    def open_more(proofs: room._Proofs, cards: frozenset[Card]) -> bytes:
        return prove(proofs, cards | {*proofs._dealt.deck[5:8], *proofs._dealt.deck[22:25]})

    return patch.object(room._Proofs, "of", open_more)


def a_leaf() -> AbstractContextManager[object]:
    """The leaves are told by the order of the cards in them, and not as they lie."""
    prove = room._Proofs.of

    def number(proofs: room._Proofs, cards: frozenset[Card]) -> bytes:
        message = msgspec.json.decode(prove(proofs, cards), type=protocol.OpenedCards)
        ranks = sorted(proofs._dealt._where.items())
        leaves = {card: sum(where < place for _, where in ranks[:26]) for card, place in ranks}
        opened = tuple(replace(card, leaf=leaves[card.card]) for card in message.proof.cards)
        return protocol.encode(replace(message, proof=replace(message.proof, cards=opened)))

    return patch.object(room._Proofs, "of", number)


def a_hint() -> AbstractContextManager[object]:
    allowed = Room.for_a_hint

    def more(here: Room, player: str | None) -> HandView:
        view = allowed(here, player)
        assert here.table.hand is not None
        return replace(view, button=weight(here.table.hand))

    return patch.object(Room, "for_a_hint", more)


def a_careful_layout() -> AbstractContextManager[object]:
    """What the table lays for somebody depends on what others have thrown away."""
    seen_by = view_hand

    def more(hand: Hand, *args: Any) -> HandView:  # noqa: ANN401
        return replace(seen_by(hand, *args), button=weight(hand))

    return patch("ananas.server.room.view_hand", more)


def a_review() -> AbstractContextManager[object]:
    assemble = review.assemble

    def more(hand: Hand, *args: Any, **named: Any) -> HandReview:  # noqa: ANN401
        return replace(assemble(hand, *args, **named), showdown=float(weight(hand)))

    return patch.object(review, "assemble", more)


def a_replay() -> AbstractContextManager[object]:
    show = replay

    def as_the_first(found: FinishedHand, player: str | None, **named: Any) -> HandReplay:  # noqa: ANN401
        return replace(show(found, found.players[0], **named), you=found.seat_of(player))

    return patch("ananas.server.api.replay", as_the_first)


def a_download() -> AbstractContextManager[object]:
    told = FinishedHand.seen_by

    def as_the_first(found: FinishedHand, _: str | None) -> HandHistory:
        return told(found, found.players[0])

    return patch.object(FinishedHand, "seen_by", as_the_first)


def a_whole_evening() -> AbstractContextManager[object]:
    write = every_hand

    def as_anybody(events: Sequence[Any], player: str | None) -> str:
        return write(events, player or next(event.player for event in events if getattr(event, "name", "") == "Ann"))

    return patch("ananas.server.archive.every_hand", as_anybody)


def a_shared_link() -> AbstractContextManager[object]:
    lead, last = SharedHands.behind, list[Share]()

    async def as_the_last(links: SharedHands, token: str) -> Share:
        share = await lead(links, token)
        last.append(share)
        others = [each for each in last if (each.hand, each.table_id) == (share.hand, share.table_id) and each.player]
        return share._replace(player=others[-1].player if others else share.player)

    return patch.object(SharedHands, "behind", as_the_last)


def a_header() -> AbstractContextManager[object]:
    read, last = archive.Archive.hand, [0]

    async def remember(here: archive.Archive, table_id: str, number: int) -> tuple[FinishedHand, int]:
        found = await read(here, table_id, number)
        last[0] = weight(found[0].hand)
        return found

    def as_long(*_: object) -> str:
        return f"private, max-age={last[0]}"

    stack = ExitStack()
    stack.enter_context(patch.object(archive.Archive, "hand", remember))
    stack.enter_context(patch.object(app, "_cache", as_long))
    return stack


def a_status() -> AbstractContextManager[object]:
    read = archive.Archive.hand

    async def refuse(here: archive.Archive, table_id: str, number: int) -> tuple[FinishedHand, int]:
        found = await read(here, table_id, number)
        if weight(found[0].hand) % 2:
            raise Refused("no-such-hand")
        return found

    return patch.object(archive.Archive, "hand", refuse)


PLANTS: Final[dict[str, tuple[Kind, Plant]]] = {
    "sorted slot": (OPEN, shown(players(the_slot_of_the_discard))),
    "length": (OPEN, another_length),
    "log line": (OPEN, a_log_line),
    "spectator": (OPEN, shown(what_a_spectator_sees)),
    "error text": (OPEN, an_error),
    "cache": (OPEN, a_cache),
    "bot": (OPEN, shown(what_a_bot_sees)),
    "reconnect frame": (OPEN, a_frame_at_the_return),
    "draft": (OPEN, lambda: patch.object(room, "view_table", a_draft)),
    "undo": (OPEN, what_was_taken_back),
    "public log": (OPEN, lambda: patch.object(ananas.table.decide, "_rows", rows_and_discards)),
    "public row": (OPEN, a_public_row),
    "opened card": (SEALED, an_opened_card),
    "leaf": (SEALED, a_leaf),
    "hint": (BESIDE_BOTS, a_hint),
    "careful layout": (BESIDE_BOTS, a_careful_layout),
    "review": (OPEN, a_review),
    "replay": (OPEN, a_replay),
    "download": (OPEN, a_download),
    "evening": (OPEN, a_whole_evening),
    "shared link": (OPEN._replace(owned=(frozenset({"bob"}),)), a_shared_link),
    "header": (OPEN, a_header),
    "status": (OPEN, a_status),
}


def look_for_leaks(kind: Kind, plant: Plant | None, sessions: int = 10) -> None:
    for number in range(sessions):
        with ExitStack() as stack:
            if plant is not None:
                stack.enter_context(plant())
            compare(kind.plan._replace(seed=f"planted {number}"), kind.owned)


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_leak_is_caught(name: str) -> None:
    kind, plant = PLANTS[name]
    with pytest.raises(Leak):
        look_for_leaks(kind, plant)


@pytest.mark.parametrize("kind", [OPEN, SEALED, BESIDE_BOTS], ids=["open", "sealed", "beside bots"])
def test_without_a_plant_there_is_nothing_to_catch(kind: Kind) -> None:
    look_for_leaks(kind, None, sessions=1)


def test_the_allowed_difference_is_hashes_alone() -> None:
    record = _play(SEALED.plan._replace(seed="hashes", hands=1))
    assert record.told
    other = record._replace(told={**record.told, "ann by ann": [*record.told["ann by ann"][:-1], b"something else"]})
    with pytest.raises(Leak, match="ann by ann"):
        hold(record, other, {"bob"}, SEALED.plan)
    hold(record, other, {"ann"}, SEALED.plan)
    hashes = b'{"root":"%b","salt":"%b","path":["%b","%b"]}' % (b"a" * 64, b"b" * 32, b"c" * 64, b"d" * 64)
    assert plain(hashes) == b'{#,"salt":"%b",#}' % (b"b" * 32)
