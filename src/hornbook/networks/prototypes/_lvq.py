"""Learning vector quantization: prototypes of the classes that rows attract and repel."""

from __future__ import annotations

import warnings
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.base import Description, Table
from hornbook.display import Cell
from hornbook.frame import Blocks
from hornbook.networks._parameters import NetworkWork
from hornbook.networks.prototypes._initialization import (
    given_prototypes,
    initial_prototypes,
    prototype_codes,
)
from hornbook.networks.prototypes._ordered_rows import OrderedRows
from hornbook.networks.prototypes._parameters import LVQParameters
from hornbook.networks.prototypes._prototype_model import PrototypeModel
from hornbook.params import Floats, declared
from hornbook.random import seed_of

__all__ = ["LVQClassifier"]

MANY = 2**31  # prototypes: no limit where rows are to come
OUT_OF_SIGHT = 3.0  # times as far from a row as the farthest other row
RULES = {"lvq1": 0, "lvq2.1": 1, "lvq3": 2, "glvq": 3}


@declared
class LVQClassifier(NetworkWork, LVQParameters, PrototypeModel):
    """Learning vector quantization (Kohonen 1990): a row has the class of the nearest of a few prototypes.

    Rows are presented one after the other, and the nearest prototype moves toward a row of its own class and
    away from a row of another. Unlike packages for Python it has the classic rules and the generalized one
    side by side, takes categories, missing cells and weights, and does not depend on the order of the rows.

    The rows of a pass come in a random order. A row of weight w is presented w times, at most 1024 times; w
    copies of a row are the same. Of equally near prototypes the first counts as the nearest.

    `fit` needs all rows in memory: every step starts from the prototypes that the row before has moved, so
    that a pass is no sum over rows. `partial_fit` takes tables that are too large for that, piece by piece.

    See Also
    --------
    NearestMeanClassifier : The class whose mean is nearest.
    KNeighborsClassifier : Vote of the k nearest rows.

    Examples
    --------
    >>> from hornbook import LVQClassifier, datasets
    >>> melons = datasets.watermelon("3.0a")
    >>> model = LVQClassifier(prototypes=2, random_state=0).fit(melons)
    >>> model.prototypes_.round(2).tolist()
    [[0.65, 0.12], [0.3, 0.2], [0.68, 0.35], [0.47, 0.2]]
    >>> model.predict([{"density": 0.7, "sugar": 0.4}]).tolist()
    [True]
    """

    objective = "rows nearest to prototypes of their own class"
    optimizer = "one row after the other attracts and repels prototypes"

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        seed = seed_of(self.random_state)
        rows = OrderedRows.of(X, y, w, seed)
        self.spread_ = self._spread_of(rows.X, rows.w)
        counts = np.bincount(rows.y, minlength=len(self.classes_))
        self._begin(rows, counts, seed)
        self._warn_of_few_rows(counts)
        tolerance = self.tol * self.spread_ / max(1, X.shape[1])
        best, fewest, lost = self.prototypes_, self._errors(rows), False
        bound = OUT_OF_SIGHT * self._farthest(rows.X, rows.X[0])
        for i in self.iterate(self.max_iter, name="pass"):
            rate, before = self._rate(i), self.prototypes_
            self._pass(rows, rows.order(seed, i), rate)
            # LVQ2.1 and LVQ3 repel prototypes without limit once rows are far away; Sato and Yamada's cost
            # function (1995), which "glvq" descends, does not.
            lost = not self._farthest(self.prototypes_, rows.X[0]) <= bound
            if lost:
                self.prototypes_ = best
            errors = self._errors(rows)
            if errors <= fewest:
                best, fewest = self.prototypes_, errors
            shift = float(np.square(self.prototypes_ - before).sum())
            self.n_iter_ = i + 1
            self.record(eta=rate, errors=errors, shift=shift)
            if lost or shift <= tolerance:
                break
        if self.variant in ("lvq2.1", "lvq3"):  # which go on repelling when nothing is to be gained
            self.prototypes_ = best
        if lost:
            self._warn_of_divergence(rate)

    def _partial_fit(self, blocks: Blocks) -> None:
        (block,) = blocks
        X, y = block.X, np.asarray(block.y, dtype=np.int32)
        w = np.ones(len(y)) if block.w is None else block.w
        if not hasattr(self, "prototypes_"):
            seed, known = seed_of(self.random_state), np.full(len(self.classes_), MANY)
            self._begin(OrderedRows.of(X, y, block.w, seed), known, seed)
            both = np.concatenate([X, self.prototypes_])  # the first rows may be one
            self.spread_, self.n_iter_ = self._spread_of(both, np.ones(len(both))), 0
        self._pass(OrderedRows(X, y, w, np.empty(0, np.uint64)), np.arange(len(y)), self.eta0)
        self.n_iter_ += 1

    def _spread_of(self, X: Floats, w: Floats) -> float:
        """Sum of the variances of the columns."""
        share = w / w.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            gaps = X - X[0]
            gaps -= share @ gaps
            variance: Floats = share @ np.square(gaps)
        # Moves may take prototypes several times as far out as the rows are.
        if not np.isfinite(1e6 * variance.sum()):
            widest = self.encoded_names_[int(np.argmax(np.nan_to_num(variance, nan=np.inf)))]
            raise ValueError(
                f"LVQClassifier: column {widest!r} holds values so large that squared distances overflow: "
                "rescale it."
            )
        return float(variance.sum())

    def _begin(self, rows: OrderedRows, most: NDArray[np.intp], seed: int) -> None:
        """Set the initial prototypes."""
        codes = prototype_codes(self.prototypes, self.classes_, most)
        if isinstance(self.init, str):
            init, classes = cast("Literal['kmeans', 'random']", self.init), self.classes_
            self.prototypes_ = initial_prototypes(init, rows.of_classes(len(classes)), codes, classes, seed)
        else:
            self.prototypes_ = given_prototypes(self.init, len(codes), len(self.encoded_names_))
        self.prototype_codes_ = codes

    def _rate(self, i: int) -> float:
        if self.learning_rate == "linear":
            return self.eta0 * (1.0 - i / self.max_iter)
        return self.eta0 / (1.0 + i) if self.learning_rate == "inverse" else self.eta0

    def _pass(self, rows: OrderedRows, order: NDArray[np.int64], rate: float) -> None:
        """Present the rows in this order."""
        step = rate * self.spread_ if self.variant == "glvq" else rate
        settings = (RULES[self.variant], step, self.window, self.epsilon, self.beta)
        self.prototypes_ = _native.lvq_pass(
            rows.X, rows.y, rows.w, order, self.prototypes_, self.prototype_codes_, *settings
        )

    def _errors(self, rows: OrderedRows) -> float:
        """Weight of the rows that are nearest to a prototype of another class."""
        return float(rows.w[self._predict(rows.X) != rows.y].sum())

    @staticmethod
    def _farthest(points: Floats, origin: Floats) -> float:
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.sqrt(np.square(points - origin).sum(axis=1).max()))

    def _warn_of_few_rows(self, counts: NDArray[np.intp]) -> None:
        if not isinstance(self.prototypes, int | np.integer) or counts.sum() == 1:
            return  # a single row is a single prototype, whatever is asked for
        few = np.flatnonzero((counts > 0) & (counts < self.prototypes))
        if len(few):
            warnings.warn(
                f"LVQClassifier: class {self.classes_.tolist()[few[0]]!r} has {counts[few[0]]} distinct rows "
                f"with weight and gets as many prototypes, fewer than 'prototypes' = {self.prototypes}: "
                "lower it.",
                UserWarning,
                stacklevel=8,
            )

    def _warn_of_divergence(self, rate: float) -> None:
        warnings.warn(
            f"LVQClassifier: a prototype was pushed far away from all rows at the learning rate {rate:.3g}; "
            "the best prototypes so far are kept: lower eta0, or choose variant='glvq'.",
            ConvergenceWarning,
            stacklevel=9,
        )

    def _describe(self) -> Description:
        k, d = self.prototypes_.shape
        facts = {
            "rule": self.variant,
            "passes": self.n_iter_,
            "start": self.init if isinstance(self.init, str) else "given",
        }
        head = ["column", *(f"{i + 1}: {label}" for i, label in enumerate(self.prototype_classes_.tolist()))]
        cells: list[list[Cell]] = [
            [str(name), *map(float, column)]
            for name, column in zip(self.encoded_names_, self.prototypes_.T, strict=True)
        ]
        title = f"LVQ classifier: {k} prototypes of {len(self.classes_)} classes, {d} columns"
        return Description(title, facts, [Table("Prototypes", head, cells)])
