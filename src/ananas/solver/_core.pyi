# The native core, by its types; what each function takes and gives is told in full in plain/core.py.

from typing import Final, Literal, overload

from ananas.solver.plain import Told
from ananas.solver.plain.cards import Fillable, Readable

FEATURES: Final[int]
NET_FLOATS: Final[int]

def load(
    code: Readable, five: Readable, three: Readable, flush: Readable, made: Readable, coarse: Readable, /
) -> None: ...
def evaluate(cards: bytes, /) -> int: ...
def evaluate_many(cards: Readable, size: int, out: Fillable, /) -> None: ...
def fantasyland(
    cards: Readable,
    worths: Readable,
    strict: int,
    stays: int,
    stay: float,
    least_trips: int,
    least_full_house: int,
    least_quads: int,
    /,
) -> tuple[float, int, int, int]: ...
def random_hands(seed: int, hands: int, players: int, worth: Readable, totals: Fillable, /) -> None: ...
@overload
def mean_of_draws(where: Readable, worth: Readable, detailed: Literal[False], /) -> float: ...
@overload
def mean_of_draws(where: Readable, worth: Readable, detailed: Literal[True], /) -> tuple[float, tuple[float, ...]]: ...
@overload
def mean_of_draws(where: Readable, worth: Readable, detailed: bool, /) -> float | tuple[float, tuple[float, ...]]: ...
def choices(where: Readable, laid: int, /) -> bytes: ...
def exact(where: Readable, worth: Readable, choices: Readable, out: Fillable, /) -> None: ...
def judge(
    where: Readable, worth: Readable, nets: Readable, told: bytes, choices: Readable, out: Fillable, /
) -> None: ...
def rollouts(
    where: Readable,
    worth: Readable,
    nets: Readable,
    told: bytes,
    choices: Readable,
    seed: int,
    first: int,
    samples: int,
    exact: int,
    out: Fillable,
    parts: Fillable,
    /,
) -> None: ...
def complete(
    where: Readable,
    worth: Readable,
    nets: Readable,
    told: bytes,
    seed: int,
    samples: int,
    out: Fillable,
    wishes: Told,
    /,
) -> None: ...
def study(
    worth: Readable,
    nets: Readable,
    judges: Readable,
    seed: int,
    streets: int,
    draws: int,
    wishes: Told,
    features: Fillable,
    dense: Fillable,
    parts: Fillable,
    street: Fillable,
    /,
) -> None: ...
