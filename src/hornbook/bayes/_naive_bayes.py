"""Naive Bayes for tables of numbers and categories."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from hornbook import _native
from hornbook.base import Accepts, Classifier, Description, Floats, Table, Term, Working
from hornbook.bayes._factors import (
    Factors,
    Gaussian,
    KernelDensity,
    gaussian,
    kernel_density,
    probability_tables,
)
from hornbook.bayes._picture import draw
from hornbook.bayes._statistics import ClassStatistics, Kept, Plan, kept_of, statistics_of
from hornbook.bayes._words import factors_of, tables
from hornbook.frame import Block, Blocks, Frame, bin_edges, require_memory
from hornbook.params import Jobs, Range, Tune

__all__ = ["NaiveBayes"]


class NaiveBayes(Classifier):
    """Naive Bayes: the class with the largest P(class) times the product of P(value | class).

    It takes numbers and categories together, leaves missing cells out of the product, and works in
    logarithms. Unlike scikit-learn's five separate classes, one learner serves all columns.

    Parameters
    ----------
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        How P(value | class) follows from counts: ``"laplace"`` is (n + alpha) / (N + alpha m) with n rows of
        the class that have the value, N rows of the class and m possible values; ``"none"`` is n / N;
        ``"zero_only"`` is n / N except where n is 0, which becomes alpha / (N + alpha m).
    alpha : float, default 1.0
        The count added by smoothing.
    smooth_prior : bool, default False
        Estimate P(class) as (N + 1) / (rows + classes) instead of N / rows.
    priors : array-like of shape (n_classes,), optional
        P(class) in the order of ``classes_``, instead of an estimate.
    variance : {"ml", "unbiased"}, default "ml"
        Divisor of the variance of a normal density: n, or n - 1.
    var_smoothing : float, default 1e-9
        This share of each column's variance is added to its variance in every class (scikit-learn adds a
        share of the largest variance of all columns); 0 leaves the variances as they are.
    density : {"gaussian", "kernel", "bins"}, default "gaussian"
        Density of a number: normal; mean of normal densities around the training values; or P(bin | class)
        of equal-width bins, treated like a category.
    bandwidth : {"scott", "silverman"} or float, default "scott"
        Width of the kernels: s n^(-1/5), s (3n/4)^(-1/5) with s the standard deviation in the class, or a
        number.
    n_bins : int, default 10
        Number of bins of ``density="bins"``. Their edges come from the first call of fit or partial_fit.
    lazy : bool, default False
        Keep the training rows and count only when a prediction is asked for.
    costs : array-like of shape (n_classes, n_classes), optional
        ``costs[i][j]`` is the cost of deciding for class i when the truth is class j; the class with the
        smallest expected cost is predicted.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_count_ : ndarray of shape (n_classes,)
        Weight of each class.
    class_prior_ : ndarray of shape (n_classes,)
        Probability of each class.
    mean_, var_ : ndarray of shape (n_classes, n_numeric_columns)
        Mean and variance of each numeric column within each class, for ``density="gaussian"``.
    tables_ : dict of Table
        For each column its P(value | class), or the parameters of its density.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> model = NaiveBayes().fit(datasets.watermelon("3.0"))
    >>> model.predict(
    ...     [
    ...         {
    ...             "color": "green",
    ...             "root": "curly",
    ...             "sound": "muffled",
    ...             "texture": "clear",
    ...             "umbilicus": "hollow",
    ...             "surface": "hard",
    ...             "density": 0.697,
    ...             "sugar": None,
    ...         }
    ...     ]
    ... )
    array([ True])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "product of P(class) and one density or table for each column"
    objective = "likelihood of the training rows"
    optimiser = "closed form: counts, means and variances"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)

    def __init__(
        self,
        *,
        smoothing: Literal["laplace", "zero_only", "none"] = "laplace",
        alpha: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 10.0, log=True)] = 1.0,
        smooth_prior: bool = False,
        priors: ArrayLike | None = None,
        variance: Literal["ml", "unbiased"] = "ml",
        var_smoothing: Annotated[float, Range(low=0.0), Tune(1e-12, 1e-2, log=True)] = 1e-9,
        density: Literal["gaussian", "kernel", "bins"] = "gaussian",
        bandwidth: Literal["scott", "silverman"] | Annotated[float, Range(low=0.0, open_low=True)] = "scott",
        n_bins: Annotated[int, Range(low=1, high=65535), Tune(2, 50)] = 10,
        lazy: bool = False,
        costs: ArrayLike | None = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.smoothing = smoothing
        self.alpha = alpha
        self.smooth_prior = smooth_prior
        self.priors = priors
        self.variance = variance
        self.var_smoothing = var_smoothing
        self.density = density
        self.bandwidth = bandwidth
        self.n_bins = n_bins
        self.lazy = lazy
        self.costs = costs
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        self._start(blocks)
        if self.lazy:
            self._warn_of_empty(np.isnan(self.kept_.numbers).all(axis=0))
        else:
            self._warn_of_empty(self.statistics_.moments.mass.sum(axis=0) == 0)

    def _start(self, blocks: Blocks) -> None:
        self._check_shapes()
        if self.lazy:
            self.kept_ = blocks.reduce(kept_of, merge=Kept.merge)
        else:
            self.plan_ = self._plan(blocks)
            self.statistics_ = _counted(blocks, self.plan_)
            self.factors_ = self._factors(self.statistics_, self.plan_)

    def _partial_fit(self, blocks: Blocks) -> None:
        if hasattr(self, "kept_"):
            self.kept_ = self.kept_.merge(blocks.reduce(kept_of, merge=Kept.merge))
        elif hasattr(self, "statistics_"):
            old, plan = self.plan_, replace(self.plan_, n_levels=self._n_levels())
            before = self.statistics_.widened(old.table_sizes, plan.table_sizes)
            self.plan_, self.statistics_ = plan, before.merge(_counted(blocks, plan))
            self.factors_ = self._factors(self.statistics_, plan)
        else:
            self._start(blocks)

    def _check_shapes(self) -> None:
        k = len(self.classes_)
        if self.costs is not None:
            costs = np.asarray(self.costs, dtype=np.float64)
            if costs.shape != (k, k) or not np.isfinite(costs).all():
                raise ValueError(
                    f"NaiveBayes: parameter 'costs' must be a {k} x {k} table of finite numbers, one row and "
                    f"column for each class; got shape {costs.shape}."
                )
        if self.priors is not None:
            priors = np.asarray(self.priors, dtype=np.float64)
            if priors.shape != (k,) or not (priors >= 0).all() or not np.isclose(priors.sum(), 1.0):
                raise ValueError(
                    f"NaiveBayes: parameter 'priors' must be {k} numbers >= 0 with sum 1, one for each "
                    f"class; got {self.priors!r}."
                )

    def _n_levels(self) -> NDArray[np.int32]:
        columns = self.schema_.columns
        return np.array([len(columns[j].levels) for j in self.schema_.coded], dtype=np.int32)

    def _plan(self, blocks: Blocks) -> Plan:
        edges = None
        if self.density == "bins":
            low, high = blocks.reduce(_range, merge=_wider)
            none = np.isnan(low)  # columns without values get some bins all the same
            low, high = np.where(none, 0.0, low), np.where(none, 1.0, high)
            edges = np.array([bin_edges(ends, self.n_bins) for ends in np.stack([low, high], axis=1)])
            edges = edges.reshape(len(low), self.n_bins + 1)
        plan = Plan(len(self.classes_), self._n_levels(), edges, keep_rows=self.density == "kernel")
        cells = int(plan.table_sizes.sum(dtype=np.int64))
        require_memory(plan.n_classes, cells, "leave out columns with very many levels, or use fewer bins")
        return plan

    def _factors(self, statistics: ClassStatistics, plan: Plan) -> Factors:
        """Turn counts into the tables of prediction."""
        density: Gaussian | KernelDensity | None = None
        if self.density == "gaussian":
            unbiased = self.variance == "unbiased"
            density = gaussian(statistics.moments, unbiased=unbiased, var_smoothing=self.var_smoothing)
            self._check_variances(density.var)
        elif self.density == "kernel":
            density = kernel_density(statistics, self.bandwidth)
        with np.errstate(divide="ignore"):
            log_prior = np.log(self._prior(statistics.class_mass))
        return Factors(
            log_prior, density, probability_tables(statistics, plan, self.smoothing, self.alpha), plan
        )

    def _prior(self, mass: Floats) -> Floats:
        if self.priors is not None:
            return np.asarray(self.priors, dtype=np.float64)
        if self.smooth_prior:
            mass = mass + 1.0
        return np.asarray(mass / mass.sum())

    def _warn_of_empty(self, empty: Any) -> None:
        for j in self.schema_.numeric[empty]:
            name = self.schema_.names[j]
            warnings.warn(f"column {name!r} has no values: it is left out.", UserWarning, stacklevel=7)

    def _check_variances(self, var: Floats) -> None:
        for c, j in np.argwhere(~np.isfinite(var) | (var <= 0))[:1]:
            name, label = self.schema_.names[self.schema_.numeric[j]], self.classes_.tolist()[c]
            if var[c, j] == 0:
                raise ValueError(
                    f"column {name!r} has variance 0 in class {label!r}, so it has no normal density: set "
                    "var_smoothing above 0, or leave the column out."
                )
            raise ValueError(
                f"column {name!r} holds values so large that their variance overflows: rescale it."
            )

    def _now(self) -> Factors:
        """The tables of prediction; a lazy learner counts its rows for them now."""
        if not hasattr(self, "kept_"):
            return self.factors_
        blocks = self.kept_.blocks(self.schema_, self._threads())
        plan = self._plan(blocks)
        return self._factors(_counted(blocks, plan), plan)

    def _log_proba(self, features: Frame) -> Floats:
        factors = self._now()
        joint = factors.joint(features.numbers, features.codes, self._threads())
        shares, evidence = _native.log_softmax(joint, self._threads())
        lost = np.isneginf(evidence)
        if lost.any():
            warnings.warn(
                f"{lost.sum()} rows have probability 0 in every class; the class shares are given for them. "
                "Smoothing avoids this.",
                UserWarning,
                stacklevel=4,
            )
            shares[lost] = factors.log_prior
        return shares

    def _proba(self, features: Frame) -> Floats:
        return np.asarray(np.exp(self._log_proba(features)))

    def _predict(self, features: Frame) -> NDArray[np.intp]:
        if self.costs is None:
            return np.asarray(self._log_proba(features).argmax(axis=1))
        expected_cost = self._proba(features) @ np.asarray(self.costs, dtype=np.float64).T
        return np.asarray(expected_cost.argmin(axis=1))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Give log P(class) + sum of log P(value | class): the product of the factors, not normalised.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        log_products : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        if issparse(X):
            return self._by_chunks(self.predict_joint_log_proba, X)
        rows = self._prepared(X)
        return self._now().joint(rows.numbers, rows.codes, self._threads())

    @property
    def class_count_(self) -> Floats:
        """Weight of each class."""
        if hasattr(self, "kept_"):
            mass = np.bincount(self.kept_.y, weights=self.kept_.w, minlength=len(self.classes_))
            return mass.astype(np.float64)
        return self.statistics_.class_mass

    @property
    def class_prior_(self) -> Floats:
        """Probability of each class."""
        return self._prior(self.class_count_)

    @property
    def mean_(self) -> Floats:
        """Mean of each numeric column within each class."""
        return self._normal().mean

    @property
    def var_(self) -> Floats:
        """Variance of each numeric column within each class, smoothing included."""
        return self._normal().var

    def _normal(self) -> Gaussian:
        density = self._now().density
        if not isinstance(density, Gaussian):
            # An AttributeError, so that hasattr answers no.
            raise AttributeError(  # noqa: TRY004
                f"density={self.density!r} has no mean and variance: see tables_."
            )
        return density

    @property
    def tables_(self) -> dict[str, Table]:
        """For each column its P(value | class), or the parameters of its density."""
        return tables(self._now(), self.schema_, self.classes_)

    def _describe(self) -> Description:
        rows = list(zip(self.classes_.tolist(), self.class_count_, self.class_prior_, strict=True))
        prior = Table("Classes", ["class", "weight", "P(class)"], rows)
        facts = {
            "rows": float(self.class_count_.sum()),
            "smoothing": self.smoothing,
            "density of numbers": self.density,
        }
        title = f"Naive Bayes with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        return Description(title, facts, [prior, *self.tables_.values()])

    def _working(self, row: Frame) -> Working:
        terms = [Term("P(class)", self._now().log_prior.tolist())]
        terms += [Term(name, logs.tolist()) for name, logs in factors_of(self._now(), self.schema_, row)]
        costs = None if self.costs is None else np.asarray(self.costs, dtype=np.float64).tolist()
        title = "Naive Bayes: P(class) times P(value | class) for each value"
        return Working(title, "product", self.classes_.tolist(), terms, self._answer(row)[0], costs)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = None if X is None else self._prepared(X).numbers
        labels = getattr(X, "y", None) if y is None else y
        return draw(self._now(), self.schema_, self.classes_, rows, labels, ax)


def _counted(blocks: Blocks, plan: Plan) -> ClassStatistics:
    return blocks.reduce(statistics_of, plan, merge=ClassStatistics.merge)


def _range(block: Block) -> tuple[Floats, Floats]:
    numbers = block.X.numbers if block.w is None else block.X.numbers[block.w > 0]
    _, low, high, _ = _native.scan(numbers, 1)
    return low, high


def _wider(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return np.fmin(one[0], other[0]), np.fmax(one[1], other[1])
