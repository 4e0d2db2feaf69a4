"""The rule book, chapters 14 to 16: time, what the table lays, who is away."""

from __future__ import annotations

from ananas.game.board import Board, Placement
from ananas.game.cards import DECK, parse_cards, print_cards
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, ROOM, RuleSet
from ananas.solver.careful import careful
from ananas.solver.placements import Knowledge
from ananas.table.clock import deadline, turn_ends
from ananas.table.commands import ChangeRules, Confirm, Resume, SitOut, TimeOut
from ananas.table.events import AutoPlaced, Left, RightsLapsed, SatOut, TimedOut
from tests.rules.book import DEAD, LEGAL, PLAIN, Evening, refused, shown, shown_hand
from tests.table.play import Play, legal

SECOND = 1000
RIGHTS = {0: "AsAd4c/3s4d5h6d7c/JhJdJc9s9c", 1: LEGAL}
"""Boards that bring both Fantasyland."""


def left(play: Play, player: str) -> tuple[int, int]:
    """A player's time for the hand and his bank, in seconds, as they are now."""
    seat = play.seat(player)
    clock = seat.clock.at(play.now, connected=seat.connected)
    return clock.hand_ms // SECOND, clock.bank_ms // SECOND


def started(rules: RuleSet = ROOM, *, players: str = "ann bob") -> Play:
    """A first hand, in which Bob is the first to act."""
    play = Play(rules, players)
    play.ready(*players.split())
    assert play.acting == ("bob",)
    return play


# -- 14. Time


def test_14_1_time_for_a_hand() -> None:
    play = started(ROOM.but({"fantasyland": "off"}))
    assert ROOM.hand_seconds == 120
    assert (left(play, "bob"), left(play, "ann")) == ((120, 180), (120, 180))
    play.now += 50 * SECOND
    play.confirm()
    play.now += 20 * SECOND
    play.confirm()
    play.now += 1 * SECOND
    assert (left(play, "bob"), left(play, "ann")) == ((69, 180), (100, 180))
    play.finish()
    play.ready("ann", "bob")
    assert (left(play, "bob"), left(play, "ann")) == ((120, 180), (120, 180))


def test_14_2_the_bank() -> None:
    assert ROOM.bank_seconds == 180
    play = started(ROOM.but({"fantasyland": "off", "settlement_cap": "none"}))
    assert deadline(play.table) == play.now + 300 * SECOND
    play.now += 150 * SECOND
    assert left(play, "bob") == (0, 150)
    play.finish()
    play.ready("ann", "bob")
    assert left(play, "bob") == (120, 150)
    play.finish()
    play.leave("bob")
    play.now += 24 * 3600 * SECOND - 1
    play.sit("bob")
    play.ready("ann", "bob")
    assert left(play, "bob") == (120, 150)
    play.finish()
    play.leave("bob")
    play.now += 24 * 3600 * SECOND
    play.sit("bob")
    play.ready("ann", "bob")
    assert left(play, "bob") == (120, 180)
    assert left(started(), "bob") == (120, 180)
    play.finish()
    play.ask(ChangeRules(player="ann", rules=ROOM.but({"bank_seconds": "90"})))
    assert left(play, "bob")[1] == 90


def test_14_3_each_his_own_clock() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    play.lay_all()
    play.go_on("ann", "bob")
    play.now += 10 * SECOND
    assert (left(play, "ann"), left(play, "bob")) == ((110, 180), (110, 180))
    play.lay_next("bob")
    play.now += 10 * SECOND
    play.lay_next("ann")
    play.now += 5 * SECOND
    assert (left(play, "ann"), left(play, "bob")) == ((95, 180), (110, 180))
    while play.table.laying:
        play.lay_next("ann")
    play.now += 60 * SECOND
    assert (left(play, "ann"), left(play, "bob")) == ((95, 180), (110, 180))


def test_14_4_who_is_away_pays_from_the_bank_first() -> None:
    play = started()
    play.now += 10 * SECOND
    play.disconnect("bob")
    play.now += 30 * SECOND
    assert left(play, "bob") == (110, 150)
    play.connect("bob")
    play.now += 5 * SECOND
    assert left(play, "bob") == (105, 150)
    play.disconnect("ann")
    play.now += 6 * SECOND
    play.disconnect("bob")
    play.now += 160 * SECOND
    assert (left(play, "bob"), left(play, "ann")) == ((89, 0), (120, 180))
    assert deadline(play.table) == play.now + 89 * SECOND


