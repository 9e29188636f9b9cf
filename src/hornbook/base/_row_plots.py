"""Rows in the plots of learners: checked, and drawn with their predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from hornbook.base.intake._target import coded, numbers_of, target_array
from hornbook.frame import Frame
from hornbook.plots import agreement, histogram, side_by_side, strips

__all__ = [
    "class_codes",
    "draw_beside_rows",
    "draw_outcomes",
    "draw_outlier_scores",
    "in_plane",
    "on_line",
    "rows_to_draw",
]

_SIZE = (9.6, 3.6)  # inches of two plots side by side


def rows_to_draw(learner: Any, X: Any, y: Any) -> tuple[Frame | None, NDArray[Any] | None]:
    """Return the rows to plot in the columns of the fit, and their target as the learner knows it."""
    name = type(learner).__name__
    if X is None:
        if y is not None:
            raise ValueError(f"{name}.plot: y was given without X: pass the rows of these targets too.")
        return None, None
    table: Any = X
    if issparse(X):
        # A plot shows few rows, so that a dense copy is affordable.
        table = table.toarray()
    rows = learner._new_rows(table)  # noqa: SLF001 - the way in of the learner
    # A Frame brings its own target.
    target = getattr(X, "y", None) if y is None else y
    if target is None:
        return rows, None
    target = target_array(target, len(rows), name, multi_output=learner.accepts.multi_output)
    if not learner.supervised:
        return rows, target
    if not hasattr(learner, "classes_"):
        return rows, numbers_of(target)
    if isinstance(learner.classes_, list):  # several targets have no one color
        return rows, None
    # Found before drawing, because a class without a place has no color and no strip.
    unknown = ~np.isin(target, learner.classes_)
    if unknown.any():
        raise ValueError(
            f"{name}.plot: y has the class {target[unknown].tolist()[0]!r}, which the model does not know: "
            "leave such rows out, or leave out y."
        )
    # By way of the codes, so that the labels have the type of the fit: a 1 read from a file as 1.0 is 1.
    return rows, learner.classes_[coded(target, learner.classes_)]


def class_codes(learner: Any, rows: Frame, labels: NDArray[Any] | None) -> NDArray[np.intp]:
    """Return the class of each row as a place in ``classes_``: the given one, or the predicted one.

    Parameters
    ----------
    learner : fitted classifier
        Who knows the classes.
    rows : Frame
        The rows, in the columns of the fit.
    labels : ndarray of shape (n_rows,), optional
        Their classes.

    Returns
    -------
    codes : ndarray of shape (n_rows,)
        The places.

    Examples
    --------
    >>> from hornbook import Baseline, Frame
    >>> rows = Frame({"size": [0.0, 1.0, 5.0]})
    >>> class_codes(Baseline().fit(rows, ["a", "b", "b"]), rows, None).tolist()
    [1, 1, 1]
    """
    known = learner.predict(rows) if labels is None else labels
    return np.asarray(coded(np.asarray(known), learner.classes_), dtype=np.intp)


def in_plane(rows: Frame | None) -> bool:
    """Whether there are rows of two numbers, of which at least one is complete.

    Parameters
    ----------
    rows : Frame, optional
        The rows to plot.

    Returns
    -------
    flat : bool
        Whether they can be drawn as points.

    Examples
    --------
    >>> from hornbook import Frame
    >>> in_plane(Frame({"size": [0.0, None], "mass": [1.0, 2.0]}))
    True
    """
    if rows is None or len(rows.schema) != 2 or len(rows.schema.numeric) != 2:
        return False
    return not np.isnan(rows.matrix).any(axis=1).all()


def on_line(rows: Frame | None) -> bool:
    """Whether there are rows of one number, which at least one of them has.

    Parameters
    ----------
    rows : Frame, optional
        The rows to plot.

    Returns
    -------
    straight : bool
        Whether a curve can be drawn over them.

    Examples
    --------
    >>> from hornbook import Frame
    >>> on_line(Frame({"color": ["red", "green"]}))
    False
    """
    if rows is None or len(rows.schema) != 1 or len(rows.schema.numeric) != 1:
        return False
    return not np.isnan(rows.matrix).all()


def draw_beside_rows(
    learner: Any, draw: Callable[[Any], Any], rows: Frame | None, labels: NDArray[Any] | None, ax: Any
) -> Any:
    """Draw the model, and beside it, when there are rows, what it says of them.

    Parameters
    ----------
    learner : fitted learner
        The model.
    draw : callable
        Draws the model on a matplotlib Axes, or on a new one for None.
    rows : Frame, optional
        The rows, in the columns of the fit.
    labels : ndarray of shape (n_rows,), optional
        Their target.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    ax : matplotlib Axes
        The plot of the model.

    Examples
    --------
    >>> from hornbook import Baseline, Frame
    >>> from hornbook.plots import bars
    >>> rows = Frame({"size": [0.0, 1.0, 5.0]})
    >>> model = Baseline().fit(rows, ["a", "b", "b"])
    >>> ax = draw_beside_rows(model, lambda ax: bars([1, 2], ["a", "b"], ax), rows, None, None)
    >>> len(ax.figure.axes)
    2
    """
    if rows is None:
        return draw(ax)
    left, right = side_by_side(ax, _SIZE)
    draw(left)
    draw_outcomes(learner, rows, labels, right)
    return left


def draw_outcomes(learner: Any, rows: Frame, target: NDArray[Any] | None, ax: Any) -> Any:
    """Draw how sure the learner is of the class of each row, or its number against the true one.

    Parameters
    ----------
    learner : fitted learner
        The model.
    rows : Frame
        The rows, in the columns of the fit.
    target : ndarray of shape (n_rows,), optional
        Their target; without it, predicted classes or numbers are drawn alone.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    ax : matplotlib Axes
        The plot.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Baseline, Frame
    >>> rows = Frame({"size": [0.0, 1.0, 5.0]})
    >>> labels = np.array(["a", "b", "b"])
    >>> draw_outcomes(Baseline().fit(rows, labels), rows, labels, None).get_title()
    '2 of 3 rows right'
    """
    if not hasattr(learner, "classes_"):
        predicted = np.asarray(learner.predict(rows), dtype=np.float64)
        if target is None:
            ax = histogram(predicted.ravel(), ax=ax)
            ax.set(xlabel="prediction", ylabel="rows")
            return ax
        return agreement(np.asarray(target).ravel(), predicted.ravel(), ax=ax)
    answers = class_codes(learner, rows, None)
    own = answers if target is None else class_codes(learner, rows, target)
    values, name = _sureness(learner, rows, own, "predicted" if target is None else "own")
    labels = learner.classes_.tolist()
    right = answers == own
    counts, hits = (np.bincount(own, w, minlength=len(labels)).astype(int) for w in (None, right))
    if target is None:
        names, title = [f"{label}, {n}" for label, n in zip(labels, counts, strict=True)], f"{len(own)} rows"
    else:
        names = [f"{label}, {h} of {n}" for label, h, n in zip(labels, hits, counts, strict=True)]
        title = f"{int(right.sum())} of {len(own)} rows right"
    ax = strips(values, own, names, ax, wrong=~right, name=name, title=title)
    if hasattr(learner, "predict_proba"):
        # The whole range of probabilities, so that plots of different learners can be compared; a little
        # more, because dots at 0 and 1 have a size.
        ax.set_xlim(-0.04, 1.04)
    return ax


def _sureness(learner: Any, rows: Frame, own: NDArray[np.intp], whose: str) -> tuple[NDArray[Any], str]:
    """Return a number for each row: the probability of a class, its lead over the others, or 1 and 0."""
    at = np.arange(len(own))
    if hasattr(learner, "predict_proba"):
        return np.asarray(learner.predict_proba(rows))[at, own], f"probability of the {whose} class"
    if not hasattr(learner, "decision_function"):
        return (class_codes(learner, rows, None) == own).astype(float), "1 where predicted, else 0"
    scores = np.asarray(learner.decision_function(rows), dtype=np.float64)
    if scores.ndim == 1:
        # One column of scores speaks for the second class.
        return np.where(own == len(learner.classes_) - 1, scores, -scores), f"score of the {whose} class"
    others = scores.copy()
    # Scores of several classes have no common zero; the lead over the best other class is what decides.
    others[at, own] = -np.inf
    return scores[at, own] - others.max(axis=1), f"lead of the {whose} class in the score"


def draw_outlier_scores(model: Any, rows: Frame, y: Any, ax: Any) -> Any:
    """Draw the scores of rows, by the given groups or by what they are taken for.

    Parameters
    ----------
    model : fitted outlier detector
        Who scores.
    rows : Frame
        The rows.
    y : ndarray of shape (n_rows,), optional
        Their groups; usual rows and outliers when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    """
    scores = np.asarray(model.decision_function(rows))
    shown = np.where(scores >= 0, "usual", "outlier") if y is None else np.asarray(y)
    groups, codes = np.unique(shown, return_inverse=True)
    names = [str(group) for group in groups.tolist()]
    ax = strips(scores, codes, names, ax, name="score, below 0 for outliers")
    ax.axvline(0.0, color="gray", linewidth=1.0, zorder=0)
    return ax
