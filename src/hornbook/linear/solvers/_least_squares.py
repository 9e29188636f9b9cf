"""Least squares as sums over rows: normal equations where they are accurate, QR and SVD where not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve, svd
from scipy.optimize import nnls

from hornbook.frame import Block, Blocks, Moments
from hornbook.linear.solvers._scatter import Scatter, refuse_large
from hornbook.params import Floats

__all__ = [
    "Fit",
    "LeastSquaresSums",
    "Problem",
    "has_one_target",
    "identity_design",
    "least_squares",
    "means",
    "normal_equations",
    "penalized",
    "residual_squares",
]

Design = Callable[[Floats], Floats]

# Squared pivots of the scaled normal equations below this would cost more than half of the digits: the
# condition number of X'X is the square of that of X, which QR works on.
SAFE = 1e-5
PLAIN = 1e-3  # residual over total squares from which subtraction is accurate enough
LARGEST = 1e150  # numbers whose squares, and sums of those, are still finite


def identity_design(X: Floats) -> Floats:
    """The columns themselves."""
    return X


@dataclass(frozen=True)
class Problem:
    """A least squares problem.

    Parameters
    ----------
    blocks : Blocks
        The rows, with one or several numbers as target.
    learner : str
        Name of the learner, for messages.
    fit_intercept : bool
        Whether there is a constant term.
    design : callable
        Maps the columns of a chunk to those of the fit.
    """

    blocks: Blocks
    learner: str
    fit_intercept: bool = True
    design: Design = identity_design


@dataclass(frozen=True)
class Fit:
    """A solution, one row of coefficients for each target.

    Parameters
    ----------
    coef : ndarray of shape (n_targets, n_columns)
        The coefficients.
    intercept : ndarray of shape (n_targets,)
        The constant terms.
    rank : int
        Number of linearly independent columns.
    spread : ndarray of shape (n_columns + 1,)
        Diagonal of the inverse of (X, 1)'W(X, 1): times the variance of the errors, this is the variance of
        the coefficients, the intercept's last.
    mass : float
        Weight of all rows.
    total : ndarray of shape (n_targets,)
        Squares of each target, around its mean if there is an intercept.
    rss : ndarray of shape (n_targets,)
        Residual sum of squares, by subtraction: inaccurate where it is a small part of the total.
    mean, variance : ndarray of shape (n_columns,)
        What was subtracted from the columns, 0 without an intercept, and their mean squares after that.
    root : ndarray of shape (n_columns + 1, rank + 1), optional
        A root of the inverse whose diagonal is the spread, where columns are redundant.
    method : {"cholesky", "svd", "nnls"}
        How it was found; of the last, with no negative coefficient, the spread is unknown and empty.
    """

    coef: Floats
    intercept: Floats
    rank: int
    spread: Floats
    mass: float
    total: Floats
    rss: Floats
    mean: Floats
    variance: Floats
    root: Floats | None = None
    method: Literal["cholesky", "svd", "nnls"] = "svd"

    @property
    def scale(self) -> float:
        """Scale of the predictions: the standard deviation of the target that varies least."""
        return float(np.sqrt(self.total.min() / self.mass))


@dataclass(frozen=True)
class LeastSquaresSums:
    """Means and products of columns and targets.

    Parameters
    ----------
    mass : float
        Weight of all rows.
    mean : ndarray of shape (n_columns + n_targets,)
        What is subtracted: the means, or 0 without an intercept.
    products : ndarray of shape (n_columns + n_targets, n_columns + n_targets)
        Sums of the products after that.
    n_targets : int
        How many of the last columns are targets.
    """

    mass: float
    mean: Floats
    products: Floats
    n_targets: int

    @property
    def x(self) -> Floats:
        """Products of columns."""
        p = len(self.mean) - self.n_targets
        return self.products[:p, :p]

    @property
    def xy(self) -> Floats:
        """Products of columns and targets."""
        p = len(self.mean) - self.n_targets
        return self.products[:p, p:]


def normal_equations(problem: Problem) -> LeastSquaresSums:
    """Collect all products of columns and targets in one pass."""
    scatter = problem.blocks.reduce(_scatter, problem.design, merge=Scatter.merge)
    mean, products = scatter.mean[0], scatter.within
    mass = float(scatter.mass[0])
    if not problem.fit_intercept:
        # Without an intercept products are around 0, not around the means.
        with np.errstate(over="ignore", invalid="ignore"):
            products = products + mass * np.outer(mean, mean)
        mean = np.zeros_like(mean)
    if not np.isfinite(products).all():
        refuse_large(problem.learner)
    return LeastSquaresSums(mass, mean, products, _n_targets(problem.blocks))


def least_squares(problem: Problem, alpha: float = 0.0, *, positive: bool = False) -> Fit:
    """Minimize the sum of squared residuals plus alpha times the squares of the coefficients.

    Without a penalty and with redundant columns, the coefficients are the shortest of all minimizers. With
    ``positive``, only coefficients of 0 and more count.
    """
    # As many columns as rows always make singular normal equations: go straight to the factors.
    if not positive and problem.design(problem.blocks.take([0]).X).shape[1] < problem.blocks.n_rows:
        sums = normal_equations(problem)
        fit = _by_cholesky(sums, alpha)
        if fit is not None:
            return fit
        mass, mean = sums.mass, sums.mean
    else:
        mass, mean = means(problem)
    # Triangular factors of chunks, stacked and factored again, give that of all rows (TSQR).
    triangle = problem.blocks.reduce(_triangle, problem.design, mean, merge=_merged_factors)
    if not np.abs(triangle).max(initial=0.0) < LARGEST:
        refuse_large(problem.learner)
    n_targets = _n_targets(problem.blocks)
    if positive:
        return _by_nnls(triangle, mass, mean, alpha, n_targets)
    return _by_svd(triangle, mass, mean, problem.blocks.n_rows, alpha, n_targets)


def penalized(problem: Problem, alphas: ArrayLike, *, positive: bool = False) -> Fit:
    """`least_squares` with one penalty for all targets, or one for each."""
    by_target = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    n_targets = _n_targets(problem.blocks)
    allowed = (np.isfinite(by_target) & (by_target >= 0)).all()
    if by_target.ndim != 1 or len(by_target) not in (1, n_targets) or not allowed:
        raise ValueError(
            f"{problem.learner}: parameter 'alpha' must be one finite number of 0 or more, or one for each "
            "target; Number of targets and number of penalties do not correspond: "
            f"{n_targets} != {by_target.size}."
        )
    fits = {
        alpha: least_squares(problem, alpha, positive=positive) for alpha in dict.fromkeys(by_target.tolist())
    }
    first = fits[float(by_target[0])]
    if len(fits) == 1:
        return first
    chosen = [fits[alpha] for alpha in by_target.tolist()]
    coef = np.array([fit.coef[i] for i, fit in enumerate(chosen)])
    return replace(first, coef=coef, intercept=np.array([fit.intercept[i] for i, fit in enumerate(chosen)]))


def residual_squares(problem: Problem, fit: Fit) -> Floats:
    """Weighted sum of squared residuals of each target, from the rows where subtraction has lost digits."""
    if (fit.rss >= PLAIN * fit.total).all():
        return fit.rss
    return problem.blocks.reduce(_squares, problem.design, fit.coef, fit.intercept)


def has_one_target(blocks: Blocks) -> bool:
    """Whether the target is one number a row, not a row of them."""
    return np.asarray(blocks.take([0]).y).ndim == 1


def _by_cholesky(sums: LeastSquaresSums, alpha: float) -> Fit | None:
    """Solve the normal equations, unless they are too ill-conditioned for that."""
    matrix = sums.x + alpha * np.eye(len(sums.x))
    size = np.sqrt(np.diag(matrix))
    if not (size > 0).all():
        return None
    # Scaled to a unit diagonal, which is nearly the best diagonal scaling for the condition (van der Sluis
    # 1969).
    unit = 1.0 / size
    try:
        factor = cho_factor(matrix * unit[:, None] * unit, lower=True)
    except LinAlgError:
        return None
    # With a unit diagonal, the smallest squared pivot bounds the smallest eigenvalue from above: at SAFE, the
    # condition number of X'X is at least 1 / SAFE.
    if len(unit) and np.diag(factor[0]).min() ** 2 < SAFE:
        return None
    solve = cho_solve(factor, np.column_stack([unit[:, None] * sums.xy, np.eye(len(unit))]))
    p, t = len(unit), sums.n_targets
    coef = (unit[:, None] * solve[:, :t]).T
    inverse = unit[:, None] * solve[:, t:] * unit
    mean = sums.mean[:p]
    # The intercept of centered columns is independent of the coefficients; uncentering adds mean'
    # inverse mean.
    spread = np.append(np.diag(inverse), 1.0 / sums.mass + float(mean @ inverse @ mean))
    total = np.diag(sums.products)[p:]
    # A quadratic form of the sums needs no second pass; its cancellation is what `residual_squares` looks out
    # for.
    rss = total - 2.0 * (coef.T * sums.xy).sum(axis=0) + ((sums.x @ coef.T) * coef.T).sum(axis=0)
    variance = np.diag(sums.x) / sums.mass
    return Fit(
        coef, sums.mean[p:] - coef @ mean, p, spread, sums.mass, total, rss, mean, variance, method="cholesky"
    )


def _by_svd(triangle: Floats, mass: float, mean: Floats, n_rows: int, alpha: float, t: int) -> Fit:
    """Solve with the triangular factor of columns and targets, by its singular values."""
    p = triangle.shape[1] - t
    columns, targets = triangle[:, :p], triangle[:, p:]
    size = np.sqrt((columns**2).sum(axis=0))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    left, values, right = _svd(columns * unit)
    rank = int((values > values[:1].max(initial=0.0) * max(n_rows, p) * np.finfo(float).eps).sum())
    # The rank is judged on scaled columns; the length of the coefficients, which a penalty or the choice of
    # the shortest depends on, is that in the original units.
    if alpha > 0 or rank < p:
        left, values, right = _svd(columns)
        unit = np.ones(p)
    if alpha == 0:
        left, values, right = left[:, :rank], values[:rank], right[:rank]
    # Ridge shrinks each direction by s² / (s² + alpha).
    back = values / (values**2 + alpha) if alpha > 0 else 1.0 / values
    coef = (unit[:, None] * right.T @ (back[:, None] * (left.T @ targets))).T
    basis = unit[:, None] * right.T * back
    center = mean[:p]
    root = np.zeros((p + 1, basis.shape[1] + 1))
    root[:p, :-1], root[p, :-1], root[p, -1] = basis, -(center @ basis), 1.0 / np.sqrt(mass)
    spread = (root**2).sum(axis=1)
    total, rss = (targets**2).sum(axis=0), ((targets - columns @ coef.T) ** 2).sum(axis=0)
    intercept, variance = mean[p:] - coef @ center, size**2 / mass
    return Fit(coef, intercept, rank, spread, mass, total, rss, center, variance, root if rank < p else None)


def _by_nnls(triangle: Floats, mass: float, mean: Floats, alpha: float, t: int) -> Fit:
    """Solve for coefficients of 0 and more by an active set (Lawson and Hanson 1974).

    The triangular factor has the same squared residuals as the rows, and a penalty is one more row for each
    coefficient, which should be 0.
    """
    p = triangle.shape[1] - t
    columns, targets = triangle[:, :p], triangle[:, p:]
    matrix = np.vstack([columns, np.sqrt(alpha) * np.eye(p)]) if alpha > 0 else columns
    aims = np.vstack([targets, np.zeros((len(matrix) - len(targets), t))])
    coef = np.array([nnls(matrix, aim)[0] for aim in aims.T]).reshape(t, p)
    total, rss = (targets**2).sum(axis=0), ((targets - columns @ coef.T) ** 2).sum(axis=0)
    center, variance = mean[:p], (columns**2).sum(axis=0) / mass
    used = int((coef > 0).any(axis=0).sum())
    return Fit(
        coef, mean[p:] - coef @ center, used, np.empty(0), mass, total, rss, center, variance, None, "nnls"
    )


def _svd(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    # Not the default divide and conquer (gesdd), which loses small singular values next to large ones and may
    # fail to converge.
    left, values, right = svd(matrix, full_matrices=False, lapack_driver="gesvd")
    return left, values, right


def _targets(block: Block) -> Floats:
    y = np.asarray(block.y)
    return y if y.ndim == 2 else y[:, None]


def _n_targets(blocks: Blocks) -> int:
    return int(_targets(blocks.take([0])).shape[1])


def _columns_and_targets(block: Block, design: Design) -> Floats:
    return np.column_stack([design(block.X), _targets(block)])


def _scatter(block: Block, design: Design) -> Scatter:
    X, targets = np.ascontiguousarray(design(block.X)), np.ascontiguousarray(_targets(block))
    return Scatter.of(X, None, block.w, beside=targets)


def means(problem: Problem) -> tuple[float, Floats]:
    """Weight of all rows, and what is subtracted from columns and targets: the means, or 0."""
    moments = problem.blocks.reduce(_moments, problem.design, merge=Moments.merge)
    mean = moments.mean[0] if problem.fit_intercept else np.zeros_like(moments.mean[0])
    return float(moments.mass[0, -1]), mean


def _moments(block: Block, design: Design) -> Moments:
    return Moments.of_rows(_columns_and_targets(block, design), block.w)


def _triangle(block: Block, design: Design, mean: Floats) -> Floats:
    rows = _columns_and_targets(block, design) - mean
    if block.w is not None:
        rows *= np.sqrt(block.w)[:, None]
    return _triangular_factor(rows)


def _merged_factors(one: Floats, other: Floats) -> Floats:
    return _triangular_factor(np.vstack([one, other]))


def _triangular_factor(rows: Floats) -> Floats:
    """The triangular factor R of a QR decomposition: R'R is the Gram matrix of the rows."""
    return np.asarray(np.linalg.qr(rows, mode="r"))


def _squares(block: Block, design: Design, coef: Floats, intercept: Floats) -> Floats:
    residual = _targets(block) - design(block.X) @ coef.T - intercept
    squares = residual**2
    return np.asarray(squares.sum(axis=0) if block.w is None else block.w @ squares)
