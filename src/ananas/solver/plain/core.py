"""The plain core: what native/core.c does, with the same arguments and the same answers, in readable Python and NumPy.

It is the fall-back where nothing could be compiled, and what the tests hold the native core against. Whole numbers and
lots agree to the bit; other numbers to about 0.0001. Each function says in full what it takes and gives; both raise
`ValueError` for what does not fit. What belongs here: reading what comes in and filling what goes out. What does not: the
thinking itself (cards.py, worth.py, fantasyland.py, net.py, play.py, study.py).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ananas.solver.plain import net
from ananas.solver.plain.cards import (
    OTHERS,
    Chance,
    Fillable,
    Position,
    Readable,
    Rows,
    fill,
    read,
    read_position,
    strength_of,
    strengths_of,
    taken,
)
from ananas.solver.plain.fantasyland import Wishes, lay_fantasyland, read_wishes
from ananas.solver.plain.net import FEATURES, IN_FANTASYLAND, MOST_FEATURES, NET_FLOATS, NOBODY, SEEN, UNSEEN, Nets
from ananas.solver.plain.play import (
    DEALT,
    LAID,
    Choices,
    Company,
    Seat,
    exact_street_four,
    full_boards,
    last_street,
    list_choices,
    play_street,
)
from ananas.solver.plain.study import Examples, has_nets
from ananas.solver.plain.study import study as _study
from ananas.solver.plain.worth import MOST_UNSEEN, PARTS, Worth, in_order, read_worth
from ananas.solver.plain.worth import mean_of_draws as _mean_of_draws

__all__ = [
    "FEATURES",
    "NET_FLOATS",
    "choices",
    "complete",
    "evaluate",
    "evaluate_many",
    "exact",
    "fantasyland",
    "judge",
    "mean_of_draws",
    "random_hands",
    "rollouts",
    "study",
]

Told = tuple[Readable, int, int, float, int, int, int]
"""What a layout is to have: see `fantasyland`."""

_MOST_DEALT: Final = 5
MOST_PLACEMENTS: Final = 243
"""So many placements are judged at a call, all there are of five cards."""
_MOST_SAMPLES: Final = 1 << 20
_MOST_FIRST: Final = 1 << 30
_MOST_EXAMPLES: Final = 100_000_000
_MOST_DRAWN: Final = 15
APART: Final = 0x632BE59BD9B4E019
"""Between the seeds of two samples."""


# -- cards


def evaluate(cards: bytes) -> int:
    """Tell the strength of three or five cards, a byte each.

    >>> evaluate(bytes([51, 50, 49, 48, 47])), evaluate(bytes([51, 38, 25]))
    (7916, 6241)
    """
    if len(cards) not in {3, 5} or len({*cards}) < len(cards) or max(cards) > 51:
        raise ValueError("three or five different cards from 0 to 51")
    return strength_of(cards)


def evaluate_many(cards: Readable, size: int, out: Fillable) -> None:
    """Tell the strengths of many rows of three or five cards, a byte for each card, an int16 for each strength."""
    if size not in {3, 5}:
        raise ValueError(f"rows have three or five cards, not {size}")
    given = read(cards, np.uint8, 0, "cards")
    if len(given) % size:
        raise ValueError(f"cards: not a whole number of rows of {size}")
    rows = given.reshape(-1, size)
    strengths = fill(out, np.int16, len(rows), "strengths")
    ordered = np.sort(rows, axis=1)
    if (rows > 51).any() or (ordered[:, 1:] == ordered[:, :-1]).any():
        raise ValueError("rows are of different cards from 0 to 51")
    strengths[: len(rows)] = strengths_of(rows)


def fantasyland(
    cards: Readable,
    worths: Readable,
    strict: int,
    stays: int,
    stay: float,
    least_trips: int,
    least_full_house: int,
    least_quads: int,
) -> tuple[float, int, int, int]:
    """Lay 13 to 17 cards as the most valuable board in order: its value, and the places of each row's cards as bits.

    `worths`: of each row by strength, float32; no row's falls. `strict`: equal rows are not in order. `stays`: conditions
    of staying as bits: 1 trips on top, 2 a full house or 4 quads in the middle, 8 quads at the bottom. `stay`: what staying
    is worth, where that is more than nothing. Then the weakest strengths that are trips on top, a full house, quads.
    """
    given: list[int] = read(cards, np.uint8, 13, "cards").tolist()
    wishes = read_wishes(worths, strict, stays, stay, least_trips, least_full_house, least_quads)
    if len(given) > 17 or len({*given}) < len(given) or max(given) > 51:
        raise ValueError("Fantasyland is 13 to 17 different cards")
    layout = lay_fantasyland(wishes, given)
    if layout is None:
        raise ValueError("no board of these cards is in order")
    return (float(layout.value), *layout.taken)


def random_hands(seed: int, hands: int, players: int, worth: Readable, totals: Fillable) -> None:
    """Score whole hands of two to four players who lay 13 cards by lot.

    Adds to five float64: the points of each of up to four players, and how many boards were dead.
    """
    if not 2 <= players <= 4:
        raise ValueError(f"two to four players, not {players}")
    told, sums = read_worth(worth), fill(totals, np.float64, 5, "totals")
    chance, deck = Chance(seed), [*range(52)]
    for _ in range(hands):
        chance.draw(deck, 13 * players)
        boards = [deck[13 * player : 13 * player + 13] for player in range(players)]
        made = [Rows((*board[:3],), (*board[3:8],), (*board[8:],)).made for board in boards]
        dead = [not in_order(told, *three) for three in made]
        sums[4] += sum(dead)
        for one in range(players):
            for two in range(one + 1, players):
                points = _points(told, made[one], made[two], dead=(dead[one], dead[two]))
                sums[one] += points
                sums[two] -= points


def _points(worth: Worth, one: tuple[int, ...], two: tuple[int, ...], *, dead: tuple[bool, bool]) -> float:
    """What the first of two players gets from the second."""
    only_winner = worth.line_winner and not any(dead)
    signs = [(a > b) - (a < b) for a, b in zip(one, two, strict=True)]
    points = 0.0
    for royalty, a, b, sign in zip(worth.royalty, one, two, signs, strict=True):
        if not dead[0] and (sign > 0 or not only_winner):
            points += float(royalty[a])
        if not dead[1] and (sign < 0 or not only_winner):
            points -= float(royalty[b])
    if any(dead):
        return points + float(worth.foul_points) * (dead[1] - dead[0])
    if worth.two_four:
        return points + sum(signs) + (signs.count(1) > 1) - (signs.count(-1) > 1)
    return points + sum(signs) + (sum(signs) if abs(sum(signs)) == 3 else 0)


# -- positions


def mean_of_draws(where: Readable, worth: Readable, detailed: bool) -> float | tuple[float, tuple[float, ...]]:  # noqa: FBT001
    """Tell the exact worth of a board of eleven cards, and with `detailed` the parts it is made of."""
    position, told = read_position(where), read_worth(worth)
    if position.rows.cards != 11 or not 3 <= len(position.unseen) <= MOST_UNSEEN:
        raise ValueError("eleven cards laid, and three to 48 to come")
    found = _mean_of_draws(told, position.rows, position.unseen)
    value = float(found.points[0])
    return (value, tuple(found.parts[0].tolist())) if detailed else value


def choices(where: Readable, laid: int) -> bytes:
    """List every placement of the cards in the hand, `laid` of them to rows: three bytes, the cards of each row as bits."""
    position = read_position(where)
    if len(position.dealt) > _MOST_DEALT or not 0 <= laid <= len(position.dealt):
        raise ValueError("a hand of up to five cards, and no more of them laid")
    return list_choices(position.rows, len(position.dealt), laid).tobytes()


def exact(where: Readable, worth: Readable, choices: Readable, out: Fillable) -> None:
    """Tell what choices come to that fill the board, or make eleven cards of it.

    Fills eight float32 for each choice: its points, and the parts they are made of.
    """
    position, told, chosen = read_position(where), read_worth(worth), _read_choices(choices)
    values = fill(out, np.float32, len(chosen) * (1 + PARTS), "values")[: len(chosen) * (1 + PARTS)]
    wrong = ValueError("choices that make eleven or thirteen cards of a board")
    if len(position.dealt) > _MOST_DEALT or not _fit(position, chosen, None):
        raise wrong
    for choice, filled in zip(chosen, values.reshape(-1, 1 + PARTS), strict=True):
        rows = position.rows.with_choice(position.dealt, choice.tolist())
        if rows.cards == 13:
            found = full_boards(told, position.rows, position.dealt, choice[None])
        elif rows.cards == 11 and 3 <= len(position.unseen) <= MOST_UNSEEN:
            found = _mean_of_draws(told, rows, position.unseen)
        else:
            raise wrong
        filled[0], filled[1:] = found.points[0], found.parts[0]


def judge(where: Readable, worth: Readable, nets: Readable, told: bytes, choices: Readable, out: Fillable) -> None:
    """Tell what the nets see in choices that all make a board of 5, 7, 9 or 11 cards.

    `told`: a byte for each opponent, with how many cards he lies in Fantasyland, or 0. Fills eight float32 for each choice:
    points and parts, the mean over the opponents.
    """
    position, weights, kinds = read_position(where), net.read_nets(nets), _read_told(told)
    wanted, chosen = read_worth(worth), _read_choices(choices)
    _check_told(kinds, position)
    values = fill(out, np.float32, len(chosen) * (1 + PARTS), "values")[: len(chosen) * (1 + PARTS)]
    laid = sum(bits.bit_count() for bits in chosen[0].tolist()) if len(chosen) else 0
    after = position.rows.cards + laid
    weight = weights[(after - 5) // 2] if after in {5, 7, 9, 11} else None
    if weight is None or len(position.dealt) > _MOST_DEALT or len(chosen) > MOST_PLACEMENTS:
        raise ValueError("choices that all make a board of 5, 7, 9 or 11 cards, with a net for it")
    if not _fit(position, chosen, laid):
        raise ValueError("choices that all make a board of 5, 7, 9 or 11 cards, with a net for it")
    if not len(chosen):
        return
    others = max(1, len(wanted.others))
    filled = values.reshape(-1, 1 + PARTS)
    filled[:] = 0
    for other in range(others):
        company = _company(wanted, kinds[other], position.others[other])
        setting = net.prepare(weight, wanted, position.unseen, company.kind, company.rows)
        found = net.judge(weight, wanted, setting, position.rows, position.dealt, chosen)
        filled[:, 0] += found.points / np.float32(others)
        filled[:, 1:] += found.parts / np.float32(others)


def rollouts(
    where: Readable,
    worth: Readable,
    nets: Readable,
    told: bytes,
    choices: Readable,
    seed: int,
    first: int,
    samples: int,
    exact: int,
    out: Fillable,
    parts: Fillable,
) -> None:
    """Play choices of streets 1 to 4 on to the end, over the same cards to come for all.

    `first`: the number of the first sample, so that more can be had later. `exact`: to play on only to street 4, to try so
    many boards of it, and to count what the best is worth; 0 to play to the end. Fills two float32 for each choice and
    sample, what the next street's net says of the board that then stands and what it comes to; and seven for each choice,
    the mean parts, unless their buffer is empty: the native core is faster without.
    """
    position, weights, kinds = read_position(where), net.read_nets(nets), _read_told(told)
    wanted, chosen = read_worth(worth), _read_choices(choices)
    _check_told(kinds, position)
    if not 0 <= samples <= _MOST_SAMPLES or not 0 <= first <= _MOST_FIRST or exact < 0:
        raise ValueError("up to a million samples, and nothing below 0")
    count = len(chosen)
    values = fill(out, np.float32, count * samples * 2, "values")[: count * samples * 2].reshape(count, samples, 2)
    asked = PARTS if len(parts) else 0
    means = fill(parts, np.float32, count * asked, "parts")[: count * asked].reshape(count, asked)
    street = _street_of(position.rows.cards)
    right = 0 <= street < 4 and len(position.dealt) == DEALT[street] and _fit(position, chosen, LAID[street])
    if not right or None in weights[street + 1 :] or len(position.unseen) < _MOST_DRAWN:
        raise ValueError("a Pineapple street from 1 to 4 with nets for those after it, and choices that fit")
    means[:] = 0
    for sample in range(samples):
        number = first + sample
        chance, cards = Chance(seed + APART * (number + 1)), position.unseen.copy()
        chance.draw(cards, 3 * (4 - street))
        which = number % len(wanted.others) if wanted.others else 0
        company = _company(wanted, kinds[which], position.others[which])
        for one, choice in enumerate(chosen):
            seat = Seat(position.rows.with_choice(position.dealt, choice.tolist()), {*position.unseen})
            word, value, detail = _rollout(weights, wanted, seat, street, cards, company, exact, chance)
            values[one, sample] = word, value
            means[one] += detail[:asked] / np.float32(samples)


def _rollout(
    nets: Nets, worth: Worth, seat: Seat, street: int, cards: list[int], company: Company, exact: int, chance: Chance
) -> tuple[float, Any, NDArray[np.float32]]:
    """Play one board on from after `street`, with these cards: the next net's word, points and parts."""
    streets, words = range(street + 1, 3 if exact else 4), list[float]()
    for at, next_street in enumerate(streets):
        play_street(nets, worth, seat, next_street, cards[3 * at : 3 * at + 3], company, 0, chance)
        words.append(seat.word)
    dealt = cards[3 * len(streets) : 3 * len(streets) + 3]
    if exact and street < 3:
        found = exact_street_four(nets, worth, seat, dealt, company, exact)
        return [*words, seat.word][0], found.points[0], found.parts[0]
    last = last_street(worth, seat.rows, dealt, LAID[4])
    return [*words, float(last.points)][0], last.points, last.parts


