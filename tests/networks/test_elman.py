"""Elman networks: gradient, sequences of different lengths, refusals, what they say about themselves."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from hornbook import Blocks, ElmanClassifier, ElmanRegressor, Frame
from hornbook.networks.recurrent._sequence_cost import SequenceCost, softmax
from hornbook.networks.recurrent._unrolled import Sequences, Weights

mpl.use("Agg")


def random_weights(rng, hidden, size, outputs):
    shapes = [(hidden, size), (hidden, hidden), (hidden,), (outputs, hidden), (outputs,)]
    return Weights(*(rng.normal(size=shape) * 0.5 for shape in shapes))


def table(rng, n=7, columns=6):
    """Rows with gaps at their ends, and one cell missing inside."""
    X = rng.normal(size=(n, columns))
    X[0, 4:], X[1, 2:], X[2, :], X[3, 1] = np.nan, np.nan, np.nan, np.nan
    return X


def plain_output(weights, x, size, fill):
    """The network on one row, as it is written in textbooks."""
    steps = x.reshape(-1, size)
    while len(steps) and np.isnan(steps[-1]).all():
        steps = steps[:-1]
    h = np.zeros(len(weights.bias))
    for t, step in enumerate(steps):
        x_t = np.where(np.isnan(step), fill[t * size : (t + 1) * size], step)
        h = np.tanh(weights.inputs @ x_t + weights.recurrent @ h + weights.bias)
    return weights.output @ h + weights.constant


@pytest.mark.parametrize("size", [1, 2, 3])
def test_states_and_gaps(size):
    rng = np.random.default_rng(size)
    X, weights, fill = table(rng), random_weights(rng, 4, size, 2), rng.normal(size=6)
    outputs = weights.outputs(weights.states(Sequences.of(X, size, fill)))
    expected = [plain_output(weights, x, size, fill) for x in X]
    np.testing.assert_allclose(outputs, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(outputs[2], weights.constant)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.7])
def test_gradient_is_that_of_finite_differences(size, classes, alpha):
    rng = np.random.default_rng(0)
    X, w = table(rng), rng.uniform(0.5, 2.0, 7)
    y = rng.integers(0, 3, 7) if classes else rng.normal(size=7)
    weights, fill = random_weights(rng, 4, size, 3 if classes else 1), rng.normal(size=6)
    frame = Frame({f"c{j}": X[:, j] for j in range(6)} | {"y": y, "w": w}, target="y", weight="w")
    rows = Blocks([frame]).map(lambda block: type(block)(X, y, block.w, block.start))
    mean, scale = (0.0, 0.0) if classes else (0.3, 1.7)
    cost = SequenceCost(rows, weights, size, fill, mean, scale, float(w.sum()), alpha)
    x = weights.vector()
    value, slope = cost.first(x)
    outputs = np.array([plain_output(weights, row, size, fill) for row in X])
    if classes:
        losses = -np.log(softmax(outputs)[np.arange(7), y])
    else:
        losses = 0.5 * (outputs[:, 0] - (y - mean) / scale) ** 2
    squares = sum((part**2).sum() for part in (weights.inputs, weights.recurrent, weights.output))
    assert value == pytest.approx((w @ losses + 0.5 * alpha * squares) / w.sum(), rel=1e-12)
    numeric = [(cost.first(x + h)[0] - cost.first(x - h)[0]) / 2e-6 for h in np.eye(len(x)) * 1e-6]
    np.testing.assert_allclose(slope, numeric, rtol=1e-5, atol=1e-8)


def test_it_remembers_the_first_step():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = np.where(X[:, 0] > 0, "up", "down")
    new = rng.normal(size=(200, 6))
    model = ElmanClassifier(8, random_state=0, tol=2e-3, alpha=0.1).fit(X, y)
    # Who does not remember the first step can only guess: three standard errors of a coin on 200 rows.
    assert model.score(new, np.where(new[:, 0] > 0, "up", "down")) > 0.5 + 3 * np.sqrt(0.25 / 200)
    assert model.predict_proba(new).sum(axis=1) == pytest.approx(1.0)


def test_sequences_of_different_lengths():
    """The sum of the first of two numbers a step, over as many steps as there are."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 8))
    lengths = rng.integers(1, 5, 150)
    X[np.arange(8) >= 2 * lengths[:, None]] = np.nan
    y = np.nansum(X[:, ::2], axis=1)
    model = ElmanRegressor(8, step_size=2, random_state=0, tol=1e-3, max_iter=500).fit(X, y)
    # Better than the best linear function of the last step, which is all that is known without a memory.
    last = np.array([row[2 * n - 2 : 2 * n] for row, n in zip(X, lengths, strict=True)])
    assert model.score(X, y) > LinearRegression().fit(last, y).score(last, y)
    expected = [plain_output(model._weights(), row, 2, model.fill_)[0] for row in X]
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-10, atol=1e-10)
    states = model.states(X[:1])
    assert states.shape == (1, 5, 8)
    np.testing.assert_array_equal(states[0, lengths[0] :], np.tile(states[0, -1], (5 - lengths[0], 1)))


def test_penalty_shrinks():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    sizes = [
        sum(np.abs(part).sum() for part in model._weights().parts[:2])
        for model in (
            ElmanRegressor(4, alpha=alpha, random_state=0, tol=1e-2).fit(X, X[:, 0]) for alpha in (0.01, 5.0)
        )
    ]
    assert sizes[1] < sizes[0]


def test_steps_must_divide_the_columns():
    with pytest.raises(ValueError, match="'step_size' = 2 does not divide the 3 encoded columns"):
        ElmanRegressor(step_size=2).fit(np.zeros((4, 3)), np.arange(4.0))


def test_too_few_steps_are_said():
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match=r"'max_iter' = 3 steps .* raise alpha") as caught:
        model = ElmanRegressor(3, max_iter=3, tol=0.0, random_state=0).fit(
            rng.normal(size=(30, 2)), np.arange(30)
        )
    assert caught[0].filename == __file__
    assert model.n_iter_ == len(model.history_["cost"]) == 3


def test_descriptions():
    model = ElmanClassifier(2, random_state=0, tol=0.1).fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])
    text = str(model.describe())
    assert "2 hidden units" in text
    assert "h2 before" in text
    working = model.working([0.0, 1.0])
    assert working.shares == pytest.approx(model.predict_proba([[0.0, 1.0]])[0].tolist())
    assert model.plot().get_title() == "Output weights"


def test_targets_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match="ElmanRegressor: a column of y has numbers so large"):
        ElmanRegressor(2, random_state=0).fit(np.eye(4), 1e200 * np.arange(4.0))


def test_saturated_states_are_told():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(40, 3))
    with pytest.warns(ConvergenceWarning, match="100% of the states of hidden units are saturated"):
        ElmanRegressor(3, random_state=0, tol=1e-2).fit(1e6 * rows, rows.sum(axis=1))
