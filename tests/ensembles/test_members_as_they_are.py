"""Members of a user's own classes, their rows, and the scores they give together."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csc_array, csc_matrix, csr_array, csr_matrix

import hornbook
from hornbook import (
    SVC,
    SVR,
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    LogisticRegression,
    datasets,
)

IRIS = datasets.iris()
X, Y = IRIS.features.matrix, IRIS.y


class Recording(LogisticRegression):
    """A user's class, which does more in `fit` than ours."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight=sample_weight)
        self.data_type_ = type(X)
        return self


class RecordingNumbers(SVR):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight=sample_weight)
        self.data_type_ = type(X)
        return self


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        (np.asarray, np.ndarray),
        (csr_matrix, csr_matrix),
        (csc_array, csc_array),
        (csc_matrix, csc_matrix),
        (coo_matrix, csr_matrix),
    ],
)
def test_a_fit_that_is_overridden_is_called_with_rows_of_their_type(given, passed):
    bagging = BaggingClassifier(Recording(), n_estimators=3, random_state=0).fit(given(X), Y)
    assert {member.data_type_ for member in bagging.estimators_} == {passed}
    dense = BaggingClassifier(Recording(), n_estimators=3, random_state=0).fit(X, Y)
    np.testing.assert_allclose(bagging.predict_proba(given(X)), dense.predict_proba(X), atol=1e-6)
    boosting = AdaBoostClassifier(Recording(), n_estimators=3, random_state=0).fit(given(X), Y)
    assert {member.data_type_ for member in boosting.estimators_} == {passed}
    numbers = np.arange(len(X), dtype=float)
    for learner in (BaggingRegressor, AdaBoostRegressor):
        model = learner(RecordingNumbers(), n_estimators=2, random_state=0).fit(given(X), numbers)
        assert {member.data_type_ for member in model.estimators_} == {passed}


def test_the_scores_of_bagging_are_the_mean_of_its_members():
    bagging = BaggingClassifier(SVC(), n_estimators=4, random_state=0).fit(X, Y)
    scores = [member.decision_function(X) for member in bagging]
    np.testing.assert_allclose(bagging.decision_function(X), np.mean(scores, axis=0))
    two = BaggingClassifier(SVC(), n_estimators=4, random_state=0).fit(X[:100], Y[:100])
    assert two.decision_function(X).shape == (len(X),)
    np.testing.assert_allclose(
        two.decision_function(X), np.mean([member.decision_function(X) for member in two], axis=0)
    )
    assert not hasattr(BaggingClassifier(), "decision_function")


def test_a_class_that_a_sample_lacks_is_scored_by_the_others():
    y = np.array(["a"] * 20 + ["b"] * 20 + ["c"])
    rows = np.column_stack([np.arange(41.0) % 20, (np.arange(41.0) // 20)])
    bagging = BaggingClassifier(SVC(), n_estimators=20, random_state=0).fit(rows, y)
    known = [member for member in bagging if len(member.classes_) == 3]
    assert 0 < len(known) < 20
    scores = bagging.decision_function(rows)
    np.testing.assert_allclose(
        scores[:, 2], np.mean([member.decision_function(rows)[:, 2] for member in known], axis=0)
    )


@pytest.mark.parametrize("weights", [None, np.arange(len(X)) % 3.0])
def test_bagging_names_the_rows_of_its_members(weights, tmp_path):
    bagging = BaggingClassifier(n_estimators=3, random_state=0).fit(X, Y, weights)
    for rows, again in zip(bagging.estimators_samples_, bagging.samples(weights), strict=True):
        np.testing.assert_array_equal(rows, again)
    hornbook.save(bagging, tmp_path / "model.hornbook")
    loaded = hornbook.load(tmp_path / "model.hornbook")
    if weights is None:
        np.testing.assert_array_equal(loaded.estimators_samples_, bagging.estimators_samples_)
    else:
        with pytest.raises(AttributeError, match=r"pass them to samples\(sample_weight\)"):
            _ = loaded.estimators_samples_


def test_forests_from_files_say_why_they_cannot_name_rows(tmp_path):
    forest = hornbook.RandomForestClassifier(2, random_state=0).fit(X, Y)
    assert [len(rows) for rows in forest.estimators_samples_] == [len(X)] * 2
    whole = hornbook.ExtraTreesClassifier(2, random_state=0).fit(X, Y)
    assert all((rows == np.arange(len(X))).all() for rows in whole.estimators_samples_)
    hornbook.save(forest, tmp_path / "model.hornbook")
    with pytest.raises(AttributeError, match="which model files lack: fit the model again"):
        _ = hornbook.load(tmp_path / "model.hornbook").estimators_samples_


def test_sparse_arrays_of_other_formats_come_by_rows():
    model = BaggingClassifier(Recording(), n_estimators=1, random_state=0).fit(csr_array(X).tolil(), Y)
    assert model.estimators_[0].data_type_ is csr_array
