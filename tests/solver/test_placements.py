"""Every placement is judged once, the best first; what is exact equals the showdown and a count of every draw."""

from __future__ import annotations

import time
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from ananas.game.board import Board, Placement
from ananas.game.board import placements as every_placement
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.fantasyland import entry
from ananas.game.notation import Position
from ananas.game.rules import ROOM, RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.refused import Refused
from ananas.solver import Judged, core, fantasyland, placements
from ananas.solver.nets import nets
from ananas.solver.placements import GLANCE, Effort, Knowledge, distance, think, weighed
from ananas.solver.worth import Floats, fantasyland_worth, worth
from tests.chance import Chance

Rows = tuple[frozenset[Card], ...]
QUICK = Effort(rolled=(4, 4, 4), samples=(80, 80, 80), others=20)


def rows_of(placement: Placement) -> Rows:
    return tuple(map(frozenset, (placement.top, placement.middle, placement.bottom)))


def quick(text: str, rules: str) -> tuple[Judged, ...]:
    house = RuleSet.parse(rules)
    return think(Knowledge.of_position(Position.parse(text), house), house, QUICK, time.monotonic() + 60)


def check_judged(text: str, rules: str, found: tuple[Judged, ...]) -> None:
    position = Position.parse(text)
    knowledge = Knowledge.of_position(position, RuleSet.parse(rules))
    wanted = {rows_of(one) for one in every_placement(knowledge.board, knowledge.dealt, knowledge.lays)}
    assert len(found) == len(wanted)
    assert {rows_of(one.placement) for one in found} == wanted
    for one in found:
        assert {*one.placement.cards} == {*knowledge.dealt}
        assert len(one.placement.cards) == len(knowledge.dealt)
        assert one.error >= 0
        assert 0 <= one.foul <= 1
        assert 0 <= one.fantasyland <= 1
        assert one.behind == pytest.approx(found[0].points - one.points, abs=1e-3)
        assert one.behind >= 0
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)
    assert found[0].behind == 0
    assert found[0].equal


def board_of(cards: list[Card], count: int) -> Board:
    """A board of so many of the cards; what is alike lies together, so that not every one is dead in the end."""
    chosen = sorted(cards[:count], key=lambda card: card.rank)
    sizes = {0: (0, 0, 0), 3: (0, 1, 2), 5: (1, 2, 2), 7: (1, 3, 3), 9: (2, 3, 4), 11: (2, 4, 5), 13: (3, 5, 5)}
    sizes |= {6: (1, 2, 3), 8: (2, 3, 3), 10: (2, 4, 4), 12: (3, 4, 5)}
    top, middle, _ = sizes[count]
    return Board(tuple(chosen[:top]), tuple(chosen[top : top + middle]), tuple(chosen[top + middle :]))


def rich_board(cards: list[Card]) -> Board:
    """A full board: now and then by rank and often dead, else the one with the most royalties."""
    if cards[0].rank % 3 == 0:
        return board_of(cards, 13)
    best = fantasyland(cards, stay=0).placement
    return Board(best.top, best.middle, best.bottom)


def position(chance: Chance, laid: int, dealt: int, thrown: int, others: tuple[int, ...]) -> str:
    """A position by lot, as text."""
    deck = chance.shuffled(DECK)

    def take(count: int) -> list[Card]:
        return [deck.pop() for _ in range(count)]

    mine = board_of(take(laid), laid)
    text = f"{mine} x{print_cards(take(thrown))}" if thrown else str(mine)
    boards = [text, *(str(rich_board(take(13)) if count == 13 else board_of(take(count), count)) for count in others)]
    return " | ".join([*boards, f"p1 {print_cards(take(dealt))}"])


PINEAPPLE = ((0, 5, 0), (5, 3, 0), (7, 3, 1), (9, 3, 2), (11, 3, 3))
"""Cards laid, dealt and thrown away, by street."""


@pytest.mark.parametrize("street", PINEAPPLE)
@pytest.mark.parametrize(
    "rules", ["room", "club-pineapple", "progressive equality=strict", "room royalties=line-winner"]
)
def test_every_placement_is_judged_once_the_best_first(rules: str, street: tuple[int, int, int]) -> None:
    chance = Chance(f"{rules} {street}")
    for others in ((), (street[0],), (chance.pick((0, 5, 13)), min(street[0] + 2, 13) if street[0] else 5)):
        text = position(chance, *street, others)
        found = quick(text, rules)
        check_judged(text, rules, found)
        assert quick(text, rules) == found


