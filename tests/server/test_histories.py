"""Finished hands for download: each as it was played, and to nobody more of it than he may know."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, read_histories, read_history
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from ananas.server.histories import every_hand, finished_hands, one_hand
from ananas.server.room import fold
from ananas.table.chips import may_top_up
from ananas.table.events import AnyEvent, HandDealt, HandScored
from tests.table.play import Play, lucky, rich_deck, unfinished

PLAYERS = "ann bob cyd"


def evening(rules: RuleSet, hands: int = 8) -> Play:
    """Hands in which somebody's time runs out, somebody brings chips, and somebody leaves and another comes."""
    play = Play(rules, PLAYERS, decks=rich_deck)
    turn = 0
    while play.table.hands < hands or play.table.laying:
        turn += 1
        table = play.table
        if not table.laying:
            between_hands(play)
        elif turn % 23 == 22:
            places = {play.hand.seats[place]: place for place in play.hand.acting}
            play.time_out({seat: unfinished(play.hand, 7, place) for seat, place in places.items()})
        else:
            asked = play.acting[turn % len(play.acting)]
            play.lay(asked, str(lucky(play.hand, turn, table.players.index(asked))))
    return play


def between_hands(play: Play) -> None:
    """Bring chips where somebody has none, and have the next hand called."""
    if play.table.hands >= 3 and play.table.seat_of("cyd") is not None and not play.table.in_match:
        play.leave("cyd")
        play.sit("dee")
    for number, seat in play.table.seated:
        if play.table.is_broke(seat) and may_top_up(play.table, number):
            play.top_up(seat.player, play.table.rules.buy_in[0])
    waited_for = [seat.player for number, seat in play.table.seated if number in play.table.dealt_in]
    if not play.table.pausing:
        play.ready(*(seat.player for _, seat in play.table.seated if not seat.ready))
    for player in waited_for:
        if play.table.pausing and play.table.seat_of(player) not in play.table.gone_on:
            play.go_on(player)


def whole(log: list[AnyEvent]) -> dict[int, tuple[Hand, tuple[str, ...], int | None]]:
    """Every counted hand as the fold of the log has it, with its players and the number of its match."""
    found: dict[int, tuple[Hand, tuple[str, ...], int | None]] = {}
    for end, event in enumerate(log, 1):
        if isinstance(event, HandScored):
            table = fold(log[:end])
            assert table.hand is not None
            found[event.hand] = table.hand, table.players, None if table.match is None else table.match.number
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_hand_is_found_as_it_was_played(name: str) -> None:
    log = evening(RuleSet.named(name)).log
    wanted = whole(log)
    found = list(finished_hands(log))
    assert {each.number: (each.hand, each.players, each.match) for each in found} == wanted
    assert len(wanted) == 8
    assert any(any(each.hand.fantasyland) for each in found)
    for each in found:
        (alone,) = finished_hands(log, each.number)
        assert alone == each


def test_what_the_table_laid_is_told_with_the_draft_it_kept() -> None:
    play = Play(RuleSet(), "ann bob")
    play.ready("ann", "bob")
    player = play.hand.acting[0]
    first, second = play.hand.dealt(player)[:2]
    seat = play.hand.seats[player]
    play.time_out({seat: Placement(top=(first,), discards=())})
    play.finish()
    (found,) = finished_hands(play.log)
    assert {place: str(kept) for place, kept in found.automatic.items()} == {
        (seat, 1): f"{first}/-/-",
        **{(seat, street): "None" for street in (2, 3, 4, 5)},
    }
    own = one_hand(play.log, 1, play.table.players[player])
    assert f"# kept {first}/-/-" in own
    assert "kept" not in one_hand(play.log, 1, play.table.players[1 - player])
    assert second in own


