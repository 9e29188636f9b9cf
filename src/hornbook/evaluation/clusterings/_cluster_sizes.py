"""Numbers of clusters to try."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["checked_sizes", "size_parameter"]


def size_parameter(function: str, learner: Any) -> str:
    """Return the parameter that says how many clusters a learner finds."""
    if not hasattr(learner, "fit_predict"):
        raise TypeError(f"{function}: 'learner' must be a clusterer; got {type(learner).__name__}.")
    known = learner.get_params(deep=False)
    # Mixtures call their clusters components.
    for name in ("n_clusters", "n_components"):
        if name in known:
            return name
    raise TypeError(
        f"{function}: {type(learner).__name__} has neither 'n_clusters' nor 'n_components', so the number of "
        "clusters cannot be set; choose a clusterer that takes it."
    )


def checked_sizes(function: str, sizes: Iterable[int], n_rows: int, least: int = 1) -> NDArray[np.int64]:
    """Return numbers of clusters as an array, or refuse those that cannot be."""
    counts = np.asarray(list(sizes))
    if counts.ndim != 1 or not len(counts) or counts.dtype.kind not in "iu":
        raise ValueError(f"{function}: 'sizes' must be whole numbers of clusters; got {list(counts)}.")
    if counts.min() < least or counts.max() > n_rows or (np.diff(counts) <= 0).any():
        raise ValueError(
            f"{function}: 'sizes' must ascend from at least {least} to at most the number of rows, {n_rows}; "
            f"got {counts.tolist()}."
        )
    return counts.astype(np.int64)
