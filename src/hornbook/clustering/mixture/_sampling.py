"""Random rows of a normal mixture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hornbook.clustering.mixture._components import MixtureModel, NormalComponents
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["drawn_rows"]

LABEL_STREAM = 2000  # random numbers of the components of drawn rows, and of their cells
CELL_STREAM = 2001


def drawn_rows(
    components: NormalComponents, model: MixtureModel, n: int, seed: int
) -> tuple[Floats, NDArray[np.int32]]:
    """Rows, and the components that they come from."""
    if n < 1:
        raise ValueError(
            f"Invalid value for 'n_samples': {n} . The sampling requires at least one sample: pass 1 or more."
        )
    k, d = components.means.shape
    bounds = np.cumsum(components.weights)
    places = np.searchsorted(bounds, Stream(seed, LABEL_STREAM).uniform(n) * bounds[-1], side="right")
    labels = np.minimum(places, k - 1).astype(np.int32)
    # In the middle of the steps of uniform numbers, so that none is 0 or 1.
    normal = ndtri(Stream(seed, CELL_STREAM).uniform(n * d) + 2.0**-54).reshape(n, d)
    rows = np.empty((n, d))
    for i, covariance in enumerate(model.matrices(components)):
        own = labels == i
        rows[own] = components.means[i] + normal[own] @ np.linalg.cholesky(covariance).T
    return rows, labels
