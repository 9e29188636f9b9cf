"""Small sets of points: what the notes say about them, and the two files of the repository."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from hornbook.datasets import boolean, boosting_points, butterfly, glass, margin_points, spam


def separable(frame, positive):
    """Whether a line has the classes on its two sides: is there w, b with y (wx + b) >= 1?"""
    y = np.where(frame.y == positive, 1.0, -1.0)
    A = -y[:, None] * np.column_stack([frame.features.matrix, np.ones(len(y))])
    return linprog(np.zeros(3), A, -np.ones(len(y)), bounds=(None, None)).status == 0


@pytest.mark.parametrize(
    ("function", "operation", "answer"),
    [("xor", np.logical_xor, False), ("and", np.logical_and, True), ("or", np.logical_or, True)],
)
def test_boolean_functions(function, operation, answer):
    frame = boolean(function)
    x1, x2 = frame.features.matrix.T
    assert sorted(zip(x1, x2, strict=True)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    np.testing.assert_array_equal(frame.y == "A", operation(x1, x2))
    assert separable(frame, "A") is answer


def test_the_widest_margin_is_that_of_the_notes():
    frame = margin_points("separable")
    X, y = frame.features.matrix, frame.y
    limits = {"type": "ineq", "fun": lambda w: y * (X @ w[:2] + w[2]) - 1}
    w = minimize(lambda w: w[:2] @ w[:2], [1.0, 1.0, -4.0], constraints=limits).x
    np.testing.assert_allclose(w, [5 / 6, 1 / 3, -10 / 3], atol=1e-5)
    on_margin = np.flatnonzero(np.isclose(y * (X @ [5 / 6, 1 / 3] - 10 / 3), 1))
    assert (on_margin + 1).tolist() == [1, 2, 4, 13, 14]


def test_the_slacks_are_those_of_the_notes():
    frame = margin_points("overlapping")
    X, y = frame.features.matrix, frame.y
    slack = np.maximum(0, 1 - y * (X @ [5 / 6, 1 / 3] - 10 / 3))
    np.testing.assert_allclose(slack[14:], [1 / 3, 5 / 3, 5 / 6, 17 / 6])
    np.testing.assert_allclose(slack[:14], 0, atol=1e-12)
    np.testing.assert_array_equal(X[:14], margin_points().features.matrix)
    assert not separable(frame, 1)


def test_six_support_vectors_lie_on_the_margin_of_the_ellipse():
    frame = margin_points("ellipse")
    X, y = frame.features.matrix, frame.y
    # All six on the margin: sum_j alpha_j y_j K_ij + b = y_i, and the alpha_j y_j sum to 0.
    system = np.block([[(1 + X @ X.T) ** 2, np.ones((6, 1))], [np.ones((1, 6)), np.zeros((1, 1))]])
    *signed, b = np.linalg.solve(system, [*y, 0])
    np.testing.assert_allclose(signed * y, [0.6201, 2.0705, 3.8051, 0.3184, 2.9615, 3.8526], atol=1e-4)
    assert b == pytest.approx(8.846, abs=5e-4)


def test_three_stumps_of_boosting_have_the_printed_errors():
    frame = boosting_points()
    y = np.where(frame.y == "blue", 1, -1)
    x1, x2 = frame.features.matrix.T
    stumps = [np.where(x2 <= 1, -1, 1), np.where(x1 <= -2, 1, -1), np.where(x1 <= 2, 1, -1)]
    w, score = np.ones(10), np.zeros(10)
    for stump, error, alpha in zip(stumps, (0.2, 0.1875, 0.115385), (0.6931, 0.7332, 1.0184), strict=True):
        e = w[stump != y].sum() / w.sum()
        weight = np.log((1 - e) / e) / 2
        assert e == pytest.approx(error, abs=5e-7)
        assert weight == pytest.approx(alpha, abs=5e-5)
        score += weight * stump
        w *= np.exp(-weight * y * stump)
        w *= 10 / w.sum()
    assert (np.sign(score) == y).all()


def test_the_butterfly_is_its_own_mirror_image():
    points = {tuple(point) for point in butterfly().matrix.tolist()}
    assert len(points) == 15
    assert {(6 - x, y) for x, y in points} == {(x, 4 - y) for x, y in points} == points
    assert (3, 2) in points


def test_glass_and_spam_are_whole():
    pieces, emails = glass(), spam()
    labels, counts = np.unique(pieces.y.astype(str), return_counts=True)
    assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == {
        "1": 70, "2": 76, "3": 17, "5": 13, "6": 9, "7": 29,
    }  # fmt: skip
    assert pieces.features.matrix.shape == (214, 9)
    assert pieces["RI"].mean() == pytest.approx(1.5184, abs=5e-5)
    assert pieces["Si"].mean() == pytest.approx(72.6509, abs=5e-5)
    assert (emails.y == "spam").mean() == pytest.approx(0.3940, abs=5e-5)
    assert emails["capitalAve"].mean() == pytest.approx(5.1915, abs=5e-5)
    assert emails["capitalTotal"].max() == 15841
    assert set(emails.features.schema.kinds) == {"numeric"}
    assert not np.isnan(emails.features.matrix).any()
