"""The distances against SciPy, scikit-learn and their formulas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import nan_euclidean_distances
from sklearn.neighbors import NearestNeighbors

import hornbook.frame._memory as memory
from hornbook.distances import (
    Gower,
    Hamming,
    Mahalanobis,
    Minkowski,
    ValueDifference,
    distance_axioms,
    distance_of,
    nearest,
    pairwise,
)

draw = np.random.default_rng(0)
X, Y = draw.normal(size=(40, 5)), draw.normal(size=(13, 5))


def test_tables_that_do_not_fit_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(memory, "_free", lambda: 8 * 40 * 13)
    assert pairwise(X, Y).shape == (40, 13)
    with pytest.raises(MemoryError, match="40 rows and 40 columns needs .* pass fewer rows as Y, or use"):
        pairwise(X)


@pytest.mark.parametrize("name", ["euclidean", "chebyshev", "hamming"])
def test_names_agree_with_scipy(name):
    scale = 5 if name == "hamming" else 1  # SciPy's is a fraction of the columns, ours a count
    np.testing.assert_allclose(pairwise(X, Y, name), scale * cdist(X, Y, name), rtol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2, 4])
def test_minkowski_and_its_weights_agree_with_scipy(p):
    w = np.array([0.1, 0.0, 0.4, 0.2, 0.3])
    np.testing.assert_allclose(pairwise(X, Y, "minkowski", p=p), cdist(X, Y, "minkowski", p=p), rtol=1e-12)
    weighted = pairwise(X, Y, Minkowski(p, weights=w))
    np.testing.assert_allclose(weighted, cdist(X, Y, "minkowski", p=p, w=w), rtol=1e-12)


def test_an_infinite_power_is_the_limit_of_large_ones():
    w = [0.5, 0.0, 0.5, 0.5, 0.5]
    np.testing.assert_allclose(
        pairwise(X, Y, Minkowski(np.inf, weights=w)), pairwise(X, Y, Minkowski(300.0, weights=w)), rtol=0.02
    )
    np.testing.assert_array_equal(pairwise(X, Y, Minkowski(np.inf)), pairwise(X, Y, "chebyshev"))


@pytest.mark.parametrize(("divisor", "ddof"), [("n", 0), ("n-1", 1)])
def test_mahalanobis_agrees_with_scipy_for_both_divisors(divisor, ddof):
    inverse = np.linalg.inv(np.cov(X.T, ddof=ddof))
    expected = cdist(X, Y, "mahalanobis", VI=inverse)
    np.testing.assert_allclose(pairwise(X, Y, Mahalanobis(divisor=divisor)), expected, rtol=1e-10)
    given_matrix = Mahalanobis(np.cov(X.T, ddof=ddof))
    assert given_matrix(X[0], Y[0]) == pytest.approx(expected[0, 0], rel=1e-10)


def test_mahalanobis_does_not_depend_on_units():
    units = np.array([1e-9, 1.0, 1e6, 1e3, 1e-4])
    distances = pairwise(X * units, Y * units, "mahalanobis")
    np.testing.assert_allclose(distances, pairwise(X, Y, "mahalanobis"), rtol=1e-8)


def test_missing_cells_are_left_out_and_the_others_count_for_them():
    holes = X.copy()
    holes[draw.random(X.shape) < 0.3] = np.nan
    holes[3] = np.nan
    expected = nan_euclidean_distances(holes, Y)
    np.testing.assert_allclose(pairwise(holes, Y), np.where(np.isnan(expected), np.inf, expected), rtol=1e-12)


def mixed():
    return pd.DataFrame(
        {
            "size": [1.0, 3.0, np.nan, 5.0],
            "grade": pd.Categorical.from_codes([0, 1, 2, 2], ["low", "mid", "high"], ordered=True),
            "color": ["red", "blue", "red", None],
        }
    )


def test_mixed_columns_by_hand():
    # size: differences of numbers; grade: 0, 1/2, 1; color: 0 or 1; missing: scaled up to three columns.
    distances = pairwise(mixed(), metric="manhattan")
    assert distances[0].tolist() == pytest.approx([0.0, 2 + 0.5 + 1, (1 + 0) * 3 / 2, (4 + 1) * 3 / 2])
    assert distances[2, 3] == 0.0  # only the grade is known in both
    assert pairwise(mixed(), metric="hamming")[0].tolist() == [0.0, 3.0, 1.5, 3.0]


def test_gower_is_the_mean_over_the_known_columns():
    distances = pairwise(mixed(), metric="gower")
    assert distances[0].tolist() == pytest.approx([0.0, (2 / 4 + 1 / 2 + 1) / 3, (1 + 0) / 2, (1 + 1) / 2])
    heavy = pairwise(mixed(), metric=Gower(weights=[2, 1, 1]))
    assert heavy[0, 1] == pytest.approx((2 * 2 / 4 + 1 / 2 + 1) / 4)
    constant = pairwise([[1.0, 0.0], [1.0, 4.0]], [[9.0, 0.0]], "gower")
    assert constant[:, 0].tolist() == [0.0, 0.5]  # a column without a range adds nothing


def test_value_difference_by_hand():
    color = [["a"], ["a"], ["b"], ["b"], ["c"], [None]]
    y = ["u", "v", "u", "u", "v", "v"]
    # P(u | a) = 1/2, P(u | b) = 1, P(u | c) = 0
    one = pairwise(color, metric=ValueDifference(p=1), y=y)
    assert one[0].tolist() == [0.0, 0.0, 1.0, 1.0, 1.0, np.inf]
    assert one[2, 4] == 2.0
    two = pairwise(color, metric="vdm", y=y)
    assert two[0, 2] == pytest.approx(np.sqrt(2 * 0.25))
    with pytest.raises(ValueError, match="pass y"):
        pairwise(color, metric="vdm")


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 1000),
    n=st.integers(1, 300),
    d=st.integers(1, 20),
    offset=st.sampled_from([0.0, 1.0, 1e9]),
    scale=st.sampled_from([1.0, 1e-150, 1e150]),
    grid=st.booleans(),
)
def test_nearest_is_exact_however_it_is_found(seed, n, d, offset, scale, grid):
    """Products in single precision must not lose a neighbor, whatever the location and scale of the data."""
    rng = np.random.default_rng(seed)
    cloud = rng.integers(0, 3, size=(n + 8, d)) * 1.0 if grid else rng.normal(size=(n + 8, d))
    cloud = (cloud + offset) * scale
    rows, queries = cloud[:n], cloud[n:]
    k = 1 + seed % n
    distances, indices = nearest(rows, queries, k)
    squares = np.zeros((8, n))
    for j in range(d):  # in the order of the columns, as the kernels add
        squares += (queries[:, j, None] - rows[None, :, j]) ** 2
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(distances, np.sqrt(np.take_along_axis(squares, order, axis=1)))


@pytest.mark.parametrize("d", [3, 30])
def test_nearest_has_the_neighbors_of_scikit_learn(d):
    rows, queries = draw.normal(size=(9000, d)), draw.normal(size=(700, d))
    distances, indices = nearest(rows, queries, 6, n_jobs=2)
    expected = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(rows).kneighbors(queries)
    np.testing.assert_allclose(distances, expected[0], rtol=1e-7)
    np.testing.assert_array_equal(indices, expected[1])
    alone = nearest(rows, queries, 6, n_jobs=1)
    np.testing.assert_array_equal(alone[0], distances)
    np.testing.assert_array_equal(alone[1], indices)


def test_a_function_is_a_distance():
    def cosine(x, y):
        return 1 - x @ y / np.sqrt((x @ x) * (y @ y))

    np.testing.assert_allclose(pairwise(X, Y, cosine), cdist(X, Y, "cosine"), atol=1e-12)
    assert nearest(X, Y, 3, cosine)[1].tolist() == np.argsort(cdist(Y, X, "cosine"))[:, :3].tolist()
    with pytest.raises(ValueError, match="takes no missing values"):
        pairwise([[np.nan]], metric=cosine)
    with pytest.raises(ValueError, match="returned NaN"):
        pairwise(X, metric=lambda x, y: np.nan * (x - y)[0])
    for wrong in ("far", None):
        with pytest.raises(ValueError, match=f"returned {wrong!r}: make it return a number"):
            pairwise(X, metric=lambda *_, wrong=wrong: wrong)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1000),
    metric=st.sampled_from(["euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower"]),
)
def test_the_distances_are_metrics(seed, metric):
    points = np.random.default_rng(seed).normal(size=(12, 3)).round(1)
    assert distance_axioms(metric, points).metric


def test_axioms_name_the_points_that_break_them():
    points = [[0.0], [1.0], [3.0]]
    assert distance_axioms(lambda x, y: (x - y)[0], points).non_negativity == (0, 1)
    assert distance_axioms(lambda x, y: (x - y)[0], points).symmetry == (0, 1)
    assert distance_axioms(lambda x, y: 0.0 * (x - y)[0], points).identity == (0, 1)
    assert distance_axioms(lambda x, y: 1.0 + 0.0 * (x - y)[0], points).identity == (0, 0)
    squared = distance_axioms(lambda x, y: float(((x - y) ** 2).sum()), points)
    assert squared.triangle == (0, 2, 1)
    assert not squared.metric
    assert str(squared) == "triangle is violated by the points 0, 2, 1."
    assert distance_axioms("manhattan", [[0.0], [0.0], [1.0]]).metric  # equal points at distance 0


def test_two_rows_of_anything():
    assert Hamming()(["a", 1, "c"], ["a", 2, "d"]) == 2.0
    assert Minkowski(1)(["a", 1.0], ["b", 4.0]) == 4.0
    assert str(Minkowski(np.inf)) == "Chebyshev distance"
    assert distance_of("vdm", 1.0) == ValueDifference(1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Minkowski(0.5), "'p' must be a number from 1"),
        (lambda: Minkowski(np.nan), "'p' must be a number from 1"),
        (lambda: Minkowski(weights=[1, -1]), "finite numbers >= 0"),
        (lambda: Minkowski(weights=[0, 0]), "not all 0"),
        (lambda: pairwise(X, metric=Minkowski(weights=[1, 1])), "each of the 5 columns; got 2"),
        (lambda: Mahalanobis(divisor="k"), "'n' or 'n-1'"),
        (lambda: Mahalanobis([[1.0, 0.0]]), "square"),
        (lambda: pairwise(X, metric=Mahalanobis(np.eye(2))), "5 x 5"),
        (lambda: pairwise([[1.0, 1.0], [1.0, 2.0]], metric="mahalanobis"), "no inverse"),
        (lambda: pairwise([[1.0]], metric=Mahalanobis(divisor="n-1")), "at least two rows"),
        (lambda: pairwise([["a"], ["b"]], metric="mahalanobis"), "categories have no covariance"),
        (lambda: pairwise([[np.nan], [1.0], [2.0]], metric="mahalanobis"), "'x0' has missing values"),
        (lambda: Mahalanobis()([0.0], [1.0]), "learns from a whole table"),
        (lambda: Gower()([0.0], [1.0]), "learns from a whole table"),
        (lambda: Hamming()([0.0], [1.0, 2.0]), "same columns"),
        (lambda: pairwise(X, metric="euclid"), "Did you mean 'euclidean'?"),
        (lambda: pairwise(X, metric=3), "got 3"),
        (lambda: pairwise([[np.inf]]), "infinity"),
        (lambda: pairwise(X, [[1.0]]), "5 features"),
        (lambda: nearest(X, Y, 41), "from 1 to the 40 rows"),
        (lambda: nearest(X, Y, 0), "from 1 to the 40 rows"),
        (lambda: pairwise(X, metric="vdm", y=[1]), "each of the 40 rows"),
        (lambda: pairwise(np.empty((0, 2))), "minimum of 1"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
