"""Samples drawn again, weighted, permuted, and the density of an estimate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from tests.plots.layout import complaints

from hornbook import DecisionStump, datasets, plots

TEN = datasets.boosting_points()


def test_resamples_have_a_dot_for_each_row_that_was_drawn():
    counts = np.array([[1, 1, 1, 1], [2, 0, 2, 0]])
    ax = plots.resamples(counts, ["table", "sample"], title="drawn with replacement")
    dots, crosses = ax.collections
    assert dots.get_offsets().tolist() == [[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [2, 1]]
    assert dots.get_sizes().tolist() == [110] * 4 + [220] * 2  # areas in proportion
    assert crosses.get_offsets().tolist() == [[1, 1], [3, 1]]
    assert [text.get_text() for text in ax.texts][-2:] == ["0 out of bag", "2 out of bag"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["table", "sample"]
    assert complaints(ax) == []


def test_areas_are_weights_and_errors_have_a_black_edge():
    stump = DecisionStump(criterion="misclassification").fit(TEN.features, TEN.y)
    weights = np.arange(1.0, 11.0)
    ax = plots.weighted_points(TEN.features, TEN.y, weights, model=stump, title="step 1")
    blue, red = ax.collections[-2:]
    areas = np.concatenate([blue.get_sizes(), red.get_sizes()])
    np.testing.assert_allclose(areas / areas.sum(), weights / weights.sum())
    black = np.concatenate([dots.get_edgecolors()[:, :3].sum(axis=1) == 0 for dots in (blue, red)])
    assert black.tolist() == (stump.predict(TEN.features) != TEN.y).tolist()
    assert black.sum() == 2
    line = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(line[:, 1], 1.0, atol=0.06)  # x2 <= 1, up to the grid
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("x1", "x2", "step 1")
    assert complaints(ax) == []


def test_thresholds_are_midpoints_and_the_chosen_one_is_bold():
    ax = plots.thresholds(TEN.features, TEN.y, 1, chosen=1.0)
    values = np.unique(TEN.numbers[:, 1])
    assert [line.get_ydata()[0] for line in ax.lines] == ((values[1:] + values[:-1]) / 2).tolist()
    assert [line.get_ydata()[0] for line in ax.lines if line.get_linewidth() > 1] == [1.0]
    ax = plots.thresholds(TEN.features, TEN.y, 0, errors=np.arange(6.0))
    assert [text.get_text() for text in ax.texts] == ["0", "1", "2", "3", "4", "5"]
    assert [text.get_position()[0] for text in ax.texts] == [line.get_xdata()[0] for line in ax.lines]
    assert complaints(ax) == []


def test_pairs_have_their_coefficients_above_them():
    ax = plots.pairs([1, 2, np.nan], [3, 4, 5], coefficients={"r": 1.0, "tau": -0.25}, names=("a", "b"))
    assert ax.lines[0].get_xydata().tolist() == [[1, 3], [2, 4]]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("r = 1, tau = -0.25", "a", "b")
    assert complaints(ax) == []


@pytest.mark.parametrize("side", ["less", "greater"])
def test_areas_beyond_a_point_are_tails_of_the_normal_distribution(side):
    ax = plots.estimator_density([130.0, 131.0], 1.08, 128.2, side=side, name="mean")
    tail = norm.cdf if side == "less" else norm.sf
    wanted = [f"true value {m}: area {tail((128.2 - m) / 1.08):.3g}" for m in (130, 131)]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [*wanted, "critical value 128.2"]
    x, density = ax.lines[1].get_data()
    np.testing.assert_allclose(density, norm.pdf(x, 131, 1.08))
    area = ax.collections[0].get_paths()[0].vertices
    assert (area[:, 0].max() if side == "less" else area[:, 0].min()) == 128.2
    assert complaints(ax) == []


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.resamples([[0.5]]), r"a table of counts.* got float64 of shape \(1, 1\)"),
        (lambda: plots.resamples([[1]], ["a", "b"]), "a name for each of the 1 samples; got 2"),
        (
            lambda: plots.weighted_points(TEN.features, TEN.y, [1.0]),
            r"one number for each of the 10 .*\(1,\)",
        ),
        (lambda: plots.weighted_points(TEN.features, TEN.y, [0.0] * 10), "not all 0"),
        (lambda: plots.thresholds(TEN.features, TEN.y, 2), "'column' must be 0 or 1; got 2"),
        (lambda: plots.thresholds(TEN.features, TEN.y, 0, errors=[1.0]), "each of the 6 thresholds; got 1"),
        (lambda: plots.pairs([1.0], [1.0, 2.0]), "two columns of the same length"),
        (lambda: plots.estimator_density([1.0], 0.0, 1.0), "'error' positive"),
        (lambda: plots.estimator_density([1.0], 1.0, 1.0, side="both"), "'less' or 'greater'; got 'both'"),
    ],
)
def test_wrong_input_is_one_sentence(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
