"""RBF networks beyond the notes: gradients, widths, blocks, refusals, plots."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from hornbook import Blocks, Frame, RBFNetworkClassifier, RBFNetworkRegressor, datasets
from hornbook.networks.radial._basis import Basis
from hornbook.networks.radial._initialization import DistinctRows, initial_widths, sample_of
from hornbook.networks.radial._trained import NetworkCost

mpl.use("Agg")
X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("kind", ["gaussian", "inverse_quadratic"])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_gradient_is_that_of_finite_differences(kind, alpha):
    rng = np.random.default_rng(0)
    frame = Frame({"a": rng.normal(size=9) + 5, "b": rng.normal(size=9), "t": rng.normal(size=9) * 7,
                   "w": rng.uniform(0.5, 2, 9)}, target="t", weight="w")  # fmt: skip
    rows = Blocks([frame]).map(lambda block: type(block)(block.X.matrix, block.y, block.w, block.start))
    basis = Basis(kind, rng.normal(size=(3, 2)) + np.array([5.0, 0.0]), rng.uniform(0.5, 2, 3))
    w = np.asarray(frame.w)
    cost = NetworkCost(rows, basis, 1.7, np.array([0.3]), np.array([2.5]), float(w.sum()), alpha)
    x = cost.vector(basis, rng.normal(size=(1, 3)), rng.normal(size=1)) + 0.1 * rng.normal(size=13)
    value, slope = cost.first(x)
    basis, coef, intercept = cost.network(x)
    gaps = (basis.apply(frame.features.matrix) @ coef[0] + intercept - frame.y) / 2.5
    expected = 0.5 * (w @ gaps**2 + alpha * (coef / 2.5 @ (coef / 2.5).T).item()) / w.sum()
    assert value == pytest.approx(expected, rel=1e-12)
    steps = np.eye(13) * 1e-6
    numeric = [(cost.first(x + h)[0] - cost.first(x - h)[0]) / 2e-6 for h in steps]
    np.testing.assert_allclose(slope, numeric, rtol=1e-5, atol=1e-8)


def test_widths():
    centers = np.array([[0.0], [1.0], [3.0]])
    sample = DistinctRows(centers, np.ones(3), np.arange(3, dtype=np.uint64))
    assert initial_widths("nearest", centers, sample, "").tolist() == [2.0, 1.5, 2.5]
    np.testing.assert_allclose(initial_widths("common", centers, sample, ""), 3 / np.sqrt(6))
    # Centers that coincide take the width of others; where there is none, the spread of the rows.
    same = initial_widths("nearest", np.array([[0.0], [0.0], [0.0], [4.0]]), sample, "")
    assert same.tolist() == [4.0, 4.0, 4.0, 4.0]
    np.testing.assert_allclose(initial_widths("nearest", centers[:1], sample, ""), np.std([0, 1, 3]))


def test_sample_depends_on_content_alone():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 9, (60, 2)).astype(float)
    whole = Blocks([Frame({"a": table[:, 0], "b": table[:, 1]})])
    parts = Blocks([Frame({"a": part[:, 0], "b": part[:, 1]}) for part in (table[50:], table[:50])])
    one, other = (
        sample_of(blocks.map(lambda block: type(block)(block.X.matrix, None, None, block.start)), 7, 10)
        for blocks in (whole, parts)
    )
    np.testing.assert_array_equal(one.X, other.X)
    counts = [(table == row).all(axis=1).sum() for row in one.X]
    assert one.w.tolist() == counts == other.w.tolist()
    assert len(one.X) == 10


def test_no_more_centers_than_distinct_rows():
    model = RBFNetworkRegressor(random_state=0).fit([[0.0], [0.0], [1.0]], [1.0, 3.0, 4.0])
    assert sorted(model.centers_.ravel().tolist()) == [0.0, 1.0]
    np.testing.assert_allclose(model.predict([[0.0], [1.0]]), [2.0, 4.0])


def test_singular_least_squares_takes_the_shortest_solution():
    x = np.linspace(0, 1, 20)[:, None]
    twice = RBFNetworkRegressor(centers=[[0.2], [0.2], [0.8]], width=0.3).fit(x, x[:, 0])
    once = RBFNetworkRegressor(centers=[[0.2], [0.8]], width=0.3).fit(x, x[:, 0])
    assert twice.coef_[0, 0] == pytest.approx(twice.coef_[0, 1])
    np.testing.assert_allclose(twice.predict(x), once.predict(x), atol=1e-8)


@pytest.mark.parametrize("basis", ["gaussian", "inverse_quadratic"])
def test_functions_of_which_only_rounding_is_left_get_no_weight(basis):
    draw = np.random.default_rng(0)
    rows, z = draw.normal(size=(60, 3)), draw.normal(size=60)
    with pytest.warns(ConvergenceWarning, match="the same for all rows, .*choose a smaller 'width'"):
        flat = RBFNetworkRegressor(3, width=1e8, basis=basis, random_state=0).fit(rows, z)
    assert not flat.coef_.any()
    np.testing.assert_allclose(flat.predict(rows), z.mean(), rtol=1e-12)
    one = RBFNetworkRegressor(3, width=[1e8, 1.0, 1.0], basis=basis, random_state=0).fit(rows, z)
    assert one.coef_[0, 0] == 0.0
    two = RBFNetworkRegressor(centers=one.centers_[1:], width=1.0, basis=basis).fit(rows, z)
    np.testing.assert_allclose(one.predict(rows), two.predict(rows), rtol=1e-9)
    # Wide ones that still differ are used.
    wide = RBFNetworkRegressor(3, width=1e4, basis=basis, random_state=0).fit(rows, z)
    assert wide.score(rows, z) > 0.0
    with pytest.warns(ConvergenceWarning, match="choose a larger 'width'"):
        RBFNetworkRegressor(centers=[[50.0] * 3], width=0.1).fit(rows, z)


def test_penalty_shrinks():
    sizes = [
        np.abs(RBFNetworkClassifier(6, alpha=alpha, random_state=0).fit(X, Y).coef_).sum()
        for alpha in (0.0, 1.0, 100.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]
    rls = RBFNetworkClassifier(6, alpha=100.0, output="rls", max_iter=1, random_state=0).fit(X, Y)
    assert np.abs(rls.coef_).sum() < sizes[1]


def test_classes_are_those_of_least_squares_with_signs():
    signs = 2.0 * np.eye(3)[Y] - 1.0
    for settings in ({}, {"basis": "inverse_quadratic"}, {"width": "common"}, {"output": "rls"}):
        model = RBFNetworkClassifier(12, random_state=0, delta=1e-9, **settings).fit(X, Y)
        s = ((X[:, None] - model.centers_) ** 2).sum(axis=2)
        v = model.widths_**2
        f = v / (v + s) if "basis" in settings else np.exp(-s / (2 * v))
        A = np.column_stack([np.ones(150), f])
        outputs = A @ np.linalg.lstsq(A, signs)[0]
        np.testing.assert_allclose(model.decision_function(X), outputs, atol=1e-4)
        sure = np.diff(np.sort(outputs, axis=1)[:, 1:], axis=1)[:, 0] > 1e-3
        np.testing.assert_array_equal(model.predict(X)[sure], outputs.argmax(axis=1)[sure])


def test_order_of_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(150)
    one = RBFNetworkClassifier(8, random_state=3).fit(X, Y)
    other = RBFNetworkClassifier(8, random_state=3).fit(X[order], Y[order])
    np.testing.assert_array_equal(one.centers_, other.centers_)
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-6)


def test_too_few_steps_are_said():
    with pytest.warns(ConvergenceWarning, match=r"'max_iter' = 2 steps .* lower n_centers") as caught:
        model = RBFNetworkRegressor(3, centers="trained", max_iter=2, tol=0.0, random_state=0).fit(
            X[:, :2], Y
        )
    assert caught[0].filename == __file__
    assert len(model.history_["cost"]) == model.n_iter_ == 2


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"centers": [[1.0]]}, r"rows of 4 finite numbers.* got shape \(1, 1\)"),
        ({"centers": [[np.nan] * 4]}, "not finite"),
        ({"width": -1.0}, "a number above 0 or 10 of them"),
        ({"width": [1.0, 2.0]}, "one for each center"),
        ({"width": np.inf}, "finite"),
        ({"width": 1e200}, "squares that are finite and above 0; got 1e.200: scale the columns"),
        ({"width": 1e-200}, "squares that are finite and above 0"),
        ({"n_centers": 0}, "parameter 'n_centers'"),
    ],
)
def test_refusals(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        RBFNetworkClassifier(**settings).fit(X, Y)


def test_squares_that_overflow_are_refused_by_name():
    for centers in ("kmeans", "random", "trained"):
        with pytest.raises(ValueError, match="RBFNetworkRegressor: a column of X.* squares overflow"):
            RBFNetworkRegressor(centers=centers, random_state=0).fit(1e200 * X, X[:, 0])


def test_plots():
    moons = datasets.double_moon(n=100, random_state=0)
    model = RBFNetworkClassifier(6, random_state=0).fit(moons)
    ax = model.plot(moons.features, moons.y)
    assert ax.lines[-1].get_xdata().tolist() == model.centers_[:, 0].tolist()
    assert model.plot().get_title() == "Output weights"
    x = np.linspace(0, 1, 20)[:, None]
    line = RBFNetworkRegressor(4, random_state=0).fit(x, x[:, 0] ** 2)
    assert len(line.plot(x, x[:, 0] ** 2).lines[-1].get_xdata()) == 4
