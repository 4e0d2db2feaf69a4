"""Teaching the nets from nothing: they play each other, and learn what the boards are worth that they make.

In each round the net of street 4 learns first, from what is counted exactly; then that of street 3 from what the new net
of street 4 says of the boards that may come next, and so back to street 1. In the first round boards are laid by lot, in
those after it the nets of the round before play. What boards are worth is told by the core (study.h); here the nets are
fitted to it. PyTorch is needed for this alone.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import time
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ananas.game.rules import ROOM
from ananas.solver import core
from ananas.solver.exam import Spread, alone, spread_of
from ananas.solver.fantasyland import wishes
from ananas.solver.nets import CARD, Card, Learnt
from ananas.solver.plain.net import DENSE, MOST_FEATURES, MOST_SUM, NARROW, WIDE
from ananas.solver.worth import row_worths, stay_worth, usual_lines, worth

SCALE: Final = (1.0, 6.0, 8.0, 8.0, 8.0, 8.0, 1.0)
"""How much a part's error counts by itself, beside that of the points they add up to."""
_CHUNK: Final = 20_000
STREETS: Final = (1, 2, 3, 4)


class Round(NamedTuple):
    """What a round learns from: examples of each street, draws looked at in each, passes over them, speed."""

    examples: int
    draws: int
    passes: int
    speed: float


FIRST: Final = Round(300_000, 12, 6, 3e-3)
"""The first round, in which boards are laid by lot."""
EARLY: Final = Round(400_000, 12, 6, 3e-3)
LAST: Final = Round(2_500_000, 12, 4, 3e-3)
"""The rounds after it: many that bring the nets to play as they should, and one that brings them to say exactly what that
is worth."""
ROUNDS: Final = 8
"""So many after the first are enough: the next ones hardly play better."""


class Examples(NamedTuple):
    """Boards, and what they are worth.

    `features`: uint16, (n, MOST_FEATURES), filled up with the number of features. `dense`: (n, DENSE). `parts`: (n, 7),
    as the nets tell them. `street`: from 1 to 4.
    """

    features: NDArray[np.uint16]
    dense: NDArray[np.float32]
    parts: NDArray[np.float32]
    street: NDArray[np.uint8]


def _join(some: Sequence[Examples]) -> Examples:
    return Examples(
        np.concatenate([each.features for each in some]),
        np.concatenate([each.dense for each in some]),
        np.concatenate([each.parts for each in some]),
        np.concatenate([each.street for each in some]),
    )


