"""A number with one value in a class: evidence for or against the class, but never decisive alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB

from hornbook import AODE, SPODE, TAN, BayesClassifier, NaiveBayes, frame


def flags(n, seed):
    """Ten informative numbers, and a count that is 0 in all 40 training rows of class 0 by chance."""
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = draw.normal(0.5 * y[:, None], 1.0, (n, 11))
    X[:, 10] = draw.poisson(np.where(y == 1, 0.5, 0.02 if n > 100 else 0.0))
    return X, y


def accuracy(model, X, y):
    return float((model.predict(X) == y).mean())


def test_a_column_with_one_value_in_a_class_does_not_outvote_all_others():
    (X, y), (new, truth) = flags(80, 0), flags(4000, 1)
    with pytest.warns(UserWarning, match=r"column 'x10' has one value in class 0: .*density='bins'"):
        model = NaiveBayes().fit(X, y)
    without = accuracy(NaiveBayes().fit(X[:, :10], y), new[:, :10], truth)
    with pytest.warns(UserWarning, match="column 'x10'"):
        theirs = accuracy(NaiveBayes(var_scale="largest").fit(X, y), new, truth)
    assert theirs < 0.72
    assert accuracy(model, new, truth) > without > 0.74


def test_its_variance_is_that_of_all_rows_narrowed_by_the_rows_of_the_class():
    X = np.array([[3.0], [3.0], [3.0], [1.0], [9.0]])
    v = X.var()
    with pytest.warns(UserWarning, match="column 'x0' has one value in class 'a'"):
        model = NaiveBayes(var_smoothing=1e-3).fit(X, list("aaabb"))
    assert model.var_[:, 0] == pytest.approx([v / (2 * np.log(4)) + 1e-3 * v, 16.0 + 1e-3 * v], rel=1e-12)
    plain = NaiveBayes(var_smoothing=1e-12)
    with pytest.warns(UserWarning, match="column 'x0'"):
        plain.fit(X, list("aaabb"))
    # One standard deviation of the column away the density is 1 / (N + 1) of that at the value itself.
    at, away = np.exp(plain.predict_joint_log_proba([[3.0], [3.0 + np.sqrt(v)]])[:, 0])
    assert away / at == pytest.approx(1 / 4, rel=1e-9)


def test_the_rule_does_not_depend_on_the_units_of_a_column():
    X, y = flags(80, 0)
    scales = 10.0 ** np.arange(-9, 13, 2)
    with pytest.warns(UserWarning, match="'x10'"):
        model, other = NaiveBayes().fit(X, y), NaiveBayes().fit(X * scales, y)
    np.testing.assert_allclose(other.predict_proba(X * scales), model.predict_proba(X), rtol=1e-6)


def test_jitter_below_rounding_is_one_value_and_more_is_not():
    X = np.column_stack([np.r_[3.0 + 1e-7 * np.arange(5), np.arange(5.0)]])
    with pytest.warns(UserWarning, match="column 'x0' has one value in class 0"):
        assert NaiveBayes().fit(X, [0] * 5 + [1] * 5).var_[0, 0] > 0.1
    X[:5, 0] = 3.0 + 1e-3 * np.arange(5)
    assert NaiveBayes().fit(X, [0] * 5 + [1] * 5).var_[0, 0] == pytest.approx(2e-6, rel=1e-2)


def test_scikit_learns_rule_is_selectable():
    X, y = load_digits(return_X_y=True)
    with pytest.warns(
        UserWarning, match=r"column 'x7' has one value in class 0 \(92 more such pairs\): .* outvotes"
    ):
        ours = NaiveBayes(var_scale="largest").fit(X, y)
    theirs = GaussianNB().fit(X, y)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("load", [load_digits, load_breast_cancer, load_wine, load_iris])
def test_never_far_behind_scikit_learn_on_real_tables(load):
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    X, y, half = X[order], y[order], len(X) // 2
    ours = accuracy(NaiveBayes().fit(X[:half], y[:half]), X[half:], y[half:])
    theirs = accuracy(GaussianNB().fit(X[:half], y[:half]), X[half:], y[half:])
    assert ours >= theirs - 0.01
    if load is load_digits:
        assert ours > theirs + 0.04


def test_a_class_of_one_row_is_named():
    X, y = flags(80, 3)
    y = np.where(np.arange(80) == 0, 7, y)
    with pytest.warns(UserWarning, match="has one") as caught:
        model = NaiveBayes().fit(X, y)
    texts = [str(warning.message) for warning in caught]
    assert any(text.startswith("class 7 has only one row, which shows nothing") for text in texts)
    assert any(text.startswith("column 'x10' has one value in class 0:") for text in texts)
    assert model.predict(X[:1]).tolist() == [7]
    np.testing.assert_allclose(model.var_[2], X.var(axis=0) / (2 * np.log(2)), rtol=1e-6)


def test_a_column_that_never_varies_decides_nothing_and_needs_no_warning():
    X, y = flags(4000, 4)
    still = np.column_stack([X, np.full(len(X), 5.0)])
    model, alone = NaiveBayes().fit(still, y), NaiveBayes().fit(X, y)
    new = still.copy()
    new[:, -1] = 1e6  # far from the one value, in every class
    np.testing.assert_allclose(model.predict_proba(new), alone.predict_proba(X), rtol=1e-3, atol=1e-6)


def test_kernel_densities_follow_the_same_rule():
    X = np.array([[3.0], [3.0], [3.0], [1.0], [9.0]])
    for scale in (1.0, 1e-6, 1e9):
        with pytest.warns(UserWarning, match="column 'x0' has one value in class 'a'"):
            model = NaiveBayes(density="kernel").fit(X * scale, list("aaabb"))
        width = model.tables_["x0"].to_dict()["rows"][1]
        assert width[1] == pytest.approx(scale * np.sqrt(X.var() / (2 * np.log(4))), rel=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a bandwidth from the user is taken as it is
        NaiveBayes(density="kernel", bandwidth=0.1).fit(X, list("aaabb"))
        NaiveBayes(density="bins").fit(X, list("aaabb"))


def test_a_density_is_called_a_density():
    table = {"size": [1.0, 2.0, 5.0, 7.0], "color": ["r", "g", "r", "g"]}
    row = {"size": 2.0, "color": "g"}
    names = {
        density: [
            term["name"]
            for term in NaiveBayes(density=density).fit(table, [0, 0, 1, 1]).working(row).to_dict()["terms"]
        ]
        for density in ("gaussian", "kernel", "bins")
    }
    assert names["gaussian"] == ["P(class)", "density(size = 2 | class)", "P(color = g | class)"]
    assert names["kernel"] == names["gaussian"]
    assert names["bins"] == ["P(class)", "P(size = 2 | class)", "P(color = g | class)"]


@pytest.mark.parametrize("smoothing", ["laplace", "zero_only"])
@pytest.mark.parametrize("learner", [AODE, SPODE, TAN])
def test_one_dependence_estimators_follow_the_same_rule(learner, smoothing):
    (X, y), (new, truth) = flags(80, 0), flags(4000, 1)
    color = np.random.default_rng(5).integers(0, 2, 4080).astype(float)
    table = frame.Frame(np.column_stack([X, color[:80]]), kinds={11: "nominal"})
    fresh = frame.Frame(np.column_stack([new, color[80:]]), kinds={11: "nominal"})
    with pytest.warns(UserWarning, match=r"column 'x10' has one value in class 0"):
        model = learner(density="gaussian", smoothing=smoothing).fit(table, y)
    assert accuracy(model, fresh, truth) > 0.73


def test_the_full_classifier_follows_the_same_rule_in_every_direction():
    (X, y), (new, truth) = flags(80, 0), flags(4000, 1)
    with pytest.warns(UserWarning, match="class 0 has no inverse because column 'x10' has one value in it"):
        model = BayesClassifier().fit(X, y)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(11, 11)))[0]
    without = accuracy(BayesClassifier().fit(X[:, :10], y), new[:, :10], truth)
    assert accuracy(model, new, truth) > without - 0.01
    assert model.covariance_[0, 10, 10] == pytest.approx(X[:, 10].var() / (2 * np.log(41)), rel=1e-6)
    with pytest.warns(UserWarning, match="its columns depend on each other"):
        turned = BayesClassifier().fit(X @ turn, y)
    assert accuracy(turned, new @ turn, truth) > without - 0.03


def test_columns_that_depend_on_each_other_everywhere_change_nothing():
    X, y = flags(4000, 1)
    y = np.where(np.arange(4000) % 10 == 0, y, 1)  # classes of different size
    double = np.column_stack([X, X[:, 0] - X[:, 1], 2 * X[:, 2]])
    with pytest.warns(UserWarning, match="its columns depend on each other"):
        model = BayesClassifier().fit(double, y)
    np.testing.assert_allclose(
        model.predict_proba(double), BayesClassifier().fit(X, y).predict_proba(X), rtol=1e-5, atol=1e-9
    )
