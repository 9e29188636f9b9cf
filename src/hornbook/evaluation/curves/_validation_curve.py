"""The validation curve: the score as a function of one parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from hornbook.display import Table, plain
from hornbook.evaluation.curves._fold_average import band_of, score_columns
from hornbook.evaluation.folds._dataset import fit_and_score
from hornbook.evaluation.folds._experiment import experiment
from hornbook.evaluation.splits._kfold import Splitter
from hornbook.params import Floats, suggest

__all__ = ["ValidationCurve", "validation_curve"]


@dataclass(frozen=True, eq=False)
class ValidationCurve:
    """Scores of a learner for several values of one parameter, on training rows and on test rows.

    Parameters
    ----------
    parameter : str
        The parameter.
    values : sequence
        Its values.
    train, test : ndarray of shape (n_values, n_folds)
        Scores on the training rows and on the test rows of each fold.
    measure : str
        The measure.
    greater_is_better : bool
        Whether larger scores are better.
    """

    parameter: str
    values: Sequence[Any]
    train: Floats
    test: Floats
    measure: str
    greater_is_better: bool

    @property
    def best(self) -> Any:
        """The value with the best mean test score; the first one if tied."""
        means = self.test.mean(axis=1)
        return self.values[int(means.argmax() if self.greater_is_better else means.argmin())]

    def band(self, level: float | None = None) -> tuple[Floats, Floats]:
        """Return the lower and upper end of a band around the mean test scores.

        Parameters
        ----------
        level : float, optional
            Confidence level of a t interval of the mean; left out, the band is one standard deviation of the
            folds on either side.
        """
        return band_of(self.test.T, level)

    def __str__(self) -> str:
        columns = score_columns(self.train, self.test)
        numbers = np.column_stack(list(columns.values())).tolist()
        rows = [[_cell(value), *row] for value, row in zip(self.values, numbers, strict=True)]
        title = f"validation curve, {self.measure} over {self.test.shape[1]} folds, best {self.best!r}"
        return str(Table(title, [self.parameter, *columns], rows))

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "parameter": self.parameter,
            "values": [_cell(value) for value in self.values],
            "best": _cell(self.best),
            "measure": self.measure,
            "greater_is_better": self.greater_is_better,
            "train": self.train.tolist(),
            "test": self.test.tolist(),
        }


def _cell(value: Any) -> str | bool | int | float | None:
    """A value of a parameter as plain data."""
    cell = plain(value)
    return cell if isinstance(cell, str | bool | int | float) or cell is None else str(cell)


def validation_curve(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    parameter: str,
    values: Sequence[Any],
    cv: Splitter | int = 5,
    measure: str | Callable[..., Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ValidationCurve:
    """Fit a learner with several values of one parameter on the same folds and score it.

    Parameters
    ----------
    learner : estimator
        A classifier or regressor, cloned for each fit.
    X : table of shape (n_rows, n_columns)
        The rows.
    y : array-like of shape (n_rows,), optional
        The target; that of a Frame when left out.
    parameter : str
        The parameter that changes.
    values : sequence
        The values it takes.
    cv : splitter or int, default 5
        The folds; a number stands for that many folds of shuffled rows, stratified for a classifier.
    measure : str or measure, optional
        The measure; left out, it is the log loss (error rate without probabilities) or the root mean squared
        error.
    groups : array-like of shape (n_rows,), optional
        The group of each row, for splitters that keep groups together.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    ValidationCurve
        Scores on training and test rows, value by value and fold by fold.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> flowers = datasets.iris()
    >>> print(validation_curve(NaiveBayes(), flowers, parameter="var_smoothing", values=[0.0, 0.1, 1.0]))
    validation curve, log_loss over 5 folds, best 0.1
      var_smoothing   train    test       low    high
                  0   0.105  0.1583  -0.03391  0.3505
                0.1  0.1329  0.1535   0.02249  0.2845
                  1  0.2973  0.3012    0.2565   0.346
    """
    known = learner.get_params()
    if parameter not in known:
        raise ValueError(
            f"validation_curve: {type(learner).__name__} has no parameter {parameter!r}."
            f"{suggest(parameter, known)}"
        )
    if not len(values):
        raise ValueError("validation_curve: 'values' must have at least one value; got none.")
    plan = experiment(
        "validation_curve", learner, X, y, cv=cv, measure=measure, groups=groups, sample_weight=sample_weight
    )
    settings = [clone(learner).set_params(**{parameter: value}) for value in values]
    scores = np.empty((2, len(values), len(plan.folds)))
    # Folds outside, values inside: rows are encoded once per fold for all settings.
    for k, (train, test) in enumerate(plan.data.folds(plan.folds)):
        for i, setting in enumerate(settings):
            scores[:, i, k] = fit_and_score(setting, train, test, plan.measure)
    return ValidationCurve(
        parameter, list(values), scores[0], scores[1], plan.measure.name, plan.measure.greater_is_better
    )
