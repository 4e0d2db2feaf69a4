"""Teaching the nets from nothing: they play each other, and learn what their boards came to.

First the net of street 4 learns from hands laid by lot, then that of street 3 from what the first makes of its boards,
and so back to street 1. After that all four play, and learn anew from what they played, round after round. What the
boards came to is told by the core (study.h); here the nets are fitted to it. PyTorch is needed for this alone.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ananas.game.rules import ROOM
from ananas.solver import core
from ananas.solver.exam import alone, spread_of
from ananas.solver.fantasyland import wishes
from ananas.solver.nets import CARD, Card, Learnt
from ananas.solver.worth import row_worths, stay_worth, usual_lines, worth

WIDE: Final = 64
NARROW: Final = 32
DENSE: Final = 5
MOST_FEATURES: Final = 96
SCALE: Final = (1.0, 6.0, 8.0, 8.0, 8.0, 8.0, 1.0)
"""How much a part's error counts by itself, beside that of the points they add up to."""
_CHUNK: Final = 20_000


class Round(NamedTuple):
    """What a round learns from: examples, playouts for each, placements of street 4 tried in each, passes, speed."""

    examples: int
    playouts: int
    tries: int
    passes: int
    speed: float


FIRST: Final = {4: Round(400_000, 1, 1, 3, 2e-3), 3: Round(200_000, 3, 2, 3, 2e-3)} | {
    2: Round(200_000, 3, 2, 3, 2e-3),
    1: Round(120_000, 5, 2, 3, 2e-3),
}
"""The first lessons, by street."""
EARLY: Final = Round(500_000, 3, 1, 3, 1e-3)
LATER: Final = Round(1_200_000, 4, 2, 3, 1e-3)
LATE: Final = Round(1_200_000, 4, 2, 3, 4e-4)
LAST: Final = Round(6_000_000, 4, 2, 3, 6e-4)
"""The rounds: two early ones, those between, three late ones, and the last, with so many examples that little is left of
what the nets took from chance in them."""


class Examples(NamedTuple):
    """Boards, and what they came to.

    `features`: uint16, (n, MOST_FEATURES), filled up with the number of features. `dense`: (n, DENSE). `parts`: (n, 7),
    as the nets tell them. `street`: from 1 to 4.
    """

    features: NDArray[np.uint16]
    dense: NDArray[np.float32]
    parts: NDArray[np.float32]
    street: NDArray[np.uint8]

    def of(self, street: int) -> Examples:
        """Those of one street."""
        kept = self.street == street
        return Examples(self.features[kept], self.dense[kept], self.parts[kept], self.street[kept])


def _join(some: Sequence[Examples]) -> Examples:
    return Examples(
        np.concatenate([each.features for each in some]),
        np.concatenate([each.dense for each in some]),
        np.concatenate([each.parts for each in some]),
        np.concatenate([each.street for each in some]),
    )


