"""Every screen in every language on the narrowest phone: no text is cut, lies over a button, or is no word at all.

The screens are shown by the page that developers look at them with, as in `test_sizes`. And a language is one file: one
that is made up here is spoken by the client without another word about it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.evening import NO_WORD
from tests.browser.person import Person
from tests.browser.test_sizes import looking
from tests.server.house import House

__all__ = ["looking"]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "web"
NARROW: Final = ((320, 568), (320, 693))
"""The smallest phone there is, and a usual one whose owner has everything shown larger."""
LANGUAGES: Final = ("ru", "en")
PARTS: Final = 4
"""So that several workers share the screens."""
SHARED: Final = [pytest.param(part, marks=[pytest.mark.long] if part % 2 else []) for part in range(PARTS)]
"""`make test` has time for every second screen; `pytest -m long` looks at the others."""
AT_ONCE: Final = 4
"""Pages that are opened together: each has to wait a while for what it shows a moment later."""
TABLES: Final = sorted(
    path.stem
    for path in (WEB / "dev" / "fixtures").glob("*.json")
    if not path.stem.startswith(("two-of", "three-of"))  # as those of full tables, with a place left free
)
ANSWERS: Final = sorted(path.stem for path in (WEB / "dev" / "answers").glob("*.json"))
REVIEWS: Final = sorted(path.stem for path in (WEB / "dev" / "coach").glob("review*.json"))
PAGES: Final = (
    "home",
    "home#open",
    "home-new",
    "home-quiet",
    "device",
    "device-gone",
    "lesson",
    "lost",
    "puzzle",
    "puzzle-three",
    "puzzle-answer",
    "puzzle-solved",
    "rules",
    *ANSWERS,
    *REVIEWS,
)
DIALOGS: Final = {
    "showdown": ("menu", "leave", "rules", "phrases", "deck", "last"),
    "host-menu": ("menu", "invite", "host", "new-rules"),
    "pause": ("menu", "waive", "leave"),
    "bust-between": ("chips",),
    "club-showdown": ("menu", "last", "rules"),
    "watching": ("menu", "deck"),
}
"""What lies over the table, by a table where it may."""
SCREENS: Final = [
    *((state, "") for state in (*TABLES, *PAGES)),
    *((state, over) for state, kinds in DIALOGS.items() for over in kinds),
]


def _names() -> frozenset[str]:
    """How people call themselves and their tables in what is shown here."""
    found = {"Зоя", "Zoë", "Пятничный ананас", "Friday with the bots", "Киви", "Kiwi", "Mango"}
    for path in (*WEB.glob("dev/fixtures/*.json"), *WEB.glob("dev/answers/*.json")):
        found |= set(re.findall(r'"name": *"([^"]+)"', path.read_text()))
    return frozenset(found)


NAMES: Final = _names()
"""A narrow place may break such a name, and nothing else."""

LOOK: Final = """() => {
  const found = [];
  const dialog = document.querySelector("dialog[open]");
  const root = dialog ?? document.body;
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const hushed = (element) => element.closest(".hush, [hidden]") !== null || getComputedStyle(element).clipPath !== "none";
  const inside = (box, rect) => Math.min(rect.right, box.right) - Math.max(rect.left, box.left) > 1
    && Math.min(rect.bottom, box.bottom) - Math.max(rect.top, box.top) > 1;
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(["wide", `the page is ${page.scrollWidth} wide`]);

  const controls = [...root.querySelectorAll("button, a, input, select, summary")]
    .filter((control) => seen(control) && !control.matches(".lay, [data-card]") && !hushed(control));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const words = text.textContent.trim();
    const element = text.parentElement;
    if (words === "" || !seen(element) || element.closest("svg, style, script, option")) continue;
    if (!dialog && element.closest("dialog")) continue;
    if ([...ancestors(element)].some(hushed)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length === 0) continue;
    let visible = rects.map(({ left, right, top, bottom, height }) => ({ left, right, top, bottom, height }));
    let scrolls = false;
    for (const holder of ancestors(element)) {
      const { overflowX, overflowY } = getComputedStyle(holder);
      const box = holder.getBoundingClientRect();
      if ([overflowX, overflowY].some((how) => how === "auto" || how === "scroll")) { scrolls = true; break; }
      if (overflowX === "visible" && overflowY === "visible") continue;
      // Whole words that find no room are left out on purpose; half of one is cut.
      visible = visible.filter((rect) => inside(box, rect));
      const cut = visible.find(({ left, right, top, bottom, height }) =>
        left < box.left - 1 || right > box.right + 1
        || top < box.top - height * 0.3 || bottom > box.bottom + height * 0.3);
      if (cut) { found.push(["cut", words]); }
      for (const rect of visible) {
        rect.left = Math.max(rect.left, box.left);
        rect.right = Math.min(rect.right, box.right);
        rect.top = Math.max(rect.top, box.top);
        rect.bottom = Math.min(rect.bottom, box.bottom);
      }
    }
    if (visible.some(({ left, right }) => left < -1 || (right > innerWidth + 1 && !scrolls))) {
      found.push(["sticks out", words]);
    }
    if (scrolls) continue;
    for (const control of controls) {
      if (control.contains(element) || element.contains(control)) continue;
      if (control.closest("label")?.contains(element)) continue;
      const around = control.getBoundingClientRect();
      const over = visible.find(({ left, right, top, bottom }) =>
        Math.min(right, around.right) - Math.max(left, around.left) > 2
        && Math.min(bottom, around.bottom) - Math.max(top, around.top) > 4);
      // What stays while the page moves under it lies over it for as long as it is moved.
      if (over && floats(element) === floats(control)) {
        found.push(["over " + (control.ariaLabel || control.textContent).trim().slice(0, 20), words]);
      }
    }
  }
  for (const element of root.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const words = element.getAttribute(name);
      if (words !== null) found.push(["says", words]);
    }
  }
  found.push(["says", root.innerText]);
  return found;

  function floats(element) {
    return [...ancestors(element)].find((each) => ["fixed", "sticky"].includes(getComputedStyle(each).position));
  }
  function* ancestors(element) {
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) yield each;
  }
}"""


DRAWN: Final = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  await document.fonts.ready;  // letters of another alphabet are fetched only when they are to be drawn
  await frame();
}"""


