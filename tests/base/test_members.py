"""Learners inside learners: a member prepared once is the learner fitted alone."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression as SkLinear
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from tests.contract.learners import mixed_table

from hornbook import (
    Baseline,
    Encoder,
    Frame,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LogisticRegression,
    NaiveBayes,
    Scaled,
    datasets,
)
from hornbook.base import (
    Predictor,
    adopted,
    member_answers,
    member_proba,
    member_rows,
    member_scores,
    prepare,
)
from hornbook.evaluation import accuracy, r2

X, GROUP = mixed_table(200)
FRAME = Frame(X)
OURS = [NaiveBayes(), LogisticRegression(), KNeighborsClassifier(), LogisticRegression(warm_start=True)]


def rows_of(member, frame=FRAME):
    return member_rows(member, frame)


@pytest.mark.parametrize("learner", OURS, ids=str)
def test_a_member_is_the_learner_fitted_alone(learner):
    w = 1.0 + np.arange(200) % 3
    member = prepare(learner, FRAME, w).fit(GROUP, w)
    alone = learner.fit(X, GROUP, sample_weight=w)
    np.testing.assert_array_equal(member_proba(member, rows_of(member), 3), alone.predict_proba(X))
    np.testing.assert_array_equal(member_answers(member, rows_of(member)), alone.predict(X))
    np.testing.assert_array_equal(member.predict(X), alone.predict(X))
    assert member.feature_names_in_.tolist() == list(X.columns)
    assert not [name for name in vars(member) if name.startswith("_")]


def test_rows_are_taken_in_order_and_repeated():
    rows = np.array([5, 5, 9, 40, 41, 42, 3, 3, 3])
    member = prepare(KNeighborsClassifier(n_neighbors=1), FRAME).fit(GROUP, rows=rows)
    alone = KNeighborsClassifier(n_neighbors=1).fit(FRAME[rows], GROUP[rows])
    np.testing.assert_array_equal(member.kneighbors(X)[1], alone.kneighbors(X)[1])


def test_classes_a_member_never_saw_have_probability_0_and_weightless_rows_are_left_out():
    w = (GROUP != 1).astype(float)
    member = prepare(NaiveBayes(), FRAME).fit(GROUP, w)
    assert member.classes_.tolist() == [0, 2]
    shares = member_proba(member, rows_of(member), 3)
    assert (shares[:, 1] == 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_an_estimator_of_scikit_learn_gets_the_encoded_matrix():
    matrix = Encoder(missing="indicate").fit(X).transform(X)
    w = 1.0 + np.arange(200) % 3
    member = prepare(GaussianNB(), FRAME).fit(GROUP, w)
    alone = GaussianNB().fit(matrix, GROUP, sample_weight=w)
    np.testing.assert_allclose(member_proba(member, rows_of(member), 3), alone.predict_proba(matrix))
    pipeline = make_pipeline(StandardScaler(), LinearSVC())
    two = prepare(pipeline, FRAME).fit((GROUP == 1).astype(int))
    expected = pipeline.fit(matrix, GROUP == 1).decision_function(matrix)
    np.testing.assert_allclose(member_scores(two, rows_of(two)), expected)
    number = prepare(SkLinear(), FRAME, task="regression").fit(GROUP * 1.0)
    np.testing.assert_allclose(
        member_answers(number, rows_of(number)), SkLinear().fit(matrix, GROUP).predict(matrix)
    )


def test_scores_decide_as_the_member_does():
    y = (GROUP == 2).astype(int)
    for learner in (LogisticRegression(), NaiveBayes(), LinearSVC()):
        member = prepare(learner, FRAME).fit(y)
        scores = member_scores(member, rows_of(member))
        np.testing.assert_array_equal(scores > 0, member_answers(member, rows_of(member)) == 1)
    only = prepare(NaiveBayes(), FRAME).fit(np.ones(200, dtype=int))
    assert (member_scores(only, rows_of(only)) == 1).all()


def test_a_seed_reaches_the_members_that_draw():
    member = prepare(KNeighborsClassifier(ties="random"), FRAME).fit(GROUP, seed=7)
    assert member.get_params()["random_state"] == 7
    assert prepare(NaiveBayes(), FRAME).fit(GROUP, seed=7).classes_.tolist() == [0, 1, 2]
    # Learners inside the member get it, too; scikit-learn's take no larger ones than 32 bits.
    inside = prepare(Scaled(KNeighborsClassifier(ties="random")), FRAME).fit(GROUP, seed=7)
    assert inside.estimator.random_state == 7
    foreign = prepare(LinearSVC(), FRAME).fit(GROUP, seed=2**40 + 5)
    assert foreign.estimator.random_state == 5


def test_refusals():
    with pytest.raises(TypeError, match="must be a classifier or regressor of Hornbook or scikit-learn"):
        prepare(NaiveBayes, FRAME)
    with pytest.raises(TypeError, match="must be a learner for classification; got KNeighborsRegressor"):
        prepare(KNeighborsRegressor(), FRAME)
    with pytest.raises(ValueError, match="NaiveBayes: parameter 'smoothing' must be"):
        prepare(NaiveBayes(smoothing="much"), FRAME)
    with pytest.raises(ValueError, match="LinearDiscriminantAnalysis takes no sample_weight"):
        prepare(LinearDiscriminantAnalysis(), FRAME).fit(GROUP, 1.0 + GROUP)
    member = prepare(LinearSVC(), FRAME).fit(GROUP)
    with pytest.raises(TypeError, match="LinearSVC gives no probabilities"):
        member_proba(member, rows_of(member), 3)


def test_a_predictor_is_what_it_is_set_up_with():
    iris = datasets.iris()
    numbers = iris.features.matrix[:, 0]
    for learner, y, score in (
        (Baseline(), iris.y, accuracy),
        (Baseline(strategy="median"), numbers, r2),
        (adopted(GaussianNB()), iris.y, accuracy),
        (adopted(SkLinear()), numbers, r2),
        (Scaled(NaiveBayes()), iris.y, accuracy),
        (Scaled(KNeighborsRegressor()), numbers, r2),
    ):
        assert type(learner).__mro__[1] is Predictor
        assert (is_classifier(learner), is_regressor(learner)) == (score is accuracy, score is r2)
        model = learner.fit(iris.features, y)
        assert hasattr(model, "predict_proba") == hasattr(model, "classes_") == is_classifier(learner)
        assert model.score(iris.features, y) == pytest.approx(score(y, model.predict(iris.features)))