def test_14_5_the_rooms_clock_decides() -> None:
    play = started()
    play.now += 300 * SECOND - 1
    early = play.now
    play.now += 1
    confirm = Confirm(player="bob", hand=1, street=1, placement=legal(play.hand, 0))
    assert refused(play, confirm) == "turn-over"
    play.now = early
    play.ask(confirm)
    assert len(play.hand.placements[0]) == 1


def test_14_6_a_restart_takes_no_time_from_anybody() -> None:
    play = started()
    play.now += 100 * SECOND
    play.now += 500 * SECOND
    play.ask(Resume(lost_ms=500 * SECOND))
    assert left(play, "bob") == (20, 180)
    assert deadline(play.table) == play.now + 200 * SECOND
    dealt = play.hand.dealt(0)
    play.time_out()
    assert play.hand.placements[0][0].bottom == dealt


# -- 15. What the table lays


def test_15_1_the_instant_his_turn_comes() -> None:
    play = started()
    events = play.time_out()
    assert [type(event) for event in events] == [TimedOut, AutoPlaced]
    for street in range(1, 6):
        assert play.acting == ("ann",)
        assert play.hand.street_of(0) == street + 1
        play.now += SECOND
        laid = [event for event in play.confirm() if isinstance(event, AutoPlaced)]
        assert [(event.seat, event.street, event.at) for event in laid] == [(1, street + 1, play.now)][: 5 - street]


def unmixed() -> Play:
    """A first hand of a deck in order: Bob is dealt the clubs from the two upwards."""
    play = Play(ROOM, "ann bob", decks=lambda _: DECK)
    play.ready("ann", "bob")
    return play


def test_15_2_what_the_table_lays() -> None:
    play = unmixed()
    play.time_out({1: Placement.parse("6c/2c/-")})
    assert str(play.hand.boards[0]) == "6c/2c/3c4c5c"
    play.confirm()
    assert str(play.hand.placements[0][1]) == "-/-/7c8c x9c"
    play.confirm()
    assert str(play.hand.placements[0][2]) == "-/TcJc/- xQc"
    play.confirm()
    play.confirm()
    assert str(play.hand.placements[0][4]) == "3d4d/-/- x5d"
    # With care: in order of receipt the ace would go to the middle, and over the bottom.
    assert ROOM.auto_layout == "order"
    board = Board.parse("KcKd/AcAd7h2s/3c3d8h8cTh")
    last = Knowledge(board=board, dealt=parse_cards("As5h6h"), lays=2, others=(Board(),), inside=(0,))
    assert "As" not in print_cards(careful(last, ROOM).middle)
    assert str(careful(last, ROOM, Placement.parse("5h/-/-"))) == "5h/6h/- xAs"
    assert str(careful(last, ROOM, Placement.parse("5h/As/-"))) == "5h/As/- x6h"


def test_15_3_a_card_put_aside() -> None:
    for draft, laid in (
        ("-/-/- x7c", "-/-/7c8c x9c"),
        ("-/9c/- x7c", "-/9c/7c x8c"),
        ("-/8c/9c x7c", "-/8c/9c x7c"),
        ("-/8c/9c", "-/8c/9c x7c"),
    ):
        play = unmixed()
        play.confirm()
        play.confirm()
        play.time_out({1: Placement.parse(draft)})
        assert str(play.hand.placements[0][1]) == laid


def test_15_4_in_fantasyland_and_in_closed_hands() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    play.now += 170 * SECOND
    play.lay_all()
    play.go_on("ann", "bob")
    place = play.table.players.index("bob")
    dealt = play.hand.dealt(place)
    top = Placement(top=dealt[11:14])
    play.now += 250 * SECOND
    play.ask(TimeOut(drafts={1: top}))
    laid = play.hand.boards[place]
    assert (laid.bottom, laid.middle, laid.top) == (dealt[:5], dealt[5:10], dealt[11:14])
    assert play.hand.placements[place][0].discards == dealt[10:11]
    assert play.table.laying
    for viewer in ("ann", None):
        (side,) = [side for side in shown_hand(play, viewer).players if side.seat == 1]
        assert (side.hidden, side.board.cards) == (True, ())
    (told,) = [event for event in play.log if isinstance(event, AutoPlaced)]
    assert told.rows is None


