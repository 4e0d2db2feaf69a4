"""Power cuts: a store is written to on a recording disk, and started again on what a cut leaves of that disk.

`python -m tests.trust.power --count 20000` makes as many cuts; `--seed` says which, and is printed when one loses a row, with the
folder of what had been recorded.
`--synchronous NORMAL` and `--pretends` are the faults that such cuts have to find: a database that does not flush every
commit, a disk that only says so.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple, TypeVar

from ananas.game.cards import DECK
from ananas.game.rules import ROOM
from ananas.server.store import BrokenChain, CannotOpen, Fenced, NotKept, Store, load, open_to_check, table_ids
from ananas.table.events import AnyEvent, Confirmed, HandDealt, HiddenDeck, HiddenPlacement, Opened, ShowdownEnded
from tests.chance import Chance
from tests.trust.disk import Disk, Done, read_record, under

T = TypeVar("T")
TABLES: Final = ("one", "two", "three")
ROUNDS: Final = 70
"""How many rows each table gets before the store is closed, and again after."""


class Lost(AssertionError):
    """A cut has taken something that was acknowledged, or has left what is no database."""


class Cuts(NamedTuple):
    """What a run of cuts came to."""

    operations: int
    acknowledged: int
    cuts: int
    unacknowledged_kept: int


# -- the process that writes


class Normal(Store):
    """A store that leaves it to the system when a commit reaches the disk: the fault of the control run."""

    def _connect(self) -> sqlite3.Connection:
        db = super()._connect()
        db.execute("PRAGMA synchronous = NORMAL")
        return db


class Trusting(Store):
    """A store that goes on after a failed flush as if the system still had everything: a planted fault.

    Who reads and stays would hold up what the keeper holds up, so nobody does.
    """

    def _keep(self) -> sqlite3.Connection:
        return sqlite3.connect(":memory:", check_same_thread=False)

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await super()._read(read)
        finally:
            while self._idle:
                self._idle.pop().close()


KINDS: Final[dict[str, type[Store]]] = {"FULL": Store, "NORMAL": Normal, "TRUSTING": Trusting}


def something(table: str, version: int) -> list[AnyEvent]:
    """What is kept as this version: of different sizes, often with something hidden."""
    if version == 1:
        return [Opened(at=1, table=table, name=table, host="ann", rules=ROOM)]
    if version % 10 == 2:
        return [HandDealt(at=version, hand=version // 10, seats=(0, 1), hidden=HiddenDeck(deck=DECK))]
    if version % 3 == 0:
        return [ShowdownEnded(at=version)]
    hidden = HiddenPlacement(placement="2c/3c/- x4c")
    return [Confirmed(at=version, seat=0, street=2, rows="2c/3c/-", hidden=hidden), ShowdownEnded(at=version)]


def write(path: Path, kind: type[Store], rounds: int, fails: Path | None) -> None:
    """Write on a disk, twice with a restart between; say in a file beside it what was acknowledged, as it is."""
    told = os.open(f"{path}.told", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    async def known(store: Store, table: str) -> int:
        while True:
            with suppress(NotKept):
                log = await store.load(table)
                return 0 if log is None else log.version
            await asyncio.sleep(0.002)

    def fail(*, on: bool) -> None:
        if fails is not None:
            fails.write_text("sync 5" if on else "")

    async def sit(store: Store, table: str) -> None:
        version = await known(store, table)
        last, refused = version + rounds, 0
        while version < last:
            try:
                if version % 7 == 0:
                    await store.alive(version)
                await store.append(table, version + 1, None, something(table, version + 1), due_at=version)
                version += 1
                os.write(told, f"{table} {version}\n".encode())
                if table == TABLES[0] and version % 12 == 0:
                    fail(on=True)
            except (NotKept, Fenced):  # it may be in the file all the same
                version = await known(store, table)
                refused += 1
                if refused % 3 == 0:
                    fail(on=False)

    async def run() -> None:
        store = kind(path)
        await asyncio.gather(*(sit(store, table) for table in TABLES))
        fail(on=False)
        store.close()

    for _ in range(2):
        asyncio.run(run())


def recorded(
    folder: Path, *, kind: str = "FULL", pretends: bool = False, fails: bool = False, rounds: int = ROUNDS
) -> tuple[str, list[Done]]:
    """What a process did to its disk that wrote as a room writes; gives where its database was, and all operations."""
    disk, record, broken = folder / "disk", folder / "record", folder / "fails"
    disk.mkdir()
    path = disk / "room.sqlite"
    subprocess.run(
        [
            *(sys.executable, "-m", "tests.trust.power", "--write", str(path)),
            *("--synchronous", kind, "--rounds", str(rounds)),
            *(("--fails", str(broken)) if fails else ()),
        ],
        env=under(disk, record=record, fails=broken if fails else None, pretends=pretends),
        check=True,
        timeout=100,
    )
    return str(path), read_record(record)


# -- the cuts


def cut(folder: Path, path: str, operations: Sequence[Done], count: int, seed: str) -> Cuts:
    """Cut the power at so many moments, and start a store on what is left each time. Raises `Lost`."""
    chance = Chance(f"power {seed}")
    moments = sorted(chance.below(len(operations) + 1) for _ in range(count))
    disk, at, told, more = Disk(), 0, b"", 0
    descriptors: set[int] = set()
    for number, moment in enumerate(moments):
        for done in operations[at:moment]:
            if done.kind == "O" and done.data.decode() == f"{path}.told":
                descriptors.add(done.descriptor)
            elif done.kind == "W" and done.descriptor in descriptors:
                told += done.data
                continue
            elif done.kind in "OND":
                descriptors.discard(done.descriptor)
            disk.do(done)
        at = moment
        left = folder / "left"
        left.mkdir(exist_ok=True)
        for old in left.iterdir():
            old.unlink()
        for name, content in disk.after_a_cut(chance).items():
            if name.startswith(path) and not name.endswith((".told", ".lock")):
                (left / Path(name).name).write_bytes(content)
        acknowledged = dict[str, int]()
        for line in told.decode().splitlines():
            table, version = line.split()
            acknowledged[table] = int(version)
        try:
            more += _look(left / Path(path).name, acknowledged)
        except Lost as error:
            raise Lost(f"cut {number} of seed {seed}, after operation {moment}: {error}") from None
    return Cuts(len(operations), len(told.splitlines()), count, more)


def _look(path: Path, acknowledged: dict[str, int]) -> int:
    """Start on what is left, and see that all is there; gives how many rows are that were not acknowledged."""
    try:
        Store(path).close()
        with closing(open_to_check(path)) as db:
            whole = [row[0] for row in db.execute("PRAGMA integrity_check")]
            found = {table: log.version for table in table_ids(db) if (log := load(db, table)) is not None}
    except (BrokenChain, CannotOpen, sqlite3.Error) as error:
        raise Lost(f"what is left cannot be started: {error}") from error
    if whole != [b"ok"]:
        raise Lost(f"the database is broken: {whole}")
    for table, version in acknowledged.items():
        if found.get(table, 0) < version:
            raise Lost(f"version {version} of table {table} was acknowledged, and {found.get(table, 0)} is left")
    return sum(found.values()) - sum(acknowledged.values())


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many cuts")
    parser.add_argument("--seed", default="1", help="which ones")
    parser.add_argument("--synchronous", choices=KINDS, default="FULL")
    parser.add_argument("--pretends", action="store_true", help="a disk that does not flush")
    parser.add_argument("--failing", action="store_true", help="a disk whose flushes fail now and then")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--again", type=Path, help="the folder of a run that lost something: cut what it had recorded")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--fails", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write is not None:
        write(asked.write, KINDS[asked.synchronous], asked.rounds, asked.fails)
        return
    folder = asked.again or Path(mkdtemp(prefix="ananas-power-"))
    if asked.again is None:
        path, operations = recorded(
            folder, kind=asked.synchronous, pretends=asked.pretends, fails=asked.failing, rounds=asked.rounds
        )
    else:
        path, operations = str(folder / "disk" / "room.sqlite"), read_record(folder / "record")
    try:
        found = cut(folder, path, operations, asked.count, asked.seed)
    except Lost as error:
        raise SystemExit(f"LOST: {error}; --again {folder} --count {asked.count} --seed {asked.seed}") from None
    shutil.rmtree(folder)
    print(
        f"{found.cuts} cuts in {found.operations} operations with {found.acknowledged} acknowledgements (seed"
        f" {asked.seed}): none lost; {found.unacknowledged_kept} rows were there that nobody had been told of"
    )


if __name__ == "__main__":
    main()
