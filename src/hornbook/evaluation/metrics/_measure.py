"""Measures: a function with a name, what it is computed from, and whether larger is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hornbook.params import suggest

__all__ = [
    "Measure",
    "Needs",
    "RowMean",
    "Unit",
    "as_measure",
    "measure",
    "measure_by_name",
    "measures",
    "suggest_measure",
]

Needs = Literal["labels", "probabilities", "scores", "numbers"]
Unit = Literal["target", "squared target"]

# Names in other libraries and in books, for suggestions.
OTHER_NAMES = {
    **dict.fromkeys(("f1", "f1_score", "f_score", "fscore", "f_beta", "fbeta_score", "dice"), "f_measure"),
    **dict.fromkeys(("roc_auc", "auroc", "roc_auc_score", "area_under_curve"), "auc"),
    **dict.fromkeys(("acc", "accuracy_score"), "accuracy"),
    **dict.fromkeys(("zero_one_loss", "error", "misclassification"), "error_rate"),
    **dict.fromkeys(("logloss", "neg_log_loss", "cross_entropy", "deviance"), "log_loss"),
    **dict.fromkeys(("brier", "brier_score_loss"), "brier_score"),
    **dict.fromkeys(("sensitivity", "tpr", "true_positive_rate", "hit_rate"), "recall"),
    **dict.fromkeys(("tnr", "true_negative_rate"), "specificity"),
    **dict.fromkeys(("ppv", "positive_predictive_value"), "precision"),
    **dict.fromkeys(("npv", "negative_predictive_value"), "negative_precision"),
    **dict.fromkeys(("average_precision", "pr_auc", "auprc"), "pr_area"),
    **dict.fromkeys(("mcc", "matthews_corrcoef", "phi"), "matthews"),
    **dict.fromkeys(("cohen_kappa", "cohen_kappa_score"), "kappa"),
    **dict.fromkeys(("mean_squared_error", "neg_mean_squared_error", "squared_error"), "mse"),
    **dict.fromkeys(("root_mean_squared_error", "neg_root_mean_squared_error"), "rmse"),
    **dict.fromkeys(("mean_absolute_error", "neg_mean_absolute_error", "absolute_error"), "mae"),
    **dict.fromkeys(("r_squared", "r2_score", "rsquared"), "r2"),
    "fpr": "false_positive_rate",
    "fnr": "false_negative_rate",
    "ece": "calibration_error",
}

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True)
class RowMean:
    """The row values whose mean a measure is, so that resampling need not recompute it from predictions.

    Parameters
    ----------
    values : function
        Takes the truth, the predictions, and the classes in the order of the columns of probabilities;
        returns one number for each row.
    root_of : str, default ""
        The name of the mean itself, where the measure is its square root.
    share : bool, default False
        Whether every number is 0 or 1, so that the mean is a proportion.

    Examples
    --------
    >>> measure_by_name("mae").row_mean.values(np.array([3.0, 5.0]), np.array([2.0, 7.0]), None).tolist()
    [1.0, 2.0]
    """

    values: Callable[[NDArray[Any], NDArray[Any], Any], NDArray[np.float64]]
    root_of: str = ""
    share: bool = False


class Measure(Protocol):
    """A function of the truth and a learner's predictions, with attributes that describe it.

    Attributes
    ----------
    name : str
        Its name, by which `measure_by_name` finds it.
    greater_is_better : bool
        Whether larger values are better.
    needs : {"labels", "probabilities", "scores", "numbers"}
        What it is computed from: predicted classes, class probabilities, scores that rank the rows, or
        predicted numbers.
    best : float
        The value of perfect predictions.
    unit : {"target", "squared target"} or None
        Its unit; None if it has none.
    row_mean : RowMean or None
        The row values whose mean it is, if declared.
    """

    name: str
    greater_is_better: bool
    needs: Needs
    best: float
    unit: Unit | None
    row_mean: RowMean | None

    def __call__(self, y_true: Any, y_pred: Any, /, **options: Any) -> float:
        """Compare predictions with the truth."""


_MEASURES: dict[str, Measure] = {}
# Where the measures of this library are defined. Packages import names on first use, so that a measure which
# is asked for by name may not have been imported yet.
HOMES = (
    *("curves._auc", "curves._calibration", "curves._precision_recall"),
    *("metrics._accuracy", "metrics._agreement", "metrics._class_measures", "metrics._costs"),
    *("metrics._f_measure", "metrics._number_measures", "metrics._probability_measures", "metrics._ranking"),
)
PACKAGE = "hornbook.evaluation"


@cache
def _import_all() -> None:
    for home in HOMES:
        import_module(f"{PACKAGE}.{home}")


def _known() -> dict[str, Measure]:
    """All measures: those of this library and those that users have defined."""
    _import_all()
    return _MEASURES


def measure(
    *,
    needs: Needs,
    greater_is_better: bool,
    best: float,
    unit: Unit | None = None,
    row_mean: RowMean | None = None,
) -> Callable[[_F], _F]:
    """Make a function a measure that works with scorers, comparisons and studies, and by name.

    Parameters
    ----------
    needs : {"labels", "probabilities", "scores", "numbers"}
        What its second argument is: predicted classes, class probabilities, scores that rank the rows, or
        predicted numbers.
    greater_is_better : bool
        Whether larger values are better.
    best : float
        The value of perfect predictions.
    unit : {"target", "squared target"}, optional
        Its unit; left out if it has none.
    row_mean : RowMean, optional
        The row values whose mean it is; left out, every resample calls the function itself.

    Returns
    -------
    function
        Takes a function ``f(y_true, y_pred, *, sample_weight=None, ...)`` and returns it with these
        attributes.

    Examples
    --------
    >>> @measure(needs="numbers", greater_is_better=False, best=0.0)
    ... def largest_error(y_true, y_pred, *, sample_weight=None):
    ...     return max(abs(truth - predicted) for truth, predicted in zip(y_true, y_pred, strict=True))
    >>> measure_by_name("largest_error")([1.0, 2.0], [1.5, 2.0])
    0.5
    """
    if needs not in ("labels", "probabilities", "scores", "numbers"):
        raise ValueError(
            f"measure: 'needs' must be one of 'labels', 'probabilities', 'scores', 'numbers'; got {needs!r}."
        )

    def mark(function: _F) -> _F:
        marked = cast("Measure", function)
        marked.name = function.__name__
        marked.needs, marked.greater_is_better, marked.best = needs, greater_is_better, best
        marked.unit, marked.row_mean = unit, row_mean
        if not function.__module__.startswith(f"{PACKAGE}."):
            _import_all()  # a name that is taken is refused now, not when the other one is imported
        earlier: Any = _MEASURES.get(marked.name)
        # a module may define its measure again, as a notebook cell does when it is run twice
        if earlier is not None and earlier.__module__ != function.__module__:
            raise ValueError(f"measure: there is a measure '{marked.name}' already; choose another name.")
        _MEASURES[marked.name] = marked
        return function

    return mark


def measures() -> tuple[str, ...]:
    """List the names of all measures.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> from hornbook.evaluation import measures
    >>> {"accuracy", "auc", "log_loss", "rmse"} <= set(measures())
    True
    """
    return tuple(sorted(_known()))


def measure_by_name(name: str) -> Measure:
    """Find a measure by its name.

    Parameters
    ----------
    name : str
        One of `measures`.

    Returns
    -------
    Measure
        The function.

    Examples
    --------
    >>> from hornbook.evaluation import measure_by_name
    >>> measure_by_name("log_loss").greater_is_better
    False
    """
    # `_known` imports what is not yet there; afterwards the table itself is complete.
    if name not in _known():
        near = suggest_measure(name, _MEASURES)
        raise ValueError(f"there is no measure {name!r}; there are {', '.join(measures())}.{near}")
    return _MEASURES[name]


def suggest_measure(name: str, allowed: Iterable[str]) -> str:
    """Suggest the measure that was probably meant, including by its names in other libraries.

    Parameters
    ----------
    name : str
        The unknown name.
    allowed : iterable of str
        The measures to choose from.

    Returns
    -------
    str
        A question that starts with a space, or an empty string when no name is close.

    Examples
    --------
    >>> suggest_measure("F1", measures())
    " Did you mean 'f_measure'?"
    """
    known = list(allowed)
    synonym = OTHER_NAMES.get(name.lower().replace("-", "_").replace(" ", "_"))
    # Exact synonyms first: "acc" is closer in spelling to "auc" than to "accuracy".
    return f" Did you mean '{synonym}'?" if synonym in known else suggest(name, known)


def as_measure(chosen: str | Callable[..., Any]) -> Measure:
    """Return a measure passed by name or as the function itself."""
    if isinstance(chosen, str):
        return measure_by_name(chosen)
    if not callable(chosen) or not all(
        hasattr(chosen, fact) for fact in ("name", "needs", "greater_is_better")
    ):
        raise TypeError(
            f"a measure must be a name or a function marked with hornbook.evaluation.measure; got {chosen!r}."
        )
    return cast("Measure", chosen)
