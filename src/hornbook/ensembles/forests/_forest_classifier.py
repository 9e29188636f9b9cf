"""Base class of forests for classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Classifier,
    ClassWeightByTarget,
    Working,
    class_counts,
    classes_of_targets,
    columns_by_target,
)
from hornbook.ensembles.forests._description import vote_terms
from hornbook.ensembles.forests._forest import Forest
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._parameters import Votes
from hornbook.ensembles.forests._single_tree import require_one_target
from hornbook.ensembles.forests._strength import margins_of
from hornbook.ensembles.forests._uncertainty import Kind, votes_disagree
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Shape
from hornbook.trees import (
    ClassLabels,
    WeightedTrees,
    class_factors,
    contributions,
    several_factors,
    with_contributions,
)

__all__ = ["ForestClassifier"]


class ForestClassifier(Votes, Forest, Classifier):
    """Base class of forests for classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of several targets, a list with one array for each.
    n_classes_ : int
        Their number; of several targets, a list.
    oob_score_ : float
        Accuracy on the rows that some tree has not seen, by those trees. Attributes
        that begin with ``oob_`` need ``oob_score`` or ``stop_when_stable``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Class probabilities without the trees that have seen the row; NaN for rows that all trees have seen.
        Of several targets, of shape (n_rows, n_classes, n_targets), with zeros where a target has fewer
        classes.
    oob_errors_, oob_tree_errors_ : ndarray of shape (n_trees,)
        Share of wrong answers out of bag: of the first 1, 2, ... trees together, and of each tree alone.
    oob_strength_, oob_correlation_ : float
        Mean margin out of bag with one vote for each tree, and mean correlation of the trees' margins.
    error_bound_ : float
        Breiman's (2001) bound on the error, ``oob_correlation_ * (1 - s**2) / s**2`` with s =
        ``oob_strength_``; infinite when s is not above 0.
    """

    counts_absent = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"vote_smoothing"})
    model_class = "many trees of questions about one column, with class frequencies in the leaves"

    if not TYPE_CHECKING:  # in types, classes are those of one target
        classes_: Annotated[NDArray[Any], Shape("n_classes")] | list[NDArray[Any]]
    oob_decision_function_: Annotated[
        Floats, Shape("n_bag_rows", "n_classes"), Shape("n_bag_rows", "n_largest", "n_targets")
    ]
    oob_strength_: float
    oob_correlation_: float
    error_bound_: float

    @property
    def n_classes_(self) -> int | list[int]:
        """Number of classes; of several targets, a list."""
        check_is_fitted(self)
        return class_counts(self)

    def _weights_in_table(self) -> ClassWeightByTarget:
        """The weights of classes that are the same in all trees."""
        chosen = self.class_weight
        # Without bootstrap every tree has all rows, and the two settings are the same.
        if chosen == "balanced_subsample":
            return None if self.bootstrap else "balanced"  # otherwise they differ from tree to tree
        return chosen

    def _factors(self, blocks: Blocks) -> Floats | None:
        return class_factors(self._weights_in_table(), np.asarray(self.classes_), blocks, type(self).__name__)

    def _factors_of_rows(self, y: NDArray[Any], w: Floats | None) -> Floats | None:
        classes = classes_of_targets(self) or []
        return several_factors(self._weights_in_table(), classes, y, w, type(self).__name__)

    def _known_target(self, blocks: Blocks) -> Blocks:
        return self._with_codes(blocks)

    def _proba(self, features: Frame) -> Floats:
        trees, more = len(self.forest_), self.vote_smoothing
        if not more:
            return self._mean(features)
        # Laplace smoothing with m more votes, spread evenly: (T p + m / k) / (T + m).
        return np.asarray((trees * self._mean(features) + self._evenly(more)) / (trees + more))

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:
        hard, all_votes = self.vote == "hard", len(self.forest_) + self.vote_smoothing
        gaps = np.isnan(rows.numbers).any() or (rows.codes < 0).any()
        if hard and gaps and len(self.forest_.share):
            raise ValueError(
                "contributions of hard votes are not defined for rows without a value that go to several "
                "leaves, which have one vote together: fill in the values, or set vote='soft' or "
                "missing='direction'."
            )
        # Smoothing is a constant and belongs to no column: it goes to the base of the contributions.
        offset = self._evenly(self.vote_smoothing) / all_votes
        meaning = "share of votes" if hard else "probability"
        return self.forest_.weighted(1.0 / all_votes, offset, meaning, hard=hard)

    def _working(self, row: Frame) -> Working:
        """Sums over the trees that agree on a class."""
        hard, smoothing = self.vote == "hard", self.vote_smoothing
        answer = self._answer(row)[0]
        more = f"smoothing: {smoothing:g} more, evenly", self._evenly(smoothing)
        working = vote_terms(
            # Of several targets, the shares of each sum to 1 over their number.
            self.n_outputs_ * np.concatenate(list(self.forest_.each(self._coded(row), 1, hard=hard))),
            np.array(ClassLabels(self.classes_).names, dtype=object)
            if self.n_outputs_ > 1
            else np.asarray(self.classes_),
            what="votes" if hard else "class probabilities",
            answer=answer.tolist() if self.n_outputs_ > 1 else answer,
            more=more if smoothing else None,
        )
        return with_contributions(self, row, working)

    def _keep(self, unseen: OutOfBag) -> None:
        super()._keep(unseen)
        self.oob_decision_function_ = unseen.means
        if unseen.sizes:
            self.oob_decision_function_ = _stacked(
                columns_by_target(len(unseen.sizes) * unseen.means, classes_of_targets(self) or [])
            )
            return
        strength = unseen.strength()
        self.oob_strength_, self.oob_correlation_ = strength.strength, strength.correlation
        self.error_bound_ = strength.bound

    def margins(self, X: Any, y: Any = None) -> Floats:
        """Give the margin of each row: the share of its class minus the largest share of another class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.

        Returns
        -------
        margins : ndarray of shape (n_rows,)
            From -1 to 1; below 0 where the forest errs. Shares are those of ``predict_proba``
            without smoothing.
        """
        require_one_target(self, "margins")
        rows = self._known(X, y, None)
        total = self.forest_.answers(rows.frame, self._threads(), hard=self.vote == "hard")
        return margins_of(total / len(self.forest_), rows.y)

    def uncertainty(self, X: Any, kind: Kind = "entropy") -> Floats:
        """Measure how far the trees disagree about each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        kind : {"entropy", "margin"}, default "entropy"
            Entropy in bits of the shares of votes, each tree having one, or 1 minus the largest share.

        Returns
        -------
        uncertainty : ndarray of shape (n_rows,)
            0 where all trees agree.
        """
        if kind not in ("entropy", "margin"):
            raise ValueError(f"parameter 'kind' must be 'entropy' or 'margin'; got {kind!r}.")
        require_one_target(self, "uncertainty")
        rows = self._coded(self._prepared(X))
        votes = self.forest_.answers(rows, self._threads(), hard=True)
        return votes_disagree(votes / len(self.forest_), kind)


def _stacked(parts: list[Floats]) -> Floats:
    """Shares of the classes of each target along the last axis, filled up with zeros."""
    table = np.zeros((len(parts[0]), max(part.shape[1] for part in parts), len(parts)))
    for t, part in enumerate(parts):
        table[:, : part.shape[1], t] = part
    return table