def test_the_full_answer_is_the_same_every_time() -> None:
    chance = Chance("the full answer")
    for street in PINEAPPLE[1:]:
        text = position(chance, *street, (street[0],))
        found = placements(text, seconds=60)
        check_judged(text, "room", found)
        assert placements(Position.parse(text), RULE_SETS["room"], 60) == found


@pytest.mark.parametrize("laid", [0, 5, 6, 7, 8, 9, 10, 11, 12])
def test_streets_of_single_cards_are_judged(laid: int) -> None:
    chance = Chance(f"card by card {laid}")
    for others in ((laid,), (max(laid, 5), 13, 0)):
        text = position(chance, laid, 5 if laid == 0 else 1, 0, others)
        found = quick(text, "club")
        check_judged(text, "club", found)
        assert quick(text, "club") == found


@pytest.mark.parametrize("count", [3, 6, 8, 12])
def test_a_board_that_fits_no_street_is_answered(count: int) -> None:
    chance = Chance(f"no street {count}")
    for street in PINEAPPLE:
        text = position(chance, *street, (count,))
        check_judged(text, "room", quick(text, "room"))


def test_who_acts_may_stand_anywhere() -> None:
    first = quick("QsQh/Kd9h/7c7dAh x3h | Ad/JdJc/Ts9s6s5s | p1 KcAs6d", "room")
    second = quick("Ad/JdJc/Ts9s6s5s | QsQh/Kd9h/7c7dAh x3h | p2 KcAs6d", "room")
    assert first == second


# -- a given placement


@pytest.mark.parametrize("street", PINEAPPLE[:3])
def test_a_given_placement_is_played_on_however_bad_it_looks(street: tuple[int, int, int]) -> None:
    text = position(Chance(f"given {street}"), *street, (street[0],))
    knowledge, rules = Knowledge.of_position(Position.parse(text), RULE_SETS["room"]), RULE_SETS["room"]
    plain = think(knowledge, rules, QUICK, time.monotonic() + 60)
    assert plain[-1].guess
    found = think(knowledge, rules, QUICK, time.monotonic() + 60, given=plain[-1].placement)
    check_judged(text, "room", found)
    (own,) = [one for one in found if rows_of(one.placement) == rows_of(plain[-1].placement)]
    assert not own.guess
    assert not found[0].guess
    assert sum(not one.guess for one in found) == 1 + sum(not one.guess for one in plain)
    assert own.error > 0
    again = think(knowledge, rules, QUICK, time.monotonic() + 60, given=own.placement)
    assert again == found


def test_a_given_placement_that_cannot_be_laid_is_an_error() -> None:
    knowledge = Knowledge.of_position(Position.parse("QsQh/Kd9h/7c7dAh x3h | -/-/- | p1 KcAs6d"), RULE_SETS["room"])
    with pytest.raises(ValueError, match="cannot be laid here"):
        think(knowledge, RULE_SETS["room"], QUICK, time.monotonic() + 60, given=Placement.parse("Kc/-/- xAs6d"))


def test_what_is_counted_is_no_guess_and_card_by_card_it_is_told() -> None:
    assert not any(one.guess for one in quick(position(Chance("counted"), 9, 3, 2, (13,)), "room"))
    assert all(one.guess for one in quick(position(Chance("single"), 8, 1, 0, (8,)), "club"))
    assert not any(one.guess for one in quick(position(Chance("last but one"), 11, 1, 0, (13,)), "club"))


@pytest.mark.parametrize("street", [(0, 5, 0), (5, 3, 0), (9, 3, 2)])
@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_does_not_lead_to_fantasyland_is_not_told_to(rules: str, street: tuple[int, int, int]) -> None:
    """The nets tell how often queens, kings, aces and trips come, whatever the rules make of them."""
    chance = Chance(f"no entry {rules}")
    laid, dealt, thrown = street
    if RuleSet.parse(rules).deal[1] == 1:
        laid, dealt, thrown = (laid, 1, 0) if laid else (0, 5, 0)
    text = position(chance, laid, dealt, thrown, ())
    for one in quick(text, f"{rules} fantasyland=off"):
        assert one.fantasyland == 0
    for lowest in ("22", "QQ", "KK", "AA"):
        assert all(0 <= one.fantasyland <= 1 for one in quick(text, f"{rules} fantasyland_entry={lowest}"))


