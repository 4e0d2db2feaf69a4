"""Proofs of any hands, honest and forged, and what both verifiers say of them.

    .venv/bin/python -m tests.trust.proofs --count 10000 --tampered 100000 --seed 7

takes so many hands, which both have to accept, and so many proofs with one byte changed, which both have to reject.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from ananas.fair import BadProof, OpenCard, Proof, Seed, commitment, draw, encode, streets, unseal, verify
from ananas.fair.deck import (
    SecretDeck,
    blocks,
    choose,
    deck_roots,
    deck_seeds,
    digest,
    leaf,
    make_deck,
    path,
    siblings,
    tree,
)
from ananas.game.cards import DECK, Card
from tests.chance import Chance

ROOT: Final = Path(__file__).parents[2]
PINEAPPLE: Final = (5, 3, 3, 3, 3)
CLUB: Final = (5, 1, 1, 1, 1, 1, 1, 1, 1)
WATCHER: Final = -1


class Case(NamedTuple):
    """The bytes of a proof, and what its reader knows himself."""

    data: bytes
    root: str | None = None
    seeds: tuple[Seed, ...] = ()

    def ours(self) -> object:
        """What our verifier says: the streets, a refusal, or an error that is none."""
        try:
            proof = verify(self.data, self.root, self.seeds)
        except BadProof as bad:
            return {"bad": str(bad)}
        except Exception as error:  # noqa: BLE001 - it is told beside the refusals, and no test takes it
            return {"error": repr(error)}
        return {"streets": shown(proof)}


def shown(proof: Proof) -> object:
    """What a proof opens, as the other verifier tells it."""
    return [
        {"seat": one.seat, "street": one.street, "cards": [*map(str, one.cards)], "hidden": one.hidden}
        for one in streets(proof)
    ]


def _node(cases: Iterable[Case], *more: str) -> list[Any]:
    """What the browser's verifier says of many proofs, one after the other."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for case in cases:
            known: dict[str, object] = {"seeds": [msgspec.to_builtins(seed) for seed in case.seeds]}
            known |= {"root": case.root} if case.root is not None else {}
            file.write(json.dumps({"data": base64.b64encode(case.data).decode(), "known": known}) + "\n")
        file.flush()
        script = [str(Path(__file__).with_name("verdicts.mjs")), file.name, *more]
        told = subprocess.run(["node", *script], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in told.splitlines()]


def theirs(cases: Iterable[Case]) -> list[Any]:
    """What the browser's verifier says."""
    return _node(cases)


def weakened(cases: Iterable[Case]) -> list[Any]:
    """For each check of the browser's verifier, the cases that get through where it is left out."""
    return _node(cases, "--mutants")


# -- honest hands


def bytes_of(chance: Chance, size: int) -> bytes:
    return bytes(chance.below(256) for _ in range(size))


def seeds_of(chance: Chance, hand: str, seats: Iterable[int]) -> tuple[Seed, ...]:
    """Some of the seats bind themselves, and most of these tell their seed."""
    found: list[Seed] = []
    eager = chance.below(4)
    for seat in sorted(seats):
        seed = bytes_of(chance, 16).hex()
        if chance.below(3) < eager:
            found.append(Seed(seat, commitment(hand, seat, seed), seed if chance.below(4) else None))
    return tuple(found)


