"""Sessions told as text: what happens, and what each seat and a spectator then see.

After each step only what has changed is written: a line that all see alike once, with their own line below it for those
who see something else. `python -m tests.table.test_playthrough` writes the files again; read the difference before
keeping it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from ananas.game.board import Placement
from ananas.game.cards import DECK, Card, print_cards
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.view import PlayerView
from ananas.table.commands import (
    ChangeRules,
    GoOn,
    Leave,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    SeatBot,
    SitOut,
    TimeOut,
    TopUp,
    Waive,
)
from ananas.table.view import Live, SeatView, TableView, view_table
from tests.table.play import BOARDS, NAMES, Play

DATA: Final = Path(__file__).parent.parent / "data"
TALES: Final[dict[str, Callable[[], Tale]]] = {}

TIMES: Final = {"hand_seconds": "60", "bank_seconds": "20", "buy_in": "5-100"}
ROOM: Final = RULE_SETS["room"].but(TIMES)
CLUB: Final = RULE_SETS["club"].but(TIMES)
CLUB_PINEAPPLE: Final = RULE_SETS["club-pineapple"].but(TIMES)


class Tale:
    """A session that is being told; the first button falls on the first who sits down."""

    def __init__(self, rules: RuleSet = ROOM, lot: int = 0, **stacks: int) -> None:
        self.play = Play(rules, lot=lot)
        self.lines = [f"rules: {rules}"]
        self.seen: dict[str, str] = {}
        for player, chips in stacks.items():
            self.play.sit(player, buy_in=chips)
        self.viewers: list[str | None] = [*stacks, None]
        self.tell(f"{' and '.join(NAMES[player] for player in stacks)} sit")

    def tell(self, what: str, **drafts: str) -> None:
        """Say what has happened, and what has changed for whom; `drafts`: how cards are arranged now, by player."""
        self.lines += ["", f"== {what}"]
        by_seat: dict[int, Placement] = {}
        for player, text in drafts.items():
            number = self.play.table.seat_of(player)
            assert number is not None
            by_seat[number] = Placement.parse(text)
        live = Live(drafts=by_seat, spectators=1)
        views = {viewer: view_table(self.play.table, viewer, self.play.now, live) for viewer in self.viewers}
        picture = pictured(views)
        self.lines += [line for key, line in picture.items() if self.seen.get(key) != line]
        self.seen = picture

    def dealt(self, what: str, always: str = "", **boards: str) -> None:
        """Who is awaited says that he is ready; the hand is dealt."""
        self.play.next(**boards)
        for player in boards:
            if not self.play.seat(player).ready:
                self.play.ready(player, always=player in always.split())
        self.tell(what)

    def goes_on(self, what: str, *players: str, **boards: str) -> None:
        """These have seen the showdown; the next hand of the match is dealt."""
        self.play.next(**boards)
        self.play.go_on(*players or boards)
        self.tell(what)

    def lays(self, player: str, **drafts: str) -> None:
        """A player confirms his street of the planned board."""
        turn, street = (
            self.play.table.players.index(player),
            self.play.hand.street_of(self.play.table.players.index(player)),
        )
        fantasyland = self.play.hand.fantasyland[turn]
        self.play.as_planned(player)
        self.tell(f"{NAMES[player]} confirms {'Fantasyland' if fantasyland else f'street {street}'}", **drafts)

    def all_lay(self, what: str, until: Callable[[Play], bool] = lambda play: False) -> None:
        """Everybody lays as planned, until something holds or the hand is over; only then is it told."""
        while self.play.table.laying and not until(self.play):
            self.play.as_planned()
        self.tell(what)

    def wait(self, seconds: int) -> None:
        self.play.now += 1000 * seconds

    def alarm(self, what: str, **drafts: str) -> None:
        """The table's next deadline comes; `drafts` as in `tell`."""
        by_seat: dict[int, Placement] = {}
        for player, text in drafts.items():
            number = self.play.table.seat_of(player)
            assert number is not None
            by_seat[number] = Placement.parse(text)
        before = self.play.now
        self.play.time_out(by_seat)
        self.tell(f"{what} ({(self.play.now - before) // 1000} s later)")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def tale(make: Callable[[], Tale]) -> Callable[[], Tale]:
    """Keep a tale under its own name."""
    TALES[make.__name__] = make
    return make


# -- a picture of a table


