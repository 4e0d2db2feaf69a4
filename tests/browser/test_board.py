"""Cards laid by finger, by mouse and by keys; how they are sorted; what is heard, and what a screen reader says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from ananas.game.cards import Card, Suit
from ananas.game.rules import RuleSet
from tests.browser.conftest import lay_table
from tests.browser.person import DESKTOP, ROOM, Person, play_hand, until
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]
Point = tuple[float, float]

RUSSIAN: Final = {"KeyQ": "й", "KeyA": "ф", "KeyZ": "я", "KeyS": "ы"}


def at_table(room: House, people: Arrive, **how: object) -> Person:
    """Ann in her turn at a table with a bot, five cards in hand."""
    ann = people("Ann", locale="en-GB", **how)
    ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    assert ann.wait_for_turn()
    return ann


def middle(place: Locator) -> Point:
    """The middle of something on the page."""
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    """A mouse that carries cards."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def lift(self, start: Point) -> None:
        """Press there."""
        self.page.mouse.move(*start)
        self.page.mouse.down()

    def carry(self, to: Point) -> None:
        """Move, in some steps, as hands do."""
        self.page.mouse.move(*to, steps=6)

    def drop(self) -> None:
        """Let go."""
        self.page.mouse.up()


class Finger:
    """A finger on a touch screen that carries cards."""

    def __init__(self, page: Page) -> None:
        self._wire: Any = page.context.new_cdp_session(page)
        self._at: Point = (0, 0)

    def _touch(self, kind: str, *points: Point) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def lift(self, start: Point) -> None:
        """Touch there."""
        self._at = start
        self._touch("touchStart", start)

    def carry(self, to: Point) -> None:
        """Move, in some steps, as hands do."""
        (x, y), (a, b) = self._at, to
        for step in range(1, 7):
            self._touch("touchMove", (x + (a - x) * step / 6, y + (b - y) * step / 6))
        self._at = to

    def drop(self) -> None:
        """Lift the finger."""
        self._touch("touchEnd")

    def lose(self) -> None:
        """The system takes the finger away, as it does for a call."""
        self._touch("touchCancel")


Hand = Mouse | Finger


def own(ann: Person, row: str) -> Locator:
    return ann.page.locator(f"section.own [data-row={row}]")


def cards(ann: Person, row: str) -> list[str]:
    return [card.get_attribute("data-card") or "" for card in own(ann, row).locator("[data-card]").all()]


def laid(ann: Person) -> dict[str, list[str]]:
    return {row: cards(ann, row) for row in ROOM}


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_cards_are_carried(room: House, people: Arrive, touch: bool) -> None:
    # So low that the page scrolls where it is not a card that is moved.
    ann = at_table(room, people, size=(390, 500), touch=touch)
    hand: Hand = Finger(ann.page) if touch else Mouse(ann.page)
    first, second, third, *_ = ann.tray()
    tray = ann.page.locator("[data-tray]")
    carried = ann.page.locator(f"[data-card='{first}']")

    # It is lifted, the row that would take it is lit, and it lies there.
    hand.lift(middle(carried))
    hand.carry(middle(own(ann, "middle")))
    expect(carried).to_have_class(re.compile("dragging"))
    expect(ann.page.locator(".row.over")).to_have_attribute("data-row", "middle")
    hand.carry(middle(own(ann, "bottom")))
    expect(ann.page.locator(".row.over")).to_have_attribute("data-row", "bottom")
    hand.drop()
    expect(own(ann, "bottom").locator("[data-card]")).to_have_count(1)
    expect(ann.page.locator(".over, .dragging")).to_have_count(0)
    assert ann.page.evaluate("scrollY") == 0

    # From row to row, and another beside it.
    hand.lift(middle(carried))
    hand.carry(middle(own(ann, "top")))
    hand.drop()
    expect(own(ann, "top").locator("[data-card]")).to_have_count(1)
    hand.lift(middle(ann.page.locator(f"[data-card='{second}']")))
    hand.carry(middle(own(ann, "top")))
    hand.drop()
    expect(own(ann, "top").locator("[data-card]")).to_have_count(2)
    assert laid(ann) == {"top": [first, second], "middle": [], "bottom": []}

    # Nothing happens to a card that is dropped outside, or given up.
    hand.lift(middle(carried))
    hand.carry((195, 20))
    hand.drop()
    hand.lift(middle(ann.page.locator(f"[data-card='{third}']")))
    hand.carry(middle(own(ann, "middle")))
    expect(ann.page.locator(".row.over")).to_have_count(1)
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".over, .dragging")).to_have_count(0)
    hand.drop()
    if isinstance(hand, Finger):
        hand.lift(middle(ann.page.locator(f"[data-card='{third}']")))
        hand.carry(middle(own(ann, "middle")))
        hand.lose()
    expect(ann.page.locator(".over, .dragging")).to_have_count(0)
    assert laid(ann) == {"top": [first, second], "middle": [], "bottom": []}

    # Back into the hand.
    hand.lift(middle(carried))
    hand.carry(middle(tray))
    hand.drop()
    expect(own(ann, "top").locator("[data-card]")).to_have_count(1)
    assert first in ann.tray()
    assert ann.page.evaluate("scrollY") == 0
    assert ann.noise == []


