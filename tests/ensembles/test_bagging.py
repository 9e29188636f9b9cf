"""Bagging: which rows and columns members learn from, and what they answer together."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_friedman1
from sklearn.ensemble import BaggingClassifier as PeerClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.tree import ExtraTreeClassifier

from hornbook import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Frame,
    KNeighborsClassifier,
    LinearRegression,
    LogisticRegression,
    NaiveBayes,
    Scaled,
    datasets,
)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


def counts(model, n, w=None):
    """How often each row was drawn by each member."""
    return np.array([np.bincount(rows, minlength=n) for rows in model.samples(w)])


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_members_are_fitted_to_the_rows_they_drew_and_averaged(cancer, vote):
    X, y = cancer
    model = BaggingClassifier(
        DecisionTreeClassifier(max_depth=2), 7, vote=vote, oob_score=True, random_state=1
    ).fit(X, y)
    total, unseen, n_members = np.zeros((len(y), 2)), np.zeros((len(y), 2)), np.zeros(len(y))
    for member, rows in zip(model.estimators_, model.samples(), strict=True):
        alone = DecisionTreeClassifier(max_depth=2).fit(X[rows], y[rows])
        answers = alone.predict_proba(X)
        np.testing.assert_array_equal(member.predict_proba(X), answers)
        if vote == "hard":
            answers = np.eye(2)[alone.predict(X)]
        total += answers
        left_out = ~np.isin(np.arange(len(y)), rows)
        unseen[left_out] += answers[left_out]
        n_members += left_out
    np.testing.assert_allclose(model.predict_proba(X), total / 7, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), total.argmax(axis=1))
    # Both readings of the out-of-bag error: rows without a vote left out, or taken for the first class.
    known = n_members > 0
    wrong = unseen.argmax(axis=1) != y
    assert (~known).sum() > 0
    assert model.oob_errors_[-1] == pytest.approx(wrong[known].mean(), abs=1e-12)
    assert model.oob_score_ == 1 - model.oob_errors_[-1]
    np.testing.assert_allclose(
        model.oob_decision_function_[known], unseen[known] / n_members[known, None], rtol=1e-12
    )
    assert np.isnan(model.oob_decision_function_[~known]).all()
    np.testing.assert_array_equal(model.staged_errors(X, y, oob=True), model.oob_errors_)
    every_row = model.staged_errors(X, y, oob=True, unvoted="first")
    assert every_row[-1] == pytest.approx(wrong.mean(), abs=1e-12)


def test_each_member_alone_and_all_members_together_out_of_bag(cancer):
    X, y = cancer
    model = BaggingClassifier(n_estimators=25, oob_score=True, random_state=0).fit(X, y)
    alone = [
        (member.predict(X)[out] != y[out]).mean()
        for member, out in zip(model.estimators_, counts(model, len(y)) == 0, strict=True)
    ]
    np.testing.assert_allclose(model.oob_member_errors_, alone, rtol=1e-12)
    assert model.oob_member_errors_.mean() > model.oob_errors_[-1]


def test_numbers_out_of_bag():
    X, y = make_friedman1(200, random_state=0)
    model = BaggingRegressor(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    out = counts(model, 200) == 0
    answers = np.where(out, model.member_predictions(X), 0.0)
    mean = answers.sum(axis=0) / out.sum(axis=0)
    np.testing.assert_allclose(model.oob_prediction_, mean, rtol=1e-12)
    assert model.oob_score_ == pytest.approx(1 - ((y - mean) ** 2).mean() / y.var())
    np.testing.assert_allclose(model.predict(X), model.member_predictions(X).mean(axis=0), rtol=1e-12)


def test_stages_end_in_the_whole(cancer):
    X, y = cancer
    model = BaggingClassifier(n_estimators=6, random_state=0, vote="hard").fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == 6
    np.testing.assert_array_equal(stages[0], model.member_predictions(X)[0])
    np.testing.assert_array_equal(stages[-1], model.predict(X))
    errors = [(stage != y).mean() for stage in stages]
    np.testing.assert_allclose(model.staged_errors(X, y), errors)


def test_truth_of_numpy_is_truth():
    iris = datasets.iris()
    models = [BaggingClassifier(NaiveBayes(), 3, bootstrap=yes, random_state=0) for yes in (True, np.True_)]
    one, other = (model.fit(iris).samples()[2] for model in models)
    np.testing.assert_array_equal(one, other)
    assert models[0].describe().to_dict() == models[1].describe().to_dict()


def test_ways_to_choose_rows(cancer):
    X, y = cancer
    n = len(y)
    bagged = counts(BaggingClassifier(NaiveBayes(), 5, random_state=0).fit(X, y), n)
    assert (bagged.sum(axis=1) == n).all()
    assert bagged.max() > 1
    few = counts(BaggingClassifier(NaiveBayes(), 5, max_samples=0.25, random_state=0).fit(X, y), n)
    assert (few.sum(axis=1) == round(n / 4)).all()
    pasted = counts(
        BaggingClassifier(NaiveBayes(), 5, max_samples=100, bootstrap=False, random_state=0).fit(X, y), n
    )
    assert (pasted.sum(axis=1) == 100).all()
    assert pasted.max() == 1
    assert len({row.tobytes() for row in pasted}) == 5
    parts = counts(BaggingClassifier(NaiveBayes(), 5, bootstrap="disjoint", random_state=0).fit(X, y), n)
    assert (parts.sum(axis=0) == 1).all()
    assert set(parts.sum(axis=1).tolist()) == {n // 5, n // 5 + 1}


def test_rows_without_overlap_can_be_scored_out_of_bag(cancer):
    X, y = cancer
    model = BaggingClassifier(n_estimators=4, bootstrap="disjoint", oob_score=True, random_state=0).fit(X, y)
    assert model.oob_score_ > 0.85
    assert not np.isnan(model.oob_decision_function_).any()  # three of four members have not seen a row


def test_columns_are_drawn_for_each_member(cancer):
    X, y = cancer
    model = BaggingClassifier(NaiveBayes(), 8, max_features=0.2, random_state=0).fit(X, y)
    assert model.estimators_features_.shape == (8, 6)
    for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        assert len(set(columns.tolist())) == 6
        assert member.n_features_in_ == 6
    twice = BaggingClassifier(NaiveBayes(), 8, bootstrap_features=True, bootstrap=False, random_state=0)
    twice.fit(X, y)
    assert all(len(set(row)) < 30 for row in twice.estimators_features_.tolist())
    for member, columns in zip(twice.estimators_, twice.estimators_features_, strict=True):
        np.testing.assert_allclose(
            member.predict_proba(X[:, columns]),
            NaiveBayes().fit(X[:, columns], y).predict_proba(X[:, columns]),
        )


def test_a_column_drawn_twice_gets_a_free_name():
    table = Frame({"a": [0.0, 1.0, 2.0, 3.0], "a (2)": [0.0, 1.0, 0.0, 1.0]})
    model = BaggingRegressor(LinearRegression(), 20, bootstrap_features=True, random_state=0)
    model.fit(table, [0.0, 1.0, 2.0, 3.0])
    names = {name for member in model.estimators_ for name in member.feature_names_in_}
    assert names == {"a", "a (2)", "a (3)", "a (2) (2)"}


def test_randomness_is_injected_by_seeds_alone(cancer):
    X, y = cancer
    member = ExtraTreeClassifier(max_features=1)
    model = BaggingClassifier(member, 5, bootstrap=False, random_state=0).fit(X, y)
    new = np.random.default_rng(0).permuted(X, axis=0)
    assert len({member.predict(new).tobytes() for member in model.estimators_}) == 5
    again = BaggingClassifier(member, 5, bootstrap=False, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    inside = BaggingClassifier(Scaled(DecisionTreeClassifier(random_state=7)), 2, random_state=0).fit(X, y)
    assert len({m.estimator.random_state for m in inside.estimators_}) == 2


def test_identical_members_gain_nothing(cancer):
    X, y = cancer
    model = BaggingClassifier(NaiveBayes(), 5, bootstrap=False, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X), rtol=1e-12)


def test_weights_are_sampling_weights_and_zero_is_never_drawn(cancer):
    X, y = cancer
    w = np.arange(len(y)) % 3
    model = BaggingClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y, sample_weight=w)
    drawn = counts(model, len(y), w).mean(axis=0)
    assert drawn[w == 0].max() == 0
    assert drawn[w == 2].mean() == pytest.approx(2 * drawn[w == 1].mean(), rel=0.1)
    assert np.isnan(model.oob_decision_function_[w == 0]).all()
    # A member that takes no weights can be bagged all the same.
    BaggingClassifier(RidgeClassifier(), 3, random_state=0).fit(X, y, sample_weight=w)
    np.testing.assert_array_equal(model.staged_errors(X, y, w, oob=True), model.oob_errors_)


def test_members_without_probabilities_vote(cancer):
    X, y = cancer
    model = BaggingClassifier(RidgeClassifier(), 5, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], model.member_predictions(X).mean(axis=0))


class TestTies:
    """Equal votes: the first class, a random one, or the one with surer voters."""

    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]])
    y = np.array(["a", "a", "a", "a", "b", "b", "b", "b"])
    between = np.linspace(3.0, 10.0, 401)[:, None]

    def model(self, ties):
        return BaggingClassifier(
            NaiveBayes(), 4, max_samples=7, bootstrap=False, vote="hard", ties=ties, random_state=0
        ).fit(self.X, self.y)

    def tied(self, model):
        return (model.member_predictions(self.between) == "a").sum(axis=0) == 2

    def test_first(self):
        model = self.model("first")
        tied = self.tied(model)
        assert tied.any()
        assert set(model.predict(self.between)[tied].tolist()) == {"a"}

    def test_random_depends_on_the_row_and_not_on_its_place(self):
        model = self.model("random")
        tied = self.tied(model)
        answers = model.predict(self.between)
        assert 0.2 < (answers[tied] == "a").mean() < 0.8
        np.testing.assert_array_equal(model.predict(self.between[::-1])[::-1], answers)
        np.testing.assert_array_equal(answers[~tied], self.model("first").predict(self.between)[~tied])

    def test_confidence(self):
        model = self.model("confidence")
        tied = self.tied(model)
        votes = model.member_predictions(self.between)
        probabilities = np.array([m.predict_proba(self.between) for m in model.estimators_])
        sure = [
            np.where(votes == label, probabilities[:, :, c], 0).sum(axis=0) for c, label in enumerate("ab")
        ]
        expected = np.where(sure[0] >= sure[1], "a", "b")
        np.testing.assert_array_equal(model.predict(self.between)[tied], expected[tied])

    def test_shares_are_those_of_the_votes(self):
        model = self.model("confidence")
        shares = (model.member_predictions(self.between) == "b").mean(axis=0)
        np.testing.assert_allclose(model.predict_proba(self.between)[:, 1], shares, atol=1e-6)


def test_a_sample_of_one_class_is_answered_by_that_class():
    X, y = np.arange(12.0)[:, None], np.array([0] * 11 + [1])
    model = BaggingClassifier(LogisticRegression(), 20, random_state=0).fit(X, y)
    seen = [set(y[rows].tolist()) for rows in model.samples()]
    assert {0} in seen
    for member, classes in zip(model.estimators_, seen, strict=True):
        if classes == {0}:
            assert set(member.predict(X).tolist()) == {0}


def test_categories_and_gaps_go_in():
    frame = datasets.watermelon(version="3.0")
    model = BaggingClassifier(KNeighborsClassifier(n_neighbors=3), 10, max_features=0.5, random_state=0).fit(
        frame
    )
    assert (model.predict(frame.features) == frame.y).mean() > 0.7


def test_a_warm_start_adds_members():
    iris = datasets.iris()
    whole = BaggingClassifier(n_estimators=6, max_features=2, oob_score=True, random_state=5).fit(iris)
    grown = BaggingClassifier(
        n_estimators=2, max_features=2, oob_score=True, warm_start=True, random_state=5
    ).fit(iris)
    first = grown.estimators_[0]
    grown.set_params(n_estimators=6).fit(iris)
    assert grown.estimators_[0] is first
    np.testing.assert_array_equal(grown.predict_proba(iris.features), whole.predict_proba(iris.features))
    np.testing.assert_array_equal(grown.oob_errors_, whole.oob_errors_)
    with pytest.raises(ValueError, match="there are 6 members already"):
        grown.set_params(n_estimators=3).fit(iris)
    grown.set_params(n_estimators=8)
    with pytest.raises(ValueError, match="have changed"):
        grown.fit(iris[:100])
    for changed in ({"max_features": 3}, {"max_samples": 0.5}):
        with pytest.raises(ValueError, match="those of other draws"):
            copy(grown).set_params(**changed).fit(iris)
    with pytest.raises(ValueError, match="those of other draws"):
        grown.fit(iris, sample_weight=np.arange(150.0))


def test_threads_do_not_matter_for_foreign_members(cancer):
    X, y = cancer
    models = [
        BaggingClassifier(ExtraTreeClassifier(), 9, n_jobs=n, random_state=3, oob_score=True).fit(X, y)
        for n in (1, 4)
    ]
    np.testing.assert_array_equal(models[0].oob_decision_function_, models[1].oob_decision_function_)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bootstrap": False, "oob_score": True}, "every member sees every row"),
        ({"bootstrap": False, "max_samples": 200}, "'max_samples' is 200, but only 150 rows"),
        ({"bootstrap": "disjoint", "max_samples": 0.5}, "gives all of them away"),
        ({"bootstrap": "disjoint", "n_estimators": 151}, "lower n_estimators"),
        ({"max_features": 5}, "'max_features' is 5, but the table has 4 columns"),
        ({"ties": "random"}, "'ties' applies to votes"),
        (
            {"n_estimators": 1, "max_samples": 10_000, "oob_score": True},
            "every row is in the sample of every",
        ),
    ],
)
def test_contradictions_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        BaggingClassifier(random_state=0, **settings).fit(datasets.iris())


def test_a_learner_for_the_other_task_is_refused():
    with pytest.raises(TypeError, match="must be a learner for classification"):
        BaggingClassifier(DecisionTreeRegressor()).fit(datasets.iris())
    with pytest.raises(TypeError, match="needs probabilities"):
        BaggingClassifier(RidgeClassifier(), vote="hard", ties="confidence").fit(datasets.iris())


def test_out_of_bag_errors_need_the_rows_of_the_fit():
    iris = datasets.iris()
    model = BaggingClassifier(n_estimators=3, random_state=0).fit(iris)
    with pytest.raises(ValueError, match="needs the 150 training rows; got 10"):
        model.staged_errors(iris[:10], oob=True)
    with pytest.raises(ValueError, match="for each of the 150 training rows"):
        model.samples(np.ones(3))
    whole = BaggingClassifier(n_estimators=3, bootstrap=False, random_state=0).fit(iris)
    with pytest.raises(ValueError, match="every member sees every row"):
        whole.staged_errors(iris, oob=True)


def test_as_good_as_scikit_learn(cancer):
    X, y = cancer
    train, test = np.arange(len(y)) % 2 == 0, np.arange(len(y)) % 2 == 1
    settings = {"n_estimators": 15, "max_samples": 0.8, "max_features": 0.5}

    def accuracies(bagging):
        models = [bagging(random_state=seed, **settings).fit(X[train], y[train]) for seed in range(12)]
        return np.array([(model.predict(X[test]) == y[test]).mean() for model in models])

    ours, theirs = accuracies(BaggingClassifier), accuracies(PeerClassifier)
    error = np.hypot(ours.std(), theirs.std()) / np.sqrt(11)
    assert abs(ours.mean() - theirs.mean()) < 3 * error + 0.002


def test_a_mean_of_unstable_members_is_better_than_one_of_them():
    X, y = make_friedman1(300, noise=1.0, random_state=1)
    new_X, new_y = make_friedman1(500, noise=1.0, random_state=2)
    bagged = BaggingRegressor(n_estimators=40, random_state=0).fit(X, y).score(new_X, new_y)
    alone = DecisionTreeRegressor().fit(X, y).score(new_X, new_y)
    assert bagged > alone + 0.1
