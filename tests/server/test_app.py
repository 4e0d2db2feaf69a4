"""The room from outside: real processes, real sockets, and people who mean no good."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import resource
import signal
import socket
import time
from collections.abc import AsyncGenerator, Awaitable
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ananas.game.cards import DECK
from ananas.game.notation import read_histories, read_history
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.server import app as module
from ananas.server.api import DOWNLOADS
from ananas.server.app import Door, HttpProtocol, client
from ananas.server.limits import DESCRIPTORS, GUEST_SOCKETS
from ananas.server.store import load, open_to_check
from ananas.server.viewers import FLOOD
from tests.server.house import House, Message, Player, play_hand
from tests.test_protocol import bad_messages

pytestmark = pytest.mark.server


def go(body: Awaitable[Any]) -> None:
    """Run a test's conversation."""

    async def run() -> None:
        async with asyncio.timeout(60):
            await body

    asyncio.run(run())


async def closed(player: Player) -> int | None:
    """With which code the room closes the socket."""
    try:
        while True:
            await player.next()
    except ConnectionClosed as end:
        return None if end.rcvd is None else end.rcvd.code


# -- a hand, and what goes with it


def test_two_people_play_a_hand_and_a_spectator_sees_it(shared: House) -> None:
    async def body() -> None:
        players = await shared.playing()
        nobody = await shared.come(None, players[0].table)
        assert nobody.view["you"] is None
        await play_hand(players)
        for each in (*players, nobody):
            await each.see(lambda view: view["hand"]["reckoning"])
        points = [player["points"] for player in nobody.view["hand"]["reckoning"]["players"]]
        assert sum(points) == 0
        assert nobody.view["may"] == []
        for each in (*players, nobody):
            await each.close()

    go(body())


def test_a_practice_table_plays_by_itself_but_waits_for_its_human(shared: House) -> None:
    async def body() -> None:
        cookie = shared.guest("Ann")
        player = await shared.come(cookie, shared.table(cookie, seats=3, bots=2))
        await player.see(lambda view: [bool(seat and seat["ready"]) for seat in view["seats"]] == [True, True, False])
        assert [seat["name"] for seat in player.view["seats"] if seat] == ["Kiwi", "Mango"]
        await asyncio.sleep(0.2)
        assert player.view["hands"] == 0
        await player.kept("sit")
        await player.kept("ready", hand=1, always=True)
        await player.see(lambda view: view["hand"])
        await play_hand([player])
        assert player.view["hand"]["reckoning"] is not None
        await player.see(lambda view: view["seats"][0]["ready"] and view["seats"][1]["ready"])
        await player.close()

    go(body())


# -- bad messages


def test_every_bad_message_is_refused_and_nobody_else_notices(shared: House) -> None:
    async def body() -> None:
        ann, bob = await shared.playing()
        nobody = await shared.come(None, ann.table)
        for each in (ann, bob, nobody):
            await each.quiet(0.2)
        version, view = ann.version, bob.view
        messages = [(code, message) for code, message in bad_messages() if _is_text(message)]
        assert len(messages) > 30
        for number, (code, message) in enumerate(messages):
            await ann.socket.send(message, text=True)
            answer = await ann.next()
            assert (answer["type"], answer["code"]) == ("refused", code), message
            if number % 30 == 29:
                await asyncio.sleep(1)  # as fast as a client may
        await ann.send(b"\x00\x01 a binary frame")
        assert (await ann.next())["code"] == "bad-json"
        assert await bob.quiet(0.2) == []
        assert await nobody.quiet(0.1) == []
        await bob.connect()
        assert (bob.version, bob.view["hand"]) == (version, view["hand"])
        await play_hand([ann, bob])
        for each in (ann, bob, nobody):
            await each.close()

    go(body())


def _is_text(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("frame", "text", "code"),
    [(b"\xff\xfe", True, 1007), (b"x" * 70_000, True, 1009), (b"x" * 70_000, False, 1009)],
)
def test_what_is_no_message_at_all_closes_only_its_own_socket(
    shared: House, frame: bytes, text: bool, code: int
) -> None:
    async def body() -> None:
        ann, bob = await shared.playing()
        await ann.quiet(0.1)
        await ann.socket.send(frame, text=text)
        assert await closed(ann) == code
        await ann.connect()
        await bob.quiet(0.2)
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    go(body())


