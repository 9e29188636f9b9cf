"""From a CSV file to a Frame, against polars alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import NaiveBayes, read, scan

COLUMNS = 20
TIMES_POLARS = 1.5


def write(path: Path, n_rows: int) -> None:
    draw = np.random.default_rng(0)
    table = pl.DataFrame({f"x{j}": draw.normal(size=n_rows) for j in range(COLUMNS)})
    table.with_columns(y=pl.Series(draw.integers(0, 3, n_rows))).write_csv(path)


def reading(path: Path, n_rows: int, setting: Setting) -> Table:
    timed = best_of({"hornbook": lambda: read(path), "polars": lambda: pl.read_csv(path)}, setting.rounds)
    frame, table = timed["hornbook"].result, timed["polars"].result
    equal = all(np.array_equal(frame.column(name), table[name].to_numpy()) for name in table.columns)
    times = timed["hornbook"].seconds / timed["polars"].seconds
    quality = {"hornbook": "equal numbers" if equal else "DIFFERENT NUMBERS"}
    rows = [
        Row(who, run.seconds, timed["polars"].seconds / run.seconds, quality.get(who, ""))
        for who, run in timed.items()
    ]
    limit = Target(
        f"at most {TIMES_POLARS:g} times the time of polars alone",
        f"{times:.2f}",
        judged(setting.quick, times <= TIMES_POLARS),
    )
    return Table(f"CSV with {n_rows:,} rows and {COLUMNS + 1} columns to a Frame", rows, [limit])


def fitting(path: Path, n_rows: int, setting: Setting) -> Table:
    """No target: what a file larger than memory costs beside one that is not."""
    timed = best_of(
        {
            "from memory": lambda: NaiveBayes(n_jobs=setting.jobs).fit(read(path, "y")),
            "from disk": lambda: NaiveBayes(n_jobs=setting.jobs).fit(scan(path, "y", n_jobs=setting.jobs)),
        },
        setting.rounds,
    )
    memory = timed["from memory"]
    equal = np.array_equal(memory.result.mean_, timed["from disk"].result.mean_)
    quality = {"from disk": "equal to the last bit" if equal else "DIFFERENT MODEL"}
    rows = [
        Row(who, run.seconds, memory.seconds / run.seconds, quality.get(who, ""))
        for who, run in timed.items()
    ]
    return Table(f"naive Bayes of a CSV with {n_rows:,} rows", rows)


def run(setting: Setting) -> Iterator[Table]:
    n_rows = setting.size(1_000_000, 20_000)
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        write(path, n_rows)
        yield reading(path, n_rows, setting)
        yield fitting(path, n_rows, setting)
