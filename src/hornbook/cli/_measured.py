"""Measures of a model's answers, each with an interval."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cli._model import Matched
from hornbook.evaluation import (
    ConfusionTable,
    Interval,
    auc_interval,
    bootstrap_interval,
    choose_positive,
    confusion_table,
    for_positive,
    measure_by_name,
    proportion_interval,
    usual_measures,
)
from hornbook.frame import Blocks

__all__ = ["Answers", "Measured", "confusion", "measured"]

MOST_DRAWS = 1000  # of the bootstrap; fewer when there are many rows
CELLS = 20_000_000  # rows times draws that still take seconds
MOST_CLASSES = 30  # in a confusion table that can be read


@dataclass(frozen=True)
class Answers:
    """What a model says about rows whose truth is known.

    Parameters
    ----------
    model : str
        The model, for sentences.
    truth, answer : ndarray of shape (n_rows,)
        What is so, and what was predicted.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    classes : tuple
        The classes in the order of the probabilities; empty for numbers.
    shares : ndarray of shape (n_rows, n_classes), optional
        Their probabilities.
    scores : ndarray, optional
        What ranks the rows, where there are no probabilities.
    positive : label, optional
        The positive one of two classes.
    """

    model: str
    truth: NDArray[Any]
    answer: NDArray[Any]
    weights: NDArray[np.float64] | None
    classes: tuple[Any, ...]
    shares: NDArray[np.float64] | None
    scores: NDArray[np.float64] | None
    positive: Any = None

    @classmethod
    def of(cls, model: Any, matched: Matched, blocks: Blocks, weight: str | None) -> Answers:
        """Ask the model about all rows, piece by piece."""
        assert matched.target is not None
        found: dict[str, list[Any]] = {}
        for block in blocks:
            rows = matched.features(block.X)
            found.setdefault("truth", []).append(block.X[matched.target])
            for method in ("predict", "predict_proba", "decision_function"):
                if hasattr(model, method):
                    found.setdefault(method, []).append(getattr(model, method)(rows))
            if weight is not None:
                found.setdefault("weight", []).append(np.asarray(block.X[weight], dtype=np.float64))
        whole = {name: np.concatenate(parts) for name, parts in found.items()}
        classes = tuple(model.classes_.tolist()) if hasattr(model, "classes_") else ()
        truth = _checked(whole["truth"], matched.target, numbers=not classes)
        unknown = tuple(label for label in dict.fromkeys(truth.tolist()) if label not in classes)
        shares = whole.get("predict_proba")
        if classes and unknown:
            warnings.warn(f"the model does not know the classes {list(unknown)}.", UserWarning, stacklevel=2)
            shares = None if shares is None else np.pad(shares, ((0, 0), (0, len(unknown))))
        known = classes + unknown if classes else ()
        scores = whole.get("decision_function")
        return cls(str(model), truth, whole["predict"], whole.get("weight"), known, shares, scores)

    @property
    def usual(self) -> tuple[str, ...]:
        """Measures that people look at first."""
        return usual_measures(len(self.classes), probabilities=self.shares is not None)

    def measure(self, name: str) -> Any:
        """A measure that knows the positive class."""
        return for_positive(measure_by_name(name), self.classes, self.positive)

    def with_positive(self, asked: str | None) -> tuple[Answers, str]:
        """Fix the positive one of two classes on all rows; return why it is that one."""
        if len(self.classes) != 2:
            if asked is not None:
                raise ValueError(
                    "--positive is for two classes, which this model does not tell apart: leave it out."
                )
            return self, ""
        weights = np.ones(len(self.truth)) if self.weights is None else self.weights
        masses = {label: float(weights[self.truth == label].sum()) for label in self.classes}
        label, why = choose_positive(masses, asked)
        return replace(self, positive=label), why

    def for_measure(self, name: str) -> NDArray[Any]:
        """The answers that a measure is computed from."""
        needs = measure_by_name(name).needs
        if (needs == "numbers") == bool(self.classes):
            kind = "classes" if self.classes else "numbers"
            raise ValueError(f"{name} is not for a model that predicts {kind}: choose another --metric.")
        if needs in ("labels", "numbers"):
            return self.answer
        if needs == "scores" and self.shares is None and self.scores is not None:
            return self.scores
        if self.shares is None:
            raise ValueError(
                f"{name} needs {needs}, which {self.model} does not give: choose another --metric."
            )
        return self.shares[:, 1] if needs == "scores" and self.shares.shape[1] == 2 else self.shares


def _checked(truth: NDArray[Any], target: str, *, numbers: bool) -> NDArray[Any]:
    missing = np.array([each is None or each != each for each in truth.tolist()])  # noqa: PLR0124 - NaN
    if missing.any():
        raise ValueError(
            f"column '{target}' lacks the truth in {missing.sum()} of {len(truth)} rows, the first of them "
            f"row {int(missing.argmax())}: leave them out."
        )
    if numbers and truth.dtype.kind not in "fiu":
        raise ValueError(f"column '{target}' holds no numbers, but the model predicts numbers: see --target.")
    return truth


@dataclass(frozen=True)
class Measured:
    """One measure.

    Parameters
    ----------
    name : str
        Which one.
    value : float
        Over all rows.
    interval : Interval, optional
        What would be found on other rows of this kind; None where it cannot be had.
    """

    name: str
    value: float
    interval: Interval | None

    def __str__(self) -> str:
        return (
            f"{self.value:.4g} (too few rows for an interval)"
            if self.interval is None
            else str(self.interval)
        )

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        interval = None if self.interval is None else self.interval.to_dict()
        return {"value": self.value, "interval": interval}


def measured(answers: Answers, name: str, level: float, seed: int) -> Measured:
    """Compute a measure and its interval: Wilson's for shares of rows, else by the bootstrap.

    Parameters
    ----------
    answers : Answers
        What the model said.
    name : str
        The measure.
    level : float
        Confidence of the interval.
    seed : int
        Seed of the draws.
    """
    measure, told = answers.measure(name), answers.for_measure(name)
    options: dict[str, Any] = (
        {"labels": answers.classes} if measure.needs in ("probabilities", "scores") else {}
    )

    def value(rows: NDArray[np.intp]) -> float:
        weights = None if answers.weights is None else answers.weights[rows]
        return float(measure(answers.truth[rows], told[rows], sample_weight=weights, **options))

    everything = np.arange(len(answers.truth))
    whole = value(everything)
    if measure.row_mean is not None and measure.row_mean.share and answers.weights is None:
        n = len(everything)
        return Measured(name, whole, proportion_interval(round(whole * n), n, level=level))
    draws = max(100, min(MOST_DRAWS, CELLS // len(everything)))
    try:
        if name == "auc" and len(answers.classes) == 2 and answers.weights is None:
            drawn = {"positive": answers.classes[1], "n_replicates": draws, "random_state": seed}
            return Measured(name, whole, auc_interval(answers.truth, told, level=level, **drawn))
        with warnings.catch_warnings():  # a draw may lack a class; the whole has said so if it does
            warnings.simplefilter("ignore")
            interval = bootstrap_interval(
                value, everything, n_replicates=draws, level=level, random_state=seed
            )
    except ValueError:
        return Measured(name, whole, None)
    return Measured(name, whole, interval)


def confusion(answers: Answers) -> ConfusionTable | None:
    """Count the answers for each class; None for numbers and for more classes than can be read.

    Parameters
    ----------
    answers : Answers
        What the model said.
    """
    if not 0 < len(answers.classes) <= MOST_CLASSES:
        return None
    return confusion_table(
        answers.truth, answers.answer, labels=answers.classes, sample_weight=answers.weights
    )
