"""From ``random_state`` to one seed."""

from __future__ import annotations

import numpy as np

__all__ = ["seed_of"]

_SEEDS = 2**64


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Turn ``random_state`` into a seed.

    Parameters
    ----------
    random_state : int, RandomState or None
        An integer is the seed itself. A RandomState gives one draw, so that each use of it differs.
        None gives one of NumPy's global state, as in scikit-learn: a fresh one in each process, unless
        ``numpy.random.seed`` was called.

    Returns
    -------
    int
        A seed in [0, 2**64).

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if random_state is None:
        return int(np.random.randint(0, _SEEDS, dtype=np.uint64))  # noqa: NPY002 - scikit-learn's convention
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, _SEEDS, dtype=np.uint64))
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer):
        raise TypeError(
            f"random_state must be an integer, a numpy.random.RandomState or None; got {random_state!r}."
        )
    if not 0 <= random_state < _SEEDS:
        raise ValueError(f"random_state must be an integer in [0, 2**64); got {random_state}.")
    return int(random_state)
