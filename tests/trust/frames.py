"""Frames that are no messages: made of the wire's own description, and heard by a real socket at a real table.

`python -m tests.trust.frames --count 2000000` sends two million; `--seed` names other ones. A failure tells the seed and
the number of its frame.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from ananas import protocol
from ananas.refused import REASONS
from tests.chance import Chance
from tests.server.live import Live
from tests.trust.cast import Cast, Window, in_a_cast, settled, state

SEED: Final = "frames"
LOOK_EVERY: Final = 1000
"""After so many frames the whole table is compared; what a single frame can show is looked at after each."""
CODES: Final = frozenset({"bad-json", "bad-field", "unknown-type", "too-large"})
LONGEST_ANSWER: Final = 1024
_DEFINITIONS: Final[dict[str, Any]] = protocol.schema()["definitions"]
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    str(kind.__struct_config__.tag): _DEFINITIONS[kind.__name__] for kind in protocol.CLIENT_MESSAGES
}


class Wrong(AssertionError):
    """A frame did more than be refused."""


# -- what is a message, by the description alone


class _Twice(Exception):
    """A key stands twice in an object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Twice
    return found


def _no_number(text: str) -> object:
    raise ValueError(text)


def is_message(text: str) -> bool | None:
    """Whether a text is a message, as a second reader understands the description; None where that is left open."""
    try:
        if len(text.encode()) > protocol.MAX_MESSAGE_BYTES:
            return False
        value: Any = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        tag: Any = cast("dict[str, Any]", value).get("type") if isinstance(value, dict) else None
        return tag in SCHEMAS and _fits(value, SCHEMAS[tag])
    except _Twice:
        return None
    except (ValueError, TypeError, RecursionError):
        return False


def _fits(value: Any, schema: dict[str, Any]) -> bool:  # noqa: ANN401
    if "anyOf" in schema:
        return any(_fits(value, each) for each in schema["anyOf"])
    if "enum" in schema:
        return any(value == each and type(value) is type(each) for each in schema["enum"])
    match schema["type"]:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            whole = (isinstance(value, int) and not isinstance(value, bool)) or (
                isinstance(value, float) and value.is_integer()
            )
            return whole and schema.get("minimum", value) <= value <= schema.get("maximum", value)
        case "string":
            return (
                isinstance(value, str)
                and len(value) <= schema.get("maxLength", len(value))
                and re.search(schema.get("pattern", ""), value) is not None
                and len(value.encode()) >= len(value)  # raises where it cannot be written
            )
        case _:
            if not isinstance(value, dict):
                return False
            fields = cast("dict[str, Any]", value)
            if not set(schema.get("required", ())) <= set(fields):
                return False
            known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
            return all(
                _fits(each, known[name]) if name in known else bool(others) and _fits(each, others)
                for name, each in fields.items()
            )


# -- what is none


def good(chance: Chance, tag: str) -> dict[str, Any]:
    """A message of this kind as it should be."""
    schema = SCHEMAS[tag]
    return {
        name: _value(chance, field)
        for name, field in schema["properties"].items()
        if name in schema["required"] or chance.below(2)
    }


def _value(chance: Chance, schema: dict[str, Any]) -> Any:  # noqa: ANN401
    if "anyOf" in schema:
        return _value(chance, schema["anyOf"][0])
    if "enum" in schema:
        return chance.pick(schema["enum"])
    match schema["type"]:
        case "boolean":
            return bool(chance.below(2))
        case "integer":
            return chance.below(3) + schema.get("minimum", 0)
        case "string":
            digits = re.search(r"\{(?:\d+,)?(\d+)\}", schema.get("pattern", ""))
            return "0" * int(digits[1]) if digits else "-/-/-"
        case _:
            return {}


ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 4, 10**9 + 1, 2**63, 2**64, 1.5, -0.5, 1e300, "", " ", "0", "true", "null", "a" * 3000,
    "\0", "\u202e", "x\n", "\ud800", "\udfff\ud800", "\U0001f34d" * 30, "command-1\n", "../../etc/passwd",
    "' OR 1=1 --", "<script>", [], [1], [[]], {}, {"id": "command-1"}, {"": ""}, {"__proto__": {}}, ["command-1"],
)  # fmt: skip
"""Values of every kind, one of which is wrong for any field."""
LITERALS: Final = (
    "null", "[]", "{}", "1", '""', "NaN", "Infinity", "-Infinity", "true", "", " ", "\ufeff{}", "{", "}", "[", '"', "\\",
    "{'type':'ping'}", '{"type":"ping",}', '{"type":"ping"}{"type":"ping"}', '{"type":"ping"} //', '{type:"ping"}',
    '{"type":ping}', '{"type":"ping"', '"ping"', "ping", "\0", '{"type":"ping"}\0', '{"type":"\\ud800"}',
    '{"type":"ping"}\ud800', '{"type":["ping"]}', '{"type":{"type":"ping"}}', '{"type":"Ping"}', '{"type":"ping "}',
    '{"TYPE":"ping"}', '{"type":null}', '{"type":"view"}', '{"type":"kept"}', "0" * 5000, "9" * 5000, "1e400", "-", "+1",
    "0x10", "1.", ".5", "\u2028", "tru", "nul", '{"a":' * 600 + "1" + "}" * 600,
)  # fmt: skip
"""What is never a message, whatever there is on the wire."""


