"""What the nets learn from, how they are shipped, and what is said where PyTorch is not there."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from ananas.cli.main import app
from ananas.solver import core, training
from ananas.solver.core import DENSE, MOST_FEATURES
from ananas.solver.exam import alone
from ananas.solver.nets import CARD, WEIGHTS, Card, Learnt, card, nets
from ananas.solver.training import Examples, Round, replace_file, ship, study

LESSON = Round(examples=300, draws=3, passes=1, speed=1e-3)
NOTHING = np.zeros(0, np.float32)


def alike(one: Examples, two: Examples) -> bool:
    return [each.tobytes() for each in one] == [each.tobytes() for each in two]


def check_examples(found: Examples, street: int) -> None:
    count = len(found.street)
    assert {*found.street.tolist()} == {street}
    assert found.features.shape == (count, MOST_FEATURES)
    assert found.dense.shape == (count, DENSE)
    assert found.parts.shape == (count, core.PARTS)
    assert int(found.features.max()) <= core.FEATURES
    # What is filled up is filled up at the end, and every board has features of its own.
    filled = found.features == core.FEATURES
    assert (np.diff(filled.astype(int), axis=1) >= 0).all()
    assert not filled[:, 0].any()
    royalties, foul, entries, lines = found.parts[:, 0], found.parts[:, 1], found.parts[:, 2:6], found.parts[:, 6]
    # What is counted is within what can be; what nets say may be a little beyond.
    beyond = 1e-5 if street == 4 else 0.5
    assert ((royalties >= -8 * beyond) & (royalties <= 22 + 50 + 25)).all()
    assert ((foul >= -beyond) & (foul <= 1 + beyond)).all()
    assert ((entries >= -beyond) & (entries <= 1 + beyond)).all()
    assert (foul + entries.sum(axis=1) <= 1 + beyond).all(), "a dead board enters nothing"
    assert (np.abs(lines) <= 6 + 8 * beyond).all()
    for each in (found.dense, found.parts):
        assert np.isfinite(each).all()


@pytest.mark.parametrize("street", [1, 2, 3, 4])
def test_nets_that_play_give_examples_of_a_street(street: int) -> None:
    found = study(nets(), nets(), LESSON, 5, street)
    assert len(found.street) == LESSON.examples
    check_examples(found, street)


def test_before_there_are_nets_boards_are_laid_by_lot() -> None:
    check_examples(study(NOTHING, NOTHING, LESSON, 5, 4), 4)
    check_examples(study(NOTHING, nets()[-core.NET_FLOATS :], LESSON, 5, 3), 3)


def test_a_board_is_worth_what_the_judges_say_of_the_next_street() -> None:
    """With judges who know nothing but one number, that number is what comes out; who plays does not matter."""
    judges = np.zeros_like(nets())
    judges.reshape(4, -1)[:, -core.PARTS :] = np.arange(core.PARTS) / 8
    for street in (1, 2, 3):
        found = study(nets(), judges, LESSON, 5, street)
        assert np.allclose(found.parts, np.arange(core.PARTS) / 8)


def test_the_same_seed_gives_the_same_examples() -> None:
    one = study(nets(), nets(), LESSON, 5, 3)
    assert alike(one, study(nets(), nets(), LESSON, 5, 3))
    assert not alike(one, study(nets(), nets(), LESSON, 6, 3))


def test_shipped_weights_are_half_as_exact_and_have_a_card(tmp_path: Path) -> None:
    weights = nets().reshape(4, -1) * np.float32(1.0001)
    np.savez(tmp_path / "round-01.npz", weights=weights)
    learnt = Learnt(round=1, seconds=2, examples=3, off=(1.0, 2.0, 3.0, 4.0), alone=5.0, error=0.1)
    (tmp_path / "nets.json").write_bytes(msgspec.json.encode(Card(seed=7, rounds=(learnt,), spread=(), ahead=())))
    (tmp_path / "shipped").mkdir()
    ship(tmp_path / "round-01.npz", tmp_path / "shipped" / "nets.npz", decisions=4)
    with np.load(tmp_path / "shipped" / "nets.npz") as kept:
        assert kept["weights"].dtype == np.float16
        assert np.allclose(kept["weights"], weights, rtol=2**-10, atol=1e-6)
    assert (tmp_path / "shipped" / "nets.npz").stat().st_size < (tmp_path / "round-01.npz").stat().st_size
    found = msgspec.json.decode((tmp_path / "shipped" / "nets.json").read_bytes(), type=Card)
    assert (found.seed, found.rounds) == (7, (learnt,))
    assert all(0.1 < one < 2 for one in found.spread), "nets that are right to a tenth of a point, or know nothing"
    nearer = zip(found.ahead, found.spread[:3], strict=True)
    assert all(0.02 < ahead < spread for ahead, spread in nearer), "a mean of many words is nearer than one word"


def test_the_shipped_nets_are_four_of_finite_weights() -> None:
    assert nets().shape == (4 * core.NET_FLOATS,)
    assert np.isfinite(nets()).all()


def test_the_shipped_nets_are_small_and_have_a_card() -> None:
    assert WEIGHTS.stat().st_size < 2_000_000
    assert CARD.exists()
    assert (len(card().spread), len(card().ahead)) == (4, 3)
    assert [one.round for one in card().rounds] == list(range(len(card().rounds)))


def test_the_page_tells_the_card_of_the_nets() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    for one in card().rounds:
        off = " / ".join(f"{each:.2f}" for each in one.off)
        assert f"| {one.round} | {one.examples:,} | {one.seconds} | {off} | {one.alone:.2f} ± {one.error:.2f} |" in page
    for told in (card().spread, card().ahead):
        assert " / ".join(f"{each:.2f}" for each in told) in page


def test_the_nets_play_by_themselves() -> None:
    played = alone(nets(), hands=2000, seed=3)
    assert played.value > 4.5, "what nets come to that were taught well"
    assert played.value == pytest.approx(played.royalties - 6 * played.foul + 10 * played.entry)
    untaught = alone(np.zeros_like(nets()), hands=2000, seed=3)
    assert untaught.value < 0


def missing(name: str) -> NoReturn:
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_without_pytorch_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "importlib", SimpleNamespace(import_module=missing))
    with pytest.raises(ModuleNotFoundError):
        training.train(tmp_path / "nets", 1)
    found = CliRunner(env={"NO_COLOR": "1"}).invoke(app, ["train", str(tmp_path / "nets")])
    assert found.exit_code == 2
    assert found.stdout == ""
    assert '.venv/bin/pip install ".[train]" in the project\'s folder' in found.stderr
    assert "Traceback" not in found.stderr
    assert not (tmp_path / "nets").exists()
    told = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160"}).invoke(app, ["train", "--help"]).stdout
    assert '.venv/bin/pip install ".[train]" in the project\'s folder' in told


def train(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command refuses, where PyTorch would be there."""

    def nothing(*_: object, **__: object) -> None:
        """Set something that is not looked at here."""

    begun = SimpleNamespace(manual_seed=nothing, set_num_threads=nothing, use_deterministic_algorithms=nothing)

    def imported(_: str) -> SimpleNamespace:
        return begun

    monkeypatch.setattr(training, "importlib", SimpleNamespace(import_module=imported))
    found = CliRunner(env={"NO_COLOR": "1"}).invoke(app, ["train", str(folder)])
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1
    return found.stderr.removeprefix("ananas: ").rstrip()


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    assert train(tmp_path / "file", monkeypatch) == f"{tmp_path / 'file'} cannot be used: File exists"
    assert train(Path("/proc/nets"), monkeypatch) == "/proc/nets cannot be used: No such file or directory"


