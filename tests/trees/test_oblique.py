"""Trees with slanting cuts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.tree import gain

from hornbook import DecisionTreeClassifier, ObliqueTreeClassifier, ObliqueTreeRegressor, datasets
from hornbook.linear import LinearDiscriminant, LogisticRegression, Ridge
from hornbook.plots import boundaries


def slanting(n=400, seed=0):
    X = np.random.default_rng(seed).uniform(size=(n, 2))
    return X, (X[:, 0] + X[:, 1] > 1).astype(int)


def test_slanting_borders_need_fewer_leaves():
    X, y = slanting()
    test, truth = slanting(1000, seed=1)
    steps, slants = DecisionTreeClassifier().fit(X, y), ObliqueTreeClassifier().fit(X, y)
    assert slants.get_n_leaves() * 3 < steps.get_n_leaves()
    assert slants.score(test, truth) > steps.score(test, truth)
    assert slants.score(X, y) == 1.0
    assert len(boundaries([steps, slants], X, y).collections) > 1


def test_every_node_has_the_best_threshold_of_its_sum():
    frame = datasets.iris()
    X, y = frame.numbers, np.unique(frame.y, return_inverse=True)[1]
    tree = ObliqueTreeClassifier(criterion="entropy").fit(X, y).nodes_
    rows = {0: np.arange(150)}
    for node in range(len(tree)):
        here = rows[node]
        np.testing.assert_array_equal(tree.value[node], np.bincount(y[here], minlength=3))
        if tree.is_leaf[node]:
            continue
        sums = X[here] @ tree.coef[node]
        cuts = np.unique(sums)[:-1]
        onehot = np.eye(3)[y[here]]
        tables = [np.array([onehot[sums <= c].sum(axis=0), onehot[sums > c].sum(axis=0)]) for c in cuts]
        assert tree.gain[node] == pytest.approx(max(gain(table, "entropy") for table in tables), abs=1e-9)
        right = sums > tree.threshold[node]
        first = int(tree.first_child[node])
        rows[first], rows[first + 1] = here[~right], here[right]
    assert tree.is_leaf.sum() < 12


def test_numbers_of_a_slanting_step():
    X, y = slanting()
    model = ObliqueTreeRegressor(max_depth=3).fit(X, 10.0 * y)
    steps = 10.0 * y - model.predict(X)
    assert np.mean(steps**2) < 1.0
    leaf = model.nodes_.apply(X)
    for node in np.unique(leaf):
        assert model.nodes_.value[node, 0] == pytest.approx(10.0 * y[leaf == node].mean())


def test_any_linear_learner_finds_the_weights():
    X, y = slanting()
    assert ObliqueTreeClassifier(estimator=LinearDiscriminant(), max_depth=4).fit(X, y).score(X, y) > 0.97
    assert ObliqueTreeRegressor(estimator=Ridge(alpha=10.0), max_depth=1).fit(X, y).get_n_leaves() == 2
    with pytest.raises(ValueError, match="linear learner with coef_"):
        ObliqueTreeClassifier(estimator=DecisionTreeClassifier()).fit(X, y)


def rough(n, *, weighted, seed=0):
    """Columns of very different size, some of which say little or nothing."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 4)) * [1.0, 1e-6, 1e7, 30.0] + [0, 0, 1e7, 5], np.ones(n)])
    number = X[:, 0] * X[:, 3] + 1e6 * X[:, 1] + rng.normal(size=n)
    return X, number, rng.integers(0, 4, n).astype(float) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
def test_without_an_estimator_it_is_the_one_that_is_named(weighted):
    X, number, w = rough(250, weighted=weighted)
    y = np.digitize(number, [-20.0, 0.0, 20.0])
    short = ObliqueTreeClassifier().fit(X, y, sample_weight=w).nodes_
    named = ObliqueTreeClassifier(estimator=LogisticRegression()).fit(X, y, sample_weight=w).nodes_
    np.testing.assert_array_equal(short.first_child, named.first_child)
    np.testing.assert_allclose(short.coef, named.coef, rtol=1e-9)
    short = ObliqueTreeRegressor().fit(X, number, sample_weight=w).nodes_
    named = ObliqueTreeRegressor(estimator=Ridge()).fit(X, number, sample_weight=w).nodes_
    np.testing.assert_array_equal(short.first_child, named.first_child)
    np.testing.assert_allclose(short.coef, named.coef, rtol=1e-9)


@pytest.mark.parametrize("shape", [(5000, 3), (200, 140)], ids=["many rows", "many columns"])
def test_large_nodes_leave_it_to_the_learner(shape):
    rng = np.random.default_rng(0)
    X, number = rng.normal(size=shape), rng.normal(size=shape[0])
    for model, learner, y in (
        (ObliqueTreeClassifier, LogisticRegression, number > 0),
        (ObliqueTreeRegressor, Ridge, number),
    ):
        short = model(max_depth=1).fit(X, y).nodes_
        named = model(max_depth=1, estimator=learner()).fit(X, y).nodes_
        np.testing.assert_array_equal(short.coef, named.coef)


def test_limits_of_growth():
    X, y = slanting()
    flipped = np.where(np.arange(400) % 9 == 0, 1 - y, y)
    assert ObliqueTreeClassifier(max_depth=2).fit(X, flipped).get_depth() == 2
    wide = ObliqueTreeClassifier(min_samples_leaf=30).fit(X, flipped).nodes_
    assert wide.n_rows.min() >= 30
    gaining = ObliqueTreeClassifier(min_gain=0.1).fit(X, flipped).nodes_
    assert (gaining.gain[~gaining.is_leaf] >= 0.1).all()
    assert len(ObliqueTreeClassifier(min_samples_split=401).fit(X, flipped).nodes_) == 1


