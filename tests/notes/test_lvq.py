"""Learning vector quantization of the notes: the melons of 4.0 with five prototypes."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestCentroid

from hornbook import LVQClassifier, datasets

POINTS = datasets.watermelon("4.0").features.numbers
CLASS = np.where((np.arange(1, 31) >= 9) & (np.arange(1, 31) <= 21), "c2", "c1")
LABELS = ["c1", "c2", "c2", "c1", "c1"]
START = POINTS[[4, 11, 17, 22, 28]]  # x5, x12, x18, x23, x29


def model(**settings):
    return LVQClassifier(LABELS, init=START, eta0=0.1, **settings)


def test_first_sample():
    """x1 is 0.283, 0.506, 0.434, 0.260 and 0.032 from the prototypes; p5 moves to (0.722, 0.447)."""
    before = LVQClassifier(LABELS, init=START, eta0=1e-300)
    before.partial_fit(POINTS[:1], CLASS[:1], classes=["c1", "c2"])
    np.testing.assert_array_equal(before.prototypes_, START)
    squares = -np.array(before.working(POINTS[0]).scores)
    assert np.sqrt(squares).round(3).tolist() == [0.283, 0.506, 0.434, 0.260, 0.032]
    after = model().partial_fit(POINTS[:1], CLASS[:1], classes=["c1", "c2"])
    assert after.prototypes_[4].round(4).tolist() == [0.7222, 0.4465]
    np.testing.assert_array_equal(after.prototypes_[:4], START[:4])


def test_a_sample_of_another_class_pushes_the_winner_away():
    """p* - eta (x - p*), and no other prototype moves."""
    after = model().partial_fit(POINTS[10:11], ["c1"], classes=["c1", "c2"])
    winner = int(np.argmin(np.linalg.norm(POINTS[10] - START, axis=1)))
    assert LABELS[winner] == "c2"
    expected = START.copy()
    expected[winner] -= 0.1 * (POINTS[10] - START[winner])
    np.testing.assert_array_equal(after.prototypes_, expected)


def test_a_sample_after_the_other():
    """The loop of the notes, written out, and the same prototypes from the learner."""
    p, learner = START.copy(), model()
    for j in np.random.default_rng(0).integers(0, 30, 200):
        best = int(np.argmin(((POINTS[j] - p) ** 2).sum(axis=1)))
        sign = 1 if LABELS[best] == CLASS[j] else -1
        p[best] += sign * 0.1 * (POINTS[j] - p[best])
        learner.partial_fit(POINTS[[j]], CLASS[[j]], classes=["c1", "c2"])
    np.testing.assert_allclose(learner.prototypes_, p, rtol=1e-12)


def test_whole_fit():
    """The prototypes keep their classes, and tell the melons apart better than one mean for each class."""
    fitted = model(random_state=0).fit(POINTS, CLASS)
    assert fitted.prototype_classes_.tolist() == LABELS
    assert fitted.score(POINTS, CLASS) > NearestCentroid().fit(POINTS, CLASS).score(POINTS, CLASS)
    assert fitted.history_["eta"][:3] == [0.1, 0.1 * 0.99, 0.1 * 0.98]
