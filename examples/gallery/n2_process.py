"""Figures of note N2: the process, fitting, and why and how models are combined."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import DecisionTreeClassifier, PolynomialRegression, datasets, losses, plots
from hornbook.evaluation import Bootstrap, KFold, confusion_table, kappa

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N2/FIG01", "Knowledge discovery as a chain (Fayyad and others) and CRISP-DM as a cycle")
def processes() -> Figure:
    sheet, (upper, lower) = panels(1, 2, size=(9.0, 3.4))
    results = ["data", "target data", "clean data", "transformed data", "patterns", "knowledge"]
    steps = ["select", "preprocess", "transform", "mine", "interpret"]
    chain = [name for pair in zip(results, steps, strict=False) for name in pair] + results[-1:]
    # Two rows, the second from right to left.
    places = [(min(i, 10 - i), i // 6) for i in range(11)]
    plots.flow(
        dict(zip(chain, places, strict=True)),
        list(pairwise(chain)),
        upper,
        plain=results,
        title="Knowledge discovery in databases",
    )
    cycle = {
        "business understanding": (1.0, 0.0),
        "data understanding": (3.0, 0.0),
        "data preparation": (4.0, 1.0),
        "modeling": (3.0, 2.0),
        "evaluation": (1.0, 2.0),
        "deployment": (0.0, 1.0),
    }
    names = list(cycle)
    forth = list(pairwise(names))
    back = [
        ("data understanding", "business understanding"),
        ("modeling", "data preparation"),
        ("evaluation", "business understanding"),
    ]
    bends = dict.fromkeys([*forth[:1], *forth[2:3], *back[:2]], 0.25)
    plots.flow(cycle, [*forth, *back], lower, bends=bends, title="CRISP-DM")
    return sheet


@figure(
    "N2/FIG02", "Underfitting, fitting and overfitting: polynomials of degree 1, 2 and 6 (generated points)"
)
def polynomial_fits() -> Figure:
    x = np.linspace(0.0, 1.0, 9)
    y = 1.0 - 4.0 * (x - 0.4) ** 2 + np.random.default_rng(2).normal(0.0, 0.12, len(x))
    sheet, places = panels(3, size=(3.8, 3.2))
    for degree, words, ax in zip((1, 2, 6), ("underfits", "fits", "overfits"), places, strict=True):
        model = PolynomialRegression(degree).fit(x[:, None], y)
        plots.fits({f"degree {degree}": model}, x[:, None], y, ax, title=f"degree {degree} {words}")
    return sheet


@figure("N2/FIG03", "The statistical reason to combine models: several are equally good on the rows")
def statistical_reason() -> Figure:
    return plots.combining("statistical").figure


@figure("N2/FIG04", "The computational reason: searches end in different models")
def computational_reason() -> Figure:
    return plots.combining("computational").figure


@figure("N2/FIG05", "The representational reason: the mean lies outside the space of models")
def representational_reason() -> Figure:
    return plots.combining("representational").figure


@figure("N2/FIG06", "A table of ten rows and four bootstrap samples of it: how often each row was drawn")
def bootstrap_samples() -> Figure:
    samples = [train for train, _ in Bootstrap(4, random_state=0).split(np.zeros((10, 1)))]
    counts = [np.ones(10, dtype=int), *(np.bincount(sample, minlength=10) for sample in samples)]
    return plots.resamples(counts, ["table", *(f"sample {i}" for i in range(1, 5))]).figure


@figure("N2/FIG07", "Cross-validation: every fold is the test set of one run")
def cross_validation() -> Figure:
    rows = np.zeros((300, 1))  # at least 30 rows in each test set
    return plots.folds(KFold(10).split(rows), title="10 folds, 10 runs").figure


@figure("N2/FIG08", "Five losses as functions of the margin")
def margin_losses() -> Figure:
    def of(loss: losses.Loss, factor: float = 1.0) -> object:
        return lambda margin: loss.value(np.ones_like(margin), factor * margin)

    curves = {
        "misclassification": of(losses.ZeroOneLoss()),
        "hinge": of(losses.HingeLoss()),
        "squared": of(losses.SquaredMarginLoss()),
        "exponential": of(losses.ExponentialLoss()),
        "binomial deviance": of(losses.LogLoss(), 2.0),
    }
    ax = plots.functions(curves, (-2.0, 2.0), names=("margin", "loss"))
    ax.set_ylim(0.0, 6.0)
    return ax.figure


@figure("N2/FIG16", "Two accurate classifiers that hardly ever agree, and a decision tree")
def disagreement_and_tree() -> Figure:
    k = 24
    parts = [(0, 1, 0)] * k + [(1, 0, 0)] * k + [(0, 0, 0)] + [(0, 1, 1)] * k + [(1, 0, 1)] * k + [(1, 1, 1)]
    first, second, _ = np.array(parts).T
    sheet, (left, right) = panels(2, size=(6.2, 4.0))
    # Before anything is drawn: a tree has as many leaves as there is room for.
    grid = sheet.add_gridspec(1, 2, width_ratios=(1, 2))
    left.set_subplotspec(grid[0])
    right.set_subplotspec(grid[1])
    plots.confusion(confusion_table(first, second), ax=left)
    left.set(xlabel="second classifier", ylabel="first classifier", title=f"kappa {kappa(first, second):.2f}")
    tree = DecisionTreeClassifier(criterion="entropy", splits="multiway")
    tree.fit(datasets.play_tennis("mitchell")).plot(ax=right)
    right.set_title("a decision tree")
    return sheet
