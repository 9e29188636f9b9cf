"""NaiveBayes against independent references, and its corners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gaussian_kde
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from tests.oracles.naive_bayes import naive_bayes

from hornbook import Frame, NaiveBayes, datasets

COLORS = np.array(["dark", "green", "light", "red"])


def mixed(n=80, seed=3):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, n)
    X = pd.DataFrame(
        {
            "size": draw.normal(y, 1.0),
            "mass": draw.normal(-y, 2.0),
            "color": COLORS[(y + (draw.random(n) < 0.4)) % 4],
        }
    )
    X.loc[draw.choice(n, n // 8, replace=False), "mass"] = np.nan
    X.loc[draw.choice(n, n // 8, replace=False), "color"] = None
    return X, y, draw.integers(0, 3, n).astype(float)


def test_gaussian_agrees_with_scikit_learn():
    X = np.random.default_rng(0).normal(size=(300, 5)) * [1, 2, 3, 4, 5]
    y = np.arange(300) % 3
    ours, theirs = NaiveBayes(var_smoothing=0.0).fit(X, y), GaussianNB(var_smoothing=0.0).fit(X, y)
    np.testing.assert_allclose(ours.mean_, theirs.theta_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10)
    w = np.random.default_rng(1).random(300)
    ours, theirs = NaiveBayes(var_smoothing=0.0).fit(X, y, w), GaussianNB(var_smoothing=0.0).fit(X, y, w)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_categories_agree_with_scikit_learn(alpha):
    draw = np.random.default_rng(0)
    codes = draw.integers(0, [2, 3, 5], (200, 3))
    y = draw.integers(0, 2, 200)
    w = draw.random(200)
    X = Frame(codes.astype(float), kinds={0: "nominal", 1: "nominal", 2: "ordinal"})
    ours = NaiveBayes(alpha=alpha).fit(X, y, w)
    theirs = CategoricalNB(alpha=alpha).fit(codes, y, w)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(codes), rtol=1e-10)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_kernel_densities_agree_with_scipy(rule):
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(120, 2)), np.arange(120) % 2
    w = draw.integers(1, 4, 120).astype(float)
    model = NaiveBayes(density="kernel", bandwidth=rule).fit(X, y, w)
    at = draw.normal(size=(30, 2)) * 2
    for c in (0, 1):
        repeated = np.repeat(X[y == c], w[y == c].astype(int), axis=0)
        logs = sum(np.log(gaussian_kde(repeated[:, j], bw_method=rule)(at[:, j])) for j in (0, 1))
        prior = np.log(w[y == c].sum() / w.sum())
        np.testing.assert_allclose(model.predict_joint_log_proba(at)[:, c], logs + prior, rtol=1e-9)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 60),
    smoothing=st.sampled_from(["laplace", "zero_only"]),
    variance=st.sampled_from(["ml", "unbiased"]),
    smooth_prior=st.booleans(),
)
def test_agrees_with_the_plain_twin(seed, n, smoothing, variance, smooth_prior):
    X, y, w = mixed(n, seed)
    w[0] += 1
    setting = {"smoothing": smoothing, "variance": variance, "smooth_prior": smooth_prior}
    model = NaiveBayes(var_smoothing=0.01, **setting).fit(X, y, w)
    joint = model.predict_joint_log_proba(X)
    expected = naive_bayes(X, y, w, model.classes_, var_smoothing=0.01, **setting)
    np.testing.assert_allclose(joint, expected, rtol=1e-9)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), cut=st.integers(1, 59), density=st.sampled_from(["gaussian", "kernel"]))
def test_batches_equal_all_at_once(seed, cut, density):
    X, y, w = mixed(60, seed)
    w += 0.5
    whole = NaiveBayes(density=density).fit(X, y, w)
    grown = NaiveBayes(density=density).partial_fit(
        X[:cut], y[:cut], classes=np.unique(y), sample_weight=w[:cut]
    )
    grown.partial_fit(X[cut:], y[cut:], sample_weight=w[cut:])
    assert set(grown.schema_.columns[2].levels) == set(whole.schema_.columns[2].levels)
    np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_bins_are_counted_like_categories():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [4.0]])
    model = NaiveBayes(density="bins", n_bins=2).fit(X, list("aabbbb"))
    assert model.tables_["x0"].to_dict()["rows"] == [["[0, 2]", 0.75, 1 / 3], ["(2, 4]", 0.25, 2 / 3]]
    # The outermost bins extend beyond the range of the training values.
    assert model.predict_proba([[-9.0]]).tolist() == model.predict_proba([[0.5]]).tolist()


def test_missing_cells_have_no_factor():
    X, y, _ = mixed()
    model = NaiveBayes().fit(X, y)
    empty = pd.DataFrame({"size": [np.nan], "mass": [np.nan], "color": [None]})
    assert model.predict_proba(empty)[0] == pytest.approx(model.class_prior_)
    assert [term["name"] for term in model.working(empty).to_dict()["terms"]] == ["P(class)"]


def test_class_without_values_in_a_column_borrows_from_all():
    X = np.array([[1.0, 0.0], [3.0, 1.0], [np.nan, 2.0], [np.nan, 5.0]])
    model = NaiveBayes(var_smoothing=0.0).fit(X, [0, 0, 1, 1])
    assert model.mean_[1, 0] == 2.0
    assert model.var_[1, 0] == 1.0


def test_column_without_any_value_is_left_out_and_said():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [7.0, np.nan], [8.0, np.nan]])
    with pytest.warns(UserWarning, match="column 'x1' has no values: it is left out"):
        model = NaiveBayes().fit(X, list("aabb"))
    alone = NaiveBayes().fit(X[:, :1], list("aabb"))
    np.testing.assert_allclose(model.predict_proba([[1.5, 3.0]]), alone.predict_proba([[1.5]]))


def test_costs_move_the_decision():
    X, y, _ = mixed()
    y = np.where(y > 0, "ill", "well")
    plain, careful = NaiveBayes().fit(X, y), NaiveBayes(costs=[[0, 1], [20, 0]]).fit(X, y)
    # costs[i][j]: deciding i when j is true; deciding "well" (1) for the ill (0) is costly.
    share = plain.predict_proba(X)
    expected = np.where(20 * share[:, 0] < 1 * share[:, 1], "well", "ill")
    assert careful.predict(X).tolist() == expected.tolist()
    assert (careful.predict(X) == "ill").sum() > (plain.predict(X) == "ill").sum()
    assert careful.working(X.iloc[[0]]).to_dict()["costs"] == [[0.0, 1.0], [20.0, 0.0]]


def test_priors_replace_the_shares():
    X, y, _ = mixed()
    model = NaiveBayes(priors=[0.2, 0.3, 0.5]).fit(X, y)
    assert model.class_prior_.tolist() == [0.2, 0.3, 0.5]
    ratio = model.predict_joint_log_proba(X) - NaiveBayes().fit(X, y).predict_joint_log_proba(X)
    np.testing.assert_allclose(ratio, np.tile(np.log([0.2, 0.3, 0.5]) - np.log(np.bincount(y) / 80), (80, 1)))


def test_far_away_rows_are_answered_by_the_prior_with_a_warning():
    model = NaiveBayes().fit(np.array([[0.0], [1.0], [5.0], [6.0]]), [0, 0, 1, 1])
    with pytest.warns(UserWarning, match="1 rows have probability 0 in every class"):
        assert model.predict_proba([[1e308]]).tolist() == [[0.5, 0.5]]


def test_columns_on_different_scales_keep_their_information():
    draw = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = np.column_stack([draw.normal(size=100) * 1e9, (y + draw.normal(size=100) * 0.01) * 1e-6])
    assert NaiveBayes().fit(X, y).score(X, y) == 1.0


def test_zero_variance_without_smoothing_is_refused():
    with pytest.raises(ValueError, match="column 'x0' has variance 0 in class 'a'.*var_smoothing"):
        NaiveBayes(var_smoothing=0.0).fit([[1.0], [1.0], [2.0], [3.0]], list("aabb"))


def test_values_too_large_for_a_variance_are_refused():
    with pytest.raises(ValueError, match="column 'x0' holds values so large that their variance overflows"):
        NaiveBayes().fit([[1e308], [-1e308], [1.0], [2.0]], list("aabb"))


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"costs": [[0, 1, 2]]}, "parameter 'costs' must be a 2 x 2 table of finite numbers.*shape"),
        ({"priors": [0.5, 0.6]}, "parameter 'priors' must be 2 numbers >= 0 with sum 1"),
        ({"priors": [1.0]}, "parameter 'priors' must be 2 numbers"),
        ({"smoothing": "some"}, "parameter 'smoothing' must be one of 'laplace', 'zero_only', 'none'"),
        ({"alpha": 0.0}, "parameter 'alpha'"),
        ({"n_bins": 0}, "parameter 'n_bins'"),
        ({"bandwidth": -1.0}, "parameter 'bandwidth'"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_wrong_parameters_are_named(setting, sentence):
    with pytest.raises(ValueError, match=sentence):
        NaiveBayes(**setting).fit([[0.0], [1.0]], ["a", "b"])


def test_partial_fit_needs_all_classes_at_first():
    model = NaiveBayes().partial_fit([[1.0], [2.0]], ["a", "a"], classes=["a", "b"])
    assert model.predict([[1.5]]).tolist() == ["a"]
    with pytest.raises(ValueError, match="contains the class 'c'.*first call of partial_fit"):
        model.partial_fit([[1.0]], ["c"])
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit([[1.0]], ["a"], classes=["a", "z"])
    assert model.partial_fit([[8.0], [9.0]], ["b", "b"]).predict([[8.5]]).tolist() == ["b"]


def test_new_category_in_a_later_batch_enters_the_table():
    model = NaiveBayes().partial_fit({"c": ["x", "y"]}, [0, 1])
    model.partial_fit({"c": ["z"]}, [1])
    rows = {row[0]: row[1:] for row in model.tables_["c"].rows}
    assert rows == {"x": [0.5, 0.2], "y": [0.25, 0.4], "z": [0.25, 0.4]}


def test_described_in_tables_that_can_be_checked_by_hand():
    text = str(NaiveBayes(smoothing="none").fit(datasets.watermelon("3.0")).describe())
    assert "P(color | class)" in text
    assert "0.375" in text
    assert "Normal density of density" in text


def test_two_numbers_are_drawn_as_ellipses_and_others_as_panels():
    iris = datasets.iris(view="plane")
    ax = NaiveBayes().fit(iris).plot(iris)
    assert (ax.get_xlabel(), ax.get_ylabel()) == iris.features.schema.names
    for setting in ({}, {"density": "kernel"}, {"density": "bins", "n_bins": 5}):
        model = NaiveBayes(**setting).fit(datasets.watermelon("3.0"))
        assert len(model.plot().child_axes) >= 8


def test_kernel_model_forgets_nothing_and_gaussian_keeps_no_rows():
    X, y, _ = mixed()
    assert NaiveBayes(density="kernel").fit(X, y).statistics_.kept is not None
    assert NaiveBayes().fit(X, y).statistics_.kept is None


def test_tables_that_do_not_fit_into_memory_are_refused(monkeypatch):
    import hornbook.frame._memory as memory

    monkeypatch.setattr(memory, "_free", lambda: 100)
    for lazy in (False, True):
        with pytest.raises(MemoryError, match="leave out columns with very many levels"):
            NaiveBayes(lazy=lazy).fit({"c": list("abcdefgh")}, [0, 1] * 4).predict({"c": ["a"]})


def test_means_have_the_name_of_scikit_learn_too():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    np.testing.assert_allclose(NaiveBayes().fit(X, y).theta_, GaussianNB().fit(X, y).theta_, rtol=1e-12)


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        ([1.0], "Number of priors must match number of classes"),
        ([-0.5, 1.5], "Priors must be non-negative"),
        ([0.5, 0.6], "The sum of the priors should be 1"),
    ],
)
def test_wrong_priors_are_said_to_be_wrong_in_what(priors, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayes(priors=priors).fit([[0.0], [1.0]], [0, 1])
