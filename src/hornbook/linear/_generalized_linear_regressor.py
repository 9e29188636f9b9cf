"""Generalized linear models."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from hornbook.base import Accepts, Description, Regressor, Term, Working
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._inference import inference_tables, rank_facts, store_reference_errors
from hornbook.linear.explain._number_description import draw_numbers, linear_prediction, linear_working
from hornbook.linear.solvers._families import FAMILIES, Family, Link, link_of
from hornbook.linear.solvers._irls import FisherScoring, Step, identified_directions, inverse_root
from hornbook.linear.solvers._scatter import refuse_large
from hornbook.params import Floats, Jobs, MaxIter, Range, Shape, Tol

__all__ = ["GeneralizedLinearRegressor"]

CERTAIN = 17.0  # a logit at which a probability is 0 or 1 to seven digits


class GeneralizedLinearRegressor(Regressor):
    """Generalized linear regressor: a function of the mean is a weighted sum of the columns.

    The target may be a count (Poisson), a positive amount (gamma), a proportion (binomial) or any number
    (Gaussian), distributed around the mean accordingly. The weights maximize the likelihood; there is no
    penalty, unlike in scikit-learn's PoissonRegressor and relatives, so that standard errors and tests in
    `describe` are those of a statistics program.

    Time grows with iterations x rows x columns², memory with columns²; a category counts as many columns as
    it has levels.

    Parameters
    ----------
    family : {"gaussian", "poisson", "gamma", "binomial"}, default "gaussian"
        How the target is distributed around its mean.
    link : {"canonical", "log"}, default "canonical"
        The function of the mean that is linear: the canonical one of the family (identity, logarithm,
        reciprocal, log odds), or the logarithm.
    offset : str or int, optional
        Name or position of a column of numbers that is added to the linear predictor with coefficient 1, such
        as the logarithm of the time or area over which events were counted.
    fit_intercept : bool, default True
        Whether to fit an intercept.
    tol : float, default 1e-8
        Stop when a step promises to lower the deviance by at most the square of this, relative to it.
    max_iter : int, default 100
        Maximum number of iterations.
    confidence : float, default 0.95
        Level of the intervals in `describe`.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,)
        Weights of the encoded columns.
    intercept_ : float
        The constant term.
    standard_errors_ : ndarray of shape (n_encoded + 1,)
        Standard error of each coefficient, the intercept's last; 0 for what is not fitted. A row of weight 2
        counts as two rows.
    reference_levels_ : ndarray of shape (n_categories,)
        Indices of the encoded columns of the reference levels, with which `describe` compares the others.
    reference_errors_ : ndarray of shape (n_encoded + 1,)
        Standard errors of these comparisons and of all other coefficients, the intercept's last.
    dispersion_ : float
        Factor of the variance: Pearson's chi-squared over the degrees of freedom for Gaussian and gamma, else
        1.
    deviance_, null_deviance_ : float
        Twice the log likelihood that the model, and the mean alone (or intercept and offset), lose against a
        perfect fit.
    degrees_of_freedom_ : float
        Weight of all rows minus the number of identifiable coefficients.
    rank_ : int
        Number of identifiable coefficients, the intercept included.
    ends_ : ndarray of shape (2,)
        Smallest and largest value of the linear predictor in training; where the mean would become impossible
        beyond them, the predictor of new rows is clipped.
    n_iter_ : int
        Number of iterations.
    history_ : dict
        The deviance after each iteration.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LinearRegression : Least squares.
    LogLinearRegression : Least squares for the logarithm of the target.

    Examples
    --------
    >>> from hornbook import GeneralizedLinearRegressor
    >>> X, counts = [[0.0], [1.0], [2.0], [3.0]], [1, 3, 7, 20]
    >>> model = GeneralizedLinearRegressor(family="poisson").fit(X, counts)
    >>> model.coef_.round(3).tolist(), round(model.intercept_, 3)
    ([0.986], 0.029)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)

    model_class = "weighted sum of the columns, taken as a function of the mean"
    objective = "likelihood of the training rows"
    optimizer = "iteratively reweighted least squares"

    coef_: Annotated[Floats, Shape("n_encoded")]
    intercept_: float
    standard_errors_: Annotated[Floats, Shape("n_encoded + 1")]
    reference_levels_: NDArray[np.int64]
    reference_errors_: Annotated[Floats, Shape("n_encoded + 1")]
    dispersion_: float
    deviance_: float
    null_deviance_: float
    degrees_of_freedom_: float
    rank_: int
    ends_: Annotated[Floats, Shape(2)]
    n_iter_: int

    def __init__(
        self,
        *,
        family: Literal["gaussian", "poisson", "gamma", "binomial"] = "gaussian",
        link: Literal["canonical", "log"] = "canonical",
        offset: str | int | None = None,
        fit_intercept: bool = True,
        tol: Tol = 1e-8,
        max_iter: MaxIter = 100,
        confidence: Annotated[float, Range(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.95,
        n_jobs: Jobs = None,
    ) -> None:
        self.family = family
        self.link = link
        self.offset = offset
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.confidence = confidence
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        family, link = FAMILIES[self.family], link_of(self.family, self.link)
        blocks = blocks.map(partial(_possible, name=self.family))
        moments = blocks.reduce(_moments, merge=Moments.merge)
        if not np.isfinite(moments.mean).all() or not np.isfinite(moments.scatter).all():
            refuse_large(type(self).__name__)
        mean = float(moments.mean[0, -1])
        scoring = self._scoring(blocks, moments, family, link)
        first = self._first(scoring, self._start(scoring, mean))
        if not np.isfinite(first.sums.deviance):
            self._refuse_start(mean)
        last, trouble = self._descend(scoring, first)
        # The first step is the null model: one mean, or the offset, for all rows.
        self.null_deviance_ = first.sums.deviance
        self._keep_errors(last, moments, scoring)
        trouble = self._saturation(last, link) or trouble
        if trouble:
            warnings.warn(f"GeneralizedLinearRegressor: {trouble}", ConvergenceWarning, stacklevel=6)
        # Under log and logit an absolute error of the predictor is a relative one of the mean.
        scale = 1.0 if link.name in ("log", "logit") else last.sums.high - last.sums.low
        warn_far(self, moments.mean[0, :-1], moments.variance()[0, :-1], scale)

    def _scoring(self, blocks: Blocks, moments: Moments, family: Family, link: Link) -> FisherScoring:
        """The problem on centered columns, restricted to identified directions."""
        mean, square, offset = moments.mean[0, :-1], moments.variance()[0, :-1], self._offset_index()
        center = mean if self.fit_intercept else np.zeros_like(mean)
        # Columns in units of their spread: redundancy is judged by numbers that do not depend on the units.
        size = np.sqrt(square + (mean - center) ** 2)
        unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
        basis = identified_directions(blocks, center, unit, offset)
        width = len(center) if basis is None else basis.shape[1]
        if basis is not None and offset is not None:
            offset = width - 1
        free = [j for j in range(width + self.fit_intercept) if j != offset]
        return FisherScoring(blocks, center, basis, family, link, np.array(free, dtype=np.intp), self.tol)

    def _offset_index(self) -> int | None:
        """Index of the offset among the encoded columns."""
        if self.offset is None:
            return None
        try:
            place = self.schema_.position(self.offset)
        except (TypeError, ValueError) as error:
            raise ValueError(f"GeneralizedLinearRegressor: parameter 'offset': {error}") from None
        kind = self.schema_.columns[place].kind
        if kind != "numeric":
            raise ValueError(
                f"GeneralizedLinearRegressor: parameter 'offset' must be a column of numbers; column "
                f"{self.schema_.names[place]!r} is {kind}."
            )
        return int(self.encoding_.offsets[place])

    def _start(self, scoring: FisherScoring, mean: float) -> Floats:
        """The mean for all rows; without an intercept the linear predictor starts at 0 or at the offset."""
        theta = np.zeros(scoring.width + 1)
        fixed = np.delete(np.arange(len(theta)), scoring.free)
        theta[fixed] = 1.0  # the coefficient of the offset
        theta[-1] = 0.0
        if self.fit_intercept:
            with np.errstate(all="ignore"):
                possible = bool(scoring.family.inside(np.array(mean)))
                theta[-1] = scoring.link.link(mean) if possible else np.nan
        return theta

    def _first(self, scoring: FisherScoring, start: Floats) -> Step:
        """The null model; with an offset, its intercept has to be fitted."""
        step = Step(start, scoring.at(start), converged=False)
        if self.offset is None or not self.fit_intercept or not np.isfinite(step.sums.deviance):
            return step
        # One mean for all rows is no longer the best constant once each row has its own offset.
        alone = replace(scoring, free=np.array([len(start) - 1]))
        for last in islice(alone.steps(start), self.max_iter):
            step = last
        return step

    def _refuse_start(self, mean: float) -> None:
        if self.fit_intercept:
            raise ValueError(
                f"GeneralizedLinearRegressor: the mean of y, {mean:g}, is impossible for family "
                f"{self.family!r} with this link: check y, or choose another family or link."
            )
        raise ValueError(
            f"GeneralizedLinearRegressor: family {self.family!r} with this link needs an intercept to start "
            "from: leave fit_intercept at True, or choose link='log'."
        )

    def _descend(self, scoring: FisherScoring, last: Step) -> tuple[Step, str]:
        steps = scoring.steps(last.theta)
        self._keep(last, 0, scoring)
        for i in self.iterate(self.max_iter):
            step = next(steps, None)
            if step is None:
                return (
                    last,
                    "no further step makes the deviance smaller: scale the columns, or change the link.",
                )
            last = step
            self._keep(last, i + 1, scoring)
            self.record(deviance=last.sums.deviance)
            if last.converged:
                return last, ""
        if self.n_iter_ < self.max_iter:  # stopped by a callback
            return last, ""
        return last, f"parameter 'max_iter' = {self.max_iter} was too small to converge: raise it."

    def _keep(self, step: Step, n_iter: int, scoring: FisherScoring) -> None:
        """Make the learner a usable model, as callbacks see it between iterations."""
        whole = scoring.uncentered(step.theta)
        self.coef_, self.intercept_ = whole[:-1], float(whole[-1])
        self.deviance_ = step.sums.deviance
        self.ends_ = np.array([step.sums.low, step.sums.high])
        self.n_iter_ = n_iter

    def _keep_errors(self, last: Step, moments: Moments, scoring: FisherScoring) -> None:
        free, family = scoring.free, scoring.family
        # The inverse of the expected information is the covariance of the coefficients, up to the dispersion.
        inside = inverse_root(last.sums.information[np.ix_(free, free)])
        root = np.zeros((len(last.theta), inside.shape[1]))
        root[free] = inside
        self.rank_ = inside.shape[1]
        self.degrees_of_freedom_ = max(float(moments.mass[0, -1]) - self.rank_, 0.0)
        estimable = self.degrees_of_freedom_ > 0
        self.dispersion_ = 1.0
        # Pearson's estimate: chi-squared over its degrees of freedom.
        if family.free:
            self.dispersion_ = last.sums.pearson / self.degrees_of_freedom_ if estimable else 0.0
        whole = scoring.uncentered(root)
        self.standard_errors_ = np.sqrt(self.dispersion_ * (whole**2).sum(axis=1))
        store_reference_errors(self, moments.mean[0, :-1], whole, self.dispersion_)

    def _saturation(self, last: Step, link: Link) -> str:
        if link.name != "logit" or max(-last.sums.low, last.sums.high) < CERTAIN:
            return ""
        return (
            "some fitted shares are 0 or 1 to all digits: a linear function may separate the rows, and the "
            "coefficients and standard errors mean little; use LogisticRegression with a penalty."
        )

    def _linear(self, X: Floats) -> Floats:
        """The linear predictor, clipped where the mean would become impossible."""
        z = linear_prediction(X, self.coef_, self.intercept_)
        name = link_of(self.family, self.link).name
        if name == "inverse":
            return np.asarray(np.maximum(z, self.ends_[0]))
        return np.asarray(np.minimum(z, 0.0) if name == "log" and self.family == "binomial" else z)

    def _predict(self, X: Floats) -> Floats:
        return np.asarray(link_of(self.family, self.link).mean(self._linear(X)))

    def _describe(self) -> Description:
        link = link_of(self.family, self.link).name
        title = f"Generalized linear regressor: {self.family} with link {link}, {len(self.coef_)} columns"
        facts: dict[str, Any] = {
            "iterations": self.n_iter_,
            "deviance": self.deviance_,
            f"deviance of the {'mean' if self.offset is None else 'offset'} alone": self.null_deviance_,
            "dispersion": self.dispersion_,
            "degrees of freedom": self.degrees_of_freedom_,
        }
        fitted = len(self.coef_) - (self.offset is not None)
        facts |= rank_facts(self, self.rank_ - self.fit_intercept, fitted)
        return Description(title, facts, inference_tables(self, self.encoded_names_))

    def _working(self, X: Floats) -> Working:
        link = link_of(self.family, self.link)
        title = f"Generalized linear regressor: the {link.name} of the mean is the sum"
        working = linear_working(title, X[0], self.coef_, self.intercept_, self.encoded_names_)
        cut = float(self._linear(X[:1])[0]) - working.scores[0]
        terms = [*working.terms, Term("cut off", [cut])] if abs(cut) > 1e-12 else working.terms
        return Working(title, "sum", ["value"], terms, float(self._predict(X[:1])[0]), link=link.name)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        log_of_mean = self.family == "gaussian" and self.link == "log"
        tags.target_tags.positive_only = log_of_mean or self.family in ("poisson", "gamma")
        return tags


def _moments(block: Block) -> Moments:
    """Moments of the columns and, last, of the target."""
    return Moments.of_rows(np.column_stack([block.X, np.asarray(block.y)]), block.w)


def _possible(block: Block, name: str) -> Block:
    """Reject a target that is impossible for the family."""
    family, y = FAMILIES[name], np.asarray(block.y)
    wrong = ~family.allowed(y)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"GeneralizedLinearRegressor: parameter 'family' = {name!r} needs a target y of "
            f"{family.allowed_text}; "
            f"row {block.start + row} has {y[row]:g}: correct it, or change the family."
        )
    return block