def test_a_full_row_takes_no_card_and_is_not_lit(room: House, people: Arrive) -> None:
    ann = at_table(room, people)
    for _ in range(3):
        ann.tap("top")
    hand = Mouse(ann.page)
    hand.lift(middle(ann.page.locator(f"[data-tray] .hand [data-card='{ann.tray()[0]}']")))
    hand.carry(middle(own(ann, "top")))
    expect(ann.page.locator(".dragging")).to_have_count(1)
    expect(ann.page.locator(".over")).to_have_count(0)
    hand.drop()
    assert len(cards(ann, "top")) == 3
    assert len(ann.tray()) == 2


def test_a_tap_takes_a_card_back_and_the_discard_changes_places(room: House, people: Arrive) -> None:
    ann = at_table(room, people)
    ann.arrange()
    ann.confirm()
    assert ann.wait_for_turn()
    first, second, last = ann.tray()
    board = laid(ann)
    ann.tap("middle")
    ann.tap("top")
    assert ann.tray() == [last]
    hand = Mouse(ann.page)
    hand.lift(middle(ann.page.locator(f"[data-tray] [data-card='{last}']")))
    hand.carry(middle(own(ann, "middle")))
    hand.drop()
    assert ann.tray() == [second]
    assert laid(ann) == {**board, "middle": [*board["middle"], first, last]}
    # An old card stays where it lies; a new one comes back, and is the one that is laid next.
    expect(own(ann, "bottom").locator("button[data-card]")).to_have_count(0)
    ann.page.locator(f".own [data-card='{first}']").click()
    expect(ann.page.locator(f"[data-tray] [data-card='{first}']")).to_have_attribute("aria-pressed", "true")
    assert laid(ann) == {**board, "middle": [*board["middle"], last]}


def by_rank(found: Sequence[str]) -> list[str]:
    return sorted(found, key=lambda text: (-Card(text).rank, "shdc".index(text[1])))


def by_suit(found: Sequence[str]) -> list[str]:
    suits = [text[1] for text in found]
    return sorted(by_rank(found), key=lambda text: (-suits.count(text[1]), "shdc".index(text[1])))


def test_cards_are_sorted_on_every_street_and_keys_follow(room: House, people: Arrive) -> None:
    ann = at_table(room, people, size=DESKTOP)
    dealt = ann.tray()
    sort = ann.page.get_by_test_id("sort")
    expect(sort).to_contain_text("As dealt")
    chosen = ann.page.locator(".hand [aria-pressed=true]")
    expect(chosen).to_have_attribute("data-card", dealt[0])
    sort.click()
    expect(sort).to_contain_text("By rank")
    assert ann.tray() == by_rank(dealt)
    # What was chosen stays chosen, wherever it stands now.
    expect(chosen).to_have_attribute("data-card", dealt[0])
    ann.page.keyboard.press("s")
    expect(sort).to_contain_text("By pairs")
    ann.page.keyboard.press("s")
    expect(sort).to_contain_text("By suit")
    assert ann.tray() == by_suit(dealt)
    ann.page.keyboard.press("3")
    expect(chosen).to_have_attribute("data-card", by_suit(dealt)[2])
    ann.page.reload()
    expect(sort).to_contain_text("By suit")
    assert ann.tray() == by_suit(dealt)
    ann.arrange()
    ann.confirm()
    assert ann.wait_for_turn()
    now = ann.tray()
    assert now == by_suit(now)
    expect(chosen).to_have_attribute("data-card", now[0])
    # There is nothing to sort where two are left.
    ann.tap("middle")
    expect(sort).to_have_count(0)
    expect(ann.page.get_by_test_id("reset")).to_be_visible()


def press(page: Page, code: str, key: str) -> None:
    """A key as a keyboard of another language sends it."""
    page.evaluate(
        "([code, key]) => document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true }))",
        [code, key],
    )


