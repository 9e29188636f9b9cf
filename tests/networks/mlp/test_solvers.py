"""Every solver trains, and does what its rule says."""

from __future__ import annotations

import warnings
from itertools import islice

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import fisher_exact
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.neural_network import MLPClassifier as Peer

from hornbook import Blocks, Frame, MLPClassifier, MLPRegressor, datasets
from hornbook.networks import WeightPenalty
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._objective import Decay, Objective
from hornbook.networks.mlp._targets import class_targets
from hornbook.networks.mlp._training import options_of
from hornbook.networks.mlp.solvers._solvers import SOLVERS
from hornbook.random import Stream

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float), np.array([0, 1, 1, 0])


def quiet(model, X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, **more)


def iris():
    table = datasets.iris()
    X = table.features.numbers
    return (X - X.mean(axis=0)) / X.std(axis=0), table.y


def objective(solver="rprop", **more):
    """The objective of the iris table, a start, and the options of a solver."""
    X, y = iris()
    blocks = Blocks(Frame(X), n_jobs=1).map(
        lambda block: block.__class__(block.X.numbers, np.searchsorted(np.unique(y), y))
    )
    blocks = blocks.map(lambda block: class_targets(block, 3, 0.0, 1.0))
    network = Network.blank((4, 3, 3), "tanh", "logistic", "cross_entropy", 1.0, 1.0)
    network = network.with_weights(np.random.default_rng(0).normal(size=len(network.weights)) / 2)
    learner = MLPClassifier(solver=solver, learning_rate_init=0.05, **more)
    return (
        Objective(blocks, network, Decay(None, 0.0, 1.0, mean=True), 150.0),
        network.weights,
        options_of(learner, network, 150, 0, 0),
    )


RATES = {
    "adam": 0.05,
    "sgd": 0.2,
    "momentum": 0.2,
    "adaptive": 0.5,
    "adaptive_momentum": 0.2,
    "quickprop": 0.5,
    "delta_delta": 2.0,
    "delta_bar_delta": 1.0,
    "rprop": 0.05,
}


LENGTHS = {"genetic": 40, "newton": 30}


SEEDS = range(3)


def standard_error(accuracy, n):
    return np.sqrt(accuracy * (1 - accuracy) / n)


@pytest.fixture(scope="module")
def peer_accuracy():
    """Median accuracy of scikit-learn's Adam with the same layers, rate and epochs as ours."""
    X, y = iris()
    settings = {"activation": "tanh", "learning_rate_init": RATES["adam"], "max_iter": 150}
    return np.median([quiet(Peer((4,), random_state=s, **settings), X, y).score(X, y) for s in SEEDS])


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_every_solver_learns_iris_as_well_as_scikit_learn(solver, peer_accuracy):
    X, y = iris()
    settings = {"learning_rate_init": RATES.get(solver, 0.01), "max_iter": LENGTHS.get(solver, 150)}
    settings |= {"activation": "tanh", "loss": "cross_entropy", "solver": solver}
    models = [quiet(MLPClassifier((4,), random_state=seed, **settings), X, y) for seed in SEEDS]
    # Equal up to three standard errors of an accuracy that is measured on 150 rows.
    limit = peer_accuracy - 3 * standard_error(peer_accuracy, 150)
    assert np.median([model.score(X, y) for model in models]) >= limit
    # Three outputs that know nothing but the frequency of their class cost 3 entropies of a third.
    ignorance = -np.log(1 / 3) - 2 * np.log(2 / 3)
    assert max(model.loss_ for model in models) < ignorance
    again = quiet(MLPClassifier((4,), n_jobs=1, random_state=0, **settings), X, y)
    np.testing.assert_array_equal(models[0].network_.weights, again.network_.weights)


