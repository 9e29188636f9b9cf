"""Successive halving: many settings on little evidence, fewer on more, the best one on all of it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

__all__ = ["best_by_halving", "first_least"]


def best_by_halving(
    loss_at: Callable[[int, int], float], n_settings: int, n_rungs: int, *, keep: int = 2
) -> int | None:
    """Position of the best of some settings, without trying all of them to the end.

    After each rung one of ``keep`` settings goes on to the next, those with the smallest losses (Jamieson and
    Talwalkar, AISTATS 2016). Of equal losses the first counts, so that the default should come first.

    Parameters
    ----------
    loss_at : function
        Takes a setting and a rung, both counted from 0, and returns a loss; one that is not finite counts as
        the largest. It is called for the rungs of a setting in ascending order.
    n_settings, n_rungs : int
        How many there are.
    keep : int, default 2
        One of how many settings goes on.

    Returns
    -------
    int or None
        None if no setting has a finite loss on the last rung.

    Examples
    --------
    >>> tried = []
    >>> def loss_at(setting, rung):
    ...     tried.append((setting, rung))
    ...     return [0.5, 0.2, 0.4, 0.3][setting]
    >>> best_by_halving(loss_at, 4, 3), len(tried)
    (1, 7)
    """
    alive = list(range(n_settings))
    losses: list[float] = []
    for rung in range(n_rungs):
        losses = [loss_at(setting, rung) for setting in alive]
        if rung == n_rungs - 1:
            break
        # Failed settings rank last. Jamieson and Talwalkar (2016): 1/keep of the settings survive a
        # rung.
        ranked = np.argsort(np.where(np.isfinite(losses), losses, np.inf), kind="stable")
        # Back in the order of the search: ties at later rungs go to the earlier setting.
        going_on = sorted(ranked[: math.ceil(len(alive) / keep)].tolist())
        alive = [alive[place] for place in going_on]
    best = first_least(losses)
    return None if best is None else alive[best]


def first_least(losses: list[float]) -> int | None:
    """Position of the smallest loss, the first of those equal up to rounding; None if none is finite.

    Parameters
    ----------
    losses : list of float
        The losses.

    Examples
    --------
    >>> first_least([0.3, 0.1 + 0.2 - 0.2, 0.1]), first_least([float("nan")])
    (1, None)
    """
    finite = np.where(np.isfinite(losses), losses, np.inf)
    least = finite.min() if len(finite) else np.inf
    return int(np.argmax(finite <= least + 1e-12 * abs(least))) if np.isfinite(least) else None
