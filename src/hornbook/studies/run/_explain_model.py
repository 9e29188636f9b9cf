"""The task of a worker that explains the recommended model."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import registry
from hornbook.display import plain
from hornbook.evaluation import PartialDependence, can_answer, partial_dependence
from hornbook.random import Stream
from hornbook.studies._explanation import ColumnEffect, Surrogate
from hornbook.studies.run._shared_table import Shared

__all__ = ["ExplanationTask", "ModelExplained", "direction_of"]

STREAM = int.from_bytes(b"explain", "big")  # random numbers of this file, distinct from all others
MOST_ROWS = 300  # whose predictions are averaged
MOST_TREE_ROWS = 5_000  # that the small tree is fitted to and tested on
CURVES = 20  # rows whose own predictions are drawn
POINTS = 9  # values of a number that are tried
MOST_LEVELS = 12
MOST_CLASSES = 3  # of which the one with the largest effect is shown
DEPTH = 3
NOTHING = 1e-4  # of the largest mean: written as 0
FLAT = 0.01  # of the spread of the predictions: an effect that is not worth a word


@dataclass(frozen=True)
class ModelExplained:
    """What the task returns: effects, the small tree, and the working of some rows."""

    effects: tuple[ColumnEffect, ...]
    surrogate: Surrogate | None
    workings: tuple[str, ...]


@dataclass(frozen=True)
class ExplanationTask:
    """Explain a model that is fitted to all rows.

    Parameters
    ----------
    model : Learner
        The fitted model.
    columns : tuple of str
        Columns whose effects are computed, the most important first.
    rows : tuple of int
        Rows whose working is written down.
    seed : int
        Seed of the draws of rows.
    """

    model: Any
    columns: tuple[str, ...]
    rows: tuple[int, ...]
    seed: int

    def run(self, shared: Shared) -> ModelExplained:
        """Compute what can be computed; a part that the model refuses is left out."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds have reported them
            return ModelExplained(self._effects(shared), self._surrogate(shared), self._workings(shared))

    def _effects(self, shared: Shared) -> tuple[ColumnEffect, ...]:
        if shared.classes and not can_answer(self.model, "probabilities"):
            return ()
        X = shared.features[self._drawn(len(shared.y), MOST_ROWS)]
        effects = []
        for name in self.columns:
            numeric = X.schema.columns[X.schema.position(name)].kind == "numeric"
            outputs = self._outputs(shared)
            parts = [
                partial_dependence(self.model, X, name, grid=POINTS, kind="both", output=one)
                for one in outputs
            ]
            widest = max(parts, key=lambda part: float(np.ptp(np.asarray(part.average))))
            effects.append(_effect(widest, numeric=numeric))
        return tuple(effects)

    def _outputs(self, shared: Shared) -> list[Any]:
        if not shared.classes:
            return [None]
        if len(shared.classes) == 2:
            return [shared.classes[1 if shared.positive is None else shared.positive]]
        frequent = np.argsort(-np.bincount(shared.y), kind="stable")[:MOST_CLASSES]
        return [shared.classes[k] for k in frequent.tolist()]

    def _surrogate(self, shared: Shared) -> Surrogate | None:
        # A global surrogate (Craven and Shavlik 1996): a tree that imitates the model, not the target. Its
        # fidelity is measured on rows that it was not fitted to, or any tree that is deep enough would look
        # faithful.
        rows = self._drawn(len(shared.y), MOST_TREE_ROWS)
        tested = np.arange(len(rows)) % 3 == 0
        X = shared.features[rows]
        answers = np.asarray(self.model.predict(X))
        if len(np.unique(answers[~tested])) < 2 or not tested.any():
            return None
        kind = "DecisionTreeClassifier" if shared.classes else "DecisionTreeRegressor"
        tree = registry.learner_class(kind)(max_depth=DEPTH, random_state=self.seed)
        tree.fit(X[np.flatnonzero(~tested)], answers[~tested])
        imitated = np.asarray(tree.predict(X[np.flatnonzero(tested)]))
        rules = tuple((str(rule[1]), _shown(rule[2])) for rule in tree.describe().tables[0].rows)
        return Surrogate(
            rules, _fidelity(answers[tested], imitated, classes=bool(shared.classes)), int(tested.sum())
        )

    def _workings(self, shared: Shared) -> tuple[str, ...]:
        if not hasattr(self.model, "working"):
            return ("",) * len(self.rows)
        return tuple(str(self.model.working(shared.features[row : row + 1])) for row in self.rows)

    def _drawn(self, n_rows: int, most: int) -> NDArray[np.intp]:
        if n_rows <= most:
            return np.arange(n_rows)
        return np.sort(Stream(self.seed, STREAM, most).permutation(n_rows)[:most]).astype(np.intp)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _fidelity(answers: NDArray[Any], imitated: NDArray[Any], *, classes: bool) -> float:
    if classes:
        return float(np.mean(answers == imitated))
    variance = float(np.var(answers))
    return 1.0 if variance == 0 else 1 - float(np.mean((answers - imitated) ** 2)) / variance


