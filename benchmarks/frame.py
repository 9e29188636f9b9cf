"""From a DataFrame to numbers and codes: memory and time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from benchmarks._measure import Setting, best_of, peak_extra, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import Frame

COLUMNS = 50
CATEGORIES = 50
COPIES = 1.05
TIMES_POLARS = 2.0


def column(n_rows: int, j: int) -> np.ndarray:
    return np.random.default_rng(j).normal(size=n_rows)


def polars_table(n_rows: int) -> pl.DataFrame:
    return pl.DataFrame({f"x{j}": column(n_rows, j) for j in range(COLUMNS)})


def pandas_table(n_rows: int) -> Any:
    pandas: Any = peer("pandas")
    return pandas.DataFrame({f"x{j}": column(n_rows, j) for j in range(COLUMNS)})


TABLES = {"pandas": pandas_table, "polars": polars_table}


def to_numbers(table: Any) -> np.ndarray:
    return Frame(table).numbers


def numbers(library: str, setting: Setting) -> Table:
    n_rows = setting.size(1_000_000, 20_000)
    title = f"{library} {n_rows:,} x {COLUMNS} float64 to a row-major matrix"
    if peer(library) is None:
        return Table(title, [Row("hornbook", quality=f"{library} is not installed")])
    table = TABLES[library](n_rows)
    timed = best_of(
        {
            "hornbook": lambda: to_numbers(table),
            f"{library} to_numpy": lambda: np.ascontiguousarray(table.to_numpy()),
        },
        setting.rounds,
    )
    reference = timed[f"{library} to_numpy"]
    equal = np.array_equal(timed["hornbook"].result, reference.result)
    quality = {"hornbook": "equal numbers" if equal else "DIFFERENT NUMBERS"}
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, quality.get(who, ""))
        for who, run in timed.items()
    ]
    extra = peak_extra(TABLES[library], to_numbers, n_rows)
    if extra is None:
        memory = Target("at most one copy of the numbers", "no figure on this system", None)
    else:
        copies = extra / (n_rows * COLUMNS * 8)
        memory = Target(
            f"at most one copy of the numbers (peak extra memory, {COPIES} with small change)",
            f"{copies:.3f}",
            judged(setting.quick, copies <= COPIES),
        )
    return Table(title, rows, [memory])


def strings(n_rows: int) -> pl.DataFrame:
    labels = np.array([f"category {k}" for k in range(CATEGORIES)], dtype=object)
    return pl.DataFrame({"label": labels[np.random.default_rng(0).integers(CATEGORIES, size=n_rows)]})


def cast(table: pl.DataFrame) -> np.ndarray:
    return table["label"].cast(pl.Categorical).to_physical().to_numpy()


def codes(setting: Setting) -> Table:
    n_rows = setting.size(1_000_000, 20_000)
    table = strings(n_rows)
    timed = best_of(
        {"hornbook": lambda: Frame(table).codes, "polars cast": lambda: cast(table)},
        3 * setting.rounds,
    )
    reference = timed["polars cast"]
    times = timed["hornbook"].seconds / reference.seconds
    decoded = np.asarray(Frame(table)["label"], dtype=object)
    equal = np.array_equal(decoded, table["label"].to_numpy())
    quality = {"hornbook": "decodes to the same strings" if equal else "DECODES TO OTHER STRINGS"}
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, quality.get(who, ""))
        for who, run in timed.items()
    ]
    limit = Target(
        f"at most {TIMES_POLARS:g} times the time of polars' own cast",
        f"{times:.2f}",
        judged(setting.quick, times <= TIMES_POLARS),
    )
    return Table(f"{n_rows:,} strings of {CATEGORIES} categories to codes", rows, [limit])


def run(setting: Setting) -> Iterator[Table]:
    for library in TABLES:
        yield numbers(library, setting)
    yield codes(setting)
