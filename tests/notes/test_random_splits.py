"""What forests of the notes draw at random, seen in their trees: columns, thresholds, splits, sets."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from hornbook import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    Frame,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
    _native,
    impurity,
)
from hornbook.random import Stream


def roots(model, name):
    """What the root of every tree asks about: its column or its threshold."""
    return np.array([getattr(model.forest_.tree(t), name)[0] for t in range(len(model.forest_))])


def near(count, share, n):
    """Within 4.5 standard deviations of the count that is expected."""
    return abs(count - share * n) <= 4.5 * np.sqrt(n * share * (1 - share)) + 1e-9


def deciding(n=60, d=8):
    """The first column decides everything, the others nothing."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, d))
    X[:, 0] = np.sign(X[:, 0]) * (1 + np.abs(X[:, 0]))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(("columns", "k"), [(1, 1), (3, 3), ("log2", 3), ("sqrt", 2), (None, 8)])
def test_a_node_looks_at_k_of_d_columns_and_takes_the_best_of_them(columns, k):
    """The column that decides is taken whenever it is drawn: in k / d of the roots."""
    X, y = deciding()
    model = RandomForestClassifier(800, max_features=columns, max_depth=1, random_state=0).fit(X, y)
    first = roots(model, "feature")
    assert near((first == 0).sum(), k / 8, 800)
    if k == 1:  # one column at random: all are as likely, however little they say
        assert all(near(count, 1 / 8, 800) for count in np.bincount(first, minlength=8))


def test_other_columns_are_drawn_at_every_node():
    """Below a root that had to do without the column that decides, it is drawn again with chance k / d."""
    X, y = deciding(400)
    model = RandomForestClassifier(600, max_features=2, max_depth=2, bootstrap=False, random_state=0).fit(
        X, y
    )
    below = []
    for t in range(600):
        tree = model.tree(t, X, y).nodes_
        if tree.feature[0] != 0:
            below += [tree.feature[child] == 0 for child in tree.children(0) if not tree.is_leaf[child]]
    assert len(below) > 500
    assert near(sum(below), 2 / 8, len(below))


def test_all_columns_and_all_rows_make_ordinary_trees():
    X, y = deciding(80, 3)
    y[::7] ^= 1
    tree = DecisionTreeClassifier().fit(X, y)
    forest = RandomForestClassifier(5, max_features=None, bootstrap=False, random_state=0).fit(X, y)
    for t in range(5):
        np.testing.assert_array_equal(forest.forest_.tree(t).threshold, tree.nodes_.threshold)
        np.testing.assert_array_equal(forest.forest_.tree(t).feature, tree.nodes_.feature)
    np.testing.assert_array_equal(forest.predict(X), tree.predict(X))


@pytest.mark.parametrize(
    ("m", "asked", "n"),
    [(15, "sqrt", 3), (15, "log2", 3), (16, "log2", 4), (15, "third", 5), (17, "third", 5), (8, "third", 2)],
)
def test_size_of_the_subspace_is_rounded_down(m, asked, n):
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(700, m)), draw.integers(0, 2, 700)
    model = RandomForestClassifier(4, subspace="tree", max_features=asked, random_state=0).fit(X, y)
    assert {len(set(model.forest_.tree(t).feature.tolist()) - {-1}) for t in range(4)} == {n}


def graded(n=60):
    """A class that is likelier the larger x is: every cut has a gain of its own."""
    draw = np.random.default_rng(1)
    x = np.sort(draw.normal(size=n))
    return x[:, None], (x + draw.normal(size=n) > 0).astype(int)


def gains_of(X, y, criterion="entropy"):
    """The gain of every cut of every column, by its column and the place of the cut."""
    onehot = np.eye(2)[y]
    return {
        (j, (below + above) / 2): impurity.gain(
            [onehot[X[:, j] <= below].sum(axis=0), onehot[X[:, j] > below].sum(axis=0)], criterion
        )
        for j in range(X.shape[1])
        for below, above in zip(np.unique(X[:, j])[:-1], np.unique(X[:, j])[1:], strict=True)
    }


@pytest.mark.parametrize(("setting", "k"), [({"top_k": 4}, 4), ({}, 20)])
def test_one_of_the_k_best_splits_is_drawn_and_all_are_as_likely(setting, k):
    """Every threshold of the one column counts as a split; k is 20 unless told."""
    X, y = graded()
    made = {"criterion": "entropy", "max_depth": 1, "bootstrap": False, "max_features": None}
    model = RandomForestClassifier(1500, split="top_k", random_state=0, **made, **setting).fit(X, y)
    gains = gains_of(X, y)
    ranked = sorted(gains.values(), reverse=True)
    assert ranked[k - 1] > ranked[k] + 1e-9  # no tie at the end
    best = {round(cut, 9) for (_, cut), gain in gains.items() if gain >= ranked[k - 1]}
    drawn = Counter(np.round(roots(model, "threshold"), 9).tolist())
    assert set(drawn) == best
    assert all(near(count, 1 / k, 1500) for count in drawn.values())


