"""The showdown: rows, scoop, fouls and royalties into points that sum to zero, with every line of the reckoning."""

from __future__ import annotations

import msgspec

from ananas.game.strength import Category


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
