"""Bots against each other: sums to nothing, counts a match as a table does, and comes out the same however it is run."""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from typer.testing import CliRunner

from ananas.bots import arena as module
from ananas.bots.arena import CHUNK, Arena, GaveUp, NotThisArena, Tally, deck, play, run
from ananas.bots.named import BOTS
from ananas.cli.main import app
from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import ROOM, RuleSet
from ananas.game.view import HandView, view_hand
from ananas.refused import Refused
from ananas.table.commands import Confirm
from tests.bots.test_outside import ANSWER, EXAMPLE, LOOP
from tests.table.play import Play, lucky, rich_deck
from tests.table.play import deck as plain_deck

RUNNER: Final = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
FIELDS: Final = [
    "name",
    "hands",
    "points",
    "error",
    "fouls",
    "royalties",
    "entries",
    "stays",
    "ms_per_move",
    "failures",
]
ROOT = Path(__file__).parents[2]


class Filler:
    """Lays from the bottom up, or with `backwards` from the top down and the last cards first."""

    def __init__(self, rules: RuleSet, backwards: bool = False) -> None:
        self._backwards = backwards

    def place(self, view: HandView, limit: float) -> Placement:
        me = next(player for player in view.players if player.seat == view.you)
        cards = list(me.dealt)[:: -1 if self._backwards else 1]
        rows: dict[Row, tuple[Card, ...]] = {}
        for row in ROWS if self._backwards else reversed(ROWS):
            free = min(me.board.room(row), me.to_lay - sum(map(len, rows.values())))
            rows[row], cards = tuple(cards[:free]), cards[free:]
        return Placement(rows[Row.TOP], rows[Row.MIDDLE], rows[Row.BOTTOM], tuple(cards))


@pytest.fixture(autouse=True)
def bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two bots that play at once."""
    monkeypatch.setitem(BOTS, "filler", Filler)
    monkeypatch.setitem(BOTS, "backwards", lambda rules: Filler(rules, backwards=True))
    yield
    module._shared.cache_clear()


def program(tmp_path: Path, name: str, code: str) -> str:
    path = tmp_path / name
    path.write_text(code)
    return f"cmd:{sys.executable} {path}"


def untimed(tallies: list[Tally]) -> list[Tally]:
    """Without what depends on the machine."""
    for tally in tallies:
        tally.seconds = 0.0
    return tallies


# -- the same decks


def test_a_deck_follows_from_its_place_alone() -> None:
    decks = [deck(1, 0), deck(1, 1), deck(2, 0), deck(1, 0, 1), deck(1, 0, 2)]
    assert len(set(decks)) == len(decks)
    assert all(sorted(cards) == sorted(DECK) for cards in decks)


@pytest.mark.parametrize("names", [("filler", "backwards"), ("filler", "backwards", "filler")])
@pytest.mark.parametrize("rules", ["room", "progressive", "club", "club-pineapple"])
def test_what_one_wins_the_others_lose(names: tuple[str, ...], rules: str) -> None:
    tallies = run(Arena(bots=names, rules=RuleSet.parse(rules)), 30, processes=1)
    orders = math.factorial(len(names))
    assert all(len(tally.points) == 30 // orders for tally in tallies)
    assert [sum(deal) for deal in zip(*(tally.points for tally in tallies), strict=True)] == [0] * (30 // orders)
    assert any(tallies[0].points)
    assert all(tally.hands == 30 for tally in tallies)


def test_the_same_bot_twice_comes_to_nothing_in_every_deal() -> None:
    """The seats are exchanged over the same cards, so no luck is left."""
    tallies = run(Arena(bots=("filler", "filler"), rules=ROOM), 40, processes=1)
    assert [tally.points for tally in tallies] == [[0] * 20] * 2
    assert tallies[0].result("filler").error == 0
    hands = [(tally.fouls, tally.royalties, tally.entries) for tally in tallies]
    assert hands[0] == hands[1]


def test_the_error_is_that_of_the_deals() -> None:
    (tally, _) = run(Arena(bots=("filler", "backwards"), rules=ROOM), 60, processes=1)
    result = tally.result("filler")
    means = [points / 2 for points in tally.points]
    assert result.points == pytest.approx(statistics.fmean(means))
    assert result.error == pytest.approx(statistics.stdev(means) / math.sqrt(30))


def test_of_a_single_deal_no_error_is_known() -> None:
    (tally, _) = run(Arena(bots=("filler", "backwards"), rules=ROOM), 1, processes=1)
    assert tally.result("filler").hands == 2
    assert tally.result("filler").error is None


# -- matches


def rich(*place: int) -> tuple[Card, ...]:
    """Decks in which what is alike lies together, for a match's first hands; or it would go on for ever."""
    name = sum(part * 100**power for power, part in enumerate(place))
    return rich_deck(name) if len(place) < 3 or place[2] < 3 else plain_deck(name)


