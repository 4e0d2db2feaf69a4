"""The table in every state on every size of screen: nothing scrolls, nothing is cut off, everything can be pressed.

The states are the views in `web/dev/fixtures`, each played by the table's own rules; they are shown by the page that
developers look at them with, built for these tests alone.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

WEB: Final = Path(__file__).parents[2] / "web"
STATES: Final = sorted(path.stem for path in (WEB / "dev" / "fixtures").glob("*.json"))
PHONES: Final = ((320, 568), (320, 693), (390, 664), (390, 844), (667, 375))
BETWEEN: Final = ((768, 1024), (900, 600), (1024, 768))
"""Too small for a column at the side."""
DESKTOPS: Final = ((1280, 800), (1920, 1080))
SIZES: Final = (*PHONES, *BETWEEN, *DESKTOPS)
PARTS: Final = 4
"""So that several workers share the states."""
SHARED: Final = [pytest.param(part, marks=[pytest.mark.long] if part % 2 else []) for part in range(PARTS)]
"""`make test` has time for every second state; `pytest -m long` looks at the others."""
AT_ONCE: Final = 4
"""Pages that are opened together: each has to wait a while for what it shows a moment later."""

LEAST: Final = 10
"""No card is less wide, in pixels, but for those that were thrown away."""
SQUEEZED: Final = {
    "main .rival .row { --w: 6px }": "is 6 wide",
    ".own.own .row [data-card] { width: 30px }": "is 30 wide",
    ".tray.tray .hand { column-gap: 40px }": "sticks out of the tray",
    ".own.own .ring p { margin-right: 600px }": "the time lies over the top row",
    ".actions.actions :is(.go, .wait) { flex: none; width: 44px; height: 30px }": "is cut off",
}
"""Faults that are planted, and what is said of each."""

BUILD: Final = """
import { build } from "vite";
const options = { outDir: process.argv[1], emptyOutDir: true, rolldownOptions: { input: "dev/fixtures.html" } };
await build({ logLevel: "error", build: { ...options, reportCompressedSize: false } });
"""

STICKS_OUT: Final = """
  for (const part of document.querySelectorAll("section :is(.head, .caption, .label, .bar, .actions) > *")) {
    const section = part.closest("section, .bottom").getBoundingClientRect();
    const { left, right, width } = part.getBoundingClientRect();
    if (width > 1 && part.checkVisibility() && (left < section.left - 1 || right > section.right + 1)) {
      found.push(`${part.textContent.trim().slice(0, 30)} sticks out of its ${part.parentElement.className.split(" ")[0]}`);
    }
  }
  // What is read in a cell, be its part as wide as the cell or not.
  const edges = (cell) => [...cell.children].filter((part) => part.checkVisibility() && part.offsetWidth !== 1).map((part) => {
    const [box, text] = [part.getBoundingClientRect(), document.createRange()];
    text.selectNodeContents(part);
    const { left, right } = text.getBoundingClientRect();
    return [Math.max(left, box.left), Math.min(right, box.right)];
  });
  for (const cell of document.querySelectorAll(".sheet :is(th, td) + td")) {
    const before = cell.previousElementSibling;
    const ends = Math.max(...edges(before).map(([, right]) => right));
    const begins = Math.min(...edges(cell).map(([left]) => left));
    if (ends > begins - 2) found.push(`${before.textContent.trim()} runs into what stands beside it`);
  }
