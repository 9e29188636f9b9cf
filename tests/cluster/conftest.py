"""Clusters of worker processes with one thread each."""

from __future__ import annotations

import contextlib
import warnings

import pytest
from distributed import Client, LocalCluster

from hornbook.cluster import _pieces


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Pieces of a single chunk, so that small tables are spread over all workers."""
    monkeypatch.setattr(_pieces, "LEAST", 1)


class Workers(LocalCluster):
    """On a busy machine processes take longer to end than Dask waits for, which is no failure."""

    def close(self, timeout=None):
        with contextlib.suppress(TimeoutError):
            return super().close(timeout)
        return None


def started(n_workers, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ports that are taken
        return Workers(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=":0",
            worker_dashboard_address=":0",
            **options,
        )


@pytest.fixture(scope="session")
def cluster():
    with started(2) as workers:
        yield workers


@pytest.fixture
def client(cluster):
    with Client(cluster) as connected:
        yield connected


@pytest.fixture
def other_cluster():
    """Starts clusters, and ends them after the test."""
    running = []

    def start(n_workers, **options):
        running.append(started(n_workers, **options))
        return running[-1]

    yield start
    for workers in running:
        workers.close()
