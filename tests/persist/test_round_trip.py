"""A loaded model is the saved one: every learner, every kind of table and label."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from tests.contract.learners import answers, instances, mixed_table, name_of, target_for
from tests.persist.forge import taken_apart
from tests.persist.same import kept, same

import hornbook
from hornbook import Baseline, Encoder, Frame, LinearRegression, NaiveBayes, OneVsRest
from hornbook.registry import LEARNERS


def there_and_back(model, folder):
    path = folder / "model.hornbook"
    hornbook.save(model, path)
    return hornbook.load(path)


def assert_same(model, loaded, X):
    """Equal bit by bit: parameters, fitted attributes and answers; and just as able to be cloned."""
    assert type(loaded) is type(model)
    for one, other in zip(kept(model), kept(loaded), strict=True):
        assert one.keys() == other.keys()
        assert [key for key in one if not same(one[key], other[key])] == []
    before, again = answers(model, X), answers(loaded, X)
    assert before.keys() == again.keys()
    assert all(same(before[key], again[key]) for key in before)
    assert same(clone(loaded).get_params(), clone(model).get_params())


@pytest.mark.filterwarnings("ignore:no conjunction covers all rows:UserWarning")
@pytest.mark.parametrize("learner", instances(), ids=name_of)
def test_every_learner_comes_back_equal(learner, tmp_path):
    X, group = mixed_table()
    model = clone(learner).fit(X, target_for(learner, group))
    assert_same(model, there_and_back(model, tmp_path), X)


def test_every_learner_of_the_registry_was_tried():
    assert {type(learner).__name__ for learner in instances()} == set(LEARNERS)


SETTINGS = [
    {"density": density, "lazy": lazy, **more}
    for density in ("gaussian", "kernel", "bins")
    for lazy in (False, True)
    for more in ({}, {"smoothing": "none"}, {"smoothing": "zero_only", "smooth_prior": True})
] + [
    {"priors": [0.25, 0.5, 0.25]},
    {"priors": np.array([0.25, 0.5, 0.25])},
    {"costs": np.array([[0, 1, 5], [1, 0, 1], [2, 2, 0]])},
    {"costs": ((0, 1, 5), (1, 0, 1), (2, 2, 0))},
    {"alpha": np.float32(0.1), "n_bins": np.int64(4), "density": "bins"},
    {"density": "kernel", "bandwidth": 0.3},
    {"variance": "unbiased", "var_smoothing": 1e-6, "n_jobs": 1},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_naive_bayes_with_all_its_settings(setting, tmp_path):
    X, group = mixed_table()
    weights = np.linspace(0.5, 2, len(X))
    model = NaiveBayes(**setting).fit(X, target_for(NaiveBayes(), group), weights)
    assert_same(model, there_and_back(model, tmp_path), X)


LABELS = {
    "text": np.array(["one", "two", "three"]),
    "wide text": np.array(["one", "two", "three"], dtype="U20"),
    "objects": np.array(["eins", "zwei", "drei ⚀\x00"], dtype=object),
    "bytes": np.array([b"one", b"t\xffo", b"three"]),
    "integers": np.array([-3, 7, 2**40]),
    "small integers": np.array([0, 1, 2], dtype=np.int8),
    "unsigned": np.array([0, 1, 2**64 - 1], dtype=np.uint64),
    "floats": np.array([0.0, 1.0, -2.0]),
    "single floats": np.array([0.0, 1.0, -2.0], dtype=np.float32),
    "truths": np.array([True, False, True]),
    "objects that are numbers": np.array([1, 2, 3], dtype=object),
    "objects that are truths": np.array([True, False, True], dtype=object),
    "big-endian": np.array([1, 2, 3], dtype=">i4"),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize(
    "learner", [NaiveBayes(), Baseline(strategy="stratified", random_state=3)], ids=name_of
)
def test_labels_keep_their_type(learner, labels, tmp_path):
    X, group = mixed_table()
    model = clone(learner).fit(X, labels[group])
    loaded = there_and_back(model, tmp_path)
    if labels.dtype.byteorder != ">":
        assert_same(model, loaded, X)
    assert loaded.classes_.tolist() == model.classes_.tolist()
    assert [type(label) for label in loaded.classes_.tolist()] == [
        type(label) for label in model.classes_.tolist()
    ]
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("strategy", ["prior", "most_frequent", "stratified", "uniform", "constant"])
def test_baselines_for_classes(strategy, tmp_path):
    model = Baseline(strategy=strategy, constant="b", random_state=7)
    model.fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    assert_same(model, there_and_back(model, tmp_path), np.arange(20.0)[:, None])


@pytest.mark.parametrize("strategy", ["mean", "median", "quantile"])
def test_baselines_for_numbers(strategy, tmp_path):
    model = Baseline(strategy=strategy, quantile=0.1).fit([[1.0], [2.0], [3.0]], [1.0, 1e300, -0.0])
    loaded = there_and_back(model, tmp_path)
    assert_same(model, loaded, [[5.0]])
    assert not hasattr(loaded, "predict_proba")


@pytest.mark.parametrize("scale", [None, "standard", "range"])
@pytest.mark.parametrize("missing", ["impute", "indicate", "error"])
def test_encoders(scale, missing, tmp_path):
    X, _ = mixed_table(missing=missing != "error")
    model = Encoder(scale=scale, missing=missing).fit(X)
    loaded = there_and_back(model, tmp_path)
    assert_same(model, loaded, X)
    assert loaded.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()


TABLES = {
    "array": np.arange(24.0).reshape(12, 2),
    "integers": np.arange(24).reshape(12, 2),
    "one column": np.arange(12.0)[:, None],
    "marked": Frame((np.arange(24.0) % 5).reshape(12, 2), kinds={1: "nominal"}),
    "truths": pd.DataFrame({"flag": [True, False, True] * 4, "x": np.arange(12)}),
    "dates": pl.DataFrame({"day": [dt.date(2024, 1, 1 + i) for i in range(12)]}),
    "order": pd.DataFrame({"size": pd.Categorical(["S", "L", "M"] * 4, ["S", "M", "L"], ordered=True)}),
    "rare level": pd.DataFrame({"c": pd.Categorical(["a", "b"] * 6, ["a", "b", "never"])}),
    "strange names": pd.DataFrame({"": np.arange(12.0), "é\n⚀": ["a", "b"] * 6}),
    "an empty column": pd.DataFrame({"x": np.arange(12.0), "none": [np.nan] * 12}),
}


@pytest.mark.filterwarnings("ignore:.*no values")
@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("learner", [NaiveBayes(), NaiveBayes(lazy=True), Encoder()], ids=name_of)
def test_tables_of_all_kinds(learner, X, tmp_path):
    model = clone(learner).fit(X, ["a", "b", "b"] * 4)
    loaded = there_and_back(model, tmp_path)
    assert_same(model, loaded, X)
    assert loaded.schema_ == model.schema_


@pytest.mark.parametrize("setting", [{}, {"lazy": True}, {"density": "kernel"}, {"density": "bins"}], ids=str)
def test_a_loaded_model_goes_on_learning(setting, tmp_path):
    X, group = mixed_table(80)
    y = target_for(NaiveBayes(), group)
    model = NaiveBayes(**setting).fit(X[:40], y[:40])
    loaded = there_and_back(model, tmp_path)
    more = X[40:].assign(color="purple")  # a level that was not there at fit
    assert_same(model.partial_fit(more, y[40:]), loaded.partial_fit(more, y[40:]), X)


def test_a_loaded_model_describes_itself_as_before(tmp_path):
    model = NaiveBayes().fit(hornbook.datasets.watermelon("3.0"))
    loaded = there_and_back(model, tmp_path)
    row = hornbook.datasets.watermelon("3.0").features[:1]
    assert str(loaded.describe()) == str(model.describe())
    assert str(loaded.working(row)) == str(model.working(row))


def test_what_parts_share_is_shared_again(tmp_path):
    model = NaiveBayes().fit(hornbook.datasets.watermelon("3.0"))
    assert model.factors_.plan is model.plan_
    loaded = there_and_back(model, tmp_path)
    assert loaded.factors_.plan is loaded.plan_


def test_only_parameters_and_fitted_attributes_are_stored(tmp_path):
    model = Encoder().fit([[1.0], [2.0]]).set_output(transform="pandas")
    model.remark = "mine"
    model._cache_ = [1]
    loaded = there_and_back(model, tmp_path)
    assert isinstance(loaded.transform([[1.0]]), np.ndarray)
    assert not hasattr(loaded, "remark")
    assert not hasattr(loaded, "_cache_")


def test_arrays_come_back_writable_and_contiguous(tmp_path):
    model = LinearRegression().fit([[1.0, 2.0], [2.0, 1.0], [0.0, 5.0]], [0.0, 1.0, 1.0])
    model.coef_ = np.arange(12.0).reshape(2, 6).T[::3]
    model.intercept_, model.standard_errors_ = np.zeros(2), np.empty((0, 7))
    model.residual_variance_ = model.r_squared_ = np.ones(2)
    assert not model.coef_.flags.c_contiguous
    loaded = there_and_back(model, tmp_path)
    assert same(np.ascontiguousarray(model.coef_), loaded.coef_)
    assert loaded.coef_.flags.c_contiguous
    assert loaded.coef_.flags.writeable
    assert same(model.standard_errors_, loaded.standard_errors_)


def test_a_learner_inside_a_learner(tmp_path):
    model = OneVsRest(NaiveBayes(density="bins")).fit([[1.0], [2.0], [3.0]], [0, 1, 2])
    loaded = there_and_back(model, tmp_path)
    assert same(model.estimators_, loaded.estimators_)
    assert_same(model.estimators_[0], loaded.estimators_[0], [[1.5]])


@pytest.mark.parametrize("form", [str, Path, os.fsencode], ids=["str", "path", "bytes"])
def test_a_path_in_any_form(form, tmp_path):
    path = form(tmp_path / "no suffix ⚀")
    hornbook.save(Baseline().fit([[1.0]], [1]), path)
    assert hornbook.load(path).predict([[2.0]]).tolist() == [1]


def test_the_same_model_gives_the_same_bytes(tmp_path):
    X, group = mixed_table()
    for name in ("one", "two"):
        hornbook.save(NaiveBayes().fit(X, group), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_file_holds_a_header_and_plain_arrays(tmp_path):
    path = tmp_path / "model.hornbook"
    hornbook.save(NaiveBayes().fit(hornbook.datasets.watermelon("3.0")), path)
    header, members = taken_apart(path)
    assert (header["format"], header["format_version"]) == ("hornbook-model", 2)
    assert header["library_version"] == hornbook.__version__
    assert header["class"] == "NaiveBayes"
    assert list(members) == [f"arrays/{i}.npy" for i in range(len(members))]
    for content in members.values():
        assert content.startswith(b"\x93NUMPY\x01\x00")
        assert b"'descr': '|O'" not in content


def test_warnings_of_probe_rows_are_not_the_users(tmp_path):
    # Without smoothing, made-up rows have probability 0 in every class, which is worth a warning elsewhere.
    X = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "v", "v"]})
    model = NaiveBayes(smoothing="none").fit(X, [0, 0, 1])
    with pytest.warns(UserWarning, match="probability 0"):
        model.predict(pd.DataFrame({"a": ["y"], "b": ["u"]}))
    assert_same(model, there_and_back(model, tmp_path), X)


def test_numpy_told_to_raise_does_not_stop_the_probe_rows(tmp_path):
    model = NaiveBayes(smoothing="none").fit({"a": ["x", "y", "y"]}, [0, 1, 1])
    with np.errstate(all="raise"):
        assert_same(model, there_and_back(model, tmp_path), {"a": ["x"]})


def rare_models():
    """Models with attributes or shapes that the usual settings do not give."""
    X, group = mixed_table(missing=False)
    numbers, two = X[["size", "mass"]].to_numpy(), group > 0
    w = np.where(group == 2, 0.0, 1.0 + group)
    both = np.stack([group, 2.0 - group], axis=1)
    return {
        "out of bag": hornbook.RandomForestClassifier(20, oob_score=True, random_state=0).fit(X, group),
        "out of bag, numbers": hornbook.RandomForestRegressor(20, oob_score=True, random_state=0).fit(
            X, group
        ),
        "two classes": hornbook.LinearDiscriminant().fit(numbers, two),
        "two targets": LinearRegression().fit(numbers, both),
        "two targets, products": hornbook.PolynomialRegression().fit(numbers, both),
        "two targets, penalty": hornbook.Ridge().fit(numbers, both),
        "rows of weight 0": hornbook.KNeighborsClassifier().fit(X, group, w),
        "perceptron of two": hornbook.Perceptron().fit(numbers, two),
        "linear of two": hornbook.BasicLinearClassifier().fit(numbers, two),
        "one class": hornbook.NaiveBayes().fit(X, np.zeros(len(X))),
        "one class, members": hornbook.OneVsRest(NaiveBayes()).fit(X, np.zeros(len(X))),
        "one row": hornbook.DecisionTreeClassifier().fit(X[:1], group[:1]),
        "marked categories": hornbook.DecisionTreeClassifier(categorical_features=[0]).fit(
            numbers.round(), two
        ),
        "more rows later": NaiveBayes().fit(X[:30], group[:30]).partial_fit(X[30:], group[30:]),
        "no intercept": hornbook.GeneralizedLinearRegressor(fit_intercept=False).fit(numbers, group * 1.0),
        "no numbers": hornbook.TAN().fit(X[["color", "grade"]], group),
        "no categories": hornbook.AODE(density="gaussian").fit(X[["size", "mass"]], group),
        "edges": hornbook.BayesianNetwork(edges=[("color", "grade")]).fit(X[["color", "grade"]], group),
        "covariances": hornbook.KNeighborsClassifier(metric="mahalanobis").fit(numbers, group),
        "pruned": hornbook.DecisionTreeRegressor(ccp_alpha=0.01).fit(X, group * 1.0),
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rare_settings_declare_their_attributes_too(tmp_path):
    for name, model in rare_models().items():
        loaded = there_and_back(model, tmp_path)
        assert same(model, loaded), name
