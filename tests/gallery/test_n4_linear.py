"""What the figures of note N4 about linear classifiers and networks show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n4_linear as shown


def words(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_a_model_is_learned_and_solves_a_task():
    [ax] = shown.features_model_task().axes
    boxes = ["objects", "features", "data", "model", "output", "training data", "learning\nalgorithm"]
    assert words(ax) == boxes
    ends = [(text.xyann, text.xy) for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert ((3, 1), (3, 0)) in ends  # from the algorithm to the model
    assert len(ends) == 6


def test_table_of_learning_problems():
    [ax] = shown.learning_problems().axes
    assert {"classification", "regression", "predictive model", "descriptive model"} <= set(words(ax))


def test_training_error_falls_and_test_error_rises_again():
    [ax] = shown.overfitting().axes
    test, training = (line.get_ydata() for line in ax.lines[:2])
    assert (np.diff(training) <= 1e-9).all()
    best = int(np.argmin(test))
    assert 2 <= best < 12
    assert test[-1] > 1.1 * test[best]
    assert ax.get_xlabel() == "degree"


def test_boundary_is_halfway_between_the_means():
    [ax] = shown.basic_linear().axes
    line = next(line for line in ax.lines if line.get_color() == "black" and line.get_linestyle() == "-")
    np.testing.assert_allclose(line.get_xydata() @ [3.0, 2.0], 6.5)
    means = {tuple(dots.get_offsets()[0]) for dots in ax.collections if len(dots.get_offsets()) == 1}
    assert means == {(3.0, 2.0), (0.0, 0.0)}


def test_line_is_so_far_from_the_origin():
    [ax] = shown.weights_and_threshold().axes
    assert f"{6.5 / np.sqrt(13):.3g}" in words(ax)
    assert "r = 1.25" in words(ax)  # (3 * 4 - 2 * 0.5 - 6.5) / sqrt(13)
    assert {"x", "w"} <= set(words(ax))
    assert ax.get_title() == "3 x1 + 2 x2 - 6.5 = 0"


def test_margins_are_perpendicular_to_the_boundary():
    [ax] = shown.margins().axes
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 6
    for point, foot in dashed:
        assert foot @ [3.0, 2.0] == pytest.approx(6.5)
        assert abs((point - foot) @ [-2.0, 3.0]) < 1e-9


def test_contingency_table_has_four_counts():
    [ax] = shown.contingency().axes[:1]
    assert sorted(int(word) for word in words(ax)) == [10, 15, 15, 60]


def test_low_cost_and_means_give_parallel_lines():
    soft, basic = shown.low_cost().axes
    lines = [
        next(line for line in ax.lines if line.get_color() == "black" and line.get_linestyle() == "-")
        for ax in (soft, basic)
    ]
    ways = [np.diff(line.get_xydata(), axis=0)[0] for line in lines]
    ways = [way / np.linalg.norm(way) for way in ways]
    assert abs(ways[0] @ ways[1]) == pytest.approx(1.0, abs=1e-6)


def test_ellipse_of_the_kernel_is_a_plane_of_squares():
    plane, space = shown.feature_space().axes
    faces = np.concatenate(space.collections[0]._faces)
    normal = np.cross(faces[1] - faces[0], faces[2] - faces[0])
    level = normal @ faces[0]
    [ellipse] = [part for part in plane.collections if hasattr(part, "levels")]
    x1, x2 = ellipse.get_paths()[0].vertices.T
    mapped = np.column_stack([x1**2, np.sqrt(2) * x1 * x2, x2**2])
    np.testing.assert_allclose(mapped @ normal / level, 1.0, atol=0.05)
    assert (space.get_xlabel(), space.get_zlabel()) == ("x1²", "x2²")


def test_validation_picks_degree_two():
    fits, errors = shown.polynomial_degrees().axes
    assert [line.get_label() for line in fits.lines if str(line.get_label()).startswith("degree")] == [
        f"degree {k}" for k in range(5)
    ]
    test, training = (line.get_ydata() for line in errors.lines[:2])
    assert int(np.argmin(test)) == 2
    assert (np.diff(training) <= 1e-9).all()


def test_network_graph_is_fully_connected():
    [ax] = shown.network_graph().axes
    assert len(ax.lines) == 3 * 4 + 4 * 2
    assert words(ax)[-3:] == ["inputs", "hidden units", "outputs"]


def test_single_unit_has_a_sign_function():
    [ax] = shown.single_unit().axes
    curve = ax.lines[0].get_ydata()
    assert len(set(curve.round(9))) == 2
    assert "$w_0 = -t$" in words(ax)


def test_boolean_network_has_the_weights_of_the_notes():
    [ax] = shown.boolean_network().axes
    assert words(ax)[:6] == ["1", "-1", "-1", "1", "1", "1"]
    assert words(ax)[-6:-3] == ["1", "1", "-1"]  # thresholds
    assert {"and", "or"} <= set(words(ax))
