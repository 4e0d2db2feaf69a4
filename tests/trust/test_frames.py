"""Whatever is sent over a socket that is no message is refused, and nothing else comes of it; `frames.py` makes it.

Two million: `python -m tests.trust.frames --count 2000000`. What it costs the others: `python -m bench.flood`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ananas import protocol
from ananas.server import app as app_module
from ananas.server.viewers import RATE, Socket
from tests.chance import Chance
from tests.server.house import House, play_hand
from tests.trust.frames import CODES, LITERALS, SCHEMAS, SEED, Wrong, every_wrong_field, frames, good, hear, is_message
from tests.trust.serving import Serving, ended, frame, in_a_served_room

COUNT: Final = 20_000
OVER_SOCKETS: Final = 1_000


def test_what_is_no_message_is_refused_and_nothing_comes_of_it(tmp_path: Path) -> None:
    hear(tmp_path / "room.sqlite", frames(Chance(SEED)), COUNT)


def test_every_field_of_every_message_with_every_odd_value_is_refused(tmp_path: Path) -> None:
    wrong = list(every_wrong_field())
    assert len(wrong) > 30 * len(SCHEMAS)
    hear(tmp_path / "room.sqlite", iter(wrong), len(wrong))


def test_the_second_reader_takes_what_is_a_message_for_one() -> None:
    chance = Chance("good")
    for tag in SCHEMAS:
        for _ in range(20):
            text = json.dumps(good(chance, tag))
            assert is_message(text)
            protocol.decode(text)
    assert not any(is_message(literal) for literal in LITERALS)


_DECODE: Final = protocol.decode
_REFUSE: Final = Socket._refuse


def _any_json(text: str) -> Any:  # noqa: ANN401
    """Takes what JSON there is for an object, as the most natural of all faults does."""
    value = json.loads(text)
    return _DECODE(json.dumps(value)) if value.get("type") else protocol.Ping()


def _deep_json(text: str) -> Any:  # noqa: ANN401
    """Is surprised by what is no error of a value."""
    with contextlib.suppress(ValueError):
        json.loads(text)
    return _DECODE(text)


def _lax(text: str) -> Any:  # noqa: ANN401
    """Takes "1" for 1, and does not mind fields it does not know."""
    try:
        message = json.loads(text)
        known = SCHEMAS[message["type"]]["properties"]
        return msgspec.convert(
            {k: v for k, v in message.items() if k in known}, protocol.AnyClientMessage, strict=False
        )
    except (ValueError, TypeError, KeyError, RecursionError, msgspec.ValidationError):
        return _DECODE(text)


def _last_of_two(text: str) -> Any:  # noqa: ANN401
    """Of a key that stands twice believes the last, whatever the first one is."""
    try:
        return _DECODE(json.dumps(json.loads(text)))
    except (ValueError, RecursionError):
        return _DECODE(text)


def _says_nothing(self: Socket, reason: Any, text: str | None) -> None:  # noqa: ANN401
    pass


def _quotes(self: Socket, reason: Any, text: str | None) -> None:  # noqa: ANN401
    _REFUSE(self, reason, text)
    f"{text}".encode()


def _answers_at_length(self: Socket, reason: Any, text: str | None) -> None:  # noqa: ANN401
    self.answer(protocol.encode(protocol.RefusedMessage(id=None, code=reason.code, args={}, text=(text or "") * 2)))


def _tells_all(self: Any, reason: Any, text: str | None) -> None:  # noqa: ANN401
    _REFUSE(self, reason, text)
    self.room.show()


def _counts(self: Any, reason: Any, text: str | None) -> None:  # noqa: ANN401
    _REFUSE(self, reason, text)
    self.room.version += 1


MUTANTS: Final[dict[str, tuple[object, str, Callable[..., Any]]]] = {
    "null is an object": (protocol, "decode", _any_json),
    "depth is no matter": (protocol, "decode", _deep_json),
    "kinds are no matter": (protocol, "decode", _lax),
    "the last of two": (protocol, "decode", _last_of_two),
    "no answer": (Socket, "_refuse", _says_nothing),
    "quoted": (Socket, "_refuse", _quotes),
    "a long answer": (Socket, "_refuse", _answers_at_length),
    "the others are told": (Socket, "_refuse", _tells_all),
    "something is counted": (Socket, "_refuse", _counts),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_fault_is_found_by_the_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mutant: str) -> None:
    where, name, fault = MUTANTS[mutant]
    monkeypatch.setattr(where, name, fault)
    with pytest.raises(Wrong, match=r"^frame \d+: "):
        hear(tmp_path / "room.sqlite", frames(Chance(SEED)), 2_000)


# -- over real sockets


@pytest.mark.server
def test_over_the_wire_they_are_refused_too_and_a_hand_is_played_beside(tmp_path: Path) -> None:
    house = House(tmp_path / "room.sqlite").start()
    said = (text for text in frames(Chance("wire")) if text is None or _can_be_sent(text))

    async def body() -> None:
        async with asyncio.timeout(60):
            players = await house.playing()
            await asyncio.gather(attack(players[0].table), play_hand(players))
            for each in players:
                await each.close()

    async def attack(table: str) -> None:
        cookies = [house.guest("Cyd"), None]
        for number in range(OVER_SOCKETS // (2 * RATE)):
            villain = await house.come(cookies[number % 2], table)
            for text in itertools.islice(said, 2 * RATE):
                await villain.socket.send(b"\0" if text is None else text, text=text is not None)
            answers = [m for m in await _some(villain, 2 * RATE) if m["type"] != "view"]
            assert {answer["type"] for answer in answers} == {"refused"}
            assert {answer["code"] for answer in answers} <= CODES
            await villain.close()

    async def _some(villain: Any, wanted: int) -> list[Any]:  # noqa: ANN401
        found = list[Any]()
        while sum(message["type"] == "refused" for message in found) < wanted:
            found.append(await villain.next())
        return found

    try:
        asyncio.run(body())
        assert house.call("GET", "/api/me").status == 200
    finally:
        house.close()
    assert house.said == ""


def _can_be_sent(text: str) -> bool:
    try:
        return len(text.encode()) <= app_module.WS_BYTES
    except UnicodeEncodeError:
        return False


BOMB: Final = zlib.compress(bytes(8_000_000))[2:-4]
PING: Final = b'{"type":"ping"}'
BYTES: Final[dict[str, tuple[bytes, int | None]]] = {
    # what is sent, and the code with which the socket is closed; None: the connection is cut
    "longer than 16 KiB": (frame(1, b"x" * (16 * 1024 + 1)), 1009),
    "longer than 16 KiB, binary": (frame(2, b"x" * (16 * 1024 + 1)), 1009),
    "longer than 16 KiB in parts": (frame(1, b"x" * 9000, fin=False) + frame(0, b"x" * 9000), 1009),
    "says it will be endless": (b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4), 1009),
    "a length below zero": (b"\x81\xff" + b"\xff" * 8 + bytes(4), 1009),
    "no UTF-8": (frame(1, b"\xff\xfe"), 1007),
    "half a surrogate": (frame(1, b"\xed\xa0\x80"), 1007),
    "not masked": (frame(1, PING, masked=False), 1002),
    "compressed": (frame(1, BOMB[:1000], reserved=4), 1002),
    "a bit that means nothing": (frame(1, PING, reserved=1), 1002),
    "an opcode that means nothing": (frame(3, PING), 1002),
    "a long ping": (frame(9, b"x" * 200), 1002),
    "a ping in parts": (frame(9, b"x", fin=False), 1002),
    "the middle of nothing": (frame(0, PING), 1002),
    "a message within a message": (frame(1, b"{", fin=False) + frame(1, PING), 1002),
    "a close code that nobody has": (frame(8, b"\x00\x01"), 1002),
    "half a close code": (frame(8, b"\x03"), 1002),
    "pings without end": (frame(9, b"") * 200, None),
    "pongs without end": (frame(10, b"") * 200, None),
    "parts without end": (frame(1, b"", fin=False) + frame(0, b"", fin=False) * 200, None),
    "messages in heaps": (frame(1, b"{}") * 3000, None),
}


async def _closes(room: Serving, sent: bytes) -> int | None:
    reader, writer = await room.upgraded()
    writer.write(sent)
    code, text = await ended(reader)
    assert b"refused" not in text, text
    writer.close()
    return code


@pytest.mark.server
def test_what_is_no_frame_closes_its_own_socket_alone(tmp_path: Path) -> None:
    found = dict[str, int | None]()

    async def body(room: Serving) -> None:
        witness, writer = await room.upgraded()
        for name, (sent, _) in BYTES.items():
            found[name] = await _closes(room, sent)
        writer.write(frame(1, PING))
        await asyncio.wait_for(witness.readuntil(b'"pong"'), 5)
        writer.close()

    in_a_served_room(tmp_path / "room.sqlite", body)
    assert found == {name: code for name, (_, code) in BYTES.items()}


@pytest.mark.server
@pytest.mark.parametrize("fault", ["long frames", "compression", "pings", "parts", "heaps"])
def test_a_planted_patience_with_frames_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    found = set[int | None]()
    names = {"long frames": "longer than 16 KiB", "compression": "compressed", "pings": "pings without end",
             "parts": "parts without end", "heaps": "messages in heaps"}  # fmt: skip
    closed, expected = BYTES[names[fault]]

    async def body(room: Serving) -> None:
        headers = {"Sec_WebSocket_Extensions": "permessage-deflate"} if fault == "compression" else {}
        sent = frame(1, _deflated(PING), reserved=4) if fault == "compression" else closed
        for _ in range(3):
            reader, writer = await room.upgraded(**headers)
            writer.write(sent + frame(8, b"\x03\xe8"))
            found.add((await ended(reader))[0])
            writer.close()

    if fault == "long frames":
        monkeypatch.setattr(app_module, "WS_BYTES", 64 * 1024)
    elif fault == "heaps":
        monkeypatch.setattr(app_module, "UNHEARD", 10**9)
    elif fault == "compression":
        whole = app_module.configure

        def configure(*args: Any) -> Any:  # noqa: ANN401
            config = whole(*args)
            config.ws_per_message_deflate = True
            return config

        monkeypatch.setattr(app_module, "configure", configure)
    else:
        monkeypatch.setattr(app_module.SocketProtocol, "_in_moderation", _always)
    in_a_served_room(tmp_path / "room.sqlite", body)
    assert found != {expected}


def _always(_: object) -> bool:
    return True


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-12)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


@pytest.mark.server
def test_a_packed_body_is_not_unpacked(tmp_path: Path) -> None:
    bomb = zlib.compress(b'{"name":"' + b" " * 1_000_000 + b'Ann"}')

    async def body(room: Serving) -> None:
        reader, writer = await room.raw()
        writer.write(
            f"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1:{room.port}\r\nContent-Encoding: deflate\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(bomb)}\r\nConnection: close\r\n\r\n".encode()
            + bomb
        )
        answer = await asyncio.wait_for(reader.read(), 5)
        assert answer.startswith(b"HTTP/1.1 400"), answer
        assert b'"bad-json"' in answer
        writer.close()

    in_a_served_room(tmp_path / "room.sqlite", body)
