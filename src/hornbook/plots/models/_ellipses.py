"""Class means and standard-deviation ellipses in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.frame import as_frame
from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import ClassStyle, class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ellipses"]


def ellipses(
    means: ArrayLike,
    covariances: ArrayLike,
    labels: Sequence[object],
    *,
    X: Any = None,
    y: ArrayLike | None = None,
    levels: Sequence[float] = (1, 2),
    asked: ArrayLike | None = None,
    tested: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean of each class and the ellipses at some numbers of standard deviations around it.

    Parameters
    ----------
    means : array-like of shape (n_classes, 2)
        Mean of each class.
    covariances : array-like of shape (n_classes, 2) or (n_classes, 2, 2)
        Variances of the two columns within each class, which give ellipses parallel to the axes, or full
        covariance matrices.
    labels : sequence of length n_classes
        The classes.
    X : table of shape (n, 2), optional
        Points to draw as well; its column names become the labels of the axes.
    y : array-like of shape (n,), optional
        Class of each point; without it the points are gray.
    levels : sequence of float, default (1, 2)
        Mahalanobis distances of the ellipses from the mean.
    asked : array-like of shape (m, 2), optional
        Query points, drawn as white squares.
    tested : array-like of bool of shape (n,), optional
        Which points were kept for testing: they are black, and the others gray.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = ellipses([[0, 0], [3, 1]], [[1.0, 0.25], [4.0, 1.0]], ["a", "b"])
    >>> [(ellipse.width, ellipse.height) for ellipse in ax.patches]
    [(2.0, 1.0), (4.0, 2.0), (4.0, 2.0), (8.0, 4.0)]
    """
    centers, matrices = _checked(means, covariances, labels)
    if any(not level > 0 for level in levels):
        raise ValueError(f"ellipses: 'levels' must be positive numbers; got {list(levels)}.")
    ax = axes(ax)
    if X is not None:
        _points(ax, X, y, labels, tested)
    elif y is not None or tested is not None:
        given = "y" if y is not None else "tested"
        raise ValueError(f"ellipses: '{given}' was given without 'X'; give the points of these classes too.")
    looks = class_styles(len(labels))
    for center, matrix, look in zip(centers, matrices, looks, strict=True):
        _outline(ax, center, matrix, levels, look.color)
        _mean(ax, center, look)
    squares = [] if asked is None else [(_squares(ax, np.asarray(asked, dtype=np.float64)), "asked")]
    ax.autoscale_view()
    class_legend(ax, labels, more=squares)
    return ax


def _squares(ax: Axes, places: NDArray[np.float64]) -> Any:
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"ellipses: 'asked' must have two columns; got shape {places.shape}.")
    style: dict[str, Any] = {"color": "white", "markeredgecolor": "black", "markersize": 7}
    (squares,) = ax.plot(places[:, 0], places[:, 1], "s", **style)
    return squares


