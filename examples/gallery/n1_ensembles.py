"""Figures of note N1: bias and variance, bagging, forests, boosting and stacking on Iris."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import (
    SVC,
    AdaBoostClassifier,
    BaggingClassifier,
    NaiveBayes,
    RandomForestClassifier,
    StackingClassifier,
    datasets,
    evaluation,
    kernels,
    plots,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUADRATIC = kernels.Polynomial(2, constant=1.0)


def _flowers() -> tuple[object, np.ndarray]:
    flowers = datasets.iris(view="components", positive="versicolor")
    return flowers.features, flowers.y


def _bagged(C: float, K: int) -> BaggingClassifier:
    X, y = _flowers()
    member = SVC(C=C, kernel=QUADRATIC)
    return BaggingClassifier(member, n_estimators=K, vote="hard", random_state=0).fit(X, y)


@figure(
    "N1/F32", "Ten machines on bootstrap samples, for three values of C: the larger C, the more they differ"
)
def machines_by_cost() -> Figure:
    X, y = _flowers()
    sheet, places = panels(3)
    for place, C in zip(places, (0.01, 1.0, 100.0), strict=True):
        plots.boundaries(_bagged(C, 10).estimators_, X, y, place, title=f"C = {C:g}")
    return sheet


@figure("N1/F33", "Bias, variance and expected loss of these machines over C")
def loss_by_cost() -> Figure:
    X, y = _flowers()
    curve = evaluation.bias_variance_curve(
        lambda C: SVC(C=C, kernel=QUADRATIC),
        [0.01, 0.1, 1.0, 10.0, 100.0],
        X,
        np.where(y == "versicolor", 1, -1),
        name="C",
        n_samples=10,
        random_state=0,
    )
    return plots.bias_variance(curve).figure


@figure("N1/F34", "Bagging of machines: (a) ten boundaries and their vote, (b) votes of K = 3 and K = 8")
def bagged_machines() -> Figure:
    X, y = _flowers()
    sheet, (left, right) = panels(2, size=(5.0, 3.8))
    vote = _bagged(1.0, 10)
    plots.boundaries(vote.estimators_, X, y, left, bold=vote, title="(a) K = 10")
    votes = {f"K = {K}": _bagged(1.0, K) for K in (3, 8)}
    plots.boundaries(votes, X, y, right, title="(b) votes")
    return sheet


@figure("N1/F35", "A random forest of five trees: their boundaries, and that of the forest in bold")
def five_trees() -> Figure:
    X, y = _flowers()
    forest = RandomForestClassifier(5, max_features=1, leaf_size=3, random_state=0).fit(X, y)
    return plots.boundaries(forest.estimators_, X, y, bold=forest).figure


@figure("N1/F36", "AdaBoost of linear machines: the lines h1 to h4")
def boosted_lines() -> Figure:
    X, y = _flowers()
    # Without equal weights of the classes some machines predict the larger one everywhere: no line.
    member = SVC(C=1.0, kernel="linear", class_weight="balanced")
    model = AdaBoostClassifier(
        member, n_estimators=4, method="resample", on_failure="redraw", random_state=15
    )
    model.fit(X, y)
    lines = {f"h{i + 1}": member for i, member in enumerate(model.estimators_)}
    return plots.boundaries(lines, X, y).figure


@figure("N1/F37", "Training and test error of boosted linear machines over the number of members")
def boosting_errors() -> Figure:
    X, y = _flowers()
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:120], order[120:]
    member = SVC(C=1.0, kernel="linear")
    model = AdaBoostClassifier(
        member, n_estimators=60, method="resample", on_failure="redraw", random_state=0
    )
    model.fit(X[train], y[train])
    errors = {
        "training": model.staged_errors(X[train], y[train]),
        "test": model.staged_errors(X[test], y[test]),
    }
    return plots.staged_error(errors, members="members", name="error rate").figure


@figure("N1/F38", "Stacking of a linear machine, naive Bayes and a forest by a Gaussian machine, in bold")
def stacked() -> Figure:
    X, y = _flowers()
    order = np.random.default_rng(0).permutation(len(y))[:100]
    members = [
        ("linear machine", SVC(C=1.0, kernel="linear")),
        ("naive Bayes", NaiveBayes()),
        ("random forest", RandomForestClassifier(5, max_features=1, random_state=0)),
    ]
    final = SVC(C=1.0, kernel=kernels.Gaussian(np.sqrt(0.2), form="sigma2"))
    model = StackingClassifier(members, final, cv=5, stack_method="predict", random_state=0)
    model.fit(X[order], y[order])
    fitted = {name: member for (name, _), member in zip(members, model.estimators_, strict=True)}
    return plots.boundaries(fitted, X, y, bold=model).figure
