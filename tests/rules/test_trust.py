"""The rule book, chapters 19 and 20: when something fails, and how cards are shuffled."""

from __future__ import annotations

from ananas import fair
from ananas.game.rules import CLUB, ROOM
from ananas.game.view import cards_seen
from ananas.server.room import FAULTS, LAG_EVERY_MS, SLOW_MS
from ananas.server.time import STALL_SECONDS
from ananas.table.clock import deadline
from ananas.table.commands import Confirm, Deal, Lag, OpenSeed, Ready, Seal, Stall, TimeOut
from ananas.table.decide import to_be_dealt
from ananas.table.events import DeckSealed, HandCalled, HandDealt, HandVoided
from ananas.table.seeds import drawn, hand_id, unsealed
from ananas.table.state import needs_deck, to_be_sealed
from tests.rules.book import LEGAL, PLAIN, Evening, refused, shown, shown_hand
from tests.server.test_histories import read
from tests.table.play import Play, commit_seed, hexadecimal, legal, open_seed
from tests.trust.test_races import behind_a_slow_write

SECOND = 1000


def left(play: Play, player: str) -> tuple[int, int]:
    """A player's time for the hand and his bank, in milliseconds, as they are now."""
    seat = play.seat(player)
    clock = seat.clock.at(play.table.time(play.now), connected=seat.connected)
    return clock.hand_ms, clock.bank_ms


def started(players: str = "ann bob cyd") -> Play:
    """A first hand, in which Bob is the first to act."""
    play = Play(ROOM, players)
    play.ready(*players.split())
    return play


# -- 19. When something fails


def test_19_1_several_lost_at_once() -> None:
    for apart, stands in ((5, True), (6, False)):
        play = started()
        play.disconnect("bob")
        play.now += apart * SECOND
        play.disconnect("cyd")
        assert (shown(play, None).held == "lost") == stands
    for back in (True, False):
        play = started()
        play.now += 10 * SECOND
        play.disconnect("bob", "cyd")
        assert shown(play, "ann").notices[-1].what == "held"
        confirm = Confirm(player="bob", hand=1, street=1, placement=legal(play.hand, 0))
        assert refused(play, confirm) == "held"
        play.now += 30 * SECOND
        play.connect("cyd")
        assert shown(play, "ann").held_ms == 30 * SECOND
        if back:
            play.connect("bob")
        else:
            play.now += 30 * SECOND
            play.ask(TimeOut())
        view = shown(play, "ann")
        assert (view.held, view.notices[-1].what) == (None, "hold-over")
        assert left(play, "bob") == (110 * SECOND, 180 * SECOND)
        play.disconnect("ann", "cyd")
        assert shown(play, None).held is None


def test_19_2_the_room_was_away() -> None:
    short = started()
    short.now += 10 * SECOND
    short.outage(599)
    assert shown(short, None).notices[-1].what == "resumed"
    assert (shown(short, None).held, left(short, "bob")) == (None, (110 * SECOND, 180 * SECOND))
    for all_back in (True, False):
        play = started()
        play.now += 10 * SECOND
        play.disconnect("cyd")
        play.now += 10 * SECOND
        play.outage(600)
        assert (shown(play, None).held, shown(play, None).held_ms) == ("outage", 60 * SECOND)
        play.connect("ann")
        play.now += 59 * SECOND
        if all_back:
            play.connect("bob")  # Cyd was not there before either
            assert (shown(play, None).phase, left(play, "bob")) == ("laying", (100 * SECOND, 180 * SECOND))
            continue
        play.time_out()
        assert (shown(play, None).phase, shown(play, None).notices[-1].what) == ("waiting", "voided-outage")
    one = started()
    one.now += 10 * SECOND
    one.outage(600)
    one.connect("ann", "cyd")
    one.now += 60 * SECOND
    one.ask(TimeOut())
    assert (shown(one, None).phase, shown(one, None).held) == ("laying", None)
    one.now += 5 * SECOND
    assert left(one, "bob") == (110 * SECOND, 175 * SECOND)
    stuck = started()
    ends = deadline(stuck.table)
    stuck.ask(Stall(lost_ms=1500))
    assert (STALL_SECONDS, deadline(stuck.table), shown(stuck, None).notices[-1].what) == (1, ends, "stalled")


