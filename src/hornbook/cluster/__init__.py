"""The same learners, and the same results to the last bit, on the workers of a Dask cluster.

`blocks` makes Blocks of a Dask DataFrame or Array, `scan` of files that workers read; every learner that
learns from Blocks learns from these. Dask collections can also be passed to ``fit`` and ``predict`` as they
are. Rows stay on the workers: what comes back is sums over them.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "ClusterCosts": "_costs",
    "LostClusterError": "_faults",
    "blocks": "_blocks",
    "connected": "_connection",
    "file_parts": "_file_parts",
    "measure": "_measure",
    "scan": "_scan",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
