"""Stacking three ways: against scikit-learn, by hand, and on tables that are hard to divide."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import StackingClassifier as SkStackingClassifier
from sklearn.ensemble import StackingRegressor as SkStackingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression as SkLinear
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.linear_model import Ridge as SkRidge
from sklearn.model_selection import StratifiedKFold as SkStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as SkNeighbors
from sklearn.neighbors import KNeighborsRegressor as SkNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as SkTree
from tests.contract.learners import mixed_table

import hornbook
from hornbook import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearRegression,
    LogisticRegression,
    NaiveBayes,
    Ridge,
    StackingClassifier,
    StackingRegressor,
)
from hornbook.ensembles.combining._folds import held_out
from hornbook.evaluation import KFold, StratifiedKFold
from hornbook.params import ParameterError

FOREIGN = [("bayes", GaussianNB()), ("tree", SkTree(max_depth=2, random_state=0))]
OURS = [("bayes", NaiveBayes()), ("tree", DecisionTreeClassifier(max_depth=3))]


def hazy(n=200, k=3, seed=0):
    """Rows on which members differ."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, k, n)
    return draw.normal(size=(n, 3)) + 0.8 * np.eye(3)[group], np.array(["a", "b", "c"])[group]


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    ("cv", "settings"),
    [(None, {}), (3, {"passthrough": True}), (SkStratifiedKFold(4, shuffle=True, random_state=0), {})],
)
def test_folds_as_in_scikit_learn(settings, k, cv):
    rows, y = hazy(k=k)
    combiner = SkLogistic(C=1.0, max_iter=1000, tol=1e-9)
    ours = StackingClassifier(FOREIGN, combiner, cv=cv, **settings).fit(rows, y)
    theirs = SkStackingClassifier(FOREIGN, combiner, cv=cv, **settings).fit(rows, y)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(rows), theirs.decision_function(rows), atol=1e-5)
    assert ours.predict(rows).tolist() == theirs.predict(rows).tolist()
    n_inputs = ours.transform(rows).shape[1]
    np.testing.assert_allclose(ours.transform(rows), theirs.transform(rows)[:, :n_inputs])
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()[:n_inputs]


def test_scores_and_given_members_as_in_scikit_learn():
    rows, y = hazy()
    members = [("line", LinearSVC()), ("bayes", GaussianNB())]
    combiner = SkLogistic(max_iter=1000)
    ours = StackingClassifier(members, combiner).fit(rows, y)
    theirs = SkStackingClassifier(members, combiner).fit(rows, y)
    assert ours.stack_method_ == theirs.stack_method_ == ["decision_function", "predict_proba"]
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)
    given = [(name, member.fit(rows[:100], y[:100])) for name, member in members]
    ours = StackingClassifier(given, combiner, cv="prefit").fit(rows[100:], y[100:])
    theirs = SkStackingClassifier(given, combiner, cv="prefit").fit(rows[100:], y[100:])
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-9)


@pytest.mark.parametrize("passthrough", [False, True])
def test_numbers_as_in_scikit_learn(passthrough):
    rows = np.random.default_rng(0).normal(size=(90, 3))
    y = rows[:, 0] ** 2 + rows[:, 1]
    members = [("line", SkLinear()), ("near", SkNeighborsRegressor(3))]
    ours = StackingRegressor(members, SkRidge(), passthrough=passthrough).fit(rows, y)
    theirs = SkStackingRegressor(members, SkRidge(), passthrough=passthrough).fit(rows, y)
    np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows))
    assert ours.working(rows[0]).prediction == pytest.approx(ours.predict(rows[:1])[0])
    own = StackingRegressor(members).fit(rows, y)
    np.testing.assert_allclose(
        own.predict(rows), StackingRegressor(members, Ridge()).fit(rows, y).predict(rows)
    )


def test_the_same_rows_for_members_and_combiner_by_hand():
    rows, y = hazy()
    model = StackingClassifier(OURS, cv="none", stack_method="predict").fit(rows, y)
    members = {name: type(member)(**member.get_params()).fit(rows, y) for name, member in OURS}
    table = pd.DataFrame({name: member.predict(rows) for name, member in members.items()})
    combiner = LogisticRegression().fit(table, y)
    assert model.final_estimator_.schema_.kinds == ("nominal", "nominal")
    np.testing.assert_allclose(model.predict_proba(rows), combiner.predict_proba(table))
    assert model.transform(rows).tolist() == [
        [model.classes_.tolist().index(cell) for cell in row] for row in table.to_numpy()
    ]


