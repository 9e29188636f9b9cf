"""Trees with slanting cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Accepts,
    Classifier,
    ClassWeight,
    Description,
    Floats,
    Learner,
    Regressor,
    Table,
    Term,
    Working,
)
from hornbook.display import Cell
from hornbook.params import MaxDepth, Range
from hornbook.plots import TreeBox, tree
from hornbook.trees._class_rows import by_class
from hornbook.trees._fit_tree import class_shares
from hornbook.trees._oblique_direction import directions, weigh_by, weigh_by_logistic, weigh_by_ridge
from hornbook.trees._oblique_grow import ObliqueTree, Target, grow_oblique
from hornbook.trees._settings import (
    ClassCriterion,
    MinShare,
    NotNegative,
    NumberCriterion,
    Purity,
    refuse_squares,
    refuse_weights,
    stopping,
)
from hornbook.trees.explain._oblique_rules import ObliqueRules
from hornbook.trees.explain._plot import node_shades, rows_in_nodes, with_lines
from hornbook.trees.explain._questions import Labels, answer, class_counts, counted, whole

__all__ = ["ObliqueTreeClassifier", "ObliqueTreeRegressor"]

MOST_TERMS = 3
_UNLIMITED = 2**63 - 1


class ObliqueMethods(Learner):
    """What both oblique trees share: growing, and telling about what has grown."""

    tree_: ObliqueTree
    criterion: Any
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    min_gain: float
    adjustable: ClassVar[frozenset[str]] = frozenset({"max_depth"})

    def _grow(self, X: Floats, w: Floats | None, target: Target) -> None:
        refuse_weights(w)
        options = stopping(self)
        options.max_depth = 1
        options.min_samples_split = self.min_samples_split
        options.min_samples_leaf = self.min_samples_leaf
        weights = np.ones(len(X)) if w is None else w
        options.min_weight_leaf = self.min_weight_fraction_leaf * float(weights.sum())
        depth = _UNLIMITED if self.max_depth is None else self.max_depth
        self.tree_ = grow_oblique(X, weights, target, options, depth)

    def _variants(self, rows: Any, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:
        """The same tree with other smoothing, or with less depth; what was not grown stays out."""
        for twin in super()._variants(rows, settings):
            depth = _UNLIMITED if twin.max_depth is None else twin.max_depth
            if depth > (_UNLIMITED if self.max_depth is None else self.max_depth):
                raise ValueError(
                    f"max_depth={twin.max_depth} needs a tree that was grown to at least that; got one with "
                    f"{self.max_depth}: fit anew."
                )
            twin.tree_ = self.tree_.ending_at(depth)
            yield twin

    def _labels(self) -> Labels:
        return Labels(getattr(self, "classes_", None))

    def _values(self) -> Floats:
        """The answer of each node: class shares, or the number."""
        return self.tree_.value

    def get_depth(self) -> int:
        """Most questions asked before an answer."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return int(self.tree_.is_leaf.sum())

    def rules(self) -> ObliqueRules:
        """Give the tree as rules: as text, and with ``to_table()``."""
        check_is_fitted(self)
        return ObliqueRules(self.tree_, self._labels(), self._branch)

    def _terms(self, node: int) -> list[str]:
        """The terms of a node's sum, the heaviest first."""
        coef = self.tree_.coef[node]
        order = np.argsort(-np.abs(coef), kind="stable")[: (coef != 0).sum()]
        signs = ["- " if coef[j] < 0 else "+ " if i else "" for i, j in enumerate(order)]
        return [
            f"{sign}{abs(coef[j]):.4g} {self.encoded_names_[j]}" for sign, j in zip(signs, order, strict=True)
        ]

    def _branch(self, node: int, child: int) -> str:
        return f"{' '.join(self._terms(node))} {'>' if child else '<='} {self.tree_.threshold[node]:.4g}"

    def _describe(self) -> Description:
        fitted, labels = self.tree_, self._labels()
        rows: list[list[Cell]] = [
            [
                node,
                *("" if first < 0 else told for told in (self._branch(node, 0), first, first + 1)),
                answer(labels, fitted.value[node]),
                whole(fitted.weight[node]),
            ]
            for node, first in enumerate(fitted.first_child.tolist())
        ]
        kind = "classifier" if labels.names is not None else "regressor"
        facts = {"criterion": self.criterion, "leaves": self.get_n_leaves(), "depth": fitted.depth}
        table = Table("Nodes", ["node", "question", "if yes", "if no", "answer", "rows"], rows)
        return Description(f"Oblique tree {kind} with {len(fitted)} nodes", facts, [table])

    def _working(self, X: Floats) -> Working:
        path, values = self.tree_.path(X[0]), self._values()
        terms = [Term("all rows", values[0].tolist())]
        for upper, lower in pairwise(path):
            name = self._branch(upper, lower - int(self.tree_.first_child[upper]))
            terms.append(Term(name, (values[lower] - values[upper]).tolist()))
        labels = self._labels().names
        title = f"The path to node {path[-1]}: what each answer changes"
        return Working(title, "sum", labels or ["value"], terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        fitted, lines = self.tree_, None
        if X is not None:
            parent = np.zeros(len(fitted), dtype=np.intp)
            inner = np.flatnonzero(~fitted.is_leaf)
            for child in (0, 1):
                parent[fitted.first_child[inner] + child] = inner
            lines = rows_in_nodes(fitted.apply(self._prepared(X)), parent, y, self._labels())
        shades = node_shades(fitted.value, self._labels())
        boxes = [self._box(node, *shades[node]) for node in range(len(fitted))]
        return tree(with_lines(boxes, lines), ax=ax)

    def _box(self, node: int, shade: int, strength: float) -> TreeBox:
        fitted, labels = self.tree_, self._labels()
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


class ObliqueTreeClassifier(ObliqueMethods, Classifier):
    """Oblique decision tree for classes: each node asks whether a weighted sum of the columns is small.

    The weights come from a linear classifier fitted to the rows of the node, one class against the others
    for each class; of these sums the one with the best threshold is taken. Slanting borders need far fewer
    nodes than steps.

    Parameters
    ----------
    criterion : str, default "gini"
        Score of a threshold, as in `DecisionTreeClassifier`.
    beta : float, default 2.0
        Exponent of ``"daroczy"``.
    estimator : learner, optional
        A linear classifier of two classes with ``coef_``; `LogisticRegression` when left out.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int, default 2
        Fewest rows of a node that is split.
    min_samples_leaf : int, default 1
        Fewest rows of a child.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    purity : float, optional
        A node whose largest class has at least this share is a leaf (pi of the notes).
    min_gain : float, default 0.0
        Smallest gain of a split, which must be above 0.
    class_weight : dict or "balanced", optional
        Weights of the classes; ``"balanced"`` makes all weigh the same.
    leaf_smoothing : float, default 0.0
        Rows that a leaf counts besides its own, spread evenly over the K classes: (n_c + m / K) / (n + m)
        with m this number; m = K is Laplace's correction. Probabilities of 0 and 1 become milder, the class
        stays the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : ObliqueTree
        The nodes as parallel arrays.
    encoded_names_ : ndarray of str
        Names of the columns of ``tree_.coef``.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

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

    def __init__(
        self,
        *,
        criterion: ClassCriterion = "gini",
        beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0,
        estimator: BaseEstimator | None = None,
        max_depth: MaxDepth = None,
        min_samples_split: Annotated[int, Range(low=2)] = 2,
        min_samples_leaf: Annotated[int, Range(low=1)] = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        leaf_size: NotNegative | None = None,
        purity: Purity = None,
        min_gain: NotNegative = 0.0,
        class_weight: ClassWeight = None,
        leaf_smoothing: NotNegative = 0.0,
    ) -> None:
        self.criterion = criterion
        self.beta = beta
        self.estimator = estimator
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.leaf_size = leaf_size
        self.purity = purity
        self.min_gain = min_gain
        self.class_weight = class_weight
        self.leaf_smoothing = leaf_smoothing

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        label = np.ascontiguousarray(y, dtype=np.int32)
        weigh = weigh_by_logistic if self.estimator is None else weigh_by(self.estimator)

        def look(rows: Floats, chosen: NDArray[np.intp], weights: Floats) -> Floats:
            here = label[chosen]
            present = np.unique(here)
            # Of two classes one direction is enough.
            against = present[1:] if len(present) == 2 else present
            return directions(rows, [here == k for k in against], weights, weigh)

        target = Target(lambda chosen, _: (label[chosen], len(self.classes_), None), look)
        self._grow(X, by_class(self, y, w), target)

    def _values(self) -> Floats:
        return class_shares(self.tree_.value, self._evenly(self.leaf_smoothing))

    def _proba(self, X: Floats) -> Floats:
        return np.asarray(self._values()[self.tree_.apply(X)])


class ObliqueTreeRegressor(ObliqueMethods, Regressor):
    """Oblique decision tree for numbers: each node asks whether a weighted sum of the columns is small.

    The weights come from a linear regression on the rows of the node, and the threshold is the one after
    which the numbers differ least; a row gets the mean of its leaf.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        What a threshold makes small: the variance around the mean, or the mean absolute deviation from the
        median, which is then the answer of a leaf.
    estimator : learner, optional
        A linear regressor with ``coef_``; `Ridge` when left out.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int, default 2
        Fewest rows of a node that is split.
    min_samples_leaf : int, default 1
        Fewest rows of a child.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    min_gain : float, default 0.0
        Smallest gain of a split, which must be above 0.

    Attributes
    ----------
    tree_ : ObliqueTree
        The nodes as parallel arrays.
    encoded_names_ : ndarray of str
        Names of the columns of ``tree_.coef``.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

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

    def __init__(
        self,
        *,
        criterion: NumberCriterion = "squared_error",
        estimator: BaseEstimator | None = None,
        max_depth: MaxDepth = None,
        min_samples_split: Annotated[int, Range(low=2)] = 2,
        min_samples_leaf: Annotated[int, Range(low=1)] = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        leaf_size: NotNegative | None = None,
        min_gain: NotNegative = 0.0,
    ) -> None:
        self.criterion = criterion
        self.estimator = estimator
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.leaf_size = leaf_size
        self.min_gain = min_gain

    def _fit(self, X: Floats, y: Floats, w: Floats | None) -> None:
        weigh = weigh_by_ridge if self.estimator is None else weigh_by(self.estimator)
        squares = self.criterion == "squared_error"
        mean = float(np.average(y, weights=w)) if squares else 0.0  # sums around it lose no digits
        off = y - mean
        if squares:
            refuse_squares(off)

        def look(rows: Floats, chosen: NDArray[np.intp], weights: Floats) -> Floats:
            return directions(rows, [off[chosen]], weights, weigh)

        def arrays(chosen: NDArray[np.intp], weights: Floats) -> tuple[None, int, Floats]:
            return None, 0, off[chosen] * weights if squares else off[chosen]

        self._grow(X, w, Target(arrays, look))
        self.tree_ = replace(self.tree_, value=self.tree_.value + mean)

    def _predict(self, X: Floats) -> Floats:
        return np.asarray(self.tree_.value[self.tree_.apply(X), 0])