def test_queens_that_do_not_enter_are_worth_no_fantasyland() -> None:
    """By the nets' word alone, too: queens on top are as good a way there as none."""
    rules = RuleSet.parse("room fantasyland_entry=KK")
    knowledge = Knowledge.of_position(Position.parse("QsQh/4h/5d6d | -/-/- | p1 2c8h9s"), rules)
    glance = Effort(rolled=(0, 0, 0), samples=(0, 0, 0), others=0)
    assert all(one.fantasyland < 0.05 for one in think(knowledge, rules, glance, time.monotonic() + 60))


# -- what is exact


def points_of(mine: Board, others: tuple[Board, ...], rules: RuleSet, entering: dict[int, float]) -> float:
    """What a full board wins from each on average, and what it and his lead to."""
    total, dead = 0.0, False
    for other in others:
        reckoning = reckon([mine, other], [0, 1], rules)
        dead = reckoning.players[0].foul
        total += reckoning.pairs[0].claim - entering[reckoning.players[1].fantasyland]
    return total / len(others) + (0 if dead else entering[entry(mine, rules)])


def entering_worth(rules: RuleSet) -> dict[int, float]:
    return {0: 0.0} | dict(zip(rules.fantasyland_cards, fantasyland_worth(rules), strict=True))


VARIANTS = [
    f"{base} equality={equality} scoring={scoring} royalties={royalties} foul_points={foul}"
    for base, equality, scoring, royalties, foul in product(
        ("room", "progressive"), ("allowed", "strict"), ("1-6", "2-4"), ("net", "line-winner", "none"), (0, 6)
    )
]


@pytest.mark.parametrize("text", VARIANTS)
def test_the_last_street_equals_the_showdown(text: str) -> None:
    rules, chance = RuleSet.parse(text), Chance("the last street")
    entering, dead = entering_worth(rules), 0
    for turn in range(8):
        where = Position.parse(position(chance, 11, 3, 3, (13,) if turn % 3 else (13, 13)))
        others = where.boards[1:]
        found = placements(where, rules, 60)
        for one in found:
            mine = where.boards[0].place(one.placement)
            assert one.points == pytest.approx(points_of(mine, others, rules, entering), abs=1e-3), str(where)
            (alone,) = reckon([mine], [0], rules).players
            assert (one.foul, one.exact, one.error) == (alone.foul, True, 0)
            assert one.fantasyland == (not alone.foul and entry(mine, rules) > 0)
            assert one.equal == (one.behind <= 1e-4)
            dead += alone.foul
        dead += sum(player.foul for other in others for player in reckon([other], [1], rules).players)
    assert dead, "some boards are dead"


def draws(text: str, rules: str) -> dict[Rows, float]:
    """What each placement of street 4 is worth: over every three cards to come the best of all their placements."""
    house = RuleSet.parse(rules)
    entering = entering_worth(house)
    knowledge = Knowledge.of_position(Position.parse(text), house)
    seen = {*knowledge.board.cards, *knowledge.dealt, *knowledge.discards}
    seen |= {card for other in knowledge.others for card in other.cards}
    unseen = [card for card in DECK if card not in seen]
    assert len(unseen) < 14

    @cache
    def worth(rows: Rows) -> float:
        top, middle, bottom = map(tuple, rows)
        return points_of(Board(top, middle, bottom), knowledge.others, house, entering)

    values: dict[Rows, float] = {}
    for one in every_placement(knowledge.board, knowledge.dealt, knowledge.lays):
        board = knowledge.board.place(one)
        total = 0.0
        threes = list(combinations(unseen, 3))
        for three in threes:
            total += max(worth(rows_of_board(board.place(last))) for last in every_placement(board, three, 2))
        values[rows_of(one)] = total / len(threes)
    return values


def rows_of_board(board: Board) -> Rows:
    return tuple(map(frozenset, (board.top, board.middle, board.bottom)))


@pytest.mark.parametrize("rules", ["room", "progressive equality=strict scoring=2-4 royalties=line-winner"])
@pytest.mark.parametrize("which", [1, 2])
def test_street_four_counts_every_draw(which: int, rules: str) -> None:
    """Two full boards leave twelve cards that may still come."""
    text = position(Chance(f"street four {which}"), 9, 3, 2, (13, 13))
    wanted, found = draws(text, rules), placements(text, rules, 60)
    check_judged(text, rules, found)
    for one in found:
        assert one.exact
        assert one.points == pytest.approx(wanted[rows_of(one.placement)], abs=2e-3)


