"""Bias and variance of any learner, from bootstrap samples of a table or by simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from hornbook.evaluation.decomposition._parts import BiasVariance, Loss
from hornbook.evaluation.decomposition._truth import Sampler, Truth, per_point, training_sets
from hornbook.evaluation.intervals._samples import one_of
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
    """Decompose the expected loss of a learner into noise, bias and variance.

    The learner is fitted to many training sets; at each point its predictions are compared with their main
    prediction (variance), and the main prediction with the truth (bias). Under the squared loss, with mean
    prediction f̄(x), ``loss = Var[y|x] + (f̄(x) - E[y|x])² + E[(f(x) - f̄(x))²]``. Under the zero-one loss
    (Domingos, 2000) the main prediction is the most frequent class, and variance helps where it is wrong; see
    `BiasVariance`. The mean prediction is itself an average over ``n_samples``, so the bias includes about
    1/n_samples of the variance.

    Parameters
    ----------
    learner : estimator
        With ``fit`` and ``predict``; it is cloned, not changed.
    X : Frame, DataFrame, array or list
        Bootstrap: the rows to draw from. Simulation: the points of evaluation.
    y : array-like
        Bootstrap: the target of these rows. Simulation: the truth at these points, which is E[y|x] for the
        squared loss; for the zero-one loss the most probable classes, or P(y|x) with one column for each
        class, classes sorted.
    loss : {"squared", "zero_one"}, default "squared"
        The squared loss needs numbers, so code classes for it (-1 and +1 in the notes).
    method : {"bootstrap", "simulation"}, default "bootstrap"
        Where training sets come from: rows drawn with replacement, or ``sampler``.
    n_samples : int, default 50
        Number of training sets.
    sampler : callable, optional
        For the simulation: takes a NumPy random generator and returns a new training set ``(X, y)``.
    noise : float or array-like of shape (n_points,), optional
        Var[y|x] for the squared loss, the probability of any but the most probable class for the zero-one
        loss. With the bootstrap, where each target is seen once, noise and bias are not identifiable: both
        are reported as bias, unless the variance of the noise is given here and subtracted from it.
    X_test, y_test : optional
        Bootstrap: the points of evaluation, with their target; the rows themselves when left out, as in the
        notes, which is optimistic: most points are also training rows.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    BiasVariance
        The parts, on average and at each point.

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
    one_of("bias_variance", "loss", loss, ("squared", "zero_one"))
    one_of("bias_variance", "method", method, ("bootstrap", "simulation"))
    if n_samples < 1:
        raise ValueError(f"bias_variance: 'n_samples' must be at least 1; got {n_samples}.")
    if isinstance(X, Frame):
        if X.w is not None:
            raise ValueError("bias_variance: weights are not supported: make the Frame without weight=.")
        X, y = X.features, X.y if y is None else y
    if method == "simulation":
        if X_test is not None or y_test is not None:
            raise ValueError(
                "bias_variance: in a simulation the points are X and y; leave X_test and y_test out."
            )
        truth = Truth("bias_variance", loss, X, y, noise)
        sets = training_sets("bias_variance", sampler, n_samples, random_state)
        return truth.parts(learner, sets)
    if sampler is not None:
        raise ValueError(
            "bias_variance: 'sampler' is only for method='simulation'; set that, or leave it out."
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
            "bias_variance: the bootstrap cannot separate the noise of classes from the bias: leave 'noise' "
            "out, or use method='simulation'."
        )
    # each target is seen once, so E[y|x] is taken to be the target itself, noise included
    points, target = (X, y) if X_test is None else (X_test, y_test)
    samples = Bootstrap(n_samples, test="all", random_state=random_state).split(X, y)
    sets = ((take_rows(X, rows), take_rows(y, rows)) for rows, _ in samples)
    # Bias then includes the noise; known noise is subtracted below, and may leave a negative
    # estimate.
    parts = Truth("bias_variance", loss, points, target, None).parts(learner, sets)
    if noise is None:
        return parts
    known = per_point("bias_variance", noise, len(parts.main))
    return replace(parts, noise_at=known, bias_at=parts.bias_at - known)
