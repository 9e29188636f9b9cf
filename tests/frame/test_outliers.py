"""Tukey's fences."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.frame import Frame, outliers


def test_fences_at_one_and_a_half_and_three_times_the_middle_half():
    # Quartiles 2 and 4 of 1, 2, 3, 4, x: the fences are 2 - 3 and 4 + 3, then 2 - 6 and 4 + 6.
    values = np.array([1.0, 2.0, 3.0, 4.0, 7.0])
    assert outliers(values).tolist() == [False] * 5
    values[-1] = 7.01
    assert outliers(values).tolist() == [False, False, False, False, True]
    assert not outliers(values, reach=3.0).any()
    assert outliers([1.0, 2.0, 3.0, 4.0, 10.01], reach=3.0).tolist()[-1]


def test_missing_is_no_outlier_and_infinity_is():
    assert outliers([1.0, np.nan, 2.0, 3.0, np.inf, -np.inf]).tolist() == [
        False,
        False,
        False,
        False,
        True,
        True,
    ]
    assert outliers([np.nan, np.nan]).tolist() == [False, False]
    assert outliers([]).tolist() == []


def test_rows_with_outliers_can_be_left_out_or_weighted_away():
    frame = Frame({"age": [30.0, 31.0, 32.0, 33.0, 400.0]})
    assert len(frame[~outliers(frame["age"])]) == 4


def test_refusals():
    with pytest.raises(ValueError, match="must be one column of numbers; got shape"):
        outliers([[1.0]])
    with pytest.raises(ValueError, match="'reach' must be a number >= 0; got -1"):
        outliers([1.0], reach=-1)
