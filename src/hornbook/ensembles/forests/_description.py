"""Descriptions of forests, and of their predictions for one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Description, Table, Term, Working
from hornbook.frame import Schema
from hornbook.params import Floats
from hornbook.plots import importance

__all__ = [
    "describe_forest",
    "draw_importance",
    "importance_table",
    "number_terms",
    "tree_count",
    "vote_terms",
]

_LISTED = 20  # most columns or classes that are listed by name
_FACTS = {
    "vote": "vote",
    "oob_score_": "out-of-bag score",
    "oob_strength_": "strength",
    "oob_correlation_": "correlation of trees",
    "error_bound_": "bound on the error",
}


def describe_forest(title: str, known: Mapping[str, Any]) -> Description:
    """The description of a forest, from its parameters and fitted attributes by name."""
    forest = known["forest_"]
    facts: dict[str, Any] = {
        "trees": len(forest),
        "leaves of a tree": float(forest.n_leaves.mean()),
        "rows of a tree": "drawn with replacement" if known["bootstrap"] else "all",
    }
    facts |= {word: known[name] for name, word in _FACTS.items() if name in known}
    kind = "classifier" if "classes_" in known else "regressor"
    table = importance_table(known["forest_schema_"].names, known["feature_importances_"])
    return Description(f"{title} {kind} with {tree_count(len(forest))}", facts, table)


def draw_importance(shares: Floats, schema: Schema, ax: Any) -> Any:
    """Draw a bar for each column."""
    drawn = importance(shares, schema.names, ax=ax)
    drawn.set_xlabel("share of the decrease in impurity")
    return drawn


def tree_count(n: int, word: str = "tree") -> str:
    """The number of trees, or of members of another kind, in words."""
    return f"{n} {word}{'' if n == 1 else 's'}"


def importance_table(names: Sequence[str], shares: Floats) -> list[Table]:
    """Columns by importance, the rest in one row; no table if there is no split."""
    order = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0]
    rows: list[list[Any]] = [[names[j], float(shares[j])] for j in order[:_LISTED]]
    others = order[_LISTED:]
    if others:
        rows.append([f"{len(others)} others", float(shares[others].sum())])
    return [Table("Importance", ["column", "share"], rows)] if rows else []


def vote_terms(
    answers: Floats,
    labels: NDArray[Any],
    *,
    what: str,
    answer: Any,
    more: tuple[str, Floats] | None = None,
    word: str = "tree",
) -> Working:
    """The predictions of all trees for one row, summed over the trees that agree, and what is added."""
    name, added = more or ("", np.zeros(len(labels)))
    if len(labels) > _LISTED:  # leave out columns of zeros
        voted = np.flatnonzero(answers.any(axis=0))
        answers, labels, added = answers[:, voted], labels[voted], added[voted]
    chosen = answers.argmax(axis=1)
    terms = [
        Term(
            f"{tree_count((chosen == c).sum(), word)} for {label}", answers[chosen == c].sum(axis=0).tolist()
        )
        for c, label in enumerate(labels.tolist())
        if (chosen == c).any()
    ]
    if more is not None:
        terms.append(Term(name, added.tolist()))
    title = f"The {what} of {tree_count(len(answers), word)}, by the class they favor"
    return Working(title, "sum", labels.tolist(), terms, answer)


def number_terms(numbers: Floats, answer: Any, word: str = "tree") -> Working:
    """What the lowest, lower, higher and highest quarter of the trees add to the mean.

    Of several targets, in columns, the first decides which quarter a tree is in.
    """
    # Quarters of the trees in order of their predictions: a hundred single terms would say less.
    table = numbers.reshape(len(numbers), -1)
    table = table[np.argsort(table[:, 0], kind="stable")]
    parts = [part for part in np.array_split(table, 4) if len(part)]
    terms = [
        Term(
            f"{tree_count(len(part), word)} from {part[0, 0]:.6g} to {part[-1, 0]:.6g}",
            (part.sum(axis=0) / len(table)).tolist(),
        )
        for part in parts
    ]
    title = f"What is added to the mean of {tree_count(len(numbers), word)}, in order of their predictions"
    several = [f"value {t}" for t in range(table.shape[1])]
    return Working(title, "sum", ["value"] if len(several) == 1 else several, terms, answer)
