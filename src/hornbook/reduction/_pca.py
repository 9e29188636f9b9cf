"""Principal component analysis."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from hornbook import _native
from hornbook.base import Accepts, DensityMixin, Description, Transformer, Working, refuse_infinite
from hornbook.frame import Blocks
from hornbook.params import Finite, Floats, Jobs, MaxIter, Range, Seed, Shape, Tol, Tune, blas_threads
from hornbook.random import seed_of
from hornbook.reduction._cutoff import cutoff
from hornbook.reduction._description import description, working
from hornbook.reduction._missing_cells import expected_coordinates
from hornbook.reduction._plot import draw
from hornbook.reduction._principal_axes import (
    PrincipalAxes,
    coordinates,
    from_covariance,
    from_factor,
    from_random_directions,
    in_doubles,
)

__all__ = ["PCA"]

Solver = Literal["auto", "full", "covariance_eigh", "arpack", "randomized"]
# The bounds of scikit-learn's svd_solver="auto", so that the same table gets the same method.
SMALL = 1000  # columns, up to which the covariance matrix is the fastest way
TALL = 10  # rows for each column, from which it is accurate enough
LARGE = 500  # rows and columns, above which few directions are found faster at random


class PCA(DensityMixin, Transformer):
    """Principal component analysis: the orthogonal directions along which rows vary most.

    The first direction has the greatest variance of all, each further one the greatest of those
    perpendicular to the ones before (Pearson 1901); they are the eigenvectors of the covariance matrix.
    Unlike scikit-learn's, it takes categories, weights, missing cells and files larger than memory, and
    chooses the number of components by several rules. Columns are centered, not scaled: scale those that have
    different units first.

    Directions have length 1 and the sign that makes their entry of largest size positive, as in scikit-learn;
    of entries that differ only by rounding, the first counts as the largest.
    Those without variance, which could be any that are perpendicular to the others, are chosen near the axes
    of columns, so that they do not depend on rounding.
    With missing cells the covariance is that of greatest likelihood under a normal distribution (expectation
    maximization, missing cells integrated out), and the coordinates of a row are their expectation given its
    known cells.

    Parameters
    ----------
    n_components : int, float, {"kaiser", "broken_stick", "elbow", "mle"}, optional
        How many to keep: a number, the share of the variance that they must have at least, or a rule of
        `hornbook.reduction.cutoff`. When left out, as many as there are columns, or rows if these are fewer
        (their total weight, if they have weights), also directions without variance.
    whiten : bool, default False
        Whether `transform` divides each coordinate by its standard deviation.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, default "auto"
        ``"covariance_eigh"``: eigenvectors of the covariance matrix, in one pass. ``"full"``: singular
        vectors of the centered rows, in one pass through their QR factor, for small variances beside large.
        ``"randomized"``: the leading ones from random directions, in several passes. ``"auto"``, as in
        scikit-learn: the first for at most 1000 columns and 10 times as many rows, the last for few
        components of more than 500 rows and columns, else the second. With missing cells always the first.
        ``"arpack"``, as in scikit-learn, leads to the leading singular vectors, here to all: it is
        ``"full"``.
    n_oversamples : int, default 10
        Random directions beyond the number of components.
    iterated_power : int or "auto", default "auto"
        Passes of ``"randomized"``; ``"auto"`` is 7 for less than a tenth of the components, else 4.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default "auto"
        As in scikit-learn; random directions are made orthogonal after every pass, by QR.
    tol : float, default 1e-6
        With missing cells, passes end when no correlation and no mean changes by as much.
    max_iter : int, default 100
        The most of these passes.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    copy : bool, default True
        As in scikit-learn; the rows are never changed.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_encoded)
        The directions.
    explained_variance_ : ndarray of shape (n_components_,)
        Variances along them, divisor n - 1.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        Their shares of the variance of all columns.
    singular_values_ : ndarray of shape (n_components_,)
        Roots of the sums of squares along them.
    mean_ : ndarray of shape (n_encoded,)
        Mean of each encoded column.
    noise_variance_ : float
        Mean variance of the directions that are not kept.
    spectrum_ : ndarray
        Variances along all directions that were computed, also those that are not kept.
    n_components_ : int
        How many directions are kept.
    n_samples_ : int
        Number of rows at fit.
    n_iter_ : int
        Passes of ``"randomized"``, or those for missing cells; else 1.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    Encoder : Columns of all kinds as numbers.
    LinearDiscriminant : Normal densities with one covariance for all classes.

    Examples
    --------
    >>> from hornbook import PCA, datasets
    >>> flowers = datasets.iris().features
    >>> model = PCA(0.95).fit(flowers)
    >>> model.explained_variance_ratio_.round(3).tolist()
    [0.925, 0.053]
    >>> model.transform(flowers[:1]).round(2).tolist()
    [[-2.68, 0.33]]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    missing_cells: ClassVar[Literal["keep"]] = "keep"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, unchecked=True, single=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "orthogonal directions"
    objective = "variance along the directions"
    optimizer = "eigenvectors of the covariance matrix, or singular vectors of the rows"

    components_: Annotated[Floats, Shape("n_directions", "n_encoded"), Finite()]
    explained_variance_: Annotated[Floats, Shape("n_directions"), Finite()]
    explained_variance_ratio_: Annotated[Floats, Shape("n_directions"), Finite()]
    singular_values_: Annotated[Floats, Shape("n_directions"), Finite()]
    mean_: Annotated[Floats, Shape("n_encoded"), Finite()]
    spectrum_: Annotated[Floats, Shape("n_spectrum"), Finite()]
    noise_variance_: Annotated[float, Finite()]
    n_components_: int
    n_samples_: int
    n_iter_: int

    def __init__(
        self,
        n_components: Annotated[int, Range(low=1), Tune(1, 20)]
        | Annotated[float, Range(0, 1, open_low=True, open_high=True)]
        | Literal["kaiser", "broken_stick", "elbow", "mle"]
        | None = None,
        *,
        whiten: bool = False,
        svd_solver: Solver = "auto",
        n_oversamples: Annotated[int, Range(low=1)] = 10,
        iterated_power: Annotated[int, Range(low=0)] | Literal["auto"] = "auto",
        power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto",
        tol: Tol = 1e-6,
        max_iter: MaxIter = 100,
        random_state: Seed = None,
        n_jobs: Jobs = None,
        copy: bool = True,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.n_oversamples = n_oversamples
        self.iterated_power = iterated_power
        self.power_iteration_normalizer = power_iteration_normalizer
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.copy = copy

    def _fit_blocks(self, blocks: Blocks) -> None:
        n, d = blocks.n_rows, len(self.encoded_names_)
        most = min(n, d)
        number = self.n_components
        if isinstance(number, int | np.integer) and number > most:
            raise ValueError(
                f"PCA: parameter 'n_components' = {number} must be at most min(n_samples, n_features) = "
                f"{most}: lower it or leave it out."
            )
        with blas_threads(1):  # so that sums have the same order for any number of threads
            axes = self._axes(blocks, n, d)
            total = axes.total / axes.divisor
            k = self._kept(axes.squares[:most] / axes.divisor, total, n, axes)
            axes = axes.completed(k).oriented()
        variances = axes.squares[: max(most, k)] / axes.divisor
        self.mean_, self.components_ = axes.mean, axes.directions[:k]
        self.spectrum_, self.explained_variance_ = variances, variances[:k]
        self.explained_variance_ratio_ = variances[:k] / (total if total > 0 else 1.0)
        self.singular_values_ = np.sqrt(axes.squares[:k])
        # The maximum likelihood estimate of probabilistic PCA: the mean of the variances left out (Tipping
        # and Bishop 1999).
        # Not the sum of the variances left out: random directions find only some of them.
        rest = max(total - float(variances[:k].sum()), 0.0)
        self.noise_variance_ = rest / (most - k) if k < most else 0.0
        self.n_components_, self.n_samples_, self.n_iter_ = k, n, axes.n_iter

    def _axes(self, blocks: Blocks, n: int, d: int) -> PrincipalAxes:
        solver = self._solver(n, d)
        if solver != "covariance_eigh":
            blocks = in_doubles(blocks)
        if solver == "covariance_eigh" or not refuse_infinite(blocks, self.encoded_names_):
            return from_covariance(blocks, self.encoded_names_, self.tol, self.max_iter)
        if solver in ("full", "arpack"):
            return from_factor(blocks)
        number = self._whole_number()
        few = number < 0.1 * min(n, d)
        # The numbers of scikit-learn: few directions need more power iterations to be told apart (Halko,
        # Martinsson and Tropp 2011).
        passes = (7 if few else 4) if self.iterated_power == "auto" else self.iterated_power
        seed = seed_of(self.random_state)
        return from_random_directions(blocks, number, self.n_oversamples, passes, seed)

    def _whole_number(self) -> int:
        number = self.n_components
        if isinstance(number, int | np.integer):
            return int(number)
        raise ValueError(
            "PCA: svd_solver='randomized' finds a given number of components, but n_components is "
            f"{number!r}: pass an integer, or choose another solver."
        )

    def _solver(self, n: int, d: int) -> Solver:
        if self.svd_solver != "auto":
            return self.svd_solver
        if d <= SMALL and n >= TALL * d:
            return "covariance_eigh"
        number = self.n_components
        few = isinstance(number, int | np.integer) and 1 <= number < 0.8 * min(n, d)
        return "randomized" if few and max(n, d) > LARGE else "full"

    def _kept(self, variances: Floats, total: float, n: int, axes: PrincipalAxes) -> int:
        number = self.n_components
        if number is None:
            # Weights are numbers of rows: rows with weights have as many components as repeated ones.
            return min(max(int(axes.mass), axes.rank), len(axes.mean))
        if isinstance(number, str):
            return cutoff(variances, number, total=total, n_rows=n)
        if isinstance(number, float):
            return cutoff(variances, "share", share=number, total=total)
        return int(number)

    def _transform(self, X: Floats) -> Floats:
        scores = coordinates(X, self.mean_, self.components_)
        if not _native.all_finite(scores, 1) and np.isnan(X).any():
            variances, noise = self.explained_variance_, self.noise_variance_
            scores = expected_coordinates(X - self.mean_, self.components_, variances, noise)
        if self.whiten:
            scores /= self._scales()
        return scores

    def _scales(self) -> Floats:
        """Standard deviations along the components; 1 where there is none, so that they stay near 0."""
        spread = np.sqrt(self.explained_variance_)
        return np.where(spread > 0, spread, 1.0)

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return rows from their coordinates: the nearest rows that have these.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_components_)
            Coordinates, as `transform` returns them.

        Returns
        -------
        rows : ndarray of shape (n_rows, n_encoded)
            The rows, in encoded columns.
        """
        check_is_fitted(self)
        scores = np.asarray(X, dtype=np.float64)
        if scores.ndim != 2 or scores.shape[1] != self.n_components_:
            raise ValueError(
                f"PCA: inverse_transform needs {self.n_components_} columns, one for each component; "
                f"got shape {scores.shape}."
            )
        return np.asarray(
            (scores * self._scales() if self.whiten else scores) @ self.components_ + self.mean_
        )

    def get_covariance(self) -> Floats:
        """Compute the covariance of the model: that of the components, and the noise in other directions.

        Returns
        -------
        covariance : ndarray of shape (n_encoded, n_encoded)
            The estimated covariance matrix (Tipping and Bishop 1999).
        """
        check_is_fitted(self)
        signal = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance = (self.components_.T * signal) @ self.components_
        return np.asarray(covariance + self.noise_variance_ * np.eye(len(self.mean_)))

    def get_precision(self) -> Floats:
        """Compute the inverse of the covariance of the model.

        Returns
        -------
        precision : ndarray of shape (n_encoded, n_encoded)
            The inverse of `get_covariance`.
        """
        factor = self._factor()
        # By the Cholesky factor, so that the inverse is exactly symmetric.
        whiten = np.linalg.solve(factor, np.eye(len(factor)))
        return np.asarray(whiten.T @ whiten)

    def _factor(self) -> Floats:
        try:
            return np.asarray(np.linalg.cholesky(self.get_covariance()), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise ValueError(
                "PCA: the covariance of the model is singular, so that rows have no density: lower "
                "n_components, so that variance is left for noise, or leave out columns that follow from "
                "others."
            ) from None

    def _log_density(self, rows: Floats) -> Floats:
        factor = self._factor()
        d = len(factor)
        # The logarithm of the determinant from the factor: the determinant itself over- or underflows.
        scale = -np.log(np.diag(factor)).sum() - 0.5 * d * math.log(2 * math.pi)
        whiten = np.tril(np.linalg.solve(factor, np.eye(d)))
        joint = _native.mixture_joint(
            rows, self.mean_[None], whiten, np.array([scale]), False, self._threads()
        )
        return np.asarray(joint[:, 0])

    def _n_new_columns(self) -> int:
        return self.n_components_

    def _describe(self) -> Description:
        return description(self)

    def _working(self, X: Floats) -> Working:
        return working(self, X[0], self._scales() if self.whiten else np.ones(self.n_components_))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        scores = None if X is None else self._transform(self._prepared(X))
        return draw(self, scores, y, ax)
