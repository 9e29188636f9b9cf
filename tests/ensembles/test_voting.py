"""Voting of named members: against scikit-learn, by rules as functions, with given members, and bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import VotingClassifier as SkVotingClassifier
from sklearn.ensemble import VotingRegressor as SkVotingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression as SkLinear
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as SkNeighbors
from sklearn.neighbors import KNeighborsRegressor as SkNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as SkTree
from tests.contract.learners import mixed_table

import hornbook
from hornbook import (
    Baseline,
    DecisionStump,
    DecisionTreeClassifier,
    KMeans,
    LinearRegression,
    LogisticRegression,
    NaiveBayes,
    Ridge,
    VotingClassifier,
    VotingRegressor,
    datasets,
    ensembles,
)
from hornbook.params import ParameterError

IRIS = datasets.iris()
X, Y = IRIS.features.numbers, IRIS.y
FOREIGN = [("bayes", GaussianNB()), ("near", SkNeighbors(3)), ("tree", SkTree(max_depth=2, random_state=0))]
OURS = [("bayes", NaiveBayes()), ("stump", DecisionStump()), ("tree", DecisionTreeClassifier(max_depth=3))]
RULES = ["plurality", "majority", "sum", "product", "median", "min", "max", "borda", "dempster_shafer"]


def hazy(n=200, seed=0):
    """Rows on which members differ."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, 3, n)
    return draw.normal(size=(n, 3)) + 0.8 * np.eye(3)[group], np.array(["a", "b", "c"])[group]


@pytest.mark.parametrize("weights", [None, [1, 2, 2.5]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_as_scikit_learn(voting, weights):
    rows, y = hazy()
    ours = VotingClassifier(FOREIGN, voting=voting, weights=weights).fit(rows, y)
    theirs = SkVotingClassifier(FOREIGN, voting=voting, weights=weights).fit(rows, y)
    assert ours.predict(rows).tolist() == theirs.predict(rows).tolist()
    np.testing.assert_allclose(ours.transform(rows), theirs.transform(rows))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert hasattr(ours, "predict_proba") == hasattr(theirs, "predict_proba") == (voting == "soft")
    if voting == "soft":
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows))
        shaped = clone(ours).set_params(flatten_transform=False).fit(rows, y)
        assert shaped.transform(rows).shape == (3, 200, 3)
        with pytest.raises(ValueError, match="flatten_transform=True only"):
            shaped.get_feature_names_out()


@pytest.mark.parametrize("weights", [None, [1, 3]])
def test_numbers_as_scikit_learn(weights):
    rows = np.random.default_rng(0).normal(size=(60, 3))
    y = rows[:, 0] ** 2 + rows[:, 1]
    members = [("line", SkLinear()), ("near", SkNeighborsRegressor(3))]
    ours = VotingRegressor(members, weights=weights).fit(rows, y)
    theirs = SkVotingRegressor(members, weights=weights).fit(rows, y)
    np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows))
    np.testing.assert_allclose(ours.transform(rows), theirs.transform(rows))
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@pytest.mark.parametrize(
    ("rule", "voting"), [("plurality", "hard"), ("majority", "hard"), *((rule, "soft") for rule in RULES)]
)
def test_a_rule_is_the_function_of_that_name_and_shows_its_working(rule, voting, tmp_path):
    rows, y = hazy()
    reject = {"reject": "unsure"} if rule == "majority" else {}
    weights = None if rule in ("median", "min", "max") else [0.2, 0.5, 0.3]
    model = VotingClassifier(OURS, voting=voting, rule=rule, weights=weights, **reject).fit(rows, y)
    members = list(model.named_estimators_.values())
    votes = np.array([member.predict(rows) for member in members])
    tables = np.array([member.predict_proba(rows) for member in members])
    functions = {
        "plurality": lambda: ensembles.plurality_vote(votes, weights),
        "majority": lambda: ensembles.majority_vote(votes, weights=weights, **reject),
        "dempster_shafer": lambda: model.classes_[ensembles.dempster_shafer(tables, weights).argmax(axis=1)],
        "borda": lambda: model.classes_[ensembles.borda_count(tables, weights).argmax(axis=1)],
    }
    if voting == "soft" and rule in ("plurality", "majority"):
        mean = ensembles.sum_rule(tables, weights)
        expected = model.classes_[mean.argmax(axis=1)].astype("<U6")
        if rule == "majority":
            expected[mean.max(axis=1) <= 0.5] = "unsure"
    elif rule in functions:
        expected = functions[rule]()
    else:
        combine = getattr(ensembles, f"{rule}_rule")
        scores = combine(tables) if weights is None else combine(tables, weights)
        np.testing.assert_allclose(model.predict_proba(rows), scores)
        expected = model.classes_[scores.argmax(axis=1)]
    assert model.predict(rows).tolist() == expected.tolist()
    assert hasattr(model, "predict_proba") == (voting == "soft" and rule != "borda")
    for i in range(0, 200, 9):
        working = model.working(rows[i]).to_dict()
        scores = np.sum([term["values"] for term in working["terms"]], axis=0)
        assert working["candidates"][scores.argmax()] == working["prediction"] == expected[i]
    assert rule in str(model.describe())
    if rule == "majority":  # what is rejected is drawn as a class, and kept
        assert model.plot(rows, y).figure is not None
        hornbook.save(model, tmp_path / "m.hornbook")
        assert hornbook.load(tmp_path / "m.hornbook").predict(rows).tolist() == expected.tolist()


