"""What the nets see in unfinished boards, and what they think of them, in plain NumPy.

The features of a board are told row by row, for neighbouring rows, and for what all placements of a street share; what a
row adds to the first layer is worked out once for all placements that make it. The numbering is native/net.h's, where the
weights are laid out too. What does not belong here: which placement is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ananas.solver.plain.cards import ROW_SIZES, Readable, Rows, read, strength_of, taken
from ananas.solver.plain.worth import ENTRIES, PARTS, Floats, Values, Worth
from ananas.solver.tables import COARSE, MADE, tables

WIDE: Final = 64
NARROW: Final = 32
DENSE: Final = 5
MOST_FEATURES: Final = 96
MOST_SUM: Final = 4
"""The most that a sum of the first layer counts as, before it is squared."""

_SIZES: Final = {
    "live": 13 * 5,  # rank x how many of it were not seen
    "other": 4,  # nobody, unseen, in Fantasyland, seen
    "other row": 3 * MADE,  # row x what it makes
    "other free": 18,  # row x free places
    "other suited": 9,  # row x cards of one suit, three or more
    "count": 3 * 13 * 4,  # own: row x rank x how many of it
    "free": 18,  # row x free places
    "outs on top": 13 * 2 * 4,  # rank x one or two of it x how many to come
    "outs": 2 * 3 * 4,  # below: row x one to three of a rank x how many to come, for each such rank
    "suited": 2 * 4 * 10,  # row x cards of one suit x how many to come
    "unsuited": 2,
    "run": 2 * 5 * 9,  # row x places free in a straight to come x ways to fill it
    "no run": 2,
    "made": 3 * MADE,  # row x what the full row makes
    "pair": 2 * COARSE * COARSE,  # two neighbouring rows x what they make
    "order": 2 * 12,  # two neighbouring rows x their order by now x which of them are full
}
_STARTS: Final = dict(zip(_SIZES, np.cumsum([0, *_SIZES.values()]).tolist()[:-1], strict=True))
(_LIVE, _OTHER, _OTHER_ROW, _OTHER_FREE, _OTHER_SUITED, _COUNT, _FREE, _OUTS_TOP, _OUTS, _SUITED, _UNSUITED, _RUN, _NO_RUN,
 _MADE, _PAIR, _ORDER) = _STARTS.values()  # fmt: skip

FEATURES: Final = sum(_SIZES.values())

_SHAPES: Final = ((FEATURES, WIDE), (DENSE, WIDE), (WIDE,), (WIDE, NARROW), (NARROW,), (NARROW, PARTS), (PARTS,))
NET_FLOATS: Final = sum(int(np.prod(shape)) for shape in _SHAPES)
"""How many weights a net has."""
_ENDS: Final = [int(end) for end in np.cumsum([np.prod(shape) for shape in _SHAPES])]
_PIECES: Final = [*zip([0, *_ENDS], _ENDS, _SHAPES, strict=False)]

NOBODY, UNSEEN, IN_FANTASYLAND, SEEN = range(4)
"""What is known of an opponent."""

_WINDOWS: Final = (frozenset({12, 0, 1, 2, 3}), *(frozenset(range(low, low + 5)) for low in range(9)))
"""The straights, as ranks; the wheel first."""


_COARSER: Final[list[int]] = tables().coarse.tolist()


class Net(NamedTuple):
    """The weights of one street's net."""

    wide: Floats
    dense: Floats
    wide_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    parts: Floats
    parts_bias: Floats


Nets = tuple[Net | None, Net | None, Net | None, Net | None]
"""The nets after street 1 to street 4; the earlier ones may be missing."""


def read_nets(given: Readable) -> Nets:
    """Read up to four nets; fewer are those of the later streets."""
    weights: Floats = read(given, np.float32, 0, "nets")
    count, rest = divmod(len(weights), NET_FLOATS)
    if rest or count > 4:
        raise ValueError(f"nets: {weights.nbytes} bytes, each of up to four has {4 * NET_FLOATS}")
    found: list[Net | None] = [None] * (4 - count)
    for one in range(count):
        net = weights[one * NET_FLOATS : (one + 1) * NET_FLOATS]
        found.append(Net(*(net[start:end].reshape(shape) for start, end, shape in _PIECES)))
    first, second, third, fourth = found
    return first, second, third, fourth


