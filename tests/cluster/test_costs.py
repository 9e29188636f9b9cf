"""What a cluster costs: the plan of a pass, the seconds that follow, and the constants behind them."""

from __future__ import annotations

import pytest
from benchmarks._task_graph import simulated_pass

from hornbook.cluster import ClusterCosts, _pieces, measure
from hornbook.cluster._costs import PassPlan

COSTS = ClusterCosts(1e-3, 1e-2, 1e-3, 1e-9, 1e-9, 2e-3)


@pytest.fixture(autouse=True)
def _usual_pieces(monkeypatch):
    monkeypatch.setattr(_pieces, "LEAST", 16)


def test_pieces_are_balanced_between_workers_and_scheduler():
    assert _pieces.piece_chunks(5_000_000, 2) == 128
    assert _pieces.piece_chunks(1000, 2) == 16
    for n_rows in (10**9, 10**10, 10**11):
        for n_threads in (16, 1600, 16_000):
            plan = PassPlan.of(n_rows, n_threads)
            assert plan.pieces < 5 * (n_rows / 4096) ** 0.5
            assert plan.levels[-1] == 1
            assert plan.tasks == plan.pieces + sum(plan.levels)


def test_passes_are_linear_in_rows_until_the_scheduler_is_busy():
    how = {"n_workers": 10, "n_threads": 10, "result_bytes": 8 * 28**2}
    one, ten = (COSTS.pass_seconds(n_rows, **how) for n_rows in (10**8, 10**9))
    assert 9 < ten / one < 11
    assert COSTS.limit(10**9, **how) == "chunks"
    many = {"n_workers": 1000, "n_threads": 16_000, "result_bytes": 8 * 28**2}
    assert COSTS.limit(10**9, **many) == "scheduler"
    assert COSTS.ask_seconds(10**9, **many) < COSTS.pass_seconds(10**9, **many)
    assert "a chunk of 4096 x 28 on a thread" in str(COSTS)


def test_the_simulation_agrees_with_the_formula_where_cores_suffice():
    for n_workers in (1, 2, 8):
        guess = simulated_pass(
            COSTS, 10**7, n_workers=n_workers, cores=n_workers, result_bytes=1000, chunk_seconds=1e-3
        )
        formula = COSTS.pass_seconds(10**7, n_workers=n_workers, n_threads=n_workers, result_bytes=1000)
        assert 0.75 < guess / formula < 1.25


def test_workers_that_share_cores_do_not_gain():
    two, four = (
        simulated_pass(COSTS, 10**7, n_workers=n, cores=2, result_bytes=1000, chunk_seconds=1e-3)
        for n in (2, 4)
    )
    assert 0.9 < four / two < 1.1


@pytest.mark.slow
def test_constants_are_measured_on_the_workers(client):
    costs = measure(client)
    assert all(value >= 0 for value in vars(costs).values())
    assert costs.chunk_seconds > 0
    assert costs.task_seconds > costs.schedule_seconds
