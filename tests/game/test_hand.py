"""A hand from the deck to the showdown: whose turn, which cards, what is refused, what the table lays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.board import ROWS, Placement
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.hand import Hand
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, PROGRESSIVE, ROOM, RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.refused import Refused
from tests.game.anything import any_rules, laid_by, table_rows

TWO = RuleSet.parse("room seats=2-2")

CHOICES = st.integers(0, 10**30)


def played(hand: Hand, choices: list[int]) -> Hand:
    """The hand after these choices, each made by the first who may act."""
    for choice in choices:
        player = hand.acting[0]
        hand = hand.place(player, laid_by(hand, player, choice))
    return hand


def laid_by_the_table(hand: Hand) -> Hand:
    while hand.acting:
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    return hand


@st.composite
def deals(draw: st.DrawFn) -> Hand:
    """A hand of any rules just dealt, with anybody in Fantasyland."""
    rules = draw(any_rules())
    players = draw(st.integers(2, rules.seats[1]))
    most = 52 // players
    cards = st.sampled_from([0, *(cards for cards in range(13, 18) if cards <= most)])
    return Hand.deal(
        rules,
        draw(st.permutations(DECK)),
        draw(st.permutations(range(4)))[:players],
        fantasyland=draw(st.lists(cards, min_size=players, max_size=players)),
    )


def refusal(hand: Hand, player: int, text: str) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as caught:
        hand.place(player, Placement.parse(text))
    return caught.value.code, caught.value.args_by_name


def draft_refusal(hand: Hand, player: int, placement: Placement) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as caught:
        hand.check_draft(player, placement)
    return caught.value.code, caught.value.args_by_name


# -- whose turn


@pytest.mark.parametrize(("rules", "fantasyland", "turns"), table_rows("turns.txt"))
def test_who_may_lay_is_what_the_table_says(rules: str, fantasyland: str, turns: str) -> None:
    cards = [int(number) for number in fantasyland.split()]
    hand = Hand.deal(RuleSet.parse(rules), DECK, range(len(cards)), fantasyland=cards)
    acted: list[str] = []
    while hand.acting:
        acted.append("".join(map(str, hand.acting)))
        assert not hand.over
        hand = played(hand, [0])
    assert " ".join(acted) == turns
    assert hand.over


@given(deals(), st.lists(CHOICES, min_size=36, max_size=36))
def test_every_hand_comes_to_an_end_and_everybody_has_laid_all(hand: Hand, choices: list[int]) -> None:
    for choice in choices:
        if hand.over:
            break
        player = hand.acting[choice % len(hand.acting)]
        assert not hand.done(player)
        hand = hand.place(player, laid_by(hand, player, choice))
    assert hand.over
    assert hand.acting == ()
    for player, cards in enumerate(hand.fantasyland):
        assert hand.done(player)
        assert hand.boards[player].full
        assert hand.street_of(player) == hand.rules.streets + 1
        assert hand.dealt(player) == ()
        received = [card for placement in hand.placements[player] for card in placement.cards]
        assert len(received) == len(set(received)) == (cards or sum(hand.rules.deal))
        assert len(hand.placements[player]) == (1 if cards else hand.rules.streets)


@pytest.mark.parametrize(
    ("rules", "fantasyland", "closed"),
    [
        (ROOM, (0, 0), False),
        (ROOM, (14, 0), True),
        (ROOM, (14, 14), True),
        (ROOM, (14, 0, 0), False),
        (ROOM, (14, 0, 14), True),
        (ROOM, (14, 14, 14), True),
        (CLUB, (0, 0), False),
        (CLUB, (13, 0), False),
        (CLUB, (13, 13), True),
        (CLUB, (13, 13, 13, 0), False),
        (CLUB, (13, 13, 13, 13), True),
        (CLUB.but({"fantasyland_timing": "after"}), (13, 13, 0, 0), False),
        (CLUB.but({"fantasyland_timing": "after"}), (13, 13, 13, 0), True),
    ],
)
def test_a_hand_is_closed_where_all_lay_at_once(rules: RuleSet, fantasyland: tuple[int, ...], closed: bool) -> None:
    hand = Hand.deal(rules, DECK, range(len(fantasyland)), fantasyland=fantasyland)
    assert hand.closed is closed
    assert laid_by_the_table(hand).closed is closed


# -- the deal


@pytest.mark.parametrize(
    ("rules", "seats", "slice_size", "cards"),
    [
        (TWO, (0, 1), 26, 17),
        (ROOM, (1, 2), 26, 17),
        (ROOM, (1, 2, 0), 17, 17),
        (CLUB, (3, 0), 26, 13),
        (CLUB, (3, 0, 1, 2), 13, 13),
    ],
)
def test_each_player_is_dealt_his_own_slice_of_the_deck(
    rules: RuleSet, seats: tuple[int, ...], slice_size: int, cards: int
) -> None:
    hand = Hand.deal(rules, DECK, seats)
    received: list[list[Card]] = [[] for _ in seats]
    while hand.acting:
        (player,) = hand.acting
        received[player] += hand.dealt(player)
        assert all(hand.dealt(other) == () for other in range(len(seats)) if other != player)
        hand = played(hand, [0])
    for player, dealt in enumerate(received):
        assert tuple(dealt) == DECK[player * slice_size : player * slice_size + cards]
    assert all(hand.dealt(player) == () for player in range(len(seats)))


@pytest.mark.parametrize("cards", [13, 14, 15, 16, 17])
@pytest.mark.parametrize("rules", [ROOM, PROGRESSIVE, CLUB_PINEAPPLE])
def test_fantasyland_is_dealt_at_once_and_thirteen_are_laid(rules: RuleSet, cards: int) -> None:
    hand = Hand.deal(rules, DECK, (0, 1, 2), fantasyland=(cards, cards, cards))
    for player in range(3):
        assert hand.dealt(player) == DECK[17 * player : 17 * player + cards]
        assert hand.to_lay(player) == 13
        assert hand.street_of(player) == 1
    after = hand.place(1, laid_by(hand, 1, 0))
    assert after.done(1)
    assert len(after.placements[1][0].discards) == cards - 13
    assert after.street_of(1) == 6
    assert after.dealt(1) == ()


def test_fantasyland_after_the_others_is_dealt_when_they_are_done() -> None:
    hand = Hand.deal(ROOM, DECK, (0, 1, 2), fantasyland=(0, 14, 0))
    while hand.acting != (1,):
        assert hand.dealt(1) == ()
        hand = played(hand, [0])
    assert hand.dealt(1) == DECK[17:31]
    assert all(hand.done(player) for player in (0, 2))


def test_fantasyland_from_the_start_is_dealt_with_the_first_street() -> None:
    hand = Hand.deal(CLUB_PINEAPPLE, DECK, (0, 1, 2), fantasyland=(0, 13, 0))
    assert (hand.dealt(0), hand.dealt(1), hand.dealt(2)) == (DECK[:5], DECK[17:30], ())


def test_single_cards_are_all_laid() -> None:
    hand = Hand.deal(CLUB, DECK, (0, 1, 2, 3))
    while hand.acting:
        (player,) = hand.acting
        assert len(hand.dealt(player)) == hand.to_lay(player) == (5 if hand.street_of(player) == 1 else 1)
        hand = played(hand, [0])
    assert all(len(streets) == 9 for streets in hand.placements)
    assert not any(placement.discards for streets in hand.placements for placement in streets)


@given(deals(), st.lists(CHOICES, min_size=36, max_size=36), st.lists(CHOICES, min_size=36, max_size=36))
def test_nobodys_cards_depend_on_how_or_how_fast_others_play(hand: Hand, choices: list[int], others: list[int]) -> None:
    """Each lays in the one world and in the other as he likes, and in any order that the turns leave free."""

    def received(hand: Hand, choices: list[int]) -> dict[tuple[int, int], tuple[Card, ...]]:
        dealt: dict[tuple[int, int], tuple[Card, ...]] = {}
        for choice in choices:
            for player in hand.acting:
                dealt[player, hand.street_of(player)] = hand.dealt(player)
            if not hand.over:
                player = hand.acting[choice % len(hand.acting)]
                hand = hand.place(player, laid_by(hand, player, choice))
        return dealt

    assert received(hand, choices) == received(hand, others)


@pytest.mark.parametrize("deck", [DECK[:51], (*DECK[:51], DECK[0]), (*DECK, DECK[0])])
def test_a_deck_is_whole(deck: tuple[Card, ...]) -> None:
    with pytest.raises(ValueError, match="fifty-two"):
        Hand.deal(TWO, deck, (0, 1))


@pytest.mark.parametrize("seats", [(), (0,), (0, 0), (0, 1, 2)])
def test_as_many_play_as_the_table_has_seats(seats: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot play"):
        Hand.deal(TWO, DECK, seats)


@pytest.mark.parametrize(
    ("rules", "fantasyland"),
    [(ROOM, (12, 0)), (ROOM, (-1, 0)), (ROOM, (27, 0)), (ROOM, (18, 0, 0)), (CLUB, (14, 0, 0, 0))],
)
def test_fantasyland_is_of_cards_that_there_are(rules: RuleSet, fantasyland: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot be dealt"):
        Hand.deal(rules, DECK, range(len(fantasyland)), fantasyland=fantasyland)


def test_what_is_told_of_the_players_is_told_of_each() -> None:
    with pytest.raises(ValueError, match="3 entries for 2 seats"):
        Hand.deal(ROOM, DECK, (0, 1), stacks=(1, 2, 3))
    with pytest.raises(ValueError, match="1 entries for 2 seats"):
        Hand.deal(ROOM, DECK, (0, 1), fantasyland=(14,))
    with pytest.raises(ValueError, match="4 entries for 2 seats"):
        Hand.deal(ROOM, DECK, (0, 1), repeats=(0, 0, 0, 0))


# -- what is refused


def test_another_ones_turn_is_refused_and_names_the_seat_at_the_table() -> None:
    hand = Hand.deal(ROOM, DECK, (2, 0, 1))
    assert refusal(hand, 1, "-/-/2c3c4c5c6c") == ("not-your-turn", {"turn": "2"})


def test_where_several_lay_at_once_who_is_done_hears_whom_all_wait_for() -> None:
    hand = Hand.deal(ROOM, DECK, (2, 0, 1), fantasyland=(14, 14, 0))
    hand = hand.place(0, laid_by(hand, 0, 0))
    assert refusal(hand, 0, "-/-/2c3c4c5c6c") == ("not-your-turn", {"turn": "0, 1"})


def test_nothing_is_laid_after_the_last_street() -> None:
    hand = played(Hand.deal(TWO, DECK, (0, 1)), [0] * 10)
    assert refusal(hand, 0, "-/-/2c") == ("no-hand", {})


FANTASY = Hand.deal(ROOM, DECK, (0, 1), fantasyland=(15, 14))
"""Fantasyland, dealt 2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d."""

CLUB_SECOND = (
    Hand.deal(CLUB, DECK, (0, 1)).place(0, Placement.parse("2c/3c4c/5c6c")).place(1, Placement.parse("2h/3h4h/5h6h"))
)
"""The second street of the club, dealt 7c."""

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
        (CLUB_SECOND, "-/-/8c", "cards-not-yours", {"cards": "8c", "dealt": "7c"}),
        (CLUB_SECOND, "-/-/- x7c", "wrong-count", {"placed": 0, "needed": 1}),
        (FANTASY, "2c3c4c/5c6c7c8c9c/TcJcQcKc xAc2d3d", "wrong-count", {"placed": 12, "needed": 13}),
        (FANTASY, "2c3c4c/5c6c7c8c9c/TcJcQcKcAc2d x3d", "wrong-count", {"placed": 14, "needed": 13}),
        (FANTASY, "2c3c4cAc/5c6c7c8c9c/TcJcQcKc x2d3d", "row-full", {"row": "top", "room": 3, "cards": "2c3c4cAc"}),
        (FANTASY, "2c3c4c/5c6c7c8c9c/TcJcQcKcAc x2d", "not-discarded", {"cards": "3d"}),
        (
            FANTASY,
            "2c3c4c/5c6c7c8c9c/TcJcQcKcAc x2d4d",
            "cards-not-yours",
            {"cards": "4d", "dealt": "2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d"},
        ),
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
        (CLUB_SECOND, "-/-/-"),
        (CLUB_SECOND, "-/7c/-"),
        (FANTASY, "-/-/-"),
        (FANTASY, "Ac2d/-/-"),
        (FANTASY, "-/-/- x2c3c"),
        (FANTASY, "2c3c4c/5c6c7c8c9c/TcJcQcKcAc x2d"),
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
        (CLUB_SECOND, 0, "-/-/- x7c", "wrong-count"),
        (FANTASY, 0, "-/-/- x2c3c4c", "wrong-count"),
        (FANTASY, 1, "-/-/2c", "cards-not-yours"),
        (FANTASY, 0, "2c3c4c5c/-/-", "row-full"),
        (played(FIRST, [0] * 10), 0, "-/-/-", "no-hand"),
    ],
)
def test_what_cannot_become_a_placement_is_no_draft(hand: Hand, player: int, text: str, code: str) -> None:
    assert draft_refusal(hand, player, Placement.parse(text))[0] == code


@given(deals(), st.lists(CHOICES, min_size=36, max_size=36), st.data())
def test_any_part_of_a_placement_is_a_draft(hand: Hand, choices: list[int], data: st.DataObject) -> None:
    for choice in choices[: data.draw(st.integers(1, 10))]:
        if hand.over:
            break
        player = hand.acting[choice % len(hand.acting)]
        whole = laid_by(hand, player, choice)
        draft = part_of(whole, data.draw(st.sets(st.sampled_from(whole.cards))))
        hand.check_draft(player, draft)
        laid = hand.automatic(player, draft)
        hand.place(player, laid)
        assert all(set(draft.row(row)) <= set(laid.row(row)) for row in ROWS)
        hand = hand.place(player, whole)


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
        (CLUB_SECOND, None, "-/-/7c"),
        (CLUB_SECOND, "7c/-/-", "7c/-/-"),
        (FANTASY, None, "QcKcAc/7c8c9cTcJc/2c3c4c5c6c x2d3d"),
        (FANTASY, "2c3d/-/-", "2c3dKc/8c9cTcJcQc/3c4c5c6c7c xAc2d"),
        (FANTASY, "-/-/- x2c3c", "QcKcAc/7c8c9cTcJc/2c3c4c5c6c x2d3d"),
        (FANTASY, "AcKcQc/-/TcJc9c8c7c x2c", "AcKcQc/2c3c4c5c6c/TcJc9c8c7c x2d3d"),
        (FANTASY, "2d3dAc/2c3c4c5c6c/TcJc9c8c7c xQc", "2d3dAc/2c3c4c5c6c/TcJc9c8c7c xQcKc"),
    ],
)
def test_the_table_lays_in_order_of_receipt_around_the_draft(hand: Hand, draft: str | None, laid: str) -> None:
    placement = hand.automatic(0, None if draft is None else Placement.parse(draft))
    assert str(placement) == laid
    hand.place(0, placement)


@pytest.mark.parametrize(
    ("rules", "fantasyland", "boards"),
    [
        ("room", "0 0", "Ac3d4d/7c8cTcJcKc/2c3c4c5c6c Ah3s4s/7h8hThJhKh/2h3h4h5h6h"),
        ("club", "0 0", "QcKcAc/7c8c9cTcJc/2c3c4c5c6c QhKhAh/7h8h9hThJh/2h3h4h5h6h"),
        ("room", "14 0", "QcKcAc/7c8c9cTcJc/2c3c4c5c6c Ah3s4s/7h8hThJhKh/2h3h4h5h6h"),
        ("room", "14 14", "QcKcAc/7c8c9cTcJc/2c3c4c5c6c QhKhAh/7h8h9hThJh/2h3h4h5h6h"),
        ("club-pineapple", "0 13", "Ac3d4d/7c8cTcJcKc/2c3c4c5c6c QhKhAh/7h8h9hThJh/2h3h4h5h6h"),
        ("progressive", "17 17", "QcKcAc/7c8c9cTcJc/2c3c4c5c6c QhKhAh/7h8h9hThJh/2h3h4h5h6h"),
    ],
)
def test_a_whole_hand_laid_by_the_table_fills_bottom_middle_top(rules: str, fantasyland: str, boards: str) -> None:
    cards = [int(number) for number in fantasyland.split()]
    hand = laid_by_the_table(Hand.deal(RuleSet.parse(rules), DECK, (0, 1), fantasyland=cards))
    assert " ".join(str(board) for board in hand.boards) == boards


@pytest.mark.parametrize("cards", [13, 14, 15, 16, 17])
def test_the_table_throws_away_what_came_last_in_fantasyland(cards: int) -> None:
    hand = Hand.deal(PROGRESSIVE, DECK, (0, 1, 2), fantasyland=(cards, 0, 0))
    hand = laid_by_the_table(hand)
    assert hand.placements[0][0].discards == DECK[13:cards]


def test_the_table_lays_for_nobody_out_of_turn() -> None:
    with pytest.raises(Refused) as caught:
        FIRST.automatic(1, None)
    assert caught.value.code == "not-your-turn"


# -- the whole hand


@given(deals(), st.lists(CHOICES, min_size=36, max_size=36))
def test_replay_equals_play(hand: Hand, choices: list[int]) -> None:
    dealt = hand
    order: list[tuple[int, str]] = []
    for choice in choices:
        if hand.acting:
            player = hand.acting[choice % len(hand.acting)]
            order.append((player, str(laid_by(hand, player, choice))))
            hand = hand.place(player, Placement.parse(order[-1][1]))
    again = Hand.deal(
        RuleSet.parse(str(dealt.rules)),
        parse_cards(print_cards(dealt.deck)),
        dealt.seats,
        fantasyland=dealt.fantasyland,
    )
    for player, text in order:
        again = again.place(player, Placement.parse(text))
    assert again == hand
    showdown = reckon(hand.boards, hand.seats, hand.rules, fantasyland=hand.fantasyland)
    assert again.reckoning == hand.reckoning == showdown


def test_stacks_fantasyland_and_stays_come_into_the_showdown() -> None:
    trips = parse_cards("2s2h2d3s3h3dKcQh4s5d6h7c8s9c")
    deck = (*trips, *(card for card in DECK if card not in trips))
    hand = Hand.deal(CLUB, deck, (1, 0), stacks=(20, 30), fantasyland=(13, 0), repeats=(1, 0))
    hand = hand.place(0, Placement.parse("2s2h2d/3s3h3dKcQh/4s5d6h7c8s"))
    hand = laid_by_the_table(hand)
    assert hand.reckoning is not None
    assert hand.reckoning == reckon(hand.boards, (1, 0), CLUB, stacks=(20, 30), fantasyland=(13, 0), repeats=(1, 0))
    first = hand.reckoning.players[0]
    assert (first.stays, first.fantasyland) == (False, 0)  # one stay is all that the club allows
    assert sum(player.stack or 0 for player in hand.reckoning.players) == 50


def test_there_is_no_showdown_before_the_last_card() -> None:
    for rules in RULE_SETS.values():
        hand = Hand.deal(rules, DECK, (0, 1))
        hand = played(hand, [0] * (2 * rules.streets - 1))
        assert hand.reckoning is None
        assert played(hand, [0]).reckoning is not None
