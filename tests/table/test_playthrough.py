"""One hand of two players as text: what happens, and what each seat and a spectator then see.

`python -m tests.table.test_playthrough` writes the file again; read the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path

from ananas.game.board import Placement
from ananas.game.cards import DECK, Card, print_cards
from ananas.game.rules import RuleSet
from ananas.game.view import PlayerView
from ananas.table.commands import Confirm, Deal, Ready, Sit, TimeOut
from ananas.table.view import Live, SeatView, TableView, view_table
from tests.table.play import NAMES, Play

FILE = Path(__file__).parent.parent / "data" / "playthrough_two_players.txt"

# Ann, on the button's left, wins 15 points.
ANN = ("Qs/Kd/7c7dAh", "Qh/9h/- x3h", "-/Kc/As x6d", "-/9d/7h xTc", "2c/4s/- x8d")
BOB = ("Ad/Jd/Ts9s6s", "-/Jc/5s x4h", "Kh/-/3s xQd", "-/3d8s/- x6h", "5c/2h/- xJh")


def playthrough() -> str:
    """Play the hand and tell it."""
    play = Play(RuleSet(seats=2, hand_seconds=120))
    lines: list[str] = []
    drafts: dict[int, Placement] = {}

    def tell(what: str) -> None:
        lines.extend(["", f"== {what}"])
        for viewer in ("ann", "bob", None):
            live = Live(drafts=drafts, connected=frozenset({"ann", "bob"}), spectators=1)
            lines.extend(told(viewer, view_table(play.table, viewer, play.now, live)))

    for player in ("ann", "bob"):
        play.ask(Sit(player=player, name=NAMES[player]))
    tell("Ann and Bob sit")
    play.ask(Ready(player="ann", hand=1, always=True))
    tell("Ann is ready, now and always")
    play.ask(Ready(player="bob", hand=1, always=False))
    tell("Bob is ready; the room owes a deck")
    play.ask(Deal(deck=whole_deck(), lot=1))
    tell("the hand is dealt; the lot gives Bob the button")
    for street, texts in enumerate(zip(ANN, BOB, strict=True), start=1):
        for seat, (player, text) in enumerate(zip(("ann", "bob"), texts, strict=True)):
            placement = Placement.parse(text)
            if street <= 2:
                play.now += 1500
                drafts[seat] = Placement(top=placement.top, middle=placement.middle[:1])
                tell(f"{NAMES[player]} has laid {drafts[seat]} so far")
            play.now += 4000
            drafts.clear()
            if (street, player) == (5, "bob"):
                play.now += 120_000
                play.ask(TimeOut(draft=Placement(middle=placement.middle)))
                tell(f"Bob's time runs out; he had put {print_cards(placement.middle)} in the middle")
            else:
                play.ask(Confirm(player=player, hand=1, street=street, placement=placement))
                tell(f"{NAMES[player]} confirms {placement}")
    play.now = play.table.showdown_until or 0
    play.ask(TimeOut())
    tell("the showdown is over")
    play.leave("bob")
    play.sit("cyd")
    tell("Bob leaves, and Cyd sits in his place")
    return "\n".join(lines).lstrip() + "\n"


def whole_deck() -> tuple[Card, ...]:
    """A deck that deals each of the two what he lays and throws away, street by street."""
    dealt = [tuple(card for text in texts for card in Placement.parse(text).cards) for texts in (ANN, BOB)]
    rest = [card for card in DECK if card not in dealt[0] + dealt[1]]
    return (*dealt[0], *rest[:9], *dealt[1], *rest[9:])


def told(viewer: str | None, view: TableView) -> list[str]:
    """A view as a few lines of text."""
    who = "a spectator" if viewer is None else NAMES[viewer]
    head = [f"{who} sees:", view.phase, f"hand {view.hand.number} of {view.hands}" if view.hand else "no hand yet"]
    if view.hand:
        head.append(f"street {view.hand.street}")
    if view.ready_ms is not None:
        head.append(f"{view.ready_ms} ms to be ready")
    if view.showdown_ms is not None:
        head.append(f"{view.showdown_ms} ms to look")
    lines = [f"   {', '.join(head).replace(':,', ':')}; may {' '.join(view.may) or 'nothing'}"]
    lines += [f"      seat {number}: {seated(seat)}" for number, seat in enumerate(view.seats)]
    if view.hand:
        for player in view.hand.players:
            marks = "*" if player.seat == view.hand.turn else " "
            marks += "o" if player.seat == view.hand.button else " "
            lines.append(f"    {marks} seat {player.seat}: {laid(player)}")
        if view.hand.reckoning:
            lines.append(f"      points {[result.points for result in view.hand.reckoning.players]}")
    return lines


def seated(seat: SeatView | None) -> str:
    if seat is None:
        return "free"
    words = [seat.name, str(seat.stack), f"({seat.total:+})"]
    if seat.clock:
        words.append(f"{seat.clock.left_ms} of {seat.clock.total_ms} ms{', running' if seat.clock.running else ''}")
    flags = {
        "host": seat.host,
        "ready": seat.ready,
        "always": seat.always_ready,
        "sitting out": seat.sitting_out,
        "leaving": seat.leaving,
        "away": not seat.connected,
    }
    return " ".join(words + [name for name, said in flags.items() if said])


def laid(player: PlayerView) -> str:
    words = [str(player.board)]
    if player.discard_count:
        words.append(f"x{print_cards(player.discards) or '??' * player.discard_count}")
    if player.dealt_count:
        words.append(f"holds {print_cards(player.dealt) or '??' * player.dealt_count}")
    if player.draft is not None:
        words.append(f"as {player.draft}")
    return " ".join(words)


def test_the_hand_is_seen_as_it_was_written_down() -> None:
    assert playthrough() == FILE.read_text()


if __name__ == "__main__":
    FILE.write_text(playthrough())