def test_a_folder_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for broken in (b"", b"weights", b"PK"):
        (tmp_path / "round-03.npz").write_bytes(broken)
        assert train(tmp_path, monkeypatch) == f"{tmp_path / 'round-03.npz'} holds no weights of nets"
    np.savez(tmp_path / "round-03.npz", weights=nets().reshape(2, -1))
    assert train(tmp_path, monkeypatch) == f"{tmp_path / 'round-03.npz'} holds no weights of nets"
    np.savez(tmp_path / "round-03.npz", others=nets())
    assert train(tmp_path, monkeypatch) == f"{tmp_path / 'round-03.npz'} holds no weights of nets"
    (tmp_path / "round-03.npz").unlink()
    (tmp_path / "nets.json").write_text("{")
    assert train(tmp_path, monkeypatch).startswith(f"{tmp_path / 'nets.json'} is damaged: ")


def test_only_rounds_are_gone_on_with(tmp_path: Path) -> None:
    for name in ("round-abc.npz", "round-0.npz", "round-007.npz", "round-09.npz.part", "part.npz"):
        (tmp_path / name).touch()
    assert training._last(tmp_path) == -1
    (tmp_path / "round-00.npz").touch()
    assert training._last(tmp_path) == 0
    (tmp_path / "round-100.npz").touch()
    assert training._last(tmp_path) == 100


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "kept.json"
    replace_file(target, b"before")

    def full(path: Path, data: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(target, b"after")
    assert target.read_bytes() == b"before"
    assert [*tmp_path.iterdir()] == [target]
