"""Backpropagation by hand, the two-class problem of eight clouds, and pruning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import MLPClassifier, MLPRegressor
from hornbook.losses import CrossEntropy, RelativeEntropy, SquaredError, log_odds
from hornbook.networks import parameter_count

MEANS = np.array(
    [[(0.4, 0.9), (2, 1.8), (2.3, 2.3), (2.6, 1.8)], [(1.5, 1.0), (1.9, 1.0), (1.5, 3.0), (3.3, 2.6)]]
)
ROW = {"activation": "logistic", "loss": "squared_error", "reduction": "sum", "alpha": 0.0}


def clouds(seed=0):
    """400 rows: 50 around each of four means in each class, with variance 0.08."""
    draw = np.random.default_rng(seed)
    X = (MEANS.reshape(8, 1, 2) + np.sqrt(0.08) * draw.normal(size=(8, 50, 2))).reshape(400, 2)
    return X, np.repeat([0, 1], 200)


def fitted(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def test_costs_of_two_outputs():
    t, z = np.array([[0.2, 0.7]]), log_odds([[0.3, 0.6]])
    assert CrossEntropy().value(t, z)[0] == pytest.approx(1.158600, abs=1e-6)
    assert CrossEntropy().value(t, log_odds(t))[0] == pytest.approx(1.111267, abs=1e-6)
    assert CrossEntropy(zero_minimum=True).value(t, z)[0] == pytest.approx(0.047333, abs=1e-6)
    assert RelativeEntropy().value(t, z)[0] == pytest.approx(0.026812, abs=1e-6)
    assert CrossEntropy.well_formed
    assert not SquaredError.well_formed


def test_cross_entropy_is_minus_the_log_likelihood_of_independent_targets():
    p, t = np.array([0.9, 0.2, 0.6]), np.array([1.0, 0.0, 1.0])
    likelihood = np.prod(p**t * (1 - p) ** (1 - t))
    assert CrossEntropy().value(t[None], log_odds(p)[None])[0] == pytest.approx(-np.log(likelihood))


def test_one_step_in_pattern_mode_by_hand():
    """b = f(alpha - gamma), g = y (1 - y) (t - y), e = b (1 - b) sum w g; dw = eta g b, dtheta = -eta g."""
    x, t, eta = np.array([0.6, -0.4]), 1, 0.5
    X, y = np.array([x, [0.1, 0.2]]), np.array([t, 0])
    model = MLPClassifier(
        (2,),
        **ROW,
        solver="sgd",
        batch_size=1,
        momentum=0.0,
        shuffle=False,
        initialization="unit",
        learning_rate_init=eta,
        max_iter=1,
        random_state=0,
        penalty=None,
    )
    start = fitted(model.set_params(learning_rate_init=1e-300), X, y)
    (V, W), (a, b) = ([p.copy() for p in part] for part in (start.coefs_, start.intercepts_))
    assert (start.network_.weights >= 0).all()
    assert (start.network_.weights < 1).all()
    model.set_params(learning_rate_init=eta)
    for row, target in zip(X, y, strict=True):
        hidden = 1 / (1 + np.exp(-(row @ V + a)))
        output = 1 / (1 + np.exp(-(hidden @ W + b)))
        g = output * (1 - output) * (target - output)
        e = hidden * (1 - hidden) * (W @ g)  # with the old weights
        W, b = W + eta * np.outer(hidden, g), b + eta * g  # a threshold is minus the constant
        V, a = V + eta * np.outer(row, e), a + eta * e
    again = fitted(model, X, y)
    for mine, theirs in zip([V, W, a, b], [*again.coefs_, *again.intercepts_], strict=True):
        np.testing.assert_allclose(theirs, mine, rtol=1e-12)


def test_the_error_of_a_row_is_half_the_sum_of_squares():
    X, y = clouds()
    model = fitted(MLPClassifier((3,), **ROW, solver="lbfgs", max_iter=5, random_state=0), X, y)
    errors = 0.5 * (model.predict_proba(X)[:, 1] - y) ** 2
    assert model.loss_ == pytest.approx(errors.sum(), rel=1e-9)


def test_accumulated_errors_are_the_mean_and_change_weights_once_in_a_pass():
    X, y = clouds()
    settings = {
        "initialization": "uniform",
        "max_iter": 1,
        "random_state": 3,
        "penalty": None,
        "momentum": 0.0,
    }
    mean = MLPClassifier(
        (3,), **{**ROW, "reduction": "mean"}, solver="momentum", learning_rate_init=0.4, **settings
    )
    batch = MLPClassifier((3,), **ROW, solver="sgd", batch_size=400, learning_rate_init=0.001, **settings)
    weights = [fitted(model, X, y).network_.weights for model in (mean, batch)]
    np.testing.assert_allclose(*weights, rtol=1e-9)


@pytest.mark.parametrize(
    ("activation", "amplitude", "unit"),
    [
        ("logistic", 1.0, lambda v: 1 / (1 + np.exp(-1.5 * v))),
        ("bipolar", 1.0, lambda v: 2 / (1 + np.exp(-1.5 * v)) - 1),
        ("scaled_tanh", 2.0, lambda v: 2 * (1 - np.exp(-1.5 * v)) / (1 + np.exp(-1.5 * v))),
    ],
)
def test_sigmoid_units_have_a_slope(activation, amplitude, unit):
    X, y = clouds()
    model = MLPRegressor((3,), activation=activation, slope=1.5, amplitude=amplitude, max_iter=3)
    fitted(model.set_params(random_state=0), X, y.astype(float))
    (V, W), (a, b) = model.coefs_, model.intercepts_
    outputs = unit(X @ V + a)
    np.testing.assert_allclose(model.predict(X), (outputs @ W + b)[:, 0], rtol=1e-10)
    # A delta of the hidden layer has the derivative of its unit as a factor; that of 1 / (1 + exp(-s v)) is
    # s f (1 - f).
    hidden, output = model.working(X[0], y=1.0).to_dict()["layers"]
    v, step = (X @ V + a)[0], 1e-6
    slopes = (unit(v + step) - unit(v - step)) / (2 * step)
    if activation == "logistic":
        np.testing.assert_allclose(slopes, 1.5 * outputs[0] * (1 - outputs[0]), rtol=1e-6)
    deltas = slopes * W[:, 0] * output["rows"][0][-1]
    np.testing.assert_allclose([row[-1] for row in hidden["rows"]], deltas, rtol=1e-6)


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy", "log_loss"])
def test_outputs_at_the_minimum_are_posterior_probabilities(loss):
    """Classes N(-1, 1) and N(1, 1), equally frequent: P(second | x) = 1 / (1 + exp(-2 x))."""
    draw = np.random.default_rng(0)
    y = np.arange(4000) % 2
    X = (2.0 * y - 1 + draw.normal(size=4000))[:, None]
    settings = {"activation": "logistic", "solver": "lbfgs", "alpha": 0.0, "max_iter": 400}
    model = fitted(MLPClassifier((3,), loss=loss, random_state=0, **settings), X, y)
    grid = np.linspace(-2, 2, 41)[:, None]
    error = 0.5 / np.sqrt(400)  # of a frequency in a tenth of the rows
    posterior = 1 / (1 + np.exp(-2 * grid[:, 0]))
    np.testing.assert_allclose(model.predict_proba(grid)[:, 1], posterior, atol=3 * error)


def test_a_small_rate_is_slow_and_a_large_one_overshoots():
    X, y = clouds()
    losses = {}
    for rate in (1e-5, 1e-3, 1.0):
        settings = {"batch_size": 400, "momentum": 0.0, "max_iter": 60, "random_state": 0}
        model = MLPClassifier((3,), **ROW, solver="sgd", learning_rate_init=rate, **settings)
        losses[rate] = fitted(model, X, y).history_["loss"]
    assert np.all(np.diff(losses[1e-3]) < 0)
    quick, slow = (losses[rate][0] - losses[rate][-1] for rate in (1e-3, 1e-5))
    assert quick > 10 * slow > 0  # a step is proportional to the rate, and so is what it gains
    assert np.any(np.diff(losses[1.0]) > 0)


class TestEightClouds:
    """A network 2-3-2-1 with 20 weights; errors are near the Bayes error of 5.32 % at best."""

    LEAST = 0.0532
    NOISE = 3 * np.sqrt(LEAST * (1 - LEAST) / 400)  # of an error that is counted on 400 rows

    def errors(self, solver, starts, **options):
        X, y = clouds()
        settings = {"initialization": "uniform", "max_iter": 2000, "tol": 0.0, "n_iter_no_change": 2000}
        models = [
            fitted(MLPClassifier((3, 2), **ROW, solver=solver, random_state=s, **settings, **options), X, y)
            for s in range(starts)
        ]
        return np.array([1 - model.score(X, y) for model in models]), models

    def test_starts_end_in_different_minima_and_the_best_is_good(self):
        adaptive, models = self.errors("adaptive_momentum", 6, learning_rate_init=0.01, momentum=0.85)
        assert parameter_count([2, 3, 2, 1]) == len(models[0].network_.weights) == 20
        assert adaptive.min() <= self.LEAST + self.NOISE
        assert adaptive.max() > self.LEAST + self.NOISE  # a local minimum
        rates = models[0].history_["learning_rate"]
        factors = np.round(np.array(rates[1:]) / np.array(rates[:-1]), 6)
        assert set(factors.tolist()) <= {1.05, 0.7, 1.0}
        # Momentum ends between 16 and 37.8 %, worse than the adaptive rate at its best.
        heavy, models = self.errors("momentum", 3, learning_rate_init=0.05, momentum=0.85)
        assert adaptive.min() < heavy.min()
        assert min(model.loss_ for model in models) < 50  # half a square of 1/2 for each of 400 rows

    def test_with_the_mean_instead_of_the_sum_hardly_anything_is_learned(self):
        X, y = clouds()
        model = MLPClassifier(
            (3, 2),
            **{**ROW, "reduction": "mean"},
            solver="momentum",
            learning_rate_init=0.05,
            momentum=0.85,
            max_iter=2000,
            tol=0.0,
            n_iter_no_change=2000,
            initialization="uniform",
            random_state=0,
        )
        assert 400 * fitted(model, X, y).loss_ == pytest.approx(50, rel=0.05)  # as if all outputs were 1/2

    def test_restarts_find_the_best_of_them(self):
        X, y = clouds()
        model = MLPClassifier(
            (3, 2),
            **ROW,
            solver="adaptive_momentum",
            learning_rate_init=0.01,
            momentum=0.85,
            max_iter=2000,
            tol=0.0,
            n_iter_no_change=2000,
            initialization="uniform",
            random_state=0,
            restarts=5,
        )
        last = fitted(model, X, y).history_["loss"][1999::2000]
        assert len(last) == 6
        assert len(set(np.round(last, 1))) > 1
        assert model.loss_ == min(last)
        outputs = model.predict_proba(X)[:, 1]
        assert model.loss_ == pytest.approx(0.5 * np.square(outputs - y).sum(), rel=1e-9)


def test_a_network_of_501_weights_is_pruned_without_loss_of_accuracy():
    X, y = clouds()
    settings = {"activation": "tanh", "loss": "cross_entropy", "solver": "rprop", "learning_rate_init": 0.02}
    model = fitted(MLPClassifier((20, 20), max_iter=300, random_state=0, **settings), X, y)
    assert len(model.network_.weights) == parameter_count([2, 20, 20, 1]) == 501
    before, weights = model.score(X, y), model.network_
    removed = []
    for tolerance in (0.0, 0.05):
        model.network_ = weights
        model.prune(X, y, "small", share=0.3, rounds=12, max_iter=100, tolerance=tolerance)
        assert model.score(X, y) >= before - tolerance
        removed.append(int((model.network_.mask == 0).sum()))
    assert 0 < removed[0] <= removed[1]


def test_saliency_is_the_rise_of_the_cost_near_a_minimum():
    """s = h w² / 2 for a removed weight; exact for a quadratic cost."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(50, 3))
    y = np.where(X @ [1.0, -0.5, 0.2] > 0, 1, 0)
    model = MLPClassifier(
        (),
        loss="squared_error",
        out_activation="identity",
        solver="newton",
        alpha=0.0,
        tol=1e-9,
        random_state=0,
    ).fit(X, y)
    table = model.saliencies(X, y)
    assert table.head == ["from", "to", "weight", "saliency"]
    sizes = [row[3] for row in table.rows]
    assert sizes == sorted(sizes)

    def cost(coef):  # half the mean squared error, of which a linear model is a quadratic function
        return 0.5 * np.square(X @ coef + model.intercepts_[0][0] - y).mean()

    coef = model.coefs_[0][:, 0]
    for name, _, weight, saliency in table.rows:
        i = model.encoded_names_.tolist().index(name)
        assert weight == coef[i]
        assert cost(coef * (np.arange(3) != i)) - cost(coef) == pytest.approx(saliency, rel=1e-5)


