"""Whose page may speak for a guest: the room's own, at the very address it was opened at; and what a cookie is worth."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ananas.server import api, guests
from ananas.server.app import build_app
from ananas.server.guests import AGAIN_MS, GRACE_MS, RENEW_MS, add_guest, known_guest, renewed
from ananas.server.settings import Settings
from ananas.server.store import Store
from tests.server.house import House

pytestmark = pytest.mark.server

# What a browser could say of the page that opens a socket, and whether that is a page of the room, which is known as
# https://ofc.example and listens on a port of this machine. Several lines stand for several headers.
VARIANTS: dict[str, tuple[tuple[str, ...], bool]] = {
    "exact": (("http://127.0.0.1:{port}",), True),
    "the public address": (("https://ofc.example",), True),
    "another port": (("http://127.0.0.1:1{port}",), False),
    "no port": (("http://127.0.0.1",), False),
    "another scheme": (("https://127.0.0.1:{port}",), False),
    "another scheme of the public address": (("http://ofc.example",), False),
    "a subdomain": (("https://www.ofc.example",), False),
    "a suffix": (("http://127.0.0.1:{port}.evil.example",), False),
    "a prefix": (("https://evil-ofc.example",), False),
    "as a path": (("http://evil.example/http://127.0.0.1:{port}",), False),
    "as a user": (("http://127.0.0.1:{port}@evil.example",), False),
    "null": (("null",), False),
    "empty": (("",), False),
    "upper case": (("HTTP://127.0.0.1:{port}",), False),
    "upper case of a name": (("https://OFC.example",), False),
    "a slash behind": (("http://127.0.0.1:{port}/",), False),
    "a dot behind": (("https://ofc.example.",), False),
    "another name of this machine": (("http://localhost:{port}",), False),
    "two in one": (("http://127.0.0.1:{port} http://evil.example",), False),
    "several": (("http://127.0.0.1:{port}", "http://evil.example"), False),
    "several the other way round": (("http://evil.example", "http://127.0.0.1:{port}"), False),
    "a file": (("file://",), False),
}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("public") / "room.sqlite", public_url="https://ofc.example").start()
    yield house
    house.close()


def test_only_a_page_at_the_very_address_opens_a_socket(public: House) -> None:
    cookie = public.guest("Ann")
    address = f"ws://127.0.0.1:{public.port}/api/tables/{public.table(cookie)}/socket"
    # Whoever names no origin is no browser: he may watch, but be nobody.
    wanted = {
        (name, with_cookie): allowed for name, (_, allowed) in VARIANTS.items() for with_cookie in (True, False)
    } | {("missing", True): False, ("missing", False): True, ("missing, another cookie", False): True}

    async def body() -> dict[tuple[str, bool], bool]:
        found = dict[tuple[str, bool], bool]()
        for name, with_cookie in wanted:
            origins, _ = VARIANTS.get(name, ((), None))
            headers = [("Origin", each.format(port=public.port)) for each in origins]
            if with_cookie:
                headers.append(("Cookie", f"{api.COOKIE}={cookie}"))
            elif "another cookie" in name:
                headers.append(("Cookie", "theme=dark"))
            found[name, with_cookie] = await _opens(address, headers)
        return found

    assert asyncio.run(body()) == wanted


async def _opens(address: str, headers: list[tuple[str, str]]) -> bool:
    try:
        async with connect(address, additional_headers=headers, compression=None) as found:
            return b'"view"' in await found.recv(decode=False)
    except InvalidStatus as refused:
        return refused.response.status_code not in {400, 403}


def test_only_a_page_at_the_very_address_posts(public: House) -> None:
    cookie = public.guest("Ann")
    for name, (origins, allowed) in VARIANTS.items():
        if len(origins) == 1:
            origin = origins[0].format(port=public.port)
            for who in (cookie, None):
                answer = public.call("POST", "/api/guests", {"name": "Ann"}, who, origin=origin)
                assert (answer.status == 201) == allowed, name
    assert public.call("POST", "/api/guests", {"name": "Ann"}).status == 201, "no browser"


def test_behind_a_proxy_that_speaks_tls_the_address_is_one_of_https(public: House) -> None:
    here = f"127.0.0.1:{public.port}"
    for origin, allowed in ((f"https://{here}", True), (f"http://{here}", False)):
        answer = public.call("POST", "/api/guests", {"name": "Ann"}, origin=origin, x_forwarded_proto="https")
        assert (answer.status == 201) == allowed


LAX: dict[str, Callable[[str, list[str]], bool]] = {
    "begins with it": lambda said, good: said.startswith(tuple(good)),
    "has it in it": lambda said, good: any(each in said for each in good),
    "has its name": lambda said, good: said.rpartition("//")[2] in {each.rpartition("//")[2] for each in good},
    "ends with it": lambda said, good: said.endswith(tuple(each.rpartition("//")[2] for each in good)),
    "in any case": lambda said, good: said.lower() in good,
    "without what is behind": lambda said, good: said.rstrip("/.") in good,
    "or null": lambda said, good: said in {*good, "null"},
    "or nothing": lambda said, good: said in {*good, ""},
    "the name without its port": lambda said, good: said.rpartition(":")[0] in {g.rpartition(":")[0] for g in good},
}


def _wrong(look: Callable[[Headers], bool]) -> list[str]:
    """Which variants a look at origins takes for what they are not."""
    return [
        name
        for name, (origins, allowed) in VARIANTS.items()
        if look(Headers(raw=[(b"host", b"127.0.0.1:8000"), *((b"origin", _at(o).encode()) for o in origins)]))
        != allowed
    ]


def _at(origin: str) -> str:
    return origin.format(port=8000)


def test_the_room_looks_exactly() -> None:
    assert _wrong(lambda headers: api.origin_allowed(headers, "ws", "https://ofc.example")) == []


@pytest.mark.parametrize("lax", LAX)
def test_a_planted_laxer_look_is_caught(lax: str) -> None:
    good = ["http://127.0.0.1:8000", "https://ofc.example"]
    assert _wrong(lambda headers: LAX[lax](headers["origin"], good))


GOOD = {"http://127.0.0.1:8000", "https://ofc.example"}


def _the_first(headers: Headers) -> bool:
    return headers.get("origin") in GOOD


def _the_last(headers: Headers) -> bool:
    return headers.getlist("origin")[-1] in GOOD


def _any_scheme(headers: Headers) -> bool:
    return any(api.origin_allowed(headers, scheme, "https://ofc.example") for scheme in ("ws", "wss"))


@pytest.mark.parametrize("look", [_the_first, _the_last, _any_scheme])
def test_a_planted_look_at_one_of_several_is_caught(look: Callable[[Headers], bool]) -> None:
    assert _wrong(look)


# -- cookies


def cookie_faults(given: str, *, https: bool) -> list[str]:
    """What is wrong with a Set-Cookie header."""
    value, *parts = (part.strip() for part in given.split(";"))
    flags = {part.partition("=")[0].lower(): part.partition("=")[2].lower() for part in parts}
    name, _, token = value.partition("=")
    faults = list[str]()
    if name != api.COOKIE or not re.fullmatch("[A-Za-z0-9_-]+", token):
        faults.append("not an opaque token")
    if len(token) * 6 < 128:
        faults.append("can be guessed")
    if "httponly" not in flags:
        faults.append("scripts can read it")
    if flags.get("samesite") not in {"lax", "strict"}:
        faults.append("other sites send it")
    if https and "secure" not in flags:
        faults.append("goes over plain http")
    if "domain" in flags:
        faults.append("goes to other hosts")
    if flags.get("path") != "/":
        faults.append("belongs to a part of the room")
    return faults


class Rooms:
    """A room in the test's own process, whose clock the test can turn."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path)
        self.app = build_app(Settings(database=path, reviews="asked"), self.store, "https://ofc.example")

    def browser(self, cookie: str | None = None, *, base: str = "https://ofc.example") -> TestClient:
        headers = {} if cookie is None else {"Cookie": f"{api.COOKIE}={cookie}"}
        return TestClient(self.app, base_url=base, headers=headers)


