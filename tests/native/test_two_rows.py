"""Nodes of two rows are divided without a search, exactly as a search would divide them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.native.trees import coded, grown, options

N = 40


def targets(numbers, rng):
    """Every row differs from every other, so that every split has a gain."""
    if numbers:
        return {"total": rng.normal(size=N)}
    return {"label": rng.permutation(N).astype(np.int32), "n_classes": N}


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("extra", [{}, {"random_thresholds": True}, {"max_features": 1}], ids=str)
def test_same_tree_as_by_search(numbers, weighted, extra):
    rng = np.random.default_rng(7)
    columns = rng.integers(0, 6, (3, N)).astype(np.int32)
    criterion = "squared_error" if numbers else "gini"
    target = targets(numbers, rng)
    if weighted:
        target["weight"] = rng.integers(1, 4, N).astype(np.float64)
    searched, divided = (
        grown(coded(columns), options(criterion=criterion, min_gain=least, **extra), **target)
        for least in (0.0, np.nan)  # any number asks for the gain of the split, which takes a search
    )
    assert (divided["n_rows"] == 2).any()
    for name in searched:
        np.testing.assert_array_equal(divided[name], searched[name], err_msg=name)


def test_rows_that_are_alike_stay_together():
    columns = np.array([[1, 1], [0, 0], [2, 2]], dtype=np.int32)
    tree = grown(coded(columns), options(criterion="squared_error"), total=np.array([0.0, 1.0]))
    assert tree["kind"].tolist() == [0]
