"""Texts that mean harm: at the door, in what the room answers, and in what the client may do with text at all.

What browsers show of them: `tests/browser/test_payloads.py`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from starlette.testclient import TestClient

from ananas import protocol
from ananas.refused import Refused
from ananas.server import app as app_module
from ananas.server.app import HEADERS, build_app
from ananas.server.guests import clean_name
from ananas.server.settings import Settings
from ananas.server.store import Store
from ananas.server.time import RoomClock
from ananas.table.view import Phrase
from tests.server.test_api import PUBLIC, Asking, now
from tests.trust import test_authorization as routes
from tests.trust.payloads import GROUPS, PAYLOADS, lay

ROOT: Final = Path(__file__).parents[2]


def test_no_such_name_gets_past_the_door() -> None:
    for text in PAYLOADS:
        for longest in (20, 40, 1000):
            with pytest.raises(Refused, match="a name has"):
                clean_name(text, longest)


def test_no_such_phrase_gets_past_the_door() -> None:
    for text in PAYLOADS:
        with pytest.raises(Refused):
            protocol.decode(json.dumps({"type": "say", "phrase": text}))
    assert all(re.fullmatch("[a-z-]+", phrase) for phrase in get_args(Phrase))


# -- what every answer bears

SOURCES: Final = {"'none'", "'self'", "data:"}


def header_faults(path: str, answer: Any) -> list[str]:  # noqa: ANN401
    """What is wrong with an answer's headers, beside what is in it."""
    headers, faults = answer.headers, list[str]()
    policy = {
        words[0]: set(words[1:])
        for part in headers.get("content-security-policy", "").split(";")
        if (words := part.split())
    }
    for directive in ("default-src", "base-uri", "frame-ancestors"):
        if policy.get(directive) != {"'none'"}:
            faults.append(f"{directive} is not none")
    for directive in ("script-src", "style-src", "connect-src", "worker-src", "form-action"):
        if policy.get(directive) != {"'self'"}:
            faults.append(f"{directive} is not the room alone")
    if any(not sources <= SOURCES for sources in policy.values()):
        faults.append("something from elsewhere is allowed")
    for name, value in HEADERS.items():
        if headers.get(name) != value:
            faults.append(f"no {name}")
    if headers.get("x-content-type-options") != "nosniff":
        faults.append("browsers may guess what it is")
    if headers.get("strict-transport-security") is None:
        faults.append("may come over plain http next time")
    if path.startswith("/api/") and headers.get("cache-control") != "no-store":
        faults.append("is kept")
    if "server" in headers or "x-powered-by" in headers:
        faults.append("says what serves it")
    kind = headers.get("content-type", "")
    if path.startswith("/api/") and kind.startswith("text/html"):
        faults.append("is a page")
    return faults


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    """A room where everybody and every table has such a name."""
    (tmp_path / "static").mkdir()
    for name in ("index.html", "sw.js", "manifest.webmanifest", "robots.txt"):
        (tmp_path / "static" / name).write_text("built")
    monkeypatch.setattr(RoomClock, "now", now)
    monkeypatch.setattr(app_module, "STATIC", tmp_path / "static")
    database = tmp_path / "room.sqlite"
    lay(database, GROUPS[0])
    app = build_app(Settings(database=database, reviews="asked"), Store(database), PUBLIC)
    with TestClient(app, base_url=PUBLIC, raise_server_exceptions=False) as client:
        yield Asking(client)


SKIPPED: Final = ("puzzle", "review", "SOCKET")
"""The coach takes a while; what he answers bears what all answers bear."""