"""

FAULTS: Final = """() => {
  const found = [];
  STICKS_OUT
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight + 1) found.push(`the page is ${page.scrollHeight} high`);
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const named = (element) => (element.dataset.testid ?? element.ariaLabel ?? element.textContent).trim().slice(0, 30);
  for (const element of all("main *")) {
    const { overflowY } = getComputedStyle(element);
    const scrolls = overflowY === "auto" || overflowY === "scroll";
    if (scrolls && element.scrollHeight > element.clientHeight + 1) {
      found.push(`.${element.classList[0]} scrolls, ${element.scrollHeight - element.clientHeight} too high`);
    }
    if (scrolls && element.scrollWidth > element.clientWidth) {
      found.push(`.${element.classList[0]} scrolls, ${element.scrollWidth - element.clientWidth} too wide`);
    }
  }
  for (const card of all(".own [data-card], [data-tray] .hand button[data-card]")) {
    if (card.offsetWidth < 40 - 0.5 && card.closest(".own, .tray").parentElement.closest("main:not(.counted)")) {
      found.push(`${card.dataset.card} is ${card.offsetWidth} wide`);
    }
  }
  // Nobody's cards are so small that they cannot be told apart.
  for (const card of all("main.in .rival .row [data-card], main.counted .me [data-card]")) {
    if (card.offsetWidth < LEAST - 0.5) found.push(`${card.dataset.card} is ${card.offsetWidth} wide`);
  }
  for (const card of all("[data-tray] .hand [data-card]")) {
    const [{ left, right }, tray] = [card, card.closest("[data-tray]")].map((part) => part.getBoundingClientRect());
    if (left < tray.left - 1 || right > tray.right + 1) found.push(`${card.dataset.card} sticks out of the tray`);
  }
  for (const time of all(".own .ring > *")) {
    const [{ left }, row] = [time, time.parentElement.previousElementSibling].map((part) => part.getBoundingClientRect());
    // On the narrowest phones a word comes close to the third card's edge.
    if (left < row.right - 8) found.push("the time lies over the top row");
  }
  for (const main of all(".actions > :is(.go, .wait)")) {
    if (main.scrollWidth > main.clientWidth + 1 || main.scrollHeight > main.clientHeight + 1) {
      found.push(`${named(main)} is cut off`);
    }
  }
  const pressed = "button, a, summary, label:has(:checked, [type=checkbox]), input:not([type=range], label input), select";
  for (const element of all(`main :is(${pressed})`)) {
    if (element.matches("[data-card], .lay")) continue;
    let { width, height } = element.getBoundingClientRect();
    // What lies around it and belongs to it may be hit as well.
    const around = getComputedStyle(element, "::after");
    if (around.position === "absolute" && around.content !== "none") {
      width += Math.max(0, -parseFloat(around.left)) + Math.max(0, -parseFloat(around.right));
      height += Math.max(0, -parseFloat(around.top)) + Math.max(0, -parseFloat(around.bottom));
    }
    if (height < 43.5 || width < 43.5) found.push(`${named(element)} is ${Math.round(width)}x${Math.round(height)}`);
  }
  for (const element of all("main .bottom, main .tray, main .own, main .rival, main .play, main header, main aside")) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5 || top < -0.5 || bottom > innerHeight + 0.5) {
      found.push(`.${element.className.split(" ")[0]} sticks out`);
    }
  }
  return found;
}""".replace("STICKS_OUT", STICKS_OUT).replace("LEAST", str(LEAST))

OVERLAPS: Final = """() => {
  const found = [];
  STICKS_OUT
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const parts = [...document.querySelectorAll(
    "main > header, .rival, .own, .tray, .watched, main > .bottom, main > .me > *, main > .play > *")].filter(seen);
  const rects = parts.map((part) => [part.className.split(" ")[0] || part.tagName, part.getBoundingClientRect(), part]);
  const page = document.documentElement;
  for (const [one, a, first] of rects) {
    if (a.left < -0.5 || a.right + scrollX > Math.max(innerWidth, page.scrollWidth) + 0.5) found.push(`${one} sticks out`);
    if (a.bottom + scrollY > page.scrollHeight + 0.5) found.push(`${one} cannot be reached`);
    for (const [other, b, second] of rects) {
      if (first === second || first.contains(second) || second.contains(first)) continue;
      const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
                      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (x > 1 && y > 1) found.push(`${one} lies over ${other}`);
    }
  }
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
  const controls = [...document.querySelectorAll("main :is(button, a, summary, input)")].filter(seen);
  for (const control of controls) {
    if (control.matches(".lay, [data-card]")) continue;
    control.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!under || !(control.contains(under) || under.closest("label")?.contains(control))) {
      found.push(`${(control.ariaLabel ?? control.textContent).trim().slice(0, 30)} cannot be pressed`);
    }
  }
  return found;
}""".replace("STICKS_OUT", STICKS_OUT)


EMPTY_SIDE: Final = """async () => {
  const side = document.querySelector("aside");
  // It is fetched once there is room for it.
  while (!side.querySelector(".score")) await new Promise(requestAnimationFrame);
  const area = (element) => element.offsetWidth * element.offsetHeight;
  const filled = [...side.children].reduce((sum, part) => sum + area(part), 0) / area(side);
  return filled < 0.8 ? [`${Math.round(filled * 100)} % of the side are filled`] : [];
}"""

ROWS: Final = """() => JSON.stringify([...document.querySelectorAll(".own .row, .tray")].map((part) => {
  const { top, height } = part.getBoundingClientRect();
  return [Math.round(top), Math.round(height)];
}))"""


BOARD: Final = """own => JSON.stringify([own, ...own.querySelectorAll("[data-card]")].map((part) => {
  const { top, height } = part.getBoundingClientRect();
  return [Math.round(top), Math.round(height)];
}))"""


@pytest.fixture(scope="session")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page that shows a view without a room, built and served; gives its address."""
    built = tmp_path_factory.mktemp("looking")
    command = ["node", "--input-type=module", "-e", BUILD, "--", str(built)]
    subprocess.run(command, cwd=WEB, check=True, env={**os.environ, "NODE_ENV": "production"})

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/dev/fixtures.html"
    server.shutdown()
    server.server_close()