def test_moves_that_make_no_sense_are_refused_and_change_nothing(shared: House) -> None:
    async def body() -> None:
        players = await shared.playing()
        acts, other = sorted(players, key=lambda player: not player.acts)
        await acts.quiet(0.1)
        version, turn = acts.version, acts.turn()
        mine = acts.placement()
        cards = mine.rpartition("/")[2]
        for code, fields in (
            ("turn-over", {**turn, "street": 2, "placement": mine}),
            ("turn-over", {**turn, "hand": 7, "placement": mine}),
            ("cards-not-yours", {**turn, "placement": "2c3c4c/-/5c6c"}),
            (
                "cards-not-yours",
                {**turn, "placement": f"-/-/{cards} x" + next(card for card in DECK if card not in cards)},
            ),
            ("wrong-count", {**turn, "placement": f"-/-/{cards[:2]}"}),
            ("row-full", {**turn, "placement": f"{cards[:8]}/-/{cards[8:]}"}),
            ("bad-placement", {**turn, "placement": f"{cards[:2]}/{cards[:2]}/-"}),
            ("bad-placement", {**turn, "placement": "all of them"}),
        ):
            assert await acts.refused("confirm", **fields) == code, fields
        assert await other.refused("confirm", **turn, placement=mine) == "not-your-turn"
        assert await other.quiet(0.1) == []
        await acts.connect()
        assert acts.version == version
        await acts.lay()
        assert await acts.refused("confirm", **turn, placement=mine) == "turn-over"
        for each in players:
            await each.close()

    go(body())


def test_a_flood_closes_only_its_own_socket(shared: House) -> None:
    async def body() -> None:
        ann, bob = await shared.playing()
        with contextlib.suppress(ConnectionClosed):
            for number in range(400):
                await ann.send({"type": "ready", "id": f"flooding-{number}", "hand": 9})
        assert await closed(ann) == FLOOD
        began = time.monotonic()
        await bob.send({"type": "ping"})
        while (await bob.next())["type"] != "pong":
            pass
        assert time.monotonic() - began < 1
        await ann.connect()
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    go(body())


# -- who may do what


async def _not_a_view(player: Player) -> Message:
    while (message := await player.next())["type"] == "view":
        pass
    return message


def test_a_seat_is_played_from_one_window_whatever_becomes_of_its_socket(shared: House) -> None:
    async def body() -> None:
        ann, bob = await shared.playing()
        acts, other = (ann, bob) if ann.acts else (bob, ann)
        second = await shared.come(acts.cookie, acts.table)
        assert (second.elsewhere, second.view["may"]) == (True, [])
        turn = {**acts.turn(), "placement": acts.placement()}
        assert await second.refused("confirm", **turn) == "elsewhere"
        await second.send({"type": "draft", **turn})
        assert (await _not_a_view(second))["code"] == "elsewhere"
        await second.send({"type": "ping"})
        assert (await _not_a_view(second))["type"] == "pong"
        await second.send({"type": "take-over"})
        await second.see(lambda _: not second.elsewhere)
        await acts.see(lambda _: acts.elsewhere)
        # The same window again, while its socket seems to be open: nobody has to wait until that is found to be dead.
        again = Player(shared, second.cookie, second.table)
        again.window = second.window
        await again.connect()
        assert not again.elsewhere
        await second.see(lambda _: second.elsewhere)
        await again.lay()
        await again.close()
        await acts.see(lambda _: not acts.elsewhere or not second.elsewhere)
        for each in (acts, second, other):
            await each.close()

    go(body())


@pytest.mark.parametrize("window", ["", "short", "x" * 65, "window%0A1234", "окно-окно-окно", "a%20b%20c%20d%20e"])
def test_a_window_without_a_proper_name_is_one_of_its_own(shared: House, window: str) -> None:
    async def body() -> None:
        cookie = shared.guest("Ann")
        table = shared.table(cookie)
        sockets = [Player(shared, cookie, table) for _ in range(2)]
        for each in sockets:
            each.window = window
            await each.connect()
        await sockets[0].kept("sit")
        await sockets[1].see(lambda _: sockets[1].elsewhere)
        assert not sockets[0].elsewhere
        for each in sockets:
            await each.close()

    go(body())


def test_a_cookie_that_nobody_has_gives_no_more_than_a_spectators_eyes(shared: House) -> None:
    async def body() -> None:
        ann, bob = await shared.playing()
        stranger = await shared.come("x" * 43, ann.table)
        assert stranger.view["you"] is None
        assert stranger.view["may"] == []
        assert await stranger.refused("sit") == "not-a-guest"
        await ann.connect()  # the real one comes: the other gets nothing of hers
        await play_hand([ann, bob])
        await stranger.see(lambda view: view["hand"]["reckoning"])
        for frame in stranger.frames:
            view = json.loads(frame).get("view")
            for side in view["hand"]["players"] if view and view["hand"] else ():
                assert side["discards"] == []
                assert side["street"] == 1 or side["dealt"] == []
        for each in (ann, bob, stranger):
            await each.close()

    go(body())


# -- the REST routes