def _checked(
    means: ArrayLike, covariances: ArrayLike, labels: Sequence[object]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means of shape (k, 2) and covariance matrices of shape (k, 2, 2)."""
    centers = np.asarray(means, dtype=np.float64)
    spreads = np.asarray(covariances, dtype=np.float64)
    count = len(labels)
    if centers.shape != (count, 2):
        raise ValueError(
            f"ellipses: 'means' must have shape ({count}, 2), two numbers for each of the {count} labels; "
            f"got shape {centers.shape}, so choose two columns."
        )
    if spreads.shape not in ((count, 2), (count, 2, 2)):
        raise ValueError(
            f"ellipses: 'covariances' must have shape ({count}, 2) or ({count}, 2, 2); "
            f"got shape {spreads.shape}."
        )
    matrices = spreads if spreads.ndim == 3 else spreads[:, :, None] * np.eye(2)
    finite = np.isfinite(matrices).all() and np.isfinite(centers).all()
    if not finite or not all(_is_covariance(matrix) for matrix in matrices):
        raise ValueError(
            "ellipses: 'means' must be finite and each of 'covariances' symmetric without negative variances."
        )
    return centers, matrices


def _is_covariance(matrix: NDArray[np.float64]) -> bool:
    """Return whether a matrix is symmetric and positive semidefinite, up to rounding."""
    rounding = 1e-9 * np.abs(matrix).max()
    return bool(abs(matrix[0, 1] - matrix[1, 0]) <= rounding and np.linalg.eigvalsh(matrix)[0] >= -rounding)


def _points(
    ax: Axes, X: Any, y: ArrayLike | None, labels: Sequence[object], tested: ArrayLike | None
) -> None:
    frame = as_frame(X).features
    rows = frame.matrix
    if rows.shape[1] != 2:
        raise ValueError(f"ellipses: 'X' must have 2 columns; got {rows.shape[1]}, so choose two.")
    if frame.schema.named:
        ax.set_xlabel(frame.schema.names[0])
        ax.set_ylabel(frame.schema.names[1])
    lacking = int(np.isnan(rows).any(axis=1).sum())
    if lacking:
        ax.set_title(f"{lacking} of {len(rows)} rows have missing values", loc="right", fontsize=9)
    kept = _kept(tested, len(rows))
    if y is None:
        parts: list[tuple[Any, str]] = (
            [(slice(None), GRAY)] if kept is None else [(~kept, GRAY), (kept, "black")]
        )
        for some, shade in parts:
            ax.scatter(rows[some, 0], rows[some, 1], s=14, color=shade, alpha=0.6, linewidths=0)
        return
    classes = np.asarray(y)
    if classes.shape != (len(rows),):
        raise ValueError(
            f"ellipses: 'y' must have one class for each of the {len(rows)} rows of 'X'; "
            f"got shape {classes.shape}."
        )
    known = [classes == label for label in labels]
    if not np.any(known, axis=0).all():
        odd = classes[~np.any(known, axis=0)][0]
        raise ValueError(f"ellipses: 'y' has the class '{odd}', which is not one of 'labels' {list(labels)}.")
    for chosen, look in zip(known, class_styles(len(labels)), strict=True):
        groups = (
            [(chosen, look.color)] if kept is None else [(chosen & ~kept, GRAY), (chosen & kept, "black")]
        )
        for some, shade in groups:
            across, up = rows[some].T
            ax.scatter(across, up, s=16, marker=look.marker, color=shade, alpha=0.55, linewidths=0)


def _kept(tested: ArrayLike | None, count: int) -> NDArray[np.bool_] | None:
    """Return which rows were kept for testing, if that is known."""
    if tested is None:
        return None
    kept = np.asarray(tested).astype(np.bool_)
    if kept.shape != (count,):
        raise ValueError(
            f"ellipses: 'tested' must have one entry for each of the {count} rows of 'X'; "
            f"got shape {kept.shape}."
        )
    return kept


def _mean(ax: Axes, center: NDArray[np.float64], look: ClassStyle) -> None:
    """Mark a mean with the marker of its class, larger and white inside."""
    (mark,) = ax.plot([center[0]], [center[1]], linestyle="none", marker=look.marker, color=look.color)
    mark.set(markersize=8, markerfacecolor="white", markeredgewidth=1.8, zorder=4)


def _outline(
    ax: Axes, center: NDArray[np.float64], matrix: NDArray[np.float64], levels: Sequence[float], shade: str
) -> None:
    from matplotlib.patches import Ellipse  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    if matrix[0, 1] == 0:  # parallel to the axes: width belongs to the first column
        spread, angle = np.sqrt(np.diag(matrix)), 0.0
    else:
        variances, directions = np.linalg.eigh(matrix)
        spread = np.sqrt(np.maximum(variances, 0))
        # Eigenvalues ascend: the first direction belongs to the first of `spread`.
        angle = float(np.degrees(np.arctan2(directions[1, 0], directions[0, 0])))
    # Of a normal distribution in the plane 1 - exp(-level² / 2) lies inside: 39 % within one standard
    # deviation and 86 % within two, not 68 % and 95 % as on a line.
    for level in levels:
        wide, high = 2 * level * spread
        ax.add_patch(
            Ellipse(
                (float(center[0]), float(center[1])),
                float(wide),
                float(high),
                angle=angle,
                facecolor="none",
                edgecolor=shade,
                linewidth=1.6,
                zorder=3,
            )
        )
