"""Figures of note N3: training of networks, pruning, overtraining, RBF networks on the double moon."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gallery import figure, panels
from hornbook import MLPClassifier, RBFNetworkClassifier, datasets, plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EPOCHS = 600
SEED = 9  # of first weights: many others end in poor local minima, as the notes warn


def trained(model: Any, X: Any, y: Any) -> Any:
    """Fit for a fixed number of epochs, converged or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def small_network(solver: str, rate: float, seed: int) -> MLPClassifier:
    """The network 2-3-2-1 of the notes, trained on sums of squared errors over all rows."""
    return MLPClassifier(
        (3, 2),
        activation="logistic",
        loss="squared_error",
        reduction="sum",
        solver=solver,
        learning_rate_init=rate,
        momentum=0.85,
        alpha=0.0,
        initialization="uniform",
        max_iter=EPOCHS,
        tol=0.0,
        n_iter_no_change=EPOCHS,
        random_state=seed,
    )


@figure(
    "N3/f10",
    "Training error of momentum and adaptive momentum by epoch, and the decision curve of the latter",
)
def two_ways_to_train() -> Figure:
    data = datasets.gaussians("eight", random_state=0)
    heavy = trained(small_network("momentum", 0.05, SEED), data.features, data.y)
    adaptive = trained(small_network("adaptive_momentum", 0.01, SEED), data.features, data.y)
    sheet, (left, right) = panels(2, size=(5.4, 3.8))
    costs = {"momentum": heavy.history_["loss"], "adaptive momentum": adaptive.history_["loss"]}
    plots.staged_error(costs, members="epochs", name="cost on the training rows", ax=left)
    plots.boundaries([], data.features, data.y, right, bold=adaptive, title="adaptive momentum")
    return sheet


@figure("N3/f11", "The decision curve of a network 2-20-20-1 before and after pruning")
def pruning() -> Figure:
    data = datasets.gaussians("eight", random_state=0)
    model = MLPClassifier(
        (20, 20),
        activation="tanh",
        loss="cross_entropy",
        solver="rprop",
        learning_rate_init=0.02,
        max_iter=200,
        random_state=0,
    )
    trained(model, data.features, data.y)
    sheet, (left, right) = panels(2, size=(5.4, 3.8))
    weights = len(model.network_.weights)
    plots.boundaries([], data.features, data.y, left, bold=model, title=f"{weights} weights")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.prune(data.features, data.y, "small", share=0.3, rounds=6, max_iter=60, tolerance=0.02)
    kept = int((model.network_.mask != 0).sum())
    plots.boundaries([], data.features, data.y, right, bold=model, title=f"{kept} weights after pruning")
    return sheet


@figure("N3/f12", "Overtraining: the loss of training rows falls on, that of other rows rises again")
def overtraining() -> Figure:
    data = datasets.gaussians("eight", random_state=0)
    labels = (data.y == "B").astype(int)
    flipped = np.where(np.random.default_rng(1).random(400) < 0.2, 1 - labels, labels)
    model = MLPClassifier(
        (30,),
        activation="tanh",
        solver="rprop",
        learning_rate_init=0.02,
        alpha=0.0,
        max_iter=EPOCHS,
        early_stopping=True,
        validation_fraction=0.4,
        n_iter_no_change=EPOCHS,
        tol=0.0,
        random_state=0,
    )
    trained(model, data.features, flipped)
    losses = {"training rows": model.history_["loss"], "other rows": model.history_["validation_loss"]}
    return plots.staged_error(losses, members="epochs", name="log loss").figure


def _moons(distance: float) -> Figure:
    """The learning curve of an RBF network and its boundary."""
    moons = datasets.double_moon(distance, n=1000, random_state=0)
    model = RBFNetworkClassifier(20, output="rls", random_state=0, tol=1e-6, max_iter=10).fit(moons)
    sheet, (left, right) = panels(2, size=(5.4, 3.8))
    _curve(model, left)
    plots.boundaries([], moons.features, moons.y, right, bold=model, title=f"double moon, d = {distance:g}")
    return sheet


def _curve(model: RBFNetworkClassifier, ax: Axes) -> None:
    plots.staged_error(model.history_["mse"], members="epochs", name="mean squared error", ax=ax)


@figure("N3/f20", "RBF network by clusters and recursive least squares: double moon with d = -5")
def moons_apart() -> Figure:
    return _moons(-5.0)


@figure("N3/f21", "RBF network by clusters and recursive least squares: double moon with d = -6")
def moons_close() -> Figure:
    return _moons(-6.0)
