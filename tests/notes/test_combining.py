"""Combining predictors: the examples of the notes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    DecisionStump,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
    RandomForestClassifier,
    StackingClassifier,
    SurrogateLossClassifier,
    VotingClassifier,
    datasets,
)
from hornbook.ensembles import average, plurality_vote, sign_vote
from hornbook.evaluation import StratifiedKFold, accuracy, kappa_error


@pytest.mark.parametrize(
    ("right", "ensemble"),
    [
        ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1, 1, 1]),  # accurate and different: the vote helps
        ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], [1, 1, 0]),  # the same mistakes: no effect
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]),  # worse than chance: the vote hurts
    ],
    ids=["helps", "no effect", "hurts"],
)
def test_members_must_be_accurate_and_different(right, ensemble):
    votes = np.where(np.array(right, dtype=bool), 1, -1)  # the truth is 1
    assert (sign_vote(votes) == 1).astype(int).tolist() == ensemble
    assert (plurality_vote(votes) == 1).astype(int).tolist() == ensemble


def test_weak_learners_gain_most_by_voting():
    draw = np.random.default_rng(0)

    def gain(accuracy):
        votes = np.where(draw.random((21, 4000)) < accuracy, 1, -1)
        return (sign_vote(votes) == 1).mean() - accuracy

    assert gain(0.6) > 0.2 > gain(0.95) > 0
    assert gain(0.4) < -0.15  # below chance it makes things worse


def test_the_mean_guess_is_no_worse_than_the_guesses_are_on_average():
    guesses, truth = np.random.default_rng(0).normal(1200, 150, size=(787, 1)), 1198.0
    crowd = abs(average(guesses)[0] - truth)
    assert crowd < np.abs(guesses - truth).mean() / 10


def test_equal_votes_are_settled_at_random_or_by_confidence():
    votes = [["ripe"] * 1000, ["unripe"] * 1000]
    drawn = plurality_vote(votes, ties="random", random_state=1)
    assert 0.45 < (drawn == "ripe").mean() < 0.55
    confidence = np.repeat([[[0.6, 0.4]], [[0.1, 0.9]]], 1000, axis=1)
    assert set(plurality_vote(votes, ties="confidence", probabilities=confidence)) == {"unripe"}


def test_members_of_one_type_or_of_several_and_any_rule():
    """An ensemble is a constructor of different predictors and a rule that combines them."""
    iris = datasets.iris()
    X, y = iris.features, iris.y
    rows = [np.random.default_rng(seed).integers(0, 150, 150) for seed in range(5)]
    alike = [
        (f"tree{i}", DecisionTreeClassifier().fit(X[chosen], y[chosen])) for i, chosen in enumerate(rows)
    ]
    several = [("bayes", NaiveBayes().fit(X, y)), ("line", LogisticRegression().fit(X, y))]
    for members in (alike, several, alike + several):
        for rule in ("sum", "product", "median", "borda", "dempster_shafer"):
            model = VotingClassifier(members, voting="soft", rule=rule, prefit=True).fit(X, y)
            assert model.score(X, y) > 0.93
    # The same member three times gains nothing with any rule.
    same = [(f"copy{i}", several[0][1]) for i in range(3)]
    for rule in ("sum", "product", "median", "min", "max", "borda", "dempster_shafer"):
        model = VotingClassifier(same, voting="soft", rule=rule, prefit=True).fit(X, y)
        assert model.predict(X).tolist() == several[0][1].predict(X).tolist()


def test_stacking_in_folds_by_hand():
    """z_it comes from the member that has not learned from the fold of row i; new rows get those of all."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 60)
    X = draw.normal(size=(60, 2)) + y[:, None]
    members = [("bayes", NaiveBayes()), ("stump", DecisionStump())]
    model = StackingClassifier(members, cv=3, stack_method="predict_proba").fit(X, y)
    z = np.empty((60, 2))
    fold = StratifiedKFold(3).fold_numbers(X, y)
    for j, kind in enumerate((NaiveBayes, DecisionStump)):
        for k in range(3):
            z[fold == k, j] = kind().fit(X[fold != k], y[fold != k]).predict_proba(X[fold == k])[:, 1]
    combiner = LogisticRegression().fit(z, y)
    whole = np.column_stack([kind().fit(X, y).predict_proba(X)[:, 1] for kind in (NaiveBayes, DecisionStump)])
    np.testing.assert_allclose(model.predict_proba(X), combiner.predict_proba(whole), rtol=1e-9)