def any_hand(chance: Chance, number: int) -> Case:
    """A proof of any hand, as anybody at the table may get it while it runs or after it."""
    players = 2 + chance.below(3)
    seats = chance.shuffled(range(4))[:players]
    deal = CLUB if players == 4 or chance.below(3) == 0 else PINEAPPLE
    share = len(DECK) // players
    fantasyland = [min(share, 13 + chance.below(5)) if chance.below(4) == 0 else 0 for _ in seats]
    hand = f"{chance.pick(('Ab-_9', 't', 'kX3vVQ'))}/{number}"
    seeds = seeds_of(chance, hand, seats)
    sealed = unseal(hand, bytes_of(chance, 32), seeds, deal, seats, fantasyland)
    over, viewer = chance.below(2) == 0, chance.pick((WATCHER, *seats))
    laid = chance.below(len(deal) + 1)
    seen: list[Card] = []
    for player, owned in enumerate(blocks(deal, players, fantasyland)):
        for street, (first, end) in enumerate(owned):
            cards = sealed.deck[first:end]
            if not over and (street > laid or (fantasyland[player] and seats[player] != viewer)):
                continue
            if seats[player] != viewer and len(cards) in {3, 14, 15, 16, 17}:
                cards = tuple(chance.shuffled(cards)[: min(13, len(cards) - 1)])
            seen += cards
    return Case(encode(sealed.proof(seen, over)), sealed.root, tuple(seed for seed in seeds if seed.seat == viewer))


def hands(seed: str, number: int) -> Iterator[Case]:
    """So many of them, the same for the same seed."""
    for which in range(1, number + 1):
        yield any_hand(Chance(f"{seed} {which}"), which)


def tampered(chance: Chance, data: bytes) -> bytes:
    """The same with one byte changed, left out or put in; most of them still look as what stands there."""
    place, kind = chance.below(len(data)), chance.below(8)
    if kind == 0:
        return data[:place] + data[place + 1 :]
    if kind == 1:
        return data[:place] + bytes([data[chance.below(len(data))]]) + data[place:]
    alike = next(
        (group for group in (b"0123456789", b"0123456789abcdef", b"23456789TJQKA", b"cdhs", b"[]{},:\"") if data[place] in group),
        bytes(range(256)),
    )  # fmt: skip
    group = alike if kind < 6 else bytes(range(256))
    return data[:place] + bytes([chance.pick([byte for byte in group if byte != data[place]])]) + data[place + 1 :]


def tamperings(seed: str, of: Sequence[Case], number: int) -> Iterator[Case]:
    """So many changed proofs, without what a reader knows."""
    for which in range(number):
        chance = Chance(f"{seed} changed {which}")
        data = of[which % len(of)].data
        changed = tampered(chance, data)
        yield Case(changed if changed != data else data + b"\n")


GOLDEN: Final = ROOT / "tests" / "data" / "proofs"


def golden() -> dict[str, bytes]:
    """The proofs that are kept as files, so that what is a proof today is one tomorrow; written by `--golden`."""
    deck, seats = "gH3-k_9Q/7", (2, 0, 1)
    seeds = (said(deck, 0, "0f" * 16), Seed(1, commitment(deck, 1, "1e" * 16), None), said(deck, 2, "2d" * 16))
    sealed = unseal(deck, bytes(range(32)), seeds, PINEAPPLE, seats, (0, 0, 14))
    first, second, fantasyland = sealed.deck[:5], sealed.deck[5:8], sealed.deck[34:48]
    return {
        "running.json": encode(sealed.proof(first + second[:2], over=False)),
        "own.json": encode(sealed.proof(fantasyland + first, over=False)),
        "over.json": encode(sealed.proof(first + second[1:] + fantasyland[:13], over=True)),
        "alone.json": encode(unseal("t/1", bytes(32), (), CLUB, (0, 1), (0, 0)).proof((), over=True)),
    }


# -- a dealer who cheats