def test_19_3_a_hand_that_does_not_count() -> None:
    assert FAULTS == 3
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    play.void()
    view = shown(play, None)
    assert (view.phase, view.hand, view.match, view.notices[-1].what) == ("waiting", None, None, "voided-fault")
    assert not any(seat.ready for seat in view.seats if seat)
    assert [(voided.number, voided.reason) for voided in read(play.log).listed("t1", None).voided] == [(1, "fault")]

    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    play.lay_all()
    before = play.table
    play.go_on("ann", "bob")
    play.now += 150 * SECOND
    play.lay_next(play.acting[0])
    play.void()
    after = play.table
    for same in ("rights", "button", "circle", "match", "hand"):
        assert getattr(after, same) == getattr(before, same), same
    for (_, now), (_, then) in zip(after.seated, before.seated, strict=True):
        assert (now.stack, now.clock.bank_ms) == (then.stack, then.clock.bank_ms)
    assert (shown(play, None).phase, shown(play, None).showdown_ms) == ("pause", 1000 * ROOM.showdown_seconds)
    play.go_on("ann", "bob")
    last, voided = [event for event in reversed(play.log) if isinstance(event, HandDealt)][:2]
    assert (last.hand, last.fantasyland) == (3, voided.fantasyland)
    assert last.hidden != voided.hidden
    assert sum(isinstance(event, HandVoided) for event in play.log) == 1
    play.void()
    match = shown(play, None).match
    assert match is not None
    assert (match.over, match.lapsed, play.table.rights) == (True, "voided", {})
    assert [(now.stack, then.stack) for (_, now), (_, then) in zip(play.table.seated, before.seated, strict=True)]


def test_19_4_a_slow_connection() -> None:
    for lag, credit in ((400, 400), (1000, 1000), (30_000, 1000)):
        play = started("ann bob")
        play.ask(Lag(player="ann", ms=lag))
        assert [seat.lag_ms for seat in shown(play, None).seats if seat] == [lag, 0]
        play.confirm()
        play.now += 5 * SECOND
        assert left(play, "ann") == (115 * SECOND + credit, 180 * SECOND)
    club = Play(ROOM.but({"deal": "5,1,1,1,1,1,1,1,1", "place": "5,1,1,1,1,1,1,1,1"}), "ann bob")
    club.ask(Lag(player="ann", ms=30_000))
    club.ready("ann", "bob")
    for move in range(18):
        club.now += 2 * SECOND if club.acting == ("ann",) and move > 1 else 0
        club.confirm()
    assert left(club, "ann") == (120 * SECOND - 8 * 2 * SECOND + 7 * SECOND, 180 * SECOND)
    assert LAG_EVERY_MS == 5 * SECOND
    for rules, streets in ((CLUB, "open"), (ROOM, "face down")):
        play = Evening(rules.but({"buy_in": "50-100"}), "ann bob", {0: PLAIN, 1: LEGAL})
        play.ready("ann", "bob")
        play.lay_all()
        play.ask(Lag(player="ann", ms=400))
        play.go_on("ann", "bob")
        play.confirm(player="bob")
        assert play.acting == ("ann",)
        assert play.hand.face_down(play.table.players.index("ann")) == (streets == "face down")
        for _ in range(2):
            play.now += 1 * SECOND
            play.confirm(player="ann")
        used = 2 * SECOND - (2 if streets == "open" else 1) * 400
        assert left(play, "ann")[0] == 1000 * rules.hand_seconds - used
    away = started("ann bob")
    away.ask(Lag(player="ann", ms=1000))
    away.disconnect("ann")
    away.confirm()
    assert deadline(away.table) == away.now + 300 * SECOND


