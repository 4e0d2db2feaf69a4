"""The rule book, chapters 11 to 13: match and circle, readiness, chips."""

from __future__ import annotations

from collections import Counter

from ananas.deal import LOTS
from ananas.game.rules import ROOM, RuleSet
from ananas.refused import Code
from ananas.table.clock import deadline
from ananas.table.commands import Always, ChangeRules, GoOn, Leave, Ready, Sit, SitOut, TimeOut, TopUp, Waive
from ananas.table.events import RightsLapsed, SatOut, ToppedUp
from ananas.table.view import MatchView
from tests.rules.book import (
    ALSO_DEAD,
    DEAD,
    LEGAL,
    PLAIN,
    TRIPS,
    Evening,
    refused,
    shown,
)
from tests.table.play import Play

PLAIN_HANDS = [{0: PLAIN, 1: DEAD, 2: ALSO_DEAD}] * 12
OVER = "JsJd4c/3s3h3d9c9h/TcTdThAsAd"
"""No Fantasyland, and 14 points from LEGAL, with which it shares no card."""
NOTHING = "7c6d2d/KhKdQh5h4d/AhAcJhJc2c"
"""No Fantasyland, no royalties, and no card of LEGAL or OVER."""
SHORT = RuleSet.parse("room buy_in=10-100")


def match_of(play: Play) -> MatchView:
    match = shown(play, None).match
    assert match is not None
    return match


def won(play: Play) -> dict[str, int]:
    return {player.name: player.won for player in match_of(play).players}


def plain(play: Evening) -> None:
    """A match of one hand, by those who are seated."""
    play.ready(*(seat.player for _, seat in play.table.seated))
    play.lay_all()
    assert not play.table.in_match


# -- 11. Match and circle


def test_11_1_a_match() -> None:
    play = Evening(
        ROOM, "ann bob", {0: PLAIN, 1: LEGAL}, {0: PLAIN, 1: TRIPS}, {0: PLAIN, 1: DEAD}, {0: PLAIN, 1: DEAD}
    )
    play.ready("ann", "bob")
    play.sit("cyd")
    for hand in (1, 2, 3):
        assert (match_of(play).number, match_of(play).hand, match_of(play).over) == (1, hand, False)
        assert sorted(play.hand.seats) == [0, 1]
        play.lay_all()
        if hand < 3:
            assert refused(play, Ready(player="cyd", hand=hand + 1, always=False)) == "match-running"
            play.go_on("ann", "bob")
    assert match_of(play).over
    play.leave("cyd")
    plain(play)
    assert (match_of(play).number, match_of(play).hand) == (2, 1)


def circle(play: Play) -> tuple[int, int]:
    """Which match of the circle it is, of how many."""
    return match_of(play).circle_match, match_of(play).circle_size


def test_11_2_a_circle() -> None:
    rules = ROOM.but({"settlement_cap": "none"})
    for players in ("ann bob", "ann bob cyd"):
        many = len(players.split())
        play = Evening(rules, players, *PLAIN_HANDS)
        seen: list[tuple[int, int]] = []
        for _ in range(2 * many):
            plain(play)
            seen.append(circle(play))
        assert seen == [(match, many) for match in range(1, many + 1)] * 2
    # Fantasyland is a part of its match, not a match of the circle.
    play = Evening(rules, "ann bob", {0: PLAIN, 1: LEGAL}, {0: PLAIN, 1: DEAD}, {0: PLAIN, 1: DEAD})
    play.play()
    plain(play)
    assert (play.table.hands, circle(play)) == (3, (2, 2))

    joined = Evening(rules, "ann bob", *PLAIN_HANDS)
    plain(joined)
    joined.sit("cyd")
    plain(joined)
    assert circle(joined) == (1, 3)
    joined.leave("cyd")
    plain(joined)
    assert circle(joined) == (1, 2)

    returned = Evening(rules, "ann bob", *PLAIN_HANDS)
    plain(returned)
    returned.leave("bob")
    returned.sit("bob")
    plain(returned)
    assert circle(returned) == (1, 2)

    broke = Evening(RuleSet.parse("room buy_in=5-100"), "ann bob", *PLAIN_HANDS)
    plain(broke)
    assert (circle(broke), broke.seat("bob").stack) == ((1, 2), 0)
    broke.top_up("bob", 50)
    plain(broke)
    assert circle(broke) == (1, 2)
    plain(broke)
    assert circle(broke) == (2, 2)


