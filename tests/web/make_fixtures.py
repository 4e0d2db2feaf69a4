"""Writes `web/dev/fixtures/*.json`: the table's views in every state the client has to draw.

Each is the message a socket would get, made by playing real commands through the table's own rules, so that no picture
shows what cannot happen. Run it as `PYTHONPATH=src python tests/web/make_fixtures.py` after a change of the views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from ananas.game.board import Placement
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.rules import RuleSet
from ananas.protocol import View, encode
from ananas.table.commands import Command, Confirm, Deal, Leave, Open, Ready, Sit, TimeOut
from ananas.table.decide import decide
from ananas.table.evolve import evolve
from ananas.table.state import Table
from ananas.table.view import Live, view_table

TARGET: Final = Path(__file__).parents[2] / "web" / "dev" / "fixtures"

# Each player's streets: the cards in order of receipt, and what he does with them.
MARINA: Final = (
    ("KhTcTsAdAh", "Kh/TcTs/AdAh"),
    ("6d5d7c", "-/5d/6d x7c"),
    ("6c2hKd", "-/-/6c2h xKd"),
    ("9d5cQh", "9d/5c/- xQh"),
    ("Ks4s3d", "Ks/4s/- x3d"),
)
ANNA: Final = (
    ("Qs8hKcJc9c", "Qs/8h/KcJc9c"),
    ("8d4c2d", "-/8d/4c x2d"),
    ("QdAc5h", "Qd/-/Ac x5h"),
    ("3hTd6h", "-/3hTd/- x6h"),
    ("3s2s7d", "2s/3s/- x7d"),
)
BORIS: Final = (
    ("9h7s7hJsJd", "9h/7s7h/JsJd"),
    ("Jh5s8c", "-/-/Jh5s x8c"),
    ("4d4hQc", "-/4d4h/- xQc"),
    ("9s6s8s", "9s/-/6s x8s"),
    ("As3cTh", "As/3c/- xTh"),
)
FOULED: Final = (*ANNA[:4], ("3s2s7d", "3s/2s/- x7d"))

Streets = tuple[tuple[str, str], ...]


class Story:
    """A table as commands make it, a second apart."""

    def __init__(self, name: str, seats: int, price: int = 1000) -> None:
        self.now = 1_000_000
        self.version = 0
        self.table: Table | None = None
        self.drafts: dict[int, Placement] = {}
        rules = RuleSet(seats=seats, point_price=price)
        self.tell(Open(table="dnepr-71", name=name, host="anna", rules=rules))

    def tell(self, command: Command, wait: int = 1_000) -> None:
        self.now += wait
        self.version += 1
        for event in decide(self.table, command, self.now):
            self.table = evolve(self.table, event)

    @property
    def open(self) -> Table:
        if self.table is None:
            raise AssertionError("the table is opened first")
        return self.table

    def sit(self, *names: tuple[str, str]) -> None:
        for player, name in names:
            self.tell(Sit(player=player, name=name, bot=player.startswith("bot:")))

    def ready(self, *players: str, always: bool = False) -> None:
        for player in players:
            self.tell(Ready(player=player, hand=self.open.hands + 1, always=always))

    def deal(self, lot: int, *hands: Streets) -> None:
        size = 52 // len(hands)
        own = [parse_cards("".join(cards for cards, _ in streets)) for streets in hands]
        named = [card for cards in own for card in cards]
        if len(set(named)) < len(named):
            raise AssertionError("a card is dealt twice")
        rest = iter([card for card in DECK if card not in named])
        deck: list[Card] = []
        for cards in own:
            deck += cards
            deck += islice(rest, size - len(cards))
        self.tell(Deal(deck=(*deck, *rest), lot=lot))

    def play(self, turns: int, *hands: tuple[str, Streets]) -> None:
        """Lay so many turns, each after some seconds, in the order of play given."""
        for turn in range(turns):
            player, streets = hands[turn % len(hands)]
            street = turn // len(hands)
            placement = Placement.parse(streets[street][1])
            self.tell(
                Confirm(player=player, hand=self.open.hands, street=street + 1, placement=placement),
                wait=4_000 + 1_700 * turn,
            )
        self.drafts = {}

    def draft(self, seat: int, text: str) -> None:
        self.drafts[seat] = Placement.parse(text)

    def show(
        self, name: str, viewer: str | None = "anna", wait: int = 9_000, away: Iterable[str] = ()
    ) -> tuple[str, bytes]:
        """The view under the name of its file: what `viewer` sees after `wait` milliseconds; `away` have no line."""
        connected = {seat.player for _, seat in self.open.seated} - set(away)
        live = Live(drafts=self.drafts, connected=frozenset(connected), spectators=2)
        view = view_table(self.open, viewer, self.now + wait, live)
        return f"{name}.json", encode(View(version=self.version, view=view)) + b"\n"


def _three(turns: int, anna: Streets = ANNA) -> Story:
    """Anna, Boris on the button, Marina, after so many turns of a second hand."""
    story = Story("Вечерний стол", seats=3)
    story.sit(("anna", "Аня"), ("boris", "Борис"), ("marina", "Марина"))
    story.ready("anna", "boris", "marina")
    story.deal(0, BORIS, MARINA, ANNA)
    story.play(15, ("boris", BORIS), ("marina", MARINA), ("anna", ANNA))
    story.tell(TimeOut(), wait=60_000)
    story.ready("anna", "boris", "marina")
    story.deal(0, MARINA, anna, BORIS)
    story.play(turns, ("marina", MARINA), ("anna", anna), ("boris", BORIS))
    return story


def _two(turns: int) -> Story:
    """Anna against a bot, she on the button."""
    story = Story("Партия с ботом", seats=2, price=0)
    story.sit(("anna", "Аня"), ("bot:0", "Kiwi"))
    story.ready("anna", "bot:0")
    story.deal(0, MARINA, ANNA)
    story.play(turns, ("bot:0", MARINA), ("anna", ANNA))
    return story


def make() -> Iterator[tuple[str, bytes]]:
    """Every fixture, as the name of its file and what stands in it."""
    story = Story("Вечерний стол", seats=3)
    story.sit(("anna", "Аня"), ("bot:0", "Kiwi"))
    story.ready("bot:0")
    yield story.show("waiting")
    yield story.show("arriving", viewer="carol")
    story.tell(Sit(player="boris", name="Борис"))
    story.ready("anna")
    yield story.show("waiting-ready")

    story = _three(0)
    story.draft(2, "Kh/TcTs/-")
    yield story.show("street1-other")
    yield story.show("street1-watching", viewer=None)
    yield story.show("street1-away", away=["marina"])
    story = _three(1)
    yield story.show("street1-own")
    story.draft(0, "Qs/8h/Kc")
    yield story.show("street1-laying")

    story = _three(7)
    yield story.show("street3-start")
    story.draft(0, "Qd/-/-")
    yield story.show("street3-own")
    story.draft(0, "Qd/-/Ac x5h")
    yield story.show("street3-ready")
    yield story.show("street3-late", wait=86_000, away=["boris"])
    story = _three(8)
    yield story.show("street3-other")
    yield story.show("watching", viewer=None)
    story.tell(Leave(player="anna"))
    yield story.show("leaving")

    story = _three(13)
    story.draft(0, "3s/2s/- x7d")
    yield story.show("foul-warning")
    story = _three(14, FOULED)
    yield story.show("foul-laid")
    story = _three(15, FOULED)
    yield story.show("showdown-foul", wait=2_000)

    story = _three(15)
    yield story.show("showdown", wait=2_000)
    yield story.show("showdown-watching", viewer="carol", wait=2_000)
    story.ready("marina", always=True)
    story.tell(TimeOut(), wait=9_000)
    story.ready("boris")
    yield story.show("showdown-hurry")
    story = _three(15)
    story.tell(TimeOut(), wait=10_000)
    story.ready("boris", "marina")
    story.tell(TimeOut(), wait=60_000)
    yield story.show("sitting-out")
    story = _three(15)
    story.tell(Leave(player="marina"))
    yield story.show("showdown-left", wait=1_000)

    story = _two(5)
    story.draft(0, "Qd/-/-")
    yield story.show("duel-own")
    story = _two(4)
    yield story.show("duel-other")
    story = _two(10)
    yield story.show("duel-showdown", wait=2_000)


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, message in make():
        (TARGET / name).write_bytes(message)
