"""Columns against the target, and slices where a model is worse: what is there is found, noise is not."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import Frame
from hornbook.studies.explain._column_parts import column_parts
from hornbook.studies.explain._column_targets import column_targets
from hornbook.studies.explain._slices import worst_slices


def table(n_rows=2000, seed=0):
    random = np.random.default_rng(seed)
    levels = np.array(["a", "b", "c", "d"])[random.integers(0, 4, n_rows)]
    x, noise = random.normal(size=n_rows), random.normal(size=n_rows)
    return Frame({"x": x, "noise": noise, "level": levels.tolist()}), x, levels, random


def test_the_slice_with_more_errors_is_found_and_counted():
    frame, _, levels, random = table()
    errors = (random.random(2000) < np.where(levels == "c", 0.4, 0.1)).astype(float)
    (worst,) = worst_slices(frame, errors)
    assert (worst.column, worst.part, worst.n_rows) == ("level", "c", (levels == "c").sum())
    assert worst.error == pytest.approx(errors[levels == "c"].mean())
    assert worst.elsewhere == pytest.approx(errors[levels != "c"].mean())
    assert worst.p < 1e-6


def test_even_errors_have_no_slices():
    flagged = 0
    for seed in range(40):
        frame, _, _, random = table(400, seed)
        flagged += bool(worst_slices(frame, (random.random(400) < 0.2).astype(float)))
    assert flagged <= 6  # at most one in twenty is expected
    assert worst_slices(frame, np.zeros(400)) == ()
    assert worst_slices(frame, np.ones(400)) == ()


def test_the_costliest_slice_comes_first():
    frame, x, levels, random = table()
    rate = 0.05 + 0.3 * (x > np.quantile(x, 0.75)) + 0.15 * (levels == "a")
    slices = worst_slices(frame, (random.random(2000) < rate).astype(float))
    assert [s.column for s in slices[:2]] == ["x", "level"]
    costs = [s.n_rows * (s.error - s.elsewhere) for s in slices]
    assert costs == sorted(costs, reverse=True)


def test_a_column_that_explains_a_number_is_measured():
    frame, x, _, random = table()
    y = x + random.normal(size=2000)
    first, *others = column_targets(frame, y, ())
    assert first.column == "x"
    assert 0.35 < first.strength < 0.5  # half of the variance, less what is lost within eight ranges
    assert max(one.strength for one in others) < 0.01
    assert sum(first.counts) == 2000
    assert list(first.means) == sorted(first.means)


def test_columns_against_classes_name_the_positive_one():
    frame, _, levels, _ = table()
    y = (levels == "b").astype(float)
    one = column_targets(frame, y, ("no", "yes"))[0]
    assert (one.column, one.meaning) == ("level", "yes")
    assert one.strength > 0.99
    assert one.means == (0.0, 1.0, 0.0, 0.0)
    assert column_targets(frame, y, ("no", "yes"), 0)[0].means == (1.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [np.nan, np.nan, 2.0], [1.0, 2.0, np.nan]])
def test_constant_and_missing_columns_have_parts(values):
    parts = column_parts(Frame({"x": values}), 0, 4)
    assert parts.codes.min() >= 0
    assert parts.codes.max() < len(parts.names)
    assert ("missing" in parts.names) == bool(np.isnan(values).any())


def test_rare_levels_are_one_part():
    levels = [f"l{k}" for k in range(30)] + ["l3"] * 5
    parts = column_parts(Frame({"x": levels}), 0, 4)
    assert len(parts.names) == 12
    assert parts.names[-1] == "other levels"
    assert np.bincount(parts.codes)[list(parts.names).index("l3")] == 6
