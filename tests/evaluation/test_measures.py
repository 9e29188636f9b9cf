"""What makes a function a measure, how it is found, and measures as scikit-learn's scorers."""

from __future__ import annotations

import pickle
import pkgutil
import subprocess
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from hornbook import NaiveBayes, datasets, evaluation
from hornbook.evaluation import Scorer, measure, measure_by_name, measures, scorer
from hornbook.evaluation.metrics import _measure

LABELS = {"accuracy", "balanced_accuracy", "cost_risk", "error_rate", "f_measure", "false_negative_rate"}
LABELS |= {"false_positive_rate", "kappa", "matthews", "negative_precision", "precision", "recall"}
LABELS |= {"specificity"}
PROBABILITIES = {"brier_score", "calibration_error", "log_loss"}
SCORES = {"auc", "break_even_point", "pr_area", "ranking_loss"}
NUMBERS = {"mae", "mse", "r2", "rmse"}
LOSSES = {"brier_score", "calibration_error", "cost_risk", "error_rate", "false_negative_rate"}
LOSSES |= {"false_positive_rate", "log_loss", "mae", "mse", "ranking_loss", "rmse"}


def test_every_measure_is_known_by_its_name_and_says_what_it_needs():
    known = {name: measure_by_name(name) for name in LABELS | PROBABILITIES | SCORES | NUMBERS}
    assert set(known) <= set(measures())
    assert {name for name in known if getattr(evaluation, name) is not known[name]} == set()
    assert {name for name, measure in known.items() if measure.needs == "labels"} == LABELS
    assert {name for name, measure in known.items() if measure.needs == "probabilities"} == PROBABILITIES
    assert {name for name, measure in known.items() if measure.needs == "scores"} == SCORES
    assert {name for name, measure in known.items() if measure.needs == "numbers"} == NUMBERS
    assert {name for name, measure in known.items() if not measure.greater_is_better} == LOSSES
    assert {measure.best for name, measure in known.items() if name in LOSSES} == {0.0}
    assert {measure.best for name, measure in known.items() if name not in LOSSES} == {1.0}


@pytest.mark.parametrize("name", sorted(LABELS | PROBABILITIES | SCORES | NUMBERS))
def test_perfect_answers_get_the_best_value(name):
    truth = [0, 1, 1, 0]
    options = {"costs": [[0, 1], [1, 0]]} if name == "cost_risk" else {}
    chosen = measure_by_name(name)
    assert chosen(truth, truth, **options) == chosen.best
    assert chosen(truth, truth, sample_weight=[1, 2, 3, 4], **options) == chosen.best


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(
        ValueError, match=r"there is no measure 'acuracy'; there are .*\. Did you mean 'accuracy'\?"
    ):
        measure_by_name("acuracy")


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match="there is a measure 'accuracy' already; choose another name"):

        @measure(needs="labels", greater_is_better=True, best=1.0)
        def accuracy(y_true, y_pred):
            return 0.0


def test_needs_are_four():
    with pytest.raises(
        ValueError, match="'needs' must be one of 'labels', 'probabilities', 'scores', 'numbers'"
    ):
        measure(needs="luck", greater_is_better=True, best=1.0)


def test_a_function_that_is_no_measure_is_refused():
    with pytest.raises(
        TypeError, match="must be a name or a function marked with hornbook.evaluation.measure"
    ):
        scorer(len)


@pytest.mark.parametrize("table", [list, np.array, pd.Series, pl.Series, pd.Categorical])
def test_any_kind_of_column_is_read(table):
    truth, answer = table(["a", "b", "b", "c"]), table(["a", "b", "c", "c"])
    assert evaluation.accuracy(truth, answer) == 0.75
    assert evaluation.precision(truth, answer, average=None).tolist() == [1.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        (np.int8, -128, 127),
        (np.uint8, 0, 255),
        (np.int16, -30_000, 30_000),
        (np.uint64, 2**64 - 3, 2**64 - 1),
        (np.int64, -(2**63), 2**63 - 1),
        (np.float32, -1, 2),
    ],
)
def test_labels_of_any_width_are_told_apart(dtype, low, high):
    truth, answer = np.array([low, high, high], dtype=dtype), np.array([low, high, low], dtype=dtype)
    table = evaluation.confusion_table(truth, answer)
    assert table.labels == (low, high)
    assert table.array.tolist() == [[1, 0], [1, 1]]
    assert evaluation.recall(truth, answer, positive=high) == 0.5