def dealer(
    hand: str,
    master: bytes,
    seeds: Sequence[Seed] = (),
    seats: Sequence[int] = (1, 2, 0),
    deal: Sequence[int] = PINEAPPLE,
    fantasyland: Sequence[int] | None = None,
    *,
    sealed: Mapping[int, SecretDeck] | None = None,
    dealt: SecretDeck | None = None,
    deck: int | None = None,
    places: Sequence[int] | None = None,
    over: bool = False,
) -> Proof:
    """What a room would have to say that is bound to nothing.

    `sealed`: decks of its own that it sealed in place of those from the tree. `dealt`: the deck that it deals, whatever
    was sealed. `deck`: the number it says was chosen. `places`: the leaves that are opened.
    """
    name, own = hand.encode(), dict(sealed or {})
    roots = list(deck_roots(name, master))
    for replaced, by in own.items():
        roots[replaced] = _levels(by)[-1][0]
    top = tree(roots)
    parts = [
        part
        for one in seeds
        for part in (bytes([one.seat]), bytes.fromhex(one.commitment), bytes.fromhex(one.seed or ""))
    ]
    fantasyland = (0,) * len(seats) if fantasyland is None else fantasyland
    choice = choose(digest(b"draw", name, top[-1][0], *parts), deal, seats, fantasyland)
    number = choice.deck if deck is None else deck
    secret = dealt or own.get(number) or make_deck(name, number, deck_seeds(name, master)[number])
    levels = _levels(secret)
    return Proof(
        hand=hand,
        root=top[-1][0].hex(),
        seeds=tuple(seeds),
        deal=tuple(deal),
        seats=tuple(seats),
        fantasyland=tuple(fantasyland),
        choice=choice.value.hex(),
        deck=number,
        deck_root=levels[-1][0].hex(),
        deck_path=tuple(part.hex() for part in path(top, number)),
        others=tuple(part.hex() for part in siblings(name, master, number)) if over else (),
        cards=tuple(
            OpenCard(
                leaf=place,
                card=DECK[secret.order[place]],
                salt=secret.salts[place].hex(),
                path=tuple(part.hex() for part in path([*levels, []], place)[: len(levels) - 1]),
            )
            for place in (sorted(choice.order[:5]) if places is None else places)
        ),
    )


def _levels(deck: SecretDeck) -> list[list[bytes]]:
    """The tree of a deck; over half as many leaves it is lower."""
    levels = tree(deck.leaves)
    return levels[:-1] if len(deck.leaves) == 32 else levels


def stacked(hand: str, number: int, order: Sequence[int]) -> SecretDeck:
    """A deck of cards by number as a dealer likes it, with salts of his own."""
    salts = [digest(b"salt", hand.encode(), bytes([place]))[:16] for place in range(len(order))]
    leaves = [leaf(hand.encode(), number, place, DECK[card], salts[place]) for place, card in enumerate(order)]
    return SecretDeck(list(order), salts, leaves)


def said(hand: str, seat: int, seed: str) -> Seed:
    """A seed that was told."""
    return Seed(seat, commitment(hand, seat, seed), seed)


def drawn_to(hand: str, master: bytes, number: int, sealed: Mapping[int, SecretDeck]) -> tuple[Seed, ...]:
    """A player's seed by which this deck is dealt: chance would find it once in 64 hands."""
    for tried in count():
        seeds = (said(hand, 0, f"{tried:032x}"),)
        if dealer(hand, master, seeds, sealed=sealed, places=()).deck == number:
            return seeds
    raise AssertionError


HAND: Final = "t/1"
MASTER: Final = bytes(range(32))
TWO_ACES: Final = (12, 25, *range(12), 12, *range(14, 25), *range(26, 52))
"""A deck by number, in which the two of diamonds is another ace of clubs."""
TOLD: Final = (said(HAND, 0, "aa" * 16), said(HAND, 2, "bb" * 16))


