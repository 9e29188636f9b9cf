"""Multilayer perceptrons: parameters, targets, stopping, structure, and what goes wrong."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPClassifier as Peer

from hornbook import BaggingClassifier, MLPClassifier, MLPRegressor, datasets
from hornbook.networks import SquaredWeights, WeightElimination

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(120, 3))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)
Z = np.sin(X[:, 0]) + X[:, 1] ** 2


def quiet(model, *data, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data, **more)


def small(**settings):
    return MLPClassifier((5,), **{"activation": "tanh", "max_iter": 20, "random_state": 0, **settings})


def test_structure_and_attributes():
    model = quiet(MLPClassifier((5, 4), max_iter=3, random_state=0), X, np.where(X[:, 2] > 1, 2, Y))
    assert [W.shape for W in model.coefs_] == [(3, 5), (5, 4), (4, 3)]
    assert [b.shape for b in model.intercepts_] == [(5,), (4,), (3,)]
    assert (model.n_layers_, model.n_outputs_, model.out_activation_, model.n_iter_) == (4, 3, "softmax", 3)
    assert model.t_ == 360
    assert model.loss_curve_ == model.history_["loss"]
    assert model.best_loss_ == min(model.loss_curve_)
    assert model.validation_scores_ is None
    assert model.cost_.well_formed
    values = X
    for W, b in zip(model.coefs_, model.intercepts_, strict=True):
        net = values @ W + b
        values = np.maximum(net, 0)
    p = np.exp(net) / np.exp(net).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), p, rtol=1e-9)
    np.testing.assert_array_equal(model.predict(X), net.argmax(axis=1))


@pytest.mark.parametrize(
    ("settings", "n_outputs", "unit"),
    [
        ({}, 1, "logistic"),
        ({"loss": "squared_error"}, 1, "logistic"),
        ({"loss": "squared_error", "out_activation": "bipolar"}, 1, "bipolar"),
        ({"loss": "squared_error", "out_activation": "identity"}, 1, "identity"),
        ({"loss": "squared_error", "out_activation": "relu", "slope": 2.0}, 1, "relu"),
        ({"loss": "cross_entropy", "slope": 2.0}, 1, "logistic"),
        ({"loss": "relative_cross_entropy"}, 1, "logistic"),
        ({"loss": "kl"}, 2, "softmax"),
        ({"activation": "scaled_tanh", "amplitude": 1.7, "slope": 1.3}, 1, "logistic"),
    ],
)
def test_costs_and_units_learn_a_problem_that_is_not_linear(settings, n_outputs, unit):
    model = small(solver="lbfgs", max_iter=300, tol=1e-3, restarts=2, **settings)
    quiet(model, X, Y)
    assert (model.n_outputs_, model.out_activation_) == (n_outputs, unit)
    # Better than the same cost without a hidden layer by three standard errors of an accuracy.
    plain = {k: v for k, v in settings.items() if k not in ("activation", "amplitude")}
    linear = quiet(MLPClassifier((), solver="lbfgs", random_state=0, **plain), X, Y).score(X, Y)
    assert model.score(X, Y) > linear + 3 * np.sqrt(linear * (1 - linear) / len(Y))
    if not settings:  # what scikit-learn has, too: as good as its median start
        peers = [
            Peer((5,), activation="tanh", solver="lbfgs", max_iter=300, random_state=s) for s in range(3)
        ]
        assert model.score(X, Y) >= np.median([quiet(peer, X, Y).score(X, Y) for peer in peers])
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(p.argmax(axis=1), model.predict(X))


def test_the_sum_is_the_mean_times_the_rows():
    mean = quiet(small(solver="momentum", learning_rate_init=1.2, alpha=0.5), X, Y)
    total = quiet(small(solver="momentum", learning_rate_init=0.01, alpha=0.5, reduction="sum"), X, Y)
    np.testing.assert_allclose(total.network_.weights, mean.network_.weights, rtol=1e-9)
    assert total.loss_ == pytest.approx(120 * mean.loss_)


def test_penalties_shrink_and_eliminate():
    plain = quiet(small(solver="lbfgs", alpha=0.0, max_iter=200), X, Y)
    decay = quiet(small(solver="lbfgs", alpha=2.0, max_iter=200), X, Y)
    gone = quiet(
        small(solver="lbfgs", penalty="elimination", alpha=2.0, elimination_width=0.3, max_iter=200), X, Y
    )
    size = [np.abs(np.concatenate([W.ravel() for W in m.coefs_])) for m in (plain, decay, gone)]
    assert size[1].max() < size[0].max()
    assert (size[2] < 0.02).sum() > (size[1] < 0.02).sum()
    # 2 w w0² / (w0² + w²)² at 0.7
    assert WeightElimination().gradient(np.array([0.7]))[0] == pytest.approx(0.630602, abs=1e-6)
    assert SquaredWeights().gradient(np.array([0.7]))[0] == 0.7


def test_the_trade_off_weighs_cost_and_squares_of_all_weights():
    model = quiet(small(solver="lbfgs", penalty="tradeoff", alpha=0.01, max_iter=200, tol=1e-7), X, Y)
    cost = -np.log(model.predict_proba(X)[np.arange(120), Y]).mean()
    w = model.network_.weights
    assert model.loss_ == pytest.approx(0.99 * cost + 0.01 * (w @ w), rel=1e-9)
    batches = quiet(small(solver="sgd", penalty="tradeoff", alpha=0.01, batch_size=120, max_iter=1), X, Y)
    assert batches.loss_ > model.loss_


def test_early_stopping_returns_the_best_weights():
    def watched(max_iter):
        settings = {"early_stopping": True, "validation_fraction": 0.3, "tol": 0.0, "solver": "rprop"}
        return quiet(small(**settings, learning_rate_init=0.05, max_iter=max_iter), X, Y)

    model = watched(200)
    scores = model.validation_scores_
    assert model.best_validation_score_ == max(scores) > scores[0]
    assert scores[-1] < max(scores)
    assert model.best_loss_ is None
    assert len(model.history_["validation_loss"]) == len(scores) == model.n_iter_
    best = int(np.argmax(scores))
    np.testing.assert_array_equal(watched(best + 1).network_.weights, model.network_.weights)


def test_restarts_keep_the_best():
    one = [quiet(small(solver="rprop", max_iter=15, restarts=r), X, Y).loss_ for r in (0, 4)]
    assert one[1] <= one[0]
    assert quiet(small(solver="rprop", max_iter=15, restarts=4), X, Y).loss_ == one[1]


@pytest.mark.parametrize(
    ("kind", "low", "high"), [("uniform", -1, 1), ("unit", 0, 1), ("small", -0.1, 0.1), ("glorot", -0.9, 0.9)]
)
def test_initial_weights_lie_in_their_range(kind, low, high):
    model = quiet(
        MLPClassifier((400,), initialization=kind, max_iter=1, learning_rate_init=1e-12, random_state=0), X, Y
    )
    weights = model.network_.weights
    assert low <= weights.min() < weights.max() <= high
    if kind != "glorot":
        assert weights.max() - weights.min() > 0.95 * (high - low)


def test_he_weights_are_normal_and_constants_zero():
    model = quiet(
        MLPClassifier((4000,), initialization="he", max_iter=1, learning_rate_init=1e-12, random_state=0),
        X,
        Y,
    )
    assert model.coefs_[0].std() == pytest.approx(np.sqrt(2 / 3), rel=0.03)
    assert np.abs(model.intercepts_[0]).max() < 1e-9


def test_warm_start_goes_on_and_other_structures_begin_anew():
    model = quiet(small(solver="momentum", max_iter=5, warm_start=True), X, Y)
    first = model.loss_
    assert quiet(model, X, Y).loss_curve_[0] < first
    assert quiet(model.set_params(hidden_layer_sizes=(2,)), X, Y).coefs_[0].shape == (3, 2)


def test_parameters_that_change_between_fits_are_used():
    changes = {"activation": "logistic", "slope": 2.0, "loss": "cross_entropy", "solver": "adam"}
    model = quiet(small(max_iter=3, warm_start=True), X, Y)
    start = model.network_
    quiet(model.set_params(**changes), X, Y)
    assert (model.network_.hidden, model.network_.slope, model.network_.cost) == (
        "logistic",
        2.0,
        "cross_entropy",
    )
    fresh = quiet(small(max_iter=1, **changes), X, Y)  # a network with these units that has those weights
    fresh.network_ = fresh.network_.with_weights(start.weights)
    quiet(fresh.set_params(max_iter=3, warm_start=True), X, Y)
    np.testing.assert_array_equal(model.network_.weights, fresh.network_.weights)
    more = small().partial_fit(X, Y, classes=[0, 1]).set_params(activation="relu").partial_fit(X, Y)
    assert more.network_.hidden == "relu"
    weights = more.network_.weights
    with pytest.raises(ValueError, match="ask for 2 output units, and the network has 1"):
        more.set_params(loss="kl").partial_fit(X, Y)
    np.testing.assert_array_equal(more.network_.weights, weights)


def test_later_targets_out_of_reach_are_told():
    settings = {"out_activation": "logistic", "activation": "tanh", "random_state": 0}
    with pytest.warns(UserWarning, match="are scaled into it"):
        model = MLPRegressor((4,), **settings).partial_fit(X, Z)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(X[:30], Z[:30])
    with pytest.warns(UserWarning, match="range that the first rows have left .* cannot be reached"):
        model.partial_fit(X, 9 * Z)
    counts = MLPRegressor((4,), loss="poisson", random_state=0).partial_fit(X, np.abs(Z))
    for method in (counts.partial_fit, counts.prune, counts.grow, counts.saliencies):
        with pytest.raises(ValueError, match="is for counts"):
            method(X, -np.abs(Z))
    # A fit to one value has learned nothing that later rows could go on from.
    later = MLPRegressor((4,), random_state=0).fit(X, np.ones(120)).partial_fit(X, Z)
    first = MLPRegressor((4,), random_state=0).partial_fit(X, Z)
    np.testing.assert_array_equal(later.network_.weights, first.network_.weights)


def test_partial_fit_is_an_epoch_of_a_fit():
    for solver in ("adam", "sgd"):
        model, whole = small(solver=solver, max_iter=3), quiet(small(solver=solver, max_iter=3), X, Y)
        for _ in range(3):
            model.partial_fit(X, Y, classes=[0, 1])
        np.testing.assert_allclose(model.network_.weights, whole.network_.weights, rtol=1e-12)
        assert (model.n_iter_, model.loss_curve_) == (3, pytest.approx(whole.loss_curve_))
    assert not hasattr(small(solver="lbfgs"), "partial_fit")
    number = MLPRegressor((4,), random_state=0)
    losses = [number.partial_fit(X, Z).loss_ for _ in range(20)]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("solver", ["sgd", "adam"])
@pytest.mark.parametrize("batch_size", [1, 40])
def test_epochs_made_together_are_those_made_one_by_one(solver, batch_size):
    settings = {"solver": solver, "batch_size": batch_size, "max_iter": 12}
    # As many epochs as are needed in any case are made in one call: 12 here, and 1 below.
    together = quiet(small(**settings, n_iter_no_change=50), X, Y)
    one_by_one = small(**settings)
    for _ in range(12):
        one_by_one.partial_fit(X, Y, classes=[0, 1])
    np.testing.assert_array_equal(together.network_.weights, one_by_one.network_.weights)
    assert together.loss_curve_ == one_by_one.loss_curve_
    for epochs in (3, 7):  # the weights after each epoch are the model that callbacks see
        part = quiet(small(**{**settings, "max_iter": epochs}, n_iter_no_change=2), X, Y)
        assert part.loss_curve_ == together.loss_curve_[:epochs]


def test_members_differ_by_start_or_structure():
    for member in (
        small(max_iter=200, learning_rate_init=0.05),
        small(deleted_connections=0.3, solver="lbfgs"),
        small(deleted_units=0.4, solver="lbfgs"),
    ):
        ensemble = quiet(BaggingClassifier(member, n_estimators=4, bootstrap=False, random_state=0), X, Y)
        networks = [m.network_ for m in ensemble.estimators_]
        assert len({n.weights.tobytes() for n in networks}) == 4
        # No more than the mean of what its members say.
        mean = np.mean([m.predict_proba(X) for m in ensemble.estimators_], axis=0)
        np.testing.assert_allclose(ensemble.predict_proba(X), mean, rtol=1e-12)
        if member.deleted_connections:
            assert len({n.mask.tobytes() for n in networks}) == 4
            for network in networks:
                assert [int((m == 0).sum()) for m, _ in network.split(network.mask)] == [
                    round(0.3 * 15),
                    round(0.3 * 5),
                ]
                assert not network.weights[network.mask == 0].any()
        if member.deleted_units:
            for network in networks:
                (first, constants), (second, _) = network.split(network.mask)
                gone = ~first.any(axis=0)
                assert gone.sum() == 2
                assert not constants[gone].any()
                assert not second[gone].any()


@pytest.mark.parametrize("kind", ["saliency", "small"])
def test_pruning_keeps_accuracy_and_masks_stay(kind):
    model = quiet(
        MLPClassifier((8,), activation="tanh", solver="lbfgs", max_iter=200, alpha=0.01, random_state=1), X, Y
    )
    before, first = model.score(X, Y), model.saliencies(X, Y, kind).rows
    assert len(first) == 8 * 4
    assert {row[:2] for row in map(tuple, first)} >= {("x0", "h1.1"), ("h1.8", "1")}
    assert model.prune(X, Y, kind, share=0.15) is model
    assert len(model.saliencies(X, Y, kind).rows) == len(first) - (model.network_.mask == 0).sum()
    removed = model.network_.mask == 0
    # A round that is kept removes its share of the connections: 15 % of 32 in the first.
    assert removed.sum() >= round(0.15 * 32)
    assert not model.network_.weights[removed].any()
    assert model.score(X, Y) >= before
    assert "removed" in str(model.describe())
    quiet(model.set_params(warm_start=True), X, Y)
    assert not model.network_.weights[removed].any()
    with pytest.raises(ValueError, match="'kind' must be 'saliency' or 'small'"):
        model.prune(X, Y, "large")
    with pytest.raises(ValueError, match="not among the classes"):
        model.prune(X, Y + 1)


def test_growing_adds_units_while_the_objective_falls():
    settings = {"activation": "tanh", "solver": "lbfgs", "alpha": 0.0, "random_state": 0}

    def cost(model):
        return 0.5 * np.square(model.predict(X) - Z).mean()

    # Until nothing moves, so that all that is gained is gained by the new units.
    model = quiet(MLPRegressor((1,), max_iter=5000, tol=1e-7, **settings), X, Z)
    before = cost(model)
    model.grow(X, Z, units=2, max_units=9, gain=0.05)
    added = (model.network_.sizes[1] - 1) / 2
    assert 1 <= added <= 4
    assert cost(model) <= before * (1 - 0.05) ** added
    # An addition that gains less than asked for is undone: nothing gains nearly all of the objective.
    same = quiet(MLPRegressor((1,), max_iter=5000, tol=1e-7, **settings), X, Z)
    same.grow(X, Z, gain=0.999999)
    assert same.network_.sizes.tolist() == [3, 1, 1]
    assert cost(same) == pytest.approx(before, rel=1e-6)
    with pytest.raises(ValueError, match="no hidden layer to grow"):
        quiet(MLPRegressor((), solver="lbfgs", random_state=0), X, Z).grow(X, Z)


def test_targets_are_scaled_into_the_range_of_outputs():
    for unit in ("logistic", "bipolar", "scaled_tanh", "relu"):
        model = MLPRegressor(
            (6,),
            activation="tanh",
            out_activation=unit,
            solver="lbfgs",
            max_iter=6,  # few, so that rounding cannot grow
            random_state=0,
        )
        with pytest.warns(UserWarning, match="outside the range"):
            quiet(model, X, 100 * Z - 700)
        # The same as scaling by hand: a tenth of the range of the unit is left at each end.
        low, high = {"logistic": (0, 1), "relu": (0, 1)}.get(unit, (-1, 1))
        by_hand = low + (high - low) * (0.1 + 0.8 * (Z - Z.min()) / np.ptp(Z))
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            inside = quiet(clone(model), X, by_hand)
        back = 100 * (Z.min() + np.ptp(Z) * ((inside.predict(X) - low) / (high - low) - 0.1) / 0.8) - 700
        np.testing.assert_allclose(model.predict(X), back, rtol=1e-5)
    inside = quiet(
        MLPRegressor((3,), out_activation="logistic", max_iter=5, random_state=0),
        X,
        (Z - Z.min()) / np.ptp(Z),
    )
    assert (inside.target_offset_.tolist(), inside.target_scale_.tolist()) == ([0.0], [1.0])
    with pytest.raises(ValueError, match="is for counts"):
        MLPRegressor(loss="poisson").fit(X, Z - 10)


def test_several_targets_at_once():
    both = np.column_stack([Z, -2 * Z + 1])
    linear = MLPRegressor((), solver="newton", alpha=0.0, tol=1e-9, random_state=0).fit(X, both)
    np.testing.assert_allclose(linear.predict(X), LinearRegression().fit(X, both).predict(X), atol=1e-7)
    model = quiet(
        MLPRegressor((6,), activation="tanh", solver="lbfgs", max_iter=200, random_state=0), X, both
    )
    assert model.predict(X).shape == (120, 2)
    # With a hidden layer at least as good as the best linear functions, which it can be.
    assert model.score(X, both) > linear.score(X, both)
    scores = model.working(X[0]).scores
    assert scores == pytest.approx(model.predict(X[:1])[0].tolist())


def test_divergence_stops_with_the_best_weights_and_names_the_rate():
    model = MLPRegressor((5,), activation="identity", solver="sgd", learning_rate_init=50.0, random_state=0)
    with pytest.warns(
        ConvergenceWarning, match=r"no longer finite in iteration .*'learning_rate_init' = 50"
    ) as caught:
        model.fit(X, 1e3 * Z)
    assert "weights" in str(caught[0].message)
    assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize("solver", ["sgd", "momentum", "adaptive", "delta_delta", "delta_bar_delta"])
@pytest.mark.parametrize("rate", [1e3, 1e8])
def test_what_is_kept_of_a_divergence_is_no_worse_than_the_start(solver, rate):
    settings = {"activation": "identity", "solver": solver, "random_state": 0, "alpha": 0.0}
    start = quiet(MLPRegressor((5,), **settings, learning_rate_init=1e-300, max_iter=1), X, Z)
    with pytest.warns(ConvergenceWarning, match=r"no longer finite .* weights( so far)? are kept"):
        model = MLPRegressor((5,), **settings, learning_rate_init=rate).fit(X, Z)
    assert model.score(X, Z) >= start.score(X, Z)


def test_a_loss_that_rises_without_overflow_is_a_divergence():
    settings = {"activation": "identity", "solver": "adam", "random_state": 0}
    start = quiet(MLPRegressor((5,), **settings, learning_rate_init=1e-300, max_iter=1), X, Z)
    with pytest.warns(ConvergenceWarning, match="the loss rose from .* iterations of adam: lower 'learning"):
        model = MLPRegressor((5,), **settings, learning_rate_init=1e6).fit(X, Z)
    assert np.isfinite(model.loss_)
    assert model.score(X, Z) >= start.score(X, Z)


def test_early_stopping_returns_to_the_start_where_every_step_is_worse():
    settings = {"activation": "identity", "solver": "sgd", "random_state": 0, "early_stopping": True}
    start = quiet(MLPRegressor((5,), **settings, learning_rate_init=1e-300, max_iter=1), X, Z)
    with pytest.warns(ConvergenceWarning, match="no longer finite .* the first weights are kept"):
        model = MLPRegressor((5,), **settings, learning_rate_init=1e5).fit(X, Z)
    np.testing.assert_array_equal(model.network_.weights, start.network_.weights)


def test_a_divergence_names_parameters_that_its_solver_has():
    settings = {"initial_variance": 1e12, "observation_noise": 1e-12, "random_state": 0}
    with pytest.warns(
        ConvergenceWarning, match=r"of kalman: lower 'initial_variance' = 1e\+12, raise"
    ) as one:
        MLPRegressor((5,), solver="kalman", **settings).fit(1e3 * X, 1e6 * Z)
    with pytest.warns(ConvergenceWarning, match="too small to converge: raise it, or scale") as other:
        small(solver="lbfgs", max_iter=2).fit(X, Y)
    assert not any("learning_rate" in str(warning.message) for warning in [*one, *other])


@pytest.mark.parametrize("solver", ["newton", "levenberg_marquardt"])
def test_numbers_that_overflow_end_second_order_methods_with_a_warning(solver):
    model = MLPRegressor((3,), activation="identity", solver=solver, random_state=0)
    with pytest.warns(ConvergenceWarning, match=f"no longer finite in iteration 1 of {solver}: scale"):
        model.fit(1e160 * X, 1e160 * Z)


def test_saturated_units_are_told():
    model = MLPClassifier((4,), activation="logistic", max_iter=99, tol=0.1, random_state=0)
    with pytest.warns(ConvergenceWarning, match="hidden layer 1 are saturated"):
        model.fit(1e6 + 1e6 * X, Y)


def test_saturated_outputs_are_told_where_the_squared_error_is_blind():
    settings = {"solver": "momentum", "tol": 0.1, "random_state": 0}
    with pytest.warns(ConvergenceWarning, match="of the outputs are saturated, .* at the wrong end"):
        MLPClassifier((), loss="squared_error", **settings).fit(1e6 * X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", message=".*saturated")
        MLPClassifier((), loss="squared_error", **settings).fit(X, Y)
        MLPClassifier((), loss="cross_entropy", **settings).fit(1e6 * X, Y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden_layer_sizes": (5, 0)}, "'hidden_layer_sizes' must be > 0"),
        ({"hidden_layer_sizes": (2.5,)}, "'hidden_layer_sizes' must be > 0"),
        ({"out_activation": "identity"}, "cannot be combined with loss='log_loss'"),
        ({"amplitude": 2.0}, "is for scaled tanh units only"),
        ({"solver": "rprop", "batch_size": 5}, "does not take batches"),
        ({"solver": "lbfgs", "dropout": 0.5}, "'dropout' = 0.5 needs solver='sgd' or 'adam'"),
        ({"penalty": "tradeoff", "alpha": 1.0}, "must be below 1"),
        ({"solver": "newton", "hidden_layer_sizes": (900,)}, "all pairs of weights"),
        ({"solver": "kalman", "loss": "kl"}, "one output after the other"),
    ],
)
def test_parameters_that_do_not_go_together(settings, message):
    with pytest.raises(ValueError, match=message):
        MLPClassifier(**settings).fit(X, Y)


def test_limits_on_steps_are_told():
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 2 was too small"):
        small(max_iter=2).fit(X, Y)
    with pytest.warns(ConvergenceWarning, match="'max_fun' = 5 was too small"):
        small(solver="lbfgs", max_fun=5, max_iter=500).fit(X, Y)


def test_adaptive_learning_rate_is_lowered():
    settings = {"solver": "sgd", "learning_rate": "adaptive", "tol": 10.0, "learning_rate_init": 0.1}
    for patience in (1, 3):
        more = {"n_iter_no_change": patience, "max_iter": 500, "random_state": 0}
        ours = quiet(MLPClassifier((5,), **settings, **more), X, Y)
        assert ours.n_iter_ == quiet(Peer((5,), **settings, **more), X, Y).n_iter_


def test_working_shows_all_layers_and_deltas():
    model = quiet(
        MLPClassifier(
            (2,), activation="logistic", loss="squared_error", solver="lbfgs", max_iter=30, random_state=0
        ),
        X,
        Y,
    )
    working = model.working(X[3], y=1)
    text = str(working)
    assert "Hidden layer 1" in text
    assert "delta" in text
    hidden, output = working.to_dict()["layers"]
    (W1, b1), (W2, b2) = zip(model.coefs_, model.intercepts_, strict=True)
    b = 1 / (1 + np.exp(-(X[3] @ W1 + b1)))
    y = 1 / (1 + np.exp(-(b @ W2 + b2)))
    delta = (y - 1.0) * y * (1 - y)  # e f'(v), with e the output minus the target
    np.testing.assert_allclose(output["rows"][0][1:], [(b @ W2 + b2)[0], y[0], 1.0, delta[0]], rtol=1e-10)
    below = b * (1 - b) * (W2 @ delta)
    np.testing.assert_allclose([row[3] for row in hidden["rows"]], below, rtol=1e-10)
    assert "target" not in str(model.working(X[3]))
    with pytest.raises(ValueError, match="not among the classes"):
        model.working(X[3], y=7)


def test_description_and_picture():
    import matplotlib.pyplot as plt

    model = quiet(
        MLPClassifier((3,), loss="squared_error", max_iter=2, random_state=0), datasets.watermelon("3.0a")
    )
    text = str(model.describe())
    assert "2-3-1" in text
    assert "not well formed" in text
    ax = model.plot()
    widths = [line.get_linewidth() for line in ax.lines]
    weights = np.concatenate([W.ravel() for W in model.coefs_])
    assert len(widths) == 9
    assert max(widths) == pytest.approx(4.0)
    assert np.argmax(np.abs(weights)) == np.argmax(widths)
    plt.close("all")


def test_large_networks_are_trained_in_single_precision_unless_told_otherwise():
    weights = {}
    for units in (30, 2500):
        for precision in ("auto", "single", "double"):
            model = quiet(MLPClassifier((units,), precision=precision, max_iter=1, random_state=0), X, Y)
            weights[units, precision] = model.network_.weights
    np.testing.assert_array_equal(weights[30, "auto"], weights[30, "double"])
    np.testing.assert_array_equal(weights[2500, "auto"], weights[2500, "single"])
    assert (weights[2500, "single"] != weights[2500, "double"]).any()
    np.testing.assert_allclose(weights[2500, "single"], weights[2500, "double"], atol=1e-5)


def test_training_without_improvement_may_go_on_for_ever():
    X, y = [[0.0], [1.0]], [0, 1]
    setting = {"solver": "sgd", "tol": 100.0, "max_iter": 30, "random_state": 0}
    assert MLPClassifier((2,), n_iter_no_change=3, **setting).fit(X, y).n_iter_ < 30
    with pytest.warns(ConvergenceWarning):
        assert MLPClassifier((2,), n_iter_no_change=np.inf, **setting).fit(X, y).n_iter_ == 30
