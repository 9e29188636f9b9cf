"""Fisher's objective of the notes from the rows alone: scatters, the best direction, the projection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from hornbook import LinearDiscriminant, datasets
from hornbook.linear import fisher_ratio


def melons():
    table = datasets.watermelon("3.0a")
    return table.features.numbers, table.y.astype(int)


def scatter(rows):
    """Sum of the outer products of rows with their mean taken off."""
    apart = rows - rows.mean(axis=0)
    return sum(np.outer(row, row) for row in apart)


def test_no_direction_has_a_larger_objective():
    """J = w'Bw / w'Sw with S and B from the rows; w'Sw = 1 is the form with a constraint, J its value."""
    X, y = melons()
    S = scatter(X[y == 0]) + scatter(X[y == 1])
    gap = X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0)
    B = np.outer(gap, gap)
    model = LinearDiscriminant().fit(X, y)
    w = model.direction_
    np.testing.assert_allclose(w, np.linalg.inv(S) @ gap, rtol=1e-9)
    best = (w @ B @ w) / (w @ S @ w)
    assert round(best, 5) == 0.10337
    assert model.fisher_ratio_ == pytest.approx(best)
    assert fisher_ratio(X, y, w).ratio == pytest.approx(best)
    for angle in np.linspace(0, np.pi, 181):
        other = np.array([np.cos(angle), np.sin(angle)])
        ratio = fisher_ratio(X, y, other)
        assert ratio.ratio == pytest.approx((other @ B @ other) / (other @ S @ other))
        assert ratio.ratio <= best * (1 + 1e-12)
    unit = w / np.sqrt(w @ S @ w)
    assert unit @ B @ unit == pytest.approx(best)
    assert fisher_ratio(X, y, unit).ratio == pytest.approx(best)  # the length does not matter
    np.testing.assert_allclose(B @ w, best * S @ w, rtol=1e-9)
    assert eigh(B, S, eigvals_only=True)[-1] == pytest.approx(best)


@pytest.mark.parametrize("rows", [slice(None), slice(20, 150)], ids=["as many of each", "fewer setosa"])
def test_scatter_matrices_of_three_classes(rows):
    """S_w = sum of the scatters of the classes, S_b = sum m_i (mu_i - mu)(mu_i - mu)', S_t = both."""
    table = datasets.iris()
    X, y = table.features.numbers[rows], np.asarray(table.y)[rows]
    model = LinearDiscriminant().fit(X, y)
    classes = [X[y == label] for label in model.classes_]
    within = sum(scatter(own) for own in classes)
    mean = X.mean(axis=0)
    between = sum(len(own) * np.outer(own.mean(axis=0) - mean, own.mean(axis=0) - mean) for own in classes)
    np.testing.assert_allclose(model.within_scatter_, within, rtol=1e-9)
    np.testing.assert_allclose(model.between_scatter_, between, rtol=1e-9)
    np.testing.assert_allclose(within + between, scatter(X), rtol=1e-9)


def test_projection_to_one_dimension_less_than_classes():
    """W holds the two generalized eigenvectors of S_b and S_w: no other two columns have a larger ratio."""
    table = datasets.iris()
    X, y = table.features.numbers, np.asarray(table.y)
    model = LinearDiscriminant().fit(X, y)
    within = sum(scatter(X[y == label]) for label in model.classes_)
    between = scatter(X) - within
    W, low = model.scalings_, model.transform(X)
    assert low.shape == (150, 2)
    values, vectors = eigh(between, within)
    for k in (0, 1):
        ratio = (W[:, k] @ between @ W[:, k]) / (W[:, k] @ within @ W[:, k])
        assert ratio == pytest.approx(values[-1 - k])
        along = W[:, k] / np.sqrt(W[:, k] @ within @ W[:, k])
        assert abs(along @ within @ vectors[:, -1 - k]) == pytest.approx(1.0)
    # The projected rows have the same ratio: they are W'x up to a shift.
    apart = low - low.mean(axis=0)
    np.testing.assert_allclose(apart, (X - X.mean(axis=0)) @ W, atol=1e-9)
    inside = sum(scatter(low[y == label]) for label in model.classes_)
    trace = np.trace(scatter(low) - inside) / np.trace(inside)
    weights = np.diag(W.T @ within @ W)
    assert trace == pytest.approx(values[[-1, -2]] @ weights / weights.sum())
