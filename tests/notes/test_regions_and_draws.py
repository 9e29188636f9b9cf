"""Distances, regions and draws of the notes: axioms, prototypes, starts of k-means, balanced classes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hornbook import Frame, KMeans, NaiveBayes, ThresholdMoving, UnderSampler, datasets
from hornbook.distances import Minkowski, distance_axioms, pairwise
from hornbook.frame import percent_below, percentiles
from hornbook.plots import voronoi

POINTS = [[0.0], [1.0], [3.0]]


def test_each_axiom_is_found_broken_where_it_is_and_nowhere_else():
    whole = distance_axioms(lambda a, b: abs(float(a[0] - b[0])), POINTS)
    assert (whole.non_negativity, whole.identity, whole.symmetry, whole.triangle) == (None,) * 4
    assert whole.metric
    # The square: from 0 to 3 it is 9, by way of 1 only 1 + 4.
    square = distance_axioms(lambda a, b: float(a[0] - b[0]) ** 2, POINTS)
    assert (square.non_negativity, square.identity, square.symmetry) == (None, None, None)
    assert square.triangle == (0, 2, 1)
    assert not square.metric
    # Uphill costs twice as much as downhill.
    hill = distance_axioms(lambda a, b: max(b[0] - a[0], (a[0] - b[0]) / 2), POINTS)
    assert hill.symmetry == (0, 1)
    assert (hill.non_negativity, hill.identity, hill.triangle) == (None, None, None)
    assert not hill.metric
    # Points that differ in the second coordinate alone are at distance 0.
    blind = distance_axioms(lambda a, b: abs(float(a[0] - b[0])), [[0.0, 0.0], [1.0, 0.0], [1.0, 5.0]])
    assert blind.identity == (1, 2)
    assert (blind.non_negativity, blind.symmetry, blind.triangle) == (None, None, None)
    assert not blind.metric
    # And the reverse: a distance of a point from itself.
    away = distance_axioms(lambda a, b: 1.0 + abs(float(a[0] - b[0])), POINTS)
    assert away.identity == (0, 0)
    assert away.triangle is None
    assert not away.metric
    negative = distance_axioms(lambda a, b: -abs(float(a[0] - b[0])), POINTS)
    assert negative.non_negativity == (0, 1)
    assert (negative.identity, negative.symmetry) == (None, None)
    assert not negative.metric


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 5.0, np.inf])
def test_minkowski_distances_from_one_up_are_metrics(p):
    points = np.random.default_rng(0).normal(size=(12, 3))
    assert distance_axioms(Minkowski(p), points).metric
    by_hand = np.abs(points[0] - points[1])
    expected = by_hand.max() if p == np.inf else (by_hand**p).sum() ** (1 / p)
    assert pairwise(points, metric=Minkowski(p))[0, 1] == pytest.approx(expected)


def test_minkowski_distances_below_one_are_refused_and_are_no_metric():
    corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    half = distance_axioms(lambda a, b: float((np.abs(a - b) ** 0.5).sum() ** 2), corners)
    assert half.triangle == (1, 2, 0)  # 4 from corner to corner, 1 + 1 by way of the origin
    assert (half.non_negativity, half.identity, half.symmetry) == (None, None, None)
    with pytest.raises(ValueError, match="p"):
        Minkowski(0.5)(*corners[1:])


def test_words_without_an_order_cannot_be_subtracted():
    """1 is nearer to 2 than to 3; aircraft, train and ship are no numbers, only equal or not."""
    assert pairwise([[1.0], [2.0], [3.0]])[0].tolist() == [0.0, 1.0, 2.0]
    vehicles = Frame({"by": ["aircraft", "train", "ship"]})
    assert pairwise(vehicles).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    grades = Frame({"grade": ["low", "mid", "high"]}, kinds={"grade": ["low", "mid", "high"]})
    assert pairwise(grades)[0].tolist() == [0.0, 0.5, 1.0]


def test_any_place_belongs_to_its_nearest_prototype():
    """R_i = all x with |x - p_i| <= |x - p_j|: predicted so, and drawn with borders half way."""
    melons = datasets.watermelon("4.0").features.numbers
    model = KMeans(3, init=melons[[5, 11, 23]]).fit(melons)
    places = np.random.default_rng(0).uniform(-1, 2, (500, 2))
    apart = np.linalg.norm(places[:, None] - model.cluster_centers_, axis=2)
    np.testing.assert_array_equal(model.predict(places), apart.argmin(axis=1))
    np.testing.assert_array_equal(model.predict(melons), model.labels_)
    ax = voronoi(model.cluster_centers_, melons)
    borders = [c for c in ax.collections if len(c.get_paths()) and c.get_linestyle()[0][1] is not None]
    ends = np.concatenate([path.vertices for border in borders for path in border.get_paths()])
    apart = np.sort(np.linalg.norm(ends[:, None] - model.cluster_centers_, axis=2), axis=1)
    np.testing.assert_allclose(apart[:, 0], apart[:, 1], atol=2e-5)  # as far from two of them
    assert len(ends) >= 6  # three borders


ROWS = np.array([[0.0], [1.1], [2.7], [9.0], [10.3], [14.9]])  # no row is half way between two others


def end_of(centers):
    return tuple(np.sort(np.ravel(centers)).round(9).tolist())


def lloyd(rows, centers):
    """Nearest mean and new means until nothing changes."""
    while True:
        label = np.abs(rows - centers).argmin(axis=1)
        means = np.array([rows[label == c, 0].mean() for c in range(len(centers))])
        if (means == centers).all():
            return end_of(means)
        centers = means


def ends_of(rows, k, init):
    """Where 500 fits end, each from one start."""
    fits = (KMeans(k, init=init, n_init=1, random_state=seed, tol=0.0).fit(rows) for seed in range(500))
    return [end_of(model.cluster_centers_) for model in fits]


def test_k_means_starts_at_samples_that_are_all_as_likely():
    """Each end comes up as often as the starts at three of the six samples that lead to it."""
    expected = [lloyd(ROWS, ROWS[list(start), 0]) for start in combinations(range(6), 3)]
    ends = ends_of(ROWS, 3, "random")
    assert len(set(expected)) >= 3
    assert set(ends) == set(expected)
    for end in set(expected):
        share = expected.count(end) / 20
        assert ends.count(end) / 500 == pytest.approx(share, abs=4.5 * np.sqrt(share * (1 - share) / 500))


def test_k_means_starts_at_vectors_anywhere_in_the_box():
    """Two vectors drawn evenly between the smallest and the largest row, then Lloyd's rounds."""
    rng = np.random.default_rng(0)
    rows = np.array([[0.0], [1.1], [8.2], [9.3], [17.5], [20.0]])
    expected = [lloyd(rows, np.sort(rng.uniform(0, 20, 2))) for _ in range(4000)]
    ends = ends_of(rows, 2, "uniform")
    assert set(ends) == set(expected)
    assert len(set(expected)) > 1
    for end in set(expected):
        share = expected.count(end) / 4000
        spread = np.sqrt(share * (1 - share) * (1 / 500 + 1 / 4000))
        assert ends.count(end) / 500 == pytest.approx(share, abs=4.5 * spread)


