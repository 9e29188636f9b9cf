"""Votes for several targets at once, beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.neighbors import KNeighborsClassifier as Peer
from sklearn.neighbors import RadiusNeighborsClassifier as RadiusPeer

import hornbook
from hornbook import KNeighborsClassifier, RadiusNeighborsClassifier
from hornbook.distances import ValueDifference

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(100, 3)), RNG.normal(size=(40, 3))
Y = np.column_stack([(X[:, 0] > 0).astype(int) + (X[:, 1] > 1), X[:, 2] > 0])
NAMES = np.column_stack([np.array(["a", "b", "c"])[Y[:, 0]], np.where(Y[:, 1], "on", "off")])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_votes_are_those_of_scikit_learn(weights):
    ours = KNeighborsClassifier(5, weights=weights, ties="first").fit(X, Y)
    peer = Peer(5, weights=weights).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(NEW), peer.predict(NEW))
    for one, two in zip(ours.predict_proba(NEW), peer.predict_proba(NEW), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)
    assert [labels.tolist() for labels in ours.classes_] == [labels.tolist() for labels in peer.classes_]
    np.testing.assert_array_equal(ours.predict(None), peer.predict(None))
    np.testing.assert_array_equal(ours.predict(csr_matrix(NEW)), peer.predict(NEW))
    for one, two in zip(ours.predict_proba(csr_matrix(NEW)), peer.predict_proba(NEW), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)


def test_each_target_is_predicted_as_by_a_learner_of_its_own():
    for learner in (KNeighborsClassifier(4), KNeighborsClassifier(4, vote_smoothing=2.0)):
        together = learner.fit(X, NAMES)
        answers, shares = together.predict(NEW), together.predict_proba(NEW)
        for t in range(2):
            alone = learner.fit(X, NAMES[:, t])
            np.testing.assert_array_equal(alone.predict(NEW), answers[:, t])
            np.testing.assert_allclose(alone.predict_proba(NEW), shares[t])


def test_rows_without_neighbors_get_the_label_of_outliers():
    far = np.vstack([NEW, np.full((1, 3), 50.0)])
    ours = RadiusNeighborsClassifier(1.0, outlier_label=-1, ties="first").fit(X, Y)
    with pytest.warns(UserWarning, match="Outlier label -1 is not in training classes"):
        answers = ours.predict(far)
    with pytest.warns(UserWarning, match="Outlier label"):
        peer = RadiusPeer(1.0, outlier_label=-1).fit(X, Y).predict(far)
    np.testing.assert_array_equal(answers, peer)
    assert answers[-1].tolist() == [-1, -1]


def test_working_and_files_have_both_targets(tmp_path):
    for learner in (KNeighborsClassifier(3), RadiusNeighborsClassifier(2.0)):
        model = learner.fit(X, NAMES)
        working = model.working(NEW[0])
        assert list(working.candidates) == ["0: a", "0: b", "0: c", "1: off", "1: on"]
        assert working.prediction == model.predict(NEW[:1])[0].tolist()
        scores = np.array(working.scores)
        for part, shares in zip((scores[:3], scores[3:]), model.predict_proba(NEW[:1]), strict=True):
            np.testing.assert_allclose(part / part.sum(), shares[0])
        assert "1: off" in str(model.describe())
        model.plot(X, NAMES)
        hornbook.save(model, tmp_path / "model.hornbook")
        np.testing.assert_array_equal(
            hornbook.load(tmp_path / "model.hornbook").predict(NEW), model.predict(NEW)
        )


@pytest.mark.parametrize("metric", ["vdm", ValueDifference()])
def test_a_distance_between_classes_knows_one_target(metric):
    learner = KNeighborsClassifier(3, metric=metric)
    tags = learner.__sklearn_tags__()
    assert not tags.target_tags.multi_output
    assert not tags.classifier_tags.multi_label
    with pytest.raises(
        ValueError, match="by the classes of one target, and y has 2: fit one learner for each"
    ):
        learner.fit(X, NAMES)
