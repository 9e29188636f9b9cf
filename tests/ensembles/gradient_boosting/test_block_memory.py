"""Boosting from a file needs memory for a few batches of rows, however many there are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import hornbook

BATCH, COLUMNS, BATCHES = 32_768, 20, 30

PEAK = """
import sys
from pathlib import Path
import hornbook
from hornbook.trees.binned import _coded_blocks
from hornbook.frame.rows import _rows
from hornbook.trees.binned import _bins

def kilobytes(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1])

def fit(path, how):
    options = {"target": "y", "kinds": {"y": "nominal"}}
    if how == "scan":
        rows = hornbook.scan(path, batch_rows=32768, **options)
    else:
        rows = hornbook.read(path, **options)
    model = hornbook.HistGradientBoostingClassifier(max_iter=3, early_stopping=True, random_state=0, n_jobs=1)
    return model.fit(rows)

path, how, small = sys.argv[1:]
_rows.CARRIED = _coded_blocks.MEMORY_BYTES = 2**20  # codes and scores are in temporary files
_bins.SAMPLE = 20_000
fit(small, how)  # what imports and threads need
before = kilobytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # forget the highest mark so far
model = fit(path, how)
print(kilobytes("VmHWM") - before, model.validation_score_[-1].hex())
"""


def peak(path, how, warm):
    """Kilobytes that a fit needs beyond those of a fit to one batch, and its validation score."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path), how, str(warm)],
        env={**os.environ, "PYTHONPATH": str(Path(hornbook.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    kilobytes, score = done.stdout.split()
    return int(kilobytes), score


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(),
    reason="this system does not report the peak memory of a process",
)
def test_memory_is_bounded_by_the_batch(tmp_path):
    draw = np.random.default_rng(0)
    n = BATCH * BATCHES
    table = pl.DataFrame({f"x{j}": draw.normal(size=n) for j in range(COLUMNS)})
    table = table.with_columns(y=(table["x0"] + table["x1"] > pl.Series(draw.normal(size=n))).cast(pl.Int8))
    table.write_parquet(tmp_path / "large.parquet", row_group_size=BATCH)
    table[:BATCH].write_parquet(tmp_path / "small.parquet", row_group_size=BATCH)
    disk, score = peak(tmp_path / "large.parquet", "scan", tmp_path / "small.parquet")
    memory, same = peak(tmp_path / "large.parquet", "read", tmp_path / "small.parquet")
    assert score == same
    batch = BATCH * COLUMNS * 8 / 1024
    assert memory > BATCHES * batch, "all rows of the file"
    assert disk < 15 * batch  # with 50 batches, it is 11 of them, as with 20
