"""`ananas solve`: placements in order and layouts of Fantasyland, as text and as JSON, and one sentence for a refusal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from ananas.cli.main import app
from ananas.solver import fantasyland, placements

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
LAST = "QsQh2c/KdKh9h8d/7c7d5h5s x3h4h8c | 2d2h3c/3d3s9cTsJs/TdTc6c9s9d | p1 7hAs6d"
EARLY = "QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s x?? | p1 KcAs6d"
CARDS = "2s2h2d2c3s 3h3d4c5h 7s8s9sTs"


def solve(*words: str) -> str:
    found = RUNNER.invoke(app, ["solve", *words, *([] if words[0] == "fantasyland" else ["--seconds", "60"])])
    assert found.exit_code == 0, found.output
    return found.stdout


def told(*words: str) -> dict[str, Any]:
    text = solve(*words, "--json")
    assert text.count("\n") == 1
    found: dict[str, Any] = json.loads(text)
    return found


def refusal(*words: str) -> str:
    found = RUNNER.invoke(app, ["solve", *words])
    assert found.exit_code == 2
    assert found.stdout == ""
    assert found.stderr.startswith("ananas: ")
    assert found.stderr.count("\n") == 1
    return found.stderr.removeprefix("ananas: ").rstrip()


@pytest.mark.parametrize("position", [LAST, EARLY])
def test_every_placement_as_json(position: str) -> None:
    found = told(position)
    assert [*found] == ["placements"]
    judged = placements(position, seconds=60)
    assert len(found["placements"]) == len(judged)
    for one, wanted in zip(found["placements"], judged, strict=True):
        assert {*one} == {"placement", "points", "error", "behind", "foul", "fantasyland", "exact", "equal", "guess"}
        assert one["placement"] == str(wanted.placement)
        assert (one["exact"], one["equal"]) == (wanted.exact, wanted.equal)
        for name in ("points", "error", "behind", "foul", "fantasyland"):
            assert one[name] == pytest.approx(getattr(wanted, name), abs=1e-4)
    assert found["placements"][0]["exact"] == (position == LAST)


@pytest.mark.parametrize("stay", [None, 0.0, 10.0])
def test_a_layout_as_json(stay: float | None) -> None:
    found = told("fantasyland", CARDS, *([] if stay is None else ["--stay", str(stay)]))
    wanted = fantasyland(CARDS, stay=stay)
    assert found == {
        **dict(zip(("top", "middle", "bottom"), wanted.placement.rows.split("/"), strict=True)),
        "discards": "".join(wanted.placement.discards),
        "royalties": wanted.royalties,
        "stays": wanted.stays,
        "value": round(wanted.value, 4),
    }


def test_the_documented_layout() -> None:
    assert told("fantasyland", f"{CARDS} Ac", "--stay", "10")["discards"] != ""
    assert told("fantasyland", CARDS, "--stay", "10") == {
        "top": "3h3d4c",
        "middle": "3s7s8s9sTs",
        "bottom": "2s2h2d2c5h",
        "discards": "",
        "royalties": 18,
        "stays": True,
        "value": 28.0,
    }
    assert told("fantasyland", *CARDS.split(), "--stay", "10") == told("fantasyland", CARDS, "--stay", "10")


def test_as_text_in_both_languages() -> None:
    best = placements(EARLY, seconds=60)[0]
    for lang, words in (
        ("en", ("placement", "points", "dead", "Fantasyland", "and 14 more", "one standard error")),
        ("ru", ("раскладка", "очки", "мёртвая", "фантазия", "и ещё 14", "стандартная ошибка")),
    ):
        lines = solve(EARLY, "--lang", lang).splitlines()
        assert lines[1].startswith(str(best.placement))
        assert f"{best.points:+.2f}".replace(".", "," if lang == "ru" else ".") in lines[1]
        for word in words:
            assert word in " ".join(lines), word
    assert "Counted exactly." in solve(LAST)
    assert "Посчитано точно." in solve(LAST, "--lang", "ru")


def test_a_layout_as_text_in_both_languages() -> None:
    words = ("fantasyland", CARDS, "--stay", "10", "--lang")
    layout = "3h3d4c/3s7s8s9sTs/2s2h2d2c5h"
    assert solve(*words, "en").splitlines() == [
        layout,
        "royalties 18, worth 28.00 points, stays in Fantasyland",
        "Worth: royalties, and 10 points where it stays.",
    ]
    assert solve(*words, "ru").splitlines() == [
        layout,
        "роялти 18, стоит 28,00 очка, остаётся в фантазии",
        "Стоит: роялти, а если остаётся, ещё 10.",
    ]


def test_house_rules_count() -> None:
    card_by_card = told("QsQh/Kd9h/7c7dAh | Ad/JdJc/Ts9s6s5s | p1 Kc", "--rules", "club")
    assert len(card_by_card["placements"]) == 3
    assert told("-/-/- | -/-/- | -/-/- | -/-/- | p1 KcAs6d2c2d", "--rules", "club")["placements"]
    strict = told("2c3c4d/3d3s5h5s/5c5d3h7s x8c8d8h | p1 7cKdAh", "--set", "equality=strict")
    assert {one["foul"] for one in strict["placements"]} <= {0, 1}
    full = "2s2h2d3s3h 4h4d4c5h5d 7s8s9s"
    assert told("fantasyland", full, "--rules", "club", "--stay", "50")["stays"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-/-/- | -/-/-"], "this position cannot be judged: say who acts with which cards"),
        (["-/-/- | -/-/- | p1 KcAs"], "this position cannot be judged: 0 cards laid"),
        (["-/-/- | -/-/- | p1 KcKc6d2c2d"], "line 1, column 22: Kc is named twice"),
        (["nonsense"], "line 1, column 1"),
        ([EARLY, "--rules", "club"], "this position cannot be judged: 7 cards laid"),
        ([EARLY, "--rules", "clob"], "rules = clob"),
        ([EARLY, "--set", "scoring=9"], "scoring = 9"),
        ([EARLY, "--lang", "de"], "--lang de: en or ru"),
        ([EARLY, "--stay", "3"], "--stay belongs to: ananas solve fantasyland"),
        ([EARLY, "more"], "a position is one argument: put it into quotes"),
        (["-/-/- | -/-/- | -/-/- | -/-/- | p1 KcAs6d2c2d"], "this position cannot be judged: by these rules"),
        (["fantasyland"], 'ananas solve fantasyland "CARDS": the cards are missing'),
        (["fantasyland", "2c3c"], "this position cannot be judged: Fantasyland is laid from 13 to 17"),
        (["fantasyland", f"{CARDS} 2s"], "this position cannot be judged: Fantasyland is laid from 13 to 17"),
        (["fantasyland", "cards"], ""),
    ],
)
def test_what_cannot_be_solved_is_said_in_one_sentence(words: list[str], said: str) -> None:
    assert refusal(*words).startswith(said)
