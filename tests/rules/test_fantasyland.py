"""The rule book, chapters 8 to 10: Fantasyland, and what is seen of a hand."""

from __future__ import annotations

from msgspec.structs import replace

from ananas.game.board import Board, Placement
from ananas.game.cards import parse_cards
from ananas.game.hand import Hand
from ananas.game.rules import CLUB, CLUB_PINEAPPLE, PROGRESSIVE, ROOM, RuleSet
from ananas.game.scoring import PlayerResult, reckon
from ananas.game.view import HandView, view_hand
from ananas.table.view import TableView
from tests.rules.book import (
    LEGAL,
    PLAIN,
    TRIPS,
    Evening,
    laid_to_the_end,
    reckoned,
    refusal,
    shown,
    shown_hand,
)
from tests.table.play import Play, deck, legal, unfinished

FOUR_AFTER = CLUB.but({"fantasyland_timing": "after"})
"""The club, where several of four may be in Fantasyland after the others."""


def result(top: str, middle: str, bottom: str, rules: RuleSet, *, lays: int = 0, repeats: int = 0) -> PlayerResult:
    """What a board brings by itself; that it may name a card twice makes no difference here."""
    board = Board(parse_cards(top), parse_cards(middle), parse_cards(bottom))
    return reckon([board], [0], rules, fantasyland=(lays,), repeats=(repeats,)).players[0]


def brings(top: str, rules: RuleSet) -> int:
    """The cards of the next hand for a row on top of a strong board."""
    return result(top, "2s2h2d2c3h", "4s4h4d4c5s", rules).fantasyland


def keeps(top: str, middle: str, bottom: str, rules: RuleSet, repeats: int = 0) -> int:
    """The cards of the next hand for a board that is laid in Fantasyland."""
    lays = rules.fantasyland_stay_cards
    return result(top, middle, bottom, rules, lays=lays, repeats=repeats).fantasyland


# -- 8. Who gets there and who stays


def test_8_1_queens_or_better_on_top() -> None:
    assert ROOM.fantasyland_entry == "QQ"
    for top, gets_in in (("JsJdAc", 0), ("AsKdQc", 0), ("QsQd2c", 14), ("KsKd2c", 14), ("AsAd2c", 14), ("2s2d2c", 14)):
        assert brings(top, ROOM) == gets_in
    aces = ROOM.but({"fantasyland_entry": "AA"})
    assert (brings("KsKd2c", aces), brings("AsAd2c", aces), brings("3s3d3c", aces)) == (0, 14, 14)
    assert brings("AsAd2c", ROOM.but({"fantasyland": "off"})) == 0
    loser, winner = reckoned(LEGAL, "AsAd4c/3s4d5h6d7c/JhJdJc9s9c").players
    assert (loser.points, loser.fantasyland, winner.fantasyland) == (-14, 14, 14)


def test_8_2_how_many_cards() -> None:
    tops = ("QsQd2c", "KsKd2c", "AsAd2c", "3s3d3c")
    assert [brings(top, ROOM) for top in tops] == [14] * 4
    for rules in (CLUB, CLUB_PINEAPPLE):
        assert [brings(top, rules) for top in tops] == [13] * 4
    assert [brings(top, PROGRESSIVE) for top in tops] == [14, 15, 16, 17]
    assert brings("9s9d2c", PROGRESSIVE.but({"fantasyland_entry": "99"})) == 14
    play = Evening(PROGRESSIVE, "ann bob", {0: PLAIN, 1: "5s5h5d/8s8h8d2c2h/9s9d9c9hAc"})
    play.ready("ann", "bob")
    play.lay_all()
    play.go_on("ann", "bob")
    assert play.hand.fantasyland == (0, 17)
    assert len(play.hand.dealt(1)) == 17


