"""Counting what hyperplanes can do: formulas against each other and against points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

from hornbook import datasets
from hornbook.concepts import (
    capacity_curve,
    dichotomies,
    hypothesis_space_size,
    in_general_position,
    instance_space_size,
    linear_dichotomies,
    linearly_separable,
    separable_probability,
)

SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
ON_A_LINE = [[0, 0], [1, 1], [2, 2], [0, 1]]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(n=st.integers(1, 60), d=st.integers(1, 20))
def test_the_recursion_of_the_theorem(n, d):
    # A further point splits those groupings in which a hyperplane can go through it.
    assert dichotomies(n + 1, d + 1) == dichotomies(n, d + 1) + dichotomies(n, d)
    assert n > d + 1 or dichotomies(n, d) == 2**n
    assert separable_probability(2 * (d + 1), d) == 0.5


def test_probabilities_of_very_many_points():
    assert separable_probability(1, 5) == 1.0
    assert separable_probability(5000, 10) < 1e-300
    assert separable_probability(4000, 1999) == 0.5


@pytest.mark.parametrize(("n", "d"), [(3, 2), (4, 2), (5, 2), (4, 3), (5, 3), (6, 3), (4, 1)])
def test_points_in_general_position_are_split_as_often_as_the_theorem_says(n, d):
    points = np.random.default_rng(n * 10 + d).normal(size=(n, d))
    assert in_general_position(points)
    assert linear_dichotomies(points).count == dichotomies(n, d)


def test_points_on_a_line_are_split_less_often():
    assert in_general_position(ON_A_LINE).groups.tolist() == [[0, 1, 2]]
    assert linear_dichotomies(ON_A_LINE).count == 12


@pytest.mark.parametrize("points", [SQUARE, SQUARE[:3]])
def test_all_groupings_are_drawn_with_a_line_for_each_that_has_one(points):
    """Four or three points in the plane: one line fewer than splits, since one split needs none."""
    groupings = linear_dichotomies(points)
    ax = groupings.plot()
    dots, *drawn = ax.lines
    assert dots.get_xydata().tolist() == points
    assert len(drawn) == groupings.separable.sum() - 1 == (6 if len(points) == 4 else 3)
    assert [text.get_text() for text in ax.texts] == list(groupings.names)
    for side, w, t in zip(groupings.sides, groupings.weights, groupings.thresholds, strict=True):
        if w.any():
            assert ((np.array(points) @ w > t) == side).all()
    assert ax.get_title().startswith(f"{groupings.count} of {2 ** len(points)} labelings")


def test_a_hyperplane_keeps_away_from_the_points():
    """In the middle of two squares of side 1 that are 2 apart, each in a range of 4."""
    square, aside = np.array(SQUARE, dtype=float), np.array([3.0, 0.0])
    separation = linearly_separable(np.concatenate([square, square + aside]), np.repeat([0, 1], 4))
    np.testing.assert_allclose(separation.weights, [1.0, 0.0], atol=1e-9)
    assert separation.threshold == pytest.approx(2.0)


def test_points_that_share_a_line_are_drawn_with_it():
    apart, together = in_general_position(SQUARE).plot(), in_general_position(ON_A_LINE).plot()
    assert (len(apart.lines), len(together.lines)) == (1, 2)
    assert (apart.get_title(), together.get_title()) == ("in general position", "not in general position")
    start, stop = together.lines[1].get_xy1(), together.lines[1].get_xy2()
    assert start[0] == pytest.approx(start[1])
    assert stop[0] == pytest.approx(stop[1])


@pytest.mark.parametrize("made", [linear_dichotomies, in_general_position])
def test_only_points_of_the_plane_are_drawn(made):
    with pytest.raises(ValueError, match="points of 3 columns cannot be drawn: take two columns"):
        made(np.eye(3)).plot()


@pytest.mark.parametrize(
    ("points", "general"),
    [
        ([[0.0, 0.0]], True),
        ([[0.0, 0.0], [0.0, 0.0]], False),
        ([[0.0, 0.0], [1e9, 1.0]], True),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2]], False),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], False),
        ([[1.0], [2.0], [2.0]], False),
        ([[1.0], [2.0], [3.0]], True),
        ([[0, 0], [1, 1e-3], [2, 2e-3 + 1e-9]], True),
        ([[0, 5], [1, 5], [2, 5]], False),
    ],
)
def test_general_position(points, general):
    assert bool(in_general_position(points)) == general


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 30),
    d=st.integers(1, 4),
    scale=st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_a_hyperplane_that_is_found_splits_and_one_that_exists_is_found(seed, n, d, scale):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * scale + rng.normal() * scale
    y = rng.integers(0, 2, n)
    if seed % 2:
        w = rng.normal(size=d)
        margin = X @ w - np.median(X @ w)
        X, y = X[np.abs(margin) > 1e-3 * scale], (margin > 0)[np.abs(margin) > 1e-3 * scale]
        assume(len(y) > 0)
    separation = linearly_separable(X, y)
    if separation:
        np.testing.assert_array_equal(
            X @ separation.weights > separation.threshold, y == max(y.tolist(), default=0)
        )
    else:
        assert seed % 2 == 0
        assert LinearSVC(C=1e6, max_iter=20_000, dual=False).fit(X, y).score(X, y) < 1


def test_boolean_functions():
    for name, can in (("and", True), ("or", True), ("xor", False)):
        table = datasets.boolean(name)
        assert bool(linearly_separable(table.features, table.y)) == can
    iris = datasets.iris()
    assert linearly_separable(iris.features, iris.y == "setosa")
    assert not linearly_separable(iris.features, iris.y == "versicolor")
    assert linearly_separable([[1.0], [2.0]], ["a", "a"])
    assert not linearly_separable([[1.0], [1.0], [2.0]], [0, 1, 1])


def test_the_capacity_curve_and_its_picture():
    curve = capacity_curve()
    assert list(curve.probability) == [5, 20, 100]
    for values in curve.probability.values():
        assert (np.diff(values) <= 0).all()
    ax = curve.plot()
    assert [line.get_label() for line in ax.lines[2:]] == ["l = 5", "l = 20", "l = 100"]


def test_sizes_of_tables():
    melons = datasets.watermelon("2.0")
    assert instance_space_size(melons) == 3 * 3 * 3 * 3 * 3 * 2
    assert hypothesis_space_size(melons) == 4**5 * 3
    assert hypothesis_space_size(melons, empty=True) == 4**5 * 3 + 1
    assert instance_space_size([[1.0, 5.0], [2.0, 5.0], [np.nan, 5.0]]) == 2
    assert instance_space_size(np.array([3, 2])) == 6


def test_groupings_print():
    text = str(linear_dichotomies([[0.0], [1.0], [2.0]], names=["left", "middle", "right"]))
    assert "6 of 8 labelings are linearly separable" in text
    assert "left right" in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dichotomies(0, 2), "'n' must be a whole number >= 1; got 0"),
        (lambda: dichotomies(3, 2.5), "'l' must be a whole number >= 1; got 2.5"),
        (lambda: capacity_curve([True]), "'dimensions' must be a whole number"),
        (lambda: capacity_curve([2], ratio=[0.0]), "'ratio' must be a list of numbers above 0"),
        (lambda: instance_space_size([3, 0]), r"must be whole numbers >= 1, .* got \[3, 0\]"),
        (lambda: hypothesis_space_size([2], kind="all"), "'kind' must be one of 'conjunctive'"),
        (
            lambda: hypothesis_space_size([10] * 9, kind="boolean"),
            r"there are 2\^1000000000 Boolean functions",
        ),
        (lambda: in_general_position(np.zeros((500, 4))), r"500 points in 4 dimensions have \d+ groups"),
        (
            lambda: linear_dichotomies(np.zeros((13, 2))),
            "13 points can be split in 4096 ways: pass at most 12",
        ),
        (lambda: linear_dichotomies([[0.0], [1.0]], names=["a"]), "each of the 2 points; got 1"),
        (lambda: linearly_separable([[0.0]] * 3, [0, 1, 2]), "'y' has 3 classes"),
        (lambda: linearly_separable([[0.0]], [0, 1]), r"for each of the 1 rows of X; got shape \(2,\)"),
        (
            lambda: linearly_separable([["a"], ["b"]], [0, 1]),
            "column 'x0' is nominal, but points have numbers",
        ),
        (lambda: in_general_position([[0.0], [np.nan]]), "row 1 has missing or infinite cells"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