@pytest.mark.parametrize("ties", ["first", "random", "confidence"])
def test_equal_votes(ties):
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(300, 2))
    y = np.where(rows[:, 0] + 0.1 * rows[:, 1] > 0, "b", "a")
    members = [("one", DecisionStump()), ("other", LogisticRegression())]
    weight = np.where(rows[:, 1] > 0, 1.0, 0.05)
    model = VotingClassifier(members, ties=ties, random_state=0).fit(rows, y, weight)
    new = draw.normal(size=(4000, 2)) * [0.2, 2.0]
    one, other = (member.predict(new) for member in model.estimators_)
    tied, answers = one != other, model.predict(new)
    assert tied.sum() > 100
    assert (answers[~tied] == one[~tied]).all()
    if ties == "first":
        assert set(answers[tied]) == {"a"}
    elif ties == "random":
        assert 0.4 < (answers[tied] == "a").mean() < 0.6
        assert answers[::-1].tolist() == model.predict(new[::-1]).tolist()  # by content, not by place
    else:
        mean = np.mean([member.predict_proba(new[tied]) for member in model.estimators_], axis=0)
        assert answers[tied].tolist() == model.classes_[mean.argmax(axis=1)].tolist()
    for i in np.flatnonzero(tied)[:10]:
        working = model.working(new[i]).to_dict()
        scores = np.sum([term["values"] for term in working["terms"]], axis=0)
        assert working["candidates"][scores.argmax()] == answers[i]


def test_a_quorum():
    rows, y = hazy()
    answers = {
        quorum: VotingClassifier(OURS, rule="majority", reject="?", quorum=quorum).fit(rows, y).predict(rows)
        for quorum in (None, 1, 2, 3, 0.6)
    }
    assert answers[2].tolist() == answers[0.6].tolist() == answers[None].tolist()
    assert not (answers[1] == "?").any()
    assert (answers[3] == "?").sum() > (answers[2] == "?").sum() > 0
    votes = np.array([clone(member).fit(rows, y).predict(rows) for _, member in OURS])
    agreed = (votes == votes[0]).all(axis=0)
    assert ((answers[3] == "?") == ~agreed).all()


