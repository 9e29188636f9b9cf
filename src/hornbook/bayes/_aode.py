"""Averaged one-dependence estimators."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Description, Term, Working
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, KeptRows, PairDensities, Smoothing
from hornbook.bayes.explain._aode_description import parent_tables, parent_terms
from hornbook.bayes.explain._description import class_table, counted_names, factors_of
from hornbook.bayes.explain._plot import draw
from hornbook.bayes.models._aode_model import AODEModel, naive_factors
from hornbook.bayes.models._pair_counting import PairCounting
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Frame
from hornbook.params import Range, Tune, declared

__all__ = ["AODE"]


class AODEResult(BayesDecision, PairCounting, Classifier):
    """What `AODE` learns."""

    factors_: AODEModel


@declared
class AODE(BayesWork, KeptRows, PairDensities, Smoothing, AODEResult):
    """Averaged one-dependence estimators: every column in turn is the parent of all the others.

    P(class | row) is proportional to the sum over columns i of P(class, x_i) times the product over the other
    columns of P(x_j | class, x_i) (Webb, Boughton and Wang 2005): no structure is chosen, and each pair of
    columns may depend on each other. Weka has it under the same name; scikit-learn does not have it.

    With n rows, d counted columns, l levels in all and c classes, fitting takes O(n d^2) time and O(c l^2)
    memory, predicting O(n c d^2) time.

    Parameters
    ----------
    min_count : float, default 1.0
        A value is a parent only if rows of at least this weight have it; the notes call the threshold m' and
        do not give its value. Naive Bayes predicts rows without a parent.
    include_self : bool, default False
        Multiply by P(x_i | class, x_i) = (n + alpha) / (n + alpha m) of the parent itself, as the notes print
        the product, instead of by 1.
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        ``"laplace"``: P(class, x_i) = (n + alpha) / (N + alpha c m) with c classes and m values of the
        column, P(x_j | class, x_i) = (n + alpha) / (N + alpha m); ``"none"``: n / N; ``"zero_only"``: n / N
        except where n is 0.
    density : {"bins", "gaussian"}, default "bins"
        Numbers are cut into bins of equal width and counted, or have a normal density given the class and the
        parent and cannot be parents themselves.

    Attributes
    ----------
    parents_ : dict
        For each counted column its values that occur often enough to be parents.

    See Also
    --------
    NaiveBayes : Bayes' rule with columns independent in each class.
    TAN : A tree of dependences between the columns.

    Examples
    --------
    >>> from hornbook import AODE, datasets
    >>> melons = datasets.watermelon("2.0")
    >>> AODE(min_count=5).fit(melons).predict(melons.features[:3]).tolist()
    [True, True, True]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "average over columns of P(class, parent) times P(value | class, parent) for the others"
    objective = "likelihood of the training rows, for each parent"
    optimizer = "closed form: counts of all pairs"

    min_count: Annotated[float, Range(low=0.0), Tune(values=(1.0, 5.0, 30.0))] = 1.0
    include_self: bool = False

    def _factors(self, statistics: PairStatistics, plan: CountingPlan) -> AODEModel:
        estimates = self._estimates()
        # Also kept for rows without a usable parent, as Webb, Boughton and Wang (2005) propose.
        naive = naive_factors(statistics, plan, self._log_prior(statistics.class_mass), estimates)
        return AODEModel.of(
            statistics, naive, estimates, min_count=self.min_count, include_self=self.include_self
        )

    @property
    def parents_(self) -> dict[str, list[Any]]:
        """For each counted column its values that occur often enough to be parents."""
        model: AODEModel = self._current_model()
        names = counted_names(model.naive.plan, self.schema_)
        # Values are counted one after the other for all columns, and split here into columns.
        usable = np.split(model.usable, np.cumsum(model.naive.plan.table_sizes)[:-1])
        return {
            name: [level for level, use in zip(levels, own, strict=True) if use]
            for (name, levels), own in zip(names, usable, strict=True)
        }

    def _describe(self) -> Description:
        model: AODEModel = self._current_model()
        facts = {
            "rows": float(self.class_count_.sum()),
            "smoothing": self.smoothing,
            "density of numbers": self.density,
            "values that may be parents": f"{int(model.usable.sum())} of {len(model.usable)}",
        }
        title = f"AODE with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        return Description(title, facts, [prior, *parent_tables(model, self.schema_, self.classes_)])

    def _working(self, row: Frame) -> Working:
        model: AODEModel = self._current_model()
        # A row whose values are all too rare to be parents is predicted by naive Bayes.
        terms = parent_terms(model, self.schema_, row)
        if terms:
            title = "AODE: sum over parents of P(class, parent) P(others | class, parent)"
            return self._working_of(row, title, "sum", terms)
        logs = [("P(class)", model.log_prior), *factors_of(model.naive, self.schema_, row)]
        naive = [Term(name, values.tolist()) for name, values in logs]
        return self._working_of(row, "AODE without a parent: naive Bayes", "product", naive)

    def _working_of(
        self, row: Frame, title: str, rule: Literal["sum", "product"], terms: list[Term]
    ) -> Working:
        return Working(
            title, rule, self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self._current_model().naive, X, y, ax)
