"""The true distribution of the target at some points, from which bias and expected loss are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hornbook.evaluation.decomposition._parts import BiasVariance, Loss, squared_parts, zero_one_parts
from hornbook.evaluation.splits._rows import count_rows, same_rows
from hornbook.params import Floats, Seed
from hornbook.random import seed_of

__all__ = ["Sampler", "Truth", "per_point", "training_sets"]

Sampler: TypeAlias = Callable[[np.random.Generator], tuple[Any, Any]]


def training_sets(
    who: str, sampler: Sampler | None, n_samples: int, random_state: Seed
) -> Iterator[tuple[Any, Any]]:
    """Draw training sets, each with its own random generator."""
    if sampler is None:
        raise ValueError(
            f"{who}: a simulation needs 'sampler', a function of a NumPy random generator that returns a "
            "training set (X, y)."
        )
    seed = seed_of(random_state)
    # the i-th training set is the same however many are drawn
    return (sampler(np.random.default_rng([seed, i])) for i in range(n_samples))


class Truth:
    """The truth at some points, and the loss of predictions there.

    Parameters
    ----------
    who : str
        Function named in errors.
    loss : {"squared", "zero_one"}
        The loss.
    X : table
        The points.
    target : array-like of shape (n_points,) or (n_points, n_classes)
        E[y|x], or most probable classes, or P(y|x).
    noise : float or array-like of shape (n_points,), optional
        Var[y|x], or the probability of any but the most probable class.
    """

    def __init__(self, who: str, loss: Loss, X: Any, target: Any, noise: ArrayLike | None) -> None:
        self.who, self.loss, self.X = who, loss, X
        if target is None:
            raise ValueError(f"{who}: the target is needed: give y, or a Frame with a target.")
        values = same_rows(count_rows(X), y=target)["y"]
        assert values is not None
        self.noise = per_point(who, 0.0 if noise is None else noise, len(values))
        self.probabilities: Floats | None = None
        if loss == "squared":
            self.target = _numbers(who, "y", values)
        elif values.ndim == 2:
            self.probabilities = _probabilities(who, values)
            if noise is not None:
                raise ValueError(f"{who}: P(y|x) determines the noise: leave 'noise' out.")
        else:
            self.target = values
            if (self.noise > 1).any():
                raise ValueError(
                    f"{who}: under the zero-one loss 'noise' is a probability in [0, 1]; "
                    f"got {self.noise.max()}."
                )

    def parts(self, learner: Any, sets: Iterable[tuple[Any, Any]]) -> BiasVariance:
        """Fit a clone to each training set and decompose the loss."""
        predictions, labels = [], []
        for X, y in sets:
            predictions.append(np.asarray(clone(learner).fit(X, y).predict(self.X)))
            labels.append(np.unique(np.asarray(y)) if self.loss == "zero_one" else ())
        if self.loss == "squared":
            stacked = _numbers(self.who, "the predictions", np.stack(predictions))
            return squared_parts(stacked, self.target, self.noise)
        classes, probabilities = self.class_probabilities(np.unique(np.concatenate(labels)))
        return zero_one_parts(np.stack(predictions), probabilities, classes)

    def class_probabilities(self, seen: NDArray[Any]) -> tuple[NDArray[Any], Floats]:
        """Return the classes and P(y|x), given the classes seen in training."""
        if self.probabilities is not None:
            if len(seen) != self.probabilities.shape[1]:
                raise ValueError(
                    f"{self.who}: y has P(y|x) for {self.probabilities.shape[1]} classes, but the training "
                    f"sets have {len(seen)}: {seen.tolist()}."
                )
            return seen, self.probabilities
        classes = np.union1d(seen, self.target)
        is_target = (self.target[:, None] == classes).astype(np.float64)
        if self.noise.any() and len(classes) < 2:
            raise ValueError(
                f"{self.who}: noise needs a second class; there is only {classes.tolist()[0]!r}."
            )
        # the noise is taken as equally likely for all other classes
        spread = self.noise[:, None] / max(len(classes) - 1, 1)
        return classes, is_target * (1 - self.noise[:, None]) + (1 - is_target) * spread

    def expected_loss(self, prediction: NDArray[Any], seen: NDArray[Any]) -> float:
        """Return the expected loss of one prediction for each point."""
        if self.loss == "squared":
            numbers = _numbers(self.who, "the predictions", prediction)
            return float((self.noise + (numbers - self.target) ** 2).mean())
        classes, probabilities = self.class_probabilities(seen)
        return float(1 - ((prediction[:, None] == classes) * probabilities).sum(axis=1).mean())

    def least_loss(self, seen: NDArray[Any]) -> float:
        """Return the Bayes error: the expected loss of the best possible predictions."""
        if self.loss == "squared":
            return float(self.noise.mean())
        # Predicting the most probable class everywhere is Bayes-optimal under the zero-one loss.
        return float(1 - self.class_probabilities(seen)[1].max(axis=1).mean())


def _numbers(who: str, what: str, values: NDArray[Any]) -> Floats:
    if values.dtype.kind not in "iufb":
        example = values.ravel().tolist()[0]
        raise ValueError(
            f"{who}: the squared loss needs numbers, but {what} holds {example!r}: code classes as numbers "
            "(such as -1 and +1), or use loss='zero_one'."
        )
    return values.astype(np.float64)


def _probabilities(who: str, values: NDArray[Any]) -> Floats:
    probabilities = np.asarray(values, dtype=np.float64)
    if (probabilities < 0).any() or not np.allclose(probabilities.sum(axis=1), 1):
        raise ValueError(
            f"{who}: y has several columns, which must be P(y|x): not negative, each row summing to 1."
        )
    return probabilities


def per_point(who: str, noise: ArrayLike, n_points: int) -> Floats:
    known = np.asarray(noise, dtype=np.float64)
    if known.shape not in ((), (n_points,)):
        raise ValueError(
            f"{who}: 'noise' must be one number, or one for each of the {n_points} points; got an array of "
            f"shape {known.shape}."
        )
    if not (known >= 0).all():
        raise ValueError(f"{who}: 'noise' must not be negative; got {known.min()}.")
    return np.broadcast_to(known, (n_points,))
