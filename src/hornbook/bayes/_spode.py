"""Super-parent one-dependence estimator."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Description, Table, Working, draw_beside_rows
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, KeptRows, PairDensities, Smoothing
from hornbook.bayes.explain._description import class_table, counted_names
from hornbook.bayes.explain._one_dependence_description import (
    counted_column,
    draw_network,
    one_dependence_tables,
    row_terms,
)
from hornbook.bayes.models._one_dependence import OneDependence
from hornbook.bayes.models._pair_counting import PairCounting
from hornbook.bayes.models._pairs import Codes, PairStatistics, every_column
from hornbook.bayes.models._spode_choice import left_out_losses, super_parent_model
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Shape, declared

__all__ = ["SPODE"]

SAME = 1e-9  # losses that differ by less, per row, are equal up to rounding


class SPODEResult(BayesDecision, PairCounting, Classifier):
    """What `SPODE` learns."""

    losses_: Annotated[Floats, Shape("n_counted + 1")]
    factors_: OneDependence


@declared
class SPODE(BayesWork, KeptRows, PairDensities, Smoothing, SPODEResult):
    """Super-parent one-dependence estimator: naive Bayes in which one column is a parent of all others.

    P(class | row) is proportional to P(class, x_p) times the product over the other columns of
    P(x_j | class, x_p). The super-parent p is given or chosen by leave-one-out cross-validation, which needs
    no second fit: a row is left out by subtracting it from the counts. scikit-learn has no such learner.

    With n rows, d counted columns, l levels in all and c classes, choosing the super-parent takes
    O(n c d^2) time and O(c l^2) memory; a given one with m levels O(n d) time and O(c m l) memory.
    Predicting takes O(n c d) time.

    Parameters
    ----------
    super_parent : "cv", str or int, default "cv"
        The column that is the parent, by name or position; ``"cv"`` takes the one with the smallest log loss
        of rows left out one at a time. With `partial_fit` each batch is evaluated with the counts so far, and
        the losses of all batches are summed.
    smoothing : {"laplace", "zero_only", "none"}, default "laplace"
        ``"laplace"``: P(class, x_p) = (n + alpha) / (N + alpha c m) with c classes and m values of the
        column, P(x_j | class, x_p) = (n + alpha) / (N + alpha m); ``"none"``: n / N; ``"zero_only"``: n / N
        except where n is 0.
    density : {"bins", "gaussian"}, default "bins"
        Numbers are cut into bins of equal width and counted, or have a normal density given the class and the
        super-parent, and cannot be super-parents themselves.

    Attributes
    ----------
    super_parent_ : str or None
        Name of the super-parent; None when no column can be one.
    losses_ : ndarray of shape (n_counted_columns + 1,)
        Sum of the left-out log losses for each candidate, and the weight of the rows; with
        ``super_parent="cv"`` only.
    parents_ : dict
        For each column the name of its parent, None for the super-parent itself.
    tables_ : dict of Table
        For each column its P(value | class, value of the super-parent).

    See Also
    --------
    AODE : Average of one-dependence estimators.
    TAN : A tree of dependences between the columns.

    Examples
    --------
    >>> from hornbook import SPODE, datasets
    >>> SPODE().fit(datasets.watermelon("2.0")).super_parent_
    'texture'
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "P(class, super-parent) times P(value | class, super-parent) for each other column"
    objective = "likelihood of the training rows; left-out log loss for the super-parent"
    optimizer = "closed form: counts of pairs; all candidates evaluated"

    super_parent: str | int = "cv"

    def _check_settings(self) -> None:
        super()._check_settings()
        self._named_parent()

    def _named_parent(self) -> int | None:
        """The counted column the user named; None for ``"cv"``."""
        if self.super_parent == "cv":
            return None
        return counted_column(
            self.schema_, self.super_parent, binned=self.density == "bins", parameter="SPODE: super_parent"
        )

    def _counted_parents(self, plan: CountingPlan) -> Codes:
        named = self._named_parent()
        return every_column(plan) if named is None else np.array([named], dtype=np.int32)

    def _factors(self, statistics: PairStatistics, plan: CountingPlan) -> OneDependence:
        parent = self._named_parent()
        if parent is None:
            # Until the candidates have been evaluated, the first one stands for the best.
            # min(n, 1) - 1 is 0 where there is a column to count, and -1, no parent, where there is none.
            parent = (
                _smallest(self.losses_) if hasattr(self, "losses_") else min(len(plan.table_sizes), 1) - 1
            )
        log_prior = self._log_prior(statistics.class_mass)
        return super_parent_model(statistics, plan, parent, log_prior, self._estimates())

    def _losses(self, blocks: Blocks, statistics: PairStatistics, plan: CountingPlan) -> Floats:
        log_prior = self._log_prior(statistics.class_mass)
        return left_out_losses(blocks, statistics, plan, log_prior, self._estimates())

    def _choose(self, blocks: Blocks) -> None:
        """Evaluate the candidates on these rows, too, and build the model of the best."""
        if self.super_parent != "cv" or not len(self.plan_.table_sizes):
            return
        losses = self._losses(blocks, self.statistics_, self.plan_)
        # Sums over batches, each judged by the counts at its time: rows of earlier batches are not kept.
        self.losses_ = losses + getattr(self, "losses_", 0.0)
        self.factors_ = self._factors(self.statistics_, self.plan_)

    def _start(self, blocks: Blocks) -> None:
        super()._start(blocks)
        if not self.lazy:
            self._choose(blocks)

    def _partial_fit(self, blocks: Blocks) -> None:
        later = hasattr(self, "statistics_")  # the first batch is chosen by _start
        super()._partial_fit(blocks)
        if later:
            self._choose(blocks)

    def _current_model(self) -> OneDependence:
        if not hasattr(self, "kept_"):
            model: OneDependence = self.factors_
            return model
        statistics, plan = self._sums()
        parent = self._named_parent()
        if parent is None:
            blocks = self.kept_.blocks(self.schema_, self._threads())
            # A lazy learner chooses when it is asked, from the rows it has kept until then.
            parent = _smallest(self._losses(blocks, statistics, plan)) if len(plan.table_sizes) else -1
        log_prior = self._log_prior(statistics.class_mass)
        return super_parent_model(statistics, plan, parent, log_prior, self._estimates())

    @property
    def super_parent_(self) -> str | None:
        """Name of the super-parent; None when no column can be one."""
        model = self._current_model()
        return None if model.joint_root < 0 else counted_names(model.plan, self.schema_)[model.joint_root][0]

    @property
    def parents_(self) -> dict[str, str | None]:
        """For each column the name of its parent, None for the super-parent itself."""
        top = self.super_parent_
        return {name: None if name == top else top for name in self.schema_.names}

    @property
    def tables_(self) -> dict[str, Table]:
        """For each column its P(value | class, value of the super-parent)."""
        return one_dependence_tables(self._current_model(), self.schema_, self.classes_)

    def _describe(self) -> Description:
        facts = {
            "rows": float(self.class_count_.sum()),
            "super-parent": self.super_parent_,
            "chosen by": "leave-one-out log loss" if self.super_parent == "cv" else "the user",
            "smoothing": self.smoothing,
            "density of numbers": self.density,
        }
        title = f"SPODE with {len(self.classes_)} classes and {len(self.schema_.columns)} columns"
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        return Description(title, facts, [prior, *self._loss_table(), *self.tables_.values()])

    def _loss_table(self) -> list[Table]:
        if not hasattr(self, "losses_"):
            return []
        names = [name for name, _ in counted_names(self.plan_, self.schema_)]
        per_row = self.losses_[:-1] / self.losses_[-1]
        return [Table("Candidates", ["column", "log loss"], list(zip(names, per_row.tolist(), strict=True)))]

    def _working(self, row: Frame) -> Working:
        terms = row_terms(self._current_model(), self.schema_, row)
        title = "SPODE: P(class, super-parent) times P(value | class, super-parent)"
        return Working(
            title, "product", self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        target = getattr(self, "target_name_", "class")
        return draw_beside_rows(self, lambda place: draw_network(self.parents_, target, place), X, y, ax)


def _smallest(losses: Floats) -> int:
    """The first candidate whose loss is the smallest, up to rounding; -1 when there is none."""
    if len(losses) < 2:
        return -1
    per_row = losses[:-1] / losses[-1]
    return int(np.flatnonzero(per_row <= per_row.min() + SAME)[0])
