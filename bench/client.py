"""How heavy and how quick the web client is, in a real Chromium, beside the limits it has to keep.

    .venv/bin/python -m bench.client

It counts the bytes of the built client, lets Lighthouse look at the home page and at a table as a phone sees them, and
lets guests follow a link over a slowed-down network until they hold their first cards. Lighthouse wants npm; it is
installed into `bench/lighthouse`, by its lock file. Nothing else should run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, CDPSession, expect, sync_playwright

from ananas.game.rules import ROOM
from bench.results import write_section
from tests.browser.conftest import FLAGS, lay_table
from tests.browser.person import PHONE, Person, until
from tests.server.house import House
from tests.web.weight import LIMITS, weights

HERE: Final = Path(__file__).parent
FAST_PHONE: Final = {"latency": 85, "downloadThroughput": 9_000_000 / 8, "uploadThroughput": 1_500_000 / 8}
"""A phone on an ordinary 4G network: 170 ms there and back, 9 Mbit/s down."""


class Line(NamedTuple):
    """One thing measured, its limit, and whether it is kept."""

    what: str
    measured: str
    limit: str
    kept: bool


# -- bytes


def count_bytes() -> list[Line]:
    """The client's weight."""
    words = {
        "first": "JavaScript until the first card",
        "scripts": "JavaScript, all of it in one language",
        "styles": "styles until the first card",
        "fonts": "fonts",
    }
    return [
        Line(words[what], f"{size / 1000:.1f} kB", f"{LIMITS[what] / 1000:.0f} kB", size <= LIMITS[what])
        for what, size in weights().items()
    ]


# -- Lighthouse


def lighthouse(url: str, name: str) -> list[Line]:
    """What Lighthouse says of a page, as a phone over a slow network sees it: the middle of three runs."""
    if not (HERE / "lighthouse" / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=HERE / "lighthouse", check=True)
    reports = [_one_run(url) for _ in range(3)]
    reports.sort(key=lambda report: report["categories"]["performance"]["score"])
    report = reports[1]
    lines = list[Line]()
    for category, limit in (("performance", 95), ("accessibility", 100), ("best-practices", 95)):
        score = round(100 * report["categories"][category]["score"])
        lines.append(Line(f"{name}: Lighthouse, {category}", str(score), f">= {limit}", score >= limit))
    for audit, words, most in (
        ("first-contentful-paint", "first paint", 1500),
        ("largest-contentful-paint", "largest paint", 2000),
    ):
        value = report["audits"][audit]["numericValue"]
        lines.append(Line(f"{name}: {words}", f"{value / 1000:.2f} s", f"{most / 1000:.1f} s", value <= most))
    shift = report["audits"]["cumulative-layout-shift"]["numericValue"]
    lines.append(Line(f"{name}: layout shift", f"{shift:.3f}", "0.02", shift < 0.02))
    return lines


def _one_run(url: str) -> dict[str, Any]:
    with tempfile.NamedTemporaryFile(suffix=".json") as target:
        subprocess.run(
            [
                "node_modules/.bin/lighthouse",
                url,
                "--quiet",
                "--output=json",
                f"--output-path={target.name}",
                "--only-categories=performance,accessibility,best-practices",
                f"--chrome-flags=--headless=new {' '.join(FLAGS)}",
            ],
            cwd=HERE / "lighthouse",
            check=True,
            env={**os.environ, "CHROME_PATH": shutil.which("chromium") or ""},
        )
        report: dict[str, Any] = json.loads(Path(target.name).read_text())
        return report


# -- people


def _emulate(session: CDPSession, method: str, **how: float) -> None:
    session.send(method, how)  # pyright: ignore[reportUnknownMemberType]