def test_11_3_the_button() -> None:
    drawn = Counter[int]()
    for lot in range(LOTS):
        play = Play(ROOM, "ann bob cyd", lot=lot)
        play.ready("ann", "bob", "cyd")
        drawn[play.hand.seats[-1]] += 1
    assert drawn == {0: 4, 1: 4, 2: 4}
    evening = Evening(ROOM.but({"settlement_cap": "none"}), "ann bob cyd", *PLAIN_HANDS)
    buttons: list[int | None] = []
    for _ in range(4):
        plain(evening)
        buttons.append(evening.table.button)
    assert buttons == [0, 1, 2, 0]
    evening.leave("bob")
    plain(evening)
    assert evening.table.button == 2
    evening.leave("cyd")
    evening.sit("bob")
    plain(evening)
    assert evening.table.button == 0


def test_11_4_between_the_hands_of_a_match() -> None:
    for hurry in (True, False):
        play = Evening(ROOM, "ann bob bot:0", {0: PLAIN, 1: LEGAL, 2: DEAD})
        play.ready("ann", "bob", "bot:0")
        play.lay_all()
        assert play.table.showdown_until == deadline(play.table) == play.now + 8_000
        assert refused(play, Ready(player="ann", hand=2, always=False)) == "match-running"
        if hurry:
            play.go_on("ann")
            assert not play.table.laying
            play.go_on("bob")
        else:
            play.time_out()
        assert (play.table.hands, play.table.laying) == (2, True)
    away = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    away.ready("ann", "bob")
    away.lay_all()
    away.go_on("bob")
    away.disconnect("ann")
    assert away.table.hands == 2
    empty = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    empty.ready("ann", "bob")
    empty.lay_all()
    empty.disconnect("ann", "bob")
    assert empty.table.hands == 1
    empty.time_out()
    assert empty.table.hands == 2


def test_11_5_what_each_has_won() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL}, {0: PLAIN, 1: DEAD})
    play.ready("ann", "bob")
    while play.table.laying:
        assert won(play) == {"Ann": 0, "Bob": 0}
        play.lay_next(play.acting[0])
    assert won(play) == {"Ann": -10, "Bob": 10}
    play.go_on("ann", "bob")
    while play.table.laying:
        assert won(play) == {"Ann": -10, "Bob": 10}
        play.lay_next(play.acting[0])
    assert won(play) == {"Ann": -10 + 8, "Bob": 10 - 8}
    reckoning = play.hand.reckoning
    assert reckoning is not None
    assert {player.seat: player.won for player in reckoning.players} == {0: 8, 1: -8}


def test_11_6_waiving() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    assert refused(play, Waive(player="bob")) == "nothing-to-waive"
    play.lay_all()
    assert refused(play, Waive(player="ann")) == "nothing-to-waive"
    play.ask(Waive(player="bob"))
    assert (match_of(play).over, match_of(play).lapsed, match_of(play).hand) == (True, "waived", 1)
    both = Evening(ROOM, "ann bob", {0: "AsAd4c/3s4d5h6d7c/JhJdJc9s9c", 1: LEGAL})
    both.ready("ann", "bob")
    both.lay_all()
    assert refused(both, Waive(player="bob")) == "nothing-to-waive"


# -- 12. Ready


def test_12_1_ready_before_each_match() -> None:
    play = Evening(ROOM, "ann bob cyd", *PLAIN_HANDS)
    for match in (1, 2):
        play.ready("ann", "bob")
        assert not play.table.busy
        play.ready("cyd")
        assert play.table.hands == match
        play.lay_all()
    bots = Play(ROOM, "bot:0 bot:1")
    bots.ready("bot:0", "bot:1")
    assert bots.table.hands == 0
    alone = Play(ROOM, "ann")
    alone.ready("ann")
    assert alone.table.hands == 0
    three = Play(RuleSet.parse("room seats=3-3"), "ann bob")
    three.ready("ann", "bob")
    assert (three.table.hands, three.table.ready_by) == (0, None)


