"""Decision boundaries of several classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.contour import ContourSet
from sklearn.base import BaseEstimator

from hornbook import SVC
from hornbook.plots import boundaries

X = np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 1.0], [3.0, 2.0]])
Y = np.array(["a", "a", "b", "b"])


class Cut(BaseEstimator):
    """Class by the place of the first column between cuts."""

    def __init__(self, *cuts):
        self.cuts = cuts

    def predict(self, X):
        return np.array(["a", "b", "c"])[np.searchsorted(self.cuts, np.asarray(X)[:, 0])]


def lines(ax):
    return [contours for contours in ax.collections if isinstance(contours, ContourSet)]


def test_a_line_where_each_model_changes_its_mind():
    ax = boundaries([Cut(1.5), Cut(2.5)], X, Y, title="two cuts")
    outlines = [np.concatenate([path.vertices for path in contours.get_paths()]) for contours in lines(ax)]
    step = 4.4 / 199  # of the grid
    for line, cut in zip(outlines, (1.5, 2.5), strict=True):
        assert abs(line[:, 0] - cut).max() < step
        assert np.ptp(line[:, 1]) == pytest.approx(2.2)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("two cuts", "x1", "x2")


def test_a_decision_function_gives_the_line_between_the_points_of_the_grid():
    class Slope(Cut):
        def decision_function(self, X):
            return np.asarray(X)[:, 0] - self.cuts[0]

    (line,) = lines(boundaries([Slope(1.7)], X, Y))
    np.testing.assert_allclose(np.concatenate([path.vertices for path in line.get_paths()])[:, 0], 1.7)


def test_three_classes_have_two_outlines_and_the_last_model_is_bold():
    ax = boundaries([Cut(1.0, 3.0)], X, Y, bold=Cut(2.0))
    thin, thin_too, bold = lines(ax)
    assert thin.get_linewidths()[0] == thin_too.get_linewidths()[0] < bold.get_linewidths()[0]


def test_a_model_that_never_changes_its_mind_has_no_line():
    assert lines(boundaries([Cut(9.0)], X, Y)) == []


def test_names_of_a_table():
    ax = boundaries([Cut(2.0)], pd.DataFrame(X, columns=["length", "width"]), Y)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")


def test_wrong_input_is_one_sentence():
    with pytest.raises(
        ValueError, match="^boundaries: X must have 2 numeric columns; got 3 numeric and 0 other"
    ):
        boundaries([], np.zeros((4, 3)), Y)
    with pytest.raises(ValueError, match=r"one class for each of the 4 rows of X; got shape \(2,\)"):
        boundaries([], X, Y[:2])


def test_models_with_names_have_lines_of_their_own_in_the_legend():
    first, second = SVC(kernel="linear").fit(X, Y), SVC(kernel="linear", C=0.01).fit(X, Y)
    ax = boundaries({"one": first, "two": second}, X, Y, bold=first, bold_color="red")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b", "one", "two"]
    colors = [part.get_edgecolor()[0].tolist() for part in ax.collections if isinstance(part, ContourSet)]
    assert len({tuple(shade) for shade in colors}) == 3
    assert colors[2] == [1, 0, 0, 1]
