"""A class whose rows all weigh 0 is as good as absent, and keeps its place with probability 0."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from tests.contract.learners import instances, mixed_table, name_of, refuses_one_class

from hornbook import (
    Blocks,
    CostSensitive,
    DecisionStump,
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    Frame,
    KNeighborsClassifier,
    LinearDiscriminant,
    LogisticRegression,
    NaiveBayes,
    ObliqueTreeClassifier,
    OutputCodes,
    RadiusNeighborsClassifier,
    RandomForestClassifier,
    ThresholdMoving,
    TotallyRandomTreesClassifier,
    load,
    save,
)

SMOOTH = [
    DecisionStump(leaf_smoothing=2.0),
    DecisionTreeClassifier(leaf_smoothing=2.0, max_depth=2),
    ObliqueTreeClassifier(leaf_smoothing=2.0),
    ExtraTreesClassifier(5, vote_smoothing=0.5, random_state=0),
    RandomForestClassifier(5, vote_smoothing=0.5, random_state=0, bootstrap=False),
    TotallyRandomTreesClassifier(5, vote_smoothing=0.5, random_state=0),
    KNeighborsClassifier(vote_smoothing=0.5),
    RadiusNeighborsClassifier(radius=2.0, vote_smoothing=0.5),
]
CLASSIFIERS = [learner for learner in instances() if is_classifier(learner)] + SMOOTH
LABELS = np.array(["one", "two", "three"])

FIRST = list({type(learner): learner for learner in reversed(CLASSIFIERS)}.values())

every_classifier = pytest.mark.parametrize("learner", CLASSIFIERS, ids=name_of)
quiet = pytest.mark.filterwarnings("ignore")  # what a learner warns of is shown elsewhere


def table():
    """Rows of three classes, of which those of "three", the first in order, weigh nothing."""
    X, group = mixed_table(missing=False)
    y = LABELS[group]
    return X[["size", "mass"]], y, np.where(y == "three", 0.0, 1.0 + np.arange(len(y)) % 2)


@quiet
@every_classifier
def test_answers_are_those_without_its_rows(learner):
    X, y, w = table()
    weighted = w > 0
    model = clone(learner).fit(X, y, w)
    other = clone(learner).fit(X[weighted], y[weighted], w[weighted])
    assert model.classes_.tolist() == ["one", "three", "two"]
    assert other.classes_.tolist() == ["one", "two"]
    assert model.predict(X).tolist() == other.predict(X).tolist()
    if hasattr(model, "predict_proba"):
        shares = model.predict_proba(X)
        assert not shares[:, 1].any()
        np.testing.assert_allclose(shares[:, [0, 2]], other.predict_proba(X), rtol=1e-9, atol=1e-12)
        assert np.isneginf(model.predict_log_proba(X)[:, 1]).all()
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
        assert scores.shape == (len(X), 3)
        assert model.classes_[scores.argmax(axis=1)].tolist() == model.predict(X).tolist()
        assert (scores[:, 1] < scores.max(axis=1)).all()


@quiet
@pytest.mark.parametrize("learner", FIRST, ids=name_of)
def test_it_can_still_be_seen_through_saved_and_drawn(learner, tmp_path):
    X, y, w = table()
    model = clone(learner).fit(X, y, w)
    assert str(model.describe())
    if hasattr(model, "working"):
        assert model.working(X[:1]).prediction == model.predict(X[:1])[0]
    assert model.plot() is not None
    save(model, tmp_path / "model.hornbook")
    again = load(tmp_path / "model.hornbook")
    assert again.classes_.tolist() == ["one", "three", "two"]
    assert again.predict(X).tolist() == model.predict(X).tolist()


def one_class_left():
    X, y, w = table()
    return X, y, np.where(y == "one", w, 0.0)


@quiet
@pytest.mark.parametrize("learner", list(filter(refuses_one_class, CLASSIFIERS)), ids=name_of)
def test_when_one_class_remains_it_is_refused_as_without_the_others(learner):
    X, y, w = one_class_left()
    for rows in (slice(None), w > 0):
        with pytest.raises(ValueError, match="class"):
            clone(learner).fit(X[rows], y[rows], w[rows])


@quiet
@pytest.mark.parametrize("learner", [x for x in CLASSIFIERS if not refuses_one_class(x)], ids=name_of)
def test_when_one_class_remains_it_is_predicted(learner):
    X, y, w = one_class_left()
    weighted = w > 0
    other = clone(learner).fit(X[weighted], y[weighted], w[weighted])
    model = clone(learner).fit(X, y, w)
    assert model.classes_.tolist() == ["one", "three", "two"]
    assert set(model.predict(X)) == set(other.predict(X)) == {"one"}
    if hasattr(model, "predict_proba"):
        assert model.predict_proba(X).tolist() == [[1.0, 0.0, 0.0]] * len(X)


@quiet
@pytest.mark.parametrize("learner", [x for x in CLASSIFIERS if hasattr(x, "_fit_blocks")], ids=name_of)
def test_rows_in_many_blocks(learner):
    X, y, w = table()
    order = np.argsort(y, kind="stable")  # one block has no other rows
    X, y, w = X.iloc[order], y[order], w[order]
    whole = Frame(X.assign(y=y, w=w), target="y", weight="w")
    frames = [whole[part] for part in (slice(0, 15), slice(15, 30), slice(30, 60))]
    assert np.unique(frames[1].y).tolist() == ["one", "three"]
    model, other = clone(learner).fit(Blocks(frames)), clone(learner).fit(X, y, w)
    assert model.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


def test_the_second_of_two_classes():
    X, y, _ = table()
    two = np.where(y == "one", "one", "two")
    model = NaiveBayes().fit(X, two, np.where(two == "two", 0.0, 1.0))
    assert model.predict_proba(X).tolist() == [[1.0, 0.0]] * len(X)
    member = CostSensitive(LogisticRegression()).fit(X, two, np.where(two == "one", 0.0, 1.0))
    assert set(member.predict(X)) == {"two"}
    assert np.isposinf(member.decision_function(X)).all()


def test_parameters_by_class_go_on_naming_all_classes():
    X, y, w = table()
    present = w > 0
    weighted = LogisticRegression(class_weight={"one": 3.0, "three": 9.0}).fit(X, y, w)
    alone = LogisticRegression(class_weight={"one": 3.0}).fit(X[present], y[present], w[present])
    np.testing.assert_allclose(weighted.coef_, alone.coef_, rtol=1e-9)
    prior = LinearDiscriminant(priors=[0.2, 0.5, 0.3]).fit(X, y, w)
    assert prior.priors_ == pytest.approx([0.4, 0.6])
    code = [[1, 1, 1, -1], [-1, -1, -1, 1], [-1, 1, -1, -1]]
    coded = OutputCodes(code=code).fit(X, y, w)
    assert coded.code_.tolist() == [[1, 1], [-1, -1]]
    assert np.isposinf(coded.distances(X)[:, 1]).all()
    by_class = NaiveBayes(priors=[0.2, 0.5, 0.3], costs=[[0, 1, 1], [0, 0, 0], [1, 1, 0]]).fit(X, y, w)
    assert by_class.class_prior_ == pytest.approx([0.4, 0.0, 0.6])
    assert set(by_class.predict(X)) == {"one", "two"}
    decided = CostSensitive(NaiveBayes(), costs=[[0, 1, 1], [0, 0, 0], [1, 1, 0]], method="decision")
    assert set(decided.fit(X, y, w).predict(X)) == {"one", "two"}
    moved = ThresholdMoving(NaiveBayes(), factor={"one": 1.0, "three": 9.0, "two": 1.0}).fit(X, y, w)
    assert not moved.predict_proba(X)[:, 1].any()
    tree = DecisionTreeClassifier(class_weight={"three": 2.0}).fit(X, y, w)
    assert not tree.predict_proba(X)[:, 1].any()


def test_a_warm_start_after_a_class_came_back():
    X, y, w = table()
    model = LogisticRegression(warm_start=True).fit(X, y, w)
    assert model.absent_classes_.tolist() == ["three"]
    model.fit(X, y)
    assert not hasattr(model, "absent_classes_")
    np.testing.assert_allclose(model.coef_, LogisticRegression().fit(X, y).coef_, atol=1e-3)


def test_more_trees_and_more_rows_after_a_class_came_back():
    X, y, w = table()
    forest = RandomForestClassifier(5, vote_smoothing=0.5, warm_start=True, random_state=0).fit(X, y, w)
    assert not forest.predict_proba(X)[:, 1].any()
    assert forest.set_params(n_estimators=10).fit(X, y).predict_proba(X)[:, 1].all()
    counts = NaiveBayes().fit(X, y, w).partial_fit(X, y)
    assert counts.predict_proba(X)[:, 1].all()
    assert not hasattr(counts, "absent_classes_")


@quiet
@pytest.mark.parametrize("learner", SMOOTH, ids=name_of)
def test_smoothing_is_shown_as_it_is_done(learner):
    X, y, w = table()
    model = clone(learner).fit(X, y, w)
    terms = [term.values for term in model.working(X[:1]).terms]
    shares = np.sum(terms, axis=0) / np.sum(terms)
    np.testing.assert_allclose(shares, model.predict_proba(X[:1])[0], rtol=1e-12)


def test_margins_are_those_of_the_learned_classes():
    X, y, w = table()
    weighted = w > 0
    model = LinearDiscriminant().fit(X, y, w)
    other = LinearDiscriminant().fit(X[weighted], y[weighted], w[weighted])
    np.testing.assert_allclose(
        model.margins(X[weighted], y[weighted]), other.margins(X[weighted], y[weighted])
    )
    with pytest.raises(ValueError, match="class 'three', which is not among the classes"):
        model.margins(X, y)
