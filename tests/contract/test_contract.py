"""What every learner of the registry promises beyond scikit-learn's suite."""

from __future__ import annotations

import inspect
import math
import pickle
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils.validation import has_fit_parameter
from tests.contract.learners import (
    counts_batches,
    draws_samples,
    explains,
    instances,
    mixed_table,
    name_of,
    predicts,
    refuses_one_class,
    same_answers,
    target_for,
    without_draws,
)

import hornbook
from hornbook.base import Learner
from hornbook.registry import LEARNERS, MODULES

# Few tables are described by one conjunction for each class, and ConjunctiveConcept says so.
pytestmark = pytest.mark.filterwarnings("ignore:no conjunction covers all rows:UserWarning")


def every_one(condition):
    """Parametrize by the learners of which something is true."""
    return pytest.mark.parametrize("learner", list(filter(condition, instances())), ids=name_of)


every = every_one(lambda _: True)
every_explainer = every_one(explains)
every_predictor = every_one(predicts)


# Learners for which one row is too few, unless this parameter is None; it is the word that says why.
REFUSE_ONE_ROW = {
    "AgglomerativeClustering": "n_clusters",
    "BayesianVoting": "cv",
    "CrossValidatedCommittee": "cv",
    "FuzzyCMeans": "n_clusters",
    "GustafsonKessel": "n_clusters",
    "KMeans": "n_clusters",
    "KMedoids": "n_clusters",
    "GaussianMixture": "n_components",
    "KernelKMeans": "n_clusters",
}


# Regressors without an intercept, or with one whose penalty too pulls every answer toward 0.
PULLED_TO_ZERO = {"KernelRidge", "LinearSVR"}


def is_costly(learner):
    """Whether a fit searches all subsets of the columns."""
    return getattr(learner, "penalty", None) == "l0"


def needs_more_rows(learner):
    """The parameter that makes one row too few; None if no parameter does."""
    inside = learner.estimator if isinstance(learner, hornbook.Scaled) else learner
    word = REFUSE_ONE_ROW.get(type(inside).__name__)
    return word if word is not None and getattr(inside, word) is not None else None


def fitted(learner, n=60, **extra):
    X, group = mixed_table(n)
    return clone(learner).fit(X, target_for(learner, group), **extra), X, target_for(learner, group)


def test_every_public_learner_is_registered():
    for module in MODULES:
        package = import_module(f"hornbook.{module}")
        for name in package.__all__:
            thing = getattr(package, name)
            abstract = {"Learner", "Predictor", "Classifier", "Regressor", "Clusterer", "Transformer"}
            abstract |= {"OutlierDetector"}
            if isinstance(thing, type) and issubclass(thing, Learner) and name not in abstract:
                assert name in LEARNERS


@every
def test_pickle_gives_the_same_answers(learner):
    model, X, _ = fitted(learner)
    same_answers(model, pickle.loads(pickle.dumps(model)), X)  # noqa: S301 - our own bytes


@every
def test_refit_equals_first_fit_and_forgets_the_old_table(learner):
    model, X, y = fitted(learner)
    names = [f"n{j}" for j in range(6)]
    other = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 6)), columns=names)
    again = clone(learner).fit(other, y).fit(X, y)
    same_answers(model, again, X)
    assert again.n_features_in_ == X.shape[1]


@every_one(lambda learner: "n_jobs" in learner.get_params())
def test_threads_do_not_matter(learner):
    X, group = mixed_table(9000)
    y = target_for(learner, group)
    one, three = (clone(learner).set_params(n_jobs=n).fit(X, y) for n in (1, 3))
    same_answers(one, three, X.iloc[:2000])


def sums_over_rows(learner):
    return hasattr(learner, "_fit_blocks")


def table_and_blocks(learner):
    """Rows, and a table of them with a target: whole, and in three blocks."""
    X, group = mixed_table(9000)
    # Levels must be known to all blocks, as they are in a typed file.
    X["color"] = X["color"].astype(pd.CategoricalDtype(["dark", "green", "light"]))
    table = X.assign(target=target_for(learner, group), w=1.0 + np.arange(9000) % 3)
    if not is_regressor(learner):
        table["target"] = pd.Categorical(table["target"])
    roles = {"target": "target", "weight": "w"}
    whole = hornbook.Frame(table, **roles)
    blocks = hornbook.Blocks(
        [hornbook.Frame(table.iloc[a:b], **roles) for a, b in ((0, 10), (10, 5000), (5000, 9000))]
    )
    return X, whole, blocks


@every_one(sums_over_rows)
def test_blocks_equal_memory_to_the_last_bit(learner):
    X, whole, blocks = table_and_blocks(learner)
    same_answers(clone(learner).fit(whole), clone(learner).fit(blocks), X)