def forgeries() -> Iterator[tuple[str, Case]]:
    """Proofs as a cheating room would write them, each wrong in one thing and otherwise fitting, with its name.

    All hashes are made anew, so that one check alone can tell; what a single changed byte cannot show.
    """
    honest, finished = dealer(HAND, MASTER, TOLD), dealer(HAND, MASTER, TOLD, over=True)
    line = encode(honest)

    # another way of writing
    yield "a space", Case(line.replace(b'"deck":', b'"deck": '))
    yield "no line end", Case(line[:-1])
    yield "a field twice", Case(line.replace(b'"deck":', b'"deck":1,"deck":'))
    yield "an escape", Case(line.replace(b'"t/1"', rb'"t\/1"'))
    yield (
        "a number with a point",
        Case(line.replace(f'"deck":{honest.deck}'.encode(), f'"deck":{honest.deck}.0'.encode())),
    )
    yield "no proof at all", Case(b"[]")
    yield "not even text", Case(b"\xff\xfe")
    yield "a hand of another form", Case(encode(dealer("t 1/1", MASTER)))
    yield "capital digits", Case(encode(replace(honest, deck_root=honest.deck_root.upper())))
    yield "digits too many", Case(encode(replace(honest, others=tuple(text + "0" for text in finished.others))))
    yield "a space among the digits", Case(encode(replace(honest, deck_root=" " + honest.deck_root)))

    # what is dealt to whom
    for name, seats, deal, fantasyland in (
        ("a seat twice", (1, 1, 0), PINEAPPLE, (0, 0, 0)),
        ("a seat that is none", (1, 2, 300), PINEAPPLE, (0, 0, 0)),
        ("one player", (0,), PINEAPPLE, (0,)),
        ("five players", (0, 1, 2, 3, 4), (5, 5), (0,) * 5),
        ("more in Fantasyland than play", (0, 1), PINEAPPLE, (0, 0, 14)),
        ("more cards than there are", (0, 1, 2), (9, 9), (0, 0, 0)),
        ("a street without cards", (0, 1, 2), (5, 0), (0, 0, 0)),
        ("no streets", (0, 1, 2), (), (14, 14, 14)),
        ("too large a Fantasyland", (0, 1, 2), PINEAPPLE, (0, 18, 0)),
    ):
        yield name, Case(encode(dealer(HAND, MASTER, (), seats, deal, fantasyland, places=())))

    # seeds
    other = replace(TOLD[0], seed="cc" * 16)
    yield "another seed than one was bound to", Case(encode(dealer(HAND, MASTER, (other, TOLD[1]))))
    yield "a seed of another seat", Case(encode(dealer(HAND, MASTER, (replace(TOLD[1], seat=0),))))
    yield "a seed for another hand", Case(encode(dealer(HAND, MASTER, (said("t/2", 0, "aa" * 16),))))
    yield "a seed of who is not dealt in", Case(encode(dealer(HAND, MASTER, (said(HAND, 3, "aa" * 16),))))
    yield "seeds in another order", Case(encode(dealer(HAND, MASTER, TOLD[::-1])))
    yield "seeds told in another order", Case(encode(replace(honest, seeds=honest.seeds[::-1])))
    yield "a seed twice", Case(encode(dealer(HAND, MASTER, (TOLD[0], *TOLD))))
    yield "another choice", Case(encode(replace(honest, choice=finished.deck_root)))
    yield "a root that was not shown", Case(line, dealer("t/2", MASTER).root)
    yield "a seed left out", Case(encode(dealer(HAND, MASTER, TOLD[1:])), honest.root, TOLD)
    yield (
        "a seed that counts as not told",
        Case(encode(dealer(HAND, MASTER, (replace(TOLD[0], seed=None),))), None, TOLD[:1]),
    )
    yield "another hand's proof", Case(encode(replace(honest, hand="t/2")))

    # decks and cards
    dealt = [one.leaf for one in honest.cards]
    aimed = stacked(HAND, honest.deck, [*range(51, -1, -1)])
    never = next(place for place in range(52) if place not in slots(honest))
    yield "another deck than the seeds choose", Case(encode(dealer(HAND, MASTER, TOLD, deck=honest.deck ^ 1)))
    yield "a deck that nobody sealed", Case(encode(dealer(HAND, MASTER, TOLD, dealt=aimed)))
    yield "the same after the hand", Case(encode(dealer(HAND, MASTER, TOLD, dealt=aimed, over=True)))
    first, *rest = honest.cards
    for name, card in (
        (
            "a card aimed after the seeds",
            replace(first, card=next(c for c in DECK if c not in [o.card for o in honest.cards])),
        ),
        ("another salt", replace(first, salt="00" * 16)),
        ("another way up", replace(first, path=rest[0].path)),
        ("a way too short", replace(first, path=first.path[:5])),
        ("a leaf that is none", replace(first, leaf=-1)),
    ):
        yield name, Case(encode(replace(honest, cards=(card, *rest))))
    yield "a card that was dealt to nobody", Case(encode(dealer(HAND, MASTER, TOLD, places=[never])))
    yield "cards in another order", Case(encode(dealer(HAND, MASTER, TOLD, places=dealt[::-1])))
    yield "a card told twice", Case(encode(replace(honest, cards=(first, *honest.cards))))
    for over in (False, True):
        aces = {7: stacked(HAND, 7, TWO_ACES)}
        seeds = drawn_to(HAND, MASTER, 7, aces)
        found = slots(dealer(HAND, MASTER, seeds, sealed=aces, places=()))
        both = [place for place in sorted(found) if aces[7].order[place] == 12]
        if len(both) == 2:
            yield (
                f"an ace twice, both shown, over: {over}",
                Case(encode(dealer(HAND, MASTER, seeds, sealed=aces, places=both, over=over))),
            )
    elsewhere = {honest.deck ^ 5: stacked(HAND, honest.deck ^ 5, TWO_ACES)}
    seeds = next(
        (said(HAND, 0, f"{n:032x}"),)
        for n in count()
        if dealer(HAND, MASTER, (said(HAND, 0, f"{n:032x}"),), sealed=elsewhere, places=()).deck not in elsewhere
    )
    yield (
        "an ace twice in a deck that was not dealt",
        Case(encode(dealer(HAND, MASTER, seeds, sealed=elsewhere, over=True))),
    )
    yield (
        "other decks of another secret",
        Case(encode(replace(finished, others=dealer(HAND, bytes(32), TOLD, deck=honest.deck, over=True).others))),
    )
    yield "a seed of the other decks missing", Case(encode(replace(finished, others=finished.others[:5])))
    small = {9: stacked(HAND, 9, range(32))}
    seeds = drawn_to(HAND, MASTER, 9, small)
    place = min(slots(dealer(HAND, MASTER, seeds, sealed=small, places=())))
    yield "a deck of half as many leaves", Case(encode(dealer(HAND, MASTER, seeds, sealed=small, places=[place])))