def study(weights: NDArray[np.float32], lesson: Round, seed: int, streets: Sequence[int] = (1, 2, 3, 4)) -> Examples:
    """Let the nets play, and tell what their boards came to; the same seed gives the same examples."""
    usual = worth(ROOM, [usual_lines()])
    wish = wishes(ROOM, row_worths(ROOM), stay_worth(ROOM)).told
    bits = sum(1 << (street - 1) for street in streets)
    chunks: list[Examples] = []
    for chunk in range(max(1, lesson.examples // _CHUNK)):
        size = min(_CHUNK, lesson.examples)
        made = Examples(
            np.empty((size, MOST_FEATURES), np.uint16),
            np.empty((size, DENSE), np.float32),
            np.empty((size, core.PARTS), np.float32),
            np.empty(size, np.uint8),
        )
        core.study(usual, weights, (seed << 24) + chunk + 1, bits, lesson.playouts, lesson.tries, wish, *made)
        chunks.append(made)
    return _join(chunks)


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
        torch.nn.init.normal_(net["wide"].weight, 0, 0.03)
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
    features = torch.from_numpy(examples.features.astype(np.int32))
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
        wide = torch.relu(net["wide"](features[some]) + net["dense"](dense[some]))
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


def train(
    folder: Path, rounds: int, seed: int = 1, told: Callable[[str, float], None] = lambda _what, _done: None
) -> Path:
    """Teach the nets in so many rounds, the first lessons not counted; what a folder has is gone on with.

    After each round `folder` holds its weights, and in its card how good they are. `told` hears what is being done, and
    how much of all is. Gives the file of the last round, to be shipped by `ship`. Raises `ModuleNotFoundError` without
    PyTorch.
    """
    torch = _torch()
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # with more, sums come out otherwise in their last digits
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    folder.mkdir(parents=True, exist_ok=True)
    done = max([int(path.stem.removeprefix("round-")) for path in folder.glob("round-*.npz")], default=-1)
    nets: list[Any] = []
    if done >= 0:
        with np.load(_kept(folder, done)) as kept:
            nets = [_unpack(each) for each in kept["weights"]]
    before: Examples | None = None
    for turn in range(done + 1, rounds + 1):
        spread: list[float] = []
        begun, taught = time.process_time(), 0
        if turn == 0:
            for street, lesson in FIRST.items():
                told(f"first lessons, street {street}", turn / (rounds + 1))
                examples = study(_all(nets), lesson, seed * 1000 + street, (street,))
                taught += len(examples.street)
                net = _net()
                spread.insert(0, _fit(net, examples, lesson, seed))
                nets.insert(0, net)
        else:
            lesson = EARLY if turn < 3 else LAST if turn == rounds else LATE if turn > rounds - 4 else LATER
            told(f"round {turn}, playing", turn / (rounds + 1))
            new = study(_all(nets), lesson, seed * 1000 + 10 * turn)
            taught = len(new.street)
            both = new if before is None else _join((before, new))
            for street in (1, 2, 3, 4):
                told(f"round {turn}, learning street {street}", (turn + 0.5) / (rounds + 1))
                spread.append(_fit(nets[street - 1], both.of(street), lesson, seed + turn))
            before = new if turn >= 3 else None
        part = folder / "part.npz"
        np.savez(part, weights=np.stack([_pack(net) for net in nets]), spread=np.array(spread))
        part.replace(_kept(folder, turn))
        played = alone(_all(nets))
        learnt = Learnt(
            round=turn,
            seconds=round(time.process_time() - begun),
            examples=taught,
            off=tuple(round(one, 2) for one in spread),
            alone=round(played.value, 2),
            error=round(played.error, 2),
        )
        _write_card(folder / CARD.name, seed, (*_card(folder).rounds, learnt))
    return _kept(folder, rounds)


def _card(folder: Path) -> Card:
    path = folder / CARD.name
    return msgspec.json.decode(path.read_bytes(), type=Card) if path.exists() else Card(seed=0, rounds=(), spread=())


def _write_card(path: Path, seed: int, rounds: tuple[Learnt, ...], spread: tuple[float, ...] = ()) -> None:
    card = Card(seed=seed, rounds=rounds, spread=spread)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=1) + b"\n")


def ship(kept: Path, target: Path) -> None:
    """Write the weights of a round as they are shipped, half as exact and packed, and beside them their card."""
    with np.load(kept) as weights:
        half = weights["weights"].astype(np.float16)
    np.savez_compressed(target, weights=half)
    card = _card(kept.parent)
    spread = spread_of(half.astype(np.float32).ravel())
    _write_card(target.with_suffix(".json"), card.seed, card.rounds, spread)


def _kept(folder: Path, turn: int) -> Path:
    return folder / f"round-{turn:02}.npz"


def _all(nets: Sequence[Any]) -> NDArray[np.float32]:
    return np.concatenate([_pack(net) for net in nets]) if nets else np.zeros(0, np.float32)