def test_an_overtrained_network_errs_more_on_other_rows():
    X, y = clouds()
    flipped = np.where(np.random.default_rng(1).random(400) < 0.2, 1 - y, y)
    settings = {
        "activation": "tanh",
        "solver": "rprop",
        "learning_rate_init": 0.02,
        "alpha": 0.0,
        "random_state": 0,
    }
    model = fitted(
        MLPClassifier(
            (30,),
            max_iter=600,
            early_stopping=True,
            validation_fraction=0.4,
            n_iter_no_change=600,
            tol=0.0,
            **settings,
        ),
        X,
        flipped,
    )
    training, other = model.history_["loss"], model.history_["validation_loss"]
    assert training[-1] < training[50] < training[0]
    # While the loss of the training rows falls on, that of the others rises after its minimum.
    best = int(np.argmin(other))
    assert 0 < best < 599
    assert training[-1] < training[best]
    assert other[-1] > other[best]
    assert np.mean(other[-50:]) > np.mean(other[max(best - 25, 0) : best + 25])


def test_images_become_directions():
    """30 x 32 pixels, four directions: a road as a bright stripe."""
    draw = np.random.default_rng(0)
    direction = draw.integers(0, 4, 200)
    pixels = np.arange(32) + 0.0
    images = np.exp(-((pixels - 4 - 8 * direction[:, None, None]) ** 2) / 8) * np.ones((1, 30, 1))
    images += 0.3 * draw.normal(size=(200, 30, 32))
    model = fitted(
        MLPClassifier((4,), activation="logistic", max_iter=60, learning_rate_init=0.02, random_state=0),
        images.reshape(200, 960),
        direction,
    )
    assert [W.shape for W in model.coefs_] == [(960, 4), (4, 4)]
    assert model.score(images.reshape(200, 960), direction) == 1.0
