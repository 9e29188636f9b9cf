"""Learners around others and of concepts: how their time grows with rows, columns, categories and classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks._growth import growth, numbers
from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table
from hornbook import (
    ConjunctiveConcept,
    CostSensitive,
    KNNDensity,
    LinearDiscriminant,
    Memorizer,
    OneVsOne,
    OneVsRest,
    OutputCodes,
    OverSampler,
    ThresholdMoving,
    UnderSampler,
)


class Asked:
    """A learner whose fit ends with questions about its first rows."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner

    def fit(self, X: Any, y: np.ndarray) -> np.ndarray:
        return self.learner.fit(X, y).predict(X[:1000])


def learners() -> dict[str, tuple[Callable[[], Any], bool]]:
    """Return every learner of these families and whether it takes numbers as target."""
    inside = LinearDiscriminant
    return {
        "OneVsRest": (lambda: OneVsRest(inside()), False),
        "OneVsOne": (lambda: OneVsOne(inside()), False),
        "OutputCodes": (lambda: OutputCodes(inside()), False),
        "ThresholdMoving": (lambda: ThresholdMoving(inside()), False),
        "CostSensitive": (lambda: CostSensitive(inside(), costs=[[0, 1], [3, 0]]), False),
        "UnderSampler": (lambda: UnderSampler(inside(), random_state=0), False),
        "OverSampler": (lambda: OverSampler(inside(), random_state=0), False),
        "ConjunctiveConcept": (ConjunctiveConcept, False),
        "Memorizer": (Memorizer, False),
        "KNNDensity": (KNNDensity, False),
        "KNNDensity, and 1000 rows asked": (lambda: Asked(KNNDensity()), False),
    }


def classes(setting: Setting) -> Table:
    """Time for twice the classes."""
    n = setting.size(50_000, 1_000)
    X, _, t = numbers(n, 8)
    works: dict[str, Any] = {}
    kinds = {"OneVsRest": OneVsRest, "OneVsOne": OneVsOne, "OutputCodes": OutputCodes}
    for k in (4, 8):
        y = np.searchsorted(np.quantile(t, np.linspace(0, 1, k + 1)[1:-1]), t)
        works |= {f"{name}, {k} classes": partial(_fit, kind, X, y) for name, kind in kinds.items()}
    seconds = {work: run.seconds for work, run in best_of(works, 1).items()}
    rows = [
        Row(
            name,
            seconds[f"{name}, 4 classes"],
            None,
            f"8 classes {seconds[f'{name}, 8 classes'] / seconds[f'{name}, 4 classes']:.1f}x",
        )
        for name in kinds
    ]
    return Table(f"how time grows from 4 to 8 classes, {n:,} x 8", rows)


def _fit(kind: Callable[..., Any], X: np.ndarray, y: np.ndarray) -> Any:
    return kind(LinearDiscriminant()).fit(X, y)


def run(setting: Setting) -> Iterator[Table]:
    yield growth(setting, learners())
    yield classes(setting)
