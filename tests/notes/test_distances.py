"""The distances of the notes, by their formulas and examples."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import Frame
from hornbook.distances import Hamming, Mahalanobis, Minkowski, distance_axioms, pairwise

x, y = [1.0, 2.0, 0.0], [4.0, 0.0, 0.0]


def test_minkowski_family():
    assert Minkowski(1)(x, y) == 5.0
    assert Minkowski(2)(x, y) == pytest.approx(np.sqrt(13))
    assert Minkowski(3)(x, y) == pytest.approx(35 ** (1 / 3))
    assert Minkowski(np.inf)(x, y) == 3.0


def test_weights_stand_inside_the_root_and_are_not_powered():
    w = [0.5, 0.3, 0.2]
    assert Minkowski(2, weights=w)(x, y) == pytest.approx(np.sqrt(0.5 * 9 + 0.3 * 4))


def test_l0_counts_and_is_hamming_for_binary_vectors():
    assert Hamming()(x, y) == 2.0
    assert Hamming()([1, 0, 1, 1, 0], [0, 0, 1, 0, 1]) == 3.0


def test_mahalanobis_divides_by_the_number_of_points():
    points = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 4.0], [2.0, 4.0]])
    # Scatter / 4 is diag(1, 4), so the distance of the corners is sqrt(2²/1 + 4²/4).
    assert pairwise(points, metric=Mahalanobis())[0, 3] == pytest.approx(np.sqrt(8))
    assert pairwise(points, metric=Mahalanobis(divisor="n-1"))[0, 3] == pytest.approx(np.sqrt(6))


def test_axioms():
    corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    for p in (1, 1.5, 2, np.inf):
        assert distance_axioms(Minkowski(p), corners).metric
    # Below p = 1 the triangle inequality fails, which is why p >= 1 is asked for.
    half = distance_axioms(lambda a, b: float((np.abs(a - b) ** 0.5).sum() ** 2), corners)
    assert half.triangle is not None
    assert half.symmetry is None


def test_an_ordered_domain_has_distances_and_an_unordered_one_has_not():
    """In {1, 2, 3} 1 is nearer to 2 than to 3; aircraft, train and ship are all equally far apart."""
    ordered = pairwise([[1.0], [2.0], [3.0]])
    assert ordered[0, 1] < ordered[0, 2]
    vehicles = pairwise([["aircraft"], ["train"], ["ship"]])
    assert vehicles[0].tolist() == [0.0, 1.0, 1.0]
    grades = Frame({"grade": ["low", "mid", "high"]}, kinds={"grade": ["low", "mid", "high"]})
    assert pairwise(grades)[0].tolist() == [0.0, 0.5, 1.0]