def test_booleans_and_numbers_are_the_same_labels():
    assert evaluation.recall([True, False, True], [1, 0, 0]) == 0.5
    assert evaluation.recall([1.0, 0.0, 1.0], np.array([True, False, False])) == 0.5


def test_a_column_vector_is_a_column():
    assert evaluation.mse([[1.0], [2.0]], np.array([[1.0], [4.0]])) == 2.0


class TestScorers:
    def check(self, ours, theirs, learner, X, y, weights=None):
        model = learner.fit(X, y)
        assert scorer(ours)(model, X, y, sample_weight=weights) == pytest.approx(
            metrics.get_scorer(theirs)(model, X, y, sample_weight=weights), abs=1e-12
        )

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("accuracy", "accuracy"),
            ("balanced_accuracy", "balanced_accuracy"),
            ("f_measure", "f1"),
            ("precision", "precision"),
            ("log_loss", "neg_log_loss"),
            ("brier_score", "neg_brier_score"),
            ("auc", "roc_auc"),
            ("pr_area", "average_precision"),
            ("matthews", "matthews_corrcoef"),
        ],
    )
    @pytest.mark.parametrize("weighted", [False, True])
    def test_as_scikit_learns_of_the_same_measure(self, ours, theirs, weighted):
        X, y = load_breast_cancer(return_X_y=True)
        weights = np.random.default_rng(0).random(len(y)) if weighted else None
        chosen = scorer(ours, interpolation="step") if ours == "pr_area" else scorer(ours)
        for learner in (GaussianNB(), LogisticRegression(C=1e-3, max_iter=5000)):
            model = learner.fit(X[:, :3], y)
            expected = metrics.get_scorer(theirs)(model, X[:, :3], y, sample_weight=weights)
            assert chosen(model, X[:, :3], y, sample_weight=weights) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [("mse", "neg_mean_squared_error"), ("rmse", "neg_root_mean_squared_error"), ("r2", "r2")],
    )
    def test_of_numbers(self, ours, theirs):
        X, y = load_diabetes(return_X_y=True)
        self.check(ours, theirs, LinearRegression(), X, y)

    def test_several_classes(self):
        X, y = load_iris(return_X_y=True)
        self.check("auc", "roc_auc_ovr", GaussianNB(), X, y)
        self.check("log_loss", "neg_log_loss", GaussianNB(), X, y)

    def test_work_in_cross_validation_and_search(self):
        X, y = load_iris(return_X_y=True)
        names = ("accuracy", "log_loss", "auc", "error_rate")
        result = cross_validate(GaussianNB(), X, y, cv=3, scoring={name: scorer(name) for name in names})
        theirs = cross_validate(GaussianNB(), X, y, cv=3, scoring=["neg_log_loss", "roc_auc_ovr", "accuracy"])
        np.testing.assert_allclose(result["test_log_loss"], theirs["test_neg_log_loss"], atol=1e-12)
        np.testing.assert_allclose(result["test_auc"], theirs["test_roc_auc_ovr"], atol=1e-12)
        np.testing.assert_allclose(result["test_error_rate"], theirs["test_accuracy"] - 1, atol=1e-12)
        search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 10.0]}, scoring=scorer("log_loss"), cv=3)
        assert search.fit(X, y).best_params_ == {"var_smoothing": 1e-9}

    def test_pass_through_other_processes(self):
        model, table = NaiveBayes().fit(datasets.iris()), datasets.iris()
        kept = pickle.loads(pickle.dumps(scorer("f_measure", average="macro")))  # noqa: S301 - our own bytes
        assert isinstance(kept, Scorer)
        assert kept(model, table) == scorer("f_measure", average="macro")(model, table)

    def test_take_the_target_of_a_frame(self):
        model, table = NaiveBayes().fit(datasets.iris()), datasets.iris()
        assert scorer("accuracy")(model, table) == pytest.approx(0.96)
        with pytest.raises(ValueError, match="scorer of 'accuracy': 'y' is missing; pass the true values"):
            scorer("accuracy")(model, table.features)

    def test_a_learner_without_what_is_needed_is_refused(self):
        X, y = load_iris(return_X_y=True)
        model = RidgeClassifier().fit(X, y)
        with pytest.raises(
            TypeError, match="log_loss needs probabilities, which RidgeClassifier does not give"
        ):
            scorer("log_loss")(model, X, y)
        assert scorer("auc")(model, X, y) == pytest.approx(
            np.mean([metrics.roc_auc_score(y == c, model.decision_function(X)[:, c]) for c in range(3)])
        )
        with pytest.raises(TypeError, match="auc needs scores, which LinearRegression does not give"):
            scorer("auc")(LinearRegression().fit(X, y), X, y)

    def test_a_class_the_learner_has_never_seen_has_probability_zero(self):
        X, y = load_iris(return_X_y=True)
        model = GaussianNB().fit(X[:100], y[:100])
        known = evaluation.log_loss(y[:100], model.predict_proba(X[:100]))
        with pytest.warns(
            UserWarning, match=r"log_loss: the learner does not know the classes \[2\], which count"
        ):
            result = scorer("log_loss")(model, X, y)
        worst = -np.log(np.finfo(float).eps)
        assert -result == pytest.approx((100 * known + 50 * worst) / 150)

    def test_folds_without_a_class_still_have_an_area(self):
        X, y = load_iris(return_X_y=True)
        model = GaussianNB().fit(X, y)
        with pytest.warns(
            UserWarning, match=r"auc: no row is of \[2\]; the average is over the other classes"
        ):
            result = scorer("auc")(model, X[:100], y[:100])
        shares = model.predict_proba(X[:100])
        assert result == pytest.approx(
            np.mean([metrics.roc_auc_score(y[:100] == c, shares[:, c]) for c in (0, 1)])
        )

    def test_options_are_passed_on(self):
        X, y = load_iris(return_X_y=True)
        names = np.array(["setosa", "versicolor", "virginica"])[y]
        model = GaussianNB().fit(X[50:], names[50:])
        assert scorer("recall", positive="virginica")(model, X[50:], names[50:]) == pytest.approx(
            metrics.recall_score(names[50:], model.predict(X[50:]), pos_label="virginica")
        )
        folds = StratifiedKFold(4)
        result = cross_validate(GaussianNB(), X[50:], names[50:], cv=folds, scoring=scorer("auc"))
        theirs = cross_validate(GaussianNB(), X[50:], names[50:], cv=folds, scoring="roc_auc")
        np.testing.assert_allclose(result["test_score"], theirs["test_score"], atol=1e-12)


