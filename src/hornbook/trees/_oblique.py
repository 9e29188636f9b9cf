"""Oblique trees: each node splits on a linear combination of the columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook._scikit import BaseEstimator
from hornbook.base import Accepts, Classifier, Description, Learner, Regressor, Table, Term, Working
from hornbook.display import Cell
from hornbook.params import Floats, Range, declared, parameter_group
from hornbook.plots import TreeBox, tree
from hornbook.trees._fitted import class_probabilities
from hornbook.trees._oblique_direction import coef_of, directions, logistic_coef, ridge_coef
from hornbook.trees._oblique_grow import Directions, ObliqueTree, grow_oblique
from hornbook.trees._parameters import (
    ClassCriteria,
    ClassLeaves,
    ClassWeights,
    LeafLimits,
    MinGain,
    NotNegative,
    NumberCriteria,
)
from hornbook.trees._settings import SampleSize, settings_of, warn_of_friedman
from hornbook.trees._targets import ClassTarget, NumberTarget, class_factors, weighted
from hornbook.trees.binned._row_weights import in_memory
from hornbook.trees.explain._oblique_rules import ObliqueRules
from hornbook.trees.explain._plot import node_shades, rows_in_nodes, with_lines
from hornbook.trees.explain._questions import ClassLabels, answer, class_counts, counted, whole

__all__ = ["ObliqueTreeClassifier", "ObliqueTreeRegressor"]

MOST_TERMS = 3
_UNLIMITED = 2**63 - 1


@parameter_group
class ObliqueLimits(MinGain, LeafLimits):
    """When a node of an oblique tree is a leaf.

    Parameters
    ----------
    min_samples_split : int
        Fewest rows of a node that is split.
    min_samples_leaf : int
        Fewest rows of a child.
    min_gain : float
        Smallest gain of a split, which must be above 0.
    """

    min_samples_split: Annotated[int, Range(low=2)] = 2
    min_samples_leaf: Annotated[int, Range(low=1)] = 1
    min_gain: NotNegative = 0.0


class ObliqueMethods(ObliqueLimits, Learner):
    """Methods of both oblique trees: growth, rules, descriptions and plots.

    Attributes
    ----------
    nodes_ : ObliqueTree
        The nodes as parallel arrays.
    encoded_names_ : ndarray of str
        Names of the columns of ``nodes_.coef``.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    nodes_: ObliqueTree
    adjustable: ClassVar[frozenset[str]] = frozenset({"max_depth"})

    def _grow(self, X: Floats, target: ClassTarget | NumberTarget, directions_of: Directions) -> None:
        size = SampleSize.of(target.w, len(X))
        # A node is a tree of depth 1 on projected rows, and the depth of the whole is counted here.
        options = replace(settings_of(self), max_depth=1).options(self.schema_, size)
        self.nodes_ = grow_oblique(X, target, directions_of, options, self.max_depth)

    def _variants(self, rows: Any, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:
        """The same tree with other smoothing, or with less depth; it cannot become deeper."""
        for twin in super()._variants(rows, settings):
            depth = _UNLIMITED if twin.max_depth is None else twin.max_depth
            if depth > (_UNLIMITED if self.max_depth is None else self.max_depth):
                raise ValueError(
                    f"max_depth={twin.max_depth} needs a tree that was grown to at least that; got one with "
                    f"{self.max_depth}: fit again."
                )
            # A tree of depth d is the top of the deeper tree, because growth is greedy: no node depends on
            # those below it.
            twin.nodes_ = self.nodes_.ending_at(depth)
            yield twin

    def _labels(self) -> ClassLabels:
        return ClassLabels(getattr(self, "classes_", None))

    def _values(self) -> Floats:
        """The value of each node: class probabilities, or the number."""
        return self.nodes_.value

    def get_depth(self) -> int:
        """Depth of the tree."""
        check_is_fitted(self)
        return self.nodes_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return int(self.nodes_.is_leaf.sum())

    def rules(self) -> ObliqueRules:
        """Give the tree as rules: as text, and with ``to_table()``."""
        check_is_fitted(self)
        return ObliqueRules(self.nodes_, self._labels(), self._branch)

    def contributions(self, X: Any, *, interactions: bool = False) -> NoReturn:  # noqa: ARG002 - refused
        """Refuse: a sum of several columns cannot be known in part."""
        raise TypeError(
            f"{type(self).__name__} has no contributions, because its questions are about several columns at "
            "once: use a DecisionTreeClassifier or DecisionTreeRegressor."
        )

    def _terms(self, node: int) -> list[str]:
        """The terms of a node's sum, the largest weights first."""
        coef = self.nodes_.coef[node]
        # Zero weights sort last and are cut off.
        order = np.argsort(-np.abs(coef), kind="stable")[: (coef != 0).sum()]
        signs = ["- " if coef[j] < 0 else "+ " if i else "" for i, j in enumerate(order)]
        return [
            f"{sign}{abs(coef[j]):.4g} {self.encoded_names_[j]}" for sign, j in zip(signs, order, strict=True)
        ]

    def _branch(self, node: int, child: int) -> str:
        return f"{' '.join(self._terms(node))} {'>' if child else '<='} {self.nodes_.threshold[node]:.4g}"

    def _describe(self) -> Description:
        fitted, labels = self.nodes_, self._labels()
        rows: list[list[Cell]] = [
            [
                node,
                *("" if first < 0 else cell for cell in (self._branch(node, 0), first, first + 1)),
                answer(labels, fitted.value[node]),
                whole(fitted.weight[node]),
            ]
            for node, first in enumerate(fitted.first_child.tolist())
        ]
        kind = "classifier" if labels.names is not None else "regressor"
        facts = {
            "criterion": settings_of(self).criterion,
            "leaves": self.get_n_leaves(),
            "depth": fitted.depth,
        }
        table = Table("Nodes", ["node", "question", "if yes", "if no", "answer", "rows"], rows)
        return Description(f"Oblique tree {kind} with {len(fitted)} nodes", facts, [table])

    def _working(self, X: Floats) -> Working:
        path, values = self.nodes_.path(X[0]), self._values()
        terms = [Term("all rows", values[0].tolist())]
        for upper, lower in pairwise(path):
            name = self._branch(upper, lower - int(self.nodes_.first_child[upper]))
            # Differences along a path telescope: with the value of the root they add up to that of the leaf.
            terms.append(Term(name, (values[lower] - values[upper]).tolist()))
        labels = self._labels().names
        title = f"The path to node {path[-1]}: what each answer changes"
        return Working(title, "sum", labels or ["value"], terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        fitted, lines = self.nodes_, None
        if X is not None:
            parent = np.zeros(len(fitted), dtype=np.intp)
            inner = np.flatnonzero(~fitted.is_leaf)
            # Oblique trees have two children at each inner node, and keep no parents.
            for child in (0, 1):
                parent[fitted.first_child[inner] + child] = inner
            lines = rows_in_nodes(fitted.apply(self._prepared(X)), parent, y, self._labels())
        shades = node_shades(fitted.value, self._labels())
        boxes = [self._box(node, *shades[node]) for node in range(len(fitted))]
        return tree(with_lines(boxes, lines), ax=ax)

    def _box(self, node: int, shade: int, strength: float) -> TreeBox:
        fitted, labels = self.nodes_, self._labels()
        value, first = fitted.value[node], int(fitted.first_child[node])
        lines = (
            f"impurity {fitted.impurity[node]:.3g}",
            counted(fitted.weight[node]) if labels.names is None else class_counts(value),
            answer(labels, value),
        )
        if first < 0:
            return TreeBox(lines, shade, strength)
        terms = self._terms(node)
        more = ("…",) if len(terms) > MOST_TERMS else ()
        question = (*terms[:MOST_TERMS], *more, f"<= {fitted.threshold[node]:.4g}")
        return TreeBox((*question, *lines), shade, strength, (first, first + 1), ("yes", "no"))


@declared
class ObliqueTreeClassifier(ClassWeights, ClassLeaves, ClassCriteria, ObliqueMethods, Classifier):
    """Oblique decision tree for classes: each node asks whether a weighted sum of the columns is small.

    The weights come from a linear classifier fitted to the rows of the node, one class against the rest; of
    these sums the one with the best threshold is taken. (CART and OC1 search for the weights instead;
    Breiman et al. 1984, Murthy, Kasif and Salzberg 1994.) A slanted boundary takes one node where splits on
    single columns need many.

    Parameters
    ----------
    estimator : learner, optional
        A linear classifier of two classes with ``coef_``; `LogisticRegression` when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.

    See Also
    --------
    DecisionTreeClassifier : Questions about one column after the other, for classes.
    ObliqueTreeRegressor : Tree of sums of columns, for numbers.

    Examples
    --------
    >>> from hornbook import ObliqueTreeClassifier
    >>> X = [[0.0, 0.0], [1.0, 0.2], [2.0, 1.1], [0.0, 1.0], [1.0, 1.9], [2.0, 3.2]]
    >>> model = ObliqueTreeClassifier().fit(X, ["below", "below", "below", "above", "above", "above"])
    >>> model.get_n_leaves(), model.predict([[2.0, 0.5]]).tolist()
    (2, ['below'])
    """

    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    adjustable: ClassVar[frozenset[str]] = frozenset({"max_depth", "leaf_smoothing"})
    model_class = "trees of questions about weighted sums of columns"
    objective = "purity of the leaves, one split at a time"
    optimizer = "a linear classifier in each node, then the best threshold"

    estimator: BaseEstimator | None = None

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        name = type(self).__name__
        factors = class_factors(self.class_weight, self.classes_, in_memory(y, w), name)
        factor = None if factors is None else factors[y]
        target = ClassTarget.of(y, len(self.classes_), weighted(w, factor))
        fit_coef = logistic_coef if self.estimator is None else coef_of(self.estimator)

        def directions_of(cells: Floats, rows: NDArray[np.intp], weights: Floats) -> Floats:
            codes = target.codes[rows]
            present = np.unique(codes)
            # One against the rest; two classes need only one direction.
            positive = present[1:] if len(present) == 2 else present
            return directions(cells, [codes == k for k in positive], weights, fit_coef)

        self._grow(X, target, directions_of)

    def _values(self) -> Floats:
        return class_probabilities(self.nodes_.value, self._evenly(self.leaf_smoothing))

    def _proba(self, X: Floats) -> Floats:
        return np.asarray(self._values()[self.nodes_.apply(X)])


@declared
class ObliqueTreeRegressor(NumberCriteria, ObliqueMethods, Regressor):
    """Oblique decision tree for numbers: each node asks whether a weighted sum of the columns is small.

    The weights come from a linear regression on the rows of the node, and the threshold is the one after
    which the numbers differ least; a row gets the mean of its leaf.

    Parameters
    ----------
    estimator : learner, optional
        A linear regressor with ``coef_``; `Ridge` when left out.

    See Also
    --------
    DecisionTreeRegressor : Questions about one column after the other, for numbers.
    ObliqueTreeClassifier : Tree of sums of columns, for classes.

    Examples
    --------
    >>> from hornbook import ObliqueTreeRegressor
    >>> X = [[0.0, 0.0], [1.0, 0.2], [0.0, 1.0], [1.0, 1.9]]
    >>> ObliqueTreeRegressor(max_depth=1).fit(X, [1.0, 1.0, 5.0, 5.0]).predict([[0.0, 3.0]]).tolist()
    [5.0]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    model_class = "trees of questions about weighted sums of columns"
    objective = "squared error within the leaves, one split at a time"
    optimizer = "a linear regression in each node, then the best threshold"

    estimator: BaseEstimator | None = None

    def _fit(self, X: Floats, y: Floats, w: Floats | None) -> None:
        fit_coef = ridge_coef if self.estimator is None else coef_of(self.estimator)
        warn_of_friedman(self)
        target = NumberTarget.of(y, w, settings_of(self).criterion)
        centered = y - target.shift

        def directions_of(cells: Floats, rows: NDArray[np.intp], weights: Floats) -> Floats:
            return directions(cells, [centered[rows]], weights, fit_coef)

        self._grow(X, target, directions_of)

    def _predict(self, X: Floats) -> Floats:
        return np.asarray(self.nodes_.value[self.nodes_.apply(X), 0])
