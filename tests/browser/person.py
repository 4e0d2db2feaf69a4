"""A person at the table: a browser of its own, and what a person does with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, expect

from ananas.game.board import Board, Placement, Row

ROOM = {"top": 3, "middle": 5, "bottom": 5}
BOTS = ("kiwi", "mango", "papaya", "ananas")
PHONE, DESKTOP = (390, 844), (1280, 800)


@dataclass(eq=False)
class Person:
    """One browser context: cookies, storage, language and theme of its own; `noise` is what its console complained of."""

    name: str
    page: Page
    context: BrowserContext
    noise: list[str]

    @classmethod
    def arrive(
        cls,
        browser: Browser,
        name: str,
        *,
        locale: str = "ru-RU",
        theme: str = "dark",
        size: tuple[int, int] = PHONE,
        scale: float = 1,
        touch: bool = False,
    ) -> Person:
        """Open a browser nobody has used before."""
        context = browser.new_context(
            locale=locale,
            color_scheme="dark" if theme == "dark" else "light",
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=scale,
            has_touch=touch,
            reduced_motion="reduce",
        )
        context.set_default_timeout(15_000)
        page = context.new_page()
        noise = list[str]()
        page.on("console", lambda m: noise.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: noise.append(str(error)))
        return cls(name, page, context, noise)

    # -- to the table

    def open_table(self, url: str, *, seats: int, bots: int) -> str:
        """Open a table from the home page, with the first of the bots, and be seated at it; give its address."""
        self.page.goto(f"{url}/#open")
        self.page.get_by_role("textbox", name=re.compile("Ваше имя|Your name|Как вас")).first.fill(self.name)
        form = self.page.locator("form", has=self.page.locator("input[name=seats]"))
        form.locator(f"input[name=seats][value='{seats}']").check(force=True)
        for bot in BOTS[:bots]:
            form.locator(f"input[name=bots][value={bot}]").check(force=True)
        form.get_by_role("button").click()
        self.page.wait_for_url("**/t/*")
        expect(self.page.get_by_test_id("ready")).to_be_visible()
        return self.page.url

    def sit(self, address: str) -> None:
        """Follow a link, say a name, and take a seat."""
        self.page.goto(address)
        self.page.locator(".bottom form input:not([type=range])").fill(self.name)
        self.page.locator(".bottom form button").click()
        expect(self.page.locator(".bottom form")).to_have_count(0)

    def ready(self) -> None:
        """Press «Готов», or «Дальше» in mid-match, and see that it was heard."""
        self.page.locator("[data-testid=ready], [data-testid=go-on]").click()
        expect(self.page.locator("[data-testid=ready]:enabled, [data-testid=go-on]:enabled")).to_have_count(0)

    # -- what is seen

    def tray(self) -> list[str]:
        """The cards still in hand, as they are shown."""
        return [
            card or ""
            for card in (c.get_attribute("data-card") for c in self.page.locator("[data-tray] .hand [data-card]").all())
        ]

    def board(self, seat: int) -> Board:
        """A seat's board as this person sees it."""
        found = self.page.evaluate(
            """seat => Object.fromEntries(['top', 'middle', 'bottom'].map(row => [row,
                 [...document.querySelectorAll(`section[data-seat="${seat}"] [data-row="${row}"] [data-card]`)]
                   .map(card => card.dataset.card)]))""",
            seat,
        )
        return Board.parse("/".join("".join(found[row]) or "-" for row in ROOM))

    @property
    def seat(self) -> int:
        """One's own seat."""
        return int(self.page.locator("section.own").get_attribute("data-seat") or -1)

    def free(self, row: str) -> int:
        """How many places a row of one's own still shows."""
        return ROOM[row] - self.page.locator(f"section.own [data-row={row}] [data-card]").count()

    # -- a move

    def tap(self, row: str) -> None:
        """Lay the chosen card on a row, with one tap."""
        cards = self.page.locator(f"section.own [data-row={row}] [data-card]")
        before = cards.count()
        place = self.page.locator(f"section.own [data-row={row}] .slot").last.bounding_box()
        assert place, f"no place in the {row} row"
        self.page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        expect(cards).to_have_count(before + 1)

    def arrange(self) -> int:
        """Lay cards, from the bottom up, until the move is complete; give the number of taps."""
        taps = 0
        confirm = self.page.get_by_test_id("confirm")
        while not confirm.is_enabled():
            self.tap(next(row for row in ("bottom", "middle", "top") if self.free(row)))
            taps += 1
        return taps

    def follow(self, placement: Placement) -> None:
        """Lay exactly these cards on these rows."""
        for row in ROOM:
            for card in placement.row(Row(row)):
                chosen = self.page.locator(f"[data-tray] .hand [data-card='{card}']")
                if chosen.get_attribute("aria-pressed") != "true":
                    chosen.click()
                self.tap(row)

    def confirm(self) -> int:
        """Press «Готов» or «Сбросить», once more where a dead board is asked about; give the number of taps.

        Returns when the move is kept.
        """
        button = self.page.get_by_test_id("confirm")
        button.click()
        taps = 1
        if self.page.locator("button.alarm[data-testid=confirm]").count():
            button.click()
            taps += 1
        expect(self.page.locator("[data-testid=confirm]:enabled")).to_have_count(0)
        return taps

    def may_act(self) -> bool | None:
        """Whether a move is asked of this person now; None when the hand is counted."""
        self.page.locator("button.lay, main.counted, .wait").first.wait_for(state="attached", timeout=60_000)
        if self.page.locator("main.counted").count():
            return None
        return self.page.locator("button.lay").count() > 0

    def wait_for_turn(self) -> bool:
        """Wait until a move is asked of this person; False when the showdown comes instead."""
        self.page.locator("button.lay, main.counted").first.wait_for(state="attached", timeout=60_000)
        return self.page.locator("main.counted").count() == 0


def until(page: Page, condition: str, argument: object = None) -> None:
    """Wait until something is true of a page.

    Playwright's own `wait_for_function` runs text as a script within the page, which its policy forbids.
    """
    for _ in range(1000):
        if page.evaluate(condition, argument):
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"never: {condition}")


def play_planned(plans: Mapping[Person, Sequence[str]]) -> None:
    """Let people play a hand to its showdown, each by a plan that has a placement for each of his moves."""
    left = {id(person): list(plan) for person, plan in plans.items()}

    def move(person: Person) -> None:
        person.follow(Placement.parse(left[id(person)].pop(0)))
        person.confirm()

    play_hand(*plans, move=move)
    assert not any(left.values()), "a plan was not played to its end"


def play_hand(*people: Person, move: Callable[[Person], object] | None = None) -> None:
    """Let people play a hand to its showdown together; `move` is what each does when it is his turn."""
    playing = list(people)
    for person in playing:  # the hand before is off the table
        expect(person.page.locator("main.counted")).to_have_count(0)
    while playing:
        for person in list(playing):
            acts = person.may_act()
            if acts is None:
                playing.remove(person)
            elif not acts:
                person.page.wait_for_timeout(50)
            elif move is not None:
                move(person)
            else:
                person.arrange()
                person.confirm()
