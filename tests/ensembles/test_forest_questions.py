"""Importance of columns, closeness of rows."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import hornbook.ensembles.forests._importance as importances
import hornbook.ensembles.forests._proximity as closeness
import hornbook.frame._memory as memory
from hornbook import (
    ExtraTreesClassifier,
    Frame,
    RandomForestClassifier,
    RandomForestRegressor,
    _native,
    datasets,
)
from hornbook.random import Stream


def telling(n=240, seed=0):
    """One column that decides, one that helps, two that say nothing."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 4))
    return X, (X[:, 0] + 0.4 * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_permutation_importance_by_hand(vote):
    X, y = telling(80)
    model = RandomForestClassifier(7, vote=vote, max_depth=2, oob_score=True, random_state=2).fit(X, y)
    importance = model.importance(X, y, n_repeats=2, random_state=5)
    errors = np.zeros((4, 2))
    for j in range(4):
        for r in range(2):
            total, n_trees = np.zeros((80, 2)), np.zeros(80)
            for t in range(7):
                out = np.flatnonzero(_native.bootstrap_counts(2, t, 80, 80) == 0)
                rows = X[out]
                rows[:, j] = rows[Stream(5, r * 4 + j, t).permutation(len(out)), j]
                total[out] += model.forest_.tree(t).answers(Frame(rows), 1, hard=vote == "hard")
                n_trees[out] += 1
            known = n_trees > 0
            errors[j, r] = np.mean(total[known].argmax(axis=1) != y[known])
    before = 1 - model.oob_score_
    np.testing.assert_allclose(importance.values, errors.mean(axis=1) - before, atol=1e-12)
    np.testing.assert_allclose(importance.spread, errors.std(axis=1, ddof=1), atol=1e-12)
    np.testing.assert_allclose(importance.p_values, (1 + (errors <= before + 1e-12).sum(axis=1)) / 3)


def test_columns_that_say_something_are_told_from_others():
    X, y = telling()
    importance = RandomForestClassifier(40, random_state=0).fit(X, y).importance(X, y)
    assert importance.values.argmax() == 0
    assert importance.p_values[0] == importance.p_values[1] == pytest.approx(1 / 21)
    assert importance.p_values[2:].min() > 0.05
    none = (
        RandomForestClassifier(3, max_depth=1, max_features=None, random_state=0).fit(X, y).importance(X, y)
    )
    assert none.values[1:].tolist() == [0.0, 0.0, 0.0]  # not asked about, so nothing at all
    numbers = RandomForestRegressor(30, random_state=0).fit(X, X[:, 0]).importance(X, X[:, 0], n_repeats=3)
    assert numbers.values.argmax() == 0
    assert numbers.values[0] > 0.5
    assert abs(numbers.values[1:]).max() < 0.1


def test_categories_can_be_shuffled():
    draw = np.random.default_rng(0)
    city = draw.integers(0, 4, 200)
    table = pd.DataFrame({"city": np.array(list("abcd"))[city], "size": draw.normal(size=200)})
    importance = RandomForestClassifier(20, random_state=0).fit(table, city > 1).importance(table, city > 1)
    assert importance.names == ("city", "size")
    assert importance.values[0] > 0.3 > abs(importance.values[1])
    assert str(importance).splitlines()[5].split()[0] == "city"
    assert importance.plot().get_yticklabels()[0].get_text() == "city"


def test_importance_is_the_same_in_parts_and_on_threads(monkeypatch):
    X, y = telling(80)
    model = RandomForestClassifier(7, random_state=2, n_jobs=1).fit(X, y)
    whole = model.importance(X, y, n_repeats=5)
    monkeypatch.setattr(importances, "_CELLS", 2 * 80 * 2)
    parts = model.set_params(n_jobs=3).importance(X, y, n_repeats=5)
    np.testing.assert_array_equal(parts.values, whole.values)
    np.testing.assert_array_equal(parts.p_values, whole.p_values)


def test_an_interrupt_ends_the_shuffling(monkeypatch):
    X, y = telling(80)
    model = RandomForestClassifier(7, random_state=2, n_jobs=3).fit(X, y)
    asked = []

    class Interrupted(Stream):
        def permutation(self, n):
            asked.append(n)
            raise KeyboardInterrupt

    monkeypatch.setattr(importances, "Stream", Interrupted)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        model.importance(X, y)
    assert threading.active_count() == before
    assert len(asked) <= 4  # one for each column, not for each shuffle


def test_importance_says_what_it_is():
    X, y = telling(80)
    model = RandomForestClassifier(7, random_state=2).fit(X, y)
    importance = model.importance(X, y, n_repeats=2)
    meaning = "increase in the out-of-bag error rate when shuffled"
    assert str(importance).splitlines()[1] == f"importance: {meaning}"
    assert importance.plot().get_xlabel() == meaning
    assert f"<dd>{meaning}</dd>" in importance._repr_html_()
    falls = model.importance(kind="impurity")
    assert falls.plot().get_xlabel() == "decrease in impurity, scaled to a maximum of 100"
    assert model.plot().get_xlabel() == "share of the decrease in impurity"
    numbers = RandomForestRegressor(7, random_state=2).fit(X, X[:, 0]).importance(X, X[:, 0], n_repeats=2)
    assert numbers.meaning == "increase in the out-of-bag mean squared error when shuffled"


def test_descriptions_of_wide_tables_stay_short():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(100, 50))
    model = RandomForestClassifier(30, oob_score=True, random_state=0).fit(X, X[:, 3] > 0)
    described = model.describe().to_dict()
    (table,) = described["tables"]
    *named, rest = table["rows"]
    order = np.argsort(-model.feature_importances_)
    assert [name for name, _ in named] == [f"x{j}" for j in order[:20]]
    used = int((model.feature_importances_ > 0).sum())
    assert rest[0] == f"{used - 20} others"
    assert sum(share for _, share in table["rows"]) == pytest.approx(1.0)
    assert described["facts"]["bound on the error"] == model.error_bound_
    assert not RandomForestClassifier(2).fit(X, np.zeros(100)).describe().tables


