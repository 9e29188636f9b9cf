"""Figures of note N4: boosting step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import AdaBoostClassifier, Frame, LinearDiscriminant, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 303  # of the 29 points: the first line has six errors and the second seven, as in the notes


def points_29(seed: int = SEED) -> Frame:
    """29 points of two overlapping classes; the notes' own are only a picture."""
    draw = np.random.default_rng(seed)
    plus = np.arange(29) < 15
    centers = np.where(plus[:, None], [1.0, 0.6], [-0.6, -0.6])
    X = centers + draw.normal(0.0, 1.2, (29, 2))
    labels = np.where(plus, "positive", "negative").astype(object)
    return Frame({"x1": X[:, 0], "x2": X[:, 1], "class": labels}, target="class")


def boosted(data: Frame, n: int) -> AdaBoostClassifier:
    """AdaBoost of linear classifiers."""
    return AdaBoostClassifier(LinearDiscriminant(), n_estimators=n, variant="discrete").fit(data)


@figure("N4/f18", "Boosting: the loop, and the weights before and after one round (generated)")
def boosting_loop() -> Figure:
    data = points_29()
    after = next(iter(boosted(data, 1).staged_weights(data)))
    sheet, (left, middle, right) = panels(3, size=(4.8, 3.8))
    boxes = {
        "equal weights": (0, 0),
        "train on weighted data": (0, 1),
        "errors and vote of the model": (0, 2),
        "half of all weight to the errors": (1, 1.5),
        "vote of all models": (0, 3),
    }
    names = list(boxes)
    arrows = [(names[0], names[1]), (names[1], names[2]), (names[2], names[3]), (names[3], names[1])]
    plots.flow(boxes, [*arrows, (names[2], names[4])], left, plain=[names[0], names[4]])
    member = LinearDiscriminant().fit(data)
    plots.weighted_points(data.features, data.y, np.ones(29), middle, model=member, title="before")
    plots.weighted_points(data.features, data.y, after, right, title="after")
    return sheet


@figure("N4/f19", "Boosting 29 points (generated): lines of three rounds, points as large as their weights")
def boosting_lines() -> Figure:
    data = points_29()
    after = list(boosted(data, 3).staged_weights(data))
    sheet, places = panels(3, size=(4.8, 3.8))
    for i, (weights, ax) in enumerate(zip([np.ones(29), *after[:2]], places, strict=True)):
        member = LinearDiscriminant().fit(data.features, data.y, sample_weight=weights)
        wrong = member.predict(data.features) != data.y
        error = float(weights[wrong].sum() / weights.sum())
        title = f"round {i + 1}: {int(wrong.sum())} errors, weight {error:.3f}"
        plots.weighted_points(data.features, data.y, weights, ax, model=member, title=title)
    return sheet
