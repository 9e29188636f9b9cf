"""Scores move by the steps of the leaves, and the pairs are the derivatives of the loss."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import _native
from hornbook.ensembles.gradient_boosting._tree_rounds import LEAST_BEND

SIZES = [1, 7, 8, 40_003]


def rows(n, *, weighted):
    draw = np.random.default_rng(n)
    scores = draw.normal(scale=4.0, size=n)
    scores[: n // 2 : 5] *= 30.0  # far out, where p rounds to 1
    leaf, steps = draw.integers(0, 5, n).astype(np.int32), draw.normal(size=5)
    return draw, scores, draw.uniform(0.5, 2.0, n) if weighted else None, leaf, steps


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("threads", "smallest"), [(1, 0.0), (2, 0.01)])
def test_log_loss(n, weighted, threads, smallest):
    draw, scores, w, leaf, steps = rows(n, weighted=weighted)
    y = draw.integers(0, 2, n).astype(np.int32)
    ours, sums, weights = scores.copy(), np.empty(n), np.empty(n)
    _native.log_loss_pairs(ours, y, w, sums, weights, leaf, steps, threads, smallest)
    np.testing.assert_array_equal(ours, scores + steps[leaf])
    factor = np.ones(n) if w is None else w
    wrong = 1.0 / (1.0 + np.exp(np.where(y == 1, ours, -ours)))  # 1 - probability of the true class
    np.testing.assert_allclose(sums, factor * np.where(y == 1, wrong, -wrong), rtol=1e-13)
    other = 1.0 / (1.0 + np.exp(np.where(y == 1, -ours, ours)))
    np.testing.assert_allclose(weights, factor * np.maximum(wrong * other, smallest), rtol=1e-13)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("weighted", [False, True])
def test_squared_error_without_steps(n, weighted):
    draw, scores, w, _, _ = rows(n, weighted=weighted)
    y, ours, sums, weights = draw.normal(size=n), scores.copy(), np.empty(n), np.empty(n)
    _native.squared_error_pairs(ours, y, w, sums, weights, None, None, 2)
    np.testing.assert_array_equal(ours, scores)
    np.testing.assert_array_equal(sums, (y - scores) * (1.0 if w is None else w))
    np.testing.assert_array_equal(weights, np.ones(n) if w is None else w)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("smallest", [0.0, 0.01])
def test_softmax(n, weighted, smallest):
    draw, scores, w, _, _ = rows(n, weighted=weighted)
    scores = np.stack([scores, draw.normal(size=n), draw.normal(size=n)])
    y, sums, weights = draw.integers(0, 3, n).astype(np.int32), np.empty((3, n)), np.empty((3, n))
    norms = np.empty(n), np.empty(n)
    _native.softmax_norms(scores, *norms, 2)
    for k in range(3):
        _native.softmax_pairs(scores[k], y, k, w, *norms, sums[k], weights[k], 2, smallest)
    p = np.exp(scores - scores.max(axis=0))
    p /= p.sum(axis=0)
    factor = np.ones(n) if w is None else w
    residual = np.eye(3)[y].T - p
    np.testing.assert_allclose(sums, factor * residual, rtol=1e-11, atol=1e-15)
    least = np.maximum(smallest, LEAST_BEND * np.abs(residual))
    np.testing.assert_allclose(weights, factor * np.maximum(p * (1.0 - p), least), rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"leaf": np.array([0, 5], dtype=np.int32)}, "leaf must hold nodes below 2"),
        ({"leaf": np.array([0, -1], dtype=np.int32)}, "leaf must hold nodes below 2"),
        ({"leaf": None}, "leaf and steps go together"),
        ({"sums": np.zeros(3)}, "sums must have one entry per row; it has 3 for 2 rows"),
        ({"w": np.ones(3)}, "w must have one entry for each row"),
    ],
)
def test_what_does_not_fit_is_refused(change, sentence):
    arguments = {
        "scores": np.zeros(2),
        "y": np.array([0, 1], dtype=np.int32),
        "w": None,
        "sums": np.zeros(2),
        "weights": np.zeros(2),
        "leaf": np.zeros(2, dtype=np.int32),
        "steps": np.zeros(2),
        "threads": 1,
    }
    with pytest.raises(ValueError, match=sentence):
        _native.log_loss_pairs(**(arguments | change))


def test_scores_and_norms_of_softmax_must_fit():
    y, row = np.zeros(2, dtype=np.int32), np.zeros(2)
    with pytest.raises(ValueError, match="all must have one entry per row; it has 3 for 2 rows"):
        _native.softmax_norms(np.zeros((2, 2)), row, np.zeros(3), 1)
    with pytest.raises(ValueError, match="top must have one entry per row; it has 3 for 2 rows"):
        _native.softmax_pairs(row, y, 0, None, np.zeros(3), row, row, row, 1)
    with pytest.raises(ValueError, match="scores must have one row per class"):
        _native.softmax_norms(np.zeros((0, 2)), row, row, 1)
