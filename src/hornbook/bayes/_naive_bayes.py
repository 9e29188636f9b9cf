"""Naive Bayes for tables of numbers and categories."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Classifier, Description, Table, Term, Working
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, ClassPriors, KeptRows, ManyBins, Smoothing
from hornbook.bayes.explain._description import class_table, factors_of, tables
from hornbook.bayes.explain._plot import draw
from hornbook.bayes.models._counting import Counting
from hornbook.bayes.models._factors import (
    Factors,
    KernelDensity,
    NormalDensities,
    gaussian,
    kernel_density,
    probability_tables,
)
from hornbook.bayes.models._statistics import ClassStatistics, CountingPlan, statistics_of
from hornbook.bayes.models._variances import VarScale
from hornbook.frame import Blocks, Frame, Moments, require_memory
from hornbook.params import Floats, Range, Tune, declared

__all__ = ["NaiveBayes"]


class NaiveBayesResult(BayesDecision, Counting, Classifier):
    """What `NaiveBayes` learns."""

    statistics_: ClassStatistics
    factors_: Factors


@declared
class NaiveBayes(BayesWork, KeptRows, ClassPriors, Smoothing, NaiveBayesResult):
    """Naive Bayes: the class with the largest P(class) times the product of P(value | class).

    It takes numbers and categories together, leaves missing cells out of the product, and works in
    logarithms. Unlike scikit-learn's five separate classes, one learner handles all columns.

    With n rows, d columns, l levels in all and c classes, fitting takes O(n d) time and O(c (d + l)) memory,
    predicting O(n c d) time. With ``density="kernel"`` the rows are kept, and predicting takes time for each
    training value near the query.

    Parameters
    ----------
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        How P(value | class) follows from counts: ``"laplace"`` is (n + alpha) / (N + alpha m) with n rows of
        the class that have the value, N rows of the class and m possible values; ``"none"`` is n / N;
        ``"zero_only"`` is n / N except where n is 0, which becomes alpha / (N + alpha m).
    variance : {"ml", "unbiased"}, default "ml"
        Divisor of the variance of a normal density: n, or n - 1.
    var_smoothing : float, default 1e-9
        This fraction f of each column's variance v is added to its variance s² in every class: s² + f v.
        A column with one value in a class (s² at most 1e-9 v) counts as if s² were v / (2 ln(N + 1)), N being
        the weight of the class: a value one standard deviation of the column away then has 1 / (N + 1)
        times the density of the value itself, as in Laplace's rule of succession for an event that did not
        occur in N rows, and the column cannot outvote all others. A warning of `fit` names it. 0 leaves the
        variances as they are.
    var_scale : {"column", "largest"}, default "column"
        ``"column"`` is the rule above; ``"largest"`` is scikit-learn's, s² + f max(v) with the largest
        variance of all columns, which depends on the units of the columns and raises nothing.
    density : {"gaussian", "kernel", "bins"}, default "gaussian"
        Density of a number: normal; mean of normal densities around the training values; or P(bin | class)
        of equal-width bins, treated like a category.
    bandwidth : {"scott", "silverman"} or float, default "scott"
        Width of the kernels: s n^(-1/5), s (3n/4)^(-1/5) with s the standard deviation in the class, or a
        number.
    n_bins : int, default 10
        Number of bins of ``density="bins"``. Their edges come from the first call of fit or partial_fit.

    Attributes
    ----------
    mean_, var_ : ndarray of shape (n_classes, n_numeric_columns)
        Mean and variance of each numeric column within each class, for ``density="gaussian"``.
    theta_ : ndarray of shape (n_classes, n_numeric_columns)
        The same as ``mean_``: scikit-learn's name of it.
    tables_ : dict of Table
        For each column its P(value | class), or the parameters of its density.

    See Also
    --------
    BayesClassifier : Bayes' rule with the joint distribution of all columns.
    AODE : Average of one-dependence estimators.

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
    optimizer = "closed form: counts, means and variances"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)

    variance: Literal["ml", "unbiased"] = "ml"
    var_smoothing: Annotated[float, Range(low=0.0), Tune(1e-12, 1e-2, log=True)] = 1e-9
    var_scale: VarScale = "column"
    density: Literal["gaussian", "kernel", "bins"] = "gaussian"
    bandwidth: Literal["scott", "silverman"] | Annotated[float, Range(low=0.0, open_low=True)] = "scott"
    n_bins: ManyBins = 10

    # Decisions need only the order of the posteriors, which often survives the independence assumption where
    # the probabilities themselves do not (Domingos and Pazzani 1997).
    def _counted(self, blocks: Blocks, plan: CountingPlan) -> ClassStatistics:
        return blocks.reduce(statistics_of, plan, merge=ClassStatistics.merge)

    def _check_plan(self, plan: CountingPlan, _: int | None = None) -> None:
        # In 64 bits: a text column may have so many levels that 32 would overflow before the refusal.
        cells = int(plan.table_sizes.sum(dtype=np.int64))
        require_memory(plan.n_classes, cells, "leave out columns with very many levels, or use fewer bins")

    def _factors(self, statistics: ClassStatistics, plan: CountingPlan) -> Factors:
        """Turn counts into the tables used in prediction."""
        density: NormalDensities | KernelDensity | None = None
        if self.density == "gaussian":
            unbiased = self.variance == "unbiased"
            density = gaussian(
                statistics.moments,
                unbiased=unbiased,
                var_smoothing=self.var_smoothing,
                var_scale=self.var_scale,
            )
            self._check_variances(density.var)
        elif self.density == "kernel":
            # Needs all rows, not only their moments (John and Langley 1995), so the plan keeps them.
            density = kernel_density(statistics, self.bandwidth)
        tables = probability_tables(statistics, plan, self.smoothing, self.alpha)
        return Factors(self._log_prior(statistics.class_mass), density, tables, plan)

    def _normal_moments(self, statistics: ClassStatistics) -> Moments | None:
        # A bandwidth by rule of thumb depends on the variance, as a normal density does.
        by_rule = self.density == "kernel" and isinstance(self.bandwidth, str)
        return statistics.moments if self.density == "gaussian" or by_rule else None

    def _check_variances(self, var: Floats) -> None:
        # One sentence about the first of them: a list of all would hide what to do.
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

    @property
    def mean_(self) -> Floats:
        """Mean of each numeric column within each class."""
        return self._normal().mean

    @property
    def theta_(self) -> Floats:
        """The same as ``mean_``: scikit-learn's name of it."""
        return self.mean_

    @property
    def var_(self) -> Floats:
        """Variance of each numeric column within each class, smoothing included."""
        return self._normal().var

    def _normal(self) -> NormalDensities:
        density = self._current_model().density
        if not isinstance(density, NormalDensities):
            # An AttributeError, so that hasattr is False.
            raise AttributeError(  # noqa: TRY004
                f"density={self.density!r} has no mean and variance: see tables_."
            )
        return density

    @property
    def tables_(self) -> dict[str, Table]:
        """For each column its P(value | class), or the parameters of its density."""
        return tables(self._current_model(), self.schema_, self.classes_)

    def _describe(self) -> Description:
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        facts = {
            "rows": float(self.class_count_.sum()),
            "smoothing": self.smoothing,
            "density of numbers": self.density,
        }
        title = f"Naive Bayes with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        return Description(title, facts, [prior, *self.tables_.values()])

    def _working(self, row: Frame) -> Working:
        model = self._current_model()
        terms = [Term("P(class)", model.log_prior.tolist())]
        terms += [Term(name, logs.tolist()) for name, logs in factors_of(model, self.schema_, row)]
        numbers = " (a number has a density)" if self.density != "bins" and len(self.schema_.numeric) else ""
        title = f"Naive Bayes: P(class) times P(value | class) for each value{numbers}"
        return Working(
            title, "product", self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self._current_model(), X, y, ax)
