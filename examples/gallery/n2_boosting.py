"""Figures of note N2: AdaBoost and bagging on small sets of points, and how different their members are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gallery import figure, panels
from hornbook import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    Frame,
    datasets,
    plots,
)
from hornbook.evaluation import Bootstrap, kappa_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 58  # of the forty points: AdaBoost separates them with seven stumps, as in the notes


def stump() -> DecisionStump:
    """The weak learner of the notes: the threshold with the least weighted error."""
    return DecisionStump(criterion="misclassification")


def forty_points(seed: int = SEED) -> Frame:
    """Twenty blue and twenty red points on both sides of a diagonal; the notes' own are only a picture."""
    draw = np.random.default_rng(seed)
    points = draw.uniform(-5.0, 5.0, (400, 2))
    side = points @ [1.0, 1.0] + 0.3 * points[:, 0]
    blue, red = (points[mask][:20] for mask in (side > 0.8, side < -0.8))
    x1, x2 = np.concatenate([blue, red]).T
    return Frame({"x1": x1, "x2": x2, "class": ["blue"] * 20 + ["red"] * 20}, target="class")


def boosted(data: Frame, n: int) -> AdaBoostClassifier:
    """AdaBoost as the notes write it."""
    return AdaBoostClassifier(stump(), n_estimators=n, variant="discrete").fit(data)


@figure(
    "N2/FIG09", "AdaBoost, ten points: the data and all thresholds with their errors; the stump x2 <= 1 wins"
)
def all_thresholds() -> Figure:
    data = datasets.boosting_points()
    root = stump().fit(data).nodes_
    chosen = int(root.feature[0]), float(root.threshold[0])
    sheet, (points, *cuts) = panels(3, size=(4.2, 3.6))
    plots.weighted_points(data.features, data.y, np.ones(10), points, title="ten points")
    for column, ax in enumerate(cuts):
        values = np.unique(data.numbers[:, column])
        right = [_right(data, column, cut) for cut in (values[1:] + values[:-1]) / 2]
        plots.thresholds(
            data.features,
            data.y,
            column,
            ax,
            chosen=chosen[1] if column == chosen[0] else None,
            errors=[min(count, 10 - count) for count in right],
            title=f"thresholds of x{column + 1}",
        )
    return sheet


def _right(data: Frame, column: int, cut: float) -> int:
    """How many points the stump with blue above the threshold gets right."""
    return int(((data.numbers[:, column] > cut) == (data.y == "blue")).sum())


@figure(
    "N2/FIG10", "AdaBoost, ten points: each stump with the weights it is fitted to, and the weights it leaves"
)
def boosting_rounds() -> Figure:
    data = datasets.boosting_points()
    after = list(boosted(data, 3).staged_weights(data))
    before = [np.ones(10), *after[:-1]]
    sheet, places = panels(3, 2, size=(4.2, 3.4))
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        member = stump().fit(data.features, data.y, sample_weight=old)
        plots.weighted_points(data.features, data.y, old, places[i], model=member, title=f"stump {i + 1}")
        plots.weighted_points(data.features, data.y, new, places[3 + i], title=f"weights after stump {i + 1}")
    return sheet


@figure("N2/FIG11", "AdaBoost, ten points: the joint boundary of three stumps")
def joint_boundary() -> Figure:
    data = datasets.boosting_points()
    return plots.boundaries([], data.features, data.y, bold=boosted(data, 3), title="three stumps").figure


@figure(
    "N2/FIG12", "AdaBoost, forty points (generated): the data, the weights, and the boundary of seven stumps"
)
def seven_stumps() -> Figure:
    data = forty_points()
    model = boosted(data, 7)
    *_, weights = model.staged_weights(data)
    sheet, (left, middle, right) = panels(3, size=(4.2, 3.6))
    plots.boundaries([], data.features, data.y, left, title="forty points")
    plots.weighted_points(data.features, data.y, weights, middle, title="weights after seven stumps")
    plots.boundaries([], data.features, data.y, right, bold=model, title="seven stumps")
    return sheet


def bagged(member: Any, data: Frame, n: int, seed: int) -> BaggingClassifier:
    """A vote of members fitted to bootstrap samples."""
    return BaggingClassifier(member, n_estimators=n, random_state=seed).fit(data)


@figure("N2/FIG13", "Bagging, ten points: the boundary of five and of seven stumps")
def bagged_stumps() -> Figure:
    data = datasets.boosting_points()
    sheet, places = panels(2, size=(4.2, 3.6))
    for seed, (n, ax) in enumerate(zip((5, 7), places, strict=True)):
        model = bagged(stump(), data, n, seed)
        plots.boundaries([], data.features, data.y, ax, bold=model, title=f"{n} stumps")
    return sheet


@figure(
    "N2/FIG14", "Bagging, forty points (generated): seven and thirteen stumps, seven trees of depth 2 and 3"
)
def bagged_trees() -> Figure:
    data = forty_points()
    tree = DecisionTreeClassifier
    shown: list[tuple[str, Any, int]] = [
        ("7 stumps", stump(), 7),
        ("13 stumps", stump(), 13),
        ("7 trees of depth 2", tree(max_depth=2), 7),
        ("7 trees of depth 3", tree(max_depth=3), 7),
    ]
    sheet, places = panels(2, 2, size=(4.4, 3.4))
    for (title, member, n), ax in zip(shown, places, strict=True):
        model = bagged(member, data, n, seed=0)
        plots.boundaries([], data.features, data.y, ax, bold=model, title=title)
    return sheet


@figure("N2/FIG15", "Kappa-error diagrams of thirteen bagged stumps on training and test points (generated)")
def stump_diversity() -> Figure:
    train, test = forty_points(), forty_points(SEED + 100)
    samples = [rows for rows, _ in Bootstrap(13, random_state=0).split(train.features)]
    members = [stump().fit(train.features[rows], train.y[rows]) for rows in samples]
    sheet, places = panels(2, 2, size=(4.4, 3.4))
    for (name, data), row in zip({"training": train, "test": test}.items(), (0, 2), strict=True):
        plots.boundaries(members, data.features, data.y, places[row], title=f"{name} points and stumps")
        plots.kappa_error(
            kappa_error([member.predict(data.features) for member in members], data.y), places[row + 1]
        )
    return sheet
