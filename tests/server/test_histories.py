"""Finished hands: each found as it was played, listed, written, and to nobody more of it than he may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.cards import print_cards
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, read_histories, read_history
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.refused import Refused
from ananas.server import histories
from ananas.server.histories import Contents, every_hand, finished_hands
from ananas.server.room import fold
from ananas.server.store import Mark, Row
from ananas.table.chips import may_top_up
from ananas.table.commands import ChangeRules
from ananas.table.events import AnyEvent, HandDealt, HandScored, Opened, RulesChanged, Sat
from tests.table.play import Play, deck, lucky, rich_deck, unfinished

PLAYERS = "ann bob cyd"


def one_hand(log: Sequence[AnyEvent], number: int, viewer: str | None) -> str:
    """The text of one hand out of a log."""
    return histories.one_hand(next(finished_hands(log, number)), viewer)


def evening(rules: RuleSet, hands: int = 8) -> Play:
    """Hands in which somebody's time runs out, somebody brings chips, and somebody leaves and another comes."""
    play = Play(rules, PLAYERS, decks=rich_deck)
    play_on(play, hands)
    return play


def play_on(play: Play, hands: int) -> None:
    """Play until so many hands have been counted."""
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

    def told() -> list[int]:
        found = [each.number for each in finished_hands(play.log)]
        assert list(read(play.log).entries) == found
        return found

    assert told() == []
    with pytest.raises(Refused, match="no such hand"):
        every_hand(play.log, "ann")
    play.ready("ann", "bob")
    play.confirm()
    assert told() == []
    with pytest.raises(Refused, match="has not been counted yet"):
        every_hand(play.log, "ann")
    play.finish()
    assert told() == [1]
    assert read_history(one_hand(play.log, 1, "ann")).number == 1
    play.ready("ann", "bob")
    assert told() == [1]
    assert list(finished_hands(play.log, 2)) == []
    assert len(read_histories(every_hand(play.log, "ann"))) == 1


def changed(before: str, after: str) -> Play:
    """Two hands by one set of rules, and two by another."""
    play = Play(RuleSet.named(before), PLAYERS, decks=rich_deck)
    play_on(play, 2)
    play.decks = deck  # with luck no longer on anybody's side the match ends
    while play.table.in_match:
        play_on(play, play.table.hands + 1)
    play.ask(ChangeRules(player="ann", rules=RuleSet.named(after)))
    play_on(play, play.table.hands + 2)
    return play


@pytest.mark.parametrize(("before", "after"), [("room", "club"), ("progressive", "club-pineapple")])
def test_each_hand_follows_the_rules_it_was_dealt_by(before: str, after: str) -> None:
    play = changed(before, after)
    (place,) = (place for place, event in enumerate(play.log) if isinstance(event, RulesChanged))
    earlier = {event.hand for event in play.log[:place] if isinstance(event, HandDealt)}
    found = list(finished_hands(play.log))
    assert {each.number: each.hand for each in found} == {n: hand for n, (hand, _, _) in whole(play.log).items()}
    assert {each.hand.rules.base for each in found} == {before, after}
    for each in found:
        dealt_by = RuleSet.named(before if each.number in earlier else after)
        assert read_history(one_hand(play.log, each.number, "ann")).rules == each.hand.rules == dealt_by
        assert each.hand.reckoning is not None


# -- which hands there are


def rows(log: Sequence[AnyEvent], size: int = 3) -> list[Row]:
    """A log in rows of so many events, as a store gives it."""
    parts = [tuple(log[start : start + size]) for start in range(0, len(log), size)]
    return [Row(Mark(version, version.to_bytes(32, "big")), events) for version, events in enumerate(parts, 1)]


def read(log: Sequence[AnyEvent], size: int = 3) -> Contents:
    return Contents().read_on(rows(log, size))


