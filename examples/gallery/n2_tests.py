"""Figures of note N2: hypothesis tests, of a parameter and by permutations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from gallery import figure, panels
from hornbook import datasets, plots
from hornbook.evaluation import TestResult, permutation_test, z_test
from hornbook.params import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Samples for which the tests reject, as those of the notes: with the stated means and noise that is rare.
MEANS_SEED = 233
TREND_SEED = 78


@figure("N2/FIG17", "A one-sided test of a mean: level, worst case of the null hypothesis, p-value")
def parameter_test() -> Figure:
    result = z_test(mean=128, n=25, sigma=5.4, null=130, alternative="less", alpha=0.05)
    critical, error = result.details["c"][0], 5.4 / math.sqrt(25)
    sheet, (left, middle, right) = panels(3, size=(4.6, 3.4))
    plots.estimator_density([130.0], error, critical, left, name="mean", title="error of type 1")
    plots.estimator_density(
        [130.0, 131.5, 133.0], error, critical, middle, name="mean", title="the edge is the worst case"
    )
    plots.estimator_density([130.0], error, 128.0, right, name="mean", mark="observed mean", title="p-value")
    return sheet


def two_means() -> TestResult:
    """Two samples of 20 normal values, 10,000 permutations."""
    both = datasets.two_samples(random_state=MEANS_SEED)
    values = both.numbers[:, 0]
    return permutation_test(values[both.y == "x"], values[both.y == "y"], random_state=0)


def trend() -> tuple[Floats, Floats]:
    """A hundred pairs with a common trend and much noise."""
    pairs = datasets.noisy_trend(random_state=TREND_SEED)
    return pairs.numbers[:, 0], np.asarray(pairs.y, dtype=float)


@figure(
    "N2/FIG18",
    "Statistics of 10,000 permutations: difference of means, Pearson and Spearman (generated samples)",
)
def permutation_histograms() -> Figure:
    x, y = trend()
    results = {
        "difference of means": two_means(),
        "Pearson": permutation_test(x, y, statistic="pearson", random_state=0),
        "Spearman": permutation_test(x, y, statistic="spearman", random_state=0),
    }
    sheet, places = panels(1, 3, size=(6.6, 3.0))
    for result, ax in zip(results.values(), places, strict=True):
        plots.permutation_histogram(result, 0.02, ax)
    return sheet


def coefficient(x: Floats, y: Floats, kind: Literal["pearson", "spearman"]) -> float:
    """The coefficient of correlation."""
    return permutation_test(x, y, statistic=kind, n_permutations=1, random_state=0).statistic


@figure(
    "N2/FIG19", "A sample with a weak trend, and three permutations of it with their coefficients (generated)"
)
def permuted_samples() -> Figure:
    x, y = trend()
    orders = [np.arange(len(x)), *(np.random.default_rng(seed).permutation(len(x)) for seed in range(3))]
    sheet, places = panels(2, 2, size=(4.0, 3.2))
    for i, (order, ax) in enumerate(zip(orders, places, strict=True)):
        shown = {"r": coefficient(x, y[order], "pearson"), "rank r": coefficient(x, y[order], "spearman")}
        title = f"permutation {i}" if i else "sample"
        plots.pairs(x, y[order], ax, coefficients=shown, title=title)
    return sheet
