"""`ananas replay`: a hand street by street, its reckoning, and where a file is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from ananas.cli import replay as module
from ananas.cli.main import app
from ananas.game.board import Placement
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, write_histories, write_history
from ananas.game.rules import RuleSet

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
FILE = Path(__file__).parents[1] / "data" / "hand.ofc"


def replay(text: str | bytes, *words: str) -> str:
    found = RUNNER.invoke(app, ["replay", "-", *words], input=text)
    assert found.exit_code == 0, found.output
    return "\n".join(line.rstrip() for line in found.stdout.splitlines())


def test_a_hand_is_shown_street_by_street_and_counted() -> None:
    found = RUNNER.invoke(app, ["replay", str(FILE), "--street"])
    assert found.exit_code == 0
    shown = "\n".join(line.rstrip() for line in found.stdout.splitlines())
    assert shown == replay(FILE.read_text())
    assert (
        "street 3\n"
        "  ann: middle Kc, bottom As, thrown away 6d\n"
        "  bob: top Kh, bottom 3s, thrown away Qd  # the flush is home\n"
        "              top    middle    bottom\n"
        "ann           Qs Qh  Kd 9h Kc  7c 7d Ah As\n"
        "bob (button)  Ad Kh  Jd Jc     Ts 9s 6s 5s 3s\n"
    ) in shown
    assert "ann : bob      +1      +1      +1     +3          0     13 - 4     +15    +15\n" in shown
    assert "ann     +15     100 -> 115  Fantasyland, 14 cards\n" in shown


def test_a_hand_that_stops_tells_who_is_to_act() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1))
    automatic: dict[tuple[int, int], Placement | None] = {(0, 1): None}
    hand = hand.place(0, hand.automatic(0, None))
    shown = replay(write_history(HandHistory.whole(hand, ("ann", ""), automatic)))
    assert "  ann: is dealt 2c 3c 4c 5c 6c\n  ann: bottom 2c 3c 4c 5c 6c (laid by the table)\n" in shown
    assert "  p2: is dealt 2h 3h 4h 5h 6h\n" in shown
    assert shown.endswith("The hand stops here; to act: p2.\n")


def test_several_hands_with_fantasyland_and_unknown_cards() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(14, 0))
    while not hand.over:
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    seen = HandHistory.seen_by(hand, 1, ("ann", "bob"))
    shown = replay(write_histories((seen, seen)))
    assert shown.index("hand 1 ") < shown.index("Fantasyland\n  ann: top Qc Kc Ac,") < shown.index("hand 2 ")
    assert "thrown away ??" in shown


def test_in_russian() -> None:
    hand = Hand.deal(RuleSet(), DECK, (0, 1), fantasyland=(14, 0))
    hand = hand.place(0, hand.automatic(0, None))
    while 1 in hand.acting:
        hand = hand.place(1, hand.automatic(1, None))
    whole = HandHistory.whole(hand, ("Аня", "Боб"), {(0, 1): None})
    begun = HandHistory.whole(Hand.deal(RuleSet(), DECK, (0, 1)), ("Аня", "Боб"))
    shown = replay(write_histories((whole, begun)), "--lang", "ru")
    for words in ("раздача 1 ", "правила: room", "улица 2\n", "фантазия\n", "  Аня: сданы 2c", "сброс", " (выложил стол)", "пара за парой", "Здесь раздача обрывается; ходит: Аня."):  # fmt: skip
        assert words in shown
    assert not re.search("street|hand |dealt|thrown|laid|bottom", shown)


def test_names_command_no_terminal() -> None:
    assert "  ?[2J: top Qs" in replay(FILE.read_text().replace('"ann"', '"\\u001b[2J"'))


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        (FILE.read_bytes().replace(b"xQd", b"xKd"), 1, "standard input, line 12, column 19: Kd is named twice"),
        ("# дом\na = '".encode() + b"\xff'", 1, "standard input, line 2, column 6: this is not UTF-8"),
        (b"\x00\x01", 1, "standard input, line 1, column 1: this is not TOML: "),
        (b"", 1, "standard input, line 1, column 1: variant is missing"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_column(data: bytes, status: int, said: str) -> None:
    found = RUNNER.invoke(app, ["replay", "-"], input=data)
    assert (found.exit_code, found.stdout) == (status, "")
    assert found.stderr.startswith(f"ananas: {said}")
    assert found.stderr.count("\n") == 1


def test_a_file_that_is_not_there() -> None:
    found = RUNNER.invoke(app, ["replay", "/nowhere/hand.ofc"])
    assert found.exit_code == 2
    assert found.stderr == "ananas: /nowhere/hand.ofc cannot be read: No such file or directory\n"


@pytest.mark.parametrize("command", ["replay", "review"])
def test_a_file_without_end_is_not_read(command: str) -> None:
    found = RUNNER.invoke(app, [command, "/dev/zero"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == "ananas: /dev/zero has more than 64 MB; so large a file is not read\n"


def test_standard_input_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1_000_000)
    found = RUNNER.invoke(app, ["replay", "-"], input=b" " * 1_000_001)
    assert found.exit_code == 2
    assert found.stderr == "ananas: standard input has more than 1 MB; so large a file is not read\n"


def test_a_mark_of_utf8_before_the_text_is_passed_over() -> None:
    assert replay(b"\xef\xbb\xbf" + FILE.read_bytes()) == replay(FILE.read_bytes())


@pytest.mark.parametrize("command", ["replay", "review"])
def test_a_closed_standard_input_is_refused(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without it Python has none at all.
    monkeypatch.setattr(module, "sys", SimpleNamespace(stdin=None))
    found = RUNNER.invoke(app, [command, "-"])
    assert (found.exit_code, found.stderr) == (2, "ananas: standard input is closed\n")
    assert RUNNER.invoke(app, ["replay", "--street", str(FILE)]).exit_code == 0
