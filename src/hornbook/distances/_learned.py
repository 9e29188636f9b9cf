"""A distance that was learned: Euclidean after a linear transform."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.distances._distance import Distance
from hornbook.distances._space import Space, numbers_of, refuse_missing
from hornbook.frame import Frame
from hornbook.params import Floats

__all__ = ["TransformedEuclidean"]


@dataclass(frozen=True)
class TransformedEuclidean(Distance):
    """The Euclidean distance of x T and y T: √((x - y) A (x - y)ᵀ) with A = T Tᵀ.

    It takes complete numbers. Unlike Mahalanobis' distance it also takes matrices A without an inverse, which
    ignore some directions.

    Parameters
    ----------
    transform : array-like of shape (n_columns, n_columns)
        The matrix T.

    Examples
    --------
    >>> TransformedEuclidean([[2.0, 0.0], [0.0, 0.0]])([0.0, 0.0], [3.0, 7.0])
    6.0
    """

    transform: tuple[tuple[float, ...], ...]

    def __init__(self, transform: ArrayLike) -> None:
        matrix = np.asarray(transform, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
            raise ValueError(
                f"TransformedEuclidean: 'transform' must be a square matrix of finite numbers; got shape "
                f"{matrix.shape}."
            )
        object.__setattr__(self, "transform", tuple(tuple(row) for row in matrix.tolist()))

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Transform the rows."""
        del y, w  # nothing is learned here
        matrix = np.asarray(self.transform)
        kinds = frame.schema.kinds
        if any(kind != "numeric" for kind in kinds) or len(kinds) != len(matrix):
            raise ValueError(
                f"TransformedEuclidean takes {len(matrix)} columns of numbers; got {len(kinds)}, "
                f"{sum(kind == 'numeric' for kind in kinds)} of them numeric: pass the columns it was "
                "learned from."
            )
        numeric = np.arange(len(kinds))
        refuse_missing(frame, numeric, numbers_of(frame, numeric))
        no_codes = np.empty(0, dtype=np.int32)
        return Space(
            2.0,
            numeric,
            np.empty(0, dtype=np.intp),
            matrix,
            np.ones(len(kinds)),
            np.empty(0),
            no_codes,
            np.empty((0, 0)),
        )

    def __str__(self) -> str:
        return "Euclidean distance after a learned transform"
