"""Who may do what: every command and every route, by everybody who may come, held against a table in text."""

from __future__ import annotations

import functools
import itertools
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from msgspec.structs import replace
from starlette.routing import Mount, Route, WebSocketRoute

from ananas import protocol
from ananas.coach import puzzle as of_the_day
from ananas.game.rules import RuleSet
from ananas.protocol import HandReplay
from ananas.server import app as app_module
from ananas.server.histories import FinishedHand, finished_hands
from ananas.server.puzzles import utc_today
from ananas.server.replays import replay
from ananas.server.room import Room
from ananas.server.time import RoomClock
from ananas.server.viewers import Commanded
from ananas.server.workers import Workers
from ananas.table import decide
from ananas.table.events import AnyEvent
from tests.server import coaches
from tests.server.live import Live
from tests.server.test_api import LOG, PUBLIC, TABLES, Asking, now, room
from tests.trust.cast import SEEDS, Cast, in_a_cast, others_seats, settled, state

TABLE: Final = Path(__file__).parents[1] / "data" / "authorization.txt"
WHO: Final = ("owner", "other", "host", "named", "nobody", "left", "bot", "stranger")
"""Of the turn; the other who sits there; the host, who does not; somebody with a name, without; who has sat there; the bot
that does; and who sits at another table."""
PHASES: Final = ("between", "opening", "playing")
OF_THE_HOST: Final = (
    protocol.Break, protocol.Remove, protocol.SeatBot, protocol.PassHost, protocol.ChangeRules, protocol.Publish,
)  # fmt: skip

Cells = dict[tuple[str, str], str]
"""By what is asked and by whom: what comes of it."""


def tables() -> dict[str, dict[str, dict[str, str]]]:
    """The tables of the file, by name: rows by name, cells by column."""
    found = dict[str, dict[str, dict[str, str]]]()
    rows: dict[str, dict[str, str]] = {}
    columns: list[str] = []
    for line in TABLE.read_text().splitlines():
        if line.startswith("## "):
            rows, columns = found.setdefault(line[3:], {}), []
        elif line.startswith("#") or not line.strip():
            continue
        else:
            name, *cells = (cell.strip() for cell in line.split("|"))
            if not columns:
                columns = cells
            else:
                assert len(cells) == len(columns), line
                assert name not in rows, f"two rows for {name}"
                rows[name] = dict(zip(columns, cells, strict=True))
    return found


def test_every_command_has_a_row_in_every_phase() -> None:
    found = tables()
    for phase in PHASES:
        assert missing(found[phase], protocol.CLIENT_MESSAGES) == []


def missing(rows: Mapping[str, object], kinds: Iterable[type[protocol.ClientMessage]]) -> list[str]:
    """Which commands have no row, and which rows no command."""
    return sorted(set(rows) ^ {str(kind.__struct_config__.tag) for kind in kinds})


def test_a_planted_command_without_a_row_is_caught() -> None:
    class Peek(protocol.ClientMessage, frozen=True, kw_only=True, tag="peek"):
        pass

    assert missing(tables()["playing"], (*protocol.CLIENT_MESSAGES, Peek)) == ["peek"]


def fields(kind: type[protocol.ClientMessage], cast: Cast) -> dict[str, Any]:
    """What somebody who may do it would say; a message of a new kind is made here of its fields."""
    known: dict[str, Any] = {
        "hand": 1,
        "street": 1,
        "placement": cast.placement() if cast.room.table.laying else "-/-/-",
        "to": RICH,
        "on": True,
        "rules": "room",
        "phrase": "hello",
        "commitment": "0" * 64,
        "seed": SEEDS[cast.owner],
        "probe": 1,
    }
    said: dict[str, Any] = {
        field.name: known[field.name]
        for field in msgspec.structs.fields(kind)
        if field.required and field.name not in {"id", "seat"}
    }
    if kind is protocol.PassHost:
        said["seat"] = cast.seat(cast.other)
    elif kind is protocol.Remove:
        said["seat"] = cast.seat("bot:0")
    return {"type": str(kind.__struct_config__.tag), "with_id": "id" in kind.__struct_fields__, **said}


RICH: Final = 100


