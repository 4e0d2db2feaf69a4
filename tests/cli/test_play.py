"""`ananas play`: an evening in the terminal, told by the player's own view, that nothing typed can break."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from ananas.bots import LevelBot
from ananas.cli import play
from ananas.cli.main import app
from ananas.game.cards import parse_cards
from ananas.game.rules import RuleSet
from ananas.game.view import HandView

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})


def played(typed: str, *words: str) -> str:
    found = RUNNER.invoke(app, ["play", "--seed", "5", *words], input=typed)
    assert found.exit_code == 0, (found.output, found.exception)
    assert found.stderr == ""
    return "\n".join(line.rstrip() for line in found.stdout.splitlines())


def test_a_hand_is_dealt_explained_and_left() -> None:
    shown = played("?\nq\n")
    assert "You play against Kiwi." in shown
    assert "Kiwi (button)  -    -       -" in shown
    assert re.search(r"street 1: lay 5:  (\w\w ?){5}\n", shown)
    assert "Rows must grow stronger from top to bottom" in shown
    assert shown.endswith("You have played 0 hands: +0.")


@pytest.mark.parametrize("typed", ["", "q\n", "zzz\nAs/-/-\n????\n/\n\x1b[A\nttttt\n"])
def test_whatever_is_typed_there_is_no_traceback(typed: str) -> None:
    assert "You have played 0 hands" in played(typed)


def test_what_is_wrong_with_a_move_is_said_and_asked_again() -> None:
    shown = played("tmb\nttttt\nAsAsAs/-/-\nmmbbb\n", "--bots", "2")
    assert "5 letters are wanted, one for each card: t, m, b or x" in shown
    assert "the row top has room for 3 more" in shown
    assert "AsAsAs/-/- is not a placement" in shown
    assert "street 2: lay 2, throw away 1:" in shown


def test_in_russian() -> None:
    shown = played("вввсс\nвсх\nнннннн\nй\n", "--lang", "ru", "--name", "Аня")
    assert "Вы играете против: Kiwi." in shown
    assert "улица 2: выложить 2, сбросить 1:" in shown
    assert "в ряду верх свободных мест: 0" in shown
    assert "нужно букв: 3" in shown
    assert shown.endswith("Сыграно раздач: 0, итог: +0.")


def test_the_language_is_the_terminals_where_none_is_asked_for() -> None:
    russian = {"LC_ALL": "ru_RU.UTF-8"}
    assert "Вы играете против" in RUNNER.invoke(app, ["play"], input="q\n", env=russian).stdout
    assert "You play against" in RUNNER.invoke(app, ["play", "--lang", "en"], input="q\n", env=russian).stdout


def test_a_board_that_would_be_dead_is_warned_of() -> None:
    shown = played("tmtbb\ntmx\nmmx\nmbx\n\nmbx\ny\nbbx\nq\n")
    assert shown.count("The top and middle rows would be out of order and the board dead.") == 2
    assert "dead: top > middle" in shown
    assert "You have played 1 hands: " in shown


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ("room fantasyland_entry=22", ("Fantasyland: lay 13, throw away 1:", "face down")),
        ("progressive fantasyland_entry=22", ("Fantasyland: lay 13, throw away", "face down")),
        ("club fantasyland_entry=22", ("Fantasyland: lay 13:", "face down")),
        ("club-pineapple fantasyland_entry=22 settlement_cap=none", ("Fantasyland: lay 13:", "face down")),
        ("room buy_in=1-1", ("You have nothing left and bring 1 more.", "-> 0")),
    ],
)
def test_evenings_with_fantasyland_and_without_chips(
    rules: str, wanted: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = LevelBot("kiwi", RuleSet.parse(rules))
    hands = list[HandView]()

    def ask(evening: play._Evening, prompt: str) -> str:
        view = evening._view("me")
        if view.phase != "laying":
            players = [player for hand in hands for player in hand.players]
            seen = any(p.hidden for p in players) and any(p.fantasyland and not p.hidden for p in players)
            done = seen or rules == "room"
            if view.hands == 80 or (view.hands >= 4 and done and "buy_in" not in rules):
                raise EOFError
            return ""
        if not prompt.startswith(">"):
            return "y"
        assert view.hand is not None
        hands.append(view.hand)
        return str(bot.place(view.hand, 60))

    monkeypatch.setattr(play._Evening, "_ask", ask)
    base, *settings = rules.split()
    words = [word for setting in settings for word in ("--set", setting)]
    shown = played("", "--rules", base, *words)
    assert [said for said in wanted if said not in shown] == []
    hidden = [player for hand in hands for player in hand.players if player.hidden]
    assert all(not player.board.cards for player in hidden)


def test_a_placement_is_read_both_ways() -> None:
    cards = parse_cards("Qh9h3h")
    for text in ("t m x", "TMX", "всх", "Qh/9h/- x3h", " Qh/9h/-  x3h ", "Qh/9h/-"):
        assert str(play.read_placement(text, cards, "")) == "Qh/9h/- x3h"
    with pytest.raises(ValueError, match="3 letters"):
        play.read_placement("tm", cards, "3 letters")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "3"], "--bots 3: by these rules there are 2 to 3 players, you among them"),
        (["--bots", "0"], "--bots 0: by these rules there are 2 to 3 players, you among them"),
        (
            ["--bots", "kiwi,mango,papaya"],
            "--bots kiwi,mango,papaya: by these rules there are 2 to 3 players, you among them",
        ),
        (
            ["--bots", "coconut"],
            "--bots coconut: a number, or some of kiwi, mango, papaya, ananas, each once, commas between",
        ),
        (
            ["--bots", "kiwi,kiwi"],
            "--bots kiwi,kiwi: a number, or some of kiwi, mango, papaya, ananas, each once, commas between",
        ),
        (["--lang", "de"], "--lang de: en or ru"),
        (["--rules", "roam"], "rules = roam: the named sets are room, club, club-pineapple, progressive"),
        (["--name", "Kiwi"], "somebody at this table is called Kiwi; choose another name"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words: list[str], said: str) -> None:
    found = RUNNER.invoke(app, ["play", *words])
    assert (found.exit_code, found.stdout, found.stderr) == (2, "", f"ananas: {said}\n")


def test_an_interrupt_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_evening: play._Evening, _prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(play._Evening, "_ask", interrupt)
    assert played("").endswith("You have played 0 hands: +0.")


def test_bots_are_chosen_by_name() -> None:
    assert "Ananas, Kiwi" in played("q\n", "--bots", "ananas, kiwi")


def test_a_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without it Python has none at all.
    monkeypatch.setattr(play, "sys", SimpleNamespace(stdin=None))
    found = RUNNER.invoke(app, ["play"])
    assert (found.exit_code, found.stdout, found.stderr) == (2, "", "ananas: standard input is closed\n")
