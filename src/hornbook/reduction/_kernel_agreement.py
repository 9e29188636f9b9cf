"""A plot of what explicit columns make of a kernel: approximate against exact values."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.params import Floats
from hornbook.plots import agreement

__all__ = ["draw_agreement"]

MOST_ROWS = 200  # whose pairs are drawn
STEPS = 200


def draw_agreement(model: Any, rows: Floats | None, ax: Any) -> Any:
    """Draw products of the new columns against kernel values: of pairs of rows, else along one column."""
    if rows is None:
        scale = float(model.kernel_.sigma)
        rows = np.zeros((STEPS, len(model.encoded_names_)))
        rows[:, 0] = np.linspace(0, 4 * scale, STEPS)
        exact, near = (values[0] for values in _both(model, rows))
    else:
        rows = rows[:MOST_ROWS]
        pairs = np.triu_indices(len(rows))
        exact, near = (values[pairs] for values in _both(model, rows))
    ax = agreement(exact, near, ax=ax)
    ax.set(xlabel="kernel value", ylabel="scalar product of the new columns")
    return ax


def _both(model: Any, rows: Floats) -> tuple[Floats, Floats]:
    mapped = model._transform(rows)  # noqa: SLF001 - the hook of the learner, on prepared rows
    return model.kernel_.matrix(rows, rows), mapped @ mapped.T