class TestBadColumns:
    @pytest.mark.parametrize("name", sorted(LABELS - {"cost_risk"}))
    def test_of_labels(self, name):
        check = measure_by_name(name)
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_pred' must have one value for each of the 2 rows of"
        ):
            check([0, 1], [0, 1, 1])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_pred' must hold class labels; got 0.25 in row 1: drop"
        ):
            check([0, 1], [0.0, 0.25])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must hold class labels; got nan in row 0"):
            check([np.nan, 1], [0, 1])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' has no label in row 1: drop the rows without one"
        ):
            check(["a", None], ["a", "b"])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' has no label in row 1"):
            check(np.array(["a", pd.NA], dtype=object), ["a", "b"])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' must hold text, numbers or booleans as labels"
        ):
            check(np.array([{}, {}], dtype=object), [0, 1])
        with pytest.raises(ValueError, match=rf"{name}: the rows of 'y_pred' must all have the same length"):
            check([0, 1], [[0], [0, 1]])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must have at least one row; got none"):
            check([], [])
        with pytest.raises(ValueError, match=rf"{name}: 'y_pred' must be one column .* got shape \(2, 2\)"):
            check([0, 1], [[0, 1], [1, 0]])
        with pytest.raises(ValueError, match=rf"{name}: .* both"):
            check(["a", "b"], [0, 1])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must hold text, whole numbers or booleans"):
            check(np.array(["2020-01-01"], dtype="datetime64[D]"), [1])

    @pytest.mark.parametrize("name", sorted(NUMBERS))
    def test_of_numbers(self, name):
        check = measure_by_name(name)
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_pred' must hold finite numbers; got nan in row 1: drop"
        ):
            check([0.0, 1.0], [0.0, np.nan])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must hold finite numbers; got inf in row 0"):
            check([np.inf, 1.0], [0.0, 1.0])
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must hold numbers; got <U1"):
            check(["a", "b"], [0.0, 1.0])
        with pytest.raises(ValueError, match=rf"{name}: 'y_pred' must have one value for each of the 2 rows"):
            check([0.0, 1.0], [0.0])

    @pytest.mark.parametrize("name", sorted(SCORES))
    def test_of_scores(self, name):
        check = measure_by_name(name)
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_score' must hold numbers; got nan in row 2: drop that row"
        ):
            check([0, 1, 1], [0.0, 1.0, np.nan])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' must have rows of two classes, .*; got only 'a'"
        ):
            check(["a", "a"], [0.0, 1.0])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' must have rows of two classes, .*; got only 1"
        ):
            check([1, 1], [0.0, 1.0], positive=1)
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' must have rows of two classes, .*; got only 'not 1'"
        ):
            check([0, 0], [0.0, 1.0], positive=1)
        with pytest.raises(ValueError, match=rf"{name}: 'y_true' must have rows of two classes"):
            check([0, 1], [0.0, 1.0], sample_weight=[1.0, 0.0])
        with pytest.raises(
            ValueError, match=rf"{name}: 'positive' must say which of the classes \['a', 'b', 'c'\]"
        ):
            check(["a", "b", "c"], [0.0, 1.0, 2.0])
        with pytest.raises(
            ValueError, match=rf"{name}: 'positive' must be one of the classes \[0, 1\]; got 'x'"
        ):
            check([0, 1], [0.0, 1.0], positive="x")
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_score' must have one value for each of the 2 rows"
        ):
            check([0, 1], [0.0, 1.0, 2.0])

    @pytest.mark.parametrize("name", sorted(PROBABILITIES))
    def test_of_probabilities(self, name):
        check = measure_by_name(name)
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_pred' must hold probabilities .* got 1.5 in row 1"
        ):
            check([0, 1], [0.0, 1.5])
        with pytest.raises(ValueError, match=rf"{name}: 'y_pred' must hold finite numbers; got nan in row 0"):
            check([0, 1], [np.nan, 0.5])
        with pytest.raises(
            ValueError, match=rf"{name}: the probabilities of a row must sum to 1; got 0.9 in row 1"
        ):
            check([0, 1], [[0.5, 0.5], [0.4, 0.5]])
        with pytest.raises(ValueError, match=rf"{name}: 'y_pred' must have a column for each of the classes"):
            check(["a", "b", "c"], [0.1, 0.2, 0.3], positive="a")
        with pytest.raises(ValueError, match=rf"{name}: .* got 3 columns: name all classes in 'labels'"):
            check([0, 1], [[0.5, 0.25, 0.25], [0.4, 0.4, 0.2]])
        with pytest.raises(
            ValueError, match=rf"{name}: 'y_true' has the label 'c' in row 1, which is not one of"
        ):
            check(["a", "c"], [[0.5, 0.5], [0.4, 0.6]], labels=["a", "b"])
        with pytest.raises(
            ValueError, match=rf"{name}: 'labels' must name each class once; got \['a', 'a'\]"
        ):
            check(["a", "a"], [[0.5, 0.5], [0.4, 0.6]], labels=["a", "a"])

    @pytest.mark.parametrize("name", sorted(LABELS | PROBABILITIES | SCORES | NUMBERS))
    def test_of_weights(self, name):
        options = {"costs": [[0, 1], [1, 0]]} if name == "cost_risk" else {}
        check = measure_by_name(name)
        for weights, weight in {
            "'sample_weight' must not be negative; got -1.0 in row 1": [1, -1],
            "'sample_weight' must have one value for each of the 2 rows": [1, 1, 1],
            "'sample_weight' must hold finite numbers; got nan in row 0": [np.nan, 1],
            "'sample_weight' is zero for every row": [0, 0],
        }.items():
            with pytest.raises(ValueError, match=f"{name}: {weights}"):
                check([0, 1], [0, 1], sample_weight=weight, **options)


def test_measures_are_known_by_name_before_anything_else_is_imported():
    code = "from hornbook.evaluation import measure_by_name; print(measure_by_name('log_loss').name)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "log_loss\n"


def test_every_file_that_defines_measures_is_listed():
    modules = pkgutil.walk_packages(evaluation.__path__, f"{evaluation.__name__}.")
    loaded = [import_module(module.name) for module in modules]
    homes = {f"{evaluation.__name__}.{home}" for home in _measure.HOMES}
    defining = {one.__module__ for one in map(measure_by_name, measures())}
    assert {module.__name__ for module in loaded} & defining == homes