def every_answer(asking: Asking) -> Iterator[tuple[str, Any]]:
    """What all routes and pages answer: to who may ask, to who may not, to nonsense, and where something breaks."""
    app: Any = asking.client.app
    places = {"table_id": "evening", "table": "evening", "number": 2, "hand:int": 2, "token": "a" * 24}
    for route in sorted(routes.all_routes(app.routes)):
        if not any(word in route for word in SKIPPED):
            method, _, path = route.partition(" ")
            address = re.sub(r"\{([\w:]+)\}", lambda found: str(places[found[1]]), path).replace("*", "robots.txt")
            for who in ("ann", None):
                yield address, asking(method, address, {} if method == "POST" else None, as_=who)
    for method, path, headers in (
        ("GET", "/nothing", {"accept": "text/html"}), ("GET", "/api/nothing", {}), ("PUT", "/api/me", {}),
        ("POST", "/api/guests", {"origin": "https://evil.example"}), ("HEAD", "/", {}), ("OPTIONS", "/api/me", {}),
        ("GET", "/%00", {}), ("GET", "/api/tables/evening/hands/x", {}), ("GET", "/assets/../../secret", {}),
    ):  # fmt: skip
        yield path, asking(method, path, None, **headers)
    yield "/api/guests", asking("POST", "/api/guests", b"x" * 9000)
    yield "/api/guests", asking("POST", "/api/guests", b"{")


def test_every_answer_of_every_route_and_page_bears_strict_headers(asking: Asking) -> None:
    answers = list(every_answer(asking))
    assert len(answers) > 70
    assert {(path, fault) for path, answer in answers for fault in header_faults(path, answer)} == set()
    assert {answer.status_code for _, answer in answers} >= {200, 201, 401, 403, 404, 405, 413, 422}


