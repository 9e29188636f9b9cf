"""Groups of rows that were not known before.

`KMeans` finds centers such that rows are near the center of their group.
"""

from __future__ import annotations

from hornbook.clustering._kmeans import KMeans

__all__ = ["KMeans"]
