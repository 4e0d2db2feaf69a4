"""A program as a bot: it is asked in JSON and answers in text, and whatever it does wrong is told in one way."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from pathlib import Path
from typing import Final

import msgspec
import pytest

from ananas.bots import outside
from ananas.bots.outside import MAX_LINE, OutsideBot, Question
from ananas.game.board import Placement
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.view import HandView, view_hand
from ananas.refused import Refused
from tests.table.play import deck, rich_deck

ROOT = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "bots.md").read_text()
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PYTHON: Final = (sys.executable, "-I", "-S", "-c")
ANSWER: Final = """\
import json, sys
def answer(line):
    hand = json.loads(line)["hand"]
    me = next(player for player in hand["players"] if player["seat"] == hand["you"])
    room = {"bottom": 5, "middle": 5, "top": 3}
    rows = {row: "" for row in room}
    for card in me["dealt"][:me["to_lay"]]:
        row = next(row for row in room if len(me["board"][row]) + len(rows[row]) // 2 < room[row])
        rows[row] += card
    away = "".join(me["dealt"][me["to_lay"]:])
    return "/".join(rows[row] or "-" for row in ("top", "middle", "bottom")) + (f" x{away}" if away else "")
"""
LOOP: Final = ANSWER + "for line in sys.stdin: print(answer(line), flush=True)\n"
"""A program that lays as the table does."""


def view(hand: Hand | None = None) -> HandView:
    hand = hand or Hand.deal(RuleSet(), deck(1), seats=(0, 1))
    return view_hand(hand, 1, hand.seats[hand.acting[0]], {})


def bot(code: str, name: str = "it") -> OutsideBot:
    return OutsideBot([*PYTHON, code], RuleSet(), name)


def failure(code: str, limit: float = 60) -> str:
    """What is said of a program that fails at its first question."""
    with bot(code) as player, pytest.raises(Refused) as refused:
        player.place(view(), limit)
    assert refused.value.code == "bot-failed"
    assert not player.running
    assert str(refused.value).startswith("the bot it failed: ")
    return str(refused.value).removeprefix("the bot it failed: ")


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=str)
def test_a_program_plays_a_hand_by_any_rules(rules: RuleSet) -> None:
    hand = Hand.deal(rules, deck(2), seats=(0, 1))
    with OutsideBot([*PYTHON, LOOP], rules) as player:
        while hand.acting:
            turn = hand.acting[0]
            placement = player.place(view(hand), 60)
            assert placement == hand.automatic(turn, None)
            hand = hand.place(turn, placement)
            assert player.running
    assert not player.running


@pytest.mark.parametrize("cards", [13, 14, 15, 16, 17])
def test_it_is_asked_for_fantasyland_with_all_its_cards(cards: int) -> None:
    hand = Hand.deal(RuleSet(), deck(3), seats=(0, 1), fantasyland=(cards, 14))
    with bot(LOOP) as player:
        placement = player.place(view(hand), 60)
    assert len(placement.laid) == 13
    assert sorted(placement.cards) == sorted(hand.dealt(0))


def test_the_question_holds_what_the_seat_may_know_and_nothing_else() -> None:
    hand = Hand.deal(RuleSet(), deck(4), seats=(1, 0), fantasyland=(0, 14))
    echo = "import sys; sys.stderr.write(sys.stdin.readline()); sys.exit(3)"
    with bot(echo) as player, pytest.raises(Refused):
        player.place(view(hand), 2.5)
    asked = msgspec.json.encode(Question(rules=RuleSet(), hand=view(hand), seconds=2.5)).decode()
    fields = json.loads(asked)
    assert list(fields) == ["rules", "hand", "seconds"]
    assert fields["hand"]["you"] == 1
    hidden = fields["hand"]["players"][1]
    assert (hidden["hidden"], hidden["dealt"], hidden["discards"]) == (True, [], [])
    known = set(hand.dealt(0))
    assert set(re.findall(r'"([2-9TJQKA][cdhs])"', asked)) == {str(card) for card in known}


def test_a_placement_may_be_a_json_string() -> None:
    with bot(ANSWER + "for line in sys.stdin: print(json.dumps(answer(line)) + '\\r', flush=True)") as player:
        assert player.place(view(), 60) == Hand.deal(RuleSet(), deck(1), seats=(0, 1)).automatic(0, None)


def test_noise_on_stderr_does_no_harm_however_much_it_is() -> None:
    noisy = (
        ANSWER
        + "for line in sys.stdin:\n    sys.stderr.write('x' * 300_000 + '\\n')\n    print(answer(line), flush=True)\n"
    )
    with bot(noisy) as player:
        for _ in range(3):
            player.place(view(), 60)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("hello", "its answer cannot be laid: hello is not a placement"),
        ("", "its answer cannot be laid:  is not a placement"),
        ("-/-/AsAs", "is not a placement"),
        ("-/-/{0}", "its answer cannot be laid: 1 cards are laid; this street wants 5"),
        ("-/-/{0}{1}{2}{3}{4}{other}", "not among the cards to lay now"),
        ("{0}{1}{2}{3}/{4}/-", "the row top has room for 3 more"),
        ("-/-/{0}{1}{2}{3} x{4}", "4 cards are laid; this street wants 5"),
        ('"-/-/', "its answer is neither plain text in UTF-8 nor a JSON string"),
        ("{{}}", "is not a placement"),
    ],
)
def test_nonsense(answer: str, said: str) -> None:
    hand = Hand.deal(RuleSet(), deck(1), seats=(0, 1))
    other = next(card for card in hand.deck if card not in hand.dealt(0))
    line = answer.format(*hand.dealt(0), other=other)
    assert said in failure(f"input(); print({line!r}, flush=True); input()")


def test_a_card_that_is_neither_laid_nor_thrown_away() -> None:
    hand = Hand.deal(RuleSet(), deck(1), seats=(0, 1))
    for _ in range(2):
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    one, two, three = hand.dealt(0)
    with bot(f"input(); print('-/{one}{two}/-', flush=True); input()") as player, pytest.raises(Refused) as refused:
        player.place(view(hand), 60)
    assert f"{three} neither laid nor discarded" in str(refused.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit(3)", "it ended with status 3"),
        ("input()", "it ended with status 0"),
        ("input(); raise ValueError('no idea')", "it ended with status 1; it said: ValueError: no idea"),
        ("import os; input(); os.kill(os.getpid(), 9)", "it was ended by signal 9"),
        ("import os, time; input(); os.close(1); time.sleep(60)", "it closed its input or output"),
        ("import sys; input(); sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "neither plain text in UTF-8"),
        (f"input(); print('x' * {MAX_LINE + 1})", f"its answer is longer than {MAX_LINE} bytes"),
        (f"input(); print('x' * {10 * MAX_LINE}, end='', flush=True); input()", f"is longer than {MAX_LINE} bytes"),
        ("input(); print('x' * 1_000_000, flush=True); input()", f"is longer than {MAX_LINE} bytes"),
    ],
)
def test_death_and_lines_that_are_too_long(code: str, said: str) -> None:
    assert said in failure(code)


@pytest.mark.parametrize("code", ["import time; time.sleep(60)", "while True: pass", "input(); print('-/-/', end='', flush=True); input()"])  # fmt: skip
def test_a_program_that_hangs(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "START_SECONDS", 0.0)
    assert "it did not answer within 0.3 seconds" in failure(code, limit=0.3)


def test_the_first_answer_may_take_longer() -> None:
    with bot(LOOP) as player:
        player.place(view(), 0.001)


def test_what_it_has_started_is_killed_with_it(tmp_path: Path) -> None:
    child = "import time, os; print(os.getpid(), flush=True); time.sleep(600)"
    code = (
        f"import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        f"open({str(tmp_path / 'pid')!r}, 'wb').write(child.stdout.readline())\ninput()\nprint('nonsense', flush=True)\ninput()"
    )
    failure(code)
    pid = int((tmp_path / "pid").read_text())
    for _ in range(1000):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.01)
    os.kill(pid, 9)
    pytest.fail("what the program had started was left running")


def test_an_answer_that_nobody_asked_for_is_taken_for_none() -> None:
    twice = ANSWER + "for line in sys.stdin: print(answer(line) + '\\n' + answer(line), flush=True)"
    with bot(twice) as player:
        player.place(view(), 60)
        with pytest.raises(Refused, match="it said something without being asked"):
            player.place(view(), 60)
        player.place(view(), 60)


def test_what_is_said_before_the_first_question_is_no_answer_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is said before the question is there, or only before it is read."""
    laid = str(Hand.deal(RuleSet(), deck(1), seats=(0, 1)).automatic(0, None))
    for then in ("time.sleep(60)", "sys.stdin.read()"):
        hasty = f"import sys, time; print({laid!r}, flush=True); {then}"
        monkeypatch.setattr(outside, "_HEAR_SECONDS", 20.0)
        assert "it said something without being asked" in failure(hasty)
    monkeypatch.setattr(outside, "_HEAR_SECONDS", 0.0)
    said = failure(f"import time; print({laid!r}, flush=True); time.sleep(60)")
    # Where this process is the slower one, it has spoken before it is asked.
    assert said.startswith(("it answered before it had read the question", "it said something without being asked"))


def test_after_a_failure_it_is_started_anew(tmp_path: Path) -> None:
    mark = tmp_path / "began"
    code = f"{ANSWER}import pathlib\nmark = pathlib.Path({str(mark)!r})\nif not mark.exists():\n    mark.touch()\n    sys.exit(1)\n{LOOP}"
    with bot(code) as player:
        with pytest.raises(Refused):
            player.place(view(), 60)
        assert player.place(view(), 60) == player.place(view(), 60)


def test_a_program_that_does_not_end_is_ended() -> None:
    stubborn = f"{LOOP}import time\ntime.sleep(600)"
    with bot(stubborn) as player:
        player.place(view(), 60)
        program = player._program
        assert program
    assert program._process.returncode == -9


def test_a_name_is_a_command_line(tmp_path: Path) -> None:
    script = tmp_path / "my bot.py"
    script.write_text(LOOP)
    with OutsideBot.named(f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(script))}", RuleSet()) as player:
        player.place(view(), 60)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cmd:", "the bot cmd: failed: there is no command after cmd:"),
        ("cmd:python 'x", "the bot cmd:python 'x failed: its command line cannot be read: No closing quotation"),
        ("cmd:no-such-program", "the bot cmd:no-such-program failed: there is no program no-such-program"),
    ],
)
def test_a_command_line_that_cannot_be_run(name: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        OutsideBot.named(name, RuleSet())
    assert str(refused.value) == said


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with OutsideBot.named(f"cmd:{broken}", RuleSet()) as player, pytest.raises(Refused, match="could not be started"):
        player.place(view(), 60)


def test_it_is_asked_at_its_turn_only() -> None:
    hand = Hand.deal(RuleSet(), deck(1), seats=(0, 1))
    with bot("") as player, pytest.raises(ValueError, match="seat 1 has nothing to lay"):
        player.place(view_hand(hand, 1, 1, {}), 60)


# -- the page


def test_the_worked_line_is_a_question_and_the_example_answers_it() -> None:
    (line,), answers = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL), re.findall(r"```\n(-/.*?)\n```", PAGE)
    question = msgspec.json.decode(line, type=Question)
    assert json.loads(msgspec.json.encode(question)) == json.loads(line)
    with OutsideBot([*PYTHON, EXAMPLE], question.rules) as player:
        assert [str(player.place(question.hand, 60))] == answers


def test_the_example_is_thirty_lines_and_plays_to_the_end() -> None:
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 30
    with bot(EXAMPLE) as player:
        for number in range(3):
            hand = Hand.deal(RuleSet(), deck(number), seats=(0, 1, 2), fantasyland=(0, 14 + number, 0))
            while hand.acting:
                hand = hand.place(hand.acting[0], player.place(view(hand), 60))
        hand = Hand.deal(RuleSet(), rich_deck(1), seats=(0, 1), fantasyland=(17, 14))
        assert isinstance(player.place(view(hand), 60), Placement)


def test_the_page_names_the_limits() -> None:
    assert f"more than {MAX_LINE} bytes" in PAGE
    assert f"may take {outside.START_SECONDS:g} seconds longer" in PAGE