class Live(NamedTuple):
    """How many cards of each rank and of each suit were not seen."""

    ranks: list[int]
    suits: list[int]


def live_cards(unseen: Sequence[int]) -> Live:
    """Count what was not seen."""
    ranks, suits = [0] * 13, [0] * 4
    for card in unseen:
        ranks[card % 13] += 1
        suits[card // 13] += 1
    return Live(ranks, suits)


class Making(NamedTuple):
    """What a row makes by now: its class, and a number to compare by: class, second rank, best kicker."""

    kind: int
    order: int


def making_of(cards: Sequence[int], size: int) -> Making:
    """Tell what a row, full or not, makes by now."""
    if len(cards) == size == 5:
        full = int(tables().made[strength_of(cards)])
        if full >= 51:  # a straight or better says it all
            return Making(full, full * 169)
    ranks = [card % 13 for card in cards]
    highest = max(ranks, default=0)
    several = sorted(((ranks.count(rank), rank) for rank in {*ranks} if ranks.count(rank) > 1), reverse=True)
    counts = [count for count, _ in several]
    first = several[0][1] if several else highest
    second = kicker = 0
    match counts:
        case []:
            kind = highest
        case [2]:
            kind, kicker = 13 + first, highest
        case [2, 2]:
            kind, second = 26 + first - 1, several[1][1]
        case [3]:
            kind, kicker = 38 + first, highest
        case [3, 2]:
            kind = 54 if first < 8 else 55
        case _:
            kind = 56
    return Making(kind, kind * 169 + second * 13 + kicker)


def row_features(cards: Sequence[int], place: int, live: Live) -> list[int]:
    """The features of one row, `place` 0 on top to 2 at the bottom."""
    found = list[int]()
    size = ROW_SIZES[place]
    free = size - len(cards)
    ranks = [card % 13 for card in cards]
    for rank in sorted({*ranks}):
        count, to_come = ranks.count(rank), min(3, live.ranks[rank])
        found.append(_COUNT + (place * 13 + rank) * 4 + count - 1)
        if not free or count > 3:
            continue
        if place > 0:
            found.append(_OUTS + ((place - 1) * 3 + count - 1) * 4 + to_come)
        elif count < 3:
            found.append(_OUTS_TOP + (rank * 2 + count - 1) * 4 + to_come)
    found.append(_FREE + place * 6 + free)
    if not free:
        return [*found, _MADE + place * MADE + making_of(cards, size).kind]
    if place == 0 or not cards:
        return found
    suits = {card // 13 for card in cards}
    if len(suits) > 1:
        found.append(_UNSUITED + place - 1)
    else:
        found.append(_SUITED + ((place - 1) * 4 + len(cards) - 1) * 10 + min(9, live.suits[suits.pop()]))
    ways = _ways_to_run(ranks, free, live)
    if not ways:
        return [*found, _NO_RUN + place - 1]
    # One place free: the cards themselves; two: by the doubling; more: the windows left open.
    step = ways.bit_length() if free == 2 else ways
    return [*found, _RUN + ((place - 1) * 5 + free - 1) * 9 + min(8, step)]


def _ways_to_run(ranks: Sequence[int], free: int, live: Live) -> int:
    held, ways = {*ranks}, 0
    if len(held) < len(ranks):
        return 0
    for window in _WINDOWS:
        if held <= window:
            product = prod([live.ranks[rank] for rank in window - held])
            ways += product > 0 if free > 2 else product
    return ways


def order_features(rows: Rows) -> list[int]:
    """The features of neighbouring rows together."""
    making = [making_of(row, size) for row, size in zip(rows, ROW_SIZES, strict=True)]
    return pair_features(making, [not free for free in rows.free])


def pair_features(making: Sequence[Making], full: Sequence[bool]) -> list[int]:
    """The same from what the three rows make, and whether they are full."""
    found = list[int]()
    for pair in range(2):
        above, under = making[pair], making[pair + 1]
        order = 2 if above.order > under.order else int(above.order == under.order)
        found.append(_PAIR + (pair * COARSE + _COARSER[above.kind]) * COARSE + _COARSER[under.kind])
        found.append(_ORDER + pair * 12 + order * 4 + full[pair] * 2 + full[pair + 1])
    return found


def shared_features(live: Live, kind: int, other: Rows) -> list[int]:
    """The features that all placements of a street share: what was not seen, and the opponent."""
    found = [_LIVE + rank * 5 + live.ranks[rank] for rank in range(13)]
    found.append(_OTHER + kind)
    if kind != SEEN:
        return found
    for place, (cards, size) in enumerate(zip(other, ROW_SIZES, strict=True)):
        found.append(_OTHER_ROW + place * MADE + making_of(cards, size).kind)
        found.append(_OTHER_FREE + place * 6 + size - len(cards))
        if len(cards) >= 3 and len({card // 13 for card in cards}) == 1:
            found.append(_OTHER_SUITED + place * 3 + len(cards) - 3)
    return found


def dense_inputs(worth: Worth) -> Floats:
    """The inputs that are numbers: the worth of each entry, and whether lines count."""
    return np.array([*(worth.fantasyland[1:] / np.float32(10)), bool(worth.others)], np.float32)


def prices_of(worth: Worth) -> Floats:
    """How the parts add up to points."""
    return np.array([1, -worth.foul_points, *worth.fantasyland[1 : ENTRIES + 1], bool(worth.others)], np.float32)


class Setting(NamedTuple):
    """What all placements of a street share: the live cards, and the sums of the first layer before any row."""

    live: Live
    base: Floats


def prepare(net: Net, worth: Worth, unseen: Sequence[int], kind: int, other: Rows) -> Setting:
    """Work out what all placements of a street share."""
    live = live_cards(unseen)
    base = net.wide_bias + net.wide[shared_features(live, kind, other)].sum(axis=0)
    return Setting(live, base + dense_inputs(worth) @ net.dense)


def judge(
    net: Net, worth: Worth, setting: Setting, rows: Rows, dealt: Sequence[int], choices: NDArray[np.uint8]
) -> Values:
    """The points and the parts that the net sees in each choice."""
    wide = np.repeat(setting.base[None], len(choices), axis=0)
    making: list[list[Making]] = [[] for _ in choices]
    full: list[list[bool]] = [[] for _ in choices]
    for place, (cards, size) in enumerate(zip(rows, ROW_SIZES, strict=True)):
        to_row: list[int] = choices[:, place].tolist()
        grown = {mask: cards + taken(dealt, mask) for mask in to_row}
        made = {mask: making_of(row, size) for mask, row in grown.items()}
        number = {mask: one for one, mask in enumerate(grown)}
        sums = np.array([net.wide[row_features(row, place, setting.live)].sum(axis=0) for row in grown.values()])
        wide += sums[[number[mask] for mask in to_row]]
        for one, mask in enumerate(to_row):
            making[one].append(made[mask])
            full[one].append(len(grown[mask]) == size)
    wide += net.wide[[pair_features(*each) for each in zip(making, full, strict=True)]].sum(axis=1)
    # Not by `@`, which may add up equal rows in different orders: equal placements are to be equal to the last bit.
    wide = np.square(np.clip(wide, 0, MOST_SUM))
    narrow = np.maximum(np.einsum("ni,ij->nj", wide, net.narrow) + net.narrow_bias, 0)
    parts = np.einsum("nj,jp->np", narrow, net.parts) + net.parts_bias
    prices = prices_of(worth)
    points = np.einsum("nj,j->n", narrow, net.parts @ prices) + net.parts_bias @ prices
    return Values(points.astype(np.float32), parts)
