"""Shared by classifiers with linear scores: scores, margins, homogeneous coordinates."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats, Shape

__all__ = [
    "LinearClassifierMixin",
    "class_scores",
    "from_homogeneous",
    "linear_scores",
    "margins_of",
    "to_homogeneous",
]


def to_homogeneous(w: ArrayLike, t: float) -> Floats:
    """Append minus the threshold to the weights: w·x > t is the same as (w, -t)·(x, 1) > 0.

    Parameters
    ----------
    w : array-like of shape (n_columns,)
        Weights of the columns.
    t : float
        The threshold.

    Returns
    -------
    ndarray of shape (n_columns + 1,)
        The weights in homogeneous coordinates.

    Examples
    --------
    >>> to_homogeneous([3.0, 2.0], 6.5).tolist()
    [3.0, 2.0, -6.5]
    """
    return np.append(np.asarray(w, dtype=np.float64), -float(t))


def from_homogeneous(w: ArrayLike) -> tuple[Floats, float]:
    """Take the threshold out of homogeneous weights.

    Parameters
    ----------
    w : array-like of shape (n_columns + 1,)
        The weights, the constant last.

    Returns
    -------
    weights : ndarray of shape (n_columns,)
        Weights of the columns.
    threshold : float
        What their sum is compared with.

    Examples
    --------
    >>> weights, threshold = from_homogeneous([3.0, 2.0, -6.5])
    >>> weights.tolist(), threshold
    ([3.0, 2.0], 6.5)
    """
    whole = np.asarray(w, dtype=np.float64)
    return whole[:-1], -float(whole[-1])


def linear_scores(X: Floats, coef: Floats, intercept: Floats) -> Floats:
    """One score a row for two classes, else one for each class."""
    scores = X @ coef.T + intercept
    return np.asarray(scores[:, 0] if len(coef) == 1 else scores)


def margins_of(X: Floats, codes: NDArray[np.intp], coef: Floats, intercept: Floats) -> Floats:
    """Signed distance of each row from the boundary of its class, positive on the right side.

    With two classes it is y (w·x - t) / |w| for y = -1 or +1; with more, the least of these over the
    boundaries between the row's class and each other. Classes with the same weights have no boundary.
    """
    if len(coef) == 1:
        size = float(np.linalg.norm(coef[0]))
        lead = linear_scores(X, coef, intercept) * np.where(codes == 1, 1.0, -1.0)
        return np.asarray(lead / size if size > 0 else np.zeros_like(lead))
    scores = X @ coef.T + intercept
    lead = scores[np.arange(len(X)), codes][:, None] - scores
    # The boundary between two classes has the difference of their weights as normal vector.
    size = np.linalg.norm(coef[codes][:, None, :] - coef[None], axis=2)
    distance = np.divide(lead, size, out=np.full_like(lead, np.inf), where=size > 0)
    # The row's own class, and classes with its weights, have no boundary and are infinitely far.
    least = distance.min(axis=1)
    return np.where(np.isinf(least), 0.0, least)


def class_scores(scores: Floats) -> Floats:
    """One score for each class; with two, the first has 0."""
    return scores if scores.ndim == 2 else np.column_stack([np.zeros(len(scores)), scores])


class LinearClassifierMixin:
    """Mixin of classifiers that decide by linear scores, ``coef_`` times columns plus ``intercept_``."""

    coef_: Annotated[Floats, Shape("n_scores", "n_encoded")]
    intercept_: Annotated[Floats, Shape("n_scores")]

    def _decision(self, X: Floats) -> Floats:
        return linear_scores(X, self.coef_, self.intercept_)

    def margins(self, X: Any, y: Any) -> Floats:
        """Signed distance of each row from the boundary of its class.

        With two classes this is y (w·x - t) / |w| with y = +1 for the second class and -1 for the first; with
        more it is the least of these over the boundaries between the row's class and each other one. Scaling
        weights and threshold together changes nothing.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        margins : ndarray of shape (n_rows,)
            Positive for rows on the right side, negative for rows on the wrong one.
        """
        learner: Any = self._core()  # type: ignore[attr-defined]  # of the learner this is mixed into
        rows = learner._prepared(X)  # noqa: SLF001 - of the learner this is mixed into
        labels = learner._requirements().checked_target(y, len(rows))  # noqa: SLF001 - as above
        places = np.minimum(np.searchsorted(learner.classes_, labels), len(learner.classes_) - 1)
        unknown = learner.classes_[places] != labels
        if unknown.any():
            raise ValueError(
                f"y contains the class {labels[unknown].tolist()[0]!r}, which is not among the classes "
                f"{learner.classes_.tolist()!r}: leave out its rows."
            )
        return margins_of(rows, places, self.coef_, self.intercept_)
