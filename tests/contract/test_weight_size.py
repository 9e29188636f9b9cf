"""Weights of any size: only what they are to each other counts, and nothing overflows or vanishes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter
from tests.contract.learners import answers, instances, mixed_table, name_of, predicts, target_for

from hornbook import Blocks, Encoder, Frame, KMeans, LinearDiscriminant, LinearRegression, NaiveBayes

WEIGHTED = [learner for learner in instances() if has_fit_parameter(learner, "sample_weight")]
# Learners in which nothing is weighed against the rows: no smoothing, no penalty, no number of neighbors.
FREE = (
    "Baseline",
    "BasicLinearClassifier",
    "ConjunctiveConcept",
    "DecisionStump",
    "DecisionTreeRegressor",
    "ElasticNet",
    "Encoder",
    "FuzzyCMeans",
    "GustafsonKessel",
    "GaussianMixture",
    "KMeans",
    "Lasso",
    "LinearDiscriminant",
    "LinearRegression",
    "LogLinearRegression",
    "Memorizer",
    "NearestMeanClassifier",
    "ObliqueTree",
    "PolynomialRegression",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
)
quiet = pytest.mark.filterwarnings("ignore")  # without a penalty beside them, some problems have no minimum
WEIGHTS = 1.0 + np.arange(60) % 3


def fitted(learner, weights):
    X, group = mixed_table(missing=False)
    y = target_for(learner, group) if predicts(learner) else None
    return answers(clone(learner).fit(X[["size", "mass"]], y, weights), X[["size", "mass"]])


def equal(one, other, rtol=0.0):
    assert one.keys() == other.keys()
    for key in one:
        if one[key].dtype.kind == "f":
            np.testing.assert_allclose(one[key], other[key], rtol=rtol, atol=rtol, err_msg=key)
        else:
            np.testing.assert_array_equal(one[key], other[key], err_msg=key)


@quiet
@pytest.mark.parametrize("learner", WEIGHTED, ids=name_of)
def test_weights_of_extreme_size_are_brought_back(learner):
    huge, tiny = fitted(learner, WEIGHTS * 2.0**996), fitted(learner, WEIGHTS * 2.0**-1000)
    equal(huge, fitted(learner, WEIGHTS * 2.0**300))
    equal(tiny, fitted(learner, WEIGHTS * 2.0**-300))
    if type(learner).__name__.startswith(FREE):
        ordinary = fitted(learner, WEIGHTS)
        equal(huge, ordinary, rtol=1e-9)
        equal(tiny, ordinary, rtol=1e-9)
    largest = fitted(learner, np.full(60, 1e308))
    for key, values in {**huge, **tiny, **largest}.items():
        assert values.dtype.kind != "f" or np.isfinite(values).all(), key
    if "predict_proba" in largest:
        for answers in (huge, tiny, largest):
            np.testing.assert_allclose(answers["predict_proba"].sum(axis=1), 1.0, rtol=1e-12)


def test_ordinary_weights_are_used_as_they_are():
    X, group = mixed_table(missing=False)
    w = np.random.default_rng(0).random(60) * 1e30
    model = NaiveBayes().fit(X[["size", "mass"]], group, w)
    assert model.class_count_.tolist() == np.bincount(group, weights=w).tolist()


def test_blocks_share_one_factor():
    X, group = mixed_table(missing=False)
    w = np.where(np.arange(60) < 30, 1.0, 1e90)  # the first block alone would need none
    frame = Frame(X[["size", "mass"]].assign(y=group, w=w), target="y", weight="w")
    model = LinearDiscriminant().fit(Blocks([frame[:30], frame[30:]]))
    other = LinearDiscriminant().fit(X[["size", "mass"]], group, w)
    np.testing.assert_array_equal(model.coef_, other.coef_)
    frame = Frame(X[["size"]].assign(y=group, w=0.0), target="y", weight="w")
    blocks = Blocks([frame[:30], frame[30:]])
    with pytest.raises(ValueError, match="sample_weight is zero for every row"):
        LinearDiscriminant().fit(blocks)


def test_weights_that_are_worlds_apart_are_refused():
    with pytest.raises(ValueError, match=r"sample_weight reaches from 1e-300 to 1: .*set it to 0"):
        LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0], [1e-300, 1.0])
    model = LinearRegression().fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 9.0], [1e-100, 1.0, 1.0])
    assert model.coef_.tolist() == pytest.approx([7.0])


@pytest.mark.parametrize("learner", [NaiveBayes(), KMeans(n_clusters=2)], ids=name_of)
def test_extreme_weights_are_refused_where_more_may_come(learner):
    X, y = np.arange(6.0).reshape(6, 1), [0, 0, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="cannot be added up over several calls of partial_fit: multiply"):
        learner.partial_fit(X, y, sample_weight=np.full(6, 1e300))
    frame = Frame({"x": X[:, 0], "y": y, "w": np.full(6, 1e300)}, target="y", weight="w")
    with pytest.raises(ValueError, match="cannot be added up over several calls of partial_fit: multiply"):
        learner.partial_fit(Blocks([frame[:3], frame[3:]]))


@pytest.mark.parametrize(
    ("weights", "content"),
    [
        (["a", "b"], "'a' in row 0"),
        ([1.0, "b"], "'1.0' in row 0"),
        (np.array([1.0, "b"], dtype=object), "'b' in row 1"),
        (["1", "2"], "'1' in row 0"),
        (np.array([1.0, None, {}], dtype=object)[[0, 2]], r"\{\} in row 1"),
        (np.array([1 + 2j, 1]), r"\(1\+2j\) in row 0"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"), r"datetime.date\(2020, 1, 1\) in row 0"),
    ],
)
def test_weights_that_are_no_numbers_are_named(weights, content):
    with pytest.raises(
        ValueError, match=f"^sample_weight contains {content}: weights are numbers >= 0; pass"
    ):
        LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0], weights)


def test_weights_of_other_kinds_are_taken():
    X = [[1.0], [2.0], [4.0]]
    for weights in ([True, True, False], np.array([1, 1, 0], dtype=object), np.uint8([1, 1, 0])):
        assert Encoder(scale="standard").fit(X, sample_weight=weights).transform(X)[0] == pytest.approx(
            [-1.0]
        )