def test_path_and_words_name_the_sum():
    X, y = slanting()
    model = ObliqueTreeClassifier(max_depth=2).fit(X, y)
    working = model.working([0.1, 0.2])
    assert working.scores == pytest.approx(model.predict_proba([[0.1, 0.2]])[0])
    assert "x0" in working.terms[1].name
    assert "x1" in working.terms[1].name
    assert "Oblique tree classifier" in str(model.describe())


def test_every_criterion_chooses_its_own_threshold():
    frame = datasets.iris()
    X, y = frame.numbers, np.unique(frame.y, return_inverse=True)[1]
    for name in ("gini", "entropy", "raw_gain_ratio", "cart", "daroczy", "misclassification"):
        tree = ObliqueTreeClassifier(criterion=name, beta=1.5, max_depth=1).fit(X, y).nodes_
        sums = X @ tree.coef[0]
        tables = [
            np.array([np.bincount(y[side], minlength=3) for side in (sums <= c, sums > c)])
            for c in np.unique(sums)[:-1]
        ]
        best = max(gain(table, name, 1.5) for table in tables)
        assert tree.gain[0] == pytest.approx(best, abs=1e-9)


def test_absolute_errors_have_medians_in_the_leaves():
    X, y = slanting(200)
    number = np.where(y == 1, 5.0, 0.0) + np.random.default_rng(1).exponential(size=200)
    model = ObliqueTreeRegressor(criterion="absolute_error", max_depth=2).fit(X, number)
    leaf = model.nodes_.apply(X)
    for node in np.unique(leaf):
        assert model.nodes_.value[node, 0] == pytest.approx(np.median(number[leaf == node]))


def test_oblique_leaves_by_size_and_purity_and_weights_of_classes():
    X, y = slanting()
    flipped = np.where(np.arange(400) % 9 == 0, 1 - y, y)
    full = ObliqueTreeClassifier().fit(X, flipped)
    sizes = full.nodes_.weight[~full.nodes_.is_leaf]
    assert sizes.min() <= 40
    coarse = ObliqueTreeClassifier(leaf_size=40).fit(X, flipped).nodes_
    assert coarse.weight[~coarse.is_leaf].min() > 40
    pure = ObliqueTreeClassifier(purity=0.8).fit(X, flipped).nodes_
    shares = pure.value.max(axis=1) / pure.value.sum(axis=1)
    assert shares[~pure.is_leaf].max() < 0.8
    light = ObliqueTreeClassifier(min_weight_fraction_leaf=0.2).fit(X, flipped).nodes_
    assert len(light) > 1
    assert light.weight.min() >= 80
    heavy = ObliqueTreeClassifier(class_weight={0: 3, 1: 1}).fit(X, flipped).nodes_
    same = ObliqueTreeClassifier().fit(X, flipped, sample_weight=np.where(flipped == 0, 3.0, 1.0)).nodes_
    np.testing.assert_array_equal(heavy.value, same.value)
    np.testing.assert_array_equal(heavy.coef, same.coef)


def test_the_description_leads_from_node_to_node():
    X, y = slanting()
    model = ObliqueTreeClassifier(max_depth=2).fit(X, y)
    table = model.describe().tables[0]
    assert list(table.head) == ["node", "question", "if yes", "if no", "answer", "rows"]
    assert {child for row in table.rows for child in row[2:4] if child} == set(range(1, len(model.nodes_)))


def test_a_far_origin_of_the_target_costs_no_digits():
    X, y = slanting()
    number = 10.0 * y + np.random.default_rng(0).normal(size=400)
    near, far = ObliqueTreeRegressor(max_depth=4).fit(X, number), ObliqueTreeRegressor(max_depth=4)
    far.fit(X, number + 2.0**33)
    np.testing.assert_allclose(far.predict(X) - 2.0**33, near.predict(X), atol=1e-5)


def test_growing_ends_where_weights_of_columns_are_no_numbers():
    X = np.array([[1e-320], [2e-320], [3e-320], [0.0]])
    assert ObliqueTreeClassifier().fit(X, [0, 1, 0, 1]).get_n_leaves() == 1
    both = np.c_[X, [0.0, 1.0, 2.0, 3.0]]
    assert ObliqueTreeClassifier().fit(both, [0, 0, 1, 1]).predict(both).tolist() == [0, 0, 1, 1]


def test_targets_that_float64_cannot_square_are_refused_and_weights_of_any_size_are_not():
    X, y = slanting(60)
    usual = ObliqueTreeClassifier().fit(X, y).predict_proba(X)
    for unit in (2.0**660, 2.0**-660):
        with pytest.raises(ValueError, match="sums of such squares may overflow or underflow"):
            ObliqueTreeRegressor().fit(X, unit * y)
        model = ObliqueTreeClassifier().fit(X, y, sample_weight=np.full(60, unit))
        np.testing.assert_allclose(model.predict_proba(X), usual)


def test_rules_of_slanting_cuts():
    X, y = slanting()
    model = ObliqueTreeClassifier(max_depth=2).fit(X, np.where(y == 1, "above", "below"))
    rules = list(model.rules())
    assert len(rules) == model.get_n_leaves()
    assert sum(rule.weight for rule in rules) == 400
    answers = {f"{rule.conditions}": rule.answer for rule in rules}
    for x in X[::40]:
        way = tuple(term.name for term in model.working(x).terms[1:])
        assert answers[f"{way}"] == model.predict([x])[0]
    assert str(model.rules()).startswith(f"if {rules[0].conditions[0]}")
    assert list(model.rules().to_table().head) == ["rule", "if", "then", "rows", "above", "below"]