def test_workings_leave_out_classes_that_get_nothing():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(400, 3)), draw.integers(0, 100, 400)
    model = RandomForestClassifier(10, random_state=0).fit(X, y)
    for row in X[:5]:
        shown, shares = model.working(row).to_dict(), model.predict_proba([row])[0]
        assert shown["candidates"] == np.flatnonzero(shares).tolist()
        np.testing.assert_allclose(np.array(shown["scores"]) / 10, shares[shares > 0])
        assert shown["prediction"] == shown["candidates"][np.argmax(shown["scores"])]


def test_impurity_importance_has_a_maximum_of_100():
    X, y = telling()
    model = ExtraTreesClassifier(20, random_state=0).fit(X, y)
    importance = model.importance(kind="impurity")
    assert importance.values.max() == pytest.approx(100.0)
    np.testing.assert_allclose(importance.values / importance.values.sum(), model.feature_importances_)
    assert importance.p_values is None


def test_other_rows_than_those_of_the_fit_are_noticed():
    """Who has not seen a row is known for the rows of the fit alone."""
    X, y = telling()
    w = np.arange(240) % 3
    model = RandomForestClassifier(5, random_state=0).fit(X, y, sample_weight=w)
    for table in ((X[::-1], y[::-1], w[::-1]), (*telling(seed=1), w), (X, y, None), (X, 1 - y, w)):
        with pytest.raises(ValueError, match="importance needs the training rows, but these grow"):
            model.importance(*table)
        with pytest.raises(ValueError, match="staged_errors with oob=True needs the training rows, but"):
            model.staged_errors(*table, oob=True)
    assert model.importance(X, y, w).values.argmax() == 0


def test_wrong_questions_get_an_answer_in_words():
    X, y = telling()
    with pytest.raises(ValueError, match="bootstrap=False, so every tree has seen every row"):
        ExtraTreesClassifier(3).fit(X, y).importance(X, y)
    model = RandomForestClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match="needs the 240 training rows, but X has 10"):
        model.importance(X[:10], y[:10])
    with pytest.raises(ValueError, match="needs the training rows again: pass X and y, or"):
        model.importance()
    for n_repeats in (0, 2.5):
        with pytest.raises(ValueError, match=rf"'n_repeats' must be an integer in .1, inf.; got {n_repeats}"):
            model.importance(X, y, n_repeats=n_repeats)
    with pytest.raises(ValueError, match="contains the class 7, .*: fit on rows of every class"):
        model.margins(X, np.full(240, 7))
    with pytest.raises(ValueError, match="'kind' must be 'permutation' or 'impurity'; got 'gain'"):
        model.importance(X, y, kind="gain")


def test_proximity_is_the_share_of_common_leaves():
    X, y = telling(60)
    model = RandomForestClassifier(9, max_depth=3, random_state=0).fit(X, y)
    leaves = model.apply(X)
    expected = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(model.proximity(X), expected, atol=1e-15)
    np.testing.assert_allclose(model.proximity(X[:5], X[5:]), expected[:5, 5:], atol=1e-15)


