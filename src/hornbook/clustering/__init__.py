"""Groups of rows that were not known before.

`KMeans` finds centres such that rows are near the centre of their group.
"""

from __future__ import annotations

from hornbook.clustering._kmeans import KMeans

__all__ = ["KMeans"]
