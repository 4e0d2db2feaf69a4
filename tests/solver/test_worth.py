"""Royalties, entries and lines are the rules' own, for every strength."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from ananas.game.board import ROWS, Board
from ananas.game.cards import DECK, Card, Rank, parse_cards
from ananas.game.fantasyland import entry, stays
from ananas.game.royalties import royalty
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.game.strength import STRENGTHS, strength
from ananas.solver import fantasyland
from ananas.solver.worth import (
    HEAD,
    Lines,
    cards_worth,
    fantasyland_worth,
    lines_of,
    measured,
    row_royalties,
    row_worths,
    royalty_worths,
    stay_worth,
    staying,
    usual,
    usual_lines,
    worth,
)
from tests.chance import Chance
from tests.game.anything import OWN_TABLE, chance_rules

TABLES = ("american", "vegas-2013", "early-2013", OWN_TABLE)


def tops() -> list[tuple[Card, ...]]:
    """Three cards for every strength that a top can have."""
    of_rank = {rank: [card for card in DECK if card.rank is rank] for rank in Rank}
    return [
        tuple(of_rank[rank][ranks[:place].count(rank)] for place, rank in enumerate(ranks))
        for ranks in combinations_with_replacement(Rank, 3)
    ]


@pytest.mark.parametrize("table", TABLES)
def test_royalties_are_the_rules_own_for_every_strength(table: str) -> None:
    rules = RuleSet.parse(f"room royalty_table={table}")
    told = worth(rules)[HEAD:].reshape(4, STRENGTHS)
    for number, row in enumerate(ROWS):
        wanted = [royalty(row, one, rules.royalty_table) for one in range(STRENGTHS)]
        assert told[number].tolist() == wanted
        assert row_royalties(rules)[number].tolist() == wanted


@pytest.mark.parametrize("lowest", ["22", "77", "JJ", "QQ", "KK", "AA"])
def test_entries_are_the_rules_own_for_every_top(lowest: str) -> None:
    rules = RuleSet.parse(f"progressive fantasyland_entry={lowest}")
    entries = worth(rules)[HEAD:].reshape(4, STRENGTHS)[3].astype(int)
    cards = (0, *rules.fantasyland_cards)
    found = {strength(top): cards[int(entries[strength(top)])] for top in tops()}
    assert found == {strength(top): entry(Board(top), rules) for top in tops()}
    assert sum(one > 0 for one in found.values()) == np.count_nonzero(entries)


def test_without_fantasyland_nothing_leads_there() -> None:
    rules = RuleSet.parse("progressive fantasyland=off")
    told = worth(rules)
    assert not told[8:12].any()
    assert not told[HEAD:].reshape(4, STRENGTHS)[3].any()
    assert fantasyland_worth(rules) == (0, 0, 0, 0)
    assert stay_worth(rules) == 0
    assert stay_worth(RuleSet.parse("room fantasyland_repeats=0")) == 0


@pytest.mark.parametrize("lowest", ["22", "QQ", "KK", "AA"])
def test_only_what_enters_is_worth_fantasyland(lowest: str) -> None:
    rules = RuleSet.parse(f"progressive fantasyland_entry={lowest}")
    told = fantasyland_worth(rules)
    for place, text in enumerate(("QsQh2c", "KsKh2c", "AsAh2c", "2s2h2c")):
        top = parse_cards(text)
        cards = entry(Board(top), rules)
        assert told[place] == (cards_worth(rules, cards) if cards else 0)


def test_without_royalties_no_row_earns() -> None:
    rules = RuleSet.parse("room royalties=none")
    assert not worth(rules)[HEAD : HEAD + 3 * STRENGTHS].any()
    assert not royalty_worths(rules).any()
    assert 0 < cards_worth(rules, 14) < cards_worth(RULE_SETS["room"], 14)


@pytest.mark.parametrize("base", RULE_SETS)
def test_fantasyland_is_worth_what_was_measured(base: str) -> None:
    rules, found = RULE_SETS[base], measured().get(base) or measured()["room"]
    assert sorted(found.points) == sorted(found.error) == [str(cards) for cards in range(13, 18)]
    assert fantasyland_worth(rules) == tuple(found.points[str(cards)] for cards in rules.fantasyland_cards)
    assert stay_worth(rules) == found.points[str(rules.fantasyland_stay_cards)]
    assert worth(rules)[8:12].tolist() == pytest.approx(fantasyland_worth(rules))
    assert not worth(rules, inside=True)[8:12].any()
    assert worth(rules, fantasyland=(1, 2, 3, 4))[8:12].tolist() == [1, 2, 3, 4]
    points = [found.points[str(cards)] for cards in range(13, 18)]
    assert points == sorted(points), "more cards are worth more"


def test_the_head_says_the_rules() -> None:
    rules = RuleSet.parse("room equality=strict scoring=2-4 foul_points=3")
    lines = [Lines(usual_lines().win, usual_lines().lose, foul) for foul in (0.25, 0.5)]
    told = worth(rules, lines)
    assert told[:8].tolist() == [3, 1, 0, 1, 2, 0.25, 0.5, 0]
    assert len(told) == HEAD + (4 + 2 * 6) * STRENGTHS
    assert worth(RULE_SETS["room"])[:5].tolist() == [6, 0, 0, 0, 0]


# -- lines


def made(chance: Chance, samples: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """Boards as strengths, some dead, some rows equal."""
    rows = [[chance.below(40) + 100 * chance.below(2) for _ in range(3)] for _ in range(samples)]
    return np.array([sorted(one) if chance.below(4) else one for one in rows], np.int16)


@pytest.mark.parametrize("equality", ["allowed", "strict"])
def test_lines_equal_a_slow_count(equality: str) -> None:
    rules, chance = RuleSet.parse(f"room equality={equality}"), Chance(f"lines {equality}")
    for samples in (1, 2, 60):
        boards = made(chance, samples)
        strict = equality == "strict"
        alive = [one for one in boards.tolist() if (one[0] < one[1] < one[2] if strict else one[0] <= one[1] <= one[2])]
        found = lines_of(boards, rules)
        assert found.foul == pytest.approx(1 - len(alive) / samples)
        for row in range(3):
            for own in [*range(150), STRENGTHS - 1]:
                won, lost = sum(one[row] < own for one in alive), sum(one[row] > own for one in alive)
                assert found.win[row][own] == pytest.approx(won / max(1, len(alive)))
                assert found.lose[row][own] == pytest.approx(lost / max(1, len(alive)))


def test_one_who_is_always_dead_wins_no_line() -> None:
    found = lines_of(np.array([[5, 4, 3], [9, 1, 2]], np.int16), RULE_SETS["room"])
    assert found.foul == 1
    assert not found.win.any()
    assert not found.lose.any()
    rules = RuleSet.parse("room royalties=line-winner")
    told = worth(rules, [found])[HEAD : HEAD + 3 * STRENGTHS].reshape(3, STRENGTHS)
    assert np.array_equal(told, np.stack(row_royalties(rules))), "a dead hand pays all royalties"


@pytest.mark.parametrize("text", [*RULE_SETS, "room royalties=none", "club royalties=line-winner equality=strict"])
def test_what_an_opponent_costs_is_what_he_is_paid_and_gets(text: str) -> None:
    """Against one who is dead: royalties, and the worth of what entering, or staying, brings."""
    rules, chance = RuleSet.parse(text), Chance(f"costs {text}")
    boards = [board_by_lot(chance) for _ in range(40)]
    dead = Board.parse("AsAhAd/2c3c4h5h7d/2d2h3d4d8c")
    for inside in (False, True):
        wanted: list[float] = []
        for board in boards:
            result = reckon([dead, board], [0, 1], rules, fantasyland=(0, 13 * inside)).players[1]
            right = cards_worth(rules, result.fantasyland) if result.fantasyland else 0
            wanted.append(result.royalties + right)
            assert staying(strengths([board]), rules)[0] == stays(board, rules)
        found = lines_of(strengths(boards), rules, inside=inside)
        assert found.cost == pytest.approx(np.mean(wanted))
        assert found.error == pytest.approx(np.std(wanted, ddof=1) / np.sqrt(len(boards)))
        for board, cost in zip(boards[:8], wanted, strict=False):
            alone = lines_of(strengths([board]), rules, inside=inside)
            assert (alone.cost, alone.error) == pytest.approx((cost, 0))


def board_by_lot(chance: Chance) -> Board:
    """A full board: the best royalties of fourteen cards, or its cards as they come."""
    cards = chance.shuffled(DECK)[:14]
    if chance.below(4) == 0:
        return Board(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13]))
    laid = fantasyland(cards, stay=20).placement
    return Board(laid.top, laid.middle, laid.bottom)


def strengths(boards: list[Board]) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    return np.array([[strength(board.row(row)) for row in ROWS] for board in boards], np.int16)


def test_a_usual_opponent_costs_what_the_rules_pay_him() -> None:
    cost = {
        text: usual(RuleSet.parse(text)).cost
        for text in ("room", "room fantasyland=off", "room royalties=none", "club")
    }
    assert cost["room"] > cost["room fantasyland=off"] > cost["club"] > cost["room royalties=none"] > 0
    assert usual(RuleSet.parse("club fantasyland=off royalties=none")).cost == 0
    assert cost["room"] - cost["room fantasyland=off"] == pytest.approx(0.228 * cards_worth(RULE_SETS["room"], 14))


@pytest.mark.parametrize("text", ["room", "club"])
def test_where_only_the_winner_is_paid_the_strongest_rows_cost_nothing(text: str) -> None:
    """What rows that cannot be beaten keep a usual opponent from is just what he costs."""
    rules = RuleSet.parse(f"{text} royalties=line-winner fantasyland=off")
    lines = usual(rules)
    told = worth(rules, [lines])[HEAD : HEAD + 3 * STRENGTHS].reshape(3, STRENGTHS)
    own = sum(float(row_royalties(rules)[row][-1]) for row in range(3))
    assert told[:, -1].sum() - lines.cost == pytest.approx(own, abs=0.02)


@pytest.mark.parametrize("laid_all", [False, True])
def test_usual_lines_rise_from_never_to_nearly_always(laid_all: bool) -> None:
    lines = usual_lines(laid_all=laid_all)
    assert (np.diff(lines.win, axis=1) >= 0).all()
    assert np.allclose(lines.win + lines.lose, 1)
    assert (lines.win[:, 0] == 0).all()
    assert (lines.win[:, -1] > 0.99).all()


def test_where_only_the_winner_is_paid_a_row_also_keeps_the_opponent_from_his_royalty() -> None:
    rules, chance = RuleSet.parse("room royalties=line-winner"), Chance("line winner")
    royalties = row_royalties(rules)
    boards = np.array([sorted(chance.below(STRENGTHS) for _ in range(3)) for _ in range(30)], np.int16)
    told = worth(rules, [lines_of(boards, rules)])[HEAD : HEAD + 3 * STRENGTHS].reshape(3, STRENGTHS)
    for row in range(3):
        for _ in range(50):
            own = chance.below(STRENGTHS)
            theirs = boards[:, row]
            brings = np.where(own > theirs, royalties[row][own], 0)
            kept_from = np.where(own >= theirs, royalties[row][theirs], 0)
            assert told[row][own] == pytest.approx(float((brings + kept_from).mean()), abs=1e-3)


def test_row_worths_never_fall() -> None:
    chance = Chance("row worths")
    for _ in range(12):
        rules = chance_rules(chance)
        for rows in (row_worths(rules), royalty_worths(rules)):
            assert rows.shape == (3, STRENGTHS)
            assert rows.dtype == np.float32
            assert (np.diff(rows, axis=1) >= 0).all()
