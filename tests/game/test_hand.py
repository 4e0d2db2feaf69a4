"""A hand from the deck to the showdown: whose turn, which cards, what is refused, what the table lays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import Placement, placements
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.rules import ROOM, RuleSet
from ananas.game.scoring import reckon
from ananas.refused import Refused

TWO = RuleSet(seats=2)
THREE = RuleSet(seats=3)


def played(hand: Hand, choices: list[int]) -> Hand:
    """The hand after these choices, each taken among all there are."""
    for choice in choices:
        player = hand.turn
        assert player is not None
        street = hand.street_of(player)
        ways = list(placements(hand.boards[player], hand.dealt(player), hand.rules.place[street - 1]))
        hand = hand.place(player, ways[choice % len(ways)])
    return hand


def refusal(hand: Hand, player: int, text: str) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as caught:
        hand.place(player, Placement.parse(text))
    return caught.value.code, caught.value.args_by_name


def draft_refusal(hand: Hand, player: int, placement: Placement) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as caught:
        hand.check_draft(player, placement)
    return caught.value.code, caught.value.args_by_name


# -- the deal


def test_the_lowest_street_goes_first_then_the_order_of_play() -> None:
    hand = Hand.deal(THREE, DECK, (2, 0, 1))
    turns: list[tuple[int, int]] = []
    while hand.turn is not None:
        turns.append((hand.street_of(hand.turn), hand.turn))
        hand = played(hand, [0])
    assert turns == [(street, player) for street in range(1, 6) for player in range(3)]
    assert hand.over
    assert [hand.street_of(player) for player in range(3)] == [6, 6, 6]


@pytest.mark.parametrize(
    ("rules", "seats", "slice_size"), [(TWO, (0, 1), 26), (THREE, (1, 2), 26), (THREE, (1, 2, 0), 17)]
)
def test_each_player_is_dealt_his_own_slice_of_the_deck(
    rules: RuleSet, seats: tuple[int, ...], slice_size: int
) -> None:
    hand = Hand.deal(rules, DECK, seats)
    received: list[list[Card]] = [[] for _ in seats]
    while (player := hand.turn) is not None:
        received[player] += hand.dealt(player)
        assert all(hand.dealt(other) == () for other in range(len(seats)) if other != player)
        hand = played(hand, [0])
    for player, cards in enumerate(received):
        assert tuple(cards) == DECK[player * slice_size : player * slice_size + 17]
    assert all(hand.dealt(player) == () for player in range(len(seats)))


@given(st.permutations(DECK), st.lists(st.integers(0, 10**6), min_size=15, max_size=15))
def test_nobodys_cards_depend_on_how_others_play(deck: list[Card], choices: list[int]) -> None:
    one = two = Hand.deal(THREE, deck, (0, 1, 2))
    for choice in choices:
        player = one.turn
        assert player is not None
        assert one.dealt(player) == two.dealt(player)
        one, two = played(one, [choice]), played(two, [0])


@pytest.mark.parametrize("deck", [DECK[:51], (*DECK[:51], DECK[0]), (*DECK, DECK[0])])
def test_a_deck_is_whole(deck: tuple[Card, ...]) -> None:
    with pytest.raises(ValueError, match="fifty-two"):
        Hand.deal(TWO, deck, (0, 1))


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1, 2)])
def test_as_many_play_as_the_table_has_seats(seats: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot play"):
        Hand.deal(TWO, DECK, seats)


# -- what is refused


def test_another_ones_turn_is_refused_and_names_the_seat_at_the_table() -> None:
    hand = Hand.deal(THREE, DECK, (2, 0, 1))
    assert refusal(hand, 1, "-/-/2c3c4c5c6c") == ("not-your-turn", {"turn": 2})


def test_nothing_is_laid_after_the_last_street() -> None:
    hand = played(Hand.deal(TWO, DECK, (0, 1)), [0] * 10)
    assert refusal(hand, 0, "-/-/2c") == ("no-hand", {})


FIRST = Hand.deal(TWO, DECK, (0, 1))
"""The first street, dealt 2c3c4c5c6c."""

SECOND = FIRST.place(0, Placement.parse("2c3c4c/-/5c6c")).place(1, Placement.parse("-/2h3h4h/5h6h"))
"""The second street of the one with a full top, dealt 7c8c9c."""


@pytest.mark.parametrize(
    ("hand", "text", "code", "args"),
    [
        (FIRST, "-/-/2c3c4c5cAs", "cards-not-yours", {"cards": "As", "dealt": "2c3c4c5c6c"}),
        (FIRST, "-/-/2c3c4c5c6c7c", "cards-not-yours", {"cards": "7c", "dealt": "2c3c4c5c6c"}),
        (FIRST, "-/-/2c3c4c5c", "wrong-count", {"placed": 4, "needed": 5}),
        (FIRST, "-/-/2c3c4c5c x6c", "wrong-count", {"placed": 4, "needed": 5}),
        (FIRST, "2c3c4c5c/-/6c", "row-full", {"row": "top", "room": 3, "cards": "2c3c4c5c"}),
        (SECOND, "-/-/7c8c x2c", "cards-not-yours", {"cards": "2c", "dealt": "7c8c9c"}),
        (SECOND, "-/-/7c xTc8c", "cards-not-yours", {"cards": "Tc", "dealt": "7c8c9c"}),
        (SECOND, "-/-/7c8c9c", "wrong-count", {"placed": 3, "needed": 2}),
        (SECOND, "-/-/7c x8c9c", "wrong-count", {"placed": 1, "needed": 2}),
        (SECOND, "7c/-/8c x9c", "row-full", {"row": "top", "room": 0, "cards": "7c"}),
        (SECOND, "-/-/7c8c", "not-discarded", {"cards": "9c"}),
    ],
)
def test_what_is_wrong_with_a_placement_is_said(hand: Hand, text: str, code: str, args: dict[str, str | int]) -> None:
    assert refusal(hand, 0, text) == (code, args)


def test_a_card_named_twice_is_not_his_twice() -> None:
    seven, eight, nine = parse_cards("7c8c9c")
    with pytest.raises(Refused) as caught:
        SECOND.place(0, Placement(bottom=(seven, seven), discards=(nine,)))
    assert (caught.value.code, caught.value.args_by_name["cards"]) == ("cards-not-yours", "7c")
    with pytest.raises(Refused):
        SECOND.place(0, Placement(bottom=(seven, eight), discards=(eight,)))


def test_a_refusal_changes_nothing() -> None:
    before = repr(SECOND)
    refusal(SECOND, 0, "-/-/7c8c")
    assert repr(SECOND) == before


# -- drafts


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        (FIRST, "-/-/-"),
        (FIRST, "6c/2c/-"),
        (FIRST, "2c3c4c/5c/6c"),
        (SECOND, "-/-/-"),
        (SECOND, "-/-/- x7c"),
        (SECOND, "-/9c/-"),
        (SECOND, "-/9c/7c"),
        (SECOND, "-/9c/7c x8c"),
    ],
)
def test_an_unfinished_placement_is_a_draft(hand: Hand, text: str) -> None:
    hand.check_draft(0, Placement.parse(text))


@pytest.mark.parametrize(
    ("hand", "player", "text", "code"),
    [
        (FIRST, 1, "-/-/-", "not-your-turn"),
        (FIRST, 0, "As/-/-", "cards-not-yours"),
        (FIRST, 0, "-/-/- x2c", "wrong-count"),
        (FIRST, 0, "2c3c4c5c/-/-", "row-full"),
        (SECOND, 0, "7c/-/-", "row-full"),
        (SECOND, 0, "-/-/7c8c9c", "wrong-count"),
        (SECOND, 0, "-/-/- x7c8c", "wrong-count"),
        (SECOND, 0, "-/-/2c", "cards-not-yours"),
        (played(FIRST, [0] * 10), 0, "-/-/-", "no-hand"),
    ],
)
def test_what_cannot_become_a_placement_is_no_draft(hand: Hand, player: int, text: str, code: str) -> None:
    assert draft_refusal(hand, player, Placement.parse(text))[0] == code


@given(st.permutations(DECK), st.lists(st.integers(0, 10**6), min_size=1, max_size=10), st.data())
def test_any_part_of_a_placement_is_a_draft(deck: list[Card], choices: list[int], data: st.DataObject) -> None:
    before = played(Hand.deal(TWO, deck, (0, 1)), choices[:-1])
    player = before.turn
    assert player is not None
    whole = played(before, choices[-1:]).placements[player][-1]
    kept = data.draw(st.sets(st.sampled_from(whole.cards)))
    draft = part_of(whole, kept)
    before.check_draft(player, draft)
    before.place(player, before.automatic(player, draft))


def part_of(whole: Placement, kept: set[Card]) -> Placement:
    top, middle, bottom, discards = (
        tuple(card for card in cards if card in kept)
        for cards in (whole.top, whole.middle, whole.bottom, whole.discards)
    )
    return Placement(top, middle, bottom, discards)


# -- what the table lays


NEARLY = FIRST.place(0, Placement.parse("2c3c/-/4c5c6c")).place(1, Placement.parse("-/2h3h4h/5h6h"))
"""The second street of the one with room for two at the bottom, dealt 7c8c9c."""

TIGHT = NEARLY.place(0, Placement.parse("-/-/7c8c x9c")).place(1, Placement.parse("-/-/7h8h x9h"))
"""The third street of the one with a full bottom, dealt TcJcQc."""


@pytest.mark.parametrize(
    ("hand", "draft", "laid"),
    [
        (FIRST, None, "-/-/2c3c4c5c6c"),
        (FIRST, "-/-/-", "-/-/2c3c4c5c6c"),
        (FIRST, "6c/2c/-", "6c/2c/3c4c5c"),
        (FIRST, "2c3c4c/5c/6c", "2c3c4c/5c/6c"),
        (FIRST, "-/-/6c5c", "-/-/6c5c2c3c4c"),
        (SECOND, None, "-/-/7c8c x9c"),
        (SECOND, "-/9c/-", "-/9c/7c x8c"),
        (SECOND, "-/9c/8c", "-/9c/8c x7c"),
        (SECOND, "-/9c/8c x7c", "-/9c/8c x7c"),
        (SECOND, "-/-/- x7c", "-/-/7c8c x9c"),
        (SECOND, "-/8c/- x7c", "-/8c/7c x9c"),
        (TIGHT, None, "-/TcJc/- xQc"),
        (TIGHT, "Qc/-/-", "Qc/Tc/- xJc"),
        (SECOND, "7c/-/-", "-/-/7c8c x9c"),
        (SECOND, "-/-/2c3c", "-/-/7c8c x9c"),
        (SECOND, "-/-/7c8c9c", "-/-/7c8c x9c"),
    ],
)
def test_the_table_lays_in_order_of_receipt_around_the_draft(hand: Hand, draft: str | None, laid: str) -> None:
    placement = hand.automatic(0, None if draft is None else Placement.parse(draft))
    assert str(placement) == laid
    hand.place(0, placement)


def test_a_whole_hand_laid_by_the_table_fills_bottom_middle_top() -> None:
    hand = Hand.deal(TWO, DECK, (0, 1))
    while (player := hand.turn) is not None:
        hand = hand.place(player, hand.automatic(player, None))
    assert str(hand.boards[0]) == "Ac3d4d/7c8cTcJcKc/2c3c4c5c6c"


def test_the_table_lays_for_nobody_out_of_turn() -> None:
    with pytest.raises(Refused) as caught:
        FIRST.automatic(1, None)
    assert caught.value.code == "not-your-turn"


# -- the whole hand


@given(
    st.sampled_from([(0, 1), (2, 0), (1, 2, 0)]),
    st.permutations(DECK),
    st.lists(st.integers(0, 10**6), min_size=15, max_size=15),
)
def test_replay_equals_play(seats: tuple[int, ...], deck: list[Card], choices: list[int]) -> None:
    hand = played(Hand.deal(THREE, deck, seats), choices[: 5 * len(seats)])
    assert hand.over
    again = Hand.deal(THREE, parse_cards(print_cards(deck)), seats)
    for street in range(5):
        for player in range(len(seats)):
            again = again.place(player, Placement.parse(str(hand.placements[player][street])))
    assert again == hand
    assert again.reckoning == hand.reckoning == reckon(hand.boards, seats, ROOM)


def test_there_is_no_showdown_before_the_last_card() -> None:
    hand = played(Hand.deal(TWO, DECK, (0, 1)), [0] * 9)
    assert hand.reckoning is None
    assert played(hand, [0]).reckoning is not None
