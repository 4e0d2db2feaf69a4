"""The showdown: rows, scoop, fouls and royalties into points that sum to zero, with every line of the reckoning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from ananas.game.board import ROWS, Board
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet
from ananas.game.strength import Category, category_of, ranks_of, strength


class RowResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one row is worth: its category, its ranks by weight (2 to 14), its royalty (0 on a fouled board)."""

    category: Category
    ranks: tuple[int, ...]
    royalty: int


class PlayerResult(msgspec.Struct, frozen=True, kw_only=True):
    """One player's side of the showdown; `rows` from top to bottom, `points` the sum over his pairs."""

    seat: int
    foul: bool
    rows: tuple[RowResult, RowResult, RowResult]
    royalties: int
    points: int


class PairResult(msgspec.Struct, frozen=True, kw_only=True):
    """Two players compared, seen from `first`.

    `rows`: +1, 0 or -1 for each row from the top (all 0 where either board is fouled); `scoop`: +3, 0 or -3; `foul`:
    plus or minus the price of a dead hand, 0 where none or both are fouled; `first_royalties` and
    `second_royalties`: what each brings into the difference. `points`: the sum of it all.
    """

    first: int
    second: int
    rows: tuple[int, int, int]
    scoop: int
    foul: int
    first_royalties: int
    second_royalties: int
    points: int


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """The whole showdown: each player's result in order of play, and each pair in the order of settlement."""

    players: tuple[PlayerResult, ...]
    pairs: tuple[PairResult, ...]


def fouled(board: Board) -> bool:
    """Tell whether a full board is dead: its top beats its middle, or its middle beats its bottom.

    >>> fouled(Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")), fouled(Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs"))
    (True, False)
    """
    top, middle, bottom = (strength(board.row(row)) for row in ROWS)
    return not top <= middle <= bottom


def reckon(boards: Sequence[Board], seats: Sequence[int], rules: RuleSet) -> Reckoning:
    """Compare full boards, given in order of play with the seats they belong to, each pair once.

    >>> strong, dead = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs"), Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")
    >>> [player.points for player in reckon((strong, dead), (0, 1), RuleSet(seats=2)).players]
    [17, -17]
    """
    strengths = [tuple(strength(board.row(row)) for row in ROWS) for board in boards]
    fouls = [fouled(board) for board in boards]
    rows = [
        tuple(
            RowResult(category=category_of(worth), ranks=ranks_of(worth), royalty=0 if foul else royalty(row, worth))
            for row, worth in zip(ROWS, worths, strict=True)
        )
        for worths, foul in zip(strengths, fouls, strict=True)
    ]
    royalties = [sum(result.royalty for result in results) for results in rows]

    pairs: list[PairResult] = []
    points = [0] * len(boards)
    for one, two in combinations(range(len(boards)), 2):
        lines = (0, 0, 0)
        scoop = 0
        foul = (fouls[two] - fouls[one]) * rules.foul_points
        if not fouls[one] and not fouls[two]:
            top, middle, bottom = (_sign(a - b) for a, b in zip(strengths[one], strengths[two], strict=True))
            lines = (top, middle, bottom)
            scoop = sum(lines) if top == middle == bottom else 0
        won = sum(lines) + scoop + foul + royalties[one] - royalties[two]
        points[one] += won
        points[two] -= won
        pairs.append(
            PairResult(
                first=seats[one],
                second=seats[two],
                rows=lines,
                scoop=scoop,
                foul=foul,
                first_royalties=royalties[one],
                second_royalties=royalties[two],
                points=won,
            )
        )
    players = [
        PlayerResult(seat=seat, foul=foul, rows=(top, middle, bottom), royalties=bonus, points=total)
        for seat, foul, (top, middle, bottom), bonus, total in zip(seats, fouls, rows, royalties, points, strict=True)
    ]
    return Reckoning(players=tuple(players), pairs=tuple(pairs))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
