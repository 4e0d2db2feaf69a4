"""Sealed decks: the hash, the trees, what is dealt from where; held against a second way to write each, in a few lines."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas.fair import DECKS, blocks, lot, seal
from ananas.fair import deck as making
from ananas.fair.deck import (
    choose,
    climb,
    dealt,
    deck_root,
    deck_roots,
    deck_seeds,
    digest,
    framed,
    leaf,
    make_deck,
    other_decks,
    path,
    permutation,
    setup,
    siblings,
    stream,
    tree,
)
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from tests.chance import Chance

MASTER = bytes(range(32))


def slow_root(leaves: list[bytes]) -> bytes:
    """As the page says it, level by level over all sixty-four."""
    while len(leaves) > 1:
        leaves = [digest(b"node", *leaves[i : i + 2]) for i in range(0, len(leaves), 2)]
    return leaves[0]


def test_the_hash_is_of_what_it_is_for_and_of_framed_parts() -> None:
    told = b"ananas/1 leaf\n\0\0\0\2ab\0\0\0\0"
    assert digest(b"leaf", b"ab", b"") == hashlib.sha256(told).digest()


@given(st.lists(st.binary(max_size=5), max_size=5), st.lists(st.binary(max_size=5), max_size=5))
def test_no_two_lists_of_parts_are_framed_alike(one: list[bytes], other: list[bytes]) -> None:
    assert (framed(*one) == framed(*other)) == (one == other)


def test_a_stream_is_the_hashes_of_a_key_and_a_counter() -> None:
    given_ = stream(b"salt", b"key")
    assert [next(given_) for _ in range(3)] == [digest(b"salt", b"key", bytes([0, 0, 0, n])) for n in range(3)]


def test_the_quick_ways_make_what_the_slow_ones_make() -> None:
    for number, seed in list(enumerate(deck_seeds(b"t/1", MASTER)))[:3]:
        made = make_deck(b"t/1", number, seed)
        assert sorted(made.order) == list(range(52))
        assert made.leaves == [
            leaf(b"t/1", number, place, DECK[made.order[place]], made.salts[place]) for place in range(52)
        ]
        assert deck_root(b"t/1", number, seed) == slow_root([*made.leaves, *[bytes(32)] * 12])
    assert seal("t/1", MASTER) == slow_root(list(deck_roots(b"t/1", MASTER))).hex()


def test_every_leaf_leads_to_the_root_and_to_no_other() -> None:
    levels = tree(make_deck(b"t/1", 5, MASTER).leaves)
    for place in range(52):
        assert climb(levels[0][place], place, path(levels, place)) == levels[-1][0]
        assert climb(levels[0][place], place ^ 1, path(levels, place)) != levels[-1][0]


@pytest.mark.parametrize("index", range(0, 64, 9))
def test_six_seeds_tell_every_deck_but_one(index: int) -> None:
    seeds = deck_seeds(b"t/1", MASTER)
    beside = siblings(b"t/1", MASTER, index)
    assert other_decks(b"t/1", beside, index) == {i: seed for i, seed in enumerate(seeds) if i != index}
    # Neither the seed of the deck in play nor one above it is among them.
    assert not {MASTER, seeds[index]} & set(beside)


def test_no_salt_and_no_seed_comes_twice() -> None:
    seeds = deck_seeds(b"t/1", MASTER)
    decks = [make_deck(b"t/1", number, seed) for number, seed in enumerate(seeds)]
    assert len({salt for deck in decks for salt in deck.salts}) == DECKS * 52
    assert len({tuple(deck.order) for deck in decks}) == len(set(seeds)) == DECKS


def test_the_same_seed_makes_other_hashes_in_another_place() -> None:
    assert deck_root(b"t/1", 0, MASTER) != deck_root(b"t/1", 1, MASTER) != deck_root(b"t/2", 1, MASTER)
    assert seal("t/1", MASTER) != seal("t/2", MASTER)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_secret_of_another_size_is_none(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal("t/1", bytes(size))


def test_bytes_that_run_out_are_not_guessed() -> None:
    with pytest.raises(ValueError, match="ran out"):
        permutation(iter(bytes(50)))


def test_lots_are_0_to_11() -> None:
    assert {lot(digest(b"draw", bytes([n]))) for n in range(200)} == set(range(12))


def test_a_choice_hangs_on_everything_that_is_dealt() -> None:
    setups = [
        ((5, 3, 3, 3, 3), (1, 2, 0), (0, 0, 0)), ((5, 3, 3, 3, 3), (2, 1, 0), (0, 0, 0)),
        ((5, 3, 3, 3, 3), (1, 2, 0), (0, 14, 0)), ((5, 4, 3, 3, 2), (1, 2, 0), (0, 0, 0)),
    ]  # fmt: skip
    assert len({choose(MASTER, *one).value for one in setups} | {choose(bytes(32), *setups[0]).value}) == 5
    assert len({setup(*one) for one in setups}) == 4


# -- blocks


def test_blocks_are_the_streets_of_a_hand() -> None:
    """Of all named rule sets, with anybody in Fantasyland or nobody: what a hand deals, street by street."""
    for rules in RULE_SETS.values():
        for players in range(rules.seats[0], rules.seats[1] + 1):
            for mask in range(2**players if players < 4 else 1):
                fantasyland = tuple(14 * (mask >> player & 1) for player in range(players))
                hand = Hand.deal(rules, DECK, tuple(range(players)), fantasyland=fantasyland)
                seen: list[list[str]] = [[] for _ in range(players)]
                while not hand.over:
                    player = hand.acting[0]
                    seen[player].append("".join(hand.dealt(player)))
                    hand = hand.place(player, hand.automatic(player, None))
                found = blocks(rules.deal, players, fantasyland)
                assert seen == [["".join(DECK[first:end]) for first, end in owned] for owned in found]


@pytest.mark.parametrize(
    ("deal", "players", "fantasyland"),
    [
        ((5, 3), 1, (0,)), ((5,), 5, (0,) * 5), ((5, 3), 3, (0, 0)), ((5, 0), 2, (0, 0)), ((), 2, (14, 14)), ((-1,), 2, (0, 0)),
        ((18,), 3, (0, 0, 0)), ((5, 3), 3, (0, 18, 0)), ((5, 3), 2, (0, -1)),
    ],
)  # fmt: skip
def test_what_no_deck_is_enough_for_is_refused(
    deal: tuple[int, ...], players: int, fantasyland: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="players"):
        blocks(deal, players, fantasyland)


# -- the order inside a street tells nothing


def slot_of_the_highest(sorting: bool) -> list[int]:
    """How often each leaf of a street of three, lowest first, is received first, over many hands."""
    counts = [0, 0, 0]
    owned = blocks(RuleSet().deal, 2, (0, 0))
    for number in range(3000):
        chance = Chance(f"slot {number}")
        deck = make_deck(b"t/1", 0, bytes(chance.below(256) for _ in range(32)))
        order = chance.shuffled(range(52))
        places = sorted(order[5:8])
        first = DECK.index(dealt(deck, order, owned)[5]) if sorting else deck.order[places[0]]
        counts[places.index(deck.order.index(first))] += 1
    return counts


def test_where_a_card_lay_in_the_deck_does_not_say_when_it_was_received() -> None:
    assert all(abs(count - 1000) < 4 * 1000**0.5 for count in slot_of_the_highest(sorting=True))


def test_streets_in_the_order_of_the_deck_would_say_it() -> None:
    assert slot_of_the_highest(sorting=False) == [3000, 0, 0]


def test_a_street_has_the_cards_of_its_leaves_by_salt() -> None:
    deck = make_deck(b"t/1", 0, MASTER)
    order = list(range(52))
    found = dealt(deck, order, blocks((5, 3, 3, 3, 3), 3, (0, 0, 14)))
    assert sorted(found) == sorted(DECK)
    for first, end in ((0, 5), (5, 8), (34, 48)):
        salts = [deck.salts[deck.order.index(DECK.index(card))] for card in found[first:end]]
        assert salts == sorted(salts)
    assert [*found[48:]] == [DECK[card] for card in deck.order[48:]]


def test_roots_are_remembered_for_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    seal("t/remembered", MASTER)
    monkeypatch.setattr(making, "deck_root", None)
    assert seal("t/remembered", MASTER)
    with pytest.raises(TypeError):
        seal("t/forgotten", MASTER)
