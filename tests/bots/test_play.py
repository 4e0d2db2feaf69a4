"""A bot at the table: it answers from the bytes of its View, legally, and from nothing it cannot know."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import pytest

from ananas.bots import play as at_table
from ananas.bots.play import answer
from ananas.game.cards import Card
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.protocol import Pong, View, encode
from ananas.table.chips import may_top_up
from ananas.table.view import Live, TableView, view_table
from tests.table.play import Play, deck, rich_deck

PLAYERS = "ann bob cyd"
Show = Callable[[Play, str | None], TableView]


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that depend on the view alone, not on how busy the machine is, and come soon."""
    monkeypatch.setattr(at_table, "LIMIT", math.inf)


def show(play: Play, viewer: str | None) -> TableView:
    return view_table(play.table, viewer, play.now, Live())


def message(play: Play, viewer: str | None, shown: Show = show) -> bytes:
    return encode(View(version=len(play.log), view=shown(play, viewer)))


def begun(seats: int, rules: str = "room", decks: Callable[[int], tuple[Card, ...]] = deck) -> Play:
    players = PLAYERS.split()[:seats]
    play = Play(RuleSet.parse(rules), " ".join(players), decks=decks)
    play.ready(*players)
    return play


def acting(play: Play) -> str:
    return play.acting[0]


# -- what it answers


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seats", [2, 3])
def test_bots_play_whole_matches_and_every_answer_is_taken(rules: str, seats: int) -> None:
    """Decks in which what is alike lies together: many a match goes on with Fantasyland."""
    players = PLAYERS.split()[:seats]
    play = begun(seats, rules, rich_deck)
    fantasyland = 0
    for _ in range(12):
        while play.table.laying:
            for asked in reversed(play.acting):  # where several act, none waits for another
                text = answer(message(play, asked))
                assert text is not None
                play.lay(asked, text)
                if not play.hand.closed:
                    break
        assert play.hand.over
        assert play.hand.reckoning is not None
        for cards, result in zip(play.hand.fantasyland, play.hand.reckoning.players, strict=True):
            fantasyland += cards > 0
            assert not (cards and result.foul)
        for player in players:
            number = play.table.seat_of(player)
            allowed = None if number is None else may_top_up(play.table, number)
            if allowed and play.table.is_broke(play.seat(player)):
                play.top_up(player, allowed[0])
        if play.table.pausing:
            play.go_on(*players)
        else:
            play.ready(*players)
    assert play.table.hands >= 12
    assert fantasyland >= 1


def test_it_answers_where_it_has_cards_to_lay_only() -> None:
    play = Play(RuleSet(), "ann bob")
    assert [answer(message(play, viewer)) for viewer in ("ann", "bob", None)] == [None] * 3, "before the first hand"
    play.ready("ann", "bob")
    play.sit("cyd")
    asleep = {"ann", "bob", "cyd", None} - {acting(play)}
    assert [answer(message(play, viewer)) for viewer in asleep] == [None] * 3, "while another thinks"
    assert answer(message(play, acting(play))) is not None
    play.finish()
    assert [answer(message(play, viewer)) for viewer in ("ann", "bob", None)] == [None] * 3, "at the showdown"


def test_where_several_act_at_once_each_is_answered_for_himself() -> None:
    play = Play(RuleSet(), "ann bob")
    play.scored(ann="in", bob="plain")
    play.next(ann="stays", bob="plain")
    play.go_on("ann", "bob")
    assert sorted(play.acting) == ["ann", "bob"]
    for asked in ("bob", "ann"):
        text = answer(message(play, asked))
        assert text is not None
        play.lay(asked, text)
    assert play.acting == ("bob",)
    assert answer(message(play, "ann")) is None


def test_another_message_is_no_view() -> None:
    with pytest.raises(msgspec.ValidationError):
        answer(encode(Pong(probe=1)))


def test_it_pickles_for_the_process_where_bots_think() -> None:
    import pickle

    assert pickle.loads(pickle.dumps(answer)) is answer


# -- what it cannot know


def twin(hand: Hand, player: int) -> Hand:
    """The hand as far as this player knows it, with the cards he has not seen in one another's places."""
    own = {card for placement in hand.placements[player] for card in placement.cards} | set(hand.dealt(player))
    seen = own | {card for board in hand.boards for card in board.cards}
    unseen = [card for card in hand.deck if card not in seen]
    other = dict(zip(unseen, unseen[7:] + unseen[:7], strict=True))

    def swap(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    world = Hand.deal(hand.rules, swap(hand.deck), hand.seats, stacks=hand.stacks)
    while [*map(len, world.placements)] != [*map(len, hand.placements)]:
        turn = world.acting[0]
        placement = hand.placements[turn][len(world.placements[turn])]
        world = world.place(turn, msgspec.structs.replace(placement, discards=swap(placement.discards)))
    return world


def answers_in_both_worlds(shown: Show) -> list[tuple[str | None, str | None]]:
    """Every answer of a hand of three, and the answer in a world that differs in what this seat cannot know."""
    found: list[tuple[str | None, str | None]] = []
    play = begun(3)
    while play.table.laying:
        asked = acting(play)
        here = answer(message(play, asked, shown))
        elsewhere = Play(play.table.rules)
        elsewhere._table = msgspec.structs.replace(play.table, hand=twin(play.hand, play.hand.acting[0]))
        elsewhere.now, elsewhere.log = play.now, play.log
        assert elsewhere.hand.deck != play.hand.deck
        found.append((here, answer(message(elsewhere, asked, shown))))
        play.confirm(choice=5 * len(found))
    return found


def test_what_a_seat_cannot_know_changes_no_answer() -> None:
    answers = answers_in_both_worlds(show)
    assert len(answers) == 15
    assert all(here == there for here, there in answers)


def test_a_view_that_tells_discards_is_noticed() -> None:
    def leaking(play: Play, viewer: str | None) -> TableView:
        view = show(play, viewer)
        assert view.hand is not None
        thrown = [
            tuple(card for placement in placements for card in placement.discards)
            for placements in play.hand.placements
        ]
        players = tuple(
            msgspec.structs.replace(player, discards=discards)
            for player, discards in zip(view.hand.players, thrown, strict=True)
        )
        return msgspec.structs.replace(view, hand=msgspec.structs.replace(view.hand, players=players))

    assert any(here != there for here, there in answers_in_both_worlds(leaking))
