"""The rule book, chapter 18: the host of a table, and the account of an evening."""

from __future__ import annotations

import pytest

from ananas.game.rules import CLUB, ROOM, RuleSet
from ananas.table.account import EXACT, account, settle_up
from ananas.table.commands import (
    Break,
    ChangeRules,
    Confirm,
    Leave,
    Open,
    PassHost,
    Publish,
    Remove,
    SeatBot,
    Sit,
    SitOut,
    TimeOut,
    TopUp,
)
from ananas.table.decide import advance
from tests.rules.book import DEAD, LEGAL, PLAIN, Evening, refused, shown
from tests.table.play import Play, legal

SECOND = 1000
MINUTE = 60 * SECOND
KIWI = SeatBot(player="ann", bot="bot:0", name="Kiwi")


def others_rules(player: str, text: str) -> ChangeRules:
    return ChangeRules(player=player, rules=RuleSet.parse(text))


def removed(play: Play, seat: int) -> None:
    play.ask(Remove(player="ann", seat=seat))


def told(play: Play) -> list[tuple[str, str | None]]:
    """What a spectator was told last."""
    return [(notice.what, notice.name) for notice in shown(play, None).notices]


def test_18_1_who_is_the_host() -> None:
    for players in ("bob cyd", "bob ann cyd"):
        assert Play(ROOM, players).table.host == "ann"
    play = Play(ROOM, "bob ann cyd")
    play.leave("ann")
    assert play.table.host == "cyd"
    play = Play(CLUB, "bob bot:0 ann bot:1")
    play.leave("ann")
    assert play.table.host == "bob"
    play.leave("bob")
    assert play.table.host == "bob"

    both = Evening(ROOM, "ann bob cyd", {0: PLAIN, 1: DEAD, 2: LEGAL})
    both.ready("ann", "bob", "cyd")
    both.leave("ann", "bob")
    both.lay_all()
    while both.table.in_match:
        both.time_out()
        both.lay_all()
    assert both.table.host == "cyd"

    play = Play(ROOM, "ann bob bot:0")
    assert refused(play, PassHost(player="ann", seat=2)) == "nobody-there"
    play.ask(PassHost(player="ann", seat=1))
    assert [seat.name for seat in shown(play, None).seats if seat and seat.host] == ["Bob"]
    for asked in (
        Break(player="ann", on=True),
        Remove(player="ann", seat=2),
        PassHost(player="ann", seat=0),
        others_rules("ann", "club"),
        Publish(player="ann", on=True),
    ):
        assert refused(play, asked) == "not-host"


def test_18_2_the_game_is_stopped() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: DEAD})
    play.ready("ann", "bob")
    play.now += 30 * SECOND
    play.stop()
    play.now += 20 * MINUTE
    clocks = [seat.clock for seat in shown(play, None).seats if seat and seat.clock]
    assert [(clock.hand_ms // SECOND, clock.running) for clock in clocks] == [(120, False), (90, False)]
    confirm = Confirm(player="bob", hand=1, street=1, placement=legal(play.hand, 0))
    assert refused(play, confirm) == "on-break"
    assert play.ask(TimeOut()) == ()
    play.sit("cyd")
    play.leave("cyd")

    asked = Play(ROOM, "ann bob cyd")
    asked.stop()
    asked.ask(TopUp(player="bob", to=70))
    asked.leave("cyd")
    asked.ready("ann", "bob")
    assert (asked.seat("bob").stack, asked.table.busy) == (70, False)

    pause = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL})
    pause.ready("ann", "bob")
    pause.lay_all()
    pause.stop()
    pause.go_on("ann", "bob")
    pause.now += 10 * SECOND
    assert pause.ask(TimeOut()) == ()
    assert pause.table.pausing