def complete(
    where: Readable, worth: Readable, nets: Readable, told: bytes, seed: int, samples: int, out: Fillable, wishes: Told
) -> None:
    """Play the opponents' boards to their ends as the nets would; those in Fantasyland lay as `wishes` has it.

    Fills three int16 for each sample and opponent: the strengths of his rows.
    """
    position, weights, kinds = read_position(where), net.read_nets(nets), _read_told(told)
    wanted, layout = read_worth(worth), read_wishes(*wishes)
    _check_told(kinds, position)
    if not 0 <= samples <= _MOST_SAMPLES:
        raise ValueError("up to a million samples")
    others = len(wanted.others)
    made = fill(out, np.int16, samples * others * 3, "strengths")[: samples * others * 3].reshape(samples, others, 3)
    streets = [5 if kinds[one] else _street_of(position.others[one].cards) for one in range(others)]
    needed = [kind or (17 if street == 0 else 3 * (5 - street)) for kind, street in zip(kinds, streets, strict=False)]
    have_nets = all(street >= 0 and None not in weights[street:] for street in streets)
    if not others or not have_nets or sum(needed) > len(position.unseen):
        raise ValueError("opponents on Pineapple streets that there are nets and cards for")
    for sample in range(samples):
        chance, cards = Chance(seed + APART * (sample + 1)), position.unseen.copy()
        chance.draw(cards, sum(needed))
        for other in range(others):
            own, cards = cards[: needed[other]], cards[needed[other] :]
            if kinds[other]:
                made[sample, other] = _laid(layout, own)
            else:
                made[sample, other] = _completed(weights, wanted, position, other, streets[other], own, chance)


