"""A disk under a store that writes down what is done to it, and what is left on it when the power fails.

`disk.c` is compiled once and preloaded into the process under test. Its record is played again up to any operation; what
had not been flushed by then is on the disk, or is not, or is there in part: each 512 bytes for themselves. What one
process tells another by memory (-shm) is on no disk. The names of files are as durable as their folder.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

import pytest

from tests.chance import Chance

SECTOR: Final = 512
SOURCE: Final = Path(__file__).with_name("disk.c")
_HEAD: Final = struct.Struct("=ciqI")


class Done(NamedTuple):
    """One operation: what, on which descriptor, where, and with which bytes."""

    kind: str
    descriptor: int
    offset: int
    data: bytes


@cache
def compiled() -> Path:
    """The library to preload."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = Path(mkdtemp(prefix="ananas-disk-")) / "disk.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def under(
    folder: Path, *, record: Path | None = None, fails: Path | None = None, pretends: bool = False
) -> dict[str, str]:
    """The environment of a process whose files below a folder lie on such a disk."""
    found = {**os.environ, "LD_PRELOAD": str(compiled()), "ANANAS_DISK": str(folder)}
    if record is not None:
        found["ANANAS_DISK_RECORD"] = str(record)
    if fails is not None:
        found["ANANAS_DISK_FAILS"] = str(fails)
    if pretends:
        found["ANANAS_DISK_PRETENDS"] = "yes"
    return found


def read_record(path: Path) -> list[Done]:
    """All that was done, in order."""
    data, at, found = path.read_bytes(), 0, list[Done]()
    while at < len(data):
        kind, descriptor, offset, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size + length
        found.append(Done(kind.decode(), descriptor, offset, data[at - length : at]))
    return found


class _File:
    """A file: what is on the disk for sure, and what was done since.

    Each change is sure, waits to be flushed, or is in doubt since a flush of it failed.
    """

    def __init__(self) -> None:
        self.sure = bytearray()
        self.later: list[tuple[Done, str]] = []

    def flush(self, *, fails: bool) -> None:
        after = "doubt" if fails else "sure"
        self.later = [(done, after if state == "waits" else state) for done, state in self.later]
        while self.later and self.later[0][1] == "sure":
            _change(self.sure, self.later.pop(0)[0])

    def left(self, chance: Chance, luck: float) -> bytes:
        """What is left of it: of each change that is not sure as much as luck has it."""
        found = bytearray(self.sure)
        for done, state in self.later:
            if state == "sure":
                _change(found, done)
            elif done.kind == "T":
                if chance.unit() < luck:
                    _change(found, done)
            else:
                for part in _sectors(done):
                    if chance.unit() < luck:
                        _change(found, part)
        return bytes(found)


def _sectors(done: Done) -> Iterator[Done]:
    start, end = done.offset, done.offset + len(done.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Done("W", done.descriptor, start, done.data[start - done.offset : stop - done.offset])
        start = stop


def _change(content: bytearray, done: Done) -> None:
    if done.kind == "T":
        del content[done.offset :]
        content.extend(bytes(done.offset - len(content)))
        return
    if len(content) < done.offset:
        content.extend(bytes(done.offset - len(content)))
    content[done.offset : done.offset + len(done.data)] = done.data


class Disk:
    """The disk as a record makes it, operation by operation."""

    def __init__(self) -> None:
        self._names: dict[str, _File] = {}
        self._sure: dict[str, _File] = {}
        self._later: list[tuple[str, _File | None]] = []
        self._open: dict[int, _File | None] = {}

    def do(self, done: Done) -> None:
        """One operation more."""
        match done.kind:
            case "O" | "N":
                name = done.data.decode()
                if name not in self._names:
                    self._name(name, _File())
                self._open[done.descriptor] = self._names[name]
                if done.kind == "N":
                    self._names[name].later.append((Done("T", done.descriptor, 0, b""), "waits"))
            case "D":
                self._open[done.descriptor] = None
            case "C":
                self._open.pop(done.descriptor, None)
            case "W" | "T":
                file = self._open[done.descriptor]
                assert file is not None
                file.later.append((done, "waits"))
            case "S" | "F":
                file = self._open[done.descriptor]
                if file is not None:
                    file.flush(fails=done.kind == "F")
                else:
                    self._sure, self._later = dict(self._names), []
            case "U":
                self._name(done.data.decode(), None)
            case "R":
                old, new = done.data.decode().split("\0")
                self._name(new, self._names[old])
                self._name(old, None)
            case _:
                raise AssertionError(f"what is {done.kind}?")

    def _name(self, name: str, file: _File | None) -> None:
        self._later.append((name, file))
        _rename(self._names, name, file)

    def after_a_cut(self, chance: Chance) -> Mapping[str, bytes]:
        """What is on the disk when the power fails now; in one cut of three nothing or all of what was not flushed."""
        luck = chance.pick((0.0, 1.0, 0.5, 0.5, 0.1, 0.9))
        names = dict(self._sure)
        kept = {0.0: 0, 1.0: len(self._later)}.get(luck, chance.below(len(self._later) + 1))
        for name, file in self._later[:kept]:  # a folder's changes reach the disk in their order
            _rename(names, name, file)
        return {name: file.left(chance, luck) for name, file in names.items()}


def _rename(names: dict[str, _File], name: str, file: _File | None) -> None:
    if file is None:
        names.pop(name, None)
    else:
        names[name] = file