def test_a_guest_is_known_again_and_may_change_his_name(shared: House) -> None:
    assert shared.call("GET", "/api/me").json == {"name": None}
    answer = shared.call("POST", "/api/guests", {"name": "  Аня  "})
    assert (answer.status, answer.json) == (201, {"name": "Аня"})
    given = answer.headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=lax" in given
    assert "Secure" not in given  # plain http, as in a home network
    cookie = given.partition("=")[2].partition(";")[0]
    assert shared.call("GET", "/api/me", cookie=cookie).json == {"name": "Аня"}
    again = shared.call("POST", "/api/guests", {"name": "Анна"}, cookie)
    assert (again.status, again.json) == (201, {"name": "Анна"})
    renewed = again.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert renewed != cookie
    for each in (cookie, renewed):  # nobody knows yet whether the browser has got the new one
        assert shared.call("GET", "/api/me", cookie=each).json == {"name": "Анна"}
    secure = shared.call("POST", "/api/guests", {"name": "Bob"}, x_forwarded_proto="https")
    assert "Secure" in secure.headers["set-cookie"]


def test_a_new_name_counts_from_the_next_time_one_sits(shared: House) -> None:
    async def body() -> None:
        cookie = shared.guest("Ann")
        player = await shared.come(cookie, shared.table(cookie))
        shared.call("POST", "/api/guests", {"name": "Анна"}, cookie)
        await player.kept("sit")
        await player.see(lambda view: view["seats"][0])
        assert player.view["seats"][0]["name"] == "Анна"
        assert player.view["seats"][0]["host"]
        await player.close()

    go(body())


def test_a_table_has_a_card_and_a_qr_code(shared: House) -> None:
    cookie = shared.guest("Ann")
    body = {
        "name": "Пятница",
        "rules": "club",
        "set": {"seats": "2-3", "point_price": "500"},
        "bots": ["ananas", "kiwi"],
    }
    made = shared.call("POST", "/api/tables", body, cookie)
    assert made.status == 201
    table = made.json["table"]
    assert shared.call("GET", f"/api/tables/{table}").json == {
        "table": table,
        "name": "Пятница",
        "rules": "club",
        "changes": {"seats": "2-3", "point_price": "500"},
        "seats": [2, 3],
        "buy_in": [50, 100],
        "point_price": 500,
        "sitters": [{"name": "Ananas", "bot": True}, {"name": "Kiwi", "bot": True}],
        "playing": False,
        "hands": 0,
    }
    picture = shared.call("GET", f"/api/tables/{table}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.body.startswith(b"<svg")
    room = shared.call("GET", "/api/room").json
    assert room["public_url"] == shared.url
    assert set(room) == {"version", "public_url"}


TABLE: dict[str, object] = {
    "name": "Friday",
    "rules": "room",
    "set": {"hand_seconds": "60"},
    "bots": ["kiwi", "mango"],
}


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/tables", TABLE, 401, "not-a-guest"),
        ("/api/guests", {"name": ""}, 422, "bad-name"),
        ("/api/guests", {"name": "a\u202eb"}, 422, "bad-name"),
        ("/api/guests", {"name": "a" * 300}, 422, "bad-field"),
        ("/api/guests", {"name": 5}, 422, "bad-field"),
        ("/api/guests", {}, 422, "bad-field"),
        ("/api/guests", {"name": "Ann", "id": "guest:0"}, 422, "bad-field"),
        ("/api/guests", b"null", 422, "bad-field"),
        ("/api/guests", b"[]", 422, "bad-field"),
        ("/api/guests", b"{", 400, "bad-json"),
        ("/api/guests", b"\xff", 400, "bad-json"),
        ("/api/guests", b"[" * 4000, 400, "bad-json"),
        ("/api/guests", b'{"name":"\\ud800"}', 422, "bad-field"),
        ("/api/guests", b'{"name":NaN}', 422, "bad-field"),
        ("/api/guests", b"x" * 5000, 413, "too-large"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_wrong_body_is_refused_with_a_reason(shared: House, path: str, body: object, status: int, code: str) -> None:
    answer = shared.call("POST", path, body)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert set(answer.json) == {"code", "args", "text"}
    assert "Traceback" not in answer.body.decode()
    if code == "bad-field":
        assert re.match(r"a field of the message is wrong: (the whole of it|name|id): \w", answer.json["text"])


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("seats", 3, "bad-field"),
        ("bots", ["kiwi", "mango", "ananas"], "bad-rule"),  # three bots on three seats
        ("bots", ["kiwi", "kiwi"], "bad-field"),
        ("bots", ["Kiwi"], "bad-field"),
        ("bots", ["nobody"], "bad-field"),
        ("bots", ["kiwi", "mango", "papaya", "ananas", "kiwi"], "bad-field"),
        ("bots", "kiwi", "bad-field"),
        ("bots", 2, "bad-field"),
        ("name", "<script>", "bad-name"),
        ("rules", {}, "bad-field"),
        ("rules", "casino", "bad-rule"),
        ("set", [], "bad-field"),
        ("set", {"seats": 2}, "bad-field"),
        ("set", {"seats": "2-2"}, "bad-rule"),  # two bots on two seats
        ("set", {"seats": "4-4"}, "bad-rule"),  # four times seventeen cards
        ("set", {"jokers": "2"}, "bad-rule"),
        ("set", {"base": "club"}, "bad-rule"),
        ("set", {"lock": "on-place"}, "bad-rule"),
        ("set", {"deal": "5,3,3,3,3,3"}, "bad-rule"),
        ("set", {"royalty_table": "x" * 500}, "bad-field"),
    ],
)
def test_a_wrong_table_is_refused(shared: House, field: str, value: object, code: str) -> None:
    answer = shared.call("POST", "/api/tables", {**TABLE, field: value}, shared.guest("Ann"))
    assert (answer.status, answer.json["code"]) == (422, code)


