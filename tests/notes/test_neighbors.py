"""The nearest neighbors of the notes: the Iris example, the vote, the radius, the ties."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import KNeighborsClassifier, KNNDensity, RadiusNeighborsClassifier, datasets


def iris_plane():
    """Sepal length and width; setosa is the first class, all others the second."""
    iris = datasets.iris()
    return iris.numbers[:, :2], np.where(iris.y == "setosa", "c1", "c2")


def test_five_neighbors_of_an_iris():
    """x = (6.75, 4.25): K1 = 1, K2 = 4, so c2, with all rows and with every point once.

    The printed fifth neighbor (6.2, 3.4) at sqrt(1.025) = 1.012 counts the point (6.7, 3.3) once,
    which is there twice; with all 150 rows the fifth is (5.8, 4.0) at sqrt(0.965) = 0.982.
    """
    X, y = iris_plane()
    once = np.unique(X, axis=0, return_index=True)[1]
    for rows, fifth, squared in ((np.arange(150), [5.8, 4.0], 0.965), (np.sort(once), [6.2, 3.4], 1.025)):
        model = KNeighborsClassifier(n_neighbors=5).fit(X[rows], y[rows])
        distances, indices = model.kneighbors([[6.75, 4.25]])
        np.testing.assert_allclose(X[rows][indices[0, 4]], fifth)
        assert distances[0, 4] ** 2 == pytest.approx(squared)
        assert model.predict_proba([[6.75, 4.25]]).tolist() == [[0.2, 0.8]]
        assert model.predict([[6.75, 4.25]]).tolist() == ["c2"]


def test_posterior_is_the_share_of_the_neighbors():
    X, y = iris_plane()
    model = KNeighborsClassifier(n_neighbors=7).fit(X, y)
    queries = X[::10] + 0.013
    _, indices = model.kneighbors(queries)
    np.testing.assert_allclose(model.predict_proba(queries)[:, 0], (y[indices] == "c1").mean(axis=1))


LINE = np.array([[1.0], [2.0], [3.0], [-4.0], [-5.0], [9.0]])
SIDES = ["+", "-", "-", "+", "+", "-"]


def test_vote_of_the_nearest():
    assert KNeighborsClassifier(n_neighbors=1).fit(LINE, SIDES).predict([[0.0]]) == ["+"]
    assert KNeighborsClassifier(n_neighbors=3).fit(LINE, SIDES).predict([[0.0]]) == ["-"]
    assert KNeighborsClassifier(n_neighbors=5).fit(LINE, SIDES).predict([[0.0]]) == ["+"]


def test_radius_takes_all_within_it_and_its_edge():
    for radius, votes in ((0.9, None), (1.0, [1, 0]), (2.0, [0.5, 0.5]), (5.0, [0.6, 0.4])):
        model = RadiusNeighborsClassifier(radius=radius, outlier_label="error").fit(LINE, SIDES)
        if votes is None:
            with pytest.raises(ValueError, match="No neighbors found for 1 rows"):
                model.predict([[0.0]])
        else:
            np.testing.assert_allclose(model.predict_proba([[0.0]]), [votes])


def test_k_and_radius_stops_at_whichever_comes_first():
    for k, radius, votes in ((3, 2.5, [1 / 2, 1 / 2]), (3, 8.0, [1 / 3, 2 / 3]), (5, 4.5, [1 / 2, 1 / 2])):
        model = KNeighborsClassifier(n_neighbors=k, radius=radius).fit(LINE, SIDES)
        np.testing.assert_allclose(model.predict_proba([[0.0]]), [votes])


def test_votes_by_one_over_the_distance():
    model = KNeighborsClassifier(n_neighbors=3, weights="distance").fit(LINE, SIDES)
    votes = np.array([1 / 1, 1 / 2 + 1 / 3])
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [votes / votes.sum()])
    assert model.predict([[0.0]]) == ["+"]
    # D = 0: the row itself decides.
    assert model.predict_proba([[2.0]]).tolist() == [[0.0, 1.0]]


def test_ties_go_to_the_nearest_to_the_first_or_to_chance():
    X, y = [[1.0], [2.0]], ["b", "a"]
    queries = np.linspace(-3, 1.4, 400)[:, None]
    answers = {
        ties: KNeighborsClassifier(n_neighbors=2, ties=ties, random_state=0).fit(X, y).predict(queries)
        for ties in ("nearest", "first", "random")
    }
    assert set(answers["nearest"]) == {"b"}
    assert set(answers["first"]) == {"a"}
    # 400 fair coins: within 4 standard deviations of 200.
    assert 160 <= (answers["random"] == "a").sum() <= 240


def test_density_of_a_class_is_its_share_of_rows_by_volume():
    """f(x | c) = K_i / (n_i V) with the disc to the fifth neighbor, and P(c | x) = K_i / K."""
    X, y = iris_plane()
    model = KNNDensity(n_neighbors=5).fit(X, y)
    volume = np.pi * 0.965
    np.testing.assert_allclose(model.density([[6.75, 4.25]]), [[1 / (50 * volume), 4 / (100 * volume)]])
    np.testing.assert_allclose(model.predict_proba([[6.75, 4.25]]), [[1 / 5, 4 / 5]])
    assert model.predict([[6.75, 4.25]]).tolist() == ["c2"]
