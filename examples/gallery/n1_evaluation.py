"""Figures of note N1: measures, ROC curves and the t distribution."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm, t

from gallery import figure, panels
from hornbook import evaluation, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Scores of naive Bayes for 30 test rows, as printed; the tie at 0.55 is broken in the order of the table.
SCORES = (
    *(0.93, 0.82, 0.80, 0.77, 0.74, 0.71, 0.69, 0.67, 0.66, 0.61, 0.59, 0.5501, 0.55, 0.53, 0.47, 0.30, 0.26),
    *(0.11, 0.04, 2.97e-3, 1.28e-3, 2.55e-7, 6.99e-8, 3.11e-8, 3.109e-8, 1.53e-8, 9.76e-9, 2.08e-9, 1.95e-9),
    7.83e-10,
)
POSITIVE = (2, 4, 5, 6, 8, 13, 14, 15, 16, 17)  # counted from 1


@figure("N1/F27", "Confusion tables of three classifiers: all negative, all positive, ideal")
def extreme_tables() -> Figure:
    truth = np.repeat(["+", "-"], [10, 20])
    answers = {
        "all negative": np.full(30, "-"),
        "all positive": np.full(30, "+"),
        "ideal": truth,
    }
    sheet, places = panels(3, size=(3.2, 3.2))
    for place, (title, predicted) in zip(places, answers.items(), strict=True):
        table = evaluation.confusion_table(
            truth, predicted, labels=["+", "-"], rows="prediction", positive="+"
        )
        plots.confusion(table, notes=[["TP", "FP"], ["FN", "TN"]], of="all", title=title, ax=place)
    return sheet


@figure("N1/F28", "The ROC curve of naive Bayes on 30 test rows, and the diagonal of chance")
def naive_bayes_roc() -> Figure:
    truth = np.isin(np.arange(1, 31), POSITIVE).astype(int)
    return plots.roc(evaluation.roc_curve(truth, SCORES)).figure


@figure(
    "N1/F29",
    "The ROC curve of five rows: three scores are equal, so that one part of the area is a trapezoid",
)
def five_rows_roc() -> Figure:
    curve = evaluation.roc_curve([1, 0, 1, 1, 0], [0.9, 0.8, 0.8, 0.8, 0.1])
    return plots.roc(curve, shade=True).figure


@figure(
    "N1/F31", "Student's t has heavier tails than the normal density, the fewer degrees of freedom the more"
)
def t_densities() -> Figure:
    shown = {f"t, {df} degree{'s' * (df > 1)} of freedom": partial(t.pdf, df=df) for df in (1, 4, 10)}
    shown["standard normal"] = norm.pdf
    return plots.functions(shown, (-5.0, 5.0), names=("x", "density")).figure