def frames(chance: Chance) -> Iterator[str | None]:
    """Frames without end, none of which is a message; None is a binary one."""
    tags = list(SCHEMAS)
    yield from LITERALS
    while True:
        text = _KINDS[chance.below(len(_KINDS))](chance, chance.pick(tags))
        if text is None or isinstance(text, Certain) or is_message(text) is False:
            yield text


def _written(message: object) -> str:
    return json.dumps(message, separators=(",", ":"))


def _wrong_field(chance: Chance, tag: str) -> str:
    message = good(chance, tag)
    names = [name for name in SCHEMAS[tag]["properties"] if name != "type"] or ["type"]
    message[chance.pick(names)] = chance.pick(ODD)
    return _written(message)


def _no_field(chance: Chance, tag: str) -> str:
    message = good(chance, tag)
    del message[chance.pick(list(message))]
    return _written(message)


def _field_too_many(chance: Chance, tag: str) -> str:
    name = chance.pick(["seat", "player", "id", "hand", "admin", "", "type ", "__class__", "constructor", "cards"])
    return _written({**good(chance, tag), name: chance.pick(ODD)})


def _twice(chance: Chance, tag: str) -> str | None:
    """One key twice, of which one value is right and the other wrong."""
    message = good(chance, tag)
    name = chance.pick([name for name in message if name != "type"] or ["type"])
    odd = chance.pick(ODD)
    if is_message(_written({**message, name: odd})) is not False:
        return "{"
    pair = f"{json.dumps(name)}:{json.dumps(odd)}"
    text = _written(message)
    text = "{" + pair + "," + text[1:] if chance.below(2) else text[:-1] + "," + pair + "}"
    return Certain(text) if name != "type" else "{"


class Certain(str):
    """A text that is no message, whatever a reader that is not sure thinks."""

    __slots__ = ()


def _cut(chance: Chance, tag: str) -> str:
    text = _written(good(chance, tag))
    return text[: chance.below(len(text))]


def _flipped(chance: Chance, tag: str) -> str:
    text = list(_written(good(chance, tag)))
    for _ in range(1 + chance.below(3)):
        text[chance.below(len(text))] = chr(chance.below(256) if chance.below(4) else chance.below(0x11_0000))
    return "".join(text)


def _repeated(chance: Chance, tag: str) -> str:
    return _written(good(chance, tag)) * (2 + chance.below(40))


def _deep(chance: Chance, tag: str) -> str:
    depth = 1 + chance.below(2000)
    inner = chance.pick(["[", '{"a":', '[{"type":'])
    text = inner * depth
    return (
        text if chance.below(2) else text + "1" + "".join({"[": "]", "{": "}"}[c] for c in reversed(text) if c in "[{")
    )


def _long_number(chance: Chance, tag: str) -> str:
    message = good(chance, tag)
    name = chance.pick([name for name, value in message.items() if isinstance(value, int)] or ["hand"])
    message[name] = "%"
    digits = chance.pick(
        ["1" * (20 + chance.below(3900)), "-" + "9" * 400, "1e999", "0." + "1" * 300, "1" + "0" * 25 + ".5"]
    )
    return _written(message).replace('"%"', digits)


