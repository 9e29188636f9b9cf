"""Figures of note N0: ensembles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
    plots,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (3, 5, 11)


@figure("N0/4.1", "An ensemble: members are learned and their predictions combined")
def ensemble_flow() -> Figure:
    members = [f"learner {i}" for i in (1, 2)] + ["learner T"]
    boxes = {name: (1.0, float(i)) for i, name in enumerate(members)}
    boxes |= {"x": (0.0, 1.0), "combination": (2.0, 1.0), "prediction": (3.0, 1.0)}
    arrows = [("x", name) for name in members] + [(name, "combination") for name in members]
    arrows.append(("combination", "prediction"))
    return plots.flow(boxes, arrows, plain=("x", "prediction")).figure


@figure("N0/4.2", "Three members vote: diversity helps, does not help, or hurts")
def three_votes() -> Figure:
    tables = {
        "helps": [[1, 1, 0], [0, 1, 1], [1, 0, 1]],
        "does not help": [[1, 1, 0], [1, 1, 0], [1, 1, 0]],
        "hurts": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    }
    sheet, places = panels(3, size=(3.2, 2.6))
    for place, (title, right) in zip(places, tables.items(), strict=True):
        plots.votes(right, place, title=title)
    return sheet


@figure("N0/4.3", "AdaBoost")
def adaboost_algorithm() -> Figure:
    return plots.algorithm("AdaBoost").figure


def _melons() -> tuple[object, np.ndarray]:
    melons = datasets.watermelon("3.0a")
    return melons.features, np.where(melons.y, "ripe", "unripe")


@figure(
    "N0/4.4", "AdaBoost of stumps on the melons: the vote (bold) and its members, with 3, 5 and 11 of them"
)
def adaboost_boundaries() -> Figure:
    X, y = _melons()
    sheet, places = panels(3)
    for place, size in zip(places, SIZES, strict=True):
        model = AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=1, criterion="misclassification"), n_estimators=size
        ).fit(X, y)
        wrong = int((model.predict(X) != y).sum())
        plots.boundaries(model.estimators_, X, y, place, bold=model, title=f"{size} members, {wrong} wrong")
    return sheet


@figure("N0/4.5", "Bagging")
def bagging_algorithm() -> Figure:
    return plots.algorithm("bagging").figure


@figure("N0/4.6", "Bagging of trees on the melons: the vote (bold) and its members, with 3, 5 and 11 of them")
def bagging_boundaries() -> Figure:
    X, y = _melons()
    sheet, places = panels(3)
    for place, size in zip(places, SIZES, strict=True):
        model = BaggingClassifier(DecisionTreeClassifier(), n_estimators=size, random_state=0).fit(X, y)
        wrong = int((model.predict(X) != y).sum())
        plots.boundaries(model.estimators_, X, y, place, bold=model, title=f"{size} members, {wrong} wrong")
    return sheet


@figure(
    "N0/4.7", "Test error over the size: (a) glass, (b) a generated regression table in place of auto-mpg"
)
def errors_by_size() -> Figure:
    sheet, (left, right) = panels(2)
    glass = datasets.glass()
    order = np.random.default_rng(0).permutation(len(glass))
    train, test = glass[order[:140]], glass[order[140:]]
    models = {
        "random forest": RandomForestClassifier(60, random_state=0),
        "bagging": BaggingClassifier(DecisionTreeClassifier(), 60, random_state=0),
    }
    errors = {name: model.fit(train).staged_errors(test.features, test.y) for name, model in models.items()}
    plots.staged_error(errors, name="error rate", ax=left).set_title("glass")
    plots.staged_error(_regression_errors(), name="mean squared error", ax=right).set_title("generated table")
    return sheet


def _regression_errors() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(1)
    X = draw.uniform(size=(500, 7))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + draw.normal(size=500)
    train, test = slice(0, 300), slice(300, None)
    models = {
        "random forest": RandomForestRegressor(60, max_features=2, random_state=0),
        "bagging": BaggingRegressor(DecisionTreeRegressor(), 60, random_state=0),
    }
    return {
        name: model.fit(X[train], y[train]).staged_errors(X[test], y[test]) for name, model in models.items()
    }


@figure("N0/4.8", "Three reasons to combine models")
def reasons_to_combine() -> Figure:
    sheet, places = panels(3, size=(4.0, 3.0))
    for place, reason in zip(places, ("statistical", "computational", "representational"), strict=True):
        plots.combining(reason, place)
    return sheet


@figure("N0/4.9", "Stacking")
def stacking_algorithm() -> Figure:
    return plots.algorithm("stacking").figure
