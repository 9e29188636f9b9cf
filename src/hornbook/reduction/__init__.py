"""Other columns for the same rows: fewer that say nearly as much, or those of a feature space.

`PCA` finds the directions in which the rows vary most, and `cutoff` says by one of several rules how many of
them are worth keeping. Scalar products of the columns of `RBFSampler` and `Nystroem` are nearly values of a
kernel, so that a linear model on them is nearly a kernel machine, for many rows.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "PCA": "_pca",
    "Nystroem": "_nystroem",
    "RBFSampler": "_rbf_sampler",
    "cutoff": "_cutoff",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
