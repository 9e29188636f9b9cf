"""Measures of fuzzy clusters: known values, extremes, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import FuzzyCMeans, datasets
from hornbook.evaluation import partition_coefficient, partition_entropy, xie_beni

IRIS = datasets.iris().numbers


def test_extremes():
    hard, even = np.eye(4), np.full((6, 4), 0.25)
    assert partition_coefficient(hard) == partition_coefficient(hard, normalized=True) == 1.0
    assert partition_coefficient(even) == 0.25
    assert partition_coefficient(even, normalized=True) == pytest.approx(0.0)
    assert partition_entropy(hard) == 0.0
    assert partition_entropy(even) == pytest.approx(np.log(4))
    assert partition_entropy(even, base=2) == pytest.approx(2.0)
    assert partition_coefficient(np.ones((3, 1)), normalized=True) == 1.0


def test_iris_in_two_and_three_clusters():
    """All three prefer two clusters of iris, as the literature reports for them."""
    two, three = (FuzzyCMeans(k, random_state=0, tol=1e-6).fit(IRIS) for k in (2, 3))
    values = []
    for model in (two, three):
        u, centers = model.memberships_, model.cluster_centers_
        values.append((partition_coefficient(u), -partition_entropy(u), -xie_beni(IRIS, u, centers)))
        gap = min(np.sum((a - b) ** 2) for i, a in enumerate(centers) for b in centers[:i])
        assert xie_beni(IRIS, u, centers) == pytest.approx(model.objective_ / (150 * gap))
    assert np.greater(*values).all()
    assert round(values[0][0], 3) == 0.892
    assert round(values[1][0], 3) == 0.783


def test_coinciding_centers_are_infinitely_bad():
    assert xie_beni([[0.0], [1.0]], [[0.5, 0.5], [0.5, 0.5]], [[0.5], [0.5]]) == np.inf


def test_fuzzifier_of_xie_beni():
    u, centers = [[0.5, 0.5], [1.0, 0.0]], [[0.0], [2.0]]
    assert xie_beni([[1.0], [0.0]], u, centers) == pytest.approx(0.5 / (2 * 4))
    assert xie_beni([[1.0], [0.0]], u, centers, fuzzifier=3.0) == pytest.approx(0.25 / (2 * 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: partition_coefficient([[0.5, 0.2]]), "with sum 1 in each row"),
        (lambda: partition_entropy([[1.5, -0.5]]), "numbers from 0 to 1"),
        (lambda: partition_entropy(np.empty((0, 2))), r"got shape \(0, 2\)"),
        (lambda: partition_coefficient([[np.nan, 1.0]]), "numbers from 0 to 1"),
        (lambda: partition_entropy([[1.0]], base=1.0), "'base' must be above 1"),
        (lambda: xie_beni([[1.0]], [[1.0], [1.0]], [[0.0]]), "'X' must have one row of finite numbers"),
        (lambda: xie_beni([[1.0]], [[1.0]], [[0.0]]), "'centers' must be .* at least two"),
        (
            lambda: xie_beni([[1.0]], [[0.5, 0.5]], [[0.0], [1.0]], fuzzifier=0.5),
            "'fuzzifier' must be at least",
        ),
        (lambda: xie_beni([[np.nan]], [[0.5, 0.5]], [[0.0], [1.0]]), "leave out rows that lack a value"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