class Lucky:
    """Somebody who knows all his cards beforehand, so that he comes into Fantasyland and stays there."""

    def __init__(self) -> None:
        self.tally = Tally()

    def place(self, hand: Hand, number: int, player: int) -> Placement:
        return lucky(hand, number, player)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("text", ["room", "progressive", "club", "room fantasyland_timing=from-start", "club-pineapple fantasyland_repeats=2"])  # fmt: skip
def test_a_match_is_the_one_that_a_table_plays(text: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which hands follow, with what rights, in which order of play, and what it all comes to."""

    monkeypatch.setattr(module, "deck", rich)
    rules = RuleSet.parse(f"{text} settlement_cap=none")
    lengths: list[int] = []
    for deal in range(12):
        at_seat = [Lucky() for _ in range(players)]
        points = module._match(Arena(bots=("lucky",) * players, rules=rules), deal, at_seat)  # type: ignore[arg-type]
        names = ["ann", "bob", "cyd"][:players]
        table = Play(
            rules,
            " ".join(names),
            lot=players - 1,
            decks=lambda hands, deal=deal: rich(1, deal, hands - 1) if hands > 1 else rich(1, deal),  # type: ignore[misc]
        )
        table.ready(*names)
        expected = [0] * players
        stays, fantasylands = [0] * players, [0] * players
        while True:
            while table.table.laying:
                hand = table.hand
                turn = hand.acting[0]
                street, placement = hand.street_of(turn), lucky(hand, table.table.hands, turn)
                player = names[hand.seats[turn]]
                table.ask(Confirm(player=player, hand=table.table.hands, street=street, placement=placement))
            reckoning = table.hand.reckoning
            assert reckoning
            for place, result in enumerate(reckoning.players):
                expected[result.seat] += result.points
                fantasylands[result.seat] += table.hand.fantasyland[place] > 0
                stays[result.seat] += table.hand.fantasyland[place] > 0 and result.fantasyland > 0
            if not table.table.in_match:
                break
            table.go_on(*names)
        assert points == expected
        assert [each.tally.hands for each in at_seat] == [1] * players
        assert [each.tally.fantasylands for each in at_seat] == fantasylands
        assert [each.tally.stays for each in at_seat] == stays
        lengths.append(table.table.hands)
    assert max(lengths) > 2


def test_fantasyland_is_asked_of_a_program_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "deck", rich)
    name = program(tmp_path, "bot.py", EXAMPLE)
    tallies = run(Arena(bots=(name, "filler"), rules=RuleSet.parse("room fantasyland_entry=22")), 40, processes=1)
    assert tallies[0].fantasylands > 0
    assert tallies[0].failures == 0


# -- alone


def test_a_bot_alone_is_worth_its_board() -> None:
    arena = Arena(bots=("backwards",), rules=ROOM)
    (tally,) = run(arena, 40, processes=1)
    assert (tally.hands, len(tally.points)) == (40, 40)
    assert sum(tally.points) == tally.royalties - 6 * tally.fouls + 10 * tally.entries
    assert tally.fantasylands == 0
    hand = module._dealt(ROOM, deck(1, 0), (0,), (0,), (0,))
    board = Board()
    while hand.acting:
        placement = Filler(ROOM, backwards=True).place(view_hand(hand, 1, 0, {}), 1)
        board, hand = board.place(placement), hand.place(0, placement)
    assert hand.reckoning
    (result,) = hand.reckoning.players
    assert tally.points[0] == result.royalties - 6 * result.foul + 10 * (result.fantasyland > 0)


# -- the same however it is run


def test_the_figures_depend_on_neither_processes_nor_breaks(tmp_path: Path) -> None:
    names = (program(tmp_path, "example.py", EXAMPLE), program(tmp_path, "filler.py", LOOP))
    arena, hands = Arena(bots=names, rules=ROOM, seed=5), 2 * (2 * CHUNK + 3)
    kept = tmp_path / "kept.jsonl"
    whole = untimed(run(arena, hands, processes=2, kept=kept))
    assert sum(whole[0].points) == -sum(whole[1].points) != 0
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 4
    kept.write_bytes(lines[0] + lines[2] + lines[1][: len(lines[1]) // 2])  # stopped while it wrote
    told: list[tuple[int, int]] = []
    again = untimed(run(arena, hands, processes=1, kept=kept, tell=lambda done, deals: told.append((done, deals))))
    assert again == whole
    assert told[0][0] in {CHUNK, 3}
    assert told[-1] == (hands // 2, hands // 2)
    before = kept.read_bytes()
    assert untimed(run(arena, hands, kept=kept)) == whole
    assert kept.read_bytes() == before


def test_more_hands_go_on_from_fewer(tmp_path: Path) -> None:
    arena = Arena(bots=("filler", "backwards"), rules=ROOM)
    kept = tmp_path / "kept.jsonl"
    run(arena, 2 * CHUNK, processes=1, kept=kept)
    told: list[int] = []
    more = run(arena, 6 * CHUNK, processes=1, kept=kept, tell=lambda done, _: told.append(done))
    assert told == [CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert untimed(more) == untimed(run(arena, 6 * CHUNK, processes=1))


@pytest.mark.parametrize(
    "other",
    [
        Arena(bots=("backwards", "filler"), rules=ROOM),
        Arena(bots=("filler", "backwards"), rules=ROOM, seed=2),
        Arena(bots=("filler", "backwards"), rules=RuleSet.parse("progressive")),
        Arena(bots=("filler", "backwards"), rules=ROOM, seconds=1),
    ],
)
def test_a_file_of_another_arena_is_not_gone_on_with(other: Arena, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    run(Arena(bots=("filler", "backwards"), rules=ROOM), 4, processes=1, kept=kept)
    before = kept.read_bytes()
    with pytest.raises(NotThisArena, match="belongs to an arena of other bots, rules, seed or seconds"):
        run(other, 4, processes=1, kept=kept)
    assert kept.read_bytes() == before


def test_files_that_are_none_of_an_arena_stay_as_they_are(tmp_path: Path) -> None:
    arena, kept = Arena(bots=("filler", "backwards"), rules=ROOM), tmp_path / "kept.jsonl"
    run(arena, 4, processes=1, kept=kept)
    head = kept.read_text().splitlines(keepends=True)[0]
    for text, said in [
        ("my notes\n", "is no file of an arena"),
        ("my notes", "is no file of an arena"),
        (head + "nonsense\n", "is damaged"),
        (head + '{"first":0,"deals":2,"tallies":[]}\n', "the deals from 0 on are not whole"),
    ]:
        kept.write_text(text)
        with pytest.raises(NotThisArena, match=said):
            run(arena, 4, processes=1, kept=kept)
        assert kept.read_text() == text
    with pytest.raises(NotThisArena, match="is no file of an arena"):
        run(arena, 4, processes=1, kept=Path("/dev/full"))


WHOLE: Final[dict[str, Any]] = {
    "first": 0,
    "deals": 2,
    "tallies": [
        {"points": [7, -3], "hands": 4, "fouls": 1, "royalties": 5, "entries": 1, "fantasylands": 2, "stays": 1}
        | {"timed": 20, "seconds": 0.5, "failures": 1, "complaints": ["it ended"]},
        {"points": [-7, 3], "hands": 4},
    ],
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"first": -20},
        {"first": 7},
        {"hands": 0},
        {"hands": 5},
        {"points": [7, -4]},
        {"points": [7 + 10**13, -3]},
        {"fouls": 4},
        {"fouls": -1},
        {"entries": 5},
        {"royalties": -1},
        {"royalties": 10**400},
        {"stays": 3},
        {"fantasylands": -1, "stays": -1},
        {"timed": -1},
        {"seconds": -0.5},
        {"failures": 0},
        {"complaints": ["no"] * 6, "failures": 6},
    ],
    ids=str,
)
def test_figures_that_contradict_themselves_are_not_gone_on_with(wrong: dict[str, Any], tmp_path: Path) -> None:
    arena, kept = Arena(bots=("filler", "backwards"), rules=ROOM), tmp_path / "kept.jsonl"
    head = msgspec.json.encode({"arena": arena}) + b"\n"
    kept.write_bytes(head + json.dumps(WHOLE).encode() + b"\n")
    assert [tally.hands for tally in run(arena, 4, kept=kept)] == [4, 4]
    one, other = WHOLE["tallies"]
    changed = WHOLE | {name: value for name, value in wrong.items() if name in WHOLE}
    changed["tallies"] = [one | {name: value for name, value in wrong.items() if name not in WHOLE}, other]
    kept.write_bytes(head + json.dumps(changed).encode() + b"\n")
    before = kept.read_bytes()
    with pytest.raises(NotThisArena, match=r"is damaged: the figures of the deals from .* contradict themselves"):
        run(arena, 4, kept=kept)
    assert kept.read_bytes() == before


def test_of_one_alone_the_points_are_those_of_its_boards(tmp_path: Path) -> None:
    arena, kept = Arena(bots=("filler",), rules=ROOM), tmp_path / "kept.jsonl"
    whole = untimed(run(arena, 2, processes=1, kept=kept))
    assert untimed(run(arena, 2, processes=1, kept=kept)) == whole
    head, line = kept.read_text().splitlines()
    changed = json.loads(line)
    changed["tallies"][0]["points"][0] += 1
    kept.write_text(f"{head}\n{json.dumps(changed)}\n")
    with pytest.raises(NotThisArena, match="contradict themselves"):
        run(arena, 2, kept=kept)


def test_lines_that_cannot_be_read_are_damage(tmp_path: Path) -> None:
    arena, kept = Arena(bots=("filler", "backwards"), rules=ROOM), tmp_path / "kept.jsonl"
    head = msgspec.json.encode({"arena": arena}) + b"\n"
    for line in (b"", b'{"first":"\xff"}', b'{"more":' + b"[" * 100_000):
        kept.write_bytes(head + line + b"\n")
        with pytest.raises(NotThisArena, match="is damaged: "):
            run(arena, 4, kept=kept)


def test_a_file_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arena, kept = Arena(bots=("filler", "backwards"), rules=ROOM), tmp_path / "kept.jsonl"
    monkeypatch.setattr(module, "MOST_KEPT", 2_000_000)
    with kept.open("wb") as file:
        file.truncate(6_000_000_000)
    with pytest.raises(NotThisArena, match="has more than 2 MB, and is no file of an arena"):
        run(arena, 4, kept=kept)
    assert kept.stat().st_size == 6_000_000_000


# -- failures


def test_a_failure_is_counted_and_the_table_lays(tmp_path: Path) -> None:
    """A bot that fails now and then plays as the table does then; so it ends even with one that always plays so."""
    clumsy = (
        f"{ANSWER}\nfor number, line in enumerate(sys.stdin): print('?' if number % 3 else answer(line), flush=True)"
    )
    tallies = run(Arena(bots=(program(tmp_path, "clumsy.py", clumsy), "filler"), rules=ROOM), 4, processes=1)
    assert tallies[0].failures == 10  # every second of twenty, since it is started anew after each
    assert tallies[0].points == [0, 0]
    assert len(tallies[0].complaints) == 5
    assert tallies[0].complaints[0].endswith("Qh/9h/- x3h")
    assert tallies[1].failures == 0


def test_a_bot_that_only_fails_ends_the_arena(tmp_path: Path) -> None:
    arena = Arena(bots=(program(tmp_path, "dead.py", "raise SystemExit(4)"), "papaya"), rules=ROOM)
    with pytest.raises(GaveUp, match=r"it ended with status 4 \(10 failures in a row\)"):
        play(Arena(bots=(arena.bots[0], "filler"), rules=ROOM), 0, 20)
    dead = Arena(bots=(arena.bots[0], arena.bots[0]), rules=ROOM)
    with pytest.raises(GaveUp, match=r"it ended with status 4 \(10 failures in a row\)"):
        run(dead, 4 * CHUNK, processes=2)


def test_a_fault_of_our_own_is_not_taken_for_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def place(self, view: HandView, limit: float) -> Placement:
            raise ZeroDivisionError

    monkeypatch.setitem(BOTS, "broken", lambda rules: Broken())
    with pytest.raises(ZeroDivisionError):
        play(Arena(bots=("broken", "filler"), rules=ROOM), 0, 1)


# -- the command


def command(*words: str) -> str:
    found = RUNNER.invoke(app, ["arena", *words, "--processes", "1"])
    assert found.exit_code == 0, found.output
    return found.stdout


def refusal(*words: str) -> str:
    found = RUNNER.invoke(app, ["arena", *words])
    assert found.exit_code == 2, found.output
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    return found.stderr.removeprefix("ananas: ").rstrip()


def test_json() -> None:
    found: dict[str, Any] = json.loads(command("filler", "backwards", "--hands", "20", "--seed", "3", "--json"))
    assert found["rules"] == "room"
    assert found["seed"] == 3
    assert [list(bot) for bot in found["bots"]] == [FIELDS, FIELDS]
    assert [bot["name"] for bot in found["bots"]] == ["filler", "backwards"]
    first, second = found["bots"]
    assert first["points"] == -second["points"]
    assert first["hands"] == 20
    assert 0 <= first["fouls"] <= 1


def test_json_of_one_alone() -> None:
    found: dict[str, Any] = json.loads(command("filler", "--alone", "--hands", "20", "--json"))
    (bot,) = found["bots"]
    assert list(bot) == ["value" if name == "points" else name for name in FIELDS if name != "stays"]
    assert bot["value"] == pytest.approx(bot["royalties"] - 6 * bot["fouls"] + 10 * bot["entries"])


def test_what_is_shown() -> None:
    lines = command("filler", "backwards", "filler", "--hands", "12").splitlines()
    assert lines[0] == "rules: room; seed 1; 2 deals, each in 6 orders"
    assert lines[2].split("  ")[0] == "bot"
    assert [line.split()[0] for line in lines[3:]] == ["filler", "backwards", "filler"]
    assert all(line.split()[-2] == "-" for line in lines[3:]), "there was no hand in Fantasyland"
    assert "value a hand" in command("filler", "--alone", "--hands", "2")


def test_failures_are_told_on_stderr(tmp_path: Path) -> None:
    once = (
        f"{ANSWER}\nfor number, line in enumerate(sys.stdin): print('?' if number == 7 else answer(line), flush=True)"
    )
    name = program(tmp_path, "once.py", once)
    found = RUNNER.invoke(app, ["arena", name, "filler", "--hands", "2", "--processes", "1", "--json"])
    assert json.loads(found.stdout)["bots"][0]["failures"] == 1
    head, complaint = found.stderr.splitlines()
    assert head == f"ananas: {name} failed once; the table laid for it"
    assert complaint.startswith(f"  the bot {name} failed: its answer cannot be laid: ? is not a placement")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["filler", "nobody"], "there is no bot nobody; bots: kiwi, mango, papaya, ananas"),
        (["filler"], "by these rules 2 to 3 bots play, here are 1"),
        (["filler"] * 4, "by these rules 2 to 3 bots play, here are 4"),
        (["filler", "filler", "--set", "seats=3-3"], "by these rules 3 to 3 bots play, here are 2"),
        (["filler", "filler", "--alone"], "--alone takes one bot, here are 2"),
        (["filler", "filler", "--hands", "0"], "--hands 0: from 1 to 10,000,000"),
        (["filler", "filler", "--processes", "0"], "--processes 0: from 1 to 64"),
        (["filler", "filler", "--seconds", "nan"], "--seconds nan: from 0.001 to 3,600"),
        (["filler", "filler", "--rules", "bridge"], "rules = bridge: the named sets are"),
        (["filler", "cmd:no-such-program"], "failed: there is no program no-such-program"),
        (
            ["filler", "filler", "--resume", "/no/such/place"],
            "/no/such/place cannot be used: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words: list[str], said: str) -> None:
    assert said in refusal(*words)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(keeper: object, chunk: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module._Keeper, "keep", full)
    kept = tmp_path / "kept.jsonl"
    words = ["filler", "backwards", "--hands", "4", "--processes", "1", "--resume", str(kept)]
    assert refusal(*words) == f"{kept} cannot be used: No space left on device"


def test_a_command_line_that_is_not_utf8_is_kept_in_no_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    name = program(tmp_path, "bot.py", LOOP) + " \udcff"
    said = refusal(name, "filler", "--hands", "2", "--resume", str(kept))
    assert said == f"{kept} cannot keep a command line that is not UTF-8"
    assert not kept.exists()
    assert json.loads(command(name, "filler", "--hands", "2", "--json"))["bots"][0]["failures"] == 0


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_end_from_outside_ends_the_workers_and_their_programs_and_leaves_the_file(
    tmp_path: Path, number: signal.Signals, processes: int
) -> None:
    kept = tmp_path / "kept.jsonl"
    with _asked(tmp_path, processes, "--resume", str(kept)) as (arena, pids):
        arena.send_signal(number)
        arena.send_signal(number)  # as timeout does
        _, said = arena.communicate(timeout=60)
    assert arena.returncode == 128 + number
    assert said == f"ananas: stopped; the same command goes on with what {kept} keeps\n"
    _check_ended(pids)
    assert kept.read_text().count("\n") == 1


def test_workers_end_their_programs_where_the_arena_is_killed(tmp_path: Path) -> None:
    with _asked(tmp_path, 2) as (arena, pids):
        arena.kill()
    _check_ended(pids)


@contextlib.contextmanager
def _asked(tmp_path: Path, processes: int, *words: str) -> Generator[tuple[subprocess.Popen[str], list[int]]]:
    """An arena whose programs have been asked and do not answer, one to each process."""
    pids = tmp_path / "pids"
    slow = f"import os, sys, time\nsys.stdin.readline()\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(600)"
    name = program(tmp_path, "slow.py", slow)
    command = [sys.executable, "-m", "ananas.cli.main", "arena", name, name, "--hands=200", f"--processes={processes}"]
    # Where these tests run in the background of a shell, Ctrl-C is not heard unless it is asked for.
    arena = subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_ctrl_c,  # noqa: PLW1509
    )
    try:
        while not pids.exists() or len(pids.read_text().splitlines()) < processes:
            assert arena.poll() is None
            time.sleep(0.05)
        yield arena, [int(pid) for pid in pids.read_text().split()]
    finally:
        arena.kill()
        arena.communicate()


def _check_ended(pids: list[int]) -> None:
    try:
        for pid in pids:
            for _ in range(1500):
                if not _runs(pid):
                    break
                time.sleep(0.01)
            assert not _runs(pid)
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


# -- the frozen bot


@pytest.mark.skipif(shutil.which("g++") is None, reason="the frozen bot is built with g++")
def test_the_frozen_bot_plays_without_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "deck", rich)
    name = f"cmd:{sys.executable} {ROOT / 'bench' / 'peers' / 'hindsight.py'} 8 8 0 -6 9"
    tallies = run(Arena(bots=(name, "filler", "backwards"), rules=ROOM), 12, processes=1)
    assert tallies[0].failures == 0
    assert tallies[0].fantasylands > 0
    assert tallies[0].fouls < 6


def test_the_orders_are_all_there_are() -> None:
    assert Arena(bots=("a", "b", "c"), rules=ROOM).orders == tuple(permutations(range(3)))


def test_unknown_bots_are_refused_before_anything_is_played() -> None:
    with pytest.raises(Refused) as refused:
        Arena(bots=("filler", "nobody"), rules=ROOM).check()
    assert refused.value.code == "unknown-bot"