def _laid(wishes: Wishes, cards: list[int]) -> tuple[int, ...]:
    layout = lay_fantasyland(wishes, cards)
    if layout is None:  # by strict rules there are hands, hardly ever met, that no board in order can be laid of
        return 0, 0, 0
    return Rows(*(taken(cards, bits) for bits in layout.taken)).made


def _completed(
    nets: Nets, worth: Worth, position: Position, other: int, street: int, cards: list[int], chance: Chance
) -> tuple[int, ...]:
    """The strengths of an opponent's rows when these cards have come. He sees what lies open."""
    seat = Seat(position.others[other], {*position.unseen})
    company = Company(SEEN if position.rows.cards else UNSEEN, position.rows)
    for next_street in range(street, 5):
        dealt, cards = cards[: DEALT[next_street]], cards[DEALT[next_street] :]
        play_street(nets, worth, seat, next_street, dealt, company, 0, chance)
    return seat.rows.made


def study(
    worth: Readable,
    nets: Readable,
    judges: Readable,
    seed: int,
    streets: int,
    draws: int,
    wishes: Told,
    features: Fillable,
    dense: Fillable,
    parts: Fillable,
    street: Fillable,
) -> None:
    """Play hands, and fill arrays with examples of unfinished boards: as many as there is room for.

    `worth`: against one usual opponent. `nets`: those that play. `judges`: those that say what a board of streets 1 to 3
    comes to when the nets have laid the next cards; as many as there are, of the last streets. `streets`: which streets, as
    bits, 1 for the first. `draws`: how many draws of next cards are looked at. For each example 96 uint16 features filled
    up with `FEATURES`, five float32 of dense inputs, seven of parts, and a byte for the street, from 1 to 4.
    """
    wanted, weights, layout = read_worth(worth), net.read_nets(nets), read_wishes(*wishes)
    judging = net.read_nets(judges)
    if not has_nets(judging, streets):
        raise ValueError("a street is studied with the net of the street after it")
    if not streets & 15 or draws < 1:
        raise ValueError("some streets, and at least one draw")
    if len(wanted.others) != 1:
        raise ValueError("a worth against one usual opponent")
    room = len(fill(features, np.uint16, 0, "examples")) // MOST_FEATURES
    if room > _MOST_EXAMPLES:
        raise ValueError("up to a hundred million examples")
    shapes = ((features, np.uint16, MOST_FEATURES), (dense, np.float32, net.DENSE), (parts, np.float32, PARTS))
    arrays = [
        fill(given, kind, room * size, "examples")[: room * size].reshape(room, size) for given, kind, size in shapes
    ]
    examples = Examples(arrays[0], arrays[1], arrays[2], fill(street, np.uint8, room, "examples")[:room], streets)
    _study(weights, judging, wanted, layout, examples, draws, Chance(seed))


