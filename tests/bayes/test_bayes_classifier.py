"""BayesClassifier against independent references, and its corners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from tests.bayes.tables import mixed

from hornbook import BayesClassifier, Frame, NaiveBayes


def two_normals(n=300, seed=0, columns=4):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 3
    mix = draw.normal(size=(3, columns, columns))
    X = np.einsum("ij,ijk->ik", draw.normal(size=(n, columns)), mix[y]) + y[:, None]
    return X * [1.0, 10.0, 0.1, 3.0][:columns], y


def test_numbers_agree_with_quadratic_discriminant_analysis():
    X, y = two_normals()
    ours = BayesClassifier(var_smoothing=0.0).fit(X, y)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-8, atol=1e-10)


def test_unbiased_divisor_gives_the_covariances_of_numpy():
    X, y = two_normals()
    model = BayesClassifier(var_smoothing=0.0, variance="unbiased").fit(X, y)
    for c in range(3):
        np.testing.assert_allclose(model.covariance_[c], np.cov(X[y == c].T), rtol=1e-10)
        judged = multivariate_normal(X[y == c].mean(0), np.cov(X[y == c].T)).logpdf(X) + np.log(1 / 3)
        np.testing.assert_allclose(model.predict_joint_log_proba(X)[:, c], judged, rtol=1e-8)


def test_one_column_of_either_kind_is_naive_bayes():
    X, y = two_normals(columns=1)
    np.testing.assert_allclose(
        BayesClassifier(var_smoothing=0.0).fit(X, y).predict_proba(X),
        GaussianNB(var_smoothing=0.0).fit(X, y).predict_proba(X),
        rtol=1e-8,
    )
    codes = np.random.default_rng(1).integers(0, 5, (300, 1))
    table = Frame(codes.astype(float), kinds={0: "nominal"})
    np.testing.assert_allclose(
        BayesClassifier(alpha=0.4).fit(table, y).predict_proba(table),
        CategoricalNB(alpha=0.4).fit(codes, y).predict_proba(codes),
        rtol=1e-10,
    )


def brute_joint(codes, y, w, sizes, alpha, row, smoothing):
    """P(row | class) by going through every combination of levels; -1 in the row is summed over."""
    columns = np.flatnonzero(row >= 0)
    out = []
    known = (codes[:, columns] >= 0).all(axis=1)
    seen = known & (codes[:, columns] == row[columns]).all(axis=1) & (w > 0)
    M = int(np.prod(sizes))
    ways = M // int(np.prod(sizes[columns]))
    for c in range(3):
        n, N = w[seen & (y == c)].sum(), w[known & (y == c)].sum()
        smooth = (n + alpha * ways) / (N + alpha * M)
        plain = n / N if N > 0 else ways / M
        zero = smooth if not seen.any() and N > 0 else plain
        out.append({"laplace": smooth, "none": plain, "zero_only": zero}[smoothing])
    return out if len(columns) else [1.0] * 3


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9999),
    missing=st.sampled_from([0.0, 0.2]),
    smoothing=st.sampled_from(["laplace", "zero_only", "none"]),
)
@pytest.mark.filterwarnings("ignore:.*probability 0")
def test_joint_table_agrees_with_brute_force(seed, missing, smoothing):
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 4, 3)
    codes = draw.integers(0, sizes, (30, 3))
    codes[draw.random(codes.shape) < missing] = -1
    codes[: max(sizes)] = np.minimum(np.arange(max(sizes))[:, None], sizes - 1)  # every level occurs
    y, w = np.arange(30) % 3, draw.integers(1, 4, 30).astype(float)
    cells = np.where(codes < 0, np.nan, codes.astype(float))
    table = Frame(cells, kinds=dict.fromkeys(range(3), "nominal"))
    model = BayesClassifier(alpha=0.7, smoothing=smoothing).fit(table, y, w)
    every = np.array(list(product(*(range(-1, size) for size in sizes))))
    queries = Frame(
        np.where(every < 0, np.nan, every.astype(float)), kinds=dict.fromkeys(range(3), "nominal")
    )
    densities = np.exp(model.predict_joint_log_proba(queries)) / model.class_prior_
    judged = [brute_joint(codes, y, w, sizes, 0.7, row, smoothing) for row in every]
    np.testing.assert_allclose(densities, judged, rtol=1e-9)


def test_probabilities_of_all_combinations_sum_to_one():
    draw = np.random.default_rng(0)
    kinds = {0: "nominal", 1: "nominal"}
    codes = Frame(draw.integers(0, [3, 4], (50, 2)).astype(float), kinds=kinds)
    every = Frame(np.array(list(product(range(3), range(4))), dtype=float), kinds=kinds)
    for smoothing in ("laplace", "none"):
        model = BayesClassifier(smoothing=smoothing).fit(codes, np.arange(50) % 2)
        joint = np.exp(model.predict_joint_log_proba(every))
        np.testing.assert_allclose(joint.sum(axis=0), model.class_prior_, rtol=1e-12)


def test_numbers_and_categories_multiply():
    X, y = mixed(gaps=False)
    both = BayesClassifier().fit(X, y)
    numbers = BayesClassifier().fit(X[["size", "mass"]], y)
    words = BayesClassifier().fit(X[["color", "shape"]], y)
    np.testing.assert_allclose(
        both.predict_joint_log_proba(X),
        numbers.predict_joint_log_proba(X[["size", "mass"]])
        + words.predict_joint_log_proba(X[["color", "shape"]])
        - np.log(both.class_prior_),
        rtol=1e-10,
    )


def test_missing_numbers_are_integrated_out():
    X, y = mixed(gaps=False)
    model = BayesClassifier(var_smoothing=0.0).fit(X[["size", "mass"]], y)
    queries = pd.DataFrame({"size": [0.3, np.nan, np.nan], "mass": [np.nan, -1.0, np.nan]})
    one = BayesClassifier(var_smoothing=0.0).fit(X[["size"]], y)
    two = BayesClassifier(var_smoothing=0.0).fit(X[["mass"]], y)
    joint = model.predict_joint_log_proba(queries)
    np.testing.assert_allclose(joint[0], one.predict_joint_log_proba(queries[["size"]])[0], rtol=1e-9)
    np.testing.assert_allclose(joint[1], two.predict_joint_log_proba(queries[["mass"]])[1], rtol=1e-9)
    np.testing.assert_allclose(joint[2], np.log(model.class_prior_), rtol=1e-12)


def test_gaps_in_training_leave_pairs_that_are_there():
    X, y = two_normals()
    holes = X.copy()
    holes[::5, 0] = np.nan
    holes[1::5, 2] = np.nan
    model = BayesClassifier(var_smoothing=0.0).fit(holes, y)
    for c in range(3):
        own = pd.DataFrame(holes[y == c])
        np.testing.assert_allclose(model.means_[c], own.mean(), rtol=1e-9)
        judged = own.corr().to_numpy() * np.outer(own.std(ddof=0), own.std(ddof=0))
        np.testing.assert_allclose(model.covariance_[c], judged, rtol=1e-8)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), cut=st.integers(40, 89), density=st.sampled_from(["gaussian", "bins"]))
def test_batches_equal_all_at_once(seed, cut, density):
    X, y = mixed(seed=seed)
    X.loc[0, ["size", "mass"]] = [-9.0, -9.0]  # both ends of every column, so that the bins are the same
    X.loc[1, ["size", "mass"]] = [9.0, 9.0]
    setting = {"density": density, "n_bins": 3}
    whole = BayesClassifier(**setting).fit(X, y)
    grown = BayesClassifier(**setting).partial_fit(X[:cut], y[:cut], classes=[0, 1, 2])
    grown.partial_fit(X[cut:], y[cut:])
    lazy = BayesClassifier(lazy=True, **setting).fit(X, y)
    assert lazy.predict_proba(X).tolist() == whole.predict_proba(X).tolist()
    np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_bins_enter_the_joint_table():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [4.0]])
    ours = BayesClassifier(density="bins", n_bins=2).fit(X, list("aabbbb"))
    naive = NaiveBayes(density="bins", n_bins=2).fit(X, list("aabbbb"))
    np.testing.assert_allclose(ours.predict_proba(X), naive.predict_proba(X))
    assert not hasattr(ours, "means_")


def test_a_hundred_thousand_levels_take_no_more_room_than_the_rows():
    names = np.array([f"id{i}" for i in range(100_000)])
    table = pd.DataFrame({"id": pd.Categorical(names), "twin": pd.Categorical(names[::-1])})
    y = np.arange(100_000) % 2
    model = BayesClassifier().fit(table, y)
    share = model.predict_proba(table.iloc[:1])[0]
    # (1 + 1) / (N + M) against (0 + 1) / (N + M) with M = 10^10
    assert share == pytest.approx([2 / 3, 1 / 3])


def test_so_many_combinations_that_no_float_holds_them():
    draw = np.random.default_rng(0)
    table = Frame(draw.integers(0, 2, (40, 1200)).astype(float), kinds=dict.fromkeys(range(1200), "nominal"))
    model = BayesClassifier().fit(table, np.arange(40) % 2)
    assert np.isfinite(model.predict_proba(table)).all()


def test_costs_and_risks():
    X, y = mixed()
    costs = np.array([[0.0, 1, 5], [2, 0, 1], [9, 1, 0]])
    model = BayesClassifier(costs=costs).fit(X, y)
    share = model.predict_proba(X)
    risk = np.array([[sum(costs[i, j] * p[j] for j in range(3)) for i in range(3)] for p in share])
    np.testing.assert_allclose(model.conditional_risk(X), risk)
    assert model.predict(X).tolist() == risk.argmin(axis=1).tolist()
    assert model.bayes_risk(X) == pytest.approx(risk.min(axis=1).mean())
    weights = np.arange(120.0)
    assert model.bayes_risk(X, weights) == pytest.approx(weights @ risk.min(axis=1) / weights.sum())
    with pytest.raises(ValueError, match="'sample_weight' must be 120 numbers"):
        model.bayes_risk(X, [1.0])


def test_class_with_one_row_is_told():
    X, y = two_normals(columns=2)
    y[y == 2] = 1
    y[0] = 7
    with pytest.warns(UserWarning, match=r"class 7 has no inverse because it has rows of weight 1 for 2"):
        model = BayesClassifier().fit(X, y)
    assert 10 * model.class_prior_[2] > model.predict_proba(X[:1])[0, 2] > 2 * model.class_prior_[2]
    assert np.isfinite(model.predict_proba(X)).all()


def test_singular_covariances_are_told_or_refused():
    X, y = two_normals(columns=2)
    double = np.column_stack([X, X[:, 0] + X[:, 1]])
    with pytest.warns(UserWarning, match="no inverse because its columns depend on each other"):
        BayesClassifier().fit(double, y)
    with pytest.raises(ValueError, match="has no inverse because its columns.*var_smoothing above 0"):
        BayesClassifier(var_smoothing=0.0).fit(double, y)
    X[y == 1, 0] = 4.0
    with pytest.warns(UserWarning, match="class 1 has no inverse because column 'x0' has one value in it"):
        model = BayesClassifier().fit(X, y)
    assert (model.predict(X)[y == 1] == 1).mean() > 0.95


def test_column_that_never_varies_says_nothing():
    X, y = two_normals(columns=2)
    still = np.column_stack([X, np.full(300, 7.0)])
    model = BayesClassifier(var_smoothing=1e-9).fit(still, y)
    np.testing.assert_allclose(
        model.predict_proba(still), BayesClassifier(var_smoothing=1e-9).fit(X, y).predict_proba(X), rtol=1e-8
    )


def test_underflow_is_answered_by_the_prior_with_a_warning():
    X, y = two_normals()
    model = BayesClassifier().fit(X, y)
    with pytest.warns(UserWarning, match="1 rows have probability 0 in every class"):
        assert model.predict_proba([[1e308] * 4]) == pytest.approx(np.full((1, 3), 1 / 3))
    assert np.isfinite(model.predict_proba([[1e6] * 4])).all()


def test_values_too_large_for_a_variance_are_refused():
    with pytest.raises(ValueError, match="column 'x0' holds values so large that their variance overflows"):
        BayesClassifier().fit([[1e308, 1.0], [-1e308, 2.0], [1.0, 0.0], [2.0, 9.0]], list("aabb"))


def test_column_without_any_value_is_left_out_and_said():
    X, y = two_normals(columns=2)
    empty = np.column_stack([X, np.full(300, np.nan)])
    for density in ("gaussian", "bins"):
        with pytest.warns(UserWarning, match="column 'x2' has no values: it is left out"):
            model = BayesClassifier(density=density).fit(empty, y)
        alone = BayesClassifier(density=density).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(empty), alone.predict_proba(X), rtol=1e-9)


def test_two_columns_are_crossed_and_more_are_listed():
    X, y = mixed(gaps=False)
    (table,) = BayesClassifier(smoothing="none").fit(X[["color", "shape"]], y).tables_[0]
    assert table.head[-1] == table.rows[-1][0] == "total"
    assert table.rows[-1][-1] == pytest.approx(1.0)
    X["lid"] = np.where(X["size"] > 0, "on", "off")
    (listed,) = BayesClassifier(smoothing="none").fit(X[["color", "shape", "lid"]], y).tables_[0]
    assert list(listed.head) == ["color", "shape", "lid", "P"]
    assert sum(row[-1] for row in listed.rows) == pytest.approx(1.0)


def test_two_numbers_are_drawn_with_rotated_ellipses():
    X, y = mixed(gaps=False)
    model = BayesClassifier().fit(X[["size", "mass"]], y)
    ax = model.plot(X[["size", "mass"]], y)
    assert len(ax.patches) == 6
    assert all(patch.angle != 0 for patch in ax.patches)
    assert len(BayesClassifier().fit(X, y).plot().child_axes) == 4


def test_moments_that_do_not_fit_into_memory_are_refused(monkeypatch):
    import hornbook.frame._memory as memory

    monkeypatch.setattr(memory, "_free", lambda: 100)
    with pytest.raises(MemoryError, match="leave out columns, or use NaiveBayes"):
        BayesClassifier().fit(*two_normals())