def cookie_in(answer: Any) -> str | None:  # noqa: ANN401
    given: str | None = answer.headers.get("set-cookie")
    return None if given is None else given.partition("=")[2].partition(";")[0]


def test_every_cookie_that_is_given_is_given_safely(tmp_path: Path) -> None:
    room = Rooms(tmp_path / "room.sqlite")
    with room.browser() as browser:
        for base, https in (("https://ofc.example", True), ("http://ofc.example", True), ("http://room.local", False)):
            browser.base_url = base
            browser.cookies.clear()  # a browser keeps those of another address apart
            given = [browser.post("/api/guests", json={"name": "Ann"})]
            own = {"Cookie": f"{api.COOKIE}={cookie_in(given[0])}"}
            given.append(browser.post("/api/guests", json={"name": "Anna"}, headers=own))
            link = browser.post("/api/devices", content=b"", headers=own).json()["link"]
            browser.cookies.clear()
            given.append(browser.post(f"/api/devices/{link}", content=b""))
            tokens = {cookie_in(answer) for answer in given}
            assert len(tokens) == 3, "each time another one"
            for answer in given:
                assert cookie_faults(answer.headers["set-cookie"], https=https) == []
                assert not any(str(token) in answer.text for token in tokens), "a token is in cookies alone"


@pytest.mark.parametrize(
    "given",
    [
        f"{api.COOKIE}={'a' * 43}; SameSite=lax; Secure; Path=/",
        f"{api.COOKIE}={'a' * 43}; HttpOnly; Secure; Path=/",
        f"{api.COOKIE}={'a' * 43}; HttpOnly; SameSite=none; Secure; Path=/",
        f"{api.COOKIE}={'a' * 43}; HttpOnly; SameSite=lax; Path=/",
        f"{api.COOKIE}={'a' * 43}; HttpOnly; SameSite=lax; Secure; Path=/; Domain=example",
        f"{api.COOKIE}={'a' * 20}; HttpOnly; SameSite=lax; Secure; Path=/",
        f"{api.COOKIE}=guest:1; HttpOnly; SameSite=lax; Secure; Path=/",
    ],
)
def test_a_planted_unsafe_cookie_is_caught(given: str) -> None:
    assert cookie_faults(given, https=True)