def test_12_2_the_others_have_thirty_seconds() -> None:
    play = Play(ROOM, "ann bob cyd")
    play.ready("ann", "bob")
    assert deadline(play.table) == play.now + 30_000
    assert type(play.time_out()[0]) is SatOut
    assert (play.seat("cyd").sitting_out, play.seat("cyd").stack) == (True, 50)
    assert play.hand.seats == (1, 0)
    hurried = Evening(RuleSet.parse("room ready_seconds=3"), "ann bob cyd", *PLAIN_HANDS)
    plain(hurried)
    hurried.ready("ann", "bob")
    assert hurried.table.ready_by == hurried.now + 8_000
    with_bots = Play(ROOM, "ann bot:0 bot:1")
    with_bots.ready("bot:0", "bot:1")
    assert with_bots.table.ready_by is None


def test_12_3_fewer_than_two() -> None:
    play = Play(ROOM, "ann bob cyd")
    play.ready("ann", "bob")
    assert play.table.ready_by is not None
    play.leave("bob")
    assert play.table.ready_by is None
    play.now += 40_000
    assert play.ask(TimeOut()) == ()
    assert (play.table.hands, play.seat("cyd").sitting_out) == (0, False)


def test_12_4_ready_to_play_for_what_one_has_brought() -> None:
    play = Evening(SHORT, "ann bob", {0: LEGAL, 1: DEAD})
    play.ready("ann", "bob")
    assert play.hand.stacks == (10, 10)
    play.lay_all()
    play.ask(Waive(player="ann"))
    assert refused(play, Ready(player="bob", hand=2, always=False)) == "broke"
    play.top_up("bob", 30)
    play.ready("ann", "bob")
    assert sorted(play.hand.stacks) == [20, 30]


def test_12_5_while_the_last_showdown_stands() -> None:
    play = Evening(ROOM, "ann bob", *PLAIN_HANDS)
    plain(play)
    assert play.table.showdown_until == play.now + 8_000
    play.ready("ann", "bob")
    assert (play.table.hands, play.table.busy) == (2, True)


def test_12_6_always_ready() -> None:
    says = Evening(ROOM, "ann bob", *PLAIN_HANDS)
    for on in (True, False, True):
        says.ask(Always(player="bob", on=on))
        assert (says.seat("bob").always_ready, says.seat("bob").ready) == (on, False)

    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL}, *PLAIN_HANDS)
    play.ready("ann", "bob", always=True)
    play.lay_all()
    play.go_on("ann", "bob")
    play.lay_all()
    assert not play.table.in_match
    assert deadline(play.table) == play.now + 8_000
    play.time_out()
    assert (play.table.hands, play.table.busy) == (3, True)

    late = play.acting[0]
    play.time_out()
    play.lay_all()
    assert {seat.player: seat.always_ready for _, seat in play.table.seated} == {
        player: player != late for player in ("ann", "bob")
    }

    away = Evening(ROOM, "ann bob", *PLAIN_HANDS)
    away.ready("ann", "bob", always=True)
    away.lay_all()
    away.disconnect("bob")
    away.time_out()
    assert (away.seat("ann").ready, away.seat("bob").ready) == (True, False)
    away.ask(SitOut(player="bob"))
    assert not away.seat("bob").always_ready

    for what in ("somebody sits", "somebody leaves", "the rules change"):
        play = Evening(ROOM, "ann bob", *PLAIN_HANDS)
        play.ready("ann", "bob", always=True)
        play.lay_all()
        assert play.seat("ann").always_ready
        if what == "somebody sits":
            play.sit("cyd")
        elif what == "somebody leaves":
            play.leave("bob")
        else:
            play.ask(ChangeRules(player="ann", rules=ROOM.but({"scoring": "2-4"})))
        assert not play.seat("ann").always_ready


# -- 13. Chips


def sitting(play: Play, player: str, *, chips: int | None = None, name: str = "Dee", seat: int | None = None) -> Code:
    return refused(play, Sit(player=player, name=name, buy_in=chips, seat=seat))


