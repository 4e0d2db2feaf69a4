"""The few REST routes: who am I, a name, a table, its QR code, its hands, the rules, the room. pydantic is used here only."""

from __future__ import annotations

import asyncio
import functools
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import segno
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi import Path as ApiPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from ananas.game.rules import CHOICES, RULE_SETS, RuleSet
from ananas.refused import Code, Refused
from ananas.server import histories
from ananas.server.guests import add_guest, clean_name, known_guest
from ananas.server.limits import Limits, Turns
from ananas.server.room import BOTS, Rooms
from ananas.server.settings import Settings
from ananas.server.store import BrokenChain, Guest, NotKept, Store
from ananas.server.time import RoomClock
from ananas.table.events import AnyEvent
from ananas.table.state import Table
from ananas.version import __version__

COOKIE: Final = "ananas_guest"
"""Holds a guest's token; it is opaque, and no script can read it."""
COOKIE_SECONDS: Final = 400 * 24 * 3600
"""As long as browsers keep a cookie at the most."""

DOWNLOADS: Final = 60
"""How many downloads of hands one network address may have in a minute, and at once."""

_STATUS: Final[dict[Code, int]] = {
    "bad-json": 400,
    "not-a-guest": 401,
    "no-table": 404,
    "no-such-hand": 404,
    "too-large": 413,
    "too-many": 429,
    "not-kept": 503,
    "closing": 503,
}
"""The HTTP status of a refusal; 422 where nothing is said."""


class NewGuest(BaseModel):
    """A name somebody wants to be called by."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(max_length=200)]


class NewTable(BaseModel):
    """A table somebody wants to open: a named set of rules, and the house rules that differ from it, as text by name."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(max_length=200)]
    rules: Annotated[str, Field(max_length=40)] = "room"
    set: dict[str, Annotated[str, Field(max_length=400)]] = {}
    bots: Annotated[int, Field(ge=0, le=len(BOTS))] = 0


class Me(BaseModel):
    """Who the asker is to this room."""

    name: str | None


class Opened(BaseModel):
    """The table that was opened."""

    table: str


class TableCard(BaseModel):
    """What anybody with the link may know before he joins.

    `changes`: the house rules that differ from the named set, as text by name. `seats`: how many play at the least and
    at the most, `buy_in`: how many chips may be brought. `names`: who sits there.
    """

    table: str
    name: str
    rules: str
    changes: dict[str, str]
    seats: tuple[int, int]
    buy_in: tuple[int, int]
    point_price: int
    names: list[str]


class Rules(BaseModel):
    """What a table's rules may be: each named set with all its values, as text, and the words some of them choose from."""

    sets: Mapping[str, Mapping[str, str]]
    choices: Mapping[str, tuple[str, ...]]


class RoomCard(BaseModel):
    """What runs here, and where players find it."""

    version: str
    public_url: str


def origin_allowed(headers: Headers, public_url: str) -> bool:
    """Whether a request that names its origin comes from a page of this room, exactly.

    >>> origin_allowed(Headers({"host": "room:8000", "origin": "http://room:8000"}), "https://ofc.example")
    True
    >>> origin_allowed(Headers({"host": "room:8000", "origin": "http://room:8000.evil.example"}), "https://ofc.example")
    False
    """
    host = headers.get("host", "")
    return headers.getlist("origin") in ([f"http://{host}"], [f"https://{host}"], [public_url])


@functools.lru_cache(maxsize=1000)
def qr_picture(link: str) -> bytes:
    """A link as a QR code in SVG; drawn once, since drawing takes as long as many moves."""
    picture = io.BytesIO()
    segno.make(link, micro=False).save(picture, kind="svg", scale=8, xmldecl=False)
    return picture.getvalue()


