"""The kernels of networks against their twin, finite differences and each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import perceptron_network as oracle

from hornbook import _native
from hornbook.networks.mlp._checks import UNITS_OF
from hornbook.networks.mlp._network import Network

HIDDEN = ("identity", "logistic", "bipolar", "tanh", "scaled_tanh", "relu")
PAIRS = [(cost, output) for cost, outputs in UNITS_OF.items() for output in outputs]
every_pair = pytest.mark.parametrize(("cost", "output"), PAIRS)


def problem(seed, hidden, cost, output, sizes=(3, 4, 2, 3), n=7, slope=1.3, amplitude=1.7):
    draw = np.random.default_rng(seed)
    network = Network.blank(sizes, hidden, output, cost, slope, amplitude)
    network = network.with_weights(draw.normal(size=len(network.weights)))
    X, w = draw.normal(size=(n, sizes[0])), draw.integers(0, 3, n).astype(float)
    targets = draw.random((n, sizes[-1]))
    if output == "softmax":
        targets = np.eye(sizes[-1])[draw.integers(0, sizes[-1], n)]
    return network, X, targets, w


@every_pair
@pytest.mark.parametrize("hidden", HIDDEN)
def test_gradients_are_finite_differences_and_those_of_the_twin(hidden, cost, output):
    sizes = (3, 4, 2, 1) if cost == "log_loss" and output == "logistic" else (3, 4, 2, 3)
    network, X, targets, w = problem(1, hidden, cost, output, sizes)
    value, gradient = network.sums(X, targets, w)
    expected, twin = oracle.gradient(network, X, targets, w)
    assert value == pytest.approx(expected, rel=1e-11, abs=1e-11)
    np.testing.assert_allclose(gradient, twin, rtol=1e-9, atol=1e-11)
    step = 1e-6
    for i in range(len(gradient)):
        moved = np.eye(len(gradient))[i] * step
        above = network.with_weights(network.weights + moved).sums(X, targets, w)[0]
        below = network.with_weights(network.weights - moved).sums(X, targets, w)[0]
        assert gradient[i] == pytest.approx((above - below) / (2 * step), abs=2e-7 * max(1.0, abs(value)))


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 40), min_size=2, max_size=4),
    st.integers(1, 300),
    st.sampled_from(HIDDEN),
    st.sampled_from(PAIRS),
)
def test_any_network_against_its_twin(seed, sizes, n, hidden, pair):
    network, X, targets, w = problem(seed, hidden, *pair, tuple(sizes), n, 0.5, 1.0)
    value, gradient = network.sums(X, targets, w)
    expected, twin = oracle.gradient(network, X, targets, w)
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(gradient, twin, rtol=1e-7, atol=1e-8 * max(1.0, np.abs(twin).max()))
    outputs, net, _ = oracle.passes(network, X)
    np.testing.assert_allclose(network.outputs(X, 2), outputs[-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(network.net(X), net, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sizes", [(500, 150, 3), (257, 129, 241), (784, 128, 10), (209, 47, 9)])
def test_large_layers_against_the_twin(sizes):
    """Products are cut into tiles, and layers into parts, whose edges must not show."""
    network, X, targets, _ = problem(4, "tanh", "squared_error", "identity", sizes, 133, 1.0, 1.0)
    network = network.with_weights(0.05 * network.weights)
    w = np.ones(133)
    value, gradient = network.sums(X, targets, w)
    expected, twin = oracle.gradient(network, X, targets, w)
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradient, twin, rtol=1e-10, atol=1e-11 * np.abs(twin).max())
    (theta, _, _), _ = epoch(network, X, targets, w, np.arange(133), batch=133, rate=1e-4, keep=0.0)
    np.testing.assert_allclose(theta, network.weights - 1e-4 * twin / 133, rtol=1e-10, atol=1e-11)
    (rough, _, _), _ = epoch(
        network, X, targets, w, np.arange(133), batch=133, rate=1.0, keep=0.0, single=True
    )
    change = twin / 133
    np.testing.assert_allclose(rough, network.weights - change, atol=2e-6 * (1.0 + np.abs(change).max()))


@pytest.mark.parametrize("outputs", [1, 7, 8, 15, 16, 17, 33])
def test_every_edge_of_a_tile(outputs):
    for rows in (1, 3, 4, 11, 12, 13, 27):
        network, X, targets, w = problem(3, "tanh", "squared_error", "identity", (300, outputs, 2), rows)
        network = network.with_weights(0.05 * network.weights)
        value, gradient = network.sums(X, targets, w)
        expected, twin = oracle.gradient(network, X, targets, w)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-11)
        np.testing.assert_allclose(gradient, twin, rtol=1e-9, atol=1e-11 * max(1.0, np.abs(twin).max()))


@pytest.mark.parametrize("hidden", HIDDEN)
def test_jacobians_are_finite_differences(hidden):
    network, X, _, _ = problem(2, hidden, "squared_error", "logistic")
    net, jacobian = network.jacobian(X)
    np.testing.assert_allclose(net, network.net(X), rtol=1e-12, atol=1e-12)
    step = 1e-6
    for i in range(len(network.weights)):
        moved = np.eye(len(network.weights))[i] * step
        above = network.with_weights(network.weights + moved).net(X)
        below = network.with_weights(network.weights - moved).net(X)
        np.testing.assert_allclose(jacobian[:, i], (above - below).ravel() / (2 * step), atol=1e-7)


NUMBERS = {
    "rate": 0.1,
    "keep": 0.9,
    "beta": 0.99,
    "epsilon": 1e-8,
    "alpha": 0.0,
    "width": 0.8,
    "dropout": 0.0,
}


def epoch(network, X, targets, w, order, *, batch=3, steps=0, rule=0, penalty=0, **other):
    options = (
        {"single": False, "threads": 1, "mask": None, "state": None, "before": (0.0, 0.0)} | NUMBERS | other
    )
    single, threads, mask = options["single"], options["threads"], options["mask"]
    state, before = options["state"], options["before"]
    n = len(network.weights)
    theta, first, second = state or (network.weights.copy(), np.zeros(n), np.zeros(n))
    counts = np.array([rule, penalty, 1, batch, steps, 5])
    rates = np.array([*(options[name] for name in NUMBERS), *before])
    *sums, path, steps = _native.network_epochs(
        X,
        targets,
        w,
        np.atleast_2d(order),
        *network.structure,
        counts,
        rates,
        theta,
        first,
        second,
        mask,
        single,
        threads,
    )
    np.testing.assert_array_equal(path[-1], theta)
    return (theta, first, second), (*(part.tolist()[-1] for part in sums), steps)


@pytest.mark.parametrize("single", [False, True])
def test_threads_and_calls_do_not_matter(single):
    sizes = (300, 140, 90, 3)
    network, X, targets, w = problem(3, "relu", "log_loss", "softmax", sizes, 500, 1.0, 1.0)
    network = network.with_weights(0.05 * network.weights)
    order = np.random.default_rng(0).permutation(500)
    options = {
        "rule": 3,
        "penalty": 1,
        "batch": 130,
        "alpha": 0.1,
        "rate": 0.01,
        "dropout": 0.2,
        "single": single,
    }
    one, sums = epoch(network, X, targets, w, order, **options)
    two, again = epoch(network, X, targets, w, order, threads=3, **options)
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)
    assert sums == again
    state, (value, mass, steps) = epoch(network, X, targets, w, order[:260], **options)
    go_on = {"state": state, "steps": steps, "before": (value, mass)}
    state, all_sums = epoch(network, X, targets, w, order[260:], **go_on, **options)
    np.testing.assert_array_equal(one[0], state[0])
    assert all_sums == sums


def test_single_precision_is_near_double():
    network, X, targets, w = problem(3, "tanh", "squared_error", "identity", (5, 30, 2), 200, 1.0, 1.0)
    order = np.arange(200)
    double, _ = epoch(network, X, targets, w, order, rule=3, rate=0.001, batch=20)
    single, _ = epoch(network, X, targets, w, order, rule=3, rate=0.001, batch=20, single=True)
    assert 0 < np.abs(double[0] - single[0]).max() < 1e-4


def test_the_loss_of_plain_gradient_descent_follows_the_twin():
    network, X, targets, _ = problem(4, "logistic", "squared_error", "logistic", (3, 5, 2), 40, 1.0, 1.0)
    theta, losses, expected = network.weights, [], []
    state = None
    for _ in range(30):
        value, gradient = oracle.gradient(network.with_weights(theta), X, targets)
        expected.append(value / 40)
        theta = theta - 0.5 * gradient / 40
        state, (total, mass, _) = epoch(
            network, X, targets, None, np.arange(40), rate=0.5, batch=40, state=state
        )
        losses.append(total / mass)
    np.testing.assert_allclose(losses, expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(state[0], theta, rtol=0, atol=1e-10)


def penalties(kind, w, width):
    """Penalty of each weight, and its derivative: none, w² / 2, w² / (w0² + w²), w² of the trade-off."""
    return {
        0: (0 * w, 0 * w),
        1: (0.5 * w**2, w),
        2: (w**2 / (width**2 + w**2), 2 * w * width**2 / (width**2 + w**2) ** 2),
        3: (w**2, 2 * w),
    }[kind]


def patterns(network, X, targets, w, order, rule, penalty, alpha, mask):
    """One pass, row by row: the weights after it, and the sum of the objectives."""
    theta, total = network.weights.copy(), 0.0
    first, second, step = np.zeros_like(theta), np.zeros_like(theta), 0
    rate, keep, beta, epsilon, width = (NUMBERS[k] for k in ("rate", "keep", "beta", "epsilon", "width"))
    marks = np.ones(len(theta)) if penalty == 3 else network.penalized()
    for i in order:
        if w[i] == 0:
            continue
        cost, gradient = oracle.gradient(network.with_weights(theta), X[[i]], targets[[i]], w[[i]])
        value, slope = penalties(penalty, theta, width)
        kept, decay = ((1 - alpha) / w[i], alpha) if penalty == 3 else (1 / w[i], alpha / w[i])
        total += w[i] * (kept * cost + decay * (value * marks).sum())
        g, step = mask * (kept * gradient + decay * slope * marks), step + 1
        if rule == 3:
            first, second = keep * first + (1 - keep) * g, beta * second + (1 - beta) * g**2
            fitted = rate * np.sqrt(1 - beta**step) / (1 - keep**step)
            theta = theta - fitted * first / (np.sqrt(second) + epsilon)
        else:
            first = (keep if rule else 0.0) * first - rate * g
            theta = theta + (keep * first - rate * g if rule == 2 else first)
    return theta, total


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.sampled_from(HIDDEN),
    st.sampled_from(PAIRS),
    st.integers(0, 3),
    st.integers(0, 3),
    st.booleans(),
)
def test_rows_one_by_one_follow_the_twin(seed, sizes, hidden, pair, rule, penalty, masked):
    network, X, targets, w = problem(seed, hidden, *pair, tuple(sizes), 12, 0.5, 1.0)
    network = network.with_weights(0.3 * network.weights)
    mask = np.random.default_rng(seed).integers(0, 2, len(network.weights)) if masked else None
    if masked:
        network = network.with_weights(network.weights * mask)
    given_mask = None if mask is None else mask.astype(np.uint8)
    order = np.random.default_rng(seed + 1).permutation(12)
    expected, total = patterns(
        network, X, targets, w, order, rule, penalty, 0.1, 1.0 if mask is None else mask
    )
    (theta, _, _), (value, mass, steps) = epoch(
        network, X, targets, w, order, batch=1, rule=rule, penalty=penalty, alpha=0.1, mask=given_mask
    )
    assert (mass, steps) == (w.sum(), (w > 0).sum())
    assert value == pytest.approx(total, rel=1e-10, abs=1e-10)
    np.testing.assert_allclose(theta, expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("batch", [1, 3])
def test_passes_may_be_cut_into_calls_anywhere(batch):
    network, X, targets, w = problem(3, "tanh", "cross_entropy", "logistic", (3, 6, 2), 20)
    draw = np.random.default_rng(0)
    orders = np.stack([draw.permutation(20) for _ in range(7)])
    together, sums = epoch(network, X, targets, w, orders, rule=3, penalty=1, alpha=0.1, batch=batch)
    state, steps = None, 0
    for some in (orders[:1], orders[1:5], orders[5:]):
        state, again = epoch(
            network, X, targets, w, some, rule=3, penalty=1, alpha=0.1, batch=batch, state=state, steps=steps
        )
        steps = again[2]
    assert sums == again
    for one, other in zip(together, state, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("batch", [1, 4])
def test_what_is_no_longer_finite_stops_all_passes(batch):
    network, X, targets, _ = problem(3, "identity", "squared_error", "identity", (3, 2, 1), 20)
    orders, steps = np.tile(np.arange(20), (40, 1)), np.zeros(0)
    theta, first, second = network.weights.copy(), np.zeros(11), np.zeros(11)
    counts, rates = np.array([0, 0, 1, batch, 0, 5]), np.array([9.0, 0, 0, 0, 0, 1, 0, 0, 0])
    values, _, path, steps = _native.network_epochs(
        X, targets, None, orders, *network.structure, counts, rates, theta, first, second, None, False, 1
    )
    assert not np.isfinite(values[-1])
    assert steps < 40 * 20 / batch
    lost = int(np.argmax(~np.isfinite(values)))
    np.testing.assert_array_equal(path[lost], path[-1])


def test_units_are_those_of_the_textbook_to_the_last_digits():
    # All magnitudes, where formulas cancel or overflow; NaN stays NaN.
    v = np.concatenate([[0.0, -0.0, np.nan, 700.0, -700.0, 0.5, -0.5], np.geomspace(1e-300, 1e3, 399)])
    v = np.concatenate([v, -v])[:, None]
    for unit, expected in (("tanh", np.tanh(v)), ("logistic", 1 / (1 + np.exp(-np.clip(v, -709, None))))):
        network = Network.blank((1, 1), unit, unit, "squared_error", 1.0, 1.0)
        outputs = network.with_weights(np.array([1.0, 0.0])).outputs(v)
        np.testing.assert_allclose(outputs, expected, rtol=8e-16, atol=1e-307)


def test_dropped_units_are_a_share_and_scaled():
    # One linear hidden layer with weights of 1: the output is the share of units that stay, scaled.
    network = Network.blank((1, 2000, 1), "identity", "identity", "squared_error", 1.0, 1.0)
    weights = np.concatenate([np.ones(2000), np.zeros(2000), np.full(2000, 1 / 2000), np.zeros(1)])
    network = network.with_weights(weights)
    X, targets = np.ones((1, 1)), np.ones((1, 1))
    (theta, _, _), (cost, _, _) = epoch(network, X, targets, None, np.arange(1), dropout=0.25, rate=1.0)
    assert 0 < cost < 0.5 * 0.1**2  # about 1, but not exactly
    moved = np.abs(theta[4000:6000] - weights[4000:6000]) > 0
    assert 0.70 < moved.mean() < 0.80


def test_masks_stay():
    network, X, targets, _ = problem(4, "tanh", "squared_error", "identity")
    mask = (np.arange(len(network.weights)) % 3 > 0).astype(np.uint8)
    network = network.with_weights(network.weights * mask)
    for rule in range(4):
        (theta, _, _), _ = epoch(
            network, X, targets, None, np.arange(7), rule=rule, mask=mask, penalty=2, alpha=0.1
        )
        assert not theta[mask == 0].any()
        assert (theta != network.weights)[mask == 1].any()


def test_the_kalman_filter_solves_linear_least_squares_recursively():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 3))
    y = X @ [1.0, -2.0, 0.5] + 3.0 + 0.01 * draw.normal(size=60)
    network = Network.blank((3, 1), "identity", "identity", "squared_error", 1.0, 1.0)
    theta, covariance = np.zeros(4), 1e6 * np.eye(4)
    _native.network_kalman(
        X, y[:, None].copy(), None, np.arange(60), *network.structure, 1.0, 0.0, theta, covariance
    )
    A = np.column_stack([X, np.ones(60)])
    np.testing.assert_allclose(theta, np.linalg.lstsq(A, y)[0], atol=1e-6)
    np.testing.assert_allclose(covariance, np.linalg.inv(A.T @ A), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": np.array([3])}, "2 to 1000 entries"),
        ({"sizes": np.array([3, 0, 3])}, "layer 1 has 0"),
        ({"kinds": np.array([9, 1, 0], dtype=np.int32)}, "name units by 0 to 5"),
        ({"kinds": np.array([1, 1, 9], dtype=np.int32)}, "name the cost by 0 to 5"),
        ({"kinds": np.array([1, 0, 1], dtype=np.int32)}, "goes with the cost"),
        ({"kinds": np.array([5, 1, 0], dtype=np.int32)}, "neither softmax nor exponential"),
        ({"numbers": np.array([1.0, 1.0, np.nan, 1.0])}, "finite and above 0"),
        ({"theta": np.zeros(5)}, "an entry for each weight"),
        ({"X": np.zeros((7, 2))}, "a column for each input"),
        ({"targets": np.zeros((6, 3))}, "a row for each row of X"),
        ({"w": np.zeros(6)}, "one entry per row of X"),
    ],
)
def test_wrong_calls_are_refused(change, message):
    network, X, targets, w = problem(1, "tanh", "squared_error", "logistic")
    sizes, kinds, numbers = network.structure
    call = {"X": X, "targets": targets, "w": w, "sizes": sizes, "kinds": kinds, "numbers": numbers}
    with pytest.raises(ValueError, match=message):
        _native.network_gradient(**(call | {"theta": network.weights} | change))


def test_wrong_epochs_are_refused():
    network, X, targets, w = problem(1, "tanh", "squared_error", "logistic")
    with pytest.raises(ValueError, match="orders must name rows"):
        epoch(network, X, targets, w, np.array([0, 7]))
    with pytest.raises(ValueError, match="batch must be 1 or more"):
        epoch(network, X, targets, w, np.arange(7), batch=0)
    with pytest.raises(ValueError, match=r"dropout must be in \[0, 1\)"):
        epoch(network, X, targets, w, np.arange(7), dropout=1.0)
    with pytest.raises(ValueError, match="mask must have an entry"):
        epoch(network, X, targets, w, np.arange(7), mask=np.ones(3, dtype=np.uint8))
    with pytest.raises(ValueError, match="a rule and a penalty of 0 to 3"):
        epoch(network, X, targets, w, np.arange(7), rule=4)
