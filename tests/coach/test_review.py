"""What the coach makes of a hand: verdicts by their definitions, an account that adds up, and only what the seat could know."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from ananas.bots.named import bot_named
from ananas.coach import review
from ananas.coach.cause import cause
from ananas.coach.report import Cause, HandReview, Other, Spot, StreetReview, Verdict
from ananas.coach.review import Decision, assemble, decisions, hint, judge, judge_spot, knowledge_of, spot_of
from ananas.coach.words_ru import LaidBy
from ananas.game.board import ROWS, Board, Placement
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import reckon
from ananas.game.view import view_hand
from ananas.solver.core import NATIVE
from ananas.solver.placements import NEAR, SAME, Effort, Knowledge, layouts
from ananas.solver.worth import cards_worth
from tests.chance import Chance
from tests.game.anything import laid_by

QUICK = Effort(rolled=(3, 3, 3), samples=(30, 30, 30), others=16, first=8)
ROOT: Final = Path(__file__).parents[2]
FULL_EFFORT: Final = review.EFFORT
Laid = tuple[tuple[int, int], ...]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts that cost little; what they are made of does not change with it."""
    monkeypatch.setattr(review, "EFFORT", QUICK)


def played(hand: Hand, chance: Chance) -> tuple[Hand, Laid]:
    """A hand played by lot to its end, in one of the orders in which it may be laid."""
    laid: list[tuple[int, int]] = []
    while hand.acting:
        player = chance.pick(hand.acting)
        laid.append((hand.seats[player], hand.street_of(player)))
        # By rank from the bottom up, so that not every board is dead; now and then anyhow.
        if chance.below(2):
            hand = hand.place(player, laid_by(hand, player, chance.below(2**32)))
        else:
            cards = sorted(hand.dealt(player), key=lambda card: card.rank, reverse=True)
            rows = {row: list[Card]() for row in ROWS}
            for _ in range(hand.to_lay(player)):
                row = next(row for row in reversed(ROWS) if len(rows[row]) < hand.boards[player].room(row))
                rows[row].append(cards.pop(0))
            top, middle, bottom = (tuple(rows[row]) for row in ROWS)
            hand = hand.place(player, Placement(top, middle, bottom, tuple(cards)))
    return hand, tuple(laid)


def reviewed(hand: Hand, laid: Laid, seat: int, automatic: Collection[tuple[int, int]] = ()) -> HandReview:
    found = decisions(hand, laid, seat, automatic)
    names = [str(one) for one in hand.seats]
    return assemble(hand, seat, names, [judge(one, hand.rules) for one in found], len(found), number=1, table="evening")


def dealt(text: str, players: int, chance: Chance, fantasyland: Sequence[int] = ()) -> Hand:
    rules = RuleSet.parse(text)
    seats = (*range(1, players), 0)
    return Hand.deal(rules, chance.shuffled(DECK), seats, fantasyland=fantasyland)


HANDS = [
    ("room", 2, ()),
    ("room", 3, ()),
    ("room", 2, (14, 14)),
    ("room", 3, (14, 0, 14)),
    ("room royalties=line-winner equality=strict", 3, (0, 14, 0)),
    ("room fantasyland=off royalties=none scoring=2-4", 2, ()),
    ("progressive", 3, (0, 17, 0)),
    ("progressive fantasyland_timing=from-start", 2, (0, 16)),
    ("club", 2, ()),
    ("club", 4, (0, 13, 0, 0)),
    ("club", 2, (13, 13)),
    ("club-pineapple", 2, (0, 13)),
    ("club-pineapple street_one=open", 3, (13, 0, 13)),
    ("room deal=6,3,3,3 place=6,3,2,2", 2, (0, 0)),
]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("text", "players", "fantasyland"), HANDS)
def test_the_account_adds_up(text: str, players: int, fantasyland: tuple[int, ...]) -> None:
    chance = Chance(f"account {text} {players} {fantasyland}")
    hand, laid = played(dealt(text, players, chance, fantasyland), chance)
    assert hand.reckoning is not None
    by_table = {where for where in laid if chance.below(3) == 0}
    for seat in hand.seats:
        found = reviewed(hand, laid, seat, by_table)
        player = hand.seats.index(seat)
        assert (found.done, found.of) == (True, len(decisions(hand, laid, seat)))
        assert found.result == hand.reckoning.players[player].points
        parts = found.decisions, found.by_table, found.luck
        assert found.result + found.right == pytest.approx(sum(parts), abs=1e-6)
        lost = {each: [street.loss for street in found.streets if street.automatic is each] for each in (True, False)}
        assert (found.decisions, found.by_table) == pytest.approx((-sum(lost[False]), -sum(lost[True])))
        assert max(found.decisions, found.by_table) <= 0
        assert found.luck == pytest.approx(sum(street.luck for street in found.streets) + found.showdown)
        stands = 0.0
        for street in found.streets:
            assert street.luck == pytest.approx(street.options[0].points - stands, abs=1e-6)
            stands = street.options[0].points - street.loss
            check_street(street)
        assert found.showdown == pytest.approx(found.result + found.right - stands, abs=1e-6)
        assert msgspec.json.decode(msgspec.json.encode(found), type=HandReview) == found
    rights = [reviewed_right(hand, seat) for seat in hand.seats]
    assert sum(rights) == pytest.approx(0, abs=1e-9)


