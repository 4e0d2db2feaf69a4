"""The players' part in the shuffle: bound before the hand is called, opened right after, and nobody waits for long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec
import pytest
from msgspec.structs import replace

import ananas.table.decide
import ananas.table.evolve
import ananas.table.view
from ananas import fair
from ananas.refused import Refused
from ananas.table.clock import deadline
from ananas.table.commands import Break, CommitSeed, Deal, Leave, OpenSeed, Ready, Seal, SitOut, TimeOut
from ananas.table.decide import to_be_dealt
from ananas.table.events import (
    AnyEvent,
    DeckSealed,
    HandCalled,
    HandDealt,
    SeedCommitted,
    SeedOpened,
    SeedsClosed,
)
from ananas.table.evolve import OPEN_AFTER_OUTAGE_MS, OPEN_MS, evolve
from ananas.table.seeds import drawn, hand_id, seeds_of, unsealed
from ananas.table.state import Table, needs_deck, to_be_sealed
from ananas.table.view import Live, TableView, view_table, who_notices
from tests.table.play import Play, commit_seed, hexadecimal, open_seed, seal, seed_of, split
from tests.table.positions import THREE, bound, laying, sealed, seated


def kinds(events: tuple[AnyEvent, ...]) -> list[type[AnyEvent]]:
    return [type(event) for event in events]


def refused(play: Play, command: CommitSeed | OpenSeed) -> str:
    with pytest.raises(Refused) as caught:
        play.ask(command)
    return caught.value.code


# -- the seal


def test_every_hand_is_sealed_before_anybody_can_be_bound_and_once() -> None:
    play = Play(THREE)
    assert to_be_sealed(play.table) is None, "nobody sits here"
    play.sit("bot:0")
    assert to_be_sealed(play.table) is None, "bots alone play no hand"
    play.sit("ann")
    assert to_be_sealed(play.table) == 1
    assert refused(play, commit_seed(play.table, "ann")) == "no-seed"
    play.seal()
    root = play.table.sealed and play.table.sealed.root
    assert to_be_sealed(play.table) is None
    assert play.ask(replace(seal(play.table), root="0" * 64)) == ()
    assert play.table.sealed is not None
    assert play.table.sealed.root == root, "what was published stays"
    play.ready("ann", "bot:0")
    play.finish()
    assert to_be_sealed(play.table) == 2


def test_a_hand_that_does_not_count_uses_its_seal_up() -> None:
    play = bound()
    play.open("ann", "bob")
    play.void()
    assert to_be_sealed(play.table) == 2
    assert refused(play, commit_seed(play.table, "ann", 1)) == "no-seed"
    play.bind("ann")
    assert play.table.sealed is not None
    assert (play.table.sealed.hand, set(play.table.sealed.seeds)) == (2, {0})


# -- binding and opening


def waits_for_a_moment() -> None:
    play = bound()
    assert (deadline(play.table), needs_deck(play.table)) == (play.now + 1500, False)
    play.now += 1499
    assert play.ask(TimeOut()) == ()
    play.open("ann")
    assert deadline(play.table) == play.now + 1, "one who opens makes it no longer"
    play.now += 1
    assert kinds(play.ask(TimeOut())) == [SeedsClosed]
    assert needs_deck(play.table)
    play.deal_if_owed()
    dealt = play.table.dealt_from
    assert dealt is not None
    assert [(seed.seat, seed.seed) for seed in seeds_of(dealt, (0, 1))] == [(0, seed_of("ann", 1)), (1, None)]


def test_a_hand_waits_for_seeds_a_second_and_a_half_at_the_most() -> None:
    waits_for_a_moment()


def test_it_waits_for_nobody_who_is_not_bound_and_goes_on_when_all_are_open() -> None:
    play = seated()
    play.seal()
    play.ready("ann", "bob")
    assert play.table.laying
    both = bound()
    both.open("bob", "ann")
    assert (both.table.laying, both.now) == (True, 1_000_000)
    one = seated()
    one.bind("bob")
    one.sit("bot:0")
    one.ready("ann", "bob", "bot:0")
    one.open("bob")
    assert one.table.laying


def is_taken_in_its_time() -> None:
    for late, taken in ((0, True), (1499, True), (1500, False), (60_000, False)):
        play = bound()
        play.now += late
        view = view_table(play.table, "ann", play.now, Live())
        assert ("open-seed" in view.may) == taken
        if taken:
            assert kinds(play.ask(open_seed(play.table, "ann"))) == [SeedOpened]
            assert refused(play, open_seed(play.table, "ann")) == "no-seed"
        else:
            assert refused(play, open_seed(play.table, "ann")) == "no-seed"
    closed = bound()
    closed.time_out()
    assert refused(closed, open_seed(closed.table, "ann")) == "no-seed"
    early = sealed()
    assert refused(early, open_seed(early.table, "ann", 1)) == "no-seed"
    called = bound()
    assert refused(called, commit_seed(called.table, "bob", 1)) == "no-seed"
    assert refused(called, commit_seed(called.table, "cyd" if called.table.seat_of("cyd") else "bob")) == "no-seed"
    running = laying()
    assert refused(running, commit_seed(running.table, "cyd")) == "no-seed"


def test_a_seed_is_taken_in_its_time_and_once() -> None:
    is_taken_in_its_time()


def is_what_he_is_bound_to() -> None:
    play = bound()
    for seed in (seed_of("bob", 1), seed_of("ann", 2), "0" * 32, seed_of("ann", 1)[:-1] + "0"):
        if seed != seed_of("ann", 1):
            assert refused(play, OpenSeed(player="ann", hand=1, seed=seed)) == "other-seed"
    play.open("ann")
    copy = seated()
    copy.seal()
    copy.ask(commit_seed(copy.table, "ann"))
    copy.ask(replace(commit_seed(copy.table, "ann"), player="bob"))
    copy.ready("ann", "bob")
    assert refused(copy, OpenSeed(player="bob", hand=1, seed=seed_of("ann", 1))) == "other-seed", "he has no such seed"


def test_nothing_is_opened_but_what_one_is_bound_to() -> None:
    is_what_he_is_bound_to()


def goes_with_who_leaves() -> None:
    play = seated()
    play.bind("ann", "bob")
    play.leave("bob")
    assert play.table.sealed is not None
    assert set(play.table.sealed.seeds) == {0}
    play.sit("dee")
    play.bind("dee")
    play.ready("ann", "dee")
    assert refused(play, open_seed(play.table, "dee", 2)) == "no-seed"
    play.open("ann", "dee")
    assert play.table.laying


def test_the_seed_of_who_leaves_goes_with_him() -> None:
    goes_with_who_leaves()


def test_the_seed_of_who_sits_out_is_not_waited_for_and_has_no_part() -> None:
    play = Play(THREE, "ann bob cyd")
    play.bind("ann", "bob", "cyd")
    play.ask(SitOut(player="cyd"))
    play.ready("ann", "bob")
    assert refused(play, open_seed(play.table, "cyd")) == "no-seed"
    play.open("ann", "bob")
    assert play.table.dealt_from is not None
    assert [seed.seat for seed in seeds_of(play.table.dealt_from, play.hand.seats)] == [0, 1]


def test_once_the_hand_is_called_it_stays_told_who_was_bound_to_what_whoever_leaves() -> None:
    """Else whoever leaves would make the room look as if it had changed what it had told."""
    play = bound()
    play.open("ann", "bob")
    told = view_table(play.table, None, play.now, Live()).fair
    assert told is not None
    assert [seed.seat for seed in told.seeds] == [0, 1]
    play.ask(Leave(player="bob"))
    play.finish()
    assert play.table.seat_of("bob") is None
    assert view_table(play.table, None, play.now, Live()).fair == told


def test_who_is_bound_and_not_called_stands_with_no_hand() -> None:
    play = Play(THREE, "ann bob cyd")
    play.bind("ann", "bob", "cyd")
    play.ask(SitOut(player="cyd"))
    play.ready("ann", "bob")
    play.open("ann", "bob")
    assert play.table.sealed is not None
    assert set(play.table.sealed.seeds) == {0, 1}


def test_a_break_stops_the_wait_and_seeds_may_be_opened_meanwhile() -> None:
    play = bound()
    play.now += 1000
    play.ask(Break(player="ann", on=True))
    play.now += 100_000
    assert kinds(play.ask(open_seed(play.table, "ann"))) == [SeedOpened]
    play.resume()
    assert deadline(play.table) == play.now + 500
    play.time_out()
    assert play.table.laying


def test_an_outage_in_the_wait_takes_nothing_from_it() -> None:
    play = bound()
    play.now += 1000
    play.outage(60)
    assert deadline(play.table) == play.now + OPEN_AFTER_OUTAGE_MS, "they have to come back before they can open"
    play.open("ann", "bob")
    assert play.table.laying


# -- what comes of it


def deals_by_the_seeds(*opened: str) -> tuple[str, ...]:
    """The first hand as a room deals it from true decks, when these players have opened their seeds."""
    play = seated()
    master = hexadecimal("a master", 64)
    root = fair.seal(hand_id("t1", 1), bytes.fromhex(master))
    play.ask(Seal(master=master, root=root))
    for player in ("ann", "bob"):
        play.ask(commit_seed(play.table, player))
    for player in ("ann", "bob"):
        play.ask(Ready(player=player, hand=1, always=False))
    for player in opened:
        play.ask(open_seed(play.table, player))
    if not needs_deck(play.table):
        play.now += OPEN_MS
        play.ask(TimeOut())
    table = play.table
    assert table.sealed is not None
    drawn_lot = drawn(table.id, table.sealed, table.called)
    seats, fantasyland = to_be_dealt(table, drawn_lot)
    dealt = unsealed(table.id, table.sealed, table.rules, seats, fantasyland)
    play.ask(Deal(deck=dealt.deck, lot=drawn_lot))
    assert play.hand.seats == seats
    proof = dealt.proof((*dealt.deck[:17], *dealt.deck[26:43]), over=True)
    assert (proof.root, fair.verify(fair.encode(proof))) == (root, proof)
    return tuple(map(str, dealt.deck))


def test_every_seed_has_a_part_in_the_deck_and_the_deal_can_be_proved() -> None:
    decks = {deals_by_the_seeds(*opened) for opened in ((), ("ann",), ("bob",), ("ann", "bob"))}
    assert len(decks) == 4
    assert deals_by_the_seeds("bob", "ann") == deals_by_the_seeds("ann", "bob"), "the order of opening has none"


# -- what is told of it


def everything_told(show: Callable[[Table, str | None, int, Live], TableView]) -> None:
    """The master of the sealed decks is in no view, in nothing that all may read, in no print; nor is a seed too early."""
    play = seated()
    for _ in range(2):
        play.bind("ann", "bob")
        tells_no_secret(play, show)
        play.ready("ann", "bob")
        tells_no_secret(play, show)
        play.open("ann")
        tells_no_secret(play, show)
        play.time_out()
        play.confirm()
        tells_no_secret(play, show)
        play.finish()
        tells_no_secret(play, show)


def tells_no_secret(play: Play, show: Callable[[Table, str | None, int, Live], TableView]) -> None:
    hidden = [event.hidden for event in play.log if isinstance(event, DeckSealed)]
    masters = [secret.master for secret in hidden if secret is not None]
    assert masters
    for text in texts(play, show):
        assert not any(master in text for master in masters)
        assert "master" not in re.sub("HiddenMaster", "", text)
    opened = {event.seed for event in play.log if isinstance(event, SeedOpened)}
    for hand in (1, 2):
        for player in ("ann", "bob"):
            seed = seed_of(player, hand)
            assert seed in opened or not any(seed in text for text in texts(play, show))


def texts(play: Play, show: Callable[[Table, str | None, int, Live], TableView]) -> Iterable[str]:
    for viewer in ("ann", "bob", "eve", None):
        yield msgspec.json.encode(show(play.table, viewer, play.now, Live())).decode()
    for event in play.log:
        yield split(event)[0].decode()
        yield repr(event)
    yield repr(play.table)
    yield repr(seal(replace(play.table, called=(), laying=False, sealed=None)))


def test_the_master_and_seeds_that_are_not_opened_are_told_to_nobody() -> None:
    everything_told(view_table)


def test_everybody_sees_to_what_the_deal_is_held() -> None:
    play = bound()
    play.open("bob")
    for viewer in ("ann", "eve", None):
        view = view_table(play.table, viewer, play.now + 500, Live()).fair
        assert view is not None
        assert (view.hand, view.open_ms) == (1, 1000)
        assert [(seed.seat, seed.seed) for seed in view.seeds] == [(0, None), (1, seed_of("bob", 1))]
        assert [seed.commitment for seed in view.seeds] == [
            commit_seed(play.table, player, 1).commitment for player in ("ann", "bob")
        ]
    assert view_table(seated().table, None, 1_000_000, Live()).fair is None


def test_a_view_is_not_made_anew_for_all_at_every_seed() -> None:
    play = sealed()
    assert who_notices(play.table, play.ask(commit_seed(play.table, "bob"))) == frozenset({"bob"})
    events = play.ask(Ready(player="ann", hand=1, always=False))
    assert who_notices(play.table, events) is None


def test_a_log_whose_seals_and_seeds_do_not_fit_is_none() -> None:
    play = bound()
    called, at = play.table, play.now
    wrong: list[tuple[Table, AnyEvent]] = [
        (seated().table, SeedCommitted(at=at, seat=0, hand=1, commitment="")),
        (called, SeedOpened(at=at, seat=2, hand=1, seed="")),
        (called, SeedOpened(at=at, seat=0, hand=2, seed="")),
        (seated().table, replace(next(event for event in play.log if isinstance(event, DeckSealed)), hand=2)),
        (seated().table, replace(next(event for event in play.log if isinstance(event, DeckSealed)), hidden=None)),
    ]
    for table, event in wrong:
        with pytest.raises(ValueError, match=r"seal|seed"):
            evolve(table, event)
    assert isinstance(play.log[-1], HandCalled)
    assert not any(isinstance(event, HandDealt) for event in play.log)


# -- faults that all of this has to notice


def at_any_time(table: Table, number: int, _time: int) -> bool:
    return table.sealed is not None and table.sealed.seeds.get(number, (None, ""))[1] is None


def whenever_it_likes(_table: Table, _number: int) -> bool:
    return True


def whatever_he_says(_hand: str, _seat: int, seed: str) -> str:
    return BOUND.get(seed, COMMITMENT)


BOUND: dict[str, str] = {}
COMMITMENT = commit_seed(bound().table, "ann", 1).commitment


def keeping_it(table: Table, event: object) -> Table:
    after = LEFT(table, event)  # type: ignore[arg-type]
    return replace(after, sealed=table.sealed)


LEFT = ananas.table.evolve._left


@pytest.mark.parametrize(
    ("module", "name", "fault", "promise"),
    [
        (ananas.table.evolve, "OPEN_MS", 10_000, waits_for_a_moment),
        (ananas.table.decide, "may_open", at_any_time, is_taken_in_its_time),
        (ananas.table.view, "may_open", at_any_time, is_taken_in_its_time),
        (ananas.table.decide, "may_commit", whenever_it_likes, is_taken_in_its_time),
        (ananas.table.decide, "commitment", whatever_he_says, is_what_he_is_bound_to),
        (ananas.table.evolve, "_left", keeping_it, goes_with_who_leaves),
    ],
)
def test_a_planted_fault_is_noticed(
    module: object, name: str, fault: object, promise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    promise()
    monkeypatch.setattr(module, name, fault)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        promise()


def test_a_view_that_tells_too_much_is_noticed() -> None:
    def with_the_master(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
        view = view_table(table, viewer, now, live)
        return view if table.sealed is None else replace(view, name=table.sealed.master)

    def with_seeds_too_early(table: Table, viewer: str | None, now: int, live: Live) -> TableView:
        return replace(view_table(table, viewer, now, live), name=seed_of("bob", table.hands + 1))

    for show in (with_the_master, with_seeds_too_early):
        with pytest.raises(AssertionError):
            everything_told(show)
