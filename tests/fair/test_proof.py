"""Proofs: what is opened and what is not, seeds and their order, and that nothing of the secret comes out."""

from __future__ import annotations

import msgspec
import pytest

from ananas.fair import BadProof, Proof, Seed, Street, commitment, draw, encode, lot, streets, unseal, verify
from ananas.fair import proof as module
from ananas.fair.deck import deck_seeds, digest, make_deck
from ananas.game.cards import DECK

HAND, MASTER, DEAL, SEATS, FANTASYLAND = "t/1", bytes(range(32)), (5, 3, 3, 3, 3), (1, 2, 0), (0, 0, 14)
SEED = "0f" * 16
SEEDS = (Seed(0, commitment(HAND, 0, SEED), SEED), Seed(1, commitment(HAND, 1, SEED), None))
SEALED = unseal(HAND, MASTER, SEEDS, DEAL, SEATS, FANTASYLAND)


def secrets_of(proof: Proof) -> list[str]:
    """Whatever in the bytes of a proof nobody may learn from it."""
    line = encode(proof).decode()
    deck = make_deck(HAND.encode(), proof.deck, deck_seeds(HAND.encode(), MASTER)[proof.deck])
    opened = {one.leaf for one in proof.cards}
    hidden = [deck.salts[place].hex() for place in range(52) if place not in opened]
    hidden += [f'"{DECK[deck.order[place]]}"' for place in range(52) if place not in opened]
    hidden += [MASTER.hex(), deck_seeds(HAND.encode(), MASTER)[proof.deck].hex()]
    others = [seed.hex() for depth in range(1, 7) for seed in deck_seeds(HAND.encode(), MASTER, depth)]
    return [text for text in hidden if text in line] + [text for text in others if not proof.others and text in line]


@pytest.mark.parametrize("over", [False, True])
def test_a_proof_opens_what_it_was_asked_for_and_nothing_else(over: bool) -> None:
    for cards in ((), SEALED.deck[:5], SEALED.deck[34:48], SEALED.deck[:48]):
        proof = verify(encode(SEALED.proof(cards, over)), SEALED.root, SEEDS)
        assert {one.card for one in proof.cards} == set(cards)
        assert bool(proof.others) == over
        assert secrets_of(proof) == []


def test_a_card_or_a_seed_too_many_would_be_noticed() -> None:
    proof = SEALED.proof(SEALED.deck[:5], over=False)
    told = [seed.hex() for seed in deck_seeds(HAND.encode(), MASTER)]
    for more in (told[SEALED.index], told[SEALED.index ^ 1], MASTER.hex()):
        assert set(secrets_of(msgspec.structs.replace(proof, choice=more))) == {more}
    more_cards = SEALED.proof(SEALED.deck[:6], over=False).cards
    leak = msgspec.structs.replace(more_cards[0], leaf=-1), *more_cards[1:]
    assert len(secrets_of(msgspec.structs.replace(proof, cards=leak))) == 2


def test_a_card_that_was_not_dealt_is_never_opened() -> None:
    for card in SEALED.deck[48:]:
        with pytest.raises(ValueError, match="not dealt"):
            SEALED.proof((card,), over=True)


def test_a_proof_tells_street_by_street_what_it_opens() -> None:
    deck = SEALED.deck
    found = streets(SEALED.proof((*deck[:5], deck[6], deck[18], *deck[34:47]), over=True))
    assert found[:3] == (
        Street(1, 1, deck[:5], 0),
        Street(1, 2, (deck[6],), 2),
        Street(1, 3, (), 3),
    )
    assert found[5] == Street(2, 1, (deck[18],), 4)
    assert found[-1] == Street(0, 1, deck[34:47], 1)
    assert sum(len(one.cards) + one.hidden for one in found) == 17 + 17 + 14


def test_a_hand_with_its_secrets_prints_none() -> None:
    assert "object at" in repr(SEALED)
    assert not hasattr(SEALED, "__dict__")


# -- seeds