def test_a_combiner_trained_on_rows_that_members_never_saw():
    rows, y = hazy()
    model = StackingClassifier(OURS, cv=0.3, random_state=1).fit(rows, y)
    codes = np.searchsorted(["a", "b", "c"], y)
    [(train, test)] = held_out("me", 0.3, hornbook.Frame(rows), codes, None, classes=True, seed=1)
    assert (len(train), len(test)) == (140, 60)
    assert not set(train) & set(test)
    assert np.bincount(codes[test]) == pytest.approx(0.3 * np.bincount(codes), abs=1)
    members = [type(member)(**member.get_params()).fit(rows[train], y[train]) for _, member in OURS]
    inputs = np.hstack([member.predict_proba(rows) for member in members])
    combiner = LogisticRegression().fit(inputs[test], y[test])
    np.testing.assert_allclose(model.transform(rows), inputs)
    np.testing.assert_allclose(model.predict_proba(rows), combiner.predict_proba(inputs))


def test_honest_inputs_do_not_believe_a_member_that_remembers():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(150, 2))
    y = (rows[:, 0] + draw.normal(size=150) > 0).astype(int)
    members = [("near", KNeighborsClassifier(n_neighbors=1)), ("bayes", NaiveBayes())]
    new = draw.normal(size=(4000, 2))
    truth = (new[:, 0] + draw.normal(size=4000) > 0).astype(int)
    believed = StackingClassifier(members, cv="none").fit(rows, y)
    folds, held = (StackingClassifier(members, cv=cv, random_state=0).fit(rows, y) for cv in (5, 0.5))
    assert believed.score(rows, y) == 1.0
    assert folds.score(new, truth) > believed.score(new, truth) + 0.05
    assert held.score(new, truth) > believed.score(new, truth) + 0.05
    weight = believed.final_estimator_.coef_[0]
    assert weight[0] > 3 * weight[1]
    assert folds.final_estimator_.coef_[0][0] < folds.final_estimator_.coef_[0][1]


def test_categories_and_gaps_reach_the_combiner():
    table, group = mixed_table(90)
    y = np.array(["one", "two", "three"])[group]
    model = StackingClassifier(OURS, NaiveBayes(), passthrough=True).fit(table, y)
    assert model.final_estimator_.schema_.names == (
        *(f"{name}: {label}" for name in ("bayes", "tree") for label in ("one", "three", "two")),
        "size",
        "mass",
        "color",
        "grade",
    )
    assert model.score(table, y) > 0.7
    taken = StackingClassifier([("mass", NaiveBayes())], passthrough=True, stack_method="predict")
    with pytest.raises(ValueError, match="the column 'mass' has the name of a member's input"):
        taken.fit(table, y)


@pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")  # of the splitter
def test_equal_rows_share_a_fold():
    draw = np.random.default_rng(0)
    rows = np.repeat(draw.normal(size=(30, 2)), 4, axis=0)
    y = np.repeat(draw.integers(0, 2, 30), 4)  # there is nothing to learn, only to remember
    members = [("near", KNeighborsClassifier(n_neighbors=1))]
    honest = StackingClassifier(members).fit(rows, y)
    leaky = StackingClassifier(members, cv=KFold(5, shuffle=True, random_state=0)).fit(rows, y)
    assert abs(honest.final_estimator_.coef_[0, 0]) < 1 < leaky.final_estimator_.coef_[0, 0]


@pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")  # of the splitter
@pytest.mark.parametrize("cv", [5, 0.4, "none", StratifiedKFold(2)])
def test_few_rows_of_a_class(cv):
    rows = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0], [3]], [37, 3], axis=0)
    y = np.repeat(["many", "few"], [37, 3])
    members = [("line", LogisticRegression()), ("near", KNeighborsClassifier(n_neighbors=1))]
    model = StackingClassifier(members, cv=cv, random_state=0).fit(rows, y)
    assert set(model.predict(rows)) <= {"many", "few"}
    np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1.0)