def test_8_3_what_keeps_one_there() -> None:
    conditions = {
        "trips on top": ("3s3d3c", "4s4d4cAhKh", "5s5d5cAhKh"),
        "full house in the middle": ("3s3d2c", "4s4d4cAhAc", "5s5d5cAhAc"),
        "quads in the middle": ("3s3d2c", "4s4d4c4hAc", "6s7s8s9sTs"),
        "quads at the bottom": ("3s3d2c", "4s4d6c7hAc", "5s5d5c5hAc"),
        "straight flush at the bottom": ("3s3d2c", "4s4d6c7hAc", "6s7s8s9sTs"),
        "queens on top": ("QsQd2c", "KsKd6c7hAc", "5s5d5cAhKh"),
    }
    stays = {
        name: [told for told, board in conditions.items() if keeps(*board, rules) > 0]
        for name, rules in (("room", ROOM), ("club", CLUB), ("pineapple", CLUB_PINEAPPLE), ("progressive", PROGRESSIVE))
    }
    always = ["trips on top", "quads at the bottom", "straight flush at the bottom"]
    # The quads in the middle above lie on a straight flush, which is enough everywhere.
    assert stays["room"] == stays["progressive"] == [always[0], "quads in the middle", *always[1:]]
    assert stays["club"] == [always[0], "full house in the middle", "quads in the middle", *always[1:]]
    only_middle = ROOM.but({"fantasyland_stay": "middle-quads"})
    assert keeps(*conditions["quads in the middle"], only_middle) == 14
    assert keeps(*conditions["full house in the middle"], only_middle) == 0
    assert keeps(*conditions["quads at the bottom"], only_middle) == 0
    assert "middle-quads" in CLUB_PINEAPPLE.fantasyland_stay
    assert "full house in the middle" not in stays["pineapple"]
    assert keeps(*conditions["trips on top"], ROOM.but({"fantasyland_stay": "none"})) == 0


def test_8_4_how_many_cards_on_staying() -> None:
    for top in ("2s2d2c", "AsAdAc"):
        board = (top, "3s3d3c3hAh", "4s4d4c4hAh")
        assert [keeps(*board, rules) for rules in (ROOM, PROGRESSIVE, CLUB, CLUB_PINEAPPLE)] == [14, 14, 13, 13]
    assert keeps("QsQd2c", "3s3d3c3hAh", "4s4d4c4hAh", PROGRESSIVE.but({"fantasyland_stay_cards": "15"})) == 15


def test_8_5_how_often_in_a_row() -> None:
    stays = [{0: PLAIN, 1: TRIPS}] * 6
    room = Evening(ROOM.but({"settlement_cap": "none"}), "ann bob", *stays)
    room.ready("ann", "bob")
    for hand in range(1, 6):
        room.lay_all()
        room.go_on("ann", "bob")
        assert room.table.hands == hand + 1
        assert dict(zip(room.hand.seats, room.hand.repeats, strict=True)) == {0: 0, 1: hand - 1}
    for rules in (CLUB, CLUB_PINEAPPLE):
        club = Evening(rules.but({"settlement_cap": "none"}), "ann bob", *stays)
        for matches in (1, 2):
            club.play()
            assert club.table.hands == matches * 3
            assert sum(club.hand.fantasyland) == 13
    # Who has stayed as often as he may does not keep the other from staying.
    trips = Board.parse(TRIPS)
    both = reckon([trips, trips], [0, 1], CLUB, fantasyland=(13, 13), repeats=(1, 0)).players
    assert [player.fantasyland for player in both] == [0, 13]


def test_8_6_never_from_a_dead_hand() -> None:
    dead = ("QsQdKc", "QhQcJdTs9h", "4s4h4d4c5s")
    for rules in (ROOM, CLUB, CLUB_PINEAPPLE, PROGRESSIVE):
        assert result(*dead, rules).fantasyland == 0
        assert result(*dead, rules, lays=14).fantasyland == 0
        assert result(*dead, rules).foul


def test_8_7_earned_while_others_are_in_it() -> None:
    play = Evening(ROOM, "ann bob", {0: PLAIN, 1: LEGAL}, {0: LEGAL, 1: PLAIN})
    play.ready("ann", "bob")
    play.lay_all()
    assert list(play.table.rights) == [1]
    play.go_on("ann", "bob")
    play.lay_all()
    assert list(play.table.rights) == [0]
    play.go_on("ann", "bob")
    match = shown(play, None).match
    assert match is not None
    assert (match.number, match.hand, match.over) == (1, 3, False)


# -- 9. How it is laid


def in_fantasyland(rules: RuleSet, *cards: int, number: int = 1) -> Hand:
    """A hand of a well mixed deck; the players are also their seats."""
    return Hand.deal(rules, deck(number), range(len(cards)), fantasyland=cards)


def all_views(hand: Hand) -> dict[int | None, HandView]:
    """What each seat and a spectator see, everybody who acts having arranged some of his cards."""
    drafts = {player: unfinished(hand, 5, player) for player in hand.acting}
    return {viewer: view_hand(hand, 1, viewer, drafts) for viewer in (*hand.seats, None)}