@pytest.mark.slow
def test_lbfgs_is_stuck_no_more_often_than_that_of_scikit_learn():
    # Without scaling, all of four rectified units may be 0 for all rows of a class: then nothing moves them.
    table = datasets.iris()
    X, y, stuck = table.features.numbers, table.y, {}
    for learner in (MLPClassifier, Peer):
        scores = []
        for seed in range(20):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scores.append(learner((4,), solver="lbfgs", random_state=seed).fit(X, y).score(X, y))
        stuck[learner] = int(np.sum(np.array(scores) < 0.7))  # two classes are one, or all are
        assert np.median(scores) >= 0.95
    table = [[stuck[learner], 20 - stuck[learner]] for learner in (MLPClassifier, Peer)]
    assert fisher_exact(table, alternative="greater").pvalue > 0.05


def test_momentum_is_heavy_ball():
    problem, x, options = objective("momentum", momentum=0.6)
    steps, change = SOLVERS["momentum"](problem, x, options), np.zeros_like(x)
    for step in islice(steps, 5):
        change = 0.6 * change - 0.05 * problem.first(x)[1]
        x = x + change
        np.testing.assert_allclose(step.weights, x, rtol=1e-12, atol=1e-14)
        assert step.loss == problem.value(x)


@pytest.mark.parametrize(("solver", "keep"), [("adaptive", 0.0), ("adaptive_momentum", 0.85)])
def test_adaptive_rates_follow_the_ratio_of_losses(solver, keep):
    problem, x, options = objective(
        solver, momentum=0.85, rate_increase=1.3, rate_decrease=0.4, rate_tolerance=1.02
    )
    options.rate = rate = 3.0
    change, value, ratios = np.zeros_like(x), problem.value(x), []
    for step in islice(SOLVERS[solver](problem, x, options), 25):
        assert step.rate == pytest.approx(rate)
        change = keep * change - rate * problem.first(x)[1]
        x = x + change
        ratio, value = problem.value(x) / value, problem.value(x)
        rate *= 1.3 if ratio < 1 else 0.4 if ratio > 1.02 else 1.0
        ratios.append(ratio)
        np.testing.assert_allclose(step.weights, x, rtol=1e-9)
    assert min(ratios) < 1 < max(ratios)


def test_delta_bar_delta_by_hand():
    problem, x, options = objective("delta_bar_delta")
    rates, mean, gradient = np.full_like(x, 0.05), np.zeros_like(x), problem.first(x)[1]
    for step in islice(SOLVERS["delta_bar_delta"](problem, x, options), 12):
        x = x - rates * gradient
        mean = 0.3 * gradient + 0.7 * mean
        gradient = problem.first(x)[1]
        np.testing.assert_allclose(step.weights, x, rtol=1e-10, atol=1e-13)
        grows, shrinks = mean * gradient > 0, mean * gradient < 0
        rates = rates + 0.05 * 0.05 * grows - 0.3 * rates * shrinks


def test_delta_delta_by_hand():
    problem, x, options = objective("delta_delta")
    rates, gradient = np.full_like(x, 0.05), problem.first(x)[1]
    for step in islice(SOLVERS["delta_delta"](problem, x, options), 8):
        x = x - rates * gradient
        after = problem.first(x)[1]
        np.testing.assert_allclose(step.weights, x, rtol=1e-10, atol=1e-13)
        rates, gradient = np.maximum(rates + 0.0025 * gradient * after, 0), after


def test_rprop_steps_go_by_signs():
    problem, x, options = objective("rprop")
    sizes = []
    for step in islice(SOLVERS["rprop"](problem, x, options), 4):
        sizes.append(np.abs(step.weights - x))
        x = step.weights
    np.testing.assert_allclose(sizes[0], 0.05)
    assert set(np.round(sizes[1], 9)) <= {0.06, 0.0}
    assert set(np.round(sizes[2], 9)) <= {0.072, 0.06, 0.03, 0.025, 0.0}


