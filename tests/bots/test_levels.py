"""The four bots: legal on every street of every set, the same for the same view, and blind to what is hidden."""

from __future__ import annotations

import math

import msgspec
import pytest
from msgspec.structs import replace

from ananas.bots.levels import LEVELS, LevelBot
from ananas.bots.named import BOTS, bot_named
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.view import HandView, view_hand
from ananas.refused import Refused
from ananas.solver.placements import Effort
from tests.chance import Chance

Names = tuple[str, ...]


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest thinks as it does, only shorter."""
    effort = Effort(rolled=(4, 4, 3), samples=(80, 80, 80), others=30)
    monkeypatch.setitem(LEVELS, "ananas", replace(LEVELS["ananas"], effort=effort))


def deal(rules: str, name: str, players: int, fantasyland: tuple[int, ...] = ()) -> Hand:
    return Hand.deal(RuleSet.parse(rules), Chance(name).shuffled(DECK), tuple(range(players)), fantasyland=fantasyland)


def seen(hand: Hand, player: int) -> HandView:
    return view_hand(hand, 1, hand.seats[player], {})


def play_on(hand: Hand, name: str) -> tuple[Hand, int]:
    """Play a hand to its end; `place` refuses what is not legal. Tells how many answers were given."""
    bot, answers = LevelBot(name, hand.rules), 0
    while not hand.over:
        player = hand.acting[-1]
        hand = hand.place(player, bot.place(seen(hand, player), math.inf))
        answers += 1
    return hand, answers


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize(
    ("rules", "players"),
    [
        *(("room", 2), ("room", 3), ("club", 4), ("club-pineapple", 3), ("progressive", 2)),
        *(("room deal=6,3,3,3 place=6,3,2,2", 2), ("room deal=17 place=13", 2), ("room deal=1,9,7 place=1,7,5", 3)),
    ],
)
def test_every_answer_is_legal_on_every_street(name: str, rules: str, players: int) -> None:
    hand, answers = play_on(deal(rules, f"{rules} {players}", players), name)
    assert hand.over
    assert answers == players * hand.rules.streets


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize(
    ("rules", "fantasyland"),
    [
        ("room", (14, 0)),
        ("room", (0, 14, 0)),
        ("room", (14, 14)),
        ("club", (0, 13, 0)),
        ("club-pineapple", (0, 0, 13)),
        ("progressive", (17, 0)),
        ("progressive", (15, 16, 17)),
    ],
)
def test_fantasyland_is_laid_and_played_against(name: str, rules: str, fantasyland: tuple[int, ...]) -> None:
    hand, _ = play_on(deal(rules, f"{rules} {fantasyland}", len(fantasyland), fantasyland), name)
    assert hand.reckoning is not None
    for cards, result in zip(fantasyland, hand.reckoning.players, strict=True):
        assert not (cards and result.foul)


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_view_has_the_same_answer(name: str, rules: str) -> None:
    hand = deal(rules, f"the same {rules}", 2)
    for _ in range(6):
        view = seen(hand, hand.acting[0])
        answer = LevelBot(name, hand.rules).place(view, math.inf)
        again = msgspec.json.decode(msgspec.json.encode(view), type=HandView)
        assert LevelBot(name, hand.rules).place(again, math.inf) == answer
        hand = hand.place(hand.acting[0], answer)


# -- what it cannot know


def twin(hand: Hand, player: int) -> Hand:
    """A world in which what this player has seen is the same and the cards he has not seen are in each other's places."""
    own = {card for placement in hand.placements[player] for card in placement.cards} | {*hand.dealt(player)}
    open_boards = [board for other, board in enumerate(hand.boards) if not hand.face_down(other)]
    known = own | {card for board in open_boards for card in board.cards}
    unseen = [card for card in hand.deck if card not in known]
    other = dict(zip(unseen, unseen[5:] + unseen[:5], strict=True))

    def swap(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    world = Hand.deal(hand.rules, swap(hand.deck), hand.seats, fantasyland=hand.fantasyland)
    counts = [*map(len, hand.placements)]
    while [*map(len, world.placements)] != counts:
        turn = next(one for one in world.acting if len(world.placements[one]) < counts[one])
        laid = hand.placements[turn][len(world.placements[turn])]
        rows = (swap(laid.top), swap(laid.middle), swap(laid.bottom), swap(laid.discards))
        world = world.place(turn, type(laid)(*rows))
    return world


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize(
    ("rules", "players", "fantasyland"),
    [("room", 3, ()), ("club", 3, ()), ("club-pineapple", 2, (0, 13)), ("progressive", 3, (0, 17, 0))],
)
def test_what_it_cannot_know_changes_no_answer(
    name: str, rules: str, players: int, fantasyland: tuple[int, ...]
) -> None:
    hand = deal(rules, f"worlds of {rules}", players, fantasyland)
    compared = 0
    while not hand.over:
        player = hand.acting[-1]
        here, world = seen(hand, player), twin(hand, player)
        there = seen(world, player)
        answer = LevelBot(name, hand.rules).place(here, math.inf)
        if compared < 9:
            assert world.deck != hand.deck
            assert msgspec.json.encode(here) == msgspec.json.encode(there)
            assert LevelBot(name, world.rules).place(there, math.inf) == answer
            compared += 1
        hand = hand.place(player, answer)
    assert compared >= 5


# -- whose turn it is


@pytest.mark.parametrize("name", LEVELS)
def test_out_of_turn_there_is_no_answer(name: str) -> None:
    hand = deal("room", "out of turn", 2)
    bot = LevelBot(name, hand.rules)
    asleep = next(player for player in range(2) if player not in hand.acting)
    with pytest.raises(ValueError, match="has nothing to lay"):
        bot.place(seen(hand, asleep), 1)
    with pytest.raises(ValueError, match="has nothing to lay"):
        bot.place(view_hand(hand, 1, None, {}), 1)
    over, _ = play_on(hand, "kiwi")
    with pytest.raises(ValueError, match="has nothing to lay"):
        bot.place(seen(over, 0), 1)


def test_no_time_still_has_an_answer() -> None:
    hand = deal("room", "no time", 3)
    for name in LEVELS:
        hand.place(hand.acting[0], LevelBot(name, hand.rules).place(seen(hand, hand.acting[0]), 0.0))


# -- by name


def test_bots_have_names() -> None:
    rules = RULE_SETS["room"]
    assert {*LEVELS} <= {*BOTS}
    hand = deal("room", "named", 2)
    view = seen(hand, hand.acting[0])
    for name in LEVELS:
        assert bot_named(name, rules).place(view, math.inf) == LevelBot(name, rules).place(view, math.inf)
    with pytest.raises(Refused, match="kiwi, mango, papaya, ananas"):
        bot_named("banana", rules)
