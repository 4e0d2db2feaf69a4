"""The REST routes: names, tables, their hands and accounts, shared hands, the coach, second devices, rules, the room.

What the client reads as it reads views is written by msgspec; pydantic is used here only.
"""

from __future__ import annotations

import asyncio
import functools
import gzip
import io
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
import segno
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi import Path as ApiPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from ananas.coach.report import HandReview, Hint, Puzzle, PuzzleAnswer
from ananas.game.board import Placement
from ananas.game.rules import CHOICES, RULE_SETS, RuleSet
from ananas.protocol import ANSWERS, BotName, HandList, HandReplay
from ananas.refused import Code, Refused
from ananas.server.archive import Archive
from ananas.server.guests import add_device, add_guest, clean_name, known_guest, renewed
from ananas.server.histories import FinishedHand, one_hand
from ananas.server.limits import Limits, Turns
from ananas.server.links import DEVICE_SECONDS, DeviceLinks, SharedHands
from ananas.server.puzzles import Puzzles
from ananas.server.replays import replay
from ananas.server.reviews import Reviews
from ananas.server.room import BOTS, Rooms
from ananas.server.settings import Settings
from ananas.server.store import Guest, NotKept, Share, Store
from ananas.server.time import RoomClock
from ananas.table.account import Account, account
from ananas.table.state import Table
from ananas.version import __version__

COOKIE: Final = "ananas_guest"
"""Holds a guest's token; it is opaque, and no script can read it."""
COOKIE_SECONDS: Final = 400 * 24 * 3600
"""As long as browsers keep a cookie at the most."""

DOWNLOADS: Final = 60
"""How many downloads of hands one network address may have in a minute, and at once."""
LISTS: Final = 300
"""How often one network address may look at lists of tables and of hands, and at accounts; a minute, and at once."""
REPLAYS: Final = 600
"""How many hands one network address may look at again: whoever holds an arrow key down passes ten a second."""
REVIEWS: Final = 600
"""How often one network address may look at reviews: while one is in the making its page asks twice a second."""
HINTS: Final = 120
"""How many hints one network address may have; a minute, and at once."""
PUZZLES: Final = 60
"""How often one network address may answer the puzzle."""
DEVICES: Final = 60
"""How often one network address may ask what a link to a second device leads to."""
TABLES: Final = 100
"""The most tables in the list of open ones."""
ZIPPED_BYTES: Final = 1000
"""Shorter answers are not worth compressing."""

HandNumber = Annotated[int, ApiPath(ge=1, le=1_000_000_000)]

