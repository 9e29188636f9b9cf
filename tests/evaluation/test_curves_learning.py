"""Learning and validation curves: the scores of scikit-learn's on the same folds, parts that grow."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn import model_selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from hornbook import NaiveBayes, datasets
from hornbook.evaluation import (
    GroupKFold,
    HoldOut,
    KFold,
    StratifiedKFold,
    error_rate,
    learning_curve,
    scorer,
    validation_curve,
)

X, Y = load_iris(return_X_y=True)
FOLDS = model_selection.StratifiedKFold(3, shuffle=True, random_state=0)


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the rows it was given; the first column is their number."""

    seen = []  # noqa: RUF012 - shared by the copies on purpose

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        Recorder.seen.append((X[:, 0].astype(int), y, sample_weight))
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


class TestLearning:
    def test_all_rows_are_an_ordinary_cross_validation(self):
        curve = learning_curve(GaussianNB(), X, Y, sizes=[1.0], cv=FOLDS, measure="log_loss")
        expected_scores = model_selection.cross_validate(
            GaussianNB(), X, Y, cv=FOLDS, scoring="neg_log_loss", return_train_score=True
        )
        assert curve.sizes.tolist() == [100]
        assert_allclose(curve.test[0], -expected_scores["test_score"], atol=1e-12)
        assert_allclose(curve.train[0], -expected_scores["train_score"], atol=1e-12)
        assert (curve.measure, curve.greater_is_better) == ("log_loss", False)

    def test_parts_grow_and_keep_the_shares_of_the_classes(self):
        rows, y = np.arange(200.0)[:, None], np.repeat([0, 1], [150, 50])
        Recorder.seen.clear()
        learning_curve(
            Recorder(), rows, y, sizes=[8, 0.25, 100], cv=KFold(4), measure=error_rate, random_state=3
        )
        assert len(Recorder.seen) == 12
        for fold in range(4):
            parts = [set(seen[0].tolist()) for seen in Recorder.seen[3 * fold : 3 * fold + 3]]
            assert [len(part) for part in parts] == [8, 38, 100]
            assert parts[0] < parts[1] < parts[2]
            train = np.setdiff1d(np.arange(200), np.arange(50 * fold, 50 * fold + 50))
            share = y[train].mean()
            for part in parts:
                assert abs(sum(y[i] for i in part) - share * len(part)) <= 1

    def test_scores_by_hand(self):
        curve = learning_curve(GaussianNB(), X, Y, sizes=[30], cv=FOLDS, measure="accuracy", random_state=5)
        again = learning_curve(GaussianNB(), X, Y, sizes=[30], cv=FOLDS, measure="accuracy", random_state=5)
        assert_array_equal(curve.test, again.test)
        other = learning_curve(GaussianNB(), X, Y, sizes=[30], cv=FOLDS, measure="accuracy", random_state=6)
        assert not np.array_equal(curve.train, other.train) or not np.array_equal(curve.test, other.test)

    def test_weights_reach_the_fit_and_the_measure(self):
        rows, y, w = np.arange(60.0)[:, None], np.arange(60) % 2, np.arange(60) + 1.0
        Recorder.seen.clear()
        curve = learning_curve(
            Recorder(), rows, y, sizes=[1.0], cv=KFold(2), measure="error_rate", sample_weight=w
        )
        for numbers, _, weights in Recorder.seen:
            assert_array_equal(weights, w[numbers])
        assert curve.test[0, 0] == pytest.approx(np.average(y[:30], weights=w[:30]))

    def test_regression_and_the_default_measure(self):
        numbers, target = load_diabetes(return_X_y=True)
        curve = learning_curve(Ridge(), numbers, target, sizes=[50, 200], random_state=0)
        assert (curve.measure, curve.test.shape) == ("rmse", (2, 5))
        assert curve.test[1].mean() < curve.test[0].mean()
        assert learning_curve(GaussianNB(), X, Y, sizes=[60]).measure == "log_loss"
        assert learning_curve(Recorder(), X, Y, sizes=[60]).measure == "error_rate"

    def test_frames_bring_their_roles(self):
        table = datasets.iris()
        curve = learning_curve(NaiveBayes(), table, sizes=[1.0], cv=StratifiedKFold(3), measure="accuracy")
        direct = [
            scorer("accuracy")(NaiveBayes().fit(table[train]), table[test])
            for train, test in StratifiedKFold(3).split(table)
        ]
        assert_allclose(curve.test[0], direct)

    def test_groups_reach_the_folds(self):
        groups = np.arange(150) // 10
        curve = learning_curve(
            GaussianNB(), X, Y, sizes=[1.0], cv=GroupKFold(5), groups=groups, measure="accuracy"
        )
        with pytest.raises(ValueError, match="groups"):
            learning_curve(GaussianNB(), X, Y, sizes=[1.0], cv=GroupKFold(5), measure="accuracy")
        assert curve.test.shape == (1, 5)

    def test_bands_print_and_data(self):
        curve = learning_curve(
            GaussianNB(), X, Y, sizes=[30, 100], cv=FOLDS, measure="accuracy", random_state=0
        )
        low, high = curve.band()
        assert_allclose(high - curve.test.mean(axis=1), curve.test.std(axis=1, ddof=1))
        low, high = curve.band(0.95)
        for i in range(2):
            expected = stats.t.interval(0.95, 2, curve.test[i].mean(), stats.sem(curve.test[i]))
            assert (low[i], high[i]) == pytest.approx(expected)
        assert str(curve).splitlines()[0] == "learning curve, accuracy over 3 folds"
        assert str(curve).splitlines()[1].split() == ["rows", "train", "test", "low", "high"]
        assert json.loads(json.dumps(curve.to_dict()))["sizes"] == [30, 100]

    def test_one_split_has_no_band(self):
        curve = learning_curve(GaussianNB(), X, Y, sizes=[50], cv=HoldOut(random_state=0), measure="accuracy")
        assert str(curve).splitlines()[1].split() == ["rows", "train", "test"]
        with pytest.raises(ValueError, match="a band needs at least two folds; got 1"):
            curve.band()

    @pytest.mark.parametrize("sizes", [[0], [101], [-0.5], [], [[10]], [0.001]])
    def test_sizes_that_are_none(self, sizes):
        with pytest.raises(
            ValueError, match="learning_curve: 'sizes' must be numbers of rows up to 100, the smallest"
        ):
            learning_curve(GaussianNB(), X, Y, sizes=sizes, cv=FOLDS)

    def test_a_target_is_needed(self):
        with pytest.raises(ValueError, match="learning_curve: the target is needed: give y, or a Frame"):
            learning_curve(GaussianNB(), X)


