"""A showdown reckoned a second time, from texts alone and in another way, to compare with.

It shares nothing with the game but the spelling of cards, boards and rules. Rows become tuples of numbers as a card
player says them; royalties are looked up in the table's text; payments are told pair by pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

ACES_LAST: Final = "..23456789TJQKA"
NAMES: Final = (
    "high-card",
    "pair",
    "two-pair",
    "trips",
    "straight",
    "flush",
    "full-house",
    "quads",
    "straight-flush",
)
SHAPES: Final = {"41": 7, "32": 6, "311": 3, "3": 3, "221": 2, "2111": 1, "21": 1, "11111": 0, "111": 0}
TABLES: Final = {
    "american": "0,0,0,0,1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,17,18,19,20,21,22/2,4,8,12,20,30,50/0,2,4,6,10,15,25",
    "vegas-2013": "0,0,0,0,1,2,3,4,5,6,7,8,9/" + "20," * 12 + "20/2,4,8,12,20,30,50/0,2,4,6,10,15,25",
    "early-2013": "0,0,0,0,1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,17,18,19,20,21,22/0,4,8,12,16,20,20/0,2,4,6,8,10,20",
}


Said = tuple[int, list[int]]
"""Which of the nine a row is, and the ranks that tell it from others of its kind."""


def said(cards: str) -> Said:
    """What a player says of a row."""
    ranks = sorted((ACES_LAST.index(letter) for letter in cards[::2]), reverse=True)
    groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    kind = SHAPES["".join(str(count) for count, _ in groups)]
    telling = [rank for _, rank in groups]
    if len(ranks) == 5 and kind == 0:
        flush = len(set(cards[1::2])) == 1
        if ranks == [14, 5, 4, 3, 2]:
            return 8 if flush else 4, [5]
        if ranks == list(range(ranks[0], ranks[0] - 5, -1)):
            return 8 if flush else 4, [ranks[0]]
        return 5 if flush else 0, telling
    return kind, telling


def sign(one: Said, two: Said) -> int:
    return 1 if one > two else -1 if one < two else 0


def bonus(row: int, cards: str, table: str) -> int:
    """The royalty of row 0, 1 or 2 by a table's name or text."""
    pairs, trips, middle, bottom = (
        [int(number) for number in part.split(",")] for part in TABLES.get(table, table).split("/")
    )
    kind, ranks = said(cards)
    if row == 0:
        return {0: 0, 1: pairs[ranks[0] - 2], 3: trips[ranks[0] - 2]}[kind]
    royal = kind == 8 and ranks == [14]
    return ([0, 0, 0, *(middle if row == 1 else bottom)])[9 if royal else kind]