# -- 16. Away, absent, sitting out


def test_16_1_away() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    play.disconnect("bob")
    seat = shown(play, None).seats[1]
    assert seat is not None
    assert (seat.connected, seat.absent) == (False, False)
    assert deadline(play.table) == play.now + 300 * SECOND
    play.lay_all()
    play.go_on("ann")
    assert play.table.hands == 2


def absent() -> Evening:
    """The second hand of a match, with Ann in Fantasyland; Bob's time ran out in the first while he was away.

    Cyd is the first to act, then Bob. Cyd earns Fantasyland for a third hand.
    """
    hands = ({0: RIGHTS[0], 1: PLAIN, 2: DEAD}, {0: PLAIN, 1: DEAD, 2: LEGAL})
    play = Evening(ROOM.but({"settlement_cap": "none"}), "ann bob cyd", *hands)
    play.ready("ann", "bob", "cyd")
    play.disconnect("bob")
    play.time_out()
    play.lay_all()
    assert play.seat("bob").absent
    play.go_on("ann", "cyd")
    assert (play.table.hands, play.table.laying) == (2, True)
    return play


def test_16_2_absent() -> None:
    play = absent()
    assert play.acting == ("cyd",)
    now = play.now
    laid = [event for event in play.lay_next("cyd") if isinstance(event, AutoPlaced)]
    assert [(event.seat, event.at) for event in laid] == [(1, now)]
    assert 1 not in turn_ends(play.table)
    # Who runs out of time in front of the table is not absent: in the next hand of the match he is waited for.
    there = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    there.ready("ann", "bob")
    there.time_out()
    there.lay_all()
    there.go_on("ann", "bob")
    assert not there.seat("bob").absent
    assert set(turn_ends(there.table)) == {0, 1}
    assert left(there, "bob") == (120, 0)


def test_16_3_coming_back() -> None:
    early = absent()
    early.connect("bob")
    early.lay_next("cyd")
    assert early.acting == ("bob",)
    assert left(early, "bob") == (120, 0)
    early.now += 10 * SECOND
    early.lay_all()
    assert not any(isinstance(event, AutoPlaced) and event.at == early.now for event in early.log)
    while early.table.in_match:
        early.go_on("ann", "bob", "cyd")
        early.lay_all()
    assert not early.seat("bob").sitting_out

    late = absent()
    late.lay_next("cyd")
    late.connect("bob")
    late.lay_all()
    by_table = [event.street for event in late.log if isinstance(event, AutoPlaced) and event.seat == 1]
    assert by_table == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    late.go_on("ann", "bob", "cyd")
    assert late.table.hands == 3
    while late.acting[0] != "bob":
        late.lay_next(late.acting[0])
    assert left(late, "bob") == (120, 0)
    while late.table.in_match:
        late.lay_all()
        if late.table.in_match:
            late.go_on("ann", "bob", "cyd")
    assert not late.seat("bob").sitting_out


def test_16_4_still_absent_after_the_match() -> None:
    play = absent()
    assert not play.seat("bob").sitting_out
    play.lay_all()
    while play.table.in_match:
        play.go_on("ann", "cyd")
        play.lay_all()
    assert play.seat("bob").sitting_out

    own = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    own.ready("ann", "bob")
    own.disconnect("bob")
    own.time_out()
    own.lay_all()
    assert [type(event) for event in own.log[-2:]] == [RightsLapsed, SatOut]
    match = shown(own, None).match
    assert match is not None
    assert (match.over, match.lapsed, match.hand) == (True, "absent", 1)

    both = Evening(ROOM, "ann bob", RIGHTS)
    both.ready("ann", "bob")
    both.disconnect("bob")
    both.time_out()
    both.lay_all()
    assert both.table.pausing
    both.go_on("ann")
    assert both.table.hands == 2