def slots(proof: Proof) -> set[int]:
    """The leaves that were dealt to somebody."""
    choice = choose(draw(proof.hand, proof.root, proof.seeds), proof.deal, proof.seats, proof.fantasyland)
    owned = blocks(proof.deal, len(proof.seats), proof.fantasyland)
    return {place for player in owned for first, end in player for place in choice.order[first:end]}


def _main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--tampered", type=int, default=100_000)
    options.add_argument("--seed", default="proofs")
    options.add_argument("--golden", action="store_true", help="write the proofs that are kept as files, and no more")
    asked = options.parse_args()
    if asked.golden:
        GOLDEN.mkdir(exist_ok=True)
        for name, data in golden().items():
            (GOLDEN / name).write_bytes(data)
        return
    honest = list(hands(asked.seed, asked.count))
    wrong = 0
    for case, other in zip(honest, theirs(honest), strict=True):
        if case.ours() != other or "streets" not in other:
            wrong += 1
            print(f"seed {asked.seed}: an honest proof: {case.ours()} {other}: {case.data!r}")
    changed = list(tamperings(asked.seed, honest, asked.tampered))
    for number, (case, other) in enumerate(zip(changed, theirs(changed), strict=True)):
        ours: Any = case.ours()
        if "bad" not in ours or "bad" not in other:
            wrong += 1
            print(f"seed {asked.seed}, changed proof {number}: {ours} {other}: {case.data!r}")
    print(f"{asked.count:,} hands and {asked.tampered:,} changed proofs, seed {asked.seed}: {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    _main()
