"""Every published example: those that are right agree, those marked wrong differ, and for the reason that is told.

The lines of examples.jsonl name rules as they were first written down; what they say is put into today's words here.
Boards of some books hold a card twice or share one: for the scorer they are boards all the same.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec
import pytest

from ananas.game.board import Board, Row
from ananas.game.cards import Card, parse_cards
from ananas.game.fantasyland import entry
from ananas.game.royalties import ROYALTY_TABLES, RoyaltyTable, royalty
from ananas.game.rules import RuleSet
from ananas.game.scoring import Reckoning, fouled, reckon
from ananas.game.settlement import Claim, settle
from ananas.game.strength import category_of, ranks_of, strength
from tests.game.anything import DATA


class OldRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of an example by their older names."""

    scoring: str = "1-6"
    royalties: str = "net"
    royalty_table: str = "american"
    equality: str = "allowed"
    fantasy: str = "QQ+ entry"
    stay_middle: str = ""
    cap: str = "payer_only"

    def today(self) -> RuleSet:
        """The same rules in today's words."""
        base = {"QQ+ entry": "room", PROGRESSIVE: "progressive"}[self.fantasy]
        middle = {"": "", "fullhouse": "middle-full-house,"}[self.stay_middle]
        return RuleSet.named(base).but(
            {
                "scoring": self.scoring,
                "royalties": self.royalties,
                "royalty_table": self.table,
                "equality": self.equality,
                "fantasyland_stay": f"top-trips,{middle}bottom-quads",
                "settlement_cap": {"payer_only": "loser", "effective_running": "both"}[self.cap],
            }
        )

    @property
    def table(self) -> str:
        return {"clayton2013": "early-2013"}.get(self.royalty_table, self.royalty_table)


PROGRESSIVE = "progressive 14/15/16/17 (called Ultimate in source)"


class OldRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    top: str
    middle: str
    bottom: str

    def board(self) -> Board:
        return Board(cards_of(self.top), cards_of(self.middle), cards_of(self.bottom))


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an example says comes of it; what it does not speak of is missing."""

    points: list[int] | None = None
    foul: list[bool] | None = None
    royalties: list[list[int]] | None = None
    lines: list[int] | None = None
    fantasy: list[bool] | None = None
    fantasy_stay: list[bool] | None = None
    fantasy_cards_progressive: list[int] | None = None
    final_stacks: list[int] | dict[str, int] | None = None
    paid: dict[str, int] | None = None
    royalty: int | None = None
    category: str | None = None
    sign: int | None = None


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a source says, and what is right."""

    source: int | list[int | bool]
    correct: int | list[int | bool]


class OldTransfer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pair: tuple[int, int]
    claim_for_first: int
    moved: int
    why: str


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of examples.jsonl."""

    id: str
    kind: str
    source: str
    rules: OldRules = OldRules()
    players: list[OldRows] = []
    row: Row | None = None
    cards: str = ""
    a: str = ""
    b: str = ""
    stacks: list[int] | dict[str, int] = []
    claims: list[dict[str, str | int]] = []
    order: str = ""
    transfers: list[OldTransfer] = []
    expected: Expected = Expected()
    derived: Expected = Expected()
    note: str = ""
    cards_from: str = ""
    verified: bool = True
    data_issue: str = ""
    source_wrong: dict[str, Wrong] = {}


EXAMPLES = [msgspec.json.decode(line, type=Example) for line in (DATA / "examples.jsonl").read_bytes().splitlines()]
BY_ID = {example.id: example for example in EXAMPLES}


def cards_of(text: str) -> tuple[Card, ...]:
    """Cards of another's book: with spaces, and the rank in a small letter now and then."""
    return parse_cards("".join(card[0].upper() + card[1] for card in text.split()))


def reckoned(example: Example, rules: RuleSet | None = None) -> Reckoning:
    boards = [player.board() for player in example.players]
    stacks = example.stacks if isinstance(example.stacks, list) and example.stacks else None
    return reckon(boards, range(len(boards)), rules or example.rules.today(), stacks=stacks)


