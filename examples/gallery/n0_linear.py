"""Figures of note N0: linear models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from hornbook import LinearDiscriminant, losses, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N0/2.1", "The unit step and the logistic function")
def step_and_logistic() -> Figure:
    shown = {"unit step": losses.unit_step, "logistic": losses.logistic}
    return plots.functions(shown, (-10.0, 10.0), names=("z", "y")).figure


@figure(
    "N0/2.2",
    "Linear discriminant: two clusters projected onto the line through the origin that separates them",
)
def discriminant() -> Figure:
    draw = np.random.default_rng(3)
    spread = np.array([[0.16, 0.12], [0.12, 0.22]])
    means = {"-": (1.2, 3.0), "+": (3.2, 2.2)}
    X = np.concatenate([draw.multivariate_normal(mean, spread, 12) for mean in means.values()])
    y = np.repeat(list(means), 12)
    model = LinearDiscriminant(solver="direct").fit(X, y)
    groups = [X[y == label] for label in model.classes_]
    ax = plots.projection(X, y, model.direction_)
    plots.ellipses(
        [group.mean(axis=0) for group in groups],
        [np.cov(group.T) for group in groups],
        model.classes_.tolist(),
        levels=(2,),
        ax=ax,
    )
    return ax.figure