@pytest.mark.parametrize("method", ["predict_proba", "predict", "decision_function"])
def test_a_class_of_a_single_row_is_missing_in_a_fold(method):
    draw = np.random.default_rng(0)
    rows, y = draw.normal(size=(41, 2)), np.array(["a"] * 20 + ["b"] * 20 + ["rare"])
    rows[20:40] += 2
    rows[40] += 9
    members = [("line", LogisticRegression())]
    model = StackingClassifier(members, stack_method=method).fit(rows, y)
    assert np.isfinite(model.transform(rows)).all()
    assert model.classes_.tolist() == ["a", "b", "rare"]
    # Of two classes one has a single row: members of its fold learn from a single class.
    two = StackingClassifier(members, stack_method=method).fit(rows[20:], y[20:])
    assert np.isfinite(two.transform(rows)).all()
    assert two.predict(rows[20:30]).tolist() == ["b"] * 10
    with pytest.raises(ValueError, match="class 2 has 1 row, but two are needed to have it on both sides"):
        StackingClassifier(members, cv=0.5).fit(rows, np.repeat([0, 1, 2], [20, 20, 1]))


def test_members_that_know_different_classes():
    rows, y = hazy()
    given = [
        ("two", NaiveBayes().fit(rows[y != "c"], y[y != "c"])),
        ("all", DecisionTreeClassifier(max_depth=3).fit(rows, y)),
    ]
    model = StackingClassifier(given, cv="prefit").fit(rows, y)
    assert not model.transform(rows)[:, 2].any()
    assert model.score(rows, y) > 0.6
    other = [("new", NaiveBayes().fit(rows, np.where(y == "c", "z", y)))]
    with pytest.raises(ValueError, match="member 'new' knows the class 'z', which y does not have"):
        StackingClassifier(other, cv="prefit").fit(rows, y)


def test_seen_through_and_saved(tmp_path):
    rows, y = hazy()
    for combiner in (None, DecisionTreeClassifier(max_depth=2), SkLogistic()):
        model = StackingClassifier(OURS, combiner).fit(rows, y)
        text = str(model.describe())
        assert "rows held out in folds" in text
        assert "bayes" in text
        working = model.working(rows[3])
        assert working.prediction == model.predict(rows[3:4])[0]
        assert model.plot(rows, y).figure is not None
    with pytest.raises(hornbook.persist.ModelFileError, match="'final_estimator' holds a LogisticRegression"):
        hornbook.save(model, tmp_path / "foreign.hornbook")
    assert "Members predict bayes" in StackingClassifier(OURS).fit(rows, y).working(rows[0]).title


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"cv": 1}, "must be a number of folds, at least 2"),
        ({"cv": 1.5}, "a fraction of rows to hold out"),
        ({"cv": "no"}, "'none' or 'prefit'; got 'no'"),
        ({"cv": [([0, 1], [])]}, "no side may be empty"),
        ({"cv": [([0, 1], [999])]}, "positions below 200"),
        ({"cv": 3.0}, "got 3.0"),
        ({"cv": "prefit"}, "member 'bayes' is not fitted yet"),
        ({"stack_method": "transform"}, "must be one of 'auto'"),
        ({"stack_method": "decision_function"}, "member 'bayes' has no decision_function"),
        ({"final_estimator": Ridge()}, "member 'final_estimator' of parameter"),
        ({"final_estimator": 3}, "member 'final_estimator': parameter 'estimator' must be"),
        ({"estimators": [("final_estimator", NaiveBayes())]}, "is the name of a parameter"),
        ({"cv": 0.999}, "leave none of the 200 rows|class"),
    ],
)
def test_bad_input_is_named(settings, text):
    rows, y = hazy()
    with pytest.raises((ValueError, TypeError, ParameterError, NotFittedError), match=text):
        StackingClassifier(**{"estimators": OURS, **settings}).fit(rows, y)


def test_weights_of_members_that_take_none():
    rows, y = hazy()
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        StackingClassifier([("near", SkNeighbors())]).fit(rows, y, np.arange(200.0))


def test_a_regressor_is_no_member_of_a_classifier():
    with pytest.raises(
        TypeError, match="member 'line' of parameter 'estimators' must be a learner for classif"
    ):
        StackingClassifier([("line", LinearRegression())]).fit(*hazy())
