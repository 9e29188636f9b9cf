"""Scores of several learners on the same folds: what every verdict is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["OutOfFold", "Scores", "Stopped"]

BASELINE = "Baseline"


@dataclass(frozen=True)
class OutOfFold:
    """Predictions for rows that were not learned from.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        The target.
    answers : mapping of str to list of ndarray
        For each learner one array for each repeat: labels, probabilities, scores or numbers for all rows.
    sample_weight : ndarray of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    labels : sequence, optional
        The classes in the order of the columns of probabilities.
    options : mapping, default {}
        Further arguments of the measure.
    """

    truth: NDArray[Any]
    answers: Mapping[str, Sequence[NDArray[Any]]]
    sample_weight: Floats | None = None
    labels: Sequence[Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Stopped:
    """Why a race has stopped a learner.

    Parameters
    ----------
    folds : int
        Folds that count: the first ones.
    adjusted_p : float
        Of the test that stopped it, in terms of the whole alpha: at most alpha.
    rival : str
        The learner that speaks most against it.
    """

    folds: int
    adjusted_p: float
    rival: str


@dataclass(frozen=True)
class Scores:
    """Scores of learners, fold by fold; the same column is the same fold for all.

    Parameters
    ----------
    measure : str
        What was measured.
    greater_is_better : bool
        Whether a larger score is better.
    names : sequence of str
        The learners.
    values : ndarray of shape (n_learners, n_folds)
        The scores; NaN where a fold failed or is missing.
    n_train, n_test : ndarray of shape (n_folds,)
        Rows learned from and scored on in each fold; ``n_train`` 0 stands for scores that share no training
        rows, such as those of single rows of one test set.
    errors : mapping of str to str, default {}
        For learners with failed folds, the sentence of the first failure.
    seconds : mapping of str to float, default {}
        Mean time of a fit.
    stored : mapping of str to float, default {}
        Mean count of stored numbers of the fitted models.
    out_of_fold : OutOfFold, optional
        The predictions behind the scores.
    reference : str, optional
        The learner that looks at no column, which every other should beat; the one that is called
        ``"Baseline"`` when left out.
    positive : str, optional
        Of two classes the positive one, where it was fixed for all folds.
    perfect : float, optional
        The best value that the measure can have; for measures of `hornbook.evaluation` it is known.
    stopped : mapping of str to Stopped, default {}
        Learners that a race has stopped, because they cannot become best.
    spent : float, default 0.0
        Share of alpha that the race may spend; the final test has the rest.
    """

    measure: str
    greater_is_better: bool
    names: Sequence[str]
    values: Floats
    n_train: NDArray[np.int64]
    n_test: NDArray[np.int64]
    errors: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float | None] = field(default_factory=dict)
    stored: Mapping[str, float | None] = field(default_factory=dict)
    out_of_fold: OutOfFold | None = None
    reference: str | None = None
    positive: str | None = None
    perfect: float | None = None
    stopped: Mapping[str, Stopped] = field(default_factory=dict)
    spent: float = 0.0

    def __post_init__(self) -> None:
        expected = (len(self.names), len(self.n_train))
        if self.values.shape != expected or len(self.n_test) != len(self.n_train):
            raise ValueError(
                f"scores must have one row for each learner and one column for each fold, {expected}; got "
                f"{self.values.shape} with {len(self.n_test)} test sizes."
            )
        if len(set(self.names)) < len(self.names):
            raise ValueError(f"every learner needs a name of its own; got {list(self.names)}.")

    @property
    def baseline(self) -> str | None:
        """The learner that looks at no column, if one takes part."""
        name = BASELINE if self.reference is None else self.reference
        return name if name in self.names else None

    @property
    def losses(self) -> Floats:
        """The scores turned so that smaller is better."""
        return -self.values if self.greater_is_better else self.values

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Which learners have a score in every fold, and were not stopped."""
        running = np.array([name not in self.stopped for name in self.names])
        return np.asarray(np.isfinite(self.values).all(axis=1) & running)

    @property
    def test_share(self) -> float:
        """Share of the rows that a fold is scored on; 0 when folds share no training rows."""
        # r = n_test / n_train becomes the share r / (1 + r) of all rows, the correlation that Nadeau
        # and Bengio assume between two folds.
        return self.overlap / (1 + self.overlap)

    @property
    def overlap(self) -> float:
        """Rows scored on over rows learned from: what makes folds resemble each other."""
        if not self.n_train.all():
            return 0.0
        # The mean ratio: fold sizes differ by a row at most in the splits that matter.
        return float(np.mean(self.n_test / self.n_train))
