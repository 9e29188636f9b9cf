"""Train, validate, test: fit several learners, choose by rows set aside, estimate by rows never touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.display import Cell, Table
from hornbook.evaluation.folds._dataset import Dataset, fit_and_score, measure_for
from hornbook.evaluation.folds._experiment import default_folds
from hornbook.evaluation.intervals._samples import one_of
from hornbook.evaluation.metrics._measure import Measure
from hornbook.evaluation.splits._holdout import Size, ThreeWaySplit, three_way_split
from hornbook.evaluation.splits._kfold import Splitter
from hornbook.evaluation.splits._strata import By
from hornbook.params import Seed

__all__ = ["ValidationChoice", "select_by_validation"]


@dataclass(frozen=True, eq=False)
class ValidationChoice:
    """The learner with the best score on the validation rows, and what to expect of it.

    Parameters
    ----------
    measure : Measure
        What was measured.
    names : tuple of str
        The learners.
    train_scores, validation_scores : ndarray of shape (n_learners,)
        Scores of each learner, fitted to the training rows, on these rows and on the validation rows.
    test_scores : ndarray
        Scores of the chosen one on rows that took no part in the choice.
    parts : ThreeWaySplit
        Which rows were which.
    best_learner : estimator
        The chosen learner, fitted to all rows.
    """

    measure: Measure
    names: tuple[str, ...]
    train_scores: NDArray[np.float64]
    validation_scores: NDArray[np.float64]
    test_scores: NDArray[np.float64]
    parts: ThreeWaySplit
    best_learner: Any

    @property
    def best(self) -> str:
        """Name of the chosen learner; the first of several equally good ones."""
        scores = self.validation_scores
        return self.names[int(scores.argmax() if self.measure.greater_is_better else scores.argmin())]

    @property
    def estimate(self) -> float:
        """Score to expect of the chosen learner on new rows."""
        return float(self.test_scores.mean())

    @property
    def table(self) -> Table:
        """Training and validation score of each learner."""
        rows: list[list[Cell]] = [
            [name, float(train), float(validation), "chosen" if name == self.best else ""]
            for name, train, validation in zip(
                self.names, self.train_scores, self.validation_scores, strict=True
            )
        ]
        sizes = " + ".join(str(len(part)) for part in self.parts)
        head = ("learner", "training", "validation", "")
        return Table(f"{self.measure.name} ({sizes} rows to train, validate and test)", head, rows)

    def __str__(self) -> str:
        return f"{self.table}\n{self.best} has {self.measure.name} {self.estimate:.4g} on the test rows."

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as plain data, without the fitted learner."""
        return {
            "measure": self.measure.name,
            "best": self.best,
            "estimate": self.estimate,
            "test_scores": self.test_scores.tolist(),
            "table": self.table.to_dict(),
        }


def select_by_validation(
    learners: Mapping[str, Any],
    X: Any,
    y: Any = None,
    *,
    measure: str | Callable[..., Any] | None = None,
    validation_size: Size = 0.2,
    test_size: Size = 0.2,
    estimate: Literal["test", "cross_validation"] = "test",
    cv: Splitter | None = None,
    stratify: bool | By = False,
    sample_weight: Any = None,
    random_state: Seed = None,
) -> ValidationChoice:
    """Fit learners to training rows, choose by the validation rows, estimate on the test rows, fit all rows.

    Parameters
    ----------
    learners : mapping of str to estimator
        The learners by name, such as polynomials of several degrees.
    X : Frame, DataFrame, array or list
        The table; a Frame brings target and weights.
    y : array-like of shape (n_rows,), optional
        The target.
    measure : str or measure, optional
        Log loss if the learners give probabilities, else error rate; root mean squared error for numbers.
    validation_size, test_size
        As for `three_way_split`.
    estimate : {"test", "cross_validation"}, default "test"
        How the test rows are used: the chosen learner is fitted to training and validation rows and scored
        on all test rows once; or it is cross-validated within the test rows, as in the notes.
    cv : splitter, optional
        The folds of the cross-validation; ten shuffled ones, stratified for classes, when left out.
    stratify
        As for `three_way_split`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ValidationChoice
        The choice, its scores, and the chosen learner fitted to all rows.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> x = np.linspace(0, 1, 100)
    >>> learners = {f"{k} neighbors": KNeighborsRegressor(k) for k in (1, 5, 50)}
    >>> result = select_by_validation(learners, x[:, None], np.sin(6 * x), measure="rmse", random_state=0)
    >>> result.best
    '1 neighbors'
    """
    one_of("select_by_validation", "estimate", estimate, ("test", "cross_validation"))
    if not learners:
        raise ValueError("select_by_validation: 'learners' must have at least one learner; got none.")
    if cv is not None and estimate == "test":
        raise ValueError("select_by_validation: 'cv' belongs to estimate='cross_validation'; set that too.")
    data = Dataset.of("select_by_validation", X, y, sample_weight=sample_weight)
    parts = three_way_split(
        data.X,
        data.y,
        validation_size=validation_size,
        test_size=test_size,
        stratify=stratify,
        random_state=random_state,
    )
    chosen = measure_for(learners.values(), measure)
    # Encoded once for all learners of ours: the training and validation rows are the same.
    (rows,) = data.folds_for(learners, [(parts.train, parts.validation)])
    pairs = [fit_and_score(learner, *rows[name], chosen) for name, learner in learners.items()]
    seen, unseen = np.array(pairs).T
    winner = list(learners.values())[int(unseen.argmax() if chosen.greater_is_better else unseen.argmin())]
    data = data.for_learner(winner)
    scores = _estimated(winner, data, parts, chosen, estimate, cv)
    return ValidationChoice(chosen, tuple(learners), seen, unseen, scores, parts, data.fit(winner).model)


def _estimated(
    learner: Any, data: Dataset, parts: ThreeWaySplit, measure: Measure, how: str, cv: Splitter | None
) -> NDArray[np.float64]:
    test = data[parts.test]
    if how == "test":
        # The winner is refitted on training and validation rows before the test: closer to the final
        # model.
        model = data[np.concatenate([parts.train, parts.validation])].fit(learner).model
        return np.array([test.score(measure, model)])
    splitter = default_folds(learner, 10) if cv is None else cv
    folds = test.folds(splitter.split(test.X, test.y, test.groups))
    return np.array([check.score(measure, rows.fit(learner).model) for rows, check in folds])
