"""Votes that are spread evenly over the classes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import KNeighborsClassifier, RadiusNeighborsClassifier, datasets

X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
Y = np.array(list("aabbc"))


def test_shares_are_those_of_the_formula():
    model = KNeighborsClassifier(n_neighbors=3, vote_smoothing=1.5)
    # (n_c + m / K) / (n + m)
    expected = np.array([[2.5, 1.5, 0.5], [0.5, 2.5, 1.5]]) / 4.5
    np.testing.assert_allclose(model.fit(X, Y).predict_proba([[1.0], [10.0]]), expected, rtol=1e-15)


def test_votes_by_distance_count_as_many_neighbors_as_there_are():
    plain = KNeighborsClassifier(n_neighbors=3, weights="distance").fit(X, Y)
    smooth = KNeighborsClassifier(n_neighbors=3, weights="distance", vote_smoothing=1.5).fit(X, Y)
    shares = plain.predict_proba([[0.5]])
    np.testing.assert_allclose(smooth.predict_proba([[0.5]]), (3 * shares + 0.5) / 4.5, rtol=1e-12)


def test_weights_count_as_repeated_rows():
    weights = np.array([2, 1, 3, 1, 1])
    model = KNeighborsClassifier(n_neighbors=4, vote_smoothing=1.0)
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights)).predict_proba(X)
    np.testing.assert_allclose(model.fit(X, Y, sample_weight=weights).predict_proba(X), repeated, rtol=1e-12)


def test_a_row_without_neighbors_has_the_shares_of_all_rows():
    model = RadiusNeighborsClassifier(radius=1.5, vote_smoothing=4.0).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba([[99.0]]), [[0.4, 0.4, 0.2]], rtol=1e-15)
    assert model.working([[99.0]]).terms[-1].name.startswith("no neighbor")


@pytest.mark.parametrize("kind", [KNeighborsClassifier, RadiusNeighborsClassifier])
@pytest.mark.parametrize("ties", ["nearest", "random", "first"])
def test_the_class_stays_the_same_also_where_votes_are_tied(kind, ties):
    iris = datasets.iris()
    options = {"n_neighbors": 2} if kind is KNeighborsClassifier else {}
    plain = kind(ties=ties, random_state=0, **options).fit(iris)
    smooth = kind(ties=ties, random_state=0, vote_smoothing=0.7, **options).fit(iris)
    predictions = smooth.predict(iris.features)
    assert predictions.tolist() == plain.predict(iris.features).tolist()
    assert (
        predictions.tolist() == smooth.classes_[smooth.predict_proba(iris.features).argmax(axis=1)].tolist()
    )


def test_the_working_adds_up():
    model = KNeighborsClassifier(n_neighbors=3, vote_smoothing=1.5).fit(X, Y)
    totals = np.sum([term.values for term in model.working([[1.0]]).terms], axis=0)
    np.testing.assert_allclose(totals / totals.sum(), model.predict_proba([[1.0]])[0], rtol=1e-12)