def test_a_draw_hangs_on_every_seed_and_on_who_kept_silent() -> None:
    other = Seed(0, commitment(HAND, 0, "1f" * 16), "1f" * 16)
    silent = msgspec.structs.replace(SEEDS[0], seed=None)
    drawn = {
        draw(HAND, SEALED.root, seeds)
        for seeds in ((), SEEDS, SEEDS[:1], SEEDS[1:], (other, SEEDS[1]), (silent, SEEDS[1]))
    }
    assert len(drawn | {draw("t/2", SEALED.root, SEEDS), draw(HAND, "00" * 32, SEEDS)}) == 8
    assert draw(HAND, SEALED.root, SEEDS) == draw(HAND, SEALED.root, SEEDS[::-1])
    assert 0 <= lot(draw(HAND, SEALED.root, SEEDS)) < 12


def test_a_draw_is_what_the_page_says() -> None:
    told = bytes.fromhex(SEED)
    parts = b"\0", bytes.fromhex(SEEDS[0].commitment), told, b"\1", bytes.fromhex(SEEDS[1].commitment), b""
    assert draw(HAND, SEALED.root, SEEDS) == digest(b"draw", b"t/1", bytes.fromhex(SEALED.root), *parts)
    assert commitment(HAND, 1, SEED) == digest(b"commit", b"t/1", b"\1", told).hex()


def test_one_seed_changed_is_another_deal() -> None:
    other = Seed(0, commitment(HAND, 0, "1f" * 16), "1f" * 16)
    again = unseal(HAND, MASTER, (SEEDS[1], other), DEAL, SEATS, FANTASYLAND)
    assert again.deck != SEALED.deck
    assert again.root == SEALED.root
    assert unseal(HAND, MASTER, SEEDS[::-1], DEAL, SEATS, FANTASYLAND).deck == SEALED.deck


def test_the_other_players_of_another_table_do_not_matter() -> None:
    """The deal hangs on nothing but what the proof names."""
    assert unseal(HAND, MASTER, SEEDS, DEAL, SEATS, FANTASYLAND).deck == SEALED.deck
    assert unseal(HAND, MASTER, SEEDS, list(DEAL), list(SEATS), list(FANTASYLAND)).deck == SEALED.deck


@pytest.mark.parametrize("seeds", [(Seed(3, SEEDS[0].commitment, None),), (SEEDS[0], SEEDS[0])])
def test_seeds_of_who_is_not_dealt_in_and_twice_are_refused(seeds: tuple[Seed, ...]) -> None:
    with pytest.raises(ValueError, match="dealt in"):
        unseal(HAND, MASTER, seeds, DEAL, SEATS, FANTASYLAND)


# -- reading


def test_nothing_but_a_proof_is_read_as_one() -> None:
    line = encode(SEALED.proof(SEALED.deck[:2], over=False))
    for data in (
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b"\xef\xbb\xbf" + line,
        line * 2,
        line[:-2],
        line.replace(b"-1", b"-2", 1),
    ):
        with pytest.raises(BadProof):
            verify(data)
    with pytest.raises(BadProof, match="this is no proof"):
        verify(b"[" * 100_000)


def test_the_reader_says_what_is_wrong() -> None:
    line = encode(SEALED.proof(SEALED.deck[:2], over=False))
    with pytest.raises(BadProof, match="one way only"):
        verify(line.replace(b":", b": ", 1))
    with pytest.raises(BadProof, match="a seat is dealt in once"):
        verify(line.replace(b'"seats":[1,2,0]', b'"seats":[1,1,0]'))


def test_a_proof_is_small_enough_to_be_sent() -> None:
    """All that is dealt, after the hand, in bytes."""
    assert len(encode(SEALED.proof(SEALED.deck[:48], over=True))) < 27_000


def test_the_module_has_no_second_door() -> None:
    """Whatever is opened is opened by `proof`, which refuses what was not dealt."""
    public = {name for name in dir(module.Sealed) if not name.startswith("_")}
    assert public == {"deck", "index", "proof", "root"}