def pictured(views: dict[str | None, TableView]) -> dict[str, str]:
    """The lines of a table, by what they are about: what a spectator sees, and where others see something else."""
    view = views[None]
    lines = {"table": f"  {headline(view)}"}
    for notice in view.notices:
        lines[f"notice {notice.number}"] = f"  notice {notice.number}: {notice.what} {notice.name or ''}".rstrip()
    lines["host"] = (
        f"  host: {' '.join(seat.name for seat in view.seats if seat and seat.host) or 'nobody who sits here'}"
    )
    for number, seat in enumerate(view.seats):
        lines[f"seat {number}"] = f"  seat {number}: {seated(seat, view.rules.point_price)}"
    if view.hand:
        for place, (name, player) in enumerate(zip(view.names, view.hand.players, strict=True)):
            key = f"board {view.hand.number} {place}"
            lines[key] = f"    {name}{'(o)' if player.seat == view.hand.button else ''} {laid(player)}"
            for viewer, other in views.items():
                assert other.hand
                if viewer is not None and laid(other.hand.players[place]) != laid(player):
                    lines[f"{key} {viewer}"] = f"      {NAMES[viewer]} sees {laid(other.hand.players[place])}"
        if view.hand.reckoning:
            points = [
                f"{name} {result.points:+}"
                for name, result in zip(view.names, view.hand.reckoning.players, strict=True)
            ]
            lines[f"points {view.hand.number}"] = f"    points: {', '.join(points)}"
    for viewer, other in views.items():
        may = [action for action in other.may if action not in {"draft", "say", *HOSTING}]
        chips = f"; chips {other.chips[0]}-{other.chips[1]}" if other.chips else ""
        lines[f"may {viewer}"] = f"  {NAMES[viewer] if viewer else 'a spectator'} may: {' '.join(may) or '-'}{chips}"
        hosting = [action for action in other.may if action in HOSTING]
        if hosting:
            lines[f"hosting {viewer}"] = f"  {NAMES[viewer or '']} may also: {' '.join(hosting)}"
    return lines


HOSTING: Final = ("break", "remove", "seat-bot", "pass-host", "change-rules", "publish")


def headline(view: TableView) -> str:
    words: list[str] = [view.phase]
    if view.break_ms is not None:
        words.append(f"stopped for {view.break_ms // 1000} s at the most")
    if view.held is not None and view.held_ms is not None:
        words.append(f"held ({view.held}) for {view.held_ms // 1000} s at the most")
    if view.public:
        words.append("public")
    if view.match:
        match = view.match
        words.append(
            f"match {match.circle_match} of {match.circle_size}, hand {match.hand}{', over' if match.over else ''}"
        )
        if match.lapsed:
            words.append(f"rights lapsed: {match.lapsed}")
        words.append("won " + " ".join(f"{player.name} {player.won:+}" for player in match.players))
    if view.hand and view.phase == "laying":
        words.append("all closed" if view.hand.closed else f"street {view.hand.street or '-'}")
    for what, time in (
        ("to be ready", view.ready_ms),
        ("to look", view.showdown_ms),
        ("to bring chips", view.top_up_ms),
    ):
        if time is not None:
            words.append(f"{time // 1000} s {what}")
    return "; ".join(words)


def seated(seat: SeatView | None, price: int) -> str:
    if seat is None:
        return "free"
    words = [seat.name, str(seat.stack), f"({seat.total:+})"]
    if seat.money != seat.total * price:
        words.append(f"worth {seat.money:+}")
    if seat.fantasyland:
        words.append(f"has Fantasyland of {seat.fantasyland}")
    if seat.clock:
        running = " running" if seat.clock.running else ""
        words.append(f"[{seat.clock.hand_ms // 1000} + {seat.clock.bank_ms // 1000} s{running}]")
    flags = {
        "ready": seat.ready,
        "always": seat.always_ready,
        f"sitting out ({seat.aside})": seat.sitting_out,
        "leaving": seat.leaving,
        "broke": seat.broke,
        "goes on": seat.gone_on,
        "away": not seat.connected,
        "absent": seat.absent,
        "removable": seat.removable,
    }
    return " ".join(words + [name for name, said in flags.items() if said])