async def asked(cast: Cast, who: str, kind: type[protocol.ClientMessage]) -> str:
    """What comes of it, in a word."""
    said = fields(kind, cast)
    if who == "bot":
        return await asked_by_bot(cast, said)
    name = {"owner": cast.owner, "other": cast.other, "host": "hal", "named": "cyd", "left": "dan", "stranger": "eve"}
    return await cast.people[name.get(who, who)].ask(**said)


async def asked_by_bot(cast: Cast, said: dict[str, Any]) -> str:
    """Bots ask as sockets do, but through no socket."""
    if said.pop("with_id"):
        said["id"] = "command-of-a-bot"
    bot = cast.room._bots["bot:0"]
    answers = list[bytes]()
    bot.answer = answers.append  # type: ignore[method-assign, assignment]
    message = protocol.decode(msgspec.json.encode(said))
    if isinstance(message, protocol.Ping | protocol.Echo):
        return "-"
    cast.room.ask(bot, message)
    await settled(cast.room)
    if not answers:
        return "view"
    answer = msgspec.json.decode(answers[-1])
    return str(answer.get("code") or answer["type"])


def matrix(
    path: Path, phase: str, kinds: Iterable[type[protocol.ClientMessage]] = protocol.CLIENT_MESSAGES
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """What comes of each command by everybody; and what changed that should not have."""
    found, wrong = dict[str, dict[str, str]](), list[str]()

    async def body(live: Live) -> None:
        numbers = itertools.count()
        cast: Cast | None = None
        for kind in kinds:
            row = found.setdefault(str(kind.__struct_config__.tag), {})
            for who in WHO:
                cast = cast or await Cast.come(live, next(numbers), phase)
                before = state(cast.room)
                player = {"owner": cast.owner, "other": cast.other, "host": "hal", "named": "cyd", "nobody": None,
                          "left": "dan", "bot": "bot:0", "stranger": "eve"}[who]  # fmt: skip
                seats = others_seats(cast.room.table, player)
                row[who] = await asked(cast, who, kind)
                where = f"{phase}: {kind.__name__} by {who}, {row[who]}"
                changed = state(cast.room) != before
                if changed and row[who] not in {"kept", "view", "nothing"}:
                    wrong.append(f"{where}: refused, and yet something changed")
                if kind not in OF_THE_HOST and not set(seats) <= set(others_seats(cast.room.table, player)):
                    wrong.append(f"{where}: somebody else's seat changed")
                if changed:
                    cast = None

    in_a_cast(path, body)
    return found, wrong


@pytest.mark.parametrize("phase", PHASES)
def test_everybody_may_do_what_the_table_says_and_nothing_else(tmp_path: Path, phase: str) -> None:
    found, wrong = matrix(tmp_path / "room.sqlite", phase)
    assert wrong == []
    assert found == tables()[phase]


def _let_everybody_in(self: Room, viewer: Any, message: Any) -> str:  # noqa: ANN401
    return str(viewer.player)


async def _for_whose_turn_it_is(self: Room, player: str, message: Commanded) -> Any:  # noqa: ANN401
    if isinstance(message, protocol.Confirm):
        player = next(name for name in ("ann", "bob") if self.table.hand and _acts(self, name))
    return await _COMMAND(self, player, message)


def _acts(room: Room, player: str) -> bool:
    seat = room.table.seat_of(player)
    hand = room.table.hand
    return hand is not None and seat is not None and hand.seats.index(seat) in hand.acting


async def _for_the_first_seat(self: Room, player: str, message: Commanded) -> Any:  # noqa: ANN401
    if isinstance(message, protocol.Leave | protocol.TopUp | protocol.SitOut):
        player = next(seat.player for _, seat in self.table.seated if not seat.bot)
    return await _COMMAND(self, player, message)


def _changes_first(self: Room, viewer: Any, message: Any) -> str:  # noqa: ANN401
    self.table = replace(self.table, public=not self.table.public)
    return _LET_IN(self, viewer, message)


def _whoever(*_: object) -> None:
    pass


_COMMAND: Final = Room._command
_LET_IN: Final = Room._let_in
MUTANTS: Final[dict[str, tuple[object, str, object, str, type[protocol.ClientMessage]]]] = {
    "strangers are let in": (Room, "_let_in", _let_everybody_in, "playing", protocol.Draft),
    "a move is anybody's": (Room, "_command", _for_whose_turn_it_is, "playing", protocol.Confirm),
    "a seat is anybody's": (Room, "_command", _for_the_first_seat, "between", protocol.TopUp),
    "everybody is the host": (decide, "_only_host", _whoever, "playing", protocol.Remove),
    "what is refused is done": (Room, "_let_in", _changes_first, "between", protocol.Confirm),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_way_in_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant: str) -> None:
    where, name, fault, phase, kind = MUTANTS[mutant]
    monkeypatch.setattr(where, name, fault)
    found, wrong = matrix(tmp_path / "room.sqlite", phase, [kind])
    tag = str(kind.__struct_config__.tag)
    assert wrong or found[tag] != tables()[phase][tag]


# -- routes


COMERS: Final = ("player", "other", "stranger", "nobody", "bearer")
"""Who played the hand, who played it with him, somebody with a name, without, and without, but with the player's link."""
PEOPLE: Final = ("ann", "bob", "eve")
"""Who the first three of them are."""
HANDS: Final = {"evening": 2, "table": 1}
"""The hand that is asked for, by table; that of the second one was dealt from sealed decks, so there is a proof of it."""
BODIES: Final[Mapping[str, object]] = {
    "/api/guests": {"name": "Anna"},
    "/api/tables": {"name": "Friday"},
    "/api/tables/{table_id}/hands/{number}/share": {"names": True},
    "/api/tables/{table_id}/hint": {},
}


def all_routes(routes: Iterable[Any], before: str = "") -> Iterator[str]:
    """Every route of an application, as it stands in the table."""
    for route in routes:
        if isinstance(route, WebSocketRoute):
            yield f"SOCKET {before}{route.path}"
        elif isinstance(route, Route | APIRoute):
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield f"{method} {before}{route.path}"
        elif isinstance(route, Mount):
            inner: Any = route.app
            while not hasattr(inner, "routes") and hasattr(inner, "app"):
                inner = inner.app
            if hasattr(inner, "routes"):
                yield from all_routes(inner.routes, before + route.path)
            else:
                yield f"GET {before}{route.path}/*"
        else:  # the framework's own way to hold the routes of a router that was included
            yield from all_routes(route.original_router.routes, before)


@functools.cache
def sealed_log() -> tuple[AnyEvent, ...]:
    """Of a table where Ann and Bob have played one hand."""
    found = list[AnyEvent]()

    async def body(live: Live) -> None:
        ears = await live.playing(RuleSet.named("room").but({"fantasyland": "off"}), "ann", "bob")
        table = ears[0].room
        while table.table.laying:
            acts = next(ear for ear in ears if "confirm" in ear.view["may"])
            await acts.lay()
            for ear in ears:
                await ear.until(lambda ear=ear: ear.version >= table.version)  # type: ignore[misc]
        log = await live.store.load("table")
        assert log is not None
        found.extend(log.events)

    with tempfile.TemporaryDirectory() as folder:
        in_a_cast(Path(folder) / "room.sqlite", body)
    return tuple(found)


@functools.cache
def discards(table: str) -> dict[str, set[str]]:
    """What everybody threw away in the hand that is asked for."""
    found = next(finished_hands(LOG if table == "evening" else sealed_log(), HANDS[table]))
    return {
        player: {str(card) for laid in placements for card in laid.discards}
        for player, placements in zip(found.players, found.hand.placements, strict=True)
    }


def seen_in(body: str, table: str = "evening") -> str:
    """Whose discards are told: the letters their names begin with; `!` for only some of somebody's."""
    if "variant = " in body:  # of all hands
        number = HANDS[table]
        body = next((part for part in body.split("variant = ")[1:] if f"\nhand = {number}\n" in part), "")
    if '"format":"ananas-proof' in body:  # in whose hashes there are letters and digits as in cards
        body = " ".join(re.findall('"card":"(..)"', body))
    body = re.sub(r'"link":"[-\w]+"', "", body)  # drawn by lot, so that there may be any letters and digits in it
    told = ""
    for player, cards in discards(table).items():
        found = {card for card in cards if card in body}
        if found:
            told += player[0] if found == cards else "!"
    return "".join(sorted(told))


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A room where Ann, Bob and Cyd have played; the client is one page, and the coach judges at once."""
    folder = tmp_path_factory.mktemp("room")
    (folder / "static").mkdir()
    for name in ("index.html", "sw.js", "manifest.webmanifest", "robots.txt"):
        (folder / "static" / name).write_text("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RoomClock, "now", now)
        patch.setattr(app_module, "STATIC", folder / "static")
        patch.setattr(Workers, "do", coaches.at_once)
        patch.setitem(coaches._QUICK, of_the_day.answer, coaches.answer)
        patch.setenv("ANANAS_TEST_MARK", str(folder / "mark"))
        with room(folder / "room.sqlite", {**TABLES, "table": sealed_log()}) as found:
            yield found


def comes_of(asking: Asking, route: str, who: str) -> str:
    """What somebody is answered: the status, the code of a refusal, and whose discards he is told."""
    method, _, path = route.partition(" ")
    table = "table" if path.endswith("/proof") else "evening"
    number = HANDS[table]
    cookie = dict[str, str](zip(COMERS, PEOPLE, strict=False)).get(who)
    if method == "SOCKET":
        return _socket(asking, path.replace("{table_id}", "running"), cookie)
    token = "a" * 24
    if who == "bearer" and "{token}" in path:
        made = (
            asking.link(PEOPLE[0])
            if "device" in path
            else asking.share(f"/api/tables/{table}/hands/{number}", as_=PEOPLE[0])
        )
        token = made.rpartition("/")[2]
    places = {"table_id": table, "table": table, "number": number, "hand:int": number, "token": token}
    address = re.sub(r"\{([\w:]+)\}", lambda found: str(places[found[1]]), path).replace("*", "robots.txt")
    body = BODIES.get(path, {}) if method == "POST" else None
    if path == "/api/puzzle" and method == "POST":
        body = {"date": utc_today(), "placement": "-/2c3c/4c5c7d"}
    answer = asking(method, address, body, as_=cookie)
    while (
        path.startswith("/api") and path.endswith("/review") and answer.status_code == 200 and not answer.json()["done"]
    ):
        answer = asking(method, address, body, as_=cookie)
    parts = [str(answer.status_code)]
    if answer.status_code >= 400:
        parts.append(answer.json()["code"])
    elif ("/hands" in path or "/shared" in path) and (told := seen_in(answer.text, table)):
        parts.append(told)
    if "set-cookie" in answer.headers:
        parts.append("cookie")
    return " ".join(parts)


def _socket(asking: Asking, path: str, cookie: str | None) -> str:
    headers = {"Origin": PUBLIC} | ({} if cookie is None else {"Cookie": f"ananas_guest={cookie}"})
    asking.client.cookies.clear()
    with asking.client.websocket_connect(path, headers=headers) as socket:
        view = socket.receive_json()["view"]
        return f"seat {view['you']}" if view["you"] is not None else "watches"


def test_every_route_has_a_row(asking: Asking) -> None:
    app: Any = asking.client.app
    assert set(all_routes(app.routes)) == set(tables()["routes"])


def test_a_planted_route_without_a_row_is_found() -> None:
    planted = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    router = APIRouter(prefix="/api")

    @router.get("/everything")
    def everything() -> str:
        return ""

    planted.include_router(router)
    assert set(all_routes(planted.routes)) - set(tables()["routes"]) == {"GET /api/everything"}


def test_everybody_is_answered_what_the_table_says(asking: Asking) -> None:
    expected = tables()["routes"]
    assert {route: {who: comes_of(asking, route, who) for who in COMERS} for route in expected} == expected


class _Everything(msgspec.Struct):
    cards: tuple[str, ...]


def _all_to_all(found: FinishedHand, _who: str | None, **_: object) -> _Everything:
    return _Everything(tuple(card for player in found.players for card in discards("evening")[player]))


def _as_to_ann(found: FinishedHand, _who: str | None, *, table: str | None, last: int | None) -> HandReplay:
    return replay(found, "ann", table=table, last=last)


@pytest.mark.parametrize("fault", [_all_to_all, _as_to_ann])
def test_a_planted_route_that_tells_too_much_is_caught(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, fault: object
) -> None:
    route = "GET /api/tables/{table_id}/hands/{number}"
    monkeypatch.setattr("ananas.server.api.replay", fault)
    assert {who: comes_of(asking, route, who) for who in COMERS} != tables()["routes"][route]
