"""Writes `web/dev/fixtures/*.json`: the table's views in every state the client has to draw; and the proofs of some.

Each is the message a socket would get, made by playing real commands through the table's own rules, so that no picture
shows what cannot happen. Run it as `PYTHONPATH=src python tests/web/make_fixtures.py` after a change of the views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from ananas import fair
from ananas.game.board import Board, Placement
from ananas.game.cards import DECK, Card, parse_cards, print_cards
from ananas.game.rules import RuleSet
from ananas.game.view import cards_seen
from ananas.protocol import OpenedCards, View, encode
from ananas.table.clock import deadline
from ananas.table.commands import (
    Break,
    ChangeRules,
    Command,
    CommitSeed,
    Confirm,
    Deal,
    Disconnect,
    GoOn,
    Lag,
    Leave,
    Open,
    OpenSeed,
    Ready,
    Seal,
    Sit,
    TimeOut,
    Void,
    Waive,
)
from ananas.table.decide import decide, order_of_play, to_be_dealt
from ananas.table.evolve import evolve
from ananas.table.seeds import drawn, hand_id, unsealed
from ananas.table.state import Table
from ananas.table.view import Live, Phrase, SaidView, view_table

TARGET: Final = Path(__file__).parents[2] / "web" / "dev" / "fixtures"
PROOFS: Final = TARGET.with_name("proofs")
"""The proofs of the sealed hands among them, as the file and as the message that comes to a window."""

Streets = tuple[tuple[str, str], ...]

# Each player's streets: the cards in order of receipt, and what he does with them.
MARINA: Final = (
    ("KhTcTsAdAh", "Kh/TcTs/AdAh"),
    ("6d5d7c", "-/5d/6d x7c"),
    ("6c2hKd", "-/-/6c2h xKd"),
    ("9d5cQh", "9d/5c/- xQh"),
    ("Ks4s3d", "Ks/4s/- x3d"),
)
ANNA: Final = (
    ("Qs8hKcJc9c", "Qs/8h/KcJc9c"),
    ("8d4c2d", "-/8d/4c x2d"),
    ("QdAc5h", "Qd/-/Ac x5h"),
    ("3hTd6h", "-/3hTd/- x6h"),
    ("3s2s7d", "2s/3s/- x7d"),
)
BORIS: Final = (
    ("9h7s7hJsJd", "9h/7s7h/JsJd"),
    ("Jh5s8c", "-/-/Jh5s x8c"),
    ("4d4hQc", "-/4d4h/- xQc"),
    ("9s6s8s", "9s/-/6s x8s"),
    ("As3cTh", "As/3c/- xTh"),
)
FOULED: Final = (*ANNA[:4], ("3s2s7d", "3s/2s/- x7d"))
# The same cards, laid so that nobody gets Fantasyland.
ANNA_CALM: Final = (
    ("Qs8hKcJc9c", "-/Qs8h/KcJc9c"),
    ("8d4c2d", "-/8d/4c x2d"),
    ("QdAc5h", "-/Qd/Ac x5h"),
    ("3hTd6h", "3hTd/-/- x6h"),
    ("3s2s7d", "3s/2s/- x7d"),
)
MARINA_CALM: Final = (*MARINA[:4], ("Ks4s3d", "3d/4s/- xKs"))

FANTASY: Final = (("KhThTdJh9s8hTcJc7c6sKs5d4d2h", "KhKs4d/9s8h7c6s5d/ThTdTcJhJc x2h"),)
FANTASY_STAYS: Final = (("KhThTdKd9s8hTcJcTs6s7c5d4d2h", "KhKd4d/9s8h7c6s5d/ThTdTcTsJc x2h"),)
FANTASY_ACES: Final = (("AcAdAhKcQc7d7h7s2c3c3d3h9h9d", "9h9dQc/7d7h7s2cKc/AcAdAh3c3d x3h"),)
FANTASY_13: Final = (("KhThTdJh9s8hTcJc7c6sKs5d4d", "KhKs4d/9s8h7c6s5d/ThTdTcJhJc"),)
FANTASY_17: Final = (("KhThTdJh9s8hTcJc7c6sKs5d4d2hQhAd3s", "KhKs4d/9s8h7c6s5d/ThTdTcJhJc x2hQhAd3s"),)


def told(board: str, thrown: str = "", deal: tuple[int, ...] = (5, 3, 3, 3, 3)) -> Streets:
    """Streets that end in this board, with these discards; rows are filled one after the other, the top last."""
    rows = Board.parse(board)
    places = [(1, card) for card in rows.middle[:2]] + [(2, card) for card in rows.bottom]
    places += [(1, card) for card in rows.middle[2:]] + [(0, card) for card in rows.top]
    spare = list(parse_cards(thrown))
    streets: list[tuple[str, str]] = []
    for street, count in enumerate(deal):
        bins = [] if street == 0 or count == 1 else [spare.pop(0)]
        laid = [places.pop(0) for _ in range(count - len(bins))]
        cards = [card for _, card in laid] + bins
        texts = [print_cards([card for row, card in laid if row == wanted]) or "-" for wanted in range(3)]
        streets.append((print_cards(cards), "/".join(texts) + (f" x{print_cards(bins)}" if bins else "")))
    return tuple(streets)


def boards(
    more: Mapping[str, str] | None = None, /, *, club: bool = False, spare: Streets = (), **wanted: str
) -> dict[str, Streets]:
    """Scripts that end in the boards wanted; what is thrown away comes from the rest of the deck, less what is spared."""
    wanted |= more or {}
    used = {card for board in wanted.values() for card in parse_cards(board.replace("/", ""))}
    used |= {card for cards, _ in spare for card in parse_cards(cards)}
    rest = iter(card for card in DECK if card not in used)
    deal = (5, *[1] * 8) if club else (5, 3, 3, 3, 3)
    return {
        player: told(board, "" if club else print_cards(list(islice(rest, 4))), deal)
        for player, board in wanted.items()
    }


BORIS_BOARD: Final = "3s3d5c/6s6d8c8hAs/JsJhJd4s4d"
MARINA_BOARD: Final = "9d9h3c/AcAd4c4hKh/Th6cTc6h5d"
GLEB_BOARD: Final = "2d2cTs/9c9s8dKd5s/QcQh7d7c8s"
QUEENS_FOUR: Final = "QsQdTd/KsKcJc7s2s/2h3h5h7hAh"
LOW: Final = "2c2d3c/4c4h5c5h6c/7d7h7s8c8d"
LADIES: Final = "3d3h4s/6d6h9c9dTs/QcQdQsKcKd"
QUEENS: Final = "QsQd5c/8s8h8dKc2h/6s7s8c9dTs"
ACES: Final = "AsAd4c/3s4d5h6d7c/JhJdJc9s9c"
KINGS_DEAD: Final = "KhKd3h/AcQh9h6c2d/TdTc5s5d2c"

MARINA_LOW: Final = told("9d9h3c/AcAs4s4hQd/2s7sTsJsQs", "8c8dQc5c")
BORIS_LOW: Final = told("Qh8s5h/6d6c3d3hAd/KdKc2d2c7d", "4c5s6hAh")


class Story:
    """A table as commands make it, a second apart."""

    def __init__(self, name: str, rules: str) -> None:
        self.now = 1_000_000
        self.version = 0
        self.table: Table | None = None
        self.drafts: dict[int, Placement] = {}
        self.said: tuple[SaidView, ...] = ()
        self.scripts: Mapping[str, Streets] = {}
        self.tell(Open(table="dnepr-71", name=name, host="anna", rules=RuleSet.parse(rules)))

    def tell(self, command: Command, wait: int = 1_000) -> None:
        self.now += wait
        self.version += 1
        for event in decide(self.table, command, self.now):
            self.table = evolve(self.table, event)

    def alarm(self) -> None:
        """Wait until the table goes on by itself."""
        due = deadline(self.open)
        self.tell(TimeOut(), wait=0 if due is None else max(0, due - self.now))

    @property
    def open(self) -> Table:
        if self.table is None:
            raise AssertionError("the table is opened first")
        return self.table

    def sit(self, *names: tuple[str, str], buy_in: int | None = None) -> None:
        for player, name in names:
            self.tell(Sit(player=player, name=name, bot=player.startswith("bot:"), buy_in=buy_in))

    def ready(self, *players: str, always: bool = False) -> None:
        for player in players:
            self.tell(Ready(player=player, hand=self.open.hands + 1, always=always))

    def deal(self, **scripts: Streets) -> None:
        """Give each player the cards of his script; the first button goes to the first seat."""
        table = self.open
        moves = not table.rights or table.rules.button_in_fantasyland == "moves"
        order = [self._player(seat) for seat in order_of_play(table.called, table.button, 0, moves=moves)]
        self.scripts = {player: scripts[player.removeprefix("bot:")] for player in order}
        size = 52 // len(order)
        own = [parse_cards("".join(cards for cards, _ in self.scripts[player])) for player in order]
        named = [card for cards in own for card in cards]
        if len(set(named)) < len(named):
            raise AssertionError("a card is dealt twice")
        rest = iter([card for card in DECK if card not in named])
        deck: list[Card] = []
        for cards in own:
            deck += cards
            deck += islice(rest, size - len(cards))
        self.tell(Deal(deck=(*deck, *rest), lot=0))

    def _player(self, seat: int) -> str:
        sitter = self.open.seats[seat]
        if sitter is None:
            raise AssertionError("somebody sits there")
        return sitter.player

    def play(self, turns: int = 99, *, besides: tuple[str, ...] = ()) -> None:
        """Lay so many turns, or all of them, each after some seconds; those named only look on."""
        for turn in range(turns):
            hand = self.open.hand
            if hand is None or not self.open.laying:
                break
            acting = [place for place in hand.acting if self._player(hand.seats[place]) not in besides]
            if not acting:
                break
            player = self._player(hand.seats[acting[0]])
            street = len(hand.placements[acting[0]])
            placement = Placement.parse(self.scripts[player][street][1])
            self.tell(
                Confirm(player=player, hand=self.open.hands, street=street + 1, placement=placement),
                wait=4_000 + 1_700 * min(turn, 15),
            )
        self.drafts = {}

    def draft(self, seat: int, text: str) -> None:
        self.drafts[seat] = Placement.parse(text)

    def say(self, seat: int, phrase: Phrase) -> None:
        self.said = (*self.said, SaidView(number=len(self.said) + 1, seat=seat, phrase=phrase))

    def show(self, name: str, viewer: str | None = "anna", wait: int = 9_000) -> tuple[str, bytes]:
        """The view under the name of its file: what `viewer` sees after `wait` milliseconds."""
        live = Live(drafts=self.drafts, spectators=2, said=self.said)
        view = view_table(self.open, viewer, self.now + wait, live)
        return f"{name}.json", encode(View(version=self.version, view=view)) + b"\n"


class SealedStory(Story):
    """A table whose first hand is dealt from sealed decks; all lay as the table would."""

    def __init__(self) -> None:
        super().__init__("Вечерний стол", "room")
        self.sit(*THREE)
        self.begin()

    def begin(self) -> None:
        """Seal a hand, and deal it by the seeds of all three."""
        number = self.open.hands + 1
        name = hand_id("dnepr-71", number)
        seeds = {player: f"{place:032x}" for place, (player, _) in enumerate(THREE, 7)}
        self.tell(Seal(master=bytes(32).hex(), root=fair.seal(name, bytes(32))))
        for place, (player, seed) in enumerate(seeds.items()):
            self.tell(CommitSeed(player=player, hand=number, commitment=fair.commitment(name, place, seed)))
        self.ready(*seeds)
        for player, seed in seeds.items():
            self.tell(OpenSeed(player=player, hand=number, seed=seed), wait=10)
        sealed = self.open.sealed
        if sealed is None:
            raise AssertionError("it was sealed")
        lot = drawn("dnepr-71", sealed, self.open.called)
        seats, fantasyland = to_be_dealt(self.open, lot)
        self.dealt = unsealed("dnepr-71", sealed, self.open.rules, seats, fantasyland)
        self.tell(Deal(deck=self.dealt.deck, lot=lot))

    def lay(self, turns: int = 99) -> None:
        """Lay so many turns."""
        for turn in range(turns):
            hand = self.open.hand
            if hand is None or not self.open.laying:
                break
            player, street = hand.acting[0], hand.street_of(hand.acting[0])
            seat, placement = self._player(hand.seats[player]), hand.automatic(player, None)
            self.tell(
                Confirm(player=seat, hand=self.open.hands, street=street, placement=placement),
                wait=4_000 + 1_700 * min(turn, 15),
            )

    def prove(self, name: str, viewer: str | None) -> Iterator[tuple[str, bytes]]:
        """The proof of what `viewer` sees, as the message and as the file."""
        view = view_table(self.open, viewer, self.now, Live())
        if view.hand is None:
            raise AssertionError("a hand is there")
        cards, over = cards_seen(view.hand), view.hand.reckoning is not None
        message = encode(OpenedCards(proof=self.dealt.proof(cards, over=False)))
        yield f"{name}.json", message + b"\n"
        yield f"{name}.proof", fair.encode(self.dealt.proof(cards, over=over))


THREE: Final = (("anna", "Аня"), ("boris", "Борис"), ("marina", "Марина"))


def _three(rules: str = "room", buy_in: int | None = None) -> Story:
    """Anna, Boris and Marina, called to the first hand."""
    story = Story("Вечерний стол", rules)
    story.sit(*THREE, buy_in=buy_in)
    story.ready("anna", "boris", "marina")
    return story


def _second(turns: int = 99, anna: Streets = ANNA, marina: Streets = MARINA) -> Story:
    """After so many turns of a second hand, Boris on the button."""
    story = _three()
    story.deal(boris=BORIS, marina=MARINA_CALM, anna=ANNA_CALM)
    story.play()
    story.tell(TimeOut(), wait=60_000)
    story.ready("anna", "boris", "marina")
    story.deal(marina=marina, anna=anna, boris=BORIS)
    story.play(turns)
    return story


def _two(turns: int) -> Story:
    """Anna against a bot, she on the button."""
    story = Story("Партия с ботом", "room seats=2-2 point_price=0")
    story.sit(("anna", "Аня"), ("bot:kiwi", "Kiwi"))
    story.ready("anna", "bot:kiwi")
    story.deal(kiwi=MARINA, anna=ANNA)
    story.play(turns)
    return story


def make() -> Iterator[tuple[str, bytes]]:
    """Every fixture, as the name of its file and what stands in it."""
    yield from _first_hand()
    yield from _fantasyland()
    yield from _chips_and_time()
    yield from _club()
    yield from _hosted()
    for story, name, viewer in _sealed_hands():
        yield story.show(name, viewer=viewer, wait=2_000)
    yield from _interrupted()


def _sealed_hands() -> Iterator[tuple[SealedStory, str, str | None]]:
    """What can be checked: in mid-hand, for who looks on, at the showdown, and after a hand that did not count."""
    story = SealedStory()
    while story.open.hand is None or story.open.hand.acting != (story.open.hand.seats.index(0),) or story.version < 20:
        story.lay(1)
    yield story, "sealed", "anna"
    yield story, "sealed-watching", None
    story.lay()
    yield story, "sealed-showdown", "anna"
    story = SealedStory()
    story.tell(Void(reason="fault"))
    story.begin()
    yield story, "sealed-again", "anna"


def _interrupted() -> Iterator[tuple[str, bytes]]:
    """Several are lost at once, a hand does not count, lines are slow."""
    story = _second(7)
    for player, ms in (("anna", 100), ("boris", 500), ("marina", 300)):
        story.tell(Lag(player=player, ms=ms), wait=10)
    yield story.show("lag")
    story.tell(Disconnect(player="boris"))
    story.tell(Disconnect(player="marina"))
    yield story.show("held")
    yield story.show("held-watching", viewer=None)
    story = _second(7)
    story.tell(Void(reason="fault"))
    yield story.show("voided", wait=2_000)


def make_proofs() -> Iterator[tuple[str, bytes]]:
    """The proofs of the sealed hands, as the names of their files and what stands in them."""
    for story, name, viewer in _sealed_hands():
        yield from story.prove(name, viewer)


def _first_hand() -> Iterator[tuple[str, bytes]]:
    """What has to be drawn from opening a table to the showdown of an ordinary hand."""
    story = Story("Вечерний стол", "room")
    story.sit(("anna", "Аня"), ("bot:kiwi", "Kiwi"))
    story.ready("bot:kiwi")
    yield story.show("waiting")
    yield story.show("arriving", viewer="carol")
    story.tell(Sit(player="boris", name="Борис"))
    story.ready("anna")
    yield story.show("waiting-ready")

    story = _second(0)
    story.draft(2, "Kh/TcTs/-")
    yield story.show("street1-other")
    yield story.show("street1-watching", viewer=None)
    story.tell(Disconnect(player="marina"))
    yield story.show("street1-away")
    story = _second(1)
    yield story.show("street1-own")
    story.draft(0, "Qs/8h/Kc")
    yield story.show("street1-laying")

    story = _second(7)
    yield story.show("street3-start")
    story.draft(0, "Qd/-/-")
    yield story.show("street3-own")
    story.draft(0, "Qd/-/Ac x5h")
    yield story.show("street3-ready")
    story.tell(Disconnect(player="boris"))
    yield story.show("street3-late", wait=86_000)
    yield story.show("street3-bank", wait=130_000)
    story = _second(8)
    yield story.show("street3-other")
    yield story.show("watching", viewer=None)
    story.tell(Leave(player="anna"))
    yield story.show("leaving")

    story = _second(13)
    story.draft(0, "3s/2s/- x7d")
    yield story.show("foul-warning")
    story.draft(0, "2s/3s/- x7d")
    yield story.show("fantasy-secured")
    story = _second(14, FOULED)
    yield story.show("foul-laid")
    story = _second(anna=FOULED, marina=MARINA_CALM)
    yield story.show("showdown-foul", wait=2_000)

    story = _second(anna=ANNA_CALM, marina=MARINA_CALM)
    yield story.show("showdown", wait=2_000)
    yield story.show("showdown-watching", viewer="carol", wait=2_000)
    story.ready("marina", always=True)
    story.tell(TimeOut(), wait=9_000)
    story.ready("boris")
    yield story.show("showdown-hurry")
    story = _second(anna=ANNA_CALM, marina=MARINA_CALM)
    story.tell(TimeOut(), wait=10_000)
    story.ready("boris", "marina")
    story.tell(TimeOut(), wait=60_000)
    yield story.show("sitting-out")
    story = _second(anna=ANNA_CALM, marina=MARINA_CALM)
    story.tell(Leave(player="marina"))
    yield story.show("showdown-left", wait=1_000)
    yield story.show("showdown-arriving", viewer="carol", wait=1_000)

    story = _two(5)
    story.draft(0, "Qd/-/-")
    yield story.show("duel-own")
    story = _two(4)
    yield story.show("duel-other")
    story = _two(99)
    yield story.show("duel-showdown", wait=2_000)


def _fantasyland() -> Iterator[tuple[str, bytes]]:
    """A match with Fantasyland: alone, with others, at once and from the start, and the pauses between its hands."""
    story = _second(marina=MARINA_CALM)
    yield story.show("pause", wait=2_000)
    yield story.show("pause-other", viewer="boris", wait=2_000)
    yield story.show("pause-watching", viewer=None, wait=2_000)
    story.tell(GoOn(player="anna", hand=2))
    yield story.show("pause-gone-on", wait=1_000)
    story.tell(TimeOut(), wait=9_000)
    story.deal(marina=MARINA_LOW, boris=BORIS_LOW, anna=FANTASY)
    story.play(4)
    yield story.show("fantasy-others")
    story.play(besides=("anna",))
    yield story.show("fantasy14")
    story.draft(0, "-/-/ThTdTcJhJc")
    yield story.show("fantasy14-laying")
    story.draft(0, "KhKs4d/9s8h7c6s5d/ThTdTcJhJc x2h")
    yield story.show("fantasy14-ready")
    yield story.show("fantasy14-watching", viewer=None)
    yield story.show("fantasy14-other", viewer="boris")

    story.play()
    yield story.show("match-over", wait=2_000)

    story = _second(marina=MARINA_CALM)
    story.tell(Waive(player="anna"))
    yield story.show("lapsed", wait=1_000)

    story = _second(marina=MARINA_CALM)
    story.tell(TimeOut(), wait=9_000)
    others = boards(spare=FANTASY_STAYS, boris=LOW, marina="3d3h4s/6d6h9c9d2s/QcQdQsJdJh")
    story.deal(anna=FANTASY_STAYS, **others)
    story.play()
    yield story.show("pause-stays", wait=2_000)

    # Anna and Marina are in Fantasyland, Boris is not: all lay at once.
    story = _second()
    yield story.show("pause-two", wait=2_000)
    story.tell(TimeOut(), wait=9_000)
    others = boards(spare=FANTASY + FANTASY_ACES, boris="2d2s4c/5c5h6c6d9c/8c8d8s4h4s")
    story.deal(marina=FANTASY_ACES, anna=FANTASY, **others)
    yield story.show("closed-own")
    yield story.show("closed-ordinary", viewer="boris")
    yield story.show("closed-watching", viewer=None)
    story.play(1, besides=("boris", "marina"))
    story.play(1, besides=("boris", "anna"))
    yield story.show("closed-done")
    story.play()
    yield story.show("closed-showdown", wait=2_000)

    story = _three("progressive")
    story.deal(**boards(boris=BORIS_BOARD, marina=MARINA_BOARD, anna="7s7h7d/8d9sTdJcQd/2s2h2cKsKd"))
    story.play()
    yield story.show("pause-seventeen", wait=2_000)
    story.tell(TimeOut(), wait=9_000)
    story.deal(anna=FANTASY_17, **boards(spare=FANTASY_17, boris=LOW, marina=LADIES))
    story.play(10)
    yield story.show("fantasy17")


def _chips_and_time() -> Iterator[tuple[str, bytes]]:
    """Stacks that do not reach, busts in the match and between matches, absence."""
    story = Story("Вечерний стол", "room buy_in=10-100")
    for (player, name), chips in zip(THREE, (50, 10, 40), strict=True):
        story.sit((player, name), buy_in=chips)
    story.ready("anna", "boris", "marina")
    story.deal(**boards(boris=QUEENS, marina=ACES, anna=KINGS_DEAD))
    story.play()
    yield story.show("bust", viewer="boris", wait=2_000)
    yield story.show("bust-other", wait=2_000)
    yield story.show("capped", viewer="marina", wait=2_000)
    yield story.show("capped-watching", viewer=None, wait=2_000)

    story = Story("Вечерний стол", "room seats=2-2 buy_in=10-100")
    story.sit(("anna", "Аня"), ("boris", "Борис"))
    story.ready("anna", "boris")
    story.deal(**boards(boris=BORIS_BOARD, anna=KINGS_DEAD))
    story.play()
    yield story.show("bust-between", wait=12_000)

    # Whose chips are gone brings none, and there is nobody else to play Fantasyland against.
    story = Story("Вечерний стол", "room seats=2-2 buy_in=10-100")
    story.sit(("anna", "Аня"), ("boris", "Борис"))
    story.ready("anna", "boris")
    story.deal(**boards(boris=KINGS_DEAD, anna=QUEENS))
    story.play()
    yield story.show("bust-ask", viewer="boris", wait=2_000)
    story.tell(GoOn(player="boris", hand=1))
    yield story.show("ending", wait=1_000)
    yield story.show("ending-other", viewer="boris", wait=1_000)

    story = _second(5)
    story.tell(Disconnect(player="boris"))
    story.tell(TimeOut(), wait=320_000)
    story.play(1)
    yield story.show("absent")


def _club() -> Iterator[tuple[str, bytes]]:
    """Four at the table, nine streets, Fantasyland from the start."""
    four = {"boris": BORIS_BOARD, "marina": MARINA_BOARD, "gleb": GLEB_BOARD}
    story = _four("club")
    story.deal(**boards(club=True, spare=(), anna=QUEENS_FOUR, **four))
    story.play(2)
    yield story.show("club-first")
    story.play(13)
    yield story.show("club")
    yield story.show("club-watching", viewer=None)
    story.play()
    yield story.show("club-showdown", wait=2_000)
    yield story.show("club-showdown-watching", viewer=None, wait=2_000)
    story.tell(TimeOut(), wait=9_000)
    others = boards(club=True, spare=FANTASY_13, boris=LOW, marina=LADIES, gleb="2s2h3s/JdJsQh9h8s/AcAdAhAs5s")
    story.deal(anna=FANTASY_13, **others)
    story.play(6, besides=("anna",))
    yield story.show("club-fantasy")
    yield story.show("club-fantasy-other", viewer="boris")

    yield from _seats_left_free()

    story = _four("club scoring=2-4 royalties=line-winner")
    story.deal(**boards(club=True, spare=(), anna=QUEENS_FOUR, **four))
    story.play()
    yield story.show("club-lines", wait=2_000)


def _seats_left_free() -> Iterator[tuple[str, bytes]]:
    """Two and three at tables for four and for three, and who looks in before the first hand."""
    four = {"boris": BORIS_BOARD, "marina": MARINA_BOARD}
    for name, rules, others in (
        ("two-of-four", "club", ("boris",)),
        ("three-of-four", "club", ("boris", "marina")),
        ("two-of-three", "room", ("boris",)),
    ):
        club = rules == "club"
        story = Story("Клуб по пятницам", rules)
        story.sit(*THREE[: 1 + len(others)])
        story.ready("anna", *others)
        story.deal(**boards({other: four[other] for other in others}, club=club, anna=QUEENS_FOUR))
        story.play(3 * (1 + len(others)))
        yield story.show(name)
        story.play()
        yield story.show(f"{name}-showdown", wait=2_000)
        yield story.show(f"{name}-showdown-watching", viewer="carol", wait=2_000)
        story.tell(TimeOut(), wait=30_000)
        laid = FANTASY_13 if club else FANTASY
        lows = {other: (LOW, LADIES)[place] for place, other in enumerate(others)}
        story.deal(anna=laid, **boards(lows, club=club, spare=laid))
        story.play(besides=("anna",))
        yield story.show(f"{name}-fantasy")

    story = Story("Клуб по пятницам", "club scoring=2-4 royalties=line-winner point_price=1000 bank_seconds=60")
    story.sit(("anna", "Аня"), ("bot:kiwi", "Kiwi"), ("bot:mango", "Mango"))
    yield story.show("club-arriving", viewer="carol")
    story.sit(("bot:papaya", "Papaya"))
    yield story.show("club-full", viewer="carol")
    story.ready("anna", "bot:kiwi", "bot:mango", "bot:papaya")
    bots = {"kiwi": BORIS_BOARD, "mango": MARINA_BOARD, "papaya": GLEB_BOARD}
    story.deal(**boards(bots, club=True, anna=QUEENS_FOUR))
    story.play(14)
    yield story.show("club-bots")


def _hosted() -> Iterator[tuple[str, bytes]]:
    """What Anna does as the host, what is said at her table, and why somebody sits out."""
    story = _second(7)
    story.tell(Break(player="anna", on=True), wait=20_000)
    yield story.show("on-break", viewer="boris", wait=65_000)
    yield story.show("on-break-host", wait=65_000)

    story = Story("Вечерний стол", "room")
    story.sit(*THREE[:2])
    story.tell(Disconnect(player="boris"))
    yield story.show("host-menu")

    story = _second(anna=ANNA_CALM, marina=MARINA_CALM)
    story.tell(TimeOut(), wait=10_000)
    rules = RuleSet.parse("progressive hand_seconds=60 point_price=2000")
    story.tell(ChangeRules(player="anna", rules=rules), wait=15_000)
    yield story.show("notice-rules", viewer="boris", wait=2_000)

    story = _second(anna=ANNA_CALM, marina=MARINA_CALM)
    story.say(1, "nice-hand")
    story.say(2, "clap")
    yield story.show("said", wait=3_000)

    story = _three()
    for _ in range(2):
        if not story.open.called:
            story.ready("anna", "boris", "marina")
        story.deal(boris=BORIS, anna=ANNA_CALM, marina=MARINA_CALM)
        story.play(besides=("anna",))
        story.alarm()
        story.play()
        story.alarm()
    yield story.show("aside-idle", wait=2_000)


def _four(rules: str) -> Story:
    story = Story("Клуб по пятницам", rules)
    story.sit(*THREE, ("gleb", "Глеб"))
    story.ready("anna", "boris", "marina", "gleb")
    return story


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, message in make():
        (TARGET / name).write_bytes(message)
    PROOFS.mkdir(exist_ok=True)
    for name, proof in make_proofs():
        (PROOFS / name).write_bytes(proof)