def test_what_breaks_bears_them_too_and_says_nothing(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("Qh Kd")

    monkeypatch.setattr("ananas.server.api.account", breaks)
    answer = asking("GET", "/api/tables/evening/account", as_="ann")
    assert answer.status_code == 500
    assert header_faults("/api/tables/evening/account", answer) == []
    assert "Qh" not in answer.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Content-Security-Policy", ""),
        ("Content-Security-Policy", HEADERS["Content-Security-Policy"].replace("script-src 'self'", "script-src *")),
        (
            "Content-Security-Policy",
            HEADERS["Content-Security-Policy"].replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
        ),
        ("Content-Security-Policy", HEADERS["Content-Security-Policy"].replace("base-uri 'none'; ", "")),
        ("X-Content-Type-Options", ""),
    ],
)
def test_a_planted_weaker_header_is_caught(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    wanted = dict(HEADERS)
    monkeypatch.setitem(HEADERS, name, value)
    answer = asking("GET", "/")
    monkeypatch.setitem(HEADERS, name, wanted[name])
    assert header_faults("/", answer)


def test_what_is_no_http_is_answered_with_them(asking: Asking) -> None:
    written = list[bytes]()

    class Transport:
        def write(self, data: bytes) -> None:
            written.append(data)

        def close(self) -> None:
            pass

    class Connection:
        transport = Transport()

    app_module.HttpProtocol.send_400_response(Connection(), "Invalid.")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n".encode() in written[0]


# -- the texts in answers


def kinds(asking: Asking) -> list[str]:
    """Where such a name is told in a way that a browser might take for a page."""
    wrong = list[str]()
    for path, answer in every_answer(asking):
        if any(text in answer.text or json.dumps(text)[1:-1] in answer.text for text in PAYLOADS):
            kind = answer.headers["content-type"].partition(";")[0]
            if kind not in {"application/json", "text/plain"}:
                wrong.append(f"{path} tells it as {kind}")
            if kind == "text/plain" and not answer.headers.get("content-disposition", "").startswith("attachment"):
                wrong.append(f"{path} shows it")
        if any(text in "".join(answer.headers.values()) for text in PAYLOADS):
            wrong.append(f"{path} tells it in a header")
    return wrong


def test_names_are_told_as_data_and_never_as_a_page(asking: Asking) -> None:
    assert kinds(asking) == []
    assert asking.json("/api/tables/evening", as_="ann")["name"] == GROUPS[0][0]


def test_a_planted_answer_that_is_a_page_is_caught(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Asking.__call__

    def as_page(self: Asking, *args: Any, **named: Any) -> Any:  # noqa: ANN401
        answer = whole(self, *args, **named)
        if answer.headers.get("content-type", "").startswith("application/json"):
            answer.headers["content-type"] = "text/html"
        return answer

    monkeypatch.setattr(Asking, "__call__", as_page)
    assert kinds(asking)


# -- what the client may do with text

LINES: Final = {
    "box.innerHTML = name;": "no-restricted-syntax",
    'box["innerHTML"] = name;': "no-restricted-syntax",
    "box.outerHTML = name;": "no-restricted-syntax",
    "frame.srcdoc = name;": "no-restricted-syntax",
    'box.insertAdjacentHTML("beforeend", name);': "no-restricted-syntax",
    "document.write(name);": "no-restricted-syntax",
    "range.createContextualFragment(name);": "no-restricted-syntax",
    'new DOMParser().parseFromString(name, "text/html");': "no-restricted-syntax",
    "box.setHTMLUnsafe(name);": "no-restricted-syntax",
    'box.setAttribute("onclick", name);': "no-restricted-syntax",
    "eval(name);": "no-eval",
    "new Function(name)();": "no-restricted-syntax",
    'setTimeout("name()", 1);': "no-implied-eval",
    'link.href = "javascript:name()";': "no-script-url",
}
FINE: Final = ("box.textContent = name;", 'box.setAttribute("title", name);', "const { innerHTML } = box;")
LINT: Final = """
import { ESLint } from "eslint";
import svelte from "eslint-plugin-svelte";
import safe from "./eslint.safe.js";
const [lines, page] = JSON.parse(process.argv[1]);
const own = new ESLint({ overrideConfigFile: true, overrideConfig: [safe, { languageOptions: { globals: { setTimeout: "readonly" } } }] });
const pages = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [...svelte.configs.base, { files: ["**/*.svelte"], rules: { "svelte/no-at-html-tags": "error" } }],
});
const found = async (lint, text, filePath) =>
  (await lint.lintText(text, { filePath }))[0].messages.map(({ line, ruleId }) => [line, ruleId]);
const whole = await new ESLint().calculateConfigForFile("src/App.svelte");
const script = await new ESLint().calculateConfigForFile("src/main.ts");
console.log(JSON.stringify({
  lines: await found(own, lines, "planted.js"),
  page: await found(pages, page, "Planted.svelte"),
  used: Object.keys(safe.rules).every((name) => [whole, script].every(({ rules }) => rules[name][0] === 2)) &&
    JSON.stringify(script.rules["no-restricted-syntax"].slice(1)) ===
      JSON.stringify(safe.rules["no-restricted-syntax"].slice(1)),
  html: whole.rules["svelte/no-at-html-tags"][0],
}));
"""


def test_the_linter_refuses_whatever_would_make_a_page_of_text() -> None:
    node = shutil.which("node")
    assert node
    planted = json.dumps(["\n".join([*LINES, *FINE]), "<p>{@html name}</p>\n<p>{name}</p>\n"])
    ran = subprocess.run(
        [node, "--input-type=module", "-e", LINT, planted],
        cwd=ROOT / "web",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["lines"] == [[line, rule] for line, rule in enumerate(LINES.values(), 1)]
    assert found["page"] == [[1, "svelte/no-at-html-tags"]]
    assert found["used"]
    assert found["html"] == 2


def test_nothing_in_the_client_turns_the_linter_off() -> None:
    for path in (ROOT / "web" / "src").rglob("*"):
        if path.suffix in {".ts", ".svelte"}:
            off = re.findall(r"eslint-disable(?:-\S+)? ?([^\n]*)", path.read_text())
            named = " ".join(off)
            assert not any(rule in named for rule in ("no-restricted-syntax", "no-at-html", "no-eval", "no-implied")), (
                path
            )
            assert all(off), path