def _huge(chance: Chance, tag: str) -> str:
    return _written({**good(chance, tag), "x": "y" * (protocol.MAX_MESSAGE_BYTES + chance.below(9000))})


def _literal(chance: Chance, _: str) -> str:
    return chance.pick(LITERALS)


def _noise(chance: Chance, _: str) -> str:
    return "".join(chr(chance.below(0x11_0000 if chance.below(3) == 0 else 128)) for _ in range(chance.below(60)))


def _binary(*_: object) -> None:
    return None


_KINDS: Final[Sequence[Callable[[Chance, str], str | None]]] = (
    _wrong_field, _wrong_field, _wrong_field, _wrong_field, _no_field, _field_too_many, _field_too_many, _twice, _cut,
    _flipped, _flipped, _repeated, _deep, _long_number, _huge, _literal, _noise, _binary,
)  # fmt: skip


def every_wrong_field() -> Iterator[str]:
    """Each field of each message, with each odd value that is wrong for it."""
    chance = Chance("every field")
    for tag, schema in SCHEMAS.items():
        for name in schema["properties"]:
            for odd in ODD:
                text = _written({**good(chance, tag), name: odd})
                if is_message(text) is False:
                    yield text


# -- who hears them


def refusal_in(answers: Sequence[bytes], frame: str | None) -> None:
    """One answer, which is a refusal by the shape of the message. Raises `Wrong`."""
    if len(answers) != 1:
        raise Wrong(f"{len(answers)} answers")
    message = json.loads(answers[0].decode())
    if message["type"] != "refused" or message["code"] not in CODES or message["code"] not in REASONS:
        raise Wrong(f"answered {answers[0].decode()[:200]}")
    if len(answers[0]) > LONGEST_ANSWER:
        raise Wrong(f"answered with {len(answers[0])} bytes")
    if frame is not None and set(message) != {"type", "id", "code", "args", "text"}:
        raise Wrong("a refusal of another shape")


class Ears:
    """The people of a table, who hear nothing of what others say that is no message."""

    def __init__(self, people: Cast) -> None:
        self.cast: Final = people
        self.windows: Final[Sequence[Window]] = tuple(people.people.values())
        self.before = state(people.room)
        for window in self.windows:
            window.views.clear()
            window.answers.clear()

    def say(self, number: int, frame: str | None) -> None:
        """One of them says it; raises `Wrong` where it is not refused, or anybody else is told anything."""
        speaker = self.windows[number % len(self.windows)]
        try:
            speaker.hear(frame)
        except Exception as error:
            raise Wrong(f"broke: {type(error).__name__}") from error
        if not self.cast.room._mailbox.empty():
            raise Wrong("was put into the table's mailbox")
        refusal_in(speaker.answers, frame)
        speaker.answers.clear()
        if any(window.answers or window.views for window in self.windows) or speaker.line.closed is not None:
            raise Wrong("was noticed by somebody")
        if self.cast.room.table is not self.before[0] or self.cast.room.version != self.before[1]:
            raise Wrong("changed the table")

    async def look(self) -> None:
        """Compare the whole table with what it was."""
        await settled(self.cast.room)
        if state(self.cast.room) != self.before:
            raise Wrong("changed something")


def hear(
    path: Path, said: Iterator[str | None], count: int, progress: Callable[[int], object] = lambda _: None
) -> None:
    """Let so many frames be heard at a table where a hand is played. Raises `Wrong`, with the number of the frame."""

    async def body(live: Live) -> None:
        ears = Ears(await Cast.come(live, 0, "playing"))
        for number in range(count):
            frame = next(said)
            try:
                ears.say(number, frame)
                if number % LOOK_EVERY == LOOK_EVERY - 1 or number == count - 1:
                    await ears.look()
                    progress(number + 1)
            except Wrong as wrong:
                raise Wrong(f"frame {number}: {frame!r:.300}: {wrong}") from wrong

    in_a_cast(path, body)


def main(arguments: Sequence[str] | None = None) -> int:
    """Send many."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.trust.frames")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            hear(Path(folder) / "room.sqlite", frames(Chance(options.seed)), options.count)
        except Wrong as wrong:
            print(f"seed {options.seed}: {wrong}", file=sys.stderr)
            return 1
    print(f"{options.count} frames refused, nothing changed, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