def test_a_hand_by_keys_alone_on_a_russian_keyboard(room: House, people: Arrive) -> None:
    marina = people("Марина", size=DESKTOP)
    marina.open_table(room.url, seats=2, bots=1)
    page = marina.page
    tab_to(page, marina.page.get_by_test_id("ready"))
    page.keyboard.press("Enter")
    streets = 0
    while marina.wait_for_turn():
        streets += 1
        # The last card first, and each taken back once.
        press(page, f"Digit{len(marina.tray())}", str(len(marina.tray())))
        while not page.get_by_test_id("confirm").is_enabled():
            row = next(row for row in ("bottom", "middle", "top") if marina.free(row))
            before = marina.free(row)
            code = {"bottom": "KeyZ", "middle": "KeyA", "top": "KeyQ"}[row]
            press(page, code, RUSSIAN[code])
            expect(own(marina, row).locator(".slot")).to_have_count(before - 1)
        whole = laid(marina)
        page.keyboard.press("Backspace")
        expect(page.get_by_test_id("confirm")).to_be_disabled()
        page.keyboard.press("Escape")
        assert sum(map(len, laid(marina).values())) < sum(map(len, whole.values()))
        while not page.get_by_test_id("confirm").is_enabled():
            row = next(row for row in ("bottom", "middle", "top") if marina.free(row))
            before = marina.free(row)
            page.keyboard.press({"bottom": "ArrowDown", "middle": "ArrowLeft", "top": "ArrowUp"}[row])
            expect(own(marina, row).locator(".slot")).to_have_count(before - 1)
        page.keyboard.press("Enter")
        if page.locator("button.alarm").count():
            page.keyboard.press("Enter")
        expect(page.locator("[data-testid=confirm]:enabled")).to_have_count(0)
    assert streets == 5


def focused(page: Page) -> dict[str, Any]:
    """What has the focus, how it is framed, and whether it is in sight."""
    found: dict[str, Any] = page.evaluate(
        """() => {
          const element = document.activeElement;
          const framed = element.closest("label") ?? element;
          const rings = [element, framed].map((each) => getComputedStyle(each));
          const { left, top, right, bottom } = framed.getBoundingClientRect();
          const name = element.ariaLabel ?? element.dataset.testid ?? element.textContent.trim();
          return { tag: element.tagName, name: name.slice(0, 40),
                   ring: rings.some(({ outlineStyle, outlineWidth }) => outlineStyle === "solid" && outlineWidth === "3px"),
                   seen: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight };
        }"""
    )
    return found


def tab_to(page: Page, wanted: Locator) -> list[str]:
    """Walk with Tab until this has the focus; gives the names of what was passed. Every stop has to be seen."""
    passed = list[str]()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            continue
        stop = focused(page)
        assert stop["ring"], f"no ring around {stop}"
        assert stop["seen"], f"out of sight: {stop}"
        if wanted.evaluate("element => element === document.activeElement"):
            return passed
        passed.append(stop["name"])
    raise AssertionError(f"never reached, but {passed}")


def test_whoever_walks_with_tab_reaches_everything_and_is_never_caught(room: House, people: Arrive) -> None:
    ann = at_table(room, people, size=DESKTOP)
    page = ann.page
    last = ann.tray()[-1]
    tab_to(page, page.locator(f".hand [data-card='{last}']"))
    page.keyboard.press("Enter")
    expect(page.locator(f".hand [data-card='{last}']")).to_have_attribute("aria-pressed", "true")
    tab_to(page, own(ann, "middle").locator("button.lay"))
    page.keyboard.press("Enter")
    expect(own(ann, "middle").locator(f"[data-card='{last}']")).to_have_count(1)
    tab_to(page, own(ann, "middle").locator(f"[data-card='{last}']"))
    page.keyboard.press("Enter")
    expect(own(ann, "middle").locator("[data-card]")).to_have_count(0)
    ann.arrange()
    tab_to(page, page.get_by_test_id("confirm"))
    menu = page.locator("header button.menu")
    tab_to(page, menu)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    # Within the dialog round and round, out of it with Escape, back to where one was.
    for _ in range(40):
        page.keyboard.press("Tab")
        inside = page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
        assert inside
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(menu).to_be_focused()


