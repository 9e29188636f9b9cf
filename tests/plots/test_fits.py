"""Curves through points."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression

from hornbook.frame import Frame
from hornbook.plots import fits

X, Y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([0.0, 1.0, 2.0, 4.0])


def test_points_and_one_line_for_each_model():
    models = {"line": LinearRegression().fit(X, Y), "flat": LinearRegression().fit(X, 0 * Y + 3)}
    ax = fits(models, X, Y, title="two models")
    np.testing.assert_allclose(ax.collections[0].get_offsets(), np.column_stack([X[:, 0], Y]))
    assert [line.get_label() for line in ax.lines] == ["line", "flat"]
    x, line = ax.lines[0].get_data()
    np.testing.assert_allclose(line, x, atol=1e-12)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), 3)
    assert (x[0], x[-1]) == pytest.approx((-0.2, 4.2))  # a margin of 5 %
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("two models", "x", "y")


def test_the_true_function_is_drawn_too():
    ax = fits({}, X, Y, truth=lambda x: 2 * x)
    x, y = ax.lines[0].get_data()
    np.testing.assert_allclose(y, 2 * x)
    assert ax.get_legend().get_texts()[0].get_text() == "truth"
    assert fits({}, X, Y).get_legend() is None


def test_a_curve_that_shoots_off_does_not_flatten_the_rest():
    ax = fits({}, X, Y, truth=lambda x: 1e6 * x)
    assert ax.get_ylim()[1] == pytest.approx(6.0)  # half the range of y above it


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, Frame], ids=["pandas", "polars", "Frame"])
def test_tables_keep_their_names(make):
    table = make({"length": X[:, 0]})
    fitted = pd.DataFrame({"length": X[:, 0]}) if make is Frame else table
    model = LinearRegression().fit(fitted, Y)
    with warnings.catch_warnings():
        if make is Frame:  # scikit-learn's learner reads a Frame as an array without names
            warnings.simplefilter("ignore", UserWarning)
        ax = fits({"line": model}, table, Y)
    assert ax.get_xlabel() == "length"
    x, line = ax.lines[0].get_data()
    np.testing.assert_allclose(line, x, atol=1e-12)


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        ValueError, match=r"^fits: X must have 1 numeric column; got 2 numeric and 0 other columns"
    ):
        fits({}, np.zeros((4, 2)), Y)
    with pytest.raises(ValueError, match=r"one number for each of the 4 rows of X; got shape \(3,\)"):
        fits({}, X, Y[:3])
    with pytest.raises(ValueError, match="at least one row without a missing cell and no infinite cell"):
        fits({}, np.array([[np.nan]]), [1.0])
