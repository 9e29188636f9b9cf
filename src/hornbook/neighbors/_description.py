"""How `describe` and `working` present nearest-neighbor learners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Description, Table, Term
from hornbook.distances import Distance, PairDistance, distance_of
from hornbook.neighbors._memory import Memory, Neighbors
from hornbook.neighbors._votes import tied
from hornbook.params import Floats

__all__ = ["class_terms", "description", "distance_used", "number_terms"]

NUDGE = 1e-9  # breaks a tie: more than rounding, less than any vote


def class_terms(
    memory: Memory,
    neighbors: Neighbors,
    votes: Floats,
    y: NDArray[np.int32],
    probabilities: Floats,
    labels: Sequence[Any],
    choice: int,
) -> list[Term]:
    """Return one term for each neighbor of one row, its vote for its class, and one that breaks a tie."""
    classes = range(len(labels))
    if not votes.any():
        return [Term("no neighbor: share of the class among all rows", probabilities.tolist())]
    voters = zip(_names(memory, neighbors), y[neighbors.indices].tolist(), votes.tolist(), strict=True)
    terms = [
        Term(f"{name}: {labels[mine]}", [vote * (c == mine) for c in classes]) for name, mine, vote in voters
    ]
    totals = np.bincount(y[neighbors.indices], weights=votes, minlength=len(labels))
    # A term that breaks the tie, so that the sums of the working give the prediction.
    if tied(np.asarray(totals[None, :], dtype=np.float64)).sum() > 1:
        terms.append(Term("tie settled", [NUDGE * totals.max() * (c == choice) for c in classes]))
    return terms


def number_terms(
    memory: Memory, neighbors: Neighbors, votes: Floats, y: Floats, mean: float | Floats
) -> list[Term]:
    """Return one term for each neighbor of one row: its number times its share of the votes."""
    total = votes.sum()
    if total == 0:
        return [Term("no neighbor: mean of all rows", np.atleast_1d(mean).tolist())]
    numbers = y[neighbors.indices].reshape(len(votes), -1)
    return [
        Term(f"{name}: {_listed(number)} times {share:.4g}", (number * share).tolist())
        for name, number, share in zip(_names(memory, neighbors), numbers, votes / total, strict=True)
    ]


def _listed(numbers: Floats) -> str:
    return ", ".join(f"{number:.6g}" for number in numbers)


def _names(memory: Memory, neighbors: Neighbors) -> list[str]:
    rows = memory.source(neighbors.indices).tolist()
    return [f"row {row} at distance {far:.6g}" for row, far in zip(rows, neighbors.distances, strict=True)]


def distance_used(learner: Any) -> Any:
    """The distance of a learner, or that it is given as a matrix."""
    if learner.metric == "precomputed":
        return "a matrix"
    return distance_of(learner.metric, learner.p, learner.metric_params)


def description(
    learner: Any, memory: Memory, facts: dict[str, Any], distance: Any, tables: Sequence[Table] = ()
) -> Description:
    """Describe a memory: its rows, its distance, and the settings of the learner."""
    all_facts = {
        "rows": float(memory.mass.sum()),
        **facts,
        "distance": str(distance) if _is_named(distance) else "a function",
        "search": "every row" if memory.tree is None else "k-d tree",
    }
    n_columns = len(learner.schema_.columns)
    title = f"{type(learner).__name__} that stores {len(memory)} rows of {n_columns} columns"
    return Description(title, all_facts, list(tables))


def _is_named(distance: Any) -> bool:
    return not callable(distance) or isinstance(distance, Distance | PairDistance)