def test_13_1_sitting_down() -> None:
    assert ROOM.buy_in == (50, 100)
    play = Play(ROOM, "ann")
    play.ask(Sit(player="bob", name="Bob", buy_in=100, seat=2))
    assert [seat and seat.stack for seat in play.table.seats] == [50, None, 100]
    assert sitting(play, "dee", chips=49) == sitting(play, "dee", chips=101) == "bad-buy-in"
    assert sitting(play, "dee", seat=2) == "seat-taken"
    assert sitting(play, "dee", name="Воb") == "name-taken"
    play.ask(Sit(player="cyd", name="Cyd"))
    assert sitting(play, "dee") == "table-full"
    assert Play(RuleSet.parse("room buy_in=80-90"), "ann").seat("ann").stack == 80


def test_13_2_the_price_of_a_point() -> None:
    assert ROOM.point_price == 1000
    assert ROOM.buy_in[0] * ROOM.point_price == 500 * 100
    stacks: list[list[int]] = []
    for price in ("0", "1000", "100000"):
        play = Evening(ROOM.but({"point_price": price}), "ann bob", *PLAIN_HANDS)
        plain(play)
        assert shown(play, None).rules.point_price == int(price)
        stacks.append([seat.stack for _, seat in play.table.seated])
    assert stacks == [[58, 42]] * 3


def test_13_3_bringing_more() -> None:
    play = Evening(ROOM, "ann bob cyd", *PLAIN_HANDS)
    play.top_up("cyd", 60)
    assert refused(play, TopUp(player="cyd", to=101)) == "bad-buy-in"
    assert refused(play, TopUp(player="cyd", to=60)) == "bad-buy-in"
    play.top_up("cyd", 100)
    assert refused(play, TopUp(player="cyd", to=101)) == "enough-chips"
    play.ready("ann", "bob")
    play.time_out()
    play.lay_all()
    assert [seat.stack for _, seat in play.table.seated] == [58, 42, 100]
    play.ready("ann", "bob")
    assert sorted(play.hand.stacks) == [42, 58]
    late = Play(ROOM, "ann bob")
    late.ready("ann", "bob")
    late.sit("cyd")
    late.top_up("cyd", 70)
    assert late.seat("cyd").stack == 70


def test_13_4_not_in_a_match() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    play.ready("ann", "bob")
    assert refused(play, TopUp(player="ann", to=100)) == "match-running"
    play.lay_all()
    assert play.seat("ann").stack == 40
    assert refused(play, TopUp(player="ann", to=100)) == "match-running"
    play.ask(Waive(player="bob"))
    play.top_up("ann", 100)
    assert play.seat("ann").stack == 100


def test_13_5_broke() -> None:
    play = Evening(SHORT, "ann bob", {0: DEAD, 1: LEGAL})
    play.ready("ann", "bob")
    play.lay_all()
    play.ask(Waive(player="bob"))
    assert [(seat.stack, play.table.is_broke(seat)) for _, seat in play.table.seated] == [(0, True), (20, False)]
    assert refused(play, Ready(player="ann", hand=2, always=False)) == "broke"
    assert refused(play, TopUp(player="ann", to=9)) == "bad-buy-in"
    play.top_up("ann", 10)
    play.ready("ann")
    assert play.seat("ann").ready
    bot = Evening(SHORT, "ann bot:0", {0: PLAIN, 1: DEAD}, {0: LEGAL, 1: DEAD})
    for stack in (2, 10):
        bot.ready("ann", "bot:0")
        bot.lay_all()
        assert bot.seat("bot:0").stack == stack
    assert [type(event) for event in bot.log].count(ToppedUp) == 1
    owing = Evening(SHORT.but({"settlement_cap": "none"}), "ann bob", {0: LEGAL, 1: DEAD})
    owing.ready("ann", "bob")
    owing.lay_all()
    owing.ask(Waive(player="ann"))
    owing.ready("bob")
    assert (owing.seat("bob").stack, owing.seat("bob").ready) == (-7, True)


def pending(rules: RuleSet = SHORT, players: str = "ann bob cyd") -> Evening:
    """After a hand in which Bob got the right to Fantasyland and the others lost all they had."""
    play = Evening(rules, players, {0: DEAD, 1: LEGAL, 2: ALSO_DEAD})
    play.ready(*players.split())
    play.lay_all()
    assert [seat.stack for _, seat in play.table.seated] == [0, 10 * len(players.split()), 0][: len(players.split())]
    return play