@every_one(lambda learner: not sums_over_rows(learner))
def test_learners_that_need_all_rows_refuse_blocks(learner):
    with pytest.raises(TypeError, match="to_frame"):
        clone(learner).fit(table_and_blocks(learner)[2])


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory):
    """A file with a target for classifiers and one for regressors."""
    X, group = mixed_table(6000)
    X["grade"] = X["grade"].astype(str)
    path = tmp_path_factory.mktemp("contract") / "rows.csv"
    number = 1.0 + group * 1.5 + np.arange(6000) % 4 / 4  # above 0, as some learners want it
    X.assign(w=1.0 + np.arange(6000) % 3, label=group, number=number).to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    "learner",
    [
        pytest.param(instance, id=name_of(instance), marks=[pytest.mark.slow] if is_costly(instance) else [])
        for instance in filter(sums_over_rows, instances())
    ],
)
def test_files_equal_memory_to_the_last_bit(learner, on_disk):
    target, other = ("number", "label") if is_regressor(learner) else ("label", "number")
    options = {"target": target, "weight": "w", "id": other, "kinds": {"label": "nominal"}}
    whole = hornbook.read(on_disk, **options)
    memory = clone(learner).fit(whole)
    # No edge of a batch but the first is one of a chunk.
    same_answers(memory, clone(learner).fit(hornbook.scan(on_disk, batch_rows=1500, **options)), whole)


def mostly_zeros(learner):
    draw = np.random.default_rng(0)
    X = np.where(draw.random((120, 6)) < 0.4, draw.normal(size=(120, 6)), 0.0)
    return X, target_for(learner, draw.integers(0, 3, 120))


@every_one(lambda learner: not learner.accepts.sparse)
def test_sparse_rows_are_refused(learner):
    X, y = mostly_zeros(learner)
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        clone(learner).fit(csr_array(X), y)


@every_one(lambda learner: learner.accepts.sparse)
def test_sparse_rows_give_the_dense_model(learner):
    X, y = mostly_zeros(learner)
    same_answers(clone(learner).fit(X, y), clone(learner).fit(csr_array(X), y), X)


@every
def test_input_is_left_alone(learner):
    X, group = mixed_table()
    y, w = target_for(learner, group), np.arange(60.0)
    X0, y0, w0 = X.copy(deep=True), y.copy(), w.copy()
    model = clone(learner).fit(X, y, sample_weight=w)
    same_answers(model, model, X)
    pd.testing.assert_frame_equal(X, X0)
    np.testing.assert_array_equal(y, y0)
    np.testing.assert_array_equal(w, w0)


def one_value(learner):
    """Rows, and a target that is the same for all."""
    return mixed_table()[0], np.full(60, 2.5) if is_regressor(learner) else np.full(60, "only")


def one_row(learner):
    X, group = mixed_table(missing=False)
    return X.iloc[:1], target_for(learner, group)[:1]


@every_one(refuses_one_class)
@pytest.mark.parametrize("rows", [one_value, one_row])
def test_one_class_is_refused_by_that_word(learner, rows):
    with pytest.raises(ValueError, match="class"):
        clone(learner).fit(*rows(learner))


@every_one(lambda learner: predicts(learner) and not refuses_one_class(learner))
def test_one_class_or_one_value_is_predicted(learner):
    X, y = one_value(learner)
    predicted = clone(learner).fit(X, y).predict(X)
    if type(learner).__name__ in PULLED_TO_ZERO:
        assert ((predicted > 0) & (np.abs(predicted) < 1.2 * y[0])).all()
    else:
        assert set(predicted.tolist()) == {y[0]}


@every_one(needs_more_rows)
def test_one_row_is_refused_by_what_asks_for_more(learner):
    with pytest.raises(ValueError, match=needs_more_rows(learner)):
        clone(learner).fit(*one_row(learner))


@every_one(lambda learner: not (refuses_one_class(learner) or needs_more_rows(learner)))
def test_one_row(learner):
    X, y = one_row(learner)
    model = clone(learner).fit(X, y)
    if type(learner).__name__ in PULLED_TO_ZERO:
        assert abs(model.predict(X)[0]) <= abs(y[0])
    elif predicts(learner):
        assert model.predict(X)[0] == y[0]


@every
def test_constant_column_gives_finite_answers(learner):
    X, group = mixed_table()
    model = clone(learner).fit(X.assign(same=7.0), target_for(learner, group))
    for answer in map(
        np.asarray,
        [getattr(model, m)(X.assign(same=7.0)) for m in ("predict_proba", "transform") if hasattr(model, m)],
    ):
        assert np.isfinite(answer).all()