def test_the_list_says_how_every_hand_ended() -> None:
    kinds = set[tuple[bool, bool, bool]]()
    for rules in RULE_SETS.values():
        log = evening(rules).log
        listed, hands = read(log).listed("t1", "cyd"), list(finished_hands(log))
        assert (listed.table, listed.name) == ("t1", "Friday")
        assert [each.number for each in listed.hands] == [8, 7, 6, 5, 4, 3, 2, 1]
        for summary, found in zip(reversed(listed.hands), hands, strict=True):
            results = found.hand.reckoning
            assert results is not None
            assert [(side.seat, side.name, side.points, side.won, side.foul) for side in summary.sides] == [
                (result.seat, name, result.points, result.won, result.foul)
                for result, name in zip(results.players, found.names, strict=True)
            ]
            assert [side.fantasyland for side in summary.sides] == [cards > 0 for cards in found.hand.fantasyland]
            assert (summary.number, summary.match, summary.at) == (found.number, found.match, found.at)
            assert summary.you == found.seat_of("cyd")
            kinds |= {(side.foul, side.fantasyland, summary.you is None) for side in summary.sides}
        assert all(each.you is None for each in read(log).listed("t1", None).hands)
    assert (
        {foul for foul, _, _ in kinds}
        == {lays for _, lays, _ in kinds}
        == {new for _, _, new in kinds}
        == {True, False}
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_each_entry_leads_to_its_hand_however_the_log_is_read(size: int) -> None:
    log = changed("room", "club").log
    kept = rows(log, size)
    found = Contents()
    for start in range(len(kept)):  # row by row, as a table that is being played is looked at
        found = found.read_on([row for row in kept[: start + 1] if row.mark.version > found.mark.version])
    assert found == read(log, size)
    assert found.last == len(found.entries) == len(list(finished_hands(log)))
    for number, entry in found.entries.items():
        part = [row for row in kept if entry.before.version < row.mark.version <= entry.last]
        events = [event for row in part for event in row.events]
        assert next(finished_hands(events, number, entry.standing)) == next(finished_hands(log, number))


def test_what_is_kept_in_mind_of_a_log_holds_nothing_hidden() -> None:
    log = evening(RuleSet.named("room")).log
    for number in whole(log):
        assert read(elsewhere(log, number, None)) == read(log)
        assert read(elsewhere(log, number, "ann")) == read(log)


def test_the_search_for_hidden_things_in_mind_finds_a_planted_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_the_deck(self: histories._Laying, dealt: HandDealt, *rest: object) -> None:
        before(self, dealt, *rest)  # type: ignore[arg-type]
        assert dealt.hidden is not None
        self._rows[dealt.seats[0]][0] = print_cards(dealt.hidden.deck)

    before = histories._Laying.__init__
    monkeypatch.setattr(histories._Laying, "__init__", with_the_deck)
    with pytest.raises(AssertionError):
        test_what_is_kept_in_mind_of_a_log_holds_nothing_hidden()


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


# -- without names


def renamed(log: Sequence[AnyEvent], mark: str) -> list[AnyEvent]:
    """The same log at a table of another name, with players of other names."""

    def other(event: AnyEvent) -> AnyEvent:
        return replace(event, name=f"{event.name}{mark}") if isinstance(event, Opened | Sat) else event

    return [other(event) for event in log]


def nameless(log: Sequence[AnyEvent], number: int, viewer: str | None) -> str:
    return histories.one_hand(next(finished_hands(log, number)).nameless, viewer)


def tells_names(write: Callable[[Sequence[AnyEvent], int, str | None], str]) -> bool:
    log = evening(RuleSet.named("room")).log
    return any(
        write(log, number, viewer) != write(renamed(log, "z"), number, viewer)
        for number in whole(log)
        for viewer in ("ann", "dee", None)
    )


def test_without_names_no_letter_depends_on_them() -> None:
    assert not tells_names(nameless)
    log = evening(RuleSet.named("room")).log
    for found in finished_hands(log):
        read_back = read_history(histories.one_hand(found.nameless, "dee"))
        assert read_back.players == tuple(str(seat + 1) for seat in sorted(found.hand.seats))
        assert read_back.table == ""
        assert read_back.hand.boards == found.hand.boards


def test_a_name_that_is_told_all_the_same_is_caught() -> None:
    assert tells_names(one_hand)
    assert tells_names(lambda log, number, _: next(finished_hands(log, number)).table)


@pytest.mark.parametrize(
    "name", ['<img src=x onerror="alert(1)">', "'; DROP TABLE guests; --", '"]\nrules = "\\', "\x7f\t"]
)
def test_a_name_that_means_harm_is_written_as_a_name(name: str) -> None:
    """No guest can be called so today; a file of an earlier or a later version may hold it."""
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    play.ready("ann", "bob")
    play.finish()
    log = [replace(event, name=name) if isinstance(event, Opened | Sat) else event for event in play.log]
    text = one_hand(log, 1, "ann")
    assert read_history(text).players == (name, name)
    assert read_history(text).table == name
    assert text.count("\n") == one_hand(play.log, 1, "ann").count("\n")
    listed = msgspec.json.decode(msgspec.json.encode(read(log).listed("t1", None)))
    assert [side["name"] for side in listed["hands"][0]["sides"]] == [name, name]


def test_who_has_taken_the_seat_of_somebody_who_left_sees_no_more_of_his_hand() -> None:
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    play.ready("ann", "bob")
    play.finish()
    play.leave("bob")
    play.sit("cyd")
    assert one_hand(play.log, 1, "cyd") == one_hand(play.log, 1, None)
    assert one_hand(play.log, 1, "bob") != one_hand(play.log, 1, None)
