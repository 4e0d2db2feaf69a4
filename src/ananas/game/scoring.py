"""The showdown: the whole reckoning, from rows to what moves between stacks and who gets Fantasyland."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from ananas.game.board import ROWS, Board, Row
from ananas.game.fantasyland import entry, stay_cards, stays
from ananas.game.royalties import royalty
from ananas.game.rules import RuleSet
from ananas.game.settlement import Claim, settle
from ananas.game.strength import Category, category_of, ranks_of, strength

_Three = tuple[int, int, int]


class RowResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one row is worth: its category, its ranks by weight (2 to 14), its royalty (0 on a fouled board)."""

    category: Category
    ranks: tuple[int, ...]
    royalty: int


class PlayerResult(msgspec.Struct, frozen=True, kw_only=True):
    """One player's side of the showdown.

    `rows`: from top to bottom. `royalties`: their sum. `points`: the sum of his claims. `fantasyland`: how many cards he
    is to get in the next hand, 0 for an ordinary one. `stays`: whether his board keeps one who is in Fantasyland
    there, where the rules let him stay once more. `won`: what moved to him in chips, `stack`: what he has then; both
    null where no stacks were given.
    """

    seat: int
    foul: bool
    rows: tuple[RowResult, RowResult, RowResult]
    royalties: int
    points: int
    fantasyland: int
    stays: bool
    won: int | None
    stack: int | None


class PairResult(msgspec.Struct, frozen=True, kw_only=True):
    """Two players compared, everything seen from the first of `seats`.

    `rows`: +1, 0 or -1 for each row from the top (all 0 where either board is fouled). `scoop`: the points for all three
    rows, or by 2-4 for two or three. `foul`: plus or minus the price of a dead hand, 0 where none or both are dead.
    `royalties`: what each brings into the difference. `claim`: the sum of it all. `transfer`: what of it moved.
    `skipped`: whether nothing could, because one of them had no chips left.
    """

    seats: tuple[int, int]
    rows: tuple[int, int, int]
    scoop: int
    foul: int
    royalties: tuple[int, int]
    claim: int
    transfer: int
    skipped: bool


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """The whole showdown: each player's result in order of play, and each pair in the order of settlement."""

    players: tuple[PlayerResult, ...]
    pairs: tuple[PairResult, ...]


def fouled(board: Board, rules: RuleSet) -> bool:
    """Tell whether a full board is dead: its top beats its middle, or its middle beats its bottom.

    >>> from ananas.game.rules import ROOM
    >>> dead, live = Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c"), Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs")
    >>> fouled(dead, ROOM), fouled(live, ROOM)
    (True, False)

    Where `equality` is strict, equal rows are dead as well.
    """
    top, middle, bottom = (strength(board.row(row)) for row in ROWS)
    return not (top < middle < bottom if rules.equality == "strict" else top <= middle <= bottom)