def wrong(page: Page, where: str) -> list[str]:
    """What is wrong with what is shown now."""
    lines = list[str]()
    for what, words in page.evaluate(LOOK):
        if what == "says":
            lines += [f"{where}: {found} is no word" for found in NO_WORD.findall(words)]
        elif what == "wide":
            lines.append(f"{where}: {words}")
        elif what != "cut" or not any(words in name or name in words for name in NAMES):
            lines.append(f"{where}: {what}: {words[:60]}")
    return lines


def look(page: Page, where: str) -> list[str]:
    """What is wrong with a page in every language on every narrow screen."""
    lines = list[str]()
    for locale in LANGUAGES:
        page.evaluate("locale => speak(locale)", locale)
        for width, height in NARROW:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            lines += wrong(page, f"{where} at {width}x{height} in {locale}")
    return lines


def show(browser: Browser, looking: str, screens: Sequence[tuple[str, str]]) -> str:
    """What is wrong with these states, each with what lies over it or nothing, as text."""
    context = browser.new_context(locale=LANGUAGES[0], reduced_motion="reduce")
    pages = [context.new_page() for _ in range(AT_ONCE)]
    lines = list[str]()
    for first in range(0, len(screens), AT_ONCE):
        shown = list(zip(screens[first : first + AT_ONCE], pages, strict=False))
        for (state, over), page in shown:
            name, _, part = state.partition("#")
            page.set_viewport_size({"width": 320, "height": 568})
            # Not a mere change of the part behind the sharp, which loads nothing.
            page.goto("about:blank")
            page.goto(f"{looking}?show={name}" + (f"#{part}" if part else ""), wait_until="commit")
            if over:
                page.evaluate("kind => history.replaceState({ over: kind }, '')", over)
                page.reload(wait_until="commit")
        for (state, over), page in shown:
            page.bring_to_front()  # behind another page it would draw one frame a second
            page.locator("dialog[open]" if over else "main").first.wait_for()
            page.wait_for_load_state("networkidle")
            lines += look(page, f"{state}{'/' + over if over else ''}")
    context.close()
    return "\n".join(lines)