def first_card(browser: Browser, house: House, *, runs: int) -> list[Line]:
    """From following a link to holding cards, by somebody new, over a phone's network."""
    times, taps = list[float](), 0
    for number in range(runs):
        owner = house.guest(f"Host {number}")
        table = house.table(owner, seats=3, bots=1)
        person = Person.arrive(browser, "Guest")
        throttle = person.context.new_cdp_session(person.page)
        _emulate(throttle, "Network.enable")
        _emulate(throttle, "Network.emulateNetworkConditions", offline=False, **FAST_PHONE)
        began = time.monotonic()
        person.page.goto(f"{house.url}/t/{table}", wait_until="commit")
        field = person.page.locator(".bottom form input:not([type=range])")
        field.fill(person.name)
        taps = 0
        for button in (".bottom form button", "[data-testid=ready]"):
            person.page.locator(button).click()
            taps += 1
        person.page.locator("[data-tray] [data-card], section[data-seat] [data-card]").first.wait_for()
        times.append(time.monotonic() - began)
        person.context.close()
    median = statistics.median(times)
    return [
        Line("from a link to the first card, a guest on a 4G phone", f"{median:.2f} s", "5 s", median <= 5),
        Line("taps for that, beside the name", str(taps), "2", taps <= 2),
    ]


_WATCH_TAP: Final = """
(row) => {
  window.took = null;
  const cards = () => row.querySelectorAll("[data-card]").length;
  const before = cards();
  const lifted = ({ timeStamp }) => {
    const look = () => requestAnimationFrame(() => {
      if (cards() === before) { look(); return; }
      // What is sent now arrives when this frame has been drawn.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.took = performance.now() - timeStamp; };
      port2.postMessage(null);
    });
    look();
  };
  addEventListener("pointerup", lifted, { capture: true, once: true });
}
"""
"""Counts from the moment the browser heard that the finger was lifted."""


def tap_to_card(browser: Browser, house: House, *, runs: int) -> list[Line]:
    """From a tap to the frame that shows the card on its place, on a phone four times slower than this machine."""
    person = Person.arrive(browser, "Guest", size=PHONE, touch=True)
    person.open_table(house.url, seats=2, bots=1)
    person.ready()
    assert person.wait_for_turn()
    page = person.page
    row = page.locator("section.own [data-row=bottom]")
    place = row.bounding_box()
    assert place
    slow = person.context.new_cdp_session(page)
    _emulate(slow, "Emulation.setCPUThrottlingRate", rate=4)
    times = list[float]()
    while len(times) < runs:
        row.evaluate(_WATCH_TAP)
        page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        until(page, "took !== null")
        times.append(page.evaluate("took"))
        page.keyboard.press("Backspace")
        expect(row.locator("[data-card]")).to_have_count(0)
        page.wait_for_timeout(100)
    person.context.close()
    times.sort()
    middle, late = statistics.median(times), times[int(0.95 * len(times))]
    return [
        Line("from a tap to the visible card, CPU slowed four times", f"{middle:.0f} ms", "50 ms", middle <= 50),
        Line("the same, the 95th of a hundred", f"{late:.0f} ms", "50 ms", late <= 50),
    ]


def report(lines: list[Line], command: str) -> str:
    """The section of the page of results."""
    rows = [
        f"| {what} | {measured} | {limit} | {'yes' if kept else '**no**'} |" for what, measured, limit, kept in lines
    ]
    return "\n".join(
        [
            "## The client",
            "",
            f"`{command}`, Chromium on 2 cores, {time.strftime('%Y-%m-%d')}. Bytes are gzip's.",
            "",
            "| | measured | limit | kept |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Measure, print, and keep the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    lines = count_bytes()
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        house = House(Path(directory) / "room.sqlite", bot_pause=0.3)
        try:
            table = lay_table(house.database, ROOM, bots=1)
            house.start()
            lines += first_card(browser, house, runs=options.runs)
            lines += tap_to_card(browser, house, runs=40)
            browser.close()
            lines += lighthouse(house.url, "home")
            lines += lighthouse(f"{house.url}/t/{table}", "table")
        finally:
            house.close()
    section = report(lines, f".venv/bin/python -m bench.client --runs {options.runs}")
    print(section)
    write_section(section)


if __name__ == "__main__":
    main()