def test_13_6_bringing_chips_while_fantasyland_is_to_come() -> None:
    play = pending()
    assert play.table.top_up_by == play.now + 30_000
    assert refused(play, TopUp(player="ann", to=11)) == "bad-buy-in"
    assert refused(play, TopUp(player="bob", to=100)) == "match-running"
    play.top_up("ann", 10)
    play.time_out()
    assert not play.table.busy
    play.time_out()
    assert (play.table.hands, sorted(play.hand.seats)) == (2, [0, 1])

    for says in (GoOn(player="cyd", hand=1), Leave(player="cyd")):
        early = pending()
        early.top_up("ann", 10)
        early.time_out()
        early.ask(says)
        early.deal_if_owed()
        assert (early.table.hands, sorted(early.hand.seats)) == (2, [0, 1])

    assert pending(SHORT.but({"ready_seconds": "3"})).table.top_up_by == play.now - 30_000 + 8_000


def test_13_7_rights_lapse() -> None:
    play = pending()
    play.time_out()
    assert match_of(play).lapsed is None
    assert [type(event) for event in play.time_out()] == [RightsLapsed]
    assert (match_of(play).over, match_of(play).lapsed) == (True, "one-left")

    holder = Evening(SHORT, "ann bob cyd", {0: NOTHING, 1: LEGAL, 2: OVER})
    holder.ready("ann", "bob", "cyd")
    holder.lay_all()
    assert (list(holder.table.rights), holder.seat("bob").stack) == ([1], 0)
    assert holder.seat("ann").stack == 0
    holder.top_up("ann", 10)
    holder.go_on("ann", "cyd", "bob")
    assert (match_of(holder).over, match_of(holder).lapsed) == (True, "broke")


def test_13_8_leaving() -> None:
    play = Evening(ROOM, "ann bob cyd", {0: PLAIN, 1: LEGAL}, {0: PLAIN, 1: DEAD})
    play.ready("ann", "bob")
    play.time_out()
    play.leave("cyd")
    assert play.table.seat_of("cyd") is None
    play.leave("ann")
    assert play.table.seat_of("ann") is not None
    play.come_back("ann")
    play.leave("bob")
    play.lay_all()
    assert play.table.seat_of("bob") is not None
    play.go_on("ann", "bob")
    play.lay_all()
    assert play.table.seat_of("ann") is not None
    assert play.table.seat_of("bob") is None
    assert play.table.gone["bob"].stack == 50 + 10 - 8
    broke = pending()
    broke.top_up("cyd", 10)
    broke.time_out()
    broke.leave("ann")
    assert broke.table.called == (1, 2)
    assert broke.table.seat_of("ann") is None


def test_13_9_coming_back_within_a_day() -> None:
    for boards, brought, left_with, least in (
        ({0: DEAD, 1: PLAIN}, 51, 43, 50),
        ({0: PLAIN, 1: DEAD}, 60, 68, 68),
        ({0: PLAIN, 1: DEAD}, 100, 108, 100),
    ):
        play = Evening(ROOM, "ann bob", boards)
        play.top_up("ann", brought)
        plain(play)
        assert play.seat("ann").stack == left_with
        play.leave("ann")
        assert sitting(play, "ann", chips=least - 1, name="Ann") == "bad-buy-in"
        play.sit("ann")
        assert play.seat("ann").stack == least
        play.leave("ann")
        play.now += 24 * 3600 * 1000
        play.sit("ann")
        assert play.seat("ann").stack == 50


def test_13_10_the_account_goes_on() -> None:
    play = Evening(ROOM, "ann bob", *PLAIN_HANDS)
    plain(play)
    play.leave("ann")
    play.sit("cyd")
    play.now += 48 * 3600 * 1000
    play.sit("ann")
    account = {seat.name: seat.total for seat in shown(play, None).seats if seat is not None}
    assert account == {"Ann": 8, "Bob": -8, "Cyd": 0}
    play.leave("bob")
    play.top_up("ann", 90)
    seated = sum(seat.stack - seat.brought for _, seat in play.table.seated)
    gone = sum(purse.stack - purse.brought for purse in play.table.gone.values())
    assert (seated, gone) == (8, -8)