def laid(player: PlayerView) -> str:
    words = ["*"] if player.acting else []
    if player.fantasyland:
        words.append(f"in Fantasyland of {player.fantasyland}:")
    words.append("face down" if player.hidden else str(player.board))
    if player.done:
        words.append("done")
    if player.discard_count:
        words.append(f"x{print_cards(player.discards) or '??' * player.discard_count}")
    if player.dealt_count:
        words.append(f"holds {print_cards(player.dealt) or '??' * player.dealt_count}")
    if player.draft is not None:
        words.append(f"as {player.draft}")
    return " ".join(words)


# -- streets, drafts, time


# Ann, on the button's left, wins 15 points.
ANN: Final = ("Qs/Kd/7c7dAh", "Qh/9h/- x3h", "-/Kc/As x6d", "-/9d/7h xTc", "2c/4s/- x8d")
BOB: Final = ("Ad/Jd/Ts9s6s", "-/Jc/5s x4h", "Kh/-/3s xQd", "-/3d8s/- x6h", "5c/2h/- xJh")


@tale
def two_players() -> Tale:
    tale = Tale(ROOM.but({"fantasyland": "off"}), lot=1, ann=50, bob=50)
    tale.play.decks = whole_deck
    tale.play.ask(Ready(player="ann", hand=1, always=False))
    tale.tell("Ann is ready")
    tale.play.ask(Ready(player="bob", hand=1, always=False))
    tale.tell("Bob is ready; the room owes a deck")
    tale.play.deal_if_owed()
    tale.tell("the hand is dealt; the lot gives Bob the button")
    for street, texts in enumerate(zip(ANN, BOB, strict=True), start=1):
        for player, text in zip(("ann", "bob"), texts, strict=True):
            placement = Placement.parse(text)
            if street <= 2:
                tale.wait(2)
                draft = Placement(top=placement.top, middle=placement.middle[:1])
                tale.tell(f"{NAMES[player]} has laid {draft} so far", **{player: str(draft)})
            tale.wait(4)
            tale.play.lay(player, text)
            tale.tell(f"{NAMES[player]} confirms {placement}")
    tale.alarm("the showdown is over")
    tale.play.leave("bob")
    tale.play.sit("cyd")
    tale.viewers.insert(2, "cyd")
    tale.tell("Bob leaves, and Cyd sits in his place")
    return tale


def whole_deck(_number: int) -> tuple[Card, ...]:
    """A deck that deals each of the two what he lays and throws away, street by street."""
    dealt = [tuple(card for text in texts for card in Placement.parse(text).cards) for texts in (ANN, BOB)]
    rest = [card for card in DECK if card not in dealt[0] + dealt[1]]
    return (*dealt[0], *rest[:9], *dealt[1], *rest[9:])


@tale
def first_street_closed() -> Tale:
    tale = Tale(CLUB, ann=50, bob=50)
    tale.dealt("the hand is dealt: the five cards are Bob's alone until he confirms", ann="plain", bob="plain")
    tale.tell("Bob arranges them", bob="3s4c/-/-")
    tale.lays("bob")
    tale.lays("ann")
    tale.lays("bob")
    tale.all_lay("the other streets follow, card by card")
    return tale


@tale
def time_out_keeps_the_draft() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.lays("bob")
    tale.lays("ann")
    tale.wait(70)
    tale.tell("Bob has thought for 70 seconds: his budget is spent, and half of his bank", bob="-/Ks/-")
    tale.alarm("his time is spent: the draft stays, the rest is laid in order of receipt", bob="-/Ks/-")
    tale.lays("ann")
    tale.all_lay("the table lays on for him, each street when his turn comes")
    return tale


# -- Fantasyland


@tale
def fantasyland_after() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.all_lay("all have laid: queens on top bring Ann Fantasyland")
    tale.goes_on("all go on; the others lay first, in the open", ann="stays", bob="plain", cyd="plain")
    tale.lays("cyd")
    tale.all_lay("the others are done: now Ann gets her cards", until=lambda play: play.acting == ("ann",))
    tale.wait(30)
    tale.tell("she arranges them", ann="-/-/8s8h8d8c")
    tale.lays("ann")
    return tale


@tale
def fantasyland_all_but_one() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="in", cyd="plain")
    tale.all_lay("all have laid: Ann and Bob get in")
    tale.goes_on("all lay at once, and nothing is shown", ann="plain", bob="plain", cyd="plain")
    tale.lays("cyd")
    tale.tell("Ann arranges her cards", ann="8c9d/-/-")
    tale.lays("ann")
    tale.lays("bob")
    tale.all_lay("Cyd lays his last streets, and all is shown")
    return tale


