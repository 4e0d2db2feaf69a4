"""What a careful table lays: what was worked out for it where that can be laid, and otherwise in order of receipt."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from ananas.game.board import Placement
from ananas.game.rules import RuleSet
from ananas.table.clock import deadline
from ananas.table.commands import Command, TimeOut
from ananas.table.decide import Layouts, decide
from ananas.table.events import AnyEvent, AutoPlaced
from ananas.table.evolve import evolve
from tests.table.play import Play, join, split

CAREFUL = RuleSet(auto_layout="careful", fantasyland="off")


def begun(rules: RuleSet = CAREFUL) -> Play:
    play = Play(rules, "ann bob")
    play.ready("ann", "bob")
    return play


def times_out(play: Play, layouts: Layouts, drafts: Any = None) -> tuple[AnyEvent, ...]:  # noqa: ANN401
    """What follows when the time of who acts is spent."""
    time = deadline(play.table)
    assert time is not None
    play.now = time
    events = decide(play.table, TimeOut(drafts=drafts or {}), play.now, layouts)
    play.log += events
    play._table = reduce(evolve, events, play.table)
    return events


def laid(events: tuple[AnyEvent, ...]) -> list[str]:
    return [event.hidden.placement for event in events if isinstance(event, AutoPlaced) and event.hidden]


def other_layout(play: Play) -> Placement:
    """A legal one, other than in order of receipt."""
    dealt = play.hand.dealt(play.hand.acting[0])
    return Placement(top=dealt[:2], middle=dealt[2:5])


def test_what_was_worked_out_is_laid_and_the_log_alone_tells_it() -> None:
    play = begun()
    seat, layout = play.hand.seats[play.hand.acting[0]], other_layout(play)
    (automatic,) = laid(times_out(play, {(seat, 1): layout}))
    assert automatic == str(layout)
    again = reduce(evolve, (join(*split(event)) for event in play.log), None)
    assert again == play.table


@pytest.mark.parametrize("what", ["cards", "count", "row", "street", "seat", "rules"])
def test_what_cannot_be_laid_is_not_and_the_cards_go_in_order_of_receipt(what: str) -> None:
    play = begun(RuleSet(fantasyland="off") if what == "rules" else CAREFUL)
    player = play.hand.acting[0]
    seat, dealt, layout = play.hand.seats[player], play.hand.dealt(player), other_layout(play)
    layouts: Layouts = {
        "cards": {(seat, 1): Placement(top=play.hand.deck[-2:], middle=dealt[2:])},
        "count": {(seat, 1): Placement(top=dealt[:2])},
        "row": {(seat, 1): Placement(top=dealt[:4], middle=dealt[4:])},
        "street": {(seat, 2): layout},
        "seat": {(1 - seat, 1): layout},
        "rules": {(seat, 1): layout},
    }[what]
    assert laid(times_out(play, layouts)) == [str(Placement(bottom=dealt))]


def test_what_he_had_arranged_stays_where_it_was() -> None:
    for kept, wins in (("top", True), ("bottom", False)):
        play = begun()
        player = play.hand.acting[0]
        seat, dealt, layout = play.hand.seats[player], play.hand.dealt(player), other_layout(play)
        draft = Placement(**{kept: dealt[:1]})
        (event,) = [one for one in times_out(play, {(seat, 1): layout}, {seat: draft}) if isinstance(one, AutoPlaced)]
        assert event.hidden is not None
        assert event.hidden.placement == str(layout if wins else Placement(bottom=dealt))
        assert event.hidden.kept == str(draft)


def test_whoever_is_away_is_laid_for_in_the_same_way() -> None:
    play = begun()
    first = play.hand.seats[play.hand.acting[0]]
    times_out(play, {})
    play.confirm()  # now the table lays a street for him as soon as his turn comes: he has no time left
    assert play.acting == ("ann",)
    player = play.table.players.index("bob")
    ahead = play.hand.deck[player * 26 + 8 : player * 26 + 11]
    layout = Placement(top=(ahead[2],), middle=(ahead[0],), discards=(ahead[1],))
    events = ask(play, {(first, 3): layout})
    assert laid(events) == [str(layout)]


def ask(play: Play, layouts: Layouts) -> tuple[AnyEvent, ...]:
    """Who acts lays his street, with these layouts worked out."""
    found: list[tuple[AnyEvent, ...]] = []

    def with_layouts(command: Command) -> tuple[AnyEvent, ...]:
        events = decide(play.table, command, play.now, layouts)
        play._table = reduce(evolve, events, play.table)
        found.append(events)
        return events

    play.ask = with_layouts  # type: ignore[method-assign]
    play.confirm()
    return found[-1]
