"""The few REST routes: who am I, a name, a table, its QR code, the room itself. pydantic is used here only."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from typing import Annotated, Any, Final

import segno
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from ananas.game.rules import RuleSet
from ananas.refused import Code, Refused
from ananas.server.guests import add_guest, clean_name, known_guest
from ananas.server.limits import Limits
from ananas.server.room import BOTS, Rooms
from ananas.server.settings import Settings
from ananas.server.store import Guest, NotKept, Store
from ananas.server.time import RoomClock
from ananas.table.state import Table
from ananas.version import __version__

COOKIE: Final = "ananas_guest"
"""Holds a guest's token; it is opaque, and no script can read it."""
COOKIE_SECONDS: Final = 400 * 24 * 3600
"""As long as browsers keep a cookie at the most."""

_STATUS: Final[dict[Code, int]] = {
    "bad-json": 400,
    "not-a-guest": 401,
    "no-table": 404,
    "too-large": 413,
    "too-fast": 429,
    "not-kept": 503,
    "closing": 503,
}
"""The HTTP status of a refusal; 422 where nothing is said."""


class NewGuest(BaseModel):
    """A name somebody wants to be called by."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(max_length=200)]


class NewTable(BaseModel):
    """A table somebody wants to open."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(max_length=200)]
    seats: Annotated[int, Field(ge=2, le=3)]
    bots: Annotated[int, Field(ge=0, le=len(BOTS))]
    point_price: Annotated[int, Field(ge=0, le=1_000_000_000)]


class Me(BaseModel):
    """Who the asker is to this room."""

    name: str | None


class Opened(BaseModel):
    """The table that was opened."""

    table: str


class TableCard(BaseModel):
    """What anybody with the link may know before he joins."""

    table: str
    name: str
    seats: int
    taken: int
    names: list[str]
    point_price: int


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

    async def asker(request: Request) -> Guest | None:
        return await known_guest(store, request.cookies.get(COOKIE))

    def count(request: Request) -> None:
        limits.take(request.client.host if request.client else "")

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
        if body.bots >= body.seats:
            raise Refused("bad-rule", name="bots", value=str(body.bots), detail="one seat has to be left for you")
        rules = RuleSet(seats=body.seats, point_price=body.point_price)
        room = await rooms.open(name=clean_name(body.name, longest=40), host=guest.id, rules=rules, bots=body.bots)
        return Opened(table=room.table.id)

    @api.get("/tables/{table_id}")
    async def table_card(table_id: str) -> TableCard:
        return _card((await rooms.get(table_id)).table)

    @api.get("/tables/{table_id}/qr.svg", response_class=Response)
    async def qr(table_id: str) -> Response:
        table = (await rooms.get(table_id)).table
        return Response(qr_picture(f"{public_url}/t/{table.id}"), media_type="image/svg+xml")

    @api.get("/room")
    async def room_card() -> RoomCard:
        return RoomCard(version=__version__, public_url=public_url)

    return api


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
    return Refused("bad-field", detail=f"{where}: {first['msg']}"[:200])


def _card(table: Table) -> TableCard:
    return TableCard(
        table=table.id,
        name=table.name,
        seats=len(table.seats),
        taken=len(table.seated),
        names=[seat.name for _, seat in table.seated],
        point_price=table.rules.point_price,
    )
