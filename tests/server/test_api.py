"""The REST routes: tables and their hands and accounts, shared hands, second devices; and whoever asks too much."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from ananas.game.notation import read_histories, read_history
from ananas.game.rules import RuleSet
from ananas.protocol import HandList, HandReplay
from ananas.refused import Refused
from ananas.server import api as module
from ananas.server.app import build_app
from ananas.server.guests import hash_token
from ananas.server.histories import FinishedHand, finished_hands, one_hand
from ananas.server.links import DEVICE_SECONDS
from ananas.server.replays import replay
from ananas.server.settings import Settings
from ananas.server.store import Guest, Store
from ananas.server.time import RoomClock
from ananas.server.workers import Workers
from ananas.table.account import Account, account
from ananas.table.events import AnyEvent, Opened, Sat
from ananas.table.state import Table
from tests.server import coaches
from tests.server.house import House
from tests.server.tampering import tampering
from tests.server.test_archive import keep
from tests.server.test_histories import elsewhere, evening, renamed
from tests.table.play import NAMES, Play

PUBLIC: Final = "https://ofc.example"
PEOPLE: Final = ("ann", "bob", "cyd", "dee", "eve")
"""Guests of the room, each known by the cookie of his own name; Eve has never played."""
LOG: Final = evening(RuleSet.named("room").but({"fantasyland": "off"})).log
"""Eight hands of Ann, Bob and, in the first three of them, Cyd; then of Dee."""


def running() -> list[AnyEvent]:
    """A table whose first hand is being played."""
    play = Play(RuleSet(), "ann bob")
    play.ready("ann", "bob")
    play.confirm()
    return play.log


def begun(*people: str, public: bool) -> list[AnyEvent]:
    """A table at which these people have sat down."""
    play = Play(RuleSet(), " ".join(people))
    return [replace(event, public=public) if isinstance(event, Opened) else event for event in play.log]


TABLES: Final[Mapping[str, Sequence[AnyEvent]]] = {
    "evening": LOG,
    "running": running(),
    "empty": begun(public=True),
    "bots": begun("bot:0", public=True),
    "private": begun("ann", public=False),
    "public": begun("ann", "bot:0", public=True),
}


class Asking:
    """Somebody who asks the room; in order to be nobody he asks `as_` None."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def __call__(self, method: str, path: str, body: object = None, *, as_: str | None = None, **headers: str) -> Any:  # noqa: ANN401
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if as_ is not None:
            named["cookie"] = f"ananas_guest={as_}"
        self.client.cookies.clear()
        if body is not None:
            named.setdefault("content-type", "application/json")
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        return self.client.request(method, path, headers=named, content=sent)

    def table(self, table_id: str) -> Table:
        """A live table as it is."""
        app: Any = self.client.app
        found: Table = app.state.rooms._rooms[table_id].table
        return found

    def get(self, path: str, *, as_: str | None = None) -> bytes:
        answer = self("GET", path, as_=as_)
        assert answer.status_code == 200, answer.text
        found: bytes = answer.content
        return found

    def json(self, path: str, *, as_: str | None = None) -> Any:  # noqa: ANN401
        return json.loads(self.get(path, as_=as_))

    def share(self, path: str, *, names: bool = True, as_: str | None = None) -> str:
        """The address of what a link shows."""
        answer = self("POST", f"{path}/share", {"names": names}, as_=as_)
        assert answer.status_code == 201, answer.text
        assert set(answer.json()) == {"link"}
        return f"/api/shared/{answer.json()['link']}"

    def link(self, who: str) -> str:
        """The address of a link to a second device."""
        answer = self("POST", "/api/devices", as_=who)
        assert answer.status_code == 201, answer.text
        assert answer.json() == {"link": answer.json()["link"], "seconds": DEVICE_SECONDS}
        return f"/api/devices/{answer.json()['link']}"


async def _furnish(path: Path, tables: Mapping[str, Sequence[AnyEvent]]) -> None:
    store = Store(path)
    try:
        for name in PEOPLE:
            await store.add_guest(Guest(name, NAMES[name]), hash_token(name), 0)
        for table_id, log in tables.items():
            named = [replace(event, table=table_id) if isinstance(event, Opened) else event for event in log]
            await keep(store, table_id, named)
    finally:
        store.close()