def test_the_objective_is_the_sum_of_squares_to_the_nearest_center():
    """u is 0 or 1 although any share is allowed: a share of a farther center only costs more."""
    model = KMeans(2, random_state=0).fit(ROWS)
    squares = (ROWS - model.cluster_centers_[:, 0]) ** 2
    assert model.score(ROWS) == pytest.approx(-squares.min(axis=1).sum())
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum())
    new = np.array([[4.0], [20.0]])
    assert model.score(new) == pytest.approx(-((new - model.cluster_centers_[:, 0]) ** 2).min(axis=1).sum())
    for share in np.random.default_rng(0).uniform(size=(20, 6)):
        u = np.column_stack([share, 1 - share])
        assert (u * squares).sum() >= -model.score(ROWS)


def rare(n=600):
    draw = np.random.default_rng(0)
    y = np.r_[np.ones(30, dtype=int), np.zeros(n - 30, dtype=int)]
    return draw.normal(y * 2.5, 1.0)[:, None], y


def test_without_a_factor_odds_above_one_decide():
    """The default rule: positive, the rare class, if y > 0.5, that is y / (1 - y) > 1."""
    X, y = rare()
    share = NaiveBayes().fit(X, y).predict_proba(X)[:, 1]
    plain = ThresholdMoving(NaiveBayes(), factor=[1.0, 1.0]).fit(X, y)
    np.testing.assert_array_equal(plain.predict(X) == 1, share / (1 - share) > 1)
    np.testing.assert_array_equal(plain.predict(X), NaiveBayes().fit(X, y).predict(X))
    np.testing.assert_allclose(plain.predict_proba(X)[:, 1], share, rtol=1e-9)
    assert 0 < (plain.predict(X) == 1).sum() < 30  # the rare class is called too seldom


def test_undersampling_keeps_the_rare_class_whole():
    """All 30 positives, and 30 of the 570 negatives: what is learned about the first is what it was."""
    X, y = rare()
    whole = NaiveBayes(var_smoothing=0.0).fit(X, y)
    means = []
    for seed in range(40):
        model = UnderSampler(NaiveBayes(var_smoothing=0.0), random_state=seed).fit(X, y)
        inside = model.estimator_
        assert model.after_.tolist() == [30, 30]
        np.testing.assert_allclose(inside.class_prior_, [0.5, 0.5])
        assert inside.mean_[1, 0] == pytest.approx(whole.mean_[1, 0])
        assert inside.var_[1, 0] == pytest.approx(whole.var_[1, 0])
        means.append(inside.mean_[0, 0])
    assert len(set(means)) == 40  # other negatives each time, but fair ones
    assert np.mean(means) == pytest.approx(whole.mean_[0, 0], abs=4 * np.std(means) / np.sqrt(40))


def test_percent_of_the_data_below_a_value():
    values = [30.0, 10.0, 20.0, 20.0]
    x, percent = percentiles(values)
    assert (x.tolist(), percent.tolist()) == (
        [10, 20, 20, 30],
        percent_below(values, [10, 20, 20, 30]).tolist(),
    )
    assert percent.tolist() == [0, 25, 25, 75]
