"""How many weights a network has, and how many units the number of rows allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

__all__ = ["hidden_units_estimate", "parameter_count"]

Rule = Literal["rows", "capacity", "pyramid", "kolmogorov"]


def parameter_count(sizes: Sequence[int] | int) -> int:
    """Count the weights and thresholds of a network.

    Parameters
    ----------
    sizes : sequence of int, or int
        The sizes of the layers, inputs first: each layer of k units after one of m has (m + 1) k parameters,
        so that d-q-l has (d + l + 1) q + l. A single number n means n neurons each linked with all others:
        n (n - 1) weights and n thresholds.

    Returns
    -------
    int
        The number of parameters.

    Examples
    --------
    >>> parameter_count([2, 3, 2, 1])
    20
    >>> parameter_count(5)
    25
    """
    if isinstance(sizes, int | np.integer):
        (n,) = _counts([sizes], 1)
        # Every unit is connected with every other, in both directions, and has a threshold.
        return n * (n - 1) + n
    return sum((m + 1) * k for m, k in pairwise(_counts(sizes, 2)))


def hidden_units_estimate(
    n_rows: int, n_inputs: int, n_outputs: int, *, rule: Rule = "rows", rows_per_weight: float = 10.0
) -> int:
    """Estimate how many units one hidden layer should have, before any training.

    Such estimates are static: they know nothing of the problem but its size. They give a number to start
    from; pruning and growing correct it.

    Parameters
    ----------
    n_rows, n_inputs, n_outputs : int
        Training rows, encoded columns and outputs of the network.
    rule : {"rows", "capacity", "pyramid", "kolmogorov"}, default "rows"
        ``"rows"``: as many units q as keep at least `rows_per_weight` rows for each of the
        (n_inputs + n_outputs + 1) q + n_outputs parameters (Baum and Haussler 1989: an error of e needs about
        1 / e rows for each weight). ``"capacity"``: the fewest units with which the parameters are half as
        many as rows times outputs, where Cover's theorem says that arbitrary labels can just be stored.
        ``"pyramid"``: the geometric mean of inputs and outputs (Masters 1993). ``"kolmogorov"``:
        2 n_inputs + 1, as many as represent any continuous function exactly with suitable units
        (Hecht-Nielsen 1987).
    rows_per_weight : float, default 10.0
        For ``"rows"`` only: rows for each parameter.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> hidden_units_estimate(400, 2, 1)
    9
    >>> [hidden_units_estimate(150, 4, 3, rule=rule) for rule in ("capacity", "pyramid", "kolmogorov")]
    [28, 3, 9]
    """
    rows, d, k = _counts([n_rows, n_inputs, n_outputs], 3)
    if not (math.isfinite(rows_per_weight) and rows_per_weight > 0):
        raise ValueError(
            f"hidden_units_estimate: 'rows_per_weight' must be a number > 0; got {rows_per_weight!r}."
        )
    # With h hidden units there are h (d + 1) + k (h + 1) = h (d + k + 1) + k weights, which is solved for h.
    if rule == "rows":
        units = math.floor((rows / rows_per_weight - k) / (d + k + 1))
    elif rule == "capacity":
        # Cover's counting of dichotomies (1965): a unit with m weights can store about 2 m random patterns.
        units = math.ceil((rows * k / 2 - k) / (d + k + 1))
    elif rule == "pyramid":
        # The geometric mean, so that layers shrink by the same factor from the inputs to the outputs.
        units = round(math.sqrt(d * k))
    elif rule == "kolmogorov":
        # Kolmogorov's theorem (1957) needs 2 d + 1 inner functions; it says nothing about sigmoid units, so
        # this is a rule of thumb only.
        units = 2 * d + 1
    else:
        raise ValueError(
            "hidden_units_estimate: 'rule' must be one of 'rows', 'capacity', 'pyramid', 'kolmogorov'; got "
            f"{rule!r}."
        )
    return max(1, units)


def _counts(values: Sequence[int], least: int) -> list[int]:
    """Whole numbers of at least 1."""
    counts = list(values)
    whole = all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in counts)
    if len(counts) < least or not whole or min(counts) < 1:
        raise ValueError(
            f"Sizes of a network must be whole numbers >= 1, at least {least} of them; got {counts!r}."
        )
    return [int(n) for n in counts]
