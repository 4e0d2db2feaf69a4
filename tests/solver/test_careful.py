"""What the table lays with care: held against every placement there is, and against laying in order of receipt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ananas.game.board import ROWS, Board, Placement, placements
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.rules import CLUB, ROOM, RuleSet
from ananas.game.strength import strength
from ananas.game.view import view_hand
from ananas.solver import fantasyland
from ananas.solver.careful import careful
from ananas.solver.placements import Knowledge
from tests.chance import Chance

ODD = RuleSet.parse("room seats=2-2 deal=9,3,4 place=7,2,4 fantasyland=off equality=strict")
AT_ONCE = RuleSet.parse("room seats=2-3 deal=17 place=13 fantasyland=off")
Lay = Callable[[Hand, int], Placement]


def knows(hand: Hand, player: int) -> Knowledge:
    return Knowledge.of_view(view_hand(hand, 1, hand.seats[player], {}), hand.rules)


def with_care(hand: Hand, player: int) -> Placement:
    return careful(knows(hand, player), hand.rules)


def in_order(hand: Hand, player: int) -> Placement:
    return hand.automatic(player, None)


def by_lot(chance: Chance) -> Lay:
    """Any placement, as likely as another or not."""

    def lay(hand: Hand, player: int) -> Placement:
        cards = chance.shuffled(hand.dealt(player))
        free = chance.shuffled([row for row in ROWS for _ in range(hand.boards[player].room(row))])
        to: dict[str, list[Card]] = {row: [] for row in ROWS}
        for _ in range(hand.to_lay(player)):
            to[free.pop()].append(cards.pop())
        return Placement(tuple(to["top"]), tuple(to["middle"]), tuple(to["bottom"]), tuple(cards))

    return lay


def part_of(placement: Placement, chance: Chance, most: int) -> Placement:
    """A draft with at most so many cards of a placement in rows."""
    keep = chance.shuffled(placement.laid)[: chance.below(most + 1)]
    rows = [tuple(card for card in placement.row(row) if card in keep) for row in ROWS]
    return Placement(rows[0], rows[1], rows[2], placement.discards[: chance.below(2)])


def is_kept(draft: Placement, placement: Placement) -> bool:
    return all(set(draft.row(row)) <= set(placement.row(row)) for row in ROWS)


def alive(board: Board, rules: RuleSet) -> bool:
    top, middle, bottom = (strength(board.row(row)) for row in ROWS)
    return top < middle < bottom if rules.equality == "strict" else top <= middle <= bottom


def played(rules: RuleSet, chance: Chance, lays: Lay, until: int = 13, **how: tuple[int, ...]) -> Hand:
    """A hand laid in one way, until the one who acts has so many cards on his board."""
    hand = Hand.deal(rules, chance.shuffled(DECK), (0, 1), **how)
    while not hand.over and len(hand.boards[hand.acting[0]].cards) < until:
        hand = hand.place(hand.acting[0], lays(hand, hand.acting[0]))
    return hand


def test_the_last_street_is_alive_where_it_can_be() -> None:
    chance, could = Chance("careful: last street"), 0
    for number in range(150):
        lays = by_lot(chance) if number % 2 else with_care
        hand = played(chance.pick((ROOM, ROOM.but({"equality": "strict"}))), chance, lays, until=11)
        player = hand.acting[0]
        draft = part_of(by_lot(chance)(hand, player), chance, 1)
        board, found = hand.boards[player], careful(knows(hand, player), hand.rules, draft)
        hand.place(player, found)
        every = [one for one in placements(board, hand.dealt(player), 2) if is_kept(draft, one)]
        ends = [alive(board.place(one), hand.rules) for one in every]
        assert is_kept(draft, found)
        assert alive(board.place(found), hand.rules) == any(ends)
        could += any(ends)
    assert 20 < could < 150


@pytest.mark.parametrize(("rules", "cards"), [(ROOM, 14), (ROOM, 17), (CLUB, 13), (AT_ONCE, 0)], ids=str)
def test_a_whole_board_is_alive_and_keeps_what_lies(rules: RuleSet, cards: int) -> None:
    chance, ends = Chance(f"careful: whole board {rules} {cards}"), list[bool]()
    for _ in range(20):
        hand = Hand.deal(rules, chance.shuffled(DECK), (0, 1), fantasyland=(cards, 0))
        draft = part_of(by_lot(chance)(hand, 0), chance, 13)
        found = careful(knows(hand, 0), rules, draft)
        hand.place(0, found)
        assert is_kept(draft, found)
        if len(draft.laid) >= 8:
            board = Board().place(Placement(draft.top, draft.middle, draft.bottom))
            rest = [card for card in hand.dealt(0) if card not in draft.laid]
            every = placements(board, rest, 13 - len(draft.laid))
            ends.append(any(alive(board.place(one), rules) for one in every))
            assert alive(Board().place(Placement(found.top, found.middle, found.bottom)), rules) == ends[-1]
    assert len(ends) > 5


@pytest.mark.parametrize("cards", [13, 14, 16])
def test_fantasyland_without_a_draft_is_the_exact_best(cards: int) -> None:
    chance = Chance(f"careful: best {cards}")
    for _ in range(6):
        hand = Hand.deal(ROOM.but({"fantasyland_cards": "17"}), chance.shuffled(DECK), (0, 1), fantasyland=(cards, 0))
        assert careful(knows(hand, 0), hand.rules).laid == _laid(fantasyland(hand.dealt(0), hand.rules).placement, hand)


def test_fantasyland_with_a_part_of_the_best_layout_is_the_best_layout() -> None:
    chance = Chance("careful: part of the best")
    for _ in range(12):
        hand = Hand.deal(ROOM, chance.shuffled(DECK), (0, 1), fantasyland=(14, 0))
        best = fantasyland(hand.dealt(0), ROOM)
        found = careful(knows(hand, 0), ROOM, part_of(best.placement, chance, 6))
        again = Board().place(Placement(found.top, found.middle, found.bottom))
        assert [strength(again.row(row)) for row in ROWS] == [strength(best.placement.row(row)) for row in ROWS]


def _laid(placement: Placement, hand: Hand) -> tuple[Card, ...]:
    """The cards in rows, each row in order of receipt."""
    return tuple(card for row in ROWS for card in hand.dealt(0) if card in placement.row(row))


def test_far_fewer_hands_die_than_in_order_of_receipt() -> None:
    dead = {"careful": 0, "order": 0}
    for name, lays in (("careful", with_care), ("order", in_order)):
        chance = Chance("careful: hands")
        for _ in range(150):
            hand = played(ROOM, chance, lays)
            dead[name] += sum(not alive(board, ROOM) for board in hand.boards)
    assert dead["order"] > 150
    assert dead["careful"] * 8 < dead["order"]


@pytest.mark.parametrize("rules", [CLUB, ODD], ids=str)
def test_other_streets_are_laid_with_care_too(rules: RuleSet) -> None:
    chance = Chance(f"careful: {rules}")
    boards = [board for _ in range(8) for board in played(rules, chance, with_care).boards]
    again = Chance(f"careful: {rules}")
    ordered = [board for _ in range(8) for board in played(rules, again, in_order).boards]
    dead, otherwise = (sum(not alive(board, rules) for board in each) for each in (boards, ordered))
    assert dead * 2 < otherwise


def test_what_dies_for_certain_is_not_laid_where_anything_else_can_be() -> None:
    """A pair of kings would go on top of a middle that can no longer beat it."""
    hand = Hand.deal(ROOM, parse_cards("KsKhQd") + tuple(c for c in DECK if c not in parse_cards("KsKhQd")), (0, 1))
    knowledge = Knowledge(
        board=Board.parse("3c/2c4d5h7s9c/TdTc8h"), dealt=hand.deck[:3], lays=2, others=(Board(),), inside=(0,)
    )
    found = careful(knowledge, ROOM)
    assert print_cards(found.top) in {"Ks", "Kh", "Qd", ""}
    assert len(found.top) < 2 or strength(parse_cards("3c") + found.top) <= strength(knowledge.board.middle)
    assert careful(knowledge, ROOM, Placement.parse("KsKh/-/-")).top == parse_cards("KsKh")


@pytest.mark.parametrize("draft", ["2c/-/-", "-/Ks/- xKhQd", "-/KsKhQd/-", "-/KsKs/-", "-/Ks/-"])
def test_a_draft_that_does_not_fit_counts_as_none(draft: str) -> None:
    knowledge = Knowledge(
        board=Board.parse("3c/2c4d5h7s9c/TdTc8h"), dealt=parse_cards("KsKhQd"), lays=2, others=(Board(),), inside=(0,)
    )
    rows = [parse_cards(row) for row in draft.partition(" ")[0].replace("-", "").split("/")]
    given = Placement(rows[0], rows[1], rows[2], parse_cards(draft.partition(" x")[2]))
    assert careful(knowledge, ROOM, given) == careful(knowledge, ROOM)
