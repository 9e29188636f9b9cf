"""Who fits the folds of a study: processes on this machine, or the workers of a cluster."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hornbook.params import threads
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.run._worker_pool import WorkerPool

__all__ = ["pool_of"]

CLUSTER = "hornbook.cluster._study_pool"  # imported when a study runs on a cluster
MOST = 64  # processes


def pool_of(settings: Settings, cluster: Any = None) -> WorkerPool:
    """Return those who fit the folds; they start, or connect, when they are entered.

    Parameters
    ----------
    settings : Settings
        The settings of the study.
    cluster : str or distributed.Client, optional
        The cluster; this machine when left out.

    Examples
    --------
    >>> pool_of(Settings(jobs=2)).size
    2
    """
    if cluster is None:
        available = threads(None)
        size = min(settings.jobs or available, MOST)
        return WorkerPool(size, max(1, available // size), settings.time_limit)
    if settings.jobs is not None:
        raise StudyError("jobs= is for studies on this machine; a cluster has its own workers: leave it out.")
    try:
        module = import_module(CLUSTER)
    except ModuleNotFoundError as error:
        raise StudyError(
            f"cluster= needs the package {error.name}: install Dask with pip install 'hornbook[cluster]'."
        ) from None
    pool: WorkerPool = module.ClusterPool(cluster, settings.time_limit)
    return pool