# -- reading


def _read_choices(choices: Readable) -> Choices:
    given = read(choices, np.uint8, 0, "choices")
    if len(given) % 3 or len(given) >= 1 << 24:
        raise ValueError("choices: three bytes each")
    return given.reshape(-1, 3)


def _fit(position: Position, choices: Choices, laid: int | None) -> bool:
    """Whether each choice lays cards of the hand, each once, in places that are free; `laid` of them unless None."""
    for to in choices.tolist():
        counts = [bits.bit_count() for bits in to]
        every = to[0] | to[1] | to[2]
        if any(count > free for count, free in zip(counts, position.rows.free, strict=True)):
            return False
        if every >> len(position.dealt) or sum(counts) != every.bit_count() or laid not in {None, sum(counts)}:
            return False
    return True


def _read_told(told: bytes) -> tuple[int, ...]:
    return tuple(bytes(memoryview(told)[:OTHERS]).ljust(OTHERS, b"\0"))


def _check_told(kinds: tuple[int, ...], position: Position) -> None:
    for kind, rows in zip(kinds, position.others, strict=True):
        if kind and (not 13 <= kind <= 17 or rows.cards):
            raise ValueError("an opponent is 0, or lies in Fantasyland with 13 to 17 cards, unseen")


def _company(worth: Worth, cards: int, rows: Rows) -> Company:
    """What the nets are told of an opponent."""
    if not worth.others:
        return Company(NOBODY)
    if cards:
        return Company(IN_FANTASYLAND)
    return Company(SEEN, rows) if rows.cards else Company(UNSEEN)


def _street_of(cards: int) -> int:
    """The street that comes next for a board of so many cards, from 0; 5 when it is full, -1 where Pineapple has none."""
    return {0: 0, 5: 1, 7: 2, 9: 3, 11: 4, 13: 5}.get(cards, -1)
