"""TOML with places: the standard library reads the values, and this says where in the text each of them stands.

What belongs here: TOML, and nothing of the game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

Path = tuple[str | int, ...]
"""The way to a value: keys of tables, and places in lists counted from 0."""

_TOKEN: Final = re.compile(
    r"""
      (?P<space>[ \t\r]+)
    | (?P<newline>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}(?!\") | '{3}.*?'{3,5}(?!') | \"(?:\\.|[^\"\\\n])*\" | '[^'\n]*')
    | (?P<mark>[\[\]{}=,])
    | (?P<bare>[^\s\[\]{}=,\#"']+ | .)
    """,
    re.VERBOSE | re.DOTALL,
)
_DEEPEST: Final = 8
_LONGEST: Final = 1000


class Wrong(Exception):
    """The text cannot be read; `at` is where, as an offset."""

    def __init__(self, detail: str, at: int) -> None:
        super().__init__(detail)
        self.detail: Final = detail
        self.at: Final = at


class Place(NamedTuple):
    """Where a value or a heading stands: its offset, the text itself, the comment behind it, the offset of its name."""

    at: int
    text: str
    comment: str = ""
    key: int = 0


class Document(NamedTuple):
    """The values of a text, and the places of those in tables and of the entries of lists in them."""

    values: dict[str, object]
    places: Mapping[Path, Place]


def read(text: str) -> Document:
    r"""Read TOML; line ends are to be `\n`.

    >>> document = read('[rules]\nnames = ["a", "b"]  # two')
    >>> document.values, document.places["rules", "names", 1]
    ({'rules': {'names': ['a', 'b']}}, Place(at=22, text='"b"', comment='', key=0))

    Raises `Wrong`.
    """
    tokens = list(_tokens(text))
    try:
        values: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # What is written twice is told where the second one ends, so look for where it begins.
        _places(text, tokens, {})
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        detail, line, column = found.groups() if found else (str(error), None, None)
        at = _offset(text, int(line), int(column)) if line and column else len(text)
        raise Wrong(f"this is not TOML: {detail[:1].lower()}{detail[1:]}", at) from None
    places: dict[Path, Place] = {}
    _places(text, tokens, places)
    return Document(values, places)


def line_and_column(text: str, at: int) -> tuple[int, int]:
    r"""Tell the line and the column of an offset, both counted from 1.

    >>> line_and_column("one\ntwo", 5)
    (2, 2)
    """
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _offset(text: str, line: int, column: int) -> int:
    before = sum(len(passed) + 1 for passed in text.split("\n")[: line - 1])
    return min(before + column - 1, len(text))


class _Token(NamedTuple):
    kind: str
    at: int
    text: str
    depth: int


def _tokens(text: str) -> Iterator[_Token]:
    """Cut a text up. A reader that calls itself, and numbers without end, are kept from what would break them."""
    depth = 0
    for found in _TOKEN.finditer(text):
        kind, word = str(found.lastgroup), found[0]
        if kind == "bare" and len(word) > _LONGEST:
            raise Wrong("this is too long for a name or a number", found.start())
        if kind == "mark" and word in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise Wrong("brackets lie too deep in each other", found.start())
        yield _Token(kind, found.start(), word, depth)
        if kind == "mark" and word in "]}":
            depth = max(depth - 1, 0)


def _places(text: str, tokens: list[_Token], places: dict[Path, Place]) -> None:
    """Fill in where everything stands; raises `Wrong` for a name that is written twice."""
    table: Path = ()
    line: list[_Token] = []
    for token in [*tokens, _Token("newline", len(text), "", 0)]:
        if token.kind != "newline" or token.depth:
            line.append(token)
            continue
        words = [word for word in line if word.kind not in {"space", "newline", "comment"}]
        comment = line[-1].text[1:].strip() if line and line[-1].kind == "comment" and not line[-1].depth else ""
        whole, line = line, []
        if not words:
            continue
        equals = next((i for i, word in enumerate(words) if word.text == "="), 0)
        if words[0].text == "[" and not equals:
            table = _path(words[1:-1])
            _put(places, table, Place(words[0].at, text[words[0].at : words[-1].at + 1], comment, words[0].at))
        elif equals and equals + 1 < len(words):
            path = (*table, *_path(words[:equals]))
            value, last = words[equals + 1], words[-1]
            _put(places, path, Place(value.at, text[value.at : last.at + len(last.text)], comment, words[0].at))
            if value.text == "[":
                _entries(text, [word for word in whole if value.at < word.at < last.at], path, places)


def _put(places: dict[Path, Place], path: Path, place: Place) -> None:
    if path in places:
        raise Wrong(f"{'.'.join(map(str, path))} is written twice", place.key)
    places[path] = place


def _path(words: list[_Token]) -> Path:
    """The names in a key: bare with dots between, or quoted."""
    names: list[str | int] = []
    for word in words:
        names += [word.text[1:-1]] if word.kind == "string" else [name for name in word.text.split(".") if name]
    return tuple(names)


def _entries(text: str, tokens: list[_Token], path: Path, places: dict[Path, Place]) -> None:
    """Fill in where the entries of a list stand; what is inside of them is passed over."""
    start: int | None = None
    end, number = 0, 0
    for token in tokens:
        own = token.depth == 1
        if own and token.kind == "comment" and text.find("\n", end, token.at) < 0:
            last = (*path, number - (start is None))
            if start is not None:
                places[last] = Place(start, text[start:end])
                start, number = None, number + 1
            if last in places:
                places[last] = places[last]._replace(comment=token.text[1:].strip())
        elif own and token.text == ",":
            if start is not None:
                places[*path, number] = Place(start, text[start:end])
                start, number = None, number + 1
        elif token.kind not in {"space", "newline", "comment"}:
            start = token.at if start is None else start
            end = token.at + len(token.text)
    if start is not None:
        places[*path, number] = Place(start, text[start:end])
