"""The cost model of a cluster: its constants, measured passes beside simulated ones, and predictions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import hornbook
from benchmarks._measure import Setting
from benchmarks._report import Row, Table, Target, judged
from benchmarks._task_graph import simulated_pass
from benchmarks.cluster import COLUMNS, there, workers
from hornbook.cluster import ClusterCosts
from hornbook.cluster._measure import reference_pass

AGREES = 0.25  # of the measured seconds
RESULT = 8 * COLUMNS**2  # bytes of a scatter matrix
TIMES = 7
HISTOGRAMS = 16 * 256 * 32 * 16  # bytes of 16 open nodes of 28 columns
SIZES = [(10**9, 10), (10**9, 100), (10**9, 1000), (10**11, 10), (10**11, 100), (10**11, 1000)]
THREADS = 16  # of a worker


def measured_pass(rows: Any) -> float:
    """Median seconds of a pass, after a first one that is not counted."""
    rows.reduce(reference_pass)
    seconds = []
    for _ in range(TIMES):
        start = perf_counter()
        rows.reduce(reference_pass)
        seconds.append(perf_counter() - start)
    return median(seconds)


def agreement(setting: Setting, sizes: list[int]) -> Iterator[tuple[ClusterCosts, Table]]:
    """Passes on one to three workers of this machine, beside the simulation with constants of each."""
    cores = os.cpu_count() or 1
    for n_workers in (1, 2, 3):
        with workers(n_workers) as client:
            costs = hornbook.cluster.measure(client)
            lines, worst = [], 0.0
            for n_rows in sizes:
                rows = hornbook.cluster.blocks(there(client, n_rows)[0], client=client)
                seconds = measured_pass(rows)
                guess = simulated_pass(
                    costs, n_rows, n_workers=n_workers, cores=cores, result_bytes=RESULT,
                    chunk_seconds=costs.chunk_seconds,
                )  # fmt: skip
                worst = max(worst, abs(guess / seconds - 1))
                lines.append(Row(f"{n_rows:,} rows, measured", seconds))
                lines.append(Row(f"{n_rows:,} rows, simulated", guess, seconds / guess))
                del rows
        target = Target(
            f"simulated passes are within {AGREES:.0%} of the measured ones",
            f"{worst:.0%}",
            judged(setting.quick, worst <= AGREES),
        )
        yield costs, Table(f"a pass on {n_workers} workers of 1 thread, {cores} cores", lines, [target])


def predictions(costs: ClusterCosts) -> Iterator[Table]:
    """What the model says of clusters that are not here."""
    lines, boosts = [], []
    for n_rows, n_workers in SIZES:
        how = {"n_workers": n_workers, "n_threads": n_workers * THREADS}
        parts = partial(costs.parts, n_rows, result_bytes=RESULT, **how)
        seconds = costs.pass_seconds(n_rows, result_bytes=RESULT, **how)
        name = f"{n_rows:.0e} rows, {n_workers} workers of {THREADS} threads"
        shares = ", ".join(f"{part} {value:.2f} s" for part, value in parts().items())
        lines.append(Row(name, seconds, None, shares))
        boosts.append(Row(name, costs.ask_seconds(n_rows, result_bytes=HISTOGRAMS, **how)))
    yield Table("predicted: a pass by tasks, 28 columns", lines)
    yield Table("predicted: a question of boosting to residents, 16 open nodes, 28 columns", boosts)


def constants(costs: ClusterCosts) -> Table:
    """The constants as a table."""
    return Table("constants of this cluster", [Row(line) for line in str(costs).splitlines()])


def run(setting: Setting) -> Iterator[Table]:
    sizes = [setting.size(500_000, 20_000), setting.size(2_000_000, 40_000)]
    costs, tables = zip(*agreement(setting, sizes), strict=True)
    yield from tables
    yield constants(costs[-1])
    yield from predictions(costs[-1])