def reviewed_right(hand: Hand, seat: int) -> float:
    return assemble(hand, seat, [], [], 0, number=1, table=None).right


def check_street(street: StreetReview) -> None:
    """A verdict is what its numbers say."""
    assert street.chosen in street.options
    assert street.options[0].behind == 0
    assert [one.points for one in street.options] == sorted((one.points for one in street.options), reverse=True)
    for one in street.options:
        assert one.points == pytest.approx(street.options[0].points - one.behind, abs=1e-2)
    assert street.loss == (0 if street.chosen.equal else street.chosen.behind)
    assert street.loss == 0 or street.loss > 2 * street.error
    wanted = {
        "mistake": street.loss > 2,
        "inaccuracy": 0.3 <= street.loss <= 2,
        "near": 0 < street.loss < 0.3,
        "best": street.chosen is street.options[0] or street.chosen == street.options[0],
        "equal": street.chosen.equal,
        "forced": all(one.behind <= 1e-4 for one in street.options),
    }
    assert wanted[street.verdict]
    assert street.cause is None or street.verdict in {"inaccuracy", "mistake"}


def test_an_account_by_hand() -> None:
    """Two in the room: one is dead, the other enters with aces; what entering is worth goes to one and from the other."""
    deck = [*parse_cards("Ac2c3c4c5c"), *(card for card in DECK if card not in parse_cards("Ac2c3c4c5c"))]
    hand = Hand.deal(RULE_SETS["room"], deck, (1, 0))
    boards = Board.parse("AsAd2d/KsKdTsTd3d/QsQdQhJsJd"), Board.parse("KhKc2h/3s4s5h7h8h/9s9dTh7c2s")
    hand = replace(hand, placements=((Placement(),) * 5, (Placement(),) * 5), boards=boards)
    assert hand.reckoning is not None
    worth = cards_worth(RULE_SETS["room"], 14)
    points = 6 + 9 + 6
    assert [player.points for player in hand.reckoning.players] == [points, -points]
    for seat, sign in ((1, 1), (0, -1)):
        found = assemble(hand, seat, ("a", "b"), (), 0, number=3, table=None)
        assert found.result == sign * points
        assert found.right == pytest.approx(sign * worth)
        assert (found.decisions, found.luck, found.showdown) == pytest.approx(
            (0, sign * (points + worth), sign * (points + worth))
        )


@pytest.mark.usefixtures("quick")
def test_what_is_judged_so_far_is_told_so_far() -> None:
    chance = Chance("so far")
    hand, laid = played(dealt("room", 3, chance), chance)
    whole = reviewed(hand, laid, 2)
    part = assemble(hand, 2, whole.names, whole.streets[:2], 5, number=1, table="evening")
    assert (part.done, part.of, part.streets, part.showdown) == (False, 5, whole.streets[:2], 0)
    assert part.luck == pytest.approx(sum(street.luck for street in part.streets))
    assert (part.result, part.right) == (whole.result, whole.right)
    with pytest.raises(ValueError, match="over"):
        assemble(dealt("room", 2, chance), 0, ("a", "b"), (), 5, number=1, table=None)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("text", RULE_SETS)