def seen_of(hand: Hand, player: int) -> set[tuple[int, bool, bool]]:
    """What the others see of a player: cards on his board, whether any in his hand, whether how they are arranged."""
    sides = [view.players[player] for viewer, view in all_views(hand).items() if viewer != player]
    return {(len(side.board.cards), bool(side.dealt), side.draft is not None) for side in sides}


def lay(hand: Hand, player: int) -> Hand:
    return hand.place(player, hand.automatic(player, None))


def test_9_1_all_at_once() -> None:
    hand = in_fantasyland(ROOM, 0, 14, 0)
    turns: list[int] = []
    while hand.acting != (1,):
        turns.append(hand.acting[0])
        hand = lay(hand, hand.acting[0])
    assert turns == [0, 2] * 5
    cards = "".join(hand.dealt(1))
    assert (len(cards), hand.to_lay(1)) == (28, 13)
    assert refusal(hand, 1, f"-/{cards[:10]}/{cards[10:20]} x{cards[20:]}") == "wrong-count"
    text = f"{cards[:6]}/{cards[6:16]}/{cards[16:26]} x{cards[26:]}"
    hand = hand.place(1, Placement.parse(text))
    assert hand.over
    assert len(hand.boards[1].cards) == 13


def test_9_2_after_the_others() -> None:
    hand = in_fantasyland(ROOM, 0, 14, 0)
    while hand.acting != (1,):
        (player,) = hand.acting
        assert hand.dealt(1) == ()
        assert seen_of(hand, player) == {(len(hand.boards[player].cards), *(hand.street_of(player) == 1,) * 2)}
        hand = lay(hand, player)
    assert len(hand.dealt(1)) == 14
    several = in_fantasyland(FOUR_AFTER, 0, 13, 0, 13)
    while not several.done(0) or not several.done(2):
        assert len(several.acting) == 1
        several = lay(several, several.acting[0])
    assert several.acting == (1, 3)
    assert lay(several, 3).acting == (1,)


def test_9_3_closed_where_all_but_one_are_in_it() -> None:
    for lays in ((0, 14), (14, 0, 14)):
        hand = in_fantasyland(ROOM, *lays)
        outside = lays.index(0)
        assert hand.closed
        assert hand.acting == tuple(range(len(lays)))
        assert len(hand.dealt(outside)) == 5
        hand = lay(hand, outside)
        assert (len(hand.dealt(outside)), hand.street_of(outside)) == (3, 2)
        for player in range(len(lays)):
            assert seen_of(hand, player) == {(0, False, False)}
    assert not in_fantasyland(ROOM, 0, 14, 0).closed


def test_9_4_from_the_start() -> None:
    for rules in (CLUB, CLUB_PINEAPPLE):
        for lays in ((0, 13), (13, 0, 13), (0, 13, 0)):
            hand = in_fantasyland(rules, *lays)
            first = lays.index(0)
            laying = [player for player, cards in enumerate(lays) if cards]
            assert not hand.closed
            assert set(hand.acting) == {first, *laying}
            assert all(len(hand.dealt(player)) == 13 for player in laying)
            hand = lay(hand, first)
            assert seen_of(hand, first) == {(5, False, False)}
            hand = lay(lay(hand, laying[0]), next(player for player in hand.acting if not lays[player]))
            assert seen_of(hand, laying[0]) == {(0, False, False)}


def test_9_5_closed_where_all_are_in_it() -> None:
    for rules in (ROOM, CLUB_PINEAPPLE):
        hand = in_fantasyland(rules, 13, 13, 13)
        assert hand.closed
        assert hand.acting == (0, 1, 2)
        hand = lay(hand, 1)
        assert hand.acting == (0, 2)
        assert all(seen_of(hand, player) == {(0, False, False)} for player in range(3))


def test_9_6_the_button_moves_or_stays() -> None:
    hands = ({0: PLAIN, 1: LEGAL}, {0: PLAIN, 1: TRIPS})
    for rules, held in ((ROOM, [0, 1, 0, 1]), (CLUB, [0, 0, 0, 1]), (CLUB_PINEAPPLE, [0, 0, 0, 1])):
        play = Evening(rules, "ann bob", *hands)
        buttons: list[int | None] = []
        play.ready("ann", "bob")
        for _ in range(3):
            play.lay_all()
            buttons.append(play.table.button)
            if play.table.in_match:
                play.go_on("ann", "bob")
        play.ready("ann", "bob")
        assert [*buttons, play.table.button] == held