@pytest.mark.parametrize("part", SHARED)
def test_every_text_is_there_to_be_read(browser: Browser, looking: str, part: int) -> None:
    assert show(browser, looking, SCREENS[part::PARTS]) == ""


def test_what_is_cut_or_no_word_would_be_seen(browser: Browser, looking: str) -> None:
    page = browser.new_page(locale="en-GB", viewport={"width": 320, "height": 568})
    page.goto(f"{looking}?show=waiting")
    page.get_by_test_id("ready").wait_for()
    page.evaluate("""() => {
        const main = document.querySelector("main");
        const add = (text, css) => {
            const element = main.appendChild(document.createElement("p"));
            element.textContent = text;
            element.style.cssText = css;
        };
        add("far too long to be read", "width: 40px; overflow: hidden; white-space: nowrap");
        add("half of a line", "height: 6px; overflow: hidden");
        add("beside the screen", "position: absolute; left: 300px; top: 0; white-space: nowrap");
        add("undefined", "");
        const { left, top } = document.querySelector("[data-testid=ready]").getBoundingClientRect();
        add("on a button", `position: absolute; left: ${left + 5}px; top: ${top + 5}px`);
    }""")
    found = "\n".join(wrong(page, ""))
    for planted in ("cut: far too", "cut: half", "sticks out: beside", "undefined is no word", ": on a button", "wide"):
        assert planted in found, found
    page.close()


@pytest.fixture
def third_language(tmp_path: Path) -> Path:
    """The client, built with one more file: English with another name of the game."""
    for folder in ("web", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("node_modules", "fixtures"))
    (tmp_path / "web" / "node_modules").symlink_to(WEB / "node_modules")
    languages = tmp_path / "web" / "src" / "languages"
    words = (languages / "en.ts").read_text()
    assert words.count('"Ananas"') == 1
    (languages / "eo.ts").write_text(words.replace('"Ananas"', '"Ananaso"'))
    built = tmp_path / "built"
    command = ["node", "node_modules/vite/bin/vite.js", "build", "--outDir", str(built), "--logLevel", "error"]
    subprocess.run(command, cwd=tmp_path / "web", check=True, env={**os.environ, "NODE_ENV": "production"})
    return built


def test_a_third_language_is_one_file(house: House, people: Callable[..., Person], third_language: Path) -> None:
    house.client = third_language
    house.start()
    ana = people("Ana", locale="eo")
    ana.page.goto(house.url)
    expect(ana.page).to_have_title("Ananaso")
    assert ana.page.evaluate("document.documentElement.lang") == "eo"
    ana.page.goto(f"{house.url}/rules")
    expect(ana.page.get_by_role("heading", level=1).first).to_have_text("The rules")
    ana.page.goto(f"{house.url}/lesson")
    expect(ana.page.get_by_test_id("coach")).to_contain_text("The lower a row")
    for name in ("Esperanto", "English", "Русский"):
        expect(ana.page.get_by_text(name)).to_have_count(0)
    ana.page.goto(house.url)
    ana.page.get_by_test_id("you").click()
    for name in ("Esperanto", "English", "Русский"):
        expect(ana.page.get_by_role("dialog").get_by_text(name)).to_be_visible()
    ana.page.get_by_role("dialog").get_by_text("Русский").click()
    expect(ana.page).to_have_title("Ананас")
    assert ana.noise == []
