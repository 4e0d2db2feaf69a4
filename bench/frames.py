"""Whether cards move smoothly: they are dragged and laid in a phone's Chromium that is slowed down four times.

    .venv/bin/python -m bench.frames

It prints how long frames take and whether a task held the page up. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from ananas.game.rules import RuleSet
from bench.client import Line
from tests.browser.conftest import FLAGS, lay_table
from tests.browser.person import PHONE
from tests.server.house import House

SLOWER: Final = 4
FRAME, LONG = 20, 50
"""What the 95th of a hundred frames may take, and what no task may, in milliseconds."""

_WATCH: Final = """
  window.frames = []; window.tasks = []; window.watched = false;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (watched) tasks.push(duration);
  }).observe({ type: "longtask" });
  let last = 0;
  const frame = (now) => {
    if (watched && last) frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
"""


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _drag(page: Page, card: Locator, row: str) -> None:
    """Carry a card to a row in about a second, as a finger would, and wait until it has come to rest."""
    (x, y), (a, b) = _middle(card), _middle(page.locator(f"section.own [data-row={row}]"))
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 61):
        page.mouse.move(x + (a - x) * step / 60, y + (b - y) * step / 60)
    page.mouse.up()
    page.wait_for_timeout(400)


def _hand(page: Page) -> None:
    """A hand, in which every street is dragged, taken back, and laid by taps."""
    room = {"bottom": 5, "middle": 5, "top": 3}
    confirm = page.get_by_test_id("confirm")

    def free() -> str:
        rows = (row for row in room if page.locator(f"section.own [data-row={row}] .slot").count())
        return next(rows)

    while True:
        page.locator("button.lay, main.counted").first.wait_for(state="attached", timeout=60_000)
        if page.locator("main.counted").count():
            return
        page.evaluate("watched = true")
        _drag(page, page.locator("[data-tray] .hand [aria-pressed=true]"), free())
        page.keyboard.press("Escape")
        page.wait_for_timeout(400)
        while not confirm.is_enabled():
            page.mouse.click(*_middle(page.locator(f"section.own [data-row={free()}] .slot").last))
            page.wait_for_timeout(300)
        page.evaluate("watched = false")
        confirm.click()
        if page.locator("button.alarm[data-testid=confirm]").count():
            confirm.click()
        page.locator("[data-testid=confirm]:enabled").wait_for(state="detached")


def frames(browser: Browser, house: House, table: str, *, hands: int) -> list[Line]:
    """Play hands, and give what the frames took."""
    width, height = PHONE
    context = browser.new_context(locale="en-GB", viewport={"width": width, "height": height}, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(_WATCH)
    page.goto(f"{house.url}/t/{table}")
    page.locator(".bottom form input:not([type=range])").fill("Ann")
    page.locator(".bottom form button").click()
    processor: Any = context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    for _ in range(hands):
        page.get_by_test_id("ready").click()
        page.locator("main:not(.counted)").wait_for()
        _hand(page)
    seen: dict[str, Any] = page.evaluate("({ frames, tasks })")
    context.close()
    took, tasks = sorted(seen["frames"]), seen["tasks"]
    middle, most = statistics.median(took), statistics.quantiles(took, n=20)[-1]
    longest = f", the longest {max(tasks):.0f} ms" if tasks else ""
    slowed = f"laying at a CPU {SLOWER} times slower"
    return [
        Line(f"{slowed}: a frame, the middle of {len(took)}", f"{middle:.1f} ms", "-", True),
        Line(f"{slowed}: a frame, the 95th of 100", f"{most:.1f} ms", f"{FRAME} ms", most <= FRAME),
        Line(f"{slowed}: tasks over {LONG} ms", f"{len(tasks)}{longest}", "0", not tasks),
    ]


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        house = House(Path(directory) / "room.sqlite")
        table = lay_table(house.database, RuleSet(fantasyland="off"), bots=1)
        house.start()
        try:
            for line in frames(browser, house, table, hands=options.hands):
                print(f"{'ok  ' if line.kept else 'OVER'} {line.what}: {line.measured} (limit {line.limit})")
        finally:
            house.close()
            browser.close()


if __name__ == "__main__":
    main()
