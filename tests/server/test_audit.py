"""What a log says is played and counted again: lies are found where they stand, and every look at cards is noted."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from ananas import fair
from ananas.cli.main import app
from ananas.game.board import Placement
from ananas.game.cards import DECK
from ananas.game.rules import RuleSet
from ananas.refused import Refused
from ananas.server import audit
from ananas.server import store as keeping
from ananas.server.archive import Archive
from ananas.server.audit import Unwritten, broken_entry, note, recount
from ananas.server.store import Mark, Row, Store, open_to_check
from ananas.table import seeds
from ananas.table.commands import Command, CommitSeed, Confirm, Deal, Open, OpenSeed, Ready, Seal, Sit
from ananas.table.decide import advance, to_be_dealt
from ananas.table.events import (
    AnyEvent,
    Confirmed,
    DeckSealed,
    HandDealt,
    HandScored,
    HiddenDeck,
    HiddenMaster,
    HiddenPlacement,
    Sat,
    SeedCommitted,
    SeedOpened,
    SeedsClosed,
)
from ananas.table.seeds import drawn, hand_id, unsealed
from ananas.table.state import Sealing, Table
from tests.chance import Chance
from tests.server.tampering import tampering
from tests.table.session import SOME_RULES, session

Log = tuple[tuple[AnyEvent, ...], ...]
Change = Callable[[Any], AnyEvent]
RULES = RuleSet.named("room").but({"seats": "2-2", "fantasyland": "off"})
SEED = "5eed" * 8
ALIASES = {1: "", 2: "a11a5000a11a5000"}
"""What names each hand: the first one was sealed by an earlier version, which drew no names."""


def nothing(*_: object) -> None:
    """What a function does that has been taken away."""


def as_rows(log: Log) -> list[Row]:
    return [Row(Mark(version, b""), events) for version, events in enumerate(log, 1)]


@cache
def played() -> Log:
    """Two hands, for which Ann has had her part in the shuffle."""
    log: list[tuple[AnyEvent, ...]] = []
    table: Table | None = None

    def do(command: Command) -> Table:
        nonlocal table
        events, table = advance(table, command, 1_000_000 + 1000 * len(log))
        log.append(events)
        return table

    do(Open(table="table", name="Friday", host="ann", rules=RULES))
    for player in ("ann", "bob"):
        after = do(Sit(player=player, name=player.title()))
    for number in (1, 2):
        alias = ALIASES[number]
        name, master = hand_id("table", number, alias), hashlib.sha256(b"%d" % number).digest()
        do(Seal(master=master.hex(), root=fair.seal(name, master), alias=alias))
        do(CommitSeed(player="ann", hand=number, commitment=fair.commitment(name, 0, SEED)))
        for player in ("ann", "bob"):
            after = do(Ready(player=player, hand=number, always=False))
        after = do(OpenSeed(player="ann", hand=number, seed=SEED))
        assert after.sealed is not None
        lot = drawn("table", after.sealed, after.called)
        seats, fantasyland = to_be_dealt(after, lot)
        after = do(Deal(deck=unsealed("table", after.sealed, RULES, seats, fantasyland).deck, lot=lot))
        while after.laying:
            assert after.hand is not None
            acts = after.hand.acting[0]
            seat = after.seats[after.hand.seats[acts]]
            assert seat is not None
            street, placement = after.hand.street_of(acts), after.hand.automatic(acts, None)
            after = do(Confirm(player=seat.player, hand=number, street=street, placement=placement))
    return tuple(log)


def changed(log: Log, kind: type, change: Change, nth: int = 1) -> tuple[Log, int]:
    """The log with its nth event of a kind changed, and the version that is in."""
    seen = 0
    for version, events in enumerate(log, 1):
        for place, event in enumerate(events):
            seen += isinstance(event, kind)
            if isinstance(event, kind) and seen == nth:
                lying = (*events[:place], change(event), *events[place + 1 :])
                return (*log[: version - 1], lying, *log[version:]), version
    raise AssertionError("no such event")


def test_what_was_played_adds_up() -> None:
    told = recount(as_rows(played()))
    assert told.found == ()
    assert (told.version, told.hands) == (len(played()), 2)
    kinds = {type(event) for events in played() for event in events}
    assert {DeckSealed, SeedOpened, HandScored} <= kinds


def test_hands_are_proved_by_the_names_they_were_sealed_with(tmp_path: Path) -> None:
    async def run() -> None:
        store = Store(path)
        for number, alias in ALIASES.items():
            found, _ = await Archive(store).hand("table", number)
            for player in ("ann", None):
                proof = fair.verify(found.proof_for("table", player))
                assert proof.hand == hand_id("table", number, alias)
        store.close()

    path = written(tmp_path / "room.sqlite", {"table": played()})
    asyncio.run(run())


def test_another_name_than_a_hand_was_sealed_with_would_be_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_the_address(table_id: str, sealed: Sealing) -> str:
        return hand_id(table_id, sealed.hand)

    log = played()
    monkeypatch.setattr(seeds, "name_of", of_the_address)
    monkeypatch.setattr("tests.server.test_audit.played", lambda: log)
    with pytest.raises((AssertionError, Refused)):
        test_hands_are_proved_by_the_names_they_were_sealed_with(tmp_path)


SEALS = (DeckSealed, SeedCommitted, SeedOpened, SeedsClosed)


def test_sessions_of_all_kinds_add_up() -> None:
    hands = 0
    for number, rules in enumerate(SOME_RULES):
        chance = Chance(f"sessions to recount {number}")
        steps = session(rules, [chance.below(1_000_000) for _ in range(150)])
        # Behind the roots of these sessions there are no decks.
        log = tuple(tuple(event for event in step.events if not isinstance(event, SEALS)) for step in steps)
        told = recount(as_rows(log))
        assert told.found == (), number
        hands += told.hands
    assert hands > 20


def _stacks(event: HandScored) -> HandScored:
    one, two = event.stacks
    return replace(event, stacks=(one + 1, two - 1))


def _swapped(event: HandDealt) -> HandDealt:
    assert event.hidden is not None
    deck = event.hidden.deck
    return replace(event, hidden=HiddenDeck(deck=(*deck[:50], deck[51], deck[50])))  # two cards that nobody was dealt


def _other_rows(event: Confirmed) -> Confirmed:
    assert event.rows is not None
    top, middle, bottom = event.rows.split("/")
    return replace(event, rows="/".join((top, bottom, middle)))


def _laid_otherwise(event: Confirmed) -> Confirmed:
    assert event.hidden is not None
    placement = Placement.parse(event.hidden.placement)
    turned = Placement(placement.top, placement.bottom, placement.middle, placement.discards)
    return replace(event, rows=turned.rows, hidden=HiddenPlacement(placement=str(turned)))


LIES: dict[str, tuple[type, Change, int, str]] = {
    "a chip for the loser": (HandScored, _stacks, 1, "stacks"),
    "chips out of nothing": (
        HandScored,
        lambda e: replace(e, stacks=(e.stacks[0] + 5, e.stacks[1])),
        2,
        "hand 2 makes",
    ),
    "points": (HandScored, lambda e: replace(e, points=tuple(point + 1 for point in e.points)), 1, "points"),
    "Fantasyland": (HandScored, lambda e: replace(e, fantasyland=(14, 0)), 2, "Fantasyland"),
    "the other deck": (HandDealt, _swapped, 2, "not dealt from the decks that were sealed"),
    "the order of play": (HandDealt, lambda e: replace(e, seats=e.seats[::-1]), 1, "order"),
    "other rules": (HandDealt, lambda e: replace(e, rules="club"), 1, "other rules"),
    "a newer engine": (HandDealt, lambda e: replace(e, engine=999), 1, "newer"),
    "what all see": (Confirmed, _other_rows, 1, "is not what was laid"),
    "what was laid": (Confirmed, _laid_otherwise, 3, ""),
    "a street laid twice": (Confirmed, lambda e: replace(e, street=1), 3, "street"),
    "the root": (DeckSealed, lambda e: replace(e, root="00" * 32), 1, "not those that were sealed"),
    "the master": (
        DeckSealed,
        lambda e: replace(e, hidden=HiddenMaster(master="00" * 32)),
        1,
        "not those that were sealed",
    ),
    "the name": (DeckSealed, lambda e: replace(e, alias=""), 2, "not those that were sealed"),
    "another seed": (SeedOpened, lambda e: replace(e, seed="00" * 16), 1, "another seed"),
    "a stack that was brought": (Sat, lambda e: replace(e, stack=e.stack + 1), 1, "has won"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_log_that_lies_is_found_out_and_where(lie: str) -> None:
    kind, change, nth, said = LIES[lie]
    log, version = changed(played(), kind, change, nth)
    found = recount(as_rows(log)).found
    assert found, "nobody noticed"
    assert found[0].version >= version
    assert any(said in finding.what for finding in found), found
    if said:
        assert any(finding.version == version for finding in found), (version, found)


def test_what_is_said_of_a_lie_names_no_card() -> None:
    for kind, change, nth, _ in LIES.values():
        log, _ = changed(played(), kind, change, nth)
        said = " ".join(finding.what for finding in recount(as_rows(log)).found)
        assert [card for card in DECK if str(card) in said.split()] == []
        assert "/" not in said.replace("table/", "")


def test_a_count_that_believes_the_log_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit._Books, "say", nothing)
    monkeypatch.setattr(audit, "_fold", nothing)
    for lie in ("a chip for the loser", "the other deck"):
        with pytest.raises(AssertionError, match="nobody noticed"):
            test_a_log_that_lies_is_found_out_and_where(lie)


# -- the command


def written(path: Path, tables: dict[str, Log]) -> Path:
    """A database in which logs were kept, true or not, with all their chains whole."""

    async def run() -> None:
        store = Store(path)
        for table, log in tables.items():
            for version, events in enumerate(log, 1):
                await store.append(table, version, None, events, due_at=None)
        store.close()

    asyncio.run(run())
    return path


def check(*words: object) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["check", *map(str, words)])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.stdout, found.stderr


def test_check_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    lie, version = changed(played(), HandScored, _stacks)
    path = written(tmp_path / "room.sqlite", {"good": played(), "bad": lie})
    status, said, _ = check(path)
    assert status == 1
    assert f"DAMAGED  table bad, version {version}: hand 1: stacks " in said
    assert "table good" not in said
    assert f"\n1 tables whole ({2 * len(played())} commands, 2 hands), 1 damaged\n" in said
    assert check("--database", path)[:1] == (1,)


def test_check_of_what_all_may_know_looks_at_nothing_hidden(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    with tampering(path) as db:
        db.execute("DROP TABLE secrets")
        db.execute("CREATE TABLE secrets (gone TEXT) STRICT")
    status, said, _ = check(path, "--public")
    assert (status, said) == (
        0,
        f"1 tables whole ({len(played())} commands), 0 damaged\nnothing hidden was looked at\n",
    )
    with tampering(path) as db:
        assert db.execute("SELECT count(*) FROM audit").fetchone() == (0,)
        db.execute("UPDATE events SET events = replace(events, 'Friday', 'Sunday')")
    status, said, _ = check(path, "--public")
    assert status == 1
    assert said.startswith("DAMAGED  table good, version 1: was changed\n")


def test_every_look_at_hidden_cards_is_noted_before_it_happens(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    for number in (1, 2):
        status, said, _ = check(path)
        assert status == 0
        assert said.endswith(f"this look at hidden cards is entry {number} of the audit\n")
    with closing(sqlite3.connect(path)) as db:
        entries = db.execute("SELECT number, actor, what FROM audit").fetchall()
    assert [number for number, _, _ in entries] == [1, 2]
    assert {(who, what) for _, who, what in entries} == {
        (audit.actor(), "ananas check: every table, hidden cards included")
    }


def test_a_look_that_is_not_noted_would_be_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "note", nothing)
    with pytest.raises(AssertionError):
        test_every_look_at_hidden_cards_is_noted_before_it_happens(tmp_path)


def test_where_a_look_cannot_be_noted_nobody_may_look(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TRIGGER no_notes BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
    status, said, error = check(path)
    assert (status, said) == (2, "")
    assert error == (
        f"ananas: {path} takes no note of who looks at hidden cards (no), so nobody may;"
        " --public checks what everybody may know\n"
    )
    assert check(path, "--public")[0] == 0
    with pytest.raises(Unwritten):
        note(tmp_path / "missing.sqlite", "anything")


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        ("UPDATE audit SET actor = 'nobody' WHERE number = 2", 2),
        ("UPDATE audit SET at = at + 1 WHERE number = 1", 1),
        ("DELETE FROM audit WHERE number = 1", 1),
        ("DELETE FROM audit WHERE number = 2", 2),
        ("UPDATE audit SET what = what", None),
    ],
)
def test_a_note_that_was_changed_is_found(tmp_path: Path, change: str, entry: int | None) -> None:
    path = written(tmp_path / "room.sqlite", {})
    for what in ("one", "two", "three"):
        note(path, what)
    with tampering(path) as db:
        db.execute(change)
    with closing(open_to_check(path)) as db:
        assert broken_entry(db) == entry
    status, said, _ = check(path, "--public")
    assert (status, f"DAMAGED  audit, entry {entry}:" in said) == ((0, False) if entry is None else (1, True))


def test_notes_without_a_chain_would_be_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_hash(*_: object) -> bytes:
        return bytes(32)

    monkeypatch.setattr(audit, "_entry_hash", no_hash)
    with pytest.raises(AssertionError):
        test_a_note_that_was_changed_is_found(tmp_path, "UPDATE audit SET actor = 'nobody' WHERE number = 2", 2)


# -- a file of which something is missing, or was made by somebody else


def damage(path: Path, *statements: str) -> None:
    """Change a database for good: the triggers that would hinder it stay away."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)


