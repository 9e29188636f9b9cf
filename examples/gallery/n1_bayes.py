"""Figures of note N1: Bayes classifiers and nearest neighbors on Iris."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import BayesClassifier, KNeighborsClassifier, NaiveBayes, datasets, evaluation, plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ASKED = (6.75, 4.25)
# Where a normal density of two columns is 1 % of its peak: exp(-d² / 2) = 0.01.
ONE_PERCENT = float(np.sqrt(-2 * np.log(0.01)))


def _draw(full: bool, ax: Axes | None = None) -> Axes:
    flowers = datasets.iris(view="plane", positive="setosa")
    if full:
        model = BayesClassifier(var_smoothing=0.0).fit(flowers)
        means, spreads = model.means_, model.covariance_
    else:
        model = NaiveBayes(var_smoothing=0.0).fit(flowers)
        means, spreads = model.theta_, model.var_
    return plots.ellipses(
        means,
        spreads,
        model.classes_.tolist(),
        X=flowers.features,
        y=flowers.y,
        levels=(ONE_PERCENT,),
        asked=[ASKED],
        ax=ax,
    )


@figure(
    "N1/F01", "Setosa and the rest by full Bayes: curves where the normal densities are 1 % of their peaks"
)
def full_bayes() -> Figure:
    return _draw(full=True).figure


@figure("N1/F02", "Naive Bayes has ellipses parallel to the axes (a), full Bayes turned ones (b)")
def naive_and_full_bayes() -> Figure:
    sheet, (left, right) = panels(2, size=(5.0, 3.8))
    _draw(full=False, ax=left).set_title("(a) naive Bayes")
    _draw(full=True, ax=right).set_title("(b) full Bayes")
    return sheet


@figure("N1/F03", "The five nearest neighbors of (6.75, 4.25), and the circle that just encloses them")
def nearest_neighbors() -> Figure:
    flowers = datasets.iris(view="plane", positive="setosa")
    model = KNeighborsClassifier(5).fit(flowers.numbers, flowers.y)
    distances, _ = model.kneighbors([list(ASKED)])
    radius = float(distances[0, -1])
    return plots.neighborhoods(
        flowers.features, flowers.y, [ASKED], radius, asked=True, title=f"r = {radius:.3f}"
    ).figure


def _split(seed: int) -> np.ndarray:
    """Which of 150 flowers are for testing: 10 of each species."""
    species = datasets.iris().y
    draw = np.random.default_rng(seed)
    tested = np.zeros(len(species), dtype=bool)
    for label in np.unique(species):
        tested[draw.choice(np.flatnonzero(species == label), 10, replace=False)] = True
    return tested


@figure(
    "N1/F25", "Full Bayes on three species: training rows gray, test rows black, 1 and 2 standard deviations"
)
def three_species() -> Figure:
    flowers = datasets.iris(view="plane")
    tested = _split(0)
    model = BayesClassifier(var_smoothing=0.0).fit(flowers[~tested])
    wrong = int((model.predict(flowers[tested]) != flowers.y[tested]).sum())
    ax = plots.ellipses(
        model.means_,
        model.covariance_,
        model.classes_.tolist(),
        X=flowers.features,
        y=flowers.y,
        tested=tested,
    )
    ax.set_title(f"{wrong} of {tested.sum()} test rows wrong")
    return ax.figure


@figure(
    "N1/F26", "Naive Bayes on the principal components: versicolor and the rest, 1 and 2 standard deviations"
)
def naive_components() -> Figure:
    flowers = datasets.iris(view="components", positive="versicolor")
    tested = _split(0)
    model = NaiveBayes(var_smoothing=0.0).fit(flowers[~tested])
    return plots.ellipses(
        model.theta_,
        model.var_,
        model.classes_.tolist(),
        X=flowers.features,
        y=flowers.y,
        tested=tested,
    ).figure


@figure("N1/F30", "Error rates of full Bayes on 50 bootstrap samples of Iris, tested on all rows")
def bootstrap_errors() -> Figure:
    flowers = datasets.iris(view="plane")
    splitter = evaluation.Bootstrap(50, test="all", random_state=0)
    errors = []
    for train, test in splitter.split(flowers.features, flowers.y):
        model = BayesClassifier(var_smoothing=0.0).fit(flowers[train])
        errors.append(evaluation.error_rate(flowers.y[test], model.predict(flowers[test])))
    ax = plots.histogram(errors, 0.01)
    ax.set_xlabel("error rate, in bins of width 0.01")
    ax.set_title(f"mean {np.mean(errors):.3f}, variance {np.var(errors):.2e}")
    return ax.figure
