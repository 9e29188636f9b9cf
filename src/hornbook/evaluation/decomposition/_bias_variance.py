"""Bias and variance of any learner, by bootstrap samples of a table or by simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from hornbook.evaluation.decomposition._parts import BiasVariance, Loss
from hornbook.evaluation.decomposition._truth import Sampler, Truth, per_point, require_choice, training_sets
from hornbook.evaluation.splits._bootstrap import Bootstrap
from hornbook.evaluation.splits._rows import take_rows
from hornbook.frame import Frame
from hornbook.params import Seed

__all__ = ["bias_variance"]


def bias_variance(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    loss: Loss = "squared",
    method: Literal["bootstrap", "simulation"] = "bootstrap",
    n_samples: int = 50,
    sampler: Sampler | None = None,
    noise: ArrayLike | None = None,
    X_test: Any = None,
    y_test: Any = None,
    random_state: Seed = None,
) -> BiasVariance:
    """Take the expected loss of a learner apart into noise, bias and variance.

    The learner learns from many training sets; at each point its predictions are compared with their own
    center (variance), and the center with the truth (bias). Under the squared loss, with mean prediction
    f̄(x), ``loss = Var[y|x] + (f̄(x) - E[y|x])² + E[(f(x) - f̄(x))²]``. Under the zero-one loss the center is
    the most frequent class, and variance helps where it is wrong; see `BiasVariance`. The mean prediction is
    itself an average over ``n_samples``, so the bias holds about 1/n_samples of the variance.

    Parameters
    ----------
    learner : estimator
        With ``fit`` and ``predict``; it is cloned, not changed.
    X : Frame, DataFrame, array or list
        By bootstrap the rows to draw from; by simulation the points to look at.
    y : array-like
        By bootstrap the target of these rows. By simulation the truth at these points: E[y|x] for the
        squared loss; for the zero-one loss the most probable classes, or P(y|x) with one column for each
        class, classes sorted.
    loss : {"squared", "zero_one"}, default "squared"
        The squared loss needs numbers, so code classes for it (-1 and +1 in the notes).
    method : {"bootstrap", "simulation"}, default "bootstrap"
        Where training sets come from: rows drawn with replacement, or ``sampler``.
    n_samples : int, default 50
        Number of training sets.
    sampler : callable, optional
        For the simulation: takes a NumPy random generator and returns a fresh training set ``(X, y)``.
    noise : float or array-like of shape (n_points,), optional
        Var[y|x] for the squared loss, the chance of another than the most probable class for the zero-one
        loss. By bootstrap, where each target is seen once, noise and bias cannot be told apart: all is
        called bias, unless the variance of the noise is given here, which is then taken out of the bias.
    X_test, y_test : optional
        By bootstrap the points to look at, with their target; the rows themselves when left out, which is
        what the notes do, and optimistic: most points are also learned from.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    BiasVariance
        The averages and, for each point, the parts.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> def sampler(rng):
    ...     x = rng.uniform(-1, 1, (20, 1))
    ...     return x, x[:, 0] ** 2 + rng.normal(0, 0.1, 20)
    >>> points = np.linspace(-1, 1, 41)[:, None]
    >>> print(
    ...     bias_variance(
    ...         LinearRegression(),
    ...         points,
    ...         points[:, 0] ** 2,
    ...         noise=0.01,
    ...         method="simulation",
    ...         sampler=sampler,
    ...         n_samples=200,
    ...         random_state=0,
    ...     )
    ... )
    squared loss 0.1237 = noise 0.01 + bias² 0.09894 + variance 0.01474 (200 samples, 41 points)
    """
    require_choice("bias_variance", "loss", loss, ("squared", "zero_one"))
    require_choice("bias_variance", "method", method, ("bootstrap", "simulation"))
    if n_samples < 1:
        raise ValueError(f"bias_variance: 'n_samples' must be at least 1; got {n_samples}.")
    if isinstance(X, Frame):
        if X.w is not None:
            raise ValueError("bias_variance: rows have equal weights here: make the Frame without weight=.")
        X, y = X.features, X.y if y is None else y
    if method == "simulation":
        if X_test is not None or y_test is not None:
            raise ValueError(
                "bias_variance: by simulation the points are X and y; leave X_test and y_test out."
            )
        truth = Truth("bias_variance", loss, X, y, noise)
        sets = training_sets("bias_variance", sampler, n_samples, random_state)
        return truth.parts(learner, sets)
    if sampler is not None:
        raise ValueError(
            "bias_variance: 'sampler' belongs to method='simulation'; set that, or leave it out."
        )
    return _by_bootstrap(learner, (X, y), (X_test, y_test), loss, noise, n_samples, random_state)


def _by_bootstrap(
    learner: Any,
    table: tuple[Any, Any],
    tested: tuple[Any, Any],
    loss: Loss,
    noise: ArrayLike | None,
    n_samples: int,
    random_state: Seed,
) -> BiasVariance:
    (X, y), (X_test, y_test) = table, tested
    if (X_test is None) != (y_test is None):
        raise ValueError("bias_variance: X_test and y_test belong together; give both or neither.")
    if loss == "zero_one" and noise is not None:
        raise ValueError(
            "bias_variance: by bootstrap the noise of classes cannot be taken out of the bias: leave 'noise' "
            "out, or use method='simulation'."
        )
    points, target = (X, y) if X_test is None else (X_test, y_test)
    samples = Bootstrap(n_samples, test="all", random_state=random_state).split(X, y)
    sets = ((take_rows(X, rows), take_rows(y, rows)) for rows, _ in samples)
    found = Truth("bias_variance", loss, points, target, None).parts(learner, sets)
    if noise is None:
        return found
    known = per_point("bias_variance", noise, len(found.main))
    return replace(found, noise_at=known, bias_at=found.bias_at - known)
