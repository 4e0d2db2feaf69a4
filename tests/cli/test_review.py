"""`ananas review`: streets, causes and the account, as text and as JSON, and one sentence for a refusal."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from ananas.cli.main import app
from ananas.coach import review
from ananas.coach.report import HandReview
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, write_histories, write_history
from ananas.game.rules import RuleSet
from ananas.solver.placements import Effort

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
FILE = Path(__file__).parents[1] / "data" / "hand.ofc"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "EFFORT", Effort(rolled=(3, 3, 3), samples=(30, 30, 30), others=16, first=8))


def told(text: str, *words: str) -> HandReview:
    found = RUNNER.invoke(app, ["review", "-", "--json", *words], input=text)
    assert found.exit_code == 0, found.output
    assert found.stdout.count("\n") == 1
    return msgspec.json.decode(found.stdout, type=HandReview)


def refusal(text: str, *words: str) -> str:
    found = RUNNER.invoke(app, ["review", "-", *words], input=text)
    assert found.exit_code in {1, 2}
    assert found.stdout == ""
    assert found.stderr.startswith("ananas: ")
    assert found.stderr.count("\n") == 1
    return found.stderr.removeprefix("ananas: ").rstrip()


def by_table(hand: Hand) -> Hand:
    while hand.acting:
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    return hand


def test_a_hand_is_reviewed_for_either_player() -> None:
    for seat, name in ((1, "ann"), (2, "bob")):
        found = told(FILE.read_text(), "--seat", str(seat))
        assert (found.you, found.names[found.seats.index(found.you)]) == (seat - 1, name)
        assert (found.done, found.of, len(found.streets), found.table) == (True, 5, 5, None)
        assert found.result == (15, -15)[seat - 1]
        assert found.result + found.right == pytest.approx(found.decisions + found.luck, abs=1e-6)
        assert found.by_table == 0
    assert told(FILE.read_text()) == told(FILE.read_text(), "--seat", "1")


def test_it_reads_well_in_both_languages() -> None:
    found = RUNNER.invoke(app, ["review", str(FILE), "--seat", "2"])
    assert found.exit_code == 0, found.output
    lines = [line.rstrip() for line in found.stdout.splitlines()]
    assert lines[0] == "bob, seat 2"
    streets = [line for line in lines[2:] if re.match(r"\d", line)]
    assert [line.split()[0] for line in streets] == ["1", "2", "3", "4", "5"]
    assert streets[4].endswith("mistake")
    assert lines[lines.index(streets[4]) + 1].endswith("best")
    assert max(map(len, lines[1 : lines.index(streets[4]) + 2])) <= 80
    assert any(line.startswith("street 5: ") for line in lines)
    assert any(line.startswith("points of the hand") and line.endswith("-15") for line in lines)
    found = RUNNER.invoke(app, ["review", str(FILE), "--seat", "2", "--lang", "ru"])
    assert "bob, место 2" in found.stdout
    assert "ошибка" in found.stdout
    assert "улица 5: " in found.stdout
    assert re.search(r"\d,\d\d ", found.stdout)
    assert not re.search(r"\d\.\d", found.stdout)


def test_what_the_table_laid_is_named() -> None:
    hand = by_table(Hand.deal(RuleSet(), DECK, (0, 1)))
    automatic = {(0, street): None for street in range(1, 6)}
    history = HandHistory.seen_by(hand, 0, ("ann", "bob"), automatic)
    found = told(write_history(history))
    assert all(street.automatic for street in found.streets)
    shown = RUNNER.invoke(app, ["review", "-"], input=write_history(history)).stdout
    assert shown.count("laid by the table") == 6  # five streets, and what they lost
    # It speaks of a player, whoever reads.
    assert not re.search(r"\b(you|your|yours)\b", shown, re.IGNORECASE)
    assert found.decisions == 0
    assert found.result + found.right == pytest.approx(found.by_table + found.luck, abs=1e-6)


def test_the_first_whose_cards_are_known_is_reviewed() -> None:
    hand = by_table(Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(14, 0)))
    seen = write_history(HandHistory.seen_by(hand, 1, ("ann", "bob")))
    assert told(seen).you == 1
    assert refusal(seen, "--seat", "1") == "--seat 1: this file does not tell all the cards of p1; try --seat 2"
    nobody = write_history(HandHistory.seen_by(hand, None, ("ann", "bob")))
    assert "nobody's cards in full" in refusal(nobody)
    assert refusal(nobody, "--seat", "2") == "--seat 2: this file does not tell all the cards of p2"


def test_fantasyland_and_single_cards() -> None:
    inside = told(
        write_history(HandHistory.whole(by_table(Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(14, 0))), ("a", "b")))
    )
    assert [street.spot.fantasyland for street in inside.streets] == [14]
    club = told(write_history(HandHistory.whole(by_table(Hand.deal(RuleSet.parse("club"), DECK, (0, 1))), ("a", "b"))))
    assert len(club.streets) == 9


def test_what_cannot_be_reviewed_is_refused() -> None:
    text = FILE.read_text()
    assert refusal(text, "--seat", "3") == "--seat 3: there are 2 players"
    started = Hand.deal(RuleSet(), DECK, (0, 1))
    started = started.place(0, started.automatic(0, None))
    unfinished = write_history(HandHistory.whole(started, ("a", "b")))
    assert refusal(unfinished) == "standard input: the hand is not over; it is reviewed when it is"
    history = HandHistory.whole(by_table(started), ("a", "b"))
    assert refusal(write_histories((history, history))) == "standard input has 2 hands; one is reviewed at a time"
    assert refusal(text.replace('"p1 pl Qh', '"p2 pl Qh')).startswith(
        "standard input, line 9, column 4: it is the turn"
    )
    assert refusal(text.replace("Kc/As", "Kc/Kc")).startswith("standard input, line ")
    found = RUNNER.invoke(app, ["review", "nowhere.ofc"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert "nowhere.ofc cannot be read" in found.stderr