def test_splits_are_drawn_in_proportion_to_their_gain():
    draw = np.random.default_rng(2)
    y = np.arange(40) % 2
    X = np.column_stack([y + draw.integers(0, 2, 40), draw.integers(0, 3, 40)]).astype(float)
    made = {"criterion": "entropy", "max_depth": 1, "bootstrap": False, "max_features": None}
    model = RandomForestClassifier(3000, split="proportional", random_state=0, **made).fit(X, y)
    gains = gains_of(X, y)
    assert len(gains) == 4
    total = sum(gains.values())
    drawn = Counter(zip(roots(model, "feature").tolist(), roots(model, "threshold").tolist(), strict=True))
    assert set(drawn) <= set(gains)
    for split, gain in gains.items():
        assert near(drawn[split], gain / total, 3000)


def test_a_bounded_number_of_random_splits_counts_from_none_up():
    """Trees 0, s + 1, 2 (s + 1), … are the best tree; others leave it in at most 1, 2, …, s nodes."""
    X, y = graded(200)
    X = np.column_stack([X, np.random.default_rng(3).normal(size=(200, 2))])
    made = {"split": "top_k", "bootstrap": False, "max_features": None, "max_depth": 4}
    model = RandomForestClassifier(60, max_random_splits=2, random_state=0, **made).fit(X, y)
    best = DecisionTreeClassifier(max_depth=4).fit(X, y).nodes_
    for t in range(0, 60, 3):
        np.testing.assert_array_equal(model.forest_.tree(t).threshold, best.threshold)
    others = [t for t in range(60) if t % 3]
    assert sum(model.forest_.tree(t).threshold[0] != best.threshold[0] for t in others) > 30


def test_extra_trees_draw_one_threshold_between_the_ends_of_a_column():
    """All rows are used, and the threshold is even between the smallest and the largest, not among rows."""
    X = np.r_[np.zeros(30), np.linspace(8, 10, 10)][:, None]
    y = np.r_[np.zeros(30), np.ones(10)].astype(int)
    model = ExtraTreesClassifier(1000, max_depth=1, random_state=0).fit(X, y)
    assert stats.kstest(roots(model, "threshold") / 10, "uniform").pvalue > 1e-3
    assert not model.bootstrap
    tree = ExtraTreesClassifier(1, random_state=0).fit(X, y).tree(0, X, y).nodes_
    np.testing.assert_array_equal(tree.value[0], [30, 10])  # every row once


def test_extra_trees_take_the_best_of_their_candidates():
    """As often as in a simulation, the drawn cut of the first column gains more than that of the second."""
    draw = np.random.default_rng(0)
    X = draw.uniform(size=(50, 2))
    y = (X[:, 0] + 0.4 * draw.normal(size=50) > 0.5).astype(int)
    model = ExtraTreesClassifier(
        1500, criterion="entropy", max_depth=1, max_features=None, random_state=0
    ).fit(X, y)
    onehot, wins = np.eye(2)[y], 0
    for t in draw.uniform(X.min(axis=0), X.max(axis=0), size=(4000, 2)):
        gains = [
            impurity.gain(
                [onehot[X[:, j] <= t[j]].sum(axis=0), onehot[X[:, j] > t[j]].sum(axis=0)], "entropy"
            )
            for j in (0, 1)
        ]
        wins += gains[0] > gains[1]
    share = wins / 4000
    assert 0.6 < share < 0.99
    spread = np.sqrt(share * (1 - share) * (1 / 1500 + 1 / 4000))
    assert (roots(model, "feature") == 0).mean() == pytest.approx(share, abs=4.5 * spread)


def test_extra_trees_cut_words_into_two_sets_that_are_never_empty():
    """Four levels can be cut in 7 ways, and each comes up."""
    levels = np.array(list("abcd"))[np.arange(80) % 4]
    y = np.arange(80) // 4 % 2
    frame = Frame({"word": levels})
    model = ExtraTreesClassifier(350, max_depth=1, random_state=0).fit(frame, y)
    sides = Counter()
    for t in range(350):
        leaf = model.tree(t, frame, y).apply(frame)[:4]
        sides[tuple(leaf == leaf[0])] += 1
    every = {(True, *with_first) for with_first in product([True, False], repeat=3)}
    assert set(sides) == every - {(True,) * 4}
    assert all(near(count, 1 / 7, 350) for count in sides.values())


