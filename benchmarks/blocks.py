"""Binned trees, forests and boosting of a file: read into memory, coded in memory, or by passes over codes.

All three give the same trees, to the last bit; the question is what the smaller memory costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import hornbook
from benchmarks._measure import Setting, alone
from benchmarks._report import Row, Table, Target, judged
from hornbook.ensembles.gradient_boosting.blocks import _block_fit
from hornbook.frame.rows import _rows
from hornbook.trees.binned import _block_grower

COLUMNS = 28
WAYS = {
    "read into memory": "read",
    "scanned, codes in memory": "scan",
    "scanned, a tenth of the codes in memory": "passes",
}


def write(path: Path, n_rows: int) -> None:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n_rows, COLUMNS)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] + X[:, 2] ** 2 - 1 + draw.normal(size=n_rows) > 0).astype(np.int8)
    table = {f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y}
    pl.DataFrame(table).write_parquet(path, row_group_size=50_000)


def learner(name: str, jobs: int) -> Any:
    if name == "tree":
        return hornbook.DecisionTreeClassifier(max_bins=255, random_state=0, n_jobs=jobs)
    if name == "boosting of 10 rounds":
        return hornbook.HistGradientBoostingClassifier(
            max_iter=10, early_stopping=False, random_state=0, n_jobs=jobs
        )
    return hornbook.RandomForestClassifier(10, max_bins=255, random_state=0, n_jobs=jobs)


def as_tuple(*arguments: Any) -> tuple[Any, ...]:
    return arguments


def fit(arguments: tuple[str, Path, str, int]) -> Any:
    way, path, name, jobs = arguments
    roles: dict[str, Any] = {"target": "y", "kinds": {"y": "nominal"}}
    if way == "read":
        return learner(name, jobs).fit(hornbook.read(path, **roles))
    blocks = hornbook.scan(path, batch_rows=50_000, **roles)
    if way == "passes":
        share = blocks.n_rows * COLUMNS // 10
        _block_grower.MEMORY_BYTES = _block_fit.MEMORY_BYTES = _rows.CARRIED = share
    return learner(name, jobs).fit(blocks)


def digest(model: Any) -> str:
    """What tells two models apart by a single bit."""
    trees = vars(getattr(model, "forest_", None) or model.nodes_)
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in trees.values())).hexdigest()


def compared(path: Path, name: str, n_rows: int, setting: Setting) -> Table:
    results = {
        who: alone(as_tuple, fit, way, path, name, setting.jobs, judge=digest) for who, way in WAYS.items()
    }
    first = results["read into memory"]
    rows = []
    for who, result in results.items():
        memory = "" if result.extra is None else f"peak memory {result.extra / 2**20:.0f} MB"
        rows.append(Row(who, result.seconds, first.seconds / result.seconds, memory))
    same = len({result.quality for result in results.values()}) == 1
    least = results["scanned, a tenth of the codes in memory"].extra
    share = None if least is None or not first.extra else least / first.extra
    targets = [Target("the same trees to the last bit", "the same" if same else "others", same)]
    if share is not None and name != "forest of 10":  # whose trees take more than the rows
        smaller = judged(setting.quick, share <= 0.5)
        targets.append(Target("passes need at most half the memory", f"{share:.2f} of it", smaller))
    return Table(f"{name}, 255 bins, {n_rows:,} x {COLUMNS} from a Parquet file", rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    n_rows = setting.size(1_000_000, 20_000)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        write(path, n_rows)
        for name in ("tree", "forest of 10", "boosting of 10 rounds"):
            yield compared(path, name, n_rows, setting)