def test_nothing_hidden_changes_a_verdict(text: str) -> None:
    """Shuffle what the seat could not know when it decided, and it is told the same."""
    chance = Chance(f"hidden {text}")
    hand, laid = played(dealt(text, 2, chance), chance)
    found = decisions(hand, laid, hand.seats[0])
    assert [one.placement for one in found] == list(hand.placements[0])
    stage = Hand.deal(hand.rules, hand.deck, hand.seats)
    for street, one in enumerate(found[:3]):
        while stage.street_of(0) <= street or 0 not in stage.acting:
            player = next(player for player in stage.acting if player or stage.street_of(0) <= street)
            stage = stage.place(player, hand.placements[player][len(stage.placements[player])])
        seen = {*hand.deck[: sum(hand.rules.deal[: street + 1])], *stage.boards[1].cards}
        unseen = [card for card in hand.deck if card not in seen]
        others = dict(zip(unseen, chance.shuffled(unseen), strict=True))
        deck = tuple(others.get(card, card) for card in hand.deck)
        placements = tuple(tuple(_renamed(laid, others) for laid in one) for one in stage.placements)
        again = replace(stage, deck=deck, placements=placements)
        view = view_hand(again, 1, hand.seats[0], {})
        assert judge(replace(one, view=view), hand.rules) == judge(one, hand.rules)


def _renamed(placement: Placement, others: dict[Card, Card]) -> Placement:
    return replace(placement, discards=tuple(others.get(card, card) for card in placement.discards))


@pytest.mark.usefixtures("quick")
def test_what_the_table_laid_is_judged_as_well() -> None:
    chance = Chance("automatic")
    hand, laid = played(dealt("room", 2, chance), chance)
    found = decisions(hand, laid, 1, {(1, 2), (0, 3)})
    assert [one.automatic for one in found] == [False, True, False, False, False]
    assert judge(found[1], hand.rules).automatic


@pytest.mark.usefixtures("quick")
def test_what_the_table_lost_is_no_decision_of_the_player() -> None:
    chance = Chance("absent")
    hand, laid = played(dealt("room", 2, chance), chance)
    own, absent = (reviewed(hand, laid, 1, automatic) for automatic in ((), set(laid)))
    assert own.decisions < 0 == own.by_table
    assert (absent.decisions, absent.by_table, absent.luck) == (0, own.decisions, own.luck)
    some = reviewed(hand, laid, 1, {(1, 2), (1, 5)})
    assert some.by_table == -some.streets[1].loss - some.streets[4].loss


@pytest.mark.usefixtures("quick")
def test_to_others_than_the_player_it_speaks_of_him() -> None:
    chance = Chance("to others")
    hand, laid = played(dealt("room", 2, chance), chance)
    own = reviewed(hand, laid, 1, {(1, 3)})
    streets = [street for street in own.streets if street.cause is not None]
    assert len(streets) > 2
    others = assemble(hand, 1, own.names, own.streets, own.of, number=1, table=None, own=False)
    told = [replace(street, cause=None) for street in others.streets]
    assert told == [replace(street, cause=None) for street in own.streets]
    for one, other in zip(own.streets, others.streets, strict=True):
        assert (one.cause is None) == (other.cause is None)
        assert other.cause == (one.cause and to_others(one, hand.rules))


def to_others(street: StreetReview, rules: RuleSet) -> Cause | None:
    laid_by: LaidBy = "table" if street.automatic else "player"
    return cause(street.spot, rules, street.chosen, street.options[0], laid_by, own=False)


def judged(board: str, dealt: str, placement: str, discards: str, other: str, rules: str = "room") -> StreetReview:
    """A decision against one opponent, whose board is as it is told."""
    spot = Spot(
        seat=0,
        street=5,
        fantasyland=0,
        board=Board.parse(board),
        dealt=parse_cards(dealt),
        to_lay=2,
        discards=parse_cards(discards),
        others=(Other(seat=1, board=Board.parse(other), inside=0),),
    )
    return judge_spot(spot, RuleSet.parse(rules), Placement.parse(placement))


