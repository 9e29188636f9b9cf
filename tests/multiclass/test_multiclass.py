"""Many classes from learners of two, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.svm import LinearSVC

from hornbook import KNeighborsClassifier, NaiveBayes, OneVsOne, OneVsRest, OutputCodes, datasets, save
from hornbook.base import one_vs_one, one_vs_rest
from hornbook.multiclass._codes import exhaustive, random_code, row_distances
from hornbook.persist import ModelFileError

IRIS = datasets.iris()
X, Y = IRIS.features.numbers, IRIS.y
CORNERS = np.array([[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [9.0, 9.0]])
NAMES = ["a", "b", "c", "d"]


@pytest.mark.parametrize("inside", [SkLogistic(C=1.0), SkLogistic(C=100.0, max_iter=2000)], ids=str)
def test_one_against_the_rest_agrees_with_scikit_learn(inside):
    ours, theirs = OneVsRest(inside).fit(X, Y), OneVsRestClassifier(inside).fit(X, Y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_one_against_one_agrees_with_scikit_learn():
    for inside in (SkLogistic(), LinearSVC(dual=False)):
        ours, theirs = OneVsOne(inside).fit(X, Y), OneVsOneClassifier(inside).fit(X, Y)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-5)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_two_classes_need_one_member():
    two = Y != "setosa"
    for model in (OneVsRest(), OneVsOne(), OutputCodes(code="exhaustive")):
        fitted = model.fit(X[two], Y[two])
        assert len(fitted.estimators_) == 1
        scores = fitted.decision_function(X[two])
        np.testing.assert_array_equal(fitted.predict(X[two]) == "virginica", scores > 0)


def test_if_no_member_or_several_say_yes_the_surest_decides():
    model = OneVsRest(NaiveBayes(var_smoothing=0.1)).fit(
        [[0.0], [1.0], [5.0], [6.0], [9.0], [10.0]], list("aabbcc")
    )
    rows = np.linspace(-3, 13, 60)[:, None]
    scores = model.decision_function(rows)
    assert ((scores > 0).sum(axis=1) != 1).any()
    np.testing.assert_array_equal(model.predict(rows), model.classes_[scores.argmax(axis=1)])


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_codes(k):
    every = exhaustive(k)
    assert every.shape == (k, 2 ** (k - 1) - 1)
    assert len(np.unique(np.hstack([every, -every]), axis=1).T) == 2 * every.shape[1]
    np.testing.assert_array_equal(row_distances(every)[np.triu_indices(k, 1)], 2 ** (k - 2))
    assert one_vs_one(k).shape == (k, k * (k - 1) // 2)
    assert (np.abs(one_vs_one(k)).sum(axis=0) == 2).all()
    assert (one_vs_rest(k) == 1).sum() == (1 if k == 2 else k)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    k=st.integers(2, 12),
    size=st.floats(2.5, 5.0),
    unused=st.sampled_from([0.0, 0.2, 0.5]),
    seed=st.integers(0, 99),
)
def test_drawn_codes_tell_all_classes_apart(k, size, unused, seed):
    code = random_code(k, size, unused, seed)
    assert code.shape[1] <= max(np.ceil(size * k), np.ceil(np.log2(k)))
    assert row_distances(code).min() >= 1
    assert ((code == 1).any(axis=0) & (code == -1).any(axis=0)).all()
    both = np.hstack([code, -code])
    assert np.unique(both, axis=1).shape == both.shape
    assert (unused > 0) or (code != 0).all()


def test_nearest_word_by_hand():
    code = [[1, 1, 0], [1, -1, 1], [-1, 0, 1], [-1, 1, -1]]
    model = OutputCodes(KNeighborsClassifier(n_neighbors=1), code=code).fit(CORNERS, NAMES)
    first, last = model.distances(CORNERS[[0, 3]])
    # At d the members say - + -; a 0 counts half.
    assert last.tolist() == [1.5, 3.0, 1.5, 0.0]
    assert first.min() == first[0]
    assert model.predict(CORNERS).tolist() == NAMES
    flat = OutputCodes(KNeighborsClassifier(n_neighbors=1), code=code, decoding="euclidean").fit(
        CORNERS, NAMES
    )
    np.testing.assert_allclose(flat.distances(CORNERS[3:])[0] ** 2, [5.0, 12.0, 5.0, 0.0])


@pytest.mark.parametrize(
    ("decoding", "loss"),
    [
        ("hinge", lambda z: np.maximum(0, 1 - z)),
        ("logistic", lambda z: np.log1p(np.exp(-z))),
        ("exponential", lambda z: np.exp(-z)),
    ],
)
def test_losses_of_scores_by_hand(decoding, loss):
    model = OutputCodes(code=[[1, 0, 1], [-1, 1, 1], [0, -1, -1]], decoding=decoding).fit(X, Y)
    scores = np.column_stack([member.decision_function(X) for member in model.estimators_])
    expected = loss(scores[:, None, :] * model.code_).sum(axis=2)
    np.testing.assert_allclose(model.distances(X), expected, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[expected.argmin(axis=1)])


def test_long_words_correct_a_member_that_errs():
    model = OutputCodes(KNeighborsClassifier(n_neighbors=1), code="exhaustive").fit(CORNERS, NAMES)
    assert row_distances(model.code_).min() == 4
    wrong = KNeighborsClassifier(n_neighbors=1).fit(CORNERS, (model.code_[:, 0] < 0).astype(int))
    model.estimators_[0] = wrong
    assert model.predict(CORNERS).tolist() == NAMES
    np.testing.assert_array_equal(model.distances(CORNERS).min(axis=1), 1.0)


def test_tables_of_any_kind_and_members_that_are_learners_themselves():
    melons = datasets.watermelon("3.0")
    model = OneVsRest(NaiveBayes()).fit(melons)
    alone = NaiveBayes().fit(melons)
    np.testing.assert_allclose(model.predict_proba(melons), alone.predict_proba(melons), rtol=1e-12)
    assert "Naive Bayes with 2 classes" in str(model.estimators_[0].describe())


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ([[1, 1], [1, 1], [-1, -1]], "the classes 'setosa' and 'versicolor' have rows in 'code' that no"),
        ([[1, 0], [1, 1], [-1, -1]], "the classes 'setosa' and 'versicolor' have rows"),
        ([[1, 1], [-1, 1], [-1, 0]], "column 1 of 'code' has no"),
        ([[1], [-1]], r"a row for each of the 3 classes \[.*\]; got shape \(2, 1\)"),
        ([[2, 1], [-1, 1], [-1, 0]], "must be a table of -1, 0 and 1"),
        ("exhaustif", "Did you mean 'exhaustive'"),
    ],
)
def test_bad_codes(code, message):
    with pytest.raises(ValueError, match=message):
        OutputCodes(code=code).fit(X, Y)


def test_refusals(tmp_path):
    many = np.arange(11).repeat(2)
    with pytest.raises(ValueError, match="would need 1023 members for 11 classes: choose code='random'"):
        OutputCodes(code="exhaustive").fit(np.arange(22.0)[:, None], many)
    with pytest.raises(ValueError, match="none of 100 drawn codes of 3 members tells all 5 classes apart"):
        OutputCodes(code_size=0.1, unused=0.95, random_state=0).fit(np.arange(5.0)[:, None], np.arange(5))
    with pytest.raises(TypeError, match="must be a learner for classification; got Encoder"):
        OneVsOne(__import__("hornbook").Encoder()).fit(X, Y)
    model = OneVsRest(SkLogistic()).fit(X, Y)
    with pytest.raises(ModelFileError, match="parameter 'estimator' holds a LogisticRegression"):
        save(model, tmp_path / "m.hornbook")
    assert not hasattr(OneVsRest(LinearSVC()), "predict_proba")


def test_pictures():
    flat = OneVsOne().fit(X[:, :2], Y)
    ax = flat.plot(X[:, :2], Y)
    assert ax.get_title() == "OneVsOne (bold) and its 3 members"
    assert [text.get_text() for text in flat.plot().texts] == ["+", "+", "", "-", "", "+", "", "-", "-"]
    assert "setosa against versicolor" in str(flat.working(X[0, :2]))
