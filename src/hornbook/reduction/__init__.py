"""Fewer columns that say nearly as much.

`PCA` finds the directions in which the rows vary most, and `cutoff` says by one of several rules how many of
them are worth keeping.
"""

from __future__ import annotations

from hornbook.reduction._cutoff import cutoff
from hornbook.reduction._pca import PCA

__all__ = ["PCA", "cutoff"]