class Now:
    """The room's time, at which these tables were left, unless a test turns it on."""

    ms: int = 1_000_000


def now(_: RoomClock) -> int:
    return Now.ms


@pytest.fixture(scope="module", autouse=True)
def _time_stands() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RoomClock, "now", now)
        yield


@contextmanager
def room(
    path: Path, tables: Mapping[str, Sequence[AnyEvent]] = TABLES, *, creations: int = 10_000
) -> Generator[Asking]:
    """A room with these tables, in the test's own process."""
    if not path.exists():
        asyncio.run(_furnish(path, tables))
    app = build_app(Settings(database=path, creations=creations, reviews="asked"), Store(path), PUBLIC)
    with TestClient(app, base_url=PUBLIC) as client:
        yield Asking(client)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A room that the tests share; it lets everybody ask as much as he likes."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("DOWNLOADS", "LISTS", "REPLAYS", "DEVICES", "REVIEWS", "HINTS", "PUZZLES"):
            patch.setattr(module, limit, 10_000)
        with room(tmp_path_factory.mktemp("room") / "room.sqlite") as asking:
            yield asking


def finished(number: int) -> FinishedHand:
    return next(finished_hands(LOG, number))


# -- tables


def test_the_open_tables_are_those_that_are_public_and_at_which_people_sit(ask: Asking) -> None:
    for table_id in ("empty", "bots", "private", "public"):  # a table is live when somebody has asked for it
        ask.get(f"/api/tables/{table_id}")
    listed = ask.json("/api/tables")
    assert set(listed) == {"tables"}
    assert [card["table"] for card in listed["tables"]] == ["public"]
    assert listed["tables"][0] == ask.json("/api/tables/public")


def test_a_card_says_what_is_played_who_sits_there_and_how_far_they_are(ask: Asking) -> None:
    assert ask.json("/api/tables/public") == {
        "table": "public",
        "name": "Friday",
        "rules": "room",
        "changes": {},
        "seats": [2, 3],
        "buy_in": [50, 100],
        "point_price": 1000,
        "sitters": [{"name": "Ann", "bot": False}, {"name": "Kiwi", "bot": True}],
        "playing": False,
        "hands": 0,
    }
    assert ask.json("/api/tables/evening")["hands"] == 8
    assert ask.json("/api/tables/empty")["sitters"] == []


def test_a_hand_that_is_played_is_not_counted(ask: Asking) -> None:
    card = ask.json("/api/tables/running")
    assert (card["playing"], card["hands"]) == (True, 0)
    assert ask.json("/api/tables/running/account")["hands"] == 0
    assert ask.json("/api/tables/running/hands")["hands"] == []


def test_a_table_is_opened_for_all_or_for_those_who_have_the_link(ask: Asking) -> None:
    for body, public in (({}, False), ({"public": False}, False), ({"public": True}, True)):
        answer = ask("POST", "/api/tables", {"name": "Friday", **body}, as_="ann")
        assert answer.status_code == 201
        assert ask.table(answer.json()["table"]).public == public


def test_only_so_many_tables_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TABLES", 2)
    tables = {f"table{number}": TABLES["public"] for number in range(4)}
    with room(tmp_path / "room.sqlite", tables) as ask:
        for table_id in tables:
            ask.get(f"/api/tables/{table_id}")
        assert len(ask.json("/api/tables")["tables"]) == 2


def test_the_account_is_that_of_the_table_and_knows_who_asks(ask: Asking) -> None:
    for who in (*PEOPLE, None):
        found = msgspec.json.decode(ask.get("/api/tables/evening/account", as_=who), type=Account, strict=True)
        assert found == account(ask.table("evening"), who)
        assert [player.name for player in found.players if player.you] == (
            [] if who in {"eve", None} else [NAMES[str(who)]]
        )
        assert (found.table, found.hands) == ("evening", 8)
    assert ask.json("/api/tables/empty/account")["players"] == []


# -- finished hands


