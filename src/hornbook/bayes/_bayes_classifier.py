"""The full Bayes classifier, without independence assumptions within numbers and within categories."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Description, Table, Term, Working
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, ClassPriors, KeptRows, ManyBins, Smoothing
from hornbook.bayes.explain._description import class_table
from hornbook.bayes.explain._full_description import class_tables, row_factors
from hornbook.bayes.explain._plot import draw
from hornbook.bayes.models._counting import Counting
from hornbook.bayes.models._full_model import FullFactors, FullStatistics, full_statistics_of
from hornbook.bayes.models._joint_table import JointTable
from hornbook.bayes.models._multinormal import CoMoments, MultiNormal, multinormal
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Blocks, Frame, require_memory
from hornbook.params import Floats, Range, Tune, declared

__all__ = ["BayesClassifier"]

MUCH_WORK = 10**9  # multiplications, a few seconds of them


class BayesClassifierResult(BayesDecision, Counting, Classifier):
    """What `BayesClassifier` learns."""

    statistics_: FullStatistics
    factors_: FullFactors


@declared
class BayesClassifier(BayesWork, KeptRows, ClassPriors, Smoothing, BayesClassifierResult):
    """Full Bayes classifier: the class with the largest P(class) times P(row | class).

    The numbers of a row have a multivariate normal density in each class, its categories one probability for
    each combination of levels; given the class, numbers and categories are independent of each other. On
    numbers alone it is scikit-learn's QuadraticDiscriminantAnalysis with ``var_smoothing=0``; the joint table
    of categories is in no common library. Missing cells are marginalized out: the density and the
    probability are those of the known cells.

    With n rows, d numbers, c classes and u distinct combinations, fitting takes O(n d^2) time and memory
    O(c d^2 + c u), predicting O(n c d^2); the number of levels does not matter. Rows with missing categories
    take O(c u) more for each different set of missing columns.

    Parameters
    ----------
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        How P(combination | class) follows from counts: ``"laplace"`` is (n + alpha) / (N + alpha M) with n
        rows of the class that have the combination, N rows of the class and M possible combinations, the
        product of the numbers of levels; ``"none"`` is n / N; ``"zero_only"`` is n / N except for
        combinations seen in no class, which get alpha / (N + alpha M) in each.
    variance : {"ml", "unbiased"}, default "ml"
        Divisor of variances and covariances: n, or n - 1.
    var_smoothing : float, default 1e-9
        This fraction of each column's variance over all rows is added to its variance in every class. A
        direction in which a class does not vary, and whose variance over all rows is v, gets
        v / (2 ln(N + 1)), N being the weight of the class, so that it cannot outvote all others; a warning
        names the class. 0 leaves the covariances as they are.
    density : {"gaussian", "bins"}, default "gaussian"
        Numbers are normal, or cut into bins of equal width that enter the joint table like categories.
    n_bins : int, default 10
        Number of bins of ``density="bins"``. Their edges come from the first call of fit or partial_fit.

    Attributes
    ----------
    means_ : ndarray of shape (n_classes, n_numeric_columns)
        Mean of each numeric column within each class.
    covariance_ : ndarray of shape (n_classes, n_numeric_columns, n_numeric_columns)
        Covariance matrix of each class, smoothing included.
    tables_ : dict of list of Table
        For each class its joint table, with margins when there are two columns, and its normal density.

    See Also
    --------
    NaiveBayes : Bayes' rule with columns independent in each class.
    BayesianNetwork : Bayes' rule with dependences that are given.

    Examples
    --------
    >>> from hornbook import BayesClassifier, datasets
    >>> model = BayesClassifier().fit(datasets.iris(view="plane", positive="setosa"))
    >>> model.predict([{"sepal_length": 6.75, "sepal_width": 4.25}]).tolist()
    ['rest']
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "P(class) times a multivariate normal density times a joint table of all categories"
    objective = "likelihood of the training rows"
    optimizer = "closed form: counts, means and covariances"

    variance: Literal["ml", "unbiased"] = "ml"
    var_smoothing: Annotated[float, Range(low=0.0), Tune(1e-12, 1e-1, log=True)] = 1e-9
    density: Literal["gaussian", "bins"] = "gaussian"
    n_bins: ManyBins = 10

    def _counted(self, blocks: Blocks, plan: CountingPlan) -> FullStatistics:
        return blocks.reduce(full_statistics_of, plan, merge=FullStatistics.merge)

    def _check_plan(self, plan: CountingPlan, n_rows: int | None = None) -> None:
        d = len(self.schema_.numeric) if plan.edges is None else 0
        # With fewer rows than columns every covariance matrix is singular: the work would be for a model of
        # little use.
        if n_rows is not None and n_rows < d and plan.n_classes * d**3 > MUCH_WORK:
            raise ValueError(
                f"BayesClassifier inverts a covariance matrix of {d} columns for each of {plan.n_classes} "
                f"classes, which {n_rows} rows cannot fill: leave out columns, or use NaiveBayes or "
                "LinearDiscriminant."
            )
        # Four moments of each pair, for all rows and for the chunks in flight.
        require_memory(16 * plan.n_classes * d, d, "leave out columns, or use NaiveBayes")

    def _factors(self, statistics: FullStatistics, plan: CountingPlan) -> FullFactors:
        normal = None if statistics.moments is None else self._normal(statistics.moments)
        table = JointTable(statistics.joint, plan.table_sizes, self.smoothing, self.alpha)
        return FullFactors(self._log_prior(statistics.class_mass), normal, table, plan)

    def _normal(self, moments: CoMoments) -> MultiNormal:
        normal = multinormal(moments, unbiased=self.variance == "unbiased", var_smoothing=self.var_smoothing)
        # Only the first is named; one sentence is enough to act on.
        for _, j, _ in np.argwhere(~np.isfinite(normal.covariance))[:1]:
            name = self.schema_.names[self.schema_.numeric[j]]
            raise ValueError(
                f"column {name!r} holds values so large that their variance overflows: rescale it."
            )
        for c in np.flatnonzero(normal.lacking).tolist():
            self._report_singular(moments, c)
        return normal

    def _report_singular(self, moments: CoMoments, c: int) -> None:
        names = [self.schema_.names[j] for j in self.schema_.numeric]
        still = np.flatnonzero((moments.single("scatter")[c] == 0) & (moments.single("mass").sum(axis=0) > 0))
        reason = "its columns depend on each other"
        if moments.single("mass")[c].max() <= len(names):
            reason = f"it has rows of weight {moments.single('mass')[c].max():.6g} for {len(names)} columns"
        elif len(still):
            reason = f"column {names[still[0]]!r} has one value in it"
        sentence = (
            f"the covariance matrix of class {self.classes_.tolist()[c]!r} has no inverse because {reason}"
        )
        if self.var_smoothing == 0:
            raise ValueError(f"{sentence}: set var_smoothing above 0, or leave columns out.")
        warnings.warn(
            f"{sentence}; where it does not vary it gets the variance of all rows, narrowed as the docs of "
            "var_smoothing say: add rows, leave columns out, or use NaiveBayes.",
            UserWarning,
            stacklevel=8,
        )

    @property
    def means_(self) -> Floats:
        """Mean of each numeric column within each class."""
        return self._current_normal().mean

    @property
    def covariance_(self) -> Floats:
        """Covariance matrix of each class, smoothing included."""
        return self._current_normal().covariance

    def _current_normal(self) -> MultiNormal:
        normal: MultiNormal | None = self._current_model().normal
        if normal is None:
            # An AttributeError, so that hasattr is False.
            raise AttributeError(f"density={self.density!r} has no means and covariances: see tables_.")
        return normal

    @property
    def tables_(self) -> dict[Any, list[Table]]:
        """For each class its joint table and its normal density."""
        return class_tables(self._current_model(), self.schema_, self.classes_)

    def _describe(self) -> Description:
        facts = {
            "rows": float(self.class_count_.sum()),
            "smoothing": self.smoothing,
            "density of numbers": self.density,
        }
        title = f"Bayes classifier with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        return Description(title, facts, [prior, *(table for own in self.tables_.values() for table in own)])

    def _working(self, row: Frame) -> Working:
        model = self._current_model()
        terms = [Term("P(class)", model.log_prior.tolist())]
        terms += [Term(name, logs.tolist()) for name, logs in row_factors(model, self.schema_, row)]
        title = "Bayes classifier: P(class) times P(row | class)"
        return Working(
            title, "product", self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        model = self._current_model()
        shape = None if model.normal is None else model.normal.covariance
        return draw(self, model.marginals(), X, y, ax, shape)