def test_a_hand_that_has_not_been_counted_is_not_told() -> None:
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    for number in (1, 2):
        with pytest.raises(Refused, match="no such hand"):
            one_hand(play.log, number, "ann")
    with pytest.raises(Refused, match="no such hand"):
        every_hand(play.log, "ann")
    play.ready("ann", "bob")
    play.confirm()
    with pytest.raises(Refused, match="has not been counted yet"):
        one_hand(play.log, 1, "ann")
    with pytest.raises(Refused, match="has not been counted yet"):
        every_hand(play.log, "ann")
    play.finish()
    assert read_history(one_hand(play.log, 1, "ann")).number == 1
    play.ready("ann", "bob")
    with pytest.raises(Refused, match="no such hand"):
        one_hand(play.log, 2, "ann")
    assert len(read_histories(every_hand(play.log, "ann"))) == 1


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_written_can_be_read_and_played(name: str) -> None:
    log = evening(RuleSet.named(name)).log
    for viewer in ("ann", "dee", "eve", None):
        for history, found in zip(read_histories(every_hand(log, viewer)), finished_hands(log), strict=True):
            assert history.hand.boards == found.hand.boards
            assert (history.number, history.match, history.table) == (found.number, found.match, "Friday")


# -- what it hides


def elsewhere(log: list[AnyEvent], number: int, viewer: str | None) -> list[AnyEvent]:
    """The same log, but for a hand in which the cards that the viewer cannot know lie in one another's places."""
    found = next(finished_hands(log, number))
    own = found.players.index(viewer) if viewer in found.players else None
    known = {card for board in found.hand.boards for card in board.cards}
    if own is not None:
        known |= {card for placement in found.hand.placements[own] for card in placement.cards}
    unknown = [card for card in found.hand.deck if card not in known]
    other = dict(zip(unknown, unknown[1:] + unknown[:1], strict=True))
    world: list[AnyEvent] = []
    running = False
    for event in log:
        running = event.hand == number if isinstance(event, HandDealt) else running
        hidden = getattr(event, "hidden", None)
        if not running or hidden is None:
            world.append(event)
        elif isinstance(event, HandDealt):
            deck = tuple(other.get(card, card) for card in hidden.deck)
            world.append(replace(event, hidden=replace(hidden, deck=deck)))
        else:
            placement = Placement.parse(hidden.placement)
            swapped = replace(placement, discards=tuple(other.get(card, card) for card in placement.discards))
            world.append(replace(event, hidden=replace(hidden, placement=str(swapped))))
    return world


Write = Callable[[list[AnyEvent], int, str | None], str]


def leaks(write: Write) -> list[tuple[int, str | None]]:
    """The hands and viewers whose texts tell two worlds apart that the viewer cannot."""
    play = evening(RuleSet.named("room"))
    found: list[tuple[int, str | None]] = []
    for number in whole(play.log):
        for viewer in ("ann", "bob", "cyd", "dee", "eve", None):
            world = elsewhere(play.log, number, viewer)
            assert world != play.log
            if write(play.log, number, viewer) != write(world, number, viewer):
                found.append((number, viewer))
    return found


def test_what_somebody_cannot_know_changes_no_letter() -> None:
    assert leaks(one_hand) == []
    assert leaks(lambda log, _, viewer: every_hand(log, viewer)) == []


def test_a_text_that_tells_what_others_threw_away_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_seeing(
        hand: Hand, _: int | None, names: tuple[str, ...], automatic: dict[tuple[int, int], Placement | None]
    ) -> HandHistory:
        return HandHistory.whole(hand, names, automatic)

    monkeypatch.setattr(HandHistory, "seen_by", all_seeing)
    assert len(leaks(one_hand)) > 20


def test_who_has_taken_the_seat_of_somebody_who_left_sees_no_more_of_his_hand() -> None:
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    play.ready("ann", "bob")
    play.finish()
    play.leave("bob")
    play.sit("cyd")
    assert one_hand(play.log, 1, "cyd") == one_hand(play.log, 1, None)
    assert one_hand(play.log, 1, "bob") != one_hand(play.log, 1, None)