def reckon(
    boards: Sequence[Board],
    seats: Sequence[int],
    rules: RuleSet,
    *,
    stacks: Sequence[int] | None = None,
    fantasyland: Sequence[int] = (),
    repeats: Sequence[int] = (),
) -> Reckoning:
    """Compare full boards, given in order of play with the seats they belong to, each pair once.

    >>> strong, dead = Board.parse("QsQd5c/8s8h8dKc2h/6s7s8c9dTs"), Board.parse("KhKd3h/AcQh9h6c2d/TdTc5s5d2c")
    >>> reckoning = reckon((strong, dead), (0, 1), RuleSet(), stacks=(50, 10))
    >>> [player.points for player in reckoning.players], [player.stack for player in reckoning.players]
    ([17, -17], [60, 0])

    `stacks`: what each has on the table; without them claims move whole. `fantasyland`: with how many cards each laid,
    0 for an ordinary hand; `repeats`: how often in a row he has stayed. A single board is told what it is worth.
    """
    sides = [_side(board, rules) for board in boards]
    couples = list(combinations(range(len(boards)), 2))
    compared = [_compare(sides[one], sides[two], rules) for one, two in couples]
    claims = [
        Claim(first=one, second=two, points=sum(lines) + scoop + foul + bonus[0] - bonus[1])
        for (one, two), (lines, scoop, foul, bonus) in zip(couples, compared, strict=True)
    ]
    cap = "none" if stacks is None else rules.settlement_cap
    none = (0,) * len(boards)
    payments, after = settle(claims, none if stacks is None else stacks, cap)
    pairs = [
        PairResult(
            seats=(seats[claim.first], seats[claim.second]),
            rows=lines,
            scoop=scoop,
            foul=foul,
            royalties=bonus,
            claim=claim.points,
            transfer=payment.moved,
            skipped=payment.skipped,
        )
        for claim, payment, (lines, scoop, foul, bonus) in zip(claims, payments, compared, strict=True)
    ]
    points = [0] * len(boards)
    for claim in claims:
        points[claim.first] += claim.points
        points[claim.second] -= claim.points
    players = [
        PlayerResult(
            seat=seats[player],
            foul=side.foul,
            rows=side.rows,
            royalties=sum(side.earned),
            points=points[player],
            fantasyland=_next(board, side, rules, lays, stayed),
            stays=not side.foul and stays(board, rules) and stay_cards(rules, stayed if lays else 0) > 0,
            won=None if stacks is None else after[player] - stacks[player],
            stack=None if stacks is None else after[player],
        )
        for player, (board, side, lays, stayed) in enumerate(
            zip(boards, sides, fantasyland or none, repeats or none, strict=True)
        )
    ]
    return Reckoning(players=tuple(players), pairs=tuple(pairs))


class _Side(NamedTuple):
    """One board, told by itself."""

    strengths: _Three
    foul: bool
    earned: _Three
    rows: tuple[RowResult, RowResult, RowResult]


def _side(board: Board, rules: RuleSet) -> _Side:
    foul = fouled(board, rules)
    paid = not foul and rules.royalties != "none"

    def row(which: Row) -> tuple[int, RowResult]:
        worth = strength(board.row(which))
        points = royalty(which, worth, rules.royalty_table) if paid else 0
        return worth, RowResult(category=category_of(worth), ranks=ranks_of(worth), royalty=points)

    (top, on_top), (middle, in_middle), (bottom, at_bottom) = row(Row.TOP), row(Row.MIDDLE), row(Row.BOTTOM)
    earned = (on_top.royalty, in_middle.royalty, at_bottom.royalty)
    return _Side((top, middle, bottom), foul, earned, (on_top, in_middle, at_bottom))


def _compare(one: _Side, two: _Side, rules: RuleSet) -> tuple[_Three, int, int, tuple[int, int]]:
    """The rows, the points for several of them, the price of a dead hand, and the royalties of both."""
    royalties = (sum(one.earned), sum(two.earned))
    if one.foul or two.foul:
        # A dead hand pays all royalties, also where only the winner of a row is paid for it; its own are 0.
        return (0, 0, 0), 0, (two.foul - one.foul) * rules.foul_points, royalties
    top, middle, bottom = (_sign(a - b) for a, b in zip(one.strengths, two.strengths, strict=True))
    lines = (top, middle, bottom)
    if rules.royalties == "line-winner":
        royalties = (
            sum(points for line, points in zip(lines, one.earned, strict=True) if line > 0),
            sum(points for line, points in zip(lines, two.earned, strict=True) if line < 0),
        )
    return lines, _scoop(lines, rules), 0, royalties


def _scoop(lines: _Three, rules: RuleSet) -> int:
    if rules.scoring == "1-6":
        return sum(lines) if abs(sum(lines)) == 3 else 0
    return (lines.count(1) >= 2) - (lines.count(-1) >= 2)


def _next(board: Board, side: _Side, rules: RuleSet, fantasyland: int, repeats: int) -> int:
    """How many cards the player gets in the next hand, 0 for an ordinary one."""
    if side.foul:
        return 0
    if fantasyland:
        # Queens on top bring nothing inside Fantasyland: there one stays, or one is out.
        return stay_cards(rules, repeats) if stays(board, rules) else 0
    return entry(board, rules)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