# -- 10. What is seen


def test_10_1_street_one_is_open_or_closed() -> None:
    for rules in (ROOM, PROGRESSIVE):
        hand = Hand.deal(rules, deck(1), (0, 1, 2))
        for view in all_views(hand).values():
            assert view.players[0].dealt == hand.dealt(0)
            assert view.players[0].draft == str(unfinished(hand, 5, 0))
    for rules in (CLUB, CLUB_PINEAPPLE):
        hand = Hand.deal(rules, deck(1), (0, 1, 2))
        assert seen_of(hand, 0) == {(0, False, False)}
        assert all_views(hand)[0].players[0].dealt == hand.dealt(0)
        assert seen_of(lay(hand, 0), 0) == {(5, False, False)}


def second_street() -> Hand:
    hand = Hand.deal(ROOM, deck(1), (0, 1, 2))
    for _ in range(4):
        hand = hand.place(hand.acting[0], legal(hand, 1))
    return hand


def test_10_2_later_streets_are_closed() -> None:
    hand = second_street()
    for viewer, view in all_views(hand).items():
        acting = view.players[1]
        assert (bool(acting.dealt), acting.draft is not None) == ((viewer == 1),) * 2
        assert acting.dealt_count == 3
        assert view.players[0].laid == hand.placements[0][-1].laid


def test_10_3_nothing_of_fantasyland_before_the_showdown() -> None:
    for dealt in (in_fantasyland(FOUR_AFTER, 0, 13, 0, 13), in_fantasyland(ROOM, 14, 0)):
        hand = dealt
        while hand.acting:
            for player, cards in enumerate(hand.fantasyland):
                if cards or hand.closed:
                    assert seen_of(hand, player) == {(0, False, False)}
            hand = lay(hand, hand.acting[-1])
        for view in all_views(hand).values():
            assert [player.board for player in view.players] == list(hand.boards)


def test_10_4_discards_stay_hidden() -> None:
    for lays in ((0, 0, 0), (0, 14, 0), (14, 0)):
        hand = laid_to_the_end(in_fantasyland(ROOM, *lays))
        for viewer, view in all_views(hand).items():
            for player, placed in zip(view.players, hand.placements, strict=True):
                thrown = tuple(card for placement in placed for card in placement.discards)
                assert player.discards == (thrown if player.seat == viewer else ())
            known = {card for player in view.players for card in (*player.board.cards, *player.discards)}
            own = 0 if viewer is None else 1 if lays[viewer] else 4
            assert len(known) == 13 * len(lays) + own
    more = Hand.deal(ROOM.but({"deal": "6,3,3,3,2"}), deck(1), (0, 1))
    spectator = view_hand(more, 1, None, {}).players[0]
    assert len(spectator.dealt) == 6
    assert not spectator.discards


def test_10_5_no_running_score() -> None:
    play = Play(ROOM, "ann bob")
    play.ready("ann", "bob")
    while play.table.laying:
        view = shown(play, "ann")
        assert view.hand is not None
        assert view.hand.reckoning is None
        assert [seat and seat.total for seat in view.seats[:2]] == [0, 0]
        play.confirm()
    assert shown_hand(play, "ann").reckoning == play.hand.reckoning is not None


def test_10_6_a_spectator_sees_what_is_open() -> None:
    for hand in (second_street(), in_fantasyland(ROOM, 0, 14, 0), in_fantasyland(ROOM, 14, 0)):
        views = all_views(hand)
        for place, player in enumerate(views[None].players):
            for viewer in hand.seats:
                assert viewer == place or views[viewer].players[place] == player
    play = Play(ROOM, "ann bob")
    play.ready("ann", "bob")
    assert shown_hand(play, "somebody") == shown_hand(play, None)
    assert shown(play, None).may == ()


def test_10_7_the_grid_of_cards_seen() -> None:
    assert ROOM.seen_cards == "shown"
    views: list[TableView] = []
    for value in ("shown", "hidden"):
        play = Play(ROOM.but({"seen_cards": value}), "ann bob")
        play.ready("ann", "bob")
        for _ in range(4):
            play.confirm()
        view = shown(play, "bob")
        assert view.rules.seen_cards == value
        views.append(replace(view, rules=ROOM))
    assert views[0] == views[1], "what the grid is made of is the view itself, which is the same"
