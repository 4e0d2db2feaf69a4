"""The evening's account in a real browser: it adds up, keeps itself fresh, and goes to friends as text and as a picture."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from ananas.game.rules import RULE_SETS
from tests.browser.match import LEAVES, QUEENS
from tests.browser.person import Person
from tests.browser.played import Played
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
Arrive = Callable[..., Person]

SIGNS = str.maketrans({"−": "-", "\u00a0": "", "\u202f": "", " ": "", "₽": "", ",": "."})


def number(text: str) -> float:
    """A number as it is written on the screen."""
    return float(text.translate(SIGNS))


def test_the_evening_is_settled_up(house: House, people: Arrive) -> None:
    played = Played(house, RULE_SETS["room"], [QUEENS, LEAVES])
    played.play()
    watcher = people("Зоя")
    page = watcher.page
    page.goto(f"{played.url}/account")
    expect(page.locator(".facts")).to_contain_text("1 раздача")
    points = [number(text) for text in page.locator(".has .amount").all_inner_texts()]
    money = [number(text) for text in page.locator(".has .money").all_inner_texts()]
    price = RULE_SETS["room"].point_price / 100
    assert sum(points) == sum(money) == 0
    assert money == [each * price for each in points] == sorted(money, reverse=True)
    names = page.locator(".who b").all_inner_texts()
    expect(page.get_by_text("Всё сходится")).to_be_visible()
    (payment,) = page.locator(".debt > .hush").all_inner_texts()
    assert payment.startswith(f"{names[1]} платит игроку {names[0]}: ")
    assert number(payment.partition(": ")[2]) == money[0]

    # While people play it is told anew by itself.
    played.play()
    expect(page.locator(".facts")).to_contain_text("2 раздачи", timeout=15_000)

    watcher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_test_id("send-text").click()
    expect(page.get_by_test_id("send-text")).to_have_text("Скопировано")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Расчёт за вечер: Friday\n")
    assert all(f"\n{name}: " in text for name in names)
    assert "Кто кому платит:\n" in text

    with page.expect_download() as picture:
        page.get_by_test_id("send-picture").click()
    assert picture.value.suggested_filename == "ananas.png"
    head = picture.value.path().read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:])
    assert width == 1280
    assert height > 900

    page.get_by_role("link", name="Раздачи").click()
    expect(page.locator("main li a:first-child")).to_have_count(2)
    assert watcher.noise == []
