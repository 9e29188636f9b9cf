"""Other columns for the same rows: fewer that say nearly as much, or those of a feature space.

`PCA` finds the directions in which the rows vary most, and `cutoff` says by one of several rules how many of
them are worth keeping. Scalar products of the columns of `RBFSampler` and `Nystroem` are nearly values of a
kernel, so that a linear model on them is nearly a kernel machine, for many rows.
"""

from __future__ import annotations

from hornbook.reduction._cutoff import cutoff
from hornbook.reduction._nystroem import Nystroem
from hornbook.reduction._pca import PCA
from hornbook.reduction._rbf_sampler import RBFSampler

__all__ = ["PCA", "Nystroem", "RBFSampler", "cutoff"]
