"""Cards as text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.game.cards import DECK, Card, Rank, Suit, parse_cards, print_cards
from ananas.refused import Refused


@given(st.lists(st.sampled_from(DECK), max_size=60))
def test_printed_cards_are_read_back(cards: list[Card]) -> None:
    assert parse_cards(print_cards(cards)) == tuple(cards)
    assert parse_cards(" ".join(cards)) == tuple(cards)


def test_the_deck_has_each_card_once() -> None:
    assert len(DECK) == 52
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in Rank for suit in Suit}
    assert all(card == f"{card.rank}{card.suit}" for card in DECK)


@pytest.mark.parametrize("text", ["1s", "10s", "AS", "as", "A", "AsK", "??", "As,Kd", "As\nKd", "Аs", "X", "2c3"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse_cards(text)
    assert caught.value.code == "bad-placement"