CARD: Final = {
    "ru-RU": re.compile(r"^(туз|король|дама|валет|10|[2-9]) (пик|червей|бубен|треф)$"),
    "en-GB": re.compile(r"^(ace|king|queen|jack|10|[2-9]) of (spades|hearts|diamonds|clubs)$"),
}
LISTEN: Final = """
  window.heard = [];
  new MutationObserver(() => {
    for (const said of document.querySelectorAll("[data-testid=said]")) {
      const text = said.textContent.trim();
      if (text !== "" && text !== heard.at(-1)) heard.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_a_screen_reader_hears_the_hand_and_each_thing_once(room: House, people: Arrive, locale: str) -> None:
    ann = people("Ann", locale=locale)
    ann.page.add_init_script(LISTEN)
    ann.open_table(room.url, seats=2, bots=1)
    ann.ready()
    rows = {"ru-RU": ("Верх", "Середина", "Низ"), "en-GB": ("Top", "Middle", "Bottom")}[locale]

    def look(person: Person) -> None:
        """At boards that have cards on them."""
        for board in person.page.locator("section.own, section.rival").all():
            names = [group.get_attribute("aria-label") or "" for group in board.get_by_role("group").all()]
            assert [name.split(":")[0] for name in names] == list(rows)
            # A row's name says what it is; its cards say what they are.
            pictures = board.locator("[data-row] [data-card]").and_(board.get_by_role("img")).all()
            assert pictures
            for card in pictures:
                assert CARD[locale].match(card.get_attribute("aria-label") or "")

    def move(person: Person) -> None:
        if len(person.tray()) < 5:
            look(person)
        person.arrange()
        person.confirm()

    play_hand(ann, move=move)
    told = "\n".join(ann.page.evaluate("heard"))
    begun, turn, result = {
        "ru-RU": ("Раздача 1 началась", "Ваш ход, улица {}.", "Раздача 1 закончена. Ваш результат:"),
        "en-GB": ("Hand 1 has begun", "Your turn, street {}.", "Hand 1 is over. Your result:"),
    }[locale]
    assert told.count(begun) == 1
    assert told.count(result) == 1
    assert [told.count(turn.format(street)) for street in range(1, 6)] == [1] * 5


@pytest.mark.parametrize(("seconds", "expected"), [(31, "30"), (12, "10")])
def test_time_that_runs_out_is_said(house: House, people: Arrive, seconds: int, expected: str) -> None:
    table = lay_table(house.database, RuleSet(hand_seconds=seconds, bank_seconds=0, fantasyland="off"), bots=1)
    house.start()
    ann = people("Ann", locale="en-GB")
    ann.sit(f"{house.url}/t/{table}")
    ann.ready()
    assert ann.wait_for_turn()
    expect(ann.page.get_by_test_id("said")).to_contain_text(re.compile(rf"\b{expected} seconds"), timeout=8_000)
    assert ann.page.get_by_role("timer").count() > 0


HEAR: Final = """
  window.sounds = [];
  const Real = window.OscillatorNode;
  window.OscillatorNode = class extends Real {
    constructor(context, options) { super(context, options); sounds.push(Math.round(options.frequency)); }
  };
  window.called = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission() { return Promise.resolve("granted"); }
    constructor(title, { body }) { this.text = `${title}. ${body}`; called.push(this.text); }
    close() { called.push("closed"); }
  };
"""
TURN: Final = 659
"""An e: the first note of one's turn."""


def turns_heard(page: Page) -> int:
    """How often one's turn was sounded."""
    found: list[int] = page.evaluate("sounds")
    return found.count(TURN)