def test_the_list_and_every_hand_are_told_to_each_as_he_may_know_them(ask: Asking) -> None:
    for who in (*PEOPLE, "nobody-has-this-cookie", None):
        listed = msgspec.json.decode(ask.get("/api/tables/evening/hands", as_=who), type=HandList)
        assert [hand.number for hand in listed.hands] == [8, 7, 6, 5, 4, 3, 2, 1]
        texts = read_histories(ask.get("/api/tables/evening/hands.ofcs", as_=who).decode())
        for summary, text in zip(reversed(listed.hands), texts, strict=True):
            found = finished(summary.number)
            assert summary.you == found.seat_of(who)
            path = f"/api/tables/evening/hands/{summary.number}"
            told = msgspec.json.decode(ask.get(path, as_=who), type=HandReplay)
            assert told == replay(found, who, table="evening", last=8)
            assert ask.get(f"{path}.ofc", as_=who).decode() == one_hand(found, who)
            assert text.hand.boards == found.hand.boards
    assert ask.json("/api/tables/empty/hands") == {"table": "empty", "name": "Friday", "hands": [], "voided": []}


def test_an_answer_is_compressed_for_those_who_read_that(ask: Asking) -> None:
    path = "/api/tables/evening/hands/1"
    plain = ask("GET", path, accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    with ask.client.stream("GET", path, headers={"accept-encoding": "gzip, br"}) as answer:
        zipped = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped) == plain.content
    assert len(zipped) < len(plain.content) // 4
    for found in (plain, answer):
        assert found.headers["content-type"] == "application/json"
        assert found.headers["vary"] == "Accept-Encoding"
        assert found.headers["cache-control"] == "no-store"
    short = ask("GET", "/api/tables/empty/hands", accept_encoding="gzip")
    assert "content-encoding" not in short.headers


# -- what is refused