def test_the_last_street_is_counted() -> None:
    mine, other = "QsQh/KdKh9h8d/7c7d7h5s5h", "2d2h3c/3d3s9cTsJs/TdTc6c9s9d"
    found = judged(mine, "KcAs6d", "6d/As/- xKc", "3h4h8c", other)
    best = found.options[0]
    assert best.placement in {"As/Kc/- x6d", "6d/Kc/- xAs"}
    assert found.exact
    wanted: dict[str, int] = {}
    for placement in (best.placement, "6d/As/- xKc"):
        board = Board.parse(mine).place(Placement.parse(placement))
        assert board.full
        wanted[placement] = reckon([board, Board.parse(other)], [0, 1], RULE_SETS["room"]).players[0].points
    assert best.points == pytest.approx(wanted[best.placement] + cards_worth(RULE_SETS["room"], 14), abs=1e-3)
    assert found.loss == pytest.approx(wanted[best.placement] - wanted["6d/As/- xKc"], abs=1e-3)
    assert (found.verdict, found.error) == ("inaccuracy" if found.loss <= 2 else "mistake", 0)


def test_where_all_comes_to_the_same_there_was_no_choice() -> None:
    found = judged("AsAh2c/3d4d6c8h/7c7d9h5s", "KcQs6d", "-/Kc/Qs x6d", "3h4h8c", "2d2h3c/3s5d9cTsJs/TdTc6h9s9d")
    assert (found.verdict, found.loss, found.cause) == ("forced", 0, None)
    assert {one.foul for one in found.options} == {1}


# -- Fantasyland


FULL = "2d2h5c/JcTc9s8d7h/4h4d4c9d9h"


def in_fantasyland(placement: Placement, rules: str = "room", *, keeps: bool = True) -> StreetReview:
    cards = parse_cards("AsAhAdKsKhKdQsQhQd2c3c5d7c6s")
    spot = Spot(
        seat=0,
        street=1,
        fantasyland=14,
        board=Board(),
        dealt=cards,
        to_lay=13,
        discards=(),
        others=(Other(seat=1, board=Board.parse(FULL), inside=0),),
    )
    return judge_spot(spot, RuleSet.parse(rules), placement, keeps=keeps)


def test_a_layout_of_fantasyland_stands_beside_the_best() -> None:
    poor = Placement.parse("QsQh2c/KsKhQd3c5d/AsAhAdKd7c x6s")
    found = in_fantasyland(poor)
    best, own = found.options
    assert (found.verdict, found.exact, own.placement, own.foul) == ("mistake", True, str(poor), 0)
    rules = RULE_SETS["room"]
    for one in (best, own):
        laid = Placement.parse(one.placement)
        board = Board(laid.top, laid.middle, laid.bottom)
        player = reckon([board, Board.parse(FULL)], [0, 1], rules, fantasyland=(14, 0)).players[0]
        right = cards_worth(rules, player.fantasyland) if player.fantasyland else 0
        assert one.points == pytest.approx(player.points + right, abs=1e-3)
        assert one.fantasyland == (player.fantasyland > 0)
    assert in_fantasyland(Placement.parse(best.placement)).verdict == "best"
    assert len(in_fantasyland(Placement.parse(best.placement)).options) == 1


def test_who_may_not_stay_once_more_is_not_judged_by_it() -> None:
    hand = Hand.deal(RULE_SETS["club"], DECK, (0, 1), fantasyland=(13, 0), repeats=(1, 0))
    laid: list[tuple[int, int]] = []
    while hand.acting:
        player = hand.acting[-1]
        laid.append((player, hand.street_of(player)))
        hand = hand.place(player, hand.automatic(player, None))
    (found,) = decisions(hand, laid, 0)
    assert judge(found, hand.rules).options[0].fantasyland == 0
    best = in_fantasyland(Placement.parse("QsQhQd/KsKhKd2c3c/AsAhAd5d7c x6s"), keeps=False)
    assert best.options[0].fantasyland == 0


@pytest.mark.usefixtures("quick")
def test_no_layout_by_lot_is_better_than_the_best() -> None:
    chance = Chance("layouts")
    for _ in range(6):
        hand = dealt("room", 2, chance, (0, 14))
        hand, laid = played(hand, chance)
        (one,) = decisions(hand, laid, hand.seats[1])
        knowledge = Knowledge.of_view(one.view, RuleSet())
        best = layouts(knowledge, hand.rules, QUICK)[0]
        found = layouts(knowledge, hand.rules, QUICK, one.placement)
        assert found[0].points == pytest.approx(best.points, abs=1e-4)
        assert found[0].behind == 0


# -- the shape of it


