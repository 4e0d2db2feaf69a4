"""What hands in Fantasyland win is the showdown's word, and every number of cards is measured."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from ananas.cli import learn
from ananas.cli.main import app
from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK, Card
from ananas.game.fantasyland import entry, stays
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.game.strength import strength
from ananas.solver import core, selfplay
from ananas.solver.fantasyland import fantasyland
from ananas.solver.selfplay import _decks, _reckoned, measure
from ananas.solver.worth import MEASURED
from tests.chance import Chance

RULES = (
    "room",
    "club",
    "club-pineapple royalties=line-winner",
    "progressive equality=strict scoring=2-4",
    "room royalties=line-winner scoring=2-4 foul_points=0 fantasyland_entry=77",
    "room royalties=none fantasyland=off",
    "room royalty_table=early-2013 fantasyland_stay=middle-quads,middle-full-house fantasyland_cards=13,15,14,17",
)


def board(chance: Chance, cards: list[Card]) -> Board:
    """A board of thirteen cards: laid in the best way, by rank, or by lot."""
    kind = chance.below(4)
    if kind < 2:
        best = fantasyland(cards, stay=chance.pick((0, 100))).placement
        return Board(best.top, best.middle, best.bottom)
    if kind == 2:
        cards = sorted(cards, key=lambda card: card.rank)
    return Board(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13]))


@pytest.mark.parametrize("text", RULES)
def test_hands_are_reckoned_as_at_the_showdown(text: str) -> None:
    rules, chance = RuleSet.parse(text), Chance(f"reckoned {text}")
    free = replace(rules, settlement_cap="none")
    pairs: list[tuple[Board, Board]] = []
    for _ in range(150):
        # What is alike lies together, so that some stay and some enter.
        deck = chance.shuffled(DECK) if chance.below(2) else sorted(DECK, key=lambda card: (card.rank, card))
        if chance.below(2):
            at = chance.below(26)
            deck = deck[at:] + deck[:at]
        pairs.append((board(chance, deck[:13]), board(chance, deck[13:26])))
    made = np.array([[[strength(one.row(row)) for row in ROWS] for one in pair] for pair in pairs], np.int16)
    found = _reckoned(rules, made)
    for hand, (one, two) in enumerate(pairs):
        mine, his = reckon([one, two], [0, 1], free).players
        assert found.points[hand] == mine.points, (str(one), str(two))
        assert found.stayed[hand] == (not mine.foul and stays(one, rules)), str(one)
        assert found.entered[hand] == (0 if his.foul else entry(two, rules)), str(two)
    if rules.fantasyland == "on":
        assert found.stayed.any()
        assert found.entered.any()


@pytest.mark.parametrize(("base", "hands"), [*((base, 40) for base in RULE_SETS if base != "club"), ("club", 2)])
def test_every_number_of_cards_is_measured(base: str, hands: int) -> None:
    heard: list[tuple[int, int]] = []
    found = measure(RULE_SETS[base], hands, told=lambda done, every: heard.append((done, every)))
    assert [*found.points] == [*found.error] == ["13", "14", "15", "16", "17"]
    assert found.hands == hands
    assert all(np.isfinite(one) for one in found.points.values())
    assert all(0 <= one < 60 for one in found.error.values())
    assert heard == [(done, 20) for done in range(1, 21)]


def test_the_same_seed_measures_the_same() -> None:
    rules = RuleSet.parse("progressive fantasyland_repeats=1")
    assert measure(rules, 20, 7) == measure(rules, 20, 7)
    assert measure(rules, 20, 7) != measure(rules, 20, 8)


def test_decks_are_whole_and_the_same_for_a_seed() -> None:
    decks = _decks(5, 1, 14)
    assert all(sorted(deck) == sorted(DECK) for deck in decks)
    assert len({*decks}) == 5
    assert _decks(5, 1, 14) == decks
    assert {*_decks(5, 2, 14)}.isdisjoint(decks)


def test_portions_change_nothing_and_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core takes no more than a million hands at a call, and Ctrl-C is heard between two calls only."""
    rules, asked = RuleSet(), list[int]()
    whole = measure(rules, 50, 3)
    complete = core.complete

    def counted(*given: object) -> None:
        asked.append(given[5])  # type: ignore[arg-type]
        complete(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(core, "complete", counted)
    monkeypatch.setattr(selfplay, "_PORTION", 20)
    assert measure(rules, 50, 3) == whole
    assert asked == [20, 20, 10] * 20


def worth(*words: str) -> tuple[int, str, str]:
    found = CliRunner(env={"NO_COLOR": "1"}).invoke(app, ["worth", "--hands", "4", *words])
    return found.exit_code, found.stdout, found.stderr


def test_figures_are_written_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "measured" / "fantasyland.json"
    target.parent.mkdir()
    target.write_bytes(MEASURED.read_bytes())
    monkeypatch.setattr(learn, "MEASURED", target)
    assert worth("--rules", "progressive", "--write")[::2] == (0, "")
    before = target.read_bytes()
    assert msgspec.json.decode(before)["progressive"]["hands"] == 4
    (tmp_path / "measured" / "fantasyland.json.part").mkdir()  # where it would be written first
    status, _, said = worth("--write")
    assert (status, said) == (2, f"ananas: {target} cannot be written, and is as it was: Is a directory\n")
    assert target.read_bytes() == before


def test_without_fantasyland_there_is_nothing_to_measure() -> None:
    said = "ananas: there is no Fantasyland to measure by these rules\n"
    assert worth("--set", "fantasyland=off") == (2, "", said)