REFUSED = """
# who  | request                                     | body               | status code
-      | GET  /api/tables/nothing/account            |                    | 404 no-table
-      | GET  /api/tables/nothing/hands              |                    | 404 no-table
-      | GET  /api/tables/nothing/hands.ofcs         |                    | 404 no-table
-      | GET  /api/tables/nothing/hands/1            |                    | 404 no-table
-      | GET  /api/tables/nothing/hands/1.ofc        |                    | 404 no-table
ann    | POST /api/tables/nothing/hands/1/share      | {"names": true}    | 404 no-table
-      | GET  /api/tables/evening/hands/9            |                    | 404 no-such-hand
-      | GET  /api/tables/evening/hands/9.ofc        |                    | 404 no-such-hand
ann    | POST /api/tables/evening/hands/9/share      | {"names": true}    | 404 no-such-hand
-      | GET  /api/tables/evening/hands/0            |                    | 422 bad-field
-      | GET  /api/tables/evening/hands/x            |                    | 422 bad-field
-      | GET  /api/tables/evening/hands/99999999999  |                    | 422 bad-field
ann    | POST /api/tables/evening/hands/0/share      | {"names": true}    | 422 bad-field
ann    | GET  /api/tables/running/hands/1            |                    | 404 no-such-hand
ann    | GET  /api/tables/running/hands/1.ofc        |                    | 404 no-such-hand
ann    | GET  /api/tables/running/hands.ofcs         |                    | 404 no-such-hand
ann    | POST /api/tables/running/hands/1/share      | {"names": true}    | 404 no-such-hand
ann    | POST /api/tables/evening/hands/1/share      | {}                 | 422 bad-field
ann    | POST /api/tables/evening/hands/1/share      | {"names": 1}       | 422 bad-field
ann    | POST /api/tables/evening/hands/1/share      | {"names": "no"}    | 422 bad-field
ann    | POST /api/tables/evening/hands/1/share      | {"names": true, "player": "bob"} | 422 bad-field
ann    | POST /api/tables/evening/hands/1/share      | [                  | 400 bad-json
-      | GET  /api/shared/aaaaaaaaaaaaaaaaaaaaaaaa   |                    | 404 no-link
-      | GET  /api/shared/aaaaaaaaaaaaaaaaaaaaaaaa.ofc |                  | 404 no-link
-      | GET  /api/shared/.ofc.ofc                   |                    | 404 no-link
-      | GET  /api/shared/%00                        |                    | 404 no-link
-      | GET  /api/shared/%F0%9F%8D%8D               |                    | 404 no-link
ann    | GET  /api/tables/evening/hands/0/review     |                    | 422 bad-field
ann    | GET  /api/tables/evening/hands/99/review    |                    | 404 no-such-hand
ann    | GET  /api/tables/running/hands/1/review     |                    | 404 no-such-hand
ann    | GET  /api/tables/nowhere/hands/1/review     |                    | 404 no-table
eve    | GET  /api/tables/evening/hands/1/review     |                    | 403 not-played
-      | GET  /api/tables/evening/hands/1/review     |                    | 403 not-played
-      | GET  /api/shared/aaaaaaaaaaaaaaaaaaaaaaaa/review |               | 404 no-link
ann    | POST /api/tables/running/hint               | {}                 | 422 no-hint
bob    | POST /api/tables/running/hint               | {}                 | 422 no-hint
-      | POST /api/tables/running/hint               | {}                 | 422 no-hint
ann    | POST /api/tables/public/hint                | {}                 | 422 no-hint
ann    | POST /api/tables/nowhere/hint               | {}                 | 404 no-table
ann    | POST /api/tables/running/hint               | {"for": "bob"}     | 422 bad-field
-      | POST /api/puzzle                            | {"date": "2026-11-30", "placement": "x"} | 422 bad-placement
-      | POST /api/puzzle                            | {"date": "2026-11-30"} | 422 bad-field
-      | POST /api/puzzle                            | {"date": 5, "placement": "-/-/-"} | 422 bad-field
-      | POST /api/devices                           |                    | 401 not-a-guest
nobody | POST /api/devices                           |                    | 401 not-a-guest
-      | GET  /api/devices/aaaaaaaaaaaaaaaaaaaaaaaa  |                    | 404 no-link
-      | GET  /api/devices/aaaaaaaaaaaaaaaaaaaaaaaa/qr.svg |              | 404 no-link
-      | POST /api/devices/aaaaaaaaaaaaaaaaaaaaaaaa  |                    | 404 no-link
ann    | POST /api/devices/aaaaaaaaaaaaaaaaaaaaaaaa  |                    | 404 no-link
ann    | POST /api/tables                            | {"name": "F", "public": 1}     | 422 bad-field
ann    | POST /api/tables                            | {"name": "F", "public": "yes"} | 422 bad-field
ann    | POST /api/tables                            | {"name": "\\ud800"}  | 422 bad-field
ann    | POST /api/tables                            | {"name": "F", "\\ud800": 1}  | 422 bad-field
ann    | POST /api/tables                            | {"name": "F", "rules": "\\udfff"} | 422 bad-field
ann    | POST /api/tables                            | {"name": "F", "set": {"\\ud800": "x"}} | 422 bad-rule
ann    | POST /api/tables                            | {"name": "F", "set": {"\\ud800": 1}} | 422 bad-field
ann    | POST /api/tables                            | {"name": "F", "set": {"seats": "\\ud800"}} | 422 bad-field
-      | POST /api/guests                            | {"name": "\\udc00"}  | 422 bad-field
ann    | POST /api/tables/evening/hands/1/share      | {"names": "\\ud800"} | 422 bad-field
"""


@pytest.mark.parametrize("row", [row for row in REFUSED.strip().splitlines() if not row.startswith("#")])
def test_what_cannot_be_is_refused_with_a_reason(ask: Asking, row: str) -> None:
    who, request, body, outcome = (part.strip() for part in row.split("|"))
    method, path = request.split()
    answer = ask(method, path, body.encode() or None, as_=None if who == "-" else who)
    assert f"{answer.status_code} {answer.json()['code']}" == outcome
    assert set(answer.json()) == {"code", "args", "text"}


def test_a_refusal_that_quotes_half_a_character_is_told_all_the_same() -> None:
    """JSON may hold one where the room cannot write it: it answered 500, with the failure in its log."""
    answer = module.refusal(Refused("bad-rule", name="\ud800", value="\udfff", detail="a\ud83d"))
    told = json.loads(bytes(answer.body))
    assert told["args"] == {"name": "?", "value": "?", "detail": "a?"}
    assert told["text"] == "? = ?: a?"
    assert "set-cookie" not in answer.headers


# -- how much one may ask


