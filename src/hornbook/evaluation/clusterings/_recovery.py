"""Which clusters of a clustering come out again of other rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["cluster_recovery"]


def cluster_recovery(labels: NDArray[np.int64], others: Iterable[NDArray[np.int64]]) -> Floats:
    """Return for each cluster the mean Jaccard index with the most similar one of each other labeling.

    Clusters are in the order of their labels (Hennig 2007 resamples in the same way).

    Parameters
    ----------
    labels : ndarray of int of shape (n_rows,)
        The clusters in question.
    others : iterable of ndarray of int of shape (n_rows,)
        Labels of the same rows by models that were fitted to other rows.
    """
    names, mine = np.unique(labels, return_inverse=True)
    means = []
    for other in others:
        kinds, theirs = np.unique(other, return_inverse=True)
        # A contingency table by one bincount; Hennig (2007) calls the mean of these maxima
        # clusterwise stability, with 0.75 as the usual bar.
        both = np.bincount(mine * len(kinds) + theirs, minlength=len(names) * len(kinds))
        both = both.reshape(len(names), len(kinds))
        either = both.sum(axis=1, keepdims=True) + both.sum(axis=0) - both
        means.append((both / either).max(axis=1))
    return np.mean(means, axis=0) if means else np.full(len(names), np.nan)
