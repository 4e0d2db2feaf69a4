"""The wire: what is read, what is refused, and that the client's types are those of the server."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ananas import protocol
from ananas.refused import REASONS, Refused

HERE = Path(__file__).parent
ROOT = HERE.parent


def bad_messages() -> list[tuple[str, bytes]]:
    """The table of messages that are refused."""
    rows = list[tuple[str, bytes]]()
    for line in (HERE / "data" / "bad_messages.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        code, _, text = line.partition("|")
        text = re.sub(r"\{(\d+)\*(.)\}", lambda m: m[2] * int(m[1]), text.strip())
        rows.append(
            (
                code.strip(),
                re.sub(rb"\\x(..)", lambda m: bytes.fromhex(m[1].decode()), text.encode()).replace(b"\\\\", b"\\"),
            )
        )
    return rows


@pytest.mark.parametrize(("code", "message"), bad_messages(), ids=lambda v: repr(v)[:50])
def test_a_bad_message_is_refused_with_its_reason(code: str, message: bytes) -> None:
    with pytest.raises(Refused) as refused:
        protocol.decode(message)
    assert refused.value.code == code
    answer = protocol.encode(protocol.refusal(refused.value, None))
    assert msgspec.json.decode(answer)["text"] == str(refused.value)


def test_a_lone_surrogate_in_a_text_frame_is_refused() -> None:
    with pytest.raises(Refused, match="not valid JSON"):
        protocol.decode('{"type":"ping"}\ud800')


@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    with contextlib.suppress(Refused):
        protocol.decode(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from([str(kind.__struct_config__.tag) for kind in protocol.CLIENT_MESSAGES]),
    st.dictionaries(
        st.sampled_from(
            ["id", "hand", "street", "placement", "seat", "buy_in", "to", "always", "on", "rules", "set", "phrase"]
        ),
        json_values,
    ),
)
def test_any_fields_give_a_message_or_a_refusal(kind: str, fields: dict[str, object]) -> None:
    try:
        message = protocol.decode(json.dumps({"type": kind, **fields}))
    except Refused:
        return
    assert message == protocol.decode(msgspec.json.encode(message))


@pytest.mark.parametrize("code", list(REASONS))
def test_every_reason_names_only_what_the_refusal_carries(code: str) -> None:
    """A reason's sentence is made of its arguments: every place that refuses gives exactly those."""
    wanted = set(re.findall(r"\{(\w+)\}", REASONS[code]))  # type: ignore[index]  # pyright: ignore[reportArgumentType]
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "Refused"
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and node.args[0].value == code
            ):
                given_names = {keyword.arg for keyword in node.keywords}
                assert None in given_names or given_names == wanted, f"{path.name}:{node.lineno}"


def test_the_clients_types_are_made_from_these() -> None:
    made = ROOT / "web" / "src" / "protocol.ts"
    json2ts = ROOT / "web" / "node_modules" / ".bin" / "json2ts"
    npm = shutil.which("npm")
    assert npm, "npm makes the client's types"
    assert json2ts.exists(), "run `npm ci` in web/ first: `make test` does"
    before = made.read_text()
    try:
        subprocess.run([npm, "run", "--silent", "protocol"], cwd=ROOT / "web", check=True)
        assert made.read_text() == before, "run `npm run protocol` in web/ and commit protocol.ts"
    finally:
        made.write_text(before)
