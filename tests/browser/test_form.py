"""The table form: every rule set by hand reaches the room, and what cannot be played is said where it was set."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from ananas.game.rules import RULE_SETS, RuleSet
from tests.browser.person import DESKTOP, Person
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
Arrive = Callable[..., Person]

CHOSEN = {
    "street_one": "closed",
    "equality": "strict",
    "scoring": "2-4",
    "royalties": "line-winner",
    "royalty_table": "vegas-2013",
    "fantasyland_entry": "KK",
    "fantasyland_repeats": "2",
    "fantasyland_timing": "from-start",
    "button_in_fantasyland": "stays",
    "settlement_cap": "loser",
    "auto_layout": "careful",
    "seen_cards": "hidden",
}
TYPED = {
    "deal": ["6,3,3,3"],
    "place": ["4,3,3,3"],
    "foul_points": ["4"],
    "fantasyland_cards": ["13", "14", "15", "16"],
    "fantasyland_stay_cards": ["15"],
    "buy_in": ["20", "80"],
    "hand_seconds": ["90"],
    "bank_seconds": ["60"],
    "ready_seconds": ["20"],
    "showdown_seconds": ["5"],
}
EVERY_RULE = RuleSet.parse(
    "room seats=2-2 deal=6,3,3,3 place=4,3,3,3 street_one=closed equality=strict scoring=2-4 foul_points=4"
    " royalties=line-winner royalty_table=vegas-2013 fantasyland_cards=13,14,15,16 fantasyland_entry=KK"
    " fantasyland_stay=top-trips,middle-quads,bottom-quads fantasyland_stay_cards=15 fantasyland_repeats=2"
    " fantasyland_timing=from-start button_in_fantasyland=stays settlement_cap=loser hand_seconds=90 bank_seconds=60"
    " auto_layout=careful buy_in=20-80 point_price=2500 ready_seconds=20 showdown_seconds=5 seen_cards=hidden"
)
CANNOT_BE_SET = {"lock", "fantasyland"}
"""One has one value so far; without Fantasyland half of the others would not matter."""


def at_the_form(room: House, people: Arrive, **how: object) -> Person:
    ann = people("Ann", locale="en-GB", **how)
    ann.page.goto(f"{room.url}/#open")
    ann.page.get_by_role("textbox", name="Your name").fill("Ann")
    ann.page.locator("details.fold > summary").first.click()
    for summary in ann.page.locator(".house details.fold > summary").all():
        summary.click()
    return ann


def put(ann: Person, field: str, texts: list[str]) -> None:
    for place, text in enumerate(texts):
        box = ann.page.locator(f"[data-rule={field}] input").nth(place)
        box.fill(text)
        box.blur()


def changes(room: House, ann: Person) -> dict[str, str]:
    """What differs from the named set at the table that was opened, as the room says."""
    ann.page.locator("form button[type=submit]").first.click()
    ann.page.wait_for_url("**/t/*")
    card = room.call("GET", "/api/tables/" + ann.page.url.rpartition("/")[2]).json
    found: dict[str, str] = card["changes"]
    return found


def test_every_rule_can_be_set(room: House, people: Arrive) -> None:
    assert set(EVERY_RULE.changes) == set(EVERY_RULE.values) - CANNOT_BE_SET
    ann = at_the_form(room, people, size=DESKTOP)
    page = ann.page
    page.locator("input[name=seats][value='2']").check(force=True)
    page.locator("form input[type=number]").first.fill("25")
    for field, choice in CHOSEN.items():
        page.locator(f"[data-rule={field}] select").select_option(choice)
    for field, texts in TYPED.items():
        put(ann, field, texts)
    page.locator("[data-rule=fantasyland_stay] input").nth(2).check(force=True)
    assert changes(room, ann) == EVERY_RULE.changes
    assert ann.noise == []


@pytest.mark.parametrize("base", [name for name in RULE_SETS if name != "room"])
def test_the_named_sets_are_opened_as_they_are(room: House, people: Arrive, base: str) -> None:
    ann = at_the_form(room, people)
    ann.page.locator(f"input[name=rules][value={base}]").check(force=True)
    assert changes(room, ann) == {}
    card = room.call("GET", "/api/tables/" + ann.page.url.rpartition("/")[2]).json
    assert card["rules"] == base


def test_what_cannot_be_played_is_said_where_it_was_set(room: House, people: Arrive) -> None:
    ann = at_the_form(room, people)
    page = ann.page
    put(ann, "buy_in", ["200"])
    page.locator("form button[type=submit]").first.click()
    told = page.locator("[data-rule=buy_in] [role=alert]")
    expect(told).to_be_in_viewport()
    expect(page.locator("[data-rule=buy_in] input:focus")).to_have_count(1)
    assert "/t/" not in page.url
    put(ann, "foul_points", ["7"])
    expect(page.locator("[data-rule=buy_in] input").first).to_be_visible()  # nothing shuts while one types
    put(ann, "buy_in", ["20"])
    expect(told).to_have_count(0)
    assert changes(room, ann) == {"buy_in": "20-100", "foul_points": "7"}
    page.locator(".lobby button, .lobby .button").first.wait_for()
    assert ann.noise == []