@pytest.mark.parametrize("kind", [TotallyRandomTreesClassifier, TotallyRandomTreesRegressor])
def test_totally_random_trees_do_not_look_at_the_target(kind):
    """The column is drawn without judging it, so another target gives the same root."""
    X, y = deciding(60, 4)
    target = y if kind is TotallyRandomTreesClassifier else y + 0.5
    model = kind(800, max_depth=1, random_state=0).fit(X, target)
    first = roots(model, "feature")
    assert all(near(count, 1 / 4, 800) for count in np.bincount(first, minlength=4))
    other = kind(800, max_depth=1, random_state=0).fit(X, target[::-1].copy())
    np.testing.assert_array_equal(roots(other, "feature"), first)
    np.testing.assert_array_equal(roots(other, "threshold"), roots(model, "threshold"))


@pytest.mark.parametrize("kind", [RandomForestRegressor, ExtraTreesRegressor])
def test_a_forest_for_numbers_answers_with_the_mean_of_its_trees(kind):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(120, 4))
    y = X[:, 0] ** 2 + X[:, 1] + 0.1 * draw.normal(size=120)
    new = draw.normal(size=(50, 4))
    model = kind(12, max_features=2, random_state=0).fit(X, y)
    answers = np.array([model.tree(t, X, y).predict(new) for t in range(12)])
    assert answers.std(axis=0).min() > 0
    np.testing.assert_allclose(model.tree_answers(new), answers, atol=1e-12)
    np.testing.assert_allclose(model.predict(new), answers.mean(axis=0), atol=1e-12)
    if kind is RandomForestRegressor:
        plain = kind(3, max_features=None, bootstrap=False, random_state=0).fit(X, y)
        np.testing.assert_allclose(plain.predict(new), DecisionTreeRegressor().fit(X, y).predict(new))


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_trees_of_few_columns_vote_or_share(vote):
    """Two columns for each tree, unpruned: the answer is the mean of the trees' shares or votes."""
    X, y = deciding(150, 5)
    y[::5] ^= 1
    model = RandomForestClassifier(
        15, subspace="tree", max_features=2, vote=vote, max_depth=3, random_state=0
    ).fit(X, y)
    shares = np.array([model.tree(t, X, y).predict_proba(X) for t in range(15)])
    votes = np.eye(2)[shares.argmax(axis=2)]
    expected = (votes if vote == "hard" else shares).mean(axis=0)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-12)
    clear = np.abs(expected[:, 0] - 0.5) > 1e-9
    np.testing.assert_array_equal(model.predict(X)[clear], expected.argmax(axis=1)[clear])
    for t in range(15):
        assert len(set(model.forest_.tree(t).feature.tolist()) - {-1}) <= 2


def test_shuffling_a_column_raises_the_squared_error_of_rows_not_drawn():
    """Rise of the out-of-bag mean squared error, each tree with its own rows, by hand."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(70, 3))
    y = 3 * X[:, 0] + X[:, 1] + 0.1 * draw.normal(size=70)
    model = RandomForestRegressor(9, max_depth=4, oob_score=True, random_state=2).fit(X, y)
    importance = model.importance(X, y, n_repeats=2, random_state=5)
    outs = [np.flatnonzero(_native.bootstrap_counts(2, t, 70, 70) == 0) for t in range(9)]

    def error(shuffled):
        total, n_trees = np.zeros(70), np.zeros(70)
        for t, out in enumerate(outs):
            total[out] += model.tree(t, X, y).predict(shuffled(t, X[out]))
            n_trees[out] += 1
        known = n_trees > 0
        return np.mean((total[known] / n_trees[known] - y[known]) ** 2)

    before = error(lambda _, rows: rows)
    for j in range(3):
        after = []
        for r in range(2):

            def shuffled(t, rows, j=j, r=r):
                changed = rows.copy()
                changed[:, j] = rows[Stream(5, r * 3 + j, t).permutation(len(rows)), j]
                return changed

            after.append(error(shuffled))
        assert importance.values[j] == pytest.approx(np.mean(after) - before)
    assert importance.values[0] > importance.values[1] > importance.values[2]


def test_the_largest_importance_is_100():
    X, y = deciding(120, 4)
    y[::6] ^= 1
    model = RandomForestClassifier(20, random_state=0).fit(X, y)
    importance = model.importance(kind="impurity").values
    assert importance.max() == pytest.approx(100.0)
    assert importance.argmax() == 0
    np.testing.assert_allclose(
        importance, 100 * model.feature_importances_ / model.feature_importances_.max()
    )
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_two_classes_margins_are_twice_the_share_less_one():
    X, y = deciding(120, 4)
    y[::6] ^= 1
    model = RandomForestClassifier(9, max_depth=3, vote="hard", random_state=0).fit(X, y)
    votes = model.tree_answers(X).argmax(axis=2)
    right = (votes == y).mean(axis=0)
    np.testing.assert_allclose(model.margins(X, y), 2 * right - 1, atol=1e-12)
    assert (model.margins(X, y) < 0).any()
