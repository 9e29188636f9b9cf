"""Distances to clusters and the search for medoids in the native core against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_nearest import metric, table
from tests.oracles import distances as distance_oracle
from tests.oracles import medoids as oracle

from hornbook import _native

SEEDS = st.integers(0, 10_000)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    seed=SEEDS,
    n=st.integers(1, 80),
    m=st.integers(1, 4),
    k=st.integers(1, 5),
    power=st.sampled_from([0.0, 1.0, 2.0, 3.5, np.inf]),
    statistic=st.sampled_from(["sum", "smallest", "largest"]),
    missing=st.booleans(),
    threads=st.integers(1, 3),
)
def test_distances_to_clusters_agree_with_the_twin(seed, n, m, k, power, statistic, missing, threads):
    rows, queries = table(seed, n, 2, 1, missing=missing), table(seed + 7, m, 2, 1, missing=missing)
    how = metric(seed, 2, 1, power, profiled=False)
    draw = np.random.default_rng(seed)
    labels, weights = draw.integers(0, k, n).astype(np.int32), draw.integers(1, 3, n).astype(float)
    expected = distance_oracle.pairwise(rows, queries, *how)
    ours = _native.cluster_distances(*rows, labels, weights, k, *queries, *how, statistic, threads)
    np.testing.assert_allclose(
        ours, oracle.cluster_distances(expected, labels, weights, k, statistic), rtol=1e-12
    )


@pytest.mark.parametrize(
    "kind", ["plain", "far from zero", "many repeats", "clusters far apart", "too large"]
)
@pytest.mark.parametrize(("n", "columns"), [(600, 16), (101, 33), (40, 600)])
def test_distances_of_many_columns_agree_with_the_twin(kind, n, columns):
    """Products give them where no digits cancel out, and only there."""
    draw = np.random.default_rng(columns)
    labels, weights = draw.integers(0, 3, n).astype(np.int32), draw.integers(1, 3, n).astype(float)
    numbers = draw.normal(size=(n, columns)) + labels[:, None]
    if kind == "far from zero":
        numbers += 1e6
    elif kind == "many repeats":
        numbers = numbers[draw.integers(0, 15, n)]
    elif kind == "clusters far apart":
        numbers = 1e-3 * numbers + 1e3 * labels[:, None]
    elif kind == "too large":
        numbers[:5] *= 1e155
    rows, how = (numbers, np.empty((n, 0), dtype=np.int32)), metric(0, columns, 0, 2.0, profiled=False)
    with np.errstate(over="ignore"):
        expected = np.sqrt(np.square(numbers[:, None] - numbers).sum(axis=2))
        twin = oracle.cluster_distances(expected, labels, weights, 3, "sum")
    one, more = (_native.cluster_distances(*rows, labels, weights, 3, *rows, *how, "sum", t) for t in (1, 3))
    np.testing.assert_allclose(one, twin, rtol=1e-11)
    np.testing.assert_array_equal(one, more)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    seed=SEEDS,
    n=st.integers(4, 70),
    k=st.integers(2, 4),
    power=st.sampled_from([0.0, 1.0, 2.0, 3.5, np.inf]),
    threads=st.integers(1, 3),
)
def test_a_pass_of_swaps_agrees_with_the_twin(seed, n, k, power, threads):
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(n, 2)), np.empty((n, 0), dtype=np.int32)
    weights = draw.uniform(0.5, 2.0, n) * (draw.random(n) > 0.1)
    how = metric(seed, 2, 0, power, profiled=False)
    D = distance_oracle.pairwise(rows, rows, *how)
    medoids = np.sort(draw.choice(n, k, replace=False)).astype(np.int64)
    still = int(draw.integers(0, n))
    ours = _native.swap_pass(*rows, *how, weights, medoids, still, threads)
    by_matrix = _native.matrix_swap_pass(D, weights, medoids, still, threads)
    expected = oracle.swap_pass(D, weights, medoids, still)
    assert ours[3] == pytest.approx(expected[3])
    if power > 0:  # counts tie, and which of two equal swaps is smaller depends on rounding
        assert ours[0].tolist() == expected[0]
        assert ours[1:3] == expected[1:3]
        assert by_matrix[0].tolist() == expected[0]


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=SEEDS, n=st.integers(1, 70), power=st.sampled_from([1.0, 2.0, 3.5]), threads=st.integers(1, 3))
def test_losses_of_joining_rows_agree_with_the_twin(seed, n, power, threads):
    draw = np.random.default_rng(seed)
    rows = table(seed, n, 2, 1, missing=False)
    weights, nearest = draw.integers(0, 3, n).astype(float), draw.uniform(0, 3, n)
    nearest[draw.random(n) < 0.2] = np.inf
    how = metric(seed, 2, 1, power, profiled=False)
    D = distance_oracle.pairwise(rows, rows, *how)
    expected = oracle.joining_losses(D, weights, nearest)
    np.testing.assert_allclose(_native.joining_losses(*rows, *how, weights, nearest, threads), expected)
    np.testing.assert_allclose(_native.matrix_joining_losses(D, weights, nearest, threads), expected)


def test_threads_change_no_bit():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(500, 3)), np.empty((500, 0), dtype=np.int32)
    how = metric(0, 3, 0, 2.0, profiled=False)
    medoids = np.arange(5, dtype=np.int64)
    results = [_native.swap_pass(*rows, *how, np.ones(500), medoids, 0, t) for t in (1, 2, 4)]
    for other in results[1:]:
        assert other[0].tolist() == results[0][0].tolist()
        assert other[1:] == results[0][1:]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"medoids": np.array([0], dtype=np.int64)}, "medoids must be at least two"),
        ({"medoids": np.array([0, 9], dtype=np.int64)}, "medoids must be rows from 0 to 2; got 9"),
        ({"weights": np.ones(2)}, "weights must have one entry per row"),
        ({"distances": np.ones((3, 2))}, "distances must be square"),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    good = {
        "distances": np.ones((3, 3)),
        "weights": np.ones(3),
        "medoids": np.array([0, 1], dtype=np.int64),
        "still": 0,
        "threads": 1,
    }
    _native.matrix_swap_pass(**good)
    with pytest.raises(ValueError, match=words):
        _native.matrix_swap_pass(**(good | change))


def test_labels_outside_the_clusters_are_refused():
    rows = np.zeros((2, 1)), np.empty((2, 0), dtype=np.int32)
    how = metric(0, 1, 0, 2.0, profiled=False)
    labels, weights = np.array([0, 2], dtype=np.int32), np.ones(2)
    with pytest.raises(ValueError, match="labels must be from 0 to 1; row 1 has 2"):
        _native.cluster_distances(*rows, labels, weights, 2, *rows, *how, "sum", 1)
    with pytest.raises(ValueError, match="statistic must be 'sum', 'smallest' or 'largest'"):
        _native.cluster_distances(*rows, labels, weights, 3, *rows, *how, "mean", 1)
