"""The plain core: the functions of the native one in readable Python and NumPy, its fall-back and its oracle.

`core.py` has the functions and says in full what each takes and gives; the other modules are what they are made of, and go
by the names of the native core's headers.
"""

from ananas.solver.plain.core import (
    FEATURES,
    NET_FLOATS,
    Told,
    choices,
    complete,
    evaluate,
    evaluate_many,
    exact,
    fantasyland,
    judge,
    mean_of_draws,
    random_hands,
    rollouts,
    study,
)

__all__ = [
    "FEATURES",
    "NET_FLOATS",
    "Told",
    "choices",
    "complete",
    "evaluate",
    "evaluate_many",
    "exact",
    "fantasyland",
    "judge",
    "mean_of_draws",
    "random_hands",
    "rollouts",
    "study",
]