def faults(
    browser: Browser, looking: str, states: Sequence[str], look: str, *, locale: str, sizes: Sequence[tuple[int, int]]
) -> str:
    """What is wrong with these states on these sizes, as text; empty where nothing is."""
    context = browser.new_context(locale=locale, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    pages = [context.new_page() for _ in range(AT_ONCE)]
    lines = list[str]()
    for first in range(0, len(states), AT_ONCE):
        shown = list(zip(states[first : first + AT_ONCE], pages, strict=False))
        for state, page in shown:
            page.goto(f"{looking}?show={state}", wait_until="commit")
        for state, page in shown:
            # Only of the page in front is anything drawn at once.
            page.bring_to_front()
            page.locator("main.table .bottom, main.empty").first.wait_for()
            page.wait_for_load_state("networkidle")
            page.evaluate("document.fonts.ready")
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                # Two frames: the size has been heard of, and what follows from it is drawn.
                page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                name = state.partition("&")[0]
                lines += [f"{name} at {width}x{height}: {wrong}" for wrong in page.evaluate(look)]
    context.close()
    return "\n".join(lines)


def changed(state: str, *, total: int = 0, stack: int = 0, **rules: object) -> str:
    """A state in which everybody has this score and these chips, if any, and the table these rules."""
    view = json.loads((WEB / "dev" / "fixtures" / f"{state}.json").read_text())["view"]
    seats = view["seats"]
    if total:
        seats = [sitter and {**sitter, "total": total, "stack": stack} for sitter in seats]
    return f"{state}&with={quote(json.dumps({'seats': seats, 'rules': {**view['rules'], **rules}}))}"


@pytest.mark.parametrize("part", SHARED)
def test_nothing_scrolls_and_everything_can_be_pressed(browser: Browser, looking: str, part: int) -> None:
    assert faults(browser, looking, STATES[part::PARTS], FAULTS, locale="ru-RU", sizes=SIZES) == ""


def test_what_is_squeezed_or_sticks_out_is_found(browser: Browser, looking: str) -> None:
    context = browser.new_context(locale="ru-RU", viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{looking}?show=fantasy14-laying")
    page.locator("main.table .bottom").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(FAULTS) == []
    for style, said in SQUEEZED.items():
        page.evaluate(
            "css => document.head.append(Object.assign(document.createElement('style'), { textContent: css }))", style
        )
        assert [wrong for wrong in page.evaluate(FAULTS) if said in wrong], style
        page.evaluate("document.head.lastElementChild.remove()")
    context.close()


def test_long_scores_and_badges_stay_on_their_boards(browser: Browser, looking: str) -> None:
    states = [
        changed(state, total=-1234, stack=1234, fantasyland_cards=[14, 15, 16, 17])
        for state in ("fantasy-secured", "fantasy14-laying", "two-of-three-fantasy", "duel-own", "club-fantasy")
    ]
    for locale in ("ru-RU", "en-GB"):
        assert faults(browser, looking, states, FAULTS, locale=locale, sizes=PHONES) == ""


def test_where_the_deck_is_not_shown_the_column_at_the_side_is_filled(browser: Browser, looking: str) -> None:
    states = [
        changed(state, seen_cards="hidden") for state in ("street3-own", "club-first", "duel-own", "duel-showdown")
    ]
    assert faults(browser, looking, states, EMPTY_SIDE, locale="en-GB", sizes=DESKTOPS) == ""


def test_before_and_after_a_whole_board_is_laid_the_own_rows_stay_where_they_are(
    browser: Browser, looking: str
) -> None:
    context = browser.new_context(locale="ru-RU", reduced_motion="reduce")
    page = context.new_page()
    for size in PHONES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        places = set[str]()
        for state in ("fantasy-others", "fantasy14", "fantasy14-laying", "fantasy14-ready"):
            page.goto(f"{looking}?show={state}")
            page.locator("main.table .bottom").wait_for()
            places.add(page.evaluate(ROWS))
        assert len(places) == 1, (size, places)
    context.close()


def test_more_lines_and_words_over_the_buttons_leave_the_own_board_as_large_as_it_is(
    browser: Browser, looking: str
) -> None:
    context = browser.new_context(locale="ru-RU", reduced_motion="reduce")
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    places = dict[str, list[str]]()
    for state in ("showdown", "showdown-foul", "voided", "lapsed", "capped", "bust-other", "bust"):
        page.goto(f"{looking}?show={state}")
        page.locator("main.counted .own [data-card]").first.wait_for()
        page.locator("main.counted .sheet").wait_for()
        places.setdefault(page.locator(".me .own").evaluate(BOARD), []).append(state)
    assert len(places) == 1, places
    context.close()


CUT: Final = """() => [...document.querySelectorAll(".rival .head small > span")]
  .filter((part) => part.checkVisibility() && part.offsetWidth > 1 && part.scrollWidth > part.clientWidth)
  .map((part) => `${part.textContent} is cut off`)"""


@pytest.mark.parametrize("locale", ["ru-RU", "en-GB"])
def test_what_rivals_fantasyland_comes_to_is_read_whole(browser: Browser, looking: str, locale: str) -> None:
    view = json.loads((WEB / "dev" / "fixtures" / "pause-stays.json").read_text())["view"]
    for result in view["hand"]["reckoning"]["players"]:
        result.update(fantasyland=15, stays=True, foul=False)
    for player in view["hand"]["players"]:
        player["fantasyland"] = 14
    stays = f"pause-stays&with={quote(json.dumps({'hand': view['hand']}))}"
    waits = json.loads((WEB / "dev" / "fixtures" / "fantasy14-other.json").read_text())["view"]
    for player in waits["hand"]["players"]:
        if player["seat"] != waits["you"]:
            player.update(fantasyland=14, acting=False, done=False)
    later = f"fantasy14-other&with={quote(json.dumps({'hand': waits['hand']}))}"
    assert faults(browser, looking, [stays, later], CUT, locale=locale, sizes=[(360, 640), (390, 844)]) == ""


def test_the_shorter_language_has_room_where_the_longer_one_has(browser: Browser, looking: str) -> None:
    assert faults(browser, looking, STATES[:: PARTS + 1], FAULTS, locale="en-GB", sizes=SIZES) == ""


@pytest.mark.parametrize("part", SHARED)
def test_at_twice_the_size_everything_can_be_reached(browser: Browser, looking: str, part: int) -> None:
    assert faults(browser, looking, STATES[part::PARTS], OVERLAPS, locale="ru-RU", sizes=[(640, 400)]) == ""