def test_stacking_in_the_plane_of_two_components():
    """Linear SVM, a forest of five trees and naive Bayes, stacked by their classes on the same 100 rows.

    There is no SVM yet: the line minimizes the hinge loss, and neighbors combine in place of a Gaussian SVM.
    The ranges are those of 200 random splits; the printed 0.68, 0.82, 0.74 and 0.92 come from one of them.
    """
    plane = datasets.iris(view="components").features
    y = np.where(np.asarray(datasets.iris().y) == "versicolor", "versicolor", "rest")
    scores = np.empty((20, 4))
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(150)
        train, test = order[:100], order[100:]
        members = [
            ("line", SurrogateLossClassifier(loss="hinge", C=1.0)),
            ("forest", RandomForestClassifier(5, max_features=1, random_state=seed)),
            ("bayes", NaiveBayes()),
        ]
        model = StackingClassifier(members, KNeighborsClassifier(), cv="none", stack_method="predict")
        model.fit(plane[train], y[train])
        scores[seed, :3] = [accuracy(y[test], one.predict(plane[test])) for one in model.estimators_]
        scores[seed, 3] = model.score(plane[test], y[test])
    assert np.median(scores, axis=0) == pytest.approx([0.66, 0.92, 0.82, 0.92], abs=0.04)
    low, high = np.array([0.56, 0.82, 0.74, 0.84]), np.array([0.78, 0.98, 0.90, 0.98])
    inside = (scores >= low - 0.03) & (scores <= high + 0.03)
    assert (inside.mean(axis=0) >= 0.9).all()
    line, forest, bayes, stacked = np.median(scores, axis=0)
    assert stacked >= max(line, bayes)
    assert stacked == pytest.approx(forest, abs=0.04)  # it believes the member that knows its rows by heart


@pytest.mark.parametrize("k", [1, 5, 24])
def test_accurate_classifiers_with_negative_kappa(k):
    triples = (
        [(0, 1, 0)] * k + [(1, 0, 0)] * k + [(0, 0, 0)] + [(0, 1, 1)] * k + [(1, 0, 1)] * k + [(1, 1, 1)]
    )
    first, second, truth = np.array(triples).T
    result = kappa_error([first, second], truth)
    assert result.error == pytest.approx([1 - (2 * k + 2) / (4 * k + 2)])
    assert result.kappa == pytest.approx([4 / (4 * k + 2) - 1])
    if k == 24:
        assert 1 - result.error[0] == pytest.approx(0.5102, abs=5e-5)
        assert result.kappa[0] == pytest.approx(-0.9592, abs=5e-5)


def test_thirteen_bagged_stumps_of_which_some_are_the_same():
    iris = datasets.iris()
    X, y = iris.features, iris.y
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    draws = [np.random.default_rng(seed).choice(train, 75) for seed in range(13)]
    stumps = [DecisionStump().fit(X[rows], y[rows]) for rows in draws]
    for rows in (train, test):
        predictions = [stump.predict(X[rows]) for stump in stumps]
        distinct = {tuple(one) for one in predictions}
        result = kappa_error(predictions, y[rows])
        assert result.n_distinct == len(distinct) < 13
        assert len(result.pairs) == len(distinct) * (len(distinct) - 1) // 2
        assert result.points[:, 2].sum() == len(result.pairs)