def test_each_turn_is_heard_once_and_nothing_again_after_a_reload(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    ann.page.add_init_script(HEAR)
    ann.open_table(room.url, seats=2, bots=1)
    ann.page.wait_for_load_state("networkidle")
    ann.ready()
    assert ann.wait_for_turn()
    until(ann.page, f"sounds.filter((tone) => tone === {TURN}).length === 1")
    ann.tap("bottom")
    ann.page.reload()
    expect(ann.page.locator("button.lay").first).to_be_visible()
    ann.page.wait_for_load_state("networkidle")
    ann.tap("middle")
    ann.page.wait_for_timeout(300)
    assert turns_heard(ann.page) == 0
    ann.arrange()
    ann.confirm()
    assert ann.wait_for_turn()
    until(ann.page, f"sounds.filter((tone) => tone === {TURN}).length === 1")
    assert ann.noise == []


def test_silence_is_kept_where_it_was_chosen(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    ann.page.add_init_script(HEAR)
    ann.open_table(room.url, seats=2, bots=1)
    ann.page.wait_for_load_state("networkidle")
    ann.page.locator("header button.menu").click()
    switch = ann.page.get_by_role("switch", name="Sound")
    expect(switch).to_be_checked()
    switch.uncheck()
    ann.page.keyboard.press("Escape")
    ann.ready()
    assert ann.wait_for_turn()
    ann.page.wait_for_timeout(300)
    assert turns_heard(ann.page) == 0


HIDE: Final = """hidden => {
  Object.defineProperty(document, "visibilityState", { get: () => hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def shown(page: Page, count: int) -> list[list[str]]:
    """What the service worker shows, once it is so many notices."""
    look = """() => navigator.serviceWorker.getRegistration().then((worker) => worker.getNotifications())
      .then((all) => all.map(({ title, body, data }) => [title, body, data.url]))"""
    for _ in range(600):
        found: list[list[str]] = page.evaluate(look)
        if len(found) == count:
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"never {count} notices")


def test_the_service_worker_shows_the_notice_where_there_is_one(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    ann.context.grant_permissions(["notifications"])
    ann.open_table(room.url, seats=2, bots=1)
    ann.page.wait_for_load_state("networkidle")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.page.locator("header button.menu").click()
    ann.page.get_by_role("switch", name="Notify me").check()
    ann.page.keyboard.press("Escape")
    ann.page.evaluate(HIDE, True)
    ann.ready()
    assert ann.wait_for_turn()
    [[title, body, url]] = shown(ann.page, 1)
    assert (title, url) == ("Your turn", ann.page.url.removeprefix(room.url))
    assert "street 1" in body
    ann.page.evaluate(HIDE, False)
    assert shown(ann.page, 0) == []


def test_a_turn_is_notified_while_the_page_is_hidden_and_no_longer(room: House, people: Arrive) -> None:
    ann = people("Марина")
    ann.page.add_init_script(HEAR)
    ann.open_table(room.url, seats=2, bots=1)
    ann.page.wait_for_load_state("networkidle")
    ann.page.locator("header button.menu").click()
    ann.page.get_by_role("switch", name="Уведомлять").check()
    ann.page.keyboard.press("Escape")
    ann.page.evaluate(
        "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.getRegistrations())"
        ".then((all) => all.forEach((one) => one.unregister()))"
    )
    ann.page.evaluate(HIDE, True)
    ann.ready()
    assert ann.wait_for_turn()
    until(ann.page, "called.length === 1")
    assert re.search("Ваш ход. «.+»: улица 1", ann.page.evaluate("called")[0])
    ann.page.evaluate(HIDE, False)
    assert ann.page.evaluate("called.at(-1)") == "closed"
    ann.arrange()
    ann.confirm()
    assert ann.wait_for_turn()
    assert len(ann.page.evaluate("called")) == 2


def test_the_screen_stays_on_while_the_table_is_looked_at(room: House, people: Arrive) -> None:
    ann = people("Ann", locale="en-GB")
    ann.page.add_init_script(
        """
        window.locks = [];
        const request = () => {
          const lock = { released: false, release() { this.released = true; return Promise.resolve(); } };
          locks.push(lock);
          return Promise.resolve(lock);
        };
        Object.defineProperty(navigator, "wakeLock", { value: { request } });
        """
    )
    ann.open_table(room.url, seats=2, bots=1)
    until(ann.page, "locks.length === 1")
    # The browser takes it away when the page is hidden; it is asked for again when it is back.
    ann.page.evaluate("locks[0].released = true")
    ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(ann.page, "locks.length === 2")
    ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # Away from the table it may go dark.
    ann.page.get_by_role("link", name=re.compile("Leave this page")).click()
    ann.page.get_by_text("To the start page").click()
    until(ann.page, "locks[1].released")
    assert ann.page.evaluate("locks.length") == 2


def test_the_grid_shows_what_was_seen(room: House, people: Arrive) -> None:
    ann = at_table(room, people, size=(1920, 1080))
    ann.arrange()
    ann.confirm()
    assert ann.wait_for_turn()
    boards = [card for seat in (0, 1) for card in map(str, ann.board(seat).cards)]
    grid = ann.page.get_by_test_id("deck")
    seen = {cell.get_attribute("data-seen") or "" for cell in grid.locator("[data-seen]").all()}
    assert seen == {*boards, *ann.tray()}
    expect(grid.locator("caption")).to_contain_text(str(52 - len(seen)))
    spades = grid.get_by_role("row", name=re.compile("Spades")).get_by_role("cell").last
    expect(spades).to_have_text(str(13 - sum(Card(card).suit is Suit.SPADES for card in seen)))
