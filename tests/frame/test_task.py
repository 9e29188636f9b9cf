"""The target tells the task."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from hornbook.frame import Frame, detect_task


@pytest.mark.parametrize(
    ("y", "task"),
    [
        ([0, 1, 1, 0], "binary"),
        ([-1, 1, 1, -1], "binary"),
        ([-1.0, 1.0, None, -1.0], "binary"),
        ([True, False, None, True], "binary"),
        (["yes", "no", "no", "yes"], "binary"),
        (["a", "a", "a", "a"], "binary"),
        (["a", "b", "c", None], "multiclass"),
        ([1, 2, 3, 3], "multiclass"),
        ([1.0, 2.0, 3.0, 2.0], "multiclass"),
        ([1.0, 2.5, 3.0, 2.0], "regression"),
        (pd.Categorical([1.5, 2.5, 3.5, 1.5]), "multiclass"),
        (pd.Categorical(["a", "b", "a", "b"], categories=["a", "b", "c"]), "binary"),
        ([dt.date(2024, 1, day) for day in (1, 2, 1, 2)], "regression"),
    ],
)
def test_task(y, task):
    assert detect_task(Frame({"x": [1.0, 2.0, 3.0, 4.0], "y": y}, target="y")) == task


def test_twenty_whole_numbers_are_classes_and_twenty_one_are_not():
    for n, task in ((20, "multiclass"), (21, "regression")):
        assert detect_task(Frame(np.column_stack([np.zeros(n), np.arange(n)]), target=1)) == task


def test_without_a_target():
    assert detect_task(Frame({"x": [1.0]})) == "clustering"
