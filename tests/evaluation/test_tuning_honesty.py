"""Scores of what was chosen that are honest about the choice."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from tests.evaluation.picky import FOLDS, X4, Y4, Picky, two_classes
from tests.evaluation.polynomials import Polynomial, parabola

from hornbook.evaluation import (
    GroupKFold,
    KFold,
    NestedCV,
    SmallFoldWarning,
    StratifiedKFold,
    grid_search,
    select_by_validation,
)


class Guess(ClassifierMixin, BaseEstimator):
    """Answers by a random function of x."""

    def __init__(self, seed=0):
        self.seed = seed

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (np.floor(1e6 * X[:, 0]).astype(int) * (self.seed + 7919) // 13) % 2


class TestHonesty:
    def test_the_best_of_many_useless_settings_looks_good_and_is_not(self):
        # Labels are coin flips, so that no setting can do better than chance.
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(120, 2)), rng.integers(0, 2, 120)
        grid = {"seed": list(range(60))}
        search = grid_search(Guess(), X, y, grid=grid, measure="error_rate", cv=FOLDS)
        assert search.best_score < 0.42
        assert search.honest_score > 0.44

    def test_outer_test_rows_take_no_part_in_the_choice(self):
        # Each setting remembers one row; were outer test rows seen in the search, the choice could find them.
        X, y = np.arange(160.0)[:, None], np.zeros(160)
        seen = []

        class Spy(Picky):
            def fit(self, X, y, sample_weight=None):
                seen.append((self.value, set(X[:, 0])))
                return super().fit(X, y)

            def predict(self, X):
                seen.append((self.value, set(X[:, 0])))
                return super().predict(X)

        splits = NestedCV(KFold(4), KFold(2))
        grid_search(Spy(), X, y, grid={"value": [0.0, 1.0]}, cv=splits, measure="mse")
        per_outer = 2 * 2 * 2 + 2  # settings, inner folds, fit and predict; then the chosen one
        for k, (train, _) in enumerate(splits.split(X)):
            calls = seen[k * per_outer : (k + 1) * per_outer]
            touched = set().union(*(rows for _, rows in calls[:-1]))
            assert touched == set(X[train, 0])
        assert len(seen) == 4 * per_outer + 2 * 2 * 2 + 1

    def test_every_outer_fold_says_what_it_chose(self):
        X, y = two_classes(n=160)
        search = grid_search(KNeighborsClassifier(), X, y, grid={"n_neighbors": [1, 11]}, cv=FOLDS)
        assert [set(s) for s in search.outer_settings] == [{"n_neighbors"}] * 4

    @pytest.mark.parametrize("nested", [True, False])
    def test_small_folds_are_said_once(self, nested):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            grid_search(Picky(), X4[:40], Y4[:40], grid={"value": [1.0]}, cv=FOLDS, nested=nested)
        assert [warning.category for warning in warned] == [SmallFoldWarning]

    def test_groups_stay_together_inside_and_outside(self):
        X, y = two_classes(n=200)
        groups = np.arange(200) // 10
        splits = NestedCV(GroupKFold(4), GroupKFold(3))
        for fold in splits.nested_split(X, y, groups):
            assert not set(groups[fold.train]) & set(groups[fold.test])
            for learn, choose in fold.inner:
                assert not set(groups[learn]) & set(groups[choose])
                assert set(learn) | set(choose) == set(fold.train)
        search = grid_search(
            KNeighborsClassifier(), X, y, grid={"n_neighbors": [1, 9]}, cv=splits, groups=groups
        )
        assert search.trials.scores.shape == (2, 3)
        assert len(search.outer_scores) == 4


class TestSelectByValidation:
    def table(self, n=300, seed=0):
        rng = np.random.default_rng(seed)
        x = rng.uniform(-1, 1, n)
        return x[:, None], parabola(x) + rng.normal(0, 0.3, n)

    def test_the_steps_by_hand(self):
        X, y = self.table()
        learners = {f"degree {k}": Polynomial(k) for k in range(5)}
        selection = select_by_validation(learners, X, y, measure="mse", random_state=0)
        a, b, c = selection.parts
        fits = [Polynomial(k).fit(X[a], y[a]) for k in range(5)]
        np.testing.assert_allclose(
            selection.train_scores, [np.mean((m.predict(X[a]) - y[a]) ** 2) for m in fits]
        )
        errors = [np.mean((m.predict(X[b]) - y[b]) ** 2) for m in fits]
        np.testing.assert_allclose(selection.validation_scores, errors)
        k = int(np.argmin(errors))
        assert selection.best == f"degree {k}"
        both = np.concatenate([a, b])
        refit = Polynomial(k).fit(X[both], y[both])
        assert selection.estimate == pytest.approx(np.mean((refit.predict(X[c]) - y[c]) ** 2))
        np.testing.assert_allclose(selection.best_learner.coef_, Polynomial(k).fit(X, y).coef_)

    def test_cross_validation_within_the_test_rows(self):
        X, y = self.table()
        folds = KFold(2)
        selection = select_by_validation(
            {"line": Polynomial(1)},
            X,
            y,
            measure="mse",
            estimate="cross_validation",
            cv=folds,
            random_state=0,
        )
        xt, yt = X[selection.parts.test], y[selection.parts.test]
        expected = [
            np.mean((Polynomial(1).fit(xt[i], yt[i]).predict(xt[j]) - yt[j]) ** 2) for i, j in folds.split(xt)
        ]
        np.testing.assert_allclose(selection.test_scores, expected)

    def test_classes_and_words(self):
        X, y = two_classes(n=400)
        selection = select_by_validation(
            {"one": KNeighborsClassifier(1), "many": KNeighborsClassifier(25)},
            X,
            y,
            measure="accuracy",
            stratify=True,
            test_size=0.5,
            estimate="cross_validation",
            cv=StratifiedKFold(5),
            random_state=0,
        )
        assert selection.best == "many"
        assert len(selection.test_scores) == 5
        lines = str(selection).splitlines()
        assert lines[0] == "accuracy (120 + 80 + 200 rows to train, validate and test)"
        assert lines[-1] == f"many has accuracy {selection.estimate:.4g} on the test rows."
        assert "chosen" in lines[3]
        assert selection.to_dict()["best"] == "many"
        assert ">chosen</td>" in selection._repr_html_()

    def test_refusals(self):
        X, y = self.table(30)
        with pytest.raises(ValueError, match="'learners' must have at least one learner; got none"):
            select_by_validation({}, X, y)
        with pytest.raises(ValueError, match="'cv' belongs to estimate='cross_validation'"):
            select_by_validation({"line": Polynomial(1)}, X, y, cv=KFold(2))
        with pytest.raises(
            ValueError, match="'estimate' must be one of 'test', 'cross_validation'; got 'cv'"
        ):
            select_by_validation({"line": Polynomial(1)}, X, y, estimate="cv")
