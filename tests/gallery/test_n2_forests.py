"""What the figures of note N2 about errors by number of trees show."""

from __future__ import annotations

import numpy as np

from gallery import n2_forests as shown
from hornbook import RandomForestClassifier


def curves(figure):
    [ax] = figure.axes
    assert ax.get_xlabel() == "number of trees"
    return {line.get_label(): line.get_ydata() for line in ax.lines}, ax.get_ylabel()


def test_out_of_bag_and_test_error_of_a_forest():
    lines, name = curves(shown.spam_forest())
    train, test = shown.emails()
    forest = RandomForestClassifier(shown.TREES, oob_score=True, random_state=0).fit(train)
    np.testing.assert_array_equal(lines["out of bag"], forest.oob_errors_)
    assert lines["test"][-1] == np.mean(forest.predict(test.features) != test.y)
    assert name == "share of wrong answers"
    for line in lines.values():
        assert line[-1] < np.nanmax(line[:10]) / 1.5  # it falls
        assert np.ptp(line[-50:]) < 0.01  # and levels


def test_four_ensembles_end_low():
    lines, _ = curves(shown.spam_methods())
    assert list(lines) == ["bagging", "random forest", "extra-trees", "gradient boosting"]
    assert all(len(line) == shown.TREES and line[-1] < 0.08 < line[0] for line in lines.values())
    # As in the notes: boosting is ahead of forests and bagging.
    assert lines["gradient boosting"][-1] == min(line[-1] for line in lines.values())


def test_boosting_overtakes_the_forest():
    lines, name = curves(shown.housing_methods())
    assert list(lines) == ["random forest", "boosting, depth 2", "boosting, depth 4", "boosting, depth 6"]
    assert name == "mean absolute error"
    forest = lines.pop("random forest")
    assert np.ptp(forest[-50:]) < 0.01
    for line in lines.values():
        assert line[4] > forest[4]
        assert line[-1] < forest[-1]