def test_a_table_is_opened_by_a_name_alone_and_by_any_rules_that_can_be_played(shared: House) -> None:
    cookie = shared.guest("Ann")
    plain = shared.call("POST", "/api/tables", {"name": "Friday"}, cookie).json["table"]
    card = shared.call("GET", f"/api/tables/{plain}").json
    assert (card["rules"], card["changes"], card["sitters"]) == ("room", {}, [])
    house_rules = {"scoring": "2-4", "royalties": "line-winner", "buy_in": "20-40", "hand_seconds": "90"}
    body = {"name": "Friday", "rules": "club", "set": house_rules, "bots": ["kiwi", "ananas", "mango"]}
    table = shared.call("POST", "/api/tables", body, cookie).json["table"]
    card = shared.call("GET", f"/api/tables/{table}").json
    assert (card["rules"], card["changes"], card["seats"]) == ("club", house_rules, [2, 4])
    assert [sitter["name"] for sitter in card["sitters"]] == ["Kiwi", "Ananas", "Mango"]

    async def body_of_test() -> None:
        player = await shared.come(cookie, table)
        assert await player.refused("sit", buy_in=41) == "bad-buy-in"
        await player.kept("sit", buy_in=25)
        assert await player.refused("top-up", to=25) == "bad-buy-in"
        await player.kept("top-up", to=40)
        await player.see(lambda view: view["seats"][3] and view["seats"][3]["stack"] == 40)
        assert player.view["rules"]["scoring"] == "2-4"
        await player.kept("sit-out")
        await player.see(lambda view: view["seats"][3]["sitting_out"])
        await player.kept("leave")
        await player.close()

    go(body_of_test())


def test_the_rules_are_told_with_all_their_values(shared: House) -> None:
    told = shared.call("GET", "/api/rules").json
    assert told["sets"] == {name: rules.values for name, rules in RULE_SETS.items()}
    assert told["choices"]["scoring"] == ["1-6", "2-4"]
    for name, values in told["sets"].items():
        assert RuleSet.named(name).but(values) == RULE_SETS[name]


def test_finished_hands_can_be_had_as_text_by_each_as_far_as_he_may_know_them(shared: House) -> None:
    players: list[Player] = []

    async def body() -> None:
        ann, bob = await shared.playing()
        players.extend((ann, bob))
        for path in ("hands/1.ofc", "hands/2.ofc", "hands.ofcs"):
            answer = shared.call("GET", f"/api/tables/{ann.table}/{path}", cookie=ann.cookie)
            assert (answer.status, answer.json["code"]) == (404, "no-such-hand")
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    go(body())
    table = players[0].table
    texts: dict[str | None, str] = {}
    for who in (*players, None):
        answer = shared.call("GET", f"/api/tables/{table}/hands/1.ofc", cookie=None if who is None else who.cookie)
        assert answer.status == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["content-disposition"] == 'attachment; filename="hand-1.ofc"'
        texts[None if who is None else who.cookie] = answer.body.decode()
    assert len(set(texts.values())) == 3
    for who in players:
        mine = next(side for side in who.view["hand"]["players"] if side["seat"] == who.seat)
        other = next(each for each in players if each is not who)
        for card in mine["discards"]:
            assert card in texts[who.cookie]
            assert card not in texts[other.cookie]
            assert card not in texts[None]
    every = shared.call("GET", f"/api/tables/{table}/hands.ofcs", cookie=players[0].cookie)
    assert [history.hand.boards for history in read_histories(every.body.decode())] == [
        read_history(texts[None]).hand.boards
    ]
    for path in ("hands/0.ofc", "hands/x.ofc", "hands/99999999999.ofc"):
        assert shared.call("GET", f"/api/tables/{table}/{path}").status == 422
    for path in ("hands/1.ofc", "hands.ofcs"):
        assert shared.call("GET", f"/api/tables/aaaaaaaaaaaa/{path}").json["code"] == "no-table"


