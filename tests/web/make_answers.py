"""Writes `web/dev/answers/*.json`: what the room answers about finished hands and accounts, in every state to be drawn.

As with the table's views, real commands are played through the table's own rules, and the room's own functions make the
answers. Run it as `PYTHONPATH=src python -m tests.web.make_answers` after a change of the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from ananas.protocol import HandList, HandReplay, RefusedMessage, refusal
from ananas.refused import Refused
from ananas.server.histories import Contents, FinishedHand, finished_hands
from ananas.server.replays import replay
from ananas.server.store import Mark, Row
from ananas.table.account import Account, account
from ananas.table.commands import Command, GoOn, Leave, TimeOut, TopUp, Void
from ananas.table.decide import decide
from ananas.table.events import AnyEvent
from ananas.table.evolve import evolve
from tests.web import make_fixtures as cards
from tests.web.make_fixtures import Story, Streets, boards

TARGET: Final = Path(__file__).parents[2] / "web" / "dev" / "answers"

BEGAN: Final = int(datetime(2026, 7, 30, 16, 40, tzinfo=UTC).timestamp() * 1000)
LONG: Final = (
    ("anna", "Анна-Мария"),
    ("boris", "Константин Ш."),
    ("marina", "Марина Сергеевна Ку"),
    ("bot:mango", "Mango"),
)


class Evening(Story):
    """A table whose log is kept, from half past seven in Moscow on."""

    def __init__(self, name: str, rules: str) -> None:
        self.rows: list[Row] = []
        super().__init__(name, rules)

    def tell(self, command: Command, wait: int = 1_000) -> None:
        if not self.rows:
            self.now = BEGAN
        self.now += wait
        self.version += 1
        events = tuple(decide(self.table, command, self.now))
        for event in events:
            self.table = evolve(self.table, event)
        self.rows.append(Row(Mark(self.version, b""), events))

    def hand(self, **scripts: Streets) -> None:
        """Play the next hand to its end: all are ready, or go on, and lay as they are told to."""
        table = self.open
        while not table.called:
            for _, seat in table.seated:
                table = self.open
                if table.called:
                    break
                if table.rights:
                    self.tell(GoOn(player=seat.player, hand=table.hands))
                elif not seat.ready:
                    if table.is_broke(seat):
                        self.tell(TopUp(player=seat.player, to=table.rules.buy_in[0]))
                    self.ready(seat.player)
            table = self.open
        self.deal(**scripts)
        self.play()

    # -- what is answered

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        return tuple(event for row in self.rows for event in row.events)

    def list(self, viewer: str | None = "anna") -> HandList:
        return Contents().read_on(self.rows).listed(self.open.id, viewer)

    def replay(self, number: int, viewer: str | None = "anna") -> HandReplay:
        return replay(self._found(number), viewer, table=self.open.id, last=self.open.hands)

    def shared(self, number: int, viewer: str | None = "anna", *, names: bool) -> HandReplay:
        found = self._found(number)
        return replay(found if names else found.nameless, viewer, table=None, last=None)

    def account(self, viewer: str | None = "anna") -> Account:
        return account(self.open, viewer)

    def _found(self, number: int) -> FinishedHand:
        return next(finished_hands(self.events, number))


def make() -> Iterator[tuple[str, bytes]]:
    """Every answer, as the name of its file and what stands in it."""
    for name, answer in _answers():
        yield f"{name}.json", msgspec.json.encode(answer) + b"\n"


def _answers() -> Iterator[tuple[str, HandList | HandReplay | Account | RefusedMessage]]:
    yield "hands-lost", refusal(Refused("no-table"), None)
    yield "replay-lost", refusal(Refused("no-such-hand"), None)
    yield "shared-lost", refusal(Refused("no-link"), None)
    three = Evening("Вечерний стол", "room")
    three.sit(*cards.THREE)
    yield "hands-none", three.list()
    yield "account-none", three.account()
    three.hand(boris=cards.BORIS, marina=cards.MARINA_CALM, anna=cards.ANNA_CALM)
    three.hand(boris=cards.BORIS, marina=cards.MARINA_CALM, anna=cards.ANNA)
    three.hand(anna=cards.FANTASY, **boards(spare=cards.FANTASY, boris=cards.LOW, marina=cards.LADIES))
    yield "replay", three.replay(2)
    yield "replay-watching", three.replay(2, None)
    yield "replay-fantasy", three.replay(3)
    yield "replay-hidden", three.replay(3, "boris")
    yield "shared", three.shared(2, names=True)
    yield "shared-nameless", three.shared(2, "marina", names=False)
    yield "account", three.account()

    two = Evening("Партия с ботом", "room seats=2-2 point_price=0")
    two.sit(("anna", "Аня"), ("bot:kiwi", "Kiwi"))
    two.hand(kiwi=cards.MARINA_CALM, anna=cards.FOULED)
    yield "replay-two", two.replay(1)
    yield "account-points", two.account()

    twice = Evening("Вечерний стол", "room")
    twice.sit(*cards.THREE)
    calm = {"boris": cards.BORIS, "marina": cards.MARINA_CALM, "anna": cards.ANNA_CALM}
    for _ in range(2):
        twice.hand(**calm)
        twice.tell(TimeOut(), wait=60_000)
        twice.ready("anna", "boris", "marina")
        twice.deal(**calm)
        twice.tell(Void(reason="fault"))
    yield "hands-voided", twice.list()

    four = _club()
    yield "hands", four.list()
    yield "hands-watching", four.list(None)
    yield "replay-four", four.replay(1)
    yield "replay-four-watching", four.replay(1, None)
    four.tell(Leave(player="boris"))
    yield "account-long", four.account()


def _club() -> Evening:
    """A long evening of four with long names: Fantasyland, dead hands, stacks that do not reach."""
    story = Evening("Клуб по пятницам, второй этаж", "club point_price=2500 buy_in=100-200 hand_seconds=600")
    story.sit(*LONG, buy_in=200)
    dealt = [cards.QUEENS_FOUR, cards.BORIS_BOARD, cards.MARINA_BOARD, cards.GLEB_BOARD]
    for _ in range(6):
        for turn in range(4):
            story.hand(**_dealt(dealt[turn:] + dealt[:turn]))
            while story.open.rights:
                story.hand(**_fantasy(story))
    return story


def _dealt(four: list[str]) -> Mapping[str, Streets]:
    players = [player.removeprefix("bot:") for player, _ in LONG]
    return boards(dict(zip(players, four, strict=True)), club=True)


def _fantasy(story: Story) -> Mapping[str, Streets]:
    """A hand after queens: whoever has the right lays thirteen cards at once, the others what is left beside them."""
    (seat,) = story.open.rights
    players = [player.removeprefix("bot:") for player, _ in LONG]
    lucky = players.pop(seat)
    others = dict(zip(players, (cards.LOW, cards.LADIES, "2s2h3s/JdJsQh9h8s/AcAdAhAs5s"), strict=True))
    return {lucky: cards.FANTASY_13, **boards(others, club=True, spare=cards.FANTASY_13)}


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for file, answer in make():
        (TARGET / file).write_bytes(answer)
