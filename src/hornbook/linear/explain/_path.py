"""Coefficients for a whole range of penalties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hornbook.base import Table
from hornbook.display import Cell
from hornbook.frame import Blocks
from hornbook.linear.solvers._least_squares import LeastSquaresSums, Problem, has_one_target, normal_equations
from hornbook.params import Floats
from hornbook.plots import coefficient_path

__all__ = ["CoefficientPath", "alphas_of", "path_of", "path_sums"]


@dataclass(frozen=True, eq=False)
class CoefficientPath:
    """Coefficients for a range of penalties, the strongest first.

    Parameters
    ----------
    alphas : ndarray of shape (n_alphas,)
        Weights of the penalty, falling.
    coefs : ndarray of shape (n_alphas, n_encoded)
        The coefficients for each.
    intercepts : ndarray of shape (n_alphas,)
        The constant terms.
    names : ndarray of shape (n_encoded,)
        Names of the encoded columns.

    Examples
    --------
    >>> from hornbook import Lasso
    >>> path = Lasso().path([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], alphas=[1.0, 0.5, 0.1])
    >>> path.coefs[:, 0].round(3).tolist()
    [0.0, 0.25, 0.85]
    """

    alphas: Floats
    coefs: Floats
    intercepts: Floats
    names: NDArray[Any]

    def plot(self, ax: Any = None) -> Any:
        """Draw each coefficient against the weight of the penalty.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.

        Returns
        -------
        ax : matplotlib Axes
            The plot.
        """
        return coefficient_path(self.alphas, self.coefs, [str(name) for name in self.names], ax=ax)

    def __str__(self) -> str:
        rows: list[list[Cell]] = [
            [float(alpha), *map(float, row)] for alpha, row in zip(self.alphas, self.coefs, strict=True)
        ]
        return str(Table("Coefficients by penalty", ["alpha", *map(str, self.names)], rows))


def path_sums(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[LeastSquaresSums, NDArray[Any]]:
    """Products of columns and target as the learner would see them, and the names of the columns."""
    twin = clone(model)  # the caller's model stays as it is
    collected: list[LeastSquaresSums] = []

    def collect(blocks: Blocks) -> None:
        if not has_one_target(blocks):
            raise ValueError(
                f"{type(model).__name__}.path takes one target; got several: ask for one after the other."
            )
        collected.append(normal_equations(Problem(blocks, type(model).__name__, model.fit_intercept)))

    vars(twin)["_fit_blocks"] = collect  # runs the checks and the encoding of a fit, but not the solver
    twin.fit(X, y, sample_weight)
    return collected[0], twin.encoded_names_


def alphas_of(alphas: int | ArrayLike, largest: float, eps: float, learner: str) -> Floats:
    """The penalties, strongest first; a count asks for so many, evenly spaced on a log scale."""
    if not 0 < eps < 1:
        raise ValueError(f"{learner}.path: 'eps' must be between 0 and 1; got {eps!r}.")
    if isinstance(alphas, int | np.integer) and not isinstance(alphas, bool):
        if alphas < 1:
            raise ValueError(f"{learner}.path: 'alphas' must be at least 1; got {alphas}.")
        top = largest if largest > 0 else 1.0  # a constant target: any range will do
        # As in glmnet (Friedman, Hastie and Tibshirani 2010).
        return np.geomspace(top, eps * top, int(alphas))
    penalties = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    if penalties.ndim != 1 or not len(penalties) or not (np.isfinite(penalties) & (penalties >= 0)).all():
        raise ValueError(f"{learner}.path: 'alphas' must be how many, or numbers >= 0; got {alphas!r}.")
    return penalties


def path_of(alphas: Floats, coefs: Floats, sums: LeastSquaresSums, names: NDArray[Any]) -> CoefficientPath:
    """The path, with the intercepts that belong to the coefficients."""
    intercepts = sums.mean[-1] - coefs @ sums.mean[:-1]
    return CoefficientPath(alphas, coefs, np.asarray(intercepts), names)