def routes(*, store: Store, clock: RoomClock, rooms: Rooms, settings: Settings, public_url: str) -> APIRouter:
    """The routes, wired to the parts they speak to."""
    api = APIRouter(prefix="/api")
    limits = Limits(settings.creations)
    downloads = Limits(DOWNLOADS)
    # Together fewer than the store has readers, so that the rest of the room is never behind them.
    for_one, for_all = Turns(1), Turns(2)

    async def asker(request: Request) -> Guest | None:
        return await known_guest(store, request.cookies.get(COOKIE))

    def count(request: Request) -> None:
        limits.take(_address(request))

    @api.get("/me")
    async def me(request: Request) -> Me:
        guest = await asker(request)
        return Me(name=guest.name if guest else None)

    @api.post("/guests", status_code=201)
    async def become_guest(body: NewGuest, request: Request, response: Response) -> Me:
        count(request)
        guest = await asker(request)
        if guest is not None:
            guest = Guest(guest.id, clean_name(body.name))
            await store.rename_guest(guest)
        else:
            guest, token = await add_guest(store, body.name, clock.now())
            secure = request.url.scheme == "https"
            response.set_cookie(
                COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/"
            )
        return Me(name=guest.name)

    @api.post("/tables", status_code=201)
    async def open_table(body: NewTable, request: Request) -> Opened:
        count(request)
        guest = await asker(request)
        if guest is None:
            raise Refused("not-a-guest")
        rules = RuleSet.named(body.rules).but(body.set)
        if body.bots >= rules.seats[1]:
            raise Refused("bad-rule", name="bots", value=str(body.bots), detail="one seat has to be left for you")
        room = await rooms.open(name=clean_name(body.name, longest=40), host=guest.id, rules=rules, bots=body.bots)
        return Opened(table=room.table.id)

    @api.get("/tables/{table_id}")
    async def table_card(table_id: str) -> TableCard:
        return _card((await rooms.get(table_id)).table)

    @api.get("/tables/{table_id}/qr.svg", response_class=Response)
    async def qr(table_id: str) -> Response:
        table = (await rooms.get(table_id)).table
        return Response(qr_picture(f"{public_url}/t/{table.id}"), media_type="image/svg+xml")

    async def download(
        table_id: str, request: Request, name: str, write: Callable[[Sequence[AnyEvent], str | None], str], turns: Turns
    ) -> Response:
        """Hands out of a table's log, as the asker may know them; a long log may take a while."""
        downloads.take(_address(request))
        guest = await asker(request)
        async with turns.take(_address(request)):
            try:
                log = await store.load(table_id)
            except BrokenChain:
                log = None
            if log is None:
                raise Refused("no-table")
            text = await asyncio.to_thread(write, log.events, None if guest is None else guest.id)
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=named)

    @api.get("/tables/{table_id}/hands/{number}.ofc", response_class=Response)
    async def one_hand(
        table_id: str, number: Annotated[int, ApiPath(ge=1, le=1_000_000_000)], request: Request
    ) -> Response:
        def write(events: Sequence[AnyEvent], player: str | None) -> str:
            return histories.one_hand(events, number, player)

        return await download(table_id, request, f"{number}.ofc", write, for_one)

    @api.get("/tables/{table_id}/hands.ofcs", response_class=Response)
    async def every_hand(table_id: str, request: Request) -> Response:
        return await download(table_id, request, "hands.ofcs", histories.every_hand, for_all)

    @api.get("/rules")
    async def every_rule() -> Rules:
        return Rules(sets={name: rules.values for name, rules in RULE_SETS.items()}, choices=CHOICES)

    @api.get("/room")
    async def room_card() -> RoomCard:
        return RoomCard(version=__version__, public_url=public_url)

    return api


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def refuse_in_json(app: FastAPI) -> None:
    """Answer whatever goes wrong with a refusal as `refused.py` has it: a code, its arguments, English."""

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return refusal(error)

    async def not_kept(_: Request, __: Exception) -> Response:
        return refusal(Refused("not-kept"))

    async def wrong_body(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return refusal(_what_is_wrong(error.errors()))

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 400:  # a body that cannot even be read
            return refusal(Refused("bad-json"))
        return Response(f"{error.detail}\n", error.status_code, headers=error.headers, media_type="text/plain")

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(NotKept, not_kept)
    app.add_exception_handler(RequestValidationError, wrong_body)
    app.add_exception_handler(HTTPException, http)


def refusal(reason: Refused) -> Response:
    """A refusal as an HTTP answer."""
    content = {"code": reason.code, "args": reason.args_by_name, "text": str(reason)}
    return JSONResponse(content, _STATUS.get(reason.code, 422))


def _what_is_wrong(errors: Sequence[Any]) -> Refused:
    first: dict[str, Any] = errors[0]
    if first["type"] == "json_invalid":
        return Refused("bad-json")
    where = ".".join(str(part) for part in first["loc"][1:])
    return Refused("bad-field", detail=f"{where or 'the whole of it'}: {first['msg']}"[:200])


def _card(table: Table) -> TableCard:
    return TableCard(
        table=table.id,
        name=table.name,
        rules=table.rules.base,
        changes=table.rules.changes,
        seats=table.rules.seats,
        buy_in=table.rules.buy_in,
        point_price=table.rules.point_price,
        names=[seat.name for _, seat in table.seated],
    )
