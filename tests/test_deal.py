"""Chance: evenness by structure; `tests/trust/shuffle.py` counts, and catches shuffles that are wrong in known ways."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from ananas import deal
from ananas.deal import AHEAD, LOTS, Source, ahead, lot, shuffle
from ananas.game.cards import DECK


def stream(seed: str) -> Source:
    """Bytes that look like chance and are the same every time."""
    block = 0
    left = memoryview(b"")

    def source(size: int) -> bytes:
        nonlocal block, left
        if len(left) < size:
            left = memoryview(bytes(left) + hashlib.shake_256(f"{seed} {block}".encode()).digest(1 << 16))
            block += 1
        taken, left = left[:size], left[size:]
        return bytes(taken)

    return source


def script(data: bytes) -> Source:
    """Exactly these bytes; to ask for more is an error."""
    left = bytearray(data)

    def source(size: int) -> bytes:
        assert len(left) >= size, "more bytes were asked for"
        taken = bytes(left[:size])
        del left[:size]
        return taken

    return source


# -- by structure


@pytest.mark.parametrize("limit", range(2, 53))
def test_every_number_has_the_same_count_of_bytes(limit: int) -> None:
    """Every first byte there is, with a marker after it that is drawn only where the first byte is thrown away."""
    drawn: Counter[int] = Counter()
    thrown: list[int] = []
    for byte in range(256):
        left = [byte, 0]

        def source(size: int, left: list[int] = left) -> bytes:
            assert size == 1
            return bytes([left.pop(0)])

        number = deal._below(limit, source)
        if left:
            drawn[number] += 1
        else:
            thrown.append(byte)
    assert set(drawn) == set(range(limit))
    assert set(drawn.values()) == {256 // limit}
    assert len(thrown) == 256 % limit


def test_bytes_that_would_tip_the_scale_are_drawn_again() -> None:
    """For fifty-two cards the bytes 208 to 255 are too many for whole rounds."""
    kept = bytes(range(51))
    assert shuffle(script(bytes([208, 255, 230]) + kept)) == shuffle(script(kept))
    assert lot(script(bytes([252, 255, 11]))) == 11
    assert lot(script(bytes([251]))) == 251 % 12


def test_the_last_place_is_drawn_first_then_the_one_before() -> None:
    assert shuffle(script(bytes(range(51, 0, -1)))) == DECK
    assert shuffle(script(bytes(51))) == (*DECK[1:], DECK[0])


def test_a_source_that_ends_is_not_guessed_on() -> None:
    with pytest.raises(AssertionError, match="more bytes"):
        shuffle(script(bytes(50)))


def test_lots_divide_among_two_three_and_four() -> None:
    assert [LOTS % seats for seats in (2, 3, 4)] == [0, 0, 0]


def test_the_default_source_is_fresh_each_time() -> None:
    assert shuffle() != shuffle()
    assert sorted(shuffle()) == sorted(DECK)
    assert {lot() for _ in range(1000)} == set(range(LOTS))


# -- drawn ahead


def test_what_is_drawn_ahead_is_the_source_byte_by_byte_and_goes_on_when_it_is_used_up() -> None:
    plain, given = stream("ahead"), ahead(stream("ahead"))
    assert b"".join(given(1) for _ in range(3 * AHEAD)) == plain(3 * AHEAD)


def test_a_deck_drawn_ahead_is_the_deck_of_the_same_source() -> None:
    assert shuffle(ahead(stream("ahead"))) == shuffle(stream("ahead"))


def test_no_two_decks_are_drawn_from_the_same_bytes() -> None:
    assert len({shuffle(ahead()) for _ in range(100)}) == 100
