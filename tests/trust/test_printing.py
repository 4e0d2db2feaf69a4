"""Whatever is printed, logged or written down of a crash by mistake tells nobody a card, or what cards are made from."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import io
import logging
import pkgutil
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, get_args, get_type_hints
from unittest.mock import patch

import msgspec
import structlog
from rich.console import Console
from rich.pretty import pretty_repr
from rich.traceback import Traceback

import ananas
from ananas import fair, protocol
from ananas.coach.review import Decision
from ananas.fair.deck import SecretDeck
from ananas.game.board import Board, Placement
from ananas.game.cards import Card
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS
from ananas.game.secret import SECRET, Discreet
from ananas.game.view import PlayerView
from ananas.server import app, audit, room
from ananas.server.drafts import Drafts
from ananas.server.filter import discreet
from ananas.server.histories import finished_hands
from ananas.server.room import report
from ananas.server.store import Log, Mark, Row
from ananas.table.commands import Confirm, Deal, Seal, TimeOut
from ananas.table.events import Confirmed, HandDealt, HiddenDeck, HiddenMaster, HiddenPlacement
from ananas.table.state import Sealing
from ananas.table.view import Live, view_table
from tests.table.play import Play
from tests.trust.twins import logged_to

MASTER: Final = hashlib.sha256(b"master").digest()
SEED: Final = "5eed" * 8
THROWN: Final = "x"


@cache
def secrets_and_samples() -> tuple[frozenset[str], dict[str, object]]:
    """What nobody is to be told of a table in mid-hand, and everything that holds it."""
    play = Play(RULE_SETS["room"].but({"fantasyland": "off"}), "ann bob")
    play.scored(ann="plain", bob="in")
    play.next()
    play.ready("ann", "bob")
    for _ in range(3):
        play.confirm()
    table, hand = play.table, play.hand
    player = hand.acting[0]
    draft = hand.automatic(player, None)
    known = {card for board in hand.boards for card in board.cards}
    hidden = [card for card in hand.deck if card not in known]
    sealed = fair.unseal("t1/2", MASTER, (), hand.rules.deal, hand.seats, hand.fantasyland)
    proof = sealed.proof(sealed.deck[:5], over=False)
    sealing = Sealing(hand=2, root=sealed.root, master=MASTER.hex(), seeds={0: ("c" * 64, None)})
    table = msgspec.structs.replace(table, sealed=sealing, dealt_from=sealing)
    viewer = table.players[player]
    view = view_table(table, viewer, play.now, Live(drafts={hand.seats[player]: draft}))
    assert view.hand is not None
    finished = next(iter(finished_hands(play.log)))
    drafts = Drafts()
    drafts._by_seat[0] = (2, 2), draft
    samples: dict[str, object] = {
        "the table": table,
        "a hand": hand,
        "sealed decks": sealing,
        "a deck in the log": HiddenDeck(deck=hand.deck),
        "a master in the log": HiddenMaster(master=MASTER.hex()),
        "a placement in the log": HiddenPlacement(placement=str(draft), kept=str(draft)),
        "an event": Confirmed(at=1, seat=0, street=2, rows=None, hidden=HiddenPlacement(placement=str(draft))),
        "a row": Row(Mark(1, b""), (HandDealt(at=1, hand=2, seats=(0, 1), hidden=HiddenDeck(deck=hand.deck)),)),
        "a log": Log(1, (HandDealt(at=1, hand=2, seats=(0, 1), hidden=HiddenDeck(deck=hand.deck)),)),
        "the deal": Deal(deck=hand.deck, lot=0),
        "the seal": Seal(master=MASTER.hex(), root=sealed.root),
        "what is confirmed": Confirm(player=viewer, hand=2, street=2, placement=draft),
        "time that is out": TimeOut(drafts={0: draft}),
        "what is dealt from": sealed,
        "a deck and its salts": sealed._secret,
        "an opened card": proof.cards[0],
        "a proof": proof,
        "proofs": room._Proofs(2, sealed),
        "what the room knows beside": Live(drafts={0: draft}),
        "drafts": drafts,
        "a finished hand": finished,
        "what one sees": view,
        "what one is sent": protocol.View(version=1, view=view),
        "what one is sent of a proof": protocol.OpenedCards(proof=proof),
        "what one asks": protocol.Confirm(id="command-1", hand=2, street=2, placement=str(draft)),
        "how one arranges": protocol.Draft(hand=2, street=2, placement=str(draft)),
        "what one tells of a seed": protocol.OpenSeed(id="command-1", hand=2, seed=SEED),
        "a decision": Decision(view=view.hand, placement=draft, automatic=False),
        "decks that are checked": audit._Decks(2, "t1/2", sealed.root, MASTER.hex(), {}),
    }
    words = {str(card) for card in hidden} | {f"{card.name}" for card in hidden}
    words |= {str(card) for placement in finished.hand.placements for one in placement for card in one.discards}
    words |= {MASTER.hex(), SEED, *(salt.hex() for salt in sealed._secret.salts), repr(sealed._secret.salts[0])}
    return frozenset(words), samples


def told_in(text: str, words: frozenset[str]) -> list[str]:
    """Which of these words stand in a text, by themselves or in a row of others."""
    cards = set(
        re.findall(r"[2-9TJQKA][cdhs]|[cdhs][2-9TJQKA]", re.sub(r"0x[0-9a-f]+|[0-9a-f]{16,}|\w*_\w*", " ", text))
    )
    return [word for word in words if (word in text if len(word) > 2 else word in cards)]


def as_a_traceback(sample: object) -> str:
    """A crash beside it, with the values of all that was at hand."""
    out = Console(file=io.StringIO(), width=10_000)
    try:
        float("something")
    except ValueError as error:
        shown = Traceback.from_exception(type(error), error, error.__traceback__, show_locals=True)
        out.print(shown)
    assert sample is not None
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def as_logged(sample: object) -> str:
    out = io.StringIO()
    with logged_to(out):
        structlog.get_logger().warning("here it is", sample=sample, samples=[sample], text=repr(sample))
    return out.getvalue()


WAYS: Final[dict[str, Callable[[object], str]]] = {
    "repr": repr,
    "str": str,
    "format": "{}".format,
    "percent": lambda sample: "%s %r" % (sample, sample),  # noqa: UP031
    "rich": pretty_repr,
    "traceback": as_a_traceback,
    "log": as_logged,
}


def leaks(ways: dict[str, Callable[[object], str]] = WAYS) -> set[str]:
    """What tells something, and by which way."""
    words, samples = secrets_and_samples()
    return {
        f"{what} by {way}" for way, prints in ways.items() for what, sample in samples.items()
        if told_in(prints(sample), words)
    }  # fmt: skip


def test_secrets_print_as_such() -> None:
    assert leaks() == set()
    _, samples = secrets_and_samples()
    assert SECRET in repr(samples["a hand"])
    assert SECRET in pretty_repr(samples["the table"])


def test_a_class_that_prints_itself_is_caught() -> None:
    with patch.object(Discreet, "__repr__", msgspec.Struct.__repr__):
        found = leaks({"repr": repr, "format": "{}".format})
    assert len({each.partition(" by ")[0] for each in found}) > 18
    with patch.object(Discreet, "__rich_repr__", msgspec.Struct.__rich_repr__):
        assert len(leaks({"rich": pretty_repr})) > 18
        assert leaks({"traceback": as_a_traceback})

    def in_full(deck: SecretDeck) -> str:
        return str([*deck])

    with patch.object(SecretDeck, "__repr__", in_full):
        assert leaks({"repr": repr}) == {"a deck and its salts by repr"}


# -- whoever adds a class that holds cards has to think of it

FOR_EYES: Final = {
    # Cards by themselves, wherever they come from; what holds them for somebody is discreet.
    "game.board.Placement", "game.board.Board",
    # Made for the eyes of one who may know it, and printed for him alone: a history, a position, a verdict of the coach.
    "game.notation", "coach.report", "solver", "bots",
    # Hold others that are discreet, and no card beside them.
    "game.view.HandView", "table.state.Before", "table.state.Table",
    # Public by what they are: the boards in a list of hands; what can be done with cards, and none itself.
    "server.histories.Entry", "server.room.Helpers",
}  # fmt: skip
"""Classes that hold cards, or others that do, and print what is in them; or modules full of them."""
WORDS: Final = {"master", "salt", "placement", "kept", "draft", "deck"}
"""Fields whose texts tell cards, or what makes them."""


def structs() -> Iterator[type[msgspec.Struct]]:
    """Every class of values in the package."""
    for module in pkgutil.walk_packages(ananas.__path__, "ananas."):
        if module.name.rpartition(".")[2] in {"__main__", "rl", "training"}:  # these want more than is installed
            continue
        found = importlib.import_module(module.name)
        for _, kind in inspect.getmembers(found, inspect.isclass):
            if issubclass(kind, msgspec.Struct) and kind.__module__ == module.name:
                yield kind


def parts(hint: object) -> Iterator[object]:
    """A type, and all that stands in its brackets."""
    yield hint
    for part in get_args(hint):
        yield from parts(part)


def holds_cards(kind: type[msgspec.Struct]) -> bool:
    hints: dict[str, Any] = get_type_hints(kind)
    for name in kind.__struct_fields__:
        inside = set(map(id, parts(hints[name])))
        if {id(Card), id(Placement), id(Board), id(Hand), id(PlayerView)} & inside:
            return True
        if name in WORDS and id(str) in inside:
            return True
    return False


def unguarded(kinds: Iterator[type[msgspec.Struct]] | list[type[msgspec.Struct]]) -> set[str]:
    return {
        kind.__name__
        for kind in kinds
        if holds_cards(kind)
        and not issubclass(kind, Discreet)
        and not any(f"{kind.__module__}.{kind.__name__}.".startswith(f"ananas.{known}.") for known in FOR_EYES)
    }


def test_every_class_that_holds_cards_prints_none_or_is_known() -> None:
    assert unguarded(structs()) == set()


def test_a_new_class_that_prints_cards_is_caught() -> None:
    class Peek(msgspec.Struct):
        cards: tuple[Card, ...]

    class Words(msgspec.Struct):
        master: str | None

    scope: dict[str, object] = {"Card": Card}
    with patch.dict(sys.modules[__name__].__dict__, scope):
        assert unguarded([Peek, Words]) == {"Peek", "Words"}


def test_whoever_is_discreet_tells_only_fields_without_cards() -> None:
    for kind in structs():
        if issubclass(kind, Discreet):
            assert set(kind.told) <= {*kind.__struct_fields__}, kind
            assert not set(kind.told) & {*WORDS, "cards", "dealt", "discards", "drafts", "seed"}, kind


# -- the log, and crashes

CARDS: Final = "QhJd Ts and x3c"
KEY: Final = MASTER.hex()


def hurt(text: str) -> ValueError:
    try:
        float(text)
    except ValueError as error:
        return error
    raise AssertionError(text)


def log_everything(log: io.StringIO) -> None:
    """Log in every way there is what nobody is to read."""
    forward = app._Forward()
    error = hurt(f"{CARDS} {KEY}")
    with logged_to(log):
        report("a step failed", error, table="5c5wpdgqczqn")
        told = structlog.get_logger()
        told.info("laid", cards=CARDS, key=KEY, deck=[Card("Qh"), Card("Jd")], error=error)
        told.info(f"laid {CARDS}", where=("server/room.py:12", CARDS))
        told.exception("broken", exc_info=error)
        for record in (
            logging.LogRecord("asyncio", logging.ERROR, "", 0, f"a task broke\n{CARDS} {error!r}", (), _info(error)),
            logging.LogRecord("asyncio", logging.ERROR, "", 0, f"a task broke\n{CARDS} {KEY}", (), None),
            logging.LogRecord("uvicorn", logging.ERROR, "", 0, "%s and %r", (CARDS, Card("Qh")), None),
        ):
            forward.emit(record)


def _info(error: BaseException) -> tuple[type[BaseException], BaseException, types.TracebackType | None]:
    return type(error), error, error.__traceback__


WANTED: Final = frozenset({"Qh", "Jd", "Ts", "3c", "hQ", "dJ", KEY})


def test_the_log_names_no_card_whoever_writes_it() -> None:
    log = io.StringIO()
    log_everything(log)
    assert len(log.getvalue().splitlines()) == 7
    assert told_in(log.getvalue(), WANTED) == []
    for said in ("a step failed", "5c5wpdgqczqn", "server/room.py:12", "a task broke", "ValueError", SECRET):
        assert said in log.getvalue()


def _as_it_is(_: object, __: str, event: Any) -> Any:  # noqa: ANN401
    event.pop("exc_info", None)
    return {name: value if isinstance(value, str) else repr(value) for name, value in event.items()}


def test_a_log_that_lets_all_through_is_caught() -> None:
    log = io.StringIO()
    with patch.object(app, "discreet", _as_it_is):
        log_everything(log)
    assert len(told_in(log.getvalue(), WANTED)) >= 5


def test_a_log_that_lets_the_words_of_an_error_through_is_caught() -> None:
    def in_full(text: str) -> str:
        return text

    log = io.StringIO()
    with patch.object(app, "_first_line", in_full), patch.object(app, "discreet", _as_it_is):
        log_everything(log)
    assert "x3c" in log.getvalue()


CRASH: Final = """
import sys, threading
from ananas.server.app import log_plainly
log_plainly()
def broken():
    raise ValueError("QhJd and " + "{key}")
class Gone:
    def __del__(self):
        broken()
thread = threading.Thread(target=broken); thread.start(); thread.join()
gone = Gone()
del gone
{plant}
broken()
"""


def crash(plant: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", CRASH.format(key=KEY, plant=plant)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done.stderr


def test_a_crash_report_names_no_card() -> None:
    said = crash()
    assert told_in(said, WANTED) == []
    for what in ("a thread broke", "where nobody could be told", "the process broke", "ValueError"):
        assert what in said


def test_a_crash_report_in_pythons_own_words_is_caught() -> None:
    assert told_in(crash("sys.excepthook = sys.__excepthook__"), WANTED)


def test_the_filter_knows_cards_from_words() -> None:
    def through(text: str) -> object:
        return discreet(None, "info", {"text": text})["text"]

    for card in Card:
        assert str(card) not in str(through(f"he has {card}, he says")), card
        assert card.name not in str(through(f"{card!r}")), card
    for word in (
        "kiwi",
        "5c5wpdgqczqn",
        "the room is closed",
        "2 tables",
        "guest:0123456789abcdef",
        "server/room.py:12",
    ):
        assert through(word) == word
