"""Mixture of normal distributions, fitted by expectation maximization."""

from __future__ import annotations

import math
import warnings
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hornbook import _native
from hornbook.base import Accepts, Clusterer, DensityMixin, Description, Working
from hornbook.clustering._column_moments import ColumnMoments, column_moments
from hornbook.clustering._parameters import ClusterWork, PassLimits
from hornbook.clustering.mixture._components import CovarianceType, MixtureModel, NormalComponents
from hornbook.clustering.mixture._description import description, working
from hornbook.clustering.mixture._em import labels_of
from hornbook.clustering.mixture._fit import MixtureFit
from hornbook.clustering.mixture._initialization import Given, InitParams, Starter
from hornbook.clustering.mixture._plot import draw
from hornbook.clustering.mixture._sampling import drawn_rows
from hornbook.frame import Blocks, partition_answers
from hornbook.params import (
    Finite,
    Floats,
    Index,
    MaxIter,
    Range,
    Shape,
    Tol,
    Tune,
    blas_threads,
    declared,
)
from hornbook.random import seed_of

__all__ = ["GaussianMixture"]


class GaussianMixtureResult:
    """What expectation maximization has found.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Prior probability of each component.
    means_ : ndarray of shape (n_components, n_encoded)
        The means.
    covariances_ : ndarray
        Of shape (k, d, d) for ``"full"`` and ``"equal_determinant"``, (d, d) for ``"tied"``, (k, d) for
        ``"diag"`` and (k,) for ``"spherical"``; divisor: the weight of the component.
    precisions_cholesky_ : ndarray
        Upper triangular factors of the inverses, in the same shape.
    precisions_ : ndarray
        The inverses.
    converged_ : bool
        Whether the best start converged.
    n_iter_ : int
        Its number of passes.
    lower_bound_ : float
        Mean log-likelihood of a row in its last pass.
    labels_ : ndarray of shape (n_rows,)
        Most probable component of each row of the fit.
    history_ : dict
        For each pass the number of the start, the mean log-likelihood, and the largest move of a mean in
        standard deviations.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    weights_: Annotated[Floats, Shape("n_components"), Finite()]
    means_: Annotated[Floats, Shape("n_components", "n_encoded"), Finite()]
    covariances_: Annotated[Floats, Finite()]
    precisions_cholesky_: Annotated[Floats, Finite()]
    labels_: Annotated[NDArray[np.int32], Shape("n_rows"), Index("n_components")]
    converged_: bool
    n_iter_: int
    lower_bound_: float


@declared
class GaussianMixture(ClusterWork, PassLimits, GaussianMixtureResult, DensityMixin, Clusterer):
    """Gaussian mixture: rows come from k normal distributions, from each with some probability.

    Expectation maximization (Dempster, Laird and Rubin 1977) alternates two steps that never lower the
    likelihood: the posterior probabilities of the components for each row, and the weighted means and
    covariances that follow. Unlike scikit-learn's, it takes categories, missing cells, weights and files
    larger than memory, and all four remedies against components that collapse on single rows: equal
    determinants, diagonal covariances, one variance for all directions, and equal priors.

    Missing cells are treated exactly: a row counts with the marginal density of its known cells, and the
    unknown ones enter the estimates with their conditional means and covariances, so that the likelihood of
    what is known rises. A start in which a component loses its rows or its width is repeated from other
    draws, with a warning.

    Parameters
    ----------
    n_components : int, default 1
        Number of components.
    covariance_type : {"full", "tied", "diag", "spherical", "equal_determinant"}, default "full"
        A matrix for each component; one for all; variances of the columns for each; one variance for each; or
        a matrix for each, all with the same determinant, so that none can shrink to a point (Celeux and
        Govaert 1995).
    equal_priors : bool, default False
        Whether all components have the weight 1 / n_components.
    tol : float, default 1e-3
        Passes end when the quantity that `convergence` names changes by less than this.
    convergence : {"likelihood", "means"}, default "likelihood"
        The mean log-likelihood of a row, as in scikit-learn, or the largest move of a coordinate of a mean,
        in standard deviations of its column.
    reg_covar : float, default 1e-6
        Added to all variances. With 0 the likelihood never falls, and a singular covariance is an error.
    n_init : int, default 1
        Number of starts, of which the one with the greatest likelihood is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default "kmeans"
        Where a start begins: rows belong to the nearest center found by k-means, to the nearest of centers
        drawn far apart, to all components by random shares, or to the nearest of randomly drawn rows.
    weights_init : array-like of shape (n_components,), optional
        Initial weights.
    means_init : array-like of shape (n_components, n_encoded), optional
        Initial means.
    precisions_init : array-like, optional
        Inverses of the initial covariances, in the shape of ``precisions_``.
    warm_start : bool, default False
        Whether `fit` begins with the components of the fit before.

    See Also
    --------
    KMeans : Clusters around means.
    FuzzyCMeans : Clusters to which rows belong in part.

    Examples
    --------
    >>> from hornbook import GaussianMixture, datasets
    >>> flowers = datasets.iris().features
    >>> model = GaussianMixture(3, random_state=0).fit(flowers)
    >>> model.weights_.round(2).tolist(), round(model.score(flowers), 3)
    ([0.3, 0.33, 0.37], -1.207)
    >>> model.predict_proba(flowers[:1]).round(3).tolist()
    [[0.0, 1.0, 0.0]]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    missing_cells: ClassVar[Literal["keep"]] = "keep"
    accepts: ClassVar[Accepts] = Accepts()

    model_class = "sums of k weighted normal densities"
    objective = "likelihood of the rows"
    optimizer = "expectation maximization: posterior probabilities and weighted estimates in turn"

    n_components: Annotated[int, Range(low=1), Tune(1, 10)] = field(default=1, kw_only=False)
    covariance_type: Annotated[
        CovarianceType, Tune(values=("full", "tied", "diag", "spherical", "equal_determinant"))
    ] = "full"
    equal_priors: bool = False
    tol: Tol = 1e-3
    convergence: Literal["likelihood", "means"] = "likelihood"
    reg_covar: Annotated[float, Range(low=0)] = 1e-6
    max_iter: MaxIter = 100
    n_init: Annotated[int, Range(low=1)] = 1
    init_params: InitParams = "kmeans"
    weights_init: ArrayLike | None = None
    means_init: ArrayLike | None = None
    precisions_init: ArrayLike | None = None
    warm_start: bool = False

    def _forget(self) -> None:
        goes_on = self.warm_start and hasattr(self, "means_")
        before = (self._components(), self.lower_bound_) if goes_on else None
        super()._forget()
        self._before = before

    def _fit_blocks(self, blocks: Blocks) -> None:
        before = vars(self).pop("_before", None)
        columns = self._checked_columns(blocks)
        model, d = self._model(), len(columns.mean)
        fit = MixtureFit(self, blocks, columns, model, self._keep)
        with blas_threads(1):  # once, instead of in each of many short passes
            if before is None:
                initial = (self.weights_init, self.means_init, self.precisions_init)
                given = Given.of(*initial, model, self.n_components, d)
                seed = seed_of(self.random_state)
                best = fit.best(
                    Starter(blocks, columns, model, given, self.init_params, self.n_components, seed)
                )
            else:
                best = fit.continued(self._same_shape(before[0], d), before[1])
            self._keep(best.components, best.bound, best.n_iter)
            self.labels_ = labels_of(blocks, best.components, model)
        self.converged_ = best.converged
        if not best.converged:
            warnings.warn(
                f"GaussianMixture: did not converge in max_iter={self.max_iter} passes (tol={self.tol:g}): "
                "raise max_iter or tol, or try another start.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _model(self) -> MixtureModel:
        return MixtureModel(self.covariance_type, self.equal_priors, self.reg_covar)

    def _checked_columns(self, blocks: Blocks) -> ColumnMoments:
        if blocks.n_rows < self.n_components:
            raise ValueError(
                f"n_samples={blocks.n_rows} should be >= n_components={self.n_components}: GaussianMixture "
                "needs at least one row for each component; lower n_components."
            )
        columns = column_moments(blocks)
        if not math.isfinite(float(columns.variance.sum())):
            widest = self.encoded_names_[int(np.argmax(np.nan_to_num(columns.variance, nan=np.inf)))]
            raise ValueError(
                f"GaussianMixture: column {widest!r} holds values so large that variances overflow: "
                "rescale it."
            )
        return columns

    def _same_shape(self, before: NormalComponents, n_columns: int) -> NormalComponents:
        if before.means.shape != (self.n_components, n_columns):
            raise ValueError(
                f"GaussianMixture: warm_start=True continues from {before.means.shape[0]} components in "
                f"{before.means.shape[1]} encoded columns, but there are {self.n_components} in {n_columns} "
                "now: keep them as they were, or set warm_start=False."
            )
        return before

    def _keep(self, components: NormalComponents, bound: float, n_iter: int) -> None:
        self.lower_bound_, self.n_iter_ = bound, n_iter
        self.weights_, self.means_ = components.weights, components.means
        self.covariances_ = components.covariances
        factors = components.whitening
        # scikit-learn stores the upper factor U with precision = U U'; whitening here is its
        # transpose.
        self.precisions_cholesky_ = factors if self._model().diagonal else np.swapaxes(factors, -1, -2).copy()

    def _components(self) -> NormalComponents:
        factors = self.precisions_cholesky_
        whitening = factors if self._model().diagonal else np.swapaxes(factors, -1, -2)
        return NormalComponents(self.weights_, self.means_, self.covariances_, whitening)

    @property
    def precisions_(self) -> Floats:
        """Inverses of the covariances."""
        check_is_fitted(self)
        factors = self.precisions_cholesky_
        return np.square(factors) if self._model().diagonal else factors @ np.swapaxes(factors, -1, -2)

    def _joint(self, X: Floats) -> Floats:
        """Log of weight times density of each row under each component."""
        return _native.mixture_joint(X, *self._components().arguments(self._model()), self._threads())

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        return np.asarray(self._joint(X).argmax(axis=1))

    def predict_proba(self, X: Any) -> Floats:
        """Say how probable each component is for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_components)
            Posterior probabilities; each row sums to 1.
        """
        if (answers := partition_answers(self, "predict_proba", X)) is not None:
            return answers
        # Posterior probabilities from log densities: densities themselves underflow in many columns.
        return np.exp(_native.log_softmax(self._joint(self._prepared(X)), self._threads())[0])

    def _log_density(self, rows: Floats) -> Floats:
        return _native.log_softmax(self._joint(rows), self._threads())[1]

    def bic(self, X: Any) -> float:
        """Compute the Bayesian information criterion (Schwarz 1978): ln(n) parameters - 2 ln(likelihood).

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows, usually those of the fit.

        Returns
        -------
        bic : float
            The lower the better.
        """
        densities = self.score_samples(X)
        return float(math.log(len(densities)) * self._n_parameters() - 2.0 * densities.sum())

    def aic(self, X: Any) -> float:
        """Compute Akaike's information criterion (1974): 2 parameters - 2 ln(likelihood).

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows, usually those of the fit.

        Returns
        -------
        aic : float
            The lower the better.
        """
        return float(2.0 * self._n_parameters() - 2.0 * self.score_samples(X).sum())

    def _n_parameters(self) -> int:
        return self._model().n_parameters(*self.means_.shape)

    def sample(self, n_samples: int = 1) -> tuple[Floats, NDArray[np.int32]]:
        """Draw rows from the mixture.

        Parameters
        ----------
        n_samples : int, default 1
            How many.

        Returns
        -------
        rows : ndarray of shape (n_samples, n_encoded)
            The rows, in encoded columns.
        labels : ndarray of shape (n_samples,)
            The component that each comes from.
        """
        check_is_fitted(self)
        return drawn_rows(self._components(), self._model(), n_samples, seed_of(self.random_state))

    def _describe(self) -> Description:
        return description(self, self._components(), self._model())

    def _working(self, X: Floats) -> Working:
        return working(X, self._components(), self._model(), self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = np.empty((0, len(self.encoded_names_))) if X is None else self._prepared(X)
        return draw(self._components(), self._model(), self.encoded_names_, rows, y, ax)
