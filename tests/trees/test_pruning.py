"""Trees cut back by other rows, by a pessimistic count, and stumps."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from hornbook import DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor, datasets
from hornbook.frame import Frame
from hornbook.trees.pruning._pruning import held_out, pessimistic, row_parts


def noisy(n=300, seed=0):
    draw = np.random.default_rng(seed)
    X = pd.DataFrame({"a": draw.normal(size=n), "b": draw.normal(size=n), "c": draw.choice(list("xyz"), n)})
    X.loc[draw.random(n) < 0.1, "a"] = np.nan
    return X, (np.nan_to_num(X["a"]) + (X["c"] == "x") + draw.normal(size=n) > 0.3).astype(int).to_numpy()


def all_prunings(tree):
    """Every tree that remains when some inner nodes become leaves."""
    inner = np.flatnonzero(~tree.is_leaf)
    for chosen in product([False, True], repeat=len(inner)):
        leaves = tree.is_leaf.copy()
        leaves[inner] = chosen
        yield tree.cut(leaves)


@pytest.mark.parametrize("missing", ["direction", "fractional"])
@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_reduced_error_is_the_smallest_of_the_best_prunings(missing, splits):
    X, y = noisy()
    others, truth = noisy(120, seed=1)
    if missing == "fractional":
        others = others.dropna()  # parts of rows are judged apart, which answers are not
        truth = truth[others.index]
    for seed in range(4):
        model = DecisionTreeClassifier(
            missing=missing, splits=splits, max_depth=3, max_features=2, random_state=seed
        )
        full = model.fit(X, y).nodes_
        outcomes = []
        for pruned in all_prunings(full):
            model.nodes_ = pruned
            outcomes.append(((model.predict(others) != truth).sum(), len(pruned)))
        model.nodes_ = full
        model.prune(others, truth)
        assert ((model.predict(others) != truth).sum(), len(model.nodes_)) == min(outcomes)


def test_reduced_error_of_numbers():
    X, y = noisy()
    others, truth = noisy(120, seed=1)
    model = DecisionTreeRegressor(max_depth=3).fit(X, y + np.nan_to_num(X["b"]))
    full, target = model.nodes_, truth + np.nan_to_num(others["b"])
    errors = []
    for pruned in all_prunings(full):
        model.nodes_ = pruned
        errors.append(((model.predict(others) - target) ** 2).mean())
    model.nodes_ = full
    assert ((model.prune(others, target).predict(others) - target) ** 2).mean() == pytest.approx(min(errors))


@pytest.mark.parametrize("pruning", ["pre", "reduced_error"])
def test_held_out_rows_prune(pruning):
    X, y = noisy()
    full = DecisionTreeClassifier(random_state=0).fit(X, y)
    model = DecisionTreeClassifier(pruning=pruning, random_state=0).fit(X, y)
    assert model.get_n_leaves() < full.get_n_leaves()
    assert model.nodes_.weight[0] == pytest.approx(0.7 * 300, abs=2)
    again = DecisionTreeClassifier(pruning=pruning, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.nodes_.threshold, again.nodes_.threshold)
    numbers = DecisionTreeRegressor(pruning=pruning, random_state=0).fit(X, y + np.nan_to_num(X["b"]))
    assert numbers.get_n_leaves() < 100


def test_pre_pruning_keeps_only_splits_that_help():
    X, y = noisy(400)
    out = held_out(y, np.ones(400), 0.3, 5, by_class=True)
    grown = DecisionTreeClassifier().fit(X, y, sample_weight=(~out).astype(float))
    early = DecisionTreeClassifier(pruning="pre", random_state=5).fit(X, y)
    rows, truth = X[out], y[out]

    def errors(tree):
        grown.nodes_ = tree
        return (grown.predict(rows) != truth).sum()

    full = grown.nodes_
    alone = [errors(full.cut(~np.isin(np.arange(len(full)), [0])))]  # one split
    none = errors(full.cut(np.ones(len(full), dtype=bool)))
    assert (early.get_n_leaves() > 1) == (alone[0] < none)
    for node in np.flatnonzero(~early.nodes_.is_leaf):
        kept = ~early.nodes_.below(node) | (np.arange(len(early.nodes_)) == node)
        early_leaf = early.nodes_.cut(~kept | early.nodes_.is_leaf | (np.arange(len(early.nodes_)) == node))
        with_split = early.nodes_.cut(early.nodes_.is_leaf | ~kept)
        assert errors(with_split) < errors(early_leaf)


def test_held_out_rows_are_a_share_of_each_class():
    y = np.repeat([0, 1, 2], [100, 10, 1])
    out = held_out(y, np.ones(111), 0.3, 1, by_class=True)
    assert np.bincount(y[out], minlength=3).tolist() == [30, 3, 0]
    w = np.ones(111)
    w[:50] = 0
    assert not held_out(y, w, 0.3, 1, by_class=False)[:50].any()


def test_pessimistic_count_by_hand():
    # 20 rows with 8 errors; the split leaves 4 + 2. e' = 6 + 2/2 = 7, SE = sqrt(7 * 13 / 20) = 2.13.
    # 8.5 <= 9.13, so the split goes. With 1 + 0 errors e' = 2, SE = 1.34, and it stays.
    X = np.repeat([0.0, 1.0], [10, 10])[:, None]
    weak = np.r_[np.repeat([0, 1], [6, 4]), np.repeat([0, 1], [2, 8])]
    clear = np.r_[np.repeat([0, 1], [9, 1]), np.repeat([0, 1], [0, 10])]
    assert DecisionTreeClassifier(pruning="pessimistic").fit(X, weak).get_n_leaves() == 1
    assert DecisionTreeClassifier(pruning="pessimistic").fit(X, clear).get_n_leaves() == 2
    full = DecisionTreeClassifier().fit(*noisy()).nodes_
    assert len(pessimistic(full)) < len(full)


def test_pruning_keeps_what_is_above():
    X, y = noisy()
    model = DecisionTreeClassifier(splits="multiway").fit(X, y)
    full = model.nodes_
    leaves = full.is_leaf | (full.depth >= 2)
    cut = full.cut(leaves)
    assert cut.depth.max() == 2
    shallow = DecisionTreeClassifier(splits="multiway", max_depth=2).fit(X, y).nodes_
    for name in ("kind", "feature", "threshold", "first_child", "missing_child", "levels", "value", "share"):
        np.testing.assert_array_equal(getattr(cut, name), getattr(shallow, name), err_msg=name)


def test_classes_that_only_other_rows_have_are_errors():
    X, y = noisy()
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    assert model.prune(X, np.full(300, 7)).get_n_leaves() == 1


def test_stump_asks_once():
    frame = datasets.watermelon("3.0")
    stump = DecisionStump(criterion="entropy", splits="multiway").fit(frame)
    assert stump.get_depth() == 1
    assert stump.get_n_leaves() == 3
    tree = DecisionTreeClassifier(criterion="entropy", splits="multiway", max_depth=1).fit(frame)
    np.testing.assert_array_equal(stump.predict_proba(frame), tree.predict_proba(frame))


def test_stump_with_a_drawn_question():
    X = np.random.default_rng(0).normal(size=(50, 4))
    y = (X[:, 0] > 0).astype(int)
    drawn = [
        DecisionStump(max_features=1, thresholds="random", random_state=s).fit(X, y).nodes_ for s in range(20)
    ]
    assert len({int(tree.feature[0]) for tree in drawn}) > 1
    assert len({float(tree.threshold[0]) for tree in drawn}) == 20


@pytest.mark.parametrize("weights", [{0: 1.0, 1: 5.0}, "balanced"])
def test_weights_of_classes_count_in_pruning_and_in_split_tables(weights):
    X, y = noisy()
    y = np.where(np.arange(300) < 120, 0, y)
    factors = (
        np.array([300 / (2 * (y == k).sum()) for k in (0, 1)])
        if weights == "balanced"
        else np.array([1.0, 5.0])
    )
    by_class = DecisionTreeClassifier(class_weight=weights).fit(X, y)
    by_row = DecisionTreeClassifier().fit(X, y, sample_weight=factors[y])
    table, other = by_class.split_table(0, X, y), by_row.split_table(0, X, y, sample_weight=factors[y])
    assert max(row[-1] for row in table.rows) == pytest.approx(by_class.nodes_.gain[0])
    assert [row[-1] for row in table.rows] == pytest.approx([row[-1] for row in other.rows])
    by_class.prune(X[150:], y[150:])
    share = np.array([150 / (2 * (y[150:] == k).sum()) for k in (0, 1)]) if weights == "balanced" else factors
    by_row.prune(X[150:], y[150:], sample_weight=share[y[150:]])
    np.testing.assert_array_equal(by_class.nodes_.feature, by_row.nodes_.feature)
    assert by_class.get_n_leaves() != DecisionTreeClassifier(class_weight=weights).fit(X, y).get_n_leaves()


def votes(seed, n=435, *, gaps=True):
    """Sixteen two-valued columns from telling to noise, 3 to 25 % of each missing, as in roll-call tables."""
    draw = np.random.default_rng(seed)
    y = draw.random(n) < 0.386
    flipped = np.r_[0.03, 0.08, 0.12, np.linspace(0.15, 0.5, 13)]
    vote = y[:, None] ^ (draw.random((n, 16)) < flipped)
    X = pd.DataFrame(np.where(vote, "yes", "no"), columns=[f"vote {j}" for j in range(16)])
    missing = draw.random((n, 16)) < draw.permutation(np.linspace(0.03, 0.25, 16))
    return X.mask(missing) if gaps else X, y


def test_pessimistic_pruning_of_rows_in_parts_keeps_a_good_tree():
    full, pruned, leaves = [], [], []
    for seed in range(8):
        X, y = votes(seed)
        others, truth = votes(1000 + seed, 2000)
        models = [
            DecisionTreeClassifier(missing="fractional", pruning=p).fit(X, y) for p in (None, "pessimistic")
        ]
        full.append(models[0].score(others, truth))
        pruned.append(models[1].score(others, truth))
        leaves.append(models[1].get_n_leaves())
        assert leaves[-1] < models[0].get_n_leaves() / 2
    assert min(leaves) >= 5
    assert np.mean(pruned) > np.mean(full) - 0.01
    assert min(np.subtract(pruned, full)) > -0.03


def test_pessimistic_pruning_without_gaps_is_the_same_however_gaps_are_treated():
    for seed in range(3):
        X, y = votes(seed, gaps=False)
        w = np.random.default_rng(seed).integers(1, 4, len(y))
        for weights in (None, w):
            trees = [
                DecisionTreeClassifier(missing=missing, pruning="pessimistic")
                .fit(X, y, sample_weight=weights)
                .nodes_
                for missing in ("direction", "fractional")
            ]
            np.testing.assert_array_equal(trees[0].feature, trees[1].feature)
            np.testing.assert_array_equal(trees[0].weight, trees[1].weight)


def test_mean_part_of_a_row_by_hand():
    # Of 6 rows with a value 2 go left, so that the 2 others go left as parts of 1/3 and right as 2/3:
    # (2 + 2/9) / (2 + 2/3) = 5/6 and (4 + 8/9) / (4 + 4/3) = 11/12. Weights count as repeated rows.
    X = pd.DataFrame({"a": [0.0, 0, 1, 1, 1, 1, np.nan, np.nan]})
    y = np.array([0, 0, 1, 1, 1, 1, 0, 1])
    for repeat in (1, 3):
        w = np.full(8, float(repeat))
        tree = DecisionTreeClassifier(missing="fractional", max_depth=1).fit(X, y, sample_weight=w).nodes_
        np.testing.assert_allclose(row_parts(tree, Frame(X), w), [1.0, 5 / 6, 11 / 12])


def test_pessimistic_pruning_of_parts_is_that_of_repeated_rows():
    X, y = votes(5)
    w = np.random.default_rng(5).integers(1, 4, len(y))
    model = DecisionTreeClassifier(missing="fractional", pruning="pessimistic")
    weighted = model.fit(X, y, sample_weight=w).nodes_
    repeated = model.fit(X.loc[np.repeat(X.index, w)], np.repeat(y, w)).nodes_
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_allclose(weighted.weight, repeated.weight)