@every
def test_missing_cells_never_become_missing_answers(learner):
    model, X, _ = fitted(learner)
    blank = X.copy()
    blank.iloc[:5] = None
    for method in ("predict_proba", "transform", "predict"):
        if hasattr(model, method):
            answer = np.asarray(getattr(model, method)(blank))
            assert not pd.isna(answer).any()


@every
def test_fit_takes_weights(learner):
    assert has_fit_parameter(learner, "sample_weight")


@every_one(lambda learner: not counts_batches(learner))
def test_integer_weights_equal_repeated_rows(learner):
    X, group = mixed_table()
    y, w = target_for(learner, group), np.arange(60) % 4
    if draws_samples(learner):
        # Samples are as large as the table: repeated rows make them larger, weights do not.
        one, other = (clone(learner).fit(X, y, sample_weight=unit * w) for unit in (1, 50_000))
        same_answers(one, other, X, exact=True)
        learner = without_draws(learner)
    weighted = clone(learner).fit(X, y, sample_weight=w)
    repeated = clone(learner).fit(X.loc[X.index.repeat(w)].reset_index(drop=True), np.repeat(y, w))
    same_answers(weighted, repeated, X, exact=False)


@every
def test_save_and_load(learner, tmp_path):
    model, X, _ = fitted(learner)
    hornbook.save(model, tmp_path / "model.hornbook")
    same_answers(model, hornbook.load(tmp_path / "model.hornbook"), X)


# The answer whose link is the score.
ANSWER = {
    "identity": lambda z: z,
    "log": math.exp,
    "logit": lambda z: 1 / (1 + math.exp(-z)),
    "inverse": lambda z: 1 / z,
}


@every_explainer
def test_working_leads_to_the_prediction(learner):
    model, X, _ = fitted(learner)
    predicted = model.predict(X) if hasattr(model, "predict") else model.transform(X)
    for i in range(0, 60, 7):
        working = model.working(X.iloc[[i]]).to_dict()
        scores = [
            math.fsum(term["values"][c] for term in working["terms"])
            for c in range(len(working["candidates"]))
        ]
        if not hasattr(model, "predict"):
            assert scores == pytest.approx(np.asarray(predicted)[i].tolist(), rel=1e-9, abs=1e-9)
            assert working["prediction"] == pytest.approx(scores, abs=1e-9)
            continue
        if working["candidates"] == ["value"]:
            assert ANSWER[working["link"]](scores[0]) == pytest.approx(predicted[i], rel=1e-9)
            continue
        if working["costs"] is not None:
            weight = (
                np.exp(np.array(scores) - max(scores)) if working["rule"] == "product" else np.array(scores)
            )
            scores = list(-(np.array(working["costs"]) @ (weight / weight.sum())))
        assert working["candidates"][int(np.argmax(scores))] == predicted[i] == working["prediction"]


@every_explainer
def test_model_can_be_told_and_drawn(learner):
    model, X, y = fitted(learner)
    description = model.describe()
    assert type(learner).__name__.lower() in str(description).replace(" ", "").lower()
    assert "<table" in description._repr_html_() or "<dl>" in description._repr_html_()
    assert description.to_dict()["title"]
    working = model.working(X.iloc[[0]])
    assert "prediction" in str(working)
    assert "<table" in working._repr_html_()
    ax = model.plot(X, y)
    assert ax.figure is not None
    assert model.plot(ax=ax) is ax


@every
def test_failed_fit_leaves_the_learner_as_it_was(learner):
    model, X, y = fitted(learner)
    before = pickle.dumps(vars(model))
    with pytest.raises(ValueError, match="infinity"):
        model.fit(X.assign(size=np.inf), y)
    assert pickle.dumps(vars(model)) == before


@every_predictor
def test_frame_goes_through_cross_validation(learner):
    from sklearn.model_selection import KFold, cross_validate

    X, group = mixed_table()
    frame = hornbook.Frame(X)
    scores = cross_validate(learner, frame, target_for(learner, group), cv=KFold(3), error_score="raise")
    assert np.isfinite(scores["test_score"]).all()


@every
def test_params_documented_in_one_place(learner):
    doc = inspect.getdoc(type(learner))
    for name in learner.get_params(deep=False):
        assert doc.count(f"\n{name} : ") == 1


def test_registry_and_packages_agree():
    root = Path(hornbook.__file__).parent
    for entry in LEARNERS.values():
        assert (root / entry.module.removeprefix("hornbook.")).is_dir()
    for name in LEARNERS:
        assert getattr(hornbook, name).__name__ == name
    assert set(LEARNERS) <= set(dir(hornbook))
    assert not is_classifier(hornbook.Encoder())