def test_16_5_two_hands_laid_by_the_table() -> None:
    for lays_in_the_second in (False, True):
        play = Evening(ROOM, "ann bob", *[{0: PLAIN, 1: DEAD}] * 3)
        for hand in (1, 2):
            play.ready("ann", "bob")
            while play.table.laying:
                if play.acting[0] == "ann" or (hand == 2 and lays_in_the_second and not play.seat("bob").confirmed):
                    play.lay_next(play.acting[0])
                else:
                    play.time_out()
            assert play.seat("bob").sitting_out == (hand == 2 and not lays_in_the_second)


def asked_aside() -> Play:
    play = Play(ROOM, "ann bob")
    play.ask(SitOut(player="bob"))
    return play


def unready() -> Play:
    play = Play(ROOM, "ann bob cyd")
    play.ready("ann", "cyd")
    play.time_out()
    return play


def gone() -> Play:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: DEAD})
    play.ready("ann", "bob")
    play.disconnect("bob")
    play.time_out()
    play.lay_all()
    return play


def asleep() -> Play:
    play = Evening(ROOM, "ann bob", *[{0: PLAIN, 1: DEAD}] * 2)
    for _ in range(2):
        play.ready("ann", "bob")
        while play.table.laying:
            if play.acting == ("bob",):
                play.time_out()
            else:
                play.lay_next("ann")
    return play


def test_16_6_sitting_out_and_back() -> None:
    for back_by_ready in (True, False):
        play = Evening(ROOM, "ann bob cyd", *[{0: PLAIN, 1: DEAD, 2: LEGAL}] * 3)
        play.ask(SitOut(player="cyd"))
        for match in (1, 2):
            play.ready("ann", "bob")
            assert (play.table.hands, len(play.hand.seats)) == (match, 2)
            assert refused(play, SitOut(player="ann")) == "match-running"
            play.lay_all()
        if back_by_ready:
            play.ready("cyd")
        else:
            play.come_back("cyd")
        assert not play.seat("cyd").sitting_out
        play.ready("ann", "bob")
        assert play.table.busy == back_by_ready
    for position, why in ((asked_aside(), "asked"), (unready(), "not-ready"), (gone(), "absent"), (asleep(), "idle")):
        bob = next(seat for seat in shown(position, "bob").seats if seat and seat.name == "Bob")
        assert (bob.sitting_out, bob.aside) == (True, why)
    late = Play(ROOM, "ann bob")
    late.ready("ann", "bob")
    late.sit("cyd")
    late.ask(SitOut(player="cyd"))
    assert late.seat("cyd").sitting_out


def test_16_7_a_seat_is_held_ten_minutes() -> None:
    play = Play(ROOM, "ann")
    assert deadline(play.table) == play.now + 600 * SECOND
    assert [type(event) for event in play.time_out()] == [Left]

    play = Play(ROOM.but({"hand_seconds": "3600"}), "ann bob cyd")
    play.ready("ann", "bob")
    play.time_out()
    assert play.seat("cyd").sitting_out
    play.now += 600 * SECOND
    assert [type(event) for event in play.ask(TimeOut())] == [Left]
    play.sit("dee")
    play.now += 600 * SECOND + 1
    assert play.ask(TimeOut()) == ()
    assert play.table.seat_of("dee") is not None
    bots = Play(ROOM, "bot:0")
    assert deadline(bots.table) is None


def test_16_8_everybody_gone() -> None:
    for rules in (ROOM, CLUB, CLUB_PINEAPPLE):
        play = Evening(rules, "ann bob", RIGHTS)
        play.ready("ann", "bob", always=True)
        play.disconnect("ann", "bob")
        while play.table.in_match:
            play.time_out()
        stacks = {seat.player: seat.stack for _, seat in play.table.seated}
        assert [seat.sitting_out for _, seat in play.table.seated] == [True, True]
        assert sorted(stacks.values()) == [36, 64]
        while deadline(play.table) is not None:
            play.time_out()
        assert (play.table.seated, play.table.hands) == ((), 1)
        assert {player: purse.stack for player, purse in play.table.gone.items()} == stacks
