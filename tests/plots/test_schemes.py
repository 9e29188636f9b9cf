"""Schemes: folds, algorithms, tables of words, votes and an analogy."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.plots.layout import complaints

from hornbook.losses import logistic, unit_step
from hornbook.plots import algorithm, analogy, folds, functions, text_table, votes

KNOWN = ["decision tree", "AdaBoost", "bagging", "stacking", "k-means", "LVQ", "DBSCAN"]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_each_round_has_a_block_of_test_rows_among_its_training_rows():
    rows = np.arange(12)
    ax = folds([(np.setdiff1d(rows, rows[i::3]), rows[i::3]) for i in range(3)])
    bars = [(bar.get_y() + bar.get_height() / 2, bar.get_x(), bar.get_width()) for bar in ax.patches]
    # Shuffled folds become blocks: rows stand in the order of testing.
    assert bars == [(0, 0, 4), (0, 4, 8), (1, 0, 4), (1, 4, 4), (1, 8, 4), (2, 0, 8), (2, 8, 4)]
    assert texts(ax) == ["D1", "D2", "D3"]


def test_rows_that_a_round_does_not_use_are_white():
    ax = folds([([0, 0, 1], [2]), ([1, 2], [0])])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["training rows", "test rows"]
    ax = folds([([0], [2])])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["training rows", "test rows", "not used"]


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_algorithm_is_written_in_numbered_lines(name):
    ax = algorithm(name)
    lines = [text for text in ax.texts if text.get_text().isdigit()]
    assert [int(line.get_text()) for line in lines] == list(range(1, len(lines) + 1))
    heights = [line.get_position()[1] for line in lines]
    np.testing.assert_allclose(np.diff(heights), heights[1] - heights[0])
    assert complaints(ax) == []


def test_lines_inside_others_are_indented():
    ax = algorithm([(0, "a", ""), (2, "b", "why"), (1, "c", "")])
    across = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert across["b"] - across["a"] == pytest.approx(2 * (across["c"] - across["a"]))
    assert across["# why"] > across["b"]


def test_cells_of_a_column_start_at_one_place():
    ax = text_table([["one", 0.12345678], ["another", "x"]], ["name", "value"], title="T")
    across = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert across["name"] == across["one"] == across["another"]
    assert across["value"] == across["0.1235"] == across["x"] > across["name"]
    assert complaints(ax) == []


def test_the_majority_is_right_where_more_than_half_of_the_members_are():
    ax = votes([[1, 0, 1, 0], [1, 0, 0, 1]])
    assert texts(ax)[-4:] == ["✓", "✗", "✗", "✗"]  # half is not more than half
    assert [label.get_text() for label in ax.get_yticklabels()] == ["h1", "h2", "majority"]


def test_the_analogy_has_a_wrong_verdict_on_each_side():
    ax = analogy()
    places = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert places["overfitting"] < places["training examples: melons"] < places["underfitting"]
    assert len(ax.patches) == 5  # three examples, a melon and a ball
    assert complaints(ax) == []


def test_functions_are_evaluated_over_their_reach():
    ax = functions({"unit step": unit_step, "logistic": logistic}, (-4, 4), names=("z", "y"))
    step, curve = ax.lines[:2]
    np.testing.assert_array_equal(np.unique(step.get_ydata()), [0, 0.5, 1])
    np.testing.assert_allclose(curve.get_ydata(), 1 / (1 + np.exp(-curve.get_xdata())))
    assert (ax.get_xlim(), ax.get_xlabel(), ax.get_ylabel()) == ((-4, 4), "z", "y")
    assert complaints(ax) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: folds([]), "at least one round"),
        (lambda: folds([([0], [1])], scores=[1.0, 2.0]), "one number for each of the 1 rounds; got 2"),
        (lambda: algorithm("sorting"), "'name' must be one of decision tree"),
        (lambda: text_table([["a"]], ["x", "y"]), r"rows with \[1\] cells"),
        (lambda: votes([1, 0]), r"got shape \(2,\)"),
        (lambda: votes([[1, 0]], members=["a", "b"]), "must name all 1 members; got 2"),
        (lambda: functions({}, (0, 1)), "at least one function"),
        (lambda: functions({"f": logistic}, (1, 0)), "'reach' must be ascending"),
        (lambda: functions({"f": np.sum}, (0, 1)), "'f' must give one number for each"),
    ],
)
def test_refuses_what_it_cannot_draw(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_draws_on_the_axes_of_the_caller():
    places = Figure(figsize=(14, 6)).subplots(2, 3).ravel()
    assert analogy(places[0]) is places[0]
    assert algorithm("k-means", places[1]) is places[1]
    assert folds([([0], [1])], places[2]) is places[2]
    assert text_table([["a"]], ["x"], places[3]) is places[3]
    assert votes([[1]], places[4]) is places[4]
    assert functions({"f": logistic}, (0, 1), places[5]) is places[5]