def test_quickprop_finds_the_minimum_of_a_parabola_in_two_steps():
    class Parabola:
        def first(self, x):
            return float(((x - 3.0) ** 2).sum()), 2.0 * (x - 3.0)

    _, _, options = objective("quickprop")
    options.rate = 0.2
    steps = SOLVERS["quickprop"](Parabola(), np.zeros(2), options)
    first, second = islice(steps, 2)
    np.testing.assert_allclose(first.weights, 1.2)
    # The parabola's minimum, and a step of gradient descent that is added while the slope keeps its sign.
    np.testing.assert_allclose(second.weights, 3.0 + 0.2 * 2 * 1.8)


def test_second_order_methods_need_few_steps():
    X, y = iris()
    # Softmax regression is convex: all end at the minimum that scikit-learn finds, up to a constant.
    peer = LogisticRegression(C=10.0, tol=1e-10, max_iter=5000).fit(X, y)
    steps = {}
    for solver in ("newton", "levenberg_marquardt", "lbfgs", "conjugate_gradient"):
        model = MLPClassifier((), solver=solver, alpha=0.1, tol=1e-7, max_iter=5000, random_state=0)
        steps[solver] = model.fit(X, y).n_iter_
        np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    few = max(steps["newton"], steps["levenberg_marquardt"])
    assert few < min(steps["lbfgs"], steps["conjugate_gradient"])


def test_newton_and_levenberg_marquardt_solve_least_squares_in_one_step():
    X, _ = iris()
    y = X @ [1.0, -2.0, 0.5, 3.0] + np.sin(9 * X[:, 0])
    A = np.column_stack([X, np.ones(150)])
    best = np.linalg.lstsq(A, y)[0]
    for solver, damping in (("newton", 0.0), ("levenberg_marquardt", 1e-3)):
        settings = {"solver": solver, "alpha": 0.0, "random_state": 0, "tol": 0.0}
        start = quiet(
            MLPRegressor((), **{**settings, "solver": "momentum"}, learning_rate_init=1e-300, max_iter=1),
            X,
            y,
        ).network_.weights
        model = quiet(MLPRegressor((), **settings, max_iter=1), X, y)
        # (A'A / n + m I) d = -gradient, from the same start; with m = 0 the minimum itself.
        matrix = A.T @ A / 150
        matrix = matrix + damping * np.diag(matrix).max() * np.eye(5)
        step = np.linalg.solve(matrix, A.T @ (y - A @ start) / 150)
        np.testing.assert_allclose(model.network_.weights, start + step, rtol=1e-6, atol=1e-8)
        if not damping:
            np.testing.assert_allclose(model.network_.weights, best, rtol=1e-6, atol=1e-8)


def test_damping_grows_where_rounding_has_made_the_matrix_indefinite():
    class Valley:
        """(x0² + x1²) / 2, whose matrix is off by 3 in one entry."""

        network = Network.blank((1, 1), "identity", "identity", "squared_error", 1.0, 1.0)

        def value(self, x):
            return 0.5 * float(x @ x)

        def curvature(self, x):
            return self.value(x), x, np.diag([1.0, -2.0])

    _, _, options = objective("levenberg_marquardt")
    start = np.array([3.0, 4.0])
    (step,) = islice(SOLVERS["levenberg_marquardt"](Valley(), start, options), 1)
    np.testing.assert_allclose(step.weights, start - start / [11.0, 8.0])  # damping 10, the first above 2


def test_conjugate_gradients_follow_polak_and_ribiere():
    problem, x, options = objective("conjugate_gradient")
    gradient = problem.first(x)[1]
    direction = -gradient
    for step in islice(SOLVERS["conjugate_gradient"](problem, x, options), 12):
        moved = step.weights - x
        length = np.linalg.norm(moved) / np.linalg.norm(direction)
        np.testing.assert_allclose(moved, length * direction, rtol=1e-6, atol=1e-12)
        assert step.loss <= problem.value(x) + 1e-4 * length * (gradient @ direction)
        x, before, gradient = step.weights, gradient, problem.first(step.weights)[1]
        bend = max(gradient @ (gradient - before) / (before @ before), 0.0)
        direction = -gradient + bend * direction
        if gradient @ direction >= 0:  # no way down
            direction = -gradient


