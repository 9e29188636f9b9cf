"""What the figures of note N1 about Bayes classifiers and neighbors show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gallery.drawn import legend, points

from gallery import n1_bayes as shown
from hornbook import datasets


def test_the_level_curves_are_at_one_percent_of_the_peak():
    [ax] = shown.full_bayes().axes
    assert pytest.approx(3.035, abs=5e-4) == shown.ONE_PERCENT
    rest, setosa = ax.patches
    np.testing.assert_allclose(setosa.center, (5.006, 3.418), atol=1e-9)
    np.testing.assert_allclose(rest.center, (6.262, 2.872), atol=1e-9)
    # Half axes are radius times the square roots of the eigenvalues of the covariance matrix of the notes.
    variances = np.linalg.eigvalsh([[0.121764, 0.098292], [0.098292, 0.142276]])
    sides = 2 * shown.ONE_PERCENT * np.sqrt(variances)
    np.testing.assert_allclose(sorted((setosa.width, setosa.height)), sides, rtol=1e-5)
    asked = ax.lines[-1]
    assert (asked.get_xydata().tolist(), asked.get_marker()) == ([[6.75, 4.25]], "s")
    assert [len(group) for group in points(ax)] == [100, 50]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("sepal_length", "sepal_width")
    assert legend(ax) == ["rest", "setosa", "asked"]


def test_naive_ellipses_are_parallel_to_the_axes_and_full_ones_are_not():
    naive, full = shown.naive_and_full_bayes().axes
    assert [patch.angle for patch in naive.patches] == [0, 0]
    assert all(patch.angle % 90 != 0 for patch in full.patches)
    sides = [patch.width / 2 / shown.ONE_PERCENT for patch in naive.patches]
    np.testing.assert_allclose(np.square(sides), [0.434956, 0.121764], rtol=1e-5)


def test_the_circle_encloses_five_neighbors():
    [ax] = shown.nearest_neighbors().axes
    [circle] = ax.patches
    assert circle.center == (6.75, 4.25)
    assert circle.radius == pytest.approx(np.sqrt(0.965))
    ringed = points(ax)[0]
    assert len(ringed) == 5
    assert sorted(map(tuple, ringed)).count((6.7, 3.3)) == 2
    rest, setosa = (set(map(tuple, group)) for group in points(ax)[1:])
    assert [tuple(row) in setosa for row in sorted(map(tuple, ringed))] == [True, False, False, False, False]
    assert (7.2, 3.6) in rest


def test_three_species_have_two_ellipses_each_and_thirty_test_rows():
    [ax] = shown.three_species().axes
    assert len(ax.patches) == 6
    ratios = [
        outer.width / inner.width for inner, outer in zip(ax.patches[::2], ax.patches[1::2], strict=True)
    ]
    np.testing.assert_allclose(ratios, 2)
    groups = points(ax)
    assert [len(group) for group in groups] == [40, 10] * 3
    shades = [part.get_facecolor()[0][:3].tolist() for part in ax.collections]
    assert shades[1::2] == [[0, 0, 0]] * 3
    assert 1 <= int(ax.get_title().split()[0]) <= 13  # of random splits, as the notes' 8
    assert legend(ax) == ["setosa", "versicolor", "virginica"]


def test_naive_ellipses_of_the_components():
    [ax] = shown.naive_components().axes
    assert [patch.angle for patch in ax.patches] == [0] * 4
    assert [len(group) for group in points(ax)] == [80, 20, 40, 10]
    flowers = datasets.iris(view="components", positive="versicolor")
    gray = np.concatenate(points(ax)[::2])
    np.testing.assert_allclose(ax.patches[0].center, points(ax)[0].mean(axis=0))
    assert len(gray) == 120 == 0.8 * len(flowers)


def test_error_rates_of_fifty_bootstrap_samples():
    [ax] = shown.bootstrap_errors().axes
    assert sum(bar.get_height() for bar in ax.patches) == 50
    mean, variance = (float(words.split()[-1]) for words in ax.get_title().split(","))
    assert 0.2 < mean < 0.223  # 0.213 in the notes; others draws differ
    assert 2e-4 < variance < 7e-4
    middle = sum((bar.get_x() + 0.005) * bar.get_height() for bar in ax.patches) / 50
    assert middle == pytest.approx(mean, abs=0.005)
