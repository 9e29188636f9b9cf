"""Calibration on rows that were held out: against scikit-learn, on learners that are too sure, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold as SkKFold
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as SkNeighbors
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as SkTree
from tests.contract.learners import mixed_table
from tests.persist.forge import edit

import hornbook
from hornbook import (
    Calibrated,
    DecisionStump,
    LogisticRegression,
    NaiveBayes,
    NearestMeanClassifier,
    Ridge,
    VotingClassifier,
)
from hornbook.ensembles.combining._calibration_maps import IsotonicMap
from hornbook.evaluation import calibration_error, log_loss
from hornbook.params import ParameterError


def hazy(n=300, k=3, seed=0):
    draw = np.random.default_rng(seed)
    group = draw.integers(0, k, n)
    return draw.normal(size=(n, 3)) + 0.8 * np.eye(3)[group], np.array(["a", "b", "c"])[group]


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    ("ensemble", "inside"), [("auto", GaussianNB()), (False, LinearSVC(random_state=0))], ids=str
)
@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_as_scikit_learn(method, ensemble, inside, k):
    rows, y = hazy(k=k)
    ours = Calibrated(inside, method=method, ensemble=ensemble).fit(rows, y)
    theirs = CalibratedClassifierCV(inside, method=method, ensemble=ensemble).fit(rows, y)
    new = hazy(seed=1)[0]
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-6)
    assert ours.predict(new).tolist() == theirs.predict(new).tolist()


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_weights_and_other_folds_as_scikit_learn(method):
    rows, y = hazy()
    w, cv = (
        np.random.default_rng(2).integers(0, 4, 300).astype(float),
        SkKFold(3, shuffle=True, random_state=0),
    )
    ours = Calibrated(GaussianNB(), method=method, cv=cv).fit(rows, y, w)
    theirs = CalibratedClassifierCV(GaussianNB(), method=method, cv=cv).fit(rows, y, w)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_a_fitted_learner_as_scikit_learn(method):
    rows, y = hazy()
    fitted = GaussianNB().fit(rows[:150], y[:150])
    ours = Calibrated(fitted, method=method, cv="prefit").fit(rows[150:], y[150:])
    theirs = CalibratedClassifierCV(FrozenEstimator(fitted), method=method).fit(rows[150:], y[150:])
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-6)
    own = NaiveBayes().fit(rows[:150], y[:150])
    model = Calibrated(own, method=method, cv="prefit").fit(rows[150:], y[150:])
    assert model.estimators_[0] is own
    np.testing.assert_allclose(model.predict_proba(rows), ours.predict_proba(rows), atol=1e-6)


def copied(n, seed):
    """One column five times, which naive Bayes takes for five facts: it is far too sure."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=n)
    y = (x + draw.normal(size=n) > 0).astype(int)
    return np.repeat(x[:, None], 5, axis=1), y


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
@pytest.mark.parametrize("cv", [5, 0.3])
def test_probabilities_can_be_relied_on(cv, method):
    rows, y = copied(1500, 0)
    new, truth = copied(3000, 1)
    plain = NaiveBayes().fit(rows, y).predict_proba(new)
    model = Calibrated(NaiveBayes(), method=method, cv=cv, random_state=0).fit(rows, y)
    probabilities = model.predict_proba(new)
    assert log_loss(truth, probabilities) < log_loss(truth, plain) - 0.2
    assert calibration_error(truth, probabilities[:, 1]) < 0.05 < calibration_error(truth, plain[:, 1])


