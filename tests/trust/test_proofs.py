"""Two verifiers that share no code take every honest proof, no changed byte and no forgery; without any one of their checks they would."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from ananas.fair import BadProof, encode, proof, unseal, verify
from ananas.fair import deck as making
from ananas.fair.deck import deck_seeds, make_deck
from tests.chance import Chance
from tests.trust.proofs import (
    GOLDEN,
    HAND,
    MASTER,
    PINEAPPLE,
    ROOT,
    TOLD,
    TWO_ACES,
    Case,
    bytes_of,
    dealer,
    forgeries,
    golden,
    hands,
    said,
    stacked,
    tamperings,
    theirs,
    weakened,
)

HANDS = 200
CHANGED = 2_000
BAD_DECKS = 200


@cache
def honest() -> list[Case]:
    return list(hands("proofs", HANDS))


@cache
def forged() -> dict[str, Case]:
    return dict(forgeries())


def test_both_verifiers_take_every_honest_proof_and_read_the_same_out_of_it() -> None:
    found = theirs(honest())
    assert all("streets" in one for one in found)
    assert found == [case.ours() for case in honest()]


def test_both_verifiers_reject_every_changed_byte() -> None:
    changed = list(tamperings("proofs", honest(), CHANGED))
    for number, (case, other) in enumerate(zip(changed, theirs(changed), strict=True)):
        with pytest.raises(BadProof):
            verify(case.data)
        assert "bad" in other, number


def test_both_verifiers_reject_every_forgery() -> None:
    for (name, case), other in zip(forged().items(), theirs(forged().values()), strict=True):
        with pytest.raises(BadProof):
            verify(case.data, case.root, case.seeds)
        assert "bad" in other, name


# -- each check left out in turn


def refusals() -> Iterator[tuple[str, ModuleType]]:
    """Our verifier as often as it has refusals, each time without one of them, which is named."""
    source = Path(proof.__file__).read_text()
    for number in range(source.count("_bad(") - 1):
        tree = ast.parse(source)
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "_bad"]
        name = ast.unparse(found[number])
        found[number].func = ast.Name("repr", ast.Load())
        module = ModuleType(f"weakened_{number}")
        sys.modules[module.__name__] = module
        try:
            exec(compile(ast.fix_missing_locations(tree), proof.__file__, "exec"), module.__dict__)
            yield name, module
        finally:
            del sys.modules[module.__name__]


def through(module: ModuleType, case: Case) -> bool:
    """Whether a weakened verifier takes a proof, or fails over it."""
    seeds = [module.Seed(one.seat, one.commitment, one.seed) for one in case.seeds]
    try:
        module.verify(case.data, case.root, seeds)
    except module.BadProof:
        return False
    except Exception:  # noqa: BLE001 - whatever it is, a sound verifier says that the proof is bad
        return True
    return True


def test_without_any_one_of_its_checks_our_verifier_lets_a_forgery_through() -> None:
    idle = [name for name, module in refusals() if not any(through(module, case) for case in forged().values())]
    assert idle == []


def test_without_any_one_of_its_checks_the_browsers_verifier_lets_a_forgery_through() -> None:
    found = weakened(forged().values())
    assert len(found) == (ROOT / "web" / "src" / "fair" / "verify.ts").read_text().count("must(") > 10
    assert [one["check"] for one in found if not one["cases"]] == []


@pytest.mark.parametrize("check", ["written in one way", "does not lie at leaf", "under the root", "to another choice"])
def test_without_a_check_some_changed_byte_gets_through(check: str) -> None:
    """Of a proof of one card, told while the hand runs; each byte is changed in its lowest bits."""
    seeds = (*TOLD, replace(said(HAND, 1, "cc" * 16), seed=None))
    line = encode(dealer(HAND, MASTER, seeds, places=[dealer(HAND, MASTER, seeds).cards[0].leaf]))
    changed = [line[:i] + bytes([line[i] ^ by]) + line[i + 1 :] for i in range(len(line)) for by in (1, 2, 6)]
    module = next(module for name, module in refusals() if check in name)
    assert any(through(module, Case(one)) for one in changed)
    assert not any(through(proof, Case(one)) for one in changed)


def test_the_browsers_verifier_is_short_enough_to_be_read() -> None:
    lines = [(ROOT / "web" / "src" / "fair" / name).read_text().splitlines() for name in ("sha.ts", "verify.ts")]
    assert sum(map(len, lines)) <= 200


# -- a dealer who cheats


def slipped(*, over: bool) -> tuple[int, int]:
    """How often a deck with an ace twice gets through that was sealed among the others, and how often it was dealt."""
    sealed = {7: stacked(HAND, 7, TWO_ACES)}
    through = dealt = 0
    for number in range(BAD_DECKS):
        made = dealer(HAND, MASTER, (said(HAND, 1, f"{number:032x}"),), sealed=sealed, places=(), over=over)
        dealt += made.deck == 7
        try:
            verify(encode(made))
        except BadProof:
            continue
        through += 1
    return through, dealt


def test_a_bad_deck_gets_through_only_where_it_is_dealt_once_in_sixty_four() -> None:
    got_through, dealt = slipped(over=True)
    assert got_through == dealt
    expected = BAD_DECKS / 64
    assert abs(dealt - expected) <= 4 * expected**0.5


def test_a_verifier_that_opens_no_other_decks_would_miss_it() -> None:
    assert slipped(over=False)[0] == BAD_DECKS


def test_a_secret_used_again_makes_other_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the proof of a hand tells about its other decks helps in the next hand."""

    def told(number: int) -> set[bytes]:
        hand = f"t/{number}".encode()
        made = [make_deck(hand, i, seed) for i, seed in enumerate(deck_seeds(hand, MASTER))]
        return {part for deck in made for part in (*deck.salts, *deck.leaves)}

    assert not told(1) & told(2)
    assert (
        unseal("t/1", MASTER, (), PINEAPPLE, (0, 1), (0, 0)).root
        != unseal("t/2", MASTER, (), PINEAPPLE, (0, 1), (0, 0)).root
    )
    sound = making.digest

    def forgetful(label: bytes, _hand: bytes, *parts: bytes) -> bytes:
        return sound(label, *parts)

    monkeypatch.setattr(making, "digest", forgetful)
    assert told(1) & told(2)


def test_an_old_proof_is_none_for_another_hand() -> None:
    for number in range(20):
        chance = Chance(f"old {number}")
        sealed = unseal("t/1", bytes_of(chance, 32), (), PINEAPPLE, (0, 1), (0, 0))
        told = sealed.proof(sealed.deck[:5], over=number % 2 == 0)
        verify(encode(told), sealed.root)
        with pytest.raises(BadProof):
            verify(encode(replace(told, hand="t/2")))
        with pytest.raises(BadProof, match="shown"):
            verify(encode(told), unseal("t/2", MASTER, (), PINEAPPLE, (0, 1), (0, 0)).root)


# -- kept for later


def test_what_was_a_proof_is_one_still() -> None:
    assert {path.name: path.read_bytes() for path in GOLDEN.glob("*.json")} == golden()
    for data in golden().values():
        verify(data)