def test_one_address_may_not_ask_for_hands_without_end(house: House) -> None:
    table = house.table(house.guest("Ann"))
    statuses = [house.call("GET", f"/api/tables/{table}/hands.ofcs").status for _ in range(DOWNLOADS + 5)]
    assert statuses[:DOWNLOADS] == [404] * DOWNLOADS
    assert 429 in statuses[DOWNLOADS:]
    answers = [house.call("GET", f"/api/tables/{table}/hands/1.ofc") for _ in range(3)]
    late = next(answer for answer in answers if answer.status == 429)
    assert (late.json["code"], late.json["args"]) == ("too-many", {"rate": DOWNLOADS})
    assert late.json["text"].endswith(f"at most {DOWNLOADS} a minute")


def test_a_table_that_is_not_there_looks_like_any_other(shared: House) -> None:
    ids = ["aaaaaaaaaaaa", "..", "%2e%2e%2f", "a' OR 1=1 --", "%00", "%F0%9F%8D%8D", "a" * 3000]
    for path in (f"/api/tables/{name.replace(' ', '%20')}" for name in ids):
        answer = shared.call("GET", path)
        assert answer.status == 404, path
    answer = shared.call("GET", "/api/tables/aaaaaaaaaaaa")
    assert answer.json == {"code": "no-table", "args": {}, "text": "there is no such table"}

    async def body() -> None:
        async with connect(f"ws://127.0.0.1:{shared.port}/api/tables/aaaaaaaaaaaa/socket") as found:
            with pytest.raises(ConnectionClosed) as end:
                await found.recv()
            assert end.value.rcvd is not None
            assert end.value.rcvd.code == 4404

    go(body())


def test_one_address_may_not_make_names_and_tables_without_end(tmp_path: Path) -> None:
    house = House(tmp_path / "room.sqlite", creations=5).start()
    try:
        cookie = house.guest("Ann")
        for _ in range(5):
            house.table(cookie)
        for path, body in (("/api/tables", TABLE), ("/api/guests", {"name": "Bob"})):
            answer = house.call("POST", path, body, cookie)
            assert (answer.status, answer.json["code"]) == (429, "too-many")
            assert answer.json["text"].endswith("at most 5 a minute")
        assert house.call("GET", "/api/me", cookie=cookie).json == {"name": "Ann"}
        for _ in range(4):
            house.guest("Bob")
        assert house.call("POST", "/api/guests", {"name": "Bob"}).status == 429
    finally:
        house.close()


def test_every_answer_bears_strict_headers(shared: House) -> None:
    for method, path in (("GET", "/"), ("GET", "/t/aaaaaaaaaaaa"), ("GET", "/nothing"), ("GET", "/api/me"),
                         ("GET", "/api/nothing"), ("PUT", "/api/me"), ("GET", "/api/openapi.json")):  # fmt: skip
        answer = shared.call(method, path, None if method == "GET" else {})
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy, path
        assert "worker-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
        assert answer.headers["cache-control"] == ("no-store" if path.startswith("/api/") else "no-cache")


@pytest.mark.parametrize(
    "sent",
    [
        [b""],  # nothing at all
        [b"GET / HTTP/1.1\r\nHost: here\r\n"],
        [b"GET / HTTP/1.1\r\n", *[b"X: y\r\n"] * 20],  # one header after the other
        [b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000],
        [b"POST /api/guests HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n", b"{"],
    ],
    ids=["silent", "half", "slow", "endless", "no body"],
)
def test_who_never_says_what_he_wants_is_cut_off(monkeypatch: pytest.MonkeyPatch, sent: list[bytes]) -> None:
    monkeypatch.setattr(module, "REQUEST_SECONDS", 0.3)

    async def waits_for_the_body(_: Scope, receive: Receive, __: Send) -> None:
        while (await receive()).get("more_body"):
            pass

    async def body() -> None:
        async with serving_http(waits_for_the_body) as address:
            reader, writer = await asyncio.open_connection(*address)
            began = time.monotonic()
            with contextlib.suppress(ConnectionError):
                for part in sent:
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(0.02)
                assert await asyncio.wait_for(reader.read(), 5) == b""
            assert time.monotonic() - began < 4
            writer.close()

    go(body())


