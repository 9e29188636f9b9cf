"""Densities from the distance to the k-th neighbor."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook import KNeighborsClassifier, KNNDensity
from hornbook.neighbors._density import _log_volume

draw = np.random.default_rng(0)
X = draw.normal(size=(300, 3))
Y = np.array(["a", "b"])[(X[:, 0] + draw.normal(size=300) * 0.5 > 0.3).astype(int)]
Q = draw.normal(size=(50, 3))


@pytest.mark.parametrize(
    ("d", "p", "volume"),
    [
        (1, 2.0, 2.0),
        (2, 2.0, np.pi),
        (3, 2.0, 4 / 3 * np.pi),
        (4, 2.0, np.pi**2 / 2),
        (2, 1.0, 2.0),
        (3, 1.0, 4 / 3),
        (3, np.inf, 8.0),
    ],
)
def test_the_volume_of_a_ball(d, p, volume):
    assert np.exp(_log_volume(d, p)) == pytest.approx(volume)


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0])
def test_without_ties_it_votes_as_the_neighbors_do(p):
    model = KNNDensity(n_neighbors=7, p=p).fit(X, Y)
    votes = KNeighborsClassifier(n_neighbors=7, p=p).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(Q), votes.predict_proba(Q), atol=1e-12)
    radius = votes.kneighbors(Q)[0][:, -1:]
    counts = votes.predict_proba(Q) * 7
    expected = counts / [(Y == "a").sum(), (Y == "b").sum()] / (np.exp(_log_volume(3, p)) * radius**3)
    np.testing.assert_allclose(model.density(Q), expected, rtol=1e-9)


def test_rows_as_far_away_as_the_last_are_in_the_ball():
    model = KNNDensity(n_neighbors=2).fit([[0.0], [1.0], [-1.0], [1.0], [5.0]], list("abbbb"))
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[1 / 4, 3 / 4]])
    np.testing.assert_allclose(model.density([[0.0]]), [[1 / (1 * 2), 3 / (4 * 2)]])


def test_very_many_equal_rows_need_little_room():
    rows = np.repeat(np.arange(4.0), 900)[:, None]
    y = np.tile(["a", "b", "b"], 1200)
    model = KNNDensity().fit(rows, y)
    tracemalloc.start()
    shares = model.predict_proba(rows)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(shares, np.tile([1 / 3, 2 / 3], (3600, 1)))
    assert used < 60e6  # the distances of each row to 1536 others and their indices are 88 MB


def test_a_ball_that_is_a_point():
    model = KNNDensity(n_neighbors=2).fit([[0.0], [0.0], [1.0]], list("aab"))
    assert model.density([[0.0]]).tolist() == [[np.inf, 0.0]]
    assert model.log_density([[0.0]]).tolist() == [[np.inf, -np.inf]]
    assert model.predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]
    assert np.isfinite(model.plot().child_axes[0].lines[0].get_ydata()).all()


def test_the_density_of_even_points_is_even():
    grid = np.linspace(0, 1, 20_001)[:, None]
    model = KNNDensity(n_neighbors=400).fit(grid, np.zeros(20_001))
    inner = model.density([[0.1], [0.5], [0.77]])
    np.testing.assert_allclose(inner, 1.0, rtol=0.01)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 500), k=st.integers(1, 12))
def test_weights_are_repeated_rows(seed, k):
    rng = np.random.default_rng(seed)
    table, y, w = rng.integers(0, 5, (20, 2)) * 1.0, rng.integers(0, 2, 20), rng.integers(0, 4, 20)
    w[0] = 1
    one = KNNDensity(n_neighbors=k).fit(table, y, sample_weight=w)
    two = KNNDensity(n_neighbors=k).fit(table.repeat(w, axis=0), y.repeat(w))
    asked = rng.integers(0, 5, (6, 2)) + 0.25
    if set(y) == set(y.repeat(w)):
        np.testing.assert_allclose(one.density(asked), two.density(asked), rtol=1e-9)


def test_pictures():
    line = KNNDensity().fit(X[:, :1], Y).plot()
    assert len(line.child_axes[0].lines) == 2
    assert KNNDensity().fit(X[:, :2], Y).plot(X[:, :2], Y).get_title() == "5 neighbors"
