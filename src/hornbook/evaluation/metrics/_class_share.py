"""Measures that are a ratio of counts for each class, averaged over the classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.metrics._class_counts import (
    Average,
    ClassCounts,
    Truth,
    check_average,
    class_counts,
)
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._zero_division import ZeroDivision, ratios
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["ClassMeasure", "class_share", "class_shares"]

Counted = Callable[[ClassCounts], tuple[Floats, Floats]]

# The docstring sections that all these measures share.
SECTIONS = """Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, for instance of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {{"binary", "macro", "macro_means", "micro", "weighted", "predicted"}} or None, default "binary"
        "binary": the positive one of two classes. "macro" and "macro_means": the mean over classes (or
        tables). "micro": from the counts of all classes (or tables) together. "weighted": the mean weighted
        by true rows. "predicted": the mean weighted by predicted rows. None: an array, one value for each
        class.
    positive : label, optional
        The positive one of two classes; 1, or else the one that sorts last, when left out.
    labels : sequence, optional
        All classes; those of both columns when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value of 0 / 0; "warn" is 0 and a warning that names the class.

    Returns
    -------
    float or ndarray
        {best:g} is best.

    Examples
    --------"""


class ClassMeasure(Protocol):
    """The type of a measure of classes: averaged, or with ``average=None`` one value for each class."""

    @overload
    def __call__(
        self,
        y_true: Truth,
        y_pred: ArrayLike | None = None,
        *,
        average: None,
        positive: Label | None = None,
        labels: Sequence[Label] | None = None,
        sample_weight: ArrayLike | None = None,
        zero_division: ZeroDivision = "warn",
    ) -> Floats: ...
    @overload
    def __call__(
        self,
        y_true: Truth,
        y_pred: ArrayLike | None = None,
        *,
        average: Average = "binary",
        positive: Label | None = None,
        labels: Sequence[Label] | None = None,
        sample_weight: ArrayLike | None = None,
        zero_division: ZeroDivision = "warn",
    ) -> float: ...


def class_share(*, greater_is_better: bool) -> Callable[[Counted], ClassMeasure]:
    """Turn a function that returns numerator and denominator into a measure, and complete its docstring."""
    best = float(greater_is_better)

    def made(share: Counted) -> ClassMeasure:
        def measured(
            y_true: Truth,
            y_pred: ArrayLike | None = None,
            *,
            average: Average | None = "binary",
            positive: Label | None = None,
            labels: Sequence[Label] | None = None,
            sample_weight: ArrayLike | None = None,
            zero_division: ZeroDivision = "warn",
        ) -> Any:
            return class_shares(
                share.__name__,
                share,
                y_true,
                y_pred,
                average=average,
                positive=positive,
                labels=labels,
                sample_weight=sample_weight,
                zero_division=zero_division,
            )

        # As functools.wraps would, except that the docstring is put together and the signature is our
        # own.
        for name in ("__name__", "__qualname__", "__module__"):
            setattr(measured, name, getattr(share, name))
        # The split marker is part of every docstring here; one without examples fails at import, not
        # silently.
        head, examples = (share.__doc__ or "").split("Examples\n    --------")
        measured.__doc__ = head + SECTIONS.format(best=best) + examples
        marked = measure(needs="labels", greater_is_better=greater_is_better, best=best)(measured)
        return cast("ClassMeasure", marked)

    return made


def class_shares(
    function: str,
    share: Counted,
    y_true: Any,
    y_pred: Any,
    *,
    average: Average | None,
    positive: Label | None,
    labels: Sequence[Label] | None,
    sample_weight: Any,
    zero_division: ZeroDivision,
) -> Any:
    """Compute a ratio for each class and average it: a number, or an array without an average."""
    check_average(function, average)
    counts = class_counts(
        function,
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
    )
    # Pooling counts before dividing: rows weigh the same, so frequent classes dominate.
    if average == "micro":
        counts = counts.pooled()
    values = ratios(function, counts.names, *share(counts), zero_division)
    if average is None:
        return values
    weights = {"weighted": counts.true, "predicted": counts.predicted}.get(average)
    return float(np.average(values, weights=weights))
