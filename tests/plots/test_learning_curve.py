"""Learning and validation curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import LearningCurve, ValidationCurve
from hornbook.plots import learning_curve, validation_curve

TRAIN = np.array([[0.0, 0.1, 0.2], [0.1, 0.1, 0.1]])
TEST = np.array([[0.3, 0.4, 0.8], [0.2, 0.3, 0.1]])
GROWN = LearningCurve(np.array([10, 90]), TRAIN, TEST, "error_rate", greater_is_better=False)


def tried(values):
    return ValidationCurve("depth", values, TRAIN, TEST, "error_rate", greater_is_better=False)


def lines_of(ax):
    return {line.get_label(): np.asarray(line.get_xydata()).tolist() for line in ax.lines}


def heights_of_band(ax):
    vertices = np.asarray(ax.collections[0].get_paths()[0].vertices)
    return vertices[:, 1].min(), vertices[:, 1].max()


class TestLearning:
    def test_means_and_band(self):
        ax = learning_curve(GROWN)
        lines = lines_of(ax)
        assert lines["test rows"] == pytest.approx(np.array([[10, 0.5], [90, 0.2]]))
        assert lines["training rows"] == pytest.approx(np.array([[10, 0.1], [90, 0.1]]))
        low, high = GROWN.band()
        assert heights_of_band(ax) == pytest.approx((low.min(), high.max()))
        low, high = GROWN.band(0.9)
        assert heights_of_band(learning_curve(GROWN, level=0.9)) == pytest.approx((low.min(), high.max()))
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("training rows", "error rate")

    def test_one_fold_has_no_band(self):
        one = LearningCurve(
            np.array([10, 90]), TRAIN[:, :1], TEST[:, :1], "error_rate", greater_is_better=False
        )
        assert len(learning_curve(one).collections) == 0

    def test_wrong_input_is_one_sentence(self):
        with pytest.raises(
            TypeError, match="learning_curve: 'curve' must be a LearningCurve, .*; got ValidationCurve"
        ):
            learning_curve(tried([1, 2]))


class TestValidation:
    def test_numbers_are_in_order_and_the_best_is_marked(self):
        ax = validation_curve(tried([8, 2]))
        assert lines_of(ax)["test rows"] == pytest.approx(np.array([[2, 0.2], [8, 0.5]]))
        assert ax.lines[-1].get_xdata() == [2, 2]
        assert ax.get_xscale() == "linear"
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("depth", "error rate")
        low, high = tried([8, 2]).band()
        assert heights_of_band(ax) == pytest.approx((low.min(), high.max()))

    def test_two_powers_of_ten_are_logarithmic(self):
        assert validation_curve(tried([0.1, 10.0])).get_xscale() == "log"
        assert validation_curve(tried([0.0, 10.0])).get_xscale() == "linear"

    @pytest.mark.parametrize("values", [["a", "b"], [True, False], [None, 3]])
    def test_other_values_stand_side_by_side(self, values):
        ax = validation_curve(tried(values))
        assert [text.get_text() for text in ax.get_xticklabels()] == [str(value) for value in values]
        assert lines_of(ax)["test rows"] == pytest.approx(np.array([[0, 0.5], [1, 0.2]]))
        assert ax.lines[0].get_linestyle() == "None"
        bars = ax.collections[0].get_segments()
        low, high = tried(values).band()
        np.testing.assert_allclose([bar[:, 1] for bar in bars], np.column_stack([low, high]))

    def test_wrong_input_is_one_sentence(self):
        with pytest.raises(
            TypeError, match="validation_curve: 'curve' must be a ValidationCurve, .*; got LearningCurve"
        ):
            validation_curve(GROWN)