@pytest.mark.parametrize("ties", ["first", "random", "confidence"])
@pytest.mark.parametrize("quorum", [None, 1, 0.34])
def test_ties_and_rejection_show_their_working(quorum, ties):
    rows, y = hazy()
    settings = {"rule": "majority", "reject": "?", "quorum": quorum, "ties": ties, "random_state": 0}
    model = VotingClassifier(OURS, **settings).fit(rows, y)
    votes = np.array([member.predict(rows) for member in model.estimators_])
    apart = np.array([len(set(column)) == 3 for column in votes.T])
    answers = model.predict(rows)
    assert apart.sum() > 3
    assert ((answers == "?") == (apart if quorum != 1 else False)).all()
    for i in np.flatnonzero(apart):
        working = model.working(rows[i]).to_dict()
        scores = np.sum([term["values"] for term in working["terms"]], axis=0)
        assert working["candidates"][scores.argmax()] == answers[i] == working["prediction"]


def test_members_are_set_and_replaced_by_name():
    model = VotingClassifier(OURS)
    assert model.get_params()["tree__max_depth"] == 3
    assert model.get_params()["stump"] is OURS[1][1]
    assert "tree" not in model.get_params(deep=False)
    other = clone(model).set_params(tree__max_depth=1, stump="drop", voting="soft")
    assert other.named_estimators.tree.max_depth == 1
    assert OURS[2][1].max_depth == 3
    fitted = other.set_params(weights=[1, 5, 3]).fit(X, Y)
    assert fitted.member_names_ == ["bayes", "tree"]
    both = VotingClassifier(
        [OURS[0], ("tree", DecisionTreeClassifier(max_depth=1))], voting="soft", weights=[1, 3]
    )
    np.testing.assert_allclose(fitted.predict_proba(X), both.fit(X, Y).predict_proba(X))
    with pytest.raises(ValueError, match="Invalid parameter 'wood'"):
        model.set_params(wood=3)
    model.set_params(estimators=[("a", NaiveBayes())], a__smoothing="none")
    assert model.estimators[0][1].smoothing == "none"


def test_given_predictors_are_combined_as_they_are():
    table, group = mixed_table(120)
    y = np.array(["one", "two", "three"])[group]
    half = y != "three"
    # One never saw a class, and the order of its categories is another one.
    kinds = pd.CategoricalDtype(["light", "dark", "green"])
    table = table.assign(color=table["color"].astype(kinds))
    some = table[half].assign(color=table["color"][half].cat.reorder_categories(["green", "dark", "light"]))
    given = [("some", NaiveBayes().fit(some, y[half])), ("all", DecisionStump().fit(table, y))]
    model = VotingClassifier(given, voting="soft", prefit=True).fit(table[:20], y[:20])
    assert model.estimators_[0] is given[0][1]
    expected = given[1][1].predict_proba(table) / 2
    expected[:, [0, 2]] += given[0][1].predict_proba(table) / 2
    np.testing.assert_allclose(model.predict_proba(table), expected)
    number = group * 1.5
    mean = VotingRegressor([("m", Baseline(strategy="mean").fit(table, number))], prefit=True).fit(
        table[:3], number[:3]
    )
    np.testing.assert_allclose(mean.predict(table), number.mean())


def test_given_predictors_of_scikit_learn():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    given = [("near", SkNeighbors(3).fit(frame, Y)), ("bayes", GaussianNB().fit(X, Y))]
    model = VotingClassifier(given, voting="soft", prefit=True).fit(frame[::10], Y[::10])
    expected = (given[0][1].predict_proba(frame) + given[1][1].predict_proba(X)) / 2
    np.testing.assert_allclose(model.predict_proba(frame), expected)
    with pytest.raises(
        ValueError, match="'near' was fitted on the columns a, b, c, d, but the rows have b, a,"
    ):
        VotingClassifier(given, prefit=True).fit(frame[["b", "a", "c", "d"]], Y)
    with pytest.raises(ValueError, match="'near' was fitted on 4 columns, but the rows have 3 numeric"):
        VotingClassifier(given, prefit=True).fit(X[:, :3], Y)


def test_members_learn_from_labels_as_they_are():
    members = [("line", SkLogistic(class_weight={"setosa": 1.0, "versicolor": 5.0, "virginica": 1.0}))]
    model = VotingClassifier(members).fit(X, Y)
    assert model.named_estimators_.line.predict(X[:1]).tolist() == ["setosa"]
    assert model.predict(X).tolist() == clone(members[0][1]).fit(X, Y).predict(X).tolist()


