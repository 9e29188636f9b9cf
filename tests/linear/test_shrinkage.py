"""Shrunken covariances of the linear discriminant, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.covariance import OAS
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression

from hornbook import Blocks, Frame, LinearDiscriminant
from hornbook.linear.solvers._shrinkage import ledoit_wolf

RNG = np.random.default_rng(1)
SHAPES = {"long": (90, 5), "wide": (24, 40)}


def table(shape):
    n, d = SHAPES[shape]
    X = RNG.normal(size=(n, d)) @ RNG.normal(size=(d, d)) + np.repeat([0.0, 1.0, 3.0], n // 3)[:, None]
    return X, np.repeat(["a", "b", "c"], n // 3)


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
@pytest.mark.parametrize("shrinkage", [0.1, 0.7, 1.0, "auto"])
@pytest.mark.parametrize("shape", SHAPES)
def test_coefficients_of_scikit_learn(solver, shrinkage, shape):
    X, y = table(shape)
    ours = LinearDiscriminant(solver, shrinkage).fit(X, y)
    theirs = LinearDiscriminantAnalysis("lsqr", shrinkage).fit(X, y)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.coef_ - ours.coef_.mean(axis=0), theirs.coef_ - theirs.coef_.mean(axis=0))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-8)
    assert "shrinkage" in str(ours.describe())


def test_covariances_of_an_estimator():
    X, y = table("wide")
    ours = LinearDiscriminant(covariance_estimator=OAS(), store_covariance=True).fit(X, y)
    theirs = LinearDiscriminantAnalysis("lsqr", covariance_estimator=OAS()).fit(X, y)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-8, atol=1e-10)
    with pytest.raises(ValueError, match="does not have a covariance_ attribute"):
        LinearDiscriminant(covariance_estimator=Without()).fit(X, y)
    with pytest.raises(ValueError, match="takes no weights"):
        LinearDiscriminant(covariance_estimator=OAS()).fit(X, y, sample_weight=np.arange(24) + 1.0)
    with pytest.raises(ValueError, match="Only one of the two can be set"):
        LinearDiscriminant(covariance_estimator=OAS(), shrinkage=0.5).fit(X, y)


class Without(LinearRegression):
    """Fits without a target, and estimates no covariance."""

    def fit(self, X):
        return self


def test_covariance_is_kept_where_asked_for():
    X, y = table("long")
    assert not hasattr(LinearDiscriminant().fit(X, y), "covariance_")
    kept = LinearDiscriminant(store_covariance=True).fit(X, y)
    theirs = LinearDiscriminantAnalysis(store_covariance=True).fit(X, y)
    np.testing.assert_allclose(kept.covariance_, theirs.covariance_)


def test_weights_count_as_repeated_rows():
    X, y = table("long")
    w = 1 + np.arange(90) % 3
    weighed = LinearDiscriminant(shrinkage="auto").fit(X, y, w)
    repeated = LinearDiscriminant(shrinkage="auto").fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighed.coef_, repeated.coef_, rtol=1e-9)


def test_blocks_take_a_number_and_refuse_auto():
    X, y = table("long")
    frame = Frame({**{f"x{j}": column for j, column in enumerate(X.T)}, "class": y}, target="class")
    blocks = Blocks([frame[:50], frame[50:]])
    whole = LinearDiscriminant(shrinkage=0.3).fit(X, y)
    np.testing.assert_allclose(LinearDiscriminant(shrinkage=0.3).fit(blocks).coef_, whole.coef_, rtol=1e-9)
    with pytest.raises(ValueError, match="give shrinkage as a number"):
        LinearDiscriminant(shrinkage="auto").fit(blocks)


def test_one_column_is_never_shrunk():
    covariance, amount = ledoit_wolf(np.array([[1.0], [-1.0]]), np.ones(2))
    assert (covariance.tolist(), amount) == ([[1.0]], 0.0)
    assert ledoit_wolf(np.zeros((3, 2)), np.ones(3))[1] == 0.0


def test_priors_are_normalized():
    X, y = table("long")
    with pytest.warns(UserWarning, match="priors do not sum to 1"):
        model = LinearDiscriminant(priors=[0.5, 0.5, 1.0]).fit(X, y)
    assert model.priors_.tolist() == [0.25, 0.25, 0.5]
    with pytest.raises(ValueError, match="priors must be non-negative"):
        LinearDiscriminant(priors=[0.5, 0.5, 0.0]).fit(X, y)
