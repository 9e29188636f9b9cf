"""Figures of note N0: evaluation of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from hornbook import (
    DecisionTreeRegressor,
    KernelRidge,
    LogisticRegression,
    NaiveBayes,
    datasets,
    evaluation,
    kernels,
    plots,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N0/1.1", "Overfitting and underfitting: an analogy about melons")
def fitting_analogy() -> Figure:
    return plots.analogy().figure


@figure("N0/1.2", "10-fold cross-validation of naive Bayes: each fold is tested once, then the mean is taken")
def ten_folds() -> Figure:
    points = datasets.gaussians("eight", random_state=0)
    splitter = evaluation.StratifiedKFold(10, shuffle=True, random_state=0)
    splits = list(splitter.split(points.features, points.y))
    scores = []
    for train, test in splits:
        model = NaiveBayes().fit(points[train])
        scores.append(evaluation.accuracy(points.y[test], model.predict(points[test])))
    return plots.folds(splits, scores=scores, name="accuracy").figure


@figure("N0/1.3", "The confusion table of two classes: truth in the rows, the positive class first")
def confusion_table() -> Figure:
    melons = datasets.watermelon("3.0a")
    predicted = LogisticRegression(C=np.inf).fit(melons).predict(melons)
    table = evaluation.confusion_table(melons.y, predicted, labels=[True, False], positive=True)
    names = [["true positives", "false negatives"], ["false positives", "true negatives"]]
    ax = plots.confusion(table, notes=names, of="all")
    ax.figure.set_size_inches(5.0, 3.8)
    return ax.figure


def _scores(n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Classes, and scores of three learners of which each sees more of what separates the classes."""
    draw = np.random.default_rng(1)
    y = draw.integers(0, 2, 2 * n)
    X = draw.normal(size=(2 * n, 3)) + y[:, None] * [0.7, 0.8, 1.0]
    train, test = slice(0, n), slice(n, None)
    scores = {}
    for columns, name in (((0,), "one column"), ((0, 1), "two columns"), ((0, 1, 2), "three columns")):
        model = LogisticRegression().fit(X[train][:, columns], y[train])
        scores[name] = model.predict_proba(X[test][:, columns])[:, 1]
    return y[test], scores


@figure("N0/1.4", "Precision against recall for three learners; marks are the break-even points")
def precision_recall_curves() -> Figure:
    y, scores = _scores(400)
    return plots.precision_recall(
        {name: evaluation.pr_curve(y, score) for name, score in scores.items()}
    ).figure


@figure("N0/1.5a", "The ROC curve of many rows is smooth; its area is shaded")
def smooth_roc() -> Figure:
    y, scores = _scores(20_000)
    return plots.roc(evaluation.roc_curve(y, scores["three columns"]), shade=True).figure


@figure("N0/1.5b", "The ROC curve of few rows is a staircase")
def stepped_roc() -> Figure:
    y, scores = _scores(24)
    return plots.roc(evaluation.roc_curve(y, scores["three columns"]), shade=True).figure


@figure("N0/1.6", "Two curves through the same training points: a smooth one (A) and an oscillating one (B)")
def two_interpolations() -> Figure:
    x = np.linspace(0.0, 5.0, 9)
    y = 1.0 + 0.8 * x - 0.1 * x**2
    wave = kernels.Gaussian(0.22)
    models = {
        "A": KernelRidge(1e-8, kernel=kernels.Gaussian(3.0)).fit(x[:, None], y),
        "B": KernelRidge(1e-8, kernel=wave).fit(x[:, None], y),
    }
    return plots.fits(models, x[:, None], y).figure


@figure("N0/1.7", "Loss, bias and variance of regression trees over the degree of training, here the depth")
def bias_and_variance() -> Figure:
    def sample(draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x = draw.uniform(0, 1, 60)
        return x[:, None], np.sin(6 * x) + 0.3 * draw.normal(size=60)

    places = np.linspace(0.02, 0.98, 60)
    curve = evaluation.bias_variance_curve(
        lambda depth: DecisionTreeRegressor(max_depth=depth),
        [1, 2, 3, 4, 5, 6, 7],
        places[:, None],
        np.sin(6 * places),
        name="depth of the tree",
        noise=0.09,
        method="simulation",
        sampler=sample,
        n_samples=40,
        random_state=0,
    )
    return plots.bias_variance(curve).figure
