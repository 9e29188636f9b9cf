"""Risk: the expected loss, at a point with known class probabilities, and over a whole distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate

from hornbook.evaluation.splits._rows import count_rows
from hornbook.params import Floats, suggest

__all__ = ["OptimalRule", "expected_loss", "expected_risk", "optimal_rule", "squared_loss", "zero_one_loss"]

LossFunction: TypeAlias = Callable[[Any, Any], Floats]
Function: TypeAlias = Callable[[Any], Any]


def zero_one_loss(y: ArrayLike, prediction: ArrayLike) -> Floats:
    """Loss of each prediction: 0 where it is the truth, 1 where it is not.

    Parameters
    ----------
    y, prediction : array-like
        True and predicted classes, of shapes that broadcast.

    Examples
    --------
    >>> zero_one_loss(["ripe", "raw"], ["ripe", "ripe"]).tolist()
    [0.0, 1.0]
    """
    return np.asarray(np.asarray(y) != np.asarray(prediction), dtype=np.float64)


def squared_loss(y: ArrayLike, prediction: ArrayLike) -> Floats:
    """Loss of each prediction: its squared distance from the truth.

    Parameters
    ----------
    y, prediction : array-like of numbers
        True and predicted values, of shapes that broadcast; classes as numbers, such as -1 and +1.

    Examples
    --------
    >>> squared_loss([1, -1], [1, 1]).tolist()
    [0.0, 4.0]
    """
    return (np.asarray(y, dtype=np.float64) - np.asarray(prediction, dtype=np.float64)) ** 2


_LOSSES: dict[str, LossFunction] = {"squared": squared_loss, "zero_one": zero_one_loss}


def expected_loss(
    probabilities: ArrayLike,
    values: Sequence[Any],
    predictions: Sequence[Any],
    *,
    loss: str | LossFunction = "zero_one",
) -> Floats:
    """Expected loss of each possible prediction at each point: the sum over y of L(y, prediction) P(y|x).

    Parameters
    ----------
    probabilities : array-like of shape (n_points, n_values)
        P(y|x), one row for each point.
    values : sequence of length n_values
        The possible values of y, in the order of the columns.
    predictions : sequence
        The possible predictions.
    loss : {"zero_one", "squared"} or callable, default "zero_one"
        The loss, or a function of true values and predictions.

    Returns
    -------
    ndarray of shape (n_points, n_predictions)
        Under the zero-one loss, 1 - P(prediction|x).

    Examples
    --------
    >>> expected_loss([[0.7, 0.3]], ["ripe", "raw"], ["ripe", "raw"]).round(6).tolist()
    [[0.3, 0.7]]
    """
    checked = _checked_probabilities("expected_loss", probabilities, values)
    costs = _loss("expected_loss", loss)(np.array(list(values))[:, None], np.array(list(predictions)))
    return np.asarray(checked @ costs)


class OptimalRule(NamedTuple):
    """The Bayes-optimal predictions and their expected loss.

    Parameters
    ----------
    predictions : ndarray of shape (n_points,)
        The optimal prediction at each point.
    losses : ndarray of shape (n_points,)
        Expected loss of each prediction.
    """

    predictions: NDArray[Any]
    losses: Floats


def optimal_rule(
    probabilities: ArrayLike, values: Sequence[Any], *, loss: str | LossFunction = "zero_one"
) -> OptimalRule:
    """Predict at each point the value with the smallest expected loss.

    Under the zero-one loss that is the most probable class, with expected loss 1 - P(class|x); under the
    squared loss the mean E[y|x], with expected loss Var[y|x]; under any other loss the best of the values.

    Parameters
    ----------
    probabilities : array-like of shape (n_points, n_values)
        P(y|x), one row for each point.
    values : sequence of length n_values
        The possible values of y, in the order of the columns; of equally good ones the first is predicted.
    loss : {"zero_one", "squared"} or callable, default "zero_one"
        The loss, or a function of true values and predictions.

    Returns
    -------
    OptimalRule
        The predictions and their expected losses.

    Examples
    --------
    >>> rule = optimal_rule([[0.7, 0.3], [0.2, 0.8]], ["ripe", "raw"])
    >>> rule.predictions.tolist(), rule.losses.round(6).tolist()
    (['ripe', 'raw'], [0.3, 0.2])
    >>> rule = optimal_rule([[0.75, 0.25]], [-1, 1], loss="squared")
    >>> rule.predictions.tolist(), rule.losses.tolist()
    ([-0.5], [0.75])
    """
    checked = _checked_probabilities("optimal_rule", probabilities, values)
    # The conditional mean minimizes the squared loss, and need not be one of the values.
    if loss == "squared":
        numbers = np.array(list(values), dtype=np.float64)
        means = checked @ numbers
        return OptimalRule(means, (checked * (numbers - means[:, None]) ** 2).sum(axis=1))
    losses = expected_loss(checked, values, values, loss=loss)
    best = losses.argmin(axis=1)
    return OptimalRule(np.array(list(values))[best], losses[np.arange(len(best)), best])


def expected_risk(
    predict: Any,
    truth: Function,
    *,
    loss: str | LossFunction = "squared",
    X: Any = None,
    weights: ArrayLike | None = None,
    density: Function | None = None,
    bounds: Sequence[tuple[float, float]] | None = None,
) -> float:
    """Expected loss over a distribution: the integral of L(truth(x), f(x)) p(x) dx.

    The distribution is either a density over a box, which is integrated numerically, or a sample of points
    with weights, over which the loss is averaged. With equal weights, the mean squared error and the error
    rate of a data set are special cases.

    Parameters
    ----------
    predict : fitted learner or callable
        The model f; as a function it takes points of shape (n, d) and returns n predictions.
    truth : callable
        The target of points, in the same form.
    loss : {"squared", "zero_one"} or callable, default "squared"
        The loss, or a function of true values and predictions.
    X : Frame, DataFrame or array, optional
        Sample of points.
    weights : array-like of shape (n_points,), optional
        Their weights, normalized to sum to 1; equal when left out.
    density : callable, optional
        The density p of points of shape (n, d); it must integrate to 1 over the box.
    bounds : sequence of pairs, optional
        Lower and upper bound of the box in each of at most three dimensions; may be infinite.

    Returns
    -------
    float
        The risk.

    Examples
    --------
    >>> uniform = lambda points: np.ones(len(points))
    >>> line, parabola = (lambda points: points[:, 0]), (lambda points: points[:, 0] ** 2)
    >>> round(expected_risk(line, parabola, density=uniform, bounds=[(0, 1)]), 6)  # 1/3 - 1/2 + 1/5
    0.033333
    >>> expected_risk(line, parabola, X=np.array([[0.0], [0.5], [1.0]]), weights=[1, 2, 1])
    0.03125
    """
    if (X is None) == (density is None):
        raise ValueError("expected_risk: give either a sample X, or a density with its bounds.")
    losses = _loss("expected_risk", loss)
    f = predict.predict if hasattr(predict, "predict") else predict
    if X is not None:
        if bounds is not None:
            raise ValueError("expected_risk: 'bounds' belong to a density; leave them out with a sample X.")
        return _sample_risk(losses(truth(X), f(X)), weights, count_rows(X))
    if bounds is None or not 1 <= len(bounds) <= 3:
        raise ValueError("expected_risk: a density needs 'bounds', a pair for each of 1 to 3 dimensions.")
    if weights is not None:
        raise ValueError("expected_risk: 'weights' belong to a sample X; a density has its own.")
    assert density is not None  # one of the two is not None
    p = density
    mass = _integral(p, bounds)
    # A density that misses mass would shrink the risk silently.
    if abs(mass - 1) > 1e-3:
        raise ValueError(
            f"expected_risk: the density integrates to {mass:.6g} over the bounds instead of 1: normalize "
            "it, or widen the bounds."
        )
    return _integral(lambda points: losses(truth(points), f(points)) * p(points), bounds)


def _sample_risk(losses: Floats, weights: ArrayLike | None, n_points: int) -> float:
    chosen = np.ones(n_points) if weights is None else np.asarray(weights, dtype=np.float64)
    if chosen.shape != (n_points,) or not (chosen >= 0).all() or not 0 < chosen.sum() < np.inf:
        raise ValueError(
            f"expected_risk: 'weights' must be {n_points} numbers, one for each point of X, none negative "
            "and not all zero."
        )
    return float(losses @ chosen / chosen.sum())


def _integral(function: Function, bounds: Sequence[tuple[float, float]]) -> float:
    """Integrate over a box by adaptive cubature, which refines where the zero-one loss jumps."""
    low, high = np.transpose(np.asarray(bounds, dtype=np.float64))
    wanted = 1e-9 if len(bounds) == 1 else 1e-5  # a step function in two dimensions converges slowly

    def floats(points: Floats) -> Floats:
        return np.asarray(function(points), dtype=np.float64)

    result = integrate.cubature(floats, low, high, rtol=wanted, atol=wanted, max_subdivisions=2000)
    estimate, error = float(result.estimate), float(result.error)
    # looser than requested: the estimated error of a step function is pessimistic; NaN fails, too
    if not error <= 1e-3 * max(abs(estimate), 1e-3):
        raise ValueError(
            f"expected_risk: the integral does not converge ({estimate:.4g} +- {error:.2g}): "
            "average over a sample X instead."
        )
    return estimate


def _loss(who: str, loss: str | LossFunction) -> LossFunction:
    if callable(loss):
        return loss
    if loss not in _LOSSES:
        raise ValueError(
            f"{who}: 'loss' must be 'squared', 'zero_one' or a function; got {loss!r}."
            + suggest(loss, _LOSSES)
        )
    return _LOSSES[loss]


def _checked_probabilities(who: str, probabilities: ArrayLike, values: Sequence[Any]) -> Floats:
    checked = np.asarray(probabilities, dtype=np.float64)
    if checked.ndim != 2 or checked.shape[1] != len(values):
        raise ValueError(
            f"{who}: 'probabilities' must have one column for each of the {len(values)} values; got an array "
            f"of shape {checked.shape}."
        )
    if (checked < 0).any() or not np.allclose(checked.sum(axis=1), 1):
        raise ValueError(f"{who}: 'probabilities' must not be negative, and each row must sum to 1.")
    return checked