def reckoned(
    boards: Sequence[str],
    seats: Sequence[int],
    rules: Mapping[str, str],
    stacks: Sequence[int] | None,
    lays: Sequence[tuple[int, int]],
) -> dict[str, Any]:
    """The whole showdown as plain data, in the shape in which a message carries it.

    `lays`: for each, with how many cards in Fantasyland he laid, and how often in a row he has stayed there.
    """
    rows = [board.split("/") for board in boards]
    order = [[said(cards) for cards in board] for board in rows]
    dead = [not _ascends(board, rules["equality"]) for board in order]
    paid = [
        [0 if rules["royalties"] == "none" or dead[who] else bonus(row, rows[who][row], rules["royalty_table"])
         for row in range(3)]
        for who in range(len(rows))
    ]  # fmt: skip
    purse = list(stacks) if stacks is not None else [10**9] * len(rows)
    start = list(purse)
    totals = [0] * len(rows)
    pairs: list[dict[str, Any]] = []
    for one in range(len(rows)):
        for two in range(one + 1, len(rows)):
            lines = [sign(order[one][row], order[two][row]) for row in range(3)]
            scoop = foul = 0
            brought = [sum(paid[one]), sum(paid[two])]
            if dead[one] or dead[two]:
                lines = [0, 0, 0]
                if dead[one] != dead[two]:
                    foul = -int(rules["foul_points"]) if dead[one] else int(rules["foul_points"])
            else:
                if rules["royalties"] == "line-winner":
                    brought = [
                        sum(points for points, line in zip(paid[one], lines, strict=True) if line == 1),
                        sum(points for points, line in zip(paid[two], lines, strict=True) if line == -1),
                    ]
                for side in (1, -1):
                    if rules["scoring"] == "1-6" and lines == [side] * 3:
                        scoop = 3 * side
                    if rules["scoring"] == "2-4" and lines.count(side) in {2, 3}:
                        scoop = side
            claim = sum(lines) + scoop + foul + brought[0] - brought[1]
            totals[one] += claim
            totals[two] -= claim
            moved, skipped = abs(claim), False
            if stacks is not None and rules["settlement_cap"] != "none":
                payer, taker = (two, one) if claim > 0 else (one, two)
                skipped = purse[payer] == 0 or purse[taker] == 0
                moved = min(moved, purse[payer])
                if rules["settlement_cap"] == "both":
                    moved = min(moved, purse[taker])
                if skipped:
                    moved = 0
            transfer = moved if claim > 0 else -moved
            purse[one] += transfer
            purse[two] -= transfer
            pairs.append(
                {
                    "seats": [seats[one], seats[two]],
                    "rows": lines,
                    "scoop": scoop,
                    "foul": foul,
                    "royalties": brought,
                    "claim": claim,
                    "transfer": transfer,
                    "skipped": skipped,
                }
            )
    players = [
        {
            "seat": seats[who],
            "foul": dead[who],
            "rows": [
                {"category": NAMES[kind], "ranks": ranks, "royalty": points}
                for (kind, ranks), points in zip(order[who], paid[who], strict=True)
            ],
            "royalties": sum(paid[who]),
            "points": totals[who],
            "fantasyland": 0 if dead[who] else _following(order[who], rules, *lays[who]),
            "stays": not dead[who] and _keeps(order[who], rules) and _may_stay(rules, *lays[who]),
            "won": None if stacks is None else purse[who] - start[who],
            "stack": None if stacks is None else purse[who],
        }
        for who in range(len(rows))
    ]
    return {"players": players, "pairs": pairs}


def _ascends(board: list[Said], equality: str) -> bool:
    top, middle, bottom = board
    if equality == "strict":
        return sign(top, middle) == sign(middle, bottom) == -1
    return sign(top, middle) < 1 and sign(middle, bottom) < 1


def _keeps(board: list[Said], rules: Mapping[str, str]) -> bool:
    top, middle, bottom = (kind for kind, _ in board)
    wanted = rules["fantasyland_stay"].split(",") if rules["fantasyland"] == "on" else []
    return (
        ("top-trips" in wanted and top == 3)
        or ("middle-full-house" in wanted and middle >= 6)
        or ("middle-quads" in wanted and middle >= 7)
        or ("bottom-quads" in wanted and bottom >= 7)
    )


def _may_stay(rules: Mapping[str, str], laid: int, repeats: int) -> bool:
    limit = rules["fantasyland_repeats"]
    return limit == "unlimited" or (repeats if laid else 0) < int(limit)


def _following(board: list[Said], rules: Mapping[str, str], laid: int, repeats: int) -> int:
    if rules["fantasyland"] == "off":
        return 0
    if laid:
        may = _may_stay(rules, laid, repeats)
        return int(rules["fantasyland_stay_cards"]) if may and _keeps(board, rules) else 0
    numbers = [int(number) for number in rules["fantasyland_cards"].split(",")]
    queens, kings, aces, trips = numbers if len(numbers) == 4 else numbers * 4
    kind, ranks = board[0]
    if kind == 3:
        return trips
    if kind == 0 or ranks[0] < ACES_LAST.index(rules["fantasyland_entry"][0]):
        return 0
    return aces if ranks[0] == 14 else kings if ranks[0] == 13 else queens