def test_annealing_accepts_by_the_rule_of_metropolis():
    problem, start, options = objective("annealing", initial_temperature=0.4, cooling=0.5)
    draws = Stream(options.seed, 3, options.start)
    x, value, size = start, problem.value(start), 0.5
    seen, temperature, uphill = [(value, x)], 0.4 * abs(problem.value(start)), 0
    for step in islice(SOLVERS["annealing"](problem, start, options), 6):
        accepted = 0
        for _ in range(50):
            trial = x + size * ndtri(draws.uniform(len(x)) * (1 - 2**-53) + 2**-54)
            rise, chance = problem.value(trial) - value, draws.uniform(1)[0]
            if chance < np.exp(-max(rise, 0.0) / temperature):
                uphill += rise > 0
                x, value, accepted = trial, problem.value(trial), accepted + 1
                seen.append((value, x))
        size *= np.exp((accepted / 50 - 0.3) / 2)
        temperature *= 0.5
        loss, weights = min(seen, key=lambda pair: pair[0])
        assert step.loss == loss
        np.testing.assert_array_equal(step.weights, weights)
    assert uphill > 0
    # Without temperature nothing that is worse is accepted: another path.
    cold = objective("annealing", initial_temperature=0.0)
    (first,) = islice(SOLVERS["annealing"](*cold), 1)
    (warm,) = islice(SOLVERS["annealing"](problem, start, options), 1)
    assert (first.weights != warm.weights).any()


def test_generations_keep_the_best_and_cross_the_others():
    values = []
    problem, start, options = objective("genetic", population_size=12, mutation_rate=0.0)

    class Counted:
        network = problem.network

        def value(self, x):
            values.append((problem.value(x), x))
            return values[-1][0]

    losses = []
    for step in islice(SOLVERS["genetic"](Counted(), start, options), 8):
        losses.append(step.loss)
        assert step.loss == min(values, key=lambda pair: pair[0])[0]
        np.testing.assert_array_equal(step.weights, min(values, key=lambda pair: pair[0])[1])
    assert losses == sorted(losses, reverse=True)
    # Twelve members at first, and ten children in each generation: two survive.
    assert len(values) == 12 + 8 * 10
    first = np.array([x for _, x in values[:12]])
    np.testing.assert_array_equal(first[0], start)
    # Without mutations every weight of a child is that of some member of the first population.
    for _, child in values[12:]:
        assert (first == child).any(axis=0).all()
    mutated = objective("genetic", population_size=12, mutation_rate=1.0)
    other = list(islice(SOLVERS["genetic"](*mutated), 2))[-1].weights
    assert not (first == other).any()


def test_the_kalman_filter_by_hand():
    """P + drift with each row; then for each output K = P h / (h'Ph + r), w + K e, P - K h'P."""
    X, y = iris()
    settings = {"initial_variance": 3.0, "observation_noise": 0.4, "shuffle": False}
    settings |= {"alpha": 0.0, "random_state": 0, "loss": "squared_error", "activation": "tanh"}
    model = MLPClassifier((3,), solver="kalman", max_iter=1, **settings)
    start = MLPClassifier((3,), solver="momentum", learning_rate_init=1e-300, max_iter=1, **settings)
    network = quiet(start, X, y).network_
    w, P, targets = network.weights.copy(), 3.0 * np.eye(len(network.weights)), np.eye(3)
    for x, label in zip(X, np.unique(y, return_inverse=True)[1], strict=True):
        P += 1e-6 * np.eye(len(w))
        for j, t in enumerate(targets[label]):
            net, jacobian = network.with_weights(w).jacobian(x[None])
            out = 1 / (1 + np.exp(-net[0, j]))
            h = out * (1 - out) * jacobian[j]
            gain = P @ h / (h @ P @ h + 0.4)
            w, P = w + gain * (t - out), P - np.outer(gain, h @ P)
    np.testing.assert_allclose(quiet(model, X, y).network_.weights, w, rtol=1e-6, atol=1e-8)