def study(weights: NDArray[np.float32], judges: NDArray[np.float32], lesson: Round, seed: int, street: int) -> Examples:
    """Let nets play, and tell what the boards are worth that they make on a street; the same seed gives the same examples.

    `judges`: the nets of the streets after it, which say what the boards come to that may come next.
    """
    usual = worth(ROOM, [usual_lines()])
    wish = wishes(ROOM, row_worths(ROOM), stay_worth(ROOM)).told
    size = min(_CHUNK, lesson.examples)

    def one(chunk: int) -> Examples:
        made = Examples(
            np.empty((size, MOST_FEATURES), np.uint16),
            np.empty((size, DENSE), np.float32),
            np.empty((size, core.PARTS), np.float32),
            np.empty(size, np.uint8),
        )
        core.study(usual, weights, judges, (seed << 24) + chunk + 1, 1 << (street - 1), lesson.draws, wish, *made)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as cores:
        return _join([*cores.map(one, range(max(1, lesson.examples // _CHUNK)))])


def _torch() -> Any:  # noqa: ANN401
    """PyTorch, which nothing else needs; raises `ModuleNotFoundError` without it."""
    return importlib.import_module("torch")


def _net() -> Any:  # noqa: ANN401
    """A net of one street, as PyTorch has it."""
    torch = _torch()
    net = torch.nn.ModuleDict(
        {
            "wide": torch.nn.EmbeddingBag(core.FEATURES + 1, WIDE, mode="sum", padding_idx=core.FEATURES),
            "dense": torch.nn.Linear(DENSE, WIDE),
            "narrow": torch.nn.Linear(WIDE, NARROW),
            "parts": torch.nn.Linear(NARROW, core.PARTS),
        }
    )
    with torch.no_grad():
        torch.nn.init.normal_(net["wide"].weight, 0, 0.06)
        net["wide"].weight[core.FEATURES] = 0
    return net


def _pack(net: Any) -> NDArray[np.float32]:  # noqa: ANN401
    """The weights in the order in which the cores read them (net.h)."""
    kept = [
        net["wide"].weight[: core.FEATURES],
        *(net["dense"].weight.T, net["dense"].bias),
        *(net["narrow"].weight.T, net["narrow"].bias),
        *(net["parts"].weight.T, net["parts"].bias),
    ]
    return np.concatenate([each.detach().numpy().astype(np.float32).ravel() for each in kept])


def _unpack(weights: NDArray[np.float32]) -> Any:  # noqa: ANN401
    torch = _torch()
    net, at = _net(), 0
    with torch.no_grad():
        for target, shape in (
            (net["wide"].weight[: core.FEATURES], (core.FEATURES, WIDE)),
            (net["dense"].weight, (DENSE, WIDE)),
            (net["dense"].bias, (WIDE,)),
            (net["narrow"].weight, (WIDE, NARROW)),
            (net["narrow"].bias, (NARROW,)),
            (net["parts"].weight, (NARROW, core.PARTS)),
            (net["parts"].bias, (core.PARTS,)),
        ):
            size = int(np.prod(shape))
            values = torch.from_numpy(weights[at : at + size].reshape(shape).copy())
            target.copy_(values.T if len(shape) == 2 and target.shape != values.shape else values)
            at += size
    return net


def _fit(net: Any, examples: Examples, lesson: Round, seed: int) -> float:  # noqa: ANN401
    """Fit a net; gives the root of the mean square of its error in points, on examples it never saw."""
    torch = _torch()
    used = int((examples.features != core.FEATURES).sum(axis=1).max())  # the rest fills up
    features = torch.from_numpy(examples.features[:, :used].astype(np.int32))
    dense, parts = torch.from_numpy(examples.dense), torch.from_numpy(examples.parts)
    ones = torch.ones(len(dense), 1)
    price = torch.cat([ones, -ROOM.foul_points * ones, 10 * dense[:, :4], dense[:, 4:]], 1)
    scale = torch.tensor(SCALE)
    batch, held = 2048, min(4000, len(dense) // 10)
    learn = len(dense) - held
    steps = max(1, lesson.passes * (learn // batch))
    lots = torch.Generator().manual_seed(seed)

    def slowing(step: int) -> float:
        return max(0.03, 1 - step / steps)

    descent = torch.optim.Adam(net.parameters(), lr=lesson.speed)
    slower = torch.optim.lr_scheduler.LambdaLR(descent, slowing)

    def off(some: Any) -> tuple[Any, Any]:  # noqa: ANN401
        wide = torch.clamp(net["wide"](features[some]) + net["dense"](dense[some]), 0, MOST_SUM) ** 2
        wrong = net["parts"](torch.relu(net["narrow"](wide))) - parts[some]
        return wrong, (wrong * price[some]).sum(1)

    for _ in range(lesson.passes):
        order = torch.randperm(learn, generator=lots)
        for at in range(0, learn - batch + 1, batch):
            wrong, points = off(order[at : at + batch])
            loss = (points**2).mean() + 0.3 * ((wrong * scale) ** 2).sum(1).mean()
            descent.zero_grad()
            loss.backward()
            descent.step()
            slower.step()
    with torch.no_grad():
        _, points = off(slice(learn, len(dense)))
        return float((points**2).mean() ** 0.5)


class NotOfNets(ValueError):
    """A folder holds something other than what rounds of teaching leave there."""


def train(
    folder: Path, rounds: int, seed: int = 1, told: Callable[[str, float], None] = lambda _what, _done: None
) -> Path:
    """Teach the nets in so many rounds, the first not counted; what a folder has is gone on with.

    After each round `folder` holds its weights, and in its card how good they are. `told` hears what is being done, and
    how much of all is. Gives the file of the last round, to be shipped by `ship`. Raises `ModuleNotFoundError` without
    PyTorch, `NotOfNets` and `OSError` for the folder.
    """
    torch = _torch()
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # with more, sums come out otherwise in their last digits
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    folder.mkdir(parents=True, exist_ok=True)
    done = _last(folder)
    nets = [_unpack(each) for each in _weights(_kept(folder, done))] if done >= 0 else []
    _card(folder)
    for turn in range(done + 1, rounds + 1):
        off: list[float] = []
        begun, old = time.process_time(), _all(nets)
        lesson = FIRST if turn == 0 else EARLY if turn < rounds else LAST
        nets = nets or [_net() for _ in STREETS]
        for street in reversed(STREETS):
            done_now = (turn + (STREETS[-1] - street) / len(STREETS)) / (rounds + 1)
            told(f"round {turn}, street {street}, playing", done_now)
            examples = study(old, _all(nets[street:]), lesson, seed * 1000 + 10 * turn + street, street)
            told(f"round {turn}, street {street}, learning", done_now)
            off.insert(0, _fit(nets[street - 1], examples, lesson, seed + turn))
        packed = io.BytesIO()
        np.savez(packed, weights=np.stack([_pack(net) for net in nets]))
        replace_file(_kept(folder, turn), packed.getvalue())
        played = alone(_all(nets))
        learnt = Learnt(
            round=turn,
            seconds=round(time.process_time() - begun),
            examples=lesson.examples * len(STREETS),
            off=tuple(round(one, 2) for one in off),
            alone=round(played.value, 2),
            error=round(played.error, 2),
        )
        _write_card(folder / CARD.name, seed, (*_card(folder).rounds, learnt))
    return _kept(folder, rounds)


NOT_MEASURED: Final = Spread((), ())


def _card(folder: Path) -> Card:
    path = folder / CARD.name
    if not path.exists():
        return Card(seed=0, rounds=(), spread=(), ahead=())
    try:
        return msgspec.json.decode(path.read_bytes(), type=Card)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotOfNets(f"{path} is damaged: {error}") from None


def _write_card(path: Path, seed: int, rounds: tuple[Learnt, ...], off: Spread = NOT_MEASURED) -> None:
    card = Card(seed=seed, rounds=rounds, spread=off.spread, ahead=off.ahead)
    replace_file(path, msgspec.json.format(msgspec.json.encode(card), indent=1) + b"\n")


def ship(kept: Path, target: Path, decisions: int = 100) -> None:
    """Write the weights of a round as they are shipped, half as exact and packed, and beside them their card.

    `decisions`: over so many of each street it is measured how far off they are.
    """
    half = _weights(kept).astype(np.float16)
    packed = io.BytesIO()
    np.savez_compressed(packed, weights=half)
    card = _card(kept.parent)
    off = spread_of(half.astype(np.float32).ravel(), decisions=decisions)
    replace_file(target, packed.getvalue())
    _write_card(target.with_suffix(".json"), card.seed, card.rounds, off)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole: where that fails, with an `OSError`, what was there before is there still."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _last(folder: Path) -> int:
    """The last round that a folder holds, -1 for none; files of other names are somebody else's."""
    numbers = [
        int(name[1])
        for path in folder.iterdir()
        if (name := re.fullmatch(r"round-(\d{2,3})\.npz", path.name, re.ASCII))
    ]
    return max((number for number in numbers if _kept(folder, number).exists()), default=-1)


def _weights(kept: Path) -> NDArray[np.float32]:
    """The weights of a round, one net to a street; raises `NotOfNets`."""
    try:
        with np.load(kept) as found:
            weights = np.asarray(found["weights"], np.float32)
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise NotOfNets(f"{kept} holds no weights of nets") from None
    if weights.shape != (len(STREETS), core.NET_FLOATS):
        raise NotOfNets(f"{kept} holds no weights of nets")
    return weights


def _kept(folder: Path, turn: int) -> Path:
    return folder / f"round-{turn:02}.npz"


def _all(nets: Sequence[Any]) -> NDArray[np.float32]:
    return np.concatenate([_pack(net) for net in nets]) if nets else np.zeros(0, np.float32)