PRESET = "attackers-own-token-laid-into-the-browser-01"


def fixed(room: Rooms) -> bool:
    """Whether a token that somebody has laid into a browser beforehand is the one its owner is known by afterwards."""
    with room.browser(PRESET) as browser:
        assert browser.get("/api/me").json() == {"name": None}
        given = browser.post("/api/guests", json={"name": "Ann"})
        assert given.status_code == 201
        own = cookie_in(given)
        browser.cookies.clear()  # the preset one goes in a header of its own
        return own is None or own == PRESET or browser.get("/api/me").json() != {"name": None}


def test_a_preset_cookie_is_never_taken_on(tmp_path: Path) -> None:
    assert not fixed(Rooms(tmp_path / "room.sqlite"))


def test_a_planted_room_that_takes_a_preset_cookie_on_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def preset(_: int) -> str:
        return PRESET

    monkeypatch.setattr(secrets, "token_urlsafe", preset)
    assert fixed(Rooms(tmp_path / "room.sqlite"))


DAY = 24 * 3600 * 1000


def renewals(path: Path) -> list[str]:
    """What is wrong with how a browser's token is renewed."""

    async def run() -> list[str]:
        store, wrong = Store(path), list[str]()

        def hold(what: str, *, true: bool) -> None:
            if not true:
                wrong.append(what)

        async def known(token: str | None, now: int) -> bool:
            await store.forget_devices(now)
            return await known_guest(store, token) == ann

        try:
            ann, first = await add_guest(store, "Ann", 0)
            hold("a young one stays", true=await renewed(store, first, RENEW_MS - 1) is None)
            now = RENEW_MS
            second = await renewed(store, first, now)
            hold("an old one is renewed", true=second not in {None, first})
            hold("two pages at once get one new token", true=await renewed(store, first, now + 1) is None)
            now += 100 * DAY
            hold("one whose successor never arrived is good", true=await known(first, now))
            third = await renewed(store, first, now + AGAIN_MS)
            hold("and renewed again", true=third not in {None, first, second})
            if third is None:
                return wrong
            now += AGAIN_MS + 5
            hold("the new one is good", true=await known(third, now))
            hold("it stays", true=await renewed(store, third, now) is None)
            hold("the old one is good for a while", true=await known(first, now + GRACE_MS - 1))
            hold("but gets no other", true=await renewed(store, first, now + 1, at_once=True) is None)
            hold("and then no more", true=not await known(first, now + GRACE_MS))
            hold("the new one stays good", true=await known(third, now + 29 * DAY))
            hold("nonsense is not renewed", true=await renewed(store, "nonsense", now, at_once=True) is None)
        finally:
            store.close()
        return wrong

    return asyncio.run(run())


def test_a_token_is_renewed_and_nobody_is_forgotten_over_it(tmp_path: Path) -> None:
    assert renewals(tmp_path / "room.sqlite") == []


async def _nothing(*_: object) -> None:
    pass


@pytest.mark.parametrize("fault", ["never over", "never renewed", "over at once", "two at once", "for ever renewed"])
def test_a_planted_fault_in_renewing_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    if fault == "never over":
        monkeypatch.setattr(Store, "replace_device", _nothing)
    elif fault == "never renewed":
        monkeypatch.setattr(guests, "RENEW_MS", 10 * RENEW_MS)
    elif fault == "over at once":
        whole = Store.renew_device

        async def renew(self: Store, token: bytes, new: bytes, at: int) -> None:
            await whole(self, token, new, at)
            await self.replace_device(new, at)

        monkeypatch.setattr(Store, "renew_device", renew)
    elif fault == "two at once":
        monkeypatch.setattr(guests, "AGAIN_MS", 0)
    else:
        monkeypatch.setattr(guests, "GRACE_MS", 10 * DAY)
    assert renewals(tmp_path / "room.sqlite")


def test_an_old_cookie_is_renewed_when_its_browser_comes_back(tmp_path: Path) -> None:
    room = Rooms(tmp_path / "room.sqlite")
    with room.browser() as browser:
        first = cookie_in(browser.post("/api/guests", json={"name": "Ann"}))
        browser.cookies.clear()
        assert cookie_in(browser.get("/api/me", headers={"Cookie": f"{api.COOKIE}={first}"})) is None
    with closing(room.store._connect()) as db:
        db.execute("UPDATE devices SET created_at = created_at - ?", (RENEW_MS,))
    again = Rooms(tmp_path / "room.sqlite")
    with again.browser() as browser:
        answer = browser.get("/api/me", headers={"Cookie": f"{api.COOKIE}={first}"})
        assert answer.json() == {"name": "Ann"}
        second = cookie_in(answer)
        assert second not in {None, first}
        browser.cookies.clear()
        for token in (second, first):
            assert browser.get("/api/me", headers={"Cookie": f"{api.COOKIE}={token}"}).json() == {"name": "Ann"}
            browser.cookies.clear()