def test_18_3_the_game_goes_on() -> None:
    for player, minutes in (("ann", 7), (None, 30)):
        play = Play(ROOM, "ann bob")
        play.ready("ann", "bob")
        play.now += 30 * SECOND
        play.stop()
        stopped = play.now
        if player is None:
            play.time_out()
        else:
            play.now += minutes * MINUTE
            play.resume(player)
        assert play.now == stopped + minutes * MINUTE
        bob = shown(play, None).seats[1]
        assert bob
        assert bob.clock
        assert (bob.clock.hand_ms, bob.clock.running) == (90 * SECOND, True)

    play = Play(ROOM, "ann bob")
    play.stop()
    assert refused(play, Break(player="bob", on=False)) == "not-host"
    play.ready("ann", "bob")
    play.disconnect("ann")
    assert refused(play, Break(player="dee", on=False)) == "not-host"
    play.resume("bob")
    assert play.table.laying

    unseated = Play(ROOM, "bob cyd")
    unseated.stop()
    unseated.resume("cyd")
    assert refused(unseated, Break(player="cyd", on=True)) == "not-host"


def test_18_4_who_is_removed() -> None:
    between = Play(ROOM, "ann bob cyd")
    assert refused(between, Remove(player="ann", seat=1)) == "not-away"
    between.disconnect("bob")
    removed(between, 1)
    between.ask(SitOut(player="cyd"))
    removed(between, 2)
    assert [seat.player for _, seat in between.table.seated] == ["ann"]
    between.sit("bob", "bot:0")
    removed(between, 2)
    assert between.table.seat_of("bot:0") is None

    for stays in (True, False):
        play = Evening(ROOM, "ann bob", {0: PLAIN, 1: DEAD})
        play.ready("ann", "bob")
        assert refused(play, Remove(player="ann", seat=1)) == "not-away"
        play.disconnect("bob")
        removed(play, 1)
        play.connect("bob")
        assert play.table.seat_of("bob") == 1
        if stays:
            play.come_back("bob")
        play.lay_all()
        assert (play.table.seat_of("bob") == 1) == stays
        if not stays:
            play.sit("bob")
            assert shown(play, None).gone == ()


def test_18_5_a_bot_sits_down() -> None:
    play = Play(ROOM, "ann bob")
    play.ready("ann", "bob")
    play.ask(KIWI)
    kiwi = play.seat("bot:0")
    assert (kiwi.bot, kiwi.stack, sorted(play.table.dealt_in)) == (True, ROOM.buy_in[0], [0, 1])
    assert refused(play, SeatBot(player="ann", bot="bot:1", name="Mango")) == "table-full"
    assert refused(Play(ROOM, "ann bob"), SeatBot(player="bob", bot="bot:0", name="Kiwi")) == "not-host"


def test_18_6_the_rules_change() -> None:
    play = Evening(ROOM.but({"buy_in": "100-100"}), "ann bob cyd", {0: PLAIN, 1: LEGAL, 2: DEAD})
    play.ready("ann", "bob", "cyd")
    assert refused(play, others_rules("ann", "club")) == "match-running"
    play.lay_all()
    while play.table.in_match:
        assert refused(play, others_rules("ann", "club")) == "match-running"
        play.time_out()
        play.lay_all()
    play.ready("ann")
    before = {seat.name: (seat.stack, seat.total) for seat in shown(play, None).seats if seat}
    assert len(set(before.values())) == 3
    play.ask(others_rules("ann", "club"))
    view = shown(play, "ann")
    assert (view.rules, len(view.seats), view.hand, view.match) == (CLUB, 4, None, None)
    assert view.notices[-1].changes == view.changes
    assert {change.rule: change.new for change in view.changes if change.old == "14"} == {
        "fantasyland_cards": "13",
        "fantasyland_stay_cards": "13",
    }
    assert not any(seat.ready for seat in view.seats if seat)
    assert {seat.name: (seat.stack, seat.total) for seat in view.seats if seat} == before
    play.ready("ann", "bob", "cyd")
    match = shown(play, None).match
    assert match
    assert match.circle_match == 1

    two_seats = others_rules("ann", "room seats=2-2")
    company = Play(ROOM, "ann bob cyd")
    assert refused(company, two_seats) == "bad-rule"
    company.leave("bob")
    assert refused(company, two_seats) == "bad-rule"
    company.leave("cyd")
    company.sit("bob")
    company.ask(two_seats)
    assert [seat.player for _, seat in company.table.seated] == ["ann", "bob"]

    for seconds, bank in (("180", 110), ("60", 60), ("300", 300)):
        late = Play(ROOM.but({"fantasyland": "off"}), "ann bob")
        late.ready("ann", "bob")
        late.now += 190 * SECOND
        late.finish()
        late.ask(others_rules("ann", f"room scoring=2-4 bank_seconds={seconds}"))
        assert late.seat("bob").clock.bank_ms == bank * SECOND