_STATUS: Final[dict[Code, int]] = {
    "bad-json": 400,
    "not-a-guest": 401,
    "not-played": 403,
    "no-table": 404,
    "no-such-hand": 404,
    "no-proof": 404,
    "no-link": 404,
    "no-puzzle": 404,
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
    """A table somebody wants to open: a named set of rules, and the house rules that differ from it, as text by name.

    `bots`: which of them sit down at once, in this order. `public`: whether it is shown among the open tables.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(max_length=200)]
    rules: Annotated[str, Field(max_length=40)] = "room"
    set: dict[str, Annotated[str, Field(max_length=400)]] = {}
    bots: Annotated[list[BotName], Field(max_length=len(BOTS))] = []
    public: bool = False


class NewShare(BaseModel):
    """A finished hand that somebody wants to share; `names`: whether those of players and table are told."""

    model_config = ConfigDict(extra="forbid", strict=True)

    names: bool


class NewHint(BaseModel):
    """A hint that somebody wants on his turn."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewAnswer(BaseModel):
    """Somebody's answer to the puzzle of a day: his placement, as text."""

    model_config = ConfigDict(extra="forbid", strict=True)

    date: Annotated[str, Field(max_length=10)]
    placement: Annotated[str, Field(max_length=80)]


class Me(BaseModel):
    """Who the asker is to this room."""

    name: str | None


class Opened(BaseModel):
    """The table that was opened."""

    table: str


class Sitter(BaseModel):
    """Somebody who sits at a table."""

    name: str
    bot: bool


class TableCard(BaseModel):
    """What anybody with the link may know before he joins.

    `changes`: the house rules that differ from the named set, as text by name. `seats`: how many play at the least and
    at the most, `buy_in`: how many chips may be brought. `sitters`: who sits there, in order of place. `playing`: whether
    a match goes on, `hands`: how many hands have been counted.
    """

    table: str
    name: str
    rules: str
    changes: dict[str, str]
    seats: tuple[int, int]
    buy_in: tuple[int, int]
    point_price: int
    sitters: list[Sitter]
    playing: bool
    hands: int


class Tables(BaseModel):
    """The open tables: public ones at which somebody sits now."""

    tables: list[TableCard]


class Link(BaseModel):
    """The token of a link that was made: a page of the client shows what it leads to."""

    link: str


class DeviceLink(BaseModel):
    """The token of a link by which one is oneself on a second device; it works once, within so many seconds."""

    link: str
    seconds: int


class Rules(BaseModel):
    """What a table's rules may be: each named set with all its values, as text, and the words some of them choose from."""

    sets: Mapping[str, Mapping[str, str]]
    choices: Mapping[str, tuple[str, ...]]


class Refusal(BaseModel):
    """Why nothing was done: a code, its arguments, and the reason in English."""

    code: str
    args: dict[str, str | int]
    text: str


class RoomCard(BaseModel):
    """What runs here, and where players find it."""

    version: str
    public_url: str


def origin_allowed(headers: Headers, scheme: str, public_url: str) -> bool:
    """Whether a request that names its origin comes from a page of this room, exactly: the address it was opened at.

    >>> origin_allowed(Headers({"host": "room:8000", "origin": "http://room:8000"}), "ws", "https://ofc.example")
    True
    >>> origin_allowed(Headers({"host": "room:8000", "origin": "https://room:8000"}), "ws", "https://ofc.example")
    False
    """
    here = f"{'https' if scheme in {'https', 'wss'} else 'http'}://{headers.get('host', '')}"
    return headers.getlist("origin") in ([here], [public_url])


@functools.lru_cache(maxsize=1000)
def qr_picture(link: str) -> bytes:
    """A link as a QR code in SVG; drawn once, since drawing takes as long as many moves."""
    picture = io.BytesIO()
    segno.make(link, micro=False).save(picture, kind="svg", scale=8, xmldecl=False)
    return picture.getvalue()


def routes(
    *,
    store: Store,
    clock: RoomClock,
    rooms: Rooms,
    archive: Archive,
    reviews: Reviews,
    puzzles: Puzzles,
    settings: Settings,
    public_url: str,
) -> APIRouter:
    """The routes, wired to the parts they speak to."""
    api = APIRouter(prefix="/api", responses={"4XX": {"model": Refusal}, 503: {"model": Refusal}})
    shared, devices = SharedHands(store), DeviceLinks()
    limits = Limits(settings.creations)
    downloads, lists, replays, looks = Limits(DOWNLOADS), Limits(LISTS), Limits(REPLAYS), Limits(DEVICES)
    looks_back, hints, answers = Limits(REVIEWS), Limits(HINTS), Limits(PUZZLES)
    # Together fewer than the store has readers, so that the rest of the room is never behind them.
    for_one, for_all = Turns(1), Turns(2)
    for_hints, for_answers = Turns(100), Turns(100)

    def give_cookie(request: Request, response: Response, token: str) -> None:
        """Let a browser be known by this token, over https alone where it has come so, as far as the room can know."""
        secure = request.url.scheme == "https" or public_url == f"https://{request.headers.get('host')}"
        response.set_cookie(
            COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/"
        )

    async def asker(request: Request) -> Guest | None:
        return await known_guest(store, request.cookies.get(COOKIE))

    async def player(request: Request) -> str | None:
        """What tables know the asker by."""
        guest = await asker(request)
        return None if guest is None else guest.id

    async def counted(request: Request) -> Guest | None:
        """The asker, who makes something that stays."""
        guest = await asker(request)
        limits.take(_address(request), None if guest is None else guest.id)
        return guest

    async def renew(request: Request, response: Response, *, at_once: bool = False) -> None:
        """Give a known browser another cookie in place of the one it has, if that has been in use for long."""
        token = await renewed(store, request.cookies[COOKIE], clock.now(), at_once=at_once)
        if token is not None:
            give_cookie(request, response, token)

    @api.get("/me")
    async def me(request: Request, response: Response) -> Me:
        guest = await asker(request)
        if guest is not None:
            await renew(request, response)
        return Me(name=guest.name if guest else None)

    @api.post("/guests", status_code=201)
    async def become_guest(body: NewGuest, request: Request, response: Response) -> Me:
        guest = await counted(request)
        if guest is not None:
            guest = Guest(guest.id, clean_name(body.name))
            await store.rename_guest(guest)
            await renew(request, response, at_once=True)
        else:
            # A token that nobody has may be one that somebody else has laid into this browser: it is never taken on.
            guest, token = await add_guest(store, body.name, clock.now())
            give_cookie(request, response, token)
        return Me(name=guest.name)

    @api.post("/devices", status_code=201)
    async def link_device(request: Request) -> DeviceLink:
        guest = await counted(request)
        if guest is None:
            raise Refused("not-a-guest")
        return DeviceLink(link=devices.make(guest.id, clock.now()), seconds=DEVICE_SECONDS)

    @api.get("/devices/{token}/qr.svg", response_class=Response, responses=_PICTURE)
    async def device_qr(token: str, request: Request) -> Response:
        looks.take(_address(request))
        await guest_behind(token)
        return Response(qr_picture(f"{public_url}/d/{token}"), media_type="image/svg+xml")

    @api.get("/devices/{token}")
    async def who_by_link(token: str, request: Request) -> Me:
        looks.take(_address(request))
        return Me(name=(await guest_behind(token)).name)

    @api.post("/devices/{token}")
    async def become_by_link(token: str, request: Request, response: Response) -> Me:
        me = await counted(request)
        guest = await guest_behind(token)
        if me is None or me.id != guest.id:  # else the link is left for the device it was meant for
            with devices.use(token, clock.now()):
                give_cookie(request, response, await add_device(store, guest, clock.now()))
        return Me(name=guest.name)

    async def guest_behind(token: str) -> Guest:
        """Whom a link to a second device would make one."""
        guest = await store.guest_by_id(devices.guest(token, clock.now()))
        if guest is None:
            raise Refused("no-link")
        return guest

    @api.post("/tables", status_code=201)
    async def open_table(body: NewTable, request: Request) -> Opened:
        guest = await counted(request)
        if guest is None:
            raise Refused("not-a-guest")
        rules = RuleSet.named(body.rules).but(body.set)
        if len(set(body.bots)) < len(body.bots):
            raise Refused("bad-field", detail="bots: each bot sits at a table once")
        if len(body.bots) >= rules.seats[1]:
            told = ", ".join(body.bots)
            raise Refused("bad-rule", name="bots", value=told, detail="one seat has to be left for you")
        name = clean_name(body.name, longest=40)
        room = await rooms.open(name=name, host=guest.id, rules=rules, bots=body.bots, public=body.public)
        return Opened(table=room.table.id)

    @api.get("/tables")
    async def open_tables(request: Request) -> Tables:
        lists.take(_address(request))
        return Tables(tables=[_card(table) for table in rooms.public_tables()[:TABLES]])

    @api.get("/tables/{table_id}")
    async def table_card(table_id: str) -> TableCard:
        return _card((await rooms.get(table_id)).table)

    @api.get("/tables/{table_id}/qr.svg", response_class=Response, responses=_PICTURE)
    async def qr(table_id: str) -> Response:
        table = (await rooms.get(table_id)).table
        return Response(qr_picture(f"{public_url}/t/{table.id}"), media_type="image/svg+xml")

    @api.get("/tables/{table_id}/account", response_class=Response, responses=_told(Account))
    async def table_account(table_id: str, request: Request) -> Response:
        lists.take(_address(request))
        who, table = await player(request), (await rooms.get(table_id)).table
        return await _answer(request, lambda: account(table, who))

    # -- finished hands, as the asker may know them

    async def text(request: Request, name: str, write: Callable[[], Awaitable[str]], turns: Turns) -> Response:
        """A text to be downloaded; to write it may take a while."""
        downloads.take(_address(request))
        async with turns.take(_address(request)):
            written = await write()
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(written, media_type="text/plain; charset=utf-8", headers=headers)

    async def behind(token: str) -> tuple[FinishedHand, Share]:
        """What a link shows, and as who may know it."""
        share = await shared.behind(token)
        try:
            found, _ = await archive.hand(share.table_id, share.hand)
        except Refused:
            raise Refused("no-link") from None
        return found if share.names else found.nameless, share

    @api.get("/tables/{table_id}/hands.ofcs", response_class=Response, responses=_TEXT)
    async def every_text(table_id: str, request: Request) -> Response:
        async def write() -> str:
            return await archive.every_hand(table_id, await player(request))

        return await text(request, "hands.ofcs", write, for_all)

    @api.get("/tables/{table_id}/hands/{number}.ofc", response_class=Response, responses=_TEXT)
    async def hand_text(table_id: str, number: HandNumber, request: Request) -> Response:
        async def write() -> str:
            found, _ = await archive.hand(table_id, number)
            return one_hand(found, await player(request))

        return await text(request, f"hand-{number}.ofc", write, for_one)

    @api.get("/shared/{token}.ofc", response_class=Response, responses=_TEXT)
    async def shared_text(token: str, request: Request) -> Response:
        async def write() -> str:
            found, share = await behind(token)
            return one_hand(found, share.player)

        return await text(request, "hand.ofc", write, for_one)

    async def proof(request: Request, number: int, write: Callable[[], Awaitable[bytes]]) -> Response:
        """By what a hand can be checked, to be downloaded."""
        downloads.take(_address(request))
        async with for_one.take(_address(request)):
            written = await write()
        headers = {"Content-Disposition": f'attachment; filename="hand-{number}.proof.json"'}
        return Response(written, media_type="application/json", headers=headers)

    @api.get("/tables/{table_id}/hands/{number}/proof", response_class=Response, responses=_PROOF)
    async def hand_proof(table_id: str, number: HandNumber, request: Request) -> Response:
        async def write() -> bytes:
            (found, _), who = await archive.hand(table_id, number), await player(request)
            return await asyncio.to_thread(found.proof_for, table_id, who)

        return await proof(request, number, write)

    @api.get("/shared/{token}/proof", response_class=Response, responses=_PROOF)
    async def shared_proof(token: str, request: Request) -> Response:
        found, share = await behind(token)

        async def write() -> bytes:
            return await asyncio.to_thread(found.proof_for, share.table_id, share.player)

        return await proof(request, found.number, write)

    @api.get("/tables/{table_id}/hands", response_class=Response, responses=_told(HandList))
    async def hand_list(table_id: str, request: Request) -> Response:
        lists.take(_address(request))
        who = await player(request)
        async with for_one.take(_address(request)):
            contents = await archive.contents(table_id)
            return await _answer(request, lambda: contents.listed(table_id, who))

    @api.get("/tables/{table_id}/hands/{number}", response_class=Response, responses=_told(HandReplay))
    async def hand_replay(table_id: str, number: HandNumber, request: Request) -> Response:
        replays.take(_address(request))
        who = await player(request)
        async with for_one.take(_address(request)):
            found, last = await archive.hand(table_id, number)
            return await _answer(request, lambda: replay(found, who, table=table_id, last=last))

    @api.get("/shared/{token}", response_class=Response, responses=_told(HandReplay))
    async def shared_replay(token: str, request: Request) -> Response:
        replays.take(_address(request))
        async with for_one.take(_address(request)):
            found, share = await behind(token)
            return await _answer(request, lambda: replay(found, share.player, table=None, last=None))

    @api.post("/tables/{table_id}/hands/{number}/share", status_code=201)
    async def share(table_id: str, number: HandNumber, body: NewShare, request: Request) -> Link:
        sharer = await counted(request)
        who = None if sharer is None else sharer.id
        async with for_one.take(_address(request)):
            found, _ = await archive.hand(table_id, number)
        # Whoever was not dealt in shares what anybody sees, so that all of them share the same.
        as_seen_by = who if who in found.players else None
        return Link(link=await shared.link(Share(table_id, number, as_seen_by, body.names), clock.now()))

    # -- the coach

    @api.get("/tables/{table_id}/hands/{number}/review", response_class=Response, responses=_told(HandReview))
    async def hand_review(table_id: str, number: HandNumber, request: Request) -> Response:
        looks_back.take(_address(request))
        who = await player(request)
        async with for_one.take(_address(request)):
            found, _ = await archive.hand(table_id, number)
            made = await reviews.review((table_id, number, who), found, table=table_id)
            return await _answer(request, made)

    @api.get("/shared/{token}/review", response_class=Response, responses=_told(HandReview))
    async def shared_review(token: str, request: Request) -> Response:
        looks_back.take(_address(request))
        async with for_one.take(_address(request)):
            found, share = await behind(token)
            made = await reviews.review((share.table_id, share.hand, share.player), found, table=None)
            return await _answer(request, made)

    @api.post("/tables/{table_id}/hint", response_class=Response, responses=_told(Hint))
    async def hint(table_id: str, body: NewHint, request: Request) -> Response:  # noqa: ARG001
        hints.take(_address(request))
        who, room = await player(request), await rooms.get(table_id)
        asked = room.for_a_hint(who)
        async with for_hints.take(who or ""):
            found = await reviews.hint(asked, room.table.rules)
        now = room.for_a_hint(who)  # somebody may have sat down meanwhile
        if (now.number, next(side.street for side in now.players if side.seat == now.you)) != (
            found.hand,
            found.street,
        ):
            raise Refused("no-hint")
        return await _answer(request, lambda: found)

    @api.get("/puzzle", response_class=Response, responses=_told(Puzzle))
    async def puzzle(request: Request) -> Response:
        lists.take(_address(request))
        found = await puzzles.puzzle()
        return await _answer(request, lambda: found)

    @api.post("/puzzle", response_class=Response, responses=_told(PuzzleAnswer))
    async def puzzle_answer(body: NewAnswer, request: Request) -> Response:
        answers.take(_address(request))
        placement = Placement.parse(body.placement)
        async with for_answers.take(_address(request)):
            found = await puzzles.answer(body.date, placement)
        return await _answer(request, lambda: found)

    @api.get("/rules")
    async def every_rule() -> Rules:
        return Rules(sets={name: rules.values for name, rules in RULE_SETS.items()}, choices=CHOICES)

    @api.get("/room")
    async def room_card() -> RoomCard:
        return RoomCard(version=__version__, public_url=public_url)

    return api


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


async def _answer(request: Request, make: Callable[[], msgspec.Struct]) -> Response:
    """An answer that msgspec writes, compressed where the asker reads that; made in a thread, since it may be long."""

    def write() -> Response:
        body = msgspec.json.encode(make())
        headers = {"Vary": "Accept-Encoding"}
        if zips and len(body) >= ZIPPED_BYTES:
            body = gzip.compress(body, compresslevel=5, mtime=0)
            headers["Content-Encoding"] = "gzip"
        return Response(body, media_type="application/json", headers=headers)

    zips = "gzip" in request.headers.get("accept-encoding", "")
    return await asyncio.to_thread(write)


def _told(kind: type[msgspec.Struct]) -> dict[int | str, dict[str, Any]]:
    """How the description of the routes names an answer that msgspec writes; `describe` says what is in it."""
    return _content("application/json", {"$ref": f"#/components/schemas/{kind.__name__}"})


def _content(media_type: str, schema: dict[str, str]) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "Successful Response", "content": {media_type: {"schema": schema}}}}


_TEXT: Final = _content("text/plain", {"type": "string"})
_PROOF: Final = _content("application/json", {"type": "object"})
_PICTURE: Final = _content("image/svg+xml", {"type": "string"})


def describe(app: FastAPI) -> None:
    """Add to the description of the routes what the answers that msgspec writes look like."""
    _, schemas = msgspec.json.schema_components(ANSWERS, ref_template="#/components/schemas/{name}")
    made = app.openapi

    def openapi() -> dict[str, Any]:
        found = made()
        found["components"]["schemas"] |= schemas
        return found

    app.openapi = openapi  # type: ignore[method-assign]


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
    args = {name: _writable(arg) if isinstance(arg, str) else arg for name, arg in reason.args_by_name.items()}
    content = {"code": reason.code, "args": args, "text": _writable(str(reason))}
    return JSONResponse(content, _STATUS.get(reason.code, 422))


def _writable(text: str) -> str:
    """A text that can be sent: it may quote what was asked, in which JSON allows halves of characters."""
    return text.encode("utf-8", "replace").decode()


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
        sitters=[Sitter(name=seat.name, bot=seat.bot) for _, seat in table.seated],
        playing=table.in_match,
        hands=table.counted,
    )
