"""Errors of predicted numbers, as dots and as shades."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import agreement, residuals

PICTURES = pytest.mark.parametrize("picture", [agreement, residuals])


def test_residuals_are_truth_minus_prediction_against_the_prediction():
    ax = residuals([3.0, 1.0, 2.0], [2.0, 1.5, 2.0])
    zero, dots = ax.lines
    assert set(zero.get_ydata()) == {0}
    assert dots.get_xdata().tolist() == [2.0, 1.5, 2.0]
    assert dots.get_ydata().tolist() == [1.0, -0.5, 0.0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("prediction", "truth minus prediction")


def test_agreement_shows_where_both_are_the_same():
    ax = agreement([3.0, 1.0, 2.0], [2.0, 1.5, 2.0])
    line, dots = ax.lines
    assert list(line.get_xdata()) == list(line.get_ydata()) == [1.5, 2.0]
    assert list(zip(dots.get_xdata(), dots.get_ydata(), strict=True)) == [(2.0, 3.0), (1.5, 1.0), (2.0, 2.0)]


@PICTURES
def test_rows_without_a_prediction_are_left_out(picture):
    ax = picture([1.0, 2.0, 3.0], [1.0, np.nan, 2.0])
    assert len(ax.lines[-1].get_xdata()) == 2


@PICTURES
def test_many_rows_become_shades_and_none_is_lost(picture):
    truth = np.linspace(0, 1, 5000)
    ax = picture(truth, truth**2)
    assert len(ax.lines) == 1
    assert ax.get_title(loc="right") == "5,000 rows: the darker, the more"
    (image,) = ax.images
    cells = np.asarray(image.get_array())
    seen, shift = cells[..., 3] > 0, truth - truth**2 if picture is residuals else truth
    counts, *_ = np.histogram2d(truth**2, shift, bins=(90, 60))
    np.testing.assert_array_equal(seen, counts.T > 0)
    assert cells[..., 3].argmax() == counts.T.argmax()


@PICTURES
def test_wrong_input_is_one_sentence(picture):
    with pytest.raises(ValueError, match=r"must be two columns of the same length; got .* \(2,\) and \(1,\)"):
        picture([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="no row has both a true and a predicted number"):
        picture([1.0], [np.nan])
