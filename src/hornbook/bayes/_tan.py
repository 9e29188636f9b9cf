"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Description, Table, Working, draw_beside_rows
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, ClassPriors, KeptRows, PairDensities, Smoothing
from hornbook.bayes.explain._description import class_table, counted_names
from hornbook.bayes.explain._one_dependence_description import (
    counted_column,
    draw_network,
    one_dependence_tables,
    row_terms,
)
from hornbook.bayes.models._one_dependence import OneDependence, one_dependence
from hornbook.bayes.models._pair_counting import PairCounting
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.bayes.models._tan_tree import Information, information_of, number_information_of, tree_of
from hornbook.frame import Frame
from hornbook.params import Floats, declared

__all__ = ["TAN"]


class TANResult(BayesDecision, PairCounting, Classifier):
    """What `TAN` learns."""

    factors_: OneDependence


@declared
class TAN(BayesWork, KeptRows, PairDensities, ClassPriors, Smoothing, TANResult):
    """Tree-augmented naive Bayes: every column may depend on one other column besides the class.

    The dependences form the maximum spanning tree of the mutual information between columns given the class
    (Friedman, Geiger and Goldszmidt 1997, after Chow and Liu 1968). P(class | row) is proportional to
    P(class) times the product of P(x_j | class, parent of j). Weka has it under the same name; scikit-learn
    does not have it.

    With n rows, d counted columns, l levels in all and c classes, fitting takes O(n d^2 + c l^2) time and
    O(c l^2) memory, predicting O(n c d) time.

    Parameters
    ----------
    root : str or int, optional
        The root of the tree, by name or position; the first column with values when left out. The
        undirected tree does not depend on it.
    information : {"conditional", "per_class"}, default "conditional"
        The weight of an edge is the sum over x, z and classes of w log[P(x, z | class) / (P(x | class)
        P(z | class))], where w is P(x, z, class): the conditional mutual information; or P(x, z | class), as
        the notes print it, which gives rare classes the weight of frequent ones.
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        ``"laplace"``: P(x_j | class, parent) = (n + alpha) / (N + alpha m) with m values of the column;
        ``"none"``: n / N; ``"zero_only"``: n / N except where n is 0.
    density : {"bins", "gaussian"}, default "bins"
        Numbers are cut into bins of equal width and counted, or have a normal density given the class and the
        category with the largest mutual information, and cannot be parents.

    Attributes
    ----------
    mutual_information_ : ndarray of shape (n_columns, n_columns)
        Weight of the edge between each pair of columns; 0 between numbers with normal densities.
    parents_ : dict
        For each column the name of its parent, None for the root.
    tables_ : dict of Table
        For each column its P(value | class, value of its parent).

    See Also
    --------
    NaiveBayes : Bayes' rule with columns independent in each class.
    SPODE : Columns that all depend on one other column.

    Examples
    --------
    >>> from hornbook import TAN, datasets
    >>> TAN(root="root").fit(datasets.watermelon("2.0")).parents_["sound"]
    'root'
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "P(class) times P(value | class, parent) for each column, parents forming a tree"
    objective = "likelihood of the training rows"
    optimizer = "maximum spanning tree of the mutual information, then counts"

    root: str | int | None = None
    information: Information = "conditional"

    def _check_settings(self) -> None:
        super()._check_settings()
        self._root()

    def _root(self) -> int | None:
        if self.root is None:
            return None
        return counted_column(self.schema_, self.root, binned=self.density == "bins", parameter="TAN: root")

    def _factors(self, statistics: PairStatistics, plan: CountingPlan) -> OneDependence:
        weights, numbers = self._weights(statistics, plan)
        n_numbers = statistics.single.moments.mean.shape[1]
        # Numbers with densities are leaves, each below the category with the largest mutual information.
        above = np.full(n_numbers, -1, dtype=np.int32)
        if numbers.size:
            above = numbers.argmax(axis=1).astype(np.int32)
        log_prior = self._log_prior(statistics.class_mass)
        # The maximum spanning tree of the conditional mutual information has the largest likelihood of all
        # trees (Chow and Liu 1968; Friedman, Geiger and Goldszmidt 1997).
        parents = tree_of(statistics, plan, weights, self._root())
        return one_dependence(statistics, plan, parents, above, log_prior, self._estimates())

    def _weights(self, statistics: PairStatistics, plan: CountingPlan) -> tuple[Floats, Floats]:
        """The weights of edges between counted columns, and from them to numbers."""
        return (
            information_of(statistics, plan, self.information),
            number_information_of(statistics, plan, self.information, self._estimates()),
        )

    @property
    def mutual_information_(self) -> Floats:
        """Weight of the edge between each pair of columns, in the order of the columns."""
        # Counted columns come in another order than in the table.
        weights, numbers = self._weights(*self._sums())
        schema = self.schema_
        binned = schema.numeric.tolist() if self.density == "bins" else []
        counted = np.array([*schema.coded.tolist(), *binned], dtype=np.intp)
        out = np.zeros((len(schema), len(schema)))
        out[np.ix_(counted, counted)] = weights
        if len(numbers):
            out[np.ix_(schema.numeric, counted)] = numbers
            # Mutual information is symmetric; pairs of two numbers have no edge and stay 0.
            out[np.ix_(counted, schema.numeric)] = numbers.T
        return out

    @property
    def parents_(self) -> dict[str, str | None]:
        """For each column the name of its parent, None for the root."""
        model: OneDependence = self._current_model()
        names = [name for name, _ in counted_names(model.plan, self.schema_)]
        parents = {
            name: names[parent] if parent >= 0 else None
            for name, parent in zip(names, model.parents, strict=True)
        }
        if model.given is not None:
            for j, parent in zip(self.schema_.numeric, model.number_parents, strict=True):
                parents[self.schema_.names[j]] = names[parent] if parent >= 0 else None
        return {name: parents.get(name) for name in self.schema_.names}

    @property
    def tables_(self) -> dict[str, Table]:
        """For each column its P(value | class, value of its parent)."""
        return one_dependence_tables(self._current_model(), self.schema_, self.classes_)

    def _describe(self) -> Description:
        facts = {
            "rows": float(self.class_count_.sum()),
            "smoothing": self.smoothing,
            "density of numbers": self.density,
        }
        title = f"TAN with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        return Description(title, facts, [prior, self._edge_table(), *self.tables_.values()])

    def _edge_table(self) -> Table:
        names = list(self.schema_.names)
        weights = self.mutual_information_
        rows: list[list[str | float]] = [
            [name, parent, float(weights[names.index(name), names.index(parent)])]
            for name, parent in self.parents_.items()
            if parent is not None
        ]
        return Table("Tree", ["column", "parent", "mutual information"], rows)

    def _working(self, row: Frame) -> Working:
        terms = row_terms(self._current_model(), self.schema_, row)
        title = "TAN: P(class) times P(value | class, parent)"
        return Working(
            title, "product", self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        target = getattr(self, "target_name_", "class")
        return draw_beside_rows(self, lambda place: draw_network(self.parents_, target, place), X, y, ax)