def test_a_temperature_keeps_the_predicted_class():
    rows, y = hazy()
    model = Calibrated(NaiveBayes(), method="temperature", ensemble=False).fit(rows, y)
    assert model.predict(rows).tolist() == NaiveBayes().fit(rows, y).predict(rows).tolist()
    assert model.factors_.shape == (1,)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    scores=st.lists(st.integers(-3, 3), min_size=1, max_size=30),
    data=st.data(),
)
def test_the_increasing_function_is_that_of_scikit_learn(scores, data):
    n = len(scores)
    positive = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    w = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=float)
    x = np.array(scores, dtype=float)
    ours = IsotonicMap.fit(x, positive, w)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, positive.astype(float), w)
    new = np.linspace(-4, 4, 33)
    np.testing.assert_allclose(ours.probabilities(new), theirs.predict(new), atol=1e-12)
    ours.verify(None)
    # Pooled by hand: the largest mean of a block that ends here or before, the least of those that go on.
    levels, place = np.unique(x, return_inverse=True)
    mass, hits = np.bincount(place, weights=w), np.bincount(place, weights=w * positive)
    by_hand = [
        max(
            min(hits[a:b].sum() / mass[a:b].sum() for b in range(i + 1, len(levels) + 1))
            for a in range(i + 1)
        )
        for i in range(len(levels))
    ]
    np.testing.assert_allclose(ours.probabilities(levels), by_hand, atol=1e-12)


def test_calibrated_members_can_be_compared_in_a_soft_vote():
    rows, y = copied(600, 0)
    new, truth = copied(3000, 1)
    weak = np.hstack([rows, np.random.default_rng(0).normal(size=(600, 1))])
    new = np.hstack([new, np.random.default_rng(1).normal(size=(3000, 1))])
    members = [("bayes", NaiveBayes()), ("mean", NearestMeanClassifier()), ("line", LogisticRegression())]
    with pytest.raises(TypeError, match="member 'mean' gives no probabilities.*use Calibrated"):
        VotingClassifier(members, voting="soft").fit(weak, y)
    calm = [(name, Calibrated(member)) for name, member in members]
    vote = VotingClassifier(calm, voting="soft").fit(weak, y)
    rash = VotingClassifier([members[0], members[2]], voting="soft").fit(weak, y)
    assert log_loss(truth, vote.predict_proba(new)) < log_loss(truth, rash.predict_proba(new)) - 0.02
    vote.set_params(bayes__method="isotonic", bayes__estimator__smoothing="none").fit(weak, y)


def test_tables_with_categories_and_gaps_and_rare_classes():
    table, group = mixed_table(90)
    y = np.array(["one", "two", "three"])[group]
    y[0] = "rare"
    for method in ("sigmoid", "isotonic", "temperature"):
        model = Calibrated(NaiveBayes(), method=method).fit(table, y)
        shares = model.predict_proba(table)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        assert model.score(table, y) > 0.6
    maps = Calibrated(LogisticRegression()).fit(table, y).maps_
    assert [one is None for maps_of_fold in maps for one in maps_of_fold].count(True) == 1
    # The learner of one fold has seen a single class.
    two = Calibrated(LogisticRegression()).fit(table[:20], np.where(np.arange(20) == 3, "a", "b"))
    assert set(two.predict(table[4:20])) == {"b"}


def test_seen_through_and_saved(tmp_path):
    rows, y = hazy()
    for method, word in {"sigmoid": "slope", "isotonic": "points", "temperature": "temperature"}.items():
        model = Calibrated(DecisionStump(), method=method).fit(rows, y)
        assert word in str(model.describe())
        assert len(model.working(rows[0]).terms) == len(model.estimators_) == 5
        assert model.plot(rows, y).get_ylabel() == "probability"
        hornbook.save(model, tmp_path / "m.hornbook")
        again = hornbook.load(tmp_path / "m.hornbook")
        np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))


@pytest.mark.parametrize("values", [[0.9, 0.1], [0.1, 1.5], [-0.2, 0.3], [0.2, np.nan]])
def test_a_map_of_a_file_must_increase(values, tmp_path):
    rows, y = hazy(k=2)
    model = Calibrated(NaiveBayes(), method="isotonic", cv=2).fit(rows, y)
    object.__setattr__(model.maps_[0][1], "values", np.array(values))
    object.__setattr__(model.maps_[0][1], "scores", np.array([0.0, 1.0]))
    with pytest.raises(hornbook.persist.ModelFileError, match="does not increase from 0 to 1"):
        hornbook.save(model, tmp_path / "m.hornbook")