def test_one_class_needs_no_member():
    model = VotingClassifier([("line", LogisticRegression())]).fit(X[:9], Y[:9])
    assert set(model.predict(X)) == {"setosa"}


def test_members_are_named_as_they_are_fitted(capsys):
    VotingClassifier(OURS, verbose=True).fit(X, Y)
    assert capsys.readouterr().err.splitlines() == [f"VotingClassifier: member {i}" for i in (1, 2, 3)]


def test_foreign_members_cannot_be_saved(tmp_path):
    with pytest.raises(hornbook.persist.ModelFileError, match="'estimators' holds a GaussianNB"):
        hornbook.save(VotingClassifier(FOREIGN).fit(X, Y), tmp_path / "m.hornbook")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"estimators": []}, "Invalid 'estimators' attribute, .* non-empty list"),
        ({"estimators": [NaiveBayes()]}, r"should be a non-empty list of \(string, estimator\) tuples"),
        ({"estimators": "bayes"}, "must be .* list"),
        ({"estimators": [("a", NaiveBayes()), ("a", Baseline())]}, "the name 'a' occurs more than once"),
        ({"estimators": [("a__b", NaiveBayes())]}, "the name 'a__b' contains '__'"),
        ({"estimators": [("voting", NaiveBayes())]}, "the name 'voting' is the name of a parameter"),
        ({"estimators": [("a", "drop")]}, "All estimators are dropped. At least one is required"),
        ({"estimators": [("a", 3)]}, "member 'a': parameter 'estimator' must be a classifier or regressor"),
        ({"estimators": [("a", NaiveBayes)]}, "member 'a': parameter 'estimator' must be a classifier"),
        (
            {"estimators": [("a", Ridge())]},
            "member 'a' of parameter 'estimators' must be a learner for classif",
        ),
        (
            {"estimators": [("a", KMeans())]},
            "member 'a' of parameter 'estimators' must be a learner for classif",
        ),
        ({"weights": [1, 2]}, "a number for each of the 3 estimators"),
        ({"weights": [1, 2, -1]}, "one number >= 0"),
        ({"rule": "product"}, "rule='product' combines probabilities: set voting='soft'"),
        ({"rule": "majority"}, "rule='majority' needs 'reject'"),
        ({"reject": "?"}, "no other rule takes 'reject'"),
        ({"quorum": 2}, "no other rule takes 'reject' or 'quorum'"),
        ({"rule": "majority", "reject": "?", "quorum": 4}, "between 1 and 3"),
        ({"voting": "soft", "rule": "max", "weights": [1, 2, 3]}, "rule='max' takes no 'weights'"),
        ({"voting": "soft", "ties": "random"}, "ties='random' breaks ties of votes"),
        ({"voting": "soft", "rule": "dempster_shafer", "weights": [1, 2, 3]}, "between 0 and 1 for each"),
        ({"voting": "soft", "estimators": [("line", LinearSVC())]}, "member 'line' gives no probabilities"),
        ({"prefit": True}, "member 'bayes' is not fitted yet"),
        (
            {"prefit": True, "estimators": [("a", NaiveBayes().fit(X, np.where(Y == "setosa", "rose", Y)))]},
            "member 'a' knows the class 'rose', which y does not have",
        ),
    ],
)
def test_bad_input_is_named(settings, text):
    model = VotingClassifier(**{"estimators": OURS, **settings})
    with pytest.raises((ValueError, TypeError, ParameterError, NotFittedError), match=text):
        model.fit(X, Y)


def test_a_classifier_does_not_give_numbers():
    with pytest.raises(
        TypeError, match="member 'a' of parameter 'estimators' must be a learner for regression"
    ):
        VotingRegressor([("a", NaiveBayes())]).fit(X, X[:, 0])
    assert VotingRegressor([("a", LinearRegression())]).fit(X, X[:, 0]).score(X, X[:, 0]) == pytest.approx(
        1.0
    )