@pytest.mark.usefixtures("quick")
def test_a_spot_is_what_the_view_shows() -> None:
    chance = Chance("spot")
    hand, laid = played(dealt("room", 3, chance, (0, 14, 0)), chance)
    for one in decisions(hand, laid, hand.seats[2]):
        spot, knowledge = spot_of(one.view), Knowledge.of_view(one.view, RuleSet())
        assert knowledge_of(spot) == knowledge
        assert [other.inside for other in spot.others] == [0, 14]
        assert not {card for other in spot.others for card in other.board.cards} & {*hand.boards[1].cards}
    with pytest.raises(ValueError, match="nothing to lay"):
        spot_of(view_hand(hand, 1, hand.seats[0], {}))


def test_a_hint_in_fantasyland_knows_whether_one_may_stay() -> None:
    cards = parse_cards("4s5hKh5c5d8cAs2sQs8d5sTc2d")
    deck = (*cards, *(card for card in DECK if card not in cards))
    for repeats, stays in ((0, True), (1, False)):
        hand = Hand.deal(RULE_SETS["club-pineapple"], deck, (0, 1), fantasyland=(13, 0), repeats=(repeats, 0))
        seat = hand.seats[0]
        view = view_hand(hand, 1, seat, {})
        assert set(view.players[0].dealt) == set(cards)
        (best,) = hint(view, hand.rules, 60).options
        laid = Placement.parse(best.placement)
        assert (best.fantasyland > 0) == stays
        assert judge(Decision(view=view, placement=laid, automatic=False), hand.rules).verdict in {"best", "equal"}
        bot = bot_named("ananas", hand.rules).place(view, 60)
        assert judge(Decision(view=view, placement=bot, automatic=False), hand.rules).loss < 1


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("players", [2, 3])
def test_what_the_hint_says_is_best_in_the_review(players: int) -> None:
    for number in range(12):
        hand = dealt("room", players, Chance(f"hint {number}"))
        while hand.street_of(hand.acting[0]) < 4:
            view = view_hand(hand, 1, hand.seats[hand.acting[0]], {})
            best = Placement.parse(hint(view, hand.rules, 60).options[0].placement)
            found = judge(Decision(view=view, placement=best, automatic=False), hand.rules)
            assert found.verdict in {"best", "forced"}, (number, found.chosen)
            hand = hand.place(hand.acting[0], best)


@pytest.mark.usefixtures("quick")
def test_a_hint_is_the_best_few() -> None:
    hand = dealt("room", 2, Chance("hint"))
    seat = hand.seats[0]
    found = hint(view_hand(hand, 7, seat, {}), hand.rules, 60)
    assert (found.hand, found.street, len(found.options)) == (7, 1, 3)
    assert found.options[0].behind == 0
    hand.place(0, Placement.parse(found.options[0].placement))
    inside = dealt("room", 2, Chance("hint in Fantasyland"), (14, 14))
    found = hint(view_hand(inside, 8, seat, {}), inside.rules, 60)
    assert (found.hand, found.street, len(found.options)) == (8, 1, 1)
    inside.place(0, Placement.parse(found.options[0].placement))


def test_a_verdict_is_the_same_every_time_and_never_within_its_error() -> None:
    """At full effort: what is laid is held against the best over cards both have in common."""
    chance = Chance("full effort")
    hand, laid = played(dealt("room", 2, chance), chance)
    one = decisions(hand, laid, 1)[2]
    found = judge(one, hand.rules)
    assert judge(one, hand.rules) == found
    assert not found.chosen.guess
    assert found.error < 0.3
    check_street(found)
    assert isinstance(one, Decision)


@pytest.mark.skipif(not NATIVE, reason="the plain core looks at fewer samples")
def test_the_page_runs_and_prints_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "coach.md").read_text()
    ((block, printed),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL)
    exec(compile(block, "coach.md", "exec"), {})  # the page's own example
    assert capsys.readouterr().out == printed


def test_the_page_tells_the_thresholds() -> None:
    page = (ROOT / "docs" / "coach.md").read_text()
    assert f"a loss from {review.INACCURACY} to {review.MISTAKE:g} points" in page
    assert f"by at most {'two' if SAME == 2 else SAME} standard errors, or by {NEAR} points" in page
    assert {*re.findall(r"`([a-z]+)` \| ", page)} | {"inaccuracy", "mistake"} >= {*get_args(Verdict)}
    assert f"after {FULL_EFFORT.first}, the next after {2 * FULL_EFFORT.first} more" in page
    assert f"{FULL_EFFORT.others:,} times" in page
