"""Several labels a row, regressors as members, sparse rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, issparse
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import hornbook
from hornbook import LogisticRegression, NaiveBayes, OneVsOne, OneVsRest, OutputCodes, Ridge

X, Y = make_multilabel_classification(80, n_features=5, n_classes=4, random_state=0)


def test_labels_agree_with_scikit_learn():
    ours = OneVsRest(LogisticRegression()).fit(X, Y)
    theirs = OneVsRestClassifier(TheirLogisticRegression(tol=1e-9, max_iter=1000)).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    assert ours.decision_function(X).shape == (80, 4)
    assert ours.score(X, Y) == theirs.score(X, Y)
    assert (ours.n_classes_, ours.multilabel_) == (4, True)


def test_sparse_labels_give_sparse_predictions():
    model = OneVsRest(NaiveBayes()).fit(csr_matrix(X), csr_matrix(Y))
    for rows in (X, csr_matrix(X)):
        answers = model.predict(rows)
        assert issparse(answers)
        np.testing.assert_array_equal(answers.toarray(), OneVsRest(NaiveBayes()).fit(X, Y).predict(X))


def test_a_label_of_all_rows_or_none_needs_no_member():
    labels = Y.copy()
    labels[:, 0], labels[:, 1] = 1, 0
    with pytest.warns(UserWarning, match="present in all training examples") as seen:
        model = OneVsRest(NaiveBayes()).fit(X, labels)
    assert [str(w.message)[:11] for w in seen] == ["Label 0 is ", "Label not 1"]
    assert set(model.predict(X)[:, 0]) == {1}
    assert set(model.predict_proba(X)[:, 1]) == {0.0}


def test_a_fit_to_one_class_a_row_forgets_the_labels():
    model = OneVsRest(NaiveBayes()).fit(X, Y)
    assert model.fit(X, Y[:, 0]).predict(X).shape == (80,)
    assert not model.multilabel_


def test_labels_are_told_drawn_and_saved(tmp_path):
    model = OneVsRest(NaiveBayes()).fit(X, Y)
    assert "4 members" in str(model.describe())
    assert model.working(X[0]).to_dict()["candidates"] == [0, 1, 2, 3]
    assert model.plot(X).figure is not None
    hornbook.save(model, tmp_path / "model.hornbook")
    np.testing.assert_array_equal(hornbook.load(tmp_path / "model.hornbook").predict(X), model.predict(X))


def test_numbers_are_no_labels():
    with pytest.raises(ValueError, match="must hold 0 and 1, a column for each label"):
        OneVsRest().fit(X, X[:, :2])


@pytest.mark.parametrize("kind", [OneVsRest, OneVsOne, OutputCodes])
def test_regressors_are_members(kind):
    y = np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))
    model = kind(Ridge(alpha=1e-6)).fit(X, y)
    assert type(model.estimators_[0]) is Ridge
    assert model.score(X, y) > 0.6
    assert not hasattr(model, "predict_proba")