def ours(example: Example) -> Expected:
    """All that can be said of an example by today's rules, in the words of the file."""
    if example.kind in {"match", "board", "settlement"} and example.players:
        players = reckoned(example).players
        pairs = reckoned(example).pairs
        boards = [player.board() for player in example.players]
        rules = example.rules.today()
        brought = [0 if player.foul else entry(board, rules) for board, player in zip(boards, players, strict=True)]
        stacks = [player.stack for player in players if player.stack is not None]
        return Expected(
            points=[player.points for player in players],
            foul=[player.foul for player in players],
            royalties=[[row.royalty for row in player.rows] for player in players],
            lines=list(pairs[0].rows) if pairs else None,
            fantasy=[player.fantasyland > 0 for player in players],
            fantasy_stay=[player.stays for player in players],
            fantasy_cards_progressive=brought,
            final_stacks=stacks,
        )
    if example.kind == "settlement":
        return paid_by_claims(example)
    if example.kind == "row":
        assert example.row is not None
        worth = strength(cards_of(example.cards))
        points = royalty(example.row, worth, RoyaltyTable.parse(example.rules.table))
        return Expected(royalty=points, category=category_of(worth).value.replace("-", " "))
    assert example.kind == f"compare-{len(cards_of(example.a))}{len(cards_of(example.b))}"
    one, other = strength(cards_of(example.a)), strength(cards_of(example.b))
    return Expected(sign=(one > other) - (one < other))


def paid_by_claims(example: Example) -> Expected:
    """A story of who owed whom: only some stacks are told, the others have enough."""
    assert isinstance(example.stacks, dict)
    stacks = example.stacks
    names = list(dict.fromkeys(str(claim[side]) for claim in example.claims for side in ("from", "to")))
    claims = [
        Claim(first=names.index(str(claim["to"])), second=names.index(str(claim["from"])), points=int(claim["points"]))
        for claim in example.claims
    ]
    payments, after = settle(claims, [stacks.get(name, 1000) for name in names], example.rules.today().settlement_cap)
    return Expected(
        final_stacks={name: left for name, left in zip(names, after, strict=True) if name in stacks},
        paid={
            f"{claim['from']}->{claim['to']}": payment.moved
            for claim, payment in zip(example.claims, payments, strict=True)
        },
    )


def told(expected: Expected) -> dict[str, object]:
    """What is said, by name."""
    return {name: value for name, value in msgspec.structs.asdict(expected).items() if value is not None}


def test_all_examples_are_here_and_say_something() -> None:
    assert len(EXAMPLES) == len(BY_ID) == 125
    kinds = Counter(example.kind for example in EXAMPLES)
    assert kinds == {
        "match": 48,
        "board": 37,
        "row": 22,
        "compare-35": 8,
        "compare-33": 2,
        "compare-55": 4,
        "settlement": 4,
    }
    for example in EXAMPLES:
        assert told(example.expected), example.id
        assert example.verified == (not example.source_wrong), example.id


RIGHT = [example for example in EXAMPLES if not example.source_wrong]
WRONG = [example for example in EXAMPLES if example.source_wrong]


@pytest.mark.parametrize("example", RIGHT, ids=lambda example: example.id)
def test_what_was_published_is_what_comes_of_it(example: Example) -> None:
    found = told(ours(example))
    for name, value in [*told(example.expected).items(), *told(example.derived).items()]:
        assert found[name] == value, name


@pytest.mark.parametrize(
    "example", [example for example in EXAMPLES if example.transfers], ids=lambda example: example.id
)
def test_payments_are_made_as_published(example: Example) -> None:
    pairs = reckoned(example).pairs
    assert example.order.startswith("P1-P2, P1-P3, P2-P3")
    assert [pair.seats for pair in pairs] == list(combinations(range(3), 2))
    for pair, transfer in zip(pairs, example.transfers, strict=True):
        assert (pair.seats[0] + 1, pair.seats[1] + 1) == transfer.pair
        assert pair.claim == transfer.claim_for_first
        assert abs(pair.transfer) == transfer.moved
        assert pair.skipped == transfer.why.startswith("skipped")