def test_many_rows_are_compared_in_parts(monkeypatch):
    X, y = telling(60)
    model = RandomForestClassifier(9, max_depth=3, random_state=0).fit(X, y)
    whole = model.proximity(X)
    monkeypatch.setattr(closeness, "_CELLS", 7 * 60)
    np.testing.assert_array_equal(model.proximity(X), whole)


def test_proximities_that_do_not_fit_are_refused_before_they_are_computed(monkeypatch):
    X, y = telling(60)
    model = RandomForestClassifier(9, max_depth=3, random_state=0).fit(X, y)
    monkeypatch.setattr(memory, "_free", lambda: 8 * 60 * 60 - 1)
    with pytest.raises(
        MemoryError, match=r"60 rows and 60 columns needs .* pass fewer rows at a time, as in proximity\("
    ):
        model.proximity(X)
    assert model.proximity(X[:59], others=X).shape == (59, 60)


def test_outliers_are_far_from_their_class():
    X, y = load_wine(return_X_y=True)
    X, y = X.copy(), y.copy()
    X[0], y[0] = X[150], 0  # a wine of class 2 under the name of class 0
    model = RandomForestClassifier(60, max_depth=4, random_state=0).fit(X, y)
    scores = model.outliers(X, y)
    assert scores.argmax() == 0
    assert scores[0] > 5
    close = model.proximity(X)
    mine = np.flatnonzero(y == 1)
    raw = len(y) / (close[np.ix_(mine, mine)] ** 2).sum(axis=1)
    away = raw - np.median(raw)
    np.testing.assert_allclose(scores[mine], away / abs(away).mean())
    assert RandomForestRegressor(5, random_state=0).fit(X, y).outliers(X, y).shape == (178,)


def test_a_frame_knows_its_classes():
    flowers = datasets.iris()
    model = RandomForestClassifier(10, random_state=0).fit(flowers)
    np.testing.assert_array_equal(model.outliers(flowers), model.outliers(flowers.features, flowers.y))
    np.testing.assert_array_equal(model.margins(flowers), model.margins(flowers.features, flowers.y))
    assert not np.array_equal(model.outliers(flowers), model.outliers(flowers.features))


def test_columns_that_say_the_same_hide_each_other():
    X, y = telling()
    alone = RandomForestClassifier(40, random_state=0).fit(X, y).importance(X, y, n_repeats=3)
    twice = np.column_stack([X, X[:, 0], X[:, 0]])
    shared = RandomForestClassifier(40, random_state=0).fit(twice, y).importance(twice, y, n_repeats=3)
    assert shared.values[0] < 0.5 * alone.values[0]


def test_importance_for_numbers_is_the_fall_of_the_variance():
    # The split by the first column takes 100 of the variance 101 away, those by the second 1/2 each.
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    y = [0.0, 2.0, 20.0, 22.0]
    model = RandomForestRegressor(3, bootstrap=False, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.feature_importances_, [100 / 101, 1 / 101], rtol=1e-12)
    np.testing.assert_allclose(model.importance(kind="impurity").values, [100.0, 1.0], rtol=1e-12)


def falls_by_hand(tree, X):
    """Fall of the Gini impurity by each column, weighted by the share of all rows in the node."""
    falls = np.zeros(X.shape[1])

    def walk(node, rows):
        if tree.is_leaf[node]:
            return
        children = tree.children(node)
        below = sum(tree.weight[c] * tree.impurity[c] for c in children) / tree.weight[node]
        falls[tree.feature[node]] += len(rows) / len(X) * (tree.impurity[node] - below)
        left = X[rows, tree.feature[node]] <= tree.threshold[node]
        walk(children[0], rows[left])
        walk(children[1], rows[~left])

    walk(0, np.arange(len(X)))
    return falls


def test_falls_of_impurity_count_by_the_rows_of_the_table():
    X, y = telling(120)
    model = RandomForestClassifier(40, max_depth=5, random_state=3).fit(X, y)
    expected = np.mean([falls_by_hand(model.tree(t, X, y).nodes_, X) for t in range(40)], axis=0)
    values = model.importance(X, y, kind="impurity").values
    np.testing.assert_allclose(values, 100 * expected / expected.max(), rtol=1e-9)
    assert np.abs(values - model.importance(kind="impurity").values).max() > 0.1
    # Without draws, the rows of the table are those of each tree.
    whole = RandomForestClassifier(5, bootstrap=False, max_features=None, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        whole.importance(X, y, kind="impurity").values, whole.importance(kind="impurity").values, rtol=1e-9
    )
    with pytest.raises(ValueError, match="tree 0 cannot be grown again"):
        model.importance(X[::-1], y, kind="impurity")
