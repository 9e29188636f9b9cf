"""What members answer: votes, probabilities or numbers, row by row or node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_proba, member_rows
from hornbook.ensembles.forests._fitted_forest import FittedForest, slim
from hornbook.ensembles.forests._forest_builder import GrowingForest
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees import DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["Kind", "are_trees", "each_output", "node_outputs", "outputs", "summed"]

# Classes as codes, probabilities of all classes, or numbers.
Kind: TypeAlias = Literal["votes", "probabilities", "numbers"]

# What the output of member i adds to the scores, a row for each row of the output.
Contribution: TypeAlias = Callable[[NDArray[Any], int], Floats]

TREES = (DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor)


def outputs(member: Any, rows: Any, kind: Kind, n_classes: int) -> NDArray[Any]:
    """What a member, fitted on class codes or numbers, answers to converted rows."""
    if kind == "probabilities":
        return member_proba(member, rows, n_classes)
    answers = member_answers(member, rows)
    return answers.astype(np.intp) if kind == "votes" else answers


def are_trees(members: Sequence[Any]) -> bool:
    """Whether every row ends in one node of each member, whose values are then all there is to know."""
    return all(type(member) in TREES and member.missing == "direction" for member in members)


def node_outputs(member: Any, kind: Kind, n_classes: int) -> NDArray[Any]:
    """What a tree answers to rows that end in a node, a row for each node."""
    values = member._node_values()  # noqa: SLF001 - a tree of this library
    if kind == "numbers":
        return np.asarray(values[:, 0])
    if kind == "votes":
        return np.asarray(member.classes_[values.argmax(axis=1)], dtype=np.intp)
    whole = np.zeros((len(values), n_classes))
    whole[:, member.classes_] = values
    return whole


def summed(
    members: Sequence[Any],
    frame: Frame,
    kind: Kind,
    n_classes: int,
    contribution: Contribution,
    n_threads: int,
) -> Floats:
    """Sum of the contributions of all members to the scores of rows."""
    if are_trees(members):
        tables = [contribution(node_outputs(m, kind, n_classes), i) for i, m in enumerate(members)]
        return _joined(members, tables).answers(_tree_rows(members[0], frame), n_threads)
    parts = (contribution(out, i) for i, out in enumerate(each_output(members, frame, kind, n_classes, 1)))
    total = next(parts)
    for part in parts:
        total = total + part
    return total


def each_output(
    members: Sequence[Any], frame: Frame, kind: Kind, n_classes: int, n_threads: int
) -> Iterator[NDArray[Any]]:
    """What one member after the other answers to rows."""
    if are_trees(members):
        tables = [node_outputs(member, kind, n_classes) for member in members]
        forest = _joined(members, [np.zeros((len(table), 1)) for table in tables])
        nodes = forest.apply(_tree_rows(members[0], frame), n_threads) - forest.roots
        for i, table in enumerate(tables):
            yield table[nodes[:, i]]
        return
    rows = member_rows(members[0], frame)
    for member in members:
        yield outputs(member, rows, kind, n_classes)


def _joined(members: Sequence[Any], tables: Sequence[Floats]) -> FittedForest:
    """The trees of all members as one forest, with these values of the nodes."""
    forest = GrowingForest(len(members))
    for member, table in zip(members, tables, strict=True):
        tree = replace(member.tree_, value=table)
        forest.add(slim(tree, classes=False, every_node=True, in_parts=False))
    return forest.finished()


def _tree_rows(member: Any, frame: Frame) -> Frame:
    coded: Frame = member._coded(frame)  # noqa: SLF001
    return coded
