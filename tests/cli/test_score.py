"""`ananas score`: every line of a reckoning, as a table and as JSON, and one sentence where it cannot be counted."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

from ananas.cli.main import app

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
ONE = "Qs Qd 5c/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"
TWO = "AsAd4c/3s4d5h6d7c/JhJdJc9s9c"
DEAD = "Kh Kd 3h / Ac Qh 9h 6c 2d / Td Tc 5s 5d 2c"


def score(*words: str) -> str:
    found = RUNNER.invoke(app, ["score", *words])
    assert found.exit_code == 0, found.output
    return found.stdout


def counted(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(score("--json", *words))
    return found


def refusal(*words: str) -> str:
    found = RUNNER.invoke(app, ["score", *words])
    assert found.exit_code == 2
    assert found.stdout == ""
    assert found.stderr.startswith("ananas: ")
    assert found.stderr.count("\n") == 1
    return found.stderr.removeprefix("ananas: ").rstrip()


def test_every_line_as_json() -> None:
    assert counted(ONE, TWO, DEAD, "--stacks", "10,40,50") == {
        "points": [3, 39, -42],
        "fouls": [False, False, True],
        "royalties": [[7, 2, 2], [9, 4, 6], [0, 0, 0]],
        "fantasyland": [14, 14, 0],
        "stays": [False, False, False],
        "pairs": [
            {"seats": [0, 1], "rows": [-1, -1, -1], "scoop": -3, "foul": 0, "royalties": [11, 19], "claim": -14, "transfer": -10, "skipped": False},
            {"seats": [0, 2], "rows": [0, 0, 0], "scoop": 0, "foul": 6, "royalties": [11, 0], "claim": 17, "transfer": 0, "skipped": True},
            {"seats": [1, 2], "rows": [0, 0, 0], "scoop": 0, "foul": 6, "royalties": [19, 0], "claim": 25, "transfer": 25, "skipped": False},
        ],
        "stacks": [0, 75, 25],
    }  # fmt: skip


def test_every_line_as_a_table() -> None:
    assert [line.rstrip() for line in score(ONE, TWO, DEAD, "--stacks", "10,40,50").splitlines()] == [
        "rules: room",
        "",
        "            top         middle            bottom               royalties",
        "1           Qs Qd 5c    8s 8h 8d Kc 2h    6s 7s 8c 9d Ts       7 + 2 + 2 = 11",
        "            pair QQ +7  trips 888 +2      straight to T +2",
        "2           As Ad 4c    3s 4d 5h 6d 7c    Jh Jd Jc 9s 9c       9 + 4 + 6 = 19",
        "            pair AA +9  straight to 7 +4  full house JJJ99 +6",
        "3 (button)  Kh Kd 3h    Ac Qh 9h 6c 2d    Td Tc 5s 5d 2c       dead: top > middle",
        "            pair KK     high card A       two pair TT55",
        "",
        "pair by pair  top  middle  bottom  scoop  dead hand  royalties  points    moves",
        "1 : 2          -1      -1      -1     -3          0    11 - 19     -14      -10",
        "1 : 3           0       0       0      0         +6     11 - 0     +17  skipped",
        "2 : 3           0       0       0      0         +6     19 - 0     +25      +25",
        "1 against 2: 10 of 14 points move, the rest is void",
        "1 against 3: not counted, one of them has nothing left",
        "",
        "player  points  stack     next hand",
        "1       +3      10 -> 0   Fantasyland, 14 cards",
        "2       +39     40 -> 75  Fantasyland, 14 cards",
        "3       -42     50 -> 25  -",
    ]


def test_one_board_is_told_what_it_is_worth() -> None:
    found = counted(ONE)
    assert (found["points"], found["royalties"], found["pairs"], found["stacks"]) == ([0], [[7, 2, 2]], [], [])
    assert "trips 888 +2" in score(ONE)


def test_house_rules_count() -> None:
    assert counted(ONE, TWO, "--set", "scoring=2-4")["points"] == [-12, 12]
    assert counted(ONE, TWO, "--set", "scoring=2-4", "--set", "royalties=none")["points"] == [-4, 4]
    assert counted(ONE, TWO, "--rules", "club")["fantasyland"] == [13, 13]
    assert "rules: room scoring=2-4" in score(ONE, TWO, "--set", "scoring=2-4")


def test_four_boards_where_the_rules_seat_four() -> None:
    assert counted(ONE, TWO, DEAD, ONE, "--rules", "club", "--independent")["points"] == [3, 53, -59, 3]


def test_equal_rows_are_dead_where_the_rules_are_strict() -> None:
    board = "2s 3d 4c/9s 9h 8s 8h Kc/9d 9c 8d 8c Kd"
    assert "dead: middle = bottom" in score(board, "--set", "equality=strict")
    assert counted(board)["fouls"] == [False]


def test_without_a_cap_a_stack_goes_below_zero() -> None:
    assert counted(ONE, TWO, "--set", "settlement_cap=none", "--stacks", "-3,5")["stacks"] == [-17, 19]


def test_a_royal_has_its_name_and_would_stay() -> None:
    text = score("2s 3d 4c/9s 9h 8s 8h Kc/Ts Js Qs Ks As")
    assert "royal flush +25" in text
    assert "would stay in Fantasyland" in text


@pytest.mark.parametrize(
    "boards",
    [
        [ONE, ONE],
        ["AsAdAc/AsAdAcAhKs/2s2d2c2hKs", TWO],
        ["Qs Qs 5c/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"],
        ["2s 2s 2s/8s 8s 8d Kc 2h/6s 7s 8c 9d Ts"],
    ],
)
def test_boards_that_are_not_of_one_deck_may_hold_any_card_twice(boards: list[str]) -> None:
    assert len(counted(*boards, "--independent")["points"]) == len(boards)
    refusal(*boards)
    told = " ".join(re.sub("[│╭╰─]", " ", RUNNER.invoke(app, ["score", "--help"]).stdout).split())
    assert "cards are not checked, and any may come twice, also on one board" in told


def test_nobody_stays_where_the_rules_let_nobody() -> None:
    royal = "2s 3d 4c/9s 9h 8s 8h Kc/Ts Js Qs Ks As"
    assert counted(royal)["stays"] == [True]
    assert counted(royal, "--set", "fantasyland_repeats=1")["stays"] == [True]
    for rule in ("fantasyland_repeats=0", "fantasyland=off", "fantasyland_stay=none"):
        assert counted(royal, "--set", rule)["stays"] == [False], rule


def test_in_russian() -> None:
    found = score(ONE, TWO, DEAD, "--lang", "ru")
    assert found.startswith("правила: room\n")
    for words in ("пара дам +7", "сет восьмёрок +2", "стрит до десятки +2", "пара тузов +9", "фулл, J и 9 +6", "пара королей", "старшая карта туз", "две пары, T и 5", "мертва: верх > середина", "фантазия, 14 карт"):  # fmt: skip
        assert words in found
    assert not re.search("pair|straight|row|cards|dead", found)
    royal = score("2s 3d 4c/9s 9h 8s 8h Kc/Ts Js Qs Ks As", "--lang", "ru")
    assert "роял-флеш +25" in royal
    assert "остался бы в фантазии" in royal


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru"}, "ru"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8", "LC_ALL": "", "LC_MESSAGES": "ru_UA.KOI8-U"}, "ru"),
        ({"LANG": "run_BI"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_terminals_unless_another_is_asked_for(environment: dict[str, str], language: str) -> None:
    first = {"en": "rules: room", "ru": "правила: room"}
    names = {"LANG": None, "LC_ALL": None, "LC_MESSAGES": None, **environment}
    assert RUNNER.invoke(app, ["score", ONE], env=names).stdout.startswith(first[language])
    for asked in ("en", "ru"):
        assert RUNNER.invoke(app, ["score", ONE, "--lang", asked], env=names).stdout.startswith(first[asked])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "by these rules there are up to 3 boards, here are 0"),
        ([ONE, TWO, DEAD, DEAD], "by these rules there are up to 3 boards, here are 4"),
        ([ONE, ONE], "Qs is twice in boards 1 and 2; --independent compares boards that are not of one deck"),
        (["Qs Qd 5c/Qs 8h 8d Kc 2h/6s 7s 8c 9d Ts"], "Qs is twice in board 1; --independent compares boards that are not of one deck"),
        (["Qs Qs 5c/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"], "Qs is twice in board 1; --independent compares boards that are not of one deck"),
        (["Qs Qd 5c/8s 8s 8s 8s 8s/6s 7s 8c 9d Ts", "--independent"], "board 1: with a card twice the middle row cannot be counted"),
        ([ONE, "2s 3d 4c/9s 9h 8s 8h Kc/Ts Js Qs Ks Ks", "--independent"], "board 2: with a card twice the bottom row cannot be counted"),
        ([ONE, "--lang", "de"], "--lang de: en or ru"),
        (["Qs Qd/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"], "board 1: the top row takes 3 cards, here are 2"),
        (["Qs Qd 5c/8s 8h 8d Kc 2h"], "board 1: QsQd5c/8s8h8dKc2h: write three rows, top/middle/bottom, - for one that gets nothing"),
        (["Qs Qd 1c/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"], "board 1: '1c' is no card; write rank and suit: As, Td, 2c"),
        (["Qs Qd ??/8s 8h 8d Kc 2h/6s 7s 8c 9d Ts"], "board 1: cards in rows lie open"),
        ([ONE, TWO, "--stacks", "10"], "--stacks 10: 2 numbers are wanted, one for each board, here are 1"),
        ([ONE, TWO, "--stacks", "10,x"], "--stacks 10,x: write whole numbers with commas between, as 10,40,50"),
        ([ONE, TWO, "--stacks", "-1,10"], "--stacks -1,10: a stack below zero there is only where settlement_cap=none"),
        ([ONE, "--rules", "roam"], "rules = roam: the named sets are room, club, club-pineapple, progressive"),
        ([ONE, "--set", "scoring=3-6"], "scoring = 3-6: one of 1-6, 2-4"),
        ([ONE, "--set", "scoring"], "scoring = : write NAME=VALUE, each name once"),
        ([ONE, "\x1b[2J"], "board 2: ?[2J: write three rows, top/middle/bottom, - for one that gets nothing"),
    ],
)  # fmt: skip
def test_what_cannot_be_counted_is_said_in_one_sentence(words: list[str], said: str) -> None:
    assert refusal(*words) == said
