"""Promises about speed, measured against the library whose work it is."""

from __future__ import annotations

import time

import numpy as np
import polars as pl
import pytest

from hornbook.frame import Frame


def least_time(function, times: int = 7) -> float:
    seconds = []
    for _ in range(times):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return min(seconds)


@pytest.mark.slow
def test_a_million_words_become_codes_in_twice_the_time_of_polars():
    words = np.array([f"category {i:02d}" for i in range(50)])
    table = pl.DataFrame({"a": words[np.random.default_rng(0).integers(0, 50, 1_000_000)]})
    ours = least_time(lambda: Frame(table))
    theirs = least_time(lambda: table.with_columns(pl.col("a").cast(pl.Categorical)))
    assert ours < 2.0 * theirs + 0.005


@pytest.mark.slow
def test_a_million_rows_are_profiled_in_a_few_seconds():
    frame = Frame(np.random.default_rng(0).standard_normal((1_000_000, 50)))
    start = time.process_time()
    profile = frame.profile()
    assert time.process_time() - start < 15.0
    assert profile.n_rows == 1_000_000
    assert profile.findings == ()
