"""A planned match that was played over the wire, so that what comes after it need not be waited for in browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from ananas.game.rules import RuleSet
from tests.browser.conftest import lay_table
from tests.browser.match import Plan
from tests.browser.person import Person
from tests.server.house import House, Player


class Played(Plan):
    """Marina and Boris as guests of a room, at a table where these hands are played one after the other."""

    def __init__(self, house: House, rules: RuleSet, hands: Sequence[tuple[str, str]]) -> None:
        super().__init__(rules, hands)
        self.house = house
        self.plant(house)
        self.table = lay_table(house.database, rules)
        house.start()
        self.url = f"{house.url}/t/{self.table}"
        self.cookies = {name: house.guest(name) for name in ("Марина", "Боря")}
        self._number = 0

    def play(self, hands: int = 1) -> None:
        """Let so many hands be played."""
        with ThreadPoolExecutor(1) as thread:  # Playwright's own loop runs in this one
            thread.submit(lambda: asyncio.run(self._play(hands))).result()

    async def _play(self, hands: int) -> None:
        players = [await self.house.come(cookie, self.table) for cookie in self.cookies.values()]
        for seat, player in enumerate(players):
            if player.view["you"] is None:
                await player.kept("sit", seat=seat)
        for _ in range(hands):
            for player in players:
                if self._number:
                    await player.kept("go-on", hand=self._number)
                else:
                    await player.kept("ready", hand=1)
            self._number += 1
            await self._lay(players)
        for player in players:
            await player.close()

    async def _lay(self, players: Sequence[Player]) -> None:
        plans = [list(plan) for plan in self.plans(self._number - 1)]
        for player in players:
            await player.see(lambda view: view["phase"] == "laying")
        while any(plans):
            for player, plan in zip(players, plans, strict=True):
                if player.acts:
                    version = await player.kept("confirm", placement=plan.pop(0), **player.turn())
                    await player.catch_up(version)
                else:  # the other's move may be one of which there is nothing to see
                    await player.quiet(0.05)

    def arrive(self, people: Callable[..., Person], name: str, **how: object) -> Person:
        """A browser of Marina or of Boris."""
        person = people(name, **how)
        cookie = {"name": "ananas_guest", "value": self.cookies[name], "url": self.house.url}
        person.context.add_cookies([cookie])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
        return person
