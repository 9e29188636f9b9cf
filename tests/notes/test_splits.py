"""Splits of the notes: stratified hold-out, folds, leave-one-out and the bootstrap, as printed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from hornbook.datasets import iris, watermelon
from hornbook.evaluation import (
    Bootstrap,
    HoldOut,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    SmallFoldWarning,
    StratifiedKFold,
    bootstrap_estimate,
    inclusion_probability,
    three_way_split,
)

small_folds = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")


def iris_2d():
    """Sepal length and width with all three classes."""
    frame = iris()
    return np.column_stack([frame["sepal_length"], frame["sepal_width"]]), frame.y


class TestHoldOut:
    def test_training_and_test_set_are_disjoint_and_cover_the_data(self):
        [(train, test)] = HoldOut(0.2, random_state=0).split(iris())
        assert set(train) | set(test) == set(range(150))
        assert set(train) & set(test) == set()

    def test_eighty_twenty_balanced_by_class(self):
        # the assessment of N1: 120 rows to train, 30 to test, 10 of each class
        frame = iris()
        [(train, test)] = HoldOut(0.2, stratify=True, random_state=0).split(frame)
        assert (len(train), len(test)) == (120, 30)
        assert np.unique(frame.y[test], return_counts=True)[1].tolist() == [10, 10, 10]

    @small_folds
    def test_a_crucial_attribute_keeps_its_distribution_too(self):
        melons = watermelon("3.0")
        [(train, test)] = HoldOut(0.3, stratify="texture", random_state=0).split(melons)
        for level in set(melons["texture"]):
            whole = (melons["texture"] == level).mean()
            assert abs((melons["texture"][test] == level).sum() - whole * len(test)) < 1
            assert abs((melons["texture"][train] == level).sum() - whole * len(train)) < 1

    def test_three_parts_of_the_data(self):
        train, validation, test = three_way_split(iris(), random_state=0)
        assert sorted([*train, *validation, *test]) == list(range(150))
        assert (len(train), len(validation), len(test)) == (90, 30, 30)


@small_folds
class TestCrossValidation:
    def test_ten_folds_each_tested_once(self):
        # the figure of N0: D in 10 folds, 10 rounds of training on 9 and testing on 1
        melons = watermelon("3.0")
        rounds = list(KFold(10, shuffle=True, random_state=0).split(melons))
        assert len(rounds) == 10
        assert sorted(np.concatenate([test for _, test in rounds])) == list(range(17))
        assert all(set(train) == set(range(17)) - set(test) for train, test in rounds)

    def test_each_fold_keeps_the_distribution(self):
        # 8 ripe and 9 unripe melons in 4 folds: 2 ripe and 2 or 3 unripe in each
        melons = watermelon("3.0")
        for _, test in StratifiedKFold(4, shuffle=True, random_state=0).split(melons):
            assert melons.y[test].sum() == 2
            assert (~melons.y[test].astype(bool)).sum() in (2, 3)

    def test_leave_one_out_is_as_many_folds_as_rows(self):
        melons = watermelon("3.0")
        assert LeaveOneOut().get_n_splits(melons) == 17
        folds = [test.tolist() for _, test in KFold(17).split(melons)]
        assert [test.tolist() for _, test in LeaveOneOut().split(melons)] == folds

    def test_at_least_thirty_rows_in_a_fold_means_three_hundred_for_ten(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            list(KFold(10).split(np.zeros((300, 1))))
            with pytest.raises(SmallFoldWarning, match="29 rows"):
                KFold(10).split(np.zeros((299, 1)))

    def test_ten_runs_of_five_folds_of_the_full_bayes_classifier(self):
        # printed: mean error 0.232; 1000 runs of ten gave 0.2296 with 95 % in 0.207 to 0.260
        X, y = iris_2d()
        errors = [
            np.mean(QuadraticDiscriminantAnalysis().fit(X[train], y[train]).predict(X[test]) != y[test])
            for train, test in RepeatedKFold(n_splits=5, n_repeats=10, random_state=0).split(X)
        ]
        runs = np.reshape(errors, (10, 5))
        assert 0.207 < runs.mean() < 0.260
        assert runs.mean(axis=1).var() < 1e-3
        assert runs.var(axis=1).var() < 1e-3


class TestBootstrap:
    def test_the_chance_of_never_being_drawn(self):
        assert round(1 - inclusion_probability(10**6), 3) == 0.368 == round(np.exp(-1), 3)
        assert round(1 - inclusion_probability(17), 4) == 0.3568
        assert round(1 - inclusion_probability(150), 5) == 0.36665
        assert round(inclusion_probability(10**6), 3) == 0.632

    def test_the_out_of_bag_rows_are_those_not_drawn(self):
        for train, test in Bootstrap(20, random_state=0).split(watermelon("3.0")):
            assert len(train) == 17
            assert set(test) == set(range(17)) - set(train)

    def test_fifty_samples_of_iris_tested_on_all_of_it(self):
        # printed: mean 0.213, variance 4.815e-4; 300 repetitions: 0.2058 to 0.2179 and 2.9e-4 to 6.3e-4
        X, y = iris_2d()
        samples = Bootstrap(50, test="all", random_state=0)
        result = bootstrap_estimate(
            QuadraticDiscriminantAnalysis(), X, y, measure="error_rate", bootstrap=samples
        )
        assert 0.2058 < result.estimate < 0.2179
        assert 2.9e-4 < result.variance < 6.3e-4
        # testing on all rows is optimistic
        out_of_bag = bootstrap_estimate(
            QuadraticDiscriminantAnalysis(),
            X,
            y,
            measure="error_rate",
            bootstrap=Bootstrap(50, random_state=0),
        )
        assert out_of_bag.estimate > result.estimate