MISSING = {
    "tables": ("where a log ends is not known", "1 tables whole ({rows} commands, 2 hands), 0 damaged"),
    "events": ("no log can be read", "0 tables whole (0 commands, 0 hands), 1 damaged"),
    "secrets": ("what is hidden cannot be checked", "1 tables whole ({rows} commands), 0 damaged"),
    "audit": ("who has looked at hidden cards is not known", "1 tables whole ({rows} commands), 0 damaged"),
}


@pytest.mark.parametrize("part", MISSING)
def test_a_missing_part_of_the_file_is_said_and_the_rest_is_looked_at(tmp_path: Path, part: str) -> None:
    means, rest = MISSING[part]
    path = written(tmp_path / "room.sqlite", {"good": played()})
    damage(path, f"DROP TABLE {part}")
    status, said, error = check(path)
    assert status == 1
    assert said.splitlines()[:2] == [
        f"DAMAGED  the file: its part '{part}' is missing; {means}",
        rest.format(rows=len(played())),
    ]
    assert ("only what everybody may know is checked" in error) == (part == "audit")
    status, said, error = check(path, "--public")
    assert (status, error) == (0 if part == "secrets" else 1, "")
    assert (f"'{part}' is missing" in said) == (part != "secrets")


def test_a_missing_part_that_no_log_needs_is_said_as_well(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    damage(path, "DROP TABLE guests")
    for words in ((), ("--public",)):
        status, said, _ = check(path, *words)
        assert status == 1
        assert said.startswith("DAMAGED  the file: its part 'guests' is missing\n1 tables whole")


MADE_ANEW = {
    "tables": (
        "CREATE TABLE made AS SELECT * FROM tables",
        "INSERT INTO made VALUES (5, 'x', NULL, NULL)",
        "table 5, version 0: the log does not end where it should",
    ),
    "events": (
        "CREATE TABLE made AS SELECT * FROM events",
        "UPDATE made SET events = 7 WHERE version = 4",
        "table good, version 4: was changed",
    ),
    "secrets": (
        "CREATE TABLE made AS SELECT * FROM secrets",
        "UPDATE made SET hidden = 7, salt = 'x'",
        "table good, version 4: its hidden part was changed",
    ),
    "audit": (
        "CREATE TABLE made (number, at, actor, what, hash)",
        "INSERT INTO made VALUES ('x', NULL, 5, NULL, 'q')",
        "audit, entry 2: is not what was noted",
    ),
}


@pytest.mark.parametrize("part", MADE_ANEW)
def test_columns_that_hold_what_no_room_writes_are_said_and_where(tmp_path: Path, part: str) -> None:
    make, change, wrong = MADE_ANEW[part]
    path = written(tmp_path / "room.sqlite", {"good": played(), "other": played()[:3]})
    damage(path, make, change, f"DROP TABLE {part}", f"ALTER TABLE made RENAME TO {part}")
    status, said, _ = check(path)
    assert status == 1
    assert said.startswith(f"DAMAGED  the file: its part '{part}' was not made by a room\n")
    assert f"\nDAMAGED  {wrong}\n" in said
    assert check(path, "--public")[0] == (0 if part == "secrets" else 1)


def test_a_part_without_a_column_is_said(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    damage(path, "ALTER TABLE events DROP COLUMN body_hash")
    status, said, _ = check(path)
    assert (status, said.splitlines()[0]) == (
        1,
        "DAMAGED  the file: its part 'events' has no body_hash; no log can be read",
    )


def test_a_check_that_does_not_look_at_the_file_itself_would_be_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(*_: object, **__: object) -> list[object]:
        return []

    monkeypatch.setattr(keeping, "faults", whole)
    for number, part in enumerate(MISSING):
        (folder := tmp_path / str(number)).mkdir()
        with pytest.raises(AssertionError):
            test_a_missing_part_of_the_file_is_said_and_the_rest_is_looked_at(folder, part)


@pytest.mark.parametrize("number", [2**63 - 1, -5])
def test_a_note_with_a_number_nobody_gave_is_said_and_ends_no_looking(tmp_path: Path, number: int) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    note(path, "one")
    damage(path, f"INSERT INTO audit VALUES ({number}, 0, 'a', 'b', x'00')")
    for looks in (2, 3):
        status, said, _ = check(path)
        entry = 1 if number < 0 else looks + 1
        assert status == 1
        assert f"\nDAMAGED  audit, entry {entry}: is not what was noted\n" in f"\n{said}"
        assert said.endswith(f"this look at hidden cards is entry {looks} of the audit\n")


STRAYS = {
    "a table without a log": (
        "'gone', 3",
        "table gone, version 3: the log has no row to the hidden part of this version",
    ),
    "a version the log does not have": (
        "'good', 999",
        "table good, version 999: the log has no row to the hidden part of this version",
    ),
}


@pytest.mark.parametrize("stray", STRAYS)
def test_what_is_hidden_and_belongs_to_no_log_is_said(tmp_path: Path, stray: str) -> None:
    where, wrong = STRAYS[stray]
    path = written(tmp_path / "room.sqlite", {"good": played()})
    damage(path, f"INSERT INTO secrets VALUES ({where}, x'00', 'x')")
    status, said, _ = check(path)
    assert (status, said.splitlines()[0]) == (1, f"DAMAGED  {wrong}")
    assert f"{int('gone' in where)} tables whole" in said
    assert check(path, "--public")[:2] == (
        0,
        f"1 tables whole ({len(played())} commands), 0 damaged\nnothing hidden was looked at\n",
    )


def test_a_check_without_a_look_for_strays_would_be_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: object) -> dict[str, list[object]]:
        return {}

    monkeypatch.setattr(keeping, "stray_secrets", none)
    for number, stray in enumerate(STRAYS):
        (folder := tmp_path / str(number)).mkdir()
        with pytest.raises(AssertionError):
            test_what_is_hidden_and_belongs_to_no_log_is_said(folder, stray)


def unsealed_log(least: int) -> Log:
    """The log as it is when somebody has taken away all seals from a hand on."""
    hand, log = 1, list[tuple[AnyEvent, ...]]()
    for events in played():
        left: list[AnyEvent] = []
        for event in events:
            hand = event.hand if isinstance(event, DeckSealed) else hand
            left += [] if isinstance(event, SEALS) and hand >= least else [event]
        log += [tuple(left)] if left else []
    return tuple(log)


def test_hands_whose_seals_were_taken_away_are_counted_and_told(tmp_path: Path) -> None:
    bare, half = unsealed_log(1), unsealed_log(2)
    path = written(tmp_path / "room.sqlite", {"bare": bare})
    status, said, _ = check(path)
    assert status == 0
    assert said.splitlines() == [
        "UNSEALED table bare: hands dealt from decks that nobody had sealed: 2",
        f"1 tables whole ({len(bare)} commands, 2 hands, 2 dealt from decks that nobody had sealed), 0 damaged",
        "this look at hidden cards is entry 1 of the audit",
    ]
    status, said, _ = check(written(tmp_path / "half.sqlite", {"half": half}))
    assert status == 1
    assert "UNSEALED table half: hands dealt from decks that nobody had sealed: 1\n" in said
    assert ": hand 2 was dealt from decks that nobody had sealed, though an earlier one was\n" in said


def test_a_count_that_misses_what_was_not_sealed_would_be_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sealed(rows: list[Row]) -> audit.Recount:
        return recount(rows)._replace(unsealed=0)

    monkeypatch.setattr(audit, "recount", sealed)
    with pytest.raises(AssertionError):
        test_hands_whose_seals_were_taken_away_are_counted_and_told(tmp_path)


def test_a_file_of_an_earlier_version_is_not_guessed_at(tmp_path: Path) -> None:
    path = written(tmp_path / "room.sqlite", {"good": played()})
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA user_version = 3")
    status, _, error = check(path)
    assert status == 2
    assert error == (
        f"ananas: {path} was last written by an earlier version of this program; start this one's room on it once\n"
    )
