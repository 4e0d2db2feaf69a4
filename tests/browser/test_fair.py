"""The deal is checked by whoever plays: card by card, over a reload, and whole when the hand is over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ananas import fair
from tests.browser import axe
from tests.browser.person import DESKTOP, Person, play_hand
from tests.server.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Arrive = Callable[..., Person]

SEEN = """() => new Set([...document.querySelectorAll("main [data-card]")]
  .filter((card) => !card.closest("aside")).map((card) => card.dataset.card)).size"""


@pytest.fixture
def crooked(tmp_path: Path) -> Iterator[Callable[[str], House]]:
    """A room with a fault."""
    houses = list[House]()

    def begin(fault: str) -> House:
        house = House(tmp_path / "crooked.sqlite")
        house.main = ("tests.browser.crooked", fault)
        houses.append(house)
        return house.start()

    yield begin
    for house in houses:
        house.close()


def mark(page: Page, state: str) -> None:
    expect(page.locator(f"[data-testid=fair][data-state={state}]")).to_be_visible(timeout=15_000)


def sheet(page: Page) -> str:
    """Open what the mark leads to; gives what it says."""
    page.get_by_test_id("fair").click()
    said = page.get_by_test_id("fair-state").inner_text()
    assert axe.faults(page) == []
    return said


def seal(page: Page) -> str:
    """The seal of the hand to come, as the sheet shows it before that hand begins."""
    sheet(page)
    found = page.get_by_test_id("next-root").inner_text()
    close(page)
    return found


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def reload(person: Person, *, forget: bool = False) -> bool:
    """Load the table again in mid-hand; gives whether the window still knows what was sealed before the hand."""
    if forget:
        person.page.evaluate("sessionStorage.clear()")
    person.page.reload()
    mark(person.page, "checked")
    said = sheet(person.page)
    close(person.page)
    return re.search("не видел|has not seen", said) is None


def test_two_who_play_check_every_card_they_see(room: House, people: Arrive) -> None:
    anna, bob = people("Анна"), people("Bob", locale="en-GB", theme="light", size=DESKTOP)
    address = anna.open_table(room.url, seats=2, bots=0)
    bob.sit(address)
    mark(bob.page, "waiting")
    shown = seal(bob.page)
    for person in (anna, bob):
        person.ready()
    laid = list[Person]()

    def move(person: Person) -> None:
        mark(person.page, "checked")
        if len(laid) == 4:
            assert reload(person)
            # Planted: a window that has forgotten.
            assert not reload(person, forget=True)
        person.arrange()
        person.confirm()
        laid.append(person)

    play_hand(anna, bob, move=move)
    assert len(laid) == 10
    for person in (anna, bob):
        mark(person.page, "checked")
        # Both boards, and one's own discards.
        assert person.page.get_by_test_id("fair").get_attribute("data-cards") == "30"
    table = address.rpartition("/")[2]
    bob.page.get_by_test_id("fair").click()
    bob.page.get_by_test_id("check-proof").click()
    expect(bob.page.get_by_test_id("proof-good")).to_have_attribute("data-cards", "30")
    assert axe.faults(bob.page) == []
    with bob.page.expect_download() as saving:
        bob.page.get_by_test_id("save-proof").click()
    file = Path(saving.value.path()).read_bytes()
    proof = fair.verify(file, shown)
    bob.page.locator("dialog summary").click()
    expect(bob.page.get_by_test_id("hand-name")).to_have_text(proof.hand)
    expect(bob.page.get_by_test_id("root")).to_have_text(shown)
    # Planted: the seal of another hand, the next.
    with pytest.raises(fair.BadProof, match="root"):
        fair.verify(file, bob.page.get_by_test_id("next-root").inner_text())
    assert all(seed.seed is not None for seed in proof.seeds)
    assert len(proof.seeds) == 2
    # The same from the replay; and of a hand that was shared, by whoever has the link.
    bob.page.goto(f"{room.url}/t/{table}/hands/1")
    bob.page.get_by_test_id("check").click()
    bob.page.get_by_test_id("check-proof").click()
    expect(bob.page.get_by_test_id("proof-good")).to_have_attribute("data-cards", "30")
    link = bob.page.evaluate(
        """async (path) => (await (await fetch(path, { method: "POST", body: '{"names": true}',
             headers: { "content-type": "application/json" } })).json()).link""",
        f"/api/tables/{table}/hands/1/share",
    )
    anna.page.goto(f"{room.url}/h/{link}")
    anna.page.get_by_test_id("check").click()
    anna.page.get_by_test_id("check-proof").click()
    expect(anna.page.get_by_test_id("proof-good")).to_have_attribute("data-cards", "30")
    # Planted: one byte of the file is another.
    path = f"/api/tables/{table}/hands/1/proof"
    whole = bob.page.evaluate("async (path) => (await fetch(path)).text()", path)
    bob.page.route(f"**{path}", lambda route: route.fulfill(body=whole.replace('"salt":"', '"salt":"0', 1)))
    bob.page.get_by_test_id("check-proof").click()
    expect(bob.page.get_by_test_id("proof-bad")).to_be_visible()
    assert anna.noise == bob.noise == []


def test_one_wrong_salt_is_told_loudly_and_the_proof_can_be_kept(
    crooked: Callable[[str], House], people: Arrive
) -> None:
    house = crooked("salt")
    anna = people("Ann", locale="en-GB")
    told: list[str] = []
    anna.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(str(frame))))
    anna.open_table(house.url, seats=2, bots=1)
    while not any('"commitment"' in frame for frame in told):  # else the bot may be ready before she is bound
        anna.page.wait_for_timeout(50)
    anna.ready()
    assert anna.wait_for_turn()
    while anna.page.locator("[data-testid=fair][data-state=failed]").count() == 0:
        anna.arrange()
        anna.confirm()
        assert anna.wait_for_turn()
    expect(anna.page.get_by_role("alert")).to_contain_text("does not fit")
    expect(anna.page.get_by_test_id("fair")).to_contain_text("Keep the proof")
    assert axe.faults(anna.page) == []
    assert "It does not fit: a card is not in the deck" in sheet(anna.page)
    with anna.page.expect_download() as saving:
        anna.page.get_by_test_id("keep-evidence").click()
    kept = json.loads(Path(saving.value.path()).read_text())
    assert kept["wrong"]
    assert kept["known"]["root"] == kept["proofs"][0]["root"]
    assert kept["known"]["before"]
    assert kept["known"]["own"]["seed"] in {seed["seed"] for seed in kept["proofs"][0]["seeds"]}