def statuses(ask: Asking, times: int, method: str, path: str, body: object = None) -> list[int]:
    return [ask(method, path, body, as_="ann").status_code for _ in range(times)]


ASKED_TOO_MUCH = """
LISTS     GET  /api/tables
LISTS     GET  /api/tables/evening/hands
LISTS     GET  /api/tables/empty/account
REPLAYS   GET  /api/tables/evening/hands/1
REPLAYS   GET  /api/shared/nothing
DOWNLOADS GET  /api/tables/evening/hands/1.ofc
DOWNLOADS GET  /api/tables/evening/hands.ofcs
DOWNLOADS GET  /api/shared/nothing.ofc
DEVICES   GET  /api/devices/nothing
DEVICES   GET  /api/devices/nothing/qr.svg
REVIEWS   GET  /api/tables/evening/hands/99/review
REVIEWS   GET  /api/shared/nothing/review
HINTS     POST /api/tables/evening/hint
LISTS     GET  /api/puzzle
PUZZLES   POST /api/puzzle
creations POST /api/devices
creations POST /api/devices/nothing
creations POST /api/tables/evening/hands/1/share
"""


@pytest.mark.parametrize("row", ASKED_TOO_MUCH.strip().splitlines())
def test_one_address_may_ask_only_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str) -> None:
    limit, method, path = row.split()
    if limit != "creations":
        monkeypatch.setattr(module, limit, 3)
    bodies: dict[str, object] = {"share": {"names": True}, "hint": {}, "puzzle": {"date": "", "placement": ""}}
    body = bodies[path.rpartition("/")[2]] if method == "POST" and path.rpartition("/")[2] in bodies else None
    monkeypatch.setenv("ANANAS_TEST_MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(Workers, "do", coaches.at_once)
    with room(tmp_path / "room.sqlite", creations=3) as ask:
        found = statuses(ask, 5, method, path, body)
        assert 429 not in found[:3]
        assert found[4] == 429, "one more is let in where three a minute are slow to ask"
        answer = ask(method, path, body, as_="ann")
        assert (answer.json()["code"], answer.json()["args"]) == ("too-many", {"rate": 3})
        assert ask("GET", "/api/me", as_="ann").status_code == 200


def test_whoever_steps_from_hand_to_hand_with_a_key_held_down_may_still_look_at_the_list(tmp_path: Path) -> None:
    with room(tmp_path / "room.sqlite") as ask:
        for number in range(300):
            ask.get(f"/api/tables/evening/hands/{1 + number % 8}", as_="ann")
        for _ in range(60):
            ask.get("/api/tables/evening/hands", as_="ann")
        assert 429 not in statuses(ask, 20, "GET", "/api/tables/evening/hands/1.ofc")


# -- shared hands


def test_a_shared_hand_is_shown_to_anybody_as_its_sharer_knew_it(ask: Asking) -> None:
    for sharer in (*PEOPLE, None):
        found = finished(2)
        path = ask.share("/api/tables/evening/hands/2", as_=sharer)
        knows = sharer if sharer in found.players else None
        for who in ("ann", "bob", "eve", None):
            told = msgspec.json.decode(ask.get(path, as_=who), type=HandReplay)
            assert told == replay(found, knows, table=None, last=None)
            assert (told.you, told.name) == (found.seat_of(knows), "Friday")
            text = ask("GET", f"{path}.ofc", as_=who)
            assert text.text == one_hand(found, knows)
            assert text.headers["content-type"] == "text/plain; charset=utf-8"
            assert text.headers["content-disposition"] == 'attachment; filename="hand.ofc"'


def test_the_same_share_has_the_same_link_and_strangers_share_one(ask: Asking) -> None:
    path = "/api/tables/evening/hands/3"
    links = [ask.share(path, names=names, as_=who) for names in (True, False) for who in ("ann", "bob", "eve", None)]
    assert links == [
        ask.share(path, names=names, as_=who) for names in (True, False) for who in ("ann", "bob", "dee", "nobody")
    ]
    assert len(set(links)) == 6


def test_a_link_that_was_shared_leads_where_it_led_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    with room(path) as ask:
        shared = ask.share("/api/tables/evening/hands/2", as_="ann")
        before = ask.get(shared)
    with room(path) as ask:
        assert ask.get(shared) == before


def test_without_names_neither_players_nor_table_are_named(ask: Asking) -> None:
    path = ask.share("/api/tables/evening/hands/2", names=False, as_="bob")
    found = finished(2)
    for address in (path, f"{path}.ofc"):
        text = ask.get(address).decode()
        assert [name for name in (*NAMES.values(), *PEOPLE, "Friday", "evening") if f'"{name}"' in text] == []
    told = msgspec.json.decode(ask.get(path), type=HandReplay)
    assert (told.name, told.names) == ("", tuple(str(seat + 1) for seat in found.hand.seats))
    assert told.you == found.seat_of("bob")
    assert told.steps == replay(found, "bob", table=None, last=None).steps
    history = read_history(ask.get(f"{path}.ofc").decode())
    assert (history.table, history.players) == ("", tuple(str(seat + 1) for seat in sorted(found.hand.seats)))


def test_a_link_to_a_table_that_is_damaged_leads_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    with room(path) as ask:
        shared = ask.share("/api/tables/evening/hands/2", as_="ann")
    with tampering(path) as db:
        db.execute("UPDATE events SET events = '[]' WHERE table_id = 'evening' AND version = 4")
    with room(path) as ask:
        for address in (shared, f"{shared}.ofc"):
            answer = ask("GET", address)
            assert (answer.status_code, answer.json()["code"]) == (404, "no-link")
        assert ask("GET", "/api/tables/evening/hands").json()["code"] == "no-table"


# -- worlds that the asker cannot tell apart


Told = dict[tuple[str, str | None], bytes]


def everything_told(path: Path, log: Sequence[AnyEvent], number: int, who: str | None) -> Told:
    """All that the room says of a hand to somebody who may know it, and to whoever has his links."""
    with room(path, {"evening": log}) as ask:
        hand = f"/api/tables/evening/hands/{number}"
        told = {(address, who): ask.get(address, as_=who) for address in (
            "/api/tables/evening", "/api/tables/evening/hands", "/api/tables/evening/hands.ofcs",
            "/api/tables/evening/account", hand, f"{hand}.ofc",
        )}  # fmt: skip
        for names in (True, False):
            shared = ask.share(hand, names=names, as_=who)
            told |= {(f"shared {names}", None): ask.get(shared), (f"text {names}", None): ask.get(f"{shared}.ofc")}
        return told


def worlds(tmp_path: Path, who: str | None, number: int, other: list[AnyEvent]) -> list[str]:
    """What tells two worlds apart, by its address."""
    one = everything_told(tmp_path / "one.sqlite", LOG, number, who)
    two = everything_told(tmp_path / "two.sqlite", other, number, who)
    return [address for (address, asker), told in one.items() if told != two[address, asker]]


@pytest.mark.parametrize(("who", "number"), [("ann", 2), ("dee", 5), ("cyd", 5), (None, 3)])
def test_no_byte_depends_on_what_the_asker_cannot_know(tmp_path: Path, who: str | None, number: int) -> None:
    assert worlds(tmp_path, who, number, elsewhere(LOG, number, who)) == []


def test_an_answer_that_tells_too_much_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_seeing(found: FinishedHand, _: str | None, *, table: str | None, last: int | None) -> HandReplay:
        return replay(found, found.players[0], table=table, last=last)

    def written(found: FinishedHand, _: str | None) -> str:
        return one_hand(found, found.players[0])

    monkeypatch.setattr(module, "replay", all_seeing)
    monkeypatch.setattr(module, "one_hand", written)
    hand = "/api/tables/evening/hands/2"
    found = worlds(tmp_path, "eve", 2, elsewhere(LOG, 2, "eve"))
    assert found == [hand, f"{hand}.ofc", "shared True", "text True", "shared False", "text False"]


def test_no_byte_of_what_is_shared_without_names_depends_on_names(tmp_path: Path) -> None:
    found = worlds(tmp_path, "ann", 2, renamed(LOG, "z"))
    assert {"shared True", "text True"} < set(found)
    assert {"shared False", "text False"} & set(found) == set()


def test_names_that_are_told_all_the_same_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def but_for_the_table(self: FinishedHand) -> FinishedHand:
        return replace(self, names=tuple("?" for _ in self.names))

    monkeypatch.setattr(FinishedHand, "nameless", property(but_for_the_table))
    found = worlds(tmp_path, "ann", 2, renamed(LOG, "z"))
    assert {"shared False", "text False"} <= set(found)


def test_names_that_mean_harm_are_told_as_names(tmp_path: Path) -> None:
    name = "<script>alert('1')</script>\"\\"
    log = [replace(event, name=name) if isinstance(event, Opened | Sat) else event for event in LOG]
    with room(tmp_path / "room.sqlite", {"evening": log}) as ask:
        shared = ask.share("/api/tables/evening/hands/2", as_="ann")
        for address in (
            "/api/tables/evening/hands",
            "/api/tables/evening/hands/2",
            "/api/tables/evening/account",
            shared,
        ):
            answer = ask("GET", address, as_="ann")
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.json()["name"] == name
        for address in ("/api/tables/evening/hands/2.ofc", f"{shared}.ofc"):
            answer = ask("GET", address, as_="ann")
            assert answer.headers["content-type"] == "text/plain; charset=utf-8"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-disposition"].startswith("attachment; ")
            assert name not in answer.headers["content-disposition"]
            assert set(read_history(answer.text).players) == {name}


# -- second devices


def cookie_of(answer: Any) -> str:  # noqa: ANN401
    found = re.match("ananas_guest=([^;]+);", answer.headers["set-cookie"])
    assert found
    return found[1]


def test_one_is_oneself_on_a_second_device(ask: Asking) -> None:
    path = ask.link("ann")
    for _ in range(3):  # to look, or to have it looked at beforehand, uses nothing up
        assert ask.json(path) == {"name": "Ann"}
        assert ask("HEAD", path).status_code == 200
    answer = ask("POST", path)
    assert (answer.status_code, answer.json()) == (200, {"name": "Ann"})
    phone = cookie_of(answer)
    assert phone != "ann"
    for part in ("HttpOnly", "SameSite=lax", "Secure", "Path=/", "Max-Age=34560000"):
        assert part in answer.headers["set-cookie"]
    for cookie in ("ann", phone):
        assert ask.json("/api/me", as_=cookie) == {"name": "Ann"}
        assert ask.json("/api/tables/evening/hands/2", as_=cookie)["you"] == finished(2).seat_of("ann")
    ask("POST", "/api/guests", {"name": "Anna"}, as_=phone)
    assert ask.json("/api/me", as_="ann") == {"name": "Anna"}
    ask("POST", "/api/guests", {"name": "Ann"}, as_="ann")


def test_a_link_works_once_and_for_nobody_after_that(ask: Asking) -> None:
    path = ask.link("ann")
    assert ask("POST", path).status_code == 200
    for method, address in (("POST", path), ("GET", path), ("GET", f"{path}/qr.svg")):
        answer = ask(method, address)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-link")
        assert "set-cookie" not in answer.headers


def test_only_an_explicit_answer_replaces_who_one_is_in_this_browser(ask: Asking) -> None:
    path = ask.link("ann")
    for address in (path, f"{path}/qr.svg"):
        answer = ask("GET", address, as_="eve")
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
    assert ask.json("/api/me", as_="eve") == {"name": "Eve"}
    answer = ask("POST", path, as_="eve")
    assert ask.json("/api/me", as_=cookie_of(answer)) == {"name": "Ann"}
    assert ask.json("/api/me", as_="eve") == {"name": "Eve"}, "whoever still has the cookie is still Eve"


def test_to_open_ones_own_link_in_the_same_browser_changes_nothing(ask: Asking) -> None:
    path = ask.link("bob")
    answer = ask("POST", path, as_="bob")
    assert (answer.status_code, answer.json()) == (200, {"name": "Bob"})
    assert "set-cookie" not in answer.headers
    assert ask("POST", path).status_code == 200, "the phone it was meant for still comes in"


def test_a_link_is_over_after_ten_minutes_and_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with room(tmp_path / "room.sqlite") as ask:
        old, other = ask.link("ann"), ask.link("bob")
        new = ask.link("ann")
        assert [ask("GET", path).status_code for path in (old, new, other)] == [404, 200, 200]
        monkeypatch.setattr(Now, "ms", Now.ms + 1000 * DEVICE_SECONDS - 1)
        assert [ask("GET", path).status_code for path in (new, other)] == [200, 200]
        monkeypatch.setattr(Now, "ms", Now.ms + 1)
        assert [ask("POST", path).status_code for path in (new, other)] == [404, 404]


def test_a_restart_forgets_links_and_no_device(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite"
    with room(path) as ask:
        phone = cookie_of(ask("POST", ask.link("ann")))
        unused = ask.link("ann")
    with room(path) as ask:
        assert ask("POST", unused).json()["code"] == "no-link"
        assert ask.json("/api/me", as_=phone) == ask.json("/api/me", as_="ann") == {"name": "Ann"}


def test_a_link_has_a_picture_of_its_address(ask: Asking) -> None:
    path = ask.link("ann")
    picture = ask("GET", f"{path}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.content == module.qr_picture(f"{PUBLIC}/d/{path.rpartition('/')[2]}")


def test_only_pages_of_this_room_may_use_a_link(ask: Asking) -> None:
    path = ask.link("ann")
    for address in (path, "/api/devices", "/api/tables/evening/hands/1/share"):
        assert ask("POST", address, {"names": True}, as_="bob", origin="https://evil.example").status_code == 403
    assert ask("POST", path, origin=PUBLIC).status_code == 200


@pytest.mark.server
def test_no_link_is_ever_logged(tmp_path: Path) -> None:
    house = House(tmp_path / "room.sqlite").start()
    try:
        cookie = house.guest("Ann")
        link = house.call("POST", "/api/devices", cookie=cookie).json["link"]
        for method, path in (("GET", f"/api/devices/{link}"), ("GET", f"/d/{link}"), ("GET", f"/api/devices/{link}/qr.svg"),
                             ("POST", f"/api/devices/{link}"), ("POST", f"/api/devices/{link}"), ("PUT", f"/h/{link}"),
                             ("GET", f"/api/shared/{link}"), ("GET", f"/api/shared/{link}.ofc")):  # fmt: skip
            house.call(method, path, b"" if method == "PUT" else None)
        phone = house.call("POST", f"/api/devices/{house.call('POST', '/api/devices', cookie=cookie).json['link']}")
        assert house.call("GET", "/api/me", cookie=cookie_of(phone)).json == {"name": "Ann"}
    finally:
        house.close()
    said = house.log.read_text()
    assert [secret for secret in (link, cookie, cookie_of(phone)) if secret in said] == []
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("room.sqlite*"))
    assert [secret for secret in (link, cookie, cookie_of(phone)) if secret.encode() in kept] == []


# -- the description of the routes


def references(schema: object) -> list[str]:
    """The names of everything that a part of the description refers to."""
    return re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(schema))


def test_the_description_tells_every_answer(ask: Asking, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANANAS_TEST_MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(Workers, "do", coaches.at_once)
    described = ask.json("/api/openapi.json")
    schemas = described["components"]["schemas"]
    assert set(references(described)) <= set(schemas)
    assert json.dumps(described).count('"$ref"') == len(references(described)) > 30
    shared = ask.share("/api/tables/evening/hands/2", as_="ann").rpartition("/")[2]
    device = ask.link("eve").rpartition("/")[2]
    seen = 0
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            assert {"4XX", "503"} < set(route["responses"]), path
            assert references(route["responses"]["4XX"]) == ["Refusal"]
            ((_, answer),) = ((status, told) for status, told in route["responses"].items() if status in {"200", "201"})
            ((kind, content),) = answer["content"].items()
            if method != "get":
                continue
            token = shared if "shared" in path else device
            found = ask("GET", path.format(table_id="evening", number=2, token=token), as_="ann")
            if path.endswith("/proof"):  # this evening was played before decks were sealed
                assert found.json()["code"] == "no-proof"
                continue
            assert found.status_code == 200, path
            assert found.headers["content-type"].partition(";")[0] == kind, path
            if kind == "application/json":
                (name,) = references(content["schema"])
                schema = schemas[name]
                assert set(schema["required"]) == set(found.json()) == set(schema["properties"]), path
                seen += 1
    assert seen == 13
