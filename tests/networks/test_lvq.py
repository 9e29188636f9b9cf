"""LVQ beyond the notes: rules, starts, weights, refusals, plot."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NearestCentroid

from hornbook import Frame, LVQClassifier, NearestMeanClassifier
from hornbook.networks.prototypes._initialization import initial_prototypes
from hornbook.plots import voronoi

mpl.use("Agg")
X, Y = load_iris(return_X_y=True)


def moved(variant, x, y, start, classes, **settings):
    """Prototypes after one row."""
    model = LVQClassifier(classes, variant=variant, init=start, eta0=0.1, **settings)
    return model.partial_fit([x], [y], classes=[0, 1]).prototypes_ - np.asarray(start)


def test_lvq21_moves_two_prototypes_of_a_border_and_only_there():
    start = [[0.0], [1.0]]
    np.testing.assert_allclose(moved("lvq2.1", [0.55], 0, start, [0, 1]), [[0.055], [0.045]])
    assert not moved("lvq2.1", [0.1], 0, start, [0, 1]).any()
    assert moved("lvq2.1", [0.1], 0, start, [0, 1], window=0.9).any()
    assert not moved("lvq2.1", [0.5], 0, [[0.0], [1.0], [9.0]], [0, 0, 1]).any()


def test_lvq3_also_moves_two_of_the_same_class():
    start = [[0.0], [1.0], [9.0]]
    np.testing.assert_allclose(
        moved("lvq3", [0.5], 0, start, [0, 0, 1], epsilon=0.5), [[0.025], [-0.025], [0.0]]
    )
    assert not moved("lvq3", [0.5], 1, start, [0, 0, 1]).any()


def test_glvq_descends_its_gradient():
    rng = np.random.default_rng(1)
    x, start, beta = rng.normal(size=3), rng.normal(size=(2, 3)), 1.7

    def cost(flat):
        d, e = ((x - flat.reshape(2, 3)) ** 2).sum(axis=1)
        return 1 / (1 + np.exp(-beta * (d - e) / (d + e)))

    eye = np.eye(6) * 1e-6
    slope = [(cost(start.ravel() + h) - cost(start.ravel() - h)) / 2e-6 for h in eye]
    model = LVQClassifier([0, 1], variant="glvq", init=start, eta0=1e-3, beta=beta)
    model.partial_fit([x], [0], classes=[0, 1])
    step = (model.prototypes_ - start).ravel()
    # The paper's step is a quarter of the gradient's.
    np.testing.assert_allclose(step, -1e-3 * model.spread_ / 4 * np.array(slope), rtol=1e-6)


def test_units_do_not_matter():
    for variant in ("lvq1", "glvq"):
        one = LVQClassifier(2, variant=variant, random_state=0).fit(X, Y)
        other = LVQClassifier(2, variant=variant, random_state=0, init=64 * one.prototypes_).fit(64 * X, Y)
        again = LVQClassifier(2, variant=variant, random_state=0, init=one.prototypes_).fit(X, Y)
        # Another order of the rows, because their content decides it; but the same kind of end.
        assert abs(other.score(64 * X, Y) - again.score(X, Y)) < 0.05


def test_rates():
    for rate, expected in {
        "constant": [0.2, 0.2, 0.2],
        "inverse": [0.2, 0.1, 0.2 / 3],
        "linear": [0.2, 0.2 * (1 - 1 / 3), 0.2 * (1 - 2 / 3)],
    }.items():
        model = LVQClassifier(eta0=0.2, learning_rate=rate, max_iter=3, tol=0.0, random_state=0).fit(X, Y)
        assert model.history_["eta"] == pytest.approx(expected)


def test_tolerance_and_number_of_passes():
    loose = LVQClassifier(tol=10.0, random_state=0).fit(X, Y)
    assert loose.n_iter_ == 1
    assert len(LVQClassifier(tol=0.0, max_iter=7, random_state=0).fit(X, Y).history_["shift"]) == 7


def test_one_prototype_begins_at_the_mean():
    first = LVQClassifier(eta0=1e-300, max_iter=1).fit(X, Y)
    np.testing.assert_allclose(first.prototypes_, NearestMeanClassifier().fit(X, Y).centroids_)


def test_random_start_is_a_row_of_the_class_by_weight():
    rows = [(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 0.0001, 3.0]))]
    codes, classes = np.zeros(1, np.int32), np.array(["a"])
    starts = [float(initial_prototypes("random", rows, codes, classes, seed)[0, 0]) for seed in range(400)]
    expected = 3 / 4.0001
    noise = 4 * np.sqrt(expected * (1 - expected) / 400)
    assert np.mean(np.array(starts) == 2.0) == pytest.approx(expected, abs=noise)
    both = initial_prototypes("random", rows, np.zeros(3, np.int32), classes, 5)
    assert sorted(both.ravel().tolist()) == [0.0, 1.0, 2.0]


def test_order_of_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(150)
    for settings in ({}, {"variant": "glvq", "prototypes": 3}, {"prototypes": 3, "init": "random"}):
        one = LVQClassifier(random_state=3, **settings).fit(X, Y)
        other = LVQClassifier(random_state=3, **settings).fit(X[order], Y[order])
        np.testing.assert_array_equal(one.prototypes_, other.prototypes_)


def test_seeds_matter():
    one, other = (LVQClassifier(2, init="random", random_state=seed).fit(X, Y) for seed in (0, 1))
    assert (one.prototypes_ != other.prototypes_).any()


@pytest.mark.parametrize("variant", ["lvq1", "lvq2.1", "lvq3", "glvq"])
def test_several_prototypes_tell_classes_apart_better_than_their_means(variant):
    means = NearestCentroid().fit(X, Y).score(X, Y)
    assert LVQClassifier(3, variant=variant, eta0=0.03, random_state=0).fit(X, Y).score(X, Y) > means


def test_divergence_keeps_the_best_prototypes():
    with pytest.warns(ConvergenceWarning, match=r"learning rate 0\.\d+.*lower eta0") as caught:
        model = LVQClassifier(variant="lvq2.1", random_state=1).fit(X, Y)
    assert caught[0].filename == __file__
    fewest = min(*model.history_["errors"], 150 * (1 - NearestCentroid().fit(X, Y).score(X, Y)))
    assert (model.predict(X) != Y).sum() == pytest.approx(fewest)  # it begins with the means


def test_lvq21_keeps_the_best_prototypes_of_all_passes():
    model = LVQClassifier(variant="lvq2.1", random_state=0).fit(X, Y)
    assert model.history_["errors"][-1] == 50.0  # a prototype was pushed away, and none moves any more
    fewest = min(*model.history_["errors"], 150 * (1 - NearestCentroid().fit(X, Y).score(X, Y)))
    assert (model.predict(X) != Y).sum() == pytest.approx(fewest)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"prototypes": [0] * 51 + [1, 2]},
            "class 0 has 50 distinct rows with weight, fewer than its 51 prototypes: lower",
        ),
        ({"prototypes": [0, 1]}, "has none for class 2: name every class"),
        ({"prototypes": [0, 1, 2, 7]}, "which are 0, 1, 2; got 7."),
        ({"init": [[0.0, 1.0]]}, r"must be 3 rows of 4 finite numbers.* got shape \(1, 2\)"),
        ({"init": np.full((3, 4), np.nan)}, "cells that are not finite"),
        ({"eta0": 1.0}, "parameter 'eta0' must be"),
        ({"variant": "lvq2"}, "Did you mean"),
    ],
)
def test_refusals(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        LVQClassifier(**settings).fit(X, Y)


def test_no_more_prototypes_than_distinct_rows():
    with pytest.warns(UserWarning, match="class 0 has 1 distinct rows .*fewer than 'prototypes' = 3"):
        model = LVQClassifier(3, random_state=0).fit(
            [[0.0], [0.0], [4.0], [5.0], [6.0], [7.0]], [0, 0, 1, 1, 1, 1]
        )
    assert model.prototype_classes_.tolist() == [0, 1, 1, 1]
    with pytest.raises(ValueError, match="class 1 has 0 distinct rows"):
        LVQClassifier().partial_fit([[0.0]], [0], classes=[0, 1])


def test_values_that_overflow_are_refused():
    with pytest.raises(ValueError, match="column 'x0' holds values so large .*rescale it"):
        LVQClassifier().fit([[0.0], [1e200]], [0, 1])


def test_class_without_weight_has_no_prototype():
    w = np.where(Y == 1, 0.0, 1.0)
    model = LVQClassifier(2, random_state=0).fit(X, Y, sample_weight=w)
    assert model.prototype_classes_.tolist() == [0, 0, 2, 2]
    assert not (model.predict(X) == 1).any()
    assert (model.decision_function(X)[:, 1] == -np.inf).all()


def test_categories_and_missing_cells():
    table = pd.DataFrame({"size": [1.0, 1.1, None, 5.0, 5.2, 4.9], "color": [*"rrgbb", None]})
    model = LVQClassifier(random_state=0).fit(table, list("aaabbb"))
    assert model.predict(table).tolist() == list("aaabbb")
    assert "color=r" in model.encoded_names_


def test_later_rows_go_on():
    model = LVQClassifier(2, random_state=0, variant="glvq").fit(X, Y)
    before = model.prototypes_.copy()
    model.partial_fit(X[:5], Y[:5])
    assert (model.prototypes_ != before).any()
    fresh = LVQClassifier(random_state=0).partial_fit(X, Y)
    assert fresh.n_iter_ == 1
    start = LVQClassifier(eta0=1e-300, random_state=0).partial_fit(X, Y).prototypes_.copy()
    for x, label in zip(X, Y, strict=True):  # in their order, at the first rate
        best = int(((x - start) ** 2).sum(axis=1).argmin())
        start[best] += (0.1 if best == label else -0.1) * (x - start[best])
    np.testing.assert_allclose(fresh.prototypes_, start, rtol=1e-10)


def test_callbacks_see_passes():
    model = LVQClassifier(random_state=0, max_iter=3, tol=0.0).fit(X, Y)
    assert {len(series) for series in model.history_.values()} == {3}


def test_plots():
    plane = X[:, 2:]
    model = LVQClassifier(2, random_state=0).fit(Frame({"length": plane[:, 0], "width": plane[:, 1]}), Y)
    ax = model.plot(Frame({"length": plane[:, 0], "width": plane[:, 1]}), Y)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0", "1", "2"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")
    colors = [line.get_color() for line in ax.lines[1::2]]
    assert len(colors) == 6
    assert len(set(colors)) == 3
    assert colors[0] == colors[1]
    deep = LVQClassifier(random_state=0).fit(X, Y)
    assert "largest variance" in deep.plot(X).get_xlabel()
    with pytest.raises(ValueError, match="one entry for each of the 2 centers"):
        voronoi([[0.0, 0.0], [1.0, 1.0]], center_classes=["a"])