def test_18_7_money_at_the_price_it_was_won_at() -> None:
    play = Evening(ROOM.but({"fantasyland": "off"}), "ann bob", *[{0: PLAIN, 1: DEAD}] * 2)
    play.play()
    first = play.seat("ann").stack - 50
    play.ask(others_rules("ann", "room fantasyland=off point_price=50"))
    assert play.seat("ann").money == first * 1000
    play.play()
    second = play.seat("ann").stack - 50 - first
    assert second > 0
    totals = [(seat.total, seat.money) for seat in shown(play, None).seats if seat]
    assert totals[0] == (first + second, first * 1000 + second * 50)
    assert totals[1] == (-totals[0][0], -totals[0][1])


def test_18_8_open_tables() -> None:
    for public in (False, True):
        opening = Open(table="t1", name="Friday", host="ann", rules=ROOM, public=public)
        assert advance(None, opening, now=0)[1].public == public
    play = Play(ROOM, "ann bob")
    assert not shown(play, None).public
    for on in (True, False):
        assert refused(play, Publish(player="bob", on=on)) == "not-host"
        play.ask(Publish(player="ann", on=on))
        assert shown(play, None).public == on


def test_18_9_everybody_is_told() -> None:
    play = Play(ROOM, "ann bob cyd")
    play.stop()
    play.resume()
    play.disconnect("cyd")
    removed(play, 2)
    assert told(play) == [("break", None), ("break-over", None), ("removed", "Cyd")]
    play.ask(KIWI)
    removed(play, 2)
    play.ask(others_rules("ann", "progressive"))
    assert told(play)[2:] == [("bot-seated", "Kiwi"), ("bot-removed", "Kiwi"), ("rules-changed", None)]
    play.ask(Publish(player="ann", on=True))
    play.ask(Publish(player="ann", on=False))
    play.ask(PassHost(player="ann", seat=1))
    assert told(play)[2:] == [("public", None), ("private", None), ("host", "Bob")]
    play.leave("bob")
    assert told(play)[-1] == ("host", "Ann")


def test_18_10_the_account() -> None:
    play = Evening(ROOM, "ann bob bot:0", *[{0: PLAIN, 1: DEAD, 2: LEGAL}] * 9)
    play.ready("ann", "bob", "bot:0")
    play.lay_all()
    while play.table.in_match:
        play.time_out()
        play.lay_all()
    counted = play.table.hands
    play.ask(Leave(player="bob"))
    play.ask(Sit(player="cyd", name="Cyd"))
    found = account(play.table, "bob")
    assert {(player.name, player.bot, player.seat is not None, player.you) for player in found.players} == {
        ("Ann", False, True, False),
        ("Bob", False, False, True),
        ("Kiwi", True, True, False),
    }
    assert found.hands == counted
    assert [player.money for player in found.players] == [player.points * ROOM.point_price for player in found.players]
    assert sum(player.points for player in found.players) == 0
    # Bots have no purse.
    assert [player.due for player in found.players if player.bot] == [0]
    left = [player.due for player in found.players]
    assert any(left)
    for payment in found.payments:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert left == [0, 0, 0]
    play.ready("ann", "cyd", "bot:0")
    assert play.table.laying
    assert account(play.table, "bob") == found

    assert EXACT == 12
    assert len(settle_up([5, 3, -3, -5])) == 2
    assert len(settle_up([7, 6, 2, -8, -4, -3])) == 4
    with pytest.raises(ValueError, match="somebody"):
        settle_up([1])
