"""A finished hand step by step: as each was shown it while it was played, and to nobody more than he may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import Phase, given, settings
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, view_hand
from ananas.protocol import HandReplay
from ananas.server import replays as module
from ananas.server.histories import FinishedHand, finished_hands
from ananas.server.replays import replay
from ananas.table.events import AnyEvent, HandScored
from ananas.table.evolve import evolve
from ananas.table.state import Table
from ananas.table.view import Live, view_table
from tests.table.play import Play
from tests.table.session import CHOICES, RULES, Step, session
from tests.test_secrets import WATCHERS, twin_session


def told(log: Sequence[AnyEvent], number: int, viewer: str | None) -> HandReplay:
    return replay(next(finished_hands(log, number)), viewer, table="t1", last=number)


def line(found: HandReplay) -> str:
    """The steps in a word each: who (by seat) has laid what street, `auto` where the table did it."""
    words = {"dealt": "dealt", "counted": "counted", "laid": "{}.{}", "laid-for": "{}.{}auto"}
    return " ".join(words[step.what].format(step.seat, step.street) for step in found.steps)


# -- what the steps are


def in_fantasyland(rules: RuleSet, **boards: str) -> Play:
    """A second hand, in which Ann lays Fantasyland, and whoever else had such a board."""
    play = Play(rules, " ".join(boards))
    play.scored(**boards)
    play.next(**dict.fromkeys(boards, "plain"))
    play.go_on(*boards)
    return play


STEPS = """
# rules                              | players     | viewer | steps of the second hand; Ann sits on seat 0, in Fantasyland
room                                 | ann bob     | ann    | dealt 0.1 1.5 counted
room                                 | ann bob     | bob    | dealt 0.1 1.1 1.2 1.3 1.4 1.5 counted
room                                 | ann bob     | -      | dealt 0.1 1.5 counted
room                                 | ann bob cyd | ann    | dealt 2.1 1.1 2.2 1.2 2.3 1.3 2.4 1.4 2.5 1.5 0.1 counted
room                                 | ann bob cyd | bob    | dealt 2.1 1.1 2.2 1.2 2.3 1.3 2.4 1.4 2.5 1.5 0.1 counted
room                                 | ann bob cyd | -      | dealt 2.1 1.1 2.2 1.2 2.3 1.3 2.4 1.4 2.5 1.5 0.1 counted
room fantasyland_timing=from-start   | ann bob     | bob    | dealt 0.1 1.1 1.2 1.3 1.4 1.5 counted
room fantasyland_timing=from-start   | ann bob     | -      | dealt 0.1 1.1 1.2 1.3 1.4 1.5 counted
"""


@pytest.mark.parametrize(
    ("rules", "players", "viewer", "steps"),
    [tuple(part.strip() for part in row.split("|")) for row in STEPS.strip().splitlines() if not row.startswith("#")],
)
def test_the_steps_are_what_was_shown(rules: str, players: str, viewer: str, steps: str) -> None:
    boards = {player: "in" if player == "ann" else "plain" for player in players.split()}
    play = in_fantasyland(RuleSet.parse(rules), **boards)
    play.finish()
    assert line(told(play.log, 2, None if viewer == "-" else viewer)) == steps


def test_a_hand_is_told_with_all_that_belongs_to_it() -> None:
    play = Play(RuleSet(fantasyland="off"), "ann bob cyd")
    play.leave("bob")
    play.ready("ann", "cyd")
    play.finish()
    first = play.hand.seats[0]
    steps = " ".join(f"{seat}.{street}" for street in range(1, 6) for seat in play.hand.seats)
    for viewer in ("ann", "bob", None):
        found = told(play.log, 1, viewer)
        assert (found.table, found.name, found.number, found.match, found.last) == ("t1", "Friday", 1, 1, 1)
        assert (found.rules, found.names) == (play.table.rules, play.table.names)
        assert found.you == {"ann": 0}.get(viewer or "")
        assert line(found) == f"dealt {steps} counted"
        dealt, last, counted = found.steps[0], found.steps[-2], found.steps[-1]
        assert [side.seat for side in dealt.hand.players if side.dealt] == [first]
        assert last.hand.reckoning is None
        assert all(side.board.full for side in last.hand.players)
        assert counted.hand.reckoning == play.hand.reckoning
        assert [side.discards != () for side in counted.hand.players] == [seat == found.you for seat in play.hand.seats]
        assert [side.discard_count for side in counted.hand.players] == [4, 4]


def test_what_the_table_laid_is_told_as_that() -> None:
    play = Play(RuleSet(fantasyland="off"), "ann bob")
    play.ready("ann", "bob")
    first, other = play.hand.seats
    play.time_out({first: Placement(top=play.hand.dealt(0)[:1])})
    while play.table.laying:
        play.confirm(player=play.table.players[1])
    steps = " ".join(f"{first}.{street}auto {other}.{street}" for street in range(1, 6))
    for viewer in ("ann", "bob", None):
        found = told(play.log, 1, viewer)
        assert line(found) == f"dealt {steps} counted"
        assert all(side.draft is None for step in found.steps for side in step.hand.players)


def test_what_lies_face_down_is_turned_over_when_it_is_counted_and_not_before() -> None:
    play = in_fantasyland(RuleSet.parse("room"), ann="in", bob="plain", cyd="plain")
    play.finish()
    for viewer, hidden in (("bob", True), (None, True), ("ann", False)):
        last, counted = told(play.log, 2, viewer).steps[-2:]
        ann = next(side for side in last.hand.players if side.seat == 0)
        assert (ann.hidden, ann.done, ann.acting, ann.board.full) == (hidden, True, False, not hidden)
        assert last.hand.reckoning is None
        assert all(side.board.full and not side.hidden for side in counted.hand.players)


# -- as it was shown then


def shown_live(log: Sequence[AnyEvent], viewer: str | None) -> dict[int, list[HandView]]:
    """What a viewer saw of each finished hand at the table, event by event, without what looked the same as before."""
    table: Table | None = None
    views: dict[int, list[HandView]] = {}
    for event in log:
        table = evolve(table, event)
        if table.laying or isinstance(event, HandScored):
            view = view_table(table, viewer, event.at, Live()).hand
            assert view is not None
            views.setdefault(table.last_dealt, []).append(view)
    return {number: [view for view, _ in groupby(seen)] for number, seen in views.items() if seen[-1].reckoning}


Replayed = Callable[[FinishedHand, str | None], HandReplay]


def plainly(found: FinishedHand, viewer: str | None) -> HandReplay:
    return module.replay(found, viewer, table="t1", last=99)


class Leak(AssertionError):
    """A replay tells what its viewer was not shown."""


def shows_what_was_shown(steps: Sequence[Step], viewer: str | None, show: Replayed) -> int:
    """Raise `Leak` where a replay shows anything else than the table did; gives how many hands were looked at."""
    log = [event for moment in steps for event in moment.events]
    live = shown_live(log, viewer)
    for found in finished_hands(log):
        seen = [step.hand for step in show(found, viewer).steps]
        # The last placement and the showdown came as one; between them nothing may be told that was not known before.
        last = seen.pop(-2)
        wanted = live[found.number]
        if seen != wanted:
            raise Leak(f"{viewer} was shown hand {found.number} as\n{wanted}\nand not as\n{seen}")
        for before, now, after in zip(wanted[-2].players, last.players, wanted[-1].players, strict=True):
            if now != (replace(before, acting=False, done=True) if before.hidden else after):
                raise Leak(f"{viewer} is shown {now}")
    return len(live)


# -- the law of secrets


def holds_its_tongue(steps: Sequence[Step], viewer: str | None, seed: int, show: Replayed) -> None:
    """Raise `Leak` where two worlds that differ only in what the viewer cannot know give other bytes."""
    logs = [
        [event for moment in world for event in moment.events] for world in (steps, twin_session(steps, viewer, seed))
    ]
    for one, other in zip(*map(finished_hands, logs), strict=True):
        seen = [msgspec.json.encode(show(found, viewer)) for found in (one, other)]
        if seen[0] != seen[1]:
            raise Leak(f"hand {one.number}, {viewer} sees a difference:\n{seen[0].decode()}\n{seen[1].decode()}")


def law(how: settings, show: Replayed = plainly) -> int:
    hands = 0

    @how
    @given(rules=RULES, choices=CHOICES, seed=st.integers(0, 1000))
    def holds(rules: RuleSet, choices: list[int], seed: int) -> None:
        nonlocal hands
        steps = session(rules, choices)
        for viewer in WATCHERS:
            hands += shows_what_was_shown(steps, viewer, show)
            holds_its_tongue(steps, viewer, seed, show)

    holds()
    return hands


def test_a_replay_shows_what_was_shown_and_nothing_that_its_viewer_cannot_know() -> None:
    assert law(settings(max_examples=60, deadline=None)) > 100


# -- replays that tell too much

ONCE = settings(
    max_examples=300,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)

Door = Callable[[Hand, int, int | None, Mapping[int, Placement]], HandView]


def by_another_door(door: Door) -> Replayed:
    """A replay whose views are made in another way."""

    def show(found: FinishedHand, viewer: str | None) -> HandReplay:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "view_hand", door)
            return plainly(found, viewer)

    return show


def as_somebody_else_sees_it(hand: Hand, number: int, seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    return view_hand(hand, number, hand.seats[0] if seat is None else seat, drafts)


def with_all_discards(hand: Hand, number: int, seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    view = view_hand(hand, number, seat, drafts)
    players = tuple(
        replace(side, discards=tuple(card for placement in laid for card in placement.discards))
        for side, laid in zip(view.players, hand.placements, strict=True)
    )
    return replace(view, players=players)


def with_the_cards_in_others_hands(
    hand: Hand, number: int, seat: int | None, drafts: Mapping[int, Placement]
) -> HandView:
    view = view_hand(hand, number, seat, drafts)
    players = tuple(replace(side, dealt=hand.dealt(player)) for player, side in enumerate(view.players))
    return replace(view, players=players)


def with_how_far_one_is(hand: Hand, number: int, seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    view = view_hand(hand, number, seat, drafts)
    players = tuple(replace(side, street=hand.street_of(player)) for player, side in enumerate(view.players))
    return replace(view, players=players)


def with_boards_face_up(hand: Hand, number: int, seat: int | None, drafts: Mapping[int, Placement]) -> HandView:
    view = view_hand(hand, number, seat, drafts)
    players = tuple(replace(side, board=board) for side, board in zip(view.players, hand.boards, strict=True))
    return replace(view, players=players)


def with_the_end_before_it_comes(found: FinishedHand, viewer: str | None) -> HandReplay:
    shown = plainly(found, viewer)
    *rest, last, counted = shown.steps
    return replace(shown, steps=(*rest, replace(last, hand=replace(counted.hand, reckoning=None)), counted))


def with_every_placement(found: FinishedHand, viewer: str | None) -> HandReplay:
    """Tells of each placement, also where it showed nothing."""
    shown = plainly(found, viewer)
    missing = len(found.laid) + 2 - len(shown.steps)
    return replace(shown, steps=(*(shown.steps[:1] * missing), *shown.steps))


def to_who_has_his_seat_now(found: FinishedHand, viewer: str | None) -> HandReplay:
    return plainly(found, viewer if viewer in found.players else found.players[0])


def with_the_deck(found: FinishedHand, viewer: str | None) -> HandReplay:
    return replace(plainly(found, viewer), last=sum(map(ord, "".join(found.hand.deck[::2]))))


@pytest.mark.parametrize(
    "show",
    [
        pytest.param(by_another_door(as_somebody_else_sees_it), id="a spectator with a seat"),
        pytest.param(by_another_door(with_all_discards), id="discards of others"),
        pytest.param(by_another_door(with_the_cards_in_others_hands), id="cards in others' hands"),
        pytest.param(by_another_door(with_how_far_one_is), id="how far one is face down"),
        pytest.param(by_another_door(with_boards_face_up), id="boards face down"),
        pytest.param(with_the_end_before_it_comes, id="turned over too early"),
        pytest.param(with_every_placement, id="placements face down counted"),
        pytest.param(to_who_has_his_seat_now, id="a seat that another had"),
        pytest.param(with_the_deck, id="the undealt"),
    ],
)
def test_a_replay_that_tells_too_much_is_caught(show: Replayed) -> None:
    with pytest.raises(Leak):
        law(ONCE, show)
