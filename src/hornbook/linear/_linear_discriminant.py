"""Fisher's linear discriminant as classifier and as projection."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import _native
from hornbook.base import Accepts, Classifier, Description, Table, Transformer, Working
from hornbook.display import Cell
from hornbook.frame import Blocks
from hornbook.linear._linear_scores import LinearClassifierMixin, class_scores
from hornbook.linear.explain._description import class_table, score_table, terms_of
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._plot import draw_directions
from hornbook.linear.solvers._fisher import Directions, directions_of, inverse_times
from hornbook.linear.solvers._scatter import Scatter, scatter_of_classes
from hornbook.linear.solvers._shrinkage import estimated, shrunk
from hornbook.params import Floats, Jobs, Range, Shape, Tol, Tune

__all__ = ["LinearDiscriminant"]


class LinearDiscriminant(LinearClassifierMixin, Classifier, Transformer):
    """Linear discriminant (Fisher 1936): directions along which classes lie far apart for their width.

    As a classifier it assumes normal classes with one covariance and different means, for which it is
    optimal; as a transformer it returns the coordinates along the discriminant directions, at most one fewer
    than classes. Unlike scikit-learn's, it takes categories and missing cells (through its Encoder), weights,
    and files larger than memory. A direction in which the classes have no width but different places
    outweighs all others; scikit-learn drops it.

    Time grows with rows x columns² and, once, columns³ (with fewer rows than columns, rows² x columns);
    memory with columns² and classes x columns. A category counts as many columns as it has levels.

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen", "direct"}, default "svd"
        ``"direct"`` (scikit-learn's ``"lsqr"``) solves S_w w = (difference of class means); ``"eigen"``
        solves S_b w = lambda S_w w;
        ``"svd"`` divides by the singular values of S_w. All find the same directions and fall back on
        singular values where S_w is singular. The covariance behind the probabilities is S_w / n.
    shrinkage : float or "auto", optional
        Amount a in [0, 1] by which the covariance within classes is drawn toward equal variances without
        correlation, (1 - a) S + a trace(S) / columns times the identity: helps where columns are many and
        rows few. ``"auto"`` finds it for each class from the standardized rows (Ledoit and Wolf 2004), which
        must be in memory. Unlike in scikit-learn, every solver shrinks.
    priors : array-like of shape (n_classes,), optional
        Class probabilities; the class frequencies when left out. They only move the cut; scikit-learn's
        ``"eigen"`` and ``"lsqr"`` also weigh the covariances of the classes by them. Without a sum of 1 they
        are normalized, with a warning.
    n_components : int, optional
        Number of directions that `transform` returns; all when left out.
    store_covariance : bool, default False
        Whether to keep ``covariance_``; it is always kept with shrinkage, and with all solvers but ``"svd"``.
    tol : float, default 1e-4
        As in scikit-learn; the rank is judged by the scatter of each direction relative to its columns.
    covariance_estimator : estimator, optional
        One of `sklearn.covariance`, fitted to the rows of each class, instead of ``shrinkage``.
    threshold : {"bayes", "midpoint"}, default "bayes"
        Where to cut: ``"bayes"`` favors frequent classes, by adding the logarithm of the class probability to
        the score; ``"midpoint"`` cuts halfway between the projected means.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns in the scores; with two classes, for the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constant terms.
    means_ : ndarray of shape (n_classes, n_encoded)
        Means of the classes.
    xbar_ : ndarray of shape (n_encoded,)
        Mean of all rows.
    priors_ : ndarray of shape (n_classes,)
        Class probabilities.
    covariance_ : ndarray of shape (n_encoded, n_encoded)
        Covariance within classes, S_w / n, shrunk if asked for; only where it is kept.
    within_scatter_ : ndarray of shape (n_encoded, n_encoded)
        S_w: sum over rows of (x - mean of its class)(x - mean of its class)', not divided; with shrinkage the
        shrunk one.
    between_scatter_ : ndarray of shape (n_encoded, n_encoded)
        S_b: sum over classes of mass (mean - mean of all)(mean - mean of all)'; S_w + S_b is the scatter of
        all rows.
    scalings_ : ndarray of shape (n_encoded, n_directions)
        The directions, with a variance of 1 within classes; the largest entry is positive.
    explained_variance_ratio_ : ndarray of shape (n_directions,)
        Fraction of each direction in the sum of the ratios of scatter between to scatter within classes.
    direction_ : ndarray of shape (n_encoded,)
        With two classes: S_w^-1 (mean of the first - mean of the second), not normalized.
    fisher_ratio_ : float
        With two classes: w'B w / w'S_w w along it, with B = (m1 - m2)(m1 - m2)'.
    rank_ : int
        Number of independent directions with scatter within classes.
    separated_ : int
        Number of further directions without such scatter along which the class means differ.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LogisticRegression : Linear log odds of the classes.
    KernelDiscriminant : Linear discriminant in the space of a kernel.

    Examples
    --------
    >>> from hornbook import LinearDiscriminant, datasets
    >>> melons = datasets.watermelon("3.0a")
    >>> model = LinearDiscriminant(threshold="midpoint").fit(melons)
    >>> model.direction_.round(4).tolist(), round(model.fisher_ratio_, 4)
    ([-0.1465, -0.7387], 0.1034)
    >>> int((model.predict(melons) == melons.y).sum()), len(melons)
    (12, 17)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    supervised: ClassVar[bool] = True

    model_class = "weighted sums of the columns, one for each class"
    objective = "scatter between classes over scatter within"
    optimizer = "closed form: linear equations, eigenvectors or singular values"

    priors_: Annotated[Floats, Shape("n_classes")]
    means_: Annotated[Floats, Shape("n_classes", "n_encoded")]
    xbar_: Annotated[Floats, Shape("n_encoded")]
    covariance_: Annotated[Floats, Shape("n_encoded", "n_encoded")]
    within_scatter_: Annotated[Floats, Shape("n_encoded", "n_encoded")]
    between_scatter_: Annotated[Floats, Shape("n_encoded", "n_encoded")]
    scalings_: Annotated[Floats, Shape("n_encoded", "n_directions")]
    explained_variance_ratio_: Annotated[Floats, Shape("n_directions")]
    direction_: Annotated[Floats, Shape("n_encoded")]
    fisher_ratio_: float
    rank_: int
    separated_: int

    def __init__(
        self,
        solver: Literal["svd", "lsqr", "eigen", "direct"] = "svd",
        shrinkage: Annotated[float, Range(low=0.0, high=1.0), Tune(0.0, 1.0)] | Literal["auto"] | None = None,
        priors: ArrayLike | None = None,
        n_components: Annotated[int, Range(low=1)] | None = None,
        store_covariance: bool = False,
        tol: Tol = 1e-4,
        covariance_estimator: Any = None,
        *,
        threshold: Literal["bayes", "midpoint"] = "bayes",
        n_jobs: Jobs = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.threshold = threshold
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        scatter = scatter_of_classes(blocks, self.classes_, type(self).__name__)
        self._check_components(scatter)
        self.priors_ = self._class_priors(scatter.mass)
        scatter = self._shrunk(scatter, blocks)
        # scikit-learn's "lsqr" has no directions; ours solves the same equations and finds them as well.
        directions = directions_of(scatter, "direct" if self.solver == "lsqr" else self.solver)
        mass, k = float(scatter.mass.sum()), len(scatter.mass)
        self._keep(scatter, directions)
        # Centered at the overall mean: scores of columns far from 0 keep their digits.
        gaps = self.means_ - self.xbar_
        coef = inverse_times(scatter.relative(), gaps.T).T
        # With equal covariances the quadratic terms of all classes cancel, so that scores are linear and the
        # priors shift the intercept alone.
        level = np.zeros(k) if self.threshold == "midpoint" else np.log(self.priors_)
        intercept = level - 0.5 * (gaps * coef).sum(axis=1) - coef @ self.xbar_
        # The difference of the two scores decides, so that one row of coefficients suffices.
        if k == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
            # Fisher's direction: w = S_w^-1 (m1 - m2).
            self.direction_ = inverse_times(scatter, (self.means_[:1] - self.means_[1:]).T)[:, 0]
            apart = (self.means_[0] - self.means_[1]) @ self.direction_
            self.fisher_ratio_ = float(apart)  # w'B w / w'S_w w at w = S_w^-1 (m1 - m2)
        self.coef_, self.intercept_ = coef, intercept
        warn_far(self, self.xbar_, (np.diag(scatter.within) + np.diag(self.between_scatter_)) / mass)

    def _shrunk(self, scatter: Scatter, blocks: Blocks) -> Scatter:
        """The scatter with the covariance within classes that was asked for."""
        if self.shrinkage is not None and self.covariance_estimator is not None:
            raise ValueError(
                "LinearDiscriminant: covariance_estimator and shrinkage parameters are not None. Only one of "
                "the two can be set: leave out one of them."
            )
        if self.shrinkage == "auto" or self.covariance_estimator is not None:
            scatter = estimated(scatter, blocks, self.covariance_estimator, type(self).__name__)
        elif self.shrinkage is not None:
            scatter = shrunk(scatter, self.shrinkage)
        if self.store_covariance or self.solver != "svd" or self.shrinkage is not None:
            self.covariance_ = scatter.within / scatter.mass.sum()
        return scatter

    def _check_components(self, scatter: Scatter) -> None:
        most = min(len(scatter.mass) - 1, len(scatter.within))
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                "LinearDiscriminant: parameter n_components cannot be larger than min(n_features, "
                f"n_classes - 1) = {most}; got {self.n_components}: lower it or leave it out."
            )

    def _class_priors(self, mass: Floats) -> Floats:
        if self.priors is None:
            return np.asarray(mass / mass.sum())
        classes = self._all_classes()
        k = len(classes)
        priors = np.asarray(self.priors, dtype=np.float64)
        if priors.shape != (k,) or not (priors > 0).all() or not np.isfinite(priors).all():
            raise ValueError(
                "LinearDiscriminant: priors must be non-negative, and parameter 'priors' have a positive "
                f"probability for each of the {k} classes; got {self.priors!r}."
            )
        if abs(priors.sum() - 1) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=7)
        priors = priors / priors.sum()
        # Priors name all classes; those without a row of weight are left out and the others rescaled.
        own = priors[np.isin(classes, self.classes_)]
        return np.asarray(own / own.sum()) if len(own) < k else priors

    def _keep(self, scatter: Scatter, directions: Directions) -> None:
        self.means_, self.xbar_ = scatter.mean, scatter.center
        self.within_scatter_, self.between_scatter_ = scatter.within, scatter.between()
        self.scalings_ = directions.axes * np.sqrt(scatter.mass.sum())
        total = directions.ratios.sum()
        self.explained_variance_ratio_ = directions.ratios / (total if total > 0 else 1.0)
        self.rank_ = directions.rank
        self.separated_ = directions.sure

    def _transform(self, X: Floats) -> Floats:
        return np.asarray((X - self.xbar_) @ self.scalings_[:, : self.n_components])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002 - scikit-learn passes it
        """Name the discriminant coordinates.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; here because scikit-learn passes it.

        Returns
        -------
        names : ndarray of shape (n_directions,)
            discriminant1, discriminant2, ...
        """
        n = self.scalings_[:, : self.n_components].shape[1]
        return np.array([f"discriminant{i + 1}" for i in range(n)], dtype=object)

    def _class_scores(self, X: Floats) -> Floats:
        return class_scores(self._decision(X))

    def _log_proba(self, X: Floats) -> Floats:
        return _native.log_softmax(np.ascontiguousarray(self._class_scores(X)), self._threads())[0]

    def _proba(self, X: Floats) -> Floats:
        return np.exp(self._log_proba(X))

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        return np.asarray(self._class_scores(X).argmax(axis=1))

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Linear discriminant with {len(self.classes_)} classes and {n} columns"
        facts: dict[str, Any] = {"solver": self.solver, "threshold": self.threshold}
        if self.shrinkage is not None:
            facts["shrinkage"] = self.shrinkage
        if self.rank_ < n:
            facts["rank"] = f"{self.rank_} of {n}: the classes have no width in the other directions"
        if self.separated_:
            facts["separated exactly"] = f"in {self.separated_} directions without width"
        if len(self.classes_) == 2:
            facts["Fisher's ratio"] = self.fisher_ratio_
        tables = [
            class_table("Means", self.means_, self.encoded_names_, self.classes_),
            score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_),
            self._directions_table(),
        ]
        return Description(title, facts, tables)

    def _directions_table(self) -> Table:
        heads = [f"{i + 1} ({share:.1%})" for i, share in enumerate(self.explained_variance_ratio_)]
        rows: list[list[Cell]] = [
            [str(name), *map(float, row)]
            for name, row in zip(self.encoded_names_, self.scalings_, strict=True)
        ]
        return Table("Directions", ["column", *heads], rows)

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Linear discriminant: the score is the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0], softmax=True)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_directions(self, X, y, ax)