def test_19_5_a_move_that_waits() -> None:
    assert SLOW_MS == SECOND / 10
    for number in range(4):
        behind_a_slow_write(number, "rules")


# -- 20. The shuffle

MASTER = hexadecimal("what all decks are made from", 64)


def sealed() -> Play:
    """A table at which the true decks of hand 1 are sealed, and Ann and Bob are bound."""
    play = Play(ROOM, "ann bob")
    play.ask(Seal(master=MASTER, root=fair.seal(hand_id("t1", 1), bytes.fromhex(MASTER))))
    for player in ("ann", "bob"):
        play.ask(commit_seed(play.table, player))
    return play


def dealt(*opened: str) -> tuple[Play, fair.Sealed]:
    """Hand 1, dealt as a room deals it after these have told their numbers."""
    play = sealed()
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    for player in opened:
        play.ask(open_seed(play.table, player))
    if not needs_deck(play.table):
        play.now += 1500
        play.ask(TimeOut())
    table = play.table
    assert table.sealed is not None
    lot = drawn(table.id, table.sealed, table.called)
    cards = unsealed(table.id, table.sealed, table.rules, *to_be_dealt(table, lot))
    play.ask(Deal(deck=cards.deck, lot=lot))
    return play, cards


def test_20_1_sealed_decks() -> None:
    assert fair.DECKS == 64
    play = sealed()
    kinds = [type(event) for event in play.log]
    assert HandCalled not in kinds
    assert kinds.count(DeckSealed) == 1
    view = shown(play, None).fair
    assert view is not None
    assert (view.hand, view.root) == (1, fair.seal(hand_id("t1", 1), bytes.fromhex(MASTER)))
    assert to_be_sealed(play.table) is None
    other = hexadecimal("another master", 64)
    assert play.ask(Seal(master=other, root=fair.seal(hand_id("t1", 1), bytes.fromhex(other)))) == ()


def test_20_2_the_players_part() -> None:
    early = Play(ROOM, "ann bob")
    assert refused(early, commit_seed(early.table, "ann")) == "no-seed"
    play = sealed()
    assert refused(play, open_seed(play.table, "ann", 1)) == "no-seed"
    play.ready("ann", "bob")
    assert deadline(play.table) == play.now + 1500
    assert refused(play, OpenSeed(player="ann", hand=1, seed=open_seed(play.table, "bob").seed)) == "other-seed"
    play.open("ann")
    play.now += 1500
    assert refused(play, open_seed(play.table, "bob")) == "no-seed"
    play.time_out()
    view = shown(play, None).fair
    assert view is not None
    assert [(seed.seat, seed.seed is None) for seed in view.seeds] == [(0, False), (1, True)]


def test_20_3_chosen_by_all_together() -> None:
    hands = [dealt(*opened) for opened in ((), ("ann",), ("bob",), ("ann", "bob"))]
    assert len({cards.deck for _, cards in hands}) == 4
    assert len({cards.index for _, cards in hands}) > 1
    play, cards = dealt("ann", "bob")
    again, _ = dealt("bob", "ann")
    assert again.hand.deck == play.hand.deck == cards.deck
    assert again.table.button == play.table.button
    play.void()
    match = shown(play, None).match
    assert (play.table.button, match) == (None, None)


def test_20_4_every_card_seen_can_be_checked() -> None:
    play, cards = dealt("ann", "bob")
    while play.table.laying:
        play.confirm()
    for viewer in ("ann", None):
        seen = cards_seen(shown_hand(play, viewer))
        assert len(seen) == (30 if viewer else 26)
        proof = fair.verify(fair.encode(cards.proof(seen, over=True)))
        view = shown(play, viewer).fair
        assert view is not None
        assert proof.root == view.root
        assert {card.card for card in proof.cards} == {str(card) for card in seen}