def test_gauss_newton_is_the_hessian_of_a_linear_model():
    X, y = iris()
    for options in ({"loss": "cross_entropy"}, {"loss": "log_loss"}):
        model = quiet(MLPClassifier((), solver="lbfgs", max_iter=3, random_state=0, **options), X, y)
        blocks = model._rows_to_train_on(X, y, None)
        problem = Objective(blocks, model.network_, Decay("l2", 0.3, 1.0, mean=True), 150.0)
        x = model.network_.weights
        value, gradient, matrix = problem.curvature(x)
        np.testing.assert_allclose(matrix, problem.hessian(x), atol=1e-7)
        assert (value, gradient.tolist()) == (problem.first(x)[0], problem.first(x)[1].tolist())
        np.testing.assert_allclose(problem.diagonal(x), np.diag(matrix), atol=1e-7)


def test_adam_and_sgd_follow_scikit_learn_from_the_same_weights():
    X, y = iris()
    for solver, options in (
        ("adam", {}),
        ("sgd", {"learning_rate_init": 0.1}),
        ("sgd", {"momentum": 0.5, "nesterovs_momentum": False}),
        ("sgd", {"learning_rate": "invscaling", "learning_rate_init": 0.3, "momentum": 0.0}),
    ):
        shared = {
            "hidden_layer_sizes": (5,),
            "solver": solver,
            "batch_size": 40,
            "shuffle": False,
            "alpha": 0.1,
            "max_iter": 12,
            "random_state": 0,
            **options,
        }
        peer = Peer(**shared)
        ours = quiet(MLPClassifier(**{**shared, "max_iter": 1}), X, y)
        # Both are given the same weights by a warm start.
        quiet(peer.set_params(max_iter=1), X, y)
        peer.set_params(max_iter=12, warm_start=True)
        peer.t_ = 0  # which it would go on counting
        start = [W.copy() for W in peer.coefs_], [b.copy() for b in peer.intercepts_]
        ours.network_ = ours.network_.with_weights(
            np.concatenate([part.ravel() for pair in zip(*start, strict=True) for part in pair])
        )
        quiet(ours.set_params(max_iter=12, warm_start=True), X, y)
        quiet(peer, X, y)
        np.testing.assert_allclose(ours.loss_curve_, peer.loss_curve_[-12:], rtol=1e-9)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-8, atol=1e-12)


def test_without_a_hidden_layer_it_is_a_generalized_linear_model():
    X, _ = iris()
    y = np.round(np.exp(0.5 * X[:, 0]) * 2)
    shared = {"hidden_layer_sizes": (), "solver": "newton", "alpha": 0.0, "tol": 1e-8, "random_state": 0}
    counts = MLPRegressor(loss="poisson", **shared).fit(X, y)
    peer = PoissonRegressor(alpha=0.0, tol=1e-9, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(counts.predict(X), peer.predict(X), rtol=1e-4)
    numbers = MLPRegressor(**shared).fit(X, y)
    np.testing.assert_allclose(
        numbers.predict(X), LinearRegression().fit(X, y).predict(X), rtol=1e-6, atol=1e-6
    )


class Fourth(WeightPenalty):
    def value(self, w):
        return 0.5 * w**2

    def gradient(self, w):
        return w


@pytest.mark.parametrize("solver", ["adam", "sgd", "rprop"])
def test_a_penalty_of_ones_own_is_used_in_every_solver(solver):
    X, y = iris()
    settings = {
        "solver": solver,
        "alpha": 2.0,
        "max_iter": 5,
        "random_state": 0,
        "batch_size": 50 if solver != "rprop" else "auto",
    }
    named = quiet(MLPClassifier((3,), penalty="l2", **settings), X, y)
    own = quiet(MLPClassifier((3,), penalty=Fourth(), **settings), X, y)
    np.testing.assert_allclose(own.network_.weights, named.network_.weights, rtol=1e-9)
    assert own.loss_ == pytest.approx(named.loss_)