# -- where a source is wrong


@pytest.mark.parametrize("example", WRONG, ids=lambda example: example.id)
def test_what_was_published_wrong_differs(example: Example) -> None:
    found = told(ours(example))
    assert set(example.source_wrong) == set(told(example.expected))
    for name, wrong in example.source_wrong.items():
        assert told(example.expected)[name] == wrong.source
        assert found[name] == wrong.correct != wrong.source


def dead(example_id: str) -> list[bool]:
    return [player.foul for player in reckoned(BY_ID[example_id]).players]


def strengths(example_id: str, player: int = 0) -> list[int]:
    board = BY_ID[example_id].players[player].board()
    return [strength(row) for row in (board.top, board.middle, board.bottom)]


def test_a_strong_board_with_its_rows_the_wrong_way_round_is_dead() -> None:
    top, middle, bottom = strengths("idx-06-WRONG-scoop-with-foul")
    assert (category_of(middle), category_of(bottom)) == ("full-house", "two-pair")
    assert top < middle > bottom
    assert dead("idx-06-WRONG-scoop-with-foul") == [True, False]


@pytest.mark.parametrize("example_id", ["scj-08-DIVERGENT", "scj-09-DIVERGENT"])
def test_a_source_that_gives_no_scoop_for_a_dead_hand_takes_three_for_it(example_id: str) -> None:
    example = BY_ID[example_id]
    three = reckoned(example, RuleSet(foul_points=3))
    assert [player.points for player in three.players] == example.source_wrong["points"].source
    assert sum(dead(example_id)) == 1


@pytest.mark.parametrize("example_id", ["aze-08-WRONG-stay-on-foul", "aze-10-WRONG-not-foul"])
def test_trips_on_top_of_two_pair_are_dead_and_keep_nobody_in_fantasyland(example_id: str) -> None:
    top, middle, _ = strengths(example_id)
    assert (category_of(top), category_of(middle)) == ("trips", "two-pair")
    assert top > middle
    (player,) = reckoned(BY_ID[example_id]).players
    assert (player.foul, player.stays, player.fantasyland) == (True, False, 0)


def test_the_fifth_card_counts() -> None:
    _, middle, bottom = strengths("aze-09-WRONG-equal-highcard")
    assert ranks_of(middle)[:4] == ranks_of(bottom)[:4]
    assert ranks_of(middle)[4] > ranks_of(bottom)[4]


def test_a_row_that_goes_on_from_the_same_ranks_is_stronger_even_where_equality_is_not() -> None:
    example = BY_ID["idx-05-DIVERGENT-prefix"]
    top, middle, _ = strengths(example.id)
    assert ranks_of(middle)[: len(ranks_of(top))] == ranks_of(top)
    assert top < middle
    assert not fouled(example.players[0].board(), RuleSet(equality="strict"))


def test_no_table_gives_seventy_for_a_royal() -> None:
    example = BY_ID["row-24-WRONG"]
    assert ranks_of(strength(cards_of(example.cards))) == (14,)
    assert all(max(table.middle + table.bottom) < 70 for table in ROYALTY_TABLES.values())


def test_each_wrong_source_has_its_reason_shown() -> None:
    assert {example.id for example in WRONG} == {
        "idx-06-WRONG-scoop-with-foul",
        "scj-08-DIVERGENT",
        "scj-09-DIVERGENT",
        "aze-08-WRONG-stay-on-foul",
        "aze-09-WRONG-equal-highcard",
        "aze-10-WRONG-not-foul",
        "idx-05-DIVERGENT-prefix",
        "row-24-WRONG",
    }