class TestValidation:
    def test_as_scikit_learn_on_the_same_folds(self):
        values = [1e-9, 1e-2, 1.0]
        train, test = model_selection.validation_curve(
            GaussianNB(), X, Y, param_name="var_smoothing", param_range=values, cv=FOLDS, scoring="accuracy"
        )
        curve = validation_curve(
            GaussianNB(), X, Y, parameter="var_smoothing", values=values, cv=FOLDS, measure="accuracy"
        )
        assert_allclose(curve.train, train, atol=1e-12)
        assert_allclose(curve.test, test, atol=1e-12)
        assert curve.best == values[int(test.mean(axis=1).argmax())]
        assert_allclose(curve.band()[0], test.mean(axis=1) - test.std(axis=1, ddof=1))

    def test_the_best_of_a_loss_is_the_smallest(self):
        numbers, target = load_diabetes(return_X_y=True)
        curve = validation_curve(Ridge(), numbers, target, parameter="alpha", values=[1e4, 0.1, 1e5])
        assert (curve.measure, curve.best) == ("rmse", 0.1)

    def test_values_may_be_anything(self):
        table = datasets.iris(view="discretized")
        curve = validation_curve(NaiveBayes(), table, parameter="smoothing", values=["laplace", "zero_only"])
        assert str(curve).splitlines()[2].split()[0] == "laplace"
        assert json.loads(json.dumps(curve.to_dict()))["values"] == ["laplace", "zero_only"]

    def test_weights_reach_the_fit_and_the_measure(self):
        w = np.random.default_rng(0).random(150)
        curve = validation_curve(
            GaussianNB(),
            X,
            Y,
            parameter="var_smoothing",
            values=[0.1],
            cv=FOLDS,
            measure="log_loss",
            sample_weight=w,
        )
        train, test = next(FOLDS.split(X, Y))
        model = GaussianNB(var_smoothing=0.1).fit(X[train], Y[train], sample_weight=w[train])
        expected = -scorer("log_loss")(model, X[test], Y[test], sample_weight=w[test])
        assert curve.test[0, 0] == pytest.approx(expected)

    def test_refusals(self):
        with pytest.raises(
            ValueError, match="GaussianNB has no parameter 'var_smooth'. Did you mean 'var_smoothing'"
        ):
            validation_curve(GaussianNB(), X, Y, parameter="var_smooth", values=[1])
        with pytest.raises(ValueError, match="'values' must have at least one value; got none"):
            validation_curve(GaussianNB(), X, Y, parameter="var_smoothing", values=[])
