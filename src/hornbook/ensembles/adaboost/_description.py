"""Boosted ensembles in words and numbers, and how one prediction comes about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term, Working
from hornbook.params import Floats

__all__ = ["counted", "member_table", "score_terms", "stump_questions"]

LISTED = 20  # most rounds that are listed one by one


def counted(n: int, word: str, ending: str = "s") -> str:
    """A number with its word."""
    return f"{n} {word}" if n == 1 else f"{n} {word}{ending}"


def stump_questions(members: Sequence[Any], classes: NDArray[Any]) -> list[str]:
    """What the first members ask if they are stumps; nothing if one is not."""
    lines = []
    for member in members[:LISTED]:
        if not hasattr(member, "rules") or len(member.nodes_) != 3:
            return []
        rules = list(member.rules())
        numbers = not hasattr(member, "classes_")
        answers = [f"{rule.answer:.4g}" if numbers else str(classes[rule.answer]) for rule in rules]
        lines.append(f"{rules[0].conditions[0]}: {answers[0]}, else {answers[1]}")
    return lines


def member_table(alphas: Floats, errors: Floats, questions: Sequence[str]) -> Table:
    """Weight and error of each round, the first ones if there are many."""
    rows: list[list[Any]] = [
        [t + 1, float(alpha), float(error), *([questions[t]] if questions else [])]
        for t, (alpha, error) in enumerate(zip(alphas[:LISTED], errors[:LISTED], strict=True))
    ]
    head = ["round", "weight", "weighted error", *(["question"] if questions else [])]
    more = len(alphas) > LISTED
    return Table(f"The first {LISTED} rounds" if more else "Rounds", head, rows)


def score_terms(parts: Sequence[Floats], classes: NDArray[Any], answer: Any, *, votes: bool) -> Working:
    """What the rounds add to the score of each class for one row; many are summed by the class they favor."""
    labels = classes.tolist()
    if not parts:
        return Working("There is one class only", "sum", labels, [Term("the only class", [1.0])], answer)
    added = np.array([[-part[0], part[0]] if len(part) == 1 else part for part in parts])
    favored = added.argmax(axis=1)
    says = "votes for" if votes else "favors"
    if len(added) <= LISTED:
        terms = [
            Term(f"round {t + 1} {says} {labels[c]}", row.tolist())
            for t, (c, row) in enumerate(zip(favored, added, strict=True))
        ]
    else:
        terms = [
            Term(
                f"{counted(int((favored == c).sum()), 'round')} for {label}",
                added[favored == c].sum(axis=0).tolist(),
            )
            for c, label in enumerate(labels)
            if (favored == c).any()
        ]
    what = "weights of the votes" if votes else "scores"
    return Working(f"The {what} of {counted(len(added), 'round')}", "sum", labels, terms, answer)