def test_a_file_with_too_few_maps_is_refused(tmp_path):
    rows, y = hazy()
    hornbook.save(Calibrated(NaiveBayes(), cv=2).fit(rows, y), tmp_path / "m.hornbook")
    edit(tmp_path / "m.hornbook", lambda header, _: header["state"]["maps_"][0].pop())
    with pytest.raises(hornbook.persist.ModelFileError, match="maps_"):
        hornbook.load(tmp_path / "m.hornbook")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (
            {"estimator": Ridge()},
            "member 'estimator' of parameter 'estimators' must be a learner for classif",
        ),
        ({"method": "platt"}, "must be one of 'sigmoid', 'isotonic', 'temperature'"),
        ({"cv": 1}, "parameter 'cv' must be a number of folds, at least 2"),
        ({"cv": "none"}, "parameter 'cv' must be a number of folds"),
        ({"cv": "prefit"}, "is not fitted yet"),
        ({"ensemble": "always"}, "parameter 'ensemble' must be"),
    ],
)
def test_bad_input_is_named(settings, text):
    rows, y = hazy()
    with pytest.raises((TypeError, ParameterError, NotFittedError), match=text):
        Calibrated(**settings).fit(rows, y)


def test_a_learner_without_scores_is_refused():
    class Plain(SkTree):
        predict_proba = property()

    rows, y = hazy()
    with pytest.raises(TypeError, match="needs scores or probabilities, which Plain does not give"):
        Calibrated(Plain()).fit(rows, y)
    with pytest.raises(ValueError, match="takes no sample_weight"):
        Calibrated(SkNeighbors()).fit(rows, y, np.arange(300.0))


def test_a_map_is_not_learned_from_one_row():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    with pytest.raises(ValueError, match="LeaveOneOut cross-validation does not allow"):
        Calibrated(NaiveBayes(), cv=LeaveOneOut()).fit(X, y)
    assert len(Calibrated(NaiveBayes(), cv=LeaveOneOut(), ensemble=False).fit(X, y).estimators_) == 1


def test_calibrated_learners_can_be_asked_one_by_one():
    X = np.random.default_rng(0).normal(size=(90, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])
    model = Calibrated(NaiveBayes(), cv=3).fit(X, y)
    parts = [one.predict_proba(X) for one in model.calibrated_classifiers_]
    np.testing.assert_allclose(np.mean(parts, axis=0), model.predict_proba(X))
    assert [type(one.estimator) for one in model.calibrated_classifiers_] == [NaiveBayes] * 3
    assert len(model.calibrated_classifiers_[0].calibrators) == 3


@pytest.mark.parametrize("inside", [NaiveBayes(), LogisticRegression(), NearestMeanClassifier()], ids=str)
def test_a_temperature_that_is_known_divides_log_probabilities(inside):
    rows, y = hazy()
    model = Calibrated(inside, method="temperature", temperature=2.0).fit(rows, y)
    if hasattr(inside, "predict_proba"):
        roots = np.sqrt(inside.fit(rows, y).predict_proba(rows))
        expected = roots / roots.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(rows), expected, atol=1e-6)
    assert model.predict(rows).tolist() == inside.fit(rows, y).predict(rows).tolist()
    assert (len(model.estimators_), model.factors_.tolist()) == (1, [0.5])
    working = model.working(rows[3])
    np.testing.assert_allclose(working.shares, model.predict_proba(rows[3:4])[0], atol=1e-12)
    # How the learner inside came to its probabilities stands before what the temperature makes of them.
    inner = inside.working(rows[3])
    assert working.to_dict()["inside"] == inner.to_dict()
    assert inner.terms[0].name in str(working)
    assert model.describe().facts["temperature"] == 2.0
    assert inside.describe().title in model.describe().title


def test_a_temperature_leaves_no_other_choice():
    rows, y = hazy()
    for other in ({"method": "sigmoid"}, {"method": "temperature", "cv": 3}):
        with pytest.raises(ParameterError, match="'temperature' is for method='temperature' without cv"):
            Calibrated(NaiveBayes(), temperature=2.0, **other).fit(rows, y)
    with pytest.raises(ParameterError, match="temperature"):
        Calibrated(NaiveBayes(), method="temperature", temperature=0.0).fit(rows, y)
