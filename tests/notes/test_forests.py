"""Forests of the notes: errors over the number of trees, and what combining is good for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine

from hornbook import (
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    datasets,
    plots,
)
from hornbook.ensembles import vote_margins


def test_iris_out_of_bag_and_training_error_of_ten_trees():
    """Two columns, leaves of 3, one vote: rows without a vote count as the first class."""
    flowers = datasets.iris()
    unseen, seen = [], []
    for seed in range(60):
        model = RandomForestClassifier(
            10, max_features=2, leaf_size=3, purity=1.0, vote="hard", random_state=seed
        ).fit(flowers)
        unseen.append(model.staged_errors(flowers, oob=True, unvoted="first"))
        seen.append(model.staged_errors(flowers))
    expected = [0.439, 0.298, 0.209, 0.154, 0.121, 0.097, 0.082, 0.071, 0.065, 0.061]
    np.testing.assert_allclose(np.mean(unseen, axis=0), expected, atol=0.015)
    printed = [0.4333, 0.2933, 0.1867, 0.12, 0.1133, 0.1067, 0.0733, 0.06, 0.0467, 0.0467]
    assert (np.min(unseen, axis=0) <= printed).all()
    assert (np.max(unseen, axis=0) >= printed).all()
    assert np.mean(seen, axis=0)[[0, 9]] == pytest.approx([0.026, 0.011], abs=0.004)
    ax = plots.staged_error({"out of bag": unseen[0], "training": seen[0]})
    np.testing.assert_allclose(ax.lines[0].get_xydata(), np.column_stack([range(1, 11), unseen[0]]))


def test_five_trees_in_the_plane_of_two_components():
    """One column for each node; the printed out-of-bag error is that of a single tree, not of five."""
    plane = datasets.iris(view="components").features
    y = np.where(np.asarray(datasets.iris().y) == "versicolor", "c1: versicolor", "c2: rest")
    unseen, seen = np.zeros((60, 5)), np.zeros((60, 5))
    for seed in range(60):
        model = RandomForestClassifier(
            5, max_features=1, leaf_size=3, purity=1.0, vote="hard", random_state=seed
        ).fit(plane, y)
        unseen[seed] = model.staged_errors(plane, y, oob=True, unvoted="first")
        seen[seed] = model.staged_errors(plane, y)
    assert np.percentile(unseen[:, 4], [2.5, 50, 97.5]) == pytest.approx([0.11, 0.15, 0.23], abs=0.03)
    assert np.percentile(unseen[:, 0], [2.5, 97.5]) == pytest.approx([0.39, 0.53], abs=0.03)
    assert unseen[:, 4].max() < 0.4933 < unseen[:, 0].max()
    assert seen[:, 4].min() <= 0.02 <= seen[:, 4].max() < 0.05
    trees = [model.tree(t, plane, y) for t in range(5)]
    ax = plots.boundaries(trees, plane, y, bold=model)
    widths = [max(lines.get_linewidths(), default=0.0) for lines in ax.collections]
    assert widths.count(max(widths)) == 1


@pytest.mark.parametrize("load", [load_wine, load_diabetes])
def test_random_forests_need_trees_and_then_beat_bagging(load):
    """The error against the number of trees, for classes and for numbers, over 6 halves of the rows."""
    X, y = load(return_X_y=True)
    kind = RandomForestClassifier if load is load_wine else RandomForestRegressor
    curves = {"sqrt": np.zeros(40), None: np.zeros(40)}
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[::2], order[1::2]
        for columns in curves:
            model = kind(40, max_features=columns, random_state=seed).fit(X[train], y[train])
            curves[columns] += model.staged_errors(X[test], y[test]) / 6
    forest, bagging = curves["sqrt"], curves[None]
    for curve in (forest, bagging):
        assert curve[0] > 1.3 * curve[-1]
        assert curve[9] - curve[-1] < 0.4 * (curve[0] - curve[-1])  # most is gained by the first trees
    assert forest[-1] < bagging[-1]
    ax = plots.staged_error({"random forest": forest, "bagging": bagging})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["random forest", "bagging"]


def plane(n, seed):
    """Two columns, and a border that no tree has: a slanting line."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, 2))
    return X, (X.sum(axis=1) > 0).astype(int)


def test_three_benefits_of_combining():
    new, truth = plane(4000, 99)

    def errors(model):
        votes = model.tree_answers(new).argmax(axis=2)
        return (votes != truth).mean(axis=1), vote_margins(votes, truth).error

    # Statistical: many trees explain few rows without error, and their vote is safer than one of them.
    alone, together = errors(TotallyRandomTreesClassifier(100, random_state=0).fit(*plane(20, 0)))
    assert together < 0.6 * alone.mean()
    # Computational: searches that draw among good splits end apart, and their vote beats the greedy tree.
    rows = plane(150, 0)
    drawn = RandomForestClassifier(100, split="top_k", max_features=None, bootstrap=False, random_state=0)
    alone, together = errors(drawn.fit(*rows))
    greedy = (DecisionTreeClassifier().fit(*rows).predict(new) != truth).mean()
    assert together < 0.7 * min(greedy, alone.mean())
    # Representational: no tree of two questions comes closer to the line than 1/8, but their vote does.
    flat = ExtraTreesClassifier(200, max_depth=2, max_features=1, random_state=0).fit(*plane(2000, 0))
    alone, together = errors(flat)
    assert alone.min() > 0.12
    assert together < 0.06
    for reason in ("statistical", "computational", "representational"):
        assert plots.combining(reason).get_title() == f"{reason} reason"


def test_ho_draws_columns_for_trees_or_for_nodes_with_and_without_draws_of_rows():
    """Ho's subspaces, global or local, and with bagging: all beat the single tree on many columns."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(600, 20))
    y = (X[:, :10].sum(axis=1) > 0).astype(int)
    alone = DecisionTreeClassifier().fit(X[:300], y[:300]).score(X[300:], y[300:])
    for subspace in ("tree", "node"):
        for bootstrap in (False, True):
            model = RandomForestClassifier(
                100, subspace=subspace, bootstrap=bootstrap, max_features=0.5, random_state=0
            ).fit(X[:300], y[:300])
            assert model.score(X[300:], y[300:]) > alone + 0.08