@contextlib.asynccontextmanager
async def serving_http(app: ASGIApp, **settings: Any) -> AsyncGenerator[tuple[str, int]]:  # noqa: ANN401
    """The room's HTTP before another application; gives where it listens."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * 1024)
    config = uvicorn.Config(app, http=HttpProtocol, loop="asyncio", lifespan="off", log_config=None, **settings)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()
    finally:
        server.should_exit = True
        await serving


LONG: Final = 4_000_000


async def _answers_at_length(_: Scope, __: Receive, send: Send) -> None:
    length = [(b"content-length", str(LONG).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    for _part in range(4):
        await send({"type": "http.response.body", "body": bytes(LONG // 4), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _answers_at_once(_: Scope, __: Receive, send: Send) -> None:
    length = [(b"content-length", str(LONG).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    await send({"type": "http.response.body", "body": bytes(LONG)})


def _deaf(address: tuple[str, int]) -> socket.socket:
    asker = socket.socket()
    asker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asker.connect(address)
    asker.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    asker.setblocking(False)
    return asker


async def _read(asker: socket.socket) -> int:
    """How much is read until the other side closes."""
    length, loop = 0, asyncio.get_running_loop()
    with contextlib.suppress(ConnectionError):
        while part := await loop.sock_recv(asker, 65_536):
            length += len(part)
    return length


@pytest.mark.parametrize("app", [_answers_at_length, _answers_at_once])
def test_who_asks_and_never_reads_is_cut_off(monkeypatch: pytest.MonkeyPatch, app: ASGIApp) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)

    async def body() -> None:
        async with serving_http(app) as address:
            with _deaf(address) as asker:
                await asyncio.sleep(1)
                assert await asyncio.wait_for(_read(asker), 5) < LONG

    go(body())


@pytest.mark.parametrize("app", [_answers_at_length, _answers_at_once])
def test_who_reads_slowly_gets_his_answer(monkeypatch: pytest.MonkeyPatch, app: ASGIApp) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 1.0)  # of several that it takes him

    async def body() -> None:
        length, loop = 0, asyncio.get_running_loop()
        async with serving_http(app) as address:
            with _deaf(address) as asker:
                while length < LONG:
                    part = await asyncio.wait_for(loop.sock_recv(asker, 65_536), 5)
                    assert part, "he was cut off"
                    length += len(part)
                    await asyncio.sleep(0.005)

    go(body())


def test_beyond_what_the_process_can_hold_a_connection_is_none() -> None:
    async def body() -> None:
        async with serving_http(_answers_at_length, limit_concurrency=3) as address:
            held = [await asyncio.open_connection(*address) for _ in range(3)]
            reader, writer = await asyncio.open_connection(*address)
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), 5) == b""
            for _, each in (*held, (reader, writer)):
                each.close()

    go(body())


def test_a_room_takes_as_many_descriptors_as_it_may(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    house = House(tmp_path / "room.sqlite")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        house.start()
        assert resource.prlimit(house.process.pid, resource.RLIMIT_NOFILE) == (min(hard, DESCRIPTORS), hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        house.close()


def test_one_address_may_not_have_sockets_without_end(tmp_path: Path) -> None:
    house = House(tmp_path / "room.sqlite", sockets=3).start()

    async def body() -> None:
        ann = house.guest("Ann")
        table = house.table(ann)
        there = [await house.come(each, table) for each in (ann, None, None)]
        assert await closed(await _uninvited(house, None, table)) == FLOOD
        await there.pop().close()
        last = await house.come(None, table)  # there is a place again
        await last.send({"type": "ping"})
        assert (await last.next())["type"] in {"pong", "view"}
        for each in (*there, last):
            await each.close()

    try:
        go(body())
    finally:
        house.close()


def test_one_guest_may_not_have_sockets_without_end(shared: House) -> None:
    async def body() -> None:
        ann, bob = shared.guest("Ann"), shared.guest("Bob")
        table = shared.table(ann)
        sockets = [await shared.come(ann, table) for _ in range(GUEST_SOCKETS)]
        assert await closed(await _uninvited(shared, ann, table)) == FLOOD
        sockets += [await shared.come(each, table) for each in (bob, None)]
        await sockets[0].close()
        sockets.append(await shared.come(ann, table))
        for each in sockets[1:]:
            await each.close()

    go(body())


async def _uninvited(house: House, cookie: str | None, table: str) -> Player:
    """Somebody who opens a socket and may hear nothing but that it is closed."""
    player = Player(house, cookie, table)
    with contextlib.suppress(ConnectionClosed):
        await player.connect()
    return player


def test_a_length_with_many_noughts_before_it_is_a_length(shared: House) -> None:
    body = b'{"name":"' + b"x" * 40_000 + b'"}'
    answer = shared.call("POST", "/api/guests", body, content_length=f"{len(body):015}")
    assert (answer.status, answer.json["code"]) == (413, "too-large")
    body = b'{"name":"Ann"}'
    assert shared.call("POST", "/api/guests", body, content_length=f"{len(body):015}").status == 201


@pytest.mark.parametrize("path", ["/api/me", "/api/room", "/"])
def test_only_the_head_of_an_answer_may_be_asked_for(shared: House, path: str) -> None:
    whole, head = shared.call("GET", path), shared.call("HEAD", path)
    assert (head.status, head.body) == (whole.status, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_a_body_has_to_say_how_long_it_is(shared: House) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=20)
    with contextlib.closing(connection):
        connection.request("POST", "/api/guests", iter([b'{"name":', b'"Ann"}']), encode_chunked=True)
        assert connection.getresponse().status == 411


PAGES = (
    "/",
    "/rules",
    "/lesson",
    "/t/aaaaaaaaaaaa",
    "/t/aaaaaaaaaaaa/hands",
    "/t/aaaaaaaaaaaa/hands/17",
    "/t/aaaaaaaaaaaa/account",
    "/h/aaaaaaaaaaaa",
    "/d/aaaaaaaaaaaa",
)
NO_PAGES = (
    "/lobby",
    "/rules/",
    "/rules/1",
    "/t/",
    "/t/a/b",
    "/t/a/hands/",
    "/t/a/hands/one",
    "/t/a/hands/1/2",
    "/t/a/account/b",
    "/h/",
    "/h/a/b",
    "/d/",
    "/d/a/qr.svg",
    "/assets/",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/assets/no.js",
)


def test_the_built_client_is_served_for_its_pages_and_nothing_else(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>the page")
    (static / "assets" / "index-1a2b3c.js").write_text("the script" * 200)
    (tmp_path / "secret.txt").write_text("the database")
    site = Starlette(routes=[Mount("/", client(static))])
    with TestClient(Door(site, public_url="http://testserver")) as browser:
        for page in PAGES:
            assert browser.get(page).text == "<!doctype html>the page"
            assert browser.get(page).headers["cache-control"] == "no-cache"
        script = browser.get("/assets/index-1a2b3c.js")
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        for path in NO_PAGES:
            answer = browser.get(path)
            assert answer.status_code == 404, path
            assert answer.text == "Not Found"
            assert answer.headers["cache-control"] == "no-cache"
            seen = browser.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
            assert (seen.status_code, seen.text) == (404, "<!doctype html>the page"), path
            assert seen.headers["cache-control"] == "no-cache"
        assert browser.post("/lobby", headers={"Accept": "text/html"}, content=b"").status_code == 405


def test_what_browsers_look_for_at_the_root_has_its_own_type_and_is_never_stale(tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    site = Starlette(routes=[Mount("/", client(static))])
    kinds = {"/sw.js": "text/javascript; charset=utf-8", "/manifest.webmanifest": "application/manifest+json"}
    with TestClient(Door(site, public_url="http://testserver")) as browser:
        for path, kind in kinds.items():
            assert browser.get(path).status_code == 404
            (static / path[1:]).write_text("{}")
            answer = browser.get(path)
            assert (answer.status_code, answer.text) == (200, "{}")
            assert answer.headers["content-type"] == kind
            assert answer.headers["cache-control"] == "no-cache"
        (static / "icon-192.png").write_bytes(b"a picture")
        picture = browser.get("/icon-192.png")
        assert (picture.headers["content-type"], picture.headers["cache-control"]) == ("image/png", "no-cache")


@pytest.mark.parametrize("path", ["/nosuch", "/t/", "/assets/no.js", "/%00", "/" + "a" * 3000, "/%2e%2e/secret.txt"])
@pytest.mark.parametrize("built", [True, False])
def test_no_address_breaks_the_room_whether_the_client_is_built_or_not(tmp_path: Path, path: str, built: bool) -> None:
    static = tmp_path / "static"
    if built:
        static.mkdir()
        (static / "index.html").write_text("the page")
    with TestClient(Starlette(routes=[Mount("/", client(static))])) as browser:
        assert browser.get(path).status_code == 404
        seen = browser.get(path, headers={"Accept": "text/html"})
        assert seen.status_code == (404 if built else 503)
        assert seen.text == "the page" if built else "python build_client.py" in seen.text
        with pytest.raises(WebSocketDisconnect), browser.websocket_connect(path):
            pass


def test_without_a_built_client_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    with TestClient(client(tmp_path / "static")) as browser:
        answer = browser.get("/")
        assert answer.status_code == 503
        assert "python build_client.py" in answer.text
        assert (Path(__file__).parents[2] / "build_client.py").is_file()


# -- the process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_room_that_is_told_to_stop_says_goodbye_and_goes_on_next_time(house: House, number: signal.Signals) -> None:
    async def body() -> None:
        ann, bob = await house.playing()
        acts = ann if ann.acts else bob
        await acts.lay()
        version, before = acts.version, acts.view
        began = time.monotonic()
        status = await asyncio.to_thread(house.end, number)
        assert status == 0
        assert time.monotonic() - began < 3
        for each in (ann, bob):
            assert await closed(each) == 1012
        await asyncio.to_thread(house.start)
        for each in (ann, bob):
            await each.connect()
        await ann.catch_up(version + 1)  # Resumed
        for side, was in zip(ann.view["hand"]["players"], before["hand"]["players"], strict=True):
            assert (side["board"], side["street"]) == (was["board"], was["street"])
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    go(body())
    assert house.log.read_text().count("Traceback") == 0


def test_nobody_is_taken_for_gone_whose_socket_the_room_itself_closes(house: House) -> None:
    tables: list[str] = []

    async def body() -> None:
        ann, bob = await house.playing()
        tables.append(ann.table)
        await asyncio.to_thread(house.end, signal.SIGTERM)
        await asyncio.to_thread(house.start)
        for each in (ann, bob):
            await each.connect()
        await asyncio.sleep(1.5)
        await bob.close()
        await ann.see(lambda view: not view["seats"][bob.seat]["connected"])
        await ann.close()

    go(body())
    with contextlib.closing(open_to_check(house.database)) as db:
        log = load(db, tables[0])
    assert log is not None
    told = [type(event).__name__ for event in log.events]
    assert told.index("Disconnected") > told.index("Resumed")
    assert "Connected" not in told[: told.index("Disconnected")]


def test_a_room_that_was_stopped_charges_nobody_and_drops_nobody(house: House) -> None:
    async def body() -> None:
        ann, bob = await house.playing()
        await ann.connect()
        left, began = _left(ann), time.monotonic()
        await asyncio.sleep(0.5)
        house.send_signal(signal.SIGSTOP)
        await asyncio.sleep(4)
        house.send_signal(signal.SIGCONT)
        await bob.quiet(0.5)
        await ann.see(lambda _: _left(ann) < left)  # shown anew, unasked
        working = time.monotonic() - began - 4
        assert 0 <= left - _left(ann) <= 1000 * working + 250
        await play_hand([ann, bob])
        for each in (ann, bob):
            await each.close()

    go(body())
    assert "stalled" in house.log.read_text()


def _left(player: Player) -> int:
    left: int = next(seat["clock"]["hand_ms"] for seat in player.view["seats"] if seat["clock"]["running"])
    return left


def test_a_reader_that_never_reads_is_dropped_and_the_table_does_not_wait(house: House) -> None:
    async def body() -> None:
        ann, bob = await house.playing()
        acts, other = (ann, bob) if ann.acts else (bob, ann)
        deaf = _deaf_socket(house, acts.table)
        try:
            card, turn = acts.placement().rpartition("/")[2][:2], acts.turn()
            slowest = 0.0
            for number in range(400):
                began = time.monotonic()
                row = ("{}/-/-", "-/{}/-")[number % 2].format(card)
                await acts.send({"type": "draft", **turn, "placement": row})
                await other.see(lambda view, row=row: _draft(view) == row)  # type: ignore[misc]
                slowest = max(slowest, time.monotonic() - began)
                _ping(deaf)
                await asyncio.sleep(0.03)
                if number % 20 == 0 and "spectators" in other.view and number > 50 and not other.view["spectators"]:
                    break
            else:
                raise AssertionError("the deaf one is still there")
            assert slowest < 1
        finally:
            deaf.close()
        for each in (ann, bob):
            await each.close()

    go(body())


def _draft(view: dict[str, Any]) -> str | None:
    drafts = [side["draft"] for side in view["hand"]["players"] if side["draft"]]
    return drafts[0] if drafts else None


def _deaf_socket(house: House, table: str) -> socket.socket:
    """A WebSocket that is opened, and never read from."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", house.port))
    deaf.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    deaf.setblocking(False)
    return deaf


def _ping(deaf: socket.socket) -> None:
    text = b'{"type":"ping"}'
    with contextlib.suppress(OSError):
        deaf.send(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)


def test_nothing_written_down_names_a_token_or_a_card(house: House) -> None:
    async def body() -> list[str]:
        players = await house.playing()
        await players[0].send(b"{}")
        await play_hand(players)
        for each in players:
            await each.close()
        return [str(player.cookie) for player in players]

    tokens: list[str] = []

    async def run() -> None:
        tokens.extend(await body())

    go(run())
    house.end(signal.SIGTERM)
    kept = house.log.read_bytes() + house.database.read_bytes()
    assert tokens
    for token in tokens:
        assert token.encode() not in kept
    assert house.said == ""