@pytest.mark.parametrize(
    ("cards", "others", "rules"),
    [
        ("2s3s4s5s6s", "-/-/-", "room"),
        ("TdJdQdKdAd", "-/9c/8c7cJs4d | -/-/-", "club-pineapple"),
        ("Ah2h3h4h5h", "-/9c/8c7cJs4d", "progressive"),
        ("7c8c9cTcJc", "-/-/-", "club"),
    ],
)
def test_a_straight_flush_is_laid_whole_in_the_bottom(cards: str, others: str, rules: str) -> None:
    best = placements(f"-/-/- | {others} | p1 {cards}", rules, 60)[0]
    assert {*best.placement.bottom} == {*parse_cards(cards)}


def test_a_layout_of_fantasyland_is_the_best_alone() -> None:
    for other, exact in (("QcJc9c/3s4d5h6d7h/ThTdTc8s8h", True), ("2c/3c/4c4d4h", False)):
        (best,) = placements(f"-/-/- | {other} | p1 AsAhAdKsKhKdQsQhQd2d3d5c7d9s")
        assert len(best.placement.laid) == 13
        assert (best.exact, best.equal, best.foul, best.behind) == (exact, True, 0, 0)


# -- what is refused


@pytest.mark.parametrize(
    ("text", "rules", "said"),
    [
        ("-/-/- | -/-/-", "room", "say who acts"),
        ("-/-/- | -/-/- | p1 ??????????", "room", "are to be named"),
        ("2c/3c3d/4c4d4s x?? | -/-/- | p1 KcAs6d", "room", "are to be named"),
        ("-/-/- | -/-/- | p1 KcAs", "room", "0 cards laid, 0 thrown away and 2 dealt fit no street; the streets are 5"),
        ("2c/3c3d/4c4d | -/-/- | p1 KcAs6d", "club", "5 cards laid, 0 thrown away and 3 dealt fit no street"),
        ("2c/3c3d/4c4d x5c | -/-/- | p1 KcAs6d", "room", "5 cards laid, 1 thrown away and 3 dealt fit no street"),
        ("-/-/- | -/-/- | -/-/- | -/-/- | p1 KcAs6d2c3c", "room", "up to 3 boards, here are 4"),
        ("-/-/- | -/-/- | -/-/- | -/-/- | -/-/- | p1 KcAs6d2c3c", "club", "up to 4 boards, here are 5"),
        ("-/-/- | -/-/- | p1 KcAs6d2c3c4c", "room deal=6,3,3,3 place=6,3,2,2", "up to 5 cards are judged"),
        ("-/-/- | -/-/- | p1 Kc", "room deal=1,9,7 place=1,7,5", "this one deals 1 to 0"),
    ],
)
def test_what_cannot_be_judged_is_refused(text: str, rules: str, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        placements(text, rules)
    assert refused.value.code == "bad-position"


@pytest.mark.parametrize("text", ["-/-/- | -/-/- | p1 KcKc6d2c3c", "Kc/-/- | Kc/-/- | p1 2c", "", "p1 KcAs6d2c3c"])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        placements(text)
    assert refused.value.code == "bad-history"


def test_no_board_is_dead_and_in_fantasyland_at_once() -> None:
    """Nets guess both chances by themselves; in these hands they come to up to 1.09 together where nothing is done."""
    for number in (64, 90, 119, 246):
        deck = Chance(f"over {number}").shuffled(DECK)
        board = Board(tuple(deck[0:2]), tuple(deck[2:5]), tuple(deck[5:7]))
        knowledge = Knowledge(board=board, dealt=tuple(deck[7:10]), lays=2, discards=(deck[10],))
        judged = think(knowledge, RULE_SETS["room"], GLANCE, time.monotonic() + 60)
        assert max(one.foul + one.fantasyland for one in judged) <= 1 + 1e-6


def test_many_cards_of_a_house_s_own_street_are_judged() -> None:
    rules = RuleSet.parse("room deal=5,5,5 place=5,4,4")
    judged = placements("2c/3c3d/4c4d | -/5c5d5h/6c6d | p1 7c8c9cTcJc", rules)
    assert len(judged) > 243
    assert [one.points for one in judged] == sorted((one.points for one in judged), reverse=True)


def test_where_too_few_cards_are_left_to_play_on_the_nets_judge() -> None:
    full = ("4dKh9c/3h5hJh4s6c/Jc7h5c5d8s", "As7sKs/3s5s4hAhAd/Js6hJd3cTh", "Tc2sTs/9s9hQc6dQd/6s2dKd7c4c")
    judged = placements(f"{full[0]} | {full[1]} | -/-/- | {full[2]} | p3 Kc9dTd2h8d", "club")
    assert all(one.guess for one in judged)


@pytest.mark.parametrize("street", [(0, 5, 0), (5, 3, 0), (7, 3, 1)])
def test_what_is_told_of_the_others_does_not_depend_on_what_is_given(street: tuple[int, int, int]) -> None:
    text = position(Chance(f"given {street}"), *street, ())
    knowledge = Knowledge.of_position(Position.parse(text), ROOM)
    usual = {one.placement: one for one in think(knowledge, ROOM, QUICK, time.monotonic() + 60, reviewed=True)}
    best = next(iter(usual))
    for given in [*usual][:: max(1, len(usual) // 6)]:
        found = {one.placement: one for one in think(knowledge, ROOM, QUICK, time.monotonic() + 60, given=given)}
        if next(iter(found)) == best:  # else it is the given one that is best
            assert all(found[one] == usual[one] for one in usual if one != given)


def test_who_is_cut_short_tells_what_was_found_by_then() -> None:
    knowledge = Knowledge(board=Board(), dealt=parse_cards("KcAs6dQhQd"), lays=5)
    given = think(knowledge, ROOM, GLANCE, time.monotonic() + 60)[3].placement
    judged = think(knowledge, ROOM, QUICK, time.monotonic(), given=given)
    assert all(np.isfinite((one.points, one.error, one.behind)).all() for one in judged)
    assert given in [one.placement for one in judged if not one.guess]


def drawn(words: float, points: float, samples: int) -> Floats:
    """Two placements, the first better by so much in the next net's word and at the end; the ends differ by chance."""
    chance = Chance("ends")
    lots = np.array([[chance.below(13) - 6 for _ in range(samples)] for _ in range(2)], np.float32)
    lots -= lots.mean(axis=1, keepdims=True)
    told = np.zeros((2, samples, 2), np.float32)
    told[0, :, 0] = words
    told[:, :, 1] = lots
    told[0, :, 1] += points
    return told


@pytest.mark.parametrize(
    ("off", "samples", "least", "most"),
    [
        (0.0, 400, 0.999, 1.001),  # a word that is never off
        (1e6, 400, -1.001, -0.999),  # a word that says nothing
        (0.2, 40, 0.5, 1.001),  # few draws: more the word
        (0.2, 20_000, -1.001, -0.9),  # many: more the ends
    ],
)
def test_the_ends_put_the_next_nets_word_right_as_far_as_they_are_to_be_trusted(
    off: float, samples: int, least: float, most: float
) -> None:
    both = drawn(1.0, -1.0, samples)
    better, worse = weighed(both, off)
    assert least <= better - worse <= most
    apart, error = distance(both[0] - both[1], off)
    assert least <= apart <= most
    assert error >= 0
    if off == 0.2:
        assert error < 2**0.5 * off + 6 / samples**0.5, "what is known of both makes it no less sure"


def test_a_placement_played_on_comes_with_the_next_nets_word() -> None:
    """With nets that say the same of everything, that is the word, and the end is what it is without it."""
    knowledge = Knowledge(board=Board(), dealt=parse_cards("KcAs6dQhQd"), lays=5)
    nothing = np.zeros_like(nets())
    nothing.reshape(4, -1)[1, -core.PARTS] = 3  # the net after street 2: three points of royalties
    choices = core.choices(knowledge.where, 5)[:6]
    told = np.zeros((2, 8, 2), np.float32)
    core.rollouts(knowledge.where, worth(ROOM), nothing, b"", choices, 1, 0, 8, 1, told, np.zeros(0, np.float32))
    assert (told[:, :, 0] == 3).all()
    parts, again = np.zeros((2, core.PARTS), np.float32), np.zeros_like(told)
    core.rollouts(knowledge.where, worth(ROOM), nothing, b"", choices, 1, 0, 8, 1, again, parts)
    assert np.allclose(told, again, atol=1e-4)