@tale
def fantasyland_heads_up() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain")
    tale.all_lay("all have laid")
    tale.goes_on("one of two is all but one: both lay at once, and nothing is shown", ann="plain", bob="plain")
    tale.lays("bob")
    tale.lays("ann")
    tale.all_lay("Bob lays his last streets, and all is shown")
    return tale


@tale
def fantasyland_all_in_it() -> Tale:
    tale = Tale(RULE_SETS["progressive"].but(TIMES), ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="in", cyd="in")
    tale.all_lay("all have laid: queens bring 14 cards, kings 15, aces 16")
    tale.goes_on("all lay at once, and nothing is shown", ann="plain", bob="plain", cyd="plain")
    tale.lays("bob")
    tale.lays("cyd")
    tale.lays("ann")
    return tale


@tale
def fantasyland_from_the_start() -> Tale:
    tale = Tale(CLUB_PINEAPPLE, ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.all_lay("all have laid: Ann gets in")
    tale.goes_on("Ann lays on her own clock beside the others, who play in turn", ann="plain", bob="plain", cyd="plain")
    tale.wait(10)
    tale.lays("bob")
    tale.wait(10)
    tale.lays("ann")
    tale.all_lay("the others lay their last streets, and Ann's board is shown")
    return tale


@tale
def fantasyland_stays_to_the_limit() -> Tale:
    tale = Tale(CLUB_PINEAPPLE.but({"buy_in": "5-500"}), ann=500, bob=500)
    tale.dealt("the base hand is dealt", ann="in", bob="plain")
    tale.all_lay("queens on top: Ann gets in")
    tale.goes_on("her first Fantasyland", ann="stays", bob="plain")
    tale.all_lay("quads at the bottom: she stays")
    tale.goes_on("her second Fantasyland, and the last these rules allow", ann="stays", bob="in")
    tale.all_lay("quads again, but no more than one stay in a row; aces on top bring Bob in")
    tale.goes_on("the match goes on with Bob in Fantasyland", ann="in", bob="plain")
    tale.all_lay("out of an ordinary hand Ann gets in again")
    return tale


# -- the button, circles, ready


def button(rules: RuleSet) -> Tale:
    tale = Tale(rules, ann=100, bob=100, cyd=100)
    tale.viewers = [None]
    tale.dealt("the base hand", ann="in", bob="plain", cyd="plain")
    tale.all_lay("Ann gets in")
    tale.goes_on("Fantasyland", ann="stays", bob="plain", cyd="plain")
    tale.all_lay("she stays")
    tale.goes_on("Fantasyland again", ann="plain", bob="plain", cyd="plain")
    tale.all_lay("the match is over")
    tale.dealt("the next match", ann="plain", bob="plain", cyd="plain")
    return tale


@tale
def button_moves() -> Tale:
    return button(ROOM)


@tale
def button_stays() -> Tale:
    return button(ROOM.but({"button_in_fantasyland": "stays"}))


def circle(*players: str) -> Tale:
    tale = Tale(CLUB_PINEAPPLE, **dict.fromkeys(players, 100))
    tale.viewers = [None]
    plain = dict.fromkeys(players, "plain")
    for number in range(1, len(players) + 1):
        tale.dealt(f"match {number}", **plain | ({"ann": "in"} if number == 1 else {}))
        tale.all_lay("all have laid")
        if tale.play.table.pausing:
            tale.goes_on("its Fantasyland", **plain)
            tale.all_lay("all have laid")
    tale.dealt("the circle is over, and a new one begins", **plain)
    return tale


@tale
def circle_of_two() -> Tale:
    return circle("ann", "bob")


@tale
def circle_of_three() -> Tale:
    return circle("ann", "bob", "cyd")


@tale
def ready_and_always() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.play.ask(Ready(player="ann", hand=1, always=True))
    tale.tell("Ann is ready, now and always")
    tale.play.ask(Ready(player="bob", hand=1, always=True))
    tale.tell("Bob too: two can play, and Cyd has half a minute")
    tale.play.next(ann="in", bob="plain")
    tale.alarm("Cyd has not answered; he sits out")
    tale.all_lay("all have laid")
    tale.alarm("inside a match nobody is asked")
    tale.play.next(ann="plain", bob="plain")
    tale.all_lay("the match is over")
    tale.alarm("the showdown is over: always ready answers for both")
    tale.play.leave("cyd")
    tale.tell("Cyd leaves: it is no longer the same company, and all will be asked again")
    return tale


# -- away and back


@tale
def away_and_back_in_time() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.wait(5)
    tale.play.disconnect("bob")
    tale.tell("after five seconds Bob's connection breaks")
    tale.wait(12)
    tale.play.connect("bob")
    tale.tell("twelve seconds later he is back: they are charged to the bank")
    tale.wait(5)
    tale.lays("bob")
    tale.play.disconnect("bob")
    tale.wait(30)
    tale.tell("he is away while it is not his turn: nothing runs")
    tale.lays("ann")
    tale.wait(20)
    tale.tell("on his turn the bank runs first, then what is left of the budget")
    tale.alarm("both are spent: the table lays, and Bob is absent")
    return tale


def absent(**boards: str) -> Tale:
    """Ann has Fantasyland; Bob's time ran out while he was away."""
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.play.disconnect("bob")
    tale.alarm("Bob is away, and his time is spent")
    tale.all_lay("the hand is laid to its end")
    tale.play.next(**boards)
    tale.play.go_on("ann", "cyd")
    tale.tell("those who are there go on")
    return tale


@tale
def absent_with_anothers_fantasyland_pending() -> Tale:
    tale = absent(ann="plain", bob="plain", cyd="plain")
    tale.lays("cyd")
    tale.all_lay("Ann's Fantasyland is played; then Bob sits out")
    return tale


@tale
def back_before_a_card_is_laid() -> Tale:
    tale = absent(ann="plain", bob="plain", cyd="plain")
    tale.play.connect("bob")
    tale.tell("Bob is back before his turn")
    tale.lays("cyd")
    tale.lays("bob")
    tale.all_lay("he has played on, and does not sit out")
    return tale


@tale
def back_after_a_card_is_laid() -> Tale:
    tale = absent(ann="stays", bob="plain", cyd="plain")
    tale.lays("cyd")
    tale.play.connect("bob")
    tale.tell("Bob is back, but a street has been laid for him")
    tale.all_lay("the table has laid the whole hand for him")
    tale.goes_on("he plays from the next hand of the match", ann="plain", bob="plain", cyd="plain")
    tale.lays("bob")
    tale.lays("cyd")
    return tale


@tale
def only_his_own_right_lapses() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain")
    tale.all_lay(
        "one street is left to Ann", until=lambda play: play.acting == ("ann",) and play.hand.street_of(1) == 5
    )
    tale.play.disconnect("ann")
    tale.alarm("her time is spent while she is away; the draft gets her in", ann=draft_of(tale, "ann"))
    return tale


def draft_of(tale: Tale, player: str) -> str:
    """A draft of all that a player would lay now."""
    dealt = tale.play.hand.dealt(tale.play.table.players.index(player))
    board = tale.play.plan[player]
    rows = [[card for card in dealt if card in row] for row in (board.top, board.middle, board.bottom)]
    return str(Placement(*(tuple(cards) for cards in rows)))


@tale
def everybody_away() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.play.disconnect("ann", "bob")
    tale.tell("both are lost at once: all times stand")
    tale.alarm("nobody is back after a minute: the times run on")
    tale.alarm("Bob's time is spent")
    tale.alarm("Ann's time is spent: the hand is laid and counted, both sit out")
    tale.alarm("the showdown is over")
    tale.alarm("nobody keeps a place for more than ten minutes")
    return tale


@tale
def sitting_out() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.play.ask(SitOut(player="cyd"))
    tale.tell("Cyd sits out; he is not waited for")
    tale.dealt("the others play", ann="plain", bob="plain")
    tale.play.come_back("cyd")
    tale.tell("Cyd is back for the next match")
    tale.all_lay("all have laid; three are asked")
    return tale


# -- chips and rights


def busted() -> Tale:
    tale = Tale(ann=50, bob=5, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="dead", cyd="plain")
    tale.all_lay("Bob has lost his five chips, and Ann has Fantasyland")
    tale.alarm("the showdown is over; Bob is still waited for")
    return tale


@tale
def bust_and_top_up() -> Tale:
    tale = busted()
    tale.play.next(ann="plain", bob="plain", cyd="plain")
    tale.play.ask(TopUp(player="bob", to=5))
    tale.play.deal_if_owed()
    tale.tell("Bob brings the least there is, and plays on")
    return tale


@tale
def bust_without_top_up() -> Tale:
    tale = busted()
    tale.play.next(ann="plain", bob="plain", cyd="plain")
    tale.alarm("Bob has brought nothing: the others play on without him")
    tale.all_lay("the match is over; for the next one Bob may bring chips")
    return tale


@tale
def bust_and_one_is_left() -> Tale:
    tale = Tale(ann=50, bob=5)
    tale.dealt("the base hand is dealt", ann="in", bob="dead")
    tale.all_lay("Bob has lost his five chips, and Ann has Fantasyland")
    tale.play.ask(GoOn(player="bob", hand=1))
    tale.tell("Bob goes on without bringing chips")
    tale.play.ask(GoOn(player="ann", hand=1))
    tale.tell("Ann goes on: nobody is left to play with")
    return tale


@tale
def bust_of_who_had_the_right() -> Tale:
    tale = Tale(ann=5, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="stays", cyd="strong")
    tale.all_lay("Ann has Fantasyland, and no chips")
    tale.alarm("the showdown is over; Ann is waited for")
    tale.alarm("she has brought nothing: her right lapses")
    return tale


@tale
def waived() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain")
    tale.all_lay("Ann has Fantasyland")
    tale.play.ask(Waive(player="ann"))
    tale.tell("she gives it up, which ends the match")
    return tale


@tale
def leaving_in_mid_match() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.play.ask(Leave(player="bob"))
    tale.tell("Bob asks to leave")
    tale.all_lay("the hand is over, but not the match")
    tale.goes_on("Fantasyland is played", ann="plain", bob="plain", cyd="plain")
    tale.all_lay("now the match is over, and Bob has left")
    tale.play.sit("bob")
    tale.tell("Bob sits down again: with what he left with, at the least")
    return tale


@tale
def four_seats() -> Tale:
    tale = Tale(CLUB, ann=50, bob=50, cyd=50, dee=50)
    tale.viewers = ["dee", None]
    tale.dealt("the base hand is dealt: all fifty-two cards", ann="in", bob="plain", cyd="plain", dee="in")
    tale.all_lay("all have laid: Ann and Dee get in")
    tale.goes_on("both lay beside the others", ann="plain", bob="plain", cyd="plain", dee="plain")
    tale.lays("bob")
    tale.lays("dee")
    tale.all_lay("all have laid")
    return tale


# -- the host


@tale
def stopped_and_going_on() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.wait(12)
    tale.play.stop()
    tale.tell("Bob has thought for twelve seconds when Ann, the host, stops the game", bob="3s4c/-/-")
    tale.wait(600)
    tale.play.disconnect("bob")
    tale.tell("ten minutes later Bob closes the table")
    tale.wait(300)
    tale.play.connect("bob")
    tale.play.disconnect("ann")
    tale.tell("after five more he is back, and Ann is away: the others may let the game go on", bob="3s4c/-/-")
    tale.play.resume("cyd")
    tale.tell("Cyd does; Bob has as much time as before", bob="3s4c/-/-")
    tale.play.connect("ann")
    tale.all_lay("Ann is back; all have laid, and she gets in")
    tale.play.go_on("ann", "bob")
    tale.play.stop()
    tale.play.go_on("cyd")
    tale.tell("Ann and Bob have gone on; Ann stops the game, and Cyd goes on as well")
    tale.play.next(ann="plain", bob="plain", cyd="plain")
    tale.alarm("after half an hour the game goes on by itself, and the next hand is dealt at once")
    return tale


@tale
def the_host_and_the_others() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.play.ask(Publish(player="ann", on=True))
    tale.tell("Ann shows the table to everybody")
    tale.dealt("the hand is dealt", ann="plain", bob="plain", cyd="plain")
    tale.play.disconnect("cyd")
    tale.tell("Cyd is away")
    tale.play.ask(Remove(player="ann", seat=2))
    tale.tell("Ann takes him off his seat: he plays the match to its end")
    tale.all_lay("all have laid, and Cyd has gone")
    tale.play.ask(SeatBot(player="ann", bot="bot:0", name="Kiwi"))
    tale.tell("a bot sits down in his place")
    tale.play.ready("bob", always=True)
    tale.tell("Bob is ready, now and always")
    rules = CLUB_PINEAPPLE.but({"bank_seconds": "45", "point_price": "2500", "seen_cards": "hidden"})
    tale.play.ask(ChangeRules(player="ann", rules=rules))
    tale.tell(f"Ann changes the rules to {rules}: all are asked anew")
    tale.dealt("the next hand is dealt", **{"ann": "in", "bob": "plain", "bot:0": BOARDS["cyd"]["plain"]})
    return tale


@tale
def from_host_to_host() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.play.ask(PassHost(player="ann", seat=2))
    tale.tell("Ann makes Cyd the host")
    tale.play.leave("cyd")
    tale.tell("Cyd leaves: Ann sits next to him")
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.play.ask(Leave(player="ann"))
    tale.tell("Ann will leave after the match")
    tale.all_lay("all have laid: Bob is the host")
    tale.play.leave("bob")
    tale.tell("Bob leaves, and nobody else sits here: he stays the host")
    tale.play.sit("ann")
    tale.tell("Ann is back, as a player among others")
    tale.play.sit("bob")
    tale.tell("and so is Bob, the host")
    return tale


# -- a hand that is held, or does not count


@tale
def several_lost_at_once() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain", cyd="plain")
    tale.wait(10)
    tale.play.disconnect("bob")
    tale.tell("after ten seconds Bob's connection breaks")
    tale.wait(4)
    tale.play.disconnect("ann")
    tale.tell("four seconds later Ann's as well: all times stand")
    tale.wait(20)
    tale.play.connect("ann")
    tale.tell("after twenty seconds Ann is back; Bob is still waited for")
    tale.wait(15)
    tale.play.connect("bob")
    tale.tell("fifteen later he is: the times run on, and only the four seconds are charged to his bank")
    tale.lays("bob")
    tale.play.disconnect("ann", "cyd")
    tale.tell("in the same hand Ann and Cyd are lost: once in a hand is enough")
    tale.play.connect("ann", "cyd")
    tale.all_lay("both are back at once; all have laid")
    return tale


@tale
def hand_voided_after_an_outage() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.wait(30)
    tale.lays("bob")
    tale.wait(3600)
    tale.play.ask(Resume(lost_ms=3_600_000))
    tale.tell("the room was away for an hour: it waits for both")
    tale.wait(5)
    tale.play.connect("ann")
    tale.tell("five seconds later Ann is there")
    tale.alarm("Bob is not: the hand does not count")
    tale.play.connect("bob")
    tale.tell("Bob is there as well; both are asked whether they are ready")
    tale.dealt("the next hand is dealt", ann="plain", bob="plain")
    return tale


@tale
def hand_voided_in_fantasyland() -> Tale:
    tale = Tale(ann=50, bob=50, cyd=50)
    tale.dealt("the base hand is dealt", ann="in", bob="plain", cyd="plain")
    tale.all_lay("queens on top: Ann gets in")
    tale.goes_on("Fantasyland is dealt", ann="plain", bob="plain", cyd="plain")
    tale.lays("cyd")
    tale.play.void()
    tale.tell("the room fails at this hand again and again: it does not count, and Ann still has her right")
    tale.goes_on("all go on: another deck", ann="plain", bob="plain", cyd="plain")
    tale.all_lay("Ann's Fantasyland is counted, and the match is over")
    return tale


# -- an outage


@tale
def restart() -> Tale:
    tale = Tale(ann=50, bob=50)
    tale.dealt("the hand is dealt", ann="plain", bob="plain")
    tale.wait(30)
    tale.tell("Bob has thought for half a minute", bob="3s4c/-/-")
    tale.wait(540)
    tale.play.ask(Resume(lost_ms=540_000))
    tale.tell("the room was away for nine minutes: drafts are gone, and nobody pays for it")
    tale.alarm("Bob's time is spent: he is laid for by order of receipt")
    return tale


@pytest.mark.parametrize("name", TALES)
def test_a_session_is_seen_as_it_was_written_down(name: str) -> None:
    assert TALES[name]().text == (DATA / f"playthrough_{name}.txt").read_text()


def test_there_is_no_file_without_its_tale() -> None:
    assert {path.stem.removeprefix("playthrough_") for path in DATA.glob("playthrough_*.txt")} == set(TALES)


def test_an_alarm_that_comes_too_early_changes_nothing() -> None:
    for make in TALES.values():
        told = make()
        assert told.play.ask(TimeOut()) == ()


if __name__ == "__main__":
    for name, make in TALES.items():
        (DATA / f"playthrough_{name}.txt").write_text(make().text)
