"""Class means and standard-deviation ellipses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from hornbook.plots import ellipses

MEANS = np.array([[0.0, 1.0], [3.0, -2.0]])
VARIANCES = np.array([[1.0, 0.25], [4.0, 9.0]])


def outline(patch, n=64):
    """Points on the drawn ellipse, in data coordinates."""
    angles = np.linspace(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    return patch.get_patch_transform().transform(circle)


def test_width_and_height_are_twice_level_times_standard_deviation():
    patches = ellipses(MEANS, VARIANCES, ["a", "b"], levels=(1, 2, 3)).patches
    assert len(patches) == 6
    for i, patch in enumerate(patches):
        label, level = divmod(i, 3)
        spread = np.sqrt(VARIANCES[label])
        assert patch.get_center() == tuple(MEANS[label])
        np.testing.assert_allclose((patch.width, patch.height), 2 * (level + 1) * spread)
        assert patch.angle == 0


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(0.1, 5), st.floats(0.1, 5), st.floats(-0.95, 0.95), st.floats(0.5, 3))
def test_the_outline_lies_at_the_mahalanobis_distance(sx, sy, correlation, level):
    matrix = np.array([[sx**2, correlation * sx * sy], [correlation * sx * sy, sy**2]])
    (patch,) = ellipses(MEANS[:1], matrix[None], ["a"], levels=(level,)).patches
    away = outline(patch) - MEANS[0]
    distances = np.sqrt(np.einsum("ij,jk,ik->i", away, np.linalg.inv(matrix), away))
    np.testing.assert_allclose(distances, level, rtol=1e-6)


def test_variances_and_diagonal_covariances_draw_the_same():
    thin = ellipses(MEANS, VARIANCES, ["a", "b"]).patches
    full = ellipses(MEANS, VARIANCES[:, :, None] * np.eye(2), ["a", "b"]).patches
    for one, other in zip(thin, full, strict=True):
        np.testing.assert_allclose(outline(one), outline(other))


def test_means_are_marked_and_named():
    ax = ellipses(MEANS, VARIANCES, ["a", "b"])
    np.testing.assert_array_equal([line.get_xydata()[0] for line in ax.lines], MEANS)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def test_points_are_colored_by_class_like_their_ellipses():
    X = np.array([[0.0, 1.0], [1.0, 1.0], [3.0, 0.0], [2.0, 2.0]])
    ax = ellipses(MEANS, VARIANCES, ["a", "b"], X=X, y=["b", "a", "b", "b"])
    first, second = ax.collections
    np.testing.assert_array_equal(first.get_offsets(), X[[1]])
    np.testing.assert_array_equal(second.get_offsets(), X[[0, 2, 3]])
    for points, patch in ((first, ax.patches[0]), (second, ax.patches[2])):
        assert to_hex(points.get_facecolor()[0]) == to_hex(patch.get_edgecolor())


def test_points_without_classes_are_one_grey_cloud():
    ax = ellipses(MEANS, VARIANCES, ["a", "b"], X=MEANS)
    (cloud,) = ax.collections
    assert to_hex(cloud.get_facecolor()[0]) == "#8c8c8c"
    assert ax.get_xlabel() == ""


def test_the_columns_of_a_table_name_the_axes():
    ax = ellipses(MEANS, VARIANCES, ["a", "b"], X={"length": [1.0, 2.0], "width": [3.0, 4.0]}, y=["a", "b"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")


def test_everything_is_inside_the_picture():
    ax = ellipses(MEANS, VARIANCES, ["a", "b"])
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    points = np.vstack([outline(patch) for patch in ax.patches])
    assert left < points[:, 0].min() < points[:, 0].max() < right
    assert low < points[:, 1].min() < points[:, 1].max() < high


def test_draws_on_the_axes_it_is_given():
    ax = Figure().add_subplot()
    assert ellipses(MEANS, VARIANCES, ["a", "b"], ax=ax) is ax


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"means": MEANS[:, :1]}, r"'means' must have shape \(2, 2\).*got shape \(2, 1\)"),
        ({"means": [[0, np.nan], [1, 1]]}, r"'means' must be finite"),
        (
            {"covariances": VARIANCES[:1]},
            r"'covariances' must have shape \(2, 2\) or \(2, 2, 2\); got shape \(1, 2\)",
        ),
        ({"covariances": -VARIANCES}, r"without negative variances"),
        ({"covariances": [[[1, 0.5], [0.0, 1]]] * 2}, r"symmetric"),
        ({"labels": ["a"]}, r"'means' must have shape \(1, 2\)"),
        ({"levels": (1, 0)}, r"'levels' must be positive numbers; got \[1, 0\]"),
        ({"y": ["a", "b"]}, r"'y' was given without 'X'"),
        ({"tested": [True, False]}, r"'tested' was given without 'X'"),
        ({"X": MEANS, "tested": [True]}, r"'tested' must have one entry for each of the 2 rows of 'X'"),
        ({"X": np.ones((2, 3))}, r"'X' must have 2 columns; got 3"),
        ({"X": MEANS, "y": ["a"]}, r"one class for each of the 2 rows of 'X'; got shape \(1,\)"),
        ({"X": MEANS, "y": ["a", "c"]}, r"'y' has the class 'c', which is not one of 'labels' \['a', 'b'\]"),
    ],
)
def test_wrong_input_is_one_sentence(change, message):
    given_ = {"means": MEANS, "covariances": VARIANCES, "labels": ["a", "b"], **change}
    with pytest.raises(ValueError, match=message):
        ellipses(given_.pop("means"), given_.pop("covariances"), given_.pop("labels"), **given_)


def test_points_that_are_asked_about_have_two_coordinates():
    with pytest.raises(ValueError, match=r"'asked' must have two columns; got shape \(2,\)"):
        ellipses(MEANS, VARIANCES, ["a", "b"], asked=[1.0, 2.0])


@pytest.mark.parametrize("y", [None, ["a", "b"]])
def test_rows_for_testing_are_black_and_others_gray(y):
    ax = ellipses(MEANS, VARIANCES, ["a", "b"], X=MEANS, y=y, tested=[False, True])
    shades = {
        tuple(place): part.get_facecolor()[0][:3].tolist()
        for part in ax.collections
        for place in part.get_offsets().tolist()
    }
    assert shades[tuple(MEANS[1])] == [0, 0, 0]
    assert shades[tuple(MEANS[0])] != [0, 0, 0]