def _effect(part: PartialDependence, *, numeric: bool) -> ColumnEffect:
    means, curves = np.asarray(part.average, dtype=np.float64), np.asarray(part.individual)
    values = [plain(value) for value in part.grid[0].tolist()]
    if not numeric and len(values) > MOST_LEVELS:
        kept = np.sort(np.argsort(-np.abs(means - means.mean()), kind="stable")[:MOST_LEVELS])
        values, means, curves = [values[k] for k in kept.tolist()], means[kept], curves[:, kept]
    words = direction_of(values, means.tolist(), part.meaning, numeric=numeric)
    some = np.unique(np.linspace(0, len(curves) - 1, min(CURVES, len(curves))).astype(np.intp))
    individual = tuple(tuple(curve) for curve in curves[some].tolist())
    return ColumnEffect(
        part.columns[0], part.meaning, tuple(values), tuple(means.tolist()), words, individual
    )


def direction_of(values: list[Any], means: list[float], meaning: str, *, numeric: bool) -> str:
    """Say how a mean prediction changes with a column.

    Parameters
    ----------
    values : list
        Values of the column.
    means : list of float
        The mean prediction for each.
    meaning : str
        What is predicted.
    numeric : bool
        Whether the values are numbers, in ascending order.

    Examples
    --------
    >>> direction_of([1.0, 2.0, 3.0], [0.1, 0.4, 0.8], "probability of yes", numeric=True)
    'the probability of yes rises from 0.1 to 0.8'
    >>> direction_of([1.0, 2.0, 3.0], [5.0, 9.0, 6.0], "prediction", numeric=True)
    'the prediction rises from 5 to 9 at 2, then falls to 6'
    >>> direction_of([1.0, 2.0], [2100.4, 1e-9], "prediction", numeric=True)
    'the prediction falls from 2100 to 0'
    >>> direction_of(["a", "b"], [5.0, 9.0], "prediction", numeric=False)
    'the prediction is highest for b (9) and lowest for a (5)'
    """
    low, high = int(np.argmin(means)), int(np.argmax(means))
    text = _number_for(means)
    span = means[high] - means[low]
    if span <= FLAT * max(abs(means[high]), abs(means[low])):
        return f"the {meaning} hardly changes on average"
    if not numeric:
        return (
            f"the {meaning} is highest for {values[high]} ({text(means[high])}) and lowest for {values[low]} "
            f"({text(means[low])})"
        )
    first, last = means[0], means[-1]
    verbs = ("rises", "falls") if last >= first else ("falls", "rises")
    turn = high if means[high] - max(first, last) >= min(first, last) - means[low] else low
    excess = max(means[high] - max(first, last), min(first, last) - means[low])
    if excess <= 0.1 * span:
        return f"the {meaning} {verbs[0]} from {text(first)} to {text(last)}"
    verbs = ("rises", "falls") if turn == high else ("falls", "rises")
    return (
        f"the {meaning} {verbs[0]} from {text(first)} to {text(means[turn])} at {values[turn]:.4g}, then "
        f"{verbs[1]} to {text(last)}"
    )


def _number_for(means: list[float]) -> Callable[[float], str]:
    """Return how means are written: three digits, whole numbers if large, no digits that do not matter."""
    most = max(map(abs, means))

    def text(value: float) -> str:
        if abs(value) < NOTHING * most:
            return "0"
        return f"{value:.0f}" if 1e3 <= abs(value) < 1e7 else f"{value:.3g}"

    return text
